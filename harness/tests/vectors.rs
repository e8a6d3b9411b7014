//! Unit tests of the format: canonical form, keys that stand twice, ids, care masks, revocation.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tandem_cases::ISAS;
use tandem_harness::vectors::{
    About, Before, Column, Note, Outcome, Replayer, Revocation, Source, Sparse, Test, VectorError, VectorFile, Verdict,
    check_text, field_named, finding_file, rows_named,
};
use tandem_harness::{CaseValue, Difference, IsaSuite, Kind, TargetFactory};
use tandem_isa::{
    Answer, Code, Edition, Expectation, Facts, Instruction, Isa, LoggedBank, Reference, State, Step, Target, TargetInfo,
};

fn isa() -> &'static Isa {
    ISAS[0]
}

fn instruction() -> &'static Instruction {
    isa().instructions[0]
}

fn source() -> Source {
    Source { name: "test".to_string(), version: "1".to_string(), commit: None, licence: None, note: None }
}

/// The last field of the layout that has one bit: no axis of any cell.
fn last_bit() -> usize {
    (isa().layout.fields)().iter().rposition(|field| field.width == 1).expect("there is a flag")
}

fn row_of(words: u32) -> Vec<u32> {
    (0..isa().layout.banks[0].columns()).map(|column| words + column as u32).collect()
}

fn test_with(row: usize, words: u32) -> Test {
    let mut after = Sparse::default();
    after.rows.insert((0, row), row_of(words));
    Test {
        editions: vec![Edition::Newest],
        code: Code::new(instruction().base_code),
        then: Vec::new(),
        flags: Vec::new(),
        before: Sparse::default(),
        outcome: Outcome::Done,
        recorded: None,
        after,
        care: Sparse::default(),
    }
}

fn file_with(tests: Vec<Test>) -> VectorFile {
    let mut file = VectorFile::new(isa(), instruction(), source());
    for test in tests {
        assert!(file.add(test));
    }
    file.sort();
    file
}

fn error_of(text: &str) -> VectorError {
    let error = check_text(ISAS, "some.json", text.as_bytes()).expect_err("the file is broken");
    let shown = error.to_string();
    assert!(shown.starts_with("some.json: "), "{shown}");
    assert!(shown.contains(&error.place()), "{shown} names {}", error.place());
    error
}

#[test]
fn a_file_reads_back_as_it_was_written() {
    let mut test = test_with(3, 0x10);
    test.before.fields.insert(last_bit(), 1);
    test.before.rows.insert((0, 3), row_of(0x20));
    test.before.rows.insert((0, 4), row_of(0x30));
    test.before.rows.insert((0, 6), row_of(0x40));
    let file = file_with(vec![test.clone(), test_with(5, 1)]);
    let text = file.to_text();
    let read = check_text(ISAS, "some.json", text.as_bytes()).expect("the file is as it should be");
    assert_eq!(read.to_text(), text);
    assert!(read.tests().any(|(_, read)| *read == test));
    let bank = isa().layout.banks[0].name;
    assert!(text.contains(&format!("\"{bank}[3..5]\":\"")), "adjacent rows are one run");
    assert!(text.contains(&format!("\"{bank}[6]\":\"")), "{text}");
}

#[test]
fn rows_and_fields_are_found_by_name_and_nothing_else_is() {
    let layout = isa().layout;
    for (bank, spec) in layout.banks.iter().enumerate() {
        for row in [0, 1, spec.rows() / 2, spec.rows() - 1].map(|row| row.min(spec.rows() - 1)) {
            assert_eq!(rows_named(layout, &spec.row_name(row)), Some((bank, row..row + 1)));
        }
    }
    let (one, nested) = (layout.banks[0].name, layout.banks.iter().position(|bank| bank.dims.len() == 3));
    assert_eq!(rows_named(layout, &format!("{one}[8..16]")), Some((0, 8..16)));
    if let Some(nested) = nested {
        let bank = &layout.banks[nested];
        let first = bank.dims[1];
        assert_eq!(rows_named(layout, &format!("{}[1][2..4]", bank.name)), Some((nested, first + 2..first + 4)));
        assert_eq!(rows_named(layout, &format!("{}[0..1][2]", bank.name)), None);
        assert_eq!(rows_named(layout, &format!("{}[2]", bank.name)), None);
    }
    for broken in ["", "[0]", one, &format!("{one}[00]"), &format!("{one}[3..4]"), &format!("{one}[4..3]")] {
        assert_eq!(rows_named(layout, broken), None, "{broken}");
    }
    for index in ["99999", "-1", "+1", " 1", "1 ", "1][0", "18446744073709551616", "0..99999", "é"] {
        assert_eq!(rows_named(layout, &format!("{one}[{index}]")), None, "{index}");
    }
    for (index, field) in (layout.fields)().iter().enumerate() {
        assert_eq!(field_named(layout, &field.name), Some(index));
    }
    assert_eq!(field_named(layout, "no such field"), None);
}

