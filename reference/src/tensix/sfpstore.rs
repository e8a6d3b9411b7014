//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`.
//!
//! *Source*: page SFPSTORE, commit c63d6d0b, one text for each chip, which serves both editions. The two texts have the
//! same order; where they differ, the line here says how.
//!
//! After an outcome that promises nothing the state is of no meaning: rows may be written in part.

// Of pages `SFPSTORE_NEWEST` (wh) and `SFPSTORE_BH` (bh).
// Shown by `each_mode_makes_of_a_datum_what_its_line_says`, where nothing else is said. Lines are of Wormhole's page
// (`wh`) and of Blackhole's (`bh`).
//
// Of `isa/src/tensix/inst/call_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [wh 10] The operands are VD and Mod0, of four bits, AddrMod, of two, and Imm10, of ten.
// [bh 18] The operands are VD and Mod0, of four bits, AddrMod, of three, and Imm10, of ten.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [wh 15, TX-34] [bh 23, TX-34] A picture shows where the opcode and the fields lie in the word.
//
// Of `isa/src/tensix/inst/sfpload.rs, ADDR_MOD_BH`, shown by `encodings_and_texts_round_trip`:
// [bh 13] AddrMod lies a little differently in the word than on Wormhole, which a text does not show.
//
// Of `isa/src/tensix/inst/sfpload.rs, SRCB`, shown by `encodings_and_texts_round_trip`:
// [wh 123-138] [bh 138-153] The 16 modes have the codes 0 to 15.
//
// [wh 3] [bh 3] Some conversions are part of the instruction; SFPSTOCHRND or SFPCAST before it offers more. Not
// modelled: advice; each conversion has an entry below.
// [wh 5] [bh 5] The Vector Unit executes it. Not modelled: which unit executes has no effect on one instruction's
// result.
// [wh 38] [bh 48] NaNs are better not stored as FP16. Not modelled: advice; what becomes of them has an entry below.
// [wh 38] They are better not stored as BF16 either. Not modelled: advice; what becomes of them has an entry below.
// [bh 48] The NaN that arithmetic produces loses nothing when its mantissa is cut. Not modelled: which NaN that is
// stands on other pages.
// [bh 46] SFPCAST is to be preferred to INT32_SM and INT8_COMP. Not modelled: advice.
// [wh 42] [bh 52] INT32 is to be preferred to MOD0_FMT_SRCB for integers of 32 bits, because FP32 flushes denormals.
// Not modelled: advice; what FP32 does has an entry below.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
use tandem_isa::tensix::inst::sfpstore::{self as fields, mod0};
use tandem_isa::tensix::{Chip, SFPSTORE_BH, SFPSTORE_NEWEST, Small, Tensix};
use tandem_isa::{Edition, Expectation};

use super::dst::{self, dst_encode_bf16, dst_encode_fp16, dst_encode_fp32};
use super::lanes::{self, LANES, UNNAMED_REASON, is_lane_enabled, lane_config, lane_config_bit as bit};
use super::rwcs::apply_partial_addr_mod;
use crate::bits::U;

/// Executes an `SFPSTORE`. *Source*: section Functional model.
pub fn execute(chip: Chip, _edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    let vd = U::<4>::new(fields::VD.get(code));
    let encoding = chip.pick(
        cite!(SFPSTORE_NEWEST, "lines 10 and 15", UNNAMED_REASON),
        cite!(SFPSTORE_BH, "lines 18 and 23", UNNAMED_REASON),
    );
    // TX-17: page SFPCONFIG takes the instruction for something else in lanes whose back door is open.
    let refused =
        lanes::backdoor_of_move(chip, tensix.small, vd).or_else(|| lanes::unnamed_bits_of_move(chip, code, encoding));
    if let Some(expectation) = refused {
        return expectation;
    }
    match run(chip, code, vd, tensix) {
        ControlFlow::Continue(()) => {
            lanes::leave_templates_open(chip, tensix, vd);
            Expectation::Done
        }
        ControlFlow::Break(expectation) => expectation,
    }
}

