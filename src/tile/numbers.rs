//! Numbers as they are written, as bits of a format, and as values.

use serde::Serialize;
use tandem_harness::report::effect::value;
use tandem_isa::{Format, FormatKind, Piece};

use super::L1Format;

/// Data of a face.
pub(super) const FACE: usize = 256;
/// Faces of a tile: top left, top right, bottom left, bottom right.
pub(super) const FACES: usize = 4;
/// Data that share an exponent.
pub(super) const BLOCK: usize = 16;

/// A datum at a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Datum {
    /// Its bits, in hexadecimal; of a block format with the shared exponent, as in `0x40@127`.
    pub bits: String,
    /// Its value.
    pub value: String,
    #[serde(skip)]
    pub(super) word: u32,
    #[serde(skip)]
    pub(super) exponent: u32,
    /// The value, however it is written down.
    #[serde(skip)]
    pub(super) number: Number,
}

/// A number: whether it is none or infinite, its sign, and an odd integer times a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    is_special: bool,
    is_negative: bool,
    significand: u64,
    power: i64,
}

/// A float that has every value of a block format: the upper half of FP64.
static WIDE: Format = Format {
    name: "wide",
    kind: FormatKind::Float { bias: 1023 },
    sign: Some(31),
    exponent: Some(Piece { shift: 20, width: 11 }),
    mantissa: &[Piece { shift: 0, width: 20 }],
    narrowings: &[],
};

impl Datum {
    /// A datum that stands for itself.
    pub(super) fn new(format: &Format, word: u32) -> Self {
        let digits = format.width().div_ceil(4) as usize;
        let sign = format.sign.is_some_and(|bit| word >> bit & 1 != 0);
        Datum {
            bits: format!("0x{word:0digits$x}"),
            value: if is_infinity_of_tensix(format, word) {
                format!("{}infinity as Tensix has it, by IEEE 754 NaN", if sign { "-" } else { "" })
            } else {
                value(format, word)
            },
            word,
            exponent: 0,
            number: Number::of(format, word),
        }
    }

    /// A datum in L1, with the exponent that it shares.
    pub(super) fn in_l1(format: &L1Format, word: u32, exponent: u32) -> Self {
        let plain = Datum::new(format.datum, word);
        let Some(bias) = format.block else { return plain };
        let magnitude = format.datum.mantissa_of(word.into());
        let sign = u64::from(format.datum.sign.is_some_and(|bit| word >> bit & 1 != 0));
        let bits = i64::from(format.datum.mantissa_bits());
        // Page FloatBitPatterns: the magnitude has one bit before its point, and what has a sign alone is the largest
        // negative one.
        let wide = match magnitude.checked_ilog2() {
            None if sign == 0 => 0,
            None => WIDE.place(1, 2047, 0),
            Some(power) => {
                let exponent = 1023 + i64::from(exponent) - i64::from(bias) - (bits - 1) + i64::from(power);
                WIDE.place(sign, exponent.unsigned_abs(), (magnitude ^ 1 << power) << (20 - power))
            }
        };
        let wide = u32::try_from(wide).expect("it has 32 bits");
        let is_only_sign = magnitude == 0 && sign != 0;
        Datum {
            bits: format!("{}@{exponent}", plain.bits),
            value: if is_only_sign { "-infinity (a sign without magnitude)".to_string() } else { value(&WIDE, wide) },
            exponent,
            number: Number::of(&WIDE, wide),
            ..plain
        }
    }
}

impl Number {
    fn of(format: &Format, word: u32) -> Self {
        let (mantissa, bits) = (format.mantissa_of(word.into()), i64::from(format.mantissa_bits()));
        let (is_special, significand, power) = match (format.kind, format.exponent) {
            (FormatKind::Float { bias }, Some(piece)) => {
                let exponent = u64::from(word) >> piece.shift & piece.low_mask();
                let power = exponent.max(1).cast_signed() - i64::from(bias) - bits;
                match exponent {
                    _ if is_infinity_of_tensix(format, word) => (true, 0, 0),
                    _ if exponent == piece.low_mask() => (true, mantissa, -bits),
                    0 => (false, mantissa, power),
                    _ => (false, mantissa | 1 << bits, power),
                }
            }
            _ => (false, mantissa, 0),
        };
        let is_negative = format.sign.is_some_and(|bit| word >> bit & 1 != 0);
        Number { is_special, is_negative, significand, power }.odd()
    }

    /// The same with an odd integer, or with 0 and no power.
    fn odd(self) -> Self {
        if self.significand == 0 {
            return Number { power: 0, ..self };
        }
        let zeros = self.significand.trailing_zeros();
        Number { significand: self.significand >> zeros, power: self.power + i64::from(zeros), ..self }
    }
}

