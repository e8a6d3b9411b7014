//! A `.npy` file a table, of version 1.0 of that format.

use super::Plain;
use super::table::Table;

pub(super) fn files(plain: &Plain<'_>) -> Vec<(String, Vec<u8>)> {
    plain.tables().into_iter().map(|table| (format!("{}.npy", table.kind.name), bytes(table))).collect()
}

/// One table: two-dimensional, or one-dimensional if it has one column.
fn bytes(table: &Table) -> Vec<u8> {
    /// The words begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    let shape = match table.kind.columns.len() {
        1 => format!("({},)", table.len()),
        columns => format!("({}, {columns})", table.len()),
    };
    let mut header = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': {shape}, }}");
    // The length of the header stands before it, in two bytes; a line feed ends it.
    let before = file.len() + 2 + header.len() + 1;
    header.push_str(&" ".repeat(before.next_multiple_of(ALIGNMENT) - before));
    header.push('\n');
    file.extend(u16::try_from(header.len()).expect("the header is short").to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(table.bytes());
    file
}
