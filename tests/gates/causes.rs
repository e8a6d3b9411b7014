//! One cause, one finding: what a campaign finds is parted by the rules that are broken, and joined by them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rstest::rstest;
use tandem::diagnosis::Mistakes;
use tandem_harness::observe::Narrow;
use tandem_harness::{
    Budget, Campaign, CaseSource, DiagnoseLimits, Finding, IsaSuite, Kind, Plan, Progress, Suite, TargetFactory,
};
use tandem_isa::tensix::bank;
use tandem_isa::tensix::inst::mova2d::SRC_ROW;
use tandem_isa::{Answer, Edition, Instruction};

use crate::parts::{acting, instruction};

/// What a campaign finds in MOVA2D of a target with faults, and the same by cause.
fn found(faults: &'static str) -> (Vec<Finding>, Vec<Finding>) {
    found_in(TargetFactory::new(move || tandem_faults::target(Some(faults)).expect("the faults exist")))
}

fn found_in(faulty: TargetFactory) -> (Vec<Finding>, Vec<Finding>) {
    let (isa, mova2d) = instruction("tensix-wh/mova2d");
    let unit: (&'static Instruction, Edition) = (mova2d, Edition::Newest);
    let one: IsaSuite = isa.with_targets(vec![faulty]);
    let suite = Suite { isas: vec![one.clone()] };
    let plan = Plan { threads: 2, ..Plan::new(1, Budget::Cases(20_000), vec![unit]) };
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let held = result.units[0].held(isa.isa, &Narrow::default());
    let source = CaseSource { held, ..CaseSource::new(isa.isa, 1) };
    let mistakes = Mistakes::of(&one, unit, &source.pools);
    let parted = mistakes.part(&one, unit, &source, result.findings.clone(), DiagnoseLimits::default(), &|| false);
    (result.findings, parted)
}

fn told(finding: &Finding) -> &str {
    finding.explanation.as_ref().map_or("", |told| &told.lines[0])
}

#[test]
fn causes_with_one_signature_are_findings_of_their_own() {
    let (before, after) = found("int16-missing+flush-never");
    let values = |findings: &[Finding]| findings.iter().filter(|one| one.signature.kind == Kind::Value).count();
    assert_eq!((values(&before), values(&after)), (1, 2), "{:#?}", after.iter().map(told).collect::<Vec<_>>());
    for rule in ["INT16", "Zero_Flag_disabled_src"] {
        let own: Vec<&Finding> = after.iter().filter(|finding| told(finding).contains(rule)).collect();
        let [finding] = own[..] else { panic!("{rule}: {:?}", after.iter().map(told).collect::<Vec<_>>()) };
        assert!(finding.shows && finding.minimized.is_some(), "{}", told(finding));
    }
    // Nothing that was seen is lost.
    let cells = |findings: &[Finding]| {
        findings.iter().flat_map(|one| one.cells.values().flatten().copied()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(cells(&before).is_subset(&cells(&after)));
    let count = |findings: &[Finding]| findings.iter().map(|one| one.count).sum::<u64>();
    assert_eq!(count(&before), count(&after));
}

#[test]
fn several_mistakes_that_come_together_are_told_apart() {
    let faults = "int16-missing+flush-never+gate-ignored+seven-rows+bias-always";
    let (_, after) = found(faults);
    let rules: Vec<&str> = after.iter().map(told).collect();
    // Of so few cases one mistake may show too little to be told, or two may show as a third, but that stays a finding.
    let told = rules.iter().filter(|rule| !rule.is_empty()).count();
    assert!((4..=5).contains(&told) && rules.len() - told <= 1, "{rules:#?}");
}

#[rstest]
#[case("tx06-fp32-enabled-ignored", &["TX-06"])]
#[case("flush-never", &[])]
fn errata_are_named_where_their_other_reading_does_the_same(#[case] faults: &'static str, #[case] errata: &[&str]) {
    let (_, after) = found(faults);
    let [finding] = &after[..] else { panic!("{:?}", after.iter().map(told).collect::<Vec<_>>()) };
    assert_eq!(finding.errata, errata, "{}", told(finding));
    assert!(!told(finding).is_empty());
}

#[test]
fn what_no_rule_explains_stays_a_finding() {
    let (before, after) = found("stray-source-row");
    assert_eq!(before.len(), after.len());
    assert!(after.iter().all(|finding| told(finding).is_empty()), "{:?}", after.iter().map(told).collect::<Vec<_>>());
}

#[test]
fn what_goes_wrong_alike_with_rows_that_nobody_reads_and_without_is_one_finding() {
    // It leaves a counter wrong, and why no rule tells: where a row that the case does not read holds something, and for few cases
    // wherever that is.
    let unruly = || {
        let mut right = instruction("tensix-wh/mova2d").0.targets.last().expect("there is a portable level").make();
        acting(move |step, state| {
            let row = SRC_ROW.get(step.code);
            let far = |column| state.word(bank::SRCB, row as usize, column) % 8 == 5;
            let is_wrong = row == 37 || (0..16).any(far);
            let answer = right.execute(step, state);
            if is_wrong && answer == Answer::Done {
                tandem_isa::tensix::Tensix::new(state).small.rwcs[0].dst ^= 0x2a1;
            }
            answer
        })
    };
    let (before, after) = found_in(TargetFactory::new(unruly));
    let count = |findings: &[Finding]| findings.iter().map(|one| one.count).sum::<u64>();
    assert_eq!((before.len(), after.len(), count(&before)), (1, 1, count(&after)), "{after:#?}");
}

#[test]
fn what_no_rule_explains_is_a_finding_of_its_own_beside_what_one_does() {
    // It breaks a rule, and for few cases leaves some data wrong for no reason that a page has.
    let rules_and_more = || {
        let mut faulty = tandem_faults::target(Some("flush-never")).expect("the fault exists");
        acting(move |step, state| {
            let answer = faulty.execute(step, state);
            if SRC_ROW.get(step.code) == 37 && answer == Answer::Done {
                let dst = &state.layout.banks[bank::DST];
                for row in (0..dst.rows())
                    .filter(|row| state.tracker.log.written.contains(dst.first_row + row))
                    .collect::<Vec<_>>()
                {
                    for column in 0..dst.columns() {
                        let word = state.word(bank::DST, row, column);
                        if word % 7 == 5 {
                            state.set_word(bank::DST, row, column, word ^ 0x40);
                        }
                    }
                }
            }
            answer
        })
    };
    let (before, after) = found_in(TargetFactory::new(rules_and_more));
    let values = |findings: &[Finding]| findings.iter().filter(|one| one.signature.kind == Kind::Value).count();
    assert_eq!((values(&before), values(&after)), (1, 2), "{:?}", after.iter().map(told).collect::<Vec<_>>());
    let untold: Vec<&Finding> = after.iter().filter(|finding| told(finding).is_empty()).collect();
    let [finding] = untold[..] else { panic!("{:?}", after.iter().map(told).collect::<Vec<_>>()) };
    let smallest = finding.minimized.as_ref().expect("it has a smallest case");
    assert!(finding.shows && SRC_ROW.get(&smallest.value.code) == 37, "{}", smallest.value.size());
}

#[test]
fn a_partial_target_is_asked_for_causes_what_it_answers() {
    // It answers one row in 16, and counts what it answers and what it refuses.
    let counts = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let own = Arc::clone(&counts);
    let partial = move || {
        let mut faulty = tandem_faults::target(Some("flush-never")).expect("the fault exists");
        let counts = Arc::clone(&own);
        acting(move |step, state| {
            let is_refused = !SRC_ROW.get(step.code).is_multiple_of(16);
            counts[usize::from(is_refused)].fetch_add(1, Ordering::Relaxed);
            if is_refused { Answer::Unsupported } else { faulty.execute(step, state) }
        })
    };
    let (before, after) = found_in(TargetFactory::new(partial).partial());
    let [finding] = &after[..] else { panic!("{:?}", after.iter().map(told).collect::<Vec<_>>()) };
    assert!(before.len() == 1 && told(finding).contains("Zero_Flag_disabled_src"), "{}", told(finding));
    assert!(
        finding.explanation.as_ref().is_some_and(|told| told.lines[1].contains("established: ")),
        "{:?}",
        finding.explanation
    );
    // Its number alone would be another case, without what was found out about the target.
    assert!(finding.first.by_value && finding.shows);
    let [answered, refused] = [0, 1].map(|place| counts[place].load(Ordering::Relaxed));
    assert!(refused < answered, "{answered} answered, {refused} refused");
}
