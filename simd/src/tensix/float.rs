//! Instructions of the MAD sub-unit: `SFPMAD`, `SFPADD`, `SFPMUL`, `SFPADDI` and `SFPMULI` on both chips, and `SFPMUL24` of
//! Blackhole. How floats are multiplied and added is in `fma.rs`.
//!
//! Which lanes get a result, and in which register, is known first: [`Destination`]. Then the registers are read that these
//! lanes need, all results are computed, and at last they are stored. If a lane says itself which register it means, the
//! four bits of its number are gathered to words, of which the lanes of each register are made.
//!
//! What differs from the pages, and why it is equal:
//! 1. `SFPADD` and `SFPMUL` are `SFPMAD`: their pages say so, whatever `VA` and `VC` are.
//! 2. `VD == 16` has no code, and comes from `SFPLOADMACRO` alone; then `LReg[7]` does not say where results go. A result for
//!    another register from 8 on is not written, so that nothing is computed for it, and nothing read. Only where `LReg[7]`
//!    says where results go, it has been read by then.
//! 3. Results go by register, not by lane: a lane reads and writes only what is its own, and all is computed before
//!    anything is written, also to `LReg[7]`.
//! 4. Of registers that lanes choose, those are read that a lane with a result chooses; the other lanes are zero.
//! 5. `Mod1` negates on Blackhole alone: a sign is inverted, of NaN too.
//! 6. `SFPADDI` and `SFPMULI` round once, as `SFPMAD` does: with the factor 1.0 or the addend zero.
//! 7. `SFPMUL24`: one factor is nine bits higher, so the halves of the product are bits 23 to 45, and the lower 23 from
//!    bit 9 on. Bits from 23 on of the factors do not matter to either.
//! 8. `Mul24ShiftAdd`: of the two distances to the exponent 129 one is zero. An addend of zero has the exponent zero, which
//!    changes nothing either.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::immediate::sfpconfig::IMM16;
use tandem_isa::tensix::inst::vector::{MOD1, VA};
use tandem_isa::tensix::{Access, Chip, Tensix, Views};

use super::fma::multiply_add;
use super::instruction::{Code, Decoded, Instruction, vb, vc, vc_or_vd, vd};
use super::lanewise;
use crate::bits::all_if_any;
use crate::vector::Vector;

const SIGN: u32 = 1 << 31;

// ------------------------------------------------------------------------------------------------ registers that lanes choose

/// The low four bits of all lanes of a register, bit by bit: of each word, bit = lane.
#[derive(Clone, Copy, Debug)]
struct Choices([u32; 4]);

impl Choices {
    /// Those of `LReg[7]`.
    #[inline(always)]
    fn read<V: Vector>(level: V::Level, views: &mut Views<'_>) -> Self {
        let from = views.lreg(Access::Read, 7);
        let mut bits = [0; 4];
        for chunk in 0..32 / V::LANES {
            let lanes = V::load(level, from, chunk);
            for (bit, word) in bits.iter_mut().enumerate() {
                *word |= V::bits(lanes.shift_left_all(31 - bit as u32).is_negative()) << (chunk * V::LANES);
            }
        }
        Choices(bits)
    }

    /// The lanes that choose a register.
    #[inline(always)]
    fn of(self, register: usize) -> u32 {
        let bits = self.0.into_iter().enumerate();
        bits.fold(!0, |lanes, (bit, word)| lanes & (word ^ ((register as u32 >> bit & 1).wrapping_sub(1))))
    }
}

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    /// The lanes that get one.
    pub(super) lanes: u32,
    register: usize,
    /// What takes the place of the register, if lanes choose.
    choices: Option<Choices>,
}

impl Destination {
    /// To `VD`, or to what `LReg[7]` says: nothing if no lane gets a result.
    #[inline(always)]
    pub(super) fn new<V: Vector>(level: V::Level, tensix: &mut Tensix<'_>, vd: usize, is_chosen: bool) -> Option<Self> {
        let is_chosen = is_chosen && vd != 16;
        let lanes = lanewise::enabled(tensix.small) & lanewise::front_door(tensix.small, vd);
        if lanes == 0 || !(is_chosen || lanewise::is_written(vd)) {
            return None;
        }
        if !is_chosen {
            return Some(Destination { lanes, register: vd, choices: None });
        }
        let choices = Choices::read::<V>(level, &mut tensix.views());
        let lanes = lanes & !choices.0[3];
        (lanes != 0).then_some(Destination { lanes, register: vd, choices: Some(choices) })
    }

