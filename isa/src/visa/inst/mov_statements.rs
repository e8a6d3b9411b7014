//! Every statement of the page MOV (commit 98fff716), in our words, and where it went.
//!
//! Lines are those of the project's copy. A line that holds several sentences has several entries. Lines without an
//! entry are headings, fences, the licence and what the copy added; a test below lists them and allows no others.

use crate::Statement;
use crate::statement::{contradicted, done};

/// A file of the reference, and an item of it.
macro_rules! reference {
    ($item:literal) => {
        concat!("reference/src/visa/", $item)
    };
}

const EXECUTE: &str = reference!("mov.rs, execute");
const LOOK_THROUGH: &str = reference!("mov.rs, Mov::of");
const DESTINATION: &str = reference!("mov.rs, destination");
const SOURCE: &str = reference!("mov.rs, source");
const TYPES: &str = reference!("mov.rs, check_types");
const CONVERSION: &str = reference!("convert.rs, Conversion");
const PREDICATE: &str = reference!("mov.rs, predicate_value");
const MASK_CONTROL: &str = reference!("predication.rs, MaskControl");
const CHANNELS: &str = reference!("predication.rs, evaluate_ch_en");
const ENCODING: &str = "isa/src/visa/operand.rs, ALL_FIELDS";
const BYTES: &str = "isa/src/visa/operand/bytes.rs, to_bytes";
const TEXT: &str = "isa/src/visa/inst/mov_text.rs, print";

const MODES: &str = "every_instruction_agrees_in_every_mode";
const AXES: &str = "orthogonal_axes_are_covered_three_ways";
const VALUES: &str = "mov_converts_every_value_of_up_to_16_bits";
const MASKED: &str = "mov_under_a_mask_is_lane_by_lane";
const BYTE_FORM: &str = "the_byte_form_is_laid_out_as_the_pages_say";
const SYNTAX: &str = "the_pages_own_syntax_is_read";
const TYPE_MAPS: &str = "the_type_maps";
const IDEMPOTENT: &str = "saturation_of_up_to_16_bits_is_idempotent";
const MODIFIED: &str = "modifiers_of_up_to_16_bits_come_before_conversion";
const RAW: &str = "a_raw_copy_of_up_to_16_bits_keeps_every_bit";
const PARTS: &str = "conversions_part_from_ieee_754_exactly_where_the_list_says";
const READ_FIRST: &str = "everything_is_read_before_anything_is_written";
const PREDICATE_VALUE: &str = "a_predicate_is_an_unsigned_integer";
const PREDICATE_RULES: &str = "what_a_predicate_source_rules_out";

