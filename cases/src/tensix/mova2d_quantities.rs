//! The quantities of `MOVA2D`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::tensix::config::{self, ConfigField};
use tandem_isa::tensix::format;
use tandem_isa::tensix::inst::mova2d::{DST_ROW, SRC_ROW};
use tandem_isa::{Parts, Quantity};

use super::banks::OWNER_OF_SRCA;
use super::mova2d_axes::{AddrMod, BLOCKED, is_eight_bit_format, src_a_fmt_register};
use super::parts::{get_config, get_thread_config, rwc, rwc_mut, set_config, set_thread_config};
use super::state_quantities::{
    CONFIG, CONFIG_ANYWHERE, COUNTERS, LANES, WORMHOLE_THREAD, WORMHOLE_THREAD_ANYWHERE, dst_sum, put_dst_sum,
    put_wrapped_dst_sum, shifted, spread,
};
use crate::quantity::{fits, quantity, with_ones};

/// What is set anywhere comes before what is in force: where only the latter counts, cases that are answered soon show it.
pub(super) const QUANTITIES: &[&[Quantity]] = &[
    OWN,
    LANES,
    AddrMod::QUANTITIES,
    CONFIG_ANYWHERE,
    WORMHOLE_THREAD_ANYWHERE,
    COUNTERS,
    CONFIG,
    WORMHOLE_THREAD,
    LAST,
];

/// Rows are those before the page clears the low bits of the first of eight rows.
const OWN: &[Quantity] = &[
    quantity!("resolved SrcAFmt", 4, &format::CODE_NAMES, src_a_fmt, put_src_a_fmt),
    quantity!("row of Dst", 10, |parts| dst_sum(parts, DST_ROW) & 0x3ff, |parts, value| {
        put_wrapped_dst_sum(parts, DST_ROW, value)
    }),
    quantity!("row of SrcA before it wraps", 7, src_row_sum, |parts, value| {
        let terms = [(SRC_ROW.get(parts.code), 0x3f), (rwc(parts).srca, 0x3f)];
        let Some([row, counter]) = spread(terms, value) else { return false };
        SRC_ROW.set(parts.code, row);
        rwc_mut(parts).srca = counter;
        true
    }),
    quantity!("row of SrcA", 6, |parts| src_row_sum(parts) & 0x3f, |parts, value| {
        let [row, counter] = shifted([SRC_ROW.get(parts.code), rwc(parts).srca], value, 6);
        SRC_ROW.set(parts.code, row);
        rwc_mut(parts).srca = counter;
        fits(value, 6)
    }),
    // What decides the exponent: the format alone, then what the page of `spec` asks, then what the newest page asks.
    quantity!("5-bit exponent by SrcAFmt", 1, five_bit::<false, false>, put_five_bit::<false, false>),
    quantity!("5-bit exponent by SrcAFmt and FP16A_FORCE", 1, five_bit::<true, false>, put_five_bit::<true, false>),
    quantity!("5-bit exponent", 1, five_bit::<true, true>, put_five_bit::<true, true>),
    OWNER_OF_SRCA,
];

/// They say as well what single fields hold, and so they come last.
const LAST: &[Quantity] = &[
    quantity!(
        "number of columns that BLOCK_DEST_MOV blocks",
        5,
        |parts| BLOCKED.get(parts).count_ones(),
        |parts, value| {
            let Some(blocked) = with_ones(BLOCKED.get(parts), 0xffff, value) else { return false };
            BLOCKED.set(parts, blocked);
            true
        }
    ),
    quantity!("row of Dst before it wraps", 17, |parts| dst_sum(parts, DST_ROW), |parts, value| {
        put_dst_sum(parts, DST_ROW, value)
    }),
];

fn src_a_fmt(parts: &Parts<'_>) -> u32 {
    get_config(parts, src_a_fmt_register(parts))
}

fn put_src_a_fmt(parts: &mut Parts<'_>, value: u32) -> bool {
    let register = src_a_fmt_register(parts);
    set_config(parts, register, value)
}

fn src_row_sum(parts: &Parts<'_>) -> u32 {
    SRC_ROW.get(parts.code) + rwc(parts).srca
}

/// What makes the exponent one of eight bits whatever the format is.
const WIDE: [ConfigField; 2] = [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled];

/// Whether the exponent has five bits, if `FP16A_FORCE_Enable` is heeded or not, and Fp32 and INT8 are or not.
fn five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &Parts<'_>) -> u32 {
    let is_forced = HEEDS_FORCE && get_thread_config(parts, config::FP16A_FORCE_Enable) != 0;
    let is_wide = HEEDS_WIDE && WIDE.iter().any(|&field| get_config(parts, field) != 0);
    u32::from(is_forced || !(is_wide || is_eight_bit_format(src_a_fmt(parts))))
}

fn put_five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &mut Parts<'_>, value: u32) -> bool {
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
        put_src_a_fmt(parts, if value == 0 { format::BF16 } else { format::FP16 });
    }
    fits(value, 1)
}

#[cfg(test)]
mod tests {
    use tandem_isa::Instruction;
    use tandem_isa::tensix::{Chip, Mnemonic, WORMHOLE};

