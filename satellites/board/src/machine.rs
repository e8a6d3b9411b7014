//! A small machine for programs: from a reset that leaves open what the pages leave open, it executes segments word by word
//! through the reference.

use tandem_isa::tensix::{Chip, Small, Tensix, UNPACKERS, bank};
use tandem_isa::{Edition, Expectation, Isa, Machine, Noise, Reference, State, Step};

use super::load::config_words;
use super::program::{Access, Segment, Space};
use super::unreachable::Unreachable;
use super::words::decode;

/// Why a program is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// No program gets to the state before the test.
    #[error("no program gets to the state before the test: {}", .0.reason())]
    Unreachable(Unreachable),
    /// The reference does not do a step.
    #[error("{what}: the reference answers {answer}")]
    Answer {
        /// The step.
        what: String,
        /// Its answer.
        answer: &'static str,
    },
    /// A cell of the state is not as it should be.
    #[error("{when}, {cell} is {got:#x} and should be {expected:#x}")]
    Cell {
        /// When.
        when: &'static str,
        /// Which.
        cell: String,
        /// What it should be.
        expected: u32,
        /// What it is.
        got: u32,
    },
}

/// A machine of one chip.
pub struct Board {
    /// The instruction set.
    pub machine: &'static Machine,
    pub(super) chip: Chip,
    reference: Box<dyn Reference>,
    /// The state.
    pub state: State,
    /// What a core's last load gave.
    loaded: [u32; 4],
    /// The state to begin with, once the prologue has run.
    ready: Option<State>,
}

impl Board {
    /// A machine after a reset. What no page promises of it comes of `seed`.
    #[must_use]
    pub fn reset(isa: &Isa, reference: Box<dyn Reference>, seed: u64) -> Self {
        let chip = Chip::named(isa.name).expect("boards are of this family");
        let mut board =
            Board { machine: isa.machine, chip, reference, state: isa.base_state(), loaded: [0; 4], ready: None };
        board.leave_open(isa, &mut Noise::new(seed));
        board
    }

    /// Puts anything where the pages promise nothing after a reset.
    fn leave_open(&mut self, isa: &Isa, noise: &mut Noise) {
        for (number, spec) in isa.layout.banks.iter().enumerate() {
            let open = |row: &usize| number != bank::DST_ROW_VALID && !(number == bank::LREG && (8..11).contains(row));
            for row in (0..spec.rows()).filter(open).filter(|&row| (number, row) != (bank::LREG, 15)) {
                let period = if number == bank::LREG && row > 10 { 8 } else { spec.columns() };
                let words: Vec<u32> = (0..period).map(|_| noise.bits(spec.bits)).collect();
                for column in 0..spec.columns() {
                    self.state.set_word(number, row, column, words[column % period]);
                }
            }
        }
        let chip = self.chip;
        let small = Tensix::new(&mut self.state).small;
        small.srca_allowed_client = [UNPACKERS; 2];
        small.srcb_allowed_client = [UNPACKERS; 2];
        (small.lane_flags, small.use_lane_flags_for_lane_enable) = (noise.bits(32), noise.bits(32));
        for config in &mut small.lane_config {
            *config = noise.bits(18);
        }
        for semaphore in &mut small.semaphores {
            (semaphore.value, semaphore.max) = (noise.bits(4), noise.bits(4));
        }
        for thread in 0..3 {
            let rwc = &mut small.rwcs[thread];
            (rwc.dst, rwc.dst_cr) = (noise.bits(10), noise.bits(10));
            (rwc.srca, rwc.srca_cr, rwc.srcb) = (noise.bits(6), noise.bits(6), noise.bits(6));
            (rwc.srcb_cr, rwc.fidelity_phase) = (noise.bits(6), noise.bits(2));
            for index in super::named_thread_words(isa, thread) {
                small.thread_config[thread][index] = noise.bits(16) as u16;
            }
        }
        for state_id in 0..2 {
            for index in config_words(chip) {
                if let Some(word) = small.config_word_mut(chip, state_id, index) {
                    *word = noise.bits(32);
                }
            }
        }
        if chip == Chip::Blackhole {
            for bank in 0..2 {
                (small.implied_srca_fmt[bank], small.implied_srcb_fmt[bank]) = (noise.bits(4), noise.bits(4));
            }
        }
    }

