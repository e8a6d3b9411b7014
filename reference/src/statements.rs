//! The statements of the pages, which are comments: `// [24] Bit by bit.` says what line 24 of a page says, in our
//! words, at the line of code that carries it out.
//!
//! A statement begins with one bracket, or with one for each page that it stands on, and goes on in words to the next
//! bracket, an empty comment, or the end of the comment. A comment behind code can be one too. There is one form of a
//! bracket: perhaps which page, then lines, then perhaps the erratum that contradicts them, as in `[41-42, 44, TX-06]` or
//! `[SETC16_WH 22] [SETC16_BH 25]`.
//!
//! - The page is named by its file in `isa/pages`. Without a name it is that of a line ``Of page `NAME`.`` at the item or
//!   at the head of the file. Where that line gives pages a word each, as in ``Of pages `A` (wh) and `B` (bh).``, brackets
//!   begin with such a word.
//! - The item that it stands in or directly above, as `file, item`, is where it was transcribed. A line that begins with
//!   ``Of `file, item` `` says that the statements below it, down to the next empty line, were transcribed there instead.
//! - The test that shows it stands at its end, as ``(`name`)``. If none does, it is that of a line ``Shown by `name` `` at
//!   the item, or else at the head of the file. Where that line goes on with "and what names an erratum by the test of
//!   that", a statement with an erratum is shown by the test of the erratum's figures.
//! - After "Not modelled: " it says why it was not transcribed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use tandem_isa::{Edition, Facts, MACHINES, Page, Place, Statement};

macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        &[$((concat!("reference/src/", $path), include_str!($path))),+]
    };
}

/// The files that have statements, from the root of the workspace on, and their text.
static FILES: &[(&str, &str)] = files![
    "tensix/mova2d.rs",
    "tensix/dst.rs",
    "tensix/sfpload.rs",
    "tensix/load_macro.rs",
    "tensix/lanes.rs",
    "tensix/rwcs.rs",
    "tensix/sfpstore.rs",
    "tensix/vector/mod.rs",
    "tensix/vector/bitwise.rs",
    "tensix/vector/mov.rs",
    "tensix/vector/integer.rs",
    "tensix/vector/condition.rs",
    "tensix/vector/config.rs",
    "tensix/vector/loadi.rs",
    "tensix/vector/exponent.rs",
    "tensix/vector/lane_moves.rs",
    "tensix/vector/fma.rs",
    "tensix/vector/float.rs",
    "tensix/vector/table.rs",
    "tensix/vector/convert.rs",
    "tensix/vector/flag_stack.rs",
    "tensix/control.rs",
    "tensix/source.rs",
    "tensix/moves.rs",
    "tensix/moves/movd2a.rs",
    "tensix/moves/movd2b.rs",
    "tensix/moves/zeroacc.rs",
    "tensix/matrix/mod.rs",
    "tensix/matrix/integer.rs",
    "tensix/matrix/pool.rs",
    "tensix/window.rs",
    "tensix/unpack.rs",
    "tensix/unpacr.rs",
    "tensix/unpacr/convert.rs",
    "tensix/configuration.rs",
    "tensix/scalar.rs",
    "tensix/l1.rs",
    "tensix/mmio.rs",
    "tensix/mover.rs",
    "tensix/pacr.rs",
    "tensix/pacr/formats.rs",
    "tensix/pacr/stages.rs",
    "tensix/dmareg.rs",
    "tensix/adc.rs",
    "tensix/wait.rs",
    "tensix/wait_gate.rs",
    "tensix/threads.rs",
    "tensix/frontend.rs",
    "visa/mov.rs",
    "visa/convert.rs",
    "visa/predication.rs",
    "visa/dpas.rs",
    "visa/dpas/accumulate.rs",
    "visa/operands.rs",
    "visa/softfloat.rs",
    "visa/softfloat/arithmetic.rs",
];

/// The statements of the page that the `spec` edition of an instruction has, by line; none if its page has none.
#[must_use]
pub fn of(instruction: &Facts) -> &'static [Statement] {
    of_page(instruction.page(Edition::Spec))
}

