//! Each fault is an error exactly where the catalogue says, names what it writes, and survives every case.

mod cases;

use std::collections::BTreeSet;

use tandem_faults::tensix::{Flaw, TensixPlain};
use tandem_faults::{FaultKind, catalogue, target};
use tandem_isa::tensix::WORMHOLE;
use tandem_isa::{Answer, Edition, State};

use cases::Case;

/// Some four times what the rarest fault needs.
const CASES: u64 = 6_000;

/// What the plain implementation gives for a case.
struct Expected {
    case: Case,
    answer: Answer,
    after: State,
}

fn expected(edition: Edition) -> impl Iterator<Item = Expected> {
    (0..CASES).filter_map(move |index| cases::promised_case(edition, index)).map(|case| {
        let mut after = WORMHOLE.base_state();
        let answer = case.run(&mut TensixPlain::new(None), &mut after);
        Expected { case, answer, after }
    })
}

#[test]
fn each_fault_is_wrong_exactly_in_the_editions_that_it_names() {
    for edition in Edition::ALL {
        let mut faulty: Vec<_> = Flaw::ALL.iter().map(|&flaw| (flaw, TensixPlain::new(Some(flaw)), None)).collect();
        let mut state = WORMHOLE.base_state();
        let mut num_cases = 0_u64;
        for Expected { case, answer, after } in expected(edition) {
            num_cases += 1;
            // One that has differed is out of the race, except that it must go on surviving now and then.
            for (flaw, target, first) in
                faulty.iter_mut().filter(|(_, _, first)| first.is_none() || num_cases.is_multiple_of(64))
            {
                let given = case.run(target, &mut state);
                if first.is_none() && (given != answer || !cases::same(&state, &after)) {
                    *first = Some(num_cases);
                    assert!(cases::differences_are_marked(&case.before, &state), "{} writes unmarked", flaw.id());
                }
            }
        }
        assert!(num_cases > CASES / 2, "only {num_cases} cases are promised");
        for (flaw, _, first) in &faulty {
            if let Some(first) = first {
                println!("{} {}: case {first}", edition.name(), flaw.id());
            }
            let fault = flaw.fault();
            assert_eq!(
                first.is_some(),
                fault.wrong_in.contains(&edition),
                "{} in {}: first difference in case {first:?}",
                fault.id,
                edition.name(),
            );
        }
    }
}

#[test]
fn no_fault_panics_where_nothing_is_promised() {
    let mut state = WORMHOLE.base_state();
    for edition in Edition::ALL {
        let mut targets: Vec<_> = Flaw::ALL.iter().map(|&flaw| TensixPlain::new(Some(flaw))).collect();
        for index in 0..500 {
            let mut case = cases::case(edition, index);
            case.code[0] |= u32::from(index % 2 == 0) << 12;
            for target in &mut targets {
                let _ = case.run(target, &mut state);
            }
        }
    }
}

#[test]
fn controls_differ_only_where_nothing_is_promised() {
    let mut state = WORMHOLE.base_state();
    let mut after = WORMHOLE.base_state();
    for flaw in [Flaw::ControlPartialClears, Flaw::ControlUnnamedBits] {
        let mut target = TensixPlain::new(Some(flaw));
        let differs = (0..2_000).any(|index| {
            let case = cases::case(Edition::Spec, index);
            let answer = case.run(&mut TensixPlain::new(None), &mut after);
            case.run(&mut target, &mut state) != answer || !cases::same(&state, &after)
        });
        assert!(differs, "{} never differs at all", flaw.id());
    }
}

#[test]
fn ids_are_unique_and_name_their_targets() {
    let ids: BTreeSet<_> = catalogue().iter().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), catalogue().len());
    for fault in catalogue() {
        assert!(fault.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        let target = target(Some(fault.id)).expect("the id is in the catalogue");
        assert_eq!(target.info().name, format!("fault:{}", fault.id));
        assert!(target.implements(WORMHOLE.instructions[0]));
        assert_eq!(fault.hidden(), matches!(fault.kind, FaultKind::Unmarked | FaultKind::Order));
    }
    assert!(target(Some("no-such-fault")).is_none());
    assert_eq!(target(None).expect("the plain target").info().name, "plain");
}

#[test]
fn the_catalogue_is_large_enough() {
    let num_wrong = catalogue().iter().filter(|fault| fault.instruction == "mova2d" && !fault.wrong_in.is_empty());
    assert!(num_wrong.count() >= 36);
}
