//! The kernels, one directory a level.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use tandem_isa::{Answer, State};

pub(crate) use self::portable::vector::{Portable, Words};
#[cfg(target_arch = "x86_64")]
pub(crate) use self::x86_64::{avx2::vector::Eight, avx512::vector::Sixteen};
use crate::level::Level;
use crate::vector::{Task, Vector};

/// An instruction at a level.
pub(crate) trait OnState<V: Vector>: Task<V, On = State, Output = Answer> {}

impl<V: Vector, T: Task<V, On = State, Output = Answer>> OnState<V> for T {}

/// An instruction that is there at every level.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Kernel: OnState<Words> + OnState<Eight> + OnState<Sixteen> {}

#[cfg(target_arch = "x86_64")]
impl<T: OnState<Words> + OnState<Eight> + OnState<Sixteen>> Kernel for T {}

/// An instruction that is there at every level.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) trait Kernel: OnState<Words> {}

#[cfg(not(target_arch = "x86_64"))]
impl<T: OnState<Words>> Kernel for T {}

/// Executes an instruction at a level.
#[inline(always)]
pub(crate) fn execute(level: Level, kernel: impl Kernel, state: &mut State) -> Answer {
    // The unit tests are of what lies below the instructions, and whole ones are tested from outside: so these are not
    // compiled once more, for three levels, which takes as long as the library.
    if cfg!(test) {
        return Answer::Unsupported;
    }
    match level {
        Level::Portable => Words::run(Portable, kernel, state),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(proof) => Eight::run(proof, kernel, state),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(proof) => Sixteen::run(proof, kernel, state),
    }
}
