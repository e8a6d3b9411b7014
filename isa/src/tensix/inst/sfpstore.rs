//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`, on both chips.
//!
//! *Source*: page SFPSTORE, commit c63d6d0b, for each chip;
//! pages RWCs (what the AddrMod bits select), SFPCONFIG (`LaneConfig`), VectorUnit (lanes), Dst (views).

use super::sfpload::{UNWITNESSED_CONTROLS, UNWITNESSED_MODES};
use crate::lists::{join, total};
use crate::tensix::{Chip, Mnemonic};
use crate::{Facts, Unwitnessed};

pub use super::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, UNNAMED_BITS, UNNAMED_BITS_BH, VD, mod0};

/// The instruction of Wormhole.
pub static SFPSTORE: &Facts = Mnemonic::Sfpstore.on(Chip::Wormhole);
/// The instruction of Blackhole.
pub static SFPSTORE_BH: &Facts = Mnemonic::Sfpstore.on(Chip::Blackhole);

const OWN: &[Unwitnessed] = &[
    Unwitnessed { axis: "block_dest_wr_from_sfpu", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "columns", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "row_validity", reason: "recorded with valid rows only" },
];

const LISTS: &[&[Unwitnessed]] = &[UNWITNESSED_MODES, OWN, UNWITNESSED_CONTROLS];
/// What the recordings of ttsim 1.10.0 do not show.
pub(in crate::tensix) const UNWITNESSED: &[Unwitnessed] = &join::<_, { total(LISTS) }>(OWN[0], LISTS);
