//! What the numbers of Tensix mean, where it is not plain.
//!
//! *Source*: pages SrcASrcB and Dst (layouts of data), RWCs (counters and AddrMod), VectorUnit and SFPCONFIG (lanes),
//! MOVA2D, SFPLOAD and SFPSTORE (what they read), the vendor's register tables (which codes a field holds).

use super::format::{
    BITS32, CODE_NAMES, DST_BF16, DST_BITS, DST_FP16, DST_INT8, DST_INT16, FP32_DATUM, SIGN_MAGNITUDE_DATUM, SRC_BF16,
    SRC_FP16, SRC_INT8, SRC_INT16, SRC_TF32, TWOS_COMPLEMENT_DATUM,
};
use crate::{BankMeaning, Meaning, Meanings};

const fn plain(of: &'static str, text: &'static str) -> Meaning {
    Meaning { of, text, values: &[] }
}

const fn format(of: &'static str, text: &'static str) -> Meaning {
    Meaning { of, text, values: &CODE_NAMES }
}

const fn client(of: &'static str) -> Meaning {
    Meaning {
        of,
        text: "Who may use this bank. An instruction of the Matrix Unit that reads a bank of the Unpackers waits.",
        values: &["MatrixUnit", "Unpackers"],
    }
}

/// The meanings on Wormhole.
pub(super) static WORMHOLE: Meanings =
    Meanings { banks: BANKS, fields: &[SHARED, OF_WORMHOLE], code: &[CODE, CODE_OF_WORMHOLE] };
/// The meanings on Blackhole.
pub(super) static BLACKHOLE: Meanings =
    Meanings { banks: BANKS, fields: &[SHARED, OF_BLACKHOLE], code: &[CODE, CODE_OF_BLACKHOLE] };

const SRC: &str = "A datum of 19 bits: the sign in bit 18, ten bits of mantissa from bit 8 on, eight of exponent from bit 0 \
                   on. A five-bit exponent leaves bits 5 to 7 zero. Which format it is stands in the configuration.";

const BANKS: &[BankMeaning] = &[
    BankMeaning {
        of: "DstBits",
        text: "All of Dst, 16 bits a word. Dst16b[row] is the row itself. A datum of Dst32b[row] lies in two rows: its high \
               half in row ((row & 0x1f8) << 1 | row & 0x207), its low half eight rows behind that one. The sign is the \
               highest bit, then the mantissa, then the exponent.",
        formats: &[&DST_BF16, &DST_FP16, &DST_INT8, &DST_INT16, &DST_BITS],
    },
    BankMeaning { of: "SrcA", text: SRC, formats: &[&SRC_TF32, &SRC_BF16, &SRC_FP16, &SRC_INT8, &SRC_INT16] },
    BankMeaning { of: "SrcB", text: SRC, formats: &[&SRC_TF32, &SRC_BF16, &SRC_FP16, &SRC_INT8, &SRC_INT16] },
    BankMeaning {
        of: "LReg",
        text: "A register of the Vector Unit is a row, a lane a column. On the machine LReg[8], LReg[9] and LReg[10] hold \
               constants, 0x3f56594b, 0 and 1.0; a case brings them as rows.",
        formats: &[&FP32_DATUM, &SIGN_MAGNITUDE_DATUM, &TWOS_COMPLEMENT_DATUM, &BITS32],
    },
    BankMeaning {
        of: "DstRowValid",
        text: "1: the row of DstBits with this number is valid. 0: it counts as zero, or is undefined to read.",
        formats: &[],
    },
    BankMeaning {
        of: "GPRs",
        text: "The 64 registers of each thread, which the Scalar Unit and the Configuration Unit use. A row is four of them: \
               GPRs[thread][n] of the pages is word n modulo 4 of row n / 4.",
        formats: &[&BITS32],
    },
];

