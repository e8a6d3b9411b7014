//! What packers leave: rows of L1, what waits for sixteen bytes, positions and counters.

use tandem_isa::tensix::config::pack::{
    YdstCR, YdstClear, YdstIncr, YsrcCR, YsrcClear, YsrcIncr, ZdstClear, ZdstIncr, ZsrcClear, ZsrcIncr,
};
use tandem_isa::tensix::{AdcChannel, Chip, L1_PAGE_ROWS, PACKER_STATS, PackerStream, Small, Tensix};

use super::plan::Order;

/// Rows of L1, one behind the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Where its words lie.
    from: usize,
}

impl Run {
    pub(super) const fn new(first: usize, count: usize) -> Self {
        Run { first, count, from: 0 }
    }

    const fn meets(&self, other: &Self) -> bool {
        self.count > 0
            && other.count > 0
            && self.first < other.first + other.count
            && other.first < self.first + self.count
    }

    /// Whether all rows are of L1, and in windows.
    fn is_shown(&self, chip: Chip, small: &Small) -> bool {
        let end = self.first + self.count;
        let mut pages = self.first / L1_PAGE_ROWS..end.div_ceil(L1_PAGE_ROWS);
        self.count == 0
            || end <= chip.l1_bytes() / 16 && pages.all(|page| small.l1_place(page * L1_PAGE_ROWS).is_some())
    }
}

/// What one packer leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Output {
    pub(super) packer: usize,
    pub(super) adc: usize,
    pub(super) runs: [Run; 2],
    pub(super) streams: [PackerStream; 2],
    pub(super) position: [u32; 3],
}

/// Words before those of a stream, for what has waited; there are as many zeros behind them.
pub(super) const WAITING: usize = 4;

/// Appends bytes to a stream, which lie [`WAITING`] words from `from` on, and returns the rows that are full then.
#[inline(always)]
pub(super) fn append(stream: &mut PackerStream, ends: bool, bytes: usize, from: usize, words: &mut [u32]) -> Run {
    let filled = (stream.filled & 15) as usize;
    let mut all = bytes;
    let mut run = Run::new((stream.byte_address >> 4) as usize & 0x1_ffff, 0);
    run.from = from + WAITING;
    if filled > 0 {
        all += filled;
        run.from = from;
        let bytes_of_words: &mut [u8] = bytemuck::cast_slice_mut(&mut words[from..]);
        bytes_of_words[..filled].copy_from_slice(&bytemuck::bytes_of(&stream.buffer)[..filled]);
        bytes_of_words.copy_within(16..16 + bytes, filled);
        bytes_of_words[all..16 + bytes].fill(0);
    }
    let rest = all % 16;
    run.count = all / 16;
    let waiting = if ends && rest > 0 {
        run.count += 1;
        0
    } else {
        rest
    };
    stream.filled = waiting as u32;
    stream.buffer = [0; 4];
    if waiting > 0 {
        stream.buffer.copy_from_slice(&words[run.from + 4 * run.count..][..4]);
    }
    stream.byte_address = (stream.byte_address + 16 * run.count as u32) & 0x1f_ffff;
    run
}

/// Whether all rows can be written, and none of them twice, nor one that is read.
#[inline(never)]
pub(super) fn can_be_written(chip: Chip, outputs: &[Output], read: Run, small: &Small) -> bool {
    let runs = || outputs.iter().flat_map(|output| &output.runs);
    let is_alone = |(index, run): (usize, &Run)| {
        run.is_shown(chip, small) && !run.meets(&read) && !runs().take(index).any(|other| run.meets(other))
    };
    runs().enumerate().all(is_alone)
}

/// Writes all of it.
#[inline(never)]
pub(super) fn write(
    order: &Order,
    outputs: &[Output],
    stats: &[Option<[u8; PACKER_STATS]>],
    words: &[u32],
    tensix: &mut Tensix<'_>,
) {
    let mut adcs = 0;
    for (output, stats) in outputs.iter().zip(stats) {
        for run in &output.runs {
            let words = words[run.from..].as_chunks().0;
            for (row, words) in (run.first..run.first + run.count).zip(words) {
                if let Some(to) = tensix.l1_row_mut(row) {
                    *to = *words;
                }
            }
        }
        if let Some(stats) = stats {
            *tensix.packer_stats_mut(output.packer) = *stats;
        }
        let packer = &mut tensix.small.packers[output.packer];
        packer.streams = output.streams;
        [packer.x, packer.y, packer.z] = output.position;
        adcs |= 1 << output.adc;
    }
    advance(order, adcs, tensix.small);
}

/// Advances the counters of the threads that are set in `adcs`.
fn advance(order: &Order, adcs: u32, small: &mut Small) {
    let section = order.chip.addr_mod_sections().pack;
    let words = &small.thread_config[order.thread];
    let fields =
        [[YsrcIncr, YsrcCR, YsrcClear, ZsrcIncr, ZsrcClear], [YdstIncr, YdstCR, YdstClear, ZdstIncr, ZdstClear]];
    let fields = fields.map(|fields| fields.map(|field| field.of_section(section, order.addr_mod).get(words)));
    let z_mask = order.chip.pick(0xff, 0x1fff);
    for (_, adc) in small.adcs.iter_mut().enumerate().filter(|(thread, _)| adcs >> thread & 1 != 0) {
        for (channel, [y_incr, y_cr, y_clear, z_incr, z_clear]) in adc.packers.iter_mut().zip(fields) {
            let AdcChannel { y, y_cr: carriage, z, z_cr, .. } = channel;
            if y_clear != 0 {
                (*y, *carriage) = (0, 0);
            } else if y_cr != 0 {
                *carriage = (*carriage + y_incr) & 0x1fff;
                *y = *carriage;
            } else {
                *y = (*y + y_incr) & 0x1fff;
            }
            if z_clear != 0 {
                (*z, *z_cr) = (0, 0);
            } else {
                *z = (*z + z_incr) & z_mask;
            }
        }
    }
}
