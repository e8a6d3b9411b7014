//! Instructions of the Configuration Unit, which move words to and from `Config` and `ThreadConfig`, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! c2e709d3) of the same repository. The vendor's tables give both chips the same fields.

use super::{Form, field};
use crate::CodeField;

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

pub(in crate::tensix) const SETC16: Form = Form::of(&[THREAD_CFG_INDEX, NEW_VALUE16]);
pub(in crate::tensix) const WRCFG: Form = Form::of(&[INPUT_REG, IS_128_BIT, CFG_INDEX]);
pub(in crate::tensix) const RDCFG: Form = Form::of(&[RESULT_REG, CFG_INDEX]);
/// `CfgIndex` of `CFGSHIFTMASK`, bits 0 to 7: a word of `Config`.
pub const CFG_INDEX8: CodeField = field("CfgIndex", 0, 8);
/// `ScratchIndex`, bits 8 and 9.
pub const SCRATCH_INDEX: CodeField = field("ScratchIndex", 8, 2);
/// `RotateAmt`, bits 10 to 14.
pub const ROTATE_AMT: CodeField = field("RotateAmt", 10, 5);
/// `MaskWidth`, bits 15 to 19.
pub const MASK_WIDTH: CodeField = field("MaskWidth", 15, 5);
/// `AluMode`, bits 20 to 22.
pub const ALU_MODE: CodeField = field("AluMode", 20, 3);
/// `MaskMode`, bit 23.
pub const MASK_MODE: CodeField = field("MaskMode", 23, 1);

/// `RegIndex` of `STREAMWRCFG`, bits 11 to 20: a register of a stream.
pub const REG_INDEX: CodeField = field("RegIndex", 11, 10);
/// `StreamSelect` of `STREAMWRCFG`, bits 21 and 22: which `STREAM_ID_SYNC_SEC` names the stream.
pub const STREAM_SELECT: CodeField = field("StreamSelect", 21, 2);
pub(in crate::tensix) const STREAMWRCFG: Form = Form::of(&[STREAM_SELECT, REG_INDEX, CFG_INDEX]);

/// `RMWCIB` of a byte; the mnemonic has its number, and the opcode counts on by it.
pub(in crate::tensix) const RMWCIB: Form = Form::of(&[MASK, NEW_VALUE8, INDEX4]);
pub(in crate::tensix) const CFGSHIFTMASK: Form =
    Form::of(&[MASK_MODE, ALU_MODE, MASK_WIDTH, ROTATE_AMT, SCRATCH_INDEX, CFG_INDEX8]);
