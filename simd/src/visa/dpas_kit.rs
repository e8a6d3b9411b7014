//! The test kit of `DPAS`: every level's file runs whole instructions through it.
//!
//! The oracle takes one element at a time out of a copy of the file, as the pseudo-code names them, and sums with host
//! floats, set as a program finds them; the exact sum of a row is counted bit by bit.

use std::collections::BTreeSet;
use std::io::Write as _;

use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::visa::model::{OneBit, Src2Pitch, Sum, Tf32};
use tandem_isa::visa::operand::dpas::{A, CODE_WORDS, DST, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{EXEC_SIZE, SRC2};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, GRF_BYTES, ROW_BYTES, Small, VISA, Visa};
use tandem_isa::{Answer, Edition, Noise, RowSet, State, Step, Target};

use super::VisaSimd;
use crate::Level;

/// Says on the terminal, past the test harness, that nothing was tested.
pub(crate) fn not_run(name: &str) {
    writeln!(std::io::stderr(), "not run: DPAS at level {name}, which this CPU lacks").expect("stderr is open");
}

// ------------------------------------------------------------------------------------------------ the oracle

fn bits(file: &[u8], first_bit: usize, count: usize) -> u32 {
    (0..count).map(|bit| u32::from(file[(first_bit + bit) / 8] >> ((first_bit + bit) % 8) & 1) << bit).sum()
}

fn integer(precision: Precision, bits: u32) -> i64 {
    let width = precision.bits();
    let is_negative = precision.kind() == PrecisionKind::Signed && bits >> (width - 1) == 1;
    i64::from(bits) - if is_negative { 1 << width } else { 0 }
}

fn single(precision: Precision, bits: u32, tf32: Tf32) -> f32 {
    match precision {
        Precision::Bf => half::bf16::from_bits(bits as u16).to_f32(),
        Precision::Hf => half::f16::from_bits(bits as u16).to_f32(),
        _ if tf32 == Tf32::Truncated => f32::from_bits(bits & 0xffff_e000),
        _ => f32::from_bits(bits),
    }
}

fn datum(data_type: DataType, bits: u32) -> f32 {
    match data_type {
        DataType::Hf => half::f16::from_bits(bits as u16).to_f32(),
        DataType::Bf => half::bf16::from_bits(bits as u16).to_f32(),
        _ => f32::from_bits(bits),
    }
}

/// How often each power of two from 2^-320 on is in a sum.
struct Counts([i64; 640]);

impl Counts {
    fn add(&mut self, factors: &[f32]) {
        let (mut significand, mut exponent, mut sign) = (1u64, 320i32, 1);
        for factor in factors {
            let bits = factor.to_bits();
            let field = (bits >> 23 & 0xff) as i32;
            significand *= u64::from(bits & 0x7f_ffff) + if field == 0 { 0 } else { 1 << 23 };
            exponent += field.max(1) - 150;
            sign = if bits >> 31 == 1 { -sign } else { sign };
        }
        for bit in 0..64 {
            if significand >> bit & 1 == 1 {
                self.0[(exponent + bit) as usize] += sign;
            }
        }
    }

    /// The sum, by comparing it with halves between neighbours: its leading bits, and whether anything follows.
    fn rounded(mut self) -> f32 {
        let carry = |digits: &mut [i64; 640]| {
            for place in 0..639 {
                let carry = digits[place].div_euclid(2);
                digits[place] -= 2 * carry;
                digits[place + 1] += carry;
            }
        };
        carry(&mut self.0);
        let is_negative = self.0[639] < 0;
        if is_negative {
            self.0.iter_mut().for_each(|digit| *digit = -*digit);
            carry(&mut self.0);
        }
        let Some(top) = self.0.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        // The place of the last bit that an F keeps; 2^-149 at least.
        let last = (top as i32 - 23).max(320 - 149) as usize;
        let digit = |place: usize| self.0[place] as u64;
        let kept: u64 = (last..=top.max(last)).map(|place| digit(place) << (place - last)).sum();
        let is_half = digit(last - 1) == 1;
        let is_more = (0..last - 1).any(|place| digit(place) == 1);
        let rounded = kept + u64::from(is_half && (is_more || kept & 1 == 1));
        // Exact in a DF, unless it is beyond every F anyway.
        let exponent = last as i32 - 320;
        let magnitude = if exponent > 200 { f64::INFINITY } else { rounded as f64 * 2f64.powi(exponent) };
        if is_negative { -magnitude as f32 } else { magnitude as f32 }
    }
}

