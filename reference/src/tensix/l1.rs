//! Instructions of the Scalar Unit that get at L1, and the one that writes `SrcA` and `SrcB`: `LOADIND`, `STOREIND` to
//! L1 and to sources, and the atomics `ATCAS`, `ATINCGET`, `ATINCGETPTR` and `ATSWAP`.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and
//! both editions. After an outcome that promises nothing the state is of no meaning. Of what a page says to happen at
//! some later time everything happens at once here, in the page's order.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::THREAD_CONFIG_WORDS;
use tandem_isa::tensix::inst::scalar::{
    ADDR_REG, CMP_VAL, DATA_REG, INCR_LOG2, INT_WIDTH4, INT_WIDTH5, LOAD_SIZE, NO_INCR, OFFSET_HALF_REG,
    OFFSET_INCREMENT, OFS, SET_VAL, SINGLE_DATA_REG, STORE_SIZE, STORE_TO_SRCB, SWAP_MASK,
};
use tandem_isa::tensix::{
    ATCAS, ATINCGET, ATINCGETPTR, ATSWAP, Chip, L1, LOADIND, STOREIND_L1, STOREIND_SRC, Small, Tensix, UNPACKERS,
    config,
};
use tandem_isa::{Citation, Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const BEYOND_REASON: &str = "the address is beyond L1";
const OUTSIDE_REASON: &str = "no window of the state shows this part of L1";
const WAIT_REASON: &str = "the instruction waits for as long as the bank that it writes is not the Unpackers'";
const INDEX_REASON: &str = "the index has more than 16 bits";
const ROW_REASON: &str = "the index is of a row beyond those that can be written";
const SRC_ROW_REASON: &str =
    "only where SrcRow is no multiple of 16 is there a row beyond the last one, and nothing says what that is";
const COMPARE_REASON: &str = "the instruction tries again for as long as the word is not CmpVal";
const FULL_REASON: &str = "the instruction tries again for as long as the FIFO is full";
const EMPTY_REASON: &str = "the instruction tries again for as long as the FIFO is empty";

/// `LOADIND`: move 8, 16, 32 or 128 bits of L1 to GPRs of the thread.
///
/// *Source*: page LOADIND, commit 29e53cf9.
// Of page `LOADIND`.
// [3] What is read of L1 are 8 to 128 bits, for GPRs.
// [3] It counts as executed once the request is on its way. Not modelled: each instruction ends before the next.
// [9] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [52] Instructions that wait for the read. Not modelled: each instruction ends before the next, and a rule of
// scheduling says so.
// [56] It takes three cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn loadind(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [14] Size, of two bits, OffsetHalfReg, of seven, OffsetIncrement, of two, ResultReg and AddrReg, of six each.
    // (`encodings_and_texts_round_trip`)
    // [19] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(LOADIND, "lines 14 and 19", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    let size = LOAD_SIZE.get(code);
    let offset_half_reg = U::<7>::new(OFFSET_HALF_REG.get(code));
    // [23] At the end of this part it counts as executed.
    // [26] What is written is the GPR of ResultReg, or the first of four, of whose number the lowest two bits count as
    // 0. (`loadind_moves_four_words_two_bytes_or_one_and_the_rest_stays`)
    let gpr = U::<6>::new(DATA_REG.get(code)) & if size != 0 { 0x3f } else { 0x3c };
    // [7] The address comes from two GPRs, one of which can be incremented on the way.
    // [27-28] It is AddrReg in units of 16 bytes, and to it comes half a GPR, in bytes.
    // (`addresses_are_sixteen_times_a_gpr_and_the_half_of_another_modulo_2_to_the_32`)
    let l1_address = indirect_address(tensix, thread, code, offset_half_reg);
    // [29] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(LOADIND, "line 29", BEYOND_REASON))?;
    // [31-35] The half grows by what OffsetIncrement selects, before anything is loaded.
    // (`loadind_increments_before_it_writes`)
    increment(tensix, thread, offset_half_reg, OFFSET_INCREMENT.get(code));

    // [39] The read itself comes later, from an address and to a GPR that are known by then.
    let words = l1_row(tensix, row)?;
    // [42] Size selects how much is moved.
    match size {
        // [43] 0: 16 bytes to four GPRs; of the address the lowest four bits count as 0.
        0 => *tensix.gprs_row_mut(thread, (gpr >> 2).index()) = words,
        // [44] 1: a word; the lowest two bits count as 0.
        1 => *gpr_mut(tensix, thread, gpr) = words[word(l1_address)],
        // [5, 45] 2: 16 bits to the low ones of the GPR, of which the high ones stay; the lowest bit counts as 0.
        // (`loadind_moves_four_words_two_bytes_or_one_and_the_rest_stays`)
        2 => put(gpr_mut(tensix, thread, gpr), 0xffff, words[word(l1_address)] >> (8 * (l1_address & 2))),
        // [5, 46] 3: a byte to the low one of the GPR, of which the others stay.
        // (`loadind_moves_four_words_two_bytes_or_one_and_the_rest_stays`)
        _ => put(gpr_mut(tensix, thread, gpr), 0xff, words[word(l1_address)] >> (8 * (l1_address & 3))),
    }
    ControlFlow::Continue(())
}

