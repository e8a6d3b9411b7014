//! The Wait Gate of a thread, which every instruction has to get past: what pages STALLWAIT, SEMWAIT and STREAMWAIT say of instructions
//! after them.
//!
//! A number in brackets is a line of the page that stands before it, counted from 1. A step has no cycles: what a thread has
//! latched is looked at when it presents an instruction (TX-51), and what the other threads have latched then stays.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::{
    Chip, Latched, MATRIX_UNIT, Mnemonic, SEMWAIT_BH, SEMWAIT_WH, STALLWAIT_BH, STALLWAIT_WH, STREAMWAIT, Small,
    Tensix, UNPACKERS,
};
use tandem_isa::{Citation, Expectation, State, Step};

use crate::bits::U;

const HELD_REASON: &str =
    "the thread's Wait Gate has latched an instruction that blocks this one, and its conditions hold";

/// Executes an instruction if the gate lets it past.
pub(super) fn through(
    step: &Step<'_>,
    state: &mut State,
    execute: impl FnOnce(&Step<'_>, &mut State) -> Expectation,
) -> Expectation {
    let latched = Tensix::new(state).small.latched;
    if let ControlFlow::Break(held) = pass(step, &mut Tensix::new(state)) {
        return held;
    }
    let expectation = execute(step, state);
    // Who is held behind the gate leaves the state as it was, what is latched with it.
    if matches!(expectation, Expectation::Blocked(_)) {
        Tensix::new(state).small.latched = latched;
    }
    expectation
}

/// Lets an instruction past the gate, or holds it.
// [STALLWAIT_WH 27, TX-51] [STALLWAIT_BH 30, TX-51] [SEMWAIT_WH 31, TX-51] [SEMWAIT_BH 31, TX-51] [STREAMWAIT 38, TX-51] The
// gate looks again and again at what it has latched. Once no condition keeps on waiting, it forgets it, and nothing is blocked any more. What is
// latched is in force for the very next instruction. (`what_is_latched_holds_the_next_instruction_and_is_forgotten`)
// [STALLWAIT_WH 27] [STALLWAIT_BH 30] [SEMWAIT_WH 31] [SEMWAIT_BH 31] [STREAMWAIT 38] The next instruction is blocked for a cycle even if
// nothing keeps on waiting. Not modelled: cycle timing is out of scope by decision.
// [STALLWAIT_WH 29] [STALLWAIT_BH 32] [STREAMWAIT 40] While something is latched no STALLWAIT executes, and on Blackhole no other wait
// instruction either, so that it takes nothing's place; on Wormhole a SEMWAIT may.
// (`on_wormhole_alone_a_semwait_takes_the_place_of_what_is_latched`)
// [SEMWAIT_WH 37] If the latched block mask has no B1, a SEMWAIT executes, and what was latched is forgotten for it.
// (`on_wormhole_alone_a_semwait_takes_the_place_of_what_is_latched`)
// [SEMWAIT_WH 37] So all masks should have B1, where there are SEMWAITs. Not modelled: this is advice.
// [STALLWAIT_WH 167] [STALLWAIT_BH 178] Instructions pass in order, so that whatever comes after one that is held is held as
// well. Not modelled: a step is one instruction, and whoever has one held presents it again.
fn pass(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    // What a RISC-V core does by itself is no instruction that comes to the gate.
    if matches!(Mnemonic::of(step.instruction), Mnemonic::RiscLoad | Mnemonic::RiscStore) {
        return ControlFlow::Continue(());
    }
    let small = &*tensix.small;
    let thread = U::<2>::new(small.current_thread).index();
    let Some(latched) = look(chip, tensix, thread) else { return ControlFlow::Continue(()) };
    // [STALLWAIT_WH 33] [STALLWAIT_BH 36] [SEMWAIT_WH 35] [SEMWAIT_BH 35] [STREAMWAIT 44] A block mask has nine bits.
    // [STALLWAIT_WH 169] [STALLWAIT_BH 180] Any bit of the mask that blocks an instruction holds it; all bits hold everything.
    if latched.block_mask & block_bits(chip, step) != 0 {
        return ControlFlow::Break(Expectation::Blocked(held(chip, latched.opcode)));
    }
    ControlFlow::Continue(())
}

/// The gate of a thread looks at what it has latched: gives what keeps on waiting, and forgets what does not.
pub(super) fn look(chip: Chip, tensix: &mut Tensix<'_>, thread: usize) -> Option<Latched> {
    let small = &*tensix.small;
    let latched = small.latched[thread];
    // [STALLWAIT_WH 193] [STALLWAIT_BH 202] It stays latched if any of the selected conditions keeps on waiting, and is
    // forgotten once none does.
    let waits = match latched.opcode {
        Latched::NONE => return None,
        Latched::SEMWAIT => semwait_waits(small, latched),
        Latched::STREAMWAIT => streamwait_waits(tensix, thread, latched),
        _ => stallwait_waits(chip, small, latched.condition_mask),
    };
    if !waits {
        tensix.small.latched[thread] = Latched::default();
        return None;
    }
    Some(latched)
}

/// The bits of a block mask that hold an instruction.
fn block_bits(chip: Chip, step: &Step<'_>) -> u32 {
    // Of `isa/src/tensix/wait_gate.rs, block_bits`, shown by `each_instruction_is_held_by_the_block_bits_of_its_unit`:
    // [STALLWAIT_WH 37-45] [STALLWAIT_BH 40-48] What each bit blocks, about: instructions of a unit, or of several.
    //
    // Of `isa/src/tensix/wait_gate.rs, unit`, shown by `each_instruction_is_held_by_the_block_bits_of_its_unit`:
    // [STALLWAIT_WH 47, 49-165] [STALLWAIT_BH 50, 52-176] What each bit blocks, exactly: a table of instructions and bits. Of
    // instructions that are not in the suite nothing is said.
    Mnemonic::of(step.instruction).unit(chip).block_bits()
}

/// Whether a selected condition of a `STALLWAIT` keeps on waiting.
// [STALLWAIT_WH 173] [STALLWAIT_BH 184] A condition mask has 15 bits, on Blackhole 13.
// [STALLWAIT_WH 197] [STALLWAIT_BH 206] C0 can show that a load has arrived. Not modelled: nothing of the Scalar Unit is in
// the state.
// [STALLWAIT_WH 198-200, 205] [STALLWAIT_BH 207-209, 214-215] With a condition that a unit is idle the mask should block new
// instructions to it. Not modelled: this is advice.
// [STALLWAIT_WH 201] [STALLWAIT_BH 210] Unpackers wait by themselves for their banks. Not modelled: this is advice.
// [STALLWAIT_WH 202] [STALLWAIT_BH 211] The Matrix Unit waits by itself for its banks. Not modelled: this is advice.
// [STALLWAIT_WH 203] [STALLWAIT_BH 212] With the Mover's condition the mask should block instructions to it; those of others
// are waited for as well. Not modelled: this is advice.
// [STALLWAIT_WH 204] [STALLWAIT_BH 213] One condition orders instructions after stores of a RISCV core. Not modelled: no such
// core is in the state.
fn stallwait_waits(chip: Chip, small: &Small, condition_mask: u32) -> bool {
    // The conditions of owners follow each other, and begin at C8 or, on Blackhole, at C5.
    let first = match chip {
        // [STALLWAIT_WH 177-184, TX-50] C0 to C7: the thread has requests in the Scalar Unit (C0), or instructions in an
        // Unpacker (C1, C2), in a Packer (C3 to C6), or in the Matrix Unit (C7). It never has.
        // [STALLWAIT_WH 189-191, TX-50] C12 to C14: the Mover has requests, a RISCV core has some, or the thread has
        // instructions in the Vector Unit. They never have.
        Chip::Wormhole => 8,
        // [STALLWAIT_BH 188-192, TX-50] C0 to C4: the thread has requests in the Scalar Unit (C0), or instructions in an
        // Unpacker (C1, C2), in the Packer (C3), or in the Matrix Unit (C4). It never has.
        // [STALLWAIT_BH 197-200, TX-50] C9 to C12: the Mover has requests, a RISCV core has some, the thread has
        // instructions in the Vector Unit, or some thread has any in the Configuration Unit. They never have.
        Chip::Blackhole => 5,
    };
    let of_owners = U::<4>::new(condition_mask >> first);
    let bank = |number: u32| U::<1>::new(number).index();
    // [STALLWAIT_WH 185] [STALLWAIT_BH 193] C8, or C5: the first Unpacker's bank of SrcA is not the Unpackers'.
    if of_owners.bit(0) && small.srca_allowed_client[bank(small.unpackers_src_bank[0])] != UNPACKERS {
        return true;
    }
    // [STALLWAIT_WH 186] [STALLWAIT_BH 194] C9, or C6: the second Unpacker's bank of SrcB is not the Unpackers'.
    if of_owners.bit(1) && small.srcb_allowed_client[bank(small.unpackers_src_bank[1])] != UNPACKERS {
        return true;
    }
    // [STALLWAIT_WH 187] [STALLWAIT_BH 195] C10, or C7: the Matrix Unit's bank of SrcA is not the Matrix Unit's.
    if of_owners.bit(2) && small.srca_allowed_client[bank(small.matrix_unit_srca_bank)] != MATRIX_UNIT {
        return true;
    }
    // [STALLWAIT_WH 188] [STALLWAIT_BH 196] C11, or C8: the Matrix Unit's bank of SrcB is not the Matrix Unit's.
    of_owners.bit(3) && small.srcb_allowed_client[bank(small.matrix_unit_srcb_bank)] != MATRIX_UNIT
}

/// Whether a selected condition of a `SEMWAIT` keeps on waiting.
// [SEMWAIT_WH 41] [SEMWAIT_BH 39] A condition mask has two bits.
fn semwait_waits(small: &Small, latched: Latched) -> bool {
    let conditions = U::<2>::new(latched.condition_mask);
    let is_selected = |number: u32| U::<8>::new(latched.semaphore_mask).bit(number);
    let mut semaphores = (0..).zip(&small.semaphores).filter(|(number, _)| is_selected(*number));
    semaphores.any(|(_, semaphore)| {
        // [SEMWAIT_WH 45] [SEMWAIT_BH 43] C0: a selected semaphore has Value 0.
        // [SEMWAIT_WH 46] [SEMWAIT_BH 44] C1: a selected semaphore has a Value of Max or more.
        conditions.bit(0) && semaphore.value == 0 || conditions.bit(1) && semaphore.value >= semaphore.max
    })
}

/// Whether the condition of a `STREAMWAIT` keeps on waiting.
// [STREAMWAIT 48] ConditionIndex selected one of two conditions. (`a_streamwait_waits_while_its_register_is_below_the_target`)
fn streamwait_waits(tensix: &mut Tensix<'_>, thread: usize, latched: Latched) -> bool {
    // [STREAMWAIT 52-53] The stream is that of BankSel of the section that StreamSelect names, in the thread's ThreadConfig.
    // (`a_streamwait_waits_while_its_register_is_below_the_target`)
    let bank_sel = blackhole::stream_id_sync_bank_sel(U::<2>::new(latched.stream_select).index());
    let stream = U::<6>::new(bank_sel.get(&tensix.small.thread_config[thread])).index();
    let [curr_phase, num_msgs_received] = *tensix.noc_stream(stream);
    let conditions = U::<2>::new(latched.condition_mask);
    // [STREAMWAIT 52] C0: its register of the current phase is below the target value.
    // (`a_streamwait_waits_while_its_register_is_below_the_target`)
    // [STREAMWAIT 53] C1: its register of messages received is. (`a_streamwait_waits_while_its_register_is_below_the_target`)
    conditions.bit(0) && curr_phase < latched.target_value
        || conditions.bit(1) && num_msgs_received < latched.target_value
}

/// Where it is said that an instruction is held.
pub(super) fn held(chip: Chip, opcode: u32) -> &'static Citation {
    match (chip, opcode) {
        (Chip::Wormhole, Latched::SEMWAIT) => cite!(SEMWAIT_WH, "lines 31-46", HELD_REASON),
        (Chip::Blackhole, Latched::SEMWAIT) => cite!(SEMWAIT_BH, "lines 31-44", HELD_REASON),
        (_, Latched::STREAMWAIT) => cite!(STREAMWAIT, "lines 38-53", HELD_REASON),
        (Chip::Wormhole, _) => cite!(STALLWAIT_WH, "lines 27-193", HELD_REASON),
        (Chip::Blackhole, _) => cite!(STALLWAIT_BH, "lines 30-202", HELD_REASON),
    }
}

#[cfg(test)]
mod tests;
