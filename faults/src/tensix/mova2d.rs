//! `MOVA2D`, plainly: the page MOVA2D from top to bottom, datum by datum, with a flaw asked for at each step.
//!
//! *Source*: pages MOVA2D (commits 22812eeb and 88d4bf9c) and SFPCONFIG (`BLOCK_DEST_MOV`); the pages of what it
//! calls stand in the modules below.

mod addr_mod;
mod datum;
mod dst;

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::{MATRIX_UNIT, Rwc, Tensix, UNPACKERS, format};
use tandem_isa::{Answer, Edition, State, Step};

use super::{Flaw, Flaws, Memory};

/// Columns of a row.
const COLUMNS: usize = 16;

/// Executes one `MOVA2D`.
pub fn execute(flaws: Flaws, memory: &mut Memory, step: &Step<'_>, state: &mut State) -> Answer {
    let tensix = Tensix::new(state);
    let thread = tensix.small.current_thread as usize;
    let mut run = Run { flaws, edition: step.edition, code: step.code, tensix, thread, mask: 0 };
    if run.has(Flaw::ControlUnnamedBits) && step.code[0] >> 12 & 1 != 0 {
        return Answer::Unsupported;
    }
    if run.gate_is_closed() {
        memory.blocked = true;
        if run.has(Flaw::BlockedAppliesAddrMod) {
            run.apply_addr_mod();
        }
        return if run.has(Flaw::BlockedSaysDone) { Answer::Done } else { Answer::Blocked };
    }
    run.mask = run.blocked_columns();
    if run.has(Flaw::MaskKeptAfterBlocked) && memory.blocked {
        run.mask = memory.mask;
    }
    *memory = Memory { blocked: false, mask: run.mask };
    run.execute();
    Answer::Done
}

/// How a datum becomes a word of `Dst`.
#[derive(Clone, Copy)]
struct Modes {
    use_8b_exponent: bool,
    flush_denormals: bool,
    write: Write,
}

/// Which view of `Dst` is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Write {
    /// `Dst16b`.
    Half,
    /// The low half of `Dst32b`.
    Lo,
    /// All of `Dst32b`, with the 16-bit value joined to the low half if `lo`.
    Tf32 { lo: bool },
}

/// The rows that are moved.
struct Rows {
    count: usize,
    dst: usize,
    src: usize,
}

/// One execution.
struct Run<'a> {
    flaws: Flaws,
    edition: Edition,
    code: &'a [u32],
    tensix: Tensix<'a>,
    thread: usize,
    /// Blocked columns, bit = column.
    mask: u16,
}

