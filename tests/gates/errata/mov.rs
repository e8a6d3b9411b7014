//! The figures of the errata of vISA that bear on `MOV`.

use std::collections::BTreeSet;

use tandem_cases::visa::MOV;
use tandem_isa::FormatKind;
use tandem_isa::visa::operand::{self, EXEC_SIZES, MASK_OFFSETS};
use tandem_isa::visa::{DATA_TYPES, DataType, GRF_SIZES, TypeKind, VISA, cr0};

/// The types of the first type map but BOOL.
const NUMBERS: [DataType; 11] = [
    DataType::Ud,
    DataType::D,
    DataType::Uw,
    DataType::W,
    DataType::Ub,
    DataType::B,
    DataType::Df,
    DataType::F,
    DataType::Uq,
    DataType::Q,
    DataType::Hf,
];

fn hf_values() -> impl Iterator<Item = (bool, u32, u32)> {
    (0..65_536u32).map(|bits| (bits >> 15 != 0, bits >> 10 & 31, bits & 1023))
}

fn is_denormal((_, exponent, mantissa): (bool, u32, u32)) -> bool {
    exponent == 0 && mantissa != 0
}

fn is_nan((_, exponent, mantissa): (bool, u32, u32)) -> bool {
    exponent == 31 && mantissa != 0
}

/// The smallest denormal, as a power of two.
fn smallest(data_type: DataType) -> i32 {
    let format = data_type.format().expect("a float");
    let FormatKind::Float { bias } = format.kind else { panic!("{} is no float", format.name) };
    1 - bias - i32::try_from(format.mantissa_bits()).expect("few bits")
}

/// The masks of each execution size that are aligned to it.
fn aligned_masks() -> impl Iterator<Item = (u32, u32)> {
    EXEC_SIZES.into_iter().flatten().flat_map(|size| {
        MASK_OFFSETS.into_iter().filter(move |offset| offset % size == 0).map(move |offset| (offset, size))
    })
}

#[test]
fn vx_01_the_smallest_hf_is_2_to_the_minus_24_and_the_smallest_bf_2_to_the_minus_133() {
    let found = [DataType::Hf, DataType::Bf, DataType::F, DataType::Df].map(smallest);
    assert_eq!(found, [-24, -133, -149, -1074]);
}

#[test]
fn vx_02_no_page_has_a_section_x() {
    let titles: Vec<&str> = VISA.pages.iter().map(|page| page.title).collect();
    assert!(
        titles.iter().all(|title| !title.contains("Section X")) && titles.contains(&DATA_TYPES.title),
        "{titles:?}"
    );
}

#[test]
fn vx_03_of_144_pairs_121_convert_and_3_moves_read_a_predicate() {
    let map = NUMBERS.len() + 1;
    assert_eq!((map * map, map * map - 23, NUMBERS.len() * NUMBERS.len()), (144, 121, 121));
    let cells = (MOV.cells)(tandem_isa::Edition::Spec);
    let mut pairs = BTreeSet::new();
    for cell in 0..cells.len() {
        let levels = cells.levels(cell);
        let class = (MOV.cell_class)(tandem_isa::Edition::Spec, levels);
        if class == "predicate to integer" {
            pairs.insert((levels[0], levels[1]));
        }
    }
    assert_eq!(pairs.len(), 3);
}

#[test]
fn vx_04_two_of_124_pairs_have_a_destination_without_a_range() {
    let cells = (MOV.cells)(tandem_isa::Edition::Spec);
    let (mut pairs, mut without) = (BTreeSet::new(), BTreeSet::new());
    for cell in 0..cells.len() {
        let levels = cells.levels(cell);
        let class = (MOV.cell_class)(tandem_isa::Edition::Spec, levels);
        if !["no such pair of types", "predicate to integer", "packed vector"].contains(&class) {
            pairs.insert((levels[0], levels[1]));
            if cells.axes[0].levels[usize::from(levels[0])] == "BF" {
                without.insert((levels[0], levels[1]));
            }
        }
    }
    assert_eq!((pairs.len(), without.len()), (124, 2));
}

