//! Why a target goes wrong in a case only after others: what it can have kept from them, beside what else can be wrong.

use std::sync::Arc;

use tandem_isa::{Edition, Instruction, State, Step, Target};

use super::dictionary::{Dictionary, Matter};
use super::order::{Earlier, Ground, Preceded, Residue};
use super::predict::Predictor;
use crate::run::Explanation;
use crate::{CaseSource, CaseValue, DiagnoseLimits, IsaSuite, Minimized, diagnose};

/// How much is asked of a target each of whose cases runs after others, or behind other steps.
pub(super) const LIMITS: DiagnoseLimits = DiagnoseLimits {
    cases: 20_000,
    diverging: 64,
    agreeing: 500,
    refuting: 500,
    beyond: 0,
    causes: 1,
    steps: 600_000_000,
};

/// Mistakes behind what can be kept from what comes before, which is the simpler explanation where both do.
pub(super) struct AfterOthers<'a, G> {
    pub(super) residues: Vec<Residue>,
    /// A case of the instruction, for names.
    pub(super) value: &'a CaseValue,
    pub(super) ground: G,
    pub(super) mistakes: Box<dyn Dictionary + 'a>,
}

impl<G> AfterOthers<'_, G> {
    /// What is kept, or the number of a mistake.
    pub(super) fn entry(&self, number: usize) -> Result<&Residue, usize> {
        self.residues.get(number).ok_or_else(|| number - self.residues.len())
    }
}

impl<G: Ground> Dictionary for AfterOthers<'_, G> {
    fn count(&self) -> usize {
        self.residues.len() + self.mistakes.count()
    }

    fn plain(&self) -> usize {
        self.residues.len() + self.mistakes.plain()
    }

    fn everywhere(&self) -> usize {
        self.residues.len() + self.mistakes.everywhere()
    }

    fn base(&self, number: usize) -> usize {
        self.entry(number).map_or_else(|mistake| self.residues.len() + self.mistakes.base(mistake), |_| number)
    }

    fn at_place_of(&self, number: usize) -> Vec<usize> {
        let there = self.entry(number).map_or_else(|mistake| self.mistakes.at_place_of(mistake), |_| Vec::new());
        there.into_iter().map(|mistake| self.residues.len() + mistake).collect()
    }

    fn make(&self, numbers: &[usize]) -> Box<dyn Target> {
        let (mut residues, mut mistakes) = (Vec::new(), Vec::new());
        for &number in numbers {
            match self.entry(number) {
                Ok(residue) => residues.push(*residue),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let keeps = mistakes.iter().any(|&mistake| self.mistakes.keeps(mistake));
        self.ground.make(self.mistakes.make(&mistakes), residues, keeps)
    }

    fn matters(&self, step: &Step<'_>, state: &mut State) -> Matter {
        self.ground.prepare(state);
        let Matter { each, steps } = self.mistakes.matters(step, state);
        Matter { each: self.residues.iter().map(|_| true).chain(each).collect(), steps }
    }

    fn name(&self, number: usize) -> String {
        self.entry(number).map_or_else(|mistake| self.mistakes.name(mistake), |residue| residue.name(self.value))
    }

    fn says(&self, number: usize) -> String {
        self.entry(number)
            .map_or_else(|mistake| self.mistakes.says(mistake), |residue| residue.says(self.value, self.ground.noun()))
    }

    /// What a place keeps comes first, as a line says where that is; then what is kept without one, first what is least.
    fn order(&self, number: usize, instruction: &Instruction) -> u64 {
        const OTHERS: u64 = 1 << 63;
        const DECODING: u64 = 3 << 61;
        match self.entry(number) {
            Ok(residue) => (1 + u64::from(residue.is_whole())) << 60,
            Err(mistake) if self.mistakes.keeps(mistake) => self.mistakes.order(mistake, instruction) & !DECODING,
            Err(mistake) => OTHERS | self.mistakes.order(mistake, instruction),
        }
    }

    fn place(&self, number: usize, instruction: &Instruction) -> String {
        let place = |mistake| self.mistakes.place(mistake, instruction);
        self.entry(number).map_or_else(place, |_| format!("kept between {}s", self.ground.noun()))
    }
}

/// Whether one of some rules, by name, does what the first target of the suite does in a case that goes wrong only after others.
pub(super) fn is_foretold_in_order(
    suite: &IsaSuite,
    source: &CaseSource,
    smallest: &Minimized,
    mistakes: &dyn Dictionary,
    rules: &[String],
) -> bool {
    let Some((after, dictionary)) = after_others(suite, source, smallest, mistakes) else { return false };
    let number = (0..dictionary.count()).find(|&number| rules.contains(&dictionary.name(number)));
    let predictor = Predictor::new(&after, &after.targets[0], &dictionary);
    number.is_some_and(|number| predictor.is_foretold(&[number], &smallest.value))
}

/// The first target of the suite as one each of whose cases runs after others, and what can be wrong then.
fn after_others<'a>(
    suite: &IsaSuite,
    source: &CaseSource,
    smallest: &'a Minimized,
    mistakes: &'a dyn Dictionary,
) -> Option<(IsaSuite, AfterOthers<'a, Arc<Earlier>>)> {
    let factory = suite.targets.first()?;
    let earlier = Arc::new(Earlier::of(suite, factory, smallest, source)?);
    let (residues, value) = (earlier.residues(), &smallest.value);
    let after = suite.with_targets(vec![Preceded::factory(factory, &earlier)]);
    Some((after, AfterOthers { residues, value, ground: earlier, mistakes: mistakes.keeping("case")? }))
}

/// Why the first target of the suite goes wrong in a case only after others.
#[must_use]
pub fn explain_in_order(
    suite: &IsaSuite,
    unit: (&'static Instruction, Edition),
    source: &CaseSource,
    smallest: &Minimized,
    mistakes: &dyn Dictionary,
    is_over: &dyn Fn() -> bool,
) -> Option<Explanation> {
    let (after, dictionary) = after_others(suite, source, smallest, mistakes)?;
    let diagnosis = diagnose(&after, unit, source, &[], &dictionary, &LIMITS, is_over);
    let cause = diagnosis.causes.first()?;
    Some(cause.explanation(&dictionary, &diagnosis, unit))
}
