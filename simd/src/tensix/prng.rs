//! The PRNG of the lanes.
//!
//! What differs from page VectorUnit, and why it is equal: the parity of four bits is formed at the place of the highest of them,
//! to which the others are shifted.

use std::cell::Cell;

use tandem_isa::tensix::{Access, Views};

use crate::vector::Vector;

const SIGN: u32 = 1 << 31;

/// The state that follows.
#[inline(always)]
pub(super) fn next<V: Vector>(state: V) -> V {
    let parity = state ^ state.shift_left_all(10) ^ state.shift_left_all(30) ^ state.shift_left_all(31);
    (!parity & state.like(SIGN)) | state.shift_right_all(1)
}

/// The states of the PRNG, to read and to write.
#[inline(always)]
pub(super) fn states<'a>(views: &mut Views<'a>) -> &'a [Cell<u32>] {
    views.prng(Access::Read);
    views.prng(Access::Write)
}

/// Advances the PRNG of the lanes that take part.
#[inline(always)]
pub(super) fn advance<V: Vector>(level: V::Level, taking_part: u32, views: &mut Views<'_>) {
    let prng = states(views);
    for chunk in 0..32 / V::LANES {
        next(V::load(level, prng, chunk)).store(prng, chunk, V::mask_of(level, taking_part, chunk));
    }
}
