//! Each fault is an error exactly where the catalogue says, names what it writes, and survives every case.

mod cases;

use std::collections::BTreeSet;

use rstest::rstest;
use tandem_cases::tensix::{BLACKHOLE, WORMHOLE, on};
use tandem_cases::visa::{DPAS, MOV, VISA};
use tandem_faults::tensix::TensixPlain;
use tandem_faults::visa::VisaPlain;
use tandem_faults::{ANY_INSTRUCTION, Fault, FaultKind, catalogue, target, tensix, visa};
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Answer, Edition, Instruction, Isa, State, Target};

use cases::Case;

/// What the plain implementation gives for a case.
struct Expected {
    case: Case,
    answer: Answer,
    after: State,
}

/// An instruction: how its cases are drawn and its targets are made.
struct Family<F: 'static> {
    isa: &'static Isa,
    instruction: &'static Instruction,
    flaws: &'static [F],
    fault: fn(F) -> Fault,
    make: fn(Option<F>) -> Box<dyn Target>,
    promised_case: fn(&'static Instruction, Edition, u64) -> Option<Case>,
    /// Cases that every fault survives and no control is found in.
    cases: u64,
    /// Some four times what the rarest fault needs.
    most_cases: u64,
}

static TENSIX: Family<tensix::Flaw> = Family {
    isa: &WORMHOLE,
    instruction: on(Mnemonic::Mova2d, Chip::Wormhole),
    flaws: tensix::Flaw::ALL,
    fault: tensix::Flaw::fault,
    make: |flaw| Box::new(TensixPlain::new(flaw)),
    promised_case: |_, edition, index| cases::tensix::promised_case(edition, index),
    cases: 6_000,
    most_cases: 6_000,
};

const fn sfpu(isa: &'static Isa, instruction: &'static Instruction) -> Family<tensix::Flaw> {
    Family {
        isa,
        instruction,
        flaws: tensix::Flaw::ALL,
        fault: tensix::Flaw::fault,
        make: |flaw| Box::new(TensixPlain::new(flaw)),
        promised_case: cases::tensix::promised_sfpu_case,
        cases: 3_000,
        most_cases: 40_000,
    }
}

static LOAD: Family<tensix::Flaw> = sfpu(&WORMHOLE, on(Mnemonic::Sfpload, Chip::Wormhole));
static LOAD_BH: Family<tensix::Flaw> = sfpu(&BLACKHOLE, on(Mnemonic::Sfpload, Chip::Blackhole));
static STORE: Family<tensix::Flaw> = sfpu(&WORMHOLE, on(Mnemonic::Sfpstore, Chip::Wormhole));
static STORE_BH: Family<tensix::Flaw> = sfpu(&BLACKHOLE, on(Mnemonic::Sfpstore, Chip::Blackhole));

static MOVES: Family<visa::Flaw> = Family {
    isa: &VISA,
    instruction: &MOV,
    flaws: visa::Flaw::ALL,
    fault: visa::Flaw::fault,
    make: |flaw| Box::new(VisaPlain::new(flaw)),
    promised_case: |_, edition, index| cases::visa::promised_case(edition, index),
    cases: 10_000,
    most_cases: 200_000,
};

static PRODUCTS: Family<visa::Flaw> = Family {
    isa: &VISA,
    instruction: &DPAS,
    flaws: visa::Flaw::ALL,
    fault: visa::Flaw::fault,
    make: |flaw| Box::new(VisaPlain::new(flaw)),
    promised_case: |_, edition, index| cases::dpas::promised_case(edition, index),
    cases: 3_000,
    most_cases: 60_000,
};

impl<F: Copy> Family<F> {
    /// The flaws of the instruction.
    fn own(&self) -> impl Iterator<Item = F> {
        self.flaws.iter().copied().filter(|&flaw| (self.fault)(flaw).concerns(self.instruction))
    }

    fn expected(&self, edition: Edition) -> impl Iterator<Item = Expected> {
        (0..self.most_cases).filter_map(move |index| (self.promised_case)(self.instruction, edition, index)).map(
            |case| {
                let mut after = self.isa.base_state();
                let answer = case.run(&mut *(self.make)(None), &mut after);
                Expected { case, answer, after }
            },
        )
    }

