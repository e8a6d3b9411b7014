//! Disputes: what is disputed is as narrow as its sources, is no finding unless it is asked for, and hides nothing beside it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tandem::conformance::{self, Called, Failure, Fared, Replayed, Runs, Settings};
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_harness::report::{CaseText, Report, committed};
use tandem_harness::vectors::{DisputedTests, Replayer, Selection, VectorFile, Verdict, select};
use tandem_harness::{
    CaseSource, CaseValue, Disputes, IsaSuite, ProgramPlan, Progress, TargetFactory, Workbench, run_programs,
};
use tandem_isa::tensix::inst::moves::{IMM10, ZEROACC_MODE};
use tandem_isa::tensix::inst::vector::{MOD1, VC, VD};
use tandem_isa::tensix::{Tensix, bank, config};
use tandem_isa::{Answer, Code, Dispute, Edition, Facts, Instruction, Isa, Reference, State, Step, Target, TargetInfo};
use tandem_reference::tensix::TensixReference;

use crate::parts::store;

/// Of the promised cells of a set at most one in so many is disputed throughout.
const SHARE: usize = 33;
/// Cases of each cell that are looked at.
const SAMPLES: u64 = 4;

/// What somebody's emulator does that is otherwise right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// `SFPMOV` with the reserved code 3 does nothing.
    NothingOnReserved,
    /// That, and another code is wrong in one register.
    WrongBeside,
    /// `SFPMOV` with the reserved code 3 changes what nobody disputes.
    WrongPlace,
    /// `SFPMOV` with the reserved code 3 does nothing at one time and something at another.
    Unsteady,
    /// `ZEROACC` counts 16 rows within the half that the offsets select.
    HalfOfDst,
}

struct Emulator(Does);

static TURN: AtomicBool = AtomicBool::new(false);

impl Target for Emulator {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "emulator".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        match self.0 {
            Does::HalfOfDst => instruction.path() == "tensix-bh/zeroacc",
            _ => matches!(&*instruction.path(), "tensix-wh/sfpmov" | "tensix-wh/sfpxor"),
        }
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let is_reserved = step.instruction.name == "SFPMOV" && MOD1.get(step.code) & 0b1011 == 3;
        let does_nothing = match self.0 {
            Does::NothingOnReserved | Does::WrongBeside => is_reserved,
            Does::Unsteady => is_reserved && TURN.fetch_xor(true, Ordering::Relaxed),
            Does::WrongPlace | Does::HalfOfDst => false,
        };
        if does_nothing {
            return Answer::Done;
        }
        let half = (self.0 == Does::HalfOfDst).then(|| half_of(step, state)).flatten();
        let valid: Vec<bool> = half.iter().flat_map(|_| marks(state)).collect();
        let answer = TensixReference.execute(step, state).required_answer().unwrap_or(Answer::Done);
        let now: Vec<bool> = half.iter().flat_map(|_| marks(state)).collect();
        let tensix = &mut Tensix::new(state);
        match self.0 {
            Does::WrongBeside if step.instruction.name == "SFPMOV" && MOD1.get(step.code) == 1 => {
                tensix.small.lane_flags ^= u32::from(VD.get(step.code) == 3);
            }
            Does::WrongPlace if is_reserved => tensix.small.lane_flags ^= 1,
            Does::HalfOfDst => {
                if let Some(upper) = half {
                    let cleared: Vec<usize> = (0..1024).filter(|&row| valid[row] && !now[row]).collect();
                    for &row in &cleared {
                        tensix.set_dst_row_valid(row, true);
                    }
                    for row in cleared {
                        tensix.set_dst_row_valid((row & 511) | (usize::from(upper) * 512), false);
                    }
                }
            }
            _ => {}
        }
        answer
    }
}

fn marks(state: &State) -> Vec<bool> {
    (0..1024).map(|row| state.word(bank::DST_ROW_VALID, row, 0) != 0).collect()
}

/// Whether `ZEROACC` clears in the upper half, where its 16 rows are counted within one.
fn half_of(step: &Step<'_>, state: &mut State) -> Option<bool> {
    let absolute = "Config.DEST_ACCESS_CFG_zeroacc_absolute_tile_mode";
    let field = (state.layout.fields)().iter().find(|field| field.name == absolute).expect("the chip has it");
    let is_absolute = field.get(&state.small) != 0;
    let small = &*Tensix::new(state).small;
    let thread = small.current_thread as usize;
    let words = &small.thread_config[thread];
    let state_id = config::CFG_STATE_ID_StateID.get(words) as usize;
    let own = &small.config[state_id];
    let sum = IMM10.get(step.code)
        + small.rwcs[thread].dst
        + config::DEST_TARGET_REG_CFG_MATH_Offset.get(words)
        + config::DEST_REGW_BASE_Base.get(own);
    (ZEROACC_MODE.get(step.code) == 1 && !is_absolute).then_some(sum & 0x200 != 0)
}

