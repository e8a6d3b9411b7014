//! The statements of the pages, which are comments: `// [24] Bit by bit.` says what line 24 of a page says, in our
//! words, at the line of code that carries it out.
//!
//! A statement begins with one bracket, or with one for each page that it stands on: perhaps a tag that tells pages
//! apart, then lines, then perhaps the erratum that contradicts them, as in `[41-42, TX-06]` or `[wh 22] [bh 25]`. It
//! goes on to the next bracket, an empty comment, or the end of the comment. A comment behind code can be one too.
//!
//! - The item that it stands in or directly above, as `file, item`, is where it was transcribed. A line that begins with
//!   ``Of `file, item` `` says that the statements below it, down to the next empty line, were transcribed there instead.
//! - The test that shows it stands at its end, as ``(`name`)``. If none does, it is that of a line ``Shown by `name` `` at
//!   the item, or else at the head of the file. Where that line goes on with "and what names an erratum by the test of
//!   that", a statement with an erratum is shown by the test of the erratum's figures.
//! - After "Not modelled: " it says why it was not transcribed.
//! - A line that only names lines of a page, such as `RWCS 33.`, is no statement: by it the twisted twin knows where the rule
//!   stands that the code below carries out.

use std::sync::LazyLock;

use tandem_isa::{Edition, Facts, MACHINES, Page, Place, Statement, tensix, visa};

/// A part of a file with statements of a page.
struct Part {
    page: &'static Page,
    /// What its brackets begin with, if anything.
    tag: &'static str,
    /// The file from the root of the workspace on, and its text.
    file: (&'static str, &'static str),
    /// The items that have them; all if there are none.
    items: &'static [&'static str],
}

const fn part(
    page: &'static Page,
    tag: &'static str,
    file: (&'static str, &'static str),
    items: &'static [&'static str],
) -> Part {
    Part { page, tag, file, items }
}

macro_rules! file {
    ($path:literal) => {
        (concat!("reference/src/", $path), include_str!($path))
    };
}

const SFPLOAD: (&str, &str) = file!("tensix/sfpload.rs");
const SFPSTORE: (&str, &str) = file!("tensix/sfpstore.rs");
const DST: (&str, &str) = file!("tensix/dst.rs");
const LANES: (&str, &str) = file!("tensix/lanes.rs");
const RWCS: (&str, &str) = file!("tensix/rwcs.rs");
const BITWISE: (&str, &str) = file!("tensix/vector/bitwise.rs");
const INTEGER: (&str, &str) = file!("tensix/vector/integer.rs");
const CONDITION: (&str, &str) = file!("tensix/vector/condition.rs");
const CONFIG: (&str, &str) = file!("tensix/vector/config.rs");
const CONTROL: (&str, &str) = file!("tensix/control.rs");
const SOURCE: (&str, &str) = file!("tensix/source.rs");
const MATRIX: (&str, &str) = file!("tensix/matrix/mod.rs");
const MATRIX_INTEGER: (&str, &str) = file!("tensix/matrix/integer.rs");
const UNPACK: (&str, &str) = file!("tensix/unpack.rs");
const CONFIGURATION: (&str, &str) = file!("tensix/configuration.rs");
const SCALAR: (&str, &str) = file!("tensix/scalar.rs");
const WAIT: (&str, &str) = file!("tensix/wait.rs");
const WAIT_GATE: (&str, &str) = file!("tensix/wait_gate.rs");
const SFPSHFT: &[&str] = &["shft", "sfpshft_wormhole", "sfpshft_blackhole"];

