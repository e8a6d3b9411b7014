//! `MVMUL`, `GAPOOL`, `ELWADD`, `ELWSUB` and `ELWMUL` in integer style.
//!
//! Their pages call the model of other styles a rough guide, and nothing is promised of these. *Errata*: TX-60 to TX-64.
//!
//! *Source*: pages MVMUL, ELWADD, ELWMUL and MatrixUnit (commit 1ae1f852), GAPOOL and ELWSUB (39304719).

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

#![expect(clippy::needless_range_loop, reason = "loops go over indices, as those of the pages do")]

use std::ops::ControlFlow;

use tandem_isa::tensix::config;
use tandem_isa::tensix::inst::matrix::{
    ADD_DST, BROADCAST_COL0, BROADCAST_ROW, MVMUL_BROADCAST_ROW, addr_mod, pool_addr_mod,
};
use tandem_isa::tensix::{Chip, ELWADD, ELWMUL, ELWSUB, GAPOOL, MATRIX_UNIT_NEWEST, MVMUL, Small, Tensix};
use tandem_isa::{Citation, CodeField, Expectation, Step};

use super::{
    FORCED_REASON, Formats, Rows, Style, WAIT_GATE_REASON, dst32b, fidelity_phase, finish, finish_dst32b_row,
    set_dst32b, wait_gate,
};
use crate::bits::U;
use crate::tensix::dst::{COLUMNS, dst_decode_fp32, dst_encode_fp32};
use crate::tensix::mova2d::config_state;
use crate::tensix::moves::{Source, is_on, truncate_src};
use crate::tensix::{UNNAMED_REASON, check};

const FLOAT_REASON: &str = "what is computed in floating point is a rough guide, and no exact description";

/// Breaks off unless the style is integer.
fn integer_style(formats: &Formats, citation: &'static Citation) -> ControlFlow<Expectation> {
    // [MVMUL 103, 105-107] [MVMUL 117-119] [MVMUL 132-135, 137] [MVMUL 149-162] [MVMUL 186] What the other styles do. Not modelled:
    // the last line of the page calls it a rough guide, so nothing is promised of it.
    // [MVMUL 13] [ELWMUL 13] Of FP16 and TF32 one bit of SrcA is ignored. Not modelled: nothing is promised of them.
    // [ELWADD 104-109, 111-125] [ELWADD 149] [ELWMUL 108-113, 115-127] [ELWMUL 151] What the other styles do. Not modelled: the last line of the
    // page calls it a rough guide, so nothing is promised of it.
    // [MVMUL 9-10] [ELWADD 9-10] [ELWMUL 9-10] Types of floating-point data. Not modelled: nothing is promised of them.
    // [MVMUL 80] [ELWADD 76] [ELWMUL 80] Dst then has 32 bits with Fp32_enabled. Not modelled: nothing is promised of them.
    if formats.style == Style::Int8 {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(Expectation::Unspecified(citation))
    }
}

/// Whether data whose exponent is 0 are flushed: of `SrcB`, and only if the configuration says so.
fn flush_denormals(small: &Small) -> bool {
    let (config, _) = config_state(small);
    // [MVMUL 82] [ELWADD 78] [ELWMUL 82] Denormals of SrcB are flushed unless Zero_Flag_disabled_src is set; the behaviour is
    // not known in full, and integer data show nothing of it (TX-63).
    !is_on(config, config::ALU_ACC_CTRL_Zero_Flag_disabled_src)
}

// ------------------------------------------------------------------------------------------------ helpers of MatrixUnit

