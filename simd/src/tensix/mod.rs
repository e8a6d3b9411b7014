//! The Tensix instructions: what is the same at every level, one file an instruction.

mod adc;
mod configuration;
mod control;
mod convert;
mod dmareg;
mod dst;
mod exponents;
mod flag_stack;
mod float;
mod fma;
pub mod front_end;
mod gmpool;
mod instruction;
pub(crate) mod integers;
mod l1;
mod lane_moves;
mod lanewise;
mod load_macro;
mod matrix;
mod mmio;
mod modes;
pub(crate) mod mova2d;
mod mover;
mod moves;
mod pacr;
mod prng;
pub(crate) mod rwcs;
mod sfpconfig;
mod sfpload;
mod sfpstore;
mod sfpu;
mod simple;
pub(crate) mod source;
mod table;
mod unpack;
mod unpacr;
mod wait;
mod wait_gate;
mod window;

use tandem_isa::tensix::{Chip, Latched, Mnemonic, Tensix};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo, tensix_instructions};

use self::instruction::Whole;
use self::wait_gate::Gate;
use crate::arch::{self, Kernel};
use crate::level::Level;

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

    #[inline(always)]
    fn run<I>(self, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer
    where
        for<'a, 'c> Whole<'a, 'c, I>: Kernel,
    {
        arch::execute(self.level, Whole::<I>::new(chip, step), state)
    }

    /// Executes an instruction of a thread that has latched a wait, if it passes.
    #[cold]
    fn execute_at_the_gate(self, step: &Step<'_>, state: &mut State) -> Answer {
        let [_] = step.code else { return Answer::Unsupported };
        let chip = Chip::of(step.instruction);
        let unit = Mnemonic::of(step.instruction).unit(chip);
        let tensix = &mut Tensix::new(state);
        let forgotten = match wait_gate::look(chip, unit, tensix) {
            Gate::Holds => return Answer::Blocked,
            Gate::LetsPass => None,
            Gate::Opens => Some(std::mem::take(wait_gate::latched(tensix.small))),
        };
        let answer = self.execute_past_the_gate(step, state);
        if let Some(forgotten) = forgotten
            && answer != Answer::Done
        {
            *wait_gate::latched(Tensix::new(state).small) = forgotten;
        }
        answer
    }
}

/// What executes each instruction, by the name of its mnemonic.
mod kernels {
    pub(super) use crate::tensix::adc::*;
    pub(super) use crate::tensix::configuration::*;
    pub(super) use crate::tensix::control::*;
    pub(super) use crate::tensix::convert::*;
    pub(super) use crate::tensix::dmareg::*;
    pub(super) use crate::tensix::exponents::*;
    pub(super) use crate::tensix::flag_stack::*;
    pub(super) use crate::tensix::float::*;
    pub(super) use crate::tensix::gmpool::*;
    pub(super) use crate::tensix::l1::*;
    pub(super) use crate::tensix::lane_moves::*;
    pub(super) use crate::tensix::load_macro::*;
    pub(super) use crate::tensix::matrix::*;
    pub(super) use crate::tensix::mmio::*;
    pub(super) use crate::tensix::mova2d::*;
    pub(super) use crate::tensix::mover::*;
    pub(super) use crate::tensix::moves::*;
    pub(super) use crate::tensix::pacr::*;
    pub(super) use crate::tensix::sfpconfig::*;
    pub(super) use crate::tensix::sfpload::*;
    pub(super) use crate::tensix::sfpstore::*;
    pub(super) use crate::tensix::simple::*;
    pub(super) use crate::tensix::source::*;
    pub(super) use crate::tensix::table::*;
    pub(super) use crate::tensix::unpack::*;
    pub(super) use crate::tensix::unpacr::*;
    pub(super) use crate::tensix::wait::*;
    pub(super) use crate::tensix::window::*;
}

macro_rules! dispatch {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        impl TensixSimd {
            /// Executes an instruction that nothing latched holds. Inlined, so that the way to an instruction is one jump.
            #[inline(always)]
            fn execute_past_the_gate(self, step: &Step<'_>, state: &mut State) -> Answer {
                let chip = Chip::of(step.instruction);
                match Mnemonic::of(step.instruction) {
                    $(Mnemonic::$mnemonic => self.run::<kernels::$mnemonic>(chip, step, state),)*
                }
            }
        }
    };
}
tensix_instructions!(dispatch);

impl Target for TensixSimd {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "simd".to_string(), level: Some(self.level.name().to_string()) }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        Chip::named(instruction.isa).is_some()
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        if wait_gate::latched(Tensix::new(state).small).opcode != Latched::NONE {
            return self.execute_at_the_gate(step, state);
        }
        self.execute_past_the_gate(step, state)
    }
}