    /// Remembers the state, to which [`Board::again`] goes back.
    pub fn remember(&mut self) {
        let mut ready = State::zeroed(self.state.layout);
        ready.copy_from(&self.state);
        self.ready = Some(ready);
    }

    /// Goes back to the state that was remembered.
    pub fn again(&mut self) {
        if let Some(ready) = &self.ready {
            self.state.copy_from(ready);
        }
        self.loaded = [0; 4];
    }

    pub(super) fn small(&mut self) -> &mut Small {
        Tensix::new(&mut self.state).small
    }

    /// Runs segments of a loader or of a read: everything must be done.
    ///
    /// # Errors
    /// The first step that the reference does not do.
    pub fn run(&mut self, segments: &[Segment]) -> Result<(), Wrong> {
        for segment in segments {
            match self.run_segment(segment, Edition::Newest) {
                (Expectation::Done, _) => {}
                (other, what) => return Err(Wrong::Answer { what, answer: other.name() }),
            }
        }
        Ok(())
    }

    /// Runs a segment up to the first step that is not done: what comes of the last, and which one it was.
    pub(super) fn run_segment(&mut self, segment: &Segment, edition: Edition) -> (Expectation, String) {
        match segment {
            Segment::Push { thread, words } => {
                self.small().current_thread = *thread as u32;
                for (place, &word) in words.iter().enumerate() {
                    let end = self.execute(word, edition);
                    if end != Expectation::Done {
                        let text = decode(self.machine, word).map_or_else(String::new, |facts| facts.print(&[word]));
                        return (end, format!("word {place} of thread {thread}, {text}"));
                    }
                }
                (Expectation::Done, String::new())
            }
            Segment::Access(access) => (self.access(access, edition), format!("access at {:#x}", access.address)),
            Segment::End => (Expectation::Done, String::new()),
        }
    }

    /// Executes a word. One that the suite lacks is a filler, which does nothing.
    fn execute(&mut self, word: u32, edition: Edition) -> Expectation {
        let Some(instruction) = decode(self.machine, word) else { return Expectation::Done };
        let step = Step { instruction, edition, code: &[word] };
        match self.reference.execute(&step, &mut self.state) {
            Expectation::NonContractual(_) => Expectation::Done,
            other => other,
        }
    }

    fn access(&mut self, access: &Access, edition: Edition) -> Expectation {
        let thread = access.thread as u32;
        let small = self.small();
        small.current_thread = thread;
        if let Some(data) = access.store {
            small.risc_data = data;
        }
        let end = self.execute(access.code, edition);
        self.loaded = self.small().risc_data;
        end
    }

    /// Stores 32 bits to the window.
    pub(super) fn write(&mut self, address: u32, data: u32) -> Expectation {
        self.access(&super::store_word(address, data), Edition::Newest)
    }

    /// What is read in a space.
    #[must_use]
    pub fn read(&mut self, space: Space, index: usize, word: usize) -> Vec<u32> {
        let chip = self.chip;
        match space {
            Space::Dst => super::needs::words(&self.state, bank::DST, index),
            Space::Window => (0..16).map(|column| self.load_window(word, 2 * (16 * index + column) as u32)).collect(),
            Space::Gprs => vec![self.state.word(bank::GPRS, 16 * index + word / 4, word % 4)],
            Space::Config => vec![self.small().config_word(chip, index, word).copied().unwrap_or_default()],
            Space::ThreadConfig => vec![u32::from(self.small().thread_config[index][word])],
            Space::Semaphore => vec![self.small().semaphores[index].value],
            Space::Loaded => self.loaded.to_vec(),
        }
    }

    fn load_window(&mut self, thread: usize, offset: u32) -> u32 {
        let load = super::load_half(thread, offset);
        let _ = self.access(&load, Edition::Newest);
        self.loaded[0] & 0xffff
    }
}
