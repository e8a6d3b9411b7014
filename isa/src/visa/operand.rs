//! Operands and control words of vISA instructions: their fields in the code words, and the code points in them.
//!
//! The code words are a normal form of the byte form: each piece has a word of its own, and an operand has the fields
//! of all its classes, of which only those of the class at hand mean anything. The module [`bytes`] goes both ways
//! between the two.
//!
//! *Source*: page Operands (vector operands, lines 242-460; predication, lines 166-192), page Execution Model (lines
//! 13-26, 122-151), page MOV (lines 25-52).

pub mod bytes;
pub mod dpas;
pub mod dpas_bytes;

use crate::CodeField;

const fn field(name: &'static str, word: usize, shift: u32, width: u32) -> CodeField {
    CodeField { name, word, shift, width }
}

/// Words of an instruction with a destination and one source.
pub const CODE_WORDS: usize = 13;

// ------------------------------------------------------------------------------------------------ opcode and control

/// The opcode byte.
pub const OPCODE: CodeField = field("opcode", 0, 0, 8);
/// `Exec_size` bits 0 to 2: a place in [`EXEC_SIZES`].
pub const EXEC_SIZE: CodeField = field("Exec_size", 0, 8, 3);
/// `Exec_size` bit 3, to which no page gives a meaning.
pub const EXEC_SIZE_BIT3: CodeField = field("Exec_size.bit3", 0, 11, 1);
/// `Exec_size` bits 4 to 7: the execution mask control, a place in [`MASK_NAMES`].
pub const EXEC_MASK: CodeField = field("Exec_mask", 0, 12, 4);

/// Elements of each execution size code; 6 and 7 have none.
pub const EXEC_SIZES: [Option<u32>; 8] = [Some(1), Some(2), Some(4), Some(8), Some(16), Some(32), None, None];
/// The names of the execution mask controls.
pub const MASK_NAMES: [&str; 16] = [
    "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M1_NM", "M2_NM", "M3_NM", "M4_NM", "M5_NM", "M6_NM", "M7_NM",
    "M8_NM",
];
/// The first channel that `M1` to `M8` select, and the first predicate element that these and `M1_NM` to `M8_NM` do.
pub const MASK_OFFSETS: [u32; 8] = [0, 4, 8, 12, 16, 20, 24, 28];
/// The bit of the execution mask control that means `NM`: the execution mask is ignored.
pub const NO_MASK: u32 = 8;

/// The fields of a predicate and its control: of the predication control, and of a predicate operand.
#[derive(Clone, Copy, Debug)]
pub struct PredicateFields {
    /// Number of the predicate variable; 0 for none.
    pub id: CodeField,
    /// Must be zero.
    pub reserved: CodeField,
    /// One of the codes in [`combine`].
    pub combine: CodeField,
    /// Whether the predicate is inverted.
    pub inverse: CodeField,
}

/// How a predicate's elements are combined.
pub mod combine {
    /// Each channel has its element.
    pub const SEQUENTIAL: u32 = 0;
    /// All channels have 1 if any element is 1.
    pub const ANY: u32 = 1;
    /// All channels have 1 if all elements are 1.
    pub const ALL: u32 = 2;
    /// Reserved.
    pub const RESERVED: u32 = 3;
}

/// The predication control.
pub const PRED: PredicateFields = PredicateFields {
    id: field("Pred.id", 1, 0, 12),
    reserved: field("Pred.reserved", 1, 12, 1),
    combine: field("Pred.combine", 1, 13, 2),
    inverse: field("Pred.inverse", 1, 15, 1),
};

// ------------------------------------------------------------------------------------------------ vector operands

/// Operand classes; 4 and 7 are reserved.
pub mod class {
    /// A general variable.
    pub const GENERAL: u32 = 0;
    /// An address variable.
    pub const ADDRESS: u32 = 1;
    /// A predicate variable.
    pub const PREDICATE: u32 = 2;
    /// A general variable through an address variable.
    pub const INDIRECT: u32 = 3;
    /// A constant.
    pub const IMMEDIATE: u32 = 5;
    /// A sampler or surface.
    pub const STATE: u32 = 6;
}

