//! Where the elements of an operand lie, and how they come together and go apart again.
//!
//! Elements are always handled as a block of 32, one after the other ([`Elements`]). A source that lies so in the GRF
//! file is used where it is; a source of one element is repeated; any other is gathered element by element. A
//! destination that lies so is stored under a mask by the level's kernel; any other is scattered element by element.
//!
//! What differs from the page (Operands, lines 22-68), and why it is equal:
//! 1. Widths are powers of two, so the row and the place in it are a shift and a mask of the channel's number.
//! 2. Offsets are in bytes: `R * (GRF / size) + C` elements are `R * GRF + C * size` bytes, as a size divides a GRF.
//! 3. A block may hold elements beyond the execution size, for example what follows a short source in the file. They
//!    are converted with the others and not written, as their channels are not enabled.
//! 4. Elements beyond the file are read as zeros and not written: the behaviour is undefined, but nothing breaks.

use super::channels::first_channels;
use tandem_isa::visa::operand::{NULL, OperandFields, class, indirect_offset};
use tandem_isa::visa::{
    ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES, NUM_ADDRESSES, ROW_BYTES, Small, Visa,
};

/// Bytes of 32 elements of the largest size.
pub(crate) const BLOCK: usize = 256;

/// Room for 32 elements of any size, one after the other.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Elements(pub(crate) [u8; BLOCK]);

/// The elements of an operand: row after row, all distances in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Where the first row begins, which may be beyond the file; or the address of each row.
    origin: Origin,
    /// Size of an element, as a power of two.
    log2_size: u32,
    /// Number of elements, as a power of two.
    log2_count: u32,
    /// Elements in a row, as a power of two.
    log2_width: u32,
    /// Step between two rows.
    vert_stride: usize,
    /// Step between two elements of a row.
    horz_stride: usize,
}

/// Where rows begin.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// The first row; the others follow by the vertical stride. A place before the file is a very large number.
    First(usize),
    /// Each row at an address of its own.
    Each { variable: usize, element: usize, offset: i32 },
}

/// The variable and type behind a general or indirect operand.
#[inline(always)]
pub(crate) fn data_type(fields: &OperandFields, code: &[u32], small: &Small) -> Option<DataType> {
    match fields.class.get(code) {
        class::GENERAL => {
            let variable = small.variables.get(general_index(fields, code))?;
            Some(DataType::of_code(u32::from(variable.data_type)))
        }
        class::INDIRECT => Some(DataType::of_code(fields.data_type.get(code))),
        _ => None,
    }
}

#[inline(always)]
fn general_index(fields: &OperandFields, code: &[u32]) -> usize {
    fields.id.get(code).wrapping_sub(FIRST_GENERAL) as usize
}

impl Region {
    /// The region of a source, or nothing if its parameters mean none.
    #[inline(always)]
    pub(crate) fn of_source(
        fields: &OperandFields,
        code: &[u32],
        small: &Small,
        (log2_size, log2_count): (u32, u32),
    ) -> Option<Self> {
        let width = fields.width.get(code);
        let horz_stride = elements(fields.horz_stride.get(code))? << log2_size;
        let vert_stride = fields.vert_stride.get(code);
        let (origin, vert_stride) = if vert_stride == NULL {
            (each(fields, code)?, 0)
        } else {
            (first(fields, code, small, log2_size)?, elements(vert_stride)? << log2_size)
        };
        // The code of 1 is 2.
        let log2_width = width.checked_sub(2).filter(|&log2_width| log2_width < 6)?;
        Some(Region { origin, log2_size, log2_count, log2_width, vert_stride, horz_stride })
    }

    /// The region of a destination, which is one row, or nothing if its parameters mean none.
    #[inline(always)]
    pub(crate) fn of_destination(
        fields: &OperandFields,
        code: &[u32],
        small: &Small,
        (log2_size, log2_count): (u32, u32),
    ) -> Option<Self> {
        let horz_stride = elements(fields.horz_stride.get(code)).filter(|&stride| stride != 0)? << log2_size;
        let origin = first(fields, code, small, log2_size)?;
        Some(Region { origin, log2_size, log2_count, log2_width: 5, vert_stride: 0, horz_stride })
    }

    /// Number of elements.
    #[inline(always)]
    fn count(&self) -> usize {
        1 << self.log2_count
    }

    /// Offset of an element from the first one, if the origin is one place.
    #[inline(always)]
    fn offset(&self, index: usize) -> usize {
        (index >> self.log2_width) * self.vert_stride + (index & ((1 << self.log2_width) - 1)) * self.horz_stride
    }

    /// Bytes from the beginning of the first element to the end of the last one, if the origin is one place: no stride
    /// is negative, and both the number of elements and the width are powers of two.
    #[inline(always)]
    fn span(&self) -> usize {
        self.offset(self.count() - 1) + (1 << self.log2_size)
    }

