//! Recording programs: for each first instruction and each dependence a few programs, by as many second instructions.
//!
//! A program is drawn as `tandem programs` draws it ([`crate::program`]), with what the background holds. Then each row and
//! each field that makes no difference goes back to its base value: neither to what comes of the program, nor to what its
//! first step and the whole of it read and write.

use std::collections::BTreeMap;

use tandem_isa::{Edition, Instruction, Isa, mix64};

use super::{GENERATOR_VERSION, RECORDER_VERSION};
use crate::program::{Dependence, ProgramBench, ProgramId};
use crate::vectors::disputed::DisputedTests;
use crate::vectors::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use crate::vectors::replay::{ReferenceBench, ReferenceRun};
use crate::{CaseValue, IsaSuite, NextStep};

/// Programs of a first instruction with one dependence, each with another second instruction.
const EACH: usize = 2;
/// Programs that are drawn of a pair until one has the dependence.
const DRAWS: u64 = 2;
/// The most steps: longer programs are for `tandem programs`, which makes them smaller.
const MOST_STEPS: usize = 6;

/// The flag of programs whose second step reads what the first wrote.
const READ_AFTER_WRITE: &str = "read-after-write";

/// What programs with a dependence are like, and what they find.
const NOTES: [(Dependence, &str, &str, &str); 6] = [
    (
        Dependence::ReadAfterWrite,
        READ_AFTER_WRITE,
        "A program whose second step reads a row that the first wrote.",
        "A target that reads a row as it was before an earlier step.",
    ),
    (
        Dependence::WriteAfterRead,
        "write-after-read",
        "A program whose second step writes a row that the first read.",
        "A target that reads a row only when a later step has written it.",
    ),
    (
        Dependence::WriteAfterWrite,
        "write-after-write",
        "A program whose second step writes a row that the first wrote.",
        "A target that loses one of two writes, or does them in another order.",
    ),
    (
        Dependence::Ownership,
        "ownership",
        "A program whose first step changes a flag, an owner or the index of a bank that matters to the second.",
        "A target that keeps such a flag of its own, or changes it too late.",
    ),
    (
        Dependence::Counter,
        "counter",
        "A program whose first step changes a counter that matters to the second.",
        "A target that does not go on from the counter of the step before.",
    ),
    (
        Dependence::Configuration,
        "configuration",
        "A program whose first step writes configuration that matters to the second.",
        "A target that goes by configuration as it was before.",
    ),
];

/// Records programs of one instruction set, in the newest edition. The same seed and version give the same files, byte for
/// byte, in whatever order they are asked for.
pub struct ProgramRecorder {
    isa: &'static Isa,
    short: &'static str,
    seed: u64,
    programs: ProgramBench,
    bench: ReferenceBench,
    disputed: DisputedTests,
}

impl ProgramRecorder {
    /// A recorder for the instructions of a suite.
    #[must_use]
    pub fn new(suite: &IsaSuite, seed: u64) -> Self {
        // Of a program the reference alone is asked here.
        let alone = suite.with_targets(Vec::new());
        let programs = ProgramBench::new(&alone, Edition::Newest, seed);
        let (bench, disputed) = (ReferenceBench::new(suite), DisputedTests::new(&alone.clone().with_disputes()));
        ProgramRecorder { isa: suite.isa, short: suite.isa.short, seed, programs, bench, disputed }
    }

    /// Programs that begin with an instruction; the file has no test if there is no such program.
    #[must_use]
    pub fn record(&mut self, first: &'static Instruction) -> VectorFile {
        let seed = self.seed;
        let source = Source {
            name: "tandem reference".to_string(),
            version: format!("recorder {RECORDER_VERSION}, generator {GENERATOR_VERSION}, seed {seed:#x}, programs"),
            commit: None,
            licence: None,
            note: Some(
                "Programs of several steps, recorded from the reference interpreter, which is transcribed from the pages. \
                 Whatever is not named has its base value before, and is unchanged after the last step."
                    .to_string(),
            ),
        };
        let mut file = VectorFile::new(self.isa, first, source);
        for (dependence, flag, what, detects) in NOTES {
            let mut seconds: Vec<&'static Instruction> = self.isa.instructions.to_vec();
            seconds.sort_by_key(|one| mix64(seed ^ u64::from(first.number) << 32 ^ u64::from(one.number)));
            let tests = seconds.into_iter().filter_map(|second| {
                (0..DRAWS).find_map(|index| {
                    let (isa, edition) = (self.short, Edition::Newest);
                    let id = ProgramId { isa, first, second, dependence, edition, steps: 2, seed, index };
                    let id = id.of_usual_length();
                    let value =
                        self.programs.take_value(&ProgramId { steps: id.steps.min(MOST_STEPS), ..id }, false)?;
                    self.test(&value, flag)
                })
            });
            for test in tests.take(EACH).collect::<Vec<_>>() {
                if file.add(test) {
                    let note = Note { what: what.to_string(), detects: detects.to_string() };
                    file.notes.insert(flag.to_string(), note);
                }
            }
        }
        self.disputed.mark(&mut file);
        file.sort();
        file
    }
}

