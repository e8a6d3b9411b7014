//! What a stored finding says about itself, so that its file is all that is needed to look for it again.

use std::collections::BTreeMap;

use tandem_isa::{Code, Edition, Instruction, Isa};

use super::model::{Sparse, Test};
use crate::{CaseValue, Finding, Kind, Signature};

/// What a finding is about whose case a file of vectors holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The implementation, as it calls itself.
    pub target: String,
    /// Bank or field, without indices.
    pub place: String,
    /// Kind of difference.
    pub kind: Kind,
    /// Whether the test shows it when it runs by value. If not, that it agrees means nothing.
    pub shows: bool,
    /// The words of the command line by which the run got its targets.
    pub options: Vec<String>,
    /// Classes of cells in which it was seen, per edition.
    pub classes: BTreeMap<Edition, Vec<String>>,
    /// Bits that were seen to differ, with their directions, as the list of known findings spells them.
    pub bits: Vec<String>,
    /// The rules that it breaks, as far as they can be told apart.
    pub rules: Vec<String>,
    /// The cases that run before, the earliest first, where order matters.
    pub after: Vec<Before>,
}

/// A case that runs before another one, of the same instruction and edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The code words.
    pub code: Code,
    /// The state before, against the base state.
    pub before: Sparse,
}

impl Before {
    /// A case by value, as one that runs before.
    #[must_use]
    pub fn of(value: &CaseValue) -> Self {
        Before { code: value.code, before: Test::sparse_of(value) }
    }

    /// The case by value.
    #[must_use]
    pub fn case_value(&self, isa: &'static Isa, instruction: &'static Instruction, edition: Edition) -> CaseValue {
        self.before.case_value(isa, instruction, edition, self.code)
    }
}

impl About {
    /// What a finding is about, of which a case is stored that runs after others, if order matters, and of which `shows` says
    /// whether it shows it.
    #[must_use]
    pub fn of(finding: &Finding, after: &[CaseValue], shows: bool, options: &[String]) -> Self {
        About {
            target: finding.signature.target.clone(),
            place: finding.signature.place.clone(),
            kind: finding.signature.kind,
            shows,
            options: options.to_vec(),
            classes: finding.classes(),
            bits: finding.bit_names(),
            rules: finding.explanation.as_ref().map(|explanation| explanation.rules.clone()).unwrap_or_default(),
            after: after.iter().map(Before::of).collect(),
        }
    }

    /// The finding's signature, of an instruction.
    #[must_use]
    pub fn signature(&self, instruction: &Instruction) -> Signature {
        Signature {
            instruction: instruction.path(),
            target: self.target.clone(),
            place: self.place.clone(),
            kind: self.kind,
        }
    }
}
