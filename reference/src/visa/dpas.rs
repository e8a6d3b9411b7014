//! `DPAS`: systolic dot products, accumulated.
//!
//! *Source*: page DPAS (commit 535d40a8); page Operands for its operands, page Execution Model for its execution size.
//!
//! First everything is looked at that could keep the pages from promising a result; [`Refusals`] picks the strongest.
//! Then all sources are read, each element is decoded once, and the loops of the page (lines 116-138) run over the
//! elements.
//!
//! *Errata*: VX-05, VX-19, VX-25, VX-35 to VX-63, VX-65, VX-66.

// Of page `DPAS`.
// Shown by `integers_are_the_matrix_product_for_every_pair`, and what names an erratum by the test of
// that, where nothing else is said.
//
// Of `isa/src/visa/operand/dpas_bytes.rs, to_bytes`, shown by `the_byte_form_is_laid_out_as_the_pages_say`:
// [11] The opcode is 0x83.
// [17-18] The opcode is followed by Exec_size, Dst, Src0, Src1, Src2, W, A, SD and RC, in this order.
//
// Of `isa/src/visa/precision.rs, Precision::of_code`, shown by `codes_names_and_widths_go_together`:
// [170-173, VX-41] The table has all precisions, their codes and names.
// [176-180] Code 0 is unused.
// [181-185, VX-40] u1 (code 1) is 0 or 1, s1 (code 2) -1 or 0.
// [202-203, VX-55] tf32 has the code 1100b.
//
// Of `isa/src/visa/inst/dpas_text.rs, print`, shown by `the_pages_own_syntax_is_read`:
// [313] The text is the mnemonic with W, A, SD and RC, the execution size in parentheses, destination and sources.
// [333, VX-62] The first example has u4 and s8, both said to be of Src1.
// [334-335] The other examples have bf and hf.
//
// [48-50] The layout of B in registers is what takes an explanation. Not modelled: it announces what follows.
// [63] The details follow. Not modelled: it announces what follows.
// [65-67] The semantics of integers, bf and hf follow, in a notation. Not modelled: it announces what follows.
// [169] No other instruction has precisions. Not modelled: it says nothing about this one.
// [225-226] A platform may restrict them further. Not modelled: no page says which does, and how.
// [228-229] The table's title. Not modelled: it announces what follows.
// [331] Examples follow. Not modelled: it announces what follows.

mod accumulate;

use tandem_isa::visa::model::{Denormals, Nan, OneBit, Sum, Tf32};
use tandem_isa::visa::operand::dpas::{A, DEPTHS, DST, M1_NM, NULL_VARIABLE, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{
    EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, REGION_CODES, RegionCode, SRC2, class, modifier,
};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DISPATCH_SIZES, DPAS, DataType, HEADER, INSTRUCTIONS, OPERANDS, Small, Visa, XEHP, cr0};
use tandem_isa::{Citation, Expectation};

use self::accumulate::Temp;
use super::convert::rounding_mode;
use super::operands::{RawOperand, VectorOperand, grf_size, index, narrow};
use super::predication::MaskControl;
use super::refusals::Refusals;
use super::softfloat::arithmetic::{decode, encode};
use super::softfloat::{BF, F, Format, HF, Rounding};

static EXEC_SIZE_CODE: &Citation = cite!(
    DPAS,
    "lines 114, 253-256 and 339",
    "VX-58: the execution size must be 8 with registers of 32 bytes, and 16 with those of 64"
);
static MASK: &Citation = cite!(
    DPAS,
    "lines 124-132 and 257-274",
    "VX-56: the operation has no channel enables, so nothing says what an execution mask, or an offset, does"
);
static PRECISIONS: &Citation =
    cite!(DPAS, "lines 214-216 and 224-244", "the table of legal combinations does not have these two precisions");
static ELEMENT_TYPE: &Citation = cite!(
    DPAS,
    "lines 169-170, 282 and 285",
    "VX-45: an operand that has a precision must be of type D or UD; DF stands in no legal combination"
);
static RAW_ALIGNMENT: &Citation =
    cite!(DPAS, "line 324", "Dst, Src0 and Src1 must be aligned to a GRF register; VX-44: those of 16 bits too");
static MODIFIER_CODE: &Citation =
    cite!(OPERANDS, "lines 285-292", "VX-05: no page gives the modifier codes 110b and 111b a meaning");

/// The most channels, depths times operations, operations, and rows.
const MAX_CHANNELS: usize = 16;
const MAX_K: usize = 64;
const MAX_OPS: usize = 8;
const MAX_ROWS: usize = 8;

/// `Src0` and the destination: a datum of 32 bits for each row and channel.
type Rows = [[u32; MAX_CHANNELS]; MAX_ROWS];

