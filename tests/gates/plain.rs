//! Plain tests: one for each cell for which the pages promise a result, with nothing in them that the cell does not need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rstest::rstest;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Column, Outcome, Replayer, Test, check_text, read_file, record_plain};
use tandem_harness::{DrawnCase, IsaSuite, Plain};
use tandem_isa::tensix::inst::pack::FLUSH;
use tandem_isa::{Edition, Instruction, Parts, Step};

use crate::parts::{one_in, takes_its_turn};

/// The cells in which a test of a file is done.
fn cells(file: &tandem_harness::vectors::VectorFile, edition: Edition) -> BTreeSet<usize> {
    let tests = file.tests().map(|(_, test)| test);
    let done = tests.filter(|test| test.outcome == Outcome::Done && test.editions.contains(&edition));
    done.map(|test| test.cell(file.isa, file.instruction, edition).expect("a test lies in a cell")).collect()
}

/// Every orthogonal axis has its plain level, or that of the base state.
fn levels_are_plain(file: &tandem_harness::vectors::VectorFile, edition: Edition) {
    let plain = Plain::new(file.isa, file.instruction, edition);
    let axes = (file.instruction.orthogonal)(edition);
    let levels = |test: &Test, salt| -> Vec<usize> {
        test.with_parts(file.isa, |parts| {
            *parts.salt = salt;
            axes.iter().map(|axis| (axis.get)(parts)).collect()
        })
    };
    for (group, test) in file.tests().filter(|(_, test)| test.newest() == edition) {
        let DrawnCase { mut code, mut small, mut salt } = plain.case(group.cell);
        let mut base = test.clone();
        base.before.fields.clear();
        let (now, base) = (levels(test, salt), levels(&base, salt));
        let parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
        for ((axis, now), base) in axes.iter().zip(now).zip(base) {
            let wanted = (axis.get)(&parts);
            let name = || format!("{} {}", file.instruction.path(), axis.name);
            assert!([wanted, base].contains(&now), "{}: {} of cell {}", name(), axis.levels[now], group.cell);
        }
    }
}

#[rstest]
#[case("tensix-wh", "mova2d")]
#[case("tensix-wh", "sfpload")]
#[case("tensix-wh", "sfpstore")]
#[case("tensix-bh", "sfpload")]
#[case("tensix-bh", "sfpstore")]
#[case("visa", "mov")]
#[case("visa", "dpas")]
fn there_is_one_plain_test_for_each_promised_cell(#[case] isa: &str, #[case] name: &str) {
    each_promised_cell_has_one_plain_test(isa, name);
}

#[test]
fn the_instructions_on_registers_have_them_too() {
    const LARGE: [&str; 5] = ["mova2d", "sfpload", "sfpstore", "mov", "dpas"];
    let all = ISAS.iter().flat_map(|isa| isa.instructions);
    let others = all.filter(|instruction| !LARGE.contains(&instruction.file) && takes_its_turn(instruction));
    let others: Vec<_> = others.step_by(one_in(2)).collect();
    assert!(others.len() >= 26);
    others.iter().for_each(|instruction| each_promised_cell_has_one_plain_test(instruction.isa, instruction.file));
}

fn each_promised_cell_has_one_plain_test(isa: &str, name: &str) {
    let suite = tandem::wiring::suite();
    let suite = suite.isa(isa).expect("an instruction set of the suite");
    let instruction = suite.isa.instruction(name).expect("an instruction of the suite");
    let text = record_plain(suite, instruction, None).to_text();
    let file = check_text(ISAS, "plain", text.as_bytes()).expect("the strict reader takes it");
    similar_asserts::assert_eq!(file.to_text(), text);

    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(isa).join(format!("{name}.json"));
    let committed = read_file(ISAS, &committed).expect("the committed vectors are as they should be");
    let mut plain = committed.clone();
    for group in &mut plain.groups {
        group.tests.retain(|test| test.flags.iter().any(|flag| flag == "plain"));
    }
    let mut with_data = committed;
    if instruction.file == "pacr" {
        // A flush takes no data, so that it is promised where nothing is of their conversion.
        for group in &mut with_data.groups {
            group.tests.retain(|test| FLUSH.get(&test.code) == 0);
        }
    }
    for &edition in instruction.editions() {
        let mut promised = cells(&with_data, edition);
        if instruction.file == "sfpconfig" {
            // Of registers 9 and 10 nothing is promised but with a mask that takes no lane, which a plain test seldom has.
            let space = (instruction.cells)(edition);
            promised.retain(|&cell| !space.describe(cell).contains("VD=9-10") || cells(&file, edition).contains(&cell));
        }
        if instruction.file == "atcas" {
            // It goes on only where a word of L1 is CmpVal, which one of plain data is not.
            promised.clear();
        }
        assert_eq!(cells(&file, edition), promised, "the promised cells, {}", edition.name());
        assert_eq!(cells(&file, edition), cells(&plain, edition), "the cells with a plain test, {}", edition.name());
        levels_are_plain(&plain, edition);
    }
    each_field_is_needed(suite, instruction, plain.tests().map(|(_, test)| test));
    let mut seen = BTreeSet::new();
    for (group, test) in file.tests() {
        assert!(test.flags.iter().any(|flag| flag == "plain"), "{test:?}");
        let class = test.editions.iter().map(|&edition| test.cell(file.isa, instruction, edition)).collect::<Vec<_>>();
        assert!(seen.insert((test.editions.clone(), class)), "cell {} has two plain tests", group.cell);
    }
    let result = Replayer::new(suite).replay(&file, &BTreeMap::new(), None);
    assert_eq!((result.columns().of(Column::Agreed), result.failures().count()), (file.len() as u64, 0));
    assert!(file.is_empty() || result.runs.len() > file.len(), "targets ran it, too");
    each_field_is_needed(suite, instruction, file.tests().map(|(_, test)| test));
}

