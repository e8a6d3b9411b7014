//! Tenstorrent Tensix: the coprocessor state of Wormhole and Blackhole, its configuration fields, and its instructions.

mod chip;
pub mod config;
mod disputes;
mod errata;
mod fields;
pub mod format;
pub mod inst;
#[macro_use]
mod list;
mod meanings;
mod pages;
mod rules;
mod state;
mod unmodelled;
pub mod wait_gate;

pub use chip::Chip;
pub use meanings::MOD0_NAMES;
pub use pages::*;
pub use state::{
    Access, AdcChannel, Adcs, Banks, DATA, EXPONENTS, FlagStack, L1_PAGE_ROWS, L1_WINDOWS, Latched, MATRIX_UNIT,
    MMIO_BASES, MMIO_WORDS, MmioWord, PACKER_COUNTS, PACKER_STATS, PACKERS, Packer, PackerStream, Rwc, Semaphore,
    Small, Tensix, UNPACKERS, Views, bank,
};

use crate::{Facts, Machine, each};
use inst::{
    adc, configuration, control, immediate, matrix, mova2d, mover, moves, pack, row, scalar, sfpload, sfpstore, source,
    unpack, vector, wait, window,
};

macro_rules! mnemonics {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        /// The mnemonics of Tensix instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mnemonic {
            $(#[doc = concat!($summary, ".")] $mnemonic),*
        }

        impl Mnemonic {
            /// All mnemonics.
            pub const ALL: &[Mnemonic] = &[$(Mnemonic::$mnemonic),*];

            /// Whether a chip has it.
            #[must_use]
            pub const fn is_on(self, chip: Chip) -> bool {
                match self {
                    $(Mnemonic::$mnemonic => matches!(chip, $(Chip::$chip)|*)),*
                }
            }

            const fn facts(self, chip: Chip, index: usize) -> Facts {
                let (name, file, summary, facts) = match self {
                    $(Mnemonic::$mnemonic => {
                        let $on = chip;
                        ($name, stringify!($file), $summary, $facts)
                    })*
                };
                Facts { isa: chip.isa(), name, file, index, summary, ..facts }.numbered()
            }
        }
    };
}
tensix_instructions!(mnemonics);

impl Mnemonic {
    /// How many a chip has.
    #[must_use]
    pub const fn count(chip: Chip) -> usize {
        let (mut count, mut place) = (0, 0);
        while place < Self::ALL.len() {
            count += Self::ALL[place].is_on(chip) as usize;
            place += 1;
        }
        count
    }

    /// Those of a chip, of which there are [`Mnemonic::count`]; [`Facts::index`] is the place in this list.
    #[must_use]
    pub const fn list<const N: usize>(chip: Chip) -> [Mnemonic; N] {
        let (mut list, mut count, mut place) = ([Self::ALL[0]; N], 0, 0);
        while place < Self::ALL.len() {
            if Self::ALL[place].is_on(chip) {
                list[count] = Self::ALL[place];
                count += 1;
            }
            place += 1;
        }
        assert!(count == N, "the chip has another number of instructions");
        list
    }

    /// The mnemonic of an instruction of this family.
    #[must_use]
    #[inline]
    pub fn of(facts: &Facts) -> Self {
        match Chip::of(facts) {
            Chip::Wormhole => ON_WORMHOLE[facts.index],
            Chip::Blackhole => ON_BLACKHOLE[facts.index],
        }
    }

    /// What the pages of a chip state of it.
    ///
    /// # Panics
    /// If the chip lacks it.
    #[must_use]
    pub const fn on(self, chip: Chip) -> &'static Facts {
        let all: &'static [Facts] = match chip {
            Chip::Wormhole => &WORMHOLE_FACTS,
            Chip::Blackhole => &BLACKHOLE_FACTS,
        };
        let (mut index, mut place) = (0, 0);
        while Self::ALL[place] as usize != self as usize {
            index += Self::ALL[place].is_on(chip) as usize;
            place += 1;
        }
        assert!(self.is_on(chip), "the chip has this instruction");
        &all[index]
    }
}

const ON_WORMHOLE: [Mnemonic; Mnemonic::count(Chip::Wormhole)] = Mnemonic::list(Chip::Wormhole);
const ON_BLACKHOLE: [Mnemonic; Mnemonic::count(Chip::Blackhole)] = Mnemonic::list(Chip::Blackhole);
static WORMHOLE_FACTS: [Facts; ON_WORMHOLE.len()] = facts(Chip::Wormhole, ON_WORMHOLE);
static BLACKHOLE_FACTS: [Facts; ON_BLACKHOLE.len()] = facts(Chip::Blackhole, ON_BLACKHOLE);

const fn facts<const N: usize>(chip: Chip, list: [Mnemonic; N]) -> [Facts; N] {
    let (mut all, mut index) = ([list[0].facts(chip, 0); N], 0);
    while index < N {
        all[index] = list[index].facts(chip, index);
        index += 1;
    }
    all
}

/// Wormhole (`tensix-wh`).
pub static WORMHOLE: Machine = Machine {
    name: "tensix-wh",
    short: "wh",
    layout: &state::WORMHOLE_LAYOUT,
    instructions: &each(&WORMHOLE_FACTS),
    pages: PAGES_OF_WORMHOLE,
    errata: errata::OF_WORMHOLE,
    disputes: disputes::OF_WORMHOLE,
    models: &[],
    base_note: "every word and field 0, except: every Dst row valid; LReg[8] holds 0x3f56594b (0.8373) and LReg[10] 0x3f800000 (1.0) in every lane, LReg[15] twice the lane's number. Zero means: thread 0, StateID 0, MatrixUnit.SrcABank 0, both SrcA banks owned by the Matrix Unit.",
    meanings: &meanings::WORMHOLE,
    unmodelled: unmodelled::OF_WORMHOLE,
    rules: &rules::OF_WORMHOLE,
};

/// Blackhole (`tensix-bh`).
pub static BLACKHOLE: Machine = Machine {
    name: "tensix-bh",
    short: "bh",
    layout: &state::BLACKHOLE_LAYOUT,
    instructions: &each(&BLACKHOLE_FACTS),
    pages: PAGES_OF_BLACKHOLE,
    errata: errata::OF_BLACKHOLE,
    disputes: disputes::OF_BLACKHOLE,
    models: &[],
    base_note: "every word and field 0, except: every Dst row valid; LReg[8] holds 0x3f56594b (0.8373) and LReg[10] 0x3f800000 (1.0) in every lane, LReg[15] twice the lane's number. Zero means: thread 0, StateID 0, MatrixUnit.SrcABank 0, both SrcA banks owned by the Matrix Unit, no remapping of Dst rows, an empty SFPU stack.",
    meanings: &meanings::BLACKHOLE,
    unmodelled: unmodelled::OF_BLACKHOLE,
    rules: &rules::OF_BLACKHOLE,
};