/// Which files belong to which page.
static PARTS: &[Part] = &[
    part(&tensix::MOVA2D_SPEC, "", file!("tensix/mova2d.rs"), &[]),
    part(&tensix::MOVA2D_SPEC, "MOVA2D", DST, &[]),
    part(&tensix::SFPLOAD_SPEC, "", SFPLOAD, &[]),
    part(&tensix::SFPLOAD_NEWEST, "newest", SFPLOAD, &[]),
    part(&tensix::SFPLOAD_NEWEST, "SFPLOAD_NEWEST", DST, &[]),
    part(&tensix::SFPLOAD_NEWEST, "SFPLOAD_NEWEST", LANES, &[]),
    part(&tensix::SFPLOAD_NEWEST, "SFPLOAD_NEWEST", RWCS, &[]),
    part(&tensix::SFPLOAD_BH, "bh", SFPLOAD, &[]),
    part(&tensix::SFPLOAD_BH, "SFPLOAD_BH", DST, &[]),
    part(&tensix::SFPLOAD_BH, "SFPLOAD_BH", LANES, &[]),
    part(&tensix::SFPLOAD_BH, "SFPLOAD_BH", RWCS, &[]),
    part(&tensix::SFPSTORE_NEWEST, "wh", SFPSTORE, &[]),
    part(&tensix::SFPSTORE_NEWEST, "SFPSTORE_WH", DST, &[]),
    part(&tensix::SFPSTORE_NEWEST, "SFPSTORE_WH", LANES, &[]),
    part(&tensix::SFPSTORE_NEWEST, "SFPSTORE_WH", RWCS, &[]),
    part(&tensix::SFPSTORE_BH, "bh", SFPSTORE, &[]),
    part(&tensix::SFPSTORE_BH, "SFPSTORE_BH", DST, &[]),
    part(&tensix::SFPSTORE_BH, "SFPSTORE_BH", LANES, &[]),
    part(&tensix::SFPSTORE_BH, "SFPSTORE_BH", RWCS, &[]),
    part(&tensix::SFPAND_WH, "wh", BITWISE, &["sfpand", "first_operand"]),
    part(&tensix::SFPAND_BH, "bh", BITWISE, &["USE_VB", "sfpand", "first_operand"]),
    part(&tensix::SFPOR_WH, "wh", BITWISE, &["sfpor", "first_operand"]),
    part(&tensix::SFPOR_BH, "bh", BITWISE, &["USE_VB", "sfpor", "first_operand"]),
    part(&tensix::SFPXOR, "", BITWISE, &["sfpxor"]),
    part(&tensix::SFPNOT, "", BITWISE, &["sfpnot"]),
    part(&tensix::SFPMOV, "", file!("tensix/vector/mov.rs"), &[]),
    part(&tensix::SFPABS, "", INTEGER, &["abs", "sfpabs"]),
    part(&tensix::SFPSETSGN, "", INTEGER, &["setsgn", "sfpsetsgn"]),
    part(&tensix::SFPLZ, "", INTEGER, &["lz", "sfplz"]),
    part(&tensix::SFPIADD, "", INTEGER, &["iadd", "sfpiadd", "sign_extend"]),
    part(&tensix::SFPSHFT_WH, "wh", INTEGER, SFPSHFT),
    part(&tensix::SFPSHFT_BH, "bh", INTEGER, SFPSHFT),
    part(&tensix::SFPSETCC, "", CONDITION, &["setcc", "sfpsetcc"]),
    part(&tensix::SFPENCC, "", CONDITION, &["encc", "sfpencc"]),
    part(&tensix::SFPEXEXP, "", INTEGER, &["exexp", "sfpexexp"]),
    part(&tensix::SFPLOADI, "", file!("tensix/vector/loadi.rs"), &[]),
    part(&tensix::SFPCONFIG_NEWEST, "", CONFIG, &[]),
    part(&tensix::SFPCONFIG_BH, "", CONFIG, &[]),
    part(&tensix::SETRWC, "", CONTROL, &["setrwc"]),
    part(&tensix::INCRWC, "", CONTROL, &["incrwc"]),
    part(&tensix::CLEARDVALID, "", CONTROL, &["cleardvalid"]),
    part(&tensix::SEMINIT, "", CONTROL, &["seminit"]),
    part(&tensix::SEMPOST, "", CONTROL, &["sempost"]),
    part(&tensix::SEMGET, "", CONTROL, &["semget"]),
    part(&tensix::ZEROSRC, "", SOURCE, &["zerosrc"]),
    part(&tensix::TRNSPSRCB, "", SOURCE, &["trnspsrcb"]),
    part(&tensix::SHIFTXB, "", SOURCE, &["shiftxb"]),
    part(&tensix::SHIFTXB, "SHIFTXB", RWCS, &[]),
    part(&tensix::MVMUL, "mvmul", MATRIX, &[]),
    part(&tensix::MVMUL, "mvmul", MATRIX_INTEGER, &[]),
    part(&tensix::MVMUL, "", MATRIX_INTEGER, &["mvmul"]),
    part(&tensix::GAPOOL, "", MATRIX_INTEGER, &["gapool"]),
    part(&tensix::ELWADD, "elwadd", MATRIX, &[]),
    part(&tensix::ELWADD, "elwadd", MATRIX_INTEGER, &[]),
    part(&tensix::ELWADD, "", MATRIX_INTEGER, &["elwadd"]),
    part(&tensix::ELWSUB, "", MATRIX_INTEGER, &["elwsub"]),
    part(&tensix::ELWSUB, "elwsub", MATRIX_INTEGER, &[]),
    part(&tensix::ELWMUL, "elwmul", MATRIX, &[]),
    part(&tensix::ELWMUL, "elwmul", MATRIX_INTEGER, &[]),
    part(&tensix::ELWMUL, "", MATRIX_INTEGER, &["elwmul"]),
    part(&tensix::GMPOOL, "gmpool", MATRIX, &[]),
    part(&tensix::GMPOOL, "", file!("tensix/matrix/pool.rs"), &[]),
    part(&tensix::DST_BH, "", file!("tensix/window.rs"), &[]),
    part(&tensix::SHIFTXA, "", SOURCE, &["shiftxa", "DIRECTION_RIGHT", "DIRECTION_LEFT"]),
    part(&tensix::SETDVALID, "", UNPACK, &["setdvalid"]),
    part(&tensix::UNPACR_NOP_ZEROSRC, "", UNPACK, &["unpacr_nop_zerosrc"]),
    part(&tensix::UNPACR_NOP_SETDVALID, "", UNPACK, &["unpacr_nop_setdvalid"]),
    part(&tensix::UNPACR_NOP_SETREG, "", UNPACK, &["unpacr_nop_setreg"]),
    part(&tensix::UNPACR_NOP_OVERLAY_CLEAR, "", UNPACK, &["unpacr_nop_overlay_clear"]),
    part(&tensix::SETC16_WH, "wh", CONFIGURATION, &["setc16"]),
    part(&tensix::SETC16_BH, "bh", CONFIGURATION, &["setc16"]),
    part(&tensix::WRCFG, "", CONFIGURATION, &["wrcfg"]),
    part(&tensix::RDCFG_WH, "wh", CONFIGURATION, &["rdcfg"]),
    part(&tensix::RDCFG_BH, "bh", CONFIGURATION, &["rdcfg"]),
    part(&tensix::RMWCIB_WH, "wh", CONFIGURATION, &["rmwcib"]),
    part(&tensix::RMWCIB_BH, "bh", CONFIGURATION, &["rmwcib"]),
    part(&tensix::SETDMAREG_IMMEDIATE, "", SCALAR, &["setdmareg_immediate"]),
    part(&tensix::SETDMAREG_SPECIAL, "", SCALAR, &["RESERVED", "setdmareg_special"]),
    part(&tensix::SEMWAIT_WH, "wh", WAIT, &["semwait"]),
    part(&tensix::SEMWAIT_BH, "bh", WAIT, &["semwait"]),
    part(&tensix::STALLWAIT_WH, "wh", WAIT, &["stallwait"]),
    part(&tensix::STALLWAIT_BH, "bh", WAIT, &["stallwait"]),
    part(&tensix::SEMWAIT_WH, "SEMWAIT_WH", WAIT_GATE, &[]),
    part(&tensix::SEMWAIT_BH, "SEMWAIT_BH", WAIT_GATE, &[]),
    part(&tensix::STALLWAIT_WH, "STALLWAIT_WH", WAIT_GATE, &[]),
    part(&tensix::STALLWAIT_BH, "STALLWAIT_BH", WAIT_GATE, &[]),
    part(&visa::MOV, "", file!("visa/mov.rs"), &[]),
    part(&visa::MOV, "MOV", file!("visa/convert.rs"), &[]),
    part(&visa::MOV, "MOV", file!("visa/predication.rs"), &[]),
    part(&visa::DPAS, "", file!("visa/dpas.rs"), &[]),
    part(&visa::DPAS, "DPAS", file!("visa/dpas/accumulate.rs"), &[]),
    part(&visa::DPAS, "DPAS", file!("visa/operands.rs"), &[]),
    part(&visa::DPAS, "DPAS", file!("visa/predication.rs"), &[]),
];

