//! Recording: a file of vectors from the reference, the same bytes for the same version and seed.
//!
//! Each cell gets a test in a quiet state: the base state, the cell, and a few levels of orthogonal axes. The rows that
//! the reference reads are then filled with corner values of the cell's format, and some of those that it writes with
//! data that must survive or be overwritten. Last, every field that makes no difference goes back to its base value,
//! except in tests that keep such bystanders on purpose.

mod plain;
mod programs;

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{
    AlignedBytes, Axis, BankRole, Code, Edition, FieldRole, Instruction, Isa, MAX_AXES, Noise, Parts, Recording,
    SaltPlan, mix64,
};

use super::disputed::DisputedTests;
use super::levels::orthogonal_levels;
use super::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use super::operands::{Operands, rows_of};
use super::replay::{ReferenceBench, ReferenceRun};
use crate::case::{Level, quiet_salt, readable_levels, reads_back};
use crate::terms::stems;
use crate::{GENERATOR_VERSION, IsaSuite};

pub use plain::record_plain;
pub use programs::ProgramRecorder;

/// The version of the recorder; it changes whenever the same seed gives other bytes.
pub const RECORDER_VERSION: u32 = 5;
/// The seed of the committed files.
pub const RECORD_SEED: u64 = 0x7461_6e64_656d;

/// Cases tried until one of a cell is promised.
const ATTEMPTS: u64 = 48;
/// Promised cases tried until one changes anything.
const IDLE_ATTEMPTS: usize = 8;
/// Draws of operands, of which the one that shows most is taken.
const DRAWS: usize = 5;
/// Attempts that keep to the levels that pairwise coverage asks for.
const FORCED_ATTEMPTS: u64 = 2;
/// Quiet cases tried until one of a cell is promised: a cell may leave open what has no result.
const QUIET_ATTEMPTS: usize = 16;
/// One test in so many keeps fields that make no difference.
const BYSTANDERS: u64 = 8;
/// Adjacent fields of the small state that a test with bystanders sets besides.
const IDLE_RUN: usize = 3;
/// Tests whose instruction is held.
const BLOCKED: usize = 24;
/// Of the tests about which editions differ, one in so many is also recorded as the other edition has it.
const TWINS: usize = 16;

const NOTES: &[(&str, &str, &str)] = &[
    (
        "blocked",
        "The instruction is held, and the state is ready for it: executing it would show.",
        "A target that executes what it must hold, or that changes something while it waits.",
    ),
    (
        "bystanders",
        "Fields are set that the page does not read in this case; nothing may depend on them.",
        "A target that reads another instance of a field, a field that it should not read, or a row beside those it should.",
    ),
    (
        "contested",
        "Another text about the same machine promises less for this combination of modes, or something else; or the case \
         holds what no hardware is known to hold.",
        "Nothing by itself: who disagrees may have followed the other text. They are left out of what hardware is asked.",
    ),
    (
        "editions-differ",
        "The editions of the page disagree about the result, or only one of them promises it.",
        "A target that follows another edition of the page.",
    ),
    (
        "marks",
        "Rows carry marks that are not in their base state.",
        "A target that does not update the marks of rows that it writes, or that reads data in spite of their marks.",
    ),
    (
        plain::FLAG,
        "The base state, every orthogonal axis at its plain level, and data that show something: corners of each format, and \
         small numbers.",
        "A target that does not do this mode at all, or does it wrong for some data.",
    ),
    (
        "retained",
        "Words of rows that the instruction writes must survive.",
        "A target that writes more of a row than it should.",
    ),
];

/// Records the vectors of an instruction: at least one for each cell of each edition for which the pages promise
/// something. The same seed and version give the same file, byte for byte.
#[must_use]
pub fn record(suite: &IsaSuite, instruction: &'static Instruction, seed: u64) -> VectorFile {
    let mut recorder = Recorder::new(suite, instruction, seed);
    // The newest edition first: most of its tests hold in the others as well.
    for edition in Edition::ALL.into_iter().rev() {
        for cell in 0..(instruction.cells)(edition).len() {
            if !recorder.covered.contains(&(edition, cell))
                && let Some(test) = recorder.draw_next(edition, cell)
            {
                recorder.keep(test);
            }
        }
    }
    recorder.edition_twins();
    recorder.blocked_twins();

    recorder.missing_levels();
    recorder.plain_tests(None, plain::PlainData::Telling);
    recorder.into_file()
}

