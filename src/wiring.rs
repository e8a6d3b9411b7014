//! Which references and targets exist.

use std::sync::Arc;

use tandem_cases::{ISAS, tensix, visa};
use tandem_harness::vectors::{Profile, Sources};
use tandem_harness::{IsaSuite, KernelIsa, Suite};
use tandem_isa::Reference;
use tandem_isa::tensix::Chip;
use tandem_reference::tensix::TensixReference;
use tandem_reference::tensix::threads::TensixThreads;
use tandem_reference::visa::VisaReference;
#[cfg(feature = "program")]
use {
    tandem_harness::TargetFactory,
    tandem_isa::Target,
    tandem_simd::{Level, tensix::TensixSimd, visa::VisaSimd},
};

/// Every instruction set with its reference and the SIMD levels that this CPU has, best level last.
#[cfg(feature = "program")]
#[must_use]
pub fn suite() -> Suite {
    suite_at(&Level::detect_all())
}

/// Every instruction set with its reference and the given SIMD levels.
#[cfg(feature = "program")]
#[must_use]
pub fn suite_at(levels: &[Level]) -> Suite {
    let mut suite = references();
    for isa in &mut suite.isas {
        let at =
            |&level: &Level| if std::ptr::eq(isa.isa, &visa::VISA) { visa_simd(level) } else { tensix_simd(level) };
        isa.targets = levels.iter().map(at).collect();
    }
    suite
}

/// Every instruction set with its reference, and no target.
#[must_use]
pub fn references() -> Suite {
    let isa = |isa, reference: fn() -> Box<dyn Reference>| IsaSuite {
        isa,
        reference: Arc::new(reference),
        statements: tandem_reference::statements::of,
        disputes: &[],
        targets: Vec::new(),
    };
    Suite {
        isas: vec![
            isa(&tensix::WORMHOLE, tensix_reference),
            isa(&tensix::BLACKHOLE, tensix_reference),
            isa(&visa::VISA, visa_reference),
        ],
    }
}

/// An instruction set whose threads have a model, with them.
#[must_use]
pub fn threads(isa: &str) -> Option<KernelIsa> {
    let chip = match isa {
        "tensix-wh" => Chip::Wormhole,
        "tensix-bh" => Chip::Blackhole,
        _ => return None,
    };
    Some((chip.pick(&tensix::WORMHOLE, &tensix::BLACKHOLE), Box::new(TensixThreads::new(chip))))
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

#[cfg(feature = "program")]
fn visa_simd(level: Level) -> TargetFactory {
    TargetFactory::new(move || Box::new(VisaSimd::new(level)) as Box<dyn Target>)
}

fn tensix_reference() -> Box<dyn Reference> {
    Box::new(TensixReference)
}

#[cfg(feature = "program")]
fn tensix_simd(level: Level) -> TargetFactory {
    TargetFactory::new(move || Box::new(TensixSimd::new(level)) as Box<dyn Target>)
}
