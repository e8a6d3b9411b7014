//! What the test kit compares with: the pages of `SFPLOAD` and `SFPSTORE` once more, lane by lane and by arithmetic,
//! as plainly as possible.

use tandem_isa::State;
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, Tensix, format};

use super::sfpu_kit::Which;

/// `Sign,Man,Exp` of `Dst` as `Sign,Exp,Man`, `exponent_bits` of 16 bits being the exponent.
fn decode(word: u32, exponent_bits: u32) -> u32 {
    let (sign, rest) = (word / 0x8000, word % 0x8000);
    let (mantissa, exponent) = (rest >> exponent_bits, rest % (1 << exponent_bits));
    sign * 0x8000 + (exponent << (15 - exponent_bits)) + mantissa
}

/// `Sign,Exp,Man` as `Sign,Man,Exp` of `Dst`.
fn encode(word: u32, exponent_bits: u32) -> u32 {
    let (sign, rest) = (word / 0x8000, word % 0x8000);
    let (exponent, mantissa) = (rest >> (15 - exponent_bits), rest % (1 << (15 - exponent_bits)));
    sign * 0x8000 + (mantissa << exponent_bits) + exponent
}

fn halves(high: u32, low: u32) -> u32 {
    high << 16 | low
}

fn signed(sign: u32, magnitude: u32) -> u32 {
    sign << 31 | magnitude
}

fn two_s_complement(sign: u32, magnitude: u32) -> u32 {
    (i64::from(magnitude) * if sign == 0 { 1 } else { -1 }) as u32
}

/// What the lane gets from a word of the 16-bit view, or from one of the 32-bit view where the mode is wide.
pub(crate) fn loaded(chip: Chip, mode: u32, dst: u32, infinity: bool, old: u32) -> u32 {
    let sign = dst / 0x8000;
    let fp32 = halves(decode(dst >> 16, 8), dst % 0x1_0000);
    let is_wormhole = chip == Chip::Wormhole;
    match mode {
        mod0::FP16 => match (dst % 32, dst / 32 % 1024) {
            (31, 1023) if infinity => sign << 31 | 255 << 23,
            (0, mantissa) => sign << 31 | mantissa << 13,
            (exponent, mantissa) => sign << 31 | (exponent + 112) << 23 | mantissa << 13,
        },
        mod0::BF16 => decode(dst, 8) << 16,
        mod0::FP32 | mod0::INT32 | mod0::INT32_ALL => fp32,
        mod0::INT32_SM if is_wormhole => two_s_complement(fp32 >> 31, fp32 % 0x8000_0000),
        mod0::INT32_SM => fp32,
        mod0::INT8 => signed(sign, dst / 32 % if is_wormhole { 128 } else { 256 }),
        mod0::INT8_COMP if is_wormhole => two_s_complement(sign, dst / 32 % 1024),
        mod0::INT8_COMP => signed(sign, dst / 32 % 1024),
        mod0::INT16 => signed(sign, dst % 0x8000),
        mod0::UINT16 | mod0::LO16 => dst,
        mod0::HI16 => dst << 16,
        mod0::LO16_ONLY => halves(old >> 16, dst),
        mod0::HI16_ONLY => halves(dst, old % 0x1_0000),
        mod0::ZERO => 0,
        _ => unreachable!("the mode is resolved"),
    }
}

fn sign_magnitude(datum: u32) -> u32 {
    let sign = datum >> 31;
    sign << 31 | (i64::from(datum.cast_signed()).unsigned_abs() % 0x8000_0000) as u32
}

