//! The model of a report.
//!
//! Field order is the order of keys in JSON. Numbers are integers in `result`; there is no date anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, Instruction};

use super::contested::ContestedCell;
use super::explain;
use super::known::{Known, Triage};
use super::{CaseText, text};
use crate::{
    CampaignResult, CellCount, CellStatus, Difference, Finding, GENERATOR_VERSION, IsaSuite, Kind, Signature, Suite,
    UnitResult,
};

/// Differences of a smallest case that are listed; the others are counted.
const MOST_DIFFERENCES: usize = 32;

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// A function of cases, targets and code alone.
    pub result: ResultPart,
    /// Where and how it was found out.
    pub run: RunPart,
}

/// Cells, and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All cells.
    pub cells: u64,
    /// Cells with enough completed agreements.
    pub green: u64,
    /// Cells with enough agreed holds.
    pub blocked: u64,
    /// Cells for which a cited page promises nothing.
    pub cited: u64,
    /// Cells that are none of these.
    pub holes: u64,
}

impl Counts {
    fn add(&mut self, status: CellStatus) {
        self.cells += 1;
        match status {
            CellStatus::Green => self.green += 1,
            CellStatus::Blocked => self.blocked += 1,
            CellStatus::Cited => self.cited += 1,
            CellStatus::Hole => self.holes += 1,
        }
    }

    fn merge(&mut self, other: &Counts) {
        self.cells += other.cells;
        self.green += other.green;
        self.blocked += other.blocked;
        self.cited += other.cited;
        self.holes += other.holes;
    }
}

/// What a run showed: a function of cases, targets and code alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultPart {
    /// Summed over cells and editions.
    #[serde(flatten)]
    pub counts: Counts,
    /// Cases run.
    pub cases: u64,
    /// Words that the reference wrote and targets were compared on.
    pub datums: u64,
    /// Findings, by signature.
    pub findings: Vec<FindingPart>,
    /// How many of them are new.
    pub new_findings: u64,
    /// Cases that completed.
    pub completed: u64,
    /// The seed.
    pub seed: u64,
    /// Version of the generator.
    pub generator: u8,
    /// Version of the suite.
    pub version: String,
    /// The implementations that were compared, without their levels.
    pub targets: Vec<String>,
    /// Per instruction and edition.
    pub units: Vec<UnitPart>,
    /// Recorded vectors that were replayed.
    pub vectors: Option<VectorsPart>,
}

/// One instruction in one edition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitPart {
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// The instruction set.
    pub isa: String,
    /// The mnemonic.
    pub name: String,
    /// The edition.
    pub edition: String,
    /// Its cells.
    #[serde(flatten)]
    pub counts: Counts,
    /// Cells in which a target diverged.
    pub diverged: u64,
    /// Cells in which a target answered that it does not implement the case.
    pub unsupported: u64,
    /// Contested cells, if they were looked for.
    pub contested: Option<u64>,
    /// The implementations that have the instruction, without their levels.
    pub targets: Vec<String>,
    /// Per class of cells, in the instruction's order.
    pub classes: Vec<ClassPart>,
    /// Three-way coverage of the orthogonal axes, if counted.
    pub coverage: Option<CoveragePart>,
    /// The holes.
    pub hole_list: Vec<HolePart>,
    /// What no implementation but ours has shown yet.
    pub unwitnessed: Vec<UnwitnessedPart>,
    /// The errata that bear on it, by id.
    pub errata: Vec<String>,
    /// The page of the edition.
    pub page: PagePart,
    /// Every cell.
    pub map: MapPart,
}

/// One class of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassPart {
    /// The path that its cells take.
    pub name: String,
    /// Its cells.
    #[serde(flatten)]
    pub counts: Counts,
    /// Cells in which a target diverged.
    pub diverged: u64,
    /// Cells in which a target answered that it does not implement the case.
    pub unsupported: u64,
    /// Contested cells, if they were looked for.
    pub contested: Option<u64>,
}

