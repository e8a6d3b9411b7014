//! What the numbers of vISA mean, where it is not plain.
//!
//! *Source*: pages Header (variables, control register), Execution Model (masks), Operands (operands, regions,
//! predication), Data Types (codes), DPAS (its control bytes), and the doc comments of [`operand`](super::operand).

use super::operand::MASK_NAMES;
use super::precision::{BF8, HF8, S1, S2, S4, TF32, U1, U2, U4};
use super::{B, BF, D, DF, DataType, F, HF, Q, UB, UD, UQ, UW, W};
use crate::{BankMeaning, Meaning, Meanings};

const fn plain(of: &'static str, text: &'static str) -> Meaning {
    Meaning { of, text, values: &[] }
}

const fn named(of: &'static str, text: &'static str, values: &'static [&'static str]) -> Meaning {
    Meaning { of, text, values }
}

/// The meanings.
pub(super) static MEANINGS: Meanings = Meanings { banks: BANKS, fields: &[FIELDS], code: &[CODE] };

const BANKS: &[BankMeaning] = &[BankMeaning {
    of: "GRF",
    text: "The register file, byte by byte: byte b is in row b / 32, and the lowest byte of a word is its first one. Data of 1, \
           2, 4 or 8 bytes lie packed, the lowest byte first. A row is a register of 32 bytes, or half of one of 64.",
    formats: &[&UB, &B, &UW, &W, &UD, &D, &UQ, &Q, &HF, &BF, &F, &DF, &TF32, &BF8, &HF8, &U4, &S4, &U2, &S2, &U1, &S1],
}];

/// The names of the data types, by their codes.
pub const TYPES: [&str; 16] = {
    let mut names = [""; 16];
    let mut code = 0;
    while code < 16 {
        names[code] = DataType::ALL[code].name();
        code += 1;
    }
    names
};

const KEPT: &[&str] = &["flush", "keep"];

const FIELDS: &[Meaning] = &[
    plain("EM", "Execution mask. Bit n: channel n is enabled."),
    named("dispatch_size", "Channels that are dispatched.", &["8", "16", "32"]),
    named("GRF_size", "Bytes of a register.", &["32", "64"]),
    named("platform", "What bfloat16 and DPAS depend on.", &["before XeHP", "XeHP or later"]),
    named("cr0.rounding_mode", "How results are rounded.", &["RTNE", "RU", "RD", "RTZ"]),
    named("cr0.DF_denorm", "Denormals of DF.", KEPT),
    named("cr0.F_denorm", "Denormals of F.", KEPT),
    named("cr0.HF_denorm", "Denormals of HF.", KEPT),
    named("P*.log2_num_elements", "Elements of the predicate variable.", &["1", "2", "4", "8", "16", "32"]),
    plain("P*", "Predicate variable. Bit n: element n. Bits beyond its elements belong to nothing."),
    named("V*.type", "Type of the elements of the general variable.", &TYPES),
    plain("V*.num_elements", "Elements of the general variable, 1 to 4096."),
    plain("V*.offset", "Where the general variable begins in GRF, in bytes."),
    plain("A*", "Element of the address variable: a byte of GRF."),
    plain(
        "Model.*",
        "Under which reading the case is compared. No state of the machine: it is to be followed, or refused.",
    ),
];

/// Numbers of elements, by the codes of strides and widths; the page lists no other code.
const ELEMENTS: &[&str] = &["null", "0", "1", "2", "4", "8", "16", "32"];

const CODE: &[Meaning] = &[
    named("Exec_size", "Channels of the instruction.", &["1", "2", "4", "8", "16", "32"]),
    plain("Exec_size.bit3", "Must be 0: no page gives it a meaning."),
    named(
        "Exec_mask",
        "M1 to M8: the first channel, in steps of four, from which on EM is taken. NM: EM is ignored, and the number counts \
         for predicates only.",
        &MASK_NAMES,
    ),
    plain("Pred.id", "Number of the predicate variable: 1 to 4 for P1 to P4, 0 for no predication."),
    plain("Pred.reserved", "Must be 0."),
    named("Pred.combine", "How the elements of the predicate are combined.", &["sequential", "any", "all"]),
    plain("Pred.inverse", "1: the predicate is inverted."),
    named(
        "*.operand_class",
        "What the operand is; it decides which of its fields count.",
        &["general", "address", "predicate", "indirect", "", "immediate", "state"],
    ),
    named(
        "*.modifiers",
        "Modifier: sat of a destination, the others of a source (VX-05).",
        &["none", "abs", "neg", "neg-abs", "sat", "not"],
    ),
    plain("*.tag_rest", "Must be 0: no page gives it a meaning."),
    plain(
        "*.id",
        "Number of the variable: 32 to 35 for V32 to V35; 0 and 1 for A0 and A1, of an indirect operand; 0 of a raw operand \
         for none.",
    ),
    plain("*.row_offset", "Registers from the beginning of the variable on."),
    plain("*.col_offset", "Elements from there on."),
    plain("*.addr_offset", "First element of the address variable, of an indirect operand."),
    named("*.bit_properties.type", "Type of the elements, of an indirect operand.", &TYPES),
    plain("*.bit_properties.rest", "Must be 0: no page gives it a meaning."),
    named(
        "*.vertical_stride",
        "Step between two rows of the region, in elements. null: each row has an address.",
        ELEMENTS,
    ),
    named("*.width", "Elements in a row of the region.", ELEMENTS),
    named("*.horizontal_stride", "Step between two elements of a row, in elements.", ELEMENTS),
    plain("*.region_rest", "Must be 0: no page gives it a meaning."),
    plain("*.indirect_offset", "Bytes added to an address: -512 to 511, two's complement."),
    named("Src0.type", "Type of an immediate.", &TYPES),
    plain("Src0.type_rest", "Must be 0: no page gives it a meaning."),
    plain("Src0.low", "The low 32 bits of an immediate."),
    plain("Src0.high", "The high 32 bits of an immediate of type DF, Q or UQ."),
    plain("Src0.predicate.id", "Number of a predicate variable that is a source: 1 to 4 for P1 to P4."),
    plain("Src0.predicate.reserved", "Must be 0."),
    plain("Src0.predicate.combine", "Must be 0 of a source."),
    plain("Src0.predicate.inverse", "Must be 0 of a source."),
    named("W", "Precision of the elements of Src1.", PRECISIONS),
    named("A", "Precision of the elements of Src2.", PRECISIONS),
    plain("SD", "Systolic depth: the number itself. It is 8 on every platform."),
    plain("RC", "Repeat count: the number itself, 1 to 8."),
    plain("*.offset", "Bytes from the beginning of the variable on."),
];

/// The names of the precisions, by their codes.
const PRECISIONS: &[&str] = &["", "u1", "s1", "u2", "s2", "u4", "s4", "u8", "s8", "bf", "hf", "bf8", "tf32", "", "hf8"];
