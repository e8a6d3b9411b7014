//! Errata: every figure of them is evaluated over its whole domain, and the list of them is whole.
//!
//! The formulas are written in `errata/` once more, as the pages print them and with nothing of the reference or of the
//! SIMD side, so that a figure is wrong only if a test and the erratum are wrong alike. Each test repeats the figures of
//! one erratum. The tests of this file hold the list of errata, the figures in it, the faults that follow what was not
//! decided, and the places that the statements of the pages went to.

mod dpas;
mod float;
mod matrix;
mod mov;
mod tensix;
mod vector;

use std::collections::BTreeSet;
use std::path::Path;

use tandem_cases::ISAS;
use tandem_cases::visa::{DPAS, MOV};
use tandem_faults::catalogue;
use tandem_isa::tensix::REGISTER_SUMMARY;
use tandem_isa::tensix::inst::mova2d;
use tandem_isa::{Edition, Erratum, ErratumKind, Page, Place, Statement};

use crate::parts::sources;
use crate::program::ROOT;

/// The files with the figures.
const FIGURES: [&str; 6] = [
    include_str!("errata/tensix.rs"),
    include_str!("errata/float.rs"),
    include_str!("errata/matrix.rs"),
    include_str!("errata/mov.rs"),
    include_str!("errata/dpas.rs"),
    include_str!("errata/vector.rs"),
];

/// Every erratum, in the order of the instruction sets.
fn all_errata() -> impl Iterator<Item = &'static Erratum> {
    ISAS.iter().flat_map(|isa| isa.errata)
}

#[test]
fn every_erratum_names_a_test_that_repeats_its_figures() {
    let mut without = Vec::new();
    for Erratum { id, kind, verified_by, consequence, .. } in all_errata() {
        if verified_by.is_empty() {
            assert_eq!(*kind, ErratumKind::Editorial, "{id} has no test");
            without.push(*id);
            continue;
        }
        let prefix = id.to_lowercase().replace('-', "_");
        assert!(verified_by.starts_with(&prefix), "{id} names the test of another erratum");
        let begin = format!("#[test]\nfn {verified_by}() {{");
        let test = FIGURES.iter().find_map(|file| file.split_once(&begin)?.1.split_once("\n}\n"));
        let (body, _) = test.unwrap_or_else(|| panic!("{id}: no test {verified_by}"));
        let said = format!("{verified_by}{body}").replace('_', "");
        // Hexadecimal figures, and decimal ones of three digits and more.
        let figures = consequence.split(|c: char| !c.is_ascii_alphanumeric() && c != ',');
        for figure in figures.map(|figure| figure.replace(',', "").to_lowercase()) {
            let decimal = figure.len() >= 3 && figure.chars().all(|c| c.is_ascii_digit());
            if decimal || figure.starts_with("0x") {
                assert!(said.contains(&figure), "{id}: {figure} is not in {verified_by}");
            }
        }
    }
    // Of the summary of registers, what is editorial has none either.
    without.retain(|id| !all_errata().any(|erratum| erratum.id == *id && *erratum.page == REGISTER_SUMMARY));
    assert_eq!(without, ["TX-39", "TX-18"], "errata without a figure");
}

#[test]
fn errata_have_numbers_of_their_own_and_each_bears_on_an_instruction() {
    for prefix in ["TX", "VX"] {
        let mut ids: Vec<&str> = all_errata().map(|erratum| erratum.id).filter(|id| id.starts_with(prefix)).collect();
        ids.sort_unstable();
        assert!(ids.len() > 30, "{} errata", ids.len());
        let numbers: BTreeSet<&str> = ids.iter().filter_map(|id| id.strip_prefix(prefix)?.strip_prefix('-')).collect();
        assert_eq!(numbers.len(), ids.len(), "an id is used twice: {ids:?}");
        assert!(numbers.iter().all(|number| matches!(number.len(), 2 | 3) && number.parse::<u32>().is_ok()), "{ids:?}");
    }
    for isa in ISAS {
        assert!(isa.errata.is_sorted_by_key(|erratum| erratum.id));
        assert!(isa.errata.iter().all(|erratum| isa.pages.contains(&erratum.page)), "{}", isa.name);
    }
    let ids: BTreeSet<&str> = all_errata().map(|erratum| erratum.id).collect();
    let instructions = || ISAS.iter().flat_map(|isa| isa.instructions);
    let mut bearing: BTreeSet<&str> = instructions().flat_map(|instruction| instruction.errata).copied().collect();
    // No instruction is transcribed from the summary of registers.
    bearing.extend(all_errata().filter(|erratum| *erratum.page == REGISTER_SUMMARY).map(|erratum| erratum.id));
    assert_eq!(bearing, ids);
    // What is said of an instruction's own page bears on it.
    for instruction in instructions() {
        let own = |erratum: &Erratum| Edition::ALL.iter().any(|&one| instruction.page(one) == erratum.page);
        for erratum in all_errata().filter(|erratum| own(erratum)) {
            assert!(instruction.errata.contains(&erratum.id), "{} lacks {}", instruction.path(), erratum.id);
        }
    }
    // Nothing else bears on MOVA2D, and on MOV all that is not said of DPAS; on DPAS some of that, too.
    let ids = |of: &dyn Fn(&Erratum) -> bool| -> Vec<&str> {
        all_errata().filter(|erratum| of(erratum)).map(|erratum| erratum.id).collect()
    };
    let of_dpas = |erratum: &Erratum| *erratum.page == tandem_isa::visa::DPAS;
    assert_eq!(ids(&|erratum| mova2d::MOVA2D.page(Edition::Spec) == erratum.page), mova2d::MOVA2D.errata);
    assert_eq!(ids(&|erratum| erratum.id.starts_with("VX") && !of_dpas(erratum)), MOV.errata);
    let shared = ["VX-05", "VX-19", "VX-25", "VX-33", "VX-34"];
    assert_eq!([&shared[..], &ids(&of_dpas)].concat(), DPAS.errata);
}

