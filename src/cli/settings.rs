//! What a command was told.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tandem_harness::foreign::TargetSpec;
use tandem_harness::vectors::{EMBEDDED, has_embedded};

use super::options::Group;

/// Where the list of known findings usually is.
pub(super) const KNOWN: &str = "reports/known.json";
/// Where recorded vectors usually are.
pub(super) const VECTORS: &str = "vectors";
/// Where results usually go.
pub(super) const OUT: &str = "reports/latest";
/// How long a target may usually take for a batch, in seconds.
pub(super) const TIMEOUT: &str = "5";

/// What a command was told by its options, and what is usual where it has no such option.
#[derive(Clone, Debug)]
pub struct Common {
    pub(super) json: bool,
    pub(super) seed: Option<u64>,
    pub(super) cases: Option<u64>,
    pub(super) seconds: Option<f64>,
    pub(super) max_findings: Option<NonZeroUsize>,
    pub(super) targets: Vec<String>,
    pub(super) target: Vec<TargetSpec>,
    pub(super) model: Vec<String>,
    pub(super) claims: Option<PathBuf>,
    /// In seconds.
    pub(super) timeout: f64,
    /// Whether differences in disputed cases are findings.
    pub(super) disputed: bool,
    pub(super) edition: Option<String>,
    pub(super) complete: bool,
    pub(super) pages: Option<PathBuf>,
    pub(super) threads: Option<u16>,
    pub(super) out: PathBuf,
    pub(super) vectors: PathBuf,
    pub(super) no_vectors: bool,
    pub(super) known: PathBuf,
}

impl Default for Common {
    fn default() -> Self {
        Common {
            json: false,
            seed: None,
            cases: None,
            seconds: None,
            max_findings: None,
            targets: Vec::new(),
            target: Vec::new(),
            model: Vec::new(),
            claims: None,
            timeout: TIMEOUT.parse().expect("the usual time is a number"),
            disputed: false,
            edition: None,
            complete: false,
            pages: None,
            threads: None,
            out: OUT.into(),
            vectors: VECTORS.into(),
            no_vectors: false,
            known: KNOWN.into(),
        }
        .settled()
    }
}

impl Common {
    /// What the groups of options of a command say.
    pub(super) fn told(groups: &[&dyn Group]) -> Self {
        let mut common = Common::default();
        groups.iter().for_each(|group| group.tell(&mut common));
        common.settled()
    }

    /// The same options where there is no directory of vectors: those in the program are used.
    fn settled(mut self) -> Self {
        if self.vectors == Path::new(VECTORS) && !self.vectors.exists() && has_embedded() {
            self.vectors = EMBEDDED.into();
        }
        self
    }

    /// The directory that recorded vectors are written to.
    pub(super) fn vectors_to_write(&self) -> &Path {
        if self.vectors == Path::new(EMBEDDED) { Path::new(VECTORS) } else { &self.vectors }
    }

    /// What a run does about vectors and known findings that is not what it usually does, in sentences.
    pub(super) fn about_files(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.no_vectors {
            notes.push("recorded vectors were not replayed, as --no-vectors asks".to_string());
        } else if self.vectors == Path::new(EMBEDDED) {
            notes.push(format!("there is no directory {VECTORS} here: the vectors in the program were replayed"));
        }
        if self.known == Path::new(KNOWN) && !self.known.exists() {
            notes.push(format!("there is no {KNOWN} here: no finding is known"));
        }
        notes
    }

    /// Number of workers.
    pub(super) fn workers(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()), usize::from)
    }
}