fn exact(accumulator: f32, pairs: &[(f32, f32)]) -> f32 {
    let products: Vec<f32> = pairs.iter().map(|(a, b)| a * b).collect();
    let is_special = |a: &f32| !a.is_finite();
    // Only infinite or no factors make a product that is none; an overflow does not.
    if is_special(&accumulator) || pairs.iter().any(|(a, b)| is_special(a) || is_special(b)) {
        let infinite_or_zero = pairs.iter().map(|(a, b)| if is_special(a) || is_special(b) { a * b } else { 0.0 });
        return infinite_or_zero.fold(if is_special(&accumulator) { accumulator } else { 0.0 }, |sum, term| sum + term);
    }
    let is_zero = accumulator == 0.0 && pairs.iter().all(|&(a, b)| a == 0.0 || b == 0.0);
    if is_zero && accumulator.is_sign_negative() && products.iter().all(|product| product.is_sign_negative()) {
        return -0.0;
    }
    let mut counts = Counts([0; 640]);
    counts.add(&[accumulator]);
    pairs.iter().for_each(|&(a, b)| counts.add(&[a, b]));
    counts.rounded()
}

fn summed(sum: Sum, ops: usize, accumulator: f32, pairs: &[(f32, f32)]) -> f32 {
    match sum {
        Sum::Sequential => pairs.iter().fold(accumulator, |acc, (a, b)| acc + a * b),
        Sum::Fused => pairs.iter().fold(accumulator, |acc, (a, b)| a.mul_add(*b, acc)),
        Sum::Pairwise if ops == 1 => pairs.iter().fold(accumulator, |acc, (a, b)| acc + a * b),
        Sum::Pairwise => {
            pairs.chunks(2).fold(accumulator, |acc, two| acc + (two[0].0 * two[0].1 + two[1].0 * two[1].1))
        }
        Sum::SingleRounding => exact(accumulator, pairs),
    }
}

fn narrowed(data_type: DataType, value: f32) -> u32 {
    match data_type {
        DataType::Hf if value.is_nan() => 0x7e00,
        DataType::Bf if value.is_nan() => 0x7fc0,
        DataType::Hf => half::f16::from_f32(value).to_bits().into(),
        DataType::Bf => half::bf16::from_f32(value).to_bits().into(),
        _ if value.is_nan() => 0x7fc0_0000,
        _ => value.to_bits(),
    }
}

/// A case: the fields by name, and where the operands begin, in the order `Dst`, `Src0`, `Src1`, `Src2`.
#[derive(Clone, Copy, Debug)]
struct Case {
    w: Precision,
    a: Precision,
    depth: usize,
    repeat: usize,
    channels: usize,
    types: [DataType; 2],
    has_src0: bool,
    sum: Sum,
    tf32: Tf32,
    pitch: Src2Pitch,
    starts: [usize; 4],
}

impl Case {
    fn ops(&self) -> usize {
        match (self.w.bits(), self.a.bits()) {
            (32, _) => 1,
            (16, _) => 2,
            (8, _) | (_, 8) => 4,
            _ => 8,
        }
    }

    /// Bytes of the operands.
    fn lengths(&self) -> [usize; 4] {
        let per_channel = 32 / (self.ops() * self.w.bits() as usize);
        let row = self.depth * self.ops();
        let pitch = if self.pitch == Src2Pitch::Code { row } else { 8 * self.ops() };
        [
            self.repeat * self.channels * self.types[0].bytes(),
            if self.has_src0 { self.repeat * self.channels * self.types[1].bytes() } else { 0 },
            self.depth.div_ceil(per_channel) * self.channels * 4,
            (((self.repeat - 1) * pitch + row) * self.a.bits() as usize).div_ceil(8),
        ]
    }

