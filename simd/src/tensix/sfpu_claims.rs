//! Claims about whole `SFPLOAD` and `SFPSTORE` instructions, each run at every level, with values worked out by hand.

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::{Chip, Small, Tensix, bank, config};
use tandem_isa::{Answer, Edition, State, Step, Target};

use super::TensixSimd;
use super::sfpu::bit;
use super::sfpu_kit::{CHIPS, Which, instruction, isa};
use crate::Level;

fn state_with(chip: Chip, set: impl FnOnce(&mut Small)) -> State {
    let mut state = isa(chip).base_state();
    set(Tensix::new(&mut state).small);
    state
}

fn run(chip: Chip, which: Which, text: &str, state: &mut State) {
    let instruction = instruction(chip, which);
    let code = (instruction.parse)(text).expect("the text is one of ours");
    let step = Step { instruction, edition: Edition::Newest, code: &code };
    let mut results = Level::detect_all().into_iter().map(|level| {
        let mut after = isa(chip).base_state();
        after.copy_from(state);
        assert_eq!(TensixSimd::new(level).execute(&step, &mut after), Answer::Done);
        after
    });
    let first = results.next().expect("there is a level");
    results.for_each(|other| assert!(other.arena[..] == first.arena[..] && other.small[..] == first.small[..]));
    state.copy_from(&first);
}

#[test]
fn a_lane_takes_its_row_and_the_even_column_of_its_pair() {
    for chip in CHIPS {
        let mut state = state_with(chip, |small| small.rwcs[0].dst = 64);
        for (row, column) in (64..72).flat_map(|row| (0..16).map(move |column| (row, column))) {
            state.set_word(bank::DST, row, column, (row * 16 + column) as u32);
        }
        run(chip, Which::Load, "TT_SFPLOAD(3, 6, 0, 7)", &mut state);
        // Address 71: rows 68 to 71, odd columns.
        for lane in 0..32 {
            assert_eq!(state.word(bank::LREG, 3, lane), ((68 + lane / 8) * 16 + lane % 8 * 2 + 1) as u32);
        }
    }
}

#[test]
fn data_are_loaded_as_the_tables_of_the_pages_say() {
    // Mode; the words of Dst in row 0 and row 8; Wormhole's datum, Blackhole's. The LReg holds 0x1234_5678.
    let table: [(u32, [u32; 2], [u32; 2]); 16] = [
        // One and a half, and minus a denormal.
        (1, [0x400f, 0], [0x3fc0_0000; 2]),
        (1, [0x8020, 0], [0x8000_2000; 2]),
        (1, [0x7fff, 0], [0x47ff_e000; 2]),
        (2, [0xc07f, 0], [0xbfc0_0000; 2]),
        (2, [0x0100, 0], [0x0001_0000; 2]),
        (3, [0xc07f, 0xabcd], [0xbfc0_abcd; 2]),
        (4, [0x0080, 0x0001], [0x4000_0001; 2]),
        (5, [0x9ff0, 0], [0x8000_007f, 0x8000_00ff]),
        (6, [0xfedc, 0], [0x0000_fedc; 2]),
        (7, [0xfedc, 0], [0xfedc_0000; 2]),
        (8, [0xfedc, 0], [0x8000_7edc; 2]),
        (11, [0xfedc, 0], [0; 2]),
        (12, [0x8000, 0x0005], [0xffff_fffb, 0x8000_0005]),
        (13, [0x8000, 0], [0, 0x8000_0000]),
        (14, [0xfedc, 0], [0x1234_fedc; 2]),
        (15, [0xfedc, 0], [0xfedc_5678; 2]),
    ];
    for (mode, [high, low], expected) in table {
        for (chip, expected) in CHIPS.into_iter().zip(expected) {
            let mut state = state_with(chip, |_| {});
            state.set_word(bank::DST, 0, 6, high);
            state.set_word(bank::DST, 8, 6, low);
            state.set_word(bank::LREG, 7, 3, 0x1234_5678);
            run(chip, Which::Load, &format!("TT_SFPLOAD(7, {mode}, 0, 0)"), &mut state);
            assert_eq!(state.word(bank::LREG, 7, 3), expected, "{chip:?} mode {mode} {high:#x} {low:#x}");
        }
    }
}

