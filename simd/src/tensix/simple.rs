//! Instructions of the simple sub-unit that go lane by lane from registers to a register or to flags, and `SFPLOADI` of the load
//! sub-unit, on both chips.
//!
//! Most are a formula over a vector of lanes; see `lanewise.rs`. `SFPMOV` is that too unless it reads what is no
//! register. `SFPSETCC` and `SFPENCC` write flags only: words of 32 bits, of which whole ones are chosen. `SFPLOADI` is one
//! word for all lanes, and which bits of a register stay beside it.
//!
//! What differs from the pages, and why it is equal:
//! 1. `SFPABS` of FP32: only what is above `0xff800000` keeps a sign, and clearing the sign of a positive number is nothing.
//! 2. `SFPSETSGN`: exponent and mantissa are all bits but the sign.
//! 3. `SFPLZ`, `SFPIADD` and `SFPEXEXP`: setting the flags by a test, or not, and then inverting them, or not, are two
//!    choices of whole words. Bits of `Mod1` that the page takes away or does not name are not looked at.
//! 4. `SFPSHFT`: both shifts are made, and the sign of the amount chooses. `Imm12` is signed, as its type `i12` says. On
//!    Blackhole, taking away bit 2 of a `Mod1` of 4 or 6 changes nothing that is used, so all are masked to three bits.
//! 5. `SFPMOV` from what is no register writes a row that all vectors are loaded from. Nothing is written if `VD` is 8 or
//!    more, so `DISABLE_BACKDOOR_LOAD` is looked at for the PRNG only, which advances all the same, once it has been read.
//! 6. `SFPSETCC`: a lane that does not heed its flags gets none, so the values count only where lanes do. `NE0` and `GTE0`
//!    are the inverted tests of `EQ0` and `LT0`. `VC` is read only if a lane's flag depends on it.
//! 7. `SFPEXEXP`: differences of words wrap, so what comes out is the two's complement integer, and it is below zero if
//!    its highest bit is set.
//! 8. `SFPLOADI`: the modes are words that are computed once. FP16 is exponent and mantissa in one, shifted to their place, and
//!    112 is added to the exponent, of zero and of the largest exponent too; nothing carries into the sign, since 31 and 112
//!    are below 256. The register counts as read only if the mode keeps bits of it. A mode without a name
//!    is unsupported, unless no lane takes part.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::immediate::sfploadi;
use tandem_isa::tensix::inst::vector::{IMM1, IMM2, IMM12, MOD1};
use tandem_isa::tensix::{Access, Chip, Tensix};

use super::instruction::{Code, Decoded, Instruction, vb, vb_or_vd, vc, vd};
use super::lanewise::{self, Flags, Lanewise};
use super::prng;
use crate::bits::{all_if, all_if_any, choose};
use crate::vector::Vector;

const SIGN: u32 = 1 << 31;

/// `Imm12`, with its sign.
#[inline(always)]
pub(super) fn imm12(code: &Code) -> u32 {
    ((IMM12.get(code) << 20).cast_signed() >> 20).cast_unsigned()
}

/// `VC`, and `VD` or what takes its place in Blackhole's `SFPAND` and `SFPOR`.
#[inline(always)]
fn vc_and_vb(chip: Chip, code: &Code) -> [usize; 2] {
    const USE_VB: u32 = 1;
    let use_vb = chip == Chip::Blackhole && MOD1.get(code) & USE_VB != 0;
    let unused = if chip == Chip::Blackhole { vd(code) } else { vb_or_vd(code) };
    [vc(code), if use_vb { vb(code) } else { unused }]
}

/// Instructions that are a formula over two registers, perhaps with a word that the code decides and all lanes have.
macro_rules! formulas {
    ($(
        $name:ident($chip:pat_param, $code:pat_param) reads $registers:expr $(, with $word:expr)?, gives $result:expr;
    )*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub(crate) struct $name(u32);

        impl Lanewise for $name {
            #[inline(always)]
            fn decode($chip: Chip, $code: &Code) -> ([usize; 2], Self) {
                ($registers, $name(0 $(+ $word)?))
            }

            #[inline(always)]
            fn lanes<V: Vector>(&self, c: V, b: V) -> V {
                let result: fn(V, V, V) -> V = $result;
                result(c, b, c.like(self.0))
            }
        }
    )*};
}
pub(super) use formulas;

