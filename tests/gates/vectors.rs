//! Recorded vectors: the committed files hold, cover every cell, are reproducible and small; broken ones are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rstest::rstest;
use tandem::twists::{self, Reach};
use tandem_cases::ISAS;
use tandem_faults::twist;
use tandem_harness::vectors::{
    Column, LintKind, MAX_FILE_BYTES, MAX_TOTAL_BYTES, Outcome, ProgramRecorder, RECORD_SEED, Replayer, SCHEMA_TEXT,
    Selection, Store, Test, VectorError, VectorFile, check_text, field_named, lint, read_revocations, record, select,
};
use tandem_harness::{IsaSuite, Pools, Suite};
use tandem_isa::{Edition, Instruction, Noise, Target};

use crate::parts::{one_in, store, takes_its_turn};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn suite() -> Suite {
    tandem::wiring::suite()
}

// ------------------------------------------------------------------------------------------------ what is committed

#[test]
fn recorded_vectors_replay() {
    let (suite, store) = (suite(), store());
    let mut covered: BTreeMap<(String, Edition), BTreeSet<usize>> = BTreeMap::new();
    for (path, file) in &store.files {
        let isa_suite = suite.isa(file.isa.name).expect("the suite has every instruction set");
        let result = Replayer::new(isa_suite).replay(file, &store.revoked, None);
        // Of some instructions nothing is promised, or nothing that is exported.
        assert!(!result.runs.is_empty() || file.is_empty(), "{}: not one test was run", path.display());
        if file.is_empty() {
            continue;
        }
        let failures: Vec<_> = result.failures().take(3).collect();
        assert!(failures.is_empty(), "{}: {failures:#?}", path.display());
        for (subject, count) in result.counts() {
            println!("{}: {subject}: {count:?}", path.display());
            assert!(count.of(Column::Agreed) > 0, "{}: {subject} ran nothing", path.display());
        }
        for (_, test) in file.tests().filter(|(_, test)| test.outcome == Outcome::Done) {
            for &edition in &test.editions {
                let cell = test.cell(file.isa, file.instruction, edition).expect("a test lies in a cell");
                covered.entry((file.instruction.path(), edition)).or_default().insert(cell);
            }
        }
    }
    for ((instruction, edition), cells) in &covered {
        println!("{instruction} {}: {} cells have a vector", edition.name(), cells.len());
    }
    // Every cell that the pages promise something for has a test, and nothing else is wrong with the files together.
    let lints = lint(store, &suite);
    assert!(lints.is_empty(), "{}", lints.iter().map(|lint| format!("{lint}\n")).collect::<String>());
}

/// Halves, so that two workers have something to do.
#[rstest]
#[case::even(0)]
#[case::odd(1)]
fn recording_is_reproducible(#[case] half: usize) {
    for (suite, instruction) in
        suite().instructions().filter(|(_, one)| takes_its_turn(one)).skip(half).step_by(2 * one_in(5))
    {
        let name = |file: &str| directory().join(instruction.isa).join(format!("{file}.json"));
        is_committed(&record(suite, instruction, RECORD_SEED), &name(instruction.file));
    }
    // Of programs fewer are enough: all are made in the same way.
    let mut recorders: BTreeMap<&str, ProgramRecorder> = BTreeMap::new();
    for (suite, instruction) in suite().instructions().skip(half).step_by(8 * one_in(3)) {
        let path = directory().join(instruction.isa).join(format!("{}.programs.json", instruction.file));
        let recorder = recorders.entry(instruction.isa).or_insert_with(|| ProgramRecorder::new(suite, RECORD_SEED));
        let programs = recorder.record(instruction);
        assert_eq!(path.exists(), !programs.is_empty(), "{}", path.display());
        if !programs.is_empty() {
            is_committed(&programs, &path);
        }
    }
}

/// Holds a file that is recorded now against the committed one.
fn is_committed(file: &VectorFile, path: &Path) {
    let text = file.to_text();
    let committed = std::fs::read_to_string(path).expect("each instruction has a recorded file");
    // The first line that differs: a whole file is too long to read.
    let lines = committed.lines().zip(text.lines()).find(|(committed, recorded)| committed != recorded);
    let (then, now) = lines.unwrap_or_default();
    similar_asserts::assert_eq!(
        then,
        now,
        "{} is not what is recorded now; run `tandem vectors record` and look at the difference",
        path.display()
    );
    assert_eq!(text.len(), committed.len(), "{} is longer or shorter than what is recorded now", path.display());
}