#[test]
fn data_are_stored_as_the_tables_of_the_pages_say() {
    // Mode; the datum; what Wormhole and Blackhole write to row 0 and row 8. Both hold 0xdead.
    const NO: u32 = 0xdead;
    let table: [(u32, u32, [[u32; 2]; 2]); 22] = [
        (1, 0x3fc0_0000, [[0x400f, NO]; 2]),
        // The smallest FP16, and what is below it; the largest; what is above it; a NaN.
        (1, 0xb880_0000, [[0x8001, NO]; 2]),
        (1, 0xb87f_ffff, [[0x8000, NO]; 2]),
        (1, 0x47ff_ffff, [[0x7fff, NO]; 2]),
        (1, 0xc800_0000, [[0xffff, NO]; 2]),
        (1, 0x7fc0_0000, [[0x7fff, NO]; 2]),
        (2, 0xbfc0_ffff, [[0xc07f, NO]; 2]),
        (2, 0x807f_ffff, [[0x8000, NO]; 2]),
        (3, 0xbfc0_abcd, [[0xc07f, 0xabcd]; 2]),
        (3, 0x007f_ffff, [[0, 0]; 2]),
        (4, 0x007f_ffff, [[0x7f00, 0xffff]; 2]),
        (5, 0x8000_0001, [[0x8030, NO]; 2]),
        (6, 0x8765_4321, [[0x4321, NO]; 2]),
        (7, 0x8765_4321, [[0x8765, 0x4321]; 2]),
        (8, 0x8765_4321, [[0xc321, NO]; 2]),
        (9, 0x8765_4321, [[0x4321, 0x8765]; 2]),
        (10, 0x8000_0001, [[0x8000, 0x0001]; 2]),
        (11, 0x8765_4321, [[0, NO]; 2]),
        (12, 0x8000_0000, [[0x8000, 0]; 2]),
        (13, 0xffff_ffff, [[0x8030, NO], [0xfff0, NO]]),
        (14, 0x8765_4321, [[0x4321, NO]; 2]),
        (15, 0x8765_4321, [[0x8765, NO]; 2]),
    ];
    for (mode, datum, expected) in table {
        for (chip, expected) in CHIPS.into_iter().zip(expected) {
            let mut state = state_with(chip, |_| {});
            for (row, column) in [0, 8].into_iter().flat_map(|row| [6, 7].map(|column| (row, column))) {
                state.set_word(bank::DST, row, column, NO);
            }
            state.set_word(bank::LREG, 7, 3, datum);
            run(chip, Which::Store, &format!("TT_SFPSTORE(7, {mode}, 0, 0)"), &mut state);
            let got = [0, 8].map(|row| state.word(bank::DST, row, 6));
            assert_eq!(got, expected, "{chip:?} mode {mode} {datum:#x}");
            assert_eq!(state.word(bank::DST, 0, 7), NO);
        }
    }
}

#[test]
fn a_lane_that_is_masked_or_blocked_keeps_what_is_there() {
    for chip in CHIPS {
        let set = |small: &mut Small| {
            // Lane 8 by ROW_MASK, lane 1 by its flag, the lanes of column 2 by their configuration; lane 3 has its flag.
            small.lane_config[0] = 2 << bit::ROW_MASK;
            small.lane_config[2] = 1 << bit::BLOCK_SFPU_RD_FROM_DEST | 1 << bit::BLOCK_DEST_WR_FROM_SFPU;
            small.use_lane_flags_for_lane_enable = 0b1010;
            small.lane_flags = 0b1000;
        };
        let all = 16;
        for (mode, lanes) in [(4, &[1, 2, 8, 10][..]), (10, &[2, 10][..])] {
            let (mut loaded, mut stored) = (state_with(chip, set), state_with(chip, set));
            for lane in 0..32 {
                loaded.set_word(bank::LREG, 5, lane, 0xbeef);
                stored.set_word(bank::LREG, 5, lane, 0xbeef);
            }
            run(chip, Which::Load, &format!("TT_SFPLOAD(5, {mode}, 0, 0)"), &mut loaded);
            run(chip, Which::Store, &format!("TT_SFPSTORE(5, {mode}, 0, 0)"), &mut stored);
            let kept = |lane: &usize| loaded.word(bank::LREG, 5, *lane) == 0xbeef;
            let empty = |lane: &usize| stored.word(bank::DST, 8 + lane / 8, lane % 8 * 2) == 0;
            assert_eq!((0..all).filter(kept).collect::<Vec<_>>(), lanes, "{chip:?} mode {mode}");
            assert_eq!((0..all).filter(empty).collect::<Vec<_>>(), lanes, "{chip:?} mode {mode}");
        }
    }
}

