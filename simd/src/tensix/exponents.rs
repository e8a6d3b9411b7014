//! Instructions that take mantissas and exponents of FP32 apart and put them together, and `SFPNOP`, on both chips.
//!
//! Each keeps some bits of one register, and puts others beside them: of another register, of an immediate, or of a sum. They go
//! lane by lane; see `lanewise.rs`.
//!
//! What differs from the pages (SFPEXMAN, SFPDIVP2 and SFPNOP, commit 39304719; SFPSETEXP and SFPSETMAN, commit 585749d1), and why
//! it is equal:
//! 1. Parts that a page takes apart and leaves as they are stay in their places. What is put beside them has none of their bits,
//!    so a sum of both is their bits together.
//! 2. `SFPSETEXP` of a register has two shifts to the place of the exponent, and the page's three modes are two of `Mod1`'s bits,
//!    of which that of the immediate counts first. With an immediate, `VD` is not read.
//! 3. `SFPDIVP2` adds to the exponent in place. What is carried out of eight bits goes to the sign, which is taken from before
//!    the sum, as the mantissa is.
//! 4. `SFPNOP` is held at the Wait Gate as others are, and does nothing.

use tandem_isa::Answer;
use tandem_isa::tensix::inst::vector::{IMM8, IMM12, MOD1};
use tandem_isa::tensix::{Chip, Tensix};

use super::instruction::{Code, Decoded, Instruction, vb_or_vd, vc};
use super::lanewise::Lanewise;
use super::simple::formulas;
use crate::vector::Vector;

const EXPONENT: u32 = 0xff << 23;
const MANTISSA: u32 = (1 << 23) - 1;

/// The bit above the mantissa, unless `Mod1` asks for a zero there.
#[inline(always)]
fn hidden_bit(code: &Code) -> u32 {
    const PAD9: u32 = 1;
    if MOD1.get(code) & PAD9 != 0 { 0 } else { 1 << 23 }
}

formulas! {
    Sfpexman(_, code) reads [vc(code); 2], with hidden_bit(code), gives |c, _, hidden| (c & c.like(MANTISSA)) | hidden;
}

/// `SFPSETEXP`.
pub(crate) enum Sfpsetexp {
    /// An immediate, in the place of the exponent.
    Immediate(u32),
    /// The exponent of `VD`.
    Exponent,
    /// The eight low bits of `VD`.
    Integer,
}

impl Lanewise for Sfpsetexp {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const ARG_IMM: u32 = 1;
        const ARG_EXPONENT: u32 = 2;
        let mod1 = MOD1.get(code);
        if mod1 & ARG_IMM != 0 {
            ([vc(code); 2], Sfpsetexp::Immediate(IMM8.get(code) << 23))
        } else if mod1 & ARG_EXPONENT != 0 {
            ([vc(code), vb_or_vd(code)], Sfpsetexp::Exponent)
        } else {
            ([vc(code), vb_or_vd(code)], Sfpsetexp::Integer)
        }
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        let exponent = match *self {
            Sfpsetexp::Immediate(exponent) => b.like(exponent),
            Sfpsetexp::Exponent => b & b.like(EXPONENT),
            Sfpsetexp::Integer => b.shift_left_all(23) & b.like(EXPONENT),
        };
        (c & c.like(!EXPONENT)) | exponent
    }
}

/// `SFPSETMAN`.
pub(crate) struct Sfpsetman {
    /// The mantissa, if it is an immediate.
    mantissa: Option<u32>,
}

impl Lanewise for Sfpsetman {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const ARG_IMM: u32 = 1;
        if MOD1.get(code) & ARG_IMM != 0 {
            ([vc(code); 2], Sfpsetman { mantissa: Some(IMM12.get(code) << 11) })
        } else {
            ([vc(code), vb_or_vd(code)], Sfpsetman { mantissa: None })
        }
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        let mantissa = self.mantissa.map_or(b & b.like(MANTISSA), |mantissa| b.like(mantissa));
        (c & c.like(!MANTISSA)) | mantissa
    }
}

/// `SFPDIVP2`.
pub(crate) struct Sfpdivp2 {
    /// Whether the immediate is added to the exponent; else it takes its place.
    adds: bool,
    /// The immediate, in the place of the exponent.
    imm: u32,
}

impl Lanewise for Sfpdivp2 {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        const ADD: u32 = 1;
        ([vc(code); 2], Sfpdivp2 { adds: MOD1.get(code) & ADD != 0, imm: IMM8.get(code) << 23 })
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        let others = c & c.like(!EXPONENT);
        if !self.adds {
            return others | c.like(self.imm);
        }
        let sum = (c + c.like(self.imm)) & c.like(EXPONENT);
        // Infinity and NaN stay.
        let is_255 = (!c & c.like(EXPONENT)).is_zero();
        V::select(is_255, c, others | sum)
    }
}

/// `SFPNOP`.
pub(crate) struct Sfpnop;

impl<V: Vector> Instruction<V> for Sfpnop {
    #[inline(always)]
    fn execute(_: V::Level, _: Decoded, _: &mut Tensix<'_>) -> Answer {
        Answer::Done
    }
}
