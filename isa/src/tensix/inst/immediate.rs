//! Instructions of the Vector Unit with an immediate of sixteen bits, `SFPLOADI` and `SFPCONFIG`, on both chips.
//!
//! Every bit of both words belongs to a field. *Source*: the pages named in `pages.rs`;
//! fields from `Diagrams/Src/Bits32.lua` (commit c2e709d3) of the same repository.

use super::{Form, field};
use crate::CodeField;

/// The fields of `SFPLOADI`: `VD` and `Mod0` as in `SFPLOAD`.
pub mod sfploadi {
    pub use super::super::sfpload::{MOD0, VD};
    use crate::CodeField;

    /// `Imm16`, bits 0 to 15.
    pub const IMM16: CodeField = super::imm16(0);
}

/// The fields of `SFPCONFIG`: `Mod1` and `VD` as in the instructions that go lane by lane.
pub mod sfpconfig {
    pub use super::super::vector::{MOD1, VD};
    use crate::CodeField;

    /// `Imm16`, bits 8 to 23.
    pub const IMM16: CodeField = super::imm16(8);
}

const fn imm16(shift: u32) -> CodeField {
    field("Imm16", shift, 16)
}

pub(in crate::tensix) const SFPLOADI: Form = {
    use sfploadi::{IMM16, MOD0, VD};
    Form::new(&[IMM16, MOD0, VD], &[VD, MOD0, IMM16])
};
/// `SFPCONFIG`, and others of the same unit.
pub(in crate::tensix) const SFPCONFIG: Form = {
    use sfpconfig::{IMM16, MOD1, VD};
    Form::new(&[MOD1, VD, IMM16], &[IMM16, VD, MOD1])
};
pub(in crate::tensix) const SFPLUT: Form = {
    use sfploadi::{MOD0, VD};
    Form::new(&[MOD0, VD], &[VD, MOD0])
};
