//! The implementations whose recordings are understood.

use tandem_harness::Suite;
use tandem_harness::vectors::{Note, Source, Test, VectorFile};
use tandem_isa::{Instruction, Isa, Levels};

use super::line::{Line, Members, Record};
use super::{ImportError, cm_cpu_emulation, ttsim};

/// An implementation that is not ours: how its lines are told, read, and written down.
#[derive(Debug)]
pub(super) struct Witness {
    /// What a file of vectors calls it.
    pub(super) name: &'static str,
    /// The member that each line of it has, and no line of another.
    pub(super) mark: &'static str,
    /// Where its recordings come from, with what a reader of the vectors has to know.
    pub(super) source: fn(&Instruction) -> Source,
    /// Its own flags: each with what a test with it is like, and what a target that fails it does wrong.
    pub(super) notes: &'static [[&'static str; 3]],
    /// What a line holds.
    pub(super) record: for<'s> fn(&Line<'_>, &Members, &'s Suite) -> Result<Record<'s>, ImportError>,
    /// Why a line that the reference reproduces is still no test.
    pub(super) no_witness: fn(&Isa, &Test) -> Option<&'static str>,
    /// The value class that axes find in every bank when a test is looked at.
    pub(super) background: u8,
    /// What a test covers besides its cell, its outcome and its orthogonal axes.
    pub(super) covers: fn(&VectorFile, &Test, &Levels) -> Vec<[usize; 3]>,
}

/// All of them.
static WITNESSES: [&Witness; 2] = [&ttsim::WITNESS, &cm_cpu_emulation::WITNESS];

impl Witness {
    /// The witness that a line is of.
    pub(super) fn of(line: &Line<'_>, members: &Members) -> Result<&'static Witness, ImportError> {
        let marked = WITNESSES.into_iter().find(|witness| members.contains_key(witness.mark));
        marked.ok_or_else(|| {
            let marks = WITNESSES.map(|witness| format!("'{}' of {}", witness.mark, witness.name));
            line.wrong("/", format!("has no member that tells whose recording it is: {}", marks.join(" or "))).into()
        })
    }

    /// A file of its vectors, without tests.
    pub(super) fn file(&self, isa: &'static Isa, instruction: &'static Instruction) -> VectorFile {
        let mut file = VectorFile::new(isa, instruction, (self.source)(instruction));
        for &[flag, what, detects] in COMMON_NOTES.iter().chain(self.notes) {
            file.notes.insert(flag.to_string(), Note { what: what.to_string(), detects: detects.to_string() });
        }
        file
    }
}

/// The flags that any recording may have.
const COMMON_NOTES: [[&str; 3]; 2] = [
    [
        "contested",
        "Another text about the same machine promises less for this combination of modes, or something else; or the case \
         holds what no hardware is known to hold.",
        "Nothing by itself: who disagrees may have followed the other text.",
    ],
    [
        "recorded-one-edition",
        "The recording is reproduced in the listed edition alone.",
        "A target that follows the other edition of the page.",
    ],
];
