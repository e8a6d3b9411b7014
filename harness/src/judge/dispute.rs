//! Disputed cases: which differences are no findings, because others who made the machine say otherwise than its page.

use tandem_isa::{Dispute, DisputedCase, Edition, Instruction, Isa, Parts};

use crate::terms::{Lens, View};
use crate::{Difference, Kind};

/// What is disputed of an instruction's cases.
#[derive(Clone)]
pub struct Disputes {
    view: View,
    list: Vec<(&'static Dispute, Vec<Conditions>)>,
}

/// What holds of some cases, all of it.
type Conditions = Vec<Condition>;

/// What holds of a case if it holds of one of some fields.
#[derive(Clone)]
struct Condition {
    lenses: Vec<Lens>,
    holds: Holds,
}

#[derive(Clone, Copy)]
enum Holds {
    /// It has one of these values: the first and the last of each run.
    Is(&'static [(u32, u32)]),
    /// One of these bits is set.
    Any(u32),
}

impl Condition {
    fn holds(&self, view: &View, parts: &Parts<'_>) -> bool {
        self.lenses.iter().any(|&lens| {
            let value = view.get(lens, parts);
            match self.holds {
                Holds::Is(runs) => runs.iter().any(|&(first, last)| (first..=last).contains(&value)),
                Holds::Any(bits) => value & bits != 0,
            }
        })
    }
}

impl Disputes {
    /// Those of an instruction among all of its set.
    ///
    /// # Panics
    /// If a condition names what the instruction has not.
    #[must_use]
    pub fn of(isa: &'static Isa, instruction: &'static Instruction, all: &'static [Dispute]) -> Self {
        let view = View::new(isa, instruction, Edition::Newest);
        let own = all.iter().filter(|dispute| dispute.concerns(instruction));
        let conditions = |case: &DisputedCase| {
            let is = case.is.iter().map(|&(name, runs)| (name, Holds::Is(runs)));
            let any = case.any.iter().map(|&(name, bits)| (name, Holds::Any(bits)));
            is.chain(any).map(|(name, holds)| Condition { lenses: named(&view, name), holds }).collect()
        };
        let list = own.map(|dispute| (dispute, dispute.cases.iter().map(conditions).collect())).collect();
        Disputes { view, list }
    }

    /// Whether nothing of the instruction is disputed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The disputes of a case, as it begins.
    pub fn of_case(&self, parts: &Parts<'_>) -> impl Iterator<Item = &'static Dispute> {
        let meets = |conditions: &Conditions| conditions.iter().all(|one| one.holds(&self.view, parts));
        self.list.iter().filter(move |(_, cases)| cases.iter().any(meets)).map(|&(dispute, _)| dispute)
    }

    /// The dispute that makes these differences no finding: each is at a place that one of the case's disputes is about.
    #[must_use]
    pub fn excuse(&self, parts: &Parts<'_>, differences: &[Difference]) -> Option<&'static Dispute> {
        if self.list.is_empty() || !differences.iter().all(is_of_the_outcome) {
            return None;
        }
        let disputes: Vec<&'static Dispute> = self.of_case(parts).collect();
        let layout = self.view.isa.layout;
        let is_about = |dispute: &Dispute, difference: &Difference| {
            dispute.places.is_empty() || dispute.places.contains(&&*difference.place(layout))
        };
        let excused = |difference: &Difference| disputes.iter().any(|dispute| is_about(dispute, difference));
        disputes.first().copied().filter(|_| differences.iter().all(excused))
    }
}

/// Whether a difference is one of what came of a case. That a target ended, did not answer, wrote where it does not say,
/// changed what it refused, or does not do the same again is a finding whatever is disputed.
#[must_use]
pub fn is_of_the_outcome(difference: &Difference) -> bool {
    matches!(difference.kind(), Kind::Outcome | Kind::Row | Kind::Value | Kind::Validity | Kind::Small(_))
}

/// What a name stands for: a field of the code words, one of the small state or several, or a quantity.
fn named(view: &View, name: &str) -> Vec<Lens> {
    let is_field = |lens: &Lens| matches!(lens, Lens::Code(_) | Lens::Field(_) | Lens::Quantity(_));
    let is_meant = |own: &str| match name.split_once("[*]") {
        Some((before, after)) => {
            own.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(is_index)
        }
        None => own == name,
    };
    let mut lenses: Vec<Lens> = view.lenses().into_iter().filter(is_field).collect();
    // A field of the code words comes before what is made of it.
    lenses.sort_by_key(|lens| !matches!(lens, Lens::Code(_)));
    lenses.retain(|&lens| is_meant(&view.name(lens)));
    assert!(!lenses.is_empty(), "{} has no {name}", view.instruction.path());
    lenses.truncate(if name.contains("[*]") { usize::MAX } else { 1 });
    lenses
}

fn is_index(text: &str) -> bool {
    let digits = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
}
