//! The instruction of the mover, on both chips.
//!
//! *Source*: page XMOV; `Diagrams/Src/Bits32.lua` (commit 39304719) of the same repository.

use super::{Form, OPCODE, field};
use crate::CodeField;

/// Bit 23, which is 0.
const BIT_23: CodeField = field("bit 23", 23, 1);
/// An argument that the page writes as 0.
const UNUSED: CodeField = field("0", 0, 0);
/// `XMOV`, which has no fields.
pub(in crate::tensix) const XMOV: Form = Form { opcode: &[OPCODE, BIT_23], ..Form::new(&[], &[BIT_23, UNUSED]) };
