//! Tenstorrent Tensix (Wormhole).
//!
//! [`mova2d`] is an instruction; [`dst`] and [`rwcs`] are what the pages `Dst` and `RWCs` define for all of them.

pub mod dst;
pub mod mova2d;
pub mod rwcs;

use tandem_isa::tensix::{Mnemonic, Tensix};
use tandem_isa::{Expectation, Reference, State, Step};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        let mut tensix = Tensix::new(state);
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => mova2d::execute(step.edition, step.code, &mut tensix),
        }
    }
}
