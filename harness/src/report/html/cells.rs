//! What each cell is, for the matrix and for the maps.

use std::collections::BTreeSet;

use tandem_isa::every;

use super::super::model::{ClassPart, Counts, FindingPart, ResultPart, UnitPart};
use super::super::offer::unpacked;
use super::slug;
use crate::vectors;

/// What a cell is: one mark each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A target differs from the reference.
    Finding,
    /// Open: not yet decided.
    Hole,
    /// A status that this version does not know.
    Unknown,
    /// Agreement, as often as it takes.
    Green,
    /// Passed, but with a level that no implementation but ours has shown.
    Unwitnessed,
    /// The target refuses all that is specified.
    Unsupported,
    /// The target differs only in what is disputed.
    Disputed,
    /// Agreement that it is held.
    Blocked,
    /// A page specifies nothing.
    Cited,
    /// A target other than the one of this column differs.
    Elsewhere,
}

impl Mark {
    /// All marks, what needs a look first.
    pub(super) const ALL: [Mark; 10] =
        every!(Mark { Finding, Hole, Unknown, Green, Unwitnessed, Unsupported, Disputed, Blocked, Cited, Elsewhere });

    /// The word for readers.
    pub(super) fn word(self) -> &'static str {
        match self {
            Mark::Hole => "open",
            Mark::Green => "passed",
            Mark::Cited => "undefined",
            mark => mark.name(),
        }
    }

    /// The name of its shape and its colour.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mark::Finding => "finding",
            Mark::Hole => "hole",
            Mark::Unknown => "unknown",
            Mark::Green => "green",
            Mark::Unwitnessed => "unwitnessed",
            Mark::Unsupported => "unsupported",
            Mark::Disputed => "disputed",
            Mark::Blocked => "blocked",
            Mark::Cited => "cited",
            Mark::Elsewhere => "elsewhere",
        }
    }

    /// The letter of the map of a report that stands for it, if one does.
    pub(super) fn status(self) -> Option<char> {
        match self {
            Mark::Finding => Some('D'),
            Mark::Hole => Some('H'),
            Mark::Green => Some('G'),
            Mark::Unsupported => Some('U'),
            Mark::Disputed => Some('P'),
            Mark::Blocked => Some('B'),
            Mark::Cited => Some('C'),
            Mark::Unknown | Mark::Unwitnessed | Mark::Elsewhere => None,
        }
    }

    /// The letter that it is written with where there are no shapes.
    pub(super) fn letter(self) -> char {
        match self {
            Mark::Unknown => '?',
            Mark::Unwitnessed => 'W',
            Mark::Elsewhere => 'E',
            mark => mark.status().unwrap_or('?'),
        }
    }

    fn of(letter: u8) -> Self {
        let stands = |mark: &Mark| mark.status() == Some(char::from(letter));
        Mark::ALL.into_iter().find(stands).unwrap_or(Mark::Unknown)
    }
}

/// How many cells are what.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    counts: [u64; Mark::ALL.len()],
    /// How many of them are contested.
    pub(super) contested: u64,
}

impl Tally {
    pub(super) fn add(&mut self, mark: Mark, count: u64) {
        self.counts[mark as usize] += count;
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        Mark::ALL.iter().for_each(|&mark| self.add(mark, other.count(mark)));
        self.contested += other.contested;
    }

    pub(super) fn count(&self, mark: Mark) -> u64 {
        self.counts[mark as usize]
    }

    /// What a mark counts for readers: what passed without a witness has passed too.
    pub(super) fn shown(&self, mark: Mark) -> u64 {
        let unwitnessed = if mark == Mark::Green { self.count(Mark::Unwitnessed) } else { 0 };
        self.count(mark) + unwitnessed
    }

    /// The marks that there are, with their counts, each cell once.
    pub(super) fn present(&self) -> impl Iterator<Item = (Mark, u64)> {
        Mark::ALL.into_iter().map(|mark| (mark, self.count(mark))).filter(|(_, count)| *count > 0)
    }
}

/// A level, or a whole axis, that no implementation but ours has shown yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap<'a> {
    /// The axis, by its place.
    pub(super) axis: usize,
    /// The level; all of them if there is none.
    pub(super) level: Option<usize>,
    /// Why there is no witness.
    pub(super) reason: &'a str,
}

/// A unit and its cells.
pub(super) struct Unit<'a> {
    /// The unit.
    pub(super) part: &'a UnitPart,
    /// The id of its map in the page.
    pub(super) anchor: String,
    /// Levels of its data-path axes without a witness.
    pub(super) gaps: Vec<Gap<'a>>,
    /// What each cell is.
    pub(super) marks: Vec<Mark>,
    /// The place of each cell's class; empty if the report does not say.
    pub(super) classes: Vec<usize>,
}

/// The units of a result, each with an id of its own.
pub(super) fn units(result: &ResultPart) -> Vec<Unit<'_>> {
    let mut taken = BTreeSet::new();
    let mut units = Vec::new();
    for part in &result.units {
        let mut anchor = format!("map-{}", slug(&part.title()));
        while !taken.insert(anchor.clone()) {
            anchor.push_str("-x");
        }
        units.push(Unit::of(part, anchor));
    }
    units
}

