//! The window of the RISC-V cores on `Dst`, on Blackhole: a load and a store, as instructions of ours.
//!
//! A core's own instruction is no word of Tensix, so the code word is a form of the suite: how many bytes, where in
//! the window, and how a register is filled. Its first byte is one that no word of Tensix has: a stream of instructions tells a
//! word of Tensix from one of RISC-V by its two highest bits, which are both set in none (page PushTensixInstruction of
//! Blackhole, commit 6e087b06). The core is that of the current thread, T0 to T2. What is loaded goes to `RISCV.Data`, and what
//! is stored comes from there.
//!
//! *Source*: page Dst of Blackhole (commit 093af914), section *RISCV access to Dst*; page BabyRISCV/README of Blackhole
//! (commit 585749d1): where the window ends, and that T2 alone has vectors, of 128 bits.

use super::call_syntax::CALL;
use super::{Form, field};
use crate::{Code, CodeField, Syntax, SyntaxError};

/// `Offset`, bits 0 to 14: how many bytes the address is above the first of the window.
pub const OFFSET: CodeField = field("Offset", 0, 15);
/// `Size`, bits 15 and 16: how many bytes are accessed, as [`SIZES`] says.
pub const SIZE: CodeField = field("Size", 15, 2);
/// `SignExtend`, bit 17, of a load of 1 or 2 bytes: the bits of the register above them are copies of their highest bit (`lb`,
/// `lh`); otherwise they are zero (`lbu`, `lhu`). A load of more bytes fills its register, and does not look at it.
pub const SIGN_EXTEND: CodeField = field("SignExtend", 17, 1);

/// The address of the first byte of the window.
pub const WINDOW_BASE: u32 = 0xffbd_8000;
/// How many bytes each code of [`SIZE`] means; the last is a vector register.
pub const SIZES: [u32; 4] = [1, 2, 4, 16];

const OPCODE_OF_LOAD: CodeField = field("opcode", 18, 14);
const OPCODE_OF_STORE: CodeField = field("opcode", 17, 15);

/// A plain call, without the letters that stand before a name of Tensix.
const OF_A_CORE: Syntax = Syntax {
    print: |facts, code| (CALL.print)(facts, code)["TT_".len()..].to_string(),
    parse: |facts, text| -> Result<Code, SyntaxError> {
        if text.trim_start().starts_with("TT") {
            return Err(SyntaxError(format!("{} is no instruction of Tensix, and has no TT_", facts.name)));
        }
        (CALL.parse)(facts, &format!("TT_{}", text.trim_start()))
    },
};

pub(in crate::tensix) const LOAD: Form =
    Form { opcode: &[OPCODE_OF_LOAD], syntax: OF_A_CORE, ..Form::of(&[SIGN_EXTEND, SIZE, OFFSET]) };
pub(in crate::tensix) const STORE: Form =
    Form { opcode: &[OPCODE_OF_STORE], syntax: OF_A_CORE, ..Form::of(&[SIZE, OFFSET]) };
