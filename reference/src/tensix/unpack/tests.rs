//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::Banks;
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

/// What an instruction was promised, and the state before it and after.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
}

/// Runs an instruction of thread 1, where every word of `SrcA` and `SrcB` is 5, bank 0 of each is the Unpackers', who use it,
/// and bank 1 the Matrix Unit's, who uses that.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Small)) -> Run {
    let (isa, instruction, code) = word(chip, name, fields);
    let mut state = isa.base_state();
    let mut tensix = Tensix::new(&mut state);
    tensix.small.current_thread = 1;
    (tensix.small.matrix_unit_srca_bank, tensix.small.matrix_unit_srcb_bank) = (1, 1);
    tensix.small.srca_allowed_client = [UNPACKERS, MATRIX_UNIT];
    tensix.small.srcb_allowed_client = [UNPACKERS, MATRIX_UNIT];
    tensix.small.unpackers_src_row = [[1, 2, 3], [4, 5, 6]];
    prepare(tensix.small);
    let banks = tensix.banks_unmarked();
    banks.srca.as_flattened_mut().as_flattened_mut().fill(5);
    banks.srcb.as_flattened_mut().as_flattened_mut().fill(5);
    let before = (*banks, *tensix.small);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small) }
}

impl Run {
    /// Whether the state is the one before but for what `changes` changes.
    fn check(&self, changes: impl FnOnce(&mut Banks, &mut Small)) {
        let (mut banks, mut small) = self.before;
        changes(&mut banks, &mut small);
        assert_eq!(self.after.1, small);
        assert!((self.after.0.srca, self.after.0.srcb) == (banks.srca, banks.srcb), "the banks");
    }
}

#[test]
fn setdvalid_gives_the_banks_that_it_flips_to_the_matrix_unit_and_begins_the_others() {
    for flips in 0..4 {
        let run = run(Chip::Wormhole, "SETDVALID", &[(SET_SRCA, flips & 1), (SET_SRCB, flips >> 1)], |small| {
            config::SRCA_SET_Base.set(&mut small.thread_config[1], 3);
            config::SRCB_SET_Base.set(&mut small.thread_config[1], 2);
            config::SRCA_SET_Base.set(&mut small.thread_config[0], 1);
        });
        assert_eq!(run.promise, Expectation::Done);
        run.check(|_, small| {
            if flips & 1 != 0 {
                small.srca_allowed_client[0] = MATRIX_UNIT;
                small.unpackers_src_bank[0] = 1;
                small.unpackers_src_row[0][1] = 48;
            }
            if flips >> 1 != 0 {
                small.srcb_allowed_client[0] = MATRIX_UNIT;
                small.unpackers_src_bank[1] = 1;
                small.unpackers_src_row[1][1] = 32;
            }
        });
    }
}

#[test]
fn setdvalid_is_not_supported_on_blackhole_even_if_it_flips_nothing() {
    let promise = run(Chip::Blackhole, "SETDVALID", &[], |_| ()).promise;
    assert!(matches!(promise, Expectation::Unsupported(_)));
}

#[rstest]
#[case(0)]
#[case(1)]
fn unpacr_nop_setdvalid_gives_one_bank_away_whoever_has_it_with_its_format_on_blackhole(#[case] unpacker: u32) {
    for (chip, owner) in Chip::ALL.into_iter().flat_map(|chip| [(chip, MATRIX_UNIT), (chip, UNPACKERS)]) {
        let run = run(chip, "UNPACR_NOP_SETDVALID", &[(WHICH_UNPACKER, unpacker)], |small| {
            (small.srca_allowed_client[0], small.srcb_allowed_client[0]) = (owner, owner);
            let [srca, srcb] = chip.pick(
                [config::SRCA_SET_Base, config::SRCB_SET_Base],
                [blackhole::SRCA_SET_Base, blackhole::SRCB_SET_Base],
            );
            srca.set(&mut small.thread_config[1], 1);
            srcb.set(&mut small.thread_config[1], 3);
            config::CFG_STATE_ID_StateID.set(&mut small.thread_config[1], 1);
            for (state_id, format) in [(0, 1), (0, 2), (1, 10), (1, 11)]
                .into_iter()
                .enumerate()
                .map(|(place, (id, format))| (id, (place % 2, format)))
            {
                REG2_Out_data_format.set(chip, format.0, &mut small.config[state_id], format.1);
            }
        });
        assert_eq!(run.promise, Expectation::Done);
        run.check(|_, small| {
            if unpacker == 0 {
                small.srca_allowed_client[0] = MATRIX_UNIT;
                small.unpackers_src_bank[0] = 1;
                small.unpackers_src_row[0][1] = 16;
                small.implied_srca_fmt[0] = chip.pick(0, 10);
            } else {
                small.srcb_allowed_client[0] = MATRIX_UNIT;
                small.unpackers_src_bank[1] = 1;
                small.unpackers_src_row[1][1] = 48;
                small.implied_srcb_fmt[0] = chip.pick(0, 11);
            }
        });
    }
}

