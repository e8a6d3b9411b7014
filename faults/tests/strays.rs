//! The wrappers misbehave as they say, and only so.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tandem_cases::tensix::{WORMHOLE, on};
use tandem_cases::visa::{MOV, VISA};
use tandem_faults::one_cell::OneCell;
use tandem_faults::stray::{StrayKind, StrayTarget};
use tandem_faults::{FaultKind, Right, catalogue, target, twist};
use tandem_isa::tensix::{Chip, Mnemonic, bank};
use tandem_isa::{
    Answer, Code, Edition, FieldRole, Instruction, Isa, MAX_AXES, Noise, Parts, SaltPlan, State, Step, Target, mix64,
};

const CASES: u64 = 2_500;

/// A case, and the state before it.
struct Case {
    instruction: &'static Instruction,
    edition: Edition,
    code: Code,
    before: State,
}

impl Case {
    /// Case number `index`: noise in all banks, and levels drawn as the harness draws them.
    fn of(isa: &Isa, instruction: &'static Instruction, edition: Edition, index: u64) -> Self {
        let mut before = isa.base_state();
        let noise = &mut Noise::new(mix64(index << 1 ^ u64::from(edition == Edition::Newest)));
        for (bank, spec) in isa.layout.banks.iter().enumerate() {
            for (row, column) in (0..spec.rows()).flat_map(|row| (0..spec.columns()).map(move |column| (row, column))) {
                before.set_word(bank, row, column, if spec.bits == 1 { 1 } else { noise.bits(spec.bits) });
            }
        }
        let mut code = Code::new(instruction.base_code);
        let mut levels = [0; MAX_AXES];
        let parts = &mut Parts { code: &mut code, small: &mut before.small, salt: &mut SaltPlan::default() };
        (instruction.prepare)(parts, noise);
        for (level, axis) in levels.iter_mut().zip((instruction.orthogonal)(edition)) {
            let drawn = axis.draw(noise);
            (axis.set)(parts, drawn, noise);
            *level = u8::try_from(drawn).expect("an axis has at most 256 levels");
        }
        let space = (instruction.cells)(edition);
        space.impose(noise.below(space.len()), parts, noise);
        (instruction.finish)(parts, &mut levels, noise);
        Case { instruction, edition, code, before }
    }

    fn step(&self) -> Step<'_> {
        Step { instruction: self.instruction, edition: self.edition, code: &self.code }
    }

    /// Executes the case on a copy of its state.
    fn run(&self, target: &mut dyn Target, state: &mut State) -> Answer {
        state.copy_from(&self.before);
        state.tracker.log.clear();
        target.execute(&self.step(), state)
    }
}

fn mova2d(edition: Edition, index: u64) -> Case {
    Case::of(&WORMHOLE, on(Mnemonic::Mova2d, Chip::Wormhole), edition, index)
}

fn mov(edition: Edition, index: u64) -> Case {
    Case::of(&VISA, &MOV, edition, index)
}

/// Whether two states are equal to the last byte.
fn same(left: &State, right: &State) -> bool {
    *left.small == *right.small && *left.arena == *right.arena
}

fn stray(kind: StrayKind) -> StrayTarget {
    StrayTarget::new(Box::new(Right), kind)
}

/// The rows in which two states differ.
fn differing_rows(left: &State, right: &State) -> Vec<(usize, usize)> {
    let banks = left.layout.banks.iter().enumerate();
    banks
        .flat_map(|(index, spec)| (0..spec.rows()).map(move |row| (index, row)))
        .filter(|&(index, row)| left.row(index, row) != right.row(index, row))
        .collect()
}

/// A wrong row: its bank, whether it was read, and whether it was written, by the log.
type WrongRow = (usize, bool, bool);

/// For each case that `target` gives wrong: its number, and the rows that are wrong.
fn wrong_cases(target: &mut dyn Target, edition: Edition) -> Vec<(u64, Vec<WrongRow>)> {
    let mut after = WORMHOLE.base_state();
    let mut state = WORMHOLE.base_state();
    let mut wrong = Vec::new();
    for index in 0..CASES {
        let case = mova2d(edition, index);
        let answer = case.run(&mut Right, &mut after);
        assert_eq!(case.run(target, &mut state), answer);
        if !same(&after, &state) {
            let log = &state.tracker.log;
            let rows = differing_rows(&after, &state).into_iter().map(|(index, row)| {
                let row_id = WORMHOLE.layout.banks[index].first_row + row;
                (index, log.read.contains(row_id), log.written.contains(row_id))
            });
            wrong.push((index, rows.collect()));
        }
    }
    wrong
}

