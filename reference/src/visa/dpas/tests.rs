//! What a `DPAS` does to a whole state, from the page's matrices, and what keeps it from being executed.

use tandem_isa::visa::model::GUARDS;
use tandem_isa::visa::{FIRST_GENERAL, GRF_BYTES, PRE_XEHP, VISA};
use tandem_isa::{CodeField, Edition, Reference, State, Step, mix64};

use super::*;
use crate::visa::VisaReference;

/// `Dst`, `Src0`, `Src1` and `Src2` are `V32` to `V35`, 2,048 bytes each, in a state of registers of 64 bytes.
struct Case {
    state: State,
    code: [u32; 12],
}

impl Case {
    fn new(src1: Precision, src2: Precision, accumulator: DataType) -> Self {
        let mut code = [0; 12];
        code.copy_from_slice(VISA.instructions[1].base_code);
        let mut case = Case { state: VISA.base_state(), code };
        let small = Visa::new(&mut case.state).small;
        small.grf_size = 1;
        let types = [accumulator, accumulator, DataType::D, DataType::Ud];
        for (place, (variable, data_type)) in (0..).zip(small.variables.iter_mut().zip(types)) {
            variable.data_type = data_type.code() as u16;
            variable.num_elements = (2048 / data_type.bytes()) as u16;
            variable.offset = 2048 * place;
        }
        for (field, value) in [(W, src1.code()), (A, src2.code()), (SD, 8), (RC, 8), (EXEC_SIZE, 4)] {
            field.set(&mut case.code, value);
        }
        for (place, field) in (0..).zip([DST.id, SRC0.id, SRC1.id, SRC2.id]) {
            field.set(&mut case.code, FIRST_GENERAL + place);
        }
        case
    }

    fn small(&mut self) -> &mut Small {
        Visa::new(&mut self.state).small
    }

    fn set(mut self, field: CodeField, value: u32) -> Self {
        field.set(&mut self.code, value);
        self
    }

    fn grf(&mut self) -> [u8; GRF_BYTES] {
        *Visa::new(&mut self.state).grf_unmarked()
    }

    fn put(&mut self, byte: usize, bytes: &[u8]) {
        Visa::new(&mut self.state).grf_unmarked()[byte..byte + bytes.len()].copy_from_slice(bytes);
    }

    /// Makes every element of the first row of `Src2` a zero with its sign bit set; those of `Src1` have none.
    fn put_zeros(&mut self, precision: Precision) {
        let bytes = (precision.bits() / 8) as usize;
        for k in 0..32 / bytes {
            self.put(6144 + (k + 1) * bytes - 1, &[0x80]);
        }
    }

    fn dword(&mut self, byte: usize) -> u32 {
        u32::from_le_bytes(*self.grf()[byte..].first_chunk().expect("in the file"))
    }

    fn fill(&mut self, seed: u64) {
        for (place, byte) in (0..).zip(Visa::new(&mut self.state).grf_unmarked().iter_mut()) {
            *byte = mix64(seed << 32 | place) as u8;
        }
    }

    fn run(&mut self) -> Expectation {
        let step = Step { instruction: VISA.instructions[1], code: &self.code, edition: Edition::Newest };
        VisaReference.execute(&step, &mut self.state)
    }
}

/// An element of a packed string of bits.
fn element(bytes: &[u8], precision: Precision, place: usize) -> i64 {
    let bits = precision.bits() as usize;
    let value = (0..bits).map(|bit| {
        let at = place * bits + bit;
        i64::from(bytes[at / 8] >> (at % 8) & 1) << bit
    });
    let value: i64 = value.sum();
    let is_negative = precision.kind() == PrecisionKind::Signed && value >> (bits - 1) != 0;
    if is_negative { value - (1 << bits) } else { value }
}

