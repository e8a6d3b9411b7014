//! Public reports about the packers, each as a case: a word, a state, and what the pages give. Each test says what was
//! reported, in our words, and what the pages say of it. Names of pages without more are those of `Packers/`.

use tandem_isa::tensix::format::{BF16, BFP4, BFP8, FP16, FP32, INT8, TF32};
use tandem_isa::tensix::{BLACKHOLE, Chip, WORMHOLE};
use tandem_isa::{Edition, Reference, Step};
use tandem_reference::tensix::TensixReference;

const CHIPS: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

/// `PACR` of the first packer, or of the first interface, with `Last`.
const PACR: u32 = 0x4100_0101;

/// A field and its value.
type Setting = (&'static str, u32);

/// What all cases have, beside the base state: 16 data of row 0 of `Dst`, nothing masked. Data go to byte 16 of L1,
/// and those of BFP and of eight bits to byte 32, with exponents of BFP at byte 16.
const COMMON: &[Setting] = &[
    ("Config[0].THCON_SEC0_REG1_Disable_zero_compress", 1),
    ("Config[0].THCON_SEC0_REG1_Exp_section_size", 1),
    ("Config[0].PCK_EDGE_OFFSET_SEC0_mask", 0xffff),
    (LAST_X, 15),
];
const FORMATS: [&str; 3] = [
    "Config[0].ALU_FORMAT_SPEC_REG2_Dstacc",
    "Config[0].THCON_SEC0_REG1_In_data_format",
    "Config[0].THCON_SEC0_REG1_Out_data_format",
];
const LAST_X: &str = "ADCs[0].Packers.Channel[1].X";
const WIDE: Setting = ("Config[0].PCK_DEST_RD_CTRL_Read_32b_data", 1);
/// What the pages call `Read_raw`.
const RAW: Setting = ("Config[0].PCK_DEST_RD_CTRL_Read_int8", 1);
const UNSIGNED: Setting = ("Config[0].PCK_DEST_RD_CTRL_Read_unsigned", 1);
const ROUND_10B: Setting = ("Config[0].PCK_DEST_RD_CTRL_Round_10b_mant", 1);

/// Data in L1, those of BFP as bytes; or what promises nothing: the outcome, the page and its lines.
type Packed = Result<Vec<u32>, [&'static str; 3]>;

/// Executes a word. The formats are `IntermediateFormat`, `In_data_format` and `Out_data_format`. Data are as they
/// would be in L1, 16 bits or 32 of them, of one row or several; those of a row that are left out repeat the others.
fn pack_by(word: u32, chip: Chip, formats: [u32; 3], settings: &[Setting], dst: &[u32]) -> Packed {
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let bank = |name: &str| isa.layout.bank_named(name).unwrap_or_else(|| panic!("{name}"));
    let mut state = isa.base_state();
    let of_formats: Vec<Setting> = FORMATS.into_iter().zip(formats).collect();
    for (name, value) in [COMMON, &of_formats, settings].concat() {
        isa.layout.field_named(name).unwrap_or_else(|| panic!("{name}")).set(&mut state.small, value);
    }
    let is_wide = settings.contains(&WIDE);
    for (n, &datum) in dst.iter().cycle().take(dst.len().next_multiple_of(16)).enumerate() {
        let (row, column) = (n / 16, n % 16);
        // Dst has the mantissa in front of the exponent, and of 32 bits the low half eight rows further on.
        let high = if is_wide { datum >> 16 } else { datum };
        state.set_word(bank("DstBits"), row, column, (high & 0x8000) | (high & 0x7f) << 8 | (high >> 7 & 0xff));
        if is_wide {
            state.set_word(bank("DstBits"), row + 8, column, datum & 0xffff);
        }
    }
    // What is not written stays 0x55.
    (0..16).for_each(|row| state.row_mut(bank("L1Windows"), row).fill(0x55));
    let instruction = isa.instruction("PACR").expect("both chips have it");
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Spec, code: &[word] }, &mut state);
    if let Some(citation) = promise.citation() {
        let page = citation.page.path.rsplit('/').next().expect("a path has an end");
        return Err([promise.name(), page, citation.place]);
    }
    let rows = (1..16).map(|row| state.row(bank("L1Windows"), row));
    let bytes = rows.filter(|row| row[..] != [0x55; 16]).collect::<Vec<_>>().concat();
    // The low two bits of a format say how long a datum is.
    let width = match formats[2] & 3 {
        0 => 4,
        1 => 2,
        _ => 1,
    };
    let word = |datum: &[u8]| datum.iter().rev().fold(0, |high, &byte| high << 8 | u32::from(byte));
    Ok(bytes.chunks(width).map(word).collect())
}

