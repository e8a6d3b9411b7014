//! The figures of the errata of page DPAS. Of the facts only names, codes and widths are used.

use std::collections::BTreeSet;

use tandem_isa::mix64;
use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::visa::operand::{self, EXEC_SIZES, MASK_NAMES, MASK_OFFSETS, REGION_CODES, RegionCode};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, GRF_BYTES, GRF_SIZES};

/// Widths of precisions, in bits.
type Widths = (u32, u32);

fn integers() -> impl Iterator<Item = Precision> + Clone {
    Precision::ALL.into_iter().filter(|known| known.kind() != PrecisionKind::Float)
}

/// The pairs of integer precisions of 2, 4 or 8 bits: `Src1`, `Src2`.
fn integer_pairs() -> Vec<(Precision, Precision)> {
    let several_bits = || integers().filter(|known| known.bits() > 1);
    several_bits().flat_map(|w| several_bits().map(move |a| (w, a))).collect()
}

/// The widths of all pairs: of integers, `bf`, `hf` and `tf32`.
fn pairs() -> Vec<Widths> {
    let integers = integer_pairs().into_iter().map(|(w, a)| (w.bits(), a.bits()));
    integers.chain([Precision::Bf, Precision::Hf, Precision::Tf32].map(|float| (float.bits(), float.bits()))).collect()
}

/// Lines 38-42, by the wider of the two.
fn ops((w, a): Widths) -> u32 {
    match w.max(a) {
        32 => 1,
        16 => 2,
        8 => 4,
        _ => 8,
    }
}

/// `1.0` in a float format whose mantissa has `mantissa` bits and whose exponent has `exponent`.
fn one(exponent: u32, mantissa: u32) -> u32 {
    ((1 << (exponent - 1)) - 1) << mantissa
}

/// How many bit patterns, of both signs, have a mantissa that is not zero and one given exponent.
fn with_a_mantissa(mantissa: u32) -> u32 {
    2 * ((1 << mantissa) - 1)
}

#[test]
fn vx_35_as_printed_16_rows_of_72_are_executed() {
    let (mut printed, mut meant) = (0, 0);
    for (rc, exec_size) in (1..=8).flat_map(|rc| [(rc, 8), (rc, 16)]) {
        let mut i = 0;
        while i < rc {
            printed += 1;
            i = 0;
            while i < exec_size {
                i += 1;
            }
        }
        meant += rc;
    }
    assert_eq!((printed, meant), (16, 72));
}

#[test]
fn vx_36_at_depth_8_all_312_rows_begin_where_the_prose_says() {
    let mut equal = 0;
    for ops in pairs().into_iter().map(ops) {
        let mut k = 0;
        for r in 0..8 {
            equal += usize::from(k == r * 8 * ops);
            k += (0..8).map(|_| ops).sum::<u32>();
        }
    }
    assert_eq!(equal, 312);
}

#[test]
fn vx_37_below_depth_8_all_819_rows_but_the_first_begin_elsewhere() {
    let mut differ = [0, 0];
    for (ops, sd) in pairs().into_iter().map(ops).flat_map(|ops| [1, 2, 4, 8].map(|sd| (ops, sd))) {
        let rows = (1..8).filter(|r| r * sd * ops != r * 8 * ops).count();
        differ[usize::from(sd == 8)] += rows;
        assert!(rows == 0 || rows == 7);
    }
    assert_eq!((differ, 39 * 3 * 7, pairs().len()), ([819, 0], 819, 39));
    // s8.s8, an element a byte.
    assert_eq!((7 * 4 * ops((8, 8)), 7 * 8 * ops((8, 8))), (112, 224));
}

#[test]
fn vx_38_tf32_divides_8_depths_by_0() {
    let printed = |bits: u32| {
        if bits == 16 {
            2
        } else if bits == 8 {
            4
        } else {
            8
        }
    };
    for (bits, divisor) in [(32, 256), (19, 152)] {
        assert_eq!((printed(bits), printed(bits) * bits, 32 / divisor), (8, divisor, 0));
    }
    assert!((0..8u32).all(|d| d.checked_div(32 / (printed(32) * 32)).is_none()));
    assert_eq!(32 / (ops((32, 32)) * 32), 1);
}

