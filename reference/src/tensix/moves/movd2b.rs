//! `MOVD2B`: move one row or four rows from `Dst` to `SrcB`.
//!
//! *Source*: page MOVD2B (commit ff52140f). *Errata*: TX-08, TX-10, TX-32, TX-40.

// Of page `MOVD2B`.
// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.
//
// Of `isa/src/tensix/inst/moved_rows_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [10] The first operand is UseDst32bLo.
// [11] The second is SrcRow, six bits.
// [12] The third is AddrMod, two bits.
// [13] The fourth is Move4Rows, shifted left by one.
// [14] The fifth is DstRow, ten bits.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [19, TX-40] A picture shows where the opcode and the fields lie in the word.
//
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [148] In the three cycles after it the Matrix Unit takes only MOVD2B; other instructions are stalled for as long as
// it takes. Not modelled: cycle timing is out of scope by decision.

use std::ops::ControlFlow;

use tandem_isa::tensix::config;
use tandem_isa::tensix::format::{BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::MOVE4_ROWS;
use tandem_isa::tensix::{Chip, MOVD2B, Tensix};
use tandem_isa::{Expectation, Step};

use super::movd2a::{shuffle_bf16, shuffle_fp16, shuffle_tf32};
use super::{
    COLUMNS, IMPLIED_REASON, Source, Style, finish, first_dst_row, is_forced, is_on, read_dst16b, read_dst32b, srca_fmt,
};
use crate::bits::U;
use crate::tensix::mova2d::{block_dest_mov, config_state};
use crate::tensix::{UNNAMED_REASON, check};

/// Executes a `MOVD2B`. *Source*: the functional model, lines 24-118.
// [146] Nothing waits for the bank of SrcB to be the Matrix Unit's; STALLWAIT can.
pub fn movd2b(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVD2B, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    // [24-25] Configuration comes from the bank that the thread's StateID names.
    let (config, _) = config_state(small);

    // [27-29] First the data formats: whether Dst has 32 bits, and as what its data are taken.
    let (use_dst32b, srcb_style) = if is_forced(chip, small) {
        // [30-32] With FP16A_FORCE_Enable they are FP16 of 16 bits.
        (false, Style::Fp16)
    } else {
        // [33-35] Otherwise the format of SrcA counts, as it is configured. That is not a misprint: it is SrcA's format
        // which decides on SrcB here.
        // [36-37] On Blackhole it is the implied one of the bank of SrcB, unless DISABLE_IMPLIED_SRCA_FMT is set.
        // [150] That should be set: of a bank that is not the Matrix Unit's the implied format is ill-specified. In
        // practice it is SFPU_DEST_FMT, which is not to be relied on.
        let (srca_fmt, is_implied) = srca_fmt(chip, small, Source::B);
        if is_implied && !Source::B.is_owned(small) {
            return ControlFlow::Break(Expectation::Unspecified(cite!(MOVD2B, "lines 36-37 and 150", IMPLIED_REASON)));
        }
        // [39] Dst has 32 bits with Fp32_enabled or INT8_math_enabled.
        let use_dst32b =
            is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) || is_on(config, config::ALU_ACC_CTRL_INT8_math_enabled);
        let srcb_style = match srca_fmt {
            // [40-41] Seven formats are taken as BF16.
            FP32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16 => Style::Bf16,
            // [42-43] Six are taken as FP16.
            FP16 | FP8 | BFP8A | BFP4A | BFP2A | INT8 => Style::Fp16,
            // [44-45] What is left is TF32. TX-10: the codes 12 and 13, which have no name, come here too.
            _ => Style::Tf32,
        };
        (use_dst32b, srcb_style)
    };
    let use_dst32b_lo = USE_DST32B_LO.get(step.code) != 0;

    // [49-50] Then the rows.
    // [51-52] To DstRow are added MATH_Offset, the thread's counter and DEST_REGW_BASE.
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // [53] To SrcRow is added the thread's counter of SrcB.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::B.counter(small));
    let num_rows = if MOVE4_ROWS.get(step.code) != 0 {
        // [3, 54-57] With Move4Rows there are four, which begin at a multiple of four on both sides.
        (dst_row, src_row) = (dst_row & 0x3fc, src_row & 0x3c);
        4
    } else {
        // [3, 58-62] Without it there is one, and both numbers only lose what exceeds their width.
        1
    };

    // [64-65] Then the rows are copied; both sides go up by one.
    for _ in 0..num_rows {
        // [66] All sixteen columns of a row.
        for column in 0..COLUMNS {
            // [67] A column is skipped if its bit of BLOCK_DEST_MOV is set.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            // [68-69] A datum of 19 bits is made, in one of two ways.
            let srcb_val = if use_dst32b {
                // [70-71] It is read from Dst32b.
                let mut dst_val = read_dst32b(chip, tensix, dst_row, column);
                // [72] With UseDst32bLo the low half counts, …
                // [73-74] … which is of use where two values of 16 bits were packed into the 32.
                // [3, 75] It is put into the high half, and stays in the low one.
                if use_dst32b_lo {
                    dst_val = dst_val << 16 | (dst_val & 0xffff);
                }
                match srcb_style {
                    // [3, 77-79] FP32 and TF32 are cut to BF16.
                    Style::Bf16 => shuffle_bf16(U::new(dst_val >> 16)),
                    // [80-83] The high half is taken as FP16, which is of use where two of them were packed.
                    Style::Fp16 => shuffle_fp16(U::new(dst_val >> 16)),
                    // [3, 84-86] FP32 and TF32 are cut to TF32.
                    Style::Tf32 if !use_dst32b_lo => shuffle_tf32(U::new(dst_val >> 13)),
                    // [87-91] The 13 bits which that cut drops are kept as they are; only a MOVA2D with UseDst32bLo can
                    // use them.
                    Style::Tf32 => U::new(dst_val & 0x1fff),
                }
            } else {
                // [93-95] It is read from Dst16b.
                let dst_val = read_dst16b(chip, tensix, dst_row, column);
                // [96-98] With UseDst32bLo that is undefined behaviour, because there are no 32 bits.
                if use_dst32b_lo {
                    return ControlFlow::Break(Expectation::Undefined(cite!(
                        MOVD2B,
                        "lines 96-99",
                        "UseDst32bLo where Dst has 16 bits is undefined behaviour"
                    )));
                }
                match srcb_style {
                    // [3, 100-102] It is BF16.
                    Style::Bf16 => shuffle_bf16(dst_val),
                    // [3, 103-106] It is FP16, or an integer "8", which lies in the place of FP16.
                    Style::Fp16 => shuffle_fp16(dst_val),
                    // [107-109] TF32 is undefined behaviour, because 16 bits do not hold it.
                    Style::Tf32 => {
                        return ControlFlow::Break(Expectation::Undefined(cite!(
                            MOVD2B,
                            "lines 107-110",
                            "TF32 where Dst has 16 bits is undefined behaviour"
                        )));
                    }
                }
            };
            // [112] The datum is written to the Matrix Unit's bank of SrcB.
            Source::B.write(tensix, src_row, column, srcb_val);
        }
        dst_row += U::new(1);
        src_row += U::new(1);
    }

    // [116-117] The counters advance as the AddrMod bits select.
    finish(step, tensix)
}
