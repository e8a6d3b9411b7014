//! `GMPOOL`: the maximum of a row of `Dst` and of sixteen rows of `SrcA`, column by column.
//!
//! *Source*: page GMPOOL, commit 1ae1f852. *Errata*: TX-64 to TX-67.

// Of page `GMPOOL`.
// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config;
use tandem_isa::tensix::inst::matrix::{ARG_MAX, INSTR_MOD19, pool_addr_mod};
use tandem_isa::tensix::{Chip, GMPOOL, Tensix};
use tandem_isa::{Expectation, Step};

use super::{
    FORCED_REASON, Formats, Rows, Style, WAIT_GATE_REASON, dst32b, finish, finish_dst32b_row, set_dst32b, wait_gate,
};
use crate::bits::U;
use crate::tensix::dst::{COLUMNS, adj16, finish_row, narrow};
use crate::tensix::mova2d::config_state;
use crate::tensix::moves::{Source, is_on, truncate_src};
use crate::tensix::{UNNAMED_REASON, check};

/// What data of `Dst` are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DstStyle {
    Int32,
    Fp16,
    Bf16,
    Tf32,
}

/// What is compared: not quite a number, but in the order of one.
// [110-113] A sign, nine bits of exponent, and ten of mantissa or magnitude.
#[derive(Clone, Copy)]
struct Datum {
    sign: U<1>,
    exponent: U<9>,
    mag_or_man: U<10>,
}

/// Negative infinity: below all data.
const LOWEST: Datum = Datum { sign: U::new(1), exponent: U::new(!0), mag_or_man: U::new(!0) };

/// What a datum of a row that is not valid reads as.
const UNDEFINED: u32 = !0;