/// What a test shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    /// How many kinds of things change: words of rows, fields, flags that rise and flags that fall.
    kinds: usize,
    /// How many different changes of words there are.
    changes: usize,
}

impl Worth {
    fn of(isa: &Isa, test: &Test) -> Self {
        let (banks, fields) = (isa.layout.banks, (isa.layout.fields)());
        let mut changes = BTreeSet::new();
        for (key, after) in &test.after.rows {
            let base = || banks[key.0].base_row(key.1);
            let before = test.before.rows.get(key).cloned().unwrap_or_else(base);
            changes.extend(before.iter().copied().zip(after.iter().copied()).filter(|(before, after)| before != after));
        }
        let mut kinds = usize::from(!changes.is_empty());
        for (&field, &after) in &test.after.fields {
            let before = test.before.fields.get(&field).copied().unwrap_or(fields[field].base);
            kinds += match fields[field].role {
                FieldRole::Flag => usize::from(after & !before != 0) + usize::from(before & !after != 0),
                _ => 1,
            };
        }
        Worth { kinds, changes: changes.len() }
    }

    /// Whether anything changes.
    fn shows(self) -> bool {
        self.kinds > 0
    }
}

/// Which cells the pages promise a result for, found by trying as recording does.
pub struct Promises(Recorder);

impl Promises {
    /// The cells of an instruction.
    #[must_use]
    pub fn new(suite: &IsaSuite, instruction: &'static Instruction) -> Self {
        Promises(Recorder::new(suite, instruction, RECORD_SEED))
    }

    /// Whether a case of the cell is done.
    pub fn done(&mut self, edition: Edition, cell: usize) -> bool {
        self.0.draw_cell(edition, cell, &[], false).is_some_and(|test| test.outcome == Outcome::Done)
    }

    /// Whether the pages promise nothing for the cell, every orthogonal axis being at its first level.
    pub fn cited(&mut self, edition: Edition, cell: usize) -> bool {
        self.0.is_cited(edition, cell)
    }
}

/// A state and code words before rows are filled.
struct TestDraft {
    code: Code,
    fields: BTreeMap<usize, u32>,
    salt: SaltPlan,
    /// Whether things are set on purpose that must make no difference.
    bystanders: bool,
    /// Fields that stay although they may make no difference.
    kept: BTreeSet<usize>,
}

struct Recorder {
    isa: &'static Isa,
    instruction: &'static Instruction,
    seed: u64,
    bench: ReferenceBench,
    disputed: DisputedTests,
    operands: Operands,
    covered: BTreeSet<(Edition, usize)>,
    levels: BTreeSet<(Edition, usize, usize)>,
    /// Whether the pages promise nothing for a cell's quiet case.
    cited: BTreeMap<(Edition, usize), bool>,
    /// Pairs of levels that no test has been asked to have yet.
    pairs: BTreeMap<Edition, BTreeSet<(Level, Level)>>,
    /// The fields of the small state by their name without indices, but for guards.
    stems: Vec<Vec<usize>>,
    tests: Vec<Test>,
}

/// The fields that a test may have though they make no difference.
fn idle_stems(isa: &Isa) -> Vec<Vec<usize>> {
    let mut stems = stems(isa);
    stems.retain(|stem| !(isa.layout.fields)()[stem[0]].role.is_seldom());
    stems
}

impl Recorder {
    fn new(suite: &IsaSuite, instruction: &'static Instruction, seed: u64) -> Self {
        Recorder {
            isa: suite.isa,
            instruction,
            seed,
            bench: ReferenceBench::new(suite),
            disputed: DisputedTests::new(&suite.clone().with_disputes()),
            operands: Operands::new(suite.isa, instruction),
            covered: BTreeSet::new(),
            levels: BTreeSet::new(),
            cited: BTreeMap::new(),
            pairs: BTreeMap::new(),
            stems: idle_stems(suite.isa),
            tests: Vec::new(),
        }
    }

