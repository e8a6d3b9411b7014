//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`.
//!
//! *Source*: page SFPSTORE, commit c63d6d0b, one text for each chip, which serves both editions. The two texts have the
//! same order; where they differ, the line here says how.
//!
//! After an outcome that promises nothing the state is of no meaning: rows may be written in part.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::inst::sfpstore::{self as fields, mod0};
use tandem_isa::tensix::{Chip, Small, Tensix};
use tandem_isa::{Edition, Expectation};

use super::dst::{self, dst_encode_bf16, dst_encode_fp16, dst_encode_fp32};
use super::lanes::{self, LANES, is_lane_enabled, lane_config, lane_config_bit as bit};
use super::rwcs::apply_partial_addr_mod;
use crate::bits::U;

/// Executes an `SFPSTORE`. *Source*: section Functional model.
pub fn execute(chip: Chip, _edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    let vd = U::<4>::new(fields::VD.get(code));
    // TX-17: page SFPCONFIG takes such an instruction for something else before this page has a say.
    let refused = lanes::backdoor(chip, tensix.small, vd).or_else(|| lanes::unnamed_bits_of_move(chip, code));
    if let Some(expectation) = refused {
        return expectation;
    }
    match run(chip, code, vd, tensix) {
        ControlFlow::Continue(()) => Expectation::Done,
        ControlFlow::Break(expectation) => expectation,
    }
}

/// The functional model, from the first line to the last.
#[expect(clippy::collapsible_if, reason = "the page nests the two tests")]
fn run(chip: Chip, code: &[u32], vd: U<4>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let mod0 = resolve_mod0(chip, tensix.small, U::new(fields::MOD0.get(code)));
    let addr = dst_address(chip, tensix.small, mod0, U::new(fields::IMM10.get(code)));
    let store = Store { chip, vd, mod0, addr };

    // The lanes.
    for lane in 0..LANES {
        if lane_config(tensix.small, lane).bit(bit::BLOCK_DEST_WR_FROM_SFPU) {
            continue;
        }
        if vd.get() < 12 || lane_config(tensix.small, lane).bit(bit::DISABLE_BACKDOOR_LOAD) {
            if is_lane_enabled(tensix.small, lane) || mod0.get() == mod0::INT32_ALL {
                store.lane(tensix, lane)?;
            }
        }
    }

    // The counters of Dst, SrcA and SrcB move on; the fidelity phase does not.
    let addr_mod = U::new(match chip {
        Chip::Wormhole => fields::ADDR_MOD.get(code),
        Chip::Blackhole => fields::ADDR_MOD_BH.get(code),
    });
    apply_partial_addr_mod(chip, tensix.small, addr_mod)
}

/// `ConfigState`, the bank of `Config` that the thread uses, and the thread's `ThreadConfig`.
fn config_state(small: &Small) -> (&[u32; CONFIG_WORDS], &[u16; THREAD_CONFIG_WORDS]) {
    let thread_config = &small.thread_config[current_thread(small)];
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(thread_config));
    (&small.config[state_id.index()], thread_config)
}

fn current_thread(small: &Small) -> usize {
    U::<2>::new(small.current_thread).index()
}

/// Makes something definite of `MOD0_FMT_SRCB`.
fn resolve_mod0(chip: Chip, small: &Small, mod0: U<4>) -> U<4> {
    let (config_state, thread_config) = config_state(small);
    if mod0.get() != mod0::SRCB {
        return mod0;
    }
    if config::ALU_ACC_CTRL_SFPU_Fp32_enabled.get(config_state) != 0 {
        return U::new(mod0::FP32);
    }
    let mut srcb_fmt = U::<4>::new(if config::ALU_FORMAT_SPEC_REG_SrcB_override.get(config_state) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcB_val.get(config_state)
    } else {
        config::ALU_FORMAT_SPEC_REG1_SrcB.get(config_state)
    });
    match chip {
        Chip::Wormhole => {}
        // TX-30: the format that Blackhole implies for SrcB is on no page that this one calls, so it plays no part.
        Chip::Blackhole => {
            if blackhole::SFPU_DEST_FMT_Enable.get(thread_config) != 0 {
                srcb_fmt = U::new(blackhole::SFPU_DEST_FMT_Base.get(thread_config));
            }
        }
    }
    // TX-33: the codes without a name are not in the set.
    if matches!(srcb_fmt.get(), FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16) {
        U::new(mod0::BF16)
    } else {
        U::new(mod0::FP16)
    }
}

