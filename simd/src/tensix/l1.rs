//! Instructions of the Scalar Unit that move data between GPRs and L1, atomically or not, and from GPRs to `SrcA` and `SrcB`,
//! on both chips.
//!
//! L1 is rows of sixteen bytes, four words each, and no access leaves its row. What is narrower than a word is bits of one,
//! and an offset is a half of a GPR: writing either is a choice by a mask.
//!
//! What differs from the pages, and why it is equal:
//! 1. What happens "at some later point" happens at once, in the page's order. So a result takes the place of an offset that
//!    was increased in the same GPR, and a GPR that is stored has its increase.
//! 2. Addresses wrap at 32 bits, as the page's do, and their low bits are the place in the row. Offsets wrap at 16 bits.
//! 3. All that can refuse is asked first: a refusal leaves all as it was, the offset too. Only then is the offset increased.
//! 4. A retry is a refusal, as nobody else changes L1 meanwhile; so is the wait for a bank of `SrcA` or `SrcB`.
//! 5. Integers of some bits of a word are a choice by their mask, of the sum and of the original value.
//! 6. `ATINCGETPTR`: the capacity is a power of two, so the remainder is a mask. With `IntWidth` 0 no bit is the integer's.
//! 7. `ATSWAP`: of a single register the three other words are zero. Two bits of the mask are the halves of a word.
//! 8. `STOREIND_SRC`: `Row` of `SrcA` below 0 is a row before the fourth, of which nothing is written, behind the wait.
//!
//! Where the pages promise nothing, at an address beyond L1 or in no window, at a row out of bounds: the instruction is
//! unsupported. `ATSWAP` without a mask asks for no window. `SrcRow` that is no multiple of 16 wraps at 64 rows.

use tandem_isa::Answer;
use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::scalar::{
    ADDR_REG, CMP_VAL, DATA_REG, INCR_LOG2, INT_WIDTH4, INT_WIDTH5, LOAD_SIZE, NO_INCR, OFFSET_HALF_REG,
    OFFSET_INCREMENT, OFS, SET_VAL, SINGLE_DATA_REG, STORE_SIZE, STORE_TO_SRCB, SWAP_MASK,
};
use tandem_isa::tensix::{Chip, Tensix, UNPACKERS};

use super::configuration::{half_of, write_gpr};
use super::dmareg::gpr;
use super::instruction::{Code, Decoded, Instruction, thread_of};
use crate::bits::{all_if, choose};
use crate::vector::Vector;

/// The number of the row that an address lies in, if it lies in L1.
#[inline(always)]
pub(super) fn row_at(chip: Chip, address: u32) -> Option<usize> {
    let address = address as usize;
    (address < chip.l1_bytes()).then_some(address / 16)
}

/// Writes bits of a word of a row of L1 that a window shows.
#[inline(always)]
fn write_l1(tensix: &mut Tensix<'_>, row: usize, word: u32, bits: u32, value: u32) {
    if let Some(words) = tensix.l1_row_mut(row) {
        let word = &mut words[word as usize];
        *word = choose(bits, value, *word);
    }
}

// -------------------------------------------------------------------------------------- GPRs with an offset

/// The offset in a half of a GPR.
#[inline(always)]
pub(super) fn offset(code: &Code, tensix: &mut Tensix<'_>) -> u32 {
    let half_reg = OFFSET_HALF_REG.get(code);
    (gpr(tensix, half_reg / 2) >> half_of(half_reg).1) & 0xffff
}

/// Increases the offset.
#[inline(always)]
pub(super) fn increase(code: &Code, tensix: &mut Tensix<'_>, offset: u32) {
    let half_reg = OFFSET_HALF_REG.get(code);
    let (bits, shift) = half_of(half_reg);
    let increased = offset + [0, 2, 4, 16][OFFSET_INCREMENT.get(code) as usize];
    write_gpr(tensix, half_reg / 2, bits, increased << shift);
}

/// The address in L1 of a GPR and an offset.
#[inline(always)]
fn address(code: &Code, tensix: &mut Tensix<'_>, offset: u32) -> u32 {
    (gpr(tensix, ADDR_REG.get(code)) << 4).wrapping_add(offset)
}

