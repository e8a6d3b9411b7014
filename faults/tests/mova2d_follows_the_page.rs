//! The plain implementation gives what the page gives, by hand.

#![expect(clippy::unusual_byte_groupings, reason = "the groups are sign, mantissa and exponent")]

mod cases;

use tandem_faults::tensix::TensixPlain;
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::MOVA2D;
use tandem_isa::tensix::{Small, Tensix, UNPACKERS, WORMHOLE, bank, format};
use tandem_isa::{Answer, Edition, State, Step, Target};

/// A base state that a test changes and runs on.
struct Machine(State);

impl Machine {
    fn new() -> Self {
        Machine(WORMHOLE.base_state())
    }

    fn small(&mut self) -> &mut Small {
        Tensix::new(&mut self.0).small
    }

    fn config(mut self, field: ConfigField, value: u32) -> Self {
        field.set(&mut self.small().config[0], value);
        self
    }

    fn thread_config(mut self, field: ThreadConfigField, value: u32) -> Self {
        field.set(&mut self.small().thread_config[0], value);
        self
    }

    fn format(self, code: u32) -> Self {
        self.config(config::ALU_FORMAT_SPEC_REG0_SrcA, code)
    }

    /// `SrcA[0][row]` all `word`.
    fn srca(mut self, row: usize, word: u32) -> Self {
        (0..16).for_each(|column| self.0.set_word(bank::SRCA, row, column, word));
        self
    }

    fn dst(mut self, row: usize, word: u32) -> Self {
        (0..16).for_each(|column| self.0.set_word(bank::DST, row, column, word));
        self
    }

    fn invalid(mut self, row: usize) -> Self {
        self.0.set_word(bank::DST_ROW_VALID, row, 0, 0);
        self
    }

    fn run(&mut self, edition: Edition, syntax: &str) -> Answer {
        let code = MOVA2D.parse(syntax).expect("the syntax is the page's");
        TensixPlain::new(None).execute(&Step { instruction: MOVA2D, edition, code: &code }, &mut self.0)
    }

    fn dst_word(&self, row: usize) -> u32 {
        let words: Vec<_> = (0..16).map(|column| self.0.word(bank::DST, row, column)).collect();
        assert!(words.iter().all(|&word| word == words[0]), "Dst row {row} is not uniform: {words:x?}");
        words[0]
    }

    fn valid(&self, row: usize) -> u32 {
        self.0.word(bank::DST_ROW_VALID, row, 0)
    }
}

#[test]
fn eight_bit_exponents_keep_sign_seven_mantissa_bits_and_exponent() {
    for edition in Edition::ALL {
        // Sign 1, mantissa 101_0101_111, exponent 0x7f.
        let mut machine = Machine::new().format(format::BF16).srca(5, 1 << 18 | 0b10_1010_1111 << 8 | 0x7f);
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 5, 0, (0) << 1, 17)"), Answer::Done);
        assert_eq!(machine.dst_word(17), 0b1_1010101_01111111);
        assert_eq!(machine.dst_word(18), 0);
    }
}

#[test]
fn five_bit_exponents_keep_sign_ten_mantissa_bits_and_five_exponent_bits() {
    for edition in Edition::ALL {
        for code in [format::FP16, 12, 13, format::INT8] {
            let mut machine = Machine::new().format(code).srca(63, 1 << 18 | 0b10_1010_1111 << 8 | 0b111_01001);
            assert_eq!(machine.run(edition, "TT_MOVA2D(0, 63, 0, (0) << 1, 1023)"), Answer::Done);
            assert_eq!(machine.dst_word(1023), 0b1_1010101111_01001);
        }
    }
}

#[test]
fn tf32_goes_to_both_halves_of_the_adjusted_row() {
    for edition in Edition::ALL {
        // Row 0x20b: 0x008 doubles to 0x010, 0x203 stays, so that the halves are rows 0x213 and 0x21b.
        let mut machine = Machine::new().format(format::TF32).srca(0, 0b10_1010_1101 << 8 | 0x81);
        machine = machine.invalid(0x213).invalid(0x21b);
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0x20b)"), Answer::Done);
        assert_eq!(machine.dst_word(0x213), 0b0_1010101_10000001);
        assert_eq!(machine.dst_word(0x21b), 0b101 << 13);
        assert_eq!((machine.valid(0x213), machine.valid(0x21b)), (1, 0));
    }
}

