//! Fingerprints: which readings of the pages an implementation follows, shown on few cases.
//!
//! A *reading* is a way to understand the pages that differs from the reference's, as an implementation of its own. A
//! *probe* is a small case on which one reading differs from the reference, and from every other reading, so that what a
//! target answers there says something about that reading. A claim is made where all of a reading's probes agree; where
//! they do not, or where there are none, the fingerprint says that it cannot tell.

use std::collections::BTreeMap;
use std::sync::Arc;

use tandem_isa::{Answer, Edition, Expectation, Instruction, SaltPlan, Step, Target};

use crate::judge::guarded;
use crate::terms::{Claims, Rules, View, with_parts};
use crate::{
    CaseId, CaseOutcome, CaseValue, Difference, DrawnCase, Generator, IsaSuite, MakeReference, MinimizeLimits,
    Minimizer, Plain, Pools, Signature, TargetFactory, Workbench,
};

/// Probes of each reading.
const PROBES: usize = 2;
/// Probes of what a target does at all: cases that no reading changes.
const PLAIN_PROBES: usize = 12;
/// Probes on which the editions differ.
const EDITION_PROBES: usize = 6;
/// Cases that are looked at for each reading, in search of those on which no other reading differs.
const SIGHTINGS: usize = 1000;
/// Cases that are made smaller for each reading.
const ATTEMPTS: usize = 24;
/// Cases after which a reading has enough if no other reading does the same on what was found.
const GOOD_ATTEMPTS: usize = 6;
/// Of the cases that are looked at the first ones are made smaller whatever they are, and the others if they promise more
/// than what was found.
const FIRST_SIGHTINGS: usize = 3;
/// Runs in which a probe is made smaller.
const RUNS: usize = 400;
/// The seed of the probes.
const SEED: u64 = 0x6669_6e67_6572;

/// A way to understand the pages that differs from the reference's.
#[derive(Clone)]
pub struct Reading {
    /// For example the id of a fault.
    pub id: String,
    /// What it belongs to: an erratum, or the name of a model. Readings of one topic may hide each other.
    pub topic: String,
    /// What whoever follows it does, in one sentence.
    pub says: String,
    /// Whether it is one value of a model: then whoever follows it follows no other reading of its topic.
    pub is_model: bool,
    /// Makes an implementation that follows it and is right otherwise.
    pub factory: TargetFactory,
}

/// What a target did with a case, short enough to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// It answered; a hash stands for the whole state afterwards.
    Answered(Answer, u64),
    /// It did not: a panic, a crash, a hang, no proper answer.
    Failed(String),
}

/// A case, what the reference makes of it, and what others do.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The case.
    pub value: CaseValue,
    /// What the reference does.
    pub reference: Observed,
    /// The reading that it is a probe of, by its place in the list; nothing for cases that show something else.
    pub of: Option<usize>,
    /// What the readings do that differ from the reference.
    pub differing: Vec<(usize, Observed)>,
    /// What the reference does in the other edition, if it is a probe of that.
    pub other_edition: Option<Observed>,
}

impl Probe {
    /// What its own reading does.
    fn own(&self) -> Option<&Observed> {
        self.differing.iter().find(|(reading, _)| Some(*reading) == self.of).map(|(_, seen)| seen)
    }

    /// Whether no other reading does what its own does.
    fn tells(&self) -> bool {
        let own = self.own();
        own.is_some() && self.differing.iter().filter(|(_, seen)| Some(seen) == own).count() == 1
    }
}

/// All probes of one instruction.
pub struct Probes {
    reference: MakeReference,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The readings.
    pub readings: Vec<Reading>,
    /// The cases.
    pub probes: Vec<Probe>,
}

/// What can be said of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The target follows it.
    Follows,
    /// The target does as the reference does, wherever the reading would differ.
    FollowsNot,
    /// The cases do not show it.
    CannotTell,
}

/// A claim, with its evidence.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The reading, by its place in the list.
    pub reading: usize,
    /// What can be said.
    pub verdict: Verdict,
    /// Why it cannot be told; empty otherwise.
    pub why: String,
    /// Whether something speaks for it although it cannot be told.
    pub is_open: bool,
    /// The probes, by their places in the list.
    pub evidence: Vec<usize>,
}

