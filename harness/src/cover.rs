//! Coverage of the orthogonal axes: which combinations of levels of any three axes have been tried.

use tandem_isa::{Axis, Levels};

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

/// A count of three-way combinations.
pub struct Coverage {
    axes: &'static [Axis],
    triples: Vec<(usize, usize, usize, usize)>,
    bits: Vec<u64>,
    cover: TupleCover,
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
        Coverage { axes, triples, bits: vec![0; total.div_ceil(64)], cover }
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
