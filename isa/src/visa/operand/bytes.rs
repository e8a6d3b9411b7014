//! The byte form of an instruction with a destination and one source, both ways.
//!
//! *Layout*: opcode (1 byte), execution size (1), predication control (2), destination, source; all little endian. A
//! vector operand is a tag byte and what its class adds: a general operand 8 bytes, an indirect one 8, an immediate 5
//! or 9, a predicate 2. Bits that have no meaning are kept.
//!
//! *Source*: page MOV (line 12), page Operands (lines 255-425), page Header (line 19: little endian).

use super::{
    CODE_WORDS, DST, EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, OPCODE, OperandFields, PRED, PredicateFields, SRC0,
    SRC0_CONST, SRC0_PREDICATE, class,
};
use crate::Code;
use crate::visa::DataType;

/// Why code words or bytes are no instruction in the byte form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// The pages give operands of this class no form in such an instruction.
    #[error("an operand of class {class} has no byte form as the {place} of this instruction")]
    Class {
        /// The operand class.
        class: u32,
        /// Destination or source.
        place: &'static str,
    },
    /// A number does not fit in its place.
    #[error("number {id} of an address variable has more than 16 bits")]
    AddressId {
        /// The number.
        id: u32,
    },
    /// The bytes end within the instruction.
    #[error("the instruction is cut off after {length} bytes")]
    Short {
        /// How many there are.
        length: usize,
    },
    /// Bytes follow the instruction.
    #[error("{count} bytes follow the instruction")]
    Long {
        /// How many there are.
        count: usize,
    },
    /// Not as many words as the normal form has.
    #[error("{count} code words, where there must be {wanted}")]
    Words {
        /// How many there are.
        count: usize,
        /// How many there must be.
        wanted: usize,
    },
}

/// Whether immediates of a type have a high half.
const fn has_high(data_type: DataType) -> bool {
    matches!(data_type, DataType::Df | DataType::Q | DataType::Uq)
}

/// The byte form of code words.
///
/// # Errors
/// An operand class that has no byte form here, or the number of an address variable beyond 16 bits.
pub fn to_bytes(code: &[u32]) -> Result<Vec<u8>, EncodingError> {
    if code.len() != CODE_WORDS {
        return Err(EncodingError::Words { count: code.len(), wanted: CODE_WORDS });
    }
    let mut bytes = vec![
        low_byte(OPCODE.get(code)),
        low_byte(EXEC_SIZE.get(code) | EXEC_SIZE_BIT3.get(code) << 3 | EXEC_MASK.get(code) << 4),
    ];
    bytes.extend(predicate_control(&PRED, code));
    vector_operand(&DST, code, &mut bytes);
    match DST.class.get(code) {
        class::GENERAL => general(&DST, code, &mut bytes),
        class::INDIRECT => indirect(&DST, code, &mut bytes)?,
        class => return Err(EncodingError::Class { class, place: "destination" }),
    }
    vector_operand(&SRC0, code, &mut bytes);
    match SRC0.class.get(code) {
        class::GENERAL => general(&SRC0, code, &mut bytes),
        class::INDIRECT => indirect(&SRC0, code, &mut bytes)?,
        class::PREDICATE => bytes.extend(predicate_control(&SRC0_PREDICATE, code)),
        class::IMMEDIATE => {
            bytes.push(low_byte(SRC0_CONST.data_type.get(code) | SRC0_CONST.type_rest.get(code) << 4));
            bytes.extend(SRC0_CONST.low.get(code).to_le_bytes());
            if has_high(DataType::of_code(SRC0_CONST.data_type.get(code))) {
                bytes.extend(SRC0_CONST.high.get(code).to_le_bytes());
            }
        }
        class => return Err(EncodingError::Class { class, place: "source" }),
    }
    Ok(bytes)
}