/// The address outside of L1 of a GPR and an offset, of 20 bits.
#[inline(always)]
pub(super) fn address_outside(code: &Code, tensix: &mut Tensix<'_>, offset: u32) -> u32 {
    gpr(tensix, ADDR_REG.get(code)).wrapping_add(offset >> 4) & 0xf_ffff
}

/// Of an access that is a word or less, by its size: which word of the row, how far the data are to the left in it, and which
/// bits they are once they have been moved to the right.
#[inline(always)]
const fn narrow(size: u32, address: u32) -> (u32, u32, u32) {
    let (unaligned, bits) = match size {
        1 => (0, !0),
        2 => (2, 0xffff),
        _ => (3, 0xff),
    };
    ((address / 4) % 4, 8 * (address & unaligned), bits)
}

/// `LOADIND`.
pub(crate) struct Loadind;

impl<V: Vector> Instruction<V> for Loadind {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (size, register) = (LOAD_SIZE.get(&code), DATA_REG.get(&code));
        let offset = offset(&code, tensix);
        let address = address(&code, tensix, offset);
        let Some(&words) = row_at(chip, address).and_then(|row| tensix.l1_row(row)) else { return Answer::Unsupported };
        increase(&code, tensix, offset);
        if size == 0 {
            let thread = thread_of(tensix.small);
            *tensix.gprs_row_mut(thread, register as usize / 4) = words;
        } else {
            let (word, shift, bits) = narrow(size, address);
            write_gpr(tensix, register, bits, words[word as usize] >> shift);
        }
        Answer::Done
    }
}

/// `STOREIND_L1`.
pub(crate) struct StoreindL1;

impl<V: Vector> Instruction<V> for StoreindL1 {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (size, register) = (STORE_SIZE.get(&code), DATA_REG.get(&code));
        let offset = offset(&code, tensix);
        let address = address(&code, tensix, offset);
        let shown = row_at(chip, address).filter(|&row| tensix.small.l1_place(row).is_some());
        let Some(row) = shown else { return Answer::Unsupported };
        increase(&code, tensix, offset);
        if size == 0 {
            let thread = thread_of(tensix.small);
            let words = *tensix.gprs_row(thread, register as usize / 4);
            if let Some(to) = tensix.l1_row_mut(row) {
                *to = words;
            }
        } else {
            let (word, shift, bits) = narrow(size, address);
            let value = gpr(tensix, register);
            write_l1(tensix, row, word, bits << shift, value << shift);
        }
        Answer::Done
    }
}

/// The two data in BF16 of a GPR: the low half has the exponent behind the mantissa, the high half before it.
#[inline(always)]
const fn bf16(x: u32) -> [u32; 2] {
    [(x & 0xff00) << 3 | (x & 0xff), (x >> 31) << 18 | ((x >> 16) & 0x7f) << 11 | ((x >> 23) & 0xff)]
}

/// `STOREIND_SRC`.
pub(crate) struct StoreindSrc;

impl<V: Vector> Instruction<V> for StoreindSrc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let thread = thread_of(tensix.small);
        let offset = offset(&code, tensix);
        let address = address_outside(&code, tensix, offset);
        let &[first, second, ..] = tensix.gprs_row(thread, DATA_REG.get(&code) as usize / 4);
        let small = &*tensix.small;
        let is_srcb = STORE_TO_SRCB.get(&code) != 0;
        let unpacker = usize::from(is_srcb);
        let bank = (small.unpackers_src_bank[unpacker] & 1) as usize;
        let clients = if is_srcb { &small.srcb_allowed_client } else { &small.srca_allowed_client };
        if address >> 16 != 0 {
            return Answer::Unsupported;
        }
        if clients[bank] != UNPACKERS {
            return Answer::Blocked;
        }
        let set_ovrd_with_addr = chip.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr);
        let (before, rows, base) = if is_srcb {
            (0, 16, small.unpackers_src_row[1][thread])
        } else if set_ovrd_with_addr.get(&small.thread_config[thread]) != 0 {
            (4, 64, 0)
        } else {
            (4, 16, small.unpackers_src_row[0][thread])
        };
        let row = address / 4;
        if row >= before + rows {
            return Answer::Unsupported;
        }
        // The data were read before this.
        increase(&code, tensix, offset);
        if row >= before {
            let row = ((row - before + base) & 63) as usize;
            let to = if is_srcb { tensix.srcb_row_mut(bank, row) } else { tensix.srca_row_mut(bank, row) };
            to.as_chunks_mut::<4>().0[(address % 4) as usize] = bytemuck::cast([bf16(first), bf16(second)]);
        }
        Answer::Done
    }
}

