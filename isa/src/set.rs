//! An instruction set: layout, instructions, pages and errata; and with its cases.

use std::ops::Deref;

use crate::{Dispute, Erratum, Facts, Instruction, Layout, Meanings, Page, Rules, State, ValueClass};

/// An instruction set, as the pages state it.
#[derive(Debug)]
pub struct Machine {
    /// For example `tensix-wh`.
    pub name: &'static str,
    /// The short name in case ids, for example `wh`.
    pub short: &'static str,
    /// The layout of its state.
    pub layout: &'static Layout,
    /// Its instructions.
    pub instructions: &'static [&'static Facts],
    /// The pages that its instructions are transcribed from.
    pub pages: &'static [&'static Page],
    /// The errata of those pages.
    pub errata: &'static [Erratum],
    /// Where other public words of those who made the machine differ from its pages.
    pub disputes: &'static [Dispute],
    /// The named models that its results may go by, where the pages leave a choice.
    pub models: &'static [Model],
    /// What the base state is, in words, for the files that refer to it.
    pub base_note: &'static str,
    /// What the numbers in banks and fields mean, where it is not plain.
    pub meanings: &'static Meanings,
    /// What stands beside its state, has a name, and is in no state. Bits without a field, in words that have fields or lie
    /// between such, follow from the layout and need not be named here.
    pub unmodelled: &'static [Unmodelled],
    /// Which instruction may follow which, and after how long.
    pub rules: &'static Rules,
}

/// A register, or a field of one, that is in no state.
#[derive(Clone, Copy, Debug)]
pub struct Unmodelled {
    /// As the text spells it that speaks of it.
    pub name: &'static str,
    /// Where it lies, if that is a word of a space in which fields have hardware addresses.
    pub place: Option<UnmodelledPlace>,
    /// What is known of it, and who says so.
    pub text: &'static str,
}

/// The same bits of words that follow one another.
#[derive(Clone, Copy, Debug)]
pub struct UnmodelledPlace {
    /// The space, as in [`crate::Field::address`].
    pub space: &'static str,
    /// The first word.
    pub first: u32,
    /// The last word.
    pub last: u32,
    /// The bits of each.
    pub bits: u32,
}

/// An instruction set with its cases. What the pages state of it can be asked of it directly.
#[derive(Debug)]
pub struct Isa {
    /// What the pages state of it.
    pub machine: &'static Machine,
    /// Its instructions, in the order of [`Machine::instructions`].
    pub instructions: &'static [&'static Instruction],
    /// What its banks can be salted with.
    pub value_classes: &'static [ValueClass],
    /// For each bank, the value class that makes its background, unless an instruction has its own.
    pub background: &'static [u8],
}

impl Deref for Isa {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        self.machine
    }
}

/// A reference to each of a list.
#[must_use]
pub const fn each<T, const N: usize>(list: &'static [T; N]) -> [&'static T; N] {
    let (mut all, mut index) = ([&list[0]; N], 0);
    while index < N {
        all[index] = &list[index];
        index += 1;
    }
    all
}

/// A choice that the pages leave open, with a name for each way to make it. Each case says which way it goes, in the field
/// `Model.` and the name of the choice, by the number of the value.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// For example `Sum`.
    pub name: &'static str,
    /// The names of the values, in the order of their numbers.
    pub values: &'static [&'static str],
}

impl Machine {
    /// The base state: every bank word and every field has its base value.
    #[must_use]
    pub fn base_state(&self) -> State {
        let mut state = State::zeroed(self.layout);
        for (index, bank) in self.layout.banks.iter().enumerate() {
            let (held, free): (Vec<usize>, Vec<usize>) = (0..bank.rows()).partition(|&row| bank.holds(row).is_some());
            // Rows that hold nothing else are alike.
            let free = if bank.base == 0 { &[] } else { &free[..] };
            for row in held.into_iter().chain(free.first().copied()) {
                for (column, word) in bank.base_row(row).into_iter().enumerate() {
                    state.set_word(index, row, column, word);
                }
            }
            for &row in free.iter().skip(1) {
                state.arena.copy_within(bank.row_range(free[0]), bank.row_range(row).start);
            }
        }
        for field in (self.layout.fields)().iter().filter(|field| field.base != 0) {
            field.set(&mut state.small, field.base);
        }
        state
    }

    /// The instruction whose file name or mnemonic is `name`, whatever the case of its letters.
    #[must_use]
    pub fn instruction(&self, name: &str) -> Option<&'static Facts> {
        self.instructions.iter().copied().find(|instruction| instruction.file.eq_ignore_ascii_case(name))
    }
}

impl Isa {
    /// The instruction whose file name or mnemonic is `name`, whatever the case of its letters.
    #[must_use]
    pub fn instruction(&self, name: &str) -> Option<&'static Instruction> {
        self.machine.instruction(name).map(|facts| self.instructions[facts.index])
    }

    /// The instruction that `code` encodes.
    #[must_use]
    pub fn decode(&self, code: &[u32]) -> Option<&'static Instruction> {
        self.instructions.iter().copied().find(|instruction| instruction.matches(code))
    }
}
