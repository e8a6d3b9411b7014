//! `SFPLOAD`, plainly, on both chips: the page SFPLOAD from top to bottom, lane by lane, with a flaw asked for at each
//! step.
//!
//! Both editions of Wormhole's page give the same.
//! *Source*: page SFPLOAD (commits 39304719, 545c98a3 and, for Blackhole, 0f3f6b70).

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::{Answer, State, Step};

use super::sfpu::{Place, Sfpu, Turn, lane_bit};
use super::{Flaw, Flaws};

/// Executes one `SFPLOAD` of `chip`.
pub fn execute(flaws: Flaws, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let mut run = Sfpu::new(flaws, chip, true, step.code, state);
    if run.has(Flaw::LoadControlBackdoor) && run.is_template() {
        return Answer::Done;
    }
    run.execute(Sfpu::load_lane);
    Answer::Done
}

/// 32 bits as `LReg` has them: from `Sign,ManHi(7b),Exp(8b),ManLo(16b)` to `Sign,Exp(8b),Man(23b)`.
fn unshuffled(word: u32) -> u32 {
    let (sign, man_hi, exp) = (word & 0x8000_0000, (word >> 24) & 0x7f, (word >> 16) & 0xff);
    sign | exp << 23 | man_hi << 16 | word & 0xffff
}

fn is_denormal(word: u32) -> bool {
    word & 0x7f80_0000 == 0
}

/// A sign and a magnitude.
fn sign_magnitude(negative: bool, magnitude: u32) -> u32 {
    u32::from(negative) << 31 | magnitude
}

