//! Kernels with one act left out, moved, or doubled.

use tandem_isa::{Noise, mix64};

use super::{Kernel, Turn};

/// A kernel with a mistake.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The act that it is about, in the kernel without it.
    pub turn: Turn,
    /// What was done to it, for example `left out` or `moved behind act 5`.
    pub what: String,
    /// The kernel.
    pub kernel: Kernel,
}

/// Mutants of a kernel, drawn without repetition by a seed: at most `count`.
#[must_use]
pub fn mutants(kernel: &Kernel, seed: u64, count: usize) -> Vec<Mutant> {
    let acts = kernel.threads.iter().enumerate();
    let turns: Vec<Turn> =
        acts.flat_map(|(thread, lines)| (0..lines.len()).map(move |act| Turn { thread, act })).collect();
    let mut all = Vec::new();
    for &turn in &turns {
        let lines = &kernel.threads[turn.thread];
        let with = |change: &dyn Fn(&mut Vec<super::KernelLine>)| {
            let mut changed = Kernel { order: None, finds: None, ..kernel.clone() };
            change(&mut changed.threads[turn.thread]);
            changed
        };
        let act = turn.act;
        all.push((turn, "left out".to_string(), with(&|lines| drop(lines.remove(act)))));
        all.push((turn, "doubled".to_string(), with(&|lines| lines.insert(act, lines[act].clone()))));
        for to in (0..lines.len())
            .filter(|&to| to != act && lines[to.min(act)..=to.max(act)].iter().any(|one| one.act != lines[act].act))
        {
            let what = format!("moved {} act {}", if to > act { "behind" } else { "before" }, to + 1);
            let moved = with(&|lines| {
                let line = lines.remove(act);
                lines.insert(to, line);
            });
            all.push((turn, what, moved));
        }
    }
    let mut noise = Noise::new(mix64(seed));
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        let (turn, what, kernel) = all.swap_remove(noise.below(all.len()));
        drawn.push(Mutant { turn, what, kernel });
    }
    drawn
}
