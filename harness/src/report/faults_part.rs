//! The test of the tests in a report: which deliberately wrong implementations were found, and how soon.

use serde::{Deserialize, Serialize};

use super::text::names;
use crate::{GENERATOR_VERSION, Hunt};

/// Deliberately wrong implementations that were hunted. It is made apart from a campaign and stands in its `run`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultsPart {
    /// Version of the suite.
    pub version: String,
    /// Version of the generator.
    pub generator: u8,
    /// The seed.
    pub seed: u64,
    /// Figures over all of them.
    #[serde(flatten)]
    pub figures: FaultFigures,
    /// Figures for each instruction.
    pub instructions: Vec<FaultsOfPart>,
    /// Each of the catalogue, and of those made for one cell each that need a look.
    pub list: Vec<FaultPart>,
}

/// Figures for one instruction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultsOfPart {
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: FaultFigures,
}

/// Figures over some hunts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultFigures {
    /// How many wrong implementations were found.
    pub found: u64,
    /// How many there are to be found: those that did anything wrong.
    pub total: u64,
    /// How many did nothing wrong in all cases of their instruction, so that there was nothing to be found.
    #[serde(default)]
    pub not_applicable: u64,
    /// How many of those found have a smallest case from which nothing more can be taken.
    #[serde(default)]
    pub minimal: u64,
    /// How many right implementations were hunted as well, which must not be found.
    pub controls: u64,
    /// How many of these were found nevertheless.
    pub alarms: u64,
    /// Words compared until a wrong one was found: half of them needed fewer.
    pub median_datums: u64,
    /// The same for nine of ten.
    pub p90_datums: u64,
    /// Elements of their smallest cases, on average.
    pub mean_size: f64,
    /// Most runs that making a case small took.
    pub max_runs: u64,
}

/// One deliberately wrong implementation, or a right one as a control.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultPart {
    /// Its name.
    pub id: String,
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// Whether it is wrong; else it is a control.
    pub wrong: bool,
    /// Whether it did nothing wrong in all cases that ran, so that there was nothing to be found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_applicable: bool,
    /// Whether it was found.
    pub found: bool,
    /// Cases up to and with the first one that found it, or all that were run.
    pub cases: u64,
    /// Words compared in them.
    pub datums: u64,
    /// What differs from the base state in its smallest case.
    pub size: Option<u64>,
    /// Runs that making it small took.
    pub runs: Option<u64>,
    /// Whether its smallest case is proven minimal.
    pub minimal: bool,
    /// Whether it was made for one cell, and is wrong nowhere else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_one_cell: bool,
}

impl FaultPart {
    /// What came of a hunt for an implementation of the catalogue, or for one made for one cell: whether it is wrong, and whether it
    /// did anything wrong.
    #[must_use]
    pub fn of(hunt: &Hunt, (wrong, applicable): (bool, bool), of_one_cell: bool) -> Self {
        FaultPart {
            id: hunt.id.clone(),
            instruction: hunt.instruction.clone(),
            wrong,
            not_applicable: wrong && !applicable,
            found: hunt.found(),
            cases: hunt.cases,
            datums: hunt.datums,
            size: hunt.size().map(|size| size as u64),
            runs: hunt.runs().map(|runs| runs as u64),
            minimal: hunt.minimal(),
            of_one_cell,
        }
    }

    /// Whether it was not found although it is wrong, or found although it is right.
    #[must_use]
    pub fn needs_a_look(&self) -> bool {
        self.is_to_be_found() != self.found
    }

    /// Whether it is wrong, and did something wrong.
    #[must_use]
    pub fn is_to_be_found(&self) -> bool {
        self.wrong && !self.not_applicable
    }
}

