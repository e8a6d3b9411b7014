//! What a target answers, found out by asking.
//!
//! Every real implementation refuses something, and cases that it refuses test nothing. So before a campaign each target
//! that may refuse is asked: first plain cases, each cell and each field alone, then cases as the campaign draws them. What
//! it refuses becomes [`Rules`]: conjunctions of at most three [`Atom`]s. Cases of the campaign are drawn so that no rule
//! refuses them, but for some that go on asking.
//!
//! [`Observation`] is what comes of it: a function of the seed, the target and the code alone.

mod ask;
mod claims;
mod cover;
mod data;
mod family;
mod hold;
mod learn;
mod lens;
mod rule;

pub use ask::Mishap;
pub(crate) use ask::{Look, Question};
pub use claims::{Claims, ClaimsError};
pub(crate) use hold::Fit;
pub use hold::{Held, Narrow};
pub(crate) use learn::REFUSALS;
pub use learn::{Observation, Scope, observe, observed};
pub use lens::{Lens, View};
pub(crate) use rule::with_parts;
pub use rule::{Atom, DataAtom, Rule, Rules, Test};
