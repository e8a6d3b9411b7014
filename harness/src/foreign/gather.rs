//! Gathering: cases in a batch, and beside it what the reference made of them.

use tandem_isa::{Batch, Code, Expectation, OpenBits, RowSet, State};

use crate::RowMap;

/// What the reference made of one case.
#[derive(Clone, Copy)]
pub(crate) struct Expected {
    /// The case's place in its block.
    pub(crate) place: u64,
    /// What the pages promise.
    pub(crate) expectation: Expectation,
    rows: End,
    overlay: End,
    /// Where what the reference left open ends.
    open: usize,
}

/// Where the rows of a case end in the arrays of all cases.
#[derive(Clone, Copy, Default)]
struct End {
    rows: usize,
    bytes: usize,
}

/// Rows with their contents, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) rows: &'a [u32],
    pub(crate) data: &'a [u8],
}

/// Cases that begin on the same background, with what the reference made of them.
#[derive(Default)]
pub(crate) struct GatheredCases {
    /// The cases, as they are sent.
    pub(crate) batch: Batch,
    /// What the reference made of each.
    pub(crate) expected: Vec<Expected>,
    small: Vec<u8>,
    written_row: Vec<u32>,
    written_data: Vec<u8>,
    open: Vec<OpenBits>,
}

impl GatheredCases {
    /// Forgets all cases.
    pub(crate) fn clear(&mut self) {
        self.batch.clear();
        self.expected.clear();
        self.small.clear();
        self.written_row.clear();
        self.written_data.clear();
        self.open.clear();
    }

    /// Begins a case, before the reference has run.
    #[inline]
    pub(crate) fn begin(&mut self, code: &Code, small: &[u8]) {
        self.batch.code.extend_from_slice(code);
        self.batch.small.extend_from_slice(small);
    }

    /// Ends a case with what the reference left in `state`.
    #[inline]
    pub(crate) fn end(&mut self, place: u64, expectation: Expectation, state: &State, map: &RowMap) {
        let (batch, tracker) = (&mut self.batch, &state.tracker);
        let overlay = &tracker.overlay;
        push_rows(map, &overlay.rows, &overlay.arena, &mut batch.overlay_row, &mut batch.overlay_data);
        batch.overlay_end.push(batch.overlay_row.len() as u32);
        batch.cases += 1;
        self.small.extend_from_slice(&state.small);
        if expectation.required_answer().is_some() {
            let written = &tracker.log.written;
            push_rows(map, written, &state.arena, &mut self.written_row, &mut self.written_data);
        }
        self.open.extend_from_slice(&tracker.open);
        self.expected.push(Expected {
            place,
            expectation,
            open: self.open.len(),
            rows: End { rows: self.written_row.len(), bytes: self.written_data.len() },
            overlay: End { rows: batch.overlay_row.len(), bytes: batch.overlay_data.len() },
        });
    }

    /// The small states of a case, before and after.
    #[inline]
    pub(crate) fn small(&self, case: usize) -> (&[u8], &[u8]) {
        let size = self.small.len() / self.expected.len();
        let range = case * size..(case + 1) * size;
        (&self.batch.small[range.clone()], &self.small[range])
    }

    /// The rows that the reference wrote in a case.
    #[inline]
    pub(crate) fn written(&self, case: usize) -> Rows<'_> {
        let start = if case == 0 { End::default() } else { self.expected[case - 1].rows };
        let end = self.expected[case].rows;
        Rows { rows: &self.written_row[start.rows..end.rows], data: &self.written_data[start.bytes..end.bytes] }
    }

    /// What the reference left open in a case.
    pub(crate) fn open(&self, case: usize) -> &[OpenBits] {
        let start = if case == 0 { 0 } else { self.expected[case - 1].open };
        &self.open[start..self.expected[case].open]
    }

    /// The overlay of a case.
    pub(crate) fn overlay(&self, case: usize) -> Rows<'_> {
        let start = if case == 0 { End::default() } else { self.expected[case - 1].overlay };
        let end = self.expected[case].overlay;
        let batch = &self.batch;
        Rows { rows: &batch.overlay_row[start.rows..end.rows], data: &batch.overlay_data[start.bytes..end.bytes] }
    }
}

/// Appends the rows of a set with their contents.
#[inline]
fn push_rows(map: &RowMap, set: &RowSet, arena: &[u8], rows: &mut Vec<u32>, data: &mut Vec<u8>) {
    set.each_run(|row_id, count| {
        rows.extend(row_id as u32..(row_id + count) as u32);
        data.extend_from_slice(&arena[map.range(row_id, count)]);
    });
}
