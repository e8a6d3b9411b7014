//! `SFPLOAD`: move up to 32 data from `Dst` to an `LReg`.
//!
//! *Source*: page SFPLOAD, commits 39304719 (Wormhole, edition `spec`), 545c98a3 (Wormhole, edition `newest`) and
//! 0f3f6b70 (Blackhole, both editions). The three texts have the same order; where they differ, the line here says how.
//!
//! After an outcome that promises nothing the state is of no meaning: lanes may be loaded in part.

// Of pages `SFPLOAD_SPEC` and `SFPLOAD_BH` (bh).
// Shown by `each_mode_makes_of_a_datum_what_its_line_says`, where nothing else is said.
//
// Of `isa/src/tensix/inst/call_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [10] [SFPLOAD_NEWEST 10] The operands are VD and Mod0, of four bits, AddrMod, of two, and Imm10, of ten.
// [bh 19] The operands are VD and Mod0, of four bits, AddrMod, of three, and Imm10, of ten.
//
// Of `isa/src/tensix/inst/sfpload.rs, ADDR_MOD_BH`, shown by `encodings_and_texts_round_trip`:
// [bh 14] AddrMod lies a little differently in the word than on Wormhole, which a text does not show.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [15, TX-34] [SFPLOAD_NEWEST 15, TX-34] [bh 24, TX-34] A picture shows where the opcode and the fields lie in the
// word.
//
// Of `isa/src/tensix/inst/sfpload.rs, SRCB`, shown by `encodings_and_texts_round_trip`:
// [122-137] [SFPLOAD_NEWEST 125-140] [bh 144-159] The 16 modes have the codes 0 to 15.
//
// [3] [SFPLOAD_NEWEST 3] [bh 3] The load sub-unit takes up to 32 data from Dst to an LReg; other instructions offer
// more conversions. Not modelled: a summary of what follows, and advice; each part of it has an entry below.
// [5] [SFPLOAD_NEWEST 5] [bh 5] The Vector Unit executes it, in its load sub-unit. Not modelled: which unit executes
// has no effect on one instruction's result.
// [204] [SFPLOAD_NEWEST 188] [bh 200] After an instruction of the Matrix Unit that writes to Dst, three unrelated ones
// should come before a load of the same place. Not modelled: cycle timing is out of scope by decision.
// [204] [SFPLOAD_NEWEST 188] [bh 200] A Tensix NOP of any kind may be one of them. Not modelled: cycle timing is out of
// scope by decision.
// [204] [SFPLOAD_NEWEST 188] STALLWAIT with block bit B8 and condition C7 does too, but is not what is recommended. Not
// modelled: cycle timing is out of scope by decision.
// [bh 200] STALLWAIT with block bit B8 and condition C7 is said to do too, but is not what is recommended. Not
// modelled: cycle timing is out of scope by decision; TX-18 tells that C7 is another condition there.
// [bh 47] SFPCAST is to be preferred to INT32_SM and INT8_COMP. Not modelled: advice.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::inst::sfpload::{self as fields, mod0};
use tandem_isa::tensix::{Chip, SFPLOAD_BH, SFPLOAD_NEWEST, SFPLOAD_SPEC, Small, Tensix};
use tandem_isa::{Edition, Expectation};

use super::dst::{self, dst_decode_bf16, dst_decode_fp32};
use super::lanes::{self, LANES, UNNAMED_REASON, is_lane_enabled, lane_config, lane_config_bit as bit};
use super::rwcs::apply_partial_addr_mod;
use crate::bits::U;

/// Executes an `SFPLOAD`. *Source*: section Functional model.
pub fn execute(chip: Chip, edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    let vd = U::<4>::new(fields::VD.get(code));
    let encoding = match (chip, edition) {
        (Chip::Wormhole, Edition::Spec) => cite!(SFPLOAD_SPEC, "lines 10 and 15", UNNAMED_REASON),
        (Chip::Wormhole, Edition::Newest) => cite!(SFPLOAD_NEWEST, "lines 10 and 15", UNNAMED_REASON),
        (Chip::Blackhole, _) => cite!(SFPLOAD_BH, "lines 19 and 24", UNNAMED_REASON),
    };
    // TX-17: page SFPCONFIG takes the instruction for something else in lanes whose back door is open.
    let refused =
        lanes::backdoor_of_move(chip, tensix.small, vd).or_else(|| lanes::unnamed_bits_of_move(chip, code, encoding));
    if let Some(expectation) = refused {
        return expectation;
    }
    match run(chip, edition, code, vd, tensix) {
        ControlFlow::Continue(_) => {
            lanes::leave_templates_open(chip, tensix, vd);
            Expectation::Done
        }
        ControlFlow::Break(expectation) => expectation,
    }
}

