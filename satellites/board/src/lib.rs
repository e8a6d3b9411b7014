//! Tests of Tensix as programs for a board: words to push, what to store and what to read.
//!
//! [`Exporter`] makes a [`Program`] of a test. A program begins where [`Exporter::prologue`] ends, which goes from a reset to
//! the base state; its loader goes on to the state before the test; its reads bring what the test changed to where a board can
//! read it. [`Board`] is a machine that runs a program through the reference, and [`Exporter::check`] holds it against the test.
//! docs/vectors.md has the format, and [`lines`] writes it.

mod lanes;
pub mod lines;
mod load;
mod machine;
mod needs;
mod program;
mod read;
pub mod rungs;
mod serve;
mod unreachable;
mod words;

use std::collections::BTreeSet;

use tandem_harness::NextStep;
use tandem_harness::rules::{Planned, Waiting, with_waits};
use tandem_harness::vectors::{Outcome, Test, VectorFile};
use tandem_isa::tensix::inst::window::{OFFSET, SIGN_EXTEND, SIZE, SIZES, WINDOW_BASE};
use tandem_isa::tensix::{Chip, Mnemonic, Small, Tensix};
use tandem_isa::{Edition, Expectation, FieldRole, Instruction, Isa, Reference, State, Step};

pub use machine::{Board, Wrong};
pub use program::{Access, Program, Read, Segment, Shows, Space};
pub use serve::serve;
pub use unreachable::Unreachable;

use load::Loader;
use needs::Needs;
use words::Words;

/// A GPR for values on their way to `Config`. The GPRs that a test needs are loaded after that.
const VIA_GPR: u32 = 60;

/// The words of a thread's `ThreadConfig` that have a name, and so a meaning.
pub(crate) fn named_thread_words(isa: &Isa, thread: usize) -> BTreeSet<usize> {
    let begin = format!("ThreadConfig[{thread}].");
    let fields = (isa.layout.fields)().iter();
    let named = fields.filter(|field| field.role == FieldRole::Config && field.name.starts_with(&begin));
    named.filter_map(|field| Some(field.address?.1 as usize)).collect()
}

/// A store of 32 bits to the window by the core of thread 0.
fn store_word(address: u32, data: u32) -> Access {
    Access::store(0, address - WINDOW_BASE, 2, [data, 0, 0, 0])
}

/// A load of 16 bits from the window.
fn load_half(thread: usize, offset: u32) -> Access {
    Access::load(thread, offset, 1, false)
}

/// Whether an instruction is an access of a core, which is not pushed.
fn is_access(instruction: &Instruction) -> bool {
    matches!(Mnemonic::of(instruction.facts), Mnemonic::RiscLoad | Mnemonic::RiscStore)
}

/// Makes programs of tests of one chip.
pub struct Exporter {
    isa: &'static Isa,
    chip: Chip,
    base: State,
    reference: Box<dyn Reference>,
    /// Which way data are loaded and read, or the one that trusts least.
    route: Option<u32>,
}

impl Exporter {
    /// An exporter of one chip's tests, by one way or by the one that trusts least.
    ///
    /// # Panics
    /// If the instruction set is not of this family.
    #[must_use]
    pub fn new(isa: &'static Isa, reference: Box<dyn Reference>, route: Option<u32>) -> Self {
        let chip = Chip::named(isa.name).expect("boards are of this family");
        Exporter { isa, chip, base: isa.base_state(), reference, route }
    }

    /// From a reset to the base state, but for the data of banks.
    #[must_use]
    pub fn prologue(&self) -> (Vec<Segment>, BTreeSet<&'static str>) {
        let mut words = Words::new(self.chip, self.isa.machine);
        for thread in 0..3 {
            for index in named_thread_words(self.isa, thread) {
                words.push(thread, Mnemonic::Setc16, &[("CfgIndex", index as u32)]);
            }
            let all = [("SrcA", 1), ("SrcB", 1), ("Dst", 1), ("Fidelity", 1)];
            words.push(thread, Mnemonic::Setrwc, &all);
        }
        // The word of Config by which a bank is reset, with 0 by both readings of what it then holds.
        for half in 0..2 {
            words.push(0, Mnemonic::SetdmaregImmediate, &[("ResultHalfReg", 2 * VIA_GPR + half)]);
        }
        for state_id in [1, 0] {
            words.push(0, Mnemonic::Setc16, &[("NewValue", state_id)]);
            words.push(0, Mnemonic::Wrcfg, &[("InputReg", VIA_GPR), ("CfgIndex", 4)]);
        }
        // The words that both banks share.
        let shared = load::config_words(self.chip).into_iter().filter(|&index| index >= self.chip.global_cfgreg_base());
        for index in shared {
            for mnemonic in [Mnemonic::Rmwcib0, Mnemonic::Rmwcib1, Mnemonic::Rmwcib2, Mnemonic::Rmwcib3] {
                words.push(0, mnemonic, &[("Mask", 0xff), ("Index4", index as u32)]);
            }
        }
        words.push(0, Mnemonic::Seminit, &[("SemaphoreMask", 0xff)]);
        words.push(0, Mnemonic::Sfpencc, &[("Mod1", 10)]);
        words.push(0, Mnemonic::Sfpconfig, &[("VD", 15), ("Mod1", 1)]);
        words.push(0, Mnemonic::Sfploadi, &[("Mod0", 2)]);
        words.push(0, Mnemonic::Sfpconfig, &[("VD", 15)]);
        for which in [0, 0, 1, 1] {
            let (mnemonic, field) = match self.chip {
                Chip::Wormhole => (Mnemonic::Setdvalid, (["FlipSrcA", "FlipSrcB"][which], 1)),
                Chip::Blackhole => (Mnemonic::UnpacrNopSetdvalid, ("WhichUnpacker", which as u32)),
            };
            words.push(0, mnemonic, &[field]);
        }
        (words.take(), words.used)
    }