/// `Addr`: the upper eight bits select four rows of `Dst`, and bit 1 the odd columns.
///
/// On Blackhole `MOD0_FMT_INT32_ALL` pushes on the thread's stack of rows on the way.
fn dst_address(chip: Chip, small: &mut Small, mod0: U<4>, imm10: U<10>) -> U<10> {
    let thread = current_thread(small);
    let (config_state, thread_config) = config_state(small);
    let mut addr = imm10 + U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
    let dst_offset = U::<10>::new(small.rwcs[thread].dst) + U::new(config::DEST_REGW_BASE_Base.get(config_state));
    match chip {
        Chip::Wormhole => {
            if mod0.get() == mod0::INT32_ALL {
                addr += dst_offset & 3;
            } else {
                addr += dst_offset;
            }
        }
        Chip::Blackhole => {
            let sp_offset = U::<10>::new(small.sp[thread]) + U::new(blackhole::DEST_SP_BASE_Base.get(config_state));
            let stack_incr = U::<10>::new(blackhole::SFPU_STACK_Incr.get(thread_config));
            if mod0.get() == mod0::INT32_ALL {
                addr += sp_offset + (dst_offset & 3);
                // TX-31: the page gives Sp no width; it has ten bits here.
                small.sp[thread] = (U::<10>::new(small.sp[thread]) + stack_incr).get();
            } else {
                addr += dst_offset + (sp_offset & 3);
            }
        }
    }
    addr
}

/// What all lanes of one `SFPSTORE` have in common.
struct Store {
    chip: Chip,
    vd: U<4>,
    mod0: U<4>,
    addr: U<10>,
}

impl Store {
    /// The body of the loop, for a lane that moves.
    fn lane(&self, tensix: &mut Tensix<'_>, lane: u32) -> ControlFlow<Expectation> {
        let datum = tensix.lreg(self.vd.index(), U::<5>::new(lane).index());
        let row = (self.addr & !3) + U::new(lane / 8);
        let mut column = U::<4>::new((lane & 7) * 2);
        if (self.addr & 2).get() != 0 || lane_config(tensix.small, lane & 7).bit(bit::DEST_WR_COL_EXCHANGE) {
            column += U::new(1);
        }
        match self.mod0.get() {
            mod0::FP16 => self.write16(tensix, row, column, dst_encode_fp16(to_fp16(datum))),
            mod0::BF16 => self.write16(tensix, row, column, dst_encode_bf16(to_bf16(datum))),
            mod0::FP32 => self.write32(tensix, row, column, dst_encode_fp32(to_fp32(datum))),
            mod0::INT32 => self.write32(tensix, row, column, dst_encode_fp32(datum)),
            mod0::INT32_ALL => self.write32(tensix, row, column, dst_encode_fp32(datum)),
            mod0::INT32_SM => match self.chip {
                Chip::Wormhole => self.write32(tensix, row, column, dst_encode_fp32(to_sign_mag(datum))),
                // Blackhole converts nothing.
                Chip::Blackhole => self.write32(tensix, row, column, dst_encode_fp32(datum)),
            },
            mod0::INT8 => self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(datum))),
            mod0::INT8_COMP => match self.chip {
                Chip::Wormhole => {
                    self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(to_sign_mag(datum))))
                }
                // Blackhole converts nothing.
                Chip::Blackhole => self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(datum))),
            },
            mod0::LO16_ONLY => self.write16(tensix, row, column, U::new(datum & 0xffff)),
            mod0::HI16_ONLY => self.write16(tensix, row, column, U::new(datum >> 16)),
            mod0::INT16 => self.write16(tensix, row, column, U::new(((datum >> 31) << 15) | (datum & 0x7fff))),
            mod0::UINT16 => self.write16(tensix, row, column, U::new(datum & 0xffff)),
            mod0::LO16 => self.write32(tensix, row, column, datum.rotate_left(16)),
            mod0::HI16 => self.write32(tensix, row, column, datum),
            mod0::ZERO => self.write16(tensix, row, column, U::new(0)),
            other => unreachable!("MOD0_FMT_SRCB was resolved, and Mod0 has four bits: {other}"),
        }
    }

    /// Assigns to `Dst16b[Row][Column]`.
    fn write16(&self, tensix: &mut Tensix<'_>, row: U<10>, column: U<4>, value: U<16>) -> ControlFlow<Expectation> {
        dst::store_dst16b(self.chip, tensix, row, column.index(), value)
    }

    /// Assigns to `Dst32b[Row][Column]`.
    fn write32(&self, tensix: &mut Tensix<'_>, row: U<10>, column: U<4>, value: u32) -> ControlFlow<Expectation> {
        dst::store_dst32b(self.chip, tensix, row, column.index(), value)
    }
}

