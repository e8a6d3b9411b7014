//! Which cells the pages specify, as the committed reports have it: every run needs it, and to ask the reference again takes
//! seconds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::iter::repeat_n;
use std::sync::Arc;

use tandem_harness::Suite;
use tandem_isa::{Edition, Instruction};

type Unit = (&'static Instruction, Edition);

/// The file in the folder of reports: a line for each instruction and edition, with the lengths of the runs of its cells
/// that are specified, undefined, specified, and so on.
pub(super) const FILE: &str = "specified.txt";
const RECORDED: &str = include_str!("../../reports/specified.txt");

/// For each of some units, which of its cells the pages specify: as recorded, or as the reference says where the record is
/// of other cells.
pub(super) fn specified(suite: &Suite, units: &[Unit], threads: usize) -> Vec<Arc<[bool]>> {
    recorded_or_asked(RECORDED, suite, units, threads)
}

fn recorded_or_asked(record: &str, suite: &Suite, units: &[Unit], threads: usize) -> Vec<Arc<[bool]>> {
    let lines: BTreeMap<&str, &str> = record.lines().filter_map(|line| line.split_once(": ")).collect();
    let recorded = |unit: &Unit| {
        let lengths = lines.get(&*name(unit))?.split(' ').map(str::parse);
        let lengths = lengths.collect::<Result<Vec<usize>, _>>().expect("a test reads it");
        let cells = lengths.iter().enumerate().flat_map(|(run, &length)| repeat_n(run % 2 == 0, length));
        (lengths.iter().sum::<usize>() == (unit.0.cells)(unit.1).len()).then(|| cells.collect())
    };
    let mut cells: Vec<Option<Arc<[bool]>>> = units.iter().map(recorded).collect();
    let (units, missing): (Vec<Unit>, Vec<_>) =
        units.iter().zip(&mut cells).filter(|(_, cells)| cells.is_none()).unzip();
    missing.into_iter().zip(tandem_harness::specified(suite, &units, threads)).for_each(|(to, now)| *to = Some(now));
    cells.into_iter().flatten().collect()
}

/// The text of the file.
pub(super) fn text(units: &[Unit], specified: &[Arc<[bool]>]) -> String {
    let mut text = String::new();
    for (unit, cells) in units.iter().zip(specified) {
        let _ = write!(text, "{}:", name(unit));
        if !cells.first().is_some_and(|&is| is) {
            text.push_str(" 0");
        }
        for run in cells.chunk_by(|one, next| one == next) {
            let _ = write!(text, " {}", run.len());
        }
        text.push('\n');
    }
    text
}

fn name((instruction, edition): &Unit) -> String {
    format!("{} {}", instruction.path(), edition.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_recorded_is_asked() {
        let suite = crate::wiring::references();
        let units: Vec<Unit> = suite.units().into_iter().filter(|unit| unit.0.file.starts_with("sfps")).collect();
        let recorded = specified(&suite, &units, 2);
        assert!(
            recorded.iter().any(|cells| cells.contains(&false)) && recorded.iter().any(|cells| cells.contains(&true))
        );
        let (last, others) = units.split_last().expect("there are some");
        let record = format!("{}{}: 1 2 3\n", text(others, &recorded), name(last));
        assert_eq!(recorded_or_asked(&record, &suite, &units, 2), recorded);
        assert_eq!(recorded_or_asked("", &suite, &units, 2), recorded);
    }
}
