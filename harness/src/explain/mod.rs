//! Why a target differs: the mistakes that do the same ([`diagnose`]), cases parted by them ([`Parting`]), what it keeps from cases
//! before ([`find_in_order`]), and which reading of the pages it follows ([`fingerprint`]).
//!
//! It asks the bench, and what can be wrong is handed in ([`Dictionary`]). It may use `run` and what that may use.

mod diagnose;
pub mod fingerprint;
mod order;
mod part;
mod trial;

pub use diagnose::{Atom, Cause, DiagnoseLimits, Diagnosis, Dictionary, Matter, Sighted, Tier, diagnose};
pub use order::{Earlier, Keeping, Kept, Preceded, find_in_order};
pub use part::Parting;
