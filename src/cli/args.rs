//! The arguments.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use tandem_harness::Shard;
use tandem_harness::foreign::TargetSpec;
use tandem_harness::report::known::Verdict;
use tandem_harness::vectors::{EMBEDDED, has_embedded};

use crate::check::read_seed;

/// Where the list of known findings usually is.
pub(super) const KNOWN: &str = "reports/known.json";
/// Where recorded vectors usually are.
pub(super) const VECTORS: &str = "vectors";
/// How long a target may usually take for a batch, in seconds.
pub(super) const LIMIT: &str = "5";

/// Differential conformance of accelerator instruction sets.
///
/// Without a command: `tandem fuzz --seconds 10` over everything.
///
/// Exit codes: 0 all agree; 1 a bug of tandem itself; 2 usage; 10 a new finding; 11 the stored case of a known finding
/// does not fail any more; 12 holes (with --complete), results that are missing, or nothing that completed or is offered;
/// 13 vectors invalid; 14 target unavailable, or not loaded for a stored finding; 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tandem", version, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Machine-readable output on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// Seed of the run, below 2^48. It is printed, and the same seed gives the same cases.
    #[arg(long, global = true, value_parser = read_seed)]
    pub seed: Option<u64>,
    /// Stop after this many cases.
    #[arg(long, global = true, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "seconds")]
    pub cases: Option<u64>,
    /// Stop after this many seconds.
    #[arg(long, global = true, value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Targets, separated by commas: an implementation (`simd`), or one of its levels (`simd:avx2`).
    #[arg(long, global = true, value_delimiter = ',')]
    pub targets: Vec<String>,
    /// Your own implementation: `lib:PATH` (a shared library in a process of its own), `lib-inproc:PATH` (in ours) or
    /// `cmd:COMMAND` (which speaks over standard input and output). Then only such targets run and those that --targets
    /// names, for what they implement, and in the edition `newest`.
    #[arg(long, global = true, value_name = "SPEC")]
    pub target: Vec<TargetSpec>,
    /// Which named model your implementation follows where the pages leave a choice, for example `Sum=fused`; what goes by
    /// another counts as unsupported. `all` if it does what each case asks for [default: what it is claimed to follow, else
    /// the first value of each model].
    #[arg(long, global = true, value_name = "NAME=VALUE", value_delimiter = ',', requires = "target")]
    pub model: Vec<String>,
    /// What your implementation is held to: a file of claims, as `tandem claims accept` writes it. What it refuses beyond
    /// them breaks a promise. Without it a run finds out what is answered.
    #[arg(long, global = true, value_name = "FILE")]
    pub claims: Option<PathBuf>,
    /// How long a target of --target may take for a batch, in seconds.
    #[arg(long, global = true, value_name = "SECONDS", default_value = LIMIT, value_parser = seconds)]
    pub limit: f64,
    /// Only this edition of the pages: `spec` or `newest`.
    #[arg(long, global = true)]
    pub edition: Option<String>,
    /// Fail if a cell is a hole; count three-way combinations of the orthogonal axes, and bits of fields seen 0 and 1.
    #[arg(long, global = true)]
    pub complete: bool,
    /// Your copies of the specification pages, to quote the lines that a finding cites.
    #[arg(long, global = true, value_name = "DIR")]
    pub pages: Option<PathBuf>,
    /// Number of workers.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Where to write reports.
    #[arg(long, global = true, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Where recorded vectors are. If nothing is said and there is no such directory, those in the program are used.
    #[arg(long, global = true, value_name = "DIR", default_value = VECTORS)]
    pub vectors: PathBuf,
    /// Do not replay recorded vectors (fuzz).
    #[arg(long, global = true)]
    pub no_vectors: bool,
    /// The list of known findings.
    #[arg(long, global = true, value_name = "FILE", default_value = KNOWN)]
    pub known: PathBuf,
}

