//! The tables: what each is called, what its columns are, and its words.

/// A column: its name, and what stands in it.
pub(super) type Column = (&'static str, &'static str);

/// What a table is like. Its name has at most 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) columns: &'static [Column],
}

pub(super) const TESTS: Kind = Kind {
    name: "tests",
    what: "a row a test; a range is the number of its first row in the table that it names, and how many rows it has",
    columns: &[
        ("id_high", "upper 32 bits of the id"),
        ("id_low", "lower 32 bits of the id"),
        ("editions", "bit 0: it holds in edition `spec`; bit 1: in `newest`"),
        ("edition", "the edition that numbers the cell: 0 is `spec`, 1 is `newest`"),
        ("cell", "the cell"),
        ("outcome", "0: done, 1: blocked, 2: survive"),
        ("contested", "0, or the place in the manifest's `contested`, counted from 1"),
        (
            "breaks",
            "0, or the place in the manifest's `breaks`, counted from 1: a rule of scheduling that no wait keeps",
        ),
        ("steps_first", "range of `steps`"),
        ("steps_count", "range of `steps`"),
        ("flags_first", "range of `flags`"),
        ("flags_count", "range of `flags`"),
        ("before_fields_first", "range of `before_fields`"),
        ("before_fields_count", "range of `before_fields`"),
        ("before_rows_first", "range of `before_rows`"),
        ("before_rows_count", "range of `before_rows`"),
        ("expected_fields_first", "range of `expected_fields`"),
        ("expected_fields_count", "range of `expected_fields`"),
        ("expected_rows_first", "range of `expected_rows`"),
        ("expected_rows_count", "range of `expected_rows`"),
        ("care_fields_first", "range of `care_fields`"),
        ("care_fields_count", "range of `care_fields`"),
        ("care_rows_first", "range of `care_rows`"),
        ("care_rows_count", "range of `care_rows`"),
    ],
};

pub(super) const STEPS: Kind = Kind {
    name: "steps",
    what: "a row an instruction that is run, one for a test that is no program",
    columns: &[
        ("instruction", "the place in the manifest's `instructions`"),
        ("waits", "1: it does nothing, and stands where software has to wait"),
        ("code_first", "range of `code`"),
        ("code_count", "range of `code`"),
    ],
};

pub(super) const CODE: Kind = Kind { name: "code", what: "code words", columns: &[("word", "a code word")] };

pub(super) const FLAGS: Kind =
    Kind { name: "flags", what: "flags of tests", columns: &[("flag", "the place in the manifest's `flags`")] };

const FIELD: &[Column] =
    &[("field", "the row of `fields`"), ("value", "its value, or the mask of the bits that count")];
const ROW: &[Column] = &[
    ("bank", "the row of `banks`"),
    ("row", "the row in the bank"),
    ("words_first", "where its words begin in `words`, as many as the bank has columns"),
];

/// Fields that the states name, in the order of the states.
pub(super) const STATE_FIELDS: [Kind; 3] = [
    Kind { name: "before_fields", what: "fields before, where they differ from the base state", columns: FIELD },
    Kind { name: "expected_fields", what: "fields after, where they differ from the state before", columns: FIELD },
    Kind { name: "care_fields", what: "masks of fields that are not compared in all bits", columns: FIELD },
];

/// Rows that the states name, in the order of the states, and those of the base state.
pub(super) const ROWS: [Kind; 4] = [
    Kind { name: "before_rows", what: "rows before, where they differ from the base state", columns: ROW },
    Kind { name: "expected_rows", what: "rows after, where they differ from the state before", columns: ROW },
    Kind { name: "care_rows", what: "masks of rows that are not compared in all bits", columns: ROW },
    Kind {
        name: "base_rows",
        what: "rows of the base state that do not hold the base word of their bank",
        columns: ROW,
    },
];

pub(super) const WORDS: Kind = Kind {
    name: "words",
    what: "the words of all rows",
    columns: &[("word", "a word in its lowest bits, the others 0; or the mask of the bits that count")],
};

pub(super) const BANKS: Kind = Kind {
    name: "banks",
    what: "the banks of the state",
    columns: &[
        ("rows", "rows"),
        ("columns", "words in a row"),
        ("bits", "bits in a word"),
        ("base", "every word in the base state, but for `base_rows`"),
    ],
};

pub(super) const FIELDS: Kind = Kind {
    name: "fields",
    what: "the fields of the small state",
    columns: &[("width", "bits"), ("max", "largest value"), ("base", "value in the base state")],
};

/// Rows of words, all of the same length.
pub(super) struct Table {
    pub(super) kind: Kind,
    values: Vec<u32>,
    /// What begins at a row, ascending.
    marks: Vec<(usize, String)>,
}

impl Table {
    pub(super) fn new(kind: Kind) -> Self {
        Table { kind, values: Vec::new(), marks: Vec::new() }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.kind.columns.len()
    }

    pub(super) fn push(&mut self, row: &[u32]) {
        assert_eq!(row.len(), self.kind.columns.len(), "a row of the table {}", self.kind.name);
        self.values.extend_from_slice(row);
    }

    /// Says what begins at the row that is pushed next. If no row follows before the next mark, it stands for nothing.
    pub(super) fn mark(&mut self, what: String) {
        let at = self.len();
        self.marks.pop_if(|(row, _)| *row == at);
        self.marks.push((at, what));
    }

    /// What begins at rows that are there.
    pub(super) fn marks(&self) -> impl Iterator<Item = &(usize, String)> {
        let len = self.len();
        self.marks.iter().filter(move |(row, _)| *row < len)
    }

    pub(super) fn values(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.values.chunks_exact(self.kind.columns.len())
    }

    /// The number of a column.
    pub(super) fn column(&self, name: &str) -> usize {
        self.kind.columns.iter().position(|(known, _)| *known == name).expect("the code names columns that there are")
    }

    /// The words in little-endian bytes, row by row.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }
}
