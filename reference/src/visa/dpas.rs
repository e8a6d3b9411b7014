//! `DPAS`: systolic dot products, accumulated.
//!
//! *Source*: page DPAS (commit 535d40a8); page Operands for its operands, page Execution Model for its execution size.
//!
//! First everything is looked at that could keep the pages from promising a result; [`Refusals`] picks the strongest.
//! Then all sources are read, each element is decoded once, and the loops of the page (lines 116-138) run over the
//! elements.
//!
//! *Errata*: VX-05, VX-19, VX-25, VX-35 to VX-62.

mod accumulate;

use tandem_isa::visa::model::{OneBit, Src2Pitch, Sum, Tf32};
use tandem_isa::visa::operand::dpas::{A, DEPTHS, DST, M1_NM, NULL_VARIABLE, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{
    EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, REGION_CODES, RegionCode, SRC2, class, modifier,
};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DISPATCH_SIZES, DPAS, DataType, OPERANDS, Small, Visa, XEHP};
use tandem_isa::{Citation, Expectation};

use self::accumulate::{Accumulator, Fused, Integer, Pairwise, Sequential, SingleRounding};
use super::operands::{RawOperand, VectorOperand, grf_size, index, narrow};
use super::predication::MaskControl;
use super::refusals::Refusals;
use super::softfloat::arithmetic::decode;
use super::softfloat::{BF, Format, HF, Rounding};

static EXEC_SIZE_BIT: Citation = Citation {
    page: &DPAS,
    place: "lines 251-257",
    reason: "VX-57: nothing gives bit 3 of the execution size's byte a meaning",
};
static EXEC_SIZE_CODE: Citation = Citation {
    page: &DPAS,
    place: "lines 114, 253-256 and 339",
    reason: "VX-58: the execution size must be 8 with registers of 32 bytes, and 16 with those of 64",
};
static MASK: Citation = Citation {
    page: &DPAS,
    place: "lines 124-132 and 257-274",
    reason: "VX-56: the operation has no channel enables, so nothing says what an execution mask, or an offset, does",
};
static PRECISIONS: Citation = Citation {
    page: &DPAS,
    place: "lines 214-216 and 224-244",
    reason: "the table of legal combinations does not have these two precisions",
};
static TYPES: Citation = Citation {
    page: &DPAS,
    place: "lines 224-244",
    reason: "the table of legal combinations does not have this type of Dst or Src0 with these precisions",
};
static ELEMENT_TYPE: Citation = Citation {
    page: &DPAS,
    place: "lines 169-170, 282 and 285",
    reason: "VX-45: an operand that has a precision must be of type D or UD; DF stands in no legal combination",
};
static FLOATS_OF_8_BITS: Citation = Citation {
    page: &DPAS,
    place: "lines 176-203 and 243",
    reason: "VX-41: bf8 and hf8 are legal, but nothing says what their bits mean or how they are summed",
};
static ONE_BIT: Citation = Citation {
    page: &DPAS,
    place: "lines 82-83, 107-111 and 181-185",
    reason: "VX-40: precisions of one bit stand in the table, but in none of the rules for the others",
};
static DEPTH: Citation =
    Citation { page: &DPAS, place: "line 247", reason: "a systolic depth can be 1, 2, 4 or 8 and nothing else" };
static DEPTH_OF_PLATFORM: Citation =
    Citation { page: &DPAS, place: "line 247", reason: "XeHP and later platforms have a systolic depth of 8 only" };
static REPEAT_COUNT: Citation = Citation {
    page: &DPAS,
    place: "lines 35, 117 and 297",
    reason: "VX-59: nothing says which repeat counts there are; 1 to 8 are taken to be meant",
};
static RAW_ALIGNMENT: Citation = Citation {
    page: &DPAS,
    place: "line 324",
    reason: "Dst, Src0 and Src1 must be aligned to a GRF register; VX-44: those of 16 bits too",
};
static SRC2_ALIGNMENT: Citation = Citation {
    page: &DPAS,
    place: "lines 324-327",
    reason: "Src2 must be aligned to what one row of it takes; VX-46: and to a double word",
};
static SRC2_CLASS: Citation = Citation { page: &DPAS, place: "line 285", reason: "Src2 is a general operand" };
static SRC2_MODIFIER: Citation =
    Citation { page: &DPAS, place: "line 302", reason: "VX-48: the sources have no modifiers" };
