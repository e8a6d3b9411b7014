//! Quantities: numbers that several fields of a case make together, by which people say what an implementation refuses.

use crate::Parts;

/// A number that a case has beside its fields: a row after all sums, a format after all overrides, a member of the section
/// that is in force. A target that refuses some cases mostly does so by such a number, and not by one field.
///
/// It is a label, like an axis: no implementation calls it, and a mistake in it makes a rule that explains less, not a
/// verdict.
#[derive(Clone, Copy)]
pub struct Quantity {
    /// What it is, in the page's words, for example `row of SrcA, with its counter`.
    pub name: &'static str,
    /// Its width, in bits. A sum has the bits that it has before it wraps.
    pub width: u32,
    /// The names of its values, if they have any.
    pub values: &'static [&'static str],
    /// Its value in a case.
    pub get: fn(&Parts<'_>) -> u32,
    /// Gives a case another value, where that is possible, by changing as few fields as it takes; a field of the code word
    /// first. False if this value cannot be had; what was changed is then of no use.
    pub set: fn(&mut Parts<'_>, u32) -> bool,
}

impl std::fmt::Debug for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bits)", self.name, self.width)
    }
}
