//! `SFPSTORE`, plainly, on both chips: the page SFPSTORE from top to bottom, lane by lane, with a flaw asked for at each
//! step.
//!
//! *Source*: page SFPSTORE of each chip (commit c63d6d0b), and page Dst (the layouts of its data).

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::sfpstore::mod0;
use tandem_isa::{Answer, State, Step};

use super::sfpu::{Place, Sfpu, Turn, lane_bit};
use super::{Flaw, Flaws};

/// Executes one `SFPSTORE` of `chip`.
pub fn execute(flaws: Flaws, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let mut run = Sfpu::new(flaws, chip, false, step.code, state);
    if run.has(Flaw::StoreControlBackdoor) && run.is_template() {
        return Answer::Done;
    }
    run.execute(Sfpu::store_lane);
    Answer::Done
}

/// From `Sign,Exp(8b),Man(23b)` to `Sign,ManHi(7b),Exp(8b),ManLo(16b)`.
fn shuffled(datum: u32) -> u32 {
    let (sign, exp, man_hi) = (datum & 0x8000_0000, (datum >> 23) & 0xff, (datum >> 16) & 0x7f);
    sign | man_hi << 24 | exp << 16 | datum & 0xffff
}

/// From `Sign,Exp(5b),Man(10b)` to `Sign,Man(10b),Exp(5b)`.
fn fp16_shuffled(word: u32) -> u32 {
    word & 0x8000 | (word & 0x3ff) << 5 | (word >> 10) & 0x1f
}

