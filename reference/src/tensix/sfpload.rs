//! `SFPLOAD`: move up to 32 data from `Dst` to an `LReg`.
//!
//! *Source*: page SFPLOAD, commits 39304719 (Wormhole, edition `spec`), 545c98a3 (Wormhole, edition `newest`) and
//! 0f3f6b70 (Blackhole, both editions). The three texts have the same order; where they differ, the line here says how.
//!
//! After an outcome that promises nothing the state is of no meaning: lanes may be loaded in part.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::inst::sfpload::{self as fields, mod0};
use tandem_isa::tensix::{Chip, Small, Tensix};
use tandem_isa::{Edition, Expectation};

use super::dst::{self, dst_decode_bf16, dst_decode_fp32};
use super::lanes::{self, LANES, is_lane_enabled, lane_config, lane_config_bit as bit};
use super::rwcs::apply_partial_addr_mod;
use crate::bits::U;

/// Executes an `SFPLOAD`. *Source*: section Functional model.
pub fn execute(chip: Chip, edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    let vd = U::<4>::new(fields::VD.get(code));
    // TX-??: page SFPCONFIG takes such an instruction for something else before this page has a say.
    if let Some(expectation) = lanes::backdoor(chip, tensix.small, vd) {
        return expectation;
    }
    match run(chip, edition, code, vd, tensix) {
        ControlFlow::Continue(()) => Expectation::Done,
        ControlFlow::Break(expectation) => expectation,
    }
}

/// The functional model, from the first line to the last.
fn run(chip: Chip, edition: Edition, code: &[u32], vd: U<4>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let mod0 = resolve_mod0(chip, tensix.small, U::new(fields::MOD0.get(code)));
    let addr = dst_address(chip, tensix.small, mod0, U::new(fields::IMM10.get(code)));
    let load = Load { chip, edition, vd, mod0, addr };

    // The lanes.
    if vd.get() < 8 {
        for lane in 0..LANES {
            if lane_config(tensix.small, lane).bit(bit::BLOCK_SFPU_RD_FROM_DEST) {
                continue;
            }
            if is_lane_enabled(tensix.small, lane) || mod0.get() == mod0::INT32_ALL {
                load.lane(tensix, lane)?;
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
        // TX-??: the format that Blackhole implies for SrcB is on no page that this one calls, so it plays no part.
        Chip::Blackhole => {
            if blackhole::SFPU_DEST_FMT_Enable.get(thread_config) != 0 {
                srcb_fmt = U::new(blackhole::SFPU_DEST_FMT_Base.get(thread_config));
            }
        }
    }
    // TX-??: the codes without a name are not in the set.
    if matches!(srcb_fmt.get(), FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16) {
        U::new(mod0::BF16)
    } else {
        U::new(mod0::FP16)
    }
}

/// `Addr`: the upper eight bits select four rows of `Dst`, and bit 1 the odd columns.
///
/// On Blackhole `MOD0_FMT_INT32_ALL` pops the thread's stack of rows on the way.
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
            let dest_sp_base = U::<10>::new(blackhole::DEST_SP_BASE_Base.get(config_state));
            let stack_incr = U::<10>::new(blackhole::SFPU_STACK_Incr.get(thread_config));
            if mod0.get() == mod0::INT32_ALL {
                if small.sp[thread] != 0 {
                    // TX-??: the page gives Sp no width; it has ten bits here.
                    small.sp[thread] = (U::<10>::new(small.sp[thread]) - stack_incr).get();
                }
                let sp_offset = U::<10>::new(small.sp[thread]) + dest_sp_base;
                addr += sp_offset + (dst_offset & 3);
            } else {
                let sp_offset = U::<10>::new(small.sp[thread]) + dest_sp_base;
                addr += dst_offset + (sp_offset & 3);
            }
        }
    }
    addr
}

/// What all lanes of one `SFPLOAD` have in common.
struct Load {
    chip: Chip,
    edition: Edition,
    /// Below 8.
    vd: U<4>,
    mod0: U<4>,
    addr: U<10>,
}

