//! Where candidates are run on the evidence, and what that costs.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use tandem_isa::{AlignedBytes, Overlay, RowSet, State, Target};

use super::dictionary::{Dictionary, Matter};
use super::evidence::{Evidence, Outcome};
use super::search::Hypothesis;
use crate::bench::{Exhibit, Lineup};
use crate::{Generator, RowMap};

/// Candidates that are tried on a case before it is found out which of them can matter in it.
const ASKED_BLINDLY: u8 = 6;
/// Steps that it takes to run a candidate, beside its own, about, …
const RUN: u64 = 1_000;

/// Steps that it takes to make a case and to ask the target.
pub(super) const ASK: u64 = 6_000;

/// Cases that were kept, and where candidates are run on them.
pub(super) struct Docket<'a> {
    pub(super) map: RowMap,
    pub(super) backgrounds: Vec<AlignedBytes>,
    pub(super) lineup: Lineup,
    /// The background that the line-up has, and `after`.
    pub(super) epoch: usize,
    pub(super) overlay: Overlay,
    pub(super) after: State,
    pub(super) dictionary: &'a (dyn Dictionary + 'a),
    /// Candidates that were refuted.
    pub(super) banned: BTreeSet<usize>,
    /// Candidates that were made, alone or several at once.
    pub(super) made: HashMap<Vec<usize>, Box<dyn Target>>,
    /// Candidates that explain a case alone: of those from one on, tried on so many cases of so many that differ.
    pub(super) passed: BTreeMap<(usize, usize, usize), Vec<usize>>,
    /// Of how many cases nothing alone was found to explain a good part.
    pub(super) unclear: usize,
    /// Cases of which it is known how many steps they take, and these steps.
    pub(super) known: (u64, u64),
    /// Whether those that are not tried before the others are tried on plainer cases too: there some of so many fit by luck.
    pub(super) looks_further: bool,
    /// How often a case was taken to make a plainer one of it.
    pub(super) turn: usize,
    /// Steps that candidates took so far, about, …
    pub(super) spent: Rc<Cell<u64>>,
    /// … and after which no more of them are looked at.
    pub(super) most_spent: u64,
    /// Whether nothing more is to be done at all.
    pub(super) is_over: &'a dyn Fn() -> bool,
    /// Whether the first candidate that explains something was told.
    pub(super) has_told: bool,
}

