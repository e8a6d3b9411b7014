//! The state of a vISA thread as far as a vector instruction sees it: the GRF file, masks, predicates, addresses, the
//! control register, and the table of variables that operands name.
//!
//! *Source*: pages Execution Model (GRF, execution mask), Header (variables, lines 358-562; `%cr0`, lines 422-440),
//! Operands (addresses).

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};

use super::model;
use crate::{Bank, BankRole, Field, FieldRole, Layout, LoggedBank, State, Tracker, WordSize};

/// Size of the GRF file, in bytes.
pub const GRF_BYTES: usize = 8192;
/// Size of a row of the bank `GRF`, in bytes: one register of 32 bytes, or half of one of 64.
pub const ROW_BYTES: usize = 32;
/// Rows of the bank `GRF`.
pub const ROWS: usize = GRF_BYTES / ROW_BYTES;

/// The banks, as they lie in the arena.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Banks {
    /// The GRF file, byte by byte; as a bank `GRF[row 0..256][dword 0..8]`.
    pub grf: [[u8; ROW_BYTES]; ROWS],
}

/// The numbers of the banks in [`Layout::banks`].
pub mod bank {
    /// The GRF file.
    pub const GRF: usize = 0;
}

const GRF: LoggedBank = LoggedBank::new(BANKS, bank::GRF);

/// General variables that a case declares: `V32` to `V35`. `V0` to `V31` are predefined by the page.
pub const NUM_GENERAL: usize = 4;
/// The number of the first variable that a case declares.
pub const FIRST_GENERAL: u32 = 32;
/// Predicate variables that a case declares: `P1` to `P4`. `P0` means that there is no predication.
pub const NUM_PREDICATES: usize = 4;
/// Address variables that a case declares: `A0` and `A1`.
pub const NUM_ADDRESSES: usize = 2;
/// Elements of each address variable, the most that the page allows.
pub const ADDRESS_ELEMENTS: usize = 16;

/// Channels of each dispatch size, by its code in [`Small::dispatch_size`].
pub const DISPATCH_SIZES: [u32; 3] = [8, 16, 32];
/// Bytes of a GRF register, by its code in [`Small::grf_size`].
pub const GRF_SIZES: [usize; 2] = [32, 64];
/// Code of a platform before XeHP in [`Small::platform`].
pub const PRE_XEHP: u32 = 0;
/// Code of XeHP and later platforms in [`Small::platform`].
pub const XEHP: u32 = 1;

/// Fields of the control register `%cr0`.
pub mod cr0 {
    /// Rounding mode: lowest bit; it has two.
    pub const ROUNDING_SHIFT: u32 = 4;
    /// Keeps `DF` denormals if set.
    pub const DF_DENORM: u32 = 1 << 6;
    /// Keeps `F` denormals if set.
    pub const F_DENORM: u32 = 1 << 7;
    /// Keeps `HF` denormals if set.
    pub const HF_DENORM: u32 = 1 << 10;
    /// All bits that are modelled. Bit 0, the ALT mode of `F`, is not: see erratum VX-26.
    pub const MODELLED: u32 = 3 << ROUNDING_SHIFT | DF_DENORM | F_DENORM | HF_DENORM;

    /// Round to nearest, ties to even.
    pub const RTNE: u32 = 0;
    /// Round up, toward positive infinity.
    pub const RU: u32 = 1;
    /// Round down, toward negative infinity.
    pub const RD: u32 = 2;
    /// Round toward zero.
    pub const RTZ: u32 = 3;
}

/// A declared general variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct GeneralVariable {
    /// Code of its type, 4 bits.
    pub data_type: u16,
    /// Number of its elements, 1 to 4,096.
    pub num_elements: u16,
    /// Where it begins in the GRF file, in bytes, 13 bits.
    pub offset: u16,
    /// Zero.
    pub unused: u16,
}

/// A declared predicate variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PredicateVariable {
    /// Its elements, element 0 in bit 0. Bits beyond the declared elements belong to nothing.
    pub value: u32,
    /// Number of its elements, as a power of two: 0 to 5 for 1 to 32.
    pub log2_num_elements: u32,
}

