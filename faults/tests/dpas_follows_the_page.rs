//! The plain implementation of vISA `DPAS` gives what the page and the named models give, by hand.

mod cases;

use rstest::rstest;
use tandem_faults::visa::VisaPlain;
use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::visa::model::{OneBit, Src2Pitch, Sum, Tf32};
use tandem_isa::visa::operand::dpas::{A, DST, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{EXEC_SIZE, SRC2};
use tandem_isa::visa::precision::Precision;
use tandem_isa::visa::{DataType, GeneralVariable, PRE_XEHP, Small, VISA, Visa, cr0};
use tandem_isa::{Answer, Code, Edition, State, Step, Target};

use DataType::{Bf, D, F, Hf, Ud};

const OUT: usize = 0;
const ACCUMULATORS: usize = 2048;
const WEIGHTS: usize = 4096;
const ACTIVATIONS: usize = 6144;

/// A `DPAS` of eight channels and registers of 32 bytes, on zeros, with depth 8 and one repeat, that a test changes and
/// runs. The destination's bytes are all 0xee.
struct Machine {
    state: State,
    code: Code,
}

impl Machine {
    fn new(w: Precision, a: Precision, dst: DataType) -> Self {
        let mut machine = Machine { state: VISA.base_state(), code: Code::new(DPAS.base_code) };
        W.set(&mut machine.code, w.code());
        A.set(&mut machine.code, a.code());
        SD.set(&mut machine.code, 8);
        RC.set(&mut machine.code, 1);
        let fields = [DST.id, SRC0.id, SRC1.id, SRC2.id];
        let places = [OUT, ACCUMULATORS, WEIGHTS, ACTIVATIONS];
        for (index, (field, data_type)) in fields.into_iter().zip([dst, dst, D, Ud]).enumerate() {
            field.set(&mut machine.code, 32 + index as u32);
            machine.small().variables[index] = GeneralVariable {
                data_type: data_type.code() as u16,
                num_elements: (2048 / data_type.bytes()) as u16,
                offset: places[index] as u16,
                unused: 0,
            };
        }
        machine.small().platform = PRE_XEHP;
        machine.small().set_model_one_bit(OneBit::Code);
        Visa::new(&mut machine.state).grf_unmarked()[OUT..ACCUMULATORS].fill(0xee);
        machine
    }

    fn small(&mut self) -> &mut Small {
        Visa::new(&mut self.state).small
    }

    /// Sixteen channels and registers of 64 bytes.
    fn wide(mut self) -> Self {
        EXEC_SIZE.set(&mut self.code, 4);
        self.small().grf_size = 1;
        self
    }

    fn repeats(mut self, count: u32) -> Self {
        RC.set(&mut self.code, count);
        self
    }

    fn depth(mut self, depth: u32) -> Self {
        SD.set(&mut self.code, depth);
        self
    }

    fn change(mut self, change: impl FnOnce(&mut Small)) -> Self {
        change(self.small());
        self
    }

    fn src0(self, data_type: DataType) -> Self {
        self.change(|small| small.variables[1].data_type = data_type.code() as u16)
    }

    fn without_src0(mut self) -> Self {
        SRC0.id.set(&mut self.code, 0);
        self
    }

    /// Writes a datum of some bits, so many bits from an address on.
    fn poke(&mut self, address: usize, bit: usize, width: u32, bits: u32) {
        let mut visa = Visa::new(&mut self.state);
        let grf = visa.grf_unmarked();
        for index in 0..width as usize {
            let place = bit + index;
            let byte = &mut grf[address + place / 8];
            *byte = *byte & !(1 << (place % 8)) | ((bits >> index & 1) as u8) << (place % 8);
        }
    }

    fn peek(&mut self, address: usize, size: usize) -> u32 {
        let mut visa = Visa::new(&mut self.state);
        let bytes = &visa.grf_unmarked()[address..address + size];
        bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte))
    }

    fn run(&mut self) {
        let step = Step { instruction: &DPAS, edition: Edition::Spec, code: &self.code };
        assert_eq!(VisaPlain::new(None).execute(&step, &mut self.state), Answer::Done);
    }

    /// Runs, and gives the first `count` elements of the destination.
    fn result(mut self, count: usize) -> Vec<u32> {
        self.run();
        let data_type = DataType::of_code(self.small().variables[0].data_type.into());
        (0..count).map(|element| self.peek(OUT + element * data_type.bytes(), data_type.bytes())).collect()
    }
}