/// The statements of the page that the `spec` edition of an instruction has, by line; none if its page has none.
#[must_use]
pub fn of(instruction: &Facts) -> &'static [Statement] {
    of_page(instruction.page(Edition::Spec))
}

/// The statements of a page, by line; none if it has none.
#[must_use]
pub fn of_page(page: &Page) -> &'static [Statement] {
    static ALL: LazyLock<Vec<(&Page, Vec<Statement>)>> = LazyLock::new(all);
    ALL.iter().find(|(of, _)| *of == page).map_or(&[], |(_, statements)| statements)
}

/// The pages and lines that a bracket means which stands in an item of a file, such as `41-42, TX-06` or `wh 22`.
#[must_use]
pub fn pages_of(file: &str, item: &str, bracket: &str) -> Vec<(&'static Page, Vec<(u32, u32)>)> {
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = bracket.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    let tag = words.first().filter(|word| !is_number(word)).copied().unwrap_or_default();
    let lines = words.iter().filter(|word| is_number(word)).filter_map(|word| {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        Some((first.parse().ok()?, last.parse().ok()?))
    });
    let lines: Vec<(u32, u32)> = lines.collect();
    let top = item.split("::").next().unwrap_or_default();
    let means =
        |part: &&Part| part.file.0 == file && part.tag == tag && (part.items.is_empty() || part.items.contains(&top));
    PARTS.iter().filter(means).map(|part| (part.page, lines.clone())).collect()
}

