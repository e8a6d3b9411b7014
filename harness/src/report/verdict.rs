//! The verdict of a result: what every rendering says first, and the terminal says last too.

use super::model::{ResultPart, UnitPart};
use super::offer::three;
use super::text::{counted, grouped};
use crate::vectors::Column;

/// How a verdict is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Something is wrong, or nothing was shown.
    Bad,
    /// Somebody should look at it.
    Odd,
    /// It goes on: nothing is wrong in what has run.
    Open,
    /// All passed.
    Good,
}

impl Tone {
    /// The word for style sheets.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Tone::Bad => "bad",
            Tone::Odd => "odd",
            Tone::Open => "ongoing",
            Tone::Good => "good",
        }
    }
}

/// The verdict.
pub(super) struct Verdict {
    pub(super) tone: Tone,
    /// In a few words.
    pub(super) title: String,
    /// What else is to be said, in sentences.
    pub(super) sentences: Vec<String>,
    /// Cells, vectors and findings, each as one number of another.
    pub(super) figures: String,
}

impl Verdict {
    /// The verdict of a result.
    pub(super) fn of(result: &ResultPart) -> Self {
        let counts = &result.counts;
        let known = result.findings.iter().filter(|finding| !finding.is_new()).count();
        let tests = |column| result.vectors.as_ref().map_or(0, |vectors| vectors.count(column));
        let (divergent, not_reached) = (tests(Column::Divergent), tests(Column::NotReached));
        let [_, _, specified] = sums(result);
        let open = counted(counts.holes, "specified cell");
        let mut sentences = Vec::new();
        if known > 0 {
            let more = if known == 1 { "1 finding is".to_string() } else { format!("{known} findings are") };
            sentences.push(format!("{more} known already."));
        }
        if counts.holes > 0 {
            sentences.push("A longer run decides the open cells.".to_string());
        }
        if counts.unsupported > 0 {
            let cells = counted(specified, "specified cell");
            sentences
                .push(format!("The target refuses {} of {cells}: they were not tested.", grouped(counts.unsupported)));
        }
        let disputed: u64 = result.units.iter().map(|unit| unit.disputed_cases).sum::<u64>() + tests(Column::Disputed);
        if disputed > 0 {
            let cases = counted(disputed, "case");
            sentences.push(format!("A target differs in {cases} only in what is disputed: that is no finding."));
        }
        let nothing: Vec<String> =
            result.units.iter().filter(|unit| unit.offers_nothing()).map(UnitPart::title).collect();
        if !nothing.is_empty() {
            sentences.push(format!("No case of {} was answered, so nothing was shown there.", nothing.join(", ")));
        }
        if divergent > 0 {
            sentences.push(format!("{} of recorded vectors came out differently.", counted(divergent, "test")));
        }
        if not_reached > 0 {
            sentences.push(format!("{} were not replayed.", counted(not_reached, "vector")));
        }
        let (tone, title) = if result.completed == 0 {
            (Tone::Bad, "Nothing was shown: no case completed".to_string())
        } else if result.new_findings > 0 {
            let targets = if result.targets.len() == 1 { "the target differs" } else { "targets differ" };
            (Tone::Bad, format!("{}: {targets} from the reference", counted(result.new_findings, "new finding")))
        } else if divergent > 0 {
            (Tone::Bad, "Recorded vectors came out differently".to_string())
        } else if known > 0 {
            sentences.remove(0);
            (Tone::Odd, format!("Nothing new; {}", counted(known as u64, "known finding")))
        } else if !nothing.is_empty() {
            (Tone::Bad, "No difference, but a target answers nothing that is specified".to_string())
        } else if counts.holes > 0 && is_complete(result) {
            let are = if counts.holes == 1 { "is" } else { "are" };
            (Tone::Odd, format!("No difference; {open} {are} open"))
        } else if counts.holes > 0 {
            (Tone::Open, format!("No difference so far; {open} not yet drawn"))
        } else if not_reached > 0 {
            (Tone::Open, "No difference so far; not all vectors were replayed".to_string())
        } else if counts.disputed > 0 {
            (Tone::Good, "No difference, but for what is disputed".to_string())
        } else if counts.unsupported > 0 {
            (Tone::Good, "All that was answered passed".to_string())
        } else {
            (Tone::Good, "All passed".to_string())
        };
        Verdict { tone, title, sentences, figures: figures(result) }
    }

    /// It in one line.
    pub(super) fn line(&self) -> String {
        let passed = if self.tone == Tone::Good { ":" } else { "; passed:" };
        format!("{}{passed} {}", self.title, self.figures)
    }
}

/// Passed, answered, specified: summed over all that was compared.
pub(super) fn sums(result: &ResultPart) -> [u64; 3] {
    let mut all = [0; 3];
    for unit in result.units.iter().filter(|unit| !unit.targets.is_empty()) {
        all.iter_mut().zip(three(unit)).for_each(|(sum, figure)| *sum += figure);
    }
    all
}

/// Whether a run was to decide every cell, so that an open one fails it.
pub(super) fn is_complete(result: &ResultPart) -> bool {
    result.units.iter().any(|unit| unit.coverage.is_some())
}

/// `21,071 of 21,071 specified cells, 44,140 of 44,140 vectors; 0 findings, 0 new`.
fn figures(result: &ResultPart) -> String {
    let [passed, _, specified] = sums(result);
    let vectors = result.vectors.as_ref().map_or(String::new(), |vectors| {
        format!(", {} of {}", grouped(vectors.count(Column::Agreed)), counted(vectors.columns().tests(), "vector"))
    });
    let findings = counted(result.findings.len() as u64, "finding");
    let cells = counted(specified, "specified cell");
    format!("{} of {cells}{vectors}; {findings}, {} new", grouped(passed), grouped(result.new_findings))
}
