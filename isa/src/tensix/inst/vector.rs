//! Instructions of the simple sub-unit of the Vector Unit that go lane by lane from registers to a register or to flags, on
//! both chips.
//!
//! *Source*: the pages named in `pages.rs`;
//! fields from `Diagrams/Src/Bits32.lua` (commit c2e709d3) of the same repository.

pub use super::OPCODE;
use super::{Form, call_syntax, field};
use crate::tensix::Chip;
use crate::{CodeField, Syntax};

/// `Mod1`, bits 0 to 3.
pub const MOD1: CodeField = field("Mod1", 0, 4);
/// `Mod1Mirror`, bits 16 to 19: `SFPLUTFP32` of Blackhole.
pub const MOD1_MIRROR: CodeField = field("Mod1Mirror", 16, 4);
/// `VD`, bits 4 to 7.
pub const VD: CodeField = field("VD", 4, 4);
/// `VC`, bits 8 to 11.
pub const VC: CodeField = field("VC", 8, 4);
/// `VB`, bits 12 to 15: `SFPAND` and `SFPOR` of Blackhole, and what multiplies.
pub const VB: CodeField = field("VB", 12, 4);
/// `VA`, bits 16 to 19: what multiplies.
pub const VA: CodeField = field("VA", 16, 4);
/// `Imm8`, bits 12 to 19: `SFPDIVP2` and `SFPSETEXP`.
pub const IMM8: CodeField = field("Imm8", 12, 8);
/// `Imm12`, bits 12 to 23: `SFPIADD`, `SFPSHFT` and `SFPSHFT2`, of which it is signed, and `SFPSETMAN`.
pub const IMM12: CodeField = field("Imm12", 12, 12);
/// What `Imm12` has above `VB`, bits 16 to 23: `SFPSHFT2`.
pub const IMM_HIGH: CodeField = field("ImmHigh", 16, 8);
/// `Imm1`, bit 12: `SFPSETCC` and `SFPSETSGN`.
pub const IMM1: CodeField = field("Imm1", 12, 1);
/// `Imm2`, bits 12 and 13: `SFPENCC`.
pub const IMM2: CodeField = field("Imm2", 12, 2);
/// `Mod1` of three bits, 0 to 2: `SFPSTOCHRND`.
pub const MOD1_OF_3: CodeField = field("Mod1", 0, 3);
/// `UseImm5`, bit 3: `SFPSTOCHRND`.
pub const USE_IMM5: CodeField = field("UseImm5", 3, 1);
/// `Imm5`, bits 16 to 20: `SFPSTOCHRND`.
pub const IMM5: CodeField = field("Imm5", 16, 5);
/// `StochasticRounding`, bit 21: `SFPSTOCHRND` of Wormhole.
pub const STOCHASTIC_ROUNDING: CodeField = field("StochasticRounding", 21, 1);
/// `RoundingMode`, bits 21 and 22: `SFPSTOCHRND` of Blackhole.
pub const ROUNDING_MODE: CodeField = field("RoundingMode", 21, 2);
/// An argument that is written as 0.
const ZERO: CodeField = field("0", 0, 0);

/// From one register to another.
pub(in crate::tensix) const LANEWISE: Form = Form::new(&[VD, VC], &[ZERO, VC, VD, ZERO]);
/// From two registers to one of them, with a modifier of which bit 0 is read.
pub(in crate::tensix) const WITH_VB: Form = Form::new(&[MOD1, VD, VC, VB], &[VB, VC, VD, MOD1]);
/// With a modifier and nothing else.
pub(in crate::tensix) const MODIFIED: Form = Form::new(&[MOD1, VD, VC], &[ZERO, VC, VD, MOD1]);
/// With a modifier and a signed immediate of twelve bits.
pub(in crate::tensix) const WITH_IMM12: Form = Form::new(&[MOD1, VD, VC, IMM12], &[IMM12, VC, VD, MOD1]);
/// With a modifier and a signed immediate of twelve bits, whose low bits name a register.
pub(in crate::tensix) const WITH_VB_IN_IMM12: Form = Form::new(&[MOD1, VD, VC, VB, IMM_HIGH], &[IMM12, VC, VD, MOD1]);
/// With a modifier and an immediate of one bit.
pub(in crate::tensix) const WITH_IMM1: Form = Form::new(&[MOD1, VD, VC, IMM1], &[IMM1, VC, VD, MOD1]);
/// With a modifier and an immediate of two bits, and no `VC`.
pub(in crate::tensix) const WITH_IMM2: Form = Form::new(&[MOD1, VD, IMM2], &[IMM2, ZERO, VD, MOD1]);
/// With a modifier and an immediate of eight bits.
pub(in crate::tensix) const WITH_IMM8: Form = Form::new(&[MOD1, VD, VC, IMM8], &[IMM8, VC, VD, MOD1]);
/// From three registers.
pub(in crate::tensix) const WITH_VA: Form = Form::new(&[MOD1, VD, VC, VB, VA], &[VA, VB, VC, VD, MOD1]);
/// To a register that is not among those that are read, with a modifier.
pub(in crate::tensix) const WITH_VD: Form = Form::new(&[MOD1, VD], &[VD, MOD1]);
/// The same with the modifier once more, for what waits.
pub(in crate::tensix) const WITH_MIRROR: Form = Form::new(&[MOD1, VD, MOD1_MIRROR], &[VD, MOD1, MOD1_MIRROR]);
/// A register number that says whether anything is done, and a modifier.
pub(in crate::tensix) const VD_AND_MOD1: Form = Form::new(&[MOD1, VD], &[ZERO, ZERO, VD, MOD1]);
/// A register number that says whether anything is done.
pub(in crate::tensix) const ONLY_VD: Form = Form::new(&[VD], &[ZERO, ZERO, VD, ZERO]);
/// Nothing.
pub(in crate::tensix) const NONE: Form = Form::of(&[]);
form!(
    rounding,
    [MOD1_OF_3, USE_IMM5, VD, VC, VB, IMM5, CHIP.pick(STOCHASTIC_ROUNDING, ROUNDING_MODE)],
    // `UseImm5` and `Mod1` are one argument.
    [CHIP.pick(STOCHASTIC_ROUNDING, ROUNDING_MODE), IMM5, VB, VC, VD, MOD1],
    syntax: STOCH_RND
);
/// A plain call, whose macro has underscores that the instruction has not.
const STOCH_RND: Syntax = {
    const NAME: &str = "SFP_STOCH_RND";
    Syntax {
        print: |facts, code| call_syntax::print(NAME, facts, code),
        parse: |facts, text| call_syntax::parse(NAME, facts, text),
    }
};
