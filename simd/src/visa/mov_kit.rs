//! The test kit of `MOV`: every level's file runs its kernels through it, and every level runs whole instructions.

use std::collections::BTreeSet;
use std::io::Write as _;

use tandem_isa::visa::inst::mov::MOV;
use tandem_isa::visa::operand::{
    CODE_WORDS, DST, EXEC_MASK, EXEC_SIZE, OperandFields, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class,
};
use tandem_isa::visa::{DataType, ROW_BYTES, Small, VISA, Visa};
use tandem_isa::{Answer, Edition, Noise, RowSet, State, Step, Target};

use super::VisaSimd;
use super::mov::{Flag, Kernels, Number, Recipe, Rounding};
use super::mov_naive as naive;
use super::region::{BLOCK, Elements};
use crate::Level;

/// Says on the terminal, past the test harness, that nothing was tested.
pub(crate) fn not_run(name: &str) {
    writeln!(std::io::stderr(), "not run: MOV at level {name}, which this CPU lacks").expect("stderr is open");
}

const NUMBERS: [Number; 12] = [
    Number::Ub,
    Number::B,
    Number::Uw,
    Number::W,
    Number::Ud,
    Number::D,
    Number::Uq,
    Number::Q,
    Number::Hf,
    Number::Bf,
    Number::F,
    Number::Df,
];
const ROUNDINGS: [Rounding; 4] = [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::TowardZero];

/// Whether the type maps have a pair.
fn is_mapped(source: Number, destination: Number) -> bool {
    let is_xehp = |number| matches!(number, Number::F | Number::Bf);
    (source != Number::Bf && destination != Number::Bf) || (is_xehp(source) && is_xehp(destination))
}

// ------------------------------------------------------------------------------------------------ operands

/// A value of a type: often close to where a conversion changes, always of all kinds.
fn draw(number: Number, noise: &mut Noise) -> u64 {
    let bits = 8 << number.log2_size();
    let mask = u64::MAX >> (64 - bits);
    let random = noise.word();
    if !number.is_float() {
        return match noise.below(4) {
            0 => random & mask,
            // A few leading bits and their neighbours.
            1 => (1u64 << noise.below(64)).wrapping_add(random % 5).wrapping_sub(2) & mask,
            2 => (random >> noise.below(64)) & mask,
            _ => [0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1][noise.below(6)],
        };
    }
    let mantissa = match number {
        Number::Hf => 10,
        Number::Bf => 7,
        Number::F => 23,
        _ => 52,
    };
    let sign = random & 1 << (bits - 1);
    let bias = (1u64 << (bits - 2 - mantissa)) - 1;
    let exponent = match noise.below(6) {
        0 => 0,
        1 => 2 * bias + 1,
        // Where HF and F begin and end, and integers do.
        2 => bias.saturating_sub(160) + noise.below(320) as u64,
        3 => bias.saturating_sub(30) + noise.below(60) as u64,
        _ => (random >> mantissa) & (2 * bias + 1),
    };
    let exponent = exponent.min(2 * bias + 1);
    let tail = match noise.below(4) {
        0 => 0,
        // A few bits at the top or one beyond what stays.
        1 => (noise.bits(11) as u64) << mantissa >> 11,
        2 => ((random >> 20) & ((1 << mantissa) - 1)) & (u64::MAX << noise.below(mantissa)),
        _ => random & ((1 << mantissa) - 1),
    };
    let bits = sign | exponent << mantissa | tail;
    match noise.below(8) {
        0 => bits ^ 1,
        1 => bits | ((1 << mantissa) - 1) >> noise.below(mantissa),
        _ => bits,
    }
}

fn get(block: &[u8; BLOCK], number: Number, index: usize) -> u64 {
    let size = 1 << number.log2_size();
    (0..size).map(|byte| u64::from(block[index * size + byte]) << (8 * byte)).sum()
}

