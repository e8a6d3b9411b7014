//! States that no program of the suite's instructions brings about.

tandem_isa::worded! {
    /// Why a state is not reached. The text is what the list at the end of an export says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Unreachable {
        /// Lanes heed their flags differently.
        UnevenUse "lanes-heed-flags-unevenly" "SFPENCC sets UseLaneFlagsForLaneEnable of all lanes alike",
        /// A masked lane of the first row heeds a flag that is clear.
        MaskedLane "masked-lane-with-clear-flag"
            "SFPCONFIG passes over a lane of the first row that heeds a clear flag, and SFPSETCC over one that \
             ROW_MASK masks, so neither can come last",
        /// Flags that no lane heeds, beside a configuration of lanes that needs `LReg[0]`, which the test needs too.
        IdleFlags "flags-that-no-lane-heeds"
            "flags that differ while no lane heeds them want two configurations of lanes, of which the second comes \
             from LReg[0], and the test needs what that holds",
        /// Bits 16 and 17 of a configuration of lanes, with `LReg[0]` needed by the test.
        ReservedLaneBits "reserved-bits-of-lanes"
            "SFPCONFIG writes bits 16 and 17 of LaneConfig from LReg[0] alone, and the test needs what that holds",
        /// No register is free to select lanes with.
        NoFreeRegister "no-free-register" "the test needs LReg[0] to LReg[7], and one has to select lanes",
        /// No rows of `Dst` are free for data on their way to `SrcA` and `SrcB`.
        NoFreeRows "no-free-rows" "the test needs every group of rows of Dst that data could pass through",
        /// `LReg[16]`.
        Register16 "lreg-16" "an SFPLOADMACRO alone writes LReg[16], and the loader has none",
        /// A constant register is said to hold something else.
        Constant "constant-register" "LReg[8] to LReg[10] and LReg[15] are constants",
        /// `HardwareBug`.
        HardwareBug "hardware-bug" "no page says which instruction leaves a row in HardwareBug",
        /// The states of the PRNG.
        Prng "prng" "no instruction of the suite sets a state of the PRNG",
        /// Stacks of flags of which lanes have different depths.
        UnevenStacks "uneven-stacks" "SFPPUSHC pushes onto the stacks of all lanes whose back door does not take it",
        /// A row at which an Unpacker begins, other than 0, 16, 32 or 48.
        UnpackerRow "unpacker-row"
            "SETDVALID and UNPACR_NOP_SETDVALID set Unpackers[].SrcRow to a multiple of 16, and UNPACR only adds multiples of 16",
        /// Masks that a wait instruction never latches.
        Latch "latched-masks"
            "no STALLWAIT or SEMWAIT latches these masks: a mask of 0 stands for another; a STREAMWAIT waits for a stream, which no \
             instruction of the suite moves on",
        /// A mutex that is held.
        HeldMutex "held-mutex" "the loader acquires no mutexes",
        /// A counter of ADCs, or of contexts of an Unpacker, or what a Packer keeps.
        AddressCounter "address-counter" "the loader sets and reads no counters of ADCs, none of contexts, and nothing that Packers keep",
        /// What L1 holds.
        L1 "l1" "the loader writes and reads nothing of L1",
        /// Memory-mapped registers.
        Mmio "mmio" "the loader sets and reads no memory-mapped registers: what a machine's own hold is not its to choose",
        /// The registers of streams of the NoC Overlay.
        Stream "noc-stream" "no instruction of the suite sets a register of a stream of the NoC Overlay",
        /// The reference promises nothing of a step of the loader here.
        Unpromised "loader-unpromised" "a loader for it would need a step of which the pages promise nothing",
        /// The program under test breaks a rule of scheduling that no wait keeps.
        Hazard "breaks-a-rule" "the program under test breaks a rule of scheduling that no wait keeps",
    }
    /// The key in the closing object of an export.
    fn key;
    /// Why no program gets there.
    fn reason;
}
