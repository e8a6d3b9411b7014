//! JUnit XML, for services that show test results: a suite for each instruction, edition and, where it may refuse cases,
//! implementation. Its properties are the figures that always stand together: passed, answered, specified.
//!
//! A test case for each class of cells, one for each finding that was seen there, and one for each file of vectors.
//! Classes whose cells cannot be compared, or of which nothing is answered, are skipped; known findings, and the classes that they were met in, are
//! skipped with their ids.

use std::fmt::Write;

use super::model::{ClassPart, FindingPart, Report, SeenPart, SignaturePart, UnitPart, VectorsPart};
use super::offer::{lines, rules_of_class, three};
use super::text::{counted, ranges, shortened, visible};
use crate::vectors::Column;

/// The report as JUnit XML. With `holes_fail` a class with open cells fails, else it is skipped.
#[must_use]
pub fn xml(report: &Report, holes_fail: bool) -> String {
    let result = &report.result;
    let units = result.units.iter().map(|unit| unit_suite(unit, &result.findings, holes_fail));
    let suites: Vec<Suite> = units.chain(result.vectors.as_ref().map(vectors_suite)).collect();
    let sum = |of: fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_string();
    let seconds = report.run.elapsed_seconds;
    write!(
        xml,
        "<testsuites name=\"tandem\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{seconds:.3}\">\n{}</testsuites>\n",
        sum(|suite| suite.cases.len()),
        sum(|suite| suite.count(Case::has_failed)),
        suites.iter().map(Suite::xml).collect::<String>()
    )
    .expect("memory takes everything");
    xml
}

/// Test cases that belong together.
struct Suite {
    name: String,
    properties: Vec<(&'static str, String)>,
    cases: Vec<Case>,
    out: String,
}

/// A test case.
struct Case {
    name: String,
    status: Status,
}

/// How a test case ended.
enum Status {
    Passed,
    Skipped(String),
    Failed {
        /// What kind of failure it is.
        kind: &'static str,
        message: String,
        description: String,
    },
}

impl Case {
    fn has_failed(&self) -> bool {
        matches!(self.status, Status::Failed { .. })
    }

    fn is_skipped(&self) -> bool {
        matches!(self.status, Status::Skipped(_))
    }

    fn xml(&self, suite: &str) -> String {
        let open = format!("        <testcase name=\"{}\" classname=\"{}\"", escaped(&self.name), escaped(suite));
        match &self.status {
            Status::Passed => format!("{open}/>\n"),
            Status::Skipped(message) => {
                format!("{open}>\n            <skipped message=\"{}\"/>\n        </testcase>\n", escaped(message))
            }
            Status::Failed { kind, message, description } => format!(
                "{open}>\n            <failure message=\"{}\" type=\"{kind}\">{}</failure>\n        </testcase>\n",
                escaped(message),
                escaped(description)
            ),
        }
    }
}

impl Suite {
    fn count(&self, of: fn(&Case) -> bool) -> usize {
        self.cases.iter().filter(|case| of(case)).count()
    }

