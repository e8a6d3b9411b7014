//! Errata of the pages of Tensix: TX-01 to TX-13 of page MOVA2D, TX-14 to TX-33 of SFPLOAD, SFPSTORE and what they
//! call.
//!
//! Lines are those of the page that the erratum names, at its commit, unless another is named. Every figure is
//! evaluated by the test that the erratum names, in the root package's `tests/errata.rs`; figures of recorded
//! executions stand in the evidence, with their source.

use super::pages;
use crate::{Edition, Erratum, ErratumKind, Evidence, Grade};

const BOTH: &[Edition] = &Edition::ALL;
const NEWEST_ONLY: &[Edition] = &[Edition::Newest];
const NEITHER: &[Edition] = &[];

const fn page(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Page, text }
}

const fn simulator(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Simulator, text }
}

const fn rtl(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Rtl, text }
}

const fn silicon(text: &'static str) -> Evidence {
    Evidence { grade: Grade::Silicon, text }
}

/// The errata of pages of Wormhole, in the order of their ids. Some bear on instructions of Blackhole too.
pub(super) static WORMHOLE: &[Erratum] = &[
    Erratum {
        id: "TX-01",
        kind: ErratumKind::Witnessed,
        page: &pages::MOVA2D_SPEC,
        lines: "125, 128",
        prints: "RemoveHighExponent takes the sign from a value of 19 bits with the mask `1 << 19`, one bit above its \
                 top bit.",
        consequence: "The mask selects nothing and the sign is lost: the result is wrong for 262,144 of the 524,288 \
                      source values, exactly those with bit 18 set. 0x6000F gives 0x400F instead of 0xC00F. Of the \
                      65,536 FP16 words of Dst, 32,768 do not survive Dst to SrcA to Dst; of the 2,048 integer \"8\" \
                      words, 1,024.",
        decision: "Both editions take the sign from bit 18.",
        evidence: &[
            page(
                "MatrixUnit at 1ae1f852 and MOVA2D at 545c98a3 print `1 << 18`; changed by pull request 4 of \
                 tenstorrent/tt-isa-documentation, merged on 2025-05-24",
            ),
            simulator(
                "ttsim 1.10.0: of 1,269 recorded Wormhole executions 134 take a set bit 18 through the 5-bit path; \
                 all keep it",
            ),
        ],
        editions: BOTH,
        faults: &["tx01-sign-bit-19"],
        verified_by: "tx_01_a_19_bit_sign_mask_loses_the_sign_of_262144_of_524288_values",
    },
    Erratum {
        id: "TX-02",
        kind: ErratumKind::Equal,
        page: &pages::MOVA2D_SPEC,
        lines: "112, 113, 115",
        prints: "RemoveLowMantissa has the same sign mask `1 << 19`, and a mantissa mask `0xff << 11` of eight bits \
                 where its comment counts seven.",
        consequence: "The two slips cancel: the eighth mantissa bit is the sign, which is shifted with the mantissa by \
                      the same distance. 0 of 524,288 source values differ. Mending only the mantissa mask loses the \
                      sign of 262,144.",
        decision: "Both editions mend both masks together (`1 << 18`, `0x7f << 11`).",
        evidence: &[page("MatrixUnit at 1ae1f852 prints both mended masks")],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_02_two_wrong_masks_of_the_8_bit_path_cancel_for_all_524288_values",
    },
    Erratum {
        id: "TX-03",
        kind: ErratumKind::Witnessed,
        page: &pages::MOVA2D_SPEC,
        lines: "39, 40, 69-71, 78",
        prints: "FP16A_FORCE_Enable selects the 5-bit path, but whether 32 bits are written hangs on SrcAFmt alone.",
        consequence: "With TF32 under FP16A_FORCE_Enable an FP16 word lands in the high half of Dst32b, and its three \
                      low mantissa bits once more at the top of the low half: 0x30582 gives 0x60A2A000. The low half \
                      is not 0 for 458,752 of 524,288 source values. The newest page writes the 16 bits 0x60A2 to \
                      Dst16b instead. 8 of the 256 combinations of SrcAFmt, FP16A_FORCE_Enable, Fp32_enabled, \
                      INT8_math_enabled and UseDst32bLo are contested by this.",
        decision: "`spec` writes 32 bits as printed; `newest` writes 16 (with UseDst32bLo, the low half of Dst32b). \
                   Neither refuses FP16A_FORCE_Enable: the MOVB2D page at 1ae1f852 calls it unsupported, the MOVA2D \
                   page does not.",
        evidence: &[
            page("MOVA2D at 88d4bf9c, lines 43-45 and 63: under FP16A_FORCE_Enable UseDst32b is false"),
            rtl("a maintainer lists commit 88d4bf9c among what testing against RTL uncovered (tenstorrent/ttsim#14); \
                 the rule is not there at 545c98a3"),
            simulator("ttsim 1.10.0 refuses the field, and its register table says that silicon lacks it"),
        ],
        editions: NEWEST_ONLY,
        faults: &["tx03-force-keeps-tf32"],
        verified_by: "tx_03_tf32_under_force_repeats_mantissa_bits_for_458752_of_524288_values",
    },
    Erratum {
        id: "TX-04",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "72-75, 78",
        prints: "With TF32, UseDst32bLo does not redirect the write: the low half becomes the three low mantissa bits \
                 OR-ed with the 16-bit value that the high half holds too.",
        consequence: "The OR runs two fields together in bits 13 to 15: both have a bit there for 303,104 of 524,288 \
                      source values, and only 221,184 distinct words come out, where plain TF32 has 524,288. The \
                      result differs from plain TF32 for 524,261 values. The newest page promises nothing; 4 of the \
                      256 combinations of TX-06 are contested by this.",
        decision: "`spec` gives the printed value. `newest` answers Undefined as soon as a datum is moved, as its page \
                   does; with all columns blocked no datum is.",
        evidence: &[
            page(
                "MOVA2D at 88d4bf9c, lines 90-92: undefined behaviour; silicon erratum TEN-4245, observed on Blackhole",
            ),
            simulator(
                "ttsim 1.10.0 refuses it as undefined behaviour under TEN-4245 in all 56 recorded Wormhole executions \
                 that reach the check",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_04_tf32_with_lo_runs_two_fields_together_for_303104_of_524288_values",
    },
    Erratum {
        id: "TX-05",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "70, 79, 88",
        prints: "The view that is written (Dst16b or Dst32b) follows from SrcAFmt and UseDst32bLo. That it should be \
                 the view which Fp32_enabled and INT8_math_enabled give to the rest of Dst is not asked.",
        consequence: "The newest MOVB2D page calls a move undefined when (32-bit write or UseDst32bLo) differs from \
                      (Fp32_enabled or INT8_math_enabled), because the mark of a valid row then lands on another row. \
                      Applied to MOVA2D that is 126 of 256 combinations, of which one is undefined anyway (TX-04); 125 \
                      have an outcome that its own page promises. With MOVB2D's refusal of FP16A_FORCE_Enable besides, \
                      128 would be unsupported, 65 undefined and 63 defined, 24 of them unlike `spec`.",
        decision: "The outcome is what the MOVA2D page says, in both editions. The 126 combinations are marked \
                   contested: their vectors carry that flag, so that whoever brings hardware up can leave them out or \
                   run just them.",
        evidence: &[
            page("MOVB2D at 1ae1f852 states the rule; MOVA2D at 88d4bf9c does not"),
            page(
                "asked in review about a Wormhole kernel that moves low halves with MOVA2D, its author answers that \
                 only Blackhole clears the wrong rows' flags (tenstorrent/tt-metal pull request 45959, 2026-06-05), \
                 which speaks against the rule on Wormhole",
            ),
            simulator(
                "ttsim 1.10.0 executes low-half and TF32 moves on Wormhole with both fields 0, and the low-half moves \
                 mark Adj32(row)",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_05_the_rule_of_movb2d_would_contest_126_of_256_combinations",
    },
    Erratum {
        id: "TX-06",
        kind: ErratumKind::Witnessed,
        page: &pages::MOVA2D_SPEC,
        lines: "39-45",
        prints: "Whether the exponent has eight or five bits follows from FP16A_FORCE_Enable and SrcAFmt alone.",
        consequence: "The newest page takes the 8-bit path also when Fp32_enabled or INT8_math_enabled is set. Of the \
                      256 combinations of SrcAFmt (16), FP16A_FORCE_Enable, Fp32_enabled, INT8_math_enabled and \
                      UseDst32bLo, on Wormhole: 48 change the path by this (8 formats, 3 settings of the two fields, \
                      2 of UseDst32bLo), 8 by TX-03, 4 become undefined by TX-04, and 196 are the same. The paths \
                      differ in bits 5 to 7 for 458,752 of 524,288 source values: 57,344 of 65,536 FP16 words and \
                      1,792 of 2,048 integer \"8\" words lose what their low three mantissa or magnitude bits say.",
        decision: "`spec` as printed; `newest` with the rule. FP16A_FORCE_Enable still takes the 5-bit path, and \
                   INT8_math_enabled does not make the write 32 bits wide.",
        evidence: &[
            page("MOVA2D at 88d4bf9c, lines 43-64"),
            rtl("a maintainer lists commit 88d4bf9c among what testing against RTL uncovered (tenstorrent/ttsim#14); \
                 the rule is not there at 545c98a3"),
        ],
        editions: NEWEST_ONLY,
        faults: &["tx06-fp32-enabled-ignored", "tx06-int8-math-ignored"],
        verified_by: "tx_06_the_newest_page_changes_48_of_256_combinations_by_the_exponent_rule",
    },
    Erratum {
        id: "TX-07",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "37",
        prints: "The format is always the configured one; Blackhole is not mentioned.",
        consequence: "On Blackhole the newest page takes the format with which the bank was unpacked, unless \
                      DISABLE_IMPLIED_SRCA_FMT is set, so neither the override nor the configured format counts; and \
                      with Fp32_enabled it takes every format for TF32. With implied formats disabled, 60 of the 256 \
                      combinations of TX-06 differ between the chips: 30 write 32 bits on Blackhole alone, 30 are \
                      undefined there alone.",
        decision: "Not modelled: `tensix-wh` is Wormhole, whose branches of the newest page are transcribed.",
        evidence: &[
            page("MOVA2D at 88d4bf9c, lines 38-40 and 47-53"),
            silicon(
                "MOVB2D of 16-bit data with Fp32_enabled spoils Dst on Wormhole boards and not on Blackhole boards \
                 (tenstorrent/tt-llk#1680), as a 32-bit write on Blackhole alone would; MOVA2D was not run there",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_07_blackhole_differs_from_wormhole_in_60_of_256_combinations",
    },
    Erratum {
        id: "TX-08",
        kind: ErratumKind::Witnessed,
        page: &pages::MOVA2D_SPEC,
        lines: "66, 78, 87, 91",
        prints: "Dst is read and written as if every row were valid, and no row is made valid.",
        consequence: "Read literally, a low-half move to an invalid row keeps what the high half held before the row \
                      was cleared, where the Matrix Unit reads 0 (0xDEAD0000 with 0x1234 gives 0xDEAD1234, not \
                      0x00001234), and the row stays invalid, so that the next reader sees none of what was moved. A \
                      32-bit access has one mark, that of Adj32(row): 512 of the 1,024 marks, those with bit 3 of the \
                      row clear, and never that of the row 8 further. 65,534 of the 65,536 settings of BLOCK_DEST_MOV \
                      write some columns and leave out others.",
        decision: "Both editions: an invalid row reads as 0, and writing makes it valid. Some but not all columns of \
                   an invalid row: Unspecified, since no page speaks of the Matrix Unit there. With all columns \
                   blocked the row is left alone.",
        evidence: &[
            page("ZEROACC at 39304719, lines 3-7: what reads of an invalid row give, and that a write ends it"),
            page("Dst at 093af914, lines 23-30: which mark a 32-bit access consults"),
            simulator(
                "ttsim 1.10.0: of 1,269 recorded Wormhole executions the literal reading misses 224, all in the marks \
                 and 182 also in the data; this one misses none",
            ),
        ],
        editions: BOTH,
        faults: &["tx08-validity-ignored", "lo-reads-stale", "write-leaves-invalid"],
        verified_by: "tx_08_a_32_bit_access_has_one_of_512_marks_and_an_invalid_row_reads_as_zero",
    },
    Erratum {
        id: "TX-09",
        kind: ErratumKind::Editorial,
        page: &pages::MOVA2D_SPEC,
        lines: "12, 19",
        prints: "AddrMod is two bits wide, and the encoding is a picture.",
        consequence: "That holds for Wormhole (bits 15 and 16). Blackhole has three bits from bit 14. Bits 10, 11, 12 \
                      and 14 have no name on Wormhole; the syntax can set bit 12 alone, as the low bit of its fourth \
                      argument.",
        decision: "The encoding of `tensix-wh` is Wormhole's. A word with an unnamed bit set is Unspecified once \
                   it was dispatched.",
        evidence: &[
            page("the vendor's instruction tables (tt-llk at 36b092e8) give positions and widths for both chips"),
            simulator("ttsim 1.10.0: its encoding table agrees; 1,480 recorded words decode with it"),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_09_four_bits_of_the_word_have_no_name",
    },
    Erratum {
        id: "TX-10",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "41-45",
        prints: "The formats of the 8-bit path are listed, and everything else takes the `else`. Codes 12 and 13, \
                 which name no format, are not excluded.",
        consequence: "MOVA2D sends them down the 5-bit path, while MOVD2A's last `else` takes them for TF32, with an \
                      8-bit exponent. The two pages agree about the exponent for the other 14 of 16 codes.",
        decision: "Literal in both editions: codes 12 and 13 take the `else` and write 16 bits.",
        evidence: &[
            page("MOVD2A lists the formats of its 16-bit styles and leaves the rest to TF32"),
            page("Packers/FormatConversion at 39304719 names 14 codes"),
            simulator("ttsim 1.10.0 declines codes 12 and 13 as unimplemented; there is no witness"),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_10_mova2d_and_movd2a_disagree_about_codes_12_and_13_alone",
    },
    Erratum {
        id: "TX-11",
        kind: ErratumKind::Editorial,
        page: &pages::MOVA2D_SPEC,
        lines: "41, 70",
        prints: "Formats are named and their four-bit codes are not given.",
        consequence: "From this page alone no configuration word can be built. 14 of the 16 codes have a name; 8 of \
                      them are in the list of the 8-bit path.",
        decision: "The codes are those of `tandem_isa::tensix::format`.",
        evidence: &[
            page("Packers/FormatConversion at 39304719 has the table"),
            simulator("ttsim 1.10.0: recorded executions of ten of the codes agree"),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_11_fourteen_codes_have_a_name_and_eight_of_them_an_8_bit_exponent",
    },
    Erratum {
        id: "TX-12",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "46, 68",
        prints: "With flushing on, a value whose low eight bits are 0 becomes 0 as a whole: sign, and whatever else it \
                 carries.",
        consequence: "2,047 of 524,288 source values change, -0 (0x40000, which becomes +0) among them. Integer \"16\" \
                      keeps its low magnitude in these eight bits: 255 words that are not 0, the multiples of 0x100, \
                      are lost. So are 2,047 FP16 words, all with exponent 0. Integer \"8\" words with exponent 16 \
                      never are.",
        decision: "Literal in both editions.",
        evidence: &[
            page("SrcASrcB at 39304719 warns that integer \"16\" must be moved with Zero_Flag_disabled_src set"),
            page("the vendor's engineers describe the same loss for INT16 and UINT16 (tenstorrent/tt-llk#960)"),
            simulator(
                "ttsim 1.10.0: of 1,269 recorded Wormhole executions 640 need the flush, and keeping the sign fails \
                 the same 640",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_12_flushing_clears_255_integer_16_words_and_the_sign_of_zero",
    },
    Erratum {
        id: "TX-13",
        kind: ErratumKind::Choice,
        page: &pages::MOVA2D_SPEC,
        lines: "67",
        prints: "A datum is read from SrcA whole and flushed if its low eight bits are zero.",
        consequence: "The newest MatrixUnit page says that a datum is cut to its own format on its way out of SrcA and \
                      SrcB on Wormhole, and names the arithmetic inputs and the moves MOVB2A and MOVB2D, not MOVA2D. \
                      If MOVA2D did it too, 14,329 of 524,288 values with a 5-bit format would be flushed to 0 that \
                      are not: those whose exponent has a bit set among its high three bits only.",
        decision: "Both editions: not cut, as the MOVA2D page says.",
        evidence: &[page("MatrixUnit at 1ae1f852, TruncateSrc and its comment; MOVA2D at 88d4bf9c does not call it")],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_13_cutting_first_would_flush_14329_more_values",
    },
    Erratum {
        id: "TX-14",
        kind: ErratumKind::Equal,
        page: &pages::SFPLOAD_SPEC,
        lines: "92, 100, 104",
        prints: "A word of 16 bits is shifted left by 16 without being widened first, so that in C a signed \
                 integer of 32 bits is shifted.",
        consequence: "For 32,768 of 65,536 words, those with bit 15 set, the shift leaves the range of the \
                      signed type, and the language promises nothing. Where the shift keeps the bits, 0 of \
                      the 65,536 results differ from those of an unsigned shift.",
        decision: "An unsigned shift of 32 bits, in both editions and on both chips.",
        evidence: &[
            page(
                "SFPLOAD at 545c98a3 and Blackhole's at 0f3f6b70 convert to an unsigned type before the \
                  shift for BF16, and not for HI16 and HI16_ONLY",
            ),
            simulator(
                "ttsim 1.10.0: 3,920 recorded Wormhole lanes of BF16 and 1,907 of HI16_ONLY have bit 15 \
                  set; all keep it",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_14_a_signed_shift_leaves_its_range_for_32768_of_65536_words",
    },
    Erratum {
        id: "TX-15",
        kind: ErratumKind::Editorial,
        page: &pages::SFPLOAD_SPEC,
        lines: "21-36, 40",
        prints: "The table of conversions does not list every mode: MOD0_FMT_SRCB stands below it in prose, \
                 and MOD0_FMT_ZERO nowhere but in the functional model.",
        consequence: "14 of the 16 codes are in the table. MOD0_FMT_SRCB takes one of three paths, so that \
                      with the 15 others 18 are told apart.",
        decision: "All 16 codes are modelled, by the functional model.",
        evidence: &[page(
            "lines 90 to 106 and 122 to 137 have all codes; Blackhole's page and both pages of SFPSTORE \
                  leave out the same two",
        )],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_15_the_table_has_14_of_16_modes_and_18_paths_are_told_apart",
    },
    Erratum {
        id: "TX-16",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "91-105",
        prints: "Dst is read as if every row were valid.",
        consequence: "Read literally, what a row held before it was cleared comes back. A 16-bit access \
                      consults 4 of 1,024 marks and a 32-bit one 4 of the 512 with bit 3 of the row clear; \
                      each decides about 8 lanes.",
        decision: "Undefined as soon as an enabled lane that is not blocked would read an invalid row, in \
                   both editions and on both chips. MOD0_FMT_ZERO, which takes nothing from Dst, is treated \
                   alike, with the mark of a 16-bit access: no page exempts it.",
        evidence: &[
            page(
                "ZEROACC at 39304719, line 6: what the Vector Unit does when it reads an undefined row is \
                  undefined",
            ),
            page(
                "Dst at 093af914, lines 23-30 of Wormhole's page and 23-43 of Blackhole's: which mark an access \
                  consults",
            ),
            simulator(
                "ttsim 1.10.0 reads such rows as 0, which is no promise; 496 recorded Wormhole and 453 Blackhole \
                 executions have some",
            ),
        ],
        editions: NEITHER,
        faults: &["control-load-invalid-zero"],
        verified_by: "tx_16_an_access_consults_4_of_1024_or_of_512_marks",
    },
    Erratum {
        id: "TX-17",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "80",
        prints: "A register from 8 on is not loaded, and nothing else happens.",
        consequence: "Page SFPCONFIG takes an instruction with VD of 12 to 15, 4 of 16 registers, for a \
                      write of its bits to an InstructionTemplate in each lane whose DISABLE_BACKDOOR_LOAD is \
                      clear. 255 of 256 patterns of that bit leave it clear in some lane.",
        decision: "Unspecified if it is clear in any lane, whatever the lanes that are enabled; templates \
                   are not modelled. If it is set in all, SFPLOAD loads nothing and SFPSTORE stores. The same \
                   holds for SFPSTORE, whose page leaves out such lanes.",
        evidence: &[
            page("SFPCONFIG at 376743cf, LaneConfig, bit 1"),
            page("SFPSTORE at c63d6d0b, line 85 of Wormhole's page and 100 of Blackhole's"),
            simulator(
                "ttsim 1.10.0 refuses all 54 recorded words with VD of 12 to 15, as a load of an \
                  instruction template",
            ),
        ],
        editions: NEITHER,
        faults: &["control-load-backdoor", "control-store-backdoor"],
        verified_by: "tx_17_255_of_256_patterns_leave_the_back_door_open",
    },
    Erratum {
        id: "TX-19",
        kind: ErratumKind::Witnessed,
        page: &pages::SFPLOAD_SPEC,
        lines: "27-30, 61, 74-78, 96-98",
        prints: "The modes are described for Wormhole, and Blackhole is not mentioned.",
        consequence: "On Blackhole INT8 has eight bits of magnitude, and INT8_COMP and INT32_SM convert \
                      nothing. Of the 2,048 integer \"8\" words, INT8 gives another value for 1,024 and \
                      INT8_COMP for 1,024; INT32_SM does for 2,147,483,647 of 4,294,967,296 words. INT32_ALL \
                      takes its address from a stack there, and SFPU_DEST_FMT may replace the format of SrcB.",
        decision: "Each chip follows its own page.",
        evidence: &[
            page(
                "SFPLOAD of Blackhole at 0f3f6b70, lines 8-14, 47, 73-75, 88-98 and 116-118; SFPSTORE of \
                  Blackhole at c63d6d0b, lines 8-13",
            ),
            simulator(
                "ttsim 1.10.0: of 3,027 recorded Blackhole lanes of INT32_SM the 1,454 that the readings \
                  tell apart are all unconverted; of 3,450 of Wormhole all are converted",
            ),
        ],
        editions: BOTH,
        faults: &[
            "load-int32-sm-converted",
            "load-int8-comp-converted",
            "load-int8-seven-bits",
            "store-int32-sm-converted",
            "store-int8-comp-converted",
        ],
        verified_by: "tx_19_the_chips_differ_in_1024_of_2048_words_of_int8_and_of_int8_comp",
    },
    Erratum {
        id: "TX-20",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "109-111",
        prints: "With ENABLE_DEST_INDEX and CAPTURE_DEFAULT_DEST_INDEX a load of one of the first four \
                 registers also writes the one four further.",
        consequence: "The index has 14 bits, one of 16,384 values for each datum. A later page says that \
                      while ENABLE_DEST_INDEX is set, other instructions that write LReg[4] to LReg[7] are \
                      unsupported, and an earlier revision of that one allowed nothing but SFPSWAP.",
        decision: "As printed, in both editions and on both chips: the newest text names SFPLOAD among the \
                   instructions that are allowed.",
        evidence: &[
            page(
                "SFPCONFIG at 376743cf, LaneConfig, bits 2 and 3, with TEN-2932; SFPCONFIG at 0a19075d is \
                  the one that allows only SFPSWAP",
            ),
            simulator(
                "ttsim 1.10.0 loads in 264 recorded Wormhole executions with ENABLE_DEST_INDEX set; \
                  CAPTURE_DEFAULT_DEST_INDEX never is, so there is no witness of the index",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_20_an_index_is_one_of_16384_values",
    },
    Erratum {
        id: "TX-21",
        kind: ErratumKind::Equal,
        page: &pages::SFPLOAD_SPEC,
        lines: "82, 87, 91, 109",
        prints: "The configuration of a lane is indexed in two ways: by the lane, and by the lane modulo 8.",
        consequence: "SFPCONFIG writes what it takes from lanes 0 to 7 to every row of lanes, so that there \
                      are eight configurations. Both indices name the same one in 32 of 32 lanes.",
        decision: "Eight configurations, indexed modulo 8, on both chips.",
        evidence: &[page("SFPCONFIG at 39304719: eight lanes are broadcast to 32")],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_21_both_indices_name_the_same_configuration_in_32_of_32_lanes",
    },
    Erratum {
        id: "TX-22",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "38, 82, 83",
        prints: "INT32_ALL ignores LaneEnabled; what else disables or blocks a lane is not said.",
        consequence: "LaneEnabled includes ROW_MASK, so that INT32_ALL ignores it too, but not \
                      BLOCK_SFPU_RD_FROM_DEST, which is asked first. Of the 16 settings of block, ROW_MASK, \
                      flag and use of the flag, a lane moves in 8 with INT32_ALL and in 3 otherwise; if \
                      ROW_MASK still counted it would be 4, and if the block did not, 16.",
        decision: "By the order of the model, on both chips: a blocked lane does not move, a masked one \
                   does. SFPSTORE with BLOCK_DEST_WR_FROM_SFPU alike.",
        evidence: &[
            page("VectorUnit at f7fda211: IsLaneEnabled asks ROW_MASK and the flag"),
            simulator("ttsim 1.10.0 does not implement INT32_ALL; there is no witness"),
        ],
        editions: NEITHER,
        faults: &["load-all-ignores-block", "store-all-ignores-block"],
        verified_by: "tx_22_int32_all_moves_a_lane_in_8_of_16_settings",
    },
    Erratum {
        id: "TX-23",
        kind: ErratumKind::Witnessed,
        page: &pages::SFPLOAD_SPEC,
        lines: "96, 98, 179",
        prints: "The conversion to two's complement negates the magnitude; of negative zero nothing is said.",
        consequence: "Negative zero (0x80000000) becomes 0, although SFPCAST of Blackhole makes it -2^31 \
                      (0x80000000), so that one cannot replace the other. INT8_COMP meets it in 32 of 65,536 \
                      words, INT32_SM in one of 2^32.",
        decision: "Literal in both editions, on Wormhole; Blackhole's SFPLOAD does not convert.",
        evidence: &[
            page(
                "SFPCAST of Blackhole (integer to integer) at 4042f540: the two values that the other \
                  format lacks become each other",
            ),
            simulator(
                "ttsim 1.10.0: of 3,450 recorded Wormhole lanes of INT32_SM 7 hold negative zero; all give \
                  0",
            ),
        ],
        editions: BOTH,
        faults: &["load-minus-zero-kept"],
        verified_by: "tx_23_negative_zero_becomes_0_in_32_of_65536_words",
    },
    Erratum {
        id: "TX-24",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "85, 110",
        prints: "The captured index has the row of the instruction's address; whether it is the one that the \
                 view of Dst selects is not said.",
        consequence: "Adj32 changes 1,008 of 1,024 rows, and Blackhole's remapping 768: for these the index \
                      of a 32-bit load, or of one with remap_addrs, is not where the datum lies.",
        decision: "Literal, on both chips: the row before any adjustment, which is what a later instruction \
                   has to name.",
        evidence: &[page(
            "Dst at 093af914: the adjustments belong to the views; line 110 uses the row outside of a \
                  view",
        )],
        editions: NEITHER,
        faults: &["load-capture-physical"],
        verified_by: "tx_24_adj32_changes_1008_of_1024_rows_and_remapping_768",
    },
    Erratum {
        id: "TX-25",
        kind: ErratumKind::Choice,
        page: &pages::SFPSTORE_NEWEST,
        lines: "28, 30, 99, 101, 180-185",
        prints: "INT32_SM does not expect -2^31 and INT8_COMP nothing beyond ten bits of magnitude; the \
                 model converts both nevertheless.",
        consequence: "-2^31 (0x80000000) becomes negative zero, and loading that by INT32_SM gives 0. \
                      INT8_COMP keeps the low ten bits of the magnitude: of the 65,536 values of 16 bits, \
                      2,047 come back.",
        decision: "Literal, on Wormhole: the model promises a value. Such operands are not left out.",
        evidence: &[
            page("lines 180-185: the magnitude loses its top bit, and the sign stays"),
            simulator(
                "ttsim 1.10.0: of 3,570 recorded Wormhole lanes of INT32_SM 24 hold -2^31; all become \
                  negative zero. INT8_COMP is not implemented",
            ),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_25_int8_comp_brings_2047_of_65536_values_back",
    },
    Erratum {
        id: "TX-26",
        kind: ErratumKind::Choice,
        page: &pages::SFPSTORE_NEWEST,
        lines: "29, 100, 187-195",
        prints: "INT8 is for magnitudes up to 1023, where SFPLOAD expects 127 (Wormhole) or 255 (Blackhole), \
                 and a remark speaks of those; what is beyond a range is not said.",
        consequence: "A store keeps ten bits of the magnitude: 1,024 of the 65,536 magnitudes of 16 bits are \
                      kept. Of the 2,048 words that it can make, a load by INT8 brings 256 back on Wormhole \
                      and 512 on Blackhole.",
        decision: "Literal, on both chips: what exceeds the bits that the model names is cut off. Such data \
                   are not left out.",
        evidence: &[
            page("SFPLOAD at 39304719, lines 29 and 154-159; Blackhole's at 0f3f6b70, lines 10 and 176-181"),
            simulator("ttsim 1.10.0 does not implement INT8; there is no witness"),
        ],
        editions: NEITHER,
        faults: &["load-int8-ten-bits", "store-int8-seven-bits", "store-int8-eight-bits"],
        verified_by: "tx_26_int8_keeps_1024_magnitudes_and_brings_256_or_512_of_2048_words_back",
    },
    Erratum {
        id: "TX-27",
        kind: ErratumKind::Witnessed,
        page: &pages::SFPSTORE_NEWEST,
        lines: "38, 147-155",
        prints: "The prose makes large magnitudes and NaNs infinity in FP16; the model gives the largest \
                 exponent with a mantissa of ones.",
        consequence: "112 of the 256 exponents of FP32 overflow, to the word 0x7FFF or 0xFFFF. That is \
                      infinity only to a load with ENABLE_FP16A_INF; to others it is 131,008. As infinity in the \
                      order of Dst the word would be 0x001F, which every load reads as 65,536.",
        decision: "By the model, on both chips.",
        evidence: &[
            page(
                "lines 148-150 remark that Dst has no infinities, SFPLOAD at 39304719, lines 144-145, reads \
                  this word as one",
            ),
            simulator(
                "ttsim 1.10.0: of 2,349 recorded Wormhole lanes that FP16 is stored from 478 overflow or \
                  are infinite or NaN; all become this word",
            ),
        ],
        editions: BOTH,
        faults: &["store-fp16-overflow-inf"],
        verified_by: "tx_27_112_of_256_exponents_overflow_to_the_largest_word",
    },
    Erratum {
        id: "TX-28",
        kind: ErratumKind::Witnessed,
        page: &pages::SFPSTORE_NEWEST,
        lines: "25, 96, 169-178",
        prints: "The text at 39304719 stores FP32 as it is on Wormhole; this one flushes denormals on both \
                 chips.",
        consequence: "16,777,214 of 4,294,967,296 words are denormals, which become zero. Sign-magnitude \
                      integers below 8,388,608 look like them: stored by FP32, or by MOD0_FMT_SRCB with \
                      SFPU_Fp32_enabled, 8,388,607 positive ones are lost. INT32 keeps them.",
        decision: "Flushed to zero with the sign kept, on both chips.",
        evidence: &[
            silicon(
                "a maintainer confirms it by a directed test on both chips, on silicon and on RTL \
                  (tenstorrent/tt-isa-documentation#55)",
            ),
            simulator("ttsim 1.10.0: 418 recorded Wormhole lanes store a denormal by FP32; all are flushed"),
        ],
        editions: BOTH,
        faults: &["store-fp32-denormal-kept"],
        verified_by: "tx_28_16777214_words_are_denormals_that_fp32_flushes",
    },
    Erratum {
        id: "TX-29",
        kind: ErratumKind::Choice,
        page: &pages::SFPSTORE_NEWEST,
        lines: "94-108",
        prints: "Dst is written as if every row were valid, and no row is made valid.",
        consequence: "A lane has one of two columns, so that a store reaches at most 8 of the 16 columns of \
                      a row, by each of the 512 settings of the address's bit and DEST_WR_COL_EXCHANGE. No \
                      store writes a whole row: each that meets an invalid row writes it in part.",
        decision: "Undefined as soon as a datum goes to an invalid row, on both chips; with none it is left \
                   alone. A store makes no row valid that was not.",
        evidence: &[page(
            "ZEROACC at 39304719, line 6: writing some columns of an undefined row by SFPSTORE is \
                  undefined",
        )],
        editions: NEITHER,
        faults: &["control-store-invalid-clears", "control-store-marks-valid"],
        verified_by: "tx_29_a_store_reaches_8_of_16_columns_by_each_of_512_settings",
    },
    Erratum {
        id: "TX-33",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "62-66",
        prints: "The formats that stand for BF16 are listed, and everything else takes the `else`. Codes 12 \
                 and 13, which name no format, are not excluded.",
        consequence: "8 of the 16 codes are listed and 6 named ones are not; codes 12 and 13 stand for FP16 \
                      with them. Taken for TF32, as MOVD2A takes them (TX-10), they would stand for BF16.",
        decision: "Literal: FP16, in both editions, on both chips, and in SFPSTORE.",
        evidence: &[
            page("Packers/FormatConversion at 39304719 names 14 codes"),
            simulator("ttsim 1.10.0 declines codes 12 and 13 as unimplemented; there is no witness"),
        ],
        editions: NEITHER,
        faults: &[
            "load-reserved12-included",
            "load-reserved13-included",
            "store-reserved12-included",
            "store-reserved13-included",
        ],
        verified_by: "tx_33_codes_12_and_13_stand_for_fp16",
    },
    Erratum {
        id: "TX-34",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_SPEC,
        lines: "10, 15",
        prints: "The syntax has four fields, and the encoding is a picture.",
        consequence: "Bits 10 to 13 belong to no field on Wormhole, and bits 10 to 12 on Blackhole, where AddrMod is \
                      wider: 15 of 16 words, and 7 of 8, set one of them.",
        decision: "Nothing is promised of a word with an unnamed bit set, as for MOVA2D (TX-09), in SFPSTORE too.",
        evidence: &[page("the vendor's instruction tables (tt-llk at 36b092e8) name no field there, on both chips")],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_34_four_bits_of_the_word_have_no_name_and_three_on_blackhole",
    },
];

/// The errata of pages of Blackhole, and of Wormhole's pages where they serve Blackhole, in the order of their ids.
pub(super) static BLACKHOLE: &[Erratum] = &[
    Erratum {
        id: "TX-18",
        kind: ErratumKind::Editorial,
        page: &pages::SFPLOAD_BH,
        lines: "200",
        prints: "To wait for the Matrix Unit, condition C7 of STALLWAIT is recommended, as on Wormhole.",
        consequence: "Blackhole numbers the conditions anew: there C7 waits until the Matrix Unit may use \
                      its SrcA bank, and C4 is the one for its pipeline. Software that follows the page may \
                      read Dst too early.",
        decision: "No executable reading: STALLWAIT and timing are not modelled.",
        evidence: &[page(
            "STALLWAIT of Blackhole at 0553cc73, section on the condition mask, and its remark that \
                  bits were renumbered",
        )],
        editions: NEITHER,
        faults: &[],
        verified_by: "",
    },
    Erratum {
        id: "TX-30",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_BH,
        lines: "72-80",
        prints: "MOD0_FMT_SRCB takes the configured format of SrcB, or that of SFPU_DEST_FMT; that Blackhole \
                 can imply a format from what was unpacked is not mentioned.",
        consequence: "For 128 of the 256 pairs of a configured and an implied format the two stand for \
                      different modes. Wormhole's page of the same instruction remarks that the matter is not \
                      fully known.",
        decision: "The implied format plays no part. Where it could, with DISABLE_IMPLIED_SRCB_FMT clear, \
                   the case is marked contested. SFPSTORE alike.",
        evidence: &[
            page(
                "SFPSTORE of Wormhole at c63d6d0b, line 64, and SFPLOAD at 545c98a3 have the remark; \
                  SrcASrcB at 545c98a3 has implied formats",
            ),
            simulator("ttsim 1.10.0 takes the configured format in all recorded Blackhole executions"),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_30_128_of_256_pairs_of_formats_stand_for_different_modes",
    },
    Erratum {
        id: "TX-31",
        kind: ErratumKind::Choice,
        page: &pages::SFPLOAD_BH,
        lines: "90-97",
        prints: "Sp, the counter of the SFPU's stack, is used without its width being given anywhere.",
        consequence: "Addresses have ten bits, so that a wider Sp shows in one thing alone: whether it is 0 \
                      when a load is to pop it. With ten bits and an increment of 4, 256 stores lead back to \
                      0. A load whose increment exceeds Sp goes below 0: for 522,753 of the 1,048,576 pairs \
                      of Sp and increment.",
        decision: "Ten bits, as RWC.Dst has, wrapping both ways. SFPSTORE alike.",
        evidence: &[
            page("the page adds it to DEST_SP_BASE in a sum of ten bits (SFPLOAD_BH, lines 93 and 96)"),
            simulator("ttsim 1.10.0 has no Sp and does not implement INT32_ALL; there is no witness"),
        ],
        editions: NEITHER,
        faults: &[],
        verified_by: "tx_31_522753_of_1048576_pairs_pop_below_zero",
    },
    Erratum {
        id: "TX-32",
        kind: ErratumKind::Choice,
        page: &pages::RWCS,
        lines: "24-27",
        prints: "ExtraAddrModBit, or ADDR_MOD_SET_Base, adds four to the AddrMod bits; the page is \
                 Wormhole's, and Blackhole has none of its own.",
        consequence: "Blackhole's AddrMod has three bits, which reach all 8 sections by themselves. Adding \
                      four would leave the 8 sections for 4 of the 8 values. ADDR_MOD_SET_Base does not exist \
                      there.",
        decision: "Unspecified on Blackhole while ExtraAddrModBit is set; it is advanced and cleared as the \
                   page says.",
        evidence: &[
            page("SFPLOAD of Blackhole at 0f3f6b70, line 19: three bits"),
            simulator(
                "ttsim 1.10.0 refuses the bit on Blackhole; its register table has no ADDR_MOD_SET_Base \
                  there",
            ),
        ],
        editions: NEITHER,
        faults: &["control-load-extra-adds-four", "control-store-extra-adds-four"],
        verified_by: "tx_32_adding_four_leaves_the_8_sections_for_4_of_8_values",
    },
];
