//! The contract between targets and the harness, and the facts of each instruction set.
//!
//! This crate holds what a specification page states as a *fact*: names, widths, encodings, storage, pages and errata
//! ([`Facts`], [`Machine`]). Which cases there are is said in `tandem-cases`; here are only the types of that
//! ([`Instruction`], [`Isa`], [`Axis`]). It computes nothing on data: format conversion, addressing, counters and
//! flushing are written once in `tandem-reference` and once more in `tandem-simd`, so that neither can inherit a mistake
//! of the other.
//!
//! The contract is flat. A [`State`] is a list of named [`Bank`]s of rows of words, with *small state* beside them
//! that is described by [`Field`]s; an instruction is a few words of [`Code`] described by [`CodeField`]s. Each
//! instruction set adds a typed view of the same bytes (for example [`tensix::Tensix`]).

mod axis;
mod bank;
mod border;
mod dispute;
mod erratum;
mod every;
mod facts;
mod field;
mod format;
mod instruction;
pub mod lists;
mod meaning;
mod noise;
mod outcome;
mod page;
mod quantity;
mod rule;
mod salt;
mod set;
mod state;
mod statement;
mod target;
pub mod tensix;
mod threads;
pub mod visa;

pub use axis::{Axis, CellSpace, DRAW_TABLE, Levels, MAX_AXES, Parts};
pub use bank::{AlignedBytes, Bank, BankRole, HeldRow, Holds, Layout, MAX_BANKS, RowNames, WordSize};
pub use border::{
    Answers, BORDER_VERSION, Batch, Border, CLAIMS_BYTES, Call, MAX_STEPS, Misbehaviour, MisbehaviourKind,
    REASON_BYTES, Reasons, UNSUPPORTED,
};
pub use dispute::{Dispute, DisputeKind, DisputeSource, DisputedCase};
pub use erratum::{Erratum, ErratumKind, Evidence, Grade, NoReading, Reading};
pub use facts::{FIRST_NUMBERED, Facts, NUMBERED, Syntax, SyntaxError, Unwitnessed};
pub use field::{Code, CodeField, Field, FieldRole, MAX_CODE_WORDS};
pub use format::{Format, FormatKind, Piece, ValueClass};
pub use instruction::{
    BenchClass, ContestedData, ContestedDatum, DomainPart, Exhaust, Feed, FormatOf, Instruction, Placement, Recording,
    Reductions,
};
pub use meaning::{BankMeaning, Meaning, Meanings};
pub use noise::{Noise, mix64};
pub use outcome::{Answer, Citation, Edition, Expectation};
pub use page::{Lines, Page};
pub use quantity::Quantity;
pub use rule::{
    Enforced, FieldHolds, FieldTest, Follower, Gap, Pattern, Relief, Rule, RuleExample, RuleSource, RuleWord, Rules,
};
pub use salt::{MAX_SALT_RANGES, MAX_SETTINGS, RowShape, SaltPlan, SaltRange, Settings};
pub use set::{Isa, Machine, Model, Unmodelled, UnmodelledPlace, each};
pub use state::{Fill, Log, LoggedBank, Narrowing, OpenBits, Overlay, ReadPort, RowSet, State, Sweep, Tracker};
pub use statement::{Place, Statement};
pub use target::{Reference, Step, Target, TargetInfo, one_by_one};
pub use threads::{Act, Drain, Executes, FrontEndError, Pushed, StandIn, StatePlace, Threads, Touches, Trespass, Word};

/// Every instruction set that the suite knows, in the order in which reports list them.
pub const MACHINES: &[&Machine] = &[&tensix::WORMHOLE, &tensix::BLACKHOLE, &visa::VISA];
