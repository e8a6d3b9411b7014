//! The search through all orders in which acts of threads can come.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tandem_isa::{
    Act, AlignedBytes, Citation, Executes, Expectation, Field, FieldRole, Log, OpenBits, RowSet, StandIn, State,
    Threads, Touches, mix64, worded,
};

use super::Kernel;
use super::order::{Before, Order};
use crate::RowMap;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits<'a> {
    /// Most acts of an order.
    pub depth: usize,
    /// Most states.
    pub states: u64,
    /// Whether an act that nothing can meet comes first, and alone.
    pub reduce: bool,
    /// Ends the search early.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for SearchLimits<'_> {
    fn default() -> Self {
        SearchLimits { depth: 4096, states: 2_000_000, reduce: true, stop: None }
    }
}

worded! {
    /// What a search finds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum FoundKind {
        /// No thread can go on, and one has acts left.
        Deadlock "deadlock",
        /// Two acts touch one thing, one of them writing it, and nothing says which comes first.
        Race "race",
        /// A semaphore does not count what it is told to.
        LostToken "lost token",
        /// A unit touches what is given to another.
        TwoOwners "two owners",
        /// The state at the end depends on the order.
        Outcomes "outcomes",
        /// The pages promise nothing.
        Unpromised "nothing promised",
    }
    /// The word for reports.
    fn name;
}

/// An act in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The thread.
    pub thread: usize,
    /// The number of the act among those of its thread, from 0.
    pub act: usize,
}

/// What holds a thread in a state in which none goes on.
#[derive(Clone, Debug)]
pub struct Hold {
    /// What it wants to do.
    pub turn: Turn,
    /// Where it is said that it is held.
    pub citation: &'static Citation,
    /// Fields of which another value would let it go on, with the value that each has.
    pub waits_for: Vec<(String, u32)>,
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it is.
    pub kind: FoundKind,
    /// The acts that it is about: two of a race, one of most others.
    pub turns: Vec<Turn>,
    /// In words.
    pub text: String,
    /// Where the pages say what it goes against.
    pub citation: Option<&'static Citation>,
    /// What holds each thread, of a deadlock.
    pub holds: Vec<Hold>,
    /// The shortest order that was found to show it.
    pub order: Vec<Turn>,
    /// Another order that ends otherwise, of outcomes.
    pub other: Vec<Turn>,
}

/// A way in which a kernel can end.
#[derive(Clone, Debug)]
pub struct End {
    /// An order that ends so.
    pub order: Vec<Turn>,
    /// What tells its state from others.
    pub state: [u64; 2],
}

/// An act of an order, and what it changes for the others.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The act.
    pub turn: Turn,
    /// Threads whose next act is held before it and no more after it, with the fields that it changed for them.
    pub wakes: Vec<(usize, Vec<String>)>,
    /// Threads whose next act is held after it.
    pub held: Vec<usize>,
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The findings, by kind and acts.
    pub found: Vec<Found>,
    /// Each way in which it can end, of state and of what is packed.
    pub ends: Vec<End>,
    /// States that were visited.
    pub states: u64,
    /// Acts that were run.
    pub acts: u64,
    /// States in which one act came first, and alone.
    pub alone: u64,
    /// Acts of the longest order.
    pub longest: usize,
    /// Whether a limit ended it before all orders were seen.
    pub cut: bool,
}

/// Searches all orders of a kernel.
#[must_use]
pub fn explore(kernel: &Kernel, machine: &mut dyn Threads, limits: SearchLimits<'_>) -> Explored {
    let mut search = Search::new(kernel, machine);
    search.limits = limits;
    search.visit();
    search.result()
}

/// What each act of an order wakes, as far as the order can be run.
#[must_use]
pub fn scheduled(kernel: &Kernel, machine: &mut dyn Threads, order: &[Turn]) -> Vec<Scheduled> {
    let mut search = Search::new(kernel, machine);
    let (mut rows, mut held) = (Vec::new(), search.held());
    for &turn in order {
        if !search.follow(&[turn]) {
            break;
        }
        let before = &search.path.last().expect("a step was taken").small;
        let changed = search.signals.iter().map(|&signal| &search.fields[signal]);
        let changed = changed.filter(|field| field.get(before) != field.get(&search.state.small));
        let changed: Vec<String> = changed.map(|field| field.name.clone()).collect();
        let now = search.held();
        let woken = held.iter().filter(|thread| **thread != turn.thread && !now.contains(thread));
        rows.push(Scheduled {
            turn,
            wakes: woken.map(|&thread| (thread, changed.clone())).collect(),
            held: now.clone(),
        });
        held = now;
    }
    rows
}