fn put(block: &mut [u8; BLOCK], number: Number, index: usize, bits: u64) {
    let size = 1 << number.log2_size();
    block[index * size..(index + 1) * size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

// ------------------------------------------------------------------------------------------------ kernels

/// All recipes of a pair, for 32 elements.
fn recipes(source: Number, destination: Number) -> Vec<Recipe> {
    let mut list = Vec::new();
    for (modes, rounding) in (0..32).flat_map(|modes| ROUNDINGS.map(|rounding| (modes, rounding))) {
        let has_bf = source == Number::Bf || destination == Number::Bf;
        let flag = |bit: u32| modes >> bit & 1 == 1;
        let recipe = Recipe {
            source,
            destination,
            rounding,
            is_absolute: Flag::new(flag(0)),
            is_negated: Flag::new(flag(1)),
            is_saturated: Flag::new(flag(2)),
            flushes_source: Flag::new(flag(3)),
            flushes_result: Flag::new(flag(4)),
            count: 32,
        };
        let is_no_float = (recipe.flushes_source.is_set() && !source.is_float())
            || (recipe.flushes_result.is_set() && !destination.is_float());
        let is_bf_refused =
            recipe.destination == Number::Bf && (recipe.is_saturated.is_set() || rounding != Rounding::Nearest);
        let is_bf_flushed = has_bf && (recipe.flushes_source.is_set() || recipe.flushes_result.is_set());
        // One type has one bit.
        let is_torn = source == destination && recipe.flushes_source.is_set() != recipe.flushes_result.is_set();
        let is_plain = source == destination && modes & 7 == 0;
        // Where nothing is rounded as the mode says, one mode has to do.
        let is_rounded = source.is_float() && destination.is_float() && destination.log2_size() < source.log2_size();
        let is_alike = !is_rounded && rounding != ROUNDINGS[modes & 3] && destination != Number::Bf;
        if !is_no_float && !is_bf_refused && !is_bf_flushed && !is_torn && !is_plain && !is_alike {
            list.push(recipe);
        }
    }
    list
}

fn check_block<K: Kernels>(kernels: K, recipe: &Recipe, block: &[u8; BLOCK]) {
    let mut to = Elements([0x5a; BLOCK]);
    kernels.convert(recipe, block, &mut to);
    for index in 0..recipe.count {
        let bits = get(block, recipe.source, index);
        let (got, expected) = (get(&to.0, recipe.destination, index), naive::convert(recipe, bits));
        assert_eq!(got, expected, "{bits:#x} became {got:#x}, not {expected:#x}: {recipe:?}");
    }
}

/// Runs the kernels of a level over every pair and mode: every value of up to 16 bits, and many of the others.
pub(crate) fn check_kernels<K: Kernels>(kernels: K) {
    let mut noise = Noise::new(0xc0);
    let mut block = [0; BLOCK];
    for source in NUMBERS {
        for destination in NUMBERS.into_iter().filter(|&destination| is_mapped(source, destination)) {
            for mut recipe in recipes(source, destination) {
                if source.log2_size() < 2 {
                    for first in (0..1u64 << (8 << source.log2_size())).step_by(32) {
                        (0..32).for_each(|index| put(&mut block, source, index, first + index as u64));
                        check_block(kernels, &recipe, &block);
                    }
                }
                for _ in 0..64 {
                    (0..32).for_each(|index| put(&mut block, source, index, draw(source, &mut noise)));
                    recipe.count = 1 << noise.below(6);
                    check_block(kernels, &recipe, &block);
                }
            }
        }
    }
}

/// Runs the masked stores of a level over all sizes and counts.
pub(crate) fn check_stores<K: Kernels>(kernels: K) {
    let mut noise = Noise::new(0x570);
    let mut from = Elements([0; BLOCK]);
    for (log2_size, log2_count) in (0..4).flat_map(|log2_size| (0..6).map(move |log2_count| (log2_size, log2_count))) {
        for repeat in 0..200 {
            from.0.iter_mut().for_each(|byte| *byte = noise.half() as u8);
            let before: Vec<u8> = (0..1usize << (log2_size + log2_count)).map(|_| noise.half() as u8).collect();
            let all = u32::MAX >> (32 - (1 << log2_count));
            let channels = if repeat == 0 { all } else { noise.bits(32) & all };
            let mut after = before.clone();
            kernels.store(log2_size, channels, &from, &mut after);
            for (byte, (&before, &after)) in before.iter().zip(&after).enumerate() {
                let is_open = channels >> (byte >> log2_size) & 1 == 1;
                assert_eq!(after, if is_open { from.0[byte] } else { before }, "byte {byte}, channels {channels:#x}");
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ instructions

fn run(level: Level, code: &[u32], before: &State, state: &mut State) -> Answer {
    state.copy_from(before);
    state.tracker.log.clear();
    let step = Step { instruction: &MOV, edition: Edition::Newest, code };
    VisaSimd::new(level).execute(&step, state)
}

fn rows(set: &RowSet) -> Vec<usize> {
    let mut rows = Vec::new();
    set.each(|row| rows.push(row));
    rows
}

fn randomize(state: &mut State, noise: &mut Noise) {
    for bytes in state.arena.chunks_exact_mut(8) {
        bytes.copy_from_slice(&noise.word().to_le_bytes());
    }
    for field in (VISA.layout.fields)() {
        field.set(&mut state.small, noise.bits(field.width).min(field.max));
    }
    let small: &mut Small = Visa::new(state).small;
    if noise.below(2) == 0 {
        small.em = u32::MAX;
    }
}

/// The types of a mapped pair.
fn draw_pair(noise: &mut Noise) -> [DataType; 2] {
    loop {
        let [source, destination] = [0; 2].map(|_| DataType::of_code(noise.bits(4)));
        if let (Some(src), Some(dst)) = (Number::of(source), Number::of(destination))
            && is_mapped(src, dst)
        {
            return [source, destination];
        }
    }
}

/// Makes an operand one that is likely to lie in the file.
fn place(
    fields: &OperandFields,
    code: &mut [u32],
    small: &mut Small,
    data_type: DataType,
    is_source: bool,
    noise: &mut Noise,
) {
    let size = data_type.bytes() as u16;
    let near_end = noise.below(8) == 0;
    let start = |noise: &mut Noise| {
        let start = if near_end { 8192 - 256 + noise.bits(8) } else { noise.bits(13) };
        start as u16 / size * size
    };
    if noise.below(3) != 0 {
        fields.class.set(code, class::GENERAL);
        let variable = noise.below(4);
        fields.id.set(code, 32 + variable as u32);
        // Sources come first; a variable that both name has the destination's type.
        small.variables[variable].data_type = data_type.code() as u16;
        small.variables[variable].offset = start(noise);
        fields.row_offset.set(code, noise.below(3) as u32);
        fields.col_offset.set(code, noise.below(8) as u32);
    } else {
        fields.class.set(code, class::INDIRECT);
        fields.id.set(code, noise.below(2) as u32);
        fields.data_type.set(code, data_type.code());
        fields.addr_offset.set(code, noise.below(4) as u32);
        fields.indirect_offset.set(code, (noise.bits(5) * u32::from(size)).wrapping_sub(u32::from(16 * size)));
        for address in small.addresses.as_flattened_mut() {
            *address = start(noise);
        }
    }
    let exec_size = EXEC_SIZE.get(code);
    let width = noise.below(exec_size.min(4) as usize + 1) as u32;
    fields.width.set(code, 2 + width);
    let horz = if is_source { noise.below(4) } else { 1 + noise.below(3) } as u32;
    fields.horz_stride.set(code, 1 + horz);
    fields.vert_stride.set(code, 1 + noise.below(7) as u32);
    if noise.below(2) == 0 {
        fields.horz_stride.set(code, 2);
        fields.vert_stride.set(code, 2 + width);
    }
    let rows = 1 << (exec_size - width);
    let is_indirect = fields.class.get(code) == class::INDIRECT;
    if is_source && is_indirect && noise.below(2) == 0 && fields.addr_offset.get(code) + rows <= 16 {
        fields.vert_stride.set(code, 0);
    }
}

/// A random instruction with its small state, mostly of a meaning; and its types.
fn draw_instruction(state: &mut State, noise: &mut Noise) -> ([u32; CODE_WORDS], [DataType; 2]) {
    let mut code = [0; CODE_WORDS];
    code[0] = MOV.base_code[0];
    let [source, destination] = draw_pair(noise);
    let small: &mut Small = Visa::new(state).small;
    let exec_size = noise.below(6) as u32;
    EXEC_SIZE.set(&mut code, exec_size);
    let step = ((1 << exec_size) / 4).max(1);
    EXEC_MASK.set(&mut code, (noise.bits(3) / step * step) | noise.bits(1) << 3);
    if noise.below(2) == 0 {
        PRED.id.set(&mut code, noise.below(5) as u32);
        PRED.combine.set(&mut code, noise.below(3) as u32);
        PRED.inverse.set(&mut code, noise.bits(1));
    }
    if noise.below(8) == 0 {
        SRC0.class.set(&mut code, class::IMMEDIATE);
        SRC0_CONST.data_type.set(&mut code, source.code());
        SRC0_CONST.low.set(&mut code, noise.bits(32));
        SRC0_CONST.high.set(&mut code, noise.bits(32));
    } else {
        place(&SRC0, &mut code, small, source, true, noise);
        SRC0.modifiers.set(&mut code, [0, 0, 1, 2, 3][noise.below(5)]);
    }
    place(&DST, &mut code, small, destination, false, noise);
    if destination == DataType::Bf {
        small.cr0 &= !0x30;
    } else {
        DST.modifiers.set(&mut code, [0, 0, 4][noise.below(3)]);
    }
    // The source's variable may have become the destination's.
    let source = naive::type_of(&SRC0, &code, small);
    fill_source(&code, state, source, noise);
    (code, [source, destination])
}

/// Puts values of a type where a source's elements are.
fn fill_source(code: &[u32], state: &mut State, source: DataType, noise: &mut Noise) {
    let Some(number) = Number::of(source) else { return };
    if SRC0.class.get(code) == class::IMMEDIATE {
        return;
    }
    let mut visa = Visa::new(state);
    for address in naive::addresses(&SRC0, code, visa.small, true) {
        let size = source.bytes();
        if let Some(place) = usize::try_from(address).ok().filter(|place| place + size <= 8192) {
            visa.grf_unmarked()[place..place + size].copy_from_slice(&draw(number, noise).to_le_bytes()[..size]);
        }
    }
}

/// What the agreed rules make of the small state and the code.
fn recipe_of(code: &[u32], small: &Small, [source, destination]: [DataType; 2]) -> Option<Recipe> {
    let (src, dst) = (Number::of(source)?, Number::of(destination)?);
    let flushes = |data_type| match data_type {
        DataType::Df => small.cr0 >> 6 & 1 == 0,
        DataType::F => small.cr0 >> 7 & 1 == 0,
        DataType::Hf => small.cr0 >> 10 & 1 == 0,
        _ => false,
    };
    let has_bf = source == DataType::Bf || destination == DataType::Bf;
    is_mapped(src, dst).then(|| Recipe {
        source: src,
        destination: dst,
        rounding: ROUNDINGS[(small.cr0 >> 4 & 3) as usize],
        is_absolute: Flag::new(SRC0.modifiers.get(code) & 1 == 1),
        is_negated: Flag::new(SRC0.modifiers.get(code) & 2 == 2),
        is_saturated: Flag::new(DST.modifiers.get(code) == 4),
        flushes_source: Flag::new(!has_bf && flushes(source)),
        flushes_result: Flag::new(!has_bf && flushes(destination)),
        count: 1 << EXEC_SIZE.get(code),
    })
}

#[test]
fn every_level_gives_the_state_and_log_that_the_rules_give() {
    Level::absent().into_iter().for_each(not_run);
    let mut noise = Noise::new(0x5eed);
    let (mut before, mut got) = (VISA.base_state(), VISA.base_state());
    let mut expected = VISA.base_state();
    let (mut compared, mut changed) = (0, 0);
    let mut pairs = BTreeSet::new();
    for case in 0..60_000 {
        if case % 16 == 0 {
            randomize(&mut before, &mut noise);
        }
        let (code, types) = draw_instruction(&mut before, &mut noise);
        let small = *Visa::new(&mut before).small;
        let Some(recipe) = recipe_of(&code, &small, types) else { continue };
        let Some((file, written)) = naive::execute(&code, &small, &before.arena, &recipe) else { continue };
        compared += 1;
        changed += usize::from(!written.is_empty());
        pairs.insert(types.map(|data_type| data_type.name()));
        let _ = run(Level::Portable, &code, &before, &mut expected);
        let written: BTreeSet<usize> = written.into_iter().map(|byte| byte / ROW_BYTES).collect();
        for level in Level::detect_all() {
            let what = format!("{level} case {case} {code:x?} {recipe:?}");
            assert_eq!(run(level, &code, &before, &mut got), Answer::Done, "{what}");
            assert!(got.arena[..] == file[..], "the file differs: {what}");
            assert!(got.small[..] == before.small[..], "small state differs: {what}");
            assert_eq!(rows(&got.tracker.log.written), Vec::from_iter(written.iter().copied()), "{what}");
            assert_eq!(rows(&got.tracker.log.read), rows(&expected.tracker.log.read), "{what}");
        }
    }
    assert_eq!(pairs.len(), 11 * 11 + 3, "pairs of types");
    assert!(compared > 40_000 && changed > 30_000, "{compared} compared, {changed} changed something");
}

#[test]
fn predicate_sources_are_their_declared_elements() {
    let mut noise = Noise::new(0xb001);
    let (mut before, mut got) = (VISA.base_state(), VISA.base_state());
    for log2_num_elements in 0..6 {
        for (data_type, bytes) in [(DataType::Ub, 1), (DataType::Uw, 2), (DataType::Ud, 4)] {
            for level in Level::detect_all() {
                let value = noise.bits(32);
                let small: &mut Small = Visa::new(&mut before).small;
                small.predicates[2].value = value;
                small.predicates[2].log2_num_elements = log2_num_elements;
                small.variables[1].data_type = data_type.code() as u16;
                let mut code = [0; CODE_WORDS];
                code.copy_from_slice(MOV.base_code);
                SRC0.class.set(&mut code, class::PREDICATE);
                SRC0_PREDICATE.id.set(&mut code, 3);
                DST.id.set(&mut code, 33);
                assert_eq!(run(level, &code, &before, &mut got), Answer::Done);
                let elements = u64::from(value) & ((1 << (1 << log2_num_elements)) - 1);
                let place = 1024..1024 + bytes;
                assert_eq!(got.arena[place], elements.to_le_bytes()[..bytes], "{level} {log2_num_elements}");
                assert_eq!(rows(&got.tracker.log.written), [32]);
            }
        }
    }
}

#[test]
fn no_level_panics_on_what_is_no_state_and_no_instruction() {
    let mut noise = Noise::new(0xbad);
    let (mut before, mut got) = (VISA.base_state(), VISA.base_state());
    let mut done = 0;
    for _ in 0..40_000 {
        before.small.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
        let mut code = [0; CODE_WORDS].map(|_: u32| noise.bits(32));
        // Without a little help, hardly anything gets past the decoder.
        for (fields, general) in [(&DST, noise.below(4)), (&SRC0, noise.below(4))] {
            if general != 0 {
                fields.class.set(&mut code, [class::GENERAL, class::INDIRECT, class::PREDICATE][general - 1]);
                fields.id.set(&mut code, 31 * u32::from(general == 1) + noise.below(3) as u32);
                fields.addr_offset.set(&mut code, noise.below(20) as u32);
                for field in [fields.width, fields.vert_stride, fields.horz_stride] {
                    field.set(&mut code, noise.below(8) as u32);
                }
            }
        }
        PRED.id.set(&mut code, noise.below(7) as u32);
        let expected = run(Level::Portable, &code, &before, &mut got);
        done += usize::from(expected == Answer::Done);
        for level in Level::detect_all() {
            assert_eq!(run(level, &code, &before, &mut got), expected);
        }
    }
    for words in [0, 1, 12, 14] {
        let code = vec![0; words];
        assert_eq!(run(Level::Portable, &code, &before, &mut got), Answer::Unsupported);
    }
    assert!(done > 300, "{done} done");
}

/// Runs `work` with a control register of the SSE unit, and puts back the one that was there.
#[cfg(target_arch = "x86_64")]
fn with_mxcsr<T>(mxcsr: u32, work: impl FnOnce() -> T) -> T {
    let mut old = 0u32;
    // SAFETY: one reads and one writes the register from and to a variable; exceptions stay masked.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut old, options(nostack));
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack));
    }
    let result = std::hint::black_box(work());
    // SAFETY: as above.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const old, options(nostack)) };
    result
}

#[cfg(target_arch = "x86_64")]
#[test]
fn results_do_not_depend_on_what_the_host_is_set_to() {
    const MASKED: u32 = 0x1f80;
    const FTZ_DAZ: u32 = 0x8040;
    let mut noise = Noise::new(0x1f80);
    let (mut before, mut expected, mut got) = (VISA.base_state(), VISA.base_state(), VISA.base_state());
    for case in 0..20_000 {
        if case % 16 == 0 {
            randomize(&mut before, &mut noise);
        }
        let (code, types) = draw_instruction(&mut before, &mut noise);
        for level in Level::detect_all() {
            let answer = run(level, &code, &before, &mut expected);
            for (rounding, flushing) in (0..4).flat_map(|mode| [(mode << 13, FTZ_DAZ), (mode << 13, 0)]) {
                let hostile = MASKED | rounding | flushing;
                let hostile_answer = with_mxcsr(hostile, || run(level, &code, &before, &mut got));
                assert_eq!(hostile_answer, answer);
                assert!(got.arena[..] == expected.arena[..], "{level} {types:?} {code:x?} under {hostile:#x}");
            }
        }
    }
}
