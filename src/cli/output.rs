//! What is printed: results on standard output, what is to be mended and advice on standard error.
//!
//! A stream that nobody reads any more takes no more text, and the command goes on to its exit code: `tandem fuzz | head -1` still
//! says whether there was a finding. What else goes wrong with standard output is an error of the command.
//!
//! Nothing printed here steers a terminal, whoever wrote it: files, targets and their names reach a stream through
//! [`visible_lines`]. Only a report that was coloured has escape sequences, and spells those of others itself.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anstream::{AutoStream, ColorChoice};
use tandem_harness::report::{Colour, visible, visible_lines};

use super::CliError;
use super::options::ColorWhen;

/// Whether advice is left out.
static QUIET: AtomicBool = AtomicBool::new(false);
/// Whether nobody reads standard output any more.
static CLOSED: AtomicBool = AtomicBool::new(false);
/// What went wrong with standard output first.
static FAILED: Mutex<Option<std::io::Error>> = Mutex::new(None);

/// Prints results.
macro_rules! out {
    ($($text:tt)*) => { $crate::cli::output::print(format_args!($($text)*)) };
}

/// Prints a line of results.
macro_rules! outln {
    ($($text:tt)*) => { $crate::cli::output::line(format_args!($($text)*)) };
}

/// Prints a line about what is wrong, on standard error.
macro_rules! errln {
    ($($text:tt)*) => { $crate::cli::output::complain(format_args!($($text)*)) };
}

/// Prints a line of advice, on standard error, unless --quiet was given.
macro_rules! noteln {
    ($($text:tt)*) => { $crate::cli::output::advise(format_args!($($text)*)) };
}

/// Settles how everything is printed, help and errors of the command line too.
pub(super) fn begin(quiet: bool, color: ColorWhen) {
    QUIET.store(quiet, Ordering::Relaxed);
    let choice = match color {
        // A variable that says "this is CI" would have a dumb terminal coloured too.
        ColorWhen::Auto if is_dumb() && !is_forced() => ColorChoice::Never,
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// What `--color` says, read before the command line is, because its errors are coloured too. What cannot be read here is
/// refused there.
pub(super) fn color_of(arguments: impl Iterator<Item = std::ffi::OsString>) -> ColorWhen {
    let mut arguments = arguments.take_while(|argument| argument != "--");
    let mut color = ColorWhen::Auto;
    while let Some(argument) = arguments.next() {
        let Some(argument) = argument.to_str() else { continue };
        let value = match argument.strip_prefix("--color") {
            Some("") => arguments.next().and_then(|value| value.into_string().ok()),
            Some(value) => value.strip_prefix('=').map(str::to_string),
            None => None,
        };
        color = value.and_then(|value| clap::ValueEnum::from_str(&value, false).ok()).unwrap_or(color);
    }
    color
}

/// Whether --quiet was given.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Whether results have colours.
pub(super) fn colour() -> Colour {
    match AutoStream::choice(&std::io::stdout()) {
        ColorChoice::Never => Colour::Never,
        ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => Colour::Always,
    }
}

/// Whether the terminal, if there is one, knows no escape sequences.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// Whether the environment asks for colours everywhere.
fn is_forced() -> bool {
    std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

/// Whether standard error is a terminal on which a line can be drawn again.
pub(super) fn can_draw() -> bool {
    !is_dumb() && std::io::IsTerminal::is_terminal(&std::io::stderr())
}

/// Whether nobody reads standard output any more, so that what is done only to be printed can be left.
pub(super) fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Prints results.
pub(super) fn print(text: Arguments<'_>) {
    put(&visible_lines(&text.to_string()));
}

/// Prints a report that was rendered with [`colour`].
pub(super) fn coloured(text: &str) {
    match colour() {
        Colour::Always => put(text),
        Colour::Never => put(&visible_lines(text)),
    }
}

fn put(text: &str) {
    if is_closed() {
        return;
    }
    let mut stream = std::io::stdout().lock();
    if let Err(error) = stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        CLOSED.store(true, Ordering::Relaxed);
        if error.kind() != ErrorKind::BrokenPipe {
            FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

/// Prints a line of results. Nobody's text ends it or begins another.
pub(super) fn line(text: Arguments<'_>) {
    put(&(visible(&text.to_string()) + "\n"));
}

/// Prints a line on standard error. If it goes on in another, that is indented, so that nobody's text begins one. If nobody
/// reads it, nobody is to be told.
pub(super) fn complain(text: Arguments<'_>) {
    let text = visible_lines(&text.to_string()).trim_end().replace('\n', "\n  ");
    let _ = std::io::stderr().lock().write_all((text + "\n").as_bytes());
}

/// Prints a line on standard error, unless --quiet was given.
pub(super) fn advise(text: Arguments<'_>) {
    if !is_quiet() {
        complain(text);
    }
}

/// What went wrong with standard output.
///
/// # Errors
/// If results could not be printed, other than because nobody reads them.
pub(super) fn end() -> Result<(), CliError> {
    let failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner).take();
    failed.map_or(Ok(()), |error| Err(CliError::Io { path: "standard output".into(), error }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_to_colour_is_read_before_the_command_line() {
        for (line, color) in [
            ("fuzz", ColorWhen::Auto),
            ("fuzz --color always", ColorWhen::Always),
            ("--color=never fuzz --seed 1", ColorWhen::Never),
            ("--color never fuzz --color=always", ColorWhen::Always),
            ("fuzz --color", ColorWhen::Auto),
            ("fuzz --color=red --colors=never", ColorWhen::Auto),
            ("rules visa -- --color=never", ColorWhen::Auto),
        ] {
            assert_eq!(color_of(line.split(' ').map(Into::into)), color, "{line}");
        }
    }
}
