//! Speed: nanoseconds of the reference, of each level, and of a complete case, measured in interleaved rounds.
//!
//! Reference and levels are timed whole (gate, configuration, counters, log) on salted state: many prepared small
//! states, taken in turn and carried on within a round (so that counters move), over an arena whose rows are
//! all drawn as operands of the class are. The loop around them is timed alone and subtracted. The log of a level is not
//! cleared in between, which is the harness's work and part of a complete case; that of the reference is, because a row
//! that is marked already costs it less. A complete case is generate, reference, best level, compare, put back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_isa::{AlignedBytes, Answer, BenchClass, Code, Expectation, Instruction, State, Step, Target, TargetInfo};

use crate::{CaseId, Generator, IsaSuite, Pools, Salter, Workbench};

/// How long a class is measured at most, once there were enough rounds.
const LONGEST: Duration = Duration::from_secs(2);
/// The fewest rounds.
const LEAST_ROUNDS: usize = 20;
/// Prepared cases of a class.
const PREPARED: usize = 256;
/// Cases that are drawn, of which those are prepared that the pages promise.
const DRAWN: u64 = 16 * PREPARED as u64;
/// How often a prepared case is run in a round, at most: so often it has to stay promised.
const RUNS: usize = 24;

/// Times of one class, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Row {
    /// The class.
    pub class: &'static str,
    /// The reference, whole.
    pub reference_ns: f64,
    /// Each target, whole, by level name.
    pub levels: Vec<(String, f64)>,
    /// A complete case with the best level.
    pub case_ns: f64,
}

impl Row {
    /// From samples of what is around each measurement, of the reference, of a case, and of each level.
    fn of(class: &'static str, levels: impl Iterator<Item = String>, samples: Vec<Vec<f64>>) -> Self {
        let times: Vec<f64> = samples.into_iter().map(lower_quartile).collect();
        let overhead = times[0];
        Row {
            class,
            reference_ns: times[1] - overhead,
            levels: levels.zip(&times[3..]).map(|(name, ns)| (name, ns - overhead)).collect(),
            case_ns: times[2],
        }
    }

    /// The best level's time.
    #[must_use]
    pub fn best_ns(&self) -> f64 {
        self.levels.last().map_or(0.0, |(_, ns)| *ns)
    }

    /// What the harness itself costs in a case.
    #[must_use]
    pub fn harness_ns(&self) -> f64 {
        self.case_ns - self.reference_ns - self.best_ns()
    }

    /// Complete cases a second.
    #[must_use]
    pub fn cases_per_second(&self) -> f64 {
        1e9 / self.case_ns
    }
}

struct Prepared {
    /// The numbers of the cases.
    numbers: Vec<u64>,
    cases: Vec<(Code, AlignedBytes)>,
    state: State,
}

impl Prepared {
    /// Nanoseconds of one `execute`, over all prepared cases, `repeat` times.
    fn time(&mut self, repeat: usize, mut execute: impl FnMut(&Code, &mut State)) -> f64 {
        let begin = Instant::now();
        for _ in 0..repeat {
            for (code, small) in &mut self.cases {
                std::mem::swap(&mut self.state.small, small);
                execute(code, &mut self.state);
                std::mem::swap(&mut self.state.small, small);
            }
        }
        begin.elapsed().as_nanos() as f64 / (repeat * self.cases.len()) as f64
    }
}

fn prepare(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    class: &BenchClass,
) -> Result<(Prepared, Generator), Expectation> {
    let pools = Pools::new(suite.isa, 0);
    let mut generator = Generator::new(suite.isa, instruction, class.edition, 0, Arc::clone(&pools));
    (generator.adjust, generator.skips_axes) = (Some(class.set), class.is_whole);
    let mut state = State::zeroed(suite.isa.layout);
    state.arena.copy_from_slice(generator.arena());
    // Every row is what a case of the class would read there.
    state.set_port(Some(Box::new(Salter::new(pools))));
    let _ = generator.generate(&generator.id(0), &mut state);
    for (number, bank) in suite.isa.layout.banks.iter().enumerate() {
        for row in 0..bank.rows() {
            let mut bytes = vec![0; bank.row_bytes()];
            let port = state.port_mut().expect("the port was set");
            port.fill(number, bank.first_row + row, &mut bytes);
            state.arena[bank.row_range(row)].copy_from_slice(&bytes);
        }
    }
    state.set_port(None);
    let mut reference = (suite.reference)();
    let (mut numbers, mut cases, mut refused) = (Vec::new(), Vec::new(), None);
    for number in 0..DRAWN {
        let code = generator.generate(&generator.id(number), &mut state).code;
        let small = state.small.clone();
        let step = Step { instruction, edition: class.edition, code: &code };
        let other = (0..RUNS).map(|_| reference.execute(&step, &mut state)).find(|came| *came != Expectation::Done);
        state.tracker.clear();
        match other {
            Some(_) => refused = other,
            None => {
                numbers.push(number);
                cases.push((code, small));
            }
        }
        if cases.len() == PREPARED {
            break;
        }
    }
    match refused {
        Some(refused) if cases.is_empty() => Err(refused),
        _ => Ok((Prepared { numbers, cases, state }, generator)),
    }
}

