//! Layouts of data, as the pages draw them: the harness builds corner values from them, and explains differences by them.

/// A run of bits: lowest bit and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Lowest bit.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
}

impl Piece {
    /// As many low bits as the piece is wide, up to 64.
    #[must_use]
    pub const fn low_mask(&self) -> u64 {
        if self.width >= 64 { u64::MAX } else { (1 << self.width) - 1 }
    }
}

/// How the bits of a format are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Sign, biased exponent, mantissa.
    Float {
        /// Exponent bias.
        bias: i32,
    },
    /// Sign and magnitude; the magnitude is the mantissa pieces.
    SignMagnitude,
    /// Two's complement; the value is the mantissa pieces.
    TwosComplement,
    /// Unsigned, or bits without a meaning of their own; the mantissa pieces.
    Bits,
}

/// The layout of a datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// For example `Src TF32`.
    pub name: &'static str,
    /// How to read it.
    pub kind: FormatKind,
    /// Sign bit.
    pub sign: Option<u32>,
    /// Exponent, or a fixed field in its place.
    pub exponent: Option<Piece>,
    /// Mantissa or magnitude, most significant piece first.
    pub mantissa: &'static [Piece],
    /// How many low mantissa bits the narrowings that are performed on it drop.
    pub narrowings: &'static [u32],
}

impl Format {
    /// Total mantissa or magnitude bits.
    #[must_use]
    pub fn mantissa_bits(&self) -> u32 {
        self.mantissa.iter().map(|piece| piece.width).sum()
    }

    /// Bits of a datum, up to the highest one that means something.
    #[must_use]
    pub fn width(&self) -> u32 {
        let pieces = self.mantissa.iter().chain(&self.exponent).map(|piece| piece.shift + piece.width);
        pieces.chain(self.sign.map(|bit| bit + 1)).max().unwrap_or(0)
    }

    /// Puts a mantissa into place, its pieces from the most significant down.
    #[must_use]
    pub fn place_mantissa(&self, mantissa: u64) -> u64 {
        let mut left = self.mantissa_bits();
        let mut word = 0;
        for piece in self.mantissa {
            left -= piece.width;
            word |= ((mantissa >> left) & piece.low_mask()) << piece.shift;
        }
        word
    }

    /// A word from its parts; a part that the format does not have is left out.
    #[must_use]
    pub fn place(&self, sign: u64, exponent: u64, mantissa: u64) -> u64 {
        let sign = self.sign.map_or(0, |bit| sign << bit);
        let exponent = self.exponent.map_or(0, |piece| (exponent & piece.low_mask()) << piece.shift);
        sign | exponent | self.place_mantissa(mantissa)
    }

    /// The mantissa of a word.
    #[must_use]
    pub fn mantissa_of(&self, word: u64) -> u64 {
        self.mantissa.iter().fold(0, |value: u64, piece| {
            value.checked_shl(piece.width).unwrap_or(0) | ((word >> piece.shift) & piece.low_mask())
        })
    }
}

/// Which values a bank is salted with.
#[derive(Clone, Copy, Debug)]
pub struct ValueClass {
    /// For example `five-bit exponents`.
    pub name: &'static str,
    /// Size of one datum, in bytes, which may differ from the bank's word.
    pub datum_bytes: usize,
    /// Significant bits of one datum.
    pub bits: u32,
    /// The formats whose corners are drawn from.
    pub formats: &'static [&'static Format],
    /// Further values to draw, that follow from no layout alone: where a conversion changes its path. They count as
    /// much as one format.
    pub extra: &'static [u64],
    /// If not empty, the only values drawn.
    pub only: &'static [u64],
}
