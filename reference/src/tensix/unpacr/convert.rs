//! How a datum is converted on its way from L1 to `SrcA`, `SrcB` or `Dst`.
//!
//! *Source*: page `UNPACR_Regular` (commits 1391ed25 and d0ade26a), section Supporting definitions; page Dst (093af914,
//! one for each chip), section Pseudocode helpers, for the layouts in `Dst`. No page says what `FP32ToFP16` is, by
//! which data of FP32 become FP16: neither this one, which calls it, nor `FloatBitPatterns`, Dst, `SrcASrcB`,
//! `MatrixUnit` or those of format conversions.

// Of pages `UNPACR_REGULAR_SPEC` (spec) and `UNPACR_REGULAR_NEWEST` (newest).
// Shown by `each_format_becomes_what_the_page_says`, where nothing else is said.
//
// Of `reference/src/tensix/dst.rs, dst_encode_fp16`, shown by `decoding_undoes_encoding`:
// [spec 522-528] In Dst a datum of FP16 is the sign, then the mantissa of ten bits, then the exponent of five.
//
// Of `reference/src/tensix/dst.rs, dst_encode_bf16`, shown by `decoding_undoes_encoding`:
// [spec 531-537] A datum of BF16 is the sign, then the mantissa of seven bits, then the exponent of eight.
//
// Of `reference/src/tensix/dst.rs, dst_encode_fp32`, shown by `decoding_undoes_encoding`:
// [spec 540-547] Of a datum of FP32 the high 16 bits are as a datum of BF16, and the low 16 bits stay.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::format::{
    BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32, TF32,
};
use tandem_isa::tensix::{Chip, UNPACR_REGULAR_NEWEST, UNPACR_REGULAR_SPEC, config};

use super::{Issue, Tile, cited, undefined, unspecified};
use crate::bits::U;
use crate::tensix::dst::{dst_encode_bf16, dst_encode_fp16, dst_encode_fp32};

const CONVERSION_REASON: &str = "there is no such conversion: undefined behaviour";
const EXPONENT_REASON: &str =
    "the exponent of a datum of BFP8a, BFP4a or BFP2a does not fit in five bits: undefined behaviour";
const FP16_REASON: &str = "FP32 becomes FP16 by FP32ToFP16, and no page says what that is";

/// `FormatConversion`.
// [spec 420] [newest 492] What becomes of the bits of a datum hangs on both formats, the exponent, the Unpacker, and
// where it goes.
pub(super) fn format_conversion(
    issue: &Issue<'_>,
    tile: &Tile,
    unpack_to_dst: bool,
    datum_bits: u32,
    exp_bits: U<8>,
) -> ControlFlow<Expectation, u32> {
    let (in_data_format, datum_bits) = match normalized(issue, tile, unpack_to_dst, datum_bits, exp_bits)? {
        Normalized::Of(format, bits) => (format, bits),
        Normalized::Complete(datum) => return ControlFlow::Continue(datum),
    };
    let of_16_bits = U::<16>::new(datum_bits);
    // [spec 485-486] [newest 571-572] Now its bits are put in order for where it goes.
    ControlFlow::Continue(match in_data_format {
        INT16 => int16(of_16_bits.get(), unpack_to_dst), // [spec 487] [newest 573] INT16 stays an integer.
        // [spec 490] [newest 574] BF16 has a layout for each.
        BF16 if unpack_to_dst => dst_encode_bf16(of_16_bits).get(),
        BF16 => write_src_bf16(of_16_bits).get(),
        // [spec 491] [newest 575] So has FP16.
        FP16 if unpack_to_dst => dst_encode_fp16(of_16_bits).get(),
        FP16 => write_src_fp16(of_16_bits).get(),
        // [spec 488-489] [newest 581-582] INT32 and FP32 go to Dst, and it is undefined that they go to a source.
        // [newest 576-580] A source has 19 bits for a datum, and what is wider has to be converted, or to go to Dst.
        // What silicon does is not known well enough to count on.
        INT32 | FP32 if unpack_to_dst => dst_encode_fp32(datum_bits),
        _ => return undefined(cited!(issue, "lines 488-489", "lines 576-582", CONVERSION_REASON)),
    })
}

