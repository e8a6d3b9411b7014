//! An instruction with its cases: axes, and how cases are drawn, labelled, made smaller, recorded and enumerated.

use std::collections::BTreeSet;
use std::ops::{Deref, Range};

use crate::{Axis, CellSpace, Edition, Facts, Format, Levels, Noise, Parts, Quantity, State};

/// An instruction with its cases. What the pages state of it can be asked of it directly.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// What the pages state of it.
    pub facts: &'static Facts,
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
    /// Whether two readings differ on a case, although its outcome is the same in both editions, and why: the case is
    /// contested.
    pub contested: fn(&Parts<'_>) -> Option<&'static str>,
    /// What a case may read that makes it contested as well, whatever its modes are.
    pub contested_data: ContestedData,
    /// Steps by which a case may become smaller that change several parts of it together.
    pub reductions: Reductions,
    /// The numbers by which a target may refuse a case, those that explain most first.
    pub quantities: &'static [Quantity],
    /// In a plain case each orthogonal axis has its first level, but for these: `axis=level`, or `axis, other=level`.
    pub plain: &'static [&'static str],
    /// In a case that sweeps, each of these orthogonal axes has its first level, or that which is named as `axis=level`, so
    /// that nothing is held and nothing masked.
    pub sweep: &'static [&'static str],
    /// Groups of two or three numbers, by the names of [`Instruction::quantities`], of which cases that sweep have each pair of
    /// values: at most ten bits of each.
    pub pairs: &'static [&'static [&'static str]],
    /// What a recorded test of it is like.
    pub recording: Recording,
    /// Classes of cases for speed measurements: name, edition, and how to make a case have it.
    pub bench_classes: &'static [BenchClass],
    /// For each bank, the value class that makes its background, where it is not that of the instruction set: of what
    /// promises nothing for the data that others have, so that who reads a wrong row computes something.
    pub background: Option<&'static [u8]>,
    /// The operand domain of a cell, if it is small enough to be enumerated.
    pub exhaust: fn(Edition, &Levels) -> Option<Exhaust>,
}

impl Instruction {
    /// The classes that a cell of an edition is of, in the order of [`Instruction::cell_classes`].
    #[must_use]
    pub fn classes(&self, edition: Edition) -> Vec<&'static str> {
        let space = (self.cells)(edition);
        let used: BTreeSet<&str> =
            (0..space.len()).map(|cell| (self.cell_class)(edition, space.levels(cell))).collect();
        self.cell_classes.iter().copied().filter(|class| used.contains(class)).collect()
    }

    /// Each entry of [`Instruction::plain`] of one axis, as `axis=level`.
    pub fn plain_levels(&self) -> impl Iterator<Item = String> {
        self.plain.iter().flat_map(|entry| {
            let (names, level) = entry.split_at(entry.find('=').unwrap_or(entry.len()));
            names.split(", ").map(move |name| format!("{name}{level}"))
        })
    }

    /// An orthogonal axis and a level of it, from `axis=level`, or from the axis alone its first level; nothing if the edition
    /// that has these axes lacks it.
    ///
    /// # Panics
    /// If no edition has it.
    #[must_use]
    pub fn level_named(&self, axes: &[Axis], entry: &str) -> Option<(usize, u8)> {
        let find = |axes: &[Axis]| {
            let (name, level) = entry.split_once('=').map_or((entry, None), |(name, level)| (name, Some(level)));
            let axis = axes.iter().position(|axis| axis.name == name)?;
            let level = level.map_or(Some(0), |level| axes[axis].levels.iter().position(|known| *known == level))?;
            Some((axis, u8::try_from(level).ok()?))
        };
        let is_known = || Edition::ALL.iter().any(|&edition| find((self.orthogonal)(edition)).is_some());
        find(axes).or_else(|| {
            assert!(is_known(), "{}: `{entry}` is no level of an orthogonal axis", self.path());
            None
        })
    }
}

impl Deref for Instruction {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        self.facts
    }
}

/// How to read a word of a bank, by edition, case, bank, and row and column; see [`Instruction::format`].
pub type FormatOf = fn(Edition, &Parts<'_>, usize, Option<(usize, usize)>) -> Option<&'static Format>;

/// What cases read that no hardware is known to hold, although the pages give it an outcome, or for which the pages can be
/// read in two ways. Such a case can be computed and compared, and hardware is not asked.
#[derive(Clone, Copy, Debug)]
pub struct ContestedData {
    /// Why a case is, by its code words and its small state.
    pub case: fn(&Parts<'_>) -> Option<&'static str>,
    /// Which words of a row make a case so that reads them: by bank, row, and the words of its columns. What rows hold is no
    /// part of [`Parts`], so whoever has the rows asks for each.
    pub row: fn(&Parts<'_>, usize, usize, &[u32]) -> Option<ContestedDatum>,
}

/// A datum that makes a case contested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestedDatum {
    /// The columns that it lies in.
    pub columns: Range<usize>,
    /// Why it does.
    pub why: &'static str,
}

impl ContestedData {
    /// Nothing.
    pub const NOTHING: ContestedData = ContestedData { case: |_| None, row: |_, _, _, _| None };
}

impl ContestedDatum {
    /// The first word of a row that a function says something of.
    #[must_use]
    pub fn first_word(words: &[u32], why: impl Fn(u32) -> Option<&'static str>) -> Option<Self> {
        let datum = |(column, &word)| why(word).map(|why| ContestedDatum { columns: column..column + 1, why });
        words.iter().enumerate().find_map(datum)
    }
}

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

impl BenchClass {
    /// A class of the newest edition, which is given to a case that is drawn.
    #[must_use]
    pub const fn new(name: &'static str, set: fn(&mut Parts<'_>, &mut Noise)) -> Self {
        BenchClass { name, edition: Edition::Newest, set, is_whole: false }
    }

    /// One that decides everything.
    #[must_use]
    pub const fn whole(name: &'static str, set: fn(&mut Parts<'_>, &mut Noise)) -> Self {
        BenchClass { is_whole: true, ..BenchClass::new(name, set) }
    }
}