#[test]
fn another_seed_records_other_tests() {
    let (suite, path) = (suite(), directory().join("tensix-wh/sfpstore.json"));
    let (isa, instruction) =
        suite.instructions().find(|(_, one)| one.path() == "tensix-wh/sfpstore").expect("it is in the suite");
    let other = record(isa, instruction, RECORD_SEED + 1).to_text();
    assert_ne!(other, std::fs::read_to_string(&path).expect("it has a recorded file"));
    assert!(check_text(ISAS, "other", other.as_bytes()).is_ok());
}

#[test]
fn committed_vectors_stay_small() {
    let store = store();
    let sizes: Vec<(String, usize)> =
        store.files.iter().map(|(path, file)| (path.display().to_string(), file.to_text().len())).collect();
    println!("{sizes:#?}");
    assert!(sizes.iter().all(|(_, size)| *size < 8_000_000), "{sizes:?}");
    assert!(sizes.iter().map(|(_, size)| size).sum::<usize>() < MAX_TOTAL_BYTES, "{sizes:?}");
    for (path, _) in &store.files {
        let lines = std::fs::read_to_string(path).expect("it was read before");
        // The longest has two banks of SrcA, row by row.
        assert!(lines.lines().all(|line| line.len() < 49_152), "{}: a line is too long to read", path.display());
    }
}

/// What no hardware is known to hold, of what a test of a Tensix instruction reads: by the names of fields, and by the rows
/// that the test names.
fn beyond_hardware(file: &VectorFile, test: &Test) -> Vec<&'static str> {
    let fields = (file.isa.layout.fields)();
    let value = |name: &str| {
        let index = field_named(file.isa.layout, name).unwrap_or_else(|| panic!("no field {name}"));
        test.before.fields.get(&index).copied().unwrap_or(fields[index].base)
    };
    let code = |name: &str| file.instruction.code_field(name).expect("it is a field").get(&test.code);
    let thread = value("CurrentThread");
    let of_thread = |name: &str| value(&format!("ThreadConfig[{thread}].{name}"));
    let of_bank = |name: &str| value(&format!("Config[{}].{name}", of_thread("CFG_STATE_ID_StateID")));
    // Where the raw exponent of integer "8" lies, where its magnitude, and which bank has such data.
    let int8 = match file.instruction.file {
        file_name @ ("mova2d" | "movdbga2d" | "movb2d" | "movb2a") => {
            let (source, letter, number) =
                if file_name.starts_with("movb") { ("SrcB", 'B', 1) } else { ("SrcA", 'A', 0) };
            let is_implied =
                file.isa.name == "tensix-bh" && of_thread(&format!("DISABLE_IMPLIED_SRC{letter}_FMT_Base")) == 0;
            let fmt = if is_implied {
                value(&format!("Implied{source}Fmt[{}]", value(&format!("MatrixUnit.{source}Bank"))))
            } else if of_bank(&format!("ALU_FORMAT_SPEC_REG_{source}_override")) != 0 {
                of_bank(&format!("ALU_FORMAT_SPEC_REG_{source}_val"))
            } else {
                of_bank(&format!("ALU_FORMAT_SPEC_REG{number}_{source}"))
            };
            (fmt == 14).then_some((source, 0xff, 0x3_ff00))
        }
        "movd2a" | "movd2b" => None,
        "sfpload" => {
            let (mode, vd) = (code("Mod0"), code("VD"));
            ([5, 13].contains(&mode) && vd < 8).then_some(("DstBits", 0x1f, 0x7fe0))
        }
        "sfpstore" => None,
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    if ["mova2d", "movdbga2d", "movd2a", "movd2b"].contains(&file.instruction.file)
        && of_thread("FP16A_FORCE_Enable") != 0
    {
        found.push("FP16A_FORCE_Enable");
    }
    if file.instruction.file != "movb2a" && of_bank("DEST_REGW_BASE_Base") != 0 {
        found.push("DEST_REGW_BASE_Base");
    }
    if let Some((name, exponent, magnitude)) = int8 {
        let rows = test.before.rows.iter().filter(|((bank, _), _)| file.isa.layout.banks[*bank].name == name);
        let is_int8 = |word: u32| word & exponent == 16 || word & (exponent | magnitude) == 0;
        if !rows.flat_map(|(_, words)| words).all(|&word| is_int8(word)) {
            found.push("integer \"8\"");
        }
    }
    found
}

