//! Deliberately wrong targets: the test of the tests.
//!
//! [`tensix::TensixPlain`] and [`visa::VisaPlain`] are plain, third implementations, each written from the pages by
//! someone who has seen neither the reference nor the SIMD side. Without a fault they are one more target, [`Plain`],
//! that must agree with the reference; with one, exactly one step is wrong, and the suite must say so. Around any
//! correct target, [`stray::StrayTarget`] misbehaves behind the log, between cases or by panicking,
//! [`one_cell::OneCell`] is wrong by one bit in a single cell, and [`needle::Needles`] for few operands. A [`policy::Refusing`] is no fault: it refuses as real,
//! partial implementations do.
//!
//! [`catalogue`] lists the faults and [`target`] makes one of them by its id.

mod fault;
mod flaw_table;
mod flip;
pub mod needle;
pub mod one_cell;
mod plain;
pub mod policy;
pub mod stray;
pub mod tensix;
pub mod twist;
pub mod visa;

pub use fault::{ANY_INSTRUCTION, Fault, FaultKind, catalogue, target};
pub use plain::Plain;
