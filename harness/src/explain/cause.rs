//! What a diagnosis says: causes, when they hold, and how sure that is.

use std::collections::BTreeSet;

use tandem_isa::{Axis, Edition, Instruction, Parts};

use super::dictionary::Dictionary;
use super::evidence::Evidence;
use crate::run::Explanation;
use crate::{CaseId, Difference};

/// Most conditions of a guard.
const MOST_ATOMS: usize = 4;

/// A case in which a target was seen to differ.
#[derive(Clone, Debug)]
pub struct FailingCase {
    /// The case.
    pub id: CaseId,
    /// What differed.
    pub differences: Vec<Difference>,
    /// Cases that were asked up to and with it.
    pub cases: u64,
    /// Words that the reference wrote in them.
    pub datums: u64,
}

/// How sure a diagnosis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// It explains all there was, and new cases that were chosen to refute it did not.
    Established,
    /// Nothing speaks against it.
    Consistent,
}

/// A condition on a case: an axis has one of some levels, or has none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The place of the axis: those of the cell first, then the orthogonal ones.
    pub axis: usize,
    /// The levels.
    pub levels: BTreeSet<u8>,
    /// Whether it has one of them.
    pub has: bool,
}

impl Atom {
    pub(crate) fn holds(&self, levels: &[u8]) -> bool {
        self.levels.contains(&levels[self.axis]) == self.has
    }

    /// As `axis=level`, or `axis≠level|level`, whichever is shorter.
    #[must_use]
    pub fn text(&self, instruction: &Instruction, edition: Edition) -> String {
        let axis = axes(instruction, edition).nth(self.axis).expect("the axis was read");
        let is_short = 2 * self.levels.len() <= axis.levels.len();
        let named = axis.levels.iter().zip(0_u8..);
        let named = named.filter(|(_, level)| self.levels.contains(level) == is_short).map(|(name, _)| *name);
        let sign = if self.has == is_short { "=" } else { "≠" };
        format!("{}{sign}{}", axis.name, named.collect::<Vec<_>>().join("|"))
    }
}

/// How much a guard says: each of its levels could be another.
pub(super) fn weight(guard: &[Atom]) -> usize {
    guard.iter().map(|atom| atom.levels.len()).sum()
}

/// What explains cases.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The candidate, and those that foretold the same in every case: they cannot be told apart.
    pub class: Vec<usize>,
    /// When it is so: always, if there is none.
    pub guard: Vec<Atom>,
    /// How sure that is.
    pub tier: Tier,
    /// Cases that it explains, of those that differ and were kept.
    pub explained: usize,
    /// New cases in which it foretold something else than the pages say, or its rivals something else than it, and was right.
    pub survived: u64,
    /// Of the cases that differ and were found first, before any was looked for that nothing explains, as percent.
    pub share: usize,
    /// New cases in which it was wrong.
    pub wrong: u64,
    /// New cases that were drawn to tell its candidates apart.
    pub drawn: u64,
    /// Candidates that explained as much until a case ruled them out, with that case.
    pub rivals: Vec<(usize, CaseId)>,
    /// Cases that it explains alone, and no other cause does.
    pub cases: Vec<FailingCase>,
    /// Cases that it explains only together with others.
    pub shared: Vec<CaseId>,
    /// A new case that it explains alone, if there was one.
    pub alone: Option<CaseId>,
}

impl Cause {
    /// Whether it explains less than half of what differs.
    #[must_use]
    pub fn is_hint(&self) -> bool {
        self.share < 50
    }

    /// Its conditions, and the candidate.
    pub(crate) fn as_broken(&self) -> (&[Atom], usize) {
        (&self.guard, self.class[0])
    }

    /// What is said of it, a line each.
    #[must_use]
    pub fn lines(
        &self,
        dictionary: &dyn Dictionary,
        diagnosis: &Diagnosis,
        (instruction, edition): (&Instruction, Edition),
    ) -> Vec<String> {
        let Diagnosis { diverging, agreeing, by_rules, .. } = diagnosis;
        let rule = |number: usize| dictionary.sentence(number, instruction);
        let atoms: Vec<String> = self.guard.iter().map(|atom| atom.text(instruction, edition)).collect();
        let when = if atoms.is_empty() { String::new() } else { format!(", only with {}", atoms.join(", ")) };
        let tier = match self.tier {
            Tier::Established => "established",
            Tier::Consistent => "consistent with that",
        };
        let mut lines = vec![
            format!("behaves as if {}{when}", rule(self.class[0])),
            format!(
                "  {tier}: explains {} of {diverging} failing and {agreeing} of {agreeing} agreeing cases; survived {} cases chosen to refute it",
                self.explained, self.survived
            ),
        ];
        if self.class.len() > 1 {
            let drawn = self.drawn;
            lines
                .push(format!("  to tell it from these takes a case in which they differ, which none of {drawn} did:"));
        }
        lines.extend(self.class[1..].iter().map(|&other| format!("  cannot be told from: {}", rule(other))));
        let rivals = self.rivals.iter().take(3);
        let by = |case: &CaseId| if *by_rules { "another case".to_string() } else { format!("case {case}") };
        lines.extend(rivals.map(|(rival, case)| format!("  ruled out by {}: {}", by(case), dictionary.says(*rival))));
        lines
    }