/// Which edition of the pages a target follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditionVerdict {
    /// The editions do not differ for this instruction.
    OneEdition,
    /// This one, on every case on which they differ.
    Follows(Edition),
    /// On some cases one, on others the other.
    Mixed,
    /// The cases do not show it.
    CannotTell,
}

/// The fingerprint of one target on one instruction.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    /// What was seen, in the order of the probes.
    pub observed: Vec<Observed>,
    /// The edition.
    pub edition: EditionVerdict,
    /// A claim for each reading, in their order.
    pub claims: Vec<Claim>,
    /// Of the cases on which all readings agree: how many there are, how many the target answered as the reference does,
    /// and how many it refused.
    pub plain: (usize, usize, usize),
    /// Probes that it was not asked, because it is claimed to refuse them, or refuses the plain form of their case.
    pub left_out: usize,
    /// Cell classes of which a case was refused.
    pub refused: BTreeMap<&'static str, usize>,
}

/// Runs a case by value on a target.
fn observe(target: &mut dyn Target, value: &CaseValue, edition: Edition) -> Observed {
    let mut state = value.state();
    let step = Step { instruction: value.instruction, edition, code: &value.code };
    let answer = guarded(|| {
        target.reset();
        target.execute(&step, &mut state)
    });
    match answer {
        Ok(answer) => Observed::Answered(answer, hash(&[&state.arena, &state.small])),
        Err(differences) => Observed::Failed(match &differences[..] {
            [Difference::Panic(message)] => message.clone(),
            [other, ..] => other.kind().name().to_string(),
            [] => String::new(),
        }),
    }
}

/// What the reference does with a case, where the pages promise it.
fn expect(suite: &IsaSuite, value: &CaseValue, edition: Edition) -> Option<Observed> {
    let mut state = value.state();
    let step = Step { instruction: value.instruction, edition, code: &value.code };
    let expectation: Expectation = (suite.reference)().execute(&step, &mut state);
    let answer = expectation.required_answer()?;
    Some(Observed::Answered(answer, hash(&[&state.arena, &state.small])))
}

/// Whether claims say that the numbers of a case are refused.
fn refuses_by_claim(claimed: &Rules, value: &CaseValue) -> bool {
    let state = value.state();
    let view = View::new(value.isa, value.instruction, Edition::Newest);
    let salt = SaltPlan::default();
    with_parts(&value.code, &state.small, &salt, |parts| claimed.refusing(&view, parts, None).is_some())
}

fn hash(parts: &[&[u8]]) -> u64 {
    let mut hash = 0u64;
    for chunk in parts.iter().flat_map(|part| part.chunks(8)) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}

/// Finds the probes of an instruction, the same ones each time, among at most `cases` cases.
#[must_use]
pub fn probes(suite: &IsaSuite, instruction: &'static Instruction, readings: Vec<Reading>, cases: u64) -> Probes {
    let mut finder = Finder::new(suite, instruction, readings);
    finder.search(cases);
    finder.plain();
    Probes { reference: Arc::clone(&suite.reference), instruction, readings: finder.readings, probes: finder.probes }
}

struct Finder<'a> {
    suite: &'a IsaSuite,
    instruction: &'static Instruction,
    readings: Vec<Reading>,
    targets: Vec<Box<dyn Target>>,
    probes: Vec<Probe>,
    /// For each reading, how many cases showed it, how many of them were made smaller, and the probes so far: best first.
    seen: Vec<usize>,
    tried: Vec<usize>,
    found: Vec<Vec<Probe>>,
    editions: usize,
    pools: Arc<Pools>,
    /// Draws cases by value.
    taker: Workbench,
}

/// A workbench with some targets, which draws the cases that probes are taken from.
fn bench(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    pools: &Arc<Pools>,
    targets: Vec<TargetFactory>,
) -> Workbench {
    let generator = Generator::new(suite.isa, instruction, Edition::Newest, SEED, Arc::clone(pools));
    Workbench::new(generator, &suite.with_targets(targets))
}

