//! How well a diagnosis knows what it does not know: mistakes that nobody wrote, drawn from the twin's own, are explained with and
//! without the lines that they break. Run it as `cargo run --release --example heldout [SEED [EACH [INSTRUCTION …]]]`.
//!
//! Without those lines whatever is *established* is wrong, unless it does the same as the mistake in every case; with them the
//! right line is to come first. Half of the mistakes have a guard, which the dictionary may be able to say or not.

use tandem::diagnosis::{Mistakes, lines};
use tandem::twists::{Mistake, Reach};
use tandem::wiring;
use tandem_faults::twist::{self, Guard, Twisted};
use tandem_harness::{CaseSource, DiagnoseLimits, Diagnosis, Dictionary, TargetFactory, Tier};
use tandem_isa::{Edition, Instruction, Target, mix64};
use tandem_twin::site::Twist;

/// What came of some diagnoses.
#[derive(Default)]
struct Counts {
    drawn: usize,
    first: usize,
    none: usize,
    established: usize,
    beside: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |other| arguments.next().map_or(other, |text: String| text.parse().expect("a number"));
    let (seed, each) = (number(1), number(2));
    let wanted: Vec<String> = arguments.collect();
    tandem_harness::quiet_panics();
    let suite = wiring::references();
    let names = ["with its line", "with its line, guarded", "without its line", "without its line, guarded"];
    let mut all: [Counts; 4] = Default::default();
    for (isa, instruction) in suite.instructions() {
        if !wanted.is_empty() && !wanted.contains(&instruction.path()) {
            continue;
        }
        let unit = (instruction, Edition::Newest);
        let source = CaseSource::new(isa.isa, seed);
        let mistakes = Mistakes::of(isa, unit, &source.pools);
        let reach = Reach::soon(isa, unit, &source.pools, 2);
        let mut drawn: Vec<Mistake> =
            reach.bare().filter(|one| twist::survives(instruction, &one.name).is_none()).collect();
        drawn.sort_by_key(|one| one.name.bytes().fold(seed, |hash, byte| mix64(hash ^ u64::from(byte))));
        drawn.truncate(each as usize);
        for mistake in &drawn {
            let others = mistakes.without(|other| !shares_line(other, mistake.twist, instruction));
            for (guarded, guard) in [(0, Guard::default()), (1, reach.guarded(mistake, seed).guard)] {
                let twist = mistake.twist;
                let make = move || Box::new(Twisted::new(vec![twist], guard.clone())) as Box<dyn Target>;
                let one = isa.with_targets(vec![TargetFactory::new(make)]);
                let explain = |by: &Mistakes| by.explain(&one, unit, &source, &DiagnoseLimits::default(), &|| false);
                let full = explain(&mistakes);
                if full.diverging == 0 {
                    continue;
                }
                let is_right = |number: usize, by: &Mistakes| shares_line(by.twist(number), twist, instruction);
                count(&mut all[guarded], (&full, &mistakes), &mistake.name, &is_right);
                // What could not be told from it is as right.
                let same: Vec<String> =
                    full.causes.iter().flat_map(|cause| &cause.class).map(|&number| mistakes.name(number)).collect();
                let is_same = |number: usize, by: &Mistakes| same.contains(&by.name(number));
                count(&mut all[2 + guarded], (&explain(&others), &others), &mistake.name, &is_same);
            }
        }
    }
    for (name, Counts { drawn, first, none, established, beside }) in names.iter().zip(&all) {
        println!(
            "{name}: of {drawn}, right first {first}, none fits {none}; established {established}, wrongly {beside}"
        );
    }
}

/// Whether two twists stand on a common line of a page.
fn shares_line(one: Twist, other: Twist, instruction: &Instruction) -> bool {
    let other = lines(other, instruction);
    let overlaps = |(page, first, last): &(&str, u32, u32)| {
        other.iter().any(|(of, from, to)| page == of && first <= to && from <= last)
    };
    lines(one, instruction).iter().any(overlaps)
}

fn count(
    counts: &mut Counts,
    (diagnosis, by): (&Diagnosis, &Mistakes),
    name: &str,
    is_right: &dyn Fn(usize, &Mistakes) -> bool,
) {
    counts.drawn += 1;
    counts.none += usize::from(diagnosis.causes.is_empty());
    for (place, cause) in diagnosis.causes.iter().enumerate() {
        let right = cause.class.iter().any(|&number| is_right(number, by));
        counts.first += usize::from(place == 0 && right);
        if cause.tier == Tier::Established {
            counts.established += 1;
            counts.beside += usize::from(!right);
            if !right {
                println!("{name}: established {} {:?}", by.name(cause.class[0]), cause.guard);
            }
        }
    }
}
