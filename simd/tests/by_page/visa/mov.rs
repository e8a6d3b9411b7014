//! `MOV`: packed immediates, and integers that floats have exactly.

use tandem_isa::Answer;
use tandem_isa::visa::inst::mov::MOV;
use tandem_isa::visa::{DataType, ROWS, Visa, cr0};

use super::{assert_makes, assert_refused, put, run, state};

/// A state whose destination has a type.
fn to(data_type: DataType) -> tandem_isa::State {
    state([data_type, DataType::D, DataType::Q, DataType::Uq])
}

#[test]
fn the_half_bytes_of_v_are_eight_signed_words() {
    // From the lowest half-byte on: 0, 1, 7, 8 (-8), 9 (-7), f (-1), a (-6), 5.
    let text = "MOV (M1_NM, 8) V32(0,0)<1> 0x5af98710:v";
    let words: [i16; 8] = [0, 1, 7, -8, -7, -1, -6, 5];
    assert_makes(&MOV, text, &to(DataType::W), &words.map(i16::to_le_bytes));
    assert_makes(&MOV, text, &to(DataType::D), &words.map(|word| i32::from(word).to_le_bytes()));
    assert_makes(&MOV, text, &to(DataType::Q), &words.map(|word| i64::from(word).to_le_bytes()));
    // To the same size the bits are kept, to a smaller one the lowest.
    assert_makes(&MOV, text, &to(DataType::Uw), &[0, 1, 7, 0xfff8, 0xfff9, 0xffff, 0xfffa, 5].map(u16::to_le_bytes));
    assert_makes(&MOV, text, &to(DataType::Ub), &[[0], [1], [7], [0xf8], [0xf9], [0xff], [0xfa], [5]]);
    // 1 is 3f800000, 7 = 1.75 * 4 is 40e00000, 8 is 41000000, 6 = 1.5 * 4 is 40c00000, 5 = 1.25 * 4 is 40a00000.
    let singles = [0, 0x3f80_0000, 0x40e0_0000, 0xc100_0000, 0xc0e0_0000, 0xbf80_0000, 0xc0c0_0000, 0x40a0_0000];
    assert_makes(&MOV, text, &to(DataType::F), &singles.map(u32::to_le_bytes));
    let halves = [0, 0x3c00, 0x4700, 0xc800, 0xc700, 0xbc00, 0xc600, 0x4500];
    assert_makes(&MOV, text, &to(DataType::Hf), &halves.map(u16::to_le_bytes));
}

#[test]
fn the_half_bytes_of_uv_are_eight_unsigned_words() {
    let text = "MOV (M1_NM, 8) V32(0,0)<1> 0x5af98710:uv";
    let words: [u16; 8] = [0, 1, 7, 8, 9, 15, 10, 5];
    assert_makes(&MOV, text, &to(DataType::Uw), &words.map(u16::to_le_bytes));
    assert_makes(&MOV, text, &to(DataType::D), &words.map(|word| i32::from(word).to_le_bytes()));
    assert_makes(&MOV, text, &to(DataType::B), &words.map(|word| [word as u8]));
    // 9 = 1.125 * 8, 15 = 1.875 * 8, 10 = 1.25 * 8.
    let singles = [0, 0x3f80_0000, 0x40e0_0000, 0x4100_0000, 0x4110_0000, 0x4170_0000, 0x4120_0000, 0x40a0_0000_u32];
    assert_makes(&MOV, text, &to(DataType::F), &singles.map(u32::to_le_bytes));
}

#[test]
fn packed_immediates_are_modified_clamped_and_masked_as_words_are() {
    let negated = "MOV (M1_NM, 4) V32(0,0)<1> (-)0x00008710:v";
    assert_makes(&MOV, negated, &to(DataType::W), &[0_i16, -1, -7, 8].map(i16::to_le_bytes));
    let absolute = "MOV (M1_NM, 4) V32(0,0)<1> (abs)0x00008f10:v";
    assert_makes(&MOV, absolute, &to(DataType::W), &[0_i16, 1, 1, 8].map(i16::to_le_bytes));
    let clamped = "MOV.sat (M1_NM, 4) V32(0,0)<1> 0x00008f71:v";
    assert_makes(&MOV, clamped, &to(DataType::Uw), &[1_u16, 7, 0, 0].map(u16::to_le_bytes));
    assert_makes(&MOV, clamped, &to(DataType::F), &[0x3f80_0000_u32, 0x3f80_0000, 0, 0].map(u32::to_le_bytes));
    // Negated without a sign is clamped at 0, or all its bits are kept.
    let unsigned = "MOV (M1_NM, 2) V32(0,0)<1> (-)0x000000f1:uv";
    assert_makes(&MOV, unsigned, &to(DataType::D), &[-1_i32, -15].map(i32::to_le_bytes));
    assert_makes(&MOV, "MOV (M1_NM, 1) V32(0,0)<1> 0xfffffff9:v", &to(DataType::W), &[(-7_i16).to_le_bytes()]);

    let mut some = to(DataType::W);
    put(&mut some, 0, &[[0x55, 0x55]; 8]);
    Visa::new(&mut some).small.em = 0b1001_0110;
    let kept = 0x5555;
    let expected = [kept, 2, 3, kept, 5, kept, kept, -8];
    assert_makes(&MOV, "MOV (M1, 8) V32(0,0)<1> 0x87654321:v", &some, &expected.map(i16::to_le_bytes));
    // Of sixteen channels the first eight have elements.
    Visa::new(&mut some).small.em = 0xff;
    let expected = [1_i16, 2, 3, 4, 5, 6, 7, -8, 0];
    assert_makes(&MOV, "MOV (M1, 16) V32(0,0)<1> 0x87654321:v", &some, &expected.map(i16::to_le_bytes));
}