static MODIFIER_CODE: Citation = Citation {
    page: &OPERANDS,
    place: "lines 285-292",
    reason: "VX-05: no page gives the modifier codes 110b and 111b a meaning",
};
static REGION_CODE: Citation = Citation {
    page: &OPERANDS,
    place: "lines 325-336, and page DPAS, line 323",
    reason: "VX-47: Src2 has no region, and nothing gives these codes of one a meaning",
};

/// The most channels, depths times operations, and rows.
const MAX_CHANNELS: usize = 16;
const MAX_K: usize = 64;
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
    sum: Sum,
    tf32: Tf32,
}

/// Lines 85-95, and 38-42. VX-39: widths are meant, not codes.
fn ops_per_chan(src1: Precision, src2: Precision) -> usize {
    match (src1.bits(), src2.bits()) {
        // VX-38: the pseudo-code has no tf32; line 39 has.
        (32, _) => 1,
        (16, _) => 2,
        (8, _) | (_, 8) => 4,
        _ => 8,
    }
}

/// The types that destination and accumulator may have (lines 228-244); none if the precisions do not go together.
fn legal_types(src1: Precision, src2: Precision) -> &'static [DataType] {
    use Precision::{Bf, Bf8, Hf, Hf8, Tf32};
    let is_integer = |precision: Precision| precision.kind() != PrecisionKind::Float;
    match (src1, src2) {
        (Bf, Bf) => &[DataType::F, DataType::Bf],
        (Hf, Hf) => &[DataType::F, DataType::Hf],
        // VX-42: by lines 214-215 the two would have to be the same; by the table they need not.
        (Tf32, Tf32) | (Bf8 | Hf8, Bf8 | Hf8) => &[DataType::F],
        _ if is_integer(src1) && is_integer(src2) => &[DataType::Ud, DataType::D],
        _ => &[],
    }
}

