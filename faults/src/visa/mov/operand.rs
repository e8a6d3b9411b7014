//! Where the elements of general and indirect operands lie.
//!
//! *Source*: page Operands (regions, general and indirect operands).

use tandem_isa::visa::operand::{INDIRECT_OFFSETS, OperandFields, REGION_CODES, RegionCode, class, indirect_offset};
use tandem_isa::visa::{DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES};

use super::convert::Conversion;
use super::{Flaw, Run};

/// A general or indirect operand.
pub(super) struct Vector {
    /// The type of its elements.
    pub(super) data_type: DataType,
    origin: Origin,
    /// In elements; none for several addresses.
    vert_stride: Option<i64>,
    width: u32,
    horz_stride: i64,
}

/// Where an operand begins.
enum Origin {
    /// In a variable, by offsets in registers and elements.
    Variable { start: i64, row: i64, column: i64 },
    /// At the addresses in an address variable, from an element on, moved by some bytes.
    Addresses { variable: usize, element: usize, offset: i64 },
}

impl Run<'_> {
    /// The operand with these fields; nothing if it is of another class, or names no declared variable.
    pub(super) fn vector(&self, fields: &OperandFields) -> Option<Vector> {
        let code = self.code;
        let (data_type, origin) = match fields.class.get(code) {
            class::GENERAL => {
                let index = fields.id.get(code).checked_sub(FIRST_GENERAL)?;
                let variable = self.visa.small.variables.get(index as usize)?;
                let origin = Origin::Variable {
                    start: i64::from(variable.offset),
                    row: i64::from(fields.row_offset.get(code)),
                    column: i64::from(fields.col_offset.get(code)),
                };
                (DataType::of_code(u32::from(variable.data_type)), origin)
            }
            class::INDIRECT => {
                let origin = Origin::Addresses {
                    variable: fields.id.get(code) as usize,
                    element: fields.addr_offset.get(code) as usize,
                    offset: i64::from(indirect_offset(fields, code)),
                };
                (DataType::of_code(fields.data_type.get(code)), origin)
            }
            _ => return None,
        };
        let elements = |region_code: u32| match REGION_CODES[region_code as usize] {
            RegionCode::Elements(count) => Some(count),
            RegionCode::Null | RegionCode::Unlisted => None,
        };
        Some(Vector {
            data_type,
            origin,
            vert_stride: elements(fields.vert_stride.get(code)).map(i64::from),
            width: elements(fields.width.get(code)).unwrap_or(1).max(1),
            horz_stride: i64::from(elements(fields.horz_stride.get(code)).unwrap_or(0)),
        })
    }

    /// Size of a register, in bytes.
    fn grf_size(&self) -> i64 {
        if self.visa.small.grf_size == 0 { GRF_SIZES[0] as i64 } else { GRF_SIZES[1] as i64 }
    }

    /// Bytes that a row offset of one stands for.
    fn row_bytes(&self) -> i64 {
        if self.has(Flaw::GrfSizeAlways32) {
            32
        } else if self.has(Flaw::GrfSizeAlways64) {
            64
        } else {
            self.grf_size()
        }
    }

    /// The byte that a lane's source element begins at.
    pub(super) fn source_address(&self, vector: &Vector, conversion: &Conversion, exec_size: u32, lane: u32) -> i64 {
        let address = self.source_address_of(vector, conversion, exec_size, lane);
        if self.has(Flaw::CrossingWraps) {
            return self.wrapped(self.source_address_of(vector, conversion, exec_size, 0), address);
        }
        let is_last_byte = address.rem_euclid(self.grf_size()) == self.grf_size() - 1;
        if self.has(Flaw::NeedleLastByte) && vector.data_type == DataType::B && is_last_byte {
            return address - 1;
        }
        address
    }

    fn source_address_of(&self, vector: &Vector, conversion: &Conversion, exec_size: u32, lane: u32) -> i64 {
        let width = if self.has(Flaw::WidthIgnored) {
            exec_size
        } else if self.has(Flaw::WidthHalved) {
            (vector.width / 2).max(1)
        } else {
            vector.width
        };
        let (row, column) = (lane / width, i64::from(lane % width));

        let mut horz_stride = if self.has(Flaw::HorzStrideIgnored) && vector.horz_stride != 0 {
            1
        } else if self.has(Flaw::HorzStrideFourAsTwo) && vector.horz_stride == 4 {
            2
        } else if self.has(Flaw::ZeroStrideAdvances) && vector.horz_stride == 0 {
            1
        } else {
            vector.horz_stride
        };
        let mut vert_stride = vector.vert_stride.map(|stride| {
            if self.has(Flaw::VertStrideIgnored) {
                i64::from(vector.width) * vector.horz_stride
            } else if self.has(Flaw::VertStrideOne) {
                1
            } else if self.has(Flaw::VertStrideHalved) && stride == 32 {
                16
            } else {
                stride
            }
        });
        if self.has(Flaw::StridesSwapped)
            && let Some(stride) = &mut vert_stride
        {
            std::mem::swap(stride, &mut horz_stride);
        }

        let unit = if self.has(Flaw::StridesInBytes) {
            1
        } else if self.has(Flaw::SizeOfDestination) {
            conversion.to.bytes() as i64
        } else {
            vector.data_type.bytes() as i64
        };
        let first_row = match vert_stride {
            None if !self.has(Flaw::MultiAddressFirstOnly) => {
                if self.has(Flaw::MultiAddressPerLane) {
                    lane
                } else {
                    row
                }
            }
            _ => 0,
        };
        let origin = self.source_origin(vector, first_row);
        origin + (i64::from(row) * vert_stride.unwrap_or(0) + column * horz_stride) * unit
    }

    /// Where a source begins, or a row of it that has an address of its own.
    fn source_origin(&self, vector: &Vector, row_number: u32) -> i64 {
        match vector.origin {
            Origin::Variable { start, row, column } => {
                let size = vector.data_type.bytes() as i64;
                let start = if self.has(Flaw::VariablePlaceIgnored) { start - start % self.grf_size() } else { start };
                let rows = if self.has(Flaw::RowOffsetIgnored) {
                    0
                } else if self.has(Flaw::RowOffsetInElements) {
                    row * size
                } else {
                    row * self.row_bytes()
                };
                let columns = if self.has(Flaw::ColumnIgnored) {
                    0
                } else if self.has(Flaw::ColumnInBytes) {
                    column
                } else {
                    column * size
                };
                start + rows + columns
            }
            Origin::Addresses { variable, element, offset } => {
                let offset = if self.has(Flaw::MultiAddressOffsetOnce) && row_number > 0 { 0 } else { offset };
                self.address((variable, element + row_number as usize), offset, vector.data_type)
            }
        }
    }

    /// The byte that a lane's destination element begins at. Vertical stride and width are ignored.
    pub(super) fn destination_address(&self, vector: &Vector, lane: u32) -> i64 {
        let address = self.destination_address_of(vector, lane);
        if self.has(Flaw::DstCrossingWraps) {
            return self.wrapped(self.destination_address_of(vector, 0), address);
        }
        address
    }

    fn destination_address_of(&self, vector: &Vector, lane: u32) -> i64 {
        let size = vector.data_type.bytes() as i64;
        let origin = match vector.origin {
            Origin::Variable { start, row, column } => {
                let rows = if self.has(Flaw::DstRowOffsetIgnored) { 0 } else { row * self.row_bytes() };
                let columns = if self.has(Flaw::DstColumnIgnored) {
                    0
                } else if self.has(Flaw::DstColumnInBytes) {
                    column
                } else if self.has(Flaw::DstColumnBySource) {
                    column * self.source().map_or(size, |(_, data_type)| data_type.bytes() as i64)
                } else {
                    column * size
                };
                start + rows + columns
            }
            Origin::Addresses { variable, element, offset } => {
                self.address((variable, element), offset, vector.data_type)
            }
        };
        let stride = if self.has(Flaw::DstStrideIgnored) {
            1
        } else if self.has(Flaw::DstStrideDoubled) && vector.horz_stride == 4 {
            8
        } else {
            vector.horz_stride
        };
        let index = if self.has(Flaw::DstWidthUsed) {
            let (row, column) = (lane / vector.width, lane % vector.width);
            i64::from(row) * vector.vert_stride.unwrap_or(0) + i64::from(column) * stride
        } else {
            i64::from(lane) * stride
        };
        origin + index * size
    }

    /// An address out of an address variable, moved by some bytes. Elements that there are not hold zero.
    fn address(&self, (variable, element): (usize, usize), offset: i64, data_type: DataType) -> i64 {
        let variable = if self.has(Flaw::AddressVariableZero) { 0 } else { variable };
        let element = if self.has(Flaw::AddressElementIgnored) { 0 } else { element };
        let elements = self.visa.small.addresses.get(variable);
        let mut address = elements.and_then(|elements| elements.get(element)).copied().unwrap_or(0);
        if self.has(Flaw::AddressTruncated) {
            address &= 0xfff;
        } else if self.has(Flaw::AddressAligned) {
            address &= !31;
        }
        let offset = if self.has(Flaw::IndirectOffsetIgnored) {
            0
        } else if self.has(Flaw::IndirectOffsetNegated) {
            -offset
        } else if self.has(Flaw::IndirectOffsetUnsigned) {
            offset & i64::from(*INDIRECT_OFFSETS.end() - *INDIRECT_OFFSETS.start())
        } else if self.has(Flaw::IndirectOffsetNineBits) {
            ((offset & 0x1ff) ^ 0x100) - 0x100
        } else if self.has(Flaw::IndirectOffsetInElements) {
            offset * data_type.bytes() as i64
        } else {
            offset
        };
        i64::from(address) + offset
    }

    /// An address that wraps in the register in which the operand begins.
    fn wrapped(&self, first: i64, address: i64) -> i64 {
        let size = self.grf_size();
        first.div_euclid(size) * size + address.rem_euclid(size)
    }

    /// The element at an address; zero if it is not in the file.
    pub(super) fn read_element(&mut self, address: i64, size: usize) -> u64 {
        let Some(address) = in_file(address, size) else { return 0 };
        let bytes = self.visa.read_bytes(address, size);
        bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    /// Writes the low bits of an element; nothing if it is not in the file.
    pub(super) fn write_element(&mut self, address: i64, size: usize, bits: u64) {
        let Some(address) = in_file(address, size) else { return };
        self.visa.write_bytes(address, &bits.to_le_bytes()[..size]);
    }
}

fn in_file(address: i64, size: usize) -> Option<usize> {
    usize::try_from(address).ok().filter(|address| address + size <= GRF_BYTES)
}
