//! The search: which candidates explain cases that differ, most first, and spoil nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::cause::{Atom, Cause, guard_between, weight};
use super::docket::{ASK, Docket};
use super::evidence::{Evidence, PLAINER_RUNS, Tools, wrong_bits};

/// A mistake is hidden by another in at most one of so many cases in which it would show, …
const HIDDEN: usize = 10;
/// … which is looked at in so many that agree, and first in so many.
const BORNE: usize = 500;
const FIRST_BORNE: usize = 24;
/// Cases of which a candidate must explain one to be looked at further: what explains a quarter of all misses them all once in a
/// thousand times.
const FIRST_LOOK: usize = 24;
/// Of these so many are tried before the others: what explains most misses explains one of them.
const FEW_LOOK: usize = 6;
/// Candidates that explain a case are held against so many of the cheapest ones first, …
pub(super) const SECOND_LOOK: usize = 12;
/// … of which they must explain one in so many, at least half as many as the best, and all if that does, …
const LEAST_OF_SECOND: usize = 8;
/// … and so many of them against all.
const MOST_EXPLAINING: usize = 24;
/// Steps of a case from which on plainer ones, which take fewer, are made of those that are tried first.
pub(super) const COSTLY: u64 = 20_000;
/// Steps beyond which candidates are tried on fewer cases at first.
const FEW_STEPS: u64 = 600_000_000;
/// Levels of a guard with which a candidate that explains everything is looked no further for.
const FEW_LEVELS: usize = 2;
/// Agreeing cases after which it is tried again whether conditions can tell where a candidate is not followed.
const AGREEING_AT_ONCE: usize = 100;
/// Cases of which plainer ones are made while nothing is clear, in each of two ways.
const PLAINER: usize = 12;
/// Steps in which a first candidate is looked for, as a part of all steps.
const FIRST_SHARE: u64 = 20;
/// Bits that an explanation must explain beyond what so many candidates explain by luck.
const BEYOND_LUCK: u32 = 20;

/// A cause while it is looked for.
#[derive(Clone)]
pub(super) struct Hypothesis {
    pub(super) candidate: usize,
    pub(super) guard: Vec<Atom>,
    pub(super) explained: usize,
    pub(super) class: Vec<usize>,
    /// Wrong bits that it has yet to explain so that it is no luck.
    pub(super) lacking: u32,
}

impl Hypothesis {
    pub(super) fn of(cause: &Cause) -> Self {
        let Cause { class, guard, explained, .. } = cause.clone();
        Hypothesis { candidate: class[0], guard, explained, class, lacking: 0 }
    }

    /// What explains most comes first, with few conditions.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.explained), weight(&self.guard), self.candidate)
    }

    pub(super) fn holds(&self, case: &Evidence) -> bool {
        self.guard.iter().all(|atom| atom.holds(&case.levels))
    }
}

