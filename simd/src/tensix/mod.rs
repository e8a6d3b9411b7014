//! The Tensix instructions: what is the same at every level, one file an instruction.

mod configuration;
mod control;
mod dst;
mod gmpool;
mod instruction;
pub(crate) mod integers;
mod lanewise;
mod matrix;
mod modes;
pub(crate) mod mova2d;
mod moves;
pub(crate) mod rwcs;
mod sfpconfig;
mod sfpload;
mod sfpstore;
mod sfpu;
mod simple;
pub(crate) mod source;
mod unpack;
mod wait;
mod wait_gate;
mod window;

use tandem_isa::tensix::{Chip, Latched, Mnemonic, Tensix};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

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
        let small = Tensix::new(state).small;
        let forgotten = match wait_gate::look(chip, unit, small) {
            Gate::Holds => return Answer::Blocked,
            Gate::LetsPass => None,
            Gate::Opens => Some(std::mem::take(wait_gate::latched(small))),
        };
        let answer = self.execute_past_the_gate(step, state);
        if let Some(forgotten) = forgotten
            && answer != Answer::Done
        {
            *wait_gate::latched(Tensix::new(state).small) = forgotten;
        }
        answer
    }

    /// Executes an instruction that nothing latched holds. Inlined, so that the way to an instruction is one jump.
    #[inline(always)]
    fn execute_past_the_gate(self, step: &Step<'_>, state: &mut State) -> Answer {
        let chip = Chip::of(step.instruction);
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => self.run::<mova2d::Mova2d>(chip, step, state),
            Mnemonic::Sfpload => self.run::<sfpload::Sfpload>(chip, step, state),
            Mnemonic::Sfpstore => self.run::<sfpstore::Sfpstore>(chip, step, state),
            Mnemonic::Sfpand => self.run::<simple::Sfpand>(chip, step, state),
            Mnemonic::Sfpor => self.run::<simple::Sfpor>(chip, step, state),
            Mnemonic::Sfpxor => self.run::<simple::Sfpxor>(chip, step, state),
            Mnemonic::Sfpnot => self.run::<simple::Sfpnot>(chip, step, state),
            Mnemonic::Sfpmov => self.run::<simple::Sfpmov>(chip, step, state),
            Mnemonic::Sfpabs => self.run::<simple::Sfpabs>(chip, step, state),
            Mnemonic::Sfpsetsgn => self.run::<simple::Sfpsetsgn>(chip, step, state),
            Mnemonic::Sfplz => self.run::<simple::Sfplz>(chip, step, state),
            Mnemonic::Sfpiadd => self.run::<simple::Sfpiadd>(chip, step, state),
            Mnemonic::Sfpshft => self.run::<simple::Sfpshft>(chip, step, state),
            Mnemonic::Sfpsetcc => self.run::<simple::Sfpsetcc>(chip, step, state),
            Mnemonic::Sfpencc => self.run::<simple::Sfpencc>(chip, step, state),
            Mnemonic::Sfpexexp => self.run::<simple::Sfpexexp>(chip, step, state),
            Mnemonic::Setrwc => self.run::<control::Setrwc>(chip, step, state),
            Mnemonic::Incrwc => self.run::<control::Incrwc>(chip, step, state),
            Mnemonic::Cleardvalid => self.run::<control::Cleardvalid>(chip, step, state),
            Mnemonic::Seminit => self.run::<control::Seminit>(chip, step, state),
            Mnemonic::Sempost => self.run::<control::Sempost>(chip, step, state),
            Mnemonic::Semget => self.run::<control::Semget>(chip, step, state),
            Mnemonic::Zerosrc => self.run::<source::Zerosrc>(chip, step, state),
            Mnemonic::Trnspsrcb => self.run::<source::Trnspsrcb>(chip, step, state),
            Mnemonic::Shiftxb => self.run::<source::Shiftxb>(chip, step, state),
            Mnemonic::Movdbga2d => self.run::<mova2d::Movdbga2d>(chip, step, state),
            Mnemonic::Movd2a => self.run::<moves::Movd2<false>>(chip, step, state),
            Mnemonic::Movd2b => self.run::<moves::Movd2<true>>(chip, step, state),
            Mnemonic::Movb2d => self.run::<moves::Movb2d>(chip, step, state),
            Mnemonic::Movb2a => self.run::<moves::Movb2a>(chip, step, state),
            Mnemonic::Zeroacc => self.run::<moves::Zeroacc>(chip, step, state),
            Mnemonic::Mvmul => self.run::<matrix::Mvmul>(chip, step, state),
            Mnemonic::Gapool => self.run::<matrix::Gapool>(chip, step, state),
            Mnemonic::Elwadd => self.run::<matrix::Elwadd>(chip, step, state),
            Mnemonic::Elwsub => self.run::<matrix::Elwsub>(chip, step, state),
            Mnemonic::Elwmul => self.run::<matrix::Elwmul>(chip, step, state),
            Mnemonic::Gmpool => self.run::<gmpool::Gmpool>(chip, step, state),
            Mnemonic::RiscLoad => self.run::<window::RiscLoad>(chip, step, state),
            Mnemonic::RiscStore => self.run::<window::RiscStore>(chip, step, state),
            Mnemonic::Setdvalid => self.run::<unpack::Setdvalid>(chip, step, state),
            Mnemonic::UnpacrNopZerosrc => self.run::<unpack::UnpacrNopZerosrc>(chip, step, state),
            Mnemonic::UnpacrNopSetdvalid => self.run::<unpack::UnpacrNopSetdvalid>(chip, step, state),
            Mnemonic::UnpacrNopSetreg | Mnemonic::UnpacrNopOverlayClear => Answer::Unsupported,
            Mnemonic::Shiftxa => self.run::<source::Shiftxa>(chip, step, state),
            Mnemonic::Semwait => self.run::<wait::Semwait>(chip, step, state),
            Mnemonic::Stallwait => self.run::<wait::Stallwait>(chip, step, state),
            Mnemonic::Setc16 => self.run::<configuration::Setc16>(chip, step, state),
            Mnemonic::Wrcfg => self.run::<configuration::Wrcfg>(chip, step, state),
            Mnemonic::Rdcfg => self.run::<configuration::Rdcfg>(chip, step, state),
            Mnemonic::Rmwcib0 => self.run::<configuration::Rmwcib<0>>(chip, step, state),
            Mnemonic::Rmwcib1 => self.run::<configuration::Rmwcib<1>>(chip, step, state),
            Mnemonic::Rmwcib2 => self.run::<configuration::Rmwcib<2>>(chip, step, state),
            Mnemonic::Rmwcib3 => self.run::<configuration::Rmwcib<3>>(chip, step, state),
            Mnemonic::SetdmaregImmediate => self.run::<configuration::SetdmaregImmediate>(chip, step, state),
            Mnemonic::SetdmaregSpecial => self.run::<configuration::SetdmaregSpecial>(chip, step, state),
            Mnemonic::Sfploadi => self.run::<simple::Sfploadi>(chip, step, state),
            Mnemonic::Sfpconfig => self.run::<sfpconfig::Sfpconfig>(chip, step, state),
        }
    }
}

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
