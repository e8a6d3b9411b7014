//! Files: each error names its file, folders are made where they are missing, and what is replaced is replaced whole.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::CliError;

/// Makes the folder that a file lies in.
pub(super) fn make_room(path: &Path) -> Result<(), CliError> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => fs::create_dir_all(parent).map_err(CliError::io(parent)),
        None => Ok(()),
    }
}

/// Tries whether files can be written into a folder, which is made if it is missing: before a long run, not after it.
pub(super) fn try_folder(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(CliError::io(folder))?;
    let trial = folder.join(format!(".tandem-{}", std::process::id()));
    fs::write(&trial, []).map_err(CliError::io(folder))?;
    fs::remove_file(&trial).map_err(CliError::io(&trial))
}

/// Writes a file, and makes its folder.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    make_room(path)?;
    fs::write(path, text).map_err(CliError::io(path))
}

/// Replaces a file as a whole, or not at all.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), CliError> {
    let fresh = path.with_extension("json.new");
    write(&fresh, text)?;
    fs::rename(&fresh, path).map_err(CliError::io(path))
}

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(CliError::io(path))
}

/// Reads a file that may be no text.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    fs::read(path).map_err(CliError::io(path))
}

/// Reads a file, if it is there.
pub(super) fn read_if_there(path: &Path) -> Result<Option<String>, CliError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::Io { path: path.into(), error }),
    }
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), CliError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(CliError::Io { path: path.into(), error }),
        _ => Ok(()),
    }
}
