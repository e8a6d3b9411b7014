//! What can be wrong with a file of vectors. Each message names the file, the place in it, and the next step.

/// Why a file of vectors is refused.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// There is not one vector: a run without vectors has shown nothing.
    #[error("{file}: not one vector was found; check the directory, or record some with `tandem vectors record`")]
    NoVectors {
        /// The directory or file.
        file: String,
    },
    /// A line of results that were recorded elsewhere is no result.
    #[error("{file}: line {line}: {message}; mend the line, or take it out")]
    Result {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A manifest of an export is none.
    #[error("{file}: line {line}: {message}; write it again with `tandem vectors export --manifest`")]
    Manifest {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A challenge, a record of answers to one, or what was collected of them is refused. The message ends with the next step.
    #[error("{file}: {place}: {message}")]
    Recording {
        /// The file.
        file: String,
        /// Line, byte or member.
        place: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// It cannot be read at all.
    #[error("{file}: cannot be read ({source}); check the path and its permissions")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is larger than what is read.
    #[error(
        "{file}: byte {limit}: the file has {bytes} bytes and at most {limit} are read; split it, or drop tests with \
         `tandem vectors export`"
    )]
    TooLarge {
        /// The file.
        file: String,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// It is not UTF-8.
    #[error("{file}: byte {at}: not UTF-8; restore the file from its source")]
    Utf8 {
        /// The file.
        file: String,
        /// The first byte that is wrong.
        at: usize,
    },
    /// It is not JSON, or is nested too deeply.
    #[error("{file}: line {line} column {column}: {message}; mend the JSON there, or restore the file from its source")]
    Syntax {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A key stands twice in one object.
    #[error("{file}: line {line} column {column}: the key '{key}' stands here a second time; remove one of the two")]
    DuplicateKey {
        /// The file.
        file: String,
        /// Line of the second one, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The key.
        key: String,
    },
    /// It has another shape than the schema asks for.
    #[error("{file}: {place}: {message}; harness/schema/ has the schema")]
    Schema {
        /// The file.
        file: String,
        /// Line and column.
        place: String,
        /// What is expected.
        message: String,
    },
    /// It has the right shape and is wrong nevertheless.
    #[error("{file}: place {place}: {message}; correct it, or record the file again with `tandem vectors record`")]
    Value {
        /// The file.
        file: String,
        /// JSON pointer.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// Groups or tests are not in ascending order.
    #[error("{file}: place {place}: {message}; `tandem vectors record` and `export` write the order that is asked for")]
    Order {
        /// The file.
        file: String,
        /// JSON pointer.
        place: String,
        /// What is out of order.
        message: String,
    },
    /// A test's id is not the hash of its content.
    #[error(
        "{file}: place {place}: the id is {found}, the content has {expected}: the test was changed after it was \
         recorded; restore it from its source"
    )]
    Id {
        /// The file.
        file: String,
        /// JSON pointer.
        place: String,
        /// What the file says.
        found: String,
        /// What its content has.
        expected: String,
    },
    /// The digest is not that of the file.
    #[error(
        "{file}: place /digest: it is {found}, the content has {expected}: the file was changed after it was recorded; \
         restore it from its source"
    )]
    Digest {
        /// The file.
        file: String,
        /// What the file says.
        found: String,
        /// What its content has.
        expected: String,
    },
    /// It says the right things in another form than the canonical one.
    #[error(
        "{file}: line {line}: not in canonical form: expected '{expected}', found '{found}'; keys, rows and fields \
         stand in the schema's and the layout's order, one test a line"
    )]
    Canonical {
        /// The file.
        file: String,
        /// The first line that differs, from 1.
        line: usize,
        /// From where it differs, as it should be.
        expected: String,
        /// From where it differs, as it is.
        found: String,
    },
    /// A case cannot become a vector, because the pages promise nothing for it.
    #[error(
        "{file}: place /groups/0/tests/0: the pages promise nothing for this case ({expectation}), so it cannot be a \
         vector; keep its case id instead"
    )]
    Unpromised {
        /// The file that was to be made.
        file: String,
        /// What the reference says.
        expectation: &'static str,
    },
}

impl VectorError {
    /// Where in the file: a JSON pointer, a line, or a byte.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            VectorError::NoVectors { .. } | VectorError::Io { .. } => "/".to_string(),
            VectorError::TooLarge { limit, .. } => format!("byte {limit}"),
            VectorError::Utf8 { at, .. } => format!("byte {at}"),
            VectorError::Syntax { line, column, .. } | VectorError::DuplicateKey { line, column, .. } => {
                format!("line {line} column {column}")
            }
            VectorError::Schema { place, .. }
            | VectorError::Value { place, .. }
            | VectorError::Recording { place, .. }
            | VectorError::Order { place, .. }
            | VectorError::Id { place, .. } => place.clone(),
            VectorError::Digest { .. } => "/digest".to_string(),
            VectorError::Canonical { line, .. }
            | VectorError::Manifest { line, .. }
            | VectorError::Result { line, .. } => format!("line {line}"),
            VectorError::Unpromised { .. } => "/groups/0/tests/0".to_string(),
        }
    }
}