/// An integer of 16 bits.
fn int16(x: u32, unpack_to_dst: bool) -> u32 {
    // [spec 487] [newest 573] It goes to Dst as it is, and in a source three zeros come between its bytes.
    if unpack_to_dst { x } else { ((x & 0xff00) << 3) | (x & 0xff) }
}

/// What a datum is before its bits are put in order.
enum Normalized {
    /// `InDataFormat` and `DatumBits`.
    Of(u32, u32),
    /// The datum, as it is written.
    Complete(u32),
}

/// The first half of `FormatConversion`: each format becomes one that has 16 or 32 bits.
fn normalized(
    issue: &Issue<'_>,
    tile: &Tile,
    unpack_to_dst: bool,
    datum_bits: u32,
    exp_bits: U<8>,
) -> ControlFlow<Expectation, Normalized> {
    // [spec 421] [newest 493] FP32 is asked first.
    if tile.in_data_format == FP32 {
        return from_fp32(issue, tile, unpack_to_dst, datum_bits);
    }
    // [spec 445] [newest 517] Then all others.
    // [spec 446-448] [newest 518-520] They are not converted to other formats: OutDataFormat has to be the same, and
    // else it is undefined. (`a_format_other_than_fp32_is_not_converted_to_another`)
    if tile.in_data_format != tile.out_data_format {
        return undefined(cited!(issue, "line 448", "line 520", CONVERSION_REASON));
    }
    // [spec 450-451] [newest 522-523] First each becomes one of 16 or 32 bits.
    let bits = U::<8>::new(datum_bits);
    let of_bfp = |distance: u32| U::<8>::new(datum_bits << distance);
    ControlFlow::Continue(match tile.in_data_format {
        FP8 => Normalized::Of(FP16, from_fp8(issue, tile, bits)),
        BFP8 => Normalized::Of(BF16, bfp8_to_bf16(of_bfp(0), exp_bits)), // [spec 453] [newest 539] BFP8 becomes BF16.
        // [spec 454] [newest 540] BFP4 is the top of BFP8.
        BFP4 => Normalized::Of(BF16, bfp8_to_bf16(of_bfp(4), exp_bits)),
        BFP2 => Normalized::Of(BF16, bfp8_to_bf16(of_bfp(6), exp_bits)), // [spec 455] [newest 541] So is BFP2.
        // [spec 456] [newest 542] BFP8a becomes FP16.
        BFP8A => Normalized::Of(FP16, bfp8a_to_fp16(issue, of_bfp(0), exp_bits)?),
        // [spec 457] [newest 543] BFP4a is the top of BFP8a.
        BFP4A => Normalized::Of(FP16, bfp8a_to_fp16(issue, of_bfp(4), exp_bits)?),
        // [spec 458] [newest 544] So is BFP2a.
        BFP2A => Normalized::Of(FP16, bfp8a_to_fp16(issue, of_bfp(6), exp_bits)?),
        INT8 => Normalized::Of(FP16, from_int8(issue, bits)),
        // [spec 473] [newest 559] TF32 goes to Dst alone.
        // [spec 474-476] [newest 560-562] There it means FP32.
        TF32 if unpack_to_dst => Normalized::Complete(dst_encode_fp32(datum_bits)),
        // [spec 477-480] [newest 563-566] To a source it is undefined; one may call the input FP32 instead.
        TF32 => return undefined(cited!(issue, "lines 477-481", "lines 563-567", CONVERSION_REASON)),
        other => Normalized::Of(other, datum_bits),
    })
}

