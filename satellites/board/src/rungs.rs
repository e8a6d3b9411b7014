//! The ladder of trust: which instructions a loader and reads of others may lean on.
//!
//! An instruction is tried with those that stand lower. Which rung it stands on is judgement, so each has its reason; what is
//! not named stands on the two highest, by its unit.

use std::sync::LazyLock;

use tandem_isa::tensix::wait_gate::Unit;
use tandem_isa::tensix::{Chip, Mnemonic};

/// A rung: instructions that are tried together.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The instructions.
    pub instructions: Vec<Mnemonic>,
    /// Why they stand here.
    pub reason: &'static str,
}

/// The rungs, the lowest first. Every instruction stands on one.
pub static RUNGS: LazyLock<Vec<Rung>> = LazyLock::new(|| {
    let is_named = |mnemonic: &Mnemonic| LEANED_ON.iter().any(|rung| rung.instructions.contains(mnemonic));
    let others = Mnemonic::ALL.iter().copied().filter(|mnemonic| !is_named(mnemonic));
    let unit = |mnemonic: &Mnemonic| mnemonic.unit(Chip::Blackhole);
    let (on_registers, others): (Vec<_>, Vec<_>) = others.partition(|mnemonic| unit(mnemonic) == Unit::Vector);
    let is_control = |mnemonic: &Mnemonic| !matches!(unit(mnemonic), Unit::Matrix | Unit::Unpacker);
    let (on_control, on_sources) = others.into_iter().partition(is_control);
    let rungs = LEANED_ON.iter().map(|rung| Rung { instructions: rung.instructions.to_vec(), reason: rung.reason });
    let others = [
        Rung {
            instructions: on_control,
            reason: "computes on GPRs, counters or configuration; nothing else leans on it",
        },
        Rung { instructions: on_registers, reason: "computes on registers; nothing else leans on it" },
        Rung {
            instructions: on_sources,
            reason: "computes on SrcA and SrcB, fills them or changes them in place; nothing else leans on it",
        },
    ];
    rungs.chain(others).collect()
});

/// A rung of what others lean on.
struct LeanedOn {
    instructions: &'static [Mnemonic],
    reason: &'static str,
}

const LEANED_ON: &[LeanedOn] = &[
    LeanedOn {
        instructions: &[Mnemonic::RiscStore, Mnemonic::RiscLoad],
        reason: "accesses of a core, with nothing of Tensix between it and Dst",
    },
    LeanedOn {
        instructions: &[Mnemonic::Setc16, Mnemonic::SetdmaregImmediate],
        reason: "an immediate goes to a register that a core reads by itself",
    },
    LeanedOn {
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
    LeanedOn {
        instructions: &[
            Mnemonic::Rdcfg,
            Mnemonic::SetdmaregSpecial,
            Mnemonic::Sempost,
            Mnemonic::Semget,
            Mnemonic::Stallwait,
            Mnemonic::Semwait,
            Mnemonic::Atgetm,
            Mnemonic::Atrelm,
            Mnemonic::Streamwait,
        ],
        reason: "needs what the rungs below wrote, and moves no data",
    },
    LeanedOn {
        instructions: &[Mnemonic::Sfploadi, Mnemonic::Sfpencc],
        reason: "an immediate goes to registers or flags of all lanes, with no operand",
    },
    LeanedOn {
        instructions: &[Mnemonic::Sfpiadd, Mnemonic::Sfpsetcc, Mnemonic::Sfpconfig, Mnemonic::Sfppushc],
        reason: "by these a loader selects lanes; their operands are constants and immediates then",
    },
    LeanedOn { instructions: &[Mnemonic::Sfpstore], reason: "the way from registers to Dst, where results are read" },
    LeanedOn { instructions: &[Mnemonic::Sfpload], reason: "the way back, which SFPSTORE shows" },
    LeanedOn {
        instructions: &[Mnemonic::Setrwc, Mnemonic::Incrwc, Mnemonic::Cleardvalid],
        reason: "counters and owners alone; they show in the rows that moves reach",
    },
    LeanedOn {
        instructions: &[Mnemonic::Setdvalid, Mnemonic::UnpacrNopSetdvalid],
        reason: "gives banks to the Matrix Unit, before any of its moves",
    },
    LeanedOn {
        instructions: &[Mnemonic::Zerosrc, Mnemonic::UnpacrNopZerosrc, Mnemonic::Zeroacc],
        reason: "makes whole banks or rows one value",
    },
    LeanedOn {
        instructions: &[Mnemonic::Movd2a, Mnemonic::Movd2b],
        reason: "the only way to SrcA and SrcB that the suite has",
    },
    LeanedOn {
        instructions: &[Mnemonic::Movdbga2d, Mnemonic::Movb2d],
        reason: "the way back from SrcA and SrcB to Dst",
    },
    LeanedOn {
        instructions: &[Mnemonic::Mova2d, Mnemonic::Movb2a],
        reason: "a second way back, which waits for owners or goes through the other source",
    },
];

/// The number of the rung on which an instruction stands, the lowest being 0.
///
/// # Panics
/// Never: what is not named stands on the highest.
#[must_use]
pub fn rung_of(mnemonic: Mnemonic) -> usize {
    RUNGS.iter().position(|rung| rung.instructions.contains(&mnemonic)).expect("each stands on one")
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