/// A row of float products on one accumulator, in channel 0. Operands are bits of the precision.
fn float(w: Precision, dst: DataType, sum: Sum, accumulator: u32, terms: &[(u32, u32)]) -> u32 {
    let mut machine = Machine::new(w, w, dst).change(|small| small.set_model_sum(sum));
    let size = dst.bits();
    machine.poke(ACCUMULATORS, 0, size, accumulator);
    float_terms(&mut machine, w, terms);
    machine.result(1)[0]
}

/// Pairs of activation and weight from element 0 on; channel 0 alone has weights.
fn float_terms(machine: &mut Machine, w: Precision, terms: &[(u32, u32)]) {
    let per_dword = 32 / w.bits() as usize;
    for (k, &(a, b)) in terms.iter().enumerate() {
        machine.poke(ACTIVATIONS, k * w.bits() as usize, w.bits(), a);
        machine.poke(WEIGHTS + k / per_dword * 32, k % per_dword * w.bits() as usize, w.bits(), b);
    }
}

// ------------------------------------------------------------------------------------------------ layouts

/// Precisions with K at depth 8, the registers of Src1, and the double words of a row of Src2 (page, lines 31-35, 50-58,
/// 86-111).
#[rstest]
#[case("u8", "u8", 32, 8, 8)]
#[case("u4", "u8", 32, 4, 8)]
#[case("u2", "u8", 32, 2, 8)]
#[case("u8", "u4", 32, 8, 4)]
#[case("u8", "u2", 32, 8, 2)]
#[case("u4", "u4", 64, 8, 8)]
#[case("u2", "u4", 64, 4, 8)]
#[case("u4", "u2", 64, 8, 4)]
#[case("u2", "u2", 64, 4, 4)]
#[case("u1", "u1", 64, 2, 2)]
#[case("u1", "u8", 32, 1, 8)]
#[case("u8", "u1", 32, 8, 1)]
#[case("u1", "u2", 64, 2, 4)]
#[case("hf", "hf", 16, 8, 8)]
#[case("bf", "bf", 16, 8, 8)]
#[case("tf32", "tf32", 8, 8, 8)]
fn each_element_of_a_column_meets_the_same_element_of_every_row(
    #[case] w: &str,
    #[case] a: &str,
    #[case] terms: usize,
    #[case] registers: usize,
    #[case] row_dwords: usize,
    #[values(false, true)] is_wide: bool,
) {
    let (w, a) = (Precision::named(w).expect("a name"), Precision::named(a).expect("a name"));
    let one = |precision: Precision| match precision {
        Precision::Hf => 0x3c00,
        Precision::Bf => 0x3f80,
        Precision::Tf32 => 0x3f80_0000,
        _ => 1,
    };
    let dst = if w.bits() > 8 { F } else { D };
    let result_one = if w.bits() > 8 { 0x3f80_0000 } else { 1 };
    let channels = if is_wide { 16 } else { 8 };
    assert_eq!(row_dwords * 32, terms * a.bits() as usize);
    assert_eq!(registers * 32, terms * w.bits() as usize);
    for k in 0..terms {
        let (channel, row) = (k * 5 % channels, k * 3 % 8);
        let mut machine = Machine::new(w, a, dst).repeats(8);
        if is_wide {
            machine = machine.wide();
        }
        // A column of B fills a column of double words, from the lowest bit up, register after register.
        let bit = k * w.bits() as usize;
        machine.poke(WEIGHTS + bit / 32 * channels * 4 + channel * 4, bit % 32, w.bits(), one(w));
        machine.poke(ACTIVATIONS + row * row_dwords * 4, k * a.bits() as usize, a.bits(), one(a));
        let result = machine.result(8 * channels);
        for (place, &bits) in result.iter().enumerate() {
            let wanted = if place == row * channels + channel { result_one } else { 0 };
            assert_eq!(bits, wanted, "element {k}, place {place}");
        }
        // Any other element of the row meets a zero.
        let mut machine = Machine::new(w, a, dst);
        machine.poke(WEIGHTS + bit / 32 * 32, bit % 32, w.bits(), one(w));
        machine.poke(ACTIVATIONS, (k + 1) % terms * a.bits() as usize, a.bits(), one(a));
        assert_eq!(machine.result(8), [0; 8]);
    }
}

