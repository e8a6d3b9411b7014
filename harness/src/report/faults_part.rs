//! The test of the tests in a report: which deliberately wrong implementations were found, and how soon.

use serde::{Deserialize, Serialize};

use crate::Hunt;

/// Deliberately wrong implementations that were hunted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultsPart {
    /// How many were found.
    pub found: u64,
    /// How many there are to be found.
    pub total: u64,
    /// How many right implementations were hunted as well, which must not be found.
    pub controls: u64,
    /// How many of these were found nevertheless.
    pub alarms: u64,
    /// Each of them.
    pub list: Vec<FaultPart>,
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
}

impl FaultPart {
    /// What came of a hunt.
    #[must_use]
    pub fn of(hunt: &Hunt, wrong: bool) -> Self {
        FaultPart {
            id: hunt.id.clone(),
            instruction: hunt.instruction.clone(),
            wrong,
            found: hunt.found(),
            cases: hunt.cases,
            datums: hunt.datums,
            size: hunt.size().map(|size| size as u64),
            runs: hunt.runs().map(|runs| runs as u64),
            minimal: hunt.minimal(),
        }
    }
}

impl FaultsPart {
    /// The summary of some hunts.
    #[must_use]
    pub fn of(list: Vec<FaultPart>) -> Self {
        let count = |which: &dyn Fn(&FaultPart) -> bool| list.iter().filter(|fault| which(fault)).count() as u64;
        FaultsPart {
            found: count(&|fault| fault.wrong && fault.found),
            total: count(&|fault| fault.wrong),
            controls: count(&|fault| !fault.wrong),
            alarms: count(&|fault| !fault.wrong && fault.found),
            list,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_counted_apart() {
        let fault = |wrong, found| FaultPart { wrong, found, ..FaultPart::default() };
        let part = FaultsPart::of(vec![fault(true, true), fault(true, false), fault(false, false), fault(false, true)]);
        assert_eq!((part.found, part.total, part.controls, part.alarms), (1, 2, 2, 1));
    }
}
