//! Learning: a target is asked until rules say what it refuses.
//!
//! 1. A few cases as the campaign draws them, and a plain case of each cell. Who refuses none of them is asked no more.
//! 2. One plain case that is answered is *home*. Cells that are refused there become rules over data-path axes and
//!    quantities.
//! 3. From home, each number alone gets other values: single bits, ends, names.
//! 4. In rounds, cases are drawn so that the rules hold. What is refused all the same is made smaller towards home, and
//!    the shortest conjunction of what is left that no answered case meets becomes a rule. A rule that an answered case
//!    meets is learnt anew with that case.

mod cases;
mod families;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tandem_isa::{BankRole, Edition, Fill, FormatKind, Instruction, Isa, Narrowing, Noise, mix64};

use super::cover::{Lenses, Record, shortest};
use super::data::{Operands, condition};
use crate::bench::{Mishap, Reply};
use crate::case::{Held, Narrow, Plain, Question};
use crate::terms::{Atom, DataAtom, FamilyKind, Lens, MOST_ATOMS, Rule, Rules, Test, View, implies};
use crate::{CaseSource, GREEN, Generator, IsaSuite, Signature, TargetFactory, Workbench};
use cases::Element;

/// Cases as the campaign draws them that are asked first.
const FIRST: u64 = 512;
/// Cells that are asked first where there is little to ask with.
const EARLY: usize = 48;
/// Promised cases that decide that a cell is unsupported.
pub(crate) const REFUSALS: u64 = 8;
/// Cases of a round; after one without news, the next has twice as many.
const ROUND: u64 = 384;
/// Rounds without news that end it.
const QUIET_ROUNDS: u32 = 4;
/// The most rounds.
const MOST_ROUNDS: u32 = 60;
/// Cases of a round that each rule alone refuses.
const DOUBTS: usize = 12;
/// Refusals of a round that are looked into.
const LOOKED_INTO: usize = 24;
/// Answered and refused cases that are kept to hold rules against.
const KEPT: [usize; 2] = [6000, 3000];
/// Questions that a target may crash or hang on before it is asked no more.
const MOST_BREAKS: u64 = 32;
/// The largest value of a number of which one value alone may say much.
const WIDE: u32 = 4096;
/// Conditions that a conjunction is chosen from.
const MOST_CONDITIONS: usize = 96;

/// How far a target may be asked.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Cases.
    pub cases: u64,
    /// When to stop, whatever is known.
    pub until: Option<Instant>,
    /// Set when somebody wants an end.
    pub stop: Option<&'a AtomicBool>,
    /// What cases it is asked about; nothing for all.
    pub narrow: Option<&'a Narrow>,
}

impl Scope<'_> {
    /// So many cases about everything.
    #[must_use]
    pub const fn of(cases: u64) -> Self {
        Scope { cases, until: None, stop: None, narrow: None }
    }
}

/// What a target answers: the outcome of asking it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// What it refuses.
    pub rules: Rules,
    /// For each rule and condition, the value of a case that is answered.
    pub homes: Vec<Vec<u32>>,
    /// Cells of which the rules leave something.
    pub offered: Vec<u32>,
    /// For each cell, promised cases that were asked, those of them that were refused, and cases for which the pages promise
    /// nothing.
    pub asked: Vec<[u64; 3]>,
    /// Cases that it took.
    pub cases: u64,
    /// Why it ended early, if it did.
    pub ended: Option<String>,
    /// What it did instead of answering, the first of each signature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mishaps: Vec<Mishap>,
}

impl Observation {
    /// Whether it speaks only of what the cases have.
    pub(crate) fn fits(&self, view: &View) -> bool {
        let banks = view.isa.layout.banks;
        let has_data = |data: &DataAtom| {
            let bank = banks.get(data.bank);
            (1..=8).contains(&data.datum_bytes) && bank.is_some_and(|bank| data.datum_bytes <= bank.row_bytes())
        };
        let has =
            |rule: &Rule| rule.all.iter().all(|atom| view.has(atom.lens)) && rule.data.as_ref().is_none_or(has_data);
        let homes = || self.homes.iter().zip(&self.rules.list).all(|(homes, rule)| homes.len() == rule.all.len());
        self.rules.list.iter().all(has)
            && (self.homes.is_empty() || self.homes.len() == self.rules.list.len() && homes())
            && self.offered.iter().all(|&cell| (cell as usize) < view.cells.len())
            && self.asked.len() <= view.cells.len()
            && self.asked.iter().all(|&[asked, refused, _]| refused <= asked)
    }

