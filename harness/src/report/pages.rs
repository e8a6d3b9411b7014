//! The user's own copies of the pages: cited lines are shown from them, if they are the text that was transcribed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::model::CitationPart;
use super::text::visible;
use crate::vectors::{hex, sha256_bytes};

/// Files that are looked at in the directory itself, and the most bytes that a page has.
const MOST_FILES: usize = 4096;
const MOST_BYTES: u64 = 4 << 20;
/// Lines of one citation that are shown.
const MOST_LINES: usize = 24;

/// A directory with copies of pages: a clone of a repository, or files under any names.
#[derive(Clone, Debug)]
pub struct Pages {
    directory: PathBuf,
    by_hash: BTreeMap<String, PathBuf>,
}

/// What can be shown of a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quote {
    /// Lines with their numbers, in order; whatever steers a terminal is made visible.
    Lines(Vec<(usize, String)>),
    /// Nothing, and why.
    Withheld(String),
}

impl Pages {
    /// The pages in a directory. Files that lie in it directly are known by their contents, all others by their paths.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let entries = std::fs::read_dir(directory)?;
        let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        let mut by_hash = BTreeMap::new();
        for path in paths.into_iter().take(MOST_FILES) {
            if let Some(bytes) = read(&path) {
                by_hash.entry(hex(&sha256_bytes(&bytes))).or_insert(path);
            }
        }
        Ok(Pages { directory: directory.to_path_buf(), by_hash })
    }

    /// The lines that a citation names, if the user's copy is the text that they are counted in.
    #[must_use]
    pub fn quote(&self, citation: &CitationPart) -> Quote {
        let page = &citation.page;
        let Some(wanted) = &page.sha256 else {
            return Quote::Withheld(format!(
                "page {}: its whole file is not pinned, so no copy can be checked",
                page.id
            ));
        };
        let Some(lines) = line_numbers(&citation.place) else {
            return Quote::Withheld(format!("page {}: '{}' names no lines", page.id, visible(&citation.place)));
        };
        let short = page.short_commit();
        let mut other = None;
        for path in self.candidates(&page.repository, &page.path, wanted) {
            let Some(bytes) = read(&path) else { continue };
            if hex(&sha256_bytes(&bytes)) == *wanted {
                return Quote::Lines(take_lines(&String::from_utf8_lossy(&bytes), &lines));
            }
            other.get_or_insert(path);
        }
        Quote::Withheld(match other {
            Some(path) => format!(
                "page {}: {} is not the text at commit {short} (its SHA-256 differs); its lines are not shown",
                page.id,
                visible(&path.display().to_string())
            ),
            None => format!(
                "page {}: no copy of {} at commit {short} in {}",
                page.id,
                page.path,
                visible(&self.directory.display().to_string())
            ),
        })
    }

    fn candidates(&self, repository: &str, path: &str, wanted: &str) -> Vec<PathBuf> {
        let repository = repository.rsplit('/').next().unwrap_or(repository);
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut candidates: Vec<PathBuf> = self.by_hash.get(wanted).cloned().into_iter().collect();
        for place in [path.to_string(), format!("{repository}/{path}"), name.to_string()] {
            candidates.push(self.directory.join(place));
        }
        candidates
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let metadata = std::fs::metadata(path).ok()?;
    (metadata.is_file() && metadata.len() <= MOST_BYTES).then(|| std::fs::read(path).ok()).flatten()
}

/// The ranges in `line 126` or `lines 23-29, 31`; nothing if the text does not name lines.
fn line_numbers(place: &str) -> Option<Vec<(usize, usize)>> {
    let rest = place.strip_prefix("lines ").or_else(|| place.strip_prefix("line "))?;
    let mut ranges = Vec::new();
    for piece in rest.split([',', ' ']).filter(|piece| !piece.is_empty() && *piece != "and") {
        let (first, last) = piece.split_once(['-', '–']).unwrap_or((piece, piece));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first >= 1 && first <= last => ranges.push((first, last)),
            _ => break,
        }
    }
    (!ranges.is_empty()).then_some(ranges)
}

fn take_lines(text: &str, ranges: &[(usize, usize)]) -> Vec<(usize, String)> {
    let named = |number: usize| ranges.iter().any(|&(first, last)| (first..=last).contains(&number));
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|&(number, _)| named(number)).take(MOST_LINES).map(|(number, line)| (number, visible(line))).collect()
}

#[cfg(test)]
mod tests {
    use tandem_cases::ISAS;
    use tandem_isa::Edition;

    use super::*;
    use crate::report::model::PagePart;

    #[test]
    fn cited_lines_are_shown_only_from_the_very_text() {
        let directory = std::env::temp_dir().join(format!("tandem-pages-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory can be made");
        let text = "one\ntwo\nthree\x1b[2J\nfour\n";
        let page = PagePart::of(ISAS[0].instructions[0].page(Edition::Spec));
        let mut citation = CitationPart { page, place: "lines 2-3".to_string(), reason: "it says so".to_string() };
        citation.page.sha256 = Some(hex(&sha256_bytes(text.as_bytes())));

        let nothing = Pages::open(&directory).expect("it exists").quote(&citation);
        assert!(matches!(&nothing, Quote::Withheld(why) if why.contains("no copy")), "{nothing:?}");

        std::fs::write(directory.join("any name.txt"), text).expect("it can be written");
        let pages = Pages::open(&directory).expect("it exists");
        let shown = vec![(2, "two".to_string()), (3, "three\\u001b[2J".to_string())];
        assert_eq!(pages.quote(&citation), Quote::Lines(shown));

        std::fs::write(directory.join("any name.txt"), "another text").expect("it can be written");
        let name = citation.page.path.rsplit('/').next().expect("a path has a name").to_string();
        std::fs::write(directory.join(name), "another text").expect("it can be written");
        let other = Pages::open(&directory).expect("it exists").quote(&citation);
        assert!(matches!(&other, Quote::Withheld(why) if why.contains("SHA-256 differs")), "{other:?}");

        citation.page.sha256 = None;
        let unpinned = pages.quote(&citation);
        assert!(matches!(&unpinned, Quote::Withheld(why) if why.contains("not pinned")), "{unpinned:?}");
        std::fs::remove_dir_all(&directory).expect("it is ours");
    }

    #[test]
    fn line_numbers_are_read_from_places() {
        assert_eq!(line_numbers("lines 23-29, 31"), Some(vec![(23, 29), (31, 31)]));
        assert_eq!(line_numbers("line 126"), Some(vec![(126, 126)]));
        assert_eq!(line_numbers("lines 3 and 5 (of the table)"), Some(vec![(3, 3), (5, 5)]));
        assert_eq!(line_numbers("section 3"), None);
        assert_eq!(line_numbers("lines 9-2"), None);
    }
}
