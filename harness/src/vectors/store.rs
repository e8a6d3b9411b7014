//! All files of vectors of a directory, and the tests that are not to be used any more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;
use tandem_isa::{Instruction, Isa};

use super::error::VectorError;
use super::model::VectorFile;
use super::read::{MAX_FILE_BYTES, check_text, read_bytes, read_checked, read_revocations, revocations};

/// The name of the list of revoked tests, in the directory of the vectors.
const REVOKED_FILE: &str = "revoked.json";

/// The directory whose files are those of [`embed`]. No directory of a machine has such a name.
pub const EMBEDDED: &str = "<vectors in the program>";

/// A file that is a part of the program.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFile {
    /// Its path below [`EMBEDDED`].
    pub name: &'static str,
    /// Its text, packed with DEFLATE.
    pub packed: &'static [u8],
}

impl EmbeddedFile {
    /// Its text.
    ///
    /// # Panics
    /// If what was packed is no text: it is packed when the program is built.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = miniz_oxide::inflate::decompress_to_vec(self.packed);
        String::from_utf8(bytes.expect("it was packed when the program was built")).expect("vectors are text")
    }
}

static EMBEDDED_FILES: OnceLock<&'static [EmbeddedFile]> = OnceLock::new();

/// Makes files a part of the program: [`Store::load`] takes them for those of the directory [`EMBEDDED`]. Said once, by
/// whoever has them.
pub fn embed(files: &'static [EmbeddedFile]) {
    EMBEDDED_FILES.get_or_init(|| files);
}

fn embedded() -> &'static [EmbeddedFile] {
    EMBEDDED_FILES.get().copied().unwrap_or_default()
}

/// Whether there are files in the program.
#[must_use]
pub fn has_embedded() -> bool {
    !embedded().is_empty()
}

/// A test that is not to be used any more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revocation {
    /// Its id.
    pub id: String,
    /// Since when, `YYYY-MM-DD`.
    pub date: String,
    /// Why.
    pub reason: String,
}

/// Files of vectors with the list of revoked tests.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The files, in the order of their paths.
    pub files: Vec<(PathBuf, VectorFile)>,
    /// Revoked tests by id.
    pub revoked: BTreeMap<String, Revocation>,
    /// Where the list of revoked tests is, if there is one.
    pub revoked_path: Option<PathBuf>,
}

