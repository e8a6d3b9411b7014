//! The Wait Gate of a thread: which bit of a block mask holds which instruction.
//!
//! The pages have the gate look at what it has latched in every cycle. A step of the suite has no cycles: what a thread has
//! latched is looked at when that thread presents an instruction, before all else, in the state that is then, and what the
//! other threads have latched stays as it is. Units of which nothing is in the state are never busy. An instruction that is
//! held, for whatever reason, leaves the state as it was, the latched one with it.
//!
//! *Source*: the table of section Block mask of page STALLWAIT, one for each chip.

use super::{Chip, Mnemonic};

/// Who executes an instruction, as far as block masks tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No bit: a core of RISC-V, which does not come to the gate.
    Core,
    /// Bit B0 alone.
    Miscellaneous,
    /// Bit B1.
    Sync,
    /// Bit B0, and B3 of its own.
    Unpacker,
    /// Bit B0, and B5 of its own.
    Scalar,
    /// Bit B6.
    Matrix,
    /// Bit B7.
    Configuration,
    /// Bit B8.
    Vector,
    /// Every bit: an instruction that never takes the place of a latched one.
    Waits,
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
            Unit::Scalar => 1 << 0 | 1 << 5,
            Unit::Matrix => 1 << 6,
            Unit::Configuration => 1 << 7,
            Unit::Vector => 1 << 8,
            Unit::Waits => 0x1ff,
        }
    }
}

impl Mnemonic {
    /// In which rows of the table it is.
    #[must_use]
    pub const fn unit(self, chip: Chip) -> Unit {
        match self {
            Mnemonic::RiscLoad | Mnemonic::RiscStore => Unit::Core,
            Mnemonic::Mova2d
            | Mnemonic::Movdbga2d
            | Mnemonic::Movd2a
            | Mnemonic::Movd2b
            | Mnemonic::Movb2d
            | Mnemonic::Movb2a
            | Mnemonic::Zeroacc
            | Mnemonic::Zerosrc
            | Mnemonic::Trnspsrcb
            | Mnemonic::Shiftxa
            | Mnemonic::Shiftxb
            | Mnemonic::Setrwc
            | Mnemonic::Incrwc
            | Mnemonic::Cleardvalid
            | Mnemonic::Mvmul
            | Mnemonic::Gapool
            | Mnemonic::Elwadd
            | Mnemonic::Elwsub
            | Mnemonic::Elwmul
            | Mnemonic::Gmpool => Unit::Matrix,
            Mnemonic::Sfpload
            | Mnemonic::Sfpstore
            | Mnemonic::Sfpand
            | Mnemonic::Sfpor
            | Mnemonic::Sfpxor
            | Mnemonic::Sfpnot
            | Mnemonic::Sfpmov
            | Mnemonic::Sfpabs
            | Mnemonic::Sfpsetsgn
            | Mnemonic::Sfplz
            | Mnemonic::Sfpiadd
            | Mnemonic::Sfpshft
            | Mnemonic::Sfpsetcc
            | Mnemonic::Sfpencc
            | Mnemonic::Sfpexexp
            | Mnemonic::Sfploadi
            | Mnemonic::Sfpconfig => Unit::Vector,
            Mnemonic::Seminit | Mnemonic::Sempost | Mnemonic::Semget => Unit::Sync,
            Mnemonic::Semwait => chip.pick(Unit::Sync, Unit::Waits),
            Mnemonic::Stallwait => Unit::Waits,
            Mnemonic::Setdvalid => Unit::Miscellaneous,
            Mnemonic::UnpacrNopZerosrc
            | Mnemonic::UnpacrNopSetdvalid
            | Mnemonic::UnpacrNopSetreg
            | Mnemonic::UnpacrNopOverlayClear => Unit::Unpacker,
            Mnemonic::Setc16
            | Mnemonic::Wrcfg
            | Mnemonic::Rdcfg
            | Mnemonic::Rmwcib0
            | Mnemonic::Rmwcib1
            | Mnemonic::Rmwcib2
            | Mnemonic::Rmwcib3 => Unit::Configuration,
            Mnemonic::SetdmaregImmediate | Mnemonic::SetdmaregSpecial => Unit::Scalar,
        }
    }
}
