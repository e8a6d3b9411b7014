//! Axes: everything an instruction's page branches on, and the cells that the data-path axes span.

use crate::{Noise, SaltPlan};

/// The most axes of one kind that an instruction may have.
pub const MAX_AXES: usize = 56;

/// The level that each axis has, in the order of the axes.
pub type Levels = [u8; MAX_AXES];

/// The parts of a case that an axis sets and reads: code words, small state, and what rows are salted with.
pub struct Parts<'a> {
    /// The code words.
    pub code: &'a mut [u32],
    /// The small state, flat and aligned to 64 bytes.
    pub small: &'a mut [u8],
    /// What rows are salted with.
    pub salt: &'a mut SaltPlan,
}

/// An axis: a name, its levels, and how a case is given one and read back.
#[derive(Clone, Copy)]
pub struct Axis {
    /// For example `SrcAFmt`.
    pub name: &'static str,
    /// The names of its levels.
    pub levels: &'static [&'static str],
    /// How often each level is drawn, relative to the others; empty for equally often.
    pub weights: &'static [u16],
    /// Gives a case a level; what the level leaves open is drawn.
    pub set: fn(&mut Parts<'_>, usize, &mut Noise),
    /// Reads the level back.
    pub get: fn(&Parts<'_>) -> usize,
}

impl Axis {
    /// Draws a level.
    pub fn draw(&self, noise: &mut Noise) -> usize {
        usize::from(self.draw_table()[noise.below(DRAW_TABLE)])
    }

    /// The levels in the proportion of their weights, for drawing with one look: each level at least once.
    #[must_use]
    pub fn draw_table(&self) -> [u8; DRAW_TABLE] {
        let weight = |level: usize| usize::from(self.weights.get(level).copied().unwrap_or(1));
        let count = self.levels.len();
        let total: usize = (0..count).map(weight).sum();
        let mut table = [0; DRAW_TABLE];
        let (mut level, mut upto) = (0, weight(0));
        for (place, entry) in table.iter_mut().enumerate() {
            // Past this level's share, but never so far that the levels after it would not fit.
            while level + 1 < count && place * total >= upto * DRAW_TABLE {
                level += 1;
                upto += weight(level);
            }
            *entry = level as u8;
        }
        table
    }
}

/// Entries of a table for drawing levels; weights are kept to one part in this many.
pub const DRAW_TABLE: usize = 128;

impl std::fmt::Debug for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.name, self.levels)
    }
}

/// The cells of an instruction in one edition: the combinations of its data-path axes.
#[derive(Debug)]
pub struct CellSpace {
    /// The data-path axes.
    pub axes: &'static [Axis],
    cells: Vec<Levels>,
    numbers: Vec<u32>,
}

const NO_CELL: u32 = u32::MAX;

impl CellSpace {
    /// The combinations of `axes` that `keep` keeps, numbered with the last axis running fastest.
    #[must_use]
    pub fn new(axes: &'static [Axis], keep: impl Fn(&Levels) -> bool) -> Self {
        assert!(axes.len() <= MAX_AXES, "an instruction has at most {MAX_AXES} data-path axes");
        let product: usize = axes.iter().map(|axis| axis.levels.len()).product();
        let mut space = CellSpace { axes, cells: Vec::new(), numbers: vec![NO_CELL; product] };
        for place in 0..product {
            let mut levels = [0; MAX_AXES];
            let mut rest = place;
            for (index, axis) in axes.iter().enumerate().rev() {
                levels[index] = u8::try_from(rest % axis.levels.len()).expect("an axis has at most 256 levels");
                rest /= axis.levels.len();
            }
            if keep(&levels) {
                space.numbers[place] = u32::try_from(space.cells.len()).expect("fewer than 2^32 cells");
                space.cells.push(levels);
            }
        }
        space
    }

    /// Number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The levels of a cell.
    #[must_use]
    #[inline]
    pub fn levels(&self, cell: usize) -> &Levels {
        &self.cells[cell]
    }

    /// The cell that has these levels.
    #[must_use]
    pub fn cell(&self, levels: &Levels) -> Option<usize> {
        let place = self
            .axes
            .iter()
            .zip(levels)
            .fold(0, |place, (axis, &level)| place * axis.levels.len() + usize::from(level));
        self.numbers.get(place).filter(|&&number| number != NO_CELL).map(|&number| number as usize)
    }

    /// Makes a case have a cell.
    #[inline]
    pub fn impose(&self, cell: usize, parts: &mut Parts<'_>, noise: &mut Noise) {
        for (axis, &level) in self.axes.iter().zip(self.levels(cell)) {
            (axis.set)(parts, usize::from(level), noise);
        }
    }

    /// The levels that a case has.
    #[must_use]
    pub fn classify_levels(&self, parts: &Parts<'_>) -> Levels {
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip(self.axes) {
            *level = u8::try_from((axis.get)(parts)).expect("an axis has at most 256 levels");
        }
        levels
    }

    /// The cell that a case has.
    #[must_use]
    pub fn classify(&self, parts: &Parts<'_>) -> Option<usize> {
        self.cell(&self.classify_levels(parts))
    }

    /// A cell in words, for example `SrcAFmt=BF16 Move8Rows=1`.
    #[must_use]
    pub fn describe(&self, cell: usize) -> String {
        let levels = self.levels(cell);
        let words: Vec<_> = self
            .axes
            .iter()
            .zip(levels)
            .map(|(axis, &level)| format!("{}={}", axis.name, axis.levels[usize::from(level)]))
            .collect();
        words.join(" ")
    }
}
