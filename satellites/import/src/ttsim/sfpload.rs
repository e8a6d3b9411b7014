//! Recordings of `SFPLOAD`, on both chips.

use tandem_isa::tensix::bank;
use tandem_isa::tensix::inst::sfpload::VD;

use super::LeftOut;
use super::form::{Executed, Form};
use super::sfpu::{enabled_lanes, ignored};

pub(super) static FORM: Form = Form {
    before: &["dst16", "dst_undef", "lreg", "LaneFlags", "UseLaneFlagsForLaneEnable"],
    after: &["rwc", "lreg"],
    note: "One instruction executed from a chosen state, on random and special inputs. Registers of LReg that are not \
           named are left at their base value here (the simulator had constants in LReg[11] to LReg[14]); the \
           instruction reads none. Configuration that the recording does not list was 0, and so were \
           DEST_REGW_BASE_Base, SrcB_override and every field of LaneConfig but ENABLE_DEST_INDEX, so these tests say \
           nothing about those fields. A test holds in the editions that reproduce it.",
    registers_read: |_| [None; 3],
    unnamed: &[],
    left_out: |line| ignored(line).or_else(|| undefined_rows(line)),
};

/// Registers that an `SFPLOAD` can load.
const LOADED: u32 = 8;
/// Lanes in a row.
const LANES: usize = 8;
/// Rows of lanes.
const ROWS: usize = 4;

/// Whether enabled lanes read rows that are marked as undefined: those of a listed row are the eight of its place among
/// four. Where no lane is enabled, or nothing is loaded, the reference is asked what the page promises.
fn undefined_rows(line: &Executed<'_>) -> Option<LeftOut> {
    if VD.get(line.code) >= LOADED {
        return None;
    }
    let enabled = enabled_lanes(line);
    let reads = |row: usize| (enabled >> (LANES * (row % ROWS))) & 0xff != 0;
    let marked = |&&row: &&usize| line.before.rows.contains_key(&(bank::DST_ROW_VALID, row));
    line.dst_rows.iter().filter(marked).any(|&row| reads(row)).then_some(LeftOut::UndefinedRows)
}
