//! Lint: what no single file shows, or what is allowed and not good.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{Edition, Instruction, Isa};

use super::disputed::{DisputedTests, is_of_dispute};
use super::levels::orthogonal_levels;
use super::model::{Outcome, Sparse, VectorFile};
use super::record::Promises;
use super::replay::ReferenceBench;
use super::store::Store;
use crate::case::reads_back;
use crate::{IsaSuite, Suite};

/// All committed files together should stay below this, in bytes: some four tenths of a megabyte for each instruction of a chip,
/// of which a twentieth is programs.
pub const MAX_TOTAL_BYTES: usize = 68_000_000;

/// What a lint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LintKind {
    /// A note that no test carries.
    UnusedNote,
    /// The same test in two files.
    DuplicateTest,
    /// A revoked test that is in no file.
    UnknownRevocation,
    /// A cell that the pages promise something for, and that no test has.
    UncoveredCell,
    /// A level of an orthogonal axis that no test has.
    UncoveredLevel,
    /// A field or row that is named although it has its base value.
    NotMinimal,
    /// A test that begins in a state that no machine can have.
    NoState,
    /// A contested test without the flag `contested`, or the flag without a reason.
    Contested,
    /// A disputed test without the flags that say so, or the flags without a dispute.
    Disputed,
    /// A file that is not called after its instruction, or lies in another directory than its instruction set's.
    Misplaced,
    /// The files are larger than they should be, together.
    TooMuch,
}

impl LintKind {
    /// The word for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LintKind::UnusedNote => "unused-note",
            LintKind::DuplicateTest => "duplicate-test",
            LintKind::UnknownRevocation => "unknown-revocation",
            LintKind::UncoveredCell => "uncovered-cell",
            LintKind::UncoveredLevel => "uncovered-level",
            LintKind::NotMinimal => "not-minimal",
            LintKind::NoState => "no-state",
            LintKind::Contested => "contested",
            LintKind::Disputed => "disputed",
            LintKind::Misplaced => "misplaced",
            LintKind::TooMuch => "too-much",
        }
    }

    /// Whether it fails a run; the others are advice.
    #[must_use]
    pub const fn is_error(self) -> bool {
        match self {
            LintKind::UnusedNote
            | LintKind::DuplicateTest
            | LintKind::UnknownRevocation
            | LintKind::UncoveredCell
            | LintKind::NotMinimal
            | LintKind::NoState
            | LintKind::Contested
            | LintKind::Disputed
            | LintKind::TooMuch => true,
            LintKind::UncoveredLevel | LintKind::Misplaced => false,
        }
    }
}

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// What it is about.
    pub kind: LintKind,
    /// The file, or the instruction if it is about all of its files.
    pub file: String,
    /// JSON pointer, or `/`.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Lint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Lint { kind, file, place, message } = self;
        let place = if place == "/" { String::new() } else { format!("place {place}: ") };
        write!(f, "{file}: {place}{message} [{}]", kind.name())
    }
}

/// Looks at all files together.
#[must_use]
pub fn lint(store: &Store, suite: &Suite) -> Vec<Lint> {
    let mut lints = Vec::new();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut bytes = 0;
    let of_isa = |isa: &IsaSuite| (isa.isa.name, DisputedTests::new(&isa.clone().with_disputes()));
    let mut disputed: BTreeMap<&str, DisputedTests> = suite.isas.iter().map(of_isa).collect();
    for (path, file) in &store.files {
        let name = path.display().to_string();
        bytes += file.to_text().len();
        each_file(&name, file, &mut seen, &mut lints);
        if let Some(disputed) = disputed.get_mut(file.isa.name) {
            disputes(&name, file, disputed, &mut lints);
        }
        let directory = path.parent().and_then(|parent| parent.file_name()).and_then(|name| name.to_str());
        let stem = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kept = path.components().any(|part| part.as_os_str() == "regressions");
        let called = stem.split('.').next() == Some(file.instruction.file);
        if !kept && (!called || directory != Some(file.isa.name)) {
            let message = format!("is expected at {}.json or {0}.<source>.json", file.instruction.path());
            lints.push(Lint { kind: LintKind::Misplaced, file: name, place: "/".to_string(), message });
        }
    }
    let list = store.revoked_path.as_ref().map_or(String::new(), |path| path.display().to_string());
    for (index, id) in store.revoked.keys().filter(|id| !seen.contains_key(*id)).enumerate() {
        let message = format!("the revoked test {id} is in no file; remove the entry");
        let (kind, place) = (LintKind::UnknownRevocation, format!("/revoked/{index}/id"));
        lints.push(Lint { kind, file: list.clone(), place, message });
    }
    if bytes > MAX_TOTAL_BYTES {
        let message = format!("all files have {bytes} bytes together, at most {MAX_TOTAL_BYTES} are wanted");
        lints.push(Lint { kind: LintKind::TooMuch, file: "vectors".to_string(), place: "/".to_string(), message });
    }
    for (suite, instruction) in suite.instructions() {
        coverage(store, suite, instruction, &mut lints);
    }
    lints
}