/// Three-way coverage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveragePart {
    /// Combinations tried.
    pub covered: u64,
    /// Combinations there are.
    pub total: u64,
    /// Some that were not.
    pub uncovered: Vec<String>,
}

/// A cell that is a hole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HolePart {
    /// Its number.
    pub cell: u32,
    /// Its levels.
    pub description: String,
    /// Completed cases on which all targets agreed.
    pub done: u64,
    /// Held cases on which all targets agreed.
    pub blocked: u64,
    /// Cases for which a page promises nothing.
    pub cited: u64,
    /// Cases on which a target diverged.
    pub diverged: u64,
    /// Cases that some target does not implement.
    pub unsupported: u64,
}

/// An axis, or a level of one, that no implementation but ours has shown yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnwitnessedPart {
    /// The axis, or the level of an axis.
    pub axis: String,
    /// Why there is no witness.
    pub reason: String,
}

/// Every cell of a unit, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPart {
    /// The data-path axes; the last one runs fastest.
    pub axes: Vec<AxisPart>,
    /// For each cell its place in the product of the axes, if the product has places without a cell.
    pub places: Option<Vec<u32>>,
    /// One letter a cell: `G`reen, `B`locked, `C`ited, `H`ole, and `D` if a target diverged in it.
    pub statuses: String,
    /// One letter a cell: `x` if it is contested, else `.`; if contested cells were looked for.
    pub contested: Option<String>,
}

/// A data-path axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisPart {
    /// Its name.
    pub name: String,
    /// The names of its levels.
    pub levels: Vec<String>,
}

/// A page of a specification, pinned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PagePart {
    /// Short id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Repository, as `owner/name`.
    pub repository: String,
    /// Path in the repository.
    pub path: String,
    /// Commit.
    pub commit: String,
    /// SHA-256 of the file, where the whole file is pinned.
    pub sha256: Option<String>,
    /// Date of the commit.
    pub date: String,
    /// Licence of the page.
    pub licence: String,
}

/// Where a page says something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitationPart {
    /// The page.
    pub page: PagePart,
    /// Lines or section.
    pub place: String,
    /// What it is cited for, in our words.
    pub reason: String,
}

/// What makes divergences one finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignaturePart {
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// The implementation.
    pub target: String,
    /// Bank or field, without indices.
    pub place: String,
    /// Kind of difference.
    pub kind: String,
}

impl SignaturePart {
    /// The signature, as reports name it.
    #[must_use]
    pub fn of(signature: &Signature) -> Self {
        SignaturePart {
            instruction: signature.instruction.clone(),
            target: signature.target.clone(),
            place: signature.place.clone(),
            kind: signature.kind.name().to_string(),
        }
    }
}

impl std::fmt::Display for SignaturePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.instruction, self.target, self.place, self.kind)
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingPart {
    /// What makes its divergences one.
    pub signature: SignaturePart,
    /// `new` or `known`.
    pub verdict: String,
    /// The entries of the list of known findings that cover it.
    pub known: Vec<String>,
    /// Why it is new although its signature is listed.
    pub outside: Vec<String>,
    /// Id of the first case.
    pub first: String,
    /// Cases that showed it.
    pub cases: u64,
    /// Cases of the run up to the first one, and with it.
    pub cases_to_find: u64,
    /// Words that the reference wrote in them.
    pub datums_to_find: u64,
    /// Where it was seen, per edition.
    pub seen: Vec<SeenPart>,
    /// Bits that were seen to differ, from bit 0 on.
    pub bits: Vec<BitPart>,
    /// Its smallest case.
    pub minimized: Option<MinimizedPart>,
    /// Its first case by value, if there is no smallest one.
    pub stored: Option<CaseText>,
    /// It in words.
    pub explanation: Vec<String>,
    /// The pages.
    pub citations: Vec<CitationPart>,
    /// Errata that bear on the instruction.
    pub errata: Vec<String>,
    /// The command that replays the first case.
    pub replay: String,
}

