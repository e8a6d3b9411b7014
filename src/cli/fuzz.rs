//! `tandem fuzz`: generated cases, recorded vectors, known findings, and the report.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tandem_cases::ISAS;
use tandem_harness::report::known::Triage;
use tandem_harness::report::model::{VectorFilePart, VectorFindingPart, VectorsPart};
use tandem_harness::report::{
    Inputs, Known, Pages, Report, RunPart, first_file, html, json, junit, markdown, shell_words, terminal,
};
use tandem_harness::vectors::{Column, Columns, Divergences, ReplayResult, Replayer, Store, Witnesses};
use tandem_harness::{
    Budget, Campaign, CampaignResult, CaseSource, CellStatus, Checkpoint, DiagnoseLimits, Finding, Plan, Shard,
    Signature, Suite, UnitResult,
};
use tandem_isa::{Edition, Instruction};

use super::args::Fuzz;
use super::midway::Midway;
use super::shard::{About, Asked, Limits};
use super::store::Stored;
use super::{
    CliError, Common, Exit, claims, command, dealt, faults, files, output, progress, select, specified, store,
};
use crate::diagnosis::Mistakes;
use crate::wiring;

/// Seconds that `tandem fuzz` runs at least if nothing else is said: then it goes on until every cell is decided, …
const LEAST: f64 = 10.0;
/// … but no longer than this, of which recorded vectors may take …
const MOST: f64 = 24.0;
/// … so many. What comes behind, the report above all, is done by the 30th second.
const VECTORS: f64 = 12.0;
/// Causes of findings are looked for until then.
const CAUSES: f64 = 28.0;
/// How long causes of findings are looked for after the end of a run that has one by the clock.
const PART: Duration = Duration::from_secs(8);

/// What is to be run.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted<'a> {
    pub filters: &'a [String],
    /// Levels of axes, as `axis=level`.
    pub only: &'a [String],
    /// Fields and their values, as `field=value`.
    pub hold: &'a [String],
    pub plain: bool,
    /// Whether findings stay as they were gathered.
    pub no_causes: bool,
    /// The part that is run, if it is not all.
    pub shard: Option<Shard>,
    /// The file that says what partial targets answer.
    pub learned: Option<&'a Path>,
}

impl Wanted<'_> {
    /// What decides which cases there are.
    pub(super) fn asked(&self) -> Asked {
        let [filters, only, hold] = [self.filters, self.only, self.hold].map(<[String]>::to_vec);
        Asked { filters, only, hold, plain: self.plain, ..Asked::default() }
    }

    /// The options by which a run is narrowed.
    pub(super) fn options(&self) -> Vec<String> {
        let lists = [("--only", self.only), ("--hold", self.hold)];
        let lists = lists.into_iter().filter(|(_, items)| !items.is_empty());
        let mut options: Vec<String> = lists.flat_map(|(name, items)| [name.to_string(), items.join(",")]).collect();
        if self.plain {
            options.push("--plain".to_string());
        }
        options
    }
}

/// Runs a campaign, a shard of one, or what comes before all shards.
pub(super) fn command(asked: &Fuzz) -> Result<Exit, CliError> {
    let common = &asked.common();
    let (shard, learned) = (asked.part.shard, asked.learning.learned.as_deref());
    let Fuzz { filters, only, hold, plain, no_causes, .. } = asked;
    let (plain, no_causes) = (*plain, *no_causes);
    let wanted = Wanted { filters, only, hold, plain, no_causes, shard, learned };
    match (&asked.learning.learn, shard) {
        (Some(file), _) => dealt::learn(common, &wanted, file),
        (None, Some(shard)) => dealt::run(common, &wanted, shard),
        (None, None) => run(common, &wanted),
    }
}