    /// A machine that has run the prologue, for [`Exporter::check`].
    ///
    /// # Errors
    /// If the prologue does not run.
    pub fn board(&self, reference: Box<dyn Reference>, seed: u64) -> Result<Board, Wrong> {
        let mut board = Board::reset(self.isa, reference, seed);
        board.run(&self.prologue().0)?;
        board.small().current_thread = 0;
        let expected = base_small(&self.base);
        compare_small(self.isa, "after the prologue", &expected, board.small())?;
        board.remember();
        Ok(board)
    }

    /// The program of a test.
    ///
    /// # Errors
    /// Why no program gets to the state before it.
    pub fn export(&mut self, file: &VectorFile, test: &Test) -> Result<Program, Unreachable> {
        let steps = test.steps(file.instruction);
        let needs = self.needs(test, &steps)?;
        let under_test: Vec<Mnemonic> = steps.iter().map(|step| Mnemonic::of(step.instruction.facts)).collect();
        let route = self.route.unwrap_or_else(|| rungs::best_route(self.chip, &under_test));
        let base = base_small(&self.base);
        let mut loader = Loader::new(self.isa.machine, &base, &under_test, route);
        loader.load(&needs)?;
        let load = loader.words.take();
        let mut program = Program {
            writes: loader.writes(),
            load,
            test: self.test_segments(&steps, &needs, test.newest())?,
            reads: Vec::new(),
            unread: Vec::new(),
            trusts: BTreeSet::new(),
            route,
        };
        read::reads(self.isa, &mut loader, test, &needs, &mut program);
        program.trusts = std::mem::take(&mut loader.words.used);
        if !program.writes.is_empty() {
            program.trusts.insert(Mnemonic::RiscStore.on(self.chip).name);
        }
        Ok(program)
    }

    fn needs(&mut self, test: &Test, steps: &[NextStep]) -> Result<Needs, Unreachable> {
        Needs::of(self.isa, &self.base, &mut *self.reference, (test, steps), test.newest())
    }

    /// The instructions under test, with what the rules of scheduling want between them.
    fn test_segments(
        &mut self,
        steps: &[NextStep],
        needs: &Needs,
        edition: Edition,
    ) -> Result<Vec<Segment>, Unreachable> {
        let machine = self.isa.machine;
        let planned: Result<Vec<Planned>, _> = steps.iter().map(|one| Planned::decode(machine, &one.code)).collect();
        let planned = planned.expect("the steps of a test are instructions of its set");
        let waits = with_waits(machine, &planned).map_err(|_| Unreachable::Hazard)?;
        let (thread, mut state) = (needs.small.current_thread as usize, State::zeroed(self.isa.layout));
        state.copy_from(&needs.before);
        let mut words = Words::new(self.chip, machine);
        for one in waits {
            match one {
                Waiting::Filler(filler) => {
                    let code = filler.code(machine).expect("a gate asks that fillers are instructions");
                    words.push_as_is(thread, code[0]);
                }
                Waiting::Step(place) => {
                    let NextStep { instruction, code } = &steps[place];
                    if is_access(instruction) {
                        words.access(access(thread, code, Tensix::new(&mut state).small));
                    } else {
                        words.push_as_is(thread, code[0]);
                    }
                    let _ = self.reference.execute(&Step { instruction, edition, code }, &mut state);
                }
            }
        }
        Ok(words.take())
    }

