//! A target that refuses a part of the cases, says why, and makes claims: the same on every way, for tests of the ways.

use tandem_isa::{Answer, Facts, REASON_BYTES, State, Step, Target, TargetInfo, mix64};

/// Its claims: a text that a careless way would change.
pub const CLAIMS: &str = "# \"claims\"\tof\u{a0}a target, \\n\n[mova2d]\nabsent = ['rows ≠ 8']\n\n";

/// Refuses by the code words, and does everything else as another target does.
pub struct Choosy {
    target: Box<dyn Target>,
    reason: Option<String>,
}

impl Choosy {
    /// The target `target`, without what is refused.
    pub fn new(target: Box<dyn Target>) -> Self {
        Choosy { target, reason: None }
    }
}

impl Target for Choosy {
    fn info(&self) -> TargetInfo {
        self.target.info()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.target.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let word = step.code.iter().fold(0, |hash, &word| mix64(hash ^ u64::from(word)));
        self.reason = match word % 8 {
            0 => None,
            1 => Some("the row is odd".to_string()),
            2 => Some(format!("\"quoted\", with a \\ and {word:#x}: ä, ≠")),
            3 => Some("x".repeat(REASON_BYTES)),
            _ => return self.target.execute(step, state),
        };
        Answer::Unsupported
    }

    fn reset(&mut self) {
        self.target.reset();
    }

    fn claims(&self) -> Option<String> {
        Some(CLAIMS.to_string())
    }

    fn refusal(&mut self) -> Option<String> {
        self.reason.take()
    }
}
