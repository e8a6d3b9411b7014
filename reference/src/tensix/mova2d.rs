//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! *Source*: page MOVA2D, commit 22812eeb (edition `spec`) and commit 88d4bf9c (edition `newest`); the two helpers that
//! take bits away are on the page itself in `spec`, and on page MatrixUnit (commit 1ae1f852) in `newest`; page SFPCONFIG
//! (commit 39304719), line 126, says where `BLOCK_DEST_MOV` lies. *Errata*: TX-01 to TX-04, TX-06 to TX-10, TX-12,
//! TX-13.
//!
//! Lines are given as `spec NN, newest NN`; those in brackets are of `spec`. The branches that the newest page takes on Blackhole only (newest 38-40 and
//! 47-53) do not exist here, because the chip is Wormhole (TX-07). After an outcome that promises nothing the state is
//! of no meaning: rows may be partly written, and the counters have not moved.

// Of page `MOVA2D_SPEC`.
// Shown by `mova2d_moves_every_source_value_exactly`, where nothing else is said.
//
// Of `isa/src/tensix/inst/moved_rows_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [10] [MOVA2D_NEWEST 10] The first operand is UseDst32bLo, one bit.
// [11] [MOVA2D_NEWEST 11] The second is SrcRow, six bits.
// [12, TX-09] [MOVA2D_NEWEST 12, TX-09] The third is AddrMod, two bits.
// [13] [MOVA2D_NEWEST 13] The fourth is Move8Rows, one bit, shifted left by one.
// [14] [MOVA2D_NEWEST 14] The fifth is DstRow, ten bits.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [19, TX-09] [MOVA2D_NEWEST 19, TX-09] A picture shows where the opcode and the fields lie in the word.
//
// Of `isa/src/tensix/format.rs, CODE_NAMES`, shown by `recorded_vectors_replay`:
// [41, TX-11] Formats are values of four bits, named.
//
// [5] [MOVA2D_NEWEST 5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one
// instruction's result, beyond the bank that line 26 names.
// [134] [MOVA2D_NEWEST 120] For three cycles, software should not read the part of Dst that was written. Not modelled:
// cycle timing is out of scope by decision.
// [134] [MOVA2D_NEWEST 120] Hardware enforces that in part: it stalls certain instructions of the same thread. Not
// modelled: cycle timing is out of scope by decision.
// [134] [MOVA2D_NEWEST 120] It does so wherever in Dst they would read, for as many cycles as it takes. Not modelled:
// cycle timing is out of scope by decision.
// [134] [MOVA2D_NEWEST 120] They are MOVD2A, MOVD2B, ELWMUL, MVMUL, DOTPV, GMPOOL, GAPOOL and the legacy convolutions
// and pools (3S1, 3S2). Not modelled: cycle timing is out of scope by decision.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::inst::mova2d as fields;
use tandem_isa::tensix::{MATRIX_UNIT, MOVA2D_NEWEST, MOVA2D_SPEC, Small, Tensix};
use tandem_isa::{Citation, Edition, Expectation};

use super::dst::{self, COLUMNS};
use super::rwcs::apply_addr_mod;
use crate::bits::U;

/// Lowest bit of `BLOCK_DEST_MOV` in a word of `LaneConfig`; it has two bits.
const BLOCK_DEST_MOV: u32 = 9;

const WAIT_GATE_REASON: &str =
    "the instruction is held for as long as the Matrix Unit's current bank of SrcA is not the Matrix Unit's to use";

const UNNAMED_REASON: &str = "TX-09: bits 10, 11 and 14 of the code belong to no field, and bit 12 is the low bit of \
                              the fourth argument, which no page names; nothing says what they do";

static LO_OF_32_BIT_DATUM: &Citation = cite!(
    MOVA2D_NEWEST,
    "lines 89-92",
    "TX-04: UseDst32bLo together with a move that writes 32-bit data is undefined behaviour"
);

/// Executes a `MOVA2D`. *Source*: the functional model, spec 25-98, newest 25-116.
// Shown by `orthogonal_axes_are_covered_three_ways`.
pub fn execute(edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    // The Wait Gate (newest 26-28).
    // [23] [MOVA2D_NEWEST 23] The instruction may have to wait at the Wait Gate before it reaches the Matrix Unit.
    // [26-28] [MOVA2D_NEWEST 26-28] It waits as long as the Matrix Unit's current SrcA bank is not the Matrix Unit's to
    // use.
    let bank = U::<1>::new(tensix.small.matrix_unit_srca_bank).index();
    if tensix.small.srca_allowed_client[bank] != MATRIX_UNIT {
        return Expectation::Blocked(match edition {
            Edition::Spec => cite!(MOVA2D_SPEC, "lines 23-29", WAIT_GATE_REASON),
            Edition::Newest => cite!(MOVA2D_NEWEST, "lines 23-29", WAIT_GATE_REASON),
        });
    }

    // TX-09: no page gives these bits a meaning. This comes after the Wait Gate: the page puts the wait before
    // dispatch, and whatever the bits mean, they can only mean it once dispatched.
    if code[0] & fields::UNNAMED_BITS != 0 {
        return Expectation::Unspecified(match edition {
            Edition::Spec => cite!(MOVA2D_SPEC, "sections Syntax and Encoding", UNNAMED_REASON),
            Edition::Newest => cite!(MOVA2D_NEWEST, "sections Syntax and Encoding", UNNAMED_REASON),
        });
    }

    // [31] [MOVA2D_NEWEST 31] What follows happens once it was dispatched.
    let datums = Datums::of(edition, code, tensix.small, bank);
    let mut rows = RowRange::of(code, tensix.small);

    // The copy (newest 83-112).
    // [63] [MOVA2D_NEWEST 82] Then the rows are copied. (`every_instruction_agrees_in_every_mode`)
    // [64] [MOVA2D_NEWEST 83] Row by row; both sides go up by one. (`every_instruction_agrees_in_every_mode`)
    while rows.num_rows != 0 {
        if let ControlFlow::Break(expectation) = datums.move_row(tensix, rows.dst_row, rows.src_row) {
            return expectation;
        }
        rows.num_rows -= 1;
        rows.dst_row += U::new(1);
        rows.src_row += U::new(1);
    }

    // The counters (newest 115).
    // [96] [MOVA2D_NEWEST 114] The counters advance at the end.
    // [97] [MOVA2D_NEWEST 115] They advance as the AddrMod bits select.
    apply_addr_mod(tensix.small, U::new(fields::ADDR_MOD.get(code)));
    Expectation::Done
}