/// `STOREIND_L1`: move 8, 16, 32 or 128 bits of GPRs of the thread to L1.
///
/// *Source*: page STOREIND_L1, commit 29e53cf9.
// Of page `STOREIND_L1`.
// [3] What is written to L1 are 8 to 128 bits of GPRs.
// [3] It counts as executed once the request is on its way, and others than the Scalar Unit see it later. Not modelled:
// each instruction ends before the next.
// [7] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [44] It takes three cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn storeind_l1(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [12] A 1 and a 0, then Size, of two bits, OffsetHalfReg, of seven, OffsetIncrement, of two, DataReg and AddrReg,
    // of six each. (`encodings_and_texts_round_trip`)
    // [17] A picture shows where they lie in the word, of which each bit belongs to one.
    // (`encodings_and_texts_round_trip`)
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    let size = STORE_SIZE.get(code);
    let offset_half_reg = U::<7>::new(OFFSET_HALF_REG.get(code));
    // [22] What is stored is the GPR of DataReg, or from the first of four on, of whose number the lowest two bits
    // count as 0. (`storeind_l1_writes_four_words_two_bytes_or_one_and_the_rest_stays`)
    let gpr = U::<6>::new(DATA_REG.get(code)) & if size != 0 { 0x3f } else { 0x3c };
    // [5] The address comes from two GPRs, one of which can be incremented on the way.
    // [23-24] It is AddrReg in units of 16 bytes, and to it comes half a GPR, in bytes.
    // (`addresses_are_sixteen_times_a_gpr_and_the_half_of_another_modulo_2_to_the_32`)
    let l1_address = indirect_address(tensix, thread, code, offset_half_reg);
    // [25] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(STOREIND_L1, "line 25", BEYOND_REASON))?;
    // [27-31] The half grows by what OffsetIncrement selects, before the GPR is read that is stored.
    // (`storeind_l1_stores_what_it_has_incremented`)
    increment(tensix, thread, offset_half_reg, OFFSET_INCREMENT.get(code));

    let values = *tensix.gprs_row(thread, (gpr >> 2).index());
    let value = values[(gpr & 3).index()];
    let words = l1_row_mut(tensix, row)?;
    // [34] Size selects how much is moved.
    match size {
        // [35] 0: four GPRs to 16 bytes; of the address the lowest four bits count as 0.
        0 => *words = values,
        // [36] 1: a word; the lowest two bits count as 0.
        1 => words[word(l1_address)] = value,
        // [37] 2: the low 16 bits of the GPR; the lowest bit counts as 0.
        2 => {
            let shift = 8 * (l1_address & 2);
            put(&mut words[word(l1_address)], 0xffff << shift, value << shift);
        }
        // [38] 3: the low byte of the GPR.
        _ => {
            let shift = 8 * (l1_address & 3);
            put(&mut words[word(l1_address)], 0xff << shift, value << shift);
        }
    }
    ControlFlow::Continue(())
}