/// `ToFP16`: FP32 to `Sign,Exp(5b),Man(10b)`.
fn to_fp16(x: u32) -> U<16> {
    let sign = x >> 31;
    let mut exp = ((x >> 23) & 0xff).cast_signed() - 112;
    let mut man = x & 0x007f_ffff;
    if exp <= 0 {
        // Too small, or a denormal: a zero with its sign.
        exp = 0;
        man = 0;
    } else if exp > 31 {
        // Too large, infinite or NaN: the largest magnitude that there is.
        exp = 31;
        man = 0x007f_ffff;
    }
    man >>= 13;
    U::new((sign << 15) | (exp.cast_unsigned() << 10) | man)
}

/// `ToBF16`: FP32 to `Sign,Exp(8b),Man(7b)`, a denormal to a zero with its sign.
fn to_bf16(x: u32) -> U<16> {
    let sign = x & 0x8000_0000;
    let exp = x & 0x7f80_0000;
    let mut man = x & 0x007f_ffff;
    if exp == 0 {
        man = 0;
    }
    U::new((sign | exp | man) >> 16)
}

/// `ToFP32`: FP32 to FP32, a denormal to a zero with its sign.
fn to_fp32(x: u32) -> u32 {
    let sign = x & 0x8000_0000;
    let exp = x & 0x7f80_0000;
    let mut man = x & 0x007f_ffff;
    if exp == 0 {
        man = 0;
    }
    sign | exp | man
}

/// `ToSignMag`, of Wormhole: two's complement to a sign and a magnitude of 31 bits.
fn to_sign_mag(x: u32) -> u32 {
    let sign = x & 0x8000_0000;
    let mag = if sign != 0 { x.wrapping_neg() } else { x };
    sign | (mag & 0x7fff_ffff)
}

/// `SignMag11ToFP16`: a sign and the low ten bits of a magnitude to `Sign,Exp(5b),Man(10b)`, the exponent always 16.
fn sign_mag11_to_fp16(x: u32) -> U<16> {
    let sign = (x >> 31) << 15;
    let exp = 16_u32 << 10;
    let man = x & 0x3ff;
    U::new(sign | exp | man)
}

#[cfg(test)]
mod tests {
    use tandem_isa::State;
    use tandem_isa::tensix::{BLACKHOLE, WORMHOLE};

    use super::*;

    const CHIPS: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

    fn base_state(chip: Chip) -> State {
        match chip {
            Chip::Wormhole => WORMHOLE.base_state(),
            Chip::Blackhole => BLACKHOLE.base_state(),
        }
    }