    fn each_fault_is_wrong_exactly_in_the_editions_that_it_names(&self) {
        for &edition in self.instruction.editions() {
            let mut faulty: Vec<_> =
                self.own().map(|flaw| ((self.fault)(flaw), (self.make)(Some(flaw)), None)).collect();
            let mut state = self.isa.base_state();
            let mut num_cases = 0_u64;
            for Expected { case, answer, after } in self.expected(edition) {
                let all_found = faulty.iter().all(|(fault, _, first)| first.is_some() || fault.wrong_in.is_empty());
                if num_cases >= self.cases && all_found {
                    break;
                }
                num_cases += 1;
                // One that has differed is out of the race, except that it must go on surviving now and then.
                for (fault, target, first) in
                    faulty.iter_mut().filter(|(_, _, first)| first.is_none() || num_cases.is_multiple_of(64))
                {
                    let given = case.run(&mut **target, &mut state);
                    if first.is_none() && (given != answer || !cases::same(&state, &after)) {
                        *first = Some(num_cases);
                        assert!(cases::differences_are_marked(&case.before, &state), "{} writes unmarked", fault.id);
                    }
                }
            }
            assert!(num_cases > self.cases / 2, "only {num_cases} cases are promised");
            for (fault, _, first) in &faulty {
                if let Some(first) = first {
                    println!("{} {}: case {first}", edition.name(), fault.id);
                }
            }
            let mistaken: Vec<_> = faulty
                .iter()
                .filter(|(fault, _, first)| first.is_some() != fault.wrong_in.contains(&edition))
                .map(|(fault, _, first)| (fault.id, first))
                .collect();
            assert!(mistaken.is_empty(), "{}: {mistaken:?}", edition.name());
        }
    }

    fn no_fault_panics_where_nothing_is_promised(&self, case: impl Fn(Edition, u64) -> Case) {
        let mut state = self.isa.base_state();
        for &edition in self.instruction.editions() {
            let mut targets: Vec<_> = self.own().map(|flaw| (self.make)(Some(flaw))).collect();
            for index in 0..500 {
                let case = case(edition, index);
                for target in &mut targets {
                    let _ = case.run(&mut **target, &mut state);
                }
            }
        }
    }

    fn controls_differ_only_where_nothing_is_promised(&self, flaws: &[F], case: impl Fn(u64) -> Case) {
        let mut state = self.isa.base_state();
        let mut after = self.isa.base_state();
        for &flaw in flaws {
            let mut target = (self.make)(Some(flaw));
            let differs = (0..self.most_cases).any(|index| {
                let case = case(index);
                let answer = case.run(&mut *(self.make)(None), &mut after);
                case.run(&mut *target, &mut state) != answer || !cases::same(&state, &after)
            });
            assert!(differs, "{} never differs at all", (self.fault)(flaw).id);
        }
    }
}

#[test]
fn each_tensix_fault_is_wrong_exactly_in_the_editions_that_it_names() {
    TENSIX.each_fault_is_wrong_exactly_in_the_editions_that_it_names();
}

#[rstest]
#[case::load(&LOAD)]
#[case::load_bh(&LOAD_BH)]
#[case::store(&STORE)]
#[case::store_bh(&STORE_BH)]
fn each_sfpu_fault_is_wrong_on_its_chip_in_the_editions_that_it_names(#[case] family: &Family<tensix::Flaw>) {
    family.each_fault_is_wrong_exactly_in_the_editions_that_it_names();
}

#[rstest]
#[case::mov(&MOVES)]
#[case::dpas(&PRODUCTS)]
fn each_visa_fault_is_wrong_exactly_in_the_editions_that_it_names(#[case] family: &Family<visa::Flaw>) {
    family.each_fault_is_wrong_exactly_in_the_editions_that_it_names();
}

#[test]
fn no_fault_panics_where_nothing_is_promised() {
    TENSIX.no_fault_panics_where_nothing_is_promised(|edition, index| {
        let mut case = cases::tensix::case(edition, index);
        case.code[0] |= u32::from(index % 2 == 0) << 12;
        case
    });
    for family in [&LOAD, &LOAD_BH, &STORE, &STORE_BH] {
        family.no_fault_panics_where_nothing_is_promised(|edition, index| {
            cases::tensix::sfpu_case(family.instruction, edition, index)
        });
    }
    MOVES.no_fault_panics_where_nothing_is_promised(cases::visa::broken_case);
    PRODUCTS.no_fault_panics_where_nothing_is_promised(cases::dpas::broken_case);
}

