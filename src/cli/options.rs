//! Options, in groups: a command has the groups on which it acts, and no others.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tandem_harness::Shard;
use tandem_harness::foreign::TargetSpec;

use super::settings::{Common, KNOWN, OUT, TIMEOUT, VECTORS};
use super::values::{cases, findings, seconds, shard};
use crate::check::read_seed;

/// Headings of the help, in the order in which commands have them.
pub(super) const RUN: &str = "What is run";
pub(super) const AMOUNT: &str = "How much";
const TARGETS: &str = "Targets";
pub(super) const FILES: &str = "Files";
pub(super) const MACHINE: &str = "The machine";
const MACHINES: &str = "Machines";
pub(super) const OUTPUT: &str = "Output";

/// A group of options.
pub(super) trait Group {
    /// Writes down what was said.
    fn tell(&self, common: &mut Common);
}

/// When a text has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb; CLICOLOR_FORCE colours everywhere.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub struct Look {
    /// Print no progress and no advice, and of a report only the findings and the verdict.
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub quiet: bool,
    /// When to use colours: `auto`, `always` or `never`. With `auto` NO_COLOR, CLICOLOR_FORCE and TERM=dumb are obeyed.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = true, help_heading = OUTPUT)]
    pub color: ColorWhen,
}

/// Which edition of the pages.
#[derive(Args, Clone, Debug)]
pub struct Editions {
    /// Only this edition of the pages: `spec` or `newest`.
    #[arg(long, help_heading = RUN)]
    pub edition: Option<String>,
}

impl Group for Editions {
    fn tell(&self, common: &mut Common) {
        common.edition.clone_from(&self.edition);
    }
}

/// Which cases, and how many.
#[derive(Args, Clone, Debug)]
pub struct Amount {
    /// Seed of the run, below 2^48. It is printed, and the same seed gives the same cases.
    #[arg(short, long, help_heading = AMOUNT, value_parser = read_seed)]
    pub seed: Option<u64>,
    /// Stop after this many cases: `4000000`, `4_000_000`, `4M`, `4e6`.
    #[arg(short = 'n', long, help_heading = AMOUNT, value_name = "N", value_parser = cases, allow_negative_numbers = true, conflicts_with = "seconds")]
    pub cases: Option<u64>,
    /// Stop after this many seconds.
    #[arg(long, help_heading = AMOUNT, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
}

impl Group for Amount {
    fn tell(&self, common: &mut Common) {
        let Amount { seed, cases, seconds } = self;
        (common.seed, common.cases, common.seconds) = (*seed, *cases, *seconds);
    }
}

/// How long, where it is said beforehand which cases there are.
#[derive(Args, Clone, Debug)]
pub struct Time {
    /// Stop after this many seconds.
    #[arg(long, help_heading = AMOUNT, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
}

impl Group for Time {
    fn tell(&self, common: &mut Common) {
        common.seconds = self.seconds;
    }
}

/// When a run has found enough.
#[derive(Args, Clone, Debug)]
pub struct Enough {
    /// Stop once there are this many findings that are not known.
    #[arg(long, help_heading = AMOUNT, value_name = "N", value_parser = findings, allow_negative_numbers = true)]
    pub max_findings: Option<NonZeroUsize>,
}

impl Group for Enough {
    fn tell(&self, common: &mut Common) {
        common.max_findings = self.max_findings;
    }
}

/// What is held against the reference.
#[derive(Args, Clone, Debug)]
pub struct Targets {
    #[command(flatten)]
    own: OwnTargets,
    #[command(flatten)]
    foreign: ForeignTargets,
    #[command(flatten)]
    models: Models,
    /// Take a difference in a disputed case for a finding like any other. Without it the pages are no measure where other
    /// public words of the chip's makers differ from them: `tandem errata` lists where, behind the errata.
    #[arg(long, help_heading = TARGETS, requires = "target")]
    disputed: bool,
}

impl Group for Targets {
    fn tell(&self, common: &mut Common) {
        self.own.tell(common);
        self.foreign.tell(common);
        self.models.tell(common);
        common.disputed = self.disputed;
    }
}

/// What somebody else's implementation does where there are named models.
#[derive(Args, Clone, Debug)]
pub struct Models {
    /// Which named model your implementation follows where the pages leave a choice, for example `Sum=fused`; cases of
    /// another model count as unsupported. `all` says that it does what each case asks for [default: what its claims say, else
    /// the first value of each model].
    #[arg(long, help_heading = TARGETS, value_name = "NAME=VALUE", value_delimiter = ',', requires = "target")]
    model: Vec<String>,
}

impl Group for Models {
    fn tell(&self, common: &mut Common) {
        common.model.clone_from(&self.model);
    }
}

/// The same where models are what is looked for, or nothing is compared.
#[derive(Args, Clone, Debug)]
pub struct TargetsOfAnyModel {
    #[command(flatten)]
    own: OwnTargets,
    #[command(flatten)]
    foreign: ForeignTargets,
}

impl Group for TargetsOfAnyModel {
    fn tell(&self, common: &mut Common) {
        self.own.tell(common);
        self.foreign.tell(common);
    }
}

/// Our own implementations.
#[derive(Args, Clone, Debug)]
pub struct OwnTargets {
    /// Targets, separated by commas: an implementation (`simd`), or one of its levels (`simd:avx2`).
    #[arg(long, help_heading = TARGETS, value_delimiter = ',')]
    targets: Vec<String>,
}

