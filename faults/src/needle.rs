//! Targets that are wrong for few operands: what a run finds only if its operands reach everything.

use tandem_isa::{
    Answer, BankRole, Code, Edition, Facts, Field, Instruction, Isa, Levels, Parts, Quantity, SaltPlan, State, Step,
    Target, TargetInfo, mix64,
};

use crate::flip;

/// For which cases a target is wrong.
#[derive(Clone, Copy, Debug)]
pub enum Needle {
    /// In one cell, if a word that it reads of a bank has one value.
    Word {
        /// The cell.
        cell: usize,
        /// The number of the bank.
        bank: usize,
        /// The word.
        value: u32,
    },
    /// If two numbers of a case, by their places among [`Instruction::quantities`], have one value each.
    Pair([(usize, u32); 2]),
    /// If in each row of data that it reads all words are the same, and not all are zero.
    Alike,
    /// If an element of the result, of 32 bits, has one value.
    Result(u32),
    /// If an instruction is held whose first word of a bank, if it were not held, had these low eight bits: it goes on then.
    Held {
        /// The axis that holds it, and its level that does not.
        gate: (usize, usize),
        /// The number of the bank.
        bank: usize,
        /// The low eight bits.
        low: u8,
    },
}

/// A target that is like `inner`, but flips a bit of the result for some needles.
pub struct Needles {
    inner: Box<dyn Target>,
    instruction: &'static Instruction,
    edition: Edition,
    needles: Vec<Needle>,
    counter: Option<&'static Field>,
}

impl Needles {
    /// `inner`, wrong for the needles in an instruction and an edition.
    #[must_use]
    pub fn new(
        inner: Box<dyn Target>,
        isa: &Isa,
        (instruction, edition): (&'static Instruction, Edition),
        needles: Vec<Needle>,
    ) -> Self {
        Needles { inner, instruction, edition, needles, counter: flip::counter_of(isa.layout, 0) }
    }

    /// Executes what is held as if it were not; what it did stays if it is for this that the needle was put there.
    fn go_on(&mut self, step: &Step<'_>, state: &mut State, needle: Needle) -> bool {
        let Needle::Held { gate: (axis, level), bank, low } = needle else { return false };
        let (arena, small) = (state.arena.clone(), state.small.clone());
        let mut code = Code::new(step.code);
        let mut salt = SaltPlan::default();
        let axis = &(self.instruction.orthogonal)(self.edition)[axis];
        let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
        (axis.set)(&mut parts, level, &mut tandem_isa::Noise::new(0));
        let answer = self.inner.execute(&Step { code: &code, ..*step }, state);
        let first = rows_read(state, |of, _| of == bank).first().map(|&(bank, row)| state.word(bank, row, 0));
        let goes_on = answer == Answer::Done && first.is_some_and(|word| word as u8 == low);
        state.small = small;
        if !goes_on {
            state.arena = arena;
            state.tracker.clear();
        }
        goes_on
    }
}

/// The rows that were read, of banks that are asked for.
fn rows_read(state: &State, asked: impl Fn(usize, BankRole) -> bool) -> Vec<(usize, usize)> {
    let mut rows = Vec::new();
    state.tracker.log.read.each_run(|first, count| {
        let places = (first..first + count).map(|row_id| state.layout.locate(row_id));
        rows.extend(places.filter(|&(bank, _)| asked(bank, state.layout.banks[bank].role)));
    });
    rows
}

/// What is looked at before a case is executed.
struct Before {
    levels: Levels,
    pairs: Vec<bool>,
}

impl Target for Needles {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "needles".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.inner.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        if step.edition != self.edition || !std::ptr::eq(step.instruction, self.instruction.facts) {
            return self.inner.execute(step, state);
        }
        let cells = (self.instruction.cells)(self.edition);
        let before = {
            let mut code = Code::new(step.code);
            let mut salt = SaltPlan::default();
            let parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
            let has = |(place, value): (usize, u32)| {
                let Quantity { get, .. } = &self.instruction.quantities[place];
                get(&parts) == value
            };
            let pair = |needle: &Needle| matches!(needle, Needle::Pair(pair) if pair.iter().all(|&one| has(one)));
            Before { levels: cells.classify_levels(&parts), pairs: self.needles.iter().map(pair).collect() }
        };
        let answer = self.inner.execute(step, state);
        if answer == Answer::Blocked {
            for needle in self.needles.clone() {
                if self.go_on(step, state, needle) {
                    break;
                }
            }
        }
        if answer != Answer::Done {
            return answer;
        }
        for (needle, is_pair) in self.needles.iter().zip(&before.pairs) {
            let hit = match *needle {
                Needle::Pair(_) => *is_pair,
                Needle::Held { .. } => false,
                Needle::Word { cell, bank, value } => {
                    *cells.levels(cell) == before.levels
                        && rows_read(state, |of, _| of == bank).iter().any(|&(bank, row)| {
                            (0..state.layout.banks[bank].columns()).any(|column| state.word(bank, row, column) == value)
                        })
                }
                Needle::Alike => {
                    let rows = rows_read(state, |_, role| role == BankRole::Data);
                    let alike = |&(bank, row): &(usize, usize)| {
                        let first = state.word(bank, row, 0);
                        (1..state.layout.banks[bank].columns()).all(|column| state.word(bank, row, column) == first)
                    };
                    rows.iter().any(|&(bank, row)| state.word(bank, row, 0) != 0) && rows.iter().all(alike)
                }
                Needle::Result(value) => {
                    flip::first_data_row(state.layout, &state.tracker.log.written).is_some_and(|(bank, row)| {
                        (0..state.layout.banks[bank].columns()).any(|column| state.word(bank, row, column) == value)
                    })
                }
            };
            if hit {
                flip::flip_result(state, self.counter, mix64(1));
                break;
            }
        }
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
}