/// `STOREIND_SRC`: move two GPRs of the thread, which are four BF16, to `SrcA` or `SrcB`.
///
/// *Source*: page STOREIND_Src, commit f7fda211.
// Of page `STOREIND_SRC`.
// [3] Two GPRs hold four BF16, which go to SrcA or to SrcB.
// [7] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [107] It takes three cycles or more, and longer if it waits for a bank. Not modelled: cycle timing is out of scope by
// decision.
pub fn storeind_src(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [12-18] Two 0, then StoreToSrcB, of one bit, OffsetHalfReg, of seven, OffsetIncrement, of two, DataReg and
    // AddrReg, of six each. (`encodings_and_texts_round_trip`)
    // [23] A picture shows where they lie in the word, of which each bit belongs to one.
    // (`encodings_and_texts_round_trip`)
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    // [28-32] The data are the two halves of the GPR of DataReg, of whose number the lowest two bits count as 0, and
    // those of the next one; of each the low half comes first. (`storeind_src_writes_four_columns_of_a_row`)
    let [first, second, ..] = *tensix.gprs_row(thread, U::<4>::new(DATA_REG.get(code) >> 2).index());
    let datum = [read_bf16_lo(first), read_bf16_hi(first), read_bf16_lo(second), read_bf16_hi(second)];

    let offset_half_reg = U::<7>::new(OFFSET_HALF_REG.get(code));
    // [5] The index comes from two GPRs, one of which can be incremented on the way, and from what Unpackers have.
    // [34-35] It is AddrReg, and to it come the upper twelve bits of half a GPR, in 20 bits.
    // (`the_index_is_a_gpr_and_the_upper_bits_of_half_another_in_twenty_bits`)
    let offset = offset(tensix, thread, offset_half_reg);
    let addr = U::<20>::new(gpr(tensix, thread, U::new(ADDR_REG.get(code)))) + U::new((offset >> 4).get());
    // [36-40, TX-143] The half grows by what OffsetIncrement selects. The page has this before it waits, and it is done when
    // all is known: nothing below reads a GPR, and while it waits nothing changes.
    let increment = |tensix: &mut Tensix<'_>| increment(tensix, thread, offset_half_reg, OFFSET_INCREMENT.get(code));
    // [42] An index of more than 16 bits is not allowed. (`indices_of_more_than_16_bits_are_undefined`)
    if (addr & 0xf_0000) != U::new(0) {
        // [43] It is undefined.
        return ControlFlow::Break(Expectation::Undefined(cite!(STOREIND_SRC, "lines 42-44", INDEX_REASON)));
    }

    // [46] Two bits of the index select four columns. (`storeind_src_writes_four_columns_of_a_row`)
    let column0 = 4 * (addr & 3).index();
    let columns = column0..column0 + 4;
    // [47] StoreToSrcB selects where they go.
    if STORE_TO_SRCB.get(code) != 0 {
        // [48] The bank is the one that the second Unpacker uses.
        let bank = U::<1>::new(tensix.small.unpackers_src_bank[1]).index();
        // [49-50] It waits as long as that is not the Unpackers'. (`storeind_src_waits_for_the_bank_that_it_writes`)
        if tensix.small.srcb_allowed_client[bank] != UNPACKERS {
            return ControlFlow::Break(Expectation::Blocked(cite!(STOREIND_SRC, "lines 49-51", WAIT_REASON)));
        }
        // [52] The other bits of the index are the row.
        let mut row = (addr >> 2).get();
        // [53] Sixteen rows can be written. (`rows_of_srcb_are_sixteen_from_srcrow_on`)
        if row >= 16 {
            // [54] Others are undefined.
            return ControlFlow::Break(Expectation::Undefined(cite!(STOREIND_SRC, "lines 53-55", ROW_REASON)));
        }
        // [56] They begin where the Unpacker is for the thread, at a multiple of 16.
        row += U::<6>::new(tensix.small.unpackers_src_row[1][thread]).get();
        let row = below_64(row, cite!(STOREIND_SRC, "lines 56-59", SRC_ROW_REASON))?;
        increment(tensix);
        // [57-58] Four columns of the row get the data.
        for (to, from) in tensix.srcb_row_mut(bank, row)[columns.clone()].iter_mut().zip(datum) {
            *to = from.get();
        }
    } else {
        // [60-61] Else the bank is the one that the first Unpacker uses.
        let bank = U::<1>::new(tensix.small.unpackers_src_bank[0]).index();
        // [62-63] It waits as long as that is not the Unpackers', even if it will not write.
        // (`storeind_src_waits_for_the_bank_that_it_writes`)
        if tensix.small.srca_allowed_client[bank] != UNPACKERS {
            return ControlFlow::Break(Expectation::Blocked(cite!(STOREIND_SRC, "lines 62-64", WAIT_REASON)));
        }
        // [65-66] The other bits of the index are the row, but for the first four, which are no rows.
        // (`the_first_four_rows_of_srca_are_none`)
        if let Some(mut row) = (addr >> 2).get().checked_sub(4) {
            // [67] A bit of the thread's configuration says how far they reach.
            // (`rows_of_srca_are_all_or_sixteen_from_srcrow_on`)
            let set_ovrd_with_addr = set_ovrd_with_addr(chip, &tensix.small.thread_config[thread]);
            if set_ovrd_with_addr {
                // [68] With it they are all rows.
                if row >= 64 {
                    // [69] Others are undefined.
                    return ControlFlow::Break(Expectation::Undefined(cite!(STOREIND_SRC, "lines 68-70", ROW_REASON)));
                }
            } else {
                // [71-72] Without it they are sixteen.
                if row >= 16 {
                    // [73] Others are undefined.
                    return ControlFlow::Break(Expectation::Undefined(cite!(STOREIND_SRC, "lines 72-74", ROW_REASON)));
                }
                // [75] They begin where the Unpacker is for the thread, at a multiple of 16.
                row += U::<6>::new(tensix.small.unpackers_src_row[0][thread]).get();
            }
            let row = below_64(row, cite!(STOREIND_SRC, "lines 75-79", SRC_ROW_REASON))?;
            // [77-78] Four columns of the row get the data.
            for (to, from) in tensix.srca_row_mut(bank, row)[columns.clone()].iter_mut().zip(datum) {
                *to = from.get();
            }
        }
        increment(tensix);
    }
    ControlFlow::Continue(())
}