#[test]
fn tf32_with_lo_joins_the_value_to_the_low_half_in_spec() {
    let mut machine = Machine::new().format(format::TF32).srca(0, 0b10_1010_1101 << 8 | 0x81);
    assert_eq!(machine.run(Edition::Spec, "TT_MOVA2D(1, 0, 0, (0) << 1, 0)"), Answer::Done);
    assert_eq!(machine.dst_word(0), 0b0_1010101_10000001);
    assert_eq!(machine.dst_word(8), 0b101 << 13 | 0b0_1010101_10000001);
}

#[test]
fn lo_keeps_the_high_half_of_a_valid_row_and_clears_that_of_an_invalid_one() {
    for edition in Edition::ALL {
        for (mark, high) in [(1, 0xabcd), (0, 0)] {
            let mut machine = Machine::new().format(format::BF16).srca(0, 0x7f).dst(0, 0xabcd).dst(8, 0x5555);
            machine.0.set_word(bank::DST_ROW_VALID, 0, 0, mark);
            assert_eq!(machine.run(edition, "TT_MOVA2D(1, 0, 0, (0) << 1, 0)"), Answer::Done);
            assert_eq!((machine.dst_word(0), machine.dst_word(8), machine.valid(0)), (high, 0x7f, 1));
        }
    }
}

#[test]
fn a_zero_exponent_is_flushed_unless_the_flag_is_disabled() {
    for edition in Edition::ALL {
        for (disabled, word) in [(0, 0), (1, 0b1_1111111_00000000)] {
            let mut machine = Machine::new()
                .format(format::INT16)
                .config(config::ALU_ACC_CTRL_Zero_Flag_disabled_src, disabled)
                .srca(0, 0x7ff00)
                .dst(0, 0x1234);
            assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)"), Answer::Done);
            assert_eq!(machine.dst_word(0), word);
        }
    }
}

#[test]
fn force_makes_tf32_five_bit_and_sixteen_wide_in_newest_only() {
    let start =
        || Machine::new().format(format::TF32).thread_config(config::FP16A_FORCE_Enable, 1).srca(0, 0b111 << 8 | 0x21);
    let mut machine = start();
    assert_eq!(machine.run(Edition::Newest, "TT_MOVA2D(0, 0, 0, (0) << 1, 8)"), Answer::Done);
    assert_eq!((machine.dst_word(8), machine.dst_word(16), machine.dst_word(24)), (0b111 << 5 | 1, 0, 0));
    let mut machine = start();
    assert_eq!(machine.run(Edition::Spec, "TT_MOVA2D(0, 0, 0, (0) << 1, 8)"), Answer::Done);
    assert_eq!((machine.dst_word(8), machine.dst_word(16), machine.dst_word(24)), (0, 0b111 << 5 | 1, 0b111 << 13));
}

#[test]
fn accumulation_modes_select_the_eight_bit_exponent_in_newest_only() {
    for field in [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled] {
        for (edition, word) in [(Edition::Spec, 0x21), (Edition::Newest, 0x81)] {
            let mut machine = Machine::new().format(format::FP16).config(field, 1).srca(0, 1 << 8 | 0x81);
            assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)"), Answer::Done);
            assert_eq!(machine.dst_word(0), word);
        }
    }
}

#[test]
fn eight_rows_are_aligned_after_the_sum_has_wrapped() {
    for edition in Edition::ALL {
        let mut machine = Machine::new()
            .format(format::BF16)
            .config(config::DEST_REGW_BASE_Base, 0x401)
            .thread_config(config::DEST_TARGET_REG_CFG_MATH_Offset, 0xc02);
        machine.small().rwcs[0].dst = 1020;
        machine.small().rwcs[0].srca = 62;
        for row in 0..8 {
            machine = machine.srca(8 + row, 0x10 + row as u32);
        }
        // Dst: 5 + 0xc02 + 1020 + 0x401 = 0x1404, of which 0 is left; SrcA: 12 + 62 = 74, of which 8 is left.
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 12, 0, (1) << 1, 5)"), Answer::Done);
        for row in 0..8 {
            assert_eq!(machine.dst_word(row), 0x10 + row as u32);
        }
        assert_eq!((machine.dst_word(8), machine.dst_word(1023)), (0, 0));
    }
}