/// Executes a `DPAS`. *Source*: page DPAS, lines 25-141.
pub fn execute(code: &[u32], visa: &mut Visa<'_>) -> Expectation {
    let mut refusals = Refusals::default();
    let dpas = Dpas::of(code, visa.small, &mut refusals);
    if let Some(expectation) = refusals.expectation() {
        return expectation;
    }
    let dpas = dpas.expect("what could not be read was refused");
    // VX-60: all sources are read before anything is written; the loop of line 117 could be read otherwise, which shows
    // if the destination overlaps a source.
    // [136-138, VX-60] A row is written when its depths are done, before the next one is read.
    let mut rows = dpas.read_src0(visa);
    let src1 = dpas.read_src1(visa);
    let src2 = dpas.read_src2(visa);
    dpas.multiply_add(&mut rows, &src1, &src2);
    dpas.write_dst(&rows, visa);
    Expectation::Done
}

/// A `DPAS` that was looked through.
struct Dpas {
    exec_size: usize,
    sd: usize,
    rc: usize,
    src1_precision: Precision,
    src2_precision: Precision,
    ops_per_chan: usize,
    src1_operands_per_chan: usize,
    grf_size: usize,
    /// From one row of `Src2` to the next, in elements.
    src2_pitch: usize,
    dst: RawOperand,
    /// None for the null operand.
    src0: Option<RawOperand>,
    src1: RawOperand,
    /// Where `Src2` begins.
    src2: u32,
    models: Models,
}

/// How floats are computed, where the pages leave it open or have the control register say.
#[derive(Clone, Copy)]
struct Models {
    sum: Sum,
    /// Bits below those of an `F` that terms keep, where a sum truncates.
    guard: u32,
    tf32: Tf32,
    nan: Nan,
    flushes: Flushes,
}

impl Models {
    fn of(small: &Small) -> Self {
        // [131, 206-207, 211] The sum is of floats, of which the page says no more; tf32 and the others have widths.
        Models {
            sum: small.model_sum(),
            guard: small.model_guard(),
            tf32: small.model_tf32(),
            nan: small.model_nan(),
            flushes: Flushes::of(small),
        }
    }
}

/// The types whose denormals are zero, as operands and as results.
#[derive(Clone, Copy)]
struct Flushes {
    f: bool,
    hf: bool,
    bf: bool,
    tf32: bool,
}

impl Flushes {
    /// VX-51: page DPAS has no word of denormals, so a model says.
    fn of(small: &Small) -> Self {
        // [HEADER 431-439] [DATA_TYPES 77-81] The control register has bits for DF, F and HF; otherwise denormals are
        // as they are.
        match small.model_denormals() {
            // BF and tf32 have no bit, and no line flushes them.
            Denormals::ByCr0 => {
                let clear = |bit| small.cr0 & bit == 0;
                Flushes { f: clear(cr0::F_DENORM), hf: clear(cr0::HF_DENORM), bf: false, tf32: false }
            }
            Denormals::Keep => Flushes { f: false, hf: false, bf: false, tf32: false },
            Denormals::Flush => Flushes { f: true, hf: true, bf: true, tf32: true },
        }
    }
}

/// `bits` of a format; a denormal is the zero of its sign if they are flushed.
fn flushed(format: Format, bits: u32, is_flushed: bool) -> u32 {
    // [DATA_TYPES 77-81] A denormal that is flushed becomes a zero of its sign.
    if is_flushed { low(format.flush_denormal(bits.into())) } else { bits }
}

/// The bits of a format of at most 32.
fn low(bits: u64) -> u32 {
    u32::try_from(bits).expect("the format has at most 32 bits")
}

/// Lines 85-95, and 38-42. VX-39: widths are meant, not codes.
// [37-42, VX-40] K is the depth times OPS_PER_CHAN: 1 for tf32, 2 for 16 bits, 4 for 8, 8 for fewer (2 and 4).
// (`integers_are_the_matrix_product_for_every_pair`)
// [44] At depth 8, K is 8, 16, 32 or 64.
fn ops_per_chan(src1: Precision, src2: Precision) -> usize {
    if src1.bits() == 32 {
        // VX-38: the pseudo-code has no tf32; line 39 has.
        // [39] With tf32 there is one operation.
        1
    } else if src1.bits() == 16 {
        // [85-88, VX-38] With 16 bits in Src1, and then in Src2, there are 2 operations.
        2
    } else if src1.bits() == 8 || src2.bits() == 8 {
        // [89-91, VX-39] If either precision is 8, there are 4.
        4
    } else {
        // [92-95, VX-38] Otherwise there are 8, of integers.
        8
    }
}