/// The functional model, from the first line to the last, with the address that it computes; of `SFPLOADMACRO` too.
pub fn run(
    chip: Chip,
    edition: Edition,
    code: &[u32],
    vd: U<4>,
    tensix: &mut Tensix<'_>,
) -> ControlFlow<Expectation, U<10>> {
    let mod0 = resolve_mod0(chip, tensix.small, U::new(fields::MOD0.get(code)));
    let addr = dst_address(chip, tensix.small, mod0, U::new(fields::IMM10.get(code)));
    let load = Load { chip, edition, vd, mod0, addr };

    // [80, TX-17] [SFPLOAD_NEWEST 81, TX-17] [bh 100, TX-17] Data are moved only to registers below 8.
    // (`registers_from_8_on_are_stored_but_not_loaded`)
    if vd.get() < 8 {
        // [81] [SFPLOAD_NEWEST 82] [bh 101] Each of 32 lanes is looked at. (`every_instruction_agrees_in_every_mode`)
        for lane in 0..LANES {
            // [38, TX-22] [SFPLOAD_NEWEST 38, TX-22] INT32_ALL has another address, slightly, and ignores LaneEnabled.
            // (`blocked_and_disabled_lanes_keep_what_they_had_but_int32_all_heeds_only_the_block`)
            // [bh 49, TX-22] INT32_ALL ignores LaneEnabled.
            // (`blocked_and_disabled_lanes_keep_what_they_had_but_int32_all_heeds_only_the_block`)
            // [82, TX-21] [SFPLOAD_NEWEST 83, TX-21] [bh 102, TX-21] A lane that BLOCK_SFPU_RD_FROM_DEST blocks is
            // passed over. (`each_direction_has_a_bit_for_exchange_and_a_bit_for_blocking`)
            // [82, TX-22] [SFPLOAD_NEWEST 83, TX-22] [bh 102, TX-22] That is asked before anything else.
            // (`blocked_and_disabled_lanes_keep_what_they_had_but_int32_all_heeds_only_the_block`)
            let is_blocked = lane_config(tensix.small, lane).bit(bit::BLOCK_SFPU_RD_FROM_DEST);
            if reads!(is_blocked, "load-all-ignores-block", is_blocked && mod0.get() != mod0::INT32_ALL) {
                continue;
            }
            // [83, TX-22] [SFPLOAD_NEWEST 84, TX-22] [bh 103, TX-22] A lane moves if it is enabled, or if the mode is
            // INT32_ALL. (`blocked_and_disabled_lanes_keep_what_they_had_but_int32_all_heeds_only_the_block`)
            if is_lane_enabled(tensix.small, lane) || mod0.get() == mod0::INT32_ALL {
                load.lane(tensix, lane)?;
            }
        }
    }

    // [116-117] [SFPLOAD_NEWEST 117-118] [bh 136-137] At the end the counters advance as the AddrMod bits select, but
    // for the fidelity phase. (`a_partial_addr_mod_is_a_full_one_that_leaves_the_fidelity_phase`)
    let addr_mod = U::new(match chip {
        Chip::Wormhole => fields::ADDR_MOD.get(code),
        Chip::Blackhole => fields::ADDR_MOD_BH.get(code),
    });
    apply_partial_addr_mod(chip, tensix.small, addr_mod)?;
    ControlFlow::Continue(addr)
}

/// `ConfigState`, the bank of `Config` that the thread uses, and the thread's `ThreadConfig`.
// [53-54] [SFPLOAD_NEWEST 53-54] [bh 64-65] The thread's StateID, one bit of its ThreadConfig, selects a bank of
// Config. (`orthogonal_axes_are_covered_three_ways`)
fn config_state(small: &Small) -> (&[u32; CONFIG_WORDS], &[u16; THREAD_CONFIG_WORDS]) {
    let thread_config = &small.thread_config[current_thread(small)];
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(thread_config));
    (&small.config[state_id.index()], thread_config)
}

fn current_thread(small: &Small) -> usize {
    U::<2>::new(small.current_thread).index()
}

/// Makes something definite of `MOD0_FMT_SRCB`.
// Shown by `the_format_of_srcb_decides_between_fp16_and_bf16`.
// [40, TX-15] [SFPLOAD_NEWEST 40, TX-15] [bh 51, TX-15] MOD0_FMT_SRCB stands for FP16, BF16 or FP32.
// [56-57] [SFPLOAD_NEWEST 56-57] [bh 67-68] MOD0_FMT_SRCB is resolved first.
fn resolve_mod0(chip: Chip, small: &Small, mod0: U<4>) -> U<4> {
    let (config_state, thread_config) = config_state(small);
    if mod0.get() != mod0::SRCB {
        return mod0;
    }
    // [58-59] [SFPLOAD_NEWEST 58-59] [bh 69-70] With SFPU_Fp32_enabled it is FP32, which does what INT32 does.
    if config::ALU_ACC_CTRL_SFPU_Fp32_enabled.get(config_state) != 0 {
        return U::new(mod0::FP32);
    }
    // [60-61, TX-19] [SFPLOAD_NEWEST 60-61, TX-19] [bh 71-72, TX-30] Otherwise SrcB's format counts: the override's
    // value if the override is on, the configured one if not. (`every_instruction_agrees_in_every_mode`)
    let mut srcb_fmt = U::<4>::new(if config::ALU_FORMAT_SPEC_REG_SrcB_override.get(config_state) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcB_val.get(config_state)
    } else {
        config::ALU_FORMAT_SPEC_REG1_SrcB.get(config_state)
    });
    match chip {
        // [SFPLOAD_NEWEST 62] How Blackhole implies a format of SrcB is not fully known. Not modelled: it is of another
        // chip.
        Chip::Wormhole => {}
        // TX-30: the format that Blackhole implies for SrcB is on no page that this one calls, so it plays no part.
        Chip::Blackhole => {
            // [bh 73-75] With SFPU_DEST_FMT_Enable of the thread, SFPU_DEST_FMT_Base replaces that format.
            // (`the_format_of_srcb_decides_between_fp16_and_bf16`)
            if blackhole::SFPU_DEST_FMT_Enable.get(thread_config) != 0 {
                srcb_fmt = U::new(blackhole::SFPU_DEST_FMT_Base.get(thread_config));
            }
        }
    }
    // TX-33: the codes without a name are not in the set.
    // [62-63, TX-33] [SFPLOAD_NEWEST 63-64, TX-33] [bh 76-77, TX-33] FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32 and
    // INT16 make it BF16.
    let is_listed = matches!(srcb_fmt.get(), FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16);
    let code = srcb_fmt.get();
    if reads!(
        is_listed,
        "load-reserved12-included",
        is_listed || code == 12,
        "load-reserved13-included",
        is_listed || code == 13
    ) {
        U::new(mod0::BF16)
    } else {
        // [64-68, TX-33] [SFPLOAD_NEWEST 65-69, TX-33] [bh 78-82, TX-33] All others make it FP16.
        U::new(mod0::FP16)
    }
}

