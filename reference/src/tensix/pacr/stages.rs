//! The stages that a packer has between both of its address generators and the late conversion: where a datum comes from,
//! edge masking, `ReLU`, the exponent histogram, exponent thresholding and downsampling.
//!
//! *Source*: pages Packers/EdgeMasking (commit 11312888), `ReLU` and `ExponentThresholding` (f7fda211), `ExponentHistogram` and
//! Downsampling (39304719), and `FormatConversion` (f7fda211), lines 33 to 46, for data from L1; page ZEROACC (98f32c22),
//! line 5, for rows of `Dst` that are not valid.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::config::pack::{
    Downsample_mask, Exp_threshold, Exp_threshold_en, In_data_format, Out_data_format,
    PACK_COUNTERS_SEC_pack_reads_per_xy_plane, PACK_COUNTERS_SEC_pack_yz_transposed, PCK_EDGE_MODE_mode,
    PCK_EDGE_OFFSET_SEC_mask, PCK_EDGE_TILE_FACE_SET_SELECT_enable, PCK_EDGE_TILE_FACE_SET_SELECT_select,
    PCK_EDGE_TILE_ROW_SET_SELECT_select, STACC_RELU_ApplyRelu, STACC_RELU_ReluThreshold, TILE_FACE_SET_MAPPING,
    TILE_ROW_SET_MAPPING, enable_acc_stats,
};
use tandem_isa::tensix::format::{BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT32, TF32};
use tandem_isa::tensix::{
    Chip, PACKERS_EDGE_MASKING, PACKERS_EXPONENT_HISTOGRAM, PACKERS_FORMAT_CONVERSION, PACKERS_INPUT_ADDRESS_GENERATOR,
    PACKERS_RELU, PACR_BH, Small, Tensix,
};

use super::formats::{Early, Type, intermediate_format, of_format};
use super::{BEYOND_REASON, Input, InputSource, Issue, Traffic, undefined, unspecified};
use crate::bits::U;
use crate::tensix::l1::l1_row;
use crate::tensix::moves::{read_dst16b, read_dst32b};

const COUNTER_REASON: &str = "the width of the counter, and what comes behind its last value, are not said";
const GROUP_REASON: &str = "which data share an exponent is not said where there are no whole groups of 16";
const HISTOGRAM_REASON: &str = "the exponent of an integer of eight bits is unspecified";
const NINE_BITS_REASON: &str = "a row of ten bits is reduced to nine, and page Dst has all ten count";
const INFINITY_REASON: &str = "which bits minus infinity has in this type is not said";
const INTEGER_REASON: &str = "integers should have no such mode";
const L1_FORMAT_REASON: &str = "there is no such format of data from L1";
const THRESHOLD_REASON: &str = "a threshold that is negative is undefined";
const VALUE_REASON: &str = "what the threshold stands for in this type is not said";

/// The data that a packer goes on with, and their type.
// Of page `PACKERS_DOWNSAMPLING`.
// Shown by `downsampling_takes_what_the_mask_says`.
// [3] Of 16 data those are packed whose bit is set, one behind the other.
// [3] What one does for other patterns. Not modelled: this is advice.
pub(super) fn downsampling(
    issue: &Issue<'_>,
    tensix: &mut Tensix<'_>,
    input: &Input,
    traffic: &mut Traffic,
) -> ControlFlow<Expectation, (Type, Vec<u32>)> {
    let packer = input.packer;
    let is_from_dst = input.source == InputSource::Dst && input.input_num_datums != 0;
    let early = if is_from_dst { Some(Early::of(issue, tensix.small, packer)?) } else { None };
    if early.is_some_and(|early| is_byte(early.to)) {
        tensix.leave_packer_stats_open(packer, cite!(PACKERS_EXPONENT_HISTOGRAM, "line 37", HISTOGRAM_REASON));
    }
    let mut data = Vec::new();
    // [PACR_BH 42] Of each row as many are packed. (`interfaces_have_a_row_of_four_each`)
    for (k, &address) in (0..).zip(&input.addresses) {
        let before = data.len();
        // [9-10] The mask has 16 bits, and 0 means all of them.
        let mut mask = issue.of(packer, Downsample_mask);
        if mask == 0 {
            mask = 0xffff;
        }
        // [11] There are as many data as the generator said.
        for i in 0..input.input_num_datums {
            let addr = address + i * input.stride; // [12] Each is fetched, and dropped after that.
            let datum = match (input.source, early) {
                (InputSource::Dst, Some(early)) => from_dst(issue, tensix, packer, early, addr, k)?,
                (InputSource::L1, _) => from_l1(issue, tensix, packer, addr, traffic)?,
                _ => 0,
            };
            // [13-16] The lowest bit says whether it goes on.
            if mask & 1 != 0 {
                data.push(datum);
            }
            mask = 0xffff & mask << 15 | mask >> 1; // [18] The mask rotates.
        }
        let is_bfp = matches!(issue.of(packer, Out_data_format), BFP8 | BFP4 | BFP2 | BFP8A | BFP4A | BFP2A);
        if is_bfp && !(data.len() - before).is_multiple_of(16) {
            return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 56-59", GROUP_REASON));
        }
    }
    let from = match early {
        _ if data.is_empty() => Type::Fp32,
        Some(early) => early.to,
        None => of_format(issue.of(packer, In_data_format))?,
    };
    ControlFlow::Continue((from, data))
}