#[rstest]
#[case(1, Src2Pitch::Code, 4)]
#[case(2, Src2Pitch::Code, 8)]
#[case(4, Src2Pitch::Code, 16)]
#[case(8, Src2Pitch::Code, 32)]
#[case(1, Src2Pitch::Prose, 32)]
#[case(2, Src2Pitch::Prose, 32)]
#[case(4, Src2Pitch::Prose, 32)]
#[case(8, Src2Pitch::Prose, 32)]
fn rows_of_src2_are_as_far_apart_as_the_reading_has_it(
    #[case] depth: u32,
    #[case] pitch: Src2Pitch,
    #[case] bytes: usize,
) {
    let mut machine = Machine::new(Precision::U8, Precision::U8, D).repeats(8).depth(depth);
    machine.small().set_model_src2_pitch(pitch);
    machine.poke(WEIGHTS, 0, 8, 1);
    for row in 0..8 {
        machine.poke(ACTIVATIONS + row * bytes, 0, 8, 10 + row as u32);
    }
    let result = machine.result(64);
    assert_eq!(result.iter().step_by(8).copied().collect::<Vec<_>>(), [10, 11, 12, 13, 14, 15, 16, 17]);
}

#[test]
fn a_depth_counts_the_products() {
    for depth in [1, 2, 4, 8] {
        let mut machine = Machine::new(Precision::U4, Precision::U8, D).depth(depth);
        for element in 0..32 {
            machine.poke(ACTIVATIONS, element * 8, 8, 1);
            machine.poke(WEIGHTS + element / 8 * 32, element % 8 * 4, 4, 1);
        }
        assert_eq!(machine.result(1), [4 * depth]);
    }
}

#[test]
fn operands_begin_where_their_offsets_say() {
    let mut machine = Machine::new(Precision::U8, Precision::U8, D);
    DST.offset.set(&mut machine.code, 64);
    SRC0.offset.set(&mut machine.code, 32);
    SRC1.offset.set(&mut machine.code, 96);
    SRC2.row_offset.set(&mut machine.code, 3);
    SRC2.col_offset.set(&mut machine.code, 2);
    machine.poke(ACCUMULATORS + 32, 0, 32, 1000);
    machine.poke(WEIGHTS + 96, 0, 8, 3);
    machine.poke(ACTIVATIONS + 3 * 32 + 2 * 4, 0, 8, 5);
    machine.run();
    assert_eq!((machine.peek(OUT + 60, 4), machine.peek(OUT + 64, 4)), (0xeeee_eeee, 1015));
    assert_eq!(machine.peek(OUT + 96, 4), 0xeeee_eeee);
}

// ------------------------------------------------------------------------------------------------ integers

#[rstest]
#[case("u1", 0, 1)]
#[case("s1", -1, 0)]
#[case("u2", 0, 3)]
#[case("s2", -2, 1)]
#[case("u4", 0, 15)]
#[case("s4", -8, 7)]
#[case("u8", 0, 255)]
#[case("s8", -128, 127)]
fn precisions_have_the_ranges_of_the_table(#[case] name: &str, #[case] least: i32, #[case] most: i32) {
    let precision = Precision::named(name).expect("a name");
    let size = 1i32 << precision.bits();
    for bits in 0..size {
        let number = if bits > most { bits - size } else { bits };
        assert!((least..=most).contains(&number));
        // As a weight, and as an activation.
        let mut machine = Machine::new(precision, Precision::U8, D);
        machine.poke(WEIGHTS, 0, precision.bits(), bits.cast_unsigned());
        machine.poke(ACTIVATIONS, 0, 8, 7);
        assert_eq!(machine.result(1)[0].cast_signed(), 7 * number);
        let mut machine = Machine::new(Precision::U8, precision, D);
        machine.poke(WEIGHTS, 0, 8, 7);
        machine.poke(ACTIVATIONS, 0, precision.bits(), bits.cast_unsigned());
        assert_eq!(machine.result(1)[0].cast_signed(), 7 * number);
    }
}

