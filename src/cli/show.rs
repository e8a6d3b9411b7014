//! `tandem show`: what an instruction does, in words and side by side.

use std::path::Path;

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::observe::{Lens, View};
use tandem_harness::report::CaseText;
use tandem_harness::report::effect::{Effect, fill, lines, words_named};
use tandem_harness::report::example::{Part, example, left_to_default, matters};
use tandem_harness::vectors::Store;
use tandem_harness::{CaseValue, IsaSuite, ProgramId, Suite};
use tandem_isa::{Code, Edition, Instruction, Noise, Parts, SaltPlan, Settings, State};

use super::args::Show;
use super::case::{case_id, open};
use super::{CliError, Common, Exit, programs, select};
use crate::nearest;
use crate::wiring;

/// Cases of a file that are shown, if there are more than [`FEW`].
const FIRST: usize = 5;
/// As many cases of a file are all shown.
const FEW: usize = 20;
/// Changes that are shown of a case; `--json` has all.
const MOST_CHANGES: usize = 32;

/// What is shown.
struct Shown {
    isa: IsaSuite,
    /// What it is, in a line.
    title: String,
    cases: Vec<CaseValue>,
    /// Cases that are left out.
    more: usize,
    /// Whether nobody said what data there are.
    is_bare: bool,
}

impl Shown {
    fn one(isa: &IsaSuite, title: String, case: CaseValue) -> Self {
        Shown { isa: isa.clone(), title, cases: vec![case], more: 0, is_bare: false }
    }
}

/// Explains an instruction, a case, a file, a word or a text.
pub(super) fn run(common: &Common, asked: &Show) -> Result<Exit, CliError> {
    let suite = wiring::suite();
    let (what, set) = (&*asked.what, &*asked.set);
    let mut shown = if ProgramId::parse(what, &suite).is_ok() {
        program(&suite, what, &asked.filters)?
    } else if let [filter, ..] = &*asked.filters {
        return Err(CliError::Usage(format!("'{filter}' would be a filter, and {what} is no id of a program")));
    } else {
        find(common, &suite, what, set)?
    };
    let mut parts = Vec::new();
    if !set.is_empty() {
        let [case] = &mut shown.cases[..] else {
            return Err(CliError::Usage(format!("--set is for one case, and {what} has several")));
        };
        parts = set_all(case, set)?;
    }
    // A word that is set to its base value stands nowhere in the case.
    let is_set = parts.iter().any(|(_, part)| matches!(part, Part::Words(_)));
    if shown.is_bare && !is_set && shown.cases.iter().all(|case| case.words.is_empty()) {
        let mut filled = false;
        shown.cases.iter_mut().for_each(|case| filled |= fill(&shown.isa, case));
        if filled {
            noteln!("tandem: data that are read hold 1, 2, 3, …, as --set names no word");
        }
    }
    if common.json {
        let effects: Vec<Effect> = shown.cases.iter().map(|case| Effect::of(&shown.isa, case)).collect();
        outln!("{}", json!({ "cases": effects, "more": shown.more }));
        return Ok(Exit::Agree);
    }
    if !shown.title.is_empty() {
        outln!("{}", shown.title);
    }
    for case in &shown.cases {
        lines(&shown.isa, case, MOST_CHANGES).iter().for_each(|line| outln!("{line}"));
    }
    if shown.more > 0 {
        outln!("… and {} more", shown.more);
    }
    if let [case] = &shown.cases[..] {
        warn(&shown.isa, case, &parts);
    }
    Ok(Exit::Agree)
}

/// Says which parts that were set make no difference, and which formats and other named values nobody set and do make one.
fn warn(isa: &IsaSuite, case: &CaseValue, parts: &[(String, Part)]) {
    let effect = Effect::of(isa, case);
    if parts.is_empty() || !case.then.is_empty() || effect.cited.is_some() {
        return;
    }
    for (item, part) in parts.iter().filter(|(_, part)| !matters(isa, case, part)) {
        match part {
            Part::Words(_) => {
                noteln!("tandem: {item} was set, and this case does not read it; it reads {}", some(&effect.reads))
            }
            Part::Code(_) | Part::Field(_) => noteln!("tandem: {item} was set, and makes no difference in this case"),
        }
    }
    for (name, value) in left_to_default(isa, case) {
        noteln!("tandem: {name} was left as {value}, and decides what comes of it; set it with --set {name}=…");
    }
}

