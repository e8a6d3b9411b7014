//! Values of options: counts, times, parts.

use std::num::NonZeroUsize;

use tandem_harness::Shard;

/// What the letter behind a count stands for.
fn unit(letter: char) -> Option<u64> {
    match letter {
        'k' | 'K' => Some(1_000),
        'M' => Some(1_000_000),
        'G' => Some(1_000_000_000),
        'T' => Some(1_000_000_000_000),
        _ => None,
    }
}

/// The digits of a text, between which there may be single low lines.
fn digits(text: &str) -> Option<String> {
    let is_whole = text.starts_with(|first: char| first.is_ascii_digit()) && !text.ends_with('_');
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    (is_whole && are_digits && !text.contains("__")).then(|| text.replace('_', ""))
}

/// Reads a count: `1000000`, `1_000_000`, `1000k`, `1M`, `1e6`, and `1.5M` because that is a whole number too.
///
/// # Errors
/// What a count looks like.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let wrong = || "a count is a whole number such as 4000000, 4_000_000, 4M or 4e6".to_string();
    let too_many = || format!("that is more than {}, the largest count", u64::MAX);
    let (number, unit) = match text.char_indices().last().and_then(|(end, letter)| Some((end, unit(letter)?))) {
        Some((end, unit)) => (&text[..end], unit),
        None => (text, 1),
    };
    let (number, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let power: u32 =
        digits(power.strip_prefix('+').unwrap_or(power)).and_then(|power| power.parse().ok()).ok_or_else(wrong)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let (whole, part) = digits(whole).zip(digits(part)).ok_or_else(wrong)?;
    // All digits are one number, with as many zeros behind it as unit and power leave.
    let part = part.trim_end_matches('0');
    let number = format!("{whole}{part}");
    let number = number.trim_start_matches('0');
    if number.is_empty() {
        return Ok(0);
    }
    let places = u32::try_from(part.len()).map_err(|_| wrong())?;
    let zeros = unit.ilog10().saturating_add(power).checked_sub(places).ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_| too_many())?;
    10_u64.checked_pow(zeros).and_then(|scale| number.checked_mul(scale)).ok_or_else(too_many)
}

/// Reads a count of at least one.
fn at_least_one(text: &str) -> Result<u64, String> {
    count(text)
        .and_then(|count| if count == 0 { Err("there is nothing to do with 0 of them".into()) } else { Ok(count) })
}

/// Reads a number of cases.
pub(super) fn cases(text: &str) -> Result<u64, String> {
    at_least_one(text)
}

/// Reads a number of findings or tests.
pub(super) fn findings(text: &str) -> Result<NonZeroUsize, String> {
    let count = usize::try_from(at_least_one(text)?).ok().and_then(NonZeroUsize::new);
    count.ok_or_else(|| "that is more than this machine can count".to_string())
}

/// Reads a number of tests, of which there may be none.
pub(super) fn tests(text: &str) -> Result<usize, String> {
    usize::try_from(count(text)?).map_err(|_| "that is more than this machine can count".to_string())
}

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e7 => Ok(value),
        _ => Err("a time is a number of seconds above 0 and at most 10000000".to_string()),
    }
}

/// Reads a nonce.
pub(super) fn nonce(text: &str) -> Result<String, String> {
    let is_one = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
    if is_one { Ok(text.to_string()) } else { Err("a nonce is 32 hexadecimal digits, in lower case".to_string()) }
}

/// Reads how many steps a program has.
pub(super) fn length(text: &str) -> Result<usize, String> {
    let most = tandem_harness::MAX_STEPS;
    let length = text.parse().ok().filter(|length| (2..=most).contains(length));
    length.ok_or_else(|| format!("a program has 2 to {most} steps"))
}

/// Reads one part of several, and counts it from 0.
pub(super) fn part(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part - 1, parts)),
        _ => Err("a part is I/N, with I from 1 to N".to_string()),
    }
}

/// Reads a shard.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, number) in [
            ("0", 0),
            ("007", 7),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E6", 1_000_000),
            ("1e+6", 1_000_000),
            ("2M", 2_000_000),
            ("300k", 300_000),
            ("300K", 300_000),
            ("1.5M", 1_500_000),
            ("2.50e2", 250),
            ("2.0", 2),
            ("4G", 4_000_000_000),
            ("18446744073709551615", u64::MAX),
            ("0e99", 0),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        let shape = "a count is a whole number";
        for (text, why) in [
            ("1e99", "largest"),
            ("18446744073709551616", "largest"),
            ("99999999999T", "largest"),
            ("-3", shape),
            ("2.5", shape),
            ("1.2345k", shape),
            ("", shape),
            ("k", shape),
            ("1e", shape),
            ("e6", shape),
            ("1e-3", shape),
            ("1__0", shape),
            ("_1", shape),
            ("1_", shape),
            ("1.", shape),
            (".5M", shape),
            ("2m", shape),
            ("4g", shape),
            ("0x10", shape),
            ("1,000", shape),
            ("1 000", shape),
            ("٣", shape),
        ] {
            assert!(count(text).is_err_and(|error| error.contains(why)), "{text}: {:?}", count(text));
        }
        assert!(cases("0").is_err() && tests("0") == Ok(0));
    }
}
