//! The figures of the errata of both chips.
//!
//! Pages: MOVA2D at 22812eeb (`spec`) and 88d4bf9c (`newest`), MOVB2D and MatrixUnit at 1ae1f852, MOVD2A, and Dst at
//! 093af914; SFPLOAD at 39304719 (Wormhole) and 0f3f6b70 (Blackhole), SFPSTORE at c63d6d0b.

use std::collections::BTreeSet;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::tensix::inst::{mova2d, scalar, sfpload, sfpstore};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE, format};
use tandem_isa::{Edition, Expectation, Reference, Step};
use tandem_reference::tensix::TensixReference;

// ------------------------------------------------------------------------------------------------ words

/// The values of a 19-bit datum.
const SOURCE_VALUES: u32 = 524_288;
/// The words of 16-bit Dst.
const DST_WORDS: u32 = 65_536;

/// Sign, mantissa and exponent of a datum by these masks, as 16 bits; every intermediate value has 19.
fn without(x: u32, [sign, man, exp]: [u32; 3]) -> u32 {
    u16_of((u19(x & sign) >> 3) | (u19(x & man) >> 3) | u19(x & exp))
}

/// RemoveLowMantissa as page MOVA2D at 22812eeb prints it.
fn remove_low_mantissa_printed(x: u32) -> u32 {
    without(x, [1 << 19, 0xff << 11, 0xff])
}

/// RemoveLowMantissa as page MatrixUnit prints it.
fn remove_low_mantissa(x: u32) -> u32 {
    without(x, [1 << 18, 0x7f << 11, 0xff])
}

/// RemoveLowMantissa with only the mantissa mask mended.
fn remove_low_mantissa_half_mended(x: u32) -> u32 {
    without(x, [1 << 19, 0x7f << 11, 0xff])
}

/// RemoveHighExponent as page MOVA2D at 22812eeb prints it.
fn remove_high_exponent_printed(x: u32) -> u32 {
    without(x, [1 << 19, 0x3ff << 8, 0x1f])
}

/// RemoveHighExponent as page MatrixUnit prints it.
fn remove_high_exponent(x: u32) -> u32 {
    without(x, [1 << 18, 0x3ff << 8, 0x1f])
}

/// ShuffleBF16 of page MOVD2A: a word of Dst in the layout of Src.
fn shuffle_bf16(x: u32) -> u32 {
    ((x & 0xff00) << 3) | (x & 0xff)
}

/// ShuffleFP16 of page MOVD2A.
fn shuffle_fp16(x: u32) -> u32 {
    ((x & 0xffe0) << 3) | (x & 0x1f)
}

/// The low half that page MOVA2D gives a TF32 datum, before UseDst32bLo.
fn low_mantissa(x: u32) -> u32 {
    ((x >> 8) & 7) << 13
}

/// Flushing, with FlushDenormals on.
fn flush(x: u32) -> u32 {
    if x & 0xff == 0 { 0 } else { x }
}

fn u19(x: u32) -> u32 {
    x & 0x7ffff
}

fn u16_of(x: u32) -> u32 {
    x & 0xffff
}

/// The integer "8" words of Dst: sign, ten bits of magnitude, and 16 where FP16 has its exponent.
fn integer_8_words() -> impl Iterator<Item = u32> {
    (0..2).flat_map(|sign| (0..1024).map(move |magnitude| sign << 15 | magnitude << 5 | 16))
}

fn count(domain: impl IntoIterator<Item = u32>, what: impl Fn(u32) -> bool) -> usize {
    domain.into_iter().filter(|&x| what(x)).count()
}

// ------------------------------------------------------------------------------------------------ combinations

/// What the pages branch on to choose a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Combination {
    fmt: u32,
    force: bool,
    fp32_enabled: bool,
    int8_math_enabled: bool,
    lo: bool,
}