fn pack(chip: Chip, formats: [u32; 3], settings: &[Setting], dst: &[u32]) -> Packed {
    pack_by(PACR, chip, formats, settings, dst)
}

/// Sixteen data, of which the first few go round.
fn round(data: &[u32]) -> Packed {
    Ok(data.iter().copied().cycle().take(16).collect())
}

/// Exponents and data of BFP, each filled up with zeros to a row of L1.
fn bfp(exponents: &[u32], data: &[u32]) -> Packed {
    let row = |bytes: &[u32]| [bytes, &vec![0; bytes.len().next_multiple_of(16) - bytes.len()]].concat();
    Ok([row(exponents), row(data)].concat())
}

fn unspecified(page: &'static str, place: &'static str) -> Packed {
    Err(["unspecified", page, place])
}

fn bf16(data: &[f32]) -> Vec<u32> {
    data.iter().map(|datum| datum.to_bits() >> 16).collect()
}

fn fp32(data: &[f32]) -> Vec<u32> {
    data.iter().map(|datum| datum.to_bits()).collect()
}

/// 1.0039063 of a `Dst` of 32 bits became 1.0078125 as BF16, which looked like a ceiling
/// (<https://github.com/tenstorrent/tt-metal/issues/17018>). It is a tie, and ties go away from zero
/// (`FormatConversion` 24); so 128.5 becomes 129 (tt-metal#30147). Who wants truncation (tt-llk#944) sets `Read_raw`
/// (119-121).
#[test]
fn tt_metal_17018_a_tie_of_fp32_goes_away_from_zero_in_bf16() {
    let data = fp32(&[1.003_906_3, 128.5, -128.5, 1.003_906_1]);
    for chip in CHIPS {
        assert_eq!(pack(chip, [BF16; 3], &[WIDE], &data), round(&bf16(&[1.007_812_5, 129.0, -129.0, 1.0])));
        let truncated = round(&bf16(&[1.0, 128.0, -128.0, 1.0]));
        assert_eq!(pack(chip, [BF16; 3], &[WIDE, RAW], &data), truncated);
        // So does a late conversion.
        assert_eq!(pack(chip, [FP32, FP32, BF16], &[WIDE], &data), truncated);
    }
}

/// BF16 that nothing converts loses NaN, -0 and denormals in the packer
/// (<https://github.com/tenstorrent/tt-metal/pull/54381>, and tt-llk#675). Without `Read_raw` that is a rounding, which
/// has none of them, and with it the identity, which keeps all (`FormatConversion` 27-28, 135-138). FP32 that is cut
/// off keeps the NaN whose upper bits say so (29).
#[test]
fn tt_metal_54381_bf16_keeps_nan_and_minus_zero_with_read_raw_alone() {
    let data = [0x7fc0, 0xff81, 0x8000, 0x0001, 0x8001, 0xff80, 0xbf81];
    for chip in CHIPS {
        let rounded = round(&[0x7f80, 0xff80, 0, 0, 0, 0xff80, 0xbf81]);
        assert_eq!(pack(chip, [BF16; 3], &[], &data), rounded);
        for between in [BF16, BFP8] {
            assert_eq!(pack(chip, [between, BF16, BF16], &[RAW], &data), round(&data));
        }
        let cut_off = pack(chip, [BF16; 3], &[WIDE, RAW], &[0x7fc0_0000, 0x7f80_0001]);
        assert_eq!(cut_off, round(&[0x7fc0, 0x7f80]));
    }
}

/// `Round_10b_mant` changed results of a model that has no FP16
/// (<https://github.com/tenstorrent/tt-metal/issues/11968>), and setting it for all of a `Dst` of FP32 mended another
/// (tt-metal#49111). With BF16 between, it is of no matter but where that becomes FP16; FP32 between becomes TF32 by it
/// (`FormatConversion` 113-118, 133-135), which rounds in front of a late conversion that truncates. The late
/// conversion then has to be from TF32.
#[test]
fn tt_metal_11968_round_10b_mant_makes_fp32_tf32_and_leaves_bf16() {
    let data = fp32(&[1.0, 1.007_324_2, -3.999]);
    for chip in CHIPS {
        for to in [BF16, BFP8, FP32] {
            let without = pack(chip, [BF16, BF16, to], &[WIDE], &data);
            assert!(without.is_ok());
            assert_eq!(pack(chip, [BF16, BF16, to], &[WIDE, ROUND_10B], &data), without);
        }
        let to_fp16 = pack(chip, [BF16, BF16, FP16], &[WIDE, ROUND_10B], &data);
        assert_eq!(to_fp16, unspecified("FormatConversion.md", "lines 116, 118, 121, 133, 135 and 138"));
        // The second is a tie of ten bits too, and rounds to what BF16 has.
        assert_eq!(pack(chip, [FP32, FP32, BF16], &[WIDE], &data), round(&bf16(&[1.0, 1.0, -3.984_375])));
        let by_tf32 = pack(chip, [FP32, TF32, BF16], &[WIDE, ROUND_10B], &data);
        assert_eq!(by_tf32, round(&bf16(&[1.0, 1.007_812_5, -3.984_375])));
        let from_fp32 = pack(chip, [FP32, FP32, BF16], &[WIDE, ROUND_10B], &data);
        assert_eq!(from_fp32, unspecified("FormatConversion.md", "lines 184 and 188"));
    }
}

