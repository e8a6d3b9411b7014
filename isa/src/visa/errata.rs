//! Errata of the pages of vISA, at commit 98fff716; those of page DPAS are in `dpas.rs`.
//!
//! Lines are those of the page that an erratum names; for page MOV, of the project's copy. "The emulator" is the
//! C-for-Metal emulator, whose conversions were recorded (13,662 of them); "the compiler" is the graphics compiler in
//! whose repository the pages lie. Figures are evaluated by the tests in `isa/tests/visa_errata.rs`.

mod dpas;

use super::pages;
use crate::ErratumKind::{Choice, Editorial};
use crate::{Edition, Erratum, ErratumKind, Evidence, Grade, Page};

const NEITHER: &[Edition] = &[];

const fn page(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Page, text }
}

const fn simulator(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Simulator, text }
}

/// What an erratum says: what the page prints, what follows, what we do.
struct Text {
    prints: &'static str,
    consequence: &'static str,
    decision: &'static str,
}

const fn erratum(
    id: &'static str,
    kind: ErratumKind,
    (page, lines): (&'static Page, &'static str),
    text: &Text,
    evidence: &'static [Evidence],
    verified_by: &'static str,
    faults: &'static [&'static str],
) -> Erratum {
    Erratum {
        id,
        kind,
        page,
        lines,
        prints: text.prints,
        consequence: text.consequence,
        decision: text.decision,
        evidence,
        editions: NEITHER,
        faults,
        verified_by,
    }
}

