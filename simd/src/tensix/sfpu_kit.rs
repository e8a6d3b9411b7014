//! The test kit of `SFPLOAD` and `SFPSTORE`: every level's files run their kernels and whole instructions through it.

use std::io::Write as _;

use tandem_isa::tensix::inst::sfpload::{MOD0, SFPLOAD, SFPLOAD_BH, VD, mod0};
use tandem_isa::tensix::inst::sfpstore::{SFPSTORE, SFPSTORE_BH};
use tandem_isa::tensix::{BLACKHOLE, Chip, Small, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, Edition, Instruction, Isa, Noise, State, Step, Target};

use super::sfpu::{Lanes, Run, bit};
use super::{TensixSimd, sfpload, sfpstore, sfpu_naive};
use crate::Level;

/// One of the two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// `SFPLOAD`.
    Load,
    /// `SFPSTORE`.
    Store,
}

pub(crate) const CHIPS: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

pub(crate) fn isa(chip: Chip) -> &'static Isa {
    match chip {
        Chip::Wormhole => &WORMHOLE,
        Chip::Blackhole => &BLACKHOLE,
    }
}

pub(crate) fn instruction(chip: Chip, which: Which) -> &'static Instruction {
    match (chip, which) {
        (Chip::Wormhole, Which::Load) => &SFPLOAD,
        (Chip::Wormhole, Which::Store) => &SFPSTORE,
        (Chip::Blackhole, Which::Load) => &SFPLOAD_BH,
        (Chip::Blackhole, Which::Store) => &SFPSTORE_BH,
    }
}

/// Says on the terminal, past the test harness, that nothing was tested.
pub(crate) fn not_run(name: &str) {
    writeln!(std::io::stderr(), "not run: SFPLOAD and SFPSTORE at level {name}, which this CPU lacks")
        .expect("stderr is open");
}

// ------------------------------------------------------------------------------------------------ lanes

/// Compares the patterns of a level with the bits of random configurations.
pub(crate) fn check_lanes<L: Lanes>(level: L) {
    let mut noise = Noise::new(0x1a7e);
    for _ in 0..4096 {
        let words: [u32; 8] = std::array::from_fn(|_| noise.bits(32));
        let pattern = |bit: u32| (0..8).map(|lane| (words[lane] >> bit & 1) << lane).sum::<u32>();
        let config = level.lane_config(&words);
        let got = [
            level.pattern::<{ bit::ENABLE_FP16A_INF }>(config),
            level.pattern::<{ bit::DISABLE_BACKDOOR_LOAD }>(config),
            level.pattern::<{ bit::ENABLE_DEST_INDEX }>(config),
            level.pattern::<{ bit::CAPTURE_DEFAULT_DEST_INDEX }>(config),
            level.pattern::<{ bit::BLOCK_DEST_WR_FROM_SFPU }>(config),
            level.pattern::<{ bit::BLOCK_SFPU_RD_FROM_DEST }>(config),
            level.pattern::<{ bit::DEST_RD_COL_EXCHANGE }>(config),
            level.pattern::<{ bit::DEST_WR_COL_EXCHANGE }>(config),
            level.row_mask(config),
        ];
        let row_mask = pattern(12) | pattern(13) << 8 | pattern(14) << 16 | pattern(15) << 24;
        let expected = std::array::from_fn(|bit| if bit < 8 { pattern(bit as u32) } else { row_mask });
        assert_eq!(got, expected, "{words:x?}");
    }
}

// ------------------------------------------------------------------------------------------------ kernels

/// All lanes, often, or some.
fn lanes(noise: &mut Noise) -> u32 {
    if noise.below(3) == 0 { noise.bits(32) } else { !0 }
}

/// All columns even, or odd, or any.
fn pattern(noise: &mut Noise) -> u32 {
    [0, 0xff, noise.bits(8)][noise.below(3)]
}

pub(crate) fn random_run(noise: &mut Noise) -> Run {
    std::array::from_fn(|_| std::array::from_fn(|_| noise.half() as u16))
}

