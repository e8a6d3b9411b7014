//! What `MOD0_FMT_SRCB` stands for.
//!
//! *Source*: pages SFPLOAD and SFPSTORE (the first part of the functional model).

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::format;
use tandem_isa::tensix::inst::sfpload::{MOD0, mod0};

use super::{Flaw, Sfpu};

impl Sfpu<'_> {
    /// `Mod0`, never `MOD0_FMT_SRCB`.
    pub(super) fn mode(&self) -> u32 {
        let mode = MOD0.get(self.code);
        if mode != mod0::SRCB {
            return mode;
        }
        let fp32_field = if self.slips(Flaw::LoadFp32Used, Flaw::StoreFp32Used) {
            config::ALU_ACC_CTRL_Fp32_enabled
        } else {
            config::ALU_ACC_CTRL_SFPU_Fp32_enabled
        };
        let fp32 = self.config(fp32_field) != 0
            && !self.slips(Flaw::LoadSfpuFp32Ignored, Flaw::StoreSfpuFp32Ignored)
            && !(self.has_dest_fmt() && self.slips(Flaw::LoadDestFmtBeatsFp32, Flaw::StoreDestFmtBeatsFp32));
        if fp32 {
            if self.slips(Flaw::LoadSfpuFp32AsBf16, Flaw::StoreSfpuFp32AsBf16) {
                mod0::BF16
            } else if self.loads && self.has(Flaw::LoadControlSrcbInt32) {
                mod0::INT32
            } else {
                mod0::FP32
            }
        } else if self.stands_for_bf16(self.srcb_format()) {
            mod0::BF16
        } else {
            mod0::FP16
        }
    }

    /// Whether `SFPU_DEST_FMT` replaces the format: on Blackhole only.
    fn has_dest_fmt(&self) -> bool {
        let enabled = if self.slips(Flaw::LoadDestFmtOfThread0, Flaw::StoreDestFmtOfThread0) {
            self.thread_config_of_thread_0(blackhole::SFPU_DEST_FMT_Enable)
        } else {
            self.thread_config(blackhole::SFPU_DEST_FMT_Enable)
        };
        self.chip == Chip::Blackhole
            && !self.slips(Flaw::LoadDestFmtIgnored, Flaw::StoreDestFmtIgnored)
            && (enabled != 0 || self.slips(Flaw::LoadDestFmtAlways, Flaw::StoreDestFmtAlways))
    }

    fn srcb_format(&self) -> u32 {
        if self.has_dest_fmt() {
            return if self.slips(Flaw::LoadDestFmtOfThread0, Flaw::StoreDestFmtOfThread0) {
                self.thread_config_of_thread_0(blackhole::SFPU_DEST_FMT_Base)
            } else {
                self.thread_config(blackhole::SFPU_DEST_FMT_Base)
            };
        }
        if self.slips(Flaw::LoadSrcaFormatUsed, Flaw::StoreSrcaFormatUsed) {
            return if self.config(config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0 {
                self.config(config::ALU_FORMAT_SPEC_REG_SrcA_val)
            } else {
                self.config(config::ALU_FORMAT_SPEC_REG0_SrcA)
            };
        }
        let mut overridden = self.config(config::ALU_FORMAT_SPEC_REG_SrcB_override) != 0;
        if self.slips(Flaw::LoadOverrideInverted, Flaw::StoreOverrideInverted) {
            overridden = !overridden;
        }
        if overridden && !self.slips(Flaw::LoadOverrideIgnored, Flaw::StoreOverrideIgnored) {
            self.config(config::ALU_FORMAT_SPEC_REG_SrcB_val)
        } else {
            self.config(config::ALU_FORMAT_SPEC_REG1_SrcB)
        }
    }

    fn stands_for_bf16(&self, srcb_format: u32) -> bool {
        match srcb_format {
            format::FP32 => !self.slips(Flaw::LoadFp32Missing, Flaw::StoreFp32Missing),
            format::TF32 => !self.slips(Flaw::LoadTf32Missing, Flaw::StoreTf32Missing),
            format::BF16 => !self.slips(Flaw::LoadBf16Missing, Flaw::StoreBf16Missing),
            format::BFP8 => !self.slips(Flaw::LoadBfp8Missing, Flaw::StoreBfp8Missing),
            format::BFP4 => !self.slips(Flaw::LoadBfp4Missing, Flaw::StoreBfp4Missing),
            format::BFP2 => !self.slips(Flaw::LoadBfp2Missing, Flaw::StoreBfp2Missing),
            format::INT32 => !self.slips(Flaw::LoadInt32Missing, Flaw::StoreInt32Missing),
            format::INT16 => !self.slips(Flaw::LoadInt16Missing, Flaw::StoreInt16Missing),
            format::INT8 => self.slips(Flaw::LoadInt8Included, Flaw::StoreInt8Included),
            10 => self.slips(Flaw::LoadFp8Included, Flaw::StoreFp8Included),
            12 => self.slips(Flaw::LoadReserved12Included, Flaw::StoreReserved12Included),
            13 => self.slips(Flaw::LoadReserved13Included, Flaw::StoreReserved13Included),
            _ => false,
        }
    }
}
