//! What a case does: everything that the reference reads and changes, before and after.

use serde::{Deserialize, Serialize};
use tandem_isa::{Bank, Expectation, Format, FormatKind, RowSet, State, Step};

use super::datum::{Reading, value_of};
use super::text::hex;
use super::{CaseText, explain};
use crate::{CaseValue, IsaSuite};

/// What a case does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The case.
    pub case: CaseText,
    /// Its steps in the page's syntax, one if it is no program.
    pub text: Vec<String>,
    /// The cell that it lies in, and the level of each of its axes; nothing if it lies in none.
    pub cell: Option<CellText>,
    /// The fields of the code words of its steps.
    pub code: Vec<ValueText>,
    /// What the pages promise, in a word: `done`, `blocked`, …; of a program, of its last step that was run.
    pub outcome: String,
    /// What the pages say about that, if they promise nothing.
    pub cited: Option<String>,
    /// Rows that are read, by their names.
    pub reads: Vec<String>,
    /// Rows that are written, by their names.
    pub writes: Vec<String>,
    /// What changes: fields of the small state, then words of banks.
    pub changes: Vec<ChangeText>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellText {
    /// Its number.
    pub number: usize,
    /// The path that it takes.
    pub class: String,
    /// Its axes, each with its level.
    pub levels: Vec<ValueText>,
}

/// A value with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueText {
    /// Whose value it is.
    pub name: String,
    /// The value.
    pub value: u32,
    /// What the value is called, if it has a name.
    pub called: Option<String>,
}

/// Something that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeText {
    /// The field or word, by its name.
    pub place: String,
    /// Its value before.
    pub before: u32,
    /// Its value after.
    pub after: u32,
    /// Its bits.
    pub bits: u32,
    /// How the word is read, and its value before and after, where the instruction gives it a format.
    pub read_as: Option<(String, String, String)>,
}

/// A case that was run by the reference.
struct ReferenceRun {
    before: State,
    after: State,
    expectation: Expectation,
}

/// Runs the steps of a case, until one is not promised to be done.
fn run(suite: &IsaSuite, case: &CaseValue) -> ReferenceRun {
    let (before, mut after) = (case.state(), case.state());
    let (mut reference, mut expectation) = ((suite.reference)(), Expectation::Done);
    let mut log = after.tracker.log.clone();
    for step in case.steps() {
        let step = Step { instruction: step.instruction, edition: case.edition, code: &step.code };
        expectation = reference.execute(&step, &mut after);
        log.read.union(&after.tracker.log.read);
        log.written.union(&after.tracker.log.written);
        if expectation != Expectation::Done {
            break;
        }
    }
    after.tracker.log = log;
    ReferenceRun { before, after, expectation }
}

impl Effect {
    /// Whether the case completes, as the reference says.
    pub(super) fn completes(suite: &IsaSuite, case: &CaseValue) -> bool {
        matches!(run(suite, case).expectation, Expectation::Done | Expectation::NonContractual(_))
    }

    /// What a case does, as the reference says.
    #[must_use]
    pub fn of(suite: &IsaSuite, case: &CaseValue) -> Self {
        let ran = run(suite, case);
        let log = &ran.after.tracker.log;
        let steps = case.steps();
        Effect {
            case: CaseText::of(case),
            text: steps.iter().map(|step| step.instruction.print(&step.code)).collect(),
            cell: cell_of(case),
            code: steps.iter().flat_map(|step| code_of(case, step)).collect(),
            outcome: ran.expectation.name().to_string(),
            cited: ran.expectation.citation().map(|one| format!("{}, {}: {}", one.page.title, one.place, one.reason)),
            reads: rows_of(case, &log.read),
            writes: rows_of(case, &log.written),
            changes: fields_of(case, &ran).into_iter().chain(words_of(case, &ran)).collect(),
        }
    }
}

