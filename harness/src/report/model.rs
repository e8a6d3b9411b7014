//! The model of a report.
//!
//! Field order is the order of keys in JSON. Numbers are integers in `result`; there is no date anywhere.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::CaseText;
pub use super::faults_part::{FaultFigures, FaultPart, FaultsOfPart, FaultsPart};
pub use super::vectors_part::{VectorFilePart, VectorFindingPart, VectorsPart};
use crate::{BitCover, CellStatus, Claimed, Foretold, Signature};

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
    /// Cells that passed: enough cases completed and agreed.
    pub green: u64,
    /// Cells with enough agreed holds.
    pub blocked: u64,
    /// Cells that are undefined: a cited page specifies nothing for them.
    pub cited: u64,
    /// Cells of which a target refused whatever the pages promise.
    #[serde(default)]
    pub unsupported: u64,
    /// Cells in which a target differed only in what is disputed, and agreed too rarely to have passed.
    #[serde(default)]
    pub disputed: u64,
    /// Cells that are open: none of these.
    pub holes: u64,
}

impl Counts {
    pub(super) fn add(&mut self, status: CellStatus) {
        self.cells += 1;
        match status {
            CellStatus::Green => self.green += 1,
            CellStatus::Blocked => self.blocked += 1,
            CellStatus::Cited => self.cited += 1,
            CellStatus::Unsupported => self.unsupported += 1,
            CellStatus::Disputed => self.disputed += 1,
            CellStatus::Hole => self.holes += 1,
            // Counted per unit and class, beside these.
            CellStatus::Diverged => {}
        }
    }

    pub(super) fn merge(&mut self, other: &Counts) {
        self.cells += other.cells;
        self.green += other.green;
        self.blocked += other.blocked;
        self.cited += other.cited;
        self.unsupported += other.unsupported;
        self.disputed += other.disputed;
        self.holes += other.holes;
    }
}

/// What a run showed: a function of cases, targets and code alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultPart {
    /// Summed over cells and editions.
    #[serde(flatten)]
    pub counts: Counts,
    /// Cells in which a target diverged: with the six above they make up all cells.
    #[serde(default)]
    pub diverged: u64,
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

/// What decided a cell before it was written down.
const fn usual() -> u64 {
    crate::GREEN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
pub(super) const fn is_zero(count: &u64) -> bool {
    *count == 0
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
    /// Agreements that decide a cell.
    #[serde(default = "usual")]
    pub enough: u64,
    /// The edition.
    pub edition: String,
    /// Its cells.
    #[serde(flatten)]
    pub counts: Counts,
    /// Cells in which a target diverged.
    pub diverged: u64,
    /// The partial implementation that this is about; nothing if it is about all that are whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Cells of which a target answered at least one case that the pages specify.
    #[serde(default)]
    pub offered: u64,
    /// Cells that the pages specify.
    #[serde(default)]
    pub promised: u64,
    /// Cases that were asked, with those before the campaign.
    #[serde(default)]
    pub cases: u64,
    /// Those that the pages promise and that were answered.
    #[serde(default)]
    pub answered: u64,
    /// Those that the pages promise and that were refused.
    #[serde(default)]
    pub refusals: u64,
    /// Those in which a target differed in what is disputed of them, and none diverged: no findings.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disputed_cases: u64,
    /// What is disputed of the instruction, by id, if differences in it are no findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<String>,
    /// What a partial implementation answers, as it was found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<ObservedPart>,
    /// How it kept its claims; nothing if it is held to none, and the run is exploration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<Claimed>,
    /// Contested cells, if they were looked for.
    pub contested: Option<u64>,
    /// The implementations that have the instruction, without their levels.
    pub targets: Vec<String>,
    /// Per class of cells, in the instruction's order.
    pub classes: Vec<ClassPart>,
    /// Three-way coverage of the orthogonal axes, if counted.
    pub coverage: Option<CoveragePart>,
    /// Bits of fields that were seen with both values, if counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<BitCover>,
    /// The open cells.
    pub hole_list: Vec<HolePart>,
    /// Who else has recorded it; nothing if that was not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<WitnessPart>,
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
    /// Contested cells, if they were looked for.
    pub contested: Option<u64>,
}

/// What a partial implementation answers, as it was found out by asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedPart {
    /// Cases that were asked to find out.
    pub cases: u64,
    /// Why that ended early, if it did.
    pub ended: Option<String>,
    /// What it refuses, what refuses most first.
    pub rules: Vec<RulePart>,
    /// How well that foretold what it answered in the campaign.
    pub foretold: Foretold,
}

impl ObservedPart {
    /// The share of cases that were foretold rightly, in parts of a thousand; nothing if there was none.
    #[must_use]
    pub fn right(&self) -> Option<u64> {
        let Foretold { answered, refused, unexplained, contradicted } = self.foretold;
        let all = answered + refused + unexplained + contradicted;
        (all > 0).then(|| (answered + refused) * 1000 / all)
    }

    /// The share of refusals that no rule explains, in parts of a thousand; nothing if nothing was refused.
    #[must_use]
    pub fn unexplained(&self) -> Option<u64> {
        let Foretold { refused, unexplained, .. } = self.foretold;
        (refused + unexplained > 0).then(|| unexplained * 1000 / (refused + unexplained))
    }
}

