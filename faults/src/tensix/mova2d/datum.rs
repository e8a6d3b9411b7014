//! One datum: flushing and the two shuffles.
//!
//! *Source*: pages MOVA2D (the copying loop) and MatrixUnit (`RemoveLowMantissa`, `RemoveHighExponent`).

use tandem_isa::tensix::config;

use super::{Flaw, Modes, Run};

impl Run<'_> {
    pub(super) fn flush(&self, modes: Modes, value: u32, dst_row: usize) -> u32 {
        let inverted = self.has(Flaw::FlushInvertedInRow5) && dst_row % 8 == 5;
        let tested = if self.has(Flaw::FlushTestsFiveBits) { 0x1f } else { 0xff };
        if (modes.flush_denormals ^ inverted) && value & tested == 0 {
            if self.has(Flaw::FlushKeepsSign) { value & (1 << 18) } else { 0 }
        } else {
            value
        }
    }

    pub(super) fn narrow(&self, modes: Modes, value: u32, column: usize) -> u16 {
        let mut word = if modes.use_8b_exponent {
            self.remove_low_mantissa(value)
        } else {
            self.remove_high_exponent(value, column)
        };
        if self.has(Flaw::UnsignedDropsSign) && self.config(config::ALU_FORMAT_SPEC_REG0_SrcAUnsigned) != 0 {
            word &= 0x7fff;
        }
        if self.has(Flaw::ThreeWaySign) && column == 0 && self.is_in_the_three_way_corner() {
            word &= 0x7fff;
        }
        if self.has(Flaw::NegativeZeroLost) && word == 0x8000 {
            word = 0;
        }
        word as u16
    }

    fn is_in_the_three_way_corner(&self) -> bool {
        self.thread == 2
            && self.thread_config(config::CFG_STATE_ID_StateID) == 1
            && self.tensix.small.matrix_unit_srca_bank == 1
    }

    /// `Sign,Man(10b),Exp(8b)` to `Sign,Man(7b),Exp(8b)`.
    fn remove_low_mantissa(&self, value: u32) -> u32 {
        let sign = if self.has(Flaw::SignDropped8) { 0 } else { value & (1 << 18) };
        let mask = if self.has(Flaw::MantissaNarrow8) {
            0x3f
        } else if self.has(Flaw::MantissaLowBitLost8) {
            0x7e
        } else if self.has(Flaw::ControlManMask) {
            0xff
        } else {
            0x7f
        };
        let mut man_hi = value & (mask << 11);
        if self.has(Flaw::MantissaRounded8) && value & (4 << 8) != 0 {
            man_hi = (man_hi + (1 << 11)) & (0x7f << 11);
        }
        let exp = value & if self.has(Flaw::ExponentNarrow8) { 0x7f } else { 0xff };
        let is_nan = exp == 0xff && man_hi != 0;
        if is_nan && self.has(Flaw::NanQuieted8) {
            man_hi |= 0x40 << 11;
        }
        if is_nan && self.has(Flaw::NanCleared8) {
            man_hi = 0;
        }
        if exp == 0xfe && man_hi == 0x7f << 11 && self.has(Flaw::LargestFinite) {
            return (sign >> 3) | 0xff;
        }
        (sign >> 3) | (man_hi >> 3) | exp
    }

    /// `Sign,Man(10b),Exp(8b)` to `Sign,Man(10b),Exp(5b)`.
    fn remove_high_exponent(&self, value: u32, column: usize) -> u32 {
        let sign_mask = if self.has(Flaw::LiteralSignMask) { 1 << 19 } else { 1 << 18 };
        let mut sign = value & sign_mask;
        if self.has(Flaw::SignLostInColumn9) && column == 9 {
            sign = 0;
        }
        let mask = if self.has(Flaw::MantissaNarrow5) {
            0x1ff
        } else if self.has(Flaw::MantissaCut5) {
            0x3f8
        } else {
            0x3ff
        };
        let man = value & (mask << 8);
        let exp_mask = if self.has(Flaw::ExponentFourBits) {
            0xf
        } else if self.has(Flaw::ExponentEightBits) {
            0xff
        } else {
            0x1f
        };
        (sign >> 3) | (man >> 3) | (value & exp_mask)
    }

    /// The bits that [`Self::remove_low_mantissa`] removes, at the top of the low half.
    pub(super) fn low_mantissa(&self, value: u32) -> u16 {
        let low = ((value >> 8) & 7) as u16;
        if self.has(Flaw::Tf32LowLost) {
            0
        } else if self.has(Flaw::Tf32LowUnshifted) {
            low
        } else if self.has(Flaw::Tf32LowTwoBits) {
            (low & 6) << 13
        } else {
            low << 13
        }
    }
}
