//! Plain tables of vectors: a C compiler, Python, numpy, a simulator of Verilog and we ourselves read back what JSON says.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use rstest::rstest;
use serde_json::Value;
use tandem_cases::ISAS;
use tandem_harness::vectors::{
    Plain, PlainFormat, Selection, Sparse, VectorFile, check_text, read_file, select, to_lines,
};
use tandem_isa::Edition;

use crate::program::{ROOT, ended, has, run, run_into, told};

/// Tests with masks of what is compared and twelve code words, programs that wait and one that is held, rows of constants
/// and contested tests: everything that the tables can hold.
const FILES: [&str; 4] = [
    "visa/dpas.cm-cpu-emulation-8d7b65fa",
    "tensix-wh/elwadd.programs",
    "tensix-wh/cleardvalid.programs",
    "tensix-wh/sfpsetcc",
];

/// An export in a folder, and what a reader has to print.
struct Exported {
    folder: tempfile::TempDir,
    expected: String,
}

impl Exported {
    fn of(path: &str, format: PlainFormat) -> Self {
        let file = read_file(ISAS, &Path::new(ROOT).join("vectors").join(format!("{path}.json"))).expect("it is right");
        let chosen = select(&file, &Selection { per_cell: Some(3), ..Selection::default() }, &BTreeMap::new());
        let folder = tempfile::tempdir().expect("a folder");
        let name = path.split_once('/').expect("a path has two parts").1;
        for (file, bytes) in Plain::of(name, &chosen).files(format) {
            std::fs::write(folder.path().join(file), bytes).expect("the folder can be written");
        }
        let json = check_text(ISAS, "export.json", chosen.to_text().as_bytes()).expect("an export is right");
        let expected = printed(&json);
        assert!(expected.lines().filter(|line| line.starts_with("test ")).count() > 1, "{path}");
        Exported { folder, expected }
    }

    /// Runs a reader in the folder and holds what it prints against the JSON.
    #[track_caller]
    fn reads(&self, command: &mut Command, expected: &str) {
        let output = command.current_dir(self.folder.path()).output().expect("the program runs");
        let (stdout, stderr) = ended(told(&output), 0);
        same(&stdout, expected, &stderr);
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("the folder can be written");
    }
}

/// The first line that differs: a whole export is too long to read.
#[track_caller]
fn same(found: &str, expected: &str, more: &str) {
    let differing = found.lines().zip(expected.lines()).enumerate().find(|(_, (found, expected))| found != expected);
    assert_eq!(differing, None, "{more}");
    assert_eq!(found.lines().count(), expected.lines().count(), "{more}");
}

fn push(text: &mut String, what: &str, numbers: impl IntoIterator<Item = u32>) {
    text.push_str(what);
    for number in numbers {
        write!(text, " {number:x}").expect("writing to a string succeeds");
    }
    text.push('\n');
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("numbers of an export are small")
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|value| u32::try_from(value).ok()).expect("a number of 32 bits")
}

/// What a reader prints of the tests of a file, from its JSON and its JSON lines.
fn printed(file: &VectorFile) -> String {
    let lines = to_lines(file);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let mut text = String::new();
    base(&mut text, file, &lines[0]["base"]);
    for ((group, test), line) in file.tests().zip(&lines) {
        let id = line["id"].as_str().expect("a line has an id");
        let edition = |edition: Edition| u32::from(edition == Edition::Newest);
        let editions = test.editions.iter().map(|&one| 1 << edition(one)).sum();
        let outcome =
            small(["done", "blocked", "survive"].iter().position(|name| *name == test.outcome.name()).expect("known"));
        let contested = u32::from(test.contested(file.isa, file.instruction).is_some());
        let breaks = u32::from(line.get("breaks").is_some());
        let numbers = [editions, edition(group.edition), small(group.cell), outcome, contested, breaks];
        push(&mut text, &format!("test {id}"), numbers);
        match line.get("steps") {
            Some(steps) => {
                steps.as_array().expect("a list").iter().for_each(|one| step(&mut text, one, &one["instruction"]))
            }
            None => step(&mut text, line, &line["instruction"]),
        }
        for flag in &test.flags {
            let place = file.notes.keys().position(|known| known == flag).expect("a flag has a note");
            writeln!(text, "flag {place:x} {flag}").expect("writing to a string succeeds");
        }
        for (number, state) in [&test.before, &test.after, &test.care].into_iter().enumerate() {
            print_state(&mut text, number, state);
        }
    }
    text
}

