//! What a campaign has tried beside its cells: which combinations of levels of any three orthogonal axes, and which bits of
//! the case's fields were 0 and were 1.

use serde::{Deserialize, Serialize};
use tandem_isa::{Axis, Code, FieldRole, Instruction, Layout, Levels};

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
pub struct Coverage {
    axes: &'static [Axis],
    triples: Vec<(usize, usize, usize, usize)>,
    bits: Vec<u64>,
    cover: TupleCover,
    /// The bits that were seen.
    pub(crate) seen: BitsSeen,
}

impl Coverage {
    /// Nothing covered yet.
    #[must_use]
    pub fn new(axes: &'static [Axis]) -> Self {
        let mut triples = Vec::new();
        let mut total = 0;
        for a in 0..axes.len() {
            for b in a + 1..axes.len() {
                for c in b + 1..axes.len() {
                    triples.push((a, b, c, total));
                    total += axes[a].levels.len() * axes[b].levels.len() * axes[c].levels.len();
                }
            }
        }
        let cover = TupleCover { covered: 0, total: total as u64 };
        Coverage { axes, triples, bits: vec![0; total.div_ceil(64)], cover, seen: BitsSeen::default() }
    }

    /// Counts a case with these levels.
    pub fn add(&mut self, levels: &Levels) {
        if self.cover.covered == self.cover.total {
            return;
        }
        for &(a, b, c, offset) in &self.triples {
            let at = |axis: usize| usize::from(levels[axis]);
            let place = (at(a) * self.axes[b].levels.len() + at(b)) * self.axes[c].levels.len() + at(c) + offset;
            let bit = 1 << (place % 64);
            self.cover.covered += u64::from(self.bits[place / 64] & bit == 0);
            self.bits[place / 64] |= bit;
        }
    }

    /// Adds what another count has covered.
    pub fn merge(&mut self, other: &Coverage) {
        for (word, other) in self.bits.iter_mut().zip(&other.bits) {
            *word |= other;
        }
        self.cover.covered = self.bits.iter().map(|word| u64::from(word.count_ones())).sum();
        self.seen.merge(&other.seen);
    }

    /// What was tried, a bit for each combination.
    pub(crate) fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Adds what an earlier part of the run has covered; false if that were other combinations.
    pub(crate) fn go_on(&mut self, words: &[u64]) -> bool {
        if words.len() != self.bits.len() {
            return false;
        }
        self.bits.copy_from_slice(words);
        self.cover.covered = self.bits.iter().map(|word| u64::from(word.count_ones())).sum();
        true
    }

    /// How much is covered.
    #[must_use]
    pub fn cover(&self) -> TupleCover {
        self.cover
    }

    /// Combinations not covered, in words, at most `most` of them.
    #[must_use]
    pub fn missing(&self, most: usize) -> Vec<String> {
        let mut missing = Vec::new();
        for &(a, b, c, offset) in &self.triples {
            let [x, y, z] = [a, b, c].map(|axis| &self.axes[axis]);
            for place in 0..x.levels.len() * y.levels.len() * z.levels.len() {
                let at = offset + place;
                if self.bits[at / 64] >> (at % 64) & 1 == 0 {
                    let (i, rest) =
                        (place / (y.levels.len() * z.levels.len()), place % (y.levels.len() * z.levels.len()));
                    let (j, k) = (rest / z.levels.len(), rest % z.levels.len());
                    missing.push(format!(
                        "{}={} {}={} {}={}",
                        x.name, x.levels[i], y.name, y.levels[j], z.name, z.levels[k]
                    ));
                    if missing.len() == most {
                        return missing;
                    }
                }
            }
        }
        missing
    }
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
        // A named reading of the pages is no state.
        let of_state = (layout.fields)().iter().filter(|field| field.role != FieldRole::Model).map(|field| {
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
    use proptest::prelude::*;
    use tandem_isa::{AlignedBytes, Isa};

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
