//! `DPAS`: systolic dot products, accumulated.
//!
//! The code words and the small state are decoded once: what elements are and how they are summed ([`Recipe`]), and where
//! the operands begin ([`Places`]). The kernel (`dpas_rows.rs`) has a window of the file for each source, and makes up to
//! eight rows of the destination at the level.
//!
//! What differs from the page (DPAS at commit 98fff716), and why it is equal:
//! 1. `K` products a row stand for depths of `OPS_PER_CHAN` products each. The elements of `Src1` that a channel has are
//!    one string of bits through the double words of successive registers, of which each depth takes the next ones: so
//!    neither `m` nor `n` of the pseudo-code is needed.
//! 2. A kernel reads everything before it writes anything; what is repeated more than eight times is read from a copy of
//!    the file.
//! 3. Windows are longer than operands, and kernels may make all eight rows of a block: what does not belong to the
//!    instruction is not written. What is marked as read is what the operands are.
//! 4. A null accumulator is a block of zeros of 32 bits: integer 0 and +0 are the same bits.
//! 5. Whether anything is flushed, of which operands and results, is decided once, of the types that these have here: by
//!    the model, by the bits of `%cr0`, and for types without a bit by nothing.
//! 6. What the pages forbid or leave open is executed if it means anything here, and else refused: depths below 8 and
//!    precisions of one bit are as the pseudo-code has them, the execution mask, the platform and the offset of the null
//!    variable are ignored, and operands may begin anywhere in the file.

use tandem_isa::visa::model::{Src2Pitch, Tf32};
use tandem_isa::visa::operand::dpas::{A, CODE_WORDS, DST, NULL_VARIABLE, RC, RawFields, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{EXEC_SIZE, SRC2, class};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable, ROW_BYTES, Small, Visa};
use tandem_isa::{Answer, State, Step};

use super::dpas_floats::floats;
use super::dpas_recipe::{ACTIVATIONS, BLOCK, Datum, Finish, Float, Flushed, Integer, MOST_ROWS, Places, Recipe, Work};
use super::dpas_rows::Products;
use crate::vector::Task;

/// Where an operand lies in the file, if it lies in it.
#[derive(Clone, Copy)]
struct Span {
    /// Its first byte.
    start: usize,
    /// Bytes that belong to it; not 0.
    len: usize,
}

impl Span {
    /// The first row of the bank, and the number of rows.
    #[inline(always)]
    fn rows(self) -> (usize, usize) {
        let first = self.start / ROW_BYTES;
        (first, (self.start + self.len - 1) / ROW_BYTES + 1 - first)
    }

    /// Whether it lies in the file.
    #[inline(always)]
    fn is_in_file(self) -> bool {
        self.start + self.len <= GRF_BYTES
    }
}

/// A decoded instruction.
#[derive(Clone, Copy)]
struct Instruction {
    /// What is multiplied, and how it is summed.
    work: Work,
    recipe: Recipe,
    /// All rows; the recipe's number is that of one block.
    repeat_count: usize,
    destination: Span,
    accumulators: Option<Span>,
    weights: Span,
    activations: Span,
}

/// `DPAS`.
pub(crate) struct Dpas<'a, 'c> {
    pub(super) step: &'a Step<'c>,
}

impl<V: Products> Task<V> for Dpas<'_, '_> {
    type On = State;
    type Output = Answer;

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level, state: &mut State) -> Answer {
        execute::<V>(level, self.step, state)
    }
}

#[inline(always)]
fn execute<V: Products>(level: V::Level, step: &Step<'_>, state: &mut State) -> Answer {
    let Ok(code) = <&[u32; CODE_WORDS]>::try_from(step.code) else { return Answer::Unsupported };
    let mut visa = Visa::new(state);
    if RC.get(code) == 0 {
        return Answer::Done;
    }
    let Some(pair) = Pair::of_code(code) else { return Answer::Unsupported };
    // Each with code of its own, so that integers do not carry along what floats need. That, and that nothing which is decoded
    // lies in memory, takes an eighth off all of `s8` × `s8`.
    match pair.work(visa.small) {
        Some(work @ Work::Integers { .. }) => execute_work::<V>(level, code, pair, work, &mut visa),
        Some(work) => execute_work::<V>(level, code, pair, work, &mut visa),
        None => Answer::Unsupported,
    }
}