/// Every page that has statements, with them.
fn all() -> Vec<(&'static Page, Vec<Statement>)> {
    let mut all: Vec<(&Page, Vec<Statement>)> = Vec::new();
    for part in PARTS {
        if !all.iter().any(|(page, _)| *page == part.page) {
            all.push((part.page, Vec::new()));
        }
    }
    let mut read: Vec<&str> = Vec::new();
    for Part { file: (path, text), .. } in PARTS {
        if read.contains(path) {
            continue;
        }
        read.push(path);
        for comment in comments(path, text) {
            let parts = PARTS.iter().filter(|part| part.file.0 == *path && part.tag == comment.tag);
            let mut parts =
                parts.filter(|part| part.items.is_empty() || part.items.contains(&comment.top())).peekable();
            assert!(parts.peek().is_some(), "{path}: no page has {comment:?}");
            for part in parts {
                let (_, statements) = all.iter_mut().find(|(page, _)| *page == part.page).expect("it was put there");
                statements.push(comment.statement());
            }
        }
    }
    for (_, statements) in &mut all {
        statements.sort_by_key(|statement| statement.lines);
    }
    all
}

/// A statement as it stands in a file.
#[derive(Clone, Debug)]
struct Comment {
    tag: String,
    lines: (u32, u32),
    erratum: Option<String>,
    says: String,
    /// The item that it stands in or above, in the form `Type::function`; empty at the head of the file.
    item: String,
    /// File and item that carry it out.
    at: String,
    /// Empty until it is known.
    test: String,
    /// The test of a line that says where it was transcribed instead, or empty.
    elsewhere: String,
}

impl Comment {
    /// The outermost item.
    fn top(&self) -> &str {
        self.item.split("::").next().unwrap_or_default()
    }