/// Reads a datum of a source, which must be an integer "8", and cuts it by its format.
///
/// *Outcomes*: breaks with [`Expectation::Unsupported`] if it is none (TX-63).
fn read_integer_8(
    formats: &Formats,
    tensix: &mut Tensix<'_>,
    source: Source,
    row: U<6>,
    column: usize,
) -> ControlFlow<Expectation, U<19>> {
    let word = source.read(tensix, row, column);
    // TX-63: that is asked of the datum as it lies in the source: its exponent, or all of it but the sign.
    // [MATRIX_UNIT_NEWEST 102-108] An INT8 has an exponent of 16, or is 0; what is not so is unsupported.
    if (word & 0xff).get() != 16 && (word & 0x3_ffff).get() != 0 {
        return ControlFlow::Break(Expectation::Unsupported(cite!(
            MATRIX_UNIT_NEWEST,
            "lines 102-108",
            "TX-63: a datum whose raw exponent is not 16, nor 0 with a magnitude of 0, is no integer \"8\", and to compute with it is unsupported functionality"
        )));
    }
    let fmt = match source {
        Source::A => formats.srca_fmt,
        Source::B => formats.srcb_fmt,
    };
    ControlFlow::Continue(truncate_src(formats.chip, word, fmt))
}

/// `ReadSrcInt8`. *Source*: page MatrixUnit, section Pseudocode helpers.
fn read_src_int8(x: U<19>, flush_denormals: bool) -> i32 {
    // [MATRIX_UNIT_NEWEST 109] A datum whose low eight bits are 0 is 0 if denormals are flushed.
    if flush_denormals && (x & 0xff).get() == 0 {
        return 0;
    }
    // [MATRIX_UNIT_NEWEST 110-112] The value is the magnitude with its sign.
    let sign = x >> 18;
    let mag = ((x >> 8) & 0x3ff).get().cast_signed();
    if sign.get() != 0 { -mag } else { mag }
}

/// `DstDecodeInt32`. *Source*: page MatrixUnit, section Pseudocode helpers.
fn dst_decode_int32(x: u32) -> i32 {
    // [MATRIX_UNIT_NEWEST 116-121] From sign and magnitude to two's complement.
    let x = dst_decode_fp32(x);
    let result = (x & 0x7fff_ffff).cast_signed();
    if x & 0x8000_0000 != 0 { -result } else { result }
}

/// Reads `Dst32b[row][column]` as a number; a row that is not valid reads as 0.
fn dst(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> i32 {
    dst_decode_int32(dst32b(chip, tensix, row, column).unwrap_or(0))
}

/// `DstEncodeInt32`. *Source*: page MatrixUnit, section Pseudocode helpers.
fn dst_encode_int32(x: i32) -> u32 {
    let mut x = x.cast_unsigned();
    // [MATRIX_UNIT_NEWEST 126-127] From two's complement to sign and magnitude.
    if x & 0x8000_0000 != 0 {
        x = 0x8000_0000 | x.wrapping_neg();
    }
    // [MATRIX_UNIT_NEWEST 129] Its bits are put in the order of Dst.
    dst_encode_fp32(x)
}

/// `SaturateAddInt32`. *Source*: page MatrixUnit, section Pseudocode helpers.
// [ELWADD 13] [ELWMUL 17] A sum with Dst saturates at 2^31 - 1 and its negative.
// (`integer_sums_saturate_at_both_ends_and_a_negative_zero_becomes_zero`)
fn saturate_add_int32(x: i32, y: i32) -> i32 {
    // [MATRIX_UNIT_NEWEST 133] The sum is made in 64 bits.
    let result = i64::from(x) + i64::from(y);
    // [MATRIX_UNIT_NEWEST 134-139] Beyond ± (2^31 - 1) it is that.
    if result > 0x7fff_ffff {
        0x7fff_ffff
    } else if result < -0x7fff_ffff {
        -0x7fff_ffff
    } else {
        i32::try_from(result).expect("it lies between the two")
    }
}

/// The bits of a datum of `SrcA` that a fidelity phase multiplies.
fn srca_bits(phase: U<2>) -> u32 {
    // [MVMUL 15] [ELWMUL 15] The two highest bits of a magnitude of SrcA are in no phase.
    // (`phases_take_five_and_three_bits_of_srca_and_four_and_six_of_srcb`)
    // [MVMUL 116] [ELWMUL 102] Of SrcA an odd phase takes the low five bits of the magnitude, and an even one the next three.
    if phase.bit(0) { 0x4_1fff } else { 0x4_e0ff }
}

/// The bits of a datum of `SrcB` that a fidelity phase multiplies.
fn srcb_bits(phase: U<2>) -> u32 {
    // [MVMUL 104] [ELWMUL 103] Of SrcB phases 2 and 3 take the low four bits of the magnitude, and phases 0 and 1 the other six.
    if phase.bit(1) { 0x4_0fff } else { 0x7_f0ff }
}

// ------------------------------------------------------------------------------------------------ matrices

/// `MVMUL`: add the product of a matrix of `SrcB` and one of `SrcA` to `Dst`.
///
/// *Source*: page MVMUL, commit 1ae1f852.
// Of page `MVMUL`.
// [21] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [19] A picture shows where the data go.
// [48] What follows happens in the Matrix Unit.
pub fn mvmul(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(MVMUL, "lines 39-46", WAIT_GATE_REASON))?;
    // [26-30] Two bits for what is flipped, BroadcastSrcBRow, AddrMod, and a row of ten bits.
    // (`encodings_and_texts_round_trip`)
    // [35] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(MVMUL, "lines 26-30 and 35", UNNAMED_REASON))?;
    // [17] One row of SrcB can stand for all of them. (`a_row_that_is_broadcast_goes_to_every_other_row`)
    let broadcast = MVMUL_BROADCAST_ROW.get(step.code) != 0;
    // [85] There are seven rows with BroadcastSrcBRow, and eight without.
    let num_rows = if broadcast { 7 } else { 8 };
    let addr_mod = addr_mod(Chip::of(step.instruction));
    multiply_matrices(step, tensix, num_rows, broadcast, addr_mod)
}