/// `D = C + A x B`, element by element from lines 27-61, with no loop of the page's pseudo-code.
#[test]
fn integers_are_the_matrix_product_for_every_pair() {
    let integers = || Precision::ALL.into_iter().filter(|precision| precision.kind() != PrecisionKind::Float);
    for (w, a) in integers().flat_map(|w| integers().map(move |a| (w, a))) {
        for channels in [8_u32, 16] {
            let mut case = Case::new(w, a, DataType::D).set(EXEC_SIZE, channels.ilog2());
            case.small().grf_size = u32::from(channels == 16);
            case.small().set_model_one_bit(OneBit::Code);
            case.fill(u64::from(w.code() * 16 + a.code()));
            let before = case.grf();
            assert_eq!(case.run(), Expectation::Done, "{w:?} {a:?}");
            let ops = if w.bits() == 8 || a.bits() == 8 { 4 } else { 8 };
            let channels = channels as usize;
            let per_dw = 32 / w.bits() as usize;
            for (r, i) in (0..8).flat_map(|r| (0..channels).map(move |i| (r, i))) {
                let mut sum = i64::from(u32::from_le_bytes(
                    *before[2048 + 4 * (r * channels + i)..].first_chunk().expect("in the file"),
                ));
                for k in 0..8 * ops {
                    let column = (k / per_dw * channels + i) * per_dw + k % per_dw;
                    sum += element(&before[4096..], w, column) * element(&before[6144..], a, r * 8 * ops + k);
                }
                assert_eq!(case.dword(4 * (r * channels + i)), sum as u32, "{w:?} {a:?} {r} {i}");
            }
            assert_eq!(case.grf()[32 * channels..], before[32 * channels..], "nothing else is written");
        }
    }
}

/// A case of one row, in channel 0: `c + a0 * b0 + a1 * b1` to `F`, its denormals kept. All further products are -0, which
/// no sum can tell from nothing.
fn one_depth(precision: Precision, c: u32, elements: [u16; 4]) -> Case {
    let mut case = Case::new(precision, precision, DataType::F).set(RC, 1);
    case.small().set_model_denormals(Denormals::Keep);
    case.put_zeros(precision);
    case.put(2048, &c.to_le_bytes());
    let [a0, b0, a1, b1] = elements;
    for (byte, element) in [(4096, b0), (4098, b1), (6144, a0), (6146, a1)] {
        case.put(byte, &element.to_le_bytes());
    }
    case
}

/// The result of a case, in channel 0.
fn result(mut case: Case) -> u32 {
    assert_eq!(case.run(), Expectation::Done);
    case.dword(0)
}

/// A row of one depth of `hf` by a model of its sum.
fn row(sum: Sum, c: u32, elements: [u16; 4]) -> u32 {
    let mut case = one_depth(Precision::Hf, c, elements);
    case.small().set_model_sum(sum);
    result(case)
}

/// Likewise, of a sum that truncates, by the place of its guard in [`GUARDS`].
fn truncated_row(guard: u32, c: u32, elements: [u16; 4]) -> u32 {
    let mut case = one_depth(Precision::Hf, c, elements);
    case.small().set_model_sum(Sum::Truncating);
    case.small().set_model_guard(guard);
    result(case)
}

#[test]
fn the_models_of_a_sum_differ_as_they_are_defined() {
    // 2^24 + 1 + 1: each step loses the one, to even; the pair, the products alone and the exact sum do not, nor do three
    // bits of guard.
    let ones = [0x3c00; 4];
    let two_to_24 = 0x4b80_0000;
    let expected = [two_to_24, two_to_24, two_to_24 + 1, two_to_24 + 1, two_to_24 + 1, two_to_24 + 1];
    assert_eq!(Sum::ALL.map(|sum| row(sum, two_to_24, ones)), expected);
    // NaN and zeros.
    for sum in Sum::ALL {
        assert_eq!(row(sum, 0, [0x7c00, 0, 0, 0]), 0x7fc0_0000);
        assert_eq!(row(sum, 0xff80_0001, ones), 0x7fc0_0000);
        assert_eq!(row(sum, 0x7f80_0000, [0xfc00, 0x3c00, 0, 0]), 0x7fc0_0000, "infinities cancel to a NaN");
        assert_eq!(row(sum, 0xff80_0000, [0x7bff; 4]), 0xff80_0000);
        assert_eq!(row(sum, 1 << 31, [1 << 15, 0x3c00, 0, 0xbc00]), 1 << 31);
        assert_eq!(row(sum, 0, [1 << 15, 0x3c00, 0, 0xbc00]), 0);
        assert_eq!(row(sum, 0, [1, 0x3c00, 0, 0]), 0x3380_0000, "a denormal of HF is kept");
    }
}