/// A datum from L1.
// Of page `PACKERS_FORMAT_CONVERSION`.
// Shown by `packer_0_can_read_l1`.
// [33] There is no early conversion, and data have whole bytes.
// [34] Data of 32, 16 and 8 bits become:
fn from_l1(
    issue: &Issue<'_>,
    tensix: &mut Tensix<'_>,
    packer: usize,
    addr: u32,
    traffic: &mut Traffic,
) -> ControlFlow<Expectation, u32> {
    let row = U::<32>::new(addr >> 4).index();
    if row >= issue.chip.l1_bytes() / 16 {
        return unspecified(cite!(PACKERS_INPUT_ADDRESS_GENERATOR, "line 49", BEYOND_REASON));
    }
    traffic.read.insert(row);
    let word = l1_row(tensix, row)?[U::<2>::new(addr >> 2).index()];
    let (of_16_bits, of_8_bits) = (word >> (8 * (addr & 2)) & 0xffff, word >> (8 * (addr & 3)) & 0xff);
    let from = issue.of(packer, In_data_format);
    ControlFlow::Continue(match of_format(from)? {
        // [37] TF32 does not come from L1.
        Type::Tf32 => return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 37", L1_FORMAT_REASON)),
        Type::Fp32 | Type::Int32 => word, // [36, 44] FP32 and INT32 have 32 bits.
        // [38, 41] BFP8 and BFP8a have the sign and the mantissa, and no exponent.
        // [PACKERS_INPUT_ADDRESS_GENERATOR 51-52] Their exponents are not fetched.
        Type::Bf16 if from == BFP8 => (of_8_bits & 0x80) << 24 | (of_8_bits & 0x7f) << 16,
        Type::E5m7 => (of_8_bits & 0x80) << 8 | (of_8_bits & 0x7f) << 3,
        Type::Bf16 => of_16_bits << 16,         // [38] BF16 has 16 bits, …
        Type::Fp16 | Type::Int16 => of_16_bits, // [40, 45] … as have FP16 and INT16.
        Type::Fp8 => of_8_bits << 8,            // [43] FP8 has eight, …
        _ => of_8_bits,                         // [46] … as have INT8 and UINT8.
                                                 // [39, 42] E8M6 and E5M6 do not come from L1. Not modelled: no format means them there.
    })
}

/// A datum from `Dst`, with all that becomes of it in front of downsampling.
// Shown by `every_stage_comes_in_its_order`.
fn from_dst(
    issue: &Issue<'_>,
    tensix: &mut Tensix<'_>,
    packer: usize,
    early: Early,
    addr: u32,
    k: u32,
) -> ControlFlow<Expectation, u32> {
    let datum = fetch_from_dst(issue, tensix, packer, early, addr, k)?;
    let datum = relu_stage(issue, early.to, datum)?;
    update(issue, tensix, packer, early.to, datum);
    ControlFlow::Continue(apply_exponent_thresholding(issue, packer, early.to, datum))
}