#[test]
fn vx_39_by_the_code_9_of_20_pairs_of_8_bits_are_lost() {
    let wide: Vec<_> = integer_pairs().into_iter().filter(|(w, a)| w.bits() == 8 || a.bits() == 8).collect();
    let (by_code, lost): (Vec<_>, Vec<_>) = wide.iter().partition(|(w, a)| w.code() == 8 || a.code() == 8);
    assert_eq!((integer_pairs().len(), wide.len(), by_code.len(), lost.len()), (36, 20, 11, 9));
    let without_room = lost.iter().filter(|(w, _)| 32 / (8 * w.bits()) == 0);
    assert_eq!(without_room.filter(|(w, _)| *w == Precision::U8).count(), 5);
    assert!(lost.iter().all(|(w, a)| w.bits() < 8 || *w == Precision::U8 && *a != Precision::S8));
}

#[test]
fn vx_40_28_of_64_pairs_have_one_bit() {
    let all: Vec<Widths> = integers().flat_map(|w| integers().map(move |a| (w.bits(), a.bits()))).collect();
    let one_bit: Vec<&Widths> = all.iter().filter(|(w, a)| *w == 1 || *a == 1).collect();
    assert_eq!((all.len(), one_bit.len()), (64, 28));
    let operands: BTreeSet<u32> =
        one_bit.iter().filter(|(w, _)| *w == 1).map(|pair| 32 / (ops(**pair) * pair.0)).collect();
    assert!(operands.into_iter().eq([4, 8]));
}

#[test]
fn vx_41_as_integers_1_times_1_is_3600() {
    assert_eq!((one(5, 2), one(5, 2) * one(5, 2)), (0x3c, 3_600));
    assert_eq!([Precision::Bf8.code(), Precision::Hf8.code()], [11, 14]);
}

#[test]
fn vx_42_2_of_4_pairs_of_fp8_are_mixed() {
    let names = [Precision::Bf8, Precision::Hf8];
    let allowed: Vec<_> = names.iter().flat_map(|w| names.iter().map(move |a| (w, a))).collect();
    assert_eq!((allowed.len(), allowed.iter().filter(|(w, a)| w == a).count()), (4, 2));
}

#[test]
fn vx_43_8_packed_rows_take_256_bytes_of_512() {
    use DataType::{Bf, D, F, Hf, Ud};
    let rows: [&[DataType]; 4] = [&[Ud, D], &[F, Bf], &[F, Hf], &[F]];
    let combinations: Vec<[DataType; 2]> =
        rows.iter().flat_map(|row| row.iter().flat_map(|&dst| row.iter().map(move |&src0| [dst, src0]))).collect();
    let narrow = combinations.iter().filter(|types| types.iter().any(|known| known.bits() == 16)).count();
    assert_eq!((combinations.len(), narrow), (13, 6));
    let packed = 8 * 16 * Bf.bytes();
    assert_eq!((8 * GRF_SIZES[1], packed, packed / 8, GRF_SIZES[1] / 2), (512, 256, 32, 32));
}

#[test]
fn vx_44_4_of_8_packed_rows_begin_at_a_register() {
    for (channels, register) in [(8, 32), (16, 64)] {
        let rows = (0..8).filter(|row| (row * channels * DataType::Hf.bytes()).is_multiple_of(register));
        assert_eq!(rows.count(), 4);
    }
}

#[test]
fn vx_45_no_code_is_left_for_df() {
    let named = integers().count() + [Precision::Bf, Precision::Hf, Precision::Tf32].len();
    assert_eq!((named, 16 - 1 - named), (11, 4));
    let lists = ["D,F,UD", "UD,D,F,BF,HF", "D,UD,F,BF,HF,DF"].map(|list| list.split(',').count());
    assert_eq!(lists, [3, 5, 6]);
}

