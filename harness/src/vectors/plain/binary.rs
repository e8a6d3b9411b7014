//! One packed file: a header, a directory of tables, their words, and the manifest. All numbers are little-endian.

use super::{PLAIN_VERSION, Plain, manifest, word};

/// What the file begins with.
const MAGIC: &[u8; 8] = b"TANDEMPV";
/// Bytes of the header: the magic, version and number of tables (32 bits), and three numbers of 64 bits.
const HEADER: usize = 40;
/// Bytes of a directory's entry: a name, rows and columns (32 bits), and where the words begin (64 bits).
const ENTRY: usize = 32;
const NAME: usize = 16;

pub(super) fn bytes(plain: &Plain<'_>) -> Vec<u8> {
    let (tables, manifest) = (plain.tables(), manifest::text(plain));
    let mut offset = HEADER + ENTRY * tables.len();
    let (mut directory, mut body) = (Vec::new(), Vec::new());
    for table in &tables {
        let mut name = [0; NAME];
        name[..table.kind.name.len()].copy_from_slice(table.kind.name.as_bytes());
        directory.extend(name);
        directory.extend(word(table.len()).to_le_bytes());
        directory.extend(word(table.kind.columns.len()).to_le_bytes());
        directory.extend(wide(offset));
        let words = table.bytes();
        offset += words.len();
        body.extend(words);
    }
    let mut file = MAGIC.to_vec();
    file.extend(PLAIN_VERSION.to_le_bytes());
    file.extend(word(tables.len()).to_le_bytes());
    // How long the file is, so that a reader sees one that was cut off; where the manifest begins, and its length.
    for number in [offset + manifest.len(), offset, manifest.len()] {
        file.extend(wide(number));
    }
    file.extend(directory);
    file.extend(body);
    file.extend(manifest.as_bytes());
    file
}

fn wide(number: usize) -> [u8; 8] {
    u64::try_from(number).expect("a size fits 64 bits").to_le_bytes()
}