/// The same BF16 became other BFP8 by another operation: one rounded once, others twice
/// (<https://github.com/tenstorrent/tt-metal/issues/52155>, and tt-metal#14032). `IntermediateFormat` says which: BFP8
/// rounds to E8M6 first (`FormatConversion` 122, 139), and BFP8 of the output rounds again (56). Both have ties go away
/// from zero (24, 65), so that 64.5 is 65, as the vendor has it in tt-metal#15889.
#[test]
fn tt_metal_52155_bfp8_rounds_twice_by_way_of_e8m6() {
    let data = bf16(&[2.0, 1.007_812_5, -1.007_812_5, 1.0]);
    let bytes = |data: &[u32]| bfp(&[128], &data.repeat(4));
    for chip in CHIPS {
        assert_eq!(pack(chip, [BF16, BF16, BFP8], &[], &data), bytes(&[64, 32, 0x80 | 32, 32]));
        assert_eq!(pack(chip, [BFP8; 3], &[RAW], &data), bytes(&[64, 32, 0x80 | 32, 32]));
        assert_eq!(pack(chip, [BFP8; 3], &[], &data), bytes(&[64, 33, 0x80 | 33, 32]));
        assert_eq!(pack(chip, [BF16, BF16, BFP8], &[], &bf16(&[64.5])), bfp(&[133], &[65; 16]));
    }
}

/// BFP4 of the host and BFP4 of the device differ (<https://github.com/tenstorrent/tt-metal/issues/57410>): the device
/// rounds to BFP8 and then truncates, as `FormatConversion` 57 says. The block is that of the report. It has 1.9921875
/// saturate, where the page does not say what becomes of a magnitude beyond 127, nor of a minus whose magnitude is lost
/// (56-59).
#[test]
fn tt_metal_57410_bfp4_is_bfp8_without_its_low_bits() {
    let block = [8.0, 3.875, 3.5, 2.9375, 2.0, 1.9375, 1.0, 0.9375, 7.5, 6.25, 5.125, 4.75, 4.25, 3.125, 2.5, 1.5];
    for chip in CHIPS {
        let of = |data: &[f32]| pack(chip, [BF16, BF16, BFP4], &[], &bf16(data));
        // The earlier datum of two is in the low half of a byte.
        assert_eq!(of(&block), bfp(&[130], &[0x14, 0x11, 0x11, 0x00, 0x33, 0x22, 0x12, 0x01]));
        assert_eq!(of(&[1.375, 1.6875, 1.242_187_5, -1.375]), bfp(&[127], &[0x65, 0xd5].repeat(4)));
        assert_eq!(of(&[1.992_187_5]), unspecified("FormatConversion.md", "lines 56 and 58"));
        assert_eq!(of(&[8.0, -1.5]), unspecified("FormatConversion.md", "lines 56-59"));
    }
}

/// FP32 beyond FP16 comes back as NaN, and 65536 alone as infinity
/// (<https://github.com/tenstorrent/tt-metal/issues/57215>). The packer's FP16 has numbers up to the largest exponent
/// (`FormatConversion` 91), which a host reads as infinity and NaN, and one pattern of infinity (82). To what 131072
/// saturates the page does not say (55); by the report a host reads NaN there.
#[test]
fn tt_metal_57215_fp16_has_numbers_where_ieee_has_infinity_and_nan() {
    for chip in CHIPS {
        let of = |data: &[f32]| pack(chip, [FP32, FP32, FP16], &[WIDE], &fp32(data));
        let numbers = of(&[65504.0, 65520.0, 65536.0, 65600.0, 98304.0, -98304.0]);
        assert_eq!(numbers, round(&[0x7bff, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0xfe00]));
        assert_eq!(of(&[f32::INFINITY, f32::NAN, f32::NEG_INFINITY]), round(&[0x7fff, 0x7fff, 0xffff]));
        assert_eq!(of(&[131_072.0]), unspecified("FormatConversion.md", "lines 55 and 58"));
    }
}