/// Where a finding was seen in one edition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenPart {
    /// The edition.
    pub edition: String,
    /// Cell numbers.
    pub cells: Vec<u32>,
    /// Their classes, in the instruction's order.
    pub classes: Vec<String>,
}

/// A bit that was seen to differ, and in which directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitPart {
    /// The bit of the word or field.
    pub bit: u32,
    /// How often 0 was expected and 1 came.
    pub set: u64,
    /// How often 1 was expected and 0 came.
    pub cleared: u64,
}

/// The smallest case of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinimizedPart {
    /// Bank words, fields and instruction fields that differ from the base state.
    pub size: u64,
    /// Whether nothing more can be cleared.
    pub proven: bool,
    /// Runs of the target that it took.
    pub runs: u64,
    /// The instruction in the page's syntax.
    pub text: String,
    /// The case.
    pub case: CaseText,
    /// What differs in it.
    pub differences: Vec<DifferencePart>,
    /// Differences beyond those listed.
    pub more_differences: u64,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifferencePart {
    /// Where, with indices.
    pub place: String,
    /// Kind of difference.
    pub kind: String,
    /// Before the instruction, where there is such a thing.
    pub before: Option<String>,
    /// In the reference.
    pub expected: String,
    /// In the target.
    pub got: String,
}

/// Recorded vectors that were replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorsPart {
    /// Number of files.
    pub files: u64,
    /// Number of tests in them.
    pub tests: u64,
    /// Tests on which everybody agreed.
    pub agreed: u64,
    /// Tests that are revoked, with a reason that stands in their file.
    pub revoked: u64,
    /// Tests on which somebody diverged.
    pub divergent: u64,
    /// Per file, in the order of their names.
    pub list: Vec<VectorFilePart>,
}

/// One file of recorded vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorFilePart {
    /// Its path below the directory of vectors.
    pub file: String,
    /// Number of tests.
    pub tests: u64,
    /// Tests on which everybody agreed.
    pub agreed: u64,
    /// Revoked tests.
    pub revoked: u64,
    /// Ids of tests on which somebody diverged, with what diverged.
    pub divergent: Vec<String>,
}

impl VectorsPart {
    /// The summary of some files.
    #[must_use]
    pub fn of(list: Vec<VectorFilePart>) -> Self {
        let sum = |count: &dyn Fn(&VectorFilePart) -> u64| list.iter().map(count).sum();
        VectorsPart {
            files: list.len() as u64,
            tests: sum(&|file| file.tests),
            agreed: sum(&|file| file.agreed),
            revoked: sum(&|file| file.revoked),
            divergent: sum(&|file| file.divergent.len() as u64),
            list,
        }
    }
}

/// Where and how a result was found out. Nothing of it is committed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunPart {
    /// The CPU.
    pub cpu: String,
    /// Levels that ran.
    pub levels_run: Vec<String>,
    /// Levels that did not, although there is code for them.
    pub levels_not_run: Vec<String>,
    /// Number of workers.
    pub threads: u64,
    /// Time taken, in seconds.
    pub elapsed_seconds: f64,
    /// Cases per second, over all workers.
    pub cases_per_second: f64,
    /// Words compared per second, over all workers.
    pub datums_per_second: f64,
    /// Whether it was stopped from outside, so that fewer cases ran than were asked for.
    pub stopped: bool,
    /// Where vectors were read from.
    pub vectors: Vec<String>,
    /// Whatever else is to be said, for example why a level did not run.
    pub notes: Vec<String>,
    /// Which levels showed each finding.
    pub finding_levels: Vec<FindingLevelsPart>,
}

/// Which levels of a target showed a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingLevelsPart {
    /// The finding.
    pub signature: SignaturePart,
    /// The levels.
    pub levels: Vec<String>,
}

/// What a caller knows about a run.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The CPU.
    pub cpu: String,
    /// Levels that did not run, although there is code for them.
    pub levels_not_run: Vec<String>,
    /// Number of workers.
    pub threads: usize,
    /// Where vectors were read from.
    pub vectors: Vec<String>,
    /// Whatever else is to be said.
    pub notes: Vec<String>,
}