#[test]
fn blocked_columns_keep_their_words_and_all_blocked_touches_nothing() {
    for edition in Edition::ALL {
        let mut machine = Machine::new().format(format::BF16).srca(0, 0x7f).dst(0, 0x1111);
        machine.small().lane_config[3] = 0b10 << 9;
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)"), Answer::Done);
        for column in 0..16 {
            assert_eq!(machine.0.word(bank::DST, 0, column), if column == 7 { 0x1111 } else { 0x7f });
        }

        let mut machine = Machine::new().format(format::BF16).srca(0, 0x7f).invalid(0);
        machine.small().lane_config = [3 << 9; 8];
        let mut machine = machine.thread_config(config::SrcAIncr, 1);
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)"), Answer::Done);
        assert_eq!((machine.dst_word(0), machine.valid(0), machine.small().rwcs[0].srca), (0, 0, 1));
        assert!(machine.0.tracker.log.read.is_empty() && machine.0.tracker.log.written.is_empty());
    }
}

#[test]
fn a_bank_of_the_unpackers_holds_the_instruction() {
    for edition in Edition::ALL {
        let mut machine = Machine::new().srca(0, 0x7f).thread_config(config::SrcAIncr, 1);
        machine.small().srca_allowed_client[0] = UNPACKERS;
        let before = (machine.0.arena.to_vec(), machine.0.small.to_vec());
        assert_eq!(machine.run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)"), Answer::Blocked);
        assert_eq!((machine.0.arena.to_vec(), machine.0.small.to_vec()), before);
    }
}

#[test]
fn addr_mod_takes_the_section_and_the_priorities_of_the_page() {
    let section = |field: ThreadConfigField| field.section(6, 1);
    let mut machine = Machine::new()
        .thread_config(config::ADDR_MOD_SET_Base, 1)
        .thread_config(config::SrcAIncr.section(6, config::ADDR_MOD_AB_STRIDE), 5)
        .thread_config(config::SrcACR.section(6, config::ADDR_MOD_AB_STRIDE), 1)
        .thread_config(config::SrcBIncr.section(6, config::ADDR_MOD_AB_STRIDE), 7)
        .thread_config(section(config::DestIncr), 1000)
        .thread_config(section(config::DestCR), 1)
        .thread_config(section(config::DestCToCR), 1)
        .thread_config(section(config::FidelityIncr), 3)
        .thread_config(section(config::BiasIncr), 6);
    let rwc = &mut machine.small().rwcs[0];
    (rwc.dst, rwc.dst_cr, rwc.srca, rwc.srca_cr, rwc.srcb) = (100, 7, 9, 62, 60);
    (rwc.fidelity_phase, rwc.extra_addr_mod_bit) = (2, 1);
    assert_eq!(machine.run(Edition::Newest, "TT_MOVA2D(0, 0, 2, (0) << 1, 0)"), Answer::Done);
    let rwc = machine.small().rwcs[0];
    // SrcA: CR, 62 + 5 wraps to 3; SrcB: plain, 60 + 7 wraps to 3; Dst: CToCR beats CR, 1100 wraps to 76.
    assert_eq!((rwc.srca, rwc.srca_cr, rwc.srcb, rwc.srcb_cr), (3, 3, 3, 0));
    assert_eq!((rwc.dst, rwc.dst_cr, rwc.fidelity_phase, rwc.extra_addr_mod_bit), (76, 76, 1, 0));
}

#[test]
fn without_a_fault_every_difference_is_in_the_log() {
    let mut state = WORMHOLE.base_state();
    for edition in Edition::ALL {
        for index in 0..2_000 {
            let case = cases::tensix::case(edition, index);
            let answer = case.run(&mut TensixPlain::new(None), &mut state);
            assert!(cases::differences_are_marked(&case.before, &state));
            assert!(answer == Answer::Done || cases::same(&case.before, &state));
        }
    }
}
