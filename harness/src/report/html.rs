//! HTML: one file with everything in it, for reading in a browser, from a phone's width to a wide screen, and on paper.
//!
//! It asks nothing of a network: style, script and data stand in the file, and a content security policy forbids the
//! rest. Without JavaScript it has the verdict, the matrix, the findings and all commands; the script adds the maps of
//! cells, copying, and a choice of light and dark.
//!
//! Every text of somebody else's passes through `text`, and reaches the script as JSON in which nothing can end the
//! element. What is of the run, and not of the result, stands between `<!--run-->` and `<!--/run-->`.

pub mod answers;
mod cells;
mod data;
mod finding;
mod head;
mod matrix;
mod tables;
mod trend;

use sha2::{Digest, Sha256};

use super::model::{PagePart, Report};
use super::text::visible;
use super::verdict::{Verdict, is_complete};
use cells::Mark;
pub use trend::page as trend;

/// The size that no page reaches.
pub const LIMIT: usize = 5_000_000;

const STYLE: &str = include_str!("html/style.css");
/// The script: what any page has, then what is known of cells, then the maps.
const SCRIPT: &str =
    concat!(include_str!("html/script.js"), include_str!("html/cells.js"), include_str!("html/maps.js"));

/// Letters of one text that are shown; the others are counted.
const MOST_LETTERS: usize = 2_000;
/// How many findings are shown in full, and whether maps are in the file: the first that stays below the limit is taken.
const BUDGETS: [(usize, bool); 4] = [(250, true), (50, true), (10, true), (10, false)];

/// The page.
#[must_use]
pub fn page(report: &Report) -> String {
    let mut text = String::new();
    for (findings, maps) in BUDGETS {
        text = render(report, findings, maps);
        if text.len() < LIMIT {
            break;
        }
    }
    text
}

fn render(report: &Report, findings: usize, maps: bool) -> String {
    let result = &report.result;
    let units = cells::units(result);
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'unsafe-inline'; \
         script-src 'sha256-{}'",
        base64(&Sha256::digest(SCRIPT))
    );
    let verdict = Verdict::of(result);
    let body = [
        head::header(report, &units),
        finding::section(result, &units, findings),
        matrix::section(result, &units, maps),
        tables::vectors(result),
        tables::faults(&report.run),
        tables::replay(report),
        tables::run(&report.run),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body{}>\n\
         {}\n{}<footer><p>{}</p>tandem {}</footer>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        text(&format!("{} · tandem", verdict.title)),
        if is_complete(result) { " class=\"complete\"" } else { "" },
        symbols(),
        body.concat(),
        text(&verdict.line()),
        text(&result.version),
        json(&data::of(result, &units, findings, maps)),
    )
}

/// A page without a script, as far as its body.
fn begin(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title} · tandem</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n"
    )
}

/// A text of somebody else's, as text and as an attribute's value: nothing in it is markup, and what could steer a
/// reader is spelled out.
fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in visible(&clipped(text)).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A long text, cut.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        None => text.to_string(),
        Some((end, _)) => format!("{} … and {} letters more", &text[..end], text[end..].chars().count()),
    }
}

fn code(of: &str) -> String {
    format!("<code>{}</code>", text(of))
}

/// JSON that stays data wherever it stands in a page.
fn json(value: &impl serde::Serialize) -> String {
    let plain = serde_json::to_string(value).expect("data of a page serialize");
    let mut safe = String::with_capacity(plain.len());
    for letter in plain.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => safe.push(letter),
        }
    }
    safe
}

/// A name as part of an element's id.
fn slug(name: &str) -> String {
    let letters =
        name.chars().take(80).map(|one| if one.is_ascii_alphanumeric() { one.to_ascii_lowercase() } else { '-' });
    letters.collect()
}

/// What is of the run, marked.
fn of_run(html: &str) -> String {
    format!("<!--run-->{html}<!--/run-->")
}

/// The shape of a mark.
fn shape(mark: Mark) -> String {
    format!("<svg class=\"shape {0}\" aria-hidden=\"true\"><use href=\"#s-{0}\"/></svg>", mark.name())
}

/// A page by its title, as a link to its text where the address is harmless; with the lines of `place`.
fn page_link(page: &PagePart, place: &str) -> String {
    let (title, commit) = (text(&page.title), code(page.short_commit()));
    let Some(url) = page.address() else { return format!("{title} at {commit}") };
    let lines = first_lines(place).map_or(String::new(), |(first, last)| format!("?plain=1#L{first}-L{last}"));
    format!("<a href=\"{url}{lines}\" rel=\"noreferrer noopener\">{title}</a> at {commit}")
}

/// The first run of lines in `lines 12-14, 20`.
fn first_lines(place: &str) -> Option<(u32, u32)> {
    let first = place.strip_prefix("lines ").or(place.strip_prefix("line "))?.split(", ").next()?;
    let (from, to) = first.split_once('-').unwrap_or((first, first));
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// The shapes, once, none of which is another one turned or filled.
fn symbols() -> String {
    let drawn = [
        (Mark::Finding, "<path d=\"M8 .8 15.2 8 8 15.2.8 8Z\"/>"),
        (
            Mark::Hole,
            "<path d=\"M2 2h12v12H2Z\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/>\
                      <path d=\"m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6\" stroke=\"currentColor\" stroke-width=\"2\"/>",
        ),
        (Mark::Green, "<circle cx=\"8\" cy=\"8\" r=\"5.6\"/>"),
        (
            Mark::Unwitnessed,
            "<circle cx=\"8\" cy=\"8\" r=\"4.8\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>\
                             <path d=\"M8 3.2a4.8 4.8 0 0 1 0 9.6Z\"/>",
        ),
        (Mark::Blocked, "<path d=\"M2.6 2.6h10.8v10.8H2.6Z\"/>"),
        (Mark::Cited, "<path d=\"M2.2 3.2h11.6v2.2H2.2ZM2.2 6.9h11.6v2.2H2.2ZM2.2 10.6h7.6v2.2H2.2Z\"/>"),
        (
            Mark::Unsupported,
            "<circle cx=\"8\" cy=\"8\" r=\"5.4\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>\
                             <path d=\"M4.2 11.8 11.8 4.2\" stroke=\"currentColor\" stroke-width=\"1.6\"/>",
        ),
        (Mark::Disputed, "<path d=\"M2.4 8h11.2M8 2.4v11.2\" stroke=\"currentColor\" stroke-width=\"1.8\"/>"),
        (Mark::Unknown, "<path d=\"M8 2.4 14 13.4H2Z\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>"),
        (
            Mark::Elsewhere,
            "<path d=\"M8 2 14 8l-6 6-6-6Z\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>",
        ),
    ];
    let mut symbols = String::from("<svg width=\"0\" height=\"0\" class=\"defs\" aria-hidden=\"true\">");
    for (mark, path) in drawn {
        symbols.push_str(&format!("<symbol id=\"s-{}\" viewBox=\"0 0 16 16\">{path}</symbol>", mark.name()));
    }
    symbols + "<symbol id=\"s-contested\" viewBox=\"0 0 16 16\"><path d=\"M5 1h10v10Z\"/></symbol></svg>"
}

/// Bytes in base 64, as a content security policy names a script.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, place| word << 8 | u32::from(three.get(place).copied().unwrap_or(0)));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn the_last_letters_are_padded() {
        assert_eq!(base64(b""), "");
        assert_eq!(
            [base64(b"f"), base64(b"fo"), base64(b"foo"), base64(b"foob")],
            ["Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
