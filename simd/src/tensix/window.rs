//! `RISC_LOAD` and `RISC_STORE`: what a RISC-V core does to `Dst` through its window, on Blackhole.
//!
//! An access lies in one row of data, however many it is of. A load takes all sixteen columns of the row, brings every datum
//! from the order of bits in `Dst` to that in a register ([`Order`]), makes signs and magnitudes two's complement where the
//! format says so, and writes the row out as the core sees it, of which the register gets its bytes. A store puts the bytes of the
//! register into such a row, takes it as sixteen columns, does all that the other way round, and writes the columns that it
//! was given.
//!
//! What differs from the page (Dst of Blackhole, commit 093af914), and why it is equal:
//! 1. The branches on `fmt`, `no_swizzle` and `unsigned_int` are a table and masks. An order of bits is one formula, of which
//!    some take the bits in place only. Both of integers of eight bits shift, swizzled or not.
//! 2. What core T2 splits into scalars is one row: an access is aligned to its size, and a row is sixteen data wide.
//! 3. Negating what is negative is `(x ^ s) - s` with all bits of `s` set. What is too low, of a store, is then one above the
//!    largest magnitude, so its highest bit is taken away from it.
//! 4. The eight bits that a store makes of a negative integer of eight bits are sign and magnitude, as of the wider ones; the
//!    page's `0x180 - Value` has the 0x80 of that sign in its magnitude. The sign goes to bit 15 besides.
//!
//! Where the page promises nothing: T0 and T1 do as T2 does; an address is rounded down to a multiple of the size; rows of
//! data of eight bits wrap; what is smaller than a datum, or of a reserved format, is unsupported. Whether a row is
//! valid is neither asked nor changed.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::config::blackhole::{
    RISC_DEST_ACCESS_CTRL_SEC0_fmt, RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
    RISC_DEST_ACCESS_CTRL_SEC1_fmt, RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
    RISC_DEST_ACCESS_CTRL_SEC2_fmt, RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int,
};
use tandem_isa::tensix::inst::window::{OFFSET, SIGN_EXTEND, SIZE, SIZES};
use tandem_isa::tensix::{Access, Chip, Small, Tensix};

use super::dst::DstRows;
use super::instruction::{Code, Config, Decoded, Instruction, thread_of};
use crate::bits::all_if;
use crate::vector::{Row, Vector};

/// An order of bits: those that stay, and those that move to the left or to the right.
#[derive(Clone, Copy, Debug)]
struct Order {
    in_place: u32,
    /// Bits that come from the left, and how far.
    right: (u32, u32),
    /// Bits that come from the right, and how far.
    left: (u32, u32),
}

const AS_IT_IS: Order = Order { in_place: !0, right: (0, 0), left: (0, 0) };

impl Order {
    #[inline(always)]
    fn of<V: Vector>(self, data: V) -> V {
        (data & data.like(self.in_place))
            | (data.shift_right_all(self.right.1) & data.like(self.right.0))
            | (data.shift_left_all(self.left.1) & data.like(self.left.0))
    }
}

/// What the window is an array of.
#[derive(Clone, Copy, Debug)]
struct Datum {
    /// How many bytes it has.
    bytes: u32,
    /// The orders that `no_swizzle` does without.
    from_dst: Order,
    to_dst: Order,
    /// Whether it is an integer that may have a sign: always, never, or unless `unsigned_int`.
    sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Integer,
    NoInteger,
    IntegerUnlessUnsigned,
}

/// Of a datum of eight bits in `Dst`: sign, magnitude from this bit on, and what the exponent is unless all is zero.
const INT8_SHIFT: u32 = 5;
const INT8_EXPONENT: u32 = 16;
const SIGN16: u32 = 1 << 15;

const FP32: Datum = Datum {
    bytes: 4,
    from_dst: Order { in_place: 0x8000_ffff, right: (0x007f_0000, 8), left: (0x7f80_0000, 7) },
    to_dst: Order { in_place: 0x8000_ffff, right: (0x00ff_0000, 7), left: (0x7f00_0000, 8) },
    sign: Sign::NoInteger,
};
const FP16: Datum = Datum {
    bytes: 2,
    from_dst: Order { in_place: SIGN16, right: (0x03ff, 5), left: (0x7c00, 10) },
    to_dst: Order { in_place: SIGN16, right: (0x001f, 10), left: (0x7fe0, 5) },
    sign: Sign::NoInteger,
};
const BF16: Datum = Datum {
    from_dst: Order { in_place: SIGN16, right: (0x007f, 8), left: (0x7f80, 7) },
    to_dst: Order { in_place: SIGN16, right: (0x00ff, 7), left: (0x7f00, 8) },
    ..FP16
};
const INT16: Datum = Datum { bytes: 2, from_dst: AS_IT_IS, to_dst: AS_IT_IS, sign: Sign::IntegerUnlessUnsigned };
const INT8: Datum = Datum {
    bytes: 1,
    from_dst: Order { in_place: 0, right: (0xff, INT8_SHIFT), left: (0, 0) },
    to_dst: Order { in_place: 0, right: (0, 0), left: (0xff << INT8_SHIFT, INT8_SHIFT) },
    ..INT16
};

