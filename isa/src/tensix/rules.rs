//! The rules of scheduling, a list a chip: made from `rules/tensix/*.toml`.

use crate::{Enforced, FieldHolds, FieldTest, Follower, Gap, Pattern, Rule, RuleExample, RuleSource, RuleWord, Rules};

include!(concat!(env!("OUT_DIR"), "/tensix_rules.rs"));
