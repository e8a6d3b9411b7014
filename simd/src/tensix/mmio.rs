//! Instructions that move words of memory-mapped registers: to and from GPRs on both chips, and to `Config` on Blackhole.
//!
//! The eight registers of the state are named by their address without `0xFFB00000`, in words. All here form that number, and
//! the comparison with `0xFFB11000` is one of such numbers.
//!
//! What differs from the pages, and why it is equal:
//! 1. `AddrLo` of 18 bits is the number itself, and of an address of 20 bits it is what is left without the low two: the mask
//!    `0x000FFFFC` leaves those.
//! 2. `LOADREG` is done at once, as what happens "at some later point".
//! 3. `STOREIND_MMIO`: the GPRs of the address and of the data are read before the offset is increased, so it does not matter
//!    whether it is a half of one of them.
//! 4. `STREAMWRCFG`: a register of a stream is a memory-mapped one. `STATE_RESET_EN` is as with `WRCFG`.
//!
//! Where the pages promise nothing, at an address below `0xFFB11000`, at a register that is not in the state, at an index out
//! of bounds: the instruction is unsupported, and all stays as it was, the offset too.

use tandem_isa::Answer;
use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::configuration::{CFG_INDEX, REG_INDEX, STREAM_SELECT};
use tandem_isa::tensix::inst::scalar::{ADDR_LO, DATA_REG, MMIO_REG};
use tandem_isa::tensix::{Small, Tensix};

use super::configuration::{write_config, write_gpr};
use super::dmareg::gpr;
use super::instruction::{Decoded, Instruction, thread_of};
use super::l1::{address_outside, increase, offset};
use crate::vector::Vector;

/// The first register that the pages allow, at `0xFFB11000`.
const FIRST: u32 = 0x1_1000 / 4;
/// The first register of the first stream, at `0xFFB40000`, and how many each stream has.
const STREAMS: u32 = 0x4_0000 / 4;
const STREAM_REGISTERS: u32 = 0x1000 / 4;

/// The register of a number, if it is allowed and in the state.
#[inline(always)]
fn register(small: &mut Small, addr_lo: u32) -> Option<&mut u32> {
    if addr_lo < FIRST { None } else { small.mmio_word_mut(addr_lo) }
}

/// `LOADREG`.
pub(crate) struct Loadreg;

impl<V: Vector> Instruction<V> for Loadreg {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(&mut word) = register(tensix.small, ADDR_LO.get(&code)) else { return Answer::Unsupported };
        write_gpr(tensix, MMIO_REG.get(&code), !0, word);
        Answer::Done
    }
}

/// `STOREREG`.
pub(crate) struct Storereg;

impl<V: Vector> Instruction<V> for Storereg {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let value = gpr(tensix, MMIO_REG.get(&code));
        let Some(word) = register(tensix.small, ADDR_LO.get(&code)) else { return Answer::Unsupported };
        *word = value;
        Answer::Done
    }
}

/// `STOREIND_MMIO`.
pub(crate) struct StoreindMmio;

impl<V: Vector> Instruction<V> for StoreindMmio {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let offset = offset(&code, tensix);
        let address = address_outside(&code, tensix, offset);
        let value = gpr(tensix, DATA_REG.get(&code));
        let Some(word) = register(tensix.small, address / 4) else { return Answer::Unsupported };
        *word = value;
        increase(&code, tensix, offset);
        Answer::Done
    }
}

/// `STREAMWRCFG`.
pub(crate) struct Streamwrcfg;

impl<V: Vector> Instruction<V> for Streamwrcfg {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let index = CFG_INDEX.get(&code) as usize;
        if index >= chip.config_size() {
            return Answer::Unsupported;
        }
        let bank_sel = blackhole::stream_id_sync_bank_sel(STREAM_SELECT.get(&code) as usize);
        let stream = bank_sel.get(&small.thread_config[thread_of(small)]);
        let addr_lo = STREAMS + stream * STREAM_REGISTERS + REG_INDEX.get(&code);
        let Some(&mut word) = register(small, addr_lo) else { return Answer::Unsupported };
        write_config(chip, small, index, &[word]);
        Answer::Done
    }
}
