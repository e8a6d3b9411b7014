//! A case in which an instruction shows what it does, and which of the values of a case matter to it.

use std::collections::BTreeMap;

use tandem_isa::{Edition, FieldRole, Instruction};

use super::effect::{Effect, fill};
use crate::{CaseId, CaseSource, CaseValue, DrawnCase, IsaSuite, Plain, Workbench};

/// The seed of the cases that are drawn.
const SEED: u64 = 1;
/// Cells of which cases are drawn, and cases of each, where no plain case shows anything.
const MOST_CELLS: usize = 64;
const MOST_CASES: u64 = 32;

/// Whether a case completes and changes something.
#[must_use]
pub fn shows(suite: &IsaSuite, case: &CaseValue) -> bool {
    Effect::completes(suite, case) && !Effect::of(suite, case).changes.is_empty()
}

/// The plain case of the first of some cells that shows something once [`fill`] has given it data; else a drawn case that does,
/// with as little as it takes; else the first plain case. Nothing if there are no cells.
#[must_use]
pub fn example(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    cells: &[u32],
) -> Option<CaseValue> {
    let plain = Plain::new(suite.isa, instruction, edition);
    let of_cell = |&cell: &u32| {
        let DrawnCase { code, small, .. } = plain.case(cell as usize);
        let mut case = CaseValue { code, ..CaseValue::base(suite.isa, instruction, edition) };
        case.take_small(&small);
        case
    };
    cells
        .iter()
        .map(of_cell)
        .find(|case| shows_filled(suite, case))
        .or_else(|| drawn(suite, (instruction, edition), cells))
        .or_else(|| cells.first().map(of_cell))
}

fn shows_filled(suite: &IsaSuite, case: &CaseValue) -> bool {
    let mut case = case.clone();
    fill(suite, &mut case);
    shows(suite, &case)
}

fn drawn(suite: &IsaSuite, unit: (&'static Instruction, Edition), cells: &[u32]) -> Option<CaseValue> {
    let (instruction, edition) = unit;
    let generator = CaseSource::new(suite.isa, SEED).generator(suite.isa, unit);
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    for index in 0..MOST_CASES {
        for &cell in cells.iter().take(MOST_CELLS) {
            let id = CaseId { isa: suite.isa.short, instruction, edition, cell, seed: SEED, index };
            let case = bench.take_value(&id, &mut |_| false);
            if shows(suite, &case) {
                return Some(plainer(suite, case));
            }
        }
    }
    None
}

/// The same case with as few values as it takes to show something in its cell, and with counted data if these do.
fn plainer(suite: &IsaSuite, mut case: CaseValue) -> CaseValue {
    let cell = case.cell();
    let is_good = |case: &CaseValue| case.cell() == cell && shows(suite, case);
    for place in case.fields.keys().copied().collect::<Vec<_>>() {
        let mut less = case.clone();
        less.fields.remove(&place);
        if is_good(&less) {
            case = less;
        }
    }
    for field in case.instruction.code_fields {
        let mut less = case.clone();
        field.set(&mut less.code, 0);
        if is_good(&less) {
            case = less;
        }
    }
    let bare = CaseValue { words: BTreeMap::new(), ..case.clone() };
    if bare.cell() == cell && shows_filled(suite, &bare) {
        return bare;
    }
    for place in case.words.keys().copied().collect::<Vec<_>>() {
        let mut less = case.clone();
        less.words.remove(&place);
        if is_good(&less) {
            case = less;
        }
    }
    case
}

/// Something of a case that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A field of the code, by its place in the instruction's list.
    Code(usize),
    /// A field of the small state, by its place in the layout's list.
    Field(usize),
    /// Words of banks: bank, row and column.
    Words(Vec<(usize, usize, usize)>),
}

/// Whether a part of a case makes a difference to what the case does: whether another value of it would have another result. Of
/// words that the case also writes it is enough that their row is read.
#[must_use]
pub fn matters(suite: &IsaSuite, case: &CaseValue, part: &Part) -> bool {
    let plain = Effect::of(suite, case);
    let differs = |other: &CaseValue, own: &[String]| {
        let effect = Effect::of(suite, other);
        let rest = |effect: &Effect| {
            let changes = effect.changes.iter().filter(|change| !own.contains(&change.place));
            changes.map(|change| (change.place.clone(), change.after)).collect::<Vec<_>>()
        };
        effect.outcome != plain.outcome || effect.writes != plain.writes || rest(&effect) != rest(&plain)
    };
    let banks = case.isa.layout.banks;
    match part {
        Part::Code(place) => {
            let field = &case.instruction.code_fields[*place];
            (0..field.width).any(|bit| {
                let mut other = case.clone();
                field.set(&mut other.code, field.get(&case.code) ^ 1 << bit);
                differs(&other, &[])
            })
        }
        Part::Field(place) => {
            let field = &(case.isa.layout.fields)()[*place];
            let value = case.fields.get(place).copied().unwrap_or(field.base);
            let mut values = (0..field.width).map(|bit| value ^ 1 << bit).filter(|&value| value <= field.max);
            values.any(|value| {
                let mut other = case.clone();
                other.fields.insert(*place, value);
                differs(&other, std::slice::from_ref(&field.name))
            })
        }
        Part::Words(words) => {
            let is_in =
                |rows: &[String], (bank, row, _): (usize, usize, usize)| rows.contains(&banks[bank].row_name(row));
            let read: Vec<_> = words.iter().copied().filter(|&word| is_in(&plain.reads, word)).collect();
            if read.iter().any(|&word| is_in(&plain.writes, word)) {
                return true;
            }
            let own: Vec<String> =
                words.iter().map(|&(bank, row, column)| banks[bank].word_name(row, column)).collect();
            let bits = read.iter().map(|&(bank, ..)| banks[bank].bits).max().unwrap_or(0);
            (0..bits).any(|bit| {
                let mut other = case.clone();
                for &(bank, row, column) in &read {
                    let base = banks[bank].base_word(row, column);
                    *other.words.entry((bank, row, column)).or_insert(base) ^= 1 << bit;
                }
                differs(&other, &own)
            })
        }
    }
}

/// The fields of the state that a case leaves at their base values although these have names, and other named values would give
/// another result that the pages specify too: each with the name of its value. A field of a format is of this kind.
#[must_use]
pub fn left_to_default(suite: &IsaSuite, case: &CaseValue) -> Vec<(String, &'static str)> {
    let plain = Effect::of(suite, case);
    let mut left = Vec::new();
    for (place, field) in (case.isa.layout.fields)().iter().enumerate() {
        let meaning = case.isa.meanings.of_field(field);
        let names = meaning.map_or(&[][..], |meaning| meaning.values);
        let base = names.get(field.base as usize).filter(|name| !name.is_empty());
        let Some(&base) = base.filter(|_| field.role != FieldRole::Model && !case.fields.contains_key(&place)) else {
            continue;
        };
        let values = (0..names.len()).filter_map(|value| u32::try_from(value).ok());
        let mut others =
            values.filter(|&value| value != field.base && value <= field.max && !names[value as usize].is_empty());
        let decides = others.any(|value| {
            let mut other = case.clone();
            other.fields.insert(place, value);
            let effect = Effect::of(suite, &other);
            let after = |effect: &Effect| {
                let changes = effect.changes.iter().filter(|change| change.place != field.name);
                changes.map(|change| (change.place.clone(), change.after)).collect::<Vec<_>>()
            };
            effect.outcome == plain.outcome && after(&effect) != after(&plain)
        });
        if decides {
            left.push((field.name.clone(), base));
        }
    }
    left
}
