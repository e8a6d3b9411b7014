//! Kernels for AVX-512 F, BW, DQ and VL, with BMI1 and BMI2.

pub(crate) mod dpas;
mod integers;
pub(crate) mod mov;
pub(crate) mod vector;