#[test]
fn groups_tests_keys_and_rows_stand_in_one_order() {
    let mut two = file_with(vec![test_with(3, 0x10), test_with(5, 1)]);
    two.groups[0].tests.reverse();
    assert!(matches!(error_of(&two.to_text()), VectorError::Order { place, .. } if place == "/groups/0/tests/1"));
    two.groups[0].tests.reverse();
    let again = two.groups[0].clone();
    two.groups.push(again);
    assert!(matches!(error_of(&two.to_text()), VectorError::Order { place, .. } if place == "/groups/1"));

    // The digest is that of the canonical form, so that what is wrong here is the order alone.
    let text = file_with(vec![test_with(3, 0x10)]).to_text();
    let swapped = text.replacen("\"outcome\":\"done\",\"after\"", "\"after\"", 1);
    let swapped = swapped.replacen("}}}\n]}", "}},\"outcome\":\"done\"}\n]}", 1);
    assert_ne!(swapped, text);
    assert!(matches!(error_of(&swapped), VectorError::Canonical { line, .. } if line > 10));
    let mut rows = test_with(3, 0x10);
    rows.after.rows.insert((0, 9), row_of(2));
    let text = file_with(vec![rows]).to_text();
    let (first, second) = (
        text.find(&format!("\"{}[3]", isa().layout.banks[0].name)),
        text.find(&format!(",\"{}[9]", isa().layout.banks[0].name)),
    );
    let (Some(first), Some(second)) = (first, second) else { panic!("both rows are there: {text}") };
    let end = second + text[second..].find('}').expect("the rows end");
    let swapped = format!("{}{},{}{}", &text[..first], &text[second + 1..end], &text[first..second], &text[end..]);
    assert!(matches!(error_of(&swapped), VectorError::Canonical { .. }));
    for noise in [format!("{text}\n"), format!(" {text}"), text.replace('\n', "\r\n"), text.trim_end().to_string()] {
        assert!(matches!(error_of(&noise), VectorError::Canonical { .. }));
    }
}

#[test]
fn a_key_that_stands_twice_is_an_error_at_its_place() {
    let text = file_with(vec![test_with(3, 0x10)]).to_text();
    for (from, to) in [
        ("  \"isa\"", "  \"isa\": \"x\",\n  \"isa\""),
        ("\"outcome\"", "\"outcome\":\"done\",\"outcome\""),
        ("\"name\"", "\"name\": \"test\", \"\\u006eame\""),
    ] {
        let error = error_of(&text.replacen(from, to, 1));
        assert!(matches!(error, VectorError::DuplicateKey { line, column, .. } if line > 1 && column > 1), "{error}");
    }
}

