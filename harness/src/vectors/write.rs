//! The one way to write a file of vectors down: a readable head, then one test a line.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use tandem_isa::{Edition, Instruction, Isa};

use super::about::{About, Before};
use super::disputed::is_of_dispute;
use super::model::{Group, Sparse, Test, VectorFile};
use super::places::{run_name, runs_on};
use super::visible::visible_lines;

/// The id of the schema that files of vectors name.
pub const SCHEMA_ID: &str = "urn:tandem:vectors:1";
/// What files name in its place of which a test is a program: version 2.
pub const PROGRAMS_ID: &str = "urn:tandem:vectors:2";
/// The schema of files of vectors, of both versions (JSON Schema 2020-12).
pub const SCHEMA_TEXT: &str = include_str!("../../schema/vectors.schema.json");

/// Hex digits that a word of a bank takes.
pub(super) fn hex_digits(bits: u32) -> usize {
    bits.div_ceil(4) as usize
}

/// SHA-256 in hex.
#[must_use]
pub fn sha256(text: &str) -> String {
    hex(&sha256_bytes(text.as_bytes()))
}

/// Bytes in hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(2 * bytes.len());
    bytes.iter().for_each(|&byte| push_hex(&mut hex, byte.into(), 2));
    hex
}

/// SHA-256 of some bytes.
#[must_use]
pub fn sha256_bytes(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut string = String::with_capacity(text.len() + 2);
    push_quoted(&mut string, text);
    string
}

/// The same, behind a text. Most have nothing to escape.
fn push_quoted(to: &mut String, text: &str) {
    if text.bytes().any(|byte| !(b' '..=b'~').contains(&byte) || byte == b'"' || byte == b'\\') {
        to.push_str(&visible_lines(&serde_json::Value::from(text).to_string()));
    } else {
        to.push('"');
        to.push_str(text);
        to.push('"');
    }
}

/// A JSON array, behind a text.
fn push_list<T>(to: &mut String, items: impl IntoIterator<Item = T>, push: impl Fn(&mut String, T)) {
    to.push('[');
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            to.push(',');
        }
        push(to, item);
    }
    to.push(']');
}

/// A JSON array of texts.
fn texts<'a>(items: impl IntoIterator<Item = &'a String>) -> String {
    let mut list = String::new();
    push_list(&mut list, items, |list, item| push_quoted(list, item));
    list
}

/// Code words, behind a text.
fn push_words(to: &mut String, code: &[u32]) {
    push_list(to, code, |to, word| write!(to, "\"{word:#010x}\"").expect("writing to a string succeeds"));
}

fn object(items: Vec<(&str, String)>) -> String {
    let items: Vec<String> = items.iter().map(|(key, value)| format!("{}: {value}", quoted(key))).collect();
    format!("{{{}}}", items.join(", "))
}

/// The word in so many hex digits.
fn push_hex(text: &mut String, word: u32, width: usize) {
    (0..width).rev().for_each(|digit| text.push(char::from(b"0123456789abcdef"[(word >> (4 * digit) & 0xf) as usize])));
}

/// A state by what differs from another one, behind a text.
fn push_sparse(text: &mut String, isa: &Isa, sparse: &Sparse) {
    text.push('{');
    if !sparse.fields.is_empty() {
        let fields = (isa.layout.fields)();
        let mut opening = "\"fields\":{";
        for (&field, value) in &sparse.fields {
            text.push_str(opening);
            push_quoted(text, &fields[field].name);
            write!(text, ":{value}").expect("writing to a string succeeds");
            opening = ",";
        }
        text.push('}');
    }
    if !sparse.rows.is_empty() {
        text.push_str(if sparse.fields.is_empty() { "\"rows\":" } else { ",\"rows\":" });
        let mut opening = '{';
        let mut rows = sparse.rows.iter().peekable();
        while let Some((&(bank, first), words)) = rows.next() {
            let spec = &isa.layout.banks[bank];
            let (mut count, mut run) = (1, vec![words]);
            let next = |count: usize| runs_on(spec, first + count - 1).then_some((bank, first + count));
            while let Some((_, words)) = rows.next_if(|(key, _)| Some(**key) == next(count)) {
                run.push(words);
                count += 1;
            }
            text.push(opening);
            push_quoted(text, &run_name(spec, first, count));
            text.push_str(":\"");
            run.into_iter().flatten().for_each(|&word| push_hex(text, word, hex_digits(spec.bits)));
            text.push('"');
            opening = ',';
        }
        text.push('}');
    }
    text.push('}');
}

