//! A word in the parts of its format: names of bits, and exact values. No host float takes part.

use tandem_isa::{Format, FormatKind, Piece};

use super::model::{LayoutPart, PiecePart};

/// How a word of a bank is read: the format of the data in it, and how they lie there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    format: &'static Format,
    /// Bits of the word.
    bits: u32,
    fit: Fit,
}

/// How data lie in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// One, from bit 0 on.
    One,
    /// Several side by side, the lowest first.
    Packed,
    /// A part of one.
    Part {
        /// Which datum of the row.
        datum: usize,
        /// Which part of it, the lowest first.
        part: u32,
        /// How many parts it has.
        of: u32,
    },
}

impl Reading {
    /// How the word at `column` of a row is read, if data of the format can lie there.
    pub(super) fn of(format: &'static Format, bits: u32, column: usize) -> Option<Self> {
        let width = format.width();
        let fit = if width > 0 && width < bits && bits.is_multiple_of(width) {
            Fit::Packed
        } else if width <= bits {
            Fit::One
        } else if width.is_multiple_of(bits) {
            let of = width / bits;
            let part = u32::try_from(column % of as usize).expect("a part is one of few");
            Fit::Part { datum: column / of as usize, part, of }
        } else {
            return None;
        };
        Some(Reading { format, bits, fit })
    }

    /// The columns of the words that hold the datum, the lowest first, where it has several.
    pub(super) fn columns(&self) -> Option<std::ops::Range<usize>> {
        match self.fit {
            Fit::One | Fit::Packed => None,
            Fit::Part { datum, of, .. } => Some(datum * of as usize..(datum + 1) * of as usize),
        }
    }

    /// The lowest bits of the data that are not zero.
    pub(super) fn data(&self, word: u32) -> Vec<u32> {
        match self.fit {
            Fit::One | Fit::Part { .. } => vec![0],
            Fit::Packed => {
                let lows = (0..self.bits).step_by(self.format.width() as usize);
                lows.filter(|&low| self.datum(word, low) != 0).collect()
            }
        }
    }

    /// The lowest bit of the datum that holds a bit of the word.
    pub(super) fn low(&self, bit: u32) -> u32 {
        match self.fit {
            Fit::One | Fit::Part { .. } => 0,
            Fit::Packed => bit - bit % self.format.width(),
        }
    }

    /// Which of the data in a word, or which part of a datum, where that is to be said.
    pub(super) fn which(&self, low: u32) -> Option<String> {
        let width = self.format.width();
        match self.fit {
            Fit::One => None,
            Fit::Packed => Some(format!("datum {}, bits {low}-{}", low / width, low + width - 1)),
            Fit::Part { datum, part, of } => {
                let name = match (part, of) {
                    (0, 2) => "lower half".to_string(),
                    (1, 2) => "upper half".to_string(),
                    _ => format!("part {part} of {of}"),
                };
                let first = part * self.bits;
                Some(format!("{name} of datum {datum}, its bits {first}-{}", first + self.bits - 1))
            }
        }
    }

    /// The parts and the value of the datum that begins at bit `low`; of a datum that has several words, the bits in this
    /// one.
    pub(super) fn text(&self, word: u32, low: u32) -> String {
        let text = match self.fit {
            Fit::One | Fit::Packed => parts_of(self.format, self.datum(word, low)),
            Fit::Part { .. } => {
                let bits = |piece: &PiecePart| (word >> piece.shift) & low_bits(piece.width);
                let shown = |piece: &PiecePart| {
                    format!("{} {:0width$b}", piece.name, bits(piece), width = piece.width as usize)
                };
                let parts: Vec<String> = self.pieces().iter().map(shown).collect();
                format!("{}: {}", self.format.name, parts.join(", "))
            }
        };
        self.which(low).map_or(text.clone(), |which| format!("{which}, {text}"))
    }

    /// The values of the data in a word, the lowest first; nothing if one datum has several words.
    pub(super) fn values(&self, word: u32) -> Option<String> {
        let lows = match self.fit {
            Fit::One => vec![0],
            Fit::Packed => (0..self.bits).step_by(self.format.width() as usize).collect(),
            Fit::Part { .. } => return None,
        };
        let values: Vec<String> = lows.iter().map(|&low| value_of(self.format, self.datum(word, low))).collect();
        Some(values.join(", "))
    }

    /// The parts and the value of a datum whose words are all known, the lowest first.
    pub(super) fn whole(&self, words: &[u32]) -> String {
        let datum = words.iter().rev().fold(0, |datum, &word| datum << self.bits | u64::from(word));
        let text = parts_of(self.format, datum);
        self.which(0).map_or(text.clone(), |which| format!("{which}, {text}"))
    }

    fn datum(&self, word: u32, low: u32) -> u64 {
        u64::from(word >> low & low_bits(if self.fit == Fit::Packed { self.format.width() } else { self.bits }))
    }

