//! One cause, one finding: what a campaign gathered by where it shows is parted and joined by why it happens.
//!
//! Cases that one mistake explains alone are one finding, wherever it shows. Those that none explains are one for each signature.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use tandem_isa::{Answer, Edition, Instruction, State, Step, Target, TargetInfo};

use crate::campaign::{Located, minimize_first};
use crate::diagnose::levels_of;
use crate::workbench::guarded;
use crate::{
    CaseValue, Cause, DiagnoseLimits, Diagnosis, Dictionary, Finding, IsaSuite, Kind, MinimizeLimits, Pools, Sighted,
    Sighting, Signature, TargetFactory, diagnose,
};

/// Why a finding happens, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The mistakes that explain it and cannot be told apart, by their names.
    pub rules: Vec<String>,
    /// It in words, a line each.
    pub lines: Vec<String>,
}

/// How findings of a target are parted.
pub struct Parting<'a> {
    /// The instruction set, with the target alone.
    pub suite: &'a IsaSuite,
    /// The seed of the campaign.
    pub seed: u64,
    /// What is drawn from it.
    pub pools: Arc<Pools>,
    /// What can be wrong.
    pub dictionary: Dictionary<'a>,
    /// Those that are other readings of errata, with the erratum.
    pub readings: Vec<(usize, String)>,
    /// Why a cause is one, in words.
    pub tell: &'a dyn Fn(&Cause, &Diagnosis) -> Told,
    /// Whether it is over.
    pub is_over: &'a dyn Fn() -> bool,
}

/// Cases with one cause.
struct Group {
    cases: Vec<Sighted>,
    finding: Finding,
}

impl Group {
    /// Whether a rule explains both.
    fn shares_a_rule_with(&self, other: &Group) -> bool {
        let (Some(own), Some(others)) = (&self.finding.told, &other.finding.told) else { return false };
        own.rules.iter().any(|rule| others.rules.contains(rule))
    }
}

impl Finding {
    /// Whether it is one of a target in an instruction and edition that can have several causes: what comes of a case alone.
    #[must_use]
    pub fn is_to_be_parted(&self, target: &TargetInfo, (instruction, edition): (&Instruction, Edition)) -> bool {
        let Sighting { id, level, recorded, .. } = &self.first;
        let is_here = self.signature.target == target.name && *level == target.level;
        let is_of = std::ptr::eq(id.instruction, instruction) && id.edition == edition;
        let is_of_a_case =
            matches!(self.signature.kind, Kind::Outcome | Kind::Row | Kind::Value | Kind::Validity | Kind::Small(_));
        is_here && is_of && recorded.is_none() && is_of_a_case
    }
}

