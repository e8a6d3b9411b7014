//! What the Unpackers make of a datum: of as many as a vector has lanes at once.
//!
//! Almost all becomes 16 bits first, with sign, exponent and mantissa as IEEE 754 has them. Then the fields change places: see
//! [`Fields`]. Data for sources lie three bits further up than those for `Dst`, but for the exponent.

use tandem_isa::tensix::{Chip, format};

use crate::vector::Vector;

/// Whether `format` has exponents apart from its data.
pub(super) const fn is_bfp(format: u32) -> bool {
    matches!(format, format::BFP8 | format::BFP8A | format::BFP4 | format::BFP4A | format::BFP2 | format::BFP2A)
}

/// Bits of a datum in L1; two codes have no format.
pub(super) const fn datum_bits(format: u32) -> Option<u32> {
    Some(match format {
        format::BFP2 | format::BFP2A => 2,
        format::BFP4 | format::BFP4A => 4,
        format::BFP8 | format::BFP8A | format::FP8 | format::INT8 => 8,
        format::FP16 | format::BF16 | format::INT16 => 16,
        format::FP32 | format::TF32 | format::INT32 => 32,
        _ => return None,
    })
}

/// Whether data of `format` have 32 bits in `Dst`.
pub(super) const fn is_wide(format: u32) -> bool {
    matches!(format, format::FP32 | format::TF32 | format::INT32)
}

/// Where the fields of 16 bits go to.
#[derive(Clone, Copy, Debug)]
struct Fields {
    /// The bits that go up, which the mantissa is.
    mantissa: u32,
    /// How far.
    up: u32,
    /// The bits that the exponent is afterwards.
    exponent: u32,
    /// How far it goes down.
    down: u32,
}

const BF16: Fields = Fields { mantissa: 0x7f, up: 8, exponent: 0xff, down: 7 };
const FP16: Fields = Fields { mantissa: 0x3ff, up: 5, exponent: 0x1f, down: 10 };
/// Nothing changes its place in `Dst`; in sources the eight low bits are alone in keeping it.
const INT16: Fields = Fields { mantissa: 0x7f00, up: 0, exponent: 0xff, down: 0 };

/// How a datum becomes 16 bits.
#[derive(Clone, Copy, Debug)]
enum Short {
    /// It has them.
    AsItIs,
    /// FP32 to BF16.
    Upper,
    /// FP32 to FP16.
    Rebiased,
    /// FP8 to FP16: the high byte.
    Fp8,
    /// The same, but all ones below the sign stay all ones.
    Fp8Blackhole,
    /// FP8 with four bits of exponent to FP16.
    Fp8FourBits,
    /// Sign and magnitude of eight bits.
    Signed,
    /// A magnitude of eight bits.
    Unsigned,
    /// BFP8 to BF16, after a shift to the left.
    Bfp(u32),
    /// BFP8a to FP16, after a shift to the left.
    BfpA(u32),
}

/// What a datum becomes.
#[derive(Clone, Copy, Debug)]
enum Becomes {
    /// 16 bits, or 19 in a source.
    Short(Short, Fields),
    /// TF32 of a source.
    Tf32,
    /// 32 bits of `Dst`.
    Wide,
}

/// What happens to every datum of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    becomes: Becomes,
    /// How far 16 bits lie further up in the end.
    source: u32,
    /// All bits, or none if all data are zero.
    kept: u32,
}

