//! An instruction: its fields, page, axes, syntax and statements. Facts only.

use crate::{
    Axis, CellSpace, Code, CodeField, Edition, Format, Levels, Noise, Page, Parts, Quantity, State, Statement,
};

/// Why an instruction's text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SyntaxError(pub String);

/// Something about an instruction that no implementation but ours has shown yet.
#[derive(Clone, Copy, Debug)]
pub struct Unwitnessed {
    /// The axis, or the level of an axis.
    pub axis: &'static str,
    /// Why there is no witness.
    pub reason: &'static str,
}

/// What the suite knows about an instruction before it executes one.
#[derive(Debug)]
pub struct Instruction {
    /// The instruction set, for example `tensix-wh`.
    pub isa: &'static str,
    /// The manual's mnemonic, for example `MOVA2D`.
    pub name: &'static str,
    /// The mnemonic in lower case, which is also the name of its files.
    pub file: &'static str,
    /// Its number in [`crate::Isa::instructions`].
    pub index: usize,
    /// One line on what it does.
    pub summary: &'static str,
    /// The page, per edition.
    pub page: fn(Edition) -> &'static Page,
    /// The opcode, with every field at its base value: zero, unless a quiet instruction needs another.
    pub base_code: &'static [u32],
    /// The fields of the code words that hold the opcode.
    pub opcode: &'static [CodeField],
    /// The named fields of the code words.
    pub code_fields: &'static [CodeField],
    /// The data-path axes and their cells, per edition.
    pub cells: fn(Edition) -> &'static CellSpace,
    /// The orthogonal axes, per edition, in the order in which they are set.
    pub orthogonal: fn(Edition) -> &'static [Axis],
    /// Draws, before the axes are set, what every case of this instruction needs fresh.
    pub prepare: fn(&mut Parts<'_>, &mut Noise),
    /// Ends a case, after orthogonal axes and cell were set, where one has to fit the other; the cell stays as it is. It
    /// is given the levels of the orthogonal axes, and writes back those that the case does not have after all.
    pub finish: fn(&mut Parts<'_>, &mut Levels, &mut Noise),
    /// The path that a cell takes, for example `8-bit exponent, 16-bit write, 8 rows`.
    pub cell_class: fn(Edition, &Levels) -> &'static str,
    /// All cell classes that `cell_class` can name.
    pub cell_classes: &'static [&'static str],
    /// How to read words of a bank in a case: the word at a row and a column, for explanations; or, without a place, what
    /// the instruction writes there, or reads there if it writes nothing, for choosing operands. Data narrower than a
    /// word whose width divides the word's lie in it side by side, the lowest first; wider ones begin at a multiple of
    /// their size. None where the instruction gives the word no meaning.
    pub format: FormatOf,
    /// The text of the page's *Syntax*.
    pub print: fn(&[u32]) -> String,
    /// Reads the text of the page's *Syntax*.
    pub parse: fn(&str) -> Result<Code, SyntaxError>,
    /// Whether a case, although its outcome is the same in both editions, is contested, and why.
    pub contested: fn(&Parts<'_>) -> Option<&'static str>,
    /// Steps by which a case may become smaller that change several parts of it together.
    pub reductions: Reductions,
    /// The numbers by which a target may refuse a case, those that explain most first.
    pub quantities: &'static [Quantity],
    /// In a plain case each orthogonal axis has its first level, but for these, each as `axis=level`.
    pub plain: &'static [&'static str],
    /// Every statement of the page of the `spec` edition.
    pub statements: &'static [Statement],
    /// The number of the page among our specification pages, for the name of the statements' report.
    pub statements_report: Option<&'static str>,
    /// The errata that bear on it.
    pub errata: &'static [&'static str],
    /// What no implementation but ours has shown yet.
    pub unwitnessed: &'static [Unwitnessed],
    /// What a recorded test of it is like.
    pub recording: Recording,
    /// Classes of cases for speed measurements: name, edition, and how to make a case have it.
    pub bench_classes: &'static [BenchClass],
    /// The operand domain of a cell, if it is small enough to be enumerated.
    pub exhaust: fn(Edition, &Levels) -> Option<Exhaust>,
}

/// How to read a word of a bank, by edition, case, bank, and row and column; see [`Instruction::format`].
pub type FormatOf = fn(Edition, &Parts<'_>, usize, Option<(usize, usize)>) -> Option<&'static Format>;

/// Steps by which a case may become smaller, which clearing one thing at a time cannot take: operands that move with their
/// data, for example. Whether the smaller case still shows the same is found by running it.
#[derive(Clone, Copy, Debug)]
pub struct Reductions {
    /// How many steps there are.
    pub count: usize,
    /// Takes step `0..count` on code words and the state before the case; false if it does not apply, and what it
    /// changed is then of no use.
    pub take: fn(usize, &mut [u32], &mut State) -> bool,
}

impl Reductions {
    /// No steps.
    pub const NONE: Reductions = Reductions { count: 0, take: |_, _, _| false };
}

/// How far a recorded test goes beyond the base state and its cell.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// The orthogonal axes that leave their first level in every test, because a test at it shows too little: one
    /// channel, one element.
    pub always: &'static [&'static str],
    /// What is not recorded because the pages promise nothing there: orthogonal axes, of which only the first level is
    /// recorded then, or one level, as `axis=level`.
    pub unpromised: &'static [&'static str],
    /// How many other orthogonal axes leave their first level in one test.
    pub others: usize,
    /// The most rows that are filled with operands, in one test of four; half as many in the others.
    pub source_rows: usize,
}

