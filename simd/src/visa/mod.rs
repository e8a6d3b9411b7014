//! The vISA instructions: what is the same at every level, one file an instruction, and what operands have in common.

mod channels;
mod dpas;
mod dpas_floats;
#[cfg(target_arch = "x86_64")]
pub(crate) mod dpas_integers;
pub(crate) mod dpas_recipe;
pub(crate) mod dpas_rows;
pub(crate) mod floats;
pub(crate) mod mov;
#[cfg(target_arch = "x86_64")]
pub(crate) mod mov_lanes;
pub(crate) mod mov_wide;
pub(crate) mod region;
mod soft;

use tandem_isa::visa::{Mnemonic, VISA};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

use self::dpas::Dpas;
use self::mov::Mov;
use crate::arch;
use crate::level::Level;

/// The optimized Intel vISA, at one level.
#[derive(Clone, Copy, Debug)]
pub struct VisaSimd {
    level: Level,
}

impl VisaSimd {
    /// The target at `level`.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        VisaSimd { level }
    }

    /// The level that it runs at.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }
}

impl Target for VisaSimd {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "simd".to_string(), level: Some(self.level.name().to_string()) }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        instruction.isa == VISA.name
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mov => arch::execute(self.level, Mov { step }, state),
            Mnemonic::Dpas => arch::execute(self.level, Dpas { step }, state),
        }
    }
}