/// The statements, by line.
pub(super) static STATEMENTS: &[Statement] = &[
    done((8, 8), "The opcode is 0x29.", ENCODING, BYTE_FORM),
    done((12, 12), "The opcode is followed by Exec_size, Pred, Dst and Src0, in this order.", BYTES, BYTE_FORM),
    contradicted(
        (15, 15),
        "One channel after the other up to the execution size is looked at;",
        EXECUTE,
        READ_FIRST,
        "VX-28",
    ),
    done((16, 16), "only where ChEn has a channel enabled", CHANNELS, MASKED),
    contradicted(
        (17, 19),
        "is its element of dst given the value of its element of src0, with type conversion.",
        EXECUTE,
        MODES,
        "VX-28",
    ),
    done((23, 23), "The move is component by component, with type conversion where it takes one.", EXECUTE, MASKED),
    done((25, 25), "Exec_size is one byte.", BYTES, "byte_forms_round_trip"),
    contradicted(
        (26, 32),
        "Its bits 0 to 2 are the size of the regions: 1, 2, 4, 8, 16 or 32 elements, by the codes 0 to 5.",
        LOOK_THROUGH,
        AXES,
        "VX-06",
    ),
    done(
        (33, 49),
        "Its bits 4 to 7 are the execution mask: M1 to M8 by the codes 0 to 7, M1_NM to M8_NM by 8 to 15.",
        MASK_CONTROL,
        AXES,
    ),
    done((50, 50), "Pred is a word, the predication control.", reference!("predication.rs, PredControl::of"), AXES),
    done((51, 51), "Dst is a vector operand, general or indirect.", DESTINATION, AXES),
    done((52, 52), "Src0 is a vector operand, general, indirect, immediate or predicate.", SOURCE, AXES),
    contradicted(
        (54, 54),
        "Supported are B, BOOL, D, DF, F, HF, Q, UB, UD, UQ, UW and W; from XeHP on also BF.",
        TYPES,
        TYPE_MAPS,
        "VX-03",
    ),
    contradicted((55, 55), "The destination can be saturated.", CONVERSION, IDEMPOTENT, "VX-04"),
    contradicted((55, 55), "Saturation has its place among the steps of a move.", CONVERSION, PARTS, "VX-15"),
    contradicted((56, 56), "The source can have an arithmetic modifier.", CONVERSION, MODIFIED, "VX-15"),
    contradicted(
        (58, 60),
        "Each of UD, D, UW, W, UB, B, DF, F, BOOL, UQ, Q and HF can be moved to each of them.",
        TYPES,
        TYPE_MAPS,
        "VX-03",
    ),
    contradicted((61, 63), "From XeHP on, each of F and BF can be moved to each of them.", TYPES, TYPE_MAPS, "VX-04"),
    done(
        (66, 66),
        "The text is a predicate in parentheses, if there is one, the mnemonic with .sat, the execution size in \
         parentheses, destination and source.",
        TEXT,
        SYNTAX,
    ),
    contradicted((70, 70), "BOOL is for predicates; the other types are listed once more.", TYPES, TYPE_MAPS, "VX-03"),
    contradicted(
        (71, 71),
        "If the types differ, the value is converted by the rules of Section X.",
        CONVERSION,
        VALUES,
        "VX-02",
    ),
    contradicted((71, 71), "If they are the same, it is not.", CONVERSION, RAW, "VX-18"),
    contradicted((71, 71), "What is converted may have a modifier or be saturated.", CONVERSION, MODIFIED, "VX-15"),
    done((71, 71), "If the source is a predicate, the execution size must be one,", LOOK_THROUGH, PREDICATE_RULES),
    contradicted(
        (71, 71),
        "and the destination UB, UW or UD with at least as many bits as the predicate is large.",
        LOOK_THROUGH,
        PREDICATE_RULES,
        "VX-24",
    ),
    contradicted(
        (71, 71),
        "The predicate's value is an unsigned integer with element 0 as its lowest bit, and is copied.",
        PREDICATE,
        PREDICATE_VALUE,
        "VX-23",
    ),
    done((71, 71), "Neither predication nor saturation is supported then.", LOOK_THROUGH, PREDICATE_RULES),
    contradicted(
        (71, 71),
        "With fewer than 16 elements declared, the upper bits of the destination are undefined.",
        PREDICATE,
        PREDICATE_VALUE,
        "VX-24",
    ),
];

#[cfg(test)]
mod tests {
    use super::STATEMENTS;
    use crate::statement::gate::Gate;
    use crate::visa::{MOV, VISA};

    /// Headings, and the empty frame of the format's table.
    const HEADINGS: &[u32] = &[7, 9, 10, 11, 13, 21, 53, 57, 64, 68];
    /// Fences of code blocks.
    const FENCES: &[u32] = &[14, 20, 22, 24, 65, 67, 69, 72];
    /// The licence, and what the project's copy added.
    const OUTSIDE: &[u32] = &[1, 2, 3, 4, 5, 6, 73];

    #[test]
    fn statements_and_page_go_together() {
        let gate = Gate {
            statements: STATEMENTS,
            page: &MOV,
            errata: VISA.errata,
            last_line: 73,
            silent: &[HEADINGS, FENCES, OUTSIDE],
            contradicted_elsewhere: &[],
        };
        gate.check();
    }
}
