//! `tandem completions` and `tandem man`: both are made of what the command line is.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Cli, CliError, Exit, files};

/// Prints what a shell needs to complete commands and options.
pub(super) fn completions(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tandem", &mut script);
    out!("{}", String::from_utf8_lossy(&script));
    Ok(Exit::Agree)
}

/// Prints the manual page, or writes it and those of all commands into a folder.
pub(super) fn pages(folder: Option<&Path>) -> Result<Exit, CliError> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    match folder {
        Some(folder) => write(&command, folder)?,
        None => out!("{}", String::from_utf8_lossy(&page(&command))),
    }
    Ok(Exit::Agree)
}

/// The page of a command.
fn page(command: &clap::Command) -> Vec<u8> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text).expect("memory takes everything");
    text
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &clap::Command, folder: &Path) -> Result<(), CliError> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    files::write(&path, page(command))?;
    outln!("{}", path.display());
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| write(below, folder))
}
