//! Pages, errata, disputes, rules and meanings as files: what ends the build, and with which words.

#[path = "../build/data.rs"]
mod data;
#[path = "../build/meanings.rs"]
mod meanings;
#[path = "../build/rules.rs"]
mod rules;
#[path = "../build/rust.rs"]
mod rust;

use std::path::Path;

use data::{Data, File};
use tandem_isa::{MACHINES, Page};

fn files() -> Vec<File> {
    data::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the files can be read")
}

/// The message about the files, of which one reads otherwise: `from` is `to`.
fn message(path: &str, from: &str, to: &str) -> String {
    let mut files = files();
    let file = files.iter_mut().find(|(name, _)| name == path).expect("there is such a file");
    assert!(file.1.contains(from), "{path} has no {from}");
    file.1 = file.1.replacen(from, to, 1);
    Data::of(&files).err().unwrap_or_else(|| panic!("{path} with {to} is read"))
}

fn renamed(from: &str, to: &str) -> String {
    let mut files = files();
    files.iter_mut().find(|(name, _)| name == from).expect("there is such a file").0 = to.to_string();
    Data::of(&files).err().unwrap_or_else(|| panic!("{to} is read"))
}

#[test]
fn what_was_built_is_what_the_files_say() {
    let built = [
        ("tensix_pages.rs", include_str!(concat!(env!("OUT_DIR"), "/tensix_pages.rs"))),
        ("tensix_errata.rs", include_str!(concat!(env!("OUT_DIR"), "/tensix_errata.rs"))),
        ("tensix_disputes.rs", include_str!(concat!(env!("OUT_DIR"), "/tensix_disputes.rs"))),
        ("visa_pages.rs", include_str!(concat!(env!("OUT_DIR"), "/visa_pages.rs"))),
        ("visa_errata.rs", include_str!(concat!(env!("OUT_DIR"), "/visa_errata.rs"))),
        ("visa_disputes.rs", include_str!(concat!(env!("OUT_DIR"), "/visa_disputes.rs"))),
    ];
    let made = rust::files(&Data::of(&files()).expect("they are read"));
    assert!(made.iter().map(|(name, text)| (&**name, &**text)).eq(built));
    let made = rules::rules(&Data::of(&files()).expect("they are read"), "tensix").expect("they are written");
    assert_eq!(made, include_str!(concat!(env!("OUT_DIR"), "/tensix_rules.rs")));
    let made = meanings::tensix(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("they are read");
    assert_eq!(made, include_str!(concat!(env!("OUT_DIR"), "/tensix_meanings.rs")));
}

#[test]
fn every_file_became_a_static() {
    let data = Data::of(&files()).expect("they are read");
    let mut pages: Vec<&str> = MACHINES.iter().flat_map(|isa| isa.pages).map(|page: &&Page| page.id).collect();
    pages.sort_unstable();
    pages.dedup();
    let mut ids: Vec<&str> = data.pages.values().map(|page| &*page.id).collect();
    ids.sort_unstable();
    assert_eq!(pages, ids);
    assert_eq!(MACHINES.iter().map(|isa| isa.errata.len()).sum::<usize>(), data.errata.len());
    for erratum in MACHINES.iter().flat_map(|isa| isa.errata) {
        let file = &data.errata[erratum.id];
        assert_eq!(data.page_of(file).map(|page| &*page.id), Some(erratum.page.id), "{}", erratum.id);
        assert_eq!(data::one_line(&file.prints), erratum.prints);
        assert!(!erratum.prints.contains('\n') && !erratum.prints.contains("  "));
    }
}

#[test]
fn a_broken_file_is_named_with_its_key() {
    let tx = "errata/TX-01.toml";
    let page = "pages/tensix/MOVA2D_SPEC.toml";
    let lz = "pages/tensix/SFPLZ.toml";
    let td = "disputes/TD-01.toml";
    for (path, from, to, expected) in [
        (tx, "lines = ", "line = ", "isa/errata/TX-01.toml: line 4: unknown field `line`"),
        (tx, "lines = \"125, 128\"\n", "", "isa/errata/TX-01.toml: line 1: missing field `lines`"),
        (tx, "\"witnessed\"", "\"certain\"", "isa/errata/TX-01.toml: line 2: unknown variant `certain`"),
        (tx, "\"MOVA2D_SPEC\"", "\"MOVA3D\"", "isa/errata/TX-01.toml: page: there is no page MOVA3D"),
        (tx, "\"MOVA2D_SPEC\"", "\"SFPLOAD_BH\"", "isa/errata/TX-01.toml: page: SFPLOAD_BH is no page of this set"),
        (tx, "\"tensix-wh\"", "\"visa\"", "isa/errata/TX-01.toml: set: files of this set are called VX-01 to VX-999"),
        (tx, "simulator = ", "rumour = ", "unknown variant `rumour`"),
        ("errata/TX-05.toml", "promises less", "none", "unknown variant `none`"),
        (td, "\"chip\"", "\"rumour\"", "isa/disputes/TD-01.toml: line 2: unknown variant `rumour`"),
        (
            td,
            "\"ZEROACC_NEWEST\"",
            "\"SFPLOAD_NEWEST\"",
            "isa/disputes/TD-01.toml: page: each set has one, of its pages",
        ),
        (td, "[\"tensix-bh\"]", "[\"visa\"]", "isa/disputes/TD-01.toml: sets: "),
        (page, "commit = ", "comit = ", "isa/pages/tensix/MOVA2D_SPEC.toml: line 5: unknown field `comit`"),
        (page, "[\"tensix-wh\"]", "[]", "isa/pages/tensix/MOVA2D_SPEC.toml: sets: "),
        (page, "[\"tensix-wh\"]", "[\"visa\"]", "isa/pages/tensix/MOVA2D_SPEC.toml: sets: "),
        (lz, "headings = [1,", "headings = [2,", "isa/pages/tensix/SFPLZ.toml: lines: line 2 is listed twice"),
        (lz, "count = 52", "count = 51", "isa/pages/tensix/SFPLZ.toml: lines: there is no line 52"),
        (lz, "count = 52", "", "isa/pages/tensix/SFPLZ.toml: line 8: missing field `count`"),
        (lz, "\"wh-sfplz\"", "\"wh-sfpmov\"", "isa/pages/tensix/SFPMOV.toml: id: another page has it"),
    ] {
        let message = message(path, from, to);
        assert!(message.contains(expected), "{message:?} for {expected:?}");
    }
    for (from, to, expected) in [
        (tx, "errata/TX-1.toml", "isa/errata/TX-1.toml: set: "),
        (td, "disputes/TD-1.toml", "isa/disputes/TD-1.toml: sets: "),
        (tx, "errata/TX-01.txt", "isa/errata/TX-01.txt: it is no TOML file"),
        (page, "pages/tensix/mova2d.toml", "isa/pages/tensix/mova2d.toml: its name must be that of a static"),
        (page, "pages/amx/MOVA2D_SPEC.toml", "isa/pages/amx/MOVA2D_SPEC.toml: there is no such family"),
        (page, "pages/tensix/MOVA2D.toml", "isa/errata/TX-01.toml: page: there is no page MOVA2D_SPEC"),
    ] {
        let message = renamed(from, to);
        assert!(message.contains(expected), "{message:?} for {expected:?}");
    }
}