/// `GAPOOL`: the same with four rows.
///
/// *Source*: page GAPOOL, commit 39304719.
// Of page `GAPOOL`.
// [3] The matrices of SrcB and Dst have four rows, and no row is broadcast. That of SrcB is the top half of eight aligned
// rows, and that of Dst is aligned to four. Other instructions may be faster. (`four_rows_are_aligned_to_four_in_dst_alone`)
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn gapool(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(MVMUL, "lines 39-46", WAIT_GATE_REASON))?;
    // [10-15, TX-64] Two bits for what is flipped, AddrMod, a row of ten bits, and between them constants that are 0.
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(GAPOOL, "lines 10-15 and 20", UNNAMED_REASON))?;
    // [24] The rest is as in MVMUL.
    let broadcast = false; // [25] No row is broadcast.
    // [26] There are four rows. The row of SrcB is aligned as in MVMUL, and that of Dst to four.
    let num_rows = 4;
    let addr_mod = pool_addr_mod(Chip::of(step.instruction));
    multiply_matrices(step, tensix, num_rows, broadcast, addr_mod)
}

/// What both do once dispatched.
// [MVMUL 3] A matrix of SrcB, of eight rows, is multiplied with one of SrcA, of sixteen, and added to eight rows of Dst. Phases
// take some bits each. A row of Dst that is not valid reads as 0. (`a_product_of_matrices_is_added_to_dst`)
// [MVMUL 11] Data of the sources are integer "8", and those of Dst integer "32". (`a_product_of_matrices_is_added_to_dst`)
fn multiply_matrices(
    step: &Step<'_>,
    tensix: &mut Tensix<'_>,
    num_rows: u32,
    broadcast: bool,
    addr_mod: CodeField,
) -> ControlFlow<Expectation> {
    let formats = Formats::of(step, tensix.small, cite!(MVMUL, "lines 65-66", FORCED_REASON))?;
    integer_style(&formats, cite!(MVMUL, "line 186", FLOAT_REASON))?;
    let chip = formats.chip;
    // [MVMUL 56] [MVMUL 71] Dst has 32 bits.
    let flush_denormals = flush_denormals(tensix.small);
    // [MVMUL 84] Then the rows are determined.
    let rows = Rows::of(step, tensix.small);
    // The summary has 16 aligned rows, and the mask eight.
    // [MVMUL 86, TX-60] The row of SrcA is the thread's counter without its low three bits.
    let srca_row = rows.srca & reads!(0x38, "tx60-srca-aligned-to-16", 0x30);
    if srca_row.get() > 48 {
        return ControlFlow::Break(Expectation::Unspecified(cite!(
            MVMUL,
            "lines 86 and 114",
            "TX-60: sixteen rows from row 56 of SrcA on would go beyond its last one"
        )));
    }
    // [MVMUL 87] That of SrcB is its counter, without its low three bits unless it is broadcast.
    let srcb_row = rows.srcb & if broadcast { 0x3f } else { 0x38 };
    // [MVMUL 90, TX-61] The number of rows, subtracted from 1,024, is the mask of the row of Dst.
    let dst_row = rows.dst & reads!(0x400 - num_rows, "tx61-broadcast-row-aligned-to-8", (0x400 - num_rows) & !1);
    let phase = fidelity_phase(chip, tensix.small);

    // [MVMUL 97] Matrices are extracted and multiplied.
    // [MVMUL 98] There are three, of integers here.
    let mut srcb_matrix = [[0; COLUMNS]; 8];
    let mut srca_matrix = [[0; COLUMNS]; 16];
    let mut multiplied = [[0; COLUMNS]; 8];
    // [MVMUL 100] Each row of SrcB is looked at.
    for i in 0..num_rows {
        // [MVMUL 101] Each column of it.
        for j in 0..COLUMNS {
            // [MVMUL 102] The datum is read and cut by the format of SrcB; of a broadcast row always the same.
            let row = srcb_row + if broadcast { U::new(0) } else { U::new(i) };
            let srcb_val = read_integer_8(&formats, tensix, Source::B, row, j)?;
            srcb_matrix[U::<3>::new(i).index()][j] = read_src_int8(srcb_val & srcb_bits(phase), flush_denormals);
        }
    }
    // [MVMUL 112] Each of sixteen rows of SrcA is looked at.
    for i in 0..16 {
        // [MVMUL 113] Each column of it.
        for j in 0..COLUMNS {
            // [MVMUL 114-115] The datum is read and cut by the format of SrcA.
            let srca_val = read_integer_8(&formats, tensix, Source::A, srca_row + U::new(i), j)?;
            srca_matrix[U::<4>::new(i).index()][j] = read_src_int8(srca_val & srca_bits(phase), true);
        }
    }
    // [MVMUL 124] Each row of the product.
    for i in 0..num_rows {
        let i = U::<3>::new(i).index();
        // [MVMUL 125] Each column of it.
        for j in 0..COLUMNS {
            let mut x = 0; // [MVMUL 126-127] It begins with 0.
            // [MVMUL 128] Each of sixteen products is looked at.
            for k in 0..16 {
                x += srcb_matrix[i][k] * srca_matrix[k][j]; // [MVMUL 129] It is added.
            }
            multiplied[i][j] = x; // [MVMUL 131] That is the datum.
        }
    }

    // Of a broadcast row the summary has all seven rows of Dst added to, half of them with 0.
    // [MVMUL 142] The product is added to Dst.
    for i in 0..num_rows {
        // [MVMUL 143, TX-62] Each row, but of a broadcast one every other.
        let is_between = broadcast && i & 1 != 0;
        if reads!(is_between, "tx62-zero-added-between", false) {
            continue;
        }
        let row = dst_row + U::new(i);
        // [MVMUL 144] Each column of it.
        for j in 0..COLUMNS {
            // [MVMUL 145-146] The product's datum.
            let x = if is_between { 0 } else { multiplied[U::<3>::new(i).index()][j] };
            // [MVMUL 147] Dst is added, with saturation.
            let x = saturate_add_int32(x, dst(chip, tensix, row, j));
            set_dst32b(chip, tensix, row, j, dst_encode_int32(x)); // [MVMUL 148] The sum is written.
        }
        finish_dst32b_row(chip, tensix, row)?;
    }
    finish(step, tensix, addr_mod)
}

