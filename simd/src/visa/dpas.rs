//! `DPAS`: systolic dot products, accumulated. There is no optimized implementation yet.

/// Whether there is one.
pub(crate) const IS_IMPLEMENTED: bool = false;