/// `GMPOOL`.
// [30] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [58] What follows happens in the Matrix Unit.
// [3, TX-65] Each column of sixteen rows of SrcA is reduced to its maximum, and that of a row of Dst taken with it. The three
// rows of Dst behind it become 0. A row of Dst that is not valid reads as all bits set. A datum of SrcA is scaled by the exponent
// of one of SrcB, which lie in a row. (`a_row_that_is_not_valid_reads_as_all_bits_set`)
// [9] [11] Which data the sources and Dst may have. (`the_largest_of_sixteen_scaled_data_and_of_dst_is_written`)
// [10, TX-66] FP16 data may go to TF32 data in Dst.
// [13] Of an integer of Dst the sign and 19 bits are looked at, and 13 bits are written.
// (`nineteen_bits_of_an_integer_are_compared_and_thirteen_written`)
// [15] [28] To integers the exponent of SrcB is 0 or not. (`an_exponent_of_zero_in_srcb_makes_the_lowest_datum`)
// [17] The index of the largest of the first eight rows is tracked, and written if Dst has 32 bits.
// (`an_index_comes_from_the_first_eight_rows_and_of_equal_data_from_the_last_visited`)
// [21-24] What can be written with the index, or instead. (`an_index_comes_from_the_first_eight_rows_and_of_equal_data_from_the_last_visited`)
// [26] The maximum is that of all sixteen rows. (`an_index_comes_from_the_first_eight_rows_and_of_equal_data_from_the_last_visited`)
pub fn gmpool(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(tensix.small, cite!(GMPOOL, "lines 49-56", WAIT_GATE_REASON))?;
    // [35-36] [38-40] Two bits for what is flipped, AddrMod, ArgMax, and a row of ten bits. (`encodings_and_texts_round_trip`)
    // [45] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(GMPOOL, "lines 35-40 and 45", UNNAMED_REASON))?;
    // [37, TX-64] The second argument is always true.
    if INSTR_MOD19.get(step.code) == 0 {
        return ControlFlow::Break(Expectation::Unspecified(cite!(
            GMPOOL,
            "lines 37 and 45",
            "TX-64: the second argument is always true, and the page does not say what happens where it is not"
        )));
    }
    // [65-66] There are a style of the sources, one of Dst, and the number of bits that Dst has.
    let formats = Formats::of(step, tensix.small, cite!(GMPOOL, "lines 75-76", FORCED_REASON))?;
    let (chip, style) = (formats.chip, formats.style);
    let arg_max = ARG_MAX.get(step.code) != 0;
    let (config, _) = config_state(tensix.small);
    // [83] In integer style Dst has 32 bits.
    // [85] In others it has them with Fp32_enabled.
    let use_dst32b = style == Style::Int8 || is_on(config, config::ALU_ACC_CTRL_Fp32_enabled);
    let dst_style = dst_style(style, arg_max, use_dst32b);
    // What is added to an exponent of Dst so that it compares with a sum of two of the sources.
    let bias = dst_bias(style, dst_style);

    // [116] Then the rows are determined.
    let rows = Rows::of(step, tensix.small);
    let srca_row = rows.srca & 0x30; // [117] That of SrcA is the thread's counter without its low four bits.
    let srcb_row = rows.srcb & 0x38; // [118] That of SrcB is its counter without its low three bits.
    let dst_row = rows.dst & 0x3fc; // [121] That of Dst loses its low two bits.

    // [123-124] Each column is looked at.
    for j in 0..COLUMNS {
        // [125-126] A datum of Dst is what the maximum begins with.
        let (read, undefined) = if use_dst32b {
            (dst32b(chip, tensix, dst_row, j), UNDEFINED) // [127-128] It has 32 bits.
        } else {
            (dst16b(chip, tensix, dst_row, j), UNDEFINED << 16) // [129-130] Or 16, which lie above 16 zeros.
        };
        let mut dst_val = read.unwrap_or(undefined);
        // [132] It is read as its style says.
        let max = read_dst(dst_val, dst_style, bias);
        // TX-65: that of a row which is not valid is not quite the lowest.
        let mut max = reads!(max, "tx65-invalid-row-below-all", if read.is_some() { max } else { LOWEST });
        let mut max_index = U::<8>::new(dst_val); // [133] Its low eight bits are the index.
        // [134] The four bits above are a phase, which is one more than it was.
        let index_phase = dst_val.wrapping_add(0x100) & 0xf00;
        // [135-136] Each of sixteen rows is looked at.
        for i_ in 0..16 {
            // [137] Of the first eight rows the fifth comes first, so that of equal data another is found.
            let i = if i_ < 8 { i_ ^ 4 } else { i_ };
            // [138] A datum of SrcA is read and cut by its format.
            let srca_val = Source::A.read(tensix, srca_row + U::new(i), j);
            let srca_val = truncate_src(chip, srca_val, formats.srca_fmt);
            // [139] One of SrcB is too: of the one row, in the column that is the number of the row of SrcA.
            let srcb_val = Source::B.read(tensix, srcb_row, U::<4>::new(i).index());
            let srcb_val = truncate_src(chip, srcb_val, formats.srcb_fmt);
            let x = read_and_scale_src(srca_val, style, srcb_val); // [140] The one is scaled by the other.
            // [141] What is not below the maximum takes its place.
            if as_comparable(x) >= as_comparable(max) {
                max = x; // [142] It becomes the maximum.
                // [143] A row has a number of its own in the index.
                let nonlinear_i_transform = [0, 3, 6, 1, 4, 7, 2, 5];
                // [144] The first eight rows have one.
                if i < 8 {
                    // [145] The index is that number below the phase.
                    max_index = U::new((index_phase >> 4) + nonlinear_i_transform[U::<3>::new(i).index()]);
                }
            }
        }
        // [149] The result is written to Dst.
        // [150] With ArgMax there is an index.
        if arg_max {
            let index_result = index_phase | max_index.get(); // [151] It is below its phase.
            // [152] To integers of Dst it is all there is.
            if dst_style == DstStyle::Int32 {
                dst_val = index_result; // [153] It alone is written.
            } else {
                dst_val = write_dst(max, dst_style, bias) | index_result; // [154-155] Else the maximum is above it.
            }
        } else {
            dst_val = write_dst(max, dst_style, bias); // [157-158] Without ArgMax the maximum is.
        }
        // [160] With 32 bits all of it is written.
        if use_dst32b {
            set_dst32b(chip, tensix, dst_row, j, dst_val); // [161] That is the datum of the row.
            // [162] The three rows behind it change.
            for i in 1..4 {
                let row = dst_row + U::new(i);
                // [163] They become 0, and with ArgMax a phase, one more than it was.
                let other = if arg_max {
                    dst32b(chip, tensix, row, j).unwrap_or(UNDEFINED).wrapping_add(0x100) & 0xf00
                } else {
                    0
                };
                set_dst32b(chip, tensix, row, j, other);
            }
        } else {
            // [165-166] With 16 bits the high half is written.
            set_dst16b(chip, tensix, dst_row, j, U::new(dst_val >> 16));
            // [167] The three rows behind it change.
            for i in 1..4 {
                set_dst16b(chip, tensix, dst_row + U::new(i), j, U::new(0)); // [168] They become 0.
            }
        }
    }
    for i in 0..4 {
        let row = dst_row + U::new(i);
        if use_dst32b {
            finish_dst32b_row(chip, tensix, row)?;
        } else {
            let row = adj16(chip, tensix.small, row).index();
            finish_row(tensix, row, COLUMNS)?;
        }
    }
    finish(step, tensix, pool_addr_mod(chip))
}