impl<'a> Finder<'a> {
    fn new(suite: &'a IsaSuite, instruction: &'static Instruction, readings: Vec<Reading>) -> Self {
        let targets = readings.iter().map(|reading| reading.factory.make()).collect();
        let (seen, tried, found) = (vec![0; readings.len()], vec![0; readings.len()], vec![Vec::new(); readings.len()]);
        let pools = Pools::new(suite.isa, SEED);
        let taker = bench(suite, instruction, &pools, Vec::new());
        Finder {
            suite,
            instruction,
            readings,
            targets,
            probes: Vec::new(),
            seen,
            tried,
            found,
            editions: 0,
            pools,
            taker,
        }
    }

    /// A case by value, without its background.
    fn take(&mut self, id: &CaseId) -> CaseValue {
        self.taker.enter_epoch(id.index);
        let mut value = CaseValue::base(self.suite.isa, id.instruction, id.edition);
        self.taker.capture(id, |_, code, small, state| value.take_case(code, small, state));
        value
    }

    /// What the readings do with a case that the pages promise: those that differ from the reference.
    fn differing(&mut self, value: &CaseValue) -> Option<(Observed, Vec<(usize, Observed)>)> {
        let reference = expect(self.suite, value, Edition::Newest)?;
        let mut differing = Vec::new();
        for (place, target) in self.targets.iter_mut().enumerate() {
            let seen = observe(target.as_mut(), value, Edition::Newest);
            if seen != reference {
                differing.push((place, seen));
            }
        }
        Some((reference, differing))
    }

    /// What the reference does in the other edition, if that differs.
    fn other_edition(&self, value: &CaseValue, reference: &Observed) -> Option<Observed> {
        expect(self.suite, value, Edition::Spec).filter(|other| other != reference)
    }

    fn search(&mut self, cases: u64) {
        // The readings that cases are run on: as long as they want more.
        let mut running: Vec<usize> = (0..self.readings.len()).collect();
        let mut bench = self.bench(&running);
        let has_editions = self.instruction.editions().len() > 1;
        for number in 0..cases {
            let wants_editions = has_editions && self.editions < EDITION_PROBES;
            let wanting = running.iter().filter(|&&reading| !self.has_enough(reading)).count();
            if !wants_editions && wanting == 0 {
                break;
            }
            if 2 * wanting <= running.len() && !running.is_empty() {
                running.retain(|&reading| !self.has_enough(reading));
                bench = self.bench(&running);
            }
            let id = bench.generator.id(number);
            bench.enter_epoch(id.index);
            let _ = bench.run(&id);
            let wrong: Vec<(usize, &CaseOutcome)> = running
                .iter()
                .copied()
                .zip(bench.outcomes())
                .filter(|(_, outcome)| matches!(outcome, CaseOutcome::Diverged(_)))
                .collect();
            let tells = |reading, outcome| wrong.iter().all(|&(other, seen)| other == reading || seen != outcome);
            for &(reading, _) in &wrong {
                self.seen[reading] += 1;
            }
            // One that the case tells from all others, and of these the one that has been tried least.
            let promising = wrong
                .iter()
                .filter(|(reading, _)| !self.has_enough(*reading))
                .map(|&(reading, outcome)| (!tells(reading, outcome), self.tried[reading], reading))
                .filter(|&(hides, _, reading)| self.is_promising(reading, !hides, wrong.len()));
            if let Some((_, _, reading)) = promising.min() {
                self.tried[reading] += 1;
                let value = self.take(&id);
                self.add_reading(&value, reading);
            } else if wants_editions && number.is_multiple_of(64) {
                let value = self.take(&id);
                self.add_edition(value);
            }
        }
        self.probes.extend(std::mem::take(&mut self.found).into_iter().flatten());
    }

    /// A workbench with the targets of some readings.
    fn bench(&self, readings: &[usize]) -> Workbench {
        let targets = readings.iter().map(|&reading| self.readings[reading].factory.clone()).collect();
        bench(self.suite, self.instruction, &self.pools, targets)
    }

    fn has_enough(&self, reading: usize) -> bool {
        let alone = self.found[reading].iter().filter(|probe| probe.differing.len() == 1).count();
        let telling = self.found[reading].iter().filter(|probe| probe.tells()).count();
        alone >= PROBES
            || self.seen[reading] >= SIGHTINGS
            || self.tried[reading] >= ATTEMPTS
            || (telling >= PROBES && self.tried[reading] >= GOOD_ATTEMPTS)
    }