#[inline(always)]
fn execute_work<V: Products>(
    level: V::Level,
    code: &[u32; CODE_WORDS],
    pair: &Pair,
    work: Work,
    visa: &mut Visa<'_>,
) -> Answer {
    let Some(instruction) = decode(code, pair, work, visa.small) else { return Answer::Unsupported };
    if !instruction.is_one_block() {
        return execute_from_copy::<V>(level, code, visa);
    }
    instruction.mark(visa);
    rows::<V>(level, instruction.work, instruction.recipe, instruction.places(0), visa.grf_unmarked());
    Answer::Done
}

/// Makes rows in the file. Everything is read before anything is written. What a kernel is given is given by value down to
/// its call, so that it is put into memory there, and for no other kernel.
#[inline(always)]
fn rows<V: Products>(level: V::Level, work: Work, recipe: Recipe, places: Places, file: &mut [u8]) {
    match work {
        Work::Integers { weights, activations } => V::integers(level, recipe, (weights, activations), places, file),
        Work::Floats { float, sum, finish } => floats::<V>(level, recipe, (float, sum, finish), places, file),
    }
}

/// Makes rows block by block, each in a copy of the file as it was, which does not end where a window still goes on. It
/// decodes anew: an instruction that is handed over lies in memory, and would do so where it is not handed over, too.
#[cold]
#[inline(never)]
fn execute_from_copy<V: Products>(level: V::Level, code: &[u32; CODE_WORDS], visa: &mut Visa<'_>) -> Answer {
    let instruction = Pair::of_code(code).and_then(|pair| decode(code, pair, pair.work(visa.small)?, visa.small));
    let Some(instruction) = instruction else { return Answer::Unsupported };
    let spans = [instruction.weights, instruction.activations, instruction.destination];
    if !spans.into_iter().chain(instruction.accumulators).all(Span::is_in_file) {
        return Answer::Unsupported;
    }
    instruction.mark(visa);
    let file = visa.grf_unmarked();
    let before = *file;
    let mut recipe = instruction.recipe;
    for first in (0..instruction.repeat_count).step_by(MOST_ROWS) {
        let mut copy = [0; GRF_BYTES + BLOCK];
        copy[..GRF_BYTES].copy_from_slice(&before);
        recipe.num_rows = (instruction.repeat_count - first).min(MOST_ROWS);
        let places = instruction.places(first);
        rows::<V>(level, instruction.work, recipe, places, &mut copy);
        recipe.destination_of(&places, file).copy_from_slice(recipe.destination_of(&places, &mut copy));
    }
    Answer::Done
}

impl Instruction {
    /// Whether there is one block, of which all windows end within the file. No operand is longer than its window.
    #[inline(always)]
    fn is_one_block(&self) -> bool {
        self.repeat_count <= MOST_ROWS
            && self.weights.start <= GRF_BYTES - BLOCK
            && self.activations.start <= GRF_BYTES - ACTIVATIONS
            && self.accumulators.is_none_or(|span| span.start <= GRF_BYTES - BLOCK)
            && self.destination.is_in_file()
    }

    /// Marks what is read and what is written.
    #[inline(always)]
    fn mark(&self, visa: &mut Visa<'_>) {
        for span in [Some(self.weights), Some(self.activations), self.accumulators] {
            if let Some((row, count)) = span.map(Span::rows) {
                visa.mark_read(row, count);
            }
        }
        let (row, count) = self.destination.rows();
        visa.mark_written(row, count);
    }