impl RunInfo {
    /// This machine's CPU, with a number of workers.
    #[must_use]
    pub fn here(threads: usize) -> Self {
        RunInfo { cpu: cpu_name(), threads, ..RunInfo::default() }
    }
}

/// The CPU's name as the operating system gives it, else its architecture.
fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| text::visible(name.trim()))
}

/// What a report is built from.
pub struct Inputs<'a> {
    /// What ran.
    pub suite: &'a Suite,
    /// What came of it.
    pub campaign: &'a CampaignResult,
    /// The known findings.
    pub known: Known,
    /// Recorded vectors that were replayed.
    pub vectors: Option<VectorsPart>,
    /// Contested cells of the newest edition, per path of an instruction, where they were looked for.
    pub contested: BTreeMap<String, Vec<ContestedCell>>,
    /// The command that replays a case, without its id.
    pub replay: String,
    /// About the run.
    pub run: RunInfo,
}

impl<'a> Inputs<'a> {
    /// A campaign with nothing known and nothing else looked at.
    #[must_use]
    pub fn new(suite: &'a Suite, campaign: &'a CampaignResult) -> Self {
        Inputs {
            suite,
            campaign,
            known: Known::default(),
            vectors: None,
            contested: BTreeMap::new(),
            replay: "tandem replay".to_string(),
            run: RunInfo::here(1),
        }
    }
}

impl Report {
    /// The report of a campaign.
    #[must_use]
    pub fn build(inputs: &Inputs<'_>) -> Self {
        let campaign = inputs.campaign;
        let units: Vec<UnitPart> = campaign.units.iter().map(|unit| unit_part(inputs, unit)).collect();
        let mut counts = Counts::default();
        units.iter().for_each(|unit| counts.merge(&unit.counts));
        let findings: Vec<FindingPart> =
            campaign.findings.iter().map(|finding| finding_part(inputs, finding)).collect();
        let result = ResultPart {
            counts,
            cases: campaign.cases,
            datums: campaign.datums,
            new_findings: findings.iter().filter(|finding| finding.is_new()).count() as u64,
            findings,
            completed: campaign.completed,
            seed: campaign.seed,
            generator: GENERATOR_VERSION,
            version: env!("CARGO_PKG_VERSION").to_string(),
            targets: names(inputs.suite.isas.iter().flat_map(|suite| suite.targets.iter().map(|one| &*one.info.name))),
            units,
            vectors: inputs.vectors.clone(),
        };
        Report { result, run: run_part(inputs) }
    }
}

impl FindingPart {
    /// Whether nothing in the list of known findings covers it.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.known.is_empty()
    }
}

/// Names in their order, each once.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in all {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    names
}

fn run_part(inputs: &Inputs<'_>) -> RunPart {
    let (campaign, info) = (inputs.campaign, &inputs.run);
    let levels = inputs.suite.isas.iter().flat_map(|suite| suite.targets.iter().filter_map(|one| one.info.level.as_deref()));
    RunPart {
        cpu: info.cpu.clone(),
        levels_run: names(levels),
        levels_not_run: info.levels_not_run.clone(),
        threads: info.threads as u64,
        elapsed_seconds: campaign.elapsed.as_secs_f64(),
        cases_per_second: rate(campaign.cases, campaign.elapsed),
        datums_per_second: rate(campaign.datums, campaign.elapsed),
        stopped: campaign.stopped,
        vectors: info.vectors.clone(),
        notes: info.notes.clone(),
        finding_levels: campaign
            .findings
            .iter()
            .filter(|finding| !finding.levels.is_empty())
            .map(|finding| FindingLevelsPart {
                signature: SignaturePart::of(&finding.signature),
                levels: finding.levels.iter().cloned().collect(),
            })
            .collect(),
    }
}

fn rate(count: u64, elapsed: Duration) -> f64 {
    if elapsed.is_zero() { 0.0 } else { (count as f64 / elapsed.as_secs_f64()).round() }
}