#[test]
fn what_hardware_is_asked_holds_nothing_that_no_hardware_does() {
    let (store, asked) = (store(), Selection { hardware: true, ..Selection::default() });
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = 0;
    for (path, file) in store.files.iter().filter(|(_, file)| file.isa.name.starts_with("tensix")) {
        let chosen = select(file, &asked, &store.revoked);
        for (_, test) in chosen.tests() {
            let found = beyond_hardware(file, test);
            assert!(found.is_empty(), "{}: {} reads {found:?}", path.display(), test.id(file.isa, file.instruction));
            assert_eq!(test.contested(file.isa, file.instruction), None);
        }
        kept += chosen.len();
        for what in file.tests().flat_map(|(_, test)| beyond_hardware(file, test)) {
            *left_out.entry(what).or_default() += 1;
        }
    }
    println!("{kept} tests can be asked of hardware; left out: {left_out:?}");
    assert!(kept > 1_000 && left_out.len() == 3, "{kept} kept, {left_out:?} left out");
}

#[test]
fn recording_leaves_tests_of_each_integer_8_mode_that_hardware_can_be_asked() {
    let asked = Selection { hardware: true, ..Selection::default() };
    for (suite, instruction) in suite().instructions().filter(|(_, one)| one.file == "sfpload" && takes_its_turn(one)) {
        let file = record(suite, instruction, RECORD_SEED);
        let chosen = select(&file, &asked, &BTreeMap::new());
        let field = |name: &str| instruction.code_field(name).expect("it is a field");
        for mode in [5, 13] {
            let loads = |test: &Test| field("Mod0").get(&test.code) == mode && field("VD").get(&test.code) < 8;
            let [kept, all] = [&chosen, &file].map(|file| file.tests().filter(|(_, test)| loads(test)).count());
            println!("{}: {kept} of {all} with Mod0 {mode}", instruction.path());
            assert!(kept > 0 && kept < all, "{}: {kept} of {all} with Mod0 {mode}", instruction.path());
        }
    }
}

fn without_revoked(file: &VectorFile, store: &Store) -> VectorFile {
    let mut file = file.clone();
    let (isa, instruction) = (file.isa, file.instruction);
    for group in &mut file.groups {
        group.tests.retain(|test| !store.revoked.contains_key(&test.id(isa, instruction)));
    }
    file
}

/// Of the faults with a name and of one twist in eight, which the vectors of an instruction catch and which they miss.
fn caught_and_missed(
    isa_suite: &IsaSuite,
    instruction: &'static Instruction,
    store: &Store,
) -> (Vec<String>, Vec<String>) {
    let of_instruction = store.files.iter().filter(|(_, file)| std::ptr::eq(file.instruction, instruction));
    let files: Vec<VectorFile> = of_instruction.map(|(_, file)| without_revoked(file, store)).collect();
    let own = tandem_faults::catalogue().iter().filter(|fault| !fault.hidden() && fault.concerns(instruction));
    let named = own.map(|fault| tandem_faults::target(Some(fault.id)).expect("it is in the catalogue"));
    let reach = Reach::of(isa_suite, (instruction, Edition::Newest), &Pools::new(isa_suite.isa, 1), 2);
    let twists = reach.bare().filter(|mistake| {
        twists::is_in_part(&mistake.name, (1, 16)) && twist::survives(instruction, &mistake.name).is_none()
    });
    let targets: Vec<Box<dyn Target>> =
        named.chain(twists.map(|mistake| Box::new(mistake.twisted()) as Box<dyn Target>)).collect();
    let names: Vec<String> = targets.iter().map(|target| target.info().name).collect();
    let mut replayer = Replayer::with_targets(isa_suite, targets);
    let all = names.into_iter().zip(replayer.failing(&files));
    let (caught, missed): (Vec<_>, Vec<_>) = all.partition(|(_, differs)| *differs);
    let names = |of: Vec<(String, bool)>| of.into_iter().map(|(name, _)| name).collect();
    (names(caught), names(missed))
}