    /// Runs a program on a machine, and holds the state before the test, the state after it and what is read against the test.
    ///
    /// # Errors
    /// The first thing that is not as the test says.
    pub fn check(&mut self, file: &VectorFile, test: &Test, program: &Program, board: &mut Board) -> Result<(), Wrong> {
        let steps = test.steps(file.instruction);
        let needs = self.needs(test, &steps).map_err(Wrong::Unreachable)?;
        board.again();
        for &(address, data) in &program.writes {
            let end = board.write(address, data);
            if end != Expectation::Done {
                return Err(Wrong::Answer { what: format!("store to {address:#x}"), answer: end.name() });
            }
        }
        board.run(&program.load)?;
        board.small().current_thread = needs.small.current_thread;
        self.compare_before(&needs, board)?;
        let mut expected = State::zeroed(self.isa.layout);
        expected.copy_from(&board.state);
        run_test(test, program, board)?;
        test.after.apply(self.isa, &mut expected);
        board.small().current_thread = needs.small.current_thread;
        self.compare_after(&expected, board)?;
        for read in &program.reads {
            board.run(&read.segments)?;
            compare_read(read, board)?;
        }
        Ok(())
    }

    fn compare_before(&self, needs: &Needs, board: &mut Board) -> Result<(), Wrong> {
        compare_small(self.isa, "before the test", &needs.small, board.small())?;
        let layout = self.isa.layout;
        needs::rows(&needs.rows)
            .try_for_each(|id| self.compare_row("before the test", layout.locate(id), &needs.before, board))
    }

    fn compare_after(&self, expected: &State, board: &mut Board) -> Result<(), Wrong> {
        let small = base_small(expected);
        compare_small(self.isa, "after the test", &small, board.small())?;
        if expected.arena[..] == board.state.arena[..] {
            return Ok(());
        }
        let banks = self.isa.layout.banks.iter().enumerate();
        banks
            .flat_map(|(number, spec)| (0..spec.rows()).map(move |row| (number, row)))
            .try_for_each(|row| self.compare_row("after the test", row, expected, board))
    }

    fn compare_row(
        &self,
        when: &'static str,
        (number, row): (usize, usize),
        expected: &State,
        board: &Board,
    ) -> Result<(), Wrong> {
        let words = needs::words(expected, number, row).into_iter().zip(needs::words(&board.state, number, row));
        for (column, (expected, got)) in words.enumerate() {
            if expected != got {
                let cell = format!("{}[{row}], column {column}", self.isa.layout.banks[number].name);
                return Err(Wrong::Cell { when, cell, expected, got });
            }
        }
        Ok(())
    }
}

/// Runs the instructions under test: all are done, or the last is held.
fn run_test(test: &Test, program: &Program, board: &mut Board) -> Result<(), Wrong> {
    let mut last = (Expectation::Done, String::new());
    for segment in &program.test {
        last = board.run_segment(segment, test.newest());
        if last.0 != Expectation::Done {
            break;
        }
    }
    let is_right = match test.outcome {
        Outcome::Blocked => matches!(last.0, Expectation::Blocked(_)),
        Outcome::Done | Outcome::Survive => last.0 == Expectation::Done,
    };
    if is_right { Ok(()) } else { Err(Wrong::Answer { what: format!("the test, {}", last.1), answer: last.0.name() }) }
}

fn compare_read(read: &Read, board: &mut Board) -> Result<(), Wrong> {
    let got = board.read(read.space, read.index, read.word);
    for (place, ((&expected, &mask), got)) in read.expected.iter().zip(&read.mask).zip(got).enumerate() {
        if got & mask != expected & mask {
            let cell = format!("{} {}, {place}, for {:?}", read.space.name(), read.index, read.shows);
            return Err(Wrong::Cell { when: "read back", cell, expected: expected & mask, got: got & mask });
        }
    }
    Ok(())
}

/// What a core does for a step that is an access.
fn access(thread: usize, code: &[u32], small: &Small) -> Access {
    let (offset, bytes) = (OFFSET.get(code), SIZES[SIZE.get(code) as usize & 3]);
    let is_store = Mnemonic::RiscStore.on(Chip::Blackhole).matches(code);
    let store = is_store.then_some(small.risc_data);
    let sign_extend = !is_store && SIGN_EXTEND.get(code) != 0;
    Access { thread, address: WINDOW_BASE + offset, bytes, store, sign_extend, code: code[0] }
}

/// The small state of a state.
fn base_small(state: &State) -> Small {
    *bytemuck::from_bytes(&state.small)
}

/// Two small states, but for what a core holds in its own register.
fn compare_small(isa: &Isa, when: &'static str, expected: &Small, got: &Small) -> Result<(), Wrong> {
    let (mut expected, mut got) = (*expected, *got);
    (expected.risc_data, got.risc_data) = ([0; 4], [0; 4]);
    if expected == got {
        return Ok(());
    }
    let (expected, got) = (bytemuck::bytes_of(&expected), bytemuck::bytes_of(&got));
    let fields = (isa.layout.fields)().iter();
    let different = fields.map(|field| (field, field.get(expected), field.get(got))).find(|(_, a, b)| a != b);
    different
        .map_or(Ok(()), |(field, expected, got)| Err(Wrong::Cell { when, cell: field.name.clone(), expected, got }))
}