#[test]
fn unmarked_strays_hit_one_row_in_about_one_case_of_97_and_always_the_same_cases() {
    for (kind, banks, read) in [
        (StrayKind::SourceRow, &[bank::SRCA, bank::DST][..], true),
        // Where all columns are blocked, no bank is touched, and any of them may be hit.
        (
            StrayKind::OtherBank,
            &[
                bank::SRCB,
                bank::LREG,
                bank::DST,
                bank::SRCA,
                bank::GPRS,
                bank::PRNG,
                bank::LOAD_MACRO_CONFIG,
                bank::NOC_STREAMS,
                bank::L1,
                bank::PACKER_STATS,
            ],
            false,
        ),
        (StrayKind::FarRow, &[bank::DST], false),
    ] {
        let mut target = stray(kind);
        let wrong = wrong_cases(&mut target, Edition::Newest);
        assert!((CASES as usize / 200..CASES as usize / 60).contains(&wrong.len()), "{kind:?}: {}", wrong.len());
        for (_, rows) in &wrong {
            let [(index, was_read, was_written)] = rows[..] else { panic!("{kind:?} changes one row") };
            assert!(banks.contains(&index) && was_read == read && !was_written, "{kind:?} changes bank {index}");
        }
        assert_eq!(wrong, wrong_cases(&mut target, Edition::Newest), "{kind:?} is a function of the case");
    }
}

#[test]
fn a_cancelling_pair_leaves_nothing_behind() {
    let mut target = stray(StrayKind::CancellingPair);
    let mut state = WORMHOLE.base_state();
    let case = mova2d(Edition::Spec, 3);
    let mut after = WORMHOLE.base_state();
    let _ = case.run(&mut Right, &mut after);
    state.copy_from(&case.before);
    let wrong: Vec<u64> = (1..=400)
        .filter(|_| {
            state.small.copy_from_slice(&case.before.small);
            state.tracker.log.clear();
            let _ = target.execute(&case.step(), &mut state);
            *state.arena != *after.arena
        })
        .collect();
    let expected: Vec<u64> = (1..=400).filter(|count| (17..57).contains(&(count % 131))).collect();
    assert_eq!(wrong, expected);
}

#[test]
fn the_answer_after_a_code_word_depends_on_it() {
    let mut target = stray(StrayKind::AfterCode);
    let wrong = wrong_cases(&mut target, Edition::Newest);
    assert!((CASES as usize / 200..CASES as usize / 60).contains(&wrong.len()), "{}", wrong.len());
    // Alone, each of them is right.
    let mut after = WORMHOLE.base_state();
    let mut state = WORMHOLE.base_state();
    for (index, _) in wrong {
        let case = mova2d(Edition::Newest, index);
        let _ = case.run(&mut Right, &mut after);
        target.reset();
        let _ = case.run(&mut target, &mut state);
        assert!(same(&after, &state));
    }
}

#[test]
fn the_uncounted_fault_survives_a_reset() {
    let mut target = stray(StrayKind::Uncounted);
    let case = (0..)
        .map(|index| mova2d(Edition::Spec, index))
        .find(|case| case.run(&mut Right, &mut WORMHOLE.base_state()) == Answer::Done);
    let case = case.expect("one of the cases is done");
    let mut after = WORMHOLE.base_state();
    let _ = case.run(&mut Right, &mut after);
    let mut state = WORMHOLE.base_state();
    for count in 1..=300 {
        target.reset();
        let _ = case.run(&mut target, &mut state);
        assert_eq!(same(&after, &state), count % 97 != 0, "execution {count}");
    }
}

#[test]
fn panics_come_in_about_one_case_of_500_and_always_in_the_same() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut target = stray(StrayKind::Panic);
    let mut state = WORMHOLE.base_state();
    let mut panics = || -> Vec<u64> {
        (0..CASES)
            .filter(|&index| {
                let case = mova2d(Edition::Newest, index);
                catch_unwind(AssertUnwindSafe(|| case.run(&mut target, &mut state))).is_err()
            })
            .collect()
    };
    let first = panics();
    let second = panics();
    let _ = std::panic::take_hook();
    assert!((1..15).contains(&first.len()), "{}", first.len());
    assert_eq!(first, second);
}