#[test]
fn packed_floats_are_refused_as_the_page_does_not_say_what_they_are() {
    for data_type in [DataType::F, DataType::D, DataType::Hf] {
        assert_refused(&MOV, "MOV (M1_NM, 4) V32(0,0)<1> 0x00403020:vf", &to(data_type));
    }
    // And words do not become BF.
    assert_refused(&MOV, "MOV (M1_NM, 8) V32(0,0)<1> 0x76543210:v", &to(DataType::Bf));
}

#[test]
fn integers_that_a_float_has_are_that_float_in_every_rounding_mode() {
    for mode in [cr0::RTNE, cr0::RU, cr0::RD, cr0::RTZ] {
        let under = |data_type| {
            let mut state = to(data_type);
            Visa::new(&mut state).small.cr0 = mode << cr0::ROUNDING_SHIFT;
            // 2^24 - 1 and 2^24 have 24 bits, 2^31 - 128 has 24 as well, and -2^31 has one.
            put(
                &mut state,
                1,
                &[0xff_ffff, 0x100_0000, 0x7fff_ff80, i32::MIN, -2047, 2048, 65504, -1].map(i32::to_le_bytes),
            );
            put(&mut state, 2, &[(1_i64 << 53) - 1, i64::MIN, -0x7fff_ff80_0000_0000, 0].map(i64::to_le_bytes));
            put(&mut state, 3, &[1_u64 << 63, 0xffff_ff00_0000_0000, u64::MAX << 11, 1].map(u64::to_le_bytes));
            state
        };
        let singles = [
            0x4b7f_ffff,
            0x4b80_0000,
            0x4eff_ffff,
            0xcf00_0000,
            0xc4ff_e000,
            0x4500_0000,
            0x477f_e000,
            0xbf80_0000_u32,
        ];
        let d = "MOV (M1_NM, 8) V32(0,0)<1> V33(0,0)<8;8,1>";
        assert_makes(&MOV, d, &under(DataType::F), &singles.map(u32::to_le_bytes));
        // 2047 has eleven bits, and 65504 is the largest HF.
        let halves = "MOV (M1_NM, 4) V32(0,0)<1> V33(0,4)<4;4,1>";
        assert_makes(&MOV, halves, &under(DataType::Hf), &[0xe7ff_u16, 0x6800, 0x7bff, 0xbc00].map(u16::to_le_bytes));
        let q = "MOV (M1_NM, 4) V32(0,0)<1> V34(0,0)<4;4,1>";
        let doubles = [0x433f_ffff_ffff_ffff, 0xc3e0_0000_0000_0000, 0xc3df_ffff_e000_0000, 0_u64];
        assert_makes(&MOV, q, &under(DataType::Df), &doubles.map(u64::to_le_bytes));
        let uq = "MOV (M1_NM, 4) V32(0,0)<1> V35(0,0)<4;4,1>";
        let doubles = [0x43e0_0000_0000_0000, 0x43ef_ffff_e000_0000, 0x43ef_ffff_ffff_ffff, 0x3ff0_0000_0000_0000_u64];
        assert_makes(&MOV, uq, &under(DataType::Df), &doubles.map(u64::to_le_bytes));
        let first = "MOV (M1_NM, 2) V32(0,0)<1> V35(0,0)<2;2,1>";
        assert_makes(&MOV, first, &under(DataType::F), &[0x5f00_0000_u32, 0x5f7f_ffff].map(u32::to_le_bytes));
    }
}

#[test]
fn a_predicate_is_the_number_of_its_elements() {
    let mut some = to(DataType::Uw);
    let predicate = &mut Visa::new(&mut some).small.predicates[1];
    (predicate.value, predicate.log2_num_elements) = (0xdead_8f31, 4);
    assert_makes(&MOV, "MOV (M1_NM, 1) V32(0,0)<1> P2", &some, &[0x8f31_u16.to_le_bytes()]);
    // Of eight elements, no more than the low byte is promised.
    Visa::new(&mut some).small.predicates[1].log2_num_elements = 3;
    for (_, mut after) in run(&MOV, "MOV (M1_NM, 1) V32(0,0)<1> P2", &some) {
        assert_eq!(super::get::<2>(&mut after, 0, 1)[0][0], 0x31);
    }
}

/// A register of the file has one row. What is marked as read is what a case draws, and what a report names.
#[test]
fn the_rows_from_the_first_datum_to_the_last_are_read_and_no_others() {
    let read = |text: &str| {
        let rows = run(&MOV, text, &to(DataType::D)).into_iter().map(|(answer, state)| {
            assert_eq!(answer, Answer::Done, "{text}");
            (0..ROWS).filter(|&row| state.tracker.log.read.contains(row)).collect::<Vec<_>>()
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.iter().all(|one| *one == rows[0]), "{text}: {rows:?}");
        rows[0].clone()
    };
    assert_eq!(read("MOV (M1_NM, 8) V32(0,0)<1> V33(0,0)<8;8,1>"), [64]);
    assert_eq!(read("MOV (M1_NM, 8) V32(0,0)<1> V33(0,4)<8;8,1>"), [64, 65]);
    assert_eq!(read("MOV (M1_NM, 16) V32(0,0)<1> V33(2,0)<8;8,1>"), [66, 67]);
    assert_eq!(read("MOV (M1_NM, 16) V32(0,0)<1> V33(3,7)<0;1,0>"), [67]);
}