/// UINT8 of a `Dst` of 16 bits was 255 throughout (<https://github.com/tenstorrent/tt-metal/issues/18914>), and of 32
/// bits it had seven bits (tt-metal#10526). There is no UINT8 from 16 bits (`FormatConversion` 22, 129-150); from 32
/// bits `Read_unsigned` makes it UINT8, and else it is INT8, which saturates at 127 and has no -128 (21-22, 123-128; so
/// tt-metal#48967).
#[test]
fn tt_metal_18914_uint8_comes_from_32_bits_with_read_unsigned() {
    let minus = 0x8000_0000;
    let data = [7, 200, 300, minus | 1, minus | 128];
    for chip in CHIPS {
        let of = |settings: &[Setting]| pack(chip, [INT8; 3], settings, &data);
        assert_eq!(of(&[UNSIGNED]), unspecified("FormatConversion.md", "lines 129-150"));
        assert_eq!(of(&[UNSIGNED, RAW]), unspecified("FormatConversion.md", "lines 129-150"));
        assert_eq!(of(&[WIDE, UNSIGNED]), unspecified("FormatConversion.md", "lines 22 and 128"));
        assert_eq!(pack(chip, [INT8; 3], &[WIDE, UNSIGNED], &data[..3]), round(&[7, 200, 255]));
        assert_eq!(of(&[WIDE]), round(&[7, 127, 127, 0x81, 0xff]));
        // The low eight bits, or seven and the sign.
        assert_eq!(of(&[WIDE, UNSIGNED, RAW]), round(&[7, 200, 300 & 0xff, 1, 128]));
        assert_eq!(of(&[WIDE, RAW]), round(&[7, 200 & 0x7f, 300 & 0x7f, 0x81, 0x80]));
    }
}

/// A kernel packed fewer rows than `pack_reads_per_xy_plane`, and on Wormhole the masks of the next one met wrong rows
/// (<https://github.com/tenstorrent/tt-metal/issues/17132>). Since tt-metal#43096 it is 1 by default, so that each row
/// counts as row 0. On Wormhole it does (`EdgeMasking` 62-66). Blackhole counts interfaces, and begins again only where
/// it hits the number (its PACR 59), so that of four rows at once three do not. `SEC1` is of no packer there
/// (tt-metal#46582).
#[test]
fn tt_metal_17132_the_position_of_an_earlier_kernel_moves_edge_masks() {
    // Row 0 alone has all of its data.
    let masks = [
        ("Config[0].TILE_ROW_SET_MAPPING_0", 1),
        ("Config[0].PCK_EDGE_OFFSET_SEC0_mask", 0),
        ("Config[0].PCK_EDGE_OFFSET_SEC1_mask", 0xffff),
    ];
    let data: Vec<u32> = (0..64).map(|n| 0x3f80 + n / 16).collect();
    let rows_kept = |chip: Chip, reads_per_xy_plane, of_the_next, position| {
        // Four rows are 64 data, or four interfaces.
        let (word, last_x) = chip.pick((PACR, 63), (PACR | 0xf00, 15));
        let settings = [
            (LAST_X, last_x),
            ("Config[0].PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", reads_per_xy_plane),
            ("Config[0].PACK_COUNTERS_SEC1_pack_reads_per_xy_plane", of_the_next),
            (chip.pick("Packers[0].TilePositionGenerator.Y", "Packers[0].TilePosition"), position),
        ];
        let packed = pack_by(word, chip, [BF16; 3], &[&masks[..], &settings].concat(), &data).expect("promised");
        (0..4).filter(|row| packed[16 * row] == data[16 * row]).collect::<Vec<_>>()
    };
    for of_the_next in [1, 4, 16] {
        let kept = |chip, reads_per_xy_plane, position| rows_kept(chip, reads_per_xy_plane, of_the_next, position);
        for chip in CHIPS {
            assert_eq!(kept(chip, 4, 0), [0]);
            assert_eq!(kept(chip, 16, 0), [0]);
            assert!(kept(chip, 16, 1).is_empty());
        }
        assert_eq!(kept(Chip::Wormhole, 1, 0), [0, 1, 2, 3]);
        assert_eq!(kept(Chip::Wormhole, 4, 1), [3]);
        assert_eq!(kept(Chip::Blackhole, 1, 0), [0]);
        assert!(kept(Chip::Blackhole, 4, 1).is_empty());
    }
}