/// Measures one class in at most `rounds` interleaved rounds and gives the lower quartiles.
///
/// # Errors
///
/// What the reference says of a case of the class if it promises the result of none.
pub fn measure(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    class: &'static BenchClass,
    rounds: usize,
) -> Result<Row, Expectation> {
    let (mut prepared, generator) = prepare(suite, instruction, class)?;
    let fresh = prepared.cases.clone();
    let mut reference = (suite.reference)();
    let mut targets: Vec<(String, Box<dyn Target>)> = suite
        .targets
        .iter()
        .map(|factory| (level(&factory.info), factory.make()))
        .filter(|(_, target)| target.implements(instruction))
        .collect();
    let best: Vec<_> = suite.targets.last().cloned().into_iter().collect();
    let mut bench = Workbench::new(generator, &suite.with_targets(best));
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); 3 + targets.len()];
    let mut numbers = prepared.numbers.clone().into_iter().cycle();
    let mut refused = None;
    let begun = Instant::now();
    for round in 0..rounds {
        if round >= LEAST_ROUNDS && begun.elapsed() > LONGEST {
            break;
        }
        // Counters that moved begin anew.
        prepared.cases.clone_from(&fresh);
        samples[0].push(prepared.time(4, |code, state| {
            std::hint::black_box((code, state));
        }));
        samples[1].push(prepared.time(1, |code, state| {
            let step = Step { instruction, edition: class.edition, code };
            let expectation = std::hint::black_box(reference.execute(&step, state));
            if expectation != Expectation::Done {
                refused = Some(expectation);
            }
            state.tracker.clear();
        }));
        if let Some(expectation) = refused {
            return Err(expectation);
        }
        for (index, (_, target)) in targets.iter_mut().enumerate() {
            samples[3 + index].push(prepared.time(4, |code, state| {
                let _ =
                    std::hint::black_box(target.execute(&Step { instruction, edition: class.edition, code }, state));
            }));
        }
        let cases: Vec<CaseId> = numbers.by_ref().take(512).map(|number| bench.generator.id(number)).collect();
        let begin = Instant::now();
        for id in &cases {
            bench.enter_epoch(id.index);
            let _ = std::hint::black_box(bench.run(id));
        }
        samples[2].push(begin.elapsed().as_nanos() as f64 / cases.len() as f64);
    }
    Ok(Row::of(class.name, targets.into_iter().map(|(name, _)| name), samples))
}

/// Measures a program as one, in at most `rounds` interleaved rounds: all of its steps, behind the small state as it was
/// before. What it reads in arenas and has not written itself has to be as it was.
///
/// # Errors
///
/// The name of the target that does not end in the state in which the reference ends, or that of the reference if it does
/// not do every step.
pub fn measure_program(
    suite: &IsaSuite,
    class: &'static str,
    (before, steps): (&State, &[Step<'_>]),
    rounds: usize,
) -> Result<Row, String> {
    let copy = || {
        let mut state = State::zeroed(before.layout);
        state.copy_from(before);
        state
    };
    let mut reference = (suite.reference)();
    let mut expected = copy();
    let mut refer = |state: &mut State| {
        state.small.copy_from_slice(&before.small);
        let is_done = steps.iter().all(|step| reference.execute(step, state) == Expectation::Done);
        state.tracker.clear();
        is_done
    };
    if !refer(&mut expected) {
        return Err("the reference".to_string());
    }
    let mut targets: Vec<_> =
        suite.targets.iter().map(|factory| (level(&factory.info), factory.make(), copy())).collect();
    targets.retain(|(_, target, _)| steps.iter().all(|step| target.implements(step.instruction)));
    let run = |target: &mut dyn Target, state: &mut State| {
        state.small.copy_from_slice(&before.small);
        let ended = std::hint::black_box(target.execute_all(steps, state));
        state.tracker.clear();
        ended.1 == Answer::Done
    };
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); 3 + targets.len()];
    let mut time = |index: usize, what: &mut dyn FnMut()| {
        let begin = Instant::now();
        what();
        samples[index].push(begin.elapsed().as_nanos() as f64);
    };
    let begun = Instant::now();
    for round in 0..rounds {
        if round >= LEAST_ROUNDS && begun.elapsed() > LONGEST {
            break;
        }
        time(0, &mut || std::hint::black_box(&mut expected).small.copy_from_slice(&before.small));
        let (mut is_done, mut is_equal) = (false, false);
        time(1, &mut || is_done = refer(&mut expected));
        for (index, (level, target, state)) in targets.iter_mut().enumerate() {
            time(3 + index, &mut || is_equal = run(&mut **target, state));
            if !(is_done && is_equal && *state.small == *expected.small && *state.arena == *expected.arena) {
                return Err(level.clone());
            }
        }
        if let Some((_, target, state)) = targets.last_mut() {
            time(2, &mut || {
                refer(&mut expected);
                let is_done = run(&mut **target, state);
                std::hint::black_box(is_done && *state.small == *expected.small && *state.arena == *expected.arena);
            });
        }
    }
    Ok(Row::of(class, targets.into_iter().map(|(name, ..)| name), samples))
}

/// What a target is called in a row.
fn level(info: &TargetInfo) -> String {
    info.level.clone().unwrap_or_else(|| info.name.clone())
}

/// The lower quartile: on a shared machine the upper half of the rounds measures the neighbours.
fn lower_quartile(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 4).copied().unwrap_or(0.0)
}
