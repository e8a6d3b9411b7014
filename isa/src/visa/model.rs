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
//! even.
//!
//! - **sequential**: for ascending *k*, the product is rounded, then its sum with the accumulator is rounded.
//! - **fused**: for ascending *k*, the accumulator becomes the fused product and sum, with one rounding a step.
//! - **pairwise**: at each depth the products are rounded; the two of a 16-bit pair are added and rounded; then the
//!   accumulator and that are added and rounded. With one product a depth (`tf32`) that is sequential.
//! - **single-rounding**: the exact sum of the accumulator and all products of the row, rounded once. Infinities and NaN
//!   come of the exact terms as IEEE 754 has it. The sign of an exact zero is positive, unless every term is −0.
//!
//! In all of them denormals are kept, of operands, products, sums and results. A NaN result is `0x7fc00000`; in a
//! destination of 16 bits it is the positive quiet NaN whose mantissa is its highest bit alone (`0x7e00` in `HF`, `0x7fc0`
//! in `BF`). A destination of 16 bits takes the row's `F` result, rounded once, to nearest even.
//!
//! # Elements of `tf32`: `Model.Tf32`
//!
//! - **full**: all 32 bits are used, as an `F`.
//! - **truncated**: the low 13 bits are ignored, as if they were zero.
//!
//! # Rows of `Src2` when the systolic depth is 1, 2 or 4: `Model.Src2Pitch`
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
}

impl Sum {
    /// All, by their codes.
    pub const ALL: [Sum; 4] = [Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding];
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
    const fn get(&self, model: u32) -> usize {
        (model >> self.shift & self.max) as usize
    }

    const fn with(&self, model: u32, code: u32) -> u32 {
        (model & !(self.max << self.shift)) | code << self.shift
    }
}

const SUM: ModelPart = ModelPart { name: "Sum", shift: 0, width: 2, max: 3 };
const TF32: ModelPart = ModelPart { name: "Tf32", shift: 2, width: 1, max: 1 };
const SRC2_PITCH: ModelPart = ModelPart { name: "Src2Pitch", shift: 3, width: 1, max: 1 };
const ONE_BIT: ModelPart = ModelPart { name: "OneBit", shift: 4, width: 1, max: 1 };

/// All choices, with the names of their values.
pub const MODELS: &[Model] = &[
    Model { name: SUM.name, values: &["sequential", "fused", "pairwise", "single-rounding"] },
    Model { name: TF32.name, values: &["full", "truncated"] },
    Model { name: SRC2_PITCH.name, values: &["code", "prose"] },
    Model { name: ONE_BIT.name, values: &["table", "code"] },
];

/// All choices.
pub const PARTS: [ModelPart; 4] = [SUM, TF32, SRC2_PITCH, ONE_BIT];

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
    fn models_are_fields_of_their_own() {
        let mut small = Small::zeroed();
        for sum in Sum::ALL {
            small.set_model_sum(sum);
            small.set_model_tf32(Tf32::Truncated);
            small.set_model_src2_pitch(Src2Pitch::Prose);
            small.set_model_one_bit(OneBit::Code);
            assert_eq!((small.model_sum(), small.model_tf32()), (sum, Tf32::Truncated));
            assert_eq!((small.model_src2_pitch(), small.model_one_bit()), (Src2Pitch::Prose, OneBit::Code));
            let value = |name: &str| VISA.layout.field_named(name).expect("a field").get(bytemuck::bytes_of(&small));
            assert_eq!(value("Model.Sum"), sum as u32);
            assert_eq!(["Model.Tf32", "Model.Src2Pitch", "Model.OneBit"].map(value), [1; 3]);
        }
        small.set_model_tf32(Tf32::Full);
        small.set_model_src2_pitch(Src2Pitch::Code);
        small.set_model_one_bit(OneBit::Table);
        small.set_model_sum(Sum::Sequential);
        assert_eq!(small, Small::zeroed());
    }
}