pub(super) fn run(common: &Common, wanted: &Wanted<'_>) -> Result<Exit, CliError> {
    progress::listen();
    files::try_folder(&common.out)?;
    let suite = select::suite(common)?;
    let units = select::units(&suite, common, wanted.filters)?;
    let narrow = select::narrow(&units, wanted)?;
    let budget = match (common.cases, common.seconds) {
        (Some(cases), _) => Budget::Cases(cases),
        (None, seconds) => Budget::Time(Duration::from_secs_f64(seconds.unwrap_or(MOST))),
    };
    let asked = Asked { limits: Some(Limits::of(common)), ..wanted.asked() };
    let about = About::of(("fuzz", asked), common, &suite, &units);
    let mut midway = Midway::open(&common.out, &suite, &about, None)?;
    let from = midway.from.take();
    let seed = from.as_ref().map(|(seed, _)| *seed).or(common.seed).unwrap_or_else(fresh_seed);
    if !common.json && !output::is_quiet() {
        let after = from.as_ref().map(|(_, from)| format!(", going on after {} cases", from.cases()));
        outln!("seed {seed}{}", after.unwrap_or_default());
    }
    let plan = Plan { threads: common.workers(), coverage: common.complete, narrow, ..Plan::new(seed, budget, units) };
    if is_open_ended(common) {
        noteln!(
            "tandem: recorded vectors first, then generated cases until every cell is decided: {LEAST} to 30 seconds"
        );
    }
    let from = from.map(|(_, from)| from);
    let (campaign, tried) = try_all(common, wanted, (&suite, plan), Some(&midway), (from, None))?;
    if campaign.stopped {
        errln!("tandem: stopped; the same command goes on where it was");
    } else {
        midway.forget()?;
    }
    print_report(common, &tried.report)?;
    if campaign.stopped {
        return Ok(Exit::Interrupted);
    }
    Ok(verdict(common, &suite, &campaign, &tried))
}

/// Whether nobody said how long the run is to be.
fn is_open_ended(common: &Common) -> bool {
    common.cases.is_none() && common.seconds.is_none()
}

/// The end of a campaign whose blocks were all run by shards.
pub(super) fn joined(
    common: &Common,
    wanted: &Wanted<'_>,
    (suite, plan): (&Suite, &Plan),
    from: Checkpoint,
    note: String,
) -> Result<Exit, CliError> {
    let (campaign, tried) = try_all(common, wanted, (suite, plan.clone()), None, (Some(from), Some(note)))?;
    print_report(common, &tried.report)?;
    if campaign.stopped {
        errln!("tandem: stopped; the same command merges anew");
        return Ok(Exit::Interrupted);
    }
    Ok(verdict(common, suite, &campaign, &tried))
}

/// What came of a run beside its campaign.
struct Tried {
    known: Known,
    replayed: Replayed,
    report: Report,
}

/// Replays vectors, runs a campaign from where it was, looks for causes, and leaves the report.
fn try_all(
    common: &Common,
    wanted: &Wanted<'_>,
    (suite, mut plan): (&Suite, Plan),
    midway: Option<&Midway>,
    (from, note): (Option<Checkpoint>, Option<String>),
) -> Result<(CampaignResult, Tried), CliError> {
    let known = read_known(common, suite)?;
    let units = plan.units.clone();
    let asked = |instruction: &Instruction| units.iter().any(|(unit, _)| unit.path() == instruction.path());
    // Vectors may take half of the time that was asked for, or as long as a run takes if nothing was said.
    let most = common.cases.is_none().then(|| common.seconds.map_or(VECTORS, |seconds| seconds / 2.0));
    let only = select::edition(common)?;
    let begin = progress::elapsed();
    plan.specified = specified::specified(suite, &plan.units, plan.threads);
    let replayed = if common.no_vectors {
        Replayed::default()
    } else {
        replay_vectors((suite, &common.vectors), only, (&known, common.max_findings), asked, most)?
    };
    let from_vectors = replayed.new_findings(&known);
    if common.max_findings.is_some_and(|most| from_vectors.len() >= most.get()) {
        plan.budget = Budget::Cases(0);
    }
    let is_enough = |met: &BTreeMap<Signature, Finding>| {
        let is_new = |(signature, finding): &(&Signature, &Finding)| {
            !from_vectors.contains(signature) && matches!(known.triage_finding(finding), Triage::New { .. })
        };
        common.max_findings.is_some_and(|most| from_vectors.len() + met.iter().filter(is_new).count() >= most.get())
    };
    plan.budget = match plan.budget {
        // What was asked for is kept to, however long it took to get here.
        Budget::Time(time) if common.seconds.is_some() => {
            Budget::Time(time.saturating_sub(progress::elapsed()).max(time / 4))
        }
        Budget::Time(time) => Budget::Time(time.saturating_sub(progress::elapsed() - begin).max(time / 2)),
        Budget::Cases(cases) => Budget::Cases(cases),
    };
    plan.decided_after =
        is_open_ended(common).then(|| Duration::from_secs_f64(LEAST).saturating_sub(progress::elapsed()));
    let mut campaign = campaign((suite, &plan), midway, from, |campaign| campaign.until(&is_enough).run())?;
    campaign.notes.extend(note);
    let met = campaign.findings.iter().map(|finding| (finding.signature.clone(), finding.clone())).collect();
    if is_enough(&met) {
        campaign.notes.push(enough(common.max_findings));
    }
    if !wanted.no_causes {
        let left = Duration::from_secs_f64(CAUSES).saturating_sub(progress::elapsed());
        let most = if is_open_ended(common) { PART.min(left) } else { PART };
        part(suite, &plan, (most, common.seconds), &mut campaign);
    }
    replayed.join(&mut campaign.findings);
    let report = report(common, wanted, suite, &campaign, known.clone(), &replayed);
    write_report(&common.out, &report, common.complete)?;
    store_findings(&common.out, suite, &campaign, &command::options(common))?;
    claims::leave_observed(&common.out, &campaign)?;
    Ok((campaign, Tried { known, replayed, report }))
}

