//! Settling gathered cases: they are sent as a batch, and if something goes wrong, the case that did it is looked for.
//!
//! After a batch the arena behind the border must have the hash of the background. If it has not, the shortest beginning
//! of the batch that shows it ends with the case that strayed; the background wipes it out. If the target misbehaves, it
//! is begun anew and the batch is sent in parts, and a part in which it goes wrong again is sent case by case. So a
//! target that hangs does that two or three times and not once for each halving, since every time costs the limit. A case
//! that does it alone, on a target that was begun anew or reset, has done it; all others are judged by a run in which
//! nothing went wrong.
//!
//! What is bad in every case would be looked for in every case. So a block has a [`Patience`]: once it is used up, cases
//! among which something went wrong count for nothing.
//!
//! What goes wrong outside of a batch, when the target is begun anew, given its background or told to forget, is no case's
//! doing. It is taken down with the case that could not be asked, and the others are asked all the same.

use std::ops::Range;

use tandem_isa::{Answers, Border, Call, Code, Layout, Misbehaviour, MisbehaviourKind, Parts, Reasons, SaltPlan};

use super::check::{Form, Match};
use super::gather::GatheredCases;
use super::judge::Judge;
use super::locate::{Hint, StrayCase, locate};
use crate::terms::with_parts;
use crate::{CaseOutcome, Difference, Disputes, Kind};

/// Cases in a part of a batch that went wrong: about as many as there are parts in a block.
const PART: usize = 32;

/// What is looked for in a block, at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Cases that stray.
    strays: u32,
    /// Answers that are none.
    malformed: u32,
    /// Ends.
    crashes: u32,
    /// Answers that do not come, each of which costs the limit.
    hangs: u32,
    /// Where a case strayed last.
    hint: Hint,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { strays: 8, malformed: 8, crashes: 8, hangs: 2, hint: Hint::default() }
    }
}

impl Patience {
    /// That of all questions about an instruction, which ask whether a target answers, and not whether it is right.
    pub(crate) fn of_questions() -> Self {
        Patience { strays: 0, malformed: 8, crashes: 8, hangs: 1, hint: Hint::default() }
    }

    /// How much of what went wrong is still looked for. What was cut because the time was over is looked for no more.
    fn of(&mut self, trouble: &Difference) -> Option<&mut u32> {
        match trouble {
            Difference::ArenaHash { .. } => Some(&mut self.strays),
            Difference::Misbehaved(Misbehaviour { kind, .. }) => match kind {
                MisbehaviourKind::Crashed => Some(&mut self.crashes),
                MisbehaviourKind::Hung => Some(&mut self.hangs),
                MisbehaviourKind::Malformed => Some(&mut self.malformed),
                MisbehaviourKind::Unfinished => None,
            },
            _ => Some(&mut self.malformed),
        }
    }

    /// Whether something that costs a start each time is looked for no more.
    pub(crate) fn is_out(&self) -> bool {
        self.malformed.min(self.crashes).min(self.hangs) == 0
    }
}

/// What a workbench needs to send gathered cases to targets behind a border.
pub(crate) struct Desk {
    /// The cases that are to be sent.
    pub(crate) gathered: GatheredCases,
    /// What became of them at the target that they were sent to last.
    pub(crate) outcomes: Vec<CaseOutcome>,
    /// Why it refused those that it refused.
    pub(crate) reasons: CaseReasons,
    /// What was cut because the time was over.
    pub(crate) unfinished: Option<Misbehaviour>,
    layout: &'static Layout,
    form: Form,
    judge: Judge,
    answers: Answers,
    /// Which answers are what the reference did.
    same: Vec<Match>,
    background: Vec<u8>,
    hash: u32,
}