fn suite_of<'a>(inputs: &Inputs<'a>, isa: &str) -> &'a IsaSuite {
    inputs.suite.isa(isa).expect("what ran is of the suite")
}

// ------------------------------------------------------------------------------------------------ units

fn unit_part(inputs: &Inputs<'_>, unit: &UnitResult) -> UnitPart {
    let UnitResult { instruction, edition, cells: counts, coverage, uncovered } = unit;
    let (instruction, edition) = (*instruction, *edition);
    let space = (instruction.cells)(edition);
    let contested = inputs.contested.get(&instruction.path()).filter(|_| edition == Edition::Newest);
    let targets = suite_of(inputs, instruction.isa).targets.iter();
    let implementing = targets.filter(|factory| factory.make().implements(instruction)).map(|one| &*one.info.name);
    let part = UnitPart {
        instruction: instruction.path(),
        isa: instruction.isa.to_string(),
        name: instruction.name.to_string(),
        edition: edition.name().to_string(),
        counts: counts_of(counts.iter()),
        diverged: counts.iter().filter(|count| count.diverged > 0).count() as u64,
        unsupported: counts.iter().filter(|count| count.unsupported > 0).count() as u64,
        contested: contested.map(|cells| cells.iter().filter(|cell| cell.is_contested()).count() as u64),
        targets: names(implementing),
        classes: class_parts(instruction, edition, counts, contested),
        coverage: coverage.map(|cover| CoveragePart {
            covered: cover.covered,
            total: cover.total,
            uncovered: uncovered.clone(),
        }),
        hole_list: holes(instruction, edition, counts),
        unwitnessed: instruction
            .unwitnessed
            .iter()
            .map(|one| UnwitnessedPart { axis: one.axis.to_string(), reason: one.reason.to_string() })
            .collect(),
        errata: explain::errata_of(instruction),
        page: PagePart::of((instruction.page)(edition)),
        map: MapPart {
            axes: space
                .axes
                .iter()
                .map(|axis| AxisPart {
                    name: axis.name.to_string(),
                    levels: axis.levels.iter().map(|level| (*level).to_string()).collect(),
                })
                .collect(),
            places: places(instruction, edition),
            statuses: counts.iter().map(letter).collect(),
            contested: contested
                .map(|cells| cells.iter().map(|cell| if cell.is_contested() { 'x' } else { '.' }).collect()),
        },
    };
    assert_eq!(part.counts.cells, space.len() as u64, "a unit has a count for every cell");
    part
}

fn counts_of<'a>(cells: impl Iterator<Item = &'a CellCount>) -> Counts {
    let mut counts = Counts::default();
    cells.for_each(|cell| counts.add(cell.status()));
    counts
}

fn letter(count: &CellCount) -> char {
    match count.status() {
        _ if count.diverged > 0 => 'D',
        CellStatus::Green => 'G',
        CellStatus::Blocked => 'B',
        CellStatus::Cited => 'C',
        CellStatus::Hole => 'H',
    }
}

fn class_parts(
    instruction: &Instruction,
    edition: Edition,
    counts: &[CellCount],
    contested: Option<&Vec<ContestedCell>>,
) -> Vec<ClassPart> {
    let space = (instruction.cells)(edition);
    let class_of = |cell: usize| (instruction.cell_class)(edition, space.levels(cell));
    let classes = instruction.cell_classes.iter().map(|&name| {
        let cells: Vec<usize> = (0..space.len()).filter(|&cell| class_of(cell) == name).collect();
        ClassPart {
            name: name.to_string(),
            counts: counts_of(cells.iter().map(|&cell| &counts[cell])),
            diverged: cells.iter().filter(|&&cell| counts[cell].diverged > 0).count() as u64,
            unsupported: cells.iter().filter(|&&cell| counts[cell].unsupported > 0).count() as u64,
            contested: contested.map(|all| cells.iter().filter(|&&cell| all[cell].is_contested()).count() as u64),
        }
    });
    classes.filter(|class| class.counts.cells > 0).collect()
}