impl Common {
    /// The same options where there is no directory of vectors: those in the program are used.
    #[must_use]
    pub fn settled(&self) -> Self {
        let mut settled = self.clone();
        if self.vectors == Path::new(VECTORS) && !self.vectors.exists() && has_embedded() {
            settled.vectors = EMBEDDED.into();
        }
        settled
    }

    /// The directory that recorded vectors are written to.
    #[must_use]
    pub fn vectors_to_write(&self) -> &Path {
        if self.vectors == Path::new(EMBEDDED) { Path::new(VECTORS) } else { &self.vectors }
    }

    /// What a run does about vectors and known findings that is not what it usually does, in sentences.
    #[must_use]
    pub fn about_files(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.no_vectors {
            notes.push("recorded vectors were not replayed, as --no-vectors asks".to_string());
        } else if self.vectors == Path::new(EMBEDDED) {
            notes.push(format!("there is no directory {VECTORS} here: the vectors in the program were replayed"));
        }
        if self.known == Path::new(KNOWN) && !self.known.exists() {
            notes.push(format!("there is no {KNOWN} here: no finding is known"));
        }
        notes
    }

    /// Number of workers.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()), usize::from)
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e7 => Ok(value),
        _ => Err("a time is a number of seconds above 0 and at most 10000000".to_string()),
    }
}

fn length(text: &str) -> Result<usize, String> {
    let most = tandem_harness::MAX_STEPS;
    let length = text.parse().ok().filter(|length| (2..=most).contains(length));
    length.ok_or_else(|| format!("a program has 2 to {most} steps"))
}

fn part(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part - 1, parts)),
        _ => Err("a part is I/N, with I from 1 to N".to_string()),
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    text.parse()
}

