//! The plain `SFPLOAD` and `SFPSTORE` give what the pages give, by hand.

use rstest::rstest;
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::sfpload::{SFPLOAD, SFPLOAD_BH, mod0};
use tandem_isa::tensix::inst::sfpstore::{SFPSTORE, SFPSTORE_BH};
use tandem_isa::tensix::{BLACKHOLE, Chip, Rwc, Small, Tensix, WORMHOLE, bank};
use tandem_isa::{Edition, Expectation, Reference, State, Step};
use tandem_reference::tensix::TensixReference;

use Chip::{Blackhole, Wormhole};

/// A base state that a test changes and runs on.
struct Machine {
    chip: Chip,
    state: State,
}

impl Machine {
    fn new(chip: Chip) -> Self {
        let isa = if chip == Wormhole { &WORMHOLE } else { &BLACKHOLE };
        Machine { chip, state: isa.base_state() }
    }

    fn small(&mut self) -> &mut Small {
        Tensix::new(&mut self.state).small
    }

    fn config(&mut self, field: ConfigField, value: u32) {
        field.set(&mut self.small().config[0], value);
    }

    fn thread_config(&mut self, field: ThreadConfigField, value: u32) {
        field.set(&mut self.small().thread_config[0], value);
    }

    /// Gives every lane this configuration.
    fn lanes(&mut self, config: u32) {
        self.small().lane_config = [config; 8];
    }

    fn rwc(&mut self) -> &mut Rwc {
        &mut self.small().rwcs[0]
    }

    fn set_dst(&mut self, row: usize, column: usize, word: u32) {
        self.state.set_word(bank::DST, row, column, word);
    }

    fn dst(&self, row: usize, column: usize) -> u32 {
        self.state.word(bank::DST, row, column)
    }

    fn set_lreg(&mut self, register: usize, lane: usize, word: u32) {
        self.state.set_word(bank::LREG, register, lane, word);
    }

    fn lreg(&self, register: usize, lane: usize) -> u32 {
        self.state.word(bank::LREG, register, lane)
    }

    fn load(&mut self, vd: u32, mode: u32, imm10: u32) {
        self.run(0x7000_0000 | vd << 20 | mode << 16 | imm10);
    }

    fn store(&mut self, vd: u32, mode: u32, imm10: u32) {
        self.run(0x7200_0000 | vd << 20 | mode << 16 | imm10);
    }

    fn run(&mut self, code: u32) {
        let loads = code >> 24 == 0x70;
        let instruction = match self.chip {
            Wormhole if loads => SFPLOAD,
            Wormhole => SFPSTORE,
            Blackhole if loads => SFPLOAD_BH,
            Blackhole => SFPSTORE_BH,
        };
        let step = Step { instruction, edition: Edition::Newest, code: &[code] };
        assert!(matches!(TensixReference.execute(&step, &mut self.state), Expectation::Done));
    }

    /// Lane 0 of a register that holds `before`, after a load of one datum of `Dst16b`.
    fn loaded_16(&mut self, mode: u32, word: u32, before: u32) -> u32 {
        self.set_dst(0, 0, word);
        self.set_lreg(2, 0, before);
        self.load(2, mode, 0);
        self.lreg(2, 0)
    }

    /// Lane 0 of a register after a load of one datum of `Dst32b`.
    fn loaded_32(&mut self, mode: u32, word: u32) -> u32 {
        self.set_dst(0, 0, word >> 16);
        self.set_dst(8, 0, word & 0xffff);
        self.load(2, mode, 0);
        self.lreg(2, 0)
    }

    /// The words of `Dst16b[0][0]` and `Dst16b[8][0]`, which were `0xaaaa`, after a store.
    fn stored(&mut self, mode: u32, datum: u32) -> (u32, u32) {
        self.set_dst(0, 0, 0xaaaa);
        self.set_dst(8, 0, 0xaaaa);
        self.set_lreg(2, 0, datum);
        self.store(2, mode, 0);
        (self.dst(0, 0), self.dst(8, 0))
    }
}

