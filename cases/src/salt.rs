//! The axis of what the rows that a case reads look like, which every instruction has.

use tandem_isa::{Axis, RowShape};

/// What the rows that a case reads look like.
pub(crate) const ROW_SHAPE: Axis = Axis {
    name: RowShape::AXIS,
    levels: &RowShape::NAMES,
    // The generator has pairs of corners in its own turn.
    weights: &[110, 3, 5, 5, 4, 1],
    set: |parts, level, _| parts.salt.shape = RowShape::ALL[level],
    get: |parts| parts.salt.shape as usize,
};
