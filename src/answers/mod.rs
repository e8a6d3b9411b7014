//! Answers to what users of Tensix keep asking, made by running the reference: no answer is written down.
//!
//! An [`Answer`] is a cell of a table. What it says comes of cases that the reference was given, and its field `shown` has the
//! command that runs one of them again.

mod chips;
mod fields;
mod formats;
mod integers;
mod specials;
mod values;
mod waits;

use serde::Serialize;
use tandem_harness::report::{CaseText, shell_words};
use tandem_harness::{CaseValue, IsaSuite, Suite};
use tandem_isa::tensix::Chip;
use tandem_isa::{Edition, Expectation, Instruction, Reference, State, Step, worded};
pub(crate) use values::DST_FP32;

worded! {
    /// What is asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Topic {
        /// How integers are read, how far they are exact, and what comes beyond.
        Integers "integers",
        /// What comes of -0, NaN, infinity, denormals, and of the smallest and the largest integer.
        Specials "specials",
        /// What has to stand between two instructions, and on whose word.
        Waits "waits",
        /// What differs between the chips.
        Chips "chips",
        /// Which fields of the state an instruction reads.
        Fields "fields",
        /// What comes back in L1 of what lay there in another format.
        Formats "formats",
    }
    /// The word for the command line.
    fn name;
}

impl Topic {
    /// What its table says.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Topic::Integers => "How an integer operand is read, how far results are exact, and what comes beyond",
            Topic::Specials => "What comes out if one operand is special, the others being 1, or all are",
            Topic::Waits => "What has to stand between two instructions, and on whose word",
            Topic::Chips => "What differs between Wormhole and Blackhole",
            Topic::Fields => "Fields of the state that are read: with another value something else comes out",
            Topic::Formats => "What comes back if L1 has one format, and packers write another",
        }
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The topic, in a word.
    pub topic: &'static str,
    /// The instruction set.
    pub isa: &'static str,
    /// The file name of the instruction.
    pub instruction: &'static str,
    /// Of which of its modes, operands or neighbours; the row of the table, with the instruction.
    pub of: String,
    /// The column of the table.
    pub asked: String,
    /// What it says.
    pub says: String,
    /// On whose word: a page with its commit, public words, or nobody's.
    pub word: String,
    /// The commands that show it, each as the arguments of `tandem`.
    pub shown: Vec<Vec<String>>,
}

impl Answer {
    fn new<S: Into<String>>(
        topic: Topic,
        instruction: &Instruction,
        of: impl Into<String>,
        asked: &str,
        says: S,
    ) -> Self {
        let (isa, page) = (instruction.isa, instruction.page(Edition::Newest));
        let name = page.title.split(' ').next().unwrap_or_default();
        let errata: String = instruction.errata.iter().map(|id| format!(", {id}")).collect();
        Answer {
            topic: topic.name(),
            isa,
            instruction: instruction.file,
            of: of.into(),
            asked: asked.to_string(),
            says: says.into(),
            word: format!("page {name} at {}{errata}", &page.commit[..8]),
            shown: Vec::new(),
        }
    }

    fn shown(mut self, command: &[&str]) -> Self {
        self.shown.push(command.iter().map(|&word| word.to_string()).collect());
        self
    }

    fn replays(self, case: &CaseValue) -> Self {
        self.shown(&["replay", &CaseText::of(case).to_string()])
    }

    /// The commands that show it.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        let command = |words: &Vec<String>| format!("tandem {}", shell_words(words.iter().map(String::as_str)));
        self.shown.iter().map(command).collect()
    }
}

/// How many cases of an instruction are drawn, so that what is seldom shows too.
pub const CASES: u64 = 192;

/// The answers to a topic, of the instructions of Tensix that are wanted; by so many drawn cases, where cases are drawn.
#[must_use]
pub fn of(suite: &Suite, topic: Topic, wanted: &dyn Fn(&Instruction) -> bool, cases: u64) -> Vec<Answer> {
    let mut answers = Vec::new();
    for isa in suite.isas.iter().filter(|isa| Chip::named(isa.isa.name).is_some()) {
        let instructions: Vec<_> = isa.isa.instructions.iter().copied().filter(|one| wanted(one)).collect();
        answers.extend(match topic {
            Topic::Integers => instructions.iter().flat_map(|one| integers::of(isa, one)).collect(),
            Topic::Specials => instructions.iter().flat_map(|one| specials::of(isa, one)).collect(),
            Topic::Waits => waits::of(isa, &instructions),
            Topic::Chips => chips::of(suite, isa, &instructions, cases.div_ceil(4)),
            Topic::Fields => fields::of(isa, &instructions, cases),
            Topic::Formats => formats::of(isa, &instructions),
        });
    }
    answers
}

/// The cell of a drawn case: all of them in turn, or as many as there are cases.
fn cell(number: u64, cases: u64, cells: u64) -> u32 {
    u32::try_from(if cells > cases { number * cells / cases } else { number % cells }).unwrap_or_default()
}

/// Runs cases by value on a reference.
struct Runner<'a> {
    suite: &'a IsaSuite,
    reference: Box<dyn Reference>,
    base: State,
    /// The state after the case that was run last.
    state: State,
}

impl<'a> Runner<'a> {
    fn new(suite: &'a IsaSuite) -> Self {
        let (base, state) = (suite.isa.base_state(), suite.isa.base_state());
        Runner { suite, reference: (suite.reference)(), base, state }
    }

    /// Runs a case.
    fn run(&mut self, case: &CaseValue) -> Expectation {
        self.state.copy_from(&self.base);
        case.apply(&mut self.state);
        self.go(case)
    }

    /// Runs the code of a case in the state as it is.
    fn go(&mut self, case: &CaseValue) -> Expectation {
        self.state.tracker.clear();
        let step = Step { instruction: case.instruction, edition: case.edition, code: &case.code };
        self.reference.execute(&step, &mut self.state)
    }
}

/// That nothing is promised, who says so, and errata about it.
pub(crate) fn not_promised(expectation: Expectation) -> Option<String> {
    let cite = expectation.citation().filter(|_| expectation != Expectation::Done)?;
    let page = cite.page.title.split(" (").next().unwrap_or_default();
    let held = if matches!(expectation, Expectation::Blocked(_)) { "blocked" } else { "not promised" };
    Some(format!("{held} ({}: {page}, {}: {})", expectation.name(), cite.place, cite.reason))
}

/// What is disputed of a case, and whether readings of its page differ on it: in brackets behind what comes of it.
fn doubts(disputes: &tandem_harness::Disputes, case: &CaseValue) -> String {
    case.with_parts(|parts| {
        let disputed = disputes.of_case(parts).map(|one| format!(" [disputed: {}]", one.id));
        let contested = (case.instruction.contested)(parts).map(|_| " [contested]".to_string());
        disputed.chain(contested).collect()
    })
}