    /// The places of the block that begins with row `first`, a multiple of eight.
    #[inline(always)]
    fn places(&self, first: usize) -> Places {
        let Recipe { channels, pitch, source, destination, .. } = self.recipe;
        Places {
            weights: self.weights.start,
            activations: self.activations.start + first / MOST_ROWS * pitch,
            accumulators: self.accumulators.map(|span| span.start + first * channels * source.bytes()),
            destination: self.destination.start + first * channels * destination.bytes(),
        }
    }
}

/// What two precisions are together.
#[derive(Clone, Copy)]
enum Kind {
    /// Nothing.
    None,
    /// Integers.
    Integers,
    /// A pair of `bf`.
    Bf,
    /// A pair of `hf`.
    Hf,
    /// A pair of `tf32`.
    Tf32,
}

/// Two precisions.
#[derive(Clone, Copy)]
struct Pair {
    kind: Kind,
    weights: Integer,
    activations: Integer,
    ops_per_chan: u8,
}

/// What codes of two precisions are together, that of activations first.
static PAIRS: [[Pair; 16]; 16] = {
    let mut pairs = [[Pair::of(None, None); 16]; 16];
    let mut place = 0;
    while place < 256 {
        let (a, w) = (place / 16, place % 16);
        pairs[a][w] = Pair::of(Precision::of_code(w as u32), Precision::of_code(a as u32));
        place += 1;
    }
    pairs
};

impl Pair {
    const fn of(w: Option<Precision>, a: Option<Precision>) -> Self {
        let none = Integer { bits: 0, is_signed: false };
        let mut pair = Pair { kind: Kind::None, weights: none, activations: none, ops_per_chan: 0 };
        let (Some(w), Some(a)) = (w, a) else { return pair };
        pair.weights = Integer::of(w);
        pair.activations = Integer::of(a);
        (pair.kind, pair.ops_per_chan) = match (w, a) {
            (Precision::Bf, Precision::Bf) => (Kind::Bf, 2),
            (Precision::Hf, Precision::Hf) => (Kind::Hf, 2),
            (Precision::Tf32, Precision::Tf32) => (Kind::Tf32, 1),
            _ if matches!(w.kind(), PrecisionKind::Float) || matches!(a.kind(), PrecisionKind::Float) => {
                (Kind::None, 0)
            }
            _ if w.bits() == 8 || a.bits() == 8 => (Kind::Integers, 4),
            _ => (Kind::Integers, 8),
        };
        pair
    }
}

/// Sizes of elements in general variables by the codes of types, in bytes.
static SIZES: [u8; 16] = {
    let mut sizes = [0; 16];
    let mut code = 0;
    while code < 16 {
        sizes[code] = DataType::of_code(code as u32).bytes() as u8;
        code += 1;
    }
    sizes
};

#[inline(always)]
fn decode(code: &[u32; CODE_WORDS], pair: &Pair, mut work: Work, small: &Small) -> Option<Instruction> {
    let channels = match (EXEC_SIZE.get(code), small.grf_size & 1) {
        (3, 0) => 8,
        (4, 1) => 16,
        _ => return None,
    };
    // A channel has a double word in each register.
    let register = 4 * channels;
    let depth = SD.get(code) as usize;
    if depth > 8 || !depth.is_power_of_two() {
        return None;
    }
    let repeat_count = RC.get(code) as usize;
    let (w, a) = (usize::from(pair.weights.bits), usize::from(pair.activations.bits));
    let ops_per_chan = usize::from(pair.ops_per_chan);
    let num_products = depth * ops_per_chan;
    let row = num_products * a;
    // With a depth of 8 these are the same.
    let pitch = if depth == 8 || small.model_src2_pitch() == Src2Pitch::Code { row } else { 8 * ops_per_chan * a };

    let (dst, destination) = raw(&DST, code, small)?;
    let destination_datum = datum(work, destination)?;
    let (accumulators, source) = if SRC0.id.get(code) == NULL_VARIABLE {
        (None, Datum::Word)
    } else {
        let (start, variable) = raw(&SRC0, code, small)?;
        let datum = datum(work, variable)?;
        (Some(Span { start, len: repeat_count * channels * datum.bytes() }), datum)
    };
    if let Work::Floats { float, finish, .. } = &mut work {
        finish.flushed = Flushed::of(small, *float, source, destination_datum);
    }
    let (src1, _) = raw(&SRC1, code, small)?;
    let registers = (num_products * w).div_ceil(32);
    let src2 = activations_start(code, small, register)?;
    Some(Instruction {
        work,
        recipe: Recipe {
            num_products,
            channels,
            pitch,
            num_rows: repeat_count.min(MOST_ROWS),
            source,
            destination: destination_datum,
        },
        repeat_count,
        destination: Span { start: dst, len: repeat_count * channels * destination_datum.bytes() },
        accumulators,
        weights: Span { start: src1, len: registers * register },
        activations: Span { start: src2, len: ((repeat_count - 1) * pitch + row).div_ceil(8) },
    })
}