// ------------------------------------------------------------------------------------------------ datum by datum

/// What one datum of `SrcA` and one of `SrcB` give.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
}

/// `ELWADD`: the sum of `SrcA` and `SrcB`, datum by datum, to `Dst` or added to it.
///
/// *Source*: page ELWADD, commit 1ae1f852.
// Of page `ELWADD`.
// [15] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn elwadd(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(ELWADD, "lines 35-42", WAIT_GATE_REASON))?;
    // [20-26] Two bits for what is flipped, AddDst, two bits for what is broadcast, AddrMod, and a row of ten bits.
    // (`encodings_and_texts_round_trip`)
    // [31] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ELWADD, "lines 20-26 and 31", UNNAMED_REASON))?;
    let citations = [cite!(ELWADD, "lines 61-62", FORCED_REASON), cite!(ELWADD, "line 149", FLOAT_REASON)];
    datum_by_datum(step, tensix, Operation::Add, ADD_DST.get(step.code) != 0, citations)
}

/// `ELWSUB`: the same with a difference.
///
/// *Source*: page ELWSUB, commit 39304719.
// Of page `ELWSUB`.
// [3] SrcB is subtracted from SrcA, and goes to Dst or is added to it. One row of SrcB, one column, or one datum can stand for
// all. (`sums_differences_and_products_of_data`)
// [9-10] Types of floating-point data. Not modelled: nothing is promised of them.
// [11] Data of the sources are integer "8", and those of Dst integer "32". (`sums_differences_and_products_of_data`)
// [13] A sum with Dst saturates at 2^31 - 1 and its negative.
// (`integer_sums_saturate_at_both_ends_and_a_negative_zero_becomes_zero`)
// [15] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [35] The rest is as in ELWADD.
// [37] Of floats there is a difference too. Not modelled: nothing is promised of them.
pub fn elwsub(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(ELWADD, "lines 35-42", WAIT_GATE_REASON))?;
    // [20-26] Two bits for what is flipped, AddDst, two bits for what is broadcast, AddrMod, and a row of ten bits.
    // (`encodings_and_texts_round_trip`)
    // [31] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ELWSUB, "lines 20-26 and 31", UNNAMED_REASON))?;
    let citations = [cite!(ELWADD, "lines 61-62", FORCED_REASON), cite!(ELWADD, "line 149", FLOAT_REASON)];
    datum_by_datum(step, tensix, Operation::Subtract, ADD_DST.get(step.code) != 0, citations)
}