/// The types that destination and accumulator may have (lines 228-244); none if the precisions do not go together.
// [218, VX-43] Dst and Src0 have 32 bits: D, UD or a float.
// [224] The table of legal combinations is complete. (`every_class_of_cells_is_listed_and_has_a_cell_and_exhaustive_cases_keep_theirs`)
// [276, VX-45] Dst is of type D, UD, F, BF, HF or DF.
// [279, VX-45] Src0 is of type D, UD, F, BF, HF or DF.
// [301, VX-45] Supported are D, F and UD.
// [329-330] Src2 is an integer if Src1 is, bf if it is, and hf if it is.
// (`what_is_not_promised_is_refused_by_strength`)
fn legal_types(src1: Precision, src2: Precision) -> &'static [DataType] {
    use Precision::{Bf, Bf8, Hf, Hf8, Tf32};
    let is_integer = |precision: Precision| precision.kind() != PrecisionKind::Float;
    match (src1, src2) {
        // [237, VX-43] F and BF go with bf.
        (Bf, Bf) => &[DataType::F, DataType::Bf],
        // [239, VX-43] F and HF go with hf.
        (Hf, Hf) => &[DataType::F, DataType::Hf],
        // VX-42: by lines 214-215 the two would have to be the same; by the table they need not.
        // [214-215, VX-42] Precisions of floats must be the same, bf or hf.
        // [241, VX-65] F goes with tf32. (`promised_cells_keep_the_rules_and_have_the_levels_that_they_say`)
        // [243, VX-42] F goes with BF8 and HF8, which may be mixed.
        (Tf32, Tf32) | (Bf8 | Hf8, Bf8 | Hf8) => &[DataType::F],
        // [214] Integer precisions of Src1 and Src2 may differ.
        // [235, VX-66] UD goes with signed precisions too. (`what_is_not_promised_is_refused_by_strength`)
        // [231-235, VX-49] UD and D, for each of Dst and Src0, go with integers.
        _ if is_integer(src1) && is_integer(src2) => &[DataType::Ud, DataType::D],
        _ => &[],
    }
}