fn check(does: Does, path: &str, disputed: bool) -> Report {
    tandem::check(move || Emulator(does)).only(path).cases(12_000).disputed(disputed).threads(1).run()
}

fn sfpmov() -> (&'static IsaSuite, &'static Instruction) {
    static SUITE: std::sync::LazyLock<IsaSuite> =
        std::sync::LazyLock::new(|| wiring::references().isas[0].clone().with_disputes());
    (&SUITE, SUITE.isa.instruction("sfpmov").expect("it is listed"))
}

fn suite_of(does: Does) -> IsaSuite {
    let make = move || Box::new(Emulator(does)) as Box<dyn Target>;
    sfpmov().0.with_targets(vec![TargetFactory::new(make)])
}

// ------------------------------------------------------------------------------------------------ what is disputed

#[test]
fn every_dispute_names_what_there_is() {
    for isa in ISAS {
        for dispute in isa.machine.disputes {
            let Dispute { id, instructions, except, places, .. } = dispute;
            let named = instructions.iter().filter(|name| !name.ends_with('*')).chain(*except);
            for file in named.copied().chain(dispute.files()) {
                let Some(instruction) = isa.instruction(file) else {
                    assert!(ISAS.iter().any(|isa| isa.instruction(file).is_some()), "{id}: no chip has {file}");
                    continue;
                };
                // It panics if a condition names what there is not.
                let disputes = Disputes::of(isa, instruction, isa.machine.disputes);
                assert!(!dispute.concerns(instruction) || !disputes.is_empty());
            }
            for place in *places {
                let without_index =
                    |name: &str| name.replace(|letter: char| letter.is_ascii_digit(), "").replace("[]", "");
                let is_field = (isa.layout.fields)().iter().any(|field| without_index(&field.name) == *place);
                assert!(is_field || isa.layout.banks.iter().any(|bank| bank.name == *place), "{id}: {place}");
            }
        }
    }
}

#[test]
fn the_committed_list_of_disputes_is_up_to_date() {
    let text = committed::disputes_markdown(ISAS);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/disputes.md");
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "reports/disputes.md is not what isa/disputes says; TANDEM_BLESS=1 writes it");
}

/// How many cases of each cell are promised, and how many of these are met by each dispute.
fn sample(isa: &'static Isa, suite: &IsaSuite, instruction: &'static Instruction, source: &CaseSource) -> Vec<Sampled> {
    let disputes = Disputes::of(isa, instruction, isa.machine.disputes);
    let generator = source.generator(isa, (instruction, Edition::Newest));
    let mut bench = Workbench::new(generator, suite);
    let cells = (instruction.cells)(Edition::Newest).len();
    let mut sampled = vec![Sampled::default(); cells];
    for (cell, sampled) in (0..).zip(&mut sampled) {
        for index in 0..SAMPLES {
            let mut id = bench.generator.id(0);
            (id.cell, id.index) = (cell, index);
            bench.enter_epoch(index);
            bench.capture(&id, |expectation, code, small, _| {
                if expectation.required_answer().is_none() {
                    return;
                }
                let mut value = CaseValue { code: *code, ..CaseValue::base(isa, instruction, Edition::Newest) };
                value.take_small(small);
                let met: Vec<&str> = value.with_parts(|parts| disputes.of_case(parts).map(|one| one.id).collect());
                sampled.promised += 1;
                sampled.disputed += u64::from(!met.is_empty());
                met.into_iter().for_each(|id| *sampled.by_id.entry(id).or_default() += 1);
            });
        }
    }
    sampled
}

#[derive(Clone, Debug, Default)]
struct Sampled {
    promised: u64,
    disputed: u64,
    by_id: BTreeMap<&'static str, u64>,
}

#[test]
fn few_cells_are_disputed_throughout_and_each_dispute_is_met_by_some_cases_and_not_by_all() {
    for suite in wiring::references().isas {
        let (isa, source) = (suite.isa, CaseSource::new(suite.isa, 1));
        let (mut promised, mut throughout) = (0, 0);
        let mut met: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
        for &instruction in isa.instructions {
            let cells = sample(isa, &suite, instruction, &source);
            promised += cells.iter().filter(|cell| cell.promised > 0).count();
            throughout += cells.iter().filter(|cell| cell.promised > 0 && cell.disputed == cell.promised).count();
            let all: u64 = cells.iter().map(|cell| cell.promised).sum();
            for dispute in isa.machine.disputes.iter().filter(|dispute| dispute.concerns(instruction)) {
                let own = cells.iter().filter_map(|cell| cell.by_id.get(dispute.id)).sum();
                met.insert((dispute.id, instruction.file), (own, all));
            }
        }
        println!("{}: {throughout} of {promised} promised cells are disputed throughout; {met:?}", isa.name);
        assert!(throughout * SHARE <= promised, "{}: {throughout} of {promised}", isa.name);
        for (of, (own, all)) in met {
            assert!(0 < own && own < all, "{}: {of:?} is met by {own} of {all} cases", isa.name);
        }
    }
}

