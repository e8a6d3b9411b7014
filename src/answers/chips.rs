//! Chips: what differs between Wormhole and Blackhole, by what the pages state and by running both references on the same cases.

use std::collections::BTreeMap;

use tandem_harness::{CaseId, CaseSource, CaseValue, IsaSuite, Suite, Workbench};
use tandem_isa::tensix::Chip;
use tandem_isa::{CodeField, Edition, Expectation, Field, Instruction, OpenBits};

use super::values::open_bits;
use super::{Answer, Runner, Topic, not_promised};

/// The seed of the cases.
const SEED: u64 = 2;

pub(super) fn of(suite: &Suite, isa: &IsaSuite, instructions: &[&'static Instruction], cases: u64) -> Vec<Answer> {
    let mut chips = Chip::ALL.into_iter().filter_map(|chip| suite.isa(chip.isa()));
    let other = chips.find(|other| other.isa.name != isa.isa.name).expect("the suite has both chips");
    let (fields, there): (&[Field], &[Field]) = ((isa.isa.layout.fields)(), (other.isa.layout.fields)());
    let places: BTreeMap<&str, usize> = there.iter().enumerate().map(|(at, field)| (&*field.name, at)).collect();
    let common = fields.iter().enumerate().filter_map(|(at, field)| Some((at, *places.get(&*field.name)?)));
    let mut pair = Pair { sides: [Runner::new(isa), Runner::new(other)], common: common.collect(), fields, there };
    let source = CaseSource::new(isa.isa, SEED);
    let mut answers = Vec::new();
    for &instruction in instructions {
        let answer = |asked: &str, says: String| Answer::new(Topic::Chips, instruction, "", asked, says);
        let Some(twin) = other.isa.instruction(instruction.file) else {
            answers.push(answer("there", format!("only on {}", isa.isa.name)));
            continue;
        };
        answers.push(answer("there", "on both".to_string()));
        let word = |one: &Instruction| one.base_code.iter().map(|word| format!("{word:#010x}")).collect::<String>();
        answers.push(answer("encoding", both_or_each(word(instruction), word(twin))));
        answers.push(answer("fields", fields_of(instruction, twin)));
        let page = |one: &Instruction| {
            let page = one.page(Edition::Newest);
            format!("{} at {}", page.title.split(' ').next().unwrap_or_default(), &page.commit[..8])
        };
        answers.push(answer("page", both_or_each(page(instruction), page(twin))));
        answers.extend(pair.behaviour((&source, cases), instruction, twin, &answer));
    }
    answers
}

fn both_or_each(one: String, there: String) -> String {
    if one == there { format!("the same: {one}") } else { format!("{one}; there {there}") }
}

fn fields_of(one: &Instruction, other: &Instruction) -> String {
    let place =
        |field: &CodeField| format!("{} in bits {} to {}", field.name, field.shift, field.shift + field.width - 1);
    let lacks = |one: &Instruction, other: &Instruction| -> Vec<String> {
        let there: Vec<String> = other.code_fields.iter().map(place).collect();
        one.code_fields.iter().map(place).filter(|own| !there.contains(own)).collect()
    };
    match (lacks(one, other).join(", "), lacks(other, one).join(", ")) {
        (own, there) if own.is_empty() && there.is_empty() => "the same".to_string(),
        (own, there) => format!("{own}; there {there}"),
    }
}

/// Both chips.
struct Pair<'a> {
    sides: [Runner<'a>; 2],
    /// The places of fields that both have.
    common: BTreeMap<usize, usize>,
    fields: &'static [Field],
    there: &'static [Field],
}

impl Pair<'_> {
    fn behaviour(
        &mut self,
        (source, cases): (&CaseSource, u64),
        instruction: &'static Instruction,
        twin: &'static Instruction,
        answer: &dyn Fn(&str, String) -> Answer,
    ) -> Vec<Answer> {
        let (edition, isa) = (Edition::Newest, self.sides[0].suite.isa);
        let generator = source.generator(isa, (instruction, edition));
        let cells = generator.cells.len() as u64;
        let mut bench = Workbench::new(generator, &self.sides[0].suite.with_targets(Vec::new()));
        let mut met = Vec::new();
        for index in 0..cases {
            let cell = super::cell(index, cases, cells);
            let id = CaseId { isa: isa.short, instruction, edition, cell, seed: SEED, index };
            let mut case = bench.take_value(&id, &mut |_| false);
            // What a latched wait looks at has other bits on each chip.
            case.fields.retain(|&place, _| !self.fields[place].name.starts_with("WaitGate"));
            let case = self.translated(&case, twin).0;
            let kind = self.run(&case, twin).0;
            if kind == Some("promises") {
                // What Blackhole leaves open in most cases (TX-32) hides what else differs.
                let mut less = case.clone();
                less.fields.retain(|&place, _| !self.fields[place].name.ends_with("ExtraAddrModBit"));
                met.extend(self.run(&less, twin).0.map(|kind| (kind, less)));
            }
            met.extend(kind.map(|kind| (kind, case)));
        }
        let mut answers = Vec::new();
        for kind in ["results", "promises"] {
            let Some((_, case)) = met.iter().find(|(own, _)| *own == kind) else {
                answers.push(answer(kind, format!("the same in {cases} cases")));
                continue;
            };
            let case = self.smallest(case, twin, kind);
            let (_, says) = self.run(&case, twin);
            let there = self.translated(&case, twin).1;
            answers.push(answer(kind, says).replays(&case).replays(&there));
        }
        answers
    }

    /// A case in what both chips have, on each.
    fn translated(&self, case: &CaseValue, twin: &'static Instruction) -> (CaseValue, CaseValue) {
        let (mut own, mut there) = (case.clone(), CaseValue::base(self.sides[1].suite.isa, twin, case.edition));
        for field in case.instruction.code_fields {
            let value = field.get(&case.code);
            match twin.code_field(field.name).filter(|there| u64::from(value) >> there.width == 0) {
                Some(field) => field.set(&mut there.code, value),
                None => field.set(&mut own.code, field.get(case.instruction.base_code)),
            }
        }
        for word in 0..own.code.len() {
            own.code[word] &= !case.instruction.unnamed_bits(word);
        }
        let fits = |place: &usize, value: u32| self.common.get(place).filter(|&&at| value <= self.there[at].max);
        own.fields.retain(|place, value| fits(place, *value).is_some());
        there.fields = own.fields.iter().filter_map(|(place, &value)| Some((*fits(place, value)?, value))).collect();
        there.words.clone_from(&case.words);
        (own, there)
    }

    /// What differs if a case runs on both: results, or what is promised; and that in words.
    fn run(&mut self, case: &CaseValue, twin: &'static Instruction) -> (Option<&'static str>, String) {
        let (own, there) = self.translated(case, twin);
        let [one, other] = &mut self.sides;
        let promised = [one.run(&own), other.run(&there)];
        if promised[0].name() != promised[1].name() {
            let [own, there] = promised.map(|side| not_promised(side).unwrap_or_else(|| side.name().to_string()));
            return (Some("promises"), format!("{own}; there {there}"));
        }
        let values = |&(at, there): &(usize, usize)| {
            let values = [self.fields[at].get(&one.state.small), self.there[there].get(&other.state.small)];
            (values[0] != values[1]).then(|| (self.fields[at].name.clone(), values))
        };
        let common: Vec<(usize, usize)> = self.common.iter().map(|(&at, &there)| (at, there)).collect();
        let mut differs = common.iter().find_map(values).map(|(name, values)| (name, values, [0; 2]));
        let layout = case.isa.layout;
        let open = [&one.state, &other.state].map(|state| &state.tracker.open);
        for state in [&one.state, &other.state].into_iter().filter(|_| one.state.arena[..] != other.state.arena[..]) {
            state.tracker.log.written.each(|row_id| {
                let (bank, row) = layout.locate(row_id);
                for column in 0..layout.banks[bank].columns() {
                    let words = [&one.state, &other.state].map(|state| state.word(bank, row, column));
                    let is_own = |open: &&OpenBits| (open.row_id, open.column) == (row_id, column);
                    let open = open.map(|open| open.iter().filter(is_own).fold(0, |all, open| all | open.mask));
                    if differs.is_none() && (words[0] ^ words[1]) & !open[0] & !open[1] != 0 {
                        differs = Some((layout.banks[bank].word_name(row, column), words, open));
                    }
                }
            });
        }
        match differs {
            Some((place, [own, there], open)) if promised[0] == Expectation::Done => {
                let [of_own, of_there] = open.map(open_bits);
                (Some("results"), format!("{place} is {own:#x} after it{of_own}, there {there:#x}{of_there}"))
            }
            _ => (None, String::new()),
        }
    }

    /// The same case with as little as it takes to differ so.
    fn smallest(&mut self, case: &CaseValue, twin: &'static Instruction, kind: &str) -> CaseValue {
        let mut best = case.clone();
        let mut keep = |best: &mut CaseValue, less: CaseValue| {
            if self.run(&less, twin).0 == Some(kind) {
                *best = less;
            }
        };
        for field in case.instruction.code_fields {
            let mut less = best.clone();
            field.set(&mut less.code, field.get(case.instruction.base_code));
            keep(&mut best, less);
        }
        // Fields and words go in runs, which get shorter.
        let mut run = best.fields.len().max(best.words.len()).next_power_of_two();
        while run > 0 {
            for from in (0..best.fields.len().max(best.words.len())).step_by(run).rev() {
                let mut less = best.clone();
                let gone: Vec<_> = best.words.keys().copied().skip(from).take(run).collect();
                less.words.retain(|place, _| !gone.contains(place));
                keep(&mut best, less);
                let mut less = best.clone();
                let gone: Vec<_> = best.fields.keys().copied().skip(from).take(run).collect();
                less.fields.retain(|place, _| !gone.contains(place));
                keep(&mut best, less);
            }
            run /= 2;
        }
        best
    }
}
