//! Random cases for the tests of this crate: states, code words, and whether the pages promise a result.

#![allow(dead_code, reason = "each test file uses a part of this module")]

pub mod dpas;
pub mod tensix;
pub mod visa;

use tandem_isa::{Answer, Code, Edition, Instruction, MAX_AXES, Noise, Parts, SaltPlan, State, Step, Target};

/// A case, and the state before it.
pub struct Case {
    pub instruction: &'static Instruction,
    pub edition: Edition,
    pub code: Code,
    pub before: State,
}

impl Case {
    pub fn step(&self) -> Step<'_> {
        Step { instruction: self.instruction, edition: self.edition, code: &self.code }
    }

    /// Executes the case on a copy of its state.
    pub fn run(&self, target: &mut dyn Target, state: &mut State) -> Answer {
        state.copy_from(&self.before);
        state.tracker.log.clear();
        target.execute(&self.step(), state)
    }
}

/// Draws code words, small state and salt of a case as the harness does.
pub fn draw(
    instruction: &'static Instruction,
    edition: Edition,
    before: &mut State,
    noise: &mut Noise,
) -> (Code, SaltPlan) {
    let mut code = Code::new(instruction.base_code);
    let mut salt = SaltPlan::default();
    let mut levels = [0; MAX_AXES];
    let parts = &mut Parts { code: &mut code, small: &mut before.small, salt: &mut salt };
    (instruction.prepare)(parts, noise);
    for (level, axis) in levels.iter_mut().zip((instruction.orthogonal)(edition)) {
        let drawn = axis.draw(noise);
        (axis.set)(parts, drawn, noise);
        *level = u8::try_from(drawn).expect("an axis has at most 256 levels");
    }
    let space = (instruction.cells)(edition);
    let cell = noise.below(space.len());
    space.impose(cell, parts, noise);
    (instruction.finish)(parts, &mut levels, noise);
    (code, salt)
}

/// Whether two states are equal to the last byte.
pub fn same(left: &State, right: &State) -> bool {
    *left.small == *right.small && *left.arena == *right.arena
}

/// Whether every row of `state` that differs from `before` is in the log of `state`.
pub fn differences_are_marked(before: &State, state: &State) -> bool {
    state.layout.banks.iter().enumerate().all(|(index, spec)| {
        (0..spec.rows()).all(|row| {
            before.row(index, row) == state.row(index, row) || state.tracker.log.written.contains(spec.first_row + row)
        })
    })
}
