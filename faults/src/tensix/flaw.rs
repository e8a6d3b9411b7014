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
}