/// The low half of a GPR as `SrcA` and `SrcB` hold BF16.
// Of page `STOREIND_SRC`.
// Shown by `a_low_half_has_its_exponent_below_and_a_high_half_above_its_mantissa`.
fn read_bf16_lo(x: u32) -> U<19> {
    // [86-88] It has the sign above, then the mantissa, and the exponent below, as SrcA and SrcB have, but for the
    // width of the mantissa.
    let sign = x & 0x8000; // [89] The sign is bit 15.
    let man = x & 0x7f00; // [90] The mantissa are seven bits below it.
    let exp = x & 0x00ff; // [91] The exponent are the eight below that.
    U::new(sign << 3 | man << 3 | exp) // [92] The mantissa gets three zeros below it.
}

/// The high half of a GPR as `SrcA` and `SrcB` hold BF16.
// Of page `STOREIND_SRC`.
// Shown by `a_low_half_has_its_exponent_below_and_a_high_half_above_its_mantissa`.
fn read_bf16_hi(x: u32) -> U<19> {
    // [95-97] It has the exponent between the sign and the mantissa, which is not the order of SrcA and SrcB.
    let sign = x >> 31; // [98] The sign is bit 31.
    let exp = x >> 23 & 0xff; // [99] The exponent are eight bits below it.
    let man = x >> 16 & 0x7f; // [100] The mantissa are the seven below that.
    U::new(sign << 18 | man << 11 | exp) // [101] The mantissa gets three zeros below it.
}

/// `ThreadConfig[CurrentThread].SRCA_SET_SetOvrdWithAddr`, which does not lie at one place on both chips.
fn set_ovrd_with_addr(chip: Chip, thread_config: &[u16; THREAD_CONFIG_WORDS]) -> bool {
    // [STOREIND_SRC 67] The thread configures it.
    let field = chip.pick(config::SRCA_SET_SetOvrdWithAddr, config::blackhole::SRCA_SET_SetOvrdWithAddr);
    field.get(thread_config) != 0
}

/// A row of `SrcA` or `SrcB`, if there is one with this number.
fn below_64(row: u32, citation: &'static Citation) -> ControlFlow<Expectation, usize> {
    // [STOREIND_SRC 56, 75] The multiples of 16 that the page has there do not lead beyond the last row.
    if row < 64 {
        ControlFlow::Continue(U::<6>::new(row).index())
    } else {
        ControlFlow::Break(Expectation::Unspecified(citation))
    }
}

/// `ATCAS`: wait until a word of L1 has a value, and give it another.
///
/// *Source*: page ATCAS, commit 29e53cf9.
// Of page `ATCAS`.
// [3] A word of L1 is compared with four bits until they are equal, and then becomes four others.
// [3] The Scalar Unit is busy all the time, and asks L1 again and again. Not modelled: cycle timing is out of scope by
// decision.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [35] It takes 15 cycles or more, and as many each time that it tries again. Not modelled: cycle timing is out of
// scope by decision.
pub fn atcas(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] A 0, SetVal and CmpVal, of four bits each, Ofs, of two, a 0, and AddrReg, of six.
    // (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ATCAS, "lines 10 and 15", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    // [20] From here on it tries again. (`atcas_waits_until_all_of_the_word_is_what_it_compares_with`)
    // [22] The address is AddrReg in units of 16 bytes, and to it come Ofs words.
    // (`addresses_are_sixteen_times_a_gpr_and_ofs_words_modulo_2_to_the_32`)
    let ofs = OFS.get(code);
    let l1_address = gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_mul(16).wrapping_add(ofs * 4);
    // [23] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(ATCAS, "line 23", BEYOND_REASON))?;

    // [25] Nobody else gets at the word between. Not modelled: one instruction executes at a time.
    // [26] All 32 bits are compared. (`atcas_waits_until_all_of_the_word_is_what_it_compares_with`)
    if l1_row(tensix, row)?[word(l1_address)] != CMP_VAL.get(code) {
        // [27] If they differ it tries again, and changes nothing.
        // (`atcas_waits_until_all_of_the_word_is_what_it_compares_with`)
        return ControlFlow::Break(Expectation::Blocked(cite!(ATCAS, "lines 20-28", COMPARE_REASON)));
    }
    // [29] All 32 bits become SetVal. (`atcas_waits_until_all_of_the_word_is_what_it_compares_with`)
    l1_row_mut(tensix, row)?[word(l1_address)] = SET_VAL.get(code);
    ControlFlow::Continue(())
}

