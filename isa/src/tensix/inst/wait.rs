//! Instructions that the Wait Gate latches, which hold later ones.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! c2e709d3) of the same repository, which has a picture of `STALLWAIT` for each chip, and one of `STREAMWAIT`. Which bit of a block mask is whose
//! stands in [`wait_gate`](crate::tensix::wait_gate).

use super::control::SEMAPHORE_MASK;
use super::{Form, field};
use crate::CodeField;
use crate::tensix::Chip;

/// `BlockMask`, bits 15 to 23: bits B0 to B8.
pub const BLOCK_MASK: CodeField = field("BlockMask", 15, 9);
/// `ConditionMask` of `STALLWAIT` on Wormhole, bits 0 to 14: conditions C0 to C14.
pub const CONDITION_MASK: CodeField = field("ConditionMask", 0, 15);
/// `ConditionMask` of `STALLWAIT` on Blackhole, bits 0 to 12: conditions C0 to C12.
pub const CONDITION_MASK_BH: CodeField = field("ConditionMask", 0, 13);
/// `ConditionMask` of `SEMWAIT`, bits 0 and 1: conditions C0 and C1.
pub const SEMAPHORE_CONDITION_MASK: CodeField = field("ConditionMask", 0, 2);
/// `TargetValueLo` of `STREAMWAIT`, bits 4 to 13: the low bits of what is compared.
pub const TARGET_VALUE_LO: CodeField = field("TargetValueLo", 4, 10);
/// `ConditionIndex` of `STREAMWAIT`, bit 3: condition C0 or C1.
pub const CONDITION_INDEX: CodeField = field("ConditionIndex", 3, 1);
/// `StreamSelect` of `STREAMWAIT`, bits 0 and 1: which `STREAM_ID_SYNC_SEC` names the stream.
pub const STREAM_SELECT: CodeField = field("StreamSelect", 0, 2);

pub(in crate::tensix) const SEMWAIT: Form = Form::of(&[BLOCK_MASK, SEMAPHORE_MASK, SEMAPHORE_CONDITION_MASK]);
pub(in crate::tensix) const STREAMWAIT: Form = Form::of(&[BLOCK_MASK, TARGET_VALUE_LO, CONDITION_INDEX, STREAM_SELECT]);
pub(in crate::tensix) const fn stallwait(chip: Chip) -> Form {
    Form::of(chip.pick(&[BLOCK_MASK, CONDITION_MASK], &[BLOCK_MASK, CONDITION_MASK_BH]))
}