#[rstest]
fn integer_sums_wrap_whatever_the_types_are(#[values(D, Ud)] dst: DataType, #[values(D, Ud)] src0: DataType) {
    for (accumulator, weight, wanted) in
        [(0x7fff_ffff, 1, 0x8000_0000), (0x8000_0000, 0xff, 0x7fff_ffff), (0, 0xff, 0xffff_ffff), (0xffff_ffff, 1, 0)]
    {
        let mut machine = Machine::new(Precision::S8, Precision::S8, dst).src0(src0);
        machine.poke(ACCUMULATORS, 0, 32, accumulator);
        machine.poke(WEIGHTS, 0, 8, weight);
        machine.poke(ACTIVATIONS, 0, 8, 1);
        assert_eq!(machine.result(1), [wanted]);
    }
}

#[test]
fn a_null_accumulator_is_zero() {
    let mut machine = Machine::new(Precision::S8, Precision::S8, D).without_src0();
    machine.poke(ACCUMULATORS, 0, 32, 99);
    assert_eq!(machine.result(8), [0; 8]);
    let mut machine = Machine::new(Precision::Bf, Precision::Bf, F).without_src0();
    float_terms(&mut machine, Precision::Bf, &[(0x8000, 0x3f80); 16]);
    assert_eq!(machine.result(1), [0]);
}

// ------------------------------------------------------------------------------------------------ sums of floats

const ONE: u32 = 0x3f80_0000;
/// 2^-24, half of what follows 1 below 2.
const HALF_STEP: u32 = 0x3380_0000;

/// 1 and then products of 2^-24 each: one by one they vanish, by twos and all together they do not.
#[rstest]
#[case(Sum::Sequential, ONE)]
#[case(Sum::Fused, ONE)]
#[case(Sum::Pairwise, ONE + 2)]
#[case(Sum::SingleRounding, ONE + 2)]
fn sums_round_where_the_model_says(#[case] sum: Sum, #[case] wanted: u32) {
    // 2^-12 times 2^-12, four of them.
    assert_eq!(float(Precision::Bf, F, sum, ONE, &[(0x3980, 0x3980); 4]), wanted);
}

/// tf32 has one product a depth, so that there are no pairs.
#[rstest]
#[case(Sum::Sequential, ONE)]
#[case(Sum::Pairwise, ONE)]
#[case(Sum::SingleRounding, ONE + 2)]
fn tf32_has_no_pairs(#[case] sum: Sum, #[case] wanted: u32) {
    assert_eq!(float(Precision::Tf32, F, sum, ONE, &[(ONE, HALF_STEP); 4]), wanted);
}

/// (1 + 2^-23)^2 is 1 + 2^-22 + 2^-46; less 1 + 2^-22, only what did not round the product has anything left.
#[rstest]
#[case(Sum::Sequential, 0)]
#[case(Sum::Fused, 0x2880_0000)]
#[case(Sum::Pairwise, 0)]
#[case(Sum::SingleRounding, 0x2880_0000)]
fn products_round_where_the_model_says(#[case] sum: Sum, #[case] wanted: u32) {
    assert_eq!(float(Precision::Tf32, F, sum, 0xbf80_0002, &[(ONE + 1, ONE + 1)]), wanted);
}

/// Ascending elements: 2^24, then 1, then -2^24.
#[rstest]
#[case(Sum::Sequential, 0)]
#[case(Sum::Fused, 0)]
#[case(Sum::SingleRounding, ONE)]
fn products_are_summed_from_the_first_on(#[case] sum: Sum, #[case] wanted: u32) {
    let (big, minus_big) = (0x4b80_0000, 0xcb80_0000);
    assert_eq!(float(Precision::Tf32, F, sum, 0, &[(ONE, big), (ONE, ONE), (ONE, minus_big)]), wanted);
    assert_eq!(float(Precision::Tf32, F, sum, 0, &[(ONE, big), (ONE, minus_big), (ONE, ONE)]), ONE);
}