impl Load {
    /// The body of the loop, for a lane that moves.
    fn lane(&self, tensix: &mut Tensix<'_>, lane: u32) -> ControlFlow<Expectation> {
        let config = lane_config(tensix.small, lane);
        let row = (self.addr & !3) + U::new(lane / 8);
        let mut column = U::<4>::new((lane & 7) * 2);
        if (self.addr & 2).get() != 0 || lane_config(tensix.small, lane & 7).bit(bit::DEST_RD_COL_EXCHANGE) {
            column += U::new(1);
        }
        let datum = self.datum(tensix, lane, row, column)?;
        let lane = U::<5>::new(lane).index();
        tensix.set_lreg(self.vd.index(), lane, datum);
        if self.vd.get() < 4 && config.bit(bit::ENABLE_DEST_INDEX) && config.bit(bit::CAPTURE_DEFAULT_DEST_INDEX) {
            tensix.set_lreg((self.vd + U::new(4)).index(), lane, (row.get() << 4) | column.get());
        }
        ControlFlow::Continue(())
    }

    /// The switch over `Mod0`: `Datum`.
    fn datum(&self, tensix: &mut Tensix<'_>, lane: u32, row: U<10>, column: U<4>) -> ControlFlow<Expectation, u32> {
        let chip = self.chip;
        let place = (self.vd.index(), U::<5>::new(lane).index());
        let column = column.index();
        ControlFlow::Continue(match self.mod0.get() {
            mod0::FP16 => {
                let enable_fp16a_inf = lane_config(tensix.small, lane).bit(bit::ENABLE_FP16A_INF);
                read_fp16(dst::load_dst16b(chip, tensix, row, column)?, enable_fp16a_inf)
            }
            mod0::BF16 => self.decode_bf16(dst::load_dst16b(chip, tensix, row, column)?).get() << 16,
            mod0::FP32 => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            mod0::INT32 => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            mod0::INT32_ALL => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            mod0::INT32_SM => {
                let x = self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?);
                match chip {
                    Chip::Wormhole => sign_mag_to_twos_comp(x),
                    // Blackhole converts nothing.
                    Chip::Blackhole => x,
                }
            }
            mod0::INT8 => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                match chip {
                    Chip::Wormhole => sign_mag8_to_sign_mag32(x),
                    // Blackhole takes in one more bit of the magnitude.
                    Chip::Blackhole => sign_mag9_to_sign_mag32(x),
                }
            }
            mod0::INT8_COMP => {
                let x = sign_mag11_to_sign_mag32(dst::load_dst16b(chip, tensix, row, column)?);
                match chip {
                    Chip::Wormhole => sign_mag_to_twos_comp(x),
                    // Blackhole converts nothing.
                    Chip::Blackhole => x,
                }
            }
            mod0::LO16_ONLY => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                (tensix.lreg(place.0, place.1) & 0xffff_0000) | x.get()
            }
            mod0::HI16_ONLY => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                (x.get() << 16) | (tensix.lreg(place.0, place.1) & 0x0000_ffff)
            }
            mod0::INT16 => sign_mag16_to_sign_mag32(dst::load_dst16b(chip, tensix, row, column)?),
            mod0::UINT16 => dst::load_dst16b(chip, tensix, row, column)?.get(),
            mod0::LO16 => dst::load_dst16b(chip, tensix, row, column)?.get(),
            mod0::HI16 => dst::load_dst16b(chip, tensix, row, column)?.get() << 16,
            mod0::ZERO => {
                // TX-??: the page takes nothing from Dst here; a row that is not valid is no better for that.
                dst::consult_dst16b(chip, tensix, row)?;
                0
            }
            other => unreachable!("MOD0_FMT_SRCB was resolved, and Mod0 has four bits: {other}"),
        })
    }

    /// From the layout of `Dst` to that of the machine, 16 bits, by the name that each text has for it.
    fn decode_bf16(&self, x: U<16>) -> U<16> {
        match (self.chip, self.edition) {
            (Chip::Wormhole, Edition::Spec) => unshuffle_bf16(x),
            (Chip::Wormhole, Edition::Newest) | (Chip::Blackhole, _) => dst_decode_bf16(x),
        }
    }

    /// From the layout of `Dst` to that of the machine, 32 bits, by the name that each text has for it.
    fn decode_fp32(&self, x: u32) -> u32 {
        match (self.chip, self.edition) {
            (Chip::Wormhole, Edition::Spec) => unshuffle_fp32(x),
            (Chip::Wormhole, Edition::Newest) | (Chip::Blackhole, _) => dst_decode_fp32(x),
        }
    }
}

