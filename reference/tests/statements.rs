//! Every line of a page has a statement in the reference, or states nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tandem_isa::{Edition, Erratum, Facts, Lines, MACHINES, Page, Place, Statement};
use tandem_reference::statements;

/// The pages of both editions that have statements, with them, and those of instructions that have none.
///
/// Some instructions have several pages, of which their row names one: the titles of the others begin with their name.
fn pages() -> (Vec<(&'static Page, Lines)>, BTreeSet<&'static str>) {
    let (mut stated, mut others) = (Vec::new(), BTreeSet::new());
    for instruction in MACHINES.iter().flat_map(|isa| isa.instructions) {
        assert_eq!(statements::of(instruction), statements::of_page(instruction.page(Edition::Spec)));
        let all = MACHINES.iter().flat_map(|isa| isa.pages).copied();
        let besides = all.filter(|page| page.lines.is_some() && is_titled(page, instruction));
        for page in Edition::ALL.map(|edition| instruction.page(edition)).into_iter().chain(besides) {
            match page.lines {
                Some(lines) if !stated.contains(&(page, lines)) => stated.push((page, lines)),
                Some(_) => {}
                None => {
                    others.insert(page.id);
                }
            }
        }
    }
    (stated, others)
}

/// Whether the title of a page names an instruction, or the unit all of which the instruction is.
fn is_titled(page: &Page, instruction: &Facts) -> bool {
    page.title.split(' ').next() == Some(instruction.name)
        || (page.title, instruction.name) == ("The Mover", "XMOV")
        || page.title.starts_with("Packers: ") && instruction.name == "PACR"
}

#[test]
fn the_pages_of_all_instructions_have_statements() {
    let (stated, others) = pages();
    assert!(others.is_empty(), "{others:?}");
    assert!(stated.iter().all(|(page, _)| !statements::of_page(page).is_empty()));
    let pinned = MACHINES.iter().flat_map(|isa| isa.pages).filter(|page| page.lines.is_some());
    assert!(pinned.clone().all(|page| stated.iter().any(|(known, _)| known == page)), "a page is of no instruction");
}

/// A statement of a page that no gate ticks off stands at its line in the same way, and has words, which the reader of
/// statements asks of each.
#[test]
fn every_comment_on_a_page_is_a_statement_and_is_read() {
    let [mut with, mut read] = [BTreeSet::new(), statements::files().map(String::from).collect::<BTreeSet<_>>()];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in sources(&root.join("src")) {
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let name = format!("reference/{}", path.strip_prefix(root).expect("it is there").display()).replace('\\', "/");
        for line in text.lines().take_while(|line| line.trim() != "#[cfg(test)]") {
            let Some((_, comment)) = line.split_once("// ").filter(|(code, _)| !code.ends_with(['/', '`'])) else {
                continue;
            };
            assert!(!is_bare(comment), "{name}: {comment} has no words; write what the lines say: [{comment}] …");
            if comment.strip_prefix('[').is_some_and(|inside| inside.contains(|one: char| one.is_ascii_digit())) {
                with.insert(name.clone());
            }
        }
    }
    read.retain(|name| !with.remove(name));
    assert!(with.is_empty() && read.is_empty(), "not read: {with:?}; without statements: {read:?}");
}

/// All files of Rust in a directory that are no tests and not the reader of statements.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(directory).expect("it is a directory").map(|entry| entry.expect("it is there").path());
    let (directories, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let is_source = |path: &PathBuf| !["tests.rs", "statements.rs"].iter().any(|name| path.ends_with(name));
    let files = files.into_iter().filter(is_source);
    let inner = directories.iter().filter(|path| !path.ends_with("tests")).flat_map(|path| sources(path));
    files.chain(inner).collect()
}

/// Whether a comment is lines of a page and nothing more, such as `RWCS 33.` or `24-26`.
fn is_bare(comment: &str) -> bool {
    let words = comment.trim_end_matches('.').split([' ', ',']).filter(|word| !word.is_empty());
    let is_name = |word: &str| word.bytes().all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_');
    let is_range = |word: &str| word.bytes().all(|one| one.is_ascii_digit() || one == b'-');
    let mut lines = words.skip_while(|word| is_name(word) && !is_range(word)).peekable();
    lines.peek().is_some() && lines.all(|word| is_range(word) && word.contains(|one: char| one.is_ascii_digit()))
}

#[test]
fn lines_without_words_are_known() {
    assert!(["RWCS 33.", "DATA_TYPES 193-196, 200.", "24-26", "MOV 71"].iter().all(|comment| is_bare(comment)));
    assert!(!["[24] Bit by bit.", "VX-51.", "Src2.", "0 is odd.", "---"].iter().any(|comment| is_bare(comment)));
}

#[test]
fn every_line_is_stated_or_says_nothing() {
    for (page, lines) in pages().0 {
        let statements = statements::of_page(page);
        assert!(
            statements.iter().all(|one| 1 <= one.lines.0 && one.lines.0 <= one.lines.1 && one.lines.1 <= lines.count)
        );
        for line in 1..=lines.count {
            let stated = statements.iter().any(|one| (one.lines.0..=one.lines.1).contains(&line));
            let silent = lines.silent.contains(&line);
            assert!(stated != silent, "{}, line {line}: stated {stated}, listed as silent {silent}", page.id);
        }
    }
}

#[test]
fn a_statement_says_something_and_went_somewhere() {
    for (page, _) in pages().0 {
        for Statement { lines, says, place } in statements::of_page(page) {
            let full = match place {
                Place::Transcribed { at, test, .. } => {
                    let (file, item) = at.split_once(", ").unwrap_or_default();
                    file.ends_with(".rs") && !item.is_empty() && !test.is_empty()
                }
                Place::NotModelled { reason } => !reason.is_empty(),
            };
            assert!(full && !says.is_empty(), "{}, lines {lines:?}: {says} {place:?}", page.id);
        }
    }
}

#[test]
fn statements_and_errata_name_each_other() {
    let errata = || MACHINES.iter().flat_map(|isa| isa.errata);
    let mut contradicted = 0;
    for (page, lines) in pages().0 {
        let of_page: BTreeSet<&str> = errata().filter(|one| one.page == page).map(|one| one.id).collect();
        // Errata of another page count where they bear on an instruction of this one.
        let instructions = MACHINES.iter().flat_map(|isa| isa.instructions);
        let bearing: BTreeSet<&str> = instructions
            .filter(|one| Edition::ALL.iter().any(|edition| one.page(*edition) == page))
            .flat_map(|one| one.errata.iter().copied())
            .collect();
        let mut named = BTreeSet::new();
        let mut elsewhere = BTreeSet::new();
        for statement in statements::of_page(page) {
            let Place::Transcribed { erratum: Some(id), .. } = &statement.place else { continue };
            let erratum = errata().find(|one| one.id == id).unwrap_or_else(|| panic!("{}: there is no {id}", page.id));
            if erratum.page == page {
                named.insert(&**id);
                if !meets(erratum, statement) {
                    elsewhere.extend(statement.lines.0..=statement.lines.1);
                }
            } else {
                assert!(bearing.contains(&**id), "{}, lines {:?}: {id} is of others", page.id, statement.lines);
            }
            contradicted += 1;
        }
        // What is not modelled has no erratum.
        let mut unnamed = errata().filter(|one| one.page == page && !named.contains(one.id));
        let is_modelled = |erratum: &Erratum| {
            let mut met = statements::of_page(page).iter().filter(|one| meets(erratum, one)).peekable();
            met.peek().is_none() || met.any(|one| matches!(one.place, Place::Transcribed { .. }))
        };
        assert_eq!(unnamed.find(|one| is_modelled(one)).map(|one| one.id), None, "{}", page.id);
        assert!(named.is_subset(&of_page), "{}", page.id);
        assert_eq!(elsewhere, lines.contradicted_elsewhere.iter().copied().collect(), "{}", page.id);
    }
    assert!(contradicted > 100, "{contradicted} statements");
}

/// Whether an erratum is of lines of a statement.
fn meets(erratum: &Erratum, statement: &Statement) -> bool {
    erratum.lines.split(", ").any(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<u32>().expect("lines are numbers");
        number(first) <= statement.lines.1 && statement.lines.0 <= number(last)
    })
}
