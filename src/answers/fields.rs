//! Fields: which fields of the state decide what an instruction does, tried out.
//!
//! In each of some drawn cases all fields that are not known to be read get other values at once. If anything then comes out
//! otherwise, halves of them do, down to those that matter alone.

use std::collections::BTreeMap;

use tandem_harness::{CaseId, CaseSource, CaseValue, IsaSuite, Workbench};
use tandem_isa::{AlignedBytes, Edition, Expectation, Field, FieldRole, Instruction, Noise, RowSet, mix64};

use super::{Answer, Runner, Topic, cell};

/// The seed of the cases.
const SEED: u64 = 1;
const COLUMNS: [&str; 5] = ["Config", "ThreadConfig", "LaneConfig", "RWCs", "other state"];

/// A field in all of its instances: its name with `*` in place of indices, and its places in the layout's list.
type Family = (String, Vec<usize>);

fn families(fields: &[Field]) -> Vec<Family> {
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let is_asked = |field: &Field| field.role.is_drawn() || field.role == FieldRole::Latch || field.role.is_seldom();
    for (place, field) in fields.iter().enumerate().filter(|(_, field)| is_asked(field)) {
        let parts = field.name.split(']');
        let name: Vec<String> =
            parts.map(|part| part.split_once('[').map_or(part.to_string(), |(own, _)| format!("{own}[*"))).collect();
        all.entry(name.join("]")).or_default().push(place);
    }
    all.into_iter().collect()
}

/// A case that is looked at: its small state before, the state after, and the rows that were written; of some rows the pages leave
/// open what is.
struct Look<'a, 'b> {
    runner: &'a mut Runner<'b>,
    case: CaseValue,
    fields: &'static [Field],
    before: AlignedBytes,
    small: AlignedBytes,
    arena: AlignedBytes,
    written: RowSet,
}

impl Look<'_, '_> {
    /// Whether something else comes out if fields have these values.
    fn differs(&mut self, values: &[(usize, u32)]) -> bool {
        let Runner { state, base, .. } = self.runner;
        state.copy_from(base);
        self.case.apply(state);
        values.iter().for_each(|&(place, value)| self.fields[place].set(&mut state.small, value));
        let expectation = self.runner.go(&self.case);
        let state = &mut self.runner.state;
        // What neither run changed differs only because it was set before.
        for (field, value) in values.iter().map(|&(place, value)| (&self.fields[place], value)) {
            if field.get(&self.small) == field.get(&self.before) && field.get(&state.small) == value {
                field.set(&mut state.small, field.get(&self.small));
            }
        }
        let same = state.arena[..] == self.arena[..] && state.small[..] == self.small[..];
        expectation != Expectation::Done || !same || state.tracker.log.written != self.written
    }

    /// Which of some families matter alone, with a field and a value that show it.
    fn find(&mut self, families: &[&Family], key: u64, found: &mut BTreeMap<String, (usize, u32)>) {
        let other = |&place: &usize| {
            let field = &self.fields[place];
            let (now, drawn) = (field.get(&self.before), Noise::new(mix64(key ^ field.key)).bits(field.width));
            let drawn = if drawn == now { drawn ^ 1 } else { drawn };
            (place, drawn.min(field.max))
        };
        let all: Vec<(usize, u32)> = families.iter().flat_map(|(_, fields)| fields.iter().map(other)).collect();
        if families.is_empty() || !self.differs(&all) {
            return;
        }
        if let [(name, _)] = families {
            let one = all.iter().find(|&&one| self.differs(&[one]));
            found.extend(one.map(|&one| (name.clone(), one)));
            return;
        }
        let (one, other) = families.split_at(families.len() / 2);
        self.find(one, key, found);
        self.find(other, key, found);
    }
}

pub(super) fn of(suite: &IsaSuite, instructions: &[&'static Instruction], cases: u64) -> Vec<Answer> {
    let fields = (suite.isa.layout.fields)();
    let (families, source, edition) = (families(fields), CaseSource::new(suite.isa, SEED), Edition::Newest);
    let mut runner = Runner::new(suite);
    let mut answers = Vec::new();
    for &instruction in instructions {
        let generator = source.generator(suite.isa, (instruction, edition));
        let cells = generator.cells.len() as u64;
        let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
        let mut shown: BTreeMap<String, (String, String)> = BTreeMap::new();
        for index in 0..cases {
            let (isa, cell) = (suite.isa.short, cell(index, cases, cells));
            let id = CaseId { isa, instruction, edition, cell, seed: SEED, index };
            let case = bench.take_value(&id, &mut |_| false);
            if runner.run(&case) != Expectation::Done {
                continue;
            }
            let (before, written) = (case.state().small, runner.state.tracker.log.written.clone());
            let (small, arena) = (runner.state.small.clone(), runner.state.arena.clone());
            let left: Vec<&Family> = families.iter().filter(|(name, _)| !shown.contains_key(name)).collect();
            let mut found = BTreeMap::new();
            let mut look = Look { runner: &mut runner, case, fields, before, small, arena, written };
            look.find(&left, mix64(index), &mut found);
            let set = |(place, value): (usize, u32)| format!("{}={value}", fields[place].name);
            shown.extend(found.into_iter().map(|(name, one)| (name, (id.to_string(), set(one)))));
        }
        for asked in COLUMNS {
            let column = |name: &str| {
                let stem = name.split(['[', '.']).next().unwrap_or_default();
                COLUMNS.into_iter().find(|column| *column == stem).unwrap_or("other state")
            };
            let own: Vec<_> = shown.iter().filter(|(name, _)| column(name) == asked).collect();
            let answer = |says: &str| Answer::new(Topic::Fields, instruction, "", asked, says);
            answers.extend(own.is_empty().then(|| answer("none, in any case that was tried")));
            let shows = |(name, (id, set)): &(&String, &(String, String))| {
                answer(name).shown(&["replay", id]).shown(&["show", id, "--set", set])
            };
            answers.extend(own.iter().map(shows));
        }
    }
    answers
}
