//! Instructions that move memory-mapped registers: `LOADREG`, `STOREREG` and `STOREIND` to them, of the Scalar Unit, and
//! `STREAMWRCFG` of Blackhole, of the Configuration Unit.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both editions,
//! and those of the Scalar Unit both chips. A register holds what is written, and is read as what it holds; of one that
//! the state does not have nothing is promised. After an outcome that promises nothing the state is of no meaning. Of
//! what a page says to happen at some later time everything happens at once here, in the page's order.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::configuration::{CFG_INDEX, REG_INDEX, STREAM_SELECT};
use tandem_isa::tensix::inst::scalar::{ADDR_LO, ADDR_REG, DATA_REG, MMIO_REG, OFFSET_HALF_REG, OFFSET_INCREMENT};
use tandem_isa::tensix::{Chip, LOADREG, STOREIND_MMIO, STOREREG, STREAMWRCFG, Small, Tensix};
use tandem_isa::{Citation, Expectation, Step};

use super::configuration::{state_id, write};
use super::l1::{gpr, gpr_mut, increment, offset, thread};
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const BELOW_REASON: &str = "the address is below 0xFFB11000";
const OUTSIDE_REASON: &str = "the state does not have this register";
const BEYOND_REASON: &str = "the index is beyond the last word of the configuration";

/// Where the registers begin of which 18 bits say the number.
const WINDOW: u32 = 0xffb0_0000;
/// The first of them that the instructions of the Scalar Unit get at.
const FIRST: u32 = 0xffb1_1000;
/// The first register of the first stream of the NoC Overlay, and how far on the first of the next one is.
const STREAMS: u32 = 0xffb4_0000;
const STREAM_BYTES: u32 = 0x1000;

/// `LOADREG`: move a memory-mapped register to a GPR of the thread.
///
/// *Source*: page LOADREG, commit f7fda211.
// Of page `LOADREG`.
// [3] What is read are 32 bits of a part of the address space, for a GPR.
// [3] It ends once the request is on its way. Not modelled: each instruction ends before the next.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [37] Instructions that wait for the read. Not modelled: each instruction ends before the next, and a rule of
// scheduling says so.
// [41] It takes three cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn loadreg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] ResultReg, of six bits, and AddrLo, of 18. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word, of which each bit belongs to one.
    // (`encodings_and_texts_round_trip`)
    let (code, thread) = (step.code, thread(tensix.small));
    // [19] At the end of this part it is complete.
    let result_reg = U::<6>::new(MMIO_REG.get(code)); // [22] The GPR is that of ResultReg.
    // [23] The address is AddrLo in units of four bytes, from 0xFFB00000 on.
    // (`addr_lo_counts_registers_of_four_bytes`)
    let addr = WINDOW + (U::<18>::new(ADDR_LO.get(code)).get() << 2);
    // [24-25] Below 0xFFB11000 it is undefined. (`registers_begin_at_ffb11000`)
    from_first_on(addr, cite!(LOADREG, "lines 24-26", BELOW_REASON))?;

    // [29] Another page has what lies there. Not modelled: a register holds what is written, and nothing else happens.
    // [29] The read itself comes later, from an address and to a GPR that are known by then.
    // [32] The GPR becomes what the register holds. (`loadreg_moves_a_register_to_a_gpr_of_its_thread`)
    let word = *register(tensix.small, addr, cite!(LOADREG, "line 32", OUTSIDE_REASON))?;
    *gpr_mut(tensix, thread, result_reg) = word;
    ControlFlow::Continue(())
}