    /// The file afterwards, by the pseudo-code.
    fn expected(&self, file: &[u8]) -> Vec<u8> {
        let mut after = file.to_vec();
        let (ops, [w_bits, a_bits]) = (self.ops(), [self.w, self.a].map(|precision| precision.bits() as usize));
        let per_channel = 32 / (ops * w_bits);
        let mut k = 0;
        for r in 0..self.repeat {
            if self.pitch == Src2Pitch::Prose {
                k = r * 8 * ops;
            }
            for i in 0..self.channels {
                let mut pairs = Vec::new();
                for d in 0..self.depth {
                    let (m, n) = (d / per_channel, d % per_channel * ops);
                    for o in 0..ops {
                        let dw = self.starts[2] + 4 * (m * self.channels + i);
                        let b = bits(file, 8 * dw + (n + o) * w_bits, w_bits);
                        let a = bits(file, 8 * self.starts[3] + (k + d * ops + o) * a_bits, a_bits);
                        pairs.push((a, b));
                    }
                }
                let size = self.types[1].bytes();
                let c = if self.has_src0 {
                    bits(file, 8 * (self.starts[1] + (r * self.channels + i) * size), 8 * size)
                } else {
                    0
                };
                let result = if self.w.kind() == PrecisionKind::Float {
                    let pairs: Vec<(f32, f32)> = pairs
                        .iter()
                        .map(|&(a, b)| (single(self.a, a, self.tf32), single(self.w, b, self.tf32)))
                        .collect();
                    let c = if self.has_src0 { datum(self.types[1], c) } else { 0.0 };
                    narrowed(self.types[0], summed(self.sum, ops, c, &pairs))
                } else {
                    let sum: i64 = pairs.iter().map(|&(a, b)| integer(self.a, a) * integer(self.w, b)).sum();
                    (i64::from(c) + sum) as u32
                };
                let size = self.types[0].bytes();
                let place = self.starts[0] + (r * self.channels + i) * size;
                after[place..place + size].copy_from_slice(&result.to_le_bytes()[..size]);
            }
            k += self.depth * ops;
        }
        after
    }

    /// The code words; the small state is made to fit.
    fn encode(&self, small: &mut Small, noise: &mut Noise) -> [u32; CODE_WORDS] {
        let mut code: [u32; CODE_WORDS] = DPAS.base_code.try_into().expect("as many words");
        W.set(&mut code, self.w.code());
        A.set(&mut code, self.a.code());
        SD.set(&mut code, self.depth as u32);
        RC.set(&mut code, self.repeat as u32);
        EXEC_SIZE.set(&mut code, if self.channels == 8 { 3 } else { 4 });
        small.grf_size = u32::from(self.channels == 16);
        small.platform = u32::from(self.depth == 8);
        small.cr0 = noise.bits(32) & tandem_isa::visa::cr0::MODELLED;
        small.set_model_sum(self.sum);
        small.set_model_tf32(self.tf32);
        small.set_model_src2_pitch(self.pitch);
        small.set_model_one_bit(OneBit::Code);
        let types = [self.types[0], self.types[1], DataType::D, DataType::Ud];
        for (index, (start, data_type)) in self.starts.into_iter().zip(types).enumerate() {
            let variable = &mut small.variables[index];
            variable.data_type = data_type.code() as u16;
            variable.num_elements = 4096;
            variable.offset = start as u16;
        }
        for (index, fields) in (0..).zip([DST, SRC0, SRC1]) {
            fields.id.set(&mut code, 32 + index);
            let lead = (noise.below(3) * 4 * self.channels).min(self.starts[index as usize]);
            small.variables[index as usize].offset -= lead as u16;
            fields.offset.set(&mut code, lead as u32);
        }
        if !self.has_src0 {
            SRC0.id.set(&mut code, 0);
        }
        SRC2.id.set(&mut code, 35);
        let (rows, columns) = (noise.below(2), noise.below(5));
        if let Some(offset) = self.starts[3].checked_sub(rows * 4 * self.channels + 4 * columns) {
            small.variables[3].offset = offset as u16;
            SRC2.row_offset.set(&mut code, rows as u32);
            SRC2.col_offset.set(&mut code, columns as u32);
        }
        code
    }
}

