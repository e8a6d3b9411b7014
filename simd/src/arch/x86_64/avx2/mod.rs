//! Kernels for AVX2, with F16C, BMI1 and BMI2.

mod dpas;
mod floats;
mod mov;
mod mova2d;
pub(crate) mod rwcs;
pub(crate) mod vector;

// What is done here as it is written over vectors.
impl crate::tensix::integers::Integers for vector::Eight {}
