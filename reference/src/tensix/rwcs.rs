//! `RWCs`, the counters that address rows: what an instruction's AddrMod bits do to them.
//!
//! *Source*: page RWCs (commit 39304719), lines 21 to 58. Blackhole has no page of its own that can be read, so that of
//! Wormhole serves it (TX-32), with what its instructions and configuration differ in.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::config::{self, AddrModSections, SectionArray, ThreadConfigField};
use tandem_isa::tensix::{Chip, RWCS, Small};

use crate::bits::U;

/// `ApplyAddrMod` on Wormhole, with the fidelity phase updated: the page's second parameter is false only for
/// instructions of the Vector Unit. *Source*: page RWCs, lines 22 to 53.
pub fn apply_addr_mod(small: &mut Small, addr_mod: U<2>) {
    let index = index_on_wormhole(small, addr_mod);
    apply_section(small, Chip::Wormhole.addr_mod_sections(), index, true);
}

/// `ApplyPartialAddrMod`, which leaves the fidelity phase alone. *Source*: page RWCs, lines 55 to 57.
///
/// *Outcomes*: breaks with [`Expectation::Unspecified`] on Blackhole if `ExtraAddrModBit` is set (TX-32).
// [SFPSTORE_NEWEST 119] [SFPSTORE_BH 134] [SFPLOAD_NEWEST 121] [SFPLOAD_BH 140] Page RWCs defines ApplyPartialAddrMod.
// (`a_partial_addr_mod_is_a_full_one_that_leaves_the_fidelity_phase`)
pub fn apply_partial_addr_mod(chip: Chip, small: &mut Small, addr_mod: U<3>) -> ControlFlow<Expectation> {
    apply(chip, small, addr_mod, false)
}

/// `ApplyAddrMod` on either chip, with the fidelity phase updated. *Source*: page RWCs, lines 22 to 53.
///
/// *Outcomes*: as [`apply_partial_addr_mod`].
pub fn apply_full_addr_mod(chip: Chip, small: &mut Small, addr_mod: U<3>) -> ControlFlow<Expectation> {
    apply(chip, small, addr_mod, true)
}

/// `ApplyAddrMod` on either chip. *Source*: page RWCs, lines 22 to 53.
fn apply(chip: Chip, small: &mut Small, addr_mod: U<3>, update_fidelity_phase: bool) -> ControlFlow<Expectation> {
    let index = match chip {
        Chip::Wormhole => index_on_wormhole(small, U::new(addr_mod.get())),
        Chip::Blackhole => index_on_blackhole(small, addr_mod)?,
    };
    apply_section(small, chip.addr_mod_sections(), index, update_fidelity_phase);
    ControlFlow::Continue(())
}

/// `Index` on Wormhole. *Source*: page RWCs, lines 24 to 27.
fn index_on_wormhole(small: &Small, addr_mod: U<2>) -> U<3> {
    // [RWCS 23-24] The index of a section begins with the AddrMod bits.
    let thread = U::<2>::new(small.current_thread).index();
    let mut index = U::<3>::new(addr_mod.get());
    // [RWCS 25-26] Four is added if the thread's extra bit or ADDR_MOD_SET_Base is set.
    if small.rwcs[thread].extra_addr_mod_bit != 0 || config::ADDR_MOD_SET_Base.get(&small.thread_config[thread]) != 0 {
        index += U::new(4);
    }
    index
}

/// `Index` on Blackhole, where AddrMod has three bits and there is no `ADDR_MOD_SET_Base`.
// [SFPSTORE_BH 131, TX-32] [SFPLOAD_BH 137, TX-32] [SHIFTXB 49, TX-32] AddrMod selects how the counters advance.
// (`three_bits_select_the_section_on_blackhole_unless_the_extra_bit_is_set`)
fn index_on_blackhole(small: &Small, addr_mod: U<3>) -> ControlFlow<Expectation, U<3>> {
    let thread = U::<2>::new(small.current_thread).index();
    if small.rwcs[thread].extra_addr_mod_bit != 0 {
        // TX-32: a bit that selects among sections that AddrMod reaches already.
        return ControlFlow::Break(Expectation::Unspecified(cite!(
            RWCS,
            "lines 22 to 28",
            "TX-32: this page adds 4 to an index of two bits if ExtraAddrModBit is set; Blackhole's AddrMod has three bits, which reach every section, and no page says what the bit does to them"
        )));
    }
    ControlFlow::Continue(addr_mod)
}

