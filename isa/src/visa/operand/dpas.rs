//! The code words of `DPAS`: opcode and control words as everywhere, three raw operands, a vector operand, and four bytes.
//!
//! | word | holds |
//! |---|---|
//! | 0 | opcode, `Exec_size`, execution mask |
//! | 1 | `W`, `A`, `SD`, `RC`, a byte each |
//! | 2, 3 | `Dst`: number, byte offset |
//! | 4, 5 | `Src0`, likewise; number 0 is the null operand |
//! | 6, 7 | `Src1`, likewise |
//! | 8 to 11 | `Src2`: tag, number, offsets, region |
//!
//! *Source*: page DPAS (format, lines 15-18; fields, lines 251-297), page Operands (raw operands, lines 480-503).

use super::{EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, SRC2, field};
use crate::CodeField;

/// Words of the instruction.
pub const CODE_WORDS: usize = 12;

/// The number of the null variable.
pub const NULL_VARIABLE: u32 = 0;

/// The fields of a raw operand.
#[derive(Clone, Copy, Debug)]
pub struct RawFields {
    /// Number of the general variable; [`NULL_VARIABLE`] for none.
    pub id: CodeField,
    /// Bytes from the beginning of the variable on, 16 bits.
    pub offset: CodeField,
}

macro_rules! raw_fields {
    ($name:literal, $word:expr) => {
        RawFields {
            id: field(concat!($name, ".id"), $word, 0, 32),
            offset: field(concat!($name, ".offset"), $word + 1, 0, 16),
        }
    };
}

/// The precision of `Src1`: a code of [`Precision`](crate::visa::precision::Precision).
pub const W: CodeField = field("W", 1, 0, 8);
/// The precision of `Src2`: a code of [`Precision`](crate::visa::precision::Precision).
pub const A: CodeField = field("A", 1, 8, 8);
/// Systolic depth, the number itself.
pub const SD: CodeField = field("SD", 1, 16, 8);
/// Repeat count, the number itself.
pub const RC: CodeField = field("RC", 1, 24, 8);

/// The destination.
pub const DST: RawFields = raw_fields!("Dst", 2);
/// The accumulator.
pub const SRC0: RawFields = raw_fields!("Src0", 4);
/// The weights.
pub const SRC1: RawFields = raw_fields!("Src1", 6);

/// Systolic depths that the page allows.
pub const DEPTHS: [u32; 4] = [1, 2, 4, 8];
/// The execution mask control that the suite takes to be meant: `M1_NM`.
pub const M1_NM: u32 = super::NO_MASK;

/// All fields but the opcode, in the order of the code words.
pub const ALL_FIELDS: &[CodeField] = &[
    EXEC_SIZE,
    EXEC_SIZE_BIT3,
    EXEC_MASK,
    W,
    A,
    SD,
    RC,
    DST.id,
    DST.offset,
    SRC0.id,
    SRC0.offset,
    SRC1.id,
    SRC1.offset,
    SRC2.class,
    SRC2.modifiers,
    SRC2.tag_rest,
    SRC2.id,
    SRC2.row_offset,
    SRC2.col_offset,
    SRC2.vert_stride,
    SRC2.width,
    SRC2.horz_stride,
    SRC2.region_rest,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visa::operand::OPCODE;

    #[test]
    fn fields_do_not_overlap() {
        let mut taken = [0u32; CODE_WORDS];
        for field in ALL_FIELDS.iter().chain([&OPCODE]) {
            assert_eq!(taken[field.word] & field.mask(), 0, "{}", field.name);
            taken[field.word] |= field.mask();
        }
        let named = [u32::MAX, 0xffff, 0xff, u32::MAX, 0xffff, u32::MAX];
        let words = [2, 3, 8, 9, 10, 1];
        assert_eq!(words.map(|word: usize| taken[word]), named);
    }
}