    fn statement(&self) -> Statement {
        let place = match self.says.split_once("Not modelled: ") {
            Some((_, reason)) => Place::NotModelled { reason: reason.strip_suffix('.').unwrap_or(reason).to_string() },
            None => Place::Transcribed { at: self.at.clone(), test: self.test.clone(), erratum: self.erratum.clone() },
        };
        let says = self.says.split("Not modelled: ").next().unwrap_or_default().trim_end().to_string();
        Statement { lines: self.lines, says, place }
    }
}

/// What a line ``Shown by `name` `` says.
#[derive(Clone, Debug)]
struct Shown {
    /// Empty for the whole file.
    item: String,
    test: String,
    errata_by_their_tests: bool,
}

/// The statements of a file, in its order. What stands below the first `#[cfg(test)]` is no part of the page.
fn comments(path: &str, text: &str) -> Vec<Comment> {
    let mut reader = Reader { path, items: Vec::new(), block: Vec::new(), shown: Vec::new(), comments: Vec::new() };
    for line in text.lines().take_while(|line| line.trim() != "#[cfg(test)]") {
        reader.line(line);
    }
    reader.end_block(None);
    let Reader { shown, mut comments, .. } = reader;
    for comment in comments.iter_mut().filter(|comment| comment.test.is_empty()) {
        comment.test = test_of(comment, &shown);
    }
    comments
}

