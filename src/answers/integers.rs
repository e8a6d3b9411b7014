//! Integers: how an operand is read, between which values the result is exact, and what comes beyond.
//!
//! An operand is given -3 to 3, once as sign-magnitude and once as two's complement, beside a positive and a negative integer that
//! are read alike. The way in which what comes out is more regular is how it is read, if that is a sum, a product, a magnitude or a
//! comparison. A shift, or bits that are moved, tell nothing of how integers are read.

use std::cmp::Ordering;

use tandem_harness::{CaseValue, IsaSuite};
use tandem_isa::Instruction;

use super::values::{Asked, Asker, Came, Reading, Row, bits, decode, encode, is_float, merged};
use super::{Answer, Topic};

/// The widths at which it is looked whether a result is still exact.
const WIDTHS: [u32; 11] = [7, 8, 10, 11, 15, 16, 18, 22, 23, 24, 30];

/// What is said where neither reading stands out.
const UNDECIDED: &str = "undecided: no sum, product, magnitude or comparison of small integers shows";

/// How regular a list of results is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Regular {
    None,
    /// What a shift gives, for example.
    Order,
    /// Two results.
    Comparison,
    /// Of magnitudes: slope, and value at 0.
    Magnitude(i64, i64),
    /// Slope, and value at 0.
    Line(i64, i64),
}

impl Regular {
    const fn rank(self) -> u8 {
        match self {
            Regular::None => 0,
            Regular::Order => 1,
            Regular::Comparison => 2,
            Regular::Magnitude(..) => 3,
            Regular::Line(..) => 4,
        }
    }

    fn of(results: &[i64]) -> Self {
        let steps: Vec<i64> = results.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (middle, last) = (results.len() / 2, steps[steps.len() - 1]);
        if steps.iter().all(|&step| step == 0) {
            Regular::None
        } else if steps.iter().all(|&step| step == last) {
            Regular::Line(last, results[middle])
        } else if results.iter().eq(results.iter().rev()) && steps[middle..].iter().all(|&step| step == last) {
            Regular::Magnitude(last, results[middle])
        } else if steps.iter().all(|&step| step >= 0) || steps.iter().all(|&step| step <= 0) {
            let is_one_step = steps.iter().filter(|&&step| step != 0).count() == 1;
            if is_one_step { Regular::Comparison } else { Regular::Order }
        } else {
            Regular::None
        }
    }

    /// What comes of a value if it goes on so.
    const fn at(self, value: i64) -> Option<i64> {
        match self {
            Regular::Line(slope, at_zero) => Some(slope * value + at_zero),
            Regular::Magnitude(slope, at_zero) => Some(slope * value.abs() + at_zero),
            Regular::None | Regular::Order | Regular::Comparison => None,
        }
    }
}

pub(super) fn of(suite: &IsaSuite, instruction: &'static Instruction) -> Vec<Answer> {
    let mut asker = Asker::new(suite, instruction);
    let mut rows = Vec::new();
    for mode in asker.modes().iter() {
        // Of what is not promised `specials` speaks.
        let all = asker.operands(mode).unwrap_or_default();
        for own in all.iter().filter(|own| own.parts.len() == 1 && !is_float(own.parts[0].format)) {
            let asked = Asked { mode, all: &all, own };
            // Beside small ones some products have no bits in what comes out.
            rows.extend([[1, -2], [1023, -1023]].into_iter().find_map(|beside| row(&mut asker, asked, beside)));
        }
    }
    if rows.is_empty() {
        return vec![Answer::new(Topic::Integers, instruction, "", "read as", "has no integer operand")];
    }
    merged(Topic::Integers, instruction, &rows)
}

fn ask(asker: &mut Asker<'_>, asked: Asked<'_>, way: (Reading, i64), values: &[i64]) -> Vec<Came> {
    let word = |&value: &i64| vec![encode(asked.own.parts[0].format, way.0, value)];
    asker.ask(asked, (Some(way.0), way.1), &values.iter().map(word).collect::<Vec<_>>())
}

/// The integer that came out.
fn result(came: &Came, out: Reading) -> Option<i64> {
    came.data.first().and_then(|&(format, word)| decode(format, out, word))
}

fn regular(came: &[Came], out: Reading) -> Regular {
    let results: Option<Vec<i64>> = came.iter().map(|one| result(one, out)).collect();
    results.map_or(Regular::None, |results| Regular::of(&results))
}