#[test]
fn vx_05_six_modifier_codes_are_decided() {
    use operand::modifier::{ABS, NEG, NEG_ABS, NONE, NOT, SAT};
    assert_eq!([NONE, ABS, NEG, NEG_ABS, SAT, NOT], [0, 1, 2, 3, 4, 5]);
    assert_eq!((operand::SRC0.modifiers.width, operand::DST.modifiers.width), (3, 3));
}

#[test]
fn vx_06_160_of_256_values_of_exec_size_mean_nothing() {
    let meaningless = (0..256u32).filter(|byte| byte >> 3 & 1 != 0 || EXEC_SIZES[*byte as usize & 7].is_none());
    assert_eq!(meaningless.count(), 160);
}

#[test]
fn vx_07_30721_of_65536_hf_values_have_no_unsigned_integer() {
    let below = |value: &(bool, u32, u32)| value.0 && value.1 > 0 && !is_nan(*value);
    assert_eq!((hf_values().count(), hf_values().filter(below).count()), (65_536, 30_721));
}

#[test]
fn vx_08_half_of_the_integer_to_float_pairs_can_round() {
    let integers = NUMBERS.iter().filter(|known| matches!(known.kind(), TypeKind::Signed | TypeKind::Unsigned));
    let mut pairs = [0, 0];
    for integer in integers {
        for float in [DataType::Hf, DataType::F, DataType::Df] {
            let precision = float.format().expect("a float").mantissa_bits() + 1;
            // The magnitude of a signed integer needs one bit less, but for its smallest, a power of two.
            let magnitude = integer.bits() - u32::from(integer.kind() == TypeKind::Signed);
            pairs[usize::from(magnitude > precision)] += 1;
        }
    }
    assert_eq!(pairs, [12, 12]);
}

#[test]
fn vx_09_hf_has_2046_denormals() {
    assert_eq!(hf_values().filter(|&value| is_denormal(value)).count(), 2_046);
}

#[test]
fn vx_10_a_kept_denormal_may_round_away_from_zero() {
    // Rounded up, what lies between 0 and the smallest denormal is that denormal.
    let (f, hf) = (0x0000_0001_u32, 0x0001_u32);
    assert!(smallest(DataType::F) < smallest(DataType::Hf) && f == 1 && hf == 1);
}

#[test]
fn vx_11_hf_has_2046_nans() {
    assert_eq!(hf_values().filter(|&value| is_nan(value)).count(), 2_046);
    let nan = 0xff81_2345_u32;
    let hf = (nan >> 16 & 0x8000) | 0x7c00 | 0x0200 | (nan & 0x007f_ffff) >> 13;
    assert_eq!(hf, 0xfe09);
}

#[test]
fn vx_12_hf_overflows_from_65520_on() {
    let last = 0x7bff_u32;
    let magnitude = ((last & 1023) + 1024) << ((last >> 10) - 25);
    assert_eq!(magnitude, 65504);
    // Halfway to what would come next, which is even.
    assert_eq!((magnitude + 65536) / 2, 65520);
    let first = 65_536f32.to_bits();
    assert_eq!(f32::INFINITY.to_bits() - first, 939_524_096);
    assert_eq!(((0..65_536).count(), (0..65_536).filter(|&value| value >= 65520).count()), (65_536, 16));
}

#[test]
fn vx_13_bf_is_the_high_half_of_f() {
    let (f, bf) = (DataType::F.format().expect("a float"), DataType::Bf.format().expect("a float"));
    assert_eq!((f.kind, f.mantissa_bits() - bf.mantissa_bits()), (bf.kind, 16));
    assert_eq!(cr0::MODELLED & !(cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM), 3 << cr0::ROUNDING_SHIFT);
}

