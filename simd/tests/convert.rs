//! What every level makes of integers and FP32 that are converted, and of what `SFPMOV` reads beside registers: held against the
//! pages' models, written down lane by lane, and against values worked out by hand.

use tandem_isa::tensix::inst::vector::{
    IMM5, MOD1, MOD1_OF_3, ROUNDING_MODE, STOCHASTIC_ROUNDING, USE_IMM5, VB, VC, VD,
};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE};
use tandem_isa::{Answer, CodeField, Edition, Noise, State, Step, Target};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

const SIGN: u32 = 1 << 31;
const DISABLE_BACKDOOR_LOAD: u32 = 1 << 1;
const ROW_MASK: u32 = 12;

// ------------------------------------------------------------------------------------------------ the pages, lane by lane

/// What is read by a lane, and the PRNG that it may advance.
struct Lane {
    chip: Chip,
    code: [u32; 1],
    c: u32,
    b: u32,
    prng: u32,
}

impl Lane {
    fn get(&self, field: CodeField) -> u32 {
        field.get(&self.code)
    }

    fn advance_prng(&mut self) -> u32 {
        let result = self.prng;
        let taps = (result & 0x8020_0003).count_ones();
        self.prng = (!taps << 31) | (result >> 1);
        result
    }

    fn cast(&mut self) -> u32 {
        let (c, mod1) = (self.c, self.get(MOD1) & self.chip.pick(1, 3));
        let sign = c & SIGN;
        match mod1 {
            2 => return if c >= SIGN { c.wrapping_neg() } else { c },
            3 => return sign | if sign != 0 { c.wrapping_neg() } else { c },
            _ => {}
        }
        let mag = c & !SIGN;
        let lz = if mag != 0 { mag.leading_zeros() } else { 157 };
        let norm = mag << (lz & 31);
        let d = sign + ((157 - lz) << 23) + (norm >> 8);
        let up = if mod1 == 1 {
            norm & 0xfe > (self.advance_prng() >> 9) & 0xfe
        } else {
            norm & 0x80 != 0 && norm & 0x17f != 0
        };
        d + u32::from(up)
    }

    fn stoch_rnd(&mut self) -> u32 {
        let mut bits = self.advance_prng() & 0x7f_ffff;
        match self.chip.pick(self.get(STOCHASTIC_ROUNDING), self.get(ROUNDING_MODE)) {
            0 => bits = 0x40_0000,
            2 => bits = 0x7f_ffff,
            _ => {}
        }
        let (c, mod1) = (self.c, self.get(MOD1_OF_3));
        let kept = |is_kept| if is_kept { c & SIGN } else { 0 };
        match mod1 {
            0 | 1 => {
                let discarded = c & if mod1 == 0 { 0x1fff } else { 0xffff };
                let (shift, place) = if mod1 == 0 { (10, 0x2000) } else { (7, 0x1_0000) };
                match (c >> 23) & 0xff {
                    0 => 0,
                    255 => c & 0xff80_0000,
                    _ => c - discarded + if discarded >= bits >> shift { place } else { 0 },
                }
            }
            4 | 5 => {
                let shift = if self.get(USE_IMM5) != 0 { self.get(IMM5) } else { self.b & 31 };
                let mag = (u64::from(c & !SIGN) << 23) >> shift;
                let mag = (mag >> 23) + u64::from(mag & 0x7f_ffff >= u64::from(bits));
                let mag = mag.min(if mod1 == 4 { 255 } else { 127 }) as u32;
                kept(mod1 == 5 && mag != 0) + mag
            }
            _ => {
                let (keeps, max) = [(false, 255), (true, 127), (false, 65535), (true, 32767)]
                    [[2, 3, 6, 7].iter().position(|&named| named == mod1).unwrap()];
                let exp = ((c >> 23) & 0xff).cast_signed() - 127;
                if exp < -1 {
                    return 0;
                }
                if exp >= 16 {
                    return kept(keeps) + max;
                }
                let mag = u64::from(0x80_0000 | (c & 0x7f_ffff));
                let mag = if exp >= 0 { mag << exp } else { mag >> -exp };
                let mag = (mag >> 23) as u32 + u32::from((mag & 0x7f_ffff) as u32 >= bits);
                let mag = mag.min(max);
                kept(keeps && mag != 0) + mag
            }
        }
    }
}

