//! The answers to what users keep asking: complete, made by the reference, and each with a command that shows it.

use std::collections::BTreeSet;
use std::sync::Arc;

use tandem::answers::{self, Answer, Topic};
use tandem::wiring;
use tandem_faults::twist;
use tandem_harness::report::CaseText;
use tandem_harness::{CaseId, CaseValue, IsaSuite, Minimizer, Suite, take_value};
use tandem_isa::tensix::Chip;
use tandem_twin::Twin;

use crate::program::{ended, run};

/// Few cases are drawn here: tables have the same rows, and fewer fields and differences in them.
fn all_of(suite: &Suite, topic: Topic) -> Vec<Answer> {
    answers::of(suite, topic, &|_| true, 4)
}

/// The case of a command, if it is one of a case.
fn case_of(suite: &Suite, command: &[String]) -> Option<(CaseValue, IsaSuite)> {
    let [verb, what, ..] = command else { panic!("{command:?}") };
    match CaseId::parse(what, suite) {
        Ok((id, isa)) => Some((take_value(&isa, &id, &mut |_| false), isa)),
        Err(_) if verb == "replay" => {
            Some(what.parse::<CaseText>().expect("a case in a line").read(suite).expect("its names exist"))
        }
        Err(_) => None,
    }
}

#[test]
fn every_instruction_has_answers_and_what_shows_them_runs() {
    let suite = wiring::suite();
    let tables: Vec<Answer> = Topic::ALL.into_iter().flat_map(|topic| all_of(&suite, topic)).collect();
    for isa in suite.isas.iter().filter(|isa| Chip::named(isa.isa.name).is_some()) {
        for one in isa.isa.instructions {
            let own = || tables.iter().filter(|answer| (answer.isa, answer.instruction) == (one.isa, one.file));
            let topics: BTreeSet<&str> = own().map(|answer| answer.topic).collect();
            assert_eq!(topics.len(), Topic::ALL.len(), "{}: {topics:?}", one.path());
            // What reads a datum in a format is asked for special ones.
            let says = own().find(|answer| answer.says == "computes on no number");
            let computes = ["sfpmad", "sfpiadd", "sfpcast", "mvmul", "elwadd", "mova2d", "sfpload", "sfpstore"];
            assert!(says.is_none() || !computes.contains(&one.file), "{}: {says:?}", one.path());
        }
    }
    let says = |answer: &&Answer| !answer.says.is_empty() && !answer.word.is_empty();
    assert!(tables.iter().all(|answer| says(&answer)));
    // A sample over all tables: each case runs on the reference and on a target, which agree.
    let mut replayed = 0;
    for command in tables.iter().flat_map(|answer| &answer.shown).step_by(97) {
        let Some((case, isa)) = case_of(&suite, command) else {
            assert!(["rules", "tile"].contains(&&*command[0]), "{command:?}");
            continue;
        };
        let differences = Minimizer::new(&isa, &isa.targets[0]).run(&case);
        assert!(differences.is_none_or(|differences| differences.is_empty()), "{command:?}");
        replayed += 1;
    }
    assert!(replayed > 40, "{replayed}");
    // The commands themselves, a few of each topic: what breaks a rule ends with 10.
    for topic in Topic::ALL {
        let own = tables.iter().filter(|answer| answer.topic == topic.name()).flat_map(|answer| &answer.shown);
        for command in own.step_by(701) {
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let (code, out, error) = run(&arguments);
            assert!(code == 0 || code == 10 && topic == Topic::Waits, "{command:?}: {out}{error}");
        }
    }
}

/// The reference with something done wrong answers otherwise, and with nothing done wrong the same.
#[test]
fn answers_are_what_the_reference_does() {
    let of = |twists: Vec<tandem_twin::site::Twist>, topic: Topic| {
        let mut suite = wiring::references();
        for isa in &mut suite.isas {
            let twists = twists.clone();
            isa.reference = Arc::new(move || Box::new(Twin::new(twists.clone(), Default::default())));
        }
        answers::of(&suite, topic, &|one| one.file == "sfpabs", 2)
    };
    let twists: Vec<_> = twist::every().filter(|&one| twist::name(one).contains("sfpabs")).collect();
    assert!(!twists.is_empty());
    for topic in [Topic::Integers, Topic::Specials, Topic::Fields, Topic::Chips] {
        let right = answers::of(&wiring::references(), topic, &|one| one.file == "sfpabs", 2);
        assert_eq!(of(Vec::new(), topic), right);
        let changed = twists.iter().filter(|&&twist| of(vec![twist], topic) != right).count();
        assert!(changed > 0 || topic == Topic::Chips, "{}: none of {} twists shows", topic.name(), twists.len());
    }
}

#[test]
fn answers_are_printed_in_each_form() {
    let (text, _) = ended(run(&["answers", "integers", "tensix-wh/sfpiadd"]), 0);
    assert!(text.contains("two's complement") && text.contains("wraps") && text.contains("tandem replay"), "{text}");
    let (text, _) = ended(run(&["answers", "waits", "tensix-wh/sfpiadd", "--csv"]), 0);
    assert!(text.contains("disputed") && text.contains("no rule known"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("answers.html");
    let page = page.to_str().expect("a plain name");
    ended(run(&["answers", "all", "sfpnot", "--html", page]), 0);
    let html = std::fs::read_to_string(page).expect("it was written");
    assert!(Topic::ALL.iter().all(|topic| html.contains(&format!("<section id=\"{}\">", topic.name()))));
    assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"), "nothing is fetched");
}
