//! `MOVD2A`: move one row or four rows from `Dst` to `SrcA`.
//!
//! *Source*: page MOVD2A (commit ff52140f). *Errata*: TX-08, TX-10, TX-32, TX-40.

// Of page `MOVD2A`.
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
// [147] On the cycle after it the Matrix Unit takes only MOVD2A and MOVB2A; another instruction is stalled for a cycle.
// Not modelled: cycle timing is out of scope by decision.

use std::ops::ControlFlow;

use tandem_isa::tensix::config;
use tandem_isa::tensix::format::{BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::MOVE4_ROWS;
use tandem_isa::tensix::{Chip, MOVD2A, Tensix};
use tandem_isa::{Expectation, Step};

use super::{
    COLUMNS, IMPLIED_REASON, Source, Style, finish, first_dst_row, is_forced, is_on, read_dst16b, read_dst32b, srca_fmt,
};
use crate::bits::U;
use crate::tensix::mova2d::{block_dest_mov, config_state};
use crate::tensix::{UNNAMED_REASON, check};

/// Executes a `MOVD2A`. *Source*: the functional model, lines 24-117.
// [145] Nothing waits for the bank of SrcA to be the Matrix Unit's; STALLWAIT can.
pub fn movd2a(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVD2A, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    // [24-25] Configuration comes from the bank that the thread's StateID names.
    let (config, _) = config_state(small);

    // [27-29] First the data formats: whether Dst has 32 bits, and as what its data are taken.
    let (use_dst32b, srca_style) = if is_forced(chip, small) {
        // [30-32] With FP16A_FORCE_Enable they are FP16 of 16 bits.
        (false, Style::Fp16)
    } else {
        // [33-34] Otherwise the format of SrcA counts, as it is configured.
        // [35-36] On Blackhole it is the implied one of the bank of SrcA, unless DISABLE_IMPLIED_SRCA_FMT is set.
        // [149] That should be set: of a bank that is not the Matrix Unit's the implied format is ill-specified. In
        // practice it is SFPU_DEST_FMT, which is not to be relied on.
        let (srca_fmt, is_implied) = srca_fmt(chip, small, Source::A);
        if is_implied && !Source::A.is_owned(small) {
            return ControlFlow::Break(Expectation::Unspecified(cite!(MOVD2A, "lines 35-36 and 149", IMPLIED_REASON)));
        }
        // [38] Dst has 32 bits with Fp32_enabled or INT8_math_enabled.
        let use_dst32b =
            is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) || is_on(config, config::ALU_ACC_CTRL_INT8_math_enabled);
        let srca_style = match srca_fmt {
            // [39-40] Seven formats are taken as BF16.
            FP32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16 => Style::Bf16,
            // [41-42] Six are taken as FP16.
            FP16 | FP8 | BFP8A | BFP4A | BFP2A | INT8 => Style::Fp16,
            // [43-44] What is left is TF32. TX-10: the codes 12 and 13, which have no name, come here too.
            _ => Style::Tf32,
        };
        (use_dst32b, srca_style)
    };
    let use_dst32b_lo = USE_DST32B_LO.get(step.code) != 0;

    // [48-49] Then the rows.
    // [50-51] To DstRow are added MATH_Offset, the thread's counter and DEST_REGW_BASE.
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // [52] To SrcRow is added the thread's counter of SrcA.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::A.counter(small));
    let num_rows = if MOVE4_ROWS.get(step.code) != 0 {
        // [3, 53-56] With Move4Rows there are four, which begin at a multiple of four on both sides.
        (dst_row, src_row) = (dst_row & 0x3fc, src_row & 0x3c);
        4
    } else {
        // [3, 57-61] Without it there is one, and both numbers only lose what exceeds their width.
        1
    };

    // [63-64] Then the rows are copied; both sides go up by one.
    for _ in 0..num_rows {
        // [65] All sixteen columns of a row.
        for column in 0..COLUMNS {
            // [66] A column is skipped if its bit of BLOCK_DEST_MOV is set.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            // [67-68] A datum of 19 bits is made, in one of two ways.
            let srca_val = if use_dst32b {
                // [69-70] It is read from Dst32b.
                let mut dst_val = read_dst32b(chip, tensix, dst_row, column);
                // [71] With UseDst32bLo the low half counts, …
                // [72-73] … which is of use where two values of 16 bits were packed into the 32.
                // [3, 74] It is put into the high half, and stays in the low one.
                if use_dst32b_lo {
                    dst_val = dst_val << 16 | (dst_val & 0xffff);
                }
                match srca_style {
                    // [3, 76-78] FP32 and TF32 are cut to BF16.
                    Style::Bf16 => shuffle_bf16(U::new(dst_val >> 16)),
                    // [79-82] The high half is taken as FP16, which is of use where two of them were packed.
                    Style::Fp16 => shuffle_fp16(U::new(dst_val >> 16)),
                    // [3, 83-85] FP32 and TF32 are cut to TF32.
                    Style::Tf32 if !use_dst32b_lo => shuffle_tf32(U::new(dst_val >> 13)),
                    // [86-90] The 13 bits which that cut drops are kept as they are; only a MOVA2D with UseDst32bLo can
                    // use them.
                    Style::Tf32 => U::new(dst_val & 0x1fff),
                }
            } else {
                // [92-94] It is read from Dst16b.
                let dst_val = read_dst16b(chip, tensix, dst_row, column);
                // [95-97] With UseDst32bLo that is undefined behaviour, because there are no 32 bits.
                if use_dst32b_lo {
                    return ControlFlow::Break(Expectation::Undefined(cite!(
                        MOVD2A,
                        "lines 95-98",
                        "UseDst32bLo where Dst has 16 bits is undefined behaviour"
                    )));
                }
                match srca_style {
                    // [3, 99-101] It is BF16.
                    Style::Bf16 => shuffle_bf16(dst_val),
                    // [3, 102-105] It is FP16, or an integer "8", which lies in the place of FP16.
                    Style::Fp16 => shuffle_fp16(dst_val),
                    // [106-108] TF32 is undefined behaviour, because 16 bits do not hold it.
                    Style::Tf32 => {
                        return ControlFlow::Break(Expectation::Undefined(cite!(
                            MOVD2A,
                            "lines 106-109",
                            "TF32 where Dst has 16 bits is undefined behaviour"
                        )));
                    }
                }
            };
            // [111] The datum is written to the Matrix Unit's bank of SrcA.
            Source::A.write(tensix, src_row, column, srca_val);
        }
        dst_row += U::new(1);
        src_row += U::new(1);
    }

    // [115-116] The counters advance as the AddrMod bits select.
    finish(step, tensix)
}

