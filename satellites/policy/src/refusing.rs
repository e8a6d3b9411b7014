//! A target behind a policy.

use std::sync::Arc;

use tandem_faults::flip;
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo, mix64};

use super::case::Case;
use super::{Policy, RuleKind};

/// A target that refuses what a policy refuses, and is otherwise like the target inside.
pub struct Refusing {
    inner: Box<dyn Target>,
    policy: Arc<Policy>,
    /// Whether it refuses where it would be wrong.
    lies: bool,
    /// Unit, kind and place of the rule by which the last case was refused.
    refused: Option<Refused>,
}

#[derive(Clone, Copy)]
struct Refused {
    unit: usize,
    kind: RuleKind,
    rule: usize,
}

impl Refusing {
    /// `inner` behind `policy`. Where a lie of the policy holds, `inner` is made wrong by a bit, and that is refused.
    #[must_use]
    pub fn new(inner: Box<dyn Target>, policy: Arc<Policy>) -> Self {
        Refusing { inner, policy, lies: true, refused: None }
    }

    /// The same without its lies: what they hide shows.
    #[must_use]
    pub fn without_lies(self) -> Self {
        Refusing { lies: false, ..self }
    }
}

impl Target for Refusing {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: self.policy.name().to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.policy.unit(instruction).is_some() && self.inner.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.refused = None;
        let Some(number) = self.policy.units.iter().position(|unit| std::ptr::eq(unit.instruction, step.instruction))
        else {
            return Answer::Unsupported;
        };
        let unit = &self.policy.units[number];
        let case = Case::new(unit.section.as_ref(), step.code, state);
        let mut refused = unit.first(RuleKind::Refusal, &case).map(|rule| (RuleKind::Refusal, rule));
        let mut wrong = None;
        if refused.is_none() {
            let lie = unit.first(RuleKind::Lie, &case);
            wrong = unit.first(RuleKind::Wrong, &case).map(|rule| rule + unit.lies);
            if self.lies {
                refused = lie.map(|rule| (RuleKind::Lie, rule));
            } else {
                wrong = lie.or(wrong);
            }
        }
        if let Some((kind, rule)) = refused {
            self.refused = Some(Refused { unit: number, kind, rule });
            return Answer::Unsupported;
        }
        let answer = self.inner.execute(step, state);
        if let (Some(rule), Answer::Done) = (wrong, answer) {
            let hash = mix64(rule as u64 + 1);
            flip::flip_result(state, flip::counter_of(state.layout, hash), hash);
        }
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn claims(&self) -> Option<String> {
        self.policy.claims().map(str::to_string)
    }

    fn refusal(&mut self) -> Option<String> {
        let Refused { unit, kind, rule } = self.refused?;
        Some(self.policy.units[unit].rules(kind)[rule].reason.clone())
    }
}
