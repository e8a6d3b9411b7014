//! The pages, pinned.

use crate::Page;

const REPOSITORY: &str = "tenstorrent/tt-isa-documentation";
const LICENCE: &str = "CC BY-ND 4.0";

/// `MOVA2D`, as the project has it.
pub static MOVA2D_SPEC: Page = Page {
    id: "wh-mova2d",
    title: "MOVA2D (Move one row or eight rows from SrcA to Dst)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/MOVA2D.md",
    commit: "22812eeb5979872b3aaf0a8c385e48007569e7b1",
    sha256: Some("3405a69e9b1e6a7c1cb968202c48a5237935c2a77cae0b9d2411915d34d3a0a9"),
    date: "2025-05-19",
    licence: LICENCE,
};

/// `MOVA2D`, newest.
pub static MOVA2D_NEWEST: Page = Page {
    id: "wh-mova2d-newest",
    title: "MOVA2D (Move one row or eight rows from SrcA to Dst)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/MOVA2D.md",
    commit: "88d4bf9c28b755a9d377c529e8964552d0b276df",
    sha256: Some("4f87b7a313c24cde8fb53f11249d3c02fbfaaf0c53c8b35054d60e9deb2d19bf"),
    date: "2026-08-29",
    licence: LICENCE,
};

/// The Matrix Unit's shared helpers, newest.
pub static MATRIX_UNIT_NEWEST: Page = Page {
    id: "wh-matrixunit-newest",
    title: "Matrix Unit (FPU)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/MatrixUnit.md",
    commit: "1ae1f852dc9db2dff2b044286b2a4db54acbb14b",
    sha256: None,
    date: "after 2026-08-29",
    licence: LICENCE,
};

/// `Dst`, newest.
pub static DST_NEWEST: Page = Page {
    id: "wh-dst-newest",
    title: "Dst",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/Dst.md",
    commit: "093af914694547840dfc96750df15f003517129e",
    sha256: None,
    date: "after 2026-07",
    licence: LICENCE,
};

