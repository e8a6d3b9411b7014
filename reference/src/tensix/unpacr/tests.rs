//! Values computed by hand from the pages.

use tandem_isa::tensix::Banks;
use tandem_isa::{Reference, State};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

/// What is unpacked begins here, in all bases of all contexts, and windows show 16 KiB from 64 KiB on.
const BASE: usize = 0x1_0010;

/// A page: a chip, and an edition.
type Text = (Chip, Edition);
/// What supports a lot.
const SPEC: Text = (Chip::Wormhole, Edition::Spec);
/// All of them.
const TEXTS: [Text; 4] =
    [SPEC, (Chip::Wormhole, Edition::Newest), (Chip::Blackhole, Edition::Spec), (Chip::Blackhole, Edition::Newest)];
/// Those that go by the newest page.
const NEWEST: [Text; 3] = [TEXTS[1], TEXTS[2], TEXTS[3]];

/// A state that is being prepared.
struct Before<'a, 's> {
    tensix: &'a mut Tensix<'s>,
    chip: Chip,
    which_unpacker: usize,
}

impl Before<'_, '_> {
    fn set(&mut self, field: UnpackField, value: u32) {
        for config_state in &mut self.tensix.small.config {
            field.set(self.chip, self.which_unpacker, config_state, value);
        }
    }

    fn thread_set(&mut self, [wormhole, blackhole]: [ThreadConfigField; 2], value: u32) {
        self.chip.pick(wormhole, blackhole).set(&mut self.tensix.small.thread_config[1], value);
    }

    /// Both formats, of what has no context and of context 0.
    fn formats(&mut self, input: u32, output: u32) {
        self.set(REG0_TileDescriptor_InDataFormat, input);
        self.set(REG2_Out_data_format, output);
    }

    fn channel(&mut self, thread: usize, channel: usize) -> &mut AdcChannel {
        &mut self.tensix.small.adcs[thread].unpacker[self.which_unpacker][channel]
    }

    /// Columns of the thread that has the ADC of X, and of all others.
    fn columns(&mut self, first: u32, last: u32) {
        for thread in 0..3 {
            (self.channel(thread, 0).x, self.channel(thread, 1).x) = (first, last);
        }
    }

    fn bytes(&mut self, address: usize, bytes: &[u8]) {
        let l1 = self.tensix.banks_unmarked().l1.as_flattened_mut().as_flattened_mut();
        for (address, byte) in (address - 0x1_0000..).zip(bytes) {
            let word = &mut l1[address / 4];
            let mut of_word = word.to_le_bytes();
            of_word[address % 4] = *byte;
            *word = u32::from_le_bytes(of_word);
        }
    }

    /// Data of 16 bits.
    fn data_16(&mut self, address: usize, data: impl IntoIterator<Item = u16>) {
        let bytes: Vec<u8> = data.into_iter().flat_map(u16::to_le_bytes).collect();
        self.bytes(address, &bytes);
    }

    /// To `Dst`, from row 0 on.
    fn aim_at_dst(&mut self) {
        self.set(REG2_Unpack_If_Sel, 1);
        self.set(REG2_Unpack_if_sel_cntx[0], 1);
        self.thread_set(SET_OVRD, 0);
    }
}

const SET_OVRD: [ThreadConfigField; 2] = [config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr];
const SRCA_BASE: [ThreadConfigField; 2] = [config::SRCA_SET_Base, blackhole::SRCA_SET_Base];
const SRCB_BASE: [ThreadConfigField; 2] = [config::SRCB_SET_Base, blackhole::SRCB_SET_Base];
const OFFSETS: [[ThreadConfigField; 2]; 2] = [
    [config::UNPACK_MISC_CFG_CfgContextOffset_0, blackhole::UNPACK_MISC_CFG_CfgContextOffset_0],
    [config::UNPACK_MISC_CFG_CfgContextOffset_1, blackhole::UNPACK_MISC_CFG_CfgContextOffset_1],
];

/// What an instruction was promised, and the state before it and after.
struct Run {
    promise: Expectation,
    open: usize,
    before: (Box<Banks>, Small),
    after: (Box<Banks>, Small),
}

/// Runs an instruction of thread 1 with the fields given, and with MultiContextMode: of 16 data of BF16, not compressed
/// and with one row to a tile, to row 0 of bank 0 of `SrcA`, `SrcB` or `Dst`, where all is 5.
fn unpack((chip, edition): Text, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Before<'_, '_>)) -> Run {
    execute("UNPACR_REGULAR", (chip, edition), &[&[(MULTI_CONTEXT_MODE, 1)], fields].concat(), prepare)
}

fn execute(
    name: &str,
    (chip, edition): Text,
    fields: &[(CodeField, u32)],
    prepare: impl FnOnce(&mut Before<'_, '_>),
) -> Run {
    let (isa, instruction, code) = word(chip, name, fields);
    let mut state: State = isa.base_state();
    let mut tensix = Tensix::new(&mut state);
    let banks = tensix.banks_unmarked();
    banks.srca.as_flattened_mut().as_flattened_mut().fill(5);
    banks.srcb.as_flattened_mut().as_flattened_mut().fill(5);
    banks.dst.as_flattened_mut().fill(5);
    let small = &mut *tensix.small;
    small.current_thread = 1;
    small.srca_allowed_client = [UNPACKERS, MATRIX_UNIT];
    small.srcb_allowed_client = [UNPACKERS, MATRIX_UNIT];
    for (page, shown) in (0x100..).zip(&mut small.l1_pages) {
        *shown = page;
    }
    let which_unpacker = WHICH_UNPACKER.get(&code) as usize;
    let mut before = Before { tensix: &mut tensix, chip, which_unpacker };
    before.set(REG0_TileDescriptor_IsUncompressed, 1);
    before.set(REG0_TileDescriptor_XDim, 16);
    before.set(REG0_TileDescriptor_YDim, 1);
    before.formats(BF16, BF16);
    before.set(REG2_Unpack_limit_address, 0x1_ffff);
    before.set(REG3_Base_address, 0x1000);
    before.set(REG2_Disable_zero_compress_cntx[0], 1);
    before.set(REG5_Tile_x_dim_cntx[0], 16);
    before.set(REG5_Dest_cntx[0], 64);
    before.set(ADDR_BASE_REG_1_Base, if which_unpacker == 0 { 128 } else { 0 });
    before.thread_set(SET_OVRD, 1);
    before.columns(0, 15);
    prepare(&mut before);
    let copy = |tensix: &mut Tensix<'_>| (Box::new(*tensix.banks_unmarked()), *tensix.small);
    let before = copy(&mut tensix);
    let promise = TensixReference.execute(&Step { instruction, edition, code: &code }, &mut state);
    let open = state.tracker.open.len();
    let after = copy(&mut Tensix::new(&mut state));
    Run { promise, open, before, after }
}

impl Run {
    /// Whether it was promised, and the state is the one before but for what `changes` changes.
    #[track_caller]
    fn check(&self, changes: impl FnOnce(&mut Banks, &mut Small)) {
        assert_eq!(self.promise, Expectation::Done);
        let (mut banks, mut small) = self.before.clone();
        changes(&mut banks, &mut small);
        for (bank, row) in (0..2).flat_map(|bank| (0..64).map(move |row| (bank, row))) {
            assert_eq!(self.after.0.srca[bank][row], banks.srca[bank][row], "SrcA[{bank}][{row}]");
            assert_eq!(self.after.0.srcb[bank][row], banks.srcb[bank][row], "SrcB[{bank}][{row}]");
        }
        for row in 0..1024 {
            assert_eq!(self.after.0.dst[row], banks.dst[row], "DstBits[{row}]");
            assert_eq!(self.after.0.dst_row_valid[row], banks.dst_row_valid[row], "DstRowValid[{row}]");
        }
        assert_eq!(self.after.1, small);
        assert!(self.after.0.l1 == banks.l1, "L1");
    }

    fn is_undefined(&self) -> bool {
        matches!(self.promise, Expectation::Undefined(_))
    }

    fn is_unspecified(&self) -> bool {
        matches!(self.promise, Expectation::Unspecified(_) | Expectation::Unsupported(_))
    }
}

/// 1.0 and more, of BF16, and what it is in a source and in `Dst`: mantissas of seven bits count up.
fn data(count: u16) -> impl Iterator<Item = u16> {
    (0..count).map(|n| 0x3f80 + n)
}

fn in_src(n: u32) -> u32 {
    // Seven bits of mantissa at bit 11, or the next exponent.
    (n % 128) << 11 | (0x7f + n / 128)
}

fn in_dst(n: u32) -> u16 {
    u16::try_from((n % 128) << 8 | (0x7f + n / 128)).expect("16 bits")
}

fn row_in_src(first: u32) -> [u32; 16] {
    std::array::from_fn(|column| in_src(first + u32::try_from(column).expect("it is small")))
}

