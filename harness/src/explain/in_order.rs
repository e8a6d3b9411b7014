//! Why a target goes wrong in a case only after others: what it can have kept from them, beside what else can be wrong.

use std::sync::Arc;

use tandem_isa::{Edition, Instruction, State, Step, Target};

use super::dictionary::{Dictionary, Matter};
use super::order::{Earlier, Keeping, Preceded, Residue};
use super::predict::Predictor;
use crate::run::Explanation;
use crate::{CaseSource, CaseValue, DiagnoseLimits, IsaSuite, Minimized, diagnose};

/// How much is asked of a target each of whose cases runs after others.
const LIMITS: DiagnoseLimits = DiagnoseLimits {
    cases: 20_000,
    diverging: 64,
    agreeing: 500,
    refuting: 500,
    beyond: 0,
    causes: 1,
    steps: 600_000_000,
};

/// Mistakes behind what can be kept from earlier cases, which is the simpler explanation where several do.
struct AfterOthers<'a> {
    residues: Vec<Residue>,
    /// A case of the instruction, for names.
    value: &'a CaseValue,
    earlier: Arc<Earlier>,
    mistakes: Box<dyn Dictionary + 'a>,
}

impl AfterOthers<'_> {
    /// What is kept, or the number of a mistake.
    fn entry(&self, number: usize) -> Result<&Residue, usize> {
        self.residues.get(number).ok_or_else(|| number - self.residues.len())
    }
}

impl Dictionary for AfterOthers<'_> {
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
        let mut target = self.mistakes.make(&mistakes);
        if !residues.is_empty() {
            target = Box::new(Keeping::new(target, Arc::clone(&self.earlier), residues));
        }
        if mistakes.iter().any(|&mistake| self.mistakes.keeps(mistake)) {
            target = Box::new(Preceded::new(target, Arc::clone(&self.earlier)));
        }
        target
    }

    fn matters(&self, step: &Step<'_>, state: &mut State) -> Matter {
        let Matter { each, steps } = self.mistakes.matters(step, state);
        Matter { each: self.residues.iter().map(|_| true).chain(each).collect(), steps }
    }

    fn name(&self, number: usize) -> String {
        self.entry(number).map_or_else(|mistake| self.mistakes.name(mistake), |residue| residue.name(self.value))
    }

    fn says(&self, number: usize) -> String {
        self.entry(number).map_or_else(|mistake| self.mistakes.says(mistake), |residue| residue.says(self.value))
    }

    fn order(&self, number: usize, instruction: &Instruction) -> u64 {
        self.entry(number).map_or_else(|mistake| self.mistakes.order(mistake, instruction), |_| 0)
    }

    fn place(&self, number: usize, instruction: &Instruction) -> String {
        let place = |mistake| self.mistakes.place(mistake, instruction);
        self.entry(number).map_or_else(place, |_| "kept between cases".to_string())
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
) -> Option<(IsaSuite, AfterOthers<'a>)> {
    let factory = suite.targets.first()?;
    let earlier = Arc::new(Earlier::of(suite, factory, smallest, source)?);
    let (residues, value) = (earlier.residues(), &smallest.value);
    let after = suite.with_targets(vec![Preceded::factory(factory, &earlier)]);
    Some((after, AfterOthers { residues, value, earlier, mistakes: mistakes.keeping()? }))
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
