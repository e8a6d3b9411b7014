//! Which cases there are: the axes of each instruction and their cells, how operands are drawn and placed, how a case is made
//! smaller, recorded and enumerated, and the numbers by which an implementation may refuse one.
//!
//! The names of modes here say what a page does with a case, so no implementation depends on this crate: the reference, the
//! SIMD side and the plain implementation see `tandem-isa` alone. A mistake here makes a label wrong, not a verdict.

mod list;
mod quantity;
mod salt;
pub mod tensix;
pub mod visa;

use tandem_isa::{Axis, Facts, Instruction, Isa};

/// Every instruction set that the suite knows, in the order in which reports list them.
pub const ISAS: &[&Isa] = &[&tensix::WORMHOLE, &tensix::BLACKHOLE, &visa::VISA];

/// The place of the axis called `name`.
const fn place(axes: &[Axis], name: &str) -> usize {
    place_of(axes, name, "")
}

/// The place of the axis whose name is made of two pieces.
const fn place_of(axes: &[Axis], first: &str, rest: &str) -> usize {
    let mut place = 0;
    while !is_made_of(axes[place].name.as_bytes(), first.as_bytes(), rest.as_bytes()) {
        place += 1;
    }
    place
}

const fn is_made_of(name: &[u8], first: &[u8], rest: &[u8]) -> bool {
    let mut index = 0;
    while index < name.len() && index < first.len() + rest.len() {
        let expected = if index < first.len() { first[index] } else { rest[index - first.len()] };
        if name[index] != expected {
            return false;
        }
        index += 1;
    }
    name.len() == first.len() + rest.len()
}

/// The cases of an instruction.
///
/// # Panics
/// If it is of none of these sets.
#[must_use]
pub fn of(facts: &Facts) -> &'static Instruction {
    let all = ISAS.iter().flat_map(|isa| isa.instructions).copied();
    all.into_iter()
        .find(|instruction| std::ptr::eq(instruction.facts, facts))
        .expect("it is an instruction of the suite")
}