    fn word(vd: u32, mode: u32, imm10: u32) -> [u32; 1] {
        let mut code = [0x7200_0000];
        fields::VD.set(&mut code, vd);
        fields::MOD0.set(&mut code, mode);
        fields::IMM10.set(&mut code, imm10);
        code
    }

    #[test]
    fn to_fp16_truncates_saturates_and_flushes() {
        for high in 0..0x1_0000_u32 {
            for low in [0, 1, 0x1fff, 0xffff] {
                let x = high << 16 | low;
                let (sign, exp, man) = (x / 0x8000_0000, x / 0x80_0000 % 256, x % 0x80_0000);
                let magnitude = match exp {
                    0..=112 => 0,
                    113..=143 => (exp - 112) * 1024 + man / 0x2000,
                    _ => 0x7fff,
                };
                assert_eq!(to_fp16(x).get(), sign * 0x8000 + magnitude, "{x:#x}");
            }
        }
    }

    #[test]
    fn bf16_and_fp32_flush_denormals_only() {
        for high in 0..0x1_0000_u32 {
            for low in [0, 1, 0xffff] {
                let x = high << 16 | low;
                let denormal = high % 0x8000 < 0x80;
                let flushed = if denormal { high / 0x8000 * 0x8000_0000 } else { x };
                assert_eq!(to_fp32(x), flushed, "{x:#x}");
                assert_eq!(to_bf16(x).get(), flushed / 0x1_0000, "{x:#x}");
            }
        }
    }

    #[test]
    fn the_least_integer_becomes_negative_zero() {
        for (x, expected) in [
            (0, 0),
            (5, 5),
            (i32::MAX, 0x7fff_ffff),
            (-1, 0x8000_0001),
            (-i32::MAX, 0xffff_ffff),
            (i32::MIN, 0x8000_0000),
        ] {
            assert_eq!(to_sign_mag(x.cast_unsigned()), expected, "{x}");
        }
    }

