//! `ApplyAddrMod`.
//!
//! *Source*: page RWCs.

use tandem_isa::tensix::config::{self, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::ADDR_MOD;

use super::{Flaw, Run};

/// What AddrMod says about one counter.
struct Control {
    incr: u32,
    clear: bool,
    c_to_cr: bool,
    cr: bool,
}

impl Run<'_> {
    pub(super) fn apply_addr_mod(&mut self) {
        let rwc = *self.rwc();
        let extra = rwc.extra_addr_mod_bit != 0 && !self.has(Flaw::ExtraBitIgnored);
        let set_base = self.thread_config(config::ADDR_MOD_SET_Base) != 0 && !self.has(Flaw::SetBaseIgnored);
        let mut index = ADDR_MOD.get(self.code) as usize;
        if self.has(Flaw::FourAddedTwice) && extra && set_base {
            index = (index + 8) % config::ADDR_MOD_SECTIONS;
        } else if extra || set_base {
            index += 4;
        }
        let ab = |field: ThreadConfigField| self.thread_config(field.section(index, config::ADDR_MOD_AB_STRIDE));
        let dst = |field: ThreadConfigField| self.thread_config(field.section(index, config::ADDR_MOD_DST_STRIDE));
        let bias = |field: ThreadConfigField| self.thread_config(field.section(index, config::ADDR_MOD_BIAS_STRIDE));

        let srca = Control {
            incr: ab(config::SrcAIncr),
            clear: ab(config::SrcAClear) != 0,
            c_to_cr: false,
            cr: ab(config::SrcACR) != 0,
        };
        let srcb_incr = if self.has(Flaw::SrcbBySrcaIncrement) { config::SrcAIncr } else { config::SrcBIncr };
        let srcb = Control {
            incr: ab(srcb_incr),
            clear: ab(config::SrcBClear) != 0,
            c_to_cr: false,
            cr: ab(config::SrcBCR) != 0,
        };
        let dest = Control {
            incr: dst(config::DestIncr) & if self.has(Flaw::DestIncrNineBits) { 0x1ff } else { 0x3ff },
            clear: dst(config::DestClear) != 0,
            c_to_cr: dst(config::DestCToCR) != 0,
            cr: dst(config::DestCR) != 0,
        };

        let mut next = rwc;
        let srca_last = if self.has(Flaw::SrcaWrapsLate) { 0x7f } else { 0x3f };
        (next.srca, next.srca_cr) = self.advance((rwc.srca, rwc.srca_cr), &srca, srca_last);
        if !self.has(Flaw::SrcbFrozen) {
            (next.srcb, next.srcb_cr) = self.advance((rwc.srcb, rwc.srcb_cr), &srcb, 0x3f);
        }
        let dst_last = if self.has(Flaw::DstWrapsLate) { 0x7ff } else { 0x3ff };
        (next.dst, next.dst_cr) = self.advance((rwc.dst, rwc.dst_cr), &dest, dst_last);
        if self.has(Flaw::FourWayCToCr) && dest.c_to_cr && !dest.clear && index == 7 && extra && set_base {
            next.dst_cr = rwc.dst_cr;
        }

        let fidelity_incr = dst(config::FidelityIncr) & if self.has(Flaw::FidelityOneBit) { 1 } else { 3 };
        let fidelity_clear = dst(config::FidelityClear) != 0 && !self.has(Flaw::FidelityNotCleared);
        let phase = rwc.fidelity_phase + fidelity_incr;
        next.fidelity_phase = if self.has(Flaw::AddrModPartial) {
            rwc.fidelity_phase
        } else if fidelity_clear {
            0
        } else if self.has(Flaw::FidelityWrapsLate) {
            phase & 7
        } else if self.has(Flaw::FidelitySaturates) {
            phase.min(3)
        } else {
            phase & 3
        };

        let counted = if self.has(Flaw::BiasAny) {
            0xf
        } else if self.has(Flaw::BiasOne) {
            1
        } else {
            3
        };
        let bias_advances = bias(config::BiasIncr) & counted != 0;
        let bias_clear = bias(config::BiasClear) != 0 && !(self.has(Flaw::BiasClearLast) && bias_advances);
        next.extra_addr_mod_bit = if self.has(Flaw::BiasIgnored) {
            rwc.extra_addr_mod_bit
        } else if bias_clear {
            0
        } else if bias_advances {
            if self.has(Flaw::BiasSets) { 1 } else { (rwc.extra_addr_mod_bit + 1) & 1 }
        } else {
            rwc.extra_addr_mod_bit
        };
        *self.rwc() = next;
    }

    /// A counter and its Cr after one step of AddrMod; both wrap after `last`.
    fn advance(&self, (value, cr): (u32, u32), control: &Control, last: u32) -> (u32, u32) {
        let add = |value: u32| {
            let sum = value + control.incr;
            if self.has(Flaw::CountersSaturate) { sum.min(last) } else { sum & last }
        };
        let cr_first = control.cr && self.has(Flaw::CrBeforeClear);
        let cr_before_c_to_cr = control.cr && self.has(Flaw::CrBeforeCToCr);
        if control.clear && !cr_first {
            (0, if self.has(Flaw::ClearKeepsCr) { cr } else { 0 })
        } else if control.c_to_cr && !cr_first && !cr_before_c_to_cr {
            let next = add(value);
            (next, if self.has(Flaw::CToCrKeepsCr) { cr } else { next })
        } else if control.cr {
            let next = if self.has(Flaw::CrWithoutIncrement) { cr } else { add(cr) };
            (if self.has(Flaw::CrKeepsCounter) { value } else { next }, next)
        } else {
            (add(value), cr)
        }
    }
}
