//! `MOV`: component-wise move with type conversion.
//!
//! The code words and the small state are decoded once: the enabled channels, where both operands lie, and what happens
//! to every element ([`Recipe`]). The source comes as a block of 32 elements, one kernel of the level converts all of
//! them, and the enabled ones go to the destination. If nothing is converted, the block is copied.
//!
//! What differs from the page (MOV, Operands, Data Types at commit 98fff716), and why it is equal:
//! 1. All channels are converted, and those that are not enabled are not written.
//! 2. Integers of the same size are copied if nothing is modified or clamped: truncation to as many bits is none.
//! 3. A predicate as a source is an immediate `UD` of its elements: extending it with zeros, or cutting it off where
//!    it has no more elements, is the conversion of integers.
//! 4. A packed immediate is a vector of words that lies in no file: its eight half-bytes are extended to words, the lowest
//!    first, and go on as a `W` or `UW` would. Channels beyond them read what is not there, and here find zeros.
//! 5. Integers become floats rounded to nearest whatever `%cr0` says: of those that a float has exactly, every rounding makes
//!    the same.
//! 6. What the pages forbid or leave open is executed if it means anything here, and else refused: `VF` is, whose
//!    numbers are told elsewhere.

use tandem_isa::visa::operand::{
    CODE_WORDS, DST, EXEC_SIZE, EXEC_SIZES, SRC0, SRC0_CONST, SRC0_PREDICATE, class, modifier,
};
use tandem_isa::visa::{DataType, PredicateVariable, Small, Visa, cr0};
use tandem_isa::{Answer, State, Step};

use super::channels;
use super::floats::Floats;
use super::region::{self, BLOCK, Elements, Region};
use crate::vector::Task;

/// The types that elements of general variables have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Unsigned, 8 bits.
    Ub,
    /// Signed, 8 bits.
    B,
    /// Unsigned, 16 bits.
    Uw,
    /// Signed, 16 bits.
    W,
    /// Unsigned, 32 bits.
    Ud,
    /// Signed, 32 bits.
    D,
    /// Unsigned, 64 bits.
    Uq,
    /// Signed, 64 bits.
    Q,
    /// Floating point, 16 bits, 5 of them exponent.
    Hf,
    /// Floating point, 16 bits, 8 of them exponent.
    Bf,
    /// Floating point, 32 bits.
    F,
    /// Floating point, 64 bits.
    Df,
}

impl Number {
    /// The number type of a data type; packed vectors and `BOOL` have none.
    #[inline(always)]
    pub(crate) const fn of(data_type: DataType) -> Option<Self> {
        const BY_CODE: [Option<Number>; 16] = {
            let mut numbers = [None; 16];
            let mut code = 0;
            while code < 16 {
                numbers[code] = Number::matching(DataType::ALL[code]);
                code += 1;
            }
            numbers
        };
        BY_CODE[data_type as usize]
    }

    const fn matching(data_type: DataType) -> Option<Self> {
        Some(match data_type {
            DataType::Ub => Number::Ub,
            DataType::B => Number::B,
            DataType::Uw => Number::Uw,
            DataType::W => Number::W,
            DataType::Ud => Number::Ud,
            DataType::D => Number::D,
            DataType::Uq => Number::Uq,
            DataType::Q => Number::Q,
            DataType::Hf => Number::Hf,
            DataType::Bf => Number::Bf,
            DataType::F => Number::F,
            DataType::Df => Number::Df,
            DataType::V | DataType::Vf | DataType::Uv | DataType::Bool => return None,
        })
    }

    /// Size in bytes, as a power of two.
    #[inline(always)]
    pub(crate) const fn log2_size(self) -> u32 {
        // In the order of the types.
        [0, 0, 1, 1, 2, 2, 3, 3, 1, 1, 2, 3][self as usize]
    }

    /// Whether it is a floating point type.
    #[inline(always)]
    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Number::Hf | Number::Bf | Number::F | Number::Df)
    }

    /// Whether `control` says that denormals of this type become zero. No bit of it is about the others.
    #[inline(always)]
    const fn flushes(self, control: u32) -> bool {
        // In the order of the types.
        const BITS: [u32; 12] = [0, 0, 0, 0, 0, 0, 0, 0, cr0::HF_DENORM, 0, cr0::F_DENORM, cr0::DF_DENORM];
        BITS[self as usize] & !control != 0
    }
}

/// How floats are rounded to narrower floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    /// Toward zero.
    TowardZero,
}

