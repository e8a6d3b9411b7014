//! Single wrong bits, wherever a layout has room for them.

use tandem_isa::{BankRole, Field, FieldRole, Layout, RowSet, State};

/// A row: its bank, and its place in it.
pub type Row = (usize, usize);

/// Flips one bit of a row without a mark in the log; `hash` chooses which.
pub fn flip_in_row(state: &mut State, (bank, row): Row, hash: u64) {
    let spec = &state.layout.banks[bank];
    let place = below(hash, spec.columns() * spec.bits as usize);
    let (column, bit) = (place / spec.bits as usize, place % spec.bits as usize);
    let word = state.word(bank, row, column);
    state.set_word(bank, row, column, word ^ 1 << bit);
}

/// Flips one bit of the result: in the first row of data that was written, or in `counter` if none was. Whether there was one.
///
/// The row is in the log already, so the flip is marked. The log must have been cleared before the execution.
pub fn flip_result(state: &mut State, counter: Option<&Field>, hash: u64) -> bool {
    if let Some(row) = first_data_row(state.layout, &state.tracker.log.written) {
        flip_in_row(state, row, hash);
        return true;
    }
    let Some(field) = counter else { return false };
    let value = field.get(&state.small);
    field.set(&mut state.small, value ^ 1);
    true
}

/// The counter of the small state that `hash` chooses, if the layout has one.
pub fn counter_of(layout: &Layout, hash: u64) -> Option<&'static Field> {
    let fields = (layout.fields)();
    let is_counter = |field: &&Field| field.role == FieldRole::Counter;
    let num_counters = fields.iter().filter(is_counter).count();
    if num_counters == 0 {
        return None;
    }
    fields.iter().filter(is_counter).nth(below(hash, num_counters))
}

/// The first row of a data bank in `rows`.
pub fn first_data_row(layout: &Layout, rows: &RowSet) -> Option<Row> {
    let mut first = None;
    rows.each_run(|start, _| {
        if first.is_none() {
            let place = layout.locate(start);
            first = (layout.banks[place.0].role == BankRole::Data).then_some(place);
        }
    });
    first
}

/// A number in `0..bound` that `hash` chooses, from its high half.
pub fn below(hash: u64, bound: usize) -> usize {
    (((hash >> 32) * bound as u64) >> 32) as usize
}