/// The first names of a list.
fn some(names: &[String]) -> String {
    match names {
        [] => "no data".to_string(),
        [first @ .., _] if first.len() < 4 => names.join(", "),
        _ => format!("{}, …", names[..4].join(", ")),
    }
}

/// What is meant.
fn find(common: &Common, suite: &Suite, what: &str, set: &[String]) -> Result<Shown, CliError> {
    if Path::new(what).exists() {
        return file(suite, what);
    }
    let edition = select::edition(common)?.unwrap_or(Edition::Newest);
    if let Some(isa) = ISAS.iter().find(|isa| what.strip_prefix(isa.name).is_some_and(|rest| rest.starts_with('/'))) {
        if let Ok(text) = what.parse::<CaseText>() {
            let read = text.read(suite).map_err(|error| CliError::Usage(error.to_string()))?;
            return Ok(Shown::one(&read.1, String::new(), read.0));
        }
        let isa = suite.isa(isa.name).expect("the suite has every instruction set");
        return instruction(isa, what, edition, set);
    }
    if let Some((isa, code)) = decode(suite, what)? {
        let instruction = isa.isa.decode(&code).expect("decoded");
        let case = CaseValue { code, ..CaseValue::base(isa.isa, instruction, edition) };
        return Ok(Shown { is_bare: true, ..Shown::one(isa, String::new(), case) });
    }
    if what.len() == 16 && what.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return test(common, suite, what);
    }
    let (id, isa) = case_id(suite, what)?;
    let title = format!("{id}: seed {}, index {}", id.seed, id.index);
    Ok(Shown::one(&isa, title, tandem_harness::take_value(&isa, &id, &mut |_| false)))
}

fn file(suite: &Suite, what: &str) -> Result<Shown, CliError> {
    let (file, isa) = open(suite, Path::new(what))?;
    let (path, source) = (file.instruction.path(), &file.source);
    let title = format!("{what}: {} tests of {path}, from {} {}", file.len(), source.name, source.version);
    let mut cases = file.case_values();
    let more = if cases.len() > FEW { cases.len() - FIRST } else { 0 };
    cases.truncate(cases.len() - more);
    Ok(Shown { isa: isa.clone(), title, cases, more, is_bare: false })
}

/// An instruction by its path: a case, of a cell that has the levels which are set, in which it shows what it does.
fn instruction(isa: &IsaSuite, what: &str, edition: Edition, set: &[String]) -> Result<Shown, CliError> {
    let name = what.split_once('/').map_or(what, |(_, name)| name);
    let instruction = isa.isa.instruction(name).ok_or_else(|| {
        let known: Vec<&str> = isa.isa.instructions.iter().map(|one| one.file).collect();
        CliError::Usage(format!("{} has no instruction '{name}'{}", isa.isa.name, nearest::or_all(name, &known)))
    })?;
    let space = (instruction.cells)(edition);
    let is_level = |item: &&String| {
        let (axis, level) = item.split_once('=').unwrap_or((item, ""));
        space.axes.iter().any(|one| one.name == axis && one.levels.contains(&level))
    };
    let levels: Vec<String> = set.iter().filter(is_level).cloned().collect();
    let cells = select::cells(instruction, edition, &levels)?;
    let case = example(isa, (instruction, edition), &cells).ok_or_else(|| {
        CliError::Usage(format!("no cell of {} has all of {}", instruction.path(), levels.join(", ")))
    })?;
    let title = format!("{}: {}", instruction.path(), instruction.summary);
    Ok(Shown { is_bare: true, ..Shown::one(isa, title, case) })
}

/// A recorded test, by its id.
fn test(common: &Common, suite: &Suite, what: &str) -> Result<Shown, CliError> {
    let store = Store::load_of(ISAS, &common.vectors, &|_| true)?;
    for (path, file) in &store.files {
        let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
        let Some((_, test)) = file.tests().find(|(_, test)| test.id(file.isa, file.instruction) == what) else {
            continue;
        };
        let title = format!("{what}: a test of {}", path.display());
        let edition = select::edition(common)?.unwrap_or_else(|| test.newest());
        return Ok(Shown::one(isa, title, test.case_value(file.isa, file.instruction, edition)));
    }
    Err(CliError::Usage(format!("no test under {} has the id '{what}'", common.vectors.display())))
}