fn row_in_dst(first: u32) -> [u16; 16] {
    std::array::from_fn(|column| in_dst(first + u32::try_from(column).expect("it is small")))
}

#[test]
fn a_row_of_data_goes_to_where_the_counters_say() {
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        let run = unpack(text, &[(WHICH_UNPACKER, which_unpacker)], |before| {
            // Datum ((1 * 2 + 1) * 3 + 2) * 4 + 2 = 46, and the one behind it. The thread has Z and W, and thread 0 X
            // and Y.
            before.set(REG0_TileDescriptor_YDim, 3);
            before.set(REG0_TileDescriptor_ZDim, 2);
            before.set(REG5_Tile_x_dim_cntx[0], 4);
            before.set(REG0_TileDescriptor_XDim, if which_unpacker == 0 { 9 } else { 4 });
            before.columns(7, 7);
            (before.channel(0, 0).x, before.channel(0, 0).y, before.channel(0, 1).x) = (2, 2, 3);
            (before.channel(1, 0).z, before.channel(1, 0).w) = (1, 1);
            before.data_16(BASE + 92, [0xc0a0, 0x3f81]);
            // Byte 0x20 + 0x40 + 2 * 0x100 + 0x20 = 0x280, which is datum 320, in row 20.
            before.set(ADDR_BASE_REG_1_Base, 0x20);
            before.set(ADDR_CTRL_XY_REG_1_Ystride, 0x40);
            before.set(ADDR_CTRL_ZW_REG_1_Zstride, 0x100);
            before.set(ADDR_CTRL_ZW_REG_1_Wstride, 0x20);
            before.set(ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
            (before.channel(1, 1).y, before.channel(1, 1).z, before.channel(1, 1).w) = (1, 2, 1);
            before.tensix.small.unpackers_src_row[1] = [1, 8, 2];
            before.tensix.small.unpackers_src_row[0] = [1, 8, 2];
        });
        // 0xc0a0 is a sign, an exponent of 0x81 and a mantissa of 0x20, eight times which is that of TF32.
        run.check(|banks, _| {
            let row = if which_unpacker == 0 { &mut banks.srca[0][20] } else { &mut banks.srcb[0][28] };
            row[..2].copy_from_slice(&[0x5_0081, 0x87f]);
        });
    }
}

#[test]
fn a_row_has_sixteen_columns_and_counters_say_how_many_rows_there_are() {
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        let run = unpack(text, &[(WHICH_UNPACKER, which_unpacker)], |before| {
            // XDim is how far rows of L1 lie apart, so that Y = 2 begins at datum 8; YDim is no end.
            before.set(REG5_Tile_x_dim_cntx[0], 4);
            before.set(REG0_TileDescriptor_XDim, 4);
            before.channel(0, 0).y = 2;
            before.columns(0, 39);
            before.data_16(BASE, data(48));
            before.tensix.small.unpackers_src_row = [[1, 3, 2]; 2];
        });
        // Forty data are two rows and a half. The row of the thread counts for SrcB alone.
        run.check(|banks, _| {
            let rows = if which_unpacker == 0 { &mut banks.srca[0][..3] } else { &mut banks.srcb[0][3..6] };
            (rows[0], rows[1]) = (row_in_src(8), row_in_src(24));
            rows[2][..8].copy_from_slice(&row_in_src(40)[..8]);
        });
    }
}

#[test]
fn an_address_of_the_context_replaces_what_counters_say_unless_it_is_added() {
    for (text, is_added) in TEXTS.into_iter().flat_map(|text| [(text, false), (text, true)]) {
        let run = unpack(text, &[], |before| {
            before.data_16(BASE, data(16));
            // Row 6 of the address, and row 5 of the context; both count from row 4 of SrcA on.
            before.set(ADDR_BASE_REG_1_Base, 6 * 32);
            before.set(REG5_Dest_cntx[0], 5 * 16);
            before.set(ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, is_added.into());
        });
        run.check(|banks, _| banks.srca[0][if is_added { 7 } else { 1 }] = row_in_src(0));
    }
}

#[test]
fn an_output_address_counts_bytes_of_the_output_format() {
    // INT8 has one byte, INT16 two, and TF32 four: row 3.
    for (format, input, bytes) in [(INT8, INT8, 1), (INT16, INT16, 2), (TF32, FP32, 4)] {
        for text in TEXTS {
            let run = unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
                before.formats(input, format);
                before.columns(0, 0);
                before.set(ADDR_BASE_REG_1_Base, 48 * bytes);
            });
            run.check(|banks, _| banks.srcb[0][3][0] = 0);
        }
    }
}

#[test]
fn rows_of_srcb_wrap_by_one_page_alone_and_those_of_srca_by_another() {
    // Row 63 and the one behind it.
    let srcb = |text| {
        unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
            before.data_16(BASE, data(32));
            before.columns(0, 31);
            before.set(ADDR_BASE_REG_1_Base, 60 * 32);
            before.tensix.small.unpackers_src_row[1][1] = 3;
        })
    };
    srcb(SPEC).check(|banks, _| (banks.srcb[0][63], banks.srcb[0][0]) = (row_in_src(0), row_in_src(16)));
    assert!(NEWEST.into_iter().all(|text| srcb(text).is_undefined()));
    let srca = |text| {
        unpack(text, &[], |before| {
            before.data_16(BASE, data(16));
            before.set(REG5_Dest_cntx[0], 68 * 16);
        })
    };
    for text in TEXTS {
        let run = srca(text);
        match text.0 {
            Chip::Wormhole => assert!(run.is_undefined()),
            Chip::Blackhole => run.check(|banks, _| banks.srca[0][0] = row_in_src(0)),
        }
    }
}

#[test]
fn without_set_ovrd_with_addr_the_row_of_the_thread_is_added_to_one_of_sixteen() {
    let of_row = |row: u32, src_row| {
        unpack(SPEC, &[], |before| {
            before.thread_set(SET_OVRD, 0);
            before.data_16(BASE, data(16));
            before.set(REG5_Dest_cntx[0], (row + 4) * 16);
            before.tensix.small.unpackers_src_row[0][1] = src_row;
        })
    };
    of_row(15, 48).check(|banks, _| banks.srca[0][63] = row_in_src(0));
    assert!(of_row(16, 0).is_undefined());
    // No row 64 is in SrcA.
    assert!(of_row(15, 49).is_unspecified());
}

/// What a datum in L1 becomes: formats, bits, the exponent of BFP, and what is in a source and in
/// `Dst`. Nothing stands for what is undefined.
type Conversion = (u32, u32, u32, u32, Option<u32>, Option<u32>);

const CONVERSIONS: &[Conversion] = &[
    // The top 19 bits are a sign, an exponent of 0x80 and a mantissa of 0x248.
    (FP32, TF32, 0x4049_0fdb, 0, Some(0x2_4880), Some(0x4980_0fdb)),
    (FP32, TF32, 0xc2f7_ffff, 0, Some(0x7_bf85), Some(0xf785_ffff)),
    (FP32, TF32, 0x0012_3456, 0, Some(0x0_9100), Some(0x1200_3456)),
    (FP32, FP32, 0x4049_0fdb, 0, None, Some(0x4980_0fdb)),
    (FP32, BF16, 0x4049_0fdb, 0, Some(0x2_4880), Some(0x4980)),
    // Mantissas are cut off, and denormals keep their sign alone.
    (FP32, BF16, 0xc2f7_ffff, 0, Some(0x7_b885), Some(0xf785)),
    (FP32, BF16, 0x8012_3456, 0, Some(0x4_0000), Some(0x8000)),
    (FP32, BF16, 0x7f80_0001, 0, Some(0xff), Some(0xff)),
    (TF32, TF32, 0x4049_0fdb, 0, None, Some(0x4980_0fdb)),
    (BF16, BF16, 0x3f81, 0, Some(0x87f), Some(0x17f)),
    (BF16, BF16, 0x8001, 0, Some(0x4_0800), Some(0x8100)),
    (FP16, FP16, 0x3c01, 0, Some(0x10f), Some(0x2f)),
    (FP16, FP16, 0xfbff, 0, Some(0x7_ff1e), Some(0xfffe)),
    // 0xbd00 has an exponent of 15 and a mantissa of 0x100.
    (FP8, FP8, 0xbd, 0, Some(0x5_000f), Some(0xa00f)),
    (FP8, FP8, 0x7e, 0, Some(0x2_001f), Some(0x401f)),
    (BFP8, BFP8, 0x40, 0x80, Some(0x80), Some(0x80)),
    // A magnitude of 3 is five places short: the exponent is five less, and half is left behind the top bit.
    (BFP8, BFP8, 0x83, 0x80, Some(0x6_007b), Some(0xc07b)),
    (BFP8, BFP8, 0x80, 0x12, Some(0x4_00ff), Some(0x80ff)),
    (BFP8, BFP8, 0x00, 0x12, Some(0), Some(0)),
    (BFP8, BFP8, 0x7f, 0x80, Some(0x3_f080), Some(0x7e80)),
    // 1 - 6 in eight bits.
    (BFP8, BFP8, 0x01, 0x01, Some(0xfb), Some(0xfb)),
    (BFP4, BFP4, 0xb, 0x80, Some(0x6_007f), Some(0xc07f)),
    (BFP4, BFP4, 0x8, 0x80, Some(0x4_00ff), Some(0x80ff)),
    (BFP2, BFP2, 1, 0x80, Some(0x80), Some(0x80)),
    (BFP2, BFP2, 3, 0x80, Some(0x4_0080), Some(0x8080)),
    (BFP2, BFP2, 2, 0x80, Some(0x4_00ff), Some(0x80ff)),
    (BFP8A, BFP8A, 0x83, 0x10, Some(0x6_000b), Some(0xc00b)),
    (BFP8A, BFP8A, 0x80, 0xff, Some(0x4_001f), Some(0x801f)),
    (BFP8A, BFP8A, 0x00, 0xff, Some(0), Some(0)),
    (BFP4A, BFP4A, 0xb, 0x10, Some(0x6_000f), Some(0xc00f)),
    (BFP2A, BFP2A, 3, 0x10, Some(0x4_0010), Some(0x8010)),
    // A sign, a magnitude of 5, and an exponent of 16.
    (INT8, INT8, 0x85, 0, Some(0x4_0510), Some(0x80b0)),
    (INT8, INT8, 0x7f, 0, Some(0x7f10), Some(0xff0)),
    (INT8, INT8, 0x80, 0, Some(0x4_0000), Some(0x8000)),
    (INT8, INT8, 0x00, 0, Some(0), Some(0)),
    (INT16, INT16, 0xabcd, 0, Some(0x5_58cd), Some(0xabcd)),
    (INT32, INT32, 0xc049_1234, 0, None, Some(0xc980_1234)),
];

