//! `tandem`: differential conformance of accelerator instruction sets.
//!
//! A reference interpreter, transcribed from the specification pages, runs in step with other implementations, and every
//! architectural bit is compared. This crate is the command line (`cli`) and the [`wiring`], which says what references and
//! targets exist; `trial` runs the deliberately wrong implementations, and `readings` says which of them a fingerprint looks
//! for. The parts are `tandem-isa` (the contract and the facts), `tandem-reference`, `tandem-simd`, `tandem-faults` and
//! `tandem-harness`; commands that few need are crates below `satellites/`.
//!
//! Without its default feature `program` the crate is what tests in Rust need: [`conformance!`], [`check()`] and [`describe`].
//!
//! To test an implementation of your own, implement [`tandem_isa::Target`] and write [`conformance!`] in a file of tests;
//! [`check()`] is the same as one function. README.md has the shortest, and docs/rust-target.md one that does something. Both
//! are compiled and run as tests of the documentation. Who wants more puts it into a [`tandem_harness::Suite`] by a
//! [`tandem_harness::TargetFactory`], and runs a [`tandem_harness::Campaign`].

mod check;
pub mod conformance;
pub mod describe;
mod nearest;
pub mod wiring;

#[cfg(feature = "program")]
pub mod answers;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod diagnosis;
#[cfg(feature = "program")]
pub mod readings;
#[cfg(feature = "program")]
pub mod tile;
#[cfg(feature = "program")]
pub mod trial;
#[cfg(feature = "program")]
pub mod twists;

pub use check::{Check, check};
pub use conformance::replays;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/rust-target.md")]
struct RustTarget;
