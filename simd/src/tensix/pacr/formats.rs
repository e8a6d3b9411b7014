//! What data are between the stages of a packer, and which stage makes what of them.
//!
//! A datum is a word in all stages. Floats have their sign in bit 31, their exponent from bit 23 on, with eight bits or
//! with five, and the highest bit of their mantissa in bit 22, whatever its width. So the lower 31 bits of a float
//! compare as its magnitude does. Integers lie in the upper bits, their sign in bit 31.

use tandem_isa::tensix::format;

pub(super) const SIGN: u32 = 1 << 31;
/// The exponent of eight bits; it is infinity, too.
pub(super) const EXPONENT: u32 = 0xff << 23;
/// All bits below the sign of a float with five bits of exponent.
const MAGNITUDE5: u32 = (1 << 28) - 1;
/// How much more the exponent of a number is if it has eight bits.
pub(super) const REBIAS: u32 = (127 - 15) << 23;

/// What a datum is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A float with eight bits of exponent, and so many bits of mantissa.
    Wide(u32),
    /// A float with five bits of exponent.
    Narrow(u32),
    Int32,
    Int16,
    Int8,
    Uint8,
}

pub(super) const FP32: Kind = Kind::Wide(23);
pub(super) const TF32: Kind = Kind::Wide(10);
pub(super) const BF16: Kind = Kind::Wide(7);
pub(super) const E8M6: Kind = Kind::Wide(6);
pub(super) const FP16: Kind = Kind::Narrow(10);
pub(super) const E5M7: Kind = Kind::Narrow(7);
pub(super) const E5M6: Kind = Kind::Narrow(6);
pub(super) const FP8: Kind = Kind::Narrow(2);

/// The sign, the exponent and so many bits of mantissa.
pub(super) const fn upper(mantissa: u32) -> u32 {
    !0 << (23 - mantissa)
}

impl Kind {
    /// What data are that do not come from `Dst`, by `In_data_format`.
    pub(super) const fn of_input(format: u32) -> Option<Self> {
        Some(match format {
            format::FP32 => FP32,
            format::TF32 => TF32,
            format::BF16 | format::BFP8 => BF16,
            format::FP16 => FP16,
            format::BFP8A => E5M7,
            format::FP8 => FP8,
            format::INT32 => Kind::Int32,
            format::INT16 => Kind::Int16,
            format::INT8 => Kind::Int8,
            _ => return None,
        })
    }

    /// Whether `In_data_format` names data of this kind that come from `Dst`.
    pub(super) fn is_named(self, format: u32) -> bool {
        match self {
            E8M6 => format == format::BFP8,
            E5M6 => format == format::BFP8A,
            Kind::Uint8 => format == format::INT8,
            // BFP8a names no FP16, and BFP8 no other than BF16.
            _ => Self::of_input(format) == Some(self),
        }
    }

    /// Whether it is a float with eight bits of exponent.
    pub(super) const fn is_wide(self) -> bool {
        matches!(self, Kind::Wide(_))
    }

    /// Whether it is a float.
    pub(super) const fn is_float(self) -> bool {
        matches!(self, Kind::Wide(_) | Kind::Narrow(_))
    }
}

/// How data become words for L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// They are.
    Words,
    /// The upper 16 bits.
    Halves,
    /// Sign and 15 bits of magnitude.
    Fp16,
    /// The upper eight bits.
    Bytes,
    /// Sign and seven bits of magnitude.
    Fp8,
    /// So many bits of sign and magnitude, with an exponent for sixteen.
    Shared(u32),
}

/// The width of a datum in L1. Two codes have no format, and no bits.
pub(super) const fn datum_bits(format: u32) -> usize {
    match format {
        format::BFP2 | format::BFP2A => 2,
        format::BFP4 | format::BFP4A => 4,
        format::BFP8 | format::BFP8A | format::FP8 | format::INT8 => 8,
        format::FP16 | format::BF16 | format::INT16 => 16,
        format::FP32 | format::TF32 | format::INT32 => 32,
        _ => 0,
    }
}

/// Whether data of a format share exponents.
pub(super) const fn is_shared(format: u32) -> bool {
    matches!(format, format::BFP8 | format::BFP8A | format::BFP4 | format::BFP4A | format::BFP2 | format::BFP2A)
}

/// What becomes of the exponent in the late conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing is to be done.
    Nothing,
    /// The mantissa becomes shorter.
    Shorter,
    /// Five bits become eight, and denormals may be flushed.
    Wider { flushes: bool },
    /// Eight bits become five.
    Narrower,
}