    /// A test of a cell that has levels which no test had together before; once all pairs were asked for, any levels.
    fn draw_next(&mut self, edition: Edition, cell: usize) -> Option<Test> {
        let levels = readable_levels(self.isa, self.instruction, edition);
        let pairs = self.pairs.entry(edition).or_insert_with(|| {
            let other = |index: usize| levels[index + 1..].iter().copied();
            let all = levels.iter().enumerate().flat_map(|(index, &one)| other(index).map(move |other| (one, other)));
            all.filter(|(one, other)| one.0 != other.0).collect()
        });
        // From a drawn place on, so that cells and levels mix.
        let place = (mix64(self.seed ^ mix64(cell as u64)) % pairs.len().max(1) as u64) as usize;
        let mut forced: Vec<Level> = pairs.iter().nth(place).map_or(Vec::new(), |&(one, other)| vec![one, other]);
        while !forced.is_empty() && forced.len() < self.instruction.recording.others {
            let gain = |next: &Level| {
                let with = |known: &&Level| pairs.contains(&(**known, *next)) || pairs.contains(&(*next, **known));
                if forced.iter().any(|known| known.0 == next.0) { 0 } else { forced.iter().filter(with).count() }
            };
            let Some(&best) = levels.iter().max_by_key(|next| gain(next)).filter(|next| gain(next) > 0) else { break };
            forced.push(best);
        }
        for one in &forced {
            for other in &forced {
                pairs.remove(&(*one, *other));
            }
        }
        self.draw_cell(edition, cell, &forced, false)
    }

    /// A test of a cell: one that is done if there is one, else one that is held; nothing if the pages promise nothing.
    fn draw_cell(&mut self, edition: Edition, cell: usize, forced: &[Level], keep: bool) -> Option<Test> {
        if self.is_cited(edition, cell) {
            return None;
        }
        let (mut held, mut idle) = (None, None);
        let mut num_idle = 0;
        for attempt in 0..ATTEMPTS {
            let forced = if keep || attempt < FORCED_ATTEMPTS { forced } else { &[] };
            let level = forced.first().map_or(0, |&(axis, level)| 1 + axis as u64 * 64 + level as u64);
            let key = [edition as u64, cell as u64, attempt, level];
            let mut noise = Noise::new(key.iter().fold(mix64(self.seed), |key, &part| mix64(key ^ part)));
            let drawn = self.draw(edition, cell, forced, keep, &mut noise);
            let Some(test) = self.finish(edition, drawn, &mut noise) else { continue };
            if test.outcome != Outcome::Done {
                held.get_or_insert(test);
                continue;
            }
            if Worth::of(self.isa, &test).shows() {
                return Some(test);
            }
            idle.get_or_insert(test);
            num_idle += 1;
            if num_idle == IDLE_ATTEMPTS {
                break;
            }
        }
        idle.or(held)
    }

    /// Gives the base state a few levels of orthogonal axes, and a cell.
    fn draw(&self, edition: Edition, cell: usize, forced: &[Level], keep: bool, noise: &mut Noise) -> TestDraft {
        let axes: &[Axis] = (self.instruction.orthogonal)(edition);
        let fields = (self.isa.layout.fields)();
        let mut small = AlignedBytes::zeroed(self.isa.layout.small_bytes);
        fields.iter().filter(|field| field.base != 0).for_each(|field| field.set(&mut small, field.base));
        let (mut code, mut salt) = (Code::new(self.instruction.base_code), SaltPlan::default());
        let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
        (self.instruction.prepare)(&mut parts, noise);
        let Recording { always, others, .. } = self.instruction.recording;
        let free = others.saturating_sub(forced.len());
        let chosen: Vec<usize> = (0..free).map(|_| noise.below(axes.len())).collect();
        let bystanders = keep || noise.word().is_multiple_of(BYSTANDERS);
        let mut kept = BTreeSet::new();
        let mut levels = [0; MAX_AXES];
        for (index, axis) in axes.iter().enumerate() {
            let level = match forced.iter().find(|(forced, _)| *forced == index) {
                Some(&(_, level)) => level,
                None if chosen.contains(&index) || always.contains(&axis.name) => axis.draw(noise),
                None => 0,
            };
            levels[index] = u8::try_from(level).expect("an axis has at most 256 levels");
            let before: Vec<u32> = fields.iter().map(|field| field.get(parts.small)).collect();
            (axis.set)(&mut parts, level, noise);
            if bystanders && (level != 0 || forced.iter().any(|(forced, _)| *forced == index)) {
                kept.extend((0..fields.len()).filter(|&field| fields[field].get(parts.small) != before[field]));
            }
        }
        let before: Vec<u32> = fields.iter().map(|field| field.get(parts.small)).collect();
        (self.instruction.cells)(edition).impose(cell, &mut parts, noise);
        (self.instruction.finish)(&mut parts, &mut levels, noise);
        if bystanders {
            kept.extend((0..fields.len()).filter(|&field| fields[field].get(parts.small) != before[field]));
        }
        let differing = fields.iter().enumerate().map(|(index, field)| (index, field.get(&small), field.base));
        let fields =
            differing.filter(|(_, value, base)| value != base).map(|(index, value, _)| (index, value)).collect();
        TestDraft { code, fields, salt, bystanders, kept }
    }