/// Runs the kernels of a level over every word of the 16-bit view, and over a high half of each value and random low
/// halves of the 32-bit view.
pub(crate) fn check_load<K: sfpload::Kernels>(kernels: K) {
    let mut noise = Noise::new(0x10ad);
    for (chip, mode) in CHIPS.into_iter().flat_map(|chip| (1..16).map(move |mode| (chip, mode))) {
        let recipe = &sfpload::recipes(chip)[mode as usize];
        for first in (0..=u16::MAX).step_by(32) {
            let moves = sfpload::Moves {
                moving: lanes(&mut noise),
                odd: pattern(&mut noise),
                infinite: if mode == mod0::FP16 { pattern(&mut noise) } else { 0 },
            };
            let (mut high, low) = (random_run(&mut noise), random_run(&mut noise));
            let old: [u32; 32] = std::array::from_fn(|_| noise.bits(32));
            let column = |lane: usize| lane % 8 * 2 + (moves.odd >> (lane % 8) & 1) as usize;
            for lane in 0..32 {
                high[lane / 8][column(lane)] = first + lane as u16;
            }
            let (mut words, mut indices) = (old, old);
            if sfpu_naive::is_wide(Which::Load, mode) {
                kernels.wide(recipe, moves, [&high, &low], &mut words);
            } else {
                kernels.narrow(recipe, moves, &high, &mut words);
            }
            let base = noise.bits(8) << 6;
            kernels.capture(moves, base, &mut indices);
            for lane in 0..32 {
                let mut expected = [old[lane]; 2];
                if moves.moving >> lane & 1 != 0 {
                    let [high, low] = [high, low].map(|run| u32::from(run[lane / 8][column(lane)]));
                    let dst = if sfpu_naive::is_wide(Which::Load, mode) { high << 16 | low } else { high };
                    let infinite = moves.infinite >> (lane % 8) & 1 != 0;
                    let index = base + (lane / 8 * 16 + column(lane)) as u32;
                    expected = [sfpu_naive::loaded(chip, mode, dst, infinite, old[lane]), index];
                }
                let what = format!("{chip:?} mode {mode} lane {lane} {moves:x?} word {:#x}", first + lane as u16);
                assert_eq!([words[lane], indices[lane]], expected, "{what}");
            }
        }
    }
}

/// Corners of FP32 and integers, or any datum.
fn datum(noise: &mut Noise) -> u32 {
    const CORNERS: [u32; 8] = [0, 1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7fff_ffff, 0x387f_e000];
    let corner = CORNERS[noise.below(8)] | noise.bits(1) << 31;
    [corner, noise.bits(11), noise.bits(11).wrapping_neg(), noise.bits(32)][noise.below(4)]
}

/// Runs the kernels of a level over a high half of each value with corners and random low halves, and over corners.
pub(crate) fn check_store<K: sfpstore::Kernels>(kernels: K) {
    let mut noise = Noise::new(0x5704e);
    for (chip, mode) in CHIPS.into_iter().flat_map(|chip| (1..16).map(move |mode| (chip, mode))) {
        let recipe = &sfpstore::recipes(chip)[mode as usize];
        for first in (0..0x1_0000_u32).step_by(16) {
            let moves = sfpstore::Moves { moving: lanes(&mut noise), odd: pattern(&mut noise) };
            let data: [u32; 32] = std::array::from_fn(|lane| {
                let low = [0, 0xffff, noise.half(), noise.half()][noise.below(4)];
                if lane % 2 == 0 { (first + lane as u32 / 2) << 16 | low } else { datum(&mut noise) }
            });
            let (old_high, old_low) = (random_run(&mut noise), random_run(&mut noise));
            let (mut high, mut low) = (old_high, old_low);
            let is_wide = sfpu_naive::is_wide(Which::Store, mode);
            if is_wide {
                kernels.wide(recipe, moves, &data, [&mut high, &mut low]);
            } else {
                kernels.narrow(recipe, moves, &data, &mut low);
            }
            let (mut expected_high, mut expected_low) = (old_high, old_low);
            for lane in (0..32).filter(|lane| moves.moving >> lane & 1 != 0) {
                let bits = sfpu_naive::stored(chip, mode, data[lane]);
                let column = lane % 8 * 2 + (moves.odd >> (lane % 8) & 1) as usize;
                expected_low[lane / 8][column] = bits as u16;
                if is_wide {
                    expected_high[lane / 8][column] = (bits >> 16) as u16;
                }
            }
            assert_eq!((high, low), (expected_high, expected_low), "{chip:?} mode {mode} {moves:x?} {data:x?}");
        }
    }
}

// ------------------------------------------------------------------------------------------------ instructions

/// A random state, in which lanes often move: any field, but the lanes are all enabled in one case of two.
fn randomize(chip: Chip, state: &mut State, noise: &mut Noise) {
    for field in (isa(chip).layout.fields)() {
        field.set(&mut state.small, noise.bits(field.width).min(field.max));
    }
    let small: &mut Small = Tensix::new(state).small;
    let (plain, registers) = (noise.below(2) == 0, noise.below(2) == 0);
    if plain {
        small.use_lane_flags_for_lane_enable = 0;
    }
    // Now and then no lane is enabled.
    let disabled = if noise.below(8) == 0 { 0xf << bit::ROW_MASK } else { 0 };
    for word in &mut small.lane_config {
        *word &= if plain {
            !(0xf << bit::ROW_MASK | 1 << bit::BLOCK_DEST_WR_FROM_SFPU | 1 << bit::BLOCK_SFPU_RD_FROM_DEST)
        } else {
            !0
        };
        *word |= disabled | u32::from(registers) << bit::DISABLE_BACKDOOR_LOAD;
    }
    if noise.below(4) == 0 {
        // The stack is often empty.
        small.sp[small.current_thread as usize] = 0;
    }
}

