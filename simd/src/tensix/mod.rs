//! The Tensix instructions: what is the same at every level, one file an instruction.

pub(crate) mod mova2d;
#[cfg(test)]
pub(crate) mod mova2d_kit;
pub(crate) mod rwcs;
pub(crate) mod sfpload;
pub(crate) mod sfpstore;
pub(crate) mod sfpu;
#[cfg(test)]
mod sfpu_claims;
#[cfg(test)]
pub(crate) mod sfpu_kit;
#[cfg(test)]
mod sfpu_naive;
#[cfg(test)]
mod sfpu_speed;

use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Answer, Instruction, State, Step, Target, TargetInfo};

use crate::{Level, arch};

/// The optimized Tensix, at one level.
#[derive(Clone, Copy, Debug)]
pub struct TensixSimd {
    level: Level,
}

impl TensixSimd {
    /// The target at `level`.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        TensixSimd { level }
    }

    /// The level that it runs at.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }
}

impl Target for TensixSimd {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "simd".to_string(), level: Some(self.level.name().to_string()) }
    }

    fn implements(&self, instruction: &'static Instruction) -> bool {
        Chip::named(instruction.isa).is_some_and(|_| match Mnemonic::of(instruction) {
            Mnemonic::Mova2d | Mnemonic::Sfpload | Mnemonic::Sfpstore => true,
        })
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let chip = Chip::of(step.instruction);
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => match self.level {
                Level::Portable => arch::portable::mova2d::execute(step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(proof) => arch::x86_64::avx2::mova2d::execute(proof, step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(proof) => arch::x86_64::avx512::mova2d::execute(proof, step, state),
            },
            Mnemonic::Sfpload => match self.level {
                Level::Portable => arch::portable::sfpload::execute(chip, step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(proof) => arch::x86_64::avx2::sfpload::execute(proof, chip, step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(proof) => arch::x86_64::avx512::sfpload::execute(proof, chip, step, state),
            },
            Mnemonic::Sfpstore => match self.level {
                Level::Portable => arch::portable::sfpstore::execute(chip, step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(proof) => arch::x86_64::avx2::sfpstore::execute(proof, chip, step, state),
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(proof) => arch::x86_64::avx512::sfpstore::execute(proof, chip, step, state),
            },
        }
    }
}
