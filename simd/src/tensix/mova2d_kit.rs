//! The test kit of `MOVA2D`: every level's file runs its kernels through it, and every level runs whole instructions.

use std::io::Write as _;

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::{ADDR_MOD, DST_ROW, MOVA2D, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::{Rwc, Small, WORMHOLE};
use tandem_isa::{Answer, Edition, Noise, RowSet, State, Step, Target};

use super::TensixSimd;
use super::mova2d::{Kernels, Recipe};
use super::rwcs::{AddrMod, Section};
use crate::Level;

/// Says on the terminal, past the test harness, that nothing was tested.
pub(crate) fn not_run(name: &str) {
    writeln!(std::io::stderr(), "not run: MOVA2D at level {name}, which this CPU lacks").expect("stderr is open");
}

// ------------------------------------------------------------------------------------------------ kernels

/// The 16-bit value of a datum, bit by bit.
fn naive_value(datum: u32, eight_bit_exponent: bool) -> u16 {
    let bit = |from: u32, to: u32| (datum >> from & 1) << to;
    let boundary = if eight_bit_exponent { 8 } else { 5 };
    (0..16).map(|to| if to < boundary { bit(to, to) } else { bit(to + 3, to) }).sum::<u32>() as u16
}

/// Three bits of mantissa, bit by bit.
fn naive_low_mantissa(datum: u32) -> u16 {
    (0..3).map(|index| (datum >> (8 + index) & 1) << (13 + index)).sum::<u32>() as u16
}

/// Runs the kernels of a level over every datum.
pub(crate) fn check_kernels<K: Kernels>(kernels: K) {
    check_rows::<K, 1>(kernels);
    check_rows::<K, 8>(kernels);
}

/// `LaneConfig` that leaves these columns open, with noise in the bits that are not `BLOCK_DEST_MOV`.
fn lane_config(columns: u16, noise: &mut Noise) -> [u32; 8] {
    std::array::from_fn(|lane| {
        let blocked = (!u32::from(columns) >> (2 * lane)) & 3;
        noise.bits(18) & !(3 << 9) | blocked << 9
    })
}

fn check_rows<K: Kernels, const N: usize>(kernels: K) {
    let mut noise = Noise::new(N as u64);
    for (eight_bit_exponent, flush, low_from_value) in (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
    {
        for first in (0..1 << 19).step_by(16 * N) {
            let columns = match noise.below(4) {
                0 => 0xffff,
                1 => 0,
                _ => noise.half() as u16,
            };
            let recipe = Recipe {
                shifted: if eight_bit_exponent { !0xff } else { !0x1f },
                flushed_exponent: if flush { 0 } else { u32::MAX },
                low_from_value: if low_from_value { 0xffff } else { 0 },
            };
            let modes = (eight_bit_exponent, flush, low_from_value);
            check_batch::<K, N>(kernels, &recipe, columns, first, modes, &mut noise);
        }
    }
}

fn check_batch<K: Kernels, const N: usize>(
    kernels: K,
    recipe: &Recipe,
    columns: u16,
    first: u32,
    (eight_bit_exponent, flush, low_from_value): (bool, bool, bool),
    noise: &mut Noise,
) {
    // An odd factor walks through all data in an order that mixes flushed and other ones.
    let datum = |row: usize, column: usize| (((first as usize + 16 * row + column) * 0x2_f1cb) & 0x7_ffff) as u32;
    let from: [[u32; 16]; N] = std::array::from_fn(|row| std::array::from_fn(|column| datum(row, column)));
    let mut old = || -> [[u16; 16]; N] { std::array::from_fn(|_| std::array::from_fn(|_| noise.half() as u16)) };
    let (old_high, old_low) = (old(), old());
    let valid: [u8; N] = std::array::from_fn(|_| noise.bits(1) as u8);

    let (mut narrow, mut wide, mut cleared) = (old_low, [old_high, old_low], old_high);
    let open = kernels.open_columns(&lane_config(columns, noise));
    assert_eq!(kernels.any(open), columns != 0);
    kernels.narrow(recipe, open, &from, &mut narrow);
    kernels.wide(recipe, open, &from, wide.each_mut());
    kernels.clear_invalid(open, &valid, &mut cleared);

    for row in 0..N {
        for column in 0..16 {
            let (before_high, before_low) = (old_high[row][column], old_low[row][column]);
            let mut expected = [before_low, before_high, before_low, before_high];
            if columns >> column & 1 != 0 {
                let datum = if flush && from[row][column] & 0xff == 0 { 0 } else { from[row][column] };
                let value = naive_value(datum, eight_bit_exponent);
                let low_half = naive_low_mantissa(datum) | if low_from_value { value } else { 0 };
                expected = [value, value, low_half, if valid[row] != 0 { before_high } else { 0 }];
            }
            let got = [narrow[row][column], wide[0][row][column], wide[1][row][column], cleared[row][column]];
            assert_eq!(got, expected, "datum {:#07x} column {column} of {N} rows, {recipe:x?}", from[row][column]);
        }
    }
}

// ------------------------------------------------------------------------------------------------ counters

/// Runs the counters of a level through all flags, with noise in counters and increments.
pub(crate) fn check_addr_mod<L: AddrMod>(level: L) {
    let mut noise = Noise::new(0xadd);
    // Five flags of DST with two bits of increment, four of AB, five bits of BIAS.
    for modes in 0..1_u32 << 15 {
        let section = Section {
            ab: (noise.bits(16) & 0x3f3f | (modes & 3) << 6 | (modes >> 2 & 3) << 14) as u16,
            dst: (noise.bits(10) | (modes >> 4 & 0x3f) << 10) as u16,
            bias: (modes >> 10 & 0x1f) as u16,
        };
        let before = Rwc {
            dst: noise.bits(10),
            dst_cr: noise.bits(10),
            srca: noise.bits(6),
            srca_cr: noise.bits(6),
            srcb: noise.bits(6),
            srcb_cr: noise.bits(6),
            fidelity_phase: noise.bits(2),
            extra_addr_mod_bit: noise.bits(1),
        };
        let mut after = before;
        level.advance(&mut after, section);
        assert_eq!(after, naive_advance(before, section), "{before:?} {section:x?}");
    }
}

fn naive_advance(mut rwc: Rwc, section: Section) -> Rwc {
    let [ab, dst, bias] = [section.ab, section.dst, section.bias].map(u32::from);
    let on = |word: u32, bit: u32| word >> bit & 1 == 1;
    let source = |counter: u32, carriage_return: u32, word: u32| match (on(word, 7), on(word, 6)) {
        (true, _) => (0, 0),
        (false, true) => ((carriage_return + word % 64) % 64, (carriage_return + word % 64) % 64),
        (false, false) => ((counter + word % 64) % 64, carriage_return),
    };
    (rwc.srca, rwc.srca_cr) = source(rwc.srca, rwc.srca_cr, ab);
    (rwc.srcb, rwc.srcb_cr) = source(rwc.srcb, rwc.srcb_cr, ab >> 8);
    let (ahead, cr_ahead) = ((rwc.dst + dst % 1024) % 1024, (rwc.dst_cr + dst % 1024) % 1024);
    (rwc.dst, rwc.dst_cr) = match (on(dst, 11), on(dst, 12), on(dst, 10)) {
        (true, _, _) => (0, 0),
        (_, true, _) => (ahead, ahead),
        (_, _, true) => (cr_ahead, cr_ahead),
        _ => (ahead, rwc.dst_cr),
    };
    rwc.fidelity_phase = if on(dst, 15) { 0 } else { (rwc.fidelity_phase + (dst >> 13)) % 4 };
    rwc.extra_addr_mod_bit = match (on(bias, 4), bias % 4) {
        (true, _) => 0,
        (false, 0) => rwc.extra_addr_mod_bit,
        (false, _) => 1 - rwc.extra_addr_mod_bit,
    };
    rwc
}

// ------------------------------------------------------------------------------------------------ instructions

/// Everything that one instruction may change: answer, banks, small state, log.
fn run(level: Level, edition: Edition, code: u32, before: &State, state: &mut State) -> Answer {
    state.copy_from(before);
    state.tracker.log.clear();
    let step = Step { instruction: &MOVA2D, edition, code: &[code] };
    TensixSimd::new(level).execute(&step, state)
}

fn runs(set: &RowSet) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    set.each_run(|row, count| runs.push((row, count)));
    runs
}

fn randomize_banks(state: &mut State, noise: &mut Noise) {
    for bank in WORMHOLE.layout.banks {
        let bytes = &mut state.arena[bank.offset..bank.offset + bank.rows() * bank.row_bytes()];
        for word in bytes.chunks_exact_mut(bank.word.bytes()) {
            let value = noise.bits(32) & bank.word_mask();
            word.copy_from_slice(&value.to_le_bytes()[..word.len()]);
        }
    }
}

fn randomize_small(state: &mut State, noise: &mut Noise) {
    for field in (WORMHOLE.layout.fields)() {
        field.set(&mut state.small, noise.bits(field.width).min(field.max));
    }
    let small: &mut Small = tandem_isa::tensix::Tensix::new(state).small;
    if noise.below(8) != 0 {
        small.srca_allowed_client = [tandem_isa::tensix::MATRIX_UNIT; 2];
    }
    let columns = [Some(0), Some(3 << 9), None][noise.below(3)];
    if let Some(columns) = columns {
        small.lane_config = small.lane_config.map(|word| word & !(3 << 9) | columns);
    }
}

fn set_modes(state: &mut State, modes: u32) {
    let small: &mut Small = tandem_isa::tensix::Tensix::new(state).small;
    let thread = &mut small.thread_config[small.current_thread as usize];
    let set_thread = |thread: &mut [u16; config::THREAD_CONFIG_WORDS], field: ThreadConfigField, value| {
        field.set(thread, value);
    };
    set_thread(thread, config::FP16A_FORCE_Enable, modes >> 4);
    let bank = &mut small.config[config::CFG_STATE_ID_StateID.get(thread) as usize];
    let mut set = |field: ConfigField, value| field.set(bank, value);
    set(config::ALU_FORMAT_SPEC_REG_SrcA_override, modes >> 5);
    set(config::ALU_FORMAT_SPEC_REG_SrcA_val, if modes >> 5 & 1 != 0 { modes } else { !modes });
    set(config::ALU_FORMAT_SPEC_REG0_SrcA, if modes >> 5 & 1 != 0 { !modes } else { modes });
    set(config::ALU_ACC_CTRL_Zero_Flag_disabled_src, modes >> 6);
    set(config::ALU_ACC_CTRL_Fp32_enabled, modes >> 7);
    set(config::ALU_ACC_CTRL_INT8_math_enabled, modes >> 8);
}

#[test]
fn every_level_gives_the_same_state_and_log_in_every_mode() {
    Level::absent().into_iter().for_each(not_run);
    let others = Level::detect_all();
    let mut noise = Noise::new(0x5eed);
    let (mut before, mut expected, mut got) = (WORMHOLE.base_state(), WORMHOLE.base_state(), WORMHOLE.base_state());
    let (mut done, mut blocked) = (0, 0);
    for modes in 0..1 << 11 {
        randomize_banks(&mut before, &mut noise);
        for (edition, _) in Edition::ALL.into_iter().flat_map(|edition| (0..4).map(move |repeat| (edition, repeat))) {
            randomize_small(&mut before, &mut noise);
            set_modes(&mut before, modes);
            let mut code = [MOVA2D.base_code[0]];
            USE_DST32B_LO.set(&mut code, modes >> 9);
            MOVE8_ROWS.set(&mut code, modes >> 10);
            for field in [ADDR_MOD, DST_ROW, SRC_ROW] {
                field.set(&mut code, noise.bits(16));
            }
            let answer = run(Level::Portable, edition, code[0], &before, &mut expected);
            match answer {
                Answer::Done => done += 1,
                Answer::Blocked => blocked += 1,
                Answer::Unsupported => panic!("MOVA2D is implemented"),
            }
            for &level in &others {
                let what = format!("{level} {} {:#010x} modes {modes:#x}", edition.name(), code[0]);
                assert_eq!(run(level, edition, code[0], &before, &mut got), answer, "{what}");
                assert!(got.arena[..] == expected.arena[..], "banks differ: {what}");
                assert!(got.small[..] == expected.small[..], "small state differs: {what}");
                let (got, expected) = (&got.tracker.log, &expected.tracker.log);
                assert_eq!(runs(&got.read), runs(&expected.read), "{what}");
                assert_eq!(runs(&got.written), runs(&expected.written), "{what}");
            }
        }
    }
    assert!(done > 1000 && blocked > 100, "{done} done, {blocked} blocked");
}

#[test]
fn what_the_log_names_is_all_that_changes() {
    let mut noise = Noise::new(0x106);
    let (mut before, mut after) = (WORMHOLE.base_state(), WORMHOLE.base_state());
    for modes in 0..1 << 11 {
        randomize_banks(&mut before, &mut noise);
        randomize_small(&mut before, &mut noise);
        set_modes(&mut before, modes);
        let code = MOVA2D.base_code[0] | noise.bits(24) & !0x5c00;
        let _ = run(Level::Portable, Edition::ALL[noise.below(2)], code, &before, &mut after);
        for (number, bank) in WORMHOLE.layout.banks.iter().enumerate() {
            for row in (0..bank.rows()).filter(|&row| before.row(number, row) != after.row(number, row)) {
                assert!(after.tracker.log.written.contains(bank.first_row + row), "{} {code:#x}", bank.row_name(row));
            }
        }
    }
}

#[test]
fn no_level_panics_on_what_is_no_state_or_has_unnamed_bits() {
    let mut noise = Noise::new(0xbad);
    let (mut before, mut after) = (WORMHOLE.base_state(), WORMHOLE.base_state());
    for _ in 0..4096 {
        before.arena.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
        before.small.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
        let small: &mut Small = tandem_isa::tensix::Tensix::new(&mut before).small;
        if noise.below(2) == 0 {
            small.srca_allowed_client = [tandem_isa::tensix::MATRIX_UNIT; 2];
        }
        for level in Level::detect_all() {
            let _ = run(level, Edition::ALL[noise.below(2)], noise.bits(32), &before, &mut after);
        }
    }
}
