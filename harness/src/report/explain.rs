//! Explanations: a divergence in words, from the smallest case to the lines of the page.

use tandem_isa::{Edition, Expectation, Format, FormatKind, Instruction, Page, Place, Step};

use super::model::{CitationPart, PagePart};
use super::text::{hex, visible};
use crate::{CaseValue, Difference, IsaSuite, Kind};

/// Differences that are explained in full; the others are counted.
const MOST_DIFFERENCES: usize = 8;
/// Fields and words of the case that are listed; the others are counted.
const MOST_ELEMENTS: usize = 24;

/// The lines that explain a case by value and what differs in it.
///
/// They say which instruction it is, what differs from the base state before it, what differs after it and in which
/// bits, and what the pages promise.
#[must_use]
pub fn explain(suite: &IsaSuite, case: &CaseValue, differences: &[Difference]) -> Vec<String> {
    let mut lines = vec![format!(
        "{}, code {:?}, edition {}",
        (case.instruction.print)(&case.code),
        case.code,
        case.edition.name()
    )];
    lines.extend(before_lines(case));
    for difference in differences.iter().take(MOST_DIFFERENCES) {
        lines.extend(explain_difference(case, difference));
    }
    if differences.len() > MOST_DIFFERENCES {
        lines.push(format!("and {} more differences", differences.len() - MOST_DIFFERENCES));
    }
    let promise = expectation(suite, case);
    lines.push(match promise.citation() {
        None => "the pages promise: done".to_string(),
        Some(citation) => {
            format!("the pages promise: {} ({}, {})", promise.name(), citation.page.title, citation.place)
        }
    });
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
    let words = case.words.iter().map(|(&(index, row, column), &word)| {
        let bank = &layout.banks[index];
        let name = bank.word_name(row, column);
        let parts = format_of(case, index).map(|format| format!("  {}", parts_of(format, word)));
        format!("  {name} = {}{}", hex(word, bank.bits), parts.unwrap_or_default())
    });
    let all: Vec<String> = fields.chain(words).collect();
    if all.is_empty() {
        return vec!["before: the base state".to_string()];
    }
    let more = all.len().saturating_sub(MOST_ELEMENTS);
    let mut lines = vec!["before: the base state, except".to_string()];
    lines.extend(all.into_iter().take(MOST_ELEMENTS));
    if more > 0 {
        lines.push(format!("  and {more} more"));
    }
    lines
}

/// One difference in words: place, values, the parts of the format, and the first bit that differs.
#[must_use]
pub fn explain_difference(case: &CaseValue, difference: &Difference) -> Vec<String> {
    let layout = case.isa.layout;
    let place = difference.exact_place(layout);
    match difference {
        Difference::Word { bank, before, expected, got, kind, .. } => {
            let bits = layout.banks[*bank].bits;
            let [before, expected_text, got_text] = [before, expected, got].map(|&word| hex(word, bits));
            let why = match kind {
                Kind::Row => " (a row that the reference does not write)",
                Kind::Stray => " (changed, but not in the log of what was written)",
                _ => "",
            };
            let mut lines = vec![format!(
                "{place}: before {before}, expected {expected_text}, got {got_text}: {}{why}",
                kind.name()
            )];
            let format = format_of(case, *bank);
            if let Some(format) = format {
                lines.push(format!("  expected {}", parts_of(format, *expected)));
                lines.push(format!("  got      {}", parts_of(format, *got)));
            }
            lines.extend(first_bit(format, *expected, *got));
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
        Difference::Answer { expected, got } => {
            vec![format!("answer: expected {}, got {}", expected.name(), got.name())]
        }
        Difference::Panic(message) => vec![format!("the target panicked: {}", visible(message))],
        Difference::Rerun(Kind::OrderDependent) => {
            vec!["the target answers differently after another predecessor; alone it is right".to_string()]
        }
        Difference::Rerun(kind) => {
            vec![format!("the target answers the same case differently: {}", kind.name())]
        }
    }
}

/// How a word of a bank is to be read in a case, where the format lies within one word.
fn format_of(case: &CaseValue, bank: usize) -> Option<&'static Format> {
    let format = case.with_parts(|parts| (case.instruction.format)(case.edition, parts, bank))?;
    (width_of(format) <= case.isa.layout.banks[bank].bits).then_some(format)
}

/// Bits of a format, up to its highest one.
fn width_of(format: &Format) -> u32 {
    let pieces = format.mantissa.iter().chain(&format.exponent).map(|piece| piece.shift + piece.width);
    pieces.chain(format.sign.map(|bit| bit + 1)).max().unwrap_or(0)
}

