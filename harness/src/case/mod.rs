//! Cases: what identifies one ([`CaseId`]), how it is drawn ([`Generator`], [`Pools`], `feed`), held to rules ([`Held`]) or kept
//! plain ([`Plain`]), what it is by value ([`CaseValue`]), and of whom it is asked ([`Suite`]).
//!
//! A case is a function of its id, so nothing here runs an implementation. It may use `judge` and `terms`.

mod drawn;
pub(crate) mod feed;
mod generate;
mod hold;
mod id;
mod levels;
mod operands;
mod plain;
mod pools;
mod suite;
mod value;

pub use drawn::DrawnCase;
pub(crate) use drawn::Question;
pub(crate) use generate::{Background, SMALL_VARIANTS, draw_tables};
pub use generate::{CaseSource, Drawn, Generator, epoch_of};
pub(crate) use hold::Fit;
pub use hold::{Held, Narrow};
pub(crate) use id::{CELL_BITS, Digits, INDEX_BITS, STEPS_BITS};
pub use id::{CaseId, CaseIdError, GENERATOR_VERSION, SEED_BITS};
pub use levels::quiet_salt;
pub(crate) use levels::{Level, readable_levels, reads_back};
pub use operands::{OperandWords, operand_words};
pub use plain::Plain;
pub use pools::{Pools, Salter, corners};
pub(crate) use suite::BATCH;
pub use suite::{IsaSuite, MakeReference, Suite, TargetFactory};
pub use value::{CaseValue, NextStep};
