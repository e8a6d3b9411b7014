//! Explanations: a divergence in words, from the smallest case to the lines of the page.

use std::collections::BTreeSet;

use tandem_isa::{Bank, Dispute, DisputeSource, Edition, Expectation, Layout, Page, Place, Statement, Step};

use super::datum::{Reading, first_bit, highest_bit, layout_of};
use super::model::{CitationPart, LayoutPart, PagePart};
use super::text::{hex, visible};
use crate::{CaseId, CaseValue, Difference, Disputes, IsaSuite, Kind, NextStep};

/// Differences that are explained in full; the others are counted.
const MOST_DIFFERENCES: usize = 8;
/// Where statements of the functional model are transcribed; those on syntax and encoding lie elsewhere.
const MODEL: &str = "reference/";
/// Cases that run before one which are listed: the first half of so many, and the last half.
const MOST_EARLIER: usize = 8;
/// Fields and words of the case that are listed; the others are counted.
const MOST_ELEMENTS: usize = 24;

/// The lines that explain a case by value and what differs in it.
///
/// They say which instruction it is, what differs from the base state before it, what differs after it and in which
/// bits, and what the pages promise.
#[must_use]
pub fn explain(suite: &IsaSuite, case: &CaseValue, differences: &[Difference]) -> Vec<String> {
    let one = |step: &NextStep| format!("{}, code {:?}", step.instruction.print(&step.code), step.code);
    let steps = case.steps();
    let mut lines = match &steps[..] {
        [step] => vec![format!("{}, edition {}", one(step), case.edition.name())],
        _ => vec![format!("a program of {} steps, edition {}", steps.len(), case.edition.name())],
    };
    if steps.len() > 1 {
        lines.extend(steps.iter().enumerate().map(|(place, step)| format!("  {}. {}", place + 1, one(step))));
    }
    lines.extend(before_lines(case));
    for difference in differences.iter().take(MOST_DIFFERENCES) {
        lines.extend(explain_difference(case, difference));
    }
    if differences.len() > MOST_DIFFERENCES {
        lines.push(format!("and {} more differences", differences.len() - MOST_DIFFERENCES));
    }
    if steps.len() > 1 {
        return lines;
    }
    let promise = expectation(suite, case);
    lines.push(match promise.citation() {
        None => "the pages specify: done".to_string(),
        Some(citation) => {
            format!("the pages specify: {} ({}, {})", promise.name(), citation.page.title, citation.place)
        }
    });
    if promise.required_answer().is_some() {
        lines.extend(disputed(case));
    }
    lines
}

/// What is disputed of a case: what the page says, and who says otherwise.
fn disputed(case: &CaseValue) -> Vec<String> {
    let disputes = Disputes::of(case.isa, case.instruction, case.isa.machine.disputes);
    let found: Vec<&Dispute> = case.with_parts(|parts| disputes.of_case(parts).collect());
    let line = |dispute: &Dispute| {
        let Dispute { id, page, lines, says, differs, sources, .. } = dispute;
        let sources: Vec<String> =
            sources.iter().map(|DisputeSource { at, as_of, .. }| format!("{at}, {as_of}")).collect();
        [
            format!("the page says ({}, lines {lines}): {says}", page.title),
            format!("disputed ({id}), because {differs} ({})", sources.join("; ")),
        ]
    };
    found.into_iter().flat_map(line).collect()
}

/// The lines that say after which cases one goes wrong that is right alone; `met` are those of the run.
#[must_use]
pub fn in_order(after: &[CaseValue], met: &[CaseId]) -> Vec<String> {
    if after.is_empty() {
        let met: Vec<String> = met.iter().map(CaseId::to_string).collect();
        return (!met.is_empty())
            .then(|| format!("alone the case agrees; it differs if it runs directly after {}", met.join(" ")))
            .into_iter()
            .collect();
    }
    let of = if after.len() == 1 { "this case".to_string() } else { format!("these {} cases", after.len()) };
    let mut lines =
        vec![format!("alone the case agrees; on a freshly started target it differs if it runs directly after {of}:")];
    for (place, case) in after.iter().enumerate() {
        if after.len() > MOST_EARLIER && (MOST_EARLIER / 2..after.len() - MOST_EARLIER / 2).contains(&place) {
            if place == MOST_EARLIER / 2 {
                lines.push(format!("  … {} more", after.len() - MOST_EARLIER));
            }
            continue;
        }
        lines.push(format!("  {}. {}", place + 1, case.instruction.print(&case.code)));
        lines.extend(before_lines(case).into_iter().map(|line| format!("     {line}")));
    }
    lines.push("and then:".to_string());
    lines
}

