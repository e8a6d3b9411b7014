//! The report as JUnit has it.

use tandem_harness::report::junit::xml;

use crate::sample;

#[test]
fn classes_and_findings_are_test_cases() {
    let report = sample::report();
    let xml = xml(&report, true);
    let parsed = quick_junit::Report::deserialize_from_str(&xml).expect("it is JUnit");
    assert_eq!(parsed.test_suites.len(), report.result.units.len() + 1);
    let suite = &parsed.test_suites[0];
    assert_eq!(suite.test_cases.len(), report.result.units[0].classes.len() + 1);
    assert!(xml.contains(&report.result.findings[0].replay), "{xml}");
}

#[test]
fn a_failure_says_what_failed_where_and_by_which_case() {
    let mut report = sample::report();
    let finding = report.result.findings[0].clone();
    let smallest = finding.minimized.as_ref().expect("it has a smallest case");
    for unit in &mut report.result.units {
        // So it is with what shows in some order only.
        unit.classes.iter_mut().for_each(|class| class.diverged = 0);
    }
    let text = xml(&report, true);
    let parsed = quick_junit::Report::deserialize_from_str(&text).expect("it is JUnit");
    let all = || parsed.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let failures: Vec<String> =
        all().map(|case| format!("{:?}", case.status)).filter(|it| it.contains("divergence")).collect();
    assert!(failures.len() > 1, "{text}");
    assert!(!text.contains("\"0 of "), "{text}");
    for failure in failures.iter().filter(|failure| !failure.contains("tests diverged")) {
        for wanted in [&finding.signature.kind, &finding.signature.place, &smallest.text, "in cells "] {
            assert!(failure.contains(wanted), "{wanted}: {failure}");
        }
    }
}

#[test]
fn what_is_not_offered_is_no_success() {
    let report = sample::partial();
    let text = xml(&report, true);
    let parsed = quick_junit::Report::deserialize_from_str(&text).expect("it is JUnit");
    let suite = &parsed.test_suites[0];
    // Of one of the cells that are refused nothing says why.
    let cells = report.result.units[0].counts.unsupported;
    let class = report.result.units[0].classes.iter().find(|class| class.counts.unsupported > 0);
    let all = class.expect("one is refused").counts.cells;
    let refused = format!("nothing is answered: {cells} of {all} cells are unsupported; {} where mode = 3", cells - 1);
    assert!(suite.name.as_str().ends_with(" partial"), "{text}");
    assert_eq!(suite.properties.len(), 3);
    assert!(text.contains(&refused), "{text}");
    let refusing = xml(&sample::refusing(), false);
    let parsed = quick_junit::Report::deserialize_from_str(&refusing).expect("it is JUnit");
    assert_eq!(parsed.test_suites[0].skipped, parsed.test_suites[0].tests, "{refusing}");
    assert!(refusing.contains("the target refused every specified case"), "{refusing}");
}

#[test]
fn known_findings_do_not_fail() {
    let mut report = sample::report();
    report.result.findings[0].known = vec!["K-1".to_string()];
    let text = xml(&report, false);
    let parsed = quick_junit::Report::deserialize_from_str(&text).expect("it is JUnit");
    assert_eq!(parsed.test_suites[0].failures, 0, "{text}");
    assert!(text.contains("known: K-1"), "{text}");
}

#[test]
fn holes_fail_only_when_asked_to() {
    let mut report = sample::report();
    report.result.findings.clear();
    report.result.vectors = None;
    for unit in &mut report.result.units {
        unit.classes.iter_mut().for_each(|class| class.diverged = 0);
    }
    assert!(report.result.units.iter().any(|unit| unit.counts.holes > 0));
    let failures = |holes_fail| {
        let text = xml(&report, holes_fail);
        quick_junit::Report::deserialize_from_str(&text).expect("it is JUnit").failures
    };
    assert_eq!(failures(false), 0);
    assert!(failures(true) > 0);
}

#[test]
fn counts_and_texts_read_back() {
    let report = sample::report();
    let parsed = quick_junit::Report::deserialize_from_str(&xml(&report, true)).expect("it is JUnit");
    assert_eq!(parsed.tests, parsed.test_suites.iter().map(|suite| suite.test_cases.len()).sum::<usize>());
    assert_eq!(parsed.failures, parsed.test_suites.iter().map(|suite| suite.failures).sum::<usize>());
    assert!(parsed.failures > 0);
    let units = report.result.units.iter();
    for (suite, unit) in parsed.test_suites.iter().zip(units) {
        let names: Vec<&str> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
        assert!(unit.classes.iter().all(|class| names.contains(&&*class.name)), "{names:?}");
    }
}

#[test]
fn hostile_strings_stay_text() {
    let report = sample::hostile();
    let xml = xml(&report, false);
    assert!(!xml.contains("<script>") && !xml.contains('\x1b'), "{xml}");
    let parsed = quick_junit::Report::deserialize_from_str(&xml).expect("it is JUnit");
    let names: Vec<&str> =
        parsed.test_suites.iter().flat_map(|suite| suite.test_cases.iter().map(|case| case.name.as_str())).collect();
    assert!(names.iter().any(|name| name.contains("<script>")), "{names:?}");
}