/// What one order finds on its way, as far as it can be run.
#[must_use]
pub fn observe_order(kernel: &Kernel, machine: &mut dyn Threads, order: &[Turn]) -> Vec<Found> {
    // What does not come in it costs nothing.
    let mut kernel = kernel.clone();
    for (thread, lines) in kernel.threads.iter_mut().enumerate() {
        lines.truncate(order.iter().filter(|turn| turn.thread == thread).count());
    }
    let mut search = Search::new(&kernel, machine);
    search.follow(order);
    search.found.into_values().collect()
}

/// The state that an order ends in, as far as it can be run.
#[must_use]
pub(super) fn end_state(kernel: &Kernel, machine: &mut dyn Threads, order: &[Turn]) -> State {
    let mut search = Search::new(kernel, machine);
    search.follow(order);
    search.state
}

/// The digest of a state, from that of its rows.
fn of_state(rows: [u64; 2], small: &[u8]) -> [u64; 2] {
    mixed([rows[0] ^ 1, rows[1] ^ 2], words_of(small))
}

/// A row that another state has otherwise counts in the digest of rows.
fn toggle(digest: &mut [u64; 2], map: &RowMap, row: usize, states: [&State; 2]) {
    let of_row = states.map(|state| mixed([row as u64, !(row as u64)], words_of(&state.arena[map.range(row, 1)])));
    if of_row[0] != of_row[1] {
        for row in of_row {
            *digest = [digest[0] ^ row[0], digest[1] ^ row[1]];
        }
    }
}

/// An act that was done, with what is needed to ask what it would have done in another state.
struct Event {
    turn: Turn,
    unit: Executes,
    before: Before,
    log: Log,
    small: [AlignedBytes; 2],
    /// The rows that it read, before it, and those that it wrote, after it.
    read: Vec<u8>,
    written: Vec<u8>,
    /// Words of the small state that it changed.
    words: Vec<usize>,
}

/// What came of an act that was tried.
struct Tried {
    promised: Expectation,
    small: Vec<u8>,
    log: Log,
    written: Vec<u8>,
}

/// What is kept of a step of the search, to go back.
struct Step {
    turn: Turn,
    small: AlignedBytes,
    rows: RowSet,
    bytes: Vec<u8>,
    order: Order,
    observed: u64,
    digest: [u64; 2],
    open: usize,
}

/// With how many other contents of rows it is tried what an act goes by.
const NOISES: u64 = 2;

/// What names a finding.
type Key = (FoundKind, Vec<Turn>, String);

struct Search<'a> {
    kernel: &'a Kernel,
    machine: &'a mut dyn Threads,
    limits: SearchLimits<'a>,
    map: RowMap,
    fields: &'static [Field],
    signals: Vec<usize>,
    /// Words of the small state by which threads wait, or that say who executes.
    apart: HashSet<usize>,
    /// Who executes: it is told with each act, and is no part of the state.
    context: Vec<&'static Field>,
    /// The number of the first act of each thread.
    first: Vec<usize>,
    /// What acts from each on may touch, of each thread.
    touches: Vec<Vec<Touches>>,
    state: State,
    /// The same rows as in `state`, as they were before the act in hand.
    shadow: State,
    /// A state to try things in.
    lab: State,
    next: Vec<usize>,
    order: Order,
    events: Vec<Option<Event>>,
    path: Vec<Step>,
    open: Vec<OpenBits>,
    /// What stand-ins read.
    observed: u64,
    /// Of the rows.
    digest: [u64; 2],
    visited: HashSet<[u64; 2]>,
    /// By state, and what was read by stand-ins.
    ends: BTreeMap<([u64; 2], u64), Vec<Turn>>,
    found: BTreeMap<Key, Found>,
    result: Explored,
}

/// Mixes words into two numbers.
fn mixed(mut into: [u64; 2], words: impl Iterator<Item = u64>) -> [u64; 2] {
    for word in words {
        into = [mix64(into[0] ^ word), mix64(into[1].rotate_left(23) ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15))];
    }
    into
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// The bytes of rows, one after the other.
fn bytes_of(map: &RowMap, rows: &RowSet, arena: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    rows.each_run(|first, count| bytes.extend_from_slice(&arena[map.range(first, count)]));
    bytes
}

fn put(map: &RowMap, rows: &RowSet, mut bytes: &[u8], arena: &mut [u8]) {
    rows.each_run(|first, count| {
        let range = map.range(first, count);
        let (own, others) = bytes.split_at(range.len());
        arena[range].copy_from_slice(own);
        bytes = others;
    });
}

fn common(one: &RowSet, other: &RowSet) -> Option<usize> {
    let mut found = None;
    one.each_run(|first, count| found = found.or((first..first + count).find(|&row| other.contains(row))));
    found
}