    /// The bit of the datum that a bit of the word is.
    fn bit(&self, bit: u32) -> u32 {
        match self.fit {
            Fit::One | Fit::Packed => bit - self.low(bit),
            Fit::Part { part, .. } => part * self.bits + bit,
        }
    }

    /// The parts of the format as they lie in the word, highest bits first.
    fn pieces(&self) -> Vec<PiecePart> {
        let format = self.format;
        let name = if let FormatKind::Float { .. } = format.kind { "mantissa" } else { "value" };
        let sign = format.sign.map(|shift| ("sign", Piece { shift, width: 1 }));
        let exponent = format.exponent.map(|piece| ("exponent", piece));
        let parts: Vec<(&str, Piece)> =
            sign.into_iter().chain(exponent).chain(format.mantissa.iter().map(|&piece| (name, piece))).collect();
        let first = self.bit(0);
        let data = if self.fit == Fit::Packed { self.bits / format.width() } else { 1 };
        let mut pieces: Vec<PiecePart> = (0..data)
            .flat_map(|datum| parts.iter().map(move |&(name, piece)| (datum * format.width(), name, piece)))
            .filter_map(|(low, name, piece)| {
                let from = (piece.shift + low).max(first);
                let to = (piece.shift + low + piece.width).min(first + self.bits);
                (from < to).then(|| PiecePart { name: name.to_string(), shift: from - first, width: to - from })
            })
            .collect();
        pieces.sort_by_key(|part| std::cmp::Reverse(part.shift));
        pieces
    }
}

/// As many low bits, up to 32.
fn low_bits(count: u32) -> u32 {
    u32::MAX.checked_shr(32 - count).unwrap_or(0)
}

/// The highest bit that differs, its name, and its direction.
pub(super) fn first_bit(reading: Option<&Reading>, expected: u32, got: u32) -> Option<String> {
    let bit = highest_bit(expected, got)?;
    let (wanted, seen) = (expected >> bit & 1, got >> bit & 1);
    let name = reading.map_or(String::new(), |reading| {
        let inside = reading.bit(bit);
        let place = if inside == bit { String::new() } else { format!(", bit {inside} of its datum") };
        format!("{place}, {}", bit_name(reading.format, inside))
    });
    let count = match (expected ^ got).count_ones() {
        1 => "the only one".to_string(),
        ones => format!("the highest of {ones}"),
    };
    Some(format!("  first differing bit: bit {bit}{name}: expected {wanted}, got {seen} ({count})"))
}