#[test]
fn blackhole_s_rows_are_remapped_and_swizzled() {
    // Row 12 is 36 remapped; the 32-bit view has it there at 68 and 76. Swizzled, row 4 is row 8, which lies at 16 and 24.
    for (access, mode, row, rows) in
        [(0, 6, 12, [12, 12]), (2, 6, 12, [36, 36]), (2, 4, 12, [68, 76]), (1, 4, 4, [16, 24])]
    {
        let mut state = state_with(Chip::Blackhole, |small| small.dest_access_cfg = access);
        state.set_word(bank::LREG, 0, 0, 0x1_0001);
        run(Chip::Blackhole, Which::Store, &format!("TT_SFPSTORE(0, {mode}, 0, {row})"), &mut state);
        let written: Vec<_> = (0..1024).filter(|&row| state.word(bank::DST, row, 0) != 0).collect();
        assert_eq!((written.first(), written.last()), (rows.first(), rows.last()), "{access} {mode}");
    }
}

#[test]
fn fp16_has_infinity_where_its_lane_says_so() {
    for chip in CHIPS {
        let mut state = state_with(chip, |small| small.lane_config[1] = 1);
        for column in [0, 2] {
            state.set_word(bank::DST, 0, column, 0xffff);
        }
        state.set_word(bank::DST, 0, 4, 0x0020);
        run(chip, Which::Load, "TT_SFPLOAD(0, 1, 0, 0)", &mut state);
        assert_eq!([0, 1, 2].map(|lane| state.word(bank::LREG, 0, lane)), [0xc7ff_e000, 0xff80_0000, 0x0000_2000]);
    }
}

#[test]
fn two_s_complement_is_wormhole_s_alone() {
    for (chip, comp, sm, int8) in [
        (Chip::Wormhole, (-1023_i32).cast_unsigned(), 0x8000_0001, 0x8000_007f),
        (Chip::Blackhole, 0x8000_03ff, 0xffff_ffff, 0x8000_00ff),
    ] {
        let mut state = state_with(chip, |_| {});
        state.set_word(bank::DST, 0, 0, 0xfff0);
        run(chip, Which::Load, "TT_SFPLOAD(0, 13, 0, 0)", &mut state);
        assert_eq!(state.word(bank::LREG, 0, 0), comp);
        run(chip, Which::Load, "TT_SFPLOAD(0, 5, 0, 0)", &mut state);
        assert_eq!(state.word(bank::LREG, 0, 0), int8);
        // What is stored by INT32_SM and loaded by INT32.
        state.set_word(bank::LREG, 1, 0, u32::MAX);
        run(chip, Which::Store, "TT_SFPSTORE(1, 12, 0, 0)", &mut state);
        run(chip, Which::Load, "TT_SFPLOAD(0, 4, 0, 0)", &mut state);
        assert_eq!(state.word(bank::LREG, 0, 0), sm);
    }
}