    /// Whether a case may make a better probe than what was found: one on which no other reading does the same, or one on
    /// which fewer readings differ.
    fn is_promising(&self, reading: usize, tells: bool, differing: usize) -> bool {
        let found = &self.found[reading];
        let is_better = |probe: &Probe| (!tells, differing) < (!probe.tells(), probe.differing.len());
        self.seen[reading] <= FIRST_SIGHTINGS || found.len() < PROBES || found.iter().any(is_better)
    }

    /// Makes a case smaller on which a reading differs, and keeps it if it is among the best.
    fn add_reading(&mut self, value: &CaseValue, reading: usize) {
        let factory = self.readings[reading].factory.clone();
        let mut minimizer = Minimizer::new(self.suite, &factory);
        let differences = minimizer.run(value).unwrap_or_default();
        let layout = self.suite.isa.layout;
        let key = Signature::of(&self.instruction.path(), &factory.info.name, layout, &differences);
        let small = key.and_then(|key| minimizer.minimize(value, &key, MinimizeLimits { runs: RUNS }));
        // The case itself if it tells the reading from others and what it became does not.
        let mut best: Option<Probe> = None;
        for value in small.map(|small| small.value).into_iter().chain([value.clone()]) {
            let Some((reference, differing)) = self.differing(&value) else { continue };
            let probe = Probe { value, reference, of: Some(reading), differing, other_edition: None };
            if probe.own().is_some() && (best.is_none() || probe.tells()) {
                best = Some(probe);
            }
            if best.as_ref().is_some_and(Probe::tells) {
                break;
            }
        }
        let Some(probe) = best else { return };
        if self.found[reading].iter().any(|known| known.value.is_same(&probe.value)) {
            return;
        }
        let found = &mut self.found[reading];
        found.push(probe);
        // Those that tell it apart first, and among them those that concern few others.
        found.sort_by_key(|probe| (!probe.tells(), probe.differing.len()));
        found.truncate(PROBES);
    }

    /// Adds a case on which the editions differ.
    fn add_edition(&mut self, value: CaseValue) {
        let Some((reference, _)) = self.differing(&value) else { return };
        let Some(other) = self.other_edition(&value, &reference) else { return };
        self.editions += 1;
        self.probes.push(Probe { value, reference, of: None, differing: Vec::new(), other_edition: Some(other) });
    }

    /// Adds a case of each of the first cell classes on which everybody agrees.
    fn plain(&mut self) {
        let cells = (self.instruction.cells)(Edition::Newest);
        let classes = crate::one_cell_a_class(self.instruction, Edition::Newest);
        let step = classes.len().div_ceil(PLAIN_PROBES).max(1);
        for (_, cell) in classes.into_iter().step_by(step) {
            for index in 0..64 {
                let mut id = self.taker.generator.id(0);
                (id.cell, id.index) = (cell % cells.len() as u32, index);
                let value = self.take(&id);
                let Some((reference, differing)) = self.differing(&value) else { continue };
                if differing.is_empty()
                    && matches!(reference, Observed::Answered(Answer::Done, _))
                    && self.other_edition(&value, &reference).is_none()
                {
                    self.probes.push(Probe { value, reference, of: None, differing, other_edition: None });
                    break;
                }
            }
        }
    }
}

