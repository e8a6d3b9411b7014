//! Instructions that convert integers and FP32, and the PRNG that rounds: `SFPCAST` and `SFPSTOCHRND` on both chips.
//!
//! All rounding is a sum. What is cut off is a fraction, to which a word below one is added, and its carry rounds up. They go lane
//! by lane, as in `lanewise.rs`, but what rounds by the PRNG has a third operand, and advances it in all lanes that take part.
//!
//! What differs from the pages (SFPCAST and SFPSTOCHRND of both chips with all their forms, and VectorUnit), and why it is equal:
//! 1. `AdvancePRNG`: see `prng.rs`. Where a lane takes part, which register is written does not matter to it, so one that
//!    cannot be written advances it alone.
//! 2. `SFPCAST` to FP32: `Norm` is taken one bit lower, so that nothing is carried out of a word. Its highest bit adds one to
//!    the exponent, as on the page. Ties to even are one less than half, and one more if the last bit that stays is set. A
//!    fraction that is greater than seven random bits is one that carries if their complement is added. Zero stays with its sign.
//! 3. Of `Mod1`, Wormhole's `SFPCAST` looks at one bit and Blackhole's at two, which name four forms.
//! 4. `SFPSTOCHRND`: `Mod1` has three bits, all of whose codes are named: two for FP32, two for integers that become shorter, four for
//!    FP32 that becomes an integer. The lowest bit keeps the sign and halves the greatest magnitude of an integer.
//! 5. A fraction of 23 bits is at least `PRNGBits` if it carries once their complement and one are added; fewer bits of a
//!    fraction likewise, since the complement of the upper bits is the upper bits of the complement.
//! 6. `RoundingMode` of Blackhole: 3 is no case of the switch, so that the random bits stay, as for 1.
//! 7. FP32 to an integer: shifts are by `Exp + 1`, at least 0 and at most 17, so that `Exp < 0` is no other case, and all that
//!    is greater is above each greatest magnitude. Bits of a mantissa that leave a word are not among the 23.
//! 8. Integers: the whole part and the fraction come from two shifts of a word, not from one of two words. The whole part is bounded
//!    before it is rounded, too, which might else be 2^31; a bound that is reached is the result with and without a carry.

use tandem_isa::Answer;
use tandem_isa::tensix::inst::vector::{IMM5, MOD1, MOD1_OF_3, ROUNDING_MODE, STOCHASTIC_ROUNDING, USE_IMM5};
use tandem_isa::tensix::{Access, Chip, Tensix};

use super::instruction::{Code, Decoded, Instruction, vb, vc, vd};
use super::lanewise::{self, Lanewise};
use super::prng::{advance, next, states};
use crate::vector::Vector;

const SIGN: u32 = 1 << 31;
const EXPONENT: u32 = 0xff << 23;
/// The mantissa of FP32, and any other 23 bits.
const LOW23: u32 = (1 << 23) - 1;

// ------------------------------------------------------------------------------------------------ what the PRNG rounds

/// What is rounded by the PRNG.
trait Rounded {
    /// The result of two registers, and of what the PRNG returns.
    fn lanes<V: Vector>(&self, c: V, b: V, random: V) -> V;
}

/// Computes the lanes that take part, and advances their PRNG.
#[inline(always)]
fn compute<V: Vector>(
    level: V::Level,
    (registers, rounded): ([usize; 2], impl Rounded),
    code: &Code,
    tensix: &mut Tensix<'_>,
) {
    let vd = vd(code);
    let taking_part = lanewise::enabled(tensix.small) & lanewise::front_door(tensix.small, vd);
    if taking_part == 0 {
        return;
    }
    let mut views = tensix.views();
    if !lanewise::is_written(vd) {
        advance::<V>(level, taking_part, &mut views);
        return;
    }
    let prng = states(&mut views);
    let [c, b] = registers.map(|register| views.lreg(Access::Read, register));
    let to = views.lreg(Access::Write, vd);
    for chunk in 0..32 / V::LANES {
        let which = V::mask_of(level, taking_part, chunk);
        let random = V::load(level, prng, chunk);
        next(random).store(prng, chunk, which);
        rounded.lanes(V::load(level, c, chunk), V::load(level, b, chunk), random).store(to, chunk, which);
    }
}

