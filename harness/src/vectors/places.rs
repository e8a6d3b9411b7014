//! Names of rows and fields, read back.

use tandem_isa::Layout;

/// The bank and the row that a name such as `Bank[0][39]` means; the indices are decimal, without leading zeros.
#[must_use]
pub fn row_named(layout: &Layout, name: &str) -> Option<(usize, usize)> {
    let (bank_name, indices) = name.split_at(name.find('[')?);
    let bank = layout.bank_named(bank_name)?;
    let spec = &layout.banks[bank];
    let mut rest = indices;
    let mut row = 0;
    for &extent in &spec.dims[..spec.dims.len() - 1] {
        let (digits, behind) = rest.strip_prefix('[')?.split_once(']')?;
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        let index = digits.parse::<usize>().ok().filter(|&index| plain && index < extent)?;
        row = row * extent + index;
        rest = behind;
    }
    rest.is_empty().then_some((bank, row))
}

/// The place of the field called `name` in the layout's list.
#[must_use]
pub fn field_named(layout: &Layout, name: &str) -> Option<usize> {
    (layout.fields)().iter().position(|field| field.name == name)
}
