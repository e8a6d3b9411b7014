//! The one way to write a file of vectors down: a readable head, then one test a line.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use tandem_isa::{Edition, Instruction, Isa};

use super::about::{About, Before};
use super::model::{Group, Sparse, Test, VectorFile};
use super::places::{run_name, runs_on};
use super::schema::{PROGRAMS_ID, SCHEMA_ID};

/// Hex digits that a word of a bank takes.
pub(super) fn hex_digits(bits: u32) -> usize {
    bits.div_ceil(4) as usize
}

/// SHA-256 in hex.
pub(super) fn sha256(text: &str) -> String {
    hex(&sha256_bytes(text.as_bytes()))
}

/// Bytes in hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string succeeds");
        hex
    })
}

/// SHA-256 of some bytes.
pub(super) fn sha256_bytes(bytes: &[u8]) -> [u8; 32] {
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
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        to.push_str(&serde_json::Value::from(text).to_string());
    } else {
        to.push('"');
        to.push_str(text);
        to.push('"');
    }
}

fn list<T>(items: impl IntoIterator<Item = T>, show: impl Fn(T) -> String) -> String {
    let items: Vec<String> = items.into_iter().map(show).collect();
    format!("[{}]", items.join(","))
}

fn object(items: Vec<(&str, String)>) -> String {
    let items: Vec<String> = items.iter().map(|(key, value)| format!("{}: {value}", quoted(key))).collect();
    format!("{{{}}}", items.join(", "))
}

/// The word in so many hex digits.
fn push_hex(text: &mut String, word: u32, width: usize) {
    (0..width).rev().for_each(|digit| text.push(char::from(b"0123456789abcdef"[(word >> (4 * digit) & 0xf) as usize])));
}

fn sparse(isa: &Isa, sparse: &Sparse) -> String {
    let mut text = String::from("{");
    if !sparse.fields.is_empty() {
        let fields = (isa.layout.fields)();
        let mut opening = "\"fields\":{";
        for (&field, value) in &sparse.fields {
            text.push_str(opening);
            push_quoted(&mut text, &fields[field].name);
            write!(text, ":{value}").expect("writing to a string succeeds");
            opening = ",";
        }
        text.push('}');
    }
    if !sparse.rows.is_empty() {
        text += if sparse.fields.is_empty() { "\"rows\":" } else { ",\"rows\":" };
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
            push_quoted(&mut text, &run_name(spec, first, count));
            text.push_str(":\"");
            run.into_iter().flatten().for_each(|&word| push_hex(&mut text, word, hex_digits(spec.bits)));
            text.push('"');
            opening = ',';
        }
        text.push('}');
    }
    text.push('}');
    text
}

impl Test {
    /// The members of the test behind its id, in their order and without spaces.
    fn body(&self, isa: &Isa, instruction: &Instruction) -> String {
        let mut text = String::new();
        let mut member = |key: &str, value: String| {
            let comma = if text.is_empty() { "" } else { "," };
            write!(text, "{comma}\"{key}\":{value}").expect("writing to a string succeeds");
        };
        member("editions", list(&self.editions, |edition| quoted(edition.name())));
        let words = |code: &[u32]| list(code.iter(), |word| format!("\"{word:#010x}\""));
        let texts = |of: &Instruction, code: &[u32]| (words(code), quoted(&of.print(code)));
        let (code, own) = texts(instruction, &self.code);
        if self.then.is_empty() {
            member("code", code);
            member("text", own);
        } else {
            let step = |name: &str, (code, text): (String, String)| {
                format!("{{\"instruction\":{},\"code\":{code},\"text\":{text}}}", quoted(name))
            };
            let then = self.then.iter().map(|next| step(next.instruction.name, texts(next.instruction, &next.code)));
            member("steps", list(std::iter::once(step(instruction.name, (code, own))).chain(then), |step| step));
        }
        if !self.flags.is_empty() {
            member("flags", list(&self.flags, |flag| quoted(flag)));
        }
        member("before", sparse(isa, &self.before));
        member("outcome", quoted(self.outcome.name()));
        if let Some(recorded) = &self.recorded {
            member("recorded", quoted(recorded));
        }
        member("after", sparse(isa, &self.after));
        if !self.care.is_empty() {
            member("care", sparse(isa, &self.care));
        }
        text
    }

    /// The id: the first 16 hex digits of the SHA-256 of the instruction's path and the test, written in canonical form
    /// without its id.
    #[must_use]
    pub fn id(&self, isa: &Isa, instruction: &Instruction) -> String {
        id_of(instruction, &self.body(isa, instruction))
    }

    /// The test on one line.
    fn line(&self, isa: &Isa, instruction: &Instruction) -> String {
        let body = self.body(isa, instruction);
        format!("{{\"id\":\"{}\",{body}}}", id_of(instruction, &body))
    }
}

fn id_of(instruction: &Instruction, body: &str) -> String {
    let mut hex = sha256(&format!("{} {{{body}}}", instruction.path()));
    hex.truncate(16);
    hex
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
        members.push(("options", list(options, |word| quoted(word))));
    }
    if !classes.is_empty() {
        let of_edition = |(edition, classes): (&Edition, &Vec<String>)| {
            format!("{}: {}", quoted(edition.name()), list(classes, |class| quoted(class)))
        };
        let editions: Vec<String> = classes.iter().map(of_edition).collect();
        members.push(("classes", format!("{{{}}}", editions.join(", "))));
    }
    if !bits.is_empty() {
        members.push(("bits", list(bits, |bit| quoted(bit))));
    }
    if !rules.is_empty() {
        members.push(("rules", list(rules, |rule| quoted(rule))));
    }
    if !after.is_empty() {
        let case = |case: &Before| {
            let code = list(case.code.iter(), |word| format!("\"{word:#010x}\""));
            object(vec![("code", code), ("before", sparse(isa, &case.before))])
        };
        members.push(("after", if let [one] = &after[..] { case(one) } else { list(after, case) }));
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
