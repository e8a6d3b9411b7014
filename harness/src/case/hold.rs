//! Holding: cases are changed until no rule refuses them.

use std::sync::{Arc, OnceLock};

use tandem_isa::{FieldRole, Noise, Overlay, Parts};

use crate::case::{DrawnCase, Plain};
use crate::terms::{Atom, DataAtom, Lens, Rules, Test, View, without_indices};

/// Times that all rules are gone through, since what breaks one may meet another.
const PASSES: usize = 4;
/// The pass from which on a sum is changed in all its parts, because one part alone did not do.
const WHOLE: usize = 2;

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
    /// For each rule and condition, the fields that a quantity is made of.
    supports: Vec<Vec<Support>>,
    plain: Arc<Plain>,
    /// Plain cases, of the cells for which one was needed.
    plains: Arc<[OnceLock<DrawnCase>]>,
    /// Cells of which the rules leave something, and that are wanted.
    pub offered: Arc<[u32]>,
    narrow: Narrow,
}

/// The fields that a quantity is made of, each with its value in a plain case.
#[derive(Clone, Debug, Default)]
struct Support {
    code: Vec<(usize, u32)>,
    fields: Vec<(usize, u32)>,
}

impl Support {
    /// The fields that change a quantity when they change, and their other instances.
    fn of(view: &View, lens: Lens, case: &DrawnCase) -> Self {
        let mut support = Support::default();
        if !matches!(lens, Lens::Quantity(_)) {
            return support;
        }
        let fields = (view.isa.layout.fields)();
        let mut case = case.clone();
        let parts = case.parts();
        let plain = view.get(lens, &parts);
        for (place, field) in view.instruction.code_fields.iter().enumerate() {
            let was = field.get(parts.code);
            let changes = [was ^ 1, !was].into_iter().any(|value| {
                field.set(parts.code, value);
                view.get(lens, &parts) != plain
            });
            field.set(parts.code, was);
            if changes {
                support.code.push((place, was));
            }
        }
        let mut stems: Vec<String> = Vec::new();
        for field in fields {
            let was = field.get(parts.small);
            let changes = [(was ^ 1).min(field.max), field.max].into_iter().any(|value| {
                field.set(parts.small, value);
                view.get(lens, &parts) != plain
            });
            field.set(parts.small, was);
            let stem = without_indices(&field.name);
            if changes && !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        for (place, field) in fields.iter().enumerate() {
            if stems.contains(&without_indices(&field.name)) && field.role != FieldRole::Context {
                support.fields.push((place, field.get(parts.small)));
            }
        }
        support
    }

    fn is_empty(&self) -> bool {
        self.code.is_empty() && self.fields.is_empty()
    }
}

/// What a run is narrowed to, by whoever asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrow {
    /// The cells; nothing for all.
    pub cells: Option<Vec<u32>>,
    /// Numbers with a value of their own, which holding keeps.
    pub pins: Vec<(Lens, u32)>,
    /// Plain cases only.
    pub plain: bool,
}