impl<'a> Unit<'a> {
    fn of(part: &'a UnitPart, anchor: String) -> Self {
        let gaps = gaps(part);
        let map = &part.map;
        let mark = |(cell, letter): (usize, u8)| match Mark::of(letter) {
            Mark::Green if !gaps.is_empty() && is_in_a_gap(part, cell, &gaps) => Mark::Unwitnessed,
            mark => mark,
        };
        let marks: Vec<Mark> = map.statuses.bytes().enumerate().map(mark).collect();
        let classes = unpacked(&map.classes, marks.len(), part.classes.len());
        Unit { part, anchor, gaps, marks, classes }
    }

    /// The findings that were seen in it.
    pub(super) fn findings<'f>(&self, all: &'f [FindingPart]) -> impl Iterator<Item = (usize, &'f FindingPart)> {
        let part = self.part;
        all.iter().enumerate().filter(move |(_, finding)| {
            part.concerns(&finding.signature) && finding.seen.iter().any(|seen| seen.edition == part.edition)
        })
    }

    /// The implementations that it is about, each with a column of the matrix.
    pub(super) fn targets(&self) -> Vec<Option<&'a str>> {
        match (&self.part.target, &self.part.targets[..]) {
            (Some(target), _) => vec![Some(target)],
            (None, []) => vec![None],
            (None, all) => all.iter().map(|name| Some(&**name)).collect(),
        }
    }

    /// What its cells are to one target, per class.
    pub(super) fn tallies(&self, all: &[FindingPart], target: Option<&str>) -> Vec<Tally> {
        if self.classes.is_empty() {
            return self.counted();
        }
        let mut found: BTreeSet<u32> = BTreeSet::new();
        for (_, finding) in self.findings(all).filter(|(_, finding)| target == Some(&*finding.signature.target)) {
            let here = finding.seen.iter().filter(|seen| seen.edition == self.part.edition);
            found.extend(here.flat_map(|seen| &seen.cells));
        }
        let alone = self.part.targets.len() <= 1 || target.is_none();
        let contested: Vec<bool> =
            self.part.map.contested.iter().flat_map(|map| map.bytes()).map(|x| x == b'x').collect();
        let mut tallies = vec![Tally::default(); self.part.classes.len()];
        for (cell, (&mark, &class)) in self.marks.iter().zip(&self.classes).enumerate() {
            let found = u32::try_from(cell).is_ok_and(|cell| found.contains(&cell));
            let mark = match mark {
                _ if found => Mark::Finding,
                Mark::Finding if !alone => Mark::Elsewhere,
                mark => mark,
            };
            tallies[class].add(mark, 1);
            tallies[class].contested += u64::from(contested.get(cell) == Some(&true));
        }
        tallies
    }

    /// The tallies by the counts of the classes alone.
    fn counted(&self) -> Vec<Tally> {
        let tally = |class: &ClassPart| {
            let mut tally = Tally { contested: class.contested.unwrap_or(0), ..Tally::default() };
            let Counts { cells: _, green, blocked, cited, unsupported, disputed, holes } = class.counts;
            tally.add(Mark::Finding, class.diverged);
            tally.add(Mark::Hole, holes);
            tally.add(Mark::Green, green);
            tally.add(Mark::Unsupported, unsupported);
            tally.add(Mark::Disputed, disputed);
            tally.add(Mark::Blocked, blocked);
            tally.add(Mark::Cited, cited);
            tally
        };
        self.part.classes.iter().map(tally).collect()
    }
}

/// The unwitnessed axes that are data-path axes, or levels of them in the form `axis=level`.
fn gaps(part: &UnitPart) -> Vec<Gap<'_>> {
    let mut gaps = Vec::new();
    for one in &part.unwitnessed {
        let (name, level) = one.axis.split_once('=').map_or((&*one.axis, None), |(name, level)| (name, Some(level)));
        let of_axis = part.map.axes.iter().position(|axis| axis.name == name);
        // Where nothing is recorded, no level of any axis is.
        let Some(axis) = of_axis.or((name == vectors::Gap::ALL && !part.map.axes.is_empty()).then_some(0)) else {
            continue;
        };
        let place = level.map(|level| part.map.axes[axis].levels.iter().position(|known| known == level));
        match place {
            None => gaps.push(Gap { axis, level: None, reason: &one.reason }),
            Some(Some(level)) => gaps.push(Gap { axis, level: Some(level), reason: &one.reason }),
            // More than a level is named, for example a combination: it is listed, and marks no cell.
            Some(None) => {}
        }
    }
    gaps
}

fn is_in_a_gap(part: &UnitPart, cell: usize, gaps: &[Gap<'_>]) -> bool {
    let map = &part.map;
    let mut place = match &map.places {
        None => cell,
        Some(places) => places.get(cell).map_or(0, |&place| place as usize),
    };
    let mut levels = vec![0; map.axes.len()];
    for (level, axis) in levels.iter_mut().zip(&map.axes).rev() {
        let count = axis.levels.len().max(1);
        *level = place % count;
        place /= count;
    }
    gaps.iter().any(|gap| gap.level.is_none_or(|level| levels[gap.axis] == level))
}
