//! The plain `SFPLOAD` and `SFPSTORE` give what the pages give, by hand.

use rstest::rstest;
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
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

// ------------------------------------------------------------------------------------------------ what a store gives

#[rstest]
#[case::int32_is_not_flushed(mod0::INT32, 0x807f_ffff, (0xff00, 0xffff))]
#[case::int32_all_is_not_flushed(mod0::INT32_ALL, 0x807f_ffff, (0xff00, 0xffff))]
#[case::int8(mod0::INT8, 0x8000_ffff, (0xfff0, 0xaaaa))]
#[case::int8_of_zero_has_the_exponent(mod0::INT8, 0, (16, 0xaaaa))]
fn integers_are_not_flushed_and_keep_ten_bits_as_int8(
    #[case] mode: u32,
    #[case] datum: u32,
    #[case] words: (u32, u32),
) {
    for chip in [Wormhole, Blackhole] {
        assert_eq!(Machine::new(chip).stored(mode, datum), words, "{chip:?}");
    }
}

// ------------------------------------------------------------------------------------------------ lanes and places

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
fn blackhole_has_an_addr_mod_of_three_bits() {
    let mut machine = Machine::new(Blackhole);
    let dst = config::DestIncr.of_section(Blackhole.addr_mod_sections().dst, 7);
    machine.thread_config(dst, 2);
    machine.run(0x7200_0000 | mod0::ZERO << 16 | 7 << 13);
    assert_eq!(machine.rwc().dst, 2);
}