    /// Computes all results, and stores those that are wanted.
    #[inline(always)]
    pub(super) fn put<V: Vector>(self, level: V::Level, views: &mut Views<'_>, results: &impl Results<V>) {
        let mut computed = [V::splat(level, 0); 8];
        for (chunk, lanes) in computed.iter_mut().enumerate().take(32 / V::LANES) {
            *lanes = results.chunk(level, chunk);
        }
        let Some(choices) = self.choices else {
            store(level, &computed, self.lanes, views.lreg(Access::Write, self.register));
            return;
        };
        for register in 0..8 {
            let lanes = self.lanes & choices.of(register);
            if lanes != 0 {
                store(level, &computed, lanes, views.lreg(Access::Write, register));
            }
        }
    }
}

/// Stores some lanes of what was computed, by chunks.
#[inline(always)]
fn store<V: Vector>(level: V::Level, computed: &[V; 8], lanes: u32, to: &[Cell<u32>]) {
    for (chunk, computed) in computed.iter().enumerate().take(32 / V::LANES) {
        computed.store(to, chunk, V::mask_of(level, lanes, chunk));
    }
}

/// Puts lanes of registers together, each register with the lanes that are taken from it.
#[inline(always)]
pub(super) fn gather<V: Vector>(
    level: V::Level,
    views: &mut Views<'_>,
    from: impl IntoIterator<Item = (usize, u32)>,
    to: &[Cell<u32>],
) {
    for (register, lanes) in from {
        if lanes == 0 {
            continue;
        }
        let from = views.lreg(Access::Read, register);
        for chunk in 0..32 / V::LANES {
            V::load(level, from, chunk).store(to, chunk, V::mask_of(level, lanes, chunk));
        }
    }
}

/// What is computed, lane by lane.
pub(super) trait Results<V: Vector> {
    /// The results of a chunk of lanes.
    fn chunk(&self, level: V::Level, chunk: usize) -> V;
}

// ------------------------------------------------------------------------------------------------ of three registers

/// A function of three registers.
trait Formula {
    /// The result.
    fn of<V: Vector>(&self, a: V, b: V, c: V) -> V;
}

/// A formula, and the lanes of the registers.
struct OfThree<'a, F> {
    a: &'a [Cell<u32>],
    b: &'a [Cell<u32>],
    c: &'a [Cell<u32>],
    formula: F,
}

impl<V: Vector, F: Formula> Results<V> for OfThree<'_, F> {
    #[inline(always)]
    fn chunk(&self, level: V::Level, chunk: usize) -> V {
        let OfThree { a, b, c, formula } = self;
        formula.of(V::load(level, a, chunk), V::load(level, b, chunk), V::load(level, c, chunk))
    }
}

const INDIRECT_VA: u32 = 4;
const INDIRECT_VD: u32 = 8;

/// Computes a function of `VA`, or of what `LReg[7]` says, `VB` and `VC`.
#[inline(always)]
fn compute<V: Vector>(level: V::Level, code: &Code, tensix: &mut Tensix<'_>, formula: impl Formula) -> Answer {
    let mod1 = MOD1.get(code);
    let Some(to) = Destination::new::<V>(level, tensix, vd(code), mod1 & INDIRECT_VD != 0) else {
        return Answer::Done;
    };
    let mut views = tensix.views();
    let mut chosen = [0; 32];
    let chosen = Cell::from_mut(&mut chosen[..]).as_slice_of_cells();
    let a = if mod1 & INDIRECT_VA != 0 {
        let choices = Choices::read::<V>(level, &mut views);
        gather::<V>(level, &mut views, (0..16).map(|register| (register, to.lanes & choices.of(register))), chosen);
        chosen
    } else {
        views.lreg(Access::Read, VA.get(code) as usize)
    };
    let [b, c] = [vb(code), vc(code)].map(|register| views.lreg(Access::Read, register));
    to.put::<V>(level, &mut views, &OfThree { a, b, c, formula });
    Answer::Done
}

/// `SFPMAD`.
pub(crate) struct Sfpmad;

/// `SFPADD`, which is `SFPMAD` by another code.
pub(crate) type Sfpadd = Sfpmad;

/// `SFPMUL`, which is `SFPMAD` by another code.
pub(crate) type Sfpmul = Sfpmad;

/// The bits of `VC` that `Mod1` inverts.
#[inline(always)]
const fn negated_c(chip: Chip, mod1: u32) -> u32 {
    const NEGATE_VC: u32 = 2;
    match chip {
        Chip::Wormhole => 0,
        Chip::Blackhole => all_if_any(mod1, NEGATE_VC) & SIGN,
    }
}

/// `a * b + c`, with the bits of `a` and `c` that are inverted.
struct MultiplyAdd {
    chip: Chip,
    negated_a: u32,
    negated_c: u32,
}

impl Formula for MultiplyAdd {
    #[inline(always)]
    fn of<V: Vector>(&self, a: V, b: V, c: V) -> V {
        multiply_add(self.chip, a ^ a.like(self.negated_a), b, c ^ c.like(self.negated_c))
    }
}