/// The test that shows a statement which does not name one itself; empty if nothing says which.
fn test_of(comment: &Comment, shown: &[Shown]) -> String {
    let holds = |shown: &&Shown| {
        let rest = comment.item.strip_prefix(&*shown.item);
        shown.item.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let Some(shown) = shown.iter().filter(holds).max_by_key(|shown| shown.item.len()) else { return String::new() };
    let erratum = comment.erratum.as_ref().filter(|_| shown.errata_by_their_tests).and_then(|id| {
        let mut errata = MACHINES.iter().flat_map(|isa| isa.errata);
        errata.find(|erratum| erratum.id == id)
    });
    let other = if comment.elsewhere.is_empty() { &shown.test } else { &comment.elsewhere };
    erratum.map_or(&**other, |erratum| erratum.verified_by).to_string()
}

/// Reads a file that `rustfmt` has formatted, line by line.
struct Reader<'t> {
    path: &'t str,
    /// The items around the line, with their indentation.
    items: Vec<(usize, String)>,
    /// The comment that is being read: its indentation, and its lines without `//`.
    block: Vec<(usize, &'t str)>,
    shown: Vec<Shown>,
    comments: Vec<Comment>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &'t str) {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some(comment) = code.strip_prefix("//").filter(|rest| !rest.starts_with(['/', '!'])) {
            self.block.push((indent, comment.trim()));
            return;
        }
        if code.is_empty() || code.starts_with("///") || code.starts_with("//!") || code.starts_with("#[") {
            // Documentation and attributes stand between a comment and its item; a blank line ends the comment.
            if code.is_empty() {
                self.end_block(None);
            }
            return;
        }
        // The end of an item, or the rest of its first line.
        let belongs = code.starts_with(['}', ')', ']']) || code == "{" || code.starts_with("where");
        if !belongs {
            self.items.retain(|(of, _)| *of < indent);
        }
        let header = item(code);
        self.end_block(header.as_deref().map(|name| (indent, name)));
        let behind = code.split_once(" // [").map(|(_, comment)| comment);
        let ends = code.split(" // ").next().unwrap_or_default().trim_end();
        if let Some(name) = header {
            self.items.push((indent, name));
        }
        if let Some(comment) = behind {
            let item = self.path_of(usize::MAX);
            self.read(&format!("[{comment}"), &item, None);
        }
        let is_complete = ends.ends_with([';', '}']);
        if self.items.last().is_some_and(|(of, _)| *of == indent) && is_complete {
            self.items.pop();
        }
    }

    /// The items around something that is indented so far.
    fn path_of(&self, indent: usize) -> String {
        let names: Vec<&str> = self.items.iter().filter(|(of, _)| *of < indent).map(|(_, name)| &**name).collect();
        names.join("::")
    }

    /// Ends the comment that was read, above the item `next` or not.
    fn end_block(&mut self, next: Option<(usize, &str)>) {
        let block = std::mem::take(&mut self.block);
        let Some(&(indent, _)) = block.first() else { return };
        let mut item = self.path_of(indent);
        if let Some((_, name)) = next.filter(|(of, _)| *of == indent) {
            item = if item.is_empty() { name.to_string() } else { format!("{item}::{name}") };
        }
        let mut elsewhere: Option<(String, String)> = None;
        let mut text = String::new();
        // An empty line comes last, so that what was gathered is read.
        for line in block.iter().map(|(_, line)| *line).filter(|line| !is_line_of_page(line)).chain([""]) {
            let begins = line.starts_with('[') || line.starts_with("Of `") || line.starts_with("Shown by `");
            if line.is_empty() || begins {
                let paragraph = std::mem::take(&mut text);
                if let Some(header) = paragraph.strip_prefix("Of `") {
                    let (at, rest) = header.split_once('`').expect("the name of an item ends");
                    let test = rest.split('`').nth(1).unwrap_or_default();
                    elsewhere = Some((at.to_string(), test.to_string()));
                } else if let Some(shown) = paragraph.strip_prefix("Shown by `") {
                    let (test, rest) = shown.split_once('`').expect("the name of a test ends");
                    let errata_by_their_tests = rest.contains("what names an erratum by the test of that");
                    self.shown.push(Shown { item: item.clone(), test: test.to_string(), errata_by_their_tests });
                } else if paragraph.starts_with('[') {
                    self.read(&paragraph, &item, elsewhere.as_ref());
                }
            }
            if line.is_empty() {
                elsewhere = None;
            } else if begins || !text.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(line);
            }
        }
    }

    /// Reads a statement: a comment for each range of lines in each bracket.
    fn read(&mut self, text: &str, item: &str, elsewhere: Option<&(String, String)>) {
        let mut rest = text;
        let mut brackets = Vec::new();
        while let Some(inside) = rest.strip_prefix('[') {
            let (bracket, after) = inside.split_once(']').unwrap_or_else(|| panic!("{}: {text}", self.path));
            brackets.push(bracket);
            rest = after.trim_start();
        }
        assert!(!rest.is_empty(), "{}: {text} says nothing", self.path);
        let (says, test) = match rest.strip_suffix("`)").and_then(|rest| rest.rsplit_once(" (`")) {
            Some((says, test)) => (says, test.to_string()),
            None => (rest, String::new()),
        };
        let here = || (format!("{}, {item}", self.path), String::new());
        let (at, elsewhere) = elsewhere.cloned().unwrap_or_else(here);
        for bracket in brackets {
            let (tag, entries) = match bracket.split_once(' ') {
                Some((tag, rest)) if tag.starts_with(|letter: char| letter.is_ascii_alphabetic()) => (tag, rest),
                _ => ("", bracket),
            };
            let (lines, errata): (Vec<&str>, Vec<&str>) =
                entries.split(", ").partition(|entry| entry.starts_with(|digit: char| digit.is_ascii_digit()));
            assert!(!lines.is_empty() && errata.len() < 2, "{}: [{bracket}]", self.path);
            for range in lines {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{}: [{bracket}]", self.path));
                self.comments.push(Comment {
                    tag: tag.to_string(),
                    lines: (number(first), number(last)),
                    erratum: errata.first().map(|id| (*id).to_string()),
                    says: says.to_string(),
                    item: item.to_string(),
                    at: at.clone(),
                    test: test.clone(),
                    elsewhere: elsewhere.clone(),
                });
            }
        }
    }
}

/// Whether a line of a comment only names lines of a page, such as `RWCS 33.`: that is for the twisted twin.
fn is_line_of_page(line: &str) -> bool {
    line.strip_suffix('.').and_then(|line| line.split_once(' ')).is_some_and(|(page, lines)| {
        let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let is_range = |byte: u8| byte.is_ascii_digit() || b"-, ".contains(&byte);
        page.len() > 2 && page.bytes().all(is_name) && !lines.is_empty() && lines.bytes().all(is_range)
    })
}

