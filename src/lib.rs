//! `tandem`: differential conformance of accelerator instruction sets.

pub mod cli;
pub mod import;
pub mod trial;
pub mod wiring;
