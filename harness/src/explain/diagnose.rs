//! Diagnosis: which rule of the pages a target behaves as if it had wrong.
//!
//! A *dictionary* has candidates: implementations that do one thing wrong each. Cases on which the target differs from the
//! reference are looked for, and what it does there is written down. A candidate explains such a case if it does the same, bit
//! for bit. What explains most is then *refuted*, if it can be: on new cases it and its rivals foretell what the target will
//! do, and the target is asked. Several mistakes are found one after the other, each together with those found before.

use std::rc::Rc;

use tandem_isa::{Edition, Instruction, mix64};

use super::cause::{Cause, Diagnosis, FailingCase, Tier};
use super::dictionary::Dictionary;
use super::docket::{ASK, Docket};
use super::evidence::{Asker, Evidence, Tools};
use super::search::{COSTLY, Hypothesis, SECOND_LOOK};
use crate::{CaseOutcome, CaseSource, Difference, IsaSuite, Workbench};

/// How much is asked.
#[derive(Clone, Copy, Debug)]
pub struct DiagnoseLimits {
    /// Cases among which those that differ are looked for.
    pub cases: u64,
    /// Cases that differ which are kept.
    pub diverging: usize,
    /// Cases that agree which are kept.
    pub agreeing: usize,
    /// New cases that are chosen to refute.
    pub refuting: u64,
    /// Further cases among which those that differ are looked for that no cause found so far explains.
    pub beyond: u64,
    /// Causes that are looked for.
    pub causes: usize,
    /// Steps of candidates after which no further cause is looked for, and of those that are refuted at once after which they are
    /// no more.
    pub steps: u64,
}

impl Default for DiagnoseLimits {
    fn default() -> Self {
        DiagnoseLimits {
            cases: 200_000,
            diverging: 96,
            agreeing: 2_000,
            refuting: 3_000,
            beyond: 30_000,
            causes: 16,
            steps: 1_400_000_000,
        }
    }
}

/// Steps of further cases in which what no cause explains is looked for, about, as a part of all steps.
const BEYOND_SHARE: u64 = 6;
/// Further cases at least.
const LEAST_BEYOND: u64 = 4_000;
/// Steps of agreeing cases, as a part of all steps, after which no more of them are kept, …
const AGREEING_SHARE: u64 = 80;
/// … and agreeing cases that are kept at least.
const LEAST_AGREEING: usize = 200;
/// So many times as many cases that differ are drawn as are kept, where they take long.
const CHOICE: usize = 4;
/// New cases that a cause must survive before more are looked for.
const FIRST_ASKED: u64 = 300;
/// New cases that are drawn at most for that.
const FIRST_DRAWN: u64 = 4_000;
/// How often causes are looked for again when some were refuted.
const ROUNDS: usize = 6;
/// New cases that are drawn at most in the end.
const DRAWN: u64 = 40_000;
/// New cases that are drawn beside these at most to tell candidates apart.
const APART: u64 = 10_000;
/// Candidates that do the same which are held against new cases, and cases that agree which each of them is held against first.
const MOST_ALIKE: usize = 64;
const FEW_AGREEING: usize = 200;

/// The cases of a campaign in their order, asked of the target in the first slot.
struct Scan {
    bench: Workbench,
    asked: u64,
    datums: u64,
}

impl Scan {
    /// Some more cases, below a number: those for which something is promised and which the target does not refuse, with what
    /// differed.
    fn batch(&mut self, most: u64, is_over: &dyn Fn() -> bool) -> Vec<FailingCase> {
        const BATCH: u64 = 128;
        let Scan { bench, asked, datums } = self;
        let first = *asked;
        let (mut promised, mut outcomes) = (Vec::new(), Vec::new());
        let foreign = bench.slots[0].foreign;
        while *asked < most && *asked - first < BATCH {
            let id = bench.generator.id(*asked);
            if !bench.generator.in_epoch(id.index) {
                if *asked > first {
                    break;
                }
                bench.enter_epoch(id.index);
            }
            let ran = if foreign { bench.gather(&id, *asked) } else { bench.run(&id) };
            (*asked, *datums) = (*asked + 1, *datums + ran.datums);
            let is_promised = ran.expectation.required_answer().is_some();
            promised.push((is_promised, FailingCase { id, differences: Vec::new(), cases: *asked, datums: *datums }));
            if !foreign {
                outcomes.push((promised.len() - 1, bench.outcomes()[0].clone()));
            }
        }
        if foreign {
            let settled = bench.settle(0, is_over);
            outcomes.extend(settled.map(|(number, outcome, _)| ((number - first) as usize, outcome.clone())));
            bench.clear_gathered();
        }
        let answered = outcomes.into_iter().filter_map(|(place, outcome)| {
            let (is_promised, case) = promised[place].clone();
            match outcome {
                CaseOutcome::Diverged(differences) => Some(FailingCase { differences, ..case }),
                CaseOutcome::Agreed if is_promised => Some(case),
                _ => None,
            }
        });
        answered.collect()
    }
}