#[test]
fn vx_14_one_of_65536_hf_values_saturates_to_either_zero() {
    let both = (0..65_536u32).filter(|&bits| bits >> 15 != 0 && bits & 0x7fff == 0);
    assert_eq!(both.collect::<Vec<_>>(), [0x8000]);
}

#[test]
fn vx_15_a_modifier_comes_before_conversion() {
    assert_eq!((-1i64).clamp(0, i64::from(u32::MAX)), 0);
    assert_eq!(1u32.wrapping_neg(), 0xffff_ffff);
}

#[test]
fn vx_16_128_of_256_b_values_are_outside_of_ub() {
    let values = (0..=255u8).map(u8::cast_signed);
    assert_eq!((values.clone().count(), values.filter(|&value| u8::try_from(value).is_err()).count()), (256, 128));
    assert_eq!((0x80u8.cast_signed(), u8::try_from(0x80u8.cast_signed().max(0))), (-128, Ok(0)));
}

#[test]
fn vx_17_255_of_256_ub_values_have_no_negative_in_ub() {
    let values = 0..=255i32;
    assert_eq!((values.clone().count(), values.filter(|&value| u8::try_from(-value).is_err()).count()), (256, 255));
    assert_eq!((-128i8).unsigned_abs(), 128);
}

#[test]
fn vx_18_a_raw_copy_of_hf_could_change_2046_denormals_and_1022_nans() {
    let signalling = |value: &(bool, u32, u32)| is_nan(*value) && value.2 >> 9 == 0;
    let found = [hf_values().filter(|&value| is_denormal(value)).count(), hf_values().filter(signalling).count()];
    assert_eq!(found, [2_046, 1_022]);
}

#[test]
fn vx_19_as_printed_27_of_31_masks_remain() {
    let decided = aligned_masks().filter(|(offset, size)| offset + size <= 32).count();
    let printed = aligned_masks().filter(|(offset, size)| offset + size < 32).count();
    assert_eq!((decided, printed), (31, 27));
    assert!(!aligned_masks().any(|(offset, size)| size == 32 && offset + size < 32));
}

#[test]
fn vx_20_nm_controls_select_predicate_elements() {
    for (mask, name) in (0..).zip(operand::MASK_NAMES) {
        assert_eq!(name.ends_with("_NM"), mask & operand::NO_MASK != 0);
        let number: u32 = name[1..2].parse().expect("a digit");
        assert_eq!(MASK_OFFSETS[(mask & 7) as usize], 4 * (number - 1));
    }
}

#[test]
fn vx_21_seven_controls_of_p0_are_open() {
    let controls = operand::PRED.combine.width + operand::PRED.inverse.width;
    assert_eq!((1..1 << controls).count(), 7);
}

#[test]
fn vx_22_a_slice_may_lie_beyond_its_predicate() {
    let beyond = aligned_masks().filter(|(offset, size)| offset + size > 8).count();
    assert_eq!((aligned_masks().count(), beyond), (31, 24));
}

#[test]
fn vx_23_two_of_16_masks_read_from_element_0() {
    let first = (0..16).filter(|mask| MASK_OFFSETS[mask & 7] == 0).map(|mask| operand::MASK_NAMES[mask]);
    assert_eq!(first.collect::<Vec<_>>(), ["M1", "M1_NM"]);
}

#[test]
fn vx_24_upper_bits_of_11_of_15_predicate_moves_are_undefined() {
    let fits = |dst: DataType| [1, 2, 4, 8, 16, 32].into_iter().filter(move |&elements| elements <= dst.bits());
    let moves = [DataType::Ub, DataType::Uw, DataType::Ud].into_iter();
    let moves = moves.flat_map(|dst| fits(dst).map(move |elements| (dst, elements)));
    let (promised, undefined): (Vec<_>, Vec<_>) =
        moves.partition(|&(dst, elements)| elements >= 16 || elements == dst.bits());
    assert_eq!((promised.len(), undefined.len(), promised.len() + undefined.len()), (4, 11, 15));
    assert_eq!(promised, [(DataType::Ub, 8), (DataType::Uw, 16), (DataType::Ud, 16), (DataType::Ud, 32)]);
}

