//! The terms in which cases are spoken of, whatever the instruction: fields by their names ([`stems`], `family`), numbers of a
//! case ([`Lens`]), conjunctions of conditions on them ([`Rule`]), what an owner claims ([`Claims`]) and named models ([`Models`]).
//!
//! The lowest room. It reads what `tandem-isa` describes, draws nothing and runs nothing.

mod claims;
mod family;
mod lens;
mod models;
mod rule;
pub(crate) mod sequence;
mod stems;

pub use claims::{Claims, ClaimsError};
pub(crate) use family::{Family, FamilyKind, Member};
pub use lens::{Lens, View};
pub use models::Models;
pub(crate) use models::NOT_ASKED;
pub use rule::{Atom, DataAtom, Rule, Rules, Test};
pub(crate) use rule::{DataTest, MOST_ATOMS, datum, implies, pieces, with_parts};
pub(crate) use stems::{by_key, distinct, stems, without_indices};
