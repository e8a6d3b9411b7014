//! Named readings of the pages: what a case is compared under where the pages leave something open.
//!
//! A model is part of a case, not of the machine: it lies in the small state ([`Small::model`](super::Small::model)) so
//! that a case by value says under which reading it is compared. No instruction writes it. Where it does not matter, it
//! is 0. An implementation that follows one reading only answers *unsupported* for the others.
//!
//! # Sums of `DPAS` on floats: `Model.Sum`
//!
//! Page DPAS gives neither an order nor roundings for the sum of a row (lines 131 and 218-222). *k* counts the
//! products of a row, of all depths; all arithmetic is on `F` (the sources are widened exactly), and rounds to nearest
//! even. Under another rounding mode of the control register nothing is promised of floats (VX-50).
//!
//! - **sequential**: for ascending *k*, the product is rounded, then its sum with the accumulator is rounded.
//! - **fused**: for ascending *k*, the accumulator becomes the fused product and sum, with one rounding a step.
//! - **pairwise**: at each depth the products are rounded; the two of a 16-bit pair are added and rounded; then the
//!   accumulator and that are added and rounded. With one product a depth (`tf32`) that is sequential.
//! - **single-rounding**: the exact sum of the accumulator and all products of the row, rounded once. Infinities and NaN
//!   come of the exact terms as IEEE 754 has it. The sign of an exact zero is positive, unless every term is −0.
//! - **accumulator-last**: the products are rounded; they are summed by ascending *k*, beginning with the first, and each
//!   sum is rounded; last the accumulator and that are added and rounded.
//! - **truncating**: the exact products of the row and the accumulator are aligned to the largest exponent *e* of those
//!   that are not zero (*e* of a term is floor(log2 |term|)). Each becomes the largest multiple of 2^(*e* − 23 − *n*) that is
//!   not above it (two's complement: towards minus infinity), *n* being the guard. Their sum is rounded once. Zeros,
//!   infinities and NaN are as in single-rounding: the sign of a zero is positive, unless every term is −0.
//!
//! A product that is rounded is rounded to an `F`, so it may be an infinity or a denormal. A destination of 16 bits takes
//! the row's `F` result, rounded once more, to nearest even.
//!
//! # Guard bits of a sum that truncates: `Model.Guard`
//!
//! How many bits below the 24 of an `F` the terms of **truncating** keep: 3, 0, 1, 2, 4, 6, 8 or 10. Elsewhere it does
//! nothing, and is 3.
//!
//! # Denormals: `Model.Denormals`
//!
//! What is flushed is operands, which are the elements of `Src1` and `Src2` and the accumulator, each in its own type, and
//! the result of the row: as an `F`, and again in a destination of 16 bits, after it was rounded to that. Products and
//! sums between are kept. Flushed means zero of the same sign. Of `tf32`, [`Tf32`] comes first.
//!
//! - **by-cr0**: `F` by its bit of the control register, `HF` by its own (page Header, lines 434-439). Types without a bit,
//!   `BF` and `tf32`, are kept.
//! - **keep**: nothing is flushed, whatever the control register says.
//! - **flush**: all types are flushed, whatever it says.
//!
//! # NaN: `Model.Nan`
//!
//! Of a sum of `DPAS` that is NaN. What `MOV` makes of one is no model's (VX-11).
//!
//! - **canonical**: a NaN result is `0x7fc00000`; in a destination of 16 bits it is the positive quiet NaN whose mantissa is
//!   its highest bit alone (`0x7e00` in `HF`, `0x7fc0` in `BF`).
//! - **first**: it is the first operand that is NaN, in the order accumulator, then by ascending *k* the element of `Src1`
//!   before that of `Src2`; as an `F` with the quiet bit set, its sign and payload kept. A source of 16 bits is widened: its
//!   payload comes to the top. Of `tf32`, [`Tf32`] comes first, which can make an infinity of a NaN. A destination of 16
//!   bits takes sign and the upper bits of the payload. Where no operand is NaN it is canonical.
//!
//! # Elements of `tf32`: `Model.Tf32`
//!
//! - **full**: all 32 bits are used, as an `F`.
//! - **truncated**: the low 13 bits are ignored, as if they were zero.
//!
//! # Rows of `Src2` when the systolic depth is 1, 2 or 4: `Model.Src2Pitch`
//!
//! No platform has such a depth (VX-58), so no promised result goes by it.
//!
//! - **code**: as in the pseudo-code of page DPAS (lines 116-117 and 133), a row has as many elements as it consumes.
//! - **prose**: as in the text below it (lines 140-141), a row has eight depths of elements, whatever the depth is.
//!
//! # `u1` and `s1`: `Model.OneBit`
//!
//! - **table**: the precisions stand in the table and in no rule, so nothing is promised.
//! - **code**: the branches of the pseudo-code (lines 86-112) as they stand, with a width of one bit.

use crate::Model;