/// The functional model, from the first line to the last.
fn run(chip: Chip, code: &[u32], vd: U<4>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let mod0 = resolve_mod0(chip, tensix.small, U::new(fields::MOD0.get(code)));
    let addr = dst_address(chip, tensix.small, mod0, U::new(fields::IMM10.get(code)));
    let store = Store { chip, vd: U::new(vd.get()), mod0, addr };
    store_lanes(&store, false, tensix)?;

    // [wh 115-116] [bh 130-131] At the end the counters of Dst, SrcA and SrcB advance as the AddrMod bits select; the
    // fidelity phase does not. (`a_partial_addr_mod_is_a_full_one_that_leaves_the_fidelity_phase`)
    let addr_mod = U::new(match chip {
        Chip::Wormhole => fields::ADDR_MOD.get(code),
        Chip::Blackhole => fields::ADDR_MOD_BH.get(code),
    });
    apply_partial_addr_mod(chip, tensix.small, addr_mod)
}

/// What an `SFPSTORE` does that `SFPLOADMACRO` scheduled, at the address that this computed.
// Of pages `SFPLOADMACRO_WH` (macro_wh) and `SFPLOADMACRO_BH` (macro_bh).
// Shown by `what_is_stored_lies_where_the_macro_loaded`.
// [macro_wh 140] [macro_bh 140] The address is given.
pub fn run_scheduled(
    chip: Chip,
    vd: U<5>,
    mod0: U<4>,
    addr: U<10>,
    tensix: &mut Tensix<'_>,
) -> ControlFlow<Expectation> {
    let mod0 = resolve_mod0(chip, tensix.small, mod0);
    let store = Store { chip, vd, mod0, addr };
    store_lanes(&store, true, tensix)
    // [macro_wh 139] [macro_bh 139] No counter advances.
}