/// Looks for what a target does wrong in an instruction. The target is the first of the suite; `seen` are cases of the source in
/// which it is known to differ.
///
/// What is found depends on the target, the source and the dictionary alone, unless it is over before.
#[must_use]
pub fn diagnose(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    source: &CaseSource,
    seen: &[FailingCase],
    dictionary: &dyn Dictionary,
    limits: &DiagnoseLimits,
    is_over: &dyn Fn() -> bool,
) -> Diagnosis {
    let Some(factory) = suite.targets.first() else { return Diagnosis::default() };
    let generator = || source.generator(suite.isa, (instruction, edition));
    let bench = Workbench::new(generator(), &suite.with_targets(vec![factory.clone()]));
    if bench.slots.is_empty() {
        return Diagnosis::default();
    }
    let mut scan = Scan { bench, asked: 0, datums: 0 };
    let mut docket = Docket::new(&generator(), dictionary, limits.steps, is_over);
    let spent = Rc::clone(&docket.spent);
    let is_searched = || is_over() || spent.get() > limits.steps;
    let asker = Asker::new(suite, factory, generator());
    let mut tools = Tools::new(suite, factory, dictionary, asker, &is_searched);
    // The new cases have operands and an order of their own.
    let anew = source.anew(suite.isa, mix64(source.seed) >> 16);
    let anew = anew.generator(suite.isa, (instruction, edition));
    let mut refuter = Asker { keeps_all: false, ..Asker::new(suite, factory, anew) };
    let mut in_order: Option<FailingCase> = None;
    let mut differs = |asker: &mut Asker, docket: &mut Docket<'_>, seen: &FailingCase| {
        let case = asker.case(&seen.id, &mut docket.backgrounds, true)?;
        if case.got.is_none() && !seen.differences.iter().any(Difference::is_of_order) {
            in_order.get_or_insert_with(|| seen.clone());
        }
        case.got.is_some().then_some(case)
    };
    let (mut diverging, mut sighted): (Vec<Evidence>, Vec<FailingCase>) =
        seen.iter().filter_map(|seen| Some((differs(&mut tools.asker, &mut docket, seen)?, seen.clone()))).unzip();
    let (mut agreeing, mut causes, mut left_out) = (Vec::new(), Vec::<Cause>::new(), Vec::new());
    // Cases that differ which were found before any was looked for that nothing explains.
    let mut first = 0;
    for round in 0..ROUNDS {
        if causes.len() >= limits.causes {
            break;
        }
        // What a frequent mistake hides is looked for among the cases that it does not explain.
        let found: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
        let (before, kept) = (diverging.len(), diverging.len() + limits.diverging);
        let beyond = limits.beyond.min((limits.steps / BEYOND_SHARE / docket.average_steps()).max(LEAST_BEYOND));
        let until = if round == 0 { limits.cases } else { limits.cases.min(scan.asked + beyond) };
        let lacks = |agreeing: &Vec<Evidence>| round == 0 && agreeing.len() < limits.agreeing;
        while scan.asked < until && !is_over() {
            // Of cases that take long many are drawn, and the cheapest are kept.
            let most = if docket.average_steps() > COSTLY { before + CHOICE * limits.diverging } else { kept };
            // Of what shows seldom half as many cases do.
            let is_seldom = round == 0 && 2 * scan.asked >= until;
            if diverging.len() >= if is_seldom { most / 2 } else { most } && !lacks(&agreeing) {
                break;
            }
            let asked = scan.asked;
            let batch = scan.batch(until, is_over);
            // What it takes to find the first ones is not the search's.
            docket.spend(if round == 0 { 0 } else { (scan.asked - asked) * ASK });
            for seen in batch {
                if seen.differences.is_empty() {
                    if agreeing.len() < limits.agreeing {
                        agreeing.extend(tools.asker.case(&seen.id, &mut docket.backgrounds, false));
                    }
                } else if diverging.len() < most && sighted.iter().all(|known| known.id.key() != seen.id.key()) {
                    let Some(case) = differs(&mut tools.asker, &mut docket, &seen) else { continue };
                    if docket.foretells(&found, None, &case, case.done()) == Some(false) {
                        if !docket.has_told {
                            docket.tell_first(&case);
                        }
                        // The first few tell whether cases take long.
                        if diverging.len() < SECOND_LOOK {
                            docket.matter_of(&case);
                        }
                        diverging.push(case);
                        sighted.push(seen);
                    }
                }
            }
        }
        if diverging.len() > kept {
            let mut new: Vec<_> = diverging.drain(before..).zip(sighted.drain(before..)).collect();
            new.sort_by_cached_key(|(case, _)| docket.matter_of(case).steps);
            new.truncate(limits.diverging);
            let (cases, seen): (Vec<_>, Vec<_>) = new.into_iter().unzip();
            diverging.extend(cases);
            sighted.extend(seen);
        }
        if round == 0 {
            first = diverging.len();
            agreeing.sort_by_key(Evidence::cost);
            for case in agreeing.iter().step_by(agreeing.len() / SECOND_LOOK + 1) {
                docket.matter_of(case);
            }
            let enough = (limits.steps / AGREEING_SHARE / docket.average_steps()) as usize;
            agreeing.truncate(enough.max(LEAST_AGREEING));
        }
        if round > 0 && diverging.len() == before && !docket.looks_further || diverging.is_empty() {
            break;
        }
        // What one cause explains in part another one may explain altogether.
        if round > 0 && causes.len() == 1 {
            let mut whole = docket.causes(Vec::new(), 1, (&diverging, &agreeing), &mut tools);
            whole.retain(|found| found.explained == diverging.len());
            let kept =
                docket.refuted(whole, &diverging, &mut refuter, (FIRST_ASKED, FIRST_DRAWN, limits.steps, 0), is_over);
            if !kept.is_empty() {
                causes = kept;
            }
        }
        let known_before = causes.len();
        for _ in 0..ROUNDS {
            let known: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
            // What is found first is refuted before anything is built on it.
            let most = if known.is_empty() { 1 } else { limits.causes };
            let found = docket.causes(known, most, (&diverging, &agreeing), &mut tools);
            let count = found.len();
            if count == causes.len() {
                break;
            }
            causes =
                docket.refuted(found, &diverging, &mut refuter, (FIRST_ASKED, FIRST_DRAWN, limits.steps, 0), is_over);
            docket.leave_needed(&mut causes, &mut left_out, &diverging);
            if is_over() || causes.len() == count && (count != most || count == limits.causes) {
                break;
            }
        }
        // What nothing explains in so many cases nothing explains in more.
        if causes.len() <= known_before {
            let found: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
            let mut is_left = |case: &Evidence| docket.foretells(&found, None, case, case.done()) == Some(false);
            let is_any_left = !causes.is_empty() && diverging.iter().any(&mut is_left);
            if docket.looks_further || !is_any_left {
                break;
            }
            docket.looks_further = true;
        }
    }
    let mut found: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
    let found_before = found.len();
    let costly = spent.get() > limits.steps;
    docket.joined(&mut found, &diverging, &agreeing);
    let mut causes =
        docket.refuted(found, &diverging, &mut refuter, (limits.refuting, DRAWN, limits.steps, APART), is_over);
    if causes.len() < found_before {
        docket.leave_needed(&mut causes, &mut left_out, &diverging);
    }
    let mut strange = docket.assigned(&mut causes, &diverging, &sighted, first);
    // What explains less than half of them is a hint, which is nowhere false.
    while !strange.is_empty() && !is_over() {
        let (found, before) = (causes.clone(), causes.len());
        causes.retain(|cause| !cause.is_hint() || !docket.is_false(cause, &found, &agreeing));
        if causes.len() == before {
            break;
        }
        strange = docket.assigned(&mut causes, &diverging, &sighted, first);
    }
    // Where something is left, what was found may be a part of something else.
    if !strange.is_empty() {
        causes.iter_mut().for_each(|cause| cause.tier = Tier::Consistent);
    }
    causes.sort_by_key(Cause::is_hint);
    for cause in &mut causes {
        cause.class.sort_by_cached_key(|&member| (dictionary.order(member, instruction), member));
        if !dictionary.share_a_line(&cause.class, instruction) {
            cause.tier = Tier::Consistent;
        }
    }
    Diagnosis {
        asked: scan.asked,
        diverging: diverging.len(),
        agreeing: agreeing.len(),
        causes,
        strange,
        in_order,
        over: is_over(),
        costly,
        by_rules: source.held.is_some(),
    }
}

