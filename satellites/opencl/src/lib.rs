//! Tests of vISA for Intel's tools: kernels in the text of the assembler `GenX_IR`, the same as object files, and kernels of
//! OpenCL with inline vISA.
//!
//! A [`Kernel`] has the instructions of many tests. Each operand names a variable of its own type and size, which is an alias
//! of one of four blocks, so that a kernel of hundreds of instructions fits into the register file. A [`Program`] is one
//! test that runs on a device.

mod blocks;
mod device;
mod dialect;
mod kernel;
mod lines;
mod object;
mod opencl;
mod platform;
mod unreachable;

pub use blocks::Block;
pub use device::Device;
pub use kernel::{Kernel, KernelError};
pub use lines::{end, header, test};
pub use opencl::{Exporter, PROLOGUE, Program};
pub use platform::Platform;
pub use unreachable::Unreachable;
