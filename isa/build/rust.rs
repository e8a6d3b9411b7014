//! Pages, errata and disputes as Rust.

use std::fmt::Write;

use crate::data::{Data, Dispute, DisputeSource, DisputedCase, Erratum, Evidence, Page, Reading, Set, Span, one_line};

/// The Rust files, by name.
pub fn files(data: &Data) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for family in ["tensix", "visa"] {
        files.push((format!("{family}_pages.rs"), pages(data, family)));
        files.push((format!("{family}_errata.rs"), errata(data, family)));
        files.push((format!("{family}_disputes.rs"), disputes(data, family)));
    }
    files
}

fn sets(family: &str) -> impl Iterator<Item = Set> {
    Set::ALL.into_iter().filter(move |set| set.family() == family)
}

/// A static a page, and a list a set, by the names of the pages.
fn pages(data: &Data, family: &str) -> String {
    let mut text = String::new();
    let of_family = || data.pages.iter().filter(|((of, _), _)| *of == family).map(|((_, name), page)| (name, page));
    for (name, page) in of_family() {
        let Page { id, title, about, repository, path, commit, sha256, date, licence, sets: _, lines } = page;
        let about = one_line(about.as_ref().unwrap_or(title));
        let lines = lines.as_ref().map_or("None".to_string(), |lines| {
            let (count, silent, elsewhere) = (lines.count, lines.silent(), &lines.contradicted_elsewhere);
            format!("Some(Lines {{ count: {count}, silent: &{silent:?}, contradicted_elsewhere: &{elsewhere:?} }})")
        });
        let _ = write!(
            text,
            "#[doc = {about:?}]\npub static {name}: Page = Page {{\n    name: {name:?}, id: {id:?}, title: {title:?}, repository: \
             {repository:?}, path: {path:?},\n    commit: {commit:?}, sha256: {sha256:?}, date: {date:?}, licence: \
             {licence:?},\n    lines: {lines},\n}};\n\n"
        );
    }
    for set in sets(family) {
        let names: Vec<String> =
            of_family().filter(|(_, page)| page.sets.contains(&set)).map(|(name, _)| format!("&{name}")).collect();
        let _ = writeln!(text, "pub(super) static PAGES_{}: &[&Page] = &[{}];", set.list(), names.join(", "));
    }
    text
}

/// A list a set, by the ids of the errata.
fn errata(data: &Data, family: &str) -> String {
    let mut text = String::new();
    for set in sets(family) {
        let _ = writeln!(text, "pub(super) static {}: &[Erratum] = &[", set.list());
        for (id, one) in data.errata.iter().filter(|(_, one)| one.set == set) {
            text.push_str(&erratum(id, one));
        }
        text.push_str("];\n");
    }
    text
}

fn erratum(id: &str, erratum: &Erratum) -> String {
    let Erratum {
        set: _,
        kind,
        page,
        lines,
        prints,
        consequence,
        decision,
        evidence,
        editions,
        readings,
        no_reading,
        verified_by,
    } = erratum;
    let [prints, consequence, decision] = [prints, consequence, decision].map(|text| one_line(text));
    let evidence: Vec<String> = evidence
        .iter()
        .map(|piece| {
            let (grade, text) = match piece {
                Evidence::Page(text) => ("Page", text),
                Evidence::Simulator(text) => ("Simulator", text),
                Evidence::Rtl(text) => ("Rtl", text),
                Evidence::Silicon(text) => ("Silicon", text),
            };
            format!("Evidence {{ grade: Grade::{grade}, text: {:?} }}", one_line(text))
        })
        .collect();
    let evidence = evidence.join(", ");
    let editions: Vec<String> = editions.iter().map(|edition| format!("Edition::{edition:?}")).collect();
    let editions = editions.join(", ");
    let no_reading = no_reading.map_or("None".to_string(), |reason| format!("Some(NoReading::{reason:?})"));
    let readings: Vec<String> = readings
        .iter()
        .map(|Reading { id, instruction, says }| {
            format!("Reading {{ id: {id:?}, instruction: {instruction:?}, says: {says:?} }}")
        })
        .collect();
    let readings = readings.join(", ");
    format!(
        "    Erratum {{\n        id: {id:?}, kind: ErratumKind::{kind:?}, page: &pages::{page}, lines: {lines:?},\n        \
         prints: {prints:?},\n        consequence: {consequence:?},\n        decision: {decision:?},\n        evidence: \
         &[{evidence}],\n        editions: &[{editions}], readings: &[{readings}], no_reading: {no_reading},\n        \
         verified_by: {verified_by:?},\n    }},\n"
    )
}

/// A list a set, by the ids of the disputes.
fn disputes(data: &Data, family: &str) -> String {
    let mut text = String::new();
    for set in sets(family) {
        let _ = writeln!(text, "pub(super) static {}: &[Dispute] = &[", set.list());
        for (id, one) in data.disputes.iter().filter(|(_, one)| one.sets.contains(&set)) {
            text.push_str(&dispute(id, one, set));
        }
        text.push_str("];\n");
    }
    text
}

fn dispute(id: &str, dispute: &Dispute, set: Set) -> String {
    let Dispute { sets: _, kind, instructions, except, pages, says, differs, places, sources, cases } = dispute;
    let is_cited = |page: &&crate::data::DisputedPage| page.sets.is_empty() || page.sets.contains(&set);
    let page = pages.iter().find(is_cited).expect("it was looked at");
    let [says, differs] = [says, differs].map(|text| one_line(text));
    let sources: Vec<String> = sources
        .iter()
        .map(|DisputeSource { at, as_of, says }| {
            format!("DisputeSource {{ at: {at:?}, as_of: {as_of:?}, says: {:?} }}", one_line(says))
        })
        .collect();
    let cases: Vec<String> = cases
        .iter()
        .map(|DisputedCase { is, any }| {
            let is = is.iter().map(|(name, spans)| {
                let ends: Vec<(u32, u32)> = spans.iter().map(Span::ends).collect();
                format!("({name:?}, &{ends:?})")
            });
            let is: Vec<String> = is.collect();
            let any: Vec<String> = any.iter().map(|(name, bits)| format!("({name:?}, {bits})")).collect();
            format!("DisputedCase {{ is: &[{}], any: &[{}] }}", is.join(", "), any.join(", "))
        })
        .collect();
    format!(
        "    Dispute {{\n        id: {id:?}, kind: DisputeKind::{kind:?}, instructions: &{instructions:?}, except: &{except:?},\n        page: \
         &pages::{}, lines: {:?},\n        says: {says:?},\n        differs: {differs:?},\n        places: \
         &{places:?},\n        sources: &[{}],\n        cases: &[{}],\n    }},\n",
        page.name,
        page.lines,
        sources.join(", "),
        cases.join(", ")
    )
}
