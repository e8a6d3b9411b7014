//! What the axes of all instructions share: the small state of a case, which variable a number means, and axes as data: a
//! lens says where a number of a case lies, and a partition which of its values are one level.

use super::*;

/// Size of a word of the register file as a bank, in bytes.
pub(super) const WORD_BYTES: usize = 4;

/// The small state of a case, typed.
pub(super) fn small<'a>(parts: &'a mut Parts<'_>) -> &'a mut Small {
    bytemuck::from_bytes_mut(parts.small)
}

pub(super) fn peek<'a>(parts: &'a Parts<'_>) -> &'a Small {
    bytemuck::from_bytes(parts.small)
}

pub(super) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a level or a field value fits in 32 bits")
}

/// Sets fields of the code words.
pub(super) fn put<const N: usize>(code: &mut [u32], fields: [(CodeField, u32); N]) {
    fields.into_iter().for_each(|(field, value)| field.set(code, value));
}

/// A variable, as it is declared.
pub(super) fn declared(data_type: DataType, num_elements: usize, offset: usize) -> GeneralVariable {
    let data_type = data_type.code() as u16;
    GeneralVariable { data_type, num_elements: num_elements as u16, offset: offset as u16, unused: 0 }
}

/// The table entry that the number of a general variable means; numbers that no variable has are folded.
pub(super) fn entry(id: u32) -> usize {
    (id.wrapping_sub(FIRST_GENERAL)) as usize % NUM_GENERAL
}

/// The type of a variable, by its entry.
pub(super) fn variable_type(parts: &Parts<'_>, variable: usize) -> DataType {
    DataType::of_code(peek(parts).variables[variable].data_type.into())
}

/// Looks at a case whose code words and state are at hand, and at its register file.
pub(super) fn with_arena<T>(
    code: &mut [u32],
    state: &mut State,
    look: impl FnOnce(&mut Parts<'_>, &mut [u8]) -> T,
) -> T {
    look(&mut Parts { code, small: &mut state.small, salt: &mut SaltPlan::default() }, &mut state.arena)
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
    pub(super) fn get(self, parts: &Parts<'_>) -> u32 {
        match self {
            Code(field) => field.get(parts.code),
            Lens::State(offset, shift, width) => {
                bytemuck::cast_slice::<u8, u32>(parts.small)[offset / 4] >> shift & (u32::MAX >> (32 - width))
            }
        }
    }

    pub(super) fn set(self, parts: &mut Parts<'_>, value: u32) {
        match self {
            Code(field) => field.set(parts.code, value),
            Lens::State(offset, shift, width) => {
                let word = &mut bytemuck::cast_slice_mut::<u8, u32>(parts.small)[offset / 4];
                let mask = u32::MAX >> (32 - width);
                *word = (*word & !(mask << shift)) | (value & mask) << shift;
            }
        }
    }
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
    pub(super) fn level(self, value: u32) -> usize {
        match self {
            Each => value as usize,
            Known(values) => values.iter().position(|&known| known == value).unwrap_or(0),
            Sets(sets) => sets.iter().position(|set| set.contains(&value)).unwrap_or(sets.len() - 1),
        }
    }

    /// A value of a level.
    pub(super) fn draw(self, level: usize, noise: &mut Noise) -> u32 {
        match self {
            Each => narrow(level),
            Known(values) => values[level],
            Sets(sets) if sets[level].len() == 1 => sets[level][0],
            Sets(sets) => sets[level][noise.below(sets[level].len())],
        }
    }
}

/// Axes as a table. A row has a name, levels and their weights, and what sets and tells a level: a `lens` and a partition, which
/// are constants; two functions (`axis`); or for a `wish`, which is granted when the operands get their places, one that tells.
macro_rules! axes {
    (@lens $name:expr, $levels:expr, $weights:expr, $lens:expr, $by:expr) => {
        axes!(@axis $name, $levels, $weights, |parts, level, noise| {
            let value = $by.draw(level, noise);
            $lens.set(parts, value);
        }, |parts| $by.level($lens.get(parts)))
    };
    (@axis $name:expr, $levels:expr, $weights:expr, $set:expr, $get:expr) => {
        tandem_isa::Axis { name: $name, levels: $levels, weights: $weights, set: $set, get: $get }
    };
    (@wish $name:expr, $levels:expr, $weights:expr, $get:expr) => {
        axes!(@axis $name, $levels, $weights, |_, _, _| {}, $get)
    };
    ($($kind:ident $($part:expr),+;)+) => { [$(axes!(@$kind $($part),+)),+] };
}
pub(super) use axes;

/// Quantities as a table. A row has a name, a width, what tells and what changes a value, and perhaps names of values.
macro_rules! quantities {
    ($($name:expr, $width:expr, $get:expr, $put:expr $(, $values:expr)?;)+) => {
        [$(tandem_isa::Quantity::new($name, $width, $get, $put)$(.named($values))?),+]
    };
}
pub(super) use quantities;

/// A list of tables, each for `one` operand, the destination; for `each` source; or for `all` operands. Rows stand in braces, or
/// are made by what stands in parentheses; they may name the instruction and the number of the operand.
macro_rules! table {
    ($rows:ident, $list:ty, $any:expr, $form:ident, $n:ident; $($whose:ident $what:tt)+) => {{
        let mut list: $list = List::new($any);
        $({
            const fn rows<$form: Form, const $n: usize>(list: $list) -> $list {
                list.with(&table!(@rows $rows $what))
            }
            list = table!(@$whose list, $form);
        })+
        list
    }};
    (@rows $rows:ident { $($row:tt)+ }) => { $rows! { $($row)+ } };
    (@rows $rows:ident ($made:expr)) => { $made };
    (@one $from:ident, $form:ident) => { rows::<$form, 0>($from) };
    (@each $from:ident, $form:ident) => {
        if $form::OPERANDS.len() > 2 { rows::<$form, 2>(rows::<$form, 1>($from)) } else { rows::<$form, 1>($from) }
    };
    (@all $from:ident, $form:ident) => {{
        let from = rows::<$form, 0>($from);
        table!(@each from, $form)
    }};
    (@sources_first $from:ident, $form:ident) => { rows::<$form, 0>(table!(@each $from, $form)) };
}
pub(super) use table;

/// The platform. What one lacks is illegal there, so most cases are of the newest.
pub(super) const PLATFORM: [Axis; 1] = axes! {
    lens "platform", &["XeHP+", "before XeHP"], &[3, 1], Lens::State(offset_of!(Small, platform), 0, 1),
        Known(&[XEHP, PRE_XEHP]);
};

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