/// `FetchFromDst`: edge masking.
// Of page `PACKERS_EDGE_MASKING`.
// Shown by `edge_masks_replace_data_by_their_position`.
// [3] Data of some positions become 0 or minus infinity.
// [74] Where all masks are one the position does not matter.
fn fetch_from_dst(
    issue: &Issue<'_>,
    tensix: &mut Tensix<'_>,
    packer: usize,
    early: Early,
    addr: u32,
    k: u32,
) -> ControlFlow<Expectation, u32> {
    // [11-12] A packer has a position.
    // [42, 44-47] It has X, Y and Z.
    let position = tensix.small.packers[packer];
    // [PACR_BH 59] On Blackhole each enabled interface is one further than the one before it.
    let y = position.y + k;
    let select = |of: u32| U::<2>::new(of >> (2 * packer)).index();
    // [13] It selects one of four sets of rows.
    let b = if issue.get(PCK_EDGE_TILE_FACE_SET_SELECT_enable) != 0 {
        // [14] With a field set, Z does:
        // [15] Z has an offset of the packer, …
        let z = (tensix.small.dest_target_reg_cfg_pack_sec[packer] >> 12 & 0x3f) + position.z;
        // [16] … two bits of the packer select one of four sets of faces, …
        let a = select(issue.get(PCK_EDGE_TILE_FACE_SET_SELECT_select));
        // [17] … and the low four bits of Z a set of rows of that.
        U::<2>::new(issue.get(TILE_FACE_SET_MAPPING[a]) >> (2 * (z & 0xf))).index()
    } else {
        select(issue.get(PCK_EDGE_TILE_ROW_SET_SELECT_select)) // [18-19] Without it, two bits of the packer do.
    };
    // [21] The low four bits of Y select one of four masks in that.
    let c = U::<2>::new(issue.get(TILE_ROW_SET_MAPPING[b]) >> (2 * (y & 0xf))).index();
    let edge_mask = U::<16>::new(issue.get(PCK_EDGE_OFFSET_SEC_mask[c])); // [22] A mask has a bit for each column.
    if issue.chip == Chip::Wormhole {
        advance(issue, tensix.small, packer)?; // [23] The position goes on by a datum.
    }

    // [25-26] The row, of ten bits, and the column come from the address.
    let (row, column) = (U::<10>::new(addr >> 4), U::<4>::new(addr));
    // [27] A datum whose bit is set is read, …
    if edge_mask.bit(column.get()) {
        // [28-30] … from Dst32b, of which the row has nine bits then, …
        // [31-32] … or from Dst16b, and converted. (`an_early_conversion_is_what_the_fields_say`)
        // [29, TX-150] Which nine they are page Dst says otherwise, so nothing is promised of rows that differ.
        if early.read_32b_data && row.get() >= 512 {
            return unspecified(cite!(PACKERS_EDGE_MASKING, "line 29", NINE_BITS_REASON));
        }
        // [ZEROACC_NEWEST 4] Of a row that is not valid all data are 0. (`rows_of_dst_that_are_not_valid_are_zeros`)
        let datum = if early.read_32b_data {
            read_dst32b(issue.chip, tensix, row, column.index())
        } else {
            read_dst16b(issue.chip, tensix, row, column.index()).get()
        };
        return early.convert(datum);
    }
    // [36-37] Without the mode others are 0, …
    if issue.get(PCK_EDGE_MODE_mode) == 0 {
        return ControlFlow::Continue(0);
    }
    // [34-35] … and with it they are minus infinity, which types of eight bits of exponent have.
    if early.to.exponent_bits() == 8 {
        ControlFlow::Continue(0xff80_0000)
    } else {
        unspecified(cite!(PACKERS_EDGE_MASKING, "line 35", INFINITY_REASON))
    }
}

/// `TilePositionGenerator.Advance` of Wormhole.
// Of page `PACKERS_EDGE_MASKING`.
// Shown by `the_position_counts_data_rows_and_faces`.
fn advance(issue: &Issue<'_>, small: &mut Small, packer: usize) -> ControlFlow<Expectation> {
    let reads_per_xy_plane = issue.get(PACK_COUNTERS_SEC_pack_reads_per_xy_plane[packer]);
    let position = &mut small.packers[packer];
    position.x += 1; // [49, 53] X goes on by one.
    // [54-55] Behind 16 it is 0 again.
    if position.x == 16 {
        position.x = 0;
        if issue.get(PACK_COUNTERS_SEC_pack_yz_transposed[packer]) != 0 {
            count(&mut position.z, &mut position.y, reads_per_xy_plane)?; // [56-60] Then Z goes on, and behind it Y, …
        } else {
            count(&mut position.y, &mut position.z, reads_per_xy_plane)?; // [62-66] … or Y, and behind it Z.
        }
    }
    ControlFlow::Continue(())
}

