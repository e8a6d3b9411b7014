//! Asking a target single cases that no generator made.

use tandem_isa::{AlignedBytes, Code, Expectation, Narrowing, Overlay, Parts, SaltPlan};

use crate::{CaseOutcome, Workbench};

/// A case to ask a target.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) code: Code,
    pub(crate) small: AlignedBytes,
    pub(crate) salt: SaltPlan,
    /// What the operands are drawn from.
    pub(crate) key: u64,
    /// Whether operands are corner values only.
    pub(crate) corners: bool,
    /// How they are narrowed.
    pub(crate) narrowing: Narrowing,
}

impl Question {
    /// The parts that axes and lenses read and set.
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts { code: &mut self.code, small: &mut self.small, salt: &mut self.salt }
    }
}

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

/// Told after the reference ran a question: which one, what the pages promise, and the operands.
pub(crate) type Look<'a> = dyn FnMut(usize, Expectation, &Overlay) + 'a;

impl Workbench {
    /// Asks the target in a slot. The background is the current one, and stays.
    pub(crate) fn ask(&mut self, slot: usize, questions: &[Question], look: &mut Look<'_>) -> Vec<Reply> {
        let mut replies = vec![Reply::Unpromised; questions.len()];
        let foreign = self.slots[slot].foreign;
        for (place, question) in questions.iter().enumerate() {
            self.set_question(question);
            let (expectation, outcome) = self.run_question(question, slot, place as u64, look);
            if expectation.required_answer().is_some() {
                replies[place] = reply_of(&outcome);
                if !foreign && replies[place] == Reply::Refused(None) {
                    replies[place] = Reply::Refused(self.refusal(slot));
                }
            }
        }
        if foreign {
            for (place, reply, reason) in self.settle_questions(slot) {
                if replies[place] == Reply::Answered {
                    replies[place] = match reply_of(&reply) {
                        Reply::Refused(_) => Reply::Refused(reason),
                        other => other,
                    };
                }
            }
        }
        replies
    }
}

fn reply_of(outcome: &CaseOutcome) -> Reply {
    match outcome {
        CaseOutcome::Agreed | CaseOutcome::Disputed(_) | CaseOutcome::Strayed | CaseOutcome::Unjudged => {
            Reply::Answered
        }
        CaseOutcome::Unsupported => Reply::Refused(None),
        CaseOutcome::Diverged(differences) => {
            if differences.iter().any(|one| matches!(one, crate::Difference::Refused(_))) {
                return Reply::Refused(None);
            }
            let broke =
                |one: &crate::Difference| matches!(one, crate::Difference::Misbehaved(_) | crate::Difference::Panic(_));
            if differences.iter().any(broke) { Reply::Misbehaved } else { Reply::Answered }
        }
    }
}