/// Runs a campaign from where it was, and keeps how far it is.
pub(super) fn campaign<T: Send>(
    (suite, plan): (&Suite, &Plan),
    midway: Option<&Midway>,
    from: Option<Checkpoint>,
    run: impl FnOnce(Campaign<'_>) -> T + Send,
) -> Result<T, CliError> {
    let failed = Mutex::new(None);
    let budget = match (plan.budget, plan.shard) {
        (Budget::Cases(cases), Some(shard)) => Budget::Cases(cases / shard.of()),
        (budget, _) => budget,
    };
    let result = progress::watched(Some(budget), |progress| {
        let keep = |checkpoint: &Checkpoint| {
            let kept = midway.map_or(Ok(()), |midway| midway.keep(plan.seed, checkpoint));
            if let Err(error) = kept {
                progress.stop.store(true, Ordering::Relaxed);
                failed.lock().expect("no worker panics while it keeps").get_or_insert(error);
            }
        };
        let campaign = Campaign::new(suite, plan, progress).kept_by(&keep);
        let campaign = match from {
            Some(from) => campaign.going_on(from),
            None => Ok(campaign),
        };
        campaign.map(run)
    });
    match failed.into_inner().expect("no worker panics while it keeps") {
        Some(error) => {
            if let Some(midway) = midway.filter(|midway| midway.path().exists()) {
                errln!("tandem: {} still says how far the campaign came before", midway.path().display());
            }
            Err(error)
        }
        None => result.map_err(|error| {
            let next = midway.map(|midway| format!("; delete {}", midway.path().display()));
            CliError::Usage(format!("{error}{}", next.unwrap_or_else(|| "; run the shards again".to_string())))
        }),
    }
}

/// Parts and joins the findings by their causes, as far as there is time.
fn part(suite: &Suite, plan: &Plan, (most, seconds): (Duration, Option<f64>), campaign: &mut CampaignResult) {
    if campaign.findings.is_empty() || campaign.stopped {
        return;
    }
    let until = matches!(plan.budget, Budget::Time(_)).then(|| {
        let until = Instant::now() + most;
        seconds.map_or(until, |seconds| until.min(progress::cut_after(seconds)))
    });
    let mut late = 0;
    progress::watched(None, |progress| {
        let is_over = || progress.stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until);
        for (place, &(instruction, edition)) in plan.units.iter().enumerate() {
            let isa = suite.isa(instruction.isa).expect("the plan's instructions are of the suite");
            let unit = (instruction, edition);
            let narrow = plan.narrow.get(place).cloned().unwrap_or_default();
            let dictionary = LazyCell::new(|| {
                let all = CaseSource::new(isa.isa, plan.seed);
                (Mistakes::of(isa, unit, &all.pools), all)
            });
            for factory in &isa.targets {
                let has_cause = |finding: &Finding| {
                    finding.is_to_be_parted(&factory.info, unit) || finding.is_in_order(&factory.info, unit)
                };
                if !campaign.findings.iter().any(has_cause) {
                    continue;
                }
                let one = isa.with_targets(vec![factory.clone()]);
                let findings = std::mem::take(&mut campaign.findings);
                let (mistakes, all) = &*dictionary;
                let name = factory.is_partial().then_some(&factory.info.name);
                let is_of = |of: &&UnitResult| {
                    std::ptr::eq(of.instruction, instruction) && of.edition == edition && of.target.as_ref() == name
                };
                // Drawn by other rules, its cases would be other ones.
                let of = campaign.units.iter().find(is_of);
                let source = CaseSource { held: of.and_then(|of| of.held(isa.isa, &narrow)), ..all.clone() };
                let mut limits = DiagnoseLimits::default();
                // Several mistakes at once take their time, and nobody waits for one answer.
                limits.steps *= 4;
                // Behind a border a case is dear: there no more are asked than before.
                if let Some(of) = of.filter(|_| factory.is_foreign()) {
                    limits.cases = limits.cases.min(of.cases());
                }
                campaign.findings = mistakes.part(&one, unit, &source, findings, limits, &is_over);
                late += u64::from(is_over());
            }
        }
    });
    campaign.findings.sort_by_key(|finding| (finding.signature.clone(), finding.cases_to_find));
    if late > 0 {
        campaign.notes.push(format!(
            "causes of findings were not all looked for, because the time was over: `tandem explain` does ({late})"
        ));
    }
}

