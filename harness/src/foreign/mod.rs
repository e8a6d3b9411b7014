//! Foreign targets: implementations behind the border, which are given batches of cases and are not trusted.
//!
//! [`check`] refuses what is no answer; [`Foreign`] makes a target of a border, and when it has misbehaved
//! begins it anew.

pub mod check;
mod hash;
mod target;
#[cfg(test)]
mod tests;

pub use hash::crc32;
pub use target::{Foreign, StrayWrite};