// ------------------------------------------------------------------------------------------------ what a load gives

#[rstest]
#[case::one(mod0::FP16, 15, 0, 0x3f80_0000)]
#[case::minus_one(mod0::FP16, 0x800f, 0, 0xbf80_0000)]
#[case::largest(mod0::FP16, 0x7fff, 0, 0x47ff_e000)]
#[case::denormals_keep_an_exponent_of_zero(mod0::FP16, 0x0020, 0, 0x0000_2000)]
#[case::bf16(mod0::BF16, 0x4080, 0x5555_5555, 0x4040_0000)]
#[case::bf16_denormal(mod0::BF16, 0x8100, 0, 0x8001_0000)]
#[case::int16(mod0::INT16, 0x8001, 0, 0x8000_0001)]
#[case::uint16(mod0::UINT16, 0xffff, 0x5555_5555, 0xffff)]
#[case::lo16(mod0::LO16, 0xffff, 0x5555_5555, 0xffff)]
#[case::hi16(mod0::HI16, 0xffff, 0x5555_5555, 0xffff_0000)]
#[case::lo16_only(mod0::LO16_ONLY, 0xffff, 0x5555_5555, 0x5555_ffff)]
#[case::hi16_only(mod0::HI16_ONLY, 0xffff, 0x5555_5555, 0xffff_5555)]
#[case::zero(mod0::ZERO, 0xffff, 0x5555_5555, 0)]
fn loads_convert_16_bits(#[case] mode: u32, #[case] word: u32, #[case] before: u32, #[case] after: u32) {
    for chip in [Wormhole, Blackhole] {
        assert_eq!(Machine::new(chip).loaded_16(mode, word, before), after, "{chip:?}");
    }
}

#[rstest]
#[case::int8_has_seven_bits(Wormhole, mod0::INT8, 0xffff, 0x8000_007f)]
#[case::int8_has_eight_bits(Blackhole, mod0::INT8, 0xffff, 0x8000_00ff)]
#[case::int8_comp_becomes_twos_complement(Wormhole, mod0::INT8_COMP, 0xffff, (-1023_i32) as u32)]
#[case::int8_comp_stays(Blackhole, mod0::INT8_COMP, 0xffff, 0x8000_03ff)]
#[case::negative_zero_becomes_zero(Wormhole, mod0::INT8_COMP, 0x8010, 0)]
#[case::negative_zero_stays(Blackhole, mod0::INT8_COMP, 0x8010, 0x8000_0000)]
fn loads_convert_integers_by_chip(#[case] chip: Chip, #[case] mode: u32, #[case] word: u32, #[case] after: u32) {
    assert_eq!(Machine::new(chip).loaded_16(mode, word, 0), after);
}

#[rstest]
#[case::fp32(mod0::FP32, 0xffff_1234, 0xffff_1234)]
#[case::exponent_and_mantissa_change_places(mod0::FP32, 0x01fe_0001, 0x7f01_0001)]
#[case::int32(mod0::INT32, 0x8000_0001, 0x8000_0001)]
#[case::int32_all(mod0::INT32_ALL, 0x0001_0000, 0x0080_0000)]
fn loads_unshuffle_32_bits(#[case] mode: u32, #[case] word: u32, #[case] after: u32) {
    for chip in [Wormhole, Blackhole] {
        assert_eq!(Machine::new(chip).loaded_32(mode, word), after, "{chip:?}");
    }
}

#[test]
fn int32_sm_converts_on_wormhole_only() {
    assert_eq!(Machine::new(Wormhole).loaded_32(mod0::INT32_SM, 0x8000_0003), (-3_i32) as u32);
    assert_eq!(Machine::new(Blackhole).loaded_32(mod0::INT32_SM, 0x8000_0003), 0x8000_0003);
    assert_eq!(Machine::new(Wormhole).loaded_32(mod0::INT32_SM, 0x8000_0000), 0);
}