/// Operand modifiers. The page leaves its list empty; these are those of the vISA writer (erratum VX-05).
pub mod modifier {
    /// None.
    pub const NONE: u32 = 0;
    /// Absolute value of a source.
    pub const ABS: u32 = 1;
    /// Negation of a source.
    pub const NEG: u32 = 2;
    /// Negation of the absolute value of a source.
    pub const NEG_ABS: u32 = 3;
    /// Saturation of a destination.
    pub const SAT: u32 = 4;
    /// Inversion of a source of a logic instruction.
    pub const NOT: u32 = 5;
}

/// What a code of a stride or a width means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionCode {
    /// The null value.
    Null,
    /// A number of elements.
    Elements(u32),
    /// A code that the page does not list.
    Unlisted,
}

/// What the sixteen codes of strides and widths mean.
pub const REGION_CODES: [RegionCode; 16] = {
    let mut codes = [RegionCode::Unlisted; 16];
    codes[0] = RegionCode::Null;
    codes[1] = RegionCode::Elements(0);
    let mut code = 2;
    while code < 8 {
        codes[code] = RegionCode::Elements(1 << (code - 2));
        code += 1;
    }
    codes
};
/// The code of the null value.
pub const NULL: u32 = 0;

/// The code that stands for `elements` (0, or a power of two up to 32), if there is one.
#[must_use]
#[inline]
pub const fn region_code(elements: u32) -> Option<u32> {
    match elements {
        0 => Some(1),
        elements if elements.is_power_of_two() && elements <= 32 => Some(2 + elements.trailing_zeros()),
        _ => None,
    }
}

/// Widths that the region rules allow.
pub const LEGAL_WIDTHS: [u32; 5] = [1, 2, 4, 8, 16];
/// Vertical strides that the region rules allow.
pub const LEGAL_VERT_STRIDES: [u32; 7] = [0, 1, 2, 4, 8, 16, 32];
/// Horizontal strides that the region rules allow; 0 not for destinations.
pub const LEGAL_HORZ_STRIDES: [u32; 4] = [0, 1, 2, 4];
/// The range of the byte offset of an indirect operand.
pub const INDIRECT_OFFSETS: std::ops::RangeInclusive<i32> = -512..=511;

/// The fields of a vector operand. General operands have `id`, `row_offset`, `col_offset` and the region; indirect ones
/// `id` (of an address variable), `addr_offset`, `indirect_offset`, `data_type` and the region.
#[derive(Clone, Copy, Debug)]
pub struct OperandFields {
    /// One of the codes in [`class`].
    pub class: CodeField,
    /// One of the codes in [`modifier`].
    pub modifiers: CodeField,
    /// Bits 6 and 7 of the tag, to which no page gives a meaning.
    pub tag_rest: CodeField,
    /// Number of the general or address variable.
    pub id: CodeField,
    /// Offset in registers.
    pub row_offset: CodeField,
    /// Offset in elements.
    pub col_offset: CodeField,
    /// First element of the address variable.
    pub addr_offset: CodeField,
    /// Type of the elements behind an address: a code of [`super::DataType`].
    pub data_type: CodeField,
    /// Bits 4 to 7 of the indirect operand's properties, to which no page gives a meaning.
    pub properties_rest: CodeField,
    /// Step between two rows, in elements, as one of [`REGION_CODES`].
    pub vert_stride: CodeField,
    /// Elements in a row, as one of [`REGION_CODES`].
    pub width: CodeField,
    /// Step between two elements of a row, in elements, as one of [`REGION_CODES`].
    pub horz_stride: CodeField,
    /// Bits 12 to 15 of the region, to which no page gives a meaning.
    pub region_rest: CodeField,
    /// Bytes added to an address; 16 bits, two's complement.
    pub indirect_offset: CodeField,
}

macro_rules! operand_fields {
    ($name:literal, $word:expr) => {
        OperandFields {
            class: field(concat!($name, ".operand_class"), $word, 0, 3),
            modifiers: field(concat!($name, ".modifiers"), $word, 3, 3),
            tag_rest: field(concat!($name, ".tag_rest"), $word, 6, 2),
            id: field(concat!($name, ".id"), $word + 1, 0, 32),
            row_offset: field(concat!($name, ".row_offset"), $word + 2, 0, 8),
            col_offset: field(concat!($name, ".col_offset"), $word + 2, 8, 8),
            addr_offset: field(concat!($name, ".addr_offset"), $word + 2, 16, 8),
            data_type: field(concat!($name, ".bit_properties.type"), $word + 2, 24, 4),
            properties_rest: field(concat!($name, ".bit_properties.rest"), $word + 2, 28, 4),
            vert_stride: field(concat!($name, ".vertical_stride"), $word + 3, 0, 4),
            width: field(concat!($name, ".width"), $word + 3, 4, 4),
            horz_stride: field(concat!($name, ".horizontal_stride"), $word + 3, 8, 4),
            region_rest: field(concat!($name, ".region_rest"), $word + 3, 12, 4),
            indirect_offset: field(concat!($name, ".indirect_offset"), $word + 3, 16, 16),
        }
    };
}

