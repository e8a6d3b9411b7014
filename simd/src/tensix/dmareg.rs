//! Instructions of the Scalar Unit that compute on GPRs or do nothing, and `REG2FLOP_CONFIGURATION`, on both chips.
//!
//! All that compute read a GPR, and another one or a number, and write a GPR. Where the page has a switch over a mode all of
//! it is computed, and the mode takes one. `CFGSHIFTMASK` is in `configuration.rs`.
//!
//! What differs from the pages, and why it is equal:
//! 1. A row of four GPRs is marked as a whole; what is not written keeps its value.
//! 2. `SHIFTDMAREG`: five bits of either right operand are taken, as the immediate has no more.
//! 3. `CMPDMAREG`: a truth is the word 0 or 1.
//! 4. `FLUSHDMA`: instructions are done at once, so none is in a pipeline and no request is outstanding: there is nothing to
//!    wait for, whatever the mask says.
//! 5. `REG2FLOP_CONFIGURATION`: no word that it can write has an effect of its own, as they begin behind `STATE_RESET_EN`.
//!
//! Where the page promises nothing, by a mode without a name, on Blackhole, with `SizeSel` 0 or at an index out of bounds,
//! nothing is done: the instruction is unsupported.

use tandem_isa::Answer;
use tandem_isa::tensix::config::unpack::REG0_TileDescriptor_InDataFormat;
use tandem_isa::tensix::config::{GLOBAL_CFGREG_BASE, STATE_RESET_EN};
use tandem_isa::tensix::inst::scalar::{
    FLOP_INPUT_REG, LEFT_REG, MODE, RESULT_REG, RIGHT, RIGHT_IS_IMM, SIZE_SEL, TH_CON_CFG_INDEX,
};
use tandem_isa::tensix::{Chip, Tensix};

use super::configuration::{state_id_of, write_gpr};
use super::instruction::{Code, Decoded, Instruction, thread_of};
use crate::vector::Vector;

/// Reads a GPR of the current thread.
#[inline(always)]
pub(super) fn gpr(tensix: &mut Tensix<'_>, register: u32) -> u32 {
    let thread = thread_of(tensix.small);
    tensix.gprs_row(thread, register as usize / 4)[register as usize % 4]
}

/// Writes what comes of the left and the right operand, if anything does.
#[inline(always)]
fn compute(code: &Code, tensix: &mut Tensix<'_>, operation: impl FnOnce(u32, u32) -> Option<u32>) -> Answer {
    let left = gpr(tensix, LEFT_REG.get(code));
    let right = RIGHT.get(code);
    let right = if RIGHT_IS_IMM.get(code) == 0 { gpr(tensix, right) } else { right };
    let Some(result) = operation(left, right) else { return Answer::Unsupported };
    write_gpr(tensix, RESULT_REG.get(code), !0, result);
    Answer::Done
}

/// What a mode takes.
#[inline(always)]
fn by_mode<const N: usize>(code: &Code, results: [u32; N]) -> Option<u32> {
    results.get(MODE.get(code) as usize).copied()
}

macro_rules! compute {
    ($($name:ident: |$code:ident, $left:ident, $right:ident| $result:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub(crate) struct $name;

        impl<V: Vector> Instruction<V> for $name {
            #[inline(always)]
            fn execute(_: V::Level, Decoded { code: $code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
                compute(&$code, tensix, |$left, $right| $result)
            }
        }
    )*};
}

compute! {
    Adddmareg: |code, left, right| Some(left.wrapping_add(right));
    Subdmareg: |code, left, right| Some(left.wrapping_sub(right));
    Muldmareg: |code, left, right| Some((left & 0xffff) * (right & 0xffff));
    Bitwopdmareg: |code, left, right| by_mode(&code, [left & right, left | right, left ^ right]);
    Shiftdmareg: |code, left, right| by_mode(&code, [left << (right & 0x1f), left >> (right & 0x1f)]);
    Cmpdmareg: |code, left, right| by_mode(&code, [left > right, left < right, left == right].map(u32::from));
}

macro_rules! nothing {
    ($($name:ident),+) => {$(
        #[doc = concat!("`", stringify!($name), "`, which changes nothing.")]
        pub(crate) struct $name;

        impl<V: Vector> Instruction<V> for $name {
            #[inline(always)]
            fn execute(_: V::Level, _: Decoded, _: &mut Tensix<'_>) -> Answer {
                Answer::Done
            }
        }
    )+};
}
nothing!(Dmanop, Flushdma);

/// `THCON_CFGREG_BASE_ADDR32` of Wormhole, where the first section begins.
const THCON_CFGREG_BASE: usize = REG0_TileDescriptor_InDataFormat.of(Chip::Wormhole, 0).addr32;
const _: () = assert!(THCON_CFGREG_BASE > STATE_RESET_EN);

/// `REG2FLOP_CONFIGURATION`.
pub(crate) struct Reg2flopConfiguration;

impl<V: Vector> Instruction<V> for Reg2flopConfiguration {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let index = THCON_CFGREG_BASE + TH_CON_CFG_INDEX.get(&code) as usize;
        if chip == Chip::Blackhole || index >= GLOBAL_CFGREG_BASE || SIZE_SEL.get(&code) == 0 {
            return Answer::Unsupported;
        }
        let word = gpr(tensix, FLOP_INPUT_REG.get(&code));
        let state_id = state_id_of(tensix.small);
        tensix.small.config[state_id][index] = word;
        Answer::Done
    }
}
