//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`, on both chips.
//!
//! Facts only. *Source*: page SFPSTORE, commit c63d6d0b, for each chip;
//! pages RWCs (what the AddrMod bits select), SFPCONFIG (`LaneConfig`), VectorUnit (lanes), Dst (views).

use super::called;
use super::sfpload::fields;
use crate::tensix::{Chip, Mnemonic, pages};
use crate::{Facts, Unwitnessed};

pub use super::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, UNNAMED_BITS, UNNAMED_BITS_BH, VD, mod0};

/// The instruction of Wormhole.
pub static SFPSTORE: &Facts = Mnemonic::Sfpstore.on(Chip::Wormhole);
/// The instruction of Blackhole.
pub static SFPSTORE_BH: &Facts = Mnemonic::Sfpstore.on(Chip::Blackhole);

pub(in crate::tensix) const fn sfpstore(chip: Chip) -> Facts {
    Facts {
        errata: chip.pick(
            &["TX-15", "TX-17", "TX-21", "TX-22", "TX-25", "TX-26", "TX-27", "TX-28", "TX-29", "TX-33", "TX-34"],
            &[
                "TX-15", "TX-17", "TX-19", "TX-21", "TX-22", "TX-26", "TX-27", "TX-28", "TX-29", "TX-30", "TX-31",
                "TX-32", "TX-33", "TX-34",
            ],
        ),
        unwitnessed: chip.pick(UNWITNESSED, &[]),
        ..called(&[0x7200_0000], [chip.pick(&pages::SFPSTORE_NEWEST, &pages::SFPSTORE_BH); 2], fields(chip))
    }
}

/// What the recordings of ttsim 1.10.0 do not show.
const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "Mod0=FP16",
        reason: "the recorded simulator (ttsim 1.10.0) implements it as what SRCB stands for only",
    },
    Unwitnessed { axis: "Mod0", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "SrcBFmt_from=SrcB_val", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "dest_regw_base", reason: "said not to be instantiated in silicon" },
    Unwitnessed { axis: "VD", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "block_dest_wr_from_sfpu", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "columns", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "row_validity", reason: "recorded with valid rows only" },
    Unwitnessed { axis: "bias_control", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "dst_control", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "unnamed_bits", reason: "not recorded, and nothing is promised" },
];