impl Docket<'_> {
    /// Puts beside each candidate whatever else does as much: wherever that stands, and in some place alone.
    fn joined(&mut self, found: &mut [Hypothesis], diverging: &[Evidence], agreeing: &[Evidence]) {
        for place in 0..found.len() {
            let mut without = found.to_vec();
            let own = without.remove(place);
            let held = diverging.iter().filter(|case| own.holds(case));
            let is_own = |docket: &mut Self, case: &&Evidence| {
                docket.foretells(&without, Some(own.candidate), case, case.done()) == Some(true)
                    && docket.foretells(&without, None, case, case.done()) == Some(false)
            };
            let mut cases: Vec<&Evidence> = held.filter(|case| is_own(self, case)).collect();
            cases.sort_by_cached_key(|case| self.steps_of(case));
            let Some(first) = cases.first() else { continue };
            let apart = (agreeing.len() / FEW_AGREEING).max(1);
            let in_places = self.dictionary.in_places(&own.class.iter().copied().collect());
            for number in (0..self.dictionary.everywhere()).chain(in_places) {
                if self.is_spent() || found[place].class.len() >= MOST_ALIKE {
                    break;
                }
                let is_known = own.class.contains(&number) || self.banned.contains(&number);
                if !is_known
                    && self.matters(number, first)
                    && cases.iter().all(|case| self.foretells(&without, Some(number), case, case.done()) == Some(true))
                    && !agreeing
                        .iter()
                        .step_by(apart)
                        .any(|case| own.holds(case) && self.is_against(&without, number, case))
                {
                    found[place].class.push(number);
                }
            }
        }
    }

    /// Gives each cause the cases that differ which it explains, and its share of the first ones, and gives those that none does.
    fn assigned(
        &mut self,
        causes: &mut [Cause],
        diverging: &[Evidence],
        sighted: &[FailingCase],
        first: usize,
    ) -> Vec<FailingCase> {
        let found: Vec<Hypothesis> = causes.iter().map(Hypothesis::of).collect();
        causes.iter_mut().for_each(|cause| (cause.cases, cause.shared) = Default::default());
        let (mut strange, mut shares) = (Vec::new(), vec![0; causes.len()]);
        for (number, (case, seen)) in diverging.iter().zip(sighted).enumerate() {
            let in_share = usize::from(number < first);
            let is_told = self.foretells(&found, None, case, case.done()) != Some(false);
            let holding: Vec<usize> = (0..found.len()).filter(|&place| found[place].holds(case)).collect();
            let mut explains = |set: &[usize]| {
                let set: Vec<usize> = set.iter().map(|&place| found[place].candidate).collect();
                self.does(&set, case, case.done()) == Some(true)
            };
            let alone: Vec<usize> = holding.iter().copied().filter(|&place| explains(&[place])).collect();
            if let [place] = alone[..] {
                causes[place].cases.push(seen.clone());
                shares[place] += in_share;
                continue;
            }
            if !is_told && alone.is_empty() {
                strange.push(seen.clone());
                continue;
            }
            let is_needed = |&place: &usize| {
                let others: Vec<usize> = holding.iter().copied().filter(|&other| other != place).collect();
                !explains(&others)
            };
            let needed: Vec<usize> = holding.iter().copied().filter(is_needed).collect();
            let among = [&alone, &needed, &holding].into_iter().find(|among| !among.is_empty());
            for &place in among.into_iter().flatten() {
                causes[place].shared.push(case.id);
                shares[place] += in_share;
            }
        }
        // Plainer cases that were made of them do not count.
        for (cause, share) in causes.iter_mut().zip(shares) {
            (cause.explained, cause.share) = (cause.cases.len() + cause.shared.len(), 100 * share / first.max(1));
        }
        strange
    }

    /// Whether a cause foretells something else than the pages say in a case in which the target does what they say. Where it differs in
    /// a way that nothing explains, several mistakes may have come together, and no single one can be held against it.
    fn is_false(&mut self, cause: &Cause, causes: &[Cause], agreeing: &[Evidence]) -> bool {
        let (own, causes) = (Hypothesis::of(cause), causes.iter().map(Hypothesis::of).collect::<Vec<_>>());
        agreeing.iter().any(|case| {
            own.holds(case)
                && self.matters(own.candidate, case)
                && self.foretells(&causes, None, case, case.done()) == Some(false)
                && !self.is_part(own.candidate, case)
        })
    }
}
