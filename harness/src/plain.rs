//! Plain cases: what an implementation that does only a part of an instruction can run.
//!
//! A plain case of a cell has the base state, each orthogonal axis at its plain level ([`Instruction::plain`], else its
//! first), and the cell. What setting an axis or the cell draws beside that, for example the configuration that is not
//! selected, goes back to its base value wherever the cell and the levels stay what they are.

use tandem_isa::{
    AlignedBytes, Axis, CellSpace, Code, Edition, Field, Instruction, Isa, Levels, MAX_AXES, Noise, Parts, SaltPlan,
    mix64,
};

/// Makes the plain cases of an instruction in one edition. A case is a pure function of the cell and of what is asked for.
#[derive(Debug)]
pub struct Plain {
    isa: &'static Isa,
    instruction: &'static Instruction,
    cells: &'static CellSpace,
    axes: &'static [Axis],
    levels: Levels,
}

/// A plain case: code words, the small state, and what rows are salted with.
pub type PlainCase = (Code, AlignedBytes, SaltPlan);

/// What a case is classified as; quieting keeps it.
#[derive(PartialEq, Eq)]
struct Class {
    cell: Option<usize>,
    levels: Levels,
}

impl Plain {
    /// The plain cases of `instruction`, which belongs to `isa`.
    ///
    /// # Panics
    /// If [`Instruction::plain`] names no level of an orthogonal axis.
    #[must_use]
    pub fn new(isa: &'static Isa, instruction: &'static Instruction, edition: Edition) -> Self {
        let axes = (instruction.orthogonal)(edition);
        let mut levels = [0; MAX_AXES];
        for &entry in instruction.plain {
            // An axis that an edition does not have is plain there anyway.
            let Some((axis, level)) = level_named(axes, entry) else {
                let is_known =
                    Edition::ALL.iter().any(|&other| level_named((instruction.orthogonal)(other), entry).is_some());
                assert!(is_known, "{}: `{entry}` is no level of an orthogonal axis", instruction.path());
                continue;
            };
            levels[axis] = narrow(level);
        }
        Plain { isa, instruction, cells: (instruction.cells)(edition), axes, levels }
    }

    /// The plain level of each orthogonal axis.
    #[must_use]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The plain case of a cell.
    #[must_use]
    pub fn case(&self, cell: usize) -> PlainCase {
        self.case_with(cell, &[], 0)
    }

    /// The plain case of a cell but for some orthogonal axes, each by its place with its level. Another `attempt` draws
    /// anew what cell and levels leave open.
    #[must_use]
    pub fn case_with(&self, cell: usize, others: &[(usize, usize)], attempt: u64) -> PlainCase {
        let (mut case, levels) = self.drawn(cell, others, attempt);
        self.quiet(&mut case, &levels);
        case
    }

    /// A case before it is quieted, and the levels that it is to have.
    pub(crate) fn drawn(&self, cell: usize, others: &[(usize, usize)], attempt: u64) -> (PlainCase, Levels) {
        let mut levels = self.levels;
        let mut key = mix64(mix64(0x706c_6169_6e00 ^ attempt) ^ cell as u64);
        for &(axis, level) in others {
            levels[axis] = narrow(level);
            key = mix64(key ^ ((axis as u64) << 8 | level as u64));
        }
        let mut noise = Noise::new(key);
        let mut small = AlignedBytes::zeroed(self.isa.layout.small_bytes);
        self.fields().iter().filter(|field| field.base != 0).for_each(|field| field.set(&mut small, field.base));
        let (mut code, mut salt) = (Code::new(self.instruction.base_code), SaltPlan::default());
        let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
        (self.instruction.prepare)(&mut parts, &mut noise);
        for (axis, &level) in self.axes.iter().zip(&levels) {
            (axis.set)(&mut parts, usize::from(level), &mut noise);
        }
        self.cells.impose(cell, &mut parts, &mut noise);
        (self.instruction.finish)(&mut parts, &mut levels, &mut noise);
        ((code, small, salt), levels)
    }

