//! The arguments.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use tandem_harness::report::known::Verdict;

use super::options::{
    AMOUNT, Amount, Disputed, Editions, Enough, FILES, Group, Json, KnownFindings, Learning, Look, MACHINE, Models,
    OUTPUT, Out, OwnPages, OwnTargets, Part, RUN, Replayed, Targets, TargetsOfAnyModel, Threads, Time, Vectors,
};
use super::settings::{Common, OUT};
use super::values::{findings, length, nonce, part, tests};
use crate::answers::Topic;
use crate::tile::{FORMATS, L1Format, Through};

/// Differential conformance of accelerator instruction sets.
///
/// Without a command: `tandem fuzz` over everything, until every cell is decided, in 10 to 30 seconds.
///
/// Exit codes: 0 all agree; 1 a bug of tandem itself; 2 usage; 10 a new finding; 11 the stored case of a known finding
/// does not fail any more; 12 open cells (with --complete), results that are missing, or nothing that completed or was answered;
/// 13 vectors invalid; 14 target unavailable, or not loaded for a stored finding; 15 no room for a
/// file; 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.
#[derive(Debug, Parser)]
#[command(name = "tandem", version, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
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
    List(List),
    /// Print all that the glue to an implementation needs: banks, fields, code words, values and what they mean.
    Describe(Describe),
    /// Run generated cases on the reference and every target, replay vectors, and leave a report. Without --seconds and --cases
    /// it ends once every cell is decided, after 10 to 30 seconds.
    Fuzz(Fuzz),
    /// Join the results of all shards: the report is the same as that of one machine that ran everything. Give the same targets
    /// as to the shards; their files have everything else.
    Merge(Merge),
    /// Compare a report with an earlier one: which findings were born or closed, and which cells ended differently. It ends with
    /// 10 if a finding was born.
    Diff(Diff),
    /// Write one page from many reports, to --out (FILE.html): cells, findings that were born and closed, rates, and a line
    /// for each instruction.
    Trend(Trend),
    /// Run programs of 2 to 16 steps. They cover every ordered pair of instructions, for each way in which the second can depend
    /// on the first.
    Programs(Programs),
    /// Run every value of an operand domain through every cell.
    Exhaust(Exhaust),
    /// Run one case again, several cases in a row, or the tests of a file.
    Replay(Replay),
    /// Make the failing cases of a file smaller.
    Minimize(Minimize),
    /// Say what an instruction does: its fields, the state before and after it, and what the pages specify.
    Show(Show),
    /// Show what becomes of numbers on their way from L1 through `Dst` to L1, stage by stage.
    Tile(Tile),
    /// Answer what users keep asking, by tables made from the reference: each cell with a command that shows it.
    Answers(Answers),
    /// Find the rule of the pages that a target breaks, and try to refute that with new cases.
    Explain(Explain),
    /// Print the profiles (versioned lists of cells), or the entries of one with their sources.
    Profiles(Profiles),
    /// Recorded vectors.
    Vectors {
        /// What to do with them.
        #[command(subcommand)]
        action: VectorsAction,
    },
    /// Ask others for answers: make challenges, record and check their answers, and collect them.
    Challenge {
        /// What to do with them.
        #[command(subcommand)]
        action: ChallengeAction,
    },
    /// Run deliberately wrong implementations, and show that each is found, how soon, and in how small a case.
    Faults(Faults),
    /// Find out with few cases which edition and which readings of the pages a target follows.
    Fingerprint(Fingerprint),
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
    Errata(Errata),
    /// Run a kernel, a program of three threads, on the reference and beside it on a target, to the first difference.
    Lockstep(Lockstep),
    /// Search all orders in which the threads of a kernel can come: deadlocks, races, lost tokens, banks with two owners. It
    /// needs no target.
    CheckProtocol(CheckProtocol),
    /// Print the rules of scheduling (which instruction may follow which, and after how long), or check a program against them.
    Rules(Rules),
    /// Write the committed reports anew, or compare them with what is committed.
    Report(Report),
    /// Measure the speed of the reference, of each level of ours, and of complete cases, on one thread. `tandem fuzz --threads 1`
    /// prints the rate of your implementation.
    Bench(Bench),
    /// Print what a shell needs to complete commands and options.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, or write it and those of all commands.
    Man {
        /// Where to write `tandem.1`, `tandem-fuzz.1` and all others.
        #[arg(short, long, help_heading = OUTPUT, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Serve a shared library over standard input and output: the process that `--target lib:PATH` starts.
    #[command(hide = true)]
    HostLibrary {
        /// The library.
        path: PathBuf,
    },
}

