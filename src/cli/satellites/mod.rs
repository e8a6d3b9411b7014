//! Commands that few need. Each has a crate of its own below `satellites/`, and is there if its feature was built; nothing else
//! of the command line knows which are.

#[cfg(feature = "boards")]
mod board;
#[cfg(feature = "challenges")]
mod challenge;
#[cfg(any(feature = "boards", feature = "opencl"))]
mod chosen;
#[cfg(feature = "imports")]
mod import;
#[cfg(feature = "opencl")]
mod opencl;
#[cfg(feature = "challenges")]
mod sign;

use std::path::Path;

use tandem_harness::vectors::{Results, Store};

use super::args::{ChallengeAction, Export, Import};
use super::{CliError, Common, Exit};

/// The format for a board, on the command line.
const PROGRAM: &str = "tensix-program";
/// The format for kernels of OpenCL.
const OPENCL: &str = "opencl-visa";
/// The format for kernels in the text of the assembler, and as object files.
const ASSEMBLER: &str = "visaasm";

/// What is said of a command that was not built.
#[cfg(not(all(feature = "boards", feature = "challenges", feature = "imports", feature = "opencl")))]
fn not_built<T>(command: &str, feature: &str) -> Result<T, CliError> {
    Err(CliError::Usage(format!(
        "this program was built without {command}: build it with `cargo build --release --features {feature}`"
    )))
}

/// `tandem vectors export` in a format for a machine; nothing for other formats.
#[cfg_attr(
    not(any(feature = "boards", feature = "opencl")),
    expect(unused_variables, reason = "formats that are not built read no option")
)]
pub(super) fn export(common: &Common, asked: &Export) -> Option<Result<Exit, CliError>> {
    match &*asked.format {
        PROGRAM => Some(cfg_select! {
            feature = "boards" => board::run(common, asked),
            _ => not_built("programs for boards", "boards"),
        }),
        OPENCL | ASSEMBLER => Some(cfg_select! {
            feature = "opencl" => opencl::run(common, asked),
            _ => not_built("kernels for Intel's tools", "opencl"),
        }),
        _ => None,
    }
}

/// `tandem vectors board`.
pub(super) fn board(chip: &str, wrong: bool) -> Result<Exit, CliError> {
    cfg_select! {
        feature = "boards" => board::serve(&crate::wiring::suite(), chip, wrong),
        _ => { let _ = (chip, wrong); not_built("boards", "boards") }
    }
}

/// `tandem vectors import`.
pub(super) fn import(asked: &Import) -> Result<Exit, CliError> {
    cfg_select! {
        feature = "imports" => import::run(asked),
        _ => { let _ = asked; not_built("imports of recordings", "imports") }
    }
}

/// `tandem challenge`.
pub(super) fn challenge(action: &ChallengeAction) -> Result<Exit, CliError> {
    cfg_select! {
        feature = "challenges" => challenge::run(action),
        _ => { let _ = action; not_built("challenges", "challenges") }
    }
}

/// The results to a challenge, and the tests that were asked.
pub(super) fn results_of_challenge(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    store: &Store,
) -> Result<(Results, Vec<String>), CliError> {
    cfg_select! {
        feature = "challenges" => challenge::results(folder, name, bytes, store),
        _ => { let _ = (folder, name, bytes, store); not_built("challenges", "challenges") }
    }
}
