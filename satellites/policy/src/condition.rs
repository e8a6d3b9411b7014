//! Conditions, in the form in which they are evaluated.

use super::case::{Case, Number, word_at};
use super::rows::RowsRead;

/// Something that holds before a case, or does not.
#[derive(Debug)]
pub(super) enum Condition {
    /// A number passes a test.
    Number(Number, Test),
    /// One of these numbers does.
    Any(Vec<Number>, Test),
    /// One of these bits of the code words is set: word and bits.
    CodeBits(Vec<(usize, u32)>),
    /// One of these bits of the small state is set: byte of a 32-bit word, and bits.
    SmallBits(Vec<(usize, u32)>),
    /// Words that are instances of one another differ in these bits.
    Differ(Vec<Instances>),
    /// A datum of the rows that the instruction reads matches.
    Data(Box<RowsRead>, DataTest),
}

/// Words that are instances of one another, each by its byte in the small state.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Instances {
    pub bytes: Vec<usize>,
    pub mask: u32,
}

/// What is asked of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Is(u32),
    Not(u32),
    /// One of the values below 64 that have a bit here.
    In(u64),
    /// None of the values below 64 that have a bit here.
    NotIn(u64),
    AnyBit(u32),
    AtLeast(u32),
    AtMost(u32),
    NotMultipleOf(u32),
}

impl Test {
    #[inline]
    fn passes(&self, value: u32) -> bool {
        let among = |set: u64| value < 64 && set >> value & 1 != 0;
        match *self {
            Test::Is(wanted) => value == wanted,
            Test::Not(unwanted) => value != unwanted,
            Test::In(set) => among(set),
            Test::NotIn(set) => !among(set),
            Test::AnyBit(bits) => value & bits != 0,
            Test::AtLeast(least) => value >= least,
            Test::AtMost(most) => value <= most,
            Test::NotMultipleOf(divisor) => !value.is_multiple_of(divisor),
        }
    }
}

/// What is asked of a datum: that its bits in `mask` are `value`, and that it has one of the bits in `some`, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataTest {
    pub mask: u32,
    pub value: u32,
    pub some: u32,
}

impl DataTest {
    #[inline]
    pub fn passes(&self, datum: u32) -> bool {
        datum & self.mask == self.value && (self.some == 0 || datum & self.some != 0)
    }
}

impl Condition {
    #[inline]
    pub fn holds(&self, case: &Case<'_>) -> bool {
        match self {
            Condition::Number(number, test) => test.passes(number.get(case)),
            Condition::Any(numbers, test) => numbers.iter().any(|number| test.passes(number.get(case))),
            Condition::CodeBits(words) => words.iter().any(|&(word, bits)| case.code[word] & bits != 0),
            Condition::SmallBits(words) => {
                words.iter().fold(0, |set, &(at, bits)| set | (word_at(case.small, at) & bits)) != 0
            }
            Condition::Differ(groups) => groups.iter().any(|group| group.differ(case.small)),
            Condition::Data(rows, test) => rows.any(case, test),
        }
    }
}

impl Instances {
    #[inline]
    fn differ(&self, small: &[u8]) -> bool {
        let Some((&first, others)) = self.bytes.split_first() else {
            return false;
        };
        let first = word_at(small, first);
        others.iter().fold(0, |set, &at| set | ((word_at(small, at) ^ first) & self.mask)) != 0
    }
}
