//! What the script of the page reads: the maps, and where findings were seen in them.

use serde::Serialize;

use super::super::model::{AxisPart, ResultPart};
use super::super::offer::unpacked;
use super::super::text::{ranges, visible};
use super::cells::{Mark, Unit};
use super::clipped;

/// Open cells of a unit whose counts the script can show.
const MOST_HOLES: usize = 4_096;

/// Everything.
#[derive(Serialize)]
pub(super) struct Data {
    /// What a cell can be, what needs a look first: the letter of the maps, if there is one, its name and its word.
    marks: Vec<(Option<char>, &'static str, &'static str)>,
    units: Vec<UnitData>,
    findings: Vec<FindingData>,
    /// Completed agreements with which a cell has passed.
    green: u64,
}

#[derive(Serialize)]
struct UnitData {
    anchor: String,
    title: String,
    axes: Vec<AxisPart>,
    /// For each cell its place in the product of the axes, if that is not its number.
    places: Option<Vec<u32>>,
    /// The letter of each cell's status, as in the report.
    statuses: String,
    contested: Option<String>,
    classes: Vec<String>,
    /// The class of each cell, in runs.
    runs: String,
    /// What the target refuses, and why.
    rules: Vec<(String, Option<String>)>,
    /// The rule that explains each unsupported cell, counted from 1, in runs.
    explained: String,
    /// The share of refusals of each cell in percent, in runs.
    refusals: String,
    /// Cell; agreed, held, undefined, diverged, unsupported.
    holes: Vec<(u32, [u64; 5])>,
    /// Axis, level, reason.
    gaps: Vec<(usize, Option<usize>, String)>,
}

#[derive(Serialize)]
struct FindingData {
    title: String,
    /// Unit, and its cells in ranges.
    seen: Vec<(usize, String)>,
}

fn shown(text: &str) -> String {
    visible(&clipped(text))
}

/// The data of a result, with at most so many findings.
pub(super) fn of(result: &ResultPart, units: &[Unit<'_>], findings: usize, maps: bool) -> Data {
    let findings = result.findings.iter().take(findings).map(|finding| FindingData {
        title: shown(&finding.signature.to_string()),
        seen: finding
            .seen
            .iter()
            .filter_map(|seen| {
                let here =
                    |unit: &Unit<'_>| unit.part.concerns(&finding.signature) && unit.part.edition == seen.edition;
                Some((units.iter().position(here)?, ranges(&seen.cells)))
            })
            .collect(),
    });
    let marks = Mark::ALL.into_iter().filter(|mark| !matches!(mark, Mark::Unknown | Mark::Elsewhere));
    Data {
        marks: marks.map(|mark| (mark.status(), mark.name(), mark.word())).collect(),
        findings: findings.collect(),
        units: units.iter().filter(|_| maps).map(unit_data).collect(),
        green: units.iter().map(|unit| unit.part.enough).max().unwrap_or(crate::GREEN),
    }
}

fn unit_data(unit: &Unit<'_>) -> UnitData {
    let (part, map) = (unit.part, &unit.part.map);
    let holes = part.hole_list.iter().take(MOST_HOLES);
    let rules = part.observed.as_ref().map_or(&[][..], |observed| &observed.rules);
    // Runs that do not fit are left out, so that the script needs no doubt.
    let checked = |runs: &str, limit: usize| match unpacked(runs, unit.marks.len(), limit)[..] {
        [] => String::new(),
        _ => runs.to_string(),
    };
    UnitData {
        anchor: unit.anchor.clone(),
        title: shown(&format!("{} · {}", part.instruction, part.edition)),
        axes: map
            .axes
            .iter()
            .map(|axis| AxisPart {
                name: shown(&axis.name),
                levels: axis.levels.iter().map(|level| shown(level)).collect(),
            })
            .collect(),
        places: map.places.clone(),
        statuses: map
            .statuses
            .bytes()
            .map(|letter| if letter.is_ascii_alphanumeric() { char::from(letter) } else { '?' })
            .collect(),
        contested: map
            .contested
            .as_ref()
            .map(|map| map.bytes().map(|one| if one == b'x' { 'x' } else { '.' }).collect()),
        classes: part.classes.iter().map(|class| shown(&class.name)).collect(),
        runs: if unit.classes.is_empty() { String::new() } else { map.classes.clone() },
        rules: rules.iter().map(|rule| (shown(&rule.when), rule.reason.as_ref().map(|reason| shown(reason)))).collect(),
        explained: checked(&map.rules, rules.len() + 1),
        refusals: checked(&map.refusals, 101),
        holes: holes
            .map(|hole| (hole.cell, [hole.done, hole.blocked, hole.cited, hole.diverged, hole.unsupported]))
            .collect(),
        gaps: unit.gaps.iter().map(|gap| (gap.axis, gap.level, shown(gap.reason))).collect(),
    }
}