/// What has the same name and meaning on both chips.
const SHARED: &[Meaning] = &[
    plain("CurrentThread", "The thread that executes: its RWCs and its ThreadConfig are used."),
    plain("MatrixUnit.SrcABank", "The bank of SrcA that the Matrix Unit uses."),
    plain("MatrixUnit.SrcBBank", "The bank of SrcB that the Matrix Unit uses."),
    plain("Unpackers.SrcBank", "The bank that this Unpacker uses."),
    plain("Unpackers.SrcRow", "The row of its bank at which this Unpacker begins; of each thread one."),
    plain(
        "HardwareBug",
        "The first row of SrcA of the last instruction that computed one; its upper two bits select the rows that SHIFTXA \
         reads. No instruction of the suite changes it.",
    ),
    Meaning {
        of: "WaitGate.LatchedWaitInstruction.Opcode",
        text: "The wait instruction that the thread's Wait Gate keeps; without one, the three other members are 0 as well.",
        values: &["none", "STALLWAIT", "SEMWAIT"],
    },
    plain(
        "WaitGate.LatchedWaitInstruction.ConditionMask",
        "Bit n: condition Cn of the instruction keeps on waiting. As long as one of them does, it is latched.",
    ),
    plain(
        "WaitGate.LatchedWaitInstruction.BlockMask",
        "Bit n: instructions that block bit Bn names are held as long as it is latched.",
    ),
    plain("WaitGate.LatchedWaitInstruction.SemaphoreMask", "Bit n: the conditions of SEMWAIT look at semaphore n."),
    client("SrcA.AllowedClient"),
    client("SrcB.AllowedClient"),
    plain("LaneFlags", "Bit n: the flag of lane n."),
    plain("UseLaneFlagsForLaneEnable", "Bit n: lane n is enabled only if its flag is set."),
    plain("RWCs.Dst", "Row counter of Dst, modulo 1024; added to row and address."),
    plain("RWCs.Dst_Cr", "Where DestCR takes RWCs.Dst back to."),
    plain("RWCs.SrcA", "Row counter of SrcA, modulo 64; added to the row."),
    plain("RWCs.SrcA_Cr", "Where SrcACR takes RWCs.SrcA back to."),
    plain("RWCs.SrcB", "Row counter of SrcB, modulo 64."),
    plain("RWCs.SrcB_Cr", "Where SrcBCR takes RWCs.SrcB back to."),
    plain("RWCs.FidelityPhase", "Counts modulo 4. Says which bits of SrcA and SrcB are multiplied."),
    plain(
        "LaneConfig.ENABLE_FP16A_INF",
        "1: of FP16 data the largest magnitude is infinity. Index n serves the lanes whose number is n modulo 8; so with all of LaneConfig.",
    ),
    plain(
        "LaneConfig.DISABLE_BACKDOOR_LOAD",
        "0: in this lane an instruction with VD of 12 or more writes an instruction template, which is not modelled (TX-17).",
    ),
    plain(
        "LaneConfig.ENABLE_DEST_INDEX",
        "1, and CAPTURE_DEFAULT_DEST_INDEX too: SFPLOAD to LReg 0 to 3 also writes row << 4 | column to the register four above.",
    ),
    plain("LaneConfig.CAPTURE_DEFAULT_DEST_INDEX", "See ENABLE_DEST_INDEX."),
    plain("LaneConfig.BLOCK_DEST_WR_FROM_SFPU", "1: SFPSTORE leaves the lane out."),
    plain("LaneConfig.BLOCK_SFPU_RD_FROM_DEST", "1: SFPLOAD leaves the lane out."),
    plain("LaneConfig.DEST_RD_COL_EXCHANGE", "1: SFPLOAD reads the lane's odd column instead of its even one."),
    plain("LaneConfig.DEST_WR_COL_EXCHANGE", "1: SFPSTORE writes the lane's odd column instead of its even one."),
    plain("LaneConfig.EXCHANGE_SRCB_SRCC", "Read by no instruction of the suite."),
    plain("LaneConfig.BLOCK_DEST_MOV", "Bit 0: moves leave column 2n alone, bit 1: column 2n + 1; n is the index."),
    plain(
        "LaneConfig.Reserved*",
        "Reserved bits, by the number of the first of them. SFPCONFIG writes them, and SFPMOV can move them.",
    ),
    plain("LaneConfig.ROW_MASK", "Bit r disables lane 8r + n; n is the index."),
    plain(
        "Semaphores.Value",
        "Current value. Software calls semaphores 0 to 7 FPU_SFPU, MATH_PACK, UNPACK_TO_DEST, UNPACK_OPERAND_SYNC, PACK_DONE, UNPACK_SYNC, UNPACK_MATH_DONE and MATH_DONE.",
    ),
    plain("Semaphores.Max", "Largest value."),
    plain("Config.Word*", "Bits that no instruction of the suite reads but with the word."),
    plain("ThreadConfig.Word*", "Bits that no instruction of the suite reads."),
    format("Config.ALU_FORMAT_SPEC_REG_SrcA_val", "Format of SrcA, if ALU_FORMAT_SPEC_REG_SrcA_override is 1."),
    plain(
        "Config.ALU_FORMAT_SPEC_REG_SrcA_override",
        "Format of SrcA: 0 by ALU_FORMAT_SPEC_REG0_SrcA, 1 by ALU_FORMAT_SPEC_REG_SrcA_val.",
    ),
    format("Config.ALU_FORMAT_SPEC_REG0_SrcA", "Format of SrcA, if ALU_FORMAT_SPEC_REG_SrcA_override is 0."),
    format("Config.ALU_FORMAT_SPEC_REG_SrcB_val", "Format of SrcB, if ALU_FORMAT_SPEC_REG_SrcB_override is 1."),
    plain(
        "Config.ALU_FORMAT_SPEC_REG_SrcB_override",
        "Format of SrcB: 0 by ALU_FORMAT_SPEC_REG1_SrcB, 1 by ALU_FORMAT_SPEC_REG_SrcB_val.",
    ),
    format("Config.ALU_FORMAT_SPEC_REG1_SrcB", "Format of SrcB, if ALU_FORMAT_SPEC_REG_SrcB_override is 0."),
    format("Config.ALU_FORMAT_SPEC_REG_Dstacc_val", "A format; read by no instruction of the suite."),
    plain("Config.ALU_FORMAT_SPEC_REG_Dstacc_override", "Read by no instruction of the suite."),
    format("Config.ALU_FORMAT_SPEC_REG2_Dstacc", "A format; read by no instruction of the suite."),
    plain("Config.ALU_FORMAT_SPEC_REG0_Src*Unsigned", "Read by no instruction of the suite."),
    plain(
        "Config.ALU_ACC_CTRL_Fp32_enabled",
        "1: MOVA2D takes exponents of eight bits, whatever the format (of Wormhole, edition newest); what computes on \
         SrcA and SrcB takes Dst for 32 bits wide.",
    ),
    plain(
        "Config.ALU_ACC_CTRL_INT8_math_enabled",
        "1: MOVA2D takes exponents of eight bits, whatever the format (of Wormhole, edition newest); what computes on \
         SrcA and SrcB takes them for integer \"8\", and Dst for integer \"32\".",
    ),
    plain("Config.ALU_ACC_CTRL_SFPU_Fp32_enabled", "1: mode SRCB of SFPLOAD and SFPSTORE means FP32."),
    plain(
        "Config.ALU_ACC_CTRL_Zero_Flag_disabled_src",
        "0: a datum of SrcA whose low eight bits are zero is moved as zero, and one of SrcB is computed with as zero.",
    ),
    plain("Config.ALU_ACC_CTRL_Zero_Flag_disabled_dst", "Read by no instruction of the suite."),
    plain("Config.DEST_REGW_BASE_Base", "Added to rows and addresses of Dst, modulo 1024."),
    plain("ThreadConfig.CFG_STATE_ID_StateID", "The bank of Config that the thread uses."),
    plain("ThreadConfig.DEST_TARGET_REG_CFG_MATH_Offset", "Added to rows and addresses of Dst, modulo 1024."),
    plain("ThreadConfig.SRCA_SET_Base", "Sixteen times this is the row at which Unpacker 0 begins with the next bank."),
    plain("ThreadConfig.SRCA_SET_SetOvrdWithAddr", "Read by no instruction of the suite."),
    plain("ThreadConfig.SRCB_SET_Base", "Sixteen times this is the row at which Unpacker 1 begins with the next bank."),
    plain(
        "ThreadConfig.CLR_DVALID_Src*_Disable",
        "1: SETRWC and what computes on SrcA and SrcB flip the bank of the Matrix Unit, and its owner stays.",
    ),
    plain("ThreadConfig.FIDELITY_BASE_Phase", "Added to RWCs.FidelityPhase, modulo 4, by what multiplies."),
    plain(
        "ThreadConfig.ADDR_MOD_AB_SEC.SrcAIncr",
        "Added to RWCs.SrcA, or to RWCs.SrcA_Cr if SrcACR. The index is the AddrMod in force; so with all sections.",
    ),
    plain("ThreadConfig.ADDR_MOD_AB_SEC.SrcACR", "1: RWCs.SrcA_Cr advances, and RWCs.SrcA becomes it."),
    plain("ThreadConfig.ADDR_MOD_AB_SEC.SrcAClear", "1: RWCs.SrcA and RWCs.SrcA_Cr become 0. It goes before SrcACR."),
    plain("ThreadConfig.ADDR_MOD_AB_SEC.SrcBIncr", "Added to RWCs.SrcB, or to RWCs.SrcB_Cr if SrcBCR."),
    plain("ThreadConfig.ADDR_MOD_AB_SEC.SrcBCR", "1: RWCs.SrcB_Cr advances, and RWCs.SrcB becomes it."),
    plain("ThreadConfig.ADDR_MOD_AB_SEC.SrcBClear", "1: RWCs.SrcB and RWCs.SrcB_Cr become 0. It goes before SrcBCR."),
    plain("ThreadConfig.ADDR_MOD_DST_SEC.DestIncr", "Added to RWCs.Dst, or to RWCs.Dst_Cr if DestCR."),
    plain("ThreadConfig.ADDR_MOD_DST_SEC.DestCR", "1: RWCs.Dst_Cr advances, and RWCs.Dst becomes it."),
    plain("ThreadConfig.ADDR_MOD_DST_SEC.DestClear", "1: RWCs.Dst and RWCs.Dst_Cr become 0. It goes first."),
    plain(
        "ThreadConfig.ADDR_MOD_DST_SEC.DestCToCR",
        "1: RWCs.Dst advances, and RWCs.Dst_Cr becomes it. It goes before DestCR.",
    ),
    plain(
        "ThreadConfig.ADDR_MOD_DST_SEC.FidelityIncr",
        "Added to RWCs.FidelityPhase, by instructions of the Matrix Unit.",
    ),
    plain("ThreadConfig.ADDR_MOD_DST_SEC.FidelityClear", "1: RWCs.FidelityPhase becomes 0, likewise."),
    plain("ThreadConfig.ADDR_MOD_BIAS_SEC.BiasIncr", "Flips RWCs.ExtraAddrModBit, unless it is a multiple of 4."),
    plain("ThreadConfig.ADDR_MOD_BIAS_SEC.BiasClear", "1: RWCs.ExtraAddrModBit becomes 0. It goes first."),
];