#[test]
fn an_index_is_captured_in_the_register_four_further() {
    for chip in CHIPS {
        let mut state = state_with(chip, |small| small.lane_config[5] = 0b1100);
        state.set_word(bank::LREG, 6, 4, 77);
        run(chip, Which::Load, "TT_SFPLOAD(2, 11, 0, 1022)", &mut state);
        assert_eq!([4, 5, 31].map(|lane| state.word(bank::LREG, 6, lane)), [77, 1020 * 16 + 11, 0]);
        assert_eq!(state.word(bank::LREG, 6, 29), 1023 * 16 + 11);
    }
}

#[test]
fn the_stack_pops_before_and_pushes_after_and_never_pops_when_empty() {
    let incr = |small: &mut Small, sp: u32| {
        blackhole::SFPU_STACK_Incr.set(&mut small.thread_config[0], 4);
        small.sp[0] = sp;
    };
    let sp = |state: &mut State| Tensix::new(state).small.sp[0];
    let mut state = state_with(Chip::Blackhole, |small| incr(small, 1022));
    state.set_word(bank::LREG, 1, 0, 0x1234);
    run(Chip::Blackhole, Which::Store, "TT_SFPSTORE(1, 10, 0, 0)", &mut state);
    // Row 1,020 of the 32-bit view is row 1,012 with its half in 1,020; odd columns, because 1,022 has bit 1.
    assert_eq!((sp(&mut state), state.word(bank::DST, 1020, 1)), (2, 0x1234));
    run(Chip::Blackhole, Which::Load, "TT_SFPLOAD(2, 10, 0, 0)", &mut state);
    assert_eq!((sp(&mut state), state.word(bank::LREG, 2, 0)), (1022, 0x1234));
    let mut state = state_with(Chip::Blackhole, |small| incr(small, 0));
    run(Chip::Blackhole, Which::Load, "TT_SFPLOAD(8, 10, 0, 0)", &mut state);
    assert_eq!(sp(&mut state), 0);
    // Another mode leaves it alone.
    let mut state = state_with(Chip::Blackhole, |small| incr(small, 8));
    run(Chip::Blackhole, Which::Load, "TT_SFPLOAD(0, 4, 0, 0)", &mut state);
    assert_eq!(sp(&mut state), 8);
}

#[test]
fn fidelity_stays_and_other_counters_advance() {
    for chip in CHIPS {
        let mut state = state_with(chip, |small| {
            small.rwcs[0].fidelity_phase = 3;
            small.rwcs[0].extra_addr_mod_bit = 0;
            let sections = chip.addr_mod_sections();
            let thread = &mut small.thread_config[0];
            config::DestIncr.of_section(sections.dst, 1).set(thread, 1023);
            config::FidelityClear.of_section(sections.dst, 1).set(thread, 1);
            config::SrcBIncr.of_section(sections.ab, 1).set(thread, 5);
            config::BiasIncr.of_section(sections.bias, 1).set(thread, 2);
        });
        run(chip, Which::Store, "TT_SFPSTORE(0, 0, 1, 0)", &mut state);
        let rwc = Tensix::new(&mut state).small.rwcs[0];
        assert_eq!((rwc.dst, rwc.srcb, rwc.fidelity_phase, rwc.extra_addr_mod_bit), (1023, 5, 3, 1));
    }
}

#[test]
fn registers_that_keep_something_are_read_and_others_are_not() {
    let read = |text: &str, set: fn(&mut Small)| {
        let mut state = state_with(Chip::Wormhole, set);
        let instruction = instruction(Chip::Wormhole, Which::Load);
        let code = (instruction.parse)(text).expect("the text is one of ours");
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(Level::Portable).execute(&step, &mut state), Answer::Done);
        let first = isa(Chip::Wormhole).layout.banks[bank::LREG].first_row;
        (0..17).filter(|register| state.tracker.log.read.contains(first + register)).collect::<Vec<_>>()
    };
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |_| {}), []);
    assert_eq!(read("TT_SFPLOAD(1, 14, 0, 0)", |_| {}), [1]);
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config[7] = 8 << bit::ROW_MASK), [1]);
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config = [0b1100; 8]), []);
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config[0] = 0b1100), [5]);
    assert_eq!(read("TT_SFPLOAD(9, 14, 0, 0)", |_| {}), []);
}