/// The late conversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub(super) change: Change,
    /// The bits that are kept.
    pub(super) kept: u32,
    /// All ones below the sign, in what has five bits of exponent.
    pub(super) ones: u32,
    pub(super) packing: Packing,
    /// Whether the exponent has eight bits then.
    pub(super) is_wide: bool,
}

impl Late {
    /// The conversion of a kind to `Out_data_format`, if there is one.
    pub(super) const fn new(from: Kind, format: u32) -> Option<Self> {
        let (to, packing) = match format {
            format::FP32 => (FP32, Packing::Words),
            format::TF32 => (TF32, Packing::Words),
            format::BF16 => (BF16, Packing::Halves),
            format::FP16 => (FP16, Packing::Fp16),
            format::FP8 => (FP8, Packing::Fp8),
            format::BFP8 | format::BFP4 | format::BFP2 => (BF16, Packing::Shared(datum_bits(format) as u32)),
            format::BFP8A | format::BFP4A | format::BFP2A => (E5M7, Packing::Shared(datum_bits(format) as u32)),
            format::INT32 => (Kind::Int32, Packing::Words),
            format::INT16 => (Kind::Int16, Packing::Halves),
            format::INT8 => (Kind::Int8, Packing::Bytes),
            _ => return None,
        };
        let (change, mantissa, ones) = match (from, to) {
            // Early conversion alone makes TF32 of FP32.
            (Kind::Wide(23), Kind::Wide(10)) => return None,
            (Kind::Wide(from), Kind::Wide(to)) | (Kind::Narrow(from), Kind::Narrow(to)) => {
                (if to < from { Change::Shorter } else { Change::Nothing }, to, 0)
            }
            (Kind::Narrow(from), Kind::Wide(to)) => {
                (Change::Wider { flushes: to < from }, to, MAGNITUDE5 & upper(from))
            }
            (Kind::Wide(_), Kind::Narrow(to)) => (Change::Narrower, to, MAGNITUDE5 & upper(to)),
            (Kind::Int32, Kind::Int32) | (Kind::Int16, Kind::Int16) | (Kind::Int8 | Kind::Uint8, Kind::Int8) => {
                (Change::Nothing, 23, 0)
            }
            _ => return None,
        };
        Some(Late { change, kept: upper(mantissa), ones, packing, is_wide: to.is_wide() })
    }
}

/// How words of `Dst` become data: `(high & upper) << 16 | (high & mantissa) << 8 | (high & exponent) << 23`, and the
/// low 16 bits of those of 32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decode {
    pub(super) is_32: bool,
    pub(super) upper: u32,
    pub(super) mantissa: u32,
    pub(super) exponent: u32,
}

const DST_FP32: Decode = Decode { is_32: true, upper: 0x8000, mantissa: 0x7f00, exponent: 0xff };
const DST_BF16: Decode = Decode { is_32: false, ..DST_FP32 };
const DST_FP16: Decode = Decode { is_32: false, upper: 0x8000, mantissa: 0x7fe0, exponent: 0x1f };
const DST_INT16: Decode = Decode { is_32: false, upper: 0xffff, mantissa: 0, exponent: 0 };
const DST_SIGN: Decode = Decode { upper: 0x8000, ..DST_INT16 };

/// What the early conversion makes of data.
#[derive(Clone, Copy, Debug)]
pub(super) enum Early {
    /// Bits are kept.
    Kept(u32),
    /// The mantissa is rounded to so many bits; `end` is the magnitude at which exponents end.
    Rounded { mantissa: u32, end: u32 },
    /// Sign and seven bits of magnitude.
    Low7,
    /// Eight bits of magnitude.
    Low8,
    /// The magnitude is shifted, rounded, and bounded by `most`; the sign stays, or makes zero of it.
    Scaled { shift: u32, most: u32, is_signed: bool },
}

/// What chooses the early conversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) read_32b: bool,
    pub(super) raw: bool,
    pub(super) round_10b: bool,
    pub(super) unsigned: bool,
    /// `IntermediateFormat`.
    pub(super) format: u32,
    /// `In_data_format` and `Out_data_format`.
    pub(super) late: [u32; 2],
    /// `ShiftAmount`, if it is said.
    pub(super) shift: Option<u32>,
}

