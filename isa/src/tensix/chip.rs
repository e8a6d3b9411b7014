//! The chips of the family: what lies at another place on each.

use super::config::{self, AddrModSections, ConfigField, ThreadConfigField, blackhole};
use crate::Facts;

/// A chip, which is an instruction set of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// `tensix-wh`.
    Wormhole,
    /// `tensix-bh`.
    Blackhole,
}

impl Chip {
    /// The chips.
    pub const ALL: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

    /// The name of its instruction set.
    #[must_use]
    pub const fn isa(self) -> &'static str {
        self.pick("tensix-wh", "tensix-bh")
    }

    /// What is so on Wormhole, or what is so on Blackhole.
    #[must_use]
    pub const fn pick<T: Copy>(self, wormhole: T, blackhole: T) -> T {
        match self {
            Chip::Wormhole => wormhole,
            Chip::Blackhole => blackhole,
        }
    }

    /// The chip whose instruction set is called `isa`.
    #[must_use]
    pub fn named(isa: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chip| chip.isa() == isa)
    }

    /// The chip of an instruction of this family.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Facts) -> Self {
        // Asked for each instruction that is executed, so one letter has to do.
        if instruction.isa.as_bytes().get(7) == Some(&b'b') { Chip::Blackhole } else { Chip::Wormhole }
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

    /// The numbers of its mutexes: page SyncUnit.
    #[must_use]
    pub const fn mutexes(self) -> &'static [usize] {
        self.pick(&[0, 2, 3, 4, 5, 6, 7], &[0, 2, 3, 4])
    }

    /// Words of one bank of `Config`.
    #[must_use]
    pub const fn config_size(self) -> usize {
        self.pick(config::CONFIG_SIZE, blackhole::CONFIG_SIZE)
    }

    /// Words of one thread's `ThreadConfig`.
    #[must_use]
    pub const fn thread_config_size(self) -> usize {
        self.pick(config::THREAD_CONFIG_SIZE, blackhole::THREAD_CONFIG_SIZE)
    }

    /// The word from which on both banks of `Config` have one value.
    #[must_use]
    pub const fn global_cfgreg_base(self) -> usize {
        self.pick(config::GLOBAL_CFGREG_BASE, blackhole::GLOBAL_CFGREG_BASE)
    }

    /// `UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32`: the word of `ThreadConfig` of which a write resets the counters of contexts of
    /// both Unpackers.
    #[must_use]
    pub const fn context_reset(self) -> usize {
        let [wormhole, blackhole] =
            [config::UNPACK_MISC_CFG_CfgContextOffset_0, blackhole::UNPACK_MISC_CFG_CfgContextOffset_0];
        self.pick(wormhole.addr, blackhole.addr)
    }

    /// Bytes of L1, from address 0 on.
    ///
    /// *Source*: pages L1 of both chips.
    #[must_use]
    pub const fn l1_bytes(self) -> usize {
        self.pick(1464 * 1024, 1536 * 1024)
    }

    /// The word of `Config` of which a write seeds the PRNGs.
    #[must_use]
    pub const fn prng_seed(self) -> usize {
        self.pick(config::PRNG_SEED, blackhole::PRNG_SEED)
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