fn cell_of(case: &CaseValue) -> Option<CellText> {
    let number = case.cell()?;
    let space = (case.instruction.cells)(case.edition);
    let levels = space.levels(number);
    let level = |(axis, &level): (&tandem_isa::Axis, &u8)| ValueText {
        name: axis.name.to_string(),
        value: u32::from(level),
        called: Some(axis.levels[usize::from(level)].to_string()),
    };
    Some(CellText {
        number,
        class: (case.instruction.cell_class)(case.edition, levels).to_string(),
        levels: space.axes.iter().zip(levels).map(level).collect(),
    })
}

fn code_of(case: &CaseValue, step: &crate::NextStep) -> Vec<ValueText> {
    let value = |field: &tandem_isa::CodeField| {
        let value = field.get(&step.code);
        let values = case.isa.meanings.of_code(field).map_or(&[][..], |meaning| meaning.values);
        ValueText { name: field.name.to_string(), value, called: named(values, value) }
    };
    step.instruction.code_fields.iter().map(value).collect()
}

/// The name of a value, if it has one.
fn named(values: &[&str], value: u32) -> Option<String> {
    let name = values.get(usize::try_from(value).ok()?)?;
    (!name.is_empty()).then(|| (*name).to_string())
}

fn rows_of(case: &CaseValue, rows: &RowSet) -> Vec<String> {
    let mut names = Vec::new();
    rows.each(|row_id| {
        let (bank, row) = case.isa.layout.locate(row_id);
        names.push(case.isa.layout.banks[bank].row_name(row));
    });
    names
}

fn fields_of(case: &CaseValue, ran: &ReferenceRun) -> Vec<ChangeText> {
    let fields = (case.isa.layout.fields)().iter();
    let changed = fields.filter_map(|field| {
        let (before, after) = (field.get(&ran.before.small), field.get(&ran.after.small));
        let values = case.isa.meanings.of_field(field).map_or(&[][..], |meaning| meaning.values);
        let read_as = named(values, before).zip(named(values, after)).map(|(one, other)| (String::new(), one, other));
        let place = field.name.clone();
        (before != after).then_some(ChangeText { place, before, after, bits: field.width, read_as })
    });
    changed.collect()
}

fn words_of(case: &CaseValue, ran: &ReferenceRun) -> Vec<ChangeText> {
    let mut changes = Vec::new();
    for (index, bank) in case.isa.layout.banks.iter().enumerate() {
        for row in (0..bank.rows()).filter(|&row| ran.before.row(index, row) != ran.after.row(index, row)) {
            for column in 0..bank.columns() {
                let place = (index, row, column);
                let (before, after) = (ran.before.word(index, row, column), ran.after.word(index, row, column));
                if before != after {
                    let read_as = read_as(case, bank, place, (before, after));
                    let place = bank.word_name(row, column);
                    changes.push(ChangeText { place, before, after, bits: bank.bits, read_as });
                }
            }
        }
    }
    changes
}

fn read_as(
    case: &CaseValue,
    bank: &Bank,
    place: (usize, usize, usize),
    (before, after): (u32, u32),
) -> Option<(String, String, String)> {
    let format = format_at(case, place)?;
    let reading = Reading::of(format, bank.bits, place.2)?;
    Some((format.name.to_string(), reading.values(before)?, reading.values(after)?))
}

fn format_at(case: &CaseValue, (bank, row, column): (usize, usize, usize)) -> Option<&'static Format> {
    case.with_parts(|parts| (case.instruction.format)(case.edition, parts, bank, Some((row, column))))
}

/// The value of a datum of at most 32 bits, exactly.
#[must_use]
pub fn value(format: &Format, datum: u32) -> String {
    value_of(format, datum.into())
}

impl ChangeText {
    /// The values before and after, as they are shown beside each other.
    #[must_use]
    pub fn sides(&self) -> [String; 2] {
        let (format, names) = match &self.read_as {
            Some((format, before, after)) => (&**format, [Some(before), Some(after)]),
            None => ("", [None, None]),
        };
        let [one, other] = names;
        [(self.before, one), (self.after, other)].map(|(value, name)| {
            let digits = if format.is_empty() { explain::number(value, self.bits) } else { hex(value, self.bits) };
            name.map_or(digits.clone(), |name| format!("{digits}  {name}"))
        })
    }
}