/// `ATINCGET`: add to low bits of a word of L1, and move what the word was to a GPR of the thread.
///
/// *Source*: page ATINCGET, commit 29e53cf9.
// Of page `ATINCGET`.
// [3] An integer of 1 to 32 bits in L1 grows by any amount, and a GPR gets what it was.
// [3] It counts as executed once the request is on its way, and others than the Scalar Unit see it later. Not modelled:
// each instruction ends before the next.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [48] Instructions that wait for the GPR. Not modelled: each instruction ends before the next, and a rule of
// scheduling says so.
// [52] It takes three cycles or more, and twelve where many follow each other. Not modelled: cycle timing is out of
// scope by decision.
pub fn atincget(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] A 0, IntWidth, of five bits, Ofs, of two, InOutReg and AddrReg, of six each.
    // (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ATINCGET, "lines 10 and 15", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    // [19] At the end of this part it counts as executed.
    // [22] The address is AddrReg in units of 16 bytes, and to it come Ofs words.
    // (`addresses_are_sixteen_times_a_gpr_and_ofs_words_modulo_2_to_the_32`)
    let ofs = OFS.get(code);
    let l1_address = gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_mul(16).wrapping_add(ofs * 4);
    // [23] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(ATINCGET, "line 23", BEYOND_REASON))?;
    let in_out_reg = U::<6>::new(DATA_REG.get(code)); // [24] One GPR is read, and written at the end.
    let increment_by = gpr(tensix, thread, in_out_reg); // [25] What it holds is added.
    // [26] The integer has one bit more than IntWidth; of 32, all of the word.
    // (`the_integer_has_one_bit_more_than_int_width`)
    let int_mask = (2_u32 << INT_WIDTH5.get(code)).wrapping_sub(1);

    // [29] The rest comes later, with what is known by then.
    // [32, 34] The whole word is kept as it was.
    // [33] Nobody else gets at it until it is written. Not modelled: one instruction executes at a time.
    let original_value = l1_row(tensix, row)?[word(l1_address)];
    let incremented = original_value.wrapping_add(increment_by); // [35] The sum is that of whole words.
    // [36] Only the integer's bits of it are written, and the word keeps the others.
    // (`the_integer_has_one_bit_more_than_int_width`)
    l1_row_mut(tensix, row)?[word(l1_address)] = (incremented & int_mask) | (original_value & !int_mask);
    // [40] The GPR comes later yet.
    // [43] It becomes the whole word as it was. (`the_integer_has_one_bit_more_than_int_width`)
    *gpr_mut(tensix, thread, in_out_reg) = original_value;
    ControlFlow::Continue(())
}

/// The word of `FIFOControl` that counts reads.
// Of page `ATINCGETPTR`.
// Shown by `a_pop_waits_for_a_fifo_that_is_not_empty`.
// [34-35] Four words can be looked at by their number,
// [36] or by their name:
// [37] first that which counts reads,
// [38] then that which counts writes,
// [39] and two that are nothing.
const RD: usize = 0;
/// The one that counts writes.
const WR: usize = 1; // [ATINCGETPTR 38] It comes behind that of reads. (`a_push_waits_for_a_fifo_that_is_not_full`)

