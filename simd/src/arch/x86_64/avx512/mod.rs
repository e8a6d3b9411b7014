//! Kernels for AVX-512 F, BW, DQ and VL, with BMI1 and BMI2.

use tandem_isa::tensix::Rwc;

use self::vector::Sixteen;
use super::avx2::rwcs;
use crate::level::Avx512;
use crate::tensix::mova2d::MoveRows;
use crate::tensix::rwcs::{Counters, Section};

mod dpas;
mod floats;
mod integers;
mod mov;
pub(crate) mod vector;

// What is done here as it is written over vectors.
impl MoveRows for Sixteen {}

impl Counters for Sixteen {
    #[inline(always)]
    fn advance(_: Avx512, rwc: &mut Rwc, section: Section) {
        // SAFETY: the level proves that the CPU has AVX2, BMI1 and BMI2, too.
        unsafe { rwcs::advance(rwc, section) }
    }
}