formulas! {
    Sfpand(chip, code) reads vc_and_vb(chip, code), gives |c, b, _| b & c;
    Sfpor(chip, code) reads vc_and_vb(chip, code), gives |c, b, _| b | c;
    Sfpxor(_, code) reads [vc(code), vb_or_vd(code)], gives |c, b, _| b ^ c;
    Sfpnot(_, code) reads [vc(code); 2], gives |c, _, _| !c;
}

/// `SFPABS`.
pub(crate) struct Sfpabs {
    float: bool,
}

impl Lanewise for Sfpabs {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const FLOAT: u32 = 1;
        ([vc(code); 2], Sfpabs { float: MOD1.get(code) & FLOAT != 0 })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        if self.float {
            V::select(c.is_above(c.like(0xff80_0000)), c, c & c.like(!SIGN))
        } else {
            V::select(c.is_negative(), c.like(0) - c, c)
        }
    }
}

/// `SFPSETSGN`.
pub(crate) struct Sfpsetsgn {
    /// The sign, if it is an immediate.
    sign: Option<u32>,
}

impl Lanewise for Sfpsetsgn {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const ARG_IMM: u32 = 1;
        if MOD1.get(code) & ARG_IMM != 0 {
            ([vc(code); 2], Sfpsetsgn { sign: Some(IMM1.get(code) << 31) })
        } else {
            ([vc(code), vb_or_vd(code)], Sfpsetsgn { sign: None })
        }
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        let sign = self.sign.map_or(b & b.like(SIGN), |sign| b.like(sign));
        (c & c.like(!SIGN)) | sign
    }
}

/// `SFPLZ`.
pub(crate) struct Sfplz {
    mod1: u32,
}

impl Sfplz {
    const CC_NE0: u32 = 2;
    const NOSGN_MASK: u32 = 4;
    const CC_COMP: u32 = 8;

    /// The bits that are looked at.
    #[inline(always)]
    const fn counted(&self) -> u32 {
        !(all_if_any(self.mod1, Self::NOSGN_MASK) & SIGN)
    }
}

impl Lanewise for Sfplz {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        ([vc(code); 2], Sfplz { mod1: MOD1.get(code) })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        (c & c.like(self.counted())).leading_zeros()
    }

    /// For zero.
    #[inline(always)]
    fn test<V: Vector>(&self, c: V, _: V) -> Option<V::Mask> {
        Some((c & c.like(self.counted())).is_zero())
    }

    #[inline(always)]
    fn flags(&self) -> Flags {
        let tested = all_if_any(self.mod1, Self::CC_NE0);
        // The flag is for what is not zero.
        Flags { tested, inverted: all_if_any(self.mod1, Self::CC_COMP) ^ tested }
    }
}

/// `SFPIADD`.
pub(crate) struct Sfpiadd {
    mod1: u32,
    imm: u32,
}

impl Sfpiadd {
    const ARG_IMM: u32 = 1;
    const ARG_2SCOMP_LREG_DST: u32 = 2;
    const CC_NONE: u32 = 4;
    const CC_GTE0: u32 = 8;
}

impl Lanewise for Sfpiadd {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        let mod1 = MOD1.get(code);
        let b = if mod1 & Self::ARG_IMM != 0 { vc(code) } else { vb_or_vd(code) };
        ([vc(code), b], Sfpiadd { mod1, imm: imm12(code) })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        if self.mod1 & Self::ARG_IMM != 0 {
            c + c.like(self.imm)
        } else if self.mod1 & Self::ARG_2SCOMP_LREG_DST != 0 {
            c - b
        } else {
            c + b
        }
    }

    /// For a result below zero.
    #[inline(always)]
    fn test<V: Vector>(&self, _: V, result: V) -> Option<V::Mask> {
        Some(result.is_negative())
    }

    #[inline(always)]
    fn flags(&self) -> Flags {
        Flags { tested: !all_if_any(self.mod1, Self::CC_NONE), inverted: all_if_any(self.mod1, Self::CC_GTE0) }
    }
}

/// `SFPSHFT`.
pub(crate) struct Sfpshft {
    /// The amount, if it is an immediate.
    amount: Option<u32>,
    arithmetic: bool,
}

impl Sfpshft {
    /// A shift in which zeros come in, by `c` or by an immediate.
    #[inline(always)]
    pub(super) const fn logical(amount: Option<u32>) -> Self {
        Sfpshft { amount, arithmetic: false }
    }
}