    use super::super::on;
    use super::*;
    use crate::quantity::example;

    const MOVA2D: &Instruction = on(Mnemonic::Mova2d, Chip::Wormhole);

    fn assert_values(fields: &[(&str, u32)], values: &[(&str, u32)]) {
        example::assert_values(&WORMHOLE, MOVA2D, fields, values);
    }

    #[test]
    fn rows_are_sums_with_and_without_their_carry() {
        assert_values(
            &[
                ("DstRow", 1000),
                ("SrcRow", 60),
                ("CurrentThread", 1),
                ("RWCs[1].Dst", 20),
                ("RWCs[1].SrcA", 8),
                ("RWCs[0].SrcA", 33),
                ("ThreadConfig[1].CFG_STATE_ID_StateID", 1),
                ("ThreadConfig[1].DEST_TARGET_REG_CFG_MATH_Offset", 3),
                ("Config[1].DEST_REGW_BASE_Base", 2),
                ("Config[0].DEST_REGW_BASE_Base", 64),
            ],
            &[
                ("row of Dst", 1),
                ("row of Dst before it wraps", 1025),
                ("row of SrcA", 4),
                ("row of SrcA before it wraps", 68),
                ("Config[StateID].DEST_REGW_BASE_Base", 2),
                ("Config[any].DEST_REGW_BASE_Base", 66),
                ("RWCs[CurrentThread].SrcA", 8),
            ],
        );
    }

    #[test]
    fn an_exponent_has_five_bits_by_more_and_more() {
        let five_bit = ["5-bit exponent by SrcAFmt", "5-bit exponent by SrcAFmt and FP16A_FORCE", "5-bit exponent"];
        let (override_it, val) =
            ("Config[0].ALU_FORMAT_SPEC_REG_SrcA_override", "Config[0].ALU_FORMAT_SPEC_REG_SrcA_val");
        let (force, wide) = ("ThreadConfig[0].FP16A_FORCE_Enable", "Config[0].ALU_ACC_CTRL_INT8_math_enabled");
        let values = |of: [u32; 3]| [(five_bit[0], of[0]), (five_bit[1], of[1]), (five_bit[2], of[2])];
        assert_values(&[(val, format::FP16)], &values([0, 0, 0]));
        assert_values(&[(override_it, 1), (val, format::FP16)], &values([1, 1, 1]));
        assert_values(&[(override_it, 1), (val, format::FP16), (wide, 1)], &values([1, 1, 0]));
        assert_values(&[(force, 1), (wide, 1)], &values([0, 1, 1]));
    }

    #[test]
    fn the_section_in_force_and_lanes_are_looked_at_as_the_instruction_does() {
        assert_values(
            &[
                ("AddrMod", 1),
                ("RWCs[0].ExtraAddrModBit", 1),
                ("ThreadConfig[0].ADDR_MOD_BIAS_SEC[5].BiasClear", 1),
                ("ThreadConfig[0].ADDR_MOD_DST_SEC[5].DestIncr", 513),
                ("ThreadConfig[0].ADDR_MOD_DST_SEC[1].DestCToCR", 1),
                ("ThreadConfig[2].FP16A_FORCE_Enable", 1),
                ("LaneConfig[3].ENABLE_DEST_INDEX", 1),
                ("LaneConfig[5].BLOCK_DEST_MOV", 3),
                ("SrcA[0].AllowedClient", 1),
            ],
            &[
                ("section of AddrMod in force", 5),
                ("BiasClear in force", 1),
                ("DestIncr in force", 513),
                ("DestCToCR in force", 0),
                ("ThreadConfig[CurrentThread].FP16A_FORCE_Enable", 0),
                ("ThreadConfig[any].FP16A_FORCE_Enable", 1),
                ("LaneConfig[any]", 0x604),
                ("bits of LaneConfig that differ between lanes", 0x604),
                ("number of columns that BLOCK_DEST_MOV blocks", 2),
                ("owner of the bank of SrcA in use", 1),
            ],
        );
    }

    #[test]
    fn a_row_is_set_by_the_field_of_the_code_word_unless_that_was_round_and_would_not_be() {
        let row = example::quantity(MOVA2D, "row of Dst");
        example::with_case(&WORMHOLE, MOVA2D, &[("DstRow", 3), ("RWCs[0].Dst", 8)], |parts| {
            assert!((row.set)(parts, 8));
            assert_eq!((DST_ROW.get(parts.code), rwc(parts).dst), (0, 8));
        });
        example::with_case(&WORMHOLE, MOVA2D, &[("DstRow", 16), ("RWCs[0].Dst", 3)], |parts| {
            assert!((row.set)(parts, 16));
            assert_eq!((DST_ROW.get(parts.code), rwc(parts).dst), (16, 0));
        });
        example::with_case(&WORMHOLE, MOVA2D, &[("SrcRow", 60), ("RWCs[0].SrcA", 60)], |parts| {
            assert!((example::quantity(MOVA2D, "row of SrcA before it wraps").set)(parts, 10));
            assert_eq!((SRC_ROW.get(parts.code), rwc(parts).srca), (0, 10));
        });
    }
}