/// A program, by its id, as a run with these filters draws it.
fn program(suite: &Suite, what: &str, filters: &[String]) -> Result<Shown, CliError> {
    let (id, isa, mut bench) = programs::bench_of(suite, what, filters)?;
    let case = bench.take_value(&id, false);
    let case = case.ok_or_else(|| CliError::Usage(format!("{what}: no candidate has what the id asks for")))?;
    let fillers = match case.then.len() > 1 {
        true if filters.is_empty() => "; steps behind the second are those of a run of all instructions",
        true => "; steps behind the second are those of a run with these filters",
        false => "",
    };
    let title = format!("{id}: seed {}, index {}, {}{fillers}", id.seed, id.index, id.dependence.name());
    Ok(Shown::one(&isa, title, case))
}

/// Reads a word such as `0x12002000`, or an instruction's text.
fn decode<'a>(suite: &'a Suite, what: &str) -> Result<Option<(&'a IsaSuite, Code)>, CliError> {
    let what = what.trim();
    if let Some(digits) = what.strip_prefix("0x") {
        let word = u32::from_str_radix(digits, 16)
            .map_err(|_| CliError::Usage(format!("'{what}' is not a word of at most 32 bits in hexadecimal")))?;
        let code = Code::new(&[word]);
        let isa = suite.isas.iter().find(|isa| isa.isa.decode(&code).is_some());
        return isa.map(|isa| Some((isa, code))).ok_or_else(|| {
            CliError::Usage(format!("no known instruction has the opcode of {what}; known: {}", opcodes(suite)))
        });
    }
    if !what.contains('(') {
        return Ok(None);
    }
    let mut why = Vec::new();
    for (isa, instruction) in suite.instructions() {
        match instruction.parse(what) {
            Ok(code) => return Ok(Some((isa, code))),
            Err(error) => why.push((instruction.name, error.to_string())),
        }
    }
    // Whoever wrote a mnemonic wants to know what is wrong with its operands. Longer names contain shorter ones.
    let upper = what.to_ascii_uppercase();
    why.sort_by_key(|(name, _)| (!upper.contains(name), std::cmp::Reverse(name.len())));
    Err(CliError::Usage(why.into_iter().next().map(|(_, error)| error).unwrap_or_default()))
}

fn opcodes(suite: &Suite) -> String {
    let list: Vec<String> = suite
        .instructions()
        .map(|(_, instruction)| format!("{} {:?}", instruction.name, Code::new(instruction.base_code)))
        .collect();
    list.join(", ")
}

// ------------------------------------------------------------------------------------------------ what is set

/// Something of a case that is set.
enum Place {
    Number(Lens, u32),
    Words(Vec<(usize, usize, usize)>, u32),
}

impl Place {
    /// The part of the case that it is, if it is no sum of several.
    fn part(self) -> Option<Part> {
        match self {
            Place::Number(Lens::Code(place), _) => Some(Part::Code(place)),
            Place::Number(Lens::Field(place), _) => Some(Part::Field(place)),
            Place::Number(..) => None,
            Place::Words(words, _) => Some(Part::Words(words)),
        }
    }
}