    /// Fills rows, finds the editions in which the result is the same, and drops what makes no difference.
    fn finish(&mut self, edition: Edition, drawn: TestDraft, noise: &mut Noise) -> Option<Test> {
        let TestDraft { code, fields, salt, bystanders, mut kept } = drawn;
        let test = Test {
            editions: vec![edition],
            code,
            then: Vec::new(),
            flags: Vec::new(),
            before: Sparse { fields, rows: rows_of(self.isa.layout, &salt.settings) },
            outcome: Outcome::Done,
            recorded: None,
            after: Sparse::default(),
            care: Sparse::default(),
        };
        let ran = self.bench.run(self.instruction, edition, &test.code, &test.before);
        ran.outcome()?;
        let (ran, awake) = self.footprint(edition, &test, ran, noise);
        let mut most: Option<(Worth, Test, bool)> = None;
        for _ in 0..DRAWS {
            let mut drawn = test.clone();
            let neighbour = self.operands.fill(&mut self.bench, &mut drawn, &salt, &ran, bystanders, noise);
            let ran = self.bench.run(self.instruction, edition, &drawn.code, &drawn.before);
            let Some(outcome) = ran.outcome() else { continue };
            (drawn.outcome, drawn.after) = (outcome, ran.after);
            let worth = Worth::of(self.isa, &drawn);
            if most.as_ref().is_none_or(|(known, ..)| worth > *known) {
                most = Some((worth, drawn, neighbour));
            }
        }
        let (_, mut test, neighbour) = most?;
        test.editions = self.editions(&test);
        let (cells, operands) = (self.cells(&test), self.rows_read(&test, awake));
        let all: Vec<(usize, u32)> = test.before.fields.iter().map(|(&field, &value)| (field, value)).collect();
        for (field, value) in all.into_iter().filter(|(field, _)| !kept.contains(field)) {
            test.before.fields.remove(&field);
            let needed = self.cells(&test) != cells
                || !self.rows_read(&test, awake).is_superset(&operands)
                || !test.editions.iter().all(|&edition| self.same(&test, edition))
                || self.editions(&test) != test.editions;
            if needed {
                test.before.fields.insert(field, value);
            }
        }
        if bystanders {
            self.add_idle(&mut test, &mut kept, noise);
        }
        self.flag(&mut test, &kept, neighbour);
        Some(test)
    }

    /// Where an instruction that writes no row would write if one axis were at its first level, or one flag at an end of
    /// its range: rows to be ready there. Returns that flag, too.
    fn footprint(
        &mut self,
        edition: Edition,
        test: &Test,
        ran: ReferenceRun,
        noise: &mut Noise,
    ) -> (ReferenceRun, Option<(usize, u32)>) {
        if !ran.written.is_empty() {
            return (ran, None);
        }
        for axis in (self.instruction.orthogonal)(edition) {
            let quiet = self.with_level(test, edition, axis, 0, noise);
            if let Some(before) = quiet {
                let other = self.bench.run(self.instruction, edition, &test.code, &before);
                if !other.written.is_empty() {
                    return (other, None);
                }
            }
        }
        let flags = (self.isa.layout.fields)().iter().enumerate().filter(|(_, field)| field.role == FieldRole::Flag);
        for awake in flags.flat_map(|(index, field)| [(index, field.max), (index, 0)]) {
            let mut before = test.before.clone();
            before.fields.extend([awake]);
            let other = self.bench.run(self.instruction, edition, &test.code, &before);
            if !other.written.is_empty() {
                return (other, Some(awake));
            }
        }
        (ran, None)
    }