/// `ApplyAddrMod` from the sections on. *Source*: page RWCs, lines 28 to 52.
fn apply_section(small: &mut Small, sections: AddrModSections, index: U<3>, update_fidelity_phase: bool) {
    // [RWCS 23, 28-30] The counters are the thread's, and the section's words too.
    let thread = U::<2>::new(small.current_thread).index();
    let rwc = &mut small.rwcs[thread];
    let thread_config = &small.thread_config[thread];
    let section =
        |array: SectionArray, field: ThreadConfigField| field.of_section(array, index.index()).get(thread_config);
    let ab = |field| section(sections.ab, field);
    let dst = |field| section(sections.dst, field);
    let bias = |field| section(sections.bias, field);

    // [RWCS 32] Cleared, SrcA and its carriage return become 0.
    if ab(config::SrcAClear) != 0 {
        (rwc.srca, rwc.srca_cr) = (0, 0);
    } else if ab(config::SrcACR) != 0 {
        // [RWCS 33] Else, with SrcACR, the carriage return advances, and the counter becomes what it is then.
        advance::<6>(&mut rwc.srca_cr, ab(config::SrcAIncr));
        rwc.srca = rwc.srca_cr;
    } else {
        // [RWCS 34] Else the counter advances.
        advance::<6>(&mut rwc.srca, ab(config::SrcAIncr));
    }

    // [RWCS 36] Cleared, SrcB and its carriage return become 0.
    if ab(config::SrcBClear) != 0 {
        (rwc.srcb, rwc.srcb_cr) = (0, 0);
    } else if ab(config::SrcBCR) != 0 {
        // [RWCS 37] Else, with SrcBCR, the carriage return advances, and the counter becomes what it is then.
        advance::<6>(&mut rwc.srcb_cr, ab(config::SrcBIncr));
        rwc.srcb = rwc.srcb_cr;
    } else {
        // [RWCS 38] Else the counter advances.
        advance::<6>(&mut rwc.srcb, ab(config::SrcBIncr));
    }

    // [RWCS 40] Cleared, Dst and its carriage return become 0.
    if dst(config::DestClear) != 0 {
        (rwc.dst, rwc.dst_cr) = (0, 0);
    } else if dst(config::DestCToCR) != 0 {
        // [RWCS 41] Else, with DestCToCR, the counter advances, and the carriage return becomes what it is then.
        advance::<10>(&mut rwc.dst, dst(config::DestIncr));
        rwc.dst_cr = rwc.dst;
    } else if dst(config::DestCR) != 0 {
        // [RWCS 42] Else, with DestCR, the carriage return advances, and the counter becomes what it is then.
        advance::<10>(&mut rwc.dst_cr, dst(config::DestIncr));
        rwc.dst = rwc.dst_cr;
    } else {
        // [RWCS 43] Else the counter advances.
        advance::<10>(&mut rwc.dst, dst(config::DestIncr));
    }

    // [RWCS 45] All but the loads and stores of the Vector Unit update the fidelity phase.
    if update_fidelity_phase {
        // [RWCS 47] It becomes 0, …
        if dst(config::FidelityClear) != 0 {
            rwc.fidelity_phase = 0;
        } else {
            // [RWCS 48] … or advances.
            advance::<2>(&mut rwc.fidelity_phase, dst(config::FidelityIncr));
        }
    }

    // [RWCS 51] The extra bit becomes 0, …
    if bias(config::BiasClear) != 0 {
        rwc.extra_addr_mod_bit = 0;
    } else if bias(config::BiasIncr) & 3 != 0 {
        // [RWCS 52] … or, if either of two bits of BiasIncr is set, flips.
        advance::<1>(&mut rwc.extra_addr_mod_bit, 1);
    }
}

/// Adds to a counter of `N` bits, which wraps.
pub(super) fn advance<const N: u32>(counter: &mut u32, increment: u32) {
    *counter = (U::<N>::new(*counter) + U::new(increment)).get();
}

#[cfg(test)]
mod tests {
    use tandem_isa::tensix::{Rwc, Tensix, WORMHOLE};

    use super::*;

    const START: Rwc = Rwc {
        dst: 1020,
        dst_cr: 5,
        srca: 60,
        srca_cr: 5,
        srcb: 50,
        srcb_cr: 61,
        fidelity_phase: 3,
        extra_addr_mod_bit: 0,
    };

    fn base_small() -> Small {
        let mut state = WORMHOLE.base_state();
        *Tensix::new(&mut state).small
    }

    /// `START` after AddrMod 0 of thread 0, with `fields` set in section 0.
    fn after(start: Rwc, fields: &[(ThreadConfigField, u32)]) -> Rwc {
        let mut small = base_small();
        small.rwcs[0] = start;
        for (field, value) in fields {
            field.set(&mut small.thread_config[0], *value);
        }
        let mut expected = small;
        apply_addr_mod(&mut small, U::new(0));
        expected.rwcs[0] = small.rwcs[0];
        assert_eq!(small, expected, "AddrMod changes nothing but the thread's counters");
        small.rwcs[0]
    }

