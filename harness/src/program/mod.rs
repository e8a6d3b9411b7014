//! Programs: cases of 2 to 16 steps on one thread, one after the other without a reset.
//!
//! Cells of programs are ordered pairs of adjacent instructions, split by what the second has to do with the first
//! ([`Dependence`]). What a step read and wrote is asked of the reference; nothing here knows an instruction.
//!
//! 1. **Draw** (`draw`): the state is drawn once, with the axes and a cell of the first instruction, and often of the second
//!    before; other steps are code words alone. Of a bounded number of candidates the first is taken that has the wanted
//!    dependence.
//!    Where it is known what a target refuses, candidates are drawn so that no rule refuses a step of theirs.
//! 2. **Run** (`bench`): the reference goes on until a step promises nothing or is held. Targets run as many steps without a
//!    reset, on the overlay of the whole program, and are compared once, at the end.
//! 3. **Name**: where that differs, the program runs again by value with a compare after every step ([`crate::Minimizer`]):
//!    the finding has the signature of the first step that differs. A target that takes programs whole, where nobody sees
//!    the state between two steps, runs as much of it as goes to each step, from the beginning.
//! 4. **Minimize**: fewer steps, and then as any case.

mod bench;
mod depend;
mod draw;
mod id;
mod pairs;
mod undo;

pub use bench::{ProgramBench, ProgramDraw};
pub use depend::Dependence;
pub use draw::Answered;
pub use id::ProgramId;
pub use pairs::{
    Measured, PAIR_GREEN, PairCell, PairStatus, ProgramFinding, ProgramPlan, ProgramResult, ProgramSpeed, answered,
    program_speed, run_programs,
};

pub use tandem_isa::MAX_STEPS;
