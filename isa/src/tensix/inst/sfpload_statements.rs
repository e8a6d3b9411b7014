//! Every statement of the page SFPLOAD of Wormhole (commit 39304719), in our words, and where it went.
//!
//! A line that holds several sentences, or one that several errata speak of, has several entries. Lines without an
//! entry are headings, fences and blank lines; a test below lists them and allows no others.

use crate::Statement;
use crate::statement::{contradicted, done, left_out};

/// An item of the instruction in the reference, and a landmark in it.
macro_rules! sfpload {
    ($item:literal) => {
        concat!("reference/src/tensix/sfpload.rs, ", $item)
    };
}

const SYNTAX: &str = "isa/src/tensix/inst/call_syntax.rs, print";
const ENCODING: &str = "isa/src/tensix/inst/sfpload.rs, OPCODE";

const MODES: &str = "every_instruction_agrees_in_every_mode";
const AXES: &str = "orthogonal_axes_are_covered_three_ways";
const ROUND_TRIP: &str = "encodings_and_texts_round_trip";
const LOADS_16: &str = "loads_convert_16_bits";
const LOADS_32: &str = "loads_unshuffle_32_bits";
const BY_CHIP: &str = "loads_convert_integers_by_chip";
const SM: &str = "int32_sm_converts_on_wormhole_only";
const INFINITY: &str = "the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so";
const LANES: &str = "lanes_are_four_rows_of_eight_even_or_odd_columns";
const ALL: &str = "int32_all_moves_lanes_that_are_not_enabled_unless_they_are_blocked";
const EXCHANGE: &str = "each_direction_has_a_bit_for_exchange_and_a_bit_for_blocking";
const FORMATS: &str = "eight_of_sixteen_formats_stand_for_bf16";
const THERE_AND_BACK: &str = "opaque_modes_bring_all_65536_words_back";
const WRAP: &str = "addresses_wrap_at_1024_and_int32_all_takes_two_bits_of_the_counter";
const HIGH: &str = "registers_from_8_on_are_stored_but_not_loaded";
const CAPTURE: &str = "the_index_is_captured_four_registers_on_with_row_and_column";
const PARTIAL: &str = "the_partial_addr_mod_leaves_the_fidelity_phase_alone";

const TIMING: &str = "cycle timing is out of scope by decision";