// ------------------------------------------------------------------------------------------------ SFPCAST

/// `SFPCAST`.
pub(crate) struct Sfpcast;

/// `SFPCAST` in what it does without the PRNG.
enum Cast {
    /// Sign and magnitude to FP32, ties to even.
    ToNearest,
    /// The absolute value.
    Absolute,
    /// Between two's complement, and sign and magnitude.
    Complement,
}

/// `SFPCAST` of sign and magnitude to FP32, rounded by seven bits of the PRNG.
struct CastAtRandom;

/// A magnitude, so shifted that bit 30 is its highest one, and how far: 31 bits for zero.
#[inline(always)]
fn normalized<V: Vector>(c: V) -> [V; 2] {
    let magnitude = c & c.like(!SIGN);
    let distance = magnitude.leading_zeros() - c.like(1);
    [magnitude.shift_left(distance), distance]
}

/// The FP32 of a sign and a magnitude that is normalized, and whose seven lowest bits have been rounded.
#[inline(always)]
fn packed<V: Vector>(c: V, rounded: V, distance: V) -> V {
    let exponent = (c.like(156) - distance).shift_left_all(23);
    let float = (c & c.like(SIGN)) | (exponent + rounded.shift_right_all(7));
    V::select((c & c.like(!SIGN)).is_zero(), c, float)
}

impl Lanewise for Cast {
    #[inline(always)]
    fn decode(chip: Chip, code: &Code) -> ([usize; 2], Self) {
        let cast = match (chip, MOD1.get(code) & 3) {
            (Chip::Blackhole, 2) => Cast::Absolute,
            (Chip::Blackhole, 3) => Cast::Complement,
            _ => Cast::ToNearest,
        };
        ([vc(code); 2], cast)
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V) -> V {
        match self {
            Cast::ToNearest => {
                let [norm, distance] = normalized(c);
                let last = norm.shift_right_all(7) & c.like(1);
                packed(c, norm + c.like(0x3f) + last, distance)
            }
            Cast::Absolute => V::select(c.is_negative(), c.like(0) - c, c),
            Cast::Complement => V::select(c.is_negative(), (c.like(0) - c) | c.like(SIGN), c),
        }
    }
}

impl Rounded for CastAtRandom {
    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V, random: V) -> V {
        let [norm, distance] = normalized(c);
        packed(c, norm + ((!random).shift_right_all(10) & c.like(0x7f)), distance)
    }
}

impl<V: Vector> Instruction<V> for Sfpcast {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const RND_STOCH: u32 = 1;
        if MOD1.get(&code) & chip.pick(1, 3) == RND_STOCH {
            compute::<V>(level, ([vc(&code); 2], CastAtRandom), &code, tensix);
        } else {
            let taking_part = lanewise::enabled(tensix.small);
            lanewise::compute::<V, _>(level, Cast::decode(chip, &code), vd(&code), taking_part, tensix);
        }
        Answer::Done
    }
}

// ------------------------------------------------------------------------------------------------ SFPSTOCHRND

/// `SFPSTOCHRND`.
pub(crate) struct Sfpstochrnd;

/// The complement of `PRNGBits`: these bits of that of the PRNG, or others.
#[derive(Clone, Copy)]
struct Complement {
    random: u32,
    others: u32,
}

impl Complement {
    #[inline(always)]
    fn of(chip: Chip, code: &Code) -> Self {
        let mode = match chip {
            Chip::Wormhole => STOCHASTIC_ROUNDING.get(code),
            Chip::Blackhole => ROUNDING_MODE.get(code),
        };
        match mode {
            0 => Complement { random: 0, others: LOW23 - 0x40_0000 },
            2 => Complement { random: 0, others: 0 },
            _ => Complement { random: LOW23, others: 0 },
        }
    }

    #[inline(always)]
    fn lanes<V: Vector>(self, random: V) -> V {
        (!random & random.like(self.random)) | random.like(self.others)
    }