fn randomize_banks(chip: Chip, state: &mut State, noise: &mut Noise) {
    for bank in isa(chip).layout.banks {
        let bytes = &mut state.arena[bank.offset..bank.offset + bank.rows() * bank.row_bytes()];
        for word in bytes.chunks_exact_mut(bank.word.bytes()) {
            let value = noise.bits(32) & bank.word_mask();
            word.copy_from_slice(&value.to_le_bytes()[..word.len()]);
        }
    }
}

/// Runs whole instructions of all modes on both chips, and compares state and log with a literal interpreter.
pub(crate) fn check_instructions(level: Level, which: Which) {
    for chip in CHIPS {
        let mut noise = Noise::new(0x1257 + u64::from(chip == Chip::Blackhole));
        let instruction = instruction(chip, which);
        let base = || isa(chip).base_state();
        let (mut before, mut expected, mut got) = (base(), base(), base());
        let (mut moved, mut still) = (0, 0);
        randomize_banks(chip, &mut before, &mut noise);
        for case in 0..16 * 1024 {
            if case % 256 == 0 {
                randomize_banks(chip, &mut before, &mut noise);
                expected.copy_from(&before);
                got.copy_from(&before);
            }
            randomize(chip, &mut before, &mut noise);
            let mut code = [instruction.base_code[0] | noise.bits(24)];
            MOD0.set(&mut code, case % 16);
            if noise.below(2) == 0 {
                VD.set(&mut code, noise.bits(3));
            }
            let code = code[0];
            let what = format!("{level} {chip:?} {which:?} {code:#010x}");
            expected.small.copy_from_slice(&before.small);
            got.small.copy_from_slice(&before.small);
            got.tracker.log.clear();
            sfpu_naive::execute(chip, which, code, &mut expected);
            let step = Step { instruction, edition: Edition::ALL[noise.below(2)], code: &[code] };
            assert_eq!(TensixSimd::new(level).execute(&step, &mut got), Answer::Done, "{what}");
            assert!(got.arena[..] == expected.arena[..], "banks differ: {what}");
            assert!(got.small[..] == expected.small[..], "small state differs: {what}");
            let log = &got.tracker.log;
            log.written.each(|row| assert!(bank_of(chip, row).is_some(), "{what}"));
            for (number, spec) in isa(chip).layout.banks.iter().enumerate() {
                for row in (0..spec.rows()).filter(|&row| before.row(number, row) != got.row(number, row)) {
                    assert!(log.written.contains(spec.first_row + row), "{} {what}", spec.row_name(row));
                }
            }
            if log.written.is_empty() {
                assert!(log.read.is_empty(), "nothing moves and something is read: {what}");
                still += 1;
            } else {
                moved += 1;
            }
            // The next case begins with what both have.
            let mut rows = Vec::new();
            log.written.each(|row| rows.extend(bank_of(chip, row)));
            for (number, row) in rows {
                before.row_mut(number, row).copy_from_slice(got.row(number, row));
            }
        }
        assert!(moved > 4000 && still > 500, "{moved} moved, {still} did not");
    }
}

fn bank_of(chip: Chip, row_id: usize) -> Option<(usize, usize)> {
    let banks = isa(chip).layout.banks;
    let which = [bank::DST, bank::LREG].into_iter();
    which
        .filter_map(|number| row_id.checked_sub(banks[number].first_row).map(|row| (number, row)))
        .find(|&(number, row)| row < banks[number].rows())
}

#[test]
fn no_level_panics_on_what_is_no_state_or_has_unnamed_bits() {
    let mut noise = Noise::new(0xbad);
    for chip in CHIPS {
        let (mut before, mut after) = (isa(chip).base_state(), isa(chip).base_state());
        for _ in 0..1024 {
            before.small.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
            for (level, which) in
                Level::detect_all().into_iter().flat_map(|level| [(level, Which::Load), (level, Which::Store)])
            {
                after.small.copy_from_slice(&before.small);
                let code = [noise.bits(32)];
                let step = Step { instruction: instruction(chip, which), edition: Edition::Spec, code: &code };
                let _ = TensixSimd::new(level).execute(&step, &mut after);
            }
        }
    }
}