/// The bank of `Config` that the thread uses, and the thread's `ThreadConfig` (spec 33-34, newest 33-34).
// Shown by `orthogonal_axes_are_covered_three_ways`.
pub(super) fn config_state(small: &Small) -> (&[u32; CONFIG_WORDS], &[u16; THREAD_CONFIG_WORDS]) {
    let thread_config = &small.thread_config[current_thread(small)];
    // [33] [MOVA2D_NEWEST 33] The thread's StateID is one bit of its ThreadConfig.
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(thread_config));
    // [34] [MOVA2D_NEWEST 34] It selects one of the banks of Config.
    (&small.config[state_id.index()], thread_config)
}

pub(super) fn current_thread(small: &Small) -> usize {
    U::<2>::new(small.current_thread).index()
}

/// How each datum is read, converted and written.
struct Datums {
    edition: Edition,
    /// `MatrixUnit.SrcABank`.
    bank: usize,
    use_dst32b_lo: bool,
    use_8b_exponent: bool,
    /// In `spec`, where the page has no such variable: the format is TF32.
    use_dst32b: bool,
    flush_denormals: bool,
}

impl Datums {
    /// The data formats (spec 36-46, newest 36-65).
    // [36] [MOVA2D_NEWEST 36] The data formats come first. (`every_instruction_agrees_in_every_mode`)
    fn of(edition: Edition, code: &[u32], small: &Small, bank: usize) -> Self {
        let (config_state, _) = config_state(small);
        // [37, TX-07] [MOVA2D_NEWEST 37] SrcAFmt is the override's value if the override is on, and the configured SrcA
        // format if not. (`every_instruction_agrees_in_every_mode`)
        let srca_fmt = if config::ALU_FORMAT_SPEC_REG_SrcA_override.get(config_state) != 0 {
            config::ALU_FORMAT_SPEC_REG_SrcA_val.get(config_state)
        } else {
            config::ALU_FORMAT_SPEC_REG0_SrcA.get(config_state)
        };
        let (use_8b_exponent, use_dst32b) = match edition {
            Edition::Spec => widths_spec(srca_fmt, small),
            Edition::Newest => widths_newest(srca_fmt, small),
        };
        // [46] [MOVA2D_NEWEST 65] Denormals are flushed unless Zero_Flag_disabled_src is set.
        // (`every_instruction_agrees_in_every_mode`)
        let flush_denormals = config::ALU_ACC_CTRL_Zero_Flag_disabled_src.get(config_state) == 0;
        // [MOVA2D_NEWEST 89, 97] With UseDst32bLo the low half of Dst32b is meant.
        let use_dst32b_lo = fields::USE_DST32B_LO.get(code) != 0;
        Datums { edition, bank, use_dst32b_lo, use_8b_exponent, use_dst32b, flush_denormals }
    }

    /// One turn of the outer loop: a row (spec 65-93, newest 84-111).
    fn move_row(&self, tensix: &mut Tensix<'_>, dst_row: U<10>, src_row: U<6>) -> ControlFlow<Expectation> {
        let mut num_columns = 0;
        // [65] [MOVA2D_NEWEST 84] All sixteen columns of a row. (`every_instruction_agrees_in_every_mode`)
        for column in 0..COLUMNS {
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            self.move_datum(tensix, dst_row, src_row, column)?;
            num_columns += 1;
        }
        // TX-08: no MOVA2D page mentions row validity. A row of which nothing was written keeps its mark, unread.
        if num_columns == 0 {
            ControlFlow::Continue(())
        } else if self.use_dst32b || self.use_dst32b_lo {
            dst::finish_dst32b_row(tensix, dst_row, num_columns)
        } else {
            dst::finish_dst16b_row(tensix, dst_row, num_columns)
        }
    }

