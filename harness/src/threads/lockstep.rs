//! One order of a kernel, run on the reference and beside it on a target, act by act.
//!
//! The threads come in turn: one act each, as long as its gate lets it through, unless the order is given. After each act the
//! answer, the small state and the rows that either wrote are compared, and at the end all rows. What no target is asked for, a
//! stand-in or a store of a core, is done in both states by the reference, and so is what gates make of what they have latched.

use tandem_isa::{
    Act, Answer, Citation, Code, Expectation, Field, Instruction, OpenBits, RowSet, SaltPlan, State, StatePlace, Step,
    Target, Threads, Word,
};

use super::explore::end_state;
use super::{Explored, Kernel, KernelLine, Turn};
use crate::judge::{all_rows, guarded, row_differences, small_differences};
use crate::terms::with_parts;
use crate::{CaseValue, Difference, Disputes, IsaSuite, RowMap, TargetFactory};

/// How a kernel is run beside a target.
#[derive(Clone, Debug, Default)]
pub struct LockstepLimits {
    /// The threads, in the order in which they come; nothing for one act of each in turn.
    pub order: Option<Vec<usize>>,
    /// Whether the state of a trace is taken where an instruction has no model.
    pub trust: bool,
    /// Whether all rows are compared after each act, and not only at the end.
    pub all_rows: bool,
}

/// What a run beside a target came to.
#[derive(Clone, Debug)]
pub struct Lockstep {
    /// The acts that were run, in their order.
    pub turns: Vec<Turn>,
    /// How many of them a target was asked for.
    pub asked: usize,
    /// Acts after which the state of the trace was taken.
    pub trusted: Vec<Turn>,
    /// Acts whose difference is disputed, after which the target's state was taken.
    pub disputed: Vec<Turn>,
    /// How it ended.
    pub end: LockstepEnd,
}

