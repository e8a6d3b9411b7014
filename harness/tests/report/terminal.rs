//! What is printed.

use tandem_harness::report::terminal::{render, render_findings};
use tandem_harness::report::{Colour, Report};

use crate::{figures, sample};

fn rendered(report: &Report, colour: Colour) -> String {
    let mut out = Vec::new();
    render(&mut out, report, colour, None).expect("memory takes everything");
    String::from_utf8(out).expect("it is text")
}

#[test]
fn plain_text_has_no_escapes_and_colour_adds_nothing_else() {
    let report = sample::report();
    let (plain, coloured) = (rendered(&report, Colour::Never), rendered(&report, Colour::Always));
    assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
    let mut stripped = String::new();
    let mut inside = false;
    for letter in coloured.chars() {
        match letter {
            '\x1b' => inside = true,
            'm' if inside => inside = false,
            _ if inside => {}
            _ => stripped.push(letter),
        }
    }
    assert_eq!(stripped, plain);
}

#[test]
fn it_shows_matrix_finding_replay_and_what_did_not_run() {
    let report = sample::report();
    let text = rendered(&report, Colour::Never);
    let finding = &report.result.findings[0];
    assert!(text.contains(&format!("new {}", finding.signature)), "{text}");
    assert!(text.contains(&format!("replay: {}", finding.replay)), "{text}");
    assert!(text.contains("not run: highest"), "{text}");
    assert!(text.contains("1 finding, 1 new"), "{text}");
    let mut out = Vec::new();
    render_findings(&mut out, &report, Colour::Never, None).expect("memory takes everything");
    let findings = String::from_utf8(out).expect("it is text");
    assert!(text.contains(&findings) && findings.ends_with("1 finding, 1 new\n"), "{findings}");
    assert!(findings.contains(&finding.replay) && !findings.contains("cells  "), "{findings}");
}

#[test]
fn green_stands_with_offered_and_promised_and_rules_say_why() {
    let report = sample::partial();
    let text = rendered(&report, Colour::Never);
    assert!(text.contains("green/offered/promised"), "{text}");
    assert!(text.contains(&format!(" {}  ", figures(&report.result.units[0]).join("/"))), "{text}");
    assert!(text.contains("exploration: no claims"), "{text}");
    assert!(text.contains("refused if mode = 3, \"no such mode here\": "), "{text}");
    assert!(text.contains("refused if some datum is NaN: by data"), "{text}");
    assert!(!text.contains("nothing is offered"), "{text}");
    let refusing = sample::refusing();
    let text = rendered(&refusing, Colour::Never);
    assert!(text.contains(&format!("nothing is offered: {}", refusing.result.units[0].title())), "{text}");
}

#[test]
fn a_green_report_fits_on_a_screen() {
    let mut report = sample::report();
    report.result.findings.clear();
    report.result.new_findings = 0;
    report.run.finding_levels.clear();
    report.result.units.iter_mut().for_each(|unit| unit.hole_list.clear());
    let text = rendered(&report, Colour::Never);
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

#[test]
fn hostile_strings_cannot_steer_the_terminal() {
    let text = rendered(&sample::hostile(), Colour::Never);
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'));
}
