//! Values computed by hand from the pages.

use std::collections::BTreeMap;

use rstest::rstest;
use tandem_isa::tensix::config::pack::{
    Downsample_mask, Exp_threshold, Exp_threshold_en, INT_DESCALE_Enable, INT_DESCALE_Mode,
    PACK_COUNTERS_SEC_pack_reads_per_xy_plane, PCK_DEST_RD_CTRL_Read_32b_data, PCK_DEST_RD_CTRL_Read_int8,
    PCK_DEST_RD_CTRL_Read_unsigned, PCK_DEST_RD_CTRL_Round_10b_mant, PCK_EDGE_MODE_mode, PCK_EDGE_OFFSET_SEC_mask,
    PCK_EDGE_TILE_FACE_SET_SELECT_enable, PCK_EDGE_TILE_FACE_SET_SELECT_select, PCK_EDGE_TILE_ROW_SET_SELECT_select,
    STACC_RELU_ApplyRelu, STACC_RELU_ReluThreshold, TILE_FACE_SET_MAPPING, TILE_ROW_SET_MAPPING, enable_acc_stats,
};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32, TF32};
use tandem_isa::tensix::inst::pack::CONCAT;
use tandem_isa::tensix::{Banks, PackerStream, config};
use tandem_isa::{Edition, Reference, State};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::dst::{dst_encode_bf16, dst_encode_fp16, dst_encode_fp32};
use crate::tensix::testing::word;

const WORMHOLE: Chip = Chip::Wormhole;
const BLACKHOLE: Chip = Chip::Blackhole;
const CHIPS: [Chip; 2] = [WORMHOLE, BLACKHOLE];
/// What L1 holds before, in all of its words.
const OLD: u32 = 0x5555_5555;

/// A state that is being prepared.
struct Before<'a, 's> {
    tensix: &'a mut Tensix<'s>,
    chip: Chip,
}

impl Before<'_, '_> {
    fn set(&mut self, field: PackField, value: u32) {
        self.tensix.small.config.iter_mut().for_each(|bank| field.set(self.chip, bank, value));
    }

    /// A field of all packers.
    fn each(&mut self, field: PackerField, value: u32) {
        (0..4).for_each(|packer| self.of(packer, field, value));
    }

    fn of(&mut self, packer: usize, field: PackerField, value: u32) {
        self.tensix.small.config.iter_mut().for_each(|bank| field.set(self.chip, packer, bank, value));
    }

    /// A field of a section of `AddrMod` of thread 1.
    fn addr_mod(&mut self, section: usize, name: &str, value: u32) {
        let field = ADDR_MOD_PACK_FIELDS.iter().find(|field| field.name == name).expect("it is one");
        let field = field.of_section(self.chip.addr_mod_sections().pack, section);
        field.set(&mut self.tensix.small.thread_config[1], value);
    }

    fn channel(&mut self, thread: usize, channel: usize) -> &mut AdcChannel {
        &mut self.tensix.small.adcs[thread].packers[channel]
    }

    /// The first and the last X.
    fn columns(&mut self, first: u32, last: u32) {
        (self.channel(1, 0).x, self.channel(1, 1).x) = (first, last);
    }

    /// The formats between, in front of the late conversion, and behind it.
    fn formats(&mut self, between: u32, from: u32, to: u32) {
        for bank in &mut self.tensix.small.config {
            config::ALU_FORMAT_SPEC_REG2_Dstacc.set(bank, between);
        }
        self.each(In_data_format, from);
        self.each(Out_data_format, to);
    }

    /// A row of `DstBits`, in the order of `Dst`.
    fn dst(&mut self, row: usize, data: impl Fn(u32) -> u32) {
        for (datum, column) in self.tensix.banks_unmarked().dst[row].iter_mut().zip(0..) {
            *datum = u16::try_from(data(column)).expect("16 bits");
        }
    }

    fn row_of_l1(&mut self, row: usize) -> &mut [u32; 4] {
        &mut self.tensix.banks_unmarked().l1.as_flattened_mut()[row - 0x1000]
    }
}

/// What an instruction was promised, and the state before it and after.
struct Run {
    promise: Expectation,
    open: usize,
    before: (Box<Banks>, Small),
    after: (Box<Banks>, Small),
}

/// Datum `column` of row `row` of `Dst`, as BF16.
const fn datum(row: u32, column: u32) -> u32 {
    0x4000 | row << 4 | column
}

/// Runs an instruction of thread 1 with the fields given. Data are [`datum`] in the first 64 rows of `Dst`, are read as they
/// are, and stay BF16. There are 16 of them. Packer n writes from 0x1_0000 + 0x1000 * n on, and windows show 16 KiB from there
/// on.
fn pack(chip: Chip, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Before<'_, '_>)) -> Run {
    let (machine, instruction, code) = word(chip, "PACR", fields);
    let mut state: State = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    let banks = tensix.banks_unmarked();
    banks.l1.as_flattened_mut().as_flattened_mut().fill(OLD);
    banks.dst_row_valid.fill(1);
    let small = &mut *tensix.small;
    small.current_thread = 1;
    for (page, shown) in (0x100..).zip(&mut small.l1_pages) {
        *shown = page;
    }
    for packer in 0..chip.pick(4, 1) {
        small.packers[packer].streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
    }
    for (bank, packer) in (0..2).flat_map(|bank| (0..4).map(move |packer| (bank, packer))) {
        pack_limit_address(chip, packer).set(&mut small.config[bank], 0x1_ffff);
    }
    let mut before = Before { tensix: &mut tensix, chip };
    for row in 0..64 {
        before
            .dst(row, |column| dst_encode_bf16(U::new(datum(u32::try_from(row).expect("it is small"), column))).get());
    }
    before.each(Disable_zero_compress, 1);
    before.each(Sub_l1_tile_header_size, 1);
    for (packer, address) in (0..4).zip((0x1000..).step_by(0x100)) {
        before.of(packer, L1_Dest_addr, address);
    }
    before.formats(BF16, BF16, BF16);
    before.set(PCK_DEST_RD_CTRL_Read_int8, 1);
    PCK_EDGE_OFFSET_SEC_mask.into_iter().for_each(|mask| before.set(mask, 0xffff));
    before.columns(0, 15);
    prepare(&mut before);
    let copy = |tensix: &mut Tensix<'_>| (Box::new(*tensix.banks_unmarked()), *tensix.small);
    let before = copy(&mut tensix);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Spec, code: &code }, &mut state);
    let open = state.tracker.open.len();
    let after = copy(&mut Tensix::new(&mut state));
    Run { promise, open, before, after }
}

/// The same of packer 0 alone, or of the first interface, which has what [`pack`] says.
fn pack_one(chip: Chip, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Before<'_, '_>)) -> Run {
    pack(chip, &[&[(PACKER_MASK, 1)], fields].concat(), prepare)
}

impl Run {
    /// Whether it was promised, and L1 is what it was before but for these rows, each numbered by its address divided by 16.
    #[track_caller]
    fn check_l1(&self, rows: &[(usize, [u32; 4])]) {
        assert_eq!(self.promise, Expectation::Done);
        let rows: BTreeMap<_, _> = rows.iter().copied().collect();
        for (row, (after, before)) in
            (0x1000..).zip(self.after.0.l1.as_flattened().iter().zip(self.before.0.l1.as_flattened()))
        {
            assert_eq!(after, rows.get(&row).unwrap_or(before), "row {row:#x}");
        }
    }

    /// The bytes from an address on.
    #[track_caller]
    fn bytes<const N: usize>(&self, row: usize) -> [u8; N] {
        assert_eq!(self.promise, Expectation::Done);
        let words = &self.after.0.l1.as_flattened().as_flattened()[4 * (row - 0x1000)..];
        let bytes: Vec<u8> = words.iter().take(N.div_ceil(4)).flat_map(|word| word.to_le_bytes()).collect();
        bytes[..N].try_into().expect("there are so many")
    }

    fn is_undefined(&self) -> bool {
        matches!(self.promise, Expectation::Undefined(_))
    }

    fn is_unspecified(&self) -> bool {
        matches!(self.promise, Expectation::Unspecified(_))
    }
}