/// Sets axes, then fields and words. What of it are fields of their own and words.
fn set_all(case: &mut CaseValue, set: &[String]) -> Result<Vec<(String, Part)>, CliError> {
    let view = View::new(case.isa, case.instruction, case.edition);
    let mut places = set.iter().map(|item| place(case, view, item)).collect::<Result<Vec<_>, _>>()?;
    places.sort_by_key(|(_, place)| {
        let is_of_several = |lens: &Lens| !matches!(lens, Lens::Code(_) | Lens::Unnamed(_) | Lens::Field(_));
        !matches!(place, Place::Number(lens, _) if is_of_several(lens))
    });
    let (mut state, mut code) = (case.state(), case.code);
    let mut salt = SaltPlan::default().with(Settings::of(&state));
    let mut parts = |state: &mut State, look: &mut dyn FnMut(&mut Parts<'_>) -> bool| {
        look(&mut Parts { code: &mut code, small: &mut state.small, salt: &mut salt })
    };
    let refuse = |item: &str| {
        CliError::Usage(format!("{item}: a case that has this has not all the rest of --set; leave something out"))
    };
    for (item, place) in &places {
        match place {
            Place::Number(lens, value) => {
                let mut noise = Noise::new(0);
                if !parts(&mut state, &mut |parts| view.set(*lens, parts, *value, &mut noise)) {
                    return Err(refuse(item));
                }
            }
            Place::Words(words, value) => {
                words.iter().for_each(|&(bank, row, column)| state.set_word(bank, row, column, *value));
            }
        }
    }
    for (item, place) in &places {
        if let Place::Number(lens, value) = place
            && !parts(&mut state, &mut |parts| view.get(*lens, parts) == *value)
        {
            return Err(refuse(item));
        }
    }
    let instruction = case.isa.decode(&code).unwrap_or(case.instruction);
    if !std::ptr::eq(instruction, case.instruction) {
        return Err(CliError::Usage(format!(
            "that is the code of {}, not of {}",
            instruction.path(),
            case.instruction.path()
        )));
    }
    case.code = code;
    case.take_small(&state.small);
    for (_, place) in &places {
        let Place::Words(words, _) = place else { continue };
        words.iter().for_each(|&(bank, row, _)| case.take_row(bank, row, state.row(bank, row)));
    }
    Ok(places.into_iter().filter_map(|(item, place)| Some((item.to_string(), place.part()?))).collect())
}

/// What an item of `--set` is about. A number is first one of a field, a name first one of an axis.
fn place<'a>(case: &CaseValue, view: View, item: &'a str) -> Result<(&'a str, Place), CliError> {
    let (name, text) =
        item.split_once('=').ok_or_else(|| CliError::Usage(format!("{item}: --set takes NAME=VALUE")))?;
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let mut lenses: Vec<Lens> =
        view.lenses().into_iter().filter(|&lens| view.name(lens).eq_ignore_ascii_case(name)).collect();
    lenses.sort_by_key(|lens| matches!(lens, Lens::Code(_) | Lens::Field(_)) != is_number);
    let mut why = None;
    for &lens in &lenses {
        let named = names(case, lens).iter().position(|known| !known.is_empty() && known.eq_ignore_ascii_case(text));
        match named.map_or_else(|| view.value_of(lens, text), |place| Ok(u32::try_from(place).expect("few names"))) {
            Ok(value) => return Ok((item, Place::Number(lens, value))),
            Err(error) => {
                let known: Vec<&str> = names(case, lens).iter().copied().filter(|name| !name.is_empty()).collect();
                let meant = if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) };
                why.get_or_insert(format!("{error}{meant}"));
            }
        }
    }
    if let Some(why) = why {
        return Err(CliError::Usage(why));
    }
    let words = words_named(case, name).map_err(|error| unknown(case.instruction, view, name, &error))?;
    let digits = text.strip_prefix("0x");
    let value = digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok());
    let mask = case.isa.layout.banks[words[0].0].word_mask();
    match value.filter(|value| value & !mask == 0) {
        Some(value) => Ok((item, Place::Words(words, value))),
        None => Err(CliError::Usage(format!("{item}: a word of this bank is a number up to {mask:#x}"))),
    }
}

/// The names of a field's values, by number.
fn names(case: &CaseValue, lens: Lens) -> &'static [&'static str] {
    let meaning = match lens {
        Lens::Code(place) => case.isa.meanings.of_code(&case.instruction.code_fields[place]),
        Lens::Field(place) => case.isa.meanings.of_field(&(case.isa.layout.fields)()[place]),
        Lens::Quantity(_) | Lens::Path(_) | Lens::Axis(_) | Lens::Unnamed(_) | Lens::Any(_) | Lens::Differ(_) => None,
    };
    meaning.map_or(&[], |meaning| meaning.values)
}

fn unknown(instruction: &Instruction, view: View, name: &str, why: &str) -> CliError {
    let known: Vec<String> = view.lenses().into_iter().map(|lens| view.name(lens)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let meant = nearest::nearest(name, &known).map(|name| format!("; did you mean '{name}'? "));
    let meant = meant.unwrap_or_else(|| "; ".to_string());
    CliError::Usage(format!("{why}{meant}`tandem describe {}` lists what there is", instruction.path()))
}
