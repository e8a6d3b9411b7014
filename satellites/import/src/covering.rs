//! A covering selection of a recording that is too large to commit.

use std::collections::BTreeSet;

use tandem_harness::vectors::{Outcome, Test, VectorFile};
use tandem_isa::{Levels, MAX_AXES, MAX_BANKS, SaltPlan};

use super::Imported;
use super::witness::Witness;

/// Tests in a covering selection.
pub const COVERING: usize = 400;

/// The `count` tests that cover most: cells, pairs of levels of orthogonal axes, outcomes, and what else the recorded
/// implementation varies, for each byte that they take.
#[must_use]
pub fn covering(imported: &Imported, count: usize) -> VectorFile {
    let (file, witness) = (&imported.file, imported.witness);
    let tests: Vec<&Test> = file.tests().map(|(_, test)| test).collect();
    let sizes: Vec<usize> = tests
        .iter()
        .map(|test| {
            let mut single = VectorFile::new(file.isa, file.instruction, file.source.clone());
            single.add((*test).clone());
            single.to_text().len()
        })
        .collect();
    let features: Vec<BTreeSet<[usize; 4]>> = tests.iter().map(|test| features(witness, file, test)).collect();
    let mut covered: BTreeSet<[usize; 4]> = BTreeSet::new();
    let mut left: Vec<usize> = (0..tests.len()).collect();
    let mut chosen = file.clone();
    chosen.groups.clear();
    for _ in 0..count.min(tests.len()) {
        let gain = |index: usize| features[index].difference(&covered).count();
        // New features for each byte, small tests preferred; compared without division, the earlier one wins a tie.
        let best = left.iter().copied().reduce(|best, next| {
            let weight = |index: usize| sizes[index].pow(3);
            let better = gain(next) * weight(best) > gain(best) * weight(next)
                || (gain(next) == 0 && gain(best) == 0 && sizes[next] < sizes[best]);
            if better { next } else { best }
        });
        let Some(best) = best else { break };
        left.retain(|&index| index != best);
        covered.extend(features[best].iter().copied());
        chosen.add(tests[best].clone());
    }
    chosen.sort();
    chosen
}

/// What a test covers: each feature is a kind and what tells it apart.
fn features(witness: &Witness, file: &VectorFile, test: &Test) -> BTreeSet<[usize; 4]> {
    let (isa, instruction, edition) = (file.isa, file.instruction, test.newest());
    let axes = (instruction.orthogonal)(edition);
    let levels: Levels = test.with_parts(isa, |parts| {
        // What the state holds is looked at below; axes of it only have to have some level.
        *parts.salt = SaltPlan { class: [witness.background; MAX_BANKS], ..*parts.salt };
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip(axes) {
            *level = u8::try_from((axis.get)(parts)).unwrap_or(u8::MAX);
        }
        levels
    });
    let level = |axis: usize| usize::from(levels[axis]);
    let mut features = BTreeSet::from([
        // A cell counts much.
        [0, test.cell(isa, instruction, edition).unwrap_or(usize::MAX), 0, 0],
        [1, usize::from(test.outcome == Outcome::Blocked), test.editions.len(), 0],
    ]);
    features.extend((witness.covers)(file, test, &levels).into_iter().map(|[one, two, three]| [2, one, two, three]));
    for one in 0..axes.len() {
        for other in one + 1..axes.len() {
            features.insert([3, one * axes.len() + other, level(one), level(other)]);
        }
    }
    features
}