    fn xml(&self) -> String {
        let mut xml = format!(
            "    <testsuite name=\"{}\" tests=\"{}\" skipped=\"{}\" errors=\"0\" failures=\"{}\">\n",
            escaped(&self.name),
            self.cases.len(),
            self.count(Case::is_skipped),
            self.count(Case::has_failed)
        );
        if !self.properties.is_empty() {
            let property =
                |(name, value): &(&str, String)| format!("            <property name=\"{name}\" value=\"{value}\"/>\n");
            let properties: String = self.properties.iter().map(property).collect();
            xml += &format!("        <properties>\n{properties}        </properties>\n");
        }
        xml.extend(self.cases.iter().map(|case| case.xml(&self.name)));
        if !self.out.is_empty() {
            xml += &format!("        <system-out>{}</system-out>\n", escaped(&self.out));
        }
        xml + "    </testsuite>\n"
    }
}

/// A text as XML has it, in which nothing is markup. Line ends stay what they are; other control characters were made visible.
fn escaped(text: &str) -> String {
    let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&apos;")];
    entities.iter().fold(text.to_string(), |xml, (letter, entity)| xml.replace(letter, entity))
}

fn unit_suite(unit: &UnitPart, findings: &[FindingPart], holes_fail: bool) -> Suite {
    let offer: Vec<String> = lines(unit).iter().map(|line| visible(line)).collect();
    let figures = ["passed", "answered", "specified"].into_iter().zip(three(unit).map(|count| count.to_string()));
    let mut suite =
        Suite { name: visible(&unit.title()), properties: figures.collect(), cases: Vec::new(), out: offer.join("\n") };
    let here: Vec<(&FindingPart, &SeenPart)> = findings
        .iter()
        .filter(|finding| unit.concerns(&finding.signature))
        .filter_map(|finding| Some((finding, finding.seen.iter().find(|seen| seen.edition == unit.edition)?)))
        .collect();
    for class in &unit.classes {
        let met: Vec<_> = here.iter().filter(|(_, seen)| seen.classes.contains(&class.name)).copied().collect();
        let status = class_status(unit, class, &met, holes_fail);
        suite.cases.push(Case { name: visible(&class.name), status });
    }
    for (finding, seen) in here {
        let signature = &finding.signature;
        let title = format!("finding: {} {} {}", signature.target, signature.place, signature.kind);
        suite.cases.push(Case { name: visible(&title), status: finding_status(finding, seen) });
    }
    suite
}

/// How a class ended. A divergence fails it unless every finding that was met in it is known.
fn class_status(unit: &UnitPart, class: &ClassPart, met: &[(&FindingPart, &SeenPart)], holes_fail: bool) -> Status {
    let counts = &class.counts;
    if unit.targets.is_empty() {
        return skipped("no target implements the instruction");
    }
    if class.diverged > 0 || !met.is_empty() {
        let message = diverged(class, met);
        if met.is_empty() || met.iter().any(|(finding, _)| finding.is_new()) {
            let lines: Vec<String> = met.iter().map(|(finding, seen)| found(finding, seen)).collect();
            return failed("divergence", &message, &lines.join("\n"));
        }
        let known: Vec<String> = met.iter().flat_map(|(finding, _)| finding.known.iter().cloned()).collect();
        return skipped(&visible(&format!("known ({}): {message}", known.join(", "))));
    }
    if counts.holes > 0 {
        let message = format!(
            "{} of {} cells are open: neither passed nor undefined ({} unsupported)",
            counts.holes, counts.cells, counts.unsupported
        );
        return if holes_fail { failed("open", &message, "") } else { skipped(&message) };
    }
    if counts.cited == counts.cells {
        return skipped("the pages specify nothing for these cells");
    }
    if counts.disputed > 0 && counts.green + counts.blocked == 0 {
        let message = format!("{} of {} cells differ only in what is disputed", counts.disputed, counts.cells);
        return skipped(&visible(&format!("{message} ({})", unit.disputes.join(", "))));
    }
    // What a target refuses was not shown to be right, whatever else agreed.
    if counts.unsupported > 0 && counts.unsupported + counts.cited == counts.cells {
        return skipped(&refused(unit, class));
    }
    Status::Passed
}

/// What went wrong in a class, in one line. What shows only in some order, or while a target is found out, leaves no cell divergent.
fn diverged(class: &ClassPart, met: &[(&FindingPart, &SeenPart)]) -> String {
    let cells = |(finding, seen): &(&FindingPart, &SeenPart)| {
        let SignaturePart { place, kind, .. } = &finding.signature;
        let place = if place == "-" { String::new() } else { format!(" of {place}") };
        format!("{kind}{place}, met in {}", counted(seen.cells.len() as u64, "cell"))
    };
    let mut parts: Vec<String> = met.iter().map(cells).collect();
    if class.diverged > 0 {
        parts.insert(0, format!("{} of {} cells diverged", class.diverged, class.counts.cells));
    }
    visible(&parts.join("; "))
}

/// What a finding is: where it was met, and its smallest case.
fn found(finding: &FindingPart, seen: &SeenPart) -> String {
    let cells = shortened(&ranges(&seen.cells));
    let smallest = match (&finding.minimized, &finding.stored) {
        (Some(smallest), _) => format!("smallest case: {}", smallest.text),
        (None, Some(stored)) => format!("first case: {}, code {}", finding.first, stored.code.join(" ")),
        (None, None) => format!("first case: {}", finding.first),
    };
    let lines = [
        format!("{}: {} in cells {cells}", finding.signature, counted(finding.cases, "case")),
        smallest,
        format!("replay: {}", finding.replay),
    ];
    lines.map(|line| visible(&line)).join("\n")
}

/// How much of a class is refused, and by which rules.
fn refused(unit: &UnitPart, class: &ClassPart) -> String {
    let mut message =
        format!("nothing is answered: {} of {} cells are unsupported", class.counts.unsupported, class.counts.cells);
    for (when, cells) in rules_of_class(unit, &class.name) {
        message.push_str(&format!("; {cells} where {when}"));
    }
    visible(&message)
}

fn finding_status(finding: &FindingPart, seen: &SeenPart) -> Status {
    if !finding.is_new() {
        return skipped(&visible(&format!("known: {}", finding.known.join(", "))));
    }
    let explanation = finding.explanation.iter().map(|line| visible(line));
    let lines: Vec<String> = std::iter::once(found(finding, seen)).chain(explanation).collect();
    failed("divergence", &visible(&finding.signature.to_string()), &lines.join("\n"))
}

fn vectors_suite(vectors: &VectorsPart) -> Suite {
    let mut suite =
        Suite { name: "vectors".to_string(), properties: Vec::new(), cases: Vec::new(), out: String::new() };
    for file in &vectors.list {
        let columns = &file.columns;
        let [tests, missing] = [columns.tests(), columns.of(Column::Missing)];
        let status = if file.divergent.is_empty() && missing > 0 {
            let cells = format!("in cells {}", shortened(&ranges(&file.missing_cells)));
            failed("missing", &format!("{missing} of {tests} tests have no answer"), &cells)
        } else if file.divergent.is_empty() && !file.known.is_empty() {
            skipped(&format!("{} of {tests} tests diverged as is known", file.known.len()))
        } else if file.divergent.is_empty() && columns.answered() == 0 {
            let where_they_are = Column::ALL.into_iter().filter(|&one| columns.of(one) > 0);
            let counts: Vec<String> = where_they_are.map(|one| format!("{} {}", columns.of(one), one.name())).collect();
            skipped(&format!("nothing was shown, of {tests} tests: {}", counts.join(", ")))
        } else if file.divergent.is_empty() {
            Status::Passed
        } else {
            let of_file = vectors.findings.iter().filter(|finding| finding.files.contains(&file.file));
            let mut lines: Vec<String> = of_file.map(|finding| visible(&finding.line())).collect();
            lines.extend(file.reference.iter().map(|line| visible(line)));
            let message = format!("{} of {tests} tests diverged", file.divergent.len());
            failed("divergence", &message, &lines.join("\n"))
        };
        suite.cases.push(Case { name: visible(&file.file), status });
    }
    suite
}

fn failed(kind: &'static str, message: &str, description: &str) -> Status {
    Status::Failed { kind, message: message.to_string(), description: description.to_string() }
}

fn skipped(message: &str) -> Status {
    Status::Skipped(message.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_markup_is_escaped() {
        assert_eq!(escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&apos;");
    }
}
