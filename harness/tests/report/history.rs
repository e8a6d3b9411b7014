//! What changed between two results.

use tandem_harness::report::history::{Difference, signatures, unit_key, unit_name};

use crate::sample;

#[test]
fn what_is_born_closed_and_changed_is_told_apart() {
    let first = sample::report().result;
    assert!(Difference::of(&first, &first).born.is_empty());
    assert!(Difference::of(&first, &first).units.is_empty() && Difference::of(&first, &first).runs.is_empty());
    let mut second = first.clone();
    second.seed += 1;
    let mut born = second.findings[0].clone();
    born.signature.kind = "other".to_string();
    second.findings.push(born.clone());
    // Another cause with the signature of the first is no finding of its own here.
    let double = second.findings[0].clone();
    second.findings.push(double);
    second.units[0].counts.holes += 3;
    let gone = second.units.pop().expect("the sample has units");
    let change = Difference::of(&first, &second);
    assert_eq!((&change.born[..], &change.closed[..]), (&[born.signature.clone()][..], &[][..]));
    assert_eq!(change.stayed.len(), signatures(&first.findings).len());
    assert_eq!(change.runs.len(), 1);
    let name = unit_name(unit_key(&gone));
    assert!(change.units.iter().any(|unit| unit.unit == name && unit.what == "only in the first"));
    assert!(change.lines().iter().any(|line| line.contains("open ")), "{:?}", change.lines());
    let back = Difference::of(&second, &first);
    assert_eq!((back.born, back.closed), (change.closed, change.born));
}