/// Converts one datum, with what `prepare` says besides.
fn convert(
    text: Text,
    which_unpacker: u32,
    to_dst: bool,
    (input, output, bits, exponent): (u32, u32, u32, u32),
    prepare: impl FnOnce(&mut Before<'_, '_>),
) -> Run {
    unpack(text, &[(WHICH_UNPACKER, which_unpacker)], |before| {
        before.formats(input, output);
        before.columns(0, 0);
        before.set(REG2_Force_shared_exp, 1);
        before.set(FORCED_SHARED_EXP_shared_exp, exponent);
        before.bytes(BASE, &bits.to_le_bytes());
        if to_dst {
            before.aim_at_dst();
            before.set(ADDR_BASE_REG_1_Base, 0);
        }
        prepare(before);
    })
}

/// What a datum becomes in a source or in `Dst`, or nothing if it is undefined.
#[track_caller]
fn check_conversion(run: &Run, which_unpacker: u32, output: u32, [src, dst]: [Option<u32>; 2], to_dst: bool) {
    if (if to_dst { dst } else { src }).is_none() {
        assert!(run.is_undefined());
        return;
    }
    run.check(|banks, _| match (to_dst, src, dst) {
        (false, Some(datum), _) if which_unpacker == 0 => banks.srca[0][0][0] = datum,
        (false, Some(datum), _) => banks.srcb[0][0][0] = datum,
        (true, _, Some(datum)) => {
            let [high, low] = [datum >> 16, datum & 0xffff].map(|half| u16::try_from(half).expect("it is half"));
            if matches!(output, FP32 | TF32 | INT32) {
                (banks.dst[0][0], banks.dst[8][0]) = (high, low);
            } else {
                banks.dst[0][0] = low;
            }
            // What else is open is said by another test.
            banks.srca = run.after.0.srca;
        }
        _ => unreachable!("it is defined"),
    });
}

#[test]
fn each_format_becomes_what_the_page_says() {
    for &(input, output, bits, exponent, src, dst) in CONVERSIONS {
        for text in TEXTS {
            for (which_unpacker, to_dst) in [(0, false), (1, false), (0, true)] {
                let run = convert(text, which_unpacker, to_dst, (input, output, bits, exponent), |_| ());
                check_conversion(&run, which_unpacker, output, [src, dst], to_dst);
            }
        }
    }
    // FP8 whose exponent and mantissa are all ones: on Blackhole ones go on.
    for (bits, wormhole, blackhole) in
        [(0x7f, [0x3_001f, 0x601f], [0x3_ff1f, 0x7fff]), (0xff, [0x7_001f, 0xe01f], [0x7_ff1f, 0xffff])]
    {
        for (text, to_dst) in TEXTS.into_iter().flat_map(|text| [(text, false), (text, true)]) {
            let run = convert(text, 0, to_dst, (FP8, FP8, bits, 0), |_| ());
            check_conversion(&run, 0, FP8, text.0.pick(wormhole, blackhole).map(Some), to_dst);
        }
    }
    // With four bits of exponent: 0xb9 is a sign, an exponent of 7 and a mantissa of 1.
    let of_4_bits = [
        (0xb9, [0x4_800f, 0x900f]),
        (0x01, [0x8000, 0x1000]),
        (0x7e, [0x3_0017, 0x6017]),
        (0x7f, [0x3_ff17, 0x7ff7]),
        (0x80, [0x4_0000, 0x8000]),
    ];
    for (bits, expected) in of_4_bits {
        for (which_unpacker, to_dst) in [(0, false), (1, false), (0, true)] {
            let run = convert(TEXTS[3], which_unpacker, to_dst, (FP8, FP8, bits, 0), |before| {
                let fields = [blackhole::THCON_SEC0_REG1_Unp_LF8_4b_exp, blackhole::THCON_SEC1_REG1_Unp_LF8_4b_exp];
                fields[which_unpacker as usize].set(&mut before.tensix.small.config[0], 1);
            });
            check_conversion(&run, which_unpacker, FP8, expected.map(Some), to_dst);
        }
    }
    // INT8 without a sign has a magnitude of eight bits. Each Unpacker has a flag of its own.
    for (which_unpacker, flag) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let run = convert(SPEC, which_unpacker, false, (INT8, INT8, 0x85, 0), |before| {
            let flags = [config::ALU_FORMAT_SPEC_REG0_SrcAUnsigned, config::ALU_FORMAT_SPEC_REG0_SrcBUnsigned];
            flags[flag as usize].set(&mut before.tensix.small.config[0], 1);
        });
        let src = if which_unpacker == flag { 0x8510 } else { 0x4_0510 };
        check_conversion(&run, which_unpacker, INT8, [Some(src), None], false);
    }
}

#[test]
fn a_format_other_than_fp32_is_not_converted_to_another() {
    let has_name = |format: u32| !matches!(format, 12 | 13);
    for (input, output) in (0..16).flat_map(|input| (0..16).map(move |output| (input, output))) {
        for (text, to_dst) in TEXTS.into_iter().flat_map(|text| [(text, false), (text, true)]) {
            let run = convert(text, 0, to_dst, (input, output, 0, 0x10), |_| ());
            let is_wide = matches!(input, FP32 | INT32 | TF32);
            match (input, output) {
                (FP32, FP16) => assert!(run.is_unspecified(), "FP32ToFP16"),
                (FP32, TF32 | BF16) => assert_eq!(run.promise, Expectation::Done),
                _ if input == output && has_name(input) && (to_dst || !is_wide) => {
                    assert_eq!(run.promise, Expectation::Done, "{input}");
                }
                _ => assert!(run.is_undefined(), "{input} {output}"),
            }
        }
    }
}

#[test]
fn an_exponent_of_bfp8a_fits_in_five_bits() {
    for (text, exponent) in TEXTS.into_iter().flat_map(|text| (0..=255).map(move |exponent| (text, exponent))) {
        // Two zeros stand before the magnitude.
        let run = convert(text, 0, false, (BFP8A, BFP8A, 0x10, exponent), |_| ());
        if (2..34).contains(&exponent) {
            run.check(|banks, _| banks.srca[0][0][0] = exponent - 2);
        } else {
            assert!(run.is_undefined());
        }
    }
}

