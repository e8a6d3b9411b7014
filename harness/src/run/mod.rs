//! Runs: many cases in blocks, by several workers or machines, gathered as findings ([`Campaign`], `block`, `turns`, [`Shard`],
//! [`Checkpoint`]), every value of an operand ([`exhaust`]), a target until it is found ([`hunt`]), and the reference alone
//! ([`specified`]).
//!
//! What a finding is about and how it reads is for the rooms above. It may use `observe`, `bench` and what these may use.

mod block;
mod campaign;
mod checkpoint;
mod earlier;
mod exhaust;
mod finding;
mod hunt;
mod shard;
mod specified;
mod turns;

pub use campaign::{
    BLOCK, Budget, Campaign, CampaignResult, CellCount, CellStatus, Claimed, Foretold, OBSERVE, OBSERVE_SHARE, Plan,
    Progress, UNSUPPORTED, UnitResult, take_value,
};
pub(crate) use campaign::{Located, UNSTEADY, minimize_first, minimize_value, take_drawn};
pub use checkpoint::{Checkpoint, CheckpointError};
pub(crate) use earlier::cases_before;
pub use exhaust::{
    CHUNK_BITS, Chunk, ChunkResult, ExhaustCell, ExhaustResult, chunks, domain, exhaust, one_cell_a_class,
};
pub use finding::{Explanation, Finding, Sighting};
pub(crate) use finding::{bit_names, is_bit_name};
pub use hunt::{Hunt, hunt, hunt_in_cell};
pub use shard::{JoinError, Shard, join};
pub use specified::specified;
