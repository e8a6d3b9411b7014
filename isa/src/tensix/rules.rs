//! The rules of scheduling, a list a chip: made from `rules/tensix/*.toml`.

use super::list::WORDS;
use crate::{Enforced, FieldHolds, FieldTest, Follower, Gap, Pattern, Relief, Rule, RuleExample, RuleSource, Rules};

include!(concat!(env!("OUT_DIR"), "/tensix_rules.rs"));