#[test]
fn an_exponent_serves_sixteen_data_and_lies_before_them() {
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        let run = unpack(text, &[(WHICH_UNPACKER, which_unpacker)], |before| {
            // Three rows of 16 data have three exponents, and of 16 bytes; the data behind them.
            before.formats(BFP8, BFP8);
            before.set(REG0_TileDescriptor_YDim, 3);
            before.set(ADDR_BASE_REG_1_Base, 0);
            (before.channel(0, 0).y, before.channel(0, 1).x) = (1, 31);
            before.bytes(BASE, &[0x70, 0x80, 0x90, 0xa0]);
            before.bytes(BASE + 16, &[0; 16]);
            before.bytes(BASE + 32, &[0x40; 32]);
        });
        run.check(|banks, _| {
            let rows = if which_unpacker == 0 { &mut banks.srca[0] } else { &mut banks.srcb[0] };
            (rows[0], rows[1]) = ([0x80; 16], [0x90; 16]);
        });
    }
    // 257 exponents have 272 bytes.
    let run = unpack(TEXTS[1], &[], |before| {
        before.formats(BFP8A, BFP8A);
        before.set(REG5_Tile_x_dim_cntx[0], 257 * 16);
        before.bytes(BASE, &[3]);
        before.bytes(BASE + 272, &[0x40; 16]);
    });
    run.check(|banks, _| banks.srca[0][0] = [3; 16]);
    // Of four bits the lower half of a byte comes first: 0xb is negative, and its magnitude one place short; 5 is
    // one and a quarter.
    for (no_section, exponent, address) in [(0, 0x81, BASE + 16), (1, 0x5b, BASE)] {
        for text in TEXTS {
            let run = unpack(text, &[], |before| {
                before.formats(BFP4, BFP4);
                before.columns(0, 1);
                before.set(REG0_TileDescriptor_NoBFPExpSection, no_section);
                before.bytes(BASE, &[0x81]);
                before.bytes(address, &[0x5b]);
            });
            run.check(|banks, _| {
                banks.srca[0][0][..2].copy_from_slice(&[0x6_0000 + exponent - 1, 0x1_0000 + exponent])
            });
        }
    }
    // NoBFPExpSection does nothing to BFP8.
    let run = unpack(SPEC, &[], |before| {
        before.formats(BFP8, BFP8);
        before.columns(0, 0);
        before.set(REG0_TileDescriptor_NoBFPExpSection, 1);
        before.bytes(BASE, &[0x81]);
        before.bytes(BASE + 16, &[0x40]);
    });
    run.check(|banks, _| banks.srca[0][0][0] = 0x81);
}

#[test]
fn data_of_two_bits_lie_from_the_lowest_on() {
    for text in TEXTS {
        // 1, minus infinity, minus 1, and 0.
        let run = unpack(text, &[], |before| {
            before.formats(BFP2, BFP2);
            before.columns(5, 8);
            before.set(REG2_Force_shared_exp, 1);
            before.set(FORCED_SHARED_EXP_shared_exp, 0x7f);
            before.bytes(BASE, &[0, 0b1110_0100, 0b0000_0000]);
        });
        run.check(|banks, _| banks.srca[0][0][..4].copy_from_slice(&[0x7f, 0x4_00ff, 0x4_007f, 0]));
    }
}

/// Compressed bytes of edition `spec`: two rows, whose row starts are `starts`.
fn compressed_run(fields: &[(CodeField, u32)], starts: [u16; 3], prepare: impl FnOnce(&mut Before<'_, '_>)) -> Run {
    unpack(SPEC, fields, |before| {
        before.set(REG2_Disable_zero_compress_cntx[0], 0);
        before.formats(INT8, INT8);
        before.set(REG0_TileDescriptor_YDim, 2);
        before.set(REG5_Tile_x_dim_cntx[0], 8);
        before.columns(0, 7);
        before.data_16(BASE, starts);
        // Three row starts have 16 bytes. Data count up; behind 32 are their counts of zeros.
        let bytes: Vec<u8> = (0..64).collect();
        before.bytes(BASE + 16, &bytes[..32]);
        before.bytes(BASE + 48, &[0; 16]);
        before.bytes(BASE + 64, &bytes[32..]);
        before.bytes(BASE + 96, &[0; 16]);
        prepare(before);
    })
}

/// Bytes in a source.
fn int8(bytes: &[u32]) -> Vec<u32> {
    bytes.iter().map(|&byte| if byte == 0 { 0 } else { byte << 8 | 16 }).collect()
}

#[test]
fn compressed_data_have_row_starts_and_counts_of_zeros() {
    let counts = |before: &mut Before<'_, '_>| {
        before.channel(0, 0).y = 1;
        // Two zeros behind datum 3, and one behind datum 4.
        before.bytes(BASE + 48, &[0, 0x20, 0x01]);
    };
    // A row as a whole.
    let run = compressed_run(&[], [0, 3, 5], counts);
    run.check(|banks, _| banks.srca[0][0][..5].copy_from_slice(&int8(&[3, 0, 0, 4, 0])));
    // With AllDatumsAreZero no zeros follow.
    let run = compressed_run(&[(ALL_DATUMS_ARE_ZERO, 1)], [0, 3, 5], counts);
    run.check(|banks, _| banks.srca[0][0][..2].fill(0));
    // Columns 1 to 3 of it.
    let run = compressed_run(&[], [0, 3, 5], |before| {
        counts(before);
        before.columns(1, 3);
    });
    run.check(|banks, _| banks.srca[0][0][..3].copy_from_slice(&int8(&[0, 0, 4])));
    // Columns 1 to 0 are none, and nothing is read.
    let run = compressed_run(&[], [0, 3, 5], |before| before.columns(1, 0));
    run.check(|_, _| ());
    // Both rows.
    let run = compressed_run(&[(ROW_SEARCH, 1)], [0, 3, 5], |before| {
        counts(before);
        (before.channel(0, 0).x, before.channel(0, 0).y) = (1, 0);
    });
    run.check(|banks, _| banks.srca[0][0][..8].copy_from_slice(&int8(&[0, 1, 2, 3, 0, 0, 4, 0])));
    // Across 32 data: behind them their counts are passed over.
    let run = compressed_run(&[], [0, 30, 34], |before| {
        before.channel(0, 0).y = 1;
        before.bytes(BASE + 48 + 15, &[0x01]);
        before.bytes(BASE + 96, &[0x01]);
    });
    run.check(|banks, _| banks.srca[0][0][..6].copy_from_slice(&int8(&[30, 0, 31, 32, 0, 33])));
    // From the second 32 on.
    let run = compressed_run(&[], [0, 33, 34], |before| before.channel(0, 0).y = 1);
    run.check(|banks, _| banks.srca[0][0][0] = 33 << 8 | 16);
}

#[test]
fn row_starts_of_blobs_and_planes() {
    // Three blobs a plane, two planes and two of these: 13 starts have 32 bytes. Plane 1 of W 1 has those from 9 on.
    let run = unpack(SPEC, &[(ROW_SEARCH, 1)], |before| {
        before.set(REG2_Disable_zero_compress_cntx[0], 0);
        before.formats(INT8, INT8);
        before.set(REG0_TileDescriptor_BlobsPerXYPlane, 3);
        before.set(REG0_TileDescriptor_YDim, 7);
        before.set(REG0_TileDescriptor_ZDim, 2);
        before.set(REG0_TileDescriptor_WDim, 2);
        (before.channel(1, 0).z, before.channel(1, 0).w) = (1, 1);
        (before.channel(0, 0).x, before.channel(0, 0).y) = (2, 1);
        before.data_16(BASE + 2 * (9 + 1), [4, 5, 6]);
        before.bytes(BASE + 32, &[1, 2, 3, 4, 5, 6, 7]);
        before.bytes(BASE + 64, &[0; 16]);
    });
    run.check(|banks, _| banks.srca[0][0][..2].copy_from_slice(&int8(&[5, 6])));
    // Without RowSearch planes have YDim rows all the same, though the starts have the room of blobs.
    let run = unpack(SPEC, &[], |before| {
        before.set(REG2_Disable_zero_compress_cntx[0], 0);
        before.formats(INT8, INT8);
        before.set(REG0_TileDescriptor_BlobsPerXYPlane, 1);
        before.set(REG0_TileDescriptor_YDim, 2);
        before.channel(1, 0).z = 1;
        before.data_16(BASE + 4, [1, 3]);
        before.bytes(BASE + 16, &[1, 2, 3]);
        before.bytes(BASE + 48, &[0; 16]);
    });
    run.check(|banks, _| banks.srca[0][0][..2].copy_from_slice(&int8(&[2, 3])));
}

