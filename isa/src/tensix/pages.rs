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

/// Every page of this family, in the order of reports.
pub static ALL: &[&Page] =
    &[&MOVA2D_SPEC, &MOVA2D_NEWEST, &MATRIX_UNIT_NEWEST, &DST_NEWEST, &RWCS, &ZEROACC, &SRC, &SFPCONFIG];
