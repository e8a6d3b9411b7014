//! Files for `$readmemh`: a word a line, row by row, with the address and a comment where something begins.

use std::fmt::Write;

use super::table::Table;
use super::{PLAIN_VERSION, Plain};

pub(super) fn files(plain: &Plain<'_>) -> Vec<(String, Vec<u8>)> {
    let tables = plain.tables();
    let sizes = ("sizes.vh".to_string(), sizes(plain, &tables).into_bytes());
    let files = tables.iter().map(|table| (format!("{}.hex", table.kind.name), words(table).into_bytes()));
    files.chain([sizes]).collect()
}

/// One table. Addresses count words.
fn words(table: &Table) -> String {
    let kind = table.kind;
    let names: Vec<&str> = kind.columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("// {}: {}\n// columns: {}\n", kind.name, kind.what, names.join(", "));
    let mut marks = table.marks().peekable();
    for (number, row) in table.rows().enumerate() {
        if let Some((at, what)) = marks.next_if(|(at, _)| *at == number) {
            writeln!(text, "@{:x} // {what}", at * names.len()).expect("writing to a string succeeds");
        }
        for value in row {
            writeln!(text, "{value:08x}").expect("writing to a string succeeds");
        }
    }
    text
}

/// For each table its number of rows, the words from a row to the next, and the number of each column.
fn sizes(plain: &Plain<'_>, tables: &[&Table]) -> String {
    let mut text = format!("// {}\n", plain.title());
    let mut constant = |name: &str, value: usize| {
        writeln!(text, "localparam {} = {value};", name.to_uppercase()).expect("writing to a string succeeds");
    };
    constant("PLAIN_VERSION", usize::try_from(PLAIN_VERSION).expect("a version is small"));
    for table in tables {
        let (name, columns) = (table.kind.name, table.kind.columns);
        constant(&format!("num_{name}"), table.len());
        constant(&format!("stride_{name}"), columns.len());
        for (number, (column, _)) in columns.iter().enumerate() {
            constant(&format!("{name}_{column}"), number);
        }
    }
    text
}
