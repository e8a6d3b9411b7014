//! What is said of what a target did: how it differs (`compare`), what that comes to ([`CaseOutcome`]), what excuses it
//! ([`Disputes`]), what a run covered (`cover`), and whether a program keeps to the times that pages ask for ([`rules`]).
//!
//! It is given states and answers by whoever runs targets. Beside the contract it may use `terms`.

mod compare;
mod cover;
mod dispute;
mod guard;
mod outcome;
pub mod rules;

pub use compare::{Difference, Kind, RowMap, Signature};
pub(crate) use compare::{all_rows, refused_differences, row_differences, small_differences};
pub(crate) use cover::BitsSeen;
pub use cover::{BitCover, Coverage, TupleCover};
pub use dispute::{Disputes, is_of_the_outcome};
pub(crate) use guard::guarded;
pub use guard::{StrayWrite, believe_no_exit, quiet_panics};
pub use outcome::{CaseOutcome, GREEN};