#[rstest]
#[case::even(0)]
#[case::odd(1)]
fn recorded_vectors_catch_most_faults(#[case] first: usize) {
    let (suite, store) = (suite(), store());
    tandem_harness::quiet_panics();
    let mut of_all = (0, 0);
    // Two halves, so that two workers have something to do.
    for (isa_suite, instruction) in suite.instructions().skip(first).step_by(2 * one_in(8)) {
        let (caught, missed) = caught_and_missed(isa_suite, instruction, store);
        let path = instruction.path();
        println!("the vectors of {path} catch {} faults and miss {}: {missed:#?}", caught.len(), missed.len());
        // The smallest instruction has some twenty mistakes in all. Of some nothing is promised, or nothing that is exported.
        let own = |file: &VectorFile| file.instruction.path() == path && !file.is_empty();
        if !store.files.iter().any(|(_, file)| own(file)) {
            continue;
        }
        assert!(!caught.is_empty(), "{path}: none of {missed:?}");
        // It executes further instructions behind its own, whose vectors are their own: most of its mistakes need a certain one.
        if instruction.file == "sfploadmacro" {
            assert!(missed.len() * 2 <= caught.len(), "{path}: {} caught, {} missed", caught.len(), missed.len());
            continue;
        }
        of_all = (of_all.0 + caught.len(), of_all.1 + missed.len());
    }
    // What needs several coincidences, as much at the Wait Gate and in products does, is for the fuzzer, and what only refuses more is no difference; a vector a cell must see
    // all the rest.
    assert!(of_all.1 * 7 <= of_all.0, "{} caught, {} missed", of_all.0, of_all.1);
}

#[test]
fn files_of_instructions_that_are_not_asked_for_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["visa/dpas.cm-cpu-emulation-8d7b65fa.json", "tensix-wh/mova2d.ttsim-1.10.0.json"];
    let texts = names.map(|name| std::fs::read_to_string(directory().join(name)).expect("it is committed"));
    std::fs::write(folder.path().join("whole.json"), &texts[0]).expect("it can be written");
    std::fs::write(folder.path().join("broken.json"), &texts[1][..texts[1].len() / 2]).expect("it can be written");
    let of = |name: &'static str| {
        let asked = move |instruction: &Instruction| instruction.name == name;
        Store::load_of(ISAS, folder.path(), &asked)
    };
    assert_eq!(of("DPAS").expect("the broken one is of another").files.len(), 1);
    assert_eq!(of("SFPLOAD").expect("neither is read").files.len(), 0);
    assert!(matches!(of("MOVA2D"), Err(VectorError::Syntax { .. })));
    assert!(matches!(Store::load(ISAS, folder.path()), Err(VectorError::Syntax { .. })));
    std::fs::write(folder.path().join("nameless.json"), "{}").expect("it can be written");
    assert!(matches!(of("DPAS"), Err(VectorError::Schema { .. })), "what does not say what it is of is read");
}

#[test]
fn a_directory_without_vectors_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let error = Store::load(ISAS, directory.path()).expect_err("nothing is there");
    assert!(matches!(error, VectorError::NoVectors { .. }), "{error}");
    assert!(matches!(Store::load(ISAS, &directory.path().join("none")), Err(VectorError::Io { .. })));
}

