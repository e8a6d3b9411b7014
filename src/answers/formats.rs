//! Formats: what comes back in L1 of what lay there, for every pair of formats and each early conversion that leads
//! from one to the other, by the journey that `tandem tile` shows.

use tandem_harness::IsaSuite;
use tandem_isa::{FormatKind, Instruction};

use super::values::specials;
use super::{Answer, Topic};
use crate::tile::{FORMATS, Journey, L1Format};

pub(super) fn of(isa: &IsaSuite, instructions: &[&'static Instruction]) -> Vec<Answer> {
    let answers = instructions.iter().flat_map(|one| match one.file {
        "pacr" => FORMATS.iter().flat_map(|from| FORMATS.iter().flat_map(|to| pair(isa, one, from, to))).collect(),
        _ => vec![Answer::new(Topic::Formats, one, "", "formats in L1", "PACR has what comes of pairs of formats")],
    });
    answers.collect()
}

/// The rows of a pair: one for each early conversion, or one for both if the same comes of them.
fn pair(isa: &IsaSuite, pacr: &'static Instruction, from: &'static L1Format, to: &'static L1Format) -> Vec<Answer> {
    let plain = Journey::new(from, to);
    let choices = plain.early();
    let asked = values(from, to);
    let says = |journey: &Journey| -> Vec<String> {
        let came = |(_, bits): &(&str, String)| journey.run(isa, &[bits]).map(|tile| tile.outcome(0));
        asked.iter().map(|one| came(one).unwrap_or_else(|why| why)).collect()
    };
    let mut rows: Vec<(&str, Option<bool>, Vec<String>)> = Vec::new();
    for early in &choices {
        let is_raw = (choices.len() > 1).then_some(early.is_raw);
        let says = says(&Journey { is_raw, ..plain });
        match rows.last_mut() {
            Some((name, _, known)) if *known == says => *name = ", rounded or not",
            _ => rows.push((is_raw.map_or("", |is_raw| if is_raw { ", --raw" } else { ", --round" }), is_raw, says)),
        }
    }
    let answer = |(name, is_raw, says): &(&str, Option<bool>, Vec<String>)| -> Vec<Answer> {
        let of = format!("{} to {}{name}", from.name(), to.name());
        let cell = |((asked, bits), says): (&(&'static str, String), &String)| {
            let mut command = vec!["tile", bits, "--isa", isa.isa.name, "--from", from.name(), "--to", to.name()];
            command.extend(is_raw.map(|is_raw| if is_raw { "--raw" } else { "--round" }));
            Answer::new(Topic::Formats, pacr, &*of, asked, &**says).shown(&command)
        };
        asked.iter().zip(says).map(cell).collect()
    };
    rows.iter().flat_map(answer).collect()
}

/// The values that are asked for, by name, as bits of the first format: those that it has, and of values that the other
/// one has to round those that there are.
fn values(from: &'static L1Format, to: &L1Format) -> Vec<(&'static str, String)> {
    let (datum, bits) = (from.datum, from.datum.mantissa_bits());
    let text = |word: u64, exponent: i32| match from.block {
        Some(_) => format!("{word:#x}@{exponent}"),
        None => format!("{word:#x}"),
    };
    // Bits behind the point, of a block format behind the first bit of the magnitude.
    let fraction = |one: &L1Format| match (one.datum.kind, one.block) {
        (_, Some(_)) => Some(one.datum.mantissa_bits() - 1),
        (FormatKind::Float { .. }, None) => Some(one.datum.mantissa_bits()),
        _ => None,
    };
    let bias = match (datum.kind, from.block) {
        (FormatKind::Float { bias }, _) | (_, Some(bias)) => bias,
        _ => 0,
    };
    // 1 and a fraction, which is none of the parts of an integer.
    let one = |fraction_bits: u64| match (datum.kind, from.block) {
        (FormatKind::Float { .. }, _) => text(datum.place(0, bias.unsigned_abs().into(), fraction_bits), bias),
        (_, Some(_)) => text(1 << (bits - 1) | fraction_bits, bias),
        _ => text(1, bias),
    };
    let mut values = vec![("1", one(0))];
    if let (Some(own), Some(others)) = (fraction(from), fraction(to)) {
        let behind = own.saturating_sub(others);
        values.extend((behind >= 1).then(|| ("a half of the last bit", one(1 << (behind - 1)))));
        values.extend((behind >= 2).then(|| ("three quarters of the last bit", one(3 << (behind - 2)))));
    }
    match (datum.kind, from.block) {
        (_, Some(bias)) => {
            let most = (1 << bits) - 1;
            values.push(("-0", text(1 << bits, bias)));
            values.extend((bits > 1).then(|| ("denormal", text(1, 0))));
            values.push(("largest", text(most, 2 * bias)));
        }
        (FormatKind::Float { bias }, None) => {
            let special = |(name, word): (&'static str, u32)| (name, text(word.into(), bias));
            values.extend(specials(datum).into_iter().filter(|(name, _)| *name != "-infinity pattern").map(special));
            let most = (1 << bits) - 1;
            values.push(("largest", text(datum.place(0, 2 * u64::from(bias.unsigned_abs()), most), bias)));
        }
        _ => {
            let special = |(name, word): (&'static str, u32)| (name, text(word.into(), 0));
            values.extend(specials(datum).into_iter().filter(|(name, _)| *name == "-0").map(special));
            values.push(("largest", text((1 << bits) - 1, 0)));
        }
    }
    values
}
