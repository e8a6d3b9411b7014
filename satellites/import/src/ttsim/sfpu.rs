//! What recordings of `SFPLOAD` and `SFPSTORE` have in common: lanes, constants, and what the simulator ignores.

use tandem_harness::vectors::field_named;

use super::LeftOut;
use super::form::Executed;

/// Fields that the simulator ignores or refuses, so that a line with one of them set shows nothing about it. Of
/// `LaneConfig`, it knows `ENABLE_DEST_INDEX` and `EXCHANGE_SRCB_SRCC`.
pub(super) const IGNORED: [&str; 16] = [
    "FP16A_FORCE_Enable",
    "DEST_REGW_BASE_Base",
    "ALU_FORMAT_SPEC_REG_SrcB_override",
    "DEST_ACCESS_CFG_remap_addrs",
    "DEST_ACCESS_CFG_swizzle_32b",
    "ENABLE_FP16A_INF",
    "DISABLE_BACKDOOR_LOAD",
    "CAPTURE_DEFAULT_DEST_INDEX",
    "BLOCK_DEST_WR_FROM_SFPU",
    "BLOCK_SFPU_RD_FROM_DEST",
    "DEST_RD_COL_EXCHANGE",
    "DEST_WR_COL_EXCHANGE",
    "BLOCK_DEST_MOV",
    "Reserved11",
    "ROW_MASK",
    "Reserved16",
];

/// The first field of a line that is not zero although the simulator ignores it.
pub(super) fn ignored(line: &Executed<'_>) -> Option<LeftOut> {
    let fields = (line.isa.layout.fields)();
    let set = line.before.fields.keys().filter_map(|&field| fields[field].name.rsplit('.').next());
    set.filter_map(|name| IGNORED.into_iter().find(|&ignored| ignored == name)).map(LeftOut::Ignored).next()
}

/// The lanes that are enabled, as far as flags say so; bit = lane.
pub(super) fn enabled_lanes(line: &Executed<'_>) -> u32 {
    let value = |name: &str| {
        let field = field_named(line.isa.layout, name).expect("the layout has the flags of lanes");
        line.before.fields.get(&field).copied().unwrap_or((line.isa.layout.fields)()[field].base)
    };
    value("LaneFlags") | !value("UseLaneFlagsForLaneEnable")
}

/// What the simulator has in all lanes of a register that a line does not list, where that is not the base value.
pub(super) const fn constant(register: u32) -> Option<u32> {
    match register {
        11 => Some(0xbf80_0000),
        12 => Some(0x3b00_0000),
        13 => Some(0xbf2c_c4c7),
        14 => Some(0xbeb0_8ff9),
        _ => None,
    }
}
