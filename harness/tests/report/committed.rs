//! The reports that are kept in the repository.

use tandem_harness::report::committed::{all, errata_markdown, matrix_markdown, statements_file, statements_markdown};
use tandem_harness::report::model::UnwitnessedPart;

use crate::sample;

fn columns(line: &str) -> usize {
    line.replace("\\|", "").matches('|').count()
}

#[test]
fn committed_reports_hold_results_alone() {
    let report = sample::report();
    for (name, text) in all(&sample::suite(), &report.result) {
        assert!(text.starts_with("<!-- Generated"), "{name}");
        assert!(!text.contains(&report.run.cpu), "{name} names the CPU");
        assert!(text.ends_with('\n'), "{name}");
    }
}

#[test]
fn the_matrix_lists_every_class_and_what_is_unwitnessed() {
    let result = sample::report().result;
    let text = matrix_markdown(&sample::suite().isas[0], &result);
    for unit in &result.units {
        for class in &unit.classes {
            let row = format!("| {} | {} | {} | ", class.name, unit.edition, class.counts.cells);
            assert!(text.contains(&row), "{row}");
        }
    }
    let unwitnessed: Vec<&UnwitnessedPart> = result.units.iter().flat_map(|unit| &unit.unwitnessed).collect();
    assert!(!unwitnessed.is_empty());
    for one in unwitnessed {
        assert!(text.contains(&format!("`{}`", one.axis)), "{}", one.axis);
    }
}

#[test]
fn every_erratum_and_every_statement_has_its_place() {
    let errata = errata_markdown(&[sample::ISA]);
    for erratum in sample::ISA.errata {
        assert!(errata.contains(&format!("\n## {}\n", erratum.id)), "{}", erratum.id);
        assert!(!erratum.evidence.is_empty(), "{} has evidence", erratum.id);
    }
    let suite = sample::suite();
    let suite = &suite.isas[0];
    let mut listed = 0;
    for instruction in sample::ISA.instructions {
        let statements = (suite.statements)(instruction);
        assert_eq!(statements_file(suite, instruction).is_some(), !statements.is_empty());
        let text = statements_markdown(suite, instruction);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ") && !line.contains("---")).collect();
        assert_eq!(rows.len(), statements.len() + 1);
        assert!(rows.iter().all(|row| columns(row) == 6), "{rows:#?}");
        listed += statements.len();
    }
    assert!(listed > 2);
    let rows = errata.lines().filter(|line| line.starts_with("| "));
    assert!(rows.clone().count() > sample::ISA.errata.len());
    assert!(rows.clone().all(|row| columns(row) == 6), "{errata}");
}
