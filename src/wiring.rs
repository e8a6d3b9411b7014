//! Which references and targets exist.

use tandem_cases::{ISAS, tensix, visa};
use tandem_harness::vectors::{Profile, Sources};
use tandem_harness::{IsaSuite, Suite, TargetFactory};
use tandem_isa::{Reference, Target};
use tandem_reference::tensix::TensixReference;
use tandem_reference::visa::VisaReference;
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;
use tandem_simd::visa::VisaSimd;

/// Every instruction set with its reference and the SIMD levels that this CPU has, best level last.
#[must_use]
pub fn suite() -> Suite {
    suite_at(&Level::detect_all())
}

/// Every instruction set with its reference and the given SIMD levels.
#[must_use]
pub fn suite_at(levels: &[Level]) -> Suite {
    let isa = |isa, reference, simd: fn(Level) -> TargetFactory| {
        let targets = levels.iter().map(|&level| simd(level)).collect();
        IsaSuite { isa, reference, statements: tandem_reference::statements::of, disputes: &[], targets }
    };
    Suite {
        isas: vec![
            isa(&tensix::WORMHOLE, tensix_reference, tensix_simd),
            isa(&tensix::BLACKHOLE, tensix_reference, tensix_simd),
            isa(&visa::VISA, visa_reference, visa_simd),
        ],
    }
}

/// Where recorded vectors come from.
#[must_use]
pub fn sources() -> Sources {
    Sources::read(include_str!("../vectors/sources.toml")).expect("a test reads it")
}

/// The profiles, the newest version of each name last.
#[must_use]
pub fn profiles() -> Vec<Profile> {
    let texts = [include_str!("../profiles/llk-v1.toml")];
    texts.map(|text| Profile::read(ISAS, text).expect("a test reads it")).into()
}

fn visa_reference() -> Box<dyn Reference> {
    Box::new(VisaReference)
}

fn visa_simd(level: Level) -> TargetFactory {
    TargetFactory::new(move || Box::new(VisaSimd::new(level)) as Box<dyn Target>)
}

fn tensix_reference() -> Box<dyn Reference> {
    Box::new(TensixReference)
}

fn tensix_simd(level: Level) -> TargetFactory {
    TargetFactory::new(move || Box::new(TensixSimd::new(level)) as Box<dyn Target>)
}
