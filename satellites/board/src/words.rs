//! Words of instructions, one behind the other, with waits where the rules of scheduling or other units want them.

use std::collections::BTreeSet;

use tandem_harness::rules::{Planned, PlannedStep, mended_by, opens, reaches_far, schedule};
use tandem_isa::tensix::wait_gate::Unit;
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Code, Facts, Machine};

use super::program::{Access, Segment};

/// No rule that a program of one thread can break reaches further back than so many words, but for those that something has to
/// relieve.
const WINDOW: usize = 8;

/// The word of an instruction whose fields are named; those that are not are 0.
///
/// # Panics
/// If the instruction has no such field: whoever writes the loader names fields of the list of instructions.
pub(super) fn word(chip: Chip, mnemonic: Mnemonic, fields: &[(&str, u32)]) -> u32 {
    let facts = mnemonic.on(chip);
    let mut code = Code::new(facts.base_code);
    for &(name, value) in fields {
        let field = facts.code_field(name).expect("the loader names fields that the instruction has");
        debug_assert!(field.width >= 32 || value >> field.width == 0, "{} {name} {value}", facts.name);
        field.set(&mut code, value);
    }
    code[0]
}

/// The instruction of a word, if it is one of the suite.
pub(super) fn decode(machine: &Machine, word: u32) -> Option<&'static Facts> {
    machine.instructions.iter().copied().find(|facts| facts.matches(&[word]))
}

/// Writes segments, and remembers what was used.
pub(super) struct Words {
    chip: Chip,
    machine: &'static Machine,
    /// What is done, in order.
    pub(super) segments: Vec<Segment>,
    /// The instructions that were used.
    pub(super) used: BTreeSet<&'static str>,
    /// The last words of the open segment, as the rules see them, behind the last one of each rule that reaches further.
    recent: Vec<PlannedStep>,
    /// The unit that may still be at work in the open segment.
    busy: Option<Unit>,
    /// Whether a rule of software has an instruction of `recent` in its first place.
    may_break: bool,
}

impl Words {
    pub(super) fn new(chip: Chip, machine: &'static Machine) -> Self {
        let (segments, used, recent) = (Vec::new(), BTreeSet::new(), Vec::new());
        Words { chip, machine, segments, used, recent, busy: None, may_break: false }
    }

    /// Adds an instruction of a thread.
    pub(super) fn push(&mut self, thread: usize, mnemonic: Mnemonic, fields: &[(&str, u32)]) {
        self.open(thread);
        self.wait_for_other_unit(mnemonic);
        self.append(word(self.chip, mnemonic, fields));
        self.used.insert(mnemonic.on(self.chip).name);
    }

    /// Adds a `STALLWAIT`, on which nothing leans: it changes nothing of the state.
    pub(super) fn wait(&mut self, thread: usize, block_mask: u32, condition_mask: u32) {
        self.open(thread);
        let fields = [("BlockMask", block_mask), ("ConditionMask", condition_mask)];
        self.append(word(self.chip, Mnemonic::Stallwait, &fields));
    }

    /// Adds a word of the test, which has waits of its own.
    pub(super) fn push_as_is(&mut self, thread: usize, word: u32) {
        self.open(thread);
        self.put(word);
    }

    /// Adds what a core does by itself.
    pub(super) fn access(&mut self, access: Access) {
        self.close();
        self.segments.push(Segment::Access(access));
    }

    /// Ends the segment: what comes begins when everything before it has ended.
    pub(super) fn close(&mut self) {
        self.recent.clear();
        (self.busy, self.may_break) = (None, false);
        if !matches!(self.segments.last(), None | Some(Segment::End)) {
            self.segments.push(Segment::End);
        }
    }

    /// Takes what was written, without the marks between segments.
    pub(super) fn take(&mut self) -> Vec<Segment> {
        self.close();
        let all = std::mem::take(&mut self.segments);
        all.into_iter().filter(|segment| !matches!(segment, Segment::End)).collect()
    }

    fn open(&mut self, thread: usize) {
        if !matches!(self.segments.last(), Some(Segment::Push { thread: own, .. }) if *own == thread) {
            self.close();
            self.segments.push(Segment::Push { thread, words: Vec::new() });
        }
    }

    /// A `STALLWAIT` between units that do not wait for each other: the pages order instructions of one unit only.
    fn wait_for_other_unit(&mut self, mnemonic: Mnemonic) {
        let unit = mnemonic.unit(self.chip);
        let condition = match self.busy {
            Some(busy) if busy == unit => return,
            Some(Unit::Matrix) => self.chip.pick(1 << 7, 1 << 4),
            Some(Unit::Vector) => self.chip.pick(1 << 14, 1 << 11),
            _ => 0,
        };
        if condition != 0 && !matches!(unit, Unit::Waits | Unit::Core) {
            let lowest = unit.block_bits() & unit.block_bits().wrapping_neg();
            let wait = [("BlockMask", lowest), ("ConditionMask", condition)];
            self.append(word(self.chip, Mnemonic::Stallwait, &wait));
        }
        self.busy = matches!(unit, Unit::Matrix | Unit::Vector).then_some(unit);
    }

    /// Adds a word, and before it what fills the time that a rule wants.
    fn append(&mut self, word: u32) {
        let planned = Planned::decode(self.machine, &[word]).expect("a word of the loader is an instruction");
        let opens = self.opens(&planned);
        self.recent.push(PlannedStep::Instruction(planned));
        while self.may_break {
            let made = schedule(self.machine.rules.rules, &self.recent);
            let last = self.recent.len() - 1;
            let Some(&at) = made.to_mend().find(|one| one.second == last) else { break };
            let fillers = mended_by(self.machine, &self.recent, &at);
            if fillers.is_empty() {
                break;
            }
            for filler in fillers {
                let code = filler.code(self.machine).expect("a gate asks that fillers are instructions");
                self.recent.insert(self.recent.len() - 1, PlannedStep::Instruction(filler.planned()));
                self.put(code[0]);
            }
        }
        self.may_break |= opens;
        self.forget();
        self.put(word);
    }

    /// Forgets words that no rule reaches back to.
    fn forget(&mut self) {
        if self.recent.len() <= 2 * WINDOW {
            return;
        }
        let old: Vec<PlannedStep> = self.recent.drain(..self.recent.len() - WINDOW).collect();
        let last = |rule| old.iter().rposition(|step| holds(step, |planned| reaches_far(rule, planned)));
        let far: BTreeSet<usize> = self.machine.rules.rules.iter().filter_map(last).collect();
        self.recent.splice(0..0, far.into_iter().map(|place| old[place].clone()));
        self.may_break = self.recent.iter().any(|step| holds(step, |planned| self.opens(planned)));
    }

    /// Whether a rule that a program has to keep has an instruction in its first place.
    fn opens(&self, planned: &Planned) -> bool {
        self.machine.rules.rules.iter().any(|rule| opens(rule, planned))
    }

    fn put(&mut self, word: u32) {
        if let Some(Segment::Push { words, .. }) = self.segments.last_mut() {
            words.push(word);
        }
    }
}

/// Whether a step is an instruction of which something holds.
fn holds(step: &PlannedStep, is_so: impl Fn(&Planned) -> bool) -> bool {
    matches!(step, PlannedStep::Instruction(planned) if is_so(planned))
}
