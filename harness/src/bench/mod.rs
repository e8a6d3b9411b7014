//! The bench: runs cases on the reference and on targets ([`Workbench`]), on several at once ([`Lineup`]), as small as they
//! become ([`Minimizer`]), and as fast as they go ([`speed`]).
//!
//! It decides nothing of a campaign. It may use `foreign`, `case`, `judge` and `terms`.

mod ask;
mod lineup;
mod minimize;
pub mod speed;
mod workbench;

pub use ask::Mishap;
pub(crate) use ask::{Look, Reply};
pub use lineup::{Exhibit, FirstDifference, Lineup, each_case};
pub use minimize::{MinimizeLimits, Minimized, Minimizer, RUNS_ANEW};
pub(crate) use minimize::{fewest, run_before};
pub(crate) use workbench::LoadedCase;
pub use workbench::{CaseResult, Slot, Workbench};
