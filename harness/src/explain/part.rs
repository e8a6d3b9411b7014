//! One cause, one finding: what a campaign gathered by where it shows is parted and joined by why it happens.
//!
//! Cases that one mistake explains alone are one finding, wherever it shows. Those that none explains are one for each part of the
//! state: causes are tried before anything is cut by field or width.

use std::collections::BTreeMap;

use tandem_isa::{Edition, Instruction, TargetInfo};

use super::dictionary::Dictionary;
use super::evidence::PLAINER_RUNS;
use super::in_order::{explain_in_order, is_foretold_in_order};
use super::predict::Predictor;
use crate::run::{Located, minimize_first, minimize_value, take_drawn};
use crate::{
    CaseId, CaseSource, CaseValue, Cause, DiagnoseLimits, FailingCase, Finding, IsaSuite, Kind, MinimizeLimits,
    Minimized, Minimizer, Sighting, Signature, TargetFactory, Workbench, diagnose,
};

/// Cases that nothing explains of which plainer ones are made.
const PLAINER: usize = 32;

/// How findings of a target are parted.
pub struct Parting<'a> {
    /// The instruction set, with the target alone.
    pub suite: &'a IsaSuite,
    /// Where the cases of the campaign came from.
    pub source: &'a CaseSource,
    /// What can be wrong.
    pub dictionary: &'a dyn Dictionary,
    /// How much is asked for them.
    pub limits: DiagnoseLimits,
    /// Whether it is over.
    pub is_over: &'a dyn Fn() -> bool,
}

/// Cases with one cause.
struct Group {
    cases: Vec<FailingCase>,
    /// Cases in which it is one of several causes.
    shared: Vec<CaseId>,
    /// New cases that the cause survived.
    survived: u64,
    /// Cases of the campaign's findings that are in this one.
    counted: u64,
    finding: Finding,
}

/// The part of the state in which something shows: a bank, or all fields that have one beginning.
fn part_of(signature: &Signature) -> &str {
    let place = &signature.place;
    place.split_once(['.', '[']).map_or(place, |(part, _)| part)
}

impl Group {
    /// Whether a rule explains both.
    fn shares_a_rule_with(&self, other: &Group) -> bool {
        let (Some(own), Some(others)) = (&self.finding.explanation, &other.finding.explanation) else { return false };
        own.rules.iter().any(|rule| others.rules.contains(rule))
    }

    /// Whether both have the same smallest case, which is of one instruction and edition.
    fn shares_its_case_with(&self, other: &Group) -> bool {
        let small = |group: &Group| {
            let value = &group.finding.minimized.as_ref()?.value;
            Some((value.code, value.fields.clone(), value.words.clone()))
        };
        small(self).is_some_and(|own| small(other) == Some(own))
    }
}

impl Finding {
    /// Whether it is one of a target in an instruction and edition that can have several causes: what comes of a case alone.
    #[must_use]
    pub fn is_to_be_parted(&self, target: &TargetInfo, unit: (&Instruction, Edition)) -> bool {
        let is_of_a_case = matches!(
            self.signature.kind,
            Kind::Outcome | Kind::Row | Kind::Value | Kind::Validity | Kind::Small(_) | Kind::Loose
        );
        self.is_of(target, unit) && is_of_a_case
    }

    /// Whether it is one of a target in an instruction and edition that shows in cases only after others.
    #[must_use]
    pub fn is_in_order(&self, target: &TargetInfo, unit: (&Instruction, Edition)) -> bool {
        self.signature.kind == Kind::OrderDependent && self.is_of(target, unit)
    }

    /// Whether cases of an instruction and edition showed it first of a target, and no recorded test did.
    fn is_of(&self, target: &TargetInfo, (instruction, edition): (&Instruction, Edition)) -> bool {
        let Sighting { id, level, recorded, .. } = &self.first;
        let is_here = self.signature.target == target.name && *level == target.level;
        is_here && std::ptr::eq(id.instruction, instruction) && id.edition == edition && recorded.is_none()
    }
}

