//! Names of fields without their indices, by which fields belong together.

use tandem_isa::{FieldRole, Isa};

/// The fields of the small state by their name without indices, in the order of the layout; bits without a name have none.
pub(crate) fn stems(isa: &Isa) -> Vec<Vec<usize>> {
    let mut stems: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, field) in (isa.layout.fields)().iter().enumerate() {
        if field.role == FieldRole::Unnamed {
            continue;
        }
        let name = without_indices(&field.name);
        match stems.iter_mut().find(|(known, _)| *known == name) {
            Some((_, fields)) => fields.push(index),
            None => stems.push((name, vec![index])),
        }
    }
    stems.into_iter().map(|(_, fields)| fields).collect()
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
