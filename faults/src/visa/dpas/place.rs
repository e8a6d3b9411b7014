//! Where the operands and their elements lie, and reading and writing them.
//!
//! *Source*: page DPAS (layouts, lines 39-58; pseudo-code, lines 86-141), page Operands.

use tandem_isa::visa::model::Src2Pitch;
use tandem_isa::visa::operand::dpas::{DST, NULL_VARIABLE, RawFields, SRC0, SRC1};
use tandem_isa::visa::operand::{SRC2, class};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable};

use super::float::Half;
use super::{Flaw, Run, Shape};

/// Where the operands begin, in bytes, and the types that matter.
pub(super) struct Places {
    dst: i64,
    pub(super) dst_type: DataType,
    /// None for the null operand.
    src0: Option<(i64, DataType)>,
    src1: i64,
    /// Only flaws ask for it.
    src1_type: DataType,
    src2: i64,
    /// Only flaws ask for it.
    src2_type: DataType,
}

impl Run<'_> {
    /// The operands; nothing if one names no declared variable, or has a type that there is no arithmetic for.
    pub(super) fn places(&self, shape: &Shape) -> Option<Places> {
        let (dst, dst_type) = self.raw(shape, &DST, Flaw::DpasDstOffsetIgnored)?;
        let mut src0 = None;
        if SRC0.id.get(self.code) != NULL_VARIABLE {
            let (start, mut data_type) = self.raw(shape, &SRC0, Flaw::DpasSrc0OffsetIgnored)?;
            if self.has(Flaw::DpasSrc0TypeOfDst) {
                data_type = dst_type;
            } else if self.has(Flaw::DpasSrc0AlwaysF) && shape.is_float() {
                data_type = DataType::F;
            }
            src0 = Some((start, data_type));
        } else if self.has(Flaw::DpasNullKept) {
            src0 = Some((dst, dst_type));
        }
        if self.has(Flaw::DpasAccumulatorOfDst) && src0.is_some() {
            src0 = Some((dst, dst_type));
        }
        let is_usable = |data_type| Self::is_usable(shape, data_type);
        if !is_usable(dst_type) || src0.is_some_and(|(_, data_type)| !is_usable(data_type)) {
            return None;
        }
        let (mut src1, src1_type) = self.raw(shape, &SRC1, Flaw::DpasSrc1OffsetIgnored)?;
        let (mut src2, src2_type) = self.third_source(shape)?;
        if self.has(Flaw::DpasSourcesSwapped) {
            std::mem::swap(&mut src1, &mut src2);
        }
        Some(Places { dst, dst_type, src0, src1, src1_type, src2, src2_type })
    }

    fn variable(&self, id: u32) -> Option<GeneralVariable> {
        self.visa.small.variables.get(id.checked_sub(FIRST_GENERAL)? as usize).copied()
    }

    /// The first byte of a raw operand, and its variable's type.
    fn raw(&self, shape: &Shape, fields: &RawFields, offset_ignored: Flaw) -> Option<(i64, DataType)> {
        let variable = self.variable(fields.id.get(self.code))?;
        let offset = i64::from(fields.offset.get(self.code));
        let offset = if self.has(offset_ignored) {
            0
        } else if self.has(Flaw::DpasOffsetsInDwords) {
            4 * offset
        } else {
            offset
        };
        let mut start = i64::from(variable.offset) + offset;
        if self.has(Flaw::DpasControlAligned) {
            start -= start % shape.register as i64;
        }
        Some((start, DataType::of_code(u32::from(variable.data_type))))
    }

    /// The first byte of `Src2`, which has no region, and its variable's type.
    fn third_source(&self, shape: &Shape) -> Option<(i64, DataType)> {
        if SRC2.class.get(self.code) != class::GENERAL {
            return None;
        }
        let variable = self.variable(SRC2.id.get(self.code))?;
        let data_type = DataType::of_code(u32::from(variable.data_type));
        let size = data_type.bytes() as i64;
        let (row, column) = (i64::from(SRC2.row_offset.get(self.code)), i64::from(SRC2.col_offset.get(self.code)));
        let rows = if self.has(Flaw::DpasRowOffsetIgnored) {
            0
        } else if self.has(Flaw::DpasRowOffset32) {
            row * 32
        } else {
            row * shape.register as i64
        };
        let columns = if self.has(Flaw::DpasColumnIgnored) {
            0
        } else if self.has(Flaw::DpasColumnInBytes) {
            column
        } else if self.has(Flaw::DpasColumnInElements) {
            column * i64::from(shape.a.bits()) / 8
        } else {
            column * size
        };
        Some((i64::from(variable.offset) + rows + columns, data_type))
    }

    // ---------------------------------------------------------------------------------------- the weights

    /// B: for each channel its column, as numbers.
    pub(super) fn weights(&mut self, shape: &Shape, places: &Places, repeat: usize) -> Vec<Vec<u32>> {
        let registers = shape.depth.div_ceil(shape.depths_per_dword());
        let mut start = places.src1;
        if self.has(Flaw::DpasWeightsAdvance) {
            start += (repeat * registers * shape.register) as i64;
        }
        let precision = if self.has(Flaw::DpasSignsOfActivations) {
            signed_if(shape.w, shape.a.kind() == PrecisionKind::Signed)
        } else if self.has(Flaw::DpasSignsByTypes) {
            signed_if(shape.w, places.src1_type == DataType::D)
        } else {
            shape.w
        };
        let mut columns = Vec::with_capacity(shape.channels);
        for channel in 0..shape.channels {
            let mut column = Vec::with_capacity(shape.terms());
            for k in 0..shape.terms() {
                let mut bit = self.weight_bit(shape, registers, channel, k);
                if self.has(Flaw::DpasWeightsHighFirst) {
                    bit = high_first(bit, shape.w);
                }
                let bits = self.read_bits(start, bit, shape.w);
                column.push(self.number(bits, precision));
            }
            columns.push(column);
        }
        columns
    }

    /// Where element `k` of a column of `Src1` begins, in bits.
    fn weight_bit(&self, shape: &Shape, registers: usize, channel: usize, k: usize) -> usize {
        let width = shape.w.bits() as usize;
        if self.has(Flaw::DpasWeightsRowMajor) {
            return (k * shape.channels + channel) * width;
        }
        if self.has(Flaw::DpasWeightsColumnMajor) {
            return (channel * shape.terms() + k) * width;
        }
        let channel = if self.has(Flaw::DpasChannelsReversed) {
            shape.channels - 1 - channel
        } else if self.has(Flaw::DpasHighChannelsRepeat) {
            channel % 8
        } else {
            channel
        };
        let per_dword = shape.depths_per_dword();
        let (depth, in_dot) = (k / shape.ops, k % shape.ops);
        // The page's m, which selects a register, and n, which selects an element of a double word.
        let (m, n) = if self.has(Flaw::DpasRegisterEachDepth) {
            (depth, 0)
        } else if self.has(Flaw::DpasRegistersInterleaved) {
            (depth % registers, depth / registers * shape.ops)
        } else if self.has(Flaw::DpasFirstElementsAgain) {
            (depth / per_dword, 0)
        } else if self.has(Flaw::DpasElementOffsetInDepths) {
            (depth / per_dword, depth % per_dword)
        } else {
            (depth / per_dword, (depth % per_dword) * shape.ops)
        };
        let in_dot = if self.has(Flaw::DpasWeightsDotReversed) { shape.ops - 1 - in_dot } else { in_dot };
        let pitch = if self.has(Flaw::DpasWeightsPitchEight) { 32 } else { shape.register };
        (m * pitch + channel * 4) * 8 + (n + in_dot) * width
    }

    // ---------------------------------------------------------------------------------------- the activations

    /// A row of A, as numbers.
    pub(super) fn activations(&mut self, shape: &Shape, places: &Places, repeat: usize) -> Vec<u32> {
        let width = shape.a.bits() as usize;
        let consumed = shape.terms();
        let pitch = match self.visa.small.model_src2_pitch() {
            _ if self.has(Flaw::DpasActivationsStay) => 0,
            _ if self.has(Flaw::DpasActivationsPitchOps) => shape.ops,
            _ if self.has(Flaw::DpasActivationsPitchRegister) => {
                (consumed * width).next_multiple_of(shape.register * 8) / width
            }
            Src2Pitch::Code if self.has(Flaw::DpasActivationsPitchOther) => 8 * shape.ops,
            Src2Pitch::Prose if self.has(Flaw::DpasActivationsPitchOther) => consumed,
            Src2Pitch::Code => consumed,
            Src2Pitch::Prose => 8 * shape.ops,
        };
        let precision = if self.has(Flaw::DpasSignsOfWeights) {
            signed_if(shape.a, shape.w.kind() == PrecisionKind::Signed)
        } else if self.has(Flaw::DpasSignsByTypes) {
            signed_if(shape.a, places.src2_type == DataType::D)
        } else {
            shape.a
        };
        let mut row = Vec::with_capacity(consumed);
        for k in 0..consumed {
            let in_dot = k % shape.ops;
            let k = if self.has(Flaw::DpasActivationsDotReversed) { k - in_dot + (shape.ops - 1 - in_dot) } else { k };
            let mut bit = (repeat * pitch + k) * width;
            if self.has(Flaw::DpasActivationsHighFirst) {
                bit = high_first(bit, shape.a);
            }
            let bits = self.read_bits(places.src2, bit, shape.a);
            row.push(self.number(bits, precision));
        }
        if let Some(last) = row.last_mut().filter(|_| self.has(Flaw::DpasNeedleSeventhRow) && repeat == 6) {
            *last = 0;
        }
        row
    }

    // ---------------------------------------------------------------------------------------- the accumulators

    /// A row of C: integers, or floats in `F`.
    pub(super) fn accumulators(&mut self, shape: &Shape, places: &Places, repeat: usize) -> Vec<u32> {
        let zero = if self.has(Flaw::DpasNullMinusZero) && shape.is_float() { 1 << 31 } else { 0 };
        let Some((start, data_type)) = places.src0 else { return vec![zero; shape.channels] };
        let repeat = if self.has(Flaw::DpasAccumulatorStays) { 0 } else { repeat };
        let size = data_type.bytes();
        let mut row = Vec::with_capacity(shape.channels);
        for channel in 0..shape.channels {
            let place = if size == 4 && self.has(Flaw::DpasSrc0Pitch32) {
                repeat * 32 + channel * 4
            } else if size == 2 && self.has(Flaw::DpasSrc0HalvesSpread) {
                repeat * shape.register + channel * 4
            } else if size == 2 && self.has(Flaw::DpasSrc0HalvesPitchRegister) {
                repeat * shape.register + channel * 2
            } else {
                (repeat * shape.channels + channel) * size
            };
            let bits = self.read(start + place as i64, size);
            row.push(match data_type {
                DataType::Hf => self.half(bits, false).to_bits(),
                DataType::Bf => bits << 16,
                _ => bits,
            });
        }
        row
    }

    // ---------------------------------------------------------------------------------------- the destination

    /// Writes an element of the result, which is an integer or an `F`.
    pub(super) fn write_result(&mut self, shape: &Shape, places: &Places, place: (usize, usize), bits: u32) {
        let (repeat, channel) = place;
        let repeat = if self.has(Flaw::DpasDstStays) {
            0
        } else if self.has(Flaw::DpasDstRowsReversed) {
            shape.repeat - 1 - repeat
        } else {
            repeat
        };
        let half = match places.dst_type {
            DataType::Hf if self.has(Flaw::DpasHfDstAsBf) => Some(Half::BF),
            DataType::Bf if self.has(Flaw::DpasBfDstAsHf) => Some(Half::HF),
            DataType::Hf => Some(Half::HF),
            DataType::Bf => Some(Half::BF),
            _ => None,
        };
        let Some(half) = half else {
            let pitch = if self.has(Flaw::DpasDstPitch32) { 32 } else { shape.channels * 4 };
            let address = places.dst + (repeat * pitch + channel * 4) as i64;
            return self.write(address, 4, bits);
        };
        let bits = self.narrow(f32::from_bits(bits), half);
        let (offset, size) = if self.has(Flaw::DpasHalvesSpread) {
            (repeat * shape.register + channel * 4, 4)
        } else if self.has(Flaw::DpasHalvesPitchRegister) {
            (repeat * shape.register + channel * 2, 2)
        } else {
            ((repeat * shape.channels + channel) * 2, 2)
        };
        self.write(places.dst + offset as i64, size, bits);
    }

    // ---------------------------------------------------------------------------------------- bits and bytes

    /// What an element means: the bits of an integer of 32 bits, or of an `F`.
    fn number(&self, bits: u32, precision: Precision) -> u32 {
        if precision.kind() == PrecisionKind::Float {
            self.float(bits, precision).to_bits()
        } else {
            self.integer(bits, precision).cast_unsigned()
        }
    }

    /// The element that begins so many bits after a byte.
    fn read_bits(&mut self, start: i64, bit: usize, precision: Precision) -> u32 {
        let width = precision.bits();
        let byte = start + (bit / 8) as i64;
        if width >= 8 {
            self.read(byte, width as usize / 8)
        } else {
            self.read(byte, 1) >> (bit % 8) & ((1 << width) - 1)
        }
    }

    /// Some bytes, the lowest first; zero if they are not in the file.
    fn read(&mut self, address: i64, size: usize) -> u32 {
        let Some(address) = in_file(address, size) else { return 0 };
        let bytes = self.visa.read_bytes(address, size);
        bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte))
    }

    /// Writes the low bytes; nothing if they are not in the file.
    fn write(&mut self, address: i64, size: usize, bits: u32) {
        let Some(address) = in_file(address, size) else { return };
        self.visa.write_bytes(address, &bits.to_le_bytes()[..size]);
    }
}

fn in_file(address: i64, size: usize) -> Option<usize> {
    usize::try_from(address).ok().filter(|address| address + size <= GRF_BYTES)
}

/// The place of an element if those of a byte begin at its high end.
fn high_first(bit: usize, precision: Precision) -> usize {
    let width = precision.bits() as usize;
    if width < 8 { bit / 8 * 8 + (8 - width - bit % 8) } else { bit }
}

/// The integer precision of the same width that has a sign, or has none.
fn signed_if(precision: Precision, is_signed: bool) -> Precision {
    if precision.kind() == PrecisionKind::Float {
        return precision;
    }
    match (precision.bits(), is_signed) {
        (1, false) => Precision::U1,
        (1, true) => Precision::S1,
        (2, false) => Precision::U2,
        (2, true) => Precision::S2,
        (4, false) => Precision::U4,
        (4, true) => Precision::S4,
        (_, false) => Precision::U8,
        (_, true) => Precision::S8,
    }
}