fn holes(instruction: &Instruction, edition: Edition, counts: &[CellCount]) -> Vec<HolePart> {
    let space = (instruction.cells)(edition);
    let holes = counts.iter().enumerate().filter(|(_, count)| count.status() == CellStatus::Hole);
    holes
        .map(|(cell, count)| {
            let CellCount { done, blocked, cited, diverged, unsupported } = *count;
            HolePart {
                cell: u32::try_from(cell).expect("a cell number fits"),
                description: space.describe(cell),
                done,
                blocked,
                cited,
                diverged,
                unsupported,
            }
        })
        .collect()
}

/// The place of each cell in the product of the axes, unless every place has a cell.
fn places(instruction: &Instruction, edition: Edition) -> Option<Vec<u32>> {
    let space = (instruction.cells)(edition);
    let product: usize = space.axes.iter().map(|axis| axis.levels.len()).product();
    (product != space.len()).then(|| {
        let place = |cell: usize| {
            let axes = space.axes.iter().zip(space.levels(cell));
            axes.fold(0, |place, (axis, &level)| place * axis.levels.len() + usize::from(level))
        };
        (0..space.len()).map(|cell| u32::try_from(place(cell)).expect("fewer than 2^32 places")).collect()
    })
}

// ------------------------------------------------------------------------------------------------ findings

/// Where a finding was seen, per edition.
#[must_use]
pub fn seen_parts(finding: &Finding) -> Vec<SeenPart> {
    let instruction = finding.first.id.instruction;
    let editions = finding.cells.iter();
    editions
        .map(|(&edition, cells)| {
            let space = (instruction.cells)(edition);
            let seen: BTreeSet<&str> =
                cells.iter().map(|&cell| (instruction.cell_class)(edition, space.levels(cell as usize))).collect();
            SeenPart {
                edition: edition.name().to_string(),
                cells: cells.iter().copied().collect(),
                classes: instruction
                    .cell_classes
                    .iter()
                    .filter(|class| seen.contains(*class))
                    .map(|class| (*class).to_string())
                    .collect(),
            }
        })
        .collect()
}

/// Bits that were seen to differ in a finding.
#[must_use]
pub fn bit_parts(finding: &Finding) -> Vec<BitPart> {
    finding.bits.iter().map(|(&bit, &(set, cleared))| BitPart { bit, set, cleared }).collect()
}

fn finding_part(inputs: &Inputs<'_>, finding: &Finding) -> FindingPart {
    let id = finding.first.id;
    let suite = suite_of(inputs, id.isa);
    let (seen, bits) = (seen_parts(finding), bit_parts(finding));
    let signature = SignaturePart::of(&finding.signature);
    let (verdict, known, outside) = match inputs.known.triage(&signature, &seen, &bits) {
        Triage::Known { entries } => ("known", entries, Vec::new()),
        Triage::New { outside } => ("new", Vec::new(), outside),
    };
    let smallest = finding.minimized.as_ref();
    let differences: &[Difference] = smallest.map_or(&finding.first.differences, |smallest| &smallest.differences);
    let case = smallest.map(|smallest| &smallest.value).or(finding.stored.as_ref());
    let instruction = id.instruction;
    let (explanation, citations) = match case {
        Some(case) => (explain::explain(suite, case, differences), explain::citations(suite, case, differences)),
        None => (vec![format!("{}: no case by value was kept", finding.signature)], Vec::new()),
    };
    FindingPart {
        signature,
        verdict: verdict.to_string(),
        known,
        outside,
        first: id.to_string(),
        cases: finding.count,
        cases_to_find: finding.cases_to_find,
        datums_to_find: finding.datums_to_find,
        seen,
        bits,
        minimized: smallest.map(|smallest| MinimizedPart {
            size: smallest.value.size() as u64,
            proven: smallest.proven,
            runs: smallest.runs as u64,
            text: (instruction.print)(&smallest.value.code),
            case: CaseText::of(&smallest.value),
            differences: smallest
                .differences
                .iter()
                .take(MOST_DIFFERENCES)
                .map(|difference| difference_part(suite, difference))
                .collect(),
            more_differences: smallest.differences.len().saturating_sub(MOST_DIFFERENCES) as u64,
        }),
        stored: finding.stored.as_ref().filter(|_| smallest.is_none()).map(CaseText::of),
        explanation,
        citations,
        errata: explain::errata_of(instruction),
        replay: format!("{} {id}", inputs.replay),
    }
}

