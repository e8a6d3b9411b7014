//! Programs of three threads: what their files say is what all orders show, and the search sees what trying every order shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use tandem::wiring;
use tandem_harness::{Explored, FoundKind, Kernel, KernelLine, SearchLimits, explore, mutants};
use tandem_isa::{Act, Expectation, FieldRole, Noise, State, Threads, mix64};

/// The files of a folder of `kernels`.
pub(super) fn files(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels").join(folder);
    let entries = folder.read_dir().expect("it is a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    files.sort();
    files
}

pub(super) fn read(path: &PathBuf) -> (Kernel, Box<dyn Threads>) {
    let text = fs::read_to_string(path).expect("it can be read");
    Kernel::read(&text, &wiring::threads).unwrap_or_else(|error| panic!("{}, {error}", path.display()))
}

fn kinds(explored: &Explored) -> BTreeSet<&'static str> {
    explored.found.iter().map(|found| found.kind.name()).collect()
}

fn ends(explored: &Explored) -> BTreeSet<[u64; 2]> {
    explored.ends.iter().map(|end| end.state).collect()
}

#[test]
fn every_kernel_shows_in_all_orders_what_its_file_says() {
    let (mut protocols, mut faults, mut repaired) = (0, BTreeSet::new(), BTreeSet::new());
    for path in files("protocols").into_iter().chain(files("reports")) {
        let (kernel, mut machine) = read(&path);
        let whole = SearchLimits { reduce: false, ..SearchLimits::default() };
        let [reduced, all] = [SearchLimits::default(), whole].map(|limits| explore(&kernel, &mut *machine, limits));
        let finds: BTreeSet<&str> = kernel.finds.iter().flatten().map(String::as_str).collect();
        assert!(kernel.finds.is_some() && !reduced.cut && !all.cut, "{}", kernel.name);
        assert_eq!(kinds(&reduced), finds, "{}", kernel.name);
        assert_eq!((kinds(&all), ends(&all)), (finds.clone(), ends(&reduced)), "{}", kernel.name);
        assert!(reduced.states <= all.states, "{}", kernel.name);
        match kernel.name.strip_suffix("-repaired") {
            Some(name) => assert!(finds.is_empty() && repaired.insert(name.to_string())),
            None if path.components().any(|part| part.as_os_str() == "reports") => {
                assert!(!finds.is_empty() && faults.insert(kernel.name.clone()));
            }
            None => {
                assert!(finds.is_empty(), "{}", kernel.name);
                protocols += 1;
            }
        }
    }
    assert_eq!(faults, repaired);
    assert!(faults.len() >= 10 && protocols >= 25, "{} reports, {protocols} protocols", faults.len());
}

#[test]
fn each_of_60_mistakes_in_protocols_is_caught_or_changes_nothing_in_any_order() {
    const SEED: u64 = 54;
    println!("seed {SEED}");
    // Of a tile without a wait there are too many orders to try all; it has a test of its own.
    let is_tile = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tile-"));
    let files: Vec<PathBuf> = files("protocols").into_iter().filter(|path| !is_tile(path)).collect();
    let (mut caught, mut harmless) = (0, 0);
    for number in 0..60 {
        let (kernel, mut machine) = read(&files[number % files.len()]);
        let own = explore(&kernel, &mut *machine, SearchLimits::default());
        let drawn = mutants(&kernel, mix64(SEED ^ number as u64), 1);
        let [mutant] = &drawn[..] else { panic!("{} has mutants", kernel.name) };
        let explored = explore(&mutant.kernel, &mut *machine, SearchLimits::default());
        assert!(!explored.cut, "{}", kernel.name);
        if explored.found.is_empty() && ends(&explored) == ends(&own) {
            println!("harmless: {} T{} act {}, {}", kernel.name, mutant.turn.thread, mutant.turn.act + 1, mutant.what);
            harmless += 1;
        } else {
            caught += 1;
        }
    }
    assert!(caught > harmless, "{caught} caught, {harmless} harmless");
}

/// What keeps the threads of a tile apart, left out: a wait of each thread, and a token.
#[test]
fn a_tile_without_a_step_of_its_protocol_is_caught() {
    for name in ["tile-wh", "tile-bh"] {
        for (thread, file, shows) in
            [(0, "stallwait", "race"), (1, "semwait", "race"), (1, "sempost", "deadlock"), (2, "semwait", "lost token")]
        {
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("kernels/protocols/{name}.jsonl"));
            let (mut kernel, mut machine) = read(&path);
            let is_left_out = |act: &Act| matches!(act, Act::Instruction(word) if word.facts.file == file);
            let before = kernel.threads[thread].len();
            kernel.threads[thread].retain(|line| !is_left_out(&line.act));
            assert_eq!(before - kernel.threads[thread].len(), 2, "one a tile");
            // Without a wait there are far more orders than it takes.
            let explored = explore(&kernel, &mut *machine, SearchLimits { states: 300, ..SearchLimits::default() });
            assert!(kinds(&explored).contains(shows), "{name}, T{thread} {file}: {:?}", kinds(&explored));
        }
    }
}