impl Sfpu<'_> {
    /// One lane; whether it moved.
    fn store_lane(&mut self, mode: u32, lane: usize, turn: Turn, place: Place) -> bool {
        let vd = self.vd();
        if turn == Turn::Blocked {
            if self.has(Flaw::StoreBlockedZeroed) {
                self.clear(mode, place);
            }
            return false;
        }
        if !self.is_stored(vd, lane) {
            return false;
        }
        if turn == Turn::Disabled {
            if self.has(Flaw::StoreDisabledZeroed) {
                self.clear(mode, place);
            }
            return false;
        }
        let register = if self.has(Flaw::StoreVdThreeBits) { vd & 7 } else { vd };
        let datum = self.tensix.lreg(register, lane);
        self.store(mode, datum, place);
        if self.has(Flaw::StoreBothColumns) {
            self.store(mode, datum, Place { column: place.column ^ 1, ..place });
        }
        if self.has(Flaw::StoreRegisterCleared) {
            self.tensix.set_lreg(register, lane, 0);
        }
        true
    }

    /// Whether `VD` names a register, and not an instruction template of the lane.
    fn is_stored(&self, vd: usize, lane: usize) -> bool {
        let disabled = self.lane_config(lane, lane_bit::DISABLE_BACKDOOR_LOAD);
        if (vd >= 8 && self.has(Flaw::StoreHighVdSkipped)) || (vd >= 12 && self.has(Flaw::StoreVd12Skipped)) {
            return false;
        }
        let first = if self.has(Flaw::StoreBackdoorAlways) {
            0
        } else if self.has(Flaw::StoreBackdoorFromVd8) {
            8
        } else {
            12
        };
        vd < first || disabled
    }

    fn clear(&mut self, mode: u32, place: Place) {
        if self.is_stored_wide(mode) {
            self.set_dst32(place, 0);
        } else {
            self.set_dst16(place, 0);
        }
    }

    // ---------------------------------------------------------------------------------------- conversions

    /// Whether a mode writes 32 bits.
    fn is_stored_wide(&self, mode: u32) -> bool {
        match mode {
            mod0::FP32 | mod0::INT32 | mod0::INT32_ALL | mod0::INT32_SM => true,
            mod0::LO16 => !self.has(Flaw::StoreLo16Narrow),
            mod0::HI16 => !self.has(Flaw::StoreHi16Narrow),
            mod0::ZERO => self.has(Flaw::StoreZeroWide),
            _ => false,
        }
    }

    fn store(&mut self, mode: u32, datum: u32, place: Place) {
        if mode == mod0::ZERO && self.has(Flaw::StoreZeroNothing) {
            return;
        }
        if mode == mod0::LO16_ONLY && self.has(Flaw::StoreOnlyIntoHalves) {
            let (_, low) = self.halves(place.row);
            self.tensix.set_dst_bits(low, place.column, datum as u16);
            return;
        }
        let word = self.stored(mode, datum);
        if self.is_stored_wide(mode) {
            self.set_dst32(place, word);
        } else {
            self.set_dst16(place, word & 0xffff);
        }
    }

    /// The word of `Dst` that a mode makes of a datum.
    fn stored(&self, mode: u32, datum: u32) -> u32 {
        match mode {
            mod0::FP16 => {
                let word = self.to_fp16(datum);
                if self.has(Flaw::StoreFp16NotShuffled) { word } else { fp16_shuffled(word) }
            }
            mod0::BF16 => {
                let datum = self.to_bf16(datum);
                if self.has(Flaw::StoreBf16NotShuffled) { datum >> 16 } else { shuffled(datum) >> 16 }
            }
            mod0::FP32 => self.encoded_32(self.to_fp32(datum)),
            mod0::INT32 => self.encoded_32(if self.has(Flaw::StoreInt32Flushed) { self.to_fp32(datum) } else { datum }),
            mod0::INT32_ALL => {
                self.encoded_32(if self.has(Flaw::StoreInt32AllFlushed) { self.to_fp32(datum) } else { datum })
            }
            mod0::INT32_SM => {
                self.encoded_32(self.converted(datum, Flaw::StoreInt32SmPlain, Flaw::StoreInt32SmConverted))
            }
            mod0::INT8 => self.to_int8(datum),
            mod0::INT8_COMP => {
                self.to_int8(self.converted(datum, Flaw::StoreInt8CompPlain, Flaw::StoreInt8CompConverted))
            }
            mod0::LO16_ONLY => {
                if self.has(Flaw::StoreLo16OnlyHigh) {
                    datum >> 16
                } else {
                    datum & 0xffff
                }
            }
            mod0::HI16_ONLY => {
                if self.has(Flaw::StoreHi16OnlyLow) {
                    datum & 0xffff
                } else {
                    datum >> 16
                }
            }
            mod0::INT16 => self.to_int16(datum),
            mod0::UINT16 => {
                if self.has(Flaw::StoreUint16High) {
                    datum >> 16
                } else {
                    datum & 0xffff
                }
            }
            mod0::LO16 => self.opaque(if self.has(Flaw::StoreLo16NotRotated) { datum } else { datum.rotate_left(16) }),
            mod0::HI16 => self.opaque(if self.has(Flaw::StoreHi16Rotated) { datum.rotate_left(16) } else { datum }),
            mod0::ZERO => {
                if self.has(Flaw::StoreZeroNegative) {
                    datum >> 31 << 15
                } else {
                    0
                }
            }
            _ => unreachable!("Mod0 has four bits, and MOD0_FMT_SRCB stands for another mode"),
        }
    }

    fn encoded_32(&self, datum: u32) -> u32 {
        if self.has(Flaw::StoreWideNotShuffled) { datum } else { shuffled(datum) }
    }

    fn opaque(&self, datum: u32) -> u32 {
        if self.has(Flaw::StoreOpaqueShuffled) { shuffled(datum) } else { datum }
    }

    /// FP32 to `Sign,Exp(5b),Man(10b)`.
    fn to_fp16(&self, datum: u32) -> u32 {
        let sign = datum >> 31;
        let bias = if self.has(Flaw::StoreFp16RebiasLow) {
            111
        } else if self.has(Flaw::StoreFp16RebiasHigh) {
            113
        } else {
            112
        };
        let exp8 = (datum >> 23) & 0xff;
        let exp = exp8 as i32 - bias;
        let man = datum & 0x007f_ffff;
        let is_nan = exp8 == 0xff && man != 0;
        if is_nan && self.has(Flaw::StoreFp16NanZero) {
            return sign << 15;
        }
        let lowest = if self.has(Flaw::StoreFp16LowestFlushed) { 1 } else { 0 };
        let highest = if self.has(Flaw::StoreFp16OverflowEarly) { 30 } else { 31 };
        if exp <= lowest {
            let sign = if self.has(Flaw::StoreFp16UnderflowSignLost) { 0 } else { sign };
            let kept = if self.has(Flaw::StoreFp16UnderflowMantissa) {
                man >> 13
            } else if exp8 != 0 && self.has(Flaw::StoreFp16UnderflowKept) {
                // The hidden one comes in, one place lower for each step below the lowest exponent.
                (1 << 10 | man >> 13).checked_shr((1 - exp) as u32).unwrap_or(0)
            } else {
                0
            };
            return sign << 15 | kept;
        }
        if exp > highest && !self.has(Flaw::StoreFp16OverflowWraps) {
            let man = if self.has(Flaw::StoreFp16OverflowInf) {
                0
            } else if self.has(Flaw::StoreFp16OverflowKeepsMantissa) {
                man >> 13
            } else {
                0x3ff
            };
            return sign << 15 | 31 << 10 | man;
        }
        let rounded = if self.has(Flaw::StoreFp16Rounded) { (man >> 12) & 1 } else { 0 };
        // A carry goes to the exponent, and no further than the largest magnitude.
        let magnitude = ((exp as u32 & 0x1f) << 10 | man >> 13) + rounded;
        sign << 15 | magnitude.min(0x7fff)
    }

    /// FP32 to FP32 without the low half.
    fn to_bf16(&self, datum: u32) -> u32 {
        let sign = datum & 0x8000_0000;
        let exp = datum & 0x7f80_0000;
        if exp == 0 && !self.has(Flaw::StoreBf16DenormalKept) {
            return if self.has(Flaw::StoreBf16FlushLosesSign) { 0 } else { sign };
        }
        let is_special = exp == 0x7f80_0000;
        if is_special && datum & 0x007f_ffff != 0 && datum & 0x007f_0000 == 0 && self.has(Flaw::StoreBf16NanKept) {
            return datum | 0x0040_0000;
        }
        if self.has(Flaw::StoreBf16Rounded) && !is_special {
            return datum.wrapping_add(0x8000);
        }
        datum
    }

    /// FP32 without denormals.
    fn to_fp32(&self, datum: u32) -> u32 {
        let sign = datum & 0x8000_0000;
        let exp = datum & 0x7f80_0000;
        let man = datum & 0x007f_ffff;
        if exp == 0x7f80_0000 && man != 0 && self.has(Flaw::StoreFp32NanQuieted) {
            return datum | 0x0040_0000;
        }
        if exp != 0 || self.has(Flaw::StoreFp32DenormalKept) {
            return datum;
        }
        let kept = if self.has(Flaw::StoreFp32FlushKeepsLow) { man & 0xffff } else { 0 };
        if self.has(Flaw::StoreFp32FlushLosesSign) { kept } else { sign | kept }
    }

    /// The datum as a sign and a magnitude: converted from two's complement on Wormhole, unless the step is `plain`.
    fn converted(&self, datum: u32, plain: Flaw, converted: Flaw) -> u32 {
        let converts = match self.chip {
            Chip::Wormhole => !self.has(plain),
            Chip::Blackhole => self.has(converted),
        };
        if !converts || datum >> 31 == 0 {
            return datum;
        }
        let magnitude = if self.has(Flaw::StoreSmOnesComplement) { !datum } else { datum.wrapping_neg() };
        let sign = if self.has(Flaw::StoreSmSignLost) { 0 } else { 0x8000_0000 };
        sign | magnitude & 0x7fff_ffff
    }

    /// A sign and a magnitude of ten bits, overlaid onto FP16 with an exponent of 16.
    fn to_int8(&self, datum: u32) -> u32 {
        let sign = if self.has(Flaw::StoreInt8SignLost) { 0 } else { datum >> 31 };
        let mask = if self.has(Flaw::StoreInt8SevenBits) {
            0x7f
        } else if self.has(Flaw::StoreInt8EightBits) {
            0xff
        } else {
            0x3ff
        };
        let magnitude = datum & mask;
        let no_exponent =
            self.has(Flaw::StoreInt8NoExponent) || (magnitude == 0 && self.has(Flaw::StoreInt8ZeroExponent));
        let exp = if no_exponent { 0 } else { 16 };
        let word = sign << 15 | exp << 10 | magnitude;
        if self.has(Flaw::StoreInt8NotShuffled) { word } else { fp16_shuffled(word) }
    }

    fn to_int16(&self, datum: u32) -> u32 {
        let (sign, magnitude) = (datum >> 31, datum & 0x7fff);
        if self.has(Flaw::StoreInt16Truncated) {
            datum & 0xffff
        } else if self.has(Flaw::StoreInt16SignLost) {
            magnitude
        } else if sign != 0 && self.has(Flaw::StoreInt16Twos) {
            magnitude.wrapping_neg() & 0xffff
        } else {
            sign << 15 | magnitude
        }
    }
}
