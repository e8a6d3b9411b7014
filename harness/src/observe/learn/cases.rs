//! What learning is made of: asking cases and keeping them, drawing them, making them smaller, and the condition on one
//! number that tells those that are refused.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tandem_isa::{Expectation, Noise, Parts, mix64};

use super::super::cover::Record;
use super::{KEPT, Learner, MOST_BREAKS, REFUSALS, ROUND, Scope, is_refusal, reason_of};
use crate::bench::Reply;
use crate::case::{DrawnCase, Held, Question};
use crate::terms::{Lens, Rule, Test};

/// A part of a case that can be as it is at home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Code(usize),
    Unnamed(usize),
    Field(usize),
    Data,
}

impl Learner<'_> {
    // -------------------------------------------------------------------------------------------- asking

    pub(super) fn over(&mut self) -> bool {
        if self.ended.is_none() {
            if self.broke >= MOST_BREAKS || self.bench.is_out_of_patience(self.slot) {
                self.ended = Some("it crashed or hung too often".to_string());
            } else if self.cases >= self.scope.cases {
                self.ended = Some(format!("{} cases were asked", self.cases));
            } else if self.scope.until.is_some_and(|until| Instant::now() >= until) {
                self.ended = Some("its share of the time was over".to_string());
            } else if self.scope.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                self.ended = Some("it was stopped".to_string());
            }
        }
        self.ended.is_some()
    }

    pub(super) fn look<T>(&self, question: &Question, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        question.case.look(look)
    }

    /// Asks, keeps what came, and counts it. What it is not to ask has a reply as where the pages promise nothing.
    pub(super) fn ask(&mut self, questions: Vec<Question>) -> Vec<Reply> {
        let mut all = vec![Reply::Unpromised; questions.len()];
        self.idle = vec![false; questions.len()];
        let is_pinned = |question: &Question| self.look(question, |parts| self.narrow.is_pinned(&self.view, parts));
        let numbered = questions.into_iter().enumerate();
        let (mut places, questions): (VecDeque<usize>, Vec<Question>) =
            numbered.filter(|(_, question)| is_pinned(question)).unzip();
        let most = usize::try_from(self.bench.batch()).unwrap_or(usize::MAX);
        for batch in questions.chunks(most) {
            if self.over() {
                return all;
            }
            let (mut by_data, mut idle) = (vec![false; batch.len()], vec![false; batch.len()]);
            let (view, rules) = (self.view, &self.rules);
            let Scope { until, stop, .. } = self.scope;
            let is_over = move || {
                until.is_some_and(|until| Instant::now() >= until)
                    || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            };
            let data_rules: Vec<&Rule> = rules.iter().filter(|rule| rule.data.is_some()).collect();
            let replies = self.bench.ask(
                self.slot,
                batch,
                &mut |place, expectation, overlay| {
                    idle[place] = matches!(expectation, Expectation::Blocked(_));
                    let question = &batch[place];
                    by_data[place] = data_rules.iter().any(|rule| {
                        let meets = |parts: &mut Parts<'_>| rule.meets(&view, parts);
                        let data = rule.data.as_ref().is_some_and(|data| data.holds(view.isa.layout, overlay));
                        data && question.case.look(meets)
                    });
                },
                &is_over,
            );
            // Where the pages promise nothing the target is not asked.
            self.cases += replies.iter().filter(|reply| **reply != Reply::Unpromised).count() as u64;
            self.last_by_data = by_data.last() == Some(&true);
            for (((question, reply), by_data), &idle) in batch.iter().zip(&replies).zip(by_data).zip(&idle) {
                self.keep(question, reply, by_data, idle);
            }
            for ((place, reply), idle) in places.drain(..replies.len()).zip(replies).zip(idle) {
                (all[place], self.idle[place]) = (reply, idle);
            }
        }
        all
    }

    pub(super) fn ask_one(&mut self, question: Question) -> Reply {
        self.ask(vec![question]).pop().unwrap_or(Reply::Unpromised)
    }

    fn keep(&mut self, question: &Question, reply: &Reply, by_data: bool, is_idle: bool) {
        let cell = self.look(question, |parts| self.view.cells.classify(parts));
        let which = match reply {
            Reply::Unpromised => {
                if let Some(cell) = cell {
                    self.asked[cell][2] += 1;
                }
                return;
            }
            Reply::Misbehaved => {
                self.broke += 1;
                return;
            }
            Reply::Answered => 0,
            Reply::Refused(_) => 1,
        };
        if let Some(cell) = cell {
            self.asked[cell][0] += 1;
            self.asked[cell][1] += which as u64;
        }
        if is_idle && which == 0 {
            self.held_up.get_or_insert_with(|| question.clone());
            return;
        }
        // Data that were put there on purpose say nothing about other cases.
        if question.narrowing.fill.is_some() {
            let record = Record::new(&self.view, &self.lenses, question.clone(), by_data);
            self.filled[which].push(record);
            return;
        }
        let record = Record::new(&self.view, &self.lenses, question.clone(), by_data);
        let kept = &mut self.kept[which];
        self.met[which] += 1;
        if kept.len() < KEPT[which] {
            kept.push(record);
        } else {
            let place = mix64(self.met[which]) as usize % KEPT[which];
            kept[place] = record;
        }
    }

    /// Whether a rule refuses a case by its numbers.
    pub(super) fn is_explained(&self, question: &Question) -> bool {
        self.look(question, |parts| self.rules.iter().any(|rule| rule.data.is_none() && rule.meets(&self.view, parts)))
    }

    // -------------------------------------------------------------------------------------------- cases

    pub(super) fn key(&mut self) -> u64 {
        self.noise.word()
    }

    /// A plain case, by the models that the target is asked for.
    pub(super) fn question(&mut self, mut case: DrawnCase) -> Question {
        self.bench.slots[self.slot].factory.models().impose(&mut case.small);
        let question = Question::new(case, self.key());
        self.pinned(question)
    }

    /// A case with what it keeps to.
    pub(super) fn pinned(&self, mut question: Question) -> Question {
        let mut noise = Noise::new(question.key);
        self.narrow.pin(&self.view, &mut question.parts(), &mut noise);
        question
    }

    /// So many cases, spread evenly over the cells.
    pub(super) fn spread(&mut self, count: u64) -> Vec<Question> {
        let cells = self.cells.len() as u64;
        (0..count).map(|number| self.drawn(self.cells[(number * cells / count) as usize], None)).collect()
    }

    /// A case of a cell as the campaign draws it.
    pub(super) fn drawn(&mut self, cell: usize, held: Option<&Held>) -> Question {
        let key = self.key();
        let index = key >> 30 & 0xffff;
        let question = self.bench.generator.question(u32::try_from(cell).expect("a cell number fits"), index, held);
        self.pinned(question)
    }

    /// A plain case of a cell with a few orthogonal levels.
    pub(super) fn nearly_plain(&mut self, cell: usize, held: Option<&Held>) -> Question {
        let axes = self.view.orthogonal;
        let mut others: Vec<(usize, usize)> = Vec::new();
        for _ in 0..1 + self.noise.below(4) {
            if axes.is_empty() {
                break;
            }
            let axis = self.noise.below(axes.len());
            if others.iter().all(|&(other, _)| other != axis) {
                others.push((axis, self.noise.below(axes[axis].levels.len())));
            }
        }
        others.sort_unstable();
        let attempt = self.key();
        let (case, _) = self.plain.drawn(cell, &others, attempt);
        let mut question = self.question(case);
        if let Some(held) = held {
            let mut noise = Noise::new(question.key);
            let fit = held.hold(&mut question.parts(), &mut noise);
            question.narrowing.avoid = fit.avoid;
        }
        question
    }

    pub(super) fn ask_cells(&mut self, cells: &[usize], attempt: u64) -> Vec<Reply> {
        let home = self.home.clone();
        let questions = cells.iter().map(|&cell| match &home {
            // Where nothing plain is answered, cells are asked about from the case that is.
            Some(home) if !self.is_plain(home) => {
                let mut question = Question { key: self.key(), ..home.clone() };
                let mut noise = Noise::new(question.key);
                self.view.cells.impose(cell, &mut question.parts(), &mut noise);
                self.pinned(question)
            }
            _ => {
                let case = self.plain.case_with(cell, &[], attempt);
                self.question(case)
            }
        });
        let questions = questions.collect();
        self.ask(questions)
    }

    pub(super) fn is_plain(&self, question: &Question) -> bool {
        let cell = self.look(question, |parts| self.view.cells.classify(parts));
        cell.is_some_and(|cell| {
            let DrawnCase { code, small, .. } = self.pinned(Question::new(self.plain.case(cell), 0)).case;
            *code == *question.case.code && *small == *question.case.small
        })
    }

    /// A case that is answered: a plain one if there is any, else the plainest that can be had.
    pub(super) fn find_home(&mut self, plain: &[Reply]) -> Option<Question> {
        if let Some(cell) = plain.iter().position(|reply| *reply == Reply::Answered) {
            let case = self.plain.case(cell);
            let home = self.question(case);
            // Its data must be answered as well.
            for _ in 0..REFUSALS {
                let key = self.key();
                let home = Question { key, ..home.clone() };
                if self.ask_one(home.clone()) == Reply::Answered {
                    return Some(home);
                }
            }
        }
        for _ in 0..4 {
            let first = self.kept[0].first().map(|record| record.question.clone());
            if let Some(found) = first.or_else(|| self.held_up.clone()) {
                let cell = self.look(&found, |parts| self.view.cells.classify(parts)).unwrap_or(0);
                let case = self.plain.case(cell);
                let toward = self.question(case);
                return Some(self.reduce(found, &toward, false).0);
            }
            let more = self.spread(ROUND);
            let quieter = more.iter().map(|question| self.with_families_at_base(question)).collect();
            self.ask(more);
            if self.kept[0].is_empty() {
                self.ask(quieter);
            }
        }
        None
    }

    // -------------------------------------------------------------------------------------------- making cases smaller

    pub(super) fn differing(&self, from: &Question, to: &Question) -> Vec<Element> {
        let instruction = self.view.instruction;
        let mut elements = Vec::new();
        if (from.key, &from.case.salt, from.corners, from.narrowing)
            != (to.key, &to.case.salt, to.corners, to.narrowing)
        {
            elements.push(Element::Data);
        }
        for (place, field) in (self.view.isa.layout.fields)().iter().enumerate() {
            if field.get(&from.case.small) != field.get(&to.case.small) {
                elements.push(Element::Field(place));
            }
        }
        for word in 0..from.case.code.len() {
            if (from.case.code[word] ^ to.case.code[word]) & instruction.unnamed_bits(word) != 0 {
                elements.push(Element::Unnamed(word));
            }
        }
        for (place, field) in instruction.code_fields.iter().enumerate() {
            if field.get(&from.case.code) != field.get(&to.case.code) {
                elements.push(Element::Code(place));
            }
        }
        elements
    }

    pub(super) fn take(&self, question: &mut Question, element: Element, from: &Question) {
        let instruction = self.view.instruction;
        match element {
            Element::Data => {
                (question.key, question.case.salt) = (from.key, from.case.salt);
                (question.corners, question.narrowing) = (from.corners, from.narrowing);
            }
            Element::Field(place) => {
                let field = &(self.view.isa.layout.fields)()[place];
                field.set(&mut question.case.small, field.get(&from.case.small));
            }
            Element::Unnamed(word) => {
                let mask = instruction.unnamed_bits(word);
                question.case.code[word] = (question.case.code[word] & !mask) | (from.case.code[word] & mask);
            }
            Element::Code(place) => {
                let field = &instruction.code_fields[place];
                field.set(&mut question.case.code, field.get(&from.case.code));
            }
        }
    }

    /// Brings a case nearer to another one as long as it is refused (or answered). What differs in the end is needed.
    pub(super) fn reduce(&mut self, case: Question, toward: &Question, refused: bool) -> (Question, Vec<Element>) {
        let mut best = case;
        let mut left = self.differing(&best, toward);
        let mut chunk = left.len().next_power_of_two();
        let mut again = 2;
        while chunk >= 1 && !left.is_empty() {
            let (mut start, mut any) = (0, false);
            while start < left.len() {
                let end = (start + chunk).min(left.len());
                let mut nearer = best.clone();
                left[start..end].iter().for_each(|&element| self.take(&mut nearer, element, toward));
                // What a rule explains already is refused for another reason than this case.
                let same = if refused {
                    let reply = (!self.is_explained(&nearer)).then(|| self.ask_one(nearer.clone()));
                    reply.as_ref().is_some_and(is_refusal) && !self.last_by_data
                } else {
                    self.ask_one(nearer.clone()) == Reply::Answered
                };
                if same {
                    best = nearer;
                    left.drain(start..end);
                    any = true;
                } else {
                    start = end;
                }
                if self.over() {
                    return (best, left);
                }
            }
            if chunk == 1 && any && again > 0 {
                again -= 1;
            } else {
                chunk /= 2;
            }
        }
        (best, left)
    }

    // -------------------------------------------------------------------------------------------- conditions

    /// Values of a lens that say most about which of them are refused.
    pub(super) fn values(&mut self, lens: Lens) -> Vec<u32> {
        let largest = self.view.largest(lens);
        let is_family = self.view.family(lens).is_some();
        let mut values: Vec<u32> = if largest < 64 {
            (0..=largest).collect()
        } else {
            let bits = (0..32).map(|bit| 1 << bit).filter(|&bit| bit <= largest);
            // Of a family only bits are spoken of.
            let below = (1..32).map(|bit| (1 << bit) - 1).filter(|&value| value <= largest && !is_family);
            bits.chain(below).chain([0, largest]).collect()
        };
        if is_family || matches!(lens, Lens::Unnamed(_)) {
            values.retain(|value| value & !largest == 0);
        }
        if largest >= 64 {
            values.extend((0..3).map(|_| self.noise.word() as u32 & largest));
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The conditions on a lens that a case meets together when it is refused, with everything else as in `context`; none if it
    /// is refused for every value, or for none.
    pub(super) fn profile(&mut self, lens: Lens, context: &Question, spared: bool) -> Vec<Test> {
        let values = self.values(lens);
        let mut questions = Vec::new();
        let mut asked = Vec::new();
        for value in values {
            let mut noise = Noise::new(self.key());
            let mut question = context.clone();
            let had = self.view.set(lens, &mut question.parts(), value, &mut noise);
            // What a rule explains already says nothing about this number.
            if had && !(spared && self.is_explained(&question)) {
                questions.push(question);
                asked.push(value);
            }
        }
        let replies = self.ask(questions);
        self.said = replies.iter().find_map(reason_of);
        let with = |wanted: fn(&Reply) -> bool| -> Vec<u32> {
            asked.iter().zip(&replies).filter(|(_, reply)| wanted(reply)).map(|(&value, _)| value).collect()
        };
        let (refused, answered) = (with(is_refusal), with(|reply| *reply == Reply::Answered));
        if refused.is_empty() || answered.is_empty() {
            return Vec::new();
        }
        if let [one, other] = answered[..]
            && self.view.largest(lens) >= 64
            && self.view.family(lens).is_none()
            && refused.iter().any(|&value| value < other)
        {
            return vec![Test::Not(one), Test::Not(other)];
        }
        self.fit(lens, context, refused, answered).into_iter().collect()
    }

    /// The most general condition that all refused values meet and no answered one does.
    pub(super) fn fit(
        &mut self,
        lens: Lens,
        context: &Question,
        refused: Vec<u32>,
        answered: Vec<u32>,
    ) -> Option<Test> {
        let exact = |test: &Test| {
            refused.iter().all(|&value| test.holds(value)) && !answered.iter().any(|&value| test.holds(value))
        };
        let largest = self.view.largest(lens);
        if self.view.is_nominal(lens) || largest == 1 {
            return Some(Test::In(refused));
        }
        if let [only] = answered[..]
            && refused.len() > 1
        {
            return Some(Test::Not(only));
        }
        let bits = refused.iter().filter(|value| value.is_power_of_two()).fold(0, |mask, value| mask | value);
        if bits != 0 && exact(&Test::Bits(bits)) {
            return Some(Test::Bits(bits));
        }
        if self.view.family(lens).is_some() {
            return None;
        }
        let (mut least, below) = (*refused.iter().min()?, answered.iter().copied().max()?);
        if below < least {
            // Where exactly it begins.
            let mut last = below;
            while least - last > 1 && !self.over() {
                let middle = last.midpoint(least);
                let mut question = context.clone();
                let mut noise = Noise::new(self.key());
                if !self.view.set(lens, &mut question.parts(), middle, &mut noise) {
                    break;
                }
                if is_refusal(&self.ask_one(question)) { least = middle } else { last = middle }
            }
            return Some(Test::AtLeast(least));
        }
        Some(Test::In(refused))
    }
}
