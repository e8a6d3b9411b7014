//! A case by value: code words, and what differs from the base state.

use std::collections::BTreeMap;

use tandem_isa::{Code, Edition, Instruction, Isa, Parts, RowSet, SaltPlan, Settings, State, Step};

/// A step of a program.
#[derive(Clone, Copy, Debug)]
pub struct NextStep {
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The code words.
    pub code: Code,
}

impl NextStep {
    /// The step as it is executed under an edition.
    #[must_use]
    pub fn under(&self, edition: Edition) -> Step<'_> {
        Step { instruction: self.instruction, edition, code: &self.code }
    }

    /// Steps as they are executed under an edition.
    #[must_use]
    pub fn all_under(steps: &[NextStep], edition: Edition) -> Vec<Step<'_>> {
        steps.iter().map(|step| step.under(edition)).collect()
    }
}

impl PartialEq for NextStep {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.instruction, other.instruction) && self.code == other.code
    }
}

impl Eq for NextStep {}

/// A case by value. It means the same whatever the generator does.
#[derive(Clone, Debug)]
pub struct CaseValue {
    /// The instruction set.
    pub isa: &'static Isa,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// The code words.
    pub code: Code,
    /// The steps that follow, if it is a program; they are of the same instruction set and edition.
    pub then: Vec<NextStep>,
    /// Fields of the small state that differ from the base state, by their place in the layout's list.
    pub fields: BTreeMap<usize, u32>,
    /// Words of banks that differ from the base state: `(bank, row, column)`.
    pub words: BTreeMap<(usize, usize, usize), u32>,
}

impl CaseValue {
    /// A case in the base state, with the instruction's opcode and zero fields.
    #[must_use]
    pub fn base(isa: &'static Isa, instruction: &'static Instruction, edition: Edition) -> Self {
        CaseValue {
            isa,
            instruction,
            edition,
            code: Code::new(instruction.base_code),
            then: Vec::new(),
            fields: BTreeMap::new(),
            words: BTreeMap::new(),
        }
    }

    /// Takes every field of a small state that differs from the base state.
    pub fn take_small(&mut self, small: &[u8]) {
        for (index, field) in (self.isa.layout.fields)().iter().enumerate() {
            let value = field.get(small);
            if value == field.base {
                self.fields.remove(&index);
            } else {
                self.fields.insert(index, value);
            }
        }
    }

    /// Takes every word of a row that differs from the base state.
    pub fn take_row(&mut self, bank: usize, row: usize, bytes: &[u8]) {
        let spec = &self.isa.layout.banks[bank];
        for column in 0..spec.columns() {
            let value = spec.word_at(bytes, column);
            if value == spec.base_word(row, column) {
                self.words.remove(&(bank, row, column));
            } else {
                self.words.insert((bank, row, column), value);
            }
        }
    }

    /// Takes a case that was run on a state: code words, small state before it, and the operands that the read port gave.
    pub(crate) fn take_case(&mut self, code: &Code, small: &[u8], ran: &State) {
        self.code = *code;
        self.take_small(small);
        let (layout, overlay) = (self.isa.layout, &ran.tracker.overlay);
        overlay.rows.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            self.take_row(bank, row, &overlay.arena[layout.banks[bank].row_range(row)]);
        });
    }

    /// The same instruction and edition with other code words, from another state.
    pub(crate) fn with_state(&self, code: Code, state: &State) -> Self {
        let mut value = CaseValue::base(self.isa, self.instruction, self.edition);
        (value.code, value.then) = (code, self.then.clone());
        value.take_small(&state.small);
        for (index, bank) in self.isa.layout.banks.iter().enumerate() {
            for row in 0..bank.rows() {
                value.take_row(index, row, state.row(index, row));
            }
        }
        value
    }

    /// Its steps, one if it is no program.
    #[must_use]
    pub fn steps(&self) -> Vec<NextStep> {
        let first = NextStep { instruction: self.instruction, code: self.code };
        std::iter::once(first).chain(self.then.iter().copied()).collect()
    }

    /// The same state with other steps, of which there is one at least.
    #[must_use]
    pub fn with_steps(&self, steps: &[NextStep]) -> Self {
        let [NextStep { instruction, code }, then @ ..] = steps else { panic!("a case has a step") };
        CaseValue { instruction, code: *code, then: then.to_vec(), ..self.clone() }
    }

    /// Puts the case into a state that holds the base state.
    pub fn apply(&self, state: &mut State) {
        let fields = (self.isa.layout.fields)();
        for (&index, &value) in &self.fields {
            fields[index].set(&mut state.small, value);
        }
        for (&(bank, row, column), &value) in &self.words {
            state.set_word(bank, row, column, value);
        }
    }

    /// The state that the case begins in.
    #[must_use]
    pub fn state(&self) -> State {
        let mut state = self.isa.base_state();
        self.apply(&mut state);
        state
    }

    /// The cell that the case lies in.
    #[must_use]
    pub fn cell(&self) -> Option<usize> {
        self.with_parts(|parts| (self.instruction.cells)(self.edition).classify(parts))
    }

    /// Looks at the parts of the case that axes read.
    pub fn with_parts<T>(&self, look: impl FnOnce(&Parts<'_>) -> T) -> T {
        let mut state = self.state();
        let (mut code, mut salt) = (self.code, SaltPlan::default().with(Settings::of(&state)));
        look(&Parts { code: &mut code, small: &mut state.small, salt: &mut salt })
    }

    /// The rows that differ from the base state.
    pub(crate) fn rows(&self) -> RowSet {
        let mut rows = RowSet::default();
        for &(bank, row, _) in self.words.keys() {
            rows.insert(self.isa.layout.banks[bank].first_row + row);
        }
        rows
    }

    /// Whether another one of the same instruction and edition is the same.
    pub(crate) fn is_same(&self, other: &CaseValue) -> bool {
        self.steps() == other.steps() && self.fields == other.fields && self.words == other.words
    }

    /// How much differs from the base state: bank words, fields, and instruction fields that are not zero; and the steps
    /// behind the first.
    #[must_use]
    pub fn size(&self) -> usize {
        let code: usize = self.steps().iter().map(|step| step.elements().len()).sum();
        self.words.len() + self.fields.len() + code + self.then.len()
    }
}

impl NextStep {
    /// The instruction fields, and runs of unnamed bits, that differ from the base code: `(word, mask)`.
    #[must_use]
    pub fn elements(&self) -> Vec<(usize, u32)> {
        let mut elements = Vec::new();
        for field in self.instruction.code_fields {
            if field.get(&self.code) != field.get(self.instruction.base_code) {
                elements.push((field.word, field.mask()));
            }
        }
        for (word, &bits) in self.code.iter().enumerate() {
            let unnamed = self.instruction.unnamed_bits(word);
            if bits & unnamed != 0 {
                elements.push((word, unnamed));
            }
        }
        elements
    }
}

#[cfg(test)]
mod tests {
    use tandem_cases::ISAS;

    use super::*;

    #[test]
    fn a_case_from_another_state_has_every_row_of_it() {
        for isa in ISAS {
            let base = CaseValue::base(isa, isa.instructions[0], Edition::Spec);
            let mut state = base.state();
            for (index, bank) in isa.layout.banks.iter().enumerate() {
                for row in [0, bank.rows() - 1] {
                    state.set_word(index, row, 0, state.word(index, row, 0) ^ 1);
                }
            }
            let value = base.with_state(base.code, &state);
            assert!(value.state().arena[..] == state.arena[..], "{}", isa.name);
        }
    }
}