/// `ATINCGETPTR`: wait until a FIFO whose counters lie in L1 is not full, or not empty, and advance a counter.
///
/// *Source*: page ATINCGETPTR, commit 29e53cf9.
// Of page `ATINCGETPTR`.
// [3] A FIFO has two counters of one bit more than its capacity needs, which lie side by side in L1. There are four
// things to do:
// [4] It waits until the FIFO is not full,
// [5] or goes on to add a power of two to the counter of writes;
// [6] or it waits until the FIFO is not empty,
// [7] or goes on to add a power of two to the counter of reads.
// [9] Nobody else gets at the counters between. Not modelled: one instruction executes at a time.
// [9] A GPR gets what the counter was that is added to.
// [11] What the counters do not need of their words is to be 0, so that counters of 32 bits cannot be used. Not
// modelled: the model looks at words as they are.
// [13] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [80] It takes 15 cycles or more, and as many each time that it tries again. Not modelled: cycle timing is out of
// scope by decision.
pub fn atincgetptr(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [18-24] A 0, NoIncr, of one bit, IncrLog2 and IntWidth, of four each, Ofs, of two, ResultReg and AddrReg, of six
    // each. (`encodings_and_texts_round_trip`)
    // [29] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ATINCGETPTR, "lines 18-24 and 29", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    // [42] What is added is a power of two, or 0 with NoIncr. (`a_counter_grows_by_a_power_of_two_in_its_bits`)
    let increment_by = u32::from(NO_INCR.get(code) == 0) << INCR_LOG2.get(code);
    // [43, TX-142] A counter has IntWidth bits, and with 0 it has none, so that it does not change.
    // (`a_counter_grows_by_a_power_of_two_in_its_bits`)
    let int_width = INT_WIDTH4.get(code);
    // TX-142: of a width of 0 that are none.
    let width = reads!(int_width, "tx142-width-0-is-16", if int_width == 0 { 16 } else { int_width });
    let int_mask = (1_u32 << width) - 1;

    // [46] From here on it tries again.
    // [47] The address is AddrReg in units of 16 bytes.
    // (`addresses_are_sixteen_times_a_gpr_and_ofs_words_modulo_2_to_the_32`)
    let l1_address = gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_mul(16);
    // [48] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(ATINCGETPTR, "line 48", BEYOND_REASON))?;

    // [50] Nobody else gets at the words between. Not modelled: one instruction executes at a time.
    let words = l1_row(tensix, row)?;
    // [51] The size is the difference of both words, of all 32 bits. (`a_push_waits_for_a_fifo_that_is_not_full`)
    let fifo_size = words[WR].wrapping_sub(words[RD]);
    let fifo_empty = fifo_size == 0; // [52] Without one the FIFO is empty.
    let ofs = U::<2>::new(OFS.get(code));
    // [53] If Ofs is odd it is about room.
    if ofs.bit(0) {
        // [54] The capacity is that of counters of IntWidth bits; of 0 it is that of 16.
        // (`a_push_waits_for_a_fifo_that_is_not_full`)
        let fifo_capacity = if int_width != 0 { 1_u32 << (int_width - 1) } else { 0x8000 };
        // [55] Any multiple of it but 0 is full. (`a_push_waits_for_a_fifo_that_is_not_full`)
        let fifo_full = fifo_size.is_multiple_of(fifo_capacity) && !fifo_empty;
        // [56] It waits as long as the FIFO is full.
        if fifo_full {
            // [57] Then it tries again, and changes nothing. (`a_push_waits_for_a_fifo_that_is_not_full`)
            return ControlFlow::Break(Expectation::Blocked(cite!(ATINCGETPTR, "lines 46-58", FULL_REASON)));
        }
        // [59-61] With an Ofs of 1 it is the counter of writes that grows and is given to the GPR as it was.
        // (`a_push_waits_for_a_fifo_that_is_not_full`)
    } else {
        // [62-63] Else it waits as long as the FIFO is empty.
        if fifo_empty {
            // [64] Then it tries again, and changes nothing. (`a_pop_waits_for_a_fifo_that_is_not_empty`)
            return ControlFlow::Break(Expectation::Blocked(cite!(ATINCGETPTR, "lines 46-65", EMPTY_REASON)));
        }
        // [66-68] With an Ofs of 0 it is the counter of reads that grows and is given to the GPR as it was.
        // (`a_pop_waits_for_a_fifo_that_is_not_empty`)
    }
    // [44, 70] Which of the four words grows is Ofs, even if that is no counter.
    // (`ofs_of_2_or_3_adds_to_a_word_beside_the_counters`)
    let original_value = words[ofs.index()];
    let incremented = original_value.wrapping_add(increment_by); // [71] The sum is that of whole words.
    // [72] Only the counter's bits of it are written, and the word keeps the others.
    // (`a_counter_grows_by_a_power_of_two_in_its_bits`)
    l1_row_mut(tensix, row)?[ofs.index()] = (incremented & int_mask) | (original_value & !int_mask);
    // [75] The GPR becomes the whole word as it was. (`a_counter_grows_by_a_power_of_two_in_its_bits`)
    *gpr_mut(tensix, thread, U::new(DATA_REG.get(code))) = original_value;
    ControlFlow::Continue(())
}