/// Those that bear on `MOV`.
const MOV: [Erratum; 34] = [
    erratum(
        "VX-01",
        Editorial,
        (&pages::DATA_TYPES, "39-40"),
        &Text {
            prints: "The smallest magnitudes of HF and BF are given as 2^-25 and 2^-134.",
            consequence: "With ten and seven mantissa bits they are 2^-24 and 2^-133. Those of F (2^-149) and DF \
                          (2^-1074) are printed right.",
            decision: "The layouts of lines 58-61 count.",
        },
        &[page("lines 58-61 give the widths from which the bounds follow")],
        "vx_01_the_smallest_hf_is_2_to_the_minus_24_and_the_smallest_bf_2_to_the_minus_133",
        &[],
    ),
    erratum(
        "VX-02",
        Editorial,
        (&pages::MOV, "71"),
        &Text {
            prints: "Conversion follows the rules of a \"Section X\" that no page has.",
            consequence: "Nothing about conversion can be read from this page alone.",
            decision: "The sections Type Conversion and Saturation of page Data Types are meant: they name MOV.",
        },
        &[page("page Data Types, lines 127-128 and 232-233, names MOV as what converts and saturates")],
        "vx_02_no_page_has_a_section_x",
        &[],
    ),
    erratum(
        "VX-03",
        Choice,
        (&pages::MOV, "54, 59-60, 70"),
        &Text {
            prints: "BOOL stands in both rows of the type map, although no page converts from or to it, and a \
                     destination may be neither a predicate nor, as a variable, of type BOOL.",
            consequence: "Of the 144 pairs of the map 23 have BOOL. 3 moves from a predicate, to UB, UW and UD, are \
                          described by the notes; 121 pairs are conversions.",
            decision: "BOOL occurs as a predicate source alone; every other pair with it is Illegal.",
        },
        &[
            page("page Data Types, lines 15-17: only predicate variables have the type"),
            page("line 51: a destination is general or indirect"),
        ],
        "vx_03_of_144_pairs_121_convert_and_3_moves_read_a_predicate",
        &[],
    ),
    erratum(
        "VX-04",
        Choice,
        (&pages::MOV, "55, 61-63"),
        &Text {
            prints: "Saturation is allowed without exception, but BF has no range to saturate to (page Data Types, \
                     lines 249-261).",
            consequence: "F to BF and BF to BF with .sat have no result on any page: 2 of 124 pairs.",
            decision: "A saturated destination of type BF is Unspecified. BF to F with .sat saturates as F does.",
        },
        &[page("page Data Types lists the types that support saturation, and BF is not among them")],
        "vx_04_two_of_124_pairs_have_a_destination_without_a_range",
        &[],
    ),
    erratum(
        "VX-05",
        Editorial,
        (&pages::OPERANDS, "285-287"),
        &Text {
            prints: "The list of modifier codes is empty.",
            consequence: "No operand with a modifier or with saturation can be encoded from the page.",
            decision: "The codes are those of the compiler's common header: none 0, abs 1, neg 2, neg-abs 3, sat 4, \
                       not 5. Codes 6 and 7 mean nothing.",
        },
        &[
            page("visa_igc_common_header.h in the repository of the pages has the codes"),
            page("page vISA Assembly Syntax, line 50, has the three arithmetic modifiers in text"),
        ],
        "vx_05_six_modifier_codes_are_decided",
        &[],
    ),
    erratum(
        "VX-06",
        Choice,
        (&pages::MOV, "25-33"),
        &Text {
            prints: "Bits 0 to 2 of Exec_size have six of eight codes, and bit 3 is left out between bits 2 and 4.",
            consequence: "160 of the 256 values of the byte have no meaning.",
            decision: "They are Unspecified.",
        },
        &[page("page Execution Model, lines 13-26, has the same six codes and says that three bits are used")],
        "vx_06_160_of_256_values_of_exec_size_mean_nothing",
        &[],
    ),
    erratum(
        "VX-07",
        Choice,
        (&pages::DATA_TYPES, "164-165"),
        &Text {
            prints: "For unsigned types the table gives \"qNaN Indefinite\" for negative infinity and, with its \
                     bounds the wrong way around, for what seems to be all negative numbers.",
            consequence: "An integer type has no NaN, so the rows say nothing. 30,721 of the 65,536 HF values are \
                          negative numbers below the denormals, or negative infinity. The rule above the table gives \
                          the smallest value, 0.",
            decision: "Negative numbers and negative infinity give 0.",
        },
        &[
            page("lines 134-137: what is too small takes the smallest integer"),
            simulator("the compiler's own software conversion of F to 64-bit integers, run: a set sign gives 0"),
            simulator("the emulator converts as its host does (-1.0 to UB gives 0xff) and is no witness"),
        ],
        "vx_07_30721_of_65536_hf_values_have_no_unsigned_integer",
        &["float-int-negative-indefinite"],
    ),
    erratum(
        "VX-08",
        Choice,
        (&pages::DATA_TYPES, "186-188"),
        &Text {
            prints: "An integer is rounded to the nearest float, to nearest even \"by default\".",
            consequence: "What the control register's rounding mode does is open. It could matter to 12 of the 24 \
                          pairs; the others are exact.",
            decision: "To nearest even under that mode; every conversion from integer to float under another mode is \
                       Unspecified.",
        },
        &[
            page("lines 193-196 speak of the control register for narrower floats alone"),
            simulator("the emulator rounds integers to HF toward zero (45 of 408 values differ from the page)"),
        ],
        "vx_08_half_of_the_integer_to_float_pairs_can_round",
        &["control-int-float-by-mode"],
    ),
    erratum(
        "VX-09",
        Choice,
        (&pages::DATA_TYPES, "77-78"),
        &Text {
            prints: "HF denormals are flushed in every mathematical operation.",
            consequence: "The control register has a bit that keeps them, and the table of conversions to wider \
                          floats makes finite numbers of them. HF has 2,046 denormals.",
            decision: "The bit decides, as for F and DF. Conversions of HF with the bit set are marked contested.",
        },
        &[page("page Header, lines 437-439"), page("lines 221 and 224")],
        "vx_09_hf_has_2046_denormals",
        &["hf-always-flushed"],
    ),
    erratum(
        "VX-10",
        Choice,
        (&pages::DATA_TYPES, "202, 205"),
        &Text {
            prints: "Conversion to a narrower float makes a zero of every source denormal.",
            consequence: "The control register may keep denormals, and under RU a kept positive one would round to \
                          the smallest denormal of the destination: F 0x00000001 would be HF 0x0001.",
            decision: "The denormal bit of the source's type decides. With it set the case is marked contested.",
        },
        &[page("page Header, lines 431-439"), page("lines 193-196: the rounding mode applies")],
        "vx_10_a_kept_denormal_may_round_away_from_zero",
        &["narrowed-denormals-zero"],
    ),
    erratum(
        "VX-11",
        Choice,
        (&pages::DATA_TYPES, "208, 227"),
        &Text {
            prints: "A NaN gives a NaN; of sign, payload and signalling nothing is said.",
            consequence: "Any of the 2,046 NaNs of HF would do for each NaN of F.",
            decision: "One model: sign and high payload bits are kept, and the quiet bit is set. F 0xff812345 gives \
                       HF 0xfe09.",
        },
        &[
            page("IEEE 754 asks for as much of the payload as fits"),
            simulator("the emulator gives HF infinity for NaNs without high payload bits"),
        ],
        "vx_11_hf_has_2046_nans",
        &["nan-payload-dropped", "nan-not-quieted", "nan-sign-dropped", "nan-payload-low", "nan-payload-unshifted"],
    ),
    erratum(
        "VX-12",
        Choice,
        (&pages::DATA_TYPES, "186-188, 201, 206"),
        &Text {
            prints: "A finite number gives a finite number, a denormal or zero; and an integer the closest float.",
            consequence: "What lies beyond the largest HF, 65504, would have no result: 939,524,096 F values of each \
                          sign, from 65,536 on. Read so, an integer never becomes infinite; 16 of the 65,536 UW values \
                          would.",
            decision: "As IEEE 754: infinity or the largest finite number, by the rounding mode. Under RTNE floats and \
                       integers overflow HF from 65520 on.",
        },
        &[page("lines 193-196: the IEEE rounding modes apply"), simulator("the emulator rounds 65520.0 to 65504")],
        "vx_12_hf_overflows_from_65520_on",
        &["int-hf-overflow-to-max", "overflow-to-max"],
    ),
    erratum(
        "VX-13",
        Choice,
        (&pages::DATA_TYPES, "193-196"),
        &Text {
            prints: "The conversions that take the control register's rounding mode are DF to F, DF to HF and F to \
                     HF. F to BF is not among them, nor is it anywhere else.",
            consequence: "Neither rounding nor denormals of F to BF and BF to F are promised by any page but the type \
                          map.",
            decision: "F to BF rounds to nearest even; under another mode it is Unspecified. BF to F is exact. Both \
                       keep denormals: the control register has no bit for BF.",
        },
        &[
            page("page MOV, lines 61-63, has the conversions"),
            page("the compiler lowers BF to F to a shift, which keeps every bit"),
        ],
        "vx_13_bf_is_the_high_half_of_f",
        &[
            "bf-truncated",
            "bf-ties-away",
            "bf-input-flushed",
            "bf-result-flushed",
            "bf-source-flushed",
            "control-bf-by-mode",
        ],
    ),
    erratum(
        "VX-14",
        Choice,
        (&pages::DATA_TYPES, "237-240"),
        &Text {
            prints: "Every negative number saturates to 0.0, and what lies between 0.0 and 1.0 stays.",
            consequence: "-0 is both: of the 65,536 HF values one, 0x8000, has two results.",
            decision: "-0 saturates to +0.",
        },
        &[
            page("the compiler's constant folding takes the larger of +0 and the value first"),
            simulator("the emulator keeps -0, and NaN as well, against line 239"),
        ],
        "vx_14_one_of_65536_hf_values_saturates_to_either_zero",
        &["sat-minus-zero-kept"],
    ),
    erratum(
        "VX-15",
        Choice,
        (&pages::MOV, "55-56, 71"),
        &Text {
            prints: "Source modifier, conversion and saturation have no order.",
            consequence: "-(UD 1) saturated to UD is 0; with negation last it would be 0xffffffff.",
            decision: "Source modifier and denormal flush; then conversion; then saturation; then the flush of the \
                       result.",
        },
        &[page(
            "a modifier belongs to the source operand and saturation to the destination (page Operands, lines \
                285-292; page Data Types, lines 232-236)",
        )],
        "vx_15_a_modifier_comes_before_conversion",
        &["modifier-after-conversion"],
    ),
    erratum(
        "VX-16",
        Choice,
        (&pages::DATA_TYPES, "172-174"),
        &Text {
            prints: "Between integers of the same precision the bits are not modified.",
            consequence: "With .sat that contradicts the rule for saturated integers: B 0x80 to UB stays 0x80 by the \
                          one and is 0 by the other. 128 of 256 B values differ.",
            decision: "With .sat the value is clamped, whatever the widths.",
        },
        &[
            page("lines 233-236 and 242-247: saturation converts any data outside of the range"),
            simulator("the emulator leaves 142 of 3,264 integers unclamped, all negative"),
        ],
        "vx_16_128_of_256_b_values_are_outside_of_ub",
        &["sat-integer-ignored", "sat-equal-width-ignored"],
    ),
    erratum(
        "VX-17",
        Choice,
        (&pages::SYNTAX, "50"),
        &Text {
            prints: "There are negation, absolute value and both; of integers that have no such value nothing is \
                     said.",
            consequence: "-(UD 1) and the absolute value of B -128 do not fit in their types; of the 256 values of \
                          UB, 255 have a negative that does not fit.",
            decision: "The modifier works on the value as wide as it takes, absolute value first; then the conversion \
                       takes it. -(UD 1) to Q is -1, and abs(B -128) to W is 128. Of floats it clears or flips the \
                       sign bit, those of zeros and NaNs too.",
        },
        &[
            page("the compiler folds with 64-bit integers"),
            page("page Operands, lines 291-292: move instructions may have arithmetic modifiers"),
        ],
        "vx_17_255_of_256_ub_values_have_no_negative_in_ub",
        &[
            "modifier-on-truncated-width",
            "neg-unsigned-ignored",
            "abs-keeps-nan-sign",
            "neg-skips-nan",
            "neg-by-zero-minus",
        ],
    ),
    erratum(
        "VX-18",
        Choice,
        (&pages::MOV, "71"),
        &Text {
            prints: "Conversion is performed if the types differ; whether a move within one type flushes denormals or \
                     quiets NaNs is left open.",
            consequence: "HF has 2,046 denormals and 1,022 signalling NaNs that could change.",
            decision: "Without modifier and saturation the bits are copied. With either it is an operation on the \
                       value, as between two types.",
        },
        &[page("the compiler treats such a move as a raw copy")],
        "vx_18_a_raw_copy_of_hf_could_change_2046_denormals_and_1022_nans",
        &["raw-nan-quieted", "raw-denormal-flushed", "raw-bf-flushed", "nan-modified-unquieted"],
    ),
    erratum(
        "VX-19",
        Choice,
        (&pages::EXECUTION_MODEL, "142-146"),
        &Text {
            prints: "The channels run from i to i+k, and it is an error if i+k is greater than or equal to the \
                     block's execution size.",
            consequence: "As printed one channel too many takes part, and no instruction can use all channels: of 31 \
                          aligned pairs of mask and execution size for which a dispatch of 32 has room, 27 remain.",
            decision: "Channels i to i+k-1; an error (Illegal) if i+k is greater than the dispatch size. Both rules \
                       hold for the NM controls too.",
        },
        &[
            page("the example of lines 177-195 has instructions of 8 and of 16 channels side by side"),
            page("page Operands, lines 194-208: n runs to exec_size - 1"),
        ],
        "vx_19_as_printed_27_of_31_masks_remain",
        &["lane-beyond"],
    ),
    erratum(
        "VX-20",
        Choice,
        (&pages::EXECUTION_MODEL, "132-139"),
        &Text {
            prints: "M1_NM to M8_NM have no offset.",
            consequence: "Further down they are said to select predicate elements, as M1 to M8 do.",
            decision: "They select the same elements; the execution mask is ignored.",
        },
        &[page("lines 149-151"), page("page Operands, lines 186-188")],
        "vx_20_nm_controls_select_predicate_elements",
        &["nm-predicate-offset-ignored"],
    ),
    erratum(
        "VX-21",
        Choice,
        (&pages::OPERANDS, "209"),
        &Text {
            prints: "There is predication if the whole control is not 0.",
            consequence: "P0 with an inverse or a combine bit is predication by that, and none by page Header. 7 of \
                          its 8 controls are affected.",
            decision: "P0 with any control bit set is Unspecified, and so are the reserved combine code and bit 12.",
        },
        &[page("page Header, lines 556-557"), page("page vISA Assembly Syntax, line 599")],
        "vx_21_seven_controls_of_p0_are_open",
        &[],
    ),
    erratum(
        "VX-22",
        Choice,
        (&pages::OPERANDS, "186-188"),
        &Text {
            prints: "A predicate's slice begins where the mask control says; that it may reach beyond the declared \
                     elements is not considered.",
            consequence: "Of 31 pairs of mask and execution size, 24 select elements that a predicate of 8 elements \
                          does not have.",
            decision: "Undefined, as any access beyond a variable (line 69).",
        },
        &[page("line 69")],
        "vx_22_a_slice_may_lie_beyond_its_predicate",
        &[],
    ),
    erratum(
        "VX-23",
        Choice,
        (&pages::MOV, "71"),
        &Text {
            prints: "The value of the predicate variable is copied, with element 0 as the lowest bit.",
            consequence: "Page Operands has a predicate operand begin at the element that the mask control selects.",
            decision: "With the offset 0 both say the same; a predicate source under another mask is Unspecified. So \
                       are control bits of a predicate source, which no page explains.",
        },
        &[page("page Operands, lines 373-379")],
        "vx_23_two_of_16_masks_read_from_element_0",
        &["control-predicate-source-offset"],
    ),
    erratum(
        "VX-24",
        Choice,
        (&pages::MOV, "71"),
        &Text {
            prints: "With fewer than 16 elements the upper bits of the destination are undefined; with 16 or more \
                     nothing is said of them. \"Size of the predicate\" may mean elements or storage.",
            consequence: "A UD has bits above a predicate in 5 of 6 sizes.",
            decision: "Bits above the declared elements are 0. The destination must have at least as many bits as the \
                       predicate has elements.",
        },
        &[page("the value is an unsigned integer"), page("the compiler moves a flag register as UW or UD")],
        "vx_24_a_ud_is_wider_than_five_of_six_predicates",
        &["predicate-source-undeclared"],
    ),
    erratum(
        "VX-25",
        Choice,
        (&pages::OPERANDS, "310-311"),
        &Text {
            prints: "A row of a row offset is 32 bytes, the size of a GRF.",
            consequence: "On a platform with registers of 64 bytes the pseudo-code of the same page steps by 64.",
            decision: "A row is a register, 32 or 64 bytes. Size of register and platform vary independently.",
        },
        &[page("lines 48 and 63"), page("page Execution Model, line 76")],
        "vx_25_a_row_has_two_sizes",
        &["grf-size-always-32"],
    ),
    erratum(
        "VX-26",
        Choice,
        (&pages::HEADER, "423-425, 440"),
        &Text {
            prints: "Bit 0 of the control register selects an ALT mode for F.",
            consequence: "Page Data Types replaces infinite results by the largest finite ones in it, and forbids \
                          denormal and infinite inputs.",
            decision: "Not modelled: the bit is not part of the state. All other bits but those of rounding and \
                       denormals may not be written.",
        },
        &[page("page Data Types, lines 94-105: ALT is for legacy applications, and what differs in it")],
        "vx_26_five_bits_of_the_control_register_are_modelled",
        &[],
    ),
    erratum(
        "VX-27",
        Choice,
        (&pages::OPERANDS, "138-139"),
        &Text {
            prints: "The elements of an operand span at most two adjacent registers.",
            consequence: "A multi-address operand may point to another variable with each row, which could then never \
                          be far away.",
            decision: "For a multi-address operand the rule, and that elements lie in one variable, hold for each \
                       row.",
        },
        &[page("lines 94-100")],
        "vx_27_only_a_null_vertical_stride_is_a_multi_address_operand",
        &[],
    ),
    erratum(
        "VX-28",
        Choice,
        (&pages::MOV, "15-19"),
        &Text {
            prints: "Each element is written before the next one is read.",
            consequence: "Where destination and source overlap, the loop taken literally passes elements on from \
                          channel to channel.",
            decision: "All elements are read before any is written.",
        },
        &[page("page Execution Model, lines 11-13: the same operation on all channels in one clock cycle")],
        "vx_28_overlap_shows_the_order",
        &["write-while-reading"],
    ),
    erratum(
        "VX-29",
        Choice,
        (&pages::OPERANDS, "151-152"),
        &Text {
            prints: "A multi-address operand may not be a destination.",
            consequence: "It is told by a null vertical stride, which in a destination is ignored.",
            decision: "Vertical stride and width of a destination are ignored, null or not, so no destination is a \
                       multi-address operand.",
        },
        &[page("lines 405-407, and 459-460")],
        "vx_29_the_text_of_a_destination_has_a_null_vertical_stride",
        &[],
    ),
    erratum(
        "VX-30",
        Choice,
        (&pages::OPERANDS, "114-120, 273-277"),
        &Text {
            prints: "Addresses must fall in the variable whose address was taken, and \"any of the address offset\" \
                     must be aligned.",
            consequence: "No state says whose address was taken, and whether address, offset or their sum is meant is \
                          open.",
            decision: "The elements of an operand, or of a row of a multi-address one, must lie in one declared \
                       variable, whichever. The sum must be aligned.",
        },
        &[
            page("lines 403-404: the address being accessed"),
            page("lines 156-158: within range of a general variable, and aligned"),
        ],
        "vx_30_two_odd_numbers_have_an_even_sum",
        &[],
    ),
    erratum(
        "VX-31",
        Choice,
        (&pages::OPERANDS, "420-425"),
        &Text {
            prints: "An immediate has 32 bits, or 64; of what a type of 8 or 16 bits does with the others nothing is \
                     said.",
            consequence: "24 or 16 bits of the low word are open, for 6 of 12 types.",
            decision: "They are ignored.",
        },
        &[page("the type of the immediate is the type of the operand")],
        "vx_31_six_types_leave_bits_of_the_low_word",
        &[],
    ),
    erratum(
        "VX-32",
        Editorial,
        (&pages::SYNTAX, "42-50, 67, 402"),
        &Text {
            prints: "The lists of types lack HF, BF, Q and UQ; start offsets are M0 to M7; MOV has no .sat; \
                     multi-address operands have no form.",
            consequence: "Texts of page MOV cannot be written with this grammar alone.",
            decision: "Texts are in the form of page MOV; types and masks have the names of pages Data Types and \
                       Execution Model, and multi-address operands the form of page Operands, line 92.",
        },
        &[page("page MOV, line 66"), page("page Data Types, lines 23-40"), page("page Operands, line 92")],
        "vx_32_texts_have_what_the_grammar_lacks",
        &[],
    ),
    erratum(
        "VX-33",
        Choice,
        (&pages::HEADER, "381"),
        &Text {
            prints: "A variable may not be of type BF.",
            consequence: "Then F to BF could write through an address alone, although page MOV's map has BF for any \
                          operand.",
            decision: "General variables may have the type BF; as an operand of MOV it is Illegal on platforms before XeHP.",
        },
        &[page("page MOV, lines 54 and 61-63"), page("the map does not tell classes of operands apart")],
        "vx_33_bf_has_a_code_for_variables",
        &[],
    ),
    erratum(
        "VX-34",
        Choice,
        (&pages::HEADER, "384"),
        &Text {
            prints: "A variable has 1 to 4,096 elements and less than 4 KiB; where it lies is the compiler's \
                     decision.",
            consequence: "4,096 elements fit for none of the types but those of one byte, and not even for them: \
                          4,096 bytes are not less than 4 KiB.",
            decision: "A case says where each variable begins. What is checked is that the elements of an operand lie \
                       in its variable and in the file, that they are aligned, and rule 6. That a declaration is too \
                       large is not.",
        },
        &[page("page Operands, lines 141-147")],
        "vx_34_no_type_has_room_for_4096_elements",
        &[],
    ),
];

/// The errata, in the order of their ids.
pub(super) static ERRATA: &[Erratum] = &{
    let mut all = [MOV[0]; MOV.len() + dpas::LENGTH];
    let mut place = 0;
    while place < all.len() {
        all[place] = if place < MOV.len() { MOV[place] } else { dpas::DPAS[place - MOV.len()] };
        place += 1;
    }
    all
};