/// `RWCs`, with `ApplyAddrMod`.
pub static RWCS: Page = Page {
    id: "wh-rwcs",
    title: "RWCs",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/RWCs.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("57e06acbad7f49cb8f631bf294b2655b546cbaf7f576b4211ec695ab981a5cdd"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// `ZEROACC`, which says what reading an invalid row gives.
pub static ZEROACC: Page = Page {
    id: "wh-zeroacc",
    title: "ZEROACC",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/ZEROACC.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("40036c4639213ba20a7a000d244e091afc2b08d10af5611af08b865ec1d16cee"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// `SrcA` and `SrcB`: data types and layouts.
pub static SRC: Page = Page {
    id: "wh-srcasrcb",
    title: "SrcA and SrcB",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SrcASrcB.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("cc8a992883a498adccaae430467cec2b6bae55659b4ad2aa94a14fa638763d24"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// `SFPCONFIG`: the fields of `LaneConfig`.
pub static SFPCONFIG: Page = Page {
    id: "wh-sfpconfig",
    title: "SFPCONFIG",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SFPCONFIG.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("a4ced39e584b3f8f950beb853ac34d5831c4702d8366f143f9caeae01f544b31"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// `SFPLOAD` of Wormhole, as the project has it.
pub static SFPLOAD_SPEC: Page = Page {
    id: "wh-sfpload",
    title: "SFPLOAD (Move from Dst to LReg)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SFPLOAD.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("e965eccc4fccd3ad194ad9ca2438ca5db43ae244ad11f1c00d98184bdc25ab83"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// `SFPLOAD` of Wormhole, newest.
pub static SFPLOAD_NEWEST: Page = Page {
    id: "wh-sfpload-newest",
    title: "SFPLOAD (Move from Dst to LReg)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SFPLOAD.md",
    commit: "545c98a36757417fc518c70f54032bb05063dbf7",
    sha256: None,
    date: "2026-05-20",
    licence: LICENCE,
};

/// `SFPLOAD` of Blackhole, newest.
pub static SFPLOAD_BH: Page = Page {
    id: "bh-sfpload",
    title: "SFPLOAD (Move from Dst to LReg)",
    repository: REPOSITORY,
    path: "BlackholeA0/TensixTile/TensixCoprocessor/SFPLOAD.md",
    commit: "0f3f6b70850f1241f2ea1233f37129625850488a",
    sha256: None,
    date: "2026",
    licence: LICENCE,
};

/// `SFPSTORE` of Wormhole, newest.
pub static SFPSTORE_NEWEST: Page = Page {
    id: "wh-sfpstore-newest",
    title: "SFPSTORE (Move from LReg to Dst)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SFPSTORE.md",
    commit: "c63d6d0be755ab22b6756c3fc2dda1b08867f8c4",
    sha256: None,
    date: "2026-06-22",
    licence: LICENCE,
};

/// `SFPSTORE` of Blackhole, newest.
pub static SFPSTORE_BH: Page = Page {
    id: "bh-sfpstore",
    title: "SFPSTORE (Move from LReg to Dst)",
    repository: REPOSITORY,
    path: "BlackholeA0/TensixTile/TensixCoprocessor/SFPSTORE.md",
    commit: "c63d6d0be755ab22b6756c3fc2dda1b08867f8c4",
    sha256: None,
    date: "2026-06-22",
    licence: LICENCE,
};

/// `Dst` of Blackhole, newest.
pub static DST_BH: Page = Page {
    id: "bh-dst",
    title: "Dst",
    repository: REPOSITORY,
    path: "BlackholeA0/TensixTile/TensixCoprocessor/Dst.md",
    commit: "093af914694547840dfc96750df15f003517129e",
    sha256: None,
    date: "after 2026-07",
    licence: LICENCE,
};

/// `SFPCONFIG` of Wormhole, newest.
pub static SFPCONFIG_NEWEST: Page = Page {
    id: "wh-sfpconfig-newest",
    title: "SFPCONFIG",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/SFPCONFIG.md",
    commit: "376743cf21a72f97d4b158baeb554bea747a9e53",
    sha256: None,
    date: "2026",
    licence: LICENCE,
};

/// `SFPCONFIG` of Blackhole, newest.
pub static SFPCONFIG_BH: Page = Page {
    id: "bh-sfpconfig",
    title: "SFPCONFIG",
    repository: REPOSITORY,
    path: "BlackholeA0/TensixTile/TensixCoprocessor/SFPCONFIG.md",
    commit: "f916ebc3e35ab667647375f04ec7fd56ecba002b",
    sha256: None,
    date: "2026",
    licence: LICENCE,
};

/// The Vector Unit, with `IsLaneEnabled`; Blackhole's page, at the same commit, defines that in the same words.
pub static VECTOR_UNIT: Page = Page {
    id: "wh-vectorunit",
    title: "Vector Unit (SFPU)",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/VectorUnit.md",
    commit: "f7fda211c86e1977ff430076cf52b96a7aba8cca",
    sha256: None,
    date: "2026",
    licence: LICENCE,
};

/// `LReg`, whose registers 8 to 10 and 15 are constants; Blackhole's page refers to it.
pub static LREG: Page = Page {
    id: "wh-lreg",
    title: "LReg",
    repository: REPOSITORY,
    path: "WormholeB0/TensixTile/TensixCoprocessor/LReg.md",
    commit: "393047195250f9262a648d75092b03160cb7ac2e",
    sha256: Some("bcb0668ae225c4af7766443529c992658431edb5f0cab3669b22bef65654c1af"),
    date: "2025-06-12",
    licence: LICENCE,
};

/// Every page of Wormhole, in the order of reports.
pub static WORMHOLE: &[&Page] = &[
    &MOVA2D_SPEC,
    &MOVA2D_NEWEST,
    &MATRIX_UNIT_NEWEST,
    &DST_NEWEST,
    &RWCS,
    &ZEROACC,
    &SRC,
    &SFPCONFIG,
    &SFPLOAD_SPEC,
    &SFPLOAD_NEWEST,
    &SFPSTORE_NEWEST,
    &SFPCONFIG_NEWEST,
    &VECTOR_UNIT,
    &LREG,
];

/// Every page of Blackhole, in the order of reports; some are shared with Wormhole.
pub static BLACKHOLE: &[&Page] =
    &[&SFPLOAD_BH, &SFPSTORE_BH, &DST_BH, &SFPCONFIG_BH, &VECTOR_UNIT, &LREG, &RWCS, &ZEROACC];
