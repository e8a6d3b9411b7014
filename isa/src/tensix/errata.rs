//! Errata of the pages of Tensix: TX-01 to TX-12, all of page MOVA2D.
//!
//! Lines are those of the page at commit 22812eeb unless another commit is named. Every figure is evaluated by the test
//! that the erratum names, in the root package's `tests/errata.rs`; figures of recorded executions stand in the
//! evidence, with their source.

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

/// The errata, in the order of their ids.
pub(super) static ERRATA: &[Erratum] = &[
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
];
