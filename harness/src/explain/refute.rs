//! Refuting: the target is asked for new cases on which causes and their rivals foretell different things.

use std::rc::Rc;

use tandem_isa::mix64;

use super::cause::{Cause, Tier};
use super::docket::{ASK, Docket};
use super::evidence::{Asker, Evidence};
use super::search::Hypothesis;
use crate::CaseId;

/// Steps of the new cases in the end after which some are enough, as a part of all steps.
const REFUTING_SHARE: u64 = 12;
/// Steps of the new cases after which there are no more of them, as a part of all steps.
const MOST_REFUTING_SHARE: u64 = 5;
/// New cases in which a cause is wrong after which it is asked of no more, if it is seldom right.
const CLEARLY_WRONG: u64 = 8;
/// New cases that a diagnosis must have survived to be established.
const ENOUGH: u64 = 64;
/// Cases at each border of a guard, where one condition alone does not hold, that it must have survived for that.
const AT_A_BORDER: u64 = 4;
/// New cases on which nothing is foretold of which it is looked whether the target is right in them.
const WATCHED: u64 = 2_000;
/// Steps of the new cases in which candidates that foretell the same are told apart, as a part of all steps.
const APART_SHARE: u64 = 12;
/// New cases that the target may refuse before no more are drawn.
const REFUSED: u64 = 4_000;