impl Parting<'_> {
    /// The findings of the target in one instruction and edition by their causes. Those that show only after other cases are
    /// explained as well; those of other kinds stay as they are.
    #[must_use]
    pub fn part(&self, unit: (&'static Instruction, Edition), findings: Vec<Finding>) -> Vec<Finding> {
        let Parting { suite, source, dictionary, is_over, .. } = *self;
        let Some(factory) = suite.targets.first() else { return findings };
        let findings = self.by_cause(factory, unit, findings);
        let is_in_order = |finding: &Finding| finding.is_in_order(&factory.info, unit);
        let (in_order, mut all): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_in_order);
        let first = all.len();
        for mut finding in in_order {
            if let Some(smallest) = finding.minimized.as_ref().filter(|_| !is_over()) {
                // What one of those before does, or what shows after the same cases, is one with that.
                let is_same = |known: &&mut Finding| match &known.explanation {
                    Some(told) => is_foretold_in_order(suite, source, smallest, dictionary, &told.rules),
                    None => known.minimized.as_ref().is_some_and(|known| shows_after(suite, factory, smallest, known)),
                };
                if let Some(known) = all[first..].iter_mut().find(is_same) {
                    known.merge(&finding);
                    continue;
                }
                finding.explanation = explain_in_order(suite, unit, source, smallest, dictionary, is_over);
            }
            all.push(finding);
        }
        all
    }

    fn by_cause(
        &self,
        factory: &TargetFactory,
        unit: (&'static Instruction, Edition),
        findings: Vec<Finding>,
    ) -> Vec<Finding> {
        let is_own = |finding: &Finding| finding.is_to_be_parted(&factory.info, unit);
        let (own, mut all): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_own);
        if own.is_empty() {
            return all;
        }
        let seen: Vec<FailingCase> = own.iter().map(FailingCase::of).collect();
        let Parting { suite, source, dictionary, limits, is_over } = *self;
        let diagnosis = diagnose(suite, unit, source, &seen, dictionary, &limits, is_over);
        if diagnosis.over {
            all.extend(own);
            return all;
        }
        let predictor = Predictor::new(suite, factory, dictionary);
        let mut groups: Vec<Group> = Vec::new();
        for cause in &diagnosis.causes {
            let also = |value: &CaseValue| predictor.is_foretold_by(std::iter::once(cause.as_broken()), value);
            let mut cases = cause.cases.clone();
            if cases.is_empty() {
                cases.extend(self.drawn_anew(factory, cause, diagnosis.asked));
            }
            let Some(mut finding) = self.finding(factory, &cases, &also) else { continue };
            finding.explanation = Some(cause.explanation(dictionary, &diagnosis, unit));
            groups.push(Group { cases, shared: cause.shared.clone(), survived: cause.survived, counted: 0, finding });
        }
        groups = joined(groups);
        let broken = || diagnosis.causes.iter().map(Cause::as_broken);
        let is_strange = |value: &CaseValue| !predictor.is_told_by(broken(), value);
        groups.extend(self.strange(factory, unit, &diagnosis.strange, &is_strange));
        all.extend(shared_out(own, groups));
        let reading = |number| Some((number, dictionary.erratum(number)?));
        let readings: Vec<(usize, String)> = (0..dictionary.count()).filter_map(reading).collect();
        for finding in &mut all {
            let small = finding.minimized.as_ref().map(|small| &small.value).or(finding.stored.as_ref());
            let Some(value) = small.filter(|_| is_own(finding)) else { continue };
            let reads = |(number, _): &&(usize, String)| predictor.is_foretold(&[*number], value);
            finding.errata = readings.iter().filter(reads).map(|(_, id)| id.clone()).collect();
            finding.errata.dedup();
        }
        all
    }

    /// The finding of cases, with the smallest one for which something holds.
    fn finding(
        &self,
        factory: &TargetFactory,
        cases: &[FailingCase],
        also: &dyn Fn(&CaseValue) -> bool,
    ) -> Option<Finding> {
        let of = |case: &FailingCase| self.signature(factory, case);
        let mut counts: BTreeMap<Signature, usize> = BTreeMap::new();
        cases.iter().filter_map(of).for_each(|signature| *counts.entry(signature).or_default() += 1);
        let (signature, _) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let first = cases.iter().position(|case| of(case).as_ref() == Some(&signature))?;
        let mut finding = self.gathered(factory, signature, cases, first);
        let at = Located { suite: self.suite, factory, held: self.source.held.clone() };
        minimize_first(&at, &mut finding, MinimizeLimits::default(), also, self.is_over);
        Some(finding)
    }

    /// The case that was drawn anew and shows a cause alone, if no case of the run does.
    fn drawn_anew(&self, factory: &TargetFactory, cause: &Cause, cases: u64) -> Option<FailingCase> {
        let id = cause.alone?;
        let value = take_drawn(self.suite, &id, self.source.held.clone(), &mut |_| true);
        let differences = Minimizer::new(self.suite, factory).run(&value)?;
        Some(FailingCase { id, differences, cases, datums: 0 })
    }

    /// The findings of cases that nothing explains, one for each part of the state that they show in once they are made plainer: what
    /// a case shows beside that may be another mistake's.
    fn strange(
        &self,
        factory: &TargetFactory,
        unit: (&'static Instruction, Edition),
        cases: &[FailingCase],
        also: &dyn Fn(&CaseValue) -> bool,
    ) -> Vec<Group> {
        let generator = self.source.generator(self.suite.isa, unit);
        let mut bench = Workbench::new(generator, &self.suite.with_targets(Vec::new()));
        let mut minimizer = Minimizer::new(self.suite, factory);
        let mut by_part: BTreeMap<String, (Signature, CaseValue, Vec<FailingCase>)> = BTreeMap::new();
        // What shows only where rows hold something that the case does not read.
        let mut with_background: BTreeMap<String, Vec<FailingCase>> = BTreeMap::new();
        for (place, case) in cases.iter().enumerate() {
            let Some(own) = self.signature(factory, case) else { continue };
            if place >= PLAINER {
                // There is enough of what goes wrong like this.
                if let Some((.., known)) = by_part.get_mut(part_of(&own)) {
                    known.push(case.clone());
                }
                continue;
            }
            let value = bench.take_value(&case.id, &mut |_| false);
            let Some(plain) = minimizer.plainer(&value, None, (PLAINER_RUNS, false), also, self.is_over) else {
                with_background.entry(part_of(&own).to_string()).or_default().push(case.clone());
                continue;
            };
            let differences = minimizer.run(&plain).unwrap_or_default();
            let of = |differences| Signature::of(&own.instruction, &own.target, self.suite.isa.layout, differences);
            let signature = of(&differences).unwrap_or(own);
            let fresh = || (signature.clone(), plain.clone(), Vec::new());
            let (shows, smallest, known) = by_part.entry(part_of(&signature).to_string()).or_insert_with(fresh);
            if plain.size() < smallest.size() {
                (*shows, *smallest) = (signature, plain);
            }
            known.push(case.clone());
        }
        // What goes wrong like this also where nothing else is needed is of one kind with that.
        with_background.retain(|part, cases| match by_part.get_mut(part) {
            Some((.., known)) => {
                known.append(cases);
                false
            }
            None => true,
        });
        let group = |(signature, plain, cases): (Signature, CaseValue, Vec<FailingCase>)| {
            let mut finding = self.gathered(factory, signature, &cases, 0);
            let at = Located { suite: self.suite, factory, held: self.source.held.clone() };
            minimize_value(&at, &mut finding, &plain, also, self.is_over);
            Group { cases, shared: Vec::new(), survived: 0, counted: 0, finding }
        };
        let on_background = |cases: Vec<FailingCase>| {
            let finding = self.finding(factory, &cases, also)?;
            Some(Group { cases, shared: Vec::new(), survived: 0, counted: 0, finding })
        };
        let rest = with_background.into_values().filter_map(on_background);
        by_part.into_values().map(group).chain(rest).collect()
    }

    /// A finding of cases, of which one is the first.
    fn gathered(&self, factory: &TargetFactory, signature: Signature, cases: &[FailingCase], first: usize) -> Finding {
        let mut finding = Finding::new(signature, cases[first].sighting(factory));
        (finding.cases_to_find, finding.datums_to_find) = (cases[first].cases, cases[first].datums);
        finding.first.by_value = self.source.held.is_some();
        for (_, case) in cases.iter().enumerate().filter(|(place, _)| *place != first) {
            finding.add(&case.sighting(factory));
        }
        finding
    }

    fn signature(&self, factory: &TargetFactory, case: &FailingCase) -> Option<Signature> {
        let layout = self.suite.isa.layout;
        Signature::of(&case.id.instruction.path(), &factory.info.name, layout, &case.differences)
    }
}