/// The small state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Small {
    /// Execution mask, a bit for each channel.
    pub em: u32,
    /// Dispatch size: a place in [`DISPATCH_SIZES`].
    pub dispatch_size: u32,
    /// Size of a GRF register: a place in [`GRF_SIZES`].
    pub grf_size: u32,
    /// [`PRE_XEHP`] or [`XEHP`].
    pub platform: u32,
    /// The control register; see [`cr0`].
    pub cr0: u32,
    /// The named readings under which the case is compared; see [`model`](super::model). No state of the machine.
    pub model: u32,
    /// Zero.
    pub unused: [u32; 2],
    /// `P1` to `P4`.
    pub predicates: [PredicateVariable; NUM_PREDICATES],
    /// `V32` to `V35`.
    pub variables: [GeneralVariable; NUM_GENERAL],
    /// Zero.
    pub unused_too: [u32; 8],
    /// `A0` and `A1`: byte addresses in the GRF file, unsigned, 16 bits each.
    pub addresses: [[u16; ADDRESS_ELEMENTS]; NUM_ADDRESSES],
}

/// The banks.
pub(super) const BANKS: &[Bank] = &[Bank {
    name: "GRF",
    dims: &[ROWS, ROW_BYTES / 4],
    dim_names: &["row", "dword"],
    word: WordSize::U32,
    bits: 32,
    role: BankRole::Data,
    base: 0,
    held: &[],
    row_names: &[],
    offset: std::mem::offset_of!(Banks, grf),
    first_row: 0,
}];

pub(super) static LAYOUT: Layout = Layout {
    banks: BANKS,
    arena_bytes: size_of::<Banks>(),
    small_bytes: size_of::<Small>(),
    fields: || &FIELDS,
    settings: None,
};

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(fields);

/// Elements of each variable in the base state.
pub const BASE_ELEMENTS: u32 = 128;
/// Distance between the beginnings of variables in the base state, in bytes.
pub const BASE_SPACING: usize = 1024;

fn fields() -> Vec<Field> {
    use FieldRole::{Config, Context, Flag, Model};
    let mut list = Vec::new();
    let mut field = |name: String, role, byte, word: WordSize, (shift, width): (u32, u32), (max, base): (u32, u32)| {
        let key = Field::key_of(&name);
        list.push(Field { name, role, byte, word, shift, width, max, base, address: None, key });
    };
    let all = u32::MAX;
    let word = WordSize::U32;
    field("EM".into(), Flag, std::mem::offset_of!(Small, em), word, (0, 32), (all, all));
    field("dispatch_size".into(), Context, std::mem::offset_of!(Small, dispatch_size), word, (0, 2), (2, 2));
    field("GRF_size".into(), Context, std::mem::offset_of!(Small, grf_size), word, (0, 1), (1, 0));
    field("platform".into(), Context, std::mem::offset_of!(Small, platform), word, (0, 1), (1, XEHP));
    for (name, shift, width) in
        [("rounding_mode", cr0::ROUNDING_SHIFT, 2), ("DF_denorm", 6, 1), ("F_denorm", 7, 1), ("HF_denorm", 10, 1)]
    {
        let max = (1 << width) - 1;
        field(format!("cr0.{name}"), Config, std::mem::offset_of!(Small, cr0), word, (shift, width), (max, 0));
    }
    for index in 0..NUM_PREDICATES {
        let byte = std::mem::offset_of!(Small, predicates) + index * size_of::<PredicateVariable>();
        let name = format!("P{}", index + 1);
        field(format!("{name}.log2_num_elements"), Config, byte + 4, word, (0, 3), (5, 5));
        field(name, Flag, byte, word, (0, 32), (all, 0));
    }
    for index in 0..NUM_GENERAL {
        let byte = std::mem::offset_of!(Small, variables) + index * size_of::<GeneralVariable>();
        let name = format!("V{}", FIRST_GENERAL as usize + index);
        let start = u32::try_from(index * BASE_SPACING).expect("an offset fits");
        field(format!("{name}.type"), Config, byte, WordSize::U16, (0, 4), (15, 0));
        field(format!("{name}.num_elements"), Config, byte + 2, WordSize::U16, (0, 13), (4096, BASE_ELEMENTS));
        field(format!("{name}.offset"), Config, byte + 4, WordSize::U16, (0, 13), (8191, start));
    }
    for variable in 0..NUM_ADDRESSES {
        for element in 0..ADDRESS_ELEMENTS {
            let byte = std::mem::offset_of!(Small, addresses) + 2 * (variable * ADDRESS_ELEMENTS + element);
            field(format!("A{variable}[{element}]"), Config, byte, WordSize::U16, (0, 16), (0xffff, 0));
        }
    }
    for part in model::PARTS {
        let byte = std::mem::offset_of!(Small, model);
        field(format!("Model.{}", part.name), Model, byte, word, (part.shift, part.width), (part.max, 0));
    }
    list
}