/// `Addr`: the upper eight bits select four rows of `Dst`, and bit 1 the odd columns.
///
/// On Blackhole `MOD0_FMT_INT32_ALL` pops the thread's stack of rows on the way.
// Shown by `addresses_wrap_at_1024_and_int32_all_takes_two_bits_of_the_counter`.
// [3] [SFPLOAD_NEWEST 3] [bh 3] The data lie in the even or the odd columns of four consecutive rows.
// (`lanes_take_even_or_odd_columns_of_four_rows`)
// [70-72] [SFPLOAD_NEWEST 71-73] [bh 84-86] Of the address the high eight bits select four rows, the next one even or
// odd columns, and the last nothing. (`lanes_take_even_or_odd_columns_of_four_rows`)
fn dst_address(chip: Chip, small: &mut Small, mod0: U<4>, imm10: U<10>) -> U<10> {
    let thread = current_thread(small);
    let (config_state, thread_config) = config_state(small);
    // [73] [SFPLOAD_NEWEST 74] [bh 87] Imm10 and the thread's MATH_Offset are added, in ten bits.
    let mut addr = imm10 + U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
    // [bh 88] DstOffset is the sum of the thread's Dst counter and DEST_REGW_BASE, in ten bits.
    let dst_offset = U::<10>::new(small.rwcs[thread].dst) + U::new(config::DEST_REGW_BASE_Base.get(config_state));
    match chip {
        Chip::Wormhole => {
            // [74-75, TX-19] [SFPLOAD_NEWEST 75-76, TX-19] INT32_ALL adds the low two bits of the sum of the thread's
            // Dst counter and DEST_REGW_BASE.
            if mod0.get() == mod0::INT32_ALL {
                addr += dst_offset & 3;
            } else {
                // [76-78, TX-19] [SFPLOAD_NEWEST 77-79, TX-19] Other modes add the whole of it.
                addr += dst_offset;
            }
        }
        Chip::Blackhole => {
            let dest_sp_base = U::<10>::new(blackhole::DEST_SP_BASE_Base.get(config_state));
            let stack_incr = U::<10>::new(blackhole::SFPU_STACK_Incr.get(thread_config));
            // [bh 8-9, 49, 89] INT32_ALL has an address of its own.
            // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
            if mod0.get() == mod0::INT32_ALL {
                // [bh 90-92, TX-31] First it takes SFPU_STACK_Incr off the thread's Sp, unless that is 0.
                // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
                if small.sp[thread] != 0 {
                    // TX-31: the page gives Sp no width; it has ten bits here.
                    small.sp[thread] = (U::<10>::new(small.sp[thread]) - stack_incr).get();
                }
                // [bh 93, TX-31] Then SpOffset is the sum of Sp and DEST_SP_BASE, in ten bits.
                // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
                let sp_offset = U::<10>::new(small.sp[thread]) + dest_sp_base;
                // [bh 94] It adds the whole of SpOffset and the low two bits of DstOffset.
                // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
                addr += sp_offset + (dst_offset & 3);
            } else {
                // [bh 95-96, TX-31] In other modes SpOffset is the sum of Sp and DEST_SP_BASE, in ten bits.
                // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
                let sp_offset = U::<10>::new(small.sp[thread]) + dest_sp_base;
                // [bh 97-98] They add the whole of DstOffset and the low two bits of SpOffset.
                // (`blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty`)
                addr += dst_offset + (sp_offset & 3);
            }
        }
    }
    addr
}

/// What all lanes of one `SFPLOAD` have in common.
struct Load {
    chip: Chip,
    edition: Edition,
    /// Below 8.
    vd: U<4>,
    mod0: U<4>,
    addr: U<10>,
}

impl Load {
    /// The body of the loop, for a lane that moves.
    // Shown by `lanes_take_even_or_odd_columns_of_four_rows`.
    // [44] [SFPLOAD_NEWEST 44] [bh 55] All 32 lanes may be enabled.
    // [46] [SFPLOAD_NEWEST 46] [bh 57] A picture shows which datum goes where.
    // [48] [SFPLOAD_NEWEST 48] [bh 59] SFPSTORE goes exactly the other way.
    // (`a_word_that_is_loaded_and_stored_comes_back_as_the_pages_imply`)
    fn lane(&self, tensix: &mut Tensix<'_>, lane: u32) -> ControlFlow<Expectation> {
        let config = lane_config(tensix.small, lane);
        // [85, TX-24] [SFPLOAD_NEWEST 86, TX-24] [bh 105, TX-24] Its row is the first of an aligned group of four, and
        // one further for every eight lanes.
        let row = (self.addr & !3) + U::new(lane / 8);
        // [86] [SFPLOAD_NEWEST 87] [bh 106] Its column is even, by the lane's place among eight.
        let mut column = U::<4>::new((lane & 7) * 2);
        // [87-89, TX-21] [SFPLOAD_NEWEST 88-90, TX-21] [bh 107-109, TX-21] It is odd if the address says so, or
        // DEST_RD_COL_EXCHANGE of the lane modulo 8.
        if (self.addr & 2).get() != 0 || lane_config(tensix.small, lane & 7).bit(bit::DEST_RD_COL_EXCHANGE) {
            column += U::new(1);
        }
        let datum = self.datum(tensix, lane, row, column)?;
        let lane = U::<5>::new(lane).index();
        // [108] [SFPLOAD_NEWEST 109] [bh 128] The datum replaces the lane's word of the register.
        // (`every_instruction_agrees_in_every_mode`)
        tensix.set_lreg(self.vd.index(), lane, datum);
        // [109-114, TX-20] [SFPLOAD_NEWEST 110-115, TX-20] [bh 129-134, TX-20] The index is captured if the register is
        // one of the first four, and both ENABLE_DEST_INDEX and CAPTURE_DEFAULT_DEST_INDEX of the lane are set.
        // (`the_index_is_captured_below_register_4_if_both_bits_are_set`)
        if self.vd.get() < 4 && config.bit(bit::ENABLE_DEST_INDEX) && config.bit(bit::CAPTURE_DEFAULT_DEST_INDEX) {
            // [110, TX-24] [SFPLOAD_NEWEST 111, TX-24] [bh 130, TX-24] The lane's word of the register four further
            // becomes row times 16 plus column. (`the_index_is_captured_below_register_4_if_both_bits_are_set`)
            let row = reads!(row, "load-capture-physical", self.physical(tensix.small, row));
            tensix.set_lreg((self.vd + U::new(4)).index(), lane, (row.get() << 4) | column.get());
        }
        ControlFlow::Continue(())
    }

