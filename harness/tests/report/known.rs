//! Findings held against the list of known ones.

use std::collections::BTreeMap;

use tandem_harness::CaseValue;
use tandem_harness::report::known::{Covers, Entry, Recheck, StoredCase, Triage, Verdict};
use tandem_harness::report::model::FindingPart;
use tandem_harness::report::{CaseText, Inputs, Known, Report};
use tandem_isa::Edition;

use crate::sample;

fn finding() -> FindingPart {
    let (suite, campaign) = (sample::suite(), sample::campaign());
    Report::build(&Inputs::new(&suite, &campaign)).result.findings.remove(0)
}

fn known() -> Known {
    Known { entries: vec![Entry::propose("K-1", &finding())] }
}

#[test]
fn a_proposed_entry_reads_back_and_covers_its_finding() {
    let (mut known, finding) = (known(), finding());
    for shows in [false, true] {
        known.entries[0].shows = shows;
        let read = Known::parse("known.json", &known.to_json(), &sample::suite()).expect("it is well formed");
        assert_eq!(read, known);
    }
    let triage = known.triage(&finding.signature, &finding.seen, &finding.bits, &finding.rules);
    assert_eq!(triage, Triage::Known { entries: vec!["K-1".to_string()] });
}

#[test]
fn what_an_entry_does_not_name_is_new() {
    let (mut known, finding) = (known(), finding());
    let triage = |known: &Known| known.triage(&finding.signature, &finding.seen, &finding.bits, &finding.rules);
    known.entries[0].covers.bits = Some(vec!["31:0->1".to_string()]);
    assert!(matches!(triage(&known), Triage::New { outside } if outside[0].starts_with("bit ")));
    known.entries[0].covers.bits = None;
    assert!(matches!(triage(&known), Triage::Known { .. }));
    known.entries[0].covers.classes.clear();
    assert!(matches!(triage(&known), Triage::New { outside } if !outside.is_empty()));
    known.entries[0].signature.target.push('x');
    assert_eq!(triage(&known), Triage::New { outside: Vec::new() });
}

#[test]
fn a_wider_entry_covers_what_both_covered() {
    let of = |classes: &[&str], bits: Option<&[&str]>| {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        let classes = BTreeMap::from([("spec".to_string(), texts(classes))]);
        Covers { classes, bits: bits.map(texts), rules: Vec::new() }
    };
    let mut covers = of(&["one", "two"], Some(&["7:0->1"]));
    covers.add(&of(&["two", "three"], Some(&["7:0->1", "7:1->0"])));
    assert_eq!(covers, of(&["one", "two", "three"], Some(&["7:0->1", "7:1->0"])));
    let mut covers = of(&["one"], None);
    covers.add(&of(&[], None));
    assert_eq!(covers, of(&["one"], None), "all bits stay all bits");
}

#[test]
fn an_entry_of_a_rule_covers_no_other_rule() {
    let mut finding = finding();
    finding.rules = vec!["one".to_string(), "two".to_string()];
    let known = Known { entries: vec![Entry::propose("K-1", &finding)] };
    let triage = |rules: &[&str]| {
        let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_string()).collect();
        known.triage(&finding.signature, &finding.seen, &finding.bits, &rules)
    };
    assert!(matches!(triage(&["two", "three"]), Triage::Known { .. }));
    assert!(matches!(triage(&[]), Triage::Known { .. }), "it may be that rule");
    assert_eq!(triage(&["three"]), Triage::New { outside: vec!["rule three".to_string()] });
}

#[test]
fn errors_name_file_and_place() {
    let suite = sample::suite();
    let broken = |change: &dyn Fn(&mut Entry)| {
        let mut known = known();
        change(&mut known.entries[0]);
        Known::parse("known.json", &known.to_json(), &suite).expect_err("it is broken").to_string()
    };
    assert!(broken(&|entry| entry.evidence.clear()).starts_with("known.json: [0].evidence: "));
    assert!(broken(&|entry| entry.link = Some("ftp://x".into())).starts_with("known.json: [0].link: "));
    assert!(broken(&|entry| entry.verdict = Verdict::Confirmed).contains("[0].link: is missing"));
    assert!(broken(&|entry| entry.signature.kind = "vaule".into()).contains("[0].signature.kind: 'vaule'"));
    assert!(broken(&|entry| entry.signature.instruction.push('x')).contains("[0].signature.instruction: "));
    assert!(broken(&|entry| entry.covers.bits = Some(vec!["32:0->1".into()])).contains("[0].covers.bits[0]: "));
    assert!(broken(&|entry| entry.covers.classes.clear()).contains("[0].covers.classes: "));
    assert!(broken(&|entry| entry.case = StoredCase::Id("wrong".into())).contains("[0].case.id: "));
    let other = || CaseText::of(&CaseValue::base(sample::ISA, sample::ISA.instructions[1], Edition::Spec));
    assert!(broken(&|entry| entry.case = StoredCase::Value(other())).contains("[0].case: is a case of "));
    assert!(broken(&|entry| entry.after.push(other())).contains("[0].after[0]: is a case of "));
    let place = broken(&|entry| {
        if let StoredCase::Value(text) = &mut entry.case {
            text.words[0].place.push('x');
        }
    });
    assert!(place.contains("[0].case.value.words[0].place: "), "{place}");

    let twice = Known { entries: [known().entries, known().entries].concat() }.to_json();
    let error = Known::parse("known.json", &twice, &suite).expect_err("the id is used twice").to_string();
    assert!(error.starts_with("known.json: [1].id: "), "{error}");
    let unknown = known().to_json().replacen("\"verdict\"", "\"verdit\"", 1);
    let error = Known::parse("known.json", &unknown, &suite).expect_err("no such field").to_string();
    assert!(error.contains("unknown field `verdit`") && error.contains("line "), "{error}");
}

#[test]
fn whether_it_still_happens_is_decided_by_replaying_its_case() {
    let (mut known, suite) = (known(), sample::suite());
    // The sample's targets do what its reference does, so the finding is gone.
    assert_eq!(known.recheck(&suite)[0].1, Recheck::Passes);
    assert_eq!(known.gone(&suite).len(), 1);
    known.entries[0].signature.target = "elsewhere".to_string();
    assert!(matches!(&known.recheck(&suite)[0].1, Recheck::Undecided(why) if why.contains("elsewhere")));
    known.entries[0].signature.kind = "order-dependent".to_string();
    assert!(known.gone(&suite).is_empty());
}
