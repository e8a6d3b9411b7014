//! `tandem explain`: which rule of the pages a target behaves as if it had wrong.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tandem_harness::observe::{Scope, View, observed};
use tandem_harness::report::{CaseText, explain};
use tandem_harness::{
    CaseId, CaseSource, CaseValue, Cause, DiagnoseLimits, Diagnosis, Dictionary, Explanation, IsaSuite, Minimized,
    Minimizer, OBSERVE, Suite, TargetFactory, Tier, explain_in_order, explain_in_program, find_in_order,
};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit, case, progress, select, signals};
use crate::diagnosis::Mistakes;

/// How long the cause of one difference is looked for.
const CAUSES_SECONDS: f64 = 10.0;

pub(super) fn run(common: &Common, what: &[String]) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    progress::listen();
    tandem_harness::quiet_panics();
    let mut programs = Vec::new();
    let filters = what.iter().map(|what| instruction_of(&suite, what, &mut programs)).collect::<Result<Vec<_>, _>>()?;
    let seed = common.seed.unwrap_or(1);
    let mut limits = DiagnoseLimits::default();
    limits.cases = common.cases.unwrap_or(limits.cases);
    let (mut rows, mut found, mut is_shown) = (Vec::new(), false, false);
    for instruction in select::instructions(&suite, &filters)? {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let edition = select::edition(common)?.unwrap_or(Edition::Newest);
        if !instruction.editions().contains(&edition) {
            continue;
        }
        let unit = (instruction, edition);
        noteln!("tandem: explaining {}: what its cases reach, and what can be wrong there", instruction.path());
        let all = CaseSource::new(isa.isa, seed);
        let mut mistakes = Mistakes::until(isa, unit, &all.pools, &|| progress::is_over(common.seconds));
        mistakes.hears = |says| {
            noteln!("tandem: {:.1} s: a first candidate, behaves as if {says}", progress::elapsed().as_secs_f64());
        };
        for factory in &isa.targets {
            if progress::is_over(common.seconds) {
                errln!("tandem: stopped early: {} and what follows were not asked", instruction.path());
                break;
            }
            if !factory.make().implements(instruction) {
                continue;
            }
            let begin = Instant::now();
            let is_over = || progress::is_over(common.seconds);
            let one = isa.with_targets(vec![factory.clone()]);
            let scope = Scope { stop: Some(signals::stop()), ..Scope::of(OBSERVE.min(limits.cases / 4)) };
            let held = observed(&one, unit, &all, scope)
                .and_then(|observation| observation.held(View::new(one.isa, instruction, edition)));
            let source = CaseSource { held: held.map(Arc::new), ..all.clone() };
            let diagnosis = mistakes.explain(&one, unit, &source, &limits, &is_over);
            let of_others = |other| {
                let mistakes = Mistakes::until(isa, (other, edition), &all.pools, &is_over);
                Box::new(mistakes) as Box<dyn Dictionary>
            };
            let in_order = match &diagnosis.in_order {
                Some(seen) => {
                    let smaller = find_in_order(&one, unit, &source, seen, &is_over);
                    let smallest = smaller.and_then(|finding| finding.minimized);
                    let explain = |smallest| explain_in_order(&one, unit, &source, smallest, &mistakes, &is_over);
                    let explanation = smallest.as_ref().and_then(explain).unwrap_or_default();
                    Some(InOrder { met: Met::Case(seen.id), smallest, explanation })
                }
                // What alone is as it should be may not be so behind other steps.
                None if diagnosis.diverging == 0 => {
                    let mut own = programs.iter().filter(|program| last_of(program).index == instruction.index);
                    own.find_map(|program| {
                        let (step, smallest) = wrong_in(&one, factory, program)?;
                        let is_last = step == program.then.len();
                        let explain = || explain_in_program(&one, &source, program, &mistakes, &of_others, &is_over);
                        let explanation = is_last.then(explain).flatten().unwrap_or_default();
                        Some(InOrder { met: Met::Step(step), smallest: Some(smallest), explanation })
                    })
                }
                None => None,
            };
            found |= diagnosis.diverging > 0 || in_order.is_some();
            is_shown |= diagnosis.agreeing > 0;
            let target = factory.info.to_string();
            if common.json {
                let mut row = row(&mistakes, instruction, edition, &target, &diagnosis);
                if let Some(in_order) = &in_order {
                    row["in_order"] = in_order.row();
                }
                rows.push(row);
            } else {
                text(&mistakes, instruction, edition, &target, &diagnosis);
                in_order.iter().flat_map(|in_order| in_order.lines(&one)).for_each(|line| outln!("  {line}"));
                noteln!("tandem: {:.1} s", begin.elapsed().as_secs_f64());
            }
        }
    }
    if common.json {
        outln!("{}", json!({ "explained": rows }));
    }
    Ok(if found { Exit::NewFinding } else { case::unless_nothing_was_shown(is_shown) })
}