impl Probes {
    /// Runs the probes on a target, and says what they show. It is not asked what it is claimed to refuse.
    pub fn judge(&self, target: &mut dyn Target, claimed: Option<&Claims>) -> Fingerprint {
        let claimed = claimed.map(|claims| claims.rules(self.instruction)).unwrap_or_default();
        // Whoever refuses the plain case of a cell is not asked the others of it.
        let mut refuses = BTreeMap::new();
        let mut left_out = 0;
        let mut ask = |probe: &Probe| {
            let cell = probe.value.cell();
            if refuses_by_claim(&claimed, &probe.value)
                || *refuses.entry(cell).or_insert_with(|| self.refuses_plainly(target, &probe.value, cell))
            {
                left_out += 1;
                return Observed::Answered(Answer::Unsupported, 0);
            }
            observe(target, &probe.value, Edition::Newest)
        };
        let observed: Vec<Observed> = self.probes.iter().map(&mut ask).collect();
        let mut claims: Vec<Claim> = (0..self.readings.len()).map(|place| self.claim(place, &observed)).collect();
        self.doubt(&mut claims);
        self.settle_models(&observed, &mut claims);
        let refused = |place: usize| matches!(observed[place], Observed::Answered(Answer::Unsupported, _));
        let mut classes = BTreeMap::new();
        for place in (0..self.probes.len()).filter(|&place| refused(place)) {
            *classes.entry(self.class_of(place)).or_insert(0) += 1;
        }
        let plain: Vec<usize> = (0..self.probes.len())
            .filter(|&place| self.probes[place].of.is_none() && self.probes[place].other_edition.is_none())
            .collect();
        let agreed = plain.iter().filter(|&&place| observed[place] == self.probes[place].reference).count();
        let plain = (plain.len(), agreed, plain.iter().filter(|&&place| refused(place)).count());
        Fingerprint { edition: self.edition(&observed), claims, plain, left_out, refused: classes, observed }
    }

    /// Whether a target refuses the plain case of a probe's cell.
    fn refuses_plainly(&self, target: &mut dyn Target, probe: &CaseValue, cell: Option<usize>) -> bool {
        let Some(cell) = cell else { return false };
        let mut state = probe.isa.base_state();
        let DrawnCase { code, small, .. } = Plain::new(probe.isa, self.instruction, Edition::Newest).case(cell);
        state.small.copy_from_slice(&small);
        let step = Step { instruction: self.instruction, edition: Edition::Newest, code: &code };
        let mut promised = probe.isa.base_state();
        promised.small.copy_from_slice(&small);
        // Where the pages promise nothing at the plainest a refusal says nothing of the others.
        let expectation = (self.reference)().execute(&step, &mut promised);
        if expectation.required_answer().is_none() {
            return false;
        }
        let answer = guarded(|| {
            target.reset();
            target.execute(&step, &mut state)
        });
        answer == Ok(Answer::Unsupported)
    }

    /// Of the values of a model one at most is followed: the only one that would do all that was seen on the cases of all
    /// of them, or none if the target does as the reference does.
    fn settle_models(&self, observed: &[Observed], claims: &mut [Claim]) {
        let topic = |reading: usize| &self.readings[reading].topic;
        for first in (0..self.readings.len()).filter(|&reading| self.readings[reading].is_model) {
            let rivals: Vec<usize> = (first..self.readings.len()).filter(|&one| topic(one) == topic(first)).collect();
            if (0..first).any(|earlier| topic(earlier) == topic(first)) {
                continue;
            }
            let refused = |place: usize| matches!(observed[place], Observed::Answered(Answer::Unsupported, _));
            let shown =
                |&place: &usize| self.probes[place].of.is_some_and(|of| rivals.contains(&of)) && !refused(place);
            let evidence: Vec<usize> = (0..self.probes.len()).filter(shown).collect();
            let would_do = |reading: Option<usize>, place: usize| {
                let own = self.probes[place].differing.iter().find(|(other, _)| Some(*other) == reading);
                own.map_or(&self.probes[place].reference, |(_, seen)| seen)
            };
            let is_consistent =
                |reading: Option<usize>| evidence.iter().all(|&place| *would_do(reading, place) == observed[place]);
            let consistent: Vec<usize> =
                rivals.iter().copied().filter(|&reading| is_consistent(Some(reading))).collect();
            let followed = match consistent[..] {
                _ if evidence.is_empty() => continue,
                [] if is_consistent(None) => None,
                [only] if !is_consistent(None) => Some(only),
                _ => continue,
            };
            // What a reading of something else does as well says nothing of the model.
            let hides = |&other: &usize| {
                !rivals.contains(&other) && claims[other].verdict != Verdict::FollowsNot && is_consistent(Some(other))
            };
            let hidden = followed.and_then(|_| (0..self.readings.len()).find(hides));
            if let Some(other) = hidden {
                for reading in rivals {
                    let (verdict, why) = (Verdict::CannotTell, format!("{} may hide it", self.readings[other].id));
                    claims[reading] = Claim { reading, verdict, why, is_open: false, evidence: evidence.clone() };
                }
                continue;
            }
            for reading in rivals {
                let verdict = if followed == Some(reading) { Verdict::Follows } else { Verdict::FollowsNot };
                let evidence = evidence.clone();
                claims[reading] = Claim { reading, verdict, why: String::new(), is_open: false, evidence };
            }
        }
    }

