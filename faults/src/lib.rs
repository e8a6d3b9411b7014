//! Deliberately wrong targets: the test of the tests.
//!
//! [`twist::Twisted`] is the reference's twin with something done wrong: nobody wrote these mistakes, so they are not where
//! somebody thought of one. Some have names ([`catalogue`]): the readings of errata that were not taken, and what is known to be
//! done otherwise. Around any correct target, [`stray::StrayTarget`] misbehaves behind the log, between cases or by panicking,
//! [`one_cell::OneCell`] is wrong by one bit in a single cell, and [`needle::Needles`] for few operands.
//!
//! [`target`] makes a fault that has a name.

mod fault;
pub mod flip;
pub mod needle;
pub mod one_cell;
pub mod stray;
pub mod twist;

pub use fault::{ANY_INSTRUCTION, Fault, FaultKind, catalogue, counting, target};
pub use twist::Right;