// ------------------------------------------------------------------------------------------------ cases

/// The bits of an `F`, of all kinds, often near others.
pub(crate) fn draw_single(noise: &mut Noise) -> u32 {
    let random = noise.bits(32);
    let exponent = match noise.below(8) {
        0 => 0,
        1 => 255,
        2 => 1 + noise.below(3) as u32,
        3 => 252 + noise.below(3) as u32,
        4 => 50 + noise.below(30) as u32,
        5 => 120 + noise.below(16) as u32,
        6 => 127,
        _ => random >> 23 & 255,
    };
    let mantissa = match noise.below(5) {
        0 => 0,
        1 => 0x7f_ffff << noise.below(24) & 0x7f_ffff,
        2 => 0x7f_0000 & random,
        _ => random & 0x7f_ffff,
    };
    (random & 1 << 31) | exponent << 23 | mantissa
}

/// Fills an operand with floats of a size, of a few kinds: wild ones, those close to one, few values with their negatives.
fn fill_floats(file: &mut [u8], size: usize, is_hf: bool, kind: usize, noise: &mut Noise) {
    let common = draw_single(noise);
    for bytes in file.chunks_exact_mut(size) {
        let bits = match kind {
            0 => draw_single(noise),
            1 => (noise.bits(1) << 31) | (120 + noise.below(12) as u32) << 23 | noise.bits(23),
            2 => (noise.bits(1) << 31) ^ common ^ noise.bits(1) << 16,
            _ => [0, 1 << 31][noise.below(2)] | [0, 0, 0, 0x3f80_0000][noise.below(4)],
        };
        let bits = match (size, is_hf) {
            (4, _) => bits,
            // Any bits, or those of a value.
            (_, true) if kind == 0 => noise.bits(16),
            (_, true) => half::f16::from_f32(f32::from_bits(bits)).to_bits().into(),
            _ => bits >> 16,
        };
        bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
}

const INTEGERS: [Precision; 8] = [
    Precision::U1,
    Precision::S1,
    Precision::U2,
    Precision::S2,
    Precision::U4,
    Precision::S4,
    Precision::U8,
    Precision::S8,
];

/// Every pair of precisions with a meaning.
fn pairs() -> Vec<(Precision, Precision)> {
    let integers = INTEGERS.into_iter().flat_map(|w| INTEGERS.map(|a| (w, a)));
    integers.chain([Precision::Bf, Precision::Hf, Precision::Tf32].map(|both| (both, both))).collect()
}

fn draw_case((w, a): (Precision, Precision), repeat: usize, noise: &mut Noise) -> Case {
    let legal: &[DataType] = match w {
        Precision::Bf => &[DataType::F, DataType::Bf],
        Precision::Hf => &[DataType::F, DataType::Hf],
        Precision::Tf32 => &[DataType::F],
        _ => &[DataType::D, DataType::Ud],
    };
    let mut case = Case {
        w,
        a,
        depth: [8, 8, 1, 2, 4][noise.below(5)],
        repeat,
        channels: [8, 16][noise.below(2)],
        types: [0; 2].map(|_| legal[noise.below(legal.len())]),
        has_src0: noise.below(5) != 0,
        sum: Sum::ALL[noise.below(4)],
        tf32: [Tf32::Full, Tf32::Truncated][noise.below(2)],
        pitch: [Src2Pitch::Code, Src2Pitch::Prose][noise.below(2)],
        starts: [0; 4],
    };
    let register = 4 * case.channels;
    let row = case.depth * case.ops() * a.bits() as usize / 8;
    let units = [
        case.channels * case.types[0].bytes(),
        case.channels * case.types[1].bytes(),
        register,
        row.max(4).next_power_of_two(),
    ];
    for (index, length) in case.lengths().into_iter().enumerate() {
        let last = (GRF_BYTES - length) / units[index];
        // At the end, at the beginning, and where operands are likely to overlap.
        let place = match noise.below(8) {
            0 => last,
            1 => last - noise.below(last.min(4) + 1),
            2..4 => noise.below(last.min(12) + 1),
            _ => noise.below(last + 1),
        };
        case.starts[index] = place * units[index];
    }
    case
}

fn rows(set: &RowSet) -> BTreeSet<usize> {
    let mut rows = BTreeSet::new();
    set.each(|row| {
        rows.insert(row);
    });
    rows
}

fn run(level: Level, code: &[u32], before: &State, state: &mut State) -> Answer {
    state.copy_from(before);
    state.tracker.log.clear();
    let step = Step { instruction: &DPAS, edition: Edition::Newest, code };
    VisaSimd::new(level).execute(&step, state)
}

fn touched(start: usize, len: usize) -> impl Iterator<Item = usize> {
    (start / ROW_BYTES)..(start + len).div_ceil(ROW_BYTES)
}

/// Fills the file with noise, and the sources with data of the case.
fn fill(case: &Case, state: &mut State, noise: &mut Noise) {
    for bytes in state.arena.chunks_exact_mut(8) {
        bytes.copy_from_slice(&noise.word().to_le_bytes());
    }
    let kind = noise.below(5);
    let lengths = case.lengths();
    let range = |index: usize| {
        let start = case.starts[index];
        start..start + lengths[index]
    };
    if case.w.kind() == PrecisionKind::Float {
        let size = case.types[1].bytes();
        fill_floats(&mut state.arena[range(1)], size, case.types[1] == DataType::Hf, kind, noise);
        let size = case.w.bits() as usize / 8;
        for index in [2, 3] {
            fill_floats(&mut state.arena[range(index)], size, case.w == Precision::Hf, kind, noise);
        }
    } else if kind == 0 {
        // The largest magnitudes.
        for index in [2, 3] {
            let byte = [0x80, 0xff, 0x7f, 0x88, 0xaa, 0x77][noise.below(6)];
            state.arena[range(index)].fill(byte);
        }
    }
}

/// Runs a level over every pair of precisions, with all else drawn, against the oracle.
pub(crate) fn check(level: Level) {
    let mut noise = Noise::new(0xd9a5);
    let (mut before, mut got) = (VISA.base_state(), VISA.base_state());
    let mut changed = 0;
    for pair in pairs() {
        let rounds = if pair.0.kind() == PrecisionKind::Float { 1500 } else { 100 };
        for round in 0..rounds {
            let repeat = if round % 16 == 15 { 9 + noise.below(12) } else { 1 + round % 8 };
            let case = draw_case(pair, repeat, &mut noise);
            fill(&case, &mut before, &mut noise);
            let code = case.encode(Visa::new(&mut before).small, &mut noise);
            let expected = case.expected(&before.arena);
            assert_eq!(run(level, &code, &before, &mut got), Answer::Done, "{level} {case:?}");
            let first = got.arena.iter().zip(&expected).position(|(got, expected)| got != expected);
            if let Some(byte) = first {
                let word = |bytes: &[u8]| bits(bytes, byte / 4 * 32, 32);
                panic!("{level} byte {byte}: {:#x}, not {:#x}: {case:?}", word(&got.arena), word(&expected));
            }
            assert!(got.small[..] == before.small[..], "small state differs: {level} {case:?}");
            let [dst, src0, src1, src2] = case.lengths();
            let written: BTreeSet<usize> = touched(case.starts[0], dst).collect();
            assert_eq!(rows(&got.tracker.log.written), written, "{level} {case:?}");
            let mut read: BTreeSet<usize> =
                touched(case.starts[2], src1).chain(touched(case.starts[3], src2)).collect();
            if case.has_src0 {
                read.extend(touched(case.starts[1], src0));
            }
            assert_eq!(rows(&got.tracker.log.read), read, "{level} {case:?}");
            changed += usize::from(got.arena[..] != before.arena[..]);
        }
    }
    assert!(changed > 9000, "{changed} changed something");
    check_settings(level);
    check_survival(level);
}

/// Random code words and small states neither panic nor write without a mark.
fn check_survival(level: Level) {
    let mut noise = Noise::new(0xbad);
    let (mut before, mut got) = (VISA.base_state(), VISA.base_state());
    let mut done = 0;
    for _ in 0..20_000 {
        before.small.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
        let mut code = [0; CODE_WORDS].map(|_: u32| noise.bits(32));
        if noise.below(4) != 0 {
            W.set(&mut code, noise.bits(4));
            let activations = if noise.bits(1) == 0 { W.get(&code) } else { noise.bits(4) };
            A.set(&mut code, activations);
            SD.set(&mut code, [1, 2, 4, 8, 3][noise.below(5)]);
            let width = noise.below(9) as u32;
            RC.set(&mut code, noise.bits(width));
            EXEC_SIZE.set(&mut code, 3 + noise.bits(1));
            for fields in [DST, SRC0, SRC1] {
                fields.id.set(&mut code, [0, 32, 33, 34, 35, 36][noise.below(6)]);
                fields.offset.set(&mut code, noise.bits(11));
            }
            SRC2.class.set(&mut code, 0);
            SRC2.id.set(&mut code, 32 + noise.bits(2));
            SRC2.row_offset.set(&mut code, noise.bits(3));
            let small: &mut Small = Visa::new(&mut before).small;
            for variable in &mut small.variables {
                variable.data_type = [0, 1, 7, 7, 14, 15][noise.below(6)];
                variable.offset &= 0x1fff;
            }
        }
        let answer = run(level, &code, &before, &mut got);
        done += usize::from(answer == Answer::Done);
        let written = rows(&got.tracker.log.written);
        for row in 0..GRF_BYTES / ROW_BYTES {
            let range = row * ROW_BYTES..(row + 1) * ROW_BYTES;
            assert!(written.contains(&row) || got.arena[range.clone()] == before.arena[range], "{level} row {row}");
        }
        assert!(got.small[..] == before.small[..]);
    }
    for words in [0, 1, 11, 13] {
        assert_eq!(run(level, &vec![0; words], &before, &mut got), Answer::Unsupported);
    }
    assert!(done > 300, "{done} done");
}

// ------------------------------------------------------------------------------------------------ settings of the host

/// Runs `work` with a control register of the SSE unit, puts back the one that was there, and gives what `work` left.
#[cfg(target_arch = "x86_64")]
fn with_mxcsr<T>(mxcsr: u32, work: impl FnOnce() -> T) -> (T, u32) {
    let (mut old, mut left) = (0u32, 0u32);
    // SAFETY: one reads and one writes the register from and to a variable; exceptions stay masked.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut old, options(nostack));
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack));
    }
    let result = std::hint::black_box(work());
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut left, options(nostack));
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const old, options(nostack));
    }
    (result, left)
}

