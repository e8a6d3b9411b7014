//! Tenstorrent Tensix: Wormhole and Blackhole.
//!
//! [`mova2d`], [`sfpload`] and [`sfpstore`] are instructions, and [`vector`] has the instructions that compute on `LReg`;
//! [`dst`], [`rwcs`] and [`lanes`] are what the pages `Dst`, `RWCs` and `VectorUnit` define for all of them.

pub mod dst;
pub mod lanes;
pub mod mova2d;
pub mod rwcs;
pub mod sfpload;
pub mod sfpstore;
pub mod vector;

use tandem_isa::tensix::{Chip, Mnemonic, Tensix};
use tandem_isa::{Expectation, Reference, State, Step};

use vector::{bitwise, condition, integer, mov};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        let (chip, mut tensix) = (Chip::of(step.instruction), Tensix::new(state));
        let instruction: vector::Instruction = match Mnemonic::of(step.instruction) {
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
        };
        // Each page of the Vector Unit serves both editions.
        vector::execute(chip, step.code, &mut tensix, instruction)
    }
}
