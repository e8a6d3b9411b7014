//! Findings: divergences with one signature, gathered, with their smallest case.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::Edition;

use crate::{CaseId, CaseValue, Difference, Minimized, Signature};

/// A divergence as it was met: enough to be replayed even by a build whose generator differs.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The case.
    pub id: CaseId,
    /// What differed.
    pub differences: Vec<Difference>,
    /// The level of the target, where it has levels.
    pub level: Option<String>,
    /// For an answer that depends on the order: the cases after which it is wrong on an instance begun anew, the earliest first.
    pub after: Vec<CaseId>,
    /// The recorded test that showed it, where no generated case did. The index of the case is then its place among
    /// those that were judged.
    pub recorded: Option<String>,
    /// Whether the case cannot be drawn again from its id alone, so that only its stored value leads back to it.
    pub by_value: bool,
}

impl Sighting {
    /// What a target, perhaps at a level, was seen to do in a case that can be drawn again.
    #[must_use]
    pub fn new(id: CaseId, differences: Vec<Difference>, level: Option<String>) -> Self {
        Sighting { id, differences, level, after: Vec::new(), recorded: None, by_value: false }
    }
}

/// Why a finding happens, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The mistakes that explain it and cannot be told apart, by their names.
    pub rules: Vec<String>,
    /// It in words, a line each.
    pub lines: Vec<String>,
}

/// Divergences with one signature.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What makes them one.
    pub signature: Signature,
    /// The first one met, in the order of the run's cases.
    pub first: Sighting,
    /// How many cases of the run before and with the first one.
    pub cases_to_find: u64,
    /// Words that the reference wrote in them.
    pub datums_to_find: u64,
    /// Cases that showed it.
    pub count: u64,
    /// Cells in which it was seen, per edition.
    pub cells: BTreeMap<Edition, BTreeSet<u32>>,
    /// The levels of the target that showed it: an attribute of the run, not of the result.
    pub levels: BTreeSet<String>,
    /// For each bit of a word or field: how often it was expected 0 and got 1, and the reverse.
    pub bits: BTreeMap<u32, (u64, u64)>,
    /// The smallest case.
    pub minimized: Option<Minimized>,
    /// The first case by value, with the background that it needs.
    pub stored: Option<CaseValue>,
    /// The cases that run before it, the earliest first, where order matters.
    pub stored_after: Vec<CaseValue>,
    /// Whether the case by value shows it, alone or after that one: if not, only the run can.
    pub shows: bool,
    /// Why it happens, if that was found.
    pub explanation: Option<Explanation>,
    /// Errata whose other reading does in its smallest case what the target does.
    pub errata: Vec<String>,
    /// The cases of the current block that were counted: several levels of a target may show it in one case.
    counted: BTreeSet<(Edition, u32, u64)>,
}

impl Finding {
    /// A finding of one sighting.
    #[must_use]
    pub fn new(signature: Signature, first: Sighting) -> Self {
        let mut finding = Finding {
            signature,
            cases_to_find: 0,
            datums_to_find: 0,
            count: 0,
            cells: BTreeMap::new(),
            levels: BTreeSet::new(),
            bits: BTreeMap::new(),
            minimized: None,
            stored: None,
            stored_after: Vec::new(),
            shows: false,
            explanation: None,
            errata: Vec::new(),
            counted: BTreeSet::new(),
            first,
        };
        let sighting = finding.first.clone();
        finding.add(&sighting);
        finding
    }

    /// Adds a sighting with the same signature.
    pub fn add(&mut self, sighting: &Sighting) {
        let id = sighting.id;
        self.levels.extend(sighting.level.clone());
        // A case counts once, however many levels show it: what is counted does not depend on which of them run.
        if !self.counted.insert((id.edition, id.cell, id.index)) {
            return;
        }
        self.count += 1;
        self.cells.entry(id.edition).or_default().insert(id.cell);
        let place_kind = self.signature.kind;
        let alike = sighting.differences.iter().filter(|difference| difference.kind() == place_kind);
        for (expected, got) in alike.filter_map(Difference::bits) {
            for bit in 0..32 {
                if (expected ^ got) >> bit & 1 != 0 {
                    let entry = self.bits.entry(bit).or_default();
                    if expected >> bit & 1 == 0 { entry.0 += 1 } else { entry.1 += 1 }
                }
            }
        }
    }

    /// Adds the sightings of a later part of the run, which has other cases.
    pub fn merge(&mut self, later: &Finding) {
        self.counted.clear();
        self.count += later.count;
        for (edition, cells) in &later.cells {
            self.cells.entry(*edition).or_default().extend(cells);
        }
        self.levels.extend(later.levels.iter().cloned());
        for (bit, (up, down)) in &later.bits {
            let entry = self.bits.entry(*bit).or_default();
            entry.0 += up;
            entry.1 += down;
        }
    }
    /// The classes of the cells in which it was seen, per edition, in the order of the instruction's.
    #[must_use]
    pub fn classes(&self) -> BTreeMap<Edition, Vec<String>> {
        let instruction = self.first.id.instruction;
        let of = |(&edition, cells): (&Edition, &BTreeSet<u32>)| {
            let space = (instruction.cells)(edition);
            let class = |&cell: &u32| (instruction.cell_class)(edition, space.levels(cell as usize));
            let seen: BTreeSet<&str> = cells.iter().map(class).collect();
            let classes = instruction.cell_classes.iter().filter(|class| seen.contains(*class));
            (edition, classes.map(|class| (*class).to_string()).collect())
        };
        self.cells.iter().map(of).collect()
    }

    /// The bits that were seen to differ, as files name them.
    #[must_use]
    pub fn bit_names(&self) -> Vec<String> {
        bit_names(self.bits.iter().map(|(&bit, &counts)| (bit, counts)))
    }
}

/// Bits with their directions, as files name them: each with how often 0 was expected and 1 came, and the reverse.
pub(crate) fn bit_names(bits: impl Iterator<Item = (u32, (u64, u64))>) -> Vec<String> {
    let names = |(bit, (set, cleared))| {
        [(set, "0->1"), (cleared, "1->0")]
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(move |(_, way)| format!("{bit}:{way}"))
    };
    bits.flat_map(names).collect()
}

/// Whether a text names a bit with a direction, as `7:0->1`.
pub(crate) fn is_bit_name(name: &str) -> bool {
    let (bit, direction) = name.split_once(':').unwrap_or((name, ""));
    bit.parse::<u32>().is_ok_and(|number| number < 32 && number.to_string() == bit)
        && matches!(direction, "0->1" | "1->0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_named_with_its_direction() {
        assert!(is_bit_name("0:1->0") && !is_bit_name("00:1->0") && !is_bit_name("1:1->1") && !is_bit_name("7"));
    }
}
