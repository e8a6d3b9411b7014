//! Gates on claims and on narrowed runs: what is observed can be accepted, a promise that is broken is a finding, claims only
//! grow, and a run that is narrowed to something asks for nothing else.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tandem_cases::ISAS;
use tandem_harness::observe::Claims;

use crate::program::{self, Told, ended};

fn tandem(folder: &Path, arguments: &[&str]) -> Told {
    let mut command = program::tandem();
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    if program::takes(arguments, "out") {
        command.args(["--out", "out"]);
    }
    program::told(&command.output().expect("it starts"))
}

/// Runs the example that serves a policy; its exit code, and all that is said.
fn fuzz(folder: &Path, more: &[&str]) -> (i32, String) {
    let target = format!("cmd:{} partial-library", program::example("policy").display());
    let usual = ["fuzz", "tensix-wh/mova2d", "--seed", "1", "--cases", "120000", "--no-vectors", "--target", &target];
    let (code, stdout, stderr) = tandem(folder, &[&usual[..], more].concat());
    (code, stdout + &stderr)
}

fn unit(folder: &Path) -> Value {
    program::read_json(&folder.join("out/report.json"))["result"]["units"][0].clone()
}

#[test]
fn what_was_observed_can_be_claimed_and_a_broken_promise_is_a_finding() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path();
    let (code, text) = fuzz(path, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("exploration: no claims"), "{text}");
    let one = unit(path);
    assert_eq!(one["offered"], 72);
    for member in ["cases", "answered", "green", "unsupported", "refusals"] {
        assert!(one[member].as_u64().is_some_and(|count| count > 0), "{member}: {one}");
    }

    assert_eq!(tandem(path, &["claims", "accept"]).0, 0);
    let claims = std::fs::read_to_string(path.join("claims.toml")).expect("claims were written");
    let (code, text) = fuzz(path, &["--claims", "claims.toml"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(" 0 broken"), "{text}");
    assert!(unit(path)["claimed"]["kept"].as_u64().is_some_and(|kept| kept > 0));

    // Who claims that single rows are there breaks a promise with each of them.
    let mut rules = claims.split("[[refuses]]");
    let head = rules.next().unwrap_or_default().to_string();
    let fewer: Vec<&str> = rules.filter(|rule| !rule.contains("Move8Rows")).collect();
    assert!(fewer.len() + 1 < claims.split("[[refuses]]").count(), "{claims}");
    let more = fewer.iter().fold(head, |text, rule| text + "[[refuses]]" + rule);
    std::fs::write(path.join("more.toml"), more).expect("it is written");
    let (code, text) = fuzz(path, &["--claims", "more.toml"]);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("broken promise"), "{text}");
    // Claims only grow.
    let (code, _, error) = tandem(path, &["claims", "accept", "--claims", "more.toml"]);
    assert_eq!(code, 2);
    assert!(error.contains("claims only grow") && error.contains("Move8Rows"), "{error}");
}

