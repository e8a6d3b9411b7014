//! A sum of products without rounding, in fixed point.

use super::float::Rounding;

/// Bits of a limb.
const LIMB: usize = 32;
/// Enough for the largest sum of products of `F`, in units of 2^-298.
const LIMBS: usize = 20;
/// The exponent of the lowest bit: that of the smallest product of two denormals.
const LOWEST: i32 = -298;

/// A sum of products of `F`.
pub(super) struct ExactSum {
    /// The lowest first; each takes carries of many sums.
    limbs: [i64; LIMBS],
    pub(super) is_nan: bool,
    has_plus_infinity: bool,
    has_minus_infinity: bool,
    has_only_minus_zeros: bool,
}

/// Mantissa and exponent of a finite value.
fn parts(value: f32) -> (u64, i32) {
    let bits = value.to_bits();
    let field = (bits >> 23 & 0xff).cast_signed();
    let hidden = if field == 0 { 0 } else { 1 << 23 };
    (u64::from(bits & 0x7f_ffff | hidden), field.max(1) - 150)
}

impl ExactSum {
    pub(super) fn new() -> Self {
        ExactSum {
            limbs: [0; LIMBS],
            is_nan: false,
            has_plus_infinity: false,
            has_minus_infinity: false,
            has_only_minus_zeros: true,
        }
    }

    /// Adds the product of two values.
    pub(super) fn add(&mut self, a: f32, b: f32) {
        let is_negative = a.is_sign_negative() != b.is_sign_negative();
        if a.is_nan() || b.is_nan() || (a.is_infinite() && b == 0.0) || (b.is_infinite() && a == 0.0) {
            self.is_nan = true;
        } else if a.is_infinite() || b.is_infinite() {
            let infinity = if is_negative { &mut self.has_minus_infinity } else { &mut self.has_plus_infinity };
            *infinity = true;
        } else if a == 0.0 || b == 0.0 {
            self.has_only_minus_zeros &= is_negative;
        } else {
            self.has_only_minus_zeros = false;
            let ((a, a_exponent), (b, b_exponent)) = (parts(a), parts(b));
            let place = (a_exponent + b_exponent - LOWEST) as usize;
            let shifted = u128::from(a * b) << (place % LIMB);
            for (index, limb) in self.limbs[place / LIMB..].iter_mut().take(3).enumerate() {
                let piece = (shifted >> (index * LIMB)) as u32;
                *limb += if is_negative { -i64::from(piece) } else { i64::from(piece) };
            }
        }
    }

    /// The sum, rounded once, and with `kept` bits at most below the last one. Infinities of both signs are no number.
    pub(super) fn rounded(mut self, rounding: Rounding, kept: usize) -> f32 {
        match (self.is_nan, self.has_plus_infinity, self.has_minus_infinity) {
            (true, _, _) | (_, true, true) => return f32::NAN,
            (_, true, _) => return f32::INFINITY,
            (_, _, true) => return f32::NEG_INFINITY,
            _ => {}
        }
        self.carry();
        let is_negative = self.limbs[LIMBS - 1] < 0;
        if is_negative {
            self.limbs = self.limbs.map(|limb| -limb);
            self.carry();
        }
        let Some(highest) = (0..LIMBS * LIMB).rev().find(|&place| self.bit(place)) else {
            return if self.has_only_minus_zeros { -0.0 } else { 0.0 };
        };
        // The last bit that an F of this size has; denormals end at 2^-149.
        let last = (highest as i32 - 23).max(-149 - LOWEST) as usize;
        let whole = (last..=highest).rev().fold(0u64, |whole, place| whole << 1 | u64::from(self.bit(place)));
        let is_half = self.bit(last - 1);
        let is_more = (last.saturating_sub(kept)..last - 1).any(|place| self.bit(place));
        let goes_up = match rounding {
            Rounding::NearestEven => is_half && (is_more || whole & 1 != 0),
            Rounding::TiesAway => is_half,
            Rounding::TowardZero => false,
            Rounding::Up => !is_negative && (is_half || is_more),
            Rounding::Down => is_negative && (is_half || is_more),
        };
        let steps = (last as i32 + LOWEST + 149) as u64;
        let bits = (steps << 23) + whole + u64::from(goes_up);
        let infinity = u64::from(f32::INFINITY.to_bits());
        let magnitude = if bits < infinity {
            f32::from_bits(bits as u32)
        } else {
            let stays = match rounding {
                Rounding::NearestEven | Rounding::TiesAway => false,
                Rounding::TowardZero => true,
                Rounding::Up => is_negative,
                Rounding::Down => !is_negative,
            };
            if stays { f32::MAX } else { f32::INFINITY }
        };
        if is_negative { -magnitude } else { magnitude }
    }

    /// Leaves 32 bits in each limb; the highest one has the sign.
    fn carry(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs[..LIMBS - 1] {
            let sum = *limb + carry;
            *limb = sum & 0xffff_ffff;
            carry = sum >> LIMB;
        }
        self.limbs[LIMBS - 1] += carry;
    }

    fn bit(&self, place: usize) -> bool {
        self.limbs[place / LIMB] >> (place % LIMB) & 1 != 0
    }
}