/// Where something goes wrong only after others.
enum Met {
    /// In a case.
    Case(CaseId),
    /// In the step of a program at this place.
    Step(usize),
}

/// What goes wrong in a case only after others.
struct InOrder {
    met: Met,
    smallest: Option<Minimized>,
    explanation: Explanation,
}

impl InOrder {
    fn row(&self) -> Value {
        let after = self.smallest.iter().flat_map(|smallest| &smallest.after).map(CaseText::of);
        let met = match self.met {
            Met::Case(met) => Some(met.to_string()),
            Met::Step(_) => None,
        };
        json!({
            "met": met, "after": after.collect::<Vec<_>>(),
            "case": self.smallest.as_ref().map(|smallest| CaseText::of(&smallest.value)),
            "rules": self.explanation.rules, "lines": self.explanation.lines,
        })
    }

    fn lines(&self, suite: &IsaSuite) -> Vec<String> {
        let first = match self.met {
            Met::Case(met) => format!("wrong in case {met} only after others"),
            Met::Step(step) => format!("wrong in step {} of the program, and not alone", step + 1),
        };
        let mut lines = vec![first];
        lines.extend(self.explanation.lines.iter().cloned());
        if let Some(Minimized { value, after, differences, .. }) = &self.smallest {
            let case = explain::in_order(after, &[]).into_iter().chain(explain::explain(suite, value, differences));
            lines.extend(case.map(|line| format!("  {line}")));
        }
        lines
    }
}

/// An instruction, or that of a file of a finding: of a program, which is kept, that of the last step.
fn instruction_of(suite: &Suite, what: &str, programs: &mut Vec<CaseValue>) -> Result<String, CliError> {
    if !Path::new(what).is_file() {
        return Ok(what.to_string());
    }
    let (file, _) = case::open(suite, Path::new(what))?;
    let mut cases = file.case_values().into_iter();
    let program = cases.find(|case| !case.then.is_empty()).filter(|_| file.finding.is_some());
    let path = program.as_ref().map_or_else(|| file.instruction.path(), |program| last_of(program).path());
    programs.extend(program);
    Ok(path)
}

/// The place of the step of a program in which a target differs first, and the program with what differs.
fn wrong_in(suite: &IsaSuite, factory: &TargetFactory, program: &CaseValue) -> Option<(usize, Minimized)> {
    let mut minimizer = Minimizer::new(suite, factory);
    let differences = minimizer.run(program).filter(|seen| !seen.is_empty())?;
    let (value, runs) = (program.clone(), minimizer.runs);
    Some((minimizer.step(), Minimized { value, after: Vec::new(), differences, proven: false, runs }))
}

fn last_of(program: &CaseValue) -> &'static Instruction {
    program.then.last().map_or(program.instruction, |step| step.instruction)
}

