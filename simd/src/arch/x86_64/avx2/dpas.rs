//! `DPAS` for AVX2: the portable kernels, compiled for this level.

use tandem_isa::{Answer, State, Step};

use crate::Avx2;
use crate::arch::portable::Portable;
use crate::visa::dpas;

/// Executes one `DPAS` at this level.
pub(crate) fn execute(proof: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX2, F16C, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn compiled_for_level(_: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    dpas::execute(Portable, step, state)
}

#[cfg(test)]
mod tests {
    use crate::visa::dpas_kit;
    use crate::{Avx2, Level};

    #[test]
    fn rows_are_those_of_the_pseudo_code() {
        match Avx2::detect() {
            Some(level) => dpas_kit::check(Level::Avx2(level)),
            None => dpas_kit::not_run("avx2"),
        }
    }
}
