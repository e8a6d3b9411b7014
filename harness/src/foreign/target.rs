//! A target behind the border.
//!
//! The campaign sends it batches by [`Target::border`]. [`Target::execute`] is the slow way, for single cases, replays
//! and minimizing: a batch of one case, and the hash of the arena after it.

use std::panic::resume_unwind;

use tandem_isa::{
    Answer, Answers, Batch, Border, Call, Edition, Facts, Machine, Misbehaviour, MisbehaviourKind, State, Step, Target,
    TargetInfo, one_by_one,
};

use super::check::{self, Form};
use super::locate::{Hint, StrayCase, locate};
use crate::judge::{StrayWrite, guarded};
use crate::{Difference, RowMap};

/// How many steps were done before one was refused, as [`Target::execute_all`] gives it for a target behind the border that does
/// not say so: it may be any of them.
pub const UNSAID: usize = usize::MAX;

/// A target behind the border. After it misbehaved it is begun anew when it is used next; if that fails it is lost, and
/// says so for every case.
pub struct Foreign {
    info: TargetInfo,
    isa: &'static Machine,
    implemented: Vec<bool>,
    claims: Option<String>,
    max_steps: usize,
    border: ReadyBorder,
    form: Form,
    map: RowMap,
    batch: Batch,
    answers: Answers,
    /// Where it wrote behind its report last.
    hint: Hint,
}

impl Foreign {
    /// The target that `border` leads to. `implemented` says for each instruction of `isa` whether it has it.
    #[must_use]
    pub fn new(info: TargetInfo, isa: &'static Machine, implemented: Vec<bool>, border: Box<dyn Border>) -> Self {
        Foreign {
            info,
            isa,
            implemented,
            claims: None,
            max_steps: 1,
            border: ReadyBorder::new(border),
            form: Form::new(isa.layout),
            map: RowMap::new(isa.layout),
            batch: Batch::default(),
            answers: Answers::default(),
            hint: Hint::default(),
        }
    }

    /// The same target with the text of its claims.
    #[must_use]
    pub fn with_claims(self, claims: Option<String>) -> Self {
        Foreign { claims, ..self }
    }

    /// The same target, which takes as many steps of a case at once.
    #[must_use]
    pub fn with_max_steps(self, max_steps: usize) -> Self {
        Foreign { max_steps, ..self }
    }