/// `ELWMUL`: products of `SrcA` and `SrcB`, datum by datum, added to `Dst`.
///
/// *Source*: page ELWMUL, commit 1ae1f852.
// Of page `ELWMUL`.
// [19] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn elwmul(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(ELWMUL, "lines 39-46", WAIT_GATE_REASON))?;
    // [24-30, TX-64] Two bits for what is flipped, a constant 0, two bits for what is broadcast, AddrMod, and a row of ten bits.
    // [35] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ELWMUL, "lines 24-30 and 35", UNNAMED_REASON))?;
    let citations = [cite!(ELWMUL, "lines 65-66", FORCED_REASON), cite!(ELWMUL, "line 151", FLOAT_REASON)];
    datum_by_datum(step, tensix, Operation::Multiply, true, citations)
}

/// What all three do once dispatched. The citations are of `FP16A_FORCE_Enable`, and of other styles than integer.
// [ELWADD 44] [ELWMUL 48] What follows happens in the Matrix Unit.
// [ELWADD 3] SrcA and SrcB are added, and go to Dst or are added to it. One row of SrcB, one column, or one datum can stand for
// all. (`sums_differences_and_products_of_data`)
// [ELWMUL 3] SrcA and SrcB are multiplied and added to Dst. One row of SrcB, one column, or one datum can stand for all. Phases
// take some bits each. A row of Dst that is not valid reads as 0. (`sums_differences_and_products_of_data`)
// [ELWADD 11] [ELWMUL 11] Data of the sources are integer "8", and those of Dst integer "32".
// (`sums_differences_and_products_of_data`)
fn datum_by_datum(
    step: &Step<'_>,
    tensix: &mut Tensix<'_>,
    operation: Operation,
    add_dst: bool,
    [forced, float]: [&'static Citation; 2],
) -> ControlFlow<Expectation> {
    let formats = Formats::of(step, tensix.small, forced)?;
    integer_style(&formats, float)?;
    let chip = formats.chip;
    // [ELWADD 52] [ELWADD 67] [ELWMUL 56] [ELWMUL 71] Dst has 32 bits.
    let flush_denormals = flush_denormals(tensix.small);
    let broadcast_row = BROADCAST_ROW.get(step.code) != 0;
    let broadcast_col0 = BROADCAST_COL0.get(step.code) != 0;
    // [ELWADD 80] [ELWMUL 84] Then the rows are determined.
    let rows = Rows::of(step, tensix.small);
    // [ELWADD 81] [ELWMUL 85] The row of SrcA is the thread's counter without its low three bits.
    let srca_row = rows.srca & 0x38;
    // [ELWADD 82] [ELWMUL 86] That of SrcB is its counter, without its low three bits unless it is broadcast.
    let srcb_row = rows.srcb & if broadcast_row { 0x3f } else { 0x38 };
    let dst_row = rows.dst & 0x3f8; // [ELWADD 85] [ELWMUL 89] That of Dst loses its low three bits.
    // [ELWADD 87-90] The fidelity phase. Not modelled: integers are added whatever it is.
    let (srca_bits, srcb_bits) = match operation {
        Operation::Add | Operation::Subtract => (0x7_ffff, 0x7_ffff),
        Operation::Multiply => {
            let phase = fidelity_phase(chip, tensix.small);
            (srca_bits(phase), srcb_bits(phase))
        }
    };

    // [ELWADD 92] [ELWMUL 96] Data are computed.
    // [ELWADD 93] [ELWMUL 97] Each of eight rows is looked at.
    for i in 0..8 {
        let row = dst_row + U::new(i);
        // [ELWADD 94] [ELWMUL 98] Each column of it.
        for j in 0..COLUMNS {
            // [ELWADD 95] [ELWMUL 99] A datum of SrcA is read and cut by its format.
            let srca_val = read_integer_8(&formats, tensix, Source::A, srca_row + U::new(i), j)?;
            // [ELWADD 96] [ELWMUL 100] One of SrcB is too; with BroadcastSrcBRow from the same row each time, with
            // BroadcastSrcBCol0 from column 0.
            let other_row = srcb_row + if broadcast_row { U::new(0) } else { U::new(i) };
            let srcb_val = read_integer_8(&formats, tensix, Source::B, other_row, if broadcast_col0 { 0 } else { j })?;
            // [ELWADD 97-98] [ELWMUL 101] In integer style the datum of SrcA is a number, and 0 if its exponent is.
            let srca_val_int = read_src_int8(srca_val & srca_bits, true);
            // [ELWADD 99] That of SrcB is one as well.
            let srcb_val_int = read_src_int8(srcb_val & srcb_bits, flush_denormals);
            let mut result = match operation {
                // [ELWADD 100] They are added.
                Operation::Add => srca_val_int + srcb_val_int,
                // [ELWSUB 36] That of SrcB is subtracted.
                Operation::Subtract => srca_val_int - srcb_val_int,
                // [ELWMUL 104] They are multiplied.
                Operation::Multiply => srca_val_int * srcb_val_int,
            };
            // [ELWADD 101] [ELWMUL 105] Dst has integers.
            // [ELWADD 102] With AddDst the datum of Dst is added, with saturation.
            // [ELWMUL 106] It always is.
            if add_dst {
                result = saturate_add_int32(result, dst(chip, tensix, row, j));
            }
            set_dst32b(chip, tensix, row, j, dst_encode_int32(result)); // [ELWADD 103] [ELWMUL 107] It is written.
        }
        finish_dst32b_row(chip, tensix, row)?;
    }
    finish(step, tensix, addr_mod(chip))
}
