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
    /// first.
    pub change: fn(&mut Parts<'_>, u32),
}

impl Quantity {
    /// A quantity whose values have no names.
    #[must_use]
    pub const fn new(
        name: &'static str,
        width: u32,
        get: fn(&Parts<'_>) -> u32,
        change: fn(&mut Parts<'_>, u32),
    ) -> Self {
        Quantity { name, width, values: &[], get, change }
    }

    /// The same with names of its values.
    #[must_use]
    pub const fn named(self, values: &'static [&'static str]) -> Self {
        Quantity { values, ..self }
    }

    /// Gives a case a value, and says whether the case has it. A case that has it already stays as it is; if it cannot be
    /// had, what was changed is of no use.
    pub fn set(&self, parts: &mut Parts<'_>, value: u32) -> bool {
        if (self.get)(parts) != value {
            (self.change)(parts, value);
        }
        (self.get)(parts) == value
    }
}

impl std::fmt::Debug for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bits)", self.name, self.width)
    }
}