/// A datum of `FP32`.
fn from_fp32(
    issue: &Issue<'_>,
    tile: &Tile,
    unpack_to_dst: bool,
    mut datum_bits: u32,
) -> ControlFlow<Expectation, Normalized> {
    // [spec 422-423] [newest 494-495] It can become some other formats.
    ControlFlow::Continue(match tile.out_data_format {
        FP32 => Normalized::Of(FP32, datum_bits), // [spec 424-425] [newest 496-497] FP32 stays.
        // [spec 426-429] [newest 498-501] In Dst TF32 means FP32.
        TF32 if unpack_to_dst => Normalized::Complete(dst_encode_fp32(datum_bits)),
        // [spec 430-431] [newest 502-503] In a source the low 13 bits of the mantissa are cut off.
        TF32 => Normalized::Complete(write_src_tf32(U::new(datum_bits >> 13)).get()),
        // [spec 433] [newest 505] BF16 …
        BF16 => {
            // [spec 434] [newest 506] … has no denormals: they become a zero with their sign.
            if datum_bits & 0x7f80_0000 == 0 {
                datum_bits &= 0x8000_0000;
            }
            // [spec 435] [newest 507] Its low 16 bits of the mantissa are cut off.
            Normalized::Of(BF16, datum_bits >> 16) // [spec 436-437] [newest 508-509] It is BF16 then.
        }
        // [spec 438-441] [newest 510-513] FP16 is made by FP32ToFP16, which no page defines.
        FP16 => return unspecified(cited!(issue, "lines 438-441", "lines 510-513", FP16_REASON)),
        // [spec 442-443] [newest 514-515, TX-141] Others are undefined.
        // (`a_format_other_than_fp32_is_not_converted_to_another`)
        _ => return undefined(cited!(issue, "lines 442-443", "lines 514-515", CONVERSION_REASON)),
    })
}

/// A datum of `FP8`, as `FP16`.
fn from_fp8(issue: &Issue<'_>, tile: &Tile, datum_bits: U<8>) -> u32 {
    let datum_bits = datum_bits.get();
    // [newest 524-525] FP8 can have four bits of exponent.
    if tile.exponent_4b {
        let sign = datum_bits & 0x80; // [newest 526] The top bit is the sign, …
        let mut exp = (datum_bits >> 3) & 15; // [newest 527] … four are the exponent, …
        let man = datum_bits & 7; // [newest 528] … and three the mantissa.
        // [newest 529] Where all bits of these are set, the mantissa goes on with ones, and else with zeros.
        let man_pad = if exp == 15 && man == 7 { 0x7f } else { 0 };
        exp = if exp != 0 { exp + 8 } else { 0 }; // [newest 530] The bias is eight more, but not of 0.
        (sign << 8) | (exp << 10) | (man << 7) | man_pad // [newest 531] So they are put together.
    } else if issue.is_newest && issue.chip == Chip::Blackhole && datum_bits & 0x7f == 0x7f {
        // [newest 532-533] On Blackhole a datum of which exponent and mantissa are all ones goes on with ones.
        (datum_bits << 8) | 0xff
    } else {
        // [newest 534-535] Otherwise it goes on with zeros.
        // [newest 537-538] It is FP16 then.
        // [spec 452] FP8 is the top of FP16.
        datum_bits << 8
    }
}

/// A datum of `INT8`, as `FP16`.
fn from_int8(issue: &Issue<'_>, datum_bits: U<8>) -> u32 {
    let mut datum_bits = datum_bits.get();
    // [spec 459-461] [newest 545-547] It has a sign and a magnitude, or no sign, and becomes an integer "8" that looks
    // like FP16.
    // [spec 462-463] [newest 548-549] Configuration comes from the bank that the thread's StateID names.
    // [spec 464-465] [newest 550-551] Each Unpacker has a flag that says whether there is a sign.
    let int8_means_unsigned = if issue.which_unpacker == 1 {
        config::ALU_FORMAT_SPEC_REG0_SrcBUnsigned.get(&issue.config_state) != 0
    } else {
        config::ALU_FORMAT_SPEC_REG0_SrcAUnsigned.get(&issue.config_state) != 0
    };
    let sign = if int8_means_unsigned { 0 } else { datum_bits & 0x80 }; // [spec 466] [newest 552] It is the top bit.
    datum_bits -= sign; // [spec 467] [newest 553] The magnitude is without it.
    // [spec 468] [newest 554] What is not 0 gets an exponent of 16.
    if datum_bits != 0 {
        datum_bits |= 16 << 10;
    }
    datum_bits |= sign << 8; // [spec 469] [newest 555] The sign goes to the top.
    datum_bits // [spec 470-471] [newest 556-557] It is FP16 then.
}