impl Dpas {
    /// Looks through an instruction; nothing if it cannot be executed, which is then noted in `refusals`.
    fn of(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // [INSTRUCTIONS 77] XeHP and later platforms have this instruction.
        refusals.illegal_if(
            small.platform != XEHP,
            cite!(INSTRUCTIONS, "line 77", "VX-58: XeHP and later platforms have this instruction, and no others do"),
        );

        // [77, VX-58] A register has 8 double words before PVC and 16 from PVC on.
        // [77, VX-62] The size of a register is given as 8, without a unit, and as 16 double words.
        let grf_size = grf_size(small);

        // Exec_size. VX-58: the size of a register tells the platform.
        // [36] N is the execution size, which is fixed: 8 or 16.
        // [114, VX-58] Exec_size is 8 before PVC and 16 otherwise.
        // [251-256, VX-57] Exec_size is one byte; its bits 0 to 2 are 3 for 8 elements and 4 for 16.
        // [339, VX-58] Exec_size is 16 on PVC and 8 otherwise.
        refusals.unspecified_if(
            EXEC_SIZE_BIT3.get(code) != 0,
            cite!(DPAS, "lines 251-257", "VX-57: nothing gives bit 3 of the execution size's byte a meaning"),
        );
        let exec_size = EXEC_SIZES[index(EXEC_SIZE.get(code))].filter(|&size| size == grf_size / 4);
        refusals.illegal_if(exec_size.is_none(), EXEC_SIZE_CODE);
        let exec_size = exec_size?;
        let dispatch_size = index(DISPATCH_SIZES[index(small.dispatch_size)]);
        MaskControl::of(code).check(index(exec_size), dispatch_size, refusals);
        refusals.unspecified_if(EXEC_MASK.get(code) != M1_NM, MASK);

        // W, A.
        // [159-161] Src1 are the weights, of precision W; Src2 the activations, of precision A.
        // [288] W is one byte, a precision of the table. (`codes_names_and_widths_go_together`)
        // [291] A is one byte, a precision of the table. (`codes_names_and_widths_go_together`)
        let precisions = Precision::of_code(W.get(code)).zip(Precision::of_code(A.get(code)));
        refusals.illegal_if(precisions.is_none(), PRECISIONS);
        let (src1_precision, src2_precision) = precisions?;
        let types = legal_types(src1_precision, src2_precision);
        refusals.illegal_if(types.is_empty(), PRECISIONS);
        // [41, VX-41] Floats of 8 bits have 4 operations too.
        // [163-164, VX-41] They are hf or bf.
        let is_8_bit_float = matches!(src1_precision, Precision::Bf8 | Precision::Hf8);
        refusals.unspecified_if(
            is_8_bit_float,
            cite!(
                DPAS,
                "lines 176-203 and 243",
                "VX-41: bf8 and hf8 are legal, but nothing says what their bits mean or how they are summed"
            ),
        );
        // [181-185] Codes 1 and 2 have elements of one bit.
        let is_one_bit = src1_precision.bits() == 1 || src2_precision.bits() == 1;
        refusals.unspecified_if(
            is_one_bit && small.model_one_bit() == OneBit::Table,
            cite!(
                DPAS,
                "lines 82-83, 107-111 and 181-185",
                "VX-40: precisions of one bit stand in the table, but in none of the rules for the others"
            ),
        );
        // [HEADER 422-430] The control register's rounding mode holds for all floating-point computation that follows.
        let is_float = src1_precision.kind() == PrecisionKind::Float;
        refusals.unspecified_if(
            is_float && rounding_mode(small.cr0) != Rounding::NearestEven,
            cite!(
                HEADER,
                "lines 422-430, and page DPAS, line 131",
                "VX-50: the control register's rounding mode holds for the floating-point computation of all later \
                 instructions; which sums of a row it rounds, nothing says"
            ),
        );
        // [85-95] Widths say how many operations a channel has.
        let ops_per_chan = ops_per_chan(src1_precision, src2_precision);

        // SD, RC.
        // [294] SD is one byte, the depth. (`what_is_not_promised_is_refused_by_strength`)
        let (sd, rc) = (SD.get(code), RC.get(code));
        // [247] SD is 1, 2, 4 or 8.
        refusals.illegal_if(
            !DEPTHS.contains(&sd),
            cite!(DPAS, "line 247", "a systolic depth can be 1, 2, 4 or 8 and nothing else"),
        );
        // [247, VX-58] From XeHP on it is 8.
        refusals.illegal_if(
            sd != 8,
            cite!(
                DPAS,
                "line 247, and page Instruction Set, line 77",
                "VX-58: XeHP and later platforms have a systolic depth of 8 only, and no others have this instruction"
            ),
        );
        // [117-118, VX-59] The loop over the rows ends at the repeat count.
        // [297, VX-59] RC is one byte, the repeat count.
        refusals.unspecified_if(
            rc == 0 || index(rc) > MAX_ROWS,
            cite!(
                DPAS,
                "lines 35, 117 and 297",
                "VX-59: nothing says which repeat counts there are; 1 to 8 are taken to be meant"
            ),
        );

        // Dst, Src0, Src1.
        // [324, VX-44] Dst, Src0 and Src1 are aligned to a register.
        // [276] The destination is a raw operand.
        let dst = RawOperand::of(&DST, code, small, refusals);
        // [279] So is Src0, which may be null.
        let is_null = SRC0.id.get(code) == NULL_VARIABLE;
        let src0 = if is_null { None } else { RawOperand::of(&SRC0, code, small, refusals) };
        // VX-63: a null operand has no variable that the offset could be counted in; it is zero all the same.
        refusals.illegal_if(
            is_null && !SRC0.offset.get(code).is_multiple_of(grf_size),
            cite!(
                OPERANDS,
                "lines 487-488",
                "VX-63: all raw operands must be aligned to a register, so a null one too"
            ),
        );
        // [282] So is Src1.
        let src1 = RawOperand::of(&SRC1, code, small, refusals);
        // [324] They are aligned to a register.
        let row_bytes = |operand: &RawOperand| exec_size * narrow(operand.data_type.bytes());
        for operand in dst.iter().chain(&src0) {
            refusals.illegal_if(
                !types.contains(&operand.data_type),
                cite!(
                    DPAS,
                    "lines 224-244",
                    "the table of legal combinations does not have this type of Dst or Src0 with these precisions"
                ),
            );
            refusals.illegal_if(!operand.start.is_multiple_of(grf_size), RAW_ALIGNMENT);
        }
        // [169-170, VX-45] An operand with a precision is of type D or UD.
        // [215-216, VX-45] Of DF all operands must have that precision.
        // [215, VX-62] One of them is called srcs.
        // [221, VX-45] A stage may hand on a DF.
        // [282, VX-45] Src1 is of type D, UD or DF.
        // [285, VX-45] Src2 is of type D, UD or DF.
        let is_element_type = |data_type| matches!(data_type, DataType::D | DataType::Ud);
        if let Some(src1) = &src1 {
            refusals.illegal_if(!is_element_type(src1.data_type), ELEMENT_TYPE);
            refusals.illegal_if(!src1.start.is_multiple_of(grf_size), RAW_ALIGNMENT);
        }

        // Src2.
        // [285] Src2 is a vector operand.
        let src2 = src2_operand(code, small, refusals);
        // [324-327] It is aligned to what a row of it takes.
        let row_bits = sd * narrow(ops_per_chan) * src2_precision.bits();
        let src2_start = src2.as_ref().map(|src2| {
            refusals.illegal_if(!is_element_type(src2.data_type), ELEMENT_TYPE);
            let start = src2.start(small, refusals);
            // VX-46: the formula would give less than a double word for some depths below 8.
            // [324-325, VX-46] Src2 is aligned to SD / (32 / (bits * OPS_PER_CHAN)) double words.
            // [325-327, VX-46] That is 8, 4 or 2 at depth 8 with 4 operations.
            let unit = row_bits / 8;
            refusals.illegal_if(
                !start.is_multiple_of(unit),
                cite!(DPAS, "lines 324-327", "Src2 must be aligned to what one row of it takes"),
            );
            start
        });

        // Nothing more can be illegal; what follows needs an instruction that could be read.
        if matches!(refusals.expectation(), Some(Expectation::Illegal(_))) {
            return None;
        }
        // [104-107, VX-38] SRC1_OPERANDS_PER_CHAN is how many operands of one dot product a double word of Src1 has; 1
        // for floats.
        // [107-111, VX-40] For integers it is 1, 2 or 4 with 8, 4 or 2 bits and 4 operations; 1 or 2 with 4 or 2 bits
        // and 8.
        // [112] It is 32 / (OPS_PER_CHAN * bits of Src1).
        let src1_operands_per_chan = 32 / (narrow(ops_per_chan) * src1_precision.bits());
        // [140-141, VX-37] Src2 goes on by 8 * OPS_PER_CHAN.
        // VX-37: at a depth of 8 that is what lines 116-117 and 133 have: k goes on from row to row.
        let src2_pitch = sd * narrow(ops_per_chan);
        for operand in dst.iter().chain(&src0) {
            operand.check(rc * row_bytes(operand), refusals);
        }
        if let Some(src1) = &src1 {
            src1.check(sd.div_ceil(src1_operands_per_chan) * grf_size, refusals);
        }
        if let (Some(src2), Some(start)) = (&src2, src2_start) {
            src2.check_contiguous(start, 4 * (rc * row_bits).div_ceil(32), refusals);
        }
        Some(Dpas {
            exec_size: index(exec_size),
            sd: index(sd),
            rc: index(rc),
            src1_precision,
            src2_precision,
            ops_per_chan,
            src1_operands_per_chan: index(src1_operands_per_chan),
            grf_size: index(grf_size),
            src2_pitch: index(src2_pitch),
            dst: dst?,
            src0,
            src1: src1?,
            src2: src2_start?,
            models: Models::of(small),
        })
    }

