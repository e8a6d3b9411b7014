//! Instructions of the Configuration Unit, which move words to and from `Config` and `ThreadConfig`, on both chips.
//!
//! Facts only: fields and opcodes. *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! c2e709d3) of the same repository. The vendor's tables give both chips the same fields.

use super::called;
use super::control::field;
use crate::tensix::{Chip, pages};
use crate::{CodeField, Facts};

/// `CfgIndex` of `WRCFG` and `RDCFG`, bits 0 to 10: a word of `Config`.
pub const CFG_INDEX: CodeField = field("CfgIndex", 0, 11);
/// `CfgIndex` of `SETC16`, bits 16 to 23: a word of `ThreadConfig`.
pub const THREAD_CFG_INDEX: CodeField = field("CfgIndex", 16, 8);
/// `NewValue` of `SETC16`, bits 0 to 15.
pub const NEW_VALUE16: CodeField = field("NewValue", 0, 16);
/// `Is128Bit`, bit 15.
pub const IS_128_BIT: CodeField = field("Is128Bit", 15, 1);
/// `InputReg`, bits 16 to 21: a GPR of the thread.
pub const INPUT_REG: CodeField = field("InputReg", 16, 6);
/// `ResultReg`, bits 16 to 21: a GPR of the thread.
pub const RESULT_REG: CodeField = field("ResultReg", 16, 6);
/// `Index4`, bits 0 to 7: a word of `Config`.
pub const INDEX4: CodeField = field("Index4", 0, 8);
/// `NewValue` of `RMWCIB`, bits 8 to 15.
pub const NEW_VALUE8: CodeField = field("NewValue", 8, 8);
/// `Mask`, bits 16 to 23.
pub const MASK: CodeField = field("Mask", 16, 8);

pub(in crate::tensix) const fn setc16(chip: Chip) -> Facts {
    called(&[0xb200_0000], [chip.pick(&pages::SETC16_WH, &pages::SETC16_BH); 2], &[THREAD_CFG_INDEX, NEW_VALUE16])
}

pub(in crate::tensix) const fn wrcfg(_: Chip) -> Facts {
    Facts {
        errata: &["TX-40", "TX-53", "TX-58"],
        ..called(&[0xb000_0000], [&pages::WRCFG; 2], &[INPUT_REG, IS_128_BIT, CFG_INDEX])
    }
}

pub(in crate::tensix) const fn rdcfg(chip: Chip) -> Facts {
    Facts {
        errata: &["TX-40"],
        ..called(&[0xb100_0000], [chip.pick(&pages::RDCFG_WH, &pages::RDCFG_BH); 2], &[RESULT_REG, CFG_INDEX])
    }
}

/// `RMWCIB` of a byte; the mnemonic has its number, and the opcode counts on by it.
const fn rmwcib(base_code: &'static [u32], chip: Chip) -> Facts {
    Facts {
        errata: &["TX-54"],
        ..called(base_code, [chip.pick(&pages::RMWCIB_WH, &pages::RMWCIB_BH); 2], &[MASK, NEW_VALUE8, INDEX4])
    }
}

pub(in crate::tensix) const fn rmwcib0(chip: Chip) -> Facts {
    rmwcib(&[0xb300_0000], chip)
}

pub(in crate::tensix) const fn rmwcib1(chip: Chip) -> Facts {
    rmwcib(&[0xb400_0000], chip)
}

pub(in crate::tensix) const fn rmwcib2(chip: Chip) -> Facts {
    rmwcib(&[0xb500_0000], chip)
}

pub(in crate::tensix) const fn rmwcib3(chip: Chip) -> Facts {
    rmwcib(&[0xb600_0000], chip)
}