impl Dpas {
    /// Looks through an instruction; nothing if it cannot be executed, which is then noted in `refusals`.
    fn of(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        let grf_size = grf_size(small);

        // Exec_size (lines 114, 251-274 and 339). VX-58: the size of a register tells the platform.
        refusals.unspecified_if(EXEC_SIZE_BIT3.get(code) != 0, &EXEC_SIZE_BIT);
        let exec_size = EXEC_SIZES[index(EXEC_SIZE.get(code))].filter(|&size| size == grf_size / 4);
        refusals.illegal_if(exec_size.is_none(), &EXEC_SIZE_CODE);
        let exec_size = exec_size?;
        let dispatch_size = index(DISPATCH_SIZES[index(small.dispatch_size)]);
        MaskControl::of(code).check(index(exec_size), dispatch_size, refusals);
        refusals.unspecified_if(EXEC_MASK.get(code) != M1_NM, &MASK);

        // W, A (lines 176-203 and 228-244).
        let precisions = Precision::of_code(W.get(code)).zip(Precision::of_code(A.get(code)));
        refusals.illegal_if(precisions.is_none(), &PRECISIONS);
        let (src1_precision, src2_precision) = precisions?;
        let types = legal_types(src1_precision, src2_precision);
        refusals.illegal_if(types.is_empty(), &PRECISIONS);
        let is_8_bit_float = matches!(src1_precision, Precision::Bf8 | Precision::Hf8);
        refusals.unspecified_if(is_8_bit_float, &FLOATS_OF_8_BITS);
        let is_one_bit = src1_precision.bits() == 1 || src2_precision.bits() == 1;
        refusals.unspecified_if(is_one_bit && small.model_one_bit() == OneBit::Table, &ONE_BIT);
        let ops_per_chan = ops_per_chan(src1_precision, src2_precision);

        // SD, RC (lines 247, 294 and 297).
        let (sd, rc) = (SD.get(code), RC.get(code));
        refusals.illegal_if(!DEPTHS.contains(&sd), &DEPTH);
        refusals.illegal_if(small.platform == XEHP && sd != 8, &DEPTH_OF_PLATFORM);
        refusals.unspecified_if(rc == 0 || index(rc) > MAX_ROWS, &REPEAT_COUNT);

        // Dst, Src0, Src1 (lines 276-282 and 324).
        let dst = RawOperand::of(&DST, code, small, refusals);
        let is_null = SRC0.id.get(code) == NULL_VARIABLE;
        let src0 = if is_null { None } else { RawOperand::of(&SRC0, code, small, refusals) };
        let src1 = RawOperand::of(&SRC1, code, small, refusals);
        let row_bytes = |operand: &RawOperand| exec_size * narrow(operand.data_type.bytes());
        for operand in dst.iter().chain(&src0) {
            refusals.illegal_if(!types.contains(&operand.data_type), &TYPES);
            refusals.illegal_if(!operand.start.is_multiple_of(grf_size), &RAW_ALIGNMENT);
        }
        let is_element_type = |data_type| matches!(data_type, DataType::D | DataType::Ud);
        if let Some(src1) = &src1 {
            refusals.illegal_if(!is_element_type(src1.data_type), &ELEMENT_TYPE);
            refusals.illegal_if(!src1.start.is_multiple_of(grf_size), &RAW_ALIGNMENT);
        }

        // Src2 (lines 285 and 323-327).
        let src2 = src2_operand(code, small, refusals);
        let row_bits = sd * narrow(ops_per_chan) * src2_precision.bits();
        let src2_start = src2.as_ref().map(|src2| {
            refusals.illegal_if(!is_element_type(src2.data_type), &ELEMENT_TYPE);
            let start = src2.start(small, refusals);
            // VX-46: the formula gives less than a double word for some depths below 8.
            let unit = 4 * (row_bits / 32).max(1);
            refusals.illegal_if(!start.is_multiple_of(unit), &SRC2_ALIGNMENT);
            start
        });

        // Nothing more can be illegal; what follows needs an instruction that could be read.
        if matches!(refusals.expectation(), Some(Expectation::Illegal(_))) {
            return None;
        }
        // Line 112.
        let src1_operands_per_chan = 32 / (narrow(ops_per_chan) * src1_precision.bits());
        let depth_of_pitch = match small.model_src2_pitch() {
            // Lines 116-117 and 133: k goes on from row to row.
            Src2Pitch::Code => sd,
            // VX-37: lines 140-141 have eight depths in a row, whatever the depth.
            Src2Pitch::Prose => 8,
        };
        let src2_pitch = depth_of_pitch * narrow(ops_per_chan);
        for operand in dst.iter().chain(&src0) {
            operand.check(rc * row_bytes(operand), refusals);
        }
        if let Some(src1) = &src1 {
            src1.check(sd.div_ceil(src1_operands_per_chan) * grf_size, refusals);
        }
        if let (Some(src2), Some(start)) = (&src2, src2_start) {
            let bits = rc.saturating_sub(1) * src2_pitch * src2_precision.bits() + row_bits;
            src2.check_contiguous(start, 4 * bits.div_ceil(32), refusals);
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
            sum: small.model_sum(),
            tf32: small.model_tf32(),
        })
    }

    /// `Src0`: rows of a GRF each, or packed rows of 16 bits (VX-43: line 81 has no such; lines 237 and 239 have), widened
    /// exactly. The null operand is zero (line 279).
    fn read_src0(&self, visa: &mut Visa<'_>) -> Rows {
        let mut rows = [[0; MAX_CHANNELS]; MAX_ROWS];
        let Some(src0) = &self.src0 else { return rows };
        let row_bytes = self.exec_size * src0.data_type.bytes();
        let bytes = visa.read_bytes(index(src0.start), self.rc * row_bytes);
        for (row, bytes) in rows.iter_mut().zip(bytes.chunks_exact(row_bytes)) {
            if src0.data_type.bits() == 32 {
                read_dwords(bytes, row);
            } else {
                for (datum, bytes) in row.iter_mut().zip(bytes.chunks_exact(2)) {
                    *datum = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
                }
                widen(if src0.data_type == DataType::Bf { Precision::Bf } else { Precision::Hf }, self.tf32, row);
            }
        }
        rows
    }

    /// `Src1.R[m].DW[i].n`, as `[m * elements of a double word + n][i]`; VX-61: element 0 is in the lowest bits.
    fn read_src1(&self, visa: &mut Visa<'_>) -> [[u32; MAX_CHANNELS]; MAX_K] {
        let mut src1 = [[0; MAX_CHANNELS]; MAX_K];
        let bits = self.src1_precision.bits();
        let num_registers = self.sd.div_ceil(self.src1_operands_per_chan);
        let bytes = visa.read_bytes(index(self.src1.start), num_registers * self.grf_size);
        let elements = src1.chunks_exact_mut(self.src1_elements_per_dw());
        for (elements, register) in elements.zip(bytes.chunks_exact(self.grf_size)) {
            let mut dw = [0; MAX_CHANNELS];
            read_dwords(register, &mut dw);
            for (n, element) in (0..).zip(elements) {
                *element = dw.map(|dw| dw >> (n * bits) & (u32::MAX >> (32 - bits)));
                widen(self.src1_precision, self.tf32, element);
            }
        }
        src1
    }

    fn src1_elements_per_dw(&self) -> usize {
        self.src1_operands_per_chan * self.ops_per_chan
    }

    /// `Src2`, as `[row][k]`, with `k` from the beginning of the row on.
    fn read_src2(&self, visa: &mut Visa<'_>) -> [[u32; MAX_K]; MAX_ROWS] {
        let mut src2 = [[0; MAX_K]; MAX_ROWS];
        let bits = index(self.src2_precision.bits());
        let num_elements = self.sd * self.ops_per_chan;
        for (r, row) in src2.iter_mut().enumerate().take(self.rc) {
            // Rows of a few bits may begin within a double word.
            let first_bit = r * self.src2_pitch * bits;
            let (first, last) = (first_bit / 32, (first_bit + num_elements * bits - 1) / 32);
            let mut dw = [0; 8];
            read_dwords(visa.read_bytes(index(self.src2) + 4 * first, 4 * (last + 1 - first)), &mut dw);
            let row = &mut row[..num_elements];
            for (k, element) in row.iter_mut().enumerate() {
                let bit = first_bit % 32 + k * bits;
                *element = dw[bit / 32] >> (bit % 32) & (u32::MAX >> (32 - bits));
            }
            widen(self.src2_precision, self.tf32, row);
        }
        src2
    }

    /// The branches of lines 126-131, taken once.
    fn multiply_add(&self, rows: &mut Rows, src1: &[[u32; MAX_CHANNELS]; MAX_K], src2: &[[u32; MAX_K]; MAX_ROWS]) {
        match (self.ops_per_chan, self.sum) {
            (4, _) => self.loops::<Integer, 4>(rows, src1, src2),
            (8, _) => self.loops::<Integer, 8>(rows, src1, src2),
            (2, Sum::Sequential) => self.loops::<Sequential, 2>(rows, src1, src2),
            (2, Sum::Fused) => self.loops::<Fused, 2>(rows, src1, src2),
            (2, Sum::Pairwise) => self.loops::<Pairwise, 2>(rows, src1, src2),
            (2, Sum::SingleRounding) => self.loops::<SingleRounding, 2>(rows, src1, src2),
            (_, Sum::Sequential) => self.loops::<Sequential, 1>(rows, src1, src2),
            (_, Sum::Fused) => self.loops::<Fused, 1>(rows, src1, src2),
            (_, Sum::Pairwise) => self.loops::<Pairwise, 1>(rows, src1, src2),
            (_, Sum::SingleRounding) => self.loops::<SingleRounding, 1>(rows, src1, src2),
        }
    }

    /// Lines 116-138.
    fn loops<T: Accumulator, const OPS: usize>(
        &self,
        rows: &mut Rows,
        src1: &[[u32; MAX_CHANNELS]; MAX_K],
        src2: &[[u32; MAX_K]; MAX_ROWS],
    ) {
        // VX-35: line 117 tests i where r is meant.
        for r in 0..self.rc {
            // VX-36: k begins anew in each row, because the rows of Src2 lie apart here.
            let mut k = 0;
            let mut temp = rows[r].map(T::of);
            for d in 0..self.sd {
                // To select the GRF, and in unit of elements.
                let m = d / self.src1_operands_per_chan;
                let n = (d % self.src1_operands_per_chan) * OPS;
                let first = m * self.src1_elements_per_dw() + n;
                let b: &[[u32; MAX_CHANNELS]; OPS] = src1[first..].first_chunk().expect("as many as a depth has");
                let a: [u32; OPS] = *src2[r][k..].first_chunk().expect("as many as a depth has");
                for (i, temp) in temp.iter_mut().enumerate().take(self.exec_size) {
                    temp.add_dot(std::array::from_fn(|j| b[j][i]), a);
                }
                k += OPS;
            }
            // The destination's row.
            for (datum, temp) in rows[r].iter_mut().zip(temp).take(self.exec_size) {
                *datum = temp.result();
            }
        }
    }

    /// Writes the destination: rows of a GRF each, or packed rows of 16 bits (VX-43), which are rounded once (VX-53).
    fn write_dst(&self, rows: &Rows, visa: &mut Visa<'_>) {
        let mut bytes = [0; MAX_ROWS * MAX_CHANNELS * 4];
        let size = self.dst.data_type.bytes();
        let row_bytes = self.exec_size * size;
        for (bytes, row) in bytes.chunks_exact_mut(row_bytes).zip(rows).take(self.rc) {
            for (bytes, &datum) in bytes.chunks_exact_mut(size).zip(row) {
                match self.dst.data_type {
                    DataType::Hf => bytes.copy_from_slice(&round(HF, datum)),
                    DataType::Bf => bytes.copy_from_slice(&round(BF, datum)),
                    _ => bytes.copy_from_slice(&datum.to_le_bytes()),
                }
            }
        }
        visa.write_bytes(index(self.dst.start), &bytes[..self.rc * row_bytes]);
    }
}