#[test]
fn rows_that_are_there_from_the_start_were_written_by_no_act() {
    let text = r#"{"kernel": "from the start", "isa": "tensix-wh"}
{"state": {"DstBits[5][0]": 7}}
{"thread": 0, "step": "SEMPOST SemaphoreMask=1"}
{"thread": 1, "pack": "Dst", "first": 5, "rows": 1}
"#;
    let (kernel, mut machine) = Kernel::read(text, &wiring::threads).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(kinds(&explore(&kernel, &mut *machine, SearchLimits::default())), BTreeSet::new());
}

/// Steps of which small kernels are drawn.
const STEPS: &[&str] = &[
    "SEMPOST SemaphoreMask=1",
    "SEMGET SemaphoreMask=1",
    "SEMWAIT BlockMask=66 SemaphoreMask=1 ConditionMask=1",
    "SEMWAIT BlockMask=511 SemaphoreMask=1 ConditionMask=2",
    "SETRWC FlipSrcA=1",
    "MOVA2D DstRow=8",
    "MOVA2D DstRow=16",
    "MOVD2B DstRow=8",
    "INCRWC DstInc=8",
    "SETC16 CfgIndex=1 NewValue=8",
    "STALLWAIT BlockMask=66 ConditionMask=MATRIX",
    "STALLWAIT BlockMask=511 ConditionMask=UNITS",
    "STALLWAIT BlockMask=511 ConditionMask=UNITS",
];

/// Conditions of the Matrix Unit, and of all units: of Wormhole, and of Blackhole.
const CONDITIONS: [(&str, [&str; 2]); 2] = [("MATRIX", ["128", "16"]), ("UNITS", ["28927", "7711"])];

/// A small kernel, and how it is drawn.
fn drawn(noise: &mut Noise) -> (String, Kernel, Box<dyn Threads>) {
    let chip = noise.below(2);
    let mut text = format!("{{\"kernel\": \"drawn\", \"isa\": \"{}\"}}\n", ["tensix-wh", "tensix-bh"][chip]);
    text += "{\"state\": {\"SrcA[0].AllowedClient\": 1, \"SrcA[1].AllowedClient\": 1, \"Semaphores[0].Max\": 1}}\n";
    for thread in 0..3 {
        for _ in 0..2 + noise.below(2) {
            text += &match noise.below(5) {
                0 => format!(
                    "{{\"thread\": {thread}, \"unpack\": \"SrcA\", \"rows\": 1, \"value\": {thread}, \"flip\": true}}\n"
                ),
                _ => format!("{{\"thread\": {thread}, \"step\": \"{}\"}}\n", STEPS[noise.below(STEPS.len())]),
            };
        }
    }
    for (name, of_chips) in CONDITIONS {
        text = text.replace(name, of_chips[chip]);
    }
    let (kernel, machine) = Kernel::read(&text, &wiring::threads).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, kernel, machine)
}

/// A state at the end, without who came last.
fn end_of(kernel: &Kernel, state: &State) -> Vec<u8> {
    let mut end = state.arena.to_vec();
    let fields = (kernel.isa.layout.fields)().iter().filter(|field| field.role != FieldRole::Context);
    end.extend(fields.flat_map(|field| field.get(&state.small).to_le_bytes()));
    end
}

/// What trying every order shows: the states at the end, whether some order hangs, and whether one comes to where nothing is
/// promised.
fn tried(
    kernel: &Kernel,
    machine: &mut dyn Threads,
    state: &State,
    next: &[usize; 3],
    seen: &mut (BTreeSet<Vec<u8>>, bool, bool),
) {
    let left = (0..3).filter(|&thread| next[thread] < kernel.threads[thread].len());
    let (mut is_held, mut any) = (true, false);
    for thread in left {
        any = true;
        let mut after = kernel.state();
        after.copy_from(state);
        let promised = machine.present(thread, &kernel.threads[thread][next[thread]].act, kernel.edition, &mut after);
        if matches!(promised, Expectation::Blocked(_)) {
            continue;
        }
        is_held = false;
        if promised.required_answer().is_none() || !after.tracker.open.is_empty() {
            seen.2 = true;
            continue;
        }
        machine.look(&mut after);
        let mut next = *next;
        next[thread] += 1;
        tried(kernel, machine, &after, &next, seen);
    }
    if !any {
        seen.0.insert(end_of(kernel, state));
    } else if is_held {
        seen.1 = true;
    }
}