fn number(value: u32, width: u32) -> String {
    if value < 10 { value.to_string() } else { format!("{} ({value})", hex(value, width)) }
}

fn first_bit(format: Option<&Format>, expected: u32, got: u32) -> Option<String> {
    let differing = expected ^ got;
    if differing == 0 {
        return None;
    }
    let bit = 31 - differing.leading_zeros();
    let (wanted, seen) = (expected >> bit & 1, got >> bit & 1);
    let name = format.map_or(String::new(), |format| format!(", {}", bit_name(format, bit)));
    let count = match differing.count_ones() {
        1 => "the only one".to_string(),
        ones => format!("the highest of {ones}"),
    };
    Some(format!("  first differing bit: bit {bit}{name}: expected {wanted}, got {seen} ({count})"))
}

/// What a bit is in a format: the sign, a bit of the exponent or of the mantissa, counted from its lowest.
#[must_use]
pub fn bit_name(format: &Format, bit: u32) -> String {
    if format.sign == Some(bit) {
        return "the sign".to_string();
    }
    if let Some(exponent) = format.exponent
        && (exponent.shift..exponent.shift + exponent.width).contains(&bit)
    {
        return format!("exponent bit {}", bit - exponent.shift);
    }
    let mut below = format.mantissa_bits();
    for piece in format.mantissa {
        below -= piece.width;
        if (piece.shift..piece.shift + piece.width).contains(&bit) {
            let name = if let FormatKind::Float { .. } = format.kind { "mantissa" } else { "value" };
            return format!("{name} bit {}", below + bit - piece.shift);
        }
    }
    format!("which no part of {} holds", format.name)
}

/// A word in the parts of its format, as bits and as a value.
#[must_use]
pub fn parts_of(format: &Format, word: u32) -> String {
    let word = u64::from(word);
    let mut parts = Vec::new();
    if let Some(bit) = format.sign {
        parts.push(format!("sign {}", word >> bit & 1));
    }
    if let Some(piece) = format.exponent {
        let exponent = word >> piece.shift & ((1 << piece.width) - 1);
        parts.push(format!("exponent {exponent:0width$b}", width = piece.width as usize));
    }
    let bits = format.mantissa_bits();
    let mantissa = format.mantissa_of(word);
    let name = if let FormatKind::Float { .. } = format.kind { "mantissa" } else { "value" };
    parts.push(format!("{name} {mantissa:0width$b}", width = bits as usize));
    format!("{}: {} = {}", format.name, parts.join(", "), value_of(format, word))
}

/// The value of a word, exactly: no host float takes part.
fn value_of(format: &Format, word: u64) -> String {
    let negative = format.sign.is_some_and(|bit| word >> bit & 1 != 0);
    let sign = if negative { "-" } else { "" };
    let mantissa = format.mantissa_of(word);
    match format.kind {
        FormatKind::Float { bias } => {
            let piece = format.exponent.map_or((0, 0), |piece| (word >> piece.shift & ((1 << piece.width) - 1), piece.width));
            float(sign, piece, i64::from(bias), (mantissa, format.mantissa_bits()))
        }
        FormatKind::SignMagnitude => format!("{sign}{mantissa}"),
        FormatKind::TwosComplement => {
            let unused = 64 - format.mantissa_bits();
            ((mantissa << unused).cast_signed() >> unused).to_string()
        }
        FormatKind::Bits => format!("{mantissa:#x}"),
    }
}

/// The value of a float, exactly, in hexadecimal and where it is short in decimal.
fn float(sign: &str, (exponent, width): (u64, u32), bias: i64, (mantissa, bits): (u64, u32)) -> String {
    let last = (1 << width) - 1;
    if width > 0 && exponent == last {
        return if mantissa == 0 {
            format!("{sign}infinity (by IEEE 754)")
        } else {
            format!("{sign}NaN, payload {mantissa:#x} (by IEEE 754)")
        };
    }
    if exponent == 0 && mantissa == 0 {
        return format!("{sign}0");
    }
    let exponent = i64::try_from(exponent).expect("an exponent field is narrow");
    let (lead, power) = if exponent == 0 { (0, 1 - bias) } else { (1, exponent - bias) };
    let unused = (4 - bits % 4) % 4;
    let digits = format!("{:0width$x}", mantissa << unused, width = (bits + unused) as usize / 4);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let exact = format!("{sign}0x{lead}{point}{digits}p{power}");
    let note = if lead == 0 { ", denormal" } else { "" };
    match decimal((lead << bits) | mantissa, power - i64::from(bits)) {
        Some(decimal) => format!("{sign}{decimal} ({exact}{note})"),
        None => format!("{exact}{}", if lead == 0 { " (denormal)" } else { "" }),
    }
}