// -------------------------------------------------------------------------------------- atomics

/// The number of the row of L1 that a GPR names, if a window shows it, and what it holds.
#[inline(always)]
fn row_of(chip: Chip, code: &Code, tensix: &mut Tensix<'_>) -> Option<(usize, [u32; 4])> {
    let row = row_at(chip, address(code, tensix, 0))?;
    Some((row, *tensix.l1_row(row)?))
}

/// `ATCAS`.
pub(crate) struct Atcas;

impl<V: Vector> Instruction<V> for Atcas {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some((row, words)) = row_of(chip, &code, tensix) else { return Answer::Unsupported };
        let word = OFS.get(&code);
        if words[word as usize] != CMP_VAL.get(&code) {
            return Answer::Blocked;
        }
        write_l1(tensix, row, word, !0, SET_VAL.get(&code));
        Answer::Done
    }
}

/// `ATINCGET`.
pub(crate) struct Atincget;

impl<V: Vector> Instruction<V> for Atincget {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some((row, words)) = row_of(chip, &code, tensix) else { return Answer::Unsupported };
        let (word, register) = (OFS.get(&code), DATA_REG.get(&code));
        let original = words[word as usize];
        let incremented = original.wrapping_add(gpr(tensix, register));
        write_l1(tensix, row, word, !0 >> (31 - INT_WIDTH5.get(&code)), incremented);
        write_gpr(tensix, register, !0, original);
        Answer::Done
    }
}

/// `ATINCGETPTR`.
pub(crate) struct Atincgetptr;

impl<V: Vector> Instruction<V> for Atincgetptr {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some((row, words)) = row_of(chip, &code, tensix) else { return Answer::Unsupported };
        let (word, int_width) = (OFS.get(&code), INT_WIDTH4.get(&code));
        let int_mask = (1 << int_width) - 1;
        let [rd, wr, ..] = words;
        let size = wr.wrapping_sub(rd);
        let capacity = if int_width == 0 { 0x8000 } else { 1 << (int_width - 1) };
        let waits = if word % 2 == 0 { size == 0 } else { size != 0 && size & (capacity - 1) == 0 };
        if waits {
            return Answer::Blocked;
        }
        let original = words[word as usize];
        let increment = (1 - NO_INCR.get(&code)) << INCR_LOG2.get(&code);
        write_l1(tensix, row, word, int_mask, original.wrapping_add(increment));
        write_gpr(tensix, DATA_REG.get(&code), !0, original);
        Answer::Done
    }
}

/// `ATSWAP`.
pub(crate) struct Atswap;

impl<V: Vector> Instruction<V> for Atswap {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (mask, register) = (SWAP_MASK.get(&code), DATA_REG.get(&code));
        let Some(row) = row_at(chip, address(&code, tensix, 0)) else { return Answer::Unsupported };
        let thread = thread_of(tensix.small);
        let words = *tensix.gprs_row(thread, register as usize / 4);
        let Some(to) = tensix.l1_row_mut(row) else {
            return if mask == 0 { Answer::Done } else { Answer::Unsupported };
        };
        let is_single = all_if(SINGLE_DATA_REG.get(&code) != 0);
        for (index, (to, word)) in (0..).zip(to.iter_mut().zip(words)) {
            let bits = [0, 0xffff, 0xffff_0000, !0][((mask >> (2 * index)) & 3) as usize];
            *to = choose(bits, word & !(is_single & all_if(index != register % 4)), *to);
        }
        Answer::Done
    }
}
