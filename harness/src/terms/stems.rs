//! Names of fields without their indices, by which fields belong together.

use tandem_isa::{FieldRole, Isa};

/// The fields of the small state by their name without indices, in the order of the layout; bits without a name have none.
pub(crate) fn stems(isa: &Isa) -> Vec<Vec<usize>> {
    let named = (isa.layout.fields)().iter().enumerate().filter(|(_, field)| field.role != FieldRole::Unnamed);
    let stems = by_key(named.map(|(index, field)| (without_indices(&field.name), index)));
    stems.into_iter().map(|(_, fields)| fields).collect()
}

/// What has the same key together, in the order in which the keys come first.
pub(crate) fn by_key<K: PartialEq, T>(items: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (key, item) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, items)) => items.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// What there is in its order, each once.
pub(crate) fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

/// A field name without its indices: `ThreadConfig.ADDR_MOD_DST_SEC.DestIncr`.
pub(crate) fn without_indices(name: &str) -> String {
    let mut depth = 0;
    name.chars()
        .filter(|&letter| {
            depth += usize::from(letter == '[');
            let keep = depth == 0;
            depth -= usize::from(letter == ']');
            keep
        })
        .collect()
}
