//! Threads that run side by side on one state: what each does in turn, and what is known of who waits for whom.
//!
//! A program has a list of [`Act`]s for each thread. The harness searches all orders in which they can come; what an act does,
//! and what keeps it from coming, is asked of [`Threads`], which the reference of an instruction set implements from its pages.

use crate::{Citation, Code, Edition, Expectation, Facts, Layout, Log, LoggedBank, State};

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// An instruction, which comes to the gate of its thread.
    Instruction(Word),
    /// What stands in for an instruction that has no model.
    StandIn(StandIn),
    /// A store of the thread's core to places of the state. It comes to no gate, and may still be on its way when instructions
    /// behind it come.
    Store(Vec<(StatePlace, u32)>),
    /// What an instruction does, done by the thread's core, as a store to semaphores does it. It comes to no gate either.
    Core(Word),
    /// An instruction that does nothing, by its name.
    Nop(&'static str),
    /// A word of an instruction that has no model, or of none.
    Unmodelled(u32),
}

/// A place in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatePlace {
    /// A field of the small state, by its place in the layout's list.
    Field(usize),
    /// A word: bank, row, column.
    Word(usize, usize, usize),
}

impl StatePlace {
    /// Its name.
    #[must_use]
    pub fn name(self, layout: &Layout) -> String {
        match self {
            StatePlace::Field(field) => (layout.fields)()[field].name.clone(),
            StatePlace::Word(bank, row, column) => layout.banks[bank].word_name(row, column),
        }
    }

    /// What stands there.
    #[must_use]
    pub fn get(self, state: &State) -> u32 {
        match self {
            StatePlace::Field(field) => (state.layout.fields)()[field].get(&state.small),
            StatePlace::Word(bank, row, column) => state.word(bank, row, column),
        }
    }

    /// Puts a value there; the log has the row.
    pub fn set(self, state: &mut State, value: u32) {
        match self {
            StatePlace::Field(field) => (state.layout.fields)()[field].set(&mut state.small, value),
            StatePlace::Word(bank, row, column) => {
                state.tracker.write(LoggedBank::new(state.layout.banks, bank), row);
                state.set_word(bank, row, column, value);
            }
        }
    }
}

/// What a core pushes towards the front end of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// A word.
    Word(u32),
    /// The nine words of `MopCfg`.
    MopCfg([u32; 9]),
}

/// Why the front end cannot be told what it makes of what is pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontEndError {
    /// The place of what is pushed.
    pub place: usize,
    /// What the pages leave open, with the page and its lines.
    pub what: String,
}

/// An instruction with its code words.
#[derive(Clone, Debug)]
pub struct Word {
    /// The instruction.
    pub facts: &'static Facts,
    /// Its code words.
    pub code: Code,
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.facts, other.facts) && *self.code == *other.code
    }
}

impl Eq for Word {}

/// A read or a write of rows by a data path that has no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// Its number in [`Threads::paths`].
    pub path: usize,
    /// The first row, counted in the bank that is in use.
    pub first: usize,
    /// How many rows.
    pub rows: usize,
    /// The word that is written to each place.
    pub value: u32,
    /// Whether the bank is given away afterwards.
    pub flip: bool,
}

/// Who executes an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executes {
    /// The unit, for example `Matrix Unit`.
    pub name: &'static str,
    /// Its number, below 16.
    pub number: u32,
    /// Whether its thread goes on before it is through.
    pub own_pace: bool,
}

/// What an instruction makes its gate wait for, beside fields of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// The units that have to be through with what the thread gave them, a bit for each number.
    pub units: u32,
    /// The units that have to be through with what any thread gave them.
    pub of_all: u32,
    /// Which later acts it holds, as [`Threads::holds`] reads it.
    pub blocks: u32,
}

/// What an act may touch at most, whatever the state is: a bit for each thing that more than one act can mean, in numbers that an
/// instruction set has to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// What it may read, or wait for.
    pub reads: u64,
    /// What it may write.
    pub writes: u64,
}

/// What is wrong about an act that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trespass {
    /// `lost token` or `two owners`.
    pub kind: &'static str,
    /// In words.
    pub text: String,
    /// Where it stands.
    pub citation: &'static Citation,
}

/// Threads of an instruction set.
pub trait Threads: Send {
    /// How they are called, for example `T0`.
    fn names(&self) -> &'static [&'static str];

    /// What can stand in for instructions, for example `unpack SrcA`.
    fn paths(&self) -> &'static [&'static str];

    /// The name of an instruction that has no model, if a word is of one.
    fn unmodelled(&self, word: u32) -> Option<&'static str>;

    /// What comes to the gate of a thread of what is pushed to it, each word with the place of what it came of.
    ///
    /// # Errors
    /// If the pages leave that open.
    fn expand(&self, pushed: &[Pushed]) -> Result<Vec<(usize, u32)>, FrontEndError>;

    /// Presents an act of a thread: as [`crate::Reference::execute`] does it for that thread. What is held leaves the state as
    /// it was.
    fn present(&mut self, thread: usize, act: &Act, edition: Edition, state: &mut State) -> Expectation;

    /// Each gate looks at what it has latched, and forgets it once nothing keeps on waiting: for which threads, a bit each.
    fn look(&mut self, state: &mut State) -> u32;

    /// Who executes an act.
    fn executes(&self, act: &Act) -> Executes;

    /// What an act makes the gate of its thread wait for, if it is a wait.
    fn drains(&self, act: &Act) -> Option<Drain>;

    /// Whether an act that a gate has latched with these bits holds another.
    fn holds(&self, blocks: u32, act: &Act) -> bool;

    /// What an act of a thread may touch.
    fn touches(&self, thread: usize, act: &Act) -> Touches;

    /// Whether the machine sees to it that the second act of a thread finds what the first did to a row of a bank, `between` of
    /// that thread's instructions apart, though different units execute them.
    fn sees(&self, first: &Act, second: &Act, between: usize, bank: usize) -> bool;

    /// The fields by which threads wait for each other, by their places in the layout's list.
    fn signals(&self) -> &[usize];

    /// What is wrong about an act that was done: the small state before it, and the rows that it touched.
    fn trespasses(&self, act: &Act, before: &[u8], log: &Log) -> Vec<Trespass>;
}