    /// `Src0`: rows of a GRF each, or packed rows of 16 bits (VX-43: line 81 has no such; lines 237 and 239 have), widened
    /// exactly. The null operand is zero (line 279).
    // [81, VX-43] Elements of Src0 and Dst have 4 bytes, integers or F.
    // [119, VX-43] A row begins with a register of Src0.
    // [222] The first stage has Src0.
    // [279, VX-63] Src0 is a raw operand; the null operand is zero. (`every_instruction_agrees_in_every_mode`)
    fn read_src0(&self, visa: &mut Visa<'_>) -> Rows {
        let mut rows = [[0; MAX_CHANNELS]; MAX_ROWS];
        // [279] Null is zero.
        let Some(src0) = &self.src0 else { return rows };
        // [119, 140] Each row begins with the next register.
        let row_bytes = self.exec_size * src0.data_type.bytes();
        let bytes = visa.read_bytes(index(src0.start), self.rc * row_bytes);
        for r in 0..self.rc {
            let bytes = &bytes[r * row_bytes..][..row_bytes];
            match src0.data_type {
                // [237] BF goes with bf.
                DataType::Bf => {
                    read_words(bytes, &mut rows[r]);
                    widen(Precision::Bf, &self.models, &mut rows[r]);
                }
                // [239] HF goes with hf.
                DataType::Hf => {
                    read_words(bytes, &mut rows[r]);
                    widen(Precision::Hf, &self.models, &mut rows[r]);
                }
                // [81] Otherwise an element has four bytes, an integer or an F.
                DataType::F => {
                    read_dwords(bytes, &mut rows[r]);
                    for datum in &mut rows[r] {
                        *datum = flushed(F, *datum, self.models.flushes.f);
                    }
                }
                _ => read_dwords(bytes, &mut rows[r]),
            }
        }
        rows
    }

    /// `Src1.R[m].DW[i].n`, as `[m * elements of a double word + n][i]`; VX-61: element 0 is in the lowest bits.
    // [53-56, VX-61] Src1 is seen in two dimensions, with a register of 16 double words (or 8) for a row, so that N is
    // 16 (or 8). (`integers_are_the_matrix_product_for_every_pair`)
    // [57-59] Column i of B is packed into column i of double words.
    // [59-61] With 8 bits, the 32 elements of a column take 8 double words, and the matrix 8 registers.
    // [74-76] DW[j] and R[j] are the double word and the register number j; all numbers begin at 0.
    // [82-83, VX-40] Elements of Src1 and Src2 have 2, 4, 8 or 16 bits, by their precisions.
    // [161, VX-61] Src1 is divided into elements in each channel of 32 bits.
    // [163-164, VX-38] Floats always have 16 bits, two in a channel.
    // [282] Src1 is a raw operand, its elements are of precision W.
    fn read_src1(&self, visa: &mut Visa<'_>) -> [[u32; MAX_CHANNELS]; MAX_K] {
        let mut src1 = [[0; MAX_CHANNELS]; MAX_K];
        // [82-83, 161, 282] The width of elements of Src1 is that of precision W.
        let bits = self.src1_precision.bits();
        let elements_per_dw = self.src1_elements_per_dw();
        // [120-122] A row of the matrix in registers serves some depths.
        let num_registers = self.sd.div_ceil(self.src1_operands_per_chan);
        // [53-56] Each such row is a register.
        let bytes = visa.read_bytes(index(self.src1.start), num_registers * self.grf_size);
        for m in 0..num_registers {
            let mut dw = [0; MAX_CHANNELS];
            read_dwords(&bytes[m * self.grf_size..][..self.grf_size], &mut dw);
            // [57-61, 161] The elements of a column are packed in a double word, one after the other.
            for n in 0..elements_per_dw {
                let element = &mut src1[m * elements_per_dw + n];
                for i in 0..MAX_CHANNELS {
                    let place = reads!(narrow(n), "dpas-weights-high-first", high_first(narrow(n), bits));
                    element[i] = dw[i] >> (place * bits) & (u32::MAX >> (32 - bits));
                }
                widen(self.src1_precision, &self.models, element);
            }
        }
        src1
    }