impl Lanewise for Sfpshft {
    #[inline(always)]
    fn decode(chip: Chip, code: &Code) -> ([usize; 2], Self) {
        const ARG_IMM: u32 = 1;
        const ARITHMETIC: u32 = 2;
        const ARG_IMM_USE_VC: u32 = 4;
        let mod1 = MOD1.get(code)
            & match chip {
                Chip::Wormhole => ARG_IMM,
                Chip::Blackhole => ARG_IMM | ARITHMETIC | ARG_IMM_USE_VC,
            };
        let (registers, amount) = match (mod1 & ARG_IMM != 0, mod1 & ARG_IMM_USE_VC != 0) {
            (true, true) => ([vc(code); 2], Some(imm12(code))),
            (true, false) => ([vb_or_vd(code); 2], Some(imm12(code))),
            (false, _) => ([vc(code), vb_or_vd(code)], None),
        };
        (registers, Sfpshft { amount, arithmetic: mod1 & ARITHMETIC != 0 })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        let amount = self.amount.map_or(c, |amount| c.like(amount));
        let (left, right) = (amount & amount.like(31), (amount.like(0) - amount) & amount.like(31));
        let to_the_right = if self.arithmetic { b.shift_right_arithmetic(right) } else { b.shift_right(right) };
        V::select(amount.is_negative(), to_the_right, b.shift_left(left))
    }
}

/// `SFPEXEXP`.
pub(crate) struct Sfpexexp {
    mod1: u32,
}

impl Sfpexexp {
    const NODEBIAS: u32 = 1;
    const SET_CC_SGN_EXP: u32 = 2;
    const SET_CC_COMP_EXP: u32 = 8;
}

impl Lanewise for Sfpexexp {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        ([vc(code); 2], Sfpexexp { mod1: MOD1.get(code) })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        let bias = if self.mod1 & Self::NODEBIAS != 0 { 0 } else { 127 };
        (c.shift_right_all(23) & c.like(0xff)) - c.like(bias)
    }

    /// For a result below zero.
    #[inline(always)]
    fn test<V: Vector>(&self, _: V, result: V) -> Option<V::Mask> {
        Some(result.is_negative())
    }

    #[inline(always)]
    fn flags(&self) -> Flags {
        Flags {
            tested: all_if_any(self.mod1, Self::SET_CC_SGN_EXP),
            inverted: all_if_any(self.mod1, Self::SET_CC_COMP_EXP),
        }
    }
}

/// `SFPMOV`.
pub(crate) struct Sfpmov;

/// `SFPMOV` from a register.
struct Move {
    /// The bits that are inverted.
    flipped: u32,
}

impl Lanewise for Move {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const NEGATE: u32 = 1;
        ([vc(code); 2], Move { flipped: all_if_any(MOD1.get(code), NEGATE) & SIGN })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        c ^ c.like(self.flipped)
    }
}

impl<V: Vector> Instruction<V> for Sfpmov {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let code = &code;
        const ALL_LANES_ENABLED: u32 = 2;
        const FROM_SPECIAL: u32 = 8;
        let mod1 = MOD1.get(code) & !4;
        let taking_part = lanewise::enabled(tensix.small) | all_if(mod1 == ALL_LANES_ENABLED);
        if mod1 & FROM_SPECIAL == 0 {
            lanewise::compute::<V, _>(level, Move::decode(chip, code), vd(code), taking_part, tensix);
            return Answer::Done;
        }
        let taking_part = taking_part & lanewise::front_door(tensix.small, vd(code));
        if taking_part == 0 {
            return Answer::Done;
        }
        let every_row = |words: &[u32; 8]| std::array::from_fn(|lane| words[lane & 7]);
        let mut from: [u32; 32] = match vc(code) {
            row @ 0..=7 if lanewise::is_written(vd(code)) => every_row(tensix.load_macro_row(row)),
            8 => every_row(&tensix.small.load_macro_misc),
            9 => {
                let states = *tensix.prng();
                prng::advance::<V>(level, taking_part, &mut tensix.views());
                states
            }
            15 => every_row(&tensix.small.lane_config),
            _ => [0; 32],
        };
        if lanewise::is_written(vd(code)) {
            let to = tensix.views().lreg(Access::Write, vd(code));
            let from = Cell::from_mut(&mut from[..]).as_slice_of_cells();
            for chunk in 0..32 / V::LANES {
                V::load(level, from, chunk).store(to, chunk, V::mask(level, taking_part >> (chunk * V::LANES)));
            }
        }
        Answer::Done
    }
}

