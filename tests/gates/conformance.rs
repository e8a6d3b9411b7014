//! The conformance gate: reference against every SIMD level, in every cell, in both editions.

use std::sync::LazyLock;

use tandem::{trial, wiring};
use tandem_harness::{
    Budget, Campaign, CampaignResult, CaseId, CellStatus, Chunk, GREEN, IsaSuite, Plan, Progress, Suite, UnitResult,
    chunks, domain, exhaust, one_cell_a_class,
};
use tandem_isa::{Edition, Instruction};
use tandem_simd::Level;

use crate::parts::instruction;

/// The seed of the gate. Other seeds are for `tandem fuzz`.
const SEED: u64 = 20_260_101;
/// Cases of each instruction in each edition: so many in the mean, more of those with many cells.
const CASES: u64 = 60_000;
/// Those of instructions of which these leave more triples of levels unseen than they may.
const MORE_CASES: u64 = 200_000;
/// The least part of all triples that is to be seen.
const LEAST_SHARE: f64 = 0.99;
/// Those of `DPAS`, which has few cells and more axes than any other.
const CASES_OF_DPAS: u64 = 900_000;

/// Instructions of which nothing is promised but that they are held.
const NEVER_PROMISED: [&str; 8] = [
    "tensix-wh/unpacr_nop_setreg",
    "tensix-wh/unpacr_nop_overlay_clear",
    "tensix-wh/reg2flop_adc",
    "tensix-bh/reg2flop_adc",
    "tensix-bh/reg2flop_configuration",
    "tensix-bh/setdvalid",
    "tensix-bh/unpacr_nop_setreg",
    "tensix-bh/unpacr_nop_overlay_clear",
];

