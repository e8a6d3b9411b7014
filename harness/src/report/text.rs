//! Text: numbers for people, and texts of others made harmless for each rendering.

use crate::terms::distinct;
pub(super) use crate::vectors::visible;

/// A number with a comma between thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 case`, `1,024 cases`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A share in percent with one decimal, rounded down so that only all is 100.0 %.
pub(super) fn percent(part: u64, total: u64) -> String {
    if total == 0 {
        return "-".to_string();
    }
    let tenths = u128::from(part) * 1000 / u128::from(total);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A word of `bits` bits in hexadecimal, with all its digits.
pub(super) fn hex(word: u32, bits: u32) -> String {
    let digits = bits.div_ceil(4).max(1) as usize;
    format!("{word:#0width$x}", width = digits + 2)
}

/// A word as a shell takes it: as it is, or quoted.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"/._-:,=+@%".contains(&letter);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Words as a shell takes them.
#[must_use]
pub fn shell_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(shell_word).collect::<Vec<_>>().join(" ")
}

/// Numbers as ranges, for example `0-3, 7`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    runs(numbers.iter().copied(), "-").join(", ")
}

/// Runs of numbers, each with `to` between its ends.
pub(super) fn runs(numbers: impl Iterator<Item = u32>, to: &str) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |(first, last): (u32, u32)| if first == last { format!("{first}") } else { format!("{first}{to}{last}") };
    runs.into_iter().map(run).collect()
}

/// Names in their order, each once.
pub(super) fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    distinct(all.map(str::to_string))
}

/// A long list, cut at a comma.
pub(super) fn shortened(list: &str) -> String {
    const MOST: usize = 72;
    match list.char_indices().nth(MOST) {
        None => list.to_string(),
        Some((end, _)) => format!("{}, …", &list[..list[..end].rfind(", ").unwrap_or(end)]),
    }
}

/// Somebody's text as plain Markdown: nothing in it is markup, a link, a mention or a column.
pub(super) fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for letter in visible(text).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '+' | '!' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Somebody's text as a code span that stays one, in a table or out of one.
pub(super) fn code(text: &str) -> String {
    let shown = visible(text);
    // A pipe ends a table's column even in a code span, and its escape shows outside of tables; so it is spelled out.
    if shown.contains(['`', '|', '\\']) || shown.trim() != shown || shown.is_empty() {
        let escaped = shown
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('`', "&#96;")
            .replace('|', "&#124;")
            .replace('\\', "&#92;");
        let escaped = ['*', '_', '[', ']', '~', '@', ':', '#', '$', '!']
            .iter()
            .fold(escaped, |text, &mark| escape_numeric(&text, mark));
        return format!("<code>{escaped}</code>");
    }
    format!("`{shown}`")
}

/// `mark` as a numeric entity, where it is not itself part of one.
fn escape_numeric(text: &str, mark: char) -> String {
    if mark != '#' {
        return text.replace(mark, &format!("&#{};", u32::from(mark)));
    }
    let mut escaped = String::new();
    let mut previous = ' ';
    for letter in text.chars() {
        if letter == '#' && previous != '&' {
            escaped.push_str("&#35;")
        } else {
            escaped.push(letter)
        }
        previous = letter;
    }
    escaped
}

/// Lines as a fenced block that nothing in them can end.
pub(super) fn fenced(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| visible(line)).collect();
    let longest = lines.iter().map(|line| longest_run(line, '`')).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", lines.join("\n"))
}

fn longest_run(text: &str, mark: char) -> usize {
    text.split(|letter| letter != mark).map(str::len).max().unwrap_or(0)
}

/// A text of ours, which may have code spans, for a Markdown table or paragraph: comparison signs and pipes stay
/// what they are.
pub(super) fn own(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return plain(text);
    }
    let mut escaped = String::new();
    for (place, piece) in pieces.into_iter().enumerate() {
        if place % 2 == 1 {
            escaped.push_str(&code(piece));
        } else {
            let piece = piece.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            escaped.push_str(&piece.replace('*', "\\*").replace('|', "\\|").replace('\n', " "));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for plain in ["fuzz", "lib:./a-b.so", "Sum=fused", "simd:avx2"] {
            assert_eq!(shell_word(plain), plain);
        }
        let hostile = ["", "a b", "cmd:sh -c 'x; $(y) \"z\"'", "~/x", "a*", "-", "#", "é", "!!", "a\nb"];
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s|' {}", shell_words(hostile))])
            .output()
            .expect("there is a shell");
        assert_eq!(String::from_utf8_lossy(&output.stdout), hostile.map(|word| format!("{word}|")).concat());
    }

    #[test]
    fn numbers_are_grouped_and_shares_never_round_up_to_all() {
        assert_eq!(
            ["0", "999", "1,000", "1,234,567"],
            [0, 999, 1000, 1_234_567].map(grouped).each_ref().map(|t| &t[..])
        );
        assert_eq!(percent(999_999, 1_000_000), "99.9 %");
        assert_eq!(percent(5, 5), "100.0 %");
        assert_eq!(percent(0, 0), "-");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        assert_eq!(hex(0x1f, 19), "0x0001f");
    }

    #[test]
    fn hostile_text_is_no_markup() {
        let plain = plain("<img src=x> | `a` [l](http://x) @you #1");
        assert_eq!(plain, "&lt;img src=x&gt; \\| \\`a\\` \\[l\\](http&#58;//x) &#64;you \\#1");
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a`|<b>"), "<code>a&#96;&#124;&lt;b&gt;</code>");
        assert_eq!(code("`*#"), "<code>&#96;&#42;&#35;</code>");
        assert!(fenced(&["```".to_string(), "<b>".to_string()]).starts_with("````text\n```\n"));
    }

    #[test]
    fn own_text_keeps_its_code_spans() {
        assert_eq!(own("a `1 << 18` < b | c"), "a `1 << 18` &lt; b \\| c");
        assert_eq!(own("odd ` tick"), "odd \\` tick");
    }
}
