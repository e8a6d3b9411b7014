//! Cases of `SETDVALID` and of the forms of `UNPACR_NOP`, on both chips.

use std::mem::offset_of;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::unpack::{
    ACCUMULATE, ADDR_MID, ADDR_SEL, CLEAR_COUNT, NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH, NOP_NEGATIVE_INF_SRCA,
    OVERLAY_FORM, SET_SRCA, SET_SRCB, VALUE11, WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH, WHICH_STREAM, WHICH_UNPACKER,
};
use tandem_isa::tensix::{Chip, Small};
use tandem_isa::{Axis, BenchClass, CodeField, Parts, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::banks::{
    ANY_SRCA_OWNER, ANY_SRCB_OWNER, OTHER_SRCA_OWNER, OTHER_SRCB_OWNER, SRCA_BANK, SRCB_BANK, UNPACKER0_BANK,
    UNPACKER1_BANK,
};
use super::control::{NO_DATA, bench, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, split};
use super::parts::{STATE_ID, THREAD, peek, small, state_id_of};
use super::state_quantities::CLIENTS;
use super::wait::{LATCHED_WAIT, latched};
use super::{CASES, Cases, Class};

/// What all of them have.
const UNPACK: Cases = Cases {
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

/// The axes of an instruction that gives banks away.
macro_rules! giving {
    ($chip:ident, $mnemonic:ident, $config:ident, $unnamed:literal $(, $axis:expr)*) => {
        [&[
            THREAD,
            $($axis,)*
            latched!($chip, $mnemonic),
            UNPACKER0_BANK,
            UNPACKER1_BANK,
            SRCA_BANK,
            SRCB_BANK,
            ANY_SRCA_OWNER,
            OTHER_SRCA_OWNER,
            ANY_SRCB_OWNER,
            OTHER_SRCB_OWNER,
            set_base!("SRCA_SET_Base", $config::SRCA_SET_Base),
            set_base!("SRCB_SET_Base", $config::SRCB_SET_Base),
            ROW_SHAPE,
            unnamed!($unnamed),
        ]; 2]
    };
}

pub(super) const fn setdvalid(chip: Chip) -> Cases {
    const WORMHOLE: [&[Axis]; 2] = giving!(Wormhole, Setdvalid, config, 0xff_fffc);
    const BLACKHOLE: [&[Axis]; 2] = giving!(Blackhole, Setdvalid, blackhole, 0xff_fffc);
    const LATCHED: Axis = latched!(Wormhole, Setdvalid);
    Cases {
        path: [&[flag!("FlipSrcA", Lens::Code(SET_SRCA)), flag!("FlipSrcB", Lens::Code(SET_SRCB))]; 2],
        orthogonal: chip.pick(WORMHOLE, BLACKHOLE),
        bench_classes: chip.pick(bench!("setdvalid", [LATCHED] SET_SRCA 1 SET_SRCB 1), &[]),
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
                small.thcon_out_data_format[state_id_of(small)][$section] = value;
            },
            get: |parts| {
                let small = peek(parts);
                match small.thcon_out_data_format[state_id_of(small)][$section] {
                    0 => 0,
                    15 => 1,
                    _ => 2,
                }
            },
        }
    };
}

pub(super) const fn unpacr_nop_setdvalid(chip: Chip) -> Cases {
    const WORMHOLE: [&[Axis]; 2] = giving!(Wormhole, UnpacrNopSetdvalid, config, 0x7f_fff8);
    const BLACKHOLE: [&[Axis]; 2] = giving!(
        Blackhole,
        UnpacrNopSetdvalid,
        blackhole,
        0x7f_ff3c,
        STATE_ID,
        out_data_format!("SEC0_Out_data_format", 0),
        out_data_format!("SEC1_Out_data_format", 1)
    );
    Cases {
        path: [&[UNPACKER]; 2],
        orthogonal: chip.pick(WORMHOLE, BLACKHOLE),
        bench_classes: bench!("unpacr-nop-setdvalid", [LATCHED_AT_UNPACKERS]),
        ..UNPACK
    }
}

const LATCHED_AT_UNPACKERS: Axis = latched!(Wormhole, UnpacrNopZerosrc);

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

const SRCA0_OWNER: Axis = owner!("srca_bank0_owner", srca_allowed_client, 0);
const SRCA1_OWNER: Axis = owner!("srca_bank1_owner", srca_allowed_client, 1);
const SRCB0_OWNER: Axis = owner!("srcb_bank0_owner", srcb_allowed_client, 0);
const SRCB1_OWNER: Axis = owner!("srcb_bank1_owner", srcb_allowed_client, 1);

macro_rules! clearing {
    ($chip:ident, $unnamed:literal) => {
        &[
            THREAD,
            latched!($chip, UnpacrNopZerosrc),
            SRCA_BANK,
            SRCB_BANK,
            UNPACKER0_BANK,
            UNPACKER1_BANK,
            SRCA0_OWNER,
            SRCA1_OWNER,
            SRCB0_OWNER,
            SRCB1_OWNER,
            ROW_SHAPE,
            unnamed!($unnamed),
        ]
    };
}

