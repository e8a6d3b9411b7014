//! `STALLWAIT`, `SEMWAIT` and `STREAMWAIT`: what the Wait Gate of the thread latches. What comes of it is in `wait_gate.rs`.
//!
//! What differs from the pages, and why it is equal:
//! 1. Masks of zero are replaced by a select. `SEMWAIT` without a condition is undefined; it is latched as it is.
//! 2. Whether something is latched already is asked at the gate.
//! 3. `STREAMWAIT`: the target value has the two words of `ThreadConfig` read, and a select takes one.

use std::hint::select_unpredictable;

use tandem_isa::Answer;
use tandem_isa::tensix::config::blackhole::{STREAMWAIT_NUM_MSGS_HI_Val, STREAMWAIT_PHASE_HI_Val};
use tandem_isa::tensix::inst::control::SEMAPHORE_MASK;
use tandem_isa::tensix::inst::wait::{
    BLOCK_MASK, CONDITION_INDEX, CONDITION_MASK, CONDITION_MASK_BH, SEMAPHORE_CONDITION_MASK, STREAM_SELECT,
    TARGET_VALUE_LO,
};
use tandem_isa::tensix::{Latched, Tensix};

use super::instruction::{Code, Decoded, Instruction, thread_of};
use super::wait_gate::latched;
use crate::vector::Vector;

/// `mask`, or what takes its place if it is zero.
#[inline(always)]
fn or_else(mask: u32, else_mask: u32) -> u32 {
    select_unpredictable(mask == 0, else_mask, mask)
}

/// The block mask; none means the Matrix Unit's.
#[inline(always)]
fn block_mask(code: &Code) -> u32 {
    or_else(BLOCK_MASK.get(code), 1 << 6)
}

/// `STALLWAIT`.
pub(crate) struct Stallwait;

impl<V: Vector> Instruction<V> for Stallwait {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (field, all_units) = chip.pick((CONDITION_MASK, 0x7f), (CONDITION_MASK_BH, 0x0f));
        *latched(tensix.small) = Latched {
            opcode: Latched::STALLWAIT,
            condition_mask: or_else(field.get(&code), all_units),
            block_mask: block_mask(&code),
            ..Latched::default()
        };
        Answer::Done
    }
}

/// `SEMWAIT`.
pub(crate) struct Semwait;

impl<V: Vector> Instruction<V> for Semwait {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        *latched(tensix.small) = Latched {
            opcode: Latched::SEMWAIT,
            condition_mask: SEMAPHORE_CONDITION_MASK.get(&code),
            block_mask: block_mask(&code),
            semaphore_mask: SEMAPHORE_MASK.get(&code),
            ..Latched::default()
        };
        Answer::Done
    }
}

/// `STREAMWAIT`.
pub(crate) struct Streamwait;

impl<V: Vector> Instruction<V> for Streamwait {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let condition = CONDITION_INDEX.get(&code);
        let words = &tensix.small.thread_config[thread_of(tensix.small)];
        let [phase, messages] = [STREAMWAIT_PHASE_HI_Val, STREAMWAIT_NUM_MSGS_HI_Val].map(|field| field.get(words));
        let high = select_unpredictable(condition == 0, phase, messages);
        *latched(tensix.small) = Latched {
            opcode: Latched::STREAMWAIT,
            condition_mask: 1 << condition,
            block_mask: block_mask(&code),
            semaphore_mask: 0,
            target_value: high << 10 | TARGET_VALUE_LO.get(&code),
            stream_select: STREAM_SELECT.get(&code),
        };
        Answer::Done
    }
}
