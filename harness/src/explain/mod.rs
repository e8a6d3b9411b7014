//! Why a target differs: the mistakes that do the same ([`diagnose`]), cases parted by them ([`Parting`]), what it keeps from cases
//! before ([`find_in_order`]), and which reading of the pages it follows ([`fingerprint`]).
//!
//! It asks the bench. What can be wrong is handed in ([`Dictionary`]), since it takes the pages to know that. It may use `run` and
//! what that may use.

mod cause;
mod diagnose;
mod dictionary;
mod docket;
mod evidence;
pub mod fingerprint;
mod in_order;
mod in_program;
mod order;
mod part;
mod predict;
mod refute;
mod search;

pub use cause::{Atom, Cause, Diagnosis, FailingCase, Tier};
pub use diagnose::{DiagnoseLimits, diagnose};
pub use dictionary::{Dictionary, Matter};
pub use in_order::explain_in_order;
pub use in_program::explain_in_program;
pub use order::find_in_order;
pub use part::Parting;
