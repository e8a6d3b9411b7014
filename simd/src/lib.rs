//! The same instructions as the reference, optimized, at every SIMD level that the CPU has.
//!
//! Each instruction is written from its page, its encoding and the code points, by someone who has not seen the
//! reference: a mistake that both share would not be found.
//!
//! The rooms, each of which sees those above it in this list alone (`tests/gates/arrows.rs` holds it):
//! 1. `vector.rs`: lanes, and operations of lanes. It knows no instruction.
//! 2. `tensix/` and `visa/`: an instruction a file, written once over a `Vector`. What a level does better is a method of a
//!    trait that stands with the instruction and has a default over vectors (`Counters`, `MoveRows`, `Integers`, `Transpose`,
//!    `Products`, `Convert`).
//! 3. `arch/`: what a level is, its vector, and what it has of its own of those traits, in files of the same names. Only
//!    these hold `unsafe`.
//! 4. `tensix/mod.rs` and `visa/mod.rs`: the targets, which give an instruction to the level.
//!
//! A level compiles the whole instruction for itself. A [`Level`] is a value that proves that the CPU has it; it is passed in,
//! never a global, because detection cannot be overridden.

mod arch;
mod bits;
mod level;
pub mod tensix;
mod vector;
pub mod visa;

pub use level::Level;
#[cfg(target_arch = "x86_64")]
pub use level::{Avx2, Avx512};