/// How a float row is summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Sum {
    /// Products and sums rounded one by one.
    #[default]
    Sequential = 0,
    /// Fused steps.
    Fused = 1,
    /// The products of a depth first.
    Pairwise = 2,
    /// The exact sum of the row, rounded once.
    SingleRounding = 3,
    /// The products of the row first, by ascending *k*, then the accumulator.
    AccumulatorLast = 4,
    /// The terms of the row aligned and cut, their sum rounded once.
    Truncating = 5,
}

impl Sum {
    /// All, by their codes.
    pub const ALL: [Sum; 6] =
        [Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding, Sum::AccumulatorLast, Sum::Truncating];
}

/// Which bits of an element of `tf32` are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Tf32 {
    /// All 32.
    #[default]
    Full = 0,
    /// All but the low 13.
    Truncated = 1,
}

/// How far the rows of `Src2` are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Src2Pitch {
    /// As the pseudo-code has it.
    #[default]
    Code = 0,
    /// As the prose has it.
    Prose = 1,
}

/// What precisions of one bit mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum OneBit {
    /// Nothing is promised.
    #[default]
    Table = 0,
    /// The pseudo-code's branches.
    Code = 1,
}

/// Which denormals are flushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Denormals {
    /// Those of the types whose bit of the control register says so.
    #[default]
    ByCr0 = 0,
    /// None.
    Keep = 1,
    /// Those of all types.
    Flush = 2,
}

impl Denormals {
    /// All, by their codes.
    pub const ALL: [Denormals; 3] = [Denormals::ByCr0, Denormals::Keep, Denormals::Flush];
}

/// Which NaN a result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Nan {
    /// Always the same.
    #[default]
    Canonical = 0,
    /// That of the first operand that is one.
    First = 1,
}

/// How many bits below those of an `F` the terms of a sum that truncates keep, by their codes.
pub const GUARDS: [u32; 8] = [3, 0, 1, 2, 4, 6, 8, 10];

/// One named choice, as a field of [`Small::model`](super::Small::model).
#[derive(Clone, Copy, Debug)]
pub struct ModelPart {
    /// For example `Sum`; the field is `Model.Sum`.
    pub name: &'static str,
    /// Lowest bit.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
    /// The largest code.
    pub max: u32,
}

impl ModelPart {
    const fn mask(&self) -> u32 {
        (1 << self.width) - 1
    }

    /// The code. A code above the largest names nothing; it is read as the first.
    const fn get(&self, model: u32) -> usize {
        let code = model >> self.shift & self.mask();
        if code <= self.max { code as usize } else { 0 }
    }

    const fn with(&self, model: u32, code: u32) -> u32 {
        (model & !(self.mask() << self.shift)) | code << self.shift
    }
}

const SUM: ModelPart = ModelPart { name: "Sum", shift: 0, width: 3, max: 5 };
const TF32: ModelPart = ModelPart { name: "Tf32", shift: 3, width: 1, max: 1 };
const SRC2_PITCH: ModelPart = ModelPart { name: "Src2Pitch", shift: 4, width: 1, max: 1 };
const ONE_BIT: ModelPart = ModelPart { name: "OneBit", shift: 5, width: 1, max: 1 };
const DENORMALS: ModelPart = ModelPart { name: "Denormals", shift: 6, width: 2, max: 2 };
const NAN: ModelPart = ModelPart { name: "Nan", shift: 8, width: 1, max: 1 };
const GUARD: ModelPart = ModelPart { name: "Guard", shift: 9, width: 3, max: 7 };

/// All choices, with the names of their values.
pub const MODELS: &[Model] = &[
    Model {
        name: SUM.name,
        values: &["sequential", "fused", "pairwise", "single-rounding", "accumulator-last", "truncating"],
    },
    Model { name: TF32.name, values: &["full", "truncated"] },
    Model { name: SRC2_PITCH.name, values: &["code", "prose"] },
    Model { name: ONE_BIT.name, values: &["table", "code"] },
    Model { name: DENORMALS.name, values: &["by-cr0", "keep", "flush"] },
    Model { name: NAN.name, values: &["canonical", "first"] },
    Model { name: GUARD.name, values: &["3", "0", "1", "2", "4", "6", "8", "10"] },
];

/// All choices.
pub const PARTS: [ModelPart; 7] = [SUM, TF32, SRC2_PITCH, ONE_BIT, DENORMALS, NAN, GUARD];

impl super::Small {
    /// How a float row is summed.
    #[must_use]
    #[inline]
    pub const fn model_sum(&self) -> Sum {
        Sum::ALL[SUM.get(self.model)]
    }

    /// Which bits of an element of `tf32` are used.
    #[must_use]
    #[inline]
    pub const fn model_tf32(&self) -> Tf32 {
        [Tf32::Full, Tf32::Truncated][TF32.get(self.model)]
    }

    /// How far the rows of `Src2` are apart if the systolic depth is not 8.
    #[must_use]
    #[inline]
    pub const fn model_src2_pitch(&self) -> Src2Pitch {
        [Src2Pitch::Code, Src2Pitch::Prose][SRC2_PITCH.get(self.model)]
    }

