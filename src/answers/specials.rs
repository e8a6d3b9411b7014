//! Specials: what comes out for -0, NaN, infinity, a denormal, and for the smallest and the largest integer.

use tandem_harness::IsaSuite;
use tandem_isa::Instruction;

use super::values::{Asked, Asker, Part, Row, integer_or_float, merged, specials};
use super::{Answer, Topic};

pub(super) fn of(suite: &IsaSuite, instruction: &'static Instruction) -> Vec<Answer> {
    let mut asker = Asker::new(suite, instruction);
    let mut rows = Vec::new();
    for mode in asker.modes().iter() {
        match asker.operands(mode) {
            Ok(all) => rows.extend(all.iter().filter_map(|own| row(&mut asker, Asked { mode, all: &all, own }))),
            Err(why) => {
                let cells = vec![("any value", why, mode.case.clone())];
                rows.push(Row { mode: mode.label.clone(), operand: String::new(), cells });
            }
        }
    }
    if rows.is_empty() {
        return vec![Answer::new(Topic::Specials, instruction, "", "any value", "computes on no number")];
    }
    merged(Topic::Specials, instruction, &rows)
}

fn row(asker: &mut Asker<'_>, asked: Asked<'_>) -> Option<Row> {
    let (own, mut names) = (asked.own, Vec::new());
    for (name, _) in own.parts.iter().flat_map(|part| specials(part.format)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let words = |name: &&'static str| -> Vec<u32> {
        let word = |part: &Part| {
            let special = specials(part.format).into_iter().find(|(own, _)| own == name);
            special.map_or_else(|| integer_or_float(part.format, 1), |(_, word)| word)
        };
        own.parts.iter().map(word).collect()
    };
    let plain = |value| own.parts.iter().map(|part| integer_or_float(part.format, value)).collect();
    let values: Vec<Vec<u32>> = [1, 2].map(plain).into_iter().chain(names.iter().map(words)).collect();
    // Beside 1 some products have no bits in what comes out.
    let ask = |others| (others, asker.ask(asked, (None, others), &values));
    let (others, came) = [1, 1023].into_iter().map(ask).find(|(_, came)| came.iter().any(|one| one.shows))?;
    let format = if let [part] = &own.parts[..] { format!(" ({})", part.format.name) } else { String::new() };
    let beside = if others == 1 { String::new() } else { format!(" beside {others}") };
    let cells = names.into_iter().zip(came.into_iter().skip(2)).map(|(name, one)| (name, one.text, one.case));
    let operand = format!("{}{format}{beside}", own.name);
    Some(Row { mode: asked.mode.label.clone(), operand, cells: cells.collect() })
}