/// Whether a word is the largest of a format with five bits of exponent. Page `FloatBitPatterns`: it behaves like
/// infinity, and that of IEEE 754 is a number.
fn is_infinity_of_tensix(format: &Format, word: u32) -> bool {
    let magnitude = format.sign.map_or(0, |bit| (1 << bit) - 1);
    format.kind == FormatKind::Float { bias: 15 } && format.exponent.is_some() && word & magnitude == magnitude
}

/// A number as it is written.
enum Written {
    Bits(u32, Option<u32>),
    Number(Number),
}

/// Reads numbers as data of a format, the first of which is that of a column of its row.
pub(super) fn read<S: AsRef<str>>(format: &L1Format, texts: &[S], column: usize) -> Result<Vec<Datum>, String> {
    let mut data = Vec::new();
    let (block, rest) = texts.split_at(texts.len().min(BLOCK - column % BLOCK));
    for block in std::iter::once(block).chain(rest.chunks(BLOCK)) {
        let written: Vec<Written> =
            block.iter().map(|text| read_one(format, text.as_ref())).collect::<Result<_, _>>()?;
        let exponent = format.block.map_or(Ok(0), |bias| shared(format, bias, &written))?;
        for (one, text) in written.iter().zip(block) {
            let word = match *one {
                Written::Bits(word, _) => word,
                Written::Number(number) => encode(format, exponent, number)
                    .ok_or_else(|| format!("{} has no {}; bits are taken as they are", format.name(), text.as_ref()))?,
            };
            data.push(Datum::in_l1(format, word, exponent));
        }
    }
    Ok(data)
}

fn read_one(format: &L1Format, text: &str) -> Result<Written, String> {
    let width = format.datum.width();
    let wrong = |what: String| format!("'{text}' is no number: {what}");
    let Some(digits) = text.strip_prefix("0x") else {
        let number: f64 =
            text.parse().map_err(|_| wrong("write 1.5, -0, nan, inf, or bits as in 0x3f80".to_string()))?;
        // Taken apart by its bits; nothing is computed with it.
        let bits = number.to_bits();
        let (exponent, mantissa) = (bits >> 52 & 2047, bits & ((1 << 52) - 1));
        let (is_special, is_negative) = (exponent == 2047, bits >> 63 != 0);
        let significand = if exponent == 0 || is_special { mantissa } else { mantissa | 1 << 52 };
        let power = exponent.max(1).cast_signed() - 1075;
        return Ok(Written::Number(Number { is_special, is_negative, significand, power }.odd()));
    };
    let (digits, exponent) = digits.split_once('@').map_or((digits, None), |(bits, exponent)| (bits, Some(exponent)));
    let word = u32::from_str_radix(digits, 16).ok().filter(|&word| u64::from(word) < 1 << width);
    let word = word.ok_or_else(|| wrong(format!("a datum of {} has {width} bits", format.name())))?;
    let exponent = match exponent {
        None => None,
        Some(_) if format.block.is_none() => {
            return Err(wrong(format!("data of {} share no exponent", format.name())));
        }
        Some(text) => Some(text.parse::<u8>().map_err(|_| wrong("a shared exponent is 0 to 255".to_string()))?.into()),
    };
    Ok(Written::Bits(word, exponent))
}

/// The exponent that the data of a block share: the one that is written, or that of the largest number, or else that of
/// 1.
fn shared(format: &L1Format, bias: i32, block: &[Written]) -> Result<u32, String> {
    let mut given = block.iter().filter_map(|one| if let Written::Bits(_, exponent) = one { *exponent } else { None });
    if let Some(first) = given.next() {
        return match given.find(|&other| other != first) {
            Some(other) => {
                Err(format!("data of {} share an exponent: it cannot be {first} and {other}", format.name()))
            }
            None => Ok(first),
        };
    }
    let exponent = |one: &Written| match one {
        Written::Number(number) if !number.is_special && number.significand != 0 => {
            Some(i64::from(number.significand.ilog2()) + number.power + i64::from(bias))
        }
        _ => None,
    };
    let largest = block.iter().filter_map(exponent).max().unwrap_or(i64::from(bias)).max(0);
    // The exponents with all bits are left to whoever writes them.
    u32::try_from(largest)
        .ok()
        .filter(|&exponent| i64::from(exponent) <= 2 * i64::from(bias))
        .ok_or_else(|| format!("{} has no exponent for so large a number", format.name()))
}

