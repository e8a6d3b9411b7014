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

use tandem_isa::tensix::config::{self, THREAD_CONFIG_WORDS};
use tandem_isa::tensix::{Chip, Rwc, Small};

use crate::vector::Vector;

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

/// Advances the counters by AddrMod bits, for a thread of `chip`.
#[inline(always)]
pub(crate) fn apply_addr_mod<V: Counters>(
    level: V::Level,
    chip: Chip,
    small: &mut Small,
    thread: usize,
    addr_mod: u32,
) {
    let (rwc, words) = (&mut small.rwcs[thread], &small.thread_config[thread]);
    V::advance(level, rwc, section(chip, rwc, words, addr_mod));
}

/// Advances the counters by AddrMod bits, but not `FidelityPhase`, for a thread of `chip`.
#[inline(always)]
pub(crate) fn apply_partial_addr_mod<V: Counters>(
    level: V::Level,
    chip: Chip,
    small: &mut Small,
    thread: usize,
    addr_mod: u32,
) {
    let (rwc, words) = (&mut small.rwcs[thread], &small.thread_config[thread]);
    let whole = section(chip, rwc, words, addr_mod);
    V::advance(level, rwc, Section { dst: whole.dst & !FIDELITY_BITS, ..whole });
}

/// The section that AddrMod bits select.
///
/// Wormhole has two bits (`0..4`) and adds four where `ExtraAddrModBit` or `ADDR_MOD_SET_Base` is set; Blackhole has
/// three bits (`0..8`), which are the section. The bias moves `ExtraAddrModBit` on both.
#[inline(always)]
fn section(chip: Chip, rwc: &Rwc, thread: &[u16; THREAD_CONFIG_WORDS], addr_mod: u32) -> Section {
    let index = match chip {
        Chip::Wormhole => (addr_mod & 3) | ((rwc.extra_addr_mod_bit & 1) | config::ADDR_MOD_SET_Base.get(thread)) << 2,
        Chip::Blackhole => addr_mod & 7,
    };
    let sections = chip.addr_mod_sections();
    let word = |array| thread[config::SrcAIncr.of_section(array, index as usize).addr];
    Section { ab: word(sections.ab), dst: word(sections.dst), bias: word(sections.bias) }
}

/// How the counters of a thread advance.
pub(crate) trait Counters: Vector {
    /// Advances them by a section: each in turn, selected by masks.
    #[inline(always)]
    fn advance(_: Self::Level, rwc: &mut Rwc, section: Section) {
        let [ab, dst, bias] = [section.ab, section.dst, section.bias].map(u32::from);
        (rwc.srca, rwc.srca_cr) = source(rwc.srca, rwc.srca_cr, ab);
        (rwc.srcb, rwc.srcb_cr) = source(rwc.srcb, rwc.srcb_cr, ab >> 8);

        let (cr, to_cr) = (dst >> 10, dst >> 12);
        let sum = select(cr & !to_cr, rwc.dst_cr, rwc.dst).wrapping_add(dst) & 0x3ff;
        let keep = all_unless(dst >> 11);
        rwc.dst_cr = select(cr | to_cr, sum, rwc.dst_cr) & keep;
        rwc.dst = sum & keep;

        rwc.fidelity_phase = rwc.fidelity_phase.wrapping_add(dst >> 13) & 3 & all_unless(dst >> 15);
        rwc.extra_addr_mod_bit = (rwc.extra_addr_mod_bit ^ (bias | bias >> 1)) & 1 & all_unless(bias >> 4);
    }
}

/// A counter of `SrcA` or `SrcB` and its carriage return, by the eight low bits of `word`.
#[inline]
fn source(counter: u32, carriage_return: u32, word: u32) -> (u32, u32) {
    let cr = word >> 6;
    let sum = select(cr, carriage_return, counter).wrapping_add(word) & 0x3f;
    let keep = all_unless(word >> 7);
    (sum & keep, select(cr, sum, carriage_return) & keep)
}

/// `yes` if bit 0 of `bit` is set, else `no`.
#[inline]
const fn select(bit: u32, yes: u32, no: u32) -> u32 {
    no ^ ((yes ^ no) & (bit & 1).wrapping_neg())
}

/// All bits, or none if bit 0 of `bit` is set.
#[inline]
const fn all_unless(bit: u32) -> u32 {
    (bit & 1).wrapping_sub(1)
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