#[test]
fn a_revoked_test_that_is_in_no_file_is_reported() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let list = directory.path().join("revoked.json");
    let entry = r#"{"id": "0123456789abcdef", "date": "2026-01-01", "reason": "wrong"}"#;
    std::fs::write(&list, format!(r#"{{"schema": "urn:tandem:revoked:1", "revoked": [{entry}]}}"#))
        .expect("it can be written");
    let mut store = Store { files: store().files[..1].to_vec(), ..store().clone() };
    let revocations = read_revocations(&list).expect("the list is as it should be");
    store.revoked = revocations.into_iter().map(|revocation| (revocation.id.clone(), revocation)).collect();
    let lints = lint(&store, &Suite { isas: Vec::new() });
    assert!(lints.iter().any(|lint| lint.kind == LintKind::UnknownRevocation), "{lints:?}");
    for broken in ["", "{}", "[]", r#"{"schema": "urn:tandem:revoked:1", "revoked": [1]}"#] {
        std::fs::write(&list, broken).expect("it can be written");
        let error = read_revocations(&list).expect_err("the list is broken");
        assert!(error.to_string().contains("revoked.json") && !error.place().is_empty(), "{error}");
    }
}

#[test]
fn the_selection_of_recorded_dpas_has_every_pair_of_precisions_and_masks_every_nan() {
    use tandem_isa::visa::bank::GRF;
    use tandem_isa::visa::operand::EXEC_SIZE;
    use tandem_isa::visa::operand::dpas::{A, RC, SRC0, W};

    let path = directory().join("visa/dpas.cm-cpu-emulation-8d7b65fa.json");
    let text = std::fs::read_to_string(&path).expect("it is committed");
    assert!(text.len() < 300_000, "{}", text.len());
    let file = check_text(ISAS, "dpas", text.as_bytes()).expect("it is as it should be");
    assert_eq!((file.len(), file.source.commit.as_deref()), (150, Some("8d7b65fa")));
    let (mut pairs, mut repeats, mut sizes, mut nulls) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), 0);
    let type_of_dst = field_named(file.isa.layout, "V32.type").expect("a field");
    for (_, test) in file.tests() {
        pairs.insert((W.get(&test.code), A.get(&test.code)));
        repeats.insert(RC.get(&test.code));
        sizes.insert(EXEC_SIZE.get(&test.code));
        nulls += usize::from(SRC0.id.get(&test.code) == 0);
        let dst_type = test.before.fields.get(&type_of_dst).copied().unwrap_or(0);
        assert!([0, 1, 7].contains(&dst_type), "UD, D or F, and none of 16 bits");
        let is_nan = |&&word: &&u32| dst_type == 7 && word & 0x7fff_ffff > 0x7f80_0000;
        let nans = test.after.rows.values().flatten().filter(is_nan).count();
        let masks = test.care.rows.values().flatten().filter(|&&mask| mask != u32::MAX);
        assert_eq!(masks.clone().count(), nans);
        assert!(masks.clone().all(|&mask| mask == 0x7fc0_0000), "exponent and quiet bit");
        assert!(test.care.rows.keys().all(|&(bank, row)| bank == GRF && row < 16));
        assert_eq!(nans > 0, test.flags.iter().any(|flag| flag == "nan-by-class"));
    }
    assert_eq!((pairs.len(), repeats.len(), sizes.len()), (39, 8, 2), "36 pairs of integers, bf, hf and tf32");
    assert!(nulls > 0 && nulls < file.len());
    let flags: Vec<&str> = file.notes.keys().map(String::as_str).collect();
    let known = [
        "cancelling",
        "contested",
        "denormal",
        "extreme",
        "mid-range",
        "nan-by-class",
        "small-exact",
        "special-values",
        "ties",
    ];
    assert_eq!(flags, known, "each kind of operands has a test");
}

// ------------------------------------------------------------------------------------------------ broken files

/// So many files are broken by night, and a third of them else. What breaks any text is in `mutants.rs`.
const BREAKAGES: usize = 10_000;

/// A place in a JSON text: a value, and for objects and arrays what is in it.
#[derive(Clone, Debug)]
struct Node {
    span: Range<usize>,
    /// The key with its quotes, for a member.
    key: Option<Range<usize>>,
    /// From the key (or the value) to the end of the value.
    whole: Range<usize>,
    children: Vec<Node>,
}