    /// The rules, to draw cases by; nothing if there are none.
    #[must_use]
    pub fn held(&self, view: View) -> Option<Held> {
        let (rules, homes) = (Arc::new(self.rules.clone()), self.homes.clone());
        (!rules.is_empty()).then(|| Held::new(view, rules, homes, self.offered.clone()))
    }
}

/// Asks the target of a suite what it answers of an instruction, if it may refuse something.
#[must_use]
pub fn observed(
    one: &IsaSuite,
    unit: (&'static Instruction, Edition),
    source: &CaseSource,
    scope: Scope<'_>,
) -> Option<Observation> {
    let is_partial = one.targets.first().is_some_and(TargetFactory::is_partial);
    is_partial.then(|| observe(&mut Workbench::new(source.generator(one.isa, unit), one), scope))
}

/// Asks the first target of a workbench what it answers.
#[must_use]
pub fn observe(bench: &mut Workbench, scope: Scope<'_>) -> Observation {
    let generator = &bench.generator;
    let view = View::new(generator.isa, generator.instruction, generator.edition);
    let (isa, instruction, edition): (&'static Isa, &'static Instruction, Edition) =
        (view.isa, view.instruction, view.edition);
    let noise = Noise::new(mix64(generator.seed ^ 0x6f62_7365_7276));
    // Which cases are plain is no matter here: what lies around them is looked at too.
    let narrow = Narrow { plain: false, ..scope.narrow.cloned().unwrap_or_default() };
    let cells = match narrow.cells.as_deref().filter(|cells| !cells.is_empty()) {
        Some(cells) => cells.iter().map(|&cell| cell as usize).collect(),
        None => (0..view.cells.len()).collect(),
    };
    let mut learner = Learner {
        asked: vec![[0; 3]; view.cells.len()],
        cells,
        narrow,
        plain: Plain::new(isa, instruction, edition),
        lenses: Lenses::new(&view),
        home: None,
        kept: [Vec::new(), Vec::new()],
        idle: Vec::new(),
        held_up: None,
        met: [0; 2],
        filled: [Vec::new(), Vec::new()],
        last_by_data: false,
        said: None,
        rules: Vec::new(),
        given_up: BTreeSet::new(),
        cases: 0,
        broke: 0,
        ended: None,
        bench,
        slot: 0,
        view,
        scope,
        noise,
    };
    learner.bench.begin_questions(0);
    learner.run();
    learner.finish()
}

struct Learner<'a> {
    /// The cells that it asks about, ascending.
    cells: Vec<usize>,
    /// What it keeps to.
    narrow: Narrow,
    bench: &'a mut Workbench,
    slot: usize,
    view: View,
    scope: Scope<'a>,
    plain: Plain,
    lenses: Lenses,
    noise: Noise,
    home: Option<Question>,
    /// Cases that were answered, and not because something holds the instruction, and those that were refused.
    kept: [Vec<Record>; 2],
    /// Of the cases that were asked last, which something holds: that they are answered says nothing about the rest.
    idle: Vec<bool>,
    /// A case that was answered because something holds the instruction.
    held_up: Option<Question>,
    /// How many there were.
    met: [u64; 2],
    /// Answered and refused cases with the data that are being looked into.
    filled: [Vec<Record>; 2],
    /// What the target said about a refusal that was looked into last.
    said: Option<String>,
    /// Whether a rule about data explains the last refusal.
    last_by_data: bool,
    rules: Vec<Rule>,
    /// Rules that an answered case met, and that are not believed again.
    given_up: BTreeSet<Rule>,
    asked: Vec<[u64; 3]>,
    cases: u64,
    broke: u64,
    ended: Option<String>,
}

