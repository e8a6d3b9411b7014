//! The harness: generates cases, runs the reference and targets, compares, minimizes, covers and reports.
//!
//! It knows banks, fields, instructions, cells and cases from the contract in `tandem-isa`, and nothing of any one
//! instruction set.

mod block;
mod campaign;
mod case_id;
mod checkpoint;
mod compare;
mod cover;
mod diagnose;
mod dispute;
mod exhaust;
mod feed;
mod finding;
pub mod fingerprint;
pub mod foreign;
mod generate;
mod hunt;
mod lineup;
mod minimize;
pub mod observe;
mod one_or_many;
mod operands;
mod order;
mod part;
mod plain;
mod pools;
mod program;
pub mod report;
pub mod rules;
mod sequence;
mod shard;
mod specified;
pub mod speed;
mod suite;
mod trial;
mod turns;
mod value;
pub mod vectors;
mod workbench;

pub use campaign::{
    BLOCK, Budget, Campaign, CampaignResult, CellCount, CellStatus, Claimed, Foretold, GREEN, OBSERVE, OBSERVE_SHARE,
    Plan, Progress, UNSUPPORTED, UnitResult, take_value,
};
pub use case_id::{CaseId, CaseIdError, GENERATOR_VERSION, SEED_BITS};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use compare::{Difference, Kind, RowMap, Signature};
pub use cover::{BitCover, Coverage, TupleCover};
pub use diagnose::{Atom, Cause, DiagnoseLimits, Diagnosis, Dictionary, Matter, Sighted, Tier, diagnose};
pub use dispute::{Disputes, is_of_the_outcome};
pub use exhaust::{
    CHUNK_BITS, Chunk, ChunkResult, ExhaustCell, ExhaustResult, chunks, domain, exhaust, one_cell_a_class,
};
pub use finding::{Finding, Minimized, Sighting};
pub use generate::{CaseSource, Drawn, Generator, epoch_of};
pub use hunt::{Hunt, hunt, hunt_in_cell};
pub use lineup::{Exhibit, FirstDifference, Lineup, each_case};
pub use minimize::{MinimizeLimits, Minimizer, RUNS_ANEW};
pub use operands::{OperandWords, operand_words};
pub use order::{Earlier, Keeping, Kept, Preceded, find_in_order};
pub use part::{Parting, Told};
pub use plain::{Plain, PlainCase};
pub use pools::{Pools, Salter, corners};
pub use program::{
    Answered, Dependence, MAX_STEPS, Measured, PAIR_GREEN, PairCell, PairStatus, ProgramBench, ProgramFinding,
    ProgramId, ProgramPlan, ProgramRan, ProgramResult, ProgramSpeed, answered, program_speed, run_programs,
};
pub use shard::{JoinError, Shard, join};
pub use specified::specified;
pub use suite::{IsaSuite, Suite, TargetFactory};
pub use value::{CaseValue, NextStep};
pub use workbench::{CaseOutcome, Ran, Slot, Workbench, believe_no_exit, quiet_panics};