/// Small integers have exact sums, so that all models agree with the integers.
#[rstest]
fn exact_sums_are_the_same_in_all_models(
    #[values(Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding)] sum: Sum,
    #[values(Precision::Bf, Precision::Hf, Precision::Tf32)] precision: Precision,
) {
    let bits_of = |number: i32| match precision {
        Precision::Bf => (number as f32).to_bits() >> 16,
        Precision::Hf if number == 0 => 0,
        Precision::Hf => {
            let bits = (number as f32).to_bits();
            bits >> 16 & 0x8000 | ((bits >> 23 & 0xff) - 112) << 10 | bits >> 13 & 0x3ff
        }
        _ => (number as f32).to_bits(),
    };
    let count = if precision == Precision::Tf32 { 8 } else { 16 };
    for seed in 1..40 {
        let numbers: Vec<(i32, i32)> =
            (0..count).map(|k| ((k * seed * 7 + seed) % 17 - 8, (k * k * seed + 3) % 15 - 7)).collect();
        let terms: Vec<(u32, u32)> = numbers.iter().map(|&(a, b)| (bits_of(a), bits_of(b))).collect();
        let exact: i32 = 100 - seed + numbers.iter().map(|(a, b)| a * b).sum::<i32>();
        let result = float(precision, F, sum, ((100 - seed) as f32).to_bits(), &terms);
        assert_eq!(f32::from_bits(result), exact as f32);
    }
}

/// A single product on top of an accumulator, rounded once, is what a fused step gives.
#[test]
fn one_product_rounded_once_is_a_fused_step() {
    let mut word = 1u64;
    let mut next = || {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (word >> 32) as u32
    };
    for round in 0..4_000 {
        let [mut a, mut b, mut c] = [next(), next(), next()];
        // Exponents near each other, near the ends, or anywhere.
        if round % 4 == 1 {
            (a, b, c) = (a & 0x80ff_ffff | 0x3f00_0000, b & 0x80ff_ffff | 0x3f00_0000, c & 0x80ff_ffff | 0x3f00_0000);
        } else if round % 4 == 2 {
            (a, b, c) = (a & 0x807f_ffff | 0x1f80_0000, b & 0x80ff_ffff | 0x2000_0000, c & 0x807f_ffff);
        } else if round % 4 == 3 {
            (a, b, c) = (a & 0x80ff_ffff | 0x5f00_0000, b & 0x80ff_ffff | 0x5f00_0000, c | 0x7f00_0000);
        }
        let fused = f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c));
        let wanted = if fused.is_nan() { 0x7fc0_0000 } else { fused.to_bits() };
        let mut machine = Machine::new(Precision::Tf32, Precision::Tf32, F).depth(1);
        machine.small().set_model_sum(Sum::SingleRounding);
        machine.poke(ACCUMULATORS, 0, 32, c);
        float_terms(&mut machine, Precision::Tf32, &[(a, b)]);
        assert_eq!(machine.result(1)[0], wanted, "{a:08x} * {b:08x} + {c:08x}");
    }
}

/// Sixteen products of HF and an accumulator of HF are whole numbers of 2^-48, whose sum i128 holds.
#[test]
fn sums_of_hf_that_are_rounded_once_are_those_of_whole_numbers() {
    let mut word = 3u64;
    let mut finite = |spread: u32| loop {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (word >> 40) as u32 & 0xffff;
        let bits = if spread == 0 { bits } else { bits & 0x87ff | spread };
        if bits & 0x7c00 != 0x7c00 {
            break bits;
        }
    };
    // In units of 2^-24.
    let whole = |bits: u32| {
        let field = bits >> 10 & 31;
        let hidden = if field == 0 { 0 } else { 1024 };
        let magnitude = i128::from(bits & 0x3ff | hidden) << (field.max(1) - 1);
        if bits & 0x8000 != 0 { -magnitude } else { magnitude }
    };
    for round in 0..2_000 {
        let spread = [0, 0x3800, 0x0000, 0x1000][round % 4];
        let accumulator = finite(spread);
        let terms: Vec<(u32, u32)> = (0..16).map(|_| (finite(spread), finite(spread))).collect();
        let sum = (whole(accumulator) << 24) + terms.iter().map(|&(a, b)| whole(a) * whole(b)).sum::<i128>();
        let wanted = sum as f32 * f32::from_bits((127 - 48) << 23);
        let mut machine = Machine::new(Precision::Hf, Precision::Hf, F).src0(Hf);
        machine.small().set_model_sum(Sum::SingleRounding);
        machine.poke(ACCUMULATORS, 0, 16, accumulator);
        float_terms(&mut machine, Precision::Hf, &terms);
        assert_eq!(f32::from_bits(machine.result(1)[0]), wanted, "{terms:04x?} + {accumulator:04x}");
    }
}

