//! Tenstorrent Tensix: Wormhole and Blackhole.
//!
//! [`mova2d`], [`sfpload`] and [`sfpstore`] are instructions, and [`vector`] has the instructions that compute on `LReg`;
//! [`control`] and [`source`] have those that change counters, owners of banks, semaphores, and `SrcA` and `SrcB` in place,
//! [`moves`] those that move data between the register files, and [`matrix`] those that compute on `SrcA` and `SrcB`.
//! [`unpack`] has those that Unpackers execute, and [`wait`] those that [`wait_gate`] latches, which all instructions have to
//! get past. [`configuration`] has those that write and read configuration, and [`scalar`] those that write registers of the Scalar
//! Unit. [`window`] has what RISC-V cores do to `Dst`. [`dst`], [`rwcs`] and [`lanes`] are what the pages `Dst`, `RWCs` and
//! `VectorUnit` define for all of them.

pub mod configuration;
pub mod control;
pub mod dst;
pub mod lanes;
pub mod matrix;
pub mod mova2d;
pub mod moves;
pub mod rwcs;
pub mod scalar;
pub mod sfpload;
pub mod sfpstore;
pub mod source;
pub mod unpack;
pub mod vector;
pub mod wait;
pub mod wait_gate;
pub mod window;

use std::ops::ControlFlow;

use tandem_isa::tensix::{Chip, Mnemonic, Tensix};
use tandem_isa::{Citation, Expectation, Reference, State, Step};

use moves::{movd2a, movd2b, zeroacc};
use vector::{bitwise, condition, config, integer, loadi, mov};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        wait_gate::through(step, state, dispatch)
    }
}

/// Executes an instruction that the Wait Gate lets past.
fn dispatch(step: &Step<'_>, state: &mut State) -> Expectation {
    let (chip, mut tensix) = (Chip::of(step.instruction), Tensix::new(state));
    let instruction: vector::Instruction = match Mnemonic::of(step.instruction) {
        Mnemonic::Mova2d if chip == Chip::Blackhole => return promised(moves::mova2d(step, &mut tensix)),
        Mnemonic::Mova2d => return mova2d::execute(step.edition, step.code, &mut tensix),
        Mnemonic::Sfpload => return sfpload::execute(chip, step.edition, step.code, &mut tensix),
        Mnemonic::Sfpstore => return sfpstore::execute(chip, step.edition, step.code, &mut tensix),
        Mnemonic::Sfpand => bitwise::sfpand,
        Mnemonic::Sfpor => bitwise::sfpor,
        Mnemonic::Sfpxor => bitwise::sfpxor,
        Mnemonic::Sfpnot => bitwise::sfpnot,
        Mnemonic::Sfpmov => mov::sfpmov,
        Mnemonic::Sfpabs => integer::sfpabs,
        Mnemonic::Sfpsetsgn => integer::sfpsetsgn,
        Mnemonic::Sfplz => integer::sfplz,
        Mnemonic::Sfpiadd => integer::sfpiadd,
        Mnemonic::Sfpshft => integer::sfpshft,
        Mnemonic::Sfpsetcc => condition::sfpsetcc,
        Mnemonic::Sfpencc => condition::sfpencc,
        Mnemonic::Sfpexexp => integer::sfpexexp,
        Mnemonic::Sfploadi => loadi::sfploadi,
        Mnemonic::Sfpconfig => config::sfpconfig,
        Mnemonic::Setrwc => return promised(control::setrwc(step, tensix.small)),
        Mnemonic::Incrwc => return promised(control::incrwc(step, tensix.small)),
        Mnemonic::Cleardvalid => return promised(control::cleardvalid(step, tensix.small)),
        Mnemonic::Seminit => return promised(control::seminit(step, tensix.small)),
        Mnemonic::Sempost => return promised(control::sempost(step, tensix.small)),
        Mnemonic::Semget => return promised(control::semget(step, tensix.small)),
        Mnemonic::Zerosrc => return promised(source::zerosrc(step, &mut tensix)),
        Mnemonic::Trnspsrcb => return promised(source::trnspsrcb(step, &mut tensix)),
        Mnemonic::Shiftxb => return promised(source::shiftxb(step, &mut tensix)),
        Mnemonic::Movdbga2d => return promised(moves::movdbga2d(step, &mut tensix)),
        Mnemonic::Movd2a => return promised(movd2a::movd2a(step, &mut tensix)),
        Mnemonic::Movd2b => return promised(movd2b::movd2b(step, &mut tensix)),
        Mnemonic::Movb2d => return promised(moves::movb2d(step, &mut tensix)),
        Mnemonic::Movb2a => return promised(moves::movb2a(step, &mut tensix)),
        Mnemonic::Zeroacc => return promised(zeroacc::zeroacc(step, &mut tensix)),
        Mnemonic::Mvmul => return promised(matrix::integer::mvmul(step, &mut tensix)),
        Mnemonic::Gapool => return promised(matrix::integer::gapool(step, &mut tensix)),
        Mnemonic::Elwadd => return promised(matrix::integer::elwadd(step, &mut tensix)),
        Mnemonic::Elwsub => return promised(matrix::integer::elwsub(step, &mut tensix)),
        Mnemonic::Elwmul => return promised(matrix::integer::elwmul(step, &mut tensix)),
        Mnemonic::Gmpool => return promised(matrix::pool::gmpool(step, &mut tensix)),
        Mnemonic::RiscLoad => return promised(window::risc_load(step, &mut tensix)),
        Mnemonic::RiscStore => return promised(window::risc_store(step, &mut tensix)),
        Mnemonic::Setdvalid => return promised(unpack::setdvalid(step, tensix.small)),
        Mnemonic::UnpacrNopZerosrc => return promised(unpack::unpacr_nop_zerosrc(step, &mut tensix)),
        Mnemonic::UnpacrNopSetdvalid => return promised(unpack::unpacr_nop_setdvalid(step, tensix.small)),
        Mnemonic::UnpacrNopSetreg => return promised(unpack::unpacr_nop_setreg(step)),
        Mnemonic::UnpacrNopOverlayClear => return promised(unpack::unpacr_nop_overlay_clear(step)),
        Mnemonic::Shiftxa => return promised(source::shiftxa(step, &mut tensix)),
        Mnemonic::Semwait => return promised(wait::semwait(step, tensix.small)),
        Mnemonic::Stallwait => return promised(wait::stallwait(step, tensix.small)),
        Mnemonic::Setc16 => return promised(configuration::setc16(step, tensix.small)),
        Mnemonic::Wrcfg => return promised(configuration::wrcfg(step, &mut tensix)),
        Mnemonic::Rdcfg => return promised(configuration::rdcfg(step, &mut tensix)),
        Mnemonic::Rmwcib0 => return promised(configuration::rmwcib(step, tensix.small, 0)),
        Mnemonic::Rmwcib1 => return promised(configuration::rmwcib(step, tensix.small, 1)),
        Mnemonic::Rmwcib2 => return promised(configuration::rmwcib(step, tensix.small, 2)),
        Mnemonic::Rmwcib3 => return promised(configuration::rmwcib(step, tensix.small, 3)),
        Mnemonic::SetdmaregImmediate => return promised(scalar::setdmareg_immediate(step, &mut tensix)),
        Mnemonic::SetdmaregSpecial => return promised(scalar::setdmareg_special(step, &mut tensix)),
    };
    // Each page of the Vector Unit serves both editions.
    vector::execute(chip, step.code, &mut tensix, instruction)
}

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