/// Fills whatever the case reads, and holds its base value, with small numbers in the format that it is read by: 1, 2, 3 and so
/// on, and from 2 on in the second bank that is read, so that a difference shows too. Words without a format stay as they
/// are. Returns whether there was anything to fill.
pub fn fill(suite: &IsaSuite, case: &mut CaseValue) -> bool {
    let mut rows = Vec::new();
    run(suite, case).after.tracker.log.read.each(|row_id| rows.push(case.isa.layout.locate(row_id)));
    let mut filled = false;
    let mut banks = Vec::new();
    for (index, row) in rows {
        let from = banks.iter().position(|&known| known == index).unwrap_or(banks.len());
        if from == banks.len() {
            banks.push(index);
        }
        let bank = &case.isa.layout.banks[index];
        // What hardware holds constant is no datum.
        let columns = if bank.holds(row).is_none() { bank.columns() } else { 0 };
        for column in 0..columns {
            let place = (index, row, column);
            let Some(format) = format_at(case, place).filter(|_| !case.words.contains_key(&place)) else { continue };
            let Some(word) = counted(format, bank, column, from as u64) else { continue };
            case.words.insert(place, word);
            filled = true;
        }
    }
    filled
}

/// The word at a column that holds the next numbers of the row, which begins behind `from`.
fn counted(format: &Format, bank: &Bank, column: usize, from: u64) -> Option<u32> {
    let width = format.width();
    if width > bank.bits {
        let parts = width.is_multiple_of(bank.bits).then_some((width / bank.bits) as usize)?;
        let datum = small(format, from + (column / parts) as u64);
        let part = u32::try_from(column % parts).ok()? * bank.bits;
        return u32::try_from(datum >> part & u64::from(bank.word_mask())).ok();
    }
    let data = if width > 0 && bank.bits.is_multiple_of(width) { bank.bits / width } else { 1 };
    let word = (0..data).fold(0, |word, datum| {
        word | small(format, from + column as u64 * u64::from(data) + u64::from(datum)) << (datum * width)
    });
    u32::try_from(word).ok().map(|word| word & bank.word_mask())
}

/// The number `index + 1` in a format, as far as it has that: numbers go round in 16.
fn small(format: &Format, index: u64) -> u64 {
    let number = index % 16 + 1;
    match format.kind {
        FormatKind::Float { bias } => {
            let power = number.ilog2();
            let bits = format.mantissa_bits();
            // What a short mantissa cannot hold of it is left out.
            let rest = number - (1 << power);
            let mantissa = if bits >= power { rest << (bits - power) } else { rest >> (power - bits) };
            let exponent = u64::try_from(i64::from(bias) + i64::from(power)).unwrap_or_default();
            format.place(0, exponent, mantissa)
        }
        // An integer over an exponent has there the exponent of 2, whose highest bit alone is set; all others have none.
        FormatKind::SignMagnitude | FormatKind::TwosComplement | FormatKind::Bits => {
            let exponent = format.exponent.map_or(0, |piece| 1 << (piece.width - 1));
            format.place(0, exponent, number)
        }
    }
}

/// Where words of banks and rows of them are, by the names that reports give them.
///
/// # Errors
/// What a place looks like.
pub fn words_named(case: &CaseValue, name: &str) -> Result<Vec<(usize, usize, usize)>, String> {
    let banks = case.isa.layout.banks;
    if let Some(place) = super::case_text::locate(banks, name) {
        return Ok(vec![place]);
    }
    let stem = &name[..name.find('[').unwrap_or(name.len())];
    let Some((index, bank)) = banks.iter().enumerate().find(|(_, bank)| bank.name == stem) else {
        return Err(format!("{} has no field, axis or bank '{stem}'", case.instruction.path()));
    };
    let row = (0..bank.rows()).find(|&row| bank.row_name(row) == name);
    let last = bank.word_name(bank.rows() - 1, bank.columns() - 1);
    let row = row.ok_or_else(|| format!("there is no word '{name}'; the last word of the bank is {last}"))?;
    Ok((0..bank.columns()).map(|column| (index, row, column)).collect())
}