impl Narrow {
    /// Whether nothing is left out.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Narrow::default()
    }

    /// Gives a case the pinned values that it has not.
    pub(crate) fn pin(&self, view: &View, parts: &mut Parts<'_>, noise: &mut Noise) {
        for &(lens, value) in &self.pins {
            if view.get(lens, parts) != value {
                let _ = view.set(lens, parts, value, noise);
            }
        }
    }

    /// Whether a case has all pinned values.
    pub(crate) fn is_pinned(&self, view: &View, parts: &Parts<'_>) -> bool {
        self.pins.iter().all(|&(lens, value)| view.get(lens, parts) == value)
    }
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
        let plain = Arc::new(Plain::new(view.isa, view.instruction, view.edition));
        let case = plain.case(offered.first().map_or(0, |&cell| cell as usize));
        let supports =
            rules.list.iter().map(|rule| rule.all.iter().map(|atom| Support::of(&view, atom.lens, &case)).collect());
        let supports = supports.collect();
        let plains = (0..view.cells.len()).map(|_| OnceLock::new()).collect();
        Held {
            view,
            rules,
            homes,
            data_places,
            kinds: kinds.into(),
            supports,
            plain,
            plains,
            offered: offered.into(),
            narrow: Narrow::default(),
        }
    }

    /// The same, narrowed.
    #[must_use]
    pub fn narrowed(mut self, narrow: &Narrow) -> Self {
        if let Some(cells) = &narrow.cells {
            let offered = self.offered.iter().copied().filter(|cell| cells.contains(cell)).collect::<Vec<_>>();
            // Where nothing of it is offered, that is what is to be seen.
            self.offered = if offered.is_empty() { cells.clone() } else { offered }.into();
        }
        self.narrow = narrow.clone();
        self
    }

    /// Whether some cases ask for what rules refuse.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.narrow.is_all()
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
        if self.narrow.plain {
            self.calm(parts, u64::MAX, noise);
        }
        self.narrow.pin(&self.view, parts, noise);
        let mut fits = self.break_rules(parts, noise);
        // Conditions on sums and on their parts can chase each other: then some fields become plain, and at last all.
        for mask in [3, u64::MAX] {
            if fits {
                break;
            }
            self.calm(parts, mask, noise);
            self.narrow.pin(&self.view, parts, noise);
            fits = self.break_rules(parts, noise);
        }
        Fit { fits, avoid: self.avoid(parts) }
    }

    /// Breaks all rules but one. Whether the case then meets that one, and no other.
    pub(crate) fn hold_but(&self, spared: usize, parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        let broken = (0..PASSES).any(|_| !self.break_met(Some(spared), false, parts, noise));
        broken && self.rules.list[spared].meets(&self.view, parts)
    }

    /// Breaks rules until none is met, or for some passes.
    fn break_rules(&self, parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        (0..PASSES).any(|pass| !self.break_met(None, pass >= WHOLE, parts, noise)) || self.fit(parts).fits
    }

    /// Breaks each rule that is met, but for one that is spared. Whether there was any.
    fn break_met(&self, spared: Option<usize>, whole: bool, parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        let mut met = false;
        for (place, rule) in self.rules.list.iter().enumerate() {
            if spared != Some(place) && rule.data.is_none() && rule.meets(&self.view, parts) {
                met = true;
                let _ = self.break_rule(place, whole, parts, noise);
            }
        }
        met
    }

    /// Makes fields as they are in the plain case of the cell: those for which a draw has a bit of `mask`.
    fn calm(&self, parts: &mut Parts<'_>, mask: u64, noise: &mut Noise) {
        let Some(cell) = self.view.cells.classify(parts) else { return };
        let DrawnCase { code, small, .. } = self.plains[cell].get_or_init(|| self.plain.case(cell));
        let before = (parts.code.to_vec(), parts.small.to_vec());
        for field in (self.view.isa.layout.fields)().iter().filter(|field| field.role != FieldRole::Model) {
            let value = field.get(small);
            let chosen = mask == u64::MAX || u64::from(noise.half()) & mask != 0;
            if chosen && field.get(parts.small) != value {
                field.set(parts.small, value);
            }
        }
        for field in self.view.instruction.code_fields {
            if u64::from(noise.half()) & mask != 0 || mask == u64::MAX {
                field.set(parts.code, field.get(code));
            }
        }
        // The parts of the cell that other fields select go with them.
        if self.view.cells.classify(parts) != Some(cell) {
            parts.code.copy_from_slice(&before.0);
            parts.small.copy_from_slice(&before.1);
        }
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
    fn break_rule(&self, place: usize, whole: bool, parts: &mut Parts<'_>, noise: &mut Noise) -> bool {
        let (rule, homes, supports) = (&self.rules.list[place], &self.homes[place], &self.supports[place]);
        let count = rule.all.len();
        let first = noise.below(count);
        (0..count).map(|step| (first + step) % count).any(|place| {
            let atom = &rule.all[place];
            // The cell is not ours to change.
            let by_parts = || whole && !supports[place].is_empty();
            !matches!(atom.lens, Lens::Path(_))
                && if by_parts() {
                    self.break_parts(atom, &supports[place], parts)
                } else {
                    self.break_atom(atom, homes[place], parts, noise)
                }
        })
    }

    /// Makes a condition on a quantity false by all the fields that it is made of.
    fn break_parts(&self, atom: &Atom, support: &Support, parts: &mut Parts<'_>) -> bool {
        let cell = self.view.cells.classify_levels(parts);
        let before = (parts.code.to_vec(), parts.small.to_vec());
        let near = |value: u32, plain: u32| match atom.test {
            Test::Bits(mask) if plain & mask == 0 => value & !mask,
            _ => plain,
        };
        for &(place, plain) in &support.code {
            let field = &self.view.instruction.code_fields[place];
            field.set(parts.code, near(field.get(parts.code), plain));
        }
        let fields = (self.view.isa.layout.fields)();
        for &(place, plain) in &support.fields {
            fields[place].set(parts.small, near(fields[place].get(parts.small), plain));
        }
        let kept = self.view.cells.classify_levels(parts) == cell && self.narrow.is_pinned(&self.view, parts);
        if !kept {
            parts.code.copy_from_slice(&before.0);
            parts.small.copy_from_slice(&before.1);
        }
        kept && !atom.holds(&self.view, parts)
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
            let kept = view.set(atom.lens, parts, wanted, noise)
                && view.cells.classify_levels(parts) == cell
                && self.narrow.is_pinned(view, parts);
            if kept {
                return true;
            }
            parts.code.copy_from_slice(&code);
            parts.small.copy_from_slice(&small);
        }
        false
    }
}