    /// Where the first element begins, if all of `span` bytes are in the file and the origin is one place.
    #[inline(always)]
    fn inside(&self, span: usize) -> Option<usize> {
        match self.origin {
            Origin::First(start) if start + span <= GRF_BYTES => Some(start),
            Origin::First(_) | Origin::Each { .. } => None,
        }
    }

    /// The step between any element and the next one, if it is always the same.
    #[inline(always)]
    fn step(&self) -> Option<usize> {
        if self.log2_width >= self.log2_count || self.vert_stride == self.horz_stride << self.log2_width {
            Some(self.horz_stride)
        } else if self.log2_width == 0 {
            Some(self.vert_stride)
        } else {
            None
        }
    }

    /// Where an element begins, if it is in the file.
    #[inline(always)]
    fn place(&self, small: &Small, index: usize) -> Option<usize> {
        let place = match self.origin {
            Origin::First(start) => start.checked_add(self.offset(index))?,
            Origin::Each { variable, element, offset } => {
                let address = *small.addresses[variable].get(element + (index >> self.log2_width))?;
                let start = usize::try_from(i32::from(address) + offset).ok()?;
                start + (index & ((1 << self.log2_width) - 1)) * self.horz_stride
            }
        };
        (place <= GRF_BYTES - (1 << self.log2_size)).then_some(place)
    }

    /// The block of a source's elements: a place in the file, or `room` after they were copied there.
    #[inline(always)]
    pub(crate) fn read<'a>(&self, visa: &'a mut Visa<'_>, room: &'a mut Elements) -> &'a [u8; BLOCK] {
        let size = 1 << self.log2_size;
        if self.log2_count == 0 || self.step() == Some(size) {
            let span = size << self.log2_count;
            if let Some(start) = self.inside(span) {
                mark_read(visa, start, span);
                let file = &*visa.grf_unmarked();
                if let Some(block) = file[start..].first_chunk() {
                    return block;
                }
                // The file ends within the block.
                room.0[..GRF_BYTES - start].copy_from_slice(&file[start..]);
                return &room.0;
            }
        }
        self.gather_any(visa, room);
        &room.0
    }

    /// What is not contiguous.
    #[inline(never)]
    fn gather_any(&self, visa: &mut Visa<'_>, room: &mut Elements) {
        if let (Some(0), Some(start)) = (self.step(), self.inside(1 << self.log2_size)) {
            let size = 1 << self.log2_size;
            mark_read(visa, start, size);
            let mut bytes = [0; 8];
            bytes[..size].copy_from_slice(&visa.grf_unmarked()[start..start + size]);
            repeat(u64::from_le_bytes(bytes), self.log2_size, room);
            return;
        }
        match self.log2_size {
            0 => self.gather::<1>(visa, room),
            1 => self.gather::<2>(visa, room),
            2 => self.gather::<4>(visa, room),
            _ => self.gather::<8>(visa, room),
        }
    }

    #[inline(always)]
    fn gather<const N: usize>(&self, visa: &mut Visa<'_>, room: &mut Elements) {
        let room = &mut room.0.as_chunks_mut::<N>().0[..self.count()];
        let span = self.span();
        if let Some(start) = self.inside(span) {
            mark_read(visa, start, span);
            let file = &visa.grf_unmarked()[start..start + span];
            for (index, element) in room.iter_mut().enumerate() {
                *element = *file[self.offset(index)..].first_chunk().expect("the region ends inside");
            }
            return;
        }
        for (index, element) in room.iter_mut().enumerate() {
            *element = match self.place(visa.small, index) {
                Some(place) => visa.read::<N>(place),
                None => [0; N],
            };
        }
    }

    /// Writes the elements of the enabled `channels`.
    ///
    /// `store` writes elements of 2 to the power of its first argument bytes, one after the other, under the mask.
    #[inline(always)]
    pub(crate) fn write(
        &self,
        visa: &mut Visa<'_>,
        channels: u32,
        from: &Elements,
        store: impl FnOnce(u32, u32, &Elements, &mut [u8]),
    ) {
        let size = 1 << self.log2_size;
        if self.horz_stride == size {
            let span = size << self.log2_count;
            if let Some(start) = self.inside(span).filter(|start| start & (size - 1) == 0) {
                self.mark_written(visa, start, channels);
                store(self.log2_size, channels, from, &mut visa.grf_unmarked()[start..start + span]);
                return;
            }
        }
        self.scatter_any(visa, channels, from);
    }

    /// What is not contiguous, or not as it should be.
    #[inline(never)]
    fn scatter_any(&self, visa: &mut Visa<'_>, channels: u32, from: &Elements) {
        let size = 1 << self.log2_size;
        let span = self.span();
        if let Some(start) = self.inside(span).filter(|start| start & (size - 1) == 0) {
            self.mark_written(visa, start, channels);
            let to = &mut visa.grf_unmarked()[start..start + span];
            match self.log2_size {
                0 => scatter::<1>(channels, self.horz_stride, from, to),
                1 => scatter::<2>(channels, self.horz_stride, from, to),
                2 => scatter::<4>(channels, self.horz_stride, from, to),
                _ => scatter::<8>(channels, self.horz_stride, from, to),
            }
            return;
        }
        each_channel(channels, |channel| {
            if let Some(place) = self.place(visa.small, channel) {
                visa.write_bytes(place, &from.0[channel * size..(channel + 1) * size]);
            }
        });
    }

    /// Marks the rows in which enabled channels write. Elements are aligned, so none lies in two rows.
    #[inline(always)]
    fn mark_written(&self, visa: &mut Visa<'_>, start: usize, channels: u32) {
        let step = self.horz_stride;
        let row_of = |channel: usize| (start + channel * step) / ROW_BYTES;
        if channels == first_channels(1 << self.log2_count) {
            // The longest step of a legal region is a row, so no row is left out.
            visa.mark_written(row_of(0), row_of(self.count() - 1) + 1 - row_of(0));
            return;
        }
        let mut rest = u64::from(channels);
        while rest != 0 {
            let row = row_of(rest.trailing_zeros() as usize);
            visa.mark_written(row, 1);
            // The first channel beyond the row; steps are powers of two.
            let next = (((row + 1) * ROW_BYTES - start + step - 1) >> step.trailing_zeros()).min(32);
            rest &= u64::MAX << next;
        }
    }
}