impl Docket<'_> {
    /// What explains cases that differ: what is known, and what comes to it, most first.
    pub(super) fn causes(
        &mut self,
        mut causes: Vec<Hypothesis>,
        most: usize,
        (diverging, agreeing): (&[Evidence], &[Evidence]),
        tools: &mut Tools<'_>,
    ) -> Vec<Hypothesis> {
        while causes.len() < most && !(tools.is_over)() {
            let (mut left, mut done) = (Vec::new(), Vec::new());
            for case in diverging {
                match self.foretells(&causes, None, case, case.done()) {
                    Some(false) => left.push(case),
                    _ => done.push(case),
                }
            }
            if left.is_empty() {
                break;
            }
            let others = (&done[..], agreeing);
            // What explains a good part of them at once is found soonest.
            let is_clear = |found: &Hypothesis| 4 * found.explained >= left.len();
            let clear = |docket: &mut Self, tools: &mut Tools<'_>| {
                let look = docket.cheapest(&left);
                let (few, rest) = look.split_at(FEW_LOOK.min(look.len()));
                let is_costly = few.iter().any(|case| docket.steps_of(case) > COSTLY);
                let made: Vec<Evidence> = few
                    .iter()
                    .filter(|_| is_costly)
                    .filter_map(|case| docket.plainer(case, &causes, false, tools))
                    .collect();
                let plainer: Vec<&Evidence> = made.iter().collect();
                let (few, rest) = if plainer.is_empty() { (few, rest) } else { (&plainer[..], &[][..]) };
                let (plain, further) = docket.dictionary.ranges();
                let mut guarded: Option<Hypothesis> = None;
                let mut part: Option<Hypothesis> = None;
                let mut bases = BTreeSet::new();
                let runs = (FEW_STEPS / docket.matter_of(few[0]).steps.max(1)) as usize;
                let some = |of: &Range<usize>| &few[..(runs / of.len().max(1)).clamp(1, few.len())];
                for (look, candidates) in [(some(&plain), plain.clone()), (some(&further), further), (rest, plain)] {
                    let is_plain = candidates.end <= docket.dictionary.plain();
                    let candidates = if causes.is_empty() {
                        docket.passing(candidates, look, left.len())
                    } else {
                        candidates.collect()
                    };
                    let explaining = docket.explaining(&causes, candidates, look, (&left, Some(agreeing)));
                    bases.extend(explaining.iter().map(|(candidate, _)| *candidate));
                    let best = docket.best(&causes, explaining, false, &left, others).filter(is_clear);
                    // One mistake needs no conditions, so what has some waits for what has none; of so many more some of them
                    // always fit, though seldom all that there is.
                    let is_all = |found: &Hypothesis| found.explained == left.len();
                    let best = best.filter(|found| is_plain || found.guard.is_empty() || is_all(found));
                    match best {
                        Some(found) if found.guard.is_empty() && (part.is_none() || is_all(&found)) => {
                            let found = docket.widened(found, &causes, few, &left, others);
                            // What a plain one explains in part another one may explain altogether.
                            if is_plain && causes.is_empty() && !is_all(&found) {
                                part = Some(found);
                                continue;
                            }
                            return Some(found);
                        }
                        _ if part.is_some() => return part,
                        Some(found)
                            if !is_plain && found.explained == left.len() && weight(&found.guard) <= FEW_LEVELS =>
                        {
                            return Some(found);
                        }
                        best => guarded = [guarded, best].into_iter().flatten().min_by_key(Hypothesis::rank),
                    }
                }
                guarded.or_else(|| {
                    // Each changes less than the same in all places, so that this may explain nothing.
                    let places = docket.dictionary.everywhere()..docket.dictionary.count();
                    let is_cheap = runs >= few.len() * places.len();
                    let candidates = if is_cheap { places.collect() } else { docket.dictionary.in_places(&bases) };
                    let explaining = docket.explaining(&causes, candidates, few, (&left, Some(agreeing)));
                    docket.best(&causes, explaining, false, &left, others).filter(is_clear)
                })
            };
            let is_first = causes.is_empty();
            let mut found = None;
            if is_first && self.unclear != left.len() {
                found = clear(self, tools);
                self.unclear = if found.is_none() { left.len() } else { 0 };
            }
            // Where several mistakes come together few cases show one alone; a plainer one does.
            let mut plain: Vec<Evidence> = Vec::new();
            for keeps_words in [true, false] {
                for _ in 0..PLAINER.min(left.len()) {
                    if found.is_some() || (tools.is_over)() {
                        break;
                    }
                    let case = left[self.turn % left.len()];
                    self.turn += 1;
                    let one = self.plainer(case, &causes, keeps_words, tools);
                    let Some(one) = one.filter(|one| !plain.iter().any(|known| known.is_same(one))) else { continue };
                    let before: Vec<&Evidence> = left.iter().copied().chain(&plain).collect();
                    let all = [&before[..], &[&one]].concat();
                    let explaining = self.explaining(&causes, self.dictionary.ranges().0, &[&one], (&all, None));
                    found = self.best(&causes, explaining, true, &before, others);
                    plain.push(one);
                }
            }
            if found.is_none() && !is_first {
                found = clear(self, tools);
            }
            // What explains more seldom is not found among so many cases, but in a plainer one.
            let looks = if self.looks_further { &plain[..] } else { &[] };
            for one in looks {
                if found.is_some() || (tools.is_over)() {
                    break;
                }
                let all: Vec<&Evidence> = left.iter().copied().chain(&plain).collect();
                let explaining = self.explaining(&causes, self.dictionary.ranges().1, &[one], (&all, None));
                found = self.best(&causes, explaining, true, &all, others);
            }
            let Some(found) = found else { break };
            causes.push(found);
        }
        causes
    }

    /// A plainer case that the causes do not foretell either.
    fn plainer(
        &mut self,
        case: &Evidence,
        causes: &[Hypothesis],
        keeps_words: bool,
        tools: &mut Tools<'_>,
    ) -> Option<Evidence> {
        self.spend(PLAINER_RUNS as u64 * ASK);
        tools.plainer(case, causes, keeps_words, &mut self.backgrounds)
    }

    /// The cases that take the fewest steps, as many as are looked at.
    fn cheapest<'c>(&mut self, cases: &[&'c Evidence]) -> Vec<&'c Evidence> {
        let mut look = cases.to_vec();
        look.sort_by_cached_key(|case| self.matter_of(case).steps);
        look.truncate(FIRST_LOOK);
        look
    }

    /// The candidates that explain a case of `look`, with the cases of `left` that they explain, most first. If cases that agree are
    /// given, a good part is to be explained: what explains few of the cheapest ones is left out, and of many that explain as many those
    /// that spoil one of the first that agree.
    fn explaining<'c>(
        &mut self,
        causes: &[Hypothesis],
        candidates: impl IntoIterator<Item = usize>,
        look: &[&Evidence],
        (left, agreeing): (&[&'c Evidence], Option<&[Evidence]>),
    ) -> Vec<(usize, Vec<&'c Evidence>)> {
        // What explains none of the first ones is looked at no further.
        let explains_any = |candidate: &usize| self.explains_any(causes, *candidate, look);
        let mut found: Vec<usize> = candidates.into_iter().filter(explains_any).collect();
        found.retain(|candidate| !self.banned.contains(candidate));
        if let Some(agreeing) = agreeing {
            let second: Vec<&Evidence> = self.cheapest(left).into_iter().take(SECOND_LOOK).collect();
            let mut explains = |candidate, case: &Evidence| !self.is_spent() && self.explains(causes, candidate, case);
            let count = |candidate| second.iter().filter(|case| explains(candidate, case)).count();
            let counts: BTreeMap<usize, usize> = found.iter().copied().zip(found.iter().copied().map(count)).collect();
            let most = counts.values().max().copied().unwrap_or_default();
            let least = if most == second.len() { most } else { (most / 2).max(second.len() / LEAST_OF_SECOND) };
            found.retain(|candidate| counts[candidate] >= least);
            let mut spoiling = BTreeSet::new();
            if found.len() > MOST_EXPLAINING {
                let first = agreeing.iter().take(FIRST_BORNE);
                let spoils = |candidate: &&usize| first.clone().any(|case| self.is_against(causes, **candidate, case));
                spoiling.extend(found.iter().filter(spoils).copied());
            }
            let rank =
                |candidate: &usize| (std::cmp::Reverse(counts[candidate]), spoiling.contains(candidate), *candidate);
            found.sort_by_key(rank);
            found.truncate(MOST_EXPLAINING);
        }
        let mut explaining: Vec<(usize, Vec<&Evidence>)> = Vec::new();
        for candidate in found {
            if self.is_spent() {
                break;
            }
            let explained = left.iter().copied().filter(|case| self.explains(causes, candidate, case));
            explaining.push((candidate, explained.collect()));
        }
        explaining.sort_by_key(|(candidate, explained)| (std::cmp::Reverse(explained.len()), *candidate));
        explaining
    }

    /// Whether a candidate explains a case together with the causes found so far.
    fn explains(&mut self, causes: &[Hypothesis], candidate: usize, case: &Evidence) -> bool {
        self.matters(candidate, case) && self.foretells(causes, Some(candidate), case, case.done()) == Some(true)
    }

    /// Whether a candidate explains any of some cases, while candidates are looked at.
    fn explains_any(&mut self, causes: &[Hypothesis], candidate: usize, look: &[&Evidence]) -> bool {
        let does = !self.is_spent() && look.iter().any(|case| self.explains(causes, candidate, case));
        if does && !std::mem::replace(&mut self.has_told, true) {
            self.dictionary.is_candidate(candidate);
        }
        does
    }

    /// Tells the first candidate that explains a case alone, if one does before long. Whoever waits wants to see something, so that
    /// these steps are not the search's.
    pub(super) fn tell_first(&mut self, case: &Evidence) {
        let (plain, _) = self.dictionary.ranges();
        let (before, enough) = (self.spent.get(), self.most_spent / FIRST_SHARE);
        for candidate in plain {
            if self.spent.get() - before > enough || self.has_told || self.explains_any(&[], candidate, &[case]) {
                break;
            }
        }
        (self.has_told, _) = (true, self.spent.replace(before));
    }

    /// Candidates that explain a case of `look` alone. What is looked for again, since what was found first was refuted, is known.
    fn passing(&mut self, candidates: Range<usize>, look: &[&Evidence], left: usize) -> Vec<usize> {
        let key = (candidates.start, look.len(), left);
        if let Some(known) = self.passed.get(&key) {
            return known.clone();
        }
        let passing: Vec<usize> = candidates.filter(|candidate| self.explains_any(&[], *candidate, look)).collect();
        self.passed.insert(key, passing.clone());
        passing
    }

    /// The candidate that explains most, and changes nothing of what is foretold of the other cases. If all that are given explain a
    /// plain case, which shows one mistake, it has no conditions, and may hardly change anything.
    fn best(
        &mut self,
        causes: &[Hypothesis],
        explaining: Vec<(usize, Vec<&Evidence>)>,
        is_plain: bool,
        left: &[&Evidence],
        (done, agreeing): (&[&Evidence], &[Evidence]),
    ) -> Option<Hypothesis> {
        let most = explaining.first()?.1.len();
        let mut found: Vec<(Hypothesis, Vec<u64>)> = Vec::new();
        for (candidate, explained) in explaining {
            // What explains less can only win if nothing that explains more has a guard.
            let is_less = |(best, _): &(Hypothesis, _)| explained.len() < best.explained;
            if 2 * explained.len() < most || found.first().is_some_and(is_less) || self.is_spent() {
                break;
            }
            let guard = if is_plain {
                self.is_borne(causes, candidate, left, (done, agreeing)).then(Vec::new)
            } else {
                self.guard(causes, candidate, &explained, agreeing.iter().chain(done.iter().copied()))
            };
            let Some(guard) = guard else { continue };
            // Of what plain cases show alone, new cases can bring the bits that are lacking.
            let lacking = self.bits_lacking(&explained, weight(&guard));
            if lacking > 0 && !is_plain {
                continue;
            }
            let ids = explained.iter().map(|case| case.id.key()).collect();
            found.push((
                Hypothesis { candidate, guard, explained: explained.len(), class: vec![candidate], lacking },
                ids,
            ));
        }
        found.sort_by_key(|(found, _)| found.rank());
        let mut found = found.into_iter();
        let (mut best, ids) = found.next()?;
        // Those that explain the same by as short a guard stay in question.
        best.class.extend(
            found.filter(|(other, own)| *own == ids && other.guard == best.guard).map(|(other, _)| other.candidate),
        );
        Some(best)
    }

    /// What explains more at the same place than what was found, if anything does: what is wrong there cannot be found beside it.
    fn widened(
        &mut self,
        found: Hypothesis,
        causes: &[Hypothesis],
        look: &[&Evidence],
        left: &[&Evidence],
        others: (&[&Evidence], &[Evidence]),
    ) -> Hypothesis {
        if found.explained == left.len() {
            return found;
        }
        let there = self.dictionary.at_place_of(found.candidate);
        let explaining = self.explaining(causes, there, look, (left, Some(others.1)));
        let better = self.best(causes, explaining, false, left, others);
        better.filter(|better| better.guard.is_empty() && better.explained > found.explained).unwrap_or(found)
    }

    /// The conditions under which a candidate is right in what it explains and changes nothing of what is foretold of others.
    fn guard<'c>(
        &mut self,
        causes: &[Hypothesis],
        candidate: usize,
        explained: &[&Evidence],
        others: impl Iterator<Item = &'c Evidence>,
    ) -> Option<Vec<Atom>> {
        let mut against: Vec<&Evidence> = Vec::new();
        for (place, case) in others.enumerate() {
            if self.is_against(causes, candidate, case) {
                against.push(case);
            }
            // Most are refuted by the first few.
            let is_tried = (place + 1) % AGREEING_AT_ONCE == 0 || place < AGREEING_AT_ONCE && place.is_power_of_two();
            if self.is_spent() || is_tried && guard_between(explained, &against).is_none() {
                return None;
            }
        }
        guard_between(explained, &against)
    }

    /// Whether a candidate spoils what the causes found so far foretell of a case.
    pub(super) fn is_against(&mut self, causes: &[Hypothesis], candidate: usize, case: &Evidence) -> bool {
        // What the causes found so far spoil is not this candidate's doing.
        let matters = if causes.is_empty() { self.may_matter(candidate, case) } else { self.matters(candidate, case) };
        matters && self.foretells(causes, Some(candidate), case, case.done()) == Some(false)
    }

    /// Whether a candidate departs from the pages much more often where the target does than elsewhere. Another mistake may hide
    /// one now and then.
    fn is_borne(
        &mut self,
        causes: &[Hypothesis],
        candidate: usize,
        left: &[&Evidence],
        (done, agreeing): (&[&Evidence], &[Evidence]),
    ) -> bool {
        let apart = (agreeing.len() / BORNE).max(1);
        let others: Vec<&Evidence> = agreeing.iter().step_by(apart).take(BORNE).chain(done.iter().copied()).collect();
        // What spoils several times as many of the first ones as it may of all is looked at no further.
        let first = others.iter().take(FIRST_BORNE).filter(|case| self.is_against(causes, candidate, case)).count();
        if first * HIDDEN > 4 * FIRST_BORNE {
            return false;
        }
        let departs = left
            .iter()
            .filter(|case| self.matters(candidate, case) && self.does(&[candidate], case, &case.right) == Some(false))
            .count();
        let most = others.len() * departs / (HIDDEN * left.len().max(1));
        others.iter().filter(|case| self.is_against(causes, candidate, case)).nth(most).is_none()
    }

    /// How many more wrong bits cases would have to have than so many candidates, with so many conditions, explain by luck.
    fn bits_lacking(&self, explained: &[&Evidence], conditions: usize) -> u32 {
        let bits: u32 = explained.iter().map(|case| wrong_bits(case).min(64)).sum();
        let of_axes = explained.first().map_or(1, |case| case.levels.len() * 4).max(2).ilog2();
        (self.dictionary.count().max(2).ilog2() + 1 + conditions as u32 * of_axes + BEYOND_LUCK).saturating_sub(bits)
    }
}
