//! The three forms of `UNPACR`, on both chips.
//!
//! `UNPACR_REGULAR`: first it is planned from the word, the configuration and the counters (`plan.rs`). What is whole rows of
//! sixteen data in a row of the register goes by rows (`rows.rs`), and everything else datum by datum (`datums.rs`); of both,
//! a first look changes nothing, so that what is undefined leaves no trace. A datum is converted in one piece of code for both
//! (`conversion.rs`). At last the counters go on.
//!
//! What differs from the pages (UNPACR_Regular, commits d0ade26a and 1391ed25), and why it is equal:
//! 1. Addresses are whole numbers of sixteenths of a byte, where the page has fractions of bytes: of these, no part is
//!    smaller. Products of dimensions have 64 bits; where 32 would not do, the address is none of L1.
//! 2. A datum lies in one word of L1, so that reading its bits one by one is a shift and a mask.
//! 3. A source has what `Dst` has, with sign and mantissa three bits further up: `WriteSrcBF16`, `WriteSrcFP16` and the
//!    arrangement of INT16 are `DstEncode…` of the same 16 bits but for that.
//! 4. BFP4 and BFP2 are BFP8 after a shift, as on the page; INT8 with a sign is a magnitude of seven bits and the sign.
//! 5. Rows: where the first datum is the first of sixteen, an exponent lasts for a row, and the address of exponents meets a
//!    multiple of 16 only between rows. Data wrap at the end of a line, which is one row or two. What lies in L1 without a
//!    gap and does not wrap is gathered at once.
//! 6. What a row of L1 is asked for more than once is read once. A row of a register is marked as a whole; what is not
//!    written keeps its value.
//! 7. The bank is asked for once before rows are written, and at the first datum that comes out else: nobody gives it away
//!    meanwhile. What is undefined before that datum comes first.
//! 8. `SrcA` stays as it is where the page leaves it unpredictable.
//! 9. `(row + add) & mask` with a last row, and an end, is what the pages do with rows in all cases: the six of them
//!    differ in these four numbers.
//!
//! Where the pages promise nothing: no page has `FP32ToFP16`, and `ToFP16` of page SFPSTORE is taken, which flushes and
//! saturates; on unpacker 1, nothing is transposed; more than 2^18 data are unsupported.

use tandem_isa::tensix::config::unpack::{REG2_Context_count, REG2_Unpack_Src_Reg_Set_Upd};
use tandem_isa::tensix::config::{SRCA_SET_Base, SRCB_SET_Base, blackhole};
use tandem_isa::tensix::inst::unpack::{
    CH0_Y_INC, CH0_Z_INC, CH1_Y_INC, CH1_Z_INC, FLIP_SRC, MULTI_CONTEXT_MODE, USE_CONTEXT_COUNTER, WHICH_UNPACKER,
};
use tandem_isa::tensix::{Chip, MATRIX_UNIT, Small, Tensix};
use tandem_isa::{Answer, Edition};

use super::configuration::state_id_of;
use super::instruction::{Code, Decoded, Instruction, thread_of};
use crate::vector::Vector;

use self::plan::Plan;

mod conversion;
mod datums;
mod plan;
mod rows;

/// `UNPACR_REGULAR`.
pub(crate) struct UnpacrRegular;

impl<V: Vector> Instruction<V> for UnpacrRegular {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, edition, code }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let newest = chip == Chip::Blackhole || edition == Edition::Newest;
        let Some(plan) = plan::plan(chip, newest, WHICH_UNPACKER.get(&code), &code, tensix) else {
            return Answer::Unsupported;
        };
        if rows::are_rows(&plan) {
            if rows::unpack::<V>(level, &plan, tensix).is_none() {
                return Answer::Unsupported;
            }
        } else {
            let answer = datums::unpack::<V::Portable>(V::PORTABLE, &plan, tensix);
            if answer != Answer::Done {
                return answer;
            }
        }
        go_on(&plan, &code, tensix.small);
        Answer::Done
    }
}

/// Counters and banks in preparation for the next instruction.
#[inline(never)]
fn go_on(plan: &Plan, code: &Code, small: &mut Small) {
    let Plan { chip, which, thread, state_id, .. } = *plan;
    if MULTI_CONTEXT_MODE.get(code) & USE_CONTEXT_COUNTER.get(code) != 0 {
        let count = REG2_Context_count.get(chip, which, &small.config[state_id]);
        small.unpackers_context_counter[which][thread] = next_context(plan.context, count);
    }
    let z_mask = chip.pick(0xff, 0x1fff);
    let increments = [(CH0_Y_INC, CH0_Z_INC), (CH1_Y_INC, CH1_Z_INC)].map(|(y, z)| (y.get(code), z.get(code)));
    for number in (0..3).filter(|&number| number == thread || number == plan.adc) {
        for (channel, (y, z)) in small.adcs[number].unpacker[which].iter_mut().zip(increments) {
            channel.y = channel.y.wrapping_add(y) & 0x1fff;
            channel.z = channel.z.wrapping_add(z) & z_mask;
        }
    }
    let bases = chip.pick([SRCA_SET_Base, SRCB_SET_Base], [blackhole::SRCA_SET_Base, blackhole::SRCB_SET_Base]);
    let base = bases[which].get(&small.thread_config[thread]) << 4;
    let row = &mut small.unpackers_src_row[which][thread];
    if FLIP_SRC.get(code) != 0 {
        *row = base;
        let clients = [&mut small.srca_allowed_client, &mut small.srcb_allowed_client];
        clients[which][plan.bank] = MATRIX_UNIT;
        if chip == Chip::Blackhole {
            let implied = [&mut small.implied_srca_fmt, &mut small.implied_srcb_fmt];
            implied[which][plan.bank] = plan.out_format;
        }
        small.unpackers_src_bank[which] = plan.bank as u32 ^ 1;
    } else if REG2_Unpack_Src_Reg_Set_Upd.get(chip, which, &small.config[state_id]) != 0 {
        *row = row.wrapping_add(16 + base) & 0x3f;
    }
}

/// The context after this one, of three bits, where `2^count` are counted.
const fn next_context(context: u32, count: u32) -> u32 {
    let next = (context + 1) & 7;
    if next >= 1 << count { 0 } else { next }
}

/// `UNPACR_FLUSH_CACHE`: the cache is not in the state.
pub(crate) struct UnpacrFlushCache;

impl<V: Vector> Instruction<V> for UnpacrFlushCache {
    #[inline(always)]
    fn execute(_: V::Level, _: Decoded, _: &mut Tensix<'_>) -> Answer {
        Answer::Done
    }
}

/// `UNPACR_INCREMENT_CONTEXT_COUNTER`.
pub(crate) struct UnpacrIncrementContextCounter;

impl<V: Vector> Instruction<V> for UnpacrIncrementContextCounter {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let (thread, which) = (thread_of(small), WHICH_UNPACKER.get(&code) as usize);
        let count = REG2_Context_count.get(chip, which, &small.config[state_id_of(small)]);
        let counter = &mut small.unpackers_context_counter[which][thread];
        *counter = next_context(*counter & 7, count);
        Answer::Done
    }
}
