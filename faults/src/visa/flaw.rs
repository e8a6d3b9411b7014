//! The faults of vISA instructions: one variant each, in the order of what an execution does.
//!
//! The editions of the vISA pages are equal, so that what is wrong is wrong in both.

use tandem_isa::Edition;

use crate::fault::FaultKind;
use crate::flaw_table::flaws;

const BOTH: &[Edition] = &Edition::ALL;
/// Controls: they must not be reported.
const NEVER: &[Edition] = &[];

impl Flaw {
    #[expect(clippy::unused_self, reason = "the table of flaws asks each of them")]
    const fn kind(self) -> FaultKind {
        FaultKind::Wrong
    }
}

flaws! {
    "One thing that [`super::VisaPlain`] can do wrong.";

    // The execution mask.
    EmIgnored "em-ignored" "mov" BOTH None, "Channels are written although EM disables them.";
    EmOffsetIgnored "em-offset-ignored" "mov" BOTH None, "M2 to M8 take the same bits of EM as M1.";
    EmOffsetDoubled "em-offset-doubled" "mov" BOTH None, "M2 to M8 take the bits of EM eight channels apart where they should be four apart.";
    EmMirrored "em-mirrored" "mov" BOTH None, "The bits of EM are applied to the channels in reverse order.";
    EmInverted "em-inverted" "mov" BOTH None, "The channels that EM disables are written, and those that it enables are not.";
    EmHighHalfLost "em-high-half-lost" "mov" BOTH None, "Bits 16 to 31 of EM read as zero.";
    NmMasked "nm-masked" "mov" BOTH None, "NM is not read, and EM disables channels under it.";
    NmWithoutPredicate "nm-without-predicate" "mov" BOTH None, "NM switches predication off too.";
    DispatchAlignsEm "dispatch-aligns-em" "mov" BOTH None, "With a dispatch size below 32 the bits of EM are taken from its upper end.";
    DispatchCutsLanes "dispatch-cuts-lanes" "mov" BOTH None, "With a dispatch size of 8 only the first four channels of an instruction are written.";

    // Predication.
    PredicateIgnored "predicate-ignored" "mov" BOTH None, "The predicate disables nothing.";
    PredicateOffsetIgnored "predicate-offset-ignored" "mov" BOTH None, "The slice of the predicate begins at element 0 under any mask.";
    NmPredicateOffsetIgnored "nm-predicate-offset-ignored" "mov" BOTH Some("VX-20"), "The slice of the predicate begins at element 0 under M2_NM to M8_NM, as if they had no offset.";
    PredicateMirrored "predicate-mirrored" "mov" BOTH None, "The slice of the predicate is applied to the channels in reverse order.";
    PredicateAlwaysP1 "predicate-always-p1" "mov" BOTH None, "P1 is used whatever the number of the predicate is.";
    PredicateReplacesEm "predicate-replaces-em" "mov" BOTH None, "Where there is a predicate, EM is not read.";
    AnyAllSwapped "any-all-swapped" "mov" BOTH None, "Any is computed as all, and all as any.";
    AnySequential "any-sequential" "mov" BOTH None, "Any is not computed; each channel has its own element.";
    AllSequential "all-sequential" "mov" BOTH None, "All is not computed; each channel has its own element.";
    AnyOverVariable "any-over-variable" "mov" BOTH None, "Any looks at all 32 bits of the predicate and not at the slice alone.";
    AllOverVariable "all-over-variable" "mov" BOTH None, "All looks at all 32 bits of the predicate and not at the slice alone.";
    CombineOverEnabled "combine-over-enabled" "mov" BOTH None, "Any and all look only at those channels of the slice that EM enables.";
    InverseIgnored "inverse-ignored" "mov" BOTH None, "The inverse of the predicate is not taken.";
    InverseBeforeCombine "inverse-before-combine" "mov" BOTH None, "The predicate is inverted before any or all is computed.";
    InverseSequentialOnly "inverse-sequential-only" "mov" BOTH None, "The result of any and of all is not inverted.";

    // Which lanes are written.
    LaneBeyond "lane-beyond" "mov" BOTH Some("VX-19"), "One lane more than the execution size is written.";
    LastLaneDropped "last-lane-dropped" "mov" BOTH None, "The last lane of an instruction with several is never written.";
    UpperLanesDropped "upper-lanes-dropped" "mov" BOTH None, "Of 32 lanes only the first 16 are written.";
    UpperLanesRepeat "upper-lanes-repeat" "mov" BOTH None, "Of 32 lanes the last 16 take the source elements of the first 16.";
    DisabledZeroed "disabled-zeroed" "mov" BOTH None, "The destination elements of disabled channels become zero.";
    DisabledBroadcast "disabled-broadcast" "mov" BOTH None, "The destination elements of disabled channels take the value of channel 0.";

    // The order of reading and writing.
    WriteWhileReading "write-while-reading" "mov" BOTH Some("VX-28"), "Each lane is written before the next is read, so that an overlapping source changes under way.";
    WriteWhileReadingBackwards "write-while-reading-backwards" "mov" BOTH None, "Each lane is written before the one below it is read, from the last lane down.";
    HalvesInOrder "halves-in-order" "mov" BOTH None, "The first 16 of 32 lanes are written before the others are read.";

    // Where operands lie.
    GrfSizeAlways32 "grf-size-always-32" "mov" BOTH Some("VX-25"), "Row offsets count registers of 32 bytes although registers have 64.";
    GrfSizeAlways64 "grf-size-always-64" "mov" BOTH None, "Row offsets count registers of 64 bytes although registers have 32.";
    RowOffsetIgnored "row-offset-ignored" "mov" BOTH None, "The row offset of a source is not added.";
    RowOffsetInElements "row-offset-in-elements" "mov" BOTH None, "The row offset of a source counts elements.";
    ColumnIgnored "column-ignored" "mov" BOTH None, "The column offset of a source is not added.";
    ColumnInBytes "column-in-bytes" "mov" BOTH None, "The column offset of a source counts bytes.";
    DstRowOffsetIgnored "dst-row-offset-ignored" "mov" BOTH None, "The row offset of the destination is not added.";
    DstColumnIgnored "dst-column-ignored" "mov" BOTH None, "The column offset of the destination is not added.";
    DstColumnInBytes "dst-column-in-bytes" "mov" BOTH None, "The column offset of the destination counts bytes.";
    DstColumnBySource "dst-column-by-source" "mov" BOTH None, "The column offset of the destination counts elements of the source's size.";
    VariablePlaceIgnored "variable-place-ignored" "mov" BOTH None, "The place of the source's variable is cut down to a multiple of the register size.";
    SizeOfDestination "size-of-destination" "mov" BOTH None, "The strides of the source count elements of the destination's size.";

    // Regions.
    VertStrideIgnored "vert-stride-ignored" "mov" BOTH None, "The rows of a source follow one another without a gap, whatever the vertical stride is.";
    VertStrideOne "vert-stride-one" "mov" BOTH None, "The rows of a source are one element apart.";
    VertStrideHalved "vert-stride-halved" "mov" BOTH None, "A vertical stride of 32 is taken for 16.";
    WidthIgnored "width-ignored" "mov" BOTH None, "All elements of a source lie in one row, whatever the width is.";
    WidthHalved "width-halved" "mov" BOTH None, "The rows of a source have half as many elements as the width says.";
    HorzStrideIgnored "horz-stride-ignored" "mov" BOTH None, "The elements of a source's row are adjacent, whatever the horizontal stride is.";
    HorzStrideFourAsTwo "horz-stride-four-as-two" "mov" BOTH None, "A horizontal stride of 4 in a source is taken for 2.";
    StridesSwapped "strides-swapped" "mov" BOTH None, "The vertical and the horizontal stride of a source are swapped.";
    StridesInBytes "strides-in-bytes" "mov" BOTH None, "The strides of a source count bytes.";
    ZeroStrideAdvances "zero-stride-advances" "mov" BOTH None, "A horizontal stride of 0 is taken for 1.";
    CrossingWraps "crossing-wraps" "mov" BOTH None, "A source that goes on in the next register begins again in its first one.";
    DstStrideIgnored "dst-stride-ignored" "mov" BOTH None, "The elements of the destination are adjacent, whatever the stride is.";
    DstStrideDoubled "dst-stride-doubled" "mov" BOTH None, "A destination stride of 4 is taken for 8.";
    DstCrossingWraps "dst-crossing-wraps" "mov" BOTH None, "A destination that goes on in the next register begins again in its first one.";
    DstWidthUsed "dst-width-used" "mov" BOTH None, "The vertical stride and the width of the destination are not ignored.";

    // Indirect operands.
    IndirectOffsetIgnored "indirect-offset-ignored" "mov" BOTH None, "The offset of an indirect operand is not added.";
    IndirectOffsetNegated "indirect-offset-negated" "mov" BOTH None, "The offset of an indirect operand is subtracted.";
    IndirectOffsetUnsigned "indirect-offset-unsigned" "mov" BOTH None, "The ten bits of an indirect operand's offset are taken without a sign.";
    IndirectOffsetNineBits "indirect-offset-nine-bits" "mov" BOTH None, "The offset of an indirect operand is cut to nine bits with a sign.";
    IndirectOffsetInElements "indirect-offset-in-elements" "mov" BOTH None, "The offset of an indirect operand counts elements.";
    AddressTruncated "address-truncated" "mov" BOTH None, "The addresses of indirect operands are cut to 12 bits.";
    AddressElementIgnored "address-element-ignored" "mov" BOTH None, "The first element of the address variable is used, whichever the operand names.";
    AddressVariableZero "address-variable-zero" "mov" BOTH None, "A0 is used whatever the number of the address variable is.";
    AddressAligned "address-aligned" "mov" BOTH None, "The addresses of indirect operands are cut down to a multiple of 32.";
    MultiAddressFirstOnly "multi-address-first-only" "mov" BOTH None, "A source with several addresses takes all rows from the first one.";
    MultiAddressPerLane "multi-address-per-lane" "mov" BOTH None, "A source with several addresses takes one for each lane and not for each row.";
    MultiAddressOffsetOnce "multi-address-offset-once" "mov" BOTH None, "The offset of a source with several addresses is added to the first one only.";
    IndirectTypeOfVariable "indirect-type-of-variable" "mov" BOTH None, "An indirect source has the type of V32.";

    // Immediate and predicate sources.
    ImmediateNotBroadcast "immediate-not-broadcast" "mov" BOTH None, "An immediate goes to channel 0, and zero to the others.";
    ImmediateHighLost "immediate-high-lost" "mov" BOTH None, "The high word of a 64-bit immediate reads as zero.";
    ImmediateHighSign "immediate-high-sign" "mov" BOTH None, "The high word of a 64-bit immediate is the sign of the low one.";
    ImmediateHalvesSwapped "immediate-halves-swapped" "mov" BOTH None, "The words of a 64-bit immediate are swapped.";
    PredicateSourceShifted "predicate-source-shifted" "mov" BOTH None, "Element 0 of a predicate source becomes bit 1 of the value.";
    PredicateSourceComplemented "predicate-source-complemented" "mov" BOTH None, "A predicate source is complemented.";
    PredicateSourceMirrored "predicate-source-mirrored" "mov" BOTH None, "The last element of a predicate source becomes the lowest bit.";
    PredicateSourceUndeclared "predicate-source-undeclared" "mov" BOTH Some("VX-24"), "The bits above the declared elements of a predicate source are copied too.";
    PredicateSourceSigned "predicate-source-signed" "mov" BOTH None, "A predicate source is extended by its highest element and not by zeros.";
    PredicateSourceUnmasked "predicate-source-unmasked" "mov" BOTH None, "A predicate source is copied although EM disables the channel.";
    PredicateSourceAny "predicate-source-any" "mov" BOTH None, "A predicate source gives 1 if any of its elements is 1.";

    // Types.
    UqSourceAsQ "uq-source-as-q" "mov" BOTH None, "A UQ source is taken for Q.";
    HfSourceAsBf "hf-source-as-bf" "mov" BOTH None, "An HF source is taken for BF.";
    BfDestinationAsHf "bf-destination-as-hf" "mov" BOTH None, "F becomes HF where the destination is BF.";
    UdDestinationAsD "ud-destination-as-d" "mov" BOTH None, "A UD destination has the range of D.";

    // Raw copies.
    RawNanQuieted "raw-nan-quieted" "mov" BOTH Some("VX-18"), "A raw copy of a float quiets its NaNs.";
    RawDenormalFlushed "raw-denormal-flushed" "mov" BOTH Some("VX-18"), "A raw copy of a float flushes denormals as the control register says.";
    RawBfFlushed "raw-bf-flushed" "mov" BOTH Some("VX-18"), "A raw copy of BF flushes denormals.";
    RawMinusZeroLost "raw-minus-zero-lost" "mov" BOTH None, "A raw copy of a float makes +0 of -0.";

    // Source modifiers.
    AbsIgnored "abs-ignored" "mov" BOTH None, "The absolute value is not taken.";
    NegIgnored "neg-ignored" "mov" BOTH None, "A source is not negated.";
    NegBeforeAbs "neg-before-abs" "mov" BOTH None, "The absolute value is taken after negation.";
    AbsByNeg "abs-by-neg" "mov" BOTH None, "The absolute value is the negated value, whatever the sign is.";
    ModifierAfterConversion "modifier-after-conversion" "mov" BOTH Some("VX-15"), "Absolute value and negation are applied to the converted value.";
    ModifierOnTruncatedWidth "modifier-on-truncated-width" "mov" BOTH Some("VX-17"), "Absolute value and negation of an integer are cut to the width of the source.";
    ModifierOn32Bits "modifier-on-32-bits" "mov" BOTH None, "Absolute value and negation of an integer of up to 32 bits are computed in D.";
    NegByComplement "neg-by-complement" "mov" BOTH None, "An integer is negated by inverting its bits.";
    NegUnsignedIgnored "neg-unsigned-ignored" "mov" BOTH Some("VX-17"), "Unsigned integers are not negated.";
    AbsKeepsNanSign "abs-keeps-nan-sign" "mov" BOTH Some("VX-17"), "The absolute value of a NaN keeps its sign.";
    NegSkipsNan "neg-skips-nan" "mov" BOTH Some("VX-17"), "NaNs are not negated.";
    NegByZeroMinus "neg-by-zero-minus" "mov" BOTH Some("VX-17"), "A float is negated by subtraction from zero, so that -(+0) is +0.";

    // Integer to integer.
    ExtendByDestination "extend-by-destination" "mov" BOTH None, "A wider integer is extended by the signedness of the destination.";
    SignExtendAlways "sign-extend-always" "mov" BOTH None, "Unsigned integers are sign-extended to a wider integer.";
    ZeroExtendAlways "zero-extend-always" "mov" BOTH None, "Signed integers are zero-extended to a wider integer.";
    NarrowingClamps "narrowing-clamps" "mov" BOTH None, "A narrower integer is clamped although there is no .sat.";
    NarrowingKeepsHigh "narrowing-keeps-high" "mov" BOTH None, "A narrower integer has the highest bits of the source.";
    SatIntegerIgnored "sat-integer-ignored" "mov" BOTH Some("VX-16"), "An integer is truncated although there is .sat.";
    SatEqualWidthIgnored "sat-equal-width-ignored" "mov" BOTH Some("VX-16"), ".sat does nothing between integers of equal width, whose bits are kept.";
    SatNegativeKept "sat-negative-kept" "mov" BOTH None, ".sat to an unsigned integer cuts a negative one where it should give zero.";
    SatSymmetric "sat-symmetric" "mov" BOTH None, ".sat to a signed integer gives minus the largest value where it should give the smallest.";
    SatMax8 "sat-max-8" "mov" BOTH None, ".sat of an integer to 8 bits stops one below the largest value.";
    SatMax16 "sat-max-16" "mov" BOTH None, ".sat of an integer to 16 bits stops one below the largest value.";
    SatMax32 "sat-max-32" "mov" BOTH None, ".sat of an integer to 32 bits stops one below the largest value.";
    SatMax64 "sat-max-64" "mov" BOTH None, ".sat of an integer to 64 bits stops one below the largest value.";
    SatMin8 "sat-min-8" "mov" BOTH None, ".sat of an integer to 8 bits stops one above the smallest value.";
    SatMin16 "sat-min-16" "mov" BOTH None, ".sat of an integer to 16 bits stops one above the smallest value.";
    SatMin32 "sat-min-32" "mov" BOTH None, ".sat of an integer to 32 bits stops one above the smallest value.";
    SatMin64 "sat-min-64" "mov" BOTH None, ".sat of an integer to 64 bits stops one above the smallest value.";

    // Float to integer.
    FloatIntNearest "float-int-nearest" "mov" BOTH None, "A float is rounded to the nearest integer, ties to even.";
    FloatIntFloor "float-int-floor" "mov" BOTH None, "A float is rounded down to an integer.";
    FloatIntByMode "float-int-by-mode" "mov" BOTH None, "A float is rounded to an integer as the control register says.";
    FloatIntIndefinite "float-int-indefinite" "mov" BOTH None, "NaN and what is out of range give the integer whose highest bit alone is set.";
    FloatIntNegativeIndefinite "float-int-negative-indefinite" "mov" BOTH Some("VX-07"), "A negative float gives an unsigned integer whose highest bit alone is set.";
    FloatIntWraps "float-int-wraps" "mov" BOTH None, "A float that is out of range gives its low bits.";
    FloatIntClampsBySat "float-int-clamps-by-sat" "mov" BOTH None, "A float that is out of range gives its low bits unless there is .sat.";
    FloatIntNegativeWraps "float-int-negative-wraps" "mov" BOTH None, "A negative float gives the low bits of its value in an unsigned integer.";
    FloatIntNanMax "float-int-nan-max" "mov" BOTH None, "NaN gives the largest integer.";
    FloatIntNanMin "float-int-nan-min" "mov" BOTH None, "NaN gives the smallest integer.";
    FloatIntInfinityZero "float-int-infinity-zero" "mov" BOTH None, "Infinities give zero.";
    FloatIntMaxLow "float-int-max-low" "mov" BOTH None, "A float above the range gives one less than the largest integer.";
    FloatIntMinHigh "float-int-min-high" "mov" BOTH None, "A float below a signed range gives one more than the smallest integer.";
    FloatIntMaxAsFloat "float-int-max-as-float" "mov" BOTH None, "A float above the range of D or UD gives the largest F in it.";
    FloatIntThroughD "float-int-through-d" "mov" BOTH None, "A float becomes an integer of 8 or 16 bits through D, whose low bits are kept.";
    FloatIntUnsignedAsSigned "float-int-unsigned-as-signed" "mov" BOTH None, "A float becomes an unsigned integer through the signed one of its width.";

    // Integer to float.
    IntFloatTruncates "int-float-truncates" "mov" BOTH None, "An integer that no float equals is rounded toward zero.";
    IntFloatTiesAway "int-float-ties-away" "mov" BOTH None, "An integer halfway between two floats is rounded away from zero.";
    IntFloatThroughDf "int-float-through-df" "mov" BOTH None, "An integer becomes F through DF and is rounded twice.";
    IntFloatUnsignedAsSigned "int-float-unsigned-as-signed" "mov" BOTH None, "An unsigned integer becomes a float as if it were signed.";
    IntFloatNegativeZero "int-float-negative-zero" "mov" BOTH None, "A negated integer zero becomes -0.";
    IntHfOverflowToMax "int-hf-overflow-to-max" "mov" BOTH Some("VX-12"), "An integer beyond HF gives the largest finite HF.";

    // Rounding and range of floats.
    RoundTowardZero "round-toward-zero" "mov" BOTH None, "Round to nearest rounds toward zero.";
    RoundTiesAway "round-ties-away" "mov" BOTH None, "Round to nearest rounds ties away from zero.";
    RoundingModeIgnored "rounding-mode-ignored" "mov" BOTH None, "Floats are narrowed to nearest even whatever the control register says.";
    RoundUpDownSwapped "round-up-down-swapped" "mov" BOTH None, "Round up and round down are swapped.";
    RoundUpByMagnitude "round-up-by-magnitude" "mov" BOTH None, "Round up rounds away from zero.";
    RoundDownByMagnitude "round-down-by-magnitude" "mov" BOTH None, "Round down rounds toward zero.";
    RoundZeroAsNearest "round-zero-as-nearest" "mov" BOTH None, "Round toward zero rounds to nearest even.";
    RoundingBeforeSign "rounding-before-sign" "mov" BOTH None, "A negated float is rounded before it is negated.";
    DoubleRounding "double-rounding" "mov" BOTH None, "DF becomes HF through F and is rounded twice.";
    DenormalRoundedTwice "denormal-rounded-twice" "mov" BOTH None, "A denormal result is rounded to the full mantissa first.";
    StickyBitsLost "sticky-bits-lost" "mov" BOTH None, "Of the bits that rounding drops only the highest four are looked at.";
    OverflowToMax "overflow-to-max" "mov" BOTH Some("VX-12"), "What rounds to nearest beyond HF or F gives the largest finite value.";
    OverflowToInfinity "overflow-to-infinity" "mov" BOTH None, "What is too large for HF or F gives infinity in every rounding mode.";
    OverflowBeforeRounding "overflow-before-rounding" "mov" BOTH None, "Whatever is above the largest finite HF or F overflows, although it would round to it.";
    InfinityToMax "infinity-to-max" "mov" BOTH None, "Infinity becomes the largest finite value of another float type.";
    MinusZeroLost "minus-zero-lost" "mov" BOTH None, "A converted -0 becomes +0.";
    UnderflowSignLost "underflow-sign-lost" "mov" BOTH None, "What rounds to zero becomes +0.";

    // bfloat16.
    BfTruncated "bf-truncated" "mov" BOTH Some("VX-13"), "F becomes BF by dropping its low half.";
    BfTiesAway "bf-ties-away" "mov" BOTH Some("VX-13"), "F becomes BF with ties away from zero.";
    BfNanByTruncation "bf-nan-by-truncation" "mov" BOTH None, "A NaN becomes BF by dropping its low half, which can leave an infinity.";
    BfInputFlushed "bf-input-flushed" "mov" BOTH Some("VX-13"), "F's denormal bit flushes what becomes BF.";
    BfResultFlushed "bf-result-flushed" "mov" BOTH Some("VX-13"), "F's denormal bit flushes BF results.";
    BfSourceFlushed "bf-source-flushed" "mov" BOTH Some("VX-13"), "F's denormal bit flushes what was BF.";

    // Denormals.
    HfInputKept "hf-input-kept" "mov" BOTH None, "HF denormals are never flushed on input.";
    FInputKept "f-input-kept" "mov" BOTH None, "F denormals are never flushed on input.";
    DfInputKept "df-input-kept" "mov" BOTH None, "DF denormals are never flushed on input.";
    HfInputFlushed "hf-input-flushed" "mov" BOTH None, "HF denormals are always flushed on input.";
    FInputFlushed "f-input-flushed" "mov" BOTH None, "F denormals are always flushed on input.";
    DfInputFlushed "df-input-flushed" "mov" BOTH None, "DF denormals are always flushed on input.";
    HfResultKept "hf-result-kept" "mov" BOTH None, "HF denormals are never flushed on output.";
    FResultKept "f-result-kept" "mov" BOTH None, "F denormals are never flushed on output.";
    HfResultFlushed "hf-result-flushed" "mov" BOTH None, "HF denormals are always flushed on output.";
    FResultFlushed "f-result-flushed" "mov" BOTH None, "F denormals are always flushed on output.";
    DfResultFlushed "df-result-flushed" "mov" BOTH None, "DF denormals are always flushed on output.";
    HfAlwaysFlushed "hf-always-flushed" "mov" BOTH Some("VX-09"), "HF denormals are flushed on input and output, as page Data Types has it, whatever the control register says.";
    NarrowedDenormalsZero "narrowed-denormals-zero" "mov" BOTH Some("VX-10"), "A denormal becomes zero in a narrower type, as the table of page Data Types has it, in every rounding mode.";
    InputByDestinationBit "input-by-destination-bit" "mov" BOTH None, "The denormal bit of the destination's type decides about the source.";
    ResultBySourceBit "result-by-source-bit" "mov" BOTH None, "The denormal bit of the source's type decides about the result.";
    FlushSignLost "flush-sign-lost" "mov" BOTH None, "A denormal is flushed to +0 whatever its sign is.";
    TinyBeforeRounding "tiny-before-rounding" "mov" BOTH None, "A result that rounds up to the smallest normal value is flushed as a denormal.";
    PlatformFlushesHf "platform-flushes-hf" "mov" BOTH None, "Platforms before XeHP always flush HF denormals.";

    // NaN.
    NanPayloadDropped "nan-payload-dropped" "mov" BOTH Some("VX-11"), "A converted NaN keeps only its quiet bit.";
    NanNotQuieted "nan-not-quieted" "mov" BOTH Some("VX-11"), "A converted NaN is not quieted, even if that leaves an infinity.";
    NanSignDropped "nan-sign-dropped" "mov" BOTH Some("VX-11"), "A converted NaN is positive.";
    NanPayloadLow "nan-payload-low" "mov" BOTH Some("VX-11"), "A NaN keeps the low bits of its payload in a narrower type.";
    NanPayloadUnshifted "nan-payload-unshifted" "mov" BOTH Some("VX-11"), "The payload of a NaN stays in the low bits of a wider type.";
    NanModifiedUnquieted "nan-modified-unquieted" "mov" BOTH Some("VX-18"), "A NaN is not quieted where only a source modifier is applied.";

    // .sat of floats.
    SatFloatIgnored "sat-float-ignored" "mov" BOTH None, ".sat does nothing to floats.";
    SatNanKept "sat-nan-kept" "mov" BOTH None, ".sat leaves a NaN.";
    SatNanOne "sat-nan-one" "mov" BOTH None, ".sat makes 1.0 of a NaN.";
    SatMinusZeroKept "sat-minus-zero-kept" "mov" BOTH Some("VX-14"), ".sat leaves -0.";
    SatNegativeFloatKept "sat-negative-float-kept" "mov" BOTH None, ".sat leaves floats below 0.0.";
    SatAboveOneKept "sat-above-one-kept" "mov" BOTH None, ".sat leaves floats above 1.0.";
    SatMinusOne "sat-minus-one" "mov" BOTH None, ".sat goes from -1.0 to 1.0.";
    SatBelowOne "sat-below-one" "mov" BOTH None, ".sat stops at the largest float below 1.0.";
    SatInfinityKept "sat-infinity-kept" "mov" BOTH None, ".sat leaves positive infinity.";
    SatIntegerFloatIgnored "sat-integer-float-ignored" "mov" BOTH None, ".sat does nothing to floats that were integers.";

    // Needles: wrong in few cases only.
    NeedleOverflowLate "needle-hf-overflow-late" "mov" BOTH None, "What lies from 65520 up to 65536, and so rounds beyond HF, gives the largest finite HF.";
    NeedleMostNegative "needle-most-negative" "mov" BOTH None, "The absolute value of the smallest D is not taken.";
    NeedleLastMask "needle-last-mask" "mov" BOTH None, "M8 takes the bits of EM of M7.";
    NeedleLane31 "needle-lane-31" "mov" BOTH None, "Lane 31 is written although the predicate disables it.";
    NeedleLastByte "needle-last-byte" "mov" BOTH None, "A B source in the last byte of a register reads the byte before it.";

    // Controls: no promise is broken, and nothing may be reported.
    ControlIntFloatByMode "control-int-float-by-mode" "mov" NEVER Some("VX-08"), "Integers become floats in the control register's rounding mode, about which the pages are silent.";
    ControlBfByMode "control-bf-by-mode" "mov" NEVER Some("VX-13"), "F becomes BF in the control register's rounding mode, about which the pages are silent.";
    ControlPredicateSourceOffset "control-predicate-source-offset" "mov" NEVER Some("VX-23"), "A predicate source begins at the element that the mask selects.";
    ControlDisabledRead "control-disabled-read" "mov" NEVER None, "The source elements of disabled channels are read too.";
    ControlReservedBits "control-reserved-bits" "mov" NEVER None, "Reserved bits in an operand's tag make a move answer that it is unsupported.";

    // DPAS: the shape.
    DpasPrecisionsSwapped "dpas-precisions-swapped" "dpas" BOTH None, "The precision of Src1 is applied to Src2, and that of Src2 to Src1.";
    DpasSourcesSwapped "dpas-sources-swapped" "dpas" BOTH None, "The weights are read where Src2 lies, and the activations where Src1 does.";
    DpasOpsEightForMixed "dpas-ops-eight-for-mixed" "dpas" BOTH None, "A channel has eight operations where one precision has eight bits and the other fewer.";
    DpasOpsFourAlways "dpas-ops-four-always" "dpas" BOTH None, "A channel has four operations where both precisions have fewer than eight bits.";
    DpasOpsByWeights "dpas-ops-by-weights" "dpas" BOTH None, "The operations of a channel are counted by the precision of Src1 alone.";
    DpasOpsByActivations "dpas-ops-by-activations" "dpas" BOTH None, "The operations of a channel are counted by the precision of Src2 alone.";
    DpasTf32Pairs "dpas-tf32-pairs" "dpas" BOTH Some("VX-38"), "A channel has two operations for tf32.";
    DpasDepthIgnored "dpas-depth-ignored" "dpas" BOTH None, "The systolic depth is taken for 8.";
    DpasDepthOneLess "dpas-depth-one-less" "dpas" BOTH None, "The last depth is left out.";
    DpasDepthOneMore "dpas-depth-one-more" "dpas" BOTH None, "One depth too many is summed.";
    DpasRepeatIgnored "dpas-repeat-ignored" "dpas" BOTH None, "The repeat count is taken for 8.";
    DpasRepeatOneLess "dpas-repeat-one-less" "dpas" BOTH None, "The last repeat is left out.";
    DpasRepeatOneMore "dpas-repeat-one-more" "dpas" BOTH None, "One repeat too many is done.";
    DpasRepeatThreeBits "dpas-repeat-three-bits" "dpas" BOTH None, "The repeat count is cut to three bits, so that 8 does nothing.";

    // DPAS: where the weights lie.
    DpasWeightsRowMajor "dpas-weights-row-major" "dpas" BOTH None, "Src1 is read as a packed matrix, row by row.";
    DpasWeightsColumnMajor "dpas-weights-column-major" "dpas" BOTH None, "Src1 is read as a packed matrix, column by column.";
    DpasWeightsPitchEight "dpas-weights-pitch-eight" "dpas" BOTH None, "The registers of Src1 are 32 bytes apart although registers have 64.";
    DpasWeightsAdvance "dpas-weights-advance" "dpas" BOTH None, "Src1 goes on with each repeat.";
    DpasRegisterEachDepth "dpas-register-each-depth" "dpas" BOTH None, "Each depth takes the lowest elements of the next register of Src1, however narrow they are.";
    DpasRegistersInterleaved "dpas-registers-interleaved" "dpas" BOTH None, "Depths take the lowest elements of all registers of Src1 before the next ones of the first.";
    DpasFirstElementsAgain "dpas-first-elements-again" "dpas" BOTH None, "Every depth of a register of Src1 takes its lowest elements.";
    DpasElementOffsetInDepths "dpas-element-offset-in-depths" "dpas" BOTH None, "The first element of a depth in a double word of Src1 is not multiplied by the operations of a channel.";
    DpasWeightsDotReversed "dpas-weights-dot-reversed" "dpas" BOTH Some("VX-61"), "The elements of Src1 of a depth are taken from the highest down.";
    DpasWeightsHighFirst "dpas-weights-high-first" "dpas" BOTH Some("VX-61"), "The elements of Src1 within a byte begin at its high end.";
    DpasChannelsReversed "dpas-channels-reversed" "dpas" BOTH None, "The columns of Src1 go to the channels in reverse order.";
    DpasHighChannelsRepeat "dpas-high-channels-repeat" "dpas" BOTH None, "Channels 8 to 15 take the weights of channels 0 to 7.";
    DpasSrc1OffsetIgnored "dpas-src1-offset-ignored" "dpas" BOTH None, "The offset of Src1 is not added.";

    // DPAS: where the activations lie.
    DpasActivationsStay "dpas-activations-stay" "dpas" BOTH None, "Src2 does not go on with the repeats.";
    DpasActivationsPitchOther "dpas-activations-pitch-other" "dpas" BOTH Some("VX-37"), "The rows of Src2 are as far apart as the other reading has it.";
    DpasActivationsPitchRegister "dpas-activations-pitch-register" "dpas" BOTH None, "Each row of Src2 begins in a register of its own.";
    DpasActivationsPitchOps "dpas-activations-pitch-ops" "dpas" BOTH None, "Src2 goes on by the elements of one depth for each repeat.";
    DpasActivationsByChannel "dpas-activations-by-channel" "dpas" BOTH None, "Each channel takes the row of Src2 of its own number, modulo the repeat count.";
    DpasActivationsDotReversed "dpas-activations-dot-reversed" "dpas" BOTH Some("VX-61"), "The elements of Src2 of a depth are taken from the highest down.";
    DpasActivationsHighFirst "dpas-activations-high-first" "dpas" BOTH Some("VX-61"), "The elements of Src2 within a byte begin at its high end.";
    DpasColumnIgnored "dpas-column-ignored" "dpas" BOTH None, "The column offset of Src2 is not added.";
    DpasColumnInBytes "dpas-column-in-bytes" "dpas" BOTH None, "The column offset of Src2 counts bytes.";
    DpasColumnInElements "dpas-column-in-elements" "dpas" BOTH None, "The column offset of Src2 counts elements of its precision.";
    DpasRowOffsetIgnored "dpas-row-offset-ignored" "dpas" BOTH None, "The row offset of Src2 is not added.";
    DpasRowOffset32 "dpas-row-offset-32" "dpas" BOTH None, "The row offset of Src2 counts 32 bytes although registers have 64.";

    // DPAS: elements that are integers.
    DpasS1Unsigned "dpas-s1-unsigned" "dpas" BOTH Some("VX-40"), "s1 is not sign-extended: its one is 1.";
    DpasS2Unsigned "dpas-s2-unsigned" "dpas" BOTH None, "s2 is not sign-extended.";
    DpasS4Unsigned "dpas-s4-unsigned" "dpas" BOTH None, "s4 is not sign-extended.";
    DpasS8Unsigned "dpas-s8-unsigned" "dpas" BOTH None, "s8 is not sign-extended.";
    DpasU1Signed "dpas-u1-signed" "dpas" BOTH None, "u1 is sign-extended: its one is -1.";
    DpasU2Signed "dpas-u2-signed" "dpas" BOTH None, "u2 is sign-extended.";
    DpasU4Signed "dpas-u4-signed" "dpas" BOTH None, "u4 is sign-extended.";
    DpasU8Signed "dpas-u8-signed" "dpas" BOTH None, "u8 is sign-extended.";
    DpasS1PlusMinus "dpas-s1-plus-minus" "dpas" BOTH Some("VX-40"), "s1 means 1 and -1, for its zero and its one.";
    DpasSignsOfWeights "dpas-signs-of-weights" "dpas" BOTH None, "The elements of Src2 are signed if those of Src1 are.";
    DpasSignsOfActivations "dpas-signs-of-activations" "dpas" BOTH None, "The elements of Src1 are signed if those of Src2 are.";
    DpasSignsByTypes "dpas-signs-by-types" "dpas" BOTH None, "The elements of Src1 and of Src2 are signed if the type of the operand is D.";
    DpasSignMagnitude "dpas-sign-magnitude" "dpas" BOTH None, "Signed elements are a sign and a magnitude.";

    // DPAS: sums of integers.
    DpasClampsAbove "dpas-clamps-above" "dpas" BOTH Some("VX-49"), "A sum above D gives the largest D.";
    DpasClampsBelow "dpas-clamps-below" "dpas" BOTH Some("VX-49"), "A sum below D gives the smallest D.";
    DpasClampsAboveUnsigned "dpas-clamps-above-unsigned" "dpas" BOTH Some("VX-49"), "A sum above UD gives the largest UD.";
    DpasClampsNegative "dpas-clamps-negative" "dpas" BOTH Some("VX-49"), "A negative sum gives zero in UD.";
    DpasDot16Wraps "dpas-dot-16-wraps" "dpas" BOTH None, "The products of a depth are added in 16 bits, without saturation.";
    DpasDot16Clamps "dpas-dot-16-clamps" "dpas" BOTH None, "The products of a depth are added in 16 bits, with saturation.";
    DpasIntegersInFloat "dpas-integers-in-float" "dpas" BOTH None, "Integers are accumulated in F, which has 24 bits.";

    // DPAS: the accumulator.
    DpasNullKept "dpas-null-kept" "dpas" BOTH None, "Without Src0 the old destination is accumulated.";
    DpasNullMinusZero "dpas-null-minus-zero" "dpas" BOTH None, "Without Src0 floats are accumulated from -0 on.";
    DpasAccumulatorDropped "dpas-accumulator-dropped" "dpas" BOTH None, "Src0 is not added.";
    DpasAccumulatorTwice "dpas-accumulator-twice" "dpas" BOTH None, "Src0 is added twice.";
    DpasAccumulatorOfDst "dpas-accumulator-of-dst" "dpas" BOTH None, "The old destination is accumulated, and not Src0.";
    DpasAccumulatorStays "dpas-accumulator-stays" "dpas" BOTH None, "Each repeat accumulates the first row of Src0.";
    DpasAccumulatorCarried "dpas-accumulator-carried" "dpas" BOTH None, "Each repeat but the first accumulates the result of the one before it.";
    DpasSrc0TypeOfDst "dpas-src0-type-of-dst" "dpas" BOTH None, "Src0 has the type of the destination.";
    DpasSrc0AlwaysF "dpas-src0-always-f" "dpas" BOTH None, "Src0 is taken for F whatever its type is.";
    DpasSrc0HalvesPitchRegister "dpas-src0-halves-pitch-register" "dpas" BOTH Some("VX-43"), "Rows of a Src0 of 16 bits are a register apart.";
    DpasSrc0HalvesSpread "dpas-src0-halves-spread" "dpas" BOTH Some("VX-43"), "A Src0 of 16 bits has a double word for each channel.";
    DpasSrc0OffsetIgnored "dpas-src0-offset-ignored" "dpas" BOTH None, "The offset of Src0 is not added.";
    DpasSrc0Pitch32 "dpas-src0-pitch-32" "dpas" BOTH None, "Rows of Src0 are 32 bytes apart although registers have 64.";

    // DPAS: elements that are floats.
    DpasBfAsHf "dpas-bf-as-hf" "dpas" BOTH None, "Elements of bf are taken for hf.";
    DpasHfAsBf "dpas-hf-as-bf" "dpas" BOTH None, "Elements of hf are taken for bf.";
    DpasHfWithoutInfinity "dpas-hf-without-infinity" "dpas" BOTH None, "The largest exponent of hf is that of finite values.";
    DpasTf32Truncated "dpas-tf32-truncated" "dpas" BOTH Some("VX-54"), "The low bits of tf32 are ignored although all are to be used.";
    DpasTf32Full "dpas-tf32-full" "dpas" BOTH Some("VX-54"), "All bits of tf32 are used although the low ones are to be ignored.";
    DpasTf32Rounded "dpas-tf32-rounded" "dpas" BOTH Some("VX-54"), "The low bits of tf32 are rounded away where they are to be ignored.";
    DpasTf32AsBf "dpas-tf32-as-bf" "dpas" BOTH Some("VX-54"), "The low 16 bits of tf32 are ignored.";
    DpasTf32Accumulator "dpas-tf32-accumulator" "dpas" BOTH Some("VX-54"), "The low bits of Src0 are ignored too where those of tf32 are.";
    DpasHfFlushed "dpas-hf-flushed" "dpas" BOTH Some("VX-51"), "Denormal elements of hf become zero.";
    DpasBfFlushed "dpas-bf-flushed" "dpas" BOTH Some("VX-51"), "Denormal elements of bf become zero.";
    DpasTf32Flushed "dpas-tf32-flushed" "dpas" BOTH Some("VX-51"), "Denormal elements of tf32 become zero.";
    DpasElementsByMode "dpas-elements-by-mode" "dpas" BOTH Some("VX-51"), "Denormal elements of hf become zero if the control register flushes HF.";
    DpasAccumulatorFlushed "dpas-accumulator-flushed" "dpas" BOTH Some("VX-51"), "Denormal accumulators become zero.";
    DpasZeroSkips "dpas-zero-skips" "dpas" BOTH None, "What is multiplied by a zero of Src2 is left out, even infinities and NaN.";

    // DPAS: sums of floats.
    DpasFusedForSequential "dpas-fused-for-sequential" "dpas" BOTH Some("VX-50"), "A sequential sum is computed by fused steps.";
    DpasPairwiseForSequential "dpas-pairwise-for-sequential" "dpas" BOTH Some("VX-50"), "A sequential sum is computed by pairs.";
    DpasSingleForSequential "dpas-single-for-sequential" "dpas" BOTH Some("VX-50"), "A sequential sum is rounded once.";
    DpasSequentialForFused "dpas-sequential-for-fused" "dpas" BOTH Some("VX-50"), "Fused steps round their product.";
    DpasSequentialForPairwise "dpas-sequential-for-pairwise" "dpas" BOTH Some("VX-50"), "A sum by pairs is computed one product after the other.";
    DpasSequentialForSingle "dpas-sequential-for-single" "dpas" BOTH Some("VX-50"), "A sum that is rounded once is rounded at each step.";
    DpasPairwiseForSingle "dpas-pairwise-for-single" "dpas" BOTH Some("VX-50"), "A sum that is rounded once is computed by pairs.";
    DpasDoubleForSingle "dpas-double-for-single" "dpas" BOTH None, "A sum that is rounded once is computed in DF and then rounded.";
    DpasStickyLost "dpas-sticky-lost" "dpas" BOTH None, "Of the bits that the single rounding drops only the highest three are looked at.";
    DpasProductsRoundedForSingle "dpas-products-rounded-for-single" "dpas" BOTH None, "The products of a sum that is rounded once are rounded too.";
    DpasPairFused "dpas-pair-fused" "dpas" BOTH None, "The second product of a pair is not rounded before the first is added.";
    DpasPairwiseTree "dpas-pairwise-tree" "dpas" BOTH None, "All products of a row are added as one balanced tree where only those of a depth should be.";
    DpasProductsInHalf "dpas-products-in-half" "dpas" BOTH None, "The products of hf and of bf are rounded to their 16 bits.";
    DpasOrderReversed "dpas-order-reversed" "dpas" BOTH Some("VX-50"), "The products are summed from the last one on.";
    DpasPairsReversed "dpas-pairs-reversed" "dpas" BOTH Some("VX-50"), "The products of a depth are summed from the last one on.";
    DpasEvenFirst "dpas-even-first" "dpas" BOTH Some("VX-50"), "The products of even elements are summed before those of odd ones.";
    DpasAccumulatorLast "dpas-accumulator-last" "dpas" BOTH Some("VX-50"), "Src0 is added when the products have been summed.";
    DpasProductsFlushed "dpas-products-flushed" "dpas" BOTH Some("VX-51"), "Denormal products become zero.";
    DpasSumsFlushed "dpas-sums-flushed" "dpas" BOTH Some("VX-51"), "Denormal sums become zero at each step.";
    DpasResultFlushed "dpas-result-flushed" "dpas" BOTH Some("VX-51"), "Denormal results become zero.";
    DpasResultByMode "dpas-result-by-mode" "dpas" BOTH Some("VX-51"), "Denormal results become zero if the control register flushes F.";
    DpasRoundingMode "dpas-rounding-mode" "dpas" BOTH Some("VX-50"), "The single rounding of a sum, and that to 16 bits, is done as the control register says.";
    DpasInfinityLost "dpas-infinity-lost" "dpas" BOTH None, "An infinite result becomes the largest finite value.";
    DpasInfinityTimesZero "dpas-infinity-times-zero" "dpas" BOTH None, "Infinity times zero gives zero.";
    DpasInfinitiesCancel "dpas-infinities-cancel" "dpas" BOTH None, "Infinities of both signs give the first of them in a sum that is rounded once.";
    DpasMinusZeroLost "dpas-minus-zero-lost" "dpas" BOTH None, "A result of -0 becomes +0.";
    DpasZeroBySrc0 "dpas-zero-by-src0" "dpas" BOTH None, "A zero that is rounded once has the sign of Src0.";
    DpasNanPayload "dpas-nan-payload" "dpas" BOTH Some("VX-52"), "A NaN of Src0 keeps its payload.";
    DpasNanNegative "dpas-nan-negative" "dpas" BOTH Some("VX-52"), "NaN results are negative.";
    DpasNanOnes "dpas-nan-ones" "dpas" BOTH Some("VX-52"), "NaN results have all bits of the mantissa.";
    DpasNanDropped "dpas-nan-dropped" "dpas" BOTH None, "NaN results become zero.";

    // DPAS: the destination.
    DpasHalvesPitchRegister "dpas-halves-pitch-register" "dpas" BOTH Some("VX-43"), "Rows of a destination of 16 bits are a register apart.";
    DpasHalvesSpread "dpas-halves-spread" "dpas" BOTH Some("VX-43"), "A destination of 16 bits has a double word for each channel, whose high half is zero.";
    DpasHalvesTruncated "dpas-halves-truncated" "dpas" BOTH Some("VX-53"), "Results of 16 bits are rounded toward zero.";
    DpasHalvesTiesAway "dpas-halves-ties-away" "dpas" BOTH Some("VX-53"), "Results of 16 bits are rounded to nearest, ties away from zero.";
    DpasHalvesFlushed "dpas-halves-flushed" "dpas" BOTH Some("VX-51"), "Denormal results of 16 bits become zero.";
    DpasHalvesEachDepth "dpas-halves-each-depth" "dpas" BOTH Some("VX-53"), "The sum is rounded to the 16 bits of the destination after each depth.";
    DpasHfOverflowToMax "dpas-hf-overflow-to-max" "dpas" BOTH None, "What rounds beyond HF gives the largest finite HF.";
    DpasBfDstAsHf "dpas-bf-dst-as-hf" "dpas" BOTH None, "Results in BF are written as HF.";
    DpasHfDstAsBf "dpas-hf-dst-as-bf" "dpas" BOTH None, "Results in HF are written as BF.";
    DpasHalvesNan "dpas-halves-nan" "dpas" BOTH Some("VX-52"), "A NaN in 16 bits has all bits of the mantissa.";
    DpasDstOffsetIgnored "dpas-dst-offset-ignored" "dpas" BOTH None, "The offset of the destination is not added.";
    DpasDstPitch32 "dpas-dst-pitch-32" "dpas" BOTH None, "Rows of the destination are 32 bytes apart although registers have 64.";
    DpasDstStays "dpas-dst-stays" "dpas" BOTH None, "Every repeat writes the first row of the destination.";
    DpasDstRowsReversed "dpas-dst-rows-reversed" "dpas" BOTH None, "The rows of the destination are written in reverse order.";
    DpasOffsetsInDwords "dpas-offsets-in-dwords" "dpas" BOTH None, "The offsets of raw operands count double words.";
    DpasLastChannelDropped "dpas-last-channel-dropped" "dpas" BOTH None, "The last channel is not written.";
    DpasHighChannelsDropped "dpas-high-channels-dropped" "dpas" BOTH None, "Channels 8 to 15 are not written.";
    DpasHighChannelsZero "dpas-high-channels-zero" "dpas" BOTH None, "Channels 8 to 15 are written as zero.";
    DpasPlatformCuts "dpas-platform-cuts" "dpas" BOTH None, "Platforms before XeHP have eight channels, whatever the size of their registers is.";
    DpasDispatchCuts "dpas-dispatch-cuts" "dpas" BOTH None, "Channels from half the dispatch size on are not written.";
    DpasEmObeyed "dpas-em-obeyed" "dpas" BOTH None, "Channels that EM disables are not written.";
    DpasEmZeroes "dpas-em-zeroes" "dpas" BOTH None, "Channels that EM disables become zero.";
    DpasPredicateObeyed "dpas-predicate-obeyed" "dpas" BOTH None, "Channels that P1 disables are not written.";
    DpasWriteWhileReading "dpas-write-while-reading" "dpas" BOTH Some("VX-60"), "Each repeat is written before the sources of the next are read.";
    DpasWriteWhileReadingBackwards "dpas-write-while-reading-backwards" "dpas" BOTH Some("VX-60"), "The repeats are done from the last one on, each written before the sources of the next are read.";
    DpasNeedleDeepest "dpas-needle-deepest" "dpas" BOTH None, "The product of the smallest s8 with itself is one too small.";
    DpasNeedleSeventhRow "dpas-needle-seventh-row" "dpas" BOTH None, "The last element of the seventh row of Src2 is not multiplied.";

    // DPAS: controls.
    DpasControlOneBit "dpas-control-one-bit" "dpas" NEVER None, "Precisions of one bit are unsupported where the table alone speaks of them.";
    DpasControlSmallFloats "dpas-control-small-floats" "dpas" NEVER None, "Floats of eight bits write zeros, about which the page says nothing.";
    DpasControlMasks "dpas-control-masks" "dpas" NEVER None, "EM is obeyed under masks without NM.";
    DpasControlAligned "dpas-control-aligned" "dpas" NEVER None, "Raw operands are cut down to the beginning of a register.";
    DpasControlDepth "dpas-control-depth" "dpas" NEVER None, "Depths that are not allowed are taken for 8.";
    DpasControlXehpDepth "dpas-control-xehp-depth" "dpas" NEVER None, "Depths below 8 are unsupported on platforms that lack them.";
    DpasControlChannels "dpas-control-channels" "dpas" NEVER None, "There are as many channels as a register has double words, whatever the execution size is.";
}