impl Pair {
    /// That of an instruction, if its precisions have a code.
    #[inline(always)]
    fn of_code(code: &[u32; CODE_WORDS]) -> Option<&'static Self> {
        PAIRS.get(A.get(code) as usize)?.get(W.get(code) as usize)
    }

    /// What the precisions mean together, if anything. What is flushed is the types' to say.
    #[inline(always)]
    fn work(&self, small: &Small) -> Option<Work> {
        let float = match self.kind {
            Kind::None => return None,
            Kind::Integers => return Some(Work::Integers { weights: self.weights, activations: self.activations }),
            Kind::Bf => Float::Bf,
            Kind::Hf => Float::Hf,
            Kind::Tf32 => Float::Tf32(match small.model_tf32() {
                Tf32::Full => u32::MAX,
                Tf32::Truncated => u32::MAX << 13,
            }),
        };
        let finish = Finish { flushed: Flushed::default(), nan: small.model_nan(), guard: small.model_guard() };
        Some(Work::Floats { float, sum: small.model_sum(), finish })
    }
}

/// What a variable's type means in the table of legal combinations, if anything.
#[inline(always)]
fn datum(work: Work, variable: &GeneralVariable) -> Option<Datum> {
    const D: u32 = DataType::D.code();
    const UD: u32 = DataType::Ud.code();
    const F: u32 = DataType::F.code();
    const BF: u32 = DataType::Bf.code();
    const HF: u32 = DataType::Hf.code();
    match (work, u32::from(variable.data_type) & 15) {
        (Work::Integers { .. }, D | UD) | (Work::Floats { .. }, F) => Some(Datum::Word),
        (Work::Floats { float: Float::Bf, .. }, BF) => Some(Datum::Bf),
        (Work::Floats { float: Float::Hf, .. }, HF) => Some(Datum::Hf),
        _ => None,
    }
}

/// The general variable of a number, if a case has it.
#[inline(always)]
fn general(small: &Small, id: u32) -> Option<&GeneralVariable> {
    small.variables.get(id.wrapping_sub(FIRST_GENERAL) as usize)
}

/// Where a raw operand begins, and its variable.
#[inline(always)]
fn raw<'a>(fields: &RawFields, code: &[u32], small: &'a Small) -> Option<(usize, &'a GeneralVariable)> {
    let variable = general(small, fields.id.get(code))?;
    Some((usize::from(variable.offset) + fields.offset.get(code) as usize, variable))
}

/// Where `Src2` begins.
#[inline(always)]
fn activations_start(code: &[u32], small: &Small, register: usize) -> Option<usize> {
    if SRC2.class.get(code) != class::GENERAL {
        return None;
    }
    let variable = general(small, SRC2.id.get(code))?;
    let rows = SRC2.row_offset.get(code) as usize * register;
    let columns = SRC2.col_offset.get(code) as usize * usize::from(SIZES[usize::from(variable.data_type & 15)]);
    Some(usize::from(variable.offset) + rows + columns)
}
