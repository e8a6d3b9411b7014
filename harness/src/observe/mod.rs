//! What a target answers, found out by asking.
//!
//! Every real implementation refuses something, and cases that it refuses test nothing. So before a campaign each target
//! that may refuse is asked: first plain cases, each cell and each field alone, then cases as the campaign draws them. What
//! it refuses becomes [`Rules`]: conjunctions of at most three [`Atom`]s. Cases of the campaign are drawn so that no rule
//! refuses them, but for some that go on asking.
//!
//! [`Observation`] is what comes of it: a function of the seed, the target and the code alone. The room may use `bench` and
//! what that may use.

mod cover;
mod data;
mod learn;

pub use crate::bench::Mishap;
pub use crate::case::{Held, Narrow};
pub use crate::terms::{Atom, Claims, ClaimsError, DataAtom, Lens, Rule, Rules, Test, View};
pub(crate) use learn::REFUSALS;
pub use learn::{Observation, Scope, observe, observed};
