//! Earlier cases: which of them one goes wrong after that is right alone.

use crate::bench::fewest;
use crate::{CaseId, Workbench};

/// Cases that may be run in all while those are looked for after which another one goes wrong, …
const RERUN: usize = 1 << 20;
/// … and on a target behind a border.
const RERUN_FOREIGN: usize = 1 << 14;

/// The fewest cases found, of those of a history and in its order, after which a case goes wrong on an instance that was begun
/// anew.
pub(crate) fn cases_before(bench: &mut Workbench, slot: usize, history: &[CaseId], id: &CaseId) -> Option<Vec<CaseId>> {
    let mut left = if bench.slots[slot].foreign { RERUN_FOREIGN } else { RERUN };
    // Nothing is shown any more once all was run that may be.
    let mut shows = |before: &[CaseId]| {
        let Some(rest) = left.checked_sub(before.len() + 1) else { return false };
        left = rest;
        bench.begin_anew(slot);
        for before in before {
            let _ = bench.diverges(before, slot);
        }
        bench.diverges(id, slot)
    };
    // The last of them first, and always twice as many.
    let mut length = 1;
    let before = loop {
        let last = &history[history.len().saturating_sub(length)..];
        if !last.is_empty() && shows(last) {
            break last.to_vec();
        }
        if length >= history.len() {
            // What ran in between in this order need not have run then.
            let alone = history.iter().rev().skip(1).take(ALONE).find(|&before| shows(std::slice::from_ref(before)))?;
            break vec![*alone];
        }
        length *= 2;
    };
    Some(fewest(before, shows))
}

/// Cases that are tried alone as the one before, if none of the last ones together shows it.
const ALONE: usize = 256;
