//! A report reads back.

use tandem_harness::report::json::{parse, report as text_of};

use crate::sample;

#[test]
fn a_report_reads_back_and_has_the_promised_keys() {
    let report = sample::report();
    let text = text_of(&report);
    assert_eq!(parse(&text).expect("it was written by us"), report);
    let mut from = 0;
    for key in ["result", "cells", "green", "blocked", "cited", "holes", "cases", "datums", "findings", "run"] {
        let at = text[from..].find(&format!("\"{key}\":"));
        from += at.unwrap_or_else(|| panic!("{key} is missing or out of order"));
    }
    assert!(text[from..].contains("\"levels_not_run\":"));
    assert!(text.starts_with("{\n  \"result\": {\n    \"cells\": "));
}