/// The destination.
pub const DST: OperandFields = operand_fields!("Dst", 2);
/// The source, if it is a general or indirect operand.
pub const SRC0: OperandFields = operand_fields!("Src0", 6);

/// The third source, of instructions that have raw operands before it.
pub const SRC2: OperandFields = operand_fields!("Src2", 8);

/// The fields of an immediate operand.
#[derive(Clone, Copy, Debug)]
pub struct ConstFields {
    /// A code of [`super::DataType`].
    pub data_type: CodeField,
    /// Bits 4 to 7 of the type byte, to which no page gives a meaning.
    pub type_rest: CodeField,
    /// The low 32 bits of the constant.
    pub low: CodeField,
    /// The high 32 bits; only `DF`, `Q` and `UQ` have them.
    pub high: CodeField,
}

/// The source, if it is an immediate operand.
pub const SRC0_CONST: ConstFields = ConstFields {
    data_type: field("Src0.type", 10, 0, 4),
    type_rest: field("Src0.type_rest", 10, 4, 4),
    low: field("Src0.low", 11, 0, 32),
    high: field("Src0.high", 12, 0, 32),
};

/// The source, if it is a predicate operand.
pub const SRC0_PREDICATE: PredicateFields = PredicateFields {
    id: field("Src0.predicate.id", 10, 8, 12),
    reserved: field("Src0.predicate.reserved", 10, 20, 1),
    combine: field("Src0.predicate.combine", 10, 21, 2),
    inverse: field("Src0.predicate.inverse", 10, 23, 1),
};

/// All fields but the opcode, in the order of the code words.
pub const ALL_FIELDS: &[CodeField] = &[
    EXEC_SIZE,
    EXEC_SIZE_BIT3,
    EXEC_MASK,
    PRED.id,
    PRED.reserved,
    PRED.combine,
    PRED.inverse,
    DST.class,
    DST.modifiers,
    DST.tag_rest,
    DST.id,
    DST.row_offset,
    DST.col_offset,
    DST.addr_offset,
    DST.data_type,
    DST.properties_rest,
    DST.vert_stride,
    DST.width,
    DST.horz_stride,
    DST.region_rest,
    DST.indirect_offset,
    SRC0.class,
    SRC0.modifiers,
    SRC0.tag_rest,
    SRC0.id,
    SRC0.row_offset,
    SRC0.col_offset,
    SRC0.addr_offset,
    SRC0.data_type,
    SRC0.properties_rest,
    SRC0.vert_stride,
    SRC0.width,
    SRC0.horz_stride,
    SRC0.region_rest,
    SRC0.indirect_offset,
    SRC0_CONST.data_type,
    SRC0_CONST.type_rest,
    SRC0_PREDICATE.id,
    SRC0_PREDICATE.reserved,
    SRC0_PREDICATE.combine,
    SRC0_PREDICATE.inverse,
    SRC0_CONST.low,
    SRC0_CONST.high,
];

/// The indirect offset of an operand, in bytes.
#[must_use]
#[inline]
pub const fn indirect_offset(operand: &OperandFields, code: &[u32]) -> i32 {
    // Sixteen bits, so the value is its own sign extension.
    (operand.indirect_offset.get(code) << 16).cast_signed() >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_strides_go_both_ways() {
        for (code, known) in (0..).zip(REGION_CODES) {
            if let RegionCode::Elements(elements) = known {
                assert_eq!(region_code(elements), Some(code));
            }
        }
        assert_eq!([3, 12, 64].map(region_code), [None; 3]);
    }

    #[test]
    fn fields_do_not_overlap() {
        let mut taken = [0u32; CODE_WORDS];
        for field in ALL_FIELDS.iter().chain([&OPCODE]) {
            assert_eq!(taken[field.word] & field.mask(), 0, "{}", field.name);
            taken[field.word] |= field.mask();
        }
    }
}