    /// Brings back to its base value each field and each unnamed bit that the cell and the levels do not need.
    fn quiet(&self, (code, small, salt): &mut PlainCase, wanted: &Levels) {
        let parts = Parts { code, small, salt };
        let mut class = self.class(&parts);
        // A field may be needed only as long as another one is not at its base.
        loop {
            let mut changed = false;
            for index in 0..parts.code.len() {
                let unnamed = self.instruction.unnamed_bits(index);
                let (was, base) = (parts.code[index], self.instruction.base_code[index] & unnamed);
                parts.code[index] = was & !unnamed | base;
                let kept = parts.code[index] == was || self.keeps(&mut class, &parts, wanted);
                if !kept {
                    parts.code[index] = was;
                }
                changed |= parts.code[index] != was;
            }
            for field in self.instruction.code_fields {
                let (was, base) = (field.get(parts.code), field.get(self.instruction.base_code));
                if was != base {
                    field.set(parts.code, base);
                    let kept = self.keeps(&mut class, &parts, wanted);
                    field.set(parts.code, if kept { base } else { was });
                    changed |= kept;
                }
            }
            for field in self.fields() {
                let was = field.get(parts.small);
                if was != field.base {
                    field.set(parts.small, field.base);
                    let kept = self.keeps(&mut class, &parts, wanted);
                    field.set(parts.small, if kept { field.base } else { was });
                    changed |= kept;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Whether a case that was just changed still has its cell and, of each axis, the level that it had or the one that is
    /// wanted; `class` is then what it has.
    fn keeps(&self, class: &mut Class, parts: &Parts<'_>, wanted: &Levels) -> bool {
        let now = self.class(parts);
        let mut levels = now.levels.iter().zip(&class.levels).zip(wanted);
        let keeps = now.cell == class.cell && levels.all(|((now, was), wanted)| now == was || now == wanted);
        if keeps {
            *class = now;
        }
        keeps
    }

    fn class(&self, parts: &Parts<'_>) -> Class {
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip(self.axes) {
            *level = narrow((axis.get)(parts));
        }
        Class { cell: self.cells.classify(parts), levels }
    }

    fn fields(&self) -> &'static [Field] {
        (self.isa.layout.fields)()
    }
}

/// An axis and a level of it, from `axis=level`.
fn level_named(axes: &[Axis], entry: &str) -> Option<(usize, usize)> {
    let (name, level) = entry.split_once('=')?;
    let axis = axes.iter().position(|axis| axis.name == name)?;
    Some((axis, axes[axis].levels.iter().position(|known| *known == level)?))
}

fn narrow(level: usize) -> u8 {
    u8::try_from(level).expect("an axis has at most 256 levels")
}

#[cfg(test)]
mod tests {
    use tandem_isa::ISAS;

    use super::*;
    use crate::vectors::reads_back;

    fn each_instruction(mut then: impl FnMut(&'static Isa, &'static Instruction, Edition, &Plain)) {
        for &isa in ISAS {
            for &instruction in isa.instructions {
                for &edition in instruction.editions() {
                    then(isa, instruction, edition, &Plain::new(isa, instruction, edition));
                }
            }
        }
    }

    #[test]
    fn a_plain_case_has_its_cell_and_plain_levels() {
        each_instruction(|isa, instruction, edition, plain| {
            let readable: Vec<bool> = (0..plain.axes.len())
                .map(|axis| reads_back(isa, instruction, edition, axis, plain.levels[axis].into()))
                .collect();
            for cell in 0..plain.cells.len() {
                // Where a cell has no place for a level, the end of a case says which one it has instead.
                let (_, levels) = plain.drawn(cell, &[], 0);
                let (mut code, mut small, mut salt) = plain.case(cell);
                let class = plain.class(&Parts { code: &mut code, small: &mut small, salt: &mut salt });
                let name = || format!("{} {}", instruction.path(), plain.cells.describe(cell));
                assert_eq!(class.cell, Some(cell), "{}", name());
                for (index, axis) in plain.axes.iter().enumerate().filter(|(index, _)| readable[*index]) {
                    let is_plain = class.levels[index] == plain.levels[index];
                    assert!(is_plain || levels[index] != plain.levels[index], "{}: {}", name(), axis.name);
                }
            }
        });
    }
}