    /// The switch over `Mod0`: `Datum`.
    // [19] [SFPLOAD_NEWEST 19] [bh 28] Mod0 selects one of the conversions of a table.
    // (`every_instruction_agrees_in_every_mode`)
    // [21-22, TX-15] [SFPLOAD_NEWEST 21-22, TX-15] [bh 30-31, TX-15] Each is from a type of Dst to one of LReg.
    // (`every_instruction_agrees_in_every_mode`)
    // [84] [SFPLOAD_NEWEST 85] [bh 104] A datum has 32 bits. (`every_instruction_agrees_in_every_mode`)
    fn datum(&self, tensix: &mut Tensix<'_>, lane: u32, row: U<10>, column: U<4>) -> ControlFlow<Expectation, u32> {
        let chip = self.chip;
        let place = (self.vd.index(), U::<5>::new(lane).index());
        let column = column.index();
        // [90] [SFPLOAD_NEWEST 91] [bh 110] What becomes of the datum hangs on the mode.
        // (`every_instruction_agrees_in_every_mode`)
        ControlFlow::Continue(match self.mod0.get() {
            // [91, TX-16] [SFPLOAD_NEWEST 92, TX-16] [bh 111, TX-16] FP16 reads 16 bits of Dst.
            // [91, TX-21] [SFPLOAD_NEWEST 92, TX-21] [bh 111, TX-21] It goes by ENABLE_FP16A_INF of the lane.
            // (`the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so`)
            mod0::FP16 => {
                let enable_fp16a_inf = lane_config(tensix.small, lane).bit(bit::ENABLE_FP16A_INF);
                read_fp16(dst::load_dst16b(chip, tensix, row, column)?, enable_fp16a_inf)
            }
            // [24] [SFPLOAD_NEWEST 24] [bh 33] BF16 becomes FP32.
            // [92, TX-14] [SFPLOAD_NEWEST 93] [bh 112] BF16 reads 16 bits, unshuffled and shifted to the high half.
            mod0::BF16 => self.decode_bf16(dst::load_dst16b(chip, tensix, row, column)?).get() << 16,
            // [25-26] [SFPLOAD_NEWEST 25-26] [bh 34-35] FP32 mode and INT32 mode take FP32 or integer "32" as it is.
            //
            // [27, TX-19] [SFPLOAD_NEWEST 27, TX-19] [bh 36] INT32_ALL does too.
            // [93-95, TX-16] [SFPLOAD_NEWEST 94-96, TX-16] [bh 113-115, TX-16] FP32, INT32 and INT32_ALL read 32 bits,
            // unshuffled.
            mod0::FP32 => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            mod0::INT32 => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            mod0::INT32_ALL => self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?),
            // [28, TX-19] [SFPLOAD_NEWEST 28, TX-19] INT32_SM makes two's complement of integer "32".
            //
            // [96, TX-23] [SFPLOAD_NEWEST 97, TX-23] INT32_SM reads 32 bits, unshuffled, and converts them to two's
            // complement.
            //
            // [bh 8, 12, 47] INT32_SM is deprecated, and converts nothing any more.
            //
            // [bh 37] INT32_SM takes FP32 or integer "32" as it is.
            // [bh 116, TX-16] INT32_SM reads 32 bits, unshuffled, and is deprecated.
            //
            mod0::INT32_SM => {
                let x = self.decode_fp32(dst::load_dst32b(chip, tensix, row, column)?);
                match chip {
                    Chip::Wormhole => sign_mag_to_twos_comp(x),
                    // Blackhole converts nothing.
                    Chip::Blackhole => reads!(x, "load-int32-sm-converted", sign_mag_to_twos_comp(x)),
                }
            }
            // [29, TX-19] [SFPLOAD_NEWEST 29, TX-19] INT8 takes integer "8" of magnitudes up to 127 to sign and
            // magnitude.
            //
            // [97, TX-19] [SFPLOAD_NEWEST 98, TX-19] INT8 reads 16 bits and keeps seven of magnitude.
            //
            // [29, TX-26] [SFPLOAD_NEWEST 29, TX-26] Larger magnitudes are not expected.
            // [bh 8, 10] INT8 takes magnitudes up to 255, not only up to 127.
            //
            // [bh 38, TX-26] INT8 takes integer "8" of magnitudes up to 255 to sign and magnitude.
            //
            // [bh 117] INT8 reads 16 bits and keeps eight of magnitude.
            //
            mod0::INT8 => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                match chip {
                    Chip::Wormhole => {
                        reads!(sign_mag8_to_sign_mag32(x), "load-int8-ten-bits", sign_mag11_to_sign_mag32(x))
                    }
                    // Blackhole takes in one more bit of the magnitude.
                    Chip::Blackhole => reads!(
                        sign_mag9_to_sign_mag32(x),
                        "load-int8-seven-bits",
                        sign_mag8_to_sign_mag32(x),
                        "load-int8-ten-bits",
                        sign_mag11_to_sign_mag32(x)
                    ),
                }
            }
            // [30, TX-19] [SFPLOAD_NEWEST 30, TX-19] INT8_COMP makes two's complement of integer "8".
            //
            // [98, TX-23] [SFPLOAD_NEWEST 99, TX-23] INT8_COMP reads 16 bits, keeps ten of magnitude and converts them
            // to two's complement.
            // [bh 8, 11, 47] INT8_COMP is deprecated, and makes no two's complement any more.
            //
            // [bh 39] INT8_COMP takes integer "8" to sign and magnitude.
            //
            // [bh 118] INT8_COMP reads 16 bits, keeps ten of magnitude, and is deprecated.
            //
            mod0::INT8_COMP => {
                let x = sign_mag11_to_sign_mag32(dst::load_dst16b(chip, tensix, row, column)?);
                match chip {
                    Chip::Wormhole => sign_mag_to_twos_comp(x),
                    // Blackhole converts nothing.
                    Chip::Blackhole => reads!(x, "load-int8-comp-converted", sign_mag_to_twos_comp(x)),
                }
            }
            // [31-32] [SFPLOAD_NEWEST 31-32] [bh 40-41] LO16_ONLY and HI16_ONLY write 16 opaque bits to one half of the
            // register and keep the other.
            // [99] [SFPLOAD_NEWEST 100] [bh 119] LO16_ONLY joins the register's high half with 16 bits.
            mod0::LO16_ONLY => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                (tensix.lreg(place.0, place.1) & 0xffff_0000) | x.get()
            }
            // [100, TX-14] [SFPLOAD_NEWEST 101, TX-14] [bh 120, TX-14] HI16_ONLY joins 16 bits with the register's low
            // half.
            mod0::HI16_ONLY => {
                let x = dst::load_dst16b(chip, tensix, row, column)?;
                (x.get() << 16) | (tensix.lreg(place.0, place.1) & 0x0000_ffff)
            }
            // [33] [SFPLOAD_NEWEST 33] [bh 42] INT16 becomes sign and magnitude.
            // [101] [SFPLOAD_NEWEST 102] [bh 121] INT16 reads 16 bits as sign and magnitude.
            mod0::INT16 => sign_mag16_to_sign_mag32(dst::load_dst16b(chip, tensix, row, column)?),
            // [34-36] [SFPLOAD_NEWEST 34-36] [bh 43-45] UINT16 and LO16 extend 16 opaque bits with zeros; HI16 puts
            // them above zeros.
            // [102-103] [SFPLOAD_NEWEST 103-104] [bh 122-123] UINT16 and LO16 read 16 bits.
            mod0::UINT16 => dst::load_dst16b(chip, tensix, row, column)?.get(),
            mod0::LO16 => dst::load_dst16b(chip, tensix, row, column)?.get(),
            // [104, TX-14] [SFPLOAD_NEWEST 105, TX-14] [bh 124, TX-14] HI16 reads 16 bits to the high half.
            mod0::HI16 => dst::load_dst16b(chip, tensix, row, column)?.get() << 16,
            // [105, TX-16] [SFPLOAD_NEWEST 106, TX-16] [bh 125, TX-16] MOD0_FMT_ZERO gives 0, and takes nothing from
            // Dst. (`an_invalid_row_makes_a_load_undefined_only_if_a_lane_reads_it`)
            mod0::ZERO => 0,
            // [106-107] [SFPLOAD_NEWEST 107-108] [bh 126-127] MOD0_FMT_SRCB is gone by now.
            // (`the_format_of_srcb_decides_between_fp16_and_bf16`)
            other => unreachable!("MOD0_FMT_SRCB was resolved, and Mod0 has four bits: {other}"),
        })
    }

    /// The row that the view of the mode selects, which another reading captures (TX-24).
    fn physical(&self, small: &Small, row: U<10>) -> U<10> {
        match self.mod0.get() {
            mod0::FP32 | mod0::INT32 | mod0::INT32_ALL | mod0::INT32_SM => dst::adj32_of(self.chip, small, row),
            _ => dst::adj16(self.chip, small, row),
        }
    }

    /// From the layout of `Dst` to that of the machine, 16 bits, by the name that each text has for it.
    fn decode_bf16(&self, x: U<16>) -> U<16> {
        match (self.chip, self.edition) {
            (Chip::Wormhole, Edition::Spec) => unshuffle_bf16(x),
            (Chip::Wormhole, Edition::Newest) | (Chip::Blackhole, _) => dst_decode_bf16(x),
        }
    }

    /// From the layout of `Dst` to that of the machine, 32 bits, by the name that each text has for it.
    fn decode_fp32(&self, x: u32) -> u32 {
        match (self.chip, self.edition) {
            (Chip::Wormhole, Edition::Spec) => unshuffle_fp32(x),
            (Chip::Wormhole, Edition::Newest) | (Chip::Blackhole, _) => dst_decode_fp32(x),
        }
    }
}