#[test]
fn the_accumulator_comes_last_where_the_model_says_so() {
    // Four products at two depths, 2^15 * 2^15 = 2^30, 16 * 1, 16 * 1, -2^30, and -1 in the accumulator. By ascending k
    // the first sum is 2^30; 16 is a quarter of its last bit, and is lost twice; then 2^30 cancels, and -1 is left. One
    // by one on the accumulator: -1 + 2^30 is 2^30, and what is left in the end is 0.
    let elements = [(0x7800, 0x7800), (0x4c00, 0x3c00), (0x4c00, 0x3c00), (0x7800, 0xf800)];
    let run = |sum: Sum| {
        let mut case = Case::new(Precision::Hf, Precision::Hf, DataType::F).set(RC, 1);
        case.small().set_model_sum(sum);
        case.put_zeros(Precision::Hf);
        case.put(2048, &0xbf80_0000_u32.to_le_bytes());
        for (k, (a, b)) in elements.into_iter().enumerate() {
            // A register of 64 bytes for each depth.
            case.put(4096 + k / 2 * 64 + k % 2 * 2, &u16::to_le_bytes(b));
            case.put(6144 + 2 * k, &u16::to_le_bytes(a));
        }
        result(case)
    };
    assert_eq!(run(Sum::AccumulatorLast), 0xbf80_0000);
    assert_eq!(run(Sum::Sequential), 0);
    // The exact sum: 31.
    assert_eq!(run(Sum::SingleRounding), 0x41f8_0000);
    // Units of 2^(30 - 23 - 3) = 16: both products of 16 stay, and -1 becomes -16.
    assert_eq!(run(Sum::Truncating), 0x4180_0000);
}

#[test]
fn a_sum_that_truncates_cuts_its_terms_toward_minus_infinity() {
    let (one, minus_one, two_to_24) = (0x3c00, 0xbc00, 0x4b80_0000);
    // Units of 2, 1 and 1/2: two ones are lost, or kept.
    let up = |guard| truncated_row(guard, two_to_24, [one, one, one, one]);
    assert_eq!([1, 2, 3].map(up), [two_to_24, two_to_24 + 1, two_to_24 + 1]);
    // Units of 2: each -1 becomes -2, so 2^24 - 4; with one more bit 2^24 - 2. Below 2^24 the last bit is 1.
    let down = |guard| truncated_row(guard, two_to_24, [one, minus_one, one, minus_one]);
    assert_eq!([1, 2].map(down), [0x4b7f_fffc, 0x4b7f_fffe]);
    // 2^100 - 2^-28: the product becomes -1 unit, of 2^77 without a guard, and of 2^74 with three bits, which is a
    // quarter of the last bit below 2^100, and is rounded off.
    let far = |guard| truncated_row(guard, 0x7180_0000, [0x0400, 0x8400, 0, 0]);
    assert_eq!([1, 0].map(far), [0x717f_fffe, 0x7180_0000]);
    // 2^-24 * 2^-24 on nothing: the only term is the largest one. Its opposite with it: zero, which is positive.
    assert_eq!(truncated_row(0, 0, [1, 1, 0, 0]), 0x2780_0000);
    assert_eq!(truncated_row(0, 1 << 31, [1, 1, 1, 0x8001]), 0);
    // 1.5 + 2^-23 + 2^-24: exact with three bits of guard, and a tie, which goes to the even one.
    assert_eq!(truncated_row(0, 0x3fc0_0000, [0x0002, 0x3c00, 0x0001, 0x3c00]), 0x3fc0_0002);
}

/// An `hf`, in units of 2^-24.
fn hf_units(bits: u16) -> i128 {
    let (exponent, mantissa) = (bits >> 10 & 31, i128::from(bits & 0x3ff));
    let magnitude = if exponent == 0 { mantissa } else { (mantissa | 0x400) << (exponent - 1) };
    if bits >> 15 != 0 { -magnitude } else { magnitude }
}

