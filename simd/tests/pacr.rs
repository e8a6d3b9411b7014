//! What `PACR` puts into L1, and keeps, worked out by hand from the pages, at every level.

use tandem_isa::tensix::config::pack::{self, PackField, PackerField};
use tandem_isa::tensix::config::{self, CONFIG_WORDS};
use tandem_isa::tensix::inst::pack::{FLUSH, LAST, PACKER_MASK, READ_INTF_SEL, ZERO_WRITE};
use tandem_isa::tensix::{Chip, DATA, EXPONENTS, Mnemonic, PACKER_STATS, Tensix, format};
use tandem_isa::{Answer, CodeField, Edition, State};

mod parts;

/// The first row of L1 that packers write here, by their number.
const L1_ROW: [usize; 4] = [0x100, 0x200, 0x300, 0x400];
const LAST_ONE: &[(CodeField, u32)] = &[(LAST, 1)];

/// Sets up a packer that packs `data` from the first row of `Dst` on.
struct Setup {
    chip: Chip,
    /// `IntermediateFormat`, `In_data_format` and `Out_data_format`.
    formats: [u32; 3],
    /// Fields of `PCK_DEST_RD_CTRL` that are set.
    read: &'static [PackField],
    data: u32,
}

impl Setup {
    fn new(formats: [u32; 3], read: &'static [PackField], data: u32) -> Self {
        Setup { chip: Chip::Wormhole, formats, read, data }
    }

    fn set(&self, tensix: &mut Tensix<'_>) {
        let chip = self.chip;
        let small = &mut *tensix.small;
        let bank = &mut small.config[0];
        config::ALU_FORMAT_SPEC_REG2_Dstacc.set(bank, self.formats[0]);
        self.read.iter().for_each(|field| field.set(chip, bank, 1));
        pack::PCK_EDGE_OFFSET_SEC_mask.iter().for_each(|field| field.set(chip, bank, 0xffff));
        for (packer, row) in L1_ROW.into_iter().enumerate().take(chip.pick(4, 1)) {
            pack::Disable_zero_compress.set(chip, packer, bank, 1);
            pack::In_data_format.set(chip, packer, bank, self.formats[1]);
            pack::Out_data_format.set(chip, packer, bank, self.formats[2]);
            pack::L1_Dest_addr.set(chip, packer, bank, row as u32);
            pack::Sub_l1_tile_header_size.set(chip, packer, bank, 1);
            pack::Exp_section_size.set(chip, packer, bank, 4);
            pack::pack_limit_address(chip, packer).set(bank, 0x1_ffff);
            pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[packer].set(chip, bank, 16);
            small.packers[packer].streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
        }
        small.adcs[0].packers[1].x = self.data - 1;
        for (window, page) in small.l1_pages.iter_mut().enumerate() {
            *page = (L1_ROW[window / 16] / 16 + window % 16) as u16;
        }
    }