/// `DstStyle`.
fn dst_style(style: Style, arg_max: bool, use_dst32b: bool) -> DstStyle {
    match style {
        // [82] Of integers there is one style.
        Style::Int8 => DstStyle::Int32,
        Style::Bf16 => {
            // [88] With ArgMax and 32 bits an index is written below the maximum.
            if arg_max && use_dst32b {
                DstStyle::Bf16 // [89] The maximum is BF16.
            } else if use_dst32b {
                DstStyle::Tf32 // [90-91] Else it is TF32 if Dst has 32 bits, and BF16 if not.
            } else {
                DstStyle::Bf16
            }
        }
        Style::Fp16 => {
            // [95] With ArgMax and 32 bits an index is written below the maximum.
            if arg_max && use_dst32b {
                DstStyle::Fp16 // [96] The maximum is FP16.
            } else if use_dst32b {
                DstStyle::Tf32 // [97-98] Else it is TF32 if Dst has 32 bits, and FP16 if not.
            } else {
                DstStyle::Fp16
            }
        }
        Style::Tf32 => {
            // [102, TX-67] With ArgMax the index alone is written, or of 16 bits the zeros above it.
            if reads!(arg_max, "tx67-no-index-in-16-bits", arg_max && use_dst32b) {
                DstStyle::Int32 // [103] As an integer.
            } else if use_dst32b {
                DstStyle::Tf32 // [104-105] Else the maximum is TF32 if Dst has 32 bits, and BF16 if not.
            } else {
                DstStyle::Bf16
            }
        }
    }
}

/// By how much exponents of `Dst` are below sums of two exponents of the sources.
fn dst_bias(style: Style, dst_style: DstStyle) -> U<9> {
    // [207, 213, 234, 243] The bias goes by the style of Dst.
    U::new(match dst_style {
        DstStyle::Int32 => 0,
        DstStyle::Fp16 => 15,
        // TX-66: also where the sources are FP16, whose exponents are 112 less.
        DstStyle::Bf16 | DstStyle::Tf32 => {
            let of_fp16 = style == Style::Fp16;
            reads!(127, "tx66-fp16-by-its-own-bias", if of_fp16 { 0x200 + 15 - 112 } else { 127 })
        }
    })
}

// ------------------------------------------------------------------------------------------------ Dst of 16 bits

/// Reads `Dst16b[row][column]`, as the high half of a word; nothing if the row is not valid.
fn dst16b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> Option<u32> {
    let adj_row = adj16(chip, tensix.small, row).index();
    let bits = u32::from(tensix.dst_bits(adj_row, column));
    // TX-08: the mark says whether they count.
    if tensix.dst_row_valid(adj_row) { Some(bits << 16) } else { None }
}

/// Writes `Dst16b[row][column]`.
fn set_dst16b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize, value: U<16>) {
    let adj_row = adj16(chip, tensix.small, row).index();
    tensix.set_dst_bits(adj_row, column, narrow(value));
}

// ------------------------------------------------------------------------------------------------ supporting definitions

/// `ReadDst`.
// [191] The page defines what it calls.
fn read_dst(dst_val: u32, dst_style: DstStyle, bias: U<9>) -> Datum {
    // [193-194] What is read becomes a datum.
    let sign = U::new(dst_val >> 31); // [195] The highest bit is its sign.
    // [196] The rest goes by the style.
    match dst_style {
        // [197] Of integers,
        DstStyle::Int32 => {
            // [198] of which a word of Dst has the magnitude in three parts,
            // [199-200] the low ten bits of the magnitude are compared last, and nine above them first:
            let mag_or_man = U::new(dst_val & 0x3ff); // [201] ten bits,
            let exponent = U::<9>::new((dst_val >> 10) & 0x3f); // [202] six above,
            // [203-204] and three of those that lie elsewhere.
            Datum { sign, exponent: exponent + U::new(((dst_val >> 24) & 7) << 6), mag_or_man }
        }
        // [205] Of FP16,
        DstStyle::Fp16 => {
            // [206] which lies in the high half, with five bits of exponent,
            let exponent = U::new((dst_val >> 16) & 0x1f) + bias; // [207] the exponent grows by 15,
            let mag_or_man = U::new((dst_val >> 21) & 0x3ff); // [208-209] and the mantissa has ten bits.
            Datum { sign, exponent, mag_or_man }
        }
        // [210-211] Of BF16 and TF32,
        DstStyle::Bf16 | DstStyle::Tf32 => {
            // [212] which lie in the high half, with eight bits of exponent,
            let exponent = U::new((dst_val >> 16) & 0xff) + bias; // [213] the exponent grows by 127,
            let mut mag_or_man = U::<10>::new(((dst_val >> 24) & 0x7f) << 3); // [214] and the mantissa has seven bits.
            // [215-216] That of TF32 goes on in the low half:
            if dst_style == DstStyle::Tf32 {
                mag_or_man += U::new((dst_val >> 13) & 7); // [217] with three bits.
            }
            // [219] [221] That is the datum.
            Datum { sign, exponent, mag_or_man }
        }
    }
}