    /// The state before of a test with one axis at another level; nothing if that changes the code words.
    fn with_level(
        &self,
        test: &Test,
        edition: Edition,
        axis: &Axis,
        level: usize,
        noise: &mut Noise,
    ) -> Option<Sparse> {
        let (fields, code) = test.with_parts(self.isa, |parts| {
            *parts.salt = quiet_salt(self.isa, self.instruction, edition).with(parts.salt.settings);
            (axis.set)(parts, level, noise);
            let fields = (self.isa.layout.fields)().iter().enumerate();
            let values = fields.map(|(index, field)| (index, field.get(parts.small), field.base));
            let differing = values.filter(|(_, value, base)| value != base);
            (differing.map(|(index, value, _)| (index, value)).collect(), Code::new(parts.code))
        });
        (code == test.code).then(|| Sparse { fields, rows: test.before.rows.clone() })
    }

    /// Sets adjacent fields of the small state that make no difference.
    fn add_idle(&mut self, test: &mut Test, kept: &mut BTreeSet<usize>, noise: &mut Noise) {
        let fields = (self.isa.layout.fields)();
        let cells = self.cells(test);
        // Each kind of field counts alike, however many instances it has, and its first instance most.
        let stem = self.stems[(noise.word() % self.stems.len() as u64) as usize].as_slice();
        let first = if noise.below(2) == 0 { stem[0] } else { stem[(noise.word() % stem.len() as u64) as usize] };
        for (index, field) in fields.iter().enumerate().skip(first).take(IDLE_RUN) {
            if matches!(field.role, FieldRole::Unnamed | FieldRole::Stack) || field.role.is_seldom() {
                break;
            }
            let value = if noise.below(2) == 0 { field.max } else { noise.bits(field.width).min(field.max) };
            if value == field.base || test.before.fields.contains_key(&index) {
                continue;
            }
            test.before.fields.insert(index, value);
            let editions = self.editions(test);
            if editions == test.editions && self.cells(test) == cells {
                kept.insert(index);
            } else {
                test.before.fields.remove(&index);
            }
        }
    }

    fn cells(&self, test: &Test) -> Vec<Option<usize>> {
        Edition::ALL.iter().map(|&edition| test.cell(self.isa, self.instruction, edition)).collect()
    }

    /// Whether the reference does in an edition what the test says.
    fn same(&mut self, test: &Test, edition: Edition) -> bool {
        let ran = self.bench.run(self.instruction, edition, &test.code, &test.before);
        ran.outcome() == Some(test.outcome) && ran.after == test.after
    }

    /// Which of the rows that a test names the reference reads and does not write; with `awake`, if one field had another
    /// value. A test that names operands in vain shows nothing.
    fn rows_read(&mut self, test: &Test, awake: Option<(usize, u32)>) -> BTreeSet<(usize, usize)> {
        let mut before = test.before.clone();
        before.fields.extend(awake);
        let ran = self.bench.run(self.instruction, test.newest(), &test.code, &before);
        let row_id = |&(bank, row): &(usize, usize)| self.isa.layout.banks[bank].first_row + row;
        let is_operand = |key: &(usize, usize)| ran.read.contains(row_id(key)) && !ran.written.contains(row_id(key));
        before.rows.into_keys().filter(is_operand).collect()
    }

    /// The editions in which a test holds. One of a cited cell that touches no datum may be promised, and is left out
    /// nevertheless: a cell has vectors or a citation.
    fn editions(&mut self, test: &Test) -> Vec<Edition> {
        let holds = |&edition: &Edition| {
            let cell = test.cell(self.isa, self.instruction, edition);
            self.same(test, edition) && cell.is_some_and(|cell| !self.is_cited(edition, cell))
        };
        Edition::ALL.into_iter().filter(holds).collect()
    }