/// What came of a program and of its first step.
struct Came {
    first: ReferenceRun,
    all: ReferenceRun,
}

impl Came {
    fn is_as(&self, other: &Came) -> bool {
        let same = |one: &ReferenceRun, other: &ReferenceRun| {
            one.outcome() == other.outcome()
                && one.after == other.after
                && one.read == other.read
                && one.written == other.written
        };
        same(&self.first, &other.first) && same(&self.all, &other.all)
    }
}

impl ProgramRecorder {
    fn run(&mut self, steps: &[NextStep], edition: Edition, before: &Sparse) -> Came {
        Came {
            first: self.bench.run_steps(&steps[..1], edition, before),
            all: self.bench.run_steps(steps, edition, before),
        }
    }

    /// A program as a test, without what makes no difference; nothing if it shows nothing from the base state.
    fn test(&mut self, value: &CaseValue, flag: &str) -> Option<Test> {
        let (isa, steps) = (self.isa, value.steps());
        let mut before = Test::sparse_of(value);
        let came = self.run(&steps, value.edition, &before);
        let outcome = came.all.outcome()?;
        // Who replays it takes a step before the last that is held for a mistake.
        let all_but_last = &steps[..steps.len() - 1];
        let is_held = self.bench.run_steps(all_but_last, value.edition, &before).outcome() != Some(Outcome::Done);
        if is_held || came.all.after.is_empty() {
            return None;
        }
        if flag == READ_AFTER_WRITE && !self.is_seen(&steps[1..2], value.edition, &before, &came.first.after) {
            return None;
        }
        let rows: Vec<(usize, usize)> = before.rows.keys().copied().collect();
        for key @ (bank, row) in rows {
            if came.all.read.contains(isa.layout.banks[bank].first_row + row) {
                continue;
            }
            let words = before.rows.remove(&key).expect("it is one of them");
            if !self.run(&steps, value.edition, &before).is_as(&came) {
                before.rows.insert(key, words);
            }
        }
        // Halves of the fields first: most make no difference.
        let fields: Vec<(usize, u32)> = before.fields.iter().map(|(&field, &value)| (field, value)).collect();
        self.drop_fields(&fields, &steps, value.edition, &mut before, &came);
        let editions = Edition::ALL.into_iter().filter(|&edition| {
            // Banks that are no rows of the newest edition's case are none of the other's.
            self.run(&steps, edition, &before).is_as(&came)
        });
        let mut test = Test {
            editions: editions.collect(),
            code: value.code,
            then: value.then.clone(),
            flags: vec![flag.to_string()],
            before,
            outcome,
            recorded: None,
            after: came.all.after.clone(),
            care: came.all.care(self.isa.layout),
        };
        // What is contested of a later step is not known by its words alone.
        let contested = steps.iter().any(|step| {
            let alone = Test { code: step.code, then: Vec::new(), ..test.clone() };
            alone.contested(isa, step.instruction).is_some()
        });
        if contested {
            return None;
        }
        test.flags.sort();
        Some(test)
    }

    /// Whether the second step does something else with the rows that the first left than with those before it.
    fn is_seen(&mut self, second: &[NextStep], edition: Edition, before: &Sparse, first: &Sparse) -> bool {
        let mut late = before.clone();
        late.fields.extend(&first.fields);
        let mut now = late.clone();
        now.rows.extend(first.rows.clone());
        let [seen, unseen] = [&now, &late].map(|from| (self.bench.run_steps(second, edition, from), from));
        let left = |(ran, from): &(ReferenceRun, &Sparse), row_id| {
            let row = self.isa.layout.locate(row_id);
            ran.after.rows.get(&row).or(from.rows.get(&row)).cloned()
        };
        let mut written = seen.0.written.clone();
        written.union(&unseen.0.written);
        let mut differs = false;
        written.each(|row| differs |= left(&seen, row) != left(&unseen, row));
        differs || seen.0.outcome() != unseen.0.outcome() || seen.0.after.fields != unseen.0.after.fields
    }

    /// Puts fields back to their base values, as many at once as make no difference together.
    fn drop_fields(
        &mut self,
        fields: &[(usize, u32)],
        steps: &[NextStep],
        edition: Edition,
        before: &mut Sparse,
        came: &Came,
    ) {
        if fields.is_empty() {
            return;
        }
        let kept: BTreeMap<usize, u32> = before.fields.clone();
        before.fields.retain(|field, _| !fields.iter().any(|(one, _)| one == field));
        if self.run(steps, edition, before).is_as(came) {
            return;
        }
        before.fields = kept;
        if let [_, _, ..] = fields {
            let (one, other) = fields.split_at(fields.len() / 2);
            self.drop_fields(one, steps, edition, before, came);
            self.drop_fields(other, steps, edition, before, came);
        }
    }
}