/// The base state, as a line of JSON says it: what it does not name is 0, or as its bank.
fn base(text: &mut String, file: &VectorFile, base: &Value) {
    let layout = file.isa.layout;
    for bank in layout.banks {
        let word = base["words"].get(bank.name).map_or(0, number);
        push(text, "bank", [small(bank.rows()), small(bank.columns()), bank.bits, word]);
    }
    for field in (layout.fields)() {
        push(text, "kind", [field.width, field.max, base["fields"].get(&field.name).map_or(0, number)]);
    }
    for row in base["rows"].as_array().expect("a list") {
        let bank = layout.bank_named(row[0].as_str().expect("a name")).expect("a bank");
        let words = row[2].as_array().expect("a list").iter().map(number);
        push(text, "base", [small(bank), number(&row[1])].into_iter().chain(words));
    }
}

fn step(text: &mut String, step: &Value, instruction: &Value) {
    let code = step["code"].as_array().expect("a list").iter().map(number);
    push(text, "step", std::iter::once(u32::from(step["waits"] == Value::Bool(true))).chain(code));
    let word = |value: &Value| value.as_str().expect("a text").to_string();
    writeln!(text, "of {} {}", word(instruction), word(&step["text"])).expect("writing to a string succeeds");
}

fn print_state(text: &mut String, number: usize, state: &Sparse) {
    for (&field, &value) in &state.fields {
        push(text, "field", [small(number), small(field), value]);
    }
    for (&(bank, row), words) in &state.rows {
        push(text, "row", [small(number), small(bank), small(row)].into_iter().chain(words.iter().copied()));
    }
}

