//! The byte form of `DPAS`, both ways.
//!
//! *Layout*: opcode (1 byte), execution size (1), `Dst`, `Src0` and `Src1` (number 4, offset 2 each), `Src2` (tag 1, number
//! 4, row 1, column 1, region 2), `W`, `A`, `SD`, `RC` (1 each); 33 bytes, little endian.
//!
//! *Source*: page DPAS (lines 15-18), page Operands (lines 255-260, 300-306 and 491-495), page Header (line 19).

use super::bytes::{EncodingError, Reader, general, low_byte, low_half, read_general, read_tag, vector_operand};
use super::dpas::{A, CODE_WORDS, DST, RC, SD, SRC0, SRC1, W};
use super::{EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, OPCODE, SRC2, class};
use crate::Code;

/// The byte form of code words.
///
/// # Errors
/// A class of `Src2` other than general, which has no byte form here.
pub fn to_bytes(code: &[u32]) -> Result<Vec<u8>, EncodingError> {
    if code.len() != CODE_WORDS {
        return Err(EncodingError::Words { count: code.len(), wanted: CODE_WORDS });
    }
    let mut bytes = vec![
        low_byte(OPCODE.get(code)),
        low_byte(EXEC_SIZE.get(code) | EXEC_SIZE_BIT3.get(code) << 3 | EXEC_MASK.get(code) << 4),
    ];
    for operand in [DST, SRC0, SRC1] {
        bytes.extend(operand.id.get(code).to_le_bytes());
        bytes.extend(low_half(operand.offset.get(code)));
    }
    vector_operand(&SRC2, code, &mut bytes);
    match SRC2.class.get(code) {
        class::GENERAL => general(&SRC2, code, &mut bytes),
        class => return Err(EncodingError::Class { class, place: "third source" }),
    }
    bytes.extend([W, A, SD, RC].map(|field| low_byte(field.get(code))));
    Ok(bytes)
}

/// Code words from the byte form.
///
/// # Errors
/// Too few or too many bytes, or a class of `Src2` other than general.
pub fn from_bytes(bytes: &[u8]) -> Result<Code, EncodingError> {
    let mut code = Code::new(&[0; CODE_WORDS]);
    let mut reader = Reader { bytes, at: 0 };
    OPCODE.set(&mut code, reader.take(1)?);
    let exec = reader.take(1)?;
    EXEC_SIZE.set(&mut code, exec);
    EXEC_SIZE_BIT3.set(&mut code, exec >> 3);
    EXEC_MASK.set(&mut code, exec >> 4);
    for operand in [DST, SRC0, SRC1] {
        operand.id.set(&mut code, reader.take(4)?);
        operand.offset.set(&mut code, reader.take(2)?);
    }
    match read_tag(&SRC2, &mut code, &mut reader)? {
        class::GENERAL => read_general(&SRC2, &mut code, &mut reader)?,
        class => return Err(EncodingError::Class { class, place: "third source" }),
    }
    for field in [W, A, SD, RC] {
        field.set(&mut code, reader.take(1)?);
    }
    match bytes.len() - reader.at {
        0 => Ok(code),
        count => Err(EncodingError::Long { count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    #[test]
    fn byte_forms_round_trip() {
        let mut noise = Noise::new(4);
        for _ in 0..2_000 {
            let mut bytes: Vec<u8> = (0..33).map(|_| low_byte(noise.bits(8))).collect();
            // The tag's class is general.
            bytes[20] &= 0xf8;
            let code = from_bytes(&bytes).expect("every such string is an instruction");
            assert_eq!(to_bytes(&code).as_deref(), Ok(&bytes[..]));
            assert_eq!(from_bytes(&bytes[..32]), Err(EncodingError::Short { length: 32 }));
            bytes.push(0);
            assert_eq!(from_bytes(&bytes), Err(EncodingError::Long { count: 1 }));
        }
    }

    #[test]
    fn the_byte_form_is_laid_out_as_the_pages_say() {
        // DPAS.u4.s8.8.2 (M1_NM, 16) V32.64 V33.0 V34.0 V35(1,8)
        let bytes = [
            0x83, 0x84, 32, 0, 0, 0, 64, 0, 33, 0, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 0, 35, 0, 0, 0, 1, 8, 0, 0, 5, 8, 8,
            2,
        ];
        let code = from_bytes(&bytes).expect("an instruction");
        let text = crate::visa::inst::dpas::DPAS.print(&code);
        assert_eq!(text, "DPAS.u4.s8.8.2 (M1_NM, 16) V32.64 V33.0 V34.0 V35(1,8)");
    }
}