impl Run<'_> {
    fn has(&self, flaw: Flaw) -> bool {
        self.flaws.has(flaw)
    }

    fn thread_config(&self, field: ThreadConfigField) -> u32 {
        let thread = if self.has(Flaw::ThreadConfigOfThread0) { 0 } else { self.thread };
        field.get(&self.tensix.small.thread_config[thread])
    }

    fn config(&self, field: ConfigField) -> u32 {
        let state_id = if self.has(Flaw::StateIdIgnored) {
            0
        } else if self.has(Flaw::StateIdOfThread0) {
            config::CFG_STATE_ID_StateID.get(&self.tensix.small.thread_config[0])
        } else {
            self.thread_config(config::CFG_STATE_ID_StateID)
        };
        field.get(&self.tensix.small.config[state_id as usize])
    }

    fn rwc(&mut self) -> &mut Rwc {
        let thread = if self.has(Flaw::RwcsOfThread0) { 0 } else { self.thread };
        &mut self.tensix.small.rwcs[thread]
    }

    // ---------------------------------------------------------------------------------------- from gate to end

    fn gate_is_closed(&self) -> bool {
        let small = &*self.tensix.small;
        let bank = small.matrix_unit_srca_bank as usize;
        let srca_blocked = |bank: usize| small.srca_allowed_client[bank] != MATRIX_UNIT;
        if self.has(Flaw::GateIgnored) {
            false
        } else if self.has(Flaw::GateOtherBank) {
            srca_blocked(1 - bank)
        } else if self.has(Flaw::GateBothBanks) {
            srca_blocked(0) || srca_blocked(1)
        } else if self.has(Flaw::GateSrcb) {
            small.srcb_allowed_client[small.matrix_unit_srcb_bank as usize] != MATRIX_UNIT
        } else {
            srca_blocked(bank)
        }
    }

    fn execute(&mut self) {
        let modes = self.modes();
        if self.has(Flaw::AddrModFirst) {
            self.apply_addr_mod();
        }
        let rows = self.rows();
        for index in 0..rows.count {
            if index > 0 && self.has(Flaw::MaskFirstRowOnly) {
                self.mask = 0;
            }
            let src_index = if self.has(Flaw::SrcRowStuck) {
                0
            } else if self.has(Flaw::RowsReversed) {
                rows.count - 1 - index
            } else {
                index
            };
            self.copy_row(modes, (rows.src + src_index) & 0x3f, (rows.dst + index) & 0x3ff);
        }
        let skipped = self.has(Flaw::AddrModNever)
            || self.has(Flaw::AddrModFirst)
            || (self.has(Flaw::AddrModNotWhenMasked) && self.mask == 0xffff);
        if !skipped {
            self.apply_addr_mod();
        }
        let bank = self.tensix.small.matrix_unit_srca_bank as usize;
        if self.has(Flaw::BankFlipped) {
            self.tensix.small.matrix_unit_srca_bank ^= 1;
        }
        if self.has(Flaw::BankReleased) {
            self.tensix.small.srca_allowed_client[bank] = UNPACKERS;
        }
    }

    // ---------------------------------------------------------------------------------------- data formats

    fn srca_format(&self) -> u32 {
        if self.has(Flaw::SrcbFormatUsed) {
            return if self.config(config::ALU_FORMAT_SPEC_REG_SrcB_override) != 0 {
                self.config(config::ALU_FORMAT_SPEC_REG_SrcB_val)
            } else {
                self.config(config::ALU_FORMAT_SPEC_REG1_SrcB)
            };
        }
        if self.has(Flaw::DstaccFormatUsed) && self.config(config::ALU_FORMAT_SPEC_REG_Dstacc_override) != 0 {
            return self.config(config::ALU_FORMAT_SPEC_REG_Dstacc_val);
        }
        let overridden = self.config(config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0;
        if (overridden && !self.has(Flaw::OverrideIgnored)) || self.has(Flaw::OverrideAlways) {
            self.config(config::ALU_FORMAT_SPEC_REG_SrcA_val)
        } else {
            self.config(config::ALU_FORMAT_SPEC_REG0_SrcA)
        }
    }

    fn has_8b_exponent(&self, srca_format: u32) -> bool {
        match srca_format {
            format::FP32 => !self.has(Flaw::Fp32Missing),
            format::BFP2 => !self.has(Flaw::Bfp2Missing),
            format::INT32 => !self.has(Flaw::Int32Missing),
            format::INT16 => !self.has(Flaw::Int16Missing),
            format::TF32 | format::BF16 | format::BFP8 | format::BFP4 => true,
            format::INT8 => self.has(Flaw::Int8Included),
            13 => self.has(Flaw::Reserved13Included),
            _ => false,
        }
    }

    /// Whether the accumulation mode selects the eight-bit exponent: in the newest page only.
    fn accumulates_8b_exponent(&self) -> bool {
        let newest = self.edition == Edition::Newest;
        let fp32_field = if self.has(Flaw::SfpuFp32Used) {
            config::ALU_ACC_CTRL_SFPU_Fp32_enabled
        } else {
            config::ALU_ACC_CTRL_Fp32_enabled
        };
        let fp32 = (newest && !self.has(Flaw::Fp32Ignored)) || self.has(Flaw::Fp32MattersInSpec);
        let int8 = (newest && !self.has(Flaw::Int8MathIgnored)) || self.has(Flaw::Int8MathMattersInSpec);
        (fp32 && self.config(fp32_field) != 0) || (int8 && self.config(config::ALU_ACC_CTRL_INT8_math_enabled) != 0)
    }

    fn modes(&self) -> Modes {
        let fp32_enabled = self.config(config::ALU_ACC_CTRL_Fp32_enabled) != 0;
        let int8_math_enabled = self.config(config::ALU_ACC_CTRL_INT8_math_enabled) != 0;
        let lo = USE_DST32B_LO.get(self.code) != 0;

        let mut force = if self.has(Flaw::ForceOfThread0) {
            config::FP16A_FORCE_Enable.get(&self.tensix.small.thread_config[0]) != 0
        } else {
            self.thread_config(config::FP16A_FORCE_Enable) != 0
        };
        if self.has(Flaw::ForceIgnored) || (self.has(Flaw::ForceBeatenByFp32) && (fp32_enabled || int8_math_enabled)) {
            force = false;
        }

        let mut srca_format = self.srca_format();
        if self.has(Flaw::Fp32PretendsTf32) && fp32_enabled && !force {
            srca_format = format::TF32;
        }
        let mut use_8b_exponent = !force && (self.accumulates_8b_exponent() || self.has_8b_exponent(srca_format));

        let mut is_tf32 = srca_format == format::TF32;
        if self.has(Flaw::Tf32TestOnReg0) {
            is_tf32 = self.config(config::ALU_FORMAT_SPEC_REG0_SrcA) == format::TF32;
        }
        is_tf32 |= self.has(Flaw::Fp32FormatAsTf32) && srca_format == format::FP32;
        is_tf32 |= self.has(Flaw::Int8MathWrites32) && int8_math_enabled;
        is_tf32 &= !self.has(Flaw::Tf32AsBf16);
        let use_dst32b = match self.edition {
            Edition::Spec => is_tf32,
            Edition::Newest => is_tf32 && (!force || self.has(Flaw::ForceKeepsTf32)),
        };
        let write = if use_dst32b && !(lo && self.has(Flaw::Tf32LoAsLo)) {
            Write::Tf32 { lo: lo && !self.has(Flaw::Tf32LoNotJoined) }
        } else if lo && !self.has(Flaw::LoIgnored) {
            Write::Lo
        } else {
            Write::Half
        };
        use_8b_exponent |= self.has(Flaw::LoAlways8Bit) && write == Write::Lo;
        use_8b_exponent |= self.has(Flaw::Tf32Always8Bit) && use_dst32b;

        let zero_flag_disabled = if self.has(Flaw::FlushByDstFlag) {
            config::ALU_ACC_CTRL_Zero_Flag_disabled_dst
        } else {
            config::ALU_ACC_CTRL_Zero_Flag_disabled_src
        };
        let mut flush_denormals = self.config(zero_flag_disabled) == 0;
        flush_denormals |= self.has(Flaw::FlushAlways);
        flush_denormals &= !self.has(Flaw::FlushNever);
        flush_denormals &= use_8b_exponent || !self.has(Flaw::FlushNotInFiveBit);
        flush_denormals &= !(self.has(Flaw::FlushNotInTf32) && use_dst32b);
        Modes { use_8b_exponent, flush_denormals, write }
    }

    // ---------------------------------------------------------------------------------------- row range

    fn rows(&mut self) -> Rows {
        let rwc = *self.rwc();
        let move8_rows = MOVE8_ROWS.get(self.code) != 0 && !self.has(Flaw::Move8Ignored);

        let math_offset = match self.thread_config(config::DEST_TARGET_REG_CFG_MATH_Offset) {
            _ if self.has(Flaw::MathOffsetIgnored) => 0,
            offset if self.has(Flaw::MathOffsetNineBits) => offset & 0x1ff,
            offset if self.has(Flaw::ControlOffsetTenBits) => offset & 0x3ff,
            offset => offset,
        };
        let regw_base = match self.config(config::DEST_REGW_BASE_Base) {
            _ if self.has(Flaw::RegwBaseIgnored) => 0,
            base if self.has(Flaw::RegwBaseEightBits) => base & 0xff,
            base if self.has(Flaw::ControlOffsetTenBits) => base & 0x3ff,
            base => base,
        };
        let rwc_dst = if self.has(Flaw::RwcDstIgnored) {
            0
        } else if self.has(Flaw::RwcSrcaForDst) {
            rwc.srca
        } else if self.has(Flaw::RwcDstCrUsed) {
            rwc.dst_cr
        } else {
            rwc.dst
        };
        let rwc_srca = if self.has(Flaw::RwcSrcaIgnored) {
            0
        } else if self.has(Flaw::RwcSrcbForSrca) {
            rwc.srcb
        } else {
            rwc.srca
        };

        let mut dst = DST_ROW.get(self.code);
        if move8_rows && self.has(Flaw::DstAlignedEarly) {
            dst &= 0x3f8;
        }
        dst += math_offset;
        dst += rwc_dst + regw_base;
        let mut src = SRC_ROW.get(self.code) + rwc_srca;
        if self.has(Flaw::DstSaturates) {
            dst = dst.min(0x3ff);
        }
        if self.has(Flaw::SrcSaturates) {
            src = src.min(0x3f);
        }
        if self.has(Flaw::DstRowPlusOne) && !move8_rows {
            dst += 1;
        }
        let mut count = if move8_rows { 8 } else { 1 };
        if move8_rows {
            let dst_unaligned = self.has(Flaw::DstUnaligned) || self.has(Flaw::DstAlignedEarly);
            dst &= if dst_unaligned { 0x3ff } else { 0x3f8 };
            src &= if self.has(Flaw::SrcUnaligned) { 0x3f } else { 0x38 };
        } else {
            dst &= 0x3ff;
            src &= 0x3f;
        }
        if self.has(Flaw::DstNineBits) {
            dst &= 0x1ff;
        }
        if self.has(Flaw::SrcFiveBits) {
            src &= 0x1f;
        }
        if self.has(Flaw::LastSrcRow) && !move8_rows && src == 0x3f {
            src = 0x3e;
        }
        if self.has(Flaw::SevenRows) && move8_rows {
            count = 7;
        }
        if self.has(Flaw::RowTooMany) {
            count += 1;
        }
        Rows { count, dst: dst as usize, src: src as usize }
    }

    // ---------------------------------------------------------------------------------------- columns

    /// The columns that `BLOCK_DEST_MOV` blocks, bit = column.
    fn blocked_columns(&self) -> u16 {
        (0..COLUMNS).filter(|&column| self.is_blocked(column)).fold(0, |mask, column| mask | 1 << column)
    }

    fn is_blocked(&self, column: usize) -> bool {
        let small = &*self.tensix.small;
        if self.has(Flaw::MaskIgnored) {
            return false;
        }
        let asked = if self.has(Flaw::MaskMirrored) { 15 - column } else { column };
        let lane = if self.has(Flaw::MaskLaneModulo) { asked & 7 } else { asked / 2 };
        let bit = if self.has(Flaw::MaskPairsSwapped) { (asked & 1) ^ 1 } else { asked & 1 };
        let lane_config = small.lane_config[lane];
        let block_dest_mov = (lane_config >> 9) & 3;
        let mut blocked = (block_dest_mov >> bit) & 1 != 0;
        if self.has(Flaw::MaskInverted) {
            blocked = !blocked;
        }
        if self.has(Flaw::RowMaskBlocks) {
            blocked |= (lane_config >> 12) & 1 != 0;
        }
        if self.has(Flaw::LaneFlagsBlock) {
            let off = small.use_lane_flags_for_lane_enable & !small.lane_flags;
            blocked |= (off >> lane) & 1 != 0;
        }
        blocked
    }

    // ---------------------------------------------------------------------------------------- one row

    fn copy_row(&mut self, modes: Modes, src_row: usize, dst_row: usize) {
        if self.mask == 0xffff {
            if self.has(Flaw::AllBlockedMarksValid) {
                self.mark_valid(modes.write, dst_row);
            }
            if !self.has(Flaw::MaskZeroes) {
                return;
            }
        }
        if (dst_row == 0x3ff && self.has(Flaw::LastRowDropped))
            || (self.mask == 0x7fff && self.has(Flaw::LoneColumnLost))
        {
            return;
        }
        // The mark belongs to the row, so it is read once, before the row's first datum makes the row valid.
        let reads = modes.write == Write::Lo || self.has(Flaw::ControlPartialClears);
        let mut valid = !reads || self.is_valid(modes.write, dst_row);
        let srca_bank = self.srca_bank();
        for column in 0..COLUMNS {
            if self.mask >> column & 1 != 0 {
                if self.has(Flaw::MaskZeroes) || (self.has(Flaw::ControlPartialClears) && !valid) {
                    self.write(modes.write, dst_row, column, 0, false);
                }
                continue;
            }
            let source = if self.has(Flaw::ColumnsExchanged) {
                column ^ ((self.tensix.small.lane_config[column / 2] >> 7) & 1) as usize
            } else {
                column
            };
            let raw = self.tensix.srca(srca_bank, src_row, source);
            let value = self.flush(modes, raw, dst_row);
            let val16b = self.narrow(modes, value, column);
            let word = match modes.write {
                Write::Half | Write::Lo => u32::from(val16b),
                Write::Tf32 { lo } => {
                    let low = self.low_mantissa(value) | if lo { val16b } else { 0 };
                    u32::from(val16b) << 16 | u32::from(low)
                }
            };
            self.write(modes.write, dst_row, column, word, valid);
            valid |= self.has(Flaw::LoValidityPerDatum);
        }
        self.mark_valid(modes.write, dst_row);
    }

    fn srca_bank(&self) -> usize {
        let small = &*self.tensix.small;
        let bank = if self.has(Flaw::BankZero) {
            0
        } else if self.has(Flaw::BankOfSrcb) {
            small.matrix_unit_srcb_bank
        } else if self.has(Flaw::BankSwapped) {
            1 - small.matrix_unit_srca_bank
        } else {
            small.matrix_unit_srca_bank
        };
        bank as usize
    }
}