/// The list of known findings. The usual one need not exist; one that was named must.
pub(super) fn read_known(common: &Common, suite: &Suite) -> Result<Known, CliError> {
    if common.known != Path::new(super::settings::KNOWN) && !common.known.exists() {
        let path = common.known.display();
        return Err(CliError::Usage(format!(
            "there is no list of known findings at {path}; check the path, or begin one with `tandem known accept`"
        )));
    }
    Ok(Known::read(&common.known, suite)?)
}

/// A seed from the clock: it chooses cases, and everything after it is a function of it.
pub(super) fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    tandem_isa::mix64(now.as_nanos() as u64) & ((1 << tandem_harness::SEED_BITS) - 1)
}

/// What came of the recorded vectors.
#[derive(Default)]
pub(super) struct Replayed {
    /// What came of each file.
    pub files: Vec<VectorFilePart>,
    /// Tests on which the reference itself differs: the file or the reference is wrong.
    pub reference: Vec<String>,
    /// What targets did wrong.
    pub met: Divergences,
    /// What others recorded of each instruction that was asked for, by its path.
    pub witnesses: BTreeMap<String, Witnesses>,
    /// Whether it ended early, because there were enough findings.
    pub is_enough: bool,
    /// Why tests were left out that nobody asked to leave out.
    pub notes: Vec<String>,
    /// Whether a test was under way when the time was over, and was cut.
    pub is_unfinished: bool,
}

/// That a run ended because there were enough findings.
pub(super) fn enough(most: Option<NonZeroUsize>) -> String {
    format!("ended with finding {}, as --max-findings asks", most.map_or(0, NonZeroUsize::get))
}

impl Replayed {
    /// The signatures of what targets did wrong and is not known.
    pub(super) fn new_findings(&self, known: &Known) -> BTreeSet<Signature> {
        let is_new =
            |(_, finding): &(&Signature, &Finding)| matches!(known.triage_finding(finding), Triage::New { .. });
        self.met.findings.iter().filter(is_new).map(|(signature, _)| signature.clone()).collect()
    }

    /// Adds the findings that no generated case showed, in the order of signatures.
    pub(super) fn join(&self, findings: &mut Vec<Finding>) {
        for (signature, finding) in &self.met.findings {
            if !findings.iter().any(|known| known.signature == *signature) {
                findings.push(finding.clone());
            }
        }
        findings.sort_by(|one, other| one.signature.cmp(&other.signature));
    }

    /// The part of a report with these findings.
    pub(super) fn part(&self, known: &Known, findings: &[Finding]) -> VectorsPart {
        VectorsPart::of(self.files.clone(), VectorFindingPart::list(&self.met, known, findings))
    }

    /// Where the tests stand.
    pub(super) fn columns(&self) -> Columns {
        self.files.iter().map(|file| file.columns).sum()
    }

    /// How many tests came out otherwise, and not as is known.
    pub(super) fn divergent(&self) -> u64 {
        self.columns().of(Column::Divergent)
    }