/// `ATSWAP`: move halves of GPRs of the thread to 16 bytes of L1.
///
/// *Source*: page ATSWAP, commit 29e53cf9.
// Of page `ATSWAP`.
// [3] Of 128 bits from GPRs those go to L1 that a mask has, a bit for 16 of them.
// [3] It counts as executed once the request is on its way, and others than the Scalar Unit see it later. Not modelled:
// each instruction ends before the next.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [44] Despite its name it writes no GPR. (`atswap_writes_the_halves_of_its_mask`)
// [48] It takes three cycles or more, and twelve where many follow each other; a store of all 128 bits is faster. Not
// modelled: cycle timing is out of scope by decision.
pub fn atswap(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] A 0, Mask, of eight bits, DataReg and AddrReg, of six each. (`encodings_and_texts_round_trip`)
    // [13] No argument is SingleDataReg, of one bit. (`encodings_and_texts_round_trip`)
    // [17] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ATSWAP, "lines 10-13 and 17", UNNAMED_REASON))?;
    let (code, chip, thread) = (step.code, Chip::of(step.instruction), thread(tensix.small));
    // [21] At the end of this part it counts as executed.
    // [23] The address is AddrReg in units of 16 bytes.
    // (`addresses_are_sixteen_times_a_gpr_and_ofs_words_modulo_2_to_the_32`)
    let l1_address = gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_mul(16);
    // [24] It has to lie in L1. (`addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified`)
    let row = row_of(chip, l1_address, cite!(ATSWAP, "line 24", BEYOND_REASON))?;

    // [26] There are eight halves.
    let data_reg = U::<6>::new(DATA_REG.get(code));
    // [27] SingleDataReg selects where they come from.
    let to_write = if SINGLE_DATA_REG.get(code) != 0 {
        let mut to_write = [0; 4]; // [28] With it they are 0,
        // [29] but for two of them, which are a GPR, at its place in a group of four.
        // (`a_single_gpr_of_atswap_comes_with_zeros`)
        to_write[(data_reg & 3).index()] = gpr(tensix, thread, data_reg);
        to_write
    } else {
        // [30-31] Else they are four GPRs, of the number of whose first one the lowest two bits count as 0.
        // (`atswap_writes_the_halves_of_its_mask`)
        *tensix.gprs_row(thread, (data_reg >> 2).index())
    };

    // [34] The write itself comes later, with what is known by then.
    // [36] Nobody else gets at the words between. Not modelled: one instruction executes at a time.
    let words = l1_row_mut(tensix, row)?;
    let mask = U::<8>::new(SWAP_MASK.get(code));
    // [37] Each half is looked at.
    for i in 0..8 {
        // [38] The mask has a bit for it, the lowest for that of the lowest address.
        // (`atswap_writes_the_halves_of_its_mask`)
        if mask.bit(i) {
            // [39] With it the half is written.
            let at = U::<2>::new(i / 2).index();
            put(&mut words[at], 0xffff << (16 * (i % 2)), to_write[at]);
        }
    }
    ControlFlow::Continue(())
}

/// `CurrentThread`.
pub(super) fn thread(small: &Small) -> usize {
    // [LOADIND 26-28] [STOREIND_L1 22-24] [STOREIND_SRC 29-32, 34-35, 56, 67, 75] [ATCAS 22] [ATINCGET 22, 24]
    // [ATINCGETPTR 47, 75] [ATSWAP 23, 29, 31] [LOADREG 22] [STOREREG 27] [STOREIND_MMIO 24-25, 31] [STREAMWRCFG 22]
    // GPRs, configuration, and where Unpackers are, are those of the thread.
    U::<2>::new(small.current_thread).index()
}

/// `GPRs[thread][register]`.
pub(super) fn gpr(tensix: &mut Tensix<'_>, thread: usize, register: U<6>) -> u32 {
    // [LOADIND 28] [STOREIND_L1 24] [STOREIND_SRC 35] [ATCAS 22] [ATINCGET 22, 25] [ATINCGETPTR 47] [ATSWAP 23, 29]
    // [STOREREG 27] [STOREIND_MMIO 25, 31] Four registers are a row of the thread's.
    tensix.gprs_row(thread, (register >> 2).index())[(register & 3).index()]
}

/// `GPRs[thread][register]`, to write.
pub(super) fn gpr_mut<'a>(tensix: &'a mut Tensix<'_>, thread: usize, register: U<6>) -> &'a mut u32 {
    // [LOADIND 44-46] [ATINCGET 43] [ATINCGETPTR 75] [LOADREG 32] Four registers are a row of the thread's.
    &mut tensix.gprs_row_mut(thread, (register >> 2).index())[(register & 3).index()]
}

/// Bits of a word become those of a value, and the others stay.
fn put(word: &mut u32, mask: u32, value: u32) {
    // [LOADIND 45-46] [STOREIND_L1 37-38] [ATSWAP 39] What is not written stays.
    *word = *word & !mask | value & mask;
}

/// `*Offset`: half of a GPR of the thread. The low half of each comes first.
pub(super) fn offset(tensix: &mut Tensix<'_>, thread: usize, half_reg: U<7>) -> U<16> {
    // [LOADIND 27] [STOREIND_L1 23] [STOREIND_SRC 34] [STOREIND_MMIO 24] There are two halves to a GPR.
    let register = gpr(tensix, thread, U::new((half_reg >> 1).get()));
    U::new(register >> shift_of(half_reg))
}

