//! `ApplyPartialAddrMod`.
//!
//! *Source*: page RWCs of Wormhole; on Blackhole, with an index of three bits and no `ADDR_MOD_SET_Base`.

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::config::{self, ADDR_MOD_SECTIONS, ThreadConfigField};
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH};

use super::{Flaw, Sfpu};

/// What AddrMod says about one counter.
struct Control {
    incr: u32,
    clear: bool,
    c_to_cr: bool,
    cr: bool,
}

impl Sfpu<'_> {
    pub(super) fn apply_partial_addr_mod(&mut self) {
        let rwc = *self.rwc();
        let index = self.section(rwc.extra_addr_mod_bit != 0);
        let sections = self.chip.addr_mod_sections();
        let ab = |field: ThreadConfigField| self.thread_config(field.of_section(sections.ab, index));
        let dst = |field: ThreadConfigField| self.thread_config(field.of_section(sections.dst, index));
        let bias = |field: ThreadConfigField| self.thread_config(field.of_section(sections.bias, index));

        let srca = Control {
            incr: ab(config::SrcAIncr),
            clear: ab(config::SrcAClear) != 0,
            c_to_cr: false,
            cr: ab(config::SrcACR) != 0,
        };
        let srcb = Control {
            incr: ab(config::SrcBIncr),
            clear: ab(config::SrcBClear) != 0,
            c_to_cr: false,
            cr: ab(config::SrcBCR) != 0,
        };
        let nine_bits = self.slips(Flaw::LoadDestIncrNineBits, Flaw::StoreDestIncrNineBits);
        let dest = Control {
            incr: dst(config::DestIncr) & if nine_bits { 0x1ff } else { 0x3ff },
            clear: dst(config::DestClear) != 0,
            c_to_cr: dst(config::DestCToCR) != 0,
            cr: dst(config::DestCR) != 0,
        };

        let mut next = rwc;
        if !self.slips(Flaw::LoadSrcaFrozen, Flaw::StoreSrcaFrozen) {
            (next.srca, next.srca_cr) = self.advance((rwc.srca, rwc.srca_cr), &srca, 0x3f);
        }
        if !self.slips(Flaw::LoadSrcbFrozen, Flaw::StoreSrcbFrozen) {
            (next.srcb, next.srcb_cr) = self.advance((rwc.srcb, rwc.srcb_cr), &srcb, 0x3f);
        }
        (next.dst, next.dst_cr) = self.advance((rwc.dst, rwc.dst_cr), &dest, 0x3ff);

        // The partial form leaves FidelityPhase alone.
        if self.slips(Flaw::LoadAddrModFull, Flaw::StoreAddrModFull) {
            let phase = (rwc.fidelity_phase + dst(config::FidelityIncr)) & 3;
            next.fidelity_phase = if dst(config::FidelityClear) != 0 { 0 } else { phase };
        }

        let counted = if self.slips(Flaw::LoadBiasAny, Flaw::StoreBiasAny) { 0xf } else { 3 };
        let bias_advances = bias(config::BiasIncr) & counted != 0;
        let clear_last = bias_advances && self.slips(Flaw::LoadBiasClearLast, Flaw::StoreBiasClearLast);
        let bias_clears = bias(config::BiasClear) != 0 && !clear_last;
        if self.slips(Flaw::LoadBiasIgnored, Flaw::StoreBiasIgnored) {
            // The bit stays.
        } else if bias_clears {
            next.extra_addr_mod_bit = 0;
        } else if bias_advances {
            next.extra_addr_mod_bit = (rwc.extra_addr_mod_bit + 1) & 1;
        }
        *self.rwc() = next;
    }

    fn section(&self, extra_addr_mod_bit: bool) -> usize {
        if self.chip == Chip::Wormhole {
            let index = ADDR_MOD.get(self.code) as usize;
            let extra = extra_addr_mod_bit && !self.slips(Flaw::LoadExtraIgnored, Flaw::StoreExtraIgnored);
            let set_base = self.thread_config(config::ADDR_MOD_SET_Base) != 0
                && !self.slips(Flaw::LoadSetBaseIgnored, Flaw::StoreSetBaseIgnored);
            return if extra && set_base && self.slips(Flaw::LoadFourAddedTwice, Flaw::StoreFourAddedTwice) {
                index
            } else if extra || set_base {
                index + 4
            } else {
                index
            };
        }
        if self.slips(Flaw::LoadSectionOfWormhole, Flaw::StoreSectionOfWormhole) {
            return ADDR_MOD.get(self.code) as usize;
        }
        let index = ADDR_MOD_BH.get(self.code) as usize;
        if self.slips(Flaw::LoadSectionTwoBits, Flaw::StoreSectionTwoBits) {
            index & 3
        } else if extra_addr_mod_bit && self.slips(Flaw::LoadControlExtraAddsFour, Flaw::StoreControlExtraAddsFour) {
            (index + 4) % ADDR_MOD_SECTIONS
        } else {
            index
        }
    }

    /// A counter and its Cr after one step of AddrMod; both wrap after `last`.
    fn advance(&self, (value, cr): (u32, u32), control: &Control, last: u32) -> (u32, u32) {
        let saturates = self.slips(Flaw::LoadCountersSaturate, Flaw::StoreCountersSaturate);
        let add = |value: u32| {
            let sum = value + control.incr;
            if saturates { sum.min(last) } else { sum & last }
        };
        let cr_first = control.cr && self.slips(Flaw::LoadCrBeforeClear, Flaw::StoreCrBeforeClear);
        let cr_second = control.cr && self.slips(Flaw::LoadCrBeforeCToCr, Flaw::StoreCrBeforeCToCr);
        if control.clear && !cr_first {
            (0, if self.slips(Flaw::LoadClearKeepsCr, Flaw::StoreClearKeepsCr) { cr } else { 0 })
        } else if control.c_to_cr && !(cr_first && control.clear) && !cr_second {
            let next = add(value);
            (next, if self.slips(Flaw::LoadCToCrKeepsCr, Flaw::StoreCToCrKeepsCr) { cr } else { next })
        } else if control.cr {
            let next = add(cr);
            (if self.slips(Flaw::LoadCrKeepsCounter, Flaw::StoreCrKeepsCounter) { value } else { next }, next)
        } else {
            (add(value), cr)
        }
    }
}