impl Sfpu<'_> {
    /// One lane; whether it moved.
    fn load_lane(&mut self, mode: u32, lane: usize, turn: Turn, place: Place) -> bool {
        let vd = match self.vd() {
            vd if vd < 8 || self.has(Flaw::LoadHighVdLoads) => vd,
            vd if self.has(Flaw::LoadHighVdWraps) => vd & 7,
            _ => return false,
        };
        match turn {
            Turn::Blocked => return false,
            Turn::Disabled => {
                let zeroes = mode == mod0::ZERO && self.has(Flaw::LoadZeroEverywhere);
                if zeroes || self.has(Flaw::LoadDisabledZeroed) {
                    self.tensix.set_lreg(vd, lane, 0);
                }
                if self.has(Flaw::LoadCaptureDisabled) {
                    self.capture(mode, vd, lane, place);
                }
                return false;
            }
            Turn::Moves => {}
        }
        if !(mode == mod0::ZERO && self.has(Flaw::LoadZeroKeeps)) {
            let datum = self.loaded(mode, vd, lane, place);
            self.tensix.set_lreg(vd, lane, datum);
        }
        self.capture(mode, vd, lane, place);
        true
    }

    // ---------------------------------------------------------------------------------------- conversions

    /// The datum of `Dst` as the register gets it.
    fn loaded(&mut self, mode: u32, vd: usize, lane: usize, place: Place) -> u32 {
        match mode {
            mod0::FP16 => {
                let word = self.dst16(place);
                self.read_fp16(word, lane)
            }
            mod0::BF16 => {
                let word = self.dst16(place);
                let datum = self.read_bf16(word);
                if self.has(Flaw::LoadBf16KeepsLow) { datum | self.low_half(vd, lane) } else { datum }
            }
            mod0::FP32 => {
                let datum = self.read_32(place);
                self.fp32(datum)
            }
            mod0::INT32 => {
                let datum = self.read_32(place);
                let flushes = is_denormal(datum) && self.has(Flaw::LoadInt32DenormalFlushed);
                if flushes { datum & 0x8000_0000 } else { datum }
            }
            mod0::INT32_ALL => self.read_32(place),
            mod0::INT32_SM => {
                let datum = self.read_32(place);
                let converts = self.converts(Flaw::LoadInt32SmPlain, Flaw::LoadInt32SmConverted);
                if converts { self.twos_complement(datum) } else { datum }
            }
            mod0::INT8 => {
                let word = self.dst16(place);
                self.read_int8(word)
            }
            mod0::INT8_COMP => {
                let word = self.dst16(place);
                let width = if self.has(Flaw::LoadInt8CompNarrow) { self.int8_mask() } else { 0x3ff };
                let datum = sign_magnitude(word >> 15 != 0, (word >> 5) & width);
                let converts = self.converts(Flaw::LoadInt8CompPlain, Flaw::LoadInt8CompConverted);
                if converts { self.twos_complement(datum) } else { datum }
            }
            mod0::LO16_ONLY => self.read_only(!self.has(Flaw::LoadOnlySwapped), vd, lane, place),
            mod0::HI16_ONLY => self.read_only(self.has(Flaw::LoadOnlySwapped), vd, lane, place),
            mod0::INT16 => {
                let word = self.dst16(place);
                self.read_int16(word)
            }
            mod0::UINT16 => {
                let word = self.dst16(place);
                if self.has(Flaw::LoadUint16SignExtended) && word >> 15 != 0 {
                    word | 0xffff_0000
                } else if self.has(Flaw::LoadUint16KeepsHigh) {
                    word | self.high_half(vd, lane)
                } else {
                    word
                }
            }
            mod0::LO16 => {
                let word = self.dst16(place);
                if self.has(Flaw::LoadLo16SignExtended) && word >> 15 != 0 {
                    word | 0xffff_0000
                } else if self.has(Flaw::LoadLo16KeepsHigh) {
                    word | self.high_half(vd, lane)
                } else {
                    word
                }
            }
            mod0::HI16 => {
                let word = self.dst16(place) << 16;
                if self.has(Flaw::LoadHi16KeepsLow) { word | self.low_half(vd, lane) } else { word }
            }
            mod0::ZERO => {
                if self.has(Flaw::LoadZeroReads) {
                    self.dst16(place)
                } else {
                    0
                }
            }
            _ => unreachable!("Mod0 has four bits, and MOD0_FMT_SRCB stands for another mode"),
        }
    }

    fn high_half(&mut self, vd: usize, lane: usize) -> u32 {
        self.tensix.lreg(vd, lane) & 0xffff_0000
    }

    fn low_half(&mut self, vd: usize, lane: usize) -> u32 {
        self.tensix.lreg(vd, lane) & 0xffff
    }

    /// Whether a mode converts to two's complement: on Wormhole, unless it is `plain`.
    fn converts(&self, plain: Flaw, converted: Flaw) -> bool {
        match self.chip {
            Chip::Wormhole => !self.has(plain),
            Chip::Blackhole => self.has(converted),
        }
    }

    /// `Sign,Man(10b),Exp(5b)` to FP32.
    fn read_fp16(&self, word: u32, lane: usize) -> u32 {
        let negative = word >> 15 != 0 && !self.has(Flaw::LoadFp16SignLost);
        let (mut man, exp) = if self.has(Flaw::LoadFp16NotUnshuffled) {
            (word & 0x3ff, (word >> 10) & 0x1f)
        } else {
            ((word >> 5) & 0x3ff, word & 0x1f)
        };
        let is_largest = exp == 0x1f && (man == 0x3ff || self.has(Flaw::LoadFp16InfAnyMantissa));
        if is_largest && self.reads_infinity(lane) {
            let negative = negative && !self.has(Flaw::LoadFp16InfSignLost);
            let man = if self.has(Flaw::LoadFp16InfKeepsMantissa) { man << 13 } else { 0 };
            return sign_magnitude(negative, 0xff << 23 | man);
        }
        if self.has(Flaw::LoadFp16MantissaCut) {
            man &= 0x3f8;
        }
        if exp == 0 && man != 0 && self.has(Flaw::LoadFp16DenormalNormalized) {
            // The leading one of the mantissa goes to bit 10, and out.
            let shift = man.leading_zeros() - 21;
            return sign_magnitude(negative, (113 - shift) << 23 | ((man << shift) & 0x3ff) << 13);
        }
        if exp == 0 && self.has(Flaw::LoadFp16DenormalFlushed) {
            man = 0;
        }
        let bias = if self.has(Flaw::LoadFp16RebiasLow) {
            111
        } else if self.has(Flaw::LoadFp16RebiasHigh) {
            113
        } else {
            112
        };
        let rebiased = exp != 0 || (man != 0 && self.has(Flaw::LoadFp16DenormalRebiased));
        let exp = if rebiased { exp + bias } else { exp };
        sign_magnitude(negative, exp << 23 | man << 13)
    }

    fn reads_infinity(&self, lane: usize) -> bool {
        let asked = if self.has(Flaw::LoadFp16InfOfLane0) { 0 } else { lane };
        let enabled = self.lane_config(asked, lane_bit::ENABLE_FP16A_INF);
        (enabled || self.has(Flaw::LoadFp16InfAlways)) != self.has(Flaw::LoadFp16InfInverted)
            && !self.has(Flaw::LoadFp16InfIgnored)
    }

    /// `Sign,Man(7b),Exp(8b)` to FP32.
    fn read_bf16(&self, word: u32) -> u32 {
        if self.has(Flaw::LoadBf16NotUnshuffled) {
            return word << 16;
        }
        let mut datum = unshuffled(word << 16);
        if is_denormal(datum) && self.has(Flaw::LoadBf16DenormalFlushed) {
            datum &= 0x8000_0000;
        }
        if datum == 0x8000_0000 && self.has(Flaw::LoadNegativeZeroLost) {
            datum = 0;
        }
        if self.has(Flaw::LoadBf16Unshifted) { datum >> 16 } else { datum }
    }

    fn read_32(&mut self, place: Place) -> u32 {
        let word = self.dst32(place);
        if self.has(Flaw::LoadWideNotUnshuffled) {
            word
        } else if self.has(Flaw::LoadWideLowUnshuffled) {
            unshuffled(word) & 0xffff_0000 | unshuffled(word << 16) >> 16
        } else {
            unshuffled(word)
        }
    }

    fn fp32(&self, datum: u32) -> u32 {
        let is_nan = datum & 0x7fff_ffff > 0x7f80_0000;
        if is_nan && self.has(Flaw::LoadFp32NanQuieted) {
            datum | 0x0040_0000
        } else if is_denormal(datum) && self.has(Flaw::LoadFp32DenormalFlushed) {
            datum & 0x8000_0000
        } else {
            datum
        }
    }

    fn int8_mask(&self) -> u32 {
        match self.chip {
            _ if self.has(Flaw::LoadInt8TenBits) => 0x3ff,
            Chip::Wormhole if self.has(Flaw::LoadInt8EightBits) => 0xff,
            Chip::Wormhole => 0x7f,
            Chip::Blackhole if self.has(Flaw::LoadInt8SevenBits) => 0x7f,
            Chip::Blackhole => 0xff,
        }
    }

    /// A sign, bits without meaning, a magnitude of seven bits (eight on Blackhole), and five bits without meaning.
    fn read_int8(&self, word: u32) -> u32 {
        let shift = if self.has(Flaw::LoadInt8Unshifted) { 0 } else { 5 };
        let negative = word >> 15 != 0 && !self.has(Flaw::LoadInt8SignLost);
        let magnitude = (word >> shift) & self.int8_mask();
        if negative && self.has(Flaw::LoadInt8Twos) {
            magnitude.wrapping_neg()
        } else {
            sign_magnitude(negative, magnitude)
        }
    }

    /// `Sign,Mag(15b)` to a sign and a magnitude.
    fn read_int16(&self, word: u32) -> u32 {
        let negative = word >> 15 != 0;
        if self.has(Flaw::LoadInt16SignLow) {
            word
        } else if self.has(Flaw::LoadInt16SignLost) {
            word & 0x7fff
        } else if negative && self.has(Flaw::LoadInt16Twos) {
            word | 0xffff_0000
        } else {
            sign_magnitude(negative, word & 0x7fff)
        }
    }

    /// 16 bits for the low or the high half of the register, whose other half stays.
    fn read_only(&mut self, low: bool, vd: usize, lane: usize, place: Place) -> u32 {
        let word = self.dst16(place);
        if low {
            let kept = if self.has(Flaw::LoadLo16OnlyZeroes) { 0 } else { self.high_half(vd, lane) };
            kept | word
        } else {
            let kept = if self.has(Flaw::LoadHi16OnlyZeroes) { 0 } else { self.low_half(vd, lane) };
            word << 16 | kept
        }
    }

    /// From a sign and a magnitude to two's complement.
    fn twos_complement(&self, datum: u32) -> u32 {
        let magnitude = datum & 0x7fff_ffff;
        if datum >> 31 == 0 {
            magnitude
        } else if magnitude == 0 && self.has(Flaw::LoadMinusZeroKept) {
            datum
        } else if self.has(Flaw::LoadSmOnesComplement) {
            !magnitude
        } else {
            magnitude.wrapping_neg()
        }
    }

    // ---------------------------------------------------------------------------------------- the captured index

    fn capture(&mut self, mode: u32, vd: usize, lane: usize, place: Place) {
        let enable = self.lane_config(lane, lane_bit::ENABLE_DEST_INDEX);
        let capture = self.lane_config(lane, lane_bit::CAPTURE_DEFAULT_DEST_INDEX);
        let captures = if self.has(Flaw::LoadCaptureByEnable) {
            enable
        } else if self.has(Flaw::LoadCaptureByCapture) {
            capture
        } else {
            enable && capture
        };
        let never =
            self.has(Flaw::LoadCaptureNever) || (mode == mod0::INT32_ALL && self.has(Flaw::LoadCaptureNotInAll));
        if !captures || never || (vd >= 4 && !(vd < 8 && self.has(Flaw::LoadCaptureHigh))) {
            return;
        }
        let column = if self.has(Flaw::LoadCaptureEven) && place.exchanged { place.column - 1 } else { place.column };
        let row = if self.has(Flaw::LoadCaptureNoRow) {
            0
        } else if self.has(Flaw::LoadCaptureFirstRow) {
            place.row & !3
        } else if self.has(Flaw::LoadCapturePhysical) {
            if self.is_wide(mode) { self.halves(place.row).0 } else { self.adj16(place.row) }
        } else {
            place.row
        };
        let index = if self.has(Flaw::LoadCaptureLane) {
            lane
        } else if self.has(Flaw::LoadCaptureRowShift3) {
            row << 3 | column
        } else {
            row << 4 | column
        };
        let register = if self.has(Flaw::LoadCaptureNext) { vd + 1 } else { vd + 4 };
        self.tensix.set_lreg(register, lane, index as u32);
    }

    fn is_wide(&self, mode: u32) -> bool {
        matches!(mode, mod0::FP32 | mod0::INT32 | mod0::INT32_ALL | mod0::INT32_SM)
    }
}