    #[test]
    fn each_mode_makes_of_a_datum_what_its_line_says() {
        // 0xc1b5_8765 is sign 1, exponent 0x83 (19 after the rebias to five bits), mantissa 0x35_8765.
        let x = 0xc1b5_8765_u32;
        let negated = x.wrapping_neg() | 0x8000_0000;
        let shuffled = |x: u32| [(x >> 16 & 0x8000) | (x >> 16 & 0x7f) << 8 | x >> 23 & 0xff, x & 0xffff];
        let keep = 0x5555;
        for (mode, wormhole, blackhole) in [
            (mod0::FP16, [0x8000 | (0x35_8765 >> 13) << 5 | 19, keep], None),
            (mod0::BF16, [0x8000 | 0x35 << 8 | 0x83, keep], None),
            (mod0::FP32, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32_ALL, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32_SM, shuffled(negated), Some(shuffled(x))),
            (mod0::INT8, [0x8000 | 0x365 << 5 | 16, keep], None),
            (mod0::INT8_COMP, [0x8000 | 0x09b << 5 | 16, keep], Some([0x8000 | 0x365 << 5 | 16, keep])),
            (mod0::LO16_ONLY, [0x8765, keep], None),
            (mod0::HI16_ONLY, [0xc1b5, keep], None),
            (mod0::INT16, [0x8765, keep], None),
            (mod0::UINT16, [0x8765, keep], None),
            (mod0::LO16, [0x8765, 0xc1b5], None),
            (mod0::HI16, [0xc1b5, 0x8765], None),
            (mod0::ZERO, [0, keep], None),
            // With nothing configured, SrcB is FP32, so the mode is BF16.
            (mod0::SRCB, [0x8000 | 0x35 << 8 | 0x83, keep], None),
        ] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                for row in 0..16 {
                    tensix.dst_row_mut(row).fill(0x5555);
                }
                tensix.lreg_row_mut(11).fill(x);
                assert_eq!(execute(chip, Edition::Newest, &word(11, mode, 0), tensix), Expectation::Done);
                let expected = if chip == Chip::Blackhole { blackhole.unwrap_or(wormhole) } else { wormhole };
                for row in 0..16 {
                    for column in 0..16 {
                        let reached = column % 2 == 0 && row % 8 < 4;
                        let word = if reached { expected[row / 8] } else { keep };
                        let found = u32::from(tensix.dst_bits(row, column));
                        assert_eq!(found, word, "{mode} {chip:?} row {row} column {column}");
                    }
                }
            }
        }
    }

    #[test]
    fn blackhole_pushes_after_it_has_addressed() {
        for (mode, after, row) in [(mod0::INT32_ALL, 1, 1020 - 4 + 16), (mod0::INT32, 1021, 16 + 4)] {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            blackhole::DEST_SP_BASE_Base.set(&mut tensix.small.config[0], 12);
            config::DEST_REGW_BASE_Base.set(&mut tensix.small.config[0], 16);
            blackhole::SFPU_STACK_Incr.set(&mut tensix.small.thread_config[0], 4);
            (tensix.small.sp[0], tensix.small.rwcs[0].dst) = (1021, 4);
            let addr = dst_address(Chip::Blackhole, tensix.small, U::new(mode), U::new(0));
            assert_eq!(((addr & !3).get(), tensix.small.sp[0]), (row % 1024, after), "{mode}");
        }
    }

    #[test]
    fn lanes_that_are_blocked_or_disabled_store_nothing_but_int32_all_heeds_only_the_block() {
        for (mode, stored) in [(mod0::INT32, [1, 9, 9]), (mod0::INT32_ALL, [1, 1, 9])] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.lreg_row_mut(7).fill(1);
                tensix.dst_row_mut(8).fill(9);
                tensix.small.use_lane_flags_for_lane_enable = 2;
                tensix.small.lane_config[2] = 1 << bit::BLOCK_DEST_WR_FROM_SFPU;
                assert_eq!(execute(chip, Edition::Newest, &word(7, mode, 0), tensix), Expectation::Done);
                assert_eq!([0, 2, 4].map(|column| tensix.dst_bits(8, column)), stored);
            }
        }
    }

    #[test]
    fn a_store_to_an_invalid_row_is_undefined_if_a_lane_moves() {
        for (mode, invalid, undefined) in
            [(mod0::ZERO, 3, true), (mod0::UINT16, 4, false), (mod0::INT32, 3, true), (mod0::INT32, 11, false)]
        {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.set_dst_row_valid(invalid, false);
                let answer = execute(chip, Edition::Newest, &word(0, mode, 0), tensix);
                assert_eq!(matches!(answer, Expectation::Undefined(_)), undefined, "{mode} {invalid}");
                tensix.small.lane_flags = 0;
                tensix.small.use_lane_flags_for_lane_enable = u32::MAX;
                assert_eq!(execute(chip, Edition::Newest, &word(0, mode, 0), tensix), Expectation::Done);
                assert!(!tensix.dst_row_valid(invalid));
            }
        }
    }

    #[test]
    fn from_vd_12_on_a_store_stores_only_with_the_back_door_shut_in_every_lane() {
        for vd in 11..16 {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            tensix.lreg_row_mut(U::<4>::new(vd).index()).fill(0x77);
            tensix.small.lane_config.fill(1 << bit::DISABLE_BACKDOOR_LOAD);
            let code = word(vd, mod0::UINT16, 2);
            assert_eq!(execute(Chip::Blackhole, Edition::Newest, &code, tensix), Expectation::Done);
            assert_eq!((tensix.dst_bits(3, 14), tensix.dst_bits(3, 15)), (0, 0x77));
            tensix.small.lane_config[7] = 0xf << bit::ROW_MASK;
            let open = execute(Chip::Blackhole, Edition::Newest, &code, tensix);
            assert_eq!(matches!(open, Expectation::Unspecified(_)), vd >= 12);
        }
    }
}
