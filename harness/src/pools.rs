//! Values: corner values by format, pools of interesting and of uniform rows, and the read port that salts from them.
//!
//! A salted row is composed in 64-byte chunks: two pool rows are chosen, the first is rotated, and both are blended
//! by a mask, all decided by one mix of the case's key with the row's number. A row in which not everything can stand
//! ([`Bank::held`]) is then given what it can hold, unless operands are narrowed for who refuses some.

use std::ops::Range;
use std::sync::Arc;

use tandem_isa::{Bank, Format, FormatKind, Isa, Layout, Narrowing, Noise, ReadPort, SaltPlan, ValueClass, mix64};

use crate::observe::DataAtom;

/// Rows of each kind in a pool.
const ROWS: usize = 64;
/// Bytes in a chunk.
const CHUNK: usize = 64;

/// The corner values of a format: exponent corners × significand corners, specials, narrowing ties, and for integers
/// everything around the powers of two. Sorted, without repetitions.
#[must_use]
pub fn corners(format: &Format) -> Vec<u64> {
    let signs: &[u64] = if format.sign.is_some() { &[0, 1] } else { &[0] };
    let mut values = Vec::new();
    for &sign in signs {
        let sign = format.sign.map_or(0, |bit| sign << bit);
        for exponent in exponent_corners(format) {
            let exponent = format.exponent.map_or(0, |piece| exponent << piece.shift);
            for mantissa in mantissa_corners(format) {
                values.push(sign | exponent | format.place_mantissa(mantissa));
            }
        }
    }
    values.sort_unstable();
    values.dedup();
    values
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
    let all = if bits >= 64 { u64::MAX } else { (1u64 << bits) - 1 };
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
    /// Which rotations and masks keep data whole: all, or those of whole pairs of words.
    rotations: usize,
    masks: &'static [[u32; 8]; 256],
}

impl Pool {
    fn new(class: &ValueClass, key: u64) -> Self {
        let mut corner_values: Vec<u64> = class.only.to_vec();
        let mut weighted: Vec<Vec<u64>> = Vec::new();
        if corner_values.is_empty() {
            weighted = class.formats.iter().map(|format| corners(format)).collect();
            if !class.extra.is_empty() {
                weighted.push(class.extra.to_vec());
            }
            corner_values = weighted.concat();
        }
        let mut noise = Noise::new(key);
        let mask = if class.bits >= 64 { u64::MAX } else { (1 << class.bits) - 1 };
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
                            let list = match weighted.len() {
                                0 => &corner_values,
                                count => &weighted[(word >> 48) as usize % count],
                            };
                            list[word as usize % list.len()] & mask
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
        Pool { interesting: rows(false), uniform: rows(true), rotations, masks }
    }
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
        let pools = isa.value_classes.iter().enumerate().map(|(index, class)| Pool::new(class, key(index))).collect();
        let of_bank = |bank: &'static Bank| bank.held.iter().map(|held| bank.first_row + held.row);
        let held: Vec<usize> = isa.layout.banks.iter().flat_map(of_bank).collect();
        let held = held.first().map_or(0..0, |&first| first..held.last().map_or(first, |last| last + 1));
        Arc::new(Pools { pools, layout: isa.layout, held })
    }

    /// Gives a row what it can hold, whatever it was filled with.
    #[inline]
    fn hold(&self, row_id: usize, bytes: &mut [u8]) {
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
        self.hold(row_id, bytes);
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
static MASKS: [[u32; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut index = 0;
    while index < 256 {
        let mut lane = 0;
        while lane < 8 {
            masks[index][lane] = if index >> lane & 1 != 0 { u32::MAX } else { 0 };
            lane += 1;
        }
        index += 1;
    }
    masks
};

/// All masks of four pairs of lanes, sixteen times each.
static PAIR_MASKS: [[u32; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut index = 0;
    while index < 256 {
        let mut lane = 0;
        while lane < 8 {
            masks[index][lane] = if index >> (lane / 2) & 1 != 0 { u32::MAX } else { 0 };
            lane += 1;
        }
        index += 1;
    }
    masks
};

/// The read port: salts a row from the pools when it is first read.
pub struct Salter {
    pools: Arc<Pools>,
    key: u64,
    plan: SaltPlan,
    corners_only: bool,
    /// Kinds of data that can be avoided, at most 64.
    kinds: Arc<[DataAtom]>,
    narrowing: Narrowing,
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
        let (plan, narrowing) = (SaltPlan::default(), Narrowing::default());
        Salter { pools, key: 0, plan, corners_only: false, kinds, narrowing }
    }

    /// Narrows what a row was filled with, that of constants too: whoever refuses what they hold could not be asked for
    /// anything else of them.
    #[cold]
    fn narrow_row(&self, bank: usize, row_id: usize, bytes: &mut [u8]) {
        if let Some(fill) = self.narrowing.fill.filter(|fill| fill.bank == bank) {
            let count = bytes.len() / fill.datum_bytes;
            let odd = mix64(self.key ^ row_id as u64) as usize % count.max(1);
            for (place, datum) in bytes.chunks_exact_mut(fill.datum_bytes).enumerate() {
                let value = fill.odd.filter(|_| place == odd).unwrap_or(fill.value);
                datum.copy_from_slice(&value.to_le_bytes()[..fill.datum_bytes]);
            }
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if kind.bank == bank && self.narrowing.avoid >> place & 1 != 0 {
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
        self.narrowing = Narrowing::default();
    }

    fn narrow(&mut self, to: &Narrowing) {
        self.narrowing = *to;
    }

    #[inline]
    fn fill(&mut self, bank: usize, row_id: usize, bytes: &mut [u8]) {
        self.pools.compose(usize::from(self.plan.class_of(bank, row_id)), self.key, row_id, self.corners_only, bytes);
        if self.narrowing != Narrowing::default() {
            self.narrow_row(bank, row_id, bytes);
        }
    }
}