impl Store {
    /// Loads every file below a directory, of the instruction sets `isas`, and checks all of each.
    ///
    /// # Errors
    /// The first file that is refused, or [`VectorError::NoVectors`] if there is not one test.
    pub fn load(isas: &[&'static Isa], directory: &Path) -> Result<Self, VectorError> {
        Self::below(isas, directory, &|_| true, &|_, _| false)
    }

    /// Loads the files of some instructions alone: of the others no more than the beginning is looked at. What is a part of the
    /// program, byte for byte, was checked when it was committed, and is not checked again: reading takes a quarter of the time.
    ///
    /// # Errors
    /// As those of [`Store::load`], for what is loaded.
    pub fn load_of(
        isas: &[&'static Isa],
        directory: &Path,
        asked: &dyn Fn(&Instruction) -> bool,
    ) -> Result<Self, VectorError> {
        Self::below(isas, directory, asked, &|path, bytes| {
            let name = path.strip_prefix(directory).ok().and_then(Path::to_str);
            let same = embedded().iter().find(|file| Some(file.name) == name);
            same.is_some_and(|file| file.text().as_bytes() == bytes)
        })
    }

    /// As above; what `is_checked` says of a path and its bytes is read without the checks.
    fn below(
        isas: &[&'static Isa],
        directory: &Path,
        asked: &dyn Fn(&Instruction) -> bool,
        is_checked: &dyn Fn(&Path, &[u8]) -> bool,
    ) -> Result<Self, VectorError> {
        if directory == Path::new(EMBEDDED) {
            return Self::in_program(isas, asked);
        }
        let mut store = Store::default();
        let mut others = 0;
        for path in vector_paths(directory)? {
            let name = path.display().to_string();
            let bytes = read_bytes(&path, &name, MAX_FILE_BYTES)?;
            if is_of_another(isas, &bytes, asked) {
                others += 1;
                continue;
            }
            let file = match std::str::from_utf8(&bytes) {
                Ok(text) if is_checked(&path, &bytes) => read_checked(isas, &name, text)?,
                _ => check_text(isas, &name, &bytes)?,
            };
            store.files.push((path, file));
        }
        let list = directory.join(REVOKED_FILE);
        if list.exists() {
            for revocation in read_revocations(&list)? {
                store.revoked.insert(revocation.id.clone(), revocation);
            }
            store.revoked_path = Some(list);
        }
        if store.is_empty() && others == 0 {
            return Err(VectorError::NoVectors { file: directory.display().to_string() });
        }
        Ok(store)
    }

    /// The files in the program.
    fn in_program(isas: &[&'static Isa], asked: &dyn Fn(&Instruction) -> bool) -> Result<Self, VectorError> {
        let mut store = Store::default();
        let mut others = 0;
        for file in embedded() {
            let (path, text) = (Path::new(EMBEDDED).join(file.name), file.text());
            let shown = path.display().to_string();
            if file.name == REVOKED_FILE {
                let list = revocations(&shown, text.as_bytes())?;
                store.revoked.extend(list.into_iter().map(|one| (one.id.clone(), one)));
                store.revoked_path = Some(path);
            } else if is_of_another(isas, text.as_bytes(), asked) {
                others += 1;
            } else {
                store.files.push((path, read_checked(isas, &shown, &text)?));
            }
        }
        if store.is_empty() && others == 0 {
            return Err(VectorError::NoVectors { file: EMBEDDED.to_string() });
        }
        Ok(store)
    }

    /// Number of tests, revoked ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.iter().map(|(_, file)| file.len()).sum()
    }

    /// Whether there is no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|(_, file)| file.is_empty())
    }
}

/// How much of a file names its instruction, in bytes.
const HEAD_BYTES: usize = 400;

/// Whether a file says at its beginning, as each that is written in canonical form does, that it is of an instruction that is
/// not asked for. What does not say so is read.
fn is_of_another(isas: &[&'static Isa], bytes: &[u8], asked: &dyn Fn(&Instruction) -> bool) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let member = |key: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(&format!("  \"{key}\": \"")))?;
        line.strip_suffix("\",").map(str::to_string)
    };
    let (Some(isa), Some(name)) = (member("isa"), member("instruction")) else { return false };
    let isa = isas.iter().find(|known| known.name == isa);
    let instruction = isa.and_then(|isa| isa.instructions.iter().find(|known| known.name == name));
    instruction.is_some_and(|instruction| !asked(instruction))
}

/// The files of vectors below a directory (or the file itself, if it is one), in ascending order; the list of
/// revoked tests is left out.
///
/// # Errors
/// [`VectorError::Io`] if a directory cannot be read.
pub fn vector_paths(directory: &Path) -> Result<Vec<PathBuf>, VectorError> {
    if directory.is_file() {
        return Ok(vec![directory.to_path_buf()]);
    }
    let mut paths = Vec::new();
    collect(directory, true, &mut paths)?;
    paths.sort();
    Ok(paths)
}

fn collect(directory: &Path, top: bool, paths: &mut Vec<PathBuf>) -> Result<(), VectorError> {
    let io = |source| VectorError::Io { file: directory.display().to_string(), source };
    for entry in std::fs::read_dir(directory).map_err(io)? {
        let entry = entry.map_err(io)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(io)?);
        let name = entry.file_name();
        if kind.is_dir() {
            collect(&path, false, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "json") && !(top && name == REVOKED_FILE) {
            paths.push(path);
        }
    }
    Ok(())
}
