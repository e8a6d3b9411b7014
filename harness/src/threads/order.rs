//! What is known to be through before what, and what to have come to its unit before what.

use tandem_isa::{Drain, Executes};

/// The most units of an instruction set.
const UNITS: usize = 16;

/// A set of acts of a program, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Past(Vec<u64>);

impl Past {
    pub(super) fn of(acts: usize) -> Self {
        Past(vec![0; acts.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, act: usize) {
        self.0[act / 64] |= 1 << (act % 64);
    }

    pub(super) fn contains(&self, act: usize) -> bool {
        self.0[act / 64] >> (act % 64) & 1 != 0
    }

    pub(super) fn union(&mut self, other: &Past) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }
}

/// What is known to be before something.
#[derive(Clone, Debug)]
pub(super) struct Before {
    /// What is through.
    pub(super) through: Past,
    /// What has got past its gate, and so comes to its unit earlier.
    pub(super) issued: Past,
}

impl Before {
    fn of(acts: usize) -> Self {
        Before { through: Past::of(acts), issued: Past::of(acts) }
    }

    fn union(&mut self, other: &Before) {
        self.through.union(&other.through);
        self.issued.union(&other.issued);
    }
}

/// A gate that has a wait latched, or had.
#[derive(Clone, Debug)]
struct Gate {
    /// The number of the wait.
    wait: usize,
    /// Which instructions it holds, and so orders.
    blocks: u32,
    /// Behind what.
    behind: Before,
    /// Whether it is latched still.
    is_latched: bool,
}

/// What is known at a place of an order of acts.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// What is before a thread's next instruction.
    threads: Vec<Before>,
    /// Gates that have a wait latched, or had.
    gates: Vec<Option<Gate>>,
    /// What a thread gave a unit, with what was through before that.
    units: Vec<Past>,
    /// What was before a signal was last given.
    signals: Vec<Before>,
}

impl Order {
    pub(super) fn new(threads: usize, signals: usize, acts: usize) -> Self {
        Order {
            threads: vec![Before::of(acts); threads],
            gates: vec![None; threads],
            units: vec![Past::of(acts); threads * UNITS],
            signals: vec![Before::of(acts); signals],
        }
    }

    fn unit(thread: usize, unit: Executes) -> usize {
        thread * UNITS + unit.number as usize % UNITS
    }

    /// What is before an instruction of a thread, which its gate held or not, and which waited for some signals.
    pub(super) fn before(
        &mut self,
        thread: usize,
        unit: Executes,
        holds: impl Fn(u32) -> bool,
        waited_for: &[usize],
    ) -> Before {
        let own = &mut self.threads[thread];
        if let Some(gate) = self.gates[thread].take_if(|gate| holds(gate.blocks)) {
            own.union(&gate.behind);
        }
        waited_for.iter().for_each(|&signal| own.union(&self.signals[signal]));
        let mut before = own.clone();
        before.through.union(&self.units[Self::unit(thread, unit)]);
        before
    }

    /// The same of a store of a thread's core, which is behind that core's other stores alone.
    pub(super) fn before_store(&self, thread: usize, core: Executes, acts: usize) -> Before {
        let through = self.units[Self::unit(thread, core)].clone();
        Before { through, issued: Past::of(acts) }
    }

    /// An instruction is through, or at work.
    pub(super) fn done(&mut self, thread: usize, unit: Executes, act: usize, before: &Before, given: &[usize]) {
        let of_unit = &mut self.units[Self::unit(thread, unit)];
        let through = if unit.own_pace { of_unit } else { &mut self.threads[thread].through };
        through.union(&before.through);
        through.insert(act);
        self.threads[thread].issued.insert(act);
        for &signal in given {
            let signal = &mut self.signals[signal];
            signal.union(before);
            signal.through.insert(act);
            signal.issued.insert(act);
        }
    }

    /// A wait is latched at a thread's gate.
    pub(super) fn latched(&mut self, thread: usize, drain: Drain, wait: usize) {
        let mut behind = self.threads[thread].clone();
        for (number, unit) in self.units.iter().enumerate() {
            let of = if number / UNITS == thread { drain.units | drain.of_all } else { drain.of_all };
            if of >> (number % UNITS) & 1 != 0 {
                behind.through.union(unit);
            }
        }
        self.gates[thread] = Some(Gate { wait, blocks: drain.blocks, behind, is_latched: true });
    }

    /// A thread's gate forgets what it had latched, which waited for some signals.
    pub(super) fn forgot(&mut self, thread: usize, waited_for: &[usize]) {
        if let Some(gate) = &mut self.gates[thread] {
            waited_for.iter().for_each(|&signal| gate.behind.union(&self.signals[signal]));
            gate.is_latched = false;
        }
    }

    /// What a wait that a thread's gate has latched is behind.
    pub(super) fn latched_behind(&self, thread: usize) -> Option<Past> {
        let gate = self.gates[thread].as_ref().filter(|gate| gate.is_latched)?;
        Some(gate.behind.through.clone())
    }

    /// The number of the wait that a thread's gate has latched.
    pub(super) fn wait_of(&self, thread: usize) -> usize {
        self.gates[thread].as_ref().map_or(0, |gate| gate.wait)
    }

    /// All of it, as words.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let words = |before: &'_ Before| [before.through.0.clone(), before.issued.0.clone()].concat();
        let gates = self.gates.iter().flat_map(move |gate| match gate {
            None => vec![u64::MAX],
            Some(Gate { wait, blocks, behind, is_latched }) => {
                [vec![*wait as u64, u64::from(*blocks) << 1 | u64::from(*is_latched)], words(behind)].concat()
            }
        });
        let units = self.units.iter().flat_map(|past| past.0.iter().copied());
        self.threads.iter().chain(&self.signals).flat_map(words).chain(units).chain(gates)
    }
}