impl Recording {
    /// Whether tests of a level of an orthogonal axis can be recorded.
    #[must_use]
    pub fn has_level(&self, axis: &Axis, level: usize) -> bool {
        let names_level = |entry: &str| entry.split_once('=') == Some((axis.name, axis.levels[level]));
        !self.unpromised.iter().any(|&entry| (entry == axis.name && level > 0) || names_level(entry))
    }
}

/// An operand domain to enumerate.
#[derive(Clone, Copy, Debug)]
pub struct Exhaust {
    /// Width of the domain, in bits: at most 32.
    pub bits: u32,
    /// How the values of the domain reach a case.
    pub feed: Feed,
    /// Makes sure that a case consumes every datum that is counted: nothing held, nothing masked. It ends a case in
    /// place of [`Instruction::finish`].
    pub set: fn(&mut Parts<'_>, &mut Noise),
}

/// How the values of a domain reach a case.
#[derive(Clone, Copy, Debug)]
pub enum Feed {
    /// Consecutive values lie side by side in the rows of one bank, in the order in which they are read.
    Rows {
        /// The bank whose data are enumerated.
        bank: usize,
        /// Size of a datum as it lies in a row, in bytes: 1, 2, 4 or 8.
        datum_bytes: usize,
        /// How many data of a row that is read are consumed, from its beginning on.
        data_per_row: usize,
        /// How a datum lies in the row, if not plainly.
        place: Placement,
    },
    /// A case has one value of the domain, cut into parts, the lowest bits first. Each part fills a range of
    /// [`crate::SaltPlan::ranges`] with packed data of its width: datum number *e* of the range is the part plus *e*, modulo
    /// two to the width. So while the value runs through the domain, each pair of a datum of the one range and a datum of
    /// the other runs through all pairs of values.
    Cut(&'static [DomainPart]),
}

/// A part of a value of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainPart {
    /// Which of [`crate::SaltPlan::ranges`] it fills.
    pub range: usize,
    /// Its width, and that of the data in the range, in bits: 1, 2, 4 or 8.
    pub bits: u32,
}

/// How the values of an enumerated domain lie in the rows that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The bits of a datum that are enumerated, where they are not its lowest ones; the others are drawn.
    pub bits: Option<u32>,
    /// How often each datum stands side by side: for instructions that take one of several columns.
    pub copies: usize,
    /// For data of which the upper half lies in one row and the lower half in another: how many rows further, a power of
    /// two, that bit of the first row's number being clear. Each half has half of the datum's bytes.
    pub split: Option<usize>,
}

impl Placement {
    /// The lowest bits of data that lie side by side.
    pub const LOW_BITS: Placement = Placement { bits: None, copies: 1, split: None };
}

/// A class of cases for speed measurements.
#[derive(Clone, Copy, Debug)]
pub struct BenchClass {
    /// For example `8rows-bf16`.
    pub name: &'static str,
    /// The edition it runs in.
    pub edition: Edition,
    /// Makes a case have the class. It ends the case in place of [`Instruction::finish`].
    pub set: fn(&mut Parts<'_>, &mut Noise),
    /// Whether it decides everything that the axes would: they are not drawn then, and what it leaves alone is as in the
    /// background. Otherwise orthogonal axes and cell are set before.
    pub is_whole: bool,
}

impl Instruction {
    /// `tensix-wh/mova2d`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", self.isa, self.file)
    }

    /// The editions that differ: only the newest one, if both are the same page.
    #[must_use]
    pub fn editions(&self) -> &'static [Edition] {
        let same = std::ptr::eq((self.page)(Edition::Spec), (self.page)(Edition::Newest));
        if same { &[Edition::Newest] } else { &Edition::ALL }
    }

    /// The bits of code word `word` that no field and no opcode names.
    #[must_use]
    pub fn unnamed_bits(&self, word: usize) -> u32 {
        let named =
            self.code_fields.iter().filter(|field| field.word == word).fold(0, |mask, field| mask | field.mask());
        !(named | self.opcode_mask(word))
    }

    /// The bits of code word `word` that hold the opcode.
    #[must_use]
    pub fn opcode_mask(&self, word: usize) -> u32 {
        self.opcode.iter().filter(|field| field.word == word).fold(0, |mask, field| mask | field.mask())
    }

    /// Whether `code` has this instruction's opcode and length.
    #[must_use]
    pub fn matches(&self, code: &[u32]) -> bool {
        code.len() == self.base_code.len()
            && self.opcode.iter().all(|field| field.get(code) == field.get(self.base_code))
    }

    /// The code field called `name`.
    #[must_use]
    pub fn code_field(&self, name: &str) -> Option<&'static CodeField> {
        self.code_fields.iter().find(|field| field.name == name)
    }
}