/// The statements of a page, by line; none if it has none.
#[must_use]
pub fn of_page(page: &Page) -> &'static [Statement] {
    static ALL: LazyLock<BTreeMap<&str, Vec<Statement>>> = LazyLock::new(|| {
        let mut all = BTreeMap::<_, Vec<Statement>>::new();
        for (text, comment) in TEXTS.iter().flat_map(|text| text.comments.iter().map(move |comment| (text, comment))) {
            // An item can name a page twice.
            let pages: BTreeSet<&str> =
                text.pages(&comment.item, &comment.bracket.page).iter().map(|page| page.name).collect();
            for page in pages {
                all.entry(page).or_default().extend(comment.statements());
            }
        }
        all.values_mut().for_each(|statements| statements.sort_by_key(|statement| statement.lines));
        all
    });
    ALL.get(page.name).map_or(&[], |statements| statements)
}

/// The files that have statements, read.
static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(|| FILES.iter().map(|(path, text)| Text::read(path, text)).collect());

/// The pages and lines that a bracket means which stands in an item of a file, such as `41-42, TX-06` or `wh 22`.
#[must_use]
pub fn pages_of(file: &str, item: &str, bracket: &str) -> Vec<(&'static Page, Vec<(u32, u32)>)> {
    let text = TEXTS.iter().find(|text| text.path == file);
    let pages = |bracket: Bracket| {
        let pages = text.map(|text| text.pages(item, &bracket.page)).unwrap_or_default();
        pages.into_iter().map(|page| (page, bracket.lines.clone())).collect()
    };
    Bracket::of(bracket).map(pages).unwrap_or_default()
}

/// The files that have statements, from the root of the workspace on.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(path, _)| *path)
}

/// What a bracket says.
#[derive(Clone, Debug)]
struct Bracket {
    /// The name of a page, a word for it, or nothing.
    page: String,
    lines: Vec<(u32, u32)>,
    erratum: Option<String>,
}

impl Bracket {
    fn of(inside: &str) -> Option<Self> {
        let (page, rest) = match inside.split_once(' ') {
            Some((page, rest)) if page.starts_with(|letter: char| letter.is_ascii_alphabetic()) => (page, rest),
            _ => ("", inside),
        };
        let is_erratum = |entry: &str| entry.starts_with("TX-") || entry.starts_with("VX-");
        let (errata, lines): (Vec<&str>, Vec<&str>) = rest.split(", ").partition(|entry| is_erratum(entry));
        let range = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((first.parse().ok()?, last.parse().ok()?))
        };
        let lines = lines.into_iter().map(range).collect::<Option<Vec<_>>>().filter(|lines| !lines.is_empty())?;
        let erratum = errata.first().map(|id| (*id).to_string());
        (errata.len() < 2).then_some(Bracket { page: page.to_string(), lines, erratum })
    }
}

/// A page that a line ``Of page `NAME`.`` names.
#[derive(Clone, Debug)]
struct Named {
    /// Empty for the whole file.
    item: String,
    word: String,
    page: &'static Page,
}

/// The page of a name.
fn page_of(name: &str) -> Option<&'static Page> {
    MACHINES.iter().flat_map(|isa| isa.pages).copied().find(|page| page.name == name)
}