#[test]
fn an_id_is_the_hash_of_the_instruction_and_the_test_without_it() {
    let file = file_with(vec![test_with(3, 0x10)]);
    let text = file.to_text();
    let line = text.lines().find(|line| line.starts_with("{\"id\"")).expect("the test has a line");
    let id = file.groups[0].tests[0].id(isa(), instruction());
    let body = line.replacen(&format!("\"id\":\"{id}\","), "", 1);
    let hash = Sha256::digest(format!("{} {body}", instruction().path()));
    assert_eq!(hash[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>(), id);
    let error = error_of(&text.replacen(&id, "0123456789abcdef", 1));
    assert!(
        matches!(error, VectorError::Id { place, expected, .. } if place == "/groups/0/tests/0/id" && expected == id)
    );
    let error = error_of(&text.replacen("\"version\": \"1\"", "\"version\": \"2\"", 1));
    assert!(matches!(error, VectorError::Digest { .. }), "{error}");
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let text = file_with(vec![test_with(3, 0x10)]).to_text();
    let bank = &isa().layout.banks[0];
    for (from, to, place) in [
        (isa().name, "no-such-isa", "/isa"),
        (instruction().name, "NOSUCH", "/instruction"),
        ("\"newest\"],\"code\"", "\"spec\"],\"code\"", "/groups/0/tests/0"),
        ("\"outcome\":\"done\"", "\"outcome\":\"blocked\"", "/groups/0/tests/0/after"),
        ("\"cell\":0", "\"cell\":4095", "/groups/0/cell"),
        ("\"cell\":0", "\"cell\":0.0", "/groups/0/cell"),
        ("\"cell\":0", "\"cell\":1", "/groups/0/describe"),
        ("\"before\":{}", "\"before\":{\"fields\":{\"nothing\":1}}", "/groups/0/tests/0/before/fields/nothing"),
        ("\"before\":{}", "\"flags\":[\"lost\"],\"before\":{}", "/groups/0/tests/0/flags/0"),
        ("\"before\":{}", "\"before\":{\"rows\":{\"Nothing[0]\":\"0\"}}", "/groups/0/tests/0/before/rows/Nothing[0]"),
        ("\"before\":{}", "\"before\":{},\"care\":{}", "/groups/0/tests/0/care"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let error = error_of(&broken);
        assert!(error.place().starts_with(place), "{from} -> {to}: {error}");
    }
    let name = bank.row_name(3);
    let longer = text.replacen(&format!("\"{name}\":\""), &format!("\"{name}\":\"0"), 1);
    assert_eq!(error_of(&longer).place(), format!("/groups/0/tests/0/after/rows/{name}"));
    let same = text.replacen("\"before\":{}", &format!("\"before\":{{\"rows\":{{{}}}}}", row_text(&text, &name)), 1);
    assert_eq!(error_of(&same).place(), format!("/groups/0/tests/0/after/rows/{name}"), "it does not change");
}

#[test]
fn texts_that_nothing_else_holds_have_a_length() {
    let long = "x".repeat(2_049);
    let file = |change: &dyn Fn(&mut VectorFile)| {
        let mut file = file_with(vec![test_with(3, 0x10)]);
        change(&mut file);
        file.to_text()
    };
    let note = |what: &str| Note { what: what.to_string(), detects: "something".to_string() };
    assert_eq!(error_of(&file(&|file| file.source.name.clear())).place(), "/source/name");
    assert_eq!(error_of(&file(&|file| file.source.note = Some(long.clone()))).place(), "/source/note");
    let flagged = |what: &str| file(&|file| drop(file.notes.insert("flag".to_string(), note(what))));
    assert_eq!(error_of(&flagged(&long)).place(), "/notes/flag");
    assert!(check_text(ISAS, "some.json", flagged(&long[1..]).as_bytes()).is_ok());
}

#[test]
fn what_has_another_shape_is_refused_with_its_line() {
    let text = file_with(vec![test_with(3, 0x10)]).to_text();
    for (from, to, says) in [
        ("\"outcome\":\"done\",", "", "missing field `outcome`"),
        ("\"outcome\":\"done\"", "\"outcome\":1", "expected a string"),
        ("\"before\":{}", "\"before\":{\"words\":{}}", "unknown field `words`"),
        ("\"urn:tandem:vectors:1\"", "\"urn:tandem:vectors:3\"", "unknown variant `urn:tandem:vectors:3`"),
    ] {
        let error = error_of(&text.replacen(from, to, 1));
        assert!(error.place().starts_with("line ") && error.to_string().contains(says), "{error}");
        assert!(matches!(error, VectorError::Schema { .. }), "{error}");
    }
}

/// A row with its name, as it stands in a text.
fn row_text<'a>(text: &'a str, name: &str) -> &'a str {
    let start = text.find(&format!("\"{name}\"")).expect("the row is there");
    &text[start..start + text[start..].find('}').expect("the rows end")]
}

// ------------------------------------------------------------------------------------------------ replay

/// Puts words into row 3 of the first bank, and sets the last flag.
struct Puts {
    words: u32,
    flag: u32,
    answer: Answer,
}

impl Puts {
    fn put(&self, state: &mut State) {
        for (column, word) in row_of(self.words).into_iter().enumerate() {
            state.set_word(0, 3, column, word);
        }
        state.tracker.write(LoggedBank::new(isa().layout.banks, 0), 3);
        (isa().layout.fields)()[last_bit()].set(&mut state.small, self.flag);
    }
}

impl Reference for Puts {
    fn execute(&mut self, _: &Step<'_>, state: &mut State) -> Expectation {
        self.put(state);
        Expectation::Done
    }
}

