//! Cases and differences in words.

use tandem_harness::Difference;
use tandem_harness::report::explain::{explain, explain_difference};
use tandem_isa::Answer;

use crate::sample;

#[test]
fn a_case_is_explained_from_its_instruction_to_what_is_promised() {
    let (suite, case) = (sample::suite(), sample::case());
    let differences = sample::differences();
    let lines = explain(&suite.isas[0], &case, &differences);
    assert!(lines[0].starts_with(&case.instruction.print(&case.code)), "{lines:?}");
    assert_eq!(lines[1], "before: the base state, except");
    let place = differences[0].exact_place(case.isa.layout);
    assert!(lines.iter().any(|line| line.starts_with(&format!("{place}: before 0x"))), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("first differing bit")), "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some("the pages specify: done"));

    let answer = Difference::Answer { expected: Answer::Blocked, got: Answer::Done };
    assert_eq!(explain_difference(&case, &answer), ["answer: expected blocked, got done"]);
    let panic = Difference::Panic("\x1b[1m\nboo".to_string());
    assert_eq!(explain_difference(&case, &panic), ["the target panicked: \\u001b[1m\\nboo"]);
}

#[test]
fn many_differences_are_counted() {
    let (suite, case) = (sample::suite(), sample::case());
    let differences = vec![sample::differences()[0].clone(); 100];
    let lines = explain(&suite.isas[0], &case, &differences);
    let place = differences[0].exact_place(case.isa.layout);
    let shown = lines.iter().filter(|line| line.starts_with(&format!("{place}: before 0x"))).count();
    assert!((1..100).contains(&shown), "{lines:#?}");
    assert!(lines.contains(&format!("and {} more differences", 100 - shown)), "{lines:#?}");
}