/// Whether something is done.
///
/// It is as wide as a register: a compiler may load more of a `bool` than its byte, and so wait for its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag(u64);

impl Flag {
    /// The flag that is set if `is_set`.
    #[inline(always)]
    pub(crate) const fn new(is_set: bool) -> Self {
        Flag(is_set as u64)
    }

    /// Whether it is set.
    #[inline(always)]
    pub(crate) const fn is_set(self) -> bool {
        self.0 != 0
    }
}

/// What happens to every element of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Type of the source.
    pub(crate) source: Number,
    /// Type of the destination.
    pub(crate) destination: Number,
    /// Rounding from floats to narrower ones. Integers, and all that becomes `BF`, are rounded to nearest.
    pub(crate) rounding: Rounding,
    /// Whether the source's absolute value is taken.
    pub(crate) is_absolute: Flag,
    /// Whether the source is negated, after its absolute value is taken.
    pub(crate) is_negated: Flag,
    /// Whether the result is clamped: to the range of an integer type, or to 0 to 1.
    pub(crate) is_saturated: Flag,
    /// Whether denormal sources become zeros of the same sign.
    pub(crate) flushes_source: Flag,
    /// Whether denormal results become zeros of the same sign.
    pub(crate) flushes_result: Flag,
    /// Number of elements, 1 to 32. Kernels may convert those beyond, too.
    pub(crate) count: usize,
}

/// What a level has to offer to `MOV`. No result depends on the control register of the CPU's floating point unit.
pub(crate) trait Kernels: Floats {
    /// Converts a block of elements.
    fn convert(level: Self::Level, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements);

    /// Stores the elements of `channels`, each of 2 to the power of `log2_size` bytes, at their places in `to`, which
    /// has room for 1, 2, 4, 8, 16 or 32 of them.
    fn store_channels(level: Self::Level, log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]);
}

/// Where the elements come from.
enum Source {
    /// The same bits for every channel.
    Constant(u64),
    /// The half-bytes of a packed immediate, the lowest first; with this bit as their sign, or with none.
    Packed { half_bytes: u32, sign: u16 },
    /// The GRF file.
    Region(Region),
}

/// `MOV`.
pub(crate) struct Mov<'a, 'c> {
    pub(super) step: &'a Step<'c>,
}

impl<V: Kernels> Task<V> for Mov<'_, '_> {
    type On = State;
    type Output = Answer;

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level, state: &mut State) -> Answer {
        execute::<V>(level, self.step, state)
    }
}

#[inline(always)]
fn execute<V: Kernels>(level: V::Level, step: &Step<'_>, state: &mut State) -> Answer {
    let Ok(code) = <&[u32; CODE_WORDS]>::try_from(step.code) else { return Answer::Unsupported };
    let mut visa = Visa::new(state);
    let Some(Decoded { recipe, channels, source, destination }) = decode(code, visa.small) else {
        return Answer::Unsupported;
    };
    if channels == 0 {
        return Answer::Done;
    }
    let mut room = Elements([0; BLOCK]);
    let from = match source {
        Source::Region(region) => region.read(&mut visa, &mut room),
        Source::Constant(bits) => {
            region::repeat(bits, recipe.source.log2_size(), &mut room);
            &room.0
        }
        Source::Packed { half_bytes, sign } => {
            unpack(half_bytes, sign, &mut room);
            &room.0
        }
    };
    let mut to = Elements([0; BLOCK]);
    if recipe.is_copy() {
        to.0 = *from;
    } else {
        V::convert(level, &recipe, from, &mut to);
    }
    destination.write(&mut visa, channels, &to, |log2_size, channels, from, to| {
        V::store_channels(level, log2_size, channels, from, to);
    });
    Answer::Done
}

/// A decoded instruction.
struct Decoded {
    recipe: Recipe,
    channels: u32,
    source: Source,
    destination: Region,
}

