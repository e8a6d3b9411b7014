//! Cases of `SFPLOADMACRO`, on both chips.

use tandem_isa::Axis;
use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::sfpload::load_macro::MACRO_INDEX;

use super::lens::{Lens, Partition, split};
use super::sfpu_lanes::{LANE_FLAGS, ROW_MASK, USE_LANE_FLAGS};
use super::{CASES, Cases};

const INDEX: Axis = split!("MacroIndex", &["0", "1", "2", "3"], &[], Lens::Code(MACRO_INDEX), Partition::Each);

pub(super) const fn sfploadmacro(_: Chip) -> Cases {
    Cases { path: [&[INDEX]; 2], orthogonal: [&[LANE_FLAGS, USE_LANE_FLAGS, ROW_MASK]; 2], ..CASES }
}