/// What the pages promise for a case, as the reference says.
pub fn expectation(suite: &IsaSuite, case: &CaseValue) -> Expectation {
    let step = Step { instruction: case.instruction, edition: case.edition, code: &case.code };
    (suite.reference)().execute(&step, &mut case.state())
}

/// What differs from the base state before the instruction.
fn before_lines(case: &CaseValue) -> Vec<String> {
    let layout = case.isa.layout;
    let fields = case.fields.iter().map(|(&index, &value)| {
        let field = &(layout.fields)()[index];
        let address = field.address.map_or(String::new(), |(bank, word)| format!(", at {bank} word {word}"));
        format!("  {} = {}{address}", field.name, number(value, field.width))
    });
    let words = case.words.iter().map(|(&place, &word)| word_text(case, place, word));
    let all = case.fields.len() + case.words.len();
    if all == 0 {
        return vec!["before: the base state".to_string()];
    }
    let mut lines = vec!["before: the base state, except".to_string()];
    lines.extend(fields.map(|field| vec![field]).chain(words).take(MOST_ELEMENTS).flatten());
    if all > MOST_ELEMENTS {
        lines.push(format!("  and {} more", all - MOST_ELEMENTS));
    }
    lines
}

/// A word of the case, and the data in it: beside it where there is one, below it where there are several.
fn word_text(case: &CaseValue, place: (usize, usize, usize), word: u32) -> Vec<String> {
    let (index, row, column) = place;
    let bank = &case.isa.layout.banks[index];
    let name = format!("  {} = {}", bank.word_name(row, column), hex(word, bank.bits));
    let mut lines = word_lines(case, place, word, name);
    lines.extend(names_of_row(bank, row).map(|name| format!("    {name}")));
    lines
}

/// What software calls a row of a bank, if it has names for them.
fn names_of_row(bank: &Bank, row: usize) -> Option<String> {
    let names = bank.row_names.iter().map(|names| format!("{} of {}", names.name(row), names.of));
    Some(names.collect::<Vec<_>>().join("; ")).filter(|names| !names.is_empty())
}

/// A word and the data in it.
fn word_lines(case: &CaseValue, place: (usize, usize, usize), word: u32, name: String) -> Vec<String> {
    let (index, row, _) = place;
    let bank = &case.isa.layout.banks[index];
    let Some(reading) = reading_of(case, place) else { return vec![name] };
    if let Some(columns) = reading.columns() {
        let before =
            |column| case.words.get(&(index, row, column)).copied().unwrap_or_else(|| bank.base_word(row, column));
        let words: Vec<u32> = columns.map(before).collect();
        return vec![format!("{name}  {}", reading.whole(&words))];
    }
    match reading.data(word)[..] {
        [] => vec![name],
        [low] => vec![format!("{name}  {}", reading.text(word, low))],
        ref lows => {
            let data = lows.iter().map(|&low| format!("    {}", reading.text(word, low)));
            std::iter::once(name).chain(data).collect()
        }
    }
}

