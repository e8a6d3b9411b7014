//! Many candidates on one case: the case is drawn and its answer is known, and each candidate says whether it would have
//! given that answer.

use std::sync::Arc;

use tandem_isa::{AlignedBytes, Answer, Code, Edition, Instruction, OpenBits, Overlay, State, Step, Target};

use crate::judge::guarded;
use crate::{Generator, IsaSuite, Pools, RowMap, Workbench};

/// A case and what came of it.
pub struct Exhibit<'a> {
    /// The code words.
    pub code: &'a Code,
    /// The small state before.
    pub before: &'a [u8],
    /// The rows that differ from the background before.
    pub overlay: &'a Overlay,
    /// The answer.
    pub answer: Answer,
    /// The state after; its log names the rows that were written, and the bits that are open.
    pub after: &'a State,
}

/// Runs candidates on cases, one at a time, on a state of its own.
pub struct Lineup {
    instruction: &'static Instruction,
    edition: Edition,
    map: RowMap,
    state: State,
    background: AlignedBytes,
}

impl Lineup {
    /// A line-up for cases of an instruction, on a background.
    #[must_use]
    pub fn new(generator: &Generator) -> Self {
        let layout = generator.isa.layout;
        let mut lineup = Lineup {
            instruction: generator.instruction,
            edition: generator.edition,
            map: RowMap::new(layout),
            state: State::zeroed(layout),
            background: generator.arena().clone(),
        };
        lineup.set_background(generator.arena());
        lineup
    }

    /// The cases that follow are on this background.
    pub fn set_background(&mut self, arena: &AlignedBytes) {
        self.background.copy_from_slice(arena);
        self.state.arena.copy_from_slice(arena);
    }

    /// Has `run` execute the case, and puts everything back. What `look` is given is the answer, or nothing if it panicked, and
    /// the state after it.
    fn execute<R>(
        &mut self,
        case: &Exhibit<'_>,
        run: impl FnOnce(&Step<'_>, &mut State) -> Answer,
        look: impl FnOnce(&RowMap, Option<Answer>, &State) -> R,
    ) -> R {
        let Exhibit { code, before, overlay, after, .. } = *case;
        let state = &mut self.state;
        state.small.copy_from_slice(before);
        self.map.copy([&overlay.rows], &overlay.arena, &mut state.arena);
        let step = Step { instruction: self.instruction, edition: self.edition, code };
        let answer = guarded(|| run(&step, state)).ok();
        // What is open is taken to be as it was.
        OpenBits::settle(&after.tracker.open, state.layout, &after.arena, &mut state.arena);
        let seen = look(&self.map, answer, state);
        let touched = [&overlay.rows, &after.tracker.log.written, &state.tracker.log.written];
        self.map.copy(touched, &self.background, &mut state.arena);
        state.tracker.clear();
        seen
    }

    /// Executes the case without looking at what comes of it.
    ///
    /// # Panics
    /// If `run` does.
    pub fn watch(&mut self, case: &Exhibit<'_>, run: impl FnOnce(&Step<'_>, &mut State)) {
        let run = |step: &Step<'_>, state: &mut State| {
            run(step, state);
            Answer::Done
        };
        let answer = self.execute(case, run, |_, answer, _| answer);
        assert!(answer.is_some(), "what only watches does not panic");
    }

    /// Whether a candidate gives the answer of a case, and leaves the state that it left.
    pub fn agrees(&mut self, candidate: &mut dyn Target, case: &Exhibit<'_>) -> bool {
        self.says(candidate, case) == Some(true)
    }

    /// Whether a candidate gives the answer of a case, and leaves the state that it left; nothing if it refuses the case.
    pub fn says(&mut self, candidate: &mut dyn Target, case: &Exhibit<'_>) -> Option<bool> {
        let Exhibit { overlay, answer, after, .. } = *case;
        self.run(candidate, case, |map, got, state| {
            let touched = [&after.tracker.log.written, &overlay.rows, &state.tracker.log.written];
            let is_same = || *state.small == *after.small && map.equal(touched, &state.arena, &after.arena);
            (got != Some(Answer::Unsupported)).then(|| got == Some(answer) && is_same())
        })
    }

    /// Has a candidate execute a case. What `look` is given is its answer, or nothing if it panicked, and the state after it.
    pub fn run<R>(
        &mut self,
        candidate: &mut dyn Target,
        case: &Exhibit<'_>,
        look: impl FnOnce(&RowMap, Option<Answer>, &State) -> R,
    ) -> R {
        self.execute(case, |step, state| candidate.execute(step, state), look)
    }
}

/// The promised cases of one instruction in one edition in the order of a campaign, at most `cases` of them: `look` is given
/// the number of each and the words that the reference wrote up to and with it, and says whether to go on.
pub fn each_case(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    pools: &Arc<Pools>,
    (seed, cases): (u64, u64),
    mut look: impl FnMut(&mut Lineup, &Exhibit<'_>, FirstDifference) -> bool,
) {
    let generator = Generator::new(suite.isa, instruction, edition, seed, Arc::clone(pools));
    let mut lineup = Lineup::new(&generator);
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    let map = RowMap::new(suite.isa.layout);
    let (mut datums, mut goes_on) = (0, true);
    for number in 0..cases {
        if !goes_on {
            break;
        }
        let id = bench.generator.id(number);
        if !bench.generator.in_epoch(id.index) {
            bench.enter_epoch(id.index);
            lineup.set_background(bench.generator.arena());
        }
        bench.capture(&id, |expectation, code, before, after| {
            let Some(answer) = expectation.required_answer() else { return };
            after.tracker.log.written.each_run(|row, count| datums += map.words(row, count));
            let case = Exhibit { code, before, overlay: &after.tracker.overlay, answer, after };
            goes_on = look(&mut lineup, &case, FirstDifference { cases: number + 1, datums });
        });
    }
}

/// When a candidate first differed from the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// Cases up to and with it.
    pub cases: u64,
    /// Words compared in them.
    pub datums: u64,
}
