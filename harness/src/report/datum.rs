//! A word in the parts of its format: names of bits, and exact values. No host float takes part.

use tandem_isa::{Format, FormatKind, Piece};

use super::model::{LayoutPart, PiecePart};

/// Bits of a format, up to its highest one.
pub(super) fn width_of(format: &Format) -> u32 {
    let pieces = format.mantissa.iter().chain(&format.exponent).map(|piece| piece.shift + piece.width);
    pieces.chain(format.sign.map(|bit| bit + 1)).max().unwrap_or(0)
}

/// The highest bit that differs, its name, and its direction.
pub(super) fn first_bit(format: Option<&Format>, expected: u32, got: u32) -> Option<String> {
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

/// How a word of `width` bits is to be read, and the two values that differ.
#[must_use]
pub fn layout_of(format: Option<&Format>, width: u32, (expected, got): (u32, u32)) -> LayoutPart {
    let value = |word: u32| format.map(|format| value_of(format, u64::from(word)));
    let mut parts = Vec::new();
    if let Some(format) = format {
        let part =
            |name: &str, piece: Piece| PiecePart { name: name.to_string(), shift: piece.shift, width: piece.width };
        let name = if let FormatKind::Float { .. } = format.kind { "mantissa" } else { "value" };
        parts.extend(format.sign.map(|shift| part("sign", Piece { shift, width: 1 })));
        parts.extend(format.exponent.map(|piece| part("exponent", piece)));
        parts.extend(format.mantissa.iter().map(|&piece| part(name, piece)));
        parts.sort_by_key(|part| std::cmp::Reverse(part.shift));
    }
    let format = format.map(|format| format.name.to_string());
    LayoutPart { width, format, parts, expected: value(expected), got: value(got) }
}

/// The value of a word, exactly: no host float takes part.
fn value_of(format: &Format, word: u64) -> String {
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
        let parts = parts_of(&SPLIT, word(1, 15, 0x200));
        assert_eq!(parts, "split: sign 1, exponent 01111, mantissa 1000000000 = -1.5 (-0x1.8p0)");
    }

    #[test]
    fn a_layout_names_its_parts_from_the_highest_bit_on() {
        let layout = layout_of(Some(&SPLIT), 16, (word(0, 15, 0), word(1, 15, 0)));
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
        let line = first_bit(Some(&SPLIT), word(1, 15, 0), word(0, 15, 1)).expect("they differ");
        assert_eq!(line, "  first differing bit: bit 15, the sign: expected 1, got 0 (the highest of 2)");
        assert_eq!(first_bit(None, 7, 7), None);
    }
}
