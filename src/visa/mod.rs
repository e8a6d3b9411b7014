//! Tests of vISA for Intel's tools: kernels in the text of the assembler `GenX_IR`, and the same as object files.
//!
//! A [`Kernel`] has the instructions of many tests. Each operand names a variable of its own type and size, which is an alias
//! of one of four blocks, so that a kernel of hundreds of instructions fits into the register file.

mod dialect;
mod kernel;
mod object;
mod platform;

pub use kernel::{Kernel, KernelError};
pub use platform::Platform;