/// What readers print that have numbers and no names.
fn without_names(text: &str) -> String {
    let bare = |line: &str| match line.rsplit_once(' ') {
        Some((flag, _)) if line.starts_with("flag ") => format!("{flag}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().filter(|line| !line.starts_with("of ")).map(bare).collect()
}

#[test]
fn the_files_have_all_that_tables_can_hold() {
    let all: String = FILES.iter().map(|path| Exported::of(path, PlainFormat::Bin).expected).collect();
    let has = |what: &dyn Fn(&str) -> bool| all.lines().any(what);
    assert!(has(&|line| line.starts_with("row 2 ")), "a mask of a row");
    assert!(has(&|line| line.starts_with("base ")), "a row of constants");
    assert!(has(&|line| line.starts_with("step 1 ")), "a step that waits");
    assert!(has(&|line| line.starts_with("field 1 ")) && has(&|line| line.starts_with("row 1 ")), "a state after");
    let word = |line: &str, place: usize| line.split(' ').nth(place).map(str::to_string);
    let test = |place: usize, value: &str| {
        has(&|line| line.starts_with("test ") && word(line, place).as_deref() == Some(value))
    };
    assert!(test(5, "0") && test(5, "1"), "what is done and what is held");
    assert!(test(6, "0") && test(6, "1"), "what is contested and what is not");
}

#[rstest]
fn a_c_compiler_reads_the_header(#[values(0, 1, 2, 3)] file: usize) {
    if !has("cc") {
        return;
    }
    let exported = Exported::of(FILES[file], PlainFormat::CHeader);
    exported.write("reader.c", include_str!("plain_formats/reader.c"));
    let name: String = FILES[file].chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    let mut compile = Command::new("cc");
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-o", "reader", "reader.c"]);
    compile.arg(format!("-DVECTORS=tandem_{name}")).current_dir(exported.folder.path());
    ended(told(&compile.output().expect("cc runs")), 0);
    exported.reads(&mut Command::new(exported.folder.path().join("reader")), &exported.expected);
}

#[rstest]
fn python_reads_the_packed_file_with_struct(#[values(0, 1, 2, 3)] file: usize) {
    if has("python3") {
        python(FILES[file], PlainFormat::Bin);
    }
}

#[rstest]
fn numpy_reads_the_arrays(#[values(0, 1, 2, 3)] file: usize) {
    if there("python3", &["-c", "import numpy"], "numpy") {
        python(FILES[file], PlainFormat::Npy);
    }
}

fn python(path: &str, format: PlainFormat) {
    let exported = Exported::of(path, format);
    exported.write("reader.py", include_str!("plain_formats/reader.py"));
    exported.reads(Command::new("python3").args(["-B", "reader.py", format.name(), "."]), &exported.expected);
}

/// Whether something is there that the continuous integration may lack.
fn there(program: &str, arguments: &[&str], what: &str) -> bool {
    let there = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("not run: there is no {what}");
    }
    there
}

#[rstest]
fn a_simulator_of_verilog_reads_the_memories(#[values(0, 1, 2, 3)] file: usize) {
    if !there("iverilog", &["-V"], "iverilog") {
        return;
    }
    let exported = Exported::of(FILES[file], PlainFormat::Readmemh);
    exported.write("reader.v", include_str!("plain_formats/reader.v"));
    let compile = Command::new("iverilog")
        .args(["-g2012", "-Wall", "-Wno-timescale", "-o", "reader", "reader.v"])
        .current_dir(exported.folder.path())
        .output();
    ended(told(&compile.expect("iverilog runs")), 0);
    exported.reads(Command::new("vvp").args(["-n", "reader"]), &without_names(&exported.expected));
}

/// A memory as `$readmemh` fills it: comments go, an address moves on, and each word stands behind the one before.
fn memory(folder: &Path, table: &str) -> Vec<u32> {
    let text = std::fs::read_to_string(folder.join(format!("{table}.hex"))).expect("the table is there");
    let (mut words, mut at) = (BTreeMap::new(), 0);
    for token in text.lines().flat_map(|line| line.split("//").next().unwrap_or("").split_whitespace()) {
        if let Some(address) = token.strip_prefix('@') {
            at = usize::from_str_radix(address, 16).expect("an address");
        } else {
            let word = u32::from_str_radix(token, 16).expect("a word");
            assert_eq!(words.insert(at, word), None, "{table}: {at:x} is written twice");
            at += 1;
        }
    }
    assert!(words.keys().copied().eq(0..words.len()), "{table}: a word is missing");
    words.into_values().collect()
}

#[rstest]
fn the_memories_have_what_the_json_has(#[values(0, 1, 2, 3)] file: usize) {
    let exported = Exported::of(FILES[file], PlainFormat::Readmemh);
    let folder = exported.folder.path();
    let sizes = std::fs::read_to_string(folder.join("sizes.vh")).expect("there are sizes");
    let sizes: BTreeMap<&str, usize> = sizes
        .lines()
        .filter_map(|line| line.strip_prefix("localparam ")?.strip_suffix(';')?.split_once(" = "))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    let table = |name: &str| {
        let (words, upper) = (memory(folder, name), name.to_uppercase());
        let stride = sizes[&*format!("STRIDE_{upper}")];
        assert_eq!(words.len(), sizes[&*format!("NUM_{upper}")] * stride, "{name}");
        words.chunks(stride).map(<[u32]>::to_vec).collect::<Vec<_>>()
    };
    let place = |number: u32| usize::try_from(number).expect("it fits");
    let (tests, banks, words) = (table("tests"), table("banks"), memory(folder, "words"));
    let row = |row: &[u32]| {
        let (first, columns) = (place(row[2]), place(banks[place(row[0])][1]));
        [&row[..2], &words[first..first + columns]].concat()
    };
    let mut text = String::new();
    banks.iter().for_each(|bank| push(&mut text, "bank", bank.iter().copied()));
    table("fields").iter().for_each(|field| push(&mut text, "kind", field.iter().copied()));
    table("base_rows").iter().for_each(|one| push(&mut text, "base", row(one)));
    let (steps, code, flags) = (table("steps"), memory(folder, "code"), memory(folder, "flags"));
    let states = ["before", "expected", "care"];
    let states = states.map(|state| (state, table(&format!("{state}_fields")), table(&format!("{state}_rows"))));
    for test in &tests {
        let of = |column: &str| test[sizes[&*format!("TESTS_{}", column.to_uppercase())]];
        let range = |what: &str| {
            let first = place(of(&format!("{what}_first")));
            first..first + place(of(&format!("{what}_count")))
        };
        let numbers = ["editions", "edition", "cell", "outcome"].map(of);
        let bits = ["contested", "breaks"].map(|column| u32::from(of(column) != 0));
        push(&mut text, &format!("test {:08x}{:08x}", of("id_high"), of("id_low")), numbers.into_iter().chain(bits));
        for step in &steps[range("steps")] {
            let code = &code[place(step[2])..place(step[2] + step[3])];
            push(&mut text, "step", [&step[1..2], code].concat());
        }
        flags[range("flags")].iter().for_each(|&flag| push(&mut text, "flag", [flag]));
        for (number, (state, fields, rows)) in states.iter().enumerate() {
            for field in &fields[range(&format!("{state}_fields"))] {
                push(&mut text, "field", [&[small(number)], &field[..]].concat());
            }
            for one in &rows[range(&format!("{state}_rows"))] {
                push(&mut text, "row", [&[small(number)], &row(one)[..]].concat());
            }
        }
    }
    same(&text, &without_names(&exported.expected), "");
}

const SFPSETCC: &str = "vectors/tensix-wh/sfpsetcc.json";

#[rstest]
#[case(&["--cell", "99999"], "lies in a cell '99999'; ")]
#[case(&["--cell", "Nothing=1"], "has no axis 'Nothing'")]
#[case(&["--class", "nothing"], "lies in a cell of class 'nothing'")]
#[case(&["--first", "0"], "--first")]
#[case(&["--format", "hex"], "readmemh")]
fn what_the_file_lacks_is_named_with_what_it_has(#[case] options: &[&str], #[case] expected: &str) {
    let (_, stderr) = ended(run(&[&["vectors", "export", SFPSETCC], options].concat()), 2);
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn tests_are_chosen_by_cell_level_class_and_number() {
    let file = read_file(ISAS, &Path::new(ROOT).join(SFPSETCC)).expect("it is right");
    let export = |options: &[&str]| {
        let (stdout, _) = ended(run(&[&["vectors", "export", SFPSETCC], options].concat()), 0);
        check_text(ISAS, "export", stdout.as_bytes()).expect("an export is right")
    };
    assert_eq!(export(&["--first", "3"]).len(), 3);
    assert_eq!(export(&["--first", "100000"]).len(), file.len());
    let last = file.groups.last().expect("it has cells");
    let chosen = export(&["--cell", &last.cell.to_string()]);
    assert!(chosen.groups.iter().all(|group| group.cell == last.cell) && !chosen.is_empty());
    let space = (file.instruction.cells)(last.edition);
    let (axis, level) = (&space.axes[0], usize::from(space.levels(last.cell)[0]));
    let has = |group: &tandem_harness::vectors::Group| usize::from(space.levels(group.cell)[0]) == level;
    let chosen = export(&["--cell", &format!("{}={}", axis.name, axis.levels[level])]);
    assert!(chosen.groups.iter().all(has));
    assert_eq!(chosen.groups.len(), file.groups.iter().filter(|group| has(group)).count());
    let class = (file.instruction.cell_class)(last.edition, space.levels(last.cell));
    assert!(export(&["--class", class]).len() <= file.len());
}

#[rstest]
fn every_format_leaves_its_files_in_a_folder_of_the_file(#[values(0, 1, 2, 3)] format: usize) {
    let (format, out) = (PlainFormat::ALL[format], tempfile::tempdir().expect("a folder"));
    let export = ["vectors", "export", SFPSETCC, "--first", "2", "--format", format.name()];
    let (stdout, _) = ended(run_into(out.path(), &export), 0);
    let folder = out.path().join("tensix-wh/sfpsetcc");
    let manifest = std::fs::read(folder.join("manifest.json")).expect("there is a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("it is JSON");
    assert_eq!((&manifest["tables"][0]["shape"][0], &manifest["schema"]), (&2.into(), &"urn:tandem:plain:1".into()));
    let files = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(stdout.lines().count(), files, "{stdout}");
}
