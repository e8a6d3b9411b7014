//! `SETDVALID`, and the forms of `UNPACR_NOP`: banks that the Unpackers clear, or give to the Matrix Unit, on both chips.
//!
//! What differs from the pages, and why it is equal:
//! 1. `AllowedClient` is one bit, and the Matrix Unit is 0: giving a bank to it is clearing the bit. Which banks are given is
//!    data to whoever fuzzes, so there is no branch on it.
//! 2. `SrcRow` of six bits is the two bits of `SRC*_SET_Base`, four further up.
//! 3. `UNPACR_NOP_ZEROSRC`: `~0u` is cut to 19 bits. Of `SrcB` it is what the chip makes of it.
//!
//! Where the pages promise nothing: `SETDVALID` of Blackhole does as that of Wormhole, and implied formats stay;
//! `UNPACR_NOP_ZEROSRC` with `BothBanks` clears both; the two forms that write registers elsewhere are unsupported.

use tandem_isa::tensix::config::unpack::REG2_Out_data_format;
use tandem_isa::tensix::config::{CFG_STATE_ID_StateID, SRCA_SET_Base, SRCB_SET_Base, blackhole};
use tandem_isa::tensix::inst::unpack::{
    NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH, NOP_NEGATIVE_INF_SRCA, SET_SRCA, SET_SRCB, WAIT_LIKE_UNPACR,
    WAIT_LIKE_UNPACR_BH, WHICH_UNPACKER,
};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Small, Tensix, UNPACKERS};
use tandem_isa::{Answer, CodeField};

use super::instruction::{Decoded, Instruction, thread_of, unsupported};
use super::source::fill;
use crate::bits::choose;
use crate::vector::Vector;

// What taking a bit away does to the owner of a bank.
const _: () = assert!(MATRIX_UNIT == 0 && UNPACKERS == 1);

/// The Unpackers give the bank of `SrcA`, and that of `SrcB`, to the Matrix Unit, and go on to the other one: where `given` is 1.
#[inline(always)]
fn give(chip: Chip, small: &mut Small, given: [u32; 2]) {
    let thread = thread_of(small);
    let bases = chip.pick([SRCA_SET_Base, SRCB_SET_Base], [blackhole::SRCA_SET_Base, blackhole::SRCB_SET_Base]);
    let clients = [&mut small.srca_allowed_client, &mut small.srcb_allowed_client];
    for (unpacker, (clients, given)) in clients.into_iter().zip(given).enumerate() {
        let bank = &mut small.unpackers_src_bank[unpacker];
        clients[(*bank & 1) as usize] &= !given;
        *bank ^= given;
        let row = &mut small.unpackers_src_row[unpacker][thread];
        *row = choose(given.wrapping_neg(), bases[unpacker].get(&small.thread_config[thread]) << 4, *row);
    }
}

/// `SETDVALID`.
pub(crate) struct Setdvalid;

impl<V: Vector> Instruction<V> for Setdvalid {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        give(chip, tensix.small, [SET_SRCA, SET_SRCB].map(|flip| flip.get(&code)));
        Answer::Done
    }
}

/// `UNPACR_NOP_SETDVALID`.
pub(crate) struct UnpacrNopSetdvalid;

impl<V: Vector> Instruction<V> for UnpacrNopSetdvalid {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let which = WHICH_UNPACKER.get(&code);
        if chip == Chip::Blackhole {
            let words = &small.thread_config[thread_of(small)];
            let bank_of_config = &small.config[CFG_STATE_ID_StateID.get(words) as usize];
            let bank = (small.unpackers_src_bank[which as usize] & 1) as usize;
            let implied = if which == 0 { &mut small.implied_srca_fmt } else { &mut small.implied_srcb_fmt };
            implied[bank] = REG2_Out_data_format.get(chip, which as usize, bank_of_config);
        }
        give(chip, small, [1 - which, which]);
        Answer::Done
    }
}

/// `UNPACR_NOP_ZEROSRC`.
pub(crate) struct UnpacrNopZerosrc;

impl<V: Vector> Instruction<V> for UnpacrNopZerosrc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let all_if = |field: CodeField| field.get(&code).wrapping_neg();
        let is_srcb = WHICH_UNPACKER.get(&code) != 0;
        let (clients, matrix_unit_bank, unpack_bank) = if is_srcb {
            (&small.srcb_allowed_client, small.matrix_unit_srcb_bank, small.unpackers_src_bank[1] & 1)
        } else {
            (&small.srca_allowed_client, small.matrix_unit_srca_bank, small.unpackers_src_bank[0] & 1)
        };
        let waits_like_unpacr = all_if(chip.pick(WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH));
        if clients[(choose(waits_like_unpacr, unpack_bank, matrix_unit_bank) & 1) as usize] != UNPACKERS {
            return Answer::Blocked;
        }
        let banks = 1 << unpack_bank | all_if(chip.pick(NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH));
        let value = all_if(NOP_NEGATIVE_INF_SRCA) & if is_srcb { chip.pick(0, 0x7_ffff) } else { 0x7_ffff };
        let mut views = tensix.views();
        for bank in (0..2).filter(|bank| (banks >> bank) & 1 != 0) {
            let rows =
                if is_srcb { views.srcb(Access::Write, bank, 0, 64) } else { views.srca(Access::Write, bank, 0, 64) };
            fill::<V>(level, rows, value);
        }
        Answer::Done
    }
}

unsupported!(UnpacrNopSetreg, UnpacrNopOverlayClear);
