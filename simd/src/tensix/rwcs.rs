//! `ApplyAddrMod` and `ApplyPartialAddrMod` (page RWCs): advance the counters of a thread by the section that the AddrMod
//! bits select.
//!
//! The section is chosen and its three words are read once; the level does the rest. Each counter is one addition: its
//! left operand is the counter or its carriage return; the sum goes to the counter, and to the carriage return where
//! the section says so; a `Clear` comes last.
//!
//! What differs from the page, and why it is equal:
//! 1. The page's chains of `if` are selects at every level: the flags of a section are data to whoever fuzzes, so a
//!    branch on each of them would be mispredicted. Clearing last gives `Clear` its priority; `DestCR` selects the left
//!    operand only without `DestCToCR`, which the page asks first.
//! 2. `ApplyPartialAddrMod` gives the level a section whose fidelity bits are zero: adding nothing and not clearing
//!    leaves `FidelityPhase` alone.
//! 3. Wrapping is a mask after the addition: an addition of two values modulo 2^32 is theirs modulo 2^N.

use tandem_isa::tensix::config::{
    self, ADDR_MOD_AB_STRIDE, ADDR_MOD_BIAS_STRIDE, ADDR_MOD_DST_STRIDE, THREAD_CONFIG_WORDS, ThreadConfigField,
};
use tandem_isa::tensix::{Chip, Rwc};

/// The three words of one section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// `ADDR_MOD_AB_SEC`: from bit 0, six bits `SrcAIncr`, `SrcACR`, `SrcAClear`; from bit 8 the same for `SrcB`.
    pub(crate) ab: u16,
    /// `ADDR_MOD_DST_SEC`: from bit 0, ten bits `DestIncr`, `DestCR`, `DestClear`, `DestCToCR`, two bits
    /// `FidelityIncr`, `FidelityClear`.
    pub(crate) dst: u16,
    /// `ADDR_MOD_BIAS_SEC`: from bit 0, four bits `BiasIncr`, `BiasClear`.
    pub(crate) bias: u16,
}

/// What a level has to offer to every instruction with AddrMod bits.
pub(crate) trait AddrMod: Copy {
    /// Advances the counters by a section.
    fn advance(self, rwc: &mut Rwc, section: Section);
}

/// Advances the counters by AddrMod bits (`0..4`), for a thread with this configuration.
#[inline(always)]
pub(crate) fn apply_addr_mod<L: AddrMod>(level: L, rwc: &mut Rwc, thread: &[u16; THREAD_CONFIG_WORDS], addr_mod: u32) {
    let upper = (rwc.extra_addr_mod_bit & 1) | config::ADDR_MOD_SET_Base.get(thread);
    let index = ((addr_mod & 3) + 4 * upper) as usize;
    let word = |field: ThreadConfigField, stride| thread[field.section(index, stride).addr];
    let section = Section {
        ab: word(config::SrcAIncr, ADDR_MOD_AB_STRIDE),
        dst: word(config::DestIncr, ADDR_MOD_DST_STRIDE),
        bias: word(config::BiasIncr, ADDR_MOD_BIAS_STRIDE),
    };
    level.advance(rwc, section);
}

/// Advances the counters by AddrMod bits, but not `FidelityPhase`, for a thread of `chip` with this configuration.
///
/// Wormhole has two bits (`0..4`) and adds four where `ExtraAddrModBit` or `ADDR_MOD_SET_Base` is set; Blackhole has
/// three bits (`0..8`), which are the section. The bias moves `ExtraAddrModBit` on both.
#[inline(always)]
pub(crate) fn apply_partial_addr_mod<L: AddrMod>(
    level: L,
    chip: Chip,
    rwc: &mut Rwc,
    thread: &[u16; THREAD_CONFIG_WORDS],
    addr_mod: u32,
) {
    let index = match chip {
        Chip::Wormhole => (addr_mod & 3) | ((rwc.extra_addr_mod_bit & 1) | config::ADDR_MOD_SET_Base.get(thread)) << 2,
        Chip::Blackhole => addr_mod & 7,
    };
    let sections = chip.addr_mod_sections();
    let word = |array| thread[config::SrcAIncr.of_section(array, index as usize).addr];
    let section =
        Section { ab: word(sections.ab), dst: word(sections.dst) & !FIDELITY_BITS, bias: word(sections.bias) };
    level.advance(rwc, section);
}

/// `FidelityIncr` and `FidelityClear` of a section's word `DST`.
const FIDELITY_BITS: u16 = 0b111 << 13;

// The levels take fields from the words of a section; this is where they lie.
const _: () = {
    let places = [
        (config::SrcAIncr, 0, 6),
        (config::SrcACR, 6, 1),
        (config::SrcAClear, 7, 1),
        (config::SrcBIncr, 8, 6),
        (config::SrcBCR, 14, 1),
        (config::SrcBClear, 15, 1),
        (config::DestIncr, 0, 10),
        (config::DestCR, 10, 1),
        (config::DestClear, 11, 1),
        (config::DestCToCR, 12, 1),
        (config::FidelityIncr, 13, 2),
        (config::FidelityClear, 15, 1),
        (config::BiasIncr, 0, 4),
        (config::BiasClear, 4, 1),
    ];
    let mut index = 0;
    while index < places.len() {
        let (field, shift, width) = places[index];
        assert!(field.shift == shift && field.width == width, "a field of a section has moved");
        index += 1;
    }
};

// Levels with vectors load and store all counters of a thread as one, in this order.
const _: () = assert!(
    size_of::<Rwc>() == 32
        && std::mem::offset_of!(Rwc, dst) == 0
        && std::mem::offset_of!(Rwc, dst_cr) == 4
        && std::mem::offset_of!(Rwc, srca) == 8
        && std::mem::offset_of!(Rwc, srca_cr) == 12
        && std::mem::offset_of!(Rwc, srcb) == 16
        && std::mem::offset_of!(Rwc, srcb_cr) == 20
        && std::mem::offset_of!(Rwc, fidelity_phase) == 24
        && std::mem::offset_of!(Rwc, extra_addr_mod_bit) == 28
);