/// What `Dst` gets from the lane: 16 bits, or 32 where the mode is wide.
pub(crate) fn stored(chip: Chip, mode: u32, datum: u32) -> u32 {
    let (sign, exponent, mantissa) = (datum >> 31, datum >> 23 & 0xff, datum % (1 << 23));
    let flushed = if exponent == 0 { sign << 31 } else { datum };
    let fp32 = |datum: u32| halves(encode(datum >> 16, 8), datum % 0x1_0000);
    let converted = if chip == Chip::Wormhole { sign_magnitude(datum) } else { datum };
    let int8 = |datum: u32| (datum >> 31 << 15) + datum % 1024 * 32 + 16;
    match mode {
        mod0::FP16 => {
            let (exponent, mantissa) = match exponent {
                0..=112 => (0, 0),
                113..=143 => (exponent - 112, mantissa >> 13),
                _ => (31, 1023),
            };
            encode(sign << 15 | exponent << 10 | mantissa, 5)
        }
        mod0::BF16 => encode(flushed >> 16, 8),
        mod0::FP32 => fp32(flushed),
        mod0::INT32 | mod0::INT32_ALL => fp32(datum),
        mod0::INT32_SM => fp32(converted),
        mod0::INT8 => int8(datum),
        mod0::INT8_COMP => int8(converted),
        mod0::INT16 => (sign << 15) + datum % 0x8000,
        mod0::UINT16 | mod0::LO16_ONLY => datum % 0x1_0000,
        mod0::HI16_ONLY => datum >> 16,
        mod0::LO16 => datum.rotate_left(16),
        mod0::HI16 => datum,
        mod0::ZERO => 0,
        _ => unreachable!("the mode is resolved"),
    }
}

/// Whether the mode uses the 32-bit view.
pub(crate) fn is_wide(which: Which, mode: u32) -> bool {
    match which {
        Which::Load => [mod0::FP32, mod0::INT32, mod0::INT32_ALL, mod0::INT32_SM].contains(&mode),
        Which::Store => {
            [mod0::FP32, mod0::INT32, mod0::INT32_ALL, mod0::INT32_SM, mod0::LO16, mod0::HI16].contains(&mode)
        }
    }
}

/// `Adj16`, or `Adj32`, bit by bit.
fn physical_row(access: u32, wide: bool, row: u32) -> usize {
    let bit = |row: u32, bit: u32| row >> bit & 1;
    let mut row = row;
    if access & 2 != 0 {
        // Bits 3, 4, 5 become the old bits 4, 5, 3.
        row = (row & !0x38) | bit(row, 4) << 3 | bit(row, 5) << 4 | bit(row, 3) << 5;
    }
    if wide && access & 1 != 0 {
        // Bits 2, 3 become the old bits 3, 4 xor 2; bit 4 stays.
        row = (row & !0xc) | bit(row, 3) << 2 | (bit(row, 4) ^ bit(row, 2)) << 3;
    }
    if wide {
        row = (row % 8 + row / 8 % 64 * 16) | (row & 512);
    }
    row as usize
}