/// The fields of `UNPACR_NOP_ZEROSRC`: which Unpacker, and three flags.
fn zerosrc(chip: Chip, [unpacker, wait, both, negative]: [u32; 4]) -> Vec<(CodeField, u32)> {
    vec![
        (WHICH_UNPACKER, unpacker),
        (chip.pick(WAIT_LIKE_UNPACR, WAIT_LIKE_UNPACR_BH), wait),
        (chip.pick(NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH), both),
        (NOP_NEGATIVE_INF_SRCA, negative),
    ]
}

#[rstest]
#[case(0, 0)]
#[case(0, 1)]
#[case(1, 0)]
#[case(1, 1)]
fn unpacr_nop_zerosrc_clears_the_unpackers_bank_and_without_wait_like_unpacr_waits_for_that_of_the_matrix_unit(
    #[case] unpacker: u32,
    #[case] wait: u32,
) {
    for chip in Chip::ALL {
        for owners in 0..4 {
            let run = run(chip, "UNPACR_NOP_ZEROSRC", &zerosrc(chip, [unpacker, wait, 0, 0]), |small| {
                let clients = [owners & 1, owners >> 1];
                (small.srca_allowed_client, small.srcb_allowed_client) = (clients, clients);
            });
            // The Unpackers use bank 0, and the Matrix Unit bank 1.
            let waited = if wait != 0 { owners & 1 } else { owners >> 1 };
            if waited == UNPACKERS {
                assert_eq!(run.promise, Expectation::Done);
                run.check(|banks, _| {
                    let bank = if unpacker == 0 { &mut banks.srca[0] } else { &mut banks.srcb[0] };
                    bank.as_flattened_mut().fill(0);
                });
            } else {
                assert!(matches!(run.promise, Expectation::Blocked(_)), "{chip:?} {owners}");
                run.check(|_, _| ());
            }
        }
    }
}

#[test]
fn negative_infinity_is_all_ones_and_of_srcb_not_contractual_and_zero_on_wormhole() {
    for (chip, unpacker) in Chip::ALL.into_iter().flat_map(|chip| [(chip, 0), (chip, 1)]) {
        let run = run(chip, "UNPACR_NOP_ZEROSRC", &zerosrc(chip, [unpacker, 1, 0, 1]), |_| ());
        let is_promised = unpacker == 0 || chip == Chip::Blackhole;
        assert_eq!(run.promise == Expectation::Done, is_promised, "{chip:?} {unpacker}");
        assert!(is_promised || matches!(run.promise, Expectation::NonContractual(_)));
        run.check(|banks, _| {
            let bank = if unpacker == 0 { &mut banks.srca[0] } else { &mut banks.srcb[0] };
            bank.as_flattened_mut().fill(if is_promised { 0x7_ffff } else { 0 });
        });
    }
}

#[test]
fn both_banks_are_not_supported_even_while_the_bank_is_in_use() {
    for (chip, owner) in Chip::ALL.into_iter().flat_map(|chip| [(chip, MATRIX_UNIT), (chip, UNPACKERS)]) {
        let run = run(chip, "UNPACR_NOP_ZEROSRC", &zerosrc(chip, [0, 1, 1, 0]), |small| {
            small.srca_allowed_client = [owner; 2];
        });
        assert!(matches!(run.promise, Expectation::Unsupported(_)), "{chip:?}");
    }
}

#[test]
fn whatever_would_write_a_register_is_not_supported() {
    for (chip, name) in
        Chip::ALL.into_iter().flat_map(|chip| [(chip, "UNPACR_NOP_SETREG"), (chip, "UNPACR_NOP_OVERLAY_CLEAR")])
    {
        for unpacker in 0..2 {
            let promise = run(chip, name, &[(WHICH_UNPACKER, unpacker)], |_| ()).promise;
            assert!(matches!(promise, Expectation::Unsupported(_)), "{name} {chip:?}");
        }
    }
}

#[test]
fn nothing_is_promised_of_a_word_with_a_bit_that_belongs_to_no_field() {
    for (name, unnamed) in [
        ("SETDVALID", [0xff_fffc; 2]),
        ("UNPACR_NOP_ZEROSRC", [0x7f_ffa0, 0x7f_fe08]),
        ("UNPACR_NOP_SETDVALID", [0x7f_fff8, 0x7f_ff3c]),
        ("UNPACR_NOP_SETREG", [0x8000; 2]),
        ("UNPACR_NOP_OVERLAY_CLEAR", [0x40_8008; 2]),
    ] {
        for (chip, bit) in Chip::ALL.into_iter().flat_map(|chip| (0..24).map(move |bit| (chip, bit))) {
            let unnamed = chip.pick(unnamed[0], unnamed[1]);
            if unnamed >> bit & 1 == 0 {
                continue;
            }
            let promise =
                run(chip, name, &[(CodeField { name: "", word: 0, shift: bit, width: 1 }, 1)], |_| ()).promise;
            let refused = matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
            assert!(refused, "{name} {chip:?} bit {bit}");
        }
    }
}