/// One of Y and Z goes on by one, and the other one with it where a plane ends.
// Shown by `the_position_counts_data_rows_and_faces`.
fn count(inner: &mut u32, outer: &mut u32, reads_per_xy_plane: u32) -> ControlFlow<Expectation> {
    *inner += 1; // [PACKERS_EDGE_MASKING 57, 63] It is one more.
    // [PACKERS_EDGE_MASKING 58-60, 64-66] At the number of rows of a plane it is 0 again, and the other one goes on.
    if *inner == reads_per_xy_plane {
        *inner = 0;
        *outer += 1;
    }
    fits([*inner, *outer])
}

/// Nothing is promised of a counter that passes 255.
fn fits(counters: [u32; 2]) -> ControlFlow<Expectation> {
    // [PACKERS_EDGE_MASKING 45-46] Their widths are not said.
    // (`a_position_beyond_eight_bits_promises_nothing`)
    if counters.iter().any(|&counter| counter > 255) {
        return unspecified(cite!(PACKERS_EDGE_MASKING, "lines 45-46", COUNTER_REASON));
    }
    ControlFlow::Continue(())
}

/// The position of Blackhole goes on.
// Of page `PACR_BH`.
// Shown by `the_position_of_blackhole_counts_interfaces`.
pub(super) fn advance_by_interfaces(issue: &Issue<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    let position = &mut small.packers[0];
    // [59] Each instruction has it go on by the number of enabled interfaces.
    position.y += u32::try_from(issue.interfaces.len()).expect("there are four");
    // [59] The number of rows of a plane makes it 0, and begins the next plane; what passes that goes on.
    if position.y == issue.get(PACK_COUNTERS_SEC_pack_reads_per_xy_plane[0]) {
        position.y = 0;
        position.z += 1;
    }
    if position.y > 255 || position.z > 255 {
        return unspecified(cite!(PACR_BH, "line 59", COUNTER_REASON));
    }
    ControlFlow::Continue(())
}

/// `ReLUStage`.
// Of page `PACKERS_RELU`.
// Shown by `relu_has_four_modes`.
// [3] It comes behind the early conversion. (`every_stage_comes_in_its_order`)
// [53] With FP32 the threshold is BF16, which is the top of that.
fn relu_stage(issue: &Issue<'_>, of: Type, x: u32) -> ControlFlow<Expectation, u32> {
    let mode = issue.get(STACC_RELU_ApplyRelu) & 3; // [31-32] Two bits select the mode.
    // [33-35] 0 does nothing.
    if mode == 0 {
        return ControlFlow::Continue(x);
    }
    let intermediate_format = intermediate_format(issue);
    // [11, 18-24] Five formats have a threshold of FP16, …
    // [25-28] … and all others one of BF16.
    let is_fp16 = matches!(intermediate_format, FP16 | FP8 | BFP8A | BFP4A | BFP2A);
    let threshold = issue.get(STACC_RELU_ReluThreshold);
    let (threshold, exponent_then) = if is_fp16 { (threshold, 0x1f << 10) } else { (threshold << 16, 0xff << 23) };
    let has_threshold = mode != 1;
    // [41, 45] In modes 2 and 3 it is undefined if it has a sign.
    // (`some_thresholds_promise_nothing`)
    if has_threshold && issue.get(STACC_RELU_ReluThreshold) & 0x8000 != 0 {
        return undefined(cite!(PACKERS_RELU, "lines 41 and 45", THRESHOLD_REASON));
    }
    // [55] Integers have modes 0 and 1, and of 1 positive ones stay.
    // (`some_thresholds_promise_nothing`)
    if of.is_integer() {
        // Where FP32 is called INT32, or the other way round, it is both.
        if has_threshold || (of == Type::Int32) != (intermediate_format == INT32) {
            return unspecified(cite!(PACKERS_RELU, "line 55", INTEGER_REASON));
        }
        return ControlFlow::Continue(if of.sign(x) { 0 } else { x });
    }
    if intermediate_format == INT32 {
        return unspecified(cite!(PACKERS_RELU, "line 55", INTEGER_REASON));
    }
    // [55] Other types are widened for it, and back, and lose nothing.
    if has_threshold && threshold & exponent_then == exponent_then {
        return unspecified(cite!(PACKERS_RELU, "lines 24 and 27", VALUE_REASON));
    }
    if mode == 3 && threshold & !of.mask() != 0 {
        return unspecified(cite!(PACKERS_RELU, "lines 47 and 55", VALUE_REASON));
    }
    // NaN is not below anything, nor above.
    if of.exponent_bits() == 8 && of.magnitude(x) > 0x7f80_0000 {
        return ControlFlow::Continue(x);
    }
    let is_at_most_0 = of.sign(x) || x == 0;
    ControlFlow::Continue(match mode {
        1 if is_at_most_0 => 0, // [36-38] 1 keeps what is above 0.
        1 => x,
        2 if is_at_most_0 || x <= threshold => 0, // [39-40, 42] 2 keeps what is above the threshold.
        2 => x,
        _ if is_at_most_0 => 0, // [43-44, 46] 3 keeps what is above 0, …
        _ => x.min(threshold),  // [47-48] … up to the threshold.
    })
}