/// The loop over the lanes.
fn store_lanes(store: &Store, is_scheduled: bool, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let (vd, mod0) = (store.vd, store.mod0);
    // [wh 83] [bh 98] Each of 32 lanes is looked at. (`every_instruction_agrees_in_every_mode`)
    for lane in 0..LANES {
        // [wh 84, TX-22] [bh 99, TX-22] A lane that BLOCK_DEST_WR_FROM_SFPU blocks is passed over, before anything else
        // is asked. (`lanes_that_are_blocked_or_disabled_store_nothing_but_int32_all_heeds_only_the_block`)
        let is_blocked = lane_config(tensix.small, lane).bit(bit::BLOCK_DEST_WR_FROM_SFPU);
        if reads!(is_blocked, "store-all-ignores-block", is_blocked && mod0.get() != mod0::INT32_ALL) {
            continue;
        }
        // [wh 85, TX-17] [bh 100, TX-17] From register 12 on a lane stores only if its DISABLE_BACKDOOR_LOAD is set.
        // (`from_vd_12_on_a_lane_stores_only_with_its_back_door_shut`)
        // [SFPLOADMACRO_WH 141] [SFPLOADMACRO_BH 141] One that is scheduled finds the bit set.
        // (`the_back_door_is_shut_to_what_is_scheduled`)
        if vd.get() < 12 || is_scheduled || lane_config(tensix.small, lane).bit(bit::DISABLE_BACKDOOR_LOAD) {
            // [wh 86, TX-22] [bh 101, TX-22] A lane moves if it is enabled, or if the mode is INT32_ALL.
            // (`lanes_that_are_blocked_or_disabled_store_nothing_but_int32_all_heeds_only_the_block`)
            // [wh 40, TX-22] [bh 50, TX-22] INT32_ALL ignores LaneEnabled.
            // (`lanes_that_are_blocked_or_disabled_store_nothing_but_int32_all_heeds_only_the_block`)
            if is_lane_enabled(tensix.small, lane) || mod0.get() == mod0::INT32_ALL {
                store.lane(tensix, lane)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// `ConfigState`, the bank of `Config` that the thread uses, and the thread's `ThreadConfig`.
// [wh 55-56] [bh 65-66] The thread's StateID, one bit of its ThreadConfig, selects a bank of Config.
// (`orthogonal_axes_are_covered_three_ways`)
fn config_state(small: &Small) -> (&[u32; CONFIG_WORDS], &[u16; THREAD_CONFIG_WORDS]) {
    let thread_config = &small.thread_config[current_thread(small)];
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(thread_config));
    (&small.config[state_id.index()], thread_config)
}

fn current_thread(small: &Small) -> usize {
    U::<2>::new(small.current_thread).index()
}

/// Makes something definite of `MOD0_FMT_SRCB`.
// Shown by `every_instruction_agrees_in_every_mode`.
// [wh 42] [bh 52] MOD0_FMT_SRCB stands for FP16, BF16 or FP32.
// [wh 58-59] [bh 68-69] MOD0_FMT_SRCB is resolved first.
fn resolve_mod0(chip: Chip, small: &Small, mod0: U<4>) -> U<4> {
    let (config_state, thread_config) = config_state(small);
    if mod0.get() != mod0::SRCB {
        return mod0;
    }
    // [wh 60-61] [bh 70-71] With SFPU_Fp32_enabled it is FP32.
    if config::ALU_ACC_CTRL_SFPU_Fp32_enabled.get(config_state) != 0 {
        return U::new(mod0::FP32);
    }
    // [wh 62-63] [bh 72-73, TX-30] Otherwise SrcB's format counts: the override's value if the override is on, the
    // configured one if not.
    let mut srcb_fmt = U::<4>::new(if config::ALU_FORMAT_SPEC_REG_SrcB_override.get(config_state) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcB_val.get(config_state)
    } else {
        config::ALU_FORMAT_SPEC_REG1_SrcB.get(config_state)
    });
    match chip {
        // [wh 64] How Blackhole implies a format of SrcB is not fully known. Not modelled: it is of another chip.
        Chip::Wormhole => {}
        // TX-30: the format that Blackhole implies for SrcB is on no page that this one calls, so it plays no part.
        // [bh 74-75] With SFPU_DEST_FMT_Enable of the thread, SFPU_DEST_FMT_Base replaces that format.
        Chip::Blackhole => {
            if blackhole::SFPU_DEST_FMT_Enable.get(thread_config) != 0 {
                srcb_fmt = U::new(blackhole::SFPU_DEST_FMT_Base.get(thread_config));
            }
        }
    }
    // TX-33: the codes without a name are not in the set.
    // [wh 65-66, TX-33] [bh 77-78, TX-33] FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32 and INT16 make it BF16.
    let is_listed = matches!(srcb_fmt.get(), FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16);
    let code = srcb_fmt.get();
    if reads!(
        is_listed,
        "store-reserved12-included",
        is_listed || code == 12,
        "store-reserved13-included",
        is_listed || code == 13
    ) {
        U::new(mod0::BF16)
    } else {
        // [wh 67-68, TX-33] [bh 79-80, TX-33] All others make it FP16.
        U::new(mod0::FP16)
    }
}

/// `Addr`: the upper eight bits select four rows of `Dst`, and bit 1 the odd columns.
///
/// On Blackhole `MOD0_FMT_INT32_ALL` pushes on the thread's stack of rows on the way.
// Shown by `every_instruction_agrees_in_every_mode`.
// [wh 3] [bh 3] Up to 32 data go to the even or the odd columns of four consecutive rows.
// [wh 73-75] [bh 85-87] Of the address the high eight bits select four rows, the next one even or odd columns, and the
// last nothing.
fn dst_address(chip: Chip, small: &mut Small, mod0: U<4>, imm10: U<10>) -> U<10> {
    let thread = current_thread(small);
    let (config_state, thread_config) = config_state(small);
    // [wh 76] [bh 88] Imm10 and the thread's MATH_Offset are added, in ten bits.
    let mut addr = imm10 + U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
    // [bh 89] DstOffset is the sum of the thread's Dst counter and DEST_REGW_BASE, in ten bits.
    let dst_offset = U::<10>::new(small.rwcs[thread].dst) + U::new(config::DEST_REGW_BASE_Base.get(config_state));
    match chip {
        Chip::Wormhole => {
            // [wh 40] The address of INT32_ALL is slightly different.
            // [wh 77-78] INT32_ALL adds the low two bits of the sum of the thread's Dst counter and DEST_REGW_BASE.
            if mod0.get() == mod0::INT32_ALL {
                addr += dst_offset & 3;
            } else {
                // [wh 79-80] Other modes add the whole of it.
                addr += dst_offset;
            }
        }
        Chip::Blackhole => {
            // [bh 90, TX-31] SpOffset is the sum of the thread's Sp and DEST_SP_BASE, in ten bits.
            // (`blackhole_pushes_after_it_has_addressed`)
            let sp_offset = U::<10>::new(small.sp[thread]) + U::new(blackhole::DEST_SP_BASE_Base.get(config_state));
            let stack_incr = U::<10>::new(blackhole::SFPU_STACK_Incr.get(thread_config));
            // [bh 8-9, 50] INT32_ALL has an address of its own. (`blackhole_pushes_after_it_has_addressed`)
            // [bh 91-92] It adds the whole of SpOffset and the low two bits of DstOffset.
            // (`blackhole_pushes_after_it_has_addressed`)
            if mod0.get() == mod0::INT32_ALL {
                addr += sp_offset + (dst_offset & 3);
                // TX-31: the page gives Sp no width; it has ten bits here.
                // [bh 93, TX-31] Then Sp advances by SFPU_STACK_Incr. (`blackhole_pushes_after_it_has_addressed`)
                small.sp[thread] = (U::<10>::new(small.sp[thread]) + stack_incr).get();
            } else {
                // [bh 94-95] Other modes add the whole of DstOffset and the low two bits of SpOffset.
                // (`blackhole_pushes_after_it_has_addressed`)
                addr += dst_offset + (sp_offset & 3);
            }
        }
    }
    addr
}

/// What all lanes of one `SFPSTORE` have in common.
struct Store {
    chip: Chip,
    vd: U<5>,
    mod0: U<4>,
    addr: U<10>,
}

impl Store {
    /// The body of the loop, for a lane that moves.
    // [wh 46] [bh 56] All 32 lanes may be enabled.
    // [wh 48] [bh 58] A picture shows which datum goes where.
    // [wh 50] [bh 60] SFPLOAD goes exactly the other way.
    // (`a_word_that_is_loaded_and_stored_comes_back_as_the_pages_imply`)
    // [wh 19] [bh 27] Mod0 selects one of the conversions of a table.
    // [wh 21-22, TX-15] [bh 29-30, TX-15] Each is from a type of LReg to one of Dst.
    fn lane(&self, tensix: &mut Tensix<'_>, lane: u32) -> ControlFlow<Expectation> {
        // [wh 87] [bh 102] The datum is the lane's word of the register.
        let datum = tensix.lreg(self.vd.index(), U::<5>::new(lane).index());
        // [wh 88] [bh 103] Its row is the first of an aligned group of four, and one further for every eight lanes.
        let row = (self.addr & !3) + U::new(lane / 8);
        // [wh 89] [bh 104] Its column is even, by the lane's place among eight.
        let mut column = U::<4>::new((lane & 7) * 2);
        // [wh 90-91, TX-21] [bh 105-106, TX-21] It is odd if the address says so, or DEST_WR_COL_EXCHANGE of the lane
        // modulo 8. (`every_instruction_agrees_in_every_mode`)
        if (self.addr & 2).get() != 0 || lane_config(tensix.small, lane & 7).bit(bit::DEST_WR_COL_EXCHANGE) {
            column += U::new(1);
        }
        // [wh 93] [bh 108] What becomes of the datum hangs on the mode.
        match self.mod0.get() {
            // [wh 23] [bh 31] FP16 is made of FP32, in which no NaN is expected.
            // [wh 94] [bh 109] FP16 writes 16 bits, converted and in the order of Dst.
            mod0::FP16 => self.write16(tensix, row, column, dst_encode_fp16(to_fp16(datum))),
            // [wh 24] BF16 is made of FP32, in which no NaN is expected.
            // [bh 32] BF16 is made of FP32.
            // [wh 95] [bh 110] BF16 writes 16 bits, converted and in the order of Dst.
            mod0::BF16 => self.write16(tensix, row, column, dst_encode_bf16(to_bf16(datum))),
            // [wh 25, TX-28] [bh 33, TX-28] FP32 stays FP32. (`bf16_and_fp32_flush_denormals_only`)
            // [wh 96, TX-28] [bh 111, TX-28] FP32 writes 32 bits, without denormals and in the order of Dst.
            mod0::FP32 => self.write32(tensix, row, column, dst_encode_fp32(to_fp32(datum))),
            // [wh 26-27] [bh 34-35] INT32 and INT32_ALL take FP32, or sign and magnitude, to the same type of Dst.
            // [wh 97-98] [bh 112-113] INT32 and INT32_ALL write 32 bits, in the order of Dst.
            mod0::INT32 => self.write32(tensix, row, column, dst_encode_fp32(datum)),
            mod0::INT32_ALL => self.write32(tensix, row, column, dst_encode_fp32(datum)),
            // [wh 28, TX-25] INT32_SM makes integer "32" of two's complement, in which -2^31 is not expected.
            // [wh 99, TX-25] INT32_SM writes 32 bits, converted to sign and magnitude and in the order of Dst.
            // [bh 8, 11, 46] INT32_SM is deprecated, and converts nothing any more.
            // [bh 36] INT32_SM takes FP32, or sign and magnitude, to the same type of Dst.
            // [bh 114] INT32_SM writes 32 bits, in the order of Dst.
            mod0::INT32_SM => match self.chip {
                Chip::Wormhole => self.write32(tensix, row, column, dst_encode_fp32(to_sign_mag(datum))),
                // Blackhole converts nothing.
                Chip::Blackhole => {
                    let datum = reads!(datum, "store-int32-sm-converted", to_sign_mag(datum));
                    self.write32(tensix, row, column, dst_encode_fp32(datum))
                }
            },
            // [wh 29, TX-26] [bh 37, TX-26] INT8 makes integer "8" of sign and magnitude up to 1023.
            // [wh 100, TX-26] [bh 115, TX-26] INT8 writes 16 bits, ten of them magnitude, in the order of Dst.
            mod0::INT8 => self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(datum))),
            // [wh 30, TX-25] INT8_COMP makes integer "8" of two's complement from -1023 to 1023.
            // [wh 101, TX-25] INT8_COMP writes what INT8 would, of the datum converted to sign and magnitude.
            // [bh 8, 10, 46] INT8_COMP is deprecated, and converts no two's complement any more.
            // [bh 38] INT8_COMP makes integer "8" of sign and magnitude up to 1023.
            // [bh 116] INT8_COMP writes what INT8 does.
            mod0::INT8_COMP => match self.chip {
                Chip::Wormhole => {
                    self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(to_sign_mag(datum))))
                }
                // Blackhole converts nothing.
                Chip::Blackhole => {
                    let datum = reads!(datum, "store-int8-comp-converted", to_sign_mag(datum));
                    self.write16(tensix, row, column, dst_encode_fp16(sign_mag11_to_fp16(datum)))
                }
            },
            // [wh 31-32] [bh 39-40] LO16_ONLY and HI16_ONLY take 16 opaque bits of one half of the register.
            // [wh 102] [bh 117] LO16_ONLY writes the low 16 bits.
            mod0::LO16_ONLY => self.write16(tensix, row, column, U::new(datum & 0xffff)),
            // [wh 103] [bh 118] HI16_ONLY writes the high 16 bits, as 16.
            mod0::HI16_ONLY => self.write16(tensix, row, column, U::new(datum >> 16)),
            // [wh 33] [bh 41] INT16 makes integer "16" of sign and magnitude up to 32767.
            // [wh 104] [bh 119] INT16 writes the sign and the low 15 bits.
            mod0::INT16 => self.write16(tensix, row, column, U::new(((datum >> 31) << 15) | (datum & 0x7fff))),
            // [wh 34] [bh 42] UINT16 takes the low 16 bits, as opaque ones.
            // [wh 105] [bh 120] UINT16 writes the low 16 bits.
            mod0::UINT16 => self.write16(tensix, row, column, U::new(datum & 0xffff)),
            // [wh 35] [bh 43] LO16 makes 32 opaque bits by a rotation by 16.
            // [wh 106] [bh 121] LO16 writes 32 bits with their halves exchanged.
            mod0::LO16 => self.write32(tensix, row, column, datum.rotate_left(16)),
            // [wh 36] [bh 44] HI16 takes 32 bits as opaque ones.
            // [wh 107] [bh 122] HI16 writes the 32 bits as they are.
            mod0::HI16 => self.write32(tensix, row, column, datum),
            // [wh 108] [bh 123] MOD0_FMT_ZERO writes 16 bits of zero.
            mod0::ZERO => self.write16(tensix, row, column, U::new(0)),
            // [wh 109] [bh 124] MOD0_FMT_SRCB is gone by now.
            other => unreachable!("MOD0_FMT_SRCB was resolved, and Mod0 has four bits: {other}"),
        }
    }

    /// Assigns to `Dst16b[Row][Column]`.
    fn write16(&self, tensix: &mut Tensix<'_>, row: U<10>, column: U<4>, value: U<16>) -> ControlFlow<Expectation> {
        dst::store_dst16b(self.chip, tensix, row, column.index(), value)
    }

    /// Assigns to `Dst32b[Row][Column]`.
    fn write32(&self, tensix: &mut Tensix<'_>, row: U<10>, column: U<4>, value: u32) -> ControlFlow<Expectation> {
        dst::store_dst32b(self.chip, tensix, row, column.index(), value)
    }
}