impl<V: Vector> Instruction<V> for Sfpmad {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const NEGATE_VA: u32 = 1;
        let mod1 = MOD1.get(&code);
        let negated_a = match chip {
            Chip::Wormhole => 0,
            Chip::Blackhole => all_if_any(mod1, NEGATE_VA) & SIGN,
        };
        let formula = MultiplyAdd { chip, negated_a, negated_c: negated_c(chip, mod1) };
        compute::<V>(level, &code, tensix, formula)
    }
}

/// `SFPMUL24`.
pub(crate) struct Sfpmul24;

/// The product of two integers of 23 bits: its upper half or its lower one.
struct Multiply24 {
    upper: bool,
}

impl Formula for Multiply24 {
    #[inline(always)]
    fn of<V: Vector>(&self, a: V, b: V, c: V) -> V {
        let [low, high] = a.shift_left_all(9).multiply_wide(b & b.like(LOW23));
        shift_add(if self.upper { high } else { low.shift_right_all(9) }, c)
    }
}

/// 23 bits.
const LOW23: u32 = (1 << 23) - 1;

/// `Mul24ShiftAdd`.
#[inline(always)]
fn shift_add<V: Vector>(p: V, z: V) -> V {
    let (zero, distances) = (z.like(0), z.like(31));
    let z_e = z.shift_right_all(23) & z.like(0xff);
    let distance = z_e - z.like(129);
    let z_m_grs = ((z & z.like(LOW23)) | z.like(1 << 23)).shift_left_all(3);
    let s = (zero - distance).max(zero) & distances;
    let p_m = p.shift_right(distance.max(zero) & distances);
    let z_m = z_m_grs.shift_right(s);
    let lost = z_m.shift_left(s) ^ z_m_grs;
    let is_much = (z.like(0xffff) - lost).shift_right_all(31);
    let sum = (p_m + z_m + is_much.shift_left_all(16)) & z.like(LOW23);
    V::select(z_e.is_zero(), p, V::select(z_m.is_zero(), p_m, sum))
}

impl<V: Vector> Instruction<V> for Sfpmul24 {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const UPPER: u32 = 1;
        compute::<V>(level, &code, tensix, Multiply24 { upper: MOD1.get(&code) & UPPER != 0 })
    }
}

// ------------------------------------------------------------------------------------------------ with an immediate

/// What an immediate does to a register.
trait WithImmediate {
    /// The factor beside the immediate, and the addend, for the lanes of `VD`.
    fn operands<V: Vector>(&self, lanes: V) -> [V; 2];
}

/// `SFPADDI`.
pub(crate) struct Sfpaddi;

impl WithImmediate for Sfpaddi {
    #[inline(always)]
    fn operands<V: Vector>(&self, lanes: V) -> [V; 2] {
        const ONE: u32 = 127 << 23;
        [lanes.like(ONE), lanes]
    }
}

/// `SFPMULI`.
pub(crate) struct Sfpmuli;

impl WithImmediate for Sfpmuli {
    #[inline(always)]
    fn operands<V: Vector>(&self, lanes: V) -> [V; 2] {
        [lanes, lanes.like(0)]
    }
}

/// The results of an immediate and a register.
struct OfImmediate<'a, I> {
    chip: Chip,
    /// As FP32.
    immediate: u32,
    from: &'a [Cell<u32>],
    negated: u32,
    instruction: I,
}

impl<V: Vector, I: WithImmediate> Results<V> for OfImmediate<'_, I> {
    #[inline(always)]
    fn chunk(&self, level: V::Level, chunk: usize) -> V {
        let lanes = V::load(level, self.from, chunk);
        let [factor, addend] = self.instruction.operands(lanes ^ lanes.like(self.negated));
        multiply_add(self.chip, lanes.like(self.immediate), factor, addend)
    }
}

#[inline(always)]
fn compute_with_immediate<V: Vector>(
    level: V::Level,
    Decoded { chip, code, .. }: Decoded,
    tensix: &mut Tensix<'_>,
    instruction: impl WithImmediate,
) -> Answer {
    let mod1 = MOD1.get(&code);
    let Some(to) = Destination::new::<V>(level, tensix, vd(&code), mod1 & INDIRECT_VD != 0) else {
        return Answer::Done;
    };
    let mut views = tensix.views();
    let from = views.lreg(Access::Read, vc_or_vd(&code));
    let (immediate, negated) = (IMM16.get(&code) << 16, negated_c(chip, mod1));
    to.put::<V>(level, &mut views, &OfImmediate { chip, immediate, from, negated, instruction });
    Answer::Done
}

macro_rules! with_immediate {
    ($($name:ident),*) => {$(
        impl<V: Vector> Instruction<V> for $name {
            const BY_CHIP: bool = true;

            #[inline(always)]
            fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
                compute_with_immediate::<V>(level, step, tensix, $name)
            }
        }
    )*};
}
with_immediate!(Sfpaddi, Sfpmuli);