/// Eight data from one on, of 16 bits, as a row of L1.
fn eight(first: u32) -> [u32; 4] {
    std::array::from_fn(|n| {
        let low = first + 2 * u32::try_from(n).expect("it is small");
        (low + 1) << 16 | low
    })
}

/// A row of `Dst`, as rows of L1 from one on.
fn row_from(l1: usize, row: u32) -> [(usize, [u32; 4]); 2] {
    [(l1, eight(datum(row, 0))), (l1 + 1, eight(datum(row, 8)))]
}

#[test]
fn a_row_of_dst_becomes_rows_of_l1() {
    for chip in CHIPS {
        pack_one(chip, &[], |_| {}).check_l1(&row_from(0x1000, 0));
    }
}

#[rstest]
#[case(0b0000, &[0])]
#[case(0b0001, &[0])]
#[case(0b0010, &[1])]
#[case(0b0100, &[2])]
#[case(0b1000, &[3])]
#[case(0b0011, &[0, 1])]
#[case(0b1100, &[2, 3])]
#[case(0b1111, &[0, 1, 2, 3])]
fn a_mask_names_the_packers_at_work(#[case] mask: u32, #[case] packers: &[usize]) {
    let run = pack(WORMHOLE, &[(PACKER_MASK, mask)], |before| {
        // Packer n has row 3 * n.
        for (packer, word) in before.tensix.small.dest_target_reg_cfg_pack_sec.iter_mut().enumerate() {
            *word = u32::try_from(3 * packer).expect("it is small");
        }
    });
    let rows = |&packer: &usize| row_from(0x1000 + 0x100 * packer, u32::try_from(3 * packer).expect("it is small"));
    run.check_l1(&packers.iter().flat_map(rows).collect::<Vec<_>>());
}

#[test]
fn other_masks_of_packers_are_undefined() {
    for mask in [0b0101, 0b0110, 0b0111, 0b1001, 0b1010, 0b1011, 0b1101, 0b1110] {
        assert!(pack(WORMHOLE, &[(PACKER_MASK, mask)], |_| {}).is_undefined());
    }
}

#[test]
fn interfaces_have_a_row_of_four_each() {
    for (mask, rows) in [(0, vec![0, 1, 2, 3]), (0b0111, vec![0, 1, 2]), (0b1010, vec![1, 3])] {
        // Row 8 is the first of a group.
        let run = pack(BLACKHOLE, &[(READ_INTF_SEL, mask)], |before| {
            before.tensix.small.dest_target_reg_cfg_pack_sec[0] = 8;
        });
        let places = (0x1000..).step_by(2).zip(&rows);
        run.check_l1(&places.flat_map(|(place, row)| row_from(place, 8 + row)).collect::<Vec<_>>());
    }
}

#[test]
fn an_interface_has_to_stay_in_its_group_of_four() {
    let from = |row: u32, fields: &[(CodeField, u32)]| {
        pack(BLACKHOLE, fields, |before| before.tensix.small.dest_target_reg_cfg_pack_sec[0] = row)
    };
    assert!(from(9, &[(READ_INTF_SEL, 0b1000)]).is_undefined());
    assert!(from(9, &[]).is_undefined());
    assert!(from(9, &[(READ_INTF_SEL, 0b0100)]).is_unspecified());
    // Zeros are of no row.
    from(9, &[(READ_INTF_SEL, 0b1000), (ZERO_WRITE, 1)]).check_l1(&[(0x1000, [0; 4]), (0x1001, [0; 4])]);
}

#[test]
fn what_blackhole_s_page_leaves_open_promises_nothing() {
    for field in [OVRD_THREAD_ID, DST_ACCESS_MODE, ROW_PAD_ZERO, CTXT_CTRL, ADDR_CNT_CONTEXT, CFG_CONTEXT] {
        assert!(pack_one(BLACKHOLE, &[(field, 1)], |_| {}).is_unspecified(), "{}", field.name);
    }
    // An interface reads all of a row.
    assert!(pack_one(BLACKHOLE, &[], |before| before.columns(0, 7)).is_unspecified());
    assert!(pack_one(BLACKHOLE, &[], |before| before.set(PCK0_ADDR_BASE_REG_0_Base, 16)).is_unspecified());
}

#[test]
fn what_no_page_describes_promises_nothing() {
    let fields = [Pack_L1_Acc, Dis_shared_exp_assembler, Force_pack_per_max_xy_plane, Read_mode, Downsample_rate];
    let roundings = [
        ALU_ROUNDING_MODE_Packer_srnd_en,
        ALU_ROUNDING_MODE_Gasket_srnd_en,
        ALU_ROUNDING_MODE_GS_LF,
        ALU_ROUNDING_MODE_Bfp8_HF,
    ];
    for chip in CHIPS {
        for field in fields.into_iter().filter(|field| field.of(chip, 0).is_some()) {
            assert!(pack_one(chip, &[], |before| before.of(0, field, 1)).is_unspecified());
        }
        for field in roundings {
            assert!(pack_one(chip, &[], |before| before.set(field, 1)).is_unspecified());
        }
    }
    // Of a packer that has nothing to do they do not matter.
    pack_one(WORMHOLE, &[], |before| before.of(1, Pack_L1_Acc, 1)).check_l1(&row_from(0x1000, 0));
    for field in OF_BLACKHOLE {
        assert!(pack_one(BLACKHOLE, &[], |before| field.set(&mut before.tensix.small.config[0], 1)).is_unspecified());
    }
    assert!(pack_one(BLACKHOLE, &[], |before| before.of(0, Source_interface_selection, 1)).is_unspecified());
}

#[test]
fn compression_promises_nothing() {
    let overridden = |chip, mask| {
        pack_one(chip, &[], |before| {
            before.set(THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 1);
            if chip == WORMHOLE {
                let bank = &mut before.tensix.small.config[0];
                THCON_SEC0_REG1_All_pack_disable_zero_compress.set(bank, mask);
            }
        })
    };
    for chip in CHIPS {
        assert!(pack_one(chip, &[], |before| before.of(0, Disable_zero_compress, 0)).is_unspecified());
    }
    assert!(overridden(WORMHOLE, 0b1110).is_unspecified());
    overridden(WORMHOLE, 0b0001).check_l1(&row_from(0x1000, 0));
    assert!(overridden(BLACKHOLE, 0).is_unspecified());
}

