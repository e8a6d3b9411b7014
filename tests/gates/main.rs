//! The gates of the whole program: one binary, so that it is linked once and no core waits for the last test of a file.
//!
//! A file has the gates of one subject. `cargo test --test gates conformance::` runs those of `conformance.rs`.

mod answers;
mod anywhere;
mod arrows;
#[cfg(feature = "opencl")]
mod assembler;
mod bars;
mod blind;
#[cfg(feature = "boards")]
mod board;
mod causes;
mod check;
mod claims;
mod cli;
mod cli_json;
mod cli_options;
mod cluster;
mod columns;
mod conformance;
mod describe;
mod disputes;
mod documents;
mod dpas_models;
mod encodings;
mod errata;
mod examples;
mod faults;
mod fingerprint;
mod first;
mod foreign;
mod front_end;
mod headers;
mod hostile;
mod html;
mod judge;
mod laws;
mod lockstep;
mod mutants;
mod mutate;
mod newcomer;
mod open_bits;
#[cfg(feature = "opencl")]
mod opencl;
mod order;
mod pack_reports;
mod partial;
mod parts;
mod plain;
mod plain_formats;
mod policy;
mod profiles;
mod program;
mod programs;
#[cfg(feature = "challenges")]
mod recordings;
mod reports;
mod resume;
mod robust;
mod sfpu_laws;
mod shards;
mod simd_rooms;
mod simulators;
mod states;
mod steering;
mod summary;
mod threads;
mod tile;
mod transports;
mod truth;
mod twists;
mod unpack_reports;
mod vectors;
mod verdicts;
mod visa_laws;
mod wheel;
mod witness;
