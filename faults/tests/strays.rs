//! The wrappers misbehave as they say, and only so.

mod cases;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases::Case;
use tandem_cases::tensix::{WORMHOLE, on};
use tandem_cases::visa::{MOV, VISA};
use tandem_faults::Plain;
use tandem_faults::one_cell::OneCell;
use tandem_faults::stray::{StrayKind, StrayTarget};
use tandem_isa::tensix::{Chip, Mnemonic, bank};
use tandem_isa::{Answer, Code, Edition, FieldRole, Instruction, Isa, Parts, SaltPlan, State, Target};

const CASES: u64 = 2_500;

fn stray(kind: StrayKind) -> StrayTarget {
    StrayTarget::new(Box::new(Plain::new()), kind)
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
        let case = cases::tensix::case(edition, index);
        let answer = case.run(&mut Plain::new(), &mut after);
        assert_eq!(case.run(target, &mut state), answer);
        if !cases::same(&after, &state) {
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
        (StrayKind::OtherBank, &[bank::SRCB, bank::LREG, bank::DST, bank::SRCA], false),
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
    let case = cases::tensix::promised_case(Edition::Spec, 3).expect("this case is promised");
    let mut after = WORMHOLE.base_state();
    let _ = case.run(&mut Plain::new(), &mut after);
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
        let case = cases::tensix::case(Edition::Newest, index);
        let _ = case.run(&mut Plain::new(), &mut after);
        target.reset();
        let _ = case.run(&mut target, &mut state);
        assert!(cases::same(&after, &state));
    }
}

#[test]
fn the_uncounted_fault_survives_a_reset() {
    let mut target = stray(StrayKind::Uncounted);
    let case = (0..)
        .map(|index| cases::tensix::case(Edition::Spec, index))
        .find(|case| case.run(&mut Plain::new(), &mut WORMHOLE.base_state()) == Answer::Done);
    let case = case.expect("one of the cases is done");
    let mut after = WORMHOLE.base_state();
    let _ = case.run(&mut Plain::new(), &mut after);
    let mut state = WORMHOLE.base_state();
    for count in 1..=300 {
        target.reset();
        let _ = case.run(&mut target, &mut state);
        assert_eq!(cases::same(&after, &state), count % 97 != 0, "execution {count}");
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
                let case = cases::tensix::case(Edition::Newest, index);
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
    one_cell_is_wrong(&WORMHOLE, on(Mnemonic::Mova2d, Chip::Wormhole), cases::tensix::case);
    one_cell_is_wrong(&VISA, &MOV, cases::visa::case);
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
            let answer = case.run(&mut Plain::new(), &mut after);
            let flips = answer == Answer::Done && (has_counter || !after.tracker.log.written.is_empty());
            let mut code = Code::new(&case.code);
            let parts = Parts { code: &mut code, small: &mut case.before.small, salt: &mut SaltPlan::default() };
            let own = space.classify(&parts).expect("every case has a cell");
            let other = if own == 0 { 1 } else { own - 1 };
            let other_edition = Edition::ALL[usize::from(edition == Edition::Spec)];
            for (fault_edition, cell, hit) in
                [(edition, own, true), (edition, other, false), (other_edition, own % 256, false)]
            {
                let mut target = OneCell::new(Box::new(Plain::new()), isa, instruction, fault_edition, cell);
                assert_eq!(case.run(&mut target, &mut state), answer);
                let num_bits: u32 = [(&state.arena, &after.arena), (&state.small, &after.small)]
                    .into_iter()
                    .flat_map(|(left, right)| left.iter().zip(right.iter()))
                    .map(|(left, right)| (left ^ right).count_ones())
                    .sum();
                assert_eq!(num_bits, u32::from(hit && flips), "cell {cell}");
                assert!(cases::differences_are_marked(&case.before, &state));
                num_hit += num_bits;
            }
        }
        assert!(num_hit > 1_500);
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
            let case = cases::visa::case(Edition::Spec, index);
            let answer = case.run(&mut Plain::new(), &mut after);
            assert_eq!(case.run(&mut target, &mut state), answer);
            wrong += u32::from(!cases::same(&after, &state));
        }
        assert!(wrong > 0, "{kind:?} never misbehaves");
    }
}