#[test]
fn zeroacc_of_16_rows_is_disputed_where_offsets_lead_to_another_half() {
    let isa = ISAS.iter().copied().find(|isa| isa.name == "tensix-bh").expect("it is listed");
    let zeroacc = isa.instruction("zeroacc").expect("it is listed");
    let disputes = Disputes::of(isa, zeroacc, isa.machine.disputes);
    let field = |name: &str| {
        (isa.layout.fields)().iter().position(|field| field.name == name).unwrap_or_else(|| panic!("{name}"))
    };
    let ids = |word: u32, fields: &[(&str, u32)]| {
        let mut value = CaseValue { code: Code::new(&[word]), ..CaseValue::base(isa, zeroacc, Edition::Newest) };
        value.fields.extend(fields.iter().map(|&(name, value)| (field(name), value)));
        value.with_parts(|parts| disputes.of_case(parts).map(|dispute| dispute.id).collect::<Vec<_>>())
    };
    assert_eq!(ids(0x100c_8002, &[("RWCs[0].Dst", 824)]), ["TD-01"]);
    assert!(ids(0x100c_8002, &[]).is_empty());
    assert!(ids(0x100c_8002, &[("RWCs[1].Dst", 824)]).is_empty(), "another thread's counter");
    assert_eq!(ids(0x100c_8002, &[("ThreadConfig[0].DEST_TARGET_REG_CFG_MATH_Offset", 512)]), ["TD-01"]);
    let absolute = ("Config.DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 1);
    assert!(ids(0x100c_8002, &[("RWCs[0].Dst", 824), absolute]).is_empty());
    // One row, a half, and all of Dst are none of it.
    assert!([0x1004_8002, 0x1014_8002, 0x101c_8002].iter().all(|&word| ids(word, &[("RWCs[0].Dst", 824)]).is_empty()));
}

// ------------------------------------------------------------------------------------------------ targets

#[test]
fn a_target_that_follows_others_in_what_is_disputed_has_no_finding_unless_it_is_asked_for() {
    for (does, path) in [(Does::NothingOnReserved, "tensix-wh/sfpmov"), (Does::HalfOfDst, "tensix-bh/zeroacc")] {
        let report = check(does, path, false);
        let unit = &report.result.units[0];
        assert!(report.result.findings.is_empty(), "{path}: {:#?}", report.result.findings);
        assert!(unit.disputed_cases > 0 && unit.counts.green > 0, "{path}: {unit:?}");
        assert_eq!(unit.diverged, 0, "{path}");
        let listed: u64 =
            [unit.counts.green, unit.counts.blocked, unit.counts.cited, unit.counts.unsupported].iter().sum();
        assert_eq!(listed + unit.counts.disputed + unit.counts.holes, unit.counts.cells, "{path}");
        let report = check(does, path, true);
        assert!(!report.result.findings.is_empty(), "{path}");
        assert_eq!(report.result.units[0].disputed_cases, 0, "{path}");
    }
    let report = check(Does::NothingOnReserved, "tensix-wh/sfpmov", false);
    assert!(report.result.units[0].counts.disputed > 0, "cells of the code alone are neither green nor holes");
}

#[test]
fn what_is_wrong_beside_a_dispute_is_found() {
    for does in [Does::WrongBeside, Does::WrongPlace] {
        let findings = check(does, "tensix-wh/sfpmov", false).result.findings;
        let places: Vec<&str> = findings.iter().map(|finding| &*finding.signature.place).collect();
        assert_eq!(places, ["LaneFlags"], "{does:?}");
    }
}

#[test]
fn who_does_not_do_the_same_again_in_a_disputed_case_is_found() {
    let findings = check(Does::Unsteady, "tensix-wh/sfpmov", false).result.findings;
    let kinds: Vec<&str> = findings.iter().map(|finding| &*finding.signature.kind).collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == "nondeterministic"), "{kinds:?}");
}

