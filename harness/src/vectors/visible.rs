//! Texts of others, made harmless for whoever reads them.

use std::fmt::Write;

/// Whether a letter could steer a terminal, break a line, hide, or reverse the reading direction.
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
        || matches!(letter, '\u{e0000}'..='\u{e007f}')
}

/// Writes a letter as JSON escapes it, so that JSON in which letters are spelled says what it said.
fn spell(letter: char, out: &mut impl Write) -> std::fmt::Result {
    match letter {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ => letter.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}")),
    }
}

/// What every text of somebody else passes on its way to a reader: one line, with everything visible that could steer a
/// terminal, break a line or reverse the reading direction.
#[must_use]
pub fn visible(text: &str) -> String {
    shown(text, |_| false)
}

/// The same of a whole text, whose ends of lines and tabs are ours: of JSON, of a message, of a page.
#[must_use]
pub fn visible_lines(text: &str) -> String {
    shown(text, |letter| matches!(letter, '\n' | '\t'))
}

fn shown(text: &str, is_ours: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if steers(letter) && !is_ours(letter) {
            spell(letter, &mut shown).expect("memory takes everything");
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_shown_and_does_nothing() {
        assert_eq!(visible("a\x1b[31m\nb\u{202e}"), "a\\u001b[31m\\nb\\u202e");
        assert_eq!(visible_lines("a\0\n\tb\r\u{9b}\u{61c}\u{e0041}"), "a\\u0000\n\tb\\r\\u009b\\u061c\\udb40\\udc41");
        let text = "\u{7f}\u{85}\u{2066}\u{e0041}é";
        let spelled = visible_lines(&serde_json::to_string(text).expect("a string"));
        assert!(spelled.replace('é', "").is_ascii(), "{spelled}");
        assert_eq!(serde_json::from_str::<String>(&spelled).expect("it is JSON as before"), text);
    }
}
