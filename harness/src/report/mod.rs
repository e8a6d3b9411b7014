//! Reports: one model of what a run showed, and its renderings.
//!
//! [`Report::build`] makes the model. Its `result` is a function of cases, targets and code alone: the same bytes for
//! any number of threads, on any machine, and whichever levels ran. Whatever else is worth saying stands in its `run`.
//! [`terminal`], [`json`], [`markdown`], [`junit`] and [`html`] render both; [`committed`] renders what is kept in the
//! repository, which is `result` and facts only.
//!
//! [`known`] holds findings against the committed list of known ones. [`pages`] shows lines of the user's own copies
//! of the pages, whose licences do not let us ship them: such lines stand in no model, only on the terminal.

mod build;
pub mod case_text;
pub mod committed;
pub mod contested;
mod datum;
pub mod effect;
pub mod example;
pub mod explain;
mod faults_part;
pub mod history;
pub mod html;
pub mod json;
pub mod junit;
pub mod known;
pub mod markdown;
pub mod model;
mod offer;
pub mod pages;
pub mod terminal;
mod text;
mod unmodelled;
mod vectors_part;
mod verdict;

pub use crate::vectors::{visible, visible_lines};
pub use build::{Inputs, bit_parts, first_file, seen_parts};
pub use case_text::{CaseText, CaseTextError};
pub use contested::{ContestedCell, contested_cells};
pub use known::{Known, KnownError};
pub use model::{Report, ResultPart, RunPart};
pub use pages::Pages;
pub use terminal::Colour;
pub use text::{shell_word, shell_words};
pub use unmodelled::{Stretch, bits_without_field};
