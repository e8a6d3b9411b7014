//! Recordings of `SFPSTORE`, on both chips.

use tandem_isa::tensix::inst::sfpstore::VD;

use super::form::Form;
use super::sfpu::ignored;

pub(super) static FORM: Form = Form {
    before: &["dst16", "dst_undef", "lreg", "LaneFlags", "UseLaneFlagsForLaneEnable"],
    after: &["rwc", "dst16", "dst_undef", "dst_defined"],
    note: "One instruction executed from a chosen state, on random and special inputs. The register that is stored \
           holds what the simulator had in it, its constants in LReg[11] to LReg[14] among them; others are left at \
           their base value here. Configuration that the recording does not list was 0, and so were \
           DEST_REGW_BASE_Base, SrcB_override and every field of LaneConfig but ENABLE_DEST_INDEX, so these tests say \
           nothing about those fields. A test holds in the editions that reproduce it.",
    registers_read: |code| [Some(VD.get(code)), None, None],
    unnamed: &[],
    left_out: ignored,
};
