//! scratch
use std::time::Instant;
use tandem::twists::{self, Reach};
use tandem_harness::Pools;

fn main() {
    let path = std::env::args().nth(1).expect("path");
    let cases: u64 = std::env::args().nth(2).map_or(20_000, |n| n.parse().unwrap());
    let guarded = std::env::args().nth(3).is_some();
    let suite = tandem::wiring::suite_at(&[]);
    if std::env::var("LOUD").is_err() { tandem_harness::quiet_panics(); }
    for isa in &suite.isas {
        for &instruction in isa.isa.instructions {
            if path == "all" { if instruction.path() == "visa/dpas" { continue; } } else if instruction.path() != path { continue; }
            let edition = *instruction.editions().last().unwrap();
            let pools = Pools::new(isa.isa, 1);
            let start = Instant::now();
            let reach = Reach::of(isa, (instruction, edition), &pools, 2);
            let t0 = start.elapsed().as_secs_f64();
            let mistakes: Vec<_> = reach.bare().map(|m| if guarded { reach.guarded(&m, 1) } else { m }).collect();
            let trials = twists::hunt(isa, (instruction, edition), &pools, mistakes, (1, cases));
            let mut datums: Vec<u64> = trials.iter().filter_map(|t| t.found).map(|f| f.datums).collect();
            datums.sort();
            println!("{}: {:?} sites reached and idle, {} twists, {} found, median {:?} datums, p90 {:?}; {t0:.1} {:.1} s", instruction.path(), reach.count(), trials.len(), datums.len(), datums.get(datums.len()/2), datums.get(datums.len()*9/10), start.elapsed().as_secs_f64());
            for t in trials { if t.found.is_none() && t.survives.is_none() { println!("    SURVIVES {} | {}", t.mistake.name, t.mistake.guard); } }
        }
    }
}