/// The typed view of a state. Every access to the GRF file marks the log.
///
/// Offsets and lengths are in bytes of the GRF file, rows are those of the bank (32 bytes each, whatever the size of a
/// register). An access beyond the file panics: which elements an operand may name is for the implementation to check.
pub struct Visa<'a> {
    /// The small state.
    pub small: &'a mut Small,
    grf: &'a mut [u8; GRF_BYTES],
    tracker: &'a mut Tracker,
}

impl<'a> Visa<'a> {
    /// The typed view of a state of this instruction set.
    #[inline]
    pub fn new(state: &'a mut State) -> Self {
        let banks = state.arena.view_mut::<Banks, { size_of::<Banks>() / 64 }>();
        Visa {
            small: state.small.view_mut::<Small, { size_of::<Small>() / 64 }>(),
            grf: banks.grf.as_flattened_mut().first_chunk_mut().expect("the file is all that there is"),
            tracker: &mut state.tracker,
        }
    }

    /// Reads `len` bytes from `offset` on, and marks the rows that they lie in.
    ///
    /// # Panics
    /// If they are not all in the file, before anything is marked.
    #[inline]
    pub fn read_bytes(&mut self, offset: usize, len: usize) -> &[u8] {
        assert!(offset <= GRF_BYTES && len <= GRF_BYTES - offset, "the file ends before these bytes do");
        if len > 0 {
            let first = offset / ROW_BYTES;
            self.mark_read(first, (offset + len - 1) / ROW_BYTES + 1 - first);
        }
        &self.grf[offset..offset + len]
    }

    /// Reads a datum of `N` bytes, least significant byte first.
    #[inline]
    pub fn read<const N: usize>(&mut self, offset: usize) -> [u8; N] {
        let bytes = self.read_bytes(offset, N);
        *bytes.first_chunk().expect("as many bytes as were asked for")
    }

