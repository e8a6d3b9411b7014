//! Recorded vectors: cases by value with their result, in strict JSON files that anybody can read and run.
//!
//! A file holds tests of one instruction, grouped by cell. A test is a state before, code words, an outcome and a state
//! after; both states are sparse, `before` against the base state of the instruction set and `after` against
//! `before`, and whatever is not named is unchanged. The format is `harness/schema/vectors.schema.json`, and there is
//! exactly one way to write a file down ([`VectorFile::to_text`]): reading compares with it byte for byte. A test may be a
//! program of several steps; a file that has one is of version 2, and any other of version 1.
//!
//! [`record`] makes a file from the reference, [`Replayer`] runs files on the reference and on targets, [`lint`] looks
//! at all files together, and [`Store`] loads them.

mod about;
mod columns;
mod disputed;
mod error;
mod levels;
mod lint;
mod manifest;
mod met;
mod model;
pub(crate) mod one_or_many;
mod operands;
mod places;
mod plain;
mod profile;
mod read;
mod record;
mod recorded;
mod replay;
mod select;
mod store;
mod strict;
mod visible;
mod witness;
mod write;

pub use about::{About, Before};
pub use columns::{Column, Columns, Fate, NotRun};
pub use disputed::{DisputedTests, Marked};
pub use error::VectorError;
pub use lint::{Lint, LintKind, MAX_TOTAL_BYTES, lint, no_state};
pub use manifest::Manifest;
pub use met::Divergences;
pub use model::{Group, Note, Outcome, Source, Sparse, Test, VectorFile};
pub use places::{field_named, rows_named};
pub use plain::{PLAIN_VERSION, Plain, PlainFormat};
pub use profile::{Entry, Profile};
pub use read::{MAX_FILE_BYTES, check_text, read_bytes, read_file, read_revocations};
pub use record::{ProgramRecorder, Promises, RECORD_SEED, RECORDER_VERSION, record, record_plain};
pub use recorded::{RecordedAnswer, Results, TestIds, base_of, line_of, result_of, sparse_of, to_lines};
pub use replay::{Base, ReferenceBench, ReferenceRun, ReplayResult, Replayer, Run, Subject, Verdict, finding_file};
pub use select::{Listed, Selection, select};
pub use store::{EMBEDDED, EmbeddedFile, Revocation, Store, embed, has_embedded, vector_paths};
pub use strict::parse_strict;
pub use visible::{visible, visible_lines};
pub use witness::{Gap, Sources, Witnesses};
pub use write::{PROGRAMS_ID, SCHEMA_ID, SCHEMA_TEXT, hex, sha256, sha256_bytes};
