//! Cases that no generator made: what a target is asked to find out what it refuses.

use tandem_isa::{AlignedBytes, Code, Narrowing, Parts, SaltPlan};

/// A case to ask a target.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) code: Code,
    pub(crate) small: AlignedBytes,
    pub(crate) salt: SaltPlan,
    /// What the operands are drawn from.
    pub(crate) key: u64,
    /// Whether operands are corner values only.
    pub(crate) corners: bool,
    /// How they are narrowed.
    pub(crate) narrowing: Narrowing,
}

impl Question {
    /// The parts that axes and lenses read and set.
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts { code: &mut self.code, small: &mut self.small, salt: &mut self.salt }
    }
}