/// `ReadFP16`: `Sign,Man(10b),Exp(5b)` to FP32.
// [23] [SFPLOAD_NEWEST 23] [bh 32] FP16 becomes FP32; how infinity is handled can be configured.
// (`the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so`)
// [139] [SFPLOAD_NEWEST 142] [bh 161] ReadFP16 makes 32 bits of 16, by ENABLE_FP16A_INF.
// (`the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so`)
// [140-143] [SFPLOAD_NEWEST 143-146] [bh 162-165] Its input is sign, ten mantissa bits, five exponent bits.
fn read_fp16(x: U<16>, enable_fp16a_inf: bool) -> u32 {
    let sign = (x >> 15).get();
    let mut man = ((x >> 5) & 0x3ff).get();
    let mut exp = (x & 0x1f).get();
    // [144-145] [SFPLOAD_NEWEST 147-148] [bh 166-167] With ENABLE_FP16A_INF the largest magnitude becomes infinity of
    // IEEE 754. (`the_largest_fp16_of_65536_is_infinity_where_a_lane_says_so`)
    if enable_fp16a_inf && exp == 0x1f && man == 0x3ff {
        (exp, man) = (255, 0);
    } else if exp != 0 {
        // [146-147] [SFPLOAD_NEWEST 149-150] [bh 168-169] Otherwise an exponent that is not 0 is rebiased by 112.
        exp += 112;
    } else {
        // [148-150] [SFPLOAD_NEWEST 151-153] [bh 170-172] A denormal becomes another denormal; later arithmetic would
        // flush it.
    }
    // [151-152] [SFPLOAD_NEWEST 154-155] [bh 173-174] Sign, exponent and mantissa are put together as in FP32.
    (sign << 31) | (exp << 23) | (man << 13)
}

/// `SignMag8ToSignMag32`, of Wormhole: `Sign,-(3b),Mag(7b),-(5b)` to a sign and a magnitude of 31 bits.
// [154] [SFPLOAD_NEWEST 157] SignMag8ToSignMag32 makes 32 bits of 16.
fn sign_mag8_to_sign_mag32(x: U<16>) -> u32 {
    // [155-157] [SFPLOAD_NEWEST 158-160] Of its input count the sign and the low seven of ten bits of magnitude; five
    // more below are ignored.
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0x7f).get();
    // [158-159] [SFPLOAD_NEWEST 161-162] The sign goes to the top.
    (sign << 31) | mag
}