#[test]
fn the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so() {
    let mut machine = Machine::new(Wormhole);
    let plain: Vec<u32> = (0..=0xffff).map(|word| machine.loaded_16(mod0::FP16, word, 0)).collect();
    machine.lanes(1);
    let differ: Vec<u32> =
        (0..=0xffff).filter(|&word| machine.loaded_16(mod0::FP16, word, 0) != plain[word as usize]).collect();
    assert_eq!(differ, [0x7fff, 0xffff]);
    assert_eq!(machine.loaded_16(mod0::FP16, 0xffff, 0), 0xff80_0000);
}

// ------------------------------------------------------------------------------------------------ there and back

#[rstest]
#[case::int16(mod0::INT16)]
#[case::uint16(mod0::UINT16)]
#[case::lo16_only(mod0::LO16_ONLY)]
#[case::hi16_only(mod0::HI16_ONLY)]
fn opaque_modes_bring_all_65536_words_back(#[case] mode: u32) {
    let mut machine = Machine::new(Wormhole);
    for word in 0..=0xffff {
        machine.set_dst(0, 0, word);
        machine.load(1, mode, 0);
        machine.set_dst(0, 0, !word & 0xffff);
        machine.store(1, mode, 0);
        assert_eq!(machine.dst(0, 0), word);
    }
}

#[rstest]
#[case::bf16(mod0::BF16, 0x00ff)]
#[case::fp16(mod0::FP16, 0x001f)]
fn floats_bring_all_words_back_but_flush_denormals(#[case] mode: u32, #[case] exponent: u32) {
    let mut machine = Machine::new(Blackhole);
    for word in 0..=0xffff {
        machine.set_dst(0, 0, word);
        machine.load(1, mode, 0);
        machine.store(1, mode, 0);
        let expected = if word & exponent == 0 { word & 0x8000 } else { word };
        assert_eq!(machine.dst(0, 0), expected, "{word:#x}");
    }
}

// ------------------------------------------------------------------------------------------------ what a store gives

#[rstest]
#[case::one(0x3f80_0000, 15)]
#[case::truncated(0x3f80_3fff, 0x002f)]
#[case::minus_largest(0xc7ff_ffff, 0xffff)]
#[case::overflow(0x4800_0000, 0x7fff)]
#[case::minus_infinity(0xff80_0000, 0xffff)]
#[case::nan(0x7fc0_0001, 0x7fff)]
#[case::lowest(0x3880_0000, 1)]
#[case::underflow(0xb87f_ffff, 0x8000)]
#[case::denormal(0x8000_0001, 0x8000)]
fn stores_of_fp16_saturate_truncate_and_flush(#[case] datum: u32, #[case] word: u32) {
    for chip in [Wormhole, Blackhole] {
        assert_eq!(Machine::new(chip).stored(mod0::FP16, datum), (word, 0xaaaa), "{chip:?}");
    }
}