/// Whether an item is another one, or in it.
fn is_within(item: &str, outer: &str) -> bool {
    outer.is_empty() || item.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// A statement as it stands in a file.
#[derive(Clone, Debug)]
struct Comment {
    bracket: Bracket,
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
    /// A statement for each range of lines.
    fn statements(&self) -> impl Iterator<Item = Statement> {
        let (says, reason) = match self.says.split_once("Not modelled: ") {
            Some((says, reason)) => (says.trim_end(), Some(reason)),
            None => (&*self.says, None),
        };
        let place = match reason {
            Some(reason) => Place::NotModelled { reason: reason.strip_suffix('.').unwrap_or(reason).to_string() },
            None => {
                let (at, test) = (self.at.clone(), self.test.clone());
                Place::Transcribed { at, test, erratum: self.bracket.erratum.clone() }
            }
        };
        self.bracket.lines.iter().map(move |&lines| Statement { lines, says: says.to_string(), place: place.clone() })
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

/// What a file says.
struct Text {
    path: String,
    named: Vec<Named>,
    comments: Vec<Comment>,
}

impl Text {
    /// Reads a file, in its order. What stands below the first `#[cfg(test)]` is no part of the page.
    fn read(path: &str, text: &str) -> Self {
        let (named, shown, comments) = (Vec::new(), Vec::new(), Vec::new());
        let mut reader = Reader { path, items: Vec::new(), block: Vec::new(), named, shown, comments };
        for line in text.lines().take_while(|line| line.trim() != "#[cfg(test)]") {
            reader.line(line);
        }
        reader.end_block(None);
        let Reader { named, shown, mut comments, .. } = reader;
        for comment in comments.iter_mut().filter(|comment| comment.test.is_empty()) {
            comment.test = test_of(comment, &shown);
        }
        let text = Text { path: path.to_string(), named, comments };
        for Comment { item, bracket, says, .. } in &text.comments {
            assert!(!text.pages(item, &bracket.page).is_empty(), "{path}: no page has {bracket:?} {says}");
        }
        text
    }

    /// The pages that a bracket in an item names.
    fn pages(&self, item: &str, name: &str) -> Vec<&'static Page> {
        if let Some(page) = page_of(name) {
            return vec![page];
        }
        let within = || self.named.iter().filter(|named| is_within(item, &named.item));
        let Some(inmost) = within().max_by_key(|named| named.item.len()) else { return Vec::new() };
        within().filter(|named| named.item == inmost.item && named.word == name).map(|named| named.page).collect()
    }
}

/// The test that shows a statement which does not name one itself; empty if nothing says which.
fn test_of(comment: &Comment, shown: &[Shown]) -> String {
    let holds = |shown: &&Shown| is_within(&comment.item, &shown.item);
    let Some(shown) = shown.iter().filter(holds).max_by_key(|shown| shown.item.len()) else { return String::new() };
    let erratum = comment.bracket.erratum.as_ref().filter(|_| shown.errata_by_their_tests).and_then(|id| {
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
    named: Vec<Named>,
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
        for line in block.iter().map(|(_, line)| *line).chain([""]) {
            // Brackets alone go on with what the next line begins with.
            let has_words = text.split(']').any(|part| !part.is_empty() && !part.trim_start().starts_with('['));
            let begins = ["Of `", "Of page", "Shown by `"].iter().any(|begin| line.starts_with(begin))
                || line.starts_with('[') && (text.is_empty() || has_words);
            if line.is_empty() || begins {
                let paragraph = std::mem::take(&mut text);
                if let Some(header) = paragraph.strip_prefix("Of `") {
                    let (at, rest) = header.split_once('`').expect("the name of an item ends");
                    let test = rest.split('`').nth(1).unwrap_or_default();
                    elsewhere = Some((at.to_string(), test.to_string()));
                } else if let Some(names) = paragraph.strip_prefix("Of page") {
                    self.name(names, &item);
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

    /// Reads what follows `Of page`: names, each perhaps with a word.
    fn name(&mut self, names: &str, item: &str) {
        for name in names.split('`').skip(1).step_by(2) {
            let page = page_of(name).unwrap_or_else(|| panic!("{}: there is no page {name}", self.path));
            let after = names.split_once(&format!("`{name}`")).map_or("", |(_, after)| after);
            let word = after.strip_prefix(" (").and_then(|after| after.split_once(')')).map_or("", |(word, _)| word);
            self.named.push(Named { item: item.to_string(), word: word.to_string(), page });
        }
    }

    /// Reads a statement: a comment for each bracket.
    fn read(&mut self, text: &str, item: &str, elsewhere: Option<&(String, String)>) {
        let mut rest = text;
        let mut brackets = Vec::new();
        while let Some(inside) = rest.strip_prefix('[') {
            let (bracket, after) = inside.split_once(']').unwrap_or_else(|| panic!("{}: {text}", self.path));
            brackets.push(Bracket::of(bracket).unwrap_or_else(|| panic!("{}: [{bracket}] {text}", self.path)));
            rest = after.trim_start();
        }
        let (says, test) = match rest.strip_suffix("`)").and_then(|rest| rest.rsplit_once(" (`")) {
            Some((says, test)) => (says, test.to_string()),
            None => (rest, String::new()),
        };
        assert!(!says.is_empty() && !says.starts_with("(`"), "{}: {text} says nothing", self.path);
        let here = || (format!("{}, {item}", self.path), String::new());
        let (at, elsewhere) = elsewhere.cloned().unwrap_or_else(here);
        for bracket in brackets {
            let (says, item) = (says.to_string(), item.to_string());
            let (at, test, elsewhere) = (at.clone(), test.clone(), elsewhere.clone());
            self.comments.push(Comment { bracket, says, item, at, test, elsewhere });
        }
    }
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
    use rstest::rstest;

    use super::*;

    const FILE: &str = "\
//! A file.

// Of pages `MOV` (wh), `DPAS` (bh) and `SFPABS`.
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
// Of page `SFPNOT`.
// Shown by `by_item`.
// [4] It goes on
// for two lines. (`by_itself`)
#[must_use]
pub(crate) fn outer(
    x: u32,
) -> u32 {
    // A landmark.
    // [5, 7, TX-01]
    // [RWCS 6] Two places.
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
        let read = Text::read("a.rs", FILE).comments;
        let read: Vec<_> = read
            .iter()
            .flat_map(|one| one.bracket.lines.iter().map(|lines| (&*one.bracket.page, *lines, &*one.at, &*one.test)))
            .collect();
        let figures = MACHINES[0].errata[0].verified_by;
        let expected = [
            ("", (1, 1), "isa/src/other.rs, print", "elsewhere"),
            ("", (2, 3), "a.rs, ", "by_default"),
            ("wh", (30, 30), "a.rs, BIT", "by_default"),
            ("bh", (31, 31), "a.rs, BIT", "by_default"),
            ("", (4, 4), "a.rs, outer", "by_itself"),
            ("", (5, 5), "a.rs, outer::INNER", "by_item"),
            ("", (7, 7), "a.rs, outer::INNER", "by_item"),
            ("RWCS", (6, 6), "a.rs, outer::INNER", "by_item"),
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
        let text = Text::read("a.rs", FILE);
        let read: Vec<Statement> = text.comments.iter().flat_map(Comment::statements).collect();
        assert_eq!(read[1].says, "A unit executes it.");
        let reason = "which unit does not matter".to_string();
        assert_eq!(read[1].place, Place::NotModelled { reason });
        assert_eq!(read[4].says, "It goes on for two lines.");
        assert_eq!((&*read[5].says, read[6].lines), ("Two places.", (7, 7)));
        let Place::Transcribed { erratum, .. } = &read[5].place else { panic!("{:?}", read[5]) };
        assert_eq!(erratum.as_deref(), Some("TX-01"));
    }

    #[test]
    fn a_word_stands_for_the_page_that_the_item_or_the_file_names() {
        let text = Text::read("a.rs", FILE);
        let ids = |item, bracket: &str| -> Vec<&str> {
            let bracket = Bracket::of(bracket).expect("it is one");
            text.pages(item, &bracket.page).iter().map(|page| page.id).collect()
        };
        assert_eq!((ids("BIT", "wh 30"), ids("BIT", "bh 30")), (vec!["visa-mov"], vec!["visa-dpas"]));
        assert_eq!((ids("BIT", "30"), ids("BIT", "RWCS 30")), (vec!["bh-sfpabs"], vec!["wh-rwcs"]));
        assert_eq!((ids("outer::INNER", "5"), ids("outer", "wh 5")), (vec!["bh-sfpnot"], vec![]));
    }

    #[rstest]
    #[case::a_bracket_alone("// [4]", "says nothing")]
    #[case::a_test_alone("// [4] (`a_test`)", "says nothing")]
    #[case::a_page_that_is_not("// [MOVE 4] It moves.", "no page has")]
    #[case::a_word_that_is_no_page("// Of page `MOVE`.", "there is no page")]
    #[case::lines_in_words("// [line 4] It moves.", "no page has")]
    #[case::no_lines("// [MOV TX-01] It moves.", "[MOV TX-01]")]
    #[case::two_errata("// [4, TX-01, TX-02] It moves.", "[4, TX-01, TX-02]")]
    fn what_is_not_of_the_grammar_is_refused(#[case] comment: &str, #[case] says: &str) {
        let read = std::panic::catch_unwind(|| Text::read("a.rs", &format!("{comment}\nfn f() {{}}\n")).path);
        let message = read.expect_err(comment).downcast::<String>().expect("it has a message");
        assert!(message.contains(says), "{message}");
    }
}