/// How a run beside a target ended.
#[derive(Clone, Debug)]
pub enum LockstepEnd {
    /// All acts are done, and nothing differs.
    Done,
    /// Every thread that has acts left is held: what holds each.
    Held(Vec<(Turn, &'static Citation)>),
    /// The act that the order has next is held, and the target, if there is one, says so too.
    HeldInOrder(Turn, &'static Citation),
    /// The target differs.
    Differs(Box<Mismatch>),
    /// The pages promise nothing of an act.
    Unpromised(Turn, &'static Citation),
    /// An instruction has no model.
    Unmodelled(Turn),
    /// The target refuses an act.
    Refused(Turn, Option<String>),
    /// The order names a thread that has no act left.
    NoTurn(usize),
}

/// Where a target differs.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The act.
    pub turn: Turn,
    /// What differs.
    pub differences: Vec<Difference>,
    /// The act as a case by value, from the state before it; nothing if no instruction was asked for.
    pub value: Option<CaseValue>,
}

/// Runs a kernel beside a target, or against the states of a trace if there is none.
#[must_use]
pub fn lockstep(
    kernel: &Kernel,
    machine: &mut dyn Threads,
    (suite, factory): (&IsaSuite, Option<&TargetFactory>),
    limits: &LockstepLimits,
) -> Lockstep {
    let mut run = Run::new(kernel, machine, suite, factory);
    let end = run.all(limits);
    // What was changed behind the log shows at the end; who changed it, when each act is looked at.
    if matches!(end, LockstepEnd::Differs(ref found) if found.value.is_none()) && !limits.all_rows && factory.is_some()
    {
        let all_rows = LockstepLimits { all_rows: true, ..limits.clone() };
        let mut again = Run::new(kernel, run.machine, suite, factory);
        let end = again.all(&all_rows);
        return again.result(end);
    }
    run.result(end)
}

struct Run<'a> {
    kernel: &'a Kernel,
    machine: &'a mut dyn Threads,
    suite: &'a IsaSuite,
    target: Option<Box<dyn Target>>,
    /// Whether it has each instruction.
    implemented: Vec<bool>,
    /// Who executes.
    current: Option<&'static Field>,
    /// What is disputed of each instruction that was asked for.
    disputes: Vec<(usize, Disputes)>,
    map: RowMap,
    expected: State,
    got: State,
    before: State,
    next: Vec<usize>,
    turns: Vec<Turn>,
    asked: usize,
    trusted: Vec<Turn>,
    disputed: Vec<Turn>,
}

/// What came of an act.
enum Came {
    Done,
    Held(&'static Citation),
    Ends(LockstepEnd),
}

impl<'a> Run<'a> {
    fn new(
        kernel: &'a Kernel,
        machine: &'a mut dyn Threads,
        suite: &'a IsaSuite,
        factory: Option<&TargetFactory>,
    ) -> Self {
        let state = || kernel.state();
        Run {
            kernel,
            machine,
            suite,
            target: factory.map(TargetFactory::make),
            implemented: kernel
                .isa
                .instructions
                .iter()
                .map(|one| factory.is_some_and(|it| it.implements(one)))
                .collect(),
            current: kernel.isa.layout.field_named("CurrentThread"),
            disputes: Vec::new(),
            map: RowMap::new(kernel.isa.layout),
            expected: state(),
            got: state(),
            before: state(),
            next: vec![0; kernel.threads.len()],
            turns: Vec::new(),
            asked: 0,
            trusted: Vec::new(),
            disputed: Vec::new(),
        }
    }

    fn result(self, end: LockstepEnd) -> Lockstep {
        let Run { turns, asked, trusted, disputed, .. } = self;
        Lockstep { turns, asked, trusted, disputed, end }
    }

    fn turn(&self, thread: usize) -> Option<Turn> {
        let act = self.next[thread];
        (act < self.kernel.threads[thread].len()).then_some(Turn { thread, act })
    }

    fn all(&mut self, limits: &LockstepLimits) -> LockstepEnd {
        if let Some(order) = limits.order.as_ref().or(self.kernel.order.as_ref()) {
            for &thread in order {
                let Some(turn) = self.turn(thread) else { return LockstepEnd::NoTurn(thread) };
                match self.act(turn, limits) {
                    Came::Done => {}
                    Came::Held(citation) => return LockstepEnd::HeldInOrder(turn, citation),
                    Came::Ends(end) => return end,
                }
            }
            return self.at_the_end();
        }
        loop {
            let (mut held, mut went) = (Vec::new(), false);
            for thread in 0..self.next.len() {
                let Some(turn) = self.turn(thread) else { continue };
                match self.act(turn, limits) {
                    Came::Done => went = true,
                    Came::Held(citation) => held.push((turn, citation)),
                    Came::Ends(end) => return end,
                }
            }
            match (went, held.is_empty()) {
                (true, _) => {}
                (false, true) => return self.at_the_end(),
                (false, false) => return LockstepEnd::Held(held),
            }
        }
    }

    /// Whether rows differ that nobody said to have written.
    fn at_the_end(&mut self) -> LockstepEnd {
        let Some(turn) = self.turns.last().copied().filter(|_| *self.expected.arena != *self.got.arena) else {
            return LockstepEnd::Done;
        };
        let differences =
            self.differences(&all_rows(self.kernel.isa.layout), (&RowSet::default(), &RowSet::default()), &[]);
        LockstepEnd::Differs(Box::new(Mismatch { turn, differences, value: None }))
    }

    /// Runs an act on both sides.
    fn act(&mut self, turn: Turn, limits: &LockstepLimits) -> Came {
        let kernel = self.kernel;
        let line = &kernel.threads[turn.thread][turn.act];
        if let Act::Unmodelled(_) = line.act {
            if !limits.trust || line.after.is_empty() {
                return Came::Ends(LockstepEnd::Unmodelled(turn));
            }
            self.trust(turn, line);
            return Came::Done;
        }
        if let Some(current) = self.current {
            current.set(&mut self.expected.small, turn.thread as u32);
        }
        self.before.small.copy_from_slice(&self.expected.small);
        let promised = self.machine.present(turn.thread, &line.act, kernel.edition, &mut self.expected);
        let came = match promised.required_answer() {
            None => {
                let citation = promised.citation().expect("what is not promised has one");
                return Came::Ends(LockstepEnd::Unpromised(turn, citation));
            }
            Some(_) => self.beside(turn, line, promised),
        };
        let (came, touched) = match came {
            Ok(touched) => (Came::Done, touched),
            Err(end) => return Came::Ends(end),
        };
        if let Expectation::Blocked(citation) = promised {
            return Came::Held(citation);
        }
        if limits.all_rows && *self.expected.arena != *self.got.arena {
            let differences = self.differences(&all_rows(kernel.isa.layout), (&touched, &touched), &[]);
            let value = self.value(line);
            return Came::Ends(LockstepEnd::Differs(Box::new(Mismatch { turn, differences, value })));
        }
        self.look();
        if !self.after(line) {
            let differences = self.traced(line);
            let value = self.value(line);
            return Came::Ends(LockstepEnd::Differs(Box::new(Mismatch { turn, differences, value })));
        }
        self.map.copy([&touched], &self.expected.arena, &mut self.before.arena);
        self.turns.push(turn);
        self.next[turn.thread] += 1;
        came
    }

    /// Has the target do what the reference did; the rows that either wrote, or how the run ends.
    fn beside(&mut self, turn: Turn, line: &KernelLine, promised: Expectation) -> Result<RowSet, LockstepEnd> {
        let open: Vec<OpenBits> = std::mem::take(&mut self.expected.tracker.open);
        let written = self.expected.tracker.take_log().written;
        let (Act::Instruction(word), Some(target)) = (&line.act, &mut self.target) else {
            self.got.small.copy_from_slice(&self.expected.small);
            self.map.copy([&written], &self.expected.arena, &mut self.got.arena);
            return Ok(written);
        };
        self.got.small.copy_from_slice(&self.before.small);
        self.asked += 1;
        let step = Step { instruction: word.facts, edition: self.kernel.edition, code: &word.code };
        if !self.implemented[word.facts.index] {
            return Err(LockstepEnd::Refused(turn, Some("the target does not have this instruction".to_string())));
        }
        let answer = guarded(|| target.execute(&step, &mut self.got));
        let marked = self.got.tracker.take_log().written;
        let mut rows = written.clone();
        rows.union(&marked);
        let required = promised.required_answer().expect("it is promised");
        let mut differences = match answer {
            Ok(Answer::Unsupported) => {
                let reason = target.refusal();
                return Err(LockstepEnd::Refused(turn, reason));
            }
            Ok(got) if got != required => vec![Difference::Answer { expected: required, got }],
            Ok(_) => Vec::new(),
            Err(differences) => differences,
        };
        OpenBits::settle(&open, self.kernel.isa.layout, &self.got.arena, &mut self.expected.arena);
        let equal =
            *self.expected.small == *self.got.small && self.map.equal([&rows], &self.expected.arena, &self.got.arena);
        if !equal {
            differences.extend(self.differences(&rows, (&written, &marked), &open));
        }
        if differences.is_empty() {
            return Ok(rows);
        }
        if self.is_disputed(word.facts.index, &word.code, &differences) {
            self.disputed.push(turn);
            self.expected.small.copy_from_slice(&self.got.small);
            self.map.copy([&rows], &self.got.arena, &mut self.expected.arena);
            return Ok(rows);
        }
        let value = self.value(line);
        Err(LockstepEnd::Differs(Box::new(Mismatch { turn, differences, value })))
    }

    fn differences(&self, rows: &RowSet, logs: (&RowSet, &RowSet), open: &[OpenBits]) -> Vec<Difference> {
        let layout = self.kernel.isa.layout;
        let (before, expected, got) = (&self.before, &self.expected, &self.got);
        let mut found = small_differences(layout, &before.small, &expected.small, &got.small);
        let arenas = (&before.arena[..], &expected.arena[..], &got.arena[..]);
        found.extend(row_differences(layout, rows, logs, arenas, open));
        found
    }

    fn is_disputed(&mut self, index: usize, code: &Code, differences: &[Difference]) -> bool {
        let instruction = self.instruction(index);
        if !self.suite.disputes.iter().any(|dispute| dispute.concerns(instruction)) {
            return false;
        }
        if !self.disputes.iter().any(|(known, _)| *known == index) {
            self.disputes.push((index, self.suite.disputes_of(instruction)));
        }
        let Some((_, disputes)) = self.disputes.iter().find(|(known, _)| *known == index) else { return false };
        let small = &self.before.small;
        with_parts(code, small, &SaltPlan::default(), |parts| disputes.excuse(parts, differences)).is_some()
    }

    fn instruction(&self, index: usize) -> &'static Instruction {
        self.kernel.isa.instructions[index]
    }

    /// The act as a case, from the state before it.
    fn value(&self, line: &KernelLine) -> Option<CaseValue> {
        let Act::Instruction(word) = &line.act else { return None };
        let instruction = self.instruction(word.facts.index);
        let mut before = State::zeroed(self.kernel.isa.layout);
        before.copy_from(&self.before);
        Some(CaseValue::base(self.kernel.isa, instruction, self.kernel.edition).with_state(word.code, &before))
    }

    /// Whether a trace has after an act what the reference has.
    fn after(&self, line: &KernelLine) -> bool {
        line.after.iter().all(|&(place, value)| place.get(&self.expected) == value)
    }

    /// Where it does not.
    fn traced(&self, line: &KernelLine) -> Vec<Difference> {
        let differing = line.after.iter().filter(|&&(place, value)| place.get(&self.expected) != value);
        differing
            .map(|&(place, got)| {
                let (before, expected) = (place.get(&self.before), place.get(&self.expected));
                match place {
                    StatePlace::Field(field) => {
                        let kind = crate::Kind::Small((self.kernel.isa.layout.fields)()[field].role);
                        Difference::Field { field, before, expected, got, kind }
                    }
                    StatePlace::Word(bank, row, column) => {
                        Difference::Word { bank, row, column, before, expected, got, kind: crate::Kind::Value }
                    }
                }
            })
            .collect()
    }

    /// Takes what a trace has after an instruction that has no model.
    fn trust(&mut self, turn: Turn, line: &KernelLine) {
        for state in [&mut self.expected, &mut self.got, &mut self.before] {
            line.after.iter().for_each(|&(place, value)| place.set(state, value));
        }
        self.look();
        self.trusted.push(turn);
        self.turns.push(turn);
        self.next[turn.thread] += 1;
    }

    /// Gates look at what they have latched.
    fn look(&mut self) {
        self.machine.look(&mut self.expected);
        self.expected.tracker.clear();
        self.got.small.copy_from_slice(&self.expected.small);
    }
}

/// What a difference is known by: the instruction, the place, and the kind.
type Shown = (usize, String, String);

/// Whether a target that runs threads side by side ends in one of the states that a kernel can end in: nothing if it does not run
/// threads or a thread does what no target is asked for; else what differs from the end that is nearest, nothing of a member.
#[must_use]
pub fn member(
    kernel: &Kernel,
    machine: &mut dyn Threads,
    explored: &Explored,
    target: &mut dyn Target,
) -> Option<Vec<Difference>> {
    let step = |line: &'_ KernelLine| match &line.act {
        Act::Instruction(Word { facts, code }) => Some((*facts, *code)),
        _ => None,
    };
    let words = kernel.threads.iter().map(|lines| lines.iter().map(step).collect::<Option<Vec<_>>>());
    let (words, edition) = (words.collect::<Option<Vec<_>>>()?, kernel.edition);
    let steps: Vec<Vec<Step<'_>>> = words
        .iter()
        .map(|words| words.iter().map(|(instruction, code)| Step { instruction, edition, code }).collect())
        .collect();
    let layout = kernel.isa.layout;
    let (before, mut got) = (kernel.state(), kernel.state());
    let answer = match guarded(|| target.run_threads(&steps, &mut got)) {
        Ok(answer) => answer?,
        Err(differences) => return Some(differences),
    };
    got.tracker.clear();
    if answer != Answer::Done {
        return Some(vec![Difference::Answer { expected: Answer::Done, got: answer }]);
    }
    let current = layout.field_named("CurrentThread");
    let differing = |machine: &mut dyn Threads, end: &super::End| {
        let mut expected = end_state(kernel, machine, &end.order);
        // Who came last is no part of the state.
        if let Some(current) = current {
            current.set(&mut expected.small, current.get(&got.small));
        }
        let rows = all_rows(layout);
        let mut found = small_differences(layout, &before.small, &expected.small, &got.small);
        let arenas = (&before.arena[..], &expected.arena[..], &got.arena[..]);
        found.extend(row_differences(layout, &rows, (&rows, &rows), arenas, &[]));
        found
    };
    explored.ends.iter().map(|end| differing(machine, end)).min_by_key(Vec::len)
}

/// Leaves acts out of a kernel, as long as it ends with the same difference beside a target: where, of which kind and of which
/// instruction. At most `runs` runs.
#[must_use]
pub fn shorter(
    kernel: &Kernel,
    machine: &mut dyn Threads,
    (suite, factory): (&IsaSuite, &TargetFactory),
    limits: &LockstepLimits,
    mut runs: usize,
) -> Kernel {
    let mut shortest = Kernel { order: None, ..kernel.clone() };
    let shown = |kernel: &Kernel, machine: &mut dyn Threads| -> Option<Shown> {
        let limits = LockstepLimits { order: None, ..limits.clone() };
        let ran = lockstep(kernel, machine, (suite, Some(factory)), &limits);
        let LockstepEnd::Differs(found) = &ran.end else { return None };
        let Act::Instruction(word) = &kernel.threads[found.turn.thread][found.turn.act].act else { return None };
        let first = found.differences.first()?;
        Some((word.facts.index, first.place(kernel.isa.layout), first.kind().name().to_string()))
    };
    let Some(goal) = shown(&shortest, machine) else { return shortest };
    for thread in 0..shortest.threads.len() {
        let mut size = shortest.threads[thread].len().div_ceil(2);
        while size > 0 {
            let mut from = 0;
            while from < shortest.threads[thread].len() && runs > 0 {
                let mut tried = shortest.clone();
                let to = (from + size).min(tried.threads[thread].len());
                tried.threads[thread].drain(from..to);
                runs -= 1;
                match shown(&tried, machine) {
                    Some(place) if place == goal => shortest = tried,
                    _ => from += size,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
    }
    shortest
}
