//! JUnit XML, for services that show test results: a suite for each instruction, edition and, where it may refuse cases,
//! implementation. Its properties are the figures that always stand together: green, offered, promised.
//!
//! A test case for each class of cells, one for each finding that was seen there, and one for each file of vectors.
//! Classes whose cells cannot be compared, or of which nothing is offered, are skipped; known findings, and the classes that they were met in, are
//! skipped with their ids.

use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::model::{ClassPart, FindingPart, Report, SeenPart, UnitPart, VectorsPart};
use super::offer::{lines, rules_of_class, three};
use super::text::visible;

/// The report as JUnit XML. With `holes_fail` a class with holes fails, else it is skipped.
#[must_use]
pub fn xml(report: &Report, holes_fail: bool) -> String {
    let result = &report.result;
    let mut xml = quick_junit::Report::new("tandem");
    if let Ok(time) = Duration::try_from_secs_f64(report.run.elapsed_seconds) {
        xml.set_time(time);
    }
    for unit in &result.units {
        xml.add_test_suite(unit_suite(unit, &result.findings, holes_fail));
    }
    if let Some(vectors) = &result.vectors {
        xml.add_test_suite(vectors_suite(vectors));
    }
    xml.to_string().expect("XML in memory cannot fail")
}

fn unit_suite(unit: &UnitPart, findings: &[FindingPart], holes_fail: bool) -> TestSuite {
    let name = visible(&unit.title());
    let mut suite = TestSuite::new(&name);
    for (figure, count) in ["green", "offered", "promised"].iter().zip(three(unit)) {
        suite.add_property((*figure, &*count.to_string()));
    }
    let offer: Vec<String> = lines(unit).iter().map(|line| visible(line)).collect();
    if !offer.is_empty() {
        suite.set_system_out(offer.join("\n"));
    }
    let here: Vec<(&FindingPart, &SeenPart)> = findings
        .iter()
        .filter(|finding| unit.concerns(&finding.signature))
        .filter_map(|finding| Some((finding, finding.seen.iter().find(|seen| seen.edition == unit.edition)?)))
        .collect();
    for class in &unit.classes {
        let met = here.iter().filter(|(_, seen)| seen.classes.contains(&class.name)).map(|(finding, _)| *finding);
        let status = class_status(unit, class, &met.collect::<Vec<_>>(), holes_fail);
        suite.add_test_case(test_case(&name, &class.name, status));
    }
    for (finding, _) in here {
        let signature = &finding.signature;
        let title = format!("finding: {} {} {}", signature.target, signature.place, signature.kind);
        suite.add_test_case(test_case(&name, &title, finding_status(finding)));
    }
    suite
}

fn test_case(suite: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(visible(name), status);
    case.set_classname(suite);
    case
}

/// How a class ended. A divergence fails it unless every finding that was met in it is known.
fn class_status(unit: &UnitPart, class: &ClassPart, met: &[&FindingPart], holes_fail: bool) -> TestCaseStatus {
    let counts = &class.counts;
    if unit.targets.is_empty() {
        return skipped("no target implements the instruction");
    }
    if class.diverged > 0 || !met.is_empty() {
        let message = format!("{} of {} cells diverged", class.diverged, counts.cells);
        if met.is_empty() || met.iter().any(|finding| finding.is_new()) {
            return failed("divergence", &message, "");
        }
        let known: Vec<String> = met.iter().flat_map(|finding| finding.known.iter().cloned()).collect();
        return skipped(&visible(&format!("known ({}): {message}", known.join(", "))));
    }
    if counts.holes > 0 {
        let message = format!(
            "{} of {} cells are holes: neither agreed on often enough nor cited ({} unsupported)",
            counts.holes, counts.cells, counts.unsupported
        );
        return if holes_fail { failed("hole", &message, "") } else { skipped(&message) };
    }
    if counts.cited == counts.cells {
        return skipped("the pages promise nothing for these cells");
    }
    // What a target refuses was not shown to be right, whatever else agreed.
    if counts.unsupported > 0 && counts.unsupported + counts.cited == counts.cells {
        return skipped(&refused(unit, class));
    }
    TestCaseStatus::success()
}

/// How much of a class is refused, and by which rules.
fn refused(unit: &UnitPart, class: &ClassPart) -> String {
    let mut message =
        format!("nothing is offered: {} of {} cells are unsupported", class.counts.unsupported, class.counts.cells);
    for (when, cells) in rules_of_class(unit, &class.name) {
        message.push_str(&format!("; {cells} where {when}"));
    }
    visible(&message)
}

fn finding_status(finding: &FindingPart) -> TestCaseStatus {
    if !finding.is_new() {
        return skipped(&visible(&format!("known: {}", finding.known.join(", "))));
    }
    let mut lines: Vec<String> = finding.explanation.iter().map(|line| visible(line)).collect();
    lines.push(format!("replay: {}", visible(&finding.replay)));
    failed("divergence", &visible(&finding.signature.to_string()), &lines.join("\n"))
}

fn vectors_suite(vectors: &VectorsPart) -> TestSuite {
    let mut suite = TestSuite::new("vectors");
    for file in &vectors.list {
        let status = if file.divergent.is_empty() && file.known.is_empty() && file.missing == 0 {
            TestCaseStatus::success()
        } else if file.divergent.is_empty() && file.missing == 0 {
            skipped(&format!("{} of {} tests diverged as is known", file.known.len(), file.tests))
        } else if file.divergent.is_empty() {
            failed("missing", &format!("{} of {} tests have no answer", file.missing, file.tests), "")
        } else {
            let of_file = vectors.findings.iter().filter(|finding| finding.files.contains(&file.file));
            let mut lines: Vec<String> = of_file.map(|finding| visible(&finding.line())).collect();
            lines.extend(file.reference.iter().map(|line| visible(line)));
            let message = format!("{} of {} tests diverged", file.divergent.len(), file.tests);
            failed("divergence", &message, &lines.join("\n"))
        };
        suite.add_test_case(test_case("vectors", &file.file, status));
    }
    suite
}

fn failed(kind: &str, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message);
    if !description.is_empty() {
        status.set_description(description);
    }
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

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
    fn what_is_not_offered_is_no_success() {
        let report = sample::partial();
        let text = xml(&report, true);
        let parsed = quick_junit::Report::deserialize_from_str(&text).expect("it is JUnit");
        let suite = &parsed.test_suites[0];
        assert!(suite.name.as_str().ends_with(" partial"), "{text}");
        assert_eq!(suite.properties.len(), 3);
        assert!(text.contains("nothing is offered: ") && text.contains(" where mode = 3"), "{text}");
        let refusing = xml(&sample::refusing(), false);
        let parsed = quick_junit::Report::deserialize_from_str(&refusing).expect("it is JUnit");
        assert_eq!(parsed.test_suites[0].skipped, parsed.test_suites[0].tests, "{refusing}");
        assert!(refusing.contains("every promised case was refused"), "{refusing}");
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
    fn hostile_strings_stay_text() {
        let report = sample::hostile();
        let xml = xml(&report, false);
        assert!(!xml.contains("<script>") && !xml.contains('\x1b'), "{xml}");
        let parsed = quick_junit::Report::deserialize_from_str(&xml).expect("it is JUnit");
        let names: Vec<&str> = parsed
            .test_suites
            .iter()
            .flat_map(|suite| suite.test_cases.iter().map(|case| case.name.as_str()))
            .collect();
        assert!(names.iter().any(|name| name.contains("<script>")), "{names:?}");
    }
}