#[test]
fn vx_46_20_of_144_alignments_are_0() {
    let mut zero = BTreeSet::new();
    let (mut count, mut all) = (0, 0);
    for (pair, sd) in pairs().into_iter().flat_map(|pair| [1, 2, 4, 8].map(|sd| (pair, sd))) {
        let dwords = sd / (32 / (pair.1 * ops(pair)));
        assert_eq!(dwords, sd * pair.1 * ops(pair) / 32, "the row, in whole double words");
        all += usize::from(pair.0 <= 8);
        if dwords == 0 {
            count += 1;
            zero.insert((sd, pair.1, ops(pair)));
        }
    }
    assert_eq!((count, all), (20, 144));
    assert!(zero.into_iter().eq([(1, 2, 4), (1, 2, 8), (1, 4, 4), (2, 2, 4)]));
    assert_eq!([8, 4, 2].map(|bits| 8 / (32 / (bits * 4))), [8, 4, 2]);
}

#[test]
fn vx_47_512_of_4096_regions_have_listed_codes() {
    let listed = REGION_CODES.iter().filter(|&&code| code != RegionCode::Unlisted).count();
    assert_eq!((listed.pow(3), REGION_CODES.len().pow(3)), (512, 4_096));
}

#[test]
fn vx_48_5_of_8_modifier_codes_are_modifiers() {
    use operand::modifier::{ABS, NONE, NOT};
    assert_eq!((1 << operand::SRC2.modifiers.width, NONE, (ABS..=NOT).count(), (NOT + 1..8).count()), (8, 0, 5, 2));
}

#[test]
fn vx_49_a_row_adds_up_to_2080800_at_most() {
    let range = |precision: Precision| {
        let values = 1_i64 << precision.bits();
        if precision.kind() == PrecisionKind::Signed { (-values / 2, values / 2 - 1) } else { (0, values - 1) }
    };
    let rows = integer_pairs().into_iter().flat_map(|(w, a)| {
        let k = i64::from(8 * ops((w.bits(), a.bits())));
        let ((w_least, w_most), (a_least, a_most)) = (range(w), range(a));
        [w_least * a_least, w_least * a_most, w_most * a_least, w_most * a_most].map(|product| k * product)
    });
    let rows: Vec<i64> = rows.collect();
    assert_eq!((rows.iter().max(), rows.iter().min()), (Some(&2_080_800), Some(&-1_044_480)));
}

// ------------------------------------------------------------------------------------------------ floats

/// The sum of a row with an accumulator of 0: `[sequential, fused, pairwise, rounded once]`. Elements are whole numbers
/// of 2^-`scale`, and so few and small that an `i64` holds the exact sum of their products.
fn sums(row: &[(i64, i64)], scale: i32, ops: usize) -> [f32; 4] {
    let unit = 2_f32.powi(-scale);
    let float = |value: i64| value as f32 * unit;
    let (mut sequential, mut fused, mut pairwise) = (0_f32, 0_f32, 0_f32);
    for depth in row.chunks(ops) {
        let mut dot = None;
        for &(a, b) in depth {
            let product = float(a) * float(b);
            sequential += product;
            fused = float(a).mul_add(float(b), fused);
            dot = Some(dot.map_or(product, |dot: f32| dot + product));
        }
        pairwise += dot.unwrap_or_default();
    }
    let exact: i64 = row.iter().map(|(a, b)| a * b).sum();
    [sequential, fused, pairwise, exact as f32 * unit * unit]
}

/// Of 1,000 drawn rows, how many are not summed as the sequential one is: fused, pairwise, rounded once.
fn differing(num_products: u64, scale: i32, ops: usize, element: impl Fn(u64) -> i64) -> [usize; 3] {
    let mut differing = [0; 3];
    for row in 0..1_000 {
        let draw = |place: u64| element(mix64(row << 16 | place));
        let row: Vec<(i64, i64)> = (0..num_products).map(|k| (draw(2 * k), draw(2 * k + 1))).collect();
        let [sequential, others @ ..] = sums(&row, scale, ops);
        for (count, other) in differing.iter_mut().zip(others) {
            *count += usize::from(other.to_bits() != sequential.to_bits());
        }
    }
    differing
}

