//! Settling gathered cases: they are sent as a batch, and if something goes wrong, the case that did it is looked for.
//!
//! After a batch the arena behind the border must have the hash of the background. If it has not, or if the target
//! misbehaves, the target is begun anew and the batch is sent in parts, each followed by the hash; a part in which it
//! goes wrong again is sent case by case. So a target that hangs does that two or three times and not once for each
//! halving, since every time costs the limit. A case that does it alone, on a target that was begun anew, has done it; all
//! others are judged by a run in which nothing went wrong.

use std::ops::Range;

use tandem_isa::{Answers, Border, Layout, Misbehaviour, Reasons};

use super::check::{Form, Same};
use super::gather::Gathered;
use super::judge::Judge;
use crate::{CaseOutcome, Difference, Kind};

/// Cases in a part of a batch that went wrong: about as many as there are parts in a block.
const PART: usize = 32;

/// What a workbench needs to send gathered cases to targets behind a border.
pub(crate) struct Desk {
    /// The cases that are to be sent.
    pub(crate) gathered: Gathered,
    /// What became of them at the target that they were sent to last.
    pub(crate) outcomes: Vec<CaseOutcome>,
    /// Why it refused those that it refused.
    pub(crate) reasons: CaseReasons,
    layout: &'static Layout,
    form: Form,
    judge: Judge,
    answers: Answers,
    /// Which answers are what the reference did.
    same: Vec<Same>,
    background: Vec<u8>,
    hash: u32,
}

impl Desk {
    /// A desk for one layout, without a background.
    pub(crate) fn new(layout: &'static Layout) -> Self {
        Desk {
            gathered: Gathered::default(),
            outcomes: Vec::new(),
            reasons: CaseReasons::default(),
            layout,
            form: Form::new(layout),
            judge: Judge::new(layout),
            answers: Answers::default(),
            same: Vec::new(),
            background: Vec::new(),
            hash: 0,
        }
    }

    /// Takes another background. Nothing may be gathered.
    pub(crate) fn set_background(&mut self, background: &[u8]) {
        self.background.clear();
        self.background.extend_from_slice(background);
        self.hash = crc32fast::hash(background);
        self.judge.set_background(background);
    }

    /// Sends what was gathered; afterwards every case has its outcome.
    pub(crate) fn settle(&mut self, border: &mut dyn Border) {
        let cases = self.gathered.expected.len();
        self.outcomes.clear();
        self.outcomes.resize(cases, CaseOutcome::Agreed);
        self.reasons.clear();
        if cases > 0 {
            let mut settling = Settling { desk: self, border, since: None };
            if let Err(trouble) = settling.attempt(0, cases) {
                settling.begin_anew();
                settling.find(0, cases, trouble);
            }
        }
    }
}

/// Why gathered cases were refused, as far as somebody said why.
#[derive(Default)]
pub(crate) struct CaseReasons {
    /// For each case where in `text` its reason is; there is nothing here as long as nobody gave one.
    places: Vec<Range<usize>>,
    text: String,
}

impl CaseReasons {
    fn clear(&mut self) {
        self.places.clear();
        self.text.clear();
    }

    /// Takes the reasons of the cases `answered`, of `all`, in place of those that they had.
    #[inline]
    fn take(&mut self, all: usize, answered: Range<usize>, reasons: &Reasons) {
        if self.places.is_empty() && reasons.is_empty() {
            return;
        }
        self.places.resize(all, 0..0);
        self.places[answered.clone()].fill(0..0);
        for (case, reason) in reasons.iter() {
            let start = self.text.len();
            self.text.push_str(reason);
            self.places[answered.start + case as usize] = start..self.text.len();
        }
    }

    /// The reason of a case, if it has one.
    #[inline]
    pub(crate) fn get(&self, case: usize) -> Option<&str> {
        self.places.get(case).filter(|place| !place.is_empty()).map(|place| &self.text[place.clone()])
    }
}

