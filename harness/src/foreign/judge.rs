//! Judging the answers to gathered cases: what a target says that it wrote, against what the reference wrote.

use tandem_isa::{AlignedBytes, Answer, Answers, Layout, OpenBits, RowSet};

use super::check::Match;
use super::gather::{GatheredCases, Rows};
use super::target::answer_of;
use crate::judge::{refused_differences, row_differences, small_differences};
use crate::{CaseOutcome, Difference, RowMap};

/// Judges answers to cases on one background.
pub(crate) struct Judge {
    layout: &'static Layout,
    map: RowMap,
    background: AlignedBytes,
    /// The arenas of a case before, as expected, and as the target has it: the background between cases.
    arenas: [AlignedBytes; 3],
}

impl Judge {
    /// A judge of the cases of a layout.
    pub(crate) fn new(layout: &'static Layout) -> Self {
        let zeroed = |()| AlignedBytes::zeroed(layout.arena_bytes);
        Judge { layout, map: RowMap::new(layout), background: zeroed(()), arenas: [(); 3].map(zeroed) }
    }

    /// Takes another background.
    pub(crate) fn set_background(&mut self, background: &[u8]) {
        self.background.copy_from_slice(background);
        self.arenas.iter_mut().for_each(|arena| arena.copy_from_slice(background));
    }

    /// Judges answers that were checked, to the cases from `first` on; `same` says which are what the reference did.
    pub(crate) fn judge(
        &mut self,
        gathered: &GatheredCases,
        first: usize,
        (answers, same): (&Answers, &[Match]),
        outcomes: &mut [CaseOutcome],
    ) {
        let (mut row, mut byte) = (0, 0);
        for (index, outcome) in outcomes[first..first + answers.cases as usize].iter_mut().enumerate() {
            let rows = &answers.dirty_row[row..answers.dirty_end[index] as usize];
            let bytes = if same[index].rows {
                gathered.written(first + index).data.len()
            } else {
                rows.iter().map(|&row| self.map.range(row as usize, 1).len()).sum()
            };
            let dirty = Rows { rows, data: &answers.dirty_data[byte..byte + bytes] };
            (row, byte) = (row + rows.len(), byte + bytes);
            let size = self.layout.small_bytes;
            let small = &answers.small[index * size..(index + 1) * size];
            *outcome =
                self.verdict(gathered, first + index, (answer_of(answers.outcome[index]), small, dirty), same[index]);
        }
    }

    #[inline]
    fn verdict(
        &mut self,
        gathered: &GatheredCases,
        case: usize,
        (got, small, dirty): (Answer, &[u8], Rows<'_>),
        same: Match,
    ) -> CaseOutcome {
        let Some(expected) = gathered.expected[case].expectation.required_answer() else { return CaseOutcome::Agreed };
        if got == Answer::Unsupported {
            let before = gathered.small(case).0;
            if dirty.rows.is_empty() && before == small {
                return CaseOutcome::Unsupported;
            }
            let changes = self.refused(gathered.overlay(case), (before, small), dirty);
            return if changes.is_empty() { CaseOutcome::Unsupported } else { CaseOutcome::Diverged(changes) };
        }
        if got != expected {
            return CaseOutcome::Diverged(vec![Difference::Answer { expected, got }]);
        }
        let (written, (before, after)) = (gathered.written(case), gathered.small(case));
        let mut differences = if same.rows {
            Vec::new()
        } else {
            self.row_differences(gathered.overlay(case), written, dirty, gathered.open(case))
        };
        if !same.small {
            differences.extend(small_differences(self.layout, before, after, small));
        }
        if differences.is_empty() { CaseOutcome::Agreed } else { CaseOutcome::Diverged(differences) }
    }

    /// What changed in a case that the target refused; a row that is as it was before is no change.
    #[cold]
    fn refused(&mut self, overlay: Rows<'_>, (before, after): (&[u8], &[u8]), dirty: Rows<'_>) -> Vec<Difference> {
        let (map, [arena_before, _, got]) = (&self.map, &mut self.arenas);
        let mut touched = lay(map, overlay, arena_before);
        lay(map, overlay, got);
        let marked = lay(map, dirty, got);
        let changes = refused_differences(self.layout, &marked, (before, arena_before), (after, got));
        touched.union(&marked);
        map.copy([&touched], &self.background, arena_before);
        map.copy([&touched], &self.background, got);
        changes
    }

    /// What differs in the arena. A row of which the target says nothing is as it was before the case.
    fn row_differences(
        &mut self,
        overlay: Rows<'_>,
        written: Rows<'_>,
        dirty: Rows<'_>,
        open: &[OpenBits],
    ) -> Vec<Difference> {
        let (map, [before, expected, got]) = (&self.map, &mut self.arenas);
        let overlaid = [&mut *before, &mut *expected, &mut *got].map(|arena| lay(map, overlay, arena));
        let (written, marked) = (lay(map, written, expected), lay(map, dirty, got));
        let mut touched = written.clone();
        touched.union(&marked);
        touched.union(&overlaid[0]);
        OpenBits::settle(open, self.layout, expected, got);
        let differences = row_differences(self.layout, &touched, (&written, &marked), (before, expected, got), open);
        for arena in &mut self.arenas {
            map.copy([&touched], &self.background, arena);
        }
        differences
    }
}

/// Copies rows to their places in an arena, and says which.
fn lay(map: &RowMap, rows: Rows<'_>, arena: &mut [u8]) -> RowSet {
    let (mut set, mut data) = (RowSet::default(), rows.data);
    for &row in rows.rows {
        let range = map.range(row as usize, 1);
        let (contents, rest) = data.split_at(range.len());
        data = rest;
        arena[range].copy_from_slice(contents);
        set.insert(row as usize);
    }
    set
}