/// One difference in words: place, values, the parts of the format, and the first bit that differs.
#[must_use]
pub fn explain_difference(case: &CaseValue, difference: &Difference) -> Vec<String> {
    let layout = case.isa.layout;
    let place = difference.exact_place(layout);
    match difference {
        Difference::Word { bank, row, column, before, expected, got, kind } => {
            let bits = layout.banks[*bank].bits;
            let [before, expected_text, got_text] = [before, expected, got].map(|&word| hex(word, bits));
            let why = match kind {
                Kind::Row => " (a row that the reference does not write)",
                Kind::Stray => " (the target wrote it and did not report that)",
                _ => "",
            };
            let mut lines = vec![format!(
                "{place}: before {before}, expected {expected_text}, got {got_text}: {}{why}",
                kind.name()
            )];
            lines.extend(names_of_row(&layout.banks[*bank], *row).map(|name| format!("  {name}")));
            let reading = reading_of(case, (*bank, *row, *column));
            if let Some(reading) = &reading {
                let low = reading.low(highest_bit(*expected, *got).unwrap_or(0));
                lines.push(format!("  expected {}", reading.text(*expected, low)));
                lines.push(format!("  got      {}", reading.text(*got, low)));
            }
            lines.extend(first_bit(reading.as_ref(), *expected, *got));
            lines
        }
        Difference::Field { field, before, expected, got, kind } => {
            let width = (layout.fields)()[*field].width;
            let [before, expected_text, got_text] = [before, expected, got].map(|&value| number(value, width));
            let mut lines =
                vec![format!("{place}: before {before}, expected {expected_text}, got {got_text}: {}", kind.name())];
            lines.extend(first_bit(None, *expected, *got));
            lines
        }
        Difference::LooseBits { expected, got, .. } => vec![format!(
            "{place}: bits that no field names: expected {}, got {}",
            hex(u32::from(*expected), 8),
            hex(u32::from(*got), 8)
        )],
        Difference::Answer { expected, got } => {
            vec![format!("answer: expected {}, got {}", expected.name(), got.name())]
        }
        Difference::Panic(message) => vec![format!("the target panicked: {}", visible(message))],
        Difference::Misbehaved(misbehaviour) => {
            let (kind, call) = (misbehaviour.kind.name(), misbehaviour.call.name());
            vec![format!("{kind} in {call}: {}", visible(&misbehaviour.message))]
        }
        Difference::ArenaHash { expected, got } => vec![format!(
            "the target wrote a row that it does not name: the hash of its arena is {got:#010x} afterwards, that of the \
             background {expected:#010x}"
        )],
        Difference::StrayRows(_) => {
            vec![format!("{place}: written behind the report; which words of it is not known")]
        }
        Difference::Refused(change) => vec![refused(layout, change)],
        Difference::Rerun(Kind::OrderDependent) => {
            vec!["the target answers differently after another case; alone it is right".to_string()]
        }
        Difference::Rerun(kind) => {
            vec![format!("the target answers the same case differently: {}", kind.name())]
        }
        Difference::KeptThroughReset => vec![
            "its reset does not forget: the case is right on an instance that was begun anew, and wrong after a reset"
                .to_string(),
        ],
    }
}

/// What a target changed in a case that it refused.
fn refused(layout: &Layout, change: &Difference) -> String {
    let place = change.exact_place(layout);
    let values = match change {
        Difference::Word { bank, before, got, .. } => {
            let bits = layout.banks[*bank].bits;
            format!("{place} from {} to {}", hex(*before, bits), hex(*got, bits))
        }
        Difference::Field { field, before, got, .. } => {
            let width = (layout.fields)()[*field].width;
            format!("{place} from {} to {}", number(*before, width), number(*got, width))
        }
        _ => place,
    };
    format!("it refused the case (unsupported) and changed {values}")
}

/// How the bits of a difference are to be read, where it is one of bits.
#[must_use]
pub fn layout(case: &CaseValue, difference: &Difference) -> Option<LayoutPart> {
    let layout = case.isa.layout;
    let (reading, width) = match difference {
        Difference::Word { bank, row, column, .. } => {
            (reading_of(case, (*bank, *row, *column)), layout.banks[*bank].bits)
        }
        Difference::Field { field, .. } => (None, (layout.fields)()[*field].width),
        Difference::Refused(change) => return self::layout(case, change),
        _ => (None, 8),
    };
    difference.bits().map(|bits| layout_of(reading.as_ref(), width, bits))
}

/// How a word, by bank, row and column, is to be read in a case, where its instruction says so.
fn reading_of(case: &CaseValue, (bank, row, column): (usize, usize, usize)) -> Option<Reading> {
    let format = case.with_parts(|parts| (case.instruction.format)(case.edition, parts, bank, Some((row, column))))?;
    Reading::of(format, case.isa.layout.banks[bank].bits, column)
}

pub(super) fn number(value: u32, width: u32) -> String {
    if value < 10 { value.to_string() } else { format!("{} ({value})", hex(value, width)) }
}