#[test]
fn a_row_search_reads_a_row_or_a_blob() {
    // Without blobs it is a row from its begin on, and ends before X of channel 1.
    let run = unpack(SPEC, &[(ROW_SEARCH, 1)], |before| {
        before.set(REG0_TileDescriptor_YDim, 2);
        before.columns(9, 2);
        before.channel(0, 0).y = 1;
        before.data_16(BASE + 32, data(16));
    });
    run.check(|banks, _| banks.srca[0][0][..2].copy_from_slice(&row_in_src(0)[..2]));
    // Two blobs of 50 columns: from 0 to 32, and from 32 to 48.
    for (context, word) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        for (blob, rows) in [(0, vec![0, 16]), (1, vec![32])] {
            let run = unpack(SPEC, &[(ROW_SEARCH, 1), (CONTEXT_NUMBER, context)], |before| {
                let context = context as usize;
                before.set(REG2_Disable_zero_compress_cntx[context], 1);
                before.set(REG3_Base_cntx[context], 0x1000);
                before.set(REG5_Tile_x_dim_cntx[context], 50);
                before.set(REG5_Dest_cntx[context], 64);
                before.set(REG0_TileDescriptor_BlobsPerXYPlane, 2);
                blobs_y_start_cntx(Chip::Wormhole)[word].set(&mut before.tensix.small.config[0], 0x20);
                // Low bits of the counters choose.
                (before.channel(0, 0).x, before.channel(0, 0).y) = (8 + blob, 16 + blob);
                before.data_16(BASE, data(50));
            });
            run.check(|banks, _| {
                for (row, first) in rows.into_iter().enumerate() {
                    banks.srca[0][row] = row_in_src(first);
                }
            });
        }
    }
    // Otherwise starts are the descriptor's, and there are eight.
    let of_descriptor = |x| {
        unpack(SPEC, &[(ROW_SEARCH, 1), (WHICH_UNPACKER, 1)], |before| {
            before.set(REG0_TileDescriptor_XDim, 50);
            before.set(REG0_TileDescriptor_BlobsPerXYPlane, 1);
            before.set(REG2_Disable_zero_compress_cntx[0], 1);
            // Start 6 is 1, and start 7 is 2.
            before.set(REG0_TileDescriptor_BlobsYStart_Hi, 0x2100);
            (before.channel(0, 0).x, before.channel(0, 0).y) = (x, 6);
            before.data_16(BASE, data(50));
        })
    };
    of_descriptor(6).check(|banks, _| banks.srcb[0][0] = row_in_src(16));
    assert!(of_descriptor(7).is_unspecified());
}

#[test]
fn an_address_behind_the_fifo_is_one_fifo_earlier() {
    // Data lie from 0x10010 on; a row has 32 bytes, and on Blackhole 64.
    for text in TEXTS {
        for (limit, second_row) in [(0x1002, 0), (0x1003, 16), (0x1004, 16)] {
            let run = unpack(text, &[], |before| {
                before.data_16(BASE, data(64));
                before.set(REG2_Unpack_limit_address, limit);
                before.set(REG2_Unpack_fifo_size, 2);
                before.columns(0, 31);
            });
            // On Blackhole all 32 data are of one row.
            let second_row = text.0.pick(second_row, 16);
            run.check(|banks, _| (banks.srca[0][0], banks.srca[0][1]) = (row_in_src(0), row_in_src(second_row)));
        }
        // 64 bytes from the first on, and 64 earlier.
        let run = unpack(text, &[], |before| {
            before.data_16(BASE, data(64));
            before.set(REG2_Unpack_limit_address, 0x1004);
            before.set(REG2_Unpack_fifo_size, 4);
            before.columns(0, 47);
        });
        run.check(|banks, _| {
            for (row, first) in [0, 16, 0].into_iter().enumerate() {
                banks.srca[0][row] = row_in_src(first);
            }
        });
        // The first address itself, where the tile's second row of 16 data begins.
        let run = unpack(text, &[], |before| {
            before.data_16(BASE, data(64));
            before.set(REG0_TileDescriptor_YDim, 2);
            before.channel(0, 0).y = 1;
            before.set(REG2_Unpack_limit_address, 0x1002);
            before.set(REG2_Unpack_fifo_size, 1);
        });
        run.check(|banks, _| banks.srca[0][0] = row_in_src(8));
    }
}

#[test]
fn exponents_and_counts_of_zeros_wrap_as_data_do() {
    // 18 exponents have 32 bytes, of which the first 16 are the FIFO: the seventeenth is the first again. Data would
    // lie behind them, and are 16 bytes earlier, row for row.
    for text in TEXTS {
        let run = unpack(text, &[], |before| {
            before.formats(BFP8, BFP8);
            before.set(REG0_TileDescriptor_YDim, 18);
            before.set(REG2_Unpack_limit_address, 0x1001);
            before.set(REG2_Unpack_fifo_size, 1);
            before.columns(0, 271);
            let exponents: Vec<u8> = (0x70..0x80).collect();
            before.bytes(BASE, &exponents);
            before.bytes(BASE + 16, &[0x40; 16]);
        });
        run.check(|banks, _| {
            for (row, exponent) in (0x70..0x80).chain([0x70]).enumerate() {
                banks.srca[0][row] = [exponent; 16];
            }
        });
    }
    let run = compressed_run(&[], [0, 31, 33], |before| {
        before.channel(0, 0).y = 1;
        before.bytes(BASE + 96, &[0x0f]);
        // Counts of the second group would be there, and 64 earlier is the second row of data, where bytes count up.
        before.set(REG2_Unpack_limit_address, 0x1006);
        before.set(REG2_Unpack_fifo_size, 4);
    });
    // Datum 32 is at BASE + 64 still, and the count is 0 of the byte 16.
    run.check(|banks, _| banks.srca[0][0][..2].copy_from_slice(&int8(&[31, 32])));
}

#[test]
fn rows_that_do_not_adjoin_have_a_stride() {
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        // 0x120 bytes: two and one digit of it are configured.
        let per_row: u32 = text.0.pick(16, 32);
        let run = unpack(text, &[(WHICH_UNPACKER, which_unpacker)], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.set(REG2_Shift_amount_cntx[0], 2);
            before.set(REG2_Shift_amount_cntx[1], 1);
            before.columns(0, 63);
            before.data_16(BASE, data(64));
            before.data_16(BASE + 0x120, data(128).skip(64));
        });
        run.check(|banks, _| {
            let rows = if which_unpacker == 0 { &mut banks.srca[0] } else { &mut banks.srcb[0] };
            let firsts = if per_row == 32 { [0, 16, 64, 80] } else { [0, 64, 0, 0] };
            for (row, first) in firsts.into_iter().enumerate() {
                rows[row] = row_in_src(first);
            }
            if per_row == 16 {
                // The third and fourth lie where nothing was put: at 0x240 and 0x360.
                (rows[2], rows[3]) = ([0; 16], [0; 16]);
            }
        });
    }
    // The third digit counts 4096 bytes; of bytes, sixteen are a row on both chips.
    for text in TEXTS {
        let run = unpack(text, &[], |before| {
            before.formats(INT8, INT8);
            before.set(REG2_Tileize_mode, 1);
            before.set(REG2_Shift_amount_cntx[2], 1);
            before.columns(0, 31);
            before.bytes(BASE, &[1; 16]);
            before.bytes(BASE + 0x1000, &[2; 16]);
        });
        run.check(|banks, _| (banks.srca[0][0], banks.srca[0][1]) = ([0x110; 16], [0x210; 16]));
    }
}

#[test]
fn a_transposition_exchanges_rows_and_columns_of_sixteen() {
    for text in TEXTS {
        let run = unpack(text, &[], |before| {
            before.set(REG2_Haloize_mode, 1);
            before.columns(0, 31);
            before.data_16(BASE, data(32));
            before.set(REG5_Dest_cntx[0], (4 + 16 + 8) * 16);
        });
        // Rows 24 and 25 are columns 8 and 9 of the rows from 16 on.
        run.check(|banks, _| {
            for n in 0..16 {
                banks.srca[0][16 + n][8] = in_src(u32::try_from(n).expect("it is small"));
                banks.srca[0][16 + n][9] = in_src(u32::try_from(16 + n).expect("it is small"));
            }
        });
    }
}

