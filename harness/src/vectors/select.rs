//! Selection: the tests of a file that somebody wants, as a file of its own.

use std::collections::BTreeMap;

use tandem_isa::{Axis, Edition};

use super::disputed::Marked;
use super::model::{Test, VectorFile};
use super::recorded::waits_of;
use super::store::Revocation;

/// Which tests are wanted; whatever is empty selects all.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Tests that hold in this edition.
    pub edition: Option<Edition>,
    /// Tests of these cells, as the file numbers them.
    pub cells: Vec<usize>,
    /// Tests of cells that have all of these levels, each as `axis=level`.
    pub levels: Vec<String>,
    /// Tests of these cell classes.
    pub classes: Vec<String>,
    /// Tests of cells that a profile lists.
    pub profile: Option<Listed>,
    /// Tests that carry one of these flags.
    pub flags: Vec<String>,
    /// No test that carries one of these flags.
    pub without_flags: Vec<String>,
    /// Tests that hardware can be asked: none that is contested or disputed, and no program that software must not write.
    pub hardware: bool,
    /// At most so many tests of each cell.
    pub per_cell: Option<usize>,
    /// At most so many tests in all, the first ones.
    pub first: Option<usize>,
}

/// What a profile lists of an instruction.
#[derive(Clone, Debug)]
pub struct Listed {
    /// What the profile is called.
    pub profile: String,
    /// The levels of each entry: a cell that has all of one is listed.
    pub entries: Vec<Vec<String>>,
}

/// The tests of `file` that are selected and not revoked.
#[must_use]
pub fn select(file: &VectorFile, selection: &Selection, revoked: &BTreeMap<String, Revocation>) -> VectorFile {
    let mut chosen = file.clone();
    let Selection { edition, cells, levels: axes, classes, profile, flags, without_flags, hardware, per_cell, first } =
        selection;
    let mut left = first.unwrap_or(usize::MAX);
    let marked = Marked::new(file.isa, file.instruction);
    for group in &mut chosen.groups {
        let space = (file.instruction.cells)(group.edition);
        let levels = space.levels(group.cell);
        let class = (file.instruction.cell_class)(group.edition, levels);
        let has_all = |wanted: &[String]| wanted.iter().all(|wanted| has_level(space.axes, levels, wanted));
        let wanted = (cells.is_empty() || cells.contains(&group.cell))
            && has_all(axes)
            && profile.as_ref().is_none_or(|listed| listed.entries.iter().any(|entry| has_all(entry)))
            && (classes.is_empty() || classes.iter().any(|known| known == class));
        group.tests.retain(|test| {
            wanted
                && edition.is_none_or(|edition| test.editions.contains(&edition))
                && (flags.is_empty() || test.flags.iter().any(|flag| flags.contains(flag)))
                && !test.flags.iter().any(|flag| without_flags.contains(flag))
                && (!*hardware || is_for_hardware(file, test, &marked))
                && !revoked.contains_key(&test.id(file.isa, file.instruction))
        });
        group.tests.truncate(per_cell.unwrap_or(usize::MAX).min(left));
        left -= group.tests.len();
    }
    chosen.sort();
    chosen
}

/// Whether a cell with these levels has the one that `wanted` names, as `axis=level`.
pub(super) fn has_level(axes: &[Axis], levels: &[u8], wanted: &str) -> bool {
    let mut named = axes.iter().zip(levels).map(|(axis, &level)| (axis.name, axis.levels[usize::from(level)]));
    wanted.split_once('=').is_some_and(|wanted| named.any(|one| one == wanted))
}

fn is_for_hardware(file: &VectorFile, test: &Test, marked: &Marked) -> bool {
    let is_right = || test.then.is_empty() || waits_of(file.isa, &test.steps(file.instruction)).is_ok();
    test.contested(file.isa, file.instruction).is_none() && !marked.has(file.isa, test) && is_right()
}