impl Parting<'_> {
    /// The findings of the target in one instruction and edition by their causes; those of other kinds stay as they are.
    #[must_use]
    pub fn part(&self, unit: (&'static Instruction, Edition), findings: Vec<Finding>) -> Vec<Finding> {
        let Some(factory) = self.suite.targets.first() else { return findings };
        let is_own = |finding: &Finding| finding.is_to_be_parted(&factory.info, unit);
        let (own, mut all): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_own);
        if own.is_empty() {
            return all;
        }
        let seen: Vec<Sighted> = own.iter().map(Sighted::of).collect();
        let Parting { suite, pools, dictionary, is_over, .. } = self;
        let limits = DiagnoseLimits::default();
        let diagnosis = diagnose(suite, unit, pools, (self.seed, &seen), dictionary, &limits, is_over);
        if diagnosis.over {
            all.extend(own);
            return all;
        }
        let trial = Trial::new(self, factory, &diagnosis);
        let mut groups: Vec<Group> = Vec::new();
        for (place, cause) in diagnosis.causes.iter().enumerate() {
            let also = |value: &CaseValue| trial.is_by(place, value);
            let Some(mut finding) = self.finding(factory, &cause.cases, &also) else { continue };
            finding.told = Some((self.tell)(cause, &diagnosis));
            groups.push(Group { cases: cause.cases.clone(), finding });
        }
        groups = joined(groups);
        groups.extend(self.strange(factory, &diagnosis.strange, &trial));
        all.extend(shared_out(own, groups));
        for finding in &mut all {
            let small = finding.minimized.as_ref().map(|small| &small.value).or(finding.stored.as_ref());
            let Some(value) = small.filter(|_| is_own(finding)) else { continue };
            let reads = |(number, _): &&(usize, String)| trial.is_foretold(&[*number], value);
            finding.errata = self.readings.iter().filter(reads).map(|(_, id)| id.clone()).collect();
            finding.errata.dedup();
        }
        all
    }

    /// The finding of cases, with the smallest one for which something holds.
    fn finding(
        &self,
        factory: &TargetFactory,
        cases: &[Sighted],
        also: &dyn Fn(&CaseValue) -> bool,
    ) -> Option<Finding> {
        let of = |case: &Sighted| self.signature(factory, case);
        let mut counts: BTreeMap<Signature, usize> = BTreeMap::new();
        cases.iter().filter_map(of).for_each(|signature| *counts.entry(signature).or_default() += 1);
        let (signature, _) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let first = cases.iter().position(|case| of(case).as_ref() == Some(&signature))?;
        let mut finding = Finding::new(signature, cases[first].sighting(factory));
        (finding.cases_to_find, finding.datums_to_find) = (cases[first].cases, cases[first].datums);
        for (_, case) in cases.iter().enumerate().filter(|(place, _)| *place != first) {
            finding.add(&case.sighting(factory));
        }
        let at = Located { suite: self.suite, factory, held: None };
        minimize_first(&at, &mut finding, MinimizeLimits::default(), also, self.is_over);
        Some(finding)
    }

    /// The findings of cases that nothing explains, one for each signature.
    fn strange(&self, factory: &TargetFactory, cases: &[Sighted], trial: &Trial<'_>) -> Vec<Group> {
        let mut by_signature: BTreeMap<Signature, Vec<Sighted>> = BTreeMap::new();
        for case in cases {
            if let Some(signature) = self.signature(factory, case) {
                by_signature.entry(signature).or_default().push(case.clone());
            }
        }
        let also = |value: &CaseValue| trial.is_strange(value);
        let group = |cases: Vec<Sighted>| {
            let finding = self.finding(factory, &cases, &also)?;
            Some(Group { cases, finding })
        };
        by_signature.into_values().filter_map(group).collect()
    }

    fn signature(&self, factory: &TargetFactory, case: &Sighted) -> Option<Signature> {
        let layout = self.suite.isa.layout;
        Signature::of(&case.id.instruction.path(), &factory.info.name, layout, &case.differences)
    }
}

/// Groups of which any two that share a rule are one, with the smaller of their cases.
fn joined(groups: Vec<Group>) -> Vec<Group> {
    let mut result: Vec<Group> = Vec::new();
    for group in groups {
        let Some(known) = result.iter_mut().find(|known| known.shares_a_rule_with(&group)) else {
            result.push(group);
            continue;
        };
        known.finding.merge(&group.finding);
        known.cases.extend(group.cases);
        let size = |finding: &Finding| finding.minimized.as_ref().map_or(usize::MAX, |small| small.value.size());
        if size(&group.finding) < size(&known.finding) {
            let Finding { minimized, stored, shows, .. } = group.finding;
            (known.finding.minimized, known.finding.stored, known.finding.shows) = (minimized, stored, shows);
        }
    }
    result
}