#[test]
fn an_unpack_to_dst_writes_whole_rows_or_valid_ones() {
    for text in TEXTS {
        let has_left_srca_open = if NEWEST.contains(&text) { 1024 } else { 0 };
        // Two rows, of which one is not valid.
        let of_16_bits = unpack(text, &[], |before| {
            before.aim_at_dst();
            before.columns(0, 31);
            before.data_16(BASE, data(32));
            before.set(ADDR_BASE_REG_1_Base, 9 * 32);
            before.tensix.banks_unmarked().dst_row_valid[10] = 0;
        });
        // Row 9 and that of the context are added.
        of_16_bits.check(|banks, _| {
            (banks.dst[9], banks.dst[10]) = (row_in_dst(0), row_in_dst(16));
            banks.dst_row_valid[10] = 1;
        });
        assert_eq!(of_16_bits.open, has_left_srca_open);
        // Row 9 of 32 bits is rows 17 and 25 of 16, and its mark is that of row 17.
        let of_32_bits = unpack(text, &[], |before| {
            before.aim_at_dst();
            before.formats(FP32, FP32);
            before.bytes(BASE, &0x4049_0fdb_u32.to_le_bytes().repeat(16));
            before.set(ADDR_BASE_REG_1_Base, 9 * 64);
            before.tensix.banks_unmarked().dst_row_valid[17] = 0;
            before.tensix.banks_unmarked().dst_row_valid[25] = 0;
        });
        of_32_bits.check(|banks, _| {
            (banks.dst[17], banks.dst[25]) = ([0x4980; 16], [0x0fdb; 16]);
            banks.dst_row_valid[17] = 1;
        });
        // A part of a row.
        for is_valid in [0, 1] {
            let part = unpack(text, &[], |before| {
                before.aim_at_dst();
                before.columns(0, 14);
                before.data_16(BASE, data(16));
                before.set(ADDR_BASE_REG_1_Base, 0);
                before.tensix.banks_unmarked().dst_row_valid[0] = is_valid;
            });
            if is_valid == 1 {
                part.check(|banks, _| banks.dst[0][..15].copy_from_slice(&row_in_dst(0)[..15]));
            } else {
                assert!(part.is_undefined());
            }
        }
        // Ten bits of the row count, and nothing is left open if nothing is written.
        let beyond = unpack(text, &[], |before| {
            before.aim_at_dst();
            before.data_16(BASE, data(16));
            before.set(ADDR_BASE_REG_1_Base, 1025 * 32);
        });
        beyond.check(|banks, _| banks.dst[1] = row_in_dst(0));
    }
    // On Blackhole addresses can be remapped: row 8 is row 32.
    let run = unpack(TEXTS[3], &[], |before| {
        before.aim_at_dst();
        before.data_16(BASE, data(16));
        before.set(ADDR_BASE_REG_1_Base, 8 * 32);
        before.tensix.small.dest_access_cfg = 2;
    });
    run.check(|banks, _| banks.dst[32] = row_in_dst(0));
}

#[test]
fn zeros_are_put_between_data() {
    // One, three or seven behind each of two data.
    for (rate, zeros) in [(0, 0), (1, 1), (2, 3), (3, 7)] {
        for interleave in [false, true] {
            let run = unpack(SPEC, &[], |before| {
                before.columns(0, 1);
                before.data_16(BASE, data(2));
                before.set(REG2_Upsample_rate, rate);
                before.set(REG2_Upsample_and_interleave, interleave.into());
            });
            run.check(|banks, _| {
                let row = &mut banks.srca[0][0];
                if !interleave {
                    row[..2 * (zeros + 1)].fill(0);
                }
                (row[0], row[zeros + 1]) = (in_src(0), in_src(1));
            });
        }
    }
    for text in TEXTS {
        let run = unpack(text, &[(ALL_DATUMS_ARE_ZERO, 1)], |before| before.data_16(BASE, data(16)));
        run.check(|banks, _| banks.srca[0][0] = [0; 16]);
    }
}

#[test]
fn a_shift_drops_columns() {
    let run = unpack(SPEC, &[], |before| {
        before.data_16(BASE, data(16));
        before.set(REG2_Shift_amount_cntx[0], 3);
        // The first four rows are passed over too.
        before.columns(0, 31);
        before.set(REG5_Dest_cntx[0], 48);
        before.data_16(BASE + 32, data(16));
    });
    run.check(|banks, _| banks.srca[0][0][..13].copy_from_slice(&row_in_src(0)[3..]));
}

#[test]
fn a_context_is_that_of_the_code_or_of_the_counter_and_has_its_own_configuration() {
    for (text, context) in TEXTS.into_iter().flat_map(|text| (0..8).map(move |context| (text, context))) {
        // On the older page the number of the code counts as well, in three bits.
        let (number, offset) = if text == SPEC { (6, (context + 2) % 8) } else { (0, context) };
        let run = unpack(text, &[(CONTEXT_NUMBER, number)], |before| {
            let (of_eight, of_four) = (context as usize, context as usize % 4);
            before.set(REG2_Disable_zero_compress_cntx[0], 0);
            before.set(REG2_Disable_zero_compress_cntx[of_eight], 1);
            // Unpack_data_format: a byte, and only with the flag.
            before.set(REG2_Ovrd_data_format, 1);
            before.set(REG7_Unpack_data_format_cntx[of_eight], INT8);
            before.set(REG7_Unpack_out_data_format_cntx[of_eight], INT8);
            // 0x1000 + 0x20 + 1 + 3, in 16 bytes.
            before.set(REG3_Base_address, 0);
            before.set(REG3_Base_cntx[of_eight], 0x1000);
            before.set(REG7_Offset_cntx[of_four], 0x20);
            before.set(REG0_TileDescriptor_DigestSize, 3);
            before.set(REG5_Tile_x_dim_cntx[0], 0);
            before.set(REG5_Tile_x_dim_cntx[of_four], 40);
            before.set(REG0_TileDescriptor_YDim, 2);
            before.channel(0, 0).y = 1;
            before.set(REG5_Dest_cntx[0], 64);
            before.set(REG5_Dest_cntx[of_four], (4 + 2 + context) * 16);
            before.thread_set(OFFSETS[0], offset);
            before.bytes(0x1_0240 + 40, &[7; 16]);
        });
        run.check(|banks, _| banks.srca[0][2 + context as usize] = [0x710; 16]);
    }
    // The second Unpacker has two contexts, the descriptor's XDim, and no address of its own.
    for text in TEXTS {
        let run = unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
            before.thread_set(OFFSETS[1], 1);
            before.thread_set(OFFSETS[0], 5);
            before.set(REG2_Disable_zero_compress_cntx[1], 1);
            before.set(REG3_Base_cntx[1], 0x1000);
            before.set(REG5_Tile_x_dim_cntx[1], 77);
            before.set(REG5_Dest_cntx[1], 77);
            before.set(REG0_TileDescriptor_YDim, 2);
            before.channel(0, 0).y = 1;
            before.data_16(BASE + 32, data(16));
        });
        run.check(|banks, _| banks.srcb[0][0] = row_in_src(0));
    }
    // Without contexts there are the descriptor, the first addresses, and the thread's ADCs; the number does not count.
    let none = |is_uncompressed, to_dst| {
        unpack(SPEC, &[(MULTI_CONTEXT_MODE, 0), (CONTEXT_NUMBER, 5), (CONTEXT_ADC, 3)], |before| {
            before.thread_set(OFFSETS[0], 5);
            before.set(REG0_TileDescriptor_IsUncompressed, is_uncompressed);
            before.set(REG2_Disable_zero_compress_cntx[0], 1 - is_uncompressed);
            before.set(REG0_TileDescriptor_XDim, 20);
            before.set(REG2_Ovrd_data_format, 1);
            before.set(REG7_Unpack_data_format_cntx[0], INT8);
            before.columns(99, 98);
            (before.channel(1, 0).x, before.channel(1, 1).x, before.channel(1, 0).y) = (0, 15, 1);
            before.set(REG0_TileDescriptor_YDim, 2);
            before.set(ADDR_BASE_REG_1_Base, 6 * 32);
            before.data_16(BASE + 40, data(16));
            if to_dst {
                before.aim_at_dst();
                before.set(REG2_Unpack_if_sel_cntx[0], 0);
            } else {
                before.set(REG2_Unpack_if_sel_cntx[0], 1);
            }
        })
    };
    none(1, false).check(|banks, _| banks.srca[0][2] = row_in_src(0));
    none(1, true).check(|banks, _| banks.dst[2] = row_in_dst(0));
    // With a counter, which goes on behind the last of four, and the ADC of the code, which is added to as the thread's
    // is.
    let fields = &[(USE_CONTEXT_COUNTER, 1), (CONTEXT_NUMBER, 5), (CONTEXT_ADC, 2), (CH0_Y_INC, 3)];
    for (counter, offset, next) in [(1, 1, 3), (3, 0, 0), (7, 3, 3), (6, 7, 0)] {
        let run = unpack(SPEC, fields, |before| {
            let context = (counter + offset) as usize % 8;
            before.tensix.small.unpackers_context_counter = [[1, counter, 2], [3, 4, 5]];
            before.thread_set(OFFSETS[0], offset);
            before.set(REG2_Context_count, 2);
            before.set(REG2_Disable_zero_compress_cntx[context], 1);
            before.set(REG3_Base_cntx[context], 0x1000);
            before.set(REG5_Dest_cntx[context % 4], 64);
            before.columns(99, 98);
            (before.channel(2, 0).x, before.channel(2, 1).x) = (0, 15);
            before.data_16(BASE, data(16));
        });
        run.check(|banks, small| {
            banks.srca[0][0] = row_in_src(0);
            small.unpackers_context_counter[0][1] = next;
            (small.adcs[1].unpacker[0][0].y, small.adcs[2].unpacker[0][0].y) = (3, 3);
        });
    }
}