fn each_file(name: &str, file: &VectorFile, seen: &mut BTreeMap<String, String>, lints: &mut Vec<Lint>) {
    let (isa, instruction) = (file.isa, file.instruction);
    let mut push =
        |kind, place: String, message: String| lints.push(Lint { kind, file: name.to_string(), place, message });
    let used: BTreeSet<&String> = file.tests().flat_map(|(_, test)| &test.flags).collect();
    for flag in file.notes.keys().filter(|flag| !used.contains(flag)) {
        push(LintKind::UnusedNote, format!("/notes/{flag}"), "no test carries this flag; remove the note".to_string());
    }
    let fields = (isa.layout.fields)();
    for (group_index, group) in file.groups.iter().enumerate() {
        for (test_index, test) in group.tests.iter().enumerate() {
            let place = format!("/groups/{group_index}/tests/{test_index}");
            let id = test.id(isa, instruction);
            if let Some(first) = seen.insert(id.clone(), name.to_string()) {
                push(LintKind::DuplicateTest, format!("{place}/id"), format!("test {id} is in {first} as well"));
            }
            for (&field, &value) in &test.before.fields {
                if value == fields[field].base {
                    let place = format!("{place}/before/fields/{}", fields[field].name);
                    push(LintKind::NotMinimal, place, "has its base value; drop it".to_string());
                }
            }
            for (&(bank, row), words) in &test.before.rows {
                let bank = &isa.layout.banks[bank];
                if bank.is_base(row, words) {
                    let place = format!("{place}/before/rows/{}", bank.row_name(row));
                    push(LintKind::NotMinimal, place, "has its base value; drop it".to_string());
                }
            }
            for message in no_state(isa, &test.before) {
                push(LintKind::NoState, format!("{place}/before"), format!("test {id} cannot begin: {message}"));
            }
            let contested = test.contested(isa, instruction).is_some();
            if contested != test.flags.iter().any(|flag| flag == "contested") {
                let message =
                    if contested { "is contested and lacks the flag" } else { "carries the flag without a reason" };
                push(LintKind::Contested, format!("{place}/flags"), message.to_string());
            }
        }
    }
}

/// Tests whose flags do not say what is disputed of them.
fn disputes(name: &str, file: &VectorFile, disputed: &mut DisputedTests, lints: &mut Vec<Lint>) {
    for (group_index, group) in file.groups.iter().enumerate() {
        for (test_index, test) in group.tests.iter().enumerate() {
            let flags: Vec<&String> = test.flags.iter().filter(|flag| is_of_dispute(flag)).collect();
            let wanted = disputed.flags(file.instruction, test);
            if !flags.iter().copied().eq(&wanted) {
                let place = format!("/groups/{group_index}/tests/{test_index}/flags");
                let message = format!("of what is disputed it carries {flags:?}, and should carry {wanted:?}");
                lints.push(Lint { kind: LintKind::Disputed, file: name.to_string(), place, message });
            }
        }
    }
}

/// What keeps a test from beginning where a machine can be, row by row.
#[must_use]
pub fn no_state(isa: &Isa, before: &Sparse) -> Vec<String> {
    let misheld = before.rows.iter().filter_map(|(&(bank, row), words)| {
        let spec = &isa.layout.banks[bank];
        let (column, word) = spec.misheld(row, words)?;
        let name = spec.word_name(row, column);
        Some(format!("{name} is {:#x}, and every machine has {word:#x} there", words[column]))
    });
    misheld.collect()
}

/// Which cells and levels no file has.
fn coverage(store: &Store, suite: &IsaSuite, instruction: &'static Instruction, lints: &mut Vec<Lint>) {
    let mut bench = ReferenceBench::new(suite);
    let mut promises = Promises::new(suite, instruction);
    let files = store.files.iter().filter(|(_, file)| std::ptr::eq(file.instruction, instruction));
    let files: Vec<&VectorFile> = files.map(|(_, file)| file).collect();
    for edition in Edition::ALL {
        let space = (instruction.cells)(edition);
        let axes = (instruction.orthogonal)(edition);
        let mut cells = BTreeSet::new();
        let mut levels: BTreeSet<(usize, usize)> = BTreeSet::new();
        // A program is no test of a mode of its first step.
        let alone = files.iter().flat_map(|file| file.tests()).filter(|(_, test)| test.then.is_empty());
        for (_, test) in alone {
            if !test.editions.contains(&edition) || store.revoked.contains_key(&test.id(suite.isa, instruction)) {
                continue;
            }
            let ran = bench.run(instruction, edition, &test.code, &test.before);
            if test.outcome == Outcome::Done {
                cells.extend(test.cell(suite.isa, instruction, edition));
            }
            let mut touched = ran.read.clone();
            touched.union(&ran.written);
            let found = orthogonal_levels(suite.isa, instruction, edition, test, &touched);
            levels.extend((0..axes.len()).map(|axis| (axis, usize::from(found[axis]))));
        }
        let mut push = |kind, message| {
            lints.push(Lint { kind, file: instruction.path(), place: "/".to_string(), message });
        };
        for cell in (0..space.len()).filter(|cell| !cells.contains(cell)) {
            if promises.done(edition, cell) {
                let message = format!("no test of cell {cell} of {} ({})", edition.name(), space.describe(cell));
                push(LintKind::UncoveredCell, message);
            }
        }
        // Of some instructions nothing is promised, or nothing that is exported.
        for (index, axis) in axes.iter().enumerate().filter(|_| !cells.is_empty()) {
            for (level, name) in axis.levels.iter().enumerate() {
                let told = instruction.recording.has_level(axis, level)
                    && reads_back(suite.isa, instruction, edition, index, level);
                if told && !levels.contains(&(index, level)) {
                    push(LintKind::UncoveredLevel, format!("no test of {}={name} in {}", axis.name, edition.name()));
                }
            }
        }
    }
}
