//! Intel vISA.
//!
//! [`mov`] is an instruction; [`operands`], [`predication`] and [`convert`] are what pages Operands and Data Types
//! define for all of them, [`softfloat`] is the arithmetic under `convert`, and [`refusals`] weighs what is not
//! promised.
//!
//! The pages have one edition, so an instruction does the same in both of the suite's.

#![expect(clippy::needless_range_loop, reason = "loops go over indices, as those of the pages do")]

pub mod convert;
pub mod dpas;
pub mod mov;
pub mod operands;
pub mod predication;
pub mod refusals;
pub mod softfloat;

use tandem_isa::visa::{Mnemonic, Visa};
use tandem_isa::{Expectation, Reference, State, Step};

/// The reference interpreter of vISA.
#[derive(Clone, Copy, Debug, Default)]
pub struct VisaReference;

impl Reference for VisaReference {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        let mut visa = Visa::new(state);
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mov => mov::execute(step.code, &mut visa),
            Mnemonic::Dpas => dpas::execute(step.code, &mut visa),
        }
    }
}
