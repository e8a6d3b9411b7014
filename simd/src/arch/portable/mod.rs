//! Kernels without intrinsics, for any CPU.

use self::vector::Words;
use crate::tensix::{integers::Integers, mova2d::MoveRows, rwcs::Counters, source::Transpose};

mod dpas;
mod floats;
mod mov;
pub(crate) mod vector;

// What is done here as it is written over vectors.
impl Counters for Words {}
impl Integers for Words {}
impl MoveRows for Words {}
impl Transpose for Words {}
