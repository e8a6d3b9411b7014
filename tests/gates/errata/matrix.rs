//! The figures of the errata of what computes on `SrcA` and `SrcB`, of both chips.
//!
//! Pages: MVMUL, GMPOOL and MatrixUnit at 1ae1f852.

use std::collections::BTreeSet;

use tandem_isa::Machine;
use tandem_isa::tensix::{BLACKHOLE, WORMHOLE};

/// Whether a word of a source is an integer "8".
fn is_integer_8(word: u32) -> bool {
    word & 0xff == 16 || (word & 0xff, word >> 8 & 0x3ff) == (0, 0)
}

/// How many bits below the opcode belong to no field.
fn unnamed(machine: &Machine, name: &str) -> u32 {
    machine.instruction(name).expect("there is one").unnamed_bits(0).count_ones()
}

#[test]
fn tx_60_half_of_64_counters_begin_at_no_multiple_of_16_and_8_go_beyond_row_63() {
    let misaligned = (0..64).filter(|counter| counter & 0x38 != counter & 0x30).count();
    let beyond: Vec<u32> = (0..64).filter(|counter| (counter & 0x38) + 15 > 63).collect();
    assert_eq!((misaligned, &beyond[..]), (32, &[56, 57, 58, 59, 60, 61, 62, 63][..]));
    assert_eq!((56 + 8, 56 + 15), (64, 71));
}

#[test]
fn tx_61_the_mask_for_seven_rows_keeps_the_lowest_bit_of_512_of_1024_rows() {
    assert_eq!((1024 - 7, 1024 - 8), (0x3f9, 0x3f8));
    let further = (0..1024).filter(|row| row & 0x3f9 != row & 0x3f8);
    assert_eq!(further.clone().count(), 512);
    assert!(further.clone().all(|row| row & 0x3f9 == (row & 0x3f8) + 1));
    let firsts: BTreeSet<u32> = (0..1024).map(|row| row & 0x3f9).collect();
    assert!(firsts.contains(&8) && !firsts.contains(&7));
}

#[test]
fn tx_62_to_add_zero_changes_one_of_65536_words_and_the_mark_of_3_of_7_rows() {
    // A word in the order of an integer: sign and magnitude, which is decoded, and encoded again.
    let again = |word: u32| {
        let value = i64::from(word & 0x7fff_ffff) * if word >> 31 != 0 { -1 } else { 1 };
        u32::from(value < 0) << 31 | u32::try_from(value.unsigned_abs()).expect("31 bits")
    };
    let changed: Vec<u32> = (0..65_536).map(|high| high << 16).filter(|&word| again(word) != word).collect();
    assert_eq!(changed, [0x8000_0000]);
    assert_eq!((0..7).filter(|row| row % 2 != 0).count(), 3);
}

#[test]
fn tx_63_of_524288_words_2050_are_integer_8_and_more_after_truncation_or_masks() {
    let count = |mask: u32| (0..524_288_u32).filter(|word| is_integer_8(word & mask)).count();
    assert_eq!(count(0x7_ffff), 2_050);
    assert_eq!((0..524_288_u32).filter(|word| word & 0xff == 16).count(), 2_048);
    // TruncateSrc for FP16.
    assert_eq!(count(0x7_ff1f), 16_400);
    // The bits of SrcB that phases 2 and 3 take.
    assert_eq!(count(0x4_0fff), 2_176);
    // Flushed or not, an integer "8" gives the same number.
    assert!((0..524_288_u32).filter(|&word| is_integer_8(word)).all(|word| word & 0xff != 0 || word >> 8 & 0x3ff == 0));
}

#[test]
fn tx_64_bit_19_is_set_in_every_word_of_gmpool_and_a_field_of_no_picture() {
    for (name, of_wormhole, of_blackhole) in
        [("GMPOOL", 8, 7), ("GAPOOL", 10, 9), ("MVMUL", 9, 8), ("ELWMUL", 8, 7), ("ELWADD", 7, 6), ("ELWSUB", 7, 6)]
    {
        assert_eq!((unnamed(&WORMHOLE, name), unnamed(&BLACKHOLE, name)), (of_wormhole, of_blackhole), "{name}");
    }
    for machine in [&WORMHOLE, &BLACKHOLE] {
        let gmpool = machine.instruction("GMPOOL").expect("there is one");
        assert_eq!(gmpool.parse("TT_GMPOOL(0, true, 0, 0, 0)").expect("it is read")[0], 0x3308_0000);
        assert_eq!(gmpool.unnamed_bits(0) & 1 << 19, 0);
        let gapool = machine.instruction("GAPOOL").expect("there is one");
        assert_eq!(gapool.parse("TT_GAPOOL(0, 7, 0, true, 0)").expect("it is read")[0] & 0xff_ffff, 7 << 19 | 1 << 14);
        let elwmul = machine.instruction("ELWMUL").expect("there is one");
        assert_eq!(elwmul.parse("TT_ELWMUL(0, true, 0, 0, 0)").expect("it is read")[0] & 0xff_ffff, 1 << 21);
    }
}

#[test]
fn tx_65_of_65025_pairs_of_exponents_8256_are_below_what_an_invalid_row_reads_as() {
    assert_eq!((255 + 127, 31 + 15, (1 << 9) - 1), (382, 46, 511));
    let pairs = (1..256).flat_map(|a| (1..256).map(move |b| a + b));
    assert_eq!((pairs.clone().count(), pairs.filter(|&sum| sum > 382).count()), (65_025, 8_256));
}

#[test]
fn tx_66_no_sum_of_two_exponents_of_fp16_reaches_one_of_tf32() {
    // Nine bits, of which eight are written.
    let written = |sum: u32| sum.wrapping_sub(127) & 0x1ff & 0xff;
    assert_eq!((written(15 + 15), written(127 + 127)), (159, 127));
    let most = (0..32).flat_map(|a| (0..32).map(move |b| a + b)).max();
    // The smallest exponent of Dst is 0.
    assert_eq!((most, 127), (Some(62), 0x7f));
}

#[test]
fn tx_67_all_4096_indices_have_a_high_half_of_zero() {
    let phases = (0..16_u32).map(|phase| phase << 8);
    let indices: BTreeSet<u32> = phases.flat_map(|phase| (0..256).map(move |index| phase | index)).collect();
    assert_eq!(indices.len(), 4_096);
    assert!(indices.iter().all(|index| index >> 16 == 0));
}
