//! Every statement of the page MOVA2D (commit 22812eeb), in our words, and where it went.
//!
//! A line that holds several sentences, or one that several errata speak of, has several entries. Lines without an
//! entry are headings, fences and blank lines; a test below lists them and allows no others.

use crate::Statement;
use crate::statement::{contradicted, done, left_out};

/// An item of the instruction in the reference, and a landmark in it.
macro_rules! mova2d {
    ($item:literal) => {
        concat!("reference/src/tensix/mova2d.rs, ", $item)
    };
}

const SYNTAX: &str = "isa/src/tensix/inst/mova2d_syntax.rs, print";
const ENCODING: &str = "isa/src/tensix/inst/mova2d.rs, OPCODE";
const REMOVE_LOW_MANTISSA: &str = mova2d!("remove_low_mantissa");
const REMOVE_HIGH_EXPONENT: &str = mova2d!("remove_high_exponent");

const MODES: &str = "every_instruction_agrees_in_every_mode";
const AXES: &str = "orthogonal_axes_are_covered_three_ways";
const VALUES: &str = "mova2d_moves_every_source_value_exactly";
const PAIR: &str = "mova2d_pair_combines_two_spans";
const VIEWS: &str = "mova2d_mixed_views_share_storage";
const ROUND_TRIP: &str = "encodings_and_texts_round_trip";
const VECTORS: &str = "recorded_vectors_replay";
const FAULTS: &str = "every_fault_of_the_catalogue_is_found";

const TIMING: &str = "cycle timing is out of scope by decision";

