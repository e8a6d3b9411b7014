//! What a campaign has tried beside its cells: which combinations of levels of any three orthogonal axes, and which bits of
//! the case's fields were 0 and were 1.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tandem_isa::{Axis, Code, Instruction, Layout, Levels};

/// Tuples covered, of all there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TupleCover {
    /// Combinations tried.
    pub covered: u64,
    /// Combinations there are.
    pub total: u64,
}

impl TupleCover {
    /// The share covered, in `0.0..=1.0`.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.total == 0 { 1.0 } else { self.covered as f64 / self.total as f64 }
    }
}

/// A count of three-way combinations, and of bits.
///
/// All levels of all axes stand side by side, a bit each, so that a case is a pattern with one bit an axis. For each level of
/// an axis with each level of a later one there is a row of such patterns put together, of the axes behind both.
pub struct Coverage {
    axes: &'static [Axis],
    /// The bit of each axis' first level, and behind the last the number of bits.
    first: Vec<usize>,
    pairs: Vec<Pair>,
    /// Those that lack something, so that what is complete costs nothing.
    open: Vec<usize>,
    rows: Vec<u64>,
    /// The bits that were seen.
    pub(crate) seen: BitsSeen,
}

/// Two axes, and their rows.
struct Pair {
    axes: [usize; 2],
    /// The first word of their first row; rows follow in the order of the first axis' levels and then of the second's.
    at: usize,
    /// The words of a pattern that a row has.
    words: Range<usize>,
    /// The bits of the first of these words that belong to axes behind both.
    mask: u64,
    /// How many levels the axes have.
    levels: [usize; 2],
    /// Combinations of theirs that there are, and that are not covered.
    total: u64,
    left: u64,
}

impl Pair {
    fn row(&self, levels: [usize; 2]) -> Range<usize> {
        let start = self.at + (levels[0] * self.levels[1] + levels[1]) * self.words.len();
        start..start + self.words.len()
    }

    fn rows(&self) -> Range<usize> {
        self.at..self.at + self.levels[0] * self.levels[1] * self.words.len()
    }

    /// Adds to a word of its rows what is covered.
    #[inline]
    fn take(&mut self, word: &mut u64, covered: u64) {
        let new = covered & !*word;
        // In most cases nothing is new, and many CPUs are only known to count bits one by one.
        if new != 0 {
            self.left = self.left.saturating_sub(new.count_ones().into());
            *word |= new;
        }
    }
}

impl Coverage {
    /// Nothing covered yet.
    #[must_use]
    pub fn new(axes: &'static [Axis]) -> Self {
        let mut first = vec![0];
        first.extend(axes.iter().scan(0, |bits, axis| {
            *bits += axis.levels.len();
            Some(*bits)
        }));
        let bits = first[axes.len()];
        assert!(bits <= 64 * PATTERN_WORDS, "orthogonal axes have at most {} levels together", 64 * PATTERN_WORDS);
        let (mut pairs, mut words) = (Vec::new(), 0);
        for a in 0..axes.len() {
            for b in a + 1..axes.len().saturating_sub(1) {
                let behind = first[b + 1];
                let levels = [a, b].map(|axis| axes[axis].levels.len());
                let total = (levels[0] * levels[1] * (bits - behind)) as u64;
                let pair = Pair {
                    axes: [a, b],
                    at: words,
                    words: behind / 64..bits.div_ceil(64),
                    mask: u64::MAX << (behind % 64),
                    levels,
                    total,
                    left: total,
                };
                words = pair.rows().end;
                pairs.push(pair);
            }
        }
        let open = (0..pairs.len()).collect();
        Coverage { axes, first, pairs, open, rows: vec![0; words], seen: BitsSeen::default() }
    }

    /// Counts a case with these levels.
    pub fn add(&mut self, levels: &Levels) {
        if self.open.is_empty() {
            return;
        }
        let mut pattern = [0_u64; PATTERN_WORDS];
        for (first, &level) in self.first.iter().zip(&levels[..self.axes.len()]) {
            let bit = first + usize::from(level);
            pattern[bit / 64] |= 1 << (bit % 64);
        }
        self.open.retain(|&open| {
            let pair = &mut self.pairs[open];
            let [x, y] = pair.axes;
            let row = pair.row([levels[x].into(), levels[y].into()]);
            let mut mask = pair.mask;
            for (word, pattern) in self.rows[row].iter_mut().zip(&pattern[pair.words.clone()]) {
                pair.take(word, pattern & mask);
                mask = u64::MAX;
            }
            pair.left > 0
        });
    }