/// What is promised of an act in a state, and the rows that it touches there.
fn present(kernel: &Kernel, machine: &mut dyn Threads, turn: Turn, state: &mut State) -> (Expectation, Log) {
    let act = &kernel.threads[turn.thread][turn.act].act;
    let promised = machine.present(turn.thread, act, kernel.edition, state);
    (promised, state.tracker.take_log())
}

/// A small state in which the bits of some words that an act changed are as they are before it (0), or after (1).
fn replaced(small: &[u8], other: &Event, (words, when): (&[usize], usize)) -> Vec<u8> {
    let mut small = small.to_vec();
    for at in words.iter().flat_map(|word| 4 * word..4 * word + 4) {
        let bits = other.small[0][at] ^ other.small[1][at];
        small[at] = small[at] & !bits | other.small[when][at] & bits;
    }
    small
}

impl<'a> Search<'a> {
    fn new(kernel: &'a Kernel, machine: &'a mut dyn Threads) -> Self {
        let layout = kernel.isa.layout;
        let (fields, state) = ((layout.fields)(), kernel.state());
        let acts: Vec<usize> = kernel.threads.iter().map(Vec::len).collect();
        let first = acts.iter().scan(0, |sum, &count| Some(std::mem::replace(sum, *sum + count))).collect();
        let total: usize = acts.iter().sum();
        let touches = kernel.threads.iter().enumerate().map(|(thread, lines)| {
            let mut from: Vec<Touches> = vec![Touches::default()];
            for line in lines.iter().rev() {
                let (own, behind) = (machine.touches(thread, &line.act), from[from.len() - 1]);
                from.push(Touches { reads: own.reads | behind.reads, writes: own.writes | behind.writes });
            }
            from.reverse();
            from
        });
        let touches = touches.collect();
        let signals = machine.signals().to_vec();
        let is_apart = |field: &&Field| matches!(field.role, FieldRole::Context | FieldRole::Latch);
        // What is counted is counted at once. A flag that units give from hand to hand is held against them like any other field.
        let of_signals = signals.iter().map(|&signal| &fields[signal]).filter(|field| field.role != FieldRole::Flag);
        let apart = fields.iter().filter(is_apart).chain(of_signals).map(|field| field.byte / 4).collect();
        let copy = |of: &State| {
            let mut copy = State::zeroed(layout);
            copy.copy_from(of);
            copy
        };
        Search {
            kernel,
            limits: SearchLimits::default(),
            map: RowMap::new(layout),
            fields,
            order: Order::new(acts.len(), signals.len(), total),
            signals,
            apart,
            context: fields.iter().filter(|field| field.role == FieldRole::Context).collect(),
            first,
            touches,
            shadow: copy(&state),
            lab: copy(&state),
            state,
            next: vec![0; acts.len()],
            events: (0..total).map(|_| None).collect(),
            path: Vec::new(),
            open: Vec::new(),
            observed: 0,
            digest: [0; 2],
            visited: HashSet::new(),
            ends: BTreeMap::new(),
            found: BTreeMap::new(),
            result: Explored::default(),
            machine,
        }
    }

    fn number(&self, turn: Turn) -> usize {
        self.first[turn.thread] + turn.act
    }

