//! What the axes of all instructions share: the small state of a case, which variable a number means, and axes as data: a
//! lens says where a number of a case lies, and a partition which of its values are one level.

use std::mem::offset_of;

use tandem_isa::visa::{DataType, FIRST_GENERAL, NUM_GENERAL, PRE_XEHP, Small, XEHP};
use tandem_isa::{Axis, CodeField, Noise, Parts};

/// Size of a word of the register file as a bank, in bytes.
pub(super) const WORD_BYTES: usize = 4;

/// The small state of a case, typed.
#[inline(always)]
pub(super) fn small<'a>(parts: &'a mut Parts<'_>) -> &'a mut Small {
    bytemuck::from_bytes_mut(parts.small)
}

#[inline(always)]
pub(super) fn peek<'a>(parts: &'a Parts<'_>) -> &'a Small {
    bytemuck::from_bytes(parts.small)
}

#[inline(always)]
pub(super) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a level or a field value fits in 32 bits")
}

/// The table entry that the number of a general variable means; numbers that no variable has are folded.
#[inline(always)]
pub(super) fn entry(id: u32) -> usize {
    (id.wrapping_sub(FIRST_GENERAL)) as usize % NUM_GENERAL
}

/// The type of a variable, by its entry.
#[inline(always)]
pub(super) fn variable_type(parts: &Parts<'_>, variable: usize) -> DataType {
    DataType::of_code(peek(parts).variables[variable].data_type.into())
}

/// Where a number of a case lies.
#[derive(Clone, Copy)]
pub(super) enum Lens {
    /// A field of the code words.
    Code(CodeField),
    /// Bits of a word of the small state: the word's offset, in bytes; the lowest bit; how many.
    State(usize, u32, u32),
}

impl Lens {
    #[inline(always)]
    pub(super) fn get(self, parts: &Parts<'_>) -> u32 {
        match self {
            Lens::Code(field) => field.get(parts.code),
            Lens::State(offset, shift, width) => {
                let words: &[u32] = bytemuck::cast_slice(parts.small);
                words[offset / 4] >> shift & ones(width)
            }
        }
    }

    #[inline(always)]
    pub(super) fn set(self, parts: &mut Parts<'_>, value: u32) {
        match self {
            Lens::Code(field) => field.set(parts.code, value),
            Lens::State(offset, shift, width) => {
                let words: &mut [u32] = bytemuck::cast_slice_mut(parts.small);
                let word = &mut words[offset / 4];
                *word = (*word & !(ones(width) << shift)) | (value & ones(width)) << shift;
            }
        }
    }
}

const fn ones(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

/// Which values of a number are one level.
#[derive(Clone, Copy)]
pub(super) enum Partition {
    /// Each value is a level.
    Each,
    /// Each of these is a level; any other value counts as the first one.
    Known(&'static [u32]),
    /// For each level, values of which one is drawn; what is in none is of the last level.
    Sets(&'static [&'static [u32]]),
}

impl Partition {
    /// The level of a value.
    #[inline(always)]
    pub(super) fn level(self, value: u32) -> usize {
        match self {
            Partition::Each => value as usize,
            Partition::Known(values) => values.iter().position(|&known| known == value).unwrap_or(0),
            Partition::Sets(sets) => sets.iter().position(|set| set.contains(&value)).unwrap_or(sets.len() - 1),
        }
    }

    /// A value of a level.
    #[inline(always)]
    pub(super) fn draw(self, level: usize, noise: &mut Noise) -> u32 {
        match self {
            Partition::Each => narrow(level),
            Partition::Known(values) => values[level],
            Partition::Sets(sets) => match sets[level] {
                [only] => *only,
                several => several[noise.below(several.len())],
            },
        }
    }
}

/// An axis of a lens and a partition, which are constants.
macro_rules! split {
    ($name:expr, $levels:expr, $weights:expr, $lens:expr, $by:expr) => {
        tandem_isa::Axis {
            name: $name,
            levels: $levels,
            weights: $weights,
            set: |parts, level, noise| {
                let value = $by.draw(level, noise);
                $lens.set(parts, value);
            },
            get: |parts| $by.level($lens.get(parts)),
        }
    };
}
pub(super) use split;

/// The platform. What one lacks is illegal there, so most cases are of the newest.
pub(super) const PLATFORM: Axis = split!(
    "platform",
    &["XeHP+", "before XeHP"],
    &[3, 1],
    Lens::State(offset_of!(Small, platform), 0, 1),
    Partition::Known(&[XEHP, PRE_XEHP])
);

/// An axis that sets a case.
pub(super) const fn axis(
    name: &'static str,
    levels: &'static [&'static str],
    weights: &'static [u16],
    set: fn(&mut Parts<'_>, usize, &mut Noise),
    get: fn(&Parts<'_>) -> usize,
) -> Axis {
    Axis { name, levels, weights, set, get }
}

/// An axis that is wished for: it is granted when the operands get their places.
pub(super) const fn wish(
    name: &'static str,
    levels: &'static [&'static str],
    weights: &'static [u16],
    get: fn(&Parts<'_>) -> usize,
) -> Axis {
    axis(name, levels, weights, |_, _, _| {}, get)
}

/// Where some axes lie among those of an instruction: a structure with the place of each, by its name.
macro_rules! places {
    ($(#[$doc:meta])* $places:ident: $($axis:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $places {
            $(pub $axis: usize,)*
        }

        impl $places {
            pub(super) const fn among(axes: &[tandem_isa::Axis]) -> Self {
                $places { $($axis: crate::place(axes, stringify!($axis)),)* }
            }
        }
    };
}
pub(super) use places;