impl Test {
    /// The members of the test behind its id, in their order and without spaces, with the flags that `counts` takes.
    fn body(&self, isa: &Isa, instruction: &Instruction, counts: fn(&str) -> bool) -> String {
        let mut text = String::from("\"editions\":");
        push_list(&mut text, &self.editions, |text, edition| push_quoted(text, edition.name()));
        let push_code = |text: &mut String, of: &Instruction, code: &[u32]| {
            text.push_str("\"code\":");
            push_words(text, code);
            text.push_str(",\"text\":");
            push_quoted(text, &of.print(code));
        };
        if self.then.is_empty() {
            text.push(',');
            push_code(&mut text, instruction, &self.code);
        } else {
            text.push_str(",\"steps\":");
            let then = self.then.iter().map(|next| (next.instruction, &next.code));
            push_list(&mut text, std::iter::once((instruction, &self.code)).chain(then), |text, (of, code)| {
                text.push_str("{\"instruction\":");
                push_quoted(text, of.name);
                text.push(',');
                push_code(text, of, code);
                text.push('}');
            });
        }
        let flags: Vec<&String> = self.flags.iter().filter(|flag| counts(flag)).collect();
        if !flags.is_empty() {
            text.push_str(",\"flags\":");
            push_list(&mut text, &flags, |text, flag| push_quoted(text, flag));
        }
        text.push_str(",\"before\":");
        push_sparse(&mut text, isa, &self.before);
        text.push_str(",\"outcome\":");
        push_quoted(&mut text, self.outcome.name());
        if let Some(recorded) = &self.recorded {
            text.push_str(",\"recorded\":");
            push_quoted(&mut text, recorded);
        }
        text.push_str(",\"after\":");
        push_sparse(&mut text, isa, &self.after);
        if !self.care.is_empty() {
            text.push_str(",\"care\":");
            push_sparse(&mut text, isa, &self.care);
        }
        text
    }

    /// The id: the first 16 hex digits of the SHA-256 of the instruction's path and the test, written in canonical form
    /// without its id and without the flags that say what is disputed: a test stays the same, whatever others say of it.
    #[must_use]
    pub fn id(&self, isa: &Isa, instruction: &Instruction) -> String {
        id_of(instruction, &self.body(isa, instruction, |flag| !is_of_dispute(flag)))
    }

    /// The test on one line.
    fn line(&self, isa: &Isa, instruction: &Instruction) -> String {
        let (id, body) = (self.id(isa, instruction), self.body(isa, instruction, |_| true));
        format!("{{\"id\":\"{id}\",{body}}}")
    }
}

fn id_of(instruction: &Instruction, body: &str) -> String {
    let hash = Sha256::new().chain_update(instruction.path()).chain_update(" {").chain_update(body).chain_update("}");
    hex(&hash.finalize()[..8])
}

impl VectorFile {
    /// The file in canonical form, with ids and digest.
    #[must_use]
    pub fn to_text(&self) -> String {
        let text = self.with_digest("");
        let digest = sha256(&text);
        // The first empty digest is the head's: nothing before it is free text.
        text.replacen("\"digest\": \"\"", &format!("\"digest\": \"{digest}\""), 1)
    }

    /// The digest of the file.
    #[must_use]
    pub fn digest(&self) -> String {
        sha256(&self.with_digest(""))
    }

