//! How the values of a domain get into the rows that a case reads.

use tandem_isa::{DomainPart, Exhaust, Feed, Placement, SaltPlan};

use crate::terms::sequence::low;

/// Values of a domain, each the one before it plus a step, modulo the size of the domain.
#[derive(Clone, Copy)]
pub(crate) struct Values {
    /// The first.
    pub(crate) first: u64,
    /// The step.
    pub(crate) step: u64,
}

impl Values {
    #[inline]
    fn at(self, index: usize) -> u64 {
        self.first.wrapping_add(self.step.wrapping_mul(index as u64))
    }
}

/// The upper rows of data that are split over two rows, each with its values: of one case.
pub(crate) type Halves = Vec<(usize, Values)>;

/// Whether [`fill`] leaves nothing of a row of so many bytes as it was.
#[inline]
pub(crate) fn is_whole(domain: &Exhaust, row_bytes: usize) -> bool {
    let Feed::Rows { datum_bytes, data_per_row, place, .. } = domain.feed else { return false };
    let Placement { bits, copies, split } = place;
    let size = if split.is_some() { datum_bytes / 2 } else { datum_bytes };
    let has_every_bit = place == Placement::LOW_BITS || bits.is_none() && domain.bits as usize == 8 * datum_bytes;
    data_per_row * copies * size >= row_bytes && has_every_bit
}

/// Puts values of a domain into a row of the bank that has its data; what is not counted stays as it is. A row with data of
/// its own has those of `fresh`, one with the lower halves of data those of the row with the upper ones.
#[inline]
pub(crate) fn fill(
    domain: &Exhaust,
    row_id: usize,
    bytes: &mut [u8],
    halves: &mut Halves,
    fresh: impl FnOnce() -> Values,
) {
    let Feed::Rows { datum_bytes, data_per_row, place, .. } = domain.feed else { return };
    if place != Placement::LOW_BITS {
        return fill_placed(domain, row_id, bytes, halves, fresh);
    }
    let (bits, values) = (domain.bits, fresh());
    let bytes = &mut bytes[..data_per_row * datum_bytes];
    match datum_bytes {
        1 => count::<1>(bits, values, bytes),
        2 => count::<2>(bits, values, bytes),
        4 => count::<4>(bits, values, bytes),
        _ => count::<8>(bits, values, bytes),
    }
}

/// Fills a row of data that do not lie plainly.
fn fill_placed(domain: &Exhaust, row_id: usize, bytes: &mut [u8], halves: &mut Halves, fresh: impl FnOnce() -> Values) {
    let Feed::Rows { datum_bytes, data_per_row, place, .. } = domain.feed else { return };
    let Placement { bits, copies, split } = place;
    // Which row of a split datum it is, and how much of it lies here.
    let (upper_row, shift, size) = match split {
        Some(apart) if row_id & apart == 0 => (row_id, 4 * datum_bytes, datum_bytes / 2),
        Some(apart) => (row_id - apart, 0, datum_bytes / 2),
        None => (row_id, 0, datum_bytes),
    };
    let known = halves.iter().find(|&&(row, _)| split.is_some() && row == upper_row);
    let values = known.map(|&(_, values)| values).unwrap_or_else(|| {
        let values = fresh();
        if split.is_some() {
            halves.push((upper_row, values));
        }
        values
    });
    let mask = bits.map_or(low(domain.bits), u64::from);
    let bytes = &mut bytes[..data_per_row * copies * size];
    match size {
        1 => put::<1>(bytes, values, (mask, shift), copies),
        2 => put::<2>(bytes, values, (mask, shift), copies),
        4 => put::<4>(bytes, values, (mask, shift), copies),
        _ => put::<8>(bytes, values, (mask, shift), copies),
    }
}

/// Puts values at the places of `mask`, each as often as there are copies, of which data of `N` bytes hold what lies from
/// `shift` on.
fn put<const N: usize>(bytes: &mut [u8], values: Values, (mask, shift): (u64, usize), copies: usize) {
    let here = mask >> shift;
    for (index, data) in bytes.chunks_exact_mut(N * copies).enumerate() {
        let value = deposit(values.at(index), mask) >> shift;
        for datum in data.as_chunks_mut::<N>().0 {
            let mut word = [0; 8];
            word[..N].copy_from_slice(datum);
            let word = (u64::from_le_bytes(word) & !here) | value & here;
            *datum = *word.to_le_bytes().first_chunk().expect("a datum has at most eight bytes");
        }
    }
}

/// The low bits of `value` at the places that are set in `mask`.
#[inline]
pub(crate) fn deposit(mut value: u64, mut mask: u64) -> u64 {
    let mut placed = 0;
    while mask != 0 {
        let first = mask.trailing_zeros();
        let run = (mask >> first).trailing_ones();
        placed |= (value & low(run)) << first;
        value = value.checked_shr(run).unwrap_or(0);
        mask &= !(low(run) << first);
    }
    placed
}

/// Fills a row with the part of `value` that belongs to it, and tells which part that is; nothing if none does.
pub(crate) fn cut(parts: &[DomainPart], plan: &SaltPlan, value: u64, row_id: usize, bytes: &mut [u8]) -> Option<usize> {
    let mut rest = value;
    for (number, part) in parts.iter().enumerate() {
        let range = &plan.ranges[part.range];
        if !range.contains(row_id) {
            rest >>= part.bits;
            continue;
        }
        let per_byte = 8 / part.bits;
        let first = (row_id - usize::from(range.first)) * bytes.len() * per_byte as usize;
        let mut datum = rest.wrapping_add(first as u64);
        let mask = low(part.bits);
        for byte in bytes {
            *byte = 0;
            for place in 0..per_byte {
                *byte |= u8::try_from(datum & mask).expect("a part has at most eight bits") << (place * part.bits);
                datum = datum.wrapping_add(1);
            }
        }
        return Some(number);
    }
    None
}

/// Puts values in a row, side by side.
#[inline]
fn count<const N: usize>(bits: u32, values: Values, bytes: &mut [u8]) {
    let (mask, mut value) = (low(bits), values.first);
    for datum in bytes.as_chunks_mut::<N>().0 {
        *datum = *(value & mask).to_le_bytes().first_chunk().expect("a datum has at most eight bytes");
        value = value.wrapping_add(values.step);
    }
}