impl Docket<'_> {
    /// Asks the target for new cases on which causes and their rivals differ, and takes out what is refuted.
    pub(super) fn refuted(
        &mut self,
        mut causes: Vec<Hypothesis>,
        diverging: &[Evidence],
        asker: &mut Asker,
        (most, drawn, steps, apart): (u64, u64, u64, u64),
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Cause> {
        let mut counts = vec![Counts::default(); causes.len()];
        let is_told = |case: &Evidence| self.foretells(&causes, None, case, case.done()) != Some(false);
        let whole = causes.len() == 1 && diverging.iter().all(is_told);
        let cells: Vec<u32> = diverging.iter().map(|case| case.id.cell).collect();
        let (mut asked, mut number, mut watched, mut refused) = (0, 0, 0, 0);
        // Whether something is left that the causes do not foretell.
        let mut is_left = false;
        // Where few cases tell, some of them are enough.
        let (spent, begun) = (Rc::clone(&self.spent), self.spent.get());
        let is_long = |number| number >= drawn / 8 || spent.get() - begun >= steps / REFUTING_SHARE;
        let is_enough = |asked, number| asked >= most || is_long(number) && asked >= 4 * ENOUGH;
        let is_stopped = || is_over() || spent.get() - begun > steps / MOST_REFUTING_SHARE;
        let mut epoch = None;
        // What none of these tells apart may be by others, of which the target is asked where that is so.
        let is_apart_long = |begun: u64| spent.get() - begun >= steps / APART_SHARE;
        let mut apart_from: Option<(u64, u64)> = None;
        while number < drawn + apart && refused < REFUSED && !causes.is_empty() && !is_stopped() {
            if apart_from.is_none() && (is_enough(asked, number) || number >= drawn) {
                apart_from = Some((number, spent.get()));
            }
            if let Some((first, begun)) = apart_from
                && (number - first >= apart
                    || is_apart_long(begun)
                    || causes.iter().all(|cause| cause.class.len() == 1))
            {
                break;
            }
            // Whatever its cell is, it is none that was asked before.
            let mut id = CaseId { index: number, ..asker.bench.generator.id(number) };
            // Every other case is of a cell in which the target was seen to differ.
            if number % 2 == 1 {
                id.cell = cells[(mix64(number) % cells.len() as u64) as usize];
            }
            // The background of an epoch takes the place of the one before, which the line-up may have.
            if epoch.replace(crate::epoch_of(number)) != Some(crate::epoch_of(number)) {
                self.epoch = usize::MAX;
            }
            number += 1;
            self.spend(ASK);
            let Some(mut case) = asker.case(&id, &mut self.backgrounds, false) else { continue };
            let is_telling = match apart_from {
                None => self.is_telling(&causes, &case),
                Some(_) => self.tells_apart(&causes, &case),
            };
            if !is_telling && (is_left || watched >= WATCHED || apart_from.is_some()) {
                continue;
            }
            let backgrounds = std::mem::take(&mut self.backgrounds);
            let answers = asker.ask(&mut case, &backgrounds);
            self.backgrounds = backgrounds;
            if answers.is_none() {
                refused += 1;
                continue;
            }
            if is_telling {
                asked += 1;
                self.weigh(&mut causes, &mut counts, &case, whole);
            } else {
                watched += 1;
            }
            // What is wrong as often as that will not be right in the end.
            if counts.iter().all(|counts| counts.wrong >= CLEARLY_WRONG && counts.is_refuted()) {
                break;
            }
            let may_be_left = !is_left && (is_telling || case.got.is_some());
            is_left |= may_be_left && self.foretells(&causes, None, &case, case.done()) == Some(false);
        }
        let mut result = Vec::new();
        for (found, counts) in causes.into_iter().zip(counts) {
            // Now and then another mistake comes in between; what is wrong as often as right is none. Each case that is foretold
            // has a wrong bit at least.
            if counts.is_refuted() || counts.right < u64::from(found.lacking) {
                self.banned.extend(found.class);
                continue;
            }
            // It was over before anything was asked of it.
            if counts.right == 0 && is_over() {
                continue;
            }
            let is_bordered = (0..found.guard.len()).all(|place| counts.border(place) >= AT_A_BORDER);
            let is_established = !is_left && counts.wrong == 0 && counts.right >= ENOUGH && is_bordered;
            let tier = if is_established { Tier::Established } else { Tier::Consistent };
            let Hypothesis { class, guard, explained, .. } = found;
            let alone = counts.alone;
            result.push(Cause {
                alone,
                class,
                guard,
                tier,
                explained,
                survived: counts.right,
                share: 0,
                wrong: counts.wrong,
                drawn: number,
                rivals: counts.rivals,
                cases: Vec::new(),
                shared: Vec::new(),
            });
        }
        result
    }

    /// Leaves out causes without which as many cases are foretold: what was found first may be a part of what was found later, and two
    /// may undo each other. What was left out comes back when what took its place was refuted.
    pub(super) fn leave_needed(&mut self, causes: &mut Vec<Cause>, left_out: &mut Vec<Cause>, diverging: &[Evidence]) {
        for cause in std::mem::take(left_out) {
            if cause.class.iter().any(|member| self.banned.contains(member)) {
                continue;
            }
            let all: Vec<Hypothesis> = causes.iter().chain([&cause]).map(Hypothesis::of).collect();
            let some: Vec<usize> = (0..all.len()).collect();
            let without = self.told(&all, &some[..causes.len()], diverging);
            let is_needed = self.told(&all, &some, diverging) > without;
            if is_needed { &mut *causes } else { &mut *left_out }.push(cause);
        }
        let all: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
        let mut left: Vec<usize> = (0..all.len()).collect();
        let mut told = self.told(&all, &left, diverging);
        let singles = (0..all.len()).map(|one| vec![one]);
        let pairs = (0..all.len()).flat_map(|one| (0..one).map(move |other| vec![other, one]));
        for out in singles.chain(pairs).filter(|_| all.len() > 1) {
            let without: Vec<usize> = left.iter().copied().filter(|place| !out.contains(place)).collect();
            if without.len() + out.len() == left.len() && !without.is_empty() {
                let still_told = self.told(&all, &without, diverging);
                if still_told >= told {
                    (left, told) = (without, still_told);
                }
            }
        }
        let mut place = 0..;
        left_out.extend(causes.extract_if(.., |_| place.next().is_some_and(|place| !left.contains(&place))));
    }

    /// How many cases some of the causes foretell.
    fn told(&mut self, causes: &[Hypothesis], some: &[usize], cases: &[Evidence]) -> usize {
        let causes: Vec<Hypothesis> = some.iter().map(|&place| causes[place].clone()).collect();
        cases.iter().filter(|case| self.foretells(&causes, None, case, case.done()) != Some(false)).count()
    }

    /// Whether causes foretell something that the pages do not say, or their rivals something else.
    fn is_telling(&mut self, causes: &[Hypothesis], case: &Evidence) -> bool {
        let departs =
            |docket: &mut Self, causes: &[Hypothesis]| docket.foretells(causes, None, case, &case.right) == Some(false);
        if departs(self, causes) {
            return true;
        }
        let mut others = causes.to_vec();
        for (place, cause) in causes.iter().enumerate() {
            for &member in &cause.class[1..] {
                others[place].candidate = member;
                if self.may_matter(member, case) && departs(self, &others) {
                    return true;
                }
            }
            // A guard may be too narrow.
            others[place] = Hypothesis { guard: Vec::new(), ..cause.clone() };
            if !cause.guard.is_empty() && departs(self, &others) {
                return true;
            }
            others[place] = cause.clone();
        }
        false
    }

    /// Whether some candidates of a cause do what the pages say in a case, and others do not.
    fn tells_apart(&mut self, causes: &[Hypothesis], case: &Evidence) -> bool {
        causes.iter().filter(|cause| cause.class.len() > 1 && cause.holds(case)).any(|cause| {
            let mut departs =
                |&member: &usize| self.matters(member, case) && self.does(&[member], case, &case.right) == Some(false);
            let first = departs(&cause.class[0]);
            cause.class[1..].iter().any(|member| departs(member) != first)
        })
    }

    /// Holds causes and their rivals against what the target did. `whole` says that there is one, and nothing that it does not
    /// explain.
    fn weigh(&mut self, causes: &mut [Hypothesis], counts: &mut [Counts], case: &Evidence, whole: bool) {
        for place in 0..causes.len() {
            let mut without = causes.to_vec();
            let cause = without.remove(place);
            if !cause.holds(case) {
                // A guard that is too narrow leaves out what it would explain.
                let failing: Vec<usize> =
                    (0..cause.guard.len()).filter(|&atom| !cause.guard[atom].holds(&case.levels)).collect();
                let wider = [&without[..], &[Hypothesis { guard: Vec::new(), ..cause }]].concat();
                let is_foretold = self.foretells(causes, None, case, case.done()) != Some(false);
                let is_missed = !is_foretold && self.foretells(&wider, None, case, case.done()) == Some(true);
                counts[place].wrong += u64::from(is_missed);
                if let [atom] = failing[..]
                    && is_foretold
                    && self.foretells(&wider, None, case, case.done()) == Some(false)
                {
                    counts[place].borders.push(atom);
                }
                continue;
            }
            let alone = self.foretells(&without, None, case, case.done());
            let (mut right, mut wrong) = (Vec::new(), Vec::new());
            for &member in &cause.class {
                match self.foretells(&without, Some(member), case, case.done()) {
                    Some(false) => wrong.push(member),
                    _ => right.push(member),
                }
            }
            if right.is_empty() {
                // Another mistake may come in between, but not where the others foretell the case alone.
                counts[place].wrong += u64::from(whole || alone == Some(true));
                continue;
            }
            counts[place].right += u64::from(alone == Some(false));
            if counts[place].alone.is_none() && self.does(&right[..1], case, case.done()) == Some(true) {
                counts[place].alone = case.got.is_some().then_some(case.id);
            }
            counts[place].rivals.extend(wrong.iter().map(|&member| (member, case.id)));
            causes[place].candidate = right[0];
            causes[place].class = right;
        }
    }
}

/// How new cases went.
#[derive(Clone, Default)]
struct Counts {
    right: u64,
    wrong: u64,
    /// Of each case in which one condition of the guard alone did not hold, and the target did not do what it forbids: which.
    borders: Vec<usize>,
    rivals: Vec<(usize, CaseId)>,
    alone: Option<CaseId>,
}

impl Counts {
    fn is_refuted(&self) -> bool {
        self.wrong * 8 > self.right
    }

    fn border(&self, place: usize) -> u64 {
        self.borders.iter().filter(|&&atom| atom == place).count() as u64
    }
}