    /// Adds what another count has covered.
    pub fn merge(&mut self, other: &Coverage) {
        self.open.retain(|&open| {
            let pair = &mut self.pairs[open];
            for (word, other) in self.rows[pair.rows()].iter_mut().zip(&other.rows[pair.rows()]) {
                pair.take(word, *other);
            }
            pair.left > 0
        });
        self.seen.merge(&other.seen);
    }

    /// What was tried, a bit for each combination.
    pub(crate) fn words(&self) -> &[u64] {
        &self.rows
    }

    /// Adds what an earlier part of the run has covered; false if that were other combinations.
    pub(crate) fn go_on(&mut self, words: &[u64]) -> bool {
        if words.len() != self.rows.len() {
            return false;
        }
        self.rows.copy_from_slice(words);
        for pair in &mut self.pairs {
            pair.left = pair.total.saturating_sub(ones(&self.rows[pair.rows()]));
        }
        self.open = (0..self.pairs.len()).filter(|&pair| self.pairs[pair].left > 0).collect();
        true
    }

    /// How much is covered.
    #[must_use]
    pub fn cover(&self) -> TupleCover {
        let total = self.pairs.iter().map(|pair| pair.total).sum();
        let left: u64 = self.open.iter().map(|&open| self.pairs[open].left).sum();
        TupleCover { covered: total - left, total }
    }

    /// Combinations not covered, in words, at most `most` of them.
    #[must_use]
    pub fn missing(&self, most: usize) -> Vec<String> {
        let missing = self.pairs.iter().flat_map(|pair| {
            let [x, y] = pair.axes.map(|axis| &self.axes[axis]);
            let third = self.axes.iter().zip(&self.first).skip(pair.axes[1] + 1);
            third.flat_map(move |(z, first)| {
                let levels = (0..x.levels.len()).flat_map(|i| (0..y.levels.len()).map(move |j| [i, j]));
                levels.flat_map(move |[i, j]| {
                    let row = &self.rows[pair.row([i, j])];
                    let is_missing = move |k: &usize| {
                        let bit = first + k - 64 * pair.words.start;
                        row[bit / 64] >> (bit % 64) & 1 == 0
                    };
                    let name = move |k| {
                        let [i, j, k] = [x.levels[i], y.levels[j], z.levels[k]];
                        format!("{}={i} {}={j} {}={k}", x.name, y.name, z.name)
                    };
                    (0..z.levels.len()).filter(is_missing).map(name)
                })
            })
        });
        missing.take(most).collect()
    }
}

/// Words of a pattern at most.
const PATTERN_WORDS: usize = 8;

fn ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Which bits of code words and small state were seen as 0, and which as 1, in cases for which something is promised. Where
/// such a bit makes no difference to the reference, every target was asked whether it makes one to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitsSeen {
    /// The case under way: the code words and then the small state, as bytes, of which eight are a word.
    case: Vec<u8>,
    /// For each bit of such a case, whether it was 0 and whether it was 1.
    as_value: [Vec<u64>; 2],
}

/// Bits of the fields of code words and state, seen as 0 and as 1 in cases for which something is promised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitCover {
    /// Pairs of a bit and a value that were seen.
    pub seen: u64,
    /// Those there are: two for a bit, one if no state has it as 1.
    pub total: u64,
    /// Those that were not, in words: a field, and its bits that never were 0, or never 1.
    pub unseen: Vec<String>,
}

impl BitsSeen {
    /// Takes down a case before it is run.
    pub(crate) fn begin(&mut self, code: &Code, small: &[u8]) {
        self.case.clear();
        self.case.extend(code.iter().flat_map(|word| word.to_le_bytes()));
        self.case.extend_from_slice(small);
        self.case.resize(self.case.len().next_multiple_of(8), 0);
    }

    /// Counts the case that was taken down.
    pub(crate) fn count(&mut self) {
        for (value, seen) in self.as_value.iter_mut().enumerate() {
            let flip = if value == 0 { u64::MAX } else { 0 };
            let (words, _) = self.case.as_chunks();
            seen.resize(words.len(), 0);
            seen.iter_mut().zip(words).for_each(|(seen, word)| *seen |= u64::from_le_bytes(*word) ^ flip);
        }
    }

