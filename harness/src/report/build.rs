//! From a campaign to the model.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tandem_isa::{Edition, Instruction, Page};

use super::contested::ContestedCell;
use super::known::Known;
use super::model::{
    AxisPart, BitPart, ClassPart, Counts, CoveragePart, DifferencePart, FaultsPart, FindingLevelsPart, FindingPart,
    HolePart, MapPart, MinimizedPart, ObservedPart, PagePart, Report, ResultPart, RulePart, RunPart, SeenPart,
    SignaturePart, UnitPart, UnwitnessedPart, VectorsPart, WitnessPart,
};
use super::text::names;
use super::{CaseText, explain, text};
use crate::case::Plain;
use crate::observe::Observation;
use crate::terms::View;
use crate::vectors::Witnesses;
use crate::{
    CampaignResult, CaseValue, CellCount, CellStatus, Difference, Finding, Foretold, GENERATOR_VERSION, IsaSuite, Kind,
    Suite, TargetFactory, UnitResult,
};

/// Differences of a smallest case that are listed; the others are counted.
const MOST_DIFFERENCES: usize = 32;

impl RunPart {
    /// What is known of a run on this machine's CPU before it, with a number of workers.
    #[must_use]
    pub fn here(threads: usize) -> Self {
        RunPart { cpu: cpu_name(), threads: threads as u64, ..RunPart::default() }
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
    /// The test of the tests, if this version of the suite was put to it before.
    pub faults: Option<FaultsPart>,
    /// Contested cells of the newest edition, per path of an instruction, where they were looked for.
    pub contested: BTreeMap<String, Vec<ContestedCell>>,
    /// What others recorded of instructions, per path, where that was looked at.
    pub witnesses: BTreeMap<String, Witnesses>,
    /// The command that replays a case, without its id.
    pub replay: String,
    /// The directory that has the findings by value, as a shell gets to it.
    pub findings: String,
    /// About the run: the machine, the options, and what else is to be said. Levels, times and rates are the campaign's.
    pub run: RunPart,
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
            faults: None,
            contested: BTreeMap::new(),
            witnesses: BTreeMap::new(),
            replay: "tandem replay".to_string(),
            findings: "reports/latest/findings".to_string(),
            run: RunPart::here(1),
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
            campaign.findings.iter().enumerate().map(|(index, one)| finding_part(inputs, index + 1, one)).collect();
        let result = ResultPart {
            counts,
            diverged: units.iter().map(|unit| unit.diverged).sum(),
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

fn run_part(inputs: &Inputs<'_>) -> RunPart {
    let campaign = inputs.campaign;
    let levels =
        inputs.suite.isas.iter().flat_map(|suite| suite.targets.iter().filter_map(|one| one.info.level.as_deref()));
    RunPart {
        levels_run: names(levels),
        elapsed_seconds: campaign.elapsed.as_secs_f64(),
        cases_per_second: rate(campaign.cases, campaign.elapsed),
        datums_per_second: rate(campaign.datums, campaign.elapsed),
        stopped: campaign.stopped,
        finding_levels: campaign
            .findings
            .iter()
            .filter(|finding| !finding.levels.is_empty())
            .map(|finding| FindingLevelsPart {
                signature: SignaturePart::of(&finding.signature),
                levels: finding.levels.iter().cloned().collect(),
            })
            .collect(),
        faults: inputs.faults.clone(),
        ..inputs.run.clone()
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
    let UnitResult {
        instruction,
        edition,
        target,
        observation,
        foretold,
        claimed,
        cells: counts,
        specified: _,
        enough,
        coverage,
        bits,
        uncovered,
        spoilt: _,
    } = unit;
    let (instruction, edition) = (*instruction, *edition);
    let space = (instruction.cells)(edition);
    let contested = inputs.contested.get(&instruction.path()).filter(|_| edition == Edition::Newest);
    let targets = suite_of(inputs, instruction.isa).targets.iter();
    // A partial target has a unit of its own.
    let concerned = |factory: &&TargetFactory| match target {
        Some(target) => factory.info.name == *target,
        None => !factory.is_partial(),
    };
    let witnesses = inputs.witnesses.get(&instruction.path());
    let implementing =
        targets.filter(concerned).filter(|factory| factory.make().implements(instruction)).map(|one| &*one.info.name);
    let statuses: Vec<CellStatus> = (0..space.len()).map(|cell| unit.status(cell)).collect();
    let reasons = explaining(inputs, unit, &statuses);
    let part = UnitPart {
        instruction: instruction.path(),
        isa: instruction.isa.to_string(),
        name: instruction.name.to_string(),
        edition: edition.name().to_string(),
        enough: *enough,
        counts: counts_of(&statuses),
        diverged: count(&statuses, CellStatus::Diverged),
        target: target.clone(),
        offered: unit.offered() as u64,
        promised: unit.promised() as u64,
        cases: counts.iter().map(|count| count.answered + count.unsupported + count.cited).sum(),
        answered: counts.iter().map(|count| count.answered).sum(),
        refusals: counts.iter().map(|count| count.unsupported).sum(),
        disputed_cases: unit.disputed(),
        disputes: suite_of(inputs, instruction.isa)
            .disputes
            .iter()
            .filter(|dispute| dispute.concerns(instruction))
            .map(|dispute| dispute.id.to_string())
            .collect(),
        observed: observation.as_ref().map(|observation| observed(inputs, unit, observation, *foretold, &reasons)),
        claimed: *claimed,
        contested: contested.map(|cells| cells.iter().filter(|cell| cell.is_contested()).count() as u64),
        targets: names(implementing),
        classes: class_parts((instruction, edition), &statuses, contested),
        coverage: coverage.map(|cover| CoveragePart {
            covered: cover.covered,
            total: cover.total,
            uncovered: uncovered.clone(),
        }),
        bits: bits.clone(),
        hole_list: holes(instruction, edition, &statuses, counts),
        witnesses: witness_parts(instruction.page(edition), witnesses),
        unwitnessed: unwitnessed_parts(instruction, witnesses),
        errata: instruction.errata.iter().map(|id| (*id).to_string()).collect(),
        page: PagePart::of(instruction.page(edition)),
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
            statuses: statuses.iter().copied().map(letter).collect(),
            contested: contested
                .map(|cells| cells.iter().map(|cell| if cell.is_contested() { 'x' } else { '.' }).collect()),
            rules: if reasons.iter().any(|&rule| rule > 0) { runs(reasons.iter().copied()) } else { String::new() },
            refusals: if counts.iter().any(|count| count.unsupported > 0) {
                runs(counts.iter().map(refused_share))
            } else {
                String::new()
            },
            classes: class_runs(instruction, edition),
        },
    };
    assert_eq!(part.counts.cells, space.len() as u64, "a unit has a count for every cell");
    part
}

/// Who else has recorded an instruction.
fn witness_parts(page: &Page, witnesses: Option<&Witnesses>) -> Vec<WitnessPart> {
    let by_author = witnesses.iter().flat_map(|witnesses| &witnesses.by_author);
    by_author
        .map(|(author, sources)| WitnessPart {
            author: author.clone(),
            wrote_the_page: page.repository.split('/').next() == Some(author),
            sources: sources.iter().cloned().collect(),
        })
        .collect()
}

/// What nobody else has shown, or what is said of that if recordings were not looked at.
fn unwitnessed_parts(instruction: &Instruction, witnesses: Option<&Witnesses>) -> Vec<UnwitnessedPart> {
    let part = |axis: &str, reason: &str| UnwitnessedPart { axis: axis.to_string(), reason: reason.to_string() };
    match witnesses {
        Some(witnesses) => {
            witnesses.gaps.iter().chain(&witnesses.besides).map(|gap| part(&gap.of, &gap.reason)).collect()
        }
        None => instruction.unwitnessed.iter().map(|one| part(one.axis, one.reason)).collect(),
    }
}

fn counts_of(statuses: &[CellStatus]) -> Counts {
    let mut counts = Counts::default();
    statuses.iter().for_each(|&status| counts.add(status));
    counts
}

fn count(statuses: &[CellStatus], wanted: CellStatus) -> u64 {
    statuses.iter().filter(|&&status| status == wanted).count() as u64
}

/// The share of promised cases that were refused, in percent, of which 0 and 100 are exact.
fn refused_share(count: &CellCount) -> usize {
    let CellCount { unsupported: refused, answered, .. } = *count;
    match (refused, answered) {
        (0, _) => 0,
        (_, 0) => 100,
        _ => usize::try_from((refused * 100 / (refused + answered)).clamp(1, 99)).expect("it is at most 99"),
    }
}

fn letter(status: CellStatus) -> char {
    match status {
        CellStatus::Diverged => 'D',
        CellStatus::Green => 'G',
        CellStatus::Blocked => 'B',
        CellStatus::Cited => 'C',
        CellStatus::Unsupported => 'U',
        CellStatus::Disputed => 'P',
        CellStatus::Hole => 'H',
    }
}

fn class_parts(
    (instruction, edition): (&Instruction, Edition),
    statuses: &[CellStatus],
    contested: Option<&Vec<ContestedCell>>,
) -> Vec<ClassPart> {
    let space = (instruction.cells)(edition);
    let class_of = |cell: usize| (instruction.cell_class)(edition, space.levels(cell));
    let classes = instruction.cell_classes.iter().map(|&name| {
        let cells: Vec<usize> = (0..space.len()).filter(|&cell| class_of(cell) == name).collect();
        let statuses: Vec<CellStatus> = cells.iter().map(|&cell| statuses[cell]).collect();
        ClassPart {
            name: name.to_string(),
            counts: counts_of(&statuses),
            diverged: count(&statuses, CellStatus::Diverged),
            contested: contested.map(|all| cells.iter().filter(|&&cell| all[cell].is_contested()).count() as u64),
        }
    });
    classes.filter(|class| class.counts.cells > 0).collect()
}

fn holes(instruction: &Instruction, edition: Edition, statuses: &[CellStatus], counts: &[CellCount]) -> Vec<HolePart> {
    let space = (instruction.cells)(edition);
    let holes = statuses.iter().enumerate().filter(|&(_, &status)| status == CellStatus::Hole);
    holes
        .map(|(cell, _)| {
            let CellCount { done, blocked, cited, diverged, disputed, unsupported, answered: _ } = counts[cell];
            HolePart {
                cell: u32::try_from(cell).expect("a cell number fits"),
                description: space.describe(cell),
                done,
                blocked,
                cited,
                diverged,
                unsupported,
                disputed,
            }
        })
        .collect()
}

/// For each cell the place of its class among those that have cells, in runs.
fn class_runs(instruction: &Instruction, edition: Edition) -> String {
    let space = (instruction.cells)(edition);
    let class_of = |cell: usize| (instruction.cell_class)(edition, space.levels(cell));
    let classes = instruction.classes(edition);
    let place = |cell| classes.iter().position(|class| *class == class_of(cell)).expect("a cell's class is listed");
    runs((0..space.len()).map(place))
}

/// Numbers, those that are equal side by side as one: `0*3 2`.
fn runs(places: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match runs.last_mut() {
            Some((last, count)) if *last == place => *count += 1,
            _ => runs.push((place, 1)),
        }
    }
    let words =
        runs.into_iter().map(|(place, count)| if count == 1 { place.to_string() } else { format!("{place}*{count}") });
    words.collect::<Vec<_>>().join(" ")
}

/// For each unsupported cell the place of the rule that refuses its plain case, counted from 1; 0 for all others.
fn explaining(inputs: &Inputs<'_>, unit: &UnitResult, statuses: &[CellStatus]) -> Vec<usize> {
    let mut reasons = vec![0; statuses.len()];
    let Some(observation) = &unit.observation else { return reasons };
    let isa = suite_of(inputs, unit.instruction.isa).isa;
    let view = View::new(isa, unit.instruction, unit.edition);
    let plain = Plain::new(isa, unit.instruction, unit.edition);
    for (cell, reason) in reasons.iter_mut().enumerate() {
        if statuses[cell] == CellStatus::Unsupported {
            let refusing = observation.rules.refusing(&view, &plain.case(cell).parts(), None);
            *reason = refusing.map_or(0, |rule| rule + 1);
        }
    }
    reasons
}

fn observed(
    inputs: &Inputs<'_>,
    unit: &UnitResult,
    observation: &Observation,
    foretold: Foretold,
    reasons: &[usize],
) -> ObservedPart {
    let view = View::new(suite_of(inputs, unit.instruction.isa).isa, unit.instruction, unit.edition);
    let rules = observation.rules.list.iter().enumerate().map(|(place, rule)| RulePart {
        when: rule.describe(&view),
        reason: rule.reason.clone(),
        by_data: rule.data.is_some(),
        cells: reasons.iter().filter(|&&reason| reason == place + 1).count() as u64,
    });
    ObservedPart { cases: observation.cases, ended: observation.ended.clone(), rules: rules.collect(), foretold }
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
    let of = |(cells, (edition, classes)): (&BTreeSet<u32>, (Edition, Vec<String>))| SeenPart {
        edition: edition.name().to_string(),
        cells: cells.iter().copied().collect(),
        classes,
    };
    finding.cells.values().zip(finding.classes()).map(of).collect()
}

/// Bits that were seen to differ in a finding.
#[must_use]
pub fn bit_parts(finding: &Finding) -> Vec<BitPart> {
    finding.bits.iter().map(|(&bit, &(set, cleared))| BitPart { bit, set, cleared }).collect()
}

/// The name of the file that has a finding's first case by value, by its number in the report, from 1 on.
#[must_use]
pub fn first_file(number: usize) -> String {
    format!("{number:03}-first.json")
}

fn finding_part(inputs: &Inputs<'_>, number: usize, finding: &Finding) -> FindingPart {
    let id = finding.first.id;
    let suite = suite_of(inputs, id.isa);
    let (seen, bits) = (seen_parts(finding), bit_parts(finding));
    let signature = SignaturePart::of(&finding.signature);
    let cause = finding.explanation.clone().unwrap_or_default();
    let (verdict, known, outside) = inputs.known.triage(&signature, &seen, &bits, &cause.rules).parts();
    let smallest = finding.minimized.as_ref();
    let differences: &[Difference] = smallest.map_or(&finding.first.differences, |smallest| &smallest.differences);
    let case = smallest.map(|smallest| &smallest.value).or(finding.stored.as_ref());
    let after = smallest.map_or(&finding.stored_after, |smallest| &smallest.after);
    let instruction = id.instruction;
    let (mut explanation, citations) = match case {
        Some(case) => (explain::explain(suite, case, differences), explain::citations(suite, case, differences)),
        None => (vec![format!("{}: no case by value was kept", finding.signature)], Vec::new()),
    };
    explanation.splice(0..0, explain::in_order(after, &finding.first.after));
    explanation.splice(0..0, cause.lines);
    if finding.stored.is_some() && !finding.shows {
        explanation.push("by value this case does not show it; only the run as a whole does".to_string());
    }
    let replay = match &finding.first.recorded {
        _ if finding.first.by_value => {
            format!("{} {}/{}", inputs.replay, inputs.findings, first_file(number))
        }
        // Whoever recorded it has to run it again; what can be looked at here is what was asked.
        Some(test) => format!("tandem show {test}"),
        None => {
            let cases = finding.first.after.iter().chain([&id]).map(ToString::to_string).collect::<Vec<_>>().join(" ");
            format!("{} {cases}", inputs.replay)
        }
    };
    FindingPart {
        signature,
        verdict,
        known,
        outside,
        first: finding.first.recorded.clone().unwrap_or_else(|| id.to_string()),
        cases: finding.count,
        cases_to_find: finding.cases_to_find,
        datums_to_find: finding.datums_to_find,
        seen,
        bits,
        minimized: smallest.map(|smallest| MinimizedPart {
            size: smallest.value.size() as u64,
            proven: smallest.proven,
            runs: smallest.runs as u64,
            text: instruction.print(&smallest.value.code),
            case: CaseText::of(&smallest.value),
            differences: smallest
                .differences
                .iter()
                .take(MOST_DIFFERENCES)
                .map(|difference| difference_part(suite, &smallest.value, difference))
                .collect(),
            more_differences: smallest.differences.len().saturating_sub(MOST_DIFFERENCES) as u64,
        }),
        stored: finding.stored.as_ref().filter(|_| smallest.is_none()).map(CaseText::of),
        after: after.iter().map(CaseText::of).collect(),
        shows: finding.shows,
        explanation,
        citations,
        rules: cause.rules,
        errata: finding.errata.clone(),
        replay,
    }
}

fn difference_part(suite: &IsaSuite, case: &CaseValue, difference: &Difference) -> DifferencePart {
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
        Difference::LooseBits { expected, got, .. } => {
            (None, text::hex(u32::from(*expected), 8), text::hex(u32::from(*got), 8))
        }
        Difference::Answer { expected, got } => (None, expected.name().to_string(), got.name().to_string()),
        Difference::Panic(message) => (None, "an answer".to_string(), format!("panic: {message}")),
        Difference::Misbehaved(misbehaviour) => (None, "an answer".to_string(), misbehaviour.to_string()),
        Difference::ArenaHash { expected, got } => {
            (None, format!("hash {}", text::hex(*expected, 32)), format!("hash {}", text::hex(*got, 32)))
        }
        Difference::StrayRows(_) => (None, "unchanged".to_string(), "changed behind the report".to_string()),
        Difference::KeptThroughReset => {
            (None, "the same answer after a reset as when begun anew".to_string(), "another answer".to_string())
        }
        Difference::Refused(change) => {
            let DifferencePart { before, expected, got, .. } = difference_part(suite, case, change);
            (before, expected, got)
        }
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
        layout: explain::layout(case, difference),
    }
}