impl Learner<'_> {
    fn run(&mut self) {
        let first = self.spread(FIRST.min(self.scope.cases / 4));
        let replies = self.ask(first);
        let mut refused = replies.iter().any(is_refusal);
        let cells = self.cells.clone();
        let early = if refused { self.learn_early() } else { None };
        // By the numbers of all cells; who is not asked about is like who is promised nothing.
        let mut replies = vec![Reply::Unpromised; self.view.cells.len()];
        for (&cell, reply) in cells.iter().zip(self.ask_cells(&cells, 0)) {
            replies[cell] = reply;
        }
        refused |= replies.iter().any(is_refusal);
        if !refused || self.over() {
            return;
        }
        let alone = match early {
            Some(alone) => alone,
            None if self.learn_from_others(&mut replies) => {
                self.ended.get_or_insert_with(|| "no case was answered".to_string());
                return;
            }
            None => {
                let Some(home) = self.find_home(&replies) else {
                    self.ended.get_or_insert_with(|| "no case was answered".to_string());
                    return;
                };
                self.home = Some(home.clone());
                self.learn_families(&home)
            }
        };
        let of = |replies: &[Reply], wanted: fn(&Reply) -> bool| -> Vec<usize> {
            cells.iter().copied().filter(|&cell| wanted(&replies[cell])).collect()
        };
        // Where the pages promise nothing at the plainest they may do so elsewhere, or not.
        let mut open = of(&replies, |reply| *reply == Reply::Unpromised);
        for _ in 1..3 * GREEN {
            open.retain(|&cell| self.asked[cell][0] < REFUSALS && self.asked[cell][2] < GREEN);
            let questions = open.iter().map(|&cell| self.drawn(cell, None)).collect();
            self.ask(questions);
        }
        for attempt in 1..REFUSALS {
            let left = of(&replies, is_refusal);
            // What is learnt from the answers costs cases as well, and says more than one more refusal of each cell.
            if self.cases + left.len() as u64 > self.scope.cases / 2 {
                break;
            }
            for (cell, reply) in left.iter().zip(self.ask_cells(&left, attempt)) {
                if reply == Reply::Answered {
                    replies[*cell] = reply;
                }
            }
        }
        self.learn_cells(&replies);
        self.learn_alone(&alone);
        self.rounds();
    }

    /// Where nothing is answered of the cells that it is asked about, others may tell why. Whether rules over cells say it all.
    fn learn_from_others(&mut self, replies: &mut [Reply]) -> bool {
        if !self.kept[0].is_empty() {
            return false;
        }
        let (all, asked) = (self.view.cells.len(), self.asked.clone());
        let others: Vec<usize> = (0..all).filter(|cell| !self.cells.contains(cell)).collect();
        let others: Vec<usize> = others.iter().copied().step_by(others.len().div_ceil(EARLY).max(1)).collect();
        for (&cell, reply) in others.iter().zip(self.ask_cells(&others, 0)) {
            replies[cell] = reply;
        }
        let Some(&home) = others.iter().find(|&&cell| replies[cell] == Reply::Answered) else { return false };
        let case = self.plain.case(home);
        self.home = Some(self.question(case));
        self.learn_cells(replies);
        // What was asked of others is no part of what this is about.
        self.asked = asked;
        let refused: Vec<usize> = self.cells.iter().copied().filter(|&cell| is_refusal(&replies[cell])).collect();
        let says_all = refused.into_iter().all(|cell| {
            let case = self.plain.case(cell);
            let question = self.question(case);
            self.is_explained(&question)
        });
        if !says_all {
            (self.home, self.rules) = (None, Vec::new());
        }
        says_all
    }

    /// Where it takes much of what may be asked to ask of each cell, families are learnt before, from the first plain case that
    /// is answered. What comes back is as of [`Learner::learn_families`].
    fn learn_early(&mut self) -> Option<BTreeSet<usize>> {
        let count = self.cells.len();
        if (count as u64) * 8 <= self.scope.cases {
            return None;
        }
        let some: Vec<usize> = self.cells.iter().copied().step_by(count.div_ceil(EARLY)).collect();
        let replies = self.ask_cells(&some, 0);
        let answered = replies.iter().position(|reply| *reply == Reply::Answered)?;
        let case = self.plain.case(some[answered]);
        let home = self.question(case);
        if self.ask_one(home.clone()) != Reply::Answered {
            return None;
        }
        self.home = Some(home.clone());
        Some(self.learn_families(&home))
    }

    fn finish(mut self) -> Observation {
        let rules = std::mem::take(&mut self.rules);
        self.rules = rules.into_iter().filter(|rule| !self.is_refuted(rule)).collect();
        self.tidy();
        let homes = self.home.as_ref().map_or_else(Vec::new, |home| self.homes(home));
        let home = self.home.as_ref();
        let rules = Rules { list: std::mem::take(&mut self.rules) };
        let offered = match (home, rules.is_empty()) {
            (None, false) => Vec::new(),
            // It ended before anything was answered.
            (None, true) if self.ended.is_some() => Vec::new(),
            (_, true) => (0..self.view.cells.len() as u32).collect(),
            (Some(_), false) => {
                let held = Held::new(self.view, Arc::new(rules.clone()), homes.clone(), Vec::new());
                self.offered(&held.narrowed(&self.narrow), 24)
            }
        };
        let Learner { asked, cases, ended, bench, .. } = self;
        let mut mishaps = std::mem::take(&mut bench.mishaps);
        let mut seen = BTreeSet::new();
        let layout = self.view.isa.layout;
        mishaps.retain(|one| Signature::of("", "", layout, &one.differences).is_some_and(|of| seen.insert(of)));
        Observation { rules, homes, offered, asked, cases, ended, mishaps }
    }

    /// Adds a rule that is new, and that no answered case meets.
    fn add(&mut self, rule: Rule) -> bool {
        if rule.all.is_empty() && rule.data.is_none()
            || self.is_refuted(&rule)
            || self.given_up.contains(&without_reason(&rule))
            || self.rules.iter().any(|known| known.all == rule.all && known.data == rule.data)
        {
            return false;
        }
        self.rules.push(rule);
        true
    }

    /// Whether an answered case meets a rule.
    fn is_refuted(&self, rule: &Rule) -> bool {
        rule.data.is_none() && self.kept[0].iter().any(|record| record.meets(&self.lenses, rule))
    }

    /// Whether a case is answered where its data are calm.
    fn is_answered_calmly(&mut self, question: &Question) -> bool {
        let calm = self.calm(question).into_iter().map(|fill| {
            let narrowing = Narrowing { avoid: 0, fill: Some(fill) };
            Question { narrowing, ..question.clone() }
        });
        let calm = calm.collect();
        self.ask(calm).contains(&Reply::Answered)
    }

    /// Data that most implementations take, for each bank of operands: zeros and ones.
    fn calm(&mut self, question: &Question) -> Vec<Fill> {
        let operands = self.operands(question);
        let fills = operands.into_iter().flat_map(|Operands { bank, datum_bytes, format, .. }| {
            let one = format.map(|format| match (format.kind, format.exponent) {
                (FormatKind::Float { bias }, Some(piece)) => u64::try_from(bias).unwrap_or(0) << piece.shift,
                _ => 1,
            });
            [Some(0), one].into_iter().flatten().map(move |value| Fill { bank, datum_bytes, value, odd: None })
        });
        fills.collect()
    }

    /// Rules over the cells that were refused where all else is as at home.
    fn learn_cells(&mut self, replies: &[Reply]) {
        let Some(home) = self.home.clone() else { return };
        let mut lenses: Vec<Lens> =
            self.lenses.list.iter().copied().filter(|lens| matches!(lens, Lens::Quantity(_) | Lens::Path(_))).collect();
        // What has names, such as a resolved format, says more than a field that happens to have one value there.
        let view = self.view;
        lenses.sort_by_key(|&lens| (!view.is_nominal(lens), matches!(lens, Lens::Path(_))));
        let mut records = [Vec::new(), Vec::new()];
        let mut reasons = Vec::new();
        for (cell, reply) in replies.iter().enumerate() {
            let which = match reply {
                Reply::Answered => 0,
                Reply::Refused(_) => 1,
                Reply::Unpromised | Reply::Misbehaved => continue,
            };
            let case = self.plain.case(cell);
            let question = self.question(case);
            // What a rule explains already is refused for another reason than its cell.
            if which == 1 && self.is_explained(&question) {
                continue;
            }
            records[which].push(Record::new(&self.view, &self.lenses, question, false));
            if let Reply::Refused(reason) = reply {
                reasons.push(reason.clone());
            }
        }
        let [answered, mut refused] = records;
        while !refused.is_empty() {
            if self.over() {
                return;
            }
            let seed = refused[0].question.clone();
            if self.is_answered_calmly(&seed) {
                // The mode is there, and only the data are refused that are usual in it.
                refused.remove(0);
                let reason = reasons.remove(0);
                if !self.is_by_data(&seed) {
                    self.learn_data(&seed, reason);
                }
                continue;
            }
            let differs = |lens: &Lens| {
                self.look(&seed, |parts| self.view.get(*lens, parts))
                    != self.look(&home, |parts| self.view.get(*lens, parts))
            };
            let own =
                |lens: Lens| Atom { test: Test::In(vec![self.look(&seed, |parts| self.view.get(lens, parts))]), lens };
            let mut atoms: Vec<Atom> = lenses.iter().copied().filter(differs).map(own).collect();
            let mut found = shortest(&self.lenses, &atoms, &answered, &refused);
            if found.is_none() {
                atoms = lenses.iter().copied().filter(|lens| matches!(lens, Lens::Path(_))).map(own).collect();
                found = shortest(&self.lenses, &atoms, &answered, &refused);
            }
            let Some(all) = found else {
                refused.remove(0);
                reasons.remove(0);
                continue;
            };
            let rule = Rule { all, data: None, reason: reasons[0].clone() };
            let meets: Vec<bool> = refused.iter().map(|record| record.meets(&self.lenses, &rule)).collect();
            let mut keep = meets.iter().map(|meets| !meets);
            refused.retain(|_| keep.next().unwrap_or(true));
            let mut keep = meets.iter().map(|meets| !meets);
            reasons.retain(|_| keep.next().unwrap_or(true));
            self.add(rule);
        }
        self.merge();
    }

    /// Each number alone, from home; of fields those in `alone`, for the others were looked at together.
    fn learn_alone(&mut self, alone: &BTreeSet<usize>) {
        let Some(home) = self.home.clone() else { return };
        for lens in self.lenses.list.clone() {
            if self.over() {
                return;
            }
            let is_asked = match lens {
                Lens::Path(_) | Lens::Axis(_) | Lens::Any(_) | Lens::Differ(_) => false,
                Lens::Field(place) => alone.contains(&place),
                Lens::Quantity(_) | Lens::Code(_) | Lens::Unnamed(_) => true,
            };
            if !is_asked {
                continue;
            }
            let tests = self.profile(lens, &home, true);
            if !tests.is_empty() {
                let reason = self.said.take();
                let all = tests.into_iter().map(|test| Atom { lens, test }).collect();
                self.add(Rule { all, data: None, reason });
            }
        }
    }

    /// For each rule and condition, the value at home.
    fn homes(&self, home: &Question) -> Vec<Vec<u32>> {
        let value = |lens: Lens| self.look(home, |parts| self.view.get(lens, parts));
        self.rules.iter().map(|rule| rule.all.iter().map(|atom| value(atom.lens)).collect()).collect()
    }

    fn held(&self) -> Option<Held> {
        let home = self.home.as_ref()?;
        let rules = Rules { list: self.rules.clone() };
        Some(Held::new(self.view, Arc::new(rules), self.homes(home), Vec::new()).narrowed(&self.narrow))
    }

    fn rounds(&mut self) {
        let mut quiet = 0;
        for round in 0..MOST_ROUNDS {
            if quiet >= QUIET_ROUNDS || self.over() {
                return;
            }
            let news = self.round(round, ROUND << quiet);
            quiet = if news { 0 } else { quiet + 1 };
        }
    }

    /// A round of `cases`; whether it brought anything new.
    fn round(&mut self, round: u32, cases: u64) -> bool {
        let Some(held) = self.held() else { return false };
        let kinds = held.kinds();
        self.bench.avoid_kinds(kinds);
        let cells = self.offered(&held, 2);
        let all = self.cells.len();
        let mut questions = Vec::new();
        for number in 0..cases {
            let cell = if cells.is_empty() || number % 8 == 7 {
                self.cells[self.noise.word() as usize % all]
            } else {
                cells[self.noise.word() as usize % cells.len()] as usize
            };
            let held = (number % 4 != 3).then_some(&held);
            let question = match number % 2 {
                0 if round > 0 => self.drawn(cell, held),
                _ => self.nearly_plain(cell, held),
            };
            questions.push(question);
        }
        questions.extend(self.doubts(&held, &cells));
        let replies = self.ask(questions.clone());
        let mut wrong: BTreeSet<usize> = BTreeSet::new();
        let mut unexplained = Vec::new();
        let idle = std::mem::take(&mut self.idle);
        for ((question, reply), is_idle) in questions.into_iter().zip(replies).zip(idle) {
            let met = self.look(&question, |parts| {
                self.rules.iter().position(|rule| rule.data.is_none() && rule.meets(&self.view, parts))
            });
            match (met, &reply) {
                (Some(rule), Reply::Answered) if !is_idle => {
                    wrong.insert(rule);
                }
                (None, Reply::Refused(reason)) => unexplained.push((question, reason.clone())),
                _ => {}
            }
        }
        let news = !wrong.is_empty();
        for rule in wrong.into_iter().rev() {
            let rule = self.rules.remove(rule);
            self.given_up.insert(without_reason(&rule));
            // What it explained has to be explained anew.
            let orphan = self.kept[1]
                .iter()
                .rev()
                .find(|record| record.meets(&self.lenses, &rule) && !self.is_explained(&record.question));
            if let Some(orphan) = orphan {
                unexplained.insert(0, (orphan.question.clone(), rule.reason.clone()));
            }
        }
        let mut learnt = false;
        let mut looked_into = 0;
        for (question, reason) in unexplained {
            if looked_into >= LOOKED_INTO || self.over() {
                break;
            }
            if self.is_explained(&question) || self.is_by_data(&question) {
                continue;
            }
            looked_into += 1;
            learnt |= self.learn_from(question, reason);
        }
        self.merge();
        news || learnt
    }

    /// Cases that one rule alone refuses: who answers them shows that it says too much.
    fn doubts(&mut self, held: &Held, offered: &[u32]) -> Vec<Question> {
        let is_left = |cell: &u32| !offered.contains(cell);
        let others: Vec<u32> = self.cells.iter().map(|&cell| cell as u32).filter(is_left).collect();
        let mut doubts = Vec::new();
        for place in 0..held.rules.list.len() {
            if held.rules.list[place].data.is_some() {
                continue;
            }
            let mut left = DOUBTS;
            for attempt in 0..4 * DOUBTS {
                if left == 0 {
                    break;
                }
                // A rule about the cell itself shows in other cells than those that are offered.
                let draw = self.noise.word() as usize;
                let from = if others.is_empty() || attempt.is_multiple_of(2) && !offered.is_empty() {
                    offered
                } else {
                    &others
                };
                let cell = from[draw % from.len()] as usize;
                let mut question =
                    if left.is_multiple_of(2) { self.drawn(cell, None) } else { self.nearly_plain(cell, None) };
                let mut noise = Noise::new(question.key);
                if held.hold_but(place, &mut question.parts(), &mut noise) {
                    doubts.push(question);
                    left -= 1;
                }
            }
        }
        doubts
    }

    /// Whether the last time that a case was asked a rule about data explained it.
    fn is_by_data(&self, question: &Question) -> bool {
        self.rules.iter().any(|rule| rule.data.is_some())
            && self.kept[1].iter().any(|record| record.by_data && record.question.key == question.key)
    }

    /// Learns a rule from a refused case.
    fn learn_from(&mut self, case: Question, reason: Option<String>) -> bool {
        let Some(home) = self.home.clone() else { return false };
        if !is_refusal(&self.ask_one(case.clone())) || self.last_by_data {
            return false;
        }
        if self.is_answered_calmly(&case) {
            return self.learn_data(&case, reason);
        }
        let (small, needed) = self.reduce(case, &home, true);
        if self.over() {
            return false;
        }
        // With one cause left it says why.
        let reason = reason_of(&self.ask_one(small.clone())).or(reason);
        let atoms = self.conditions(&small, &home, &needed);
        // Levels of axes are coarse, and those of the cell leave out what the pages do not look at there: numbers first.
        let is_coarse = |atom: &Atom| matches!(atom.lens, Lens::Axis(_) | Lens::Path(_));
        let numbers: Vec<Atom> = atoms.iter().filter(|atom| !is_coarse(atom)).cloned().collect();
        // One value of very many says little more than that it is this case.
        let is_general = |atom: &Atom| {
            let is_one = matches!(&atom.test, Test::In(values) if values.len() == 1);
            !is_one || self.view.is_nominal(atom.lens) || self.view.largest(atom.lens) <= WIDE
        };
        let general: Vec<Atom> = numbers.iter().filter(|atom| is_general(atom)).cloned().collect();
        if let Some(all) = shortest(&self.lenses, &general, &self.kept[0], &self.kept[1]) {
            return self.add(Rule { all, data: None, reason });
        }
        // Something that is as at home may be needed as well: an answered case that meets all conditions tells what.
        let as_at_home = self.as_at_home(&small, &general);
        let [more_general, more] = [&general, &numbers].map(|some| [&some[..], &as_at_home].concat());
        let levels: Vec<Atom> = atoms.iter().filter(|atom| !matches!(atom.lens, Lens::Axis(_))).cloned().collect();
        for atoms in [&more_general, &numbers, &more, &levels, &atoms] {
            if let Some(all) = shortest(&self.lenses, atoms, &self.kept[0], &self.kept[1]) {
                return self.add(Rule { all, data: None, reason });
            }
        }
        false
    }

    /// Conditions that a small refused case meets and the nearest answered one that meets all of `numbers` does not.
    fn as_at_home(&mut self, small: &Question, numbers: &[Atom]) -> Vec<Atom> {
        let near = self.kept[0]
            .iter()
            .rev()
            .find(|record| numbers.iter().take(MOST_ATOMS).all(|atom| record.holds(&self.lenses, atom)));
        let Some(near) = near.map(|record| record.question.clone()) else { return Vec::new() };
        let (near, _) = self.reduce(near, small, false);
        let mut more = Vec::new();
        for lens in self.lenses.list.clone() {
            let [own, other] = [small, &near].map(|case| self.look(case, |parts| self.view.get(lens, parts)));
            if own != other
                && !matches!(lens, Lens::Axis(_) | Lens::Path(_) | Lens::Any(_) | Lens::Differ(_))
                && numbers.len() + more.len() < MOST_CONDITIONS
            {
                let mut tests = self.profile(lens, small, false);
                tests.retain(|test| test.holds(own) && !test.holds(other));
                if tests.is_empty() {
                    tests.extend((!self.view.is_nominal(lens)).then_some(Test::Not(other)));
                    tests.push(Test::In(vec![own]));
                }
                more.extend(tests.into_iter().map(|test| Atom { lens, test }));
            }
        }
        more
    }

    /// Conditions that a small refused case meets and home does not.
    fn conditions(&mut self, small: &Question, home: &Question, needed: &[Element]) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for lens in self.lenses.list.clone() {
            if atoms.len() >= MOST_CONDITIONS || self.over() {
                break;
            }
            // A field that is not needed has come along with another lens at most.
            let is_needed = match lens {
                Lens::Field(place) => needed.contains(&Element::Field(place)),
                Lens::Code(place) => needed.contains(&Element::Code(place)),
                Lens::Unnamed(word) => needed.contains(&Element::Unnamed(word)),
                Lens::Any(place) | Lens::Differ(place) => {
                    let family = &self.view.families[place];
                    family.kind != FamilyKind::Group
                        && family.fields().any(|place| needed.contains(&Element::Field(place)))
                }
                Lens::Quantity(_) | Lens::Path(_) | Lens::Axis(_) => true,
            };
            let own = self.look(small, |parts| self.view.get(lens, parts));
            if !is_needed || own == self.look(home, |parts| self.view.get(lens, parts)) {
                continue;
            }
            let at_home = self.look(home, |parts| self.view.get(lens, parts));
            let mut tests = if matches!(lens, Lens::Axis(_)) { Vec::new() } else { self.profile(lens, small, false) };
            tests.retain(|test| test.holds(own));
            // Of a family only bits are spoken of; and where two tests together say all, one value says less.
            if self.view.family(lens).is_none() && tests.len() < 2 {
                if !self.view.is_nominal(lens) {
                    tests.extend(general(own, at_home));
                }
                tests.push(Test::In(vec![own]));
            }
            for test in tests {
                let atom = Atom { lens, test };
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        atoms
    }

    /// Learns a rule from a case that is refused for its data.
    fn learn_data(&mut self, case: &Question, reason: Option<String>) -> bool {
        let Some(home) = self.home.clone() else { return false };
        for operands in self.operands(case) {
            let Some((data, refused)) = condition(case, operands, &mut |questions| self.ask(questions)) else {
                continue;
            };
            // With such data in every place: what else does it take?
            let Operands { bank, datum_bytes, .. } = operands;
            let fill = Some(Fill { bank, datum_bytes, value: refused, odd: None });
            let full = Question { narrowing: Narrowing { avoid: 0, fill }, ..case.clone() };
            let mut toward = full.clone();
            (toward.case.code, toward.case.small) = (home.case.code, home.case.small.clone());
            self.filled = [Vec::new(), Vec::new()];
            if is_refusal(&self.ask_one(toward.clone())) {
                return self.add(Rule { all: Vec::new(), data: Some(data), reason });
            }
            let (small, needed) = self.reduce(full, &toward, true);
            let atoms = self.conditions(&small, &toward, &needed);
            let [answered, refused] = std::mem::take(&mut self.filled);
            if let Some(mut all) = shortest(&self.lenses, &atoms, &answered, &refused) {
                all.truncate(MOST_ATOMS - 1);
                return self.add(Rule { all, data: Some(data), reason });
            }
        }
        false
    }

    /// The operands of a case, bank by bank.
    fn operands(&mut self, case: &Question) -> Vec<Operands> {
        let mut banks: Vec<usize> = Vec::new();
        let layout = self.view.isa.layout;
        let _ = self.bench.ask(
            self.slot,
            std::slice::from_ref(case),
            &mut |_, _, overlay| {
                overlay.rows.each(|row_id| {
                    let bank = layout.locate(row_id).0;
                    if layout.banks[bank].role == BankRole::Data && !banks.contains(&bank) {
                        banks.push(bank);
                    }
                });
            },
            &|| false,
        );
        self.cases += 1;
        let view = self.view;
        let operands = banks.into_iter().map(|bank| {
            let class = &view.isa.value_classes[usize::from(case.case.salt.class[bank])];
            let format = self.look(case, |parts| (view.instruction.format)(view.edition, parts, bank, None));
            // Packed data, or parts of larger ones, have a class of their own.
            let range = case.case.salt.ranges.iter().find(|range| {
                let first = layout.banks[bank].first_row;
                range.first < range.end
                    && (first..first + layout.banks[bank].rows()).contains(&usize::from(range.first))
            });
            let class = range.map_or(class, |range| &view.isa.value_classes[usize::from(range.class)]);
            let fits = |format: &&'static tandem_isa::Format| format.width() <= class.bits;
            let format = format.filter(fits).or_else(|| class.formats.first().copied());
            Operands { bank, datum_bytes: class.datum_bytes, bits: class.bits, format }
        });
        operands.collect()
    }

    /// Joins rules that differ in the values of one number only.
    fn merge(&mut self) {
        let mut merged: Vec<Rule> = Vec::new();
        for rule in std::mem::take(&mut self.rules) {
            let joined = merged.iter_mut().any(|known| join(known, &rule));
            if !joined {
                merged.push(rule);
            }
        }
        self.rules = merged;
    }

    /// Leaves out rules that another one implies, and puts those first that refuse most.
    fn tidy(&mut self) {
        self.merge();
        self.join_groups();
        let rules = std::mem::take(&mut self.rules);
        let is_implied = |place: usize| {
            rules.iter().enumerate().any(|(other, rule)| {
                let (this, both) = (&rules[place], implies(&rules[place], rule));
                other != place && both && (!implies(rule, this) || other < place)
            })
        };
        let mut kept: Vec<Rule> =
            (0..rules.len()).filter(|&place| !is_implied(place)).map(|place| rules[place].clone()).collect();
        let (lenses, refused) = (&self.lenses, &self.kept[1]);
        // What else was found out before a family was known, or came with it, says nothing more.
        let of_family = |rule: &Rule| matches!(rule.all[..], [Atom { lens: Lens::Any(_) | Lens::Differ(_), .. }]);
        let by_family: Vec<&Record> = refused
            .iter()
            .filter(|record| kept.iter().any(|rule| of_family(rule) && record.meets(lenses, rule)))
            .collect();
        let count = |rule: &Rule| refused.iter().filter(|record| record.meets(lenses, rule)).count();
        let in_family = |rule: &Rule| by_family.iter().filter(|record| record.meets(lenses, rule)).count();
        let is_needed = |rule: &Rule| {
            let count = count(rule);
            // A rule about the cell itself says at once that it is not offered.
            rule.data.is_some() || rule.is_of_path() || of_family(rule) || count == 0 || in_family(rule) < count
        };
        let mut needed = kept.iter().map(is_needed).collect::<Vec<_>>().into_iter();
        kept.retain(|_| needed.next().unwrap_or(true));
        kept.sort_by_cached_key(|rule| std::cmp::Reverse(count(rule)));
        self.rules = kept;
    }

    /// The cells of which rules leave something: in one of some draws each, no rule refuses.
    fn offered(&self, held: &Held, draws: u64) -> Vec<u32> {
        let view = held.view();
        let generator: &Generator = &self.bench.generator;
        let cells = self.cells.iter().map(|&cell| cell as u32);
        cells
            .filter(|&cell| {
                let mut question = self.pinned(Question::new(self.plain.case(cell as usize), 0));
                let parts = question.parts();
                // What the cell itself is refused for holds in all of its cases.
                let by_path = held.rules.list.iter().any(|rule| rule.is_of_path() && rule.meets(view, &parts));
                held.fit(&parts).fits && view.cells.classify(&parts) == Some(cell as usize)
                    || !by_path
                        && (0..draws).any(|index| {
                            let (mut question, mut noise) = generator.bare_question(cell, index, Some(held));
                            let mut parts = question.parts();
                            held.hold(&mut parts, &mut noise).fits && view.cells.classify(&parts) == Some(cell as usize)
                        })
            })
            .collect()
    }
}