#[test]
fn the_search_sees_what_trying_every_order_shows() {
    let mut shown = [0; 3];
    for seed in 0..250 {
        let (text, kernel, mut machine) = drawn(&mut Noise::new(mix64(seed)));
        let mut seen = (BTreeSet::new(), false, false);
        tried(&kernel, &mut *machine, &kernel.state(), &[0; 3], &mut seen);
        for reduce in [false, true] {
            let explored = explore(&kernel, &mut *machine, SearchLimits { reduce, ..SearchLimits::default() });
            let has = |kind: FoundKind| explored.found.iter().any(|found| found.kind == kind);
            let of_search = (ends(&explored).len(), has(FoundKind::Deadlock), has(FoundKind::Unpromised));
            assert_eq!(of_search, (seen.0.len(), seen.1, seen.2), "reduce {reduce}, seed {seed}:\n{text}");
            assert_eq!(has(FoundKind::Outcomes), seen.0.len() > 1, "seed {seed}:\n{text}");
        }
        shown = [shown[0] + usize::from(seen.0.len() > 1), shown[1] + usize::from(seen.1), shown[2] + 1];
    }
    assert!(shown[0] > 20 && shown[1] > 20, "{shown:?}");
}

/// A machine whose units work at their own pace: what threads gave them and is not done yet stands in queues.
#[derive(Clone)]
struct AtOwnPace {
    state: Vec<u8>,
    next: [usize; 3],
    /// By unit, acts in the order in which they got past their gates: `(thread, act)`.
    queues: BTreeMap<u32, Vec<(usize, usize)>>,
    /// The units that a latched wait of each thread asks for.
    drains: [u32; 3],
}

/// Every way in which such a machine can end.
struct Paces<'a> {
    kernel: &'a Kernel,
    machine: &'a mut dyn Threads,
    seen: BTreeSet<Vec<u8>>,
    ends: BTreeSet<Vec<u8>>,
}

fn packed(state: &State) -> Vec<u8> {
    [&state.small[..], &state.arena[..]].concat()
}

fn unpacked(kernel: &Kernel, bytes: &[u8]) -> State {
    let mut state = kernel.state();
    let (small, arena) = bytes.split_at(state.small.len());
    state.small.copy_from_slice(small);
    state.arena.copy_from_slice(arena);
    state
}

impl Paces<'_> {
    fn act(&self, thread: usize, act: usize) -> &Act {
        &self.kernel.threads[thread][act].act
    }

    /// Does an act; whether it is held.
    fn does(&mut self, thread: usize, act: usize, state: &mut State) -> bool {
        let act = self.act(thread, act).clone();
        let promised = self.machine.present(thread, &act, self.kernel.edition, state);
        assert!(promised.required_answer().is_some(), "{act:?}");
        matches!(promised, Expectation::Blocked(_))
    }

    /// Gates look; one that asks for a unit that is still at work keeps what it has latched.
    fn look(&mut self, at: &mut AtOwnPace, state: &mut State) {
        let before = state.small.clone();
        let forgot = self.machine.look(state);
        for thread in (0..3).filter(|thread| forgot >> thread & 1 != 0) {
            let asks = |unit: &u32| at.drains[thread] >> unit & 1 != 0;
            let busy = at.queues.iter().any(|(unit, acts)| asks(unit) && acts.iter().any(|(of, _)| *of == thread));
            if busy {
                let latch = |field: &&tandem_isa::Field| field.name.starts_with(&format!("WaitGate[{thread}]"));
                let fields = (self.kernel.isa.layout.fields)().iter().filter(latch);
                fields.for_each(|field| field.set(&mut state.small, field.get(&before)));
            } else {
                at.drains[thread] = 0;
            }
        }
        at.state = packed(state);
    }

    fn go(&mut self, at: &AtOwnPace) {
        let mut key = at.state.clone();
        key.extend(at.next.iter().flat_map(|next| next.to_le_bytes()));
        let queued = at.queues.iter().flat_map(|(unit, acts)| acts.iter().map(move |act| (*unit, *act)));
        key.extend(queued.flat_map(|(unit, (thread, act))| [unit as u8, thread as u8, act as u8]));
        if !self.seen.insert(key) {
            return;
        }
        let mut is_over = true;
        // A unit does the first of what it was given.
        for (unit, acts) in at.queues.iter().filter(|(_, acts)| !acts.is_empty()) {
            is_over = false;
            let (mut after, mut state) = (at.clone(), unpacked(self.kernel, &at.state));
            // The gate is behind it.
            let latched = state.small.clone();
            let latch = |field: &&tandem_isa::Field| field.name.starts_with("WaitGate");
            let gates: Vec<_> = (self.kernel.isa.layout.fields)().iter().filter(latch).collect();
            gates.iter().for_each(|field| field.set(&mut state.small, 0));
            if self.does(acts[0].0, acts[0].1, &mut state) {
                continue;
            }
            gates.iter().for_each(|field| field.set(&mut state.small, field.get(&latched)));
            after.queues.get_mut(unit).expect("it is there").remove(0);
            self.look(&mut after, &mut state);
            self.go(&after);
        }
        for thread in (0..3).filter(|&thread| at.next[thread] < self.kernel.threads[thread].len()) {
            is_over = false;
            let number = at.next[thread];
            let unit = self.machine.executes(self.act(thread, number));
            let (mut after, mut state) = (at.clone(), unpacked(self.kernel, &at.state));
            after.next[thread] += 1;
            let queue = at.queues.get(&unit.number).cloned().unwrap_or_default();
            // It gets past its gate as if its unit had done what it was given before.
            let held = queue.iter().any(|&(of, act)| self.does(of, act, &mut state));
            if held || self.does(thread, number, &mut state) {
                continue;
            }
            if unit.own_pace {
                after.queues.entry(unit.number).or_default().push((thread, number));
                // What the gate lets past it does not hold any more.
                let mut state = unpacked(self.kernel, &at.state);
                self.look(&mut after, &mut state);
            } else {
                assert!(queue.is_empty(), "only units at their own pace have queues");
                if let Some(drain) = self.machine.drains(&self.act(thread, number).clone()) {
                    after.drains[thread] = drain.units;
                }
                self.look(&mut after, &mut state);
            }
            self.go(&after);
        }
        if is_over {
            let state = unpacked(self.kernel, &at.state);
            self.ends.insert(end_of(self.kernel, &state));
        }
    }
}

