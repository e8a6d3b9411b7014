//! Asking a target single cases that no generator made.

use serde::{Deserialize, Serialize};
use tandem_isa::{Expectation, Overlay};

use crate::case::Question;
use crate::{CaseOutcome, Difference, Workbench};

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The pages promise nothing, so nobody was asked.
    Unpromised,
    /// It was answered; whether as the pages say is for the campaign to find out.
    Answered,
    /// It was refused, perhaps with a reason.
    Refused(Option<String>),
    /// The target crashed, hung, or gave what is no answer.
    Misbehaved,
}

/// What a target did instead of answering a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mishap {
    /// The cell that it was asked about.
    pub cell: u32,
    /// What it did.
    pub differences: Vec<Difference>,
}

/// Told after the reference ran a question: which one, what the pages promise, and the operands.
pub(crate) type Look<'a> = dyn FnMut(usize, Expectation, &Overlay) + 'a;

impl Workbench {
    /// Asks the target in a slot. The background is the current one, and stays. Once it is over, what went wrong is taken
    /// down as it was seen.
    pub(crate) fn ask(
        &mut self,
        slot: usize,
        questions: &[Question],
        look: &mut Look<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Reply> {
        let mut replies = vec![Reply::Unpromised; questions.len()];
        let foreign = self.slots[slot].foreign;
        for (place, question) in questions.iter().enumerate() {
            self.set_question(question);
            let (expectation, outcome) = self.run_question(question, slot, place as u64, look);
            if expectation.required_answer().is_some() {
                replies[place] = reply_of(&outcome);
                self.note_mishap(question, outcome);
                if !foreign && replies[place] == Reply::Refused(None) {
                    replies[place] = Reply::Refused(self.refusal(slot));
                }
            }
        }
        if foreign {
            for (place, outcome, reason) in self.settle_questions(slot, is_over) {
                if replies[place] == Reply::Answered {
                    replies[place] = match reply_of(&outcome) {
                        Reply::Refused(_) => Reply::Refused(reason),
                        other => other,
                    };
                }
                self.note_mishap(&questions[place], outcome);
            }
        }
        replies
    }

    /// Keeps what a target did instead of answering.
    fn note_mishap(&mut self, question: &Question, outcome: CaseOutcome) {
        let CaseOutcome::Diverged(differences) = outcome else { return };
        if differences.iter().any(is_break) {
            let view = self.view();
            let cell = question.case.look(|parts| view.cells.classify(parts));
            let cell = cell.and_then(|cell| u32::try_from(cell).ok()).unwrap_or_default();
            self.mishaps.push(Mishap { cell, differences });
        }
    }
}

/// Whether it is no answer.
fn is_break(difference: &Difference) -> bool {
    matches!(difference, Difference::Misbehaved(_) | Difference::Panic(_))
}

fn reply_of(outcome: &CaseOutcome) -> Reply {
    match outcome {
        CaseOutcome::Agreed | CaseOutcome::Disputed(_) | CaseOutcome::Strayed | CaseOutcome::Unjudged => {
            Reply::Answered
        }
        CaseOutcome::Unsupported => Reply::Refused(None),
        CaseOutcome::Unanswered => Reply::Misbehaved,
        CaseOutcome::Diverged(differences) => {
            if differences.iter().any(|one| matches!(one, Difference::Refused(_))) {
                return Reply::Refused(None);
            }
            if differences.iter().any(is_break) { Reply::Misbehaved } else { Reply::Answered }
        }
    }
}
