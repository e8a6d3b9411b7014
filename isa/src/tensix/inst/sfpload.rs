//! `SFPLOAD`: move up to 32 data from `Dst` to an `LReg`, on both chips.
//!
//! Facts only. The data-path axes are in `sfpu_modes.rs`, what data they move in `sfpu_data.rs`, the axes of lanes in `sfpu_lanes.rs`, the others in
//! `sfpu_axes.rs`, the quantities in `sfpu_quantities.rs`. *Source*: page SFPLOAD, commits 39304719 (Wormhole, `spec`), 545c98a3 (Wormhole, `newest`) and 0f3f6b70 (Blackhole);
//! pages RWCs (what the AddrMod bits select), SFPCONFIG (`LaneConfig`), VectorUnit (lanes), Dst (views).

use std::sync::LazyLock;

use super::addr_mod_axes::AddrModField;
use super::call_syntax::Call;
use super::sfpload_statements::STATEMENTS;
use super::sfpu_axes::{Orthogonal, Unnamed, exhaust, finish, prepare, prepare_blackhole};
use super::sfpu_data::{contested, format_of};
use super::sfpu_modes::{CELL_CLASSES, Modes, Path, SfpuForm};
use super::sfpu_quantities::Quantities;
use crate::quantity::{join, total};
use crate::tensix::{Chip, pages};
use crate::{
    Axis, BenchClass, CellSpace, CodeField, Edition, Instruction, Levels, Quantity, Recording, Reductions, Unwitnessed,
};

/// The opcode byte.
pub const OPCODE: CodeField = CodeField { name: "opcode", word: 0, shift: 24, width: 8 };
/// `VD`, bits 20 to 23.
pub const VD: CodeField = CodeField { name: "VD", word: 0, shift: 20, width: 4 };
/// `Mod0`, bits 16 to 19.
pub const MOD0: CodeField = CodeField { name: "Mod0", word: 0, shift: 16, width: 4 };
/// `AddrMod` on Wormhole, bits 14 and 15.
pub const ADDR_MOD: CodeField = CodeField { name: "AddrMod", word: 0, shift: 14, width: 2 };
/// `AddrMod` on Blackhole, bits 13 to 15.
pub const ADDR_MOD_BH: CodeField = CodeField { name: "AddrMod", word: 0, shift: 13, width: 3 };
/// `Imm10`, bits 0 to 9.
pub const IMM10: CodeField = CodeField { name: "Imm10", word: 0, shift: 0, width: 10 };

/// The bits that no field names on Wormhole: 10 to 13.
pub const UNNAMED_BITS: u32 = 0x3c00;
/// The bits that no field names on Blackhole: 10 to 12.
pub const UNNAMED_BITS_BH: u32 = 0x1c00;

/// The code points of `Mod0`, with the page's names behind `MOD0_FMT_`.
pub mod mod0 {
    #![expect(missing_docs, reason = "the names are the page's")]
    pub const SRCB: u32 = 0;
    pub const FP16: u32 = 1;
    pub const BF16: u32 = 2;
    pub const FP32: u32 = 3;
    pub const INT32: u32 = 4;
    pub const INT8: u32 = 5;
    pub const UINT16: u32 = 6;
    pub const HI16: u32 = 7;
    pub const INT16: u32 = 8;
    pub const LO16: u32 = 9;
    pub const INT32_ALL: u32 = 10;
    pub const ZERO: u32 = 11;
    pub const INT32_SM: u32 = 12;
    pub const INT8_COMP: u32 = 13;
    pub const LO16_ONLY: u32 = 14;
    pub const HI16_ONLY: u32 = 15;
}

/// The registers of each level of the axis `VD`.
const REGISTERS: &[(u32, u32)] = &[(0, 3), (4, 7), (8, 11), (12, 15)];

/// SFPLOAD of Wormhole.
struct OnWormhole;

impl AddrModField for OnWormhole {
    const FIELD: CodeField = ADDR_MOD;
    const CHIP: Chip = Chip::Wormhole;
}

impl SfpuForm for OnWormhole {
    const LOADS: bool = true;
    const REGISTERS: &'static [(u32, u32)] = REGISTERS;
}

impl Unnamed for OnWormhole {
    const BITS: u32 = UNNAMED_BITS;
}

/// The axes that each recorded test on Blackhole draws: the stack shows with an increment and in few modes only.
pub(super) const BLACKHOLE_ALWAYS: &[&str] = &["rwc_dst", "sp", "sfpu_stack_incr", "dest_access_cfg", "row_mask"];

