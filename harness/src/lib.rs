//! The harness: generates cases, runs the reference and targets, compares, minimizes, covers and reports.
//!
//! It knows banks, fields, instructions, cells and cases from the contract in `tandem-isa`, and nothing of any one
//! instruction set.
//!
//! Its rooms are listed from the lowest to the highest. A room uses those before it and none behind it, which a gate holds
//! (`tests/rooms.rs`).

mod terms;

mod judge;

mod case;

pub mod foreign;

mod bench;

pub mod observe;

mod run;

mod program;

mod threads;

mod explain;

pub mod vectors;

pub mod report;

pub use bench::{
    CaseResult, Exhibit, FirstDifference, Lineup, MinimizeLimits, Minimized, Minimizer, RUNS_ANEW, Slot, Workbench,
    each_case, speed,
};
pub use case::{
    CaseId, CaseIdError, CaseSource, CaseValue, Drawn, DrawnCase, GENERATOR_VERSION, Generator, IsaSuite,
    MakeReference, NextStep, OperandWords, Plain, Pools, SEED_BITS, Salter, Suite, TargetFactory, corners, epoch_of,
    operand_words, quiet_salt,
};
pub use explain::{
    Atom, Cause, DiagnoseLimits, Diagnosis, Dictionary, FailingCase, Matter, Parting, Tier, diagnose, explain_in_order,
    explain_in_program, find_in_order, fingerprint,
};
pub use judge::{
    BitCover, CaseOutcome, Coverage, Difference, Disputes, GREEN, Kind, RowMap, Signature, TupleCover, believe_no_exit,
    is_of_the_outcome, quiet_panics, rules,
};
pub use program::{
    Answered, Dependence, MAX_STEPS, Measured, PAIR_GREEN, PairCell, PairStatus, ProgramBench, ProgramDraw,
    ProgramFinding, ProgramId, ProgramPlan, ProgramResult, ProgramSpeed, answered, program_speed, run_programs,
};
pub use run::{
    BLOCK, Budget, CHUNK_BITS, Campaign, CampaignResult, CellCount, CellStatus, Checkpoint, CheckpointError, Chunk,
    ChunkResult, Claimed, ExhaustCell, ExhaustResult, Explanation, Finding, Foretold, Hunt, JoinError, OBSERVE,
    OBSERVE_SHARE, Plan, Progress, Shard, Sighting, UNSUPPORTED, UnitResult, chunks, domain, exhaust, hunt,
    hunt_in_cell, join, one_cell_a_class, specified, take_value,
};
pub use threads::{
    End, Explored, Found, FoundKind, Hold, Kernel, KernelError, KernelIsa, KernelLine, Lockstep, LockstepEnd,
    LockstepLimits, Mismatch, Mutant, Scheduled, SearchLimits, Turn, explore, lockstep, member, mutants, observe_order,
    scheduled, shorter, trace,
};