#[rstest]
// 2^127 * 2 and back: nothing overflows on the way to an exact sum.
#[case(&[(0x7f00_0000, 0x4000_0000), (0xff00_0000, 0x4000_0000), (ONE, ONE)], ONE)]
// Halfway above the largest value, and just below that.
#[case(&[(0x7f7f_ffff, ONE), (0x7300_0000, ONE)], 0x7f80_0000)]
#[case(&[(0x7f7f_ffff, ONE), (0x72ff_ffff, ONE)], 0x7f7f_ffff)]
// Halfway between denormals: to even. A bit that is 2^-297 away decides.
#[case(&[(0x0000_0001, 0x3f00_0000)], 0x0000_0000)]
#[case(&[(0x0000_0003, 0x3f00_0000)], 0x0000_0002)]
#[case(&[(0x0000_0001, 0x3f00_0000), (0x0000_0001, 0x0000_0001)], 0x0000_0001)]
#[case(&[(0x0000_0003, 0x3f00_0000), (0x0000_0001, 0x8000_0001)], 0x0000_0001)]
// An exact zero of what cancels is positive.
#[case(&[(ONE, ONE), (0xbf80_0000, ONE)], 0x0000_0000)]
fn an_exact_sum_is_rounded_once(#[case] terms: &[(u32, u32)], #[case] wanted: u32) {
    assert_eq!(float(Precision::Tf32, F, Sum::SingleRounding, 0, terms), wanted);
}

#[rstest]
fn a_zero_is_negative_if_every_term_is(
    #[values(Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding)] sum: Sum,
) {
    assert_eq!(float(Precision::Bf, F, sum, 1 << 31, &[(0x8000, 0x3f80); 16]), 1 << 31);
    let mut terms = [(0x8000, 0x3f80); 16];
    terms[15] = (0, 0x3f80);
    assert_eq!(float(Precision::Bf, F, sum, 1 << 31, &terms), 0);
    assert_eq!(float(Precision::Bf, F, sum, 0, &[(0x8000, 0x3f80); 16]), 0);
}

#[rstest]
#[case(0x7f80_0001, &[(0x3f80, 0x3f80)], 0x7fc0_0000)]
#[case(0xffc1_2345, &[(0x3f80, 0x3f80)], 0x7fc0_0000)]
#[case(0, &[(0xff81, 0x3f80)], 0x7fc0_0000)]
#[case(0, &[(0x7f80, 0x0000)], 0x7fc0_0000)]
#[case(0, &[(0x0000, 0xff80)], 0x7fc0_0000)]
#[case(0xff80_0000, &[(0x7f80, 0x3f80)], 0x7fc0_0000)]
#[case(0, &[(0x7f80, 0x3f80), (0x3f80, 0xff80)], 0x7fc0_0000)]
#[case(0, &[(0x7f80, 0xbf80), (0x3f80, 0xff80)], 0xff80_0000)]
#[case(0x7f80_0000, &[(0x7f7f, 0xbf80)], 0x7f80_0000)]
fn infinities_and_nan_are_those_of_ieee(
    #[case] accumulator: u32,
    #[case] terms: &[(u32, u32)],
    #[case] wanted: u32,
    #[values(Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding)] sum: Sum,
) {
    assert_eq!(float(Precision::Bf, F, sum, accumulator, terms), wanted);
}

#[rstest]
fn denormals_are_kept_whatever_the_control_register_says(
    #[values(0, cr0::F_DENORM | cr0::HF_DENORM)] control: u32,
    #[values(Sum::Sequential, Sum::Fused, Sum::Pairwise, Sum::SingleRounding)] sum: Sum,
) {
    let run = |precision: Precision, accumulator: u32, term: (u32, u32)| {
        let mut machine = Machine::new(precision, precision, F).change(|small| small.cr0 = control | 2 << 4);
        machine.small().set_model_sum(sum);
        machine.poke(ACCUMULATORS, 0, 32, accumulator);
        float_terms(&mut machine, precision, &[term]);
        machine.result(1)[0]
    };
    // 2^-24, the smallest HF; a denormal BF; the smallest F as tf32; an accumulator; a product of 2^-70 and 2^-70.
    assert_eq!(run(Precision::Hf, 0, (0x0001, 0x3c00)), 0x3380_0000);
    assert_eq!(run(Precision::Bf, 0, (0x0041, 0x3f80)), 0x0041_0000);
    assert_eq!(run(Precision::Tf32, 0, (0x0000_0001, ONE)), 0x0000_0001);
    assert_eq!(run(Precision::Bf, 0x8000_0007, (0, 0)), 0x8000_0007);
    assert_eq!(run(Precision::Bf, 0, (0x1c80, 0x1c80)), 1 << 9);
}

