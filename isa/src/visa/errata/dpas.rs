//! Errata of page DPAS, at commit 535d40a8, which is what its lines count. "The later page" is the same file at commit
//! 98fff716; "the compiler" is the graphics compiler in whose repository the pages lie, and "the emulator" is the
//! C-for-Metal emulator, whose results were recorded (2,181 of them without saturation). Figures are evaluated by the
//! tests in `tests/dpas_errata.rs`.
//!
//! In consequences a *pair* is one of two integer precisions of 2, 4 or 8 bits (36 pairs), of `bf`, of `hf` or of `tf32`
//! (39 in all).

use super::super::pages;
use super::{Text, erratum, page, simulator};
use crate::Erratum;
use crate::ErratumKind::{Choice, Editorial, Equal};

/// How many there are.
pub(super) const LENGTH: usize = 28;

/// The errata, in the order of their ids.
pub(super) const DPAS: [Erratum; LENGTH] = [
    erratum(
        "VX-35",
        Choice,
        (&pages::DPAS, "117"),
        &Text {
            prints: "The loop over the rows counts r and goes on while i is less than RC; i is the channel of the \
                     innermost loop.",
            consequence: "With i 0 at first, one row is executed whatever RC is: for both execution sizes and every RC \
                          from 1 to 8, 16 rows in place of 72. After it i is the execution size, which is not less than \
                          RC.",
            decision: "The loop goes on while r is less than RC.",
        },
        &[
            page("line 35: the repeat count is the number of rows; lines 140-141 advance the operands with each"),
            simulator("the emulator writes RC rows, for every RC from 1 to 8"),
        ],
        "vx_35_as_printed_16_rows_of_72_are_executed",
        &[],
    ),
    erratum(
        "VX-36",
        Equal,
        (&pages::DPAS, "116, 133"),
        &Text {
            prints: "The place in Src2 is set to 0 once, before the loop over the rows, and never again, although it \
                     is used within a row.",
            consequence: "At a systolic depth of 8 it is r * 8 * OPS_PER_CHAN when row r begins, which is what the \
                          text below the loops says: at all 312 beginnings (39 pairs, 8 rows).",
            decision: "It begins anew in each row, and rows are as far apart as the model of the case says (VX-37).",
        },
        &[page("lines 140-141")],
        "vx_36_at_depth_8_all_312_rows_begin_where_the_prose_says",
        &[],
    ),
    erratum(
        "VX-37",
        Choice,
        (&pages::DPAS, "133, 140-141"),
        &Text {
            prints: "The pseudo-code advances Src2 by what a row consumes, SD * OPS_PER_CHAN elements; the text below \
                     it by 8 * OPS_PER_CHAN, whatever SD is.",
            consequence: "Below a systolic depth of 8 every row but the first begins elsewhere: 819 of 819 (39 pairs, 3 \
                          depths, 7 rows). Row 7 of s8.s8 at depth 4 begins at byte 112 or at byte 224. At depth 8 none \
                          does.",
            decision: "Both are named models, code and prose. A case with a depth of 1, 2 or 4 and more than one row is \
                       contested; at depth 8, or with one row, there is nothing to choose.",
        },
        &[
            page("line 247: platforms from XeHP on have a systolic depth of 8 only"),
            page("the compiler's bounds of operands count SD * OPS_PER_CHAN elements for a row"),
            page("the assembler of the same repository has 8 * OPS_PER_CHAN in its sets of registers"),
        ],
        "vx_37_below_depth_8_all_819_rows_but_the_first_begin_elsewhere",
        &["dpas-activations-pitch-other"],
    ),
    erratum(
        "VX-38",
        Choice,
        (&pages::DPAS, "80, 82-83, 85-95, 104-112, 130-131, 163-164, 167-168"),
        &Text {
            prints: "Neither the branches for OPS_PER_CHAN nor the text have tf32: floats always have 16 bits, and two \
                     of them are multiplied a depth.",
            consequence: "Taken literally tf32 is among the integers of less than 8 bits: OPS_PER_CHAN 8, and 32 / 256 \
                          = 0 operands in a double word, by which each of the 8 depths is divided. With 19 bits it is 32 / \
                          152, which is 0 as well. The last branch would need a second element of a double word that \
                          has one.",
            decision: "OPS_PER_CHAN is 1, there is 1 operand in a double word, and one product a depth.",
        },
        &[
            page("lines 38-42 have tf32, with 1, and lines 200-203 and 241 too"),
            simulator("the emulator multiplies one pair of tf32 a depth"),
        ],
        "vx_38_tf32_divides_8_depths_by_0",
        &["dpas-tf32-pairs"],
    ),
    erratum(
        "VX-39",
        Choice,
        (&pages::DPAS, "89"),
        &Text {
            prints: "The branch for four operations looks whether Src1Precision or Src2Precision is 8, where the one \
                     above it looks at Src1PrecisionInBits.",
            consequence: "As a code, 8 is s8 alone. 20 of 36 integer pairs have an element of 8 bits, and 11 have s8; the \
                          other 9, which have u8, would have eight operations. 5 of these have u8 in Src1, and 0 operands \
                          in a double word.",
            decision: "The width is meant, in bits.",
        },
        &[
            page("line 41 has UB and B"),
            simulator("the emulator has four operations for the 9 pairs too, in 347 recorded results"),
        ],
        "vx_39_by_the_code_9_of_20_pairs_of_8_bits_are_lost",
        &[],
    ),
    erratum(
        "VX-40",
        Choice,
        (&pages::DPAS, "37-42, 82-83, 107-111, 181-185"),
        &Text {
            prints: "u1 and s1 stand in the table of precisions, and in no rule on the sizes of elements, the number of \
                     operations, or the operands in a double word.",
            consequence: "Of 64 integer pairs 28 have a precision of one bit. By the branches as they stand a double word \
                          would have 8 or 4 operands of one bit.",
            decision: "Two named models: by the table nothing is promised; by the code the branches are taken with one \
                       bit, and s1 is 0 or -1. Both are contested.",
        },
        &[
            page("the compiler's test for integer precisions leaves both out"),
            simulator("the emulator has s1, and takes it to be unsigned, against line 184"),
        ],
        "vx_40_28_of_64_pairs_have_one_bit",
        &["dpas-s1-unsigned", "dpas-s1-plus-minus"],
    ),
    erratum(
        "VX-41",
        Choice,
        (&pages::DPAS, "41, 126-127, 163-164, 173-203, 243"),
        &Text {
            prints: "BF8 and HF8 stand in the table of legal combinations, and FP8 among what has four operations. \
                     Neither has a code, a layout or arithmetic.",
            consequence: "The branch for four operations adds integers. 1.0 is 0x3c if BF8 has five bits of exponent, and \
                          the square of that is 3,600.",
            decision: "The codes are those of the compiler, 11 and 14. Every case with them is Unspecified.",
        },
        &[page("visa_igc_common_header.h in the repository of the pages, lines 693-695, has the codes and the widths")],
        "vx_41_as_integers_1_times_1_is_3600",
        &[],
    ),
    erratum(
        "VX-42",
        Choice,
        (&pages::DPAS, "214-215, 243"),
        &Text {
            prints: "Float precisions of the sources must be the same; the row of BF8 and HF8 has both names in both \
                     columns.",
            consequence: "The row allows 4 pairs, the text 2 of them.",
            decision: "All 4 are legal; what they compute is Unspecified (VX-41).",
        },
        &[page("lines 224-226: the table is what decides"), page("the compiler resolves both mixed pairs")],
        "vx_42_2_of_4_pairs_of_fp8_are_mixed",
        &[],
    ),
    erratum(
        "VX-43",
        Choice,
        (&pages::DPAS, "81, 119, 137, 140, 218, 237, 239, 301"),
        &Text {
            prints: "Elements of Dst and Src0 have 4 bytes, and each row is a register; the table has BF and HF, which \
                     have 2. The list of supported types has neither.",
            consequence: "6 of the 13 combinations of types in the rows with a result have one of 16 bits. 8 rows of 16 \
                          channels take 512 bytes with a register each, and 256 packed; then row 1 begins in the middle \
                          of the first register.",
            decision: "Rows are packed: row r, channel i is element r * Exec_size + i. Src0 is widened exactly. BF and HF \
                       need no particular platform.",
        },
        &[
            page("lines 52-53: Dst and Src0 are row-major in one dimension"),
            page("the compiler's bound is Exec_size * RC elements"),
            simulator("the emulator packs them, in all 157 recorded results of HF and BF destinations"),
        ],
        "vx_43_8_packed_rows_take_256_bytes_of_512",
        &[
            "dpas-halves-pitch-register",
            "dpas-halves-spread",
            "dpas-src0-halves-pitch-register",
            "dpas-src0-halves-spread",
        ],
    ),
    erratum(
        "VX-44",
        Choice,
        (&pages::DPAS, "324"),
        &Text {
            prints: "Dst and Src0 are aligned to a register.",
            consequence: "A packed row of 16 bits is half a register. An instruction of one row could not write what is \
                          row 1 of another: 4 of the 8 rows begin at a register.",
            decision: "The page is followed: an operand that begins at half a register is Illegal, whatever its type.",
        },
        &[
            page("the compiler asks for Exec_size * 2 bytes there"),
            page("page Operands, lines 487-488: a raw operand is aligned to a register unless otherwise specified"),
        ],
        "vx_44_4_of_8_packed_rows_begin_at_a_register",
        &[],
    ),
    erratum(
        "VX-45",
        Choice,
        (&pages::DPAS, "169-170, 215-216, 221, 276, 279, 282, 285, 301"),
        &Text {
            prints: "Operands may be of type DF, and DF sources must have a precision of DF. No combination has it, and \
                     no precision is that; sources with a precision must be D or UD.",
            consequence: "11 of 16 codes of four bits name a precision and one is unused; none of the 4 others is said to \
                          be DF. Three lists of types have 3 (the properties), 5 (the table) and 6 names (Dst and Src0).",
            decision: "DF is Illegal, as every type that the table does not have.",
        },
        &[page("lines 224-244: the table has all legal combinations")],
        "vx_45_no_code_is_left_for_df",
        &[],
    ),
    erratum(
        "VX-46",
        Choice,
        (&pages::DPAS, "324-327"),
        &Text {
            prints: "Src2 is aligned to SD / (32 / (bits * OPS_PER_CHAN)) double words.",
            consequence: "That is 0 for 20 of 144 pairs of integers and depths: depths 1 and 2 with elements of 2 bits and \
                          four operations, and depth 1 with 4 bits and four operations or 2 bits and eight. At depth 8 \
                          it is 8, 4 or 2, as the page says.",
            decision: "At least one double word; else it is Illegal.",
        },
        &[
            page("Src2 has elements of a double word (line 285)"),
            page("the compiler has SD * bits * OPS_PER_CHAN / 8 bytes"),
        ],
        "vx_46_20_of_144_alignments_are_0",
        &[],
    ),
    erratum(
        "VX-47",
        Choice,
        (&pages::DPAS, "285, 323, 337"),
        &Text {
            prints: "Src2 is a vector operand, whose encoding has a region, and no operand has a region.",
            consequence: "Of the 4,096 values of the three parameters 512 consist of listed codes.",
            decision: "What listed codes say is ignored; with another code it is Unspecified.",
        },
        &[
            page("lines 52-53: Src2 is row-major in one dimension"),
            page("line 337: all of it is used by every channel"),
        ],
        "vx_47_512_of_4096_regions_have_listed_codes",
        &[],
    ),
    erratum(
        "VX-48",
        Choice,
        (&pages::DPAS, "302"),
        &Text {
            prints: "There is no source modifier; of a vector operand that has one nothing is said.",
            consequence: "Of the 8 codes in the tag of Src2, 5 are modifiers and 2 mean nothing.",
            decision: "A modifier of Src2, saturation too, is Illegal; codes 6 and 7 are Unspecified (VX-05).",
        },
        &[page("page Operands, lines 288-292, has the kinds of instructions that arithmetic modifiers are for")],
        "vx_48_5_of_8_modifier_codes_are_modifiers",
        &[],
    ),
    erratum(
        "VX-49",
        Choice,
        (&pages::DPAS, "127, 129, 218-222, 235"),
        &Text {
            prints: "Products are added to a double word; of sums that are too large, or negative in UD, nothing is \
                     said. Dst and Src0 may be one UD and the other D.",
            consequence: "The products of a row add up to at most 2,080,800 (u8.u8) and at least -1,044,480 (u8.s8), so it \
                          takes a Src0 near the bounds, or any UD: 0 and a negative row have no sum there.",
            decision: "Sums are modulo 2^32. So the order does not matter, and neither do the types of Dst and Src0, \
                       nor those of Src1 and Src2.",
        },
        &[
            page("no saturation is named; page Data Types, lines 232-236, saturates only where an instruction says so"),
            simulator(
                "the emulator adds in 64 bits and keeps 32: all 1,464 recorded integer results are sums modulo 2^32",
            ),
        ],
        "vx_49_a_row_adds_up_to_2080800_at_most",
        &["dpas-clamps-above", "dpas-clamps-below", "dpas-clamps-above-unsigned", "dpas-clamps-negative"],
    ),
    erratum(
        "VX-50",
        Choice,
        (&pages::DPAS, "131, 218-222"),
        &Text {
            prints: "A dot product is added to a float at each depth. In which order, with how many roundings, and by \
                     which rounding mode is not said.",
            consequence: "2^24 + 1 + 1 is 0x4b800000 if each step is rounded, and 0x4b800001 if the two products are \
                          added first or all at once. Of 1,000 drawn rows of hf (16 products from 1 to 4) 265 differ \
                          from single steps if the products of a depth are added first, and 372 if all is rounded \
                          once. Fused steps change none of them, because a product of hf or bf is exact, but 287 of \
                          1,000 rows of tf32 (8 products, all 32 bits). With integers up to 8 no row differs.",
            decision: "Four named models: sequential, fused, pairwise, single-rounding; all to nearest even, whatever the \
                       control register says. Every case names the one that it is compared under.",
        },
        &[
            simulator("the emulator is sequential: so are all 26,552 recorded data of F destinations"),
            page("no text of the repository defines the sum; other makers declare theirs implementation-defined"),
        ],
        "vx_50_of_1000_rows_265_372_or_287_depend_on_how_they_are_summed",
        &[
            "dpas-fused-for-sequential",
            "dpas-pairwise-for-sequential",
            "dpas-single-for-sequential",
            "dpas-sequential-for-fused",
            "dpas-sequential-for-pairwise",
            "dpas-sequential-for-single",
            "dpas-pairwise-for-single",
            "dpas-order-reversed",
            "dpas-pairs-reversed",
            "dpas-even-first",
            "dpas-accumulator-last",
            "dpas-rounding-mode",
        ],
    ),
    erratum(
        "VX-51",
        Choice,
        (&pages::DPAS, "131, 206-211"),
        &Text {
            prints: "Of denormals nothing is said.",
            consequence: "BF has 254 of them, HF 2,046 and F 16,777,214. The control register could flush those of HF and \
                          F, and has no bit for BF or tf32.",
            decision: "They are kept: in sources, products, sums and results, whatever the control register says.",
        },
        &[page("page Header, lines 423-440: the bits"), simulator("the emulator keeps them")],
        "vx_51_bf_has_254_denormals_hf_2046_and_f_16777214",
        &[
            "dpas-hf-flushed",
            "dpas-bf-flushed",
            "dpas-tf32-flushed",
            "dpas-elements-by-mode",
            "dpas-accumulator-flushed",
            "dpas-products-flushed",
            "dpas-sums-flushed",
            "dpas-result-flushed",
            "dpas-result-by-mode",
            "dpas-halves-flushed",
        ],
    ),
    erratum(
        "VX-52",
        Choice,
        (&pages::DPAS, "131, 206-211"),
        &Text {
            prints: "Of NaN nothing is said.",
            consequence: "Any of the 16,777,214 NaNs of F, 2,046 of HF or 254 of BF would do for a result.",
            decision: "0x7fc00000; in 16 bits 0x7e00 (HF) or 0x7fc0 (BF). Infinities are as IEEE 754 has them.",
        },
        &[
            page("IEEE 754 says that there is a quiet NaN, and not which"),
            simulator("the emulator keeps its host's NaN"),
        ],
        "vx_52_any_of_16777214_nans_of_f_would_do",
        &["dpas-nan-payload", "dpas-nan-negative", "dpas-nan-ones", "dpas-halves-nan"],
    ),
    erratum(
        "VX-53",
        Choice,
        (&pages::DPAS, "131, 221-222, 237, 239"),
        &Text {
            prints: "The last stage is written to Dst; how it becomes BF or HF, and what each stage hands to the next, is \
                     not said.",
            consequence: "Of the 8,192 values of F from 1 up to the next HF, 4,095 round up to it to nearest even, none \
                          toward zero.",
            decision: "Stages are F; the row's result is rounded once, to nearest even.",
        },
        &[
            page("line 131 adds to a temp of F; lines 220-221: the output of a stage is a double word"),
            simulator(
                "the emulator: all 4,091 finite recorded BF are rounded so; of 4,715 HF 1,565 are not, being truncated",
            ),
        ],
        "vx_53_4095_of_8192_values_round_up_to_the_next_hf",
        &["dpas-halves-truncated", "dpas-halves-ties-away", "dpas-halves-each-depth"],
    ),
    erratum(
        "VX-54",
        Choice,
        (&pages::DPAS, "200-203, 211"),
        &Text {
            prints: "tf32 has 19 bits, in a double word; where they lie there, and what the others do, is not said.",
            consequence: "Each value has 8,192 patterns of the 13 others. If they are ignored, 16,382 NaNs of F are \
                          infinities.",
            decision: "The 19 are the highest. Two named models: full takes all 32 bits as an F, truncated ignores the low \
                       13.",
        },
        &[
            page("visa_igc_common_header.h, line 117: bits 31 to 13 of 32"),
            simulator(
                "the emulator takes all 32 bits: of 9,072 recorded results 4,195 differ if the low 13 are ignored",
            ),
        ],
        "vx_54_each_tf32_has_8192_patterns",
        &["dpas-tf32-truncated", "dpas-tf32-full", "dpas-tf32-rounded", "dpas-tf32-as-bf", "dpas-tf32-accumulator"],
    ),
    erratum(
        "VX-55",
        Choice,
        (&pages::DPAS, "202"),
        &Text {
            prints: "The code of tf32 is 1100b; the later page has 0x0b.",
            consequence: "0x0b is what the compiler has for BF8, 0x0c for tf32: by the later page one code would have two \
                          meanings, and 0x0c none.",
            decision: "0x0c.",
        },
        &[page("visa_igc_common_header.h in the repository of the pages, lines 693-694")],
        "vx_55_the_code_of_tf32_is_0x0c",
        &[],
    ),
    erratum(
        "VX-56",
        Choice,
        (&pages::DPAS, "124-132, 257-274"),
        &Text {
            prints: "The byte of Exec_size has an execution mask, which controls the channels that are enabled; the loops \
                     over the channels do not look at it.",
            consequence: "Of 16 controls one, M1_NM, enables all channels from the first on, as the loops do.",
            decision: "The other 15 are Unspecified, or Illegal by page Execution Model (VX-19).",
        },
        &[page("the compiler emits the instruction with all channels enabled")],
        "vx_56_15_of_16_masks_could_disable_a_channel",
        &[],
    ),
    erratum(
        "VX-57",
        Choice,
        (&pages::DPAS, "251-257"),
        &Text {
            prints: "Bits 0 to 2 of Exec_size have two codes, and bit 3 is left out between bits 2 and 4.",
            consequence: "32 of the 256 values of the byte have a meaning.",
            decision: "Bit 3 is Unspecified. A code other than that of the register's size is Illegal (VX-58).",
        },
        &[
            page("VX-06: page MOV leaves bit 3 out as well"),
            page("page Header, lines 16-17: unused bits of a byte must be zero"),
        ],
        "vx_57_32_of_256_values_of_exec_size_mean_something",
        &[],
    ),
    erratum(
        "VX-58",
        Choice,
        (&pages::DPAS, "77, 114, 247, 255-256, 339"),
        &Text {
            prints: "The execution size is 16 on PVC and 8 elsewhere; registers have 16 double words from PVC on, and 8 \
                     before. Depths below 8 exist before XeHP.",
            consequence: "Of the 4 pairs of a size of register and a platform before or from XeHP on, one, large \
                          registers before XeHP, is no machine; elsewhere register and execution size always go together.",
            decision: "The size of a register tells the execution size; the platform tells the depths, as in VX-25 \
                       independently of it. All 4 pairs are run.",
        },
        &[page("page Execution Model, lines 72-76"), simulator("the emulator is built for either size")],
        "vx_58_3_of_4_pairs_of_register_and_platform_are_machines",
        &[],
    ),
    erratum(
        "VX-59",
        Choice,
        (&pages::DPAS, "35, 117, 297"),
        &Text {
            prints: "The repeat count is one byte; its range is not given.",
            consequence: "256 values; with 255, Dst alone would be 16,320 bytes of a file of 8,192.",
            decision: "1 to 8; 0 and 9 to 255 are Unspecified.",
        },
        &[page("the examples have 8, and the compiler has no more"), simulator("the emulator has 1 to 8")],
        "vx_59_8_of_256_repeat_counts_are_promised",
        &[],
    ),
    erratum(
        "VX-60",
        Choice,
        (&pages::DPAS, "117-138"),
        &Text {
            prints: "Each row is written before the next one is read, and whether operands may overlap is not said.",
            consequence: "With Dst one row above Src0 and products of zero, four rows 1, 2, 3, 4 become 1, 1, 1, 1 by the \
                          loop and 1, 1, 2, 3 if all is read first.",
            decision: "All sources are read before anything is written.",
        },
        &[page("VX-28: as for MOV"), page("page Execution Model, lines 11-13, has no order of elements")],
        "vx_60_overlap_shows_the_order_of_rows",
        &["dpas-write-while-reading", "dpas-write-while-reading-backwards"],
    ),
    erratum(
        "VX-61",
        Choice,
        (&pages::DPAS, "52-61, 69-76, 161"),
        &Text {
            prints: "Elements are packed into double words and counted from 0; from which end of a double word is not \
                     said.",
            consequence: "If both sources are counted from the other end, other elements meet for 6 of the 9 pairs of \
                          integer widths. For the 3 equal ones the same do, so no sum tells.",
            decision: "Element n is at bit n * bits, counted from the lowest.",
        },
        &[
            page("page Header, lines 15-19: little endian, bit-fields from bit 0 on"),
            simulator("the emulator counts from the lowest bit"),
        ],
        "vx_61_counted_from_the_other_end_sums_change",
        &[
            "dpas-weights-high-first",
            "dpas-activations-high-first",
            "dpas-weights-dot-reversed",
            "dpas-activations-dot-reversed",
        ],
    ),
    erratum(
        "VX-62",
        Editorial,
        (&pages::DPAS, "77, 106, 215, 333"),
        &Text {
            prints: "The comment on the first example gives u4 and s8 both to src1; \"bf/bf\" stands for bf/hf, \"srcs\" \
                     for src2, and the size of a register lacks its unit once.",
            consequence: "By the form of the text the first precision is that of Src1 and the second that of Src2.",
            decision: "They are read so.",
        },
        &[page("lines 80, 313 and 286-291")],
        "vx_62_the_second_precision_is_that_of_src2",
        &[],
    ),
];
