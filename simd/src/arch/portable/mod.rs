//! Kernels without intrinsics, for any CPU.

pub(crate) mod dpas;
pub(crate) mod mov;
pub(crate) mod vector;

/// The level that needs no proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;