/// `STOREREG`: move a GPR of the thread to a memory-mapped register.
///
/// *Source*: page STOREREG, commit f7fda211.
// Of page `STOREREG`.
// [3] What is written are 32 bits of a part of the address space, from a GPR.
// [3] It ends once the request is on its way, and others than the Scalar Unit see it later. Not modelled: each
// instruction ends before the next.
// [7] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [34] It takes three cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn storereg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [12] DataReg, of six bits, and AddrLo, of 18. (`encodings_and_texts_round_trip`)
    // [17] A picture shows where they lie in the word, of which each bit belongs to one.
    // (`encodings_and_texts_round_trip`)
    let (code, thread) = (step.code, thread(tensix.small));
    // [5] The address is a number in the code; in STOREIND it comes from GPRs.
    // [22] It is AddrLo in units of four bytes, from 0xFFB00000 on. (`addr_lo_counts_registers_of_four_bytes`)
    let addr = WINDOW + (U::<18>::new(ADDR_LO.get(code)).get() << 2);
    // [23-24] Below 0xFFB11000 it is undefined. (`registers_begin_at_ffb11000`)
    from_first_on(addr, cite!(STOREREG, "lines 23-25", BELOW_REASON))?;

    // [27] The register becomes the GPR of DataReg. (`storereg_moves_a_gpr_of_its_thread_to_a_register`)
    // [30] Another page has what lies there. Not modelled: a register holds what is written, and nothing else happens.
    let value = gpr(tensix, thread, U::new(MMIO_REG.get(code)));
    *register(tensix.small, addr, cite!(STOREREG, "line 27", OUTSIDE_REASON))? = value;
    ControlFlow::Continue(())
}

/// `STOREIND_MMIO`: move a GPR of the thread to the memory-mapped register that GPRs name.
///
/// *Source*: page STOREIND_MMIO, commit f7fda211.
// Of page `STOREIND_MMIO`.
// [3] What is written are 32 bits of a part of the address space, from a GPR.
// [3] It ends once the request is on its way, and others than the Scalar Unit see it later. Not modelled: each
// instruction ends before the next.
// [9] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [45] It takes three cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn storeind_mmio(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [14] A 0, a 1 and a 0, then OffsetHalfReg, of seven bits, OffsetIncrement, of two, DataReg and AddrReg, of six
    // each. (`encodings_and_texts_round_trip`)
    // [19, TX-40] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(STOREIND_MMIO, "lines 14 and 19", UNNAMED_REASON))?;
    let (code, thread) = (step.code, thread(tensix.small));
    // [5, 7] The address comes from two GPRs, one of which can be incremented on the way; in STOREREG it is a number in
    // the code.
    // [24-25] It is AddrReg, and to it come the upper twelve bits of half a GPR.
    // (`the_address_is_a_gpr_and_the_upper_bits_of_half_another_in_20_bits`)
    let offset_half_reg = U::<7>::new(OFFSET_HALF_REG.get(code));
    let offset = offset(tensix, thread, offset_half_reg);
    let addr = gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_add((offset >> 4).get());
    // [26] Of the sum 20 bits count, of which the lowest two as 0, from 0xFFB00000 on.
    // (`the_address_is_a_gpr_and_the_upper_bits_of_half_another_in_20_bits`)
    let addr = WINDOW + (addr & 0x000f_fffc);
    // [27-28] Below 0xFFB11000 it is undefined. (`registers_begin_at_ffb11000`)
    from_first_on(addr, cite!(STOREIND_MMIO, "lines 27-29", BELOW_REASON))?;

    // [31] The register becomes the GPR of DataReg, as it was before anything is incremented.
    // (`storeind_mmio_stores_and_adds_what_it_has_not_incremented`)
    // [41] Another page has what lies there. Not modelled: a register holds what is written, and nothing else happens.
    let value = gpr(tensix, thread, U::new(DATA_REG.get(code)));
    *register(tensix.small, addr, cite!(STOREIND_MMIO, "line 31", OUTSIDE_REASON))? = value;

    // [33-37] Then the half grows by what OffsetIncrement selects.
    // (`storeind_mmio_stores_and_adds_what_it_has_not_incremented`)
    increment(tensix, thread, offset_half_reg, OFFSET_INCREMENT.get(code));
    ControlFlow::Continue(())
}