/// The lines that say what a case does: its code, its mode, the state before it, what it changes, side by side.
#[must_use]
pub fn lines(suite: &IsaSuite, case: &CaseValue, most: usize) -> Vec<String> {
    let effect = Effect::of(suite, case);
    let mut lines = explain::explain(suite, case, &[]);
    // The promise comes behind what is changed; it has more than a name of it.
    lines.retain(|line| !line.starts_with("the pages specify: "));
    name_fields(case, &mut lines);
    let width = effect.code.iter().map(|value| value.name.len()).max().unwrap_or(0);
    if !effect.code.is_empty() {
        lines.push("fields of the code:".to_string());
    }
    for ValueText { name, value, called } in &effect.code {
        let called = called.as_ref().map_or(String::new(), |called| format!(" ({called})"));
        lines.push(format!("  {name:width$} = {value}{called}"));
    }
    let has_unnamed = |step: &crate::NextStep| {
        step.code.iter().enumerate().any(|(word, bits)| bits & step.instruction.unnamed_bits(word) != 0)
    };
    if case.steps().iter().any(has_unnamed) {
        lines.push("  bits that no field names are set".to_string());
    }
    if let Some(CellText { number, class, levels }) = &effect.cell {
        let level = |one: &ValueText| format!("{}={}", one.name, one.called.as_deref().unwrap_or_default());
        let levels: Vec<String> = levels.iter().map(level).collect();
        lines.push(format!("mode: cell {number} of class \"{class}\": {}", levels.join(" ")));
    }
    for (what, rows) in [("reads", &effect.reads), ("writes", &effect.writes)] {
        if !rows.is_empty() {
            let more = rows.len().saturating_sub(8);
            let shown = rows.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            lines.push(format!(
                "{what}: {shown}{}",
                if more > 0 { format!(" and {more} more rows") } else { String::new() }
            ));
        }
    }
    lines.extend(changes(&effect, most));
    lines.push(match &effect.cited {
        None => format!("the pages specify: {}", effect.outcome),
        Some(cited) => format!("the pages specify: {} ({cited})", effect.outcome),
    });
    lines
}

/// Names the values of the fields that a case sets, in the lines that list them.
fn name_fields(case: &CaseValue, lines: &mut [String]) {
    for (&place, &value) in &case.fields {
        let field = &(case.isa.layout.fields)()[place];
        let values = case.isa.meanings.of_field(field).map_or(&[][..], |meaning| meaning.values);
        let (begin, called) = (format!("  {} = ", field.name), named(values, value));
        if let (Some(called), Some(line)) = (called, lines.iter_mut().find(|line| line.starts_with(&begin))) {
            line.push_str(&format!("  {called}"));
        }
    }
}

/// The table of what is changed.
fn changes(effect: &Effect, most: usize) -> Vec<String> {
    if effect.changes.is_empty() {
        return vec!["nothing changes".to_string()];
    }
    let format = |change: &ChangeText| change.read_as.as_ref().map_or(String::new(), |(format, ..)| format.clone());
    let rows: Vec<[String; 4]> = effect
        .changes
        .iter()
        .take(most)
        .map(|change| {
            let [before, after] = change.sides();
            [change.place.clone(), before, after, format(change)]
        })
        .collect();
    let head = ["what changes", "before", "after", ""].map(str::to_string);
    let width = |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2].map(width);
    let line = |row: &[String; 4]| {
        let [place, before, after, format] = row;
        let [first, second, third] = widths;
        format!("{place:first$}  {before:second$}  {after:third$}  {format}").trim_end().to_string()
    };
    let mut lines: Vec<String> = std::iter::once(&head).chain(&rows).map(line).collect();
    if effect.changes.len() > most {
        lines.push(format!("… and {} more; --json has all", effect.changes.len() - most));
    }
    lines
}
