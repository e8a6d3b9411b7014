//! The quantities of `MOVA2D`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::tensix::config::{self, ConfigField};
use tandem_isa::tensix::format;
use tandem_isa::tensix::inst::mova2d::SRC_ROW;
use tandem_isa::{Parts, Quantity};

use super::banks::OWNER_OF_SRCA;
use super::lens::Lens;
use super::mova2d_axes::{AddrMod, BLOCKED, is_eight_bit_format};
use super::moves::{A2D_WH, ROW_OF_DST, WHOLE_ROW_OF_DST, resolved_format, source_row};
use super::parts::{get_config, get_thread_config, rwc, rwc_mut, set_config, set_thread_config};
use super::state_quantities::{LANES, STATE, spread};
use crate::quantity::with_ones;

/// All of them.
pub(super) const QUANTITIES: &[&[Quantity]] = &[OWN, LANES, AddrMod::QUANTITIES, STATE[0], LAST];

/// Rows are those before the page clears the low bits of the first of eight rows.
const OWN: &[Quantity] = &[
    resolved_format!("resolved SrcAFmt", A2D_WH),
    ROW_OF_DST,
    Quantity::new("row of SrcA before it wraps", 7, src_row_sum, |parts, value| {
        let terms = [(SRC_ROW.get(parts.code), 0x3f), (rwc(parts).srca, 0x3f)];
        if let Some([row, counter]) = spread(terms, value) {
            SRC_ROW.set(parts.code, row);
            rwc_mut(parts).srca = counter;
        }
    }),
    source_row!("row of SrcA", SRC_ROW, srca),
    // What decides the exponent: the format alone, then what the page of `spec` asks, then what the newest page asks.
    Quantity::new("5-bit exponent by SrcAFmt", 1, five_bit::<false, false>, put_five_bit::<false, false>),
    Quantity::new("5-bit exponent by SrcAFmt and FP16A_FORCE", 1, five_bit::<true, false>, put_five_bit::<true, false>),
    Quantity::new("5-bit exponent", 1, five_bit::<true, true>, put_five_bit::<true, true>),
    OWNER_OF_SRCA,
];

/// They say as well what single fields hold, and so they come last.
const LAST: &[Quantity] = &[
    Quantity::new(
        "number of columns that BLOCK_DEST_MOV blocks",
        5,
        |parts| BLOCKED.get(parts).count_ones(),
        |parts, value| {
            if let Some(blocked) = with_ones(BLOCKED.get(parts), 0xffff, value) {
                BLOCKED.set(parts, blocked);
            }
        },
    ),
    WHOLE_ROW_OF_DST,
];

fn src_row_sum(parts: &Parts<'_>) -> u32 {
    SRC_ROW.get(parts.code) + rwc(parts).srca
}

/// What makes the exponent one of eight bits whatever the format is.
const WIDE: [ConfigField; 2] = [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled];

/// Whether the exponent has five bits, if `FP16A_FORCE_Enable` is heeded or not, and Fp32 and INT8 are or not.
fn five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &Parts<'_>) -> u32 {
    let is_forced = HEEDS_FORCE && get_thread_config(parts, config::FP16A_FORCE_Enable) != 0;
    let is_wide = HEEDS_WIDE && WIDE.iter().any(|&field| get_config(parts, field) != 0);
    u32::from(is_forced || !(is_wide || is_eight_bit_format(A2D_WH.get(parts))))
}

fn put_five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &mut Parts<'_>, value: u32) {
    let differs = |parts: &Parts<'_>| five_bit::<HEEDS_FORCE, HEEDS_WIDE>(parts) != value;
    if HEEDS_FORCE && value == 0 {
        set_thread_config(parts, config::FP16A_FORCE_Enable, 0);
    }
    if HEEDS_WIDE && value == 1 && differs(parts) {
        for field in WIDE {
            set_config(parts, field, 0);
        }
    }
    if differs(parts) {
        A2D_WH.set(parts, if value == 0 { format::BF16 } else { format::FP16 });
    }
}