#[test]
fn an_erratum_has_what_its_kind_asks_for() {
    for erratum in all_errata() {
        let Erratum { id, kind, prints, consequence, decision, evidence, lines, readings, no_reading, .. } = erratum;
        assert!(!evidence.is_empty() && evidence.iter().all(|piece| !piece.text.is_empty()), "{id}");
        assert!([prints, consequence, decision, lines].iter().all(|text| !text.is_empty()), "{id}");
        // The literal reading of a witnessed one is wrong in the editions that it names.
        assert_eq!(*kind == ErratumKind::Witnessed, !erratum.editions.is_empty(), "{id}");
        match kind {
            ErratumKind::Witnessed => assert!(!readings.is_empty() && no_reading.is_none(), "{id}"),
            ErratumKind::Equal | ErratumKind::Editorial => {
                assert!(readings.is_empty() && no_reading.is_none(), "{id}: nothing can embody it");
            }
            ErratumKind::Choice => assert!(
                readings.is_empty() == no_reading.is_some(),
                "{id}: readings {readings:?}, and a reason why there is none: {no_reading:?}"
            ),
        }
    }
}

#[test]
fn a_reading_is_of_an_instruction_that_its_erratum_bears_on() {
    for (erratum, reading) in all_errata().flat_map(|of| of.readings.iter().map(move |reading| (of, reading))) {
        let fault = catalogue().iter().find(|fault| fault.id == reading.id).expect("it is in the catalogue");
        assert_eq!((fault.erratum, fault.what), (Some(erratum.id), reading.says));
        let mut own = ISAS.iter().flat_map(|isa| isa.instructions).filter(|one| fault.concerns(one)).peekable();
        assert!(own.peek().is_some(), "{}: there is no instruction {}", reading.id, reading.instruction);
        for instruction in own {
            let bears = instruction.errata.contains(&erratum.id);
            assert!(bears, "{} is of {}, which {} does not bear on", reading.id, instruction.path(), erratum.id);
        }
    }
}

/// The names of all tests of the workspace: functions behind `#[test]`, with other attributes between or not.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let members = ["isa", "cases", "reference", "simd", "faults", "harness"];
    let directories = members.iter().flat_map(|name| [format!("{name}/src"), format!("{name}/tests")]);
    let directories = ["src", "tests"].map(str::to_string).into_iter().chain(directories);
    for (_, text) in directories.filter(|name| Path::new(ROOT).join(name).is_dir()).flat_map(|name| sources(&name)) {
        let mut is_test = false;
        for line in text.lines().map(str::trim_start) {
            if line == "#[test]" || line.starts_with("#[rstest]") {
                is_test = true;
            } else if let Some(rest) = line.strip_prefix("fn ") {
                let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
                names.extend(name.filter(|_| is_test).map(str::to_string));
                is_test = false;
            }
        }
    }
    names
}

/// The statements of all pages that have them, with the page.
fn statements() -> Vec<(&'static Page, &'static [Statement])> {
    let mut pages = Vec::new();
    for (isa, instruction) in tandem::wiring::suite().instructions() {
        let page = instruction.page(Edition::Spec);
        if page.lines.is_some() && !pages.iter().any(|(known, _)| *known == page) {
            pages.push((page, (isa.statements)(instruction)));
        }
    }
    assert!(pages.len() > 4, "{} pages", pages.len());
    pages
}

#[test]
fn statements_name_tests_that_exist() {
    let tests = tests();
    assert!(tests.len() > 100, "{} tests", tests.len());
    for (page, statements) in statements() {
        let mut checked = 0;
        for statement in statements {
            let Place::Transcribed { test, .. } = &statement.place else { continue };
            assert!(tests.contains(test), "{}, lines {:?}: no test {test}", page.id, statement.lines);
            checked += 1;
        }
        assert!(checked > 0, "no statement of {} was checked", page.id);
    }
}

#[test]
fn statements_went_to_items_that_exist() {
    let root = Path::new(ROOT);
    for (page, statements) in statements() {
        let mut checked = 0;
        for statement in statements {
            let Place::Transcribed { at, .. } = &statement.place else { continue };
            let (file, path) = at.split_once(", ").expect("a place is `file, item`");
            let item = path.rsplit_once("::").map_or(path, |(_, item)| item);
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{at}: {error}"));
            let definitions = [
                format!("fn {item}("),
                format!("fn {item}<"),
                format!("const {item}:"),
                format!("static {item}:"),
                format!("struct {item} "),
                format!("mod {item} "),
            ];
            assert!(
                definitions.iter().any(|definition| text.contains(definition)),
                "{}, lines {:?}: {file} has no {item}",
                page.id,
                statement.lines
            );
            checked += 1;
        }
        assert!(checked > 0, "no statement of {} was checked", page.id);
    }
}
