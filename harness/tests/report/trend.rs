//! The page of many reports.

use tandem_harness::report::history::signatures;
use tandem_harness::report::html::trend;

use crate::sample;

#[test]
fn the_page_has_a_line_for_each_run_finding_and_instruction_and_no_markup_of_others() {
    let first = sample::report();
    let mut last = first.clone();
    last.result.findings.clear();
    last.result.units[0].diverged = 1;
    let page = trend(&[("<b>one".to_string(), first.clone()), ("two".to_string(), last)]);
    assert!(page.contains("&lt;b&gt;one") && !page.contains("<b>one"));
    let signatures = signatures(&first.result.findings).len();
    assert!(signatures > 0);
    assert_eq!(page.matches(">closed</td>").count(), signatures);
    assert!(
        page.contains(&format!("<td class=\"number\">0</td><td class=\"number\">{signatures}</td>")),
        "born, closed"
    );
    assert_eq!(page.matches("<polyline").count(), first.result.units.len());
    assert!(page.contains("<circle"));
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"));
}
