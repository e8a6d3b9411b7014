//! Tests that were refused: what was done of a program before counts, and nothing else may have changed.

use tandem_isa::{Answer, Isa, Layout, OpenBits, RowSet, State, Step};

use super::super::model::Test;
use super::Replayer;
use crate::foreign::UNSAID;
use crate::judge::{all_rows, refused_differences, row_differences, small_differences};
use crate::{CaseValue, Difference, Kind};

/// What a target left after some steps of a test, beside what the reference leaves.
enum Prefix {
    /// The same.
    As,
    /// The pages promise nothing for one of the steps.
    Free,
    /// One of the steps is held, and so not done.
    Held,
    /// Something else.
    Other {
        /// The state before the last of the steps.
        before: Box<State>,
        /// The rows that this step writes.
        written: Box<RowSet>,
    },
}

impl Replayer {
    /// What is wrong with a test that was refused after `done` of its steps, and at which of them it shows: nothing, if these did
    /// what they must and nothing else changed.
    pub(super) fn refused(
        &mut self,
        index: usize,
        (isa, test): (&Isa, &Test),
        steps: &[Step<'_>],
        (done, before): (usize, &[CaseValue]),
    ) -> Option<(usize, Vec<Difference>)> {
        let layout = isa.layout;
        let all = all_rows(layout);
        if done == UNSAID {
            return self.refused_somewhere((isa, test), steps);
        }
        match self.compare_prefix((isa, test), &steps[..done]) {
            Prefix::As | Prefix::Free => {
                if done == 0 {
                    self.expected.undo(&self.bench.base, test);
                    self.got.undo(&self.bench.base, test);
                }
                return None;
            }
            Prefix::Held | Prefix::Other { .. } => {}
        }
        // Either one of the steps that were done is wrong, or something changed in the one that was refused.
        for end in 1..=done {
            let came = self.execute(index, (isa, test), &steps[..end], before);
            let own = match (came, self.compare_prefix((isa, test), &steps[..end])) {
                (Err(differences), _) => differences,
                (_, Prefix::Free) => return None,
                (Ok((_, Answer::Done)), Prefix::As) => continue,
                (Ok((_, got @ Answer::Done)), Prefix::Held) => {
                    vec![Difference::Answer { expected: Answer::Blocked, got }]
                }
                (Ok((_, Answer::Done)), Prefix::Other { before, written }) => {
                    let (expected, got) = (&self.expected.state, &self.got.state);
                    let arenas: (&[u8], &[u8], &[u8]) = (&before.arena, &expected.arena, &got.arena);
                    let mut differences =
                        row_differences(layout, &all, (&written, &got.tracker.log.written), arenas, &[]);
                    differences.extend(small_differences(layout, &before.small, &expected.small, &got.small));
                    differences
                }
                // Alone it is refused: what it was told about the steps behind matters to it.
                (Ok((_, Answer::Unsupported)), _) => break,
                (Ok((_, got)), _) => vec![Difference::Answer { expected: Answer::Done, got }],
            };
            return Some((end - 1, own));
        }
        let _ = self.execute(index, (isa, test), steps, before);
        match self.compare_prefix((isa, test), &steps[..done]) {
            Prefix::Other { .. } => Some((done, self.changed(layout))),
            // The second time it changed nothing.
            Prefix::As | Prefix::Free | Prefix::Held => Some((done, vec![Difference::Rerun(Kind::Nondeterministic)])),
        }
    }

    /// What is wrong with a test that was refused at a step that nobody names: nothing, if what the steps before one of them do was
    /// done. Else that step, for which the least else has changed.
    fn refused_somewhere(
        &mut self,
        (isa, test): (&Isa, &Test),
        steps: &[Step<'_>],
    ) -> Option<(usize, Vec<Difference>)> {
        let mut least: Option<(usize, Vec<Difference>)> = None;
        for done in 0..steps.len() {
            match self.compare_prefix((isa, test), &steps[..done]) {
                Prefix::As | Prefix::Free => return None,
                Prefix::Held => break,
                Prefix::Other { .. } => {
                    let changes = self.changed(isa.layout);
                    if least.as_ref().is_none_or(|(_, least)| changes.len() < least.len()) {
                        least = Some((done, changes));
                    }
                }
            }
        }
        least
    }

    /// What changed in a refusal: what is in `got` and not in `expected`.
    fn changed(&self, layout: &Layout) -> Vec<Difference> {
        let (expected, got) = (&self.expected.state, &self.got.state);
        let (expected, got) = ((&expected.small[..], &expected.arena[..]), (&got.small[..], &got.arena[..]));
        refused_differences(layout, &all_rows(layout), expected, got)
    }

    /// Holds `got` against what the reference makes of the first steps of a test, which is in `expected` then; in bits that they
    /// leave open that is what `got` has.
    fn compare_prefix(&mut self, (isa, test): (&Isa, &Test), steps: &[Step<'_>]) -> Prefix {
        let expected = self.expected.begin(&self.bench.base, test, isa);
        let mut before = None;
        for (place, step) in steps.iter().enumerate() {
            if place + 1 == steps.len() {
                let mut state = State::zeroed(isa.layout);
                state.copy_from(expected);
                expected.tracker.log.clear();
                before = Some(Box::new(state));
            }
            match self.bench.reference.execute_behind(step, expected).required_answer() {
                None => return Prefix::Free,
                Some(Answer::Done) => {}
                Some(_) => return Prefix::Held,
            }
        }
        let got = &self.got.state;
        OpenBits::settle(&expected.tracker.open, isa.layout, &got.arena, &mut expected.arena);
        if *expected.arena == *got.arena && *expected.small == *got.small {
            return Prefix::As;
        }
        let written = Box::new(expected.tracker.log.written.clone());
        let before = before.unwrap_or_else(|| {
            let mut state = State::zeroed(isa.layout);
            state.copy_from(expected);
            Box::new(state)
        });
        Prefix::Other { before, written }
    }
}