// ------------------------------------------------------------------------------------------------ citations

/// The citations of a divergence: the page of the edition, the lines that name what the case sets, and what the pages
/// promise.
#[must_use]
pub fn citations(suite: &IsaSuite, case: &CaseValue, differences: &[Difference]) -> Vec<CitationPart> {
    let page = case.instruction.page(case.edition);
    let stated = case.instruction.page(Edition::Spec);
    let (place, reason) = lines_that_name((suite.statements)(case.instruction), case, differences);
    let mut citations = vec![CitationPart { page: PagePart::of(stated), place, reason }];
    if page != stated {
        // The statements count the lines of one edition; the other's text is named without lines.
        let reason = format!("edition {} follows this text", case.edition.name());
        citations.insert(0, CitationPart { page: PagePart::of(page), place: "functional model".to_string(), reason });
    }
    if let Some(citation) = expectation(suite, case).citation() {
        citations.push(CitationPart {
            page: PagePart::of(citation.page),
            place: citation.place.to_string(),
            reason: citation.reason.to_string(),
        });
    }
    citations
}

/// The lines of the functional model that name a field of the case or of the differences; if none does, all of them.
fn lines_that_name(statements: &[Statement], case: &CaseValue, differences: &[Difference]) -> (String, String) {
    let names = names_in(case, differences);
    let transcribed = statements.iter().filter(|statement| match &statement.place {
        Place::Transcribed { at, .. } => at.starts_with(MODEL),
        Place::NotModelled { .. } => false,
    });
    let mut lines: Vec<u32> = Vec::new();
    let mut found: Vec<&str> = Vec::new();
    let mut all: Option<(u32, u32)> = None;
    for statement in transcribed {
        let (first, last) = statement.lines;
        all = Some(all.map_or((first, last), |(low, high)| (low.min(first), high.max(last))));
        for name in &names {
            if words(&statement.says).any(|word| names_alike(word, name)) {
                lines.extend(first..=last);
                found.push(name);
            }
        }
    }
    lines.sort_unstable();
    lines.dedup();
    found.sort_unstable();
    found.dedup();
    match all {
        _ if !lines.is_empty() => {
            (format!("lines {}", super::text::ranges(&lines)), format!("they speak of {}", found.join(", ")))
        }
        Some((first, last)) => (format!("lines {first}-{last}"), "the functional model".to_string()),
        None => ("the page".to_string(), "its statements are not listed".to_string()),
    }
}

/// The names of the fields that the case sets or that differ, without indices and prefixes.
fn names_in(case: &CaseValue, differences: &[Difference]) -> BTreeSet<String> {
    let layout = case.isa.layout;
    let leaf = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        last.split('[').next().unwrap_or(last).to_string()
    };
    let fields = case.fields.keys().map(|&index| leaf(&(layout.fields)()[index].name));
    let code = case
        .instruction
        .code_fields
        .iter()
        .filter(|field| field.get(&case.code) != field.get(case.instruction.base_code));
    let places = differences.iter().map(|difference| leaf(&difference.place(layout)));
    fields.chain(code.map(|field| field.name.to_string())).chain(places).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether a word of a statement names a field: the same, or its end or its beginning. Short words say too little.
fn names_alike(word: &str, name: &str) -> bool {
    (word.len() >= 5 && word == name) || (word.len() >= 6 && (name.ends_with(word) || name.starts_with(word)))
}