/// What a target has wrong about an instruction, as lines; none if its cases show nothing.
pub(super) fn causes(isa: &IsaSuite, factory: &TargetFactory, unit: (&'static Instruction, Edition)) -> Vec<String> {
    let all = CaseSource::new(isa.isa, 1);
    let begin = Instant::now();
    let is_over = || begin.elapsed().as_secs_f64() > CAUSES_SECONDS;
    let mistakes = Mistakes::until(isa, unit, &all.pools, &is_over);
    let one = isa.with_targets(vec![factory.clone()]);
    let diagnosis = mistakes.explain(&one, unit, &all, &DiagnoseLimits::default(), &is_over);
    diagnosis.causes.iter().take(3).flat_map(|cause| cause.lines(&mistakes, &diagnosis, unit)).collect()
}

fn text(mistakes: &Mistakes, instruction: &Instruction, edition: Edition, target: &str, diagnosis: &Diagnosis) {
    let Diagnosis { asked, diverging, agreeing, causes, strange, in_order, over, costly, .. } = diagnosis;
    outln!("{} ({}), {target}", instruction.path(), edition.name());
    if *diverging == 0 && in_order.is_none() {
        match agreeing {
            0 => outln!("  answers none of {asked} cases"),
            _ => outln!("  agrees in all of {asked} cases"),
        }
        return;
    }
    let (hints, whole): (Vec<&Cause>, Vec<&Cause>) = causes.iter().partition(|cause| cause.is_hint());
    let lines = |cause: &Cause| cause.lines(mistakes, diagnosis, (instruction, edition));
    whole.iter().flat_map(|cause| lines(cause)).for_each(|line| outln!("  {line}"));
    match (&whole[..], &strange[..]) {
        ([], []) => outln!("  no single line explains this; these do together"),
        ([], _) => outln!("  no single line explains this"),
        _ if !hints.is_empty() => outln!("  no single line explains the rest"),
        _ => {}
    }
    for cause in hints {
        outln!("  a hint, for {} % of the failing cases:", cause.share);
        lines(cause).iter().for_each(|line| outln!("    {line}"));
    }
    if !strange.is_empty() {
        outln!("  none fits {} of {diverging} failing cases", strange.len());
    }
    if *costly {
        outln!("  causes were not looked for to the end, since each takes long to try in this instruction");
    }
    if *over {
        errln!("tandem: stopped early: not everything was asked of {target} in {}", instruction.path());
    }
}

fn row(mistakes: &Mistakes, instruction: &Instruction, edition: Edition, target: &str, diagnosis: &Diagnosis) -> Value {
    let rule = |number: usize| {
        let lines: Vec<_> = mistakes
            .page_lines(number, instruction)
            .into_iter()
            .map(|(page, first, last)| json!({ "page": page, "first": first, "last": last }))
            .collect();
        json!({
            "name": mistakes.name(number), "says": mistakes.says(number), "place": mistakes.place(number, instruction),
            "lines": lines,
        })
    };
    let cause = |cause: &Cause| {
        let class: Vec<_> = cause.class.iter().map(|&number| rule(number)).collect();
        let guard: Vec<_> = cause.guard.iter().map(|atom| atom.text(instruction, edition)).collect();
        let by = |case: &CaseId| (!diagnosis.by_rules).then(|| case.to_string());
        let rivals: Vec<_> = cause
            .rivals
            .iter()
            .map(|(number, case)| json!({ "rule": mistakes.name(*number), "case": by(case) }))
            .collect();
        json!({
            "class": class, "guard": guard, "tier": if cause.tier == Tier::Established { "established" } else { "consistent" },
            "hint": cause.is_hint(), "explained": cause.explained, "survived": cause.survived, "rivals": rivals,
        })
    };
    json!({
        "instruction": instruction.path(), "edition": edition.name(), "target": target, "asked": diagnosis.asked,
        "diverging": diagnosis.diverging, "agreeing": diagnosis.agreeing, "unexplained": diagnosis.strange.len(),
        "costly": diagnosis.costly, "causes": diagnosis.causes.iter().map(cause).collect::<Vec<_>>(),
    })
}