    fn src1_elements_per_dw(&self) -> usize {
        // [104-112] A double word has so many operands of so many elements.
        self.src1_operands_per_chan * self.ops_per_chan
    }

    /// `Src2`, as `[row][k]`, with `k` from the beginning of the row on.
    // [52-53, VX-61] Dst, Src0 and Src2 are row-major in the registers as one sequence.
    // [72-74] The elements of the two may have different sizes, for example 4 and 8 bits.
    // [285] The elements of Src2 are of precision A.
    fn read_src2(&self, visa: &mut Visa<'_>) -> [[u32; MAX_K]; MAX_ROWS] {
        let mut src2 = [[0; MAX_K]; MAX_ROWS];
        // [82-83, 285] The width of elements of Src2 is that of precision A.
        let bits = index(self.src2_precision.bits());
        // [120, 133] A row of it has the elements of all depths.
        let num_elements = self.sd * self.ops_per_chan;
        // [117] There is one for each row of the result.
        for r in 0..self.rc {
            // Rows of a few bits may begin within a double word.
            // [133, 140-141] The next row goes on where this one ends, and at depth 8 that is 8 * OPS_PER_CHAN further.
            let first_bit = r * self.src2_pitch * bits;
            let (first, last) = (first_bit / 32, (first_bit + num_elements * bits - 1) / 32);
            let mut dw = [0; 8];
            read_dwords(visa.read_bytes(index(self.src2) + 4 * first, 4 * (last + 1 - first)), &mut dw);
            // [52-53] The elements are one sequence.
            for k in 0..num_elements {
                let place = reads!(k, "dpas-activations-high-first", index(high_first(narrow(k), narrow(bits))));
                let bit = first_bit % 32 + place * bits;
                src2[r][k] = dw[bit / 32] >> (bit % 32) & (u32::MAX >> (32 - bits));
            }
            widen(self.src2_precision, &self.models, &mut src2[r][..num_elements]);
        }
        src2
    }

    /// Lines 116-138.
    // [25-27] The result is C + A x B, of matrices.
    // [29-33] D is Dst and C Src0, both MxN; A is Src2, MxK; B is Src1, KxN.
    // [46] Src2 is A and Src1 is B.
    // [141] Src1 is the same for each row.
    // [158-159] Integers have at most 8 bits and are multiplied and added in a systolic pipeline.
    // [337, VX-47] All of Src2 is used by every channel.
    fn multiply_add(&self, rows: &mut Rows, src1: &[[u32; MAX_CHANNELS]; MAX_K], src2: &[[u32; MAX_K]; MAX_ROWS]) {
        let ops = self.ops_per_chan;
        // VX-35: line 117 tests i where r is meant.
        // [35, VX-59] M is the repeat count. (`integers_are_the_matrix_product_for_every_pair`)
        // [117-118, VX-35] A loop goes over the rows; it looks at i.
        for r in 0..self.rc {
            // VX-36: k begins anew in each row, because the rows of Src2 lie apart here.
            // [116, VX-36] The place in Src2 begins at 0.
            let mut k = 0;
            // [219-220, VX-50] Src0 is added to, over a sequence of SD operations.
            // (`the_models_of_a_sum_differ_as_they_are_defined`)
            let src0 = rows[r];
            let mut temp = src0.map(|src0| self.accumulator(src0));
            // [120-121] Within it a loop goes over the depths.
            for d in 0..self.sd {
                // [97-99] A double word of Src1 may serve several depths: 4 with 2 bits and 4 operations.
                // [100-101] At depth 8, the first 4 of these use the first register of Src1 and the other 4 the second.
                // [101-103] With 8 bits each depth has a double word, and the next depth the next register.
                // [122-123] The register of Src1 is d / SRC1_OPERANDS_PER_CHAN; the element is the rest, times
                // OPS_PER_CHAN.
                let m = d / self.src1_operands_per_chan;
                // [123] The element in Src1 is the rest of that division, times OPS_PER_CHAN.
                let n = (d % self.src1_operands_per_chan) * ops;
                // [124-125, VX-56] A loop goes over all channels.
                for i in 0..self.exec_size {
                    let mut pairs = [[0; 2]; MAX_OPS];
                    for j in 0..ops {
                        // [126-131] The dot product goes over so many elements of each, from the first one on.
                        let b = reads!(j, "dpas-weights-dot-reversed", ops - 1 - j);
                        let a = reads!(j, "dpas-activations-dot-reversed", ops - 1 - j);
                        pairs[j] = [src1[m * self.src1_elements_per_dw() + n + b][i], src2[r][k + a]];
                    }
                    temp[i].add_dot(&pairs[..ops]);
                }
                // [133-134, VX-37] The place in Src2 goes on by OPS_PER_CHAN after each depth.
                k += ops;
            }
            // The destination's row.
            for i in 0..self.exec_size {
                // [137] The row of the destination is what was summed.
                rows[r][i] = temp[i].result();
                if self.src1_precision.kind() == PrecisionKind::Float {
                    // [131, 137] A sum of floats may be no number.
                    let operands = (0..self.sd * ops).flat_map(|k| [src1[k][i], src2[r][k]]);
                    rows[r][i] = self.models.result(rows[r][i], std::iter::once(src0[i]).chain(operands));
                }
            }
        }
    }

