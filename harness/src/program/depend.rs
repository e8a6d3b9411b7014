//! What a step has to do with the one before it, as the reference shows it.
//!
//! Rows are taken from the log. That the small state matters is tried out: the second step runs once more with the fields of
//! a role as they were before the first, and if anything then comes out otherwise, it depends on them.

use tandem_isa::{
    AlignedBytes, Edition, Expectation, FieldRole, Isa, Log, Overlay, Reference, RowSet, State, Step, worded,
};

use crate::RowMap;
use crate::case::NextStep;

worded! {
    /// What the second of two adjacent steps has to do with the first, by number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Dependence {
        /// It reads a row that the first wrote.
        ReadAfterWrite "read after write",
        /// It writes a row that the first read.
        WriteAfterRead "write after read",
        /// It writes a row that the first wrote.
        WriteAfterWrite "write after write",
        /// A flag, an owner or a bank index that the first changed matters to it.
        Ownership "ownership",
        /// A counter that the first changed matters to it.
        Counter "counter",
        /// Configuration that the first changed matters to it.
        Configuration "configuration",
        /// None of these.
        None "none",
        /// Whatever comes.
        Any "any",
    }
    /// The word for reports.
    fn name;
}

impl Dependence {
    /// Bits of its number.
    pub(crate) const BITS: u32 = 3;
    /// Those that cells of programs are split by.
    pub const SPLIT: &[Dependence] = Self::ALL.split_at(7).0;

    const fn role(self) -> Option<FieldRole> {
        match self {
            Dependence::Ownership => Some(FieldRole::Flag),
            Dependence::Counter => Some(FieldRole::Counter),
            Dependence::Configuration => Some(FieldRole::Config),
            _ => None,
        }
    }
}

/// What came of two steps.
struct PairRun {
    logs: [Log; 2],
    /// The small state after each.
    small: [AlignedBytes; 2],
    second: Expectation,
}

/// Looks for dependences. Its states have no read port: rows are what the overlay of the program says.
pub(super) struct Probe {
    isa: &'static Isa,
    edition: Edition,
    reference: Box<dyn Reference>,
    states: [State; 2],
    map: RowMap,
}

fn common(one: &RowSet, other: &RowSet) -> bool {
    let mut any = false;
    one.each_run(|first, count| any |= (first..first + count).any(|row| other.contains(row)));
    any
}

impl Probe {
    pub(super) fn new(isa: &'static Isa, edition: Edition, reference: Box<dyn Reference>, background: &[u8]) -> Self {
        let fresh = || {
            let mut state = State::zeroed(isa.layout);
            state.arena.copy_from_slice(background);
            state
        };
        Probe { isa, edition, reference, states: [fresh(), fresh()], map: RowMap::new(isa.layout) }
    }

    pub(super) fn enter(&mut self, background: &[u8]) {
        self.states.iter_mut().for_each(|state| state.arena.copy_from_slice(background));
    }

    /// Runs two steps; `between` may change the small state after the first, of which both are given.
    fn run(
        &mut self,
        place: usize,
        steps: [&NextStep; 2],
        (small, overlay): (&[u8], &Overlay),
        between: impl FnOnce(&mut [u8]),
    ) -> PairRun {
        let state = &mut self.states[place];
        self.map.copy([&overlay.rows], &overlay.arena, &mut state.arena);
        state.small.copy_from_slice(small);
        let [first, second] =
            steps.map(|one| Step { instruction: one.instruction, edition: self.edition, code: &one.code });
        let _ = self.reference.execute(&first, state);
        let log = state.tracker.take_log();
        between(&mut state.small);
        let after_first = state.small.clone();
        let expectation = self.reference.execute(&second, state);
        let logs = [log, state.tracker.take_log()];
        PairRun { logs, small: [after_first, state.small.clone()], second: expectation }
    }

    fn put_back(&mut self, place: usize, ran: &PairRun, overlay: &Overlay, background: &[u8]) {
        let rows = [&ran.logs[0].written, &ran.logs[1].written, &overlay.rows];
        self.map.copy(rows, background, &mut self.states[place].arena);
    }

    /// Whether two steps, for both of which something is promised, have a dependence.
    pub(super) fn has(
        &mut self,
        wanted: Dependence,
        steps: [&NextStep; 2],
        before: (&[u8], &Overlay),
        background: &[u8],
    ) -> bool {
        let ran = self.run(0, steps, before, |_| {});
        let [first, second] = &ran.logs;
        let by_rows = |dependence| match dependence {
            Dependence::ReadAfterWrite => common(&first.written, &second.read),
            Dependence::WriteAfterRead => common(&first.read, &second.written),
            Dependence::WriteAfterWrite => common(&first.written, &second.written),
            _ => false,
        };
        let has = match wanted {
            Dependence::Any => true,
            Dependence::None => !Dependence::SPLIT.iter().any(|&one| {
                by_rows(one) || one.role().is_some_and(|role| self.matters(role, steps, before, &ran, background))
            }),
            _ => match wanted.role() {
                Some(role) => self.matters(role, steps, before, &ran, background),
                None => by_rows(wanted),
            },
        };
        self.put_back(0, &ran, before.1, background);
        has
    }

    /// Whether fields of a role that the first step changed matter to the second. State 0 is as both left it.
    fn matters(
        &mut self,
        role: FieldRole,
        steps: [&NextStep; 2],
        before: (&[u8], &Overlay),
        ran: &PairRun,
        background: &[u8],
    ) -> bool {
        let [after_first, after] = &ran.small;
        if **after_first == *before.0 {
            return false;
        }
        let fields = (self.isa.layout.fields)().iter().filter(|field| field.role == role);
        let changed: Vec<_> = fields.filter(|field| field.get(before.0) != field.get(after_first)).collect();
        if changed.is_empty() {
            return false;
        }
        let other = self.run(1, steps, before, |small| {
            changed.iter().for_each(|field| field.set(small, field.get(before.0)));
        });
        let mut small = other.small[1].clone();
        for field in changed {
            // What neither run changed differs only because it was set before.
            let kept = field.get(after) == field.get(after_first) && field.get(&small) == field.get(before.0);
            if kept {
                field.set(&mut small, field.get(after));
            }
        }
        let [one, two] = &self.states;
        let rows = [&ran.logs[1].written, &other.logs[1].written];
        let same = ran.second.name() == other.second.name()
            && *small == **after
            && self.map.equal(rows, &one.arena, &two.arena);
        self.put_back(1, &other, before.1, background);
        !same
    }
}
