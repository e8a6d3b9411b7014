//! Tenstorrent Tensix: Wormhole and Blackhole.
//!
//! [`mova2d`], [`sfpload`] and [`sfpstore`] are instructions, and [`vector`] has the instructions that compute on `LReg`;
//! [`control`] and [`source`] have those that change counters, owners of banks, semaphores and mutexes, and `SrcA` and `SrcB` in place,
//! [`moves`] those that move data between the register files, and [`matrix`] those that compute on `SrcA` and `SrcB`.
//! [`unpacr`] unpacks, and [`unpack`] has what else Unpackers execute; [`adc`] has the counters of their addresses. [`wait`] has those that
//! [`wait_gate`] latches, which all instructions have to get past; [`frontend`] has what comes before that. [`configuration`] has those that
//! write and read configuration, [`scalar`] and [`dmareg`] those that write registers of the Scalar Unit, [`l1`] those that read and write
//! L1, [`mmio`] those that move memory-mapped registers, and [`mover`] the one that copies or clears parts of L1 and of configuration.
//! [`window`] has what RISC-V cores do to `Dst`. [`dst`], [`rwcs`] and [`lanes`] are what the pages `Dst`, `RWCs` and `VectorUnit` define
//! for all of them. [`threads`] is how the three threads go on side by side.

pub mod adc;
pub mod configuration;
pub mod control;
pub mod dmareg;
pub mod dst;
pub mod frontend;
pub mod l1;
pub mod lanes;
pub mod load_macro;
pub mod matrix;
pub mod mmio;
pub mod mova2d;
pub mod mover;
pub mod moves;
pub mod pacr;
pub mod rwcs;
pub mod scalar;
pub mod sfpload;
pub mod sfpstore;
pub mod source;
#[cfg(test)]
mod testing;
pub mod threads;
pub mod unpack;
pub mod unpacr;
pub mod vector;
pub mod wait;
pub mod wait_gate;
pub mod window;

use std::ops::ControlFlow;

use tandem_isa::tensix::{Chip, Mnemonic, Small, Tensix};
use tandem_isa::{Citation, Expectation, Reference, State, Step, tensix_instructions};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        wait_gate::through(step, state, dispatch)
    }
}

/// What an instruction is given of the state.
trait Given<'a, 's> {
    fn of(tensix: &'a mut Tensix<'s>) -> Self;
}

impl<'a, 's> Given<'a, 's> for &'a mut Tensix<'s> {
    fn of(tensix: &'a mut Tensix<'s>) -> Self {
        tensix
    }
}

impl<'a, 's> Given<'a, 's> for &'a mut Small {
    fn of(tensix: &'a mut Tensix<'s>) -> Self {
        tensix.small
    }
}

fn execute<'a, 's, G: Given<'a, 's>>(
    instruction: impl FnOnce(&Step<'_>, G) -> ControlFlow<Expectation>,
    step: &Step<'_>,
    tensix: &'a mut Tensix<'s>,
) -> Expectation {
    promised(instruction(step, G::of(tensix)))
}

/// How an instruction is called: by the file and the name that the list of instructions has.
macro_rules! call {
    (mova2d mova2d, $step:ident, $tensix:ident) => {
        match Chip::of($step.instruction) {
            Chip::Wormhole => mova2d::execute($step.edition, $step.code, $tensix),
            Chip::Blackhole => execute(moves::mova2d, $step, $tensix),
        }
    };
    (sfpload sfpload, $step:ident, $tensix:ident) => {
        sfpload::execute(Chip::of($step.instruction), $step.edition, $step.code, $tensix)
    };
    (sfpstore sfpstore, $step:ident, $tensix:ident) => {
        sfpstore::execute(Chip::of($step.instruction), $step.edition, $step.code, $tensix)
    };
    (configuration rmwcib0, $step:ident, $tensix:ident) => {
        promised(configuration::rmwcib($step, $tensix, 0))
    };
    (configuration rmwcib1, $step:ident, $tensix:ident) => {
        promised(configuration::rmwcib($step, $tensix, 1))
    };
    (configuration rmwcib2, $step:ident, $tensix:ident) => {
        promised(configuration::rmwcib($step, $tensix, 2))
    };
    (configuration rmwcib3, $step:ident, $tensix:ident) => {
        promised(configuration::rmwcib($step, $tensix, 3))
    };
    (immediate $name:ident, $step:ident, $tensix:ident) => {
        call!(vector $name, $step, $tensix)
    };
    (float $name:ident, $step:ident, $tensix:ident) => {
        call!(vector $name, $step, $tensix)
    };
    (vector $name:ident, $step:ident, $tensix:ident) => {
        vector::execute($step, $tensix, vector::$name)
    };
    ($file:ident $name:ident, $step:ident, $tensix:ident) => {
        execute($file::$name, $step, $tensix)
    };
}

macro_rules! dispatch {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        /// Executes an instruction that the Wait Gate lets past.
        fn dispatch(step: &Step<'_>, state: &mut State) -> Expectation {
            let tensix = &mut Tensix::new(state);
            match Mnemonic::of(step.instruction) {
                $(Mnemonic::$mnemonic => call!($module $file, step, tensix),)*
            }
        }
    };
}
tensix_instructions!(dispatch);

/// Why nothing is promised of a code that [`check`] refuses.
const UNNAMED_REASON: &str = "TX-40: these bits of the code belong to no field";

/// Breaks off if a bit of the code is set that belongs to no field of the instruction; `citation` is the place that names
/// them.
fn check(step: &Step<'_>, citation: &'static Citation) -> ControlFlow<Expectation> {
    // TX-40: no page gives these bits a meaning.
    if step.code[0] & step.instruction.unnamed_bits(0) != 0 {
        return ControlFlow::Break(Expectation::Unspecified(citation));
    }
    ControlFlow::Continue(())
}

/// What is promised of an instruction that went on to its end, or broke off.
fn promised(end: ControlFlow<Expectation>) -> Expectation {
    end.break_value().unwrap_or(Expectation::Done)
}
