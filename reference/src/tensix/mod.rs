//! Tenstorrent Tensix: Wormhole and Blackhole.
//!
//! [`mova2d`], [`sfpload`] and [`sfpstore`] are instructions, and [`vector`] has the instructions that compute on `LReg`;
//! [`control`] and [`source`] have those that change counters, owners of banks, semaphores, and `SrcA` and `SrcB` in place.
//! [`dst`], [`rwcs`] and [`lanes`] are what the pages `Dst`, `RWCs` and `VectorUnit` define for all of them.

pub mod control;
pub mod dst;
pub mod lanes;
pub mod mova2d;
pub mod moves;
pub mod rwcs;
pub mod sfpload;
pub mod sfpstore;
pub mod source;
pub mod vector;

use std::ops::ControlFlow;

use tandem_isa::tensix::{Chip, Mnemonic, SETDVALID, Tensix};
use tandem_isa::{Citation, Expectation, Reference, State, Step};

use vector::{bitwise, condition, integer, mov};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
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
            Mnemonic::Movd2a => return promised(moves::movd2a(step, &mut tensix)),
            Mnemonic::Movd2b => return promised(moves::movd2b(step, &mut tensix)),
            Mnemonic::Movb2d => return promised(moves::movb2d(step, &mut tensix)),
            Mnemonic::Movb2a => return promised(moves::movb2a(step, &mut tensix)),
            Mnemonic::Zeroacc => return promised(moves::zeroacc(step, &mut tensix)),
            Mnemonic::RiscLoad | Mnemonic::RiscStore => todo!("written next"),
            Mnemonic::Setdvalid
            | Mnemonic::UnpacrNopZerosrc
            | Mnemonic::UnpacrNopSetdvalid
            | Mnemonic::UnpacrNopSetreg
            | Mnemonic::UnpacrNopOverlayClear
            | Mnemonic::Shiftxa
            | Mnemonic::Semwait
            | Mnemonic::Stallwait => {
                return Expectation::Unspecified(cite!(SETDVALID, "all lines", "it is not transcribed yet"));
            }
        };
        // Each page of the Vector Unit serves both editions.
        vector::execute(chip, step.code, &mut tensix, instruction)
    }
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