#[test]
fn vx_50_of_1000_rows_265_372_or_287_depend_on_how_they_are_summed() {
    let big = 16_777_216_f32;
    let steps = (big + 1.0) + 1.0;
    assert_eq!((steps.to_bits(), (big + (1.0 + 1.0)).to_bits()), (0x4b80_0000, 0x4b80_0001));
    // From 1 to 2, with the mantissas of HF and of tf32 in full.
    let hf = differing(16, 10, 2, |drawn| 1 << 10 | (drawn & 0x3ff) as i64);
    let tf32 = differing(8, 23, 1, |drawn| 1 << 23 | (drawn & 0x7f_ffff) as i64);
    let whole = differing(16, 0, 2, |drawn| (drawn % 17) as i64 - 8);
    assert_eq!((hf, tf32[..2].to_vec(), whole), ([0, 265, 372], vec![287, 0], [0; 3]), "of 1_000");
}

#[test]
fn vx_51_bf_has_254_denormals_hf_2046_and_f_16777214() {
    assert_eq!([7, 10, 23].map(with_a_mantissa), [254, 2_046, 16_777_214]);
}

#[test]
fn vx_52_any_of_16777214_nans_of_f_would_do() {
    assert_eq!([23, 10, 7].map(with_a_mantissa), [16_777_214, 2_046, 254]);
    // The highest bit of the mantissa alone, positive.
    let quiet = |exponent: u32, mantissa: u32| ((1_u32 << exponent) - 1) << mantissa | 1 << (mantissa - 1);
    assert_eq!([quiet(8, 23), quiet(5, 10), quiet(8, 7)], [0x7fc0_0000, 0x7e00, 0x7fc0]);
}

#[test]
fn vx_53_4095_of_8192_values_round_up_to_the_next_hf() {
    // 1.0 has an even mantissa, so the tie goes down.
    let step = 1_u32 << (23 - 10);
    let up = (0..step).filter(|rest| *rest > step / 2).count();
    assert_eq!((step, up), (8_192, 4_095));
}

#[test]
fn vx_54_each_tf32_has_8192_patterns() {
    let low = 32 - (1 + 8 + 10);
    assert_eq!((low, 1_u32 << low, with_a_mantissa(low)), (13, 8_192, 16_382));
    assert!((1..1_u32 << low).all(|rest| f32::from_bits(0x7f80_0000 | rest).is_nan()));
    assert!(f32::from_bits(0x7f80_1fff & !((1 << low) - 1)).is_infinite());
}

#[test]
fn vx_55_the_code_of_tf32_is_0x0c() {
    let codes = [Precision::Bf8, Precision::Tf32].map(Precision::code);
    assert_eq!((codes, 0b1100), ([0x0b, 0x0c], 0x0c));
}

// ------------------------------------------------------------------------------------------------ encodings and places

#[test]
fn vx_56_15_of_16_masks_could_disable_a_channel() {
    let all = (0..16).filter(|&code| MASK_NAMES[code].ends_with("_NM") && MASK_OFFSETS[code & 7] == 0);
    assert_eq!((all.map(|code| MASK_NAMES[code]).collect::<Vec<_>>(), MASK_NAMES.len() - 1), (vec!["M1_NM"], 15));
}

#[test]
fn vx_57_32_of_256_values_of_exec_size_mean_something() {
    let means = |byte: &usize| byte >> 3 & 1 == 0 && matches!(EXEC_SIZES[byte & 7], Some(8 | 16));
    assert_eq!(((0..256).filter(means).count(), (0..256).count()), (32, 256));
}

