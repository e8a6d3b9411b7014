//! What the configuration of a thread says about data: formats, their widths, and what is flushed or cut.
//!
//! The formats are 16-bit sets, or a table of masks. `SrcAFmt` and `SrcBFmt` are selected by shifts from the configured ones and
//! the implied one: which format goes is data to whoever fuzzes.

use tandem_isa::tensix::config::{self, ThreadConfigField, blackhole};
use tandem_isa::tensix::{Chip, Small, format};

use super::instruction::Config;
use crate::bits::choose;

/// What the configuration of a thread says about moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modes {
    /// The format of `SrcA` that is configured, and in the next four bits that which goes instead of it.
    srca_fmts: u32,
    /// By how many bits the one that goes is to be shifted down: 0, 4, or 8 for the implied one.
    srca_shift: u32,
    srcb_fmts: u32,
    srcb_shift: u32,
    /// `FP16A_FORCE_Enable`.
    pub(crate) force: bool,
    /// `ALU_ACC_CTRL_Fp32_enabled`.
    pub(crate) fp32: bool,
    /// `ALU_ACC_CTRL_INT8_math_enabled`.
    pub(crate) int8: bool,
    /// 0 if denormals are flushed, else all ones.
    pub(crate) flushed_exponent: u32,
}

impl Modes {
    #[inline(always)]
    pub(crate) fn of(chip: Chip, small: &Small, thread: usize) -> Self {
        let words = &small.thread_config[thread];
        let config = Config::of(small, thread);
        let shift = |is_override: u32, not_implied: ThreadConfigField| match chip {
            Chip::Wormhole => 4 * is_override,
            Chip::Blackhole => choose(not_implied.get(words).wrapping_neg(), 4 * is_override, 8),
        };
        let force = chip.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);
        Modes {
            srca_fmts: config.get(config::ALU_FORMAT_SPEC_REG0_SrcA)
                | config.get(config::ALU_FORMAT_SPEC_REG_SrcA_val) << 4,
            srca_shift: shift(
                config.get(config::ALU_FORMAT_SPEC_REG_SrcA_override),
                blackhole::DISABLE_IMPLIED_SRCA_FMT_Base,
            ),
            srcb_fmts: config.get(config::ALU_FORMAT_SPEC_REG1_SrcB)
                | config.get(config::ALU_FORMAT_SPEC_REG_SrcB_val) << 4,
            srcb_shift: shift(
                config.get(config::ALU_FORMAT_SPEC_REG_SrcB_override),
                blackhole::DISABLE_IMPLIED_SRCB_FMT_Base,
            ),
            force: force.get(words) != 0,
            fp32: config.get(config::ALU_ACC_CTRL_Fp32_enabled) != 0,
            int8: config.get(config::ALU_ACC_CTRL_INT8_math_enabled) != 0,
            flushed_exponent: config.get(config::ALU_ACC_CTRL_Zero_Flag_disabled_src).wrapping_neg(),
        }
    }

    /// `SrcAFmt`, where a bank implies `implied`.
    #[inline(always)]
    pub(crate) const fn srca_fmt(&self, implied: u32) -> u32 {
        ((self.srca_fmts | implied << 8) >> self.srca_shift) & 0xf
    }

    /// `SrcBFmt`, where a bank implies `implied`.
    #[inline(always)]
    pub(crate) const fn srcb_fmt(&self, implied: u32) -> u32 {
        ((self.srcb_fmts | implied << 8) >> self.srcb_shift) & 0xf
    }
}

/// The bits of a datum that `TruncateSrc` keeps on Wormhole, by format.
const TRUNCATED: [u32; 16] = {
    let mut masks = [0x7_f8ff; 16];
    masks[format::FP16 as usize] = 0x7_ff1f;
    masks[FP8 as usize] = 0x7_ff1f;
    masks[BFP8A as usize] = 0x7_ff1f;
    masks[format::INT8 as usize] = 0x7_ff1f;
    masks[BFP4A as usize] = 0x7_f81f;
    masks[BFP2A as usize] = 0x7_f81f;
    masks[format::TF32 as usize] = 0x7_ffff;
    masks
};

const BFP8A: u32 = 2;
const BFP4A: u32 = 3;
const FP8: u32 = 10;
const BFP2A: u32 = 11;

/// The bits of a datum that `TruncateSrc` keeps.
#[inline(always)]
pub(crate) fn truncated(chip: Chip, fmt: u32) -> u32 {
    match chip {
        Chip::Wormhole => TRUNCATED[fmt as usize & 0xf],
        Chip::Blackhole => 0x7_ffff,
    }
}

/// The formats with which data become BF16 in `SrcA` or `SrcB`, bit = code point.
pub(crate) const BF16_STYLE: u32 = 1 << format::FP32
    | 1 << format::BF16
    | 1 << format::BFP8
    | 1 << format::BFP4
    | 1 << format::BFP2
    | 1 << format::INT32
    | 1 << format::INT16;

/// Those with which they become FP16. With the others they become TF32.
pub(crate) const FP16_STYLE: u32 =
    1 << format::FP16 | 1 << FP8 | 1 << BFP8A | 1 << BFP4A | 1 << BFP2A | 1 << format::INT8;

/// The formats with eight bits of exponent.
pub(crate) const EIGHT_BIT_EXPONENT: u32 = BF16_STYLE | 1 << format::TF32;
