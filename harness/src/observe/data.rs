//! Data that are refused: rows of one datum, with another one in it, are asked until it is known which data those are.

use tandem_isa::{Fill, Format, Narrowing};

use crate::bench::Reply;
use crate::case::Question;
use crate::corners;
use crate::terms::{DataAtom, DataTest, pieces, sequence::low};

/// The most corner values that are asked of a bank.
const MOST_VALUES: usize = 256;
/// The most tests in a condition on data.
const MOST_TESTS: usize = 3;

/// Operands of a bank, and how they are to be read.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    pub(super) bank: usize,
    pub(super) datum_bytes: usize,
    /// Significant bits of a datum.
    pub(super) bits: u32,
    pub(super) format: Option<&'static Format>,
}

/// The condition on the data of a bank that have `question` refused, if it is one of these, and such a datum. `ask` asks.
pub(super) fn condition(
    question: &Question,
    operands: Operands,
    ask: &mut dyn FnMut(Vec<Question>) -> Vec<Reply>,
) -> Option<(DataAtom, u64)> {
    let mask = low(operands.bits);
    let mut values: Vec<u64> = match operands.format {
        Some(format) => corners(format).iter().map(|value| value & mask).collect(),
        None => (0..operands.bits).map(|bit| 1 << bit).chain([0, mask]).collect(),
    };
    let step = values.len().div_ceil(MOST_VALUES);
    values =
        values.into_iter().step_by(step).chain([0, mask]).chain(operands.format.map_or_else(Vec::new, ends)).collect();
    values.iter_mut().for_each(|value| *value &= mask);
    values.sort_unstable();
    values.dedup();
    let with = |value: u64, odd: Option<u64>, key: u64| {
        let fill = Fill { bank: operands.bank, datum_bytes: operands.datum_bytes, value, odd };
        Question { narrowing: Narrowing { avoid: 0, fill: Some(fill) }, key, ..question.clone() }
    };
    // Data that are answered when there is nothing else.
    let whole = ask(values.iter().map(|&value| with(value, None, question.key)).collect());
    let instead = values.iter().zip(&whole).find(|(_, reply)| **reply == Reply::Answered).map(|(&value, _)| value)?;
    let odd = ask(values.iter().map(|&value| with(instead, Some(value), question.key ^ value)).collect());
    let refused: Vec<u64> = of(&values, &odd, |reply| matches!(reply, Reply::Refused(_)));
    let answered: Vec<u64> = of(&values, &odd, |reply| *reply == Reply::Answered);
    if refused.is_empty() {
        return None;
    }
    let (tests, words) = tests(operands.format, mask, &refused, &answered)?;
    let atom = DataAtom { bank: operands.bank, datum_bytes: operands.datum_bytes, tests, words, instead };
    Some((atom, refused[0]))
}

/// The ends of a format: exponents of all zeros and all ones, each with the least and the largest mantissa.
fn ends(format: &Format) -> Vec<u64> {
    let pieces = pieces(format);
    let mask = |name: &str| pieces.iter().filter(|(piece, _)| *piece == name).fold(0, |mask, (_, piece)| mask | piece);
    let (exponent, mantissa, sign) = (mask("exponent"), mask("mantissa") | mask("value"), mask("sign"));
    let lowest = mantissa & mantissa.wrapping_neg();
    let of = |exponent: u64| [0, lowest, mantissa].map(|mantissa| [0, sign].map(|sign| exponent | mantissa | sign));
    [0, exponent].map(of).as_flattened().as_flattened().to_vec()
}

fn of(values: &[u64], replies: &[Reply], wanted: impl Fn(&Reply) -> bool) -> Vec<u64> {
    values.iter().zip(replies).filter(|(_, reply)| wanted(reply)).map(|(&value, _)| value).collect()
}

/// The fewest tests that all refused values meet and no answered one does.
fn tests(
    format: Option<&Format>,
    mask: u64,
    refused: &[u64],
    answered: &[u64],
) -> Option<(Vec<(u64, DataTest)>, String)> {
    let mut candidates: Vec<(u64, DataTest, String)> = Vec::new();
    for (name, piece) in format.map_or_else(Vec::new, pieces) {
        if piece & mask == 0 {
            continue;
        }
        let single = piece.count_ones() == 1;
        candidates.push((piece, DataTest::Zero, if single { format!("{name} 0") } else { format!("{name} all zero") }));
        candidates.push((piece, DataTest::Ones, if single { format!("{name} 1") } else { format!("{name} all ones") }));
        if !single {
            candidates.push((piece, DataTest::NonZero, format!("{name} not zero")));
        }
    }
    candidates.push((mask, DataTest::Is(refused[0]), format!("the value {:#x}", refused[0])));
    for bit in (0..64).filter(|bit| mask >> bit & 1 != 0) {
        candidates.push((1 << bit, DataTest::Ones, format!("bit {bit} set")));
        candidates.push((1 << bit, DataTest::Zero, format!("bit {bit} clear")));
    }
    candidates.push((mask, DataTest::NonZero, "a value other than 0".to_string()));
    candidates.retain(|(mask, test, _)| refused.iter().all(|&value| test.holds(*mask, value)));
    let mut chosen: Vec<(u64, DataTest, String)> = Vec::new();
    let mut left: Vec<u64> = answered.to_vec();
    while !left.is_empty() && chosen.len() < MOST_TESTS {
        let best = candidates
            .iter()
            .min_by_key(|(mask, test, _)| left.iter().filter(|&&value| test.holds(*mask, value)).count())?;
        left.retain(|&value| best.1.holds(best.0, value));
        chosen.push(best.clone());
    }
    if !left.is_empty() || chosen.is_empty() {
        return None;
    }
    let words: Vec<&str> = chosen.iter().map(|(_, _, words)| &**words).collect();
    let words = words.join(" and ");
    Some((chosen.into_iter().map(|(mask, test, _)| (mask, test)).collect(), words))
}
