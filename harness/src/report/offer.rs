//! What an implementation answers of what the pages specify, in the words of all renderings.
//!
//! Three figures always stand together: cells that passed, cells that were answered, cells that the pages specify. Where
//! nothing is answered nothing was shown, however many cases agreed that it is refused.

use super::model::{MapPart, ObservedPart, RulePart, SignaturePart, UnitPart};
use super::text::{grouped, percent};
use crate::Claimed;

impl UnitPart {
    /// The instruction, the edition, and the implementation if it is about one alone.
    #[must_use]
    pub fn title(&self) -> String {
        let target = self.target.iter().map(|target| format!(" {target}"));
        format!("{} {}{}", self.instruction, self.edition, target.collect::<String>())
    }

    /// Whether a finding may be of this unit: it is of the instruction, and of an implementation that this is about.
    #[must_use]
    pub fn concerns(&self, signature: &SignaturePart) -> bool {
        let of_target = match &self.target {
            Some(target) => *target == signature.target,
            None => self.targets.is_empty() || self.targets.contains(&signature.target),
        };
        self.instruction == signature.instruction && of_target
    }

    /// Whether specified cases were asked and refused, and none was answered: never a success.
    #[must_use]
    pub fn offers_nothing(&self) -> bool {
        !self.targets.is_empty() && self.promised > 0 && self.refusals > 0 && self.offered == 0
    }
}

impl MapPart {
    /// For each cell the share of its promised cases that were refused, in percent; nothing if that is not known.
    #[must_use]
    pub fn shares(&self) -> Vec<usize> {
        unpacked(&self.refusals, self.statuses.len(), 101)
    }
}

/// Numbers below `limit`, one for each of `count` cells, from runs such as `0*3 2`; nothing if they do not fit.
pub(super) fn unpacked(runs: &str, count: usize, limit: usize) -> Vec<usize> {
    let mut of = Vec::new();
    for run in runs.split_ascii_whitespace() {
        let (number, times) = run.split_once('*').unwrap_or((run, "1"));
        let (Ok(number), Ok(times)) = (number.parse::<usize>(), times.parse::<usize>()) else { return Vec::new() };
        if number >= limit || times > count - of.len() {
            return Vec::new();
        }
        of.resize(of.len() + times, number);
    }
    if of.len() == count { of } else { Vec::new() }
}

/// The three figures: passed, answered, specified.
pub(super) fn three(unit: &UnitPart) -> [u64; 3] {
    [unit.counts.green, unit.offered, unit.promised]
}

/// `1,761 / 1,800 / 2,048`.
pub(super) fn figures(unit: &UnitPart) -> String {
    three(unit).map(grouped).join(" / ")
}

/// What is to be said of an implementation that may refuse cases, a line each, without its rules.
pub(super) fn lines(unit: &UnitPart) -> Vec<String> {
    let mut lines = Vec::new();
    if unit.offers_nothing() {
        lines.push("nothing is answered: the target refused every specified case, so nothing was shown".to_string());
    }
    if unit.refusals > 0 || unit.observed.is_some() {
        let asked = unit.answered + unit.refusals;
        lines.push(format!(
            "{} of {} specified cases were answered, {} refused ({})",
            grouped(unit.answered),
            grouped(asked),
            grouped(unit.refusals),
            percent(unit.refusals, asked)
        ));
    }
    lines.extend(partly(unit));
    lines.extend(disputed(unit));
    if let Some(observed) = &unit.observed {
        lines.push(exploration(observed, unit.claimed.as_ref()));
        lines.extend(foretold(observed));
        let explained: u64 = observed.rules.iter().map(|rule| rule.cells).sum();
        let rest = unit.counts.unsupported.saturating_sub(explained);
        if rest > 0 {
            lines.push(format!("no rule explains {} unsupported {}", grouped(rest), cells(rest)));
        }
    }
    lines
}

/// How often a target differed in what is disputed.
fn disputed(unit: &UnitPart) -> Option<String> {
    let (cases, ids) = (grouped(unit.disputed_cases), unit.disputes.join(", "));
    let cells = match unit.counts.disputed {
        0 => String::new(),
        count => format!("; nothing else was shown of {} {}", grouped(count), cells(count)),
    };
    (unit.disputed_cases > 0).then(|| {
        format!("{cases} cases differ only in what is disputed ({ids}): no finding, unless --disputed is given{cells}")
    })
}