/// `SignMag9ToSignMag32`, of Blackhole: `Sign,-(2b),Mag(8b),-(5b)` to a sign and a magnitude of 31 bits.
// Shown by `small_magnitudes_keep_as_many_bits_as_their_names_have_without_the_sign`.
// [bh 176] SignMag9ToSignMag32 makes 32 bits of 16.
fn sign_mag9_to_sign_mag32(x: U<16>) -> u32 {
    // [bh 177-179] Of its input count the sign and the low eight of ten bits of magnitude; five more below are ignored.
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0xff).get();
    // [bh 180-181] The sign goes to the top.
    (sign << 31) | mag
}

/// `SignMag11ToSignMag32`: `Sign,Mag(10b),-(5b)` to a sign and a magnitude of 31 bits.
// [161] [SFPLOAD_NEWEST 164] [bh 183] SignMag11ToSignMag32 makes 32 bits of 16.
fn sign_mag11_to_sign_mag32(x: U<16>) -> u32 {
    // [162-164] [SFPLOAD_NEWEST 165-167] [bh 184-186] Of its input count the sign and ten bits of magnitude; five below
    // are ignored.
    let sign = (x >> 15).get();
    let mag = ((x >> 5) & 0x3ff).get();
    // [165-166] [SFPLOAD_NEWEST 168-169] [bh 187-188] The sign goes to the top.
    (sign << 31) | mag
}

/// `SignMag16ToSignMag32`: `Sign,Mag(15b)` to a sign and a magnitude of 31 bits.
// [168] [SFPLOAD_NEWEST 171] [bh 190] SignMag16ToSignMag32 makes 32 bits of 16.
fn sign_mag16_to_sign_mag32(x: U<16>) -> u32 {
    // [169-171] [SFPLOAD_NEWEST 172-174] [bh 191-193] Its input is sign and 15 bits of magnitude.
    let sign = (x >> 15).get();
    let mag = (x & 0x7fff).get();
    // [172-173] [SFPLOAD_NEWEST 175-176] [bh 194-195] The sign goes to the top.
    (sign << 31) | mag
}

/// `SignMagToTwosComp`, of Wormhole: a sign and a magnitude of 31 bits to two's complement.
// [175-176] [SFPLOAD_NEWEST 178-179] SignMagToTwosComp makes two's complement of sign and 31 bits of magnitude.
fn sign_mag_to_twos_comp(x: u32) -> u32 {
    // [177-178] [SFPLOAD_NEWEST 180-181] It takes them apart with masks.
    let sign = x & 0x8000_0000;
    let mag = x & 0x7fff_ffff;
    // [179-180, TX-23] [SFPLOAD_NEWEST 182-183, TX-23] With the sign the magnitude is negated.
    if sign != 0 {
        reads!(mag.wrapping_neg(), "load-minus-zero-kept", if mag == 0 { sign } else { mag.wrapping_neg() })
    } else {
        mag
    }
}

/// `UnshuffleFP32`, of edition `spec`: `Sign,ManHi(7b),Exp(8b),ManLo(16b)` to `Sign,Exp(8b),ManHi(7b),ManLo(16b)`.
// [182] UnshuffleFP32 makes 32 bits of 32.
// [183-184] Sign, high mantissa, exponent, low mantissa become sign, exponent, high mantissa, low mantissa.
fn unshuffle_fp32(x: u32) -> u32 {
    // [185-190] That is UnshuffleBF16 of the high half; the low half stays.
    let mut hi = U::<16>::new(x >> 16);
    let lo = U::<16>::new(x & 0xffff);
    hi = unshuffle_bf16(hi);
    (hi.get() << 16) | lo.get()
}

/// `UnshuffleBF16`, of edition `spec`: `Sign,Man(7b),Exp(8b)` to `Sign,Exp(8b),Man(7b)`.
// [192] UnshuffleBF16 makes 16 bits of 16.
// [193-194] Sign, mantissa, exponent become sign, exponent, mantissa.
fn unshuffle_bf16(x: U<16>) -> U<16> {
    // [195-197] It takes them apart with masks.
    let sign = (x & 0x8000).get();
    let exp = (x & 0x00ff).get();
    let man = (x & 0x7f00).get();
    // [198-199] The exponent moves up by seven and the mantissa down by eight.
    U::new(sign | (exp << 7) | (man >> 8))
}

#[cfg(test)]
mod tests {
    use tandem_isa::State;
    use tandem_isa::tensix::{BLACKHOLE, WORMHOLE};

    use super::*;

    const CHIPS: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

    fn base_state(chip: Chip) -> State {
        match chip {
            Chip::Wormhole => WORMHOLE.base_state(),
            Chip::Blackhole => BLACKHOLE.base_state(),
        }
    }

    fn word(vd: u32, mode: u32, imm10: u32) -> [u32; 1] {
        let mut code = [0x7000_0000];
        fields::VD.set(&mut code, vd);
        fields::MOD0.set(&mut code, mode);
        fields::IMM10.set(&mut code, imm10);
        code
    }

    // ------------------------------------------------------------------------------------------- the helpers

    #[test]
    fn read_fp16_rebiases_all_but_zero_exponents_and_knows_one_infinity() {
        for x in 0..0x1_0000_u32 {
            let (sign, man, exp) = (x / 0x8000, x / 32 % 1024, x % 32);
            let wide_exp = if exp == 0 { 0 } else { exp + 127 - 15 };
            let plain = sign * 0x8000_0000 + wide_exp * 0x80_0000 + man * 0x2000;
            assert_eq!(read_fp16(U::new(x), false), plain, "{x:#x}");
            let infinite = (man, exp) == (1023, 31);
            let expected = if infinite { sign * 0x8000_0000 + 0x7f80_0000 } else { plain };
            assert_eq!(read_fp16(U::new(x), true), expected, "{x:#x}");
        }
    }