/// Elements that a code of a stride or a width means.
#[inline(always)]
fn elements(code: u32) -> Option<usize> {
    // From code 2 on, a power of two; code 1 is 0.
    (1..8).contains(&code).then_some((1 << code) >> 2)
}

/// The place at which the first row begins.
#[inline(always)]
fn first(fields: &OperandFields, code: &[u32], small: &Small, log2_size: u32) -> Option<Origin> {
    if fields.class.get(code) == class::GENERAL {
        let variable = small.variables.get(general_index(fields, code))?;
        let register = GRF_SIZES[(small.grf_size & 1) as usize];
        let rows = fields.row_offset.get(code) as usize * register;
        let columns = (fields.col_offset.get(code) as usize) << log2_size;
        return Some(Origin::First(usize::from(variable.offset) + rows + columns));
    }
    let Origin::Each { variable, element, offset } = each(fields, code)? else { return None };
    let address = *small.addresses[variable].get(element)?;
    // A place before the file becomes one far beyond it, from which adding offsets does not come back.
    let start = i32::from(address) + offset;
    Some(Origin::First(usize::try_from(start).unwrap_or(usize::MAX / 2)))
}

/// The addresses of an indirect operand.
#[inline(always)]
fn each(fields: &OperandFields, code: &[u32]) -> Option<Origin> {
    let variable = fields.id.get(code) as usize;
    let element = fields.addr_offset.get(code) as usize;
    (fields.class.get(code) == class::INDIRECT && variable < NUM_ADDRESSES && element < ADDRESS_ELEMENTS)
        .then(|| Origin::Each { variable, element, offset: indirect_offset(fields, code) })
}

/// Fills a block with the low 2 to the power of `log2_size` bytes of `bits`.
#[inline(always)]
pub(crate) fn repeat(bits: u64, log2_size: u32, room: &mut Elements) {
    let pattern = match log2_size {
        0 => (bits & 0xff) * 0x0101_0101_0101_0101,
        1 => (bits & 0xffff) * 0x0001_0001_0001_0001,
        2 => (bits & 0xffff_ffff) * 0x0000_0001_0000_0001,
        _ => bits,
    };
    room.0.as_chunks_mut().0.fill(pattern.to_le_bytes());
}

/// Marks the rows of `len` bytes from `start` on as read; `len` is not 0.
#[inline(always)]
fn mark_read(visa: &mut Visa<'_>, start: usize, len: usize) {
    let first = start / ROW_BYTES;
    visa.mark_read(first, (start + len - 1) / ROW_BYTES + 1 - first);
}

/// Puts elements of `N` bytes `step` bytes apart.
#[inline(always)]
fn scatter<const N: usize>(channels: u32, step: usize, from: &Elements, to: &mut [u8]) {
    let from: &[[u8; N]] = from.0.as_chunks().0;
    each_channel(channels, |channel| {
        let place = channel * step;
        to[place..place + N].copy_from_slice(&from[channel]);
    });
}

/// Calls `visit` for each enabled channel.
#[inline(always)]
pub(crate) fn each_channel(mut channels: u32, mut visit: impl FnMut(usize)) {
    while channels != 0 {
        visit(channels.trailing_zeros() as usize);
        channels &= channels - 1;
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::visa::operand::{REGION_CODES, RegionCode};

    use super::*;

    #[test]
    fn codes_of_strides_mean_what_the_list_says() {
        for (code, known) in (0..).zip(REGION_CODES) {
            let expected = match known {
                RegionCode::Elements(elements) => Some(elements as usize),
                RegionCode::Null | RegionCode::Unlisted => None,
            };
            assert_eq!(elements(code), expected, "{code}");
        }
    }
}
