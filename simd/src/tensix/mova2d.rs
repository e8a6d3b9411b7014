//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! The gate is asked; the configuration decides once what happens to every datum ([`Recipe`]) and which of three kinds
//! of write it is; the row numbers are formed; one kernel of the level moves all rows; AddrMod advances the counters.
//! A datum becomes `(x >> 3) & shifted | x & !shifted`: with eight exponent bits `shifted` is sign and seven mantissa
//! bits, with five it is sign and ten mantissa bits.
//!
//! What differs from the page (MOVA2D, commits 22812eeb and 88d4bf9c), and why it is equal:
//! 1. `RemoveLowMantissa` and `RemoveHighExponent` are one formula. Both shift sign and mantissa right by three and
//!    keep the low exponent bits in place; only the boundary between the two differs.
//! 2. Flushing compares the eight exponent bits with a value that they never have when flushing is off.
//! 3. The formats are a 16-bit set, so membership is a shift and a mask.
//! 4. In the 32-bit view the eight rows of an aligned block are two runs of adjacent rows of `DstBits`: `Adj32` of
//!    `8n + i` is `Adj32(8n) + i`, and `Adj32(8n)` is a multiple of 16.
//! 5. `Dst32b[…] & 0xffff0000 | …` writes back the high half that it has read, which changes something only if the row
//!    was invalid and so read as zero: the kernel clears the high halves of invalid rows and leaves the others.
//! 6. `LowMantissa |= Val16b` is an *or* with a masked value, so the two 32-bit writes of the page are one kernel. (The
//!    newest page calls the case undefined; it is executed as in the other edition.)
//! 7. If all columns are blocked, no row is touched or marked: there is nothing to write.

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::{MATRIX_UNIT, Tensix, format};
use tandem_isa::{Answer, Edition, State, Step};

use super::rwcs::{AddrMod, apply_addr_mod};

/// The formats with eight exponent bits, bit = code point.
const EIGHT_BIT_EXPONENT: u32 = 1 << format::FP32
    | 1 << format::TF32
    | 1 << format::BF16
    | 1 << format::BFP8
    | 1 << format::BFP4
    | 1 << format::BFP2
    | 1 << format::INT32
    | 1 << format::INT16;

/// What happens to every datum of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Bits of the 16-bit value that come from the datum shifted right by three (sign and mantissa); the others come
    /// from the datum in place. The bits above 15 are ones, where the shifted datum has zeros.
    pub(crate) shifted: u32,
    /// The value of the eight exponent bits with which a datum is flushed to zero: 0, or one that they never have.
    pub(crate) flushed_exponent: u32,
    /// Bits of the 16-bit value that also go to the low half of a 32-bit write: none or all.
    pub(crate) low_from_value: u32,
}

/// What a level has to offer to `MOVA2D`.
///
/// An implementation is also the proof that its methods may run. They are inlined into [`execute`], which the level
/// compiles for itself.
pub(crate) trait Kernels: AddrMod {
    /// The columns that are written, as the level likes them.
    type Columns: Copy;

    /// The columns that `BLOCK_DEST_MOV` leaves open: bits 9 and 10 of lane *n* block the columns 2*n* and 2*n* + 1.
    fn open_columns(self, lane_config: &[u32; 8]) -> Self::Columns;

    /// Whether there is an open column.
    fn any(self, columns: Self::Columns) -> bool;

    /// Writes the values of `N` rows to `N` rows of `DstBits`.
    fn narrow<const N: usize>(
        self,
        recipe: &Recipe,
        columns: Self::Columns,
        from: &[[u32; 16]; N],
        to: &mut [[u16; 16]; N],
    );

    /// Writes the 32-bit values of `N` rows to their high and low halves.
    fn wide<const N: usize>(
        self,
        recipe: &Recipe,
        columns: Self::Columns,
        from: &[[u32; 16]; N],
        to: [&mut [[u16; 16]; N]; 2],
    );

    /// Clears `N` rows where `valid` is 0, and leaves those where it is 1.
    fn clear_invalid<const N: usize>(self, columns: Self::Columns, valid: &[u8; N], rows: &mut [[u16; 16]; N]);
}