#[test]
fn vx_58_3_of_4_pairs_of_register_and_platform_are_machines() {
    // In the order of time: before XeHP, XeHP, PVC.
    let machines = [(32, "before"), (32, "from XeHP on"), (64, "from XeHP on")];
    let pairs =
        GRF_SIZES.into_iter().flat_map(|register| ["before", "from XeHP on"].map(|platform| (register, platform)));
    let missing: Vec<_> = pairs.filter(|pair| !machines.contains(pair)).collect();
    assert_eq!(missing, [(64, "before")]);
    assert_eq!(GRF_SIZES.map(|register| register / 4), [8, 16]);
}

#[test]
fn vx_59_8_of_256_repeat_counts_are_promised() {
    assert_eq!((1 << operand::dpas::RC.width, (1..=8).count()), (256, 8));
    assert_eq!((255 * 16 * DataType::F.bytes(), GRF_BYTES), (16_320, 8192));
}

#[test]
fn vx_60_overlap_shows_the_order_of_rows() {
    // Rows of Src0, and Dst one row further on; the products are zero.
    let before = [1, 2, 3, 4, 5];
    let (mut printed, mut decided) = (before, before);
    for r in 0..4 {
        printed[r + 1] = printed[r];
    }
    decided[1..].copy_from_slice(&before[..4]);
    assert_eq!((&printed[..4], &decided[..4]), (&[1, 1, 1, 1][..], &[1, 1, 2, 3][..]));
}

#[test]
fn vx_61_counted_from_the_other_end_sums_change() {
    let other_end = |k: u32, bits: u32| {
        let per_dw = 32 / bits;
        k / per_dw * per_dw + (per_dw - 1 - k % per_dw)
    };
    let widths = [2, 4, 8];
    let kept: Vec<Widths> = widths
        .into_iter()
        .flat_map(|w| widths.map(|a| (w, a)))
        .filter(|&(w, a)| (0..8 * ops((w, a))).all(|k| other_end(k, w) == other_end(k, a)))
        .collect();
    assert_eq!(kept, [(2, 2), (4, 4), (8, 8)]);
}

#[test]
fn vx_62_the_second_precision_is_that_of_src2() {
    let code = DPAS.parse("DPAS.u4.s8.8.8 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)").expect("a text");
    let precisions = [operand::dpas::W, operand::dpas::A].map(|field| Precision::of_code(field.get(&code)));
    assert_eq!(precisions, [Some(Precision::U4), Some(Precision::S8)]);
}

#[test]
fn vx_63_one_of_64_offsets_of_a_register_is_aligned() {
    let aligned = |register: usize| (0..64).filter(|offset| offset % register == 0).count();
    assert_eq!(GRF_SIZES.map(|register| (register, aligned(register))), [(32, 2), (64, 1)]);
}

#[test]
fn vx_65_7_of_9_combinations_of_float_types_are_in_doubt_on_small_registers() {
    // Types of Dst and Src0 that the table has with bf, hf and tf32.
    let types = [vec![DataType::F, DataType::Bf], vec![DataType::F, DataType::Hf], vec![DataType::F]];
    let all = types.iter().enumerate().flat_map(|(pair, types)| {
        types.iter().flat_map(move |&dst| types.iter().map(move |&src0| (pair == 2, [dst, src0])))
    });
    let is_in_doubt = |(is_tf32, types): &(bool, [DataType; 2])| *is_tf32 || types.iter().any(|one| one.bits() == 16);
    assert_eq!(types.each_ref().map(|types| types.len().pow(2)), [4, 4, 1]);
    assert_eq!((all.clone().filter(is_in_doubt).count(), all.count()), (7, 9));
}

#[test]
fn vx_66_27_of_36_pairs_have_a_signed_precision() {
    let is_signed = |known: Precision| known.kind() == PrecisionKind::Signed;
    let pairs = integer_pairs();
    let signed = pairs.iter().filter(|&&(w, a)| is_signed(w) || is_signed(a)).count();
    assert_eq!((signed, pairs.len()), (27, 36));
}