    /// Tests that were not replayed, because the time was over, Ctrl-C was pressed or there were enough findings.
    pub(super) fn left(&self) -> u64 {
        self.columns().of(Column::NotReached)
    }
}

/// Replays the recorded vectors of the instructions that are asked for on the reference and every target.
pub(super) fn replay_vectors(
    ground: (&Suite, &Path),
    only: Option<Edition>,
    (known, most): (&Known, Option<NonZeroUsize>),
    asked: impl Fn(&Instruction) -> bool + Send,
    seconds: Option<f64>,
) -> Result<Replayed, CliError> {
    progress::watched_for(seconds, None, |progress| {
        let goes_on = || {
            progress.cases.fetch_add(1, Ordering::Relaxed);
            !progress.stop.load(Ordering::Relaxed)
        };
        replay_while(ground, only, (known, most), asked, &goes_on)
    })
}

fn replay_while(
    (suite, directory): (&Suite, &Path),
    only: Option<Edition>,
    (known, most): (&Known, Option<NonZeroUsize>),
    asked: impl Fn(&Instruction) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Replayed, CliError> {
    let store = Store::load_of(ISAS, directory, &asked)?;
    let mut replayed = Replayed::default();
    let sources = wiring::sources();
    for (isa, instruction) in suite.instructions().filter(|(_, instruction)| asked(instruction)) {
        replayed.witnesses.insert(instruction.path(), Witnesses::of(&store, &sources, isa, instruction));
    }
    for (path, file) in &store.files {
        let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
        let result = if replayed.is_enough {
            ReplayResult::not_reached(file, &store.revoked, only)
        } else {
            Replayer::new(isa).replay_while(file, &store.revoked, only, goes_on)
        };
        replayed.notes.extend(result.why_left());
        replayed.is_unfinished |= result.unfinished.is_some();
        let name = path.strip_prefix(directory).unwrap_or(path).display().to_string();
        for run in result.failures() {
            replayed.met.add(isa, (&name, file), run);
        }
        let part = VectorFilePart::of(&name, &result, &|run| known.covers_run(isa, file, run));
        replayed.reference.extend(part.reference.iter().map(|test| format!("{name}: {test}")));
        replayed.files.push(part);
        replayed.is_enough |= most.is_some_and(|most| replayed.new_findings(known).len() >= most.get());
    }
    Ok(replayed)
}

fn report(
    common: &Common,
    wanted: &Wanted<'_>,
    suite: &Suite,
    campaign: &CampaignResult,
    known: Known,
    replayed: &Replayed,
) -> Report {
    let mut run = RunPart::here(common.workers());
    run.levels_not_run = select::levels_not_run(suite);
    run.vectors = if common.no_vectors { Vec::new() } else { vec![common.vectors.display().to_string()] };
    run.notes.extend(common.about_files());
    run.notes.extend(campaign.notes.iter().cloned());
    run.notes.extend(replayed.notes.iter().cloned());
    if replayed.left() > 0 {
        let why = if replayed.is_enough { "there were enough findings" } else { "the time was over" };
        run.notes.push(format!("{} vectors were not replayed, because {why}", replayed.left()));
    }
    let faults = faults::read(&common.out).unwrap_or_else(|why| {
        run.notes.push(why);
        None
    });
    let ran = |instruction: &Instruction| {
        let mut units = campaign.units.iter().filter(|unit| unit.edition == Edition::Newest);
        units.any(|unit| std::ptr::eq(unit.instruction, instruction))
    };
    let contested = super::report::contested(suite.instructions().filter(|(_, instruction)| ran(instruction)));
    let vectors = (!common.no_vectors).then(|| replayed.part(&known, &campaign.findings));
    let witnesses = replayed.witnesses.clone();
    run.options = command::shell_options(common);
    run.narrowed = shell_words(wanted.options().iter().map(String::as_str));
    let (replay, findings) =
        (command::with_targets(common, "replay"), command::path_word(&common.out.join("findings")));
    Report::build(&Inputs {
        known,
        vectors,
        faults,
        contested,
        witnesses,
        run,
        replay,
        findings,
        ..Inputs::new(suite, campaign)
    })
}

/// Writes the four files of a report.
pub(super) fn write_report(out: &Path, report: &Report, holes_fail: bool) -> Result<(), CliError> {
    for (name, text) in [
        ("report.json", json::report(report)),
        ("summary.md", markdown::summary(report)),
        ("junit.xml", junit::xml(report, holes_fail)),
        ("index.html", html::page(report)),
    ] {
        files::write(&out.join(name), &text)?;
    }
    Ok(())
}

/// Stores the first and the smallest case of each finding by value, because generators change.
/// `options` are the words of the command line by which the run got its targets.
pub(super) fn store_findings(
    out: &Path,
    suite: &Suite,
    campaign: &CampaignResult,
    options: &[String],
) -> Result<(), CliError> {
    let directory = out.join("findings");
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(CliError::io(&directory))?;
    }
    for (number, finding) in campaign.findings.iter().enumerate() {
        let isa = suite.isa(finding.first.id.isa).expect("the finding is of the suite");
        let smallest = finding.minimized.as_ref();
        let values = [
            (
                first_file(number + 1),
                finding.stored.as_ref().map(|value| (value, &finding.stored_after)),
                finding.shows,
            ),
            (format!("{:03}-smallest.json", number + 1), smallest.map(|small| (&small.value, &small.after)), true),
        ];
        let met = match &finding.first.recorded {
            Some(test) => format!("test {test}"),
            None => format!("case {}", finding.first.id),
        };
        for (name, value, shows) in values {
            let Some((value, after)) = value else { continue };
            store::case(&directory.join(name), isa, finding, &Stored { value, after, shows, met: &met, options })?;
        }
    }
    Ok(())
}

