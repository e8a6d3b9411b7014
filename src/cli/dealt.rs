//! `tandem fuzz --shard`: one part of a campaign, what is found out before it, and all parts together.

use std::path::Path;

use serde_json::json;
use tandem_harness::{BLOCK, Budget, Campaign, Checkpoint, JoinError, Plan, Shard, Suite, join};

use super::fuzz::{self, Wanted};
use super::midway::Midway;
use super::shard::{self, About, Asked, Body, Gathered, Left};
use super::{CliError, Common, Exit, files, progress, select};

/// What a campaign runs on.
struct Ground {
    suite: Suite,
    about: About,
    plan: Plan,
}

impl Ground {
    fn of(common: &Common, wanted: &Wanted<'_>) -> Result<Self, CliError> {
        let (Some(seed), Some(cases)) = (common.seed, common.cases) else {
            return Err(CliError::Usage(
                "all shards of a run have one --seed and one --cases, those of the whole run: give both".to_string(),
            ));
        };
        let suite = select::suite(common)?;
        let units = select::units(&suite, common, wanted.filters)?;
        let narrow = select::narrow(&units, wanted)?;
        let about = About::of(("fuzz", wanted.asked()), common, &suite, &units);
        let budget = Budget::Cases(cases);
        let threads = common.workers();
        let plan =
            Plan { threads, coverage: common.complete, narrow, shard: wanted.shard, ..Plan::new(seed, budget, units) };
        Ok(Ground { suite, about, plan })
    }

    fn leave(&self, path: &Path, shard: (u64, u64), body: Body) -> Result<(), CliError> {
        let (about, levels) = (self.about.clone(), shard::levels(&self.suite));
        shard::write(path, &Left { about, shard, levels, body })
    }
}

/// Finds out what partial targets answer, and writes it down for all shards.
pub(super) fn learn(common: &Common, wanted: &Wanted<'_>, path: &Path) -> Result<Exit, CliError> {
    let ground = Ground::of(common, wanted)?;
    files::make_room(path)?;
    let budget = Some(ground.plan.budget);
    let (checkpoint, is_whole) =
        progress::watched(budget, |progress| Campaign::new(&ground.suite, &ground.plan, progress).run_observation());
    if !is_whole {
        errln!("tandem: stopped; the same command begins anew");
        return Ok(Exit::Interrupted);
    }
    ground.leave(path, (1, 1), Body::Learned(checkpoint))?;
    if common.json {
        outln!("{}", json!({ "learned": path }));
    } else {
        outln!("{}: what partial targets answer; each shard takes it by --learned", path.display());
    }
    Ok(Exit::Agree)
}

/// Reads what was found out for this campaign.
fn learned(path: &Path, about: &About) -> Result<Checkpoint, CliError> {
    let left = shard::read(path)?;
    let refuse = |why: String| CliError::Usage(format!("{}: {why}; run `tandem fuzz --learn` again", path.display()));
    if let Some((name, there, here)) = left.about.difference(about) {
        return Err(refuse(format!("it is of another run: {name} is {there} there and {here} here")));
    }
    match left.body {
        Body::Learned(checkpoint) => Ok(checkpoint),
        Body::Fuzz(_) | Body::Exhaust(_) | Body::Faults(_) => Err(refuse("this is a shard".to_string())),
    }
}

