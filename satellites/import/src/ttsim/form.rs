//! What the recordings of each instruction hold.

use tandem_harness::vectors::Sparse;
use tandem_isa::tensix::wait_gate::Unit;
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Code, CodeField, Instruction, Isa};

use super::{LeftOut, control, mova2d, sfpload, sfpstore, vector};

/// What a recording of one instruction holds, and what is known of it.
pub(super) struct Form {
    /// Members that `in` may have.
    pub(super) before: &'static [&'static str],
    /// Members that `out` may have.
    pub(super) after: &'static [&'static str],
    /// What a reader of the vectors has to know.
    pub(super) note: &'static str,
    /// The registers that the instruction reads, where ttsim may have something else than their base value.
    pub(super) registers_read: fn(&Code) -> [Option<u32>; 3],
    /// Arguments that the recording names and the page writes as 0, or has in two.
    pub(super) unnamed: &'static [CodeField],
    /// Why an executed line says nothing.
    pub(super) left_out: fn(&Executed<'_>) -> Option<LeftOut>,
}

/// A line that was executed.
pub(super) struct Executed<'a> {
    /// The instruction set.
    pub(super) isa: &'static Isa,
    /// The code words.
    pub(super) code: &'a Code,
    /// The state before, against the base state.
    pub(super) before: &'a Sparse,
    /// The rows of `Dst` that are listed in `in`: those that the instruction may read or write.
    pub(super) dst_rows: &'a [usize],
}

impl Form {
    /// The form of an instruction of this family.
    pub(super) fn of(instruction: &Instruction) -> &'static Form {
        match Mnemonic::of(instruction) {
            Mnemonic::Mova2d => &mova2d::FORM,
            Mnemonic::Sfpload => &sfpload::FORM,
            Mnemonic::Sfpstore => &sfpstore::FORM,
            Mnemonic::Sfploadi => &vector::SFPLOADI,
            Mnemonic::Sfpconfig | Mnemonic::Sfpaddi | Mnemonic::Sfpmuli => &vector::SFPCONFIG,
            Mnemonic::Sfplut | Mnemonic::Sfplutfp32 => &vector::SFPLOADI,
            Mnemonic::Sfpmad | Mnemonic::Sfpadd | Mnemonic::Sfpmul | Mnemonic::Sfpmul24 => &vector::MAD,
            Mnemonic::Sfpswap => &vector::SFPSWAP,
            Mnemonic::Movdbga2d
            | Mnemonic::Movd2a
            | Mnemonic::Movd2b
            | Mnemonic::Movb2d
            | Mnemonic::Movb2a
            | Mnemonic::Zeroacc => &mova2d::MOVES,
            Mnemonic::Mvmul
            | Mnemonic::Gapool
            | Mnemonic::Elwadd
            | Mnemonic::Elwsub
            | Mnemonic::Elwmul
            | Mnemonic::Gmpool => &mova2d::MATRIX,
            other if other.unit(Chip::of(instruction)) == Unit::Vector => &vector::FORM,
            _ => &control::FORM,
        }
    }
}