#[test]
fn vx_25_a_row_has_two_sizes() {
    assert_eq!(GRF_SIZES, [32, 64]);
}

#[test]
fn vx_26_five_bits_of_the_control_register_are_modelled() {
    assert_eq!((cr0::MODELLED.count_ones(), cr0::MODELLED & 1), (5, 0));
}

#[test]
fn vx_27_only_a_null_vertical_stride_is_a_multi_address_operand() {
    let null = operand::REGION_CODES.iter().filter(|&&code| code == operand::RegionCode::Null).count();
    assert_eq!((null, operand::REGION_CODES[operand::NULL as usize]), (1, operand::RegionCode::Null));
}

#[test]
fn vx_28_overlap_shows_the_order() {
    let before = [1, 2, 3, 4];
    // Moved up by one element.
    let mut literal = before;
    for channel in 0..3 {
        literal[channel + 1] = literal[channel];
    }
    let mut decided = before;
    decided[1..].copy_from_slice(&before[..3]);
    assert_eq!((literal, decided), ([1, 1, 1, 1], [1, 1, 2, 3]));
}

#[test]
fn vx_29_the_text_of_a_destination_has_a_null_vertical_stride() {
    let code = MOV.parse("MOV (M1, 8) r[A0(0),0]<1>:ud V33(0,0)<8;8,1>").expect("a text");
    assert_eq!((operand::DST.vert_stride.get(&code), operand::DST.width.get(&code)), (operand::NULL, operand::NULL));
}

#[test]
fn vx_30_two_odd_numbers_have_an_even_sum() {
    let (address, offset) = (0x101u32, 0x1fu32);
    assert!(address % 4 != 0 && offset % 4 != 0 && (address + offset).is_multiple_of(4));
}

#[test]
fn vx_31_six_types_leave_bits_of_the_low_word() {
    let narrow = NUMBERS.iter().chain([&DataType::Bf]).filter(|known| known.bits() < 32);
    assert_eq!(narrow.map(|known| 32 - known.bits()).collect::<Vec<_>>(), [16, 16, 24, 24, 16, 16]);
}

#[test]
fn vx_32_texts_have_what_the_grammar_lacks() {
    for text in [
        "MOV.sat (M8_NM, 4) V32(0,0)<1> V33(0,0)<4;4,1>",
        "MOV (M1, 8) r[A0(0),0]<1>:hf r[A1(0),0]<;1,0>:uq",
        "MOV (M1, 1) r[A0(0),0]<1>:bf r[A1(0),0]<0;1,0>:bf",
        "MOV (M1, 1) V32(0,0)<1> 0x1:q",
    ] {
        let code = MOV.parse(text).expect("a text");
        assert_eq!(MOV.print(&code), text);
    }
}

#[test]
fn vx_33_bf_has_a_code_for_variables() {
    assert_eq!(DataType::of_code(15), DataType::Bf);
    let field = VISA.layout.field_named("V32.type").expect("a field");
    assert_eq!((field.width, field.max), (4, 15));
}

#[test]
fn vx_34_no_type_has_room_for_4096_elements() {
    assert!(NUMBERS.iter().all(|known| 4_096 * known.bytes() >= 4_096));
}

#[test]
fn vx_64_all_but_256_of_65536_words_tell_the_ends_apart() {
    // Four elements of 4 bits.
    let mirrored = |word: u32| (0..4).fold(0, |sum, place| sum | (word >> (4 * place) & 0xf) << (4 * (3 - place)));
    assert_eq!((0..65_536).filter(|&word| mirrored(word) == word).count(), 256);
}