    /// Makes the case in `state` the only one of the batch: its overlay is what differs from the background.
    fn pack(&mut self, steps: &[Step<'_>], state: &State) -> Result<(), Misbehaviour> {
        let batch = &mut self.batch;
        batch.clear();
        let number = |step: &Step<'_>| u32::try_from(step.instruction.index).expect("an instruction's number fits");
        let [first, then @ ..] = steps else { panic!("a case has a step") };
        batch.instruction = number(first);
        batch.then.extend(then.iter().map(number));
        batch.edition = edition_number(first.edition);
        batch.cases = 1;
        steps.iter().for_each(|step| batch.code.extend_from_slice(step.code));
        batch.small.extend_from_slice(&state.small);
        if self.border.background.len() == state.arena.len() {
            for bank in state.layout.banks {
                for row in 0..bank.rows() {
                    let range = bank.row_range(row);
                    if self.border.background[range.clone()] != state.arena[range.clone()] {
                        batch.overlay_row.push(u32::try_from(bank.first_row + row).expect("a row's number fits"));
                        batch.overlay_data.extend_from_slice(&state.arena[range]);
                    }
                }
            }
        }
        // An overlay of half the arena costs more than a new background, and says less about what is read beside it.
        if self.border.background.len() != state.arena.len() || 2 * batch.overlay_data.len() > state.arena.len() {
            batch.overlay_row.clear();
            batch.overlay_data.clear();
            self.border.load(&state.arena)?;
        }
        batch.overlay_end.push(u32::try_from(batch.overlay_row.len()).expect("the number of rows fits"));
        Ok(())
    }

    /// Runs the steps as one case: how many are done, and the answer to the last that it came to.
    fn run(
        &mut self,
        steps: &[Step<'_>],
        state: &mut State,
    ) -> Result<((usize, Answer), Option<StrayWrite>), Misbehaviour> {
        self.pack(steps, state)?;
        self.border.execute(&self.batch, &mut self.answers)?;
        if let Err(misbehaviour) = self.form.check(&self.batch, &self.answers) {
            self.border.doubt();
            return Err(misbehaviour);
        }
        state.small.copy_from_slice(&self.answers.small);
        let mut data = &self.answers.dirty_data[..];
        for &row in &self.answers.dirty_row {
            let range = self.map.range(row as usize, 1);
            let (contents, rest) = data.split_at(range.len());
            data = rest;
            state.arena[range].copy_from_slice(contents);
            state.tracker.log.written.insert(row as usize);
        }
        let (expected, got) = (self.border.background_hash(), self.border.arena_hash()?);
        let stray = (got != expected).then(|| {
            let background = self.border.background.clone();
            let stray = StrayCase { layout: self.isa.layout, background: &background, batch: &self.batch };
            StrayWrite { expected, got, rows: locate(&mut self.border, &stray, &mut self.hint) }
        });
        let answer = answer_of(self.answers.outcome[0]);
        let done = match (self.answers.done.first(), answer) {
            (_, Answer::Done) => steps.len(),
            (None, _) => 0,
            (Some(&check::UNSAID), _) => UNSAID,
            (Some(&done), _) => done as usize,
        };
        Ok(((done, answer), stray))
    }

    fn run_or_unwind(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        match self.run(steps, state) {
            Ok((came, None)) => came,
            Ok((_, Some(stray))) => resume_unwind(Box::new(stray)),
            Err(misbehaviour) => {
                self.border.deferred = None;
                resume_unwind(Box::new(misbehaviour))
            }
        }
    }
}

/// The number of an edition at the border.
pub(crate) const fn edition_number(edition: Edition) -> u32 {
    match edition {
        Edition::Spec => 0,
        Edition::Newest => 1,
    }
}

/// The answer with a number that was checked.
pub(crate) const fn answer_of(outcome: u32) -> Answer {
    match outcome {
        0 => Answer::Done,
        1 => Answer::Blocked,
        _ => Answer::Unsupported,
    }
}

impl Target for Foreign {
    fn info(&self) -> TargetInfo {
        self.info.clone()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        instruction.isa == self.isa.name && self.implemented.get(instruction.index).copied().unwrap_or(false)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.run_or_unwind(&[*step], state).1
    }

    fn max_steps(&self) -> usize {
        self.max_steps
    }

    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        if steps.len() > self.max_steps { one_by_one(self, steps, state) } else { self.run_or_unwind(steps, state) }
    }

    fn reset(&mut self) {
        // What goes wrong here is told when the target is used next.
        let _ = self.border.reset();
    }

    fn claims(&self) -> Option<String> {
        self.claims.clone()
    }

    fn refusal(&mut self) -> Option<String> {
        self.answers.reasons.iter().next().map(|(_, reason)| reason.to_string())
    }

    fn border(&mut self) -> Option<&mut dyn Border> {
        Some(&mut self.border)
    }
}

/// In which condition somebody behind the border is.
enum Condition {
    /// It runs, without a background.
    Empty,
    /// It runs, with the background.
    Ready,
    /// It misbehaved: it is to be begun anew.
    Doubtful,
    /// It could not be begun anew.
    Lost(Misbehaviour),
}

/// A border that is made ready before it is used: begun anew after a misbehaviour, and given its background again.
struct ReadyBorder {
    border: Box<dyn Border>,
    /// The background that was handed over last, if any was.
    background: Vec<u8>,
    /// Its hash, once somebody asked.
    hash: Option<u32>,
    condition: Condition,
    /// Whether its arena was not the background: once it has that again, it is asked whether it took it.
    strayed: bool,
    /// What went wrong when nobody waited for an answer: it is told when the target is used next.
    deferred: Option<Misbehaviour>,
}

impl ReadyBorder {
    fn new(border: Box<dyn Border>) -> Self {
        let condition = Condition::Empty;
        ReadyBorder { border, background: Vec::new(), hash: None, condition, strayed: false, deferred: None }
    }

    /// What went wrong and was not told.
    fn tell(&mut self) -> Result<(), Misbehaviour> {
        self.deferred.take().map_or(Ok(()), Err)
    }

    /// Has it begun anew before it is used again.
    fn doubt(&mut self) {
        if !matches!(self.condition, Condition::Lost(_)) {
            self.condition = Condition::Doubtful;
        }
    }

    fn background_hash(&mut self) -> u32 {
        *self.hash.get_or_insert_with(|| crc32fast::hash(&self.background))
    }