/// The owner of the bank that `UNPACR_NOP_ZEROSRC` waits for.
fn waited<'a>(parts: &'a mut Parts<'_>, wait_like_unpacr: CodeField) -> &'a mut u32 {
    let is_srcb = WHICH_UNPACKER.get(parts.code) != 0;
    let is_unpackers = wait_like_unpacr.get(parts.code) != 0;
    let small = small(parts);
    let bank = match (is_unpackers, is_srcb) {
        (true, is_srcb) => small.unpackers_src_bank[usize::from(is_srcb)],
        (false, false) => small.matrix_unit_srca_bank,
        (false, true) => small.matrix_unit_srcb_bank,
    };
    let clients = if is_srcb { &mut small.srcb_allowed_client } else { &mut small.srca_allowed_client };
    &mut clients[bank as usize & 1]
}

fn waited_owner(parts: &Parts<'_>, wait_like_unpacr: CodeField) -> u32 {
    let is_srcb = WHICH_UNPACKER.get(parts.code) != 0;
    let is_unpackers = wait_like_unpacr.get(parts.code) != 0;
    let small = peek(parts);
    let bank = match (is_unpackers, is_srcb) {
        (true, is_srcb) => small.unpackers_src_bank[usize::from(is_srcb)],
        (false, false) => small.matrix_unit_srca_bank,
        (false, true) => small.matrix_unit_srcb_bank,
    };
    [small.srca_allowed_client, small.srcb_allowed_client][usize::from(is_srcb)][bank as usize & 1]
}

macro_rules! waited {
    ($field:expr) => {
        Quantity::new(
            "owner of the bank that it waits for",
            1,
            |parts| waited_owner(parts, $field),
            |parts, value| *waited(parts, $field) = value,
        )
        .named(CLIENTS)
    };
}

/// `UNPACR_NOP_ZEROSRC`: its bits lie elsewhere on each chip.
macro_rules! unpacr_nop_zerosrc {
    ($chip:ident, $unnamed:literal, $both_banks:ident, $wait_like_unpacr:ident) => {
        Cases {
            path: [&[
                flag!("BothBanks", Lens::Code($both_banks)),
                flag!("WaitLikeUnpacr", Lens::Code($wait_like_unpacr)),
                flag!("NegativeInfSrcA", Lens::Code(NOP_NEGATIVE_INF_SRCA)),
                UNPACKER,
            ]; 2],
            orthogonal: [const { clearing!($chip, $unnamed) }; 2],
            quantities: &[const { &[waited!($wait_like_unpacr), LATCHED_WAIT] }],
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
                [LATCHED_AT_UNPACKERS, SRCA0_OWNER, SRCA1_OWNER] WHICH_UNPACKER 0
            ),
            ..UNPACK
        }
    };
}

pub(super) const fn unpacr_nop_zerosrc(chip: Chip) -> Cases {
    match chip {
        Chip::Wormhole => unpacr_nop_zerosrc!(Wormhole, 0x7f_ffa0, NOP_BOTH_BANKS, WAIT_LIKE_UNPACR),
        Chip::Blackhole => unpacr_nop_zerosrc!(Blackhole, 0x7f_fe08, NOP_BOTH_BANKS_BH, WAIT_LIKE_UNPACR_BH),
    }
}

/// A number of the code word at its ends, or anywhere.
macro_rules! ends {
    ($name:literal, $field:expr, $last:literal) => {
        split!($name, &["0", "last", "any"], &[1, 1, 3], Lens::Code($field), Partition::Points(&[0, $last]))
    };
}

/// The axes of a form that the page calls unsupported, so that only what holds it is ever compared.
macro_rules! unsupported {
    ($chip:ident, $mnemonic:ident, $unnamed:literal, $($axis:expr),*) => {
        [&[
            THREAD,
            latched!($chip, $mnemonic),
            SRCA_BANK,
            SRCB_BANK,
            UNPACKER0_BANK,
            UNPACKER1_BANK,
            ANY_SRCA_OWNER,
            ANY_SRCB_OWNER,
            ROW_SHAPE,
            $($axis,)*
            unnamed!($unnamed),
        ]; 2]
    };
}

pub(super) const fn unpacr_nop_setreg(chip: Chip) -> Cases {
    macro_rules! axes {
        ($chip:ident) => {
            unsupported!(
                $chip,
                UnpacrNopSetreg,
                0x8000,
                ends!("Value11", VALUE11, 0x7ff),
                ends!("AddrMid", ADDR_MID, 0x3f),
                flag!("AddrSel", Lens::Code(ADDR_SEL))
            )
        };
    }
    const WORMHOLE: [&[Axis]; 2] = axes!(Wormhole);
    const BLACKHOLE: [&[Axis]; 2] = axes!(Blackhole);
    Cases {
        path: [&[flag!("Accumulate", Lens::Code(ACCUMULATE)), UNPACKER]; 2],
        orthogonal: chip.pick(WORMHOLE, BLACKHOLE),
        ..UNPACK
    }
}

pub(super) const fn unpacr_nop_overlay_clear(chip: Chip) -> Cases {
    macro_rules! axes {
        ($chip:ident) => {
            unsupported!(
                $chip,
                UnpacrNopOverlayClear,
                0x40_8008,
                ends!("ClearCount", CLEAR_COUNT, 0x7ff),
                ends!("WhichStream", WHICH_STREAM, 0x3f)
            )
        };
    }
    const WORMHOLE: [&[Axis]; 2] = axes!(Wormhole);
    const BLACKHOLE: [&[Axis]; 2] = axes!(Blackhole);
    const FORM: Axis = split!("Form", &["0", "3"], &[], Lens::Code(OVERLAY_FORM), Partition::Sets(&[&[0], &[3]]));
    Cases { path: [&[FORM, UNPACKER]; 2], orthogonal: chip.pick(WORMHOLE, BLACKHOLE), ..UNPACK }
}