/// `ShuffleBF16`, which page MOVD2B has too: from `Sign,Man(7b),Exp(8b)` to `Sign,Man(10b),Exp(8b)`.
pub(super) fn shuffle_bf16(x: U<16>) -> U<19> {
    // [121-124] [MOVD2B 122-125] Sign and mantissa move up by three, and the exponent stays.
    U::new((x & 0xff00).get() << 3 | (x & 0xff).get())
}

/// `ShuffleFP16`, which page MOVD2B has too: from `Sign,Man(10b),Exp(5b)` to `Sign,Man(10b),Zero(3b),Exp(5b)`.
pub(super) fn shuffle_fp16(x: U<16>) -> U<19> {
    // [127-130] [MOVD2B 128-131] Sign and mantissa move up by three, and the exponent stays, with zeros above it.
    U::new((x & 0xffe0).get() << 3 | (x & 0x1f).get())
}

/// `ShuffleTF32`, which page MOVD2B has too: from `Sign,HiMan(7b),Exp(8b),LoMan(3b)` to `Sign,Man(10b),Exp(8b)`.
pub(super) fn shuffle_tf32(x: U<19>) -> U<19> {
    // [133-136] [MOVD2B 134-137] The sign and the high bits of the mantissa are in their place, …
    let sign_hi_man = x & 0x7_f800;
    // [137] [MOVD2B 138] … the exponent is above the low three bits, …
    let exp = x & 0x7f8;
    // [138] [MOVD2B 139] … and these are the lowest.
    let lo_man = x & 7;
    // [139] [MOVD2B 140] Exponent and low mantissa change places.
    sign_hi_man | U::new(lo_man.get() << 8) | (exp >> 3)
}