impl FaultsPart {
    /// The summary of some hunts.
    #[must_use]
    pub fn of(seed: u64, list: Vec<FaultPart>) -> Self {
        let paths = names(list.iter().map(|fault| &*fault.instruction));
        let of = |path: &String| list.iter().filter(|fault| fault.instruction == *path).collect::<Vec<_>>();
        let instructions = paths
            .iter()
            .map(|path| FaultsOfPart { instruction: path.clone(), figures: FaultFigures::of(&of(path)) })
            .collect();
        FaultsPart {
            version: env!("CARGO_PKG_VERSION").to_string(),
            generator: GENERATOR_VERSION,
            seed,
            figures: FaultFigures::of(&list.iter().collect::<Vec<_>>()),
            instructions,
            list: list.into_iter().filter(|fault| !fault.of_one_cell || fault.needs_a_look()).collect(),
        }
    }

    /// Whether it was made by this version of the suite and of its generator.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.version == env!("CARGO_PKG_VERSION") && self.generator == GENERATOR_VERSION
    }
}

impl FaultFigures {
    fn of(list: &[&FaultPart]) -> Self {
        let count = |which: &dyn Fn(&FaultPart) -> bool| list.iter().filter(|fault| which(fault)).count() as u64;
        let wrong = || list.iter().filter(|fault| fault.is_to_be_found());
        let mut datums: Vec<u64> = wrong().map(|fault| fault.datums).collect();
        datums.sort_unstable();
        let at = |share: usize| datums.get((datums.len() * share / 100).min(datums.len().saturating_sub(1))).copied();
        let sizes: Vec<u64> = wrong().filter_map(|fault| fault.size).collect();
        FaultFigures {
            found: count(&|fault| fault.wrong && fault.found),
            total: count(&FaultPart::is_to_be_found),
            not_applicable: count(&|fault| fault.not_applicable),
            minimal: count(&|fault| fault.wrong && fault.minimal),
            controls: count(&|fault| !fault.wrong),
            alarms: count(&|fault| !fault.wrong && fault.found),
            median_datums: at(50).unwrap_or(0),
            p90_datums: at(90).unwrap_or(0),
            mean_size: sizes.iter().sum::<u64>() as f64 / sizes.len().max(1) as f64,
            max_runs: wrong().filter_map(|fault| fault.runs).max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_counted_apart() {
        let fault = |wrong, found| FaultPart { wrong, found, ..FaultPart::default() };
        let list = vec![fault(true, true), fault(true, false), fault(false, false), fault(false, true)];
        let idle = FaultPart { not_applicable: true, ..fault(true, false) };
        assert!(!idle.needs_a_look() && fault(true, false).needs_a_look());
        let figures = FaultsPart::of(1, [list, vec![idle]].concat()).figures;
        assert_eq!((figures.found, figures.total, figures.controls, figures.alarms), (1, 2, 2, 1));
        assert_eq!(figures.not_applicable, 1);
    }

    #[test]
    fn figures_are_of_each_instruction_and_survive_a_file() {
        let fault = |instruction: &str, datums, size, of_one_cell| FaultPart {
            instruction: instruction.to_string(),
            wrong: true,
            found: size != 0,
            datums,
            size: Some(size).filter(|&size| size != 0),
            runs: Some(10 * size),
            of_one_cell,
            ..FaultPart::default()
        };
        let list = vec![fault("a/x", 10, 2, false), fault("b/y", 7, 4, true), fault("a/x", 30, 5, false)];
        let part = FaultsPart::of(9, [list, vec![fault("b/y", 70, 0, true)]].concat());
        let of = |at: usize| (&*part.instructions[at].instruction, part.instructions[at].figures);
        assert_eq!((of(0).0, of(0).1.total, of(0).1.median_datums, of(0).1.max_runs), ("a/x", 2, 30, 50));
        assert_eq!((of(1).0, of(1).1.found, of(1).1.total), ("b/y", 1, 2));
        assert!((part.figures.mean_size - 11.0 / 3.0).abs() < 1e-9);
        // Of those that were made for one cell only the one that was missed is listed.
        assert_eq!(part.list.iter().map(|fault| fault.datums).collect::<Vec<_>>(), [10, 30, 70]);
        let text = serde_json::to_string(&part).expect("it serializes");
        let read: FaultsPart = serde_json::from_str(&text).expect("it reads back");
        assert_eq!(read, part);
        assert!(read.is_current() && !FaultsPart { version: String::new(), ..read }.is_current());
    }
}