/// `ToFP16`: FP32 to `Sign,Exp(5b),Man(10b)`.
// Shown by `to_fp16_truncates_saturates_and_flushes`.
// [wh 140] [bh 155] ToFP16 makes 16 bits of 32.
// [wh 38, TX-27] [bh 48, TX-27] Large magnitudes and NaNs become infinity.
fn to_fp16(x: u32) -> U<16> {
    // [wh 141-143] [bh 156-158] Its input is taken apart as FP32, with the exponent rebiased by 112.
    let sign = x >> 31;
    let mut exp = ((x >> 23) & 0xff).cast_signed() - 112;
    let mut man = x & 0x007f_ffff;
    // [wh 144-146] [bh 159-161] What is too small, or a denormal, becomes a zero with its sign.
    // [wh 38] [bh 48] Denormals become zero in FP16.
    if exp <= 0 {
        exp = 0;
        man = 0;
    } else if exp > 31 {
        // [wh 147, 151-152, TX-27] [bh 162, 166-167, TX-27] What is too large, infinite or NaN becomes the largest
        // magnitude that there is.
        // [wh 148-150, TX-27] [bh 163-165, TX-27] Dst has no NaNs and no infinities; whoever reads the word takes it
        // for a very large number.
        exp = 31;
        man = reads!(0x007f_ffff, "store-fp16-overflow-inf", 0);
    }
    // [wh 38, 154] [bh 48, 169] The mantissa of FP16 is cut towards zero.
    man >>= 13;
    // [wh 155] [bh 170] Sign, five bits of exponent and ten of mantissa are put together.
    U::new((sign << 15) | (exp.cast_unsigned() << 10) | man)
}

