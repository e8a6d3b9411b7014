//! The vISA instructions: what is the same at every level, one file an instruction, and what operands have in common.

pub(crate) mod channels;
pub(crate) mod dpas;
pub(crate) mod dpas_rows;
pub(crate) mod mov;
#[cfg(target_arch = "x86_64")]
pub(crate) mod mov_lanes;
pub(crate) mod region;
mod soft;

use std::marker::PhantomData;

use tandem_isa::visa::{Mnemonic, VISA};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

use self::dpas::Dpas;
use self::dpas_rows::{Products, Task};
use self::mov::{Kernels, Mov};
use crate::Level;
use crate::arch::portable::{Portable, vector::Words};
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::{avx2::vector::Eight, avx512::vector::Sixteen};

/// An instruction, at any level.
pub(crate) trait Instruction {
    /// Executes it. Each level inlines this into a function that is compiled for the level.
    fn execute<V: Kernels>(level: V::Level, step: &Step<'_>, state: &mut State) -> Answer;
}

/// An instruction with all that it needs.
struct Whole<'a, 'c, I> {
    instruction: PhantomData<I>,
    step: &'a Step<'c>,
    state: &'a mut State,
}

impl<V: Kernels, I: Instruction> Task<V> for Whole<'_, '_, I> {
    const IS_FLOAT: bool = false;
    type Output = Answer;

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level) -> Answer {
        I::execute::<V>(level, self.step, self.state)
    }
}

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

    #[inline]
    fn run<I: Instruction>(self, step: &Step<'_>, state: &mut State) -> Answer {
        let whole = Whole { instruction: PhantomData::<I>, step, state };
        match self.level {
            Level::Portable => Words::run(Portable, whole),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(proof) => Eight::run(proof, whole),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(proof) => Sixteen::run(proof, whole),
        }
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
        if crate::LEFT_OUT {
            return Answer::Unsupported;
        }
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mov => self.run::<Mov>(step, state),
            Mnemonic::Dpas => self.run::<Dpas>(step, state),
        }
    }
}
