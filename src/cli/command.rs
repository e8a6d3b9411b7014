//! Commands that are printed: each has the options by which this run got its targets, quoted for a shell, so that it does
//! what it says wherever it is pasted.

use std::path::Path;

use tandem_harness::report::{shell_word, shell_words};
use tandem_harness::vectors::EMBEDDED;

use super::Common;
use super::settings::{KNOWN, TIMEOUT, VECTORS};

/// The words of the command line by which a run got its targets.
pub(super) fn options(common: &Common) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut option = |name: &str, value: String| words.extend([name.to_string(), value]);
    if !common.targets.is_empty() {
        option("--targets", common.targets.join(","));
    }
    for spec in &common.target {
        option("--target", spec.to_string());
    }
    if !common.model.is_empty() {
        option("--model", common.model.join(","));
    }
    if let Some(claims) = &common.claims {
        option("--claims", claims.display().to_string());
    }
    if !common.target.is_empty() && common.timeout.to_string() != TIMEOUT {
        option("--timeout", common.timeout.to_string());
    }
    if common.disputed {
        words.push("--disputed".to_string());
    }
    words
}

/// The options of a run, as a shell takes them.
pub(super) fn shell_options(common: &Common) -> String {
    shell_words(options(common).iter().map(String::as_str))
}

/// A command of this program with the targets of this run.
pub(super) fn with_targets(common: &Common, command: &str) -> String {
    with_options(command, &options(common))
}

/// A command of this program with options.
pub(super) fn with_options(command: &str, options: &[String]) -> String {
    let words = shell_words(options.iter().map(String::as_str));
    if words.is_empty() { format!("tandem {command}") } else { format!("tandem {command} {words}") }
}

/// The options by which recorded vectors and the list of known findings are found, where they are not where they usually
/// are.
pub(super) fn files(common: &Common) -> String {
    let mut text = String::new();
    for (name, path, usual) in [("--vectors", &common.vectors, VECTORS), ("--known", &common.known, KNOWN)] {
        if path != Path::new(usual) && path != Path::new(EMBEDDED) {
            text += &format!(" {name} {}", path_word(path));
        }
    }
    text
}

/// A path, as a shell takes it.
pub(super) fn path_word(path: &Path) -> String {
    shell_word(&path.display().to_string())
}
