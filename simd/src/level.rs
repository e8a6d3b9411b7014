//! The SIMD levels, as values that prove that the CPU has them.

use std::fmt;

/// A SIMD level that this CPU has, in ascending order.
///
/// The values of [`Level::Avx2`] and [`Level::Avx512`] hold a proof that only detection makes, so whoever holds such a
/// level may run its kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No intrinsics: any CPU.
    Portable,
    /// AVX2, with F16C, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 F, BW, DQ and VL, with BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// The proof that the CPU and the operating system support AVX2, F16C, BMI1 and BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Avx2 {
    has_fma: bool,
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The proof, if the CPU has AVX2, F16C, BMI1 and BMI2.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        present.then(|| Avx2 { has_fma: is_x86_feature_detected!("fma") })
    }

    /// Whether the CPU has FMA, too.
    #[inline]
    #[must_use]
    pub const fn has_fma(self) -> bool {
        self.has_fma
    }
}

/// The proof that the CPU and the operating system support AVX-512 F, BW, DQ and VL, and what [`Avx2`] proves.
///
/// VBMI and later extensions are no part of the level, so that it is the same on every server since Skylake.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Avx512 {
    has_vnni: bool,
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The proof, if the CPU has AVX-512 F, BW, DQ and VL, and what [`Avx2`] asks for.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let present = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        present.then(|| Avx512 { has_vnni: is_x86_feature_detected!("avx512vnni") })
    }

    /// Whether the CPU has AVX-512 VNNI, too.
    #[inline]
    #[must_use]
    pub const fn has_vnni(self) -> bool {
        self.has_vnni
    }
}

impl Level {
    /// The names of all levels, present or not, in ascending order.
    pub const NAMES: [&str; 3] = ["portable", "avx2", "avx512"];

    /// The levels that this CPU has, in ascending order; the first one is [`Level::Portable`].
    #[must_use]
    pub fn detect_all() -> Vec<Self> {
        let levels = [
            Some(Level::Portable),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Level::Avx512),
        ];
        levels.into_iter().flatten().collect()
    }

    /// The names of the levels that this CPU lacks: what is to be reported as not run.
    #[must_use]
    pub fn absent() -> Vec<&'static str> {
        Self::NAMES.into_iter().filter(|name| Self::named(name).is_none()).collect()
    }

    /// The level called `name`, if there is one and this CPU has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::detect_all().into_iter().find(|level| level.name() == name)
    }

    /// The level as it is on a CPU that lacks what this one has beyond it, if this one has anything: AVX2 without FMA, AVX-512
    /// without VNNI. So what stands in for it is tested here, too.
    #[must_use]
    pub const fn without_extensions(self) -> Option<Self> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(Avx2 { has_fma: true }) => Some(Level::Avx2(Avx2 { has_fma: false })),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(Avx512 { has_vnni: true }) => Some(Level::Avx512(Avx512 { has_vnni: false })),
            _ => None,
        }
    }

    /// `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable => Self::NAMES[0],
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => Self::NAMES[1],
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => Self::NAMES[2],
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn every_level_is_present_or_absent_and_found_by_its_name() {
        let present = Level::detect_all();
        assert!(present.is_sorted());
        assert_eq!(present[0], Level::Portable);
        for &level in &present {
            assert_eq!(Level::named(level.name()), Some(level));
        }
        let mut names: Vec<_> = present.iter().map(|level| level.name()).chain(Level::absent()).collect();
        names.sort_by_key(|name| Level::NAMES.iter().position(|known| known == name));
        assert_eq!(names, Level::NAMES);
        assert_eq!(Level::named("avx3"), None);
    }
}
