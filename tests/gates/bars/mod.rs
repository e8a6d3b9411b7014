//! What the suite makes of a partial target, held against what is true of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tandem::wiring;
use tandem_faults::one_cell::OneCell;
use tandem_harness::observe::View;
use tandem_harness::{
    Budget, Campaign, CampaignResult, CellStatus, Generator, IsaSuite, Plan, Pools, Progress, Suite, TargetFactory,
    UnitResult, Workbench,
};
use tandem_isa::{Code, Edition, Instruction, Parts, SaltPlan, Step, Target};
use tandem_policy::{Policy, Refusing, RuleKind};

use crate::truth::{Trier, shares};

/// The suite of an instruction set.
fn suite_of(isa: &str) -> IsaSuite {
    wiring::suite().isa(isa).expect("it is in the suite").clone()
}

/// The best SIMD level behind a policy, with a wrong bit in one cell if that is asked for.
fn behind(policy: &Arc<Policy>, suite: &IsaSuite, wrong: Option<(&'static Instruction, usize)>) -> TargetFactory {
    let (policy, isa, simd) = (Arc::clone(policy), suite.isa, suite.targets.last().expect("there is a level").clone());
    let make = move || {
        let mut inner = simd.make();
        if let Some((instruction, cell)) = wrong.filter(|(instruction, _)| instruction.isa == isa.name) {
            inner = Box::new(OneCell::new(inner, isa, instruction, Edition::Newest, cell));
        }
        Box::new(Refusing::new(inner, Arc::clone(&policy))) as Box<dyn Target>
    };
    TargetFactory::new(make).partial()
}

fn suite_behind(policy: &Arc<Policy>, wrong: Option<(&'static Instruction, usize)>) -> Suite {
    let of = |isa: &IsaSuite| isa.with_targets(vec![behind(policy, isa, wrong)]);
    Suite { isas: wiring::suite().isas.iter().map(of).collect() }
}

/// A campaign of some instructions of a policy.
pub fn campaign(policy: &Arc<Policy>, units: &[&'static Instruction], seed: u64, cases: u64) -> CampaignResult {
    let suite = suite_behind(policy, None);
    let units = units.iter().map(|&instruction| (instruction, Edition::Newest)).collect();
    let plan = Plan { threads: 2, ..Plan::new(seed, Budget::Cases(cases), units) };
    Campaign::new(&suite, &plan, &Progress::default()).run()
}

/// Whether a campaign finds one wrong bit in one cell.
pub fn finds_one_bit(policy: &Arc<Policy>, unit: (&'static Instruction, usize), seed: u64, cases: u64) -> bool {
    let suite = suite_behind(policy, Some(unit));
    let plan = Plan {
        threads: 2,
        stop_at_finding: true,
        minimize: None,
        ..Plan::new(seed, Budget::Cases(cases), vec![(unit.0, Edition::Newest)])
    };
    !Campaign::new(&suite, &plan, &Progress::default()).run().findings.is_empty()
}

/// What came of one instruction.
pub struct Bars {
    /// Cells by status: green, blocked, cited, unsupported, diverged.
    cells: [usize; 5],
    /// Cells that are none of these, although the pages promise a result in them.
    pub holes: Vec<String>,
    /// Cells that are none of these, and in which the pages seem to promise nothing.
    pub uncounted: usize,
    /// Cells that are called unsupported although a case of them is answered.
    pub untrue: Vec<String>,
    /// Cells that are called cited although the pages promise a result in them.
    pub uncited: Vec<String>,
    /// Of the promised cases of the campaign, how many were answered, in percent.
    pub answered: f64,
    /// Of these, for how many the rules said whether they would be, in percent.
    pub right: f64,
    /// Of fresh cases that nobody held to the rules, likewise.
    pub fresh_right: f64,
    /// Of the refusals among those, how many no rule explains, in percent.
    pub fresh_unexplained: f64,
    /// Why those were refused, by the policy, and how many.
    unexplained: BTreeMap<String, u64>,
    /// How many cases without rules would be refused, in percent.
    without_rules: f64,
    /// Of fresh cases that a lie refuses, how many the rules refuse, in percent; nothing if no case was one.
    pub lies_seen: Option<f64>,
    /// Rules, and cases that it took to find them.
    rules: usize,
    asked: u64,
}

impl std::fmt::Display for Bars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [green, blocked, cited, unsupported, diverged] = self.cells;
        writeln!(
            f,
            "answered {:.2} % ({:.2} % without rules), right {:.3} %, of fresh cases {:.3} %, unexplained {:.3} %, lies seen {:?}",
            self.answered,
            100.0 - self.without_rules,
            self.right,
            self.fresh_right,
            self.fresh_unexplained,
            self.lies_seen,
        )?;
        write!(
            f,
            "    cells: green {green}, unsupported {unsupported}, cited {cited}, blocked {blocked}, diverged {diverged}, holes \
             {}, uncounted {}, untrue {}, uncited {}; {} rules from {} cases",
            self.holes.len(),
            self.uncounted,
            self.untrue.len(),
            self.uncited.len(),
            self.rules,
            self.asked,
        )?;
        let bad = self.holes.iter().chain(&self.untrue).chain(&self.uncited);
        bad.take(8).try_for_each(|cell| write!(f, "\n      {cell}"))?;
        let reasons = self.unexplained.iter();
        reasons.take(8).try_for_each(|(reason, count)| write!(f, "\n      unexplained {count}: {reason}"))
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Holds a unit of a campaign against the policy. `attempts` cases are tried before a cell counts as one that is refused,
/// and `fresh` cases are predicted.
pub fn bars(policy: &Policy, unit: &UnitResult, attempts: u64, fresh: u64) -> Bars {
    let (instruction, edition) = (unit.instruction, unit.edition);
    let suite = suite_of(instruction.isa);
    let mut trier = Trier::new(policy, &suite, (instruction, edition));
    let name = |cell: usize| (instruction.cells)(edition).describe(cell);
    let (mut holes, mut untrue, mut uncited, mut uncounted) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for cell in 0..trier.cells() {
        match unit.status(cell) {
            CellStatus::Green | CellStatus::Blocked | CellStatus::Diverged => {}
            CellStatus::Cited => {
                // Of other cases those that write nothing are promised everywhere.
                let plain = trier.cell(cell, 1);
                if plain.promised {
                    uncited.push(name(cell));
                }
            }
            status => {
                let truth = trier.cell(cell, attempts);
                if status == CellStatus::Hole && !truth.promised {
                    uncounted += 1;
                } else if status == CellStatus::Hole {
                    holes.push(format!("{}: {:?} {:?}", name(cell), unit.cells[cell], truth));
                } else if truth.answerable {
                    untrue.push(format!("{}: {:?} {:?}", name(cell), unit.cells[cell], truth.reasons));
                }
            }
        }
    }
    // What was asked before the campaign is no part of these.
    let before = unit.observation.iter().flat_map(|observation| &observation.asked);
    let [asked, refused] = before.fold([0; 2], |sum, of| [sum[0] + of[0], sum[1] + of[1]]);
    let answered = unit.cells.iter().map(|cell| cell.answered).sum::<u64>() - (asked - refused);
    let all = answered + unit.cells.iter().map(|cell| cell.unsupported).sum::<u64>() - refused;
    // Without rules, everything was said to be answered.
    let has_rules = unit.observation.as_ref().is_some_and(|observation| !observation.rules.is_empty());
    let right = if has_rules { unit.foretold.answered + unit.foretold.refused } else { answered };
    let predicted = predict(policy, &suite, unit, fresh);
    Bars {
        cells: [
            unit.count(CellStatus::Green),
            unit.count(CellStatus::Blocked),
            unit.count(CellStatus::Cited),
            unit.count(CellStatus::Unsupported),
            unit.count(CellStatus::Diverged),
        ],
        holes,
        uncounted,
        untrue,
        uncited,
        answered: percent(answered, all),
        right: percent(right, all),
        fresh_right: percent(predicted.right, predicted.promised),
        fresh_unexplained: percent(predicted.unexplained, predicted.refused),
        unexplained: predicted.reasons,
        without_rules: shares(policy, &suite, (instruction, edition), 2_000).percent(),
        lies_seen: (predicted.lies > 0).then(|| percent(predicted.lies_seen, predicted.lies)),
        rules: unit.observation.as_ref().map_or(0, |observation| observation.rules.list.len()),
        asked: unit.observation.as_ref().map_or(0, |observation| observation.cases),
    }
}

#[derive(Default)]
struct Predicted {
    reasons: BTreeMap<String, u64>,
    promised: u64,
    right: u64,
    refused: u64,
    unexplained: u64,
    lies: u64,
    lies_seen: u64,
}

/// Fresh cases, half as a campaign without rules draws them and half with the rules held, foretold by the rules.
fn predict(policy: &Policy, suite: &IsaSuite, unit: &UnitResult, cases: u64) -> Predicted {
    let (instruction, edition) = (unit.instruction, unit.edition);
    let view = View::new(suite.isa, instruction, edition);
    let mut predicted = Predicted::default();
    let Some(observation) = &unit.observation else { return predicted };
    for held in [None, observation.held(view).map(Arc::new)] {
        let mut generator = Generator::new(suite.isa, instruction, edition, 77, Pools::new(suite.isa, 77));
        generator.held = held;
        let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
        let mut before = suite.isa.base_state();
        for number in 0..cases / 2 {
            let id = bench.generator.id(number);
            if number == 0 || !bench.generator.in_epoch(id.index) {
                bench.enter_epoch(id.index);
            }
            before.arena.copy_from_slice(bench.generator.arena());
            bench.capture(&id, |expectation, code, small, after| {
                if expectation.required_answer().is_none() {
                    return;
                }
                before.small.copy_from_slice(small);
                let overlay = &after.tracker.overlay;
                overlay.rows.each(|row| {
                    let (bank, row) = suite.isa.layout.locate(row);
                    let range = suite.isa.layout.banks[bank].row_range(row);
                    before.arena[range.clone()].copy_from_slice(&overlay.arena[range]);
                });
                let step = Step { instruction, edition, code };
                let why = |kind| policy.first(kind, &step, &before).map(|(_, reason)| reason.to_string());
                let (refusal, lie) = (why(RuleKind::Refusal), why(RuleKind::Lie));
                let (reason, refused, lie) = (refusal.clone().or(lie.clone()), refusal.is_some(), lie.is_some());
                let mut code: Code = *code;
                let mut salt = SaltPlan::default();
                salt.class[..suite.isa.background.len()].copy_from_slice(suite.isa.background);
                let parts = Parts { code: &mut code, small: &mut before.small, salt: &mut salt };
                let foretold = observation.rules.refusing(&view, &parts, Some(overlay)).is_some();
                predicted.promised += 1;
                predicted.right += u64::from(foretold == (refused || lie));
                predicted.refused += u64::from(refused || lie);
                if let Some(reason) = reason.filter(|_| !foretold) {
                    predicted.unexplained += 1;
                    *predicted.reasons.entry(reason).or_default() += 1;
                }
                predicted.lies += u64::from(lie && !refused);
                predicted.lies_seen += u64::from(lie && !refused && foretold);
            });
        }
    }
    predicted
}
