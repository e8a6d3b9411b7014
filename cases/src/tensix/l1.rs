//! Cases of the instructions of the Scalar Unit that move GPRs to and from L1 and to sources, on both chips.

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::scalar::{
    ADDR_REG, CMP_VAL, DATA_REG, INCR_LOG2, INT_WIDTH4, INT_WIDTH5, LOAD_SIZE, NO_INCR, OFFSET_HALF_REG,
    OFFSET_INCREMENT, OFS, SET_VAL, SINGLE_DATA_REG, STORE_SIZE, STORE_TO_SRCB, SWAP_MASK,
};
use tandem_isa::tensix::{BLACKHOLE, Small, bank, format};
use tandem_isa::{Axis, Levels, Noise, Parts, Recording, SaltRange};

use crate::salt::ROW_SHAPE;

use super::banks::{UNPACKER0_BANK, UNPACKER1_BANK};
use super::control::{ends, unnamed};
use super::dmareg::gpr;
use super::lens::{Lens, MASKS, NONE_OR_SOME, Partition, flag, split};
use super::parts::{THREAD, peek, thread_of};
use super::unpack::{SRCA0_OWNER, SRCA1_OWNER, SRCB0_OWNER, SRCB1_OWNER, set_base};
use super::wait::{LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, On, axes, value_class};

/// The rows of the registers that a case takes addresses from have a class of values each.
fn addresses(parts: &mut Parts<'_>, registers: &[(u8, u32)]) {
    let first = BLACKHOLE.layout.banks[bank::GPRS].first_row + 16 * thread_of(peek(parts));
    for (range, &(class, register)) in parts.salt.ranges.iter_mut().zip(registers) {
        let row = u16::try_from(first + register as usize / 4).expect("a row's number is short");
        *range = SaltRange { first: row, end: row + 1, class };
    }
}

fn finish_atomic(parts: &mut Parts<'_>, _: &mut Levels, _: &mut Noise) {
    let register = ADDR_REG.get(parts.code);
    addresses(parts, &[(value_class::GPR_ADDRESS, register)]);
}

/// The same of an instruction whose address is a register and half another one.
pub(super) fn indirect_addresses(parts: &mut Parts<'_>, [address, offset]: [u8; 2]) {
    let registers = [(address, ADDR_REG.get(parts.code)), (offset, OFFSET_HALF_REG.get(parts.code) / 2)];
    addresses(parts, &registers);
}

fn finish_indirect(parts: &mut Parts<'_>, _: &mut Levels, _: &mut Noise) {
    indirect_addresses(parts, [value_class::GPR_ADDRESS; 2]);
}

/// What all of them have.
pub(super) const MEMORY: Cases = Cases {
    class: Class::Axis(0),
    finish: finish_atomic,
    data: Data::Of(|_, _, which, _| matches!(which, bank::GPRS | bank::L1).then_some(&format::BITS32)),
    quantities: &[&[LATCHED_WAIT]],
    sweep: &["latched_wait", "unnamed_bits"],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

/// Half of a GPR that holds an offset: often one of those that hold the address or data.
pub(super) const OFFSET: Axis = split!(
    "OffsetHalfReg",
    &["16", "2", "3", "0", "10", "11", "last", "any"],
    &[2, 1, 1, 1, 1, 1, 1, 4],
    Lens::Code(OFFSET_HALF_REG),
    Partition::Points(&[16, 2, 3, 0, 10, 11, 127])
);
pub(super) const INCREMENTS: Axis =
    split!("OffsetIncrement", &["0", "2", "4", "16"], &[], Lens::Code(OFFSET_INCREMENT), Partition::Each);
const WORD: Axis = split!("Ofs", &["0", "1", "2", "3"], &[], Lens::Code(OFS), Partition::Each);

/// How much is moved.
macro_rules! sizes {
    ($field:expr) => {
        split!("Size", &["128 bits", "32 bits", "16 bits", "8 bits"], &[], Lens::Code($field), Partition::Each)
    };
}

pub(super) const fn loadind<C: On>() -> Cases {
    Cases {
        path: [&[sizes!(LOAD_SIZE), INCREMENTS]; 2],
        finish: finish_indirect,
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Loadind),
            gpr!("AddrReg", ADDR_REG),
            gpr!("ResultReg", DATA_REG),
            OFFSET,
            ROW_SHAPE,
            unnamed!(0x20_0000),
        ]),
        plain: &["ResultReg=any"],
        ..MEMORY
    }
}

pub(super) const fn storeind_l1<C: On>() -> Cases {
    Cases {
        path: [&[sizes!(STORE_SIZE), INCREMENTS]; 2],
        finish: finish_indirect,
        orthogonal: axes!(&[
            THREAD,
            latched!(C, StoreindL1),
            gpr!("AddrReg", ADDR_REG),
            gpr!("DataReg", DATA_REG),
            OFFSET,
            ROW_SHAPE,
        ]),
        plain: &["DataReg=any"],
        sweep: &["latched_wait"],
        recording: Recording { source_rows: 4, ..CASES.recording },
        ..MEMORY
    }
}