/// The nearest datum, of two the even one; nothing if there is none.
fn encode(format: &L1Format, exponent: u32, number: Number) -> Option<u32> {
    let (datum, sign) = (format.datum, u64::from(number.is_negative));
    let bits = datum.mantissa_bits();
    let word = match (datum.kind, datum.exponent) {
        (FormatKind::Float { .. }, Some(piece)) if number.is_special => {
            datum.place(sign, piece.low_mask(), if number.significand == 0 { 0 } else { 1 << (bits - 1) })
        }
        (FormatKind::Float { bias }, Some(piece)) => {
            let own = i64::from(number.significand.checked_ilog2().unwrap_or(0)) + number.power + i64::from(bias);
            let least = if number.significand == 0 { 1 } else { own.max(1) };
            let places = rounded(number, least - i64::from(bias) - i64::from(bits))?;
            // The bit before the point, and what is carried, count the exponent on.
            let all = ((least.unsigned_abs() - 1) << bits) + places;
            let exponent = Some(all >> bits).filter(|&exponent| exponent < piece.low_mask())?;
            datum.place(sign, exponent, all & ((1 << bits) - 1))
        }
        _ if number.is_special => return None,
        _ => {
            let unit = format.block.map_or(0, |bias| i64::from(exponent) - i64::from(bias) - i64::from(bits) + 1);
            let (most, is_block) = ((1 << bits) - 1, format.block.is_some());
            let magnitude = rounded(number, unit).filter(|_| is_block || number.power >= 0)?;
            // What is rounded up beyond the last magnitude of a block stays that.
            let magnitude = if is_block { magnitude.min(most) } else { magnitude };
            datum.place(sign, 0, Some(magnitude).filter(|&magnitude| magnitude <= most)?)
        }
    };
    u32::try_from(word).ok()
}

/// A number in units of a power of two, rounded to the nearest, of two to the even one; nothing if it is far too large.
fn rounded(number: Number, unit: i64) -> Option<u64> {
    let shift = unit - number.power;
    match u32::try_from(shift) {
        Ok(shift @ 0..=63) => {
            let (whole, rest) = (number.significand >> shift, number.significand & ((1 << shift) - 1));
            let half = if shift == 0 { 1 } else { 1 << (shift - 1) };
            Some(whole + u64::from(rest > half || rest == half && shift > 0 && whole & 1 != 0))
        }
        Ok(_) => Some(0),
        Err(_) if number.significand == 0 => Some(0),
        Err(_) => {
            let up = u32::try_from(-shift).ok().filter(|&up| up <= number.significand.leading_zeros())?;
            Some(number.significand << up)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FORMATS;
    use super::*;

    #[test]
    fn every_datum_of_16_bits_is_the_nearest_one_to_its_value() {
        let mut count = 0;
        for format in FORMATS.iter().filter(|format| format.datum.width() <= 16) {
            for word in 0..1 << format.datum.width() {
                // Of a block format the largest magnitudes have no other exponent.
                let exponent = format.block.map_or(0, |bias| bias.unsigned_abs());
                let number = Datum::in_l1(format, word, exponent).number;
                if !number.is_special {
                    assert_eq!(encode(format, exponent, number), Some(word), "{} {word:#x}", format.name());
                    count += 1;
                }
            }
        }
        assert!(count > 180_000, "{count}");
    }

    #[test]
    fn a_decimal_is_rounded_to_the_nearest_and_of_two_to_the_even_one() {
        let bits = |format: &str, text: &str| {
            let format = L1Format::named(format).expect("there is one");
            read(format, &[text], 0).map(|data| data[0].bits.clone())
        };
        let right = "BF16 1.00390625 0x3f80, bf16 1.01171875 0x3f82, BF16 1.003906251 0x3f81, FP32 0.1 0x3dcccccd, \
            FP32 1e-45 0x00000001, FP16 65504 0x7bff, FP16 6e-8 0x0001, FP8 -inf 0xfc, TF32 nan 0x7fc00000, \
            BFP8 1.5 0x60@127, BFP4 -3 0xe@128, INT8 -127 0xff, INT16 -0 0x8000, INT32 2147483647 0x7fffffff";
        for line in right.split(", ") {
            let [format, text, wanted] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert_eq!(bits(format, text).as_deref(), Ok(wanted), "{line}");
        }
        let wrong = "FP16 65520, INT8 128, INT16 1.5, INT32 inf, BFP8 nan, BFP8a 1e9, BF16 0x10000, BF16 0x1@3, \
            BFP8 0x1@256, BF16 one";
        for line in wrong.split(", ") {
            let (format, text) = line.split_once(' ').expect("there are two");
            assert!(bits(format, text).is_err(), "{line}: {:?}", bits(format, text));
        }
    }
}
