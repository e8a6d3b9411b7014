//! Values: corner values by format, pools of interesting and of uniform rows, and the read port that salts from them.
//!
//! A salted row is composed in 64-byte chunks: two pool rows are chosen, the first is rotated, and both are blended
//! by a mask, all decided by one mix of the case's key with the row's number. A row in which not everything can stand
//! ([`Bank::held`]) is then given what it can hold, unless operands are narrowed for who refuses some.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tandem_isa::{
    Bank, Exhaust, Feed, Format, FormatKind, Isa, Layout, Narrowing, Noise, ReadPort, RowShape, SaltPlan, Sweep,
    ValueClass, mix64,
};

use crate::case::feed::{self, Halves, Values};
use crate::terms::{
    DataAtom,
    sequence::{below, low, number, step},
};

/// Rows of each kind in a pool.
const ROWS: usize = 64;
/// Bytes in a chunk.
const CHUNK: usize = 64;
/// Corner values of a format that meet each other in pairs, at most.
const MOST_PAIRED: usize = 64;
/// Domains and value classes of at most so many bits are swept one by one.
const SWEPT_BITS: u32 = 20;
/// Rows of a case that are swept apart, as a power of two.
const SWEPT_ROWS_LOG2: u32 = 3;

/// The corner values of a format: exponent corners × significand corners, specials, narrowing ties, and for integers
/// everything around the powers of two. Sorted, without repetitions.
///
/// They are worked out once for each format, and kept.
#[must_use]
pub fn corners(format: &'static Format) -> &'static [u64] {
    static KNOWN: Mutex<BTreeMap<usize, &[u64]>> = Mutex::new(BTreeMap::new());
    // Nobody panics who holds it.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(std::ptr::from_ref(format).addr()).or_insert_with(|| corners_of(format).leak())
}

fn corners_of(format: &Format) -> Vec<u64> {
    let signs: &[u64] = if format.sign.is_some() { &[0, 1] } else { &[0] };
    let mut values = BTreeSet::new();
    for &sign in signs {
        for exponent in exponent_corners(format) {
            values.extend(mantissa_corners(format).into_iter().map(|mantissa| format.place(sign, exponent, mantissa)));
        }
    }
    values.into_iter().collect()
}

/// Corner values of a format that are to meet each other in pairs: zeros, ones, ends and specials, at most
/// [`MOST_PAIRED`].
fn paired_corners(format: &Format) -> Vec<u64> {
    let bits = format.mantissa_bits();
    let mut mantissas = vec![0, 1, low(bits), 1 << (bits - 1)];
    let exponents = match (format.exponent, format.kind) {
        (Some(piece), FormatKind::Float { bias }) => {
            let (last, bias) = (low(piece.width), u64::try_from(bias).expect("biases are positive"));
            vec![0, 1, bias - 1, bias, bias + 1, last - 1, last]
        }
        (Some(piece), _) => vec![0, low(piece.width).div_ceil(2)],
        (None, _) => {
            mantissas.extend(thinned(&mantissa_corners(format), MOST_PAIRED / 2 - mantissas.len()));
            vec![0]
        }
    };
    let signs = if format.sign.is_some() { 2 } else { 1 };
    let mut values = BTreeSet::new();
    for sign in 0..signs {
        for &exponent in &exponents {
            values.extend(mantissas.iter().map(|&mantissa| format.place(sign, exponent, mantissa)));
        }
    }
    thinned(&Vec::from_iter(values), MOST_PAIRED)
}

fn exponent_corners(format: &Format) -> Vec<u64> {
    let Some(piece) = format.exponent else { return vec![0] };
    let last = (1u64 << piece.width) - 1;
    let mut corners = vec![0, 1, 2, last - 2, last - 1, last];
    match format.kind {
        FormatKind::Float { bias } => {
            let bias = u64::try_from(bias).expect("biases are positive");
            let mantissa = u64::from(format.mantissa_bits());
            for middle in [bias, bias + mantissa, bias.saturating_sub(mantissa)] {
                corners.extend([middle.saturating_sub(1), middle.min(last), (middle + 1).min(last)]);
            }
        }
        // An integer over a fixed exponent field: the usual value is its middle, and zero.
        FormatKind::SignMagnitude | FormatKind::TwosComplement | FormatKind::Bits => corners.push(last.div_ceil(2)),
    }
    corners.extend((0..piece.width).map(|bit| 1 << bit));
    corners
}

fn mantissa_corners(format: &Format) -> Vec<u64> {
    let bits = format.mantissa_bits();
    let all = low(bits);
    let mut corners = vec![0, 1, 2, all, all - 1, all >> 1, (all >> 1) + 1, all & 0x5555_5555_5555_5555];
    for bit in 0..bits {
        let one = 1u64 << bit;
        // Walking ones and zeros, carry chains, and around each power of two.
        corners.extend([one, all ^ one, one - 1, one + 1, all & !(one - 1)].map(|value| value & all));
    }
    for &dropped in format.narrowings {
        // Ties and their neighbours, above an even and an odd kept part, and below a carry out of the kept part.
        let tie = 1u64 << (dropped - 1);
        for kept in [0, 1, 2, all >> dropped, (all >> dropped) - 1] {
            corners.extend([tie - 1, tie, tie + 1].map(|low| (kept << dropped | low) & all));
        }
    }
    corners
}

/// A row of a pool, twice in a row, so that a rotated row is one load.
type DoubleChunk = [[u32; 16]; 2];

struct Pool {
    interesting: Vec<DoubleChunk>,
    uniform: Vec<DoubleChunk>,
    datum_bytes: usize,
    /// Times this, a datum is in each place of eight bytes.
    everywhere: u64,
    /// Significant bits of a datum, as a mask; 0 if only some values are possible.
    mask: u64,
    /// Corner values, those of each format apart.
    corners: Vec<Vec<u64>>,
    /// At most [`MOST_PAIRED`] of each: how many, and they over and over, as long as a row from any of them on.
    paired: Vec<(usize, Vec<u8>)>,
    /// Which rotations and masks keep data whole: all, or those of whole pairs of words.
    rotations: usize,
    masks: &'static [[u32; 8]; 256],
}

impl Pool {
    fn new(class: &ValueClass, longest_row: usize, key: u64) -> Self {
        let mask = low(class.bits);
        let mut corners: Vec<Vec<u64>> = class.formats.iter().map(|format| corners(format).to_vec()).collect();
        if !class.extra.is_empty() {
            corners.push(class.extra.to_vec());
        }
        if !class.only.is_empty() {
            corners = vec![class.only.to_vec()];
        }
        corners.iter_mut().flatten().for_each(|value| *value &= mask);
        let mut noise = Noise::new(key);
        let mut rows = |uniform: bool| {
            (0..ROWS)
                .map(|_| {
                    let mut bytes = [0; CHUNK];
                    for datum in bytes.chunks_exact_mut(class.datum_bytes) {
                        let word = noise.word();
                        let value = if uniform && class.only.is_empty() {
                            word & mask
                        } else {
                            // Each format counts alike, however many corners it has.
                            let list = &corners[(word >> 48) as usize % corners.len()];
                            list[word as usize % list.len()]
                        };
                        datum.copy_from_slice(&value.to_le_bytes()[..class.datum_bytes]);
                    }
                    let words = std::array::from_fn(|lane| {
                        u32::from_le_bytes(bytes[4 * lane..4 * lane + 4].try_into().expect("four bytes"))
                    });
                    [words, words]
                })
                .collect()
        };
        let (rotations, masks) = if class.datum_bytes > 4 { (!1, &PAIR_MASKS) } else { (!0, &MASKS) };
        let (interesting, uniform) = (rows(false), rows(true));
        let mut paired: Vec<Vec<u64>> = class.formats.iter().map(|format| paired_corners(format)).collect();
        if paired.is_empty() {
            paired = corners.iter().map(|list| thinned(list, MOST_PAIRED)).collect();
        }
        let mask = if class.only.is_empty() { mask } else { 0 };
        let over_and_over = |list: Vec<u64>| {
            let bytes = list.iter().flat_map(|value| value.to_le_bytes().into_iter().take(class.datum_bytes));
            let whole = list.len() * class.datum_bytes;
            (list.len(), bytes.collect::<Vec<u8>>().into_iter().cycle().take(whole + longest_row).collect())
        };
        let paired = paired.into_iter().map(over_and_over).collect();
        let (datum_bytes, everywhere) = (class.datum_bytes, u64::MAX / low(8 * class.datum_bytes as u32));
        Pool { interesting, uniform, datum_bytes, everywhere, mask, corners, paired, rotations, masks }
    }

    /// Fills a row of data that are not drawn one by one. `row` is its number among those of the case.
    fn shape(&self, shape: RowShape, (key, pass): (u64, u64), row: usize, bytes: &mut [u8]) {
        let corner = |mix: u64| *chosen(chosen::<Vec<u64>>(&self.corners, mix << 16), mix);
        let any = |mix: u64| if mix >> 63 == 0 { mix & self.mask } else { corner(mix64(mix)) };
        let of_row = mix64(key ^ row as u64);
        let data = |bytes: &[u8]| (bytes.len() / self.datum_bytes).max(1);
        let value = match shape {
            RowShape::Blend | RowShape::Zero => 0,
            RowShape::Corner => corner(key),
            RowShape::Equal | RowShape::Odd => any(of_row),
            RowShape::Pairs => {
                // Of the pass: which format, where the first row begins, and how far each further row is turned.
                let data = data(bytes);
                let list = pass as usize / (MOST_PAIRED * MOST_PAIRED / data);
                let (count, list) = &self.paired[list % self.paired.len()];
                let begin = pass as usize / count * data + row * (pass as usize % count);
                return bytes.copy_from_slice(&list[begin % count * self.datum_bytes..][..bytes.len()]);
            }
        };
        let word = value.wrapping_mul(self.everywhere).to_le_bytes();
        let (words, rest) = bytes.as_chunks_mut();
        words.fill(word);
        rest.copy_from_slice(&word[..rest.len()]);
        if shape == RowShape::Odd {
            let odd = (of_row >> 8) as usize % data(bytes);
            let odd = bytes.chunks_exact_mut(self.datum_bytes).nth(odd);
            let value = any(mix64(of_row)).to_le_bytes();
            odd.into_iter().for_each(|datum| datum.copy_from_slice(&value[..self.datum_bytes]));
        }
    }

    /// What every datum of a row is changed by in a pass of a sweep, so that each runs through all values of the class.
    fn change(&self, sweep: &Sweep, row: usize, key: u64) -> u64 {
        let bits = self.mask.count_ones();
        if bits <= SWEPT_BITS {
            return number(sweep.pass, bits, sweep.key) & self.mask;
        }
        // What is too wide for that is new at least; of half of the rows signs and exponents stay.
        let mix = mix64(key ^ row as u64);
        mix & if mix >> 63 == 0 { self.mask } else { low(bits / 2) }
    }
}

/// The values that a row has in a pass through a domain: row number `row` of those that the case reads of it, with so many
/// data. Each value comes once before any comes again, as long as all cases read the same number of rows, 1, 2, 4 or 8.
#[inline]
fn swept(sweep: &Sweep, bits: u32, row: usize, data: usize) -> Values {
    let data_log2 = data.next_power_of_two().trailing_zeros();
    let passes_log2 = bits.saturating_sub(data_log2 + SWEPT_ROWS_LOG2);
    // Who reads fewer rows gets those of the others in later turns: first half of them, then a quarter.
    let turn = (sweep.pass >> passes_log2).reverse_bits() >> (64 - SWEPT_ROWS_LOG2);
    let place = (sweep.pass & low(passes_log2)) << SWEPT_ROWS_LOG2 | (row as u64 ^ turn) & low(SWEPT_ROWS_LOG2);
    Values { first: number(place << data_log2, bits, sweep.key), step: step(bits) }
}

/// One of a list, by the upper half of a mix.
#[inline]
fn chosen<T>(list: &[T], mix: u64) -> &T {
    &list[below(list.len() as u64, mix) as usize]
}

/// At most so many of a list, from all of its parts.
fn thinned(list: &[u64], most: usize) -> Vec<u64> {
    let count = list.len().min(most);
    (0..count).map(|place| list[place * list.len() / count]).collect()
}

/// The pools of an instruction set, one for each value class; a pure function of the seed.
pub struct Pools {
    pools: Vec<Pool>,
    layout: &'static Layout,
    /// The rows, among those of all banks, in which not everything can stand lie here.
    held: Range<usize>,
}

impl Pools {
    /// Builds the pools.
    #[must_use]
    pub fn new(isa: &'static Isa, seed: u64) -> Arc<Self> {
        let key = |class: usize| mix64(seed ^ mix64(0x706f_6f6c ^ class as u64));
        let longest_row = isa.layout.banks.iter().map(Bank::row_bytes).max().unwrap_or(0);
        let pool = |(index, class)| Pool::new(class, longest_row, key(index));
        let pools = isa.value_classes.iter().enumerate().map(pool).collect();
        let of_bank = |bank: &'static Bank| bank.held.iter().map(|held| bank.first_row + held.row);
        let held: Vec<usize> = isa.layout.banks.iter().flat_map(of_bank).collect();
        let held = held.first().map_or(0..0, |&first| first..held.last().map_or(first, |last| last + 1));
        Arc::new(Pools { pools, layout: isa.layout, held })
    }

    /// Gives a row what it can hold, whatever it was filled with.
    #[inline]
    pub(crate) fn hold(&self, row_id: usize, bytes: &mut [u8]) {
        if self.held.contains(&row_id) {
            let (bank, row) = self.layout.locate(row_id);
            self.layout.banks[bank].hold_bytes(row, bytes);
        }
    }

    /// Composes a row of a bank from the pool of `class`.
    #[inline]
    pub fn compose(&self, class: usize, key: u64, row_id: usize, corners_only: bool, bytes: &mut [u8]) {
        let pool = &self.pools[class];
        for (chunk_index, chunk) in bytes.chunks_mut(CHUNK).enumerate() {
            let mix = mix64(key ^ ((row_id as u64) << 8 | chunk_index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let first = &pool.interesting[mix as usize % ROWS];
            let rotate = ((mix >> 16) as usize % 16) & pool.rotations;
            if chunk.len() <= 8 {
                // A short row is a piece of one pool row.
                chunk.copy_from_slice(&bytes_of(first)[4 * rotate..4 * rotate + chunk.len()]);
                continue;
            }
            let uniform = !corners_only && mix >> 7 & 1 != 0;
            let second = &(if uniform { &pool.uniform } else { &pool.interesting })[(mix >> 24) as usize % ROWS];
            let rotated: &[u32; 16] = first.as_flattened()[rotate..rotate + 16].try_into().expect("16 words");
            let masks = [32, 40].map(|shift| &pool.masks[(mix >> shift) as usize % 256]);
            if let Ok(whole) = <&mut [u8; CHUNK]>::try_from(&mut *chunk) {
                *whole = bytemuck::cast(blend(rotated, &second[0], masks));
            } else if let Ok(half) = <&mut [u8; CHUNK / 2]>::try_from(&mut *chunk) {
                *half = bytemuck::cast(blend(rotated, &second[0], masks)[0]);
            } else {
                let words: [u8; CHUNK] = bytemuck::cast(blend(rotated, &second[0], masks));
                chunk.copy_from_slice(&words[..chunk.len()]);
            }
        }
    }
}

/// The words of `first` where `masks` is set, and those of `second` elsewhere.
#[inline(always)]
fn blend(first: &[u32; 16], second: &[u32; 16], masks: [&[u32; 8]; 2]) -> [[u32; 8]; 2] {
    let (first, second): (&[[u32; 8]; 2], &[[u32; 8]; 2]) = (bytemuck::cast_ref(first), bytemuck::cast_ref(second));
    let mut words = [[0; 8]; 2];
    for half in 0..2 {
        for lane in 0..8 {
            words[half][lane] = (first[half][lane] & masks[half][lane]) | (second[half][lane] & !masks[half][lane]);
        }
    }
    words
}

fn bytes_of(chunk: &DoubleChunk) -> &[u8; 128] {
    bytemuck::cast_ref(chunk)
}

/// All masks of eight lanes.
static MASKS: [[u32; 8]; 256] = masks(1);

/// All masks of four pairs of lanes, sixteen times each.
static PAIR_MASKS: [[u32; 8]; 256] = masks(2);

/// All masks of eight lanes of which so many side by side are alike.
const fn masks(alike: usize) -> [[u32; 8]; 256] {
    let mut masks = [[0; 8]; 256];
    let mut index = 0;
    while index < 256 {
        let mut lane = 0;
        while lane < 8 {
            masks[index][lane] = if index >> (lane / alike) & 1 != 0 { u32::MAX } else { 0 };
            lane += 1;
        }
        index += 1;
    }
    masks
}

/// The read port: salts a row from the pools when it is first read.
pub struct Salter {
    pools: Arc<Pools>,
    key: u64,
    plan: SaltPlan,
    corners_only: bool,
    /// Kinds of data that can be avoided, at most 64.
    kinds: Arc<[DataAtom]>,
    narrowing: Option<Narrowing>,
    sweep: Option<Sweep>,
    /// Rows filled in this case, and those of them that have values of the domain.
    rows: usize,
    fed: usize,
    halves: Halves,
}

impl Salter {
    /// A read port over `pools`.
    #[must_use]
    pub fn new(pools: Arc<Pools>) -> Self {
        Self::avoiding(pools, Arc::new([]))
    }

    /// A read port that can be asked to avoid data of some kinds.
    #[must_use]
    pub fn avoiding(pools: Arc<Pools>, kinds: Arc<[DataAtom]>) -> Self {
        let (plan, halves) = (SaltPlan::default(), Halves::new());
        Salter {
            pools,
            key: 0,
            plan,
            corners_only: false,
            kinds,
            narrowing: None,
            sweep: None,
            rows: 0,
            fed: 0,
            halves,
        }
    }

    /// Fills a row of a case that sweeps, with data of a class.
    fn sweep_row(&mut self, class: usize, bank: usize, row_id: usize, bytes: &mut [u8]) {
        let Salter { pools, key, plan, sweep: Some(sweep), rows, fed, halves, .. } = self else { return };
        let (pool, key) = (&pools.pools[class], *key);
        if pool.mask == 0 {
            // What can have few values keeps them.
            return pools.compose(class, key, row_id, false, bytes);
        }
        if let Some(domain @ Exhaust { bits: 0..=SWEPT_BITS, feed, .. }) = &sweep.domain {
            match *feed {
                Feed::Rows { bank: counted, data_per_row, .. } if counted == bank => {
                    if !feed::is_whole(domain, bytes.len()) {
                        pools.compose(class, key, row_id, false, bytes);
                    }
                    feed::fill(domain, row_id, bytes, halves, || {
                        *fed += 1;
                        swept(sweep, domain.bits, *fed - 1, data_per_row)
                    });
                    return;
                }
                Feed::Cut(parts) => {
                    let value = number(sweep.pass, domain.bits, sweep.key) & low(domain.bits);
                    if feed::cut(parts, plan, value, row_id, bytes).is_some() {
                        return;
                    }
                }
                Feed::Rows { .. } => {}
            }
        }
        if pool.mask.count_ones() > SWEPT_BITS {
            pools.compose(class, key, row_id, false, bytes);
        } else {
            // The same rows until the key has run through all values.
            let round = mix64(sweep.key ^ sweep.pass >> pool.mask.count_ones());
            pools.compose(class, round, *rows, false, bytes);
        }
        let change = pool.change(sweep, *rows, key).wrapping_mul(pool.everywhere);
        let (words, rest) = bytes.as_chunks_mut();
        words.iter_mut().for_each(|word| *word = (u64::from_le_bytes(*word) ^ change).to_le_bytes());
        rest.iter_mut().zip(change.to_le_bytes()).for_each(|(byte, change)| *byte ^= change);
    }

    /// Fills a row of another shape than a blend, with data of a class.
    #[cold]
    fn shape_row(&mut self, class: usize, row_id: usize, bytes: &mut [u8]) {
        let pool = &self.pools.pools[class];
        if pool.mask == 0 {
            return self.pools.compose(class, self.key, row_id, false, bytes);
        }
        // Pairs out of their turn are any.
        let pass = self.sweep.as_ref().map_or(self.key >> 32, |sweep| sweep.pass);
        pool.shape(self.plan.shape, (self.key, pass), self.rows, bytes);
    }

    /// Narrows what a row was filled with, that of constants too: whoever refuses what they hold could not be asked for
    /// anything else of them.
    #[cold]
    fn narrow_row(&self, narrowing: &Narrowing, bank: usize, row_id: usize, bytes: &mut [u8]) {
        if let Some(fill) = narrowing.fill.filter(|fill| fill.bank == bank) {
            let count = bytes.len() / fill.datum_bytes;
            let odd = mix64(self.key ^ row_id as u64) as usize % count.max(1);
            for (place, datum) in bytes.chunks_exact_mut(fill.datum_bytes).enumerate() {
                let value = fill.odd.filter(|_| place == odd).unwrap_or(fill.value);
                datum.copy_from_slice(&value.to_le_bytes()[..fill.datum_bytes]);
            }
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if kind.bank == bank && narrowing.avoid >> place & 1 != 0 {
                kind.replace_in(bytes);
            }
        }
    }
}

impl ReadPort for Salter {
    #[inline]
    fn begin(&mut self, key: u64, plan: &SaltPlan, corners: bool) {
        self.key = key;
        self.plan = *plan;
        self.corners_only = corners;
        self.narrowing = None;
        self.sweep = None;
        (self.rows, self.fed) = (0, 0);
        self.halves.clear();
    }

    fn sweep(&mut self, sweep: &Sweep) {
        self.sweep = Some(*sweep);
    }

    fn narrow(&mut self, to: &Narrowing) {
        self.narrowing = Some(*to);
    }

    #[inline]
    fn fill(&mut self, bank: usize, row_id: usize, bytes: &mut [u8]) {
        let class = usize::from(self.plan.class_of(bank, row_id));
        match (&self.sweep, self.plan.shape) {
            _ if let Some(word) = self.plan.settings.of_row(row_id) => {
                bytes.as_chunks_mut().0.fill(word.to_le_bytes());
            }
            (None, RowShape::Blend) => self.pools.compose(class, self.key, row_id, self.corners_only, bytes),
            (Some(_), RowShape::Blend) => self.sweep_row(class, bank, row_id, bytes),
            _ => self.shape_row(class, row_id, bytes),
        }
        self.rows += 1;
        self.pools.hold(row_id, bytes);
        if let Some(narrowing) = &self.narrowing {
            self.narrow_row(narrowing, bank, row_id, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tandem_cases::ISAS;
    use tandem_isa::Fill;

    use super::*;

    #[rstest]
    fn a_sweep_has_each_value_once_before_any_comes_again(
        #[values(8, 11, 13)] bits: u32,
        #[values(1, 2, 4, 8)] rows: usize,
        #[values(8, 16)] data: usize,
    ) {
        let mut times = vec![0; 1 << bits];
        let passes = (1 << bits) / (rows * data) as u64;
        for pass in 0..2 * passes {
            let sweep = Sweep { key: 0x1234_5678_9abc_def0, pass, domain: None };
            for row in 0..rows {
                let Values { first, step } = swept(&sweep, bits, row, data);
                for place in 0..data as u64 {
                    times[(first.wrapping_add(step * place) & low(bits)) as usize] += 1;
                }
            }
            if pass + 1 == passes {
                assert!(times.iter().all(|&times| times == 1), "{times:?}");
            }
        }
        assert!(times.iter().all(|&times| times == 2));
    }

    #[test]
    fn every_value_of_a_class_comes_at_every_place_of_a_row() {
        let isa = ISAS[0];
        let pools = Pools::new(isa, 3);
        let is_swept = |class: &ValueClass| class.only.is_empty() && class.bits <= 16;
        let class = isa.value_classes.iter().position(is_swept).expect("there is one");
        let bank = isa.layout.banks.iter().position(|bank| bank.word.bytes() == 2).expect("there is one");
        let mut plan = SaltPlan::default();
        plan.class[bank] = class as u8;
        let mut port = Salter::new(pools);
        let mut seen = vec![[false; 1 << 16]; 16];
        for pass in 0..1 << 16 {
            port.begin(mix64(pass), &plan, false);
            port.sweep(&Sweep { key: 5, pass, domain: None });
            let mut row = [0; 32];
            port.fill(bank, isa.layout.banks[bank].first_row + pass as usize % 8, &mut row);
            for (seen, word) in seen.iter_mut().zip(row.as_chunks().0) {
                seen[usize::from(u16::from_le_bytes(*word))] = true;
            }
        }
        assert!(seen.iter().all(|seen| seen.iter().all(|&seen| seen)));
    }

    #[rstest]
    #[case(4, 32)]
    #[case(4, 16)]
    #[case(2, 16)]
    fn all_pairs_of_corners_meet_in_as_many_cases_as_is_said(#[case] datum_bytes: usize, #[case] data: usize) {
        let isa = ISAS[0];
        let pools = Pools::new(isa, 3);
        let fits = |pool: &&Pool| pool.datum_bytes == datum_bytes && pool.mask != 0;
        let pool = pools.pools.iter().find(fits).expect("there is one");
        let mut met = BTreeSet::new();
        for pass in 0..(MOST_PAIRED * MOST_PAIRED / data) as u64 {
            let mut rows = [vec![0; data * datum_bytes], vec![0; data * datum_bytes]];
            for (row, bytes) in rows.iter_mut().enumerate() {
                pool.shape(RowShape::Pairs, (mix64(pass), pass), row, bytes);
            }
            let [first, second] = &rows;
            met.extend(
                first.chunks(datum_bytes).zip(second.chunks(datum_bytes)).map(|(a, b)| (a.to_vec(), b.to_vec())),
            );
        }
        let corners = pool.paired[0].0;
        assert_eq!(met.len(), corners * corners);
    }

    #[test]
    fn rows_that_are_to_be_of_one_datum_are_until_the_next_case() {
        let isa = ISAS[0];
        let bank = isa.layout.banks.iter().position(|bank| bank.word.bytes() == 2).expect("there is one");
        let first_row = isa.layout.banks[bank].first_row;
        let mut port = Salter::new(Pools::new(isa, 3));
        let mut row = |narrowing: Option<Narrowing>| {
            port.begin(7, &SaltPlan::default(), false);
            narrowing.iter().for_each(|to| port.narrow(to));
            let mut row = [0; 32];
            port.fill(bank, first_row + 1, &mut row);
            row.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect::<Vec<_>>()
        };
        let any = row(None);
        let mut narrowed = |odd| {
            let mut words =
                row(Some(Narrowing { avoid: 0, fill: Some(Fill { bank, datum_bytes: 2, value: 0x1234, odd }) }));
            words.sort_unstable();
            words
        };
        assert_eq!(narrowed(None), [0x1234; 16]);
        assert_eq!((&narrowed(Some(0x2345))[..15], narrowed(Some(0x2345))[15]), (&[0x1234; 15][..], 0x2345));
        assert_eq!(row(None), any);
    }
}