#[rstest]
#[case::bf16(mod0::BF16, 0x4049_ffff, (0x4980, 0xaaaa))]
#[case::bf16_denormal(mod0::BF16, 0x807f_ffff, (0x8000, 0xaaaa))]
#[case::bf16_nan_may_become_infinity(mod0::BF16, 0x7f80_ffff, (0x00ff, 0xaaaa))]
#[case::fp32(mod0::FP32, 0x4049_ffff, (0x4980, 0xffff))]
#[case::fp32_denormal(mod0::FP32, 0x807f_ffff, (0x8000, 0))]
#[case::int32_is_not_flushed(mod0::INT32, 0x807f_ffff, (0xff00, 0xffff))]
#[case::int32_all_is_not_flushed(mod0::INT32_ALL, 0x807f_ffff, (0xff00, 0xffff))]
#[case::int8(mod0::INT8, 0x8000_ffff, (0xfff0, 0xaaaa))]
#[case::int8_of_zero_has_the_exponent(mod0::INT8, 0, (16, 0xaaaa))]
#[case::int16(mod0::INT16, 0x8001_8001, (0x8001, 0xaaaa))]
#[case::uint16(mod0::UINT16, 0x1234_5678, (0x5678, 0xaaaa))]
#[case::lo16_only(mod0::LO16_ONLY, 0x1234_5678, (0x5678, 0xaaaa))]
#[case::hi16_only(mod0::HI16_ONLY, 0x1234_5678, (0x1234, 0xaaaa))]
#[case::lo16_rotates(mod0::LO16, 0x1234_5678, (0x5678, 0x1234))]
#[case::hi16(mod0::HI16, 0x1234_5678, (0x1234, 0x5678))]
#[case::zero_is_narrow(mod0::ZERO, 0x1234_5678, (0, 0xaaaa))]
fn stores_convert(#[case] mode: u32, #[case] datum: u32, #[case] words: (u32, u32)) {
    for chip in [Wormhole, Blackhole] {
        assert_eq!(Machine::new(chip).stored(mode, datum), words, "{chip:?}");
    }
}

#[rstest]
#[case::sm_converts(Wormhole, mod0::INT32_SM, (-3_i32) as u32, (0x8000, 3))]
#[case::sm_stays(Blackhole, mod0::INT32_SM, (-3_i32) as u32, (0xffff, 0xfffd))]
#[case::comp_converts(Wormhole, mod0::INT8_COMP, (-3_i32) as u32, (0x8000 | 3 << 5 | 16, 0xaaaa))]
#[case::comp_stays(Blackhole, mod0::INT8_COMP, 0x8000_0003, (0x8000 | 3 << 5 | 16, 0xaaaa))]
#[case::comp_is_no_magnitude(Blackhole, mod0::INT8_COMP, (-3_i32) as u32, (0x8000 | 0x3fd << 5 | 16, 0xaaaa))]
fn stores_convert_integers_by_chip(
    #[case] chip: Chip,
    #[case] mode: u32,
    #[case] datum: u32,
    #[case] words: (u32, u32),
) {
    assert_eq!(Machine::new(chip).stored(mode, datum), words);
}

// ------------------------------------------------------------------------------------------------ lanes and places

#[test]
fn lanes_are_four_rows_of_eight_even_or_odd_columns() {
    for (imm10, exchange, odd) in [(20, 0, 0), (21, 0, 0), (22, 0, 1), (20, 1 << 6, 1), (22, 1 << 6, 1)] {
        let mut machine = Machine::new(Wormhole);
        machine.lanes(exchange);
        for row in 0..4 {
            for column in 0..16 {
                machine.set_dst(20 + row, column, (row * 16 + column) as u32);
            }
        }
        machine.load(7, mod0::UINT16, imm10);
        for lane in 0..32 {
            assert_eq!(machine.lreg(7, lane), (lane / 8 * 16 + (lane & 7) * 2 + odd) as u32);
        }
    }
}

#[test]
fn each_direction_has_a_bit_for_exchange_and_a_bit_for_blocking() {
    let mut machine = Machine::new(Wormhole);
    machine.lanes(1 << 6 | 1 << 5);
    machine.set_lreg(0, 0, 7);
    machine.store(0, mod0::UINT16, 0);
    assert_eq!((machine.dst(0, 0), machine.dst(0, 1)), (7, 0));
    machine.lanes(1 << 7 | 1 << 4);
    machine.load(1, mod0::UINT16, 0);
    assert_eq!(machine.lreg(1, 0), 7);
    machine.store(1, mod0::UINT16, 4);
    assert_eq!((machine.dst(4, 0), machine.dst(4, 1)), (0, 0));
}

