//! Case ids: at most 40 characters that encode all that a case is a function of.
//!
//! `wh.mova2d.` is followed by 107 bits in Crockford's base 32: generator version (4), number of steps (5), edition (2),
//! cell (12), seed (48), index (36); three check bits end the last digit. A case has one step; what has more is a
//! program, whose ids ([`crate::ProgramId`]) have the same digits.

use tandem_isa::{Edition, Instruction, mix64};

use crate::{IsaSuite, Suite};

/// The version of the generator; it changes whenever the same tuple gives another case.
pub const GENERATOR_VERSION: u8 = 6;
/// Width of a seed, in bits.
pub const SEED_BITS: u32 = 48;

pub(crate) const INDEX_BITS: u32 = 36;
pub(crate) const CELL_BITS: u32 = 12;
pub(crate) const STEPS_BITS: u32 = 5;
/// The number of steps of a case.
const STEPS: u64 = 1;
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 22;

/// Everything that a generated case is a function of.
#[derive(Clone, Copy, Debug)]
pub struct CaseId {
    /// Short name of the instruction set.
    pub isa: &'static str,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// The cell.
    pub cell: u32,
    /// The seed of the run, below 2^48.
    pub seed: u64,
    /// The case's number in its cell, below 2^36.
    pub index: u64,
}

/// Why a text is not a case id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseIdError {
    /// It does not have the form.
    #[error(
        "'{0}' is not a case id: expected <isa>.<instruction>.<22 characters>, as printed by `tandem fuzz`; \
         `tandem list` shows what there is"
    )]
    Form(String),
    /// A character was lost or mistyped.
    #[error("case id '{0}' fails its check bits: a character is wrong; copy it again from the report")]
    Check(String),
    /// It names something that this build does not have.
    #[error("case id '{id}' names {what}, which this build does not have; `tandem list` shows what there is")]
    Unknown {
        /// The id.
        id: String,
        /// What it names.
        what: String,
    },
    /// Another version of the generator made it.
    #[error(
        "case id '{id}' was made by generator version {found}, this build has version {GENERATOR_VERSION}: replay the \
         stored case file of the finding instead"
    )]
    Version {
        /// The id.
        id: String,
        /// Its version.
        found: u8,
    },
}

impl CaseId {
    /// The key from which everything random in the case is drawn.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        let unit = u64::from(GENERATOR_VERSION) << 56
            | (self.edition as u64) << 52
            | u64::from(self.instruction.number) << 32
            | u64::from(self.cell);
        mix64(mix64(mix64(self.seed) ^ unit) ^ self.index)
    }

    /// Reads an id.
    ///
    /// # Errors
    /// See [`CaseIdError`].
    pub fn parse(text: &str, suite: &Suite) -> Result<(Self, IsaSuite), CaseIdError> {
        let (isa, name, mut digits) = Digits::read(text)?;
        let (index, seed, cell) = (digits.take(INDEX_BITS), digits.take(SEED_BITS), digits.take(CELL_BITS) as u32);
        let (edition, steps, version) = (digits.take(2), digits.take(STEPS_BITS), digits.take(4) as u8);
        if version != GENERATOR_VERSION {
            return Err(CaseIdError::Version { id: text.to_string(), found: version });
        }
        let unknown = |what: String| CaseIdError::Unknown { id: text.to_string(), what };
        if steps != STEPS {
            return Err(unknown(format!("a program of {steps} steps where one case is meant")));
        }
        let suite = suite.isa(isa).ok_or_else(|| unknown(format!("instruction set '{isa}'")))?;
        let instruction = suite.isa.instruction(name).ok_or_else(|| unknown(format!("instruction '{isa}.{name}'")))?;
        let edition = *Edition::ALL
            .get(usize::try_from(edition).expect("two bits fit"))
            .ok_or_else(|| unknown(format!("edition number {edition}")))?;
        if cell as usize >= (instruction.cells)(edition).len() {
            return Err(unknown(format!("cell {cell} of {}", instruction.path())));
        }
        Ok((CaseId { isa: suite.isa.short, instruction, edition, cell, seed, index }, suite.clone()))
    }
}

fn check(bits: u128) -> u8 {
    (mix64(bits as u64 ^ mix64((bits >> 64) as u64)) & 7) as u8
}

/// The bits behind the two names of an id.
#[derive(Default)]
pub(crate) struct Digits(u128);

impl Digits {
    /// The names of an id, and its bits.
    pub(crate) fn read(text: &str) -> Result<(&str, &str, Self), CaseIdError> {
        let form = || CaseIdError::Form(text.to_string());
        let mut parts = text.trim().split('.');
        let (Some(isa), Some(name), Some(digits), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(form());
        };
        if digits.len() != LENGTH {
            return Err(form());
        }
        let mut bits: u128 = 0;
        for digit in digits.bytes() {
            let value = DIGITS.iter().position(|&known| known == digit.to_ascii_lowercase()).ok_or_else(form)?;
            bits = bits << 5 | value as u128;
        }
        if bits & 7 != u128::from(check(bits >> 3)) {
            return Err(CaseIdError::Check(text.to_string()));
        }
        Ok((isa, name, Digits(bits >> 3)))
    }

    /// Takes the lowest bits.
    pub(crate) fn take(&mut self, width: u32) -> u64 {
        let value = (self.0 & ((1 << width) - 1)) as u64;
        self.0 >>= width;
        value
    }

    /// Puts bits below those that are there.
    pub(crate) fn put(self, value: u64, width: u32) -> Self {
        Digits(self.0 << width | u128::from(value))
    }
}

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bits = self.0 << 3 | u128::from(check(self.0));
        (0..LENGTH).rev().try_for_each(|place| write!(f, "{}", char::from(DIGITS[(bits >> (5 * place)) as usize & 31])))
    }
}

impl std::fmt::Display for CaseId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits =
            Digits::default().put(GENERATOR_VERSION.into(), 4).put(STEPS, STEPS_BITS).put(self.edition as u64, 2);
        let digits = digits.put(self.cell.into(), CELL_BITS).put(self.seed, SEED_BITS).put(self.index, INDEX_BITS);
        write!(f, "{}.{}.{digits}", self.isa, self.instruction.file)
    }
}
