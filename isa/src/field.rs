//! Named bit fields: of the small state, and of an instruction's code words.

use crate::{WordSize, mix64, worded};

/// The most words that the code of one instruction may have.
pub const MAX_CODE_WORDS: usize = 16;

worded! {
    /// What a field of the small state is for; it decides how a difference in it is named.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FieldRole {
        /// Who executes: thread, dispatch size.
        Context "context",
        /// Configuration that software writes.
        Config "config",
        /// A counter that instructions advance.
        Counter "counter",
        /// A flag, an owner or a bank index that instructions change.
        Flag "flag",
        /// A register that data lie in.
        Register "register",
        /// A named reading of the pages under which a case is compared, where they leave something open. It is part of
        /// the case and no state of the machine: no background gives it a value, and no instruction changes it.
        Model "model",
        /// What holds instructions back until something comes about. No background gives it a value, for few cases
        /// would get past it; those that ask for it have it, and instructions change it.
        Latch "latch",
        /// What one thread holds against the others, or what a latch is compared with. As of a latch no background gives it
        /// a value, and no recorded test has one that makes no difference.
        Guard "guard",
        /// A counter that forms addresses, which few instructions use. No background gives it a value; those that use it have
        /// it, and no recorded test has one that makes no difference.
        AddressCounter "address counter",
        /// Configuration of a unit, which few instructions read: likewise.
        UnitConfig "unit config",
        /// A part of a stack, which means something together with the others alone. No background gives it a value;
        /// those that ask for a stack have one, and instructions change it.
        Stack "stack",
        /// Bits of a word of configuration that no instruction of the suite gives a meaning: words are written and read
        /// as a whole. No background gives them a value; those that ask for them have them.
        Unnamed "unnamed",
    }
    /// The word that a report uses for a difference in such a field.
    fn kind;
}

impl FieldRole {
    /// Whether backgrounds give such fields any value.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        match self {
            FieldRole::Context | FieldRole::Config | FieldRole::Counter | FieldRole::Flag | FieldRole::Register => true,
            FieldRole::Model | FieldRole::Latch | FieldRole::Stack | FieldRole::Unnamed => false,
            FieldRole::Guard | FieldRole::AddressCounter | FieldRole::UnitConfig => false,
        }
    }

    /// Whether only recorded tests for which it makes a difference have such a field.
    #[must_use]
    pub const fn is_seldom(self) -> bool {
        matches!(self, FieldRole::Guard | FieldRole::AddressCounter | FieldRole::UnitConfig)
    }
}

/// A named bit field of the small state, spelled as the page spells it.
#[derive(Clone, Debug)]
pub struct Field {
    /// For example `ThreadConfig[2].ADDR_MOD_DST_SEC[5].DestIncr`.
    pub name: String,
    /// What the field is for.
    pub role: FieldRole,
    /// The byte of the small state at which its word begins.
    pub byte: usize,
    /// How its word is stored: within four bytes that begin at a multiple of four.
    pub word: WordSize,
    /// Lowest bit of the field in the word.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
    /// The largest value that is a state at all (a thread number ends at 2 although it has two bits).
    pub max: u32,
    /// The value in the base state.
    pub base: u32,
    /// The hardware address of the word, where it has one: `(bank, 32-bit word index)` under the page's bank name.
    pub address: Option<(&'static str, u32)>,
    /// A number of its name alone, by which its random values are drawn: see [`Field::key_of`].
    pub key: u64,
}

impl Field {
    /// The [`Field::key`] of a name.
    #[must_use]
    pub fn key_of(name: &str) -> u64 {
        name.bytes().fold(0, |mixed, byte| mix64(mixed.wrapping_add(1) ^ (u64::from(byte) << 56)))
    }

    /// Where the four bytes begin, at a multiple of four, in which the word lies whatever its size; and the lowest bit there.
    #[inline]
    fn place(&self) -> (usize, u32) {
        (self.byte & !3, self.shift + 8 * (self.byte & 3) as u32)
    }

