//! Ids of programs.

use tandem_isa::{Edition, Instruction, mix64};

use super::{Dependence, MAX_STEPS};
use crate::case::{CELL_BITS, Digits, INDEX_BITS, STEPS_BITS};
use crate::{CaseIdError, GENERATOR_VERSION, IsaSuite, SEED_BITS, Suite};

/// The lower bits of an index hold it, those above the dependence.
const PROGRAM_BITS: u32 = INDEX_BITS - Dependence::BITS;

/// Everything that a program is a function of, beside the reference: it chooses among candidates.
///
/// It reads as a [`crate::CaseId`] of the first instruction. In the place of the cell stands the number of the second one
/// ([`tandem_isa::Facts::number`]: opcodes, and a table that only grows), and the index shares its bits with the dependence.
#[derive(Clone, Copy, Debug)]
pub struct ProgramId {
    /// Short name of the instruction set.
    pub isa: &'static str,
    /// The instruction of the first step.
    pub first: &'static Instruction,
    /// The instruction of the second step.
    pub second: &'static Instruction,
    /// What the second has to do with the first.
    pub dependence: Dependence,
    /// The edition.
    pub edition: Edition,
    /// How many steps it is to have; it ends sooner where nothing is promised.
    pub steps: usize,
    /// The seed of the run, below 2^48.
    pub seed: u64,
    /// Its number among those of its pair and dependence, below 2^33.
    pub index: u64,
}

impl ProgramId {
    /// The key from which everything random in the program is drawn.
    #[must_use]
    pub fn key(&self) -> u64 {
        let unit = u64::from(GENERATOR_VERSION) << 56
            | (self.edition as u64) << 52
            | u64::from(self.first.number) << 32
            | (self.dependence as u64) << 24
            | 1 << 23
            | u64::from(self.second.number);
        mix64(mix64(mix64(self.seed) ^ unit) ^ self.index)
    }

    /// The same with the number of steps that its key asks for: half have two, and few have many.
    #[must_use]
    pub fn of_usual_length(self) -> Self {
        let drawn = mix64(self.key() ^ 0x6c65_6e67_7468) as usize;
        let (least, spread) = [(2, 1), (2, 1), (2, 1), (2, 1), (3, 2), (3, 2), (5, 4), (9, 8)][drawn % 8];
        ProgramId { steps: least + drawn / 8 % spread, ..self }
    }

    /// Reads an id.
    ///
    /// # Errors
    /// See [`CaseIdError`]; also if it is the id of a single case.
    pub fn parse(text: &str, suite: &Suite) -> Result<(Self, IsaSuite), CaseIdError> {
        let (isa, name, mut digits) = Digits::read(text)?;
        let (index, dependence) = (digits.take(PROGRAM_BITS), digits.take(Dependence::BITS) as usize);
        let (seed, second, edition) = (digits.take(SEED_BITS), digits.take(CELL_BITS), digits.take(2) as usize);
        let (steps, version) = (digits.take(STEPS_BITS) as usize, digits.take(4) as u8);
        let unknown = |what: String| CaseIdError::Unknown { id: text.to_string(), what };
        if version != GENERATOR_VERSION {
            return Err(CaseIdError::Version { id: text.to_string(), found: version });
        }
        if !(2..=MAX_STEPS).contains(&steps) {
            return Err(unknown(format!("a program of {steps} steps")));
        }
        let suite = suite.isa(isa).ok_or_else(|| unknown(format!("instruction set '{isa}'")))?;
        let first = suite.isa.instruction(name).ok_or_else(|| unknown(format!("instruction '{isa}.{name}'")))?;
        let numbered = |one: &&&'static Instruction| u64::from(one.number) == second;
        let second = suite.isa.instructions.iter().find(numbered);
        let second = *second.ok_or_else(|| unknown("the second instruction".to_string()))?;
        let edition = *Edition::ALL.get(edition).ok_or_else(|| unknown(format!("edition number {edition}")))?;
        let dependence = Dependence::ALL[dependence];
        Ok((ProgramId { isa: suite.isa.short, first, second, dependence, edition, steps, seed, index }, suite.clone()))
    }
}

impl std::fmt::Display for ProgramId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = Digits::default().put(GENERATOR_VERSION.into(), 4).put(self.steps as u64, STEPS_BITS);
        let digits = digits.put(self.edition as u64, 2).put(self.second.number.into(), CELL_BITS);
        let digits = digits.put(self.seed, SEED_BITS).put(self.dependence as u64, Dependence::BITS);
        write!(f, "{}.{}.{}", self.isa, self.first.file, digits.put(self.index, PROGRAM_BITS))
    }
}
