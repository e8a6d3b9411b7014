//! Plain cases: what an implementation that does only a part of an instruction can run.
//!
//! A plain case of a cell has the base state, each orthogonal axis at its plain level ([`Instruction::plain`], else its
//! first), and the cell. What setting an axis or the cell draws beside that, for example the configuration that is not
//! selected, goes back to its base value wherever the cell and the levels stay what they are.

use std::collections::BTreeSet;

use tandem_isa::{Axis, CellSpace, Code, Edition, Field, Instruction, Isa, Levels, MAX_AXES, Noise, Parts, mix64};

use crate::case::DrawnCase;

use crate::terms::stems;

/// Makes the plain cases of an instruction in one edition. A case is a pure function of the cell and of what is asked for.
#[derive(Debug)]
pub struct Plain {
    isa: &'static Isa,
    instruction: &'static Instruction,
    cells: &'static CellSpace,
    axes: &'static [Axis],
    levels: Levels,
    /// The fields of the small state that differ by one index only, as those of the lanes do.
    families: Vec<Vec<usize>>,
}

/// Whether a case is as it must be.
type Promise<'a> = &'a mut dyn FnMut(&Parts<'_>) -> bool;

/// Cases drawn until one of a cell is as it must be.
const ATTEMPTS: u64 = 32;

/// What a case is classified as.
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
        for entry in instruction.plain_levels() {
            // An axis that an edition does not have is plain there anyway.
            if let Some((axis, level)) = instruction.level_named(axes, &entry) {
                levels[axis] = level;
            }
        }
        let mut families = stems(isa);
        families.retain(|family| family.len() > 1);
        Plain { isa, instruction, cells: (instruction.cells)(edition), axes, levels, families }
    }

    /// The plain level of each orthogonal axis.
    #[must_use]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The plain case of a cell.
    ///
    /// The pages may promise nothing for it, although they promise something for other cases of the cell: what is legal is
    /// not asked. [`Plain::promised`] asks.
    #[must_use]
    pub fn case(&self, cell: usize) -> DrawnCase {
        self.case_with(cell, &[], 0)
    }

    /// The plain case of a cell but for some orthogonal axes, each by its place with its level. Another `attempt` draws
    /// anew what cell and levels leave open.
    #[must_use]
    pub fn case_with(&self, cell: usize, others: &[(usize, usize)], attempt: u64) -> DrawnCase {
        let (mut case, levels) = self.drawn(cell, others, attempt);
        self.quiet(&mut case, &levels, &mut |_| true);
        case
    }

    /// Like [`Plain::case_with`], but a case for which `promise` holds, and which is brought back only as far as it holds.
    /// None if a few drawn cases do not have it.
    pub fn promised(
        &self,
        cell: usize,
        others: &[(usize, usize)],
        promise: &mut dyn FnMut(&Parts<'_>) -> bool,
    ) -> Option<DrawnCase> {
        let mut drawn = (0..ATTEMPTS).map(|attempt| self.drawn(cell, others, attempt));
        let (mut case, levels) =
            drawn.find_map(|(mut case, levels)| promise(&case.parts()).then_some((case, levels)))?;
        self.quiet(&mut case, &levels, promise);
        Some(case)
    }

    /// A case before it is quieted, and the levels that it is to have.
    pub(crate) fn drawn(&self, cell: usize, others: &[(usize, usize)], attempt: u64) -> (DrawnCase, Levels) {
        let mut levels = self.levels;
        let mut key = mix64(mix64(0x706c_6169_6e00 ^ attempt) ^ cell as u64);
        for &(axis, level) in others {
            levels[axis] = narrow(level);
            key = mix64(key ^ ((axis as u64) << 8 | level as u64));
        }
        let mut noise = Noise::new(key);
        let mut case = DrawnCase::base(self.isa, self.instruction);
        let mut parts = case.parts();
        (self.instruction.prepare)(&mut parts, &mut noise);
        for (axis, &level) in self.axes.iter().zip(&levels) {
            (axis.set)(&mut parts, usize::from(level), &mut noise);
        }
        self.cells.impose(cell, &mut parts, &mut noise);
        (self.instruction.finish)(&mut parts, &mut levels, &mut noise);
        (case, levels)
    }

    /// Brings back to its base value each field and each unnamed bit that cell, levels and promise do not need.
    fn quiet(&self, case: &mut DrawnCase, wanted: &Levels, promise: Promise<'_>) {
        let parts = case.parts();
        let class = self.class(&parts);
        let mut quieting = Quieting { plain: self, parts, class, wanted, promise };
        // A field may be needed only as long as another one is not at its base.
        while quieting.round() {}
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

/// A case that is being brought back to the base state.
struct Quieting<'a> {
    plain: &'a Plain,
    parts: Parts<'a>,
    /// What the case is classified as.
    class: Class,
    /// The levels that it is to have.
    wanted: &'a Levels,
    promise: Promise<'a>,
}

impl Quieting<'_> {
    /// Brings back what can go back; true if something did.
    fn round(&mut self) -> bool {
        let before = (Code::new(self.parts.code), self.parts.small.to_vec());
        let plain = self.plain;
        let alike: BTreeSet<usize> =
            plain.families.iter().filter(|family| self.level(family)).flatten().copied().collect();
        self.clear_code();
        for (_, field) in plain.fields().iter().enumerate().filter(|(index, _)| !alike.contains(index)) {
            let was = field.get(self.parts.small);
            if was != field.base {
                field.set(self.parts.small, field.base);
                if !self.keeps() {
                    field.set(self.parts.small, was);
                }
            }
        }
        before != (Code::new(self.parts.code), self.parts.small.to_vec())
    }

    /// If more than one field of a family is not at its base, gives all the same value, which is plainer than one that
    /// differs from the others. False if that cannot be.
    fn level(&mut self, family: &[usize]) -> bool {
        let fields = self.plain.fields();
        let is_changed = |&&field: &&usize| fields[field].get(self.parts.small) != fields[field].base;
        if family.iter().filter(is_changed).nth(1).is_none() {
            return false;
        }
        let before: Vec<u32> = family.iter().map(|&field| fields[field].get(self.parts.small)).collect();
        let base: Vec<u32> = family.iter().map(|&field| fields[field].base).collect();
        let others: BTreeSet<u32> =
            before.iter().zip(&base).filter(|(was, base)| was != base).map(|(&was, _)| was).collect();
        for values in std::iter::once(base).chain(others.into_iter().map(|value| vec![value; family.len()])) {
            self.put(family, &values);
            if values == before || self.keeps() {
                return true;
            }
        }
        self.put(family, &before);
        false
    }

    fn put(&mut self, family: &[usize], values: &[u32]) {
        let fields = self.plain.fields();
        family.iter().zip(values).for_each(|(&field, &value)| fields[field].set(self.parts.small, value));
    }

    fn clear_code(&mut self) {
        let instruction = self.plain.instruction;
        for index in 0..self.parts.code.len() {
            let unnamed = instruction.unnamed_bits(index);
            let (was, base) = (self.parts.code[index], instruction.base_code[index] & unnamed);
            self.parts.code[index] = was & !unnamed | base;
            if self.parts.code[index] != was && !self.keeps() {
                self.parts.code[index] = was;
            }
        }
        for field in instruction.code_fields {
            let (was, base) = (field.get(self.parts.code), field.get(instruction.base_code));
            if was != base {
                field.set(self.parts.code, base);
                if !self.keeps() {
                    field.set(self.parts.code, was);
                }
            }
        }
    }

    /// Whether a case that was just changed still has its cell, of each axis the level that it had or the one that is
    /// wanted, and the promise.
    fn keeps(&mut self) -> bool {
        let now = self.plain.class(&self.parts);
        let mut levels = now.levels.iter().zip(&self.class.levels).zip(self.wanted);
        let keeps = now.cell == self.class.cell
            && levels.all(|((now, was), wanted)| now == was || now == wanted)
            && (self.promise)(&self.parts);
        if keeps {
            self.class = now;
        }
        keeps
    }
}

fn narrow(level: usize) -> u8 {
    u8::try_from(level).expect("an axis has at most 256 levels")
}

#[cfg(test)]
mod tests {
    use tandem_cases::ISAS;

    use super::*;
    use crate::case::reads_back;

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
                // Where a cell has no place for a level, the case has another one before it is quieted, too.
                let drawn = plain.class(&plain.drawn(cell, &[], 0).0.parts());
                let class = plain.class(&plain.case(cell).parts());
                let name = || format!("{} {}", instruction.path(), plain.cells.describe(cell));
                assert_eq!(class.cell, Some(cell), "{}", name());
                for (index, axis) in plain.axes.iter().enumerate().filter(|(index, _)| readable[*index]) {
                    let level = class.levels[index];
                    assert!([plain.levels[index], drawn.levels[index]].contains(&level), "{}: {}", name(), axis.name);
                }
            }
        });
    }
}