/// Parses JSON that is known to be right, for its places.
fn parse(text: &str, at: &mut usize) -> Node {
    let bytes = text.as_bytes();
    let skip = |at: &mut usize| *at += bytes[*at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let string = |at: &mut usize| {
        let start = *at;
        *at += 1;
        while bytes[*at] != b'"' {
            *at += if bytes[*at] == b'\\' { 2 } else { 1 };
        }
        *at += 1;
        start..*at
    };
    skip(at);
    let start = *at;
    let mut children = Vec::new();
    match bytes[start] {
        b'"' => drop(string(at)),
        open @ (b'{' | b'[') => {
            *at += 1;
            loop {
                skip(at);
                if matches!(bytes[*at], b'}' | b']') {
                    break;
                }
                let key = (open == b'{').then(|| string(at));
                if key.is_some() {
                    skip(at);
                    *at += 1;
                }
                let mut child = parse(text, at);
                child.whole = key.as_ref().map_or(child.span.start, |key| key.start)..child.span.end;
                child.key = key;
                children.push(child);
                skip(at);
                *at += usize::from(bytes[*at] == b',');
            }
            *at += 1;
        }
        _ => *at += bytes[start..].iter().take_while(|byte| !b",]} \n".contains(byte)).count(),
    }
    Node { span: start..*at, key: None, whole: start..*at, children }
}

fn flatten<'a>(node: &'a Node, all: &mut Vec<&'a Node>) {
    all.push(node);
    node.children.iter().for_each(|child| flatten(child, all));
}

/// The nodes of a text by what can be broken in them.
struct Places<'a> {
    text: &'a str,
    all: Vec<&'a Node>,
}

impl Places<'_> {
    /// A drawn node that fits.
    fn draw(&self, noise: &mut Noise, fits: impl Fn(&Node) -> bool) -> &Node {
        let fitting: Vec<&&Node> = self.all.iter().filter(|node| fits(node)).collect();
        fitting[noise.word() as usize % fitting.len()]
    }

    fn value(&self, node: &Node) -> &str {
        &self.text[node.span.clone()]
    }

    fn key(&self, node: &Node) -> &str {
        node.key.as_ref().map_or("", |key| &self.text[key.start + 1..key.end - 1])
    }

    fn replaced(&self, span: Range<usize>, with: &str) -> Vec<u8> {
        format!("{}{with}{}", &self.text[..span.start], &self.text[span.end..]).into_bytes()
    }
}

const KINDS: [&str; 10] = [
    "duplicated key",
    "mistyped value",
    "wrong word",
    "out of order",
    "wrong hash",
    "renamed key",
    "white space",
    "another value",
    "something missing",
    "something too much",
];

