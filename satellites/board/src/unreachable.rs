//! States that no program of the suite's instructions brings about.

/// Why a state is not reached. The text is what the list at the end of an export says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreachable {
    /// Lanes heed their flags differently.
    UnevenUse,
    /// A masked lane of the first row heeds a flag that is clear.
    MaskedLane,
    /// Flags that no lane heeds, beside a configuration of lanes that needs `LReg[0]`, which the test needs too.
    IdleFlags,
    /// Bits 16 and 17 of a configuration of lanes, with `LReg[0]` needed by the test.
    ReservedLaneBits,
    /// No register is free to select lanes with.
    NoFreeRegister,
    /// No rows of `Dst` are free for data on their way to `SrcA` and `SrcB`.
    NoFreeRows,
    /// `LReg[16]`.
    Register16,
    /// A constant register is said to hold something else.
    Constant,
    /// `HardwareBug`.
    HardwareBug,
    /// The states of the PRNG.
    Prng,
    /// Stacks of flags of which lanes have different depths.
    UnevenStacks,
    /// A row at which an Unpacker begins, other than 0, 16, 32 or 48.
    UnpackerRow,
    /// Masks that a wait instruction never latches.
    Latch,
    /// The reference promises nothing of a step of the loader here.
    Unpromised,
    /// The program under test breaks a rule of scheduling that no wait keeps.
    Hazard,
}

impl Unreachable {
    /// The key in the closing object of an export.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Unreachable::UnevenUse => "lanes-heed-flags-unevenly",
            Unreachable::MaskedLane => "masked-lane-with-clear-flag",
            Unreachable::IdleFlags => "flags-that-no-lane-heeds",
            Unreachable::ReservedLaneBits => "reserved-bits-of-lanes",
            Unreachable::NoFreeRegister => "no-free-register",
            Unreachable::NoFreeRows => "no-free-rows",
            Unreachable::Register16 => "lreg-16",
            Unreachable::Constant => "constant-register",
            Unreachable::HardwareBug => "hardware-bug",
            Unreachable::Prng => "prng",
            Unreachable::UnevenStacks => "uneven-stacks",
            Unreachable::UnpackerRow => "unpacker-row",
            Unreachable::Latch => "latched-masks",
            Unreachable::Unpromised => "loader-unpromised",
            Unreachable::Hazard => "breaks-a-rule",
        }
    }

    /// Why no program gets there.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Unreachable::UnevenUse => "SFPENCC sets UseLaneFlagsForLaneEnable of all lanes alike",
            Unreachable::MaskedLane => {
                "SFPCONFIG passes over a lane of the first row that heeds a clear flag, and SFPSETCC over one that \
                 ROW_MASK masks, so neither can come last"
            }
            Unreachable::IdleFlags => {
                "flags that differ while no lane heeds them want two configurations of lanes, of which the second comes \
                 from LReg[0], and the test needs what that holds"
            }
            Unreachable::ReservedLaneBits => {
                "SFPCONFIG writes bits 16 and 17 of LaneConfig from LReg[0] alone, and the test needs what that holds"
            }
            Unreachable::NoFreeRegister => "the test needs LReg[0] to LReg[7], and one has to select lanes",
            Unreachable::NoFreeRows => "the test needs every group of rows of Dst that data could pass through",
            Unreachable::Register16 => "an SFPLOADMACRO alone writes LReg[16], and the loader has none",
            Unreachable::Constant => "LReg[8] to LReg[10] and LReg[15] are constants",
            Unreachable::HardwareBug => "no page says which instruction leaves a row in HardwareBug",
            Unreachable::Prng => "no instruction of the suite sets a state of the PRNG",
            Unreachable::UnevenStacks => {
                "SFPPUSHC pushes onto the stacks of all lanes whose back door does not take it"
            }
            Unreachable::UnpackerRow => {
                "SETDVALID and UNPACR_NOP_SETDVALID set Unpackers[].SrcRow to a multiple of 16, and UNPACR, which the suite \
                 lacks, to others"
            }
            Unreachable::Latch => "no STALLWAIT or SEMWAIT latches these masks: a mask of 0 stands for another",
            Unreachable::Unpromised => "a loader for it would need a step of which the pages promise nothing",
            Unreachable::Hazard => "the program under test breaks a rule of scheduling that no wait keeps",
        }
    }
}