/// The three kinds of write.
#[derive(Clone, Copy)]
enum Write {
    /// 16 bits, to `Dst16b`.
    Narrow,
    /// 32 bits, to `Dst32b`.
    Wide,
    /// The low half of `Dst32b`, under the high half that is there.
    Low,
}

/// Where the rows come from and go to.
struct Place {
    bank: usize,
    src_row: usize,
    dst_row: usize,
}

/// Executes one `MOVA2D`. Each level inlines this into a function that is compiled for the level.
#[inline(always)]
pub(crate) fn execute<K: Kernels>(kernels: K, step: &Step<'_>, state: &mut State) -> Answer {
    let [code] = *step.code else { return Answer::Unsupported };
    let code = [code];
    let mut tensix = Tensix::new(state);
    let small = &*tensix.small;

    let bank = (small.matrix_unit_srca_bank & 1) as usize;
    if small.srca_allowed_client[bank] != MATRIX_UNIT {
        return Answer::Blocked;
    }

    let current_thread = (small.current_thread as usize).min(2);
    let thread_words = &small.thread_config[current_thread];
    let thread = |field: ThreadConfigField| field.get(thread_words);
    let config_words = &small.config[thread(config::CFG_STATE_ID_StateID) as usize];
    let config = |field: ConfigField| field.get(config_words);
    let rwc = &small.rwcs[current_thread];

    // The data formats.
    // A select by a shift: whether the override is set is data to whoever fuzzes.
    let fmts = config(config::ALU_FORMAT_SPEC_REG0_SrcA) | config(config::ALU_FORMAT_SPEC_REG_SrcA_val) << 4;
    let fmt = (fmts >> (4 * config(config::ALU_FORMAT_SPEC_REG_SrcA_override))) & 0xf;
    let force = thread(config::FP16A_FORCE_Enable) != 0;
    let tf32 = fmt == format::TF32;
    let eight_bit_format = (EIGHT_BIT_EXPONENT >> fmt) & 1 != 0;
    let (eight_bit_exponent, wide) = match step.edition {
        Edition::Spec => (eight_bit_format & !force, tf32),
        Edition::Newest => {
            let math = config(config::ALU_ACC_CTRL_Fp32_enabled) | config(config::ALU_ACC_CTRL_INT8_math_enabled) != 0;
            ((eight_bit_format | math) & !force, tf32 & !force)
        }
    };
    let use_dst32b_lo = USE_DST32B_LO.get(&code);
    let recipe = Recipe {
        shifted: if eight_bit_exponent { !0xff } else { !0x1f },
        // 0 if denormals are flushed, else all ones.
        flushed_exponent: config(config::ALU_ACC_CTRL_Zero_Flag_disabled_src).wrapping_neg(),
        low_from_value: use_dst32b_lo.wrapping_neg() & 0xffff,
    };
    let columns = kernels.open_columns(&small.lane_config);
    let write = match (wide, use_dst32b_lo != 0) {
        (true, _) => Write::Wide,
        (false, true) => Write::Low,
        (false, false) => Write::Narrow,
    };

    // The rows. The counters and offsets wrap, so the sums are masked once.
    let dst_row = DST_ROW
        .get(&code)
        .wrapping_add(thread(config::DEST_TARGET_REG_CFG_MATH_Offset))
        .wrapping_add(rwc.dst)
        .wrapping_add(config(config::DEST_REGW_BASE_Base));
    let src_row = SRC_ROW.get(&code).wrapping_add(rwc.srca);

    if kernels.any(columns) {
        if MOVE8_ROWS.get(&code) != 0 {
            let place = Place { bank, src_row: (src_row & 0x38) as usize, dst_row: (dst_row & 0x3f8) as usize };
            move_rows::<K, 8>(&mut tensix, kernels, &recipe, columns, write, place);
        } else {
            let place = Place { bank, src_row: (src_row & 0x3f) as usize, dst_row: (dst_row & 0x3ff) as usize };
            move_rows::<K, 1>(&mut tensix, kernels, &recipe, columns, write, place);
        }
    }

    let small = &mut *tensix.small;
    let thread_words = &small.thread_config[current_thread];
    apply_addr_mod(kernels, &mut small.rwcs[current_thread], thread_words, ADDR_MOD.get(&code));
    Answer::Done
}

