//! The same instructions as the reference, optimized, at every SIMD level that the CPU has.
//!
//! Each instruction is written from its page, its encoding and the code points, by someone who has not seen the
//! reference: a mistake that both share would not be found.
//!
//! The rooms: `tensix/` and `visa/` hold what is the same at every level, one file an instruction; `arch/` holds what a
//! level has of its own. An instruction of `tensix/` is written once over a `Vector` (see `vector.rs`), of which each level
//! has one; where a level does a step in a way of its own, its vector overrides it, and says what that is worth. An
//! instruction of `visa/` likewise, over the vectors and what its levels have to offer beyond them (`Products`, `Convert`): the
//! rows of `DPAS` are in `visa/dpas_rows.rs`, the conversions that hardware has in `visa/mov_lanes.rs`, and each level's
//! `dpas.rs` and `mov.rs` hold what it does in a way of its own. A level compiles the whole instruction for itself.
//! Only the files of a level hold `unsafe`. A [`Level`] is a value that proves that the CPU has it; it is passed in, never
//! a global, because detection cannot be overridden.

mod arch;
mod level;
pub mod tensix;
mod vector;
pub mod visa;

/// The unit tests are of what lies below the instructions, and whole ones are tested from outside: so these are not compiled
/// once more, for three levels, which takes as long as the library.
const LEFT_OUT: bool = cfg!(test);

pub use level::Level;
#[cfg(target_arch = "x86_64")]
pub use level::{Avx2, Avx512};
