//! Every statement of the page DPAS (commit 535d40a8), in our words, and where it went.
//!
//! A line that holds several sentences has several entries. Lines without an entry are headings, fences, the frames of
//! tables, the licence and blank ones; the test below lists them and allows no others.

use crate::Statement;
use crate::statement::{contradicted, done, left_out};

/// An item of the reference of the instruction.
macro_rules! dpas {
    ($item:literal) => {
        concat!("reference/src/visa/dpas.rs, ", $item)
    };
}

const LOOK_THROUGH: &str = dpas!("Dpas::of");
const OPS_PER_CHAN: &str = dpas!("ops_per_chan");
const LEGAL_TYPES: &str = dpas!("legal_types");
const READ_SRC0: &str = dpas!("Dpas::read_src0");
const READ_SRC1: &str = dpas!("Dpas::read_src1");
const READ_SRC2: &str = dpas!("Dpas::read_src2");
const BRANCHES: &str = dpas!("Dpas::multiply_add");
const LOOPS: &str = dpas!("Dpas::loops");
const WRITE_DST: &str = dpas!("Dpas::write_dst");
const SRC2_OPERAND: &str = dpas!("src2_operand");
const WIDEN: &str = dpas!("widen");
const INTEGER: &str = "reference/src/visa/dpas/accumulate.rs, Integer::add_dot";
const ADD_DOT: &str = "reference/src/visa/dpas/accumulate.rs, Accumulator::add_dot";
const RAW_OPERAND: &str = "reference/src/visa/operands.rs, RawOperand::of";
const MASK_CONTROL: &str = "reference/src/visa/predication.rs, MaskControl";
const PRECISION: &str = "isa/src/visa/precision.rs, Precision::of_code";
const BYTES: &str = "isa/src/visa/operand/dpas_bytes.rs, to_bytes";
const TEXT: &str = "isa/src/visa/inst/dpas_text.rs, print";

const MODES: &str = "every_instruction_agrees_in_every_mode";
const AXES: &str = "orthogonal_axes_are_covered_three_ways";
const BYTE_FORM: &str = "the_byte_form_is_laid_out_as_the_pages_say";
const SYNTAX: &str = "the_pages_own_syntax_is_read";
const PRECISIONS: &str = "codes_names_and_widths_go_together";
const MATRIX: &str = "integers_are_the_matrix_product_for_every_pair_depth_and_pitch";
const SUMS: &str = "the_models_of_a_sum_differ_as_they_are_defined";
const REFUSED: &str = "what_is_not_promised_is_refused_by_strength";
const CLASSES: &str = "the_cells_fit_in_a_case_id_and_show_every_class";
const PLACES: &str = "promised_cells_keep_the_rules_and_have_the_levels_that_they_say";
const ONE_BIT: &str = "vx_40_28_of_64_pairs_have_one_bit";
const FP8: &str = "vx_41_as_integers_1_times_1_is_3600";
const PACKED: &str = "vx_43_8_packed_rows_take_256_bytes_of_512";
const NO_DF: &str = "vx_45_no_code_is_left_for_df";
const ALIGNMENTS: &str = "vx_46_20_of_144_alignments_are_0";
const REGIONS: &str = "vx_47_512_of_4096_regions_have_listed_codes";
const DENORMALS: &str = "vx_51_bf_has_254_denormals_hf_2046_and_f_16777214";
const NANS: &str = "vx_52_any_of_16777214_nans_of_f_would_do";
const ROUNDED: &str = "vx_53_4095_of_8192_values_round_up_to_the_next_hf";
const TF32: &str = "vx_54_each_tf32_has_8192_patterns";
const MACHINES: &str = "vx_58_3_of_4_pairs_of_register_and_platform_are_machines";
const OTHER_END: &str = "vx_61_counted_from_the_other_end_sums_change";

const ANNOUNCES: &str = "it announces what follows";