    /// The path that a probe's case takes.
    fn class_of(&self, place: usize) -> &'static str {
        let value = &self.probes[place].value;
        let cells = (self.instruction.cells)(Edition::Newest);
        value.cell().map_or("no cell", |cell| (self.instruction.cell_class)(Edition::Newest, cells.levels(cell)))
    }

    fn claim(&self, reading: usize, observed: &[Observed]) -> Claim {
        let mut evidence = Vec::new();
        let (mut follows, mut follows_not, mut neither, mut refused) = (0, 0, 0, 0);
        let mut like = None;
        for (place, probe) in self.probes.iter().enumerate().filter(|(_, probe)| probe.of == Some(reading)) {
            evidence.push(place);
            match &observed[place] {
                seen if *seen == probe.reference => follows_not += 1,
                seen if Some(seen) == probe.own() && probe.tells() => follows += 1,
                seen if Some(seen) == probe.own() => {
                    like = probe.differing.iter().find(|(other, same)| *other != reading && same == seen);
                }
                Observed::Answered(Answer::Unsupported, _) => refused += 1,
                // As another reading has it: that says nothing of this one.
                seen if probe.differing.iter().any(|(_, other)| other == seen) => {}
                _ => neither += 1,
            }
        }
        if evidence.is_empty() {
            let why = "no case was found that shows it".to_string();
            return Claim { reading, verdict: Verdict::CannotTell, why, is_open: false, evidence };
        }
        if let (Some((other, _)), 0, 0) = (like, follows, follows_not) {
            let why = format!("it or {}: they do the same on every case that shows it", self.readings[*other].id);
            return Claim { reading, verdict: Verdict::CannotTell, why, is_open: true, evidence };
        }
        let (verdict, why) = match (follows, follows_not, neither, refused) {
            (1.., 0, 0, _) => (Verdict::Follows, String::new()),
            (0, 1.., 0, _) => (Verdict::FollowsNot, String::new()),
            (0, 0, 0, 0) => (Verdict::CannotTell, "another reading hides it".to_string()),
            (0, 0, 0, _) => (Verdict::CannotTell, "it refuses the cases that would show it".to_string()),
            _ => (
                Verdict::CannotTell,
                format!("{follows} cases speak for it, {follows_not} against it, {neither} for neither"),
            ),
        };
        let is_open = verdict == Verdict::CannotTell && follows + neither > 0;
        Claim { reading, verdict, why, is_open, evidence }
    }

    /// Readings of one topic may hide each other: where one of them is followed, or may be, nothing is denied of the others.
    fn doubt(&self, claims: &mut [Claim]) {
        for place in 0..claims.len() {
            let topic = &self.readings[place].topic;
            let hiding = claims.iter().enumerate().find(|(other, claim)| {
                *other != place
                    && self.readings[*other].topic == *topic
                    && (claim.verdict == Verdict::Follows || claim.is_open)
            });
            if let Some((other, _)) = hiding
                && claims[place].verdict == Verdict::FollowsNot
            {
                let why = format!("{} may hide it", self.readings[other].id);
                claims[place].verdict = Verdict::CannotTell;
                claims[place].why = why;
            }
        }
    }

    fn edition(&self, observed: &[Observed]) -> EditionVerdict {
        if self.instruction.editions().len() == 1 {
            return EditionVerdict::OneEdition;
        }
        let (mut newest, mut spec, mut other) = (0, 0, 0);
        for (probe, seen) in self.probes.iter().zip(observed) {
            let Some(older) = &probe.other_edition else { continue };
            match seen {
                seen if *seen == probe.reference => newest += 1,
                seen if seen == older => spec += 1,
                _ => other += 1,
            }
        }
        match (newest, spec, other) {
            (1.., 0, 0) => EditionVerdict::Follows(Edition::Newest),
            (0, 1.., 0) => EditionVerdict::Follows(Edition::Spec),
            (1.., 1.., _) => EditionVerdict::Mixed,
            _ => EditionVerdict::CannotTell,
        }
    }
}
