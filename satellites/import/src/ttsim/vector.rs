//! Recordings of the instructions of the Vector Unit that go from registers to registers and flags, on both chips.

use tandem_isa::tensix::inst::vector::{IMM12, MOD1, VA, VB, VC, VD};

use super::form::Form;
use super::sfpu::ignored;

const FORM_OF_REGISTERS: Form = Form {
    before: &["lreg", "LaneFlags", "UseLaneFlagsForLaneEnable", "FlagStack", "PRNG"],
    after: &[
        "lreg",
        "LaneFlags",
        "UseLaneFlagsForLaneEnable",
        "FlagStack",
        "PRNG",
        "LoadMacroConfig.InstructionTemplate",
    ],
    note: "One instruction executed from a chosen state, on random and special inputs. Registers that the recording does \
           not list are left at their base value here, but for those that VC names, which hold the simulator's constants \
           in LReg[11] to LReg[14]. Every field of LaneConfig but ENABLE_DEST_INDEX and EXCHANGE_SRCB_SRCC was 0, so these tests \
           say nothing about those fields. A test holds in the editions that reproduce it.",
    // Where VB is no operand it names LReg[0], or the line is refused.
    registers_read: |code| [Some(VC.get(code)), Some(VB.get(code)), None],
    unnamed: &[IMM12, MOD1],
    left_out: ignored,
};

pub(super) static FORM: Form = FORM_OF_REGISTERS;

/// It reads no register but the one that it writes, below 8.
pub(super) static SFPLOADI: Form = Form { registers_read: |_| [None; 3], unnamed: &[], ..FORM_OF_REGISTERS };

/// What it does not write of a register from 11 to 14 stays.
pub(super) static SFPCONFIG: Form =
    Form { registers_read: |code| [Some(VD.get(code)), None, None], unnamed: &[], ..FORM_OF_REGISTERS };

/// It reads three registers.
pub(super) static MAD: Form =
    Form { registers_read: |code| [Some(VC.get(code)), Some(VB.get(code)), Some(VA.get(code))], ..FORM_OF_REGISTERS };

/// It reads the register that it names for its result, beside `VC` or an immediate.
pub(super) static SFPSWAP: Form =
    Form { registers_read: |code| [Some(VC.get(code)), Some(VD.get(code)), None], ..FORM_OF_REGISTERS };