/// What a lane of `SFPMOV` reads that is no register, where `Mod1` says so.
fn special(lane: &mut Lane, tensix: &mut Tensix<'_>, column: usize) -> u32 {
    match lane.get(VC) {
        row @ 0..=7 => tensix.load_macro_row(row as usize)[column],
        8 => tensix.small.load_macro_misc[column],
        9 => lane.advance_prng(),
        15 => tensix.small.lane_config[column],
        _ => 0,
    }
}

/// The model, on all lanes.
fn model(mnemonic: Mnemonic, chip: Chip, code: [u32; 1], state: &mut State) {
    let tensix = &mut Tensix::new(state);
    let field = |field: CodeField| field.get(&code) as usize;
    for number in 0..32 {
        let config = tensix.small.lane_config[number & 7];
        let is_disabled = config >> ROW_MASK >> (number / 8) & 1 != 0;
        let [flag, heeds] = [tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable]
            .map(|lanes| lanes >> number & 1 != 0);
        if is_disabled || heeds && !flag || field(VD) >= 12 && config & DISABLE_BACKDOOR_LOAD == 0 {
            continue;
        }
        let [c, b] = [VC, VB].map(|register| tensix.lreg(field(register), number));
        let mut lane = Lane { chip, code, c, b, prng: tensix.prng()[number] };
        let result = match mnemonic {
            Mnemonic::Sfpcast => lane.cast(),
            Mnemonic::Sfpstochrnd => lane.stoch_rnd(),
            _ => special(&mut lane, tensix, number & 7),
        };
        tensix.prng_mut()[number] = lane.prng;
        if field(VD) < 8 {
            tensix.set_lreg(field(VD), number, result);
        }
    }
}

// ------------------------------------------------------------------------------------------------ every level

/// Has every level execute the word, and asserts that it leaves what the model does: `expected`.
fn check(mnemonic: Mnemonic, chip: Chip, code: [u32; 1], before: &State, [expected, got]: &mut [State; 2]) {
    expected.copy_from(before);
    model(mnemonic, chip, code, expected);
    for level in Level::detect_all() {
        got.copy_from(before);
        let step = Step { instruction: mnemonic.on(chip), edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(level).execute(&step, got), Answer::Done);
        assert!(got.small[..] == expected.small[..], "{level:?} {chip:?} {code:x?}: small state");
        assert!(got.arena[..] == expected.arena[..], "{level:?} {chip:?} {code:x?}: banks");
    }
}

/// One of 32 bits: a corner, a float near a bound, an integer of few bits, or any.
fn word(noise: &mut Noise) -> u32 {
    let corners = [0, 1, 0x7f_ffff, 0x40_0000, 0x3f_ffff, 0x40_0001, 0x7fff_ffff, 0x7f80_0000, 0x3f7f_ffff, !0];
    let sign = noise.bits(1) << 31;
    let place = noise.below(32);
    match noise.below(5) {
        0 => sign ^ corners[noise.below(corners.len())],
        1 => sign | (125 + noise.bits(5)) << 23 | noise.bits(23),
        2 => sign | (125 + noise.bits(5)) << 23 | ((0x7f_ffff << place) & 0x7f_ffff),
        3 => sign | (noise.bits(32) >> place).wrapping_sub(noise.bits(1)),
        _ => noise.bits(32),
    }
}

/// Draws what the instructions read.
fn draw(state: &mut State, noise: &mut Noise) {
    let tensix = &mut Tensix::new(state);
    let corner = [Some(0), Some(!0), None, None][noise.below(4)];
    for lane in 0..32 {
        (0..16).for_each(|register| tensix.set_lreg(register, lane, word(noise)));
        // Often such that what is cut off of a register is what it is compared with, or one less or more.
        let near = tensix.lreg(noise.below(4), lane) << noise.below(24);
        let near = near.wrapping_add([0, 1, !0, 1 << 7, 1 << 10][noise.below(5)]);
        let drawn = [near, near, word(noise)][noise.below(3)];
        tensix.prng_mut()[lane] = corner.unwrap_or(drawn);
    }
    (0..8).for_each(|row| tensix.load_macro_row_mut(row).fill_with(|| noise.bits(32)));
    tensix.small.load_macro_misc.fill_with(|| noise.bits(12));
    tensix
        .small
        .lane_config
        .fill_with(|| noise.bits(2) | if noise.below(8) == 0 { noise.bits(4) << ROW_MASK } else { 0 });
    tensix.small.lane_flags = noise.bits(32);
    tensix.small.use_lane_flags_for_lane_enable = [0, !0, noise.bits(32)][noise.below(3)];
}