    fn merge(&mut self, other: &BitsSeen) {
        for (seen, other) in self.as_value.iter_mut().zip(&other.as_value) {
            seen.resize(seen.len().max(other.len()), 0);
            seen.iter_mut().zip(other).for_each(|(seen, other)| *seen |= other);
        }
    }

    /// What was seen as 0 and as 1, for a checkpoint.
    pub(crate) fn words(&self) -> [Vec<u64>; 2] {
        self.as_value.clone()
    }

    /// Whether an earlier part of the run of an instruction can have seen it.
    pub(crate) fn fit(words: &[Vec<u64>; 2], instruction: &Instruction, layout: &Layout) -> bool {
        let most = (4 * instruction.base_code.len() + layout.small_bytes).div_ceil(8);
        words.iter().all(|words| words.len() <= most)
    }

    /// Adds what an earlier part of the run has seen.
    pub(crate) fn go_on(&mut self, words: [Vec<u64>; 2]) {
        self.merge(&BitsSeen { as_value: words, case: Vec::new() });
    }

    /// What was seen of an instruction's fields and of the state's.
    pub(crate) fn cover(&self, instruction: &Instruction, layout: &Layout) -> BitCover {
        let code_bytes = 4 * instruction.base_code.len();
        let of_code = instruction.code_fields.iter().map(|field| {
            let ones = if field.width >= 32 { u32::MAX } else { (1 << field.width) - 1 };
            (field.name, 32 * field.word + field.shift as usize, ones)
        });
        // What no background gives a value is zero in nearly all cases, or no state at all.
        let of_state = (layout.fields)().iter().filter(|field| field.role.is_drawn()).map(|field| {
            let ones = u32::MAX.checked_shr(field.max.leading_zeros()).unwrap_or(0);
            (&*field.name, 8 * (code_bytes + field.byte) + field.shift as usize, ones)
        });
        let mut cover = BitCover::default();
        for (name, first, ones) in of_code.chain(of_state) {
            for (value, seen) in self.as_value.iter().enumerate() {
                let is_seen = |bit: &u32| {
                    let at = first + *bit as usize;
                    seen.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
                };
                let (had, missed): (Vec<u32>, Vec<u32>) = (0..32).filter(|bit| ones >> bit & 1 != 0).partition(is_seen);
                cover.seen += had.len() as u64;
                cover.total += (had.len() + missed.len()) as u64;
                if !missed.is_empty() {
                    let word = if missed.len() == 1 { "bit" } else { "bits" };
                    cover.unseen.push(format!("{name}, {word} {}: never {value}", runs(&missed)));
                }
            }
        }
        cover
    }
}