fn difference_part(suite: &IsaSuite, difference: &Difference) -> DifferencePart {
    let layout = suite.isa.layout;
    let (before, expected, got) = match difference {
        Difference::Word { bank, before, expected, got, .. } => {
            let bits = layout.banks[*bank].bits;
            (Some(text::hex(*before, bits)), text::hex(*expected, bits), text::hex(*got, bits))
        }
        Difference::Field { field, before, expected, got, .. } => {
            let width = (layout.fields)()[*field].width;
            (Some(text::hex(*before, width)), text::hex(*expected, width), text::hex(*got, width))
        }
        Difference::Answer { expected, got } => (None, expected.name().to_string(), got.name().to_string()),
        Difference::Panic(message) => (None, "an answer".to_string(), format!("panic: {message}")),
        Difference::Rerun(Kind::OrderDependent) => {
            (None, "the same answer after any predecessor".to_string(), "another answer".to_string())
        }
        Difference::Rerun(_) => (None, "the same answer each time".to_string(), "another answer".to_string()),
    };
    DifferencePart {
        place: difference.exact_place(layout),
        kind: difference.kind().name().to_string(),
        before,
        expected,
        got,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_campaign_becomes_a_report_whose_counts_add_up() {
        let (suite, campaign) = (sample::suite(), sample::campaign());
        let report = Report::build(&Inputs::new(&suite, &campaign));
        let result = &report.result;
        assert_eq!(result.counts.cells, campaign.cells() as u64);
        assert_eq!(result.counts.green, campaign.count(CellStatus::Green) as u64);
        let Counts { cells, green, blocked, cited, holes } = result.counts;
        assert_eq!(cells, green + blocked + cited + holes);
        for unit in &result.units {
            let mut classes = Counts::default();
            unit.classes.iter().for_each(|class| classes.merge(&class.counts));
            assert_eq!(classes, unit.counts);
            assert_eq!(unit.hole_list.len() as u64, unit.counts.holes);
            assert_eq!(unit.map.statuses.len() as u64, unit.counts.cells);
        }
        assert_eq!((result.findings.len(), result.new_findings), (1, 1));
        let finding = &result.findings[0];
        assert_eq!(finding.replay, format!("tandem replay {}", finding.first));
        assert_eq!(finding.minimized.as_ref().expect("it has one").differences.len(), 1);
        assert_eq!(report.run.finding_levels[0].levels, ["high", "low"]);
    }

    #[test]
    fn levels_stand_in_the_run_alone() {
        let (suite, campaign) = (sample::suite(), sample::campaign());
        let report = Report::build(&Inputs::new(&suite, &campaign));
        let json = serde_json::to_string(&report.result).expect("results serialize");
        assert!(!json.contains("\"high\"") && !json.contains("\"low\""), "{json}");
        assert_eq!(report.run.levels_run, ["low", "high"]);
    }

    #[test]
    fn vectors_are_summed_over_files() {
        let file = |name: &str, divergent: &[&str]| VectorFilePart {
            file: name.to_string(),
            tests: 5,
            agreed: 4 - divergent.len() as u64,
            revoked: 1,
            divergent: divergent.iter().map(|id| (*id).to_string()).collect(),
        };
        let sum = VectorsPart::of(vec![file("a", &[]), file("b", &["3"])]);
        assert_eq!((sum.files, sum.tests, sum.agreed, sum.revoked, sum.divergent), (2, 10, 7, 2, 1));
    }
}
