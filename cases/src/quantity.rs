//! What quantities of several instructions share.

/// A mask of which `count` bits of those in `slice` are set; of the bits that have to change, the lowest do. None if the
/// slice has not as many.
pub(crate) fn with_ones(mask: u32, slice: u32, count: u32) -> Option<u32> {
    if count > slice.count_ones() {
        return None;
    }
    let mut mask = mask;
    let lowest = |bits: u32| bits & bits.wrapping_neg();
    while (mask & slice).count_ones() > count {
        mask &= !lowest(mask & slice);
    }
    while (mask & slice).count_ones() < count {
        mask |= lowest(!mask & slice);
    }
    Some(mask)
}

/// No quantity, to begin a list with.
pub(crate) const NONE: tandem_isa::Quantity = tandem_isa::Quantity::new("", 1, |_| 0, |_, _| {});

#[cfg(test)]
pub(crate) mod example;