/// `BFP8ToBF16`.
// [spec 495] [newest 586] A sign, a magnitude of seven bits and an exponent of eight become BF16.
fn bfp8_to_bf16(datum_bits: U<8>, mut exp_bits: U<8>) -> u32 {
    let sign = (datum_bits >> 7).get(); // [spec 496] [newest 587] The top bit is the sign.
    // [spec 497] [newest 588] The rest is the magnitude, at the top of eight bits.
    let mut mag = U::<8>::new(datum_bits.get() << 1);
    // [spec 498-499] [newest 589-590] A magnitude of 0 is zero, or minus infinity if there is a sign.
    if mag.get() == 0 {
        return if sign != 0 { 0xff80 } else { 0 };
    }
    // [spec 500] [newest 591] Others have a bit.
    let lz = leading_zeros(mag); // [spec 501] [newest 592] Zeros before the first are counted.
    mag = U::new(mag.get() << lz); // [spec 502] [newest 593] The first becomes the top bit.
    exp_bits = exp_bits - U::new(lz); // [spec 503] [newest 594] The exponent is less by as much, in eight bits.
    // [spec 504] [newest 595] The top bit is not stored, and the mantissa is what is left.
    (sign << 15) | (exp_bits.get() << 7) | (mag & 0x7e).get()
}

/// `BFP8aToFP16`.
// [spec 508] [newest 599] A sign, a magnitude of seven bits and an exponent become FP16.
fn bfp8a_to_fp16(issue: &Issue<'_>, datum_bits: U<8>, mut exp_bits: U<8>) -> ControlFlow<Expectation, u32> {
    let sign = (datum_bits >> 7).get(); // [spec 509] [newest 600] The top bit is the sign.
    // [spec 510] [newest 601] The rest is the magnitude, at the top of eight bits.
    let mut mag = U::<8>::new(datum_bits.get() << 1);
    // [spec 511-512] [newest 602-603] A magnitude of 0 is zero, or minus the largest power of two if there is a sign.
    if mag.get() == 0 {
        return ControlFlow::Continue(if sign != 0 { 0xfc00 } else { 0 });
    }
    // [spec 513] [newest 604] Others have a bit.
    let lz = leading_zeros(mag); // [spec 514] [newest 605] Zeros before the first are counted.
    mag = U::new(mag.get() << lz); // [spec 515] [newest 606] The first becomes the top bit.
    exp_bits = exp_bits - U::new(lz); // [spec 516] [newest 607] The exponent is less by as much, in eight bits.
    // [spec 517] [newest 608] It has to fit in five bits, or it is undefined.
    // (`an_exponent_of_bfp8a_fits_in_five_bits`)
    if (exp_bits & 0xe0).get() != 0 {
        return undefined(cited!(issue, "line 517", "line 608", EXPONENT_REASON));
    }
    // [spec 518] [newest 609] The top bit is not stored, and the mantissa is what is left.
    ControlFlow::Continue((sign << 15) | (exp_bits.get() << 10) | ((mag & 0x7e).get() << 3))
}

/// The zeros before the first bit of eight.
const fn leading_zeros(bits: U<8>) -> u32 {
    // [spec 501, 514] [newest 592, 605] Of eight bits.
    bits.get().leading_zeros() - 24
}

/// `WriteSrcTF32`.
// [spec 550-552] [newest 613-615] In a source a datum of TF32 has its mantissa before its exponent.
fn write_src_tf32(x: U<19>) -> U<19> {
    let sign = (x & 0x4_0000).get(); // [spec 553] [newest 616] The top bit is the sign, …
    let exp = (x & 0x3_fc00).get(); // [spec 554] [newest 617] … eight are the exponent, …
    let man = (x & 0x0_03ff).get(); // [spec 555] [newest 618] … and ten the mantissa.
    U::new(sign | (man << 8) | (exp >> 10)) // [spec 556] [newest 619] The last two exchange their places.
}

/// `WriteSrcBF16`.
fn write_src_bf16(x: U<16>) -> U<19> {
    // [spec 559-560] [newest 622-623] BF16 is TF32 with a mantissa whose low three bits are zeros.
    write_src_tf32(U::new(x.get() << 3))
}

/// `WriteSrcFP16`.
fn write_src_fp16(x: U<16>) -> U<19> {
    // [spec 563-564] [newest 626-627] FP16 is TF32 with an exponent whose high three bits are zeros.
    write_src_tf32(U::new(((x & 0x8000).get() << 3) | (x & 0x7fff).get()))
}
