//! Lanes of the Vector Unit: which take part, and their configuration.
//!
//! Flags and configuration stand in each other's way. `SFPCONFIG` passes over a lane of the first row that heeds a clear flag,
//! and `SFPSETCC` over a lane that the configuration masks. So the order differs by what is wanted.

use tandem_isa::tensix::Mnemonic;

use super::load::{DATA, LANES, Loader};
use super::unreachable::Unreachable;

/// The lanes while they are being set.
pub(super) struct Lanes<'l, 'a> {
    pub(super) loader: &'l mut Loader<'a>,
    /// The register by which lanes are selected.
    pub(super) select: u32,
    /// One more that is free.
    pub(super) pattern: Option<u32>,
    /// Whether `LReg[0]` holds something that stays.
    pub(super) keeps_data: bool,
    pub(super) configs: [u32; 8],
}

impl Lanes<'_, '_> {
    /// The one configuration of all lanes that an immediate has room for.
    fn uniform(&self) -> Option<u32> {
        let first = self.configs[0];
        (first <= 0xffff && self.configs.iter().all(|&one| one == first)).then_some(first)
    }

    fn row_mask(&self, lane: usize) -> bool {
        self.configs[lane % 8] >> (12 + lane / 8) & 1 != 0
    }

    fn write(&mut self, mod1: u32, imm16: u32) {
        self.loader.push(Mnemonic::Sfpconfig, &[("VD", 15), ("Mod1", mod1), ("Imm16", imm16)]);
    }

    fn fill_data(&mut self, configs: [u32; 8]) {
        let lanes = std::array::from_fn(|lane| configs.get(lane).copied());
        self.loader.fill(DATA, self.select, &lanes);
    }

    /// Compares a register with zero.
    fn set_flags(&mut self, mod1: u32, register: u32) {
        self.loader.all_on = false;
        self.loader.push(Mnemonic::Sfpsetcc, &[("Mod1", mod1), ("VC", register)]);
    }

    /// The configuration, where flags come after it.
    pub(super) fn configure(&mut self) -> Result<(), Unreachable> {
        match self.uniform() {
            Some(0) => {}
            Some(config) => {
                self.loader.all_lanes();
                self.write(1, config);
            }
            None if !self.keeps_data => {
                self.fill_data(self.configs);
                self.write(0, 0);
            }
            None if self.configs.iter().all(|&config| config <= 0xffff) => self.configure_one_by_one(self.configs),
            None => return Err(Unreachable::ReservedLaneBits),
        }
        Ok(())
    }

    /// Sets bits lane by lane, the mask of the first row last: a lane that it masks cannot be left out any more, and need not.
    fn configure_one_by_one(&mut self, configs: [u32; 8]) {
        const FIRST_ROW: u32 = 1 << 12;
        for bits in [!FIRST_ROW, FIRST_ROW] {
            for (lane, &config) in configs.iter().enumerate().filter(|(_, config)| *config & bits != 0) {
                self.loader.all_lanes();
                self.loader.lanes_from(self.select, lane);
                self.loader.lanes_before(self.select, lane + 1);
                self.write(3, config & bits);
            }
        }
    }

    /// Flags that no lane heeds: a lane that takes part loses its own to SFPSETCC, so those that keep it are masked meanwhile.
    pub(super) fn idle(&mut self, flags: u32) -> Result<(), Unreachable> {
        let masks: [u32; 8] = std::array::from_fn(|lane| {
            (0..4).map(|row| (flags >> (8 * row + lane) & 1) << (12 + row)).fold(0, |all, bit| all | bit)
        });
        if self.uniform().is_none() {
            if self.keeps_data {
                return Err(Unreachable::IdleFlags);
            }
            self.fill_data(std::array::from_fn(|lane| masks[lane] ^ self.configs[lane]));
        }
        self.configure_one_by_one(masks);
        self.loader.heed(false, true);
        self.set_flags(8, 0);
        match self.uniform() {
            Some(config) => self.write(1, config),
            None => self.write(6, 0),
        }
        Ok(())
    }

    /// Flags that all lanes heed. Those of the first row come behind the configuration, which passes over clear ones.
    pub(super) fn heeded(&mut self, flags: u32) -> Result<(), Unreachable> {
        let pattern = self.pattern.ok_or(Unreachable::NoFreeRegister)?;
        let flag = |lane: usize| flags >> lane & 1 != 0;
        let all_late = self.uniform().is_none() && self.keeps_data;
        let late = |lane: usize| lane < 8 || all_late;
        if (0..LANES).any(|lane| self.row_mask(lane) && !flag(lane) && late(lane)) {
            return Err(Unreachable::MaskedLane);
        }
        if self.uniform().is_none() {
            if all_late {
                self.configure()?;
            } else {
                self.fill_data(self.configs);
            }
        }
        let code = |lane| match (flag(lane), late(lane)) {
            (true, _) => 1,
            (false, true) => u32::MAX,
            (false, false) => 0,
        };
        self.loader.fill(pattern, self.select, &std::array::from_fn(|lane| Some(code(lane))));
        if !all_late {
            self.set_flags(2, pattern);
            match self.uniform() {
                Some(config) => self.write(1, config),
                None => self.write(0, 0),
            }
        }
        self.set_flags(4, pattern);
        Ok(())
    }
}