    #[test]
    fn small_magnitudes_keep_as_many_bits_as_their_names_have_without_the_sign() {
        for x in 0..0x1_0000_u32 {
            let (sign, above) = (x / 0x8000 * 0x8000_0000, x % 0x8000 / 32);
            assert_eq!(sign_mag8_to_sign_mag32(U::new(x)), sign + above % 128);
            assert_eq!(sign_mag9_to_sign_mag32(U::new(x)), sign + above % 256);
            assert_eq!(sign_mag11_to_sign_mag32(U::new(x)), sign + above);
            assert_eq!(sign_mag16_to_sign_mag32(U::new(x)), sign + x % 0x8000);
        }
    }

    #[test]
    fn negative_zero_becomes_zero_in_twos_complement() {
        for (x, expected) in
            [(0, 0_i32), (0x8000_0000, 0), (5, 5), (0x8000_0005, -5), (0x7fff_ffff, i32::MAX), (0xffff_ffff, -i32::MAX)]
        {
            assert_eq!(sign_mag_to_twos_comp(x).cast_signed(), expected, "{x:#x}");
        }
    }

    #[test]
    fn both_editions_of_wormhole_decode_alike() {
        for x in 0..0x1_0000 {
            assert_eq!(unshuffle_bf16(U::new(x)), dst_decode_bf16(U::new(x)));
            assert_eq!(unshuffle_fp32(x << 16 | 0x1234), dst_decode_fp32(x << 16 | 0x1234));
        }
    }

    // --------------------------------------------------------------------------------------- the instruction

    #[test]
    fn each_mode_makes_of_a_datum_what_its_line_says() {
        // Dst16b holds 0xb7f5, Dst32b 0xb7f5_1234; LReg held 0xaaaa_5555.
        // 0xb7f5 is sign 1, seven bits 0x37, eight bits 0xf5; as FP16, ten bits 0x1bf and five bits 0x15.
        let wide: u32 = 0x8000_0000 | 0xf5 << 23 | 0x37 << 16 | 0x1234;
        for (mode, wormhole, blackhole) in [
            (mod0::FP16, 0x8000_0000 | (0x15 + 112) << 23 | 0x1bf << 13, None),
            (mod0::BF16, wide & 0xffff_0000, None),
            (mod0::FP32, wide, None),
            (mod0::INT32, wide, None),
            (mod0::INT32_ALL, wide, None),
            (mod0::INT32_SM, (wide & 0x7fff_ffff).wrapping_neg(), Some(wide)),
            (mod0::INT8, 0x8000_003f, Some(0x8000_00bf)),
            (mod0::INT8_COMP, 0x1bf_u32.wrapping_neg(), Some(0x8000_01bf)),
            (mod0::LO16_ONLY, 0xaaaa_b7f5, None),
            (mod0::HI16_ONLY, 0xb7f5_5555, None),
            (mod0::INT16, 0x8000_37f5, None),
            (mod0::UINT16, 0xb7f5, None),
            (mod0::LO16, 0xb7f5, None),
            (mod0::HI16, 0xb7f5_0000, None),
            (mod0::ZERO, 0, None),
            // With nothing configured, SrcB is FP32, so the mode is BF16.
            (mod0::SRCB, wide & 0xffff_0000, None),
        ] {
            for (chip, edition) in
                [(Chip::Wormhole, Edition::Spec), (Chip::Wormhole, Edition::Newest), (Chip::Blackhole, Edition::Newest)]
            {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                for row in 0..4 {
                    for column in 0..16 {
                        tensix.set_dst_bits(row, column, 0xb7f5);
                        tensix.set_dst_bits(row + 8, column, 0x1234);
                    }
                }
                tensix.lreg_row_mut(5).fill(0xaaaa_5555);
                assert_eq!(execute(chip, edition, &word(5, mode, 0), tensix), Expectation::Done);
                let expected = if chip == Chip::Blackhole { blackhole.unwrap_or(wormhole) } else { wormhole };
                assert_eq!(*tensix.lreg_row(5), [expected; 32], "{mode} {chip:?}");
            }
        }
    }