fn broken(places: &Places<'_>, kind: &str, noise: &mut Noise) -> Vec<u8> {
    let text = places.text;
    let pick = |noise: &mut Noise, words: &[&str]| words[noise.below(words.len())].to_string();
    let is_hash = |node: &Node| ["id", "digest", "sha256", "commit"].contains(&places.key(node));
    match kind {
        "duplicated key" => {
            let member = places.draw(noise, |node| node.key.is_some());
            let again = format!("{},{}", &text[member.whole.clone()], &text[member.whole.clone()]);
            places.replaced(member.whole.clone(), &again)
        }
        "mistyped value" => {
            let node = places.draw(noise, |_| true);
            let words = ["null", "true", "17", "-1", "1.5", "1e9", "\"x\"", "\"\"", "[]", "{}", "[0]", "1e999", "NaN"];
            places.replaced(node.span.clone(), &pick(noise, &words))
        }
        "wrong word" => {
            let node = places.draw(noise, |node| places.value(node).starts_with('"'));
            let words = [
                "spec",
                "newest",
                "done",
                "blocked",
                "Done",
                "urn:tandem:vectors:2",
                "0x00000000",
                "retained",
                "\\u0000",
            ];
            places.replaced(node.span.clone(), &format!("\"{}\"", pick(noise, &words)))
        }
        "out of order" => {
            let parent = places.draw(noise, |node| node.children.len() > 1);
            let index = noise.word() as usize % (parent.children.len() - 1);
            let (one, other) = (parent.children[index].whole.clone(), parent.children[index + 1].whole.clone());
            let swapped = format!("{}{}{}", &text[other.clone()], &text[one.end..other.start], &text[one.clone()]);
            places.replaced(one.start..other.end, &swapped)
        }
        "wrong hash" => {
            let node = places.draw(noise, is_hash);
            let digit = node.span.start + 1 + noise.below(node.span.len() - 2);
            places.replaced(digit..digit + 1, &pick(noise, &["0", "7", "a", "f", "g", "F", ""]))
        }
        "renamed key" => {
            let key = places.draw(noise, |node| node.key.is_some()).key.clone().expect("it has a key");
            let name = &text[key.start + 1..key.end - 1];
            let renamed = match noise.below(5) {
                0 => name.to_uppercase(),
                1 => format!("{name}x"),
                2 => name[..name.len() - 1].to_string(),
                3 => name.replace(['0', '1', '2'], "3"),
                _ => String::new(),
            };
            places.replaced(key, &format!("\"{renamed}\""))
        }
        "white space" => {
            let start = places.draw(noise, |_| true).whole.start;
            places.replaced(start..start, &pick(noise, &[" ", "\n", "\t", "\r\n", "\u{feff}", "/**/"]))
        }
        "another value" => {
            let node = places.draw(noise, |node| node.children.is_empty());
            let value = places.value(node);
            let changed = match value.parse::<u64>() {
                Ok(number) => (number + 1 + noise.word() % 3).to_string(),
                Err(_) if value.len() > 2 => {
                    let digit = 1 + noise.word() as usize % (value.len() - 2);
                    format!("{}{}{}", &value[..digit], pick(noise, &["0", "1", "8", "f"]), &value[digit + 1..])
                }
                Err(_) => "\"0\"".to_string(),
            };
            places.replaced(node.span.clone(), &changed)
        }
        "something missing" => {
            let parent = places.draw(noise, |node| !node.children.is_empty());
            let index = noise.word() as usize % parent.children.len();
            let one = parent.children[index].whole.clone();
            let span = match parent.children.get(index + 1) {
                Some(next) => one.start..next.whole.start,
                None if index > 0 => parent.children[index - 1].whole.end..one.end,
                None => one,
            };
            places.replaced(span, "")
        }
        _ => match noise.below(3) {
            0 => format!("{text}{}", pick(noise, &["x", "{}", "\0", "\n", &text[..200]])).into_bytes(),
            1 => {
                let node = places.draw(noise, |node| places.value(node).starts_with('{') && !node.children.is_empty());
                let start = node.span.start + 1;
                places
                    .replaced(start..start, &pick(noise, &["\"more\":0,", "\"id\":\"\",", "\"fields\":{},", "\"\":1,"]))
            }
            _ => {
                let node = places.draw(noise, |node| places.value(node).starts_with('[') && !node.children.is_empty());
                let first = node.children[0].whole.clone();
                places.replaced(first.start..first.start, &format!("{},", &text[first]))
            }
        },
    }
}

/// A small file with everything in it that a file can have: that of an instruction whose tests carry all flags.
fn small_file() -> VectorFile {
    let store = store();
    let (_, file) = store.files.iter().max_by_key(|(_, file)| file.notes.len()).expect("there is a file");
    let flags: Vec<String> = file.notes.keys().cloned().collect();
    let mut small = VectorFile::new(file.isa, file.instruction, file.source.clone());
    small.notes.clone_from(&file.notes);
    for flag in flags {
        let selection = Selection { flags: vec![flag], per_cell: Some(2), ..Selection::default() };
        let chosen = select(file, &selection, &store.revoked);
        let test = chosen.tests().map(|(_, test)| test).min_by_key(|test| test.after.rows.len());
        assert!(small.add(test.expect("each flag has a test").clone()));
    }
    let mut masked = small.groups[0].tests[0].clone();
    masked.recorded = Some("ok".to_string());
    if let Some((&key, words)) = small.groups[0].tests[0].after.rows.first_key_value() {
        masked.care.rows.insert(key, vec![1; words.len()]);
    }
    assert!(small.add(masked));
    small.sort();
    small
}

fn schema(text: &str) -> jsonschema::Validator {
    jsonschema::draft202012::new(&serde_json::from_str(text).expect("the schema is JSON")).expect("it is a schema")
}

