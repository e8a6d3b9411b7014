//! Instructions of the simple sub-unit of the Vector Unit that go lane by lane from registers to a register or to flags, on
//! both chips.
//!
//! Facts only: fields and opcodes. *Source*: the pages named in `pages.rs`;
//! fields from `Diagrams/Src/Bits32.lua` (commit c2e709d3) of the same repository.

pub use super::OPCODE;
use super::called;
use crate::tensix::{Chip, pages};
use crate::{CodeField, Facts, Page};

/// `Mod1`, bits 0 to 3.
pub const MOD1: CodeField = field("Mod1", 0, 4);
/// `VD`, bits 4 to 7.
pub const VD: CodeField = field("VD", 4, 4);
/// `VC`, bits 8 to 11.
pub const VC: CodeField = field("VC", 8, 4);
/// `VB`, bits 12 to 15: `SFPAND` and `SFPOR` of Blackhole.
pub const VB: CodeField = field("VB", 12, 4);
/// `Imm12`, bits 12 to 23: `SFPIADD` and `SFPSHFT`; signed.
pub const IMM12: CodeField = field("Imm12", 12, 12);
/// `Imm1`, bit 12: `SFPSETCC` and `SFPSETSGN`.
pub const IMM1: CodeField = field("Imm1", 12, 1);
/// `Imm2`, bits 12 and 13: `SFPENCC`.
pub const IMM2: CodeField = field("Imm2", 12, 2);
/// An argument that is written as 0.
const ZERO: CodeField = field("0", 0, 0);

const fn field(name: &'static str, shift: u32, width: u32) -> CodeField {
    CodeField { name, word: 0, shift, width }
}

// -------------------------------------------------------------------------------------------------- forms

/// What is told of such an instruction: the fields, in the order of bits; the arguments of the text; and errata.
type Form = (&'static [CodeField], &'static [CodeField], &'static [&'static str]);

const BOTH: &[&str] = &["TX-17", "TX-34"];
const UNNAMED_MODIFIERS: &[&str] = &["TX-17", "TX-34", "TX-37"];
/// From one register to another.
const LANEWISE: Form = (&[VD, VC], &[ZERO, VC, VD, ZERO], BOTH);
/// From two registers to one of them, with a modifier of which bit 0 is read.
const WITH_VB: Form = (&[MOD1, VD, VC, VB], &[VB, VC, VD, MOD1], BOTH);
/// With a modifier and nothing else.
const MODIFIED: Form = (&[MOD1, VD, VC], &[ZERO, VC, VD, MOD1], BOTH);
/// With a modifier and a signed immediate of twelve bits.
const WITH_IMM12: Form = (&[MOD1, VD, VC, IMM12], &[IMM12, VC, VD, MOD1], &["TX-17", "TX-39"]);
/// With a modifier and an immediate of one bit.
const WITH_IMM1: Form = (&[MOD1, VD, VC, IMM1], &[IMM1, VC, VD, MOD1], BOTH);
/// With a modifier and an immediate of two bits, and no `VC`.
const WITH_IMM2: Form = (&[MOD1, VD, IMM2], &[IMM2, ZERO, VD, MOD1], BOTH);

const fn of(base_code: &'static [u32], page: &'static Page, (code_fields, arguments, errata): Form) -> Facts {
    Facts { arguments, errata, ..called(base_code, [page; 2], code_fields) }
}

// -------------------------------------------------------------------------------------------------- the instructions

pub(in crate::tensix) const fn sfpand(chip: Chip) -> Facts {
    of(&[0x7e00_0000], chip.pick(&pages::SFPAND_WH, &pages::SFPAND_BH), chip.pick(LANEWISE, WITH_VB))
}

pub(in crate::tensix) const fn sfpor(chip: Chip) -> Facts {
    of(&[0x7f00_0000], chip.pick(&pages::SFPOR_WH, &pages::SFPOR_BH), chip.pick(LANEWISE, WITH_VB))
}

pub(in crate::tensix) const fn sfpxor(_: Chip) -> Facts {
    of(&[0x8d00_0000], &pages::SFPXOR, LANEWISE)
}

pub(in crate::tensix) const fn sfpnot(_: Chip) -> Facts {
    of(&[0x8000_0000], &pages::SFPNOT, LANEWISE)
}

pub(in crate::tensix) const fn sfpmov(_: Chip) -> Facts {
    Facts { errata: &["TX-17", "TX-34", "TX-36"], ..of(&[0x7c00_0000], &pages::SFPMOV, MODIFIED) }
}

pub(in crate::tensix) const fn sfpabs(_: Chip) -> Facts {
    Facts { errata: UNNAMED_MODIFIERS, ..of(&[0x7d00_0000], &pages::SFPABS, MODIFIED) }
}

pub(in crate::tensix) const fn sfpsetsgn(_: Chip) -> Facts {
    Facts { errata: UNNAMED_MODIFIERS, ..of(&[0x8900_0000], &pages::SFPSETSGN, WITH_IMM1) }
}

pub(in crate::tensix) const fn sfplz(_: Chip) -> Facts {
    of(&[0x8100_0000], &pages::SFPLZ, MODIFIED)
}

pub(in crate::tensix) const fn sfpiadd(_: Chip) -> Facts {
    of(&[0x7900_0000], &pages::SFPIADD, WITH_IMM12)
}

pub(in crate::tensix) const fn sfpshft(chip: Chip) -> Facts {
    let pages = chip.pick(&pages::SFPSHFT_WH, &pages::SFPSHFT_BH);
    Facts { errata: &["TX-17", "TX-35", "TX-38", "TX-39"], ..of(&[0x7a00_0000], pages, WITH_IMM12) }
}

pub(in crate::tensix) const fn sfpsetcc(_: Chip) -> Facts {
    of(&[0x7b00_0000], &pages::SFPSETCC, WITH_IMM1)
}

pub(in crate::tensix) const fn sfpencc(_: Chip) -> Facts {
    of(&[0x8a00_0000], &pages::SFPENCC, WITH_IMM2)
}

pub(in crate::tensix) const fn sfpexexp(_: Chip) -> Facts {
    of(&[0x7700_0000], &pages::SFPEXEXP, MODIFIED)
}