#[test]
fn a_thread_has_a_bank_of_the_configuration() {
    for text in TEXTS {
        let run = unpack(text, &[], |before| {
            config::CFG_STATE_ID_StateID.set(&mut before.tensix.small.thread_config[1], 1);
            let chip = before.chip;
            REG5_Dest_cntx[0].set(chip, 0, &mut before.tensix.small.config[1], 64 + 16 * 9);
            before.data_16(BASE, data(16));
        });
        run.check(|banks, _| banks.srca[0][9] = row_in_src(0));
    }
}

#[test]
fn counters_advance_in_their_widths() {
    let fields = &[(CH0_Y_INC, 1), (CH0_Z_INC, 2), (CH1_Y_INC, 3), (CH1_Z_INC, 1)];
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        let widest = text.0.pick(0xff, 0x1fff);
        let run = unpack(text, &[&fields[..], &[(WHICH_UNPACKER, which_unpacker)]].concat(), |before| {
            // Nothing is read.
            before.columns(4, 3);
            before.set(REG0_TileDescriptor_YDim, 0);
            for (thread, y, z) in [(0, 0x1fff, widest), (1, 0x1fff, widest), (2, 7, 7)] {
                (before.channel(thread, 0).y, before.channel(thread, 0).z) = (y, z);
                (before.channel(thread, 1).y, before.channel(thread, 1).z) = (y, z);
            }
        });
        // Thread 1 counts, and ADC 0 of the context.
        run.check(|_, small| {
            for thread in [0, 1] {
                let [ch0, ch1] = &mut small.adcs[thread].unpacker[which_unpacker as usize];
                (ch0.y, ch0.z, ch1.y, ch1.z) = (0, 1, 2, 0);
            }
        });
    }
    // An ADC that is the thread's counts once.
    let run = unpack(SPEC, &[&fields[..], &[(CONTEXT_ADC, 1)]].concat(), |before| before.columns(4, 3));
    run.check(|_, small| {
        let [ch0, ch1] = &mut small.adcs[1].unpacker[0];
        (ch0.y, ch0.z, ch1.y, ch1.z) = (1, 2, 3, 1);
    });
}

#[test]
fn a_flip_gives_the_bank_away_and_begins_the_other() {
    for (text, which_unpacker) in TEXTS.into_iter().flat_map(|text| [(text, 0), (text, 1)]) {
        let of = |fields: &[(CodeField, u32)], update, bank| {
            unpack(text, &[fields, &[(WHICH_UNPACKER, which_unpacker)]].concat(), |before| {
                before.columns(4, 3);
                before.thread_set(SRCA_BASE, 3);
                before.thread_set(SRCB_BASE, 2);
                before.set(REG2_Unpack_Src_Reg_Set_Upd, update);
                before.tensix.small.unpackers_src_row = [[1, 2, 3], [4, 5, 6]];
                before.tensix.small.unpackers_src_bank[which_unpacker as usize] = bank;
                // It is no matter whose it is.
                before.tensix.small.srca_allowed_client = [UNPACKERS; 2];
                before.tensix.small.srcb_allowed_client = [UNPACKERS; 2];
            })
        };
        for bank in 0..2 {
            let given = bank as usize;
            of(&[(FLIP_SRC, 1)], 1, bank).check(|_, small| {
                let format = text.0.pick(0, BF16);
                if which_unpacker == 0 {
                    small.srca_allowed_client[given] = MATRIX_UNIT;
                    small.implied_srca_fmt[given] = format;
                    small.unpackers_src_row[0][1] = 48;
                } else {
                    small.srcb_allowed_client[given] = MATRIX_UNIT;
                    small.implied_srcb_fmt[given] = format;
                    small.unpackers_src_row[1][1] = 32;
                }
                small.unpackers_src_bank[which_unpacker as usize] = 1 - bank;
            });
        }
        // 2 + 16 + 48 in six bits, or 5 + 16 + 32.
        of(&[], 1, 0).check(|_, small| {
            if which_unpacker == 0 {
                small.unpackers_src_row[0][1] = 2;
            } else {
                small.unpackers_src_row[1][1] = 53;
            }
        });
        of(&[], 0, 0).check(|_, _| ());
    }
}

#[test]
fn a_bank_that_is_not_the_unpackers_holds_the_instruction() {
    for text in TEXTS {
        for (which_unpacker, to_dst) in [(0, false), (0, true), (1, false)] {
            for (bank, is_held) in [(0, false), (1, true)] {
                let fields = &[(WHICH_UNPACKER, which_unpacker), (FLIP_SRC, 1), (CH0_Y_INC, 1)];
                let run = unpack(text, fields, |before| {
                    before.data_16(BASE, data(16));
                    if to_dst {
                        before.aim_at_dst();
                    }
                    before.tensix.small.unpackers_src_bank[which_unpacker as usize] = bank;
                });
                if is_held {
                    assert!(matches!(run.promise, Expectation::Blocked(_)));
                    assert_eq!(run.after.1, run.before.1);
                    assert!(run.after.0.srca == run.before.0.srca && run.after.0.srcb == run.before.0.srcb);
                    assert!(run.after.0.dst == run.before.0.dst);
                } else {
                    assert_eq!(run.promise, Expectation::Done);
                }
            }
        }
        // It is held before it reads beyond the windows.
        let run = unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
            before.tensix.small.unpackers_src_bank[1] = 1;
            before.columns(0, 31);
            before.set(REG3_Base_address, 0x13fd);
        });
        assert!(matches!(run.promise, Expectation::Blocked(_)));
        // Who writes nothing waits for nothing.
        let run = unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
            before.tensix.small.unpackers_src_bank[1] = 1;
            before.columns(4, 3);
        });
        run.check(|_, _| ());
    }
}

#[test]
fn a_burst_begins_at_a_multiple_of_its_rows() {
    // Format, Throttle_mode, whether Blackhole's own speed is overridden, and the rows of a burst on both chips.
    let bursts = [
        (BF16, 0, true, 1, 1),
        (BF16, 1, true, 1, 1),
        (BF16, 2, true, 2, 4),
        (BF16, 0, false, 1, 4),
        (INT8, 0, true, 1, 1),
        (INT8, 1, true, 2, 2),
        (INT8, 2, true, 4, 4),
        (INT8, 2, false, 4, 8),
        (BFP4, 0, true, 2, 2),
        (BFP4, 2, true, 8, 8),
        (BFP4, 0, false, 2, 8),
        (BFP2, 2, true, 4, 4),
        (BFP2, 0, false, 4, 4),
        (FP32, 2, true, 1, 2),
        (FP32, 0, false, 1, 2),
        (FP32, 0, true, 1, 1),
    ];
    for (format, mode, is_overridden, wormhole, blackhole) in bursts {
        for (text, row) in NEWEST.into_iter().flat_map(|text| (0..9).map(move |row| (text, row))) {
            let of = |text, last| {
                unpack(text, &[], |before| {
                    before.formats(format, if format == FP32 { TF32 } else { format });
                    before.set(REG2_Throttle_mode, mode);
                    before.columns(0, last);
                    before.set(REG5_Dest_cntx[0], (4 + row) * 16);
                    blackhole::THCON_SEC0_REG1_ovrd_default_throttle_mode
                        .set(&mut before.tensix.small.config[0], is_overridden.into());
                })
            };
            let rows = text.0.pick(wormhole, blackhole);
            if row.is_multiple_of(rows) {
                assert_eq!(of(text, 16).promise, Expectation::Done, "{format} {mode} {row}");
            } else {
                assert!(of(text, 16).is_unspecified(), "{format} {mode} {row} {rows}");
            }
            // A row and less is no matter, and the older page says nothing of it.
            assert_eq!(of(text, 15).promise, Expectation::Done);
            assert_eq!(of(SPEC, 16).promise, Expectation::Done);
        }
    }
    // Rows that do not adjoin go at the speed of four: two rows of BF16 on Wormhole, and four on Blackhole.
    for (text, row) in NEWEST.into_iter().flat_map(|text| (0..4).map(move |row| (text, row))) {
        let run = unpack(text, &[], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.columns(0, 31);
            before.set(REG5_Dest_cntx[0], (4 + row) * 16);
        });
        assert_eq!(run.is_unspecified(), row % text.0.pick(2, 4) != 0);
    }
    // Of SrcB and Dst nothing is said.
    for text in NEWEST {
        let srcb = unpack(text, &[(WHICH_UNPACKER, 1)], |before| {
            before.columns(0, 31);
            before.set(ADDR_BASE_REG_1_Base, 32);
            before.set(REG2_Throttle_mode, 2);
        });
        assert_eq!(srcb.promise, Expectation::Done);
        let dst = unpack(text, &[], |before| {
            before.aim_at_dst();
            before.columns(0, 31);
            before.set(ADDR_BASE_REG_1_Base, 32);
            before.set(REG2_Throttle_mode, 2);
        });
        assert_eq!(dst.promise, Expectation::Done);
    }
}