#[test]
fn what_is_committed_fits_the_published_schemas() {
    let of_lists = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/schema/revoked.schema.json");
    let of_lists = schema(&std::fs::read_to_string(of_lists).expect("it is committed"));
    let of_files = schema(SCHEMA_TEXT);
    let files = store().files.iter().step_by(one_in(4)).map(|(path, _)| (path.clone(), &of_files));
    for (path, schema) in files.chain([(directory().join("revoked.json"), &of_lists)]) {
        let text = std::fs::read_to_string(&path).expect("it is committed");
        let value = serde_json::from_str(&text).expect("it is JSON");
        let fault = schema.validate(&value).err().map(|fault| fault.masked().to_string());
        assert_eq!(fault, None, "{}", path.display());
    }
}

#[test]
fn broken_vector_files_are_refused_with_file_and_place() {
    let text = small_file().to_text();
    assert!(check_text(ISAS, "base.json", text.as_bytes()).is_ok());
    println!("{} bytes to break", text.len());
    let schema = schema(SCHEMA_TEXT);
    let root = parse(&text, &mut 0);
    let mut all = Vec::new();
    flatten(&root, &mut all);
    let places = Places { text: &text, all };
    let mut errors: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut number = 0;
    let mut tried = 0;
    while number < BREAKAGES / one_in(3) {
        let kind = KINDS[number % KINDS.len()];
        let mut noise = Noise::new(0x6272_6f6b_656e + tried);
        tried += 1;
        let bytes = broken(&places, kind, &mut noise);
        if bytes == text.as_bytes() {
            continue;
        }
        let name = format!("broken-{number}.json");
        let error = match check_text(ISAS, &name, &bytes) {
            Ok(_) => panic!("{name} ({kind}, try {tried}) passes: {}", String::from_utf8_lossy(&bytes)),
            Err(error) => error,
        };
        // What has no shape for us has none by the published schema.
        if matches!(error, VectorError::Schema { .. }) {
            let value = serde_json::from_slice(&bytes).expect("it is JSON");
            assert!(!schema.is_valid(&value), "{kind}: {error}");
        }
        names_file_and_place(&error, &name);
        *errors.entry((kind, variant(&error))).or_default() += 1;
        number += 1;
    }
    println!("{errors:#?}");
    let kinds: BTreeSet<&str> = errors.keys().map(|&(kind, _)| kind).collect();
    assert_eq!(kinds.len(), KINDS.len());

    // Too large, at and above the limit.
    let mut huge = text.into_bytes();
    huge.resize(usize::try_from(MAX_FILE_BYTES).expect("it fits"), b' ');
    assert!(matches!(check_text(ISAS, "huge.json", &huge), Err(VectorError::Canonical { .. })));
    huge.push(b' ');
    let error = check_text(ISAS, "huge.json", &huge).expect_err("one byte too large");
    assert!(error.to_string().starts_with("huge.json: byte 16777216: "), "{error}");
}

/// Holds what is said of a broken file: which file, where in it, and not all of it.
#[track_caller]
pub fn names_file_and_place(error: &VectorError, name: &str) {
    let (message, place) = (error.to_string(), error.place());
    assert!(message.starts_with(&format!("{name}: ")), "{message}");
    let is_place = place.starts_with('/') || place.starts_with("line ") || place.starts_with("byte ");
    assert!(is_place && message.contains(&place), "{message} has no place");
    assert!(message.len() < 4_000, "a message quotes the file at length: {} bytes", message.len());
}

fn variant(error: &VectorError) -> &'static str {
    match error {
        VectorError::NoVectors { .. } => "no vectors",
        VectorError::Io { .. } => "io",
        VectorError::TooLarge { .. } => "too large",
        VectorError::Utf8 { .. } => "utf-8",
        VectorError::Syntax { .. } => "syntax",
        VectorError::DuplicateKey { .. } => "duplicate key",
        VectorError::Schema { .. } => "schema",
        VectorError::Value { .. } => "value",
        VectorError::Order { .. } => "order",
        VectorError::Id { .. } => "id",
        VectorError::Digest { .. } => "digest",
        VectorError::Canonical { .. } => "canonical",
        VectorError::Unpromised { .. } => "unpromised",
        VectorError::Result { .. } => "result",
        VectorError::Manifest { .. } => "manifest",
        VectorError::Recording { .. } => "recording",
    }
}