fn verdict() -> impl TypedValueParser<Value = Verdict> {
    let named = |name: String| Verdict::ALL.into_iter().find(|verdict| verdict.name() == name);
    PossibleValuesParser::new(Verdict::ALL.map(Verdict::name))
        .map(move |name| named(name).expect("it is a possible one"))
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List instructions, cells, targets and errata.
    List {
        /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
        filters: Vec<String>,
    },
    /// Print all that the glue to an implementation needs: banks, fields, code words, values and what they mean.
    Describe {
        /// The instruction set, for example `tensix-wh`.
        isa: String,
        /// Only these instructions of it, for example `mova2d`; banks and fields are always there.
        instructions: Vec<String>,
        /// `table` for people, `json` (as --json), or `c` for a header with accessors.
        #[arg(long, default_value = "table", value_parser = ["table", "json", "c"])]
        format: String,
    },
    /// Run generated cases on the reference and every target, replay vectors, and leave a report.
    Fuzz {
        /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
        filters: Vec<String>,
        /// Only cases with these levels of axes, for example `SrcAFmt=BF16,thread=0`.
        #[arg(long, value_name = "AXIS=LEVEL", value_delimiter = ',')]
        only: Vec<String>,
        /// Hold fields at values in every case, for example `DstRow=0,CurrentThread=1`; they are written last.
        #[arg(long, value_name = "FIELD=VALUE", value_delimiter = ',')]
        hold: Vec<String>,
        /// Plain cases only: the base state, and of each axis that is not about data its plain level.
        #[arg(long)]
        plain: bool,
        /// Do not look for the causes of findings: they stay as cases were gathered, by instruction, place and kind of
        /// difference. It is faster, and your implementation is asked less.
        #[arg(long)]
        no_causes: bool,
        /// Run only shard I of N of the campaign that --seed and --cases name, and leave its `shard.json` under --out, for
        /// `tandem merge`. Vectors, smallest cases and causes are left to the merge.
        #[arg(long, value_name = "I/N", value_parser = shard)]
        shard: Option<Shard>,
        /// Only find out what partial targets answer, and write it to FILE, for all shards of the campaign.
        #[arg(long, value_name = "FILE", conflicts_with = "shard")]
        learn: Option<PathBuf>,
        /// What partial targets answer, as --learn wrote it: the shard does not find it out anew.
        #[arg(long, value_name = "FILE", requires = "shard")]
        learned: Option<PathBuf>,
    },
    /// Join what all shards of a run left: the result is that of one machine, which ran the whole. The targets are given as
    /// to the shards; everything else stands in their files.
    Merge {
        /// The directories that the shards had as --out, in any order.
        #[arg(required = true, value_name = "DIR")]
        directories: Vec<PathBuf>,
        /// Do not look for the causes of findings.
        #[arg(long)]
        no_causes: bool,
    },
    /// Say how a report differs from an earlier one: findings that were born or closed, and cells that ended otherwise. It
    /// ends with 10 if a finding was born.
    Diff {
        /// The earlier report: its file, or the directory that has it.
        first: PathBuf,
        /// The later one.
        second: PathBuf,
    },
    /// Write one page from many reports, to --out (FILE.html): cells, findings that were born and closed, rates, and a line
    /// for each instruction.
    Trend {
        /// The reports, the earliest first: their files, or the directories that have them.
        #[arg(required = true, value_name = "DIR")]
        reports: Vec<PathBuf>,
    },
    /// Run programs: all ordered pairs of instructions, by what the second has to do with the first, alone and with further
    /// steps behind them.
    Programs {
        /// The instructions of which programs are made, for example `tensix-wh` or `tensix-wh/mova2d`.
        filters: Vec<String>,
        /// Steps of each program, from 2 to 16 [default: half of them have two, few have many].
        #[arg(long, value_parser = length)]
        length: Option<usize>,
        /// Instead, measure programs a second, on one thread.
        #[arg(long)]
        speed: bool,
    },
    /// Run every value of an operand domain through every cell.
    Exhaust {
        /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
        filters: Vec<String>,
        /// The domains of more than 19 bits, instead of the others. It takes long, so what is done is kept under --out:
        /// the same command goes on where an earlier one ended.
        #[arg(long)]
        wide: bool,
        /// Only cells with these levels of data-path axes, for example `dst_type=HF,src_type=F`.
        #[arg(long, value_name = "AXIS=LEVEL", value_delimiter = ',')]
        only: Vec<String>,
        /// Run only shard I of N of the values, and leave its `shard.json` under --out, for `tandem merge`.
        #[arg(long, value_name = "I/N", value_parser = shard)]
        shard: Option<Shard>,
    },
    /// Run one case again, or several cases one directly after the other, or the tests of a file.
    Replay {
        /// Case ids, the id of a program, or one file of vectors.
        #[arg(required = true)]
        what: Vec<String>,
    },
    /// Make the failing cases of a file smaller.
    Minimize {
        /// A file of vectors, for example a stored finding.
        file: PathBuf,
    },
    /// Explain a case, a file, an instruction word or an instruction's text.
    Show {
        /// A case id, a file of vectors, a word such as `0x12002000`, or a text such as `TT_MOVA2D(0, 0, 0, (1) << 1, 0)`.
        what: String,
    },
    /// Say which rule of the pages a target behaves as if it had wrong, and try to refute that.
    Explain {
        /// Instructions, for example `tensix-wh/mova2d`, or files of findings, whose instructions are meant.
        what: Vec<String>,
    },
    /// Recorded vectors.
    Vectors {
        /// What to do with them.
        #[command(subcommand)]
        action: VectorsAction,
    },
    /// Show that deliberately wrong implementations are found, how soon, and how small their cases become.
    Faults {
        /// Instructions, for example `tensix-wh/mova2d`.
        filters: Vec<String>,
        /// One fault for each green cell as well: one result bit flipped in that cell only.
        #[arg(long)]
        per_cell: bool,
        /// Hunt only shard I of N of the faults, and leave its `shard.json` under --out, for `tandem merge`.
        #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "twists")]
        shard: Option<Shard>,
        /// Instead, the reference's twin with one thing done wrong, alone and with a guard: operators, conditions, numbers,
        /// fields, indices, turns and statements of the reference, or one part of them, as `I/N`.
        #[arg(long, value_name = "I/N", num_args = 0..=1, require_equals = true, default_missing_value = "1/1", value_parser = part, conflicts_with = "per_cell")]
        twists: Option<(u64, u64)>,
    },
    /// Say which edition and which readings of the pages a target follows, on few cases.
    Fingerprint {
        /// Instructions, for example `tensix-wh/mova2d`.
        filters: Vec<String>,
    },
    /// What your implementation claims to do.
    Claims {
        /// What to do with it.
        #[command(subcommand)]
        action: ClaimsAction,
    },
    /// The list of known findings, which do not fail a run.
    Known {
        /// What to do with it.
        #[command(subcommand)]
        action: KnownAction,
    },
    /// Print the errata of the pages.
    Errata {
        /// Only this one, for example `TX-01`.
        id: Option<String>,
    },
    /// Print the rules of scheduling: which instruction may follow which, and after how long; or hold a program against them.
    Rules {
        /// The instruction set, for example `tensix-wh`; without it all.
        isa: Option<String>,
        /// A program of one thread: words such as `0x12002000`, instructions such as `"MOVD2A DstRow=8"`, and numbers of
        /// cycles in which nothing is issued.
        program: Vec<String>,
    },
    /// Write the committed reports anew, or compare them with what is committed.
    Report {
        /// Write them; without it they are compared, and a difference is a failure.
        #[arg(long)]
        bless: bool,
    },
    /// Measure speed: reference, each level, and complete cases, on one thread.
    Bench {
        /// Instructions, for example `tensix-wh/mova2d`.
        filters: Vec<String>,
    },
    /// Serve a shared library over standard input and output: the process that `--target lib:PATH` starts.
    #[command(hide = true)]
    HostLibrary {
        /// The library.
        path: PathBuf,
    },
}