    fn act(&self, turn: Turn) -> &'a Act {
        &self.kernel.threads[turn.thread][turn.act].act
    }

    fn turns(&self) -> Vec<Turn> {
        self.path.iter().map(|step| step.turn).collect()
    }

    /// The turn of a thread that has acts left.
    fn turn(&self, thread: usize) -> Option<Turn> {
        let act = self.next[thread];
        (act < self.kernel.threads[thread].len()).then_some(Turn { thread, act })
    }

    /// Runs an order as far as it can be run; whether that is to its end.
    fn follow(&mut self, order: &[Turn]) -> bool {
        order.iter().all(|&turn| self.turn(turn.thread) == Some(turn) && self.step(turn).is_some())
    }

    /// Whether nothing that is left of the other threads can meet an act.
    fn is_alone(&self, turn: Turn) -> bool {
        let own = self.machine.touches(turn.thread, self.act(turn));
        (0..self.next.len()).filter(|&other| other != turn.thread).all(|other| {
            let others = self.touches[other][self.next[other]];
            own.writes & (others.reads | others.writes) == 0 && own.reads & others.writes == 0
        })
    }

    fn visit(&mut self) {
        let state = of_state(self.digest, &self.state.small);
        let next = self.next.iter().map(|&next| next as u64);
        let key = mixed([3, 5], self.order.words().chain(next).chain([self.observed, state[0], state[1]]));
        if !self.visited.insert(key) {
            return;
        }
        self.result.states += 1;
        self.result.longest = self.result.longest.max(self.path.len());
        let threads: Vec<Turn> = (0..self.next.len()).filter_map(|thread| self.turn(thread)).collect();
        if threads.is_empty() {
            let turns = self.turns();
            self.ends.entry((state, self.observed)).or_insert(turns);
            return;
        }
        let is_over = self.limits.stop.is_some_and(|stop| stop.load(Relaxed));
        if self.path.len() >= self.limits.depth || self.result.states > self.limits.states || is_over {
            self.result.cut = true;
            return;
        }
        if self.limits.reduce && threads.len() > 1 {
            let alone = threads.iter().copied().find(|&turn| self.is_alone(turn) && !self.is_held(turn));
            if let Some(turn) = alone {
                self.result.alone += 1;
                self.go(turn);
                return;
            }
        }
        let went = threads.iter().filter(|&&turn| self.go(turn)).count();
        if went == 0 {
            self.deadlock(&threads);
        }
    }

    /// The threads whose next act is held.
    fn held(&mut self) -> Vec<usize> {
        let turns: Vec<Turn> = (0..self.next.len()).filter_map(|thread| self.turn(thread)).collect();
        turns.into_iter().filter(|&turn| self.is_held(turn)).map(|turn| turn.thread).collect()
    }

    /// Whether an act is held in the state as it is.
    fn is_held(&mut self, turn: Turn) -> bool {
        self.shadow.small.copy_from_slice(&self.state.small);
        let (promised, log) = present(self.kernel, self.machine, turn, &mut self.shadow);
        self.map.copy([&log.written], &self.state.arena, &mut self.shadow.arena);
        matches!(promised, Expectation::Blocked(_))
    }

    /// Runs an act, follows all that can come behind it, and takes it back; false if it is held.
    fn go(&mut self, turn: Turn) -> bool {
        let Some(promised) = self.step(turn) else { return false };
        if promised.required_answer().is_some() {
            self.visit();
        }
        self.back();
        true
    }

    /// Runs an act; nothing if it is held. What is not promised ends an order.
    fn step(&mut self, turn: Turn) -> Option<Expectation> {
        let Search { machine, kernel, state, .. } = self;
        let act = &kernel.threads[turn.thread][turn.act].act;
        let small = state.small.clone();
        state.tracker.open.clone_from(&self.open);
        state.tracker.begin_step();
        let promised = machine.present(turn.thread, act, kernel.edition, state);
        let promised = state.tracker.built_on_open().unwrap_or(promised);
        let opened = state.tracker.open.split_off(self.open.len().min(state.tracker.open.len()));
        let log = state.tracker.take_log();
        if matches!(promised, Expectation::Blocked(_)) {
            state.small.copy_from_slice(&small);
            return None;
        }
        self.context.iter().for_each(|field| field.set(&mut state.small, field.get(&small)));
        self.result.acts += 1;
        self.path.push(Step {
            turn,
            bytes: bytes_of(&self.map, &log.written, &self.shadow.arena),
            rows: log.written.clone(),
            order: self.order.clone(),
            observed: self.observed,
            digest: self.digest,
            open: self.open.len(),
            small,
        });
        self.next[turn.thread] += 1;
        if promised.required_answer().is_some() {
            self.open.extend(opened);
            self.done(turn, log);
        } else {
            let text = promised.citation().map_or("", |cite| cite.reason).to_string();
            self.find(FoundKind::Unpromised, vec![turn], text, promised.citation());
        }
        Some(promised)
    }

    fn back(&mut self) {
        let step = self.path.pop().expect("a step was taken");
        let number = self.number(step.turn);
        self.events[number] = None;
        self.next[step.turn.thread] -= 1;
        for state in [&mut self.state, &mut self.shadow] {
            put(&self.map, &step.rows, &step.bytes, &mut state.arena);
        }
        self.state.small.copy_from_slice(&step.small);
        self.order = step.order;
        (self.observed, self.digest) = (step.observed, step.digest);
        self.open.truncate(step.open);
    }

    /// What follows of an act that is done: who waited for whom, what it meets, and what the gates make of it.
    fn done(&mut self, turn: Turn, log: Log) {
        let step = self.path.last().expect("a step was taken");
        let (before_small, after_small) = (step.small.clone(), self.state.small.clone());
        let act = self.act(turn);
        let unit = self.machine.executes(act);
        let given: Vec<usize> = (0..self.signals.len())
            .filter(|&signal| {
                let field = &self.fields[self.signals[signal]];
                field.get(&before_small) != field.get(&after_small)
            })
            .collect();
        let waited_for = self.waits_for(&before_small, |search, small| search.is_held_with(turn, small));
        let mut before = if matches!(act, Act::Store(_) | Act::Core(_)) {
            self.order.before_store(turn.thread, unit, self.events.len())
        } else {
            let machine = &*self.machine;
            self.order.before(turn.thread, unit, |blocks| machine.holds(blocks, act), &waited_for)
        };
        // A unit does what it is given in order, also by several threads.
        for (place, earlier) in self.events.iter().enumerate() {
            let earlier = earlier.as_ref().filter(|earlier| earlier.unit.number == unit.number);
            if let Some(earlier) = earlier.filter(|_| before.issued.contains(place)) {
                before.through.insert(place);
                before.through.union(&earlier.before.through);
            }
        }
        // What stand-ins read counts as an outcome.
        if let Act::StandIn(StandIn { .. }) = act
            && log.written.is_empty()
        {
            let read = bytes_of(&self.map, &log.read, &self.state.arena);
            self.observed = mixed([self.observed, turn.thread as u64], words_of(&read))[0];
        }
        for trespass in self.machine.trespasses(act, &before_small, &log) {
            let kind =
                if trespass.kind == FoundKind::TwoOwners.name() { FoundKind::TwoOwners } else { FoundKind::LostToken };
            self.find(kind, vec![turn], trespass.text, Some(trespass.citation));
        }
        let (one, other) = (before_small.chunks(4), after_small.chunks(4));
        let changed =
            one.zip(other).enumerate().filter(|(word, (one, other))| one != other && !self.apart.contains(word));
        let changed = changed.map(|(word, _)| word).collect();
        let event = Event {
            turn,
            unit,
            read: bytes_of(&self.map, &log.read, &self.shadow.arena),
            written: bytes_of(&self.map, &log.written, &self.state.arena),
            small: [before_small, after_small],
            before: before.clone(),
            words: changed,
            log,
        };
        self.meet(&event);
        self.digest_rows(&event.log.written);
        self.map.copy([&event.log.written], &self.state.arena, &mut self.shadow.arena);
        let number = self.number(turn);
        self.events[number] = Some(event);
        self.order.done(turn.thread, unit, number, &before, &given);
        if let Some(drain) = self.machine.drains(act) {
            self.order.latched(turn.thread, drain, number);
        }
        self.look();
    }

    /// Rows that were written count in the digest of the state.
    fn digest_rows(&mut self, rows: &RowSet) {
        let Search { map, shadow, state, digest, .. } = self;
        rows.each(|row| toggle(digest, map, row, [shadow, state]));
    }

    /// The gates look; what a gate forgets is ordered behind those that it waited for. What it looks at, an act that is still at
    /// work can be about to change.
    fn look(&mut self) {
        let before = self.state.small.clone();
        let forgot = self.machine.look(&mut self.state);
        self.state.tracker.clear();
        for thread in 0..self.next.len() {
            let Some(behind) = self.order.latched_behind(thread) else { continue };
            // What it waits for may come at any time.
            let signals: Vec<usize> = self.signals.iter().map(|&signal| self.fields[signal].byte / 4).collect();
            let forgets = forgot >> thread & 1 != 0;
            for place in 0..self.events.len() {
                let Some(earlier) = self.events[place].as_ref().filter(|_| !behind.contains(place)) else { continue };
                let words: Vec<usize> = earlier.words.iter().copied().filter(|word| !signals.contains(word)).collect();
                if words.is_empty() {
                    continue;
                }
                let (small, turn) = (replaced(&before, earlier, (&words, 0)), earlier.turn);
                if self.looks(thread, &small) == forgets {
                    continue;
                }
                let earlier = self.events[place].as_ref().expect("it was there");
                let changed = |field: &&Field| field.get(&earlier.small[0]) != field.get(&earlier.small[1]);
                let field = self.fields.iter().filter(|field| words.contains(&(field.byte / 4))).find(changed);
                let name = field.map_or("a word", |field| &field.name);
                let act = self.order.wait_of(thread).saturating_sub(self.first[thread]);
                let text = format!("the gate looks at {name} where it may still be written");
                self.find(FoundKind::Race, vec![turn, Turn { thread, act }], text, None);
            }
            if forgets {
                let waited_for = self.waits_for(&before, |search, small| !search.looks(thread, small));
                self.order.forgot(thread, &waited_for);
            }
        }
    }

    /// Whether a gate forgets what it has latched with a small state.
    fn looks(&mut self, thread: usize, small: &[u8]) -> bool {
        self.shadow.small.copy_from_slice(small);
        let forgot = self.machine.look(&mut self.shadow);
        self.shadow.tracker.clear();
        forgot >> thread & 1 != 0
    }

    /// The signals of which another value makes it wait: places in the list of signals.
    fn waits_for(&mut self, small: &[u8], mut is_held: impl FnMut(&mut Self, &[u8]) -> bool) -> Vec<usize> {
        let mut tried = small.to_vec();
        let mut set = |search: &mut Self, places: &[usize], value: &dyn Fn(&Field) -> u32| {
            tried.copy_from_slice(small);
            for &place in places {
                let field = &search.fields[search.signals[place]];
                field.set(&mut tried, value(field));
            }
            is_held(search, &tried)
        };
        let all: Vec<usize> = (0..self.signals.len()).collect();
        let values: [&dyn Fn(&Field) -> u32; 3] = [&|_| 0, &|field| field.max.min(1), &|field| field.max];
        let mut found = Vec::new();
        for value in values {
            if !set(self, &all, value) {
                continue;
            }
            for &place in &all {
                if !found.contains(&place) && set(self, &[place], value) {
                    found.push(place);
                }
            }
        }
        found
    }

    /// Whether an act is held with another small state; the rows are those before the last step.
    fn is_held_with(&mut self, turn: Turn, small: &[u8]) -> bool {
        self.shadow.small.copy_from_slice(small);
        let (promised, log) = present(self.kernel, self.machine, turn, &mut self.shadow);
        let step = self.path.last().expect("a step was taken");
        // Rows that the step wrote are in it as they were, and all others are in the state.
        self.map.copy([&log.written], &self.state.arena, &mut self.shadow.arena);
        put(&self.map, &step.rows, &step.bytes, &mut self.shadow.arena);
        matches!(promised, Expectation::Blocked(_))
    }

    /// Holds an act against those that may still be at work, or come later.
    fn meet(&mut self, event: &Event) {
        for place in 0..self.events.len() {
            let Some(earlier) = &self.events[place] else { continue };
            if event.before.through.contains(place) {
                continue;
            }
            let is_own = earlier.turn.thread == event.turn.thread;
            if let Some(at) = self.meeting(place, event, is_own) {
                let earlier = self.events[place].as_ref().expect("it was there");
                let turns = vec![earlier.turn, event.turn];
                self.find(FoundKind::Race, turns, at, None);
            }
        }
    }

    /// Where an act meets an earlier one, if it matters which comes first.
    fn meeting(&mut self, place: usize, event: &Event, is_own: bool) -> Option<String> {
        let earlier = self.events[place].take().expect("it was there");
        let found = self.row_meeting(&earlier, event, is_own).or_else(|| self.word_meeting(&earlier, event));
        self.events[place] = Some(earlier);
        found
    }

    fn row_meeting(&mut self, earlier: &Event, event: &Event, is_own: bool) -> Option<String> {
        let (first, second) = (self.act(earlier.turn), self.act(event.turn));
        let between = if is_own { event.turn.act - earlier.turn.act - 1 } else { 0 };
        let pairs = [
            (&earlier.log.written, &event.log.read, "is read", "may still be written"),
            (&earlier.log.read, &event.log.written, "is written", "may still be read"),
            (&earlier.log.written, &event.log.written, "is written", "may still be written"),
        ];
        for (one, other, now, still) in pairs {
            let Some(row) = common(one, other) else { continue };
            let (bank, of_bank) = self.kernel.isa.layout.locate(row);
            if is_own && self.machine.sees(first, second, between, bank) {
                continue;
            }
            let spec = &self.kernel.isa.layout.banks[bank];
            // Registers that lie side by side in a row are used one by one.
            if spec.row_bytes() < 32 && spec.columns() > 1 && !self.is_swapped(earlier, event, row) {
                continue;
            }
            return Some(format!("{} {now} where it {still}", spec.row_name(of_bank)));
        }
        None
    }

    /// Whether it matters which of two acts comes first that touch a row whose words are used one by one.
    fn is_swapped(&mut self, earlier: &Event, event: &Event, row: usize) -> bool {
        let changed = [earlier, event].map(|event| self.changed(event, row));
        if let [Some(one), Some(other)] = &changed
            && one.iter().zip(other).any(|(one, other)| *one && *other)
        {
            return true;
        }
        let (rows, bytes) = {
            let step = self.path.iter().find(|step| step.turn == earlier.turn).expect("it is on the way here");
            (step.rows.clone(), step.bytes.clone())
        };
        !self.does_the_same(event, (&rows, &bytes))
            || !self.does_the_same(earlier, (&event.log.written, &event.written))
    }

    /// Whether an act does what it did if some rows hold something else.
    fn does_the_same(&mut self, event: &Event, (rows, bytes): (&RowSet, &[u8])) -> bool {
        self.stage(event);
        put(&self.map, rows, bytes, &mut self.lab.arena);
        let tried = self.tried_in_lab(event, rows);
        tried.promised.required_answer().is_some()
            && tried.small == *event.small[1]
            && tried.log.written == event.log.written
            && tried.written == event.written
    }

    /// Which bytes of a row an act changed, if it wrote it.
    fn changed(&self, event: &Event, row: usize) -> Option<Vec<bool>> {
        let step = self.path.iter().find(|step| step.turn == event.turn).expect("it is on the way here");
        let (mut at, mut found, size) = (0, None, self.map.range(row, 1).len());
        step.rows.each(|own| {
            if own == row {
                found = Some(at..at + size);
            }
            at += self.map.range(own, 1).len();
        });
        let range = found?;
        let (before, after) = (&step.bytes[range.clone()], &event.written[range]);
        Some(before.iter().zip(after).map(|(before, after)| before != after).collect())
    }

    fn word_meeting(&mut self, earlier: &Event, event: &Event) -> Option<String> {
        let names = |words: &[usize], fields: &'static [Field]| {
            let of = fields.iter().filter(|field| words.contains(&(field.byte / 4)));
            let changed = of.filter(|field| {
                field.get(&earlier.small[0]) != field.get(&earlier.small[1])
                    || field.get(&event.small[0]) != field.get(&event.small[1])
            });
            changed.map(|field| field.name.clone()).next().unwrap_or_else(|| "a word".to_string())
        };
        let both = |word: &&usize| {
            let changed = |of: &Event, at: usize| of.small[0][at] ^ of.small[1][at];
            event.words.contains(word)
                && (4 * **word..4 * **word + 4).any(|at| changed(earlier, at) & changed(event, at) != 0)
        };
        if let Some(&word) = earlier.words.iter().find(both) {
            return Some(format!("{} is written where it may still be written", names(&[word], self.fields)));
        }
        if !event.words.is_empty() && !self.comes_out_alike(earlier, (event, 1)) {
            return Some(format!("{} is written where it may still be read", names(&event.words, self.fields)));
        }
        if !earlier.words.is_empty() && !self.comes_out_alike(event, (earlier, 0)) {
            return Some(format!("{} is read where it may still be written", names(&earlier.words, self.fields)));
        }
        None
    }

    /// Puts the state before an act into the lab, as far as the act read it.
    fn stage(&mut self, event: &Event) {
        self.lab.small.copy_from_slice(&event.small[0]);
        put(&self.map, &event.log.read, &event.read, &mut self.lab.arena);
    }

    /// Whether an act does the same if the bits that another changed are as they are before that (0), or after (1): with the rows
    /// that it read, and with others there, for some hide what it goes by.
    fn comes_out_alike(&mut self, event: &Event, (other, when): (&Event, usize)) -> bool {
        let small = replaced(&event.small[0], other, (&other.words, when));
        let mut rows = event.log.read.clone();
        (0..=NOISES).all(|noise| {
            let one = self.tried(event, &event.small[0], (noise, &rows));
            let two = self.tried(event, &small, (noise, &rows));
            let mut expected = one.small.clone();
            for at in other.words.iter().flat_map(|word| 4 * word..4 * word + 4) {
                // What the act leaves as it is stays so.
                let passed = (small[at] ^ event.small[0][at]) & !(one.small[at] ^ event.small[0][at]);
                expected[at] = expected[at] & !passed | small[at] & passed;
            }
            rows.union(&two.log.read);
            let alike = one.log.written == two.log.written && one.written == two.written;
            one.promised.name() == two.promised.name() && two.small == expected && alike
        })
    }

    /// What an act does in another state, where some rows hold noise unless that is 0.
    fn tried(&mut self, event: &Event, small: &[u8], (noise, noisy): (u64, &RowSet)) -> Tried {
        // A part of a row that is written holds what it held: the same in each try.
        self.map.copy([&event.log.written], &self.state.arena, &mut self.lab.arena);
        self.stage(event);
        self.lab.small.copy_from_slice(small);
        if noise > 0 {
            let Search { map, lab, kernel, .. } = self;
            noisy.each(|row| {
                let (bank, of_bank) = kernel.isa.layout.locate(row);
                let spec = &kernel.isa.layout.banks[bank];
                let mut words: Vec<u32> = (0..spec.columns())
                    .map(|column| mix64(noise << 32 | (row << 8 | column) as u64) as u32 & spec.word_mask())
                    .collect();
                spec.hold(of_bank, &mut words);
                spec.put_words(&mut lab.arena[map.range(row, 1)], &words);
            });
        }
        self.tried_in_lab(event, noisy)
    }

    /// What an act does in the lab as it is staged, where `other` rows are not as in the state; the rows are put back after it.
    fn tried_in_lab(&mut self, event: &Event, other: &RowSet) -> Tried {
        let (promised, log) = present(self.kernel, self.machine, event.turn, &mut self.lab);
        self.context.iter().for_each(|field| field.set(&mut self.lab.small, field.get(&event.small[1])));
        let (small, written) = (self.lab.small.to_vec(), bytes_of(&self.map, &log.written, &self.lab.arena));
        self.map.copy([&log.written, &event.log.read, other], &self.state.arena, &mut self.lab.arena);
        Tried { promised, small, log, written }
    }

    fn find(&mut self, kind: FoundKind, turns: Vec<Turn>, text: String, citation: Option<&'static Citation>) {
        let order = self.turns();
        let key = (kind, turns.clone(), if kind == FoundKind::Race { String::new() } else { text.clone() });
        let is_shorter = self.found.get(&key).is_none_or(|found| order.len() < found.order.len());
        if is_shorter {
            let found = Found { kind, turns, text, citation, holds: Vec::new(), order, other: Vec::new() };
            self.found.insert(key, found);
        }
    }

    /// No thread goes on.
    fn deadlock(&mut self, threads: &[Turn]) {
        let mut holds = Vec::new();
        for &turn in threads {
            self.lab.copy_from(&self.state);
            let (promised, _) = present(self.kernel, self.machine, turn, &mut self.lab);
            let Some(citation) = promised.citation() else { continue };
            let freed = (0..self.signals.len()).filter(|&place| {
                let field = &self.fields[self.signals[place]];
                (0..=field.max.min(15)).any(|value| {
                    self.lab.copy_from(&self.state);
                    field.set(&mut self.lab.small, value);
                    let (promised, _) = present(self.kernel, self.machine, turn, &mut self.lab);
                    !matches!(promised, Expectation::Blocked(_))
                })
            });
            let waits_for = freed.collect::<Vec<_>>();
            let named = |&place: &usize| {
                let field = &self.fields[self.signals[place]];
                (field.name.clone(), field.get(&self.state.small))
            };
            holds.push(Hold { turn, citation, waits_for: waits_for.iter().map(named).collect() });
        }
        self.lab.copy_from(&self.state);
        self.find(FoundKind::Deadlock, threads.to_vec(), String::new(), None);
        if let Some(found) = self.found.get_mut(&(FoundKind::Deadlock, threads.to_vec(), String::new())) {
            found.holds = holds;
        }
    }

    /// What an order finds on its way; nothing if it cannot be run.
    fn replay(&mut self, order: &[Turn]) -> Option<BTreeMap<Key, Found>> {
        let mut search = Search::new(self.kernel, self.machine);
        search.follow(order).then_some(search.found)
    }

    /// Leaves acts at the end of each thread's part of an order out, as long as it shows the same.
    fn shorten(&mut self, key: &Key, found: &mut Found) {
        let mut is_shorter = true;
        while std::mem::take(&mut is_shorter) {
            for thread in 0..self.next.len() {
                let Some(last) = found.order.iter().rposition(|turn| turn.thread == thread) else { continue };
                if found.turns.contains(&found.order[last]) {
                    continue;
                }
                let mut order = found.order.clone();
                order.remove(last);
                if let Some(same) = self.replay(&order).and_then(|mut found| found.remove(key)) {
                    *found = same;
                    is_shorter = true;
                }
            }
        }
    }

    /// What differs between the ends of two orders.
    fn differing(&mut self, orders: [&[Turn]; 2]) -> String {
        let [one, other] = orders.map(|order| end_state(self.kernel, self.machine, order));
        let layout = self.kernel.isa.layout;
        let fields = self.fields.iter().filter(|field| field.get(&one.small) != field.get(&other.small));
        let mut names: Vec<String> = fields.map(|field| field.name.clone()).collect();
        for (number, bank) in layout.banks.iter().enumerate() {
            let rows = (0..bank.rows()).filter(|&row| one.row(number, row) != other.row(number, row));
            names.extend(rows.map(|row| bank.row_name(row)));
        }
        if names.is_empty() {
            names.push("what is packed".to_string());
        }
        let more = names.len().saturating_sub(4);
        names.truncate(4);
        names.join(", ") + &if more > 0 { format!(", and {more} more") } else { String::new() }
    }

    fn result(mut self) -> Explored {
        let mut found = std::mem::take(&mut self.found);
        for (key, found) in &mut found {
            if !matches!(found.kind, FoundKind::Deadlock | FoundKind::Outcomes) {
                self.shorten(key, found);
            }
        }
        let ends: Vec<End> = self.ends.iter().map(|(&(state, _), order)| End { order: order.clone(), state }).collect();
        self.result.found = found.into_values().collect();
        if let [one, other, ..] = &ends[..] {
            let (order, other) = (one.order.clone(), other.order.clone());
            let text = format!("{} ends; two of them differ in {}", ends.len(), self.differing([&order, &other]));
            let (kind, turns, citation, holds) = (FoundKind::Outcomes, Vec::new(), None, Vec::new());
            self.result.found.push(Found { kind, turns, text, citation, holds, order, other });
        }
        self.result.ends = ends;
        self.result
    }
}