/// In how many cells that passed some cases are refused, and how many of them at most.
fn partly(unit: &UnitPart) -> Option<String> {
    let shares = unit.map.shares();
    let green = shares.iter().zip(unit.map.statuses.bytes()).filter(|&(&share, status)| share > 0 && status == b'G');
    let (count, most) = green.fold((0, 0), |(count, most), (&share, _)| (count + 1, share.max(most)));
    match count {
        0 => None,
        1 => Some(format!("in 1 cell that passed some cases are refused, {most} %")),
        _ => Some(format!("in {} cells that passed some cases are refused, up to {most} %", grouped(count))),
    }
}

/// Whether claims were given, and what was asked instead.
fn exploration(observed: &ObservedPart, claimed: Option<&Claimed>) -> String {
    if let Some(Claimed { kept, broken, unclaimed, not_offered }) = claimed {
        return format!(
            "claims: {} cases kept, {} broken, {} answered without a claim, {} neither claimed nor answered",
            grouped(*kept),
            grouped(*broken),
            grouped(*unclaimed),
            grouped(*not_offered)
        );
    }
    let ended = observed.ended.as_ref().map_or(String::new(), |why| format!(", ended early: {why}"));
    format!("exploration: no claims; {} cases asked to find out what is answered{ended}", grouped(observed.cases))
}

fn foretold(observed: &ObservedPart) -> Option<String> {
    let thousandths = |share: u64| format!("{}.{} %", share / 10, share % 10);
    let right = observed.right()?;
    let unexplained = observed
        .unexplained()
        .map_or(String::new(), |share| format!("; no rule explains {} of the refusals", thousandths(share)));
    let rules = match observed.rules.len() {
        0 => "no rule".to_string(),
        1 => "1 rule".to_string(),
        more => format!("{more} rules"),
    };
    Some(format!("{rules}, which foretold {} of the answers{unexplained}", thousandths(right)))
}

/// What a rule explains, in words.
pub(super) fn explains(rule: &RulePart) -> String {
    match (rule.cells, rule.by_data) {
        (0, true) => "by data, which leaves the cells supported".to_string(),
        (0, false) => "no whole cell".to_string(),
        (count, _) => format!("{} unsupported {}", grouped(count), cells(count)),
    }
}

/// A rule in one line.
pub(super) fn rule_line(rule: &RulePart) -> String {
    let reason = rule.reason.as_ref().map_or(String::new(), |reason| format!(", \"{reason}\""));
    format!("refused if {}{reason}: {}", rule.when, explains(rule))
}

/// The rules that explain the unsupported cells of a class, with how many of its cells each explains.
pub(super) fn rules_of_class(unit: &UnitPart, class: &str) -> Vec<(String, u64)> {
    let Some(observed) = &unit.observed else { return Vec::new() };
    let count = unit.map.statuses.len();
    let classes = unpacked(&unit.map.classes, count, unit.classes.len());
    let rules = unpacked(&unit.map.rules, count, observed.rules.len() + 1);
    let wanted = unit.classes.iter().position(|known| known.name == class);
    let mut counts = vec![0; observed.rules.len()];
    for (place, rule) in classes.iter().zip(&rules) {
        if Some(*place) == wanted && *rule > 0 {
            counts[rule - 1] += 1;
        }
    }
    let named = observed.rules.iter().zip(counts).filter(|(_, count)| *count > 0);
    named.map(|(rule, count)| (rule.when.clone(), count)).collect()
}

fn cells(count: u64) -> &'static str {
    if count == 1 { "cell" } else { "cells" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_do_not_fit_are_nothing() {
        assert_eq!(unpacked("0*2 1 0", 4, 2), [0, 0, 1, 0]);
        for wrong in ["", "0*3", "0*5", "2*4", "0*99999999999999999999 1", "x*4", "0*4 0*18446744073709551615"] {
            assert_eq!(unpacked(wrong, 4, 2), Vec::<usize>::new(), "{wrong}");
        }
    }
}
