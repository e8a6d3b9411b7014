//! CRC-32 as in zlib, gzip and PNG: how an arena behind the border is compared with the background.

/// Bytes that are taken in one step, each through a table of its own.
const STEP: usize = 16;
/// The polynomial, lowest bit first.
const POLYNOMIAL: u32 = 0xedb8_8320;

static TABLES: [[u32; 256]; STEP] = tables();

/// Table 0 is the usual one; table *n* is what a byte does that has *n* zero bytes after it.
const fn tables() -> [[u32; 256]; STEP] {
    let mut tables = [[0; 256]; STEP];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ POLYNOMIAL };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < STEP {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// The CRC-32 of `bytes`.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    let mut steps = bytes.chunks_exact(STEP);
    for step in &mut steps {
        let head = (crc ^ u32::from_le_bytes([step[0], step[1], step[2], step[3]])).to_le_bytes();
        crc = 0;
        for (place, &byte) in head.iter().chain(&step[4..]).enumerate() {
            crc ^= TABLES[STEP - 1 - place][usize::from(byte)];
        }
    }
    for &byte in steps.remainder() {
        crc = (crc >> 8) ^ TABLES[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_crc_of_zlib() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414f_a339);
        assert_eq!(crc32(&[0; 32]), 0x190a_55ad);
    }
}