    /// The branches of lines 126-131.
    // [106, VX-62] dot2 is of bf and, by the text, bf.
    // [126-127, VX-41] Whatever has 4 operations is an integer.
    // [130-131, VX-50] Otherwise one of 2 floats is added to an F. (`the_models_of_a_sum_differ_as_they_are_defined`)
    fn accumulator(&self, src0: u32) -> Temp {
        // [126-131] Integers are summed as double words, floats as F.
        match self.ops_per_chan {
            4 | 8 => Temp::Integer(src0),
            _ => Temp::of(self.models.sum, self.models.guard, src0),
        }
    }

    /// Writes the destination: rows of a GRF each, or packed rows of 16 bits (VX-43), which are rounded once (VX-53).
    // [131-132, VX-53] Of destinations of 16 bits nothing is said.
    // [136-138, VX-43] A row is a register of Dst.
    // [140, VX-43] Dst and Src0 go on by a register with each row.
    // [220-222, VX-53] Each stage hands a double word to the next, the last one to Dst.
    fn write_dst(&self, rows: &Rows, visa: &mut Visa<'_>) {
        let mut bytes = [0; MAX_ROWS * MAX_CHANNELS * 4];
        // [218] An element of the destination has 32 bits.
        let size = self.dst.data_type.bytes();
        // [137, 140] Each row is written to the next register.
        for r in 0..self.rc {
            for i in 0..self.exec_size {
                let datum = rows[r][i];
                let place = (r * self.exec_size + i) * size;
                match self.dst.data_type {
                    // [239] HF goes with hf.
                    DataType::Hf => bytes[place..place + 2].copy_from_slice(&round(HF, datum, self.models.flushes.hf)),
                    // [237] BF goes with bf.
                    DataType::Bf => bytes[place..place + 2].copy_from_slice(&round(BF, datum, self.models.flushes.bf)),
                    // [218] Otherwise it has 32 bits.
                    _ => bytes[place..place + 4].copy_from_slice(&datum.to_le_bytes()),
                }
            }
        }
        visa.write_bytes(index(self.dst.start), &bytes[..self.rc * self.exec_size * size]);
    }
}