    /// Asks something of the border. What it does wrong is remembered; a panic of its code is a crash.
    fn ask<T>(
        &mut self,
        call: Call,
        ask: impl FnOnce(&mut dyn Border) -> Result<T, Misbehaviour>,
    ) -> Result<T, Misbehaviour> {
        let border = &mut *self.border;
        let asked = guarded(|| ask(border)).unwrap_or_else(|differences| {
            let message = match &differences[..] {
                [Difference::Panic(message)] => message.clone(),
                other => format!("{other:?}"),
            };
            Err(Misbehaviour::new(MisbehaviourKind::Crashed, message))
        });
        // One that could not be started says so, whatever it is asked.
        let asked = asked.map_err(|why| if why.call == Call::Describe { why } else { Misbehaviour { call, ..why } });
        match &asked {
            Ok(_) => {}
            // The time of the run is over: nobody waits until it was begun anew.
            Err(cut) if cut.kind == MisbehaviourKind::Unfinished => {
                self.condition = Condition::Lost(Misbehaviour { case: None, ..cut.clone() });
            }
            Err(_) => self.doubt(),
        }
        asked
    }

    /// Says that it is lost.
    fn lose(&mut self, why: Misbehaviour) -> Misbehaviour {
        let message = format!("lost, it cannot be begun again: {}", why.message);
        let lost = Misbehaviour { message, case: None, ..why };
        self.condition = Condition::Lost(lost.clone());
        lost
    }

    /// Begins it anew.
    fn begin_anew(&mut self) -> Result<(), Misbehaviour> {
        if let Condition::Lost(lost) = &self.condition {
            return Err(lost.clone());
        }
        match self.ask(Call::Describe, |border| border.restart()) {
            Ok(()) => {
                self.condition = Condition::Empty;
                self.strayed = false;
                Ok(())
            }
            Err(why) => Err(self.lose(why)),
        }
    }

    /// Makes it ready, at most once for each use.
    fn make_ready(&mut self) -> Result<(), Misbehaviour> {
        let anew = matches!(self.condition, Condition::Doubtful);
        if anew {
            self.begin_anew()?;
        }
        match &self.condition {
            Condition::Ready => Ok(()),
            Condition::Lost(lost) => Err(lost.clone()),
            Condition::Empty | Condition::Doubtful => {
                let background = std::mem::take(&mut self.background);
                let loaded = if background.is_empty() {
                    Ok(())
                } else {
                    self.ask(Call::Load, |border| border.load(&background))
                };
                self.background = background;
                match loaded {
                    Ok(()) if self.strayed => return self.make_ready_after_stray(),
                    Ok(()) => self.condition = Condition::Ready,
                    // One that was just begun anew and takes no background will not do so the next time.
                    Err(why) => return Err(if anew { self.lose(why) } else { why }),
                }
                Ok(())
            }
        }
    }

    /// Sees that a background wiped out what was written behind a report; if it did not, only beginning anew does.
    fn make_ready_after_stray(&mut self) -> Result<(), Misbehaviour> {
        self.strayed = false;
        if self.ask(Call::Hash, |border| border.arena_hash())? != self.background_hash() {
            self.doubt();
            return self.make_ready();
        }
        self.condition = Condition::Ready;
        Ok(())
    }
}

impl Border for ReadyBorder {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        if !matches!(self.condition, Condition::Ready) || self.background != arena {
            self.background.clear();
            self.background.extend_from_slice(arena);
            self.hash = None;
            if matches!(self.condition, Condition::Ready) {
                self.condition = Condition::Empty;
            }
        }
        // Whoever hands a background over may not wait for what comes of it: what is deferred stays so.
        self.make_ready().inspect_err(|why| self.deferred = Some(why.clone()))
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        self.tell()?;
        self.make_ready()?;
        answers.clear();
        self.ask(Call::Execute, |border| border.execute(batch, answers))
    }

    /// The hash. If it is not that of the background, the background is handed over again before anything else is run.
    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        self.tell()?;
        self.make_ready()?;
        let hash = self.ask(Call::Hash, |border| border.arena_hash())?;
        if hash != self.background_hash() {
            self.condition = Condition::Empty;
            self.strayed = true;
        }
        Ok(hash)
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        let reset = self.make_ready().and_then(|()| self.ask(Call::Reset, |border| border.reset()));
        reset.inspect_err(|why| self.deferred = Some(why.clone()))
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.deferred = None;
        self.begin_anew()
    }
}
