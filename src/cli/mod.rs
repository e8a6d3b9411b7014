//! The command line: arguments, exit codes, and one file a command.

#![warn(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod output;

mod answers;
mod args;
mod bench;
mod case;
mod claims;
mod command;
mod dealt;
mod describe;
mod elf;
mod error;
mod exhaust;
mod explain;
mod export;
mod faults;
mod files;
mod fingerprint;
mod foreign;
mod fuzz;
mod history;
mod journal;
mod judge;
mod known;
mod list;
mod lockstep;
mod manual;
mod merge;
mod midway;
mod options;
mod profiles;
mod programs;
mod progress;
mod protocol;
mod raised;
mod report;
mod rules;
mod satellites;
mod sealed;
mod select;
mod settings;
mod shard;
mod show;
mod signals;
mod specified;
mod store;
mod stored;
mod supervision;
mod tile;
mod values;
mod vectors;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use tandem_harness::report::visible_lines;
use tandem_harness::vectors::{EmbeddedFile, embed};

pub use args::Cli;
use args::{ClaimsAction, Command};
pub use error::{CliError, Exit};
use settings::Common;

/// Reads the arguments, runs the command, and gives its exit code. `vectors` are files that are a part of the program,
/// packed: they are used where there is no directory of vectors.
#[must_use]
pub fn main(vectors: &'static [EmbeddedFile]) -> ExitCode {
    output::begin(false, output::color_of(std::env::args_os().skip(1)));
    signals::begin();
    embed(vectors);
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // What a shell took from names of files is in it as it is.
            let plain = error.to_string();
            if visible_lines(&plain) == plain {
                // Whoever does not read it does not want to know.
                let _ = error.print();
            } else {
                errln!("{plain}");
            }
            // Help and version are not errors.
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Agree.into() };
        }
    };
    output::begin(cli.look.quiet, cli.look.color);
    let ran = catch_unwind(AssertUnwindSafe(|| run(&cli)));
    let code = match ran.map(|exit| exit.and_then(|exit| output::end().map(|()| exit))) {
        Ok(Ok(exit)) => signals::exit_code().unwrap_or(exit as u8),
        Ok(Err(error)) => {
            errln!("tandem: {error}");
            error.exit() as u8
        }
        Err(_) => {
            errln!(
                "tandem: this is a bug of tandem itself; please report it with the lines above and the command that \
                 you ran"
            );
            Exit::Bug as u8
        }
    };
    supervision::mark(code);
    code.into()
}

/// Runs a command.
///
/// # Errors
/// What the user can mend; see [`CliError`].
fn run(cli: &Cli) -> Result<Exit, CliError> {
    let Some(command) = &cli.command else { return fuzz::run(&Common::default(), &fuzz::Wanted::default()) };
    match command {
        Command::List(list) => list::run(&list.common(), &list.filters, list.family.as_deref()),
        Command::Describe(asked) => describe::run(&asked.common(), &asked.isa, &asked.instructions, &asked.format),
        Command::Fuzz(asked) => fuzz::command(asked),
        Command::Merge(merge) => merge::run(&merge.common(), &merge.directories, merge.no_causes),
        Command::Diff(diff) => history::diff(&diff.common(), &diff.first, &diff.second),
        Command::Trend(trend) => history::trend(&trend.common(), &trend.reports),
        Command::Programs(asked) => {
            let wanted = programs::Wanted {
                filters: &asked.filters,
                with: &asked.with,
                length: asked.length,
                speed: asked.speed,
            };
            programs::run(&asked.common(), &wanted)
        }
        Command::Exhaust(asked) => {
            let (wide, shard) = (asked.wide, asked.part.shard);
            exhaust::run(&asked.common(), &exhaust::Wanted { filters: &asked.filters, wide, only: &asked.only, shard })
        }
        Command::Replay(replay) => case::replay(&replay.common(), &replay.what),
        Command::Minimize(minimize) => case::minimize(&minimize.common(), &minimize.file),
        Command::Show(show) => show::run(&show.common(), show),
        Command::Tile(asked) => tile::run(&asked.common(), asked),
        Command::Answers(asked) => answers::run(&asked.common(), asked),
        Command::Explain(explain) => explain::run(&explain.common(), &explain.what),
        Command::Profiles(asked) => profiles::run(&asked.common(), asked.name.as_deref()),
        Command::Vectors { action } => vectors::run(action),
        Command::Challenge { action } => satellites::challenge(action),
        Command::Faults(asked) => match asked.twists {
            Some(part) => faults::twists(&asked.common(), &asked.filters, part),
            None => faults::run(&asked.common(), &asked.filters, asked.per_cell, asked.part.shard),
        },
        Command::Fingerprint(asked) => fingerprint::run(&asked.common(), &asked.filters),
        Command::Claims { action: ClaimsAction::Accept { claims, out, json } } => {
            let common = Common { claims: Some(claims.clone()), ..Common::told(&[out, json]) };
            claims::accept(&common)
        }
        Command::Known { action } => known::run(action),
        Command::Errata(errata) => report::errata(&errata.common(), errata.id.as_deref()),
        Command::Lockstep(asked) => lockstep::run(&asked.common(), asked),
        Command::CheckProtocol(asked) => protocol::run(&asked.common(), asked),
        Command::Rules(rules) => rules::run(&rules.common(), rules.isa.as_deref(), &rules.program),
        Command::Report(report) => report::run(&report.common(), report.bless),
        Command::Bench(bench) => bench::run(&bench.common(), &bench.filters),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { out } => manual::pages(out.as_deref()),
        Command::HostLibrary { path } => foreign::host(path),
    }
}
