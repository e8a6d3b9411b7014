//! How quantities are written, and how lists are joined.

/// A [`Quantity`](tandem_isa::Quantity): name, width, names of values if there are any, and how it is read and set.
macro_rules! quantity {
    ($name:expr, $width:expr, $get:expr, $set:expr) => {
        $crate::quantity::quantity!($name, $width, &[], $get, $set)
    };
    ($name:expr, $width:expr, $values:expr, $get:expr, $set:expr) => {
        tandem_isa::Quantity { name: $name, width: $width, values: $values, get: $get, set: $set }
    };
}
pub(crate) use quantity;

/// Whether a value has at most `width` bits, fewer than 32.
#[inline(always)]
pub(crate) const fn fits(value: u32, width: u32) -> bool {
    value >> width == 0
}

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
pub(crate) const NONE: tandem_isa::Quantity = quantity!("", 1, |_| 0, |_, _| false);

#[cfg(test)]
pub(crate) mod example;