/// `ToBF16`: FP32 to `Sign,Exp(8b),Man(7b)`, a denormal to a zero with its sign.
// Shown by `bf16_and_fp32_flush_denormals_only`.
// [wh 158] [bh 173] ToBF16 makes 16 bits of 32.
// [wh 159] [bh 174] Denormals become a zero with their sign; then the mantissa is cut towards zero.
// [wh 38] [bh 48] Denormals become zero in BF16, and its mantissa is cut towards zero.
// [wh 38] [bh 48] Some NaNs become infinity by that cut.
fn to_bf16(x: u32) -> U<16> {
    // [wh 160-162] [bh 175-177] It takes them apart with masks.
    let sign = x & 0x8000_0000;
    let exp = x & 0x7f80_0000;
    let mut man = x & 0x007f_ffff;
    // [wh 163-164] [bh 178-179] Without an exponent the mantissa is cleared.
    if exp == 0 {
        man = 0;
    }
    // [wh 166] [bh 181] The high 16 bits are the result.
    U::new((sign | exp | man) >> 16)
}

/// `ToFP32`: FP32 to FP32, a denormal to a zero with its sign.
// Shown by `bf16_and_fp32_flush_denormals_only`.
// [wh 169, TX-28] [bh 184, TX-28] ToFP32 makes 32 bits of 32.
// [wh 170, TX-28] [bh 185, TX-28] Denormals become a zero with their sign.
// [wh 38] [bh 48] Denormals become zero in FP32.
fn to_fp32(x: u32) -> u32 {
    // [wh 171-173] [bh 186-188] It takes them apart with masks.
    let sign = x & 0x8000_0000;
    let exp = x & 0x7f80_0000;
    let mut man = x & 0x007f_ffff;
    // [wh 174-175] [bh 189-190] Without an exponent the mantissa is cleared.
    if reads!(exp == 0, "store-fp32-denormal-kept", false) {
        man = 0;
    }
    // [wh 177] [bh 192] All else stays.
    sign | exp | man
}