#[test]
fn controls_differ_only_where_nothing_is_promised() {
    TENSIX.controls_differ_only_where_nothing_is_promised(
        &[tensix::Flaw::ControlPartialClears, tensix::Flaw::ControlUnnamedBits],
        |index| cases::tensix::case(Edition::Spec, index),
    );
    use tensix::Flaw::{
        LoadControlBackdoor, LoadControlExtraAddsFour, LoadControlInvalidZero, StoreControlBackdoor,
        StoreControlExtraAddsFour, StoreControlInvalidClears, StoreControlMarksValid,
    };
    for (family, flaws) in [
        (&LOAD, &[LoadControlInvalidZero, LoadControlBackdoor][..]),
        (&LOAD_BH, &[LoadControlInvalidZero, LoadControlBackdoor, LoadControlExtraAddsFour]),
        (&STORE, &[StoreControlInvalidClears, StoreControlBackdoor, StoreControlMarksValid]),
        (
            &STORE_BH,
            &[StoreControlInvalidClears, StoreControlBackdoor, StoreControlMarksValid, StoreControlExtraAddsFour],
        ),
    ] {
        family.controls_differ_only_where_nothing_is_promised(flaws, |index| {
            cases::tensix::sfpu_case(family.instruction, Edition::Newest, index)
        });
    }
    MOVES.controls_differ_only_where_nothing_is_promised(
        &[
            visa::Flaw::ControlIntFloatByMode,
            visa::Flaw::ControlBfByMode,
            visa::Flaw::ControlPredicateSourceOffset,
            visa::Flaw::ControlReservedBits,
        ],
        |index| cases::visa::case(Edition::Spec, index),
    );
    PRODUCTS.controls_differ_only_where_nothing_is_promised(
        &[
            visa::Flaw::DpasControlOneBit,
            visa::Flaw::DpasControlSmallFloats,
            visa::Flaw::DpasControlMasks,
            visa::Flaw::DpasControlAligned,
            visa::Flaw::DpasControlDepth,
            visa::Flaw::DpasControlXehpDepth,
            visa::Flaw::DpasControlChannels,
        ],
        |index| cases::dpas::case(Edition::Spec, index),
    );
}

#[test]
fn ids_are_unique_and_name_their_targets() {
    let ids: BTreeSet<_> = catalogue().iter().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), catalogue().len());
    let plain = target(None).expect("the plain target");
    assert_eq!(plain.info().name, "plain");
    for fault in catalogue() {
        assert!(fault.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        let target = target(Some(fault.id)).expect("the id is in the catalogue");
        assert_eq!(target.info().name, format!("fault:{}", fault.id));
        for &instruction in [&WORMHOLE, &BLACKHOLE, &VISA].into_iter().flat_map(|isa| isa.instructions) {
            assert_eq!(
                target.implements(instruction),
                fault.concerns(instruction) && plain.implements(instruction),
                "{} and {}",
                fault.id,
                instruction.path()
            );
        }
        assert_eq!(fault.hidden(), matches!(fault.kind, FaultKind::Unmarked | FaultKind::Order));
    }
    assert!(target(Some("no-such-fault")).is_none());
    // It has no instruction of the Vector Unit that goes from registers to registers; of every set it has some.
    for isa in [&WORMHOLE, &BLACKHOLE, &VISA] {
        assert!(isa.instructions.iter().any(|&known| plain.implements(known)), "{}", isa.name);
    }
}

#[test]
fn the_catalogue_is_large_enough() {
    for (instruction, least) in [
        (on(Mnemonic::Mova2d, Chip::Wormhole), 36),
        (on(Mnemonic::Sfpload, Chip::Wormhole), 130),
        (on(Mnemonic::Sfpload, Chip::Blackhole), 130),
        (on(Mnemonic::Sfpstore, Chip::Wormhole), 130),
        (on(Mnemonic::Sfpstore, Chip::Blackhole), 130),
        (&MOV, 40),
        (&DPAS, 140),
    ] {
        let is_own = |fault: &&Fault| fault.instruction != ANY_INSTRUCTION && fault.concerns(instruction);
        let wrong = catalogue().iter().filter(is_own).filter(|fault| !fault.wrong_in.is_empty()).count();
        assert!(wrong >= least, "{}: {wrong}", instruction.path());
    }
}
