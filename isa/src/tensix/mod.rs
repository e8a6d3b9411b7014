//! Tenstorrent Tensix: the coprocessor state of Wormhole and Blackhole, its configuration fields, and its instructions.

mod chip;
pub mod config;
mod disputes;
mod errata;
mod fields;
pub mod format;
pub mod inst;
mod meanings;
mod pages;
mod rules;
mod state;
mod unmodelled;
pub mod wait_gate;

pub use chip::Chip;
pub use meanings::MOD0_NAMES;
pub use pages::*;
pub use state::{Access, Banks, Latched, MATRIX_UNIT, Rwc, Semaphore, Small, Tensix, UNPACKERS, Views, bank};

use crate::{Facts, Machine, each};

/// The one list of instructions: each with its mnemonic, where it is told of (`inst`, and in the crate of cases), the chips
/// that have it, and what it does. It is given to a macro, by its name or path, at whichever place needs something of each.
///
/// Each implementation matches on [`Mnemonic`] without a wildcard, so that one which lacks an instruction does not compile.
#[macro_export]
macro_rules! tensix_instructions {
    ($($with:tt)+) => {
        $($with)+! {
            Mova2d "MOVA2D" mova2d::mova2d [Wormhole Blackhole] "Move one row or eight rows from SrcA to Dst";
            Sfpload "SFPLOAD" sfpload::sfpload [Wormhole Blackhole] "Move up to 32 data from Dst to an LReg";
            Sfpstore "SFPSTORE" sfpstore::sfpstore [Wormhole Blackhole] "Move up to 32 data from an LReg to Dst";
            Sfpand "SFPAND" vector::sfpand [Wormhole Blackhole] "Bitwise and of two registers, lane by lane";
            Sfpor "SFPOR" vector::sfpor [Wormhole Blackhole] "Bitwise or of two registers, lane by lane";
            Sfpxor "SFPXOR" vector::sfpxor [Wormhole Blackhole] "Bitwise exclusive or of two registers, lane by lane";
            Sfpnot "SFPNOT" vector::sfpnot [Wormhole Blackhole] "Bitwise not of a register, lane by lane";
            Sfpmov "SFPMOV" vector::sfpmov [Wormhole Blackhole]
                "Move a register, negated or not, or a special register, lane by lane";
            Sfpabs "SFPABS" vector::sfpabs [Wormhole Blackhole]
                "Absolute value of integers or of FP32, lane by lane";
            Sfpsetsgn "SFPSETSGN" vector::sfpsetsgn [Wormhole Blackhole]
                "Magnitude of one register with the sign of another, or of an immediate, lane by lane";
            Sfplz "SFPLZ" vector::sfplz [Wormhole Blackhole]
                "Count leading zeros, and perhaps set flags, lane by lane";
            Sfpiadd "SFPIADD" vector::sfpiadd [Wormhole Blackhole]
                "Add or subtract integers, and perhaps set flags, lane by lane";
            Sfpshft "SFPSHFT" vector::sfpshft [Wormhole Blackhole]
                "Shift by a register or by an immediate, lane by lane";
            Sfpsetcc "SFPSETCC" vector::sfpsetcc [Wormhole Blackhole]
                "Compare a register with zero into flags, lane by lane";
            Sfpencc "SFPENCC" vector::sfpencc [Wormhole Blackhole]
                "Say which lanes heed their flags, and set flags, lane by lane";
            Sfpexexp "SFPEXEXP" vector::sfpexexp [Wormhole Blackhole]
                "Extract the exponent of FP32, and perhaps set flags, lane by lane";
            Setrwc "SETRWC" control::setrwc [Wormhole Blackhole]
                "Set counters of a thread, and perhaps flip the banks of SrcA and SrcB";
            Incrwc "INCRWC" control::incrwc [Wormhole Blackhole] "Add to counters of a thread";
            Cleardvalid "CLEARDVALID" control::cleardvalid [Wormhole Blackhole]
                "Give banks of SrcA and SrcB to the Unpackers, and perhaps flip them";
            Seminit "SEMINIT" control::seminit [Wormhole Blackhole] "Set value and maximum of semaphores";
            Sempost "SEMPOST" control::sempost [Wormhole Blackhole] "Increment semaphores";
            Semget "SEMGET" control::semget [Wormhole Blackhole] "Decrement semaphores";
            Zerosrc "ZEROSRC" source::zerosrc [Wormhole Blackhole] "Set banks of SrcA and SrcB to zero, or to all ones";
            Trnspsrcb "TRNSPSRCB" source::trnspsrcb [Wormhole Blackhole] "Transpose rows 16 to 31 of SrcB";
            Shiftxb "SHIFTXB" source::shiftxb [Wormhole Blackhole] "Shift or rotate one row of SrcB by one column";
            Movdbga2d "MOVDBGA2D" moves::movdbga2d [Wormhole Blackhole]
                "Move one row or eight rows from SrcA to Dst, whoever owns SrcA";
            Movd2a "MOVD2A" moves::movd2a [Wormhole Blackhole] "Move one row or four rows from Dst to SrcA";
            Movd2b "MOVD2B" moves::movd2b [Wormhole Blackhole] "Move one row or four rows from Dst to SrcB";
            Movb2d "MOVB2D" moves::movb2d [Wormhole Blackhole]
                "Move rows from SrcB to Dst, one perhaps to eight, and its first column perhaps to all";
            Movb2a "MOVB2A" moves::movb2a [Wormhole Blackhole] "Move one row or four rows from SrcB to SrcA";
            Zeroacc "ZEROACC" moves::zeroacc [Wormhole Blackhole] "Mark rows of Dst as invalid";
            Mvmul "MVMUL" matrix::mvmul [Wormhole Blackhole] "Add a product of matrices of SrcB and SrcA to Dst";
            Gapool "GAPOOL" matrix::gapool [Wormhole Blackhole]
                "Add a product of matrices of SrcB and SrcA, of four rows, to Dst";
            Elwadd "ELWADD" matrix::elwadd [Wormhole Blackhole] "Add SrcA and SrcB, datum by datum, to Dst or into it";
            Elwsub "ELWSUB" matrix::elwsub [Wormhole Blackhole]
                "Subtract SrcB from SrcA, datum by datum, to Dst or into it";
            Elwmul "ELWMUL" matrix::elwmul [Wormhole Blackhole] "Add products of SrcA and SrcB, datum by datum, to Dst";
            Gmpool "GMPOOL" matrix::gmpool [Wormhole Blackhole]
                "Maximum of a row of Dst and of 16 rows of SrcA, column by column, and perhaps its index";
            RiscLoad "RISC_LOAD" window::risc_load [Blackhole] "Load from the window of a RISC-V core on Dst";
            RiscStore "RISC_STORE" window::risc_store [Blackhole] "Store to the window of a RISC-V core on Dst";
            Setdvalid "SETDVALID" unpack::setdvalid [Wormhole Blackhole]
                "Give banks of SrcA and SrcB to the Matrix Unit, and the Unpackers go on to the others";
            UnpacrNopZerosrc "UNPACR_NOP_ZEROSRC" unpack::unpacr_nop_zerosrc [Wormhole Blackhole]
                "Set banks of SrcA or of SrcB to zero, or to all ones, in an Unpacker's turn";
            UnpacrNopSetdvalid "UNPACR_NOP_SETDVALID" unpack::unpacr_nop_setdvalid [Wormhole Blackhole]
                "Give a bank of SrcA or of SrcB to the Matrix Unit, in an Unpacker's turn";
            UnpacrNopSetreg "UNPACR_NOP_SETREG" unpack::unpacr_nop_setreg [Wormhole Blackhole]
                "Write a memory-mapped register in an Unpacker's turn, which is not supported";
            UnpacrNopOverlayClear "UNPACR_NOP_OVERLAY_CLEAR" unpack::unpacr_nop_overlay_clear [Wormhole Blackhole]
                "Clear a message of a stream in an Unpacker's turn, which is not supported";
            Shiftxa "SHIFTXA" source::shiftxa [Wormhole Blackhole] "Shift 16 rows of SrcA by one column";
            Semwait "SEMWAIT" wait::semwait [Wormhole Blackhole] "Hold some later instructions by semaphores";
            Stallwait "STALLWAIT" wait::stallwait [Wormhole Blackhole] "Hold some later instructions by conditions";
            Setc16 "SETC16" configuration::setc16 [Wormhole Blackhole] "Write a word of the thread's ThreadConfig";
            Wrcfg "WRCFG" configuration::wrcfg [Wormhole Blackhole] "Move one GPR or four to Config";
            Rdcfg "RDCFG" configuration::rdcfg [Wormhole Blackhole] "Move a word of Config to a GPR";
            Rmwcib0 "RMWCIB0" configuration::rmwcib0 [Wormhole Blackhole] "Write bits of the lowest byte of a word of Config";
            Rmwcib1 "RMWCIB1" configuration::rmwcib1 [Wormhole Blackhole] "Write bits of the second byte of a word of Config";
            Rmwcib2 "RMWCIB2" configuration::rmwcib2 [Wormhole Blackhole] "Write bits of the third byte of a word of Config";
            Rmwcib3 "RMWCIB3" configuration::rmwcib3 [Wormhole Blackhole] "Write bits of the highest byte of a word of Config";
            SetdmaregImmediate "SETDMAREG_IMMEDIATE" scalar::setdmareg_immediate [Wormhole Blackhole]
                "Set one half of a GPR to an immediate";
            SetdmaregSpecial "SETDMAREG_SPECIAL" scalar::setdmareg_special [Wormhole Blackhole]
                "Move what Packers have, or zeros, to a half of a GPR, or to one GPR or four";
            Sfploadi "SFPLOADI" immediate::sfploadi [Wormhole Blackhole]
                "Move an immediate to a register, or to one half of it, lane by lane";
            Sfpconfig "SFPCONFIG" immediate::sfpconfig [Wormhole Blackhole]
                "Give eight lanes of register 0, or an immediate, to registers 11 to 14 or to the configuration of lanes";
        }
    };
}

macro_rules! mnemonics {
    ($($mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal;)*) => {
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
                    $(Mnemonic::$mnemonic => ($name, stringify!($file), $summary, inst::$module::$file(chip))),*
                };
                Facts { isa: chip.isa(), name, file, index, summary, ..facts }
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
