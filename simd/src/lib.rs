//! The same instructions as the reference, optimized, at every SIMD level that the CPU has.
//!
//! Each instruction is written from its page, its encoding and the code points, by someone who has not seen the
//! reference: a mistake that both share would not be found.
//!
//! The rooms: `tensix/` and `visa/` hold what is the same at every level (gates, configuration, where operands lie, which
//! section moves the counters), one file an instruction; `arch/` holds the kernels, one directory a level, with the same
//! file names. A level compiles the whole instruction for itself, with its kernels inlined. Only the files of a level
//! hold `unsafe`. A [`Level`] is a value that proves that the CPU has it; it is passed in, never a global, because
//! detection cannot be overridden.

mod arch;
mod level;
pub mod tensix;
pub mod visa;

pub use level::Level;
#[cfg(target_arch = "x86_64")]
pub use level::{Avx2, Avx512};