    #[test]
    fn lanes_take_even_or_odd_columns_of_four_rows() {
        for (imm10, exchange, odd) in [(4, false, 0), (5, false, 0), (6, false, 1), (7, false, 1), (4, true, 1)] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                for row in 4..8_u16 {
                    for column in 0..16_u16 {
                        tensix.set_dst_bits(row.into(), column.into(), row * 16 + column);
                    }
                }
                tensix.small.lane_config.fill(u32::from(exchange) << bit::DEST_RD_COL_EXCHANGE);
                assert_eq!(execute(chip, Edition::Newest, &word(0, mod0::UINT16, imm10), tensix), Expectation::Done);
                for (lane, &value) in tensix.lreg_row(0).iter().enumerate() {
                    assert_eq!(U::<32>::new(value).index(), (4 + lane / 8) * 16 + lane % 8 * 2 + odd, "{lane}");
                }
            }
        }
    }

    #[test]
    fn the_index_is_captured_below_register_4_if_both_bits_are_set() {
        let both = 1 << bit::ENABLE_DEST_INDEX | 1 << bit::CAPTURE_DEFAULT_DEST_INDEX;
        for (vd, config, captured) in [(3, both, true), (3, 4, false), (3, 8, false), (4, both, false)] {
            let mut state = base_state(Chip::Wormhole);
            let tensix = &mut Tensix::new(&mut state);
            tensix.small.lane_config.fill(config);
            let register = U::<4>::new(vd + 4).index();
            tensix.lreg_row_mut(register).fill(77);
            assert_eq!(
                execute(Chip::Wormhole, Edition::Newest, &word(vd, mod0::BF16, 0x3fe), tensix),
                Expectation::Done
            );
            for (lane, &value) in (0_u32..).zip(tensix.lreg_row(register)) {
                let index = (0x3fc + lane / 8) * 16 + lane % 8 * 2 + 1;
                assert_eq!(value, if captured { index } else { 77 }, "VD {vd} lane {lane}");
            }
        }
    }

    #[test]
    fn blocked_and_disabled_lanes_keep_what_they_had_but_int32_all_heeds_only_the_block() {
        for (mode, moved) in [(mod0::INT32, [1, 77, 77]), (mod0::INT32_ALL, [1, 1, 77])] {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            for row in 8..12 {
                tensix.set_dst_bits(row, 0, 1);
                tensix.set_dst_bits(row, 2, 1);
                tensix.set_dst_bits(row, 4, 1);
            }
            tensix.lreg_row_mut(7).fill(77);
            tensix.small.lane_config[1] = 0xf << bit::ROW_MASK;
            tensix.small.lane_config[2] = 1 << bit::BLOCK_SFPU_RD_FROM_DEST;
            assert_eq!(execute(Chip::Blackhole, Edition::Newest, &word(7, mode, 0), tensix), Expectation::Done);
            for row in 0..4 {
                assert_eq!(tensix.lreg_row(7)[row * 8..row * 8 + 3], moved);
            }
        }
    }

    #[test]
    fn an_invalid_row_makes_a_load_undefined_only_if_a_lane_reads_it() {
        for (mode, invalid, undefined) in [
            (mod0::UINT16, 3, true),
            (mod0::ZERO, 3, false),
            (mod0::UINT16, 4, false),
            (mod0::INT32, 3, true),
            (mod0::INT32, 11, false),
        ] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.set_dst_row_valid(invalid, false);
                let answer = execute(chip, Edition::Newest, &word(0, mode, 0), tensix);
                assert_eq!(matches!(answer, Expectation::Undefined(_)), undefined, "{mode} {invalid}");
                assert_eq!(execute(chip, Edition::Newest, &word(8, mode, 0), tensix), Expectation::Done);
                tensix.small.lane_config.fill(8 << bit::ROW_MASK);
                assert_eq!(execute(chip, Edition::Newest, &word(0, mode, 0), tensix), Expectation::Done);
            }
        }
    }

    #[test]
    fn blackhole_pops_before_it_addresses_and_only_a_stack_that_is_not_empty() {
        for (mode, sp, after, row) in [
            (mod0::INT32_ALL, 12, 8, 8 + 16),
            (mod0::INT32_ALL, 2, 1022, 12),
            (mod0::INT32_ALL, 0, 0, 16),
            (mod0::INT32, 8, 8, 16 + 4),
        ] {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            blackhole::DEST_SP_BASE_Base.set(&mut tensix.small.config[0], 16);
            config::DEST_REGW_BASE_Base.set(&mut tensix.small.config[0], 16);
            blackhole::SFPU_STACK_Incr.set(&mut tensix.small.thread_config[0], 4);
            (tensix.small.sp[0], tensix.small.rwcs[0].dst) = (sp, 4);
            let small = *tensix.small;
            let addr = dst_address(Chip::Blackhole, tensix.small, U::new(mode), U::new(0));
            assert_eq!(((addr & !3).get(), tensix.small.sp[0]), (row, after), "{mode} {sp}");
            tensix.small.sp = small.sp;
            assert_eq!(*tensix.small, small);
        }
    }

    #[test]
    fn the_format_of_srcb_decides_between_fp16_and_bf16() {
        for fmt in 0..16 {
            let bf16 = [0, 4, 5, 6, 7, 15, 8, 9].contains(&fmt);
            let expected = U::new(if bf16 { mod0::BF16 } else { mod0::FP16 });
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                config::ALU_FORMAT_SPEC_REG1_SrcB.set(&mut tensix.small.config[0], fmt);
                assert_eq!(resolve_mod0(chip, tensix.small, U::new(mod0::SRCB)), expected, "{fmt}");
                config::ALU_FORMAT_SPEC_REG1_SrcB.set(&mut tensix.small.config[0], 15 - fmt);
                config::ALU_FORMAT_SPEC_REG_SrcB_val.set(&mut tensix.small.config[0], fmt);
                config::ALU_FORMAT_SPEC_REG_SrcB_override.set(&mut tensix.small.config[0], 1);
                assert_eq!(resolve_mod0(chip, tensix.small, U::new(mod0::SRCB)), expected, "{fmt}");
                if chip == Chip::Blackhole {
                    config::ALU_FORMAT_SPEC_REG_SrcB_val.set(&mut tensix.small.config[0], 1);
                    blackhole::SFPU_DEST_FMT_Base.set(&mut tensix.small.thread_config[0], fmt);
                    blackhole::SFPU_DEST_FMT_Enable.set(&mut tensix.small.thread_config[0], 1);
                    assert_eq!(resolve_mod0(chip, tensix.small, U::new(mod0::SRCB)), expected, "{fmt}");
                }
                config::ALU_ACC_CTRL_SFPU_Fp32_enabled.set(&mut tensix.small.config[0], 1);
                assert_eq!(resolve_mod0(chip, tensix.small, U::new(mod0::SRCB)), U::new(mod0::FP32));
                assert_eq!(resolve_mod0(chip, tensix.small, U::new(mod0::INT8)), U::new(mod0::INT8));
            }
        }
    }

    #[test]
    fn from_vd_12_on_only_the_counters_move_and_only_with_a_back_door_shut() {
        for (vd, num_shut) in (8..16).flat_map(|vd| [(vd, 0), (vd, 1), (vd, 8)]) {
            let mut state = base_state(Chip::Wormhole);
            let tensix = &mut Tensix::new(&mut state);
            config::DestIncr.set(&mut tensix.small.thread_config[0], 4);
            tensix.small.lane_config[..num_shut].fill(1 << bit::DISABLE_BACKDOOR_LOAD);
            let answer = execute(Chip::Wormhole, Edition::Spec, &word(vd, mod0::BF16, 0), tensix);
            if vd < 12 || num_shut > 0 {
                assert_eq!((answer, tensix.small.rwcs[0].dst), (Expectation::Done, 4), "VD {vd}, {num_shut} shut");
            } else {
                assert!(matches!(answer, Expectation::Unspecified(_)), "VD {vd}");
            }
        }
    }
}
