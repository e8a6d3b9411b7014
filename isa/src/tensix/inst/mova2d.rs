//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! Facts only. The axes are in `mova2d_axes.rs`, the quantities in `mova2d_quantities.rs`, the syntax in `mova2d_syntax.rs`, the statements of the page in
//! `mova2d_statements.rs`. *Source*: page MOVA2D, commits 22812eeb (`spec`) and 88d4bf9c (`newest`); page
//! RWCs (what the AddrMod bits select); page SFPCONFIG (`BLOCK_DEST_MOV`).

use super::mova2d_axes::{
    BENCH_CLASSES, CELL_CLASSES, cell_class, cells, contested, format_of, open_gate, orthogonal, prepare,
};
use super::mova2d_quantities::QUANTITIES;
use super::mova2d_statements::STATEMENTS;
use super::mova2d_syntax::{parse, print};
use crate::tensix::{bank, pages};
use crate::{CodeField, Edition, Exhaust, Feed, Instruction, Page, Placement, Recording, Reductions, Unwitnessed};

/// The opcode byte.
pub const OPCODE: CodeField = CodeField { name: "opcode", word: 0, shift: 24, width: 8 };
/// `UseDst32bLo`, bit 23.
pub const USE_DST32B_LO: CodeField = CodeField { name: "UseDst32bLo", word: 0, shift: 23, width: 1 };
/// `SrcRow`, bits 17 to 22.
pub const SRC_ROW: CodeField = CodeField { name: "SrcRow", word: 0, shift: 17, width: 6 };
/// `AddrMod`, bits 15 and 16.
pub const ADDR_MOD: CodeField = CodeField { name: "AddrMod", word: 0, shift: 15, width: 2 };
/// `Move8Rows`, bit 13.
pub const MOVE8_ROWS: CodeField = CodeField { name: "Move8Rows", word: 0, shift: 13, width: 1 };
/// `DstRow`, bits 0 to 9.
pub const DST_ROW: CodeField = CodeField { name: "DstRow", word: 0, shift: 0, width: 10 };

/// The bits that no field names: 10, 11, 12 and 14.
pub const UNNAMED_BITS: u32 = 0x5c00;

/// The instruction.
pub static MOVA2D: Instruction = Instruction {
    isa: "tensix-wh",
    name: "MOVA2D",
    file: "mova2d",
    index: 0,
    summary: "Move one row or eight rows from SrcA to Dst",
    page,
    base_code: &[0x1200_0000],
    opcode: &[OPCODE],
    code_fields: &[USE_DST32B_LO, SRC_ROW, ADDR_MOD, MOVE8_ROWS, DST_ROW],
    cells,
    orthogonal,
    prepare,
    finish: |_, _, _| {},
    cell_class,
    cell_classes: CELL_CLASSES,
    format: format_of,
    print,
    parse,
    contested,
    reductions: Reductions::NONE,
    quantities: QUANTITIES,
    plain: &[],
    statements: STATEMENTS,
    statements_report: Some("000"),
    errata: &[
        "TX-01", "TX-02", "TX-03", "TX-04", "TX-05", "TX-06", "TX-07", "TX-08", "TX-09", "TX-10", "TX-11", "TX-12",
        "TX-13",
    ],
    unwitnessed: UNWITNESSED,
    recording: Recording { always: &[], unpromised: &[], others: 3, source_rows: 2 },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, _| Some(EXHAUST),
};

/// Every word of `SrcA`.
const EXHAUST: Exhaust = Exhaust {
    bits: 19,
    feed: Feed::Rows { bank: bank::SRCA, datum_bytes: 4, data_per_row: 16, place: Placement::LOW_BITS },
    set: open_gate,
};

fn page(edition: Edition) -> &'static Page {
    match edition {
        Edition::Spec => &pages::MOVA2D_SPEC,
        Edition::Newest => &pages::MOVA2D_NEWEST,
    }
}

const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed { axis: "Move8Rows=0", reason: "the recorded simulator (ttsim 1.10.0) refuses single-row moves" },
    Unwitnessed {
        axis: "FP16A_FORCE_Enable=1",
        reason: "the recorded simulator does not implement the field, and its authors say that silicon lacks it",
    },
    Unwitnessed { axis: "dest_regw_base", reason: "recorded only as 0; said not to be instantiated in silicon" },
    Unwitnessed { axis: "block_dest_mov", reason: "the recorded simulator ignores BLOCK_DEST_MOV" },
    Unwitnessed {
        axis: "ALU_ACC_CTRL_Fp32_enabled=1",
        reason: "recorded only as 0; the newest page was confirmed on RTL by its authors (tenstorrent/ttsim#14)",
    },
    Unwitnessed { axis: "ALU_ACC_CTRL_INT8_math_enabled=1", reason: "recorded only as 0; as for Fp32_enabled" },
    Unwitnessed {
        axis: "UseDst32bLo=1 with a 5-bit exponent",
        reason: "the recorded simulator refuses the combination",
    },
    Unwitnessed {
        axis: "bias: clear, or an increment that is not 0 or 1",
        reason: "refused by the recorded simulator",
    },
    Unwitnessed { axis: "dst_control: CR together with CToCR", reason: "refused by the recorded simulator" },
];