impl Conversion {
    /// The conversion from one format to another, if there is one.
    pub(super) fn new(chip: Chip, [from, to]: [u32; 2], to_dst: bool, settings: Settings) -> Option<Self> {
        let becomes = match (from, to) {
            (format::FP32, format::BF16) => Becomes::Short(Short::Upper, BF16),
            (format::FP32, format::FP16) => Becomes::Short(Short::Rebiased, FP16),
            (format::FP32, format::TF32) if !to_dst => Becomes::Tf32,
            (format::FP32, format::FP32 | format::TF32) if to_dst => Becomes::Wide,
            _ if from != to => return None,
            (format::TF32 | format::INT32, _) if to_dst => Becomes::Wide,
            (format::BF16, _) => Becomes::Short(Short::AsItIs, BF16),
            (format::FP16, _) => Becomes::Short(Short::AsItIs, FP16),
            (format::INT16, _) => Becomes::Short(Short::AsItIs, INT16),
            (format::FP8, _) => {
                let short = match chip {
                    Chip::Blackhole if settings.four_bits => Short::Fp8FourBits,
                    Chip::Blackhole => Short::Fp8Blackhole,
                    Chip::Wormhole => Short::Fp8,
                };
                Becomes::Short(short, FP16)
            }
            (format::INT8, _) => Becomes::Short(if settings.unsigned { Short::Unsigned } else { Short::Signed }, FP16),
            (format::BFP8, _) => Becomes::Short(Short::Bfp(0), BF16),
            (format::BFP4, _) => Becomes::Short(Short::Bfp(4), BF16),
            (format::BFP2, _) => Becomes::Short(Short::Bfp(6), BF16),
            (format::BFP8A, _) => Becomes::Short(Short::BfpA(0), FP16),
            (format::BFP4A, _) => Becomes::Short(Short::BfpA(4), FP16),
            (format::BFP2A, _) => Becomes::Short(Short::BfpA(6), FP16),
            // 32 bits for a source, and codes without a format.
            _ => return None,
        };
        let kept = if settings.all_zero { 0 } else { !0 };
        Some(Conversion { becomes, source: if to_dst { 0 } else { 3 }, kept })
    }

    /// Whether an exponent can be one that nothing is promised of.
    #[inline(always)]
    pub(super) const fn may_be_undefined(&self) -> bool {
        matches!(self.becomes, Becomes::Short(Short::BfpA(_), _))
    }

    /// Lanes that are not zero if nothing is promised of them.
    #[inline(always)]
    pub(super) fn undefined<V: Vector>(&self, data: V, exponent: V) -> V {
        let Becomes::Short(Short::BfpA(shift), _) = self.becomes else { return data.like(0) };
        let (magnitude, exponent) = normalized(data.shift_left_all(shift), exponent);
        V::select(magnitude.is_zero(), magnitude, exponent & exponent.like(0xe0))
    }

    /// What data become, with an exponent that they share: 19 bits for a source, else 16 or 32 for `Dst`.
    #[inline(always)]
    pub(super) fn convert<V: Vector>(&self, data: V, exponent: V) -> V {
        let converted = match self.becomes {
            Becomes::Short(short, fields) => {
                let bits = short.of(data, exponent);
                (bits & bits.like(0x8000)).shift_left_all(self.source)
                    | (bits & bits.like(fields.mantissa)).shift_left_all(fields.up + self.source)
                    | (bits.shift_right_all(fields.down) & bits.like(fields.exponent))
            }
            Becomes::Tf32 => {
                (data.shift_right_all(13) & data.like(0x4_0000))
                    | (data.shift_right_all(5) & data.like(0x3_ff00))
                    | (data.shift_right_all(23) & data.like(0xff))
            }
            Becomes::Wide => {
                (data & data.like(0x8000_ffff))
                    | (data.shift_left_all(8) & data.like(0x7f00_0000))
                    | (data.shift_right_all(7) & data.like(0x00ff_0000))
            }
        };
        converted & converted.like(self.kept)
    }
}

/// What else decides on a conversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Whether FP8 has four bits of exponent, on Blackhole.
    pub(super) four_bits: bool,
    /// Whether INT8 has no sign.
    pub(super) unsigned: bool,
    /// Whether all data are zero in the end.
    pub(super) all_zero: bool,
}

