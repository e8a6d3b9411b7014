//! The gates of the whole program: one binary, so that it is linked once and no core waits for the last test of a file.
//!
//! A file has the gates of one subject. `cargo test --test gates conformance::` runs those of `conformance.rs`.

mod anywhere;
mod arrows;
mod bars;
mod blind;
mod board;
mod causes;
mod check;
mod claims;
mod cli;
mod conformance;
mod describe;
mod dpas_models;
mod dpas_oracle;
mod encodings;
mod errata;
mod examples;
mod faults;
mod fingerprint;
mod foreign;
mod html;
mod judge;
mod laws;
mod newcomer;
mod order;
mod partial;
mod parts;
mod plain;
mod plain_formats;
mod policy;
mod program;
mod programs;
mod reports;
mod robust;
mod sfpu_laws;
mod shards;
mod states;
mod summary;
mod transports;
mod truth;
mod twists;
mod vectors;
mod verdicts;
mod visa_laws;