    /// One turn of the inner loop for a column that is not blocked (spec 67-92, newest 86-110).
    // [3] [MOVA2D_NEWEST 3] Two of these instructions can join two spans of 16-bit data, lane by lane, to one span of
    // 32-bit data. (`mova2d_pair_combines_two_spans`)
    // [82-84] For a pair, move the high halves with TF32 first, then the low halves with another format and
    // UseDst32bLo. (`mova2d_pair_combines_two_spans`)
    fn move_datum(
        &self,
        tensix: &mut Tensix<'_>,
        dst_row: U<10>,
        src_row: U<6>,
        column: usize,
    ) -> ControlFlow<Expectation> {
        // [67, TX-13] [MOVA2D_NEWEST 86] The datum is the 19 bits at row and column of the current bank.
        let mut srca_val = U::<19>::new(tensix.srca(self.bank, src_row.index(), column));
        // TX-12: eight bits are looked at, whatever the format. TX-13: the datum is not cut to its format first.
        // [68, TX-12] [MOVA2D_NEWEST 87] With flushing on it becomes 0 if its low eight bits are 0.
        if self.flush_denormals && (srca_val & 0xff).get() == 0 {
            srca_val = U::new(0);
        }
        // [69] [MOVA2D_NEWEST 88] Sixteen bits are made of it: without low mantissa for an 8-bit exponent, without high
        // exponent for five bits.
        let val16b = if self.use_8b_exponent { remove_low_mantissa(srca_val) } else { remove_high_exponent(srca_val) };
        if self.use_dst32b {
            // [71] [MOVA2D_NEWEST 93] The low half has the datum's low three mantissa bits at its top, which are those
            // that the 16 bits lack.
            let mut low_mantissa = U::<16>::new(((srca_val >> 8) & 7).get() << 13);
            // [72-75, TX-04] With UseDst32bLo, the 16 bits are OR-ed into the low half; hardly useful.
            // (`every_instruction_agrees_in_every_mode`)
            if self.use_dst32b_lo {
                match self.edition {
                    // TX-04: as printed, spec 72-75.
                    Edition::Spec => low_mantissa = low_mantissa | val16b,
                    // TX-04: newest 90-92.
                    Edition::Newest => return ControlFlow::Break(Expectation::Undefined(LO_OF_32_BIT_DATUM)),
                }
            }
            // [3] [MOVA2D_NEWEST 3] SrcA and Dst hold different types; TF32, and BF16 as TF32, can become FP32 in Dst.
            // [76-77] TF32 lies in Dst as sign, seven mantissa bits, exponent, three mantissa bits, thirteen zeros:
            // FP32 with a shorter mantissa.
            // [78, TX-08] [MOVA2D_NEWEST 96] The 16 bits are the high half of what Dst32b gets.
            dst::set_dst32b(tensix, dst_row, column, val16b.get() << 16 | low_mantissa.get());
        } else if self.use_dst32b_lo {
            // [79, TX-05] If SrcAFmt is not TF32 and UseDst32bLo is set, the low half of Dst32b is written.
            // (`every_instruction_agrees_in_every_mode`)
            // [80-81] That is of use mostly for packing two values of 16 bits into a datum of Dst32b.
            // (`mova2d_pair_combines_two_spans`)
            // [87, TX-08] [MOVA2D_NEWEST 105] The 16 bits replace the low half of Dst32b, whose high half stays.
            // (`every_fault_of_the_catalogue_is_found`)
            let high = dst::dst32b(tensix, dst_row, column) & 0xffff_0000;
            dst::set_dst32b(tensix, dst_row, column, high | val16b.get());
        } else {
            // Sign,Man(7b),Exp(8b) or Sign,Man(10b),Exp(5b).
            // [3, TX-01] [MOVA2D_NEWEST 3] BF16, FP16 and integer "8" can pass to Dst as they are.
            // [88, TX-05] In all other cases 16 bits are written. (`every_instruction_agrees_in_every_mode`)
            // [91-94, TX-08] [MOVA2D_NEWEST 109] The 16 bits are what Dst16b gets.
            dst::set_dst16b(tensix, dst_row, column, val16b);
        }
        ControlFlow::Continue(())
    }
}

/// `Use8bExponent`, and whether 32-bit data is written, in edition `spec` (spec 38-45 and 70).
///
/// TX-06: the fields `Fp32_enabled` and `INT8_math_enabled` are not read.
fn widths_spec(srca_fmt: u32, small: &Small) -> (bool, bool) {
    let (_, thread_config) = config_state(small);
    // [38-40] With FP16A_FORCE_Enable of the thread, the exponent has five bits whatever the format.
    // (`every_instruction_agrees_in_every_mode`)
    let use_8b_exponent =
        if config::FP16A_FORCE_Enable.get(thread_config) != 0 { false } else { is_8b_exponent_format(srca_fmt) };
    // TX-03: as printed, the width of the write asks for the format alone, whatever FP16A_FORCE_Enable says.
    // [70, TX-03] If SrcAFmt is TF32, 32 bits are written. (`every_fault_of_the_catalogue_is_found`)
    (use_8b_exponent, srca_fmt == TF32)
}

/// `Use8bExponent` and `UseDst32b` in edition `newest` (newest 41-64).
fn widths_newest(srca_fmt: u32, small: &Small) -> (bool, bool) {
    let (config_state, thread_config) = config_state(small);
    // [MOVA2D_NEWEST 43] With FP16A_FORCE_Enable of the thread …
    if config::FP16A_FORCE_Enable.get(thread_config) != 0 {
        // TX-03: a forced move is a 16-bit write, TF32 too.
        // [MOVA2D_NEWEST 44-45] … the exponent has five bits, and 16 bits are written.
        (false, reads!(false, "tx03-force-keeps-tf32", srca_fmt == TF32))
    } else {
        // TX-06: these two fields widen the exponent, but not the write.
        // [MOVA2D_NEWEST 54, 57] Fp32_enabled and INT8_math_enabled give an exponent of eight bits, whatever the
        // format.
        let fp32_enabled = config::ALU_ACC_CTRL_Fp32_enabled.get(config_state) != 0;
        let int8_math_enabled = config::ALU_ACC_CTRL_INT8_math_enabled.get(config_state) != 0;
        let use_8b_exponent = if reads!(fp32_enabled, "tx06-fp32-enabled-ignored", false)
            || reads!(int8_math_enabled, "tx06-int8-math-ignored", false)
        {
            true
        } else {
            // [MOVA2D_NEWEST 58] Otherwise the format says how many bits the exponent has.
            is_8b_exponent_format(srca_fmt)
        };
        // [MOVA2D_NEWEST 63] Of TF32 32 bits are written.
        (use_8b_exponent, srca_fmt == TF32)
    }
}