/// `ReadFP16`: `Sign,Man(10b),Exp(5b)` to FP32.
fn read_fp16(x: U<16>, enable_fp16a_inf: bool) -> u32 {
    let sign = (x >> 15).get();
    let mut man = ((x >> 5) & 0x3ff).get();
    let mut exp = (x & 0x1f).get();
    if enable_fp16a_inf && exp == 0x1f && man == 0x3ff {
        // The largest magnitude is infinity.
        (exp, man) = (255, 0);
    } else if exp != 0 {
        // From a bias of 15 to one of 127.
        exp += 112;
    } else {
        // A denormal keeps its mantissa bits, and so is another denormal.
    }
    (sign << 31) | (exp << 23) | (man << 13)
}

/// `SignMag8ToSignMag32`, of Wormhole: `Sign,-(3b),Mag(7b),-(5b)` to a sign and a magnitude of 31 bits.
fn sign_mag8_to_sign_mag32(x: U<16>) -> u32 {
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0x7f).get();
    (sign << 31) | mag
}

/// `SignMag9ToSignMag32`, of Blackhole: `Sign,-(2b),Mag(8b),-(5b)` to a sign and a magnitude of 31 bits.
fn sign_mag9_to_sign_mag32(x: U<16>) -> u32 {
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0xff).get();
    (sign << 31) | mag
}

/// `SignMag11ToSignMag32`: `Sign,Mag(10b),-(5b)` to a sign and a magnitude of 31 bits.
fn sign_mag11_to_sign_mag32(x: U<16>) -> u32 {
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0x3ff).get();
    (sign << 31) | mag
}

/// `SignMag16ToSignMag32`: `Sign,Mag(15b)` to a sign and a magnitude of 31 bits.
fn sign_mag16_to_sign_mag32(x: U<16>) -> u32 {
    let sign = (x >> 15).get();
    let mag = (x & 0x7fff).get();
    (sign << 31) | mag
}

/// `SignMagToTwosComp`, of Wormhole: a sign and a magnitude of 31 bits to two's complement.
fn sign_mag_to_twos_comp(x: u32) -> u32 {
    let sign = x & 0x8000_0000;
    let mag = x & 0x7fff_ffff;
    if sign != 0 { mag.wrapping_neg() } else { mag }
}

/// `UnshuffleFP32`, of edition `spec`: `Sign,ManHi(7b),Exp(8b),ManLo(16b)` to `Sign,Exp(8b),ManHi(7b),ManLo(16b)`.
fn unshuffle_fp32(x: u32) -> u32 {
    let mut hi = U::<16>::new(x >> 16);
    let lo = U::<16>::new(x & 0xffff);
    hi = unshuffle_bf16(hi);
    (hi.get() << 16) | lo.get()
}

/// `UnshuffleBF16`, of edition `spec`: `Sign,Man(7b),Exp(8b)` to `Sign,Exp(8b),Man(7b)`.
fn unshuffle_bf16(x: U<16>) -> U<16> {
    let sign = (x & 0x8000).get();
    let exp = (x & 0x00ff).get();
    let man = (x & 0x7f00).get();
    U::new(sign | (exp << 7) | (man >> 8))
}