#[rstest]
#[case(Tf32::Full, 0x3f80_1fff)]
#[case(Tf32::Truncated, 0x3f80_0000)]
fn the_low_bits_of_tf32_count_as_the_reading_has_it(#[case] reading: Tf32, #[case] wanted: u32) {
    for term in [(0x3f80_1fff, ONE), (ONE, 0x3f80_1fff)] {
        let mut machine = Machine::new(Precision::Tf32, Precision::Tf32, F);
        machine.small().set_model_tf32(reading);
        float_terms(&mut machine, Precision::Tf32, &[term]);
        assert_eq!(machine.result(1), [wanted]);
    }
    // The accumulator is an F.
    let mut machine = Machine::new(Precision::Tf32, Precision::Tf32, F);
    machine.small().set_model_tf32(reading);
    machine.poke(ACCUMULATORS, 0, 32, 0x3f80_1fff);
    assert_eq!(machine.result(1), [0x3f80_1fff]);
}

// ------------------------------------------------------------------------------------------------ sixteen bits

/// F results and the halves that they become.
#[rstest]
#[case(Hf, 0x3f80_1000, 0x3c00)]
#[case(Hf, 0x3f80_1001, 0x3c01)]
#[case(Hf, 0x3f80_3000, 0x3c02)]
#[case(Hf, 0x477f_efff, 0x7bff)]
#[case(Hf, 0x477f_f000, 0x7c00)]
#[case(Hf, 0xff80_0000, 0xfc00)]
#[case(Hf, 0x3300_0000, 0x0000)]
#[case(Hf, 0x3300_0001, 0x0001)]
#[case(Hf, 0x33c0_0000, 0x0002)]
#[case(Hf, 0x387f_f000, 0x0400)]
#[case(Hf, 0xffff_ffff, 0x7e00)]
#[case(Bf, 0x3f80_8000, 0x3f80)]
#[case(Bf, 0x3f81_8000, 0x3f82)]
#[case(Bf, 0x3f80_8001, 0x3f81)]
#[case(Bf, 0x7f7f_8000, 0x7f80)]
#[case(Bf, 0x0001_8000, 0x0002)]
#[case(Bf, 0x8000_8001, 0x8001)]
#[case(Bf, 0x7f80_0001, 0x7fc0)]
fn a_result_of_16_bits_is_rounded_once_to_nearest_even(
    #[case] dst: DataType,
    #[case] accumulator: u32,
    #[case] wanted: u32,
) {
    let precision = if dst == Hf { Precision::Hf } else { Precision::Bf };
    let mut machine = Machine::new(precision, precision, dst).src0(F);
    machine.poke(ACCUMULATORS, 0, 32, accumulator);
    assert_eq!(machine.result(1), [wanted]);
}

/// All 65536 values are widened exactly, and so come back; NaN as the canonical one.
#[rstest]
#[case(Hf, Precision::Hf, 0x7c00, 0x7e00)]
#[case(Bf, Precision::Bf, 0x7f80, 0x7fc0)]
fn accumulators_of_16_bits_are_widened_exactly(
    #[case] data_type: DataType,
    #[case] precision: Precision,
    #[case] infinity: u32,
    #[case] nan: u32,
) {
    for first in (0..0x1_0000u32).step_by(64) {
        let mut machine = Machine::new(precision, precision, data_type).repeats(8);
        for element in 0..64 {
            machine.poke(ACCUMULATORS + element * 2, 0, 16, first + element as u32);
        }
        let result = machine.result(64);
        for (element, bits) in (0..).zip(result) {
            let value = first + element;
            // The products are all +0, to which -0 is added.
            let wanted = match value {
                0x8000 => 0,
                value if value & 0x7fff > infinity => nan,
                value => value,
            };
            assert_eq!(bits, wanted, "{value:04x}");
        }
    }
}