    /// Whether the pages promise nothing for a cell, every orthogonal axis being at its first level.
    fn is_cited(&mut self, edition: Edition, cell: usize) -> bool {
        if let Some(&cited) = self.cited.get(&(edition, cell)) {
            return cited;
        }
        let mut noise = Noise::new(mix64(self.seed));
        let cited = (0..QUIET_ATTEMPTS).all(|_| {
            let (code, before) = self.quiet_case(edition, cell, &mut noise);
            self.bench.run(self.instruction, edition, &code, &before).outcome().is_none()
        });
        self.cited.insert((edition, cell), cited);
        cited
    }

    /// A case of a cell with every orthogonal axis at its first level.
    fn quiet_case(&self, edition: Edition, cell: usize, noise: &mut Noise) -> (Code, Sparse) {
        let fields = (self.isa.layout.fields)();
        let mut small = AlignedBytes::zeroed(self.isa.layout.small_bytes);
        fields.iter().filter(|field| field.base != 0).for_each(|field| field.set(&mut small, field.base));
        let mut code = Code::new(self.instruction.base_code);
        let mut salt = quiet_salt(self.isa, self.instruction, edition);
        let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
        for axis in (self.instruction.orthogonal)(edition) {
            (axis.set)(&mut parts, 0, noise);
        }
        (self.instruction.cells)(edition).impose(cell, &mut parts, noise);
        (self.instruction.finish)(&mut parts, &mut [0; MAX_AXES], noise);
        let mut before = Sparse::default();
        for (index, field) in fields.iter().enumerate() {
            before.put_field(index, field.get(&small), field.base);
        }
        (code, before)
    }

    /// Names what a test is about.
    fn flag(&mut self, test: &mut Test, kept: &BTreeSet<usize>, neighbour: bool) {
        let mut flags = BTreeSet::new();
        if test.outcome == Outcome::Blocked {
            flags.insert("blocked");
        }
        if test.editions.len() < Edition::ALL.len() {
            flags.insert("editions-differ");
        }
        if test.contested(self.isa, self.instruction).is_some() {
            flags.insert("contested");
        }
        let banks = self.isa.layout.banks;
        if test.before.rows.keys().any(|&(bank, _)| banks[bank].role == BankRole::Validity) {
            flags.insert("marks");
        }
        if test.outcome == Outcome::Done {
            let ran = self.bench.run(self.instruction, test.newest(), &test.code, &test.before);
            let survives = test.before.rows.iter().any(|(key, before)| {
                let bank = &banks[key.0];
                let is_written = ran.written.contains(bank.first_row + key.1) && bank.role == BankRole::Data;
                let survives = |after: &Vec<u32>| before.iter().zip(after).any(|(x, y)| x == y && *x != bank.base);
                is_written && test.after.rows.get(key).is_none_or(survives)
            });
            if survives {
                flags.insert("retained");
            }
        }
        let idle: Vec<usize> = test.before.fields.keys().copied().filter(|field| kept.contains(field)).collect();
        let idle = idle.into_iter().any(|field| {
            let mut without = test.clone();
            without.before.fields.remove(&field);
            self.cells(&without) == self.cells(test)
                && test.editions.iter().all(|&edition| self.same(&without, edition))
        });
        if idle || neighbour {
            flags.insert("bystanders");
        }
        test.flags = flags.into_iter().map(str::to_string).collect();
    }

    fn keep(&mut self, test: Test) {
        for &edition in &test.editions {
            if test.outcome == Outcome::Done
                && let Some(cell) = test.cell(self.isa, self.instruction, edition)
            {
                self.covered.insert((edition, cell));
            }
            let ran = self.bench.run(self.instruction, edition, &test.code, &test.before);
            let mut touched = ran.read.clone();
            touched.union(&ran.written);
            let levels = orthogonal_levels(self.isa, self.instruction, edition, &test, &touched);
            let axes = (self.instruction.orthogonal)(edition).len();
            self.levels.extend((0..axes).map(|axis| (edition, axis, usize::from(levels[axis]))));
        }
        self.tests.push(test);
    }

