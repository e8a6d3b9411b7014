//! Salting: which values the rows that a case reads are filled with.

use crate::MAX_BANKS;

/// What the rows that a case reads look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowShape {
    /// Two rows of a pool, each datum from one of them.
    #[default]
    Blend,
    /// Nothing but zero.
    Zero,
    /// The same corner value in all data of all rows.
    Corner,
    /// The same value in all data of a row, any.
    Equal,
    /// The same value in all data of a row but one.
    Odd,
    /// Corner values, so that each meets each other in the same place of two rows.
    Pairs,
}

impl RowShape {
    /// The name of the axis that every instruction has for it.
    pub const AXIS: &'static str = "row_shape";
    /// All of them.
    pub const ALL: [RowShape; 6] =
        [RowShape::Blend, RowShape::Zero, RowShape::Corner, RowShape::Equal, RowShape::Odd, RowShape::Pairs];
    /// Their names, in this order.
    pub const NAMES: [&'static str; 6] = ["blend", "zero", "one corner", "all equal", "one odd", "pairs of corners"];
}

/// The most ranges of rows with values of their own that a case may have.
pub const MAX_SALT_RANGES: usize = 4;

/// Rows that are salted with other values than the rest of their bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaltRange {
    /// The first row, among the rows of all banks.
    pub first: u16,
    /// The row behind the last one; not above `first` if there is no row.
    pub end: u16,
    /// A number of a [`crate::ValueClass`] of the instruction set.
    pub class: u8,
}

impl SaltRange {
    /// Whether a row, by its number among the rows of all banks, lies in the range.
    #[must_use]
    #[inline]
    pub const fn contains(&self, row_id: usize) -> bool {
        self.first as usize <= row_id && row_id < self.end as usize
    }
}

/// Which values each bank is salted with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaltPlan {
    /// For each bank, a number of a [`crate::ValueClass`] of the instruction set.
    pub class: [u8; MAX_BANKS],
    /// Rows that have a class of their own; where ranges overlap, the first counts.
    pub ranges: [SaltRange; MAX_SALT_RANGES],
    /// What the rows look like.
    pub shape: RowShape,
}

impl SaltPlan {
    /// The class of a row of a bank; the row by its number among the rows of all banks.
    #[must_use]
    #[inline]
    pub fn class_of(&self, bank: usize, row_id: usize) -> u8 {
        self.ranges.iter().find(|range| range.contains(row_id)).map_or(self.class[bank], |range| range.class)
    }
}
