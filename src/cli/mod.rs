//! The command line: arguments, exit codes, and one file a command.

mod args;
mod bench;
mod board;
mod case;
mod claims;
mod command;
mod dealt;
mod describe;
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
mod merge;
mod midway;
mod nearest;
mod programs;
mod progress;
mod report;
mod rules;
mod select;
mod shard;
mod store;
mod stored;
mod vectors;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use tandem_harness::vectors::embed;

pub use args::{Cli, Command, Common};
pub use describe::describe_json;
pub use error::{CliError, Exit};

/// Reads the arguments, runs the command, and gives its exit code. `vectors` are files that are a part of the program,
/// each by its path: they are used where there is no directory of vectors.
#[must_use]
pub fn main(vectors: &'static [(&'static str, &'static str)]) -> ExitCode {
    leave_quietly_when_nobody_reads();
    embed(vectors);
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // Help and version are not errors.
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Agree.into() };
        }
    };
    match catch_unwind(AssertUnwindSafe(|| run(&cli))) {
        Ok(Ok(_)) if progress::was_interrupted() => Exit::Interrupted.into(),
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => {
            eprintln!("tandem: {error}");
            error.exit().into()
        }
        Err(_) => {
            eprintln!(
                "tandem: this is a bug of tandem itself; please report it with the lines above and the command that \
                 you ran"
            );
            Exit::Bug.into()
        }
    }
}

/// Ends the process without a word when standard output was closed by whoever reads it, as in `tandem show … | head`:
/// printing panics then.
fn leave_quietly_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = info.payload().downcast_ref::<String>().map_or("", |text| &**text);
        if text.starts_with("failed printing to stdout") {
            std::process::exit(Exit::Agree as i32);
        }
        usual(info);
    }));
}

/// Runs a command.
///
/// # Errors
/// What the user can mend; see [`CliError`].
pub fn run(cli: &Cli) -> Result<Exit, CliError> {
    let common = &cli.common.settled();
    match &cli.command {
        None => fuzz::run(common, &fuzz::Wanted::default()),
        Some(Command::List { filters }) => list::run(common, filters),
        Some(Command::Describe { isa, instructions, format }) => describe::run(common, isa, instructions, format),
        Some(Command::Fuzz { filters, only, hold, plain, no_causes, shard, learn, learned }) => {
            let (plain, no_causes, shard, learned) = (*plain, *no_causes, *shard, learned.as_deref());
            let wanted = fuzz::Wanted { filters, only, hold, plain, no_causes, shard, learned };
            match (learn, shard) {
                (Some(file), _) => dealt::learn(common, &wanted, file),
                (None, Some(shard)) => dealt::run(common, &wanted, shard),
                (None, None) => fuzz::run(common, &wanted),
            }
        }
        Some(Command::Merge { directories, no_causes }) => merge::run(common, directories, *no_causes),
        Some(Command::Diff { first, second }) => history::diff(common, first, second),
        Some(Command::Trend { reports }) => history::trend(common, reports),
        Some(Command::Programs { filters, length, speed }) => {
            programs::run(common, &programs::Wanted { filters, length: *length, speed: *speed })
        }
        Some(Command::Exhaust { filters, wide, only, shard }) => {
            exhaust::run(common, &exhaust::Wanted { filters, wide: *wide, only, shard: *shard })
        }
        Some(Command::Replay { what }) => case::replay(common, what),
        Some(Command::Minimize { file }) => case::minimize(common, file),
        Some(Command::Show { what }) => case::show(common, what),
        Some(Command::Explain { what }) => explain::run(common, what),
        Some(Command::Vectors { action }) => vectors::run(common, action),
        Some(Command::Faults { filters, twists: Some(part), .. }) => faults::twists(common, filters, *part),
        Some(Command::Faults { filters, per_cell, shard, .. }) => faults::run(common, filters, *per_cell, *shard),
        Some(Command::Fingerprint { filters }) => fingerprint::run(common, filters),
        Some(Command::Claims { action: args::ClaimsAction::Accept }) => claims::accept(common),
        Some(Command::Known { action }) => known::run(common, action),
        Some(Command::Errata { id }) => report::errata(common, id.as_deref()),
        Some(Command::Rules { isa, program }) => rules::run(common, isa.as_deref(), program),
        Some(Command::Report { bless }) => report::run(common, *bless),
        Some(Command::Bench { filters }) => bench::run(common, filters),
        Some(Command::HostLibrary { path }) => foreign::host(path),
    }
}
