//! The Wait Gate of a thread: which bit of a block mask holds which instruction.
//!
//! The pages have the gate look at what it has latched in every cycle. A step of the suite has no cycles: what a thread has
//! latched is looked at when that thread presents an instruction, before all else, in the state that is then, and what the
//! other threads have latched stays as it is. Units of which nothing is in the state are never busy. An instruction that is
//! held, for whatever reason, leaves the state as it was, the latched one with it.
//!
//! *Source*: the table of section Block mask of page STALLWAIT, one for each chip.

use super::rules::{BLOCKS_OF_BLACKHOLE, BLOCKS_OF_WORMHOLE};
use super::{Chip, Mnemonic};
use crate::worded;

worded! {
    /// Who executes an instruction, as far as block masks tell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// No bit: a core of RISC-V, which does not come to the gate.
        Core "core",
        /// Bit B0 alone.
        Miscellaneous "miscellaneous",
        /// Bit B1.
        Sync "sync",
        /// Bit B0, and B3 of its own.
        Unpacker "unpacker",
        /// Bit B0, and B4 of its own.
        Mover "mover",
        /// Bit B0, and B2 of its own.
        Packer "packer",
        /// Bit B0, and B5 of its own.
        Scalar "scalar",
        /// Bit B6.
        Matrix "matrix",
        /// Bit B7.
        Configuration "configuration",
        /// Bit B8.
        Vector "vector",
        /// Every bit: an instruction that never takes the place of a latched one.
        Waits "wait",
    }
    /// A word for it.
    fn name;
}

impl Unit {
    /// The bits of a block mask that hold its instructions.
    #[must_use]
    pub const fn block_bits(self) -> u32 {
        match self {
            Unit::Core => 0,
            Unit::Miscellaneous => 1 << 0,
            Unit::Sync => 1 << 1,
            Unit::Unpacker => 1 << 0 | 1 << 3,
            Unit::Mover => 1 << 0 | 1 << 4,
            Unit::Packer => 1 << 0 | 1 << 2,
            Unit::Scalar => 1 << 0 | 1 << 5,
            Unit::Matrix => 1 << 6,
            Unit::Configuration => 1 << 7,
            Unit::Vector => 1 << 8,
            Unit::Waits => 0x1ff,
        }
    }
}

impl Unit {
    /// The unit whose instructions these bits hold.
    const fn of(block_bits: u32) -> Self {
        use Unit::{Configuration, Matrix, Miscellaneous, Mover, Packer, Scalar, Sync, Unpacker, Vector, Waits};
        let mut at_the_gate: &[Unit] =
            &[Miscellaneous, Sync, Unpacker, Mover, Packer, Scalar, Matrix, Configuration, Vector, Waits];
        while let [unit, others @ ..] = at_the_gate {
            if unit.block_bits() == block_bits {
                return *unit;
            }
            at_the_gate = others;
        }
        panic!("rules/tensix/classes.toml has each instruction in those of the classes B0 to B8 that its unit has")
    }
}

impl Mnemonic {
    /// In which rows of the table it is.
    #[must_use]
    pub const fn unit(self, chip: Chip) -> Unit {
        UNITS[self as usize][chip as usize]
    }

    /// The same, from the table that rules speak of.
    const fn unit_of_table(self, chip: Chip) -> Unit {
        // The two highest bits are both set in no word of Tensix.
        if !self.is_on(chip) || self.on(chip).base_code[0] >> 30 == 3 {
            return Unit::Core;
        }
        let mnemonic = self.on(chip).name.as_bytes();
        let (mut bits, mut table) = (0, chip.pick(BLOCKS_OF_WORMHOLE, BLOCKS_OF_BLACKHOLE));
        while let [(name, own), others @ ..] = table {
            if is_form_of(mnemonic, name.as_bytes()) {
                bits |= *own;
            }
            table = others;
        }
        Unit::of(bits)
    }
}

static UNITS: [[Unit; 2]; Mnemonic::ALL.len()] = {
    let (mut units, mut index) = ([[Unit::Core; 2]; Mnemonic::ALL.len()], 0);
    while index < units.len() {
        let mnemonic = Mnemonic::ALL[index];
        units[index] = [mnemonic.unit_of_table(Chip::Wormhole), mnemonic.unit_of_table(Chip::Blackhole)];
        index += 1;
    }
    units
};

/// Whether it is an instruction or a form of it, which has an underscore behind its name.
const fn is_form_of(mut name: &[u8], mut of: &[u8]) -> bool {
    while let ([first, name_behind @ ..], [own, of_behind @ ..]) = (name, of)
        && *first == *own
    {
        (name, of) = (name_behind, of_behind);
    }
    of.is_empty() && matches!(name, [] | [b'_', ..])
}