/// Ascending numbers, in runs: `0, 2-5`.
fn runs(numbers: &[u32]) -> String {
    let of_run = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run[0].to_string(),
    };
    numbers.chunk_by(|a, b| a + 1 == *b).map(of_run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use tandem_isa::{AlignedBytes, Edition, Isa, MAX_AXES};

    use super::*;

    /// An instruction with fields of more than one word, and states of it.
    fn dpas() -> (&'static Instruction, &'static Layout) {
        let of_isa = |isa: &&'static Isa| isa.instruction("DPAS").map(|instruction| (instruction, isa.layout));
        tandem_cases::ISAS.iter().find_map(of_isa).expect("it is listed")
    }

    fn seen(cases: &[(Code, AlignedBytes)]) -> BitsSeen {
        let mut seen = BitsSeen::default();
        for (code, small) in cases {
            seen.begin(code, small);
            seen.count();
        }
        seen
    }

    #[test]
    fn a_field_is_named_with_the_bits_that_lack_a_value_and_a_case_that_is_not_counted_shows_nothing() {
        let (instruction, layout) = dpas();
        let small = AlignedBytes::zeroed(layout.small_bytes);
        let nothing = BitsSeen::default().cover(instruction, layout);
        assert_eq!((nothing.seen, nothing.total > 200), (0, true));
        let zeros = Code::new(&vec![0; instruction.base_code.len()]);
        let only_zeros = seen(&[(zeros, small.clone())]).cover(instruction, layout);
        assert!(only_zeros.unseen.iter().all(|text| text.ends_with(": never 1")), "{:?}", only_zeros.unseen);

        let field = instruction.code_field("W").expect("it has eight bits");
        let with = |value| {
            let mut code = zeros;
            field.set(&mut code, value);
            (code, small.clone())
        };
        let mut counted = seen(&[with(0b0000_0101), with(0b0000_0001)]);
        counted.begin(&Code::new(&vec![u32::MAX; zeros.len()]), &small);
        let missed = counted.cover(instruction, layout).unseen;
        let of_field: Vec<_> = missed.iter().filter(|text| text.starts_with("W, ")).collect();
        assert_eq!(of_field, ["W, bit 0: never 0", "W, bits 1, 3-7: never 1"]);
    }

    #[test]
    fn what_is_complete_stays_so_and_what_is_taken_up_counts_on() {
        let axes = (dpas().0.orthogonal)(Edition::Newest);
        let (mut all, mut noise) = (Coverage::new(axes), tandem_isa::Noise::new(1));
        let draw = |axis: usize, noise: &mut tandem_isa::Noise| noise.below(axes[axis].levels.len()) as u8;
        let mut levels = [0; MAX_AXES];
        // Until the pairs with few levels are complete.
        while all.open.len() > all.pairs.len() / 2 {
            (0..axes.len()).for_each(|axis| levels[axis] = draw(axis, &mut noise));
            all.add(&levels);
        }
        let is_counted = |cover: &Coverage| {
            let missing = cover.missing(usize::MAX).len() as u64;
            assert_eq!((cover.cover().covered + missing, cover.open.len()), (cover.cover().total, all.open.len()));
        };
        is_counted(&all);
        let mut taken_up = Coverage::new(axes);
        assert!(taken_up.go_on(all.words()));
        is_counted(&taken_up);
        let mut merged = Coverage::new(axes);
        merged.merge(&all);
        merged.merge(&all);
        is_counted(&merged);
        taken_up.add(&levels);
        assert_eq!(taken_up.cover(), all.cover());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn combinations_are_counted_once_and_those_left_are_named(
            cases in prop::collection::vec(any::<[u8; MAX_AXES]>(), 1..6),
            part in 0_usize..6,
        ) {
            let axes = (dpas().0.orthogonal)(Edition::Newest);
            let levels = |case: &[u8; MAX_AXES]| {
                let mut levels = *case;
                levels.iter_mut().zip(axes).for_each(|(level, axis)| *level %= axis.levels.len() as u8);
                levels
            };
            let name = |levels: &Levels, axis: usize| format!("{}={}", axes[axis].name, axes[axis].levels[usize::from(levels[axis])]);
            let mut plain = BTreeSet::new();
            let (mut first, mut second) = (Coverage::new(axes), Coverage::new(axes));
            for (place, levels) in cases.iter().map(levels).enumerate() {
                if place < part { first.add(&levels) } else { second.add(&levels) }
                for c in 2..axes.len() {
                    for b in 1..c {
                        plain.extend((0..b).map(|a| [a, b, c].map(|axis| name(&levels, axis)).join(" ")));
                    }
                }
            }
            first.merge(&second);
            prop_assert_eq!(first.cover().covered, plain.len() as u64);
            let missing: BTreeSet<String> = first.missing(usize::MAX).into_iter().collect();
            prop_assert!(missing.is_disjoint(&plain));
            prop_assert_eq!((missing.len() + plain.len()) as u64, first.cover().total);
        }

    }

    proptest! {
        #[test]
        fn what_was_seen_apart_is_what_was_seen_together(
            words in prop::collection::vec(any::<u32>(), 2..6),
            part in 0_usize..6,
        ) {
            let (instruction, layout) = dpas();
            let case = |word: &u32| {
                let mut small = AlignedBytes::zeroed(layout.small_bytes);
                small.iter_mut().enumerate().for_each(|(place, byte)| *byte = word.rotate_left(place as u32) as u8);
                (Code::new(&vec![*word; instruction.base_code.len()]), small)
            };
            let cases: Vec<_> = words.iter().map(case).collect();
            let together = seen(&cases);
            let (first, second) = cases.split_at(part.min(cases.len()));
            let mut apart = seen(first);
            apart.go_on(seen(second).words());
            prop_assert_eq!(apart.cover(instruction, layout), together.cover(instruction, layout));
        }
    }
}