fn row(asker: &mut Asker<'_>, asked: Asked<'_>, beside: [i64; 2]) -> Option<Row> {
    let small: Vec<i64> = (-3..=3).collect();
    // Of each way to read it: how regular results are at the least, how they are read, at best, and the case of -1.
    let mut ways = Vec::new();
    // Whether the word comes out as it is, or shifted.
    let mut is_moved = true;
    for reading in [Reading::TwosComplement, Reading::SignMagnitude] {
        let (mut least, mut best, mut shown) = (Regular::Line(0, 0), (Regular::None, reading), None);
        for others in beside {
            let came = ask(asker, asked, (reading, others), &small);
            if came.iter().any(|one| one.refused) || !came.iter().any(|one| one.shows) {
                continue;
            }
            let outs = [Reading::Float, Reading::SignMagnitude, Reading::TwosComplement, reading];
            let now = outs.map(|out| (regular(&came, out), out)).into_iter().max_by_key(|way| way.0.rank())?;
            least = if now.0.rank() < least.rank() { now.0 } else { least };
            best = if now.0.rank() > best.0.rank() { now } else { best };
            is_moved &= came.iter().zip(&small).all(|(one, &value)| {
                let word = encode(asked.own.parts[0].format, reading, value);
                one.data.first().is_some_and(|&(_, came)| (0..32).any(|by| word.rotate_left(by) == came))
            });
            shown = shown.or_else(|| came.into_iter().nth(2));
        }
        ways.push((least.rank(), reading, best, shown?));
    }
    let [two, sign] = <[_; 2]>::try_from(ways).ok()?;
    // A shift by as much as the code says.
    let is_shifted = asked.all.len() == 1 && matches!(two.2.0, Regular::Line(2.., 0));
    let [two_is_told, sign_is_told] =
        [&two, &sign].map(|way| way.0 >= Regular::Comparison.rank() && !is_moved && !is_shifted);
    let (says, (_, reading, (regular, out), one)) = match (two.0.cmp(&sign.0), two.2.0, sign.2.0) {
        (Ordering::Greater, Regular::Magnitude(..), _) if two_is_told => {
            ("two's complement, of which the magnitude counts", two)
        }
        (Ordering::Greater, ..) if two_is_told => ("two's complement", two),
        (Ordering::Less, _, Regular::Magnitude(..)) if sign_is_told => ("magnitude, whatever the sign bit is", sign),
        (Ordering::Less, ..) if sign_is_told => ("sign-magnitude", sign),
        _ => (UNDECIDED, two),
    };
    let is_told = says != UNDECIDED;
    let minus_one =
        if is_told { "-1".to_string() } else { format!("{:#x}", encode(asked.own.parts[0].format, reading, -1)) };
    let mut cells = vec![("read as", format!("{says} ({minus_one}: {})", one.text), one.case)];
    if is_told && regular.rank() > Regular::Order.rank() {
        cells.extend(end(asker, asked, (reading, out), ("at its largest", 1, beside[0])));
        cells.extend(end(asker, asked, (reading, out), ("at its smallest", -1, beside[1])));
    }
    let operand = format!("{} ({})", asked.own.name, asked.own.parts[0].format.name);
    Some(Row { mode: asked.mode.label.clone(), operand, cells })
}

/// How far what comes out goes on as it begins, and what comes of the first value that does not, or of the last one.
fn end(
    asker: &mut Asker<'_>,
    asked: Asked<'_>,
    (reading, out): (Reading, Reading),
    (name, sign, others): (&'static str, i64, i64),
) -> Option<(&'static str, String, CaseValue)> {
    let bits = bits(asked.own.parts[0].format);
    let most = (1_i64 << (bits - 1)) - 1;
    let last = if sign > 0 { most } else { -most - i64::from(reading == Reading::TwosComplement) };
    // The largest and the next of each width, then the last one.
    let widths = WIDTHS.into_iter().filter(|&width| width < bits - 1);
    let widths = widths.flat_map(|width| [sign * ((1 << width) - 1), sign << width]);
    let values: Vec<i64> = (-3..=3).chain(widths).chain([last]).collect();
    let came = ask(asker, asked, (reading, others), &values);
    let regular = regular(&came[..7], out);
    let is_exact = |&place: &usize| result(&came[place], out) == regular.at(values[place]);
    let wrong = (7..values.len()).filter(|_| regular.at(0).is_some()).find(|place| !is_exact(place));
    let place = wrong.unwrap_or(values.len() - 1);
    let one = came.into_iter().nth(place).filter(|one| one.shows)?;
    let kind = match (regular.at(values[place]), result(&one, out)) {
        (None, _) => String::new(),
        _ if wrong.is_none() => " (exact)".to_string(),
        (Some(wanted), got) => {
            let before = if place == 7 { 3 * sign } else { values[place - 1] };
            let width = values[place].unsigned_abs().next_power_of_two().cast_signed();
            let modulo = one.data.first().map_or(1 << 32, |(format, _)| 1_i64 << self::bits(format));
            let is_rounded = out == Reading::Float || one.data.iter().any(|(format, _)| is_float(format));
            let kind = match got {
                _ if is_rounded => "rounds",
                Some(got) if Some(got) == regular.at(before) => "saturates",
                Some(got) if (wanted - got) % modulo == 0 => "wraps",
                Some(got) if (wanted - got) % width == 0 => "lacks high bits",
                _ => "is another",
            };
            format!(" (exact to {before} at least; here it {kind})")
        }
    };
    let beside = if asked.all.len() > 1 { format!(" beside {others}") } else { String::new() };
    Some((name, format!("{}{beside}: {}{kind}", values[place], one.text), one.case))
}