    #[test]
    fn an_empty_section_changes_nothing() {
        assert_eq!(after(START, &[]), START);
    }

    #[test]
    fn clear_goes_before_cr_for_srca() {
        for (clear, cr, expected) in [(0, 0, (3, 5)), (0, 1, (12, 12)), (1, 0, (0, 0)), (1, 1, (0, 0))] {
            // 60 + 7 = 67, which is 3 in six bits; 5 + 7 = 12.
            let rwc = after(START, &[(config::SrcAIncr, 7), (config::SrcAClear, clear), (config::SrcACR, cr)]);
            assert_eq!(rwc, Rwc { srca: expected.0, srca_cr: expected.1, ..START }, "Clear {clear} CR {cr}");
        }
    }

    #[test]
    fn clear_goes_before_cr_for_srcb() {
        for (clear, cr, expected) in [(0, 0, (57, 61)), (0, 1, (4, 4)), (1, 0, (0, 0)), (1, 1, (0, 0))] {
            // 50 + 7 = 57; 61 + 7 = 68, which is 4 in six bits.
            let rwc = after(START, &[(config::SrcBIncr, 7), (config::SrcBClear, clear), (config::SrcBCR, cr)]);
            assert_eq!(rwc, Rwc { srcb: expected.0, srcb_cr: expected.1, ..START }, "Clear {clear} CR {cr}");
        }
    }

    #[test]
    fn clear_goes_before_c_to_cr_and_that_before_cr_for_dst() {
        for (clear, c_to_cr, cr, expected) in [
            // 1020 + 10 = 1030, which is 6 in ten bits; 5 + 10 = 15.
            (0, 0, 0, (6, 5)),
            (0, 0, 1, (15, 15)),
            (0, 1, 0, (6, 6)),
            (0, 1, 1, (6, 6)),
            (1, 0, 0, (0, 0)),
            (1, 0, 1, (0, 0)),
            (1, 1, 0, (0, 0)),
            (1, 1, 1, (0, 0)),
        ] {
            let rwc = after(
                START,
                &[
                    (config::DestIncr, 10),
                    (config::DestClear, clear),
                    (config::DestCToCR, c_to_cr),
                    (config::DestCR, cr),
                ],
            );
            assert_eq!(rwc, Rwc { dst: expected.0, dst_cr: expected.1, ..START }, "{clear} {c_to_cr} {cr}");
        }
    }

    #[test]
    fn fidelity_wraps_at_four_and_clear_goes_first() {
        for phase in 0..4 {
            for incr in 0..4 {
                let start = Rwc { fidelity_phase: phase, ..START };
                let rwc = after(start, &[(config::FidelityIncr, incr)]);
                assert_eq!(rwc, Rwc { fidelity_phase: (phase + incr) % 4, ..START });
                let rwc = after(start, &[(config::FidelityIncr, incr), (config::FidelityClear, 1)]);
                assert_eq!(rwc, Rwc { fidelity_phase: 0, ..START });
            }
        }
    }

    #[test]
    fn the_extra_bit_flips_for_an_increment_that_is_no_multiple_of_four() {
        for extra in 0..2 {
            for incr in 0..16 {
                let start = Rwc { extra_addr_mod_bit: extra, ..START };
                // The bit, if set, also selects section 4 instead of 0, so both have the same bias.
                let bias = |field: ThreadConfigField, value| {
                    [(field, value), (field.section(4, config::ADDR_MOD_BIAS_STRIDE), value)]
                };
                let rwc = after(start, &bias(config::BiasIncr, incr));
                let flips = ![0, 4, 8, 12].contains(&incr);
                assert_eq!(rwc, Rwc { extra_addr_mod_bit: if flips { 1 - extra } else { extra }, ..START });
                let cleared = [bias(config::BiasIncr, incr), bias(config::BiasClear, 1)].concat();
                assert_eq!(after(start, &cleared), Rwc { extra_addr_mod_bit: 0, ..START });
            }
        }
    }