const FORCE: Meaning =
    plain("ThreadConfig.FP16A_FORCE_Enable", "1: moves take exponents of five bits, whatever the format.");

const OF_WORMHOLE: &[Meaning] = &[
    plain("RWCs.ExtraAddrModBit", "1: the AddrMod in force is four more."),
    plain(
        "ThreadConfig.ADDR_MOD_SET_Base",
        "1: the AddrMod in force is four more (not eight, if ExtraAddrModBit is set too).",
    ),
    FORCE,
];

const OF_BLACKHOLE: &[Meaning] = &[
    plain("RWCs.ExtraAddrModBit", "Of instructions with an AddrMod nothing is promised while it is 1 (TX-32)."),
    plain("RWCs.Sp", "Stack pointer of SFPLOAD and SFPSTORE, modulo 1024."),
    plain(
        "ThreadConfig.SFPU_STACK_Incr",
        "What mode INT32_ALL of SFPSTORE adds to RWCs.Sp, and that of SFPLOAD subtracts.",
    ),
    plain("ThreadConfig.SFPU_DEST_FMT_Enable", "1: SFPU_DEST_FMT_Base is the format that mode SRCB goes by."),
    format("ThreadConfig.SFPU_DEST_FMT_Base", "Format that mode SRCB goes by, if SFPU_DEST_FMT_Enable is 1."),
    plain(
        "ThreadConfig.DISABLE_IMPLIED_SRC*_FMT_Base",
        "1: moves take the configured format, 0: that of the bank. SFPLOAD and SFPSTORE take the configured one (TX-30).",
    ),
    format(
        "Config.THCON_SEC*_REG2_Out_data_format",
        "Format of what the Unpacker of this number writes: the implied format of a bank that UNPACR_NOP_SETDVALID gives away.",
    ),
    format("ImpliedSrcAFmt", "Format of the data of this bank of SrcA, from what was unpacked."),
    format("ImpliedSrcBFmt", "Format of the data of this bank of SrcB, from what was unpacked."),
    FORCE,
    plain("Config.DEST_SP_BASE_Base", "Added to RWCs.Sp."),
    plain(
        "Config.RISC_DEST_ACCESS_CTRL_SEC*_no_swizzle",
        "1: data are not brought from one order of bits to the other. The number is the RISC-V core, T0 to T2; so with both others.",
    ),
    plain("Config.RISC_DEST_ACCESS_CTRL_SEC*_unsigned_int", "1: of formats 4 and 5, integers have no sign."),
    Meaning {
        of: "Config.RISC_DEST_ACCESS_CTRL_SEC*_fmt",
        text: "What the core's window on Dst is an array of.",
        values: &["float of 32 bits", "int32", "fp16", "bf16", "int16", "int8"],
    },
    plain(
        "RISCV.Data",
        "What the core of the current thread loads or stores: a register of 32 bits is word 0, a vector register all four.",
    ),
    plain(
        "Config.DEST_ACCESS_CFG_remap_addrs",
        "1: a row of Dst becomes row & 0x3c7 ^ (row & 0x30) >> 1 ^ (row & 8) << 2, before all else. One field for both banks \
         of Config.",
    ),
    plain(
        "Config.DEST_ACCESS_CFG_swizzle_32b",
        "1: a row of 32-bit data becomes row & 0x3f3 ^ (row & 0x18) >> 1 ^ (row & 4) << 1, before its halves are found.",
    ),
    plain("Config.DEST_ACCESS_CFG_disable_full_write_dest_q_bypass", "Read by no instruction of the suite."),
    plain("Config.DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", "Read by no instruction of the suite."),
];