/// Whether data are integers of eight bits.
fn is_byte(of: Type) -> bool {
    of == Type::Int8 || of == Type::Uint8
}

/// `Update` of the exponent histogram.
// Of page `PACKERS_EXPONENT_HISTOGRAM`.
// Shown by `exponents_are_counted`.
// [3] Each packer counts exponents of data from Dst.
// [7] [10-11] It has 32 numbers, and the largest exponent, of eight bits each.
// [13-15] Reset makes them all 0. Not modelled: that is another instruction's.
// [30] The numbers can be moved to GPRs. Not modelled: that is another instruction's.
// [30] It sees data behind the early conversion, masks and ReLU. (`every_stage_comes_in_its_order`)
fn update(issue: &Issue<'_>, tensix: &mut Tensix<'_>, packer: usize, of: Type, d: u32) {
    // [18-19] A datum has an exponent.
    // [32] Which that is hangs on what the early conversion gives.
    // [37, TX-149] Of INT8 it is unspecified, and whatever is counted.
    if is_byte(of) {
        return;
    }
    let exponent = match of {
        Type::Int16 => d & 0xff,               // [36] Of INT16 it is the low eight bits.
        Type::Int32 => Type::Fp32.exponent(d), // [35] Of INT32 it is that of the same bits as FP32.
        of => of.exponent(d),                  // [33-34] Of floats it is raw, of five bits or of eight.
    };
    let exponent = exponent.to_le_bytes()[0];
    let enable = enable_acc_stats(issue.chip);
    let is_enabled = tensix.small.thread_config.iter().any(|thread| enable.get(thread) != 0);
    let stats = tensix.packer_stats_mut(packer);
    // [20-22] Any of the three threads can enable the numbers.
    if is_enabled {
        let bin = usize::from(exponent & 31); // [23, 34] Of the exponent five bits count.
        stats[bin] = stats[bin].saturating_add(1); // [24] A number stays at 255.
    }
    stats[32] = stats[32].max(exponent); // [26] The largest is kept in any case.
}

/// `ApplyExponentThresholding`.
// Of page `PACKERS_EXPONENT_THRESHOLDING`.
// Shown by `data_with_small_exponents_become_zero`.
// [3] Data near 0 become that.
// [9] It is done to each datum from Dst.
fn apply_exponent_thresholding(issue: &Issue<'_>, packer: usize, of: Type, d: u32) -> u32 {
    // [12] It is done if the packer has a field set.
    if issue.of(packer, Exp_threshold_en) != 0 {
        let threshold = issue.of(packer, Exp_threshold); // [13] The threshold has eight bits.
        // [14-15] The format is that of the input.
        let has_exponent = match issue.of(packer, In_data_format) {
            FP32 | TF32 | BF16 | BFP8 | BFP4 => true, // [16-17, 21] These have eight bits of exponent.
            FP16 | FP8 | BFP8A | BFP4A => true,       // [22-24] These have five, with zeros above.
            _ => false, // [28-31] BFP2a is undefined, and has promised nothing before this; others have none.
        };
        // [18-19, 25-26] Below it a datum is 0.
        if has_exponent && of.exponent(d) < threshold {
            return 0;
        }
    }
    d // [34] Others stay.
}
