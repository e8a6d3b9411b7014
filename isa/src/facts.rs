//! What the pages state of an instruction: its fields, page and syntax.

use crate::{Code, CodeField, Edition, Page};

/// Instructions that share an opcode with another of their set, or have none, as instruction set and file. This table
/// only grows, at its end.
pub const NUMBERED: &[(&str, &str)] = &[
    ("tensix-bh", "risc_load"),
    ("tensix-bh", "risc_store"),
    ("tensix-wh", "unpacr_nop_zerosrc"),
    ("tensix-wh", "unpacr_nop_setdvalid"),
    ("tensix-wh", "unpacr_nop_setreg"),
    ("tensix-wh", "unpacr_nop_overlay_clear"),
    ("tensix-bh", "unpacr_nop_zerosrc"),
    ("tensix-bh", "unpacr_nop_setdvalid"),
    ("tensix-bh", "unpacr_nop_setreg"),
    ("tensix-bh", "unpacr_nop_overlay_clear"),
    ("tensix-bh", "risc_load"),
    ("tensix-bh", "risc_store"),
    ("tensix-wh", "setdmareg_immediate"),
    ("tensix-wh", "setdmareg_special"),
    ("tensix-bh", "setdmareg_immediate"),
    ("tensix-bh", "setdmareg_special"),
    ("tensix-wh", "unpacr_flush_cache"),
    ("tensix-bh", "unpacr_flush_cache"),
    ("tensix-wh", "reg2flop_adc"),
    ("tensix-bh", "reg2flop_adc"),
    ("tensix-wh", "xmov"),
    ("tensix-bh", "xmov"),
];

/// The number of the first instruction of [`NUMBERED`]. Opcodes are below it.
pub const FIRST_NUMBERED: u16 = 0x800;

/// Why an instruction's text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SyntaxError(pub String);

/// Why no implementation but ours has shown something about an instruction yet, where there is more to say than that
/// it was not recorded; what was recorded is counted from the vectors.
#[derive(Clone, Copy, Debug)]
pub struct Unwitnessed {
    /// The axis, a level of an axis as `axis=level`, or what else it is.
    pub axis: &'static str,
    /// Why there is no witness.
    pub reason: &'static str,
}

/// What the pages state of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The instruction set, for example `tensix-wh`.
    pub isa: &'static str,
    /// The manual's mnemonic, for example `MOVA2D`.
    pub name: &'static str,
    /// The mnemonic in lower case, which is also the name of its files.
    pub file: &'static str,
    /// Its number in [`crate::Machine::instructions`].
    pub index: usize,
    /// Its number in the keys of cases: the opcode. So an instruction that comes in moves no case of another.
    ///
    /// Instructions that share an opcode, or have none, have a number from [`NUMBERED`], above all opcodes.
    pub number: u16,
    /// One line on what it does.
    pub summary: &'static str,
    /// The page, in the order of [`Edition::ALL`].
    pub pages: [&'static Page; 2],
    /// The opcode, with every field at its base value: zero, unless a quiet instruction needs another.
    pub base_code: &'static [u32],
    /// The fields of the code words that hold the opcode.
    pub opcode: &'static [CodeField],
    /// The named fields of the code words.
    pub code_fields: &'static [CodeField],
    /// The fields in the order in which the page's *Syntax* names them, where it is a plain call.
    pub arguments: &'static [CodeField],
    /// The page's *Syntax*.
    pub syntax: Syntax,
    /// The errata that bear on it.
    pub errata: &'static [&'static str],
    /// What no implementation but ours has shown yet.
    pub unwitnessed: &'static [Unwitnessed],
}

/// How code words are written as text, and read.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// The text of code words.
    pub print: fn(&Facts, &[u32]) -> String,
    /// The code words of a text.
    pub parse: fn(&Facts, &str) -> Result<Code, SyntaxError>,
}

/// Whether two names are the same, for constants.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let (mut same, mut place) = (one.len() == other.len(), 0);
    while same && place < one.len() {
        same = one[place] == other[place];
        place += 1;
    }
    same
}

impl Facts {
    /// The page of an edition.
    #[must_use]
    pub const fn page(&self, edition: Edition) -> &'static Page {
        self.pages[edition as usize]
    }

    /// The text of code words, as the page's *Syntax* has it.
    #[must_use]
    pub fn print(&self, code: &[u32]) -> String {
        (self.syntax.print)(self, code)
    }

    /// The code words of such a text.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn parse(&self, text: &str) -> Result<Code, SyntaxError> {
        (self.syntax.parse)(self, text)
    }

    /// `tensix-wh/mova2d`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", self.isa, self.file)
    }

    /// The editions that differ: only the newest one, if both are the same page.
    #[must_use]
    pub fn editions(&self) -> &'static [Edition] {
        let [spec, newest] = self.pages;
        if std::ptr::eq(spec, newest) { &[Edition::Newest] } else { &Edition::ALL }
    }

    /// The same with its number, which its set, its file and its opcode give.
    pub(crate) const fn numbered(self) -> Self {
        let (mut number, mut place) = (0, 0);
        while place < self.opcode.len() {
            let field = &self.opcode[place];
            number = number << field.width | field.get(self.base_code) as u16;
            place += 1;
        }
        place = 0;
        while place < NUMBERED.len() {
            if is_same(NUMBERED[place].0, self.isa) && is_same(NUMBERED[place].1, self.file) {
                return Facts { number: FIRST_NUMBERED + place as u16, ..self };
            }
            place += 1;
        }
        Facts { number, ..self }
    }

    /// The bits of code word `word` that no field and no opcode names.
    #[must_use]
    pub fn unnamed_bits(&self, word: usize) -> u32 {
        let named =
            self.code_fields.iter().filter(|field| field.word == word).fold(0, |mask, field| mask | field.mask());
        !(named | self.opcode_mask(word))
    }

    /// The bits of code word `word` that hold the opcode.
    #[must_use]
    pub fn opcode_mask(&self, word: usize) -> u32 {
        self.opcode.iter().filter(|field| field.word == word).fold(0, |mask, field| mask | field.mask())
    }

    /// Whether `code` has this instruction's opcode and length.
    #[must_use]
    pub fn matches(&self, code: &[u32]) -> bool {
        code.len() == self.base_code.len()
            && self.opcode.iter().all(|field| field.get(code) == field.get(self.base_code))
    }

    /// The code field called `name`.
    #[must_use]
    #[inline]
    pub fn code_field(&self, name: &str) -> Option<&'static CodeField> {
        self.code_fields.iter().find(|field| field.name == name)
    }
}
