//! Quantities of what an AddrMod selects, for every instruction that has one: the section in force, and its members.

use tandem_isa::tensix::{Chip, config};
use tandem_isa::{Parts, Quantity};

use super::addr_mod_axes::{AddrModAxes, AddrModField};
use super::lens::number;
use super::parts::{get_thread_config, rwc_mut, set_thread_config};

/// The numbers that meet in the next row of `Dst`, by their names.
pub(super) const DST_COUNTERS: &[&str] =
    &["RWCs[CurrentThread].Dst", "RWCs[CurrentThread].Dst_Cr", "DestIncr in force"];

impl<F: AddrModField> AddrModAxes<F> {
    /// Makes a section the one in force, by the counter rather than by configuration where the code word does not reach.
    fn put_section_in_force(parts: &mut Parts<'_>, section: u32) {
        F::FIELD.set(parts.code, section);
        if F::CHIP == Chip::Wormhole {
            if section < 4 {
                rwc_mut(parts).extra_addr_mod_bit = 0;
                set_thread_config(parts, config::ADDR_MOD_SET_Base, 0);
            } else if get_thread_config(parts, config::ADDR_MOD_SET_Base) == 0 {
                rwc_mut(parts).extra_addr_mod_bit = 1;
            }
        }
    }
}

/// Members of the section in force.
macro_rules! members {
    ($($member:ident)*) => {
        &[
            $(number!(concat!(stringify!($member), " in force"), Self::lens(&[config::$member])),)*
            Quantity::new(
                "section of AddrMod in force",
                3,
                |parts| Self::ADDR_MOD.section(parts) as u32,
                Self::put_section_in_force,
            ),
        ]
    };
}

impl<F: AddrModField> AddrModAxes<F> {
    /// What an implementation may lack first.
    pub(super) const QUANTITIES: &'static [Quantity] = members!(
        BiasClear BiasIncr DestCToCR DestClear DestCR FidelityClear FidelityIncr SrcAClear SrcACR SrcBClear SrcBCR DestIncr
        SrcAIncr SrcBIncr
    );
}