/// Gives the groups what the campaign counted. Of a signature with several groups the one that has its first case has all that
/// was not seen of the others; a signature without a group stays, unless its first case is one of another's.
fn shared_out(own: Vec<Finding>, mut groups: Vec<Group>) -> Vec<Finding> {
    let mut kept = Vec::new();
    for campaign in own {
        let has_first = |group: &Group| group.cases.iter().any(|case| case.id.key() == campaign.first.id.key());
        let home = groups
            .iter()
            .position(|group| has_first(group) && group.finding.signature == campaign.signature)
            .or_else(|| groups.iter().position(|group| group.finding.signature == campaign.signature))
            .or_else(|| groups.iter().position(has_first));
        let Some(home) = home else {
            kept.push(campaign);
            continue;
        };
        let mut cells = campaign.cells.clone();
        let (mut bits, mut count) = (campaign.bits.clone(), campaign.count);
        for (place, Group { finding, .. }) in groups.iter().enumerate() {
            if place == home || finding.signature != campaign.signature {
                continue;
            }
            count = count.saturating_sub(finding.count);
            for (edition, own) in &finding.cells {
                cells.entry(*edition).or_default().retain(|cell| !own.contains(cell));
            }
            bits.retain(|bit, _| !finding.bits.contains_key(bit));
        }
        let Group { finding, cases, .. } = &mut groups[home];
        finding.levels.extend(campaign.levels.iter().cloned());
        finding.count = finding.count.max(count);
        for (edition, own) in cells {
            finding.cells.entry(edition).or_default().extend(own);
        }
        if finding.signature != campaign.signature {
            continue;
        }
        bits.into_iter().for_each(|(bit, counts)| {
            finding.bits.insert(bit, counts);
        });
        if cases.iter().any(|case| case.id.key() == campaign.first.id.key()) {
            (finding.first, finding.cases_to_find) = (campaign.first.clone(), campaign.cases_to_find);
            finding.datums_to_find = campaign.datums_to_find;
        }
    }
    kept.extend(groups.into_iter().map(|group| group.finding));
    kept.iter_mut().for_each(|finding| finding.cells.retain(|_, cells| !cells.is_empty()));
    kept
}

/// Asks the target and mistakes for cases by value.
struct Trial<'a> {
    dictionary: &'a Dictionary<'a>,
    causes: &'a [Cause],
    target: RefCell<Box<dyn Target>>,
    made: RefCell<BTreeMap<Vec<usize>, Box<dyn Target>>>,
}

impl<'a> Trial<'a> {
    fn new(parting: &'a Parting<'_>, factory: &TargetFactory, diagnosis: &'a Diagnosis) -> Self {
        let target = RefCell::new(factory.make());
        Trial { dictionary: &parting.dictionary, causes: &diagnosis.causes, target, made: RefCell::default() }
    }

    /// Whether mistakes do in a case what the target does.
    fn is_foretold(&self, set: &[usize], value: &CaseValue) -> bool {
        let run = |target: &mut dyn Target| -> (Option<Answer>, State) {
            let mut state = value.state();
            let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
            target.reset();
            let answer = guarded(|| target.execute(&step, &mut state)).ok();
            (answer, state)
        };
        let mut made = self.made.borrow_mut();
        let candidate = made.entry(set.to_vec()).or_insert_with(|| (self.dictionary.make)(set));
        let (said, foretold) = run(&mut **candidate);
        let (answer, state) = run(&mut **self.target.borrow_mut());
        answer.is_some() && said == answer && *foretold.small == *state.small && *foretold.arena == *state.arena
    }

    fn holds(cause: &Cause, value: &CaseValue) -> bool {
        let levels = value.with_parts(|parts| levels_of(value.instruction, value.edition, parts));
        cause.guard.iter().all(|atom| atom.holds(&levels))
    }

    /// Whether a cause explains a case.
    fn is_by(&self, place: usize, value: &CaseValue) -> bool {
        let cause = &self.causes[place];
        Self::holds(cause, value) && self.is_foretold(&[cause.class[0]], value)
    }

    /// Whether no cause and not all of them explain a case.
    fn is_strange(&self, value: &CaseValue) -> bool {
        let mut set: Vec<usize> =
            self.causes.iter().filter(|cause| Self::holds(cause, value)).map(|cause| cause.class[0]).collect();
        set.sort_unstable();
        set.dedup();
        !self.is_foretold(&set, value)
    }
}

impl Sighted {
    /// The first case of a finding.
    fn of(finding: &Finding) -> Self {
        let Finding { first, cases_to_find, datums_to_find, .. } = finding;
        let differences = first.differences.clone();
        Sighted { id: first.id, differences, cases: *cases_to_find, datums: *datums_to_find }
    }

    fn sighting(&self, factory: &TargetFactory) -> Sighting {
        let Sighted { id, differences, .. } = self.clone();
        let level = factory.info.level.clone();
        Sighting { id, differences, level, after: None, recorded: None, by_value: false }
    }
}