/// `significand` × 2^`power` in decimal, if that is short.
fn decimal(significand: u64, power: i64) -> Option<String> {
    let zeros = significand.trailing_zeros();
    let (significand, power) = (u128::from(significand >> zeros), power + i64::from(zeros));
    if (0..=64).contains(&power) {
        let value = significand.checked_shl(u32::try_from(power).ok()?)?;
        return (value < 1_000_000_000_000_000 && value >> power == significand).then(|| value.to_string());
    }
    let places = u32::try_from(-power).ok().filter(|&places| places <= 12)?;
    let scaled = significand.checked_mul(5u128.pow(places))?;
    let one = 10u128.pow(places);
    Some(format!("{}.{:0width$}", scaled / one, scaled % one, width = places as usize))
}

// ------------------------------------------------------------------------------------------------ citations

/// The citations of a divergence: the page of the edition, the lines that name what the case sets, and what the pages
/// promise.
#[must_use]
pub fn citations(suite: &IsaSuite, case: &CaseValue, differences: &[Difference]) -> Vec<CitationPart> {
    let page = (case.instruction.page)(case.edition);
    let stated = (case.instruction.page)(Edition::Spec);
    let (place, reason) = lines_that_name(case, differences);
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

/// The transcribed lines that name a field of the case or of the differences; if there is none, all transcribed lines.
fn lines_that_name(case: &CaseValue, differences: &[Difference]) -> (String, String) {
    let names = names_in(case, differences);
    let transcribed = case
        .instruction
        .statements
        .iter()
        .filter(|statement| matches!(statement.place, Place::Transcribed { .. }));
    let mut lines: Vec<u32> = Vec::new();
    let mut found: Vec<&str> = Vec::new();
    let mut all: Option<(u32, u32)> = None;
    for statement in transcribed {
        let (first, last) = statement.lines;
        all = Some(all.map_or((first, last), |(low, high)| (low.min(first), high.max(last))));
        for name in &names {
            if words(statement.says).any(|word| names_alike(word, name)) {
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
        Some((first, last)) => (format!("lines {first}-{last}"), "all that is transcribed".to_string()),
        None => ("the page".to_string(), "its statements are not listed".to_string()),
    }
}

/// The names of the fields that the case sets or that differ, without indices and prefixes.
fn names_in(case: &CaseValue, differences: &[Difference]) -> Vec<String> {
    let layout = case.isa.layout;
    let leaf = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        last.split('[').next().unwrap_or(last).to_string()
    };
    let fields = case.fields.keys().map(|&index| leaf(&(layout.fields)()[index].name));
    let code = case.instruction.code_fields.iter().filter(|field| {
        field.get(&case.code) != field.get(case.instruction.base_code)
    });
    let places = differences.iter().map(|difference| leaf(&difference.place(layout)));
    let mut names: Vec<String> = fields.chain(code.map(|field| field.name.to_string())).chain(places).collect();
    names.sort();
    names.dedup();
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether a word of a statement names a field: the same, or its end or its beginning and not a short one.
fn names_alike(word: &str, name: &str) -> bool {
    word == name || (word.len() >= 6 && (name.ends_with(word) || name.starts_with(word)))
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

/// The errata that bear on an instruction, by id.
#[must_use]
pub fn errata_of(instruction: &Instruction) -> Vec<String> {
    instruction.errata.iter().map(|id| (*id).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Answer, Piece};

    use super::*;
    use crate::report::sample;

    /// Sign, seven high mantissa bits, exponent of five bits, three low mantissa bits.
    static SPLIT: Format = Format {
        name: "split",
        kind: FormatKind::Float { bias: 15 },
        sign: Some(15),
        exponent: Some(Piece { shift: 3, width: 5 }),
        mantissa: &[Piece { shift: 8, width: 7 }, Piece { shift: 0, width: 3 }],
        narrowings: &[],
    };

    fn word(sign: u32, exponent: u32, mantissa: u32) -> u32 {
        sign << 15 | (mantissa >> 3) << 8 | exponent << 3 | mantissa & 7
    }

    #[test]
    fn bits_have_the_names_of_their_parts() {
        assert_eq!(bit_name(&SPLIT, 15), "the sign");
        assert_eq!(bit_name(&SPLIT, 7), "exponent bit 4");
        assert_eq!(bit_name(&SPLIT, 0), "mantissa bit 0");
        assert_eq!(bit_name(&SPLIT, 8), "mantissa bit 3");
        assert_eq!(bit_name(&SPLIT, 14), "mantissa bit 9");
        assert_eq!(bit_name(&SPLIT, 16), "which no part of split holds");
    }

    #[test]
    fn values_are_exact() {
        let value = |word: u32| value_of(&SPLIT, u64::from(word));
        assert_eq!(value(word(0, 15, 0)), "1 (0x1p0)");
        assert_eq!(value(word(1, 15, 0x200)), "-1.5 (-0x1.8p0)");
        assert_eq!(value(word(0, 0, 0)), "0");
        assert_eq!(value(word(1, 0, 0)), "-0");
        assert_eq!(value(word(0, 0, 1)), "0x0.004p-14 (denormal)");
        assert_eq!(value(word(0, 1, 0)), "0x1p-14");
        assert_eq!(value(word(0, 30, 0x3ff)), "65504 (0x1.ffcp15)");
        assert_eq!(value(word(0, 31, 0)), "infinity (by IEEE 754)");
        assert_eq!(value(word(1, 31, 0x201)), "-NaN, payload 0x201 (by IEEE 754)");
        let parts = parts_of(&SPLIT, word(1, 15, 0x200));
        assert_eq!(parts, "split: sign 1, exponent 01111, mantissa 1000000000 = -1.5 (-0x1.8p0)");
    }

    #[test]
    fn integers_are_read_by_their_kind() {
        let integer = |kind, sign, width| Format {
            name: "integer",
            kind,
            sign,
            exponent: None,
            mantissa: if width == 8 { &[Piece { shift: 0, width: 8 }] } else { &[Piece { shift: 0, width: 7 }] },
            narrowings: &[],
        };
        assert_eq!(value_of(&integer(FormatKind::SignMagnitude, Some(7), 7), 0x85), "-5");
        assert_eq!(value_of(&integer(FormatKind::TwosComplement, None, 8), 0x85), "-123");
        assert_eq!(value_of(&integer(FormatKind::Bits, None, 8), 0x85), "0x85");
    }

    #[test]
    fn the_first_bit_and_its_direction_are_named() {
        let line = first_bit(Some(&SPLIT), word(1, 15, 0), word(0, 15, 1)).expect("they differ");
        assert_eq!(line, "  first differing bit: bit 15, the sign: expected 1, got 0 (the highest of 2)");
        assert_eq!(first_bit(None, 7, 7), None);
    }

    #[test]
    fn a_case_is_explained_from_its_instruction_to_what_is_promised() {
        let (suite, case) = (sample::suite(), sample::case());
        let differences = sample::differences();
        let lines = explain(&suite.isas[0], &case, &differences);
        assert!(lines[0].starts_with(&(case.instruction.print)(&case.code)), "{lines:?}");
        assert_eq!(lines[1], "before: the base state, except");
        let place = differences[0].exact_place(case.isa.layout);
        assert!(lines.iter().any(|line| line.starts_with(&format!("{place}: before 0x"))), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("first differing bit")), "{lines:#?}");
        assert_eq!(lines.last().map(String::as_str), Some("the pages promise: done"));

        let answer = Difference::Answer { expected: Answer::Blocked, got: Answer::Done };
        assert_eq!(explain_difference(&case, &answer), ["answer: expected blocked, got done"]);
        let panic = Difference::Panic("\x1b[1m\nboo".to_string());
        assert_eq!(explain_difference(&case, &panic), ["the target panicked: \\u{1b}[1m\\nboo"]);
    }

    #[test]
    fn many_differences_are_counted() {
        let (suite, case) = (sample::suite(), sample::case());
        let differences = vec![sample::differences()[0].clone(); MOST_DIFFERENCES + 5];
        let lines = explain(&suite.isas[0], &case, &differences);
        assert!(lines.contains(&"and 5 more differences".to_string()), "{lines:#?}");
    }

    #[test]
    fn names_match_whole_words_or_long_ends() {
        assert!(names_alike("Zero_Flag_disabled", "ALU_Zero_Flag_disabled"));
        assert!(names_alike("Dst", "Dst"));
        assert!(!names_alike("Dst", "DstRow"));
        assert_eq!(words("of A_b[3], c.").collect::<Vec<_>>(), ["of", "A_b", "3", "c"]);
    }
}