    /// Writes bytes from `offset` on, and marks the rows that they lie in.
    #[inline]
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        if !bytes.is_empty() {
            let first = offset / ROW_BYTES;
            for row in first..=(offset + bytes.len() - 1) / ROW_BYTES {
                self.tracker.write(GRF, row);
            }
        }
        self.grf[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// Reads a datum of `N` bytes at each of `offsets`, least significant byte first, and marks the rows that they lie
    /// in. There are as many offsets as `data`.
    #[inline]
    pub fn read_each<const N: usize>(&mut self, offsets: impl Iterator<Item = usize>, data: &mut [u64]) {
        let mut marked = MarkedRow::NONE;
        for (datum, offset) in data.iter_mut().zip(offsets) {
            if !marked.holds::<N>(offset) {
                self.read_bytes(offset, N);
                marked = MarkedRow::of(offset);
            }
            assert!(offset <= GRF_BYTES - N, "the datum lies in the file");
            let mut bytes = [0; 8];
            bytes[..N].copy_from_slice(&self.grf[offset..offset + N]);
            *datum = u64::from_le_bytes(bytes);
        }
    }

    /// Writes the low `N` bytes of each of `data` at the offset that it has in `offsets`, and marks the rows that they
    /// lie in. There are as many offsets as `data`.
    #[inline]
    pub fn write_each<const N: usize>(&mut self, offsets: impl Iterator<Item = usize>, data: &[u64]) {
        let mut marked = MarkedRow::NONE;
        for (datum, offset) in data.iter().zip(offsets) {
            let bytes = &datum.to_le_bytes()[..N];
            if marked.holds::<N>(offset) {
                assert!(offset <= GRF_BYTES - N, "the datum lies in the file");
                self.grf[offset..offset + N].copy_from_slice(bytes);
            } else {
                self.write_bytes(offset, bytes);
                marked = MarkedRow::of(offset);
            }
        }
    }

    /// Reads `count` rows from `row` on.
    #[inline]
    pub fn rows(&mut self, row: usize, count: usize) -> &[u8] {
        self.mark_read(row, count);
        &self.grf[row * ROW_BYTES..(row + count) * ROW_BYTES]
    }

    /// `count` rows from `row` on, to write. What is not written keeps its value.
    #[inline]
    pub fn rows_mut(&mut self, row: usize, count: usize) -> &mut [u8] {
        self.mark_written(row, count);
        &mut self.grf[row * ROW_BYTES..(row + count) * ROW_BYTES]
    }

    /// Reads `N` bytes, which are whole rows, from `row` on, as one block for vector loads.
    #[inline]
    pub fn block<const N: usize>(&mut self, row: usize) -> &[u8; N] {
        self.rows(row, N / ROW_BYTES).first_chunk().expect("as many rows as were asked for")
    }

    /// `N` bytes, which are whole rows, from `row` on, to write. What is not written keeps its value.
    #[inline]
    pub fn block_mut<const N: usize>(&mut self, row: usize) -> &mut [u8; N] {
        self.rows_mut(row, N / ROW_BYTES).first_chunk_mut().expect("as many rows as were asked for")
    }

    /// The whole GRF file, without marks in the log: for targets that misbehave on purpose, and for vector code that
    /// marks what it touches with [`Visa::mark_read`] and [`Visa::mark_written`].
    #[inline]
    pub fn grf_unmarked(&mut self) -> &mut [u8; GRF_BYTES] {
        self.grf
    }

    /// Marks a read of `count` rows from `row` on, and fills them if the read port is open.
    #[inline]
    pub fn mark_read(&mut self, row: usize, count: usize) {
        let grf = &mut *self.grf;
        self.tracker.read_run(GRF, row, count, || &mut grf[row * ROW_BYTES..(row + count) * ROW_BYTES]);
    }

    /// Marks a write of `count` rows from `row` on.
    #[inline]
    pub fn mark_written(&mut self, row: usize, count: usize) {
        self.tracker.write_run(GRF, row, count);
    }
}

/// A row that was just marked, so that data beside each other mark it once.
#[derive(Clone, Copy)]
struct MarkedRow {
    /// Where it begins, in bytes.
    start: usize,
}

impl MarkedRow {
    /// None, since no datum begins that far.
    const NONE: Self = MarkedRow { start: usize::MAX / 2 };

    /// The row in which a datum begins.
    #[inline]
    fn of(offset: usize) -> Self {
        MarkedRow { start: offset / ROW_BYTES * ROW_BYTES }
    }

    /// Whether a datum of `N` bytes lies in it.
    #[inline]
    fn holds<const N: usize>(self, offset: usize) -> bool {
        offset.wrapping_sub(self.start) <= ROW_BYTES - N
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_state_has_no_padding_and_its_fields_do_not_overlap() {
        assert_eq!(size_of::<Small>(), 192);
        assert_eq!(size_of::<Banks>(), GRF_BYTES);
        let mut taken = vec![0u8; size_of::<Small>()];
        for field in fields() {
            let mut small = vec![0u8; size_of::<Small>()];
            field.set(&mut small, u32::MAX);
            assert!(field.max >= field.base, "{}", field.name);
            for (taken, byte) in taken.iter_mut().zip(small) {
                assert_eq!(*taken & byte, 0, "{}", field.name);
                *taken |= byte;
            }
        }
    }

    #[test]
    fn what_is_read_and_written_is_marked_row_by_row() {
        let mut state = State::zeroed(&LAYOUT);
        let mut visa = Visa::new(&mut state);
        visa.write_bytes(62, &[1, 2, 3, 4]);
        assert_eq!(visa.read::<4>(63), [2, 3, 4, 0]);
        visa.rows_mut(60, 8)[0] = 7;
        assert_eq!(visa.block::<64>(63)[0], 0);
        let collect = |rows: &crate::RowSet| {
            let mut list = Vec::new();
            rows.each(|row| list.push(row));
            list
        };
        assert_eq!(collect(&state.tracker.log.read), [1, 2, 63, 64]);
        assert_eq!(collect(&state.tracker.log.written), [1, 2, 60, 61, 62, 63, 64, 65, 66, 67]);
    }
}
