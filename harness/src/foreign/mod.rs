//! Foreign targets: implementations behind the border, which are given batches of cases and are not trusted.
//!
//! [`check`] refuses what is no answer; [`Foreign`] makes a target of a border, and begins it anew when it has
//! misbehaved. In a campaign, `gather` collects cases while the reference runs, `settle` sends them and finds the case
//! that did it when something goes wrong, and `judge` compares.

pub mod check;
mod gather;
mod hash;
mod judge;
mod settle;
mod target;

pub use hash::crc32;
pub(crate) use settle::Desk;
pub(crate) use target::edition_number;
pub use target::{Foreign, StrayWrite};
