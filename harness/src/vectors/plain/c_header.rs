//! One header of C99: an array a table, and a struct a test that points into them.

use std::fmt::Write;

use super::table::Table;
use super::{PLAIN_VERSION, Plain, STATES};

/// The types, which are the same in every header; a program may include several.
const TYPES: &str = include_str!("types.h");

pub(super) fn text(plain: &Plain<'_>) -> String {
    let mut out = Header { text: String::new(), symbol: symbol(plain) };
    let guard = out.symbol.to_uppercase();
    out.line(&format!("/* {}. Layout {PLAIN_VERSION}, see docs/vectors.md. */", plain.title().replace("*/", "* /")));
    out.line(&format!("#ifndef {guard}_H\n#define {guard}_H\n\n{TYPES}"));
    out.words("code", &plain.code);
    out.words("flags", &plain.flags);
    out.words("words", &plain.words);
    out.list("flag_names", "char *const", plain.file.notes.keys().map(|flag| quoted(flag)));
    names(plain, &mut out);
    steps(plain, &mut out);
    for (state, (fields, rows)) in STATES.iter().zip(&plain.states) {
        out.list(&format!("{state}_fields"), "struct tandem_field", fields.rows().map(braces));
        out.rows(&format!("{state}_rows"), rows);
    }
    out.rows("base_rows", &plain.base_rows);
    tests(plain, &mut out);
    whole(plain, &mut out);
    out.line("#endif");
    out.text
}

/// What the names in the header begin with.
fn symbol(plain: &Plain<'_>) -> String {
    let allowed = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    format!("tandem_{}_{}", plain.file.isa.name, plain.name).chars().map(allowed).collect()
}

/// A string of C. What is not printable ASCII becomes octal, and a question mark makes no trigraph.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => write!(out, "\\{byte:03o}").expect("writing to a string succeeds"),
        }
    }
    out.push('"');
    out
}

/// A string of C, or a null pointer for the number 0; other numbers are places in the list, counted from 1.
fn reason(list: &[String], number: u32) -> String {
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    place.map_or_else(|| "0".to_string(), |place| quoted(&list[place]))
}

fn commas(row: &[u32]) -> String {
    row.iter().map(|value| format!("{value:#x}")).collect::<Vec<_>>().join(", ")
}

fn braces(row: &[u32]) -> String {
    format!("{{{}}}", commas(row))
}

struct Header {
    text: String,
    symbol: String,
}

impl Header {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string succeeds");
    }

    /// An array. C has none without elements, so an empty one has one of zeros, which nothing counts. C++ warns of a struct of which
    /// some fields are left out.
    fn list(&mut self, name: &str, kind: &str, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.collect();
        let zero = match kind {
            "struct tandem_field" => "{0, 0}",
            "struct tandem_row" => "{0, 0, 0}",
            _ if kind.starts_with("struct") => "{0}",
            _ => "0",
        };
        let body = if items.is_empty() { zero.to_string() } else { items.join(",\n") };
        self.line(&format!("static const {kind} {}_{name}[] = {{\n{body}\n}};\n", self.symbol));
    }

    /// An array of words, eight a line.
    fn words(&mut self, name: &str, table: &Table) {
        self.list(name, "uint32_t", table.values().chunks(8).map(commas));
    }

    fn rows(&mut self, name: &str, table: &Table) {
        let words = format!("{}_words", self.symbol);
        let rows = table.rows().map(|row| format!("{{{}, {}, {words} + {}}}", row[0], row[1], row[2]));
        self.list(name, "struct tandem_row", rows);
    }
}

/// The banks and the fields with their names.
fn names(plain: &Plain<'_>, out: &mut Header) {
    let named = |(name, row): (&str, &[u32])| format!("{{{}, {}}}", quoted(name), commas(row));
    let banks = plain.bank_list().iter().map(|bank| bank.name).zip(plain.banks.rows());
    out.list("banks", "struct tandem_bank", banks.map(named));
    let fields = plain.field_list().iter().map(|field| &*field.name).zip(plain.fields.rows());
    out.list("fields", "struct tandem_field_kind", fields.map(named));
}

fn steps(plain: &Plain<'_>, out: &mut Header) {
    let code = format!("{}_code", out.symbol);
    let steps = plain.steps.rows().zip(&plain.steps_of).map(|(row, step)| {
        let (instruction, text) = (quoted(&plain.instructions[step.instruction]), quoted(&step.text));
        format!("{{{instruction}, {text}, {}, {code} + {}, {}}}", row[1], row[2], row[3])
    });
    out.list("steps", "struct tandem_step", steps);
}

fn tests(plain: &Plain<'_>, out: &mut Header) {
    let symbol = out.symbol.clone();
    let tests = plain.tests.rows().zip(&plain.ids).map(|(row, id)| {
        let of = |name: &str| row[plain.tests.column(name)];
        let range = |name: &str| {
            format!("{symbol}_{name} + {}, {}", of(&format!("{name}_first")), of(&format!("{name}_count")))
        };
        let state =
            |state: &str| format!("{{{}, {}}}", range(&format!("{state}_fields")), range(&format!("{state}_rows")));
        let numbers = ["editions", "edition", "cell", "outcome"].map(|name| of(name).to_string()).join(", ");
        let (contested, breaks) = (reason(&plain.contested, of("contested")), reason(&plain.breaks, of("breaks")));
        let states = STATES.map(state).join(", ");
        let (steps, flags) = (range("steps"), range("flags"));
        format!("{{{}, {numbers}, {contested}, {breaks}, {steps}, {flags}, {states}}}", quoted(id))
    });
    out.list("tests", "struct tandem_test", tests);
}

/// The one name that a program needs.
fn whole(plain: &Plain<'_>, out: &mut Header) {
    let symbol = out.symbol.clone();
    let (file, path) = (plain.file, plain.file.instruction.path());
    let lists = [
        ("banks", plain.banks.len()),
        ("fields", plain.fields.len()),
        ("base_rows", plain.base_rows.len()),
        ("flag_names", file.notes.len()),
        ("tests", plain.tests.len()),
    ];
    let lists = lists.map(|(name, count)| format!("{symbol}_{name}, {count}")).join(", ");
    let strings = [file.isa.name, &path, &file.digest()].map(quoted).join(", ");
    out.line(&format!("static const struct tandem_vectors {symbol} = {{{strings}, {lists}}};\n"));
}