    /// Why findings happen that it explains.
    pub(super) fn explanation(
        &self,
        dictionary: &dyn Dictionary,
        diagnosis: &Diagnosis,
        unit: (&Instruction, Edition),
    ) -> Explanation {
        let rules = self.class.iter().map(|&number| dictionary.name(number)).collect();
        Explanation { rules, lines: self.lines(dictionary, diagnosis, unit) }
    }
}

/// What a target does wrong in an instruction, as far as the dictionary says.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// Cases among which those that differ were looked for.
    pub asked: u64,
    /// Cases that differed and were kept.
    pub diverging: usize,
    /// Cases that agreed and were kept.
    pub agreeing: usize,
    /// What explains them, most first.
    pub causes: Vec<Cause>,
    /// Cases that differ and that nothing explains.
    pub strange: Vec<FailingCase>,
    /// The first case that differed among the others, and is right alone.
    pub in_order: Option<FailingCase>,
    /// Whether it was over before all was asked.
    pub over: bool,
    /// Whether further causes were not looked for because that takes too many steps.
    pub costly: bool,
    /// Whether its cases were drawn by what the target refuses, so that without that an id is another case.
    pub by_rules: bool,
}

fn axes(instruction: &Instruction, edition: Edition) -> impl Iterator<Item = &'static Axis> + use<> {
    (instruction.cells)(edition).axes.iter().chain((instruction.orthogonal)(edition))
}

/// The levels of a case: those of the cell first, then the orthogonal ones.
pub(crate) fn levels_of(instruction: &Instruction, edition: Edition, parts: &Parts<'_>) -> Vec<u8> {
    axes(instruction, edition).map(|axis| (axis.get)(parts) as u8).collect()
}

/// The shortest conditions that hold in all of `explained` and not all at once in any of `others`, as far as taking the best
/// one each time finds them: each of one level if those do, or else each of all levels of an axis that speak against it.
pub(super) fn guard_between(explained: &[&Evidence], others: &[&Evidence]) -> Option<Vec<Atom>> {
    guard_of(explained, others, false).or_else(|| guard_of(explained, others, true))
}

fn guard_of(explained: &[&Evidence], others: &[&Evidence], takes_several: bool) -> Option<Vec<Atom>> {
    let mut left: Vec<&Evidence> = others.to_vec();
    let mut guard = Vec::new();
    let num_axes = explained.first().map_or(0, |case| case.levels.len());
    while !left.is_empty() {
        if guard.len() == MOST_ATOMS {
            return None;
        }
        let mut best: Option<(usize, Atom)> = None;
        for axis in 0..num_axes {
            // Of each level how many cases have it.
            let count = |cases: &[&Evidence]| {
                let mut counts = [0_usize; 256];
                cases.iter().for_each(|case| counts[usize::from(case.levels[axis])] += 1);
                counts
            };
            let (own, against) = (count(explained), count(&left));
            let levels = |is: &dyn Fn(usize) -> bool| (0..=u8::MAX).filter(|&level| is(level.into())).collect();
            let foreign: BTreeSet<u8> = levels(&|level| own[level] == 0 && against[level] > 0);
            let own: BTreeSet<u8> = levels(&|level| own[level] > 0);
            let is = (own.len() == 1).then_some(Atom { axis, levels: own, has: true });
            let is_none = |levels: BTreeSet<u8>| Atom { axis, levels, has: false };
            let is_not: Vec<Atom> = if takes_several {
                vec![is_none(foreign)]
            } else {
                foreign.into_iter().map(|level| is_none([level].into())).collect()
            };
            for atom in is.into_iter().chain(is_not) {
                let held: usize = atom.levels.iter().map(|&level| against[usize::from(level)]).sum();
                let excluded = if atom.has { left.len() - held } else { held };
                if best.as_ref().is_none_or(|(most, _)| excluded > *most) {
                    best = Some((excluded, atom));
                }
            }
        }
        let (excluded, atom) = best?;
        if excluded == 0 {
            return None;
        }
        left.retain(|case| atom.holds(&case.levels));
        guard.push(atom);
    }
    Some(guard)
}