/// `WriteDst`.
fn write_dst(d: Datum, dst_style: DstStyle, bias: U<9>) -> u32 {
    let sign = d.sign.get() << 31;
    // [224-225] A datum becomes what is written, by the style.
    match dst_style {
        // [226] Of integers,
        DstStyle::Int32 => {
            // [227] which have the magnitude in three parts,
            // [228-229] the sign and the low thirteen bits of the magnitude are written.
            sign | (d.exponent & 7).get() << 10 | d.mag_or_man.get()
        }
        // [230] Of FP16,
        DstStyle::Fp16 => {
            // [231] with an exponent of 0 in its low six bits,
            if (d.exponent & 0x3f).get() == 0 {
                0 // [232] zero is written.
            } else {
                let exponent = d.exponent - bias; // [233-234] Else the exponent is 15 less, which may wrap.
                // [235-236] Sign, mantissa and five bits of exponent are written, in the high half.
                sign | d.mag_or_man.get() << 21 | (exponent & 0x1f).get() << 16
            }
        }
        // [238-239] Of BF16 and TF32,
        DstStyle::Bf16 | DstStyle::Tf32 => {
            // [240] with an exponent of 0,
            if d.exponent.get() == 0 {
                0 // [241] zero is written.
            } else {
                let exponent = d.exponent - bias; // [242-243] Else the exponent is 127 less, which may wrap.
                // [244-245] Sign, seven bits of mantissa and eight of exponent are written, in the high half.
                let mut x = sign | (d.mag_or_man & 0x3f8).get() << 21 | (exponent & 0xff).get() << 16;
                // [246-247] The mantissa of TF32 goes on in the low half:
                if dst_style == DstStyle::Tf32 {
                    x += (d.mag_or_man & 7).get() << 13; // [248] with three bits.
                }
                x // [250] That is written.
            }
        }
    }
}

/// `ReadAndScaleSrc`.
fn read_and_scale_src(srca_val: U<19>, style: Style, srcb_val: U<19>) -> Datum {
    // [255] A datum of SrcA is scaled by one of SrcB.
    // [256] The low three bits of the mantissa of BF16 are not used.
    // [257] TF32 has ten bits of mantissa, and eight of exponent.
    // [258] FP16 has three bits of zero above five of exponent.
    // [259] Integers have an exponent of 16 there.
    // [260] It becomes a datum that can be compared.
    let srca_exponent = (srca_val & 0xff).get(); // [261] Eight bits are taken for the exponent of SrcA.
    let srcb_exponent = (srcb_val & 0xff).get(); // [262] Eight are for that of SrcB.
    // [263] With an exponent of 0 in SrcB,
    if srcb_exponent == 0 {
        LOWEST // [264-267] it is negative infinity.
    } else if srca_exponent == 0 {
        // [268-269] With one of 0 in SrcA denormals are flushed:
        Datum { sign: U::new(0), exponent: U::new(0), mag_or_man: U::new(0) } // [270-272] it is zero.
    } else {
        // [273-274] Else ten bits are mantissa or magnitude.
        let srca_mag_or_man = U::new(((srca_val >> 8) & 0x3ff).get());
        let sign = U::new((srca_val >> 18).get()); // [275] The highest bit is the sign.
        // [276] The rest goes by the style.
        let (exponent, mag_or_man) = match style {
            // [277-280] An integer has no exponent.
            Style::Int8 => (U::new(0), srca_mag_or_man),
            // [281-284] Of FP16 five bits of both exponents are added.
            Style::Fp16 => (U::new((srca_exponent & 0x1f) + (srcb_exponent & 0x1f)), srca_mag_or_man),
            // [285-288] Of TF32 both exponents are added.
            Style::Tf32 => (U::new(srca_exponent + srcb_exponent), srca_mag_or_man),
            // [289-292] Of BF16 too, and seven bits of the mantissa count.
            Style::Bf16 => (U::new(srca_exponent + srcb_exponent), srca_mag_or_man & 0x3f8),
        };
        // [295] That is the datum.
        Datum { sign, exponent, mag_or_man }
    }
}

/// `AsComparable`.
fn as_comparable(x: Datum) -> i32 {
    // [298-299] A datum compares as the number whose magnitude is exponent and mantissa together.
    let magnitude = ((x.exponent.get() << 10) + x.mag_or_man.get()).cast_signed();
    if x.sign.get() != 0 { -magnitude } else { magnitude }
}
