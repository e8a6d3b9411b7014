//! Foreign targets: implementations behind the border, which are given batches of cases and are not trusted.
//!
//! [`check`] refuses what is no answer; [`Foreign`] makes a target of a border, and when it has misbehaved
//! begins it anew. A [`Launcher`] starts what the command line names: a shared library ([`abi`]), or a process
//! that speaks frames ([`wire`]) or lines ([`json_lines`]). [`serve`] is the other side, for programs in Rust.
//!
//! Once for all ways: `instance` begins a target anew and sees that it is the same one, `talk` asks over a stream whatever the
//! protocol, and `time_limit` says when a call is waited for no more. A library in our own process that hangs cannot be ended;
//! `watchdog` tells.
//!
//! Where results go by named models, [`Models`] keeps from a target what it does not follow.
//!
//! In a campaign, `gather` collects cases while the reference runs, `settle` sends them and finds the case that did it
//! when something goes wrong, and `judge` compares. `locate` finds the rows that were written behind a report.

pub mod abi;
#[cfg(test)]
mod abi_tests;
pub mod check;
mod gather;
mod host;
mod instance;
pub mod json_lines;
mod judge;
mod library;
mod locate;
mod models;
mod process;
pub mod serve;
mod settle;
mod spec;
mod supervisor;
mod talk;
mod target;
mod time_limit;
#[cfg(test)]
mod transport_tests;
mod watchdog;
pub mod wire;

pub use crate::judge::StrayWrite;
pub use crate::terms::Models;
pub use host::host_library;
pub use library::describe;
pub use process::Protocol;
pub(crate) use settle::{Desk, Patience};
pub use spec::{Connected, Launcher, StartError, TargetSpec};
pub use supervisor::{Ended, Supervised, supervise};
pub(crate) use target::edition_number;
pub use target::{Foreign, UNSAID};
pub use time_limit::End;
pub use watchdog::{Diary, Stuck};
