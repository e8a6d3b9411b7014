//! What a target offers, where it may refuse.

use tandem_harness::report::model::SignaturePart;

use crate::sample;

#[test]
fn a_partial_target_offers_less_than_is_promised_and_has_shown_less() {
    let report = sample::partial();
    let unit = &report.result.units[0];
    assert_eq!(unit.title(), format!("{} {} partial", unit.instruction, unit.edition));
    let (green, offered, promised) = (unit.counts.green, unit.offered, unit.promised);
    assert!(green < offered && offered < promised, "{green} {offered} {promised}");
}

#[test]
fn what_refuses_everything_offers_nothing() {
    let report = sample::refusing();
    let unit = &report.result.units[0];
    assert!(unit.offers_nothing() && unit.offered == 0 && unit.promised > 0);
    assert!(!sample::report().result.units[0].offers_nothing());
}

#[test]
fn findings_are_of_the_unit_of_their_target() {
    let report = sample::partial();
    let signature =
        |target: &str| SignaturePart { target: target.to_string(), ..report.result.findings[0].signature.clone() };
    let unit = &report.result.units[0];
    assert!(unit.concerns(&signature("partial")) && !unit.concerns(&signature("simd")));
}
