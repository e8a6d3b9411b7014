//! What can be wrong: mistakes by number, of whoever knows how to make them and what they are called.

use std::collections::BTreeSet;
use std::ops::Range;

use tandem_isa::{Instruction, State, Step, Target};

/// Mistakes that a target may make, by number. The pages are behind it, and the harness does not see them.
pub trait Dictionary {
    /// How many there are.
    fn count(&self) -> usize;

    /// How many of them, the first ones, are tried before the others: these only explain what none of those does.
    fn plain(&self) -> usize;

    /// How many come before those that are another one in some place alone, which are tried last, and if that takes long only where
    /// that one explains anything.
    fn everywhere(&self) -> usize;

    /// The number of one, or of one in some place alone that one's.
    fn base(&self, number: usize) -> usize;

    /// Those of one's place that are not tried before the others: what else is wrong there cannot be found beside it.
    fn at_place_of(&self, number: usize) -> Vec<usize>;

    /// A target that makes all of these at once.
    fn make(&self, numbers: &[usize]) -> Box<dyn Target>;

    /// Executes a case and says what can matter in it.
    fn matters(&self, step: &Step<'_>, state: &mut State) -> Matter;

    /// What one is called.
    fn name(&self, number: usize) -> String;

    /// What a target does that makes it, as a sentence that goes on after "behaves as if".
    fn says(&self, number: usize) -> String;

    /// Where the pages of an instruction say it, in words.
    fn place(&self, number: usize, instruction: &Instruction) -> String;

    /// How soon a person would think of one, among those that do the same: what is least comes first.
    fn order(&self, _number: usize, _instruction: &Instruction) -> u64 {
        0
    }

    /// Whether some line of the pages says what each of these does wrong: else it may be any of several lines.
    fn share_a_line(&self, _numbers: &[usize], _instruction: &Instruction) -> bool {
        true
    }

    /// Is told, while it is looked for, which one explains something first.
    fn is_candidate(&self, _number: usize) {}

    /// The erratum of which it is another reading, if it is one.
    fn erratum(&self, _number: usize) -> Option<String> {
        None
    }

    /// Whether all it does wrong is that a statement is not done.
    fn is_left_out(&self, _number: usize) -> bool {
        false
    }

    /// Whether it uses what the execution before came to.
    fn keeps(&self, _number: usize) -> bool {
        false
    }

    /// These behind those that use what the execution before came to, if there are any; that one was of a case or a step.
    fn keeping(&self, _of: &'static str) -> Option<Box<dyn Dictionary + '_>> {
        None
    }
}

impl dyn Dictionary + '_ {
    /// Those that are tried first, and the others.
    pub(super) fn ranges(&self) -> (Range<usize>, Range<usize>) {
        (0..self.plain(), self.plain()..self.everywhere())
    }

    /// Those that are one of `bases` in some place alone.
    pub(super) fn in_places(&self, bases: &BTreeSet<usize>) -> Vec<usize> {
        (self.everywhere()..self.count()).filter(|&number| bases.contains(&self.base(number))).collect()
    }

    /// One in words, with its place.
    pub(super) fn sentence(&self, number: usize, instruction: &Instruction) -> String {
        format!("{} ({})", self.says(number), self.place(number, instruction))
    }
}

/// What can matter in a case.
#[derive(Clone, Debug, Default)]
pub struct Matter {
    /// Of each mistake, by number, whether it may do anything else than the pages say.
    pub each: Vec<bool>,
    /// Steps that the case took, of which each costs about the same whatever the instruction.
    pub steps: u64,
}