impl<'a> Docket<'a> {
    pub(super) fn new(
        generator: &Generator,
        dictionary: &'a (dyn Dictionary + 'a),
        most_spent: u64,
        is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        let layout = generator.isa.layout;
        Docket {
            map: RowMap::new(layout),
            backgrounds: Vec::new(),
            lineup: Lineup::new(generator),
            epoch: usize::MAX,
            overlay: Overlay { rows: RowSet::default(), arena: AlignedBytes::zeroed(layout.arena_bytes) },
            after: State::zeroed(layout),
            dictionary,
            banned: BTreeSet::new(),
            made: HashMap::new(),
            passed: BTreeMap::new(),
            unclear: 0,
            known: (0, 0),
            looks_further: false,
            turn: 0,
            spent: Rc::default(),
            most_spent,
            is_over,
            has_told: false,
        }
    }

    /// Runs a candidate on a case and says whether it does what `what` says; nothing if it refuses the case, and so says nothing
    /// of it.
    pub(super) fn does(&mut self, set: &[usize], case: &Evidence, what: &Outcome) -> Option<bool> {
        let dictionary = self.dictionary;
        let mut made = std::mem::take(&mut self.made);
        let candidate = made.entry(set.to_vec()).or_insert_with(|| dictionary.make(set));
        let agrees = self.exhibit(case, what, |lineup, exhibit| lineup.says(&mut **candidate, exhibit));
        self.made = made;
        self.spend(RUN + self.steps_of(case));
        agrees.unwrap_or(Some(false))
    }

    /// Whether whatever a candidate changes of what the pages promise in a case the target changed in the same way.
    pub(super) fn is_part(&mut self, candidate: usize, case: &Evidence) -> bool {
        let dictionary = self.dictionary;
        let mut made = std::mem::take(&mut self.made);
        let target = made.entry(vec![candidate]).or_insert_with(|| dictionary.make(&[candidate]));
        let own = self.exhibit(case, &case.right, |lineup, exhibit| lineup.run(&mut **target, exhibit, Outcome::of));
        self.made = made;
        self.spend(RUN + self.steps_of(case));
        own.is_some_and(|own| own.lies_between(&case.right, case.done()))
    }

    /// Whether no more candidates are looked at.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.get() > self.most_spent || (self.is_over)()
    }

    /// Notes that something took so many steps.
    pub(super) fn spend(&self, steps: u64) {
        self.spent.set(self.spent.get() + steps);
    }

    /// Steps that a case takes: as many as others on average, if that is not known.
    pub(super) fn steps_of(&self, case: &Evidence) -> u64 {
        case.matter.get().map_or_else(|| self.average_steps(), |matter| matter.steps)
    }

    pub(super) fn average_steps(&self) -> u64 {
        let (cases, steps) = self.known;
        (steps / cases.max(1)).max(1)
    }

    /// Whether a candidate may do anything else in a case than the pages say. Beside other mistakes it may where this says that it
    /// does not, which other cases show.
    pub(super) fn matters(&mut self, candidate: usize, case: &Evidence) -> bool {
        self.matter_of(case).each[candidate]
    }

    /// The same, but of a case that was hardly asked about it is not found out: that takes longer than to try some candidates. What
    /// does not matter does what the pages say.
    pub(super) fn may_matter(&mut self, candidate: usize, case: &Evidence) -> bool {
        if case.matter.get().is_none() && case.asked.get() < ASKED_BLINDLY {
            case.asked.set(case.asked.get() + 1);
            return true;
        }
        self.matters(candidate, case)
    }

    /// What may matter in a case.
    pub(super) fn matter_of<'c>(&mut self, case: &'c Evidence) -> &'c Matter {
        let dictionary = self.dictionary;
        case.matter.get_or_init(|| {
            let mut matter = Matter::default();
            self.exhibit(case, &case.right, |lineup, exhibit| {
                lineup.watch(exhibit, |step, state| matter = dictionary.matters(step, state));
            });
            self.known = (self.known.0 + 1, self.known.1 + matter.steps);
            matter
        })
    }

    /// Shows a case with what was done in it; nothing if it was not answered.
    fn exhibit<T>(
        &mut self,
        case: &Evidence,
        what: &Outcome,
        look: impl FnOnce(&mut Lineup, &Exhibit<'_>) -> T,
    ) -> Option<T> {
        if self.epoch != case.epoch {
            self.epoch = case.epoch;
            self.lineup.set_background(&self.backgrounds[case.epoch]);
            self.after.arena.copy_from_slice(&self.backgrounds[case.epoch]);
        }
        let answer = what.answer?;
        self.overlay.rows.clone_from(&case.overlay.set);
        case.overlay.put(&self.map, &mut self.overlay.arena);
        case.overlay.put(&self.map, &mut self.after.arena);
        what.written.put(&self.map, &mut self.after.arena);
        self.after.small.copy_from_slice(&what.small);
        self.after.tracker.log.written.clone_from(&what.written.set);
        self.after.tracker.open.clone_from(&case.open);
        let (code, before, overlay, after) = (&case.code, &case.before, &self.overlay, &self.after);
        let result = look(&mut self.lineup, &Exhibit { code, before, overlay, answer, after });
        let touched = [&case.overlay.set, &what.written.set];
        self.map.copy(touched, &self.backgrounds[case.epoch], &mut self.after.arena);
        Some(result)
    }

    /// Whether the causes found so far, with one more candidate always or none, foretell what `what` says; nothing if they say
    /// nothing of the case.
    pub(super) fn foretells(
        &mut self,
        causes: &[Hypothesis],
        more: Option<usize>,
        case: &Evidence,
        what: &Outcome,
    ) -> Option<bool> {
        let mut set: Vec<usize> =
            causes.iter().filter(|cause| cause.holds(case)).map(|cause| cause.candidate).chain(more).collect();
        set.sort_unstable();
        set.dedup();
        self.does(&set, case, what)
    }
}