/// What promises nothing: its name, the pages that it is so by, fields of the code, and what is prepared.
type Case = (&'static str, fn(Text) -> bool, &'static [(CodeField, u32)], fn(&mut Before<'_, '_>));

fn always(_: Text) -> bool {
    true
}

fn is_spec(text: Text) -> bool {
    text == SPEC
}

fn is_newest(text: Text) -> bool {
    text != SPEC
}

#[test]
fn what_the_pages_call_undefined_promises_nothing() {
    let cases: &[Case] = &[
        ("context_2_of_the_second", always, &[(WHICH_UNPACKER, 1)], |before| before.thread_set(OFFSETS[1], 2)),
        ("adc_3", is_spec, &[(CONTEXT_ADC, 3)], |_| ()),
        ("a_format_without_a_name", always, &[], |before| before.formats(12, 12)),
        ("another_format_without_a_name", always, &[], |before| before.formats(13, 13)),
        ("below_l1", always, &[], |before| {
            before.set(REG2_Unpack_limit_address, 0);
            before.set(REG2_Unpack_fifo_size, 0x1002);
        }),
        ("behind_l1", always, &[], |before| before.set(REG3_Base_address, 0x1_7fff)),
        ("half_of_16_bits", always, &[(WHICH_UNPACKER, 1)], |before| before.set(ADDR_BASE_REG_1_Base, 1)),
        ("half_of_32_bits", always, &[(WHICH_UNPACKER, 1)], |before| {
            before.formats(FP32, TF32);
            before.set(ADDR_BASE_REG_1_Base, 2);
        }),
        ("begins_beyond", is_newest, &[], |before| before.columns(4096, 4095)),
        ("ends_beyond", is_newest, &[], |before| before.columns(4090, 4096)),
        ("ends_beyond_8192", is_newest, &[], |before| {
            before.formats(INT8, INT8);
            before.columns(8190, 8192);
        }),
        ("ends_before", is_newest, &[], |before| before.columns(4, 2)),
        ("half_bytes_that_do_not_adjoin", is_newest, &[], |before| {
            before.formats(BFP4, BFP4);
            before.set(REG2_Tileize_mode, 1);
        }),
        ("transposed_from_elsewhere", always, &[], |before| {
            before.set(REG2_Haloize_mode, 1);
            before.columns(1, 15);
        }),
        ("not_adjoining_from_elsewhere", always, &[], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.columns(1, 15);
        }),
        ("not_adjoining_with_zeros", is_spec, &[], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.set(REG2_Upsample_rate, 1);
        }),
        ("not_adjoining_and_compressed", is_spec, &[], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.set(REG2_Disable_zero_compress_cntx[0], 0);
        }),
        ("transposed_to_dst", always, &[], |before| {
            before.aim_at_dst();
            before.set(REG2_Haloize_mode, 1);
        }),
        ("shifted_to_dst", is_spec, &[], |before| {
            before.aim_at_dst();
            before.set(REG2_Shift_amount_cntx[0], 1);
        }),
        ("to_dst_with_a_row", always, &[], |before| {
            before.aim_at_dst();
            before.thread_set(SET_OVRD, 1);
        }),
        (
            "speed_of_eight",
            |text| is_newest(text) && text.0 == Chip::Wormhole,
            &[],
            |before| before.set(REG2_Throttle_mode, 3),
        ),
    ];
    for (name, is_so, fields, prepare) in cases {
        for text in TEXTS.into_iter().filter(|text| is_so(*text)) {
            let promise = unpack(text, fields, prepare).promise;
            assert!(matches!(promise, Expectation::Undefined(_)), "{name}: {text:?} {promise:?}");
        }
    }
}

#[test]
fn what_the_pages_do_not_support_promises_nothing() {
    let cases: &[Case] = &[
        ("row_search", is_newest, &[(ROW_SEARCH, 1)], |_| ()),
        ("counter", is_newest, &[(USE_CONTEXT_COUNTER, 1)], |_| ()),
        ("no_contexts", is_newest, &[(MULTI_CONTEXT_MODE, 0)], |_| ()),
        ("adc_of_the_context", is_newest, &[(CONTEXT_ADC, 1)], |_| ()),
        ("number_of_the_context", is_newest, &[(CONTEXT_NUMBER, 1)], |_| ()),
        ("compressed", is_newest, &[], |before| before.set(REG2_Disable_zero_compress_cntx[0], 0)),
        ("part_of_a_row", is_newest, &[], |before| before.set(REG5_Dest_cntx[0], 65)),
        ("first_rows", is_newest, &[], |before| before.set(REG5_Dest_cntx[0], 48)),
        ("part_of_a_row_of_srcb", is_newest, &[(WHICH_UNPACKER, 1)], |before| before.set(ADDR_BASE_REG_1_Base, 2)),
        ("zeros", is_newest, &[], |before| before.set(REG2_Upsample_rate, 1)),
        ("places", is_newest, &[], |before| before.set(REG2_Upsample_and_interleave, 1)),
        ("shift", is_newest, &[], |before| before.set(REG2_Shift_amount_cntx[0], 1)),
        ("no_row", is_newest, &[], |before| before.thread_set(SET_OVRD, 0)),
        ("no_row_of_srcb", is_newest, &[(WHICH_UNPACKER, 1)], |before| before.thread_set(SET_OVRD, 0)),
        ("transposition_of_the_second", always, &[(WHICH_UNPACKER, 1)], |before| before.set(REG2_Haloize_mode, 1)),
        ("outside_of_windows", always, &[], |before| before.set(REG3_Base_address, 0xffe)),
        ("without_end", is_spec, &[(WHICH_UNPACKER, 1)], |before| {
            before.set(REG2_Tileize_mode, 1);
            before.columns(16, 14);
        }),
        ("more_exponents_than_an_int", always, &[], |before| {
            before.formats(BFP8, BFP8);
            before.set(REG5_Tile_x_dim_cntx[0], 0x8000);
            before.set(REG0_TileDescriptor_YDim, 0xff);
            before.set(REG0_TileDescriptor_ZDim, 0xff);
            before.set(REG0_TileDescriptor_WDim, 2);
        }),
        ("exponents_beyond_32_bits", always, &[], |before| {
            before.formats(BFP8, BFP8);
            before.set(REG3_Base_address, 0x0fff_fffe);
        }),
    ];
    for (name, is_so, fields, prepare) in cases {
        for text in TEXTS.into_iter().filter(|text| is_so(*text)) {
            let promise = unpack(text, fields, prepare).promise;
            let is_none = matches!(promise, Expectation::Unspecified(_) | Expectation::Unsupported(_));
            assert!(is_none, "{name}: {text:?} {promise:?}");
        }
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for text in TEXTS {
        for bit in [0, 5, 14] {
            assert!(unpack(text, &[(CodeField { shift: bit, width: 1, ..ROW_SEARCH }, 1)], |_| ()).is_unspecified());
        }
    }
}

#[test]
fn flushing_the_cache_changes_nothing() {
    for text in TEXTS {
        for (which_unpacker, mode) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let fields = &[(WHICH_UNPACKER, which_unpacker), (MULTI_CONTEXT_MODE, mode)];
            execute("UNPACR_FLUSH_CACHE", text, fields, |_| ()).check(|_, _| ());
        }
        let bit = CodeField { shift: 4, width: 1, ..ROW_SEARCH };
        assert!(execute("UNPACR_FLUSH_CACHE", text, &[(bit, 1)], |_| ()).is_unspecified());
    }
}

#[test]
fn the_context_counter_goes_round() {
    for text in TEXTS {
        for (count, counter) in (0..4).flat_map(|count| (0..8).map(move |counter| (count, counter))) {
            for which_unpacker in 0..2 {
                let of = [(WHICH_UNPACKER, which_unpacker)];
                let run = execute("UNPACR_INCREMENT_CONTEXT_COUNTER", text, &of, |before| {
                    config::CFG_STATE_ID_StateID.set(&mut before.tensix.small.thread_config[1], 1);
                    let chip = before.chip;
                    REG2_Context_count.set(chip, which_unpacker as usize, &mut before.tensix.small.config[1], count);
                    before.tensix.small.unpackers_context_counter[which_unpacker as usize][1] = counter;
                });
                let next = if counter + 1 < 1 << count { counter + 1 } else { 0 };
                run.check(|_, small| small.unpackers_context_counter[which_unpacker as usize][1] = next);
            }
        }
        let bit = CodeField { shift: 7, width: 1, ..ROW_SEARCH };
        assert!(execute("UNPACR_INCREMENT_CONTEXT_COUNTER", text, &[(bit, 1)], |_| ()).is_unspecified());
    }
}
