//! The chips of the family: what lies at another place on each.

use super::config::{self, AddrModSections, ConfigField, ThreadConfigField, blackhole};
use crate::Instruction;

/// A chip, which is an instruction set of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// `tensix-wh`.
    Wormhole,
    /// `tensix-bh`.
    Blackhole,
}

impl Chip {
    /// The chip whose instruction set is called `isa`.
    #[must_use]
    pub fn named(isa: &str) -> Option<Self> {
        match isa {
            "tensix-wh" => Some(Chip::Wormhole),
            "tensix-bh" => Some(Chip::Blackhole),
            _ => None,
        }
    }

    /// The chip of an instruction of this family.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Instruction) -> Self {
        if instruction.isa == "tensix-bh" { Chip::Blackhole } else { Chip::Wormhole }
    }

    /// The fields of one bank of `Config`.
    #[must_use]
    pub const fn config_fields(self) -> &'static [ConfigField] {
        match self {
            Chip::Wormhole => config::CONFIG_FIELDS,
            Chip::Blackhole => &blackhole::CONFIG_FIELDS,
        }
    }

    /// The fields of one thread's `ThreadConfig` outside sections.
    #[must_use]
    pub const fn thread_config_fields(self) -> &'static [ThreadConfigField] {
        match self {
            Chip::Wormhole => config::THREAD_CONFIG_FIELDS,
            Chip::Blackhole => &blackhole::THREAD_CONFIG_FIELDS,
        }
    }

    /// The arrays that an AddrMod selects a section of.
    #[must_use]
    #[inline]
    pub const fn addr_mod_sections(self) -> AddrModSections {
        match self {
            Chip::Wormhole => config::ADDR_MOD,
            Chip::Blackhole => blackhole::ADDR_MOD,
        }
    }
}