/// Runs a shard to its end, from where it was.
pub(super) fn run(common: &Common, wanted: &Wanted<'_>, shard: Shard) -> Result<Exit, CliError> {
    if common.max_findings.is_some() {
        return Err(CliError::Usage(
            "--max-findings is of a whole run, as no shard knows what the others find; leave it out".to_string(),
        ));
    }
    files::try_folder(&common.out)?;
    let ground = Ground::of(common, wanted)?;
    let Ground { suite, about, plan } = &ground;
    let cases = common.cases.unwrap_or_default();
    let blocks = cases.div_ceil(BLOCK);
    if shard.of() > blocks {
        return Err(CliError::Usage(format!(
            "--shard {shard}: {cases} cases are {blocks} blocks of {BLOCK}, and a shard has at least one; give more --cases, \
             or fewer shards"
        )));
    }
    let path = common.out.join(shard::FILE);
    if shard::is_done(&path, about, shard)? {
        shard::say_done(common, &path, shard);
        return Ok(Exit::Agree);
    }
    let mut midway = Midway::open(&common.out, suite, about, Some(shard))?;
    let from = match (midway.from.take(), wanted.learned) {
        (Some((_, from)), _) => Some(from),
        (None, Some(file)) => Some(learned(file, about)?),
        (None, None) => None,
    };
    let is_partial = suite.isas.iter().flat_map(|isa| &isa.targets).any(tandem_harness::TargetFactory::is_partial);
    if is_partial && from.is_none() {
        noteln!(
            "tandem: this shard finds out for itself what a partial target answers; `tandem fuzz --learn FILE` does that \
             once for all shards, and --learned FILE takes it"
        );
    }
    if !common.json {
        let after = from.as_ref().filter(|from| from.cases() > 0);
        let after = after.map(|from| format!(", going on after {} cases", from.cases()));
        outln!("seed {}, shard {shard}{}", plan.seed, after.unwrap_or_default());
    }
    let (checkpoint, is_whole) = fuzz::campaign((suite, plan), Some(&midway), from, |campaign| campaign.run_shard())?;
    if !is_whole {
        midway.keep(plan.seed, &checkpoint)?;
        errln!("tandem: stopped; the same command goes on where it was");
        return Ok(Exit::Interrupted);
    }
    let (cases, findings) = (checkpoint.cases(), checkpoint.num_findings());
    ground.leave(&path, (shard.number(), shard.of()), Body::Fuzz(checkpoint))?;
    midway.forget()?;
    shard::say(common, &path, shard, &[("cases", cases), ("findings", findings as u64)]);
    Ok(Exit::Agree)
}

/// What all shards come to together.
pub(super) fn merge(common: &Common, gathered: &Gathered, no_causes: bool) -> Result<Exit, CliError> {
    let Asked { filters, only, hold, plain, .. } = &gathered.about.asked;
    let wanted = Wanted { filters, only, hold, plain: *plain, no_causes, ..Wanted::default() };
    let ground = Ground::of(common, &wanted)?;
    refuse_other(&gathered.about, &ground.about)?;
    let checkpoints = gathered.left.iter().zip(&gathered.directories).map(|(left, directory)| match &left.body {
        Body::Fuzz(checkpoint) => Ok(checkpoint.clone()),
        Body::Learned(_) | Body::Exhaust(_) | Body::Faults(_) => Err(no_such(directory)),
    });
    let checkpoints: Vec<Checkpoint> = checkpoints.collect::<Result<_, _>>()?;
    let name = |place: usize| gathered.directories[place].display();
    let checkpoint = join(&checkpoints, common.cases.unwrap_or_default()).map_err(|error| {
        CliError::Usage(match &error {
            JoinError::Broken(place, why) => format!("{}: {why}; run this shard again", name(*place)),
            JoinError::Differ(place, what) => format!(
                "{} and {} do not belong together: they differ in {what}; if each found out for itself what a partial \
                 target answers, run all of them with --learned",
                name(0),
                name(*place)
            ),
        })
    })?;
    fuzz::joined(common, &wanted, (&ground.suite, &ground.plan), checkpoint, gathered.note())
}

/// Refuses to merge with other targets, or with another build, than the shards ran.
pub(super) fn refuse_other(shards: &About, here: &About) -> Result<(), CliError> {
    match shards.difference(here) {
        None => Ok(()),
        Some((name, there, here)) => Err(CliError::Usage(format!(
            "{name} is {there} in the shards, and {here} here; merge with the build and the options (--targets, --target, \
             --model, --claims) that the shards ran with"
        ))),
    }
}

/// A shard that has not what its command leaves.
pub(super) fn no_such(directory: &Path) -> CliError {
    CliError::Usage(format!("{}: this is no shard of its command; run it again", directory.display()))
}