#[test]
fn a_run_is_narrowed_to_levels_and_fields() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path();
    let usual = ["fuzz", "tensix-wh/mova2d", "--edition", "newest", "--seed", "1", "--cases", "20000", "--no-vectors"];
    let narrow = ["--targets", "simd:portable", "--only", "SrcAFmt=BF16,thread=0", "--hold", "DstRow=8", "--plain"];
    ended(tandem(path, &[&usual[..], &narrow].concat()), 0);
    let one = unit(path);
    // One format of sixteen: nothing else was asked for.
    assert_eq!(one["green"], 2048 / 16);
    let asked = one["map"]["statuses"].as_str().expect("a map").bytes().filter(|&letter| letter != b'H').count();
    assert_eq!(asked, 2048 / 16);
    for (wrong, word) in [
        (["--only", "SrcAFmt=BF17"], "BF16"),
        (["--hold", "DstRov=1"], "has no field"),
        (["--only", "x=1"], "has no axis"),
    ] {
        let (code, _, error) = tandem(path, &[&usual[..], &wrong].concat());
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn errors_in_claims_name_their_place() {
    let broken = |text: &str| Claims::parse("claims.toml", text, ISAS).expect_err("it is broken").to_string();
    assert!(broken("absent = [\"tensix-wh/mova\"]").starts_with("claims.toml: absent[0]: there is no instruction"));
    assert!(broken("\nabsnt = []").starts_with("claims.toml: line 2: "));
    let rule = |when: &str| format!("[[refuses]]\ninstruction = \"tensix-wh/mova2d\"\nwhen = [{when}]");
    assert!(broken(&rule("")).contains("refuses[0]: it has no condition"));
    assert!(broken(&rule("{ what = \"Move9Rows\", is = [\"0\"] }")).contains("has nothing called 'Move9Rows'"));
    assert!(
        broken(&rule("{ what = \"SrcAFmt\", is = [\"BF17\"] }")).contains("refuses[0].when[0]: SrcAFmt has no value")
    );
    assert!(broken(&rule("{ what = \"SrcAFmt\" }")).contains("one of `is`, `not`, `bits` and `at-least`"));
    let four = ["{ what = \"DstRow\", bits = 1 }"; 4].join(", ");
    assert!(broken(&rule(&four)).contains("at most 3"));
    let held = "[[held]]\ninstruction = \"tensix-wh/mova2d\"\nwhat = \"UseDst32bLo\"\nat = 2";
    assert!(broken(held).contains("held[0]: UseDst32bLo has no value 2"));

    let text = rule("{ what = \"mode.SrcAFmt\", is = [\"BF16\", \"TF32\"] }, { what = \"code.DstRow\", bits = 7 }");
    let claims = Claims::parse("claims.toml", &text, ISAS).expect("they are right");
    let again = Claims::parse("claims.toml", &claims.to_toml(ISAS), ISAS).expect("what is written is read back");
    assert_eq!(again, claims);
    assert!(claims.lost_since(&claims, ISAS).is_empty());
    assert_eq!(claims.lost_since(&Claims::default(), ISAS).len(), 1);
}

/// A family that is refused is what a file of version 1 says of it as a number, or field by field.
#[test]
fn claims_about_families_are_of_version_2_and_older_files_are_read() {
    let parse = |text: &str| Claims::parse("claims.toml", text, ISAS);
    let rule = |when: &str| format!("[[refuses]]\ninstruction = \"tensix-wh/mova2d\"\nwhen = [{when}]\n");
    let families = rule("{ what = \"family.LaneConfig[any]\", bits = 0x3000 }")
        + &rule("{ what = \"family.bits of LaneConfig that differ\", not = \"0\" }");
    let claims = parse(&("version = 2\n".to_string() + &families)).expect("they are right");
    let text = claims.to_toml(ISAS);
    assert!(text.starts_with("version = 2\n"), "{text}");
    assert!(
        text.contains("family.LaneConfig[any]") && text.contains("family.bits of LaneConfig that differ"),
        "{text}"
    );
    assert_eq!(parse(&text).expect("what is written is read back"), claims);
    let numbers = rule("{ what = \"quantity.LaneConfig[any]\", bits = 0x3000 }")
        + &rule("{ what = \"quantity.bits of LaneConfig that differ between lanes\", not = \"0\" }");
    assert_eq!(parse(&numbers).expect("it is of version 1"), claims);
    // Two of the four bits of a field in each of eight lanes; without one of the lanes less was refused.
    let lane = |lane: usize| rule(&format!("{{ what = \"field.LaneConfig[{lane}].ROW_MASK\", bits = 3 }}"));
    let one = parse(&rule("{ what = \"family.LaneConfig[any]\", bits = 0x3000 }")).expect("it is right");
    let by_fields = |lanes: usize| parse(&(0..lanes).map(lane).collect::<String>()).expect("they are right");
    assert!(one.lost_since(&by_fields(8), ISAS).is_empty());
    assert_eq!(one.lost_since(&by_fields(7), ISAS).len(), 1);
    let error = parse("version = 3").expect_err("it is of a version to come").to_string();
    assert!(error.starts_with("claims.toml: version: ") && error.contains("up to 2"), "{error}");
}