/// Moves `N` rows and makes them valid.
#[inline(always)]
fn move_rows<K: Kernels, const N: usize>(
    tensix: &mut Tensix<'_>,
    kernels: K,
    recipe: &Recipe,
    columns: K::Columns,
    write: Write,
    place: Place,
) {
    let Place { bank, src_row, dst_row } = place;
    let high = adj32(dst_row);
    let (valid_row, from, to) = match write {
        Write::Wide => {
            let (from, to) = tensix.srca_rows_to_dst_runs::<N>(bank, src_row, [high, high + 8]);
            kernels.wide(recipe, columns, from, to);
            tensix.set_dst_rows_valid::<N>(high, true);
            return;
        }
        Write::Low => {
            let valid = *tensix.dst_rows_valid::<N>(high);
            // Read below, where they are borrowed to be written.
            let _ = tensix.dst_rows::<N>(high);
            let (from, [high_rows, low_rows]) = tensix.srca_rows_to_dst_runs::<N>(bank, src_row, [high, high + 8]);
            kernels.clear_invalid(columns, &valid, high_rows);
            (high, from, low_rows)
        }
        Write::Narrow => {
            let (from, to) = tensix.srca_rows_to_dst::<N>(bank, src_row, dst_row);
            (dst_row, from, to)
        }
    };
    kernels.narrow(recipe, columns, from, to);
    tensix.set_dst_rows_valid::<N>(valid_row, true);
}

/// The row of `DstBits` that holds the high half of `Dst32b[row]`; the low half is eight rows further (page Dst).
#[inline]
const fn adj32(row: usize) -> usize {
    ((row & 0x1f8) << 1) | (row & 0x207)
}

#[cfg(test)]
mod tests {
    use tandem_isa::tensix::inst::mova2d::MOVA2D;
    use tandem_isa::tensix::{Small, UNPACKERS, WORMHOLE, bank};
    use tandem_isa::{Code, Target};

    use super::*;
    use crate::Level;
    use crate::tensix::TensixSimd;

    /// The base state, with these data in a row of `SrcA[0]` and every other word of `Dst` `0xdead`.
    fn state_with(row: usize, data: &[u32], modes: impl FnOnce(&mut Small)) -> State {
        let mut state = WORMHOLE.base_state();
        for row in 0..1024 {
            (0..16).for_each(|column| state.set_word(bank::DST, row, column, 0xdead));
        }
        for (column, &datum) in data.iter().enumerate() {
            state.set_word(bank::SRCA, row, column, datum);
        }
        modes(Tensix::new(&mut state).small);
        state
    }

    fn fmt(small: &mut Small, fmt: u32) {
        config::ALU_FORMAT_SPEC_REG0_SrcA.set(&mut small.config[0], fmt);
    }

    fn no_flush(small: &mut Small) {
        config::ALU_ACC_CTRL_Zero_Flag_disabled_src.set(&mut small.config[0], 1);
    }

    fn run(edition: Edition, text: &str, state: &mut State) -> Answer {
        let code: Code = (MOVA2D.parse)(text).expect("the text is one of ours");
        TensixSimd::new(Level::Portable).execute(&Step { instruction: &MOVA2D, edition, code: &code }, state)
    }

    fn dst(state: &State, row: usize, columns: usize) -> Vec<u32> {
        (0..columns).map(|column| state.word(bank::DST, row, column)).collect()
    }

