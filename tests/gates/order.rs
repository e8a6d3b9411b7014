//! What depends on order is found, becomes a short run of small cases on a fresh instance, and is explained.

use rstest::rstest;
use tandem::diagnosis::Mistakes;
use tandem_faults::twist::{self, Guard, Right, Twisted};
use tandem_harness::{
    Budget, Campaign, CaseSource, CaseValue, DiagnoseLimits, Dictionary, Finding, Kind, Minimized, NextStep, Plan,
    Progress, Suite, TargetFactory, explain_in_program, find_in_order,
};
use tandem_isa::{Answer, Code, Edition, Facts, State, Step, Target};
use tandem_twin::site::{SiteKind, Twist};
use tandem_twin::site_of;

use crate::parts::{instruction, recalling};

/// What a campaign finds in MOVA2D of a target, explained.
fn found(make: impl Fn() -> Box<dyn Target> + Send + Sync + 'static) -> Vec<Finding> {
    let (isa, mova2d) = instruction("tensix-wh/mova2d");
    let one = isa.with_targets(vec![TargetFactory::new(make)]);
    let unit = (mova2d, Edition::Newest);
    let suite = Suite { isas: vec![one.clone()] };
    let plan = Plan { threads: 2, ..Plan::new(1, Budget::Cases(20_000), vec![unit]) };
    let findings = Campaign::new(&suite, &plan, &Progress::default()).run().findings;
    let source = CaseSource::new(isa.isa, 1);
    Mistakes::of(&one, unit, &source.pools).part(&one, unit, &source, findings, DiagnoseLimits::default(), &|| false)
}

fn only(findings: &[Finding]) -> (&Finding, &Minimized) {
    let [finding] = findings else { panic!("{:?}", findings.iter().map(|one| &one.signature).collect::<Vec<_>>()) };
    assert_eq!(finding.signature.kind, Kind::OrderDependent);
    (finding, finding.minimized.as_ref().expect("it has a smallest case"))
}

/// Right, but for a bit in the first case after five others, which need not follow directly on each other: those whose code
/// ends in 1, 2, 3, 4, 5.
fn after_five(met: &mut u32, step: &Step<'_>, state: &mut State) -> Answer {
    let answer = Right.execute(step, state);
    if *met == 5 {
        *met = 0;
        state.small[0] ^= 1;
    } else if step.code[0] & 7 == *met + 1 {
        *met += 1;
    }
    answer
}

#[test]
fn what_shows_only_after_five_cases_is_found_and_becomes_those_five() {
    let findings = found(|| recalling(after_five));
    let (finding, smallest) = only(&findings);
    assert!(finding.shows && smallest.proven && finding.first.after.len() == 5, "{:?}", finding.first);
    let ends: Vec<u32> = smallest.after.iter().map(|case| case.code[0] & 7).collect();
    let sizes: Vec<usize> = smallest.after.iter().map(CaseValue::size).collect();
    assert_eq!((ends, sizes, smallest.value.size()), (vec![1, 2, 3, 4, 5], vec![1; 5], 0));
}

/// Sites of MOVA2D that read a field.
fn site(field: &str) -> Twist {
    let is_it = |&twist: &Twist| {
        let site = site_of(twist);
        site.kind == SiteKind::Field && site.file.ends_with("mova2d.rs") && site.text.contains(field)
    };
    twist::every().find(is_it).expect("the reference reads it")
}

#[rstest]
#[case("CFG_STATE_ID_StateID")]
#[case("ALU_FORMAT_SPEC_REG_SrcA_override")]
fn what_is_kept_from_the_case_before_is_told(#[case] field: &str) {
    let number = site(field).site;
    let findings = found(move || Box::new(Twisted::new(vec![], Guard::default()).keeping([number].into_iter())));
    let (finding, smallest) = only(&findings);
    assert_eq!(smallest.after.len(), 1);
    let told = finding.explanation.as_ref().expect("it is told");
    assert!(told.rules.iter().any(|rule| rule.contains(field) && rule.contains("kept")), "{told:#?}");
    assert!(told.lines[0].contains(field) && told.lines[0].contains("the case before"), "{told:#?}");
}

