//! Files: each error names its file, folders are made where they are missing, and a file is there as a whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{Error, ErrorKind, Write};
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

/// Writes a file as a whole, or not at all, and makes its folder: it is written beside its place, is on the disk, and then
/// takes its place. What is no file, as a pipe, is written to.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    make_room(path)?;
    // A link stays a link.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let before = fs::metadata(&place).ok();
    let written = match &before {
        Some(before) if !before.is_file() => fs::write(&place, &text),
        _ => match write_beside(&place, text.as_ref(), before.as_ref()) {
            // A folder that nobody may write in, or a file that is mounted where it is.
            Err(error) if before.is_some() && is_of_the_folder(&error) => fs::write(&place, &text),
            written => written,
        },
    };
    written.map_err(CliError::io(path))
}

/// Whether a file cannot be replaced by another one, and may be written all the same.
fn is_of_the_folder(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ResourceBusy | ErrorKind::CrossesDevices)
}

fn write_beside(place: &Path, text: &[u8], before: Option<&Metadata>) -> std::io::Result<()> {
    let mut fresh = place.as_os_str().to_os_string();
    fresh.push(".new");
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(text)?;
        before.map_or(Ok(()), |before| file.set_permissions(before.permissions()))?;
        file.sync_all()?;
        fs::rename(&fresh, place)
    };
    let written = write();
    if written.is_err() {
        // What is left of it takes room, and is of no use.
        let _ = fs::remove_file(&fresh);
    }
    written
}

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(CliError::io(path))
}

/// Reads a file that may be no text.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    fs::read(path).map_err(CliError::io(path))
}

/// Reads a file that may be no text, if it is there.
pub(super) fn read_bytes_if_there(path: &Path) -> Result<Option<Vec<u8>>, CliError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::Io { path: path.into(), error }),
    }
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_stays_what_it_was() {
        let folder = std::env::temp_dir().join(format!("tandem-files-{}", std::process::id()));
        let (file, link) = (folder.join("below/file.json"), folder.join("link"));
        write(&file, "one").expect("folders are made");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
        symlink(&file, &link).expect("it is ours");
        write(&link, "two").expect("it is ours");
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "two");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o640);
        // Whoever has it open goes on reading what it was: it is another file.
        let mut open = File::open(&file).expect("it is there");
        write(&file, "three").expect("it is ours");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut open, &mut text).expect("it is open");
        assert_eq!(text, "two");
        assert_eq!(fs::read_dir(folder.join("below")).expect("it is there").count(), 1, "nothing is left beside it");
        // What is no file is never replaced.
        if Path::new("/dev/full").exists() {
            let error = write(Path::new("/dev/full"), "text").expect_err("it has no room");
            assert_eq!(error.exit(), super::super::Exit::Full, "{error}");
        }
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