/// The name of the item that a line of code begins, if it begins one.
fn item(code: &str) -> Option<String> {
    let mut words = code.split_whitespace().peekable();
    while words.next_if(|word| word.starts_with("pub")).is_some() {}
    let mut keyword = words.next()?;
    if keyword == "const" && words.peek() == Some(&"fn") {
        keyword = words.next()?;
    }
    let name = match keyword {
        "fn" | "struct" | "enum" | "trait" | "mod" | "const" | "static" | "type" | "macro_rules!" => words.next()?,
        // Of `impl Trait for Type` the type.
        _ if keyword == "impl" || keyword.starts_with("impl<") => {
            let mut of = words.take_while(|word| *word != "{" && *word != "where");
            let first = of.next()?;
            if of.next() == Some("for") { of.next()? } else { first }
        }
        _ => return None,
    };
    let name: String = name.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    if name.is_empty() { None } else { Some(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//! A file.

// Shown by `by_default`, and what names an erratum by the test of that, where nothing else is said.
//
// Of `isa/src/other.rs, print`, shown by `elsewhere`:
// [1] The first field.
//
// [2-3] A unit executes it. Not modelled: which unit
// does not matter.

use std::fmt;

const BIT: u32 = 1; // [wh 30] [bh 31] A bit.

/// What it does.
// Shown by `by_item`.
// [4] It goes on
// for two lines. (`by_itself`)
#[must_use]
pub(crate) fn outer(
    x: u32,
) -> u32 {
    // A landmark.
    // [5, 7, TX-01] Two places.
    const INNER: &str =
        \"text\";
    // [8] After it.
    x
}

impl<'a> Trait for Type<'a> {
    // [9] In a method.
    fn method(&self) {
        match self.0 {
            0 => {}
            // [10, TX-01] In an arm.
            _ => {}
        }
        // [11] At the end.
    }
}

// [12] At no item.

#[cfg(test)]
mod tests {
    // [13] No statement.
}
";

    #[test]
    fn statements_are_read_with_their_item_and_their_test() {
        let read = comments("a.rs", FILE);
        let read: Vec<_> = read.iter().map(|one| (&*one.tag, one.lines, &*one.at, &*one.test)).collect();
        let figures = MACHINES[0].errata[0].verified_by;
        let expected = [
            ("", (1, 1), "isa/src/other.rs, print", "elsewhere"),
            ("", (2, 3), "a.rs, ", "by_default"),
            ("wh", (30, 30), "a.rs, BIT", "by_default"),
            ("bh", (31, 31), "a.rs, BIT", "by_default"),
            ("", (4, 4), "a.rs, outer", "by_itself"),
            ("", (5, 5), "a.rs, outer::INNER", "by_item"),
            ("", (7, 7), "a.rs, outer::INNER", "by_item"),
            ("", (8, 8), "a.rs, outer", "by_item"),
            ("", (9, 9), "a.rs, Type::method", "by_default"),
            ("", (10, 10), "a.rs, Type::method", figures),
            ("", (11, 11), "a.rs, Type::method", "by_default"),
            ("", (12, 12), "a.rs, ", "by_default"),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn what_is_said_and_why_it_is_not_modelled_are_told_apart() {
        let read = comments("a.rs", FILE);
        assert_eq!(read[1].statement().says, "A unit executes it.");
        let reason = "which unit does not matter".to_string();
        assert_eq!(read[1].statement().place, Place::NotModelled { reason });
        assert_eq!(read[4].statement().says, "It goes on for two lines.");
        assert_eq!(read[5].says, "Two places.");
        assert_eq!(read[5].erratum.as_deref(), Some("TX-01"));
    }

    #[test]
    #[should_panic(expected = "says nothing")]
    fn a_bracket_alone_is_refused() {
        comments("a.rs", "// [4]\nfn f() {}\n");
    }
}
