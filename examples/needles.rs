//! What a run finds of implementations that are wrong for very few operands.
//!
//! ```sh
//! cargo run --release --example needles              # the bars: 20 single values, and one needle of each kind
//! cargo run --release --example needles -- kinds 7   # the kinds alone, with another seed
//! ```

use std::process::ExitCode;

use tandem::wiring;
use tandem_cases::ISAS;
use tandem_faults::needle::{Needle, Needles};
use tandem_harness::{Budget, Campaign, CampaignResult, CellStatus, Plan, Progress, Suite, TargetFactory};
use tandem_isa::{Edition, Instruction, Target, mix64};

/// Cases in which a needle of a kind is to be found.
const KINDS: u64 = 3_000_000;
/// Cases in which a value is to be found in a cell that moves eight rows, and in one that moves one.
const VALUES: [u64; 2] = [20_000_000, 160_000_000];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let what = arguments.first().map_or("all", String::as_str);
    let seed = arguments.get(1).map_or(Some(1), |text| text.parse().ok());
    let (Some(seed), "all" | "kinds" | "values") = (seed, what) else {
        eprintln!("usage: needles [all|kinds|values] [SEED]");
        return ExitCode::from(2);
    };
    let mut lost = 0;
    if what != "kinds" {
        lost += values(seed);
    }
    if what != "values" {
        lost += kinds(seed);
    }
    println!("{lost} were not found");
    if lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A campaign against the best SIMD level with needles in an instruction.
fn campaign(instruction: &'static Instruction, needles: &[Needle], seed: u64, cases: u64, all: bool) -> CampaignResult {
    let full = wiring::suite();
    let of = full.isa(instruction.isa).expect("it is in the suite");
    let (isa, simd, needles) = (of.isa, of.targets.last().expect("there is a level").clone(), needles.to_vec());
    let make = move || {
        let target = Needles::new(simd.make(), isa, (instruction, Edition::Newest), needles.clone());
        Box::new(target) as Box<dyn Target>
    };
    let suite = Suite { isas: vec![of.with_targets(vec![TargetFactory::new(make)])] };
    let plan = Plan {
        minimize: None,
        stop_at_finding: !all,
        ..Plan::new(seed, Budget::Cases(cases), vec![(instruction, Edition::Newest)])
    };
    Campaign::new(&suite, &plan, &Progress::default()).run()
}

fn instruction(path: &str) -> &'static Instruction {
    let all = ISAS.iter().flat_map(|isa| isa.instructions);
    all.copied().find(|instruction| instruction.path() == path).expect("it is listed")
}

/// Single values in cells of `MOVA2D` drawn by lot, ten that move eight rows and ten that move one. How many are not found.
fn values(seed: u64) -> usize {
    let instruction = instruction("tensix-wh/mova2d");
    let cells = (instruction.cells)(Edition::Newest);
    let rows = cells.axes.iter().position(|axis| axis.name == "Move8Rows").expect("it is an axis");
    let promised = campaign(instruction, &[], seed, 200_000, true);
    let mut lots = (0..).map(|lot| mix64(mix64(seed ^ 0x6c6f_7473) ^ lot));
    let mut lost = 0;
    for (moves, cases) in [1, 0].into_iter().zip(VALUES) {
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < 10 {
            let cell = (lots.next().unwrap_or_default() % cells.len() as u64) as usize;
            let fits = cells.levels(cell)[rows] == moves && promised.units[0].status(cell) == CellStatus::Green;
            if fits && !chosen.contains(&cell) {
                chosen.push(cell);
            }
        }
        let bank = ISAS[0].layout.bank_named("SrcA").expect("it is a bank");
        let value = |_: &usize| (lots.next().unwrap_or_default() >> 45) as u32;
        let values: Vec<u32> = chosen.iter().map(value).collect();
        let word = |(&cell, &value): (&usize, &u32)| Needle::Word { cell, bank, value };
        let needles: Vec<Needle> = chosen.iter().zip(&values).map(word).collect();
        let result = campaign(instruction, &needles, seed, cases, true);
        let name = if moves == 1 { "8 rows" } else { "1 row" };
        let missed: Vec<String> = (chosen.iter().zip(&values))
            .filter(|(cell, _)| result.units[0].status(**cell) != CellStatus::Diverged)
            .map(|(cell, value)| format!("{value:#07x} in {}", cells.describe(*cell)))
            .collect();
        println!("single values, {name}: {} of 10 found in {cases} cases {}", 10 - missed.len(), missed.join("; "));
        lost += missed.len();
    }
    lost
}

/// One needle of each kind for each instruction. How many are not found.
fn kinds(seed: u64) -> usize {
    let mut lost = 0;
    for &instruction in ISAS.iter().flat_map(|isa| isa.instructions) {
        for (name, needle) in needles(instruction, seed) {
            let result = campaign(instruction, &[needle], seed, KINDS, false);
            let found = !result.findings.is_empty();
            let cases = result.cases;
            let how = if found { "found" } else { "NOT FOUND" };
            println!("{}: {name}: {how} in {cases} cases", instruction.path());
            lost += usize::from(!found);
        }
    }
    lost
}

/// The needles of an instruction, with a description.
fn needles(instruction: &'static Instruction, seed: u64) -> Vec<(String, Needle)> {
    let number = |name: &str| instruction.quantities.iter().position(|quantity| quantity.name == name);
    let mut needles = Vec::new();
    // It reads no data.
    if instruction.name != "SFPENCC" {
        needles.push(("rows that are all alike".to_string(), Needle::Alike));
    }
    let mut lots = (0..).map(|lot| mix64(mix64(seed ^ 0x7061_6972) ^ lot));
    let mut pair = |names: [&str; 2]| {
        let [first, second] = names.map(number);
        let (first, second) = (first?, second?);
        let value = |place: usize, lot: u64| lot as u32 & (u32::MAX >> (32 - instruction.quantities[place].width));
        let values = [first, second].map(|place| (place, value(place, lots.next().unwrap_or_default())));
        let text = format!("{}={:#x} with {}={:#x}", names[0], values[0].1, names[1], values[1].1);
        Some((text, Needle::Pair(values)))
    };
    let counters = [
        ["RWCs[CurrentThread].Dst", "DestIncr in force"],
        ["RWCs[CurrentThread].SrcA", "SrcAIncr in force"],
        ["RWCs[CurrentThread].Dst", "RWCs[CurrentThread].SrcA"],
        ["RWCs[CurrentThread].Dst_Cr", "DestIncr in force"],
        ["RWCs[CurrentThread].Sp", "ThreadConfig[CurrentThread].SFPU_STACK_Incr"],
    ];
    needles.extend(counters.into_iter().filter_map(&mut pair));
    let orthogonal = (instruction.orthogonal)(Edition::Newest);
    if let Some(axis) = orthogonal.iter().position(|axis| axis.name == "owner") {
        let (gate, low) = ((axis, 0), lots.next().unwrap_or_default() as u8);
        needles.push((format!("held, SrcA={low:#04x}"), Needle::Held { gate, bank: 1, low }));
    }
    if instruction.name == "DPAS" {
        // Four products of -128 and -128 in each of eight steps.
        needles.push(("all elements at their ends".to_string(), Needle::Result(8 * 4 * 128 * 128)));
    }
    needles
}