fn is_refusal(reply: &Reply) -> bool {
    matches!(reply, Reply::Refused(_))
}

fn reason_of(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Refused(reason) => reason.clone(),
        Reply::Unpromised | Reply::Answered | Reply::Misbehaved => None,
    }
}

fn without_reason(rule: &Rule) -> Rule {
    Rule { reason: None, ..rule.clone() }
}

/// General conditions that a value meets and the value at home does not: cases that are answered tell which of them are
/// too general.
fn general(own: u32, home: u32) -> Vec<Test> {
    let low = (1..16).map(|bits| Test::Bits((1 << bits) - 1));
    let single = (0..32).filter(|bit| own >> bit & 1 != 0).map(|bit| Test::Bits(1 << bit));
    let least = if own > home { vec![Test::AtLeast(1 << own.ilog2())] } else { Vec::new() };
    let all = [Test::Not(home)].into_iter().chain(low).chain(least).chain(single);
    all.filter(|test| test.holds(own) && !test.holds(home)).collect()
}

/// Makes one rule of two that differ in the values of one number only.
fn join(known: &mut Rule, other: &Rule) -> bool {
    if known.data != other.data || known.all.len() != other.all.len() {
        return false;
    }
    let differing: Vec<usize> = (0..known.all.len()).filter(|&place| known.all[place] != other.all[place]).collect();
    match differing[..] {
        [] => true,
        [place] if known.all[place].lens == other.all[place].lens => {
            match (&mut known.all[place].test, &other.all[place].test) {
                (Test::In(values), Test::In(more)) => {
                    values.extend(more);
                    values.sort_unstable();
                    values.dedup();
                    true
                }
                (Test::Bits(mask), Test::Bits(more)) => {
                    *mask |= more;
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}
