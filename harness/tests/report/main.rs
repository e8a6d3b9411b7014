//! Reports and their renderings, of a report made by hand.

mod build;
mod case_text;
mod committed;
mod explain;
mod history;
mod html;
mod json;
mod junit;
mod known;
mod markdown;
mod offer;
mod sample;
mod steering;
mod terminal;
mod trend;

use tandem_harness::report::model::UnitPart;

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}

/// Green, offered and promised cells, as they are shown.
fn figures(unit: &UnitPart) -> [String; 3] {
    [unit.counts.green, unit.offered, unit.promised].map(grouped)
}