impl Desk {
    /// A desk for one layout, without a background.
    pub(crate) fn new(layout: &'static Layout) -> Self {
        Desk {
            gathered: GatheredCases::default(),
            outcomes: Vec::new(),
            reasons: CaseReasons::default(),
            unfinished: None,
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

    /// Sends what was gathered; afterwards every case has its outcome. Once it is over, nothing is looked for any more.
    pub(crate) fn settle(&mut self, border: &mut dyn Border, patience: &mut Patience, is_over: &dyn Fn() -> bool) {
        let cases = self.gathered.expected.len();
        self.outcomes.clear();
        self.outcomes.resize(cases, CaseOutcome::Agreed);
        self.reasons.clear();
        if cases > 0 {
            let mut settling = Settling { desk: self, border, since: None, patience, is_over };
            for from in 0..cases {
                let Err(trouble) = settling.attempt(from, cases) else { break };
                settling.clear(&trouble);
                if !is_outside(&trouble) || !settling.cares(&trouble) {
                    settling.find(from, cases, trouble);
                    break;
                }
                settling.blame(from, vec![trouble]);
            }
        }
    }
}

impl Desk {
    /// Takes differences in what is disputed for what they are.
    pub(crate) fn excuse(&mut self, disputes: &Disputes) {
        let words = self.gathered.batch.code.len() / self.outcomes.len().max(1);
        for (case, outcome) in self.outcomes.iter_mut().enumerate() {
            let CaseOutcome::Diverged(differences) = outcome else { continue };
            let code = Code::new(&self.gathered.batch.code[case * words..(case + 1) * words]);
            let small = self.gathered.small(case).0;
            let excuse = |parts: &mut Parts<'_>| disputes.excuse(parts, differences);
            if with_parts(&code, small, &SaltPlan::default(), excuse).is_some() {
                *outcome = CaseOutcome::Disputed(std::mem::take(differences));
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

/// What went wrong in one of so many cases, of which nobody knows in which.
fn among(cases: usize, trouble: &Difference) -> Difference {
    match trouble {
        Difference::Misbehaved(why) if cases > 1 => Difference::Misbehaved(Misbehaviour {
            message: format!(
                "{}; in one of {cases} cases, and the time was over before it was known in which",
                why.message
            ),
            ..why.clone()
        }),
        other => other.clone(),
    }
}

/// Whether it is no case's doing.
fn is_outside(trouble: &Difference) -> bool {
    matches!(trouble, Difference::Misbehaved(Misbehaviour { call: Call::Describe | Call::Load | Call::Reset, .. }))
}

/// GatheredCases cases on their way to one target.
struct Settling<'a> {
    desk: &'a mut Desk,
    border: &'a mut dyn Border,
    /// The first case that ran since the target was begun anew here.
    since: Option<usize>,
    patience: &'a mut Patience,
    is_over: &'a dyn Fn() -> bool,
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

    /// Makes the target as it was before what went wrong. Of what was written behind a report, nothing is left when the
    /// background is handed over again, which happens by itself.
    fn clear(&mut self, trouble: &Difference) {
        match trouble {
            Difference::ArenaHash { .. } => {
                let _ = self.border.reset();
                self.since = None;
            }
            _ => self.begin_anew(),
        }
    }

    /// Whether the like of it is still looked for.
    fn cares(&mut self, trouble: &Difference) -> bool {
        self.patience.of(trouble).is_some_and(|left| *left > 0) && !(self.is_over)()
    }

    /// Leaves the cases `from..to`, of which some went wrong. What they answered may have come of that: a divergence is
    /// looked at again, an agreement is none. If it was no stray, nobody knows what was answered. What is left because the time
    /// is over, and not because there was enough of it, is taken down with the first of them.
    fn leave(&mut self, from: usize, to: usize, trouble: &Difference) {
        if self.patience.of(trouble).is_some_and(|left| *left > 0) {
            self.blame(from, vec![among(to - from, trouble)]);
        }
        let left = match trouble {
            Difference::ArenaHash { .. } => CaseOutcome::Unjudged,
            _ => CaseOutcome::Unanswered,
        };
        for outcome in &mut self.desk.outcomes[from..to] {
            if *outcome == CaseOutcome::Agreed {
                outcome.clone_from(&left);
            }
        }
        if let Difference::Misbehaved(why @ Misbehaviour { kind: MisbehaviourKind::Unfinished, .. }) = trouble {
            self.desk.unfinished = Some(why.clone());
        }
    }

    /// Takes down what a case did.
    fn blame(&mut self, case: usize, differences: Vec<Difference>) {
        match differences.last().and_then(|trouble| self.patience.of(trouble).map(|left| (trouble, left))) {
            Some((_, left)) => *left = left.saturating_sub(1),
            // A call that was cut shows nothing, whatever went wrong before it.
            None => {
                if let Some(cut) = differences.last() {
                    return self.leave(case, case + 1, cut);
                }
            }
        }
        self.desk.outcomes[case] = CaseOutcome::Diverged(differences);
    }

    /// Looks for what went wrong in `from..to`, on a target that was cleared.
    fn find(&mut self, from: usize, to: usize, trouble: Difference) {
        if !self.cares(&trouble) {
            return self.leave(from, to, &trouble);
        }
        if matches!(trouble, Difference::ArenaHash { .. }) {
            return self.find_strays(from, to, trouble);
        }
        if to - from == 1 {
            return self.pin(from, from, trouble);
        }
        let part = if to - from > PART { PART } else { 1 };
        let mut found = false;
        for start in (from..to).step_by(part) {
            let end = to.min(start + part);
            if !self.cares(&trouble) {
                return self.leave(start, to, &trouble);
            }
            let Err(trouble) = self.attempt(start, end) else { continue };
            found = true;
            let since = self.since.unwrap_or(start);
            self.clear(&trouble);
            if end - start > 1 || !self.cares(&trouble) {
                self.find(start, end, trouble);
            } else if matches!(trouble, Difference::ArenaHash { .. }) {
                self.pin_stray(since, start, trouble);
            } else if since == start {
                // It was alone already.
                self.blame(start, vec![trouble]);
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
        self.blame(case, differences);
    }

    /// Looks for the case at which it shows what no part of `from..to` shows alone.
    fn find_sequence(&mut self, from: usize, to: usize, trouble: Difference) {
        let (mut case, mut differences) = (from, vec![Difference::Rerun(Kind::Nondeterministic), trouble]);
        if let Err(trouble) = self.attempt(from, to) {
            // The shortest beginning that shows it ends with the case.
            let (mut right, mut wrong) = (0, to - from);
            while right + 1 < wrong && !(self.is_over)() {
                let middle = right.midpoint(wrong);
                self.begin_anew();
                if self.attempt(from, from + middle).is_err() { wrong = middle } else { right = middle }
            }
            case = from + wrong - 1;
            differences = vec![Difference::Rerun(Kind::OrderDependent), trouble];
        }
        self.begin_anew();
        self.blame(case, differences);
    }

    /// Looks for the cases of `from..to` that write behind their reports, on a target that was cleared. They were sent
    /// before, and the hash was wrong.
    fn find_strays(&mut self, mut from: usize, to: usize, mut trouble: Difference) {
        while from < to {
            if !self.cares(&trouble) {
                return self.leave(from, to, &trouble);
            }
            // The shortest beginning that shows it ends with the case.
            let (mut right, mut wrong) = (0, to - from);
            while right + 1 < wrong {
                let middle = right.midpoint(wrong);
                match self.attempt(from, from + middle) {
                    Ok(()) => right = middle,
                    Err(again) => {
                        self.clear(&again);
                        if !matches!(again, Difference::ArenaHash { .. }) {
                            return self.find(from, to, again);
                        }
                        (wrong, trouble) = (middle, again);
                    }
                }
                let _ = self.border.reset();
            }
            let case = from + wrong - 1;
            self.pin_stray(from, case, trouble.clone());
            from = case + 1;
            if from < to {
                match self.attempt(from, to) {
                    Ok(()) => return,
                    Err(again) => {
                        self.clear(&again);
                        if !matches!(again, Difference::ArenaHash { .. }) {
                            return self.find(from, to, again);
                        }
                        trouble = again;
                    }
                }
            }
        }
    }

    /// Runs a case alone after which the hash was wrong, if those from `since` on ran before it.
    fn pin_stray(&mut self, since: usize, case: usize, trouble: Difference) {
        let differences = match self.attempt(case, case + 1) {
            Err(again @ Difference::ArenaHash { .. }) => {
                self.clear(&again);
                let mut differences = self.locate(case);
                differences.push(again);
                differences
            }
            Err(again) => vec![again],
            Ok(()) if since == case => vec![Difference::Rerun(Kind::Nondeterministic), trouble],
            Ok(()) => {
                let _ = self.border.reset();
                match self.attempt(since, case + 1) {
                    Err(again) => vec![Difference::Rerun(Kind::OrderDependent), again],
                    Ok(()) => vec![Difference::Rerun(Kind::Nondeterministic), trouble],
                }
            }
        };
        match differences.last() {
            Some(Difference::ArenaHash { .. }) => {
                let _ = self.border.reset();
            }
            _ => self.begin_anew(),
        }
        self.since = None;
        self.blame(case, differences);
    }

    /// The rows that a case changes behind its report.
    fn locate(&mut self, case: usize) -> Vec<Difference> {
        let Desk { gathered, layout, background, .. } = &*self.desk;
        let batch = gathered.batch.part(layout, case, case + 1);
        let stray = StrayCase { layout, background, batch: &batch };
        locate(self.border, &stray, &mut self.patience.hint)
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Batch, Code, Expectation, MACHINES, Machine, State, UNSUPPORTED};

    use super::*;
    use crate::RowMap;

    /// Answers three cases at a time, refuses those whose code word is odd, and gives every second of these a reason. The
    /// code word 10 crashes it.
    struct Odd {
        isa: &'static Machine,
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
                    return Err(Misbehaviour::new(MisbehaviourKind::Crashed, "on purpose"));
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
        let isa = MACHINES.iter().find(|isa| isa.instructions[0].base_code.len() == 1).expect("codes of one word");
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
        desk.settle(&mut border, &mut Patience::default(), &|| false);
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
        desk.settle(&mut border, &mut Patience::default(), &|| false);
        assert!(desk.outcomes.iter().all(|outcome| *outcome == CaseOutcome::Unsupported));
        assert!(desk.reasons.places.is_empty() && desk.reasons.get(3).is_none());
    }
}
