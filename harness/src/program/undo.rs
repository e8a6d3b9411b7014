//! Where the steps so far leave a state, so that a step that is only tried can be taken back.
//!
//! Running all steps once more would leave the same, and does where what a row is filled with goes by how many were filled
//! before it ([`Undo::fits`]). A step that is taken back costs what it touched instead.

use tandem_isa::{AlignedBytes, Layout, RowSet, RowShape, SaltPlan, State};

use crate::RowMap;

/// A state as the steps so far leave it.
pub(super) struct Undo {
    small: AlignedBytes,
    /// The rows that they wrote, and what these hold.
    written: RowSet,
    arena: AlignedBytes,
    /// What of the log keeps the read port from filling a row.
    read: RowSet,
    filled: RowSet,
}

impl Undo {
    pub(super) fn new(layout: &Layout) -> Self {
        Undo {
            small: AlignedBytes::zeroed(layout.small_bytes),
            written: RowSet::default(),
            arena: AlignedBytes::zeroed(layout.arena_bytes),
            read: RowSet::default(),
            filled: RowSet::default(),
        }
    }

    /// Whether rows of a plan are filled alike however many were filled before, so that a fill can be taken back.
    pub(super) fn fits(salt: &SaltPlan) -> bool {
        match salt.shape {
            RowShape::Blend | RowShape::Zero | RowShape::Corner => true,
            RowShape::Equal | RowShape::Odd | RowShape::Pairs => false,
        }
    }

    /// Keeps a state. What was written up to here is out of its log until [`Undo::end`], and counts as read there, so that no
    /// later step has it filled.
    pub(super) fn keep(&mut self, state: &mut State, map: &RowMap) {
        self.small.copy_from_slice(&state.small);
        let log = &mut state.tracker.log;
        map.copy([&log.written], &state.arena, &mut self.arena);
        self.written.union(&log.written);
        log.read.union(&log.written);
        log.written.clear();
        self.read.clone_from(&log.read);
        self.filled.clone_from(&state.tracker.overlay.rows);
    }

    /// Takes back what was done since the state was kept, fills too. `background` is what rows hold that nobody touched.
    pub(super) fn take_back(&self, state: &mut State, map: &RowMap, background: &[u8]) {
        state.small.copy_from_slice(&self.small);
        let State { arena, tracker, .. } = state;
        let (written, overlay) = (&tracker.log.written, &tracker.overlay);
        RowSet::each_run_of([written, &overlay.rows], |first, count| {
            for row in first..first + count {
                let is_fresh = overlay.rows.contains(row) && !self.filled.contains(row);
                if is_fresh || written.contains(row) {
                    let before: &[u8] = match row {
                        _ if self.written.contains(row) => &self.arena,
                        _ if self.filled.contains(row) => &overlay.arena,
                        _ => background,
                    };
                    let range = map.range(row, 1);
                    arena[range.clone()].copy_from_slice(&before[range]);
                }
            }
        });
        tracker.log.written.clear();
        tracker.log.read.clone_from(&self.read);
        tracker.overlay.rows.clone_from(&self.filled);
    }

    /// Puts what the steps wrote back into the log.
    pub(super) fn end(&mut self, state: &mut State) {
        state.tracker.log.written.union(&self.written);
        self.written.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rstest::rstest;
    use tandem_cases::ISAS;
    use tandem_isa::{Isa, LoggedBank, Noise, mix64};

    use super::*;
    use crate::{Pools, Salter};

    /// Reads or writes some rows of some banks, and changes a byte of the small state.
    fn touch(isa: &'static Isa, noise: &mut Noise, state: &mut State) {
        for _ in 0..12 {
            let number = noise.below(isa.layout.banks.len());
            let bank = &isa.layout.banks[number];
            let (row, logged) = (noise.below(bank.rows().min(6)), LoggedBank::new(isa.layout.banks, number));
            let State { arena, tracker, .. } = &mut *state;
            let bytes = &mut arena[bank.row_range(row)];
            if noise.below(2) == 0 {
                tracker.read(logged, row, bytes);
            } else {
                tracker.write(logged, row);
                bytes[0] ^= noise.half() as u8;
            }
        }
        let place = noise.below(isa.layout.small_bytes);
        state.small[place] ^= noise.half() as u8;
    }

    fn begun(isa: &'static Isa, pools: &Arc<Pools>, shape: RowShape, key: u64) -> State {
        let mut state = State::zeroed(isa.layout);
        state.set_port(Some(Box::new(Salter::new(Arc::clone(pools)))));
        let mut plan = SaltPlan { shape, ..SaltPlan::default() };
        plan.class[..isa.background.len()].copy_from_slice(isa.background);
        state.port_mut().expect("it was opened").begin(mix64(key), &plan, false);
        state
    }

    /// Whether all goes on with a step taken back before each as if these had never been.
    fn goes_on(pools: &Arc<Pools>, shape: RowShape, key: u64) -> bool {
        let isa = ISAS[0];
        let (map, background) = (RowMap::new(isa.layout), vec![0; isa.layout.arena_bytes]);
        let mut undo = Undo::new(isa.layout);
        let (mut with, mut without) = (begun(isa, pools, shape, key), begun(isa, pools, shape, key));
        for step in 0..6 {
            undo.keep(&mut with, &map);
            touch(isa, &mut Noise::new(mix64(key << 8 | step) ^ 1), &mut with);
            assert!(with.arena[..] != without.arena[..], "key {key}, step {step}");
            undo.take_back(&mut with, &map, &background);
            for state in [&mut with, &mut without] {
                touch(isa, &mut Noise::new(mix64(key << 8 | step)), state);
            }
        }
        undo.end(&mut with);
        let is_like = |one: &State, other: &State| {
            let [rows, others] = [one, other].map(|state| (&state.tracker.log.written, &state.tracker.overlay.rows));
            one.arena[..] == other.arena[..] && one.small[..] == other.small[..] && rows == others
        };
        is_like(&with, &without)
    }

    #[rstest]
    fn what_is_taken_back_changes_nothing_where_that_is_said(
        #[values(RowShape::Blend, RowShape::Zero, RowShape::Corner, RowShape::Equal, RowShape::Odd, RowShape::Pairs)]
        shape: RowShape,
    ) {
        let fits = Undo::fits(&SaltPlan { shape, ..SaltPlan::default() });
        let pools = Pools::new(ISAS[0], 3);
        assert_eq!((0..64).all(|key| goes_on(&pools, shape, key)), fits);
    }
}