/// What to do with the list of known findings.
#[derive(Debug, Subcommand)]
pub enum KnownAction {
    /// Add findings of the last run, which is under --out: each entry covers the modes and bits in which it was seen.
    Accept {
        /// Findings: their numbers in the report, or their files.
        #[arg(required_unless_present = "all")]
        findings: Vec<String>,
        /// All findings of the report that are new.
        #[arg(long, conflicts_with = "findings")]
        all: bool,
        /// What is known about them. A confirmed one has a --link to its public thread.
        #[arg(long, default_value = "candidate", value_parser = verdict())]
        verdict: Verdict,
        /// What shows it [default: how often it was met, and in which case first].
        #[arg(long, value_name = "TEXT")]
        evidence: Option<String>,
        /// The public thread, or the erratum.
        #[arg(long, value_name = "URL")]
        link: Option<String>,
    },
    /// Print the list.
    List,
    /// Take off what does not happen any more with the targets of this run.
    Prune {
        /// Only say what would be taken off.
        #[arg(long)]
        dry_run: bool,
    },
}

/// What to do with claims.
#[derive(Debug, Subcommand)]
pub enum ClaimsAction {
    /// Make claims of what the last run under --out observed, and write them to --claims [default: claims.toml]. Claims only
    /// grow.
    Accept,
}