impl Settings {
    /// The early conversion, if there is one.
    pub(super) const fn early(&self) -> Option<(Decode, Early, Kind)> {
        let Settings { read_32b, raw, round_10b, unsigned, format, late: [from, to], shift } = *self;
        let wide = if read_32b { DST_FP32 } else { DST_BF16 };
        let is_fp16 = to == format::FP16;
        Some(match (format, raw) {
            (format::INT32, _) | (format::FP32 | format::TF32, true) | (format::FP32, false)
                if read_32b && (format != format::FP32 || raw || !round_10b) =>
            {
                let kind = if from == format::INT32 { Kind::Int32 } else { FP32 };
                (wide, Early::Kept(!0), kind)
            }
            (format::TF32, false) => rounded(wide, 10),
            (format::FP32, false) if round_10b => rounded(wide, 10),
            (format::BF16, false) if !round_10b => rounded(wide, 7),
            (format::BF16, false) if from == format::TF32 && is_fp16 => rounded(wide, 10),
            (format::BF16, false) if from == format::BF16 && !is_fp16 => rounded(wide, 7),
            (format::BF16, true) if round_10b && from == format::BF16 && is_fp16 => return None,
            (format::BF16 | format::BFP8, true) => (wide, Early::Kept(upper(7)), BF16),
            (format::BFP8, false) => rounded(wide, 6),
            (format::INT8, true) if read_32b && unsigned => (wide, Early::Low8, Kind::Uint8),
            (format::INT8, true) if read_32b => (wide, Early::Low7, Kind::Int8),
            (format::INT8, true) if !unsigned => (DST_SIGN, Early::Kept(!0), Kind::Int8),
            (format::INT8, false) if read_32b => {
                let Some(shift) = shift else { return None };
                let (most, kind) = if unsigned { (255, Kind::Uint8) } else { (127, Kind::Int8) };
                (wide, Early::Scaled { shift: shift & 31, most, is_signed: !unsigned }, kind)
            }
            _ if read_32b => return None,
            (format::FP16, true) => (DST_FP16, Early::Kept(!0), FP16),
            (format::FP16, false) => (DST_FP16, Early::Rounded { mantissa: 10, end: 1 << 28 }, FP16),
            (format::BFP8A, true) => (DST_FP16, Early::Kept(upper(7)), E5M7),
            (format::BFP8A, false) => (DST_FP16, Early::Rounded { mantissa: 6, end: 1 << 28 }, E5M6),
            (format::FP8, true) => (DST_FP16, Early::Kept(upper(2)), FP8),
            (format::INT16, _) => (DST_INT16, Early::Kept(!0), Kind::Int16),
            _ => return None,
        })
    }
}

/// Rounding of what has eight bits of exponent.
const fn rounded(decode: Decode, mantissa: u32) -> (Decode, Early, Kind) {
    (decode, Early::Rounded { mantissa, end: EXPONENT }, Kind::Wide(mantissa))
}

/// ReLU: what is negative becomes zero; of what is above `threshold`, the bits `above` stay and `limit` is added; of
/// the rest the bits `below` stay. NaN, above `infinity`, stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relu {
    pub(super) threshold: u32,
    pub(super) above: u32,
    pub(super) limit: u32,
    pub(super) below: u32,
    pub(super) infinity: u32,
}

impl Relu {
    /// What `STACC_RELU_ApplyRelu` and `STACC_RELU_ReluThreshold` make of data of a kind: nothing, ReLU, or no promise.
    pub(super) const fn new(mode: u32, threshold: u32, kind: Kind) -> Option<Option<Self>> {
        const NONE: u32 = SIGN - 1;
        let infinity = if kind.is_wide() { EXPONENT } else { NONE };
        let plain = Relu { threshold: NONE, above: 0, limit: 0, below: !0, infinity };
        let (threshold, mantissa, end) = match (mode & 3, kind) {
            (0, _) | (1, Kind::Uint8) => return Some(None),
            (1, _) => return Some(Some(plain)),
            (_, Kind::Wide(mantissa)) => (threshold << 16, mantissa, EXPONENT),
            (_, Kind::Narrow(mantissa)) => {
                ((threshold & 0x8000) << 16 | (threshold & 0x7fff) << 13, mantissa, 0x1f << 23)
            }
            _ => return None,
        };
        // Negative ones are above, too.
        if threshold >= end {
            return None;
        }
        match mode & 3 {
            2 => Some(Some(Relu { threshold, above: !0, below: 0, ..plain })),
            _ if threshold & !upper(mantissa) != 0 => None,
            _ => Some(Some(Relu { threshold, limit: threshold, ..plain })),
        }
    }
}
