//! One cause, one finding: what a campaign finds is parted by the rules that are broken, and joined by them.

use rstest::rstest;
use tandem::diagnosis::Mistakes;
use tandem_harness::{Budget, Campaign, Finding, IsaSuite, Kind, Plan, Pools, Progress, Suite, TargetFactory};
use tandem_isa::tensix::bank;
use tandem_isa::tensix::inst::mova2d::SRC_ROW;
use tandem_isa::{Answer, Edition, Facts, Instruction, State, Step, Target, TargetInfo};

use crate::parts::instruction;

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
    let findings = Campaign::new(&suite, &plan, &Progress::default()).run().findings;
    let pools = Pools::new(isa.isa, 1);
    let mistakes = Mistakes::of(&one, unit, &pools);
    let parted = mistakes.part(&one, unit, (1, &pools), findings.clone(), &|| false);
    (findings, parted)
}

fn told(finding: &Finding) -> &str {
    finding.told.as_ref().map_or("", |told| &told.lines[0])
}

#[test]
fn causes_with_one_signature_are_findings_of_their_own() {
    let (before, after) = found("int16-missing+flush-never");
    let values = |findings: &[Finding]| findings.iter().filter(|one| one.signature.kind == Kind::Value).count();
    assert_eq!((values(&before), values(&after)), (1, 2), "{before:#?}");
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

/// A target that leaves a counter wrong, and why no rule tells: where a row that the case does not read holds something, and for
/// few cases wherever that is.
struct Unruly(Box<dyn Target>);

impl Target for Unruly {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "unruly".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.0.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let row = SRC_ROW.get(step.code);
        let far = |column| state.word(bank::SRCB, row as usize, column) % 8 == 5;
        let is_wrong = row == 37 || (0..16).any(far);
        let answer = self.0.execute(step, state);
        if is_wrong && answer == Answer::Done {
            tandem_isa::tensix::Tensix::new(state).small.rwcs[0].dst ^= 0x2a1;
        }
        answer
    }
}

#[test]
fn what_goes_wrong_alike_with_rows_that_nobody_reads_and_without_is_one_finding() {
    let right = || instruction("tensix-wh/mova2d").0.targets.last().expect("there is a portable level").make();
    let (before, after) = found_in(TargetFactory::new(move || Box::new(Unruly(right())) as Box<dyn Target>));
    let count = |findings: &[Finding]| findings.iter().map(|one| one.count).sum::<u64>();
    assert_eq!((before.len(), after.len(), count(&before)), (1, 1, count(&after)), "{after:#?}");
}

/// A target that breaks a rule, and for few cases leaves some data wrong for no reason that a page has.
struct RulesAndMore(Box<dyn Target>);

impl Target for RulesAndMore {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "rules-and-more".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.0.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let answer = self.0.execute(step, state);
        let dst = &state.layout.banks[bank::DST];
        if SRC_ROW.get(step.code) == 37 && answer == Answer::Done {
            for row in 0..dst.rows() {
                if !state.tracker.log.written.contains(dst.first_row + row) {
                    continue;
                }
                for column in 0..dst.columns() {
                    let word = state.word(bank::DST, row, column);
                    if word % 7 == 5 {
                        state.set_word(bank::DST, row, column, word ^ 0x40);
                    }
                }
            }
        }
        answer
    }
}

#[test]
fn what_no_rule_explains_is_a_finding_of_its_own_beside_what_one_does() {
    let faulty = || tandem_faults::target(Some("flush-never")).expect("the fault exists");
    let (before, after) = found_in(TargetFactory::new(move || Box::new(RulesAndMore(faulty())) as Box<dyn Target>));
    let values = |findings: &[Finding]| findings.iter().filter(|one| one.signature.kind == Kind::Value).count();
    assert_eq!((values(&before), values(&after)), (1, 2), "{:?}", after.iter().map(told).collect::<Vec<_>>());
    let untold: Vec<&Finding> = after.iter().filter(|finding| told(finding).is_empty()).collect();
    let [finding] = untold[..] else { panic!("{:?}", after.iter().map(told).collect::<Vec<_>>()) };
    let smallest = finding.minimized.as_ref().expect("it has a smallest case");
    assert!(finding.shows && SRC_ROW.get(&smallest.value.code) == 37, "{}", smallest.value.size());
}
