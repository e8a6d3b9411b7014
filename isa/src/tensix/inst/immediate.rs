//! Instructions of the Vector Unit with an immediate of sixteen bits, `SFPLOADI` and `SFPCONFIG`, on both chips.
//!
//! Facts only: fields and opcodes. Every bit of both words belongs to a field. *Source*: the pages named in `pages.rs`;
//! fields from `Diagrams/Src/Bits32.lua` (commit c2e709d3) of the same repository.

use super::called;
use crate::tensix::{Chip, pages};
use crate::{CodeField, Facts};

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
    CodeField { name: "Imm16", word: 0, shift, width: 16 }
}

pub(in crate::tensix) const fn sfploadi(_: Chip) -> Facts {
    use sfploadi::{IMM16, MOD0, VD};
    Facts {
        arguments: &[VD, MOD0, IMM16],
        errata: &["TX-17"],
        ..called(&[0x7100_0000], [&pages::SFPLOADI; 2], &[IMM16, MOD0, VD])
    }
}

pub(in crate::tensix) const fn sfpconfig(chip: Chip) -> Facts {
    use sfpconfig::{IMM16, MOD1, VD};
    Facts {
        arguments: &[IMM16, VD, MOD1],
        errata: &["TX-21", "TX-55", "TX-56"],
        ..called(&[0x9100_0000], [chip.pick(&pages::SFPCONFIG_NEWEST, &pages::SFPCONFIG_BH); 2], &[MOD1, VD, IMM16])
    }
}