pub(super) fn low_byte(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

pub(super) fn low_half(value: u32) -> [u8; 2] {
    let [low, high, ..] = value.to_le_bytes();
    [low, high]
}

fn predicate_control(fields: &PredicateFields, code: &[u32]) -> [u8; 2] {
    let (id, reserved) = (fields.id.get(code), fields.reserved.get(code));
    low_half(id | reserved << 12 | fields.combine.get(code) << 13 | fields.inverse.get(code) << 15)
}

/// The tag byte.
pub(super) fn vector_operand(fields: &OperandFields, code: &[u32], bytes: &mut Vec<u8>) {
    let tag = fields.class.get(code) | fields.modifiers.get(code) << 3 | fields.tag_rest.get(code) << 6;
    bytes.push(low_byte(tag));
}

fn region(fields: &OperandFields, code: &[u32]) -> [u8; 2] {
    let low = fields.vert_stride.get(code) | fields.width.get(code) << 4;
    low_half(low | fields.horz_stride.get(code) << 8 | fields.region_rest.get(code) << 12)
}

pub(super) fn general(fields: &OperandFields, code: &[u32], bytes: &mut Vec<u8>) {
    bytes.extend(fields.id.get(code).to_le_bytes());
    bytes.push(low_byte(fields.row_offset.get(code)));
    bytes.push(low_byte(fields.col_offset.get(code)));
    bytes.extend(region(fields, code));
}

fn indirect(fields: &OperandFields, code: &[u32], bytes: &mut Vec<u8>) -> Result<(), EncodingError> {
    let id = fields.id.get(code);
    if id >> 16 != 0 {
        return Err(EncodingError::AddressId { id });
    }
    bytes.extend(low_half(id));
    bytes.push(low_byte(fields.addr_offset.get(code)));
    bytes.extend(low_half(fields.indirect_offset.get(code)));
    bytes.push(low_byte(fields.data_type.get(code) | fields.properties_rest.get(code) << 4));
    bytes.extend(region(fields, code));
    Ok(())
}

/// Reads bytes from the front.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Reader<'_> {
    pub fn take(&mut self, count: usize) -> Result<u32, EncodingError> {
        let end = self.at + count;
        let taken = self.bytes.get(self.at..end).ok_or(EncodingError::Short { length: self.bytes.len() })?;
        self.at = end;
        Ok(taken.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    }
}

/// Code words in the normal form, from the byte form; fields that the operands' classes lack are zero.
///
/// # Errors
/// Too few or too many bytes, or an operand class that has no byte form here.
pub fn from_bytes(bytes: &[u8]) -> Result<Code, EncodingError> {
    let mut code = Code::new(&[0; CODE_WORDS]);
    let mut reader = Reader { bytes, at: 0 };
    OPCODE.set(&mut code, reader.take(1)?);
    let exec = reader.take(1)?;
    EXEC_SIZE.set(&mut code, exec);
    EXEC_SIZE_BIT3.set(&mut code, exec >> 3);
    EXEC_MASK.set(&mut code, exec >> 4);
    read_predicate(&PRED, &mut code, reader.take(2)?);
    match read_tag(&DST, &mut code, &mut reader)? {
        class::GENERAL => read_general(&DST, &mut code, &mut reader)?,
        class::INDIRECT => read_indirect(&DST, &mut code, &mut reader)?,
        class => return Err(EncodingError::Class { class, place: "destination" }),
    }
    match read_tag(&SRC0, &mut code, &mut reader)? {
        class::GENERAL => read_general(&SRC0, &mut code, &mut reader)?,
        class::INDIRECT => read_indirect(&SRC0, &mut code, &mut reader)?,
        class::PREDICATE => read_predicate(&SRC0_PREDICATE, &mut code, reader.take(2)?),
        class::IMMEDIATE => {
            let data_type = reader.take(1)?;
            SRC0_CONST.data_type.set(&mut code, data_type);
            SRC0_CONST.type_rest.set(&mut code, data_type >> 4);
            SRC0_CONST.low.set(&mut code, reader.take(4)?);
            if has_high(DataType::of_code(data_type)) {
                SRC0_CONST.high.set(&mut code, reader.take(4)?);
            }
        }
        class => return Err(EncodingError::Class { class, place: "source" }),
    }
    match bytes.len() - reader.at {
        0 => Ok(code),
        count => Err(EncodingError::Long { count }),
    }
}

fn read_predicate(fields: &PredicateFields, code: &mut Code, value: u32) {
    fields.id.set(code, value);
    fields.reserved.set(code, value >> 12);
    fields.combine.set(code, value >> 13);
    fields.inverse.set(code, value >> 15);
}

pub(super) fn read_tag(fields: &OperandFields, code: &mut Code, reader: &mut Reader<'_>) -> Result<u32, EncodingError> {
    let tag = reader.take(1)?;
    fields.class.set(code, tag);
    fields.modifiers.set(code, tag >> 3);
    fields.tag_rest.set(code, tag >> 6);
    Ok(fields.class.get(code))
}

fn read_region(fields: &OperandFields, code: &mut Code, value: u32) {
    fields.vert_stride.set(code, value);
    fields.width.set(code, value >> 4);
    fields.horz_stride.set(code, value >> 8);
    fields.region_rest.set(code, value >> 12);
}

pub(super) fn read_general(
    fields: &OperandFields,
    code: &mut Code,
    reader: &mut Reader<'_>,
) -> Result<(), EncodingError> {
    fields.id.set(code, reader.take(4)?);
    fields.row_offset.set(code, reader.take(1)?);
    fields.col_offset.set(code, reader.take(1)?);
    read_region(fields, code, reader.take(2)?);
    Ok(())
}

fn read_indirect(fields: &OperandFields, code: &mut Code, reader: &mut Reader<'_>) -> Result<(), EncodingError> {
    fields.id.set(code, reader.take(2)?);
    fields.addr_offset.set(code, reader.take(1)?);
    fields.indirect_offset.set(code, reader.take(2)?);
    let properties = reader.take(1)?;
    fields.data_type.set(code, properties);
    fields.properties_rest.set(code, properties >> 4);
    read_region(fields, code, reader.take(2)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    #[test]
    fn byte_forms_round_trip() {
        let mut noise = Noise::new(1);
        for round in 0..20_000 {
            let dst = [class::GENERAL, class::INDIRECT][noise.below(2)];
            let src = [class::GENERAL, class::INDIRECT, class::PREDICATE, class::IMMEDIATE][noise.below(4)];
            let mut bytes = vec![0x29];
            bytes.extend(noise.word().to_le_bytes()[..3].iter());
            bytes.push(low_byte(noise.bits(5) << 3 | dst));
            bytes.extend(noise.word().to_le_bytes());
            bytes.push(low_byte(noise.bits(5) << 3 | src));
            let mut rest = noise.word().to_le_bytes().to_vec();
            rest.extend(noise.word().to_le_bytes());
            let length = match src {
                class::PREDICATE => 2,
                class::IMMEDIATE if has_high(DataType::of_code(u32::from(rest[0]))) => 9,
                class::IMMEDIATE => 5,
                _ => 8,
            };
            bytes.extend(&rest[..length]);
            let code = from_bytes(&bytes).expect("every such string is an instruction");
            assert_eq!(to_bytes(&code).as_deref(), Ok(&bytes[..]), "round {round}");
            let cut = noise.below(bytes.len());
            assert_eq!(from_bytes(&bytes[..cut]), Err(EncodingError::Short { length: cut }));
            bytes.push(0);
            assert_eq!(from_bytes(&bytes), Err(EncodingError::Long { count: 1 }));
        }
    }

    #[test]
    fn the_byte_form_is_laid_out_as_the_pages_say() {
        // MOV.sat under M3, sixteen elements, from a strided general operand to an indirect one.
        let bytes = [
            0x29, 0x24, 0x03, 0xc0, // opcode, M3 and 16 elements, predicate 3, all, inverted
            0x23, 0x01, 0x00, 0x05, 0xf0, 0xff, 0x07, 0x00, 0x02, // indirect, saturated: A1(5), -16, F, stride 1
            0x10, 0x21, 0x00, 0x00, 0x00, 0x02, 0x03, 0x65, 0x03, // general, negated: V33(2,3)<8;16,2>
        ];
        let code = from_bytes(&bytes).expect("an instruction");
        let shown = [
            EXEC_SIZE,
            EXEC_MASK,
            PRED.id,
            PRED.combine,
            PRED.inverse,
            DST.class,
            DST.modifiers,
            DST.id,
            DST.addr_offset,
            DST.data_type,
            DST.horz_stride,
            SRC0.modifiers,
            SRC0.id,
            SRC0.row_offset,
            SRC0.col_offset,
            SRC0.vert_stride,
            SRC0.width,
            SRC0.horz_stride,
        ]
        .map(|field| field.get(&code));
        assert_eq!(shown, [4, 2, 3, 2, 1, 3, 4, 1, 5, 7, 2, 2, 33, 2, 3, 5, 6, 3]);
        assert_eq!(super::super::indirect_offset(&DST, &code), -16);
        assert_eq!(to_bytes(&code).as_deref(), Ok(&bytes[..]));
    }

    #[test]
    fn classes_without_a_byte_form_are_refused() {
        let mut code = Code::new(&[0; CODE_WORDS]);
        for known in [class::ADDRESS, 4, class::STATE, 7] {
            SRC0.class.set(&mut code, known);
            assert_eq!(to_bytes(&code), Err(EncodingError::Class { class: known, place: "source" }));
        }
        DST.class.set(&mut code, class::IMMEDIATE);
        assert_eq!(to_bytes(&code), Err(EncodingError::Class { class: 5, place: "destination" }));
    }
}
