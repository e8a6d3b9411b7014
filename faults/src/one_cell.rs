//! Targets that are wrong in one cell only: what a search by sampling must still find.

use tandem_isa::{
    Answer, Code, Edition, Facts, Field, Instruction, Isa, Levels, Parts, SaltPlan, State, Step, Target, TargetInfo,
    mix64,
};

use crate::flip;

/// A target that gives a wrong bit in one cell of one instruction, in one edition, and is otherwise like `inner`.
///
/// When a case of that cell is done, one bit of the first written row of data is flipped, or one bit of a counter
/// if nothing was written. Cases of other instructions, editions and cells cost two comparisons and, mostly, the
/// reading of one axis.
pub struct OneCell {
    inner: Box<dyn Target>,
    instruction: &'static Instruction,
    edition: Edition,
    cell: usize,
    levels: Levels,
    /// The axes of the cell by falling number of levels: the first one already tells most cells apart.
    order: Vec<usize>,
    hash: u64,
    counter: Option<&'static Field>,
}

impl OneCell {
    /// `inner`, wrong in cell number `cell` of `instruction` in `edition`.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn new(
        inner: Box<dyn Target>,
        isa: &Isa,
        instruction: &'static Instruction,
        edition: Edition,
        cell: usize,
    ) -> Self {
        let space = (instruction.cells)(edition);
        assert!(cell < space.len(), "{} has {} cells in {}", instruction.path(), space.len(), edition.name());
        let mut order: Vec<usize> = (0..space.axes.len()).collect();
        order.sort_by_key(|&axis| std::cmp::Reverse(space.axes[axis].levels.len()));
        let hash = mix64(mix64(cell as u64 + 1) ^ edition as u64);
        OneCell {
            inner,
            instruction,
            edition,
            cell,
            levels: *space.levels(cell),
            order,
            hash,
            counter: flip::counter_of(isa.layout, hash),
        }
    }

    /// Whether a case, before it is executed, has the cell.
    fn matches(&self, step: &Step<'_>, state: &mut State) -> bool {
        if step.edition != self.edition || !std::ptr::eq(step.instruction, self.instruction.facts) {
            return false;
        }
        let axes = (self.instruction.cells)(self.edition).axes;
        with_parts(step.code, &mut state.small, |parts| {
            self.order.iter().all(|&axis| (axes[axis].get)(parts) == usize::from(self.levels[axis]))
        })
    }
}

/// Looks at what axes read of a case. Reading changes nothing; it only takes the parts as a setter would.
pub(crate) fn with_parts<T>(code: &[u32], small: &mut [u8], look: impl FnOnce(&Parts<'_>) -> T) -> T {
    let mut code = Code::new(code);
    let mut salt = SaltPlan::default();
    look(&Parts { code: &mut code, small, salt: &mut salt })
}

impl Target for OneCell {
    fn info(&self) -> TargetInfo {
        let name = format!("fault:cell:{}:{}:{}", self.instruction.file, self.edition.name(), self.cell);
        TargetInfo { name, level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.inner.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let matches = self.matches(step, state);
        let answer = self.inner.execute(step, state);
        if matches && answer == Answer::Done {
            flip::flip_result(state, self.counter, self.hash);
        }
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
}