fn campaign_of(
    suite: &Suite,
    units: Vec<(&'static Instruction, Edition)>,
    cases: u64,
    threads: usize,
) -> CampaignResult {
    let plan = Plan { coverage: true, threads, ..Plan::new(SEED, Budget::Cases(cases), units) };
    Campaign::new(suite, &plan, &Progress::default()).run()
}

static GATE: LazyLock<CampaignResult> = LazyLock::new(|| {
    println!("seed {SEED}; levels not run: {:?}", Level::absent());
    let suite = wiring::suite();
    let (dpas, others): (Vec<_>, Vec<_>) = suite.units().into_iter().partition(|(one, _)| one.name == "DPAS");
    let cases = CASES * others.len() as u64;
    let (mut all, dpas) = (campaign_of(&suite, others, cases, 2), campaign_of(&suite, dpas, CASES_OF_DPAS, 2));
    // Which are seen is a matter of the axes, not of how dear a case is: those with many triples are cheap ones.
    let (few, seen): (Vec<_>, Vec<_>) = all.units.into_iter().partition(|unit| share(unit) < LEAST_SHARE);
    let few: Vec<_> = few.iter().map(|unit| (unit.instruction, unit.edition)).collect();
    let cases = MORE_CASES * few.len() as u64;
    all.units = seen;
    let again = (!few.is_empty()).then(|| campaign_of(&suite, few, cases, 2));
    for more in again.into_iter().chain([dpas]) {
        all.units.extend(more.units);
        all.findings.extend(more.findings);
        all.completed += more.completed;
    }
    // In the order of the suite.
    let place = |unit: &UnitResult| {
        let is_of = |(one, edition): &(&'static Instruction, Edition)| {
            std::ptr::eq(*one, unit.instruction) && *edition == unit.edition
        };
        suite.units().iter().position(is_of)
    };
    all.units.sort_by_cached_key(place);
    all
});

fn share(unit: &UnitResult) -> f64 {
    unit.coverage.expect("the gate counts coverage").share()
}

fn agreed(result: &CampaignResult) {
    let findings: Vec<String> = result
        .findings
        .iter()
        .map(|finding| format!("{} in {} cases, first {}", finding.signature, finding.count, finding.first.id))
        .collect();
    assert!(findings.is_empty(), "replay with `tandem replay <case id>`: {findings:#?}");
    assert!(result.completed > 0, "no case completed, so nothing was shown");
}

#[test]
fn every_instruction_agrees_in_every_mode() {
    agreed(&GATE);
    for unit in &GATE.units {
        let cells = (unit.instruction.cells)(unit.edition);
        let holes: Vec<String> = (0..cells.len())
            .filter(|&cell| unit.status(cell) == CellStatus::Hole)
            .map(|cell| format!("{:?} in {}", unit.cells[cell], cells.describe(cell)))
            .collect();
        assert!(holes.is_empty(), "{} {}: holes {holes:#?}", unit.instruction.path(), unit.edition.name());
        // What refuses, and says so, is no hole; but ours refuses nothing.
        let refused: Vec<String> = (0..cells.len())
            .filter(|&cell| unit.cells[cell].unsupported > 0)
            .map(|cell| cells.describe(cell))
            .collect();
        assert!(refused.is_empty(), "{} {}: refused {refused:#?}", unit.instruction.path(), unit.edition.name());
        let green = (0..unit.cells.len()).filter(|&cell| unit.status(cell) == CellStatus::Green);
        assert_eq!(green.clone().count() == 0, NEVER_PROMISED.contains(&&*unit.instruction.path()));
        assert!(green.clone().all(|cell| unit.cells[cell].done >= GREEN));
    }
    let cited: Vec<(String, usize)> = GATE
        .units
        .iter()
        .map(|unit| (format!("{} {}", unit.instruction.path(), unit.edition.name()), unit.count(CellStatus::Cited)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let cited: Vec<(&str, usize)> = cited.iter().map(|(unit, count)| (&**unit, *count)).collect();
    let expected = [
        // A 32-bit write with UseDst32bLo is undefined: 2 overrides × 2 flushes × 2 row counts × 4.
        ("tensix-wh/mova2d newest", 32),
        // Registers 12 to 15 with the back door open in all lanes: 16 modes, and both levels of such registers for stores.
        ("tensix-wh/sfpload spec", 16),
        ("tensix-wh/sfpload newest", 16),
        ("tensix-wh/sfpstore newest", 32),
        // With Reset: it is not supported.
        ("tensix-wh/cleardvalid newest", 8),
        // A 32-bit write with UseDst32bLo: 2 row counts × 4.
        ("tensix-wh/movdbga2d newest", 8),
        // Of 16 bits a low half, 32 cells, or TF32: 3 format codes × 2 row counts.
        ("tensix-wh/movd2a newest", 38),
        ("tensix-wh/movd2b newest", 38),
        // What is written is not as wide as Dst is, or a 32-bit write with UseDst32bLo.
        ("tensix-wh/movb2d newest", 260),
        // Without INT8_math_enabled these compute on floats, of which the pages promise no bits.
        ("tensix-wh/mvmul newest", 256),
        ("tensix-wh/gapool newest", 128),
        ("tensix-wh/elwadd newest", 256),
        ("tensix-wh/elwsub newest", 256),
        ("tensix-wh/elwmul newest", 512),
        // With BothBanks, and the forms that would write registers: they are not supported.
        ("tensix-wh/unpacr_nop_zerosrc newest", 8),
        ("tensix-wh/unpacr_nop_setreg newest", 4),
        ("tensix-wh/unpacr_nop_overlay_clear newest", 4),
        // Directions that no page speaks of, for each block of rows.
        ("tensix-wh/shiftxa newest", 8),
        // Without a condition.
        ("tensix-wh/semwait newest", 3),
        // Indices beyond the size, words whose contents are no part of the state, and what a write of STATE_RESET_EN leaves
        // beside it.
        ("tensix-wh/setc16 newest", 2),
        ("tensix-wh/wrcfg newest", 6),
        ("tensix-wh/rdcfg newest", 5),
        ("tensix-wh/rmwcib0 newest", 2),
        ("tensix-wh/rmwcib1 newest", 2),
        ("tensix-wh/rmwcib2 newest", 2),
        ("tensix-wh/rmwcib3 newest", 2),
        // What Packers have.
        ("tensix-wh/setdmareg_special newest", 4),
        // Modes without a name.
        ("tensix-wh/sfploadi newest", 1),
        // Modes that June's page gives no value.
        ("tensix-wh/sfpswap spec", 38),
        // Modes without a name, and one with a bug of the chip.
        ("tensix-wh/sfpshft2 newest", 45),
        // A stack that has no room, or nothing on it.
        ("tensix-wh/sfppushc newest", 6),
        ("tensix-wh/sfppopc newest", 6),
        // SFPSWAP in 4 ways; what is undefined, of no instruction, or of several.
        ("tensix-wh/sfploadmacro newest", 7),
        // It is not supported, nor is a whole row of GPRs.
        ("tensix-wh/reg2flop_adc newest", 8),
        ("tensix-wh/reg2flop_configuration newest", 7),
        // Modes without a name.
        ("tensix-wh/bitwopdmareg newest", 10),
        ("tensix-wh/shiftdmareg newest", 12),
        ("tensix-wh/cmpdmareg newest", 10),
        // Addresses below the first register.
        ("tensix-wh/loadreg newest", 2),
        ("tensix-wh/storereg newest", 2),
        // What is beyond L1 or Config, nowhere, or in two regions.
        ("tensix-wh/xmov newest", 19),
        // Conversions, sources and formats that the pages do not have.
        ("tensix-wh/pacr newest", 30),
        // Pairs of formats, destinations and ways that a page calls undefined; the newest one supports fewer.
        ("tensix-wh/unpacr_regular spec", 11),
        ("tensix-wh/unpacr_regular newest", 36),
        // On Blackhole every write has 32 bits with Fp32_enabled: 2 row counts × 16 formats × 2 of
        // INT8_math_enabled with UseDst32bLo, and 4 with TF32 alone.
        ("tensix-bh/mova2d newest", 68),
        ("tensix-bh/sfpload newest", 16),
        ("tensix-bh/sfpstore newest", 32),
        ("tensix-bh/cleardvalid newest", 8),
        ("tensix-bh/movdbga2d newest", 68),
        ("tensix-bh/movd2a newest", 38),
        ("tensix-bh/movd2b newest", 38),
        ("tensix-bh/movb2d newest", 260),
        ("tensix-bh/mvmul newest", 256),
        ("tensix-bh/gapool newest", 128),
        ("tensix-bh/elwadd newest", 256),
        ("tensix-bh/elwsub newest", 256),
        ("tensix-bh/elwmul newest", 512),
        // Of three cores one has accesses of several data; formats 6 and 7 are reserved, and a datum is not split.
        ("tensix-bh/risc_load newest", 120),
        ("tensix-bh/risc_store newest", 60),
        // It is not supported.
        ("tensix-bh/setdvalid newest", 4),
        ("tensix-bh/unpacr_nop_zerosrc newest", 8),
        ("tensix-bh/unpacr_nop_setreg newest", 4),
        ("tensix-bh/unpacr_nop_overlay_clear newest", 4),
        ("tensix-bh/shiftxa newest", 8),
        ("tensix-bh/semwait newest", 3),
        // Indices beyond the size, words whose contents are no part of the state, and what a write of STATE_RESET_EN leaves
        // beside it.
        ("tensix-bh/setc16 newest", 2),
        ("tensix-bh/wrcfg newest", 6),
        ("tensix-bh/rdcfg newest", 5),
        ("tensix-bh/rmwcib0 newest", 2),
        ("tensix-bh/rmwcib1 newest", 2),
        ("tensix-bh/rmwcib2 newest", 2),
        ("tensix-bh/rmwcib3 newest", 2),
        // What Packers have.
        ("tensix-bh/setdmareg_special newest", 4),
        // Modes without a name.
        ("tensix-bh/sfploadi newest", 1),
        ("tensix-bh/sfpswap spec", 38),
        ("tensix-bh/sfpshft2 newest", 38),
        ("tensix-bh/sfppushc newest", 96),
        ("tensix-bh/sfppopc newest", 6),
        ("tensix-bh/sfploadmacro newest", 7),
        ("tensix-bh/reg2flop_adc newest", 8),
        ("tensix-bh/reg2flop_configuration newest", 10),
        ("tensix-bh/bitwopdmareg newest", 10),
        ("tensix-bh/shiftdmareg newest", 12),
        ("tensix-bh/cmpdmareg newest", 10),
        ("tensix-bh/loadreg newest", 2),
        ("tensix-bh/storereg newest", 2),
        // Indices beyond the size.
        ("tensix-bh/streamwrcfg newest", 2),
        // As of RMWCIB.
        ("tensix-bh/cfgshiftmask newest", 16),
        ("tensix-bh/xmov newest", 19),
        ("tensix-bh/pacr newest", 27),
        ("tensix-bh/unpacr_regular newest", 35),
        // Pairs of types that no type map has, and modes that no page speaks of.
        ("visa/mov newest", 95),
        // Precisions, channels, depths and types that the table does not have, and precisions of one or of eight bits.
        ("visa/dpas newest", 369),
    ];
    assert_eq!(cited, expected);
}

#[test]
fn orthogonal_axes_are_covered_three_ways() {
    for unit in &GATE.units {
        let cover = unit.coverage.expect("the gate counts coverage");
        assert!(cover.total > 30, "an axis is missing: {cover:?}");
        // Of few, a few may be missing.
        assert!(
            share(unit) >= LEAST_SHARE || cover.total - cover.covered <= 4,
            "{cover:?}, among the missing {:#?}",
            unit.uncovered
        );
    }
}

/// Enumerates cells; each must be seen whole or be cited. Returns how many were seen whole.
fn enumerate(isa: &IsaSuite, unit: (&'static Instruction, Edition), cells: &[u32]) -> usize {
    let all: Vec<Chunk> = cells.iter().flat_map(|&cell| chunks(unit.0, unit.1, cell)).collect();
    let result = exhaust(isa, unit, &all, 2, &Progress::default(), &|_| {});
    assert!(result.findings.is_empty(), "{:#?}", result.findings.keys());
    assert_eq!(result.cells.len(), cells.len());
    for (cell, seen) in &result.cells {
        let bits = domain(unit.0, unit.1, *cell).expect("it has a domain").bits;
        assert!(
            seen.cited || seen.values == 1 << bits,
            "{seen:?} in {}",
            (unit.0.cells)(unit.1).describe(*cell as usize)
        );
    }
    result.cells.values().filter(|seen| !seen.cited).count()
}

/// The cells of a unit whose operands have at most 16 bits.
fn narrow_cells((instruction, edition): (&'static Instruction, Edition)) -> Vec<u32> {
    let narrow = |&cell: &u32| domain(instruction, edition, cell).is_some_and(|domain| domain.bits <= 16);
    (0..).take((instruction.cells)(edition).len()).filter(narrow).collect()
}

#[test]
fn mova2d_moves_every_source_value_exactly() {
    let (isa, instruction) = instruction("tensix-wh/mova2d");
    for edition in Edition::ALL {
        let cells: Vec<u32> = one_cell_a_class(instruction, edition).into_iter().map(|(_, cell)| cell).collect();
        assert!(enumerate(&isa, (instruction, edition), &cells) >= 8);
    }
}

#[test]
fn sfpload_and_sfpstore_move_every_datum_of_at_most_16_bits_exactly() {
    let suite = wiring::suite();
    let mut whole = Vec::new();
    for (isa, instruction) in suite.instructions().filter(|(_, one)| ["SFPLOAD", "SFPSTORE"].contains(&one.name)) {
        let unit = (instruction, Edition::Newest);
        whole.push((instruction.path(), enumerate(isa, unit, &narrow_cells(unit))));
    }
    let whole: Vec<(&str, usize)> = whole.iter().map(|(path, count)| (&**path, *count)).collect();
    let expected = [
        ("tensix-wh/sfpload", 1216),
        ("tensix-wh/sfpstore", 20),
        ("tensix-bh/sfpload", 1728),
        ("tensix-bh/sfpstore", 24),
    ];
    assert_eq!(whole, expected);
}

#[test]
fn mov_converts_every_value_of_up_to_16_bits() {
    let (isa, mov) = instruction("visa/mov");
    let unit = (mov, Edition::Newest);
    let cells = narrow_cells(unit);
    // Six types of at most 16 bits, to all types, with every rounding mode, saturation and modifier.
    let whole = enumerate(&isa, unit, &cells);
    assert!(whole >= 900, "{whole} of {} cells", cells.len());
}

#[test]
fn dpas_multiplies_every_pair_of_integer_elements_at_every_pair_of_places() {
    let (isa, dpas) = instruction("visa/dpas");
    let unit = (dpas, Edition::Newest);
    // 36 pairs of precisions, with 8 and 16 channels, at depth 8. `tandem exhaust` does it in every depth, pitch and
    // combination of types, which are 1,256 cells.
    let cells = (unit.0.cells)(unit.1);
    let is_plain = |&cell: &u32| {
        let words = cells.describe(cell as usize);
        words.contains("depth=8") && words.contains("types=D.D") && domain(unit.0, unit.1, cell).is_some()
    };
    let plain: Vec<u32> = (0..).take(cells.len()).filter(is_plain).collect();
    assert_eq!(enumerate(&isa, unit, &plain), 2 * 36);
}

#[test]
fn any_case_replays_alone() {
    let mut suite = wiring::suite();
    suite.isas[0].targets = vec![trial::factory("seven-rows")];
    let result = campaign_of(&suite, suite.units(), 100_000, 2);
    let finding = result.findings.first().expect("the fault is found");
    // By its id: another workbench, another predecessor.
    let (id, isa) = CaseId::parse(&finding.first.id.to_string(), &suite).expect("a printed id is read");
    let pools = tandem_harness::Pools::new(isa.isa, id.seed);
    let generator = tandem_harness::Generator::new(isa.isa, id.instruction, id.edition, id.seed, pools);
    let mut bench = tandem_harness::Workbench::new(generator, &isa);
    bench.enter_epoch(id.index);
    let _ = bench.run(&id);
    let tandem_harness::CaseOutcome::Diverged(differences) = &bench.outcomes()[0] else {
        panic!("the case does not fail alone: {:?}", bench.outcomes())
    };
    assert_eq!(*differences, finding.first.differences);
    // By value: another build may have another generator.
    let value = finding.stored.as_ref().expect("it is stored by value");
    let mut minimizer = tandem_harness::Minimizer::new(&isa, &suite.isas[0].targets[0]);
    assert!(!minimizer.run(value).expect("the pages promise a result").is_empty());
}
