//! `ApplyAddrMod` without intrinsics: each counter in turn, selected by masks.
//!
//! What differs from the page, and why it is equal: see `tensix/rwcs.rs`.

use tandem_isa::tensix::Rwc;

use super::Portable;
use crate::tensix::rwcs::{AddrMod, Section};

impl AddrMod for Portable {
    #[inline(always)]
    fn advance(self, rwc: &mut Rwc, section: Section) {
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

#[cfg(test)]
mod tests {
    #[test]
    fn counters_advance_as_a_chain_of_ifs_does() {
        crate::tensix::mova2d_kit::check_addr_mod(crate::arch::portable::Portable);
    }
}