/// Gathered cases on their way to one target.
struct Settling<'a> {
    desk: &'a mut Desk,
    border: &'a mut dyn Border,
    /// The first case that ran since the target was begun anew here.
    since: Option<usize>,
}

impl Settling<'_> {
    /// Sends the cases `from..to` and judges them; what goes wrong with all of them is returned.
    fn attempt(&mut self, from: usize, to: usize) -> Result<(), Difference> {
        self.since.get_or_insert(from);
        let got = self.send(from, to).and_then(|()| self.border.arena_hash()).map_err(Difference::Misbehaved)?;
        let expected = self.desk.hash;
        if got == expected { Ok(()) } else { Err(Difference::ArenaHash { expected, got }) }
    }

    fn send(&mut self, from: usize, to: usize) -> Result<(), Misbehaviour> {
        let Desk { gathered, outcomes, reasons, layout, form, judge, answers, same, background, .. } = &mut *self.desk;
        self.border.load(background)?;
        let (mut next, mut most) = (from, to - from);
        while next < to {
            let end = to.min(next + most);
            let part;
            let batch = if end - next == gathered.expected.len() {
                &gathered.batch
            } else {
                part = gathered.batch.part(layout, next, end);
                &part
            };
            answers.clear();
            self.border.execute(batch, answers)?;
            let known = |case| Some((gathered.written(next + case), gathered.small(next + case).1));
            form.check_beside(batch, answers, known, same)?;
            judge.judge(gathered, next, (answers, same), outcomes);
            let answered = answers.cases as usize;
            reasons.take(gathered.expected.len(), next..next + answered, &answers.reasons);
            // Whoever answers a few cases at a time is not sent all the others again and again.
            if next + answered < end {
                most = 2 * answered;
            }
            next += answered;
        }
        Ok(())
    }

    /// Begins the target anew. If that fails, it says so when it is used next.
    fn begin_anew(&mut self) {
        let _ = self.border.restart();
        self.since = None;
    }

    /// Looks for what went wrong in `from..to`, on a target that was begun anew.
    fn find(&mut self, from: usize, to: usize, trouble: Difference) {
        if to - from == 1 {
            return self.pin(from, from, trouble);
        }
        let part = if to - from > PART { PART } else { 1 };
        let mut found = false;
        for start in (from..to).step_by(part) {
            let end = to.min(start + part);
            let Err(trouble) = self.attempt(start, end) else { continue };
            found = true;
            let since = self.since.unwrap_or(start);
            self.begin_anew();
            if end - start > 1 {
                self.find(start, end, trouble);
            } else if since == start {
                // It was alone already.
                self.desk.outcomes[start] = CaseOutcome::Diverged(vec![trouble]);
            } else {
                self.pin(since, start, trouble);
            }
        }
        if !found {
            self.begin_anew();
            self.find_sequence(from, to, trouble);
        }
    }

    /// Runs a case alone that went wrong after those from `since` on.
    fn pin(&mut self, since: usize, case: usize, trouble: Difference) {
        let differences = match self.attempt(case, case + 1) {
            Err(again) => vec![again],
            Ok(()) if since == case => vec![Difference::Rerun(Kind::Nondeterministic), trouble],
            Ok(()) => {
                self.begin_anew();
                let again = self.attempt(since, case + 1).is_err();
                let kind = if again { Kind::OrderDependent } else { Kind::Nondeterministic };
                vec![Difference::Rerun(kind), trouble]
            }
        };
        self.begin_anew();
        self.desk.outcomes[case] = CaseOutcome::Diverged(differences);
    }

    /// Looks for the case at which it shows what no part of `from..to` shows alone.
    fn find_sequence(&mut self, from: usize, to: usize, trouble: Difference) {
        let (mut case, mut differences) = (from, vec![Difference::Rerun(Kind::Nondeterministic), trouble]);
        if let Err(trouble) = self.attempt(from, to) {
            // The shortest beginning that shows it ends with the case.
            let (mut right, mut wrong) = (0, to - from);
            while right + 1 < wrong {
                let middle = right.midpoint(wrong);
                self.begin_anew();
                if self.attempt(from, from + middle).is_err() { wrong = middle } else { right = middle }
            }
            case = from + wrong - 1;
            differences = match trouble {
                Difference::ArenaHash { .. } => vec![trouble],
                _ => vec![Difference::Rerun(Kind::OrderDependent), trouble],
            };
        }
        self.begin_anew();
        self.desk.outcomes[case] = CaseOutcome::Diverged(differences);
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Batch, Code, Expectation, ISAS, Isa, State, UNSUPPORTED};

    use super::*;
    use crate::RowMap;

    /// Answers three cases at a time, refuses those whose code word is odd, and gives every second of these a reason. The
    /// code word 10 crashes it.
    struct Odd {
        isa: &'static Isa,
        sent: usize,
    }

    impl Border for Odd {
        fn load(&mut self, _: &[u8]) -> Result<(), Misbehaviour> {
            Ok(())
        }

        fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
            answers.clear();
            answers.cases = batch.cases.min(3);
            for case in 0..answers.cases {
                self.sent += 1;
                let word = batch.code[case as usize];
                if word == 10 {
                    return Err(Misbehaviour::new(tandem_isa::MisbehaviourKind::Crashed, "on purpose"));
                }
                answers.outcome.push(if word % 2 == 1 { UNSUPPORTED } else { 0 });
                answers.dirty_end.push(0);
                if word % 4 == 3 {
                    answers.reasons.push(case, &format!("it is {word}"));
                }
            }
            answers.small.extend_from_slice(&batch.small[..answers.cases as usize * self.isa.layout.small_bytes]);
            Ok(())
        }

        fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
            Ok(crc32fast::hash(&self.isa.base_state().arena))
        }

        fn reset(&mut self) -> Result<(), Misbehaviour> {
            Ok(())
        }

        fn restart(&mut self) -> Result<(), Misbehaviour> {
            Ok(())
        }
    }

    #[test]
    fn every_case_keeps_its_own_reason() {
        let isa = ISAS.iter().find(|isa| isa.instructions[0].base_code.len() == 1).expect("codes of one word");
        let state = isa.base_state();
        let mut desk = Desk::new(isa.layout);
        desk.set_background(&state.arena);
        let gather = |desk: &mut Desk, words: &mut dyn Iterator<Item = u32>| {
            let fresh: &State = &isa.base_state();
            desk.gathered.clear();
            for (place, word) in (0..).zip(words) {
                desk.gathered.begin(&Code::new(&[word]), &fresh.small);
                desk.gathered.end(place, Expectation::Done, fresh, &RowMap::new(isa.layout));
            }
        };
        let mut border = Odd { isa, sent: 0 };
        // The target crashes in the middle, and cases are sent again in other parts.
        gather(&mut desk, &mut (0..20));
        desk.settle(&mut border);
        for case in 0..20 {
            let expected = match &desk.outcomes[case] {
                CaseOutcome::Diverged(_) => 10,
                outcome => usize::from(*outcome == CaseOutcome::Unsupported),
            };
            assert_eq!(expected, if case == 10 { 10 } else { case % 2 }, "{case}");
            assert_eq!(desk.reasons.get(case).map(str::to_string), (case % 4 == 3).then(|| format!("it is {case}")));
        }
        assert!(border.sent > 25, "it was sent cases again: {}", border.sent);
        // Where nobody gives a reason nothing is kept.
        gather(&mut desk, &mut (0..20).map(|word| 4 * word + 1));
        desk.settle(&mut border);
        assert!(desk.outcomes.iter().all(|outcome| *outcome == CaseOutcome::Unsupported));
        assert!(desk.reasons.places.is_empty() && desk.reasons.get(3).is_none());
    }
}