/// By `fmt`.
const DATA: [Datum; 6] = [FP32, Datum { sign: Sign::Integer, ..FP32 }, FP16, BF16, INT16, INT8];

/// One access.
#[derive(Clone, Copy, Debug)]
struct Window {
    datum: Datum,
    from_dst: Order,
    to_dst: Order,
    /// All bits if integers have a sign, else none.
    complement: u32,
    /// How many bytes are accessed, a multiple of those of a datum.
    size: usize,
    /// The first of them, in its row as the core sees it.
    byte: usize,
    /// Where the row is in `DstBits`: its high halves, if it is of 32 bits, and the low ones eight rows further.
    row: usize,
}

/// A row as a core sees it, of which data of less than four bytes fill the beginning.
type Image = [u8; 64];

impl Window {
    /// The access, if it is of whole data.
    #[inline(always)]
    fn new(chip: Chip, code: &Code, small: &Small) -> Option<Self> {
        let core = thread_of(small);
        let config = Config::of(small, core);
        let [fmt, no_swizzle, unsigned_int] = [
            [RISC_DEST_ACCESS_CTRL_SEC0_fmt, RISC_DEST_ACCESS_CTRL_SEC1_fmt, RISC_DEST_ACCESS_CTRL_SEC2_fmt],
            [
                RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
                RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
                RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle,
            ],
            [
                RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
                RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
                RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int,
            ],
        ]
        .map(|of_cores| config.get(of_cores[core]));
        let datum = *DATA.get(fmt as usize)?;
        let size = SIZES[SIZE.get(code) as usize];
        if size < datum.bytes {
            return None;
        }
        let (offset, of_row) = (OFFSET.get(code) & !(size - 1), 16 * datum.bytes);
        let (row, rows) = ((offset / of_row) & 0x3ff, DstRows::new(chip, small));
        let ordered = |order| if no_swizzle != 0 && datum.bytes > 1 { AS_IT_IS } else { order };
        let has_sign = match datum.sign {
            Sign::Integer => no_swizzle == 0,
            Sign::NoInteger => false,
            Sign::IntegerUnlessUnsigned => no_swizzle | unsigned_int == 0,
        };
        Some(Window {
            datum,
            from_dst: ordered(datum.from_dst),
            to_dst: ordered(datum.to_dst),
            complement: all_if(has_sign),
            size: size as usize,
            byte: (offset % of_row) as usize,
            row: if datum.bytes == 4 { rows.adj32(row) } else { rows.adj16(row) },
        })
    }

    /// The highest bit that the core sees of a datum.
    #[inline(always)]
    const fn sign_bit(&self) -> u32 {
        1 << (8 * self.datum.bytes - 1)
    }

    /// What the core sees of data of `Dst`.
    #[inline(always)]
    fn loaded<V: Vector>(&self, data: V) -> V {
        // The sign in `Dst`.
        let to_the_top = if self.datum.bytes == 4 { 0 } else { 16 };
        let negative =
            data.shift_left_all(to_the_top).shift_right_arithmetic(data.like(31)) & data.like(self.complement);
        let seen = self.from_dst.of(data) & data.like(!(self.complement & self.sign_bit()));
        (seen ^ negative) - negative
    }

    /// The data of `Dst` that become of what the core stores.
    #[inline(always)]
    fn stored<V: Vector>(&self, seen: V) -> V {
        let width = 8 * self.datum.bytes;
        let negative =
            seen.shift_left_all((32 - width) & 31).shift_right_arithmetic(seen.like(31)) & seen.like(self.complement);
        let all = seen.like(!0 >> (32 - width));
        let magnitude = ((seen ^ negative) - negative) & all;
        let clamped = magnitude - (magnitude.shift_right_all(width - 1) & negative);
        let data = self.to_dst.of(clamped | (negative & seen.like(self.sign_bit())));
        if self.datum.bytes > 1 {
            return data;
        }
        let exponent = V::select(seen.is_zero(), seen.like(0), seen.like(INT8_EXPONENT));
        data | exponent | (negative & seen.like(SIGN16))
    }
}