impl PagePart {
    /// The page, as reports name it.
    #[must_use]
    pub fn of(page: &Page) -> Self {
        PagePart {
            id: page.id.to_string(),
            title: page.title.to_string(),
            repository: page.repository.to_string(),
            path: page.path.to_string(),
            commit: page.commit.to_string(),
            sha256: page.sha256.map(str::to_string),
            date: page.date.to_string(),
            licence: page.licence.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use tandem_cases::ISAS;
    use tandem_isa::{Format, FormatKind, FormatOf, Instruction, Piece};

    use super::*;

    /// The sample case with another layout of the words of a bank of 32 bits, and some of its words.
    fn case_of(format: FormatOf, words: &[(usize, u32)]) -> (CaseValue, usize) {
        let instruction = Instruction { format, ..*ISAS[0].instructions[0] };
        let mut case = CaseValue::base(ISAS[0], Box::leak(Box::new(instruction)), Edition::Spec);
        let banks = ISAS[0].layout.banks;
        let bank = banks.iter().position(|bank| bank.bits == 32).expect("some bank has words of 32 bits");
        case.words.extend(words.iter().map(|&(column, word)| ((bank, 2, column), word)));
        (case, bank)
    }

    fn signed(name: &'static str, mantissa: &'static [Piece]) -> Format {
        let kind = FormatKind::TwosComplement;
        Format { name, kind, sign: None, exponent: None, mantissa, narrowings: &[] }
    }

    #[test]
    fn packed_data_are_listed_each_and_explained_by_the_one_that_differs_first() {
        // Even columns hold bytes, odd ones nothing that the instruction knows.
        let format: FormatOf = |_, _, _, place| {
            static BYTE: LazyLock<Format> = LazyLock::new(|| signed("byte", &[Piece { shift: 0, width: 8 }]));
            place.filter(|(_, column)| column % 2 == 0).map(|_| &*BYTE)
        };
        let (case, bank) = case_of(format, &[(0, 0x00ff_0500), (1, 0x1234), (2, 0x7f00_0000)]);
        let row = ISAS[0].layout.banks[bank].row_name(2);
        assert_eq!(
            before_lines(&case)[1..],
            [
                format!("  {row}[0] = 0x00ff0500"),
                "    datum 1, bits 8-15, byte: value 00000101 = 5".to_string(),
                "    datum 2, bits 16-23, byte: value 11111111 = -1".to_string(),
                format!("  {row}[1] = 0x00001234"),
                format!("  {row}[2] = 0x7f000000  datum 3, bits 24-31, byte: value 01111111 = 127"),
            ]
        );
        let (before, expected, got) = (0x00ff_0500, 0x00ff_0500, 0x00fd_0400);
        let difference = Difference::Word { bank, row: 2, column: 0, before, expected, got, kind: Kind::Value };
        assert_eq!(
            explain_difference(&case, &difference)[1..],
            [
                "  expected datum 2, bits 16-23, byte: value 11111111 = -1",
                "  got      datum 2, bits 16-23, byte: value 11111101 = -3",
                "  first differing bit: bit 17, bit 1 of its datum, value bit 1: expected 1, got 0 (the highest of 2)",
            ]
        );
    }

    #[test]
    fn a_datum_of_two_words_is_read_whole_before_and_by_its_half_in_a_difference() {
        let format: FormatOf = |_, _, _, _| {
            static LONG: LazyLock<Format> = LazyLock::new(|| signed("long", &[Piece { shift: 0, width: 64 }]));
            Some(&*LONG)
        };
        let (case, bank) = case_of(format, &[(2, 5), (3, 1)]);
        let lines = before_lines(&case);
        assert!(lines[1].contains(" = 0x00000005  lower half of datum 1, its bits 0-31, long: value 0"), "{lines:?}");
        assert!(lines[2].contains(" = 0x00000001  upper half of datum 1, its bits 32-63, long: value 0"), "{lines:?}");
        assert!(lines[1..].iter().all(|line| line.ends_with(" = 4294967301")), "{lines:?}");
        let (before, expected, got) = (1, 1, 3);
        let difference = Difference::Word { bank, row: 2, column: 3, before, expected, got, kind: Kind::Value };
        let lines = explain_difference(&case, &difference);
        assert!(lines[1].starts_with("  expected upper half of datum 1, its bits 32-63, long: value 0"), "{lines:?}");
        assert!(lines[3].contains("bit 1, bit 33 of its datum, value bit 33: expected 0, got 1"), "{lines:?}");
    }

    #[test]
    fn names_match_whole_words_or_long_ends() {
        assert!(names_alike("Zero_Flag_disabled", "ALU_Zero_Flag_disabled"));
        assert!(names_alike("DstRow", "DstRow"));
        assert!(!names_alike("Dst", "Dst"));
        assert!(!names_alike("Dst", "DstRow"));
        assert_eq!(words("of A_b[3], c.").collect::<Vec<_>>(), ["of", "A_b", "3", "c"]);
    }
}
