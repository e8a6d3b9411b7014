//! Selection: the tests of a file that somebody wants, as a file of its own.

use std::collections::BTreeMap;

use tandem_isa::Edition;

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
    /// Tests of these cell classes.
    pub classes: Vec<String>,
    /// Tests that carry one of these flags.
    pub flags: Vec<String>,
    /// No test that carries one of these flags.
    pub without_flags: Vec<String>,
    /// Tests that hardware can be asked: none that is contested, and no program that software must not write.
    pub hardware: bool,
    /// At most so many tests of each cell.
    pub per_cell: Option<usize>,
}

/// The tests of `file` that are selected and not revoked.
#[must_use]
pub fn select(file: &VectorFile, selection: &Selection, revoked: &BTreeMap<String, Revocation>) -> VectorFile {
    let mut chosen = file.clone();
    let Selection { edition, cells, classes, flags, without_flags, hardware, per_cell } = selection;
    for group in &mut chosen.groups {
        let levels = (file.instruction.cells)(group.edition).levels(group.cell);
        let class = (file.instruction.cell_class)(group.edition, levels);
        let wanted = (cells.is_empty() || cells.contains(&group.cell))
            && (classes.is_empty() || classes.iter().any(|known| known == class));
        group.tests.retain(|test| {
            wanted
                && edition.is_none_or(|edition| test.editions.contains(&edition))
                && (flags.is_empty() || test.flags.iter().any(|flag| flags.contains(flag)))
                && !test.flags.iter().any(|flag| without_flags.contains(flag))
                && (!*hardware || is_for_hardware(file, test))
                && !revoked.contains_key(&test.id(file.isa, file.instruction))
        });
        group.tests.truncate(per_cell.unwrap_or(usize::MAX));
    }
    chosen.sort();
    chosen
}

fn is_for_hardware(file: &VectorFile, test: &Test) -> bool {
    let is_right = || test.then.is_empty() || waits_of(file.isa, &test.steps(file.instruction)).is_ok();
    test.contested(file.isa, file.instruction).is_none() && is_right()
}