#[test]
fn int32_all_moves_lanes_that_are_not_enabled_unless_they_are_blocked() {
    for chip in [Wormhole, Blackhole] {
        let mut machine = Machine::new(chip);
        (0..16).for_each(|column| machine.set_dst(8, column, 5));
        machine.small().use_lane_flags_for_lane_enable = u32::MAX;
        machine.small().lane_flags = 1 << 1;
        machine.small().lane_config[2] = 1 << 5;
        machine.small().lane_config[1] = 1 << 12;
        machine.load(0, mod0::INT32, 0);
        assert!((0..8).all(|lane| machine.lreg(0, lane) == 0));
        machine.load(0, mod0::INT32_ALL, 0);
        assert!((0..8).all(|lane| machine.lreg(0, lane) == if lane == 2 { 0 } else { 5 }));
    }
}

#[test]
fn the_index_is_captured_four_registers_on_with_row_and_column() {
    let mut machine = Machine::new(Wormhole);
    machine.lanes(1 << 2 | 1 << 3 | 1 << 6);
    machine.load(3, mod0::UINT16, 1020);
    assert_eq!(machine.lreg(7, 31), 1023 << 4 | 15);
    let constant = machine.lreg(8, 0);
    machine.load(4, mod0::UINT16, 0);
    assert_eq!(machine.lreg(8, 0), constant);
    machine.lanes(1 << 2);
    machine.load(3, mod0::UINT16, 0);
    assert_eq!(machine.lreg(7, 0), 1020 << 4 | 1);
}

#[test]
fn registers_from_8_on_are_stored_but_not_loaded() {
    let mut machine = Machine::new(Wormhole);
    machine.lanes(2);
    machine.set_lreg(15, 0, 9);
    machine.store(15, mod0::UINT16, 0);
    assert_eq!(machine.dst(0, 0), 9);
    machine.thread_config(config::DestIncr, 4);
    let constant = machine.lreg(8, 0);
    machine.load(8, mod0::UINT16, 0);
    assert_eq!((machine.lreg(8, 0), machine.rwc().dst), (constant, 4));
}

// ------------------------------------------------------------------------------------------------ addresses and counters

#[test]
fn addresses_wrap_at_1024_and_int32_all_takes_two_bits_of_the_counter() {
    let mut machine = Machine::new(Wormhole);
    machine.thread_config(config::DEST_TARGET_REG_CFG_MATH_Offset, 1000);
    machine.config(config::DEST_REGW_BASE_Base, 0xffff);
    machine.rwc().dst = 7;
    machine.set_dst(8, 1, 3);
    // 28 + 1000 + 7 + 65535 = 10 modulo 1024: rows 8 to 11, odd columns.
    machine.load(0, mod0::UINT16, 28);
    assert_eq!(machine.lreg(0, 0), 3);
    // 26 + 1000 + ((7 + 65535) & 3) = 8 modulo 1024 with a sum of 2: Dst32b[8] is DstBits[16] and [24].
    machine.set_dst(24, 0, 6);
    machine.load(0, mod0::INT32_ALL, 30);
    assert_eq!(machine.lreg(0, 0), 6);
}

#[test]
fn blackhole_pops_before_a_load_and_pushes_after_a_store() {
    let mut machine = Machine::new(Blackhole);
    machine.thread_config(blackhole::SFPU_STACK_Incr, 4);
    machine.config(blackhole::DEST_SP_BASE_Base, 16);
    machine.rwc().dst = 1 << 3;
    machine.set_lreg(0, 0, 11);
    machine.store(0, mod0::INT32_ALL, 0);
    assert_eq!((machine.dst(40, 0), machine.small().sp[0]), (11, 4));
    machine.load(1, mod0::INT32_ALL, 0);
    assert_eq!((machine.lreg(1, 0), machine.small().sp[0]), (11, 0));
    // An empty stack is not popped.
    machine.load(1, mod0::INT32_ALL, 0);
    assert_eq!((machine.lreg(1, 0), machine.small().sp[0]), (11, 0));
    // Other modes take two bits of it, and leave it alone.
    machine.small().sp[0] = 6;
    machine.set_dst(8, 1, 12);
    machine.load(1, mod0::UINT16, 0);
    assert_eq!((machine.lreg(1, 0), machine.small().sp[0]), (12, 6));
}