/// The statements, by line.
pub(super) static STATEMENTS: &[Statement] = &[
    done((11, 11), "The opcode is 0x83.", BYTES, BYTE_FORM),
    done(
        (17, 18),
        "The opcode is followed by Exec_size, Dst, Src0, Src1, Src2, W, A, SD and RC, in this order.",
        BYTES,
        BYTE_FORM,
    ),
    done((25, 27), "The result is C + A x B, of matrices.", LOOPS, MATRIX),
    done((29, 33), "D is Dst and C Src0, both MxN; A is Src2, MxK; B is Src1, KxN.", LOOPS, MATRIX),
    contradicted((35, 35), "M is the repeat count.", LOOPS, MATRIX, "VX-59"),
    done((36, 36), "N is the execution size, which is fixed: 8 or 16.", LOOK_THROUGH, MATRIX),
    contradicted(
        (37, 42),
        "K is the depth times OPS_PER_CHAN: 1 for tf32, 2 for 16 bits, 4 for 8, 8 for fewer (2 and 4).",
        OPS_PER_CHAN,
        MATRIX,
        "VX-40",
    ),
    contradicted((41, 41), "Floats of 8 bits have 4 operations too.", LOOK_THROUGH, FP8, "VX-41"),
    done((44, 44), "At depth 8, K is 8, 16, 32 or 64.", OPS_PER_CHAN, MATRIX),
    done((46, 46), "Src2 is A and Src1 is B.", LOOPS, MATRIX),
    left_out((48, 50), "The layout of B in registers is what takes an explanation.", ANNOUNCES),
    contradicted(
        (52, 53),
        "Dst, Src0 and Src2 are row-major in the registers as one sequence.",
        READ_SRC2,
        OTHER_END,
        "VX-61",
    ),
    contradicted(
        (53, 56),
        "Src1 is seen in two dimensions, with a register of 16 double words (or 8) for a row, so that N is 16 (or 8).",
        READ_SRC1,
        MATRIX,
        "VX-61",
    ),
    done((57, 59), "Column i of B is packed into column i of double words.", READ_SRC1, MATRIX),
    done(
        (59, 61),
        "With 8 bits, the 32 elements of a column take 8 double words, and the matrix 8 registers.",
        READ_SRC1,
        MATRIX,
    ),
    left_out((63, 63), "The details follow.", ANNOUNCES),
    left_out((65, 67), "The semantics of integers, bf and hf follow, in a notation.", ANNOUNCES),
    contradicted(
        (69, 72),
        "dot2, dot4 and dot8 are dot products of as many elements, which begin at an offset of each operand.",
        ADD_DOT,
        MATRIX,
        "VX-61",
    ),
    done((72, 74), "The elements of the two may have different sizes, for example 4 and 8 bits.", READ_SRC2, MATRIX),
    done(
        (74, 76),
        "DW[j] and R[j] are the double word and the register number j; all numbers begin at 0.",
        READ_SRC1,
        MATRIX,
    ),
    contradicted(
        (77, 77),
        "A register has 8 double words before PVC and 16 from PVC on.",
        LOOK_THROUGH,
        MACHINES,
        "VX-58",
    ),
    contradicted(
        (77, 77),
        "The size of a register is given as 8, without a unit, and as 16 double words.",
        LOOK_THROUGH,
        "vx_62_the_second_precision_is_that_of_src2",
        "VX-62",
    ),
    done((80, 80), "bf and hf have 16 bits, in both sources.", WIDEN, MODES),
    contradicted((81, 81), "Elements of Src0 and Dst have 4 bytes, integers or F.", READ_SRC0, PACKED, "VX-43"),
    contradicted(
        (82, 83),
        "Elements of Src1 and Src2 have 2, 4, 8 or 16 bits, by their precisions.",
        READ_SRC1,
        ONE_BIT,
        "VX-40",
    ),
    contradicted(
        (85, 88),
        "With 16 bits in Src1, and then in Src2, there are 2 operations.",
        OPS_PER_CHAN,
        "vx_38_tf32_divides_8_depths_by_0",
        "VX-38",
    ),
    contradicted(
        (89, 91),
        "If either precision is 8, there are 4.",
        OPS_PER_CHAN,
        "vx_39_by_the_code_9_of_20_pairs_of_8_bits_are_lost",
        "VX-39",
    ),
    contradicted(
        (92, 95),
        "Otherwise there are 8, of integers.",
        OPS_PER_CHAN,
        "vx_38_tf32_divides_8_depths_by_0",
        "VX-38",
    ),
    done((97, 99), "A double word of Src1 may serve several depths: 4 with 2 bits and 4 operations.", LOOPS, MATRIX),
    done(
        (100, 101),
        "At depth 8, the first 4 of these use the first register of Src1 and the other 4 the second.",
        LOOPS,
        MATRIX,
    ),
    done((101, 103), "With 8 bits each depth has a double word, and the next depth the next register.", LOOPS, MATRIX),
    contradicted(
        (104, 107),
        "SRC1_OPERANDS_PER_CHAN is how many operands of one dot product a double word of Src1 has; 1 for floats.",
        LOOK_THROUGH,
        "vx_38_tf32_divides_8_depths_by_0",
        "VX-38",
    ),
    contradicted(
        (106, 106),
        "dot2 is of bf and, by the text, bf.",
        BRANCHES,
        "vx_62_the_second_precision_is_that_of_src2",
        "VX-62",
    ),
    contradicted(
        (107, 111),
        "For integers it is 1, 2 or 4 with 8, 4 or 2 bits and 4 operations; 1 or 2 with 4 or 2 bits and 8.",
        LOOK_THROUGH,
        ONE_BIT,
        "VX-40",
    ),
    done((112, 112), "It is 32 / (OPS_PER_CHAN * bits of Src1).", LOOK_THROUGH, MATRIX),
    contradicted((114, 114), "Exec_size is 8 before PVC and 16 otherwise.", LOOK_THROUGH, MACHINES, "VX-58"),
    contradicted(
        (116, 116),
        "The place in Src2 begins at 0.",
        LOOPS,
        "vx_36_at_depth_8_all_312_rows_begin_where_the_prose_says",
        "VX-36",
    ),
    contradicted(
        (117, 118),
        "A loop goes over the rows; it looks at i.",
        LOOPS,
        "vx_35_as_printed_16_rows_of_72_are_executed",
        "VX-35",
    ),
    contradicted(
        (117, 118),
        "It ends at the repeat count.",
        LOOK_THROUGH,
        "vx_59_8_of_256_repeat_counts_are_promised",
        "VX-59",
    ),
    contradicted((119, 119), "A row begins with a register of Src0.", READ_SRC0, PACKED, "VX-43"),
    done((120, 121), "Within it a loop goes over the depths.", LOOPS, MATRIX),
    done(
        (122, 123),
        "The register of Src1 is d / SRC1_OPERANDS_PER_CHAN; the element is the rest, times OPS_PER_CHAN.",
        LOOPS,
        MATRIX,
    ),
    contradicted(
        (124, 125),
        "A loop goes over all channels.",
        LOOPS,
        "vx_56_15_of_16_masks_could_disable_a_channel",
        "VX-56",
    ),
    contradicted(
        (126, 129),
        "Dot products of 4 or 8 integers are added to a double word.",
        INTEGER,
        "vx_49_a_row_adds_up_to_2080800_at_most",
        "VX-49",
    ),
    contradicted((126, 127), "Whatever has 4 operations is an integer.", BRANCHES, FP8, "VX-41"),
    contradicted((130, 131), "Otherwise one of 2 floats is added to an F;", BRANCHES, SUMS, "VX-50"),
    contradicted((131, 131), "of denormals,", WIDEN, DENORMALS, "VX-51"),
    contradicted((131, 131), "of NaN,", ADD_DOT, NANS, "VX-52"),
    contradicted((131, 132), "and of destinations of 16 bits it says nothing.", WRITE_DST, ROUNDED, "VX-53"),
    contradicted(
        (133, 134),
        "The place in Src2 goes on by OPS_PER_CHAN after each depth.",
        LOOPS,
        "vx_37_below_depth_8_all_819_rows_but_the_first_begin_elsewhere",
        "VX-37",
    ),
    contradicted(
        (136, 138),
        "A row is written when its depths are done, before the next one is read;",
        dpas!("execute"),
        "vx_60_overlap_shows_the_order_of_rows",
        "VX-60",
    ),
    contradicted((136, 138), "it is a register of Dst.", WRITE_DST, PACKED, "VX-43"),
    contradicted((140, 140), "Dst and Src0 go on by a register with each row,", WRITE_DST, PACKED, "VX-43"),
    contradicted(
        (140, 141),
        "Src2 by 8 * OPS_PER_CHAN;",
        LOOK_THROUGH,
        "vx_37_below_depth_8_all_819_rows_but_the_first_begin_elsewhere",
        "VX-37",
    ),
    done((141, 141), "Src1 is the same for each row.", LOOPS, MATRIX),
    done(
        (158, 159),
        "Integers have at most 8 bits and are multiplied and added in a systolic pipeline.",
        LOOPS,
        MATRIX,
    ),
    done(
        (159, 161),
        "Src1 are the weights, of precision W; Src2 the activations, of precision A.",
        LOOK_THROUGH,
        MATRIX,
    ),
    contradicted(
        (161, 161),
        "Src1 is divided into elements in each channel of 32 bits.",
        READ_SRC1,
        OTHER_END,
        "VX-61",
    ),
    contradicted(
        (163, 164),
        "Floats always have 16 bits, two in a channel,",
        READ_SRC1,
        "vx_38_tf32_divides_8_depths_by_0",
        "VX-38",
    ),
    contradicted((163, 164), "and are hf or bf.", LOOK_THROUGH, FP8, "VX-41"),
    contradicted(
        (167, 168),
        "A precision is the type of an operand's elements: integers of at most 8 bits, bf and hf of 16.",
        WIDEN,
        "vx_38_tf32_divides_8_depths_by_0",
        "VX-38",
    ),
    left_out((169, 169), "No other instruction has precisions.", "it says nothing about this one"),
    contradicted((169, 170), "An operand with a precision is of type D or UD.", LOOK_THROUGH, NO_DF, "VX-45"),
    contradicted((170, 173), "The table has all precisions, their codes and names.", PRECISION, FP8, "VX-41"),
    done((176, 180), "Code 0 is unused.", PRECISION, PRECISIONS),
    contradicted((181, 185), "u1 (code 1) is 0 or 1, s1 (code 2) -1 or 0.", PRECISION, ONE_BIT, "VX-40"),
    done((186, 189), "u2 (3) is 0 to 3, s2 (4) -2 to 1.", WIDEN, MATRIX),
    done((190, 193), "u4 (5) is 0 to 15, s4 (6) -8 to 7.", WIDEN, MATRIX),
    done((194, 197), "u8 (7) is 0 to 255, s8 (8) -128 to 127.", WIDEN, MATRIX),
    done((198, 201), "bf (9) is bfloat16, hf (10) fp16.", WIDEN, MODES),
    contradicted((202, 203), "tf32 has the code 1100b.", PRECISION, "vx_55_the_code_of_tf32_is_0x0c", "VX-55"),
    contradicted(
        (206, 207),
        "bfloat16 has 8 bits of exponent and 7 of mantissa, as the high half of an F.",
        WIDEN,
        DENORMALS,
        "VX-51",
    ),
    contradicted((207, 207), "fp16 is that of IEEE 754.", WIDEN, NANS, "VX-52"),
    contradicted((211, 211), "tf32 has 19 bits: sign, 8 of exponent, 10 of mantissa.", WIDEN, TF32, "VX-54"),
    done((214, 214), "Integer precisions of Src1 and Src2 may differ.", LEGAL_TYPES, MATRIX),
    contradicted(
        (214, 215),
        "Those of floats must be the same, bf or hf.",
        LEGAL_TYPES,
        "vx_42_2_of_4_pairs_of_fp8_are_mixed",
        "VX-42",
    ),
    contradicted((215, 216), "Of DF all operands must have that precision;", LOOK_THROUGH, NO_DF, "VX-45"),
    contradicted(
        (215, 215),
        "one of them is called srcs.",
        LOOK_THROUGH,
        "vx_62_the_second_precision_is_that_of_src2",
        "VX-62",
    ),
    contradicted((218, 218), "Dst and Src0 have 32 bits: D, UD or a float.", LEGAL_TYPES, PACKED, "VX-43"),
    contradicted((219, 220), "Src0 is added to, over a sequence of SD operations.", LOOPS, SUMS, "VX-50"),
    contradicted(
        (220, 222),
        "Each stage hands a double word to the next, the last one to Dst.",
        WRITE_DST,
        ROUNDED,
        "VX-53",
    ),
    contradicted((221, 221), "Or a DF.", LOOK_THROUGH, NO_DF, "VX-45"),
    done((222, 222), "The first stage has Src0.", READ_SRC0, MATRIX),
    done((224, 224), "The table of legal combinations is complete.", LEGAL_TYPES, CLASSES),
    left_out((225, 226), "A platform may restrict them further.", "no page says which does, and how"),
    left_out((228, 229), "The table's title.", ANNOUNCES),
    contradicted(
        (231, 235),
        "UD and D, for each of Dst and Src0, with integers;",
        LEGAL_TYPES,
        "vx_49_a_row_adds_up_to_2080800_at_most",
        "VX-49",
    ),
    contradicted((237, 237), "F and BF with bf;", LEGAL_TYPES, PACKED, "VX-43"),
    contradicted((239, 239), "F and HF with hf;", LEGAL_TYPES, PACKED, "VX-43"),
    done((241, 241), "F with tf32;", LEGAL_TYPES, PLACES),
    contradicted(
        (243, 243),
        "F with BF8 and HF8, which may be mixed.",
        LEGAL_TYPES,
        "vx_42_2_of_4_pairs_of_fp8_are_mixed",
        "VX-42",
    ),
    done((247, 247), "SD is 1, 2, 4 or 8;", LOOK_THROUGH, MATRIX),
    contradicted((247, 247), "from XeHP on it is 8.", LOOK_THROUGH, MACHINES, "VX-58"),
    contradicted(
        (251, 256),
        "Exec_size is one byte; its bits 0 to 2 are 3 for 8 elements and 4 for 16.",
        LOOK_THROUGH,
        "vx_57_32_of_256_values_of_exec_size_mean_something",
        "VX-57",
    ),
    contradicted(
        (257, 274),
        "Its bits 4 to 7 are the execution mask: M1 to M8 by the codes 0 to 7, M1_NM to M8_NM by 8 to 15.",
        MASK_CONTROL,
        "vx_56_15_of_16_masks_could_disable_a_channel",
        "VX-56",
    ),
    done((276, 276), "Dst is a raw operand.", RAW_OPERAND, AXES),
    contradicted((276, 276), "It is of type D, UD, F, BF, HF or DF.", LEGAL_TYPES, NO_DF, "VX-45"),
    done((279, 279), "Src0 is a raw operand; the null operand is zero.", READ_SRC0, MODES),
    contradicted((279, 279), "It is of type D, UD, F, BF, HF or DF.", LEGAL_TYPES, NO_DF, "VX-45"),
    done((282, 282), "Src1 is a raw operand, its elements are of precision W.", READ_SRC1, MATRIX),
    contradicted((282, 282), "It is of type D, UD or DF.", LOOK_THROUGH, NO_DF, "VX-45"),
    contradicted((285, 285), "Src2 is a vector operand, a general one;", SRC2_OPERAND, REGIONS, "VX-47"),
    done((285, 285), "its elements are of precision A.", READ_SRC2, MATRIX),
    contradicted((285, 285), "It is of type D, UD or DF.", LOOK_THROUGH, NO_DF, "VX-45"),
    done((288, 288), "W is one byte, a precision of the table.", LOOK_THROUGH, PRECISIONS),
    done((291, 291), "A is one byte, a precision of the table.", LOOK_THROUGH, PRECISIONS),
    done((294, 294), "SD is one byte, the depth.", LOOK_THROUGH, REFUSED),
    contradicted(
        (297, 297),
        "RC is one byte, the repeat count.",
        LOOK_THROUGH,
        "vx_59_8_of_256_repeat_counts_are_promised",
        "VX-59",
    ),
    contradicted((301, 301), "Supported are D, F and UD.", LEGAL_TYPES, NO_DF, "VX-45"),
    contradicted(
        (302, 302),
        "The sources have no modifiers.",
        SRC2_OPERAND,
        "vx_48_5_of_8_modifier_codes_are_modifiers",
        "VX-48",
    ),
    done(
        (313, 313),
        "The text is the mnemonic with W, A, SD and RC, the execution size in parentheses, destination and sources.",
        TEXT,
        SYNTAX,
    ),
    contradicted((323, 323), "There is no region.", SRC2_OPERAND, REGIONS, "VX-47"),
    contradicted(
        (324, 324),
        "Dst, Src0 and Src1 are aligned to a register;",
        LOOK_THROUGH,
        "vx_44_4_of_8_packed_rows_begin_at_a_register",
        "VX-44",
    ),
    contradicted(
        (324, 325),
        "Src2 to SD / (32 / (bits * OPS_PER_CHAN)) double words,",
        LOOK_THROUGH,
        ALIGNMENTS,
        "VX-46",
    ),
    contradicted((325, 327), "which is 8, 4 or 2 at depth 8 with 4 operations.", LOOK_THROUGH, ALIGNMENTS, "VX-46"),
    done((329, 330), "Src2 is an integer if Src1 is, bf if it is, and hf if it is.", LEGAL_TYPES, REFUSED),
    left_out((331, 331), "Examples follow.", ANNOUNCES),
    contradicted(
        (333, 333),
        "The first example has u4 and s8, both said to be of Src1.",
        TEXT,
        "vx_62_the_second_precision_is_that_of_src2",
        "VX-62",
    ),
    done((334, 335), "The others have bf and hf.", TEXT, SYNTAX),
    contradicted((337, 337), "All of Src2 is used by every channel.", LOOPS, REGIONS, "VX-47"),
    contradicted((339, 339), "Exec_size is 16 on PVC and 8 otherwise.", LOOK_THROUGH, MACHINES, "VX-58"),
];