    /// Reads the field from a small state.
    ///
    /// # Panics
    /// If the state is shorter.
    #[must_use]
    #[inline]
    pub fn get(&self, small: &[u8]) -> u32 {
        let (at, shift) = self.place();
        let word = u32::from_le_bytes(*small[at..].first_chunk().expect("a state has whole words"));
        (word >> shift) & (u32::MAX >> (32 - self.width))
    }

    /// Writes the field into a small state; bits of `value` beyond the width are dropped.
    ///
    /// # Panics
    /// If the state is shorter.
    #[inline]
    pub fn set(&self, small: &mut [u8], value: u32) {
        let ((at, shift), mask) = (self.place(), u32::MAX >> (32 - self.width));
        let bytes = small[at..].first_chunk_mut().expect("a state has whole words");
        *bytes = (u32::from_le_bytes(*bytes) & !(mask << shift) | (value & mask) << shift).to_le_bytes();
    }
}

/// A named bit field of an instruction's code words.
#[derive(Clone, Copy, Debug)]
pub struct CodeField {
    /// The page's name, for example `SrcRow`.
    pub name: &'static str,
    /// Which code word it lies in.
    pub word: usize,
    /// Lowest bit of the field in the word.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
}

impl CodeField {
    /// The bits of the field, in place.
    #[must_use]
    #[inline]
    pub const fn mask(&self) -> u32 {
        (if self.width >= 32 { u32::MAX } else { (1 << self.width) - 1 }) << self.shift
    }

    /// Reads the field.
    #[must_use]
    #[inline]
    pub const fn get(&self, code: &[u32]) -> u32 {
        (code[self.word] & self.mask()) >> self.shift
    }

    /// Writes the field; bits of `value` beyond the width are dropped.
    #[inline]
    pub const fn set(&self, code: &mut [u32], value: u32) {
        code[self.word] = (code[self.word] & !self.mask()) | ((value << self.shift) & self.mask());
    }
}

/// The code words of one instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code {
    words: [u32; MAX_CODE_WORDS],
    len: usize,
}

impl Code {
    /// The code made of `words`; at most [`MAX_CODE_WORDS`] of them.
    #[must_use]
    pub fn new(words: &[u32]) -> Self {
        let mut code = Code { words: [0; MAX_CODE_WORDS], len: words.len() };
        code.words[..words.len()].copy_from_slice(words);
        code
    }
}

impl std::ops::Deref for Code {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.words[..self.len]
    }
}

impl std::ops::DerefMut for Code {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.words[..self.len]
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, word) in self.iter().enumerate() {
            write!(f, "{}{word:#010x}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In each word of four bytes: at either half, to its ends and in between.
    #[test]
    fn a_field_is_written_and_read_and_nothing_beside_it_changes() {
        for (byte, shift, width) in [(0, 0, 32), (4, 3, 9), (6, 0, 16), (6, 15, 1), (4, 0, 16), (8, 31, 1)] {
            let (name, role, word) = (String::new(), FieldRole::Config, WordSize::U32);
            let field = Field { name, role, byte, word, shift, width, max: 0, base: 0, address: None, key: 0 };
            let first = 8 * byte as u32 + shift;
            for (rest, value) in [(0, u32::MAX), (0xff, 0), (0xff, 0x5555_5555)] {
                let mut small = [rest; 12];
                field.set(&mut small, value);
                assert_eq!(field.get(&small), value & (u32::MAX >> (32 - width)));
                for bit in 0..96 {
                    let is_set = small[bit as usize / 8] >> (bit % 8) & 1 != 0;
                    let is_own = (first..first + width).contains(&bit);
                    let expected = if is_own { value >> (bit - first) & 1 != 0 } else { rest != 0 };
                    assert_eq!(is_set, expected, "bit {bit} of {field:?}");
                }
            }
        }
    }
}