    fn with_digest(&self, digest: &str) -> String {
        let VectorFile { isa, instruction, source, finding, notes, groups } = self;
        let mut text = String::from("{\n");
        let mut member = |key: &str, value: String| {
            writeln!(text, "  \"{key}\": {value},").expect("writing to a string succeeds");
        };
        member("schema", quoted(if self.has_programs() { PROGRAMS_ID } else { SCHEMA_ID }));
        member("digest", quoted(digest));
        member("isa", quoted(isa.name));
        member("instruction", quoted(instruction.name));
        member("base", quoted(isa.base_note));
        let pages: Vec<String> = Edition::ALL.iter().map(|&edition| page(instruction, edition)).collect();
        member("pages", format!("[\n    {}\n  ]", pages.join(",\n    ")));
        let mut about = vec![("name", quoted(&source.name)), ("version", quoted(&source.version))];
        let optional = [("commit", &source.commit), ("licence", &source.licence), ("note", &source.note)];
        about.extend(optional.iter().filter_map(|(key, value)| value.as_ref().map(|value| (*key, quoted(value)))));
        member("source", object(about));
        if let Some(finding) = finding {
            member("finding", object(about_members(isa, finding)));
        }
        let notes: Vec<String> = notes
            .iter()
            .map(|(flag, note)| {
                let note = object(vec![("what", quoted(&note.what)), ("detects", quoted(&note.detects))]);
                format!("    {}: {note}", quoted(flag))
            })
            .collect();
        member("notes", if notes.is_empty() { "{}".to_string() } else { format!("{{\n{}\n  }}", notes.join(",\n")) });
        text.push_str("  \"groups\": [");
        for (index, group) in groups.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            self.group(group, &mut text);
        }
        text.push_str(if groups.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        text
    }

    fn group(&self, group: &Group, text: &mut String) {
        let (edition, cell) = (group.edition, group.cell);
        let describe = Group::describe(edition, self.instruction, cell);
        let class = (self.instruction.cell_class)(edition, (self.instruction.cells)(edition).levels(cell));
        let head = [
            format!("\"edition\":{}", quoted(edition.name())),
            format!("\"cell\":{cell}"),
            format!("\"describe\":{}", quoted(&describe)),
            format!("\"class\":{}", quoted(class)),
        ];
        let tests: Vec<String> = group.tests.iter().map(|test| test.line(self.isa, self.instruction)).collect();
        write!(text, "{{{},\"tests\":[\n{}\n]}}", head.join(","), tests.join(",\n"))
            .expect("writing to a string succeeds");
    }
}

fn about_members(isa: &Isa, about: &About) -> Vec<(&'static str, String)> {
    let About { target, place, kind, shows, options, classes, bits, rules, after } = about;
    let mut members = vec![
        ("target", quoted(target)),
        ("place", quoted(place)),
        ("kind", quoted(kind.name())),
        ("shows", shows.to_string()),
    ];
    if !options.is_empty() {
        members.push(("options", texts(options)));
    }
    if !classes.is_empty() {
        let of_edition =
            |(edition, classes): (&Edition, &Vec<String>)| format!("{}: {}", quoted(edition.name()), texts(classes));
        let editions: Vec<String> = classes.iter().map(of_edition).collect();
        members.push(("classes", format!("{{{}}}", editions.join(", "))));
    }
    if !bits.is_empty() {
        members.push(("bits", texts(bits)));
    }
    if !rules.is_empty() {
        members.push(("rules", texts(rules)));
    }
    if !after.is_empty() {
        let push_case = |list: &mut String, case: &Before| {
            list.push_str("{\"code\": ");
            push_words(list, &case.code);
            list.push_str(", \"before\": ");
            push_sparse(list, isa, &case.before);
            list.push('}');
        };
        let mut list = String::new();
        match &after[..] {
            [one] => push_case(&mut list, one),
            all => push_list(&mut list, all, push_case),
        }
        members.push(("after", list));
    }
    members
}

fn page(instruction: &Instruction, edition: Edition) -> String {
    let page = instruction.page(edition);
    let mut about = vec![
        ("edition", quoted(edition.name())),
        ("title", quoted(page.title)),
        ("repository", quoted(page.repository)),
        ("path", quoted(page.path)),
        ("commit", quoted(page.commit)),
    ];
    about.extend(page.sha256.map(|hash| ("sha256", quoted(hash))));
    object(about)
}
