//! Kernels for AVX2, with BMI1 and BMI2.

pub(crate) mod dpas;
pub(crate) mod mov;
pub(crate) mod rwcs;
pub(crate) mod vector;
