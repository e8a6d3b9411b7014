//! Profiles: every entry has cells and a source, and an export has their tests and no others.

use std::collections::BTreeSet;

use serde_json::Value;
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Profile, check_text};
use tandem_isa::Edition;

use crate::program::{ended, run};

const LLK: &str = include_str!("../../profiles/llk-v1.toml");

#[test]
fn every_entry_of_a_profile_has_a_cell_and_a_source() {
    let mut ids = BTreeSet::new();
    for profile in wiring::profiles() {
        assert!(profile.entries.len() >= 36 && profile.num_instructions() >= 15, "{}", profile.id());
        assert!(!profile.covers_not.is_empty() && profile.commit.len() == 40, "{}", profile.id());
        let mut entries = BTreeSet::new();
        for entry in &profile.entries {
            assert!(entry.path.starts_with("tt_llk_") && entry.line > 0, "{entry:?}");
            assert!(entries.insert((&entry.instruction, &entry.levels)), "{entry:?} stands there twice");
        }
        assert!(ids.insert(profile.id()), "{} is there twice", profile.id());
    }
    let files = std::fs::read_dir("profiles").expect("there are some").count();
    assert_eq!(files, ids.len(), "every file is in the program");
    // What the suite lacks is refused, with the entry.
    let broken = |from: &str, to: &str| Profile::read(ISAS, &LLK.replacen(from, to, 1)).expect_err("it is wrong");
    assert_eq!(broken("tensix-wh/mova2d", "tensix-wh/mova2e"), "entry 1: there is no tensix-wh/mova2e");
    let none = "entry 2: tensix-wh/mova2d has no cell with UseDst32bLo=2 Move8Rows=1";
    assert_eq!(broken("UseDst32bLo=1", "UseDst32bLo=2"), none);
    assert!(broken("version = 1", "version = 1\nrevision = 2").contains("revision"));
}

#[test]
fn an_export_by_profile_has_the_tests_of_its_cells_and_no_others() {
    let path = "vectors/tensix-wh/sfpiadd.json";
    let (text, _) = ended(run(&["vectors", "export", path, "--profile", "llk"]), 0);
    let chosen = check_text(ISAS, "exported", text.as_bytes()).expect("it is a file of vectors");
    let whole = std::fs::read(path).expect("it is there");
    let whole = check_text(ISAS, path, &whole).expect("the committed files are right");
    let profile = wiring::profiles().pop().expect("there is one");
    // Alone of the cells with these levels, as --cell selects them one entry after the other.
    let listed = profile.cells(whole.instruction, Edition::Newest);
    let tests =
        whole.groups.iter().filter(|group| listed.contains(&(group.cell as u32))).map(|group| group.tests.len());
    assert_eq!(chosen.len(), tests.sum::<usize>());
    assert!(!chosen.is_empty() && chosen.len() < whole.len());
    let mut by_hand = BTreeSet::new();
    for levels in profile.levels(whole.instruction) {
        let (text, _) = ended(run(&["vectors", "export", path, "--cell", &levels.join(",")]), 0);
        let one = check_text(ISAS, "exported", text.as_bytes()).expect("it is a file of vectors");
        by_hand.extend(one.tests().map(|(_, test)| test.id(one.isa, one.instruction)));
    }
    let ids: BTreeSet<_> = chosen.tests().map(|(_, test)| test.id(chosen.isa, chosen.instruction)).collect();
    assert_eq!(ids, by_hand);
    // A manifest says it.
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("manifest.json").display().to_string();
    ended(run(&["vectors", "export", path, "--profile", "llk-v1", "--manifest", &manifest]), 0);
    let manifest: Value = crate::program::read_json(manifest.as_ref());
    assert_eq!(manifest["options"], serde_json::json!(["profile=llk-v1"]));
}

#[test]
fn a_profile_that_is_not_there_is_an_error_that_names_those_there_are() {
    for arguments in
        [&["vectors", "export", "vectors/tensix-wh/sfpiadd.json", "--profile", "lkl-v1"][..], &["profiles", "llk-v9"]]
    {
        let (_, said) = ended(run(arguments), 2);
        assert!(said.contains("there is no profile '") && said.contains("there are: llk-v1"), "{said}");
    }
    let (_, said) = ended(run(&["vectors", "export", "vectors/visa/mov.json", "--profile", "llk"]), 2);
    assert!(said.contains("profile llk-v1 has no entry of visa/mov"), "{said}");
    let (named, _) = ended(run(&["profiles"]), 0);
    assert!(named.starts_with("llk-v1: ") && named.contains("does not cover "), "{named}");
    let (entries, _) = ended(run(&["profiles", "llk"]), 0);
    assert!(entries.contains("tensix-wh/sfpiadd VD=0-7 VC=9 Mod1=6: 1 cells, tt_llk_wormhole_b0/"), "{entries}");
}