/// A field that is not at its base has a reason: without it the case would lie in another cell, have other levels, or not
/// be promised, or would not read what it names; or all fields of its family have the same value.
fn each_field_is_needed<'a>(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    tests: impl Iterator<Item = &'a Test>,
) {
    let mut fields = 0;
    for (number, test) in tests.enumerate() {
        let edition = test.newest();
        fields += test.before.fields.len();
        assert!(test.before.fields.len() <= 40, "{:?}", test.before.fields);
        if number % 48 != 0 {
            continue;
        }
        let axes = (instruction.orthogonal)(edition);
        let salt = Plain::new(suite.isa, instruction, edition).case(0).salt;
        let class = |test: &Test| {
            let levels = test.with_parts(suite.isa, |parts| {
                *parts.salt = salt;
                axes.iter().map(|axis| (axis.get)(parts)).collect::<Vec<_>>()
            });
            (test.cell(suite.isa, instruction, edition), levels)
        };
        let reads = |one: &Test| -> BTreeSet<(usize, usize)> {
            let mut state = suite.isa.base_state();
            one.before.apply(suite.isa, &mut state);
            let _ = (suite.reference)().execute(&Step { instruction, edition, code: &one.code }, &mut state);
            let row_id = |&(bank, row): &(usize, usize)| suite.isa.layout.banks[bank].first_row + row;
            test.before.rows.keys().filter(|key| state.tracker.log.read.contains(row_id(key))).copied().collect()
        };
        for (&field, &value) in &test.before.fields {
            let name = &(suite.isa.layout.fields)()[field].name;
            let stem = name.split('[').next().unwrap_or(name);
            let alike = (test.before.fields.iter()).filter(|(other, known)| {
                let other = &(suite.isa.layout.fields)()[**other].name;
                **known == value && other.starts_with(stem) && other.ends_with(name.rsplit(']').next().unwrap_or(name))
            });
            let mut without = test.clone();
            without.before.fields.remove(&field);
            let is_promised = || {
                let mut file = tandem_harness::vectors::VectorFile::new(suite.isa, instruction, source());
                let added = file.add(Test { editions: vec![edition], ..without.clone() });
                let result = Replayer::new(suite).replay(&file, &BTreeMap::new(), None);
                added && result.failures().count() == 0
            };
            assert!(
                alike.count() > 1
                    || class(&without) != class(test)
                    || !is_promised()
                    || !reads(&without).is_superset(&reads(test)),
                "{} does not need {name}",
                test.id(suite.isa, instruction)
            );
        }
    }
    println!("{}: {fields} fields that are not at their base", instruction.path());
}

fn source() -> tandem_harness::vectors::Source {
    let (name, version) = ("test".to_string(), "1".to_string());
    tandem_harness::vectors::Source { name, version, commit: None, licence: None, note: None }
}

#[test]
fn a_plain_case_is_a_function_of_its_cell() {
    let suite = tandem::wiring::suite();
    for (isa, instruction) in suite.instructions() {
        let plain = Plain::new(isa.isa, instruction, Edition::Newest);
        for cell in (0..(instruction.cells)(Edition::Newest).len()).step_by(97) {
            let (one, other) = (plain.case(cell), plain.case(cell));
            assert_eq!((one.code, &one.small[..], one.salt), (other.code, &other.small[..], other.salt));
        }
    }
}
