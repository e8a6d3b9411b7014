//! Files of users that were changed: a reader takes one or says what is wrong, soon, and does not end in a panic; and who reads or
//! renders a report has no more to do than its size asks for.

use std::path::Path;

use tandem::trial;
use tandem_cases::ISAS;
use tandem_harness::observe::Claims;
use tandem_harness::report::history::Difference;
use tandem_harness::report::known::{Covers, Entry, StoredCase, Verdict};
use tandem_harness::report::model::{FaultPart, FaultsPart, SignaturePart};
use tandem_harness::report::{CaseText, Colour, Inputs, Known, Report, html, json, junit, markdown, terminal};
use tandem_harness::vectors::{Profile, check_text};
use tandem_harness::{Budget, Campaign, CaseValue, Checkpoint, Plan, Progress, Shard, Suite, TargetFactory, join};
use tandem_isa::Edition;
use tandem_policy::{EMBEDDED, Policy};

use crate::mutate::each_mutant;
use crate::parts::instruction;
use crate::program::ROOT;
use crate::vectors::names_file_and_place;

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).expect("it is committed")
}

/// A small campaign with findings, against a partial target.
fn campaign() -> (Suite, Plan) {
    let (isa, instruction) = instruction("tensix-wh/sfpnot");
    let target = TargetFactory::partial(trial::factory("after-code"));
    let plan = Plan::new(3, Budget::Cases(2_048), vec![(instruction, Edition::Newest)]);
    (Suite { isas: vec![isa.with_targets(vec![target])] }, Plan { threads: 1, ..plan })
}

/// Reads a report and renders it in every way, if it is one.
fn read_and_render(bytes: &[u8], list: &Report) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(report) = json::parse(text) else { return false };
    let mut out = Vec::new();
    for colour in [Colour::Always, Colour::Never] {
        terminal::render(&mut out, &report, colour, None).expect("memory takes everything");
    }
    let texts = [html::page(&report), markdown::summary(&report), junit::xml(&report, true), json::report(&report)];
    assert!(texts.iter().all(|text| text.len() < 40 * bytes.len() + 1_000_000));
    let _ = Difference::of(&list.result, &report.result).lines();
    let _ = html::trend(&[("one".to_string(), list.clone()), ("two".to_string(), report.clone())]);
    let known = Known { entries: report.result.findings.iter().map(|one| Entry::propose("K-1", one)).collect() };
    for finding in &report.result.findings {
        let _ = known.triage(&finding.signature, &finding.seen, &finding.bits, &finding.rules);
    }
    true
}

#[test]
fn no_mutant_of_a_report_takes_long_or_ends_in_a_panic() {
    let (suite, plan) = campaign();
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let mut list = Report::build(&Inputs::new(&suite, &result));
    assert!(!list.result.findings.is_empty() && list.result.units[0].observed.is_some());
    let fault = FaultPart { instruction: "a/b".to_string(), wrong: true, ..FaultPart::default() };
    list.run.faults = Some(FaultsPart::of(1, vec![fault]));
    let text = json::report(&list);
    assert!(read_and_render(text.as_bytes(), &list), "it reads back");
    let [read, all] = each_mutant("a report", &text, 400, |mutant| read_and_render(mutant, &list));
    assert!(all > 2_000, "{all} mutants");
    assert!(read > all / 10, "{read} of {all} are reports still");
}

#[test]
fn no_mutant_of_a_shard_takes_long_or_ends_in_a_panic() {
    let (suite, plan) = campaign();
    let shards: Vec<Checkpoint> = [1, 2]
        .map(|number| {
            let plan = Plan { shard: Shard::new(number, 2), ..plan.clone() };
            Campaign::new(&suite, &plan, &Progress::default()).run_shard().0
        })
        .into();
    let text = serde_json::to_string_pretty(&shards[1]).expect("a checkpoint serializes");
    let [taken, all] = each_mutant("a shard", &text, 400, |bytes| {
        let Ok(shard) = serde_json::from_slice::<Checkpoint>(bytes) else { return false };
        let Ok(joined) = join(&[shards[0].clone(), shard], 2_048) else { return false };
        Campaign::new(&suite, &plan, &Progress::default()).going_on(joined).is_ok()
    });
    assert!(taken < all / 4, "{taken} of {all} are taken");
}

#[test]
fn each_mutant_of_vectors_is_refused_soon_with_file_and_place() {
    for name in ["sfpencc.programs", "unpacr_nop_setdvalid.programs", "shiftxa", "rdcfg"] {
        let path = format!("vectors/tensix-wh/{name}.json");
        let text = text(&path);
        assert!(check_text(ISAS, &path, text.as_bytes()).is_ok(), "{name} is as it should be");
        each_mutant(name, &text, 400, |bytes| match check_text(ISAS, &path, bytes) {
            Ok(_) => {
                // Some numbers are large already.
                assert!(bytes == text.as_bytes(), "it is taken");
                true
            }
            Err(error) => {
                names_file_and_place(&error, &path);
                false
            }
        });
    }
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
