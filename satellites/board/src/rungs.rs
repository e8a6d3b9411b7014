//! The ladder of trust: which instructions a loader and reads of others may lean on.
//!
//! An instruction is tried with those that stand lower. Which rung it stands on is judgement, so each has its reason.

use tandem_isa::tensix::{Chip, Mnemonic};

/// A rung: instructions that are tried together.
#[derive(Clone, Copy, Debug)]
pub struct Rung {
    /// The instructions.
    pub instructions: &'static [Mnemonic],
    /// Why they stand here.
    pub reason: &'static str,
}

/// The rungs, the lowest first. Every instruction stands on one.
pub const RUNGS: &[Rung] = &[
    Rung {
        instructions: &[Mnemonic::RiscStore, Mnemonic::RiscLoad],
        reason: "accesses of a core, with nothing of Tensix between it and Dst",
    },
    Rung {
        instructions: &[Mnemonic::Setc16, Mnemonic::SetdmaregImmediate],
        reason: "an immediate goes to a register that a core reads by itself",
    },
    Rung {
        instructions: &[
            Mnemonic::Wrcfg,
            Mnemonic::Rmwcib0,
            Mnemonic::Rmwcib1,
            Mnemonic::Rmwcib2,
            Mnemonic::Rmwcib3,
            Mnemonic::Seminit,
        ],
        reason: "needs at most a GPR and StateID, and a core reads what it wrote",
    },
    Rung {
        instructions: &[
            Mnemonic::Rdcfg,
            Mnemonic::SetdmaregSpecial,
            Mnemonic::Sempost,
            Mnemonic::Semget,
            Mnemonic::Stallwait,
            Mnemonic::Semwait,
        ],
        reason: "needs what the rungs below wrote, and moves no data",
    },
    Rung {
        instructions: &[Mnemonic::Sfploadi, Mnemonic::Sfpencc],
        reason: "an immediate goes to registers or flags of all lanes, with no operand",
    },
    Rung {
        instructions: &[Mnemonic::Sfpiadd, Mnemonic::Sfpsetcc, Mnemonic::Sfpconfig],
        reason: "by these a loader selects lanes; their operands are constants and immediates then",
    },
    Rung { instructions: &[Mnemonic::Sfpstore], reason: "the way from registers to Dst, where results are read" },
    Rung { instructions: &[Mnemonic::Sfpload], reason: "the way back, which SFPSTORE shows" },
    Rung {
        instructions: &[Mnemonic::Setrwc, Mnemonic::Incrwc, Mnemonic::Cleardvalid],
        reason: "counters and owners alone; they show in the rows that moves reach",
    },
    Rung {
        instructions: &[Mnemonic::Setdvalid, Mnemonic::UnpacrNopSetdvalid],
        reason: "gives banks to the Matrix Unit, before any of its moves",
    },
    Rung {
        instructions: &[Mnemonic::Zerosrc, Mnemonic::UnpacrNopZerosrc, Mnemonic::Zeroacc],
        reason: "makes whole banks or rows one value",
    },
    Rung {
        instructions: &[Mnemonic::Movd2a, Mnemonic::Movd2b],
        reason: "the only way to SrcA and SrcB that the suite has",
    },
    Rung { instructions: &[Mnemonic::Movdbga2d, Mnemonic::Movb2d], reason: "the way back from SrcA and SrcB to Dst" },
    Rung {
        instructions: &[Mnemonic::Mova2d, Mnemonic::Movb2a],
        reason: "a second way back, which waits for owners or goes through the other source",
    },
    Rung {
        instructions: &[
            Mnemonic::Sfpand,
            Mnemonic::Sfpor,
            Mnemonic::Sfpxor,
            Mnemonic::Sfpnot,
            Mnemonic::Sfpmov,
            Mnemonic::Sfpabs,
            Mnemonic::Sfpsetsgn,
            Mnemonic::Sfplz,
            Mnemonic::Sfpshft,
            Mnemonic::Sfpexexp,
        ],
        reason: "computes on registers; nothing else leans on it",
    },
    Rung {
        instructions: &[
            Mnemonic::Trnspsrcb,
            Mnemonic::Shiftxa,
            Mnemonic::Shiftxb,
            Mnemonic::UnpacrNopSetreg,
            Mnemonic::UnpacrNopOverlayClear,
            Mnemonic::Mvmul,
            Mnemonic::Gapool,
            Mnemonic::Elwadd,
            Mnemonic::Elwsub,
            Mnemonic::Elwmul,
            Mnemonic::Gmpool,
        ],
        reason: "computes on SrcA and SrcB, or changes them in place; nothing else leans on it",
    },
];

/// The number of the rung on which an instruction stands, the lowest being 0.
///
/// # Panics
/// If it stands on none, which a gate excludes.
#[must_use]
pub fn rung_of(mnemonic: Mnemonic) -> usize {
    RUNGS.iter().position(|rung| rung.instructions.contains(&mnemonic)).expect("a gate asks that each stands on one")
}

/// The route of which the loader leans on fewer of the instructions under test.
///
/// Blackhole's window on `Dst` is a way past `SFPLOADI`, `SFPIADD` and `SFPSTORE`; Wormhole has none.
#[must_use]
pub fn best_route(chip: Chip, under_test: &[Mnemonic]) -> u32 {
    let past = [Mnemonic::Sfploadi, Mnemonic::Sfpiadd, Mnemonic::Sfpstore];
    let leans = under_test.iter().any(|one| past.contains(one));
    if chip == Chip::Blackhole && leans { 2 } else { 1 }
}