    /// Tests that hold in the newest edition alone, with what the other editions say instead.
    fn edition_twins(&mut self) {
        let differing: Vec<Test> =
            self.tests.iter().filter(|test| test.editions.len() < Edition::ALL.len()).step_by(TWINS).cloned().collect();
        for test in differing {
            for edition in Edition::ALL.into_iter().filter(|edition| !test.editions.contains(edition)) {
                let ran = self.bench.run(self.instruction, edition, &test.code, &test.before);
                let Some(outcome) = ran.outcome() else { continue };
                let mut twin = Test { outcome, after: ran.after, ..test.clone() };
                twin.editions = self.editions(&twin);
                if twin.editions.contains(&edition) {
                    self.flag(&mut twin, &BTreeSet::new(), false);
                    self.keep(twin);
                }
            }
        }
    }

    /// Tests whose instruction is held: each is a test that is done, with one axis at a level that holds it.
    fn blocked_twins(&mut self) {
        let mut noise = Noise::new(mix64(self.seed ^ 0x6865_6c64));
        let done: Vec<Test> = self.tests.iter().filter(|test| test.outcome == Outcome::Done).cloned().collect();
        let mut found = 0;
        for _ in 0..BLOCKED * 4 {
            if found == BLOCKED || done.is_empty() {
                break;
            }
            let mut twin = done[(noise.word() % done.len() as u64) as usize].clone();
            let edition = twin.newest();
            let Some(fields) = self.holding_fields(&twin, edition, &mut noise) else { continue };
            twin.before.fields = fields;
            (twin.outcome, twin.after) = (Outcome::Blocked, Sparse::default());
            twin.editions = self.editions(&twin);
            if twin.editions.contains(&edition) {
                self.flag(&mut twin, &BTreeSet::new(), false);
                self.keep(twin);
                found += 1;
            }
        }
    }

    /// The fields of a test after one axis was set to a level that holds the instruction.
    fn holding_fields(&mut self, test: &Test, edition: Edition, noise: &mut Noise) -> Option<BTreeMap<usize, u32>> {
        let axes = (self.instruction.orthogonal)(edition);
        for axis in axes {
            for level in 0..axis.levels.len() {
                let Some(before) = self.with_level(test, edition, axis, level, noise) else { continue };
                if self.bench.run(self.instruction, edition, &test.code, &before).outcome() == Some(Outcome::Blocked) {
                    return Some(before.fields);
                }
            }
        }
        None
    }

    /// Tests for the levels of orthogonal axes that no test has yet.
    fn missing_levels(&mut self) {
        for edition in Edition::ALL.into_iter().rev() {
            let cells = (self.instruction.cells)(edition).len();
            for (index, axis) in (self.instruction.orthogonal)(edition).iter().enumerate() {
                for level in 0..axis.levels.len() {
                    if !reads_back(self.isa, self.instruction, edition, index, level) {
                        continue;
                    }
                    let mut noise = Noise::new(mix64(self.seed ^ mix64((index as u64) << 8 | level as u64)));
                    for _ in 0..16 {
                        if self.levels.contains(&(edition, index, level)) {
                            break;
                        }
                        let cell = (noise.word() % cells as u64) as usize;
                        if let Some(test) = self.draw_cell(edition, cell, &[(index, level)], true) {
                            self.keep(test);
                        }
                    }
                }
            }
        }
    }

    fn into_file(mut self) -> VectorFile {
        let source = Source {
            name: "tandem reference".to_string(),
            version: format!("recorder {RECORDER_VERSION}, generator {GENERATOR_VERSION}, seed {:#x}", self.seed),
            commit: None,
            licence: None,
            note: Some(
                "Recorded from the reference interpreter, which is transcribed from the pages. Quiet states: whatever \
                 is not named has its base value before and is unchanged after."
                    .to_string(),
            ),
        };
        let mut file = VectorFile::new(self.isa, self.instruction, source);
        for (flag, what, detects) in NOTES {
            file.notes.insert((*flag).to_string(), Note { what: (*what).to_string(), detects: (*detects).to_string() });
        }
        for mut test in self.tests {
            let (edition, layout) = (test.editions[0], self.isa.layout);
            test.care = self.bench.run(self.instruction, edition, &test.code, &test.before).care(layout);
            let added = file.add(test);
            assert!(added, "a recorded test lies in a cell");
        }
        self.disputed.mark(&mut file);
        file.sort();
        file
    }
}