/// The magnitude of data of eight bits, with the highest bit of eight set, and the exponent that it has then, both of eight
/// bits. Of zero it is zero, and the exponent whatever.
#[inline(always)]
fn normalized<V: Vector>(data: V, exponent: V) -> (V, V) {
    let mut magnitude = data.shift_left_all(1) & data.like(0xfe);
    let mut exponent = exponent;
    // In three steps, as not every level shifts lanes by distances of their own.
    for distance in [4, 2, 1] {
        let is_low = (magnitude & data.like(0x100 - (0x100 >> distance))).is_zero();
        magnitude = V::select(is_low, magnitude.shift_left_all(distance), magnitude);
        exponent = V::select(is_low, exponent - data.like(distance), exponent);
    }
    (magnitude, exponent & data.like(0xff))
}

impl Short {
    /// The 16 bits.
    #[inline(always)]
    fn of<V: Vector>(self, data: V, exponent: V) -> V {
        match self {
            Short::AsItIs => data,
            Short::Upper => {
                let is_denormal = (data & data.like(0x7f80_0000)).is_zero();
                V::select(is_denormal, data & data.like(0x8000_0000), data).shift_right_all(16)
            }
            Short::Rebiased => {
                // The exponent of FP32 less 112 is that of FP16: what is below one is zero, and what is above 31 is all ones.
                let magnitude = data & data.like(0x7fff_ffff);
                let magnitude = magnitude.max(data.like(112 << 23)) - data.like(112 << 23);
                let magnitude = magnitude.min(data.like((32 << 23) - 1));
                let is_flushed = (magnitude - data.like(1 << 23)).is_negative();
                let magnitude = V::select(is_flushed, data.like(0), magnitude);
                (data.shift_right_all(16) & data.like(0x8000)) | magnitude.shift_right_all(13)
            }
            Short::Fp8 => data.shift_left_all(8),
            Short::Fp8Blackhole => {
                let is_ones = ((data & data.like(0x7f)) ^ data.like(0x7f)).is_zero();
                data.shift_left_all(8) | V::select(is_ones, data.like(0xff), data.like(0))
            }
            Short::Fp8FourBits => {
                let is_ones = ((data & data.like(0x7f)) ^ data.like(0x7f)).is_zero();
                let is_zero = (data & data.like(0x78)).is_zero();
                // Exponent and mantissa are adjacent before and after; the sum stays below the sign.
                let magnitude = (data & data.like(0x7f)).shift_left_all(7);
                (data & data.like(0x80)).shift_left_all(8)
                    | (magnitude + V::select(is_zero, data.like(0), data.like(8 << 10)))
                    | V::select(is_ones, data.like(0x7f), data.like(0))
            }
            Short::Signed => with_exponent(data & data.like(0x7f)) | (data & data.like(0x80)).shift_left_all(8),
            Short::Unsigned => with_exponent(data),
            Short::Bfp(shift) => {
                let data = data.shift_left_all(shift);
                let (magnitude, exponent) = normalized(data, exponent);
                let nonzero = exponent.shift_left_all(7) | (magnitude & data.like(0x7e));
                signed(data, magnitude, nonzero, 0x7f80)
            }
            Short::BfpA(shift) => {
                let data = data.shift_left_all(shift);
                let (magnitude, exponent) = normalized(data, exponent);
                let nonzero = exponent.shift_left_all(10) | (magnitude & data.like(0x7e)).shift_left_all(3);
                signed(data, magnitude, nonzero, 0x7c00)
            }
        }
    }
}

/// A magnitude of eight bits under the exponent that integers have, or zero.
#[inline(always)]
fn with_exponent<V: Vector>(magnitude: V) -> V {
    V::select(magnitude.is_zero(), magnitude, magnitude | magnitude.like(16 << 10))
}

/// Bits with the sign of `data`, of which the magnitude zero is zero, or with a sign `huge`.
#[inline(always)]
fn signed<V: Vector>(data: V, magnitude: V, nonzero: V, huge: u32) -> V {
    let sign = (data & data.like(0x80)).shift_left_all(8);
    let zero = V::select(sign.is_zero(), sign, sign | sign.like(huge));
    V::select(magnitude.is_zero(), zero, (nonzero & nonzero.like(0x7fff)) | sign)
}
