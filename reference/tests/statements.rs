//! Every line of a page has a statement in the reference, or states nothing.

use std::collections::BTreeSet;

use tandem_isa::{Edition, Erratum, Lines, MACHINES, Page, Place, Statement};
use tandem_reference::statements;

/// The pages of both editions that have statements, with them, and those of instructions that have none.
fn pages() -> (Vec<(&'static Page, Lines)>, BTreeSet<&'static str>) {
    let (mut stated, mut others) = (Vec::new(), BTreeSet::new());
    for instruction in MACHINES.iter().flat_map(|isa| isa.instructions) {
        assert_eq!(statements::of(instruction), statements::of_page(instruction.page(Edition::Spec)));
        for page in Edition::ALL.map(|edition| instruction.page(edition)) {
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

/// Pages whose lines the reference names where it carries them out, and no more.
const WITHOUT_STATEMENTS: [&str; 7] =
    ["wh-mova2d-newest", "wh-movb2a", "wh-movb2d", "wh-movd2a", "wh-movd2b", "wh-movdbga2d", "wh-zeroacc-newest"];

#[test]
fn the_pages_of_all_instructions_have_statements_but_for_some() {
    let (stated, others) = pages();
    assert_eq!(others, BTreeSet::from(WITHOUT_STATEMENTS));
    assert!(stated.iter().all(|(page, _)| !statements::of_page(page).is_empty()));
    let pinned = MACHINES.iter().flat_map(|isa| isa.pages).filter(|page| page.lines.is_some());
    assert!(pinned.clone().all(|page| stated.iter().any(|(known, _)| known == page)), "a page is of no instruction");
    let unpinned = MACHINES.iter().flat_map(|isa| isa.pages).filter(|page| page.lines.is_none());
    assert!(unpinned.clone().all(|page| statements::of_page(page).is_empty()), "a page with statements has no lines");
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