/// Masks that put minus infinity beside a maximum ruin its BFP, of which 16 data share an exponent
/// (<https://github.com/tenstorrent/tt-metal/pull/56754>). What infinity becomes in BFP the page does not say
/// (`FormatConversion` 56), and with zeros instead (`EdgeMasking` 36-37) the maximum is what it should be. FP16 has no
/// minus infinity (35).
#[test]
fn tt_metal_56754_masks_of_minus_infinity_are_not_for_bfp() {
    let [column_0_alone, infinity] = [("Config[0].PCK_EDGE_OFFSET_SEC0_mask", 1), ("Config[0].PCK_EDGE_MODE_mode", 1)];
    let data = bf16(&[1.5]);
    for chip in CHIPS {
        let of = |formats, settings: &[Setting]| pack(chip, formats, settings, &data);
        let in_bf16 = round(&[&data[..], &[0xff80; 15]].concat());
        assert_eq!(of([BF16; 3], &[column_0_alone, infinity]), in_bf16);
        let in_bfp8 = of([BF16, BF16, BFP8], &[column_0_alone, infinity]);
        assert_eq!(in_bfp8, unspecified("FormatConversion.md", "lines 56 and 58"));
        assert_eq!(of([BF16, BF16, BFP8], &[column_0_alone]), bfp(&[127], &[&[96][..], &[0; 15]].concat()));
        let in_fp16 = of([FP16; 3], &[column_0_alone, infinity]);
        assert_eq!(in_fp16, unspecified("EdgeMasking.md", "line 35"));
    }
}

/// A simulator refused mode 1 of `ReLU`, which by the report looks at the sign alone and is not mode 2 with a threshold
/// of 0 (<https://github.com/tenstorrent/ttsim/issues/9>). By `ReLU` 38 and 42 both compare, and do the same, also with
/// -0; NaN is not below 0, and stays. They part where a threshold is negative (41). Of what rounding leaves no datum is
/// NaN.
#[test]
fn ttsim_9_both_modes_of_relu_make_minus_zero_zero_and_leave_nan() {
    let data = [0x3f80, 0xbf80, 0x8000, 0x0001, 0x8001, 0xff80, 0x7fc0, 0xffc0];
    for chip in CHIPS {
        let of = |mode, threshold, more: &[Setting]| {
            let relu = [("Config[0].STACC_RELU_ApplyRelu", mode), ("Config[0].STACC_RELU_ReluThreshold", threshold)];
            pack(chip, [BF16; 3], &[&relu, more].concat(), &data)
        };
        for mode in [1, 2] {
            assert_eq!(of(mode, 0, &[RAW]), round(&[0x3f80, 0, 0, 0x0001, 0, 0, 0x7fc0, 0xffc0]));
            assert_eq!(of(mode, 0, &[]), round(&[0x3f80, 0, 0, 0, 0, 0, 0x7f80, 0]));
        }
        assert_eq!(of(1, 0x8000, &[RAW]), of(1, 0, &[RAW]));
        assert_eq!(of(2, 0x8000, &[RAW]), Err(["undefined", "ReLU.md", "lines 41 and 45"]));
    }
}

/// Blackhole writes all rows of an instruction one behind the other, has addresses by context and rows 16 apart
/// (<https://github.com/tenstorrent/tt-llk/issues/61>). Its PACR says the first (42), with an exponent for each row of
/// BFP (of which tt-llk#739 came out wrong), and that the others are not documented (70, 72).
#[test]
fn tt_llk_61_rows_of_blackhole_follow_one_another_in_l1() {
    let data: Vec<u32> = (0..64).map(|n| 0x3f80 + 0x80 * (n / 16) + n % 16).collect();
    let of = |word, to| pack_by(word, Chip::Blackhole, [BF16, BF16, to], &[], &data);
    assert_eq!(of(PACR | 0b0101 << 8, BF16), Ok([&data[..16], &data[32..48]].concat()));
    let magnitudes: Vec<u32> = (0..16).map(|n| (0x80 + n + 1) >> 1).collect();
    assert_eq!(of(PACR | 0b0111 << 8, BFP8), bfp(&[127, 128, 129], &magnitudes.repeat(3)));
    // DstAccessMode, and then CtxtCtrl, AddrCntContext and CfgContext.
    assert_eq!(of(PACR | 1 << 17, BF16), unspecified("PACR.md", "line 70"));
    for bit in [2, 13, 21] {
        assert_eq!(of(PACR | 1 << bit, BF16), unspecified("PACR.md", "line 72"));
    }
}
