//! Kernels without intrinsics, for any CPU.

pub(crate) mod dpas;
pub(crate) mod mov;
pub(crate) mod mova2d;
mod rwcs;
pub(crate) mod sfpload;
pub(crate) mod sfpstore;
mod sfpu;

/// The level that needs no proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;
