//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`, on both chips.
//!
//! Facts only. The data-path axes are in `sfpu_modes.rs`, what data they move in `sfpu_data.rs`, the axes of lanes in `sfpu_lanes.rs`, the others in
//! `sfpu_axes.rs`, the quantities in `sfpu_quantities.rs`. *Source*: page SFPSTORE, commit c63d6d0b, for each chip;
//! pages RWCs (what the AddrMod bits select), SFPCONFIG (`LaneConfig`), VectorUnit (lanes), Dst (views).

use std::sync::LazyLock;

use super::addr_mod_axes::AddrModField;
use super::call_syntax::Call;
use super::sfpu_axes::{Orthogonal, Unnamed, exhaust, finish, prepare, prepare_blackhole};
use super::sfpu_data::{contested, format_of};
use super::sfpu_modes::{CELL_CLASSES, Modes, Path, SfpuForm};
use super::sfpu_quantities::Quantities;
use crate::quantity::{join, total};
use crate::tensix::{Chip, pages};
use crate::{
    Axis, BenchClass, CellSpace, CodeField, Edition, Instruction, Levels, Quantity, Recording, Reductions, Unwitnessed,
};

pub use super::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, OPCODE, UNNAMED_BITS, UNNAMED_BITS_BH, VD, mod0};

/// The registers of each level of the axis `VD`.
const REGISTERS: &[(u32, u32)] = &[(0, 7), (8, 10), (11, 11), (12, 14), (15, 15)];

/// SFPSTORE of Wormhole.
struct OnWormhole;

impl AddrModField for OnWormhole {
    const FIELD: CodeField = ADDR_MOD;
    const CHIP: Chip = Chip::Wormhole;
}

impl SfpuForm for OnWormhole {
    const LOADS: bool = false;
    const REGISTERS: &'static [(u32, u32)] = REGISTERS;
}

impl Unnamed for OnWormhole {
    const BITS: u32 = UNNAMED_BITS;
}

/// SFPSTORE of Blackhole.
struct OnBlackhole;

impl AddrModField for OnBlackhole {
    const FIELD: CodeField = ADDR_MOD_BH;
    const CHIP: Chip = Chip::Blackhole;
}

impl SfpuForm for OnBlackhole {
    const LOADS: bool = false;
    const REGISTERS: &'static [(u32, u32)] = REGISTERS;
}

impl Unnamed for OnBlackhole {
    const BITS: u32 = UNNAMED_BITS_BH;
}

/// The data-path axes, in the order in which they are set: each looks at those before it.
const fn axes<F: SfpuForm>() -> [Axis; 6] {
    [Modes::<F>::MOD0, Modes::<F>::VD, Modes::<F>::BACKDOOR, Modes::<F>::SOURCE, Modes::<F>::FMT, Modes::<F>::COLUMNS]
}

static WORMHOLE_AXES: [Axis; 6] = axes::<OnWormhole>();
static BLACKHOLE_AXES: [Axis; 6] = axes::<OnBlackhole>();
static WORMHOLE_CELLS: LazyLock<CellSpace> =
    LazyLock::new(|| CellSpace::new(&WORMHOLE_AXES, Path::is_cell::<OnWormhole>));
static BLACKHOLE_CELLS: LazyLock<CellSpace> =
    LazyLock::new(|| CellSpace::new(&BLACKHOLE_AXES, Path::is_cell::<OnBlackhole>));

const WORMHOLE_QUANTITIES: &[&[Quantity]] = Quantities::<OnWormhole>::WORMHOLE;
const BLACKHOLE_QUANTITIES: &[&[Quantity]] = Quantities::<OnBlackhole>::BLACKHOLE;

fn class<F: SfpuForm>(_: Edition, levels: &Levels) -> &'static str {
    CELL_CLASSES[Path::of_levels::<F>(levels).class::<F>()]
}

const fn call(chip: Chip) -> Call {
    let (arguments, unnamed): (&'static [CodeField], u32) = match chip {
        Chip::Wormhole => (&[VD, MOD0, ADDR_MOD, IMM10], UNNAMED_BITS),
        Chip::Blackhole => (&[VD, MOD0, ADDR_MOD_BH, IMM10], UNNAMED_BITS_BH),
    };
    Call { name: "SFPSTORE", base: 0x7200_0000, arguments, unnamed }
}

