//! Public reports about the Unpackers, each as a case: a word, a state, and what the page gives. What was reported and
//! what was concluded is in `reports/unpackers.md`.

use std::collections::BTreeMap;

use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP16, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::{BLACKHOLE, Chip, WORMHOLE};
use tandem_isa::{Edition, Expectation, Reference, State, Step};
use tandem_reference::tensix::TensixReference;

/// A chip, and an edition of its page.
type Text = (Chip, Edition);

const OLDER: Text = (Chip::Wormhole, Edition::Spec);
const NEWER: Text = (Chip::Wormhole, Edition::Newest);
const OF_BLACKHOLE: Text = (Chip::Blackhole, Edition::Newest);
const TEXTS: [Text; 3] = [OLDER, NEWER, OF_BLACKHOLE];

/// `UNPACR` of the first Unpacker with `MultiContextMode` alone.
const UNPACR: u32 = 0x4200_0080;
/// The same with a `Ch0ZInc` of 1.
const UNPACR_CH0_Z_INC_1: u32 = 0x4200_8080;

/// What all cases have, beside the base state: one row of 16 data, not compressed, from byte 16 of L1 to row 0 of
/// `SrcA[0]`.
const COMMON: &[(&str, u32)] = &[
    ("SrcA[0].AllowedClient", 1),
    ("Config[0].THCON_SEC0_REG0_TileDescriptor_YDim", 1),
    ("Config[0].THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1),
    ("Config[0].THCON_SEC0_REG2_Unpack_limit_address", 0x1_ffff),
    ("Config[0].THCON_SEC0_REG5_Tile_x_dim_cntx0", 16),
    (DEST_CNTX0, 64),
    (SET_OVRD, 1),
    (LAST_X, 15),
];
const IN_DATA_FORMAT: &str = "Config[0].THCON_SEC0_REG0_TileDescriptor_InDataFormat";
const OUT_DATA_FORMAT: &str = "Config[0].THCON_SEC0_REG2_Out_data_format";
const DEST_CNTX0: &str = "Config[0].THCON_SEC0_REG5_Dest_cntx0_address";
const SET_OVRD: &str = "ThreadConfig[0].SRCA_SET_SetOvrdWithAddr";
const LAST_X: &str = "ADCs[0].Unpacker[0].Channel[1].X";
const Z_DIM: &str = "Config[0].THCON_SEC0_REG0_TileDescriptor_ZDim";
const Z: &str = "ADCs[0].Unpacker[0].Channel[0].Z";
const W: &str = "ADCs[0].Unpacker[0].Channel[0].W";

/// What an instruction was promised, and what it changed: rows as `SrcA[0][3]`, and fields, by name.
struct Run {
    promise: Expectation,
    changes: BTreeMap<String, Vec<u32>>,
}

/// Executes a word in the base state with `COMMON`, with fields and with rows of L1: the window, the row and its bytes,
/// of which those that are left out are 0.
fn run((chip, edition): Text, word: u32, fields: &[(&str, u32)], l1: &[(usize, usize, &[u8])]) -> Run {
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let instruction = isa.instruction("UNPACR_REGULAR").expect("both chips have it");
    let mut state = isa.base_state();
    for (name, value) in COMMON.iter().chain(fields) {
        isa.layout.field_named(name).unwrap_or_else(|| panic!("{name}")).set(&mut state.small, *value);
    }
    let windows = isa.layout.bank_named("L1Windows").expect("L1 is shown");
    for (window, row, bytes) in l1 {
        let of_row = state.row_mut(windows, window * 16 + row);
        of_row[..bytes.len()].copy_from_slice(bytes);
    }
    let mut before = isa.base_state();
    before.copy_from(&state);
    let promise = TensixReference.execute(&Step { instruction, edition, code: &[word] }, &mut state);
    Run { promise, changes: changes(&before, &state) }
}

fn changes(before: &State, after: &State) -> BTreeMap<String, Vec<u32>> {
    let layout = before.layout;
    let mut changes = BTreeMap::new();
    for (index, bank) in layout.banks.iter().enumerate() {
        for row in (0..bank.rows()).filter(|&row| before.row(index, row) != after.row(index, row)) {
            changes.insert(bank.row_name(row), bank.words_of(after.row(index, row)));
        }
    }
    for field in (layout.fields)().iter().filter(|field| field.get(&before.small) != field.get(&after.small)) {
        changes.insert(field.name.clone(), vec![field.get(&after.small)]);
    }
    changes
}

impl Run {
    /// Whether this was promised, and nothing else changed.
    #[track_caller]
    fn gives<const N: usize>(&self, expected: [(&str, Vec<u32>); N]) {
        assert_eq!(self.promise, Expectation::Done);
        assert_eq!(self.changes, expected.map(|(name, words)| (name.to_string(), words)).into());
    }

    /// Whether nothing is promised: the outcome, the page's commit, and the lines that say so.
    #[track_caller]
    fn promises_nothing(&self, name: &str, commit: &str, place: &str) {
        let citation = self.promise.citation().expect("it is not promised");
        assert_eq!((self.promise.name(), &citation.page.commit[..8], citation.place), (name, commit, place));
    }

    /// Whether it is undefined: by these lines of the page at 1391ed25, or by those at d0ade26a.
    #[track_caller]
    fn is_undefined(&self, text: Text, older: &str, newer: &str) {
        let (commit, place) = if text == OLDER { ("1391ed25", older) } else { ("d0ade26a", newer) };
        self.promises_nothing("undefined", commit, place);
    }
}

fn formats(input: u32, output: u32) -> [(&'static str, u32); 2] {
    [(IN_DATA_FORMAT, input), (OUT_DATA_FORMAT, output)]
}

/// Sixteen words, of which the first few go round.
fn round(words: &[u32]) -> Vec<u32> {
    words.iter().copied().cycle().take(16).collect()
}

/// BF16 from 1.0 on, each the next, as eight data to a row of L1; and what sixteen of them are in a source.
fn counting_up(row: u16) -> Vec<u8> {
    (0..8).flat_map(|n| (0x3f80 + 8 * row + n).to_le_bytes()).collect()
}

fn counted(row: u32) -> Vec<u32> {
    (0..16).map(|n| (16 * row + n) << 11 | 0x7f).collect()
}

#[test]
fn tt_metal_44308_row_64_of_srca_is_row_0_on_blackhole_and_undefined_on_wormhole() {
    let rows: Vec<Vec<u8>> = (0..10).map(counting_up).collect();
    let l1: Vec<(usize, usize, &[u8])> = rows.iter().enumerate().map(|(n, row)| (0, 1 + n, &row[..])).collect();
    let from = |text, row: u32, count: u32| {
        let place = [(DEST_CNTX0, (4 + row) * 16), (LAST_X, 16 * count - 1)];
        run(text, UNPACR, &[formats(BF16, BF16), place].concat(), &l1)
    };
    from(OLDER, 64, 1).is_undefined(OLDER, "line 344", "");
    from(NEWER, 64, 1).is_undefined(NEWER, "", "line 416");
    from(OF_BLACKHOLE, 64, 1).gives([("SrcA[0][0]", counted(0))]);
    // Five rows from row 60 on: a burst has four rows, and begins at a multiple of four.
    from(OF_BLACKHOLE, 60, 5).gives([
        ("SrcA[0][60]", counted(0)),
        ("SrcA[0][61]", counted(1)),
        ("SrcA[0][62]", counted(2)),
        ("SrcA[0][63]", counted(3)),
        ("SrcA[0][0]", counted(4)),
    ]);
    // From a row between, a burst goes across the border of sixteen rows.
    from(OF_BLACKHOLE, 63, 5).promises_nothing("unsupported", "d0ade26a", "lines 324-346");
    from(OF_BLACKHOLE, 14, 5).promises_nothing("unsupported", "d0ade26a", "lines 324-346");
}

#[test]
fn tt_metal_47219_a_sign_without_magnitude_in_bfp_is_minus_infinity() {
    // Minus infinity as BF16 has it (0xff80), zero, one and minus one: a sign, a mantissa, and an exponent at bit 0.
    let expected = round(&[0x4_00ff, 0, 0x7f, 0x4_007f]);
    let eights: Vec<u8> = [0x80, 0x00, 0x40, 0xc0].repeat(4);
    let fours: Vec<u8> = [0x08, 0xc4].repeat(4);
    let twos: Vec<u8> = [0xd2].repeat(4);
    for text in TEXTS {
        for (format, data) in [(BFP8, &eights), (BFP4, &fours), (BFP2, &twos)] {
            let run = run(text, UNPACR, &formats(format, format), &[(0, 1, &[0x7f]), (0, 2, data)]);
            run.gives([("SrcA[0][0]", expected.clone())]);
        }
    }
}

#[test]
fn tt_metal_46268_bfp4_and_bfp2_have_one_format_on_both_sides_and_become_bf16() {
    for text in TEXTS {
        for (input, output) in [(BFP4, BFP8), (BFP2, BFP8), (BFP4, BF16), (BFP8, BFP4)] {
            let run = run(text, UNPACR, &formats(input, output), &[(0, 1, &[0x7f]), (0, 2, &[0x55; 16])]);
            run.is_undefined(text, "line 448", "line 520");
        }
        // 5 of four bits is one and a quarter, 1 of two bits is one; and the same as BF16.
        for (format, datum, of_bf16, in_srca) in [(BFP4, 0x55, 0x3fa0_u16, 0x1_007f), (BFP2, 0x55, 0x3f80, 0x7f)] {
            let of_bfp = run(text, UNPACR, &formats(format, format), &[(0, 1, &[0x7f]), (0, 2, &[datum; 8])]);
            of_bfp.gives([("SrcA[0][0]", round(&[in_srca]))]);
            let bytes = of_bf16.to_le_bytes().repeat(8);
            let of_bf16 = run(text, UNPACR, &formats(BF16, BF16), &[(0, 1, &bytes), (0, 2, &bytes)]);
            of_bf16.gives([("SrcA[0][0]", round(&[in_srca]))]);
        }
    }
}

#[test]
fn ttsim_18_fp32_stays_fp32_on_its_way_to_dst_alone_and_the_context_says_which_way() {
    let pi = 0x4049_0fdb_u32.to_le_bytes().repeat(4);
    let l1: &[(usize, usize, &[u8])] = &[(0, 1, &pi), (0, 2, &pi), (0, 3, &pi), (0, 4, &pi)];
    // What has no context has context 0, and CfgContextOffset makes it context 1.
    let context_1 = [
        ("ThreadConfig[0].UNPACK_MISC_CFG_CfgContextOffset_0", 1),
        ("Config[0].THCON_SEC0_REG2_Disable_zero_compress_cntx1", 1),
        ("Config[0].THCON_SEC0_REG5_Tile_x_dim_cntx1", 16),
        ("Config[0].THCON_SEC0_REG5_Dest_cntx1_address", 64),
    ];
    let to_dst = |context: u32| {
        let name = ["Config[0].THCON_SEC0_REG2_Unpack_if_sel_cntx0", "Config[0].THCON_SEC0_REG2_Unpack_if_sel_cntx1"];
        (name[context as usize], 1)
    };
    for text in TEXTS {
        let of = |formats: [(&'static str, u32); 2], more: &[(&str, u32)]| {
            run(text, UNPACR, &[&formats[..], more].concat(), l1)
        };
        for format in [FP32, INT32] {
            of(formats(format, format), &[]).is_undefined(text, "lines 488-489", "lines 576-582");
            let of_the_other = [&context_1[..], &[to_dst(0)]].concat();
            of(formats(format, format), &of_the_other).is_undefined(text, "lines 488-489", "lines 576-582");
            for more in [vec![to_dst(0)], [&context_1[..], &[to_dst(1)]].concat()] {
                let more = [&more[..], &[(SET_OVRD, 0)]].concat();
                // Row 0 of 32 bits is rows 0 and 8 of 16: sign, mantissa and exponent, and the low half as it is.
                of(formats(format, format), &more)
                    .gives([("DstBits[0]", round(&[0x4980])), ("DstBits[8]", round(&[0x0fdb]))]);
            }
        }
        // What goes to SrcA is of another format: the top 19 bits, or 16 bits as they are.
        of(formats(FP32, TF32), &[]).gives([("SrcA[0][0]", round(&[0x2_4880]))]);
        of(formats(INT16, INT16), &[]).gives([("SrcA[0][0]", round(&[0x78db, 0x2_0049]))]);
    }
}

#[test]
fn tt_metal_55609_z_of_an_address_does_not_wrap_and_z_dim_sizes_exponents() {
    let [third, fifth] = [counting_up(0), counting_up(2)];
    let [third_too, fifth_too] = [counting_up(1), counting_up(3)];
    // A row of the tile has two rows of L1.
    let l1: &[(usize, usize, &[u8])] = &[(0, 7, &third), (0, 8, &third_too), (0, 11, &fifth), (0, 12, &fifth_too)];
    for text in TEXTS {
        let of = |z_dim, z, w: u32| {
            let more = [(Z_DIM, z_dim), (Z, z), (W, w)];
            run(text, UNPACR, &[&formats(BF16, BF16)[..], &more].concat(), l1)
        };
        for z_dim in [1, 2, 4] {
            of(z_dim, 5, 0).gives([("SrcA[0][0]", counted(1))]);
        }
        of(4, 1, 1).gives([("SrcA[0][0]", counted(1))]);
        of(2, 1, 1).gives([("SrcA[0][0]", counted(0))]);
        // Z goes on from the last face, and W stays.
        let counts = [(Z_DIM, 4), (Z, 3)];
        let run_on = run(text, UNPACR_CH0_Z_INC_1, &[formats(BF16, BF16), counts].concat(), l1);
        assert_eq!(run_on.promise, Expectation::Done);
        assert_eq!(run_on.changes.get(Z), Some(&vec![4]));
        assert_eq!(run_on.changes.get(W), None);
        // Faces of 256 data: four have 64 exponents in four rows of L1, and two have two rows.
        for (z_dim, first) in [(4, 5), (2, 3), (1, 2)] {
            let faces = [("Config[0].THCON_SEC0_REG5_Tile_x_dim_cntx0", 256), (Z_DIM, z_dim)];
            let l1: &[(usize, usize, &[u8])] = &[(0, 1, &[0x7f]), (0, first, &[0x40; 16])];
            let run = run(text, UNPACR, &[formats(BFP8, BFP8), faces].concat(), l1);
            run.gives([("SrcA[0][0]", round(&[0x7f]))]);
        }
    }
}

#[test]
fn tt_metal_21023_what_fp32_becomes_as_fp16_no_page_says() {
    // 1.9908e-5, which is less than the least normal datum of FP16, and one.
    for value in [1.9908e-5_f32, 1.0] {
        let bytes = value.to_le_bytes().repeat(4);
        let l1: &[(usize, usize, &[u8])] = &[(0, 1, &bytes), (0, 2, &bytes), (0, 3, &bytes), (0, 4, &bytes)];
        for text in TEXTS {
            let to = |format| run(text, UNPACR, &formats(FP32, format), l1);
            let (commit, place) =
                if text == OLDER { ("1391ed25", "lines 438-441") } else { ("d0ade26a", "lines 510-513") };
            to(FP16).promises_nothing("unspecified", commit, place);
            // With eight bits of exponent it stays: 0x37a7001b has an exponent of 0x6f, and a mantissa of 0x27 of seven
            // bits before zeros.
            let in_srca = if value < 1.0 { 0x1_386f } else { 0x7f };
            for format in [TF32, BF16] {
                to(format).gives([("SrcA[0][0]", round(&[in_srca]))]);
            }
        }
    }
}
