//! Holding: cases are changed until no rule refuses them.

use std::sync::Arc;

use tandem_isa::{Noise, Overlay, Parts};

use super::lens::{Lens, View};
use super::rule::{Atom, DataAtom, Rule, Rules, Test};

/// Times that all rules are gone through, since what breaks one may meet another.
const PASSES: usize = 6;

/// Rules in force: how cases are drawn so that none of them refuses.
#[derive(Clone)]
pub struct Held {
    view: View,
    /// The rules.
    pub rules: Arc<Rules>,
    /// For each rule and condition, the value that the lens has in a case that is answered.
    homes: Vec<Vec<u32>>,
    /// For each rule with a condition on data, its place among these.
    data_places: Vec<Option<u32>>,
    kinds: Arc<[DataAtom]>,
    /// Cells of which the rules leave something.
    pub offered: Arc<[u32]>,
}

/// How a case came out of holding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// Whether no rule refuses it.
    pub(crate) fits: bool,
    /// The kinds of data that it must avoid.
    pub(crate) avoid: u64,
}

impl Held {
    /// Holds rules. For each rule and condition, `homes` has the value of a case that the target answers.
    #[must_use]
    pub fn new(view: View, rules: Arc<Rules>, homes: Vec<Vec<u32>>, offered: Vec<u32>) -> Self {
        let mut kinds = Vec::new();
        let data_places = rules.list.iter().map(|rule| {
            let data = rule.data.as_ref().filter(|_| kinds.len() < 64)?;
            kinds.push(data.clone());
            u32::try_from(kinds.len() - 1).ok()
        });
        let data_places = data_places.collect();
        Held { view, rules, homes, data_places, kinds: kinds.into(), offered: offered.into() }
    }

    /// The kinds of data that cases can avoid.
    #[must_use]
    pub fn kinds(&self) -> Arc<[DataAtom]> {
        Arc::clone(&self.kinds)
    }

    /// What it looks at.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Changes a case until no rule refuses it, without leaving its cell.
    pub(crate) fn hold(&self, parts: &mut Parts<'_>, noise: &mut Noise) -> Fit {
        let mut met = true;
        for _ in 0..PASSES {
            met = false;
            for (rule, homes) in self.rules.list.iter().zip(&self.homes) {
                if rule.data.is_none() && rule.meets(&self.view, parts) {
                    met = true;
                    let _ = self.break_rule(rule, homes, parts, noise);
                }
            }
            if !met {
                break;
            }
        }
        if met { self.fit(parts) } else { Fit { fits: true, avoid: self.avoid(parts) } }
    }

    /// Whether rules refuse a case as it is.
    pub(crate) fn fit(&self, parts: &Parts<'_>) -> Fit {
        let met = self.rules.list.iter().any(|rule| rule.data.is_none() && rule.meets(&self.view, parts));
        Fit { fits: !met, avoid: self.avoid(parts) }
    }

    /// Whether some operands are data of the kinds in `watched`.
    pub(crate) fn refuses_data(&self, watched: u64, operands: &Overlay) -> bool {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter(|(place, _)| watched >> place & 1 != 0).any(|(_, kind)| kind.holds(self.view.isa.layout, operands))
    }

    /// The kinds of data that would have a case refused.
    fn avoid(&self, parts: &Parts<'_>) -> u64 {
        if self.kinds.is_empty() {
            return 0;
        }
        let rules = self.rules.list.iter().zip(&self.data_places);
        let met = rules.filter_map(|(rule, place)| place.filter(|_| rule.meets(&self.view, parts)));
        met.fold(0, |avoid, place| avoid | 1 << place)
    }

    /// Makes one condition of a rule false that is met.
    fn break_rule(&self, rule: &Rule, homes: &[u32], parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        let count = rule.all.len();
        let first = noise.below(count);
        (0..count).map(|step| (first + step) % count).any(|place| {
            let atom = &rule.all[place];
            // The cell is not ours to change.
            !matches!(atom.lens, Lens::Path(_)) && self.break_atom(atom, homes[place], parts, noise)
        })
    }

    /// Makes a condition false: near to what it is, so that cases stay as different as they can be.
    fn break_atom(&self, atom: &Atom, home: u32, parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        let view = &self.view;
        let cell = view.cells.classify_levels(parts);
        let value = view.get(atom.lens, parts);
        let near = match &atom.test {
            Test::Bits(mask) => value & !mask,
            Test::AtLeast(least) if least.is_power_of_two() => value & (least - 1),
            Test::AtLeast(least) => value % (*least).max(1),
            Test::Not(other) => *other,
            Test::In(_) => {
                let largest = view.largest(atom.lens);
                if largest < 64 { noise.bits(16) % (largest + 1) } else { home }
            }
        };
        for wanted in [near, home] {
            if atom.test.holds(wanted) {
                continue;
            }
            let (code, small) = (parts.code.to_vec(), parts.small.to_vec());
            if view.set(atom.lens, parts, wanted, noise) && view.cells.classify_levels(parts) == cell {
                return true;
            }
            parts.code.copy_from_slice(&code);
            parts.small.copy_from_slice(&small);
        }
        false
    }
}