/// SFPLOAD of Blackhole.
struct OnBlackhole;

impl AddrModField for OnBlackhole {
    const FIELD: CodeField = ADDR_MOD_BH;
    const CHIP: Chip = Chip::Blackhole;
}

impl SfpuForm for OnBlackhole {
    const LOADS: bool = true;
    const REGISTERS: &'static [(u32, u32)] = REGISTERS;
}

impl Unnamed for OnBlackhole {
    const BITS: u32 = UNNAMED_BITS_BH;
}

/// The data-path axes, in the order in which they are set: each looks at those before it.
const fn axes<F: SfpuForm>() -> [Axis; 8] {
    [
        Modes::<F>::MOD0,
        Modes::<F>::VD,
        Modes::<F>::BACKDOOR,
        Modes::<F>::SOURCE,
        Modes::<F>::FMT,
        Modes::<F>::INFINITY,
        Modes::<F>::CAPTURE,
        Modes::<F>::COLUMNS,
    ]
}

static WORMHOLE_AXES: [Axis; 8] = axes::<OnWormhole>();
static BLACKHOLE_AXES: [Axis; 8] = axes::<OnBlackhole>();
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
    Call { name: "SFPLOAD", base: 0x7000_0000, arguments, unnamed }
}

/// The instruction of Wormhole.
pub static SFPLOAD: Instruction = Instruction {
    isa: "tensix-wh",
    name: "SFPLOAD",
    file: "sfpload",
    index: 1,
    summary: "Move up to 32 data from Dst to an LReg",
    page: |edition| match edition {
        Edition::Spec => &pages::SFPLOAD_SPEC,
        Edition::Newest => &pages::SFPLOAD_NEWEST,
    },
    base_code: &[0x7000_0000],
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
    statements: STATEMENTS,
    statements_report: Some("002"),
    errata: &[
        "TX-14", "TX-15", "TX-16", "TX-17", "TX-19", "TX-20", "TX-21", "TX-22", "TX-23", "TX-24", "TX-26", "TX-33",
        "TX-34",
    ],
    unwitnessed: UNWITNESSED,
    recording: Recording { always: &[], unpromised: &["row_validity", "unnamed_bits"], others: 3, source_rows: 8 },
    bench_classes: &[
        BenchClass {
            name: "sfpload-bf16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::BF16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-fp16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::FP16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-fp32",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::FP32, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-int8",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnWormhole>::bench(parts, mod0::INT8, noise),
            is_whole: true,
        },
    ],
    exhaust: exhaust::<OnWormhole>,
};

/// The instruction of Blackhole.
pub static SFPLOAD_BH: Instruction = Instruction {
    isa: "tensix-bh",
    name: "SFPLOAD",
    file: "sfpload",
    index: 0,
    summary: "Move up to 32 data from Dst to an LReg",
    page: |_| &pages::SFPLOAD_BH,
    base_code: &[0x7000_0000],
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
        "TX-14", "TX-15", "TX-16", "TX-17", "TX-18", "TX-19", "TX-20", "TX-21", "TX-22", "TX-24", "TX-26", "TX-30",
        "TX-31", "TX-32", "TX-33", "TX-34",
    ],
    unwitnessed: UNWITNESSED_BH,
    recording: Recording {
        always: BLACKHOLE_ALWAYS,
        unpromised: &["row_validity", "extra_addr_mod_bit", "unnamed_bits"],
        others: 3,
        source_rows: 8,
    },
    bench_classes: &[
        BenchClass {
            name: "sfpload-bf16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::BF16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-fp16",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::FP16, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-fp32",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::FP32, noise),
            is_whole: true,
        },
        BenchClass {
            name: "sfpload-int8",
            edition: Edition::Newest,
            set: |parts, noise| Orthogonal::<OnBlackhole>::bench(parts, mod0::INT8, noise),
            is_whole: true,
        },
    ],
    exhaust: exhaust::<OnBlackhole>,
};

/// No cell leaves open where the format of `MOD0_FMT_SRCB` comes from.
const CLASSES: &[&str] = CELL_CLASSES.split_at(1).1;

