//! The text of a policy, as it stands in the file.

use serde::Deserialize;
use toml::Spanned;

/// A file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyText {
    pub name: String,
    pub about: String,
    pub implements: Vec<Spanned<String>>,
    pub claims: Option<Spanned<String>>,
    #[serde(default)]
    pub refusal: Vec<RuleText>,
    #[serde(default)]
    pub lie: Vec<RuleText>,
    #[serde(default)]
    pub wrong: Vec<RuleText>,
}

/// A conjunction for some instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleText {
    pub instructions: Vec<Spanned<String>>,
    pub reason: Spanned<String>,
    pub when: Spanned<Vec<Spanned<ConditionText>>>,
}

/// A condition: what is looked at, and what is asked of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConditionText {
    pub field: Option<Spanned<String>>,
    #[serde(default)]
    pub except: Vec<Spanned<String>>,
    pub sum: Option<Vec<Spanned<String>>>,
    pub modulus: Option<Spanned<u32>>,
    pub format: Option<Spanned<String>>,
    #[serde(rename = "type")]
    pub operand_type: Option<Spanned<String>>,
    pub differ: Option<Spanned<String>>,
    pub data: Option<Spanned<String>>,
    #[serde(rename = "as")]
    pub layout: Option<Spanned<String>>,
    pub kind: Option<Spanned<DataKind>>,
    pub mask: Option<u32>,
    pub value: Option<u32>,
    pub is: Option<Spanned<ValueText>>,
    pub not: Option<Spanned<ValueText>>,
    #[serde(rename = "in")]
    pub among: Option<Vec<Spanned<ValueText>>>,
    pub not_in: Option<Vec<Spanned<ValueText>>>,
    pub any_bit: Option<u32>,
    pub at_least: Option<u32>,
    pub at_most: Option<u32>,
    pub not_multiple_of: Option<Spanned<u32>>,
}

/// A value: a number, or the name of a format or type.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum ValueText {
    Number(u32),
    Name(String),
}

/// What data can be.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum DataKind {
    #[serde(rename = "zero")]
    Zero,
    #[serde(rename = "denormal")]
    Denormal,
    #[serde(rename = "infinity")]
    Infinity,
    #[serde(rename = "nan")]
    Nan,
    #[serde(rename = "exponent all ones")]
    ExponentAllOnes,
    #[serde(rename = "negative")]
    Negative,
}