/// The set of formats with an exponent of eight bits (spec 41, newest 58).
///
/// TX-10: the codes 12 and 13 have no name, so they are not in the set.
pub(super) fn is_8b_exponent_format(srca_fmt: u32) -> bool {
    // [41-42, TX-06] Otherwise FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32 and INT16 have an 8-bit exponent.
    // (`every_fault_of_the_catalogue_is_found`)
    // [43-45, TX-10] [MOVA2D_NEWEST 58] All others have a 5-bit exponent. (`every_instruction_agrees_in_every_mode`)
    matches!(srca_fmt, FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16)
}

/// Which rows are moved.
struct RowRange {
    num_rows: u32,
    dst_row: U<10>,
    src_row: U<6>,
}

// Shown by `orthogonal_axes_are_covered_three_ways`.
impl RowRange {
    /// The row range (spec 48-61, newest 67-80).
    ///
    /// The page adds in a wider integer and masks at the end; wrapping at the width of the mask gives the same.
    // [48-49] [MOVA2D_NEWEST 67-68] The number of rows and the first row of each side come next.
    fn of(code: &[u32], small: &Small) -> Self {
        let (config_state, thread_config) = config_state(small);
        let rwc = &small.rwcs[current_thread(small)];
        let mut dst_row = U::<10>::new(fields::DST_ROW.get(code));
        let mut src_row = U::<6>::new(fields::SRC_ROW.get(code));
        // [50] [MOVA2D_NEWEST 69] DstRow grows by the thread's MATH_Offset.
        dst_row += U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
        // [51] [MOVA2D_NEWEST 70] It grows by the thread's Dst counter and by DEST_REGW_BASE.
        dst_row += U::new(rwc.dst) + U::new(config::DEST_REGW_BASE_Base.get(config_state));
        // [52] [MOVA2D_NEWEST 71] SrcRow grows by the thread's SrcA counter.
        src_row += U::new(rwc.srca);
        // [3] [MOVA2D_NEWEST 3] Or an aligned block of eight rows goes there.
        // (`every_instruction_agrees_in_every_mode`)
        // [53-56] [MOVA2D_NEWEST 72-75] With Move8Rows there are eight rows, and both first rows lose their low three
        // bits and what exceeds their width (ten bits, six bits).
        if fields::MOVE8_ROWS.get(code) != 0 {
            RowRange { num_rows: 8, dst_row: dst_row & 0x3f8, src_row: src_row & 0x38 }
        } else {
            // [3] [MOVA2D_NEWEST 3] One row of data goes from SrcA to Dst. (`every_instruction_agrees_in_every_mode`)
            // [57-61] [MOVA2D_NEWEST 77-79] Without it there is one, and both rows only lose what exceeds their width.
            RowRange { num_rows: 1, dst_row: dst_row & 0x3ff, src_row: src_row & 0x3f }
        }
    }
}

/// Whether `BLOCK_DEST_MOV` leaves a column out (spec 66, newest 85): a lane has two columns, the even one in bit 0.
// [66, TX-08] A column is skipped if its bit of BLOCK_DEST_MOV is set: two columns to a LaneConfig, the even one first.
// (`orthogonal_axes_are_covered_three_ways`)
pub(super) fn block_dest_mov(small: &Small, column: usize) -> bool {
    // [MOVA2D_NEWEST 85] A column is skipped if its bit of BLOCK_DEST_MOV is set.
    let block = U::<2>::new(small.lane_config[column / 2] >> BLOCK_DEST_MOV);
    block.bit(if column & 1 == 0 { 0 } else { 1 })
}

/// `RemoveLowMantissa`: from `Sign,Man(10b),Exp(8b)` to `Sign,Man(7b),Exp(8b)`, without the low three mantissa bits.
///
/// *Source*: page MOVA2D, spec 102-116; page MatrixUnit (commit 1ae1f852), section Pseudocode helpers.
// [89] BF16 lies in Dst as sign, seven mantissa bits, exponent.
// [102] RemoveLowMantissa makes 16 bits of 19.
// [103] Its input is sign, ten mantissa bits, eight exponent bits.
// [104] Its output is sign, the high seven mantissa bits, eight exponent bits.
// [106-107] It is meant for BF16 in the layout of Src, whose low three mantissa bits are 0, and gives BF16 in the
// layout of Dst.
// [107-110] Given TF32 it drops the low three mantissa bits, which the 32-bit path of MOVA2D can put back.
pub(super) fn remove_low_mantissa(x: U<19>) -> U<16> {
    // TX-02: the page of `spec` prints 1 << 19 for the sign, and 0xff << 11, which takes in the sign; equal.
    // [112, TX-02] The sign is taken with a mask.
    let sign = x & (1 << 18);
    // [113, TX-02] [MATRIX_UNIT_NEWEST 248] The high mantissa bits are taken with a mask from bit 11 on.
    let man_hi = x & (0x7f << 11);
    // [114] The exponent is the low eight bits.
    let exp = x & 0xff;
    // [115-116] Sign and mantissa move down by three and join the exponent, which stays.
    U::new(((sign >> 3) | (man_hi >> 3) | exp).get())
}