#[cfg(test)]
mod tests {
    use super::STATEMENTS;
    use crate::statement::gate::Gate;
    use crate::visa::{DPAS, VISA};

    /// The licence.
    const OUTSIDE: &[u32] = &[1, 3, 5, 7];
    /// Headings, and the empty frame of the format's table.
    const HEADINGS: &[u32] = &[9, 13, 15, 16, 21, 152, 300, 307, 315];
    /// Fences of code blocks.
    const FENCES: &[u32] = &[24, 150, 308, 314, 321, 341];
    /// How a table is set, and its frames.
    const FRAMES: &[u32] = &[174, 236, 238, 240, 242, 244];
    /// Blank lines, of the text and of the pseudo-code.
    const BLANK: &[u32] = &[
        2, 4, 6, 8, 10, 12, 14, 19, 20, 22, 23, 28, 34, 43, 45, 47, 51, 62, 64, 68, 78, 79, 84, 96, 113, 115, 135, 139,
        142, 143, 144, 145, 146, 147, 148, 149, 151, 153, 154, 155, 156, 157, 162, 165, 166, 175, 204, 205, 208, 209,
        210, 212, 213, 217, 223, 227, 230, 245, 246, 248, 249, 250, 275, 277, 278, 280, 281, 283, 284, 286, 287, 289,
        290, 292, 293, 295, 296, 298, 299, 303, 304, 305, 306, 309, 310, 311, 312, 316, 317, 318, 319, 320, 322, 328,
        332, 336, 338, 340, 342,
    ];

    #[test]
    fn statements_and_page_go_together() {
        let gate = Gate {
            statements: STATEMENTS,
            page: &DPAS,
            errata: VISA.errata,
            last_line: 342,
            silent: &[OUTSIDE, HEADINGS, FENCES, FRAMES, BLANK],
            contradicted_elsewhere: &[],
        };
        gate.check();
    }
}