    #[test]
    fn bf16_keeps_seven_bits_of_mantissa() {
        for edition in Edition::ALL {
            // One; minus one and a half; low mantissa bits that are lost; a denormal and zero with a sign, flushed.
            let data = [0x0_007f, 0x6_007f, 0x0_0f80, 0x7_ff00, 0x4_0000];
            let mut state = state_with(3, &data, |small| fmt(small, format::BF16));
            assert_eq!(run(edition, "TT_MOVA2D(0, 3, 0, (0) << 1, 700)", &mut state), Answer::Done);
            assert_eq!(dst(&state, 700, 5), [0x007f, 0xc07f, 0x0180, 0, 0]);
            assert_eq!([dst(&state, 699, 1), dst(&state, 701, 1)], [[0xdead], [0xdead]]);
        }
    }

    #[test]
    fn fp16_keeps_five_bits_of_exponent_and_flushes_by_eight() {
        for edition in Edition::ALL {
            let data = [0x0_000f, 0x6_000f, 0x1_00e0, 0x7_ff00];
            let mut state = state_with(60, &data, |small| fmt(small, format::FP16));
            assert_eq!(run(edition, "TT_MOVA2D(0, 63, 0, (1) << 1, 15)", &mut state), Answer::Done);
            assert_eq!(dst(&state, 12, 4), [0x000f, 0xc00f, 0x2000, 0]);
            assert_eq!(dst(&state, 8, 1), [0]);
            assert_eq!([dst(&state, 7, 1), dst(&state, 16, 1)], [[0xdead], [0xdead]]);
        }
    }