/// Random rows of `hf`, in integers of 128 bits and with the host's floats.
#[test]
fn sums_of_a_whole_row_are_those_of_wide_integers() {
    let mut differ = [0; 3];
    for seed in 0..40 {
        let mut case = Case::new(Precision::Hf, Precision::Hf, DataType::F);
        case.fill(seed);
        case.small().set_model_denormals(Denormals::Keep);
        // Finite elements, and accumulators of which the last bit is at least 2^-48: their exponents are -25 to 38.
        for byte in (2048..4096).step_by(4) {
            let word = case.dword(byte);
            let exponent = 102 + (word >> 23 & 63);
            case.put(byte, &(word & 0x807f_ffff | exponent << 23).to_le_bytes());
        }
        for byte in (4096..8192).step_by(2) {
            let half = case.dword(byte & !3) >> (8 * (byte & 2));
            let few = if half & 0x7c00 == 0x7c00 { half & !0x4000 } else { half };
            case.put(byte, &(few as u16).to_le_bytes());
        }
        let before = case.grf();
        let half = |byte: usize| u16::from_le_bytes(*before[byte..].first_chunk().expect("in the file"));
        let mut models = vec![(Sum::SingleRounding, 0), (Sum::AccumulatorLast, 0)];
        models.extend((0..8).map(|guard| (Sum::Truncating, guard)));
        for (sum, guard) in models {
            Visa::new(&mut case.state).grf_unmarked().copy_from_slice(&before);
            case.small().set_model_sum(sum);
            case.small().set_model_guard(guard);
            assert_eq!(case.run(), Expectation::Done);
            for (r, i) in (0..8).flat_map(|r| (0..16).map(move |i| (r, i))) {
                let c = f32::from_bits(u32::from_le_bytes(
                    *before[2048 + 4 * (16 * r + i)..].first_chunk().expect("in the file"),
                ));
                let product = |k: usize| {
                    let (a, b) = (6144 + 2 * (16 * r + k), 4096 + 64 * (k / 2) + 4 * i + 2 * (k % 2));
                    hf_units(half(a)) * hf_units(half(b))
                };
                // In units of 2^-48; a power of two changes no rounding.
                let unit = 2_f32.powi(-48);
                let c_units = (f64::from(c) * 2_f64.powi(48)) as i128;
                let terms: Vec<i128> = std::iter::once(c_units).chain((0..16).map(product)).collect();
                let expected = match sum {
                    Sum::AccumulatorLast => {
                        let products = (0..16).map(|k| product(k) as f32 * unit);
                        c + products.reduce(|sum, product| sum + product).expect("there are sixteen")
                    }
                    Sum::SingleRounding => terms.iter().sum::<i128>() as f32 * unit,
                    _ => {
                        let largest =
                            terms.iter().map(|term| term.unsigned_abs()).max().expect("there are terms").ilog2();
                        let step = 1_i128 << largest.saturating_sub(23 + GUARDS[index(guard)]);
                        terms.iter().map(|term| term.div_euclid(step) * step).sum::<i128>() as f32 * unit
                    }
                };
                let found = case.dword(4 * (16 * r + i));
                assert_eq!(found, expected.to_bits(), "{sum:?} {guard} {r} {i}");
                let exact = (terms.iter().sum::<i128>() as f32 * unit).to_bits();
                let place =
                    [Sum::SingleRounding, Sum::AccumulatorLast, Sum::Truncating].iter().position(|one| *one == sum);
                differ[place.expect("one of them")] += usize::from(found != exact);
            }
        }
    }
    assert!(differ[0] == 0 && differ[1] > 100 && differ[2] > 100, "{differ:?}");
}

