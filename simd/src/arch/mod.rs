//! The kernels, one directory a level.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use tandem_isa::Answer;

pub(crate) use self::portable::vector::{Portable, Words};
#[cfg(target_arch = "x86_64")]
pub(crate) use self::x86_64::{avx2::vector::Eight, avx512::vector::Sixteen};
use crate::level::Level;
use crate::vector::{Task, Vector};

/// An instruction that is there at every level.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Kernel:
    Task<Words, Output = Answer> + Task<Eight, Output = Answer> + Task<Sixteen, Output = Answer>
{
}

#[cfg(target_arch = "x86_64")]
impl<T: Task<Words, Output = Answer> + Task<Eight, Output = Answer> + Task<Sixteen, Output = Answer>> Kernel for T {}

/// An instruction that is there at every level.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) trait Kernel: Task<Words, Output = Answer> {}

#[cfg(not(target_arch = "x86_64"))]
impl<T: Task<Words, Output = Answer>> Kernel for T {}

/// Executes an instruction at a level.
#[inline(always)]
pub(crate) fn execute(level: Level, kernel: impl Kernel) -> Answer {
    // The unit tests are of what lies below the instructions, and whole ones are tested from outside: so these are not
    // compiled once more, for three levels, which takes as long as the library.
    if cfg!(test) {
        return Answer::Unsupported;
    }
    match level {
        Level::Portable => Words::run(Portable, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(proof) => Eight::run(proof, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(proof) => Sixteen::run(proof, kernel),
    }
}