#[test]
fn a_program_is_disputed_by_its_first_step_that_differs() {
    let (isa, sfpmov) = (suite_of(Does::NothingOnReserved), sfpmov().1);
    let sfpxor = isa.isa.instruction("sfpxor").expect("it is listed");
    let plan = |suite: &IsaSuite| {
        let (instructions, answered) = (vec![sfpmov, sfpxor], Default::default());
        let (edition, seed, cases, steps, threads) = (Edition::Newest, 1, Some(1_500), None, 1);
        let plan = ProgramPlan { instructions, own: Vec::new(), edition, seed, cases, steps, threads, answered };
        run_programs(suite, &plan, &Progress::default())
    };
    let result = plan(&isa);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    assert!(result.cells.iter().any(|cell| cell.disputed > 0) && result.cells.iter().all(|cell| cell.diverged == 0));
    let strict = IsaSuite { disputes: &[], ..isa };
    assert!(!plan(&strict).findings.is_empty());
}

#[test]
fn conformance_tests_pass_over_what_is_disputed_and_say_so_of_one_case() {
    let make = || Emulator(Does::NothingOnReserved);
    let called = Called { make: "emulator", test: "disputes" };
    let class = ("tensix-wh/sfpmov", "NEGATE and 2");
    let settings = Settings { amount: conformance::Amount::Cases(6_000), ..Settings::default() };
    let fared = conformance::class(&Runs::new(), make, class, called, settings);
    assert!(matches!(fared, Ok(Fared::Agrees { .. })), "{fared:?}");
    let settings = Settings { disputed: true, ..settings };
    let fared = conformance::class(&Runs::new(), make, class, called, settings);
    assert!(matches!(fared, Err(Failure::Differs(_))), "{fared:?}");
    let (isa, instruction) = sfpmov();
    let mut value = CaseValue::base(isa.isa, instruction, Edition::Newest);
    [(VD, 1), (VC, 2), (MOD1, 3)].iter().for_each(|(field, number)| field.set(&mut value.code, *number));
    value.words.insert((bank::LREG, 2, 0), 5);
    let replayed = conformance::replay(&CaseText::of(&value).to_string(), make);
    assert!(matches!(replayed, Ok(Replayed::Disputed("TD-03"))), "{replayed:?}");
}

// ------------------------------------------------------------------------------------------------ vectors

fn with_flag(file: &VectorFile) -> usize {
    file.tests().filter(|(_, test)| test.flags.iter().any(|flag| flag == "disputed")).count()
}

/// With `TANDEM_BLESS=1` it gives the committed tests their flags.
#[test]
fn committed_tests_carry_the_flags_of_what_is_disputed_and_keep_their_ids() {
    let (store, suite) = (store(), wiring::references().with_disputes());
    let mut disputed: BTreeMap<&str, DisputedTests> =
        suite.isas.iter().map(|isa| (isa.isa.name, DisputedTests::new(isa))).collect();
    let mut all = 0;
    for (path, file) in &store.files {
        let mut marked = file.clone();
        disputed.get_mut(file.isa.name).expect("it is of the suite").mark(&mut marked);
        let ids = |file: &VectorFile| -> Vec<String> {
            file.tests().map(|(_, test)| test.id(file.isa, file.instruction)).collect()
        };
        assert_eq!(ids(file), ids(&marked), "{}", path.display());
        all += with_flag(&marked);
        if std::env::var_os("TANDEM_BLESS").is_some() && marked.to_text() != file.to_text() {
            std::fs::write(path, marked.to_text()).expect("the file can be written");
            continue;
        }
        assert!(marked.to_text() == file.to_text(), "{}: TANDEM_BLESS=1 writes its flags", path.display());
    }
    assert!(all > 0, "some committed tests are disputed");
}

#[test]
fn vectors_check_counts_disputed_tests_apart_and_hardware_is_not_asked_them() {
    let store = store();
    let is_own = |path: &Path| path.ends_with("tensix-wh/sfpmov.json");
    let (_, file) = store.files.iter().find(|(path, _)| is_own(path)).expect("it is committed");
    let suite = suite_of(Does::NothingOnReserved);
    let result = Replayer::new(&suite).replay(file, &store.revoked, None);
    assert_eq!(result.failures().count(), 0);
    let disputed = result.runs.iter().filter(|run| matches!(run.verdict, Verdict::Disputed { by: "TD-03", .. }));
    assert!(disputed.count() > 0);
    let strict = IsaSuite { disputes: &[], ..suite };
    assert!(Replayer::new(&strict).replay(file, &store.revoked, None).failures().count() > 0);

    let selected = |selection: &Selection| select(file, selection, &store.revoked);
    let hardware = selected(&Selection { hardware: true, ..Selection::default() });
    assert!(!hardware.is_empty() && with_flag(&hardware) == 0);
    let alone = selected(&Selection { flags: vec!["disputed".to_string()], ..Selection::default() });
    assert_eq!((alone.len(), with_flag(&alone)), (with_flag(file), with_flag(file)));
}