/// What to do with recorded vectors.
#[derive(Debug, Subcommand)]
pub enum VectorsAction {
    /// Record the vectors of our own anew, from the reference, into the directory of vectors.
    Record {
        /// Instructions, for example `tensix-wh/mova2d`.
        filters: Vec<String>,
        /// One plain test a cell instead, into --out: the base state, every axis that is not the cell's at its plain level,
        /// ordinary data. They are what an implementation can run that does only a part of an instruction.
        #[arg(long)]
        plain: bool,
    },
    /// Read every file strictly, and run every test on the reference and every target.
    Check {
        /// Files or directories; all of the vectors directory if none is given.
        paths: Vec<PathBuf>,
    },
    /// Look at all files together: cells without a test, unknown flags, tests that could be smaller.
    Lint,
    /// Write chosen tests to standard output as one file, or as plain tables into --out.
    Export(Export),
    /// Judge results that were recorded on a machine for exported tests: JSON lines with `id`, `outcome`, `small`, `rows`.
    Judge {
        /// The results.
        results: PathBuf,
        /// What was exported, as `vectors export --manifest` wrote it down: all of it must be answered.
        #[arg(long, value_name = "FILE")]
        manifest: Vec<PathBuf>,
        /// How the machine is called; the name of the file if nothing is said.
        #[arg(long)]
        machine: Option<String>,
    },
    /// Serve a Tensix made of the reference on standard input and output, to try an adapter for `tensix-program` without a
    /// board: a line of JSON for each request and each answer.
    Board {
        /// The chip.
        #[arg(value_parser = ["tensix-wh", "tensix-bh"])]
        chip: String,
        /// A machine that is wrong in a bit of every row of `Dst` that is read.
        #[arg(long)]
        wrong: bool,
    },
    /// Convert a recording of ttsim or of cm-cpu-emulation (JSON lines, not compressed) to standard output.
    Import {
        /// The recording.
        file: PathBuf,
        /// Keep only a selection of this many tests that covers most.
        #[arg(long)]
        covering: Option<usize>,
        /// Only read it, and say what comes of each line; the reference is not asked.
        #[arg(long, conflicts_with = "covering")]
        account: bool,
    },
}

/// Which tests are exported, and how.
#[derive(Debug, Args)]
pub struct Export {
    /// The file to choose from. For `tensix-program` also several, or filters such as `tensix-wh/mova2d`, or none for all.
    pub file: Vec<PathBuf>,
    /// Only tests that carry one of these flags.
    #[arg(long, value_delimiter = ',')]
    pub flags: Vec<String>,
    /// No test that carries one of these flags.
    #[arg(long, value_delimiter = ',')]
    pub without_flags: Vec<String>,
    /// Only tests that hardware can be asked. A contested one is not: texts differ on it, or it holds what no hardware
    /// does.
    #[arg(long)]
    pub hardware: bool,
    /// Only tests of one of these cells, by number; with `axis=level`, of cells that have all of these levels.
    #[arg(long, value_name = "NUMBER|AXIS=LEVEL", value_delimiter = ',')]
    pub cell: Vec<String>,
    /// Only tests of cells of this class, or of one of these if it is given again.
    #[arg(long, value_name = "NAME")]
    pub class: Vec<String>,
    /// At most this many tests of each cell.
    #[arg(long)]
    pub per_cell: Option<usize>,
    /// At most this many tests in all, the first ones.
    #[arg(long, value_name = "N")]
    pub first: Option<NonZeroUsize>,
    /// `json`: a file of vectors. `jsonl`: a line for each test, without its answer, to be run on a machine. The others are
    /// plain tables with the answers, in files under --out: for `$readmemh` of Verilog, for C, packed, for numpy.
    /// `tensix-program`: what to push to a Tensix for each test, and what to read, in --out: one FILE.jsonl, or a folder.
    #[arg(long, default_value = "json",
        value_parser = ["json", "jsonl", "readmemh", "c-header", "bin", "npy", "tensix-program"])]
    pub format: String,
    /// For `tensix-program`: by which of two ways data are loaded and read. If nothing is said, the one that uses less of
    /// what is under test.
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u32).range(1..=2))]
    pub route: Option<u32>,
    /// For `tensix-program`: run each program through the reference, from a reset, and ask that it is what the test says.
    #[arg(long)]
    pub check: bool,
    /// Write down what was exported, so that `vectors judge --manifest` sees which answers are missing.
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
}