impl Target for Puts {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "puts".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, _: &Step<'_>, state: &mut State) -> Answer {
        // Without words nothing is put.
        if self.words != 0 {
            self.put(state);
        }
        self.answer
    }
}

fn suite(words: u32, flag: u32, answer: Answer) -> IsaSuite {
    let targets = vec![TargetFactory::new(move || Box::new(Puts { words, flag, answer }))];
    let reference = || Box::new(Puts { words: 0x10, flag: 0, answer: Answer::Done }) as Box<dyn Reference>;
    IsaSuite { isa: isa(), reference: Arc::new(reference), statements: |_| &[], disputes: &[], targets }
}

fn verdict(file: &VectorFile, suite: &IsaSuite) -> Verdict {
    let result = Replayer::new(suite).replay(file, &BTreeMap::new(), None);
    assert_eq!((result.columns().tests(), result.runs.len()), (1, 2));
    assert_eq!(result.runs[0].verdict, Verdict::Agreed, "the reference does what the test says");
    result.runs[1].verdict.clone()
}

#[test]
fn the_whole_state_is_compared_under_the_care_masks() {
    let exact = file_with(vec![test_with(3, 0x10)]);
    assert_eq!(verdict(&exact, &suite(0x10, 0, Answer::Done)), Verdict::Agreed);
    assert_eq!(verdict(&exact, &suite(0, 0, Answer::Unsupported)), Verdict::Unsupported);
    for (suite, kind) in [
        (suite(0x10, 0, Answer::Blocked), Kind::Outcome),
        (suite(0x1010, 0, Answer::Done), Kind::Value),
        (suite(0x10, 0, Answer::Unsupported), Kind::Refused),
    ] {
        let Verdict::Diverged { differences, signature } = verdict(&exact, &suite) else { panic!("it differs") };
        assert_eq!(differences[0].kind(), kind);
        assert_eq!(signature.map(|signature| signature.kind), Some(kind));
    }
    let Verdict::Diverged { differences, .. } = verdict(&exact, &suite(0x10, 1, Answer::Done)) else {
        panic!("a field that is not named must not change")
    };
    assert!(matches!(differences[..], [Difference::Field { expected: 0, got: 1, .. }]));

    let mut loose = test_with(3, 0x10);
    loose.care.rows.insert((0, 3), vec![0x0fff; row_of(0).len()]);
    let loose = file_with(vec![loose]);
    let text = loose.to_text();
    assert_eq!(check_text(ISAS, "some.json", text.as_bytes()).expect("masks are read").to_text(), text);
    assert_eq!(verdict(&loose, &suite(0x1010, 0, Answer::Done)), Verdict::Agreed, "bit 12 is not compared");
    assert!(matches!(verdict(&loose, &suite(0x0110, 0, Answer::Done)), Verdict::Diverged { .. }));
    assert!(matches!(verdict(&loose, &suite(0x1010, 1, Answer::Done)), Verdict::Diverged { .. }));
}

#[test]
fn a_revoked_test_is_counted_and_not_run() {
    let file = file_with(vec![test_with(3, 0x10)]);
    let id = file.groups[0].tests[0].id(isa(), instruction());
    let revocation = Revocation { id: id.clone(), date: "2026-01-01".to_string(), reason: "a test".to_string() };
    let result = Replayer::new(&suite(0, 0, Answer::Done)).replay(&file, &BTreeMap::from([(id, revocation)]), None);
    let columns = result.columns();
    assert_eq!((columns.of(Column::Revoked), columns.tests(), result.runs.len()), (1, 1, 0));
}

/// What a finding is about that somebody called `name` had.
fn about(name: &str, kind: Kind) -> About {
    About {
        target: name.to_string(),
        place: "-".to_string(),
        kind,
        shows: true,
        options: vec!["--target".to_string(), "cmd:a 'b'".to_string()],
        classes: BTreeMap::from([(Edition::Spec, vec![instruction().cell_classes[0].to_string()])]),
        bits: vec!["3:0->1".to_string()],
        rules: vec!["a rule".to_string()],
        after: Vec::new(),
    }
}

fn finding_of(suite: &IsaSuite, value: &CaseValue, about: About) -> VectorFile {
    let note = Note { what: "A finding.".to_string(), detects: "What was found.".to_string() };
    let file = finding_file(suite, value, source(), ("finding", note), Some(about)).expect("it lies in a cell");
    let text = file.to_text();
    let read = check_text(ISAS, "some.json", text.as_bytes()).expect("it is as it should be");
    assert_eq!((read.to_text(), &read.finding), (text, &file.finding));
    read
}

