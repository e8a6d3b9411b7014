//! Cases of the instructions that move memory-mapped registers to and from GPRs, and to `Config`, on both chips.

use tandem_isa::tensix::MMIO_WORDS;
use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::configuration::{REG_INDEX, STREAM_SELECT};
use tandem_isa::tensix::inst::scalar::{ADDR_LO, ADDR_REG, DATA_REG, MMIO_REG};
use tandem_isa::{Axis, Noise, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::configuration::{CONFIGURATION, SINGLE_CFG_WORDS, nameless};
use super::control::{NO_DATA, ends, unnamed};
use super::dmareg::gpr;
use super::l1::{INCREMENTS, MEMORY, OFFSET, indirect_addresses};
use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::parts::{STATE_ID, THREAD, get_thread_config, peek, set_thread_config, small};
use super::wait::latched;
use super::{CASES, Cases, On, axes, value_class};

/// What the registers hold that a state has.
const WORDS: Axis = Axis {
    name: "registers",
    levels: &["0", "any"],
    weights: &[1, 7],
    set: |parts, level, noise| {
        for one in &mut small(parts).mmio {
            one.word = if level == 0 { 0 } else { noise.bits(32).max(1) };
        }
    },
    get: |parts| usize::from(peek(parts).mmio.iter().any(|one| one.word != 0)),
};

/// One of the words of the state is the register that a case is about, but for some.
fn finish(parts: &mut Parts<'_>, addr_lo: u32, noise: &mut Noise) {
    if noise.below(16) != 0 {
        small(parts).mmio[noise.below(MMIO_WORDS)].addr_lo = addr_lo;
    }
}

/// What lies before the first register is none.
const ADDRESS: Axis = split!(
    "AddrLo",
    &["first", "last", "last before", "TDMA-RISC to NoC", "NoC Overlay and more", "before"],
    &[],
    Lens::Code(ADDR_LO),
    Partition::Ranges(&[
        (0x4400, 0x4400),
        (0x3_ffff, 0x3_ffff),
        (0x43ff, 0x43ff),
        (0x4401, 0xffff),
        (0x1_0000, 0x3_fffe),
        (0, 0x43fe),
    ])
);

pub(super) const fn loadreg<C: On>() -> Cases {
    Cases {
        path: [&[ADDRESS]; 2],
        finish: |parts, _, noise| finish(parts, ADDR_LO.get(parts.code), noise),
        orthogonal: axes!(&[THREAD, latched!(C, Loadreg), gpr!("ResultReg", MMIO_REG), WORDS, ROW_SHAPE]),
        plain: &["ResultReg=any", "registers=any"],
        sweep: &["latched_wait"],
        recording: Recording { source_rows: 4, ..CASES.recording },
        ..MEMORY
    }
}

pub(super) const fn storereg<C: On>() -> Cases {
    Cases {
        orthogonal: axes!(&[THREAD, latched!(C, Storereg), gpr!("DataReg", MMIO_REG), WORDS, ROW_SHAPE]),
        plain: &["DataReg=any", "registers=any"],
        ..loadreg::<C>()
    }
}

pub(super) const fn storeind_mmio<C: On>() -> Cases {
    Cases {
        path: [&[INCREMENTS]; 2],
        finish: |parts, _, _| indirect_addresses(parts, [value_class::GPR_MMIO_ADDRESS, value_class::GPR_FEW]),
        orthogonal: axes!(&[
            THREAD,
            latched!(C, StoreindMmio),
            gpr!("AddrReg", ADDR_REG),
            gpr!("DataReg", DATA_REG),
            OFFSET,
            WORDS,
            ROW_SHAPE,
            unnamed!(0x20_0000),
        ]),
        plain: &["DataReg=any", "registers=any"],
        ..MEMORY
    }
}

/// The address of the register of the stream.
fn stream_register(parts: &Parts<'_>) -> u32 {
    let section = STREAM_SELECT.get(parts.code) as usize;
    let stream = get_thread_config(parts, blackhole::stream_id_sync_bank_sel(section));
    0x1_0000 | stream << 10 | REG_INDEX.get(parts.code)
}

pub(super) const fn streamwrcfg<C: On>() -> Cases {
    const SELECT: Axis = split!("StreamSelect", &["0", "1", "2", "3"], &[], Lens::Code(STREAM_SELECT), Partition::Each);
    const STREAMS: Axis = Axis {
        name: "streams",
        levels: &["0", "any"],
        weights: &[1, 15],
        set: |parts, level, noise| {
            for section in 0..blackhole::STREAM_ID_SYNC_SECTIONS {
                let stream = if level == 0 { 0 } else { 1 + noise.below(63) as u32 };
                set_thread_config(parts, blackhole::stream_id_sync_bank_sel(section), stream);
            }
        },
        get: |parts| {
            let mut streams = (0..blackhole::STREAM_ID_SYNC_SECTIONS).map(blackhole::stream_id_sync_bank_sel);
            usize::from(streams.any(|field| get_thread_config(parts, field) != 0))
        },
    };
    Cases {
        path: [&[SINGLE_CFG_WORDS]; 2],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, Streamwrcfg), SELECT, ends!("RegIndex", Lens::Code(REG_INDEX), 4, 1023)],
            &[STREAMS, WORDS, nameless!("Config"), ROW_SHAPE, unnamed!(0x80_0000)],
        ),
        data: NO_DATA,
        finish: |parts, _, noise| finish(parts, stream_register(parts), noise),
        plain: &["registers=any", "streams=any", "bits without a name=any"],
        sweep: &["latched_wait", "unnamed_bits", "bits without a name=any", "streams=any"],
        ..CONFIGURATION
    }
}