#[test]
fn lanes_are_those_of_the_pages() {
    let noise = &mut Noise::new(0x0c0_4e47);
    for (chip, isa) in [(Chip::Wormhole, &WORMHOLE), (Chip::Blackhole, &BLACKHOLE)] {
        let [mut before, expected, got] = [(); 3].map(|()| isa.base_state());
        let after = &mut [expected, got];
        for case in 0..20_000_u32 {
            if case % 4 == 0 {
                draw(&mut before, noise);
            }
            for mnemonic in [Mnemonic::Sfpcast, Mnemonic::Sfpstochrnd, Mnemonic::Sfpmov] {
                // The lowest four bits are `Mod1`, or that and `UseImm5`.
                let mut code = [mnemonic.on(chip).base_code[0] | (case % 16) | (noise.bits(20) << 4 & 0x70_f0ff)];
                let few = |noise: &mut Noise| if noise.bits(1) == 0 { noise.bits(2) } else { noise.bits(4) };
                [VC, VD, VB].into_iter().for_each(|register| register.set(&mut code, few(noise)));
                if mnemonic == Mnemonic::Sfpmov {
                    code[0] = code[0] & 0xff00_fff0 | 8 | noise.bits(3);
                } else {
                    IMM5.set(&mut code, noise.bits(5));
                }
                check(mnemonic, chip, code, &before, after);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ values by hand

/// What `LReg[3]` and the PRNG become in lane 9.
fn of(mnemonic: Mnemonic, chip: Chip, fields: &[(CodeField, u32)], [c, prng]: [u32; 2]) -> [u32; 2] {
    let mut code = [mnemonic.on(chip).base_code[0]];
    [&[(VC, 2), (VD, 3)], fields].concat().iter().for_each(|(field, value)| field.set(&mut code, *value));
    let [mut before, expected, got] = [(); 3].map(|()| chip.pick(&WORMHOLE, &BLACKHOLE).base_state());
    Tensix::new(&mut before).set_lreg(2, 9, c);
    Tensix::new(&mut before).prng_mut()[9] = prng;
    let mut after = [expected, got];
    check(mnemonic, chip, code, &before, &mut after);
    let tensix = &mut Tensix::new(&mut after[1]);
    [tensix.lreg(3, 9), tensix.prng()[9]]
}

#[test]
fn the_prng_shifts_and_stays_at_all_ones() {
    for [before, after] in [[0, SIGN], [!0, !0], [1, 0], [3, SIGN | 1], [SIGN, SIGN >> 1], [1 << 21, 1 << 20]] {
        for (mnemonic, fields) in [(Mnemonic::Sfpmov, [(MOD1, 8), (VC, 9)]), (Mnemonic::Sfpcast, [(MOD1, 1), (VC, 1)])]
        {
            for vd in [0, 9] {
                let [_, prng] = of(mnemonic, Chip::Wormhole, &[fields[0], fields[1], (VD, vd)], [0, before]);
                assert_eq!(prng, after, "{before:#x}");
            }
        }
        assert_eq!(of(Mnemonic::Sfpmov, Chip::Wormhole, &[(MOD1, 8), (VC, 9)], [7, before]), [before, after]);
    }
}

#[test]
fn integers_become_floats_and_blackholes_other_integers() {
    for (mod1, c, prng, wormhole, blackhole) in [
        (0, 0x0100_0001, 0, 0x4b80_0000, 0x4b80_0000),
        (0, 0x0100_0003, 0, 0x4b80_0002, 0x4b80_0002),
        (0, 0x7fff_ffff, 0, 0x4f00_0000, 0x4f00_0000),
        (0, 0x8000_0001, 0, 0xbf80_0000, 0xbf80_0000),
        (4, SIGN, 0, SIGN, SIGN),
        (1, SIGN, !0, SIGN, SIGN),
        (1, 0x0100_0001, 0, 0x4b80_0001, 0x4b80_0001),
        (1, 0x0100_0001, !0, 0x4b80_0000, 0x4b80_0000),
        (2, 0xffff_ffff, 0, 0xcf00_0000, 1),
        (2, SIGN, 0, SIGN, SIGN),
        (3, 0x8000_0001, 0, 0xbf80_0000, 0xffff_ffff),
        (7, 0xffff_ffff, 0, 0xcf00_0000, 0x8000_0001),
        (15, SIGN, 0, SIGN, SIGN),
    ] {
        for (chip, expected) in [(Chip::Wormhole, wormhole), (Chip::Blackhole, blackhole)] {
            assert_eq!(of(Mnemonic::Sfpcast, chip, &[(MOD1, mod1)], [c, prng])[0], expected, "{chip:?} {mod1} {c:#x}");
        }
    }
}

#[test]
fn bits_are_rounded_to_nearest_at_random_and_nearly_to_zero() {
    // To nearest, by a PRNG of zeros, and by one of all ones, which is to zero.
    for (mod1, imm5, c, expected) in [
        (0, 0, 0x3f80_0fff, [0x3f80_0000, 0x3f80_2000, 0x3f80_0000]),
        (0, 0, 0x3f80_1000, [0x3f80_2000, 0x3f80_2000, 0x3f80_0000]),
        (0, 0, 0xbf80_1fff, [0xbf80_2000, 0xbf80_2000, 0xbf80_2000]),
        (1, 0, 0x3f80_0000, [0x3f80_0000, 0x3f81_0000, 0x3f80_0000]),
        (1, 0, 0x7f7f_8000, [0x7f80_0000, 0x7f80_0000, 0x7f7f_0000]),
        (1, 0, 0x807f_ffff, [0; 3]),
        (0, 0, 0xffc0_0001, [0xff80_0000; 3]),
        (3, 0, 0xbeff_ffff, [0; 3]),
        (3, 0, 0xbf00_0000, [0x8000_0001, 0x8000_0001, 0]),
        (3, 0, 0xc2ff_0000, [0x8000_007f; 3]),
        (2, 0, 0xc37e_8000, [0xff, 0xff, 0xfe]),
        // The three that do not round to zero, and the one below.
        (6, 0, 0x3f7f_fffd, [1, 1, 0]),
        (6, 0, 0x3f7f_fffe, [1; 3]),
        (6, 0, 0x3f7f_ffff, [1; 3]),
        (6, 0, 0x3fff_ffff, [2; 3]),
        (6, 0, 0x477f_ff00, [0xffff; 3]),
        (7, 0, 0xffc0_0000, [0x8000_7fff; 3]),
        (7, 0, 0x4780_0000, [0x7fff; 3]),
        (4, 0, 0x7fff_ffff, [0xff; 3]),
        (4, 1, 0x8000_0181, [0xc1, 0xc1, 0xc0]),
        (5, 1, 0x8000_0002, [0x8000_0001, 0x8000_0002, 0x8000_0001]),
        (5, 31, SIGN, [0, 0x8000_0001, 0]),
        (5, 23, 0x807f_ffff, [0x8000_0001; 3]),
    ] {
        let of = |chip, mode: CodeField, value, prng| {
            let fields = [(MOD1_OF_3, mod1), (USE_IMM5, 1), (IMM5, imm5), (mode, value)];
            of(Mnemonic::Sfpstochrnd, chip, &fields, [c, prng])[0]
        };
        let wormhole =
            [(0, 0), (1, 0), (1, !0)].map(|(mode, prng)| of(Chip::Wormhole, STOCHASTIC_ROUNDING, mode, prng));
        assert_eq!(wormhole, expected, "{mod1} {c:#x}");
        for modes in [[0, 1, 2], [0, 3, 2]] {
            assert_eq!(modes.map(|mode| of(Chip::Blackhole, ROUNDING_MODE, mode, 0)), expected, "{mod1} {c:#x}");
        }
    }
}