#[test]
fn counters_say_where_data_come_from() {
    let run = pack_one(WORMHOLE, &[], |before| {
        let channel = before.channel(1, 0);
        (channel.x, channel.y, channel.z, channel.w) = (8, 1, 2, 3);
        before.channel(1, 1).x = 23;
        before.set(PCK0_ADDR_BASE_REG_0_Base, 0x20);
        // Of 0x12 the low four bits count.
        before.set(PCK0_ADDR_CTRL_XY_REG_0_Xstride, 0x12);
        before.set(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 0x40);
        before.set(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 0x60);
        before.set(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 0x80);
        before.tensix.small.dest_target_reg_cfg_pack_sec[0] = 4;
    });
    // 0x20 + 8 * 2 + 0x40 + 2 * 0x60 + 3 * 0x80 = 0x2b0 bytes, which are 0x158 data: column 8 of row 21. Row 4 of the packer
    // is added.
    run.check_l1(&[(0x1000, eight(datum(25, 8))), (0x1001, eight(datum(26, 0)))]);
    // The last datum of Dst, behind which comes the first.
    let run = pack_one(WORMHOLE, &[], |before| {
        before.tensix.small.dest_target_reg_cfg_pack_sec[0] = 0xfff;
        before.columns(8, 23);
        before.set(PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
        before.dst(1023, |column| dst_encode_bf16(U::new(datum(70, column))).get());
    });
    run.check_l1(&[(0x1000, eight(datum(70, 8))), (0x1001, eight(datum(0, 0)))]);
}

#[test]
fn a_datum_has_four_two_or_one_byte_by_its_format() {
    // 0x100 bytes.
    for (between, format, raw, row, rows) in
        [(FP32, FP32, 0, 4, 4), (FP16, FP16, 1, 8, 2), (FP8, FP8, 1, 16, 1), (INT32, INT32, 0, 4, 4)]
    {
        let run = pack_one(WORMHOLE, &[], |before| {
            before.formats(between, format, format);
            before.set(PCK_DEST_RD_CTRL_Read_32b_data, u32::from(rows == 4));
            before.set(PCK_DEST_RD_CTRL_Read_int8, raw);
            before.set(PCK0_ADDR_BASE_REG_0_Base, 0x100);
            (0..64).for_each(|other| before.dst(other, |_| u32::from(other == row) << 13));
        });
        let is_zero = |place: usize| run.after.0.l1[0][place] == [0; 4];
        assert_eq!(run.promise, Expectation::Done);
        assert!((0..rows).all(|place| !is_zero(place) && run.after.0.l1[0][place] != [OLD; 4]), "{format}");
        assert_eq!(run.after.0.l1[0][rows], [OLD; 4]);
    }
}

#[test]
fn both_x_say_how_many_data_there_are() {
    let of = |first, last| pack_one(WORMHOLE, &[], |before| before.columns(first, last));
    // Without a flush nothing is written of seven data, and nothing at all of none.
    of(0, 6).check_l1(&[]);
    of(0, 7).check_l1(&[(0x1000, eight(datum(0, 0)))]);
    of(5, 4).check_l1(&[]);
    assert!(of(5, 3).is_unspecified());
    assert_eq!(of(0, 1023).promise, Expectation::Done);
    assert!(of(0, 1024).is_unspecified());
    // With Flush both do not matter.
    pack_one(WORMHOLE, &[(FLUSH, 1)], |before| before.columns(5, 3)).check_l1(&[]);
}

#[test]
fn zero_write_writes_zeros() {
    for chip in CHIPS {
        let run = pack_one(chip, &[(ZERO_WRITE, 1)], |before| before.columns(0, 7));
        run.check_l1(&[(0x1000, [0; 4])]);
        // No stage of Dst sees them.
        assert_eq!(run.after.0.packer_stats, run.before.0.packer_stats);
        let too_many = pack_one(chip, &[(ZERO_WRITE, 1)], |before| before.columns(0, 16));
        assert_eq!(too_many.is_unspecified(), chip == BLACKHOLE);
    }
    let run = pack(BLACKHOLE, &[(ZERO_WRITE, 1), (READ_INTF_SEL, 0b1011)], |before| before.columns(0, 7));
    run.check_l1(&[(0x1000, [0; 4]), (0x1001, [0; 4]), (0x1002, [0; 4])]);
}

#[test]
fn concat_has_no_effect() {
    for chip in CHIPS {
        let run = pack_one(chip, &[(CONCAT, 1)], |_| {});
        run.check_l1(&row_from(0x1000, 0));
        assert_eq!(run.after.1, pack_one(chip, &[], |_| {}).after.1);
    }
}

#[test]
fn the_state_id_of_the_thread_names_the_bank() {
    for (chip, state_id) in CHIPS.into_iter().flat_map(|chip| [(chip, 0), (chip, 1)]) {
        let run = pack_one(chip, &[], |before| {
            L1_Dest_addr.set(chip, 0, &mut before.tensix.small.config[1], 0x1010);
            config::CFG_STATE_ID_StateID.set(&mut before.tensix.small.thread_config[1], state_id);
        });
        run.check_l1(&row_from(if state_id == 0 { 0x1000 } else { 0x1010 }, 0));
    }
}

#[test]
fn ovrd_thread_id_has_a_packer_use_the_counters_of_another_thread() {
    for (context, thread) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
        let run = pack_one(WORMHOLE, &[(OVRD_THREAD_ID, 1)], |before| {
            before.of(0, Addr_cnt_context, context);
            before.set(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
            before.set(PCK0_ADDR_CTRL_XY_REG_1_Ystride, 16);
            for (thread, y) in (0..3).zip(1..) {
                (before.channel(thread, 0).y, before.channel(thread, 1).y) = (y, y);
                before.channel(thread, 1).x = 15;
            }
            before.addr_mod(0, "YsrcIncr", 3);
        });
        let y = 1 + u32::try_from(thread).expect("it is small");
        run.check_l1(&row_from(0x1010 + 0x10 * thread, y));
        assert_eq!(run.after.1.adcs[thread].packers[0].y, y + 3);
    }
}

#[test]
fn counters_advance_by_the_section_of_addr_mod() {
    for chip in CHIPS {
        let last_z = chip.pick(0xff, 0x1fff);
        let run = |fields: &[(&str, u32)]| {
            let run = pack(chip, &[(ADDR_MOD, 2), (FLUSH, 1), (PACKER_MASK, 0b0011)], |before| {
                fields.iter().for_each(|(name, value)| before.addr_mod(2, name, *value));
                let channel = AdcChannel { y: 0x1ffe, y_cr: 0x100, z: last_z, z_cr: 7, ..AdcChannel::default() };
                before.tensix.small.adcs[1].packers = [channel; 2];
            });
            assert_eq!(run.promise, Expectation::Done);
            assert_eq!(run.after.1.adcs[0], run.before.1.adcs[0]);
            run.after.1.adcs[1].packers.map(|channel| (channel.y, channel.y_cr, channel.z, channel.z_cr))
        };
        let stays = (0x1ffe, 0x100, last_z, 7);
        assert_eq!(run(&[]), [stays; 2]);
        // Two packers of one ADC have it advance once.
        assert_eq!(run(&[("YsrcIncr", 5), ("ZsrcIncr", 1)]), [(3, 0x100, 0, 7), stays]);
        assert_eq!(run(&[("YdstIncr", 5), ("ZdstIncr", 1)]), [stays, (3, 0x100, 0, 7)]);
        assert_eq!(run(&[("YsrcIncr", 15), ("YsrcCR", 1)])[0], (0x10f, 0x10f, last_z, 7));
        assert_eq!(run(&[("YdstIncr", 15), ("YdstCR", 1), ("YdstClear", 1)])[1], (0, 0, last_z, 7));
        assert_eq!(run(&[("ZdstIncr", 1), ("ZdstClear", 1)])[1], (0x1ffe, 0x100, 0, 0));
    }
}

#[test]
fn counters_say_where_data_go() {
    for chip in CHIPS {
        let run = pack_one(chip, &[], |before| {
            let channel = before.channel(1, 1);
            (channel.y, channel.z, channel.w) = (1, 2, 3);
            before.set(PCK0_ADDR_BASE_REG_1_Base, 0x28);
            before.set(PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x100);
            before.set(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 0x10);
            before.set(PCK0_ADDR_CTRL_ZW_REG_1_Wstride, 0x40);
            before.of(0, Add_l1_dest_addr_offset, 1);
            before.of(0, Sub_l1_tile_header_size, 0);
            before.tensix.small.packers[0].l1_dest_addr_offset = 5;
        });
        // 0x28 + 0x100 + 2 * 0x10 + 3 * 0x40 = 0x208, of which on Wormhole the low four bits do not count, and on
        // Blackhole sixteen are one. To it come 5 and 1.
        let place = chip.pick(0x1206, 0x1026);
        run.check_l1(&row_from(place, 0));
        let stream = run.after.1.packers[0].streams[DATA];
        assert_eq!((stream.byte_address, stream.needs_new_address), (chip.pick(0x1_2080, 0x1_0280), 0));
    }
}

#[test]
fn an_address_beyond_the_limit_goes_back() {
    for chip in CHIPS {
        let run = |limit| {
            pack_one(chip, &[], |before| {
                let bank = &mut before.tensix.small.config[0];
                pack_limit_address(chip, 0).set(bank, limit);
                pack_fifo_size(chip, 0).set(bank, 0x780);
                before.tensix.small.l1_pages[63] = 0x10;
            })
        };
        // Twice 0x800 and one is 0x1001, and twice 0x7ff and one 0xfff.
        run(0x800).check_l1(&row_from(0x1000, 0));
        let run = run(0x7ff);
        assert_eq!(run.promise, Expectation::Done);
        // 0x1000 - 2 * 0x780 is 0x100, the first row of page 0x10.
        assert_eq!(run.after.0.l1[63][..2], row_from(0, 0).map(|(_, row)| row));
    }
}

#[test]
fn bit_31_of_packer_0_s_address_is_added_to_others() {
    let relative = |fifo_size: u32| {
        pack(WORMHOLE, &[(PACKER_MASK, 2)], |before| {
            before.of(0, L1_Dest_addr, 0x8000_0000);
            let banks = &mut before.tensix.small.config;
            banks.iter_mut().for_each(|bank| pack_fifo_size(WORMHOLE, 1).set(bank, fifo_size));
        })
    };
    assert!(relative(1).is_unspecified());
    assert_eq!(relative(0).promise, Expectation::Done);
    let run = pack(WORMHOLE, &[(PACKER_MASK, 1)], |before| before.of(1, L1_Dest_addr, 0x8000_0000));
    run.check_l1(&row_from(0x1000, 0));
}

/// Three bytes wait for a row at 0x1_0040.
fn three_wait(before: &mut Before<'_, '_>) {
    let stream = &mut before.tensix.small.packers[0].streams[DATA];
    (stream.byte_address, stream.needs_new_address, stream.filled) = (0x1_0040, 0, 3);
    stream.buffer = [0x0c_0b0a, 0, 0, 0];
}

#[test]
fn bytes_wait_until_there_are_sixteen_for_a_row_of_l1() {
    // Six bytes more.
    let run = pack_one(WORMHOLE, &[], |before| {
        three_wait(before);
        before.columns(0, 2);
    });
    run.check_l1(&[]);
    let buffer = [0x000c_0b0a, 0x0240_0140, 0x40, 0];
    let stream = PackerStream { byte_address: 0x1_0040, needs_new_address: 0, filled: 9, buffer };
    assert_eq!(run.after.1.packers[0].streams[DATA], stream);
    // Or 14, of which one waits.
    let run = pack_one(WORMHOLE, &[], |before| {
        three_wait(before);
        before.columns(0, 6);
    });
    run.check_l1(&[(0x1004, [0x000c_0b0a, 0x0240_0140, 0x0440_0340, 0x0640_0540])]);
    let stream = PackerStream { byte_address: 0x1_0050, filled: 1, buffer: [0x40, 0, 0, 0], ..stream };
    assert_eq!(run.after.1.packers[0].streams[DATA], stream);
}

#[test]
fn last_and_flush_write_what_waits_and_end_the_addresses() {
    for chip in CHIPS {
        // Flush has no data of its own.
        let run = pack_one(chip, &[(FLUSH, 1)], three_wait);
        run.check_l1(&[(0x1004, [0x0c_0b0a, 0, 0, 0])]);
        let ended = PackerStream { byte_address: 0x1_0050, needs_new_address: 1, filled: 0, buffer: [0; 4] };
        assert_eq!(run.after.1.packers[0].streams[DATA], ended);
        assert_eq!(run.after.1.packers[0].streams[EXPONENTS].needs_new_address, 1);
        let run = pack_one(chip, &[(LAST, 1)], three_wait);
        let rows = [
            [0x000c_0b0a, 0x0240_0140, 0x0440_0340, 0x0640_0540],
            [0x0840_0740, 0x0a40_0940, 0x0c40_0b40, 0x0e40_0d40],
        ];
        run.check_l1(&[(0x1004, rows[0]), (0x1005, rows[1]), (0x1006, [0x40_0f40, 0, 0, 0])]);
        // Where nothing waits there is nothing to write.
        let run = pack_one(chip, &[(LAST, 1)], |_| {});
        run.check_l1(&row_from(0x1000, 0));
        assert_eq!(run.after.1.packers[0].streams[DATA].byte_address, 0x1_0020);
    }
}

#[test]
fn rows_of_l1_that_cannot_be_written_promise_nothing() {
    for chip in CHIPS {
        let to = |address| pack_one(chip, &[], |before| before.of(0, L1_Dest_addr, address));
        assert!(to(0x1400).is_unspecified());
        assert!(to(u32::try_from(chip.l1_bytes() / 16).expect("it is small")).is_unspecified());
    }
    // Two packers write one row.
    let run = pack(WORMHOLE, &[(PACKER_MASK, 3)], |before| before.of(1, L1_Dest_addr, 0x1001));
    assert!(run.is_unspecified());
    // Exponents and data are one behind the other.
    let run = pack_one(WORMHOLE, &[(LAST, 1)], |before| before.formats(BF16, BF16, BFP8));
    assert!(run.is_unspecified());
}

// ------------------------------------------------------------------------------------------------ conversions

/// All columns of row 0 of `Dst` with a datum of 16 bits, in the order of `Dst`.
fn put_16(before: &mut Before<'_, '_>, bits: u32) {
    before.dst(0, |_| bits);
}

/// All columns of row 0 of `Dst32b` with a datum of 32 bits, which is read so.
fn put_32(before: &mut Before<'_, '_>, bits: u32) {
    let bits = dst_encode_fp32(bits);
    before.dst(0, |_| bits >> 16);
    before.dst(8, |_| bits & 0xffff);
    before.set(PCK_DEST_RD_CTRL_Read_32b_data, 1);
}

fn bf16(bits: u32) -> u32 {
    dst_encode_bf16(U::new(bits)).get()
}

fn fp16(bits: u32) -> u32 {
    dst_encode_fp16(U::new(bits)).get()
}

/// What a datum becomes, which `prepare` puts in `Dst`, if it is promised.
fn converted([between, from, to]: [u32; 3], prepare: impl Fn(&mut Before<'_, '_>)) -> Option<u32> {
    let runs = CHIPS.map(|chip| {
        let run = pack_one(chip, &[(LAST, 1)], |before| {
            before.formats(between, from, to);
            prepare(before);
        });
        assert!(!run.is_undefined());
        let [word, ..] = run.after.0.l1[0][0];
        if run.is_unspecified() { None } else { Some(word) }
    });
    assert_eq!(runs[0], runs[1]);
    let mask = match to {
        FP32 | TF32 | INT32 => u32::MAX,
        FP8 | INT8 => 0xff,
        _ => 0xffff,
    };
    runs[0].map(|word| word & mask)
}

/// The fields `Read_raw`, `Round_10b_mant` and `Read_unsigned`.
fn fields(before: &mut Before<'_, '_>, [raw, round, unsigned]: [u32; 3]) {
    before.set(PCK_DEST_RD_CTRL_Read_int8, raw);
    before.set(PCK_DEST_RD_CTRL_Round_10b_mant, round);
    before.set(PCK_DEST_RD_CTRL_Read_unsigned, unsigned);
}

#[test]
fn an_early_conversion_is_what_the_fields_say() {
    for (formats, of, datum, becomes) in [
        ([INT32, INT32, INT32], [0, 0, 0], 0x8000_1234, 0x8000_1234),
        ([INT32, FP32, FP32], [0, 1, 1], 0xff81_2345, 0xff81_2345),
        ([FP32, FP32, FP32], [0, 0, 0], 0x3f81_2345, 0x3f81_2345),
        ([FP32, INT32, INT32], [0, 0, 0], 0x3f81_2345, 0x3f81_2345),
        ([FP32, FP32, FP32], [1, 1, 0], 0x3f81_2345, 0x3f81_2345),
        ([TF32, FP32, FP32], [1, 0, 0], 0x0001_2345, 0x0001_2345),
        // Half of the last bit, and less.
        ([FP32, TF32, TF32], [0, 1, 0], 0x3f81_1000, 0x3f81_2000),
        ([TF32, TF32, FP32], [0, 0, 0], 0x3f81_0fff, 0x3f81_0000),
        ([BF16, BF16, BF16], [0, 0, 0], 0xbf81_8000, 0xbf82),
        ([BF16, BF16, BF16], [1, 0, 0], 0xbf81_ffff, 0xbf81),
        ([BFP8, BFP8, BF16], [1, 0, 0], 0x3f81_ffff, 0x3f81),
        ([BFP8, BFP8, BF16], [0, 0, 0], 0x3f81_0000, 0x3f82),
        ([INT8, INT8, INT8], [1, 0, 0], 0x8000_1284, 0x84),
        ([INT8, INT8, INT8], [1, 0, 0], 0x0000_1284, 0x04),
        ([INT8, INT8, INT8], [1, 0, 1], 0x0000_1284, 0x84),
    ] {
        let is = converted(formats, |before| {
            put_32(before, datum);
            fields(before, of);
        });
        assert_eq!(is, Some(becomes), "{formats:?} {of:?} {datum:#x}");
    }
    for (formats, of, datum, becomes) in [
        ([TF32, TF32, TF32], [0, 0, 0], bf16(0x3f81), 0x3f81_0000),
        ([FP32, TF32, FP32], [0, 1, 0], bf16(0x3f81), 0x3f81_0000),
        ([BF16, BF16, BF16], [0, 0, 0], bf16(0xff81), 0xff80),
        ([BF16, BF16, BF16], [1, 0, 0], bf16(0xff81), 0xff81),
        ([BFP8, BFP8, BF16], [1, 0, 0], bf16(0x8001), 0x8001),
        ([BFP8, BFP8, BF16], [0, 0, 0], bf16(0xbf81), 0xbf82),
        ([INT8, INT8, INT8], [1, 0, 0], 0xffff, 0x80),
        ([INT8, INT8, INT8], [1, 0, 0], 0x7fff, 0),
        ([FP16, FP16, FP16], [1, 0, 0], fp16(0x8001), 0x8001),
        ([FP16, FP16, FP16], [0, 0, 0], fp16(0x8001), 0),
        ([FP16, FP16, FP16], [0, 0, 0], fp16(0xfc01), 0xfc01),
        ([BFP8A, BFP8A, FP16], [1, 0, 0], fp16(0x3c0f), 0x3c08),
        ([BFP8A, BFP8A, FP16], [0, 0, 0], fp16(0xbc08), 0xbc10),
        ([FP8, FP8, FP8], [1, 0, 0], fp16(0x3dff), 0x3d),
        ([INT16, INT16, INT16], [0, 0, 0], 0xfedc, 0xfedc),
    ] {
        let is = converted(formats, |before| {
            put_16(before, datum);
            fields(before, of);
        });
        assert_eq!(is, Some(becomes), "{formats:?} {of:?} {datum:#x}");
    }
}

#[test]
fn other_fields_have_no_early_conversion() {
    for (between, of) in [
        (INT32, [0, 0, 0]),
        (FP32, [1, 1, 0]),
        (FP32, [0, 0, 0]),
        (TF32, [1, 0, 0]),
        (FP8, [0, 0, 0]),
        (INT8, [0, 0, 0]),
        (INT8, [1, 0, 1]),
        (BFP4, [1, 0, 0]),
        (12, [1, 0, 0]),
    ] {
        assert_eq!(converted([between, between, BF16], |before| fields(before, of)), None, "{between} {of:?}");
    }
    for between in [FP16, BFP8A, FP8, INT16, BFP4A, 13] {
        assert_eq!(converted([between, between, between], |before| put_32(before, 0)), None, "{between}");
    }
    // The late conversion is from what the early one gives.
    assert_eq!(converted([BF16, FP32, FP32], |_| {}), None);
    assert_eq!(converted([BF16, TF32, FP32], |_| {}), None);
    // Without data there is none.
    pack_one(WORMHOLE, &[(ZERO_WRITE, 1)], |before| before.formats(INT32, BF16, BF16))
        .check_l1(&[(0x1000, [0; 4]), (0x1001, [0; 4])]);
}

#[test]
fn a_rounding_flushes_denormals_and_makes_nan_infinity() {
    let to_bf16 = |datum| {
        converted([BF16, BF16, BF16], |before| {
            put_32(before, datum);
            fields(before, [0; 3]);
        })
    };
    for (datum, becomes) in [
        (0x807f_ffff, Some(0)),
        (0x8000_0000, Some(0)),
        (0xff80_0001, Some(0xff80)),
        (0x7fff_ffff, Some(0x7f80)),
        (0x7f80_0000, Some(0x7f80)),
        (0x7f7f_7fff, Some(0x7f7f)),
        (0x7f7f_8000, None),
        (0x3fff_8000, Some(0x4000)),
    ] {
        assert_eq!(to_bf16(datum), becomes, "{datum:#x}");
    }
    let to_e5m6 = |datum| {
        converted([BFP8A, BFP8A, FP16], |before| {
            put_16(before, fp16(datum));
            fields(before, [0; 3]);
        })
    };
    for (datum, becomes) in
        [(0x83ff, Some(0)), (0x8000, Some(0)), (0x7ff7, Some(0x7ff0)), (0x7ff8, None), (0x7bf8, Some(0x7c00))]
    {
        assert_eq!(to_e5m6(datum), becomes, "{datum:#x}");
    }
}

#[test]
fn integers_of_32_bits_become_integers_of_eight() {
    let shifted = |datum, unsigned, descale: &[(PackField, u32)]| {
        converted([INT8, INT8, INT8], |before| {
            put_32(before, datum);
            fields(before, [0, 0, unsigned]);
            before.tensix.small.int_descale_values_sec[0] = 0x24;
            descale.iter().for_each(|(field, value)| before.set(*field, *value));
        })
    };
    let by_4 = &[(INT_DESCALE_Enable, 1)];
    // 0x128 is 18 and a half times 16.
    assert_eq!(shifted(0x8000_0128, 0, by_4), Some(0x93));
    assert_eq!(shifted(0x127, 0, by_4), Some(0x12));
    assert_eq!(shifted(0xffff_ffff, 0, by_4), Some(0xff));
    assert_eq!(shifted(0x8000_0007, 0, by_4), Some(0x80));
    assert_eq!(shifted(0x0ff8, 1, by_4), Some(0xff));
    assert_eq!(shifted(0x0fe7, 1, by_4), Some(0xfe));
    assert_eq!(shifted(0x8000_0128, 1, by_4), None);
    assert_eq!(shifted(0x8000_007e, 0, &[]), Some(0xfe));
    assert_eq!(shifted(0x80, 0, &[]), Some(0x7f));
    assert_eq!(shifted(0x80, 0, &[(INT_DESCALE_Enable, 1), (INT_DESCALE_Mode, 1)]), None);
}

#[test]
fn bf16_with_round_10b_mant_is_what_the_late_conversion_makes_it() {
    let of = |from, to, raw, datum| {
        converted([BF16, from, to], |before| {
            put_32(before, datum);
            fields(before, [raw, 1, 0]);
        })
    };
    // A mantissa of 0x01_2000 is one of nine in ten bits.
    assert_eq!(of(TF32, FP16, 0, 0x3f81_1000), Some(0x3c09));
    assert_eq!(of(BF16, BF16, 0, 0x3f81_8000), Some(0x3f82));
    assert_eq!(of(BF16, FP16, 0, 0x3f81_8000), None);
    assert_eq!(of(TF32, TF32, 0, 0x3f81_8000), None);
    assert_eq!(of(BF16, FP16, 1, 0x3f81_8000), None);
    assert_eq!(of(BF16, BF16, 1, 0x3f81_8000), Some(0x3f81));
}

#[test]
fn the_intermediate_format_can_be_overridden() {
    let is = converted([BF16, FP16, FP16], |before| {
        put_16(before, fp16(0x1234));
        for bank in &mut before.tensix.small.config {
            config::ALU_FORMAT_SPEC_REG_Dstacc_override.set(bank, 1);
            config::ALU_FORMAT_SPEC_REG_Dstacc_val.set(bank, FP16);
        }
    });
    assert_eq!(is, Some(0x1234));
}

#[test]
fn rows_of_dst_that_are_not_valid_are_zeros() {
    for chip in CHIPS {
        pack_one(chip, &[], |before| before.tensix.banks_unmarked().dst_row_valid[0] = 0)
            .check_l1(&[(0x1000, [0; 4]), (0x1001, [0; 4])]);
    }
}

/// What a datum of FP32, or of FP16, becomes of another format, if it is promised.
fn late(from: u32, to: u32, datum: u32) -> Option<u32> {
    converted([from, from, to], |before| if from == FP16 { put_16(before, fp16(datum)) } else { put_32(before, datum) })
}

#[test]
fn a_late_conversion_is_what_the_table_says() {
    for (from, to, datum, becomes) in [
        (FP32, FP32, 0x7f80_0001, 0x7f80_0001),
        (FP32, FP32, 0x8000_0001, 0x8000_0001),
        (FP32, BF16, 0xbf81_ffff, 0xbf81),
        (FP32, BF16, 0x7f80_0001, 0x7f80),
        (FP32, BF16, 0x0001_2345, 0),
        (FP32, BF16, 0x8000_0000, 0x8000),
        (FP32, FP16, 0xbf80_3fff, 0xbc01),
        (FP32, FP16, 0x47ff_ffff, 0x7fff),
        (FP32, FP16, 0x7fc0_0000, 0x7fff),
        (FP32, FP16, 0xff80_0000, 0xffff),
        // 2 to the -15, and to the -14.
        (FP32, FP16, 0x3800_0000, 0),
        (FP32, FP16, 0xb880_0000, 0x8400),
        (FP32, FP8, 0xff80_0000, 0xff),
        (FP32, FP8, 0x3fbf_ffff, 0x3d),
        (FP16, FP16, 0x8001, 0x8001),
        (FP16, FP32, 0x3c01, 0x3f80_2000),
        (FP16, TF32, 0xbc01, 0xbf80_2000),
        (FP16, BF16, 0xfc00, 0xc780),
        (FP16, BF16, 0x03ff, 0),
        (FP16, FP8, 0xbdff, 0xbd),
        (FP16, FP8, 0x03ff, 0),
        (FP16, FP8, 0x7fff, 0x7f),
    ] {
        assert_eq!(late(from, to, datum), Some(becomes), "{from} {to} {datum:#x}");
    }
    // From BF16 the mantissa is widened.
    let of_bf16 = |to| converted([BF16, BF16, to], |before| put_16(before, bf16(0x8081)));
    assert_eq!(of_bf16(TF32), Some(0x8081_0000));
    assert_eq!(of_bf16(FP32), Some(0x8081_0000));
    assert_eq!(converted([BF16, BF16, FP16], |before| put_16(before, bf16(0xbf81))), Some(0xbc08));
}

#[test]
fn data_that_are_mishandled_promise_nothing() {
    for (from, to, datum) in [
        (FP16, FP32, 0x0001),
        (FP16, FP32, 0x8000),
        (FP16, FP32, 0x7fff),
        (FP16, TF32, 0x8001),
        (FP16, BF16, 0x8001),
        (FP16, FP8, 0x8001),
        (FP32, BF16, 0x8000_0001),
        (FP32, FP16, 0x8000_0000),
        (FP32, FP16, 0xb800_0000),
        (FP32, FP16, 0x3800_0001),
        (FP32, FP16, 0x387f_ffff),
        (FP32, FP16, 0x4800_0000),
        (FP32, FP8, 0x7f7f_ffff),
    ] {
        assert_eq!(late(from, to, datum), None, "{from} {to} {datum:#x}");
    }
}

#[test]
fn a_conversion_that_the_table_does_not_have_promises_nothing() {
    assert_eq!(late(FP32, TF32, 0), None);
    for to in [INT32, INT16, INT8, 12, 13] {
        assert_eq!(late(FP32, to, 0), None, "{to}");
    }
    for to in [FP32, BF16, FP16, FP8, TF32, INT16, INT8] {
        assert_eq!(late(INT32, to, 0), None, "{to}");
    }
    let integer = |from, to| converted([from, from, to], |_| {});
    assert_eq!((integer(INT16, INT32), integer(INT16, INT8), integer(INT8, INT16)), (None, None, None));
    // Zeros have the type of the input format.
    let zeros = |from, to| pack_one(WORMHOLE, &[(ZERO_WRITE, 1), (LAST, 1)], |before| before.formats(BF16, from, to));
    zeros(BFP8A, FP8).check_l1(&[(0x1000, [0; 4])]);
    assert!(zeros(BFP4, FP8).is_unspecified());
    assert!(zeros(INT8, FP8).is_unspecified());
}

/// What the data of a row become of BFP, with exponents in row 0x1000 and data in row 0x1001.
fn bfp([between, to]: [u32; 2], data: &[u32]) -> Option<([u8; 16], [u8; 16])> {
    let run = pack_one(WORMHOLE, &[(LAST, 1)], |before| {
        before.formats(between, between, to);
        before.of(0, Exp_section_size, 1);
        let encode = if between == BF16 { bf16 } else { fp16 };
        before.dst(0, |column| data.get(column as usize).map_or(0, |datum| encode(*datum)));
    });
    if run.is_unspecified() { None } else { Some((run.bytes(0x1000), run.bytes(0x1001))) }
}

/// The first of 16 bytes, and zeros behind them.
fn padded(bytes: &[u8]) -> [u8; 16] {
    std::array::from_fn(|n| bytes.get(n).copied().unwrap_or_default())
}

#[test]
fn sixteen_data_of_bfp_share_an_exponent() {
    // 2, 1, -1.5, a 128th and more of 1, a 64th, and almost 2: the last two are rounded up.
    let data = [0x4000, 0x3f80, 0xbfc0, 0x3c01, 0x3c80, 0x3fff];
    let exponent = padded(&[0x80]);
    assert_eq!(bfp([BF16, BFP8], &data), Some((exponent, padded(&[0x40, 0x20, 0xb0, 0, 1, 0x40]))));
    assert_eq!(bfp([BF16, BFP4], &data), Some((exponent, padded(&[0x24, 0x0b, 0x40]))));
    // A negative one has no magnitude left in one bit.
    assert_eq!(bfp([BF16, BFP2], &data), None);
    assert_eq!(bfp([BF16, BFP2], &[0x4000, 0x3f80, 0xc000, 0x4040]), Some((exponent, padded(&[0x71]))));
    assert_eq!(bfp([FP16, BFP8A], &[0x4000, 0xbc00, 1]), Some((padded(&[16]), padded(&[0x40, 0xa0]))));
    assert_eq!(bfp([FP16, BFP4A], &[0x7c00, 0x7800]), Some((padded(&[31]), padded(&[0x24]))));
    assert_eq!(bfp([BF16, BFP8], &[0x0001]), Some((padded(&[]), padded(&[]))));
    // A magnitude of 128, infinity, NaN, minus zero, a negative denormal, and what is too small for its sign.
    for data in [&[0x40ff][..], &[0x7f80], &[0xff81], &[0x8000], &[0x8001], &[0x4f80, 0xbf80]] {
        assert_eq!(bfp([BF16, BFP8], data), None, "{data:x?}");
    }
    assert_eq!(bfp([FP16, BFP8A], &[0x7fff]), None);
    // Denormals of E5M7 stay.
    assert_eq!(bfp([BFP8A, BFP8A], &[0x0008]), None);
}

#[test]
fn exponents_of_bfp_are_a_stream_of_their_own() {
    let run = pack(BLACKHOLE, &[(READ_INTF_SEL, 0b0101)], |before| {
        before.formats(BF16, BF16, BFP8);
        before.of(0, Exp_section_size, 3);
    });
    // Data of row 0 go from 0x4000 up, so that each two make one more; in row 2 the last ones begin with 0x402e / 2.
    assert_eq!(run.bytes::<2>(0x1003), [0x40, 0x41]);
    assert_eq!(run.bytes::<2>(0x1004), [0x50, 0x51]);
    let [exponents, data] = run.after.1.packers[0].streams;
    assert_eq!((exponents.byte_address, exponents.filled, exponents.buffer), (0x1_0000, 2, [0x8080, 0, 0, 0]));
    assert_eq!((data.byte_address, data.filled), (0x1_0050, 0));
    // FP8 has room for exponents, and none.
    let run = pack_one(WORMHOLE, &[(LAST, 1)], |before| {
        before.formats(BF16, BF16, FP8);
        before.of(0, Exp_section_size, 3);
    });
    run.check_l1(&[(0x1003, [0x4040_4040; 4])]);
    assert_eq!(run.after.1.packers[0].streams[EXPONENTS].byte_address, 0x1_0000);
}

// ------------------------------------------------------------------------------------------------ other stages

#[test]
fn downsampling_takes_what_the_mask_says() {
    for chip in CHIPS {
        let run = pack_one(chip, &[], |before| before.each(Downsample_mask, 0x5454));
        // Bits 2, 4, 6, 10, 12 and 14.
        assert_eq!(run.after.1.packers[0].streams[DATA].buffer, [0x4004_4002, 0x400a_4006, 0x400e_400c, 0]);
        let run = pack_one(chip, &[], |before| {
            before.each(Downsample_mask, 0x5555);
            before.formats(BF16, BF16, BFP8);
        });
        assert!(run.is_unspecified());
    }
    // The mask begins again behind 16 data, and each interface has its own beginning.
    let run = pack_one(WORMHOLE, &[], |before| {
        before.columns(0, 31);
        before.each(Downsample_mask, 0x8001);
    });
    assert_eq!(run.after.1.packers[0].streams[DATA].buffer, [0x400f_4000, 0x401f_4010, 0, 0]);
    let run = pack(BLACKHOLE, &[(READ_INTF_SEL, 0b0011)], |before| before.each(Downsample_mask, 0x8001));
    assert_eq!(run.after.1.packers[0].streams[DATA].buffer, [0x400f_4000, 0x401f_4010, 0, 0]);
}

/// Columns 8 to 15 are masked where the position has Y = 3.
fn mask(before: &mut Before<'_, '_>, mode: u32) {
    before.set(PCK_EDGE_TILE_ROW_SET_SELECT_select, 2);
    before.set(TILE_ROW_SET_MAPPING[2], 1 << 6);
    before.set(PCK_EDGE_OFFSET_SEC_mask[1], 0x00ff);
    before.set(PCK_EDGE_MODE_mode, mode);
}

#[test]
fn edge_masks_replace_data_by_their_position() {
    let row = eight(datum(0, 0));
    for chip in CHIPS {
        for (mode, masked) in [(0, [0; 4]), (1, [0xff80_ff80; 4])] {
            let run = pack_one(chip, &[], |before| {
                mask(before, mode);
                before.tensix.small.packers[0].y = 0x13;
            });
            run.check_l1(&[(0x1000, row), (0x1001, masked)]);
        }
        // Z = 5 + 2 selects the same rows by faces.
        let run = pack_one(chip, &[], |before| {
            mask(before, 0);
            before.set(PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
            before.set(PCK_EDGE_TILE_FACE_SET_SELECT_select, 3);
            before.set(PCK_EDGE_TILE_ROW_SET_SELECT_select, 0);
            before.set(TILE_FACE_SET_MAPPING[3], 2 << 14);
            before.tensix.small.dest_target_reg_cfg_pack_sec[0] = 5 << 12;
            (before.tensix.small.packers[0].y, before.tensix.small.packers[0].z) = (3, 2);
        });
        run.check_l1(&[(0x1000, row), (0x1001, [0; 4])]);
        // FP16 has no minus infinity.
        let fp16 = |y| {
            pack_one(chip, &[], |before| {
                mask(before, 1);
                before.formats(FP16, FP16, FP16);
                before.tensix.small.packers[0].y = y;
            })
        };
        assert!(fp16(3).is_unspecified());
        assert_eq!(fp16(4).promise, Expectation::Done);
    }
    // The second packer has its own selection, and the second interface the next row.
    let run = pack(WORMHOLE, &[(PACKER_MASK, 2)], |before| {
        mask(before, 0);
        before.set(PCK_EDGE_TILE_ROW_SET_SELECT_select, 2 << 2);
        before.tensix.small.packers[1].y = 3;
    });
    run.check_l1(&[(0x1100, row), (0x1101, [0; 4])]);
    let run = pack(BLACKHOLE, &[(READ_INTF_SEL, 0b0101)], |before| {
        mask(before, 0);
        before.tensix.small.packers[0].y = 2;
    });
    run.check_l1(&[(0x1000, row), (0x1001, eight(datum(0, 8))), (0x1002, eight(datum(2, 0))), (0x1003, [0; 4])]);
}

/// X, Y and Z of packer 0 behind so many data, from others on.
fn position(from: [u32; 3], count: u32, reads: u32, transposed: u32) -> Option<[u32; 3]> {
    let run = pack_one(WORMHOLE, &[], |before| {
        let packer = &mut before.tensix.small.packers[0];
        [packer.x, packer.y, packer.z] = from;
        before.columns(0, count - 1);
        before.set(PACK_COUNTERS_SEC_pack_reads_per_xy_plane[0], reads);
        before.set(PACK_COUNTERS_SEC_pack_yz_transposed[0], transposed);
    });
    let packer = run.after.1.packers[0];
    if run.is_unspecified() { None } else { Some([packer.x, packer.y, packer.z]) }
}

#[test]
fn the_position_counts_data_rows_and_faces() {
    assert_eq!(position([3, 1, 7], 30, 16, 0), Some([1, 3, 7]));
    assert_eq!(position([15, 15, 7], 1, 16, 0), Some([0, 0, 8]));
    assert_eq!(position([15, 15, 7], 1, 16, 1), Some([0, 15, 8]));
    assert_eq!(position([15, 3, 7], 1, 8, 1), Some([0, 4, 0]));
    // Zeros are of no position.
    let run = pack_one(WORMHOLE, &[(ZERO_WRITE, 1)], |_| {});
    assert_eq!(run.after.1.packers[0].y, 0);
}

#[test]
fn a_position_beyond_eight_bits_promises_nothing() {
    assert_eq!(position([15, 254, 0], 1, 0, 0), Some([0, 255, 0]));
    assert_eq!(position([15, 255, 0], 1, 0, 0), None);
    assert_eq!(position([15, 15, 255], 1, 16, 0), None);
}

#[test]
fn the_position_of_blackhole_counts_interfaces() {
    let position = |fields: &[(CodeField, u32)], y| {
        let run = pack(BLACKHOLE, fields, |before| {
            (before.tensix.small.packers[0].y, before.tensix.small.packers[0].z) = (y, 7);
            before.set(PACK_COUNTERS_SEC_pack_reads_per_xy_plane[0], 16);
        });
        let packer = run.after.1.packers[0];
        if run.is_unspecified() { None } else { Some((packer.y, packer.z)) }
    };
    assert_eq!(position(&[], 12), Some((0, 8)));
    assert_eq!(position(&[], 14), Some((18, 7)));
    assert_eq!(position(&[(READ_INTF_SEL, 0b1010)], 3), Some((5, 7)));
    assert_eq!(position(&[(FLUSH, 1)], 3), Some((7, 7)));
    assert_eq!(position(&[(ZERO_WRITE, 1)], 3), Some((7, 7)));
    assert_eq!(position(&[], 252), None);
    let run = pack_one(BLACKHOLE, &[], |before| before.set(PACK_COUNTERS_SEC_pack_yz_transposed[0], 1));
    assert!(run.is_unspecified());
}

/// What a mode of `ReLU` makes of a datum that [`late`] has.
fn relu(format: u32, mode: u32, threshold: u32, datum: u32) -> Option<u32> {
    converted([format, format, format], |before| {
        if format == FP16 {
            put_16(before, fp16(datum))
        } else {
            put_32(before, datum)
        }
        before.set(STACC_RELU_ApplyRelu, mode);
        before.set(STACC_RELU_ReluThreshold, threshold);
    })
}

#[test]
fn relu_has_four_modes() {
    let [one, two, three, nan] = [0x3f80_0000, 0x4000_0000, 0x4040_0000, 0xff80_0001];
    for (mode, data) in [
        (0, [one, two, three, nan, 0x8000_0000, 0xbf80_0000]),
        (1, [one, two, three, nan, 0, 0]),
        (2, [0, 0, three, nan, 0, 0]),
        (3, [one, two, two, nan, 0, 0]),
        (5, [one, two, three, nan, 0, 0]),
    ] {
        let is = [one, two, three, nan, 0x8000_0000, 0xbf80_0000].map(|datum| relu(FP32, mode, 0x4000, datum));
        assert_eq!(is, data.map(Some), "mode {mode}");
    }
    // Of FP16 the threshold has other bits, and all exponents are numbers.
    assert_eq!(relu(FP16, 2, 0x4400, 0x4400), Some(0));
    assert_eq!(relu(FP16, 2, 0x4400, 0x4401), Some(0x4401));
    assert_eq!(relu(FP16, 3, 0x4400, 0x7fff), Some(0x4400));
    assert_eq!(relu(FP16, 1, 0, 0xffff), Some(0));
    // Integers have mode 1.
    assert_eq!(relu(INT32, 1, 0, 0xff80_0001), Some(0));
    assert_eq!(relu(INT32, 1, 0, 0x7f80_0001), Some(0x7f80_0001));
}

#[test]
fn some_thresholds_promise_nothing() {
    for mode in [2, 3] {
        let run = pack_one(WORMHOLE, &[], |before| {
            before.set(STACC_RELU_ApplyRelu, mode);
            before.set(STACC_RELU_ReluThreshold, 0x8000);
        });
        assert!(run.is_undefined());
        assert_eq!(relu(FP32, mode, 0x7f80, 0), None);
        assert_eq!(relu(FP16, mode, 0x7c00, 0), None);
        assert_eq!(relu(INT32, mode, 0x4000, 0), None);
    }
    assert_eq!(relu(FP32, 1, 0xffff, 0x3f80_0000), Some(0x3f80_0000));
    // E8M6 has not the last bit of BF16.
    let e8m6 = |mode, threshold| {
        converted([BFP8, BFP8, BF16], |before| {
            fields(before, [0; 3]);
            before.set(STACC_RELU_ApplyRelu, mode);
            before.set(STACC_RELU_ReluThreshold, threshold);
        })
    };
    assert_eq!((e8m6(3, 0x3f81), e8m6(3, 0x3f82), e8m6(2, 0x3f81)), (None, Some(0x3f82), Some(0x4000)));
}

#[test]
fn exponents_are_counted() {
    for chip in CHIPS {
        // An exponent of 0x80 is in the first bin.
        let run = pack_one(chip, &[], |_| {});
        let (before, after) = (run.before.0.packer_stats, run.after.0.packer_stats);
        assert_eq!((after[0][..32].to_vec(), after[0][32]), (before[0][..32].to_vec(), 0x80));
        assert_eq!(after[1..], before[1..]);
        for first in [7, 250] {
            let run = pack_one(chip, &[], |before| {
                let banks = before.tensix.banks_unmarked();
                (banks.packer_stats[0][0], banks.packer_stats[0][32]) = (first, 0x90);
                enable_acc_stats(chip).set(&mut before.tensix.small.thread_config[2], 1);
                // Half of a row is not, and is counted as 0.
                before.set(PCK_EDGE_OFFSET_SEC_mask[0], 0x00ff);
                before.dst(0, |_| bf16(0x4100));
            });
            let stats = run.after.0.packer_stats[0];
            // 8 have an exponent of 0x82.
            assert_eq!((stats[0], stats[2], stats[32]), (first.saturating_add(8), 8, 0x90));
        }
    }
    let largest = |formats: [u32; 3], bits| {
        let run = pack_one(WORMHOLE, &[], |before| {
            before.formats(formats[0], formats[1], formats[2]);
            before.dst(0, |_| bits);
        });
        (run.promise, run.open, run.after.0.packer_stats[0][32])
    };
    assert_eq!(largest([INT16; 3], 0x1234), (Expectation::Done, 0, 0x34));
    assert_eq!(largest([FP16; 3], fp16(0x7801)), (Expectation::Done, 0, 30));
    assert_eq!(largest([INT8; 3], 0).1, 33);
}

#[test]
fn data_with_small_exponents_become_zero() {
    let of = |format, datum, threshold| {
        converted([format; 3], |before| {
            if format == FP16 {
                put_16(before, fp16(datum))
            } else {
                put_32(before, datum)
            }
            before.each(Exp_threshold_en, 1);
            before.each(Exp_threshold, threshold);
        })
    };
    assert_eq!((of(FP32, 0xbfff_ffff, 0x80), of(FP32, 0xc000_0000, 0x80)), (Some(0), Some(0xc000_0000)));
    assert_eq!((of(FP16, 0x3fff, 16), of(FP16, 0x4000, 16)), (Some(0), Some(0x4000)));
    assert_eq!((of(INT32, 1, 0x80), of(FP32, 0x8000_0000, 0)), (Some(1), Some(0x8000_0000)));
}

#[test]
fn every_stage_comes_in_its_order() {
    // Minus infinity becomes 0 in front of the histogram, which sees what the threshold makes 0.
    let run = pack_one(WORMHOLE, &[], |before| {
        before.set(PCK_EDGE_OFFSET_SEC_mask[0], 0x00ff);
        before.set(PCK_EDGE_MODE_mode, 1);
        before.set(STACC_RELU_ApplyRelu, 1);
        before.each(Exp_threshold_en, 1);
        before.each(Exp_threshold, 0x81);
    });
    run.check_l1(&[(0x1000, [0; 4]), (0x1001, [0; 4])]);
    assert_eq!(run.after.0.packer_stats[0][32], 0x80);
}

#[test]
fn packer_0_can_read_l1() {
    // 0x8000 + 0xa000 is 0x1_2000, and to it come three data.
    let from = |formats: [u32; 2], prepare: &dyn Fn(&mut Before<'_, '_>)| {
        pack_one(WORMHOLE, &[(LAST, 1)], |before| {
            before.formats(BF16, formats[0], formats[1]);
            before.of(0, Source_interface_selection, 1);
            before.set(PCK0_ADDR_BASE_REG_0_Base, 0xa000);
            before.set(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 0x8000);
            before.channel(1, 0).w = 1;
            before.columns(3, 10);
            *before.row_of_l1(0x1200) = eight(0x4100);
            *before.row_of_l1(0x1201) = eight(0x4108);
            // No stage of Dst sees them.
            before.set(PCK_EDGE_OFFSET_SEC_mask[0], 0);
            before.set(STACC_RELU_ApplyRelu, 2);
            before.set(STACC_RELU_ReluThreshold, 0x8000);
            before.each(Exp_threshold_en, 1);
            before.each(Exp_threshold, 0xff);
            prepare(before);
        })
    };
    let run = from([BF16, BF16], &|_| {});
    run.check_l1(&[(0x1000, eight(0x4103))]);
    assert_eq!((run.after.0.packer_stats, run.after.1.packers[0].x), (run.before.0.packer_stats, 0));
    // Eight bytes from the fourth on are 41 02 41 03 41 04 41 05.
    let word = |run: Run, words| run.check_l1(&[(0x1000, words)]);
    word(from([INT8, INT8], &|_| {}), [0x0341_0241, 0x0541_0441, 0, 0]);
    word(from([FP8, FP8], &|_| {}), [0x0341_0241, 0x0541_0441, 0, 0]);
    // BFP8 and BFP8a have no exponent, and no mantissa but these bits.
    word(from([BFP8, BF16], &|_| {}), [0x0002_0041, 0x0003_0041, 0x0004_0041, 0x0005_0041]);
    word(from([BFP8A, FP16], &|_| {}), [0x0010_0208, 0x0018_0208, 0x0020_0208, 0x0028_0208]);
    word(from([INT16, INT16], &|_| {}), eight(0x4103));
    word(from([FP16, FP16], &|_| {}), eight(0x4103));
    let two = |format| from([format, format], &|before| before.columns(3, 4));
    word(two(FP32), [0x4107_4106, 0x4109_4108, 0, 0]);
    word(two(INT32), [0x4107_4106, 0x4109_4108, 0, 0]);
    assert!(two(TF32).is_unspecified());
    // The high bits come from a field.
    let run = from([BF16, BF16], &|before| {
        before.set(PCK0_ADDR_BASE_REG_0_Base, 0);
        before.channel(1, 0).w = 0;
        before.of(0, L1_source_addr, 1);
        before.tensix.small.l1_pages[63] = 0x400;
        before.tensix.banks_unmarked().l1[63][..2].fill([0x4234_4234; 4]);
    });
    run.check_l1(&[(0x1000, [0x4234_4234; 4])]);
    // What is read is not written.
    assert!(from([BF16, BF16], &|before| before.of(0, L1_Dest_addr, 0x1201)).is_unspecified());
    // Packer 1 has no such source.
    let run = pack(WORMHOLE, &[(PACKER_MASK, 2)], |before| before.each(Source_interface_selection, 1));
    run.check_l1(&row_from(0x1100, 0));
}