/// The highest bit that differs.
pub(super) fn highest_bit(expected: u32, got: u32) -> Option<u32> {
    (expected ^ got).checked_ilog2()
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

/// A datum in the parts of its format, as bits and as a value.
fn parts_of(format: &Format, word: u64) -> String {
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

/// How a word of `width` bits is to be read, and the two values that differ: of the datum that holds the first
/// differing bit.
#[must_use]
pub(super) fn layout_of(reading: Option<&Reading>, width: u32, (expected, got): (u32, u32)) -> LayoutPart {
    let Some(reading) = reading else {
        return LayoutPart { width, format: None, datum: None, parts: Vec::new(), expected: None, got: None };
    };
    let low = reading.low(highest_bit(expected, got).unwrap_or(0));
    let is_part = matches!(reading.fit, Fit::Part { .. });
    let value = |word: u32| (!is_part).then(|| value_of(reading.format, reading.datum(word, low)));
    LayoutPart {
        width,
        format: Some(reading.format.name.to_string()),
        datum: reading.which(low),
        parts: reading.pieces(),
        expected: value(expected),
        got: value(got),
    }
}

/// The value of a word, exactly: no host float takes part.
pub(super) fn value_of(format: &Format, word: u64) -> String {
    let negative = format.sign.is_some_and(|bit| word >> bit & 1 != 0);
    let sign = if negative { "-" } else { "" };
    let mantissa = format.mantissa_of(word);
    match format.kind {
        FormatKind::Float { bias } => {
            let piece =
                format.exponent.map_or((0, 0), |piece| (word >> piece.shift & ((1 << piece.width) - 1), piece.width));
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

#[cfg(test)]
mod tests {
    use tandem_isa::Piece;

    use super::*;

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
        let parts = parts_of(&SPLIT, word(1, 15, 0x200).into());
        assert_eq!(parts, "split: sign 1, exponent 01111, mantissa 1000000000 = -1.5 (-0x1.8p0)");
    }

    #[test]
    fn a_layout_names_its_parts_from_the_highest_bit_on() {
        let reading = Reading::of(&SPLIT, 16, 3).expect("it fits");
        let layout = layout_of(Some(&reading), 16, (word(0, 15, 0), word(1, 15, 0)));
        let parts: Vec<_> = layout.parts.iter().map(|part| (&*part.name, part.shift, part.width)).collect();
        assert_eq!(parts, [("sign", 15, 1), ("mantissa", 8, 7), ("exponent", 3, 5), ("mantissa", 0, 3)]);
        assert_eq!(layout.got.as_deref(), Some("-1 (-0x1p0)"));
        assert!(layout_of(None, 3, (1, 2)).parts.is_empty());
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
        let reading = Reading::of(&SPLIT, 16, 0);
        let line = first_bit(reading.as_ref(), word(1, 15, 0), word(0, 15, 1)).expect("they differ");
        assert_eq!(line, "  first differing bit: bit 15, the sign: expected 1, got 0 (the highest of 2)");
        assert_eq!(first_bit(None, 7, 7), None);
    }
    /// Sign, eleven bits of exponent, 52 bits of mantissa.
    static WIDE: Format = Format {
        name: "wide",
        kind: FormatKind::Float { bias: 1023 },
        sign: Some(63),
        exponent: Some(Piece { shift: 52, width: 11 }),
        mantissa: &[Piece { shift: 0, width: 52 }],
        narrowings: &[],
    };

    #[test]
    fn the_datum_of_a_word_that_holds_the_first_differing_bit_is_read() {
        let reading = Reading::of(&SPLIT, 32, 5).expect("two lie in a word");
        let (one, two) = (word(0, 15, 0), word(0, 15, 0x200));
        assert_eq!(reading.low(16), 16);
        assert_eq!(
            reading.text(two << 16 | one, 16),
            "datum 1, bits 16-31, split: sign 0, exponent 01111, mantissa 1000000000 = 1.5 (0x1.8p0)"
        );
        let line = first_bit(Some(&reading), two << 16 | one, one << 16 | two).expect("they differ");
        let (rest, bit) = (" expected 1, got 0 (the highest of 2)", "bit 30, bit 14 of its datum, mantissa bit 9:");
        assert_eq!(line, format!("  first differing bit: {bit}{rest}"));
        let layout = layout_of(Some(&reading), 32, (two << 16 | one, one << 16 | one));
        let parts: Vec<_> = layout.parts.iter().map(|part| (&*part.name, part.shift)).collect();
        let once = [("sign", 15), ("mantissa", 8), ("exponent", 3), ("mantissa", 0)];
        assert_eq!(parts, [once.map(|(name, shift)| (name, shift + 16)), once].concat());
        assert_eq!(layout.datum.as_deref(), Some("datum 1, bits 16-31"));
        assert_eq!((layout.expected.as_deref(), layout.got.as_deref()), (Some("1.5 (0x1.8p0)"), Some("1 (0x1p0)")));
    }

    #[test]
    fn data_that_are_not_zero_are_found_in_a_word() {
        let reading = Reading::of(&SPLIT, 32, 0).expect("two lie in a word");
        assert!(reading.data(0).is_empty());
        assert_eq!(reading.data(1), [0]);
        assert_eq!(reading.data(0x8000_0000), [16]);
        assert_eq!(reading.data(0x0001_0001), [0, 16]);
        assert_eq!(Reading::of(&SPLIT, 16, 0).expect("it fits").data(0), [0]);
        // Where the width divides nothing, one datum lies at the word's low end.
        assert_eq!(Reading::of(&SPLIT, 19, 0).expect("it fits").which(0), None);
        assert_eq!(Reading::of(&SPLIT, 12, 0), None);
    }

    #[test]
    fn a_half_of_a_datum_says_which_half_it_is() {
        let upper = Reading::of(&WIDE, 32, 7).expect("two words hold one");
        assert_eq!(upper.which(0).as_deref(), Some("upper half of datum 3, its bits 32-63"));
        assert_eq!(upper.columns(), Some(6..8));
        assert_eq!(
            upper.text(0x3ff8_0000, 0),
            "upper half of datum 3, its bits 32-63, wide: sign 0, exponent 01111111111, mantissa 10000000000000000000"
        );
        let line = first_bit(Some(&upper), 0, 1 << 31).expect("they differ");
        assert!(line.contains("bit 31, bit 63 of its datum, the sign: expected 0, got 1"), "{line}");
        assert!(upper.whole(&[0, 0x3ff8_0000]).ends_with(" = 1.5 (0x1.8p0)"));
        let layout = layout_of(Some(&upper), 32, (0, 1));
        let parts: Vec<_> = layout.parts.iter().map(|part| (&*part.name, part.shift, part.width)).collect();
        assert_eq!(parts, [("sign", 31, 1), ("exponent", 20, 11), ("mantissa", 0, 20)]);
        assert_eq!((layout.expected, layout.got), (None, None));

        let lower = Reading::of(&WIDE, 32, 6).expect("two words hold one");
        assert_eq!(lower.which(0).as_deref(), Some("lower half of datum 3, its bits 0-31"));
        let line = first_bit(Some(&lower), 1, 0).expect("they differ");
        assert!(line.contains("bit 0, mantissa bit 0: expected 1, got 0"), "{line}");
        let quarter = Reading::of(&WIDE, 16, 6).expect("four words hold one");
        assert_eq!(quarter.which(0).as_deref(), Some("part 2 of 4 of datum 1, its bits 32-47"));
    }
}
