//! Names of runs of rows and of fields, written and read back.

use std::ops::Range;

use tandem_isa::{Bank, Layout};

/// The rows of one bank that a name means: `Bank[0][39]` is one row, `Bank[0][32..40]` are eight. Indices are decimal,
/// without leading zeros; a run has at least two rows and stays within one value of the outer indices.
#[must_use]
pub fn rows_named(layout: &Layout, name: &str) -> Option<(usize, Range<usize>)> {
    let (bank_name, indices) = name.split_at(name.find('[')?);
    let bank = layout.bank_named(bank_name)?;
    let spec = &layout.banks[bank];
    let extents = spec.extents();
    let mut rest = indices;
    let mut rows = 0..1;
    for (place, &extent) in extents.iter().enumerate() {
        let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
        let index = match index.split_once("..") {
            Some((first, end)) if place + 1 == extents.len() => {
                let (first, end) = (decimal(first)?, decimal(end)?);
                (end > first + 1).then_some(first..end)?
            }
            _ => {
                let index = decimal(index)?;
                index..index + 1
            }
        };
        if index.end > extent {
            return None;
        }
        rows = rows.start * extent + index.start..rows.start * extent + index.end;
        rest = behind;
    }
    rest.is_empty().then_some((bank, rows))
}

/// A number of at most four digits, without leading zeros.
fn decimal(digits: &str) -> Option<usize> {
    let plain = digits.len() <= 4 && digits.bytes().all(|digit| digit.is_ascii_digit());
    (plain && (digits == "0" || !digits.starts_with('0'))).then(|| digits.parse().ok())?
}

/// Whether the row behind `row` belongs to the same run, that is, has the same outer indices.
pub(super) fn runs_on(bank: &Bank, row: usize) -> bool {
    bank.extents().last().is_some_and(|&extent| !(row + 1).is_multiple_of(extent))
}

/// The name of a run of rows, as [`rows_named`] reads it.
pub(super) fn run_name(bank: &Bank, first: usize, count: usize) -> String {
    let name = bank.row_name(first);
    match name.rfind('[') {
        Some(bracket) if count > 1 => {
            let index = first % bank.extents().last().copied().unwrap_or(1);
            format!("{}[{index}..{}]", &name[..bracket], index + count)
        }
        _ => name,
    }
}

/// The place of the field called `name` in the layout's list.
#[must_use]
pub fn field_named(layout: &Layout, name: &str) -> Option<usize> {
    (layout.fields)().iter().position(|field| field.name == name)
}
