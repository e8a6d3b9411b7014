//! `tandem`: differential conformance of accelerator instruction sets.

pub mod wiring;
