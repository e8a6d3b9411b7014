//! Cases by value, of which it is asked whether mistakes foretell what a target does in them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use tandem_isa::{Answer, State, Step, Target};

use super::cause::{Atom, levels_of};
use super::dictionary::Dictionary;
use crate::judge::guarded;
use crate::{CaseValue, IsaSuite, TargetFactory};

/// Asks a target and mistakes.
pub(crate) struct Predictor<'a> {
    dictionary: &'a (dyn Dictionary + 'a),
    base: State,
    sides: RefCell<Sides>,
}

struct Sides {
    target: Box<dyn Target>,
    /// Mistakes that were made, alone or several at once.
    made: BTreeMap<Vec<usize>, Box<dyn Target>>,
    states: [State; 2],
}

impl<'a> Predictor<'a> {
    pub(crate) fn new(suite: &IsaSuite, factory: &TargetFactory, dictionary: &'a (dyn Dictionary + 'a)) -> Self {
        let fresh = || suite.isa.base_state();
        let sides = Sides { target: factory.make(), made: BTreeMap::new(), states: [fresh(), fresh()] };
        Predictor { dictionary, base: fresh(), sides: RefCell::new(sides) }
    }

    /// Whether mistakes, one of these sets of them, do in a case what the target does.
    fn is_foretold_by_any(&self, sets: &[Vec<usize>], value: &CaseValue) -> bool {
        let mut sides = self.sides.borrow_mut();
        let Sides { target, made, states: [foretold, done] } = &mut *sides;
        let run = |target: &mut dyn Target, state: &mut State| -> Option<Answer> {
            state.copy_from(&self.base);
            value.apply(state);
            let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
            let answer = guarded(|| {
                target.reset();
                target.execute(&step, state)
            });
            state.tracker.clear();
            answer.ok()
        };
        let answer = run(&mut **target, done);
        let does = |set: &Vec<usize>| {
            let candidate = made.entry(set.clone()).or_insert_with(|| self.dictionary.make(set));
            let said = run(&mut **candidate, foretold);
            said == answer && *foretold.small == *done.small && *foretold.arena == *done.arena
        };
        answer.is_some() && sets.iter().any(does)
    }

    /// Whether mistakes do in a case what the target does.
    pub(crate) fn is_foretold(&self, set: &[usize], value: &CaseValue) -> bool {
        self.is_foretold_by_any(&[set.to_vec()], value)
    }

    /// Whether mistakes, those of them whose conditions hold, do in a case what the target does.
    pub(crate) fn is_foretold_by<'c>(
        &self,
        causes: impl Iterator<Item = (&'c [Atom], usize)>,
        value: &CaseValue,
    ) -> bool {
        self.is_foretold_by_any(&[holding(causes, value)], value)
    }

    /// The same, or one of them alone does: what one cause explains is its own, whatever others would do to it.
    pub(crate) fn is_told_by<'c>(&self, causes: impl Iterator<Item = (&'c [Atom], usize)>, value: &CaseValue) -> bool {
        let all = holding(causes, value);
        let alone = all.iter().map(|&one| vec![one]).collect::<Vec<_>>();
        self.is_foretold_by_any(&[vec![all], alone].concat(), value)
    }
}

/// The mistakes whose conditions hold in a case.
fn holding<'c>(causes: impl Iterator<Item = (&'c [Atom], usize)>, value: &CaseValue) -> Vec<usize> {
    let levels = value.with_parts(|parts| levels_of(value.instruction, value.edition, parts));
    let holds = |guard: &[Atom]| guard.iter().all(|atom| atom.holds(&levels));
    let mut set: Vec<usize> = causes.filter(|(guard, _)| holds(guard)).map(|(_, candidate)| candidate).collect();
    set.sort_unstable();
    set.dedup();
    set
}