/// The lowest bit of a half of a GPR.
fn shift_of(half_reg: U<7>) -> u32 {
    // [LOADIND 27] [STOREIND_L1 23] [STOREIND_SRC 34] [STOREIND_MMIO 24] An odd half is the high one.
    if half_reg.bit(0) { 16 } else { 0 }
}

/// `*Offset` grows by what `OffsetIncrement` selects.
// Shown by `a_half_grows_by_0_2_4_or_16_and_wraps_in_itself`.
pub(super) fn increment(tensix: &mut Tensix<'_>, thread: usize, half_reg: U<7>, offset_increment: u32) {
    // [LOADIND 31] [STOREIND_L1 27] [STOREIND_SRC 36] [STOREIND_MMIO 33] Two bits select how far.
    let by = match offset_increment {
        0 => 0,  // [LOADIND 32] [STOREIND_L1 28] [STOREIND_SRC 37] [STOREIND_MMIO 34] It stays.
        1 => 2,  // [LOADIND 33] [STOREIND_L1 29] [STOREIND_SRC 38] [STOREIND_MMIO 35] By half a word.
        2 => 4,  // [LOADIND 34] [STOREIND_L1 30] [STOREIND_SRC 39] [STOREIND_MMIO 36] By a word.
        _ => 16, // [LOADIND 35] [STOREIND_L1 31] [STOREIND_SRC 40] [STOREIND_MMIO 37] By 16 bytes.
    };
    // [LOADIND 32-35] [STOREIND_L1 28-31] [STOREIND_SRC 37-40] [STOREIND_MMIO 34-37] It has 16 bits, and the other half stays.
    let shift = shift_of(half_reg);
    let sum = offset(tensix, thread, half_reg) + U::new(by);
    put(gpr_mut(tensix, thread, U::new((half_reg >> 1).get())), 0xffff << shift, sum.get() << shift);
}

/// `L1Address` of `LOADIND` and of `STOREIND_L1`.
fn indirect_address(tensix: &mut Tensix<'_>, thread: usize, code: &[u32], offset_half_reg: U<7>) -> u32 {
    // [LOADIND 28] [STOREIND_L1 24] A sum of 32 bits.
    let offset = offset(tensix, thread, offset_half_reg);
    gpr(tensix, thread, U::new(ADDR_REG.get(code))).wrapping_mul(16).wrapping_add(offset.get())
}

/// The number of the row of 16 bytes that has an address, which has to lie in L1.
pub(super) fn row_of(chip: Chip, l1_address: u32, beyond: &'static Citation) -> ControlFlow<Expectation, usize> {
    // [LOADIND 29] [STOREIND_L1 25] [ATCAS 23] [ATINCGET 23] [ATINCGETPTR 48] [ATSWAP 24] [MOVER 20, 35] The chips do
    // not have the same size of it.
    if U::<32>::new(l1_address).index() < chip.l1_bytes() {
        ControlFlow::Continue(U::<32>::new(l1_address >> 4).index())
    } else {
        ControlFlow::Break(Expectation::Undefined(beyond))
    }
}

/// The word of a row that has an address, whose lowest two bits count as 0.
fn word(l1_address: u32) -> usize {
    // [LOADIND 44-46] [STOREIND_L1 36-38] [ATCAS 26, 29] [ATINCGET 34, 36] There are four words to a row.
    U::<2>::new(l1_address >> 2).index()
}

/// Reads a row of L1, if it is in the state.
pub(super) fn l1_row(tensix: &mut Tensix<'_>, row: usize) -> ControlFlow<Expectation, [u32; 4]> {
    // [LOADIND 43-46] [ATCAS 26] [ATINCGET 34] [ATINCGETPTR 51, 70] [MOVER 36] A part of L1 is in the state.
    match tensix.l1_row(row) {
        Some(words) => ControlFlow::Continue(*words),
        None => ControlFlow::Break(Expectation::Unspecified(cite!(L1, "line 3", OUTSIDE_REASON))),
    }
}

/// A row of L1, to write, if it is in the state.
pub(super) fn l1_row_mut<'a>(tensix: &'a mut Tensix<'_>, row: usize) -> ControlFlow<Expectation, &'a mut [u32; 4]> {
    // [STOREIND_L1 35-38] [ATCAS 29] [ATINCGET 36] [ATINCGETPTR 72] [ATSWAP 39] [MOVER 36, 39] A part of L1 is in the state.
    match tensix.l1_row_mut(row) {
        Some(words) => ControlFlow::Continue(words),
        None => ControlFlow::Break(Expectation::Unspecified(cite!(L1, "line 3", OUTSIDE_REASON))),
    }
}

#[cfg(test)]
mod tests;
