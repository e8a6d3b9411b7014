//! What the numbers of Tensix mean, where it is not plain: those of fields stand in `meanings/tensix.toml`.
//!
//! *Source*: pages SrcASrcB and Dst (layouts of data), VectorUnit (constants).

use super::format::{
    BITS20, BITS32, CODE_NAMES, DST_BF16, DST_BITS, DST_FP16, DST_INT8, DST_INT16, FP32_DATUM, L1_BYTE,
    SIGN_MAGNITUDE_DATUM, SRC_BF16, SRC_FP16, SRC_INT8, SRC_INT16, SRC_TF32, TWOS_COMPLEMENT_DATUM,
};
use crate::{BankMeaning, Meaning, Meanings};

include!(concat!(env!("OUT_DIR"), "/tensix_meanings.rs"));

/// The meanings on Wormhole.
pub(super) static WORMHOLE: Meanings =
    Meanings { banks: BANKS, fields: &[FIELDS_OF_BOTH, FIELDS_OF_WORMHOLE], code: &[CODE_OF_BOTH, CODE_OF_WORMHOLE] };
/// The meanings on Blackhole.
pub(super) static BLACKHOLE: Meanings =
    Meanings { banks: BANKS, fields: &[FIELDS_OF_BOTH, FIELDS_OF_BLACKHOLE], code: &[CODE_OF_BOTH, CODE_OF_BLACKHOLE] };

const SRC: &str = "A datum of 19 bits: the sign in bit 18, ten bits of mantissa from bit 8 on, eight of exponent from bit 0 \
                   on. A five-bit exponent leaves bits 5 to 7 zero. Which format it is stands in the configuration.";

const BANKS: &[BankMeaning] = &[
    BankMeaning {
        of: "DstBits",
        text: "All of Dst, 16 bits a word. Dst16b[row] is the row itself. A datum of Dst32b[row] lies in two rows: its high \
               half in row ((row & 0x1f8) << 1 | row & 0x207), its low half eight rows behind that one. The sign is the \
               highest bit, then the mantissa, then the exponent.",
        formats: &[&DST_BF16, &DST_FP16, &DST_INT8, &DST_INT16, &DST_BITS],
    },
    BankMeaning { of: "SrcA", text: SRC, formats: &[&SRC_TF32, &SRC_BF16, &SRC_FP16, &SRC_INT8, &SRC_INT16] },
    BankMeaning { of: "SrcB", text: SRC, formats: &[&SRC_TF32, &SRC_BF16, &SRC_FP16, &SRC_INT8, &SRC_INT16] },
    BankMeaning {
        of: "LReg",
        text: "A register of the Vector Unit is a row, a lane a column. On the machine LReg[8], LReg[9] and LReg[10] hold \
               constants, 0x3f56594b, 0 and 1.0; a case brings them as rows.",
        formats: &[&FP32_DATUM, &SIGN_MAGNITUDE_DATUM, &TWOS_COMPLEMENT_DATUM, &BITS32],
    },
    BankMeaning {
        of: "DstRowValid",
        text: "1: the row of DstBits with this number is valid. 0: it counts as zero, or is undefined to read.",
        formats: &[],
    },
    BankMeaning {
        of: "GPRs",
        text: "The 64 registers of each thread, which the Scalar Unit and the Configuration Unit use. A row is four of them: \
               GPRs[thread][n] of the pages is word n modulo 4 of row n / 4.",
        formats: &[&BITS32],
    },
    BankMeaning {
        of: "PRNG",
        text: "What the next call of AdvancePRNG returns in each lane: a lane is a column.",
        formats: &[&BITS32],
    },
    BankMeaning {
        of: "LoadMacroConfig",
        text: "Four rows of instruction templates, then four of sequences. A column serves the lanes with its number modulo 8, \
               as SFPCONFIG writes no other configuration. The rest of it is a field for each of the eight, Misc.",
        formats: &[&BITS32],
    },
    BankMeaning {
        of: "NocStreams",
        text: "What two registers of each stream of the NoC Overlay say when they are read: STREAM_CURR_PHASE_REG_INDEX, and \
               STREAM_NUM_MSGS_RECEIVED_REG_INDEX, as STREAMWAIT asks for them. No instruction of the suite writes them: no page has \
               their addresses, so that they are none of Mmio. Of 20 bits, as many as STREAMWAIT compares them with.",
        formats: &[&BITS20],
    },
    BankMeaning {
        of: "PackerStats",
        text: "What a packer has counted, in bytes: 32 bins of exponents, then the largest exponent. The rest is no part of it.",
        formats: &[&L1_BYTE],
    },
    BankMeaning {
        of: "L1Windows",
        text: "What L1 holds where a window shows it: a window is 256 bytes, of which a row is 16. L1Windows[].Page says which.",
        formats: &[&BITS32],
    },
];

/// The page's names of the code points of `Mod0`.
pub const MOD0_NAMES: [&str; 16] = [
    "SRCB",
    "FP16",
    "BF16",
    "FP32",
    "INT32",
    "INT8",
    "UINT16",
    "HI16",
    "INT16",
    "LO16",
    "INT32_ALL",
    "ZERO",
    "INT32_SM",
    "INT8_COMP",
    "LO16_ONLY",
    "HI16_ONLY",
];