pub(super) const fn storeind_src<C: On>() -> Cases {
    Cases {
        path: [&[flag!("StoreToSrcB", Lens::Code(STORE_TO_SRCB)), INCREMENTS]; 2],
        finish: |parts, _, _| indirect_addresses(parts, [value_class::GPR_SRC_ADDRESS; 2]),
        orthogonal: axes!(
            &[THREAD, latched!(C, StoreindSrc), gpr!("AddrReg", ADDR_REG), gpr!("DataReg", DATA_REG), OFFSET],
            &[UNPACKER0_BANK, UNPACKER1_BANK, SRCA0_OWNER, SRCA1_OWNER, SRCB0_OWNER, SRCB1_OWNER],
            &[flag!(
                "SetOvrdWithAddr",
                Lens::Thread(C::CHIP.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr))
            )],
            &[
                SRC_ROW_0,
                SRC_ROW_1,
                set_base!("SRCB_SET_Base", C::CHIP.pick(config::SRCB_SET_Base, blackhole::SRCB_SET_Base))
            ],
            &[ROW_SHAPE],
        ),
        plain: &["DataReg=any"],
        sweep: &["latched_wait", "srca_bank0_owner", "srca_bank1_owner", "srcb_bank0_owner", "srcb_bank1_owner"],
        recording: Recording { source_rows: 4, ..CASES.recording },
        ..MEMORY
    }
}

/// The row of an Unpacker for the current thread.
macro_rules! src_row {
    ($name:literal, $unpacker:literal) => {
        Axis {
            name: $name,
            levels: &["0", "16", "32", "48", "other"],
            weights: &[2, 2, 1, 1, 1],
            set: |parts, level, noise| {
                let value = if level == 4 { 1 + noise.below(15) as u32 } else { 16 * level as u32 };
                let thread = thread_of(peek(parts));
                super::parts::small(parts).unpackers_src_row[$unpacker][thread] = value;
            },
            get: |parts| {
                let small: &Small = peek(parts);
                match small.unpackers_src_row[$unpacker][thread_of(small)] {
                    value if value % 16 == 0 => value as usize / 16,
                    _ => 4,
                }
            },
        }
    };
}
const SRC_ROW_0: Axis = src_row!("SrcRow of Unpacker 0", 0);
const SRC_ROW_1: Axis = src_row!("SrcRow of Unpacker 1", 1);

pub(super) const fn atcas<C: On>() -> Cases {
    Cases {
        path: [&[WORD]; 2],
        prepare: |parts, _| {
            parts.salt.class[bank::GPRS] = value_class::BITS32;
            parts.salt.class[bank::L1] = value_class::L1_FEW;
        },
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Atcas),
            gpr!("AddrReg", ADDR_REG),
            split!(
                "CmpVal",
                &["3", "0", "last", "any"],
                &[6, 1, 1, 1],
                Lens::Code(CMP_VAL),
                Partition::Points(&[3, 0, 15])
            ),
            ends!("SetVal", Lens::Code(SET_VAL), 4, 15),
            ROW_SHAPE,
            unnamed!(0xc0_0fc0),
        ]),
        ..MEMORY
    }
}

pub(super) const fn atincget<C: On>() -> Cases {
    Cases {
        path: [&[
            WORD,
            split!(
                "IntWidth",
                &["0", "last", "15", "1 to 14", "16 to 30"],
                &[],
                Lens::Code(INT_WIDTH5),
                Partition::Ranges(&[(0, 0), (31, 31), (15, 15), (1, 14), (16, 30)])
            ),
        ]; 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Atincget),
            gpr!("AddrReg", ADDR_REG),
            gpr!("InOutReg", DATA_REG),
            ROW_SHAPE,
            unnamed!(0xf8_0000),
        ]),
        plain: &["InOutReg=any"],
        ..MEMORY
    }
}

pub(super) const fn atincgetptr<C: On>() -> Cases {
    Cases {
        path: [&[
            WORD,
            split!(
                "IntWidth",
                &["0", "1", "last", "2 to 14"],
                &[],
                Lens::Code(INT_WIDTH4),
                Partition::Ranges(&[(0, 0), (1, 1), (15, 15), (2, 14)])
            ),
            flag!("NoIncr", Lens::Code(NO_INCR)),
        ]; 2],
        prepare: |parts, _| {
            parts.salt.class[bank::GPRS] = value_class::BITS32;
            parts.salt.class[bank::L1] = value_class::L1_FIFO;
        },
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Atincgetptr),
            gpr!("AddrReg", ADDR_REG),
            gpr!("ResultReg", DATA_REG),
            ends!("IncrLog2", Lens::Code(INCR_LOG2), 4, 15),
            ROW_SHAPE,
            unnamed!(0x80_0000),
        ]),
        plain: &["ResultReg=any"],
        ..MEMORY
    }
}

pub(super) const fn atswap<C: On>() -> Cases {
    Cases {
        path: [&[flag!("SingleDataReg", Lens::Code(SINGLE_DATA_REG))]; 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Atswap),
            gpr!("AddrReg", ADDR_REG),
            gpr!("DataReg", DATA_REG),
            split!("Mask", MASKS, &[1, 4, 2, 4, 9], Lens::Code(SWAP_MASK), Partition::Mask(&[])),
            ROW_SHAPE,
            unnamed!(0x80_3000),
        ]),
        plain: &["DataReg=any", "Mask=all"],
        ..MEMORY
    }
}