/// The statements, by line.
pub(super) static STATEMENTS: &[Statement] = &[
    left_out(
        (3, 3),
        "The load sub-unit takes up to 32 data from Dst to an LReg; other instructions offer more conversions.",
        "a summary of what follows, and advice; each part of it has an entry below",
    ),
    done(
        (3, 3),
        "The data lie in the even or the odd columns of four consecutive rows.",
        sfpload!("execute: dst_address, lane"),
        LANES,
    ),
    left_out(
        (5, 5),
        "The Vector Unit executes it, in its load sub-unit.",
        "which unit executes has no effect on one instruction's result",
    ),
    done(
        (10, 10),
        "The operands are VD and Mod0, of four bits, AddrMod, of two, and Imm10, of ten.",
        SYNTAX,
        ROUND_TRIP,
    ),
    contradicted(
        (15, 15),
        "A picture shows where the opcode and the fields lie in the word.",
        ENCODING,
        ROUND_TRIP,
        "TX-34",
    ),
    done((19, 19), "Mod0 selects one of the conversions of a table,", sfpload!("execute: the switch over Mod0"), MODES),
    contradicted(
        (21, 22),
        "from a type of Dst to one of LReg.",
        sfpload!("execute: the switch over Mod0"),
        MODES,
        "TX-15",
    ),
    done(
        (23, 23),
        "FP16 becomes FP32; how infinity is handled can be configured.",
        sfpload!("execute: read_fp16"),
        INFINITY,
    ),
    done((24, 24), "BF16 becomes FP32.", sfpload!("execute: unshuffle_bf16"), LOADS_16),
    done(
        (25, 26),
        "FP32 mode and INT32 mode take FP32 or integer \"32\" as it is.",
        sfpload!("execute: unshuffle_fp32"),
        LOADS_32,
    ),
    contradicted((27, 27), "INT32_ALL does too.", sfpload!("execute: unshuffle_fp32"), LOADS_32, "TX-19"),
    contradicted(
        (28, 28),
        "INT32_SM makes two's complement of integer \"32\".",
        sfpload!("execute: sign_mag_to_twos_comp"),
        SM,
        "TX-19",
    ),
    contradicted(
        (29, 29),
        "INT8 takes integer \"8\" of magnitudes up to 127 to sign and magnitude.",
        sfpload!("execute: sign_mag8_to_sign_mag32"),
        BY_CHIP,
        "TX-19",
    ),
    contradicted(
        (30, 30),
        "INT8_COMP makes two's complement of integer \"8\".",
        sfpload!("execute: sign_mag11_to_sign_mag32"),
        BY_CHIP,
        "TX-19",
    ),
    done(
        (31, 32),
        "LO16_ONLY and HI16_ONLY write 16 opaque bits to one half of the register and keep the other.",
        sfpload!("execute: the switch over Mod0"),
        LOADS_16,
    ),
    done((33, 33), "INT16 becomes sign and magnitude.", sfpload!("execute: sign_mag16_to_sign_mag32"), LOADS_16),
    done(
        (34, 36),
        "UINT16 and LO16 extend 16 opaque bits with zeros; HI16 puts them above zeros.",
        sfpload!("execute: the switch over Mod0"),
        LOADS_16,
    ),
    contradicted(
        (38, 38),
        "INT32_ALL has another address, slightly, and ignores LaneEnabled.",
        sfpload!("execute: dst_address, lane"),
        ALL,
        "TX-22",
    ),
    contradicted(
        (40, 40),
        "MOD0_FMT_SRCB stands for FP16, BF16 or FP32.",
        sfpload!("execute: resolve_mod0"),
        FORMATS,
        "TX-15",
    ),
    done((44, 44), "All 32 lanes enabled,", sfpload!("execute: lane"), LANES),
    done((46, 46), "a picture shows which datum goes where.", sfpload!("execute: lane"), LANES),
    done((48, 48), "SFPSTORE goes exactly the other way.", sfpload!("execute: lane"), THERE_AND_BACK),
    done(
        (53, 54),
        "The thread's StateID, one bit of its ThreadConfig, selects a bank of Config.",
        sfpload!("execute: config_state"),
        AXES,
    ),
    done((56, 57), "MOD0_FMT_SRCB is resolved first.", sfpload!("execute: resolve_mod0"), FORMATS),
    done(
        (58, 59),
        "With SFPU_Fp32_enabled it is FP32, which does what INT32 does.",
        sfpload!("execute: resolve_mod0"),
        FORMATS,
    ),
    contradicted(
        (60, 61),
        "Otherwise SrcB's format counts: the override's value if the override is on, the configured one if not.",
        sfpload!("execute: resolve_mod0"),
        MODES,
        "TX-19",
    ),
    contradicted(
        (62, 63),
        "FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32 and INT16 make it BF16,",
        sfpload!("execute: resolve_mod0"),
        FORMATS,
        "TX-33",
    ),
    contradicted((64, 68), "and all others FP16.", sfpload!("execute: resolve_mod0"), FORMATS, "TX-33"),
    done(
        (70, 72),
        "Of the address the high eight bits select four rows, the next one even or odd columns, and the last nothing.",
        sfpload!("execute: dst_address"),
        LANES,
    ),
    done(
        (73, 73),
        "Imm10 and the thread's MATH_Offset are added, in ten bits.",
        sfpload!("execute: dst_address"),
        WRAP,
    ),
    contradicted(
        (74, 75),
        "INT32_ALL adds the low two bits of the sum of the thread's Dst counter and DEST_REGW_BASE.",
        sfpload!("execute: dst_address"),
        WRAP,
        "TX-19",
    ),
    contradicted((76, 78), "Other modes add the whole of it.", sfpload!("execute: dst_address"), WRAP, "TX-19"),
    contradicted((80, 80), "Data are moved only to registers below 8.", sfpload!("execute: run"), HIGH, "TX-17"),
    done((81, 81), "Each of 32 lanes is looked at.", sfpload!("execute: run"), MODES),
    contradicted(
        (82, 82),
        "A lane that BLOCK_SFPU_RD_FROM_DEST blocks is passed over,",
        sfpload!("execute: lane"),
        EXCHANGE,
        "TX-21",
    ),
    contradicted((82, 82), "before anything else is asked.", sfpload!("execute: lane"), ALL, "TX-22"),
    contradicted(
        (83, 83),
        "A lane moves if it is enabled, or if the mode is INT32_ALL.",
        sfpload!("execute: lane"),
        ALL,
        "TX-22",
    ),
    done((84, 84), "A datum has 32 bits.", sfpload!("execute: datum"), MODES),
    contradicted(
        (85, 85),
        "Its row is the first of an aligned group of four, and one further for every eight lanes.",
        sfpload!("execute: lane"),
        LANES,
        "TX-24",
    ),
    done((86, 86), "Its column is even, by the lane's place among eight.", sfpload!("execute: lane"), LANES),
    contradicted(
        (87, 89),
        "It is odd if the address says so, or DEST_RD_COL_EXCHANGE of the lane modulo 8.",
        sfpload!("execute: lane"),
        LANES,
        "TX-21",
    ),
    done((90, 90), "What becomes of the datum hangs on the mode.", sfpload!("execute: the switch over Mod0"), MODES),
    contradicted((91, 91), "FP16 reads 16 bits of Dst,", sfpload!("execute: datum, FP16"), LOADS_16, "TX-16"),
    contradicted((91, 91), "with ENABLE_FP16A_INF of the lane.", sfpload!("execute: datum, FP16"), INFINITY, "TX-21"),
    contradicted(
        (92, 92),
        "BF16 reads 16 bits, unshuffled and shifted to the high half.",
        sfpload!("execute: datum, BF16"),
        LOADS_16,
        "TX-14",
    ),
    contradicted(
        (93, 95),
        "FP32, INT32 and INT32_ALL read 32 bits, unshuffled.",
        sfpload!("execute: datum, FP32"),
        LOADS_32,
        "TX-16",
    ),
    contradicted(
        (96, 96),
        "INT32_SM reads 32 bits, unshuffled, and converts them to two's complement.",
        sfpload!("execute: datum, INT32_SM"),
        SM,
        "TX-23",
    ),
    contradicted(
        (97, 97),
        "INT8 reads 16 bits and keeps seven of magnitude.",
        sfpload!("execute: datum, INT8"),
        BY_CHIP,
        "TX-19",
    ),
    contradicted(
        (98, 98),
        "INT8_COMP reads 16 bits, keeps ten of magnitude and converts them to two's complement.",
        sfpload!("execute: datum, INT8_COMP"),
        BY_CHIP,
        "TX-23",
    ),
    done(
        (99, 99),
        "LO16_ONLY joins the register's high half with 16 bits.",
        sfpload!("execute: datum, LO16_ONLY"),
        LOADS_16,
    ),
    contradicted(
        (100, 100),
        "HI16_ONLY joins 16 bits with the register's low half.",
        sfpload!("execute: datum, HI16_ONLY"),
        LOADS_16,
        "TX-14",
    ),
    done((101, 101), "INT16 reads 16 bits as sign and magnitude.", sfpload!("execute: datum, INT16"), LOADS_16),
    done((102, 103), "UINT16 and LO16 read 16 bits.", sfpload!("execute: datum, UINT16"), LOADS_16),
    contradicted(
        (104, 104),
        "HI16 reads 16 bits to the high half.",
        sfpload!("execute: datum, HI16"),
        LOADS_16,
        "TX-14",
    ),
    contradicted((105, 105), "MOD0_FMT_ZERO gives 0.", sfpload!("execute: datum, ZERO"), LOADS_16, "TX-16"),
    done((106, 107), "MOD0_FMT_SRCB is gone by now.", sfpload!("execute: resolve_mod0"), FORMATS),
    done((108, 108), "The datum replaces the lane's word of the register.", sfpload!("execute: lane"), MODES),
    contradicted(
        (109, 114),
        "If the register is one of the first four and both ENABLE_DEST_INDEX and CAPTURE_DEFAULT_DEST_INDEX of the lane are set,",
        sfpload!("execute: lane"),
        CAPTURE,
        "TX-20",
    ),
    contradicted(
        (110, 110),
        "the lane's word of the register four further becomes row times 16 plus column.",
        sfpload!("execute: lane"),
        CAPTURE,
        "TX-24",
    ),
    done(
        (116, 117),
        "At the end the counters advance as the AddrMod bits select, but for the fidelity phase.",
        sfpload!("execute: run, by apply_partial_addr_mod of rwcs.rs"),
        PARTIAL,
    ),
    done((122, 137), "The 16 modes have the codes 0 to 15.", "isa/src/tensix/inst/sfpload.rs, SRCB", ROUND_TRIP),
    done((139, 139), "ReadFP16 makes 32 bits of 16, by ENABLE_FP16A_INF.", sfpload!("execute: read_fp16"), INFINITY),
    done(
        (140, 143),
        "Its input is sign, ten mantissa bits, five exponent bits.",
        sfpload!("execute: read_fp16"),
        LOADS_16,
    ),
    done(
        (144, 145),
        "With ENABLE_FP16A_INF the largest magnitude becomes infinity of IEEE 754.",
        sfpload!("execute: read_fp16"),
        INFINITY,
    ),
    done(
        (146, 147),
        "Otherwise an exponent that is not 0 is rebiased by 112.",
        sfpload!("execute: read_fp16"),
        LOADS_16,
    ),
    done(
        (148, 150),
        "A denormal becomes another denormal; later arithmetic would flush it.",
        sfpload!("execute: read_fp16"),
        LOADS_16,
    ),
    done(
        (151, 152),
        "Sign, exponent and mantissa are put together as in FP32.",
        sfpload!("execute: read_fp16"),
        LOADS_16,
    ),
    done((154, 154), "SignMag8ToSignMag32 makes 32 bits of 16.", sfpload!("execute: sign_mag8_to_sign_mag32"), BY_CHIP),
    done(
        (155, 157),
        "Of its input count the sign and the low seven of ten bits of magnitude; five more below are ignored.",
        sfpload!("execute: sign_mag8_to_sign_mag32"),
        BY_CHIP,
    ),
    done((158, 159), "The sign goes to the top.", sfpload!("execute: sign_mag8_to_sign_mag32"), BY_CHIP),
    done(
        (161, 161),
        "SignMag11ToSignMag32 makes 32 bits of 16.",
        sfpload!("execute: sign_mag11_to_sign_mag32"),
        BY_CHIP,
    ),
    done(
        (162, 164),
        "Of its input count the sign and ten bits of magnitude; five below are ignored.",
        sfpload!("execute: sign_mag11_to_sign_mag32"),
        BY_CHIP,
    ),
    done((165, 166), "The sign goes to the top.", sfpload!("execute: sign_mag11_to_sign_mag32"), BY_CHIP),
    done(
        (168, 168),
        "SignMag16ToSignMag32 makes 32 bits of 16.",
        sfpload!("execute: sign_mag16_to_sign_mag32"),
        LOADS_16,
    ),
    done(
        (169, 171),
        "Its input is sign and 15 bits of magnitude.",
        sfpload!("execute: sign_mag16_to_sign_mag32"),
        LOADS_16,
    ),
    done((172, 173), "The sign goes to the top.", sfpload!("execute: sign_mag16_to_sign_mag32"), LOADS_16),
    done(
        (175, 176),
        "SignMagToTwosComp makes two's complement of sign and 31 bits of magnitude.",
        sfpload!("execute: sign_mag_to_twos_comp"),
        SM,
    ),
    done((177, 178), "It takes them apart with masks.", sfpload!("execute: sign_mag_to_twos_comp"), SM),
    contradicted(
        (179, 180),
        "With the sign the magnitude is negated.",
        sfpload!("execute: sign_mag_to_twos_comp"),
        SM,
        "TX-23",
    ),
    done((182, 182), "UnshuffleFP32 makes 32 bits of 32.", sfpload!("execute: unshuffle_fp32"), LOADS_32),
    done(
        (183, 184),
        "Sign, high mantissa, exponent, low mantissa become sign, exponent, high mantissa, low mantissa.",
        sfpload!("execute: unshuffle_fp32"),
        LOADS_32,
    ),
    done(
        (185, 190),
        "That is UnshuffleBF16 of the high half; the low half stays.",
        sfpload!("execute: unshuffle_fp32"),
        LOADS_32,
    ),
    done((192, 192), "UnshuffleBF16 makes 16 bits of 16.", sfpload!("execute: unshuffle_bf16"), LOADS_16),
    done(
        (193, 194),
        "Sign, mantissa, exponent become sign, exponent, mantissa.",
        sfpload!("execute: unshuffle_bf16"),
        LOADS_16,
    ),
    done((195, 197), "It takes them apart with masks.", sfpload!("execute: unshuffle_bf16"), LOADS_16),
    done(
        (198, 199),
        "The exponent moves up by seven and the mantissa down by eight.",
        sfpload!("execute: unshuffle_bf16"),
        LOADS_16,
    ),
    left_out(
        (204, 204),
        "After an instruction of the Matrix Unit that writes to Dst, three unrelated ones should come before a load of the same place.",
        TIMING,
    ),
    left_out((204, 204), "A Tensix NOP of any kind may be one of them.", TIMING),
    left_out(
        (204, 204),
        "STALLWAIT with block bit B8 and condition C7 does too, but is not what is recommended.",
        TIMING,
    ),
];

#[cfg(test)]
mod tests {
    use super::STATEMENTS;
    use crate::statement::gate::Gate;
    use crate::tensix::{errata, pages};

    /// Headings, and the label above the helpers.
    const HEADINGS: &[u32] = &[1, 7, 13, 17, 42, 50, 120, 202];
    /// Fences of code blocks.
    const FENCES: &[u32] = &[9, 11, 52, 118, 121, 200];
    /// Blank lines, of the text and of the pseudo-code.
    const BLANK: &[u32] = &[
        2, 4, 6, 8, 12, 14, 16, 18, 20, 37, 39, 41, 43, 45, 47, 49, 51, 55, 69, 79, 115, 119, 138, 153, 160, 167, 174,
        181, 191, 201, 203,
    ];

    #[test]
    fn statements_and_page_go_together() {
        let gate = Gate {
            statements: STATEMENTS,
            page: &pages::SFPLOAD_SPEC,
            errata: errata::WORMHOLE,
            last_line: 204,
            silent: &[HEADINGS, FENCES, BLANK],
            contradicted_elsewhere: &[],
        };
        gate.check();
    }
}
