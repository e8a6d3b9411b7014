//! The faults of Tensix instructions: one variant each, in the order of the page's steps.
//!
//! `wrong_in` was decided from the pages; a test holds it against what each fault does.

use tandem_isa::Edition;

use crate::fault::FaultKind;
use crate::flaw_table::flaws;

const BOTH: &[Edition] = &Edition::ALL;
const SPEC: &[Edition] = &[Edition::Spec];
const NEWEST: &[Edition] = &[Edition::Newest];
/// Controls: they must not be reported.
const NEVER: &[Edition] = &[];

impl Flaw {
    const fn kind(self) -> FaultKind {
        match self {
            Flaw::MaskKeptAfterBlocked => FaultKind::Order,
            _ => FaultKind::Wrong,
        }
    }
}

flaws! {
    "One thing that [`super::TensixPlain`] can do wrong.";

    // Literal readings of the pages.
    LiteralSignMask "tx01-sign-bit-19" "mova2d" BOTH Some("TX-01"), "The five-bit path takes the sign from bit 19, as printed, and so loses it.";
    ForceKeepsTf32 "tx03-force-keeps-tf32" "mova2d" NEWEST Some("TX-03"), "TF32 is written as 32 bits although FP16A_FORCE is enabled.";
    Fp32Ignored "tx06-fp32-enabled-ignored" "mova2d" NEWEST Some("TX-06"), "Fp32_enabled does not select the eight-bit exponent.";
    Int8MathIgnored "tx06-int8-math-ignored" "mova2d" NEWEST Some("TX-06"), "INT8_math_enabled does not select the eight-bit exponent.";
    ValidityIgnored "tx08-validity-ignored" "mova2d" BOTH Some("TX-08"), "Row validity is neither read nor written.";

    // The Wait Gate.
    GateIgnored "gate-ignored" "mova2d" BOTH None, "The Wait Gate does not hold the instruction.";
    GateOtherBank "gate-other-bank" "mova2d" BOTH None, "The Wait Gate tests the owner of the other SrcA bank.";
    GateBothBanks "gate-both-banks" "mova2d" BOTH None, "The Wait Gate waits for both SrcA banks.";
    GateSrcb "gate-srcb" "mova2d" BOTH None, "The Wait Gate tests the owner of SrcB's bank.";
    BlockedSaysDone "blocked-says-done" "mova2d" BOTH None, "A held instruction is answered with done.";
    BlockedAppliesAddrMod "blocked-applies-addrmod" "mova2d" BOTH None, "A held instruction already advances the RWCs.";

    // Thread and StateID.
    StateIdIgnored "state-id-ignored" "mova2d" BOTH None, "The first bank of Config is used whatever StateID says.";
    StateIdOfThread0 "state-id-of-thread-0" "mova2d" BOTH None, "StateID is taken from thread 0.";
    ThreadConfigOfThread0 "thread-config-of-thread-0" "mova2d" BOTH None, "ThreadConfig is taken from thread 0.";
    RwcsOfThread0 "rwcs-of-thread-0" "mova2d" BOTH None, "The RWCs of thread 0 are used and advanced.";

    // The data format.
    OverrideIgnored "override-ignored" "mova2d" BOTH None, "The format is always REG0_SrcA.";
    OverrideAlways "override-always" "mova2d" BOTH None, "The format is always REG_SrcA_val.";
    Tf32TestOnReg0 "tf32-test-on-reg0" "mova2d" BOTH None, "Whether the format is TF32 is decided by REG0_SrcA although the override is on.";
    ForceIgnored "force-ignored" "mova2d" BOTH None, "FP16A_FORCE is not read.";
    ForceOfThread0 "force-of-thread-0" "mova2d" BOTH None, "FP16A_FORCE is taken from thread 0.";
    ForceBeatenByFp32 "force-beaten-by-fp32" "mova2d" BOTH None, "Fp32_enabled or INT8_math_enabled switches FP16A_FORCE off.";
    Int16Missing "int16-missing" "mova2d" BOTH None, "INT16 is not among the formats with an eight-bit exponent.";
    Int32Missing "int32-missing" "mova2d" BOTH None, "INT32 is not among the formats with an eight-bit exponent.";
    Fp32Missing "fp32-missing" "mova2d" BOTH None, "FP32 is not among the formats with an eight-bit exponent.";
    Bfp2Missing "bfp2-missing" "mova2d" BOTH None, "BFP2 is not among the formats with an eight-bit exponent.";
    Int8Included "int8-included" "mova2d" BOTH None, "INT8 is among the formats with an eight-bit exponent.";
    Reserved13Included "reserved13-included" "mova2d" BOTH None, "The reserved code 13 is among the formats with an eight-bit exponent.";
    Tf32AsBf16 "tf32-as-bf16" "mova2d" BOTH None, "TF32 is written as BF16.";
    Fp32FormatAsTf32 "fp32-format-as-tf32" "mova2d" BOTH None, "FP32 is written like TF32.";
    Fp32PretendsTf32 "fp32-pretends-tf32" "mova2d" BOTH None, "With Fp32_enabled every format is TF32, as on Blackhole.";
    Int8MathWrites32 "int8-math-writes-32" "mova2d" BOTH None, "INT8_math_enabled makes a move write 32 bits.";

    // Configuration that must not matter.
    Fp32MattersInSpec "fp32-matters-in-spec" "mova2d" SPEC None, "Fp32_enabled selects the eight-bit exponent in the edition that does not read it.";
    Int8MathMattersInSpec "int8-math-matters-in-spec" "mova2d" SPEC None, "INT8_math_enabled selects the eight-bit exponent in the edition that does not read it.";
    SfpuFp32Used "sfpu-fp32-used" "mova2d" NEWEST None, "SFPU_Fp32_enabled is read in the place of Fp32_enabled.";
    SrcbFormatUsed "srcb-format-used" "mova2d" BOTH None, "The format is SrcB's.";
    DstaccFormatUsed "dstacc-format-used" "mova2d" BOTH None, "With Dstacc_override the format is Dstacc's.";
    UnsignedDropsSign "unsigned-drops-sign" "mova2d" BOTH None, "SrcAUnsigned clears the sign.";
    RowMaskBlocks "row-mask-blocks" "mova2d" BOTH None, "ROW_MASK disables columns.";
    LaneFlagsBlock "lane-flags-block" "mova2d" BOTH None, "Lanes that the SFPU predicates off are not moved.";
    ColumnsExchanged "columns-exchanged" "mova2d" BOTH None, "DEST_WR_COL_EXCHANGE swaps the columns of a lane.";

    // Flushing.
    FlushNever "flush-never" "mova2d" BOTH None, "Denormals are never flushed.";
    FlushAlways "flush-always" "mova2d" BOTH None, "Denormals are always flushed.";
    FlushByDstFlag "flush-by-dst-flag" "mova2d" BOTH None, "Zero_Flag_disabled_dst decides whether denormals are flushed.";
    FlushTestsFiveBits "flush-tests-five-bits" "mova2d" BOTH None, "A datum is flushed when its five low exponent bits are zero.";
    FlushKeepsSign "flush-keeps-sign" "mova2d" BOTH None, "A flushed datum keeps its sign.";
    FlushNotInFiveBit "flush-not-in-five-bit" "mova2d" BOTH None, "The five-bit path does not flush.";
    FlushNotInTf32 "flush-not-in-tf32" "mova2d" BOTH None, "A TF32 write does not flush.";
    FlushInvertedInRow5 "flush-inverted-in-row-5" "mova2d" BOTH None, "The flush flag is inverted in the Dst rows 5 of every 8.";

    // Conversion, eight-bit exponent.
    SignDropped8 "sign-dropped-8" "mova2d" BOTH None, "The eight-bit path drops the sign.";
    MantissaNarrow8 "mantissa-narrow-8" "mova2d" BOTH None, "The eight-bit path drops the highest mantissa bit.";
    MantissaLowBitLost8 "mantissa-low-bit-lost-8" "mova2d" BOTH None, "The eight-bit path drops the lowest of its seven mantissa bits.";
    MantissaRounded8 "mantissa-rounded-8" "mova2d" BOTH None, "The eight-bit path rounds the three low mantissa bits away to nearest.";
    ExponentNarrow8 "exponent-narrow-8" "mova2d" BOTH None, "The eight-bit path drops the highest exponent bit.";
    NanQuieted8 "nan-quieted-8" "mova2d" BOTH None, "The eight-bit path sets the highest mantissa bit of what would be a NaN.";
    NanCleared8 "nan-cleared-8" "mova2d" BOTH None, "The eight-bit path makes an infinity of what would be a NaN.";
    NegativeZeroLost "negative-zero-lost" "mova2d" BOTH None, "A result of negative zero becomes zero.";

    // Conversion, five-bit exponent.
    MantissaNarrow5 "mantissa-narrow-5" "mova2d" BOTH None, "The five-bit path drops the highest mantissa bit.";
    MantissaCut5 "mantissa-cut-5" "mova2d" BOTH None, "The five-bit path keeps only seven mantissa bits.";
    ExponentFourBits "exponent-four-bits" "mova2d" BOTH None, "The five-bit path keeps four exponent bits.";
    ExponentEightBits "exponent-eight-bits" "mova2d" BOTH None, "The five-bit path keeps all eight exponent bits.";
    SignLostInColumn9 "sign-lost-in-column-9" "mova2d" BOTH None, "The five-bit path loses the sign in column 9.";

    // What is written.
    Tf32LowLost "tf32-low-lost" "mova2d" BOTH None, "The three low mantissa bits of TF32 are not written.";
    Tf32LowUnshifted "tf32-low-unshifted" "mova2d" BOTH None, "The three low mantissa bits of TF32 are not shifted to the top of the low half.";
    Tf32LowTwoBits "tf32-low-two-bits" "mova2d" BOTH None, "Only two low mantissa bits of TF32 are written.";
    Tf32HalvesSwapped "tf32-halves-swapped" "mova2d" BOTH None, "The halves of a TF32 write are swapped.";
    Tf32Always8Bit "tf32-always-8-bit" "mova2d" SPEC None, "The high half of a TF32 write has an eight-bit exponent although FP16A_FORCE is enabled.";
    Tf32LoNotJoined "tf32-lo-not-joined" "mova2d" SPEC None, "UseDst32bLo does not join the 16-bit value to the low half of a TF32 write.";
    Tf32LoAsLo "tf32-lo-as-lo" "mova2d" SPEC None, "With UseDst32bLo a TF32 move writes the low half only.";
    LoIgnored "lo-ignored" "mova2d" BOTH None, "UseDst32bLo is not read for 16-bit formats.";
    LoWritesHigh "lo-writes-high" "mova2d" BOTH None, "A Lo write goes to the high half and keeps the low half.";
    LoClobbersHigh "lo-clobbers-high" "mova2d" BOTH None, "A Lo write clears the high half.";
    LoAlways8Bit "lo-always-8-bit" "mova2d" BOTH None, "A Lo write always has an eight-bit exponent.";

    // Row validity.
    LoReadsStale "lo-reads-stale" "mova2d" BOTH Some("TX-08"), "A Lo write to an invalid row keeps the stale high half.";
    LoValidityPerDatum "lo-validity-per-datum" "mova2d" BOTH None, "A Lo write to an invalid row clears the high half of its first datum only.";
    InvalidReadsOnes "invalid-reads-ones" "mova2d" BOTH None, "An invalid row reads as all ones.";
    WriteLeavesInvalid "write-leaves-invalid" "mova2d" BOTH Some("TX-08"), "A write does not make its row valid.";
    ValidityOfLowHalf "validity-of-low-half" "mova2d" BOTH None, "A 32-bit access uses the mark of the row of its low half.";
    ValidityOfBothHalves "validity-of-both-halves" "mova2d" BOTH None, "A 32-bit write marks the rows of both halves valid.";
    ValidityUnadjusted "validity-unadjusted" "mova2d" BOTH None, "A 32-bit access uses the mark of the row's own number.";
    AllBlockedMarksValid "all-blocked-marks-valid" "mova2d" BOTH None, "A move with all columns blocked makes its rows valid.";

    // The row range.
    DstRowPlusOne "dst-row-plus-one" "mova2d" BOTH None, "A single row goes to the row after its own.";
    DstUnaligned "dst-unaligned" "mova2d" BOTH None, "Eight rows are not aligned in Dst.";
    DstAlignedEarly "dst-aligned-early" "mova2d" BOTH None, "Eight rows are aligned in Dst before the offsets are added.";
    DstSaturates "dst-saturates" "mova2d" BOTH None, "The Dst row saturates at 1023.";
    DstNineBits "dst-nine-bits" "mova2d" BOTH None, "The Dst row wraps at 512.";
    LastRowDropped "last-row-dropped" "mova2d" BOTH None, "Nothing is written to Dst row 1023.";
    SrcUnaligned "src-unaligned" "mova2d" BOTH None, "Eight rows are not aligned in SrcA.";
    SrcFiveBits "src-five-bits" "mova2d" BOTH None, "The SrcA row wraps at 32.";
    SrcSaturates "src-saturates" "mova2d" BOTH None, "The SrcA row saturates at 63.";
    MathOffsetIgnored "math-offset-ignored" "mova2d" BOTH None, "MATH_Offset is not added.";
    MathOffsetNineBits "math-offset-nine-bits" "mova2d" BOTH None, "MATH_Offset is cut to nine bits.";
    RegwBaseIgnored "regw-base-ignored" "mova2d" BOTH None, "DEST_REGW_BASE is not added.";
    RegwBaseEightBits "regw-base-eight-bits" "mova2d" BOTH None, "DEST_REGW_BASE is cut to eight bits.";
    RwcDstIgnored "rwc-dst-ignored" "mova2d" BOTH None, "RWC.Dst is not added.";
    RwcSrcaForDst "rwc-srca-for-dst" "mova2d" BOTH None, "RWC.SrcA is added to the Dst row.";
    RwcDstCrUsed "rwc-dst-cr-used" "mova2d" BOTH None, "RWC.Dst_Cr is added in the place of RWC.Dst.";
    RwcSrcaIgnored "rwc-srca-ignored" "mova2d" BOTH None, "RWC.SrcA is not added.";
    RwcSrcbForSrca "rwc-srcb-for-srca" "mova2d" BOTH None, "RWC.SrcB is added to the SrcA row.";
    Move8Ignored "move8-ignored" "mova2d" BOTH None, "Only one row is moved, whatever Move8Rows says.";
    SevenRows "seven-rows" "mova2d" BOTH None, "Only seven of eight rows are moved.";
    RowTooMany "row-too-many" "mova2d" BOTH None, "One row more than asked is moved.";
    RowsReversed "rows-reversed" "mova2d" BOTH None, "The eight rows are moved in reverse order.";
    SrcRowStuck "src-row-stuck" "mova2d" BOTH None, "All eight rows are copies of the first.";

    // Banks and views.
    BankSwapped "bank-swapped" "mova2d" BOTH None, "The other SrcA bank is read.";
    BankZero "bank-zero" "mova2d" BOTH None, "SrcA bank 0 is read whatever the Matrix Unit's bank is.";
    BankOfSrcb "bank-of-srcb" "mova2d" BOTH None, "The SrcA bank is chosen by the Matrix Unit's SrcB bank.";
    BankFlipped "bank-flipped" "mova2d" BOTH None, "The Matrix Unit changes banks after the move.";
    BankReleased "bank-released" "mova2d" BOTH None, "The bank is given back to the Unpackers after the move.";
    ViewUnadjusted "view-unadjusted" "mova2d" BOTH None, "A 32-bit access goes to the row of its own number and the eighth after it.";
    Adj32WithoutHalf "adj32-without-half" "mova2d" BOTH None, "Adj32 drops bit 9 of the row.";
    LowHalfAtFour "low-half-at-four" "mova2d" BOTH None, "The low half lies four rows after the high half.";

    // Blocked columns.
    MaskIgnored "mask-ignored" "mova2d" BOTH None, "BLOCK_DEST_MOV is not read.";
    MaskInverted "mask-inverted" "mova2d" BOTH None, "BLOCK_DEST_MOV blocks the columns whose bit is clear.";
    MaskMirrored "mask-mirrored" "mova2d" BOTH None, "BLOCK_DEST_MOV is applied from the last column on.";
    MaskPairsSwapped "mask-pairs-swapped" "mova2d" BOTH None, "The two bits of BLOCK_DEST_MOV are swapped.";
    MaskLaneModulo "mask-lane-modulo" "mova2d" BOTH None, "A column's lane is the column modulo 8.";
    MaskZeroes "mask-zeroes" "mova2d" BOTH None, "Blocked columns are cleared.";
    MaskFirstRowOnly "mask-first-row-only" "mova2d" BOTH None, "BLOCK_DEST_MOV is applied to the first row only.";
    MaskKeptAfterBlocked "mask-kept-after-blocked" "mova2d" BOTH None, "After a held instruction the blocked columns of an earlier one are used.";

    // ApplyAddrMod.
    AddrModNever "addrmod-never" "mova2d" BOTH None, "The RWCs are not advanced.";
    AddrModFirst "addrmod-first" "mova2d" BOTH None, "The RWCs are advanced before the move.";
    AddrModNotWhenMasked "addrmod-not-when-masked" "mova2d" BOTH None, "The RWCs are not advanced when all columns are blocked.";
    AddrModPartial "addrmod-partial" "mova2d" BOTH None, "FidelityPhase is not updated.";
    ExtraBitIgnored "extra-bit-ignored" "mova2d" BOTH None, "ExtraAddrModBit does not select the sections.";
    SetBaseIgnored "set-base-ignored" "mova2d" BOTH None, "ADDR_MOD_SET_Base does not select the sections.";
    FourAddedTwice "four-added-twice" "mova2d" BOTH None, "ExtraAddrModBit and ADDR_MOD_SET_Base add four each, modulo eight.";
    CrBeforeClear "cr-before-clear" "mova2d" BOTH None, "CR has priority over Clear.";
    CrBeforeCToCr "cr-before-ctocr" "mova2d" BOTH None, "DestCR has priority over DestCToCR.";
    CToCrKeepsCr "ctocr-keeps-cr" "mova2d" BOTH None, "DestCToCR does not update Dst_Cr.";
    ClearKeepsCr "clear-keeps-cr" "mova2d" BOTH None, "Clear does not clear the Cr counters.";
    CrKeepsCounter "cr-keeps-counter" "mova2d" BOTH None, "CR advances the Cr counter but does not copy it.";
    CrWithoutIncrement "cr-without-increment" "mova2d" BOTH None, "CR copies the Cr counter without the increment.";
    SrcbFrozen "srcb-frozen" "mova2d" BOTH None, "RWC.SrcB is not advanced.";
    SrcbBySrcaIncrement "srcb-by-srca-increment" "mova2d" BOTH None, "RWC.SrcB is advanced by SrcAIncr.";
    DestIncrNineBits "dest-incr-nine-bits" "mova2d" BOTH None, "DestIncr is cut to nine bits.";
    DstWrapsLate "dst-wraps-late" "mova2d" BOTH None, "RWC.Dst and Dst_Cr wrap at 2048.";
    SrcaWrapsLate "srca-wraps-late" "mova2d" BOTH None, "RWC.SrcA and SrcA_Cr wrap at 128.";
    CountersSaturate "counters-saturate" "mova2d" BOTH None, "Counters saturate where they should wrap.";
    FidelityNotCleared "fidelity-not-cleared" "mova2d" BOTH None, "FidelityClear is not read.";
    FidelityOneBit "fidelity-one-bit" "mova2d" BOTH None, "FidelityIncr is cut to one bit.";
    FidelityWrapsLate "fidelity-wraps-late" "mova2d" BOTH None, "FidelityPhase wraps at 8.";
    FidelitySaturates "fidelity-saturates" "mova2d" BOTH None, "FidelityPhase saturates at 3.";
    BiasAny "bias-any" "mova2d" BOTH None, "Any non-zero BiasIncr advances ExtraAddrModBit.";
    BiasOne "bias-one" "mova2d" BOTH None, "Only the lowest bit of BiasIncr advances ExtraAddrModBit.";
    BiasSets "bias-sets" "mova2d" BOTH None, "BiasIncr sets ExtraAddrModBit where it should toggle it.";
    BiasIgnored "bias-ignored" "mova2d" BOTH None, "ExtraAddrModBit is not updated.";
    BiasClearLast "bias-clear-last" "mova2d" BOTH None, "BiasIncr has priority over BiasClear.";

    // Needles: wrong in few cases only.
    ThreeWaySign "needle-three-way" "mova2d" BOTH None, "Thread 2 loses the sign of column 0 when StateID is 1 and the SrcA bank is 1.";
    FourWayCToCr "needle-four-way" "mova2d" BOTH None, "DestCToCR keeps Dst_Cr in section 7 when ExtraAddrModBit and ADDR_MOD_SET_Base are both set.";
    LargestFinite "needle-largest-finite" "mova2d" BOTH None, "The eight-bit path makes an infinity of the largest finite value.";
    LastSrcRow "needle-last-src-row" "mova2d" BOTH None, "A single move of SrcA row 63 reads row 62.";
    LoneColumnLost "needle-lone-column" "mova2d" BOTH None, "Column 15 is not written when it is the only one that is open.";

    // Controls: no promise is broken, and nothing may be reported.
    ControlManMask "control-mantissa-mask-0xff" "mova2d" NEVER None, "The eight-bit path's mantissa mask includes the sign, as the spec edition prints it.";
    ControlOffsetTenBits "control-offset-ten-bits" "mova2d" NEVER None, "MATH_Offset and DEST_REGW_BASE are cut to ten bits before they are added.";
    ControlPartialClears "control-partial-clears" "mova2d" NEVER None, "A partial-column write of an invalid row clears the blocked columns.";
    ControlUnnamedBits "control-unnamed-bits" "mova2d" NEVER None, "Code bit 12 makes a move answer that it is unsupported.";

    // SFPLOAD: lanes.
    LoadRowMaskIgnored "load-row-mask-ignored" "sfpload" BOTH None, "ROW_MASK does not disable lanes.";
    LoadRowMaskTransposed "load-row-mask-transposed" "sfpload" BOTH None, "ROW_MASK is read with rows and columns of lanes transposed.";
    LoadRowMaskInverted "load-row-mask-inverted" "sfpload" BOTH None, "ROW_MASK enables the lanes that it should disable.";
    LoadUseFlagsIgnored "load-use-flags-ignored" "sfpload" BOTH None, "LaneFlags count whatever UseLaneFlagsForLaneEnable says.";
    LoadLaneFlagsIgnored "load-lane-flags-ignored" "sfpload" BOTH None, "LaneFlags are not read.";
    LoadLaneFlagsInverted "load-lane-flags-inverted" "sfpload" BOTH None, "LaneFlags disable the lanes that they should enable.";
    LoadFlagsBeatRowMask "load-flags-beat-row-mask" "sfpload" BOTH None, "A lane that uses its LaneFlags is not disabled by ROW_MASK.";
    LoadFlagsOfFirstRow "load-flags-of-first-row" "sfpload" BOTH None, "The flags of the first eight lanes count for all lanes.";
    LoadBlockIgnored "load-block-ignored" "sfpload" BOTH None, "The lane's block bit is not read.";
    LoadBlockOther "load-block-other" "sfpload" BOTH None, "The block bit of the other direction is read.";
    LoadBlockTransposed "load-block-transposed" "sfpload" BOTH None, "The block bit is taken with rows and columns of lanes transposed.";
    LoadAllObeysEnabled "load-all-obeys-enabled" "sfpload" BOTH None, "INT32_ALL leaves out lanes that are not enabled.";
    LoadAllIgnoresBlock "load-all-ignores-block" "sfpload" BOTH Some("TX-22"), "INT32_ALL moves blocked lanes too.";
    LoadLastLaneLost "needle-load-last-lane" "sfpload" BOTH None, "Lane 31 does not move when it is the only one that is enabled.";

    // SFPLOAD: thread and StateID.
    LoadStateIdIgnored "load-state-id-ignored" "sfpload" BOTH None, "The first bank of Config is used whatever StateID says.";
    LoadStateIdOther "load-state-id-other" "sfpload" BOTH None, "The bank of Config that StateID does not name is used.";
    LoadStateIdOfThread0 "load-state-id-of-thread-0" "sfpload" BOTH None, "StateID is taken from thread 0.";
    LoadRwcsOfThread0 "load-rwcs-of-thread-0" "sfpload" BOTH None, "The RWCs of thread 0 are used and advanced.";

    // SFPLOAD: the format that MOD0_FMT_SRCB stands for.
    LoadSfpuFp32Ignored "load-sfpu-fp32-ignored" "sfpload" BOTH None, "SFPU_Fp32_enabled is not read.";
    LoadFp32Used "load-fp32-used" "sfpload" BOTH None, "Fp32_enabled is read in the place of SFPU_Fp32_enabled.";
    LoadSfpuFp32AsBf16 "load-sfpu-fp32-as-bf16" "sfpload" BOTH None, "SFPU_Fp32_enabled makes MOD0_FMT_SRCB stand for BF16.";
    LoadOverrideIgnored "load-override-ignored" "sfpload" BOTH None, "The format is always REG1_SrcB.";
    LoadOverrideInverted "load-override-inverted" "sfpload" BOTH None, "SrcB_override selects the register that it should not.";
    LoadSrcaFormatUsed "load-srca-format-used" "sfpload" BOTH None, "The format is SrcA's.";
    LoadFp32Missing "load-fp32-missing" "sfpload" BOTH None, "FP32 is not among the formats that stand for BF16.";
    LoadTf32Missing "load-tf32-missing" "sfpload" BOTH None, "TF32 is not among the formats that stand for BF16.";
    LoadBf16Missing "load-bf16-missing" "sfpload" BOTH None, "BF16 is not among the formats that stand for BF16.";
    LoadBfp8Missing "load-bfp8-missing" "sfpload" BOTH None, "BFP8 is not among the formats that stand for BF16.";
    LoadBfp4Missing "load-bfp4-missing" "sfpload" BOTH None, "BFP4 is not among the formats that stand for BF16.";
    LoadBfp2Missing "load-bfp2-missing" "sfpload" BOTH None, "BFP2 is not among the formats that stand for BF16.";
    LoadInt32Missing "load-int32-missing" "sfpload" BOTH None, "INT32 is not among the formats that stand for BF16.";
    LoadInt16Missing "load-int16-missing" "sfpload" BOTH None, "INT16 is not among the formats that stand for BF16.";
    LoadInt8Included "load-int8-included" "sfpload" BOTH None, "INT8 is among the formats that stand for BF16.";
    LoadFp8Included "load-fp8-included" "sfpload" BOTH None, "FP8 is among the formats that stand for BF16.";
    LoadReserved12Included "load-reserved12-included" "sfpload" BOTH Some("TX-33"), "The reserved code 12 is among the formats that stand for BF16.";
    LoadReserved13Included "load-reserved13-included" "sfpload" BOTH Some("TX-33"), "The reserved code 13 is among the formats that stand for BF16.";
    LoadDestFmtIgnored "load-dest-fmt-ignored" "tensix-bh/sfpload" BOTH None, "SFPU_DEST_FMT does not replace SrcB's format.";
    LoadDestFmtAlways "load-dest-fmt-always" "tensix-bh/sfpload" BOTH None, "SFPU_DEST_FMT replaces SrcB's format without its enable bit.";
    LoadDestFmtBeatsFp32 "load-dest-fmt-beats-fp32" "tensix-bh/sfpload" BOTH None, "SFPU_DEST_FMT counts although SFPU_Fp32_enabled is set.";
    LoadDestFmtOfThread0 "load-dest-fmt-of-thread-0" "tensix-bh/sfpload" BOTH None, "SFPU_DEST_FMT is taken from thread 0.";

    // SFPLOAD: the address.
    LoadImmNineBits "load-imm-nine-bits" "sfpload" BOTH None, "Imm10 is cut to nine bits.";
    LoadMathOffsetIgnored "load-math-offset-ignored" "sfpload" BOTH None, "MATH_Offset is not added.";
    LoadMathOffsetOfThread0 "load-math-offset-of-thread-0" "sfpload" BOTH None, "MATH_Offset is taken from thread 0.";
    LoadMathOffsetNineBits "load-math-offset-nine-bits" "sfpload" BOTH None, "MATH_Offset is cut to nine bits.";
    LoadRwcDstIgnored "load-rwc-dst-ignored" "sfpload" BOTH None, "RWC.Dst is not added.";
    LoadRwcDstCrUsed "load-rwc-dst-cr-used" "sfpload" BOTH None, "RWC.Dst_Cr is added in the place of RWC.Dst.";
    LoadRegwBaseIgnored "load-regw-base-ignored" "sfpload" BOTH None, "DEST_REGW_BASE is not added.";
    LoadRegwBaseEightBits "load-regw-base-eight-bits" "sfpload" BOTH None, "DEST_REGW_BASE is cut to eight bits.";
    LoadAllFullOffset "load-all-full-offset" "sfpload" BOTH None, "INT32_ALL adds all bits of RWC.Dst and DEST_REGW_BASE.";
    LoadAllNoOffset "load-all-no-offset" "sfpload" BOTH None, "INT32_ALL does not add RWC.Dst and DEST_REGW_BASE at all.";
    LoadAllThreeBits "load-all-three-bits" "sfpload" BOTH None, "INT32_ALL adds three low bits of RWC.Dst and DEST_REGW_BASE.";
    LoadAllSumsLate "load-all-sums-late" "sfpload" BOTH None, "INT32_ALL adds the two low bits of RWC.Dst and of DEST_REGW_BASE each by itself.";
    LoadAddressNineBits "load-address-nine-bits" "sfpload" BOTH None, "The address wraps at 512.";
    LoadAddressSaturates "load-address-saturates" "sfpload" BOTH None, "The address saturates at 1023.";
    LoadSpIgnored "load-sp-ignored" "tensix-bh/sfpload" BOTH None, "Sp is not added.";
    LoadSpOfThread0 "load-sp-of-thread-0" "tensix-bh/sfpload" BOTH None, "Sp of thread 0 is used and moved.";
    LoadSpBaseIgnored "load-sp-base-ignored" "tensix-bh/sfpload" BOTH None, "DEST_SP_BASE is not added.";
    LoadSpFullOtherwise "load-sp-full-otherwise" "tensix-bh/sfpload" BOTH None, "Modes other than INT32_ALL add all bits of Sp and DEST_SP_BASE.";
    LoadSpNoneOtherwise "load-sp-none-otherwise" "tensix-bh/sfpload" BOTH None, "Modes other than INT32_ALL do not add the two low bits of Sp and DEST_SP_BASE.";
    LoadSpNotMoved "load-sp-not-moved" "tensix-bh/sfpload" BOTH None, "INT32_ALL does not move Sp.";
    LoadSpMovedTwice "load-sp-moved-twice" "tensix-bh/sfpload" BOTH None, "INT32_ALL moves Sp by twice the increment.";
    LoadSpMovedOtherwise "load-sp-moved-otherwise" "tensix-bh/sfpload" BOTH None, "Modes other than INT32_ALL move Sp too.";
    LoadSpOrder "load-sp-order" "tensix-bh/sfpload" BOTH None, "Sp is moved on the wrong side of addressing.";
    LoadSpReversed "load-sp-reversed" "tensix-bh/sfpload" BOTH None, "INT32_ALL moves Sp in the wrong direction.";
    LoadSpIncrOfThread0 "load-sp-incr-of-thread-0" "tensix-bh/sfpload" BOTH None, "SFPU_STACK_Incr is taken from thread 0.";
    LoadSpSaturates "load-sp-saturates" "tensix-bh/sfpload" BOTH None, "Sp saturates where it should wrap.";
    LoadSpKeptWhenIdle "load-sp-kept-when-idle" "tensix-bh/sfpload" BOTH None, "Sp does not move when no lane does.";

    // SFPLOAD: rows and columns of lanes.
    LoadRowsUnaligned "load-rows-unaligned" "sfpload" BOTH None, "The four rows are not aligned.";
    LoadRowsAlignedToEight "load-rows-aligned-to-eight" "sfpload" BOTH None, "The rows are aligned to eight.";
    LoadRowPitchTwo "load-row-pitch-two" "sfpload" BOTH None, "The rows of lanes are two rows of Dst apart.";
    LoadLanesTransposed "load-lanes-transposed" "sfpload" BOTH None, "Rows and columns of lanes are transposed.";
    LoadColumnsAdjacent "load-columns-adjacent" "sfpload" BOTH None, "Lanes take adjacent columns.";
    LoadParityIgnored "load-parity-ignored" "sfpload" BOTH None, "Bit 1 of the address does not select the odd columns.";
    LoadParityOfBit0 "load-parity-of-bit-0" "sfpload" BOTH None, "Bit 0 of the address selects the odd columns.";
    LoadParityInverted "load-parity-inverted" "sfpload" BOTH None, "Bit 1 of the address selects the even columns.";
    LoadExchangeIgnored "load-exchange-ignored" "sfpload" BOTH None, "The bit for exchanged columns is not read.";
    LoadExchangeOther "load-exchange-other" "sfpload" BOTH None, "The bit for exchanged columns of the other direction is read.";
    LoadExchangeToggles "load-exchange-toggles" "sfpload" BOTH None, "The bit for exchanged columns makes odd columns even again.";
    LoadExchangeTransposed "load-exchange-transposed" "sfpload" BOTH None, "The bit for exchanged columns is taken with rows and columns of lanes transposed.";

    // SFPLOAD: the views of Dst.
    LoadViewUnadjusted "load-view-unadjusted" "sfpload" BOTH None, "A 32-bit access goes to the row of its own number and the eighth after it.";
    LoadAdj32WithoutHalf "load-adj32-without-half" "sfpload" BOTH None, "Adj32 drops bit 9 of the row.";
    LoadLowHalfAtFour "load-low-half-at-four" "sfpload" BOTH None, "The low half lies four rows after the high half.";
    LoadHalvesSwapped "load-halves-swapped" "sfpload" BOTH None, "The halves of a 32-bit access are swapped.";
    LoadLowHalfLost "load-low-half-lost" "sfpload" BOTH None, "The low half of a 32-bit access is not moved.";
    LoadRemapIgnored "load-remap-ignored" "tensix-bh/sfpload" BOTH None, "DEST_ACCESS_CFG_remap_addrs is not read.";
    LoadRemapNotIn32 "load-remap-not-in-32" "tensix-bh/sfpload" BOTH None, "DEST_ACCESS_CFG_remap_addrs does not bear on 32-bit accesses.";
    LoadSwizzleIgnored "load-swizzle-ignored" "tensix-bh/sfpload" BOTH None, "DEST_ACCESS_CFG_swizzle_32b is not read.";
    LoadSwizzleIn16 "load-swizzle-in-16" "tensix-bh/sfpload" BOTH None, "DEST_ACCESS_CFG_swizzle_32b bears on 16-bit accesses too.";
    LoadSwizzleFirst "load-swizzle-first" "tensix-bh/sfpload" BOTH None, "Rows are swizzled before they are remapped.";

    // SFPLOAD: row validity.
    LoadLowHalfMark "load-low-half-mark" "sfpload" BOTH None, "A 32-bit datum whose low half lies in an invalid row reads as zero.";
    LoadMarkUnadjusted "load-mark-unadjusted" "sfpload" BOTH None, "A 32-bit datum reads as zero if the row of its own number is invalid.";

    // SFPLOAD: ApplyPartialAddrMod.
    LoadAddrModFull "load-addrmod-full" "sfpload" BOTH None, "FidelityPhase is updated.";
    LoadAddrModNever "load-addrmod-never" "sfpload" BOTH None, "The RWCs are not advanced.";
    LoadAddrModFirst "load-addrmod-first" "sfpload" BOTH None, "The RWCs are advanced before the move.";
    LoadAddrModNotWhenIdle "load-addrmod-not-when-idle" "sfpload" BOTH None, "The RWCs are not advanced when no lane moves.";
    LoadExtraIgnored "load-extra-bit-ignored" "tensix-wh/sfpload" BOTH None, "ExtraAddrModBit does not select the sections.";
    LoadSetBaseIgnored "load-set-base-ignored" "tensix-wh/sfpload" BOTH None, "ADDR_MOD_SET_Base does not select the sections.";
    LoadFourAddedTwice "load-four-added-twice" "tensix-wh/sfpload" BOTH None, "ExtraAddrModBit and ADDR_MOD_SET_Base add four each, modulo eight.";
    LoadSectionTwoBits "load-section-two-bits" "tensix-bh/sfpload" BOTH None, "AddrMod is cut to two bits.";
    LoadSectionOfWormhole "load-section-of-wormhole" "tensix-bh/sfpload" BOTH None, "AddrMod is taken from where Wormhole has it.";
    LoadSrcaFrozen "load-srca-frozen" "sfpload" BOTH None, "RWC.SrcA is not advanced.";
    LoadSrcbFrozen "load-srcb-frozen" "sfpload" BOTH None, "RWC.SrcB is not advanced.";
    LoadCrBeforeClear "load-cr-before-clear" "sfpload" BOTH None, "CR has priority over Clear.";
    LoadCrBeforeCToCr "load-cr-before-ctocr" "sfpload" BOTH None, "DestCR has priority over DestCToCR.";
    LoadCToCrKeepsCr "load-ctocr-keeps-cr" "sfpload" BOTH None, "DestCToCR does not update Dst_Cr.";
    LoadClearKeepsCr "load-clear-keeps-cr" "sfpload" BOTH None, "Clear does not clear the Cr counters.";
    LoadCrKeepsCounter "load-cr-keeps-counter" "sfpload" BOTH None, "CR advances the Cr counter but does not copy it.";
    LoadDestIncrNineBits "load-dest-incr-nine-bits" "sfpload" BOTH None, "DestIncr is cut to nine bits.";
    LoadCountersSaturate "load-counters-saturate" "sfpload" BOTH None, "Counters saturate where they should wrap.";
    LoadBiasIgnored "load-bias-ignored" "sfpload" BOTH None, "ExtraAddrModBit is not updated.";
    LoadBiasAny "load-bias-any" "sfpload" BOTH None, "Any non-zero BiasIncr advances ExtraAddrModBit.";
    LoadBiasClearLast "load-bias-clear-last" "sfpload" BOTH None, "BiasIncr has priority over BiasClear.";

    // SFPLOAD: which register is loaded.
    LoadHighVdLoads "load-high-vd-loads" "sfpload" BOTH None, "Registers from 8 on are loaded.";
    LoadHighVdWraps "load-high-vd-wraps" "sfpload" BOTH None, "A load of a register from 8 on goes to its number modulo 8.";
    LoadSpPopsEmpty "load-sp-pops-empty" "tensix-bh/sfpload" BOTH None, "Sp is popped although it is zero.";

    // SFPLOAD: FP16.
    LoadFp16RebiasLow "load-fp16-rebias-low" "sfpload" BOTH None, "The exponent of FP16 is rebiased by 111.";
    LoadFp16RebiasHigh "load-fp16-rebias-high" "sfpload" BOTH None, "The exponent of FP16 is rebiased by 113.";
    LoadFp16SignLost "load-fp16-sign-lost" "sfpload" BOTH None, "FP16 loses its sign.";
    LoadFp16MantissaCut "load-fp16-mantissa-cut" "sfpload" BOTH None, "FP16 keeps only seven mantissa bits.";
    LoadFp16NotUnshuffled "load-fp16-not-unshuffled" "sfpload" BOTH None, "FP16 is read as if its exponent stood before its mantissa.";
    LoadFp16InfIgnored "load-fp16-inf-ignored" "sfpload" BOTH None, "ENABLE_FP16A_INF is not read.";
    LoadFp16InfAlways "load-fp16-inf-always" "sfpload" BOTH None, "The largest FP16 magnitude is always infinity.";
    LoadFp16InfInverted "load-fp16-inf-inverted" "sfpload" BOTH None, "ENABLE_FP16A_INF is inverted.";
    LoadFp16InfOfLane0 "load-fp16-inf-of-lane-0" "sfpload" BOTH None, "ENABLE_FP16A_INF of lane 0 counts for all lanes.";
    LoadFp16InfAnyMantissa "load-fp16-inf-any-mantissa" "sfpload" BOTH None, "Every FP16 of the highest exponent becomes infinity.";
    LoadFp16InfKeepsMantissa "load-fp16-inf-keeps-mantissa" "sfpload" BOTH None, "The infinity of FP16 keeps its mantissa.";
    LoadFp16InfSignLost "load-fp16-inf-sign-lost" "sfpload" BOTH None, "The infinity of FP16 is always positive.";
    LoadFp16DenormalFlushed "load-fp16-denormal-flushed" "sfpload" BOTH None, "FP16 denormals are flushed.";
    LoadFp16DenormalRebiased "load-fp16-denormal-rebiased" "sfpload" BOTH None, "The exponent of FP16 denormals is rebiased.";
    LoadFp16DenormalNormalized "load-fp16-denormal-normalized" "sfpload" BOTH None, "FP16 denormals keep their value.";

    // SFPLOAD: BF16 and 32 bits.
    LoadBf16NotUnshuffled "load-bf16-not-unshuffled" "sfpload" BOTH None, "BF16 is not unshuffled.";
    LoadBf16Unshifted "load-bf16-unshifted" "sfpload" BOTH None, "BF16 goes to the low half.";
    LoadBf16KeepsLow "load-bf16-keeps-low" "sfpload" BOTH None, "BF16 keeps the low half of the register.";
    LoadBf16DenormalFlushed "load-bf16-denormal-flushed" "sfpload" BOTH None, "BF16 denormals are flushed.";
    LoadNegativeZeroLost "load-negative-zero-lost" "sfpload" BOTH None, "A BF16 of negative zero becomes zero.";
    LoadWideNotUnshuffled "load-wide-not-unshuffled" "sfpload" BOTH None, "32-bit data are not unshuffled.";
    LoadWideLowUnshuffled "load-wide-low-unshuffled" "sfpload" BOTH None, "The low half of 32-bit data is unshuffled too.";
    LoadFp32DenormalFlushed "load-fp32-denormal-flushed" "sfpload" BOTH None, "FP32 denormals are flushed.";
    LoadFp32NanQuieted "load-fp32-nan-quieted" "sfpload" BOTH None, "FP32 NaNs become quiet.";
    LoadInt32DenormalFlushed "load-int32-denormal-flushed" "sfpload" BOTH None, "INT32 data that look like denormals are flushed.";
    LoadInt32SmPlain "load-int32-sm-plain" "tensix-wh/sfpload" BOTH None, "INT32_SM does not convert to two's complement.";
    LoadInt32SmConverted "load-int32-sm-converted" "tensix-bh/sfpload" BOTH Some("TX-19"), "INT32_SM converts to two's complement, as on Wormhole.";
    LoadSmOnesComplement "load-sm-ones-complement" "tensix-wh/sfpload" BOTH None, "Negative numbers become one's complement.";
    LoadMinusZeroKept "load-minus-zero-kept" "tensix-wh/sfpload" BOTH Some("TX-23"), "Negative zero keeps its sign in two's complement.";

    // SFPLOAD: integers of 8 and 16 bits.
    LoadInt8EightBits "load-int8-eight-bits" "tensix-wh/sfpload" BOTH None, "INT8 has eight bits of magnitude, as on Blackhole.";
    LoadInt8SevenBits "load-int8-seven-bits" "tensix-bh/sfpload" BOTH Some("TX-19"), "INT8 has seven bits of magnitude, as on Wormhole.";
    LoadInt8TenBits "load-int8-ten-bits" "sfpload" BOTH Some("TX-26"), "INT8 has ten bits of magnitude.";
    LoadInt8SignLost "load-int8-sign-lost" "sfpload" BOTH None, "INT8 loses its sign.";
    LoadInt8Twos "load-int8-twos" "sfpload" BOTH None, "INT8 becomes two's complement.";
    LoadInt8Unshifted "load-int8-unshifted" "sfpload" BOTH None, "The magnitude of INT8 is taken from bit 0 on.";
    LoadInt8CompPlain "load-int8-comp-plain" "tensix-wh/sfpload" BOTH None, "INT8_COMP does not convert to two's complement.";
    LoadInt8CompConverted "load-int8-comp-converted" "tensix-bh/sfpload" BOTH Some("TX-19"), "INT8_COMP converts to two's complement, as on Wormhole.";
    LoadInt8CompNarrow "load-int8-comp-narrow" "sfpload" BOTH None, "INT8_COMP has as many bits of magnitude as INT8.";
    LoadInt16Twos "load-int16-twos" "sfpload" BOTH None, "INT16 is taken for two's complement and sign-extended.";
    LoadInt16SignLost "load-int16-sign-lost" "sfpload" BOTH None, "INT16 loses its sign.";
    LoadInt16SignLow "load-int16-sign-low" "sfpload" BOTH None, "The sign of INT16 stays at bit 15.";
    LoadUint16SignExtended "load-uint16-sign-extended" "sfpload" BOTH None, "UINT16 is sign-extended.";
    LoadLo16SignExtended "load-lo16-sign-extended" "sfpload" BOTH None, "LO16 is sign-extended.";
    LoadLo16KeepsHigh "load-lo16-keeps-high" "sfpload" BOTH None, "LO16 keeps the high half of the register.";
    LoadUint16KeepsHigh "load-uint16-keeps-high" "sfpload" BOTH None, "UINT16 keeps the high half of the register.";
    LoadHi16KeepsLow "load-hi16-keeps-low" "sfpload" BOTH None, "HI16 keeps the low half of the register.";
    LoadLo16OnlyZeroes "load-lo16-only-zeroes" "sfpload" BOTH None, "LO16_ONLY zeroes the high half of the register.";
    LoadHi16OnlyZeroes "load-hi16-only-zeroes" "sfpload" BOTH None, "HI16_ONLY zeroes the low half of the register.";
    LoadOnlySwapped "load-only-swapped" "sfpload" BOTH None, "LO16_ONLY and HI16_ONLY are exchanged.";
    LoadZeroKeeps "load-zero-keeps" "sfpload" BOTH None, "MOD0_FMT_ZERO leaves the register alone.";
    LoadZeroReads "load-zero-reads" "sfpload" BOTH None, "MOD0_FMT_ZERO reads Dst like UINT16.";
    LoadZeroEverywhere "load-zero-everywhere" "sfpload" BOTH None, "MOD0_FMT_ZERO clears lanes that are not enabled.";
    LoadDisabledZeroed "load-disabled-zeroed" "sfpload" BOTH None, "Lanes that are not enabled are cleared.";

    // SFPLOAD: the captured index.
    LoadCaptureNever "load-capture-never" "sfpload" BOTH None, "The index is not captured.";
    LoadCaptureByEnable "load-capture-by-enable" "sfpload" BOTH None, "ENABLE_DEST_INDEX alone captures the index.";
    LoadCaptureByCapture "load-capture-by-capture" "sfpload" BOTH None, "CAPTURE_DEFAULT_DEST_INDEX alone captures the index.";
    LoadCaptureHigh "load-capture-high" "sfpload" BOTH None, "Loads of registers from 4 on capture the index too.";
    LoadCaptureNext "load-capture-next" "sfpload" BOTH None, "The index is captured in the next register.";
    LoadCaptureNoRow "load-capture-no-row" "sfpload" BOTH None, "The index has no row.";
    LoadCaptureRowShift3 "load-capture-row-shift-3" "sfpload" BOTH None, "The row of the index stands one bit too low.";
    LoadCaptureFirstRow "load-capture-first-row" "sfpload" BOTH None, "The row of the index is the first of the four.";
    LoadCapturePhysical "load-capture-physical" "sfpload" BOTH Some("TX-24"), "The row of the index is the one that the view selects.";
    LoadCaptureEven "load-capture-even" "sfpload" BOTH None, "The column of the index is the one before the exchange.";
    LoadCaptureLane "load-capture-lane" "sfpload" BOTH None, "The index is the number of the lane.";
    LoadCaptureNotInAll "load-capture-not-in-all" "sfpload" BOTH None, "INT32_ALL does not capture the index.";
    LoadCaptureDisabled "load-capture-disabled" "sfpload" BOTH None, "Lanes that are not enabled capture the index too.";

    // SFPLOAD: controls.
    LoadControlInvalidZero "control-load-invalid-zero" "sfpload" NEVER Some("TX-16"), "An invalid row reads as zero.";
    LoadControlBackdoor "control-load-backdoor" "sfpload" NEVER Some("TX-17"), "A load that every lane takes for a write of an instruction template does nothing else.";
    LoadControlOffsetsTenBits "control-load-offsets-ten-bits" "sfpload" NEVER None, "MATH_Offset and the bases are cut to ten bits before they are added.";
    LoadControlSrcbInt32 "control-load-srcb-int32" "sfpload" NEVER None, "SFPU_Fp32_enabled makes MOD0_FMT_SRCB stand for INT32.";
    LoadControlExtraAddsFour "control-load-extra-adds-four" "tensix-bh/sfpload" NEVER Some("TX-32"), "ExtraAddrModBit adds four to AddrMod, modulo eight.";

    // SFPSTORE: lanes.
    StoreRowMaskIgnored "store-row-mask-ignored" "sfpstore" BOTH None, "ROW_MASK does not disable lanes.";
    StoreRowMaskTransposed "store-row-mask-transposed" "sfpstore" BOTH None, "ROW_MASK is read with rows and columns of lanes transposed.";
    StoreRowMaskInverted "store-row-mask-inverted" "sfpstore" BOTH None, "ROW_MASK enables the lanes that it should disable.";
    StoreUseFlagsIgnored "store-use-flags-ignored" "sfpstore" BOTH None, "LaneFlags count whatever UseLaneFlagsForLaneEnable says.";
    StoreLaneFlagsIgnored "store-lane-flags-ignored" "sfpstore" BOTH None, "LaneFlags are not read.";
    StoreLaneFlagsInverted "store-lane-flags-inverted" "sfpstore" BOTH None, "LaneFlags disable the lanes that they should enable.";
    StoreFlagsBeatRowMask "store-flags-beat-row-mask" "sfpstore" BOTH None, "A lane that uses its LaneFlags is not disabled by ROW_MASK.";
    StoreFlagsOfFirstRow "store-flags-of-first-row" "sfpstore" BOTH None, "The flags of the first eight lanes count for all lanes.";
    StoreBlockIgnored "store-block-ignored" "sfpstore" BOTH None, "The lane's block bit is not read.";
    StoreBlockOther "store-block-other" "sfpstore" BOTH None, "The block bit of the other direction is read.";
    StoreBlockTransposed "store-block-transposed" "sfpstore" BOTH None, "The block bit is taken with rows and columns of lanes transposed.";
    StoreAllObeysEnabled "store-all-obeys-enabled" "sfpstore" BOTH None, "INT32_ALL leaves out lanes that are not enabled.";
    StoreAllIgnoresBlock "store-all-ignores-block" "sfpstore" BOTH Some("TX-22"), "INT32_ALL moves blocked lanes too.";
    StoreLastLaneLost "needle-store-last-lane" "sfpstore" BOTH None, "Lane 31 does not move when it is the only one that is enabled.";

    // SFPSTORE: thread and StateID.
    StoreStateIdIgnored "store-state-id-ignored" "sfpstore" BOTH None, "The first bank of Config is used whatever StateID says.";
    StoreStateIdOther "store-state-id-other" "sfpstore" BOTH None, "The bank of Config that StateID does not name is used.";
    StoreStateIdOfThread0 "store-state-id-of-thread-0" "sfpstore" BOTH None, "StateID is taken from thread 0.";
    StoreRwcsOfThread0 "store-rwcs-of-thread-0" "sfpstore" BOTH None, "The RWCs of thread 0 are used and advanced.";

    // SFPSTORE: the format that MOD0_FMT_SRCB stands for.
    StoreSfpuFp32Ignored "store-sfpu-fp32-ignored" "sfpstore" BOTH None, "SFPU_Fp32_enabled is not read.";
    StoreFp32Used "store-fp32-used" "sfpstore" BOTH None, "Fp32_enabled is read in the place of SFPU_Fp32_enabled.";
    StoreSfpuFp32AsBf16 "store-sfpu-fp32-as-bf16" "sfpstore" BOTH None, "SFPU_Fp32_enabled makes MOD0_FMT_SRCB stand for BF16.";
    StoreOverrideIgnored "store-override-ignored" "sfpstore" BOTH None, "The format is always REG1_SrcB.";
    StoreOverrideInverted "store-override-inverted" "sfpstore" BOTH None, "SrcB_override selects the register that it should not.";
    StoreSrcaFormatUsed "store-srca-format-used" "sfpstore" BOTH None, "The format is SrcA's.";
    StoreFp32Missing "store-fp32-missing" "sfpstore" BOTH None, "FP32 is not among the formats that stand for BF16.";
    StoreTf32Missing "store-tf32-missing" "sfpstore" BOTH None, "TF32 is not among the formats that stand for BF16.";
    StoreBf16Missing "store-bf16-missing" "sfpstore" BOTH None, "BF16 is not among the formats that stand for BF16.";
    StoreBfp8Missing "store-bfp8-missing" "sfpstore" BOTH None, "BFP8 is not among the formats that stand for BF16.";
    StoreBfp4Missing "store-bfp4-missing" "sfpstore" BOTH None, "BFP4 is not among the formats that stand for BF16.";
    StoreBfp2Missing "store-bfp2-missing" "sfpstore" BOTH None, "BFP2 is not among the formats that stand for BF16.";
    StoreInt32Missing "store-int32-missing" "sfpstore" BOTH None, "INT32 is not among the formats that stand for BF16.";
    StoreInt16Missing "store-int16-missing" "sfpstore" BOTH None, "INT16 is not among the formats that stand for BF16.";
    StoreInt8Included "store-int8-included" "sfpstore" BOTH None, "INT8 is among the formats that stand for BF16.";
    StoreFp8Included "store-fp8-included" "sfpstore" BOTH None, "FP8 is among the formats that stand for BF16.";
    StoreReserved12Included "store-reserved12-included" "sfpstore" BOTH Some("TX-33"), "The reserved code 12 is among the formats that stand for BF16.";
    StoreReserved13Included "store-reserved13-included" "sfpstore" BOTH Some("TX-33"), "The reserved code 13 is among the formats that stand for BF16.";
    StoreDestFmtIgnored "store-dest-fmt-ignored" "tensix-bh/sfpstore" BOTH None, "SFPU_DEST_FMT does not replace SrcB's format.";
    StoreDestFmtAlways "store-dest-fmt-always" "tensix-bh/sfpstore" BOTH None, "SFPU_DEST_FMT replaces SrcB's format without its enable bit.";
    StoreDestFmtBeatsFp32 "store-dest-fmt-beats-fp32" "tensix-bh/sfpstore" BOTH None, "SFPU_DEST_FMT counts although SFPU_Fp32_enabled is set.";
    StoreDestFmtOfThread0 "store-dest-fmt-of-thread-0" "tensix-bh/sfpstore" BOTH None, "SFPU_DEST_FMT is taken from thread 0.";

    // SFPSTORE: the address.
    StoreImmNineBits "store-imm-nine-bits" "sfpstore" BOTH None, "Imm10 is cut to nine bits.";
    StoreMathOffsetIgnored "store-math-offset-ignored" "sfpstore" BOTH None, "MATH_Offset is not added.";
    StoreMathOffsetOfThread0 "store-math-offset-of-thread-0" "sfpstore" BOTH None, "MATH_Offset is taken from thread 0.";
    StoreMathOffsetNineBits "store-math-offset-nine-bits" "sfpstore" BOTH None, "MATH_Offset is cut to nine bits.";
    StoreRwcDstIgnored "store-rwc-dst-ignored" "sfpstore" BOTH None, "RWC.Dst is not added.";
    StoreRwcDstCrUsed "store-rwc-dst-cr-used" "sfpstore" BOTH None, "RWC.Dst_Cr is added in the place of RWC.Dst.";
    StoreRegwBaseIgnored "store-regw-base-ignored" "sfpstore" BOTH None, "DEST_REGW_BASE is not added.";
    StoreRegwBaseEightBits "store-regw-base-eight-bits" "sfpstore" BOTH None, "DEST_REGW_BASE is cut to eight bits.";
    StoreAllFullOffset "store-all-full-offset" "sfpstore" BOTH None, "INT32_ALL adds all bits of RWC.Dst and DEST_REGW_BASE.";
    StoreAllNoOffset "store-all-no-offset" "sfpstore" BOTH None, "INT32_ALL does not add RWC.Dst and DEST_REGW_BASE at all.";
    StoreAllThreeBits "store-all-three-bits" "sfpstore" BOTH None, "INT32_ALL adds three low bits of RWC.Dst and DEST_REGW_BASE.";
    StoreAllSumsLate "store-all-sums-late" "sfpstore" BOTH None, "INT32_ALL adds the two low bits of RWC.Dst and of DEST_REGW_BASE each by itself.";
    StoreAddressNineBits "store-address-nine-bits" "sfpstore" BOTH None, "The address wraps at 512.";
    StoreAddressSaturates "store-address-saturates" "sfpstore" BOTH None, "The address saturates at 1023.";
    StoreSpIgnored "store-sp-ignored" "tensix-bh/sfpstore" BOTH None, "Sp is not added.";
    StoreSpOfThread0 "store-sp-of-thread-0" "tensix-bh/sfpstore" BOTH None, "Sp of thread 0 is used and moved.";
    StoreSpBaseIgnored "store-sp-base-ignored" "tensix-bh/sfpstore" BOTH None, "DEST_SP_BASE is not added.";
    StoreSpFullOtherwise "store-sp-full-otherwise" "tensix-bh/sfpstore" BOTH None, "Modes other than INT32_ALL add all bits of Sp and DEST_SP_BASE.";
    StoreSpNoneOtherwise "store-sp-none-otherwise" "tensix-bh/sfpstore" BOTH None, "Modes other than INT32_ALL do not add the two low bits of Sp and DEST_SP_BASE.";
    StoreSpNotMoved "store-sp-not-moved" "tensix-bh/sfpstore" BOTH None, "INT32_ALL does not move Sp.";
    StoreSpMovedTwice "store-sp-moved-twice" "tensix-bh/sfpstore" BOTH None, "INT32_ALL moves Sp by twice the increment.";
    StoreSpMovedOtherwise "store-sp-moved-otherwise" "tensix-bh/sfpstore" BOTH None, "Modes other than INT32_ALL move Sp too.";
    StoreSpOrder "store-sp-order" "tensix-bh/sfpstore" BOTH None, "Sp is moved on the wrong side of addressing.";
    StoreSpReversed "store-sp-reversed" "tensix-bh/sfpstore" BOTH None, "INT32_ALL moves Sp in the wrong direction.";
    StoreSpIncrOfThread0 "store-sp-incr-of-thread-0" "tensix-bh/sfpstore" BOTH None, "SFPU_STACK_Incr is taken from thread 0.";
    StoreSpSaturates "store-sp-saturates" "tensix-bh/sfpstore" BOTH None, "Sp saturates where it should wrap.";
    StoreSpKeptWhenIdle "store-sp-kept-when-idle" "tensix-bh/sfpstore" BOTH None, "Sp does not move when no lane does.";

    // SFPSTORE: rows and columns of lanes.
    StoreRowsUnaligned "store-rows-unaligned" "sfpstore" BOTH None, "The four rows are not aligned.";
    StoreRowsAlignedToEight "store-rows-aligned-to-eight" "sfpstore" BOTH None, "The rows are aligned to eight.";
    StoreRowPitchTwo "store-row-pitch-two" "sfpstore" BOTH None, "The rows of lanes are two rows of Dst apart.";
    StoreLanesTransposed "store-lanes-transposed" "sfpstore" BOTH None, "Rows and columns of lanes are transposed.";
    StoreColumnsAdjacent "store-columns-adjacent" "sfpstore" BOTH None, "Lanes take adjacent columns.";
    StoreParityIgnored "store-parity-ignored" "sfpstore" BOTH None, "Bit 1 of the address does not select the odd columns.";
    StoreParityOfBit0 "store-parity-of-bit-0" "sfpstore" BOTH None, "Bit 0 of the address selects the odd columns.";
    StoreParityInverted "store-parity-inverted" "sfpstore" BOTH None, "Bit 1 of the address selects the even columns.";
    StoreExchangeIgnored "store-exchange-ignored" "sfpstore" BOTH None, "The bit for exchanged columns is not read.";
    StoreExchangeOther "store-exchange-other" "sfpstore" BOTH None, "The bit for exchanged columns of the other direction is read.";
    StoreExchangeToggles "store-exchange-toggles" "sfpstore" BOTH None, "The bit for exchanged columns makes odd columns even again.";
    StoreExchangeTransposed "store-exchange-transposed" "sfpstore" BOTH None, "The bit for exchanged columns is taken with rows and columns of lanes transposed.";

    // SFPSTORE: the views of Dst.
    StoreViewUnadjusted "store-view-unadjusted" "sfpstore" BOTH None, "A 32-bit access goes to the row of its own number and the eighth after it.";
    StoreAdj32WithoutHalf "store-adj32-without-half" "sfpstore" BOTH None, "Adj32 drops bit 9 of the row.";
    StoreLowHalfAtFour "store-low-half-at-four" "sfpstore" BOTH None, "The low half lies four rows after the high half.";
    StoreHalvesSwapped "store-halves-swapped" "sfpstore" BOTH None, "The halves of a 32-bit access are swapped.";
    StoreLowHalfLost "store-low-half-lost" "sfpstore" BOTH None, "The low half of a 32-bit access is not moved.";
    StoreRemapIgnored "store-remap-ignored" "tensix-bh/sfpstore" BOTH None, "DEST_ACCESS_CFG_remap_addrs is not read.";
    StoreRemapNotIn32 "store-remap-not-in-32" "tensix-bh/sfpstore" BOTH None, "DEST_ACCESS_CFG_remap_addrs does not bear on 32-bit accesses.";
    StoreSwizzleIgnored "store-swizzle-ignored" "tensix-bh/sfpstore" BOTH None, "DEST_ACCESS_CFG_swizzle_32b is not read.";
    StoreSwizzleIn16 "store-swizzle-in-16" "tensix-bh/sfpstore" BOTH None, "DEST_ACCESS_CFG_swizzle_32b bears on 16-bit accesses too.";
    StoreSwizzleFirst "store-swizzle-first" "tensix-bh/sfpstore" BOTH None, "Rows are swizzled before they are remapped.";

    // SFPSTORE: row validity.
    StoreMarksInvalid "store-marks-invalid" "sfpstore" BOTH None, "A store makes its rows invalid.";
    StoreLowHalfMarked "store-low-half-marked" "sfpstore" BOTH None, "A 32-bit store makes the rows of its low halves valid.";
    StoreMarkUnadjusted "store-mark-unadjusted" "sfpstore" BOTH None, "A 32-bit store makes the rows of its own numbers valid.";

    // SFPSTORE: ApplyPartialAddrMod.
    StoreAddrModFull "store-addrmod-full" "sfpstore" BOTH None, "FidelityPhase is updated.";
    StoreAddrModNever "store-addrmod-never" "sfpstore" BOTH None, "The RWCs are not advanced.";
    StoreAddrModFirst "store-addrmod-first" "sfpstore" BOTH None, "The RWCs are advanced before the move.";
    StoreAddrModNotWhenIdle "store-addrmod-not-when-idle" "sfpstore" BOTH None, "The RWCs are not advanced when no lane moves.";
    StoreExtraIgnored "store-extra-bit-ignored" "tensix-wh/sfpstore" BOTH None, "ExtraAddrModBit does not select the sections.";
    StoreSetBaseIgnored "store-set-base-ignored" "tensix-wh/sfpstore" BOTH None, "ADDR_MOD_SET_Base does not select the sections.";
    StoreFourAddedTwice "store-four-added-twice" "tensix-wh/sfpstore" BOTH None, "ExtraAddrModBit and ADDR_MOD_SET_Base add four each, modulo eight.";
    StoreSectionTwoBits "store-section-two-bits" "tensix-bh/sfpstore" BOTH None, "AddrMod is cut to two bits.";
    StoreSectionOfWormhole "store-section-of-wormhole" "tensix-bh/sfpstore" BOTH None, "AddrMod is taken from where Wormhole has it.";
    StoreSrcaFrozen "store-srca-frozen" "sfpstore" BOTH None, "RWC.SrcA is not advanced.";
    StoreSrcbFrozen "store-srcb-frozen" "sfpstore" BOTH None, "RWC.SrcB is not advanced.";
    StoreCrBeforeClear "store-cr-before-clear" "sfpstore" BOTH None, "CR has priority over Clear.";
    StoreCrBeforeCToCr "store-cr-before-ctocr" "sfpstore" BOTH None, "DestCR has priority over DestCToCR.";
    StoreCToCrKeepsCr "store-ctocr-keeps-cr" "sfpstore" BOTH None, "DestCToCR does not update Dst_Cr.";
    StoreClearKeepsCr "store-clear-keeps-cr" "sfpstore" BOTH None, "Clear does not clear the Cr counters.";
    StoreCrKeepsCounter "store-cr-keeps-counter" "sfpstore" BOTH None, "CR advances the Cr counter but does not copy it.";
    StoreDestIncrNineBits "store-dest-incr-nine-bits" "sfpstore" BOTH None, "DestIncr is cut to nine bits.";
    StoreCountersSaturate "store-counters-saturate" "sfpstore" BOTH None, "Counters saturate where they should wrap.";
    StoreBiasIgnored "store-bias-ignored" "sfpstore" BOTH None, "ExtraAddrModBit is not updated.";
    StoreBiasAny "store-bias-any" "sfpstore" BOTH None, "Any non-zero BiasIncr advances ExtraAddrModBit.";
    StoreBiasClearLast "store-bias-clear-last" "sfpstore" BOTH None, "BiasIncr has priority over BiasClear.";

    // SFPSTORE: which register is stored.
    StoreVdThreeBits "store-vd-three-bits" "sfpstore" BOTH None, "The register is its number modulo 8.";
    StoreHighVdSkipped "store-high-vd-skipped" "sfpstore" BOTH None, "Registers from 8 on are not stored, as they are not loaded.";
    StoreVd12Skipped "store-vd-12-skipped" "sfpstore" BOTH None, "Registers from 12 on are not stored although DISABLE_BACKDOOR_LOAD is set.";
    StoreBackdoorAlways "store-backdoor-always" "sfpstore" BOTH None, "DISABLE_BACKDOOR_LOAD is asked for whatever VD is.";
    StoreBackdoorFromVd8 "store-backdoor-from-vd-8" "sfpstore" BOTH None, "DISABLE_BACKDOOR_LOAD is asked for from register 8 on.";

    // SFPSTORE: FP16.
    StoreFp16Rounded "store-fp16-rounded" "sfpstore" BOTH None, "FP16 is rounded to nearest.";
    StoreFp16RebiasLow "store-fp16-rebias-low" "sfpstore" BOTH None, "The exponent of FP16 is rebiased by 111.";
    StoreFp16RebiasHigh "store-fp16-rebias-high" "sfpstore" BOTH None, "The exponent of FP16 is rebiased by 113.";
    StoreFp16OverflowInf "store-fp16-overflow-inf" "sfpstore" BOTH Some("TX-27"), "FP16 overflow has no mantissa, as infinity in IEEE 754.";
    StoreFp16OverflowEarly "store-fp16-overflow-early" "sfpstore" BOTH None, "FP16 overflows from the highest exponent on.";
    StoreFp16OverflowWraps "store-fp16-overflow-wraps" "sfpstore" BOTH None, "FP16 overflow wraps the exponent.";
    StoreFp16OverflowKeepsMantissa "store-fp16-overflow-keeps-mantissa" "sfpstore" BOTH None, "FP16 overflow keeps the mantissa.";
    StoreFp16NanZero "store-fp16-nan-zero" "sfpstore" BOTH None, "A NaN becomes zero in FP16.";
    StoreFp16UnderflowKept "store-fp16-underflow-kept" "sfpstore" BOTH None, "FP16 underflow becomes a denormal.";
    StoreFp16UnderflowMantissa "store-fp16-underflow-mantissa" "sfpstore" BOTH None, "FP16 underflow keeps the mantissa.";
    StoreFp16UnderflowSignLost "store-fp16-underflow-sign-lost" "sfpstore" BOTH None, "FP16 underflow loses the sign.";
    StoreFp16LowestFlushed "store-fp16-lowest-flushed" "sfpstore" BOTH None, "FP16 of the lowest normal exponent is flushed.";
    StoreFp16NotShuffled "store-fp16-not-shuffled" "sfpstore" BOTH None, "FP16 is stored in the order of IEEE 754.";

    // SFPSTORE: BF16 and 32 bits.
    StoreBf16Rounded "store-bf16-rounded" "sfpstore" BOTH None, "BF16 is rounded to nearest.";
    StoreBf16DenormalKept "store-bf16-denormal-kept" "sfpstore" BOTH None, "BF16 denormals are not flushed.";
    StoreBf16FlushLosesSign "store-bf16-flush-loses-sign" "sfpstore" BOTH None, "Flushing BF16 loses the sign.";
    StoreBf16NotShuffled "store-bf16-not-shuffled" "sfpstore" BOTH None, "BF16 is stored in the order of IEEE 754.";
    StoreBf16NanKept "store-bf16-nan-kept" "sfpstore" BOTH None, "A NaN whose truncated mantissa is zero stays a NaN in BF16.";
    StoreFp32DenormalKept "store-fp32-denormal-kept" "sfpstore" BOTH Some("TX-28"), "FP32 denormals are not flushed.";
    StoreFp32FlushLosesSign "store-fp32-flush-loses-sign" "sfpstore" BOTH None, "Flushing FP32 loses the sign.";
    StoreFp32FlushKeepsLow "store-fp32-flush-keeps-low" "sfpstore" BOTH None, "Flushing FP32 keeps the low half.";
    StoreFp32NanQuieted "store-fp32-nan-quieted" "sfpstore" BOTH None, "FP32 NaNs become quiet.";
    StoreWideNotShuffled "store-wide-not-shuffled" "sfpstore" BOTH None, "32-bit data are not shuffled.";
    StoreInt32Flushed "store-int32-flushed" "sfpstore" BOTH None, "INT32 flushes what looks like a denormal.";
    StoreInt32AllFlushed "store-int32-all-flushed" "sfpstore" BOTH None, "INT32_ALL flushes what looks like a denormal.";
    StoreInt32SmPlain "store-int32-sm-plain" "tensix-wh/sfpstore" BOTH None, "INT32_SM does not convert from two's complement.";
    StoreInt32SmConverted "store-int32-sm-converted" "tensix-bh/sfpstore" BOTH Some("TX-19"), "INT32_SM converts from two's complement, as on Wormhole.";
    StoreSmOnesComplement "store-sm-ones-complement" "tensix-wh/sfpstore" BOTH None, "Negative numbers are taken for one's complement.";
    StoreSmSignLost "store-sm-sign-lost" "tensix-wh/sfpstore" BOTH None, "The conversion from two's complement loses the sign.";

    // SFPSTORE: integers of 8 and 16 bits.
    StoreInt8NoExponent "store-int8-no-exponent" "sfpstore" BOTH None, "INT8 has an exponent of zero.";
    StoreInt8ZeroExponent "store-int8-zero-exponent" "sfpstore" BOTH None, "INT8 of zero has an exponent of zero, as unpackers write it.";
    StoreInt8SevenBits "store-int8-seven-bits" "sfpstore" BOTH Some("TX-26"), "INT8 has seven bits of magnitude.";
    StoreInt8EightBits "store-int8-eight-bits" "sfpstore" BOTH Some("TX-26"), "INT8 has eight bits of magnitude.";
    StoreInt8SignLost "store-int8-sign-lost" "sfpstore" BOTH None, "INT8 loses its sign.";
    StoreInt8CompPlain "store-int8-comp-plain" "tensix-wh/sfpstore" BOTH None, "INT8_COMP does not convert from two's complement.";
    StoreInt8CompConverted "store-int8-comp-converted" "tensix-bh/sfpstore" BOTH Some("TX-19"), "INT8_COMP converts from two's complement, as on Wormhole.";
    StoreInt8NotShuffled "store-int8-not-shuffled" "sfpstore" BOTH None, "INT8 is stored with its exponent before its magnitude.";
    StoreInt16Truncated "store-int16-truncated" "sfpstore" BOTH None, "INT16 is the low half of the register.";
    StoreInt16SignLost "store-int16-sign-lost" "sfpstore" BOTH None, "INT16 loses its sign.";
    StoreInt16Twos "store-int16-twos" "sfpstore" BOTH None, "INT16 becomes two's complement.";
    StoreUint16High "store-uint16-high" "sfpstore" BOTH None, "UINT16 is the high half of the register.";
    StoreLo16OnlyHigh "store-lo16-only-high" "sfpstore" BOTH None, "LO16_ONLY stores the high half of the register.";
    StoreHi16OnlyLow "store-hi16-only-low" "sfpstore" BOTH None, "HI16_ONLY stores the low half of the register.";
    StoreOnlyIntoHalves "store-only-into-halves" "sfpstore" BOTH None, "LO16_ONLY stores to the low half of Dst32b.";
    StoreLo16Narrow "store-lo16-narrow" "sfpstore" BOTH None, "LO16 stores 16 bits.";
    StoreHi16Narrow "store-hi16-narrow" "sfpstore" BOTH None, "HI16 stores 16 bits.";
    StoreLo16NotRotated "store-lo16-not-rotated" "sfpstore" BOTH None, "LO16 does not exchange the halves of the register.";
    StoreHi16Rotated "store-hi16-rotated" "sfpstore" BOTH None, "HI16 exchanges the halves of the register.";
    StoreOpaqueShuffled "store-opaque-shuffled" "sfpstore" BOTH None, "LO16 and HI16 shuffle like FP32.";
    StoreZeroWide "store-zero-wide" "sfpstore" BOTH None, "MOD0_FMT_ZERO clears 32 bits.";
    StoreZeroNothing "store-zero-nothing" "sfpstore" BOTH None, "MOD0_FMT_ZERO leaves Dst alone.";
    StoreZeroNegative "store-zero-negative" "sfpstore" BOTH None, "MOD0_FMT_ZERO keeps the sign of the register.";

    // SFPSTORE: what else is written.
    StoreBothColumns "store-both-columns" "sfpstore" BOTH None, "A datum goes to the even and to the odd column.";
    StoreDisabledZeroed "store-disabled-zeroed" "sfpstore" BOTH None, "Lanes that are not enabled clear their datum of Dst.";
    StoreBlockedZeroed "store-blocked-zeroed" "sfpstore" BOTH None, "Blocked lanes clear their datum of Dst.";
    StoreRegisterCleared "store-register-cleared" "sfpstore" BOTH None, "The register is zero after it was stored.";

    // SFPSTORE: controls.
    StoreControlInvalidClears "control-store-invalid-clears" "sfpstore" NEVER Some("TX-29"), "A store to an invalid row clears the row's other columns.";
    StoreControlBackdoor "control-store-backdoor" "sfpstore" NEVER Some("TX-17"), "A store that every lane takes for a write of an instruction template does nothing else.";
    StoreControlOffsetsTenBits "control-store-offsets-ten-bits" "sfpstore" NEVER None, "MATH_Offset and the bases are cut to ten bits before they are added.";
    StoreControlMarksValid "control-store-marks-valid" "sfpstore" NEVER Some("TX-29"), "A store makes its rows valid.";
    StoreControlExtraAddsFour "control-store-extra-adds-four" "tensix-bh/sfpstore" NEVER Some("TX-32"), "ExtraAddrModBit adds four to AddrMod, modulo eight.";
}