/// `ToSignMag`, of Wormhole: two's complement to a sign and a magnitude of 31 bits.
// Shown by `the_least_integer_becomes_negative_zero`.
// [wh 180-181, TX-25] ToSignMag makes sign and 31 bits of magnitude of two's complement.
fn to_sign_mag(x: u32) -> u32 {
    // [wh 182-183, TX-25] With the sign the number is negated.
    let sign = x & 0x8000_0000;
    let mag = if sign != 0 { x.wrapping_neg() } else { x };
    // [wh 184, TX-25] The sign stays, over the low 31 bits.
    sign | (mag & 0x7fff_ffff)
}

/// `SignMag11ToFP16`: a sign and the low ten bits of a magnitude to `Sign,Exp(5b),Man(10b)`, the exponent always 16.
// [wh 187] [bh 195] SignMag11ToFP16 makes 16 bits of 32.
// [wh 188] [bh 196] They are what Dst, SrcA and SrcB call integer "8".
// [wh 189-190] [bh 197-198] SFPSTOCHRND can bring the datum to -127 to 127, or to 0 to 255, before. Not modelled:
// advice.
fn sign_mag11_to_fp16(x: u32) -> U<16> {
    // [wh 191-193, TX-26] [bh 199-201, TX-26] The sign, an exponent that is always 16, and the low ten bits.
    let sign = (x >> 31) << 15;
    let exp = 16_u32 << 10;
    let man = x & reads!(0x3ff, "store-int8-seven-bits", 0x7f, "store-int8-eight-bits", 0xff);
    // [wh 194] [bh 202] They are put together.
    U::new(sign | exp | man)
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
        let mut code = [0x7200_0000];
        fields::VD.set(&mut code, vd);
        fields::MOD0.set(&mut code, mode);
        fields::IMM10.set(&mut code, imm10);
        code
    }

    #[test]
    fn to_fp16_truncates_saturates_and_flushes() {
        for high in 0..0x1_0000_u32 {
            for low in [0, 1, 0x1fff, 0xffff] {
                let x = high << 16 | low;
                let (sign, exp, man) = (x / 0x8000_0000, x / 0x80_0000 % 256, x % 0x80_0000);
                let magnitude = match exp {
                    0..=112 => 0,
                    113..=143 => (exp - 112) * 1024 + man / 0x2000,
                    _ => 0x7fff,
                };
                assert_eq!(to_fp16(x).get(), sign * 0x8000 + magnitude, "{x:#x}");
            }
        }
    }

    #[test]
    fn bf16_and_fp32_flush_denormals_only() {
        for high in 0..0x1_0000_u32 {
            for low in [0, 1, 0xffff] {
                let x = high << 16 | low;
                let denormal = high % 0x8000 < 0x80;
                let flushed = if denormal { high / 0x8000 * 0x8000_0000 } else { x };
                assert_eq!(to_fp32(x), flushed, "{x:#x}");
                assert_eq!(to_bf16(x).get(), flushed / 0x1_0000, "{x:#x}");
            }
        }
    }

    #[test]
    fn the_least_integer_becomes_negative_zero() {
        for (x, expected) in [
            (0, 0),
            (5, 5),
            (i32::MAX, 0x7fff_ffff),
            (-1, 0x8000_0001),
            (-i32::MAX, 0xffff_ffff),
            (i32::MIN, 0x8000_0000),
        ] {
            assert_eq!(to_sign_mag(x.cast_unsigned()), expected, "{x}");
        }
    }

    #[test]
    fn each_mode_makes_of_a_datum_what_its_line_says() {
        // 0xc1b5_8765 is sign 1, exponent 0x83 (19 after the rebias to five bits), mantissa 0x35_8765.
        let x = 0xc1b5_8765_u32;
        let negated = x.wrapping_neg() | 0x8000_0000;
        let shuffled = |x: u32| [(x >> 16 & 0x8000) | (x >> 16 & 0x7f) << 8 | x >> 23 & 0xff, x & 0xffff];
        let keep = 0x5555;
        for (mode, wormhole, blackhole) in [
            (mod0::FP16, [0x8000 | (0x35_8765 >> 13) << 5 | 19, keep], None),
            (mod0::BF16, [0x8000 | 0x35 << 8 | 0x83, keep], None),
            (mod0::FP32, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32_ALL, [0x8000 | 0x35 << 8 | 0x83, 0x8765], None),
            (mod0::INT32_SM, shuffled(negated), Some(shuffled(x))),
            (mod0::INT8, [0x8000 | 0x365 << 5 | 16, keep], None),
            (mod0::INT8_COMP, [0x8000 | 0x09b << 5 | 16, keep], Some([0x8000 | 0x365 << 5 | 16, keep])),
            (mod0::LO16_ONLY, [0x8765, keep], None),
            (mod0::HI16_ONLY, [0xc1b5, keep], None),
            (mod0::INT16, [0x8765, keep], None),
            (mod0::UINT16, [0x8765, keep], None),
            (mod0::LO16, [0x8765, 0xc1b5], None),
            (mod0::HI16, [0xc1b5, 0x8765], None),
            (mod0::ZERO, [0, keep], None),
            // With nothing configured, SrcB is FP32, so the mode is BF16.
            (mod0::SRCB, [0x8000 | 0x35 << 8 | 0x83, keep], None),
        ] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                for row in 0..16 {
                    tensix.dst_row_mut(row).fill(0x5555);
                }
                tensix.lreg_row_mut(11).fill(x);
                assert_eq!(execute(chip, Edition::Newest, &word(11, mode, 0), tensix), Expectation::Done);
                let expected = if chip == Chip::Blackhole { blackhole.unwrap_or(wormhole) } else { wormhole };
                for row in 0..16 {
                    for column in 0..16 {
                        let reached = column % 2 == 0 && row % 8 < 4;
                        let word = if reached { expected[row / 8] } else { keep };
                        let found = u32::from(tensix.dst_bits(row, column));
                        assert_eq!(found, word, "{mode} {chip:?} row {row} column {column}");
                    }
                }
            }
        }
    }

    #[test]
    fn blackhole_pushes_after_it_has_addressed() {
        for (mode, after, row) in [(mod0::INT32_ALL, 1, 1020 - 4 + 16), (mod0::INT32, 1021, 16 + 4)] {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            blackhole::DEST_SP_BASE_Base.set(&mut tensix.small.config[0], 12);
            config::DEST_REGW_BASE_Base.set(&mut tensix.small.config[0], 16);
            blackhole::SFPU_STACK_Incr.set(&mut tensix.small.thread_config[0], 4);
            (tensix.small.sp[0], tensix.small.rwcs[0].dst) = (1021, 4);
            let addr = dst_address(Chip::Blackhole, tensix.small, U::new(mode), U::new(0));
            assert_eq!(((addr & !3).get(), tensix.small.sp[0]), (row % 1024, after), "{mode}");
        }
    }

    #[test]
    fn lanes_that_are_blocked_or_disabled_store_nothing_but_int32_all_heeds_only_the_block() {
        for (mode, stored) in [(mod0::INT32, [1, 9, 9]), (mod0::INT32_ALL, [1, 1, 9])] {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.lreg_row_mut(7).fill(1);
                tensix.dst_row_mut(8).fill(9);
                tensix.small.use_lane_flags_for_lane_enable = 2;
                tensix.small.lane_config[2] = 1 << bit::BLOCK_DEST_WR_FROM_SFPU;
                assert_eq!(execute(chip, Edition::Newest, &word(7, mode, 0), tensix), Expectation::Done);
                assert_eq!([0, 2, 4].map(|column| tensix.dst_bits(8, column)), stored);
            }
        }
    }

    #[test]
    fn a_store_to_an_invalid_row_is_undefined_if_a_lane_moves() {
        for (mode, invalid, undefined) in
            [(mod0::ZERO, 3, true), (mod0::UINT16, 4, false), (mod0::INT32, 3, true), (mod0::INT32, 11, false)]
        {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.set_dst_row_valid(invalid, false);
                let answer = execute(chip, Edition::Newest, &word(0, mode, 0), tensix);
                assert_eq!(matches!(answer, Expectation::Undefined(_)), undefined, "{mode} {invalid}");
                tensix.small.lane_flags = 0;
                tensix.small.use_lane_flags_for_lane_enable = u32::MAX;
                assert_eq!(execute(chip, Edition::Newest, &word(0, mode, 0), tensix), Expectation::Done);
                assert!(!tensix.dst_row_valid(invalid));
            }
        }
    }

    #[test]
    fn from_vd_12_on_a_lane_stores_only_with_its_back_door_shut() {
        for (vd, mode) in (11..16).flat_map(|vd| [(vd, mod0::UINT16), (vd, mod0::INT32_ALL)]) {
            for chip in CHIPS {
                let mut state = base_state(chip);
                let tensix = &mut Tensix::new(&mut state);
                tensix.lreg_row_mut(U::<4>::new(vd).index()).fill(0x7700_0077);
                tensix.small.lane_config[6] = 1 << bit::DISABLE_BACKDOOR_LOAD;
                assert_eq!(execute(chip, Edition::Newest, &word(vd, mode, 2), tensix), Expectation::Done);
                let stored = [13, 15].map(|column| tensix.dst_bits(3, column) != 0);
                assert_eq!(stored, [true, vd < 12], "VD {vd}, {mode}");
            }
        }
    }

    #[test]
    fn with_every_back_door_open_a_store_is_not_promised() {
        for (vd, shut) in (11..16).flat_map(|vd| [(vd, false), (vd, true)]) {
            let mut state = base_state(Chip::Blackhole);
            let tensix = &mut Tensix::new(&mut state);
            tensix.small.lane_config[3] = u32::from(shut) << bit::DISABLE_BACKDOOR_LOAD;
            let answer = execute(Chip::Blackhole, Edition::Newest, &word(vd, mod0::UINT16, 0), tensix);
            assert_eq!(answer == Expectation::Done, vd < 12 || shut, "VD {vd} {shut}");
        }
    }
}