    #[test]
    fn what_is_not_flushed_keeps_sign_and_mantissa() {
        let mut state = state_with(0, &[0x7_ff00, 0x4_0000], |small| {
            fmt(small, format::INT16);
            no_flush(small);
        });
        assert_eq!(run(Edition::Spec, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)", &mut state), Answer::Done);
        assert_eq!(dst(&state, 0, 2), [0xff00, 0x8000]);
    }

    #[test]
    fn tf32_is_written_as_two_halves_eight_rows_apart() {
        // Row 13 of the 32-bit view is rows 21 and 29. The mantissa is 0000001_101.
        let mut state = state_with(5, &[0x4_0d80], |small| fmt(small, format::TF32));
        assert_eq!(run(Edition::Newest, "TT_MOVA2D(0, 5, 0, (0) << 1, 13)", &mut state), Answer::Done);
        assert_eq!([dst(&state, 21, 1), dst(&state, 29, 1)], [[0x8180], [0xa000]]);

        let mut state = state_with(5, &[0x4_0d80], |small| fmt(small, format::TF32));
        assert_eq!(run(Edition::Spec, "TT_MOVA2D(1, 5, 0, (0) << 1, 13)", &mut state), Answer::Done);
        assert_eq!([dst(&state, 21, 1), dst(&state, 29, 1)], [[0x8180], [0xa180]]);
    }

    #[test]
    fn force_leaves_tf32_wide_in_spec_only() {
        let forced = |small: &mut Small| {
            fmt(small, format::TF32);
            config::FP16A_FORCE_Enable.set(&mut small.thread_config[0], 1);
        };
        let mut state = state_with(0, &[0x4_0d9f], forced);
        assert_eq!(run(Edition::Spec, "TT_MOVA2D(0, 0, 0, (0) << 1, 8)", &mut state), Answer::Done);
        assert_eq!([dst(&state, 8, 1), dst(&state, 16, 1), dst(&state, 24, 1)], [[0xdead], [0x81bf], [0xa000]]);
        let mut state = state_with(0, &[0x4_0d9f], forced);
        assert_eq!(run(Edition::Newest, "TT_MOVA2D(0, 0, 0, (0) << 1, 8)", &mut state), Answer::Done);
        assert_eq!([dst(&state, 8, 1), dst(&state, 16, 1), dst(&state, 24, 1)], [[0x81bf], [0xdead], [0xdead]]);
    }

    #[test]
    fn math_modes_give_eight_bits_of_exponent_in_newest_only() {
        for (edition, expected) in [(Edition::Spec, 0x81b3), (Edition::Newest, 0x8193)] {
            for field in [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled] {
                let mut state = state_with(0, &[0x4_0d93], |small| {
                    fmt(small, format::FP16);
                    field.set(&mut small.config[0], 1);
                });
                assert_eq!(run(edition, "TT_MOVA2D(0, 0, 0, (0) << 1, 0)", &mut state), Answer::Done);
                assert_eq!(dst(&state, 0, 1), [expected]);
            }
        }
    }

    #[test]
    fn the_low_half_goes_under_what_is_valid() {
        for (valid, high) in [(true, 0xdead), (false, 0)] {
            let mut state = state_with(0, &[0x0_007f], |small| fmt(small, format::BF16));
            state.set_word(bank::DST_ROW_VALID, 16, 0, u32::from(valid));
            state.set_word(bank::DST_ROW_VALID, 24, 0, 0);
            assert_eq!(run(Edition::Newest, "TT_MOVA2D(1, 0, 0, (0) << 1, 8)", &mut state), Answer::Done);
            assert_eq!([dst(&state, 16, 1), dst(&state, 24, 1)], [[high], [0x007f]]);
            assert_eq!([16, 24].map(|row| state.word(bank::DST_ROW_VALID, row, 0)), [1, 0]);
        }
    }

    #[test]
    fn blocked_columns_are_not_written_and_all_blocked_touches_no_row() {
        let text = "TT_MOVA2D(0, 0, 2, (0) << 1, 4)";
        let mut state = state_with(0, &[0x7f; 16], |small| {
            fmt(small, format::BF16);
            small.lane_config[1] = 2 << 9;
        });
        assert_eq!(run(Edition::Spec, text, &mut state), Answer::Done);
        assert_eq!(dst(&state, 4, 5), [0x7f, 0x7f, 0x7f, 0xdead, 0x7f]);

        let mut state = state_with(0, &[0x7f; 16], |small| {
            fmt(small, format::BF16);
            small.lane_config = [3 << 9; 8];
            config::SrcAIncr.section(2, config::ADDR_MOD_AB_STRIDE).set(&mut small.thread_config[0], 63);
        });
        state.set_word(bank::DST_ROW_VALID, 4, 0, 0);
        assert_eq!(run(Edition::Spec, text, &mut state), Answer::Done);
        assert_eq!(dst(&state, 4, 1), [0xdead]);
        assert_eq!(state.word(bank::DST_ROW_VALID, 4, 0), 0);
        assert!(state.tracker.log.written.is_empty());
        assert_eq!(Tensix::new(&mut state).small.rwcs[0].srca, 63);
    }

    #[test]
    fn rows_and_offsets_wrap() {
        // Each of the four terms of the row is -1 modulo 1024, and 1024 - 4 is 1020; 63 + 2 is row 1 of 64.
        let mut state = state_with(1, &[0x0_007f], |small| {
            fmt(small, format::BF16);
            small.rwcs[0].dst = 1023;
            small.rwcs[0].srca = 2;
            config::DEST_TARGET_REG_CFG_MATH_Offset.set(&mut small.thread_config[0], 4095);
            config::DEST_REGW_BASE_Base.set(&mut small.config[0], 65535);
        });
        assert_eq!(run(Edition::Newest, "TT_MOVA2D(0, 63, 0, (0) << 1, 1023)", &mut state), Answer::Done);
        assert_eq!(dst(&state, 1020, 1), [0x007f]);
    }

    #[test]
    fn a_bank_of_the_unpackers_blocks_and_leaves_the_state_alone() {
        let mut state = state_with(0, &[0x7f], |small| {
            small.matrix_unit_srca_bank = 1;
            small.srca_allowed_client[1] = UNPACKERS;
            config::DestIncr.set(&mut small.thread_config[0], 1);
        });
        let before = state.small.to_vec();
        assert_eq!(run(Edition::Spec, "TT_MOVA2D(0, 0, 0, (1) << 1, 0)", &mut state), Answer::Blocked);
        assert_eq!(state.small[..], before[..]);
        assert!(state.tracker.log.written.is_empty() && state.tracker.log.read.is_empty());
    }

    #[test]
    fn adj32_of_an_aligned_block_is_two_runs() {
        for row in 0..1024 {
            assert_eq!(adj32(row), adj32(row & !7) + row % 8);
            assert_eq!(adj32(row & !7) % 16, 0);
        }
    }
}