    /// One for the lanes whose fraction of 23 bits is rounded up.
    #[inline(always)]
    fn carries<V: Vector>(self, fraction: V, random: V) -> V {
        (fraction + self.lanes(random) + random.like(1)).shift_right_all(23)
    }
}

/// FP32 with a shorter mantissa.
struct Shortened {
    complement: Complement,
    /// The bits of the mantissa that stay.
    precision: u32,
}

impl Rounded for Shortened {
    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V, random: V) -> V {
        let sum = c + self.complement.lanes(random).shift_right_all(self.precision) + c.like(1);
        let finite = sum & c.like(!0 << (23 - self.precision));
        let is_255 = (!c & c.like(EXPONENT)).is_zero();
        let is_0 = (c & c.like(EXPONENT)).is_zero();
        V::select(is_0, c.like(0), V::select(is_255, c & c.like(SIGN | EXPONENT), finite))
    }
}

/// How far integers go.
#[derive(Clone, Copy)]
struct Bounds {
    /// The sign, or nothing.
    sign: u32,
    magnitude: u32,
}

impl Bounds {
    #[inline(always)]
    const fn of(mod1: u32) -> Self {
        let (is_signed, is_long) = (mod1 & 1, mod1 & 6 == 6);
        Bounds { sign: is_signed << 31, magnitude: if is_long { 0xffff } else { 0xff } >> is_signed }
    }

    /// A magnitude with the sign of `c`, unless it is zero.
    #[inline(always)]
    fn with_sign<V: Vector>(self, magnitude: V, c: V) -> V {
        V::select(magnitude.is_zero(), magnitude, magnitude | (c & c.like(self.sign)))
    }
}

/// FP32 to an integer.
struct ToInteger {
    complement: Complement,
    bounds: Bounds,
}

impl Rounded for ToInteger {
    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, _: V, random: V) -> V {
        let exp = (c.shift_right_all(23) & c.like(0xff)) - c.like(126);
        let distance = exp.max(c.like(0)).min(c.like(17));
        let mantissa = (c & c.like(LOW23)) | c.like(1 << 23);
        let whole = mantissa.shift_right(c.like(24) - distance);
        let fraction = mantissa.shift_left(distance).shift_right_all(1) & c.like(LOW23);
        let rounded = (whole + self.complement.carries(fraction, random)).min(c.like(self.bounds.magnitude));
        self.bounds.with_sign(V::select(exp.is_negative(), c.like(0), rounded), c)
    }
}

/// An integer to one of eight bits.
struct ToByte {
    complement: Complement,
    bounds: Bounds,
    /// How far it is shifted, if an immediate says so.
    distance: Option<u32>,
}

impl Rounded for ToByte {
    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V, random: V) -> V {
        let distance = self.distance.map_or(b & b.like(31), |distance| b.like(distance));
        let bound = c.like(self.bounds.magnitude);
        let whole = (c & c.like(!SIGN)).shift_right(distance).min(bound);
        // What is shifted out, from the highest bit down.
        let lost = c.shift_left_all(1).shift_left(distance ^ c.like(31));
        let rounded = whole + self.complement.carries(lost.shift_right_all(9), random);
        self.bounds.with_sign(rounded.min(bound), c)
    }
}

impl<V: Vector> Instruction<V> for Sfpstochrnd {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (mod1, complement) = (MOD1_OF_3.get(&code), Complement::of(chip, &code));
        let bounds = Bounds::of(mod1);
        let only_c = [vc(&code); 2];
        match mod1 {
            0 | 1 => {
                let precision = if mod1 == 0 { 10 } else { 7 };
                compute::<V>(level, (only_c, Shortened { complement, precision }), &code, tensix);
            }
            4 | 5 => {
                let distance = (USE_IMM5.get(&code) != 0).then(|| IMM5.get(&code));
                let registers = if distance.is_some() { only_c } else { [vc(&code), vb(&code)] };
                compute::<V>(level, (registers, ToByte { complement, bounds, distance }), &code, tensix);
            }
            _ => compute::<V>(level, (only_c, ToInteger { complement, bounds }), &code, tensix),
        }
        Answer::Done
    }
}