#[test]
fn blackhole_remaps_and_swizzles_rows() {
    let mut machine = Machine::new(Blackhole);
    machine.small().dest_access_cfg = 2;
    machine.set_lreg(0, 0, 1);
    machine.store(0, mod0::UINT16, 8);
    assert_eq!(machine.dst(32, 0), 1);
    machine.small().dest_access_cfg = 1;
    machine.store(0, mod0::INT32, 4);
    // 4 becomes 8, which is row 16 of DstBits; its low half is row 24.
    assert_eq!(machine.dst(24, 0), 1);
}

#[test]
fn a_store_leaves_the_marks_of_rows_alone() {
    let mut machine = Machine::new(Wormhole);
    machine.state.set_word(bank::DST_ROW_VALID, 8, 0, 0);
    machine.store(0, mod0::INT32, 0);
    let marks: Vec<u32> = (0..16).map(|row| machine.state.word(bank::DST_ROW_VALID, row, 0)).collect();
    assert_eq!(marks, [1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
    // The mark of the high half counts for both.
    assert_eq!(machine.loaded_32(mod0::INT32, 0x0000_0005), 5);
}

#[test]
fn the_partial_addr_mod_leaves_the_fidelity_phase_alone() {
    let mut machine = Machine::new(Wormhole);
    machine.thread_config(config::ADDR_MOD_SET_Base, 1);
    machine.thread_config(config::FidelityIncr.section(4, 1), 1);
    machine.thread_config(config::DestIncr.section(4, 1), 2);
    machine.thread_config(config::BiasIncr.section(4, 1), 1);
    machine.load(0, mod0::ZERO, 0);
    let expected = Rwc { dst: 2, extra_addr_mod_bit: 1, ..Rwc::default() };
    assert_eq!(*machine.rwc(), expected);
}

#[test]
fn blackhole_has_an_addr_mod_of_three_bits() {
    let mut machine = Machine::new(Blackhole);
    let dst = config::DestIncr.of_section(Blackhole.addr_mod_sections().dst, 7);
    machine.thread_config(dst, 2);
    machine.run(0x7200_0000 | mod0::ZERO << 16 | 7 << 13);
    assert_eq!(machine.rwc().dst, 2);
}

#[test]
fn eight_of_sixteen_formats_stand_for_bf16() {
    for chip in [Wormhole, Blackhole] {
        let mut machine = Machine::new(chip);
        let bf16: Vec<u32> = (0..16)
            .filter(|&code| {
                machine.config(config::ALU_FORMAT_SPEC_REG1_SrcB, code);
                machine.loaded_16(mod0::SRCB, 0x4080, 0) == 0x4040_0000
            })
            .collect();
        assert_eq!(bf16, [0, 4, 5, 6, 7, 8, 9, 15]);
        machine.config(config::ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
        assert_eq!(machine.loaded_32(mod0::SRCB, 0x4080_0001), 0x4040_0001);
    }
}

#[test]
fn blackhole_replaces_the_format_but_not_fp32() {
    let mut machine = Machine::new(Blackhole);
    machine.config(config::ALU_FORMAT_SPEC_REG1_SrcB, 1);
    machine.thread_config(blackhole::SFPU_DEST_FMT_Base, 5);
    assert_ne!(machine.loaded_16(mod0::SRCB, 0x4080, 0), 0x4040_0000);
    machine.thread_config(blackhole::SFPU_DEST_FMT_Enable, 1);
    assert_eq!(machine.loaded_16(mod0::SRCB, 0x4080, 0), 0x4040_0000);
    machine.config(config::ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
    assert_eq!(machine.loaded_32(mod0::SRCB, 0x4080_0001), 0x4040_0001);
}