/// Promises nothing.
struct Silent;

static NOTHING: tandem_isa::Citation =
    tandem_isa::Citation { page: &NO_PAGE, place: "a test", reason: "nothing is said" };
static NO_PAGE: tandem_isa::Page = tandem_isa::Page {
    name: "NONE",
    id: "none",
    title: "None",
    repository: "none/none",
    path: "none.md",
    commit: "0000000000000000000000000000000000000000",
    sha256: None,
    date: "2026-01-01",
    licence: "none",
    lines: None,
};

impl Reference for Silent {
    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Expectation {
        Expectation::Undefined(&NOTHING)
    }
}

/// Panics, or does something wrong after another case.
struct Troubled {
    panics: bool,
    cases: u32,
}

impl Target for Troubled {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "troubled".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Answer {
        assert!(!self.panics, "on purpose");
        self.cases += 1;
        if self.cases > 1 { Answer::Blocked } else { Answer::Done }
    }

    fn reset(&mut self) {
        self.cases = 0;
    }
}

#[test]
fn where_nothing_is_promised_a_target_has_to_survive() {
    let suite = |panics: bool| IsaSuite {
        isa: isa(),
        reference: Arc::new(|| Box::new(Silent)),
        statements: |_| &[],
        disputes: &[],
        targets: vec![TargetFactory::new(move || Box::new(Troubled { panics, cases: 0 }))],
    };
    let value = CaseValue::base(isa(), instruction(), Edition::Spec);
    let file = finding_of(&suite(true), &value, about("troubled", Kind::Panic));
    let verdict = |panics: bool| {
        let runs = Replayer::new(&suite(panics)).replay(&file, &BTreeMap::new(), None).runs;
        assert_eq!(runs[0].verdict, Verdict::Agreed, "the reference has nothing to say");
        runs[1].verdict.clone()
    };
    assert!(matches!(verdict(true), Verdict::Diverged { signature: Some(one), .. } if one.kind == Kind::Panic));
    assert_eq!(verdict(false), Verdict::Survived);
    // It stands in stored findings only.
    let mut ordinary = file.clone();
    ordinary.finding = None;
    assert!(matches!(error_of(&ordinary.to_text()), VectorError::Value { place, .. } if place.ends_with("/outcome")));
}

#[test]
fn a_finding_by_order_runs_after_the_case_that_it_needs() {
    let mut suite = suite(0, 0, Answer::Done);
    suite.targets = vec![TargetFactory::new(|| Box::new(Troubled { panics: false, cases: 0 }))];
    suite.reference = Arc::new(|| Box::new(Still));
    let value = CaseValue::base(isa(), instruction(), Edition::Spec);
    let kind = Kind::OrderDependent;
    let alone = finding_of(&suite, &value, about("troubled", kind));
    let after = vec![Before::of(&value)];
    let file = finding_of(&suite, &value, About { after: after.clone(), ..about("troubled", kind) });
    let of_another = finding_of(&suite, &value, About { after, ..about("another", kind) });
    let verdict = |file: &VectorFile| {
        let runs = Replayer::new(&suite).replay(file, &BTreeMap::new(), None).runs;
        runs.into_iter().next_back().expect("the target runs").verdict
    };
    assert_eq!((verdict(&alone), verdict(&of_another)), (Verdict::Agreed, Verdict::Agreed));
    assert!(matches!(verdict(&file), Verdict::Diverged { signature: Some(one), .. } if one.kind == kind));
}

/// Finds that nothing is to be done.
struct Still;

impl Reference for Still {
    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Expectation {
        Expectation::Done
    }
}

#[test]
fn a_finding_becomes_a_file_that_reads_back() {
    let suite = suite(0x10, 0, Answer::Done);
    let mut value = CaseValue::base(isa(), instruction(), Edition::Spec);
    value.fields.insert(last_bit(), 1);
    value.words.insert((0, 3, 1), 7);
    let note = Note { what: "A finding.".to_string(), detects: "What was found.".to_string() };
    let file = finding_file(&suite, &value, source(), ("finding", note), None).expect("the reference promises it");
    let read = check_text(ISAS, "some.json", file.to_text().as_bytes()).expect("it is as it should be");
    let values = read.case_values();
    assert_eq!((values.len(), &values[0].fields, &values[0].words), (1, &value.fields, &value.words));
    assert_eq!(values[0].edition, Edition::Spec);
}