    /// What comes of an instruction on 16 bits of `Dst` each.
    fn run(&self, fields: &[(CodeField, u32)], data: &[u16], set: impl FnOnce(&mut Tensix<'_>)) -> (Answer, State) {
        parts::run(Mnemonic::Pacr, (self.chip, Edition::Newest), fields, |tensix| {
            self.set(tensix);
            for (row, data) in data.chunks(16).enumerate() {
                tensix.dst_row_mut(row)[..data.len()].copy_from_slice(data);
            }
            set(tensix);
        })
    }

    /// The same on 32 bits.
    fn run_32(&self, fields: &[(CodeField, u32)], data: &[u32], set: impl FnOnce(&mut Tensix<'_>)) -> (Answer, State) {
        self.run(fields, &[], |tensix| {
            for (row, data) in data.chunks(16).enumerate() {
                let row = row / 8 * 16 + row % 8;
                for (column, &datum) in data.iter().enumerate() {
                    let sign = (datum >> 16) & 0x8000;
                    let high = sign | (datum >> 23) & 0xff | (datum >> 8) & 0x7f00;
                    tensix.dst_row_mut(row)[column] = high as u16;
                    tensix.dst_row_mut(row + 8)[column] = datum as u16;
                }
            }
            set(tensix);
        })
    }
}

fn nothing(_: &mut Tensix<'_>) {}

/// Bytes of L1 from a row on.
fn l1(state: &mut State, row: usize, bytes: usize) -> Vec<u8> {
    let tensix = &mut Tensix::new(state);
    (0..bytes).map(|byte| (tensix.l1_row(row + byte / 16).unwrap()[byte % 16 / 4] >> (8 * (byte % 4))) as u8).collect()
}

fn halves(state: &mut State, row: usize, count: usize) -> Vec<u16> {
    let bytes = l1(state, row, 2 * count);
    bytes.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect()
}

fn words(state: &mut State, row: usize, count: usize) -> Vec<u32> {
    let bytes = l1(state, row, 4 * count);
    bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

fn own(tensix: &mut Tensix<'_>, field: PackerField, value: u32) {
    field.set(Chip::Wormhole, 0, &mut tensix.small.config[0], value);
}

fn shared(tensix: &mut Tensix<'_>, field: PackField, value: u32) {
    field.set(Chip::Wormhole, &mut tensix.small.config[0], value);
}

const READ_32B: PackField = pack::PCK_DEST_RD_CTRL_Read_32b_data;
const RAW: PackField = pack::PCK_DEST_RD_CTRL_Read_int8;
const ROUND_10B: PackField = pack::PCK_DEST_RD_CTRL_Round_10b_mant;
const UNSIGNED: PackField = pack::PCK_DEST_RD_CTRL_Read_unsigned;
const BF16: [u32; 3] = [format::BF16; 3];

#[test]
fn a_face_of_bf16_goes_to_l1() {
    // Sign, mantissa, exponent: 1.5 * 2^n.
    let data: Vec<u16> = (0..256).map(|n| (n & 1) << 15 | 0x4000 | (n >> 2)).collect();
    let (answer, mut state) = Setup::new(BF16, &[RAW], 256).run(LAST_ONE, &data, |tensix| {
        tensix.small.thread_config[2][46] = 1;
        tensix.set_dst_row_valid(3, false);
    });
    assert_eq!(answer, Answer::Done);
    let expected: Vec<u16> =
        (0..256).map(|n: u16| if n / 16 == 3 { 0 } else { (n & 1) << 15 | (n >> 2) << 7 | 0x40 }).collect();
    assert_eq!(halves(&mut state, L1_ROW[0], 256), expected);
    let tensix = &mut Tensix::new(&mut state);
    let packer = tensix.small.packers[0];
    assert_eq!([packer.x, packer.y, packer.z], [0, 0, 1]);
    let stream = packer.streams[DATA];
    assert_eq!((stream.byte_address, stream.needs_new_address, stream.filled), (0x1000 + 512, 1, 0));
    // 64 exponents, four times each, twice in a bin; those of row 3, 12 to 15, are 0.
    let stats = *tensix.packer_stats(0);
    assert_eq!((stats[0], stats[1], stats[12], stats[32]), (8 + 16, 8, 4, 63));
}

#[test]
fn masks_go_by_position_and_column() {
    let data = [0x3f80u16; 64].map(|_| 0x007f);
    // Two rows of the position are in each row of Dst: it begins in column 4, at position 14.
    let (answer, mut state) = Setup::new(BF16, &[RAW], 24).run(LAST_ONE, &data, |tensix| {
        tensix.small.adcs[0].packers[0].x = 4;
        tensix.small.adcs[0].packers[1].x = 27;
        shared(tensix, pack::PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
        tensix.small.packers[0].x = 14;
        tensix.small.packers[0].y = 15;
        // Of row 15 nothing is masked; of row 0 odd columns are.
        shared(tensix, pack::TILE_ROW_SET_MAPPING_0, 1);
        shared(tensix, pack::PCK_EDGE_OFFSET_SEC1_mask, 0x5555);
        shared(tensix, pack::PCK_EDGE_MODE_mode, 1);
        // The next rows are all masked.
        shared(tensix, pack::TILE_ROW_SET_MAPPING_0, 1 | 2 << 2);
        shared(tensix, pack::PCK_EDGE_OFFSET_SEC2_mask, 0);
    });
    assert_eq!(answer, Answer::Done);
    // Columns 4 and 5, then 6 to 15 and 0 to 5, then 6 to 11.
    let expected: Vec<u16> = (4..28)
        .map(|column| match column {
            4 | 5 => 0x3f80,
            6..22 => [0x3f80, 0xff80][column % 2],
            _ => 0xff80,
        })
        .collect();
    assert_eq!(halves(&mut state, L1_ROW[0], 24), expected);
    let packer = Tensix::new(&mut state).small.packers[0];
    assert_eq!([packer.x, packer.y, packer.z], [6, 1, 1]);
}

#[test]
fn integers_are_scaled_rounded_and_bounded() {
    let data = [24, 23, 0x8000_0018, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 2032, 7];
    let run = |read, descale: u32| {
        Setup::new([format::INT8; 3], read, 8).run_32(LAST_ONE, &data, |tensix| {
            shared(tensix, pack::INT_DESCALE_Enable, 1);
            tensix.small.int_descale_values_sec[0] = descale;
        })
    };
    for (read, shift, expected) in [
        (&[READ_32B] as &'static [_], 4, [2, 1, 0x82, 127, 0xff, 0x80, 127, 0]),
        (&[READ_32B, UNSIGNED], 4, [2, 1, 0, 255, 0, 0, 127, 0]),
        (&[READ_32B, RAW], 4, [24, 23, 0x98, 0x7f, 0xff, 0x80, 0x70, 7]),
        (&[READ_32B, RAW, UNSIGNED], 4, [24, 23, 24, 255, 255, 0, 0xf0, 7]),
        (&[READ_32B, UNSIGNED], 0xe0, [24, 23, 0, 255, 0, 0, 255, 7]),
    ] {
        let (answer, mut state) = run(read, shift);
        assert_eq!(answer, Answer::Done);
        assert_eq!(l1(&mut state, L1_ROW[0] + 4, 8), expected, "{shift}");
        assert_eq!(*Tensix::new(&mut state).packer_stats(0), [0; PACKER_STATS]);
    }
}

#[test]
fn blocks_share_the_largest_exponent() {
    // 1.0, -0.5, 1.5, 2^-7, 2^-8, 0, 1 + 3/128, 1 + 1/128.
    let data = [0x007f, 0x807e, 0x407f, 0x0078, 0x0077, 0, 0x037f, 0x017f].map(|datum| datum as u16);
    for (format, bytes, expected) in
        [(format::BFP8, 16, [64, 0xa0, 96, 1, 0, 0, 66, 65]), (format::BFP4, 8, [0xa4, 0x06, 0, 0x44, 0, 0, 0, 0])]
    {
        let formats = [format::BF16, format::BF16, format];
        let (answer, mut state) = Setup::new(formats, &[RAW], 16).run(LAST_ONE, &data, nothing);
        assert_eq!(answer, Answer::Done);
        let mut expected = expected.to_vec();
        expected.resize(16, 0);
        let got = l1(&mut state, L1_ROW[0] + 4, bytes);
        assert_eq!(got, expected[..bytes]);
        assert_eq!(l1(&mut state, L1_ROW[0], 2), [127, 0]);
        let streams = Tensix::new(&mut state).small.packers[0].streams;
        assert_eq!(streams.map(|stream| stream.byte_address), [0x1010, 0x1050]);
    }
    // What rounds to 128, infinity, -2^-8 beside 1.0, and minus zero.
    for datum in [0x7f7f, 0x00ff, 0x8077, 0x8000] {
        let mut data = data;
        data[5] = datum;
        let before = Setup::new([format::BF16, format::BF16, format::BFP8], &[RAW], 16);
        let (answer, mut state) = before.run(LAST_ONE, &data, nothing);
        assert_eq!(answer, Answer::Unsupported, "{datum:x}");
        assert_eq!(l1(&mut state, L1_ROW[0], 1), [0]);
    }
    // A block that is not whole.
    let part = Setup::new([format::BF16, format::BF16, format::BFP8], &[RAW], 8).run(LAST_ONE, &data, nothing);
    assert_eq!(part.0, Answer::Unsupported);
}

#[test]
fn fp32_becomes_fp16_and_fp8() {
    let formats = |to| [format::FP32, format::FP32, to];
    let run = |to, datum: u32| {
        let (answer, mut state) = Setup::new(formats(to), &[READ_32B], 1).run_32(LAST_ONE, &[datum], nothing);
        (answer == Answer::Done).then(|| {
            if to == format::FP8 {
                u16::from(l1(&mut state, L1_ROW[0] + 4, 1)[0])
            } else {
                halves(&mut state, L1_ROW[0], 1)[0]
            }
        })
    };
    for (datum, fp16, fp8) in [
        (0x3f80_0000, Some(0x3c00), Some(0x3c)),
        (0xbfff_ffff, Some(0xbfff), Some(0xbf)),
        // 2^-15, -2^-15, 2^-15 and more, 2^-14.
        (0x3800_0000, Some(0), Some(0)),
        (0xb800_0000, None, None),
        (0x3800_0001, None, None),
        (0x3880_0000, Some(0x400), Some(4)),
        // 2^16, 2^17, infinity, NaN, a denormal, zeros.
        (0x4780_0000, Some(0x7c00), Some(0x7c)),
        (0x4800_0000, None, None),
        (0x7f80_0000, Some(0x7fff), Some(0x7f)),
        (0xffc0_0000, Some(0xffff), Some(0xff)),
        (0x0000_0001, Some(0), Some(0)),
        (0, Some(0), Some(0)),
        (0x8000_0000, None, None),
    ] {
        assert_eq!(run(format::FP16, datum), fp16, "{datum:x}");
        assert_eq!(run(format::FP8, datum), fp8, "{datum:x}");
    }
}

#[test]
fn fp16_becomes_fp32_and_bf16() {
    let run = |to, datum: u16| {
        let setup = Setup::new([format::FP16, format::FP16, to], &[RAW], 1);
        let (answer, mut state) = setup.run(LAST_ONE, &[datum], nothing);
        (answer == Answer::Done).then(|| words(&mut state, L1_ROW[0], 1)[0])
    };
    // Sign, mantissa, exponent in Dst. 1 + 1/1024, the exponent 31, all ones, a denormal, a negative one, zeros.
    for (datum, fp32, bf16) in [
        (0x002f, Some(0x3f80_2000), Some(0x3f80)),
        (0x801f, Some(0xc780_0000), Some(0xc780)),
        (0x7fff, None, None),
        (0x0020, None, Some(0)),
        (0x8020, None, None),
        (0, Some(0), Some(0)),
        (0x8000, None, None),
    ] {
        assert_eq!(run(format::FP32, datum), fp32, "{datum:x}");
        assert_eq!(run(format::BF16, datum), bf16, "{datum:x}");
    }
}

#[test]
fn early_conversions_round_away_from_zero() {
    // To TF32, from 32 bits: half of the last bit, less, infinity, NaN, a denormal, what carries into the exponent, and
    // too far.
    for (datum, tf32) in [
        (0x3f80_1000, Some(0x3f80_2000)),
        (0xbf80_0fff, Some(0xbf80_0000)),
        (0x7f80_0000, Some(0x7f80_0000)),
        (0xff80_0001, Some(0xff80_0000)),
        (0x807f_ffff, Some(0)),
        (0x3fff_f000, Some(0x4000_0000)),
        (0x7f7f_f000, None),
    ] {
        let setup = Setup::new([format::FP32, format::TF32, format::TF32], &[READ_32B, ROUND_10B], 1);
        let (answer, mut state) = setup.run_32(LAST_ONE, &[datum], nothing);
        assert_eq!((answer == Answer::Done).then(|| words(&mut state, L1_ROW[0], 1)[0]), tf32, "{datum:x}");
    }
    // FP16 to E5M6, and that to FP16: 1 + 1/128, the exponent 31 that carries, and one that does not.
    for (datum, fp16) in [(0x010f, Some(0x3c10)), (0x7f1f, None), (0x7eff, Some(0x7ff0)), (0x8020, Some(0))] {
        let setup = Setup::new([format::BFP8A, format::BFP8A, format::FP16], &[], 1);
        let (answer, mut state) = setup.run(LAST_ONE, &[datum], nothing);
        assert_eq!((answer == Answer::Done).then(|| halves(&mut state, L1_ROW[0], 1)[0]), fp16, "{datum:x}");
    }
    // In_data_format names another type.
    let other = Setup::new([format::BF16, format::FP16, format::FP16], &[], 1).run(LAST_ONE, &[0], nothing);
    assert_eq!(other.0, Answer::Unsupported);
}

#[test]
fn relu_compares_with_a_threshold() {
    // 1.0, 2.0, -1.0, NaN, -NaN, -0, and infinity.
    let data = [0x007f, 0x0080, 0x807f, 0x40ff, 0xc0ff, 0x8000, 0x00ff].map(|datum| datum as u16);
    let run = |mode, threshold| {
        Setup::new(BF16, &[RAW], 7).run(LAST_ONE, &data, |tensix| {
            shared(tensix, pack::STACC_RELU_ApplyRelu, mode);
            shared(tensix, pack::STACC_RELU_ReluThreshold, threshold);
        })
    };
    for (mode, threshold, expected) in [
        (4, 0, [0x3f80, 0x4000, 0xbf80, 0x7fc0, 0xffc0, 0x8000, 0x7f80]),
        (1, 0x8000, [0x3f80, 0x4000, 0, 0x7fc0, 0xffc0, 0, 0x7f80]),
        (2, 0x3f80, [0, 0x4000, 0, 0x7fc0, 0xffc0, 0, 0x7f80]),
        (3, 0x3fc0, [0x3f80, 0x3fc0, 0, 0x7fc0, 0xffc0, 0, 0x3fc0]),
    ] {
        let (answer, mut state) = run(mode, threshold);
        assert_eq!(answer, Answer::Done);
        assert_eq!(halves(&mut state, L1_ROW[0], 7), expected, "{mode}");
    }
    for (mode, threshold) in [(2, 0x8000), (3, 0xbf80), (2, 0x7f80)] {
        assert_eq!(run(mode, threshold).0, Answer::Unsupported);
    }
}

#[test]
fn what_waits_goes_on() {
    let setup = Setup::new([format::INT8; 3], &[READ_32B, RAW], 21);
    let data: Vec<u32> = (1..22).collect();
    let (answer, mut state) = setup.run_32(&[], &data, |tensix| {
        tensix.small.packers[0].streams[DATA].filled = 3;
        tensix.small.packers[0].streams[DATA].buffer = [0x00fe_fdfc, 0, 0, 0];
        tensix.small.packers[0].streams[EXPONENTS].filled = 1;
        tensix.small.packers[0].streams[EXPONENTS].buffer = [0x77, 0, 0, 0];
    });
    assert_eq!(answer, Answer::Done);
    assert_eq!(l1(&mut state, L1_ROW[0] + 4, 17)[..], [0xfc, 0xfd, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0]);
    let streams = Tensix::new(&mut state).small.packers[0].streams;
    assert_eq!(streams[DATA].buffer, [0x1110_0f0e, 0x1514_1312, 0, 0]);
    assert_eq!((streams[DATA].filled, streams[DATA].byte_address, streams[DATA].needs_new_address), (8, 0x1050, 0));
    assert_eq!((streams[EXPONENTS].filled, streams[EXPONENTS].byte_address), (1, 0x1000));
    // A flush writes both, whatever the formats are, and moves no position of Wormhole.
    let setup = Setup::new([format::BF16, 3, 13], &[], 21);
    let (answer, mut state) = setup.run(&[(FLUSH, 1)], &[], |tensix| {
        tensix.small.packers[0].streams = streams;
        tensix.small.packers[0].x = 5;
    });
    assert_eq!(answer, Answer::Done);
    assert_eq!(l1(&mut state, L1_ROW[0] + 5, 9), [14, 15, 16, 17, 18, 19, 20, 21, 0]);
    assert_eq!(l1(&mut state, L1_ROW[0], 2), [0x77, 0]);
    let packer = Tensix::new(&mut state).small.packers[0];
    assert_eq!(packer.streams.map(|stream| (stream.filled, stream.needs_new_address)), [(0, 1); 2]);
    assert_eq!(packer.streams.map(|stream| (stream.byte_address, stream.buffer)), [(0x1010, [0; 4]), (0x1060, [0; 4])]);
    assert_eq!(packer.x, 5);
}

#[test]
fn downsampling_keeps_what_its_mask_says() {
    let data: Vec<u16> = (0..40).collect();
    let (answer, mut state) = Setup::new([format::INT16; 3], &[], 37).run(LAST_ONE, &data, |tensix| {
        tensix.small.adcs[0].packers[0].x = 3;
        tensix.small.adcs[0].packers[1].x = 39;
        own(tensix, pack::Downsample_mask, 0x8005);
        shared(tensix, pack::PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    });
    assert_eq!(answer, Answer::Done);
    assert_eq!(halves(&mut state, L1_ROW[0], 9), [3, 5, 18, 19, 21, 34, 35, 37, 0]);
}

#[test]
fn l1_is_a_source_of_packer_0() {
    let run = |bytes: u32, format, target: u32| {
        Setup::new([0, format, format], &[], 5).run(LAST_ONE, &[], |tensix| {
            own(tensix, pack::Source_interface_selection, 1);
            own(tensix, pack::L1_Dest_addr, target);
            shared(tensix, pack::PCK0_ADDR_BASE_REG_0_Base, 0x2000);
            shared(tensix, pack::PCK0_ADDR_CTRL_XY_REG_0_Xstride, bytes);
            tensix.small.adcs[0].packers[0].x = 2;
            tensix.small.adcs[0].packers[1].x = 6;
            tensix.l1_row_mut(0x200).unwrap().copy_from_slice(&[0x0302_0100, 0x0706_0504, 0x0b0a_0908, 0x0f0e_0d0c]);
            tensix.l1_row_mut(0x201).unwrap().copy_from_slice(&[0x1312_1110, 0x1716_1514, 0, 0]);
        })
    };
    let (answer, mut state) = run(2, format::INT16, 0x100);
    assert_eq!(answer, Answer::Done);
    assert_eq!(halves(&mut state, 0x100, 6), [0x0504, 0x0706, 0x0908, 0x0b0a, 0x0d0c, 0]);
    let (answer, mut state) = run(4, format::FP32, 0x100);
    assert_eq!(answer, Answer::Done);
    assert_eq!(words(&mut state, 0x100, 3), [0x0b0a_0908, 0x0f0e_0d0c, 0x1312_1110]);
    let (answer, mut state) = run(1, format::INT8, 0x100);
    assert_eq!(answer, Answer::Done);
    assert_eq!(l1(&mut state, 0x104, 6), [2, 3, 4, 5, 6, 0]);
    // A row that is read.
    assert_eq!(run(4, format::FP32, 0x201).0, Answer::Unsupported);
    assert_eq!(run(2, format::INT16, 0x201).0, Answer::Done);
    assert_eq!(run(4, format::TF32, 0x100).0, Answer::Unsupported);
}

#[test]
fn four_packers_work_and_counters_advance_once() {
    let data: Vec<u16> = (0..128).collect();
    let fields = [(PACKER_MASK, 15), (LAST, 1)];
    let run = |second: u32| {
        Setup::new([format::INT16; 3], &[], 16).run(&fields, &data, |tensix| {
            (0..4).for_each(|packer| tensix.small.dest_target_reg_cfg_pack_sec[packer] = 2 * packer as u32);
            pack::L1_Dest_addr.set(Chip::Wormhole, 1, &mut tensix.small.config[0], second);
            // YsrcIncr 3, YdstIncr 5 by carriage, ZsrcIncr, ZdstClear.
            tensix.small.thread_config[0][31] = 3 | 5 << 6 | 1 << 10 | 1 << 12 | 1 << 15;
            tensix.small.adcs[0].packers[0].z = 255;
            tensix.small.adcs[0].packers[1].y_cr = 0x1fff;
            tensix.small.adcs[0].packers[1].z_cr = 7;
        })
    };
    let (answer, mut state) = run(0x200);
    assert_eq!(answer, Answer::Done);
    for (packer, row) in L1_ROW.into_iter().enumerate() {
        let expected: Vec<u16> = (0..16).map(|datum| datum + 32 * packer as u16).collect();
        assert_eq!(halves(&mut state, row, 16), expected);
    }
    let [input, output] = Tensix::new(&mut state).small.adcs[0].packers;
    assert_eq!((input.y, input.y_cr, input.z), (3, 0, 0));
    assert_eq!((output.y, output.y_cr, output.z, output.z_cr), (4, 4, 0, 0));
    // Two packers write one row.
    assert_eq!(run(0x101).0, Answer::Unsupported);
}

#[test]
fn interfaces_of_blackhole_read_rows_of_four() {
    let data: Vec<u16> = (0..128).collect();
    let setup = Setup { chip: Chip::Blackhole, ..Setup::new([format::INT16; 3], &[], 16) };
    let run = |fields: &[(CodeField, u32)], row: u32| {
        setup.run(fields, &data, |tensix| {
            tensix.small.dest_target_reg_cfg_pack_sec[0] = row;
            tensix.small.packers[0].y = 13;
        })
    };
    let (answer, mut state) = run(&[(READ_INTF_SEL, 0b1011), (LAST, 1)], 4);
    assert_eq!(answer, Answer::Done);
    let expected: Vec<u16> = (64..96).chain(112..128).collect();
    assert_eq!(halves(&mut state, L1_ROW[0], 48), expected);
    let packer = Tensix::new(&mut state).small.packers[0];
    assert_eq!([packer.x, packer.y, packer.z], [0, 0, 1]);
    assert_eq!(run(&[(READ_INTF_SEL, 1)], 5).0, Answer::Unsupported);
    // Zeros from nowhere, of all four; nothing is read.
    let (answer, mut state) = run(&[(ZERO_WRITE, 1)], 5);
    assert_eq!(answer, Answer::Done);
    let packer = Tensix::new(&mut state).small.packers[0];
    assert_eq!((packer.y, packer.z, packer.streams[DATA].byte_address), (17, 0, 0x1080));
}

#[test]
fn what_is_not_said_is_refused() {
    let run = |fields: &[(CodeField, u32)], set: fn(&mut [u32; CONFIG_WORDS])| {
        let mut before = 0;
        let (answer, state) = Setup::new(BF16, &[RAW], 16).run(fields, &[0x7f; 16], |tensix| {
            set(&mut tensix.small.config[0]);
            before = tensix.small.packers[0].y;
        });
        assert!(
            answer == Answer::Done || {
                let mut state = state;
                Tensix::new(&mut state).small.packers[0].y == before
            }
        );
        answer
    };
    let refused = Answer::Unsupported;
    assert_eq!(run(&[], |_| ()), Answer::Done);
    assert_eq!(run(&[(PACKER_MASK, 5)], |_| ()), refused);
    assert_eq!(run(&[], |bank| pack::Disable_zero_compress.set(Chip::Wormhole, 0, bank, 0)), refused);
    assert_eq!(run(&[], |bank| pack::Disable_zero_compress.set(Chip::Wormhole, 1, bank, 0)), Answer::Done);
    assert_eq!(run(&[], |bank| pack::Pack_L1_Acc.set(Chip::Wormhole, 0, bank, 1)), refused);
    assert_eq!(run(&[], |bank| pack::ALU_ROUNDING_MODE_Bfp8_HF.set(Chip::Wormhole, bank, 1)), refused);
    assert_eq!(run(&[], |bank| pack::L1_Dest_addr.set(Chip::Wormhole, 0, bank, 1 << 31)), refused);
    // In no window, and beyond L1.
    assert_eq!(run(&[], |bank| pack::L1_Dest_addr.set(Chip::Wormhole, 0, bank, 0x800)), refused);
    assert_eq!(run(&[], |bank| pack::L1_Dest_addr.set(Chip::Wormhole, 0, bank, 0x1_ffff)), refused);
}
