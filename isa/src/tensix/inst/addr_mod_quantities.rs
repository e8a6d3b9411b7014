//! Quantities of what an AddrMod selects, for every instruction that has one: the section in force, and its members.
//!
//! No implementation calls anything here.

use super::addr_mod_axes::{AddrModAxes, AddrModField};
use super::parts::{get_thread_config, rwc_mut, set_thread_config};
use super::state_quantities::{of_thread, put_of_thread};
use crate::quantity::{fits, quantity};
use crate::tensix::{Chip, config};
use crate::{Parts, Quantity};

impl<F: AddrModField> AddrModAxes<F> {
    /// Makes a section the one in force, by the counter rather than by configuration where the code word does not reach.
    fn put_section_in_force(parts: &mut Parts<'_>, section: u32) -> bool {
        F::FIELD.set(parts.code, section);
        if F::CHIP == Chip::Wormhole {
            if section < 4 {
                rwc_mut(parts).extra_addr_mod_bit = 0;
                set_thread_config(parts, config::ADDR_MOD_SET_Base, 0);
            } else if get_thread_config(parts, config::ADDR_MOD_SET_Base) == 0 {
                rwc_mut(parts).extra_addr_mod_bit = 1;
            }
        }
        fits(section, 3)
    }
}

/// A member of the section in force of one of the arrays.
macro_rules! member {
    ($array:ident $field:ident) => {
        quantity!(
            concat!(stringify!($field), " in force"),
            config::$field.width,
            |parts| of_thread(parts, Self::$array(parts, config::$field)),
            |parts, value| {
                let field = Self::$array(parts, config::$field);
                put_of_thread(parts, field, value)
            }
        )
    };
}

impl<F: AddrModField> AddrModAxes<F> {
    /// What an implementation may lack first.
    pub(super) const QUANTITIES: &'static [Quantity] = &[
        member!(bias BiasClear),
        member!(bias BiasIncr),
        member!(dst DestCToCR),
        member!(dst DestClear),
        member!(dst DestCR),
        member!(dst FidelityClear),
        member!(dst FidelityIncr),
        member!(ab SrcAClear),
        member!(ab SrcACR),
        member!(ab SrcBClear),
        member!(ab SrcBCR),
        member!(dst DestIncr),
        member!(ab SrcAIncr),
        member!(ab SrcBIncr),
        quantity!(
            "section of AddrMod in force",
            3,
            |parts| Self::section_in_force(parts) as u32,
            Self::put_section_in_force
        ),
    ];
}