/// `Src2` is a general operand without modifier and region. *Source*: page DPAS, lines 285, 302 and 323.
fn src2_operand(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<VectorOperand> {
    // [302, VX-48] The sources have no modifiers.
    let modifiers = SRC2.modifiers.get(code);
    refusals.illegal_if(
        (modifier::ABS..=modifier::NOT).contains(&modifiers),
        cite!(DPAS, "line 302", "VX-48: the sources have no modifiers"),
    );
    refusals.unspecified_if(modifiers > modifier::NOT, MODIFIER_CODE);
    // [323, VX-47] There is no region.
    for field in [SRC2.vert_stride, SRC2.width, SRC2.horz_stride] {
        // VX-47: what a listed code says does not matter.
        refusals.unspecified_if(
            REGION_CODES[index(field.get(code))] == RegionCode::Unlisted,
            cite!(
                OPERANDS,
                "lines 325-336, and page DPAS, line 323",
                "VX-47: Src2 has no region, and nothing gives these codes of one a meaning"
            ),
        );
    }
    // [285, VX-47] Src2 is a vector operand, a general one.
    let is_general = SRC2.class.get(code) == class::GENERAL;
    refusals.illegal_if(!is_general, cite!(DPAS, "line 285", "Src2 is a general operand"));
    if is_general { VectorOperand::of(&SRC2, code, small, refusals) } else { None }
}

/// The double words in `bytes`, as many as there are.
fn read_dwords(bytes: &[u8], dwords: &mut [u32]) {
    // [74-75] Double words are numbered from 0.
    for (dword, bytes) in dwords.iter_mut().zip(bytes.chunks_exact(4)) {
        *dword = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

/// The words of 16 bits in `bytes`, as many as there are, in the low halves of double words.
fn read_words(bytes: &[u8], dwords: &mut [u32]) {
    // [237, 239] BF and HF have 16 bits.
    for (dword, bytes) in dwords.iter_mut().zip(bytes.chunks_exact(2)) {
        *dword = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    }
}

/// Elements of a precision, in their lowest bits, as 32 bits: integers in two's complement, floats as an `F`.
/// VX-51: a model tells which denormals are flushed, each in its own type. *Source*: page DPAS, lines 176-211.
// [167-168, VX-38] A precision is the type of an operand's elements: integers of at most 8 bits, bf and hf of 16.
fn widen(precision: Precision, models: &Models, elements: &mut [u32]) {
    let flushes = models.flushes;
    match precision {
        // [186-189] u2 (3) is 0 to 3, s2 (4) -2 to 1.
        // [190-193] u4 (5) is 0 to 15, s4 (6) -8 to 7.
        // [194-197] u8 (7) is 0 to 255, s8 (8) -128 to 127.
        Precision::U1 | Precision::U2 | Precision::U4 | Precision::U8 => {}
        Precision::S1 | Precision::S2 | Precision::S4 | Precision::S8 => {
            // [184, 188, 192, 196] Of signed precisions the top bit is the sign.
            let bits = precision.bits();
            let room = reads!(32 - bits, "dpas-s1-unsigned", if bits == 1 { 0 } else { 32 - bits });
            for element in elements {
                *element = ((*element << room).cast_signed() >> room).cast_unsigned();
            }
        }
        // [80] bf and hf have 16 bits, in both sources. (`every_instruction_agrees_in_every_mode`)
        // [131, VX-51] Of denormals nothing is said.
        // [198-201] bf (9) is bfloat16, hf (10) fp16. (`every_instruction_agrees_in_every_mode`)
        // [206-207, VX-51] bfloat16 has 8 bits of exponent and 7 of mantissa, as the high half of an F.
        Precision::Bf => {
            // [206-207] A bfloat16 is the high half of an F.
            for element in elements {
                *element = flushed(BF, *element, flushes.bf) << 16;
            }
        }
        // [207, VX-52] fp16 is that of IEEE 754.
        Precision::Hf => {
            // [207] An fp16 is widened to an F.
            for element in elements {
                *element = encode(HF.decode(flushed(HF, *element, flushes.hf).into()));
            }
        }
        // VX-54: line 211 gives 19 bits, but no line says where in 32 they lie, or what the others do.
        // [211, VX-54] tf32 has 19 bits: sign, 8 of exponent, 10 of mantissa.
        Precision::Tf32 | Precision::Bf8 | Precision::Hf8 => {
            // [211] Of tf32 19 bits count.
            for element in elements {
                let used = if models.tf32 == Tf32::Truncated { *element & !0x1fff } else { *element };
                // Its exponent is that of an F (line 211), and so are its denormals.
                *element = flushed(F, used, flushes.tf32);
            }
        }
    }
}

impl Models {
    /// The row's `F` result, of a sum and of all its operands, which are in the order in which a NaN is looked for.
    fn result(&self, sum: u32, operands: impl Iterator<Item = u32>) -> u32 {
        let is_nan = |datum: &u32| *datum & 0x7fff_ffff > 0x7f80_0000;
        if !is_nan(&sum) {
            // VX-51.
            // [DATA_TYPES 77-81] A denormal result goes by the mode too.
            return flushed(F, sum, self.flushes.f);
        }
        // VX-52: no line tells which NaN it is.
        // [131] The result of floats is an F, of which NaN is not spoken.
        let canonical = reads!(0x7fc0_0000, "dpas-nan-negative", 0xffc0_0000, "dpas-nan-ones", 0x7fff_ffff);
        match self.nan {
            Nan::Canonical => canonical,
            Nan::First => operands.filter(is_nan).map(|nan| nan | 0x0040_0000).next().unwrap_or(canonical),
        }
    }
}

/// The place of an element if those within a byte began at its high end, which another reading has (VX-61).
fn high_first(place: u32, bits: u32) -> u32 {
    place ^ (8 / bits).saturating_sub(1)
}

/// An `F`, rounded to 16 bits; a denormal is zero if they are flushed (VX-51).
fn round(format: Format, datum: u32, is_flushed: bool) -> [u8; 2] {
    // [237, 239] A destination of BF or HF is rounded to 16 bits.
    let rounding = reads!(Rounding::NearestEven, "dpas-halves-truncated", Rounding::TowardZero);
    let rounded = low(format.encode(decode(datum), rounding));
    u16::try_from(flushed(format, rounded, is_flushed)).expect("the format has 16 bits").to_le_bytes()
}

#[cfg(test)]
mod tests;
