//! Cases of `MOVA2D`. The axes are in `mova2d_axes.rs`, the quantities in `mova2d_quantities.rs`.

use tandem_isa::tensix::{Chip, bank};
use tandem_isa::{ContestedData, Exhaust, Feed, Placement, Recording};

use super::addr_mod_quantities::DST_COUNTERS;
use super::mova2d_axes::{
    BENCH_CLASSES, CELL_CLASSES, NEWEST_AXES, ORTHOGONAL, SPEC_AXES, SPEC_ORTHOGONAL, cell_class, contested, format_of,
    open_gate, prepare,
};
use super::mova2d_quantities::QUANTITIES;
use super::moves::{A2D_WH, no_int8};
use super::parts::row_base_beyond_hardware;
use super::{CASES, Cases, Class, Data, On};

pub(super) const fn mova2d<C: On>() -> Cases {
    match C::CHIP {
        Chip::Wormhole => WORMHOLE,
        Chip::Blackhole => super::moves::mova2d(),
    }
}

const WORMHOLE: Cases = Cases {
    path: [SPEC_AXES, NEWEST_AXES],
    class: Class::Of(cell_class, CELL_CLASSES),
    orthogonal: [SPEC_ORTHOGONAL, ORTHOGONAL],
    prepare,
    data: Data::Of(format_of),
    contested,
    contested_data: ContestedData {
        case: row_base_beyond_hardware,
        row: |parts, which, _, words| no_int8(A2D_WH, bank::SRCA, parts, which, words),
    },
    quantities: QUANTITIES,
    sweep: &["owner", "block_dest_mov", "unnamed_bits", "rwc_dst=any", "rwc_srca=any", "increments=any"],
    pairs: &[DST_COUNTERS],
    recording: Recording { source_rows: 2, ..CASES.recording },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, _| Some(EXHAUST),
    ..CASES
};

/// Every word of `SrcA`.
const EXHAUST: Exhaust = Exhaust {
    bits: 19,
    feed: Feed::Rows { bank: bank::SRCA, datum_bytes: 4, data_per_row: 16, place: Placement::LOW_BITS },
    set: open_gate,
};