/// `RemoveHighExponent`: from `Sign,Man(10b),Exp(8b)` to `Sign,Man(10b),Exp(5b)`, without the high three exponent bits.
///
/// *Source*: page MOVA2D, spec 118-129; page MatrixUnit (commit 1ae1f852), section Pseudocode helpers.
// [90] FP16 lies in Dst as sign, ten mantissa bits, five exponent bits.
// [118] RemoveHighExponent makes 16 bits of 19.
// [119] Its input is sign, ten mantissa bits, eight exponent bits.
// [120] Its output is sign, ten mantissa bits, the low five exponent bits.
// [122-123] It is meant for FP16 in the layout of Src, whose high three exponent bits are 0, and gives FP16 in the
// layout of Dst.
pub(super) fn remove_high_exponent(x: U<19>) -> U<16> {
    // TX-01: the page of `spec` prints 1 << 19, a bit that x does not have, and so loses every sign.
    // [125, TX-01] The sign is taken with a mask. (`every_fault_of_the_catalogue_is_found`)
    let sign = reads!(x & (1 << 18), "tx01-sign-bit-19", x & (1 << 19));
    // [126] The mantissa is ten bits from bit 8 on.
    let man = x & (0x3ff << 8);
    // [127] The exponent is the low five bits.
    let exp_lo = x & 0x1f;
    // [128-129] Sign and mantissa move down by three and join the exponent, which stays.
    U::new(((sign >> 3) | (man >> 3) | exp_lo).get())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tandem_isa::tensix::format::FP16;
    use tandem_isa::tensix::{UNPACKERS, WORMHOLE, bank};
    use tandem_isa::{Code, CodeField, Reference, State, Step};

    use super::*;
    use crate::tensix::TensixReference;

    // ------------------------------------------------------------------------------------------- the helpers

    /// The datum's fields as digits: most significant first, each with its width.
    fn fields_of<const N: usize>(word: u32, widths: [u32; N]) -> [u32; N] {
        let mut rest = u64::from(word);
        let mut digits = [0; N];
        for (digit, width) in digits.iter_mut().zip(widths).rev() {
            let base = 2_u64.pow(width);
            *digit = u32::try_from(rest % base).expect("a digit is below its base");
            rest /= base;
        }
        assert_eq!(rest, 0, "{word:#x} is wider than {widths:?}");
        digits
    }

    #[test]
    fn remove_low_mantissa_keeps_sign_seven_mantissa_bits_and_exponent() {
        for x in 0..1 << 19 {
            let [sign, man_hi, _, exp] = fields_of(x, [1, 7, 3, 8]);
            assert_eq!(fields_of(remove_low_mantissa(U::new(x)).get(), [1, 7, 8]), [sign, man_hi, exp], "{x:#x}");
        }
    }

    #[test]
    fn remove_high_exponent_keeps_sign_mantissa_and_five_exponent_bits() {
        for x in 0..1 << 19 {
            let [sign, man, _, exp_lo] = fields_of(x, [1, 10, 3, 5]);
            assert_eq!(fields_of(remove_high_exponent(U::new(x)).get(), [1, 10, 5]), [sign, man, exp_lo], "{x:#x}");
        }
    }

    #[test]
    fn tx_01_loses_the_sign_and_tx_02_loses_nothing() {
        for x in 0..1_u32 << 19 {
            let printed_low = ((x & (1 << 19)) >> 3) | ((x & (0xff << 11)) >> 3) | (x & 0xff);
            assert_eq!(remove_low_mantissa(U::new(x)).get(), printed_low, "TX-02 {x:#x}");
            let printed_high = ((x & (1 << 19)) >> 3) | ((x & (0x3ff << 8)) >> 3) | (x & 0x1f);
            let lost = remove_high_exponent(U::new(x)).get() ^ printed_high;
            assert_eq!(lost, if x >= 1 << 18 { 0x8000 } else { 0 }, "TX-01 {x:#x}");
        }
    }

    #[test]
    fn columns_are_blocked_lane_by_lane_and_even_before_odd() {
        let mut state = WORMHOLE.base_state();
        let small = &mut *Tensix::new(&mut state).small;
        for column in 0..16 {
            // Neighbouring bits of the word, 8 and 11, are set throughout and block nothing.
            small.lane_config = [1 << 8 | 1 << 11; 8];
            assert!((0..16).all(|other| !block_dest_mov(small, other)));
            small.lane_config[column / 2] |= if column % 2 == 0 { 1 << 9 } else { 1 << 10 };
            let blocked: Vec<usize> = (0..16).filter(|&other| block_dest_mov(small, other)).collect();
            assert_eq!(blocked, [column]);
        }
    }

    // ------------------------------------------------------------------------------------------- instructions

    /// FP16: Sign 1, Man 0x155, Exp 0x13, that is 1 << 18 | 0x155 << 8 | 0x13.
    const FP16_DATUM: u32 = 0x5_5513;
    /// TF32: Sign 0, Man 0x3ff, Exp 0x7f.
    const TF32_DATUM: u32 = 0x3_ff7f;

    /// A code made of fields.
    fn code(values: &[(CodeField, u32)]) -> Code {
        let mut code = Code::new(fields::MOVA2D.base_code);
        for (field, value) in values {
            field.set(&mut code, *value);
        }
        code
    }

    /// The base state with a format in force, `datum` in every column of `SrcA[0][0]`, and AddrMod 0 adding 1 to Dst.
    fn state_with(srca_fmt: u32, datum: u32) -> State {
        let mut state = WORMHOLE.base_state();
        let tensix = &mut Tensix::new(&mut state);
        config::ALU_FORMAT_SPEC_REG0_SrcA.set(&mut tensix.small.config[0], srca_fmt);
        config::DestIncr.set(&mut tensix.small.thread_config[0], 1);
        tensix.banks_unmarked().srca[0][0] = [datum; 16];
        state
    }

    fn run(edition: Edition, code: &Code, state: &mut State) -> Expectation {
        TensixReference.execute(&Step { instruction: fields::MOVA2D, edition, code }, state)
    }

    /// Which word of `DstBits` changed in column 5 when the only row of `SrcA` that is not zero was moved to Dst row 0.
    fn changed(edition: Edition, lo: u32, mut state: State) -> Vec<(usize, u32)> {
        let code = code(&[(fields::USE_DST32B_LO, lo)]);
        assert_eq!(run(edition, &code, &mut state), Expectation::Done);
        (0..1024).map(|row| (row, state.word(bank::DST, row, 5))).filter(|&(_, word)| word != 0).collect()
    }

    #[rstest]
    // -1.5: Sign 1, Man 0x200, Exp 0x7f. RemoveLowMantissa leaves 1, 0x40, 0x7f: 0x8000 | 0x4000 | 0x7f.
    #[case::bf16(BF16, 0x6_007f, 0, &[(0, 0xc07f)])]
    // RemoveHighExponent leaves 1, 0x155, 0x13: 0x8000 | 0x155 << 5 | 0x13.
    #[case::fp16(FP16, FP16_DATUM, 0, &[(0, 0xaab3)])]
    // High half: 0, 0x7f, 0x7f. Low half: the three mantissa bits taken away, 7 << 13.
    #[case::tf32(TF32, TF32_DATUM, 0, &[(0, 0x7f7f), (8, 0xe000)])]
    #[case::a_zero_exponent_is_flushed(BF16, 0x7_ff00, 0, &[])]
    #[case::and_low_mantissa_bits_of_tf32_with_it(TF32, 0x7_ff00, 0, &[])]
    // Eight exponent bits are looked at even where only five are kept: 0x20 is not zero, and leaves 0.
    #[case::eight_bits_are_looked_at(FP16, 0x4_0020, 0, &[(0, 0x8000)])]
    #[case::unless_that_is_disabled(BF16, 0x7_ff00, 1, &[(0, 0xff00)])]
    fn a_datum_is_written_as(
        #[case] srca_fmt: u32,
        #[case] datum: u32,
        #[case] keeps_denormals: u32,
        #[case] expected: &[(usize, u32)],
    ) {
        for edition in Edition::ALL {
            let mut state = state_with(srca_fmt, datum);
            let config = &mut Tensix::new(&mut state).small.config[0];
            config::ALU_ACC_CTRL_Zero_Flag_disabled_src.set(config, keeps_denormals);
            assert_eq!(changed(edition, 0, state), expected);
        }
    }

    #[test]
    fn eight_codes_have_an_eight_bit_exponent() {
        // TX-10: the codes without a name, 12 and 13, have five.
        for edition in Edition::ALL {
            for srca_fmt in 0..16 {
                let high = changed(edition, 0, state_with(srca_fmt, FP16_DATUM))[0].1;
                // RemoveLowMantissa leaves 1, 0x155 >> 3 = 0x2a, 0x13: 0x8000 | 0x2a00 | 0x13.
                let eight = [0, 4, 5, 6, 7, 8, 9, 15].contains(&srca_fmt);
                assert_eq!(high, if eight { 0xaa13 } else { 0xaab3 }, "format {srca_fmt}");
            }
        }
    }

    #[test]
    fn the_override_selects_the_other_format() {
        for edition in Edition::ALL {
            let mut state = state_with(BF16, FP16_DATUM);
            let config = &mut Tensix::new(&mut state).small.config[0];
            config::ALU_FORMAT_SPEC_REG_SrcA_override.set(config, 1);
            config::ALU_FORMAT_SPEC_REG_SrcA_val.set(config, FP16);
            assert_eq!(changed(edition, 0, state), [(0, 0xaab3)]);
        }
    }

    #[test]
    fn tx_04_lo_of_tf32_is_printed_in_spec_and_undefined_in_newest() {
        // 0xe000 | 0x7f7f.
        assert_eq!(changed(Edition::Spec, 1, state_with(TF32, TF32_DATUM)), [(0, 0x7f7f), (8, 0xff7f)]);
        let lo = code(&[(fields::USE_DST32B_LO, 1)]);
        let outcome = run(Edition::Newest, &lo, &mut state_with(TF32, TF32_DATUM));
        assert_eq!(outcome, Expectation::Undefined(LO_OF_32_BIT_DATUM));
    }

    #[test]
    fn tx_03_forced_tf32_is_32_bits_in_spec_and_16_in_newest() {
        let forced = || {
            let mut state = state_with(TF32, TF32_DATUM);
            config::FP16A_FORCE_Enable.set(&mut Tensix::new(&mut state).small.thread_config[0], 1);
            state
        };
        // RemoveHighExponent leaves 0, 0x3ff, 0x1f: 0x7fe0 | 0x1f.
        assert_eq!(changed(Edition::Spec, 0, forced()), [(0, 0x7fff), (8, 0xe000)]);
        assert_eq!(changed(Edition::Newest, 0, forced()), [(0, 0x7fff)]);
        // With Lo, newest takes the branch of 16-bit data, for which it is defined.
        assert_eq!(changed(Edition::Newest, 1, forced()), [(8, 0x7fff)]);
    }

    #[test]
    fn tx_06_fp32_and_int8_math_widen_the_exponent_in_newest_only() {
        for field in [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled] {
            let enabled = |force| {
                let mut state = state_with(FP16, FP16_DATUM);
                let small = &mut *Tensix::new(&mut state).small;
                field.set(&mut small.config[0], 1);
                config::FP16A_FORCE_Enable.set(&mut small.thread_config[0], force);
                state
            };
            assert_eq!(changed(Edition::Spec, 0, enabled(0)), [(0, 0xaab3)]);
            assert_eq!(changed(Edition::Newest, 0, enabled(0)), [(0, 0xaa13)]);
            // FP16A_FORCE goes first.
            assert_eq!(changed(Edition::Newest, 0, enabled(1)), [(0, 0xaab3)]);
        }
    }

    #[test]
    fn lo_replaces_the_low_half_and_keeps_the_high_half() {
        for edition in Edition::ALL {
            let mut state = state_with(BF16, 0x6_007f);
            let tensix = &mut Tensix::new(&mut state);
            tensix.banks_unmarked().dst[0] = [0x1234; 16];
            tensix.banks_unmarked().dst[8] = [0x5678; 16];
            assert_eq!(changed(edition, 1, state), [(0, 0x1234), (8, 0xc07f)]);
        }
    }

    #[test]
    fn tx_08_every_column_of_an_invalid_row_reads_as_zero() {
        for edition in Edition::ALL {
            let mut state = state_with(BF16, 0x6_007f);
            let tensix = &mut Tensix::new(&mut state);
            tensix.banks_unmarked().dst[0] = [0x1234; 16];
            tensix.banks_unmarked().dst_row_valid[0] = 0;
            tensix.banks_unmarked().dst_row_valid[8] = 0;
            assert_eq!(run(edition, &code(&[(fields::USE_DST32B_LO, 1)]), &mut state), Expectation::Done);
            let tensix = &mut Tensix::new(&mut state);
            // The high half was read as 0 and is written back; the write makes row 0 valid, and leaves row 8.
            assert_eq!((*tensix.dst_row(0), *tensix.dst_row(8)), ([0; 16], [0xc07f; 16]));
            assert_eq!((tensix.dst_row_valid(0), tensix.dst_row_valid(8)), (true, false));
        }
    }

    #[test]
    fn tx_08_only_part_of_an_invalid_row_is_unspecified() {
        // (format, Lo, the row whose mark counts for Dst row 9): Adj32(9) is 17.
        for (srca_fmt, lo, marked) in [(BF16, 0, 9), (TF32, 0, 17), (BF16, 1, 17)] {
            for edition in Edition::ALL {
                for invalid in [9, 17, 25] {
                    let mut state = state_with(srca_fmt, 0x6_007f);
                    let tensix = &mut Tensix::new(&mut state);
                    tensix.small.lane_config[7] = 2 << BLOCK_DEST_MOV;
                    tensix.banks_unmarked().dst_row_valid[invalid] = 0;
                    let code = code(&[(fields::USE_DST32B_LO, lo), (fields::DST_ROW, 9)]);
                    let outcome = run(edition, &code, &mut state);
                    assert_eq!(outcome.name(), if invalid == marked { "unspecified" } else { "done" });
                }
            }
        }
    }

    #[test]
    fn blocked_columns_keep_what_they_hold() {
        for edition in Edition::ALL {
            let mut state = state_with(BF16, 0x6_007f);
            let tensix = &mut Tensix::new(&mut state);
            tensix.banks_unmarked().dst[0] = [0x1234; 16];
            // Columns 1 and 14.
            tensix.small.lane_config[0] = 2 << BLOCK_DEST_MOV;
            tensix.small.lane_config[7] = 1 << BLOCK_DEST_MOV;
            assert_eq!(run(edition, &code(&[]), &mut state), Expectation::Done);
            let mut expected = [0xc07f; 16];
            (expected[1], expected[14]) = (0x1234, 0x1234);
            assert_eq!(*Tensix::new(&mut state).dst_row(0), expected);
        }
    }

    #[test]
    fn with_all_columns_blocked_only_the_counters_move() {
        // In newest, UndefinedBehavior is not reached either.
        for (edition, srca_fmt) in Edition::ALL.into_iter().flat_map(|edition| [(edition, BF16), (edition, TF32)]) {
            let mut state = state_with(srca_fmt, 0x6_007f);
            let tensix = &mut Tensix::new(&mut state);
            tensix.small.lane_config = [3 << BLOCK_DEST_MOV; 8];
            tensix.banks_unmarked().dst_row_valid = [0; 1024];
            let arena = state.arena.to_vec();
            let all = code(&[(fields::USE_DST32B_LO, 1), (fields::MOVE8_ROWS, 1)]);
            assert_eq!(run(edition, &all, &mut state), Expectation::Done);
            assert!(state.arena[..] == arena[..]);
            assert!(state.tracker.log.read.is_empty() && state.tracker.log.written.is_empty());
            assert_eq!(Tensix::new(&mut state).small.rwcs[0].dst, 1);
        }
    }

    #[test]
    fn rows_are_sums_that_wrap_and_eight_rows_are_aligned() {
        // Everything as large as it gets. Dst: 1023 + 4095 + 1023 + 65535 is -4 modulo 1024, that is 1020, in the block
        // from 1016 on. SrcA: 63 + 63 is -2 modulo 64, that is 62, in the block from 56 on.
        for edition in Edition::ALL {
            for (rows8, num_rows, dst_row, src_row) in [(0, 1, 1020, 62), (1, 8, 1016, 56)] {
                let mut state = state_with(BF16, 0);
                let tensix = &mut Tensix::new(&mut state);
                config::DEST_REGW_BASE_Base.set(&mut tensix.small.config[0], 65535);
                config::DEST_TARGET_REG_CFG_MATH_Offset.set(&mut tensix.small.thread_config[0], 4095);
                (tensix.small.rwcs[0].dst, tensix.small.rwcs[0].srca) = (1023, 63);
                for (value, row) in (1..).zip(&mut tensix.banks_unmarked().srca[0]) {
                    *row = [value; 16];
                }
                let code = code(&[(fields::MOVE8_ROWS, rows8), (fields::DST_ROW, 1023), (fields::SRC_ROW, 63)]);
                assert_eq!(run(edition, &code, &mut state), Expectation::Done);
                for row in 0..1024 {
                    let moved = (dst_row..dst_row + num_rows).contains(&row);
                    // Row r of SrcA holds exponents r + 1, which RemoveLowMantissa leaves alone.
                    let expected = if moved { u32::try_from(row - dst_row + src_row + 1).unwrap() } else { 0 };
                    assert_eq!(state.word(bank::DST, row, 15), expected, "row {row}");
                }
                // The counter adds 1 to 1023.
                assert_eq!(Tensix::new(&mut state).small.rwcs[0].dst, 0);
            }
        }
    }

    #[test]
    fn eight_rows_of_32_bits_fill_a_block_and_the_next() {
        for edition in Edition::ALL {
            let mut state = state_with(TF32, 0);
            let tensix = &mut Tensix::new(&mut state);
            tensix.banks_unmarked().srca[0][8..16].fill([TF32_DATUM; 16]);
            // Dst rows 264 to 271 are block 33; Adj32 sends it to row 33 * 16 = 528, and the low halves to 536.
            let code = code(&[(fields::MOVE8_ROWS, 1), (fields::DST_ROW, 267), (fields::SRC_ROW, 13)]);
            assert_eq!(run(edition, &code, &mut state), Expectation::Done);
            for row in 0..1024 {
                let expected = match row {
                    528..536 => 0x7f7f,
                    536..544 => 0xe000,
                    _ => 0,
                };
                assert_eq!(state.word(bank::DST, row, 0), expected, "row {row}");
            }
        }
    }

    #[test]
    fn thread_state_id_and_bank_select_what_is_used() {
        for edition in Edition::ALL {
            let mut state = WORMHOLE.base_state();
            let tensix = &mut Tensix::new(&mut state);
            let small = &mut *tensix.small;
            small.current_thread = 2;
            small.matrix_unit_srca_bank = 1;
            small.srca_allowed_client = [UNPACKERS, MATRIX_UNIT];
            config::CFG_STATE_ID_StateID.set(&mut small.thread_config[2], 1);
            config::ALU_FORMAT_SPEC_REG0_SrcA.set(&mut small.config[1], FP16);
            (small.rwcs[2].dst, small.rwcs[2].srca) = (100, 10);
            tensix.banks_unmarked().srca[1][10] = [FP16_DATUM; 16];
            assert_eq!(run(edition, &code(&[]), &mut state), Expectation::Done);
            assert_eq!(state.word(bank::DST, 100, 0), 0xaab3);
        }
    }

    #[test]
    fn the_wait_gate_comes_before_everything() {
        for edition in Edition::ALL {
            for mut code in [code(&[]), code(&[(fields::USE_DST32B_LO, 1)])] {
                code[0] |= fields::UNNAMED_BITS;
                let mut state = state_with(TF32, TF32_DATUM);
                Tensix::new(&mut state).small.srca_allowed_client[0] = UNPACKERS;
                let (arena, small) = (state.arena.to_vec(), state.small.to_vec());
                assert_eq!(run(edition, &code, &mut state).name(), "blocked");
                assert!(state.arena[..] == arena[..] && state.small[..] == small[..]);
                assert!(state.tracker.log.read.is_empty() && state.tracker.log.written.is_empty());
            }
        }
    }

    #[test]
    fn each_unnamed_bit_leaves_the_instruction_unspecified() {
        for edition in Edition::ALL {
            for bit in 0..24 {
                let mut code = code(&[]);
                code[0] |= 1 << bit;
                let unnamed = [10, 11, 12, 14].contains(&bit);
                let outcome = run(edition, &code, &mut state_with(BF16, 0));
                assert_eq!(outcome.name(), if unnamed { "unspecified" } else { "done" }, "bit {bit}");
            }
        }
    }

    #[test]
    fn the_log_names_the_rows_that_the_page_touches_and_no_others() {
        let first_row = |which: usize| WORMHOLE.layout.banks[which].first_row;
        let rows = |set: &tandem_isa::RowSet| {
            let mut rows = Vec::new();
            set.each(|row| rows.push(row));
            rows
        };
        let (srca, marks) = (first_row(bank::SRCA), first_row(bank::DST_ROW_VALID));
        for edition in Edition::ALL {
            for (srca_fmt, lo, read, written) in [
                // A full write reads SrcA only.
                (BF16, 0, vec![srca], vec![9, marks + 9]),
                (TF32, 0, vec![srca], vec![17, 25, marks + 17]),
                // Lo also reads Dst32b[9] and its mark.
                (BF16, 1, vec![17, 25, srca, marks + 17], vec![17, 25, marks + 17]),
            ] {
                let mut state = state_with(srca_fmt, 0x6_007f);
                let code = code(&[(fields::USE_DST32B_LO, lo), (fields::DST_ROW, 9)]);
                assert_eq!(run(edition, &code, &mut state), Expectation::Done);
                assert_eq!(rows(&state.tracker.log.read), read);
                assert_eq!(rows(&state.tracker.log.written), written);
            }
        }
    }
}