#[test]
fn rows_of_16_bits_are_packed() {
    let mut machine = Machine::new(Precision::Bf, Precision::Bf, Bf).src0(F).repeats(3).wide();
    for element in 0..48 {
        machine.poke(ACCUMULATORS + element * 4, 0, 32, 0x4000_0000 + ((element as u32) << 16));
    }
    let wanted: Vec<u32> = (0..48).map(|element| 0x4000 + element).chain([0xeeee]).collect();
    assert_eq!(machine.result(49), wanted);
}

// ------------------------------------------------------------------------------------------------ what is not asked

#[test]
fn neither_em_nor_predicates_nor_rounding_modes_matter() {
    let run = |change: fn(&mut Small)| {
        let mut machine = Machine::new(Precision::Hf, Precision::Hf, Hf).src0(F).change(change);
        for channel in 0..8 {
            machine.poke(ACCUMULATORS + channel * 4, 0, 32, 0x3f80_3000 + channel as u32);
        }
        machine.result(8)
    };
    let plain = run(|_| {});
    assert_eq!(plain, [0x3c02, 0x3c02, 0x3c02, 0x3c02, 0x3c02, 0x3c02, 0x3c02, 0x3c02]);
    assert_eq!(run(|small| small.em = 0), plain);
    assert_eq!(run(|small| small.cr0 = cr0::RTZ << cr0::ROUNDING_SHIFT), plain);
    assert_eq!(run(|small| small.predicates[0].value = u32::MAX), plain);
}

/// The destination lies on a source, and the result is as if it did not.
#[rstest]
#[case(SRC0.id, 1)]
#[case(SRC1.id, 2)]
#[case(SRC2.id, 3)]
fn everything_is_read_before_anything_is_written(#[case] shared: tandem_isa::CodeField, #[case] source: usize) {
    let run = |is_shared: bool| {
        let mut machine = Machine::new(Precision::S8, Precision::U8, D).repeats(8);
        for byte in 0..256 {
            machine.poke(ACCUMULATORS + byte, 0, 8, byte as u32 * 7 + 1);
            machine.poke(WEIGHTS + byte, 0, 8, byte as u32 * 11 + 3);
            machine.poke(ACTIVATIONS + byte, 0, 8, byte as u32 * 13 + 5);
        }
        if is_shared {
            let id = shared.get(&machine.code);
            DST.id.set(&mut machine.code, id);
            machine.small().variables[source].data_type = D.code() as u16;
        }
        machine.run();
        let start = if is_shared { source * 2048 } else { OUT };
        (0..64).map(|element| machine.peek(start + element * 4, 4)).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn floats_of_eight_bits_mixed_floats_and_other_depths_are_unsupported() {
    let answer = |machine: &mut Machine| {
        let before = machine.state.arena.to_vec();
        let step = Step { instruction: &DPAS, edition: Edition::Spec, code: &machine.code };
        let answer = VisaPlain::new(None).execute(&step, &mut machine.state);
        assert_eq!(before, machine.state.arena.to_vec());
        answer
    };
    for (w, a) in [
        (Precision::Bf8, Precision::Bf8),
        (Precision::Bf8, Precision::Hf8),
        (Precision::Bf, Precision::Hf),
        (Precision::Hf, Precision::S8),
        (Precision::U4, Precision::Tf32),
    ] {
        assert_eq!(answer(&mut Machine::new(w, a, F)), Answer::Unsupported);
    }
    for depth in [0, 3, 5, 16, 255] {
        let mut machine = Machine::new(Precision::S8, Precision::S8, D).depth(depth);
        assert_eq!(answer(&mut machine), Answer::Unsupported);
    }
    assert_eq!(answer(&mut Machine::new(Precision::S8, Precision::S8, F)), Answer::Unsupported);
    assert_eq!(answer(&mut Machine::new(Precision::Bf, Precision::Bf, DataType::Df)), Answer::Unsupported);
}

#[test]
fn without_a_fault_every_difference_is_in_the_log() {
    let mut state = VISA.base_state();
    for edition in Edition::ALL {
        for index in 0..1_000 {
            let case = cases::dpas::case(edition, index);
            let _ = case.run(&mut VisaPlain::new(None), &mut state);
            assert!(cases::differences_are_marked(&case.before, &state));
            assert_eq!(*case.before.small, *state.small);
        }
    }
}