/// The page's names of the code points of `Mod0`.
pub const MOD0_NAMES: [&str; 16] = [
    "SRCB",
    "FP16",
    "BF16",
    "FP32",
    "INT32",
    "INT8",
    "UINT16",
    "HI16",
    "INT16",
    "LO16",
    "INT32_ALL",
    "ZERO",
    "INT32_SM",
    "INT8_COMP",
    "LO16_ONLY",
    "HI16_ONLY",
];

/// Code fields with the same meaning on both chips.
const CODE: &[Meaning] = &[
    Meaning {
        of: "Mod0",
        text: "How a datum is converted. SRCB: BF16 or FP16 by the format of SrcB, or FP32. The names are those of SFPLOAD and \
               SFPSTORE. SFPLOADI: 0 BF16, 1 FP16, 2 without a sign, 4 with a sign, 8 the upper half alone, 10 the lower half \
               alone.",
        values: &MOD0_NAMES,
    },
    plain(
        "VD",
        "The LReg. SFPLOAD writes registers 0 to 7 only; from 12 on see LaneConfig.DISABLE_BACKDOOR_LOAD. SFPCONFIG: what is \
         written, 11 to 14 the LReg, 15 LaneConfig, and up to 8 LoadMacroConfig.",
    ),
    plain("VC", "The LReg that is read."),
    plain("Mod1", "Modifies the instruction; the page says how."),
    plain("Imm12", "A signed number: what is added, or how far is shifted."),
    plain(
        "Imm16",
        "SFPLOADI: what is loaded. SFPCONFIG: the value, if bit 0 of Mod1 is set; if bit 3 is, bit 2n says whether the lanes \
         whose number is n modulo 8 take part.",
    ),
    plain("Imm1", "The bit that is put into the sign, or into each flag."),
    plain("Imm2", "Bit 0: what goes to UseLaneFlagsForLaneEnable. Bit 1: what goes to LaneFlags."),
    plain(
        "Imm10",
        "SFPLOAD, SFPSTORE: address in Dst, the upper eight bits select four rows, bit 1 the odd columns. ZEROACC: the row, \
         which 16 rows, or in bit 0 which half.",
    ),
    Meaning {
        of: "Mode",
        text: "How many rows are marked.",
        values: &["ONE_ROW", "16_ROWS", "HALF_OF_DST", "ALL_OF_DST"],
    },
    plain("UseDst32b", "1: the 16 rows are those of Dst32b."),
    plain("Revert", "1: the rows would be marked as valid; undefined."),
    plain("Move4Rows", "1: four rows are moved, 0: one."),
    plain("Broadcast1RowTo8", "1: one row is moved to eight. It goes before Move4Rows."),
    plain("BroadcastCol0", "1: each column gets what column 0 holds."),
    plain("SrcARow", "First row of SrcA."),
    plain("SrcBRow", "First row of SrcB."),
    plain("SrcA", "1: RWCs.SrcA and RWCs.SrcA_Cr are set."),
    plain("SrcB", "1: RWCs.SrcB and RWCs.SrcB_Cr are set."),
    plain("Dst", "1: RWCs.Dst and RWCs.Dst_Cr are set."),
    plain("Fidelity", "1: RWCs.FidelityPhase becomes 0."),
    plain("SrcAVal", "What the counters of SrcA are set to, or what is added."),
    plain("SrcBVal", "What the counters of SrcB are set to, or what is added."),
    plain("DstVal", "What the counters of Dst are set to, or what is added."),
    plain("SrcAInc", "What is added to the counter of SrcA."),
    plain("SrcBInc", "What is added to the counter of SrcB."),
    plain("DstInc", "What is added to the counter of Dst."),
    plain("SrcACr", "1: it is added to RWCs.SrcA_Cr."),
    plain("SrcBCr", "1: it is added to RWCs.SrcB_Cr."),
    plain("DstCr", "1: it is added to RWCs.Dst_Cr."),
    plain("DstCtoCr", "1: RWCs.Dst and RWCs.Dst_Cr are set, and DstVal is added to RWCs.Dst."),
    plain(
        "FlipSrcA",
        "1: the Matrix Unit gives its bank of SrcA to the Unpackers, of SETDVALID the other way round, and goes on to the other.",
    ),
    plain(
        "FlipSrcB",
        "1: the Matrix Unit gives its bank of SrcB to the Unpackers, of SETDVALID the other way round, and goes on to the other.",
    ),
    plain("Reset", "1: all banks go to the Unpackers, and all bank indices become 0, which is not supported."),
    plain("KeepReadingSameSrc", "1: the Matrix Unit stays at the bank that it gives away."),
    plain("SemaphoreMask", "Bit n: semaphore n takes part."),
    plain("ConditionMask", "Bit n: condition Cn keeps on waiting; the page says which they are."),
    plain("BlockMask", "Bit n: instructions that block bit Bn names are held meanwhile; 0 as bit B6 alone."),
    Meaning {
        of: "WhichUnpacker",
        text: "The Unpacker in whose turn it is done; the first has SrcA and the second SrcB.",
        values: &["Unpacker 0", "Unpacker 1"],
    },
    plain(
        "WaitLikeUnpacr",
        "The bank that it waits for: 0 that of the Matrix Unit, 1 that of the Unpacker, which is the one that is cleared.",
    ),
    plain("Accumulate", "1: the value is added to what was added before."),
    plain("Value11", "What is written, or added."),
    plain("AddrMid", "Bits 12 to 17 of the address that is written."),
    plain("AddrSel", "Which base the address has."),
    plain("Form", "0: the stream stands in the configuration, 3: it stands in the word. 1 and 2 are other forms."),
    plain("ClearCount", "Not 0: the stream is that of the word."),
    plain("WhichStream", "The stream."),
    Meaning { of: "Direction", text: "Where the data go.", values: &["", "", "DIRECTION_RIGHT", "DIRECTION_LEFT"] },
    plain("NewValue", "The value that is written: to semaphores, to configuration, or to half of a GPR."),
    plain("CfgIndex", "The word of configuration: of SETC16 in ThreadConfig, and else in Config."),
    plain("Is128Bit", "1: four GPRs go to four words, from numbers whose lowest two bits count as 0. 0: one to one."),
    plain("InputReg", "The GPR that is read."),
    plain("ResultReg", "The GPR that is written."),
    plain("Index4", "The word of Config."),
    plain("Mask", "Bit n: bit n of the byte is written."),
    plain("ResultHalfReg", "The half of a GPR that is written, the low one if it is even, or the GPR with this half."),
    plain("InputHalfReg", "The half of the four values that is moved, or the value with this half."),
    plain("InputSource", "What the four values are: something of Packers, or, from 10 on, zeros."),
    plain("WhichPackers", "The Packer, or a mask of Packers, as InputSource has it."),
    Meaning {
        of: "ResultSize",
        text: "What is written.",
        values: &["16 bits", "32 bits", "128 bits", "128 bits but what a tile header reserves"],
    },
    plain("NewMax", "The maximum that the semaphores get."),
    plain("ClearSrcA", "1: SrcA is cleared."),
    plain("ClearSrcB", "1: SrcB is cleared."),
    plain("BothBanks", "1: both banks are cleared."),
    plain(
        "SingleBankMatrixUnit",
        "The bank that is cleared, if one is: 0 that of the Unpackers, 1 that of the Matrix Unit.",
    ),
    plain(
        "NegativeInfSrcA",
        "1: all bits of SrcA are set, where it is cleared; of UNPACR_NOP_ZEROSRC those of SrcB too on Blackhole.",
    ),
    plain("SrcRow", "First row of SrcA or SrcB, before its counter is added."),
    plain(
        "UseDst32bLo",
        "1: the low half of a 32-bit datum is written, and its high half stays; of MOVD2A and MOVD2B, it is read.",
    ),
    plain("Move8Rows", "1: eight rows, from row numbers whose low three bits count as 0. 0: one row."),
    plain("DstRow", "First row of Dst, before offset, counter and base are added."),
    plain("BroadcastSrcBRow", "1: one row of SrcB stands for all rows; of MVMUL, for every other one."),
    plain("BroadcastSrcBCol0", "1: column 0 of SrcB stands for all columns."),
    plain("AddDst", "1: the sum is added to Dst. 0: it replaces what Dst holds."),
    plain("ArgMax", "1: an index of the maximum is written too, or instead, where Dst is 32 bits wide."),
    plain("instr_mod19", "1, in each word that the page can write; of another nothing is promised."),
    plain("ShiftInZero", "What column 15 gets: 0 the datum of column 0, 1 zero."),
];

const CODE_OF_WORMHOLE: &[Meaning] =
    &[plain("AddrMod", "Which of sections 0 to 3 moves the counters, or 4 to 7: see RWCs.ExtraAddrModBit.")];

const CODE_OF_BLACKHOLE: &[Meaning] = &[
    plain("AddrMod", "Which section moves the counters."),
    plain("VB", "The LReg that is read beside VC, if bit 0 of Mod1 is set; else that is VD."),
    plain("Offset", "How many bytes above 0xffbd8000 a core of RISC-V accesses."),
    Meaning {
        of: "Size",
        text: "How many bytes are accessed; 16 are a vector register.",
        values: &["1 byte", "2 bytes", "4 bytes", "16 bytes"],
    },
    plain(
        "SignExtend",
        "Of a load of 1 or 2 bytes, 1: the rest of the register becomes copies of their highest bit, 0: zero.",
    ),
];
