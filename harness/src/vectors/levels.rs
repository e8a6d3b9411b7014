//! Levels of orthogonal axes: which a test has, and which can be told apart at all.

use std::collections::BTreeSet;

use tandem_isa::{
    AlignedBytes, Axis, Code, Edition, FieldRole, Instruction, Isa, Levels, MAX_AXES, Noise, Parts, RowSet, RowShape,
    SaltPlan,
};

use super::model::Test;
use crate::compare::without_indices;

/// An axis, by its place in the list, and a level of it.
pub(super) type Level = (usize, usize);

/// The levels of the orthogonal axes that a test has; what rows are salted with is read off the rows it touches.
pub(super) fn orthogonal_levels(
    isa: &Isa,
    instruction: &Instruction,
    edition: Edition,
    test: &Test,
    touched: &RowSet,
) -> Levels {
    let axes = (instruction.orthogonal)(edition);
    let mut salt = quiet_salt(isa, instruction, edition);
    for (index, bank) in isa.layout.banks.iter().enumerate() {
        let mut words = BTreeSet::new();
        touched.each(|row_id| {
            if isa.layout.locate(row_id).0 == index {
                match test.before.rows.get(&(index, row_id - bank.first_row)) {
                    Some(row) => words.extend(row.iter().map(|&word| u64::from(word))),
                    None => words.extend(bank.base_row(row_id - bank.first_row).into_iter().map(u64::from)),
                }
            }
        });
        // The same words: most classes have one that is not here, so that few are looked through.
        let class = isa.value_classes.iter().position(|class| {
            class.bits == bank.bits
                && !class.only.is_empty()
                && class.only.iter().all(|word| words.contains(word))
                && words.iter().all(|word| class.only.contains(word))
        });
        if let Some(class) = class.and_then(|class| u8::try_from(class).ok()) {
            salt.class[index] = class;
        }
    }
    test.with_parts(isa, |parts| {
        *parts.salt = salt;
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip(axes) {
            *level = u8::try_from((axis.get)(parts)).unwrap_or(u8::MAX);
        }
        levels
    })
}

/// What rows are salted with when every orthogonal axis is at its first level.
pub(super) fn quiet_salt(isa: &Isa, instruction: &Instruction, edition: Edition) -> SaltPlan {
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    let (mut code, mut salt) = (Code::new(instruction.base_code), SaltPlan::default());
    let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
    let mut noise = Noise::new(0);
    (instruction.prepare)(&mut parts, &mut noise);
    for axis in (instruction.orthogonal)(edition) {
        (axis.set)(&mut parts, 0, &mut noise);
    }
    salt
}

/// Whether a level of an orthogonal axis can be told from the others once it is set: `any row` cannot, and a test has rows,
/// not a way to draw them.
pub(crate) fn reads_back(isa: &Isa, instruction: &Instruction, edition: Edition, axis: usize, level: usize) -> bool {
    let axis = &(instruction.orthogonal)(edition)[axis];
    if axis.name == RowShape::AXIS {
        return false;
    }
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    let (mut code, mut salt) = (Code::new(instruction.base_code), quiet_salt(isa, instruction, edition));
    let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
    (axis.set)(&mut parts, level, &mut Noise::new(1));
    (axis.get)(&parts) == level
}

/// The levels of orthogonal axes, but each one's first.
pub(super) fn readable_levels(isa: &Isa, instruction: &Instruction, edition: Edition) -> Vec<Level> {
    let axes = (instruction.orthogonal)(edition);
    let levels = |(index, axis): (usize, &Axis)| (1..axis.levels.len()).map(move |level| (index, level));
    (axes.iter().enumerate().flat_map(levels))
        .filter(|&(axis, level)| instruction.recording.has_level(&axes[axis], level))
        .filter(|&(axis, level)| reads_back(isa, instruction, edition, axis, level))
        .collect()
}

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