#[test]
fn denormals_are_flushed_by_the_model_in_operands_and_results() {
    use Denormals::{ByCr0, Flush, Keep};
    // The model, bits of the control register, and whether hf, F, bf and tf32 are flushed.
    let rows = [
        (ByCr0, 0, [true, true, false, false]),
        (ByCr0, cr0::HF_DENORM, [false, true, false, false]),
        (ByCr0, cr0::F_DENORM, [true, false, false, false]),
        (ByCr0, cr0::HF_DENORM | cr0::F_DENORM, [false; 4]),
        (Keep, 0, [false; 4]),
        (Flush, cr0::HF_DENORM | cr0::F_DENORM, [true; 4]),
    ];
    for (model, control, [hf, f, bf, tf32]) in rows {
        let with = |mut case: Case| {
            case.small().set_model_denormals(model);
            case.small().cr0 = control;
            result(case)
        };
        let of = format!("{model:?} {control:#x}");
        let unless = |flushed: bool, bits: u32| if flushed { 0 } else { bits };
        // 2^-24 * 1, an element of hf; -2^-24 leaves the zero of its sign.
        assert_eq!(with(one_depth(Precision::Hf, 0, [1, 0x3c00, 0, 0])), unless(hf, 0x3380_0000), "{of}");
        let negative = one_depth(Precision::Hf, 1 << 31, [0x8001, 0x3c00, 1 << 15, 0x3c00]);
        assert_eq!(with(negative), unless(hf, 0x3380_0000) | 1 << 31, "{of}");
        // An accumulator of F that is the smallest denormal, and a product of 2^-126 that it would reach the sum with.
        assert_eq!(with(one_depth(Precision::Bf, 1, [0x0080, 0x3f80, 0, 0])), 0x0080_0000 + unless(f, 1), "{of}");
        // A result of F: 2^-126 - 2^-127 of normal numbers is a denormal. Sums between are kept: 2^-127 + 2^-127.
        let half = one_depth(Precision::Bf, 0x0080_0000, [0x0080, 0xbf00, 0, 0]);
        assert_eq!(with(half), unless(f, 0x0040_0000), "{of}");
        let twice = one_depth(Precision::Bf, 0, [0x0080, 0x3f00, 0x0080, 0x3f00]);
        assert_eq!(with(twice), 0x0080_0000, "{of}");
        // An element of bf, 2^-133, times 2^100.
        assert_eq!(with(one_depth(Precision::Bf, 0, [1, 0x7180, 0, 0])), unless(bf, 0x2f00_0000), "{of}");
        // An element of tf32: 0x00400000 is 2^-127, times 1.
        let wide = one_depth(Precision::Tf32, 0, [0x0000, 0x0000, 0x0040, 0x3f80]);
        assert_eq!(with(wide), unless(tf32 || f, 0x0040_0000), "{of}");
        let normal = one_depth(Precision::Tf32, 0, [0x0000, 0x0000, 0x0040, 0x7180]);
        assert_eq!(with(normal), unless(tf32, 0x3200_0000), "{of}");
    }
}

#[test]
fn denormals_of_16_bits_are_flushed_after_rounding() {
    let run = |precision, [c, a, b]: [u16; 3], model| {
        let mut case =
            Case::new(precision, precision, if precision == Precision::Hf { DataType::Hf } else { DataType::Bf })
                .set(RC, 1);
        case.small().set_model_denormals(model);
        for (byte, bits) in [(2048, c), (4096, b), (6144, a)] {
            case.put(byte, &bits.to_le_bytes());
        }
        result(case) & 0xffff
    };
    use Denormals::{ByCr0, Flush, Keep};
    // 2^-14 * 1/2 to HF is the denormal 0x200. 2^-14 * (1 - 2^-11) would be 0x03ff.8, which is rounded to 2^-14.
    assert_eq!([Keep, Flush].map(|model| run(Precision::Hf, [0, 0x0400, 0x3800], model)), [0x0200, 0]);
    assert_eq!([Keep, Flush].map(|model| run(Precision::Hf, [0, 0x07ff, 0x3800], model)), [0x0400; 2]);
    // An accumulator of HF, or of BF, that is a denormal.
    assert_eq!([Keep, Flush].map(|model| run(Precision::Hf, [0x8001, 0, 0], model)), [0x8001, 0]);
    assert_eq!([Keep, Flush].map(|model| run(Precision::Bf, [0x0001, 0x0080, 0x3f80], model)), [0x0081, 0x0080]);
    // BF has no bit: its accumulator is kept, and so is its result, but the row's F result between them is not.
    assert_eq!(run(Precision::Bf, [0x0001, 0x0080, 0x3f80], ByCr0), 0x0081);
    assert_eq!(run(Precision::Bf, [0x0001, 0, 0], ByCr0), 0);
}