#[rstest]
#[case("Config[0].ALU_FORMAT_SPEC_REG_SrcA_override", 1, "the case before")]
#[case("Config[0].ALU_FORMAT_SPEC_REG_SrcA_override", 2, "the case 2 before")]
#[case("ThreadConfig[0].DEST_TARGET_REG_CFG_MATH_Offset", 1, "the case before")]
fn how_a_field_stood_for_an_earlier_case_is_told(#[case] name: &str, #[case] back: usize, #[case] which: &str) {
    let fields = (instruction("tensix-wh/mova2d").0.isa.layout.fields)();
    let field = fields.iter().find(|field| field.name == name).expect("there is such a field");
    let findings = found(move || {
        // Right, but with the field as it stood for an earlier case.
        recalling(move |stood: &mut Vec<u32>, step, state| {
            let own = field.get(&state.small);
            stood.push(own);
            if let Some(earlier) = stood.len().checked_sub(back + 1) {
                field.set(&mut state.small, stood[earlier]);
            }
            let answer = Right.execute(step, state);
            field.set(&mut state.small, own);
            answer
        })
    });
    let (finding, smallest) = only(&findings);
    assert_eq!(smallest.after.len(), back);
    let told = finding.explanation.as_ref().expect("it is told");
    assert!(told.rules.contains(&format!("kept:{name}:before{back}")), "{told:#?}");
    let says = format!("`{name}` stood as it did for {which}");
    assert!(told.lines.iter().any(|line| line.contains(&says)), "{told:#?}");
}

/// What shows in many places only after others is one finding, though no field alone explains it.
#[test]
fn what_is_kept_of_all_fields_is_one_finding() {
    let findings = found(|| {
        recalling(|before: &mut Vec<u8>, step, state| {
            let own = state.small.to_vec();
            if !before.is_empty() {
                state.small.copy_from_slice(before);
            }
            *before = own;
            Right.execute(step, state)
        })
    });
    let (finding, _) = only(&findings);
    assert!(finding.shows && finding.count > 1000, "{}", finding.count);
}

#[test]
fn a_rule_that_is_broken_after_some_cases_is_told() {
    let is_it = |&twist: &Twist| {
        let name = twist::name(twist);
        name.starts_with("mova2d::") && name.contains("flush_denormals") && name.ends_with(": never")
    };
    let twist = twist::every().find(is_it).expect("it is a condition");
    let guard = || Guard { after: Some(3), ..Guard::default() };
    let findings = found(move || Box::new(Twisted::new(vec![twist], guard())));
    let (finding, smallest) = only(&findings);
    assert_eq!(smallest.after.len(), 1);
    let told = finding.explanation.as_ref().expect("it is told");
    assert!(told.rules.contains(&twist::name(twist)), "{told:#?}");
}

#[test]
fn what_no_rule_explains_is_made_small_and_not_told() {
    let findings = found(|| tandem_faults::target(Some("after-code")).expect("the fault exists"));
    let (finding, smallest) = only(&findings);
    assert_eq!((smallest.after.len(), finding.explanation.as_ref()), (1, None));
}

#[test]
fn who_asks_for_an_explanation_is_told_of_order() {
    let (isa, mova2d) = instruction("tensix-wh/mova2d");
    let one = isa.with_targets(vec![TargetFactory::new(|| recalling(after_five))]);
    let (unit, source) = ((mova2d, Edition::Newest), CaseSource::new(isa.isa, 1));
    let limits = DiagnoseLimits { cases: 2_000, ..DiagnoseLimits::default() };
    let diagnosis = Mistakes::of(&one, unit, &source.pools).explain(&one, unit, &source, &limits, &|| false);
    assert!(diagnosis.causes.is_empty() && diagnosis.diverging == 0);
    let seen = diagnosis.in_order.expect("something differed");
    let finding = find_in_order(&one, unit, &source, &seen, &|| false).expect("it is found again");
    assert_eq!(finding.minimized.expect("it became smaller").after.len(), 5);
}

/// What the bit that chooses a bank of configuration was for the first step, and for the last one.
type Banks = Option<(u32, u32)>;