/// What the recordings of ttsim 1.10.0 do not show.
const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "Mod0=FP16",
        reason: "not implemented by the recorded simulator (ttsim 1.10.0) under its own code; recorded as what SRCB stands for",
    },
    Unwitnessed { axis: "Mod0=INT8", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=LO16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=HI16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT32_ALL", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=ZERO", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT8_COMP", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed {
        axis: "SrcBFmt_from=SrcB_val",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "dest_regw_base", reason: "recorded only as 0; said not to be instantiated in silicon" },
    Unwitnessed { axis: "VD=12-15", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "SrcBFmt=BFP8a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP4a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=TF32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=FP8", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP2a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved12", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved13", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT8", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP2", reason: "not recorded" },
    Unwitnessed {
        axis: "ENABLE_FP16A_INF=1",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "ENABLE_FP16A_INF=in some lanes",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "index_capture=all lanes", reason: "CAPTURE_DEFAULT_DEST_INDEX was recorded only as 0" },
    Unwitnessed { axis: "index_capture=some lanes", reason: "CAPTURE_DEFAULT_DEST_INDEX was recorded only as 0" },
    Unwitnessed {
        axis: "block_sfpu_rd_from_dest",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "unread_lane_config", reason: "recorded only as 0" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it; recorded only as 0" },
    Unwitnessed {
        axis: "columns=odd by exchange",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "columns=exchanged in some lanes",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "row_validity",
        reason: "the recorded simulator reads invalid rows as 0, which the page calls undefined; such executions are left out",
    },
    Unwitnessed {
        axis: "bias_control: Clear, or an increment that is not 0 or 1",
        reason: "refused by the recorded simulator",
    },
    Unwitnessed { axis: "dst_control: CToCR together with CR or Clear", reason: "refused by the recorded simulator" },
    Unwitnessed { axis: "unread_config", reason: "recorded only as 0" },
    Unwitnessed { axis: "unnamed_bits", reason: "not recorded, and nothing is promised" },
];

/// What the recordings of ttsim 1.10.0 do not show on Blackhole.
const UNWITNESSED_BH: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "Mod0=FP16",
        reason: "not implemented by the recorded simulator (ttsim 1.10.0) under its own code; recorded as what SRCB stands for",
    },
    Unwitnessed { axis: "Mod0=INT8", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=LO16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=HI16", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT32_ALL", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=ZERO", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "Mod0=INT8_COMP", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed {
        axis: "SrcBFmt_from=SrcB_val",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "dest_regw_base", reason: "recorded only as 0; said not to be instantiated in silicon" },
    Unwitnessed { axis: "VD=12-15", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "SrcBFmt=BFP8a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP4a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=TF32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT32", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=FP8", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP2a", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved12", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=reserved13", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=INT8", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt=BFP2", reason: "not recorded" },
    Unwitnessed { axis: "SrcBFmt_from=SFPU_DEST_FMT", reason: "not recorded" },
    Unwitnessed {
        axis: "ENABLE_FP16A_INF=1",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "ENABLE_FP16A_INF=in some lanes",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "index_capture=all lanes", reason: "CAPTURE_DEFAULT_DEST_INDEX was recorded only as 0" },
    Unwitnessed { axis: "index_capture=some lanes", reason: "CAPTURE_DEFAULT_DEST_INDEX was recorded only as 0" },
    Unwitnessed {
        axis: "block_sfpu_rd_from_dest",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed { axis: "unread_lane_config", reason: "recorded only as 0" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it; recorded only as 0" },
    Unwitnessed {
        axis: "columns=odd by exchange",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "columns=exchanged in some lanes",
        reason: "the recorded simulator does not implement it; recorded only as 0",
    },
    Unwitnessed {
        axis: "row_validity",
        reason: "the recorded simulator reads invalid rows as 0, which the page calls undefined; such executions are left out",
    },
    Unwitnessed { axis: "extra_addr_mod_bit", reason: "refused by the recorded simulator" },
    Unwitnessed { axis: "sp", reason: "not part of what was recorded" },
    Unwitnessed { axis: "sfpu_stack_incr", reason: "not part of what was recorded" },
    Unwitnessed { axis: "dest_sp_base", reason: "not part of what was recorded" },
    Unwitnessed {
        axis: "dest_access_cfg",
        reason: "the recorded simulator does not implement remap_addrs and swizzle_32b",
    },
    Unwitnessed {
        axis: "bias_control: Clear, or an increment that is not 0 or 1",
        reason: "refused by the recorded simulator",
    },
    Unwitnessed { axis: "dst_control: CToCR together with CR or Clear", reason: "refused by the recorded simulator" },
    Unwitnessed { axis: "unread_config", reason: "recorded only as 0" },
    Unwitnessed { axis: "unnamed_bits", reason: "not recorded, and nothing is promised" },
];