#[test]
fn without_races_units_at_their_own_pace_end_as_the_search_says() {
    let (mut free, mut racy, mut other) = (0, 0, 0);
    for seed in 1000..2400 {
        let (text, kernel, mut machine) = drawn(&mut Noise::new(mix64(seed)));
        let explored = explore(&kernel, &mut *machine, SearchLimits::default());
        let has = |kind: FoundKind| explored.found.iter().any(|found| found.kind == kind);
        if has(FoundKind::Unpromised) || has(FoundKind::Deadlock) {
            continue;
        }
        let orders = explored.ends.iter().map(|end| {
            let mut state = kernel.state();
            for turn in &end.order {
                let _ = machine.present(
                    turn.thread,
                    &kernel.threads[turn.thread][turn.act].act,
                    kernel.edition,
                    &mut state,
                );
                machine.look(&mut state);
            }
            end_of(&kernel, &state)
        });
        let of_search: BTreeSet<Vec<u8>> = orders.collect();
        let mut paces = Paces { kernel: &kernel, machine: &mut *machine, seen: BTreeSet::new(), ends: BTreeSet::new() };
        let state = packed(&kernel.state());
        paces.go(&AtOwnPace { state, next: [0; 3], queues: BTreeMap::new(), drains: [0; 3] });
        if has(FoundKind::Race) {
            racy += 1;
            other += usize::from(paces.ends != of_search);
        } else {
            assert!(
                paces.ends == of_search,
                "seed {seed}: {} ends, {} of the search\n{text}",
                paces.ends.len(),
                of_search.len()
            );
            free += 1;
        }
        if free > 150 {
            break;
        }
    }
    println!("{free} without a race, {racy} with one, of which {other} end in more ways");
    assert!(free > 100 && other > 20, "{free} {racy} {other}");
}

/// The order of a finding shows it, and without the last act of any thread that the finding is not about it does not.
#[test]
fn each_finding_has_an_order_that_can_be_run() {
    for path in files("reports") {
        let (kernel, mut machine) = read(&path);
        for found in explore(&kernel, &mut *machine, SearchLimits::default()).found {
            let shown = tandem_harness::observe_order(&kernel, &mut *machine, &found.order);
            let rows = tandem_harness::scheduled(&kernel, &mut *machine, &found.order);
            assert_eq!(rows.len(), found.order.len(), "{}: the order can be run", kernel.name);
            match found.kind {
                FoundKind::Deadlock => {
                    let left: Vec<usize> = found.turns.iter().map(|turn| turn.thread).collect();
                    assert!(
                        !found.holds.is_empty() && rows.last().is_some_and(|row| row.held == left),
                        "{}",
                        kernel.name
                    );
                }
                FoundKind::Outcomes => assert!(!found.other.is_empty(), "{}", kernel.name),
                kind => {
                    let same = shown.iter().any(|one| one.kind == kind && one.turns == found.turns);
                    assert!(same, "{}: {} {:?}", kernel.name, kind.name(), found.turns);
                }
            }
        }
    }
}

/// An act of a kernel that a test makes.
pub(super) fn line(act: Act) -> KernelLine {
    KernelLine { act, line: 1, label: None, after: Vec::new() }
}
