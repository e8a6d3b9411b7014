//! Rows of `Dst` that a packer fetches, and where edges mask them.

use tandem_isa::tensix::Packer;

/// A row of `Dst` and its columns, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DstRow {
    pub(super) row: u16,
    /// Columns that are fetched.
    pub(super) active: u16,
    /// Columns that are not masked.
    pub(super) open: u16,
}

impl DstRow {
    /// The columns that are read.
    pub(super) const fn read(self) -> u16 {
        self.active & self.open
    }
}

/// As many rows as 1024 data can lie in.
const MOST_ROWS: usize = 65;

/// All rows of a packer, and the position that it is at then.
#[derive(Debug)]
pub(super) struct Rows {
    rows: [DstRow; MOST_ROWS],
    count: usize,
    /// The column of the first datum.
    pub(super) column: usize,
    /// `TilePositionGenerator`: `X`, `Y` and `Z`.
    pub(super) position: [u32; 3],
}

/// What chooses masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The set of rows of each of sixteen planes, two bits each, if planes choose.
    pub(super) faces: Option<u32>,
    pub(super) z_offset: u32,
    /// The set of rows, else.
    pub(super) set: usize,
    /// For each set the mask of each of sixteen rows, two bits each.
    pub(super) rows: [u32; 4],
    pub(super) masks: [u32; 4],
    pub(super) reads_per_plane: u32,
    pub(super) transposed: bool,
}

/// One of sixteen values of two bits each.
const fn pair(word: u32, place: u32) -> usize {
    (word >> (2 * (place & 15))) as usize & 3
}

impl Edge {
    /// The columns that are not masked at a position.
    const fn mask(&self, y: u32, z: u32) -> u32 {
        let set = match self.faces {
            Some(sets) => pair(sets, self.z_offset + z),
            None => self.set,
        };
        self.masks[pair(self.rows[set], y)]
    }

    /// The position in the next row, if its counters reach as far.
    const fn next(&self, y: u32, z: u32) -> Option<[u32; 2]> {
        let (inner, outer) = if self.transposed { (z, y) } else { (y, z) };
        let (inner, outer) = if inner + 1 == self.reads_per_plane { (0, outer + 1) } else { (inner + 1, outer) };
        if inner > 255 || outer > 255 {
            return None;
        }
        Some(if self.transposed { [outer, inner] } else { [inner, outer] })
    }
}

impl Rows {
    pub(super) const fn new() -> Self {
        let none = DstRow { row: 0, active: 0, open: 0 };
        Rows { rows: [none; MOST_ROWS], count: 0, column: 0, position: [0; 3] }
    }

    pub(super) fn get(&self) -> &[DstRow] {
        &self.rows[..self.count]
    }

    /// No rows.
    pub(super) const fn of_none(&mut self, packer: &Packer) {
        self.count = 0;
        self.column = 0;
        self.position = [packer.x, packer.y, packer.z];
    }

    /// Whether a datum is masked.
    fn is_masked(&self) -> bool {
        self.get().iter().any(|row| row.active & !row.open != 0)
    }

    /// The rows of a run of data of Wormhole, and whether one of these is masked.
    pub(super) fn of_run(&mut self, address: u32, number: u32, packer: &Packer, edge: &Edge) -> Option<bool> {
        self.of_none(packer);
        let [x, mut y, mut z] = self.position;
        // Rows as the position counts them, behind one that none of the data is in.
        let mut masks = [0; MOST_ROWS + 3];
        let end = (x & 15) + number;
        for (place, mask) in (1..=end.div_ceil(16)).zip(&mut masks[1..]) {
            *mask = edge.mask(y, z);
            if 16 * place <= end {
                [y, z] = edge.next(y, z)?;
            }
        }
        self.position = [end & 15, y, z];
        let column = address & 15;
        self.column = column as usize;
        self.count = (column + number).div_ceil(16) as usize;
        // Where a row of `Dst` has data of two of these, so many columns are of the first one.
        let before = 16 - (x.wrapping_sub(column) & 15);
        let of_first = (1 << before) - 1;
        let first = usize::from(x & 15 >= column);
        for (index, row) in self.rows[..self.count].iter_mut().enumerate() {
            let open = masks[first + index] & of_first | masks[first + index + 1] & !of_first;
            *row = DstRow { row: ((address >> 4) + index as u32) as u16 & 0x3ff, active: 0xffff, open: open as u16 };
        }
        let past = (16 * self.count) as u32 - (column + number);
        if let [first, ..] = &mut self.rows[..self.count] {
            first.active &= 0xffff << column;
        }
        if let [.., last] = &mut self.rows[..self.count] {
            last.active &= 0xffff >> past;
        }
        Some(self.is_masked())
    }

    /// The rows of interfaces of Blackhole, likewise.
    pub(super) fn of_interfaces(
        &mut self,
        address: u32,
        number: u32,
        interfaces: u32,
        packer: &Packer,
        edge: &Edge,
    ) -> Option<bool> {
        // All of a row is fetched, and rows count from a multiple of four.
        if address & 63 != 0 || number != 16 {
            return None;
        }
        self.of_none(packer);
        let [_, y, z] = self.position;
        for interface in (0..4).filter(|interface| interfaces >> interface & 1 != 0) {
            let open = edge.mask(y + self.count as u32, z) as u16;
            self.rows[self.count] = DstRow { row: (address >> 4 | interface) as u16, active: 0xffff, open };
            self.count += 1;
        }
        self.advance_by_interfaces(self.count as u32, edge.reads_per_plane)?;
        Some(self.is_masked())
    }

    /// Advances the position of Blackhole by so many interfaces, if its counters reach as far.
    pub(super) fn advance_by_interfaces(&mut self, interfaces: u32, reads_per_plane: u32) -> Option<()> {
        let [_, y, z] = &mut self.position;
        *y += interfaces;
        if *y == reads_per_plane {
            *y = 0;
            *z += 1;
        }
        (*y <= 255 && *z <= 255).then_some(())
    }
}