/// Executes one instruction without marks in the log.
pub(crate) fn execute(chip: Chip, which: Which, code: u32, state: &mut State) {
    let code = [code];
    let mut tensix = Tensix::new(state);
    let small = *tensix.small;
    let current = small.current_thread as usize;
    let thread = |field: ThreadConfigField| field.get(&small.thread_config[current]);
    let config = |field: ConfigField| field.get(&small.config[thread(config::CFG_STATE_ID_StateID) as usize]);
    let is_blackhole = chip == Chip::Blackhole;

    let mut mode = MOD0.get(&code);
    if mode == mod0::SRCB {
        use format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
        let mut fmt = if config(config::ALU_FORMAT_SPEC_REG_SrcB_override) != 0 {
            config(config::ALU_FORMAT_SPEC_REG_SrcB_val)
        } else {
            config(config::ALU_FORMAT_SPEC_REG1_SrcB)
        };
        if is_blackhole && thread(blackhole::SFPU_DEST_FMT_Enable) != 0 {
            fmt = thread(blackhole::SFPU_DEST_FMT_Base);
        }
        mode = if config(config::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 {
            mod0::FP32
        } else if [FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16].contains(&fmt) {
            mod0::BF16
        } else {
            mod0::FP16
        };
    }

    let mut address = IMM10.get(&code) + thread(config::DEST_TARGET_REG_CFG_MATH_Offset);
    let dst_offset = (small.rwcs[current].dst + config(config::DEST_REGW_BASE_Base)) % 1024;
    if is_blackhole {
        let mut sp = small.sp[current];
        let incr = thread(blackhole::SFPU_STACK_Incr);
        if which == Which::Load && mode == mod0::INT32_ALL && sp != 0 {
            sp = (sp + 1024 - incr) % 1024;
        }
        let sp_offset = (sp + config(blackhole::DEST_SP_BASE_Base)) % 1024;
        address += if mode == mod0::INT32_ALL { sp_offset + dst_offset % 4 } else { dst_offset + sp_offset % 4 };
        if which == Which::Store && mode == mod0::INT32_ALL {
            sp = (sp + incr) % 1024;
        }
        tensix.small.sp[current] = sp;
    } else {
        address += if mode == mod0::INT32_ALL { dst_offset % 4 } else { dst_offset };
    }
    address %= 1024;

    let vd = VD.get(&code) as usize;
    let banks = tensix.banks_unmarked();
    let access = if is_blackhole { small.dest_access_cfg } else { 0 };
    for lane in 0..32 {
        let has = |bit: usize| small.lane_config[lane % 8] >> bit & 1 != 0;
        let (blocked, open, exchange) = match which {
            Which::Load => (has(5), vd < 8, has(6)),
            Which::Store => (has(4), vd < 12 || has(1), has(7)),
        };
        let enabled = !has(12 + lane / 8)
            && (small.use_lane_flags_for_lane_enable >> lane & 1 == 0 || small.lane_flags >> lane & 1 != 0);
        if blocked || !open || !(enabled || mode == mod0::INT32_ALL) {
            continue;
        }
        let row = address / 4 * 4 + lane as u32 / 8;
        let column = lane % 8 * 2 + usize::from(address & 2 != 0 || exchange);
        let wide = is_wide(which, mode);
        let at = physical_row(access, wide, row);
        match which {
            Which::Load => {
                let word = u32::from(banks.dst[at][column]);
                let dst = if wide { word << 16 | u32::from(banks.dst[at + 8][column]) } else { word };
                banks.lreg[vd][lane] = loaded(chip, mode, dst, has(0), banks.lreg[vd][lane]);
                if vd < 4 && has(2) && has(3) {
                    banks.lreg[vd + 4][lane] = row * 16 + column as u32;
                }
            }
            Which::Store => {
                let bits = stored(chip, mode, banks.lreg[vd][lane]);
                if wide {
                    banks.dst[at][column] = (bits >> 16) as u16;
                    banks.dst[at + 8][column] = bits as u16;
                } else {
                    banks.dst[at][column] = bits as u16;
                }
            }
        }
    }
    advance(chip, &code, state);
}

/// `ApplyPartialAddrMod`.
fn advance(chip: Chip, code: &[u32], state: &mut State) {
    let small = Tensix::new(state).small;
    let thread = &small.thread_config[small.current_thread as usize];
    let rwc = &mut small.rwcs[small.current_thread as usize];
    let (index, ab, dst, bias) = match chip {
        Chip::Wormhole => {
            let more = rwc.extra_addr_mod_bit != 0 || thread[2] & 1 != 0;
            let index = ADDR_MOD.get(code) as usize + if more { 4 } else { 0 };
            (index, 7 + 2 * index, 23, 48)
        }
        Chip::Blackhole => {
            let index = ADDR_MOD_BH.get(code) as usize;
            (index, 12 + index, 28, 47)
        }
    };
    let [ab, dst, bias] = [thread[ab], thread[dst + index], thread[bias + index]].map(u32::from);
    let sources = [(&mut rwc.srca, &mut rwc.srca_cr, ab), (&mut rwc.srcb, &mut rwc.srcb_cr, ab >> 8)];
    for (counter, carriage_return, word) in sources {
        if word & 0x80 != 0 {
            (*counter, *carriage_return) = (0, 0);
        } else if word & 0x40 != 0 {
            *carriage_return = (*carriage_return + word) % 64;
            *counter = *carriage_return;
        } else {
            *counter = (*counter + word) % 64;
        }
    }
    if dst & 0x800 != 0 {
        (rwc.dst, rwc.dst_cr) = (0, 0);
    } else if dst & 0x1000 != 0 {
        rwc.dst = (rwc.dst + dst) % 1024;
        rwc.dst_cr = rwc.dst;
    } else if dst & 0x400 != 0 {
        rwc.dst_cr = (rwc.dst_cr + dst) % 1024;
        rwc.dst = rwc.dst_cr;
    } else {
        rwc.dst = (rwc.dst + dst) % 1024;
    }
    if bias & 0x10 != 0 {
        rwc.extra_addr_mod_bit = 0;
    } else if bias % 4 != 0 {
        rwc.extra_addr_mod_bit = 1 - rwc.extra_addr_mod_bit;
    }
}
