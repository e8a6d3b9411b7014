//! Cases that were drawn, before their operands are.

use tandem_isa::{AlignedBytes, Code, Instruction, Isa, Narrowing, Parts, SaltPlan};

use crate::terms::with_parts;

/// A case before its operands are drawn.
#[derive(Clone)]
pub struct DrawnCase {
    /// The code words.
    pub code: Code,
    /// The small state that it begins in.
    pub small: AlignedBytes,
    /// What its rows are salted with.
    pub salt: SaltPlan,
}

impl DrawnCase {
    /// A case with this small state, of which nothing else was drawn.
    pub(crate) fn bare(instruction: &Instruction, small: AlignedBytes) -> Self {
        DrawnCase { code: Code::new(instruction.base_code), small, salt: SaltPlan::default() }
    }

    /// One in the base state, of which nothing else was drawn.
    pub(crate) fn base(isa: &Isa, instruction: &Instruction) -> Self {
        let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
        let fields = (isa.layout.fields)().iter().filter(|field| field.base != 0);
        fields.for_each(|field| field.set(&mut small, field.base));
        Self::bare(instruction, small)
    }

    /// The parts that axes and lenses read and set.
    pub fn parts(&mut self) -> Parts<'_> {
        Parts { code: &mut self.code, small: &mut self.small, salt: &mut self.salt }
    }

    /// Looks at its parts.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        with_parts(&self.code, &self.small, &self.salt, look)
    }
}

/// A case to ask a target, to find out what it refuses: no id leads back to it.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) case: DrawnCase,
    /// What the operands are drawn from.
    pub(crate) key: u64,
    /// Whether operands are corner values only.
    pub(crate) corners: bool,
    /// How they are narrowed.
    pub(crate) narrowing: Narrowing,
}

impl Question {
    /// Whatever operands come.
    pub(crate) fn new(case: DrawnCase, key: u64) -> Self {
        Question { case, key, corners: false, narrowing: Narrowing::default() }
    }

    /// The parts that axes and lenses read and set.
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        self.case.parts()
    }
}