/// Says which groups of options a command has.
macro_rules! has {
    ($($command:ident: $($group:ident),*;)*) => {$(
        impl $command {
            pub(super) fn common(&self) -> Common {
                Common::told(&[$(&self.$group as &dyn Group),*])
            }
        }
    )*};
}

has! {
    List: editions, targets, models, vectors, json;
    Describe: json;
    Fuzz: editions, amount, enough, completeness, targets, vectors, replayed, known, pages, threads, out, json;
    Merge: targets, vectors, replayed, known, pages, threads, out, json;
    Diff: json;
    Trend: to, json;
    Programs: editions, amount, targets, threads, out, json;
    Exhaust: editions, time, targets, known, threads, out, json;
    Replay: editions, targets, json;
    Minimize: targets, json;
    Show: editions, vectors, json;
    Tile: json;
    Answers: json;
    Explain: editions, amount, targets, json;
    Faults: editions, amount, threads, out, json;
    Fingerprint: time, targets, json;
    Errata: json;
    Profiles: json;
    Rules: json;
    Lockstep: targets, json;
    CheckProtocol: json;
    Report: vectors, known, threads, json;
    Bench: targets, json;
    Record: editions, vectors, to, json;
    Check: editions, time, enough, targets, vectors, known, json;
    Lint: vectors, json;
    Export: editions, vectors, to;
    Judge: editions, disputed, vectors, known, pages, out, json;
    Accept: known, out, json;
    Listed: known, json;
    Prune: targets, known, json;
}

#[cfg(feature = "challenges")]
has! {
    New: vectors, json;
    Answered: json;
    Sent: json;
    Ingest: vectors;
}

/// What `tandem list` takes.
#[derive(Args, Debug)]
pub struct List {
    /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
    pub filters: Vec<String>,
    /// Only what this unit executes, an instruction a line: for example `vector`; `all` groups by unit
    #[arg(long, value_name = "UNIT", help_heading = "What is run")]
    pub family: Option<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    targets: TargetsOfAnyModel,
    #[command(flatten)]
    models: Models,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    json: Json,
}

/// What `tandem describe` takes.
#[derive(Args, Debug)]
pub struct Describe {
    /// The instruction set, for example `tensix-wh`.
    pub isa: String,
    /// Only these instructions of it, for example `mova2d`; banks and fields are always there.
    pub instructions: Vec<String>,
    /// `table` for people, `json` (as --json), or `c` for a header with accessors.
    #[arg(long, help_heading = OUTPUT, default_value = "table", value_parser = ["table", "json", "c"])]
    pub format: String,
    #[command(flatten)]
    json: Json,
}

