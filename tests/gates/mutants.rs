//! Files of users that were changed: a reader takes one or says what is wrong, soon, and does not end in a panic. Reports have a
//! test of their own (`harness/tests/report/mutants.rs`).

use std::path::Path;

use tandem_cases::ISAS;
use tandem_faults::policy::{EMBEDDED, Policy};
use tandem_harness::CaseValue;
use tandem_harness::observe::Claims;
use tandem_harness::report::known::{Covers, Entry, StoredCase, Verdict};
use tandem_harness::report::model::SignaturePart;
use tandem_harness::report::{CaseText, Known};
use tandem_harness::vectors::Profile;
use tandem_isa::Edition;

use crate::mutate::each_mutant;
use crate::parts::instruction;
use crate::program::ROOT;

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).expect("it is committed")
}

#[test]
fn no_mutant_of_a_list_takes_long_or_ends_in_a_panic() {
    let suite = tandem::wiring::suite();
    let (isa, instruction) = instruction("tensix-wh/mova2d");
    let entry = Entry {
        id: "K-1".to_string(),
        signature: SignaturePart {
            instruction: instruction.path(),
            target: "simd".to_string(),
            place: "DstBits".to_string(),
            kind: "value".to_string(),
        },
        covers: Covers {
            classes: [("newest".to_string(), Vec::new())].into(),
            bits: Some(vec!["7:0->1".to_string()]),
            rules: Vec::new(),
        },
        verdict: Verdict::Candidate,
        evidence: "3 cases".to_string(),
        link: None,
        case: StoredCase::Value(CaseText::of(&CaseValue::base(isa.isa, instruction, Edition::Newest))),
        after: Vec::new(),
        shows: true,
    };
    let text = Known { entries: vec![entry] }.to_json();
    let read = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return false };
        let Ok(known) = Known::parse("mutant", text, &suite) else { return false };
        known.recheck(&suite).len() == known.entries.len()
    };
    each_mutant("known.json", &text, 400, read);
}

#[test]
fn no_mutant_of_claims_profiles_and_policies_takes_long_or_ends_in_a_panic() {
    let claims = "absent = [\"tensix-wh/sfpnot\"]\nmodels = [\"Sum=fused\"]\n\n[[refuses]]\ninstruction = \
                  \"tensix-wh/mova2d\"\nreason = \"no\"\n\n[[refuses.all]]\nwhat = \"Move8Rows\"\nis = [\"0\"]\n\n\
                  [[held]]\ninstruction = \"tensix-wh/mova2d\"\nwhat = \"CurrentThread\"\nat = 0\n";
    each_mutant("claims", claims, 400, |bytes| {
        std::str::from_utf8(bytes).is_ok_and(|text| Claims::parse("mutant", text, ISAS).is_ok())
    });
    let profile = text("profiles/llk-v1.toml");
    let profile = &profile[..profile.match_indices("\n[[").nth(4).map_or(profile.len(), |(at, _)| at)];
    each_mutant("a profile", profile, 300, |bytes| {
        std::str::from_utf8(bytes).is_ok_and(|text| Profile::read(ISAS, text).is_ok())
    });
    for (name, policy) in EMBEDDED {
        let policy = &policy[..policy.match_indices("\n[[").nth(4).map_or(policy.len(), |(at, _)| at)];
        each_mutant(name, policy, 200, |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| Policy::read("mutant", text).is_ok())
        });
    }
}