/// `Src2` is a general operand without modifier and region. *Source*: page DPAS, lines 285, 302 and 323.
fn src2_operand(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<VectorOperand> {
    let modifiers = SRC2.modifiers.get(code);
    refusals.illegal_if((modifier::ABS..=modifier::NOT).contains(&modifiers), &SRC2_MODIFIER);
    refusals.unspecified_if(modifiers > modifier::NOT, &MODIFIER_CODE);
    for field in [SRC2.vert_stride, SRC2.width, SRC2.horz_stride] {
        // VX-47: what a listed code says does not matter.
        refusals.unspecified_if(REGION_CODES[index(field.get(code))] == RegionCode::Unlisted, &REGION_CODE);
    }
    let is_general = SRC2.class.get(code) == class::GENERAL;
    refusals.illegal_if(!is_general, &SRC2_CLASS);
    if is_general { VectorOperand::of(&SRC2, code, small, refusals) } else { None }
}

/// The double words in `bytes`, as many as there are.
fn read_dwords(bytes: &[u8], dwords: &mut [u32]) {
    for (dword, bytes) in dwords.iter_mut().zip(bytes.chunks_exact(4)) {
        *dword = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

/// Elements of a precision, in their lowest bits, as 32 bits: integers in two's complement, floats as an `F`.
/// VX-51: denormals are kept. *Source*: page DPAS, lines 176-211.
fn widen(precision: Precision, tf32: Tf32, elements: &mut [u32]) {
    match precision.kind() {
        PrecisionKind::Unsigned => {}
        PrecisionKind::Signed => {
            let room = 32 - precision.bits();
            elements
                .iter_mut()
                .for_each(|element| *element = ((*element << room).cast_signed() >> room).cast_unsigned());
        }
        PrecisionKind::Float => match precision {
            Precision::Bf => elements.iter_mut().for_each(|element| *element <<= 16),
            Precision::Hf => elements.iter_mut().for_each(|element| *element = widen_hf(*element)),
            // VX-54: line 211 gives 19 bits, but no line says where in 32 they lie, or what the others do.
            _ if tf32 == Tf32::Truncated => elements.iter_mut().for_each(|element| *element &= !0x1fff),
            _ => {}
        },
    }
}

fn widen_hf(element: u32) -> u32 {
    super::softfloat::F.encode(HF.decode(element), Rounding::NearestEven)
}

/// An `F`, rounded to 16 bits.
fn round(format: Format, datum: u32) -> [u8; 2] {
    let rounded = format.encode(decode(datum), Rounding::NearestEven);
    u16::try_from(rounded).expect("the format has 16 bits").to_le_bytes()
}

#[cfg(test)]
mod tests;