/// Results do not depend on what the host is set to, and the setting stays.
#[cfg(target_arch = "x86_64")]
fn check_settings(level: Level) {
    const MASKED: u32 = 0x1f80;
    const FTZ_DAZ: [u32; 4] = [0, 0x40, 0x8000, 0x8040];
    let mut noise = Noise::new(0x1f80);
    let (mut before, mut expected, mut got) = (VISA.base_state(), VISA.base_state(), VISA.base_state());
    for round in 0..400 {
        let precision = [Precision::Bf, Precision::Hf, Precision::Tf32][round % 3];
        let case = draw_case((precision, precision), 1 + round % 8, &mut noise);
        fill(&case, &mut before, &mut noise);
        let code = case.encode(Visa::new(&mut before).small, &mut noise);
        let answer = run(level, &code, &before, &mut expected);
        for (rounding, flushing) in (0..4).flat_map(|mode| FTZ_DAZ.map(|flushing| (mode << 13, flushing))) {
            let hostile = MASKED | rounding | flushing;
            let (hostile_answer, left) = with_mxcsr(hostile, || run(level, &code, &before, &mut got));
            assert_eq!(hostile_answer, answer);
            assert_eq!(left & !0x3f, hostile, "{level} leaves another setting: {case:?}");
            assert!(got.arena[..] == expected.arena[..], "{level} {case:?} under {hostile:#x}");
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn check_settings(_: Level) {}
