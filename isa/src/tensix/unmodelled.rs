//! What stands beside the state of Tensix, has a name, and is in no state.
//!
//! *Source*: page Dst (commit 093af914, one for each chip), page SFPLOADMACRO (what is scheduled), the vendor's register tables
//! (`ADDR_MOD_AB2_SEC`).

use crate::lists::{join, total};
use crate::{Unmodelled, UnmodelledPlace};

const fn elsewhere(name: &'static str, text: &'static str) -> Unmodelled {
    Unmodelled { name, place: None, text }
}

/// What both chips have.
const SHARED: &[Unmodelled] = &[
    elsewhere(
        "RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, bit 11",
        "page Dst, line 21 (commit 093af914): with it Dst16b is the high half of Dst32b, and a write leaves the low half \
         unpredictable; unsupported functionality. It counts as 0",
    ),
    elsewhere(
        "SetRegBase, SetRegAcc",
        "page UNPACR_NOP_SETREG: where a write to a memory-mapped register goes, and what is written; not supported",
    ),
    elsewhere(
        "NOC_OVERLAY_MSG_CLEAR_StreamId",
        "page UNPACR_NOP_OverlayClear: the streams of the Unpackers, of which a message is cleared; not supported",
    ),
    elsewhere(
        "Packers",
        "page SETDMAREG_Special: tile sizes, flags and histograms of the Packers; of an instruction that takes them nothing is \
         promised",
    ),
    elsewhere(
        "SFPLOADMACRO, cycles",
        "page SFPLOADMACRO, lines 135 and 149: in which cycle a scheduled instruction comes; what one sub-unit is given is executed \
         at once, and of more nothing is promised (TX-133)",
    ),
    elsewhere(
        "Config, words that both banks share",
        "page BackendConfiguration: of words from GLOBAL_CFGREG_BASE on the state has few; a write to another one changes nothing \
         here, and of a read nothing is promised",
    ),
    elsewhere(
        "L1, beside the windows",
        "page L1: a state has 64 windows on L1, a page of 256 bytes each (L1Windows[].Page); of what reads or writes beside them \
         nothing is promised",
    ),
    elsewhere(
        "memory-mapped registers, but for eight words",
        "pages LOADREG, STOREREG and STOREIND_MMIO: a state has eight words from 0xFFB11000 on (Mmio[]), which hold what is written; \
         what a register does beside that, and what others hold, is in no state",
    ),
    elsewhere(
        "UNPACR, decompression row start cache",
        "page UNPACR_FlushCache: what an Unpacker keeps of row starts; the pages do not model it, and a case reads L1 as it is",
    ),
];

const ONLY_BLACKHOLE: &[Unmodelled] =
    &[addr_mod_ab2("ADDR_MOD_AB2_SEC[0..8].SrcAIncr", 1 << 0), addr_mod_ab2("ADDR_MOD_AB2_SEC[0..8].SrcBIncr", 1 << 1)];

/// A bit that has the name of an increment of AddrMod.
const fn addr_mod_ab2(name: &'static str, bits: u32) -> Unmodelled {
    Unmodelled {
        name,
        place: Some(UnmodelledPlace { space: "ThreadConfig", first: 20, last: 27, bits }),
        text: "the vendor's register tables name it beside ADDR_MOD_AB_SEC; no page says what it does, and the counters of \
               SrcA and SrcB advance here as if it were 0",
    }
}

const LISTS_OF_BLACKHOLE: &[&[Unmodelled]] = &[SHARED, ONLY_BLACKHOLE];

pub(super) const OF_WORMHOLE: &[Unmodelled] = SHARED;
pub(super) const OF_BLACKHOLE: &[Unmodelled] = &join::<_, { total(LISTS_OF_BLACKHOLE) }>(SHARED[0], LISTS_OF_BLACKHOLE);