/// `SFPSETCC`.
pub(crate) struct Sfpsetcc;

impl<V: Vector> Instruction<V> for Sfpsetcc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let code = &code;
        const IMM_BIT0: u32 = 1;
        const CLEAR: u32 = 8;
        const LREG_NE0: u32 = 2;
        const LREG_GTE0: u32 = 4;
        const LREG_EQ0: u32 = 6;
        let mod1 = MOD1.get(code);
        let small = &*tensix.small;
        let taking_part = lanewise::enabled(small) & lanewise::front_door(small, vd(code));
        let heeding = taking_part & small.use_lane_flags_for_lane_enable;
        let values = if mod1 & CLEAR != 0 || heeding == 0 {
            0
        } else if mod1 & IMM_BIT0 != 0 {
            all_if(IMM1.get(code) != 0)
        } else {
            let c = tensix.views().lreg(Access::Read, vc(code));
            // A test chosen within the loop is chosen once a chunk.
            let tests = if matches!(mod1, LREG_NE0 | LREG_EQ0) {
                lanewise::tests::<V>(level, c, V::is_zero)
            } else {
                lanewise::tests::<V>(level, c, V::is_negative)
            };
            tests ^ all_if(matches!(mod1, LREG_NE0 | LREG_GTE0))
        };
        tensix.small.lane_flags = choose(taking_part, heeding & values, tensix.small.lane_flags);
        Answer::Done
    }
}

/// `SFPENCC`.
pub(crate) struct Sfpencc;

impl<V: Vector> Instruction<V> for Sfpencc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let code = &code;
        const EC: u32 = 1;
        const EI: u32 = 2;
        const RI: u32 = 8;
        const IMM2_E: u32 = 1;
        const IMM2_R: u32 = 2;
        let (mod1, imm2) = (MOD1.get(code), IMM2.get(code));
        let small = &mut *tensix.small;
        let taking_part = lanewise::front_door(small, vd(code));
        let heed = small.use_lane_flags_for_lane_enable;
        let heeding = if mod1 & EI != 0 { all_if_any(imm2, IMM2_E) } else { heed ^ all_if_any(mod1, EC) };
        let flags = if mod1 & RI != 0 { all_if_any(imm2, IMM2_R) } else { !0 };
        small.use_lane_flags_for_lane_enable = choose(taking_part, heeding, heed);
        small.lane_flags = choose(taking_part, flags, small.lane_flags);
        Answer::Done
    }
}

/// `SFPLOADI`.
pub(crate) struct Sfploadi;

impl Sfploadi {
    const FLOATB: u32 = 0;
    const FLOATA: u32 = 1;
    const USHORT: u32 = 2;
    const SHORT: u32 = 4;
    const UPPER: u32 = 8;
    const LOWER: u32 = 10;

    /// What every lane gets, and the bits that it keeps; nothing for a mode without a name.
    #[inline(always)]
    const fn word(mod0: u32, imm16: u32) -> Option<(u32, u32)> {
        let high = imm16 << 16;
        match mod0 {
            Self::FLOATB => Some((high, 0)),
            Self::FLOATA => Some(((high & SIGN) | (((imm16 & 0x7fff) << 13) + (112 << 23)), 0)),
            Self::USHORT => Some((imm16, 0)),
            Self::SHORT => Some(((high.cast_signed() >> 16).cast_unsigned(), 0)),
            Self::UPPER => Some((high, 0xffff)),
            Self::LOWER => Some((imm16, 0xffff_0000)),
            _ => None,
        }
    }
}

impl<V: Vector> Instruction<V> for Sfploadi {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let vd = sfploadi::VD.get(&code) as usize;
        let taking_part = lanewise::enabled(tensix.small);
        if vd >= 8 || taking_part == 0 {
            return Answer::Done;
        }
        let Some((value, kept)) = Self::word(sfploadi::MOD0.get(&code), sfploadi::IMM16.get(&code)) else {
            return Answer::Unsupported;
        };
        let mut views = tensix.views();
        if kept != 0 {
            views.lreg(Access::Read, vd);
        }
        let to = views.lreg(Access::Write, vd);
        for chunk in 0..32 / V::LANES {
            let old = V::load(level, to, chunk);
            let new = (old & old.like(kept)) | old.like(value);
            new.store(to, chunk, V::mask_of(level, taking_part, chunk));
        }
        Answer::Done
    }
}