#[test]
fn one_cell_is_wrong_by_one_bit_exactly_in_its_cell() {
    one_cell_is_wrong(&WORMHOLE, on(Mnemonic::Mova2d, Chip::Wormhole), mova2d);
    one_cell_is_wrong(&VISA, &MOV, mov);
}

fn one_cell_is_wrong(isa: &Isa, instruction: &'static Instruction, case: impl Fn(Edition, u64) -> Case) {
    let mut after = isa.base_state();
    let mut state = isa.base_state();
    let has_counter = (isa.layout.fields)().iter().any(|field| field.role == FieldRole::Counter);
    for edition in Edition::ALL {
        let space = (instruction.cells)(edition);
        let mut num_hit = 0;
        for index in 0..CASES {
            let mut case = case(edition, index);
            let answer = case.run(&mut Right, &mut after);
            let flips = answer == Answer::Done && (has_counter || !after.tracker.log.written.is_empty());
            let mut code = Code::new(&case.code);
            let parts = Parts { code: &mut code, small: &mut case.before.small, salt: &mut SaltPlan::default() };
            let own = space.classify(&parts).expect("every case has a cell");
            let other = if own == 0 { 1 } else { own - 1 };
            let other_edition = Edition::ALL[usize::from(edition == Edition::Spec)];
            for (fault_edition, cell, hit) in
                [(edition, own, true), (edition, other, false), (other_edition, own % 256, false)]
            {
                let mut target = OneCell::new(Box::new(Right), isa, instruction, fault_edition, cell);
                assert_eq!(case.run(&mut target, &mut state), answer);
                let num_bits: u32 = [(&state.arena, &after.arena), (&state.small, &after.small)]
                    .into_iter()
                    .flat_map(|(left, right)| left.iter().zip(right.iter()))
                    .map(|(left, right)| (left ^ right).count_ones())
                    .sum();
                assert_eq!(num_bits, u32::from(hit && flips), "cell {cell}");
                let written = &state.tracker.log.written;
                let is_marked = |(bank, row): (usize, usize)| written.contains(isa.layout.banks[bank].first_row + row);
                assert!(differing_rows(&case.before, &state).into_iter().all(is_marked));
                num_hit += num_bits;
            }
        }
        assert!(num_hit > 300, "{num_hit} hits");
    }
}

#[test]
fn every_wrapper_misbehaves_around_vector_moves() {
    let mut after = VISA.base_state();
    let mut state = VISA.base_state();
    for &kind in StrayKind::ALL.iter().filter(|&&kind| kind != StrayKind::Panic) {
        let mut target = stray(kind);
        // Where there is one bank only, no other is hit unless nothing is moved at all.
        let mut wrong = 0;
        for index in 0..2 * CASES {
            let case = mov(Edition::Spec, index);
            let answer = case.run(&mut Right, &mut after);
            assert_eq!(case.run(&mut target, &mut state), answer);
            wrong += u32::from(!same(&after, &state));
        }
        assert!(wrong > 0, "{kind:?} never misbehaves");
    }
}

#[test]
fn ids_are_unique_and_name_their_targets() {
    let mut ids: Vec<&str> = catalogue().iter().map(|fault| fault.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), catalogue().len());
    for fault in catalogue() {
        assert!(fault.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        let target = target(Some(fault.id)).unwrap_or_else(|| panic!("{} is at no place of the reference", fault.id));
        assert_eq!(target.info().name, format!("fault:{}", fault.id));
        assert_eq!(fault.hidden(), matches!(fault.kind, FaultKind::Unmarked | FaultKind::Order));
    }
    assert!(target(Some("no-such-fault")).is_none() && target(None).expect("it is right").info().name == "right");
}

#[test]
fn what_the_reference_reads_otherwise_is_in_the_catalogue() {
    let readings = twist::every().filter_map(twist::reading);
    let unknown: Vec<&str> = readings.filter(|id| !catalogue().iter().any(|fault| fault.id == *id)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
