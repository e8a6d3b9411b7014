//! Cases of `SETDVALID` and of the forms of `UNPACR_NOP`, on both chips.

use std::mem::offset_of;

use tandem_isa::tensix::config::unpack::REG2_Out_data_format;
use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::unpack::{
    ACCUMULATE, ADDR_MID, ADDR_SEL, CLEAR_COUNT, NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH, NOP_NEGATIVE_INF_SRCA,
    OVERLAY_FORM, SET_SRCA, SET_SRCB, VALUE11, WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH, WHICH_STREAM, WHICH_UNPACKER,
};
use tandem_isa::tensix::{Chip, Small};
use tandem_isa::{Axis, BenchClass, CodeField, Parts, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::banks::{
    ANY_SRCA_OWNER, ANY_SRCB_OWNER, BANKS, OWNERS, SRCA_BANK, SRCB_BANK, UNPACKER0_BANK, UNPACKER1_BANK,
};
use super::control::{NO_DATA, bench, ends, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, split};
use super::parts::{STATE_ID, THREAD, peek, small, state_id_of};
use super::state_quantities::CLIENTS;
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, On, axes};

/// What all of them have, and the forms of `UNPACR`.
pub(super) const UNPACK: Cases = Cases {
    class: Class::Axis(0),
    data: NO_DATA,
    quantities: &[&[LATCHED_WAIT]],
    sweep: &["latched_wait", "unnamed_bits"],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

const UNPACKER: Axis = flag!("WhichUnpacker", Lens::Code(WHICH_UNPACKER));

/// The first row of a source, in units of sixteen.
macro_rules! set_base {
    ($name:literal, $field:expr) => {
        split!($name, &["0", "1", "2", "3"], &[], Lens::Thread($field), Partition::Each)
    };
}
pub(super) use set_base;

/// What an instruction that gives banks away has behind the axis of what is latched.
const fn giving<C: On>() -> [Axis; 11] {
    let [owner_of_a, other_of_a, owner_of_b, other_of_b] = OWNERS;
    [
        UNPACKER0_BANK,
        UNPACKER1_BANK,
        SRCA_BANK,
        SRCB_BANK,
        owner_of_a,
        other_of_a,
        owner_of_b,
        other_of_b,
        set_base!("SRCA_SET_Base", C::CHIP.pick(config::SRCA_SET_Base, blackhole::SRCA_SET_Base)),
        set_base!("SRCB_SET_Base", C::CHIP.pick(config::SRCB_SET_Base, blackhole::SRCB_SET_Base)),
        ROW_SHAPE,
    ]
}

pub(super) const fn setdvalid<C: On>() -> Cases {
    Cases {
        path: [&[flag!("FlipSrcA", Lens::Code(SET_SRCA)), flag!("FlipSrcB", Lens::Code(SET_SRCB))]; 2],
        orthogonal: axes!(&[THREAD, latched!(C, Setdvalid)], &giving::<C>(), &[unnamed!(0xff_fffc)]),
        bench_classes: C::CHIP.pick(bench!("setdvalid", [LATCHED_NOTHING] SET_SRCA 1 SET_SRCB 1), &[]),
        ..UNPACK
    }
}

/// The output format of an Unpacker, in the bank of `Config` in force.
macro_rules! out_data_format {
    ($name:literal, $section:literal) => {
        Axis {
            name: $name,
            levels: &["0", "15", "any"],
            weights: &[1, 1, 6],
            set: |parts, level, noise| {
                let small = small(parts);
                let value = [0, 15, noise.bits(4)][level];
                REG2_Out_data_format.set(Chip::Blackhole, $section, &mut small.config[state_id_of(small)], value);
            },
            get: |parts| {
                let small = peek(parts);
                match REG2_Out_data_format.get(Chip::Blackhole, $section, &small.config[state_id_of(small)]) {
                    0 => 0,
                    15 => 1,
                    _ => 2,
                }
            },
        }
    };
}

pub(super) const fn unpacr_nop_setdvalid<C: On>() -> Cases {
    const FORMATS: &[Axis] =
        &[STATE_ID, out_data_format!("SEC0_Out_data_format", 0), out_data_format!("SEC1_Out_data_format", 1)];
    Cases {
        path: [&[UNPACKER]; 2],
        orthogonal: axes!(
            &[THREAD],
            C::CHIP.pick(&[], FORMATS),
            &[latched!(C, UnpacrNopSetdvalid)],
            &giving::<C>(),
            &[unnamed!(C::CHIP.pick(0x7f_fff8, 0x7f_ff3c))]
        ),
        bench_classes: bench!("unpacr-nop-setdvalid", [LATCHED_NOTHING]),
        ..UNPACK
    }
}

/// Whose a bank is. In most cases it is the Unpackers', for whom `UNPACR_NOP_ZEROSRC` waits.
macro_rules! owner {
    ($name:literal, $member:ident, $bank:literal) => {
        split!(
            $name,
            &["Unpackers", "MatrixUnit"],
            &[7, 1],
            Lens::word(offset_of!(Small, $member) + 4 * $bank, 1),
            Partition::Sets(&[&[1], &[0]])
        )
    };
}

pub(super) const SRCA0_OWNER: Axis = owner!("srca_bank0_owner", srca_allowed_client, 0);
pub(super) const SRCA1_OWNER: Axis = owner!("srca_bank1_owner", srca_allowed_client, 1);
pub(super) const SRCB0_OWNER: Axis = owner!("srcb_bank0_owner", srcb_allowed_client, 0);
pub(super) const SRCB1_OWNER: Axis = owner!("srcb_bank1_owner", srcb_allowed_client, 1);

/// The place of the bank that `UNPACR_NOP_ZEROSRC` waits for: whether it is one of `SrcB`, and its number.
fn waited(parts: &Parts<'_>, wait_like_unpacr: CodeField) -> (usize, usize) {
    let is_srcb = WHICH_UNPACKER.get(parts.code) as usize;
    let small = peek(parts);
    let bank = match wait_like_unpacr.get(parts.code) {
        0 => [small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank][is_srcb],
        _ => small.unpackers_src_bank[is_srcb],
    };
    (is_srcb, bank as usize & 1)
}

/// `UNPACR_NOP_ZEROSRC`: its bits lie elsewhere on each chip.
pub(super) const fn unpacr_nop_zerosrc<C: On>() -> Cases {
    Cases {
        path: axes!(&[
            flag!("BothBanks", Lens::Code(C::CHIP.pick(NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH))),
            flag!("WaitLikeUnpacr", Lens::Code(C::CHIP.pick(WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH))),
            flag!("NegativeInfSrcA", Lens::Code(NOP_NEGATIVE_INF_SRCA)),
            UNPACKER,
        ]),
        orthogonal: axes!(
            &[THREAD, latched!(C, UnpacrNopZerosrc)],
            &BANKS,
            &[SRCA0_OWNER, SRCA1_OWNER, SRCB0_OWNER, SRCB1_OWNER, ROW_SHAPE],
            &[unnamed!(C::CHIP.pick(0x7f_ffa0, 0x7f_fe08))]
        ),
        quantities: &[const {
            &[
                Quantity::new(
                    "owner of the bank that it waits for",
                    1,
                    |parts| {
                        let (is_srcb, bank) = waited(parts, C::CHIP.pick(WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH));
                        [peek(parts).srca_allowed_client, peek(parts).srcb_allowed_client][is_srcb][bank]
                    },
                    |parts, value| {
                        let (is_srcb, bank) = waited(parts, C::CHIP.pick(WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH));
                        let small = small(parts);
                        [&mut small.srca_allowed_client, &mut small.srcb_allowed_client][is_srcb][bank] = value;
                    },
                )
                .named(CLIENTS),
                LATCHED_WAIT,
            ]
        }],
        sweep: &[
            "latched_wait",
            "unnamed_bits",
            "srca_bank0_owner",
            "srca_bank1_owner",
            "srcb_bank0_owner",
            "srcb_bank1_owner",
        ],
        bench_classes: bench!(
            "unpacr-nop-zerosrc",
            [LATCHED_NOTHING, SRCA0_OWNER, SRCA1_OWNER] WHICH_UNPACKER 0
        ),
        ..UNPACK
    }
}

/// What is beside the axis of what is latched, of a form that the page calls unsupported: only what holds it is ever compared.
const UNSUPPORTED: &[Axis] =
    &[SRCA_BANK, SRCB_BANK, UNPACKER0_BANK, UNPACKER1_BANK, ANY_SRCA_OWNER, ANY_SRCB_OWNER, ROW_SHAPE];

pub(super) const fn unpacr_nop_setreg<C: On>() -> Cases {
    Cases {
        path: [&[flag!("Accumulate", Lens::Code(ACCUMULATE)), UNPACKER]; 2],
        orthogonal: axes!(
            &[THREAD, latched!(C, UnpacrNopSetreg)],
            UNSUPPORTED,
            &[ends!("Value11", Lens::Code(VALUE11), 3, 0x7ff), ends!("AddrMid", Lens::Code(ADDR_MID), 3, 0x3f)],
            &[flag!("AddrSel", Lens::Code(ADDR_SEL)), unnamed!(0x8000)]
        ),
        ..UNPACK
    }
}

pub(super) const fn unpacr_nop_overlay_clear<C: On>() -> Cases {
    const FORM: Axis = split!("Form", &["0", "3"], &[], Lens::Code(OVERLAY_FORM), Partition::Sets(&[&[0], &[3]]));
    Cases {
        path: [&[FORM, UNPACKER]; 2],
        orthogonal: axes!(
            &[THREAD, latched!(C, UnpacrNopOverlayClear)],
            UNSUPPORTED,
            &[ends!("ClearCount", Lens::Code(CLEAR_COUNT), 3, 0x7ff)],
            &[ends!("WhichStream", Lens::Code(WHICH_STREAM), 3, 0x3f), unnamed!(0x40_8008)]
        ),
        ..UNPACK
    }
}