/// Right, but that this step has the bit as it was for one of those before, if there is one.
fn misled(
    banks: &mut Banks,
    step: &Step<'_>,
    state: &mut State,
    old: impl Fn(&Facts, (u32, u32)) -> Option<u32>,
) -> Answer {
    let fields = (state.layout.fields)();
    let named = |name: &str| fields.iter().find(|field| field.name == name).expect("the chip has it");
    let thread = named("CurrentThread").get(&state.small);
    let field = named(&format!("ThreadConfig[{thread}].CFG_STATE_ID_StateID"));
    let own = field.get(&state.small);
    let before = banks.unwrap_or((own, own));
    *banks = Some((before.0, own));
    let Some(old) = old(step.instruction, before) else { return Right.execute(step, state) };
    field.set(&mut state.small, old);
    let answer = Right.execute(step, state);
    if field.get(&state.small) == old {
        field.set(&mut state.small, own);
    }
    answer
}

/// Why a target goes wrong in the second of two steps, by their paths and texts.
fn told_of(steps: [(&str, &str); 2], make: impl Fn() -> Box<dyn Target> + Send + Sync + 'static) -> Vec<String> {
    let [first, last] = steps.map(|(path, text)| {
        let (_, instruction) = instruction(path);
        NextStep { instruction, code: instruction.parse(text).expect("it is an instruction") }
    });
    let (isa, _) = instruction(steps[0].0);
    let one = isa.with_targets(vec![TargetFactory::new(make)]);
    let program = CaseValue::base(isa.isa, first.instruction, Edition::Newest).with_steps(&[first, last]);
    let source = CaseSource::new(isa.isa, 1);
    let mistakes = |instruction| Mistakes::of(&one, (instruction, Edition::Newest), &source.pools);
    let of_others = |other| Box::new(mistakes(other)) as Box<dyn Dictionary>;
    let told = explain_in_program(&one, &source, &program, &mistakes(last.instruction), &of_others, &|| false);
    told.map(|told| told.lines).unwrap_or_default()
}

/// Why a target goes wrong in `RMWCIB0` behind `SETC16`, which chooses the other bank.
fn told_of_a_program(old: fn(&Facts, (u32, u32)) -> Option<u32>) -> Vec<String> {
    let steps = [("tensix-bh/setc16", "TT_SETC16(0, 1)"), ("tensix-bh/rmwcib0", "TT_RMWCIB0(255, 255, 1)")];
    told_of(steps, move || recalling(move |banks: &mut Banks, step, state| misled(banks, step, state, old)))
}

#[test]
fn who_reads_what_was_there_before_another_step_is_told_with_its_line() {
    let lines = told_of_a_program(|one, (first, _)| (one.file == "rmwcib0").then_some(first));
    assert!(lines[0].contains("in the step before (page bh-rmwcib, line 27)"), "{lines:#?}");
}

#[test]
fn who_writes_what_no_step_behind_it_sees_is_told_with_its_line() {
    let lines = told_of_a_program(|one, (_, last)| (one.file != "setc16").then_some(last));
    assert!(lines[0].contains("for what comes behind `SETC16`"), "{lines:#?}");
    assert!(lines[0].ends_with("were not done (page bh-setc16, line 22)"), "{lines:#?}");
}

#[test]
fn who_goes_right_behind_other_steps_is_told_of_nothing() {
    assert!(told_of_a_program(|_, _| None).is_empty());
}

/// Of the step before: where it began, and its code.
type Begun = Option<(Vec<u8>, Vec<u8>, NextStep)>;

/// Right, but that what `SFPLOADI` does is done only behind the next step.
fn hands_on_late(begun: &mut Begun, step: &Step<'_>, state: &mut State) -> Answer {
    let before = begun.take();
    let (_, sfploadi) = instruction("tensix-wh/sfploadi");
    if step.instruction.index == sfploadi.index {
        let code = Code::new(step.code);
        *begun = Some((state.small.to_vec(), state.arena.to_vec(), NextStep { instruction: sfploadi, code }));
    }
    let Some((small, arena, late)) = before else { return Right.execute(step, state) };
    state.small.copy_from_slice(&small);
    state.arena.copy_from_slice(&arena);
    let answer = Right.execute(step, state);
    let _ = Right.execute(&late.under(step.edition), state);
    answer
}

#[test]
fn what_is_handed_on_too_late_is_told() {
    let steps = [("tensix-wh/sfploadi", "TT_SFPLOADI(1, 0, 16256)"), ("tensix-wh/sfpmov", "TT_SFPMOV(0, 1, 2, 0)")];
    let lines = told_of(steps, || recalling(hands_on_late));
    assert!(
        lines.iter().any(|line| line.contains("what the step before does were done only behind this one")),
        "{lines:#?}"
    );
}
