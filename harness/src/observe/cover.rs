//! Covering: the shortest conjunction that tells a refused case from all answered ones, and refuses most.

use crate::case::Question;
use crate::terms::{Atom, Lens, MOST_ATOMS, Rule, View};

/// Which of some cases meet a condition, a bit for each.
type Bits = Vec<u64>;

/// The lenses of a view, each with its place.
pub(super) struct Lenses {
    pub(super) list: Vec<Lens>,
    /// For each kind of lens the places of those that there are, by their numbers.
    places: [Vec<Option<usize>>; 8],
}

impl Lenses {
    pub(super) fn new(view: &View) -> Self {
        let list = view.lenses();
        let mut places = [const { Vec::new() }; 8];
        for (place, &lens) in list.iter().enumerate() {
            let (kind, number) = numbers(lens);
            let places: &mut Vec<_> = &mut places[kind];
            places.resize(places.len().max(number + 1), None);
            places[number] = Some(place);
        }
        Lenses { list, places }
    }

    fn place(&self, lens: Lens) -> usize {
        let (kind, number) = numbers(lens);
        self.places[kind][number].expect("rules are made of the lenses of the view")
    }
}

/// The number of a kind of lens, and that of the lens among them.
fn numbers(lens: Lens) -> (usize, usize) {
    match lens {
        Lens::Quantity(number) => (0, number),
        Lens::Path(number) => (1, number),
        Lens::Code(number) => (2, number),
        Lens::Unnamed(number) => (3, number),
        Lens::Field(number) => (4, number),
        Lens::Axis(number) => (5, number),
        Lens::Any(number) => (6, number),
        Lens::Differ(number) => (7, number),
    }
}

/// A question that was asked, to be looked at again and again.
pub(super) struct Record {
    pub(super) question: Question,
    /// Whether a rule about data explains that it was refused.
    pub(super) by_data: bool,
    /// What each lens gives.
    values: Box<[u32]>,
}

impl Record {
    pub(super) fn new(view: &View, lenses: &Lenses, question: Question, by_data: bool) -> Self {
        let values = question.case.look(|parts| lenses.list.iter().map(|&lens| view.get(lens, parts)).collect());
        Record { question, by_data, values }
    }

    /// Whether it meets a condition.
    pub(super) fn holds(&self, lenses: &Lenses, atom: &Atom) -> bool {
        atom.test.holds(self.values[lenses.place(atom.lens)])
    }

    /// Whether it meets a rule by its numbers.
    pub(super) fn meets(&self, lenses: &Lenses, rule: &Rule) -> bool {
        rule.all.iter().all(|atom| self.holds(lenses, atom))
    }
}

/// Which records meet each atom.
fn columns(lenses: &Lenses, records: &[Record], atoms: &[Atom]) -> Vec<Bits> {
    let column = |atom: &Atom| {
        let (place, mut column) = (lenses.place(atom.lens), vec![0; records.len().div_ceil(64)]);
        for (number, record) in records.iter().enumerate() {
            column[number / 64] |= u64::from(atom.test.holds(record.values[place])) << (number % 64);
        }
        column
    };
    atoms.iter().map(column).collect()
}

/// For 64 records at a time, which of them meet all of some atoms.
fn meeting(columns: &[Bits], places: &[usize]) -> impl Iterator<Item = u64> {
    let words = 0..columns[places[0]].len();
    words.map(move |word| places.iter().fold(u64::MAX, |all, &place| all & columns[place][word]))
}

/// The shortest conjunction of `atoms` that no answered record meets, and among these the one that most refused records
/// meet. Earlier atoms are preferred.
pub(super) fn shortest(lenses: &Lenses, atoms: &[Atom], answered: &[Record], refused: &[Record]) -> Option<Vec<Atom>> {
    let (wrong, right) = (columns(lenses, answered, atoms), columns(lenses, refused, atoms));
    for size in 1..=MOST_ATOMS.min(atoms.len()) {
        let mut best: Option<(u32, Vec<usize>)> = None;
        each_choice(atoms.len(), size, &mut |places| {
            if meeting(&wrong, places).all(|met| met == 0) {
                let covered = meeting(&right, places).map(u64::count_ones).sum();
                if best.as_ref().is_none_or(|(most, _)| covered > *most) {
                    best = Some((covered, places.to_vec()));
                }
            }
        });
        if let Some((_, places)) = best {
            return Some(places.into_iter().map(|place| atoms[place].clone()).collect());
        }
    }
    None
}

/// Each choice of `size` of `count` places, ascending.
fn each_choice(count: usize, size: usize, visit: &mut impl FnMut(&[usize])) {
    let mut places: Vec<usize> = (0..size).collect();
    if size > count {
        return;
    }
    loop {
        visit(&places);
        let Some(step) = (0..size).rev().find(|&step| places[step] < count - size + step) else { return };
        places[step] += 1;
        for next in step + 1..size {
            places[next] = places[next - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_comes_once() {
        let mut all = Vec::new();
        each_choice(5, 3, &mut |places: &[usize]| all.push(places.to_vec()));
        assert_eq!((all.len(), &all[0][..], &all[9][..]), (10, &[0, 1, 2][..], &[2, 3, 4][..]));
        let mut none = 0;
        each_choice(1, 2, &mut |_: &[usize]| none += 1);
        assert_eq!(none, 0);
    }
}