/// All 256: SrcAFmt × FP16A_FORCE_Enable × Fp32_enabled × INT8_math_enabled × UseDst32bLo.
fn combinations() -> impl Iterator<Item = Combination> {
    (0..256_u32).map(|number| Combination {
        fmt: number >> 4,
        force: number & 8 != 0,
        fp32_enabled: number & 4 != 0,
        int8_math_enabled: number & 2 != 0,
        lo: number & 1 != 0,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exponent {
    Bits8,
    Bits5,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    /// 16 bits, to Dst16b.
    Half,
    /// 16 bits, to the low half of Dst32b.
    Low,
    /// 32 bits, to Dst32b.
    Whole,
    /// 32 bits, with the 16 bits OR-ed into the low half.
    WholeOrLow,
}

/// What becomes of a datum; nothing if the page calls it undefined.
type Fate = Option<(Exponent, Write)>;

fn has_8_bit_exponent(fmt: u32) -> bool {
    use format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
    [FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16].contains(&fmt)
}

/// Page MOVA2D at 22812eeb, lines 37 to 45 and 70 to 92.
fn spec_path(c: Combination) -> Fate {
    let exponent = if c.force {
        Exponent::Bits5
    } else if has_8_bit_exponent(c.fmt) {
        Exponent::Bits8
    } else {
        Exponent::Bits5
    };
    let write = if c.fmt == format::TF32 {
        if c.lo { Write::WholeOrLow } else { Write::Whole }
    } else if c.lo {
        Write::Low
    } else {
        Write::Half
    };
    Some((exponent, write))
}

/// Page MOVA2D at 88d4bf9c, lines 41 to 64: the exponent, and whether 32 bits are written. On Blackhole with
/// DISABLE_IMPLIED_SRCA_FMT set.
fn newest_format(c: Combination, chip: Chip) -> (Exponent, bool) {
    let mut fmt = c.fmt;
    if c.force {
        return (Exponent::Bits5, false);
    }
    if chip == Chip::Blackhole && c.fp32_enabled {
        fmt = format::TF32;
    }
    let eight = c.fp32_enabled || c.int8_math_enabled || has_8_bit_exponent(fmt);
    (if eight { Exponent::Bits8 } else { Exponent::Bits5 }, fmt == format::TF32)
}

/// Page MOVA2D at 88d4bf9c, lines 41 to 64 and 89 to 110.
fn newest_path(c: Combination, chip: Chip) -> Fate {
    match newest_format(c, chip) {
        (_, true) if c.lo => None,
        (exponent, true) => Some((exponent, Write::Whole)),
        (exponent, false) if c.lo => Some((exponent, Write::Low)),
        (exponent, false) => Some((exponent, Write::Half)),
    }
}

/// The rule of page MOVB2D at 1ae1f852 about the view and the accumulator fields.
fn view_is_at_odds(c: Combination, chip: Chip) -> bool {
    let (_, use_dst32b) = newest_format(c, chip);
    (use_dst32b || c.lo) != (c.fp32_enabled || c.int8_math_enabled)
}

fn count_combinations(what: impl Fn(Combination) -> bool) -> usize {
    combinations().filter(|&c| what(c)).count()
}

// ------------------------------------------------------------------------------------------------ the figures

#[test]
fn tx_01_a_19_bit_sign_mask_loses_the_sign_of_262144_of_524288_values() {
    let wrong = |x| remove_high_exponent_printed(x) != remove_high_exponent(x);
    assert_eq!((SOURCE_VALUES, DST_WORDS), (1 << 19, 65_536));
    assert_eq!(count(0..SOURCE_VALUES, wrong), 262_144);
    assert!((0..SOURCE_VALUES).all(|x| wrong(x) == (x & (1 << 18) != 0)), "exactly those with bit 18");
    assert!((0..SOURCE_VALUES).all(|x| remove_high_exponent_printed(x) == remove_high_exponent(x) & 0x7fff));
    assert_eq!((remove_high_exponent_printed(0x6000f), remove_high_exponent(0x6000f)), (0x400f, 0xc00f));

    // Dst to SrcA to Dst, as FP16.
    let lost = |word| remove_high_exponent_printed(shuffle_fp16(word)) != word;
    assert_eq!(count(0..DST_WORDS, lost), 32_768);
    assert_eq!((count(integer_8_words(), lost), integer_8_words().count()), (1_024, 2_048));
    assert_eq!(count(0..DST_WORDS, |word| remove_high_exponent(shuffle_fp16(word)) != word), 0);
}

#[test]
fn tx_02_two_wrong_masks_of_the_8_bit_path_cancel_for_all_524288_values() {
    assert_eq!(count(0..SOURCE_VALUES, |x| remove_low_mantissa_printed(x) != remove_low_mantissa(x)), 0);
    let half_mended = |x| remove_low_mantissa_half_mended(x) != remove_low_mantissa(x);
    assert_eq!(count(0..SOURCE_VALUES, half_mended), 262_144);
    assert!((0..SOURCE_VALUES).all(|x| remove_low_mantissa_half_mended(x) == remove_low_mantissa(x) & 0x7fff));
    assert_eq!(count(0..DST_WORDS, |word| remove_low_mantissa(shuffle_bf16(word)) != word), 0);
}

#[test]
fn tx_03_tf32_under_force_repeats_mantissa_bits_for_458752_of_524288_values() {
    let forced = |x| remove_high_exponent(x) << 16 | low_mantissa(x);
    assert_eq!(forced(0x30582), 0x60a2_a000);
    assert_eq!(remove_high_exponent(0x30582), 0x60a2);
    assert_eq!(count(0..SOURCE_VALUES, |x| forced(x) & 0xffff != 0), 458_752);
    // The bits of the low half are bits 5 to 7 of the high half again.
    assert!((0..SOURCE_VALUES).all(|x| (forced(x) >> 13) & 7 == (forced(x) >> 21) & 7));

    let contested = |c: Combination| c.force && spec_path(c) != newest_path(c, Chip::Wormhole);
    assert_eq!((count_combinations(contested), combinations().count()), (8, 256));
    for c in combinations().filter(|&c| contested(c)) {
        assert_eq!(c.fmt, format::TF32);
        let (printed, newest) = if c.lo { (Write::WholeOrLow, Write::Low) } else { (Write::Whole, Write::Half) };
        assert_eq!(spec_path(c), Some((Exponent::Bits5, printed)));
        assert_eq!(newest_path(c, Chip::Wormhole), Some((Exponent::Bits5, newest)));
    }
}

#[test]
fn tx_04_tf32_with_lo_runs_two_fields_together_for_303104_of_524288_values() {
    let plain = |x| remove_low_mantissa(x) << 16 | low_mantissa(x);
    let with_lo = |x| remove_low_mantissa(x) << 16 | low_mantissa(x) | remove_low_mantissa(x);
    assert_eq!(count(0..SOURCE_VALUES, |x| low_mantissa(x) & remove_low_mantissa(x) != 0), 303_104);
    assert_eq!(count(0..SOURCE_VALUES, |x| with_lo(x) != plain(x)), 524_261);
    assert_eq!((0..SOURCE_VALUES).map(with_lo).collect::<BTreeSet<u32>>().len(), 221_184);
    assert_eq!((0..SOURCE_VALUES).map(plain).collect::<BTreeSet<u32>>().len(), 524_288);

    let undefined = |c| newest_path(c, Chip::Wormhole).is_none();
    assert_eq!((count_combinations(undefined), combinations().count()), (4, 256));
    assert!(combinations().filter(|&c| undefined(c)).all(|c| c.fmt == format::TF32 && c.lo && !c.force));
    assert!(combinations().all(|c| spec_path(c).is_some()));
}

#[test]
fn tx_05_the_rule_of_movb2d_would_contest_126_of_256_combinations() {
    let at_odds = |c| view_is_at_odds(c, Chip::Wormhole);
    let undefined = |c| newest_path(c, Chip::Wormhole).is_none();
    assert_eq!(combinations().count(), 256);
    assert_eq!(count_combinations(at_odds), 126);
    assert_eq!(count_combinations(|c| at_odds(c) && undefined(c)), 1);
    assert_eq!(count_combinations(|c| at_odds(c) && !undefined(c)), 125);

    // With everything that the page of MOVB2D says.
    let defined = |c: Combination| !c.force && !at_odds(c) && !undefined(c);
    assert_eq!(count_combinations(|c| c.force), 128);
    assert_eq!(count_combinations(|c| !c.force && !defined(c)), 65);
    assert_eq!(count_combinations(defined), 63);
    assert_eq!(count_combinations(|c| defined(c) && spec_path(c) != newest_path(c, Chip::Wormhole)), 24);
}

#[test]
fn tx_06_the_newest_page_changes_48_of_256_combinations_by_the_exponent_rule() {
    let (mut exponent, mut force, mut undefined, mut same) = (0, 0, 0, 0);
    for c in combinations() {
        match (spec_path(c), newest_path(c, Chip::Wormhole)) {
            (_, None) => undefined += 1,
            (spec, newest) if spec == newest => same += 1,
            (Some((Exponent::Bits5, before)), Some((Exponent::Bits8, after))) => {
                assert_eq!(before, after, "the rule leaves the write alone");
                assert!(!c.force && !has_8_bit_exponent(c.fmt) && (c.fp32_enabled || c.int8_math_enabled));
                exponent += 1;
            }
            _ => {
                assert!(c.force, "TX-03");
                force += 1;
            }
        }
    }
    assert_eq!((exponent, force, undefined, same), (48, 8, 4, 196));
    assert_eq!(exponent, 8 * 3 * 2, "formats × settings of Fp32 and INT8 that are not both 0 × UseDst32bLo");
    assert_eq!((0..16).filter(|&fmt| !has_8_bit_exponent(fmt)).count(), 8);

    // What the path makes of a datum.
    let differ = |x| remove_low_mantissa(x) != remove_high_exponent(x);
    assert_eq!((count(0..SOURCE_VALUES, differ), SOURCE_VALUES), (458_752, 524_288));
    assert!((0..SOURCE_VALUES).all(|x| (remove_low_mantissa(x) ^ remove_high_exponent(x)) & !0xe0 == 0));
    let loses = |word| differ(shuffle_fp16(word));
    assert_eq!((count(0..DST_WORDS, loses), DST_WORDS), (57_344, 65_536));
    assert_eq!((count(integer_8_words(), loses), integer_8_words().count()), (1_792, 2_048));
    assert!((0..DST_WORDS).all(|word| remove_low_mantissa(shuffle_fp16(word)) == word & !0xe0), "the bits become 0");
}

#[test]
fn tx_07_blackhole_differs_from_wormhole_in_60_of_256_combinations() {
    let (mut whole, mut undefined) = (0, 0);
    for c in combinations().filter(|&c| newest_path(c, Chip::Blackhole) != newest_path(c, Chip::Wormhole)) {
        assert!(c.fp32_enabled && !c.force && c.fmt != format::TF32);
        match newest_path(c, Chip::Blackhole) {
            None => undefined += 1,
            Some((_, write)) => {
                assert_eq!(write, Write::Whole);
                whole += 1;
            }
        }
    }
    assert_eq!((whole, undefined), (30, 30));
}

#[test]
fn tx_08_a_32_bit_access_has_one_of_512_marks_and_an_invalid_row_reads_as_zero() {
    let adj32 = |row: usize| ((row & 0x1f8) << 1) | (row & 0x207);
    let marks: BTreeSet<usize> = (0..1024).map(adj32).collect();
    assert_eq!(marks.len(), 512);
    assert!(marks.iter().all(|row| row & 8 == 0) && (0..1024).all(|row| (row & 8 != 0) || marks.contains(&row)));
    let low_halves: BTreeSet<usize> = marks.iter().map(|row| row + 8).collect();
    assert!(marks.is_disjoint(&low_halves), "no access has the mark of another's low half");
    assert_eq!(marks.union(&low_halves).count(), 1024);

    let low_move = |dst32b: u32, value: u32| (dst32b & 0xffff_0000) | value;
    assert_eq!(low_move(0xdead_0000, 0x1234), 0xdead_1234, "the literal reading");
    assert_eq!(low_move(0, 0x1234), 0x0000_1234, "as the Matrix Unit reads an invalid row");

    let partial = |blocked: u32| blocked != 0 && blocked != 0xffff;
    assert_eq!((count(0..1 << 16, partial), 1 << 16), (65_534, 65_536));
}

#[test]
fn tx_09_four_bits_of_the_word_have_no_name() {
    let instruction = mova2d::MOVA2D;
    assert_eq!(instruction.unnamed_bits(0), 1 << 10 | 1 << 11 | 1 << 12 | 1 << 14);
    let addr_mod = instruction.code_field("AddrMod").expect("it is a field");
    assert_eq!((addr_mod.shift, addr_mod.width), (15, 2));
    let widths: u32 = instruction.opcode.iter().chain(instruction.code_fields).map(|field| field.width).sum();
    assert_eq!(widths + 4, 32, "no field overlaps another");
    // The vendor's checks: 12 bits of row, and of the modifier what lies below AddrMod, which begins at bit 15.
    let (row, modifier) = ((1 << 12) - 1, ((1 << 15) - 1) & !((1 << 12) - 1));
    let move8_rows = instruction.code_field("Move8Rows").expect("it is a field");
    let unnamed = instruction.unnamed_bits(0);
    assert_eq!((unnamed & row, unnamed & modifier), (1 << 10 | 1 << 11, 1 << 12 | 1 << 14));
    assert_eq!((modifier & !unnamed, move8_rows.shift), (1 << 13, 13));
}

#[test]
fn tx_10_mova2d_and_movd2a_disagree_about_codes_12_and_13_alone() {
    // MOVD2A's styles by code, from the formats that its page lists; the rest is TF32.
    let bf16_style = [0, 5, 6, 7, 15, 8, 9];
    let fp16_style = [1, 10, 2, 3, 11, 14];
    let movd2a_has_8_bits = |fmt: u32| bf16_style.contains(&fmt) || !fp16_style.contains(&fmt);
    let disagree: Vec<u32> = (0..16).filter(|&fmt| movd2a_has_8_bits(fmt) != has_8_bit_exponent(fmt)).collect();
    assert_eq!(disagree, [12, 13]);
    for c in combinations().filter(|c| [12, 13].contains(&c.fmt) && !c.fp32_enabled && !c.int8_math_enabled) {
        let write = if c.lo { Write::Low } else { Write::Half };
        assert_eq!(spec_path(c), Some((Exponent::Bits5, write)));
        assert_eq!(newest_path(c, Chip::Wormhole), Some((Exponent::Bits5, write)));
    }
}

#[test]
fn tx_11_fourteen_codes_have_a_name_and_eight_of_them_an_8_bit_exponent() {
    let named: Vec<u32> = (0..16).filter(|&fmt| !format::CODE_NAMES[fmt as usize].starts_with("reserved")).collect();
    assert_eq!(named.len(), 14);
    assert_eq!(named.iter().filter(|&&fmt| has_8_bit_exponent(fmt)).count(), 8);
    let names: BTreeSet<&str> = (0..16).filter(|&fmt| has_8_bit_exponent(fmt)).map(name_of).collect();
    assert_eq!(names, BTreeSet::from(["FP32", "TF32", "BF16", "BFP8", "BFP4", "BFP2", "INT32", "INT16"]));
}

fn name_of(fmt: u32) -> &'static str {
    format::CODE_NAMES[fmt as usize]
}

#[test]
fn tx_12_flushing_clears_255_integer_16_words_and_the_sign_of_zero() {
    assert_eq!((count(0..SOURCE_VALUES, |x| flush(x) != x), SOURCE_VALUES), (2_047, 524_288));
    assert_eq!(flush(0x40000), 0);

    // Integer "16" and BF16 have the same place in SrcA.
    let lost: Vec<u32> = (1..DST_WORDS).filter(|&word| remove_low_mantissa(flush(shuffle_bf16(word))) == 0).collect();
    assert_eq!(lost.len(), 255);
    assert!(lost.iter().all(|word| word % 0x100 == 0));
    assert!(
        (0..DST_WORDS).filter(|word| !lost.contains(word)).all(|word| flush(shuffle_bf16(word)) == shuffle_bf16(word))
    );

    let changed = |word| flush(shuffle_fp16(word)) != shuffle_fp16(word);
    assert_eq!(count(0..DST_WORDS, changed), 2_047);
    assert!((0..DST_WORDS).filter(|&word| changed(word)).all(|word| word & 0x1f == 0));
    assert_eq!(count(integer_8_words(), changed), 0);
}

#[test]
fn tx_13_cutting_first_would_flush_14329_more_values() {
    let moved = |x: u32| remove_high_exponent(flush(x));
    // What the newest MatrixUnit page does to data of a format with a 5-bit exponent.
    let cut = |x: u32| x & 0x7ff1f;
    assert_eq!((count(0..SOURCE_VALUES, |x| moved(cut(x)) != moved(x)), SOURCE_VALUES), (14_329, 524_288));
    assert!((0..SOURCE_VALUES).filter(|&x| moved(cut(x)) != moved(x)).all(|x| moved(cut(x)) == 0 && x & 0x1f == 0));
}

// ------------------------------------------------------------------------------------------------ SFPLOAD, SFPSTORE

/// The 32-bit conversion of page SFPLOAD, line 175.
fn sign_mag_to_twos_comp(x: u32) -> u32 {
    let magnitude = x & 0x7fff_ffff;
    if x & 0x8000_0000 == 0 { magnitude } else { magnitude.wrapping_neg() }
}

/// The 32-bit conversion of page SFPSTORE of Wormhole, line 180.
fn to_sign_mag(x: u32) -> u32 {
    let sign = x & 0x8000_0000;
    sign | (if sign == 0 { x } else { x.wrapping_neg() }) & 0x7fff_ffff
}

/// An integer "8" word with so many bits of its magnitude.
fn sign_mag_of_8(word: u32, bits: u32) -> u32 {
    (word >> 15) << 31 | (word >> 5) & ((1 << bits) - 1)
}

/// What SFPSTORE writes for INT8: page SFPSTORE, line 187, in the layout of Dst.
fn stored_int8(x: u32) -> u32 {
    (x >> 31) << 15 | (x & 0x3ff) << 5 | 16
}

/// Adj32 of page Dst.
fn adj32(row: usize) -> usize {
    ((row & 0x1f8) << 1) | (row & 0x207)
}

#[test]
fn tx_14_a_signed_shift_leaves_its_range_for_32768_of_65536_words() {
    assert_eq!(DST_WORDS, 65_536);
    let leaves = |word: u32| i64::from(word) << 16 > i64::from(i32::MAX);
    assert_eq!(count(0..DST_WORDS, leaves), 32_768);
    assert!((0..DST_WORDS).all(|word| leaves(word) == (word & 0x8000 != 0)));
    let wrapped = |word: u32| (word.cast_signed() << 16).cast_unsigned();
    assert_eq!(count(0..DST_WORDS, |word| wrapped(word) != word << 16), 0);
}

#[test]
fn tx_15_the_table_has_14_of_16_modes_and_18_paths_are_told_apart() {
    use mod0::{
        BF16, FP16, FP32, HI16, HI16_ONLY, INT8, INT8_COMP, INT16, INT32, INT32_ALL, INT32_SM, LO16, LO16_ONLY, SRCB,
        UINT16, ZERO,
    };
    let table = [
        FP16, BF16, FP32, INT32, INT32_ALL, INT32_SM, INT8, INT8_COMP, LO16_ONLY, HI16_ONLY, INT16, UINT16, LO16, HI16,
    ];
    let listed: BTreeSet<u32> = table.into_iter().collect();
    assert_eq!(listed.len(), 14);
    assert_eq!((0..16).filter(|code| !listed.contains(code)).collect::<Vec<u32>>(), [SRCB, ZERO]);
    // MOD0_FMT_SRCB: with SFPU_Fp32_enabled, and by formats that stand for BF16 and others.
    let by_srcb: BTreeSet<u32> = (0..16).map(|fmt| if has_8_bit_exponent(fmt) { BF16 } else { FP16 }).collect();
    assert_eq!(15 + 1 + by_srcb.len(), 18);
}

#[test]
fn tx_16_an_access_consults_4_of_1024_or_of_512_marks() {
    let marks: BTreeSet<usize> = (0..1024).map(adj32).collect();
    assert_eq!(marks.len(), 512);
    assert!(marks.iter().all(|mark| mark & 8 == 0));
    for group in (0..1024).step_by(4) {
        let of_group: BTreeSet<usize> = (group..group + 4).map(adj32).collect();
        assert_eq!(of_group.len(), 4, "as many as 16-bit accesses consult");
    }
    assert!((0..4).all(|row| (0..32).filter(|lane| lane / 8 == row).count() == 8));
    assert_eq!((0..16).filter(|&mode| mode != mod0::ZERO).count(), 15);
}

#[test]
fn tx_17_with_one_of_256_patterns_no_lane_executes_the_instruction() {
    let open = |disabled: u32| (0..8).filter(|lane| disabled >> lane & 1 == 0).count();
    assert_eq!(count(0..256, |disabled| open(disabled) > 0), 255);
    assert_eq!(count(0..256, |disabled| (1..8).contains(&open(disabled))), 254);
    assert_eq!(count(0..256, |disabled| open(disabled) == 8), 1);
    assert_eq!(count(0..16, |vd| vd >= 12), 4);
    // What a page asks before it changes something of a lane: VD below 8, or, of 22 instructions, VD below 12 or the bit.
    let of_flags_and_moves = ["SFPSTORE", "SFPSETCC", "SFPENCC", "SFPMOV", "SFPTRANSP", "SFPSWAP", "SFPSHFT2"];
    let of_floats = ["SFPMAD", "SFPADD", "SFPMUL", "SFPADDI", "SFPMULI", "SFPMUL24", "SFPLUT", "SFPLUTFP32"];
    let of_rounding_and_stacks = ["SFPCAST", "SFPSTOCHRND", "SFPPUSHC", "SFPPOPC", "SFPCOMPC", "SFPLE", "SFPGT"];
    for machine in [&WORMHOLE, &BLACKHOLE] {
        for one in machine.instructions.iter().filter(|one| one.name.starts_with("SFP")) {
            // TX-55: the back door takes no SFPCONFIG. SFPNOP has no VD, and that of SFPLOADMACRO is below 8.
            let has_none = ["SFPCONFIG", "SFPNOP", "SFPLOADMACRO"].contains(&one.name);
            assert_eq!(one.errata.contains(&"TX-17"), !has_none, "{}", one.name);
        }
    }
    let changes = |asks: bool, vd: u32, disabled: bool| if asks { vd < 12 || disabled } else { vd < 8 };
    assert!([false, true].iter().all(|&asks| (12..16).all(|vd| !changes(asks, vd, false))), "nothing in an open lane");
    assert_eq!(of_flags_and_moves.len() + of_floats.len() + of_rounding_and_stacks.len(), 22);
}

#[test]
fn tx_19_the_chips_differ_in_1024_of_2048_words_of_int8_and_of_int8_comp() {
    assert_eq!(integer_8_words().count(), 2_048);
    let int8 = |word| sign_mag_of_8(word, 7) != sign_mag_of_8(word, 8);
    assert_eq!(count(integer_8_words(), int8), 1_024);
    let comp = |word| sign_mag_to_twos_comp(sign_mag_of_8(word, 10)) != sign_mag_of_8(word, 10);
    assert_eq!(count(integer_8_words(), comp), 1_024);

    // Of the words with a sign, one is the same by either reading: the result falls where the word rises.
    let differs = |word: u32| sign_mag_to_twos_comp(word) != word;
    let rising = |magnitude: u32| 0x8000_0000 | magnitude;
    assert!(!differs(rising(0x4000_0000)) && differs(rising(0)));
    for magnitude in [1, 0x3fff_ffff] {
        assert!(sign_mag_to_twos_comp(rising(magnitude)) > rising(magnitude));
    }
    for magnitude in [0x4000_0001, 0x7fff_ffff] {
        assert!(sign_mag_to_twos_comp(rising(magnitude)) < rising(magnitude));
    }
    assert_eq!((1_u64 << 31) - 1, 2_147_483_647);
    assert_eq!(1_u64 << 32, 4_294_967_296);
}

#[test]
fn tx_20_an_index_is_one_of_16384_values() {
    let indices: BTreeSet<u32> = (0..1024).flat_map(|row| (0..16).map(move |column| row << 4 | column)).collect();
    assert_eq!(indices.len(), 16_384);
    assert_eq!(indices.last(), Some(&((1 << 14) - 1)));
}

#[test]
fn tx_21_both_indices_name_the_same_configuration_in_32_of_32_lanes() {
    // SFPCONFIG: every lane takes what the lane of the first row in its column has.
    let first_row = [3_u32, 14, 15, 92, 65, 35, 89, 79];
    let broadcast: Vec<u32> = (0..32).map(|lane| first_row[lane & 7]).collect();
    assert_eq!((0..32).filter(|&lane| broadcast[lane] == broadcast[lane & 7]).count(), 32);
}

#[test]
fn tx_22_int32_all_moves_a_lane_in_8_of_16_settings() {
    let is = |setting: u32, bit: u32| setting >> bit & 1 != 0;
    let blocked = |setting| is(setting, 0);
    let masked = |setting| is(setting, 1);
    let by_flag = |setting| !is(setting, 2) || is(setting, 3);
    assert_eq!(count(0..16, |it| !blocked(it)), 8, "INT32_ALL");
    assert_eq!(count(0..16, |it| !blocked(it) && !masked(it) && by_flag(it)), 3, "another mode");
    assert_eq!(count(0..16, |it| !blocked(it) && !masked(it)), 4, "if ROW_MASK still counted");
    assert_eq!(count(0..16, |_| true), 16, "if the block did not count");
}

#[test]
fn tx_23_negative_zero_becomes_0_in_32_of_65536_words() {
    assert_eq!(sign_mag_to_twos_comp(0x8000_0000), 0);
    // SFPCAST of Blackhole.
    let cast = |x: u32| (x & 0x8000_0000) | if x & 0x8000_0000 == 0 { x } else { x.wrapping_neg() };
    assert_eq!(cast(0x8000_0000).cast_signed(), i32::MIN);
    let meets = |word| sign_mag_of_8(word, 10) == 0x8000_0000;
    assert_eq!((count(0..DST_WORDS, meets), DST_WORDS), (32, 65_536));
    assert_eq!(count(integer_8_words(), meets), 1);
}

#[test]
fn tx_24_adj32_changes_1008_of_1024_rows_and_remapping_768() {
    let remapped = |row: usize| (row & 0x3c7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2);
    assert_eq!((0..1024).filter(|&row| adj32(row) != row).count(), 1_008);
    assert_eq!((0..1024).filter(|&row| remapped(row) != row).count(), 768);
}

#[test]
fn tx_25_int8_comp_brings_2047_of_65536_values_back() {
    assert_eq!(to_sign_mag(0x8000_0000), 0x8000_0000);
    assert_eq!(sign_mag_to_twos_comp(to_sign_mag(0x8000_0000)), 0);
    let values = || (i16::MIN..=i16::MAX).map(|value| i32::from(value).cast_unsigned());
    assert_eq!(values().count(), 65_536);
    let back = |x| sign_mag_to_twos_comp(sign_mag_of_8(stored_int8(to_sign_mag(x)), 10));
    assert_eq!(count(values(), |x| back(x) == x), 2_047);
    assert!(values().all(|x| (back(x) == x) == (x.cast_signed().unsigned_abs() <= 1023)));
    let sampled = (0..=u32::MAX).step_by(65_521);
    assert!(sampled.filter(|&x| x != 0x8000_0000).all(|x| sign_mag_to_twos_comp(to_sign_mag(x)) == x));
}

#[test]
fn tx_26_int8_keeps_1024_magnitudes_and_brings_256_or_512_of_2048_words_back() {
    assert_eq!(count(0..65_536, |magnitude| sign_mag_of_8(stored_int8(magnitude), 10) == magnitude), 1_024);
    assert_eq!(integer_8_words().count(), 2_048);
    let whole = |bits| count(integer_8_words(), |word| sign_mag_of_8(word, bits) == sign_mag_of_8(word, 10));
    assert_eq!((whole(7), whole(8)), (256, 512));
}

#[test]
fn tx_27_112_of_256_exponents_overflow_to_the_largest_word() {
    // Page SFPSTORE, lines 140 to 156, then Dst's order of the fields.
    let stored = |x: u32| {
        let exponent = (x >> 23 & 0xff).cast_signed() - 112;
        let (exponent, mantissa) = match exponent {
            ..=0 => (0, 0),
            1..=31 => (exponent.cast_unsigned(), x & 0x7f_ffff),
            _ => (31, 0x7f_ffff),
        };
        x >> 31 << 15 | mantissa >> 13 << 5 | exponent
    };
    let overflows = |exponent: u32| stored(exponent << 23) == 0x7fff;
    assert_eq!((count(0..256, overflows), stored(0xff80_0000)), (112, 0xffff));
    assert!((0..256).filter(|&it| overflows(it)).all(|it| stored(it << 23 | 0x12_3456) == 0x7fff));

    // ReadFP16 of page SFPLOAD.
    let loaded = |word: u32, inf: bool| match (word & 0x1f, word >> 5 & 0x3ff) {
        (0x1f, 0x3ff) if inf => 0x7f80_0000,
        (0, mantissa) => mantissa << 13,
        (exponent, mantissa) => (exponent + 112) << 23 | mantissa << 13,
    };
    assert_eq!(loaded(0x7fff, true), f32::INFINITY.to_bits());
    assert_eq!(loaded(0x7fff, false), 131_008_f32.to_bits());
    assert!([false, true].into_iter().all(|inf| loaded(0x001f, inf) == 65_536_f32.to_bits()));
}

#[test]
fn tx_28_16777214_words_are_denormals_that_fp32_flushes() {
    assert_eq!(1_u64 << 32, 4_294_967_296);
    let flushed = |x: u32| if x & 0x7f80_0000 == 0 { x & 0x8000_0000 } else { x };
    let low = count(0..0x0080_0000, |x| flushed(x) != x);
    let low_negative = count(0x8000_0000..0x8080_0000, |x| flushed(x) != x);
    assert_eq!(low + low_negative, 16_777_214);
    // An exponent of 1 or more is kept, and the exponent does not change within a block of this size.
    assert!((1..256).all(|exponent| flushed(exponent << 23) == exponent << 23));
    assert_eq!(count(1..8_388_608, |x| flushed(x) == 0), 8_388_607);
}

#[test]
fn tx_29_a_store_reaches_8_of_16_columns_by_each_of_512_settings() {
    let mut settings = 0;
    for by_address in [false, true] {
        for exchange in 0..256_u32 {
            let columns: BTreeSet<u32> =
                (0..8).map(|lane| 2 * lane + u32::from(by_address || exchange >> lane & 1 != 0)).collect();
            assert_eq!(columns.len(), 8);
            settings += 1;
        }
    }
    assert_eq!(settings, 512);
}

#[test]
fn tx_30_128_of_256_pairs_of_formats_stand_for_different_modes() {
    let differ = |pair: u32| has_8_bit_exponent(pair >> 4) != has_8_bit_exponent(pair & 15);
    assert_eq!(count(0..256, differ), 128);
}

#[test]
fn tx_31_522753_of_1048576_pairs_pop_below_zero() {
    let below_zero = |pair: u32| pair >> 10 != 0 && pair & 1023 > pair >> 10;
    assert_eq!((count(0..1 << 20, below_zero), 1 << 20), (522_753, 1_048_576));
    let returns = (1..).find(|stores| stores * 4 % 1024 == 0);
    assert_eq!(returns, Some(256));
}

#[test]
fn tx_32_adding_four_wraps_and_exchanges_the_8_sections_in_4_pairs() {
    let width = |instruction: &tandem_isa::Facts| instruction.code_field("AddrMod").expect("it is a field").width;
    assert_eq!((width(sfpload::SFPLOAD), width(sfpstore::SFPSTORE)), (2, 2));
    assert_eq!((width(sfpload::SFPLOAD_BH), width(sfpstore::SFPSTORE_BH)), (3, 3));
    // The page's index has three bits.
    let index = |addr_mod: u32| (addr_mod + 4) & 7;
    assert_eq!((count(0..8, |addr_mod| addr_mod + 4 > 7), count(0..8, |addr_mod| index(addr_mod) > 7)), (4, 0));
    assert!((0..8).all(|addr_mod| index(addr_mod) != addr_mod && index(index(addr_mod)) == addr_mod));
    assert_eq!((0..8).map(|addr_mod| addr_mod.min(index(addr_mod))).collect::<BTreeSet<u32>>().len(), 4);
    // Wormhole's reach the other half.
    assert_eq!((0..4).chain((0..4).map(index)).collect::<BTreeSet<u32>>().len(), 8);
    assert_eq!(count(0..4, |addr_mod| addr_mod + 4 > 7), 0);
}

#[test]
fn tx_33_codes_12_and_13_stand_for_fp16() {
    assert_eq!((0..16).filter(|&fmt| has_8_bit_exponent(fmt)).count(), 8);
    let unnamed: Vec<u32> = (0..16).filter(|&fmt| name_of(fmt).starts_with("reserved")).collect();
    assert_eq!(unnamed, [12, 13]);
    assert!(unnamed.iter().all(|&fmt| !has_8_bit_exponent(fmt)));
    assert_eq!((0..16).filter(|&fmt| !has_8_bit_exponent(fmt)).count() - unnamed.len(), 6);
}

#[test]
fn tx_34_four_bits_of_the_word_have_no_name_and_three_on_blackhole() {
    // Opcode, VD, Mod0 and Imm10 are where both chips have them; AddrMod has two bits from 14 on, or three from 13 on.
    let named = |addr_mod: u32| 0xff << 24 | 0xf << 20 | 0xf << 16 | addr_mod | 0x3ff;
    let (wormhole, blackhole) = (!named(3 << 14), !named(7 << 13));
    assert_eq!((wormhole, blackhole), (0x3c00, 0x1c00));
    let words = |bits: u32| (0..1u32 << bits.count_ones()).filter(|&word| word != 0).count();
    assert_eq!((words(wormhole), words(blackhole)), (15, 7));
    // The vendor's checks have an address of so many bits, which takes in the rest of the page's ten.
    let (address, imm10): (fn(u32) -> u32, u32) = (|bits| (1 << bits) - 1, 10);
    assert_eq!((wormhole | address(imm10), blackhole | address(imm10)), (address(14), address(13)));
}

#[test]
fn tx_35_1984_of_4096_immediates_shift_otherwise_without_a_sign() {
    // Whether to the left, and how far.
    let shift = |amount: i32| (amount >= 0, amount.wrapping_abs() & 31);
    let differs = |&imm: &u32| {
        let (with, without) = (shift((imm << 20).cast_signed() >> 20), shift(imm.cast_signed()));
        with != without && (with.1, without.1) != (0, 0)
    };
    assert_eq!((0..4_096).filter(differs).count(), 1_984);
}

#[test]
fn tx_36_two_of_eight_codes_with_the_bit_move_lanes_that_are_off() {
    let with_the_bit: Vec<u32> = (0..16).filter(|code| code & 2 != 0).collect();
    let moving: Vec<u32> = with_the_bit.iter().copied().filter(|code| code & !4 == 2).collect();
    assert_eq!((with_the_bit.len(), moving), (8, vec![2, 6]));
}

#[test]
fn tx_37_fourteen_of_sixteen_codes_have_a_bit_that_no_page_names() {
    assert_eq!((0..16_u32).filter(|code| code & !1 != 0).count(), 14);
}

#[test]
fn tx_38_one_amount_of_2_to_the_32_has_no_negative() {
    // Of all 4,294,967,296 amounts, one.
    let amounts = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
    assert_eq!(amounts.map(|amount| amount.checked_neg().is_none()), [true, false, false, false, false, false]);
    assert_eq!(u64::from(u32::MAX) + 1, 4_294_967_296);
    // It is shifted by the low five bits of its wrapped negative: by nothing.
    assert_eq!(i32::MIN.wrapping_neg() & 31, 0);
}

#[test]
fn tx_40_bits_without_a_name_are_none_to_24_of_a_word() {
    let unnamed = |name: &str| {
        [&WORMHOLE, &BLACKHOLE].map(|isa| {
            let facts = isa.instructions.iter().find(|facts| facts.name == name).expect("it is there");
            facts.unnamed_bits(0).count_ones()
        })
    };
    let expected = [
        ("TRNSPSRCB", 24),
        ("CLEARDVALID", 20),
        ("ZEROSRC", 19),
        ("SEMPOST", 16),
        ("SEMGET", 16),
        ("INCRWC", 9),
        ("SEMINIT", 8),
        ("SETRWC", 2),
    ];
    for (name, bits) in expected {
        assert_eq!(unnamed(name), [bits; 2], "{name}");
    }
    assert_eq!(unnamed("SHIFTXB"), [15, 14]);
    assert_eq!(BLACKHOLE.instruction("STREAMWAIT").expect("it is there").unnamed_bits(0).count_ones(), 2);
    for (name, bits) in [
        ("SETDVALID", [22; 2]),
        ("SHIFTXA", [22; 2]),
        ("ATGETM", [8; 2]),
        ("ATRELM", [8; 2]),
        ("SEMWAIT", [5; 2]),
        ("STALLWAIT", [0, 2]),
        ("UNPACR_NOP_ZEROSRC", [17, 15]),
        ("UNPACR_NOP_SETDVALID", [20, 19]),
        ("UNPACR_NOP_SETREG", [1; 2]),
        ("UNPACR_NOP_OVERLAY_CLEAR", [3; 2]),
        ("WRCFG", [6; 2]),
        ("RDCFG", [7; 2]),
        ("SETDMAREG_SPECIAL", [3; 2]),
        ("SETADCXX", [1; 2]),
        ("SETADCXY", [3; 2]),
        ("SETADCZW", [3; 2]),
        ("ADDRCRXY", [3; 2]),
        ("ADDRCRZW", [3; 2]),
        ("INCADCXY", [7; 2]),
        ("INCADCZW", [7; 2]),
        ("REG2FLOP_ADC", [4; 2]),
        ("REG2FLOP_CONFIGURATION", [7; 2]),
        ("ADDDMAREG", [5; 2]),
        ("SUBDMAREG", [5; 2]),
        ("MULDMAREG", [5; 2]),
        ("BITWOPDMAREG", [2; 2]),
        ("SHIFTDMAREG", [2; 2]),
        ("CMPDMAREG", [2; 2]),
        ("DMANOP", [24; 2]),
        ("FLUSHDMA", [20; 2]),
        ("LOADIND", [1; 2]),
        ("ATINCGETPTR", [1; 2]),
        ("ATCAS", [8; 2]),
        ("ATINCGET", [5; 2]),
        ("ATSWAP", [3; 2]),
        ("UNPACR_REGULAR", [3; 2]),
        ("UNPACR_FLUSH_CACHE", [21; 2]),
        ("UNPACR_INCREMENT_CONTEXT_COUNTER", [21; 2]),
    ] {
        assert_eq!(unnamed(name), bits, "{name}");
    }
}

#[test]
fn tx_45_truncation_as_recorded_differs_for_5_of_16_formats_and_on_blackhole_for_15() {
    // What is kept of 19 bits, by the code of the format: the page on Wormhole, and the recorded simulator on both chips.
    let page = |code: u32| match code {
        1 | 2 | 10 | 14 => 0x7_ff1f,
        3 | 11 => 0x7_f81f,
        4 => 0x7_ffff,
        _ => 0x7_f8ff,
    };
    let recorded = |code: u32| match code {
        1 => 0x7_ff1f,
        4 => 0x7_ffff,
        _ => 0x7_f8ff,
    };
    assert_eq!(count(0..16, |code| page(code) != recorded(code)), 5);
    assert_eq!(count(0..16, |code| recorded(code) != 0x7_ffff), 15);
}

#[test]
fn tx_99_of_16_formats_15_cut_what_movb2a_copies_and_tf32_alone_does_not() {
    // By the code of the format: what page MatrixUnit keeps of 19 bits on Wormhole.
    let kept = |code: u32| match code {
        1 | 2 | 10 | 14 => 0x7_ff1f,
        3 | 11 => 0x7_f81f,
        4 => 0x7_ffff,
        _ => 0x7_f8ff,
    };
    assert_eq!(count(0..16, |code| kept(code) != 0x7_ffff), 15);
    assert_eq!((0..16).find(|&code| kept(code) == 0x7_ffff), Some(4));
    let fp32 = kept(0);
    assert_eq!((0x404ff & fp32, count(0..16, |code| kept(code) == fp32)), (0x400ff, 9));
    assert_eq!(count(0..524_288, |datum| datum & fp32 != datum), 458_752);
}

#[test]
fn tx_44_in_three_of_four_states_of_two_banks_a_flip_begins_or_ends_without_one() {
    // Bit n: bank n is the Matrix Unit's, which uses bank 0 and goes on to bank 1.
    assert_eq!(count(0..4, |owned| owned & 1 == 0), 2);
    assert_eq!(count(0..4, |owned| owned != 3), 3);
}

#[test]
fn tx_41_as_printed_column_14_of_16_stays_and_that_of_column_15_is_lost() {
    // Where the datum of each column comes from, if the loop ends before `end`.
    let shift = |row: [u32; 16], end: usize| {
        let mut after = row;
        after[..end].copy_from_slice(&row[1..=end]);
        after[15] = row[0];
        after
    };
    let row: [u32; 16] = std::array::from_fn(|column| column as u32);
    let (printed, decided) = (shift(row, 14), shift(row, 15));
    assert_eq!(printed[14], 14);
    assert!(!printed.contains(&15) && printed.iter().collect::<BTreeSet<_>>().len() == 15);
    assert_eq!((0..16).fold(row, |row, _| shift(row, 15)), row);
    assert_ne!((0..16).fold(row, |row, _| shift(row, 14)), row);
    assert_eq!((0..16).filter(|&column| printed[column] != decided[column]).collect::<Vec<_>>(), [14]);
}

#[test]
fn tx_42_a_sum_of_four_bits_loses_a_counter_of_16_or_more() {
    // Of all pairs of a value and a counter, how many become another counter.
    let lost = |width: u32| count(0..1 << (4 + width), |pair| ((pair >> width) + pair) & ((1 << width) - 1) > 15);
    assert_eq!((lost(10), 1 << 14), (16_128, 16_384));
    assert_eq!((lost(6), 1 << 10), (768, 1_024));
}

#[test]
fn tx_43_all_ones_and_infinity_differ_in_ten_of_19_bits() {
    let (ones, infinity) = ((1u32 << 19) - 1, 1u32 << 18 | 0xff);
    assert_eq!((ones, infinity, (ones ^ infinity).count_ones()), (0x7_ffff, 0x4_00ff, 10));
}

// ------------------------------------------------------------------------------------------------ the window on Dst

/// Bytes of an access, and bytes of a datum of each format that is not reserved.
const SIZES: [u32; 4] = [1, 2, 4, 16];
const DATUM_BYTES: [u32; 6] = [4, 4, 2, 2, 2, 1];

#[test]
fn tx_70_a_row_is_one_mark_for_16_data_of_which_an_access_has_1_to_16() {
    let pairs = SIZES.iter().flat_map(|size| DATUM_BYTES.iter().map(move |datum| size / datum));
    let data: BTreeSet<u32> = pairs.filter(|&count| count > 0).collect();
    assert_eq!((data.first(), data.last()), (Some(&1), Some(&16)));
}

#[test]
fn tx_71_of_the_32768_offsets_half_or_more_are_misaligned_for_each_size_but_one() {
    let misaligned = SIZES.map(|size| count(0..32_768, |offset| offset % size != 0));
    assert_eq!(misaligned, [0, 16_384, 24_576, 30_720]);
}

#[test]
fn tx_72_data_of_eight_bits_fill_16384_of_32768_bytes() {
    assert_eq!((1024 * 16, 0xffbd_ffff_u32 - 0xffbd_8000 + 1), (16_384, 32_768));
    // The rows behind them.
    assert_eq!((16_384 / 16, 32_767 / 16), (1024, 2047));
}

#[test]
fn tx_73_of_four_bytes_2_in_order_are_another_number_for_65280_of_65536() {
    let differ = count(0..65_536, |pair: u32| (pair as u16).swap_bytes() != pair as u16);
    assert_eq!((differ, 1 << 16), (65_280, 65_536));
}

#[test]
fn tx_74_all_128_negative_numbers_are_stored_with_bit_7_of_the_magnitude_set() {
    let stored = |value: u32| (0x180 - value - u32::from(value == 0x80)) & 0xff;
    let meant = |value: u32| (0x100 - value).min(0x7f);
    assert_eq!(count(0x80..0x100, |value| stored(value) == meant(value) | 0x80), 128);
    assert_eq!((stored(0xff), meant(0xff)), (0x81, 0x01));
    // A signed load takes seven bits.
    let back = |value: u32| 0x100 - (stored(value) & 0x7f);
    assert_eq!((0x80..0x100).filter(|&value| back(value) != value).collect::<Vec<_>>(), [0x80]);
    assert_eq!(256 - back(0x80), 127);
    let unsigned: BTreeSet<u32> = (0x80..0x100).map(stored).collect();
    assert_eq!((unsigned.first(), unsigned.last()), (Some(&129), Some(&255)));
}

#[test]
fn tx_75_of_32_sizes_and_formats_6_are_a_datum_and_17_are_one_or_several() {
    let pairs = || SIZES.iter().flat_map(|&size| (0..8).map(move |fmt| (size, DATUM_BYTES.get(fmt).copied())));
    assert_eq!(pairs().count(), 32);
    assert_eq!(pairs().filter(|&(size, datum)| datum == Some(size)).count(), 6);
    assert_eq!(pairs().filter(|&(size, datum)| datum.is_some_and(|datum| size >= datum)).count(), 17);
    assert_eq!(pairs().filter(|(_, datum)| datum.is_none()).count(), 8);
    assert_eq!(pairs().filter(|&(size, datum)| datum.is_some_and(|datum| size < datum)).count(), 7);
}

#[test]
fn tx_46_of_four_forms_of_unpacr_nop_three_lie_elsewhere_in_the_word_on_blackhole() {
    let forms = ["ZEROSRC", "SETDVALID", "SETREG", "OVERLAY_CLEAR"].map(|form| format!("UNPACR_NOP_{form}"));
    let facts = |form: &str| {
        [&WORMHOLE, &BLACKHOLE]
            .map(|isa| *isa.instructions.iter().find(|facts| facts.name == form).expect("it is there"))
    };
    let lies_elsewhere = |form: &&String| {
        let [wormhole, blackhole] = facts(form).map(|facts| {
            let fields: Vec<_> = facts.code_fields.iter().map(|field| (field.name, field.mask())).collect();
            (facts.base_code, facts.opcode_mask(0), fields)
        });
        wormhole != blackhole
    };
    assert_eq!((forms.len(), forms.iter().filter(lies_elsewhere).count()), (4, 3));
    let [of_wormhole, of_blackhole] = [&WORMHOLE, &BLACKHOLE].map(|isa| {
        let name = |word| isa.instructions.iter().find(|facts| facts.matches(&[word])).map(|facts| facts.name);
        [name(0x4300_0007), name(0x4300_0004)]
    });
    assert_eq!(of_wormhole, [Some("UNPACR_NOP_SETDVALID"), Some("UNPACR_NOP_SETREG")]);
    assert_eq!(of_blackhole, [Some("UNPACR_NOP_SETREG"), None]);
    let places = |field| facts("UNPACR_NOP_ZEROSRC").map(|facts| facts.code_field(field).expect("it is there").shift);
    assert_eq!((places("BothBanks"), places("WaitLikeUnpacr")), ([3, 4], [4, 5]));
}

#[test]
fn tx_47_the_condition_that_is_named_is_wrong_in_12_of_16_states() {
    // Bits 0 and 1: the bank is the Unpackers'. Bit 2: the bank that the Unpacker uses. Bit 3: that of the Matrix Unit.
    let owned = |state: u32, bank: u32| state >> bank & 1 != 0;
    let wants_to_wait = |state: u32| !owned(state, state >> 2 & 1);
    let is_told_to_wait = |state: u32| owned(state, state >> 3);
    let early = count(0..16, |state| wants_to_wait(state) && !is_told_to_wait(state));
    let held = count(0..16, |state| !wants_to_wait(state) && is_told_to_wait(state));
    assert_eq!((early, held, early + held), (6, 6, 12));
}

#[test]
fn tx_48_two_of_four_directions_write_none_of_256_data() {
    let written = |direction: u32| if matches!(direction, 2 | 3) { 16 * 16 } else { 0 };
    assert_eq!([0, 1, 2, 3].map(written), [0, 0, 256, 256]);
}

#[test]
fn tx_49_the_bug_selects_one_of_4_blocks_for_each_of_64_rows_and_19_instructions_move_it() {
    let blocks: BTreeSet<u32> = (0..64).map(|row| row & 0x30).collect();
    assert_eq!(blocks.len(), 4);
    assert!(blocks.iter().all(|&block| count(0..64, |row| row & 0x30 == block) == 16));
    let named = "MFCONV3S1 CONV3S1 MPOOL3S1 APOOL3S1 CONV3S2 MPOOL3S2 APOOL3S2 MVMUL ELWSUB ELWADD ELWMUL DOTPV GMPOOL \
                 GAPOOL MOVA2D MOVB2D MOVD2A MOVD2B MOVB2A";
    assert_eq!(named.split_whitespace().collect::<BTreeSet<_>>().len(), 19);
}

#[test]
fn tx_50_11_of_15_conditions_are_of_units_and_the_default_masks_select_no_other() {
    // The conditions of owners, of how many, and the mask that stands for none.
    for (owners, all, default, units) in [(0xf << 8, 15, 0x7f, 11), (0xf << 5, 13, 0x0f, 9)] {
        assert_eq!(all - u32::count_ones(owners), units);
        assert_eq!(default & owners, 0);
        assert_eq!(u32::count_ones(default), if all == 15 { 7 } else { 4 });
    }
}

#[test]
fn tx_51_of_8_histories_of_a_condition_3_are_forgotten_by_who_looks_each_time_only() {
    // Bit n: at time n nothing keeps on waiting.
    let each_time = |history: u32| history != 0;
    let last_time = |history: u32| history >> 2 & 1 != 0;
    assert_eq!((count(0..8, each_time), count(0..8, last_time)), (7, 4));
    assert_eq!(count(0..8, |history| each_time(history) != last_time(history)), 3);
}

#[test]
fn tx_52_in_three_of_four_states_of_two_banks_an_unpacker_gives_or_gets_what_it_should_not() {
    // Bit n: bank n is the Unpackers', one of whom uses bank 0 and goes on to bank 1.
    assert_eq!(count(0..4, |owned| owned & 1 == 0), 2);
    assert_eq!(count(0..4, |owned| owned != 3), 3);
}

// ------------------------------------------------------------------------------------------------ configuration

#[test]
fn tx_53_4_indices_of_188_and_224_write_three_words_beside_the_one_that_resets() {
    assert_eq!([config::CONFIG_SIZE, blackhole::CONFIG_SIZE], [188, 224]);
    for size in [188, 224] {
        // A write of 128 bits is to four words from an aligned number on.
        let written = |index: u32| (index & !3)..(index & !3) + 128 / 32;
        assert_eq!(count(0..size, |index| written(index).contains(&4)), 4);
        assert_eq!(written(4).filter(|&word| word != 4).count() * 32, 96);
    }
}

#[test]
fn tx_54_as_printed_1_word_of_8_changes_where_a_reset_would_change_8() {
    let bank = [1_u32; config::CONFIG_WORDS];
    let mut printed = bank;
    printed[config::STATE_RESET_EN] ^= 0xff;
    let reset = [0; config::CONFIG_WORDS];
    let changed = |after: [u32; config::CONFIG_WORDS]| {
        bank.iter().take(8).zip(after).filter(|&(&before, after)| before != after).count()
    };
    assert_eq!((changed(printed), changed(reset)), (1, 8));
}

#[test]
fn tx_57_6_of_16_sources_are_no_case_of_the_page() {
    assert_eq!(count(0..1 << scalar::INPUT_SOURCE.width, |source| source > 9), 6);
}

#[test]
fn tx_58_with_1_of_2_32_values_the_word_that_resets_is_the_same_by_both_readings() {
    // The word that is written is one of those that the loop makes 0, so that the readings agree where 0 is written.
    for first_of_both in [config::GLOBAL_CFGREG_BASE, blackhole::GLOBAL_CFGREG_BASE] {
        assert_eq!((0..first_of_both).filter(|&word| word == 4).count(), 1);
    }
    assert_eq!(config::STATE_RESET_EN, 4);
}

#[test]
fn tx_137_4_indices_of_128_bits_reach_the_word_that_seeds_1024_bits() {
    for (seed, size) in [(config::PRNG_SEED, config::CONFIG_SIZE), (blackhole::PRNG_SEED, blackhole::CONFIG_SIZE)] {
        let written = |index: usize| (index & !3)..(index & !3) + 128 / 32;
        assert_eq!((0..size).filter(|&index| written(index).contains(&seed)).count(), 4);
    }
    for machine in [&WORMHOLE, &BLACKHOLE] {
        assert_eq!(machine.layout.banks[tandem_isa::tensix::bank::PRNG].dims.iter().product::<usize>() * 32, 1024);
    }
}

#[test]
fn tx_138_65536_values_of_one_word_reset_two_counters_and_by_the_bits_a_quarter_would_not() {
    let resets = |value: u32| u32::from(value >> 4 & 1 != 0) + u32::from(value >> 12 & 1 != 0);
    assert_eq!(count(0..65_536, |value| resets(value) == 0), 16_384);
    assert_eq!(count(0..65_536, |value| resets(value) == 1), 32_768);
    for chip in Chip::ALL {
        let (mut state, word) = (chip.pick(&WORMHOLE, &BLACKHOLE).base_state(), chip.context_reset() as u32);
        let instruction = Mnemonic::Setc16.on(chip);
        for value in [0, 1 << 4, 0xffff] {
            Tensix::new(&mut state).small.unpackers_context_counter = [[3; 3]; 2];
            let code = [instruction.base_code[0] | word << 16 | value];
            let step = Step { instruction, edition: Edition::Newest, code: &code };
            assert_eq!(TensixReference.execute(&step, &mut state), Expectation::Done);
            assert_eq!(Tensix::new(&mut state).small.unpackers_context_counter, [[0, 3, 3]; 2]);
        }
    }
}

#[test]
fn tx_139_two_forms_of_unpacr_have_13_arguments_and_one_is_printed_with_12() {
    for mnemonic in [Mnemonic::UnpacrRegular, Mnemonic::UnpacrFlushCache, Mnemonic::UnpacrIncrementContextCounter] {
        assert_eq!(mnemonic.on(Chip::Wormhole).arguments.len(), 13);
    }
    // An Unpacker, a number, a true, two numbers, seven falses.
    assert_eq!(1 + 1 + 1 + 2 + 7, 12);
}

#[test]
fn tx_140_three_texts_agree_on_64_of_1024_rows_of_srca() {
    // As printed, by the side branch with SrcRow 0, and by the later text on Blackhole.
    let rows: [fn(u32) -> Option<u32>; 3] =
        [|row| (row < 64).then_some(row), |row| Some(row & 0x3f), |row| Some(row & 63)];
    let agree = |row: u32| rows.iter().all(|of| of(row) == Some(row));
    assert_eq!(count(0..1_024, agree), 64);
}

#[test]
fn tx_141_by_rounding_or_truncating_half_of_all_remainders_differ() {
    // FP32 has 13 bits of mantissa more than FP16; a tie of an even mantissa is cut.
    assert_eq!(23 - 10, 13);
    let rounds_up = |mantissa: u32, rest: u32| rest > 4_096 || rest == 4_096 && mantissa & 1 != 0;
    assert_eq!(count(0..8_192, |rest| rounds_up(1, rest)), 4_096);
}

#[test]
fn tx_142_a_width_of_0_leaves_16_bits_that_another_line_counts_with() {
    let mask = |width: u32| (1_u32 << width) - 1;
    assert_eq!((mask(0), mask(16).count_ones()), (0, 16));
    assert_eq!(0x8000 * 2, 1 << 16);
}

#[test]
fn tx_143_of_four_increments_three_would_show_in_a_held_storeind() {
    assert_eq!([0, 2, 4, 16].iter().filter(|&&increment| increment != 0).count(), 3);
}

#[test]
fn tx_144_of_four_rates_two_put_other_numbers_of_zeros_between_data() {
    let model = [0, 1, 2, 3].map(|rate: u32| (1 << rate) - 1);
    let overview = [0, 1, 2, 4];
    assert_eq!(model, [0, 1, 3, 7]);
    assert_eq!([2, 3].map(|rate| (32 * (model[rate] + 1), 32 * (overview[rate] + 1))), [(128, 96), (256, 160)]);
}

#[test]
fn tx_145_an_address_with_bit_31_is_beyond_every_limit() {
    let limit = 0x1_ffff_u32 * 2 + 1;
    assert!(1 << 31 > limit && (limit + 1).is_power_of_two());
}

#[test]
fn tx_146_a_sixteenth_of_fp32_is_promised_as_fp16() {
    // FP16 has exponents -14 to 16 of normal numbers, and 2^-15 to 2^-14 is mishandled.
    let exponents = || (1..255).map(|exponent| exponent - 127);
    let count = |is: &dyn Fn(i32) -> bool| exponents().filter(|&exponent| is(exponent)).count();
    assert_eq!(exponents().count(), 254);
    assert_eq!(count(&|exponent| (-14..=16).contains(&exponent)), 31);
    assert_eq!((count(&|exponent| exponent == -15), count(&|exponent| exponent > 16)), (1, 111));
}

#[test]
fn tx_147_of_nineteen_fields_of_a_packer_five_are_on_no_page() {
    use tandem_isa::tensix::config::pack;
    let unsaid = [
        pack::Pack_L1_Acc,
        pack::Dis_shared_exp_assembler,
        pack::Force_pack_per_max_xy_plane,
        pack::Read_mode,
        pack::Downsample_rate,
    ];
    let all = pack::OF_PACKER;
    assert_eq!((all.len(), all.iter().filter(|field| unsaid.contains(field)).count()), (19, 5));
}

#[test]
fn tx_148_three_of_four_first_rows_are_read_in_two_ways() {
    // One interface: the first row of the group, or the first row.
    let differs = |row: u32| (row & !3) != row;
    assert_eq!((0..1024).filter(|&row| differs(row)).count(), 768);
}

#[test]
fn tx_149_the_largest_exponent_counts_where_no_thread_enables_anything() {
    let update = |held: u8, exponent: u8| held.max(exponent);
    assert_eq!([1, 200, 3].into_iter().fold(0, update), 200);
}

#[test]
fn tx_150_a_counter_of_rows_that_never_meets_its_end_goes_on() {
    let end = 16;
    let next = |row: u32| if row + 1 == end { 0 } else { row + 1 };
    assert_eq!((0..1_000).fold(0, |row, _| next(row)), 1_000 % end);
    assert_eq!((0..1_000).fold(16, |row, _| next(row)), 1_016);
}

// ------------------------------------------------------------------------------------------------ the summary of registers

#[test]
fn tx_81_thirteen_zeros_make_8192_words_of_fp32_one() {
    assert_eq!(1 << 13, 8_192);
    // The high half of an integer: sign, low seven bits, high eight.
    let high = |word: u32| (word >> 16) & 0x8000 | (word >> 16 & 0x7f) << 8 | word >> 23 & 0xff;
    assert_eq!(high(0x1234_5678), 0x3424);
}

#[test]
fn tx_82_512_of_1024_rows_of_dst32b_are_other_names() {
    let images: BTreeSet<usize> = (0..1024).map(adj32).collect();
    assert_eq!((1_024 - images.len(), images.len()), (512, 512));
    assert_eq!((0..512).map(adj32).collect::<BTreeSet<_>>(), images);
}

#[test]
fn tx_83_a_mask_of_22_bits_loses_458752_of_524288_data() {
    let shuffled = |x: u32, mask: u32| u19(x & mask | (x & 7) << 8 | (x & 0x7f8) >> 3);
    let differ = count(0..SOURCE_VALUES, |x| shuffled(x, 0x3f_c000) != shuffled(x, 0x7_f800));
    assert_eq!((differ, SOURCE_VALUES), (458_752, 524_288));
}

#[test]
fn tx_84_a_tile_of_1024_data_of_32_bits_has_64_rows_and_128() {
    let rows = 1_024 / 16;
    let physical: BTreeSet<usize> = (0..rows).flat_map(|row| [adj32(row), adj32(row) + 8]).collect();
    assert_eq!((rows, physical.len(), 1024 / 128), (64, 128, 8));
    // The names of rows that the bank has: each datum's first row, by the number of its row in Dst32b.
    let names = &WORMHOLE.layout.banks[tandem_isa::tensix::bank::DST].row_names[1];
    for row in 0..512 {
        let (half, tile, face) = (row / 256, row / 64, row % 64 / 16);
        let expected = format!("half {half}, tile {tile}, face {face}, row {}, low part 0", row % 16);
        assert_eq!(names.name(adj32(row)), expected);
        assert!(names.name(adj32(row) + 8).ends_with("low part 1"));
    }
}

#[test]
fn tx_85_for_all_256_rows_of_a_half_both_offsets_have_one_image() {
    assert_eq!((0..256).filter(|row| adj32(row + 512) == adj32(row + 256)).count(), 256);
}

#[test]
fn tx_87_of_1024_immediates_192_and_96_are_cut_into_range() {
    let cut = |end: u32| count(0..1_024, |imm10| imm10 >= end && imm10 & 0xff < end);
    assert_eq!((cut(64), cut(32)), (192, 96));
}

#[test]
fn tx_93_of_8_first_rows_one_has_eight_rows_beyond_64() {
    let beyond = (0..64).step_by(8).filter(|row| row + 16 > 64).collect::<Vec<_>>();
    assert_eq!((beyond, 56 + 16 - 64), (vec![56], 8));
    assert_eq!((0..7).step_by(2).collect::<Vec<_>>(), [0, 2, 4, 6]);
}

#[test]
fn tx_55_by_the_letter_1_of_262144_values_of_a_configuration_could_be_reached() {
    let configurations = 0..1_u32 << 18;
    assert_eq!(configurations.len(), 262_144);
    let takes = |vd: u32, config: u32| vd >= 12 && config >> 1 & 1 == 0;
    assert_eq!((count(0..16, |vd| takes(vd, 0)), count(0..16, |vd| vd == 15), takes(15, 0)), (4, 1, true));
    // Where the back door does not take it, SFPCONFIG gives a configuration any value.
    let by_the_letter = |config: u32, value: u32| if takes(15, config) { config } else { value };
    let reached: BTreeSet<u32> = configurations.clone().map(|value| by_the_letter(0, value)).collect();
    assert_eq!(reached, BTreeSet::from([0]), "1 value, from which none other is reached");
    assert!(configurations.filter(|value| value >> 1 & 1 != 0).all(|value| by_the_letter(value, 0) == 0));
}

#[test]
fn tx_56_one_of_four_defaults_became_128_times_as_large() {
    let [older, newer] = [1.0 / 65_536.0, 1.0 / 512.0_f32];
    assert_eq!((older.to_bits(), newer.to_bits(), newer / older), (0x3780_0000, 0x3b00_0000, 128.0));
    let decimals = ["-1.0", "-0.67487759", "-0.34484843"].map(|text| text.parse::<f32>().expect("it is a number"));
    assert_eq!(decimals.map(f32::to_bits), [0xbf80_0000, 0xbf2c_c4c7, 0xbeb0_8ff9]);
}

#[test]
fn tx_133_of_16_choices_of_sub_units_11_have_two_or_more() {
    let two_or_more = count(0..16, |sub_units| sub_units.count_ones() > 1);
    assert_eq!((two_or_more, count(0..8, |delay| delay != 0), 1 << 4), (11, 7, 16));
}

#[test]
fn tx_134_of_256_opcodes_all_but_38_and_42_are_of_no_instruction_of_the_vector_unit() {
    let others = |instructions: &[&tandem_isa::Facts]| {
        256 - instructions.iter().filter(|facts| facts.name.starts_with("SFP")).count()
    };
    assert_eq!([others(WORMHOLE.instructions), others(BLACKHOLE.instructions)], [218, 214]);
}

#[test]
fn tx_135_one_of_16_modes_moves_the_stack_pointer_of_a_store() {
    assert_eq!((count(0..16, |mode| mode == mod0::INT32_ALL), 1 << sfpstore::MOD0.width), (1, 16));
}

#[test]
fn tx_136_2_instructions_choose_their_operand_themselves() {
    let fields = |facts: &tandem_isa::Facts| facts.code_fields.iter().map(|field| field.name).collect::<Vec<_>>();
    // On Wormhole they have no choice.
    let is_of_wormhole =
        |name: &str| WORMHOLE.instructions.iter().any(|facts| facts.name == name && fields(facts) == ["VD", "VC"]);
    let chooses =
        |facts: &&&tandem_isa::Facts| fields(facts) == ["Mod1", "VD", "VC", "VB"] && is_of_wormhole(facts.name);
    assert_eq!(BLACKHOLE.instructions.iter().filter(chooses).count(), 2);
}