    #[test]
    fn the_section_is_addr_mod_plus_four_if_the_extra_bit_or_set_base() {
        // Section i of thread t adds 100 * t + i to Dst, and 10 * t + i to SrcA, and i + 1 to SrcB.
        let mut small = base_small();
        for (thread, thread_config) in (0..).zip(&mut small.thread_config) {
            for (index, i) in (0..8).zip(0_u32..) {
                let (ab, dst) = (config::ADDR_MOD_AB_STRIDE, config::ADDR_MOD_DST_STRIDE);
                config::SrcAIncr.section(index, ab).set(thread_config, 10 * thread + i);
                config::SrcBIncr.section(index, ab).set(thread_config, i + 1);
                config::DestIncr.section(index, dst).set(thread_config, 100 * thread + i);
            }
        }
        for thread in 0..3_u32 {
            for (addr_mod, extra, set_base) in (0..16).map(|n| (n % 4, n / 4 % 2, n / 8)) {
                let t = U::<2>::new(thread).index();
                let mut small = small;
                small.current_thread = thread;
                small.rwcs[t].extra_addr_mod_bit = extra;
                config::ADDR_MOD_SET_Base.set(&mut small.thread_config[t], set_base);
                let section = if (extra, set_base) == (0, 0) { addr_mod } else { addr_mod + 4 };
                let mut expected = small;
                expected.rwcs[t].srca = 10 * thread + section;
                expected.rwcs[t].srcb = section + 1;
                expected.rwcs[t].dst = 100 * thread + section;
                apply_addr_mod(&mut small, U::new(addr_mod));
                assert_eq!(small, expected, "thread {thread} AddrMod {addr_mod} extra {extra} base {set_base}");
            }
        }
    }

    #[test]
    fn sections_select_bias_and_fidelity_too() {
        for index in 0..8_usize {
            let mut small = base_small();
            config::FidelityIncr.section(index, config::ADDR_MOD_DST_STRIDE).set(&mut small.thread_config[0], 2);
            config::BiasIncr.section(index, config::ADDR_MOD_BIAS_STRIDE).set(&mut small.thread_config[0], 1);
            config::ADDR_MOD_SET_Base.set(&mut small.thread_config[0], u32::from(index >= 4));
            for addr_mod in 0..4_u32 {
                let mut small = small;
                apply_addr_mod(&mut small, U::new(addr_mod));
                let hit = u32::from(U::<2>::new(addr_mod).index() == index % 4);
                assert_eq!((small.rwcs[0].fidelity_phase, small.rwcs[0].extra_addr_mod_bit), (2 * hit, hit));
            }
        }
    }

    #[test]
    fn a_partial_addr_mod_is_a_full_one_that_leaves_the_fidelity_phase() {
        for addr_mod in 0..4 {
            let mut small = base_small();
            small.rwcs[0] = START;
            for (index, i) in (0..8).zip(0_u32..) {
                config::SrcAIncr.section(index, config::ADDR_MOD_AB_STRIDE).set(&mut small.thread_config[0], 5 + i);
                config::SrcBCR.section(index, config::ADDR_MOD_AB_STRIDE).set(&mut small.thread_config[0], 1);
                config::DestIncr.section(index, config::ADDR_MOD_DST_STRIDE).set(&mut small.thread_config[0], 9 * i);
                config::FidelityIncr.section(index, config::ADDR_MOD_DST_STRIDE).set(&mut small.thread_config[0], 3);
                config::BiasIncr.section(index, config::ADDR_MOD_BIAS_STRIDE).set(&mut small.thread_config[0], 1);
            }
            let (mut full, mut partial) = (small, small);
            apply_addr_mod(&mut full, U::new(addr_mod));
            assert!(apply_partial_addr_mod(Chip::Wormhole, &mut partial, U::new(addr_mod)).is_continue());
            assert_eq!((full.rwcs[0].fidelity_phase, partial.rwcs[0].fidelity_phase), (2, 3));
            full.rwcs[0].fidelity_phase = 3;
            assert_eq!(full, partial);
        }
    }

    #[test]
    fn three_bits_select_the_section_on_blackhole_unless_the_extra_bit_is_set() {
        for addr_mod in 0..8 {
            let mut small = base_small();
            small.current_thread = 1;
            let sections = Chip::Blackhole.addr_mod_sections();
            for (index, i) in (0..8).zip(0_u32..) {
                config::DestIncr.of_section(sections.dst, index).set(&mut small.thread_config[1], 100 + i);
                config::SrcAIncr.of_section(sections.ab, index).set(&mut small.thread_config[1], 10 + i);
                config::SrcBIncr.of_section(sections.ab, index).set(&mut small.thread_config[1], 20 + i);
                config::BiasIncr.of_section(sections.bias, index).set(&mut small.thread_config[1], 1);
            }
            let mut expected = small;
            expected.rwcs[1].dst = 100 + addr_mod;
            (expected.rwcs[1].srca, expected.rwcs[1].srcb) = (10 + addr_mod, 20 + addr_mod);
            expected.rwcs[1].extra_addr_mod_bit = 1;
            assert!(apply_partial_addr_mod(Chip::Blackhole, &mut small, U::new(addr_mod)).is_continue());
            assert_eq!(small, expected, "AddrMod {addr_mod}");
            assert!(apply_partial_addr_mod(Chip::Blackhole, &mut small, U::new(addr_mod)).is_break());
        }
    }
}