/// The statements, by line.
pub(super) static STATEMENTS: &[Statement] = &[
    // Summary.
    done((3, 3), "One row of data goes from SrcA to Dst,", mova2d!("RowRange::of: Move8Rows = 0"), MODES),
    done((3, 3), "or an aligned block of eight rows does.", mova2d!("RowRange::of: Move8Rows = 1"), MODES),
    done(
        (3, 3),
        "SrcA and Dst hold different types; TF32, and BF16 as TF32, can become FP32 in Dst.",
        mova2d!("Datums::move_datum: the 32-bit write"),
        VALUES,
    ),
    contradicted(
        (3, 3),
        "BF16, FP16 and integer \"8\" can pass to Dst as they are.",
        mova2d!("Datums::move_datum: the 16-bit write"),
        VALUES,
        "TX-01",
    ),
    done(
        (3, 3),
        "Two of these instructions can join two spans of 16-bit data, lane by lane, to one span of 32-bit data.",
        mova2d!("Datums::move_datum: the 32-bit and the low-half write"),
        PAIR,
    ),
    left_out(
        (5, 5),
        "The Matrix Unit executes it.",
        "which unit executes has no effect on one instruction's result, beyond the bank that line 26 names",
    ),
    // Syntax.
    done((10, 10), "The first operand is UseDst32bLo, one bit.", SYNTAX, ROUND_TRIP),
    done((11, 11), "The second is SrcRow, six bits.", SYNTAX, ROUND_TRIP),
    contradicted((12, 12), "The third is AddrMod, two bits.", SYNTAX, ROUND_TRIP, "TX-09"),
    done((13, 13), "The fourth is Move8Rows, one bit, shifted left by one.", SYNTAX, ROUND_TRIP),
    done((14, 14), "The fifth is DstRow, ten bits.", SYNTAX, ROUND_TRIP),
    // Encoding.
    contradicted(
        (19, 19),
        "A picture shows where the opcode and the fields lie in the word.",
        ENCODING,
        ROUND_TRIP,
        "TX-09",
    ),
    // Functional model: dispatch.
    done(
        (23, 23),
        "The instruction may have to wait at the Wait Gate before it reaches the Matrix Unit.",
        mova2d!("execute: the Wait Gate"),
        AXES,
    ),
    done(
        (26, 28),
        "It waits as long as the Matrix Unit's current SrcA bank is not the Matrix Unit's to use.",
        mova2d!("execute: the Wait Gate, Blocked"),
        AXES,
    ),
    done((31, 31), "What follows happens once it was dispatched.", mova2d!("execute: after the Wait Gate"), AXES),
    done((33, 33), "The thread's StateID is one bit of its ThreadConfig.", mova2d!("config_state"), AXES),
    done((34, 34), "It selects one of the banks of Config.", mova2d!("config_state"), AXES),
    // Functional model: formats.
    done((36, 36), "The data formats come first.", mova2d!("Datums::of"), MODES),
    contradicted(
        (37, 37),
        "SrcAFmt is the override's value if the override is on, and the configured SrcA format if not.",
        mova2d!("Datums::of: srca_fmt"),
        MODES,
        "TX-07",
    ),
    done(
        (38, 40),
        "With FP16A_FORCE_Enable of the thread, the exponent has five bits whatever the format.",
        mova2d!("widths_spec: FP16A_FORCE_Enable"),
        MODES,
    ),
    contradicted(
        (41, 42),
        "Otherwise FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32 and INT16 have an 8-bit exponent.",
        mova2d!("is_8b_exponent_format"),
        FAULTS,
        "TX-06",
    ),
    contradicted(
        (41, 41),
        "Formats are values of four bits, named.",
        "isa/src/tensix/format.rs, CODE_NAMES",
        VECTORS,
        "TX-11",
    ),
    contradicted((43, 45), "All others have a 5-bit exponent.", mova2d!("is_8b_exponent_format"), MODES, "TX-10"),
    done(
        (46, 46),
        "Denormals are flushed unless Zero_Flag_disabled_src is set.",
        mova2d!("Datums::of: flush_denormals"),
        MODES,
    ),
    // Functional model: rows.
    done((48, 49), "The number of rows and the first row of each side come next.", mova2d!("RowRange::of"), AXES),
    done((50, 50), "DstRow grows by the thread's MATH_Offset,", mova2d!("RowRange::of"), AXES),
    done((51, 51), "by the thread's Dst counter and by DEST_REGW_BASE.", mova2d!("RowRange::of"), AXES),
    done((52, 52), "SrcRow grows by the thread's SrcA counter.", mova2d!("RowRange::of"), AXES),
    done(
        (53, 56),
        "With Move8Rows there are eight rows, and both first rows lose their low three bits and what exceeds their \
         width (ten bits, six bits).",
        mova2d!("RowRange::of: Move8Rows = 1"),
        AXES,
    ),
    done(
        (57, 61),
        "Without it there is one, and both rows only lose what exceeds their width.",
        mova2d!("RowRange::of: Move8Rows = 0"),
        AXES,
    ),
    // Functional model: the copy.
    done((63, 63), "Then the rows are copied.", mova2d!("execute: the copy"), MODES),
    done((64, 64), "Row by row; both sides go up by one.", mova2d!("execute: the copy"), MODES),
    done((65, 65), "All sixteen columns of a row.", mova2d!("Datums::move_row"), MODES),
    contradicted(
        (66, 66),
        "A column is skipped if its bit of BLOCK_DEST_MOV is set: two columns to a LaneConfig, the even one first.",
        mova2d!("block_dest_mov"),
        AXES,
        "TX-08",
    ),
    contradicted(
        (67, 67),
        "The datum is the 19 bits at row and column of the current bank.",
        mova2d!("Datums::move_datum: srca_val"),
        VALUES,
        "TX-13",
    ),
    contradicted(
        (68, 68),
        "With flushing on it becomes 0 if its low eight bits are 0.",
        mova2d!("Datums::move_datum: the flush"),
        VALUES,
        "TX-12",
    ),
    done(
        (69, 69),
        "Sixteen bits are made of it: without low mantissa for an 8-bit exponent, without high exponent for five bits.",
        mova2d!("Datums::move_datum: val16b"),
        VALUES,
    ),
    contradicted(
        (70, 70),
        "If SrcAFmt is TF32, 32 bits are written.",
        mova2d!("widths_spec: use_dst32b"),
        FAULTS,
        "TX-03",
    ),
    done(
        (71, 71),
        "The low half has the datum's low three mantissa bits at its top, which are those that the 16 bits lack.",
        mova2d!("Datums::move_datum: low_mantissa"),
        VALUES,
    ),
    contradicted(
        (72, 75),
        "With UseDst32bLo, the 16 bits are OR-ed into the low half; hardly useful.",
        mova2d!("Datums::move_datum: low_mantissa with UseDst32bLo"),
        MODES,
        "TX-04",
    ),
    done(
        (76, 77),
        "TF32 lies in Dst as sign, seven mantissa bits, exponent, three mantissa bits, thirteen zeros: FP32 with a \
         shorter mantissa.",
        mova2d!("Datums::move_datum: the 32-bit write"),
        VALUES,
    ),
    contradicted(
        (78, 78),
        "The 16 bits are the high half of what Dst32b gets.",
        mova2d!("Datums::move_datum: the 32-bit write; its mark in move_row"),
        VALUES,
        "TX-08",
    ),
    contradicted(
        (79, 79),
        "If SrcAFmt is not TF32 and UseDst32bLo is set, the low half of Dst32b is written.",
        mova2d!("Datums::move_datum: the low-half write"),
        MODES,
        "TX-05",
    ),
    done(
        (80, 81),
        "That is of use mostly for packing two values of 16 bits into a datum of Dst32b.",
        mova2d!("Datums::move_datum: the low-half write"),
        PAIR,
    ),
    done(
        (82, 84),
        "For a pair, move the high halves with TF32 first, then the low halves with another format and UseDst32bLo.",
        mova2d!("Datums::move_datum: the 32-bit and the low-half write"),
        PAIR,
    ),
    done(
        (84, 86),
        "If the first move has another format, Dst is accessed through both views; it works for who knows the storage.",
        "reference/src/tensix/dst.rs, adj32",
        VIEWS,
    ),
    contradicted(
        (87, 87),
        "The 16 bits replace the low half of Dst32b, whose high half stays.",
        mova2d!("Datums::move_datum: the low-half write; its mark in move_row"),
        FAULTS,
        "TX-08",
    ),
    contradicted(
        (88, 88),
        "In all other cases 16 bits are written.",
        mova2d!("Datums::move_datum: the 16-bit write"),
        MODES,
        "TX-05",
    ),
    done((89, 89), "BF16 lies in Dst as sign, seven mantissa bits, exponent.", REMOVE_LOW_MANTISSA, VALUES),
    done((90, 90), "FP16 lies in Dst as sign, ten mantissa bits, five exponent bits.", REMOVE_HIGH_EXPONENT, VALUES),
    contradicted(
        (91, 94),
        "The 16 bits are what Dst16b gets.",
        mova2d!("Datums::move_datum: the 16-bit write; its mark in move_row"),
        VALUES,
        "TX-08",
    ),
    // Functional model: counters.
    done((96, 96), "The counters advance at the end.", mova2d!("execute: the counters"), AXES),
    done(
        (97, 97),
        "They advance as the AddrMod bits select.",
        mova2d!("execute: the counters, by apply_addr_mod of rwcs.rs"),
        AXES,
    ),
    // Supporting definitions: RemoveLowMantissa.
    done((102, 102), "RemoveLowMantissa makes 16 bits of 19.", REMOVE_LOW_MANTISSA, VALUES),
    done((103, 103), "Its input is sign, ten mantissa bits, eight exponent bits.", REMOVE_LOW_MANTISSA, VALUES),
    done(
        (104, 104),
        "Its output is sign, the high seven mantissa bits, eight exponent bits.",
        REMOVE_LOW_MANTISSA,
        VALUES,
    ),
    done(
        (106, 107),
        "It is meant for BF16 in the layout of Src, whose low three mantissa bits are 0, and gives BF16 in the layout \
         of Dst.",
        REMOVE_LOW_MANTISSA,
        VALUES,
    ),
    done(
        (107, 110),
        "Given TF32 it drops the low three mantissa bits, which the 32-bit path of MOVA2D can put back.",
        REMOVE_LOW_MANTISSA,
        VALUES,
    ),
    contradicted((112, 112), "The sign is taken with a mask.", REMOVE_LOW_MANTISSA, VALUES, "TX-02"),
    contradicted(
        (113, 113),
        "The high mantissa bits are taken with a mask from bit 11 on.",
        REMOVE_LOW_MANTISSA,
        VALUES,
        "TX-02",
    ),
    done((114, 114), "The exponent is the low eight bits.", REMOVE_LOW_MANTISSA, VALUES),
    done(
        (115, 116),
        "Sign and mantissa move down by three and join the exponent, which stays.",
        REMOVE_LOW_MANTISSA,
        VALUES,
    ),
    // Supporting definitions: RemoveHighExponent.
    done((118, 118), "RemoveHighExponent makes 16 bits of 19.", REMOVE_HIGH_EXPONENT, VALUES),
    done((119, 119), "Its input is sign, ten mantissa bits, eight exponent bits.", REMOVE_HIGH_EXPONENT, VALUES),
    done(
        (120, 120),
        "Its output is sign, ten mantissa bits, the low five exponent bits.",
        REMOVE_HIGH_EXPONENT,
        VALUES,
    ),
    done(
        (122, 123),
        "It is meant for FP16 in the layout of Src, whose high three exponent bits are 0, and gives FP16 in the layout \
         of Dst.",
        REMOVE_HIGH_EXPONENT,
        VALUES,
    ),
    contradicted((125, 125), "The sign is taken with a mask.", REMOVE_HIGH_EXPONENT, FAULTS, "TX-01"),
    done((126, 126), "The mantissa is ten bits from bit 8 on.", REMOVE_HIGH_EXPONENT, VALUES),
    done((127, 127), "The exponent is the low five bits.", REMOVE_HIGH_EXPONENT, VALUES),
    done(
        (128, 129),
        "Sign and mantissa move down by three and join the exponent, which stays.",
        REMOVE_HIGH_EXPONENT,
        VALUES,
    ),
    // Scheduling.
    left_out((134, 134), "For three cycles, software should not read the part of Dst that was written.", TIMING),
    left_out((134, 134), "Hardware enforces that in part: it stalls certain instructions of the same thread,", TIMING),
    left_out((134, 134), "wherever in Dst they would read, for as many cycles as it takes.", TIMING),
    left_out(
        (134, 134),
        "They are MOVD2A, MOVD2B, ELWMUL, MVMUL, DOTPV, GMPOOL, GAPOOL and the legacy convolutions and pools (3S1, \
         3S2).",
        TIMING,
    ),
];

#[cfg(test)]
mod tests {
    use super::STATEMENTS;
    use crate::statement::gate::Gate;
    use crate::tensix::{errata, pages};

    /// Headings, and the label above the helpers.
    const HEADINGS: &[u32] = &[1, 7, 17, 21, 100, 132];
    /// Fences of code blocks.
    const FENCES: &[u32] = &[9, 15, 25, 29, 32, 98, 101, 130];
    /// Blank lines, of the text and of the pseudo-code.
    const BLANK: &[u32] = &[2, 4, 6, 8, 16, 18, 20, 22, 24, 30, 35, 47, 62, 95, 99, 105, 111, 117, 121, 124, 131, 133];

    #[test]
    fn statements_and_page_go_together() {
        let gate = Gate {
            statements: STATEMENTS,
            page: &pages::MOVA2D_SPEC,
            errata: errata::WORMHOLE,
            last_line: 134,
            silent: &[HEADINGS, FENCES, BLANK],
            // The summary of line 3 is contradicted by what a helper far below does.
            contradicted_elsewhere: &[(3, 3)],
        };
        gate.check();
    }
}