/// A rule by which an implementation refuses cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulePart {
    /// When it refuses, in words.
    pub when: String,
    /// Why, in the implementation's own words, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it is about data, so that the modes are supported as such.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_data: bool,
    /// Unsupported cells that it explains.
    pub cells: u64,
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

/// A cell that is open.
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
    /// Cases that a target refused.
    pub unsupported: u64,
    /// Cases in which a target differed in what is disputed of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disputed: u64,
}

impl HolePart {
    /// How its cases ended, in words.
    #[must_use]
    pub fn counts(&self) -> String {
        let HolePart { done, blocked, cited, diverged, unsupported, disputed, .. } = self;
        let disputed = if *disputed > 0 { format!(", {disputed} disputed") } else { String::new() };
        format!(
            "{done} agreed, {blocked} held, {cited} undefined, {diverged} diverged, {unsupported} unsupported{disputed}"
        )
    }
}

/// A witness: all that derives from one author.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessPart {
    /// Who wrote it, or what it was made of.
    pub author: String,
    /// Whether the page has the same author.
    pub wrote_the_page: bool,
    /// Name and version of each source.
    pub sources: Vec<String>,
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
    /// One letter a cell: `G`reen, `B`locked, `C`ited, `U`nsupported, dis`P`uted, `H`ole, and `D` if a target
    /// diverged in it.
    pub statuses: String,
    /// One letter a cell: `x` if it is contested, else `.`; if contested cells were looked for.
    pub contested: Option<String>,
    /// For each unsupported cell the place of the rule that explains it, counted from 1, and 0 for the others; in runs, as
    /// the classes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// For each cell the share of its promised cases that were refused, in percent: 0 and 100 are exact; in runs, as the
    /// classes. Empty if nothing was refused.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub refusals: String,
    /// For each cell the place of its class in the unit's list, in runs: `0*3 2` says 0, 0, 0, 2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub classes: String,
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

impl PagePart {
    /// The beginning of its commit.
    #[must_use]
    pub fn short_commit(&self) -> &str {
        self.commit.get(..8).unwrap_or(&self.commit)
    }

    /// Where its text is, if the address is harmless.
    pub(super) fn address(&self) -> Option<String> {
        let url = format!("https://github.com/{}/blob/{}/{}", self.repository, self.commit, self.path);
        url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/._-".contains(&byte)).then_some(url)
    }
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
    /// The cases that run before it, the earliest first, where order matters.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::vectors::one_or_many")]
    pub after: Vec<CaseText>,
    /// Whether the case by value shows it; if not, only the run as a whole does.
    #[serde(default)]
    pub shows: bool,
    /// It in words.
    pub explanation: Vec<String>,
    /// The pages.
    pub citations: Vec<CitationPart>,
    /// The rules that it breaks, as far as they can be told apart: one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Errata whose other reading does what the target does.
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

/// The most bits that a word, a field or a datum has.
pub(super) const MOST_BITS: u32 = u64::BITS;

/// Reads a bit of a word, or how many bits it has.
fn of_a_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let bits = u32::deserialize(deserializer)?;
    if bits > MOST_BITS {
        return Err(D::Error::custom(format!("nothing has more than {MOST_BITS} bits, and this is {bits}")));
    }
    Ok(bits)
}

/// A bit that was seen to differ, and in which directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitPart {
    /// The bit of the word or field.
    #[serde(deserialize_with = "of_a_word")]
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
    /// How the bits are to be read, where the difference is one of bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutPart>,
}

/// How the bits of a word or field are to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutPart {
    /// How many bits it has.
    #[serde(deserialize_with = "of_a_word")]
    pub width: u32,
    /// The format of the datum in it, where one is known.
    pub format: Option<String>,
    /// Which of several data in the word, or which part of one that is larger; the values are of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datum: Option<String>,
    /// The parts of the format, highest bits first.
    pub parts: Vec<PiecePart>,
    /// The value that was expected.
    pub expected: Option<String>,
    /// The value that came.
    pub got: Option<String>,
}

/// Adjacent bits with one meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PiecePart {
    /// `sign`, `exponent`, `mantissa` or `value`.
    pub name: String,
    /// The lowest bit.
    #[serde(deserialize_with = "of_a_word")]
    pub shift: u32,
    /// How many bits.
    #[serde(deserialize_with = "of_a_word")]
    pub width: u32,
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
    /// The options by which the run got its targets, as a shell takes them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// The options by which its cases were narrowed, as a shell takes them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub narrowed: String,
    /// The command that gives the same result, if it is not one of generated cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Whatever else is to be said, for example why a level did not run.
    pub notes: Vec<String>,
    /// Which levels showed each finding.
    pub finding_levels: Vec<FindingLevelsPart>,
    /// The test of the tests, if this version of the suite was put to it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<FaultsPart>,
}

/// Which levels of a target showed a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingLevelsPart {
    /// The finding.
    pub signature: SignaturePart,
    /// The levels.
    pub levels: Vec<String>,
}

impl FindingPart {
    /// Whether nothing in the list of known findings covers it.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.known.is_empty()
    }
}