/// `RISC_LOAD`.
pub(crate) struct RiscLoad;

impl<V: Vector> Instruction<V> for RiscLoad {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(window) = Window::new(chip, &code, tensix.small) else { return Answer::Unsupported };
        let mut views = tensix.views();
        let mut data: Row<V> = V::load_row(level, views.dst(Access::Read, window.row, 1));
        if window.datum.bytes == 4 {
            let low: Row<V> = V::load_row(level, views.dst(Access::Read, window.row + 8, 1));
            for (high, low) in data.iter_mut().zip(low) {
                *high = high.shift_left_all(16) | low;
            }
        }
        let mut seen = [0; 16];
        let columns = Cell::from_mut(&mut seen[..]).as_slice_of_cells();
        for (chunk, &data) in data.iter().enumerate().take(16 / V::LANES) {
            window.loaded(data).store_all(columns, chunk);
        }
        let image = image(window.datum.bytes, &seen);
        let bytes = &image[window.byte..][..window.size];
        let to = &mut tensix.small.risc_data;
        match *bytes {
            [byte] if SIGN_EXTEND.get(&code) != 0 => to[0] = i32::from(byte.cast_signed()).cast_unsigned(),
            [byte] => to[0] = u32::from(byte),
            [low, high] if SIGN_EXTEND.get(&code) != 0 => {
                to[0] = i32::from(i16::from_le_bytes([low, high])).cast_unsigned();
            }
            [low, high] => to[0] = u32::from(u16::from_le_bytes([low, high])),
            _ => to.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, &bytes)| *word = u32::from_le_bytes(bytes)),
        }
        Answer::Done
    }
}

/// `RISC_STORE`.
pub(crate) struct RiscStore;

impl<V: Vector> Instruction<V> for RiscStore {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(window) = Window::new(chip, &code, tensix.small) else { return Answer::Unsupported };
        let mut from = [0; 16];
        for (bytes, word) in from.as_chunks_mut().0.iter_mut().zip(tensix.small.risc_data) {
            *bytes = word.to_le_bytes();
        }
        let mut image: Image = [0; 64];
        image[window.byte..][..window.size].copy_from_slice(&from[..window.size]);
        let mut seen = columns(window.datum.bytes, &image);
        let seen = Cell::from_mut(&mut seen[..]).as_slice_of_cells();

        let bytes = window.datum.bytes as usize;
        let open = ((1 << (window.size / bytes)) - 1) << (window.byte / bytes);
        let (mut data, mut low) = ([V::splat(level, 0); 4], [V::splat(level, 0); 4]);
        for (chunk, data) in data.iter_mut().enumerate().take(16 / V::LANES) {
            *data = window.stored(V::load(level, seen, chunk));
        }
        let mut views = tensix.views();
        if bytes == 4 {
            for (high, low) in data.iter_mut().zip(&mut low) {
                *low = *high & high.like(0xffff);
                *high = high.shift_right_all(16);
            }
            V::store_row(level, low, open, views.dst(Access::Write, window.row + 8, 1));
        }
        V::store_row(level, data, open, views.dst(Access::Write, window.row, 1));
        Answer::Done
    }
}

/// Sixteen columns as a row that the core sees, with the low bytes of each.
#[inline(always)]
fn image(bytes: u32, columns: &[u32; 16]) -> Image {
    let mut image = [0; 64];
    match bytes {
        4 => image.as_chunks_mut().0.iter_mut().zip(columns).for_each(|(bytes, data)| *bytes = data.to_le_bytes()),
        2 => image
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(columns)
            .for_each(|(bytes, data)| *bytes = (*data as u16).to_le_bytes()),
        _ => image.iter_mut().zip(columns).for_each(|(byte, data)| *byte = *data as u8),
    }
    image
}

/// A row that the core sees as sixteen columns.
#[inline(always)]
fn columns(bytes: u32, image: &Image) -> [u32; 16] {
    let (words, halves) = (image.as_chunks().0, image.as_chunks().0);
    match bytes {
        4 => std::array::from_fn(|column| u32::from_le_bytes(words[column])),
        2 => std::array::from_fn(|column| u32::from(u16::from_le_bytes(halves[column]))),
        _ => std::array::from_fn(|column| u32::from(image[column])),
    }
}