/// An address has to be one that the instructions of the Scalar Unit get at.
fn from_first_on(addr: u32, below: &'static Citation) -> ControlFlow<Expectation> {
    // [LOADREG 24] [STOREREG 23] [STOREIND_MMIO 27] The first one is no address below. (`registers_begin_at_ffb11000`)
    if addr < FIRST { ControlFlow::Break(Expectation::Undefined(below)) } else { ControlFlow::Continue(()) }
}

/// The memory-mapped register that has an address, if it is in the state.
fn register<'a>(small: &'a mut Small, addr: u32, outside: &'static Citation) -> ControlFlow<Expectation, &'a mut u32> {
    // [LOADREG 32] [STOREREG 27] [STOREIND_MMIO 31] [STREAMWRCFG 24] Some registers are in the state.
    // (`registers_outside_of_the_state_are_unspecified`)
    match small.mmio_word_mut(U::<18>::new(addr >> 2).get()) {
        Some(word) => ControlFlow::Continue(word),
        None => ControlFlow::Break(Expectation::Unspecified(outside)),
    }
}

/// `STREAMWRCFG`: move a register of a stream of the NoC Overlay to `Config`.
///
/// *Source*: page STREAMWRCFG of Blackhole, commit f7fda211.
// Of page `STREAMWRCFG`.
// [3] What it writes is 32 bits of the bank of Config that the thread's StateID selects, from the NoC Overlay, and
// nothing of ThreadConfig.
// [5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [27] The vendor's table of registers numbers the words so, but for its section of threads.
// (`named_fields_lie_where_an_index_says`)
// [31] It takes five cycles or more, and others may start meanwhile. Not modelled: cycle timing is out of scope by
// decision.
// [35] Instructions of the Configuration Unit behind it may overtake it. Not modelled: each instruction ends before the
// next.
// [37] Instructions of other units that use what it writes have to wait for it. Not modelled: each instruction ends
// before the next.
// [39] A wait behind it, or LOADREG and WRCFG instead of it, help against both. Not modelled: each instruction ends
// before the next.
pub fn streamwrcfg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] StreamSelect, of two bits, RegIndex, of ten, and CfgIndex, of eleven. (`encodings_and_texts_round_trip`)
    // [15, TX-40] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(STREAMWRCFG, "lines 10 and 15", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    let cfg_index = U::<11>::new(CFG_INDEX.get(code)).index();
    // [20] A word that does not exist makes it undefined. (`streamwrcfg_beyond_the_last_word_is_undefined`)
    if cfg_index >= chip.config_size() {
        return ControlFlow::Break(Expectation::Undefined(cite!(STREAMWRCFG, "line 20", BEYOND_REASON)));
    }

    // [22] The stream is that of BankSel of the section that StreamSelect names, in the thread's ThreadConfig.
    // (`streamwrcfg_reads_the_stream_of_its_thread_s_section`)
    let bank_sel = blackhole::stream_id_sync_bank_sel(U::<2>::new(STREAM_SELECT.get(code)).index());
    let stream_index = U::<6>::new(bank_sel.get(&tensix.small.thread_config[thread])).get();
    // [23] The bank is that of the thread's StateID. (`streamwrcfg_writes_the_bank_of_its_thread_s_state_id`)
    let state_id = state_id(tensix.small);
    // [24] The word becomes what a register of the stream holds: where that lies, the vendor's headers say, and
    // RegIndex counts words. (`streamwrcfg_reads_the_stream_of_its_thread_s_section`)
    let reg_index = U::<10>::new(REG_INDEX.get(code)).get();
    let addr = STREAMS + STREAM_BYTES * stream_index + 4 * reg_index;
    let value = *register(tensix.small, addr, cite!(STREAMWRCFG, "line 24", OUTSIDE_REASON))?;
    // [24] What page BackendConfiguration tells of writes to Config beside that holds for this one as well, as it
    // excepts RMWCIB alone. (`streamwrcfg_does_what_a_write_does`)
    write(chip, tensix, state_id, cfg_index, value);
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
