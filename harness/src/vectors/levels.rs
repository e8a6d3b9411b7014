//! Levels of orthogonal axes that a test has.

use std::collections::BTreeSet;

use tandem_isa::{Edition, Instruction, Isa, Levels, MAX_AXES, RowSet};

use super::model::Test;
use crate::case::quiet_salt;

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
        *parts.salt = salt.with(parts.salt.settings);
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip(axes) {
            *level = u8::try_from((axis.get)(parts)).unwrap_or(u8::MAX);
        }
        levels
    })
}