/// Whether a case that goes wrong after others does so after those of another one too.
fn shows_after(suite: &IsaSuite, factory: &TargetFactory, smallest: &Minimized, other: &Minimized) -> bool {
    let mut minimizer = Minimizer::new(suite, factory);
    minimizer.after.clone_from(&other.after);
    let differences = minimizer.run(&smallest.value).unwrap_or_default();
    differences.first().is_some_and(|first| first.kind() == Kind::OrderDependent)
}

/// Groups of which any two that share a rule, or their smallest case, are one, with the smaller of their cases. Of what does not share
/// a rule, that counts which survived more new cases.
fn joined(groups: Vec<Group>) -> Vec<Group> {
    let mut result: Vec<Group> = Vec::new();
    for mut group in groups {
        let is_same = |known: &&mut Group| known.shares_a_rule_with(&group) || known.shares_its_case_with(&group);
        let Some(known) = result.iter_mut().find(is_same) else {
            result.push(group);
            continue;
        };
        if !known.shares_a_rule_with(&group) && group.survived > known.survived {
            std::mem::swap(&mut known.finding.explanation, &mut group.finding.explanation);
            known.survived = group.survived;
        }
        known.finding.merge(&group.finding);
        known.cases.extend(group.cases);
        known.shared.extend(group.shared);
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
        let shares_first = |group: &Group| group.shared.iter().any(|id| id.key() == campaign.first.id.key());
        let is_alike = |Group { finding, .. }: &Group| {
            finding.explanation.is_none() && part_of(&finding.signature) == part_of(&campaign.signature)
        };
        let home = groups
            .iter()
            .position(|group| has_first(group) && group.finding.signature == campaign.signature)
            .or_else(|| groups.iter().position(|group| group.finding.signature == campaign.signature))
            .or_else(|| groups.iter().position(has_first))
            .or_else(|| groups.iter().position(shares_first))
            .or_else(|| groups.iter().position(is_alike));
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
        let Group { finding, cases, counted, .. } = &mut groups[home];
        *counted += count;
        finding.levels.extend(campaign.levels.iter().cloned());
        finding.count = finding.count.max(*counted);
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

impl FailingCase {
    /// The first case of a finding.
    fn of(finding: &Finding) -> Self {
        let Finding { first, cases_to_find, datums_to_find, .. } = finding;
        let differences = first.differences.clone();
        FailingCase { id: first.id, differences, cases: *cases_to_find, datums: *datums_to_find }
    }

    pub(crate) fn sighting(&self, factory: &TargetFactory) -> Sighting {
        Sighting::new(self.id, self.differences.clone(), factory.info.level.clone())
    }
}