#[inline(always)]
fn decode(code: &[u32; CODE_WORDS], small: &Small) -> Option<Decoded> {
    let exec_size = EXEC_SIZES[EXEC_SIZE.get(code) as usize]?;
    let by_execution_mask = channels::by_execution_mask(code, small, exec_size);

    let dst = Number::of(region::data_type(&DST, code, small)?)?;
    let destination = Region::of_destination(&DST, code, small, (dst.log2_size(), exec_size.trailing_zeros()))?;
    let (source, src, predicated) = match SRC0.class.get(code) {
        class::IMMEDIATE => {
            let low = SRC0_CONST.low.get(code);
            let (source, src) = match DataType::of_code(SRC0_CONST.data_type.get(code)) {
                DataType::V => (Source::Packed { half_bytes: low, sign: 8 }, Number::W),
                DataType::Uv => (Source::Packed { half_bytes: low, sign: 0 }, Number::Uw),
                data_type => {
                    let bits = u64::from(SRC0_CONST.high.get(code)) << 32 | u64::from(low);
                    (Source::Constant(bits), Number::of(data_type)?)
                }
            };
            (source, src, channels::by_predicate(code, small, exec_size)?)
        }
        class::PREDICATE => {
            let index = usize::try_from(SRC0_PREDICATE.id.get(code)).ok()?.wrapping_sub(1);
            (Source::Constant(declared_elements(small.predicates.get(index)?)), Number::Ud, u32::MAX)
        }
        _ => {
            let src = Number::of(region::data_type(&SRC0, code, small)?)?;
            let region = Region::of_source(&SRC0, code, small, (src.log2_size(), exec_size.trailing_zeros()))?;
            (Source::Region(region), src, channels::by_predicate(code, small, exec_size)?)
        }
    };

    let modifiers = SRC0.modifiers.get(code);
    let is_saturated = DST.modifiers.get(code) == modifier::SAT;
    let has_bf = src == Number::Bf || dst == Number::Bf;
    if MAPPED[usize::from(is_saturated)][src as usize] >> dst as u32 & 1 == 0 {
        return None;
    }
    let recipe = Recipe {
        source: src,
        destination: dst,
        rounding: rounding(small.cr0, dst),
        is_absolute: Flag::new(modifiers == modifier::ABS || modifiers == modifier::NEG_ABS),
        is_negated: Flag::new(modifiers == modifier::NEG || modifiers == modifier::NEG_ABS),
        is_saturated: Flag::new(is_saturated),
        flushes_source: Flag::new(!has_bf && src.flushes(small.cr0)),
        flushes_result: Flag::new(!has_bf && dst.flushes(small.cr0)),
        count: exec_size as usize,
    };
    Some(Decoded { recipe, channels: by_execution_mask & predicated, source, destination })
}

/// The destinations of each source in the type maps, bit = number, without and with saturation: `BF` goes with itself and `F`
/// alone, and is not saturated.
static MAPPED: [[u16; 12]; 2] = {
    const BF: usize = Number::Bf as usize;
    const F: usize = Number::F as usize;
    let mut mapped = [[!(1 << BF); 12]; 2];
    let mut is_saturated = 0;
    while is_saturated < 2 {
        let bf = if is_saturated == 0 { 1 << BF } else { 0 };
        mapped[is_saturated][BF] = bf | 1 << F;
        mapped[is_saturated][F] |= bf;
        is_saturated += 1;
    }
    mapped
};

#[inline(always)]
fn rounding(control: u32, dst: Number) -> Rounding {
    if dst == Number::Bf {
        return Rounding::Nearest;
    }
    match (control >> cr0::ROUNDING_SHIFT) & 3 {
        cr0::RTNE => Rounding::Nearest,
        cr0::RU => Rounding::Up,
        cr0::RD => Rounding::Down,
        _ => Rounding::TowardZero,
    }
}

/// The elements that a predicate variable has, as a number.
#[inline(always)]
fn declared_elements(predicate: &PredicateVariable) -> u64 {
    let num_elements = 1 << predicate.log2_num_elements.min(5);
    u64::from(predicate.value & channels::first_channels(num_elements))
}

/// The words of a packed immediate.
#[inline(always)]
fn unpack(half_bytes: u32, sign: u16, room: &mut Elements) {
    for (index, word) in room.0.as_chunks_mut().0.iter_mut().take(8).enumerate() {
        let half_byte = (half_bytes >> (4 * index) & 15) as u16;
        *word = (half_byte ^ sign).wrapping_sub(sign).to_le_bytes();
    }
}

impl Recipe {
    /// Whether the bits of the source are those of the destination.
    #[inline(always)]
    fn is_copy(&self) -> bool {
        let (src, dst) = (self.source, self.destination);
        let are_integers = !src.is_float() && !dst.is_float() && src.log2_size() == dst.log2_size();
        (src == dst || are_integers)
            && !self.is_absolute.is_set()
            && !self.is_negated.is_set()
            && !self.is_saturated.is_set()
    }
}