pub(super) fn print_report(common: &Common, report: &Report) -> Result<(), CliError> {
    let pages = common.pages.as_deref().map(|directory| Pages::open(directory).map_err(CliError::io(directory)));
    let pages = pages.transpose()?;
    if common.json {
        out!("{}", json::report(report));
        return Ok(());
    }
    let mut text = Vec::new();
    let render = if output::is_quiet() { terminal::render_findings } else { terminal::render };
    render(&mut text, report, output::colour(), pages.as_ref()).expect("memory takes everything");
    output::coloured(&String::from_utf8_lossy(&text));
    if !output::is_quiet() {
        outln!("report in {}", common.out.display());
    }
    Ok(())
}

fn verdict(common: &Common, suite: &Suite, campaign: &CampaignResult, tried: &Tried) -> Exit {
    let Tried { known, replayed, report } = tried;
    for line in &replayed.reference {
        errln!("tandem: the reference differs from a vector: {line}; read the page again");
    }
    if replayed.divergent() > 0 {
        let command = command::with_targets(common, "vectors check") + &command::files(common);
        errln!("tandem: targets differ from {} recorded vectors; `{command}` runs them again", replayed.divergent());
    }
    let gone = known.gone(suite);
    if !replayed.reference.is_empty() {
        Exit::Vectors
    } else if report.result.new_findings > 0 || replayed.divergent() > 0 {
        Exit::NewFinding
    } else if !gone.is_empty() {
        for entry in gone {
            let command = command::with_targets(common, "known prune") + &command::files(common);
            errln!(
                "tandem: known finding {} does not fail any more; take it off {} with `{command}`",
                entry.id,
                common.known.display()
            );
        }
        Exit::KnownGone
    } else if let Some(unit) =
        campaign.units.iter().find(|unit| unit.target.is_some() && unit.offered() == 0 && unit.was_refused())
    {
        errln!(
            "tandem: {} {} answers nothing of what the pages specify, so nothing was shown",
            unit.instruction.path(),
            unit.target.as_deref().unwrap_or_default()
        );
        Exit::Holes
    } else if !campaign.unfinished.is_empty() || replayed.is_unfinished {
        for cut in campaign.unfinished.iter().map(ToString::to_string).chain(replayed.notes.iter().cloned()) {
            errln!("tandem: {cut}: what it would have answered is not known");
        }
        Exit::Holes
    } else if let Some((signature, _)) = campaign.units.iter().find_map(UnitResult::given_up) {
        errln!("tandem: given up on {signature}");
        Exit::Holes
    } else if campaign.completed == 0 {
        errln!("tandem: no case completed, so nothing was shown; run more cases");
        Exit::Holes
    } else if common.complete && campaign.count(CellStatus::Hole) > 0 {
        errln!("tandem: {} cells are open; run more cases", campaign.count(CellStatus::Hole));
        Exit::Holes
    } else {
        Exit::Agree
    }
}
