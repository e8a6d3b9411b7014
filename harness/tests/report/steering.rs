//! Nobody's text steers what a report is read with: a terminal, a browser, a viewer of XML.

use tandem_harness::report::history::Difference;
use tandem_harness::report::{Colour, html, json, junit, markdown, terminal};

use crate::sample;

/// Letters that control, hide, or turn the direction of reading; ends of lines are ours.
fn steers(letter: char) -> bool {
    let marks = "\u{ad}\u{61c}\u{180e}\u{feff}\u{fffe}\u{ffff}";
    letter != '\n' && letter.is_control()
        || marks.contains(letter)
        || [('\u{200b}', '\u{200f}'), ('\u{2028}', '\u{202e}'), ('\u{2060}', '\u{206f}'), ('\u{e0000}', '\u{e007f}')]
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&letter))
}

#[test]
fn no_rendering_has_a_letter_that_steers() {
    let report = sample::hostile();
    let rendered = |colour| {
        let mut out = Vec::new();
        terminal::render(&mut out, &report, colour, None).expect("memory takes everything");
        String::from_utf8(out).expect("text")
    };
    // What is coloured has our escape sequences, and as many letters as without them.
    let (plain, mut coloured) = (rendered(Colour::Never), rendered(Colour::Always));
    assert_ne!(coloured, plain);
    for ours in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"] {
        coloured = coloured.replace(ours, "");
    }
    assert_eq!(coloured, plain);
    let named = [("one".to_string(), report.clone()), ("\u{202e}".to_string(), sample::report())];
    let changed = Difference::of(&sample::report().result, &report.result);
    let texts = [
        ("terminal", plain),
        ("HTML", html::page(&report)),
        ("trend", html::trend(&named)),
        ("Markdown", markdown::summary(&report)),
        ("JUnit", junit::xml(&report, true)),
        ("JSON", json::report(&report)),
    ];
    for (name, text) in &texts {
        let found = text.char_indices().find(|(_, letter)| steers(*letter));
        let around = found.map(|(at, _)| text[at..].chars().take(20).collect::<String>());
        assert_eq!(around, None, "{name}");
        assert!(text.contains("u202e"), "{name} shows what was there");
    }
    let told: serde_json::Value = serde_json::from_str(&texts[5].1).expect("it is JSON");
    assert_eq!(told, serde_json::to_value(&report).expect("reports serialize"), "spelled letters say what they said");
    // Lines of a comparison are made visible where they are printed.
    assert!(changed.lines().iter().any(|line| line.contains('\u{202e}')));
}