#[test]
fn the_first_nan_is_that_of_the_accumulator_then_of_src1_and_src2_by_k() {
    let first = |precision, c, elements| {
        let mut case = one_depth(precision, c, elements);
        case.small().set_model_nan(Nan::First);
        case
    };
    let of = |c, elements| result(first(Precision::Hf, c, elements));
    // a0, b0, a1, b1: Src2 and Src1 of each product. 0x7c01 widens to 0x7f802000, quieted 0x7fc02000.
    assert_eq!(of(0xff80_0001, [0x7c01, 0x7e02, 0xfe03, 0xfe04]), 0xffc0_0001);
    assert_eq!(of(0x3f80_0000, [0x7c01, 0xfe02, 0x7e03, 0x7e04]), 0xffc0_4000);
    assert_eq!(of(0x3f80_0000, [0x7c01, 0x3c00, 0x7e03, 0x7e04]), 0x7fc0_2000);
    assert_eq!(of(0x3f80_0000, [0x3c00, 0x3c00, 0x7e03, 0x7e04]), 0x7fc0_8000);
    // No operand is one, and an infinity times zero before one that is.
    assert_eq!(of(0, [0x7c00, 0x0000, 0x3c00, 0x3c00]), 0x7fc0_0000);
    assert_eq!(of(0, [0x7c00, 0x0000, 0xfe03, 0x3c00]), 0xffc0_6000);
    // bf is the high half of an F; of tf32 the low bits may be ignored, and then an infinity is left.
    assert_eq!(result(first(Precision::Bf, 0, [0xff81, 0, 0, 0])), 0xffc1_0000);
    let tf32 = || first(Precision::Tf32, 0, [0x0001, 0x0000, 0xff80, 0x3f80]);
    assert_eq!(result(tf32()), 0xffc0_0001);
    let mut truncated = tf32();
    truncated.small().set_model_tf32(Tf32::Truncated);
    assert_eq!(result(truncated), 0xff80_0000);
    // A destination of 16 bits has the sign and the upper bits of the payload.
    let mut half = Case::new(Precision::Hf, Precision::Hf, DataType::Hf).set(RC, 1);
    half.small().set_model_nan(Nan::First);
    half.put(2048, &0xfc01_u16.to_le_bytes());
    assert_eq!(result(half) & 0xffff, 0xfe01);
}

#[test]
fn floats_are_promised_to_nearest_even_alone_and_integers_always() {
    for mode in 0..4 {
        let with = |mut case: Case| {
            case.small().cr0 = mode << cr0::ROUNDING_SHIFT;
            case.run().name()
        };
        let expected = if mode == cr0::RTNE { "done" } else { "unspecified" };
        for precision in [Precision::Bf, Precision::Hf, Precision::Tf32] {
            assert_eq!(with(Case::new(precision, precision, DataType::F)), expected);
        }
        assert_eq!(with(Case::new(Precision::S8, Precision::S8, DataType::D)), "done");
    }
}

#[test]
fn what_is_not_promised_is_refused_by_strength() {
    let s8 = || Case::new(Precision::S8, Precision::S8, DataType::D);
    let before_xehp = |mut case: Case| {
        case.small().platform = PRE_XEHP;
        case
    };
    let rows: [(Case, &str); 23] = [
        (s8(), "done"),
        (Case::new(Precision::S8, Precision::S8, DataType::Ud), "done"),
        (s8().set(RC, 0), "unspecified"),
        (s8().set(RC, 9), "unspecified"),
        (s8().set(SD, 4), "illegal"),
        (s8().set(SD, 3), "illegal"),
        // No platform has a depth below 8: those before XeHP have no DPAS.
        (before_xehp(s8()), "illegal"),
        (before_xehp(s8().set(SD, 4)), "illegal"),
        (s8().set(EXEC_SIZE, 3), "illegal"),
        (s8().set(EXEC_MASK, 0), "unspecified"),
        (s8().set(W, 9), "illegal"),
        (s8().set(A, 13), "illegal"),
        (s8().set(DST.offset, 32), "illegal"),
        (s8().set(DST.offset, 1600), "undefined"),
        (s8().set(SRC2.col_offset, 1), "illegal"),
        (s8().set(SRC2.col_offset, 8), "done"),
        (s8().set(SRC0.id, 0), "done"),
        (s8().set(SRC0.id, 0).set(SRC0.offset, 128), "done"),
        (s8().set(SRC0.id, 0).set(SRC0.offset, 32), "illegal"),
        (s8().set(DST.id, 0), "unspecified"),
        (s8().set(SRC2.modifiers, 1), "illegal"),
        (Case::new(Precision::Bf8, Precision::Hf8, DataType::F), "unspecified"),
        (Case::new(Precision::S1, Precision::S8, DataType::D), "unspecified"),
    ];
    for (place, (mut case, expected)) in rows.into_iter().enumerate() {
        assert_eq!(case.run().name(), expected, "row {place}");
    }
}
