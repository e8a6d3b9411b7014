//! A law of the minimizer: of a case that a target gets wrong because of some bits, those bits are left and no others, but for
//! those that have to be alike wherever a machine can be.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Test, no_state};
use tandem_harness::{CaseValue, IsaSuite, MinimizeLimits, Minimized, Minimizer, Signature, TargetFactory};
use tandem_isa::{
    Answer, Edition, Expectation, Facts, Field, FieldRole, Holds, Instruction, Isa, Reference, State, Step, Target,
    TargetInfo,
};

/// A bit of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bit {
    Code(u32),
    /// Place of the field, and bit of it.
    Field(usize, u32),
    /// Row and column of the bank, and bit of the word.
    Word(usize, usize, u32),
}

/// The bank of the words.
const BANK: &str = "LReg";

fn isa() -> &'static Isa {
    ISAS.iter().find(|isa| isa.name == "tensix-wh").expect("it is listed")
}

fn instruction() -> &'static Instruction {
    isa().instruction("SFPIADD").expect("it is listed")
}

fn bank() -> usize {
    isa().layout.bank_named(BANK).expect("there is such a bank")
}

fn fields() -> &'static [Field] {
    (isa().layout.fields)()
}

/// The field that the target gets wrong.
fn wrong() -> &'static Field {
    fields().iter().find(|field| field.role == FieldRole::Flag).expect("there is a flag")
}

/// Does nothing, as the page of an instruction that does nothing would have it.
struct Nothing;

impl Reference for Nothing {
    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Expectation {
        Expectation::Done
    }
}

/// Does nothing either, but flips a flag if all of its bits are set.
struct Wrong(BTreeSet<Bit>);

impl Target for Wrong {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "wrong".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let is_set = |bit: &Bit| match *bit {
            Bit::Code(bit) => step.code[0] >> bit & 1 != 0,
            Bit::Field(field, bit) => fields()[field].get(&state.small) >> bit & 1 != 0,
            Bit::Word(row, column, bit) => state.word(bank(), row, column) >> bit & 1 != 0,
        };
        if self.0.iter().all(is_set) {
            let value = wrong().get(&state.small);
            wrong().set(&mut state.small, value ^ 1);
        }
        Answer::Done
    }
}

/// The case in which these bits are set, those that have to be like them, and no others.
fn case(bits: &BTreeSet<Bit>) -> CaseValue {
    let mut value = CaseValue::base(isa(), instruction(), Edition::Newest);
    for &bit in bits {
        match bit {
            Bit::Code(bit) => value.code[0] |= 1 << bit,
            Bit::Field(field, bit) => *value.fields.entry(field).or_default() |= 1 << bit,
            Bit::Word(row, column, bit) => {
                let spec = &isa().layout.banks[bank()];
                let (first, step) = spec.holds(row).map_or((column, usize::MAX), |holds| holds.alike(column));
                for column in (first..spec.columns()).step_by(step) {
                    *value.words.entry((bank(), row, column)).or_default() |= 1 << bit;
                }
            }
        }
    }
    value
}

/// The rows that are not constants: some hold everything, and some what repeats.
fn free_rows() -> Vec<usize> {
    let spec = &isa().layout.banks[bank()];
    (0..spec.rows()).filter(|&row| !matches!(spec.holds(row), Some(Holds::Constant { .. }))).collect()
}

/// A bit that is 0 in the base state, and can be 1 beside all others.
fn any_bit() -> impl Strategy<Value = Bit> {
    let free = |field: &Field| field.base == 0 && u64::from(field.max) + 1 == 1 << field.width;
    let all: Vec<usize> = (0..fields().len()).filter(|&field| free(&fields()[field])).collect();
    let field = prop::sample::select(all).prop_flat_map(|field| (Just(field), 0..fields()[field].width));
    prop_oneof![
        (0_u32..24).prop_map(Bit::Code),
        field.prop_map(|(field, bit)| Bit::Field(field, bit)),
        // Rows of constants have no bit that is free.
        (prop::sample::select(free_rows()), 0_usize..32, 0_u32..32)
            .prop_map(|(row, column, bit)| Bit::Word(row, column, bit)),
    ]
}

proptest! {
    #[test]
    fn the_bits_that_a_fault_needs_are_left_and_no_others(
        needed in prop::collection::btree_set(any_bit(), 1..6),
        others in prop::collection::btree_set(any_bit(), 0..60),
    ) {
        let make = { let needed = needed.clone(); move || Box::new(Wrong(needed.clone())) as Box<dyn Target> };
        let factory = TargetFactory::new(make);
        let suite =
            IsaSuite { isa: isa(), reference: Arc::new(|| Box::new(Nothing)), statements: |_| &[], disputes: &[], targets: vec![factory.clone()] };
        let mut minimizer = Minimizer::new(&suite, &factory);
        let value = case(&needed.union(&others).copied().collect());
        let differences = minimizer.run(&value).expect("the pages promise something");
        let key = Signature::of(&instruction().path(), "wrong", isa().layout, &differences).expect("it differs");
        let limits = MinimizeLimits { runs: 100_000 };
        let Minimized { value: smallest, differences: left, proven, .. } =
            minimizer.minimize(&value, &key, limits).expect("it fails alone");
        prop_assert_eq!(no_state(isa(), &Test::sparse_of(&smallest)), Vec::<String>::new());
        let expected = case(&needed);
        prop_assert!(proven && !left.is_empty());
        prop_assert_eq!(&smallest.code[..], &expected.code[..]);
        prop_assert_eq!(smallest.fields, expected.fields);
        prop_assert_eq!(smallest.words, expected.words);
    }
}