/// The instruction of Wormhole.
pub static SFPSTORE: Instruction = Instruction {
    isa: "tensix-wh",
    name: "SFPSTORE",
    file: "sfpstore",
    index: 2,
    summary: "Move up to 32 data from an LReg to Dst",
    page: |_| &pages::SFPSTORE_NEWEST,
    base_code: &[0x7200_0000],
    opcode: &[OPCODE],
    code_fields: &[VD, MOD0, ADDR_MOD, IMM10],
    cells: |_| &WORMHOLE_CELLS,
    orthogonal: |_| Orthogonal::<OnWormhole>::WORMHOLE,
    prepare,
    finish,
    cell_class: class::<OnWormhole>,
    cell_classes: CLASSES,
    format: |_, parts, bank, place| format_of::<OnWormhole>(parts, bank, place),
    print: |code| call(Chip::Wormhole).print(code),
    parse: |text| call(Chip::Wormhole).parse(text),
    contested: contested::<OnWormhole>,
    reductions: Reductions::NONE,
    quantities: &join::<{ total(WORMHOLE_QUANTITIES) }>(WORMHOLE_QUANTITIES),
    plain: &[],
    statements: &[],
    statements_report: None,
    errata: &["TX-15", "TX-17", "TX-21", "TX-22", "TX-25", "TX-26", "TX-27", "TX-28", "TX-29", "TX-33", "TX-34"],
    unwitnessed: UNWITNESSED,
    recording: Recording { always: &[], unpromised: &["row_validity", "unnamed_bits"], others: 3, source_rows: 8 },
    bench_classes: &[
        BenchClass {
            name: "sfpstore-bf16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::BF16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpstore-fp32",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::FP32, noise),
            is_whole: true,
        },
    ],
    exhaust: exhaust::<OnWormhole>,
};

/// The instruction of Blackhole.
pub static SFPSTORE_BH: Instruction = Instruction {
    isa: "tensix-bh",
    name: "SFPSTORE",
    file: "sfpstore",
    index: 1,
    summary: "Move up to 32 data from an LReg to Dst",
    page: |_| &pages::SFPSTORE_BH,
    base_code: &[0x7200_0000],
    opcode: &[OPCODE],
    code_fields: &[VD, MOD0, ADDR_MOD_BH, IMM10],
    cells: |_| &BLACKHOLE_CELLS,
    orthogonal: |_| Orthogonal::<OnBlackhole>::BLACKHOLE,
    prepare: prepare_blackhole,
    finish,
    cell_class: class::<OnBlackhole>,
    cell_classes: CLASSES,
    format: |_, parts, bank, place| format_of::<OnBlackhole>(parts, bank, place),
    print: |code| call(Chip::Blackhole).print(code),
    parse: |text| call(Chip::Blackhole).parse(text),
    contested: contested::<OnBlackhole>,
    reductions: Reductions::NONE,
    quantities: &join::<{ total(BLACKHOLE_QUANTITIES) }>(BLACKHOLE_QUANTITIES),
    plain: &[],
    statements: &[],
    statements_report: None,
    errata: &[
        "TX-15", "TX-17", "TX-19", "TX-21", "TX-22", "TX-26", "TX-27", "TX-28", "TX-29", "TX-30", "TX-31", "TX-32",
        "TX-33", "TX-34",
    ],
    unwitnessed: UNWITNESSED_BH,
    recording: Recording {
        always: super::sfpload::BLACKHOLE_ALWAYS,
        unpromised: &["row_validity", "extra_addr_mod_bit", "unnamed_bits"],
        others: 3,
        source_rows: 8,
    },
    bench_classes: &[
        BenchClass {
            name: "sfpstore-bf16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::BF16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpstore-fp32",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::FP32, noise),
            is_whole: true,
        },
    ],
    exhaust: exhaust::<OnBlackhole>,
};

/// Every register that there is may be stored.
const CLASSES: &[&str] = &STORE_CLASSES;
const STORE_CLASSES: [&str; 17] = {
    let mut classes = [CELL_CLASSES[17]; 17];
    let mut index = 0;
    while index < 16 {
        classes[index] = CELL_CLASSES[index];
        index += 1;
    }
    classes
};

/// What the recordings of ttsim 1.10.0 do not show.
const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "Mod0=FP16",
        reason: "not implemented by the recorded simulator (ttsim 1.10.0) under its own code; recorded as what SRCB stands for",
    },
    Unwitnessed { axis: "Mod0=INT8", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT32_ALL", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=ZERO", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT8_COMP", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed {
        axis: "SrcBFmt_from=SrcB_val",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "dest_regw_base", reason: "recorded only as 0; said not to be instantiated in silicon" },
    Unwitnessed { axis: "VD=12-14", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "VD=15", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "SrcBFmt=BFP8a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP4a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=TF32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=FP8", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP2a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved12", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved13", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT8", reason: "not recorded" },
    Unwitnessed {
        axis: "block_dest_wr_from_sfpu",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "unread_lane_config", reason: "recorded with nothing but ENABLE_DEST_INDEX" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it; recorded only as 0" },
    Unwitnessed {
        axis: "columns=odd by exchange",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "columns=exchanged in some lanes",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "row_validity", reason: "recorded with valid rows only" },
    Unwitnessed {
        axis: "bias_control: Clear, or an increment that is not 0 or 1",
        reason: "refused by the recorded simulator",
    },
    Unwitnessed { axis: "dst_control: CToCR together with CR or Clear", reason: "refused by the recorded simulator" },
    Unwitnessed { axis: "unread_config", reason: "recorded only as 0" },
    Unwitnessed { axis: "unnamed_bits", reason: "not recorded, and nothing is promised" },
];

/// Nothing was recorded on Blackhole.
const UNWITNESSED_BH: &[Unwitnessed] =
    &[Unwitnessed { axis: "all", reason: "nothing of another implementation has been recorded" }];
