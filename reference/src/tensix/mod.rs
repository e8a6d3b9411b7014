//! Tenstorrent Tensix: Wormhole and Blackhole.
//!
//! [`mova2d`], [`sfpload`] and [`sfpstore`] are instructions; [`dst`], [`rwcs`] and [`lanes`] are what the pages `Dst`,
//! `RWCs` and `VectorUnit` define for all of them.

pub mod dst;
pub mod lanes;
pub mod mova2d;
pub mod rwcs;
pub mod sfpload;
pub mod sfpstore;

use tandem_isa::tensix::{Chip, Mnemonic, Tensix};
use tandem_isa::{Expectation, Reference, State, Step};

/// The reference interpreter of Tensix.
#[derive(Clone, Copy, Debug, Default)]
pub struct TensixReference;

impl Reference for TensixReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        let (chip, mut tensix) = (Chip::of(step.instruction), Tensix::new(state));
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => mova2d::execute(step.edition, step.code, &mut tensix),
            Mnemonic::Sfpload => sfpload::execute(chip, step.edition, step.code, &mut tensix),
            Mnemonic::Sfpstore => sfpstore::execute(chip, step.edition, step.code, &mut tensix),
        }
    }
}
