//! The address in `Dst`, of ten bits, and the stack pointer of Blackhole.
//!
//! *Source*: pages SFPLOAD and SFPSTORE (the second part of the functional model).

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::sfpload::{IMM10, mod0};

use super::{Flaw, Sfpu};

impl Sfpu<'_> {
    /// The address; on Blackhole, `Sp` moves on the way.
    pub(super) fn address(&mut self, mode: u32) -> u32 {
        let all = mode == mod0::INT32_ALL;
        let mut address = self.imm10() + self.math_offset();
        let dst_offset = self.dst_offset();
        let low = self.low_dst_offset();
        if self.chip == Chip::Wormhole {
            address += if all { low } else { dst_offset };
        } else {
            let sp_offset = self.sp_offset(all);
            address += if all {
                sp_offset + low
            } else if self.slips(Flaw::LoadSpFullOtherwise, Flaw::StoreSpFullOtherwise) {
                dst_offset + sp_offset
            } else if self.slips(Flaw::LoadSpNoneOtherwise, Flaw::StoreSpNoneOtherwise) {
                dst_offset
            } else {
                dst_offset + (sp_offset & 3)
            };
        }
        if self.slips(Flaw::LoadAddressSaturates, Flaw::StoreAddressSaturates) {
            address.min(0x3ff)
        } else if self.slips(Flaw::LoadAddressNineBits, Flaw::StoreAddressNineBits) {
            address & 0x1ff
        } else {
            address & 0x3ff
        }
    }

    /// The ten bits of an offset that count; to cut the others earlier than the sum makes no difference.
    fn ten_bits(&self, offset: u32) -> u32 {
        let cut = self.slips(Flaw::LoadControlOffsetsTenBits, Flaw::StoreControlOffsetsTenBits);
        if cut { offset & 0x3ff } else { offset }
    }

    fn imm10(&self) -> u32 {
        let imm10 = IMM10.get(self.code);
        if self.slips(Flaw::LoadImmNineBits, Flaw::StoreImmNineBits) { imm10 & 0x1ff } else { imm10 }
    }

    fn math_offset(&self) -> u32 {
        let field = config::DEST_TARGET_REG_CFG_MATH_Offset;
        if self.slips(Flaw::LoadMathOffsetIgnored, Flaw::StoreMathOffsetIgnored) {
            0
        } else if self.slips(Flaw::LoadMathOffsetOfThread0, Flaw::StoreMathOffsetOfThread0) {
            self.thread_config_of_thread_0(field)
        } else if self.slips(Flaw::LoadMathOffsetNineBits, Flaw::StoreMathOffsetNineBits) {
            self.thread_config(field) & 0x1ff
        } else {
            self.ten_bits(self.thread_config(field))
        }
    }

    fn rwc_dst(&mut self) -> u32 {
        let rwc = *self.rwc();
        if self.slips(Flaw::LoadRwcDstIgnored, Flaw::StoreRwcDstIgnored) {
            0
        } else if self.slips(Flaw::LoadRwcDstCrUsed, Flaw::StoreRwcDstCrUsed) {
            rwc.dst_cr
        } else {
            rwc.dst
        }
    }

    fn regw_base(&self) -> u32 {
        let base = self.config(config::DEST_REGW_BASE_Base);
        if self.slips(Flaw::LoadRegwBaseIgnored, Flaw::StoreRegwBaseIgnored) {
            0
        } else if self.slips(Flaw::LoadRegwBaseEightBits, Flaw::StoreRegwBaseEightBits) {
            base & 0xff
        } else {
            self.ten_bits(base)
        }
    }

    fn dst_offset(&mut self) -> u32 {
        self.rwc_dst() + self.regw_base()
    }

    /// What `INT32_ALL` adds of it: two bits.
    fn low_dst_offset(&mut self) -> u32 {
        let dst_offset = self.dst_offset();
        if self.slips(Flaw::LoadAllFullOffset, Flaw::StoreAllFullOffset) {
            dst_offset
        } else if self.slips(Flaw::LoadAllNoOffset, Flaw::StoreAllNoOffset) {
            0
        } else if self.slips(Flaw::LoadAllThreeBits, Flaw::StoreAllThreeBits) {
            dst_offset & 7
        } else if self.slips(Flaw::LoadAllSumsLate, Flaw::StoreAllSumsLate) {
            (self.rwc_dst() & 3) + (self.regw_base() & 3)
        } else {
            dst_offset & 3
        }
    }

    // ---------------------------------------------------------------------------------------- the stack

    /// `Sp`; zero on Wormhole.
    pub(super) fn sp(&mut self) -> &mut u32 {
        let first = self.slips(Flaw::LoadSpOfThread0, Flaw::StoreSpOfThread0);
        &mut self.tensix.small.sp[if first { 0 } else { self.thread }]
    }

    /// `SpOffset`. `INT32_ALL` moves `Sp`: a load pops before it reads, a store pushes after it was told where to write.
    fn sp_offset(&mut self, all: bool) -> u32 {
        let moves = (all || self.slips(Flaw::LoadSpMovedOtherwise, Flaw::StoreSpMovedOtherwise))
            && !self.slips(Flaw::LoadSpNotMoved, Flaw::StoreSpNotMoved);
        let moves_first = self.loads != self.slips(Flaw::LoadSpOrder, Flaw::StoreSpOrder);
        if moves && moves_first {
            self.move_sp();
        }
        let sp = *self.sp();
        if moves && !moves_first {
            self.move_sp();
        }
        let sp = if self.slips(Flaw::LoadSpIgnored, Flaw::StoreSpIgnored) { 0 } else { sp };
        if self.slips(Flaw::LoadSpBaseIgnored, Flaw::StoreSpBaseIgnored) {
            sp
        } else {
            sp + self.ten_bits(self.config(blackhole::DEST_SP_BASE_Base))
        }
    }

    fn move_sp(&mut self) {
        let mut incr = if self.slips(Flaw::LoadSpIncrOfThread0, Flaw::StoreSpIncrOfThread0) {
            self.thread_config_of_thread_0(blackhole::SFPU_STACK_Incr)
        } else {
            self.thread_config(blackhole::SFPU_STACK_Incr)
        };
        if self.slips(Flaw::LoadSpMovedTwice, Flaw::StoreSpMovedTwice) {
            incr *= 2;
        }
        let pops = self.loads != self.slips(Flaw::LoadSpReversed, Flaw::StoreSpReversed);
        let saturates = self.slips(Flaw::LoadSpSaturates, Flaw::StoreSpSaturates);
        let sp = *self.sp();
        if self.loads && sp == 0 && !self.has(Flaw::LoadSpPopsEmpty) {
            return;
        }
        *self.sp() = match (pops, saturates) {
            (true, true) => sp.saturating_sub(incr),
            (true, false) => sp.wrapping_sub(incr) & 0x3ff,
            (false, true) => (sp + incr).min(0x3ff),
            (false, false) => (sp + incr) & 0x3ff,
        };
    }
}