    /// What precisions of one bit mean.
    #[must_use]
    #[inline]
    pub const fn model_one_bit(&self) -> OneBit {
        [OneBit::Table, OneBit::Code][ONE_BIT.get(self.model)]
    }

    /// Which denormals are flushed.
    #[must_use]
    #[inline]
    pub const fn model_denormals(&self) -> Denormals {
        Denormals::ALL[DENORMALS.get(self.model)]
    }

    /// Which NaN a result is.
    #[must_use]
    #[inline]
    pub const fn model_nan(&self) -> Nan {
        [Nan::Canonical, Nan::First][NAN.get(self.model)]
    }

    /// How many bits below those of an `F` the terms of a sum that truncates keep: one of [`GUARDS`].
    #[must_use]
    #[inline]
    pub const fn model_guard(&self) -> u32 {
        GUARDS[GUARD.get(self.model)]
    }

    /// Chooses how a float row is summed.
    pub const fn set_model_sum(&mut self, sum: Sum) {
        self.model = SUM.with(self.model, sum as u32);
    }

    /// Chooses which bits of an element of `tf32` are used.
    pub const fn set_model_tf32(&mut self, tf32: Tf32) {
        self.model = TF32.with(self.model, tf32 as u32);
    }

    /// Chooses how far the rows of `Src2` are apart if the systolic depth is not 8.
    pub const fn set_model_src2_pitch(&mut self, pitch: Src2Pitch) {
        self.model = SRC2_PITCH.with(self.model, pitch as u32);
    }

    /// Chooses what precisions of one bit mean.
    pub const fn set_model_one_bit(&mut self, one_bit: OneBit) {
        self.model = ONE_BIT.with(self.model, one_bit as u32);
    }

    /// Chooses which denormals are flushed.
    pub const fn set_model_denormals(&mut self, denormals: Denormals) {
        self.model = DENORMALS.with(self.model, denormals as u32);
    }

    /// Chooses which NaN a result is.
    pub const fn set_model_nan(&mut self, nan: Nan) {
        self.model = NAN.with(self.model, nan as u32);
    }

    /// Chooses how many bits the terms of a sum that truncates keep: a place in [`GUARDS`].
    pub const fn set_model_guard(&mut self, place: u32) {
        self.model = GUARD.with(self.model, if place <= GUARD.max { place } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::*;
    use crate::visa::{Small, VISA};

    #[test]
    fn every_value_has_a_name() {
        for (part, model) in PARTS.iter().zip(MODELS) {
            assert_eq!((part.name, part.max as usize + 1), (model.name, model.values.len()));
        }
    }

    #[test]
    fn guards_are_what_their_values_say() {
        let names = MODELS.iter().find(|model| model.name == "Guard").expect("a model").values;
        assert_eq!(names.iter().map(|name| name.parse()).collect::<Result<Vec<u32>, _>>(), Ok(GUARDS.to_vec()));
    }

    #[test]
    fn models_are_fields_of_their_own() {
        let mut small = Small::zeroed();
        for sum in Sum::ALL {
            small.set_model_sum(sum);
            small.set_model_tf32(Tf32::Truncated);
            small.set_model_src2_pitch(Src2Pitch::Prose);
            small.set_model_one_bit(OneBit::Code);
            small.set_model_denormals(Denormals::Flush);
            small.set_model_nan(Nan::First);
            small.set_model_guard(7);
            assert_eq!((small.model_sum(), small.model_tf32()), (sum, Tf32::Truncated));
            assert_eq!((small.model_src2_pitch(), small.model_one_bit()), (Src2Pitch::Prose, OneBit::Code));
            assert_eq!((small.model_denormals(), small.model_nan()), (Denormals::Flush, Nan::First));
            assert_eq!(small.model_guard(), 10);
            let value = |name: &str| VISA.layout.field_named(name).expect("a field").get(bytemuck::bytes_of(&small));
            assert_eq!(value("Model.Sum"), sum as u32);
            assert_eq!(["Model.Tf32", "Model.Src2Pitch", "Model.OneBit", "Model.Nan"].map(value), [1; 4]);
            assert_eq!(["Model.Denormals", "Model.Guard"].map(value), [2, 7]);
        }
        small.set_model_tf32(Tf32::Full);
        small.set_model_src2_pitch(Src2Pitch::Code);
        small.set_model_one_bit(OneBit::Table);
        small.set_model_sum(Sum::Sequential);
        small.set_model_denormals(Denormals::ByCr0);
        small.set_model_nan(Nan::Canonical);
        small.set_model_guard(0);
        assert_eq!(small, Small::zeroed());
    }

    #[test]
    fn a_code_that_names_nothing_is_read_as_the_first() {
        let small = Small { model: u32::MAX, ..Small::zeroed() };
        assert_eq!((small.model_sum(), small.model_denormals()), (Sum::Sequential, Denormals::ByCr0));
        assert_eq!((small.model_nan(), small.model_guard()), (Nan::First, 10));
    }
}