/// What `tandem fuzz` takes.
#[derive(Args, Debug)]
pub struct Fuzz {
    /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
    pub filters: Vec<String>,
    /// Only cases with these levels of axes, for example `SrcAFmt=BF16,thread=0`.
    #[arg(long, help_heading = RUN, value_name = "AXIS=LEVEL", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Hold fields at values in every case, for example `DstRow=0,CurrentThread=1`; they are written last.
    #[arg(long, help_heading = RUN, value_name = "FIELD=VALUE", value_delimiter = ',')]
    pub hold: Vec<String>,
    /// Plain cases only: the base state, and of each axis that is not about data its plain level.
    #[arg(long, help_heading = RUN)]
    pub plain: bool,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    amount: Amount,
    #[command(flatten)]
    enough: Enough,
    #[command(flatten)]
    completeness: Completeness,
    /// Do not look for the causes of findings: they stay as cases were gathered, by instruction, place and kind of
    /// difference. It is faster, and your implementation is asked less.
    #[arg(long, help_heading = AMOUNT)]
    pub no_causes: bool,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    replayed: Replayed,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    pages: OwnPages,
    #[command(flatten)]
    threads: Threads,
    /// The part of it that this machine has.
    #[command(flatten)]
    pub part: Part,
    /// What all shards of it share.
    #[command(flatten)]
    pub learning: Learning,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// Whether open cells fail.
#[derive(Args, Debug)]
struct Completeness {
    /// Fail if a cell is open; count three-way combinations of the orthogonal axes, and bits of fields seen 0 and 1.
    #[arg(long, help_heading = AMOUNT)]
    complete: bool,
}

impl Group for Completeness {
    fn tell(&self, common: &mut Common) {
        common.complete = self.complete;
    }
}

/// What `tandem merge` takes.
#[derive(Args, Debug)]
pub struct Merge {
    /// The directories that the shards had as --out, in any order.
    #[arg(required = true, value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    /// Do not look for the causes of findings.
    #[arg(long, help_heading = AMOUNT)]
    pub no_causes: bool,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    replayed: Replayed,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    pages: OwnPages,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem diff` takes.
#[derive(Args, Debug)]
pub struct Diff {
    /// The earlier report: its file, or the directory that has it.
    pub first: PathBuf,
    /// The later one.
    pub second: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What `tandem trend` takes.
#[derive(Args, Debug)]
pub struct Trend {
    /// The reports, the earliest first: their files, or the directories that have them.
    #[arg(required = true, value_name = "DIR")]
    pub reports: Vec<PathBuf>,
    #[command(flatten)]
    to: Page,
    #[command(flatten)]
    json: Json,
}

/// Where a page goes.
#[derive(Args, Debug)]
struct Page {
    /// The page, as FILE.html; or the directory in which it is trend.html.
    #[arg(short, long, help_heading = OUTPUT, value_name = "PATH", default_value = OUT)]
    out: PathBuf,
}

impl Group for Page {
    fn tell(&self, common: &mut Common) {
        common.out.clone_from(&self.out);
    }
}

/// What `tandem programs` takes.
#[derive(Args, Debug)]
pub struct Programs {
    /// The instructions of which programs are made, for example `tensix-wh` or `tensix-wh/mova2d`.
    pub filters: Vec<String>,
    /// Instructions that come in pairs with these, on either side, for example `tensix-wh`.
    #[arg(long, help_heading = RUN, value_name = "FILTER", conflicts_with = "speed")]
    pub with: Vec<String>,
    /// Steps of each program, from 2 to 16 [default: half of them have two, few have many].
    #[arg(long, help_heading = RUN, value_name = "N", value_parser = length)]
    pub length: Option<usize>,
    /// Instead, measure programs a second, on one thread and on all.
    #[arg(long, help_heading = RUN)]
    pub speed: bool,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    amount: Amount,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem exhaust` takes.
#[derive(Args, Debug)]
pub struct Exhaust {
    /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
    pub filters: Vec<String>,
    /// The domains of more than 19 bits, instead of the others. It takes long, so what is done is kept under --out:
    /// the same command goes on where an earlier one ended.
    #[arg(long, help_heading = RUN)]
    pub wide: bool,
    /// Only cells with these levels of data-path axes, for example `dst_type=HF,src_type=F`.
    #[arg(long, help_heading = RUN, value_name = "AXIS=LEVEL", value_delimiter = ',')]
    pub only: Vec<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    threads: Threads,
    /// The part of it that this machine has.
    #[command(flatten)]
    pub part: Part,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem replay` takes.
#[derive(Args, Debug)]
pub struct Replay {
    /// Case ids; or a case in a line, as a report has it; or the id of a program, and the filters of the run that drew it; or one
    /// file of vectors, and the ids of those of its tests that are wanted.
    #[arg(required = true)]
    pub what: Vec<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    json: Json,
}

/// What `tandem minimize` takes.
#[derive(Args, Debug)]
pub struct Minimize {
    /// A file of vectors, for example a stored finding.
    pub file: PathBuf,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    json: Json,
}

/// What `tandem show` takes.
#[derive(Args, Debug)]
pub struct Show {
    /// An instruction (`tensix-wh/mova2d`), a text such as `TT_MOVA2D(0, 0, 0, (1) << 1, 0)`, a word such as `0x12002000`, the
    /// id of a case, a program or a recorded test, a case in a line as a report has it, or a file of vectors.
    pub what: String,
    /// Of the id of a program: the filters of the run that drew it, if it had any.
    pub filters: Vec<String>,
    /// Fields of the code and of the state, levels of axes, and words of banks, for example
    /// `DstRow=8,SrcAFmt=BF16,SrcA[0][0][0]=0x0007f`. Axes are set first, so that what is named by itself stays.
    #[arg(long, help_heading = RUN, value_name = "NAME=VALUE", value_delimiter = ',')]
    pub set: Vec<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    json: Json,
}

/// Row and column of a tile.
fn in_tile(text: &str) -> Result<(usize, usize), String> {
    let one = |text: &str| text.parse::<usize>().ok().filter(|&number| number < 32);
    let place = text.split_once(',').and_then(|(row, column)| one(row).zip(one(column)));
    place.ok_or_else(|| "it is ROW,COLUMN, each of them 0 to 31".to_string())
}

/// What `tandem tile` takes.
#[derive(Args, Debug)]
pub struct Tile {
    /// Numbers, side by side in a tile of 32 by 32 whose rest is zero: decimals (`1.5`, `-0`, `nan`, `inf`), which are rounded to
    /// the nearest datum, or bits (`0x3f80`; of a block format with the exponent that 16 data share, `0x40@127`). `-inf`
    /// goes last, behind `--`.
    #[arg(required = true, allow_negative_numbers = true, value_name = "NUMBER")]
    pub numbers: Vec<String>,
    /// The chip.
    #[arg(long, help_heading = RUN, default_value = "tensix-wh", value_parser = ["tensix-wh", "tensix-bh"])]
    pub isa: String,
    /// The format in L1.
    #[arg(long, help_heading = RUN, value_name = "FORMAT", value_parser = format(|_| true), ignore_case = true)]
    pub from: &'static L1Format,
    /// The format in L1 afterwards [default: the same].
    #[arg(long, help_heading = RUN, value_name = "FORMAT", value_parser = format(|_| true), ignore_case = true)]
    pub to: Option<&'static L1Format>,
    /// What data are in `Dst` [default: what --from is there without a conversion; behind ELWADD INT32].
    #[arg(long, help_heading = RUN, value_name = "FORMAT", ignore_case = true,
        value_parser = format(L1Format::is_in_dst))]
    pub between: Option<&'static L1Format>,
    /// By which way they come to `Dst`: they are unpacked there, or to `SrcA`, from where MOVA2D moves them or ELWADD adds
    /// zeros [default: elwadd of INT8, and else none].
    #[arg(long, help_heading = RUN, value_name = "WAY", value_parser = through())]
    pub through: Option<Through>,
    /// The early conversion of a packer keeps or cuts bits (`Read_raw`), where it could round as well.
    #[arg(long, help_heading = RUN, conflicts_with = "round")]
    pub raw: bool,
    /// It rounds, which is the default where it can.
    #[arg(long, help_heading = RUN)]
    pub round: bool,
    /// The packer replaces what is below zero.
    #[arg(long, help_heading = RUN)]
    pub relu: bool,
    /// Row and column of the first number in the tile, 0 to 31 each; the others are behind it, row by row.
    #[arg(long, help_heading = RUN, value_name = "ROW,COLUMN", default_value = "0,0", value_parser = in_tile)]
    pub at: (usize, usize),
    #[command(flatten)]
    json: Json,
}

fn format(is_asked: fn(&L1Format) -> bool) -> impl TypedValueParser<Value = &'static L1Format> {
    PossibleValuesParser::new(FORMATS.iter().filter(|&one| is_asked(one)).map(L1Format::name))
        .map(|name| L1Format::named(&name).expect("it is a possible one"))
}

fn through() -> impl TypedValueParser<Value = Through> {
    let named = |name: String| Through::ALL.into_iter().find(|one| one.name() == name);
    PossibleValuesParser::new(Through::ALL.map(Through::name))
        .map(move |name| named(name).expect("it is a possible one"))
}

/// What `tandem answers` takes.
#[derive(Args, Debug)]
pub struct Answers {
    /// What is asked: `integers` (sign-magnitude or two's complement, range, wraps or saturates), `specials` (-0, NaN, infinity,
    /// denormals, extreme integers), `waits` (what stands between two instructions), `chips` (Wormhole and Blackhole), `fields`
    /// (what an instruction reads), `formats` (what comes back in L1 in another format), or `all`.
    #[arg(value_parser = topic())]
    pub topic: Asked,
    /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
    pub filters: Vec<String>,
    /// Print comma-separated values, a line for each answer.
    #[arg(long, help_heading = OUTPUT, conflicts_with_all = ["json", "html"])]
    pub csv: bool,
    /// Write one page with the tables, which needs nothing else.
    #[arg(long, help_heading = OUTPUT, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// The topics that are asked for.
#[derive(Clone, Debug)]
pub struct Asked(pub Vec<Topic>);

fn topic() -> impl TypedValueParser<Value = Asked> {
    let names = Topic::ALL.map(Topic::name).into_iter().chain(["all"]);
    let is_asked = |topic: &Topic, name: &str| name == "all" || topic.name() == name;
    PossibleValuesParser::new(names)
        .map(move |name| Asked(Topic::ALL.into_iter().filter(|topic| is_asked(topic, &name)).collect()))
}

/// What `tandem explain` takes.
#[derive(Args, Debug)]
pub struct Explain {
    /// Instructions, for example `tensix-wh/mova2d`, or files of findings, whose instructions are meant.
    pub what: Vec<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    amount: Amount,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    json: Json,
}

/// What `tandem faults` takes.
#[derive(Args, Debug)]
pub struct Faults {
    /// Instructions, for example `tensix-wh/mova2d`.
    pub filters: Vec<String>,
    /// One fault for each green cell as well: one result bit flipped in that cell only.
    #[arg(long, help_heading = RUN)]
    pub per_cell: bool,
    /// Instead, the reference's twin with one thing done wrong, alone and with a guard: operators, conditions, numbers,
    /// fields, indices, turns and statements of the reference, or one part of them, as `I/N`.
    #[arg(long, help_heading = RUN, value_name = "I/N", num_args = 0..=1, require_equals = true, default_missing_value = "1/1", value_parser = part, conflicts_with_all = ["per_cell", "shard"])]
    pub twists: Option<(u64, u64)>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    amount: Amount,
    #[command(flatten)]
    threads: Threads,
    /// The part of it that this machine has.
    #[command(flatten)]
    pub part: Part,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem fingerprint` takes.
#[derive(Args, Debug)]
pub struct Fingerprint {
    /// Instructions, for example `tensix-wh/mova2d`.
    pub filters: Vec<String>,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    targets: TargetsOfAnyModel,
    #[command(flatten)]
    json: Json,
}

/// What `tandem errata` takes.
#[derive(Args, Debug)]
pub struct Errata {
    /// Only this one, for example `TX-01`.
    pub id: Option<String>,
    #[command(flatten)]
    json: Json,
}

/// What `tandem profiles` takes.
#[derive(Args, Debug)]
pub struct Profiles {
    /// Only this one, for example `llk-v1`, with its entries; without a version the newest.
    pub name: Option<String>,
    #[command(flatten)]
    json: Json,
}

/// What `tandem lockstep` takes.
#[derive(Args, Debug)]
pub struct Lockstep {
    /// Kernels: files of JSON lines.
    #[arg(required_unless_present = "elf")]
    pub kernels: Vec<PathBuf>,
    /// Instead, an ELF file of the core of a thread, as `0=FILE`; each thread once at most.
    #[arg(long, value_name = "THREAD=FILE", requires = "isa", conflicts_with = "kernels", help_heading = RUN)]
    pub elf: Vec<String>,
    /// The instruction set of the ELF files, for example `tensix-bh`.
    #[arg(long, help_heading = RUN)]
    pub isa: Option<String>,
    /// The function in the ELF files at which the core begins [default: the entry].
    #[arg(long, value_name = "SYMBOL", requires = "elf", help_heading = RUN)]
    pub from: Option<String>,
    /// The threads in the order in which they come, for example `0,0,1,2` [default: one act of each in turn, or as the file says].
    #[arg(long, value_delimiter = ',', value_name = "THREADS", help_heading = RUN)]
    pub order: Vec<usize>,
    /// Go on where an instruction has no model, with the state that the trace has after it.
    #[arg(long, help_heading = RUN)]
    pub trust: bool,
    /// Search all orders first, and run the target in one for each way to end.
    #[arg(long, help_heading = RUN)]
    pub interleavings: bool,
    /// Instead, write a run of the reference as a trace, which says after each act what it changed.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["interleavings", "trust", "order"], help_heading = RUN)]
    pub trace: Option<PathBuf>,
    /// Do not look for the line of the page that a target has wrong.
    #[arg(long, help_heading = RUN)]
    pub no_causes: bool,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    json: Json,
}

/// What `tandem check-protocol` takes.
#[derive(Args, Debug)]
pub struct CheckProtocol {
    /// Kernels: files of JSON lines, or folders of them.
    #[arg(required = true)]
    pub kernels: Vec<PathBuf>,
    /// Instead, search kernels with one act left out, moved or doubled: so many of each file, drawn by --seed.
    #[arg(long, value_name = "N", help_heading = RUN)]
    pub mutants: Option<usize>,
    /// The seed by which mutants are drawn.
    #[arg(long, default_value_t = 1, help_heading = RUN)]
    pub seed: u64,
    /// Write a page with each order as three columns.
    #[arg(long, value_name = "FILE.html", conflicts_with = "mutants", help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    json: Json,
}

/// Limits of a search through all orders.
#[derive(Args, Clone, Debug)]
pub struct Limits {
    /// Most acts of an order.
    #[arg(long, default_value_t = 4096, value_name = "N", help_heading = RUN)]
    pub depth: usize,
    /// Most states.
    #[arg(long, default_value_t = 2_000_000, value_name = "N", help_heading = RUN)]
    pub states: u64,
    /// Follow every order, also where nothing can meet an act.
    #[arg(long, help_heading = RUN)]
    pub no_reduction: bool,
}

/// What `tandem rules` takes.
#[derive(Args, Debug)]
pub struct Rules {
    /// The instruction set, for example `tensix-wh`; without it all.
    pub isa: Option<String>,
    /// A program of one thread: words such as `0x12002000`, instructions such as `"MOVD2A DstRow=8"`, and numbers of
    /// cycles in which nothing is issued.
    pub program: Vec<String>,
    #[command(flatten)]
    json: Json,
}

/// What `tandem report` takes.
#[derive(Args, Debug)]
pub struct Report {
    /// Write them; without it they are compared, and a difference is a failure.
    #[arg(long, help_heading = RUN)]
    pub bless: bool,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    json: Json,
}

/// What `tandem bench` takes.
#[derive(Args, Debug)]
pub struct Bench {
    /// Instructions, for example `tensix-wh/mova2d`; `tile-int8-elwadd` is a whole tile, unpacked, added and packed.
    pub filters: Vec<String>,
    #[command(flatten)]
    targets: OwnTargets,
    #[command(flatten)]
    json: Json,
}

/// What to do with the list of known findings.
#[derive(Debug, Subcommand)]
pub enum KnownAction {
    /// Add findings of the last run, which is under --out: each entry covers the modes and bits in which it was seen.
    Accept(Accept),
    /// Print the list.
    List(Listed),
    /// Take off what does not happen any more with the targets of this run.
    Prune(Prune),
}

/// What `tandem known accept` takes.
#[derive(Args, Debug)]
pub struct Accept {
    /// Findings: their numbers in the report, or their files.
    #[arg(required_unless_present = "all")]
    pub findings: Vec<String>,
    /// All findings of the report that are new.
    #[arg(long, help_heading = RUN, conflicts_with = "findings")]
    pub all: bool,
    /// What is known about them. A confirmed one has a --link to its public thread.
    #[arg(long, help_heading = RUN, default_value = "candidate", value_parser = verdict())]
    pub verdict: Verdict,
    /// What shows it [default: how often it was met, and in which case first].
    #[arg(long, help_heading = RUN, value_name = "TEXT")]
    pub evidence: Option<String>,
    /// The public thread, or the erratum.
    #[arg(long, help_heading = RUN, value_name = "URL")]
    pub link: Option<String>,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem known list` takes.
#[derive(Args, Debug)]
pub struct Listed {
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    json: Json,
}

/// What `tandem known prune` takes.
#[derive(Args, Debug)]
pub struct Prune {
    /// Only say what would be taken off.
    #[arg(long, help_heading = RUN)]
    pub dry_run: bool,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    json: Json,
}

/// What to do with claims.
#[derive(Debug, Subcommand)]
pub enum ClaimsAction {
    /// Make claims of what the last run under --out observed, and write them to --claims. Claims only grow.
    Accept {
        /// The file of claims.
        #[arg(long, help_heading = OUTPUT, value_name = "FILE", default_value = "claims.toml")]
        claims: PathBuf,
        /// What the last run wrote.
        #[command(flatten)]
        out: Out,
        /// How it is printed.
        #[command(flatten)]
        json: Json,
    },
}

/// What to do with challenges.
#[derive(Debug, Subcommand)]
pub enum ChallengeAction {
    /// Draw a challenge: tests without answers, in two orders. Give each operator one of their own.
    New(New),
    /// Make a record of what a machine answered in both runs, and of what machine it is.
    Record(Answered),
    /// Say what speaks against records, and collect nothing.
    Check(Sent),
    /// Check records, and collect their answers by test. The reference and recorded vectors stay as they are.
    Ingest(Ingest),
}

/// What `tandem challenge new` takes.
#[derive(Args, Debug)]
pub struct New {
    /// Instructions, for example `tensix-wh/mova2d` or `tensix-wh`.
    pub filters: Vec<String>,
    /// How many tests, of those that can be asked of hardware. 5 % of them are asked twice in each run, and for each 50 there
    /// is one more, for which the pages promise nothing.
    #[arg(long, help_heading = AMOUNT, value_name = "N", value_parser = findings, default_value = "2000")]
    pub tests: NonZeroUsize,
    /// Draw the challenge of this nonce again: 32 hexadecimal digits [default: a fresh one].
    #[arg(long, help_heading = RUN, value_name = "HEX", value_parser = nonce)]
    pub nonce: Option<String>,
    #[command(flatten)]
    vectors: Vectors,
    /// The folder of the challenge.
    #[arg(short, long, help_heading = OUTPUT, value_name = "DIR", default_value = "challenge")]
    pub out: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What `tandem challenge record` takes.
#[derive(Args, Debug)]
pub struct Answered {
    /// The folder of the challenge.
    pub challenge: PathBuf,
    /// The answers to its run 1, a line for each test, in its order.
    pub first: PathBuf,
    /// The answers to its run 2.
    pub second: PathBuf,
    /// Who ran it. Of this and all other facts: `none` if there is none.
    #[arg(long, help_heading = MACHINE, value_name = "NAME")]
    pub operator: String,
    /// Which board, for example its serial number.
    #[arg(long, help_heading = MACHINE, value_name = "NAME")]
    pub board: String,
    /// Which chip.
    #[arg(long, help_heading = MACHINE, value_name = "NAME")]
    pub chip: String,
    /// Which revision of the chip.
    #[arg(long, help_heading = MACHINE, value_name = "TEXT")]
    pub revision: String,
    /// Which firmware.
    #[arg(long, help_heading = MACHINE, value_name = "TEXT")]
    pub firmware: String,
    /// At which clock.
    #[arg(long, help_heading = MACHINE, value_name = "TEXT")]
    pub clock: String,
    /// Drivers and tools, with their versions.
    #[arg(long, help_heading = MACHINE, value_name = "TEXT")]
    pub tools: String,
    /// The command that ran the tests.
    #[arg(long, help_heading = MACHINE, value_name = "TEXT")]
    pub command: String,
    /// Sign the record with this private key, by `ssh-keygen -Y sign`.
    #[arg(long, help_heading = FILES, value_name = "KEY")]
    pub sign: Option<PathBuf>,
    /// The folder of the record.
    #[arg(short, long, help_heading = OUTPUT, value_name = "DIR", default_value = "record")]
    pub out: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What `tandem challenge check` takes.
#[derive(Args, Debug)]
pub struct Sent {
    /// Folders of records.
    #[arg(required = true, value_name = "RECORD")]
    pub records: Vec<PathBuf>,
    /// The folder of a challenge that was given out; once for each.
    #[arg(long, help_heading = FILES, value_name = "DIR", required = true)]
    pub challenge: Vec<PathBuf>,
    /// Who may sign: a file of allowed signers, as `ssh-keygen` has it, in which the principal is the operator. Then every
    /// record is to be signed.
    #[arg(long, help_heading = FILES, value_name = "FILE")]
    pub signers: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// What `tandem challenge ingest` takes.
#[derive(Args, Debug)]
pub struct Ingest {
    #[command(flatten)]
    pub sent: Sent,
    /// The folder in which answers are collected, outside of the directory of vectors.
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    pub into: PathBuf,
    #[command(flatten)]
    vectors: Vectors,
}

/// What to do with recorded vectors.
#[derive(Debug, Subcommand)]
pub enum VectorsAction {
    /// Record the vectors of our own anew, from the reference, into the directory of vectors.
    Record(Record),
    /// Read every file strictly, and run every test on the reference and every target.
    Check(Check),
    /// Look at all files together: cells without a test, unknown flags, tests that could be smaller.
    Lint(Lint),
    /// Write chosen tests to standard output as one file, or as plain tables into --out.
    Export(Export),
    /// Judge results that were recorded on a machine for exported tests: JSON lines with `id`, `outcome`, `small`, `rows`.
    Judge(Judge),
    /// Serve a Tensix made of the reference on standard input and output, to try an adapter for `tensix-program` without a
    /// board: a line of JSON for each request and each answer.
    Board {
        /// The chip.
        #[arg(value_parser = ["tensix-wh", "tensix-bh"])]
        chip: String,
        /// A machine that is wrong in a bit of every row of `Dst` that is read.
        #[arg(long, help_heading = RUN)]
        wrong: bool,
    },
    /// Convert a recording of ttsim or of cm-cpu-emulation (JSON lines, not compressed) to standard output.
    Import(Import),
}

/// What `tandem vectors record` takes.
#[derive(Args, Debug)]
pub struct Record {
    /// Instructions, for example `tensix-wh/mova2d`.
    pub filters: Vec<String>,
    /// One plain test a cell instead, into --out: the base state, every axis that is not the cell's at its plain level,
    /// ordinary data. They are what an implementation can run that does only a part of an instruction.
    #[arg(long, help_heading = RUN)]
    pub plain: bool,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    to: Folder,
    #[command(flatten)]
    json: Json,
}

/// Where files go.
#[derive(Args, Debug)]
struct Folder {
    /// Where files are written that do not go elsewhere.
    #[arg(short, long, help_heading = OUTPUT, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

impl Group for Folder {
    fn tell(&self, common: &mut Common) {
        common.out.clone_from(&self.out);
    }
}

/// What `tandem vectors check` takes.
#[derive(Args, Debug)]
pub struct Check {
    /// Files or directories; all of the vectors directory if none is given.
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    enough: Enough,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    json: Json,
}

/// What `tandem vectors lint` takes.
#[derive(Args, Debug)]
pub struct Lint {
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    json: Json,
}

/// What `tandem vectors judge` takes.
#[derive(Args, Debug)]
pub struct Judge {
    /// The results.
    pub results: PathBuf,
    /// What was exported, as `vectors export --manifest` wrote it down: all of it must be answered.
    #[arg(long, help_heading = FILES, value_name = "FILE")]
    pub manifest: Vec<PathBuf>,
    /// The folder of a challenge, if these are answers to a run of it: all of it must be answered.
    #[arg(long, help_heading = FILES, value_name = "DIR", conflicts_with = "manifest")]
    pub challenge: Option<PathBuf>,
    /// How the machine is called; the name of the file if nothing is said.
    #[arg(long, help_heading = RUN)]
    pub machine: Option<String>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    disputed: Disputed,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    known: KnownFindings,
    #[command(flatten)]
    pages: OwnPages,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

/// What `tandem vectors import` takes.
#[derive(Args, Debug)]
pub struct Import {
    /// The recording.
    pub file: PathBuf,
    /// Keep only a selection of this many tests that covers most.
    #[arg(long, help_heading = RUN, value_name = "N", value_parser = tests)]
    pub covering: Option<usize>,
    /// Only read it, and say what comes of each line; the reference is not asked.
    #[arg(long, help_heading = RUN, conflicts_with = "covering")]
    pub account: bool,
    /// Print the account as JSON.
    #[arg(long, help_heading = OUTPUT, requires = "account")]
    pub json: bool,
}

/// Which tests are exported, and how.
#[derive(Debug, Args)]
pub struct Export {
    /// The file to choose from. For formats of programs also several, or filters such as `tensix-wh/mova2d`, or none for all.
    pub file: Vec<PathBuf>,
    /// Only tests that carry one of these flags.
    #[arg(long, help_heading = RUN, value_delimiter = ',')]
    pub flags: Vec<String>,
    /// No test that carries one of these flags.
    #[arg(long, help_heading = RUN, value_delimiter = ',')]
    pub without_flags: Vec<String>,
    /// Only tests that hardware can be asked. One that is contested or disputed is not: texts differ on it, or it holds what no hardware
    /// does.
    #[arg(long, help_heading = RUN)]
    pub hardware: bool,
    /// Only tests of one of these cells, by number; with `axis=level`, of cells that have all of these levels.
    #[arg(long, help_heading = RUN, value_name = "NUMBER|AXIS=LEVEL", value_delimiter = ',')]
    pub cell: Vec<String>,
    /// Only tests of cells of this class, or of one of these if it is given again.
    #[arg(long, help_heading = RUN, value_name = "NAME")]
    pub class: Vec<String>,
    /// Only tests of cells that this profile lists, for example `llk-v1`; `tandem profiles` names those there are.
    #[arg(long, help_heading = RUN, value_name = "NAME")]
    pub profile: Option<String>,
    /// At most this many tests of each cell.
    #[arg(long, help_heading = AMOUNT, value_name = "N", value_parser = tests)]
    pub per_cell: Option<usize>,
    /// At most this many tests in all, the first ones.
    #[arg(long, help_heading = AMOUNT, value_name = "N", value_parser = findings)]
    pub first: Option<NonZeroUsize>,
    /// `json`: a file of vectors. `jsonl`: a line for each test, without its answer, to be run on a machine. The others are
    /// plain tables with the answers, in files under --out: for `$readmemh` of Verilog, for C, packed, for numpy.
    /// `tensix-program`: what to push to a Tensix for each test, and what to read, in --out: one FILE.jsonl, or a folder.
    /// `opencl-visa`: kernels of OpenCL with inline vISA, and lines about them, in the folder --out. `visaasm`: kernels for
    /// Intel's assembler, as text and as object files.
    #[arg(long, help_heading = OUTPUT, default_value = "json",
        value_parser = ["json", "jsonl", "readmemh", "c-header", "bin", "npy", "tensix-program", "opencl-visa",
            "visaasm"])]
    pub format: String,
    /// For `tensix-program`: by which of two ways data are loaded and read. If nothing is said, the one that uses less of
    /// what is under test.
    #[arg(long, help_heading = OUTPUT, value_name = "1|2", value_parser = clap::value_parser!(u32).range(1..=2))]
    pub route: Option<u32>,
    /// For `tensix-program`: run each program through the reference, from a reset, and ask that it is what the test says.
    #[arg(long, help_heading = OUTPUT)]
    pub check: bool,
    /// Write down what was exported, so that `vectors judge --manifest` sees which answers are missing.
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    #[command(flatten)]
    editions: Editions,
    #[command(flatten)]
    vectors: Vectors,
    #[command(flatten)]
    to: Folder,
}
