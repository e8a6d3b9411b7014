//! What a kernel of `DPAS` is told: what elements are, how they are summed ([`Recipe`]), and where the operands begin
//! ([`Places`]).

use tandem_isa::visa::model::{Denormals, Nan, Sum};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{Small, cr0};

/// The most rows that a kernel makes at once.
pub(crate) const MOST_ROWS: usize = 8;
/// Bytes of eight rows of sixteen double words, and of eight registers.
pub(crate) const BLOCK: usize = 512;
/// Bytes of eight rows of `Src2`, none of which is longer than eight double words, and what a vector reads beyond them.
pub(crate) const ACTIVATIONS: usize = 320;

/// An integer precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    /// Width of an element: 1, 2, 4 or 8 bits.
    pub(crate) bits: u8,
    /// Whether it is in two's complement.
    pub(crate) is_signed: bool,
}

impl Integer {
    /// That of a precision.
    pub(super) const fn of(precision: Precision) -> Self {
        Integer { bits: precision.bits() as u8, is_signed: matches!(precision.kind(), PrecisionKind::Signed) }
    }

    /// The highest bit of an element if that is a sign, else 0.
    #[inline(always)]
    pub(crate) const fn sign(self) -> u32 {
        (self.is_signed as u32) << (self.bits - 1)
    }

    /// All bits of an element.
    #[inline(always)]
    pub(crate) const fn mask(self) -> u32 {
        (1 << self.bits) - 1
    }
}

/// A floating point precision that is summed in `F`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    /// The high half of an `F`, two in a double word.
    Bf,
    /// Half precision, two in a double word.
    Hf,
    /// An `F` of which the bits of this mask are used.
    Tf32(u32),
}

/// What is multiplied, and how it is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Exact sums modulo 2^32.
    Integers {
        /// Elements of `Src1`.
        weights: Integer,
        /// Elements of `Src2`.
        activations: Integer,
    },
    /// Sums in `F`, by one of the models.
    Floats {
        /// Elements of both.
        float: Float,
        /// The model.
        sum: Sum,
        /// Whether what comes of it is as it comes, or what else is done to it.
        finish: Finish,
    },
}

/// What the models of `DPAS` ask for beside a sum, of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Finish {
    /// What is flushed.
    pub(crate) flushed: Flushed,
    /// Which NaN a result is.
    pub(crate) nan: Nan,
    /// Bits that a sum which truncates keeps below those of an `F`.
    pub(crate) guard: u32,
}

impl Finish {
    /// Whether there is nothing to do, whatever the operands are.
    #[inline(always)]
    pub(crate) fn is_nothing(self) -> bool {
        self.flushed == Flushed::default() && self.nan == Nan::Canonical
    }
}

/// Which denormals become zeros of their sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flushed {
    /// Those of `Src1` and `Src2`, in their type.
    pub(crate) elements: bool,
    /// Those of `Src0`, in its type.
    pub(crate) accumulators: bool,
    /// Those of rows, which are `F`s.
    pub(crate) sums: bool,
    /// Those of `Dst`, if its type has 16 bits.
    pub(crate) results: bool,
}

impl Flushed {
    /// What the model and the control register say of these types. The bit of a type keeps its denormals if set; types
    /// without a bit keep them always.
    #[inline(always)]
    pub(super) fn of(small: &Small, float: Float, source: Datum, destination: Datum) -> Self {
        let flushes = |bit: u32| match small.model_denormals() {
            Denormals::ByCr0 => bit & !small.cr0 != 0,
            Denormals::Keep => false,
            Denormals::Flush => true,
        };
        let of_datum = |datum| match datum {
            Datum::Word => flushes(cr0::F_DENORM),
            Datum::Hf => flushes(cr0::HF_DENORM),
            Datum::Bf => flushes(0),
        };
        Flushed {
            elements: match float {
                Float::Hf => flushes(cr0::HF_DENORM),
                Float::Bf | Float::Tf32(_) => flushes(0),
            },
            accumulators: of_datum(source),
            sums: flushes(cr0::F_DENORM),
            results: destination != Datum::Word && of_datum(destination),
        }
    }
}

/// The type of an accumulator or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Datum {
    /// `D`, `UD` or `F`.
    Word,
    /// `HF`.
    Hf,
    /// `BF`.
    Bf,
}

impl Datum {
    /// Size, in bytes.
    #[inline(always)]
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Datum::Word => 4,
            Datum::Hf | Datum::Bf => 2,
        }
    }
}

/// What a kernel does, beside its work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Products of a row: 1 to 64 for integers, 1 to 16 for floats.
    pub(crate) num_products: usize,
    /// 8, or 16. A register has as many double words.
    pub(crate) channels: usize,
    /// Distance between the beginnings of two rows of `Src2`, in bits; at most 256.
    pub(crate) pitch: usize,
    /// Rows to make, 1 to 8; kernels may make those beyond, too.
    pub(crate) num_rows: usize,
    /// Type of the accumulators.
    pub(crate) source: Datum,
    /// Type of the results.
    pub(crate) destination: Datum,
}

/// Where the operands of up to eight rows begin in the file, in bytes. All windows end within it.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// `Src1`.
    pub(crate) weights: usize,
    /// `Src2`.
    pub(crate) activations: usize,
    /// `Src0`, if there is one.
    pub(crate) accumulators: Option<usize>,
    /// `Dst`.
    pub(crate) destination: usize,
}

impl Places {
    /// The windows of the sources.
    #[inline(always)]
    pub(crate) fn operands(self, file: &[u8]) -> Operands<'_> {
        Operands {
            weights: window(file, self.weights),
            activations: window(file, self.activations),
            accumulators: match self.accumulators {
                Some(start) => window(file, start),
                None => &ZEROS,
            },
        }
    }
}

/// The sources of up to eight rows, each from its beginning on.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    /// `Src1`, register after register.
    pub(crate) weights: &'a [u8; BLOCK],
    /// `Src2`; the first row begins with bit 0.
    pub(crate) activations: &'a [u8; ACTIVATIONS],
    /// `Src0`, row after row.
    pub(crate) accumulators: &'a [u8; BLOCK],
}

impl Recipe {
    /// The bytes of the rows that are to be made.
    #[inline(always)]
    pub(crate) fn destination_of<'a>(&self, places: &Places, file: &'a mut [u8]) -> &'a mut [u8] {
        &mut file[places.destination..][..self.num_rows * self.channels * self.destination.bytes()]
    }
}

/// What a null accumulator is.
static ZEROS: [u8; BLOCK] = [0; BLOCK];

#[inline(always)]
fn window<const N: usize>(file: &[u8], start: usize) -> &[u8; N] {
    file[start..].first_chunk().expect("the window ends within the file")
}