impl Group for OwnTargets {
    fn tell(&self, common: &mut Common) {
        common.targets.clone_from(&self.targets);
    }
}

/// Somebody else's implementations.
#[derive(Args, Clone, Debug)]
struct ForeignTargets {
    /// Your own implementation: `lib:PATH` (a shared library in a process of its own), `lib-inproc:PATH` (in ours) or
    /// `cmd:COMMAND` (which speaks over standard input and output). Then only such targets run and those that --targets
    /// names, for what they implement, and in the edition `newest`.
    #[arg(short, long, help_heading = TARGETS, value_name = "SPEC")]
    target: Vec<TargetSpec>,
    /// The claims of your implementation, in a file that `tandem claims accept` wrote. If it refuses more than they say, it breaks
    /// a promise. Without claims a run finds out what it answers.
    #[arg(long, help_heading = TARGETS, value_name = "FILE")]
    claims: Option<PathBuf>,
    /// How long a target of --target may take for a batch, in seconds.
    #[arg(long, alias = "limit", help_heading = TARGETS, value_name = "S", default_value = TIMEOUT, value_parser = seconds)]
    timeout: f64,
}

impl Group for ForeignTargets {
    fn tell(&self, common: &mut Common) {
        let ForeignTargets { target, claims, timeout } = self;
        common.target.clone_from(target);
        common.claims.clone_from(claims);
        common.timeout = *timeout;
    }
}

/// Whether what is disputed is held against a machine.
#[derive(Args, Clone, Debug)]
pub struct Disputed {
    /// Take a difference in a disputed test for a finding like any other.
    #[arg(long, help_heading = RUN)]
    disputed: bool,
}

impl Group for Disputed {
    fn tell(&self, common: &mut Common) {
        common.disputed = self.disputed;
    }
}

/// Where recorded vectors are.
#[derive(Args, Clone, Debug)]
pub struct Vectors {
    /// The directory of the recorded vectors. Without this option and without such a directory the program uses its own copy.
    #[arg(long, help_heading = FILES, value_name = "DIR", default_value = VECTORS)]
    vectors: PathBuf,
}

impl Group for Vectors {
    fn tell(&self, common: &mut Common) {
        common.vectors.clone_from(&self.vectors);
    }
}

/// Whether recorded vectors are replayed.
#[derive(Args, Clone, Debug)]
pub struct Replayed {
    /// Do not replay recorded vectors.
    #[arg(long, help_heading = FILES)]
    no_vectors: bool,
}

impl Group for Replayed {
    fn tell(&self, common: &mut Common) {
        common.no_vectors = self.no_vectors;
    }
}

/// Which findings are known.
#[derive(Args, Clone, Debug)]
pub struct KnownFindings {
    /// The list of known findings.
    #[arg(long, help_heading = FILES, value_name = "FILE", default_value = KNOWN)]
    known: PathBuf,
}

impl Group for KnownFindings {
    fn tell(&self, common: &mut Common) {
        common.known.clone_from(&self.known);
    }
}

/// The pages themselves.
#[derive(Args, Clone, Debug)]
pub struct OwnPages {
    /// Your copies of the specification pages, to quote the lines that a finding cites.
    #[arg(long, help_heading = FILES, value_name = "DIR")]
    pages: Option<PathBuf>,
}

impl Group for OwnPages {
    fn tell(&self, common: &mut Common) {
        common.pages.clone_from(&self.pages);
    }
}

/// How many cores.
#[derive(Args, Clone, Debug)]
pub struct Threads {
    /// Number of workers [default: one for each core].
    #[arg(short = 'j', long, help_heading = MACHINES, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Group for Threads {
    fn tell(&self, common: &mut Common) {
        common.threads = self.threads;
    }
}

/// Which part of a run this machine has.
#[derive(Args, Clone, Debug)]
pub struct Part {
    /// Run only shard I of N, and write its `shard.json` under --out. `tandem merge` joins all shards, replays vectors, and looks
    /// for smallest cases and causes.
    #[arg(long, help_heading = MACHINES, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
}

/// What all shards of a campaign share.
#[derive(Args, Clone, Debug)]
pub struct Learning {
    /// Only find out what partial targets answer, and write it to FILE, for all shards of the campaign.
    #[arg(long, help_heading = MACHINES, value_name = "FILE", conflicts_with = "shard")]
    pub learn: Option<PathBuf>,
    /// What partial targets answer, as --learn wrote it: the shard does not find it out anew.
    #[arg(long, help_heading = MACHINES, value_name = "FILE", requires = "shard")]
    pub learned: Option<PathBuf>,
}

/// Where results go.
#[derive(Args, Clone, Debug)]
pub struct Out {
    /// Where reports and findings are written, and read again.
    #[arg(short, long, help_heading = OUTPUT, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

impl Group for Out {
    fn tell(&self, common: &mut Common) {
        common.out.clone_from(&self.out);
    }
}

/// In which form results are printed.
#[derive(Args, Clone, Debug)]
pub struct Json {
    /// Print JSON, as docs/schemas has it.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

impl Group for Json {
    fn tell(&self, common: &mut Common) {
        common.json = self.json;
    }
}
