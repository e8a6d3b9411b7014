//! What a fault is, all of them, and how one is made.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use tandem_isa::{Edition, Facts, MACHINES, Target};

use crate::stray::{StrayKind, StrayTarget};
use crate::twist::{self, Careful, Right, Twisted};

/// [`Fault::instruction`] of a fault that is not tied to one.
pub const ANY_INSTRUCTION: &str = "any";

/// How a fault shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A step of the instruction is wrong; everything that is written is in the log.
    Wrong,
    /// Something is written that is not in the log.
    Unmarked,
    /// The result depends on what ran before.
    Order,
    /// It panics.
    Panic,
}

/// A fault that has a name: one thing that is done wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For example `tx06-fp32-enabled-ignored`; unique in the catalogue.
    pub id: &'static str,
    /// The file name of the instruction, for example `mova2d`; its path, for example `tensix-bh/sfpload`, if it is wrong
    /// on that chip alone; or [`ANY_INSTRUCTION`].
    pub instruction: &'static str,
    /// What is done wrong, in one sentence.
    pub what: &'static str,
    /// The editions in which it is an error.
    pub wrong_in: &'static [Edition],
    /// The erratum of which it is a reading that was not taken.
    pub erratum: Option<&'static str>,
    /// How it shows itself.
    pub kind: FaultKind,
}

impl Fault {
    /// Whether it is a fault of `instruction`, or of any.
    #[must_use]
    pub fn concerns(&self, instruction: &Facts) -> bool {
        [instruction.file, ANY_INSTRUCTION].contains(&self.instruction) || self.instruction == instruction.path()
    }

    /// Whether comparing a single case by the rows in its log can miss it.
    #[must_use]
    pub const fn hidden(&self) -> bool {
        match self.kind {
            FaultKind::Wrong | FaultKind::Panic => false,
            FaultKind::Unmarked | FaultKind::Order => true,
        }
    }
}

/// The faults of `named.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFaults {
    fault: Vec<NamedFault>,
}

/// A fault that is a twist, or several, and has a name of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFault {
    id: String,
    instruction: String,
    what: String,
    /// The names of the twists; where there is none, its id stands in the reference as that of another reading.
    #[serde(default)]
    does: Vec<String>,
}

static NAMED: LazyLock<NamedFaults> =
    LazyLock::new(|| toml::from_str(include_str!("../named.toml")).expect("a test reads it"));

static CATALOGUE: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let errata = MACHINES.iter().flat_map(|machine| machine.errata);
    let readings = errata.flat_map(|erratum| {
        let wrong_in = if erratum.editions.is_empty() { &Edition::ALL } else { erratum.editions };
        erratum.readings.iter().map(move |reading| Fault {
            id: reading.id,
            instruction: reading.instruction,
            what: reading.says,
            wrong_in,
            erratum: Some(erratum.id),
            kind: FaultKind::Wrong,
        })
    });
    let named = NAMED.fault.iter().map(|fault| Fault {
        id: &fault.id,
        instruction: &fault.instruction,
        what: &fault.what,
        wrong_in: &Edition::ALL,
        erratum: None,
        kind: FaultKind::Wrong,
    });
    readings.chain(named).chain(StrayKind::ALL.iter().map(|kind| kind.fault())).collect()
});

/// Every fault that has a name: readings of errata that were not taken, twists that are known by a name, and what wraps any
/// target.
///
/// All other twists, and [`crate::one_cell::OneCell`], which has one fault for each cell, are not listed.
#[must_use]
pub fn catalogue() -> &'static [Fault] {
    &CATALOGUE
}

/// The target with the fault called `fault_id`, which counts in `acts` how often it misbehaves; nothing if it is none that can tell.
#[must_use]
pub fn counting(fault_id: &str, acts: &Arc<AtomicU64>) -> Option<Box<dyn Target>> {
    Some(Box::new(stray(StrayKind::named(fault_id)?).counting(Arc::clone(acts))))
}

/// A right target that misbehaves: where nothing is promised, by a panic alone, since nobody looks at more there.
fn stray(kind: StrayKind) -> StrayTarget {
    let right: Box<dyn Target> = if kind == StrayKind::Panic { Box::new(Right) } else { Box::new(Careful) };
    StrayTarget::new(right, kind)
}

/// The target with the fault called `fault_id`, or [`Right`] without one; `None` if there is no such fault. Several faults
/// of one instruction set, joined by `+`, make a target that has them all.
#[must_use]
pub fn target(fault_id: Option<&str>) -> Option<Box<dyn Target>> {
    let Some(ids) = fault_id else {
        return Some(Box::new(Right));
    };
    let twists_of = |id: &str| match NAMED.fault.iter().find(|fault| fault.id == id && !fault.does.is_empty()) {
        Some(fault) => fault.does.iter().map(|name| twist::named(name)).collect(),
        None => twist::of_reading(id),
    };
    if let Some(twists) = ids.split('+').map(twists_of).collect::<Option<Vec<_>>>() {
        return Some(Box::new(Twisted::called(format!("fault:{ids}"), twists.concat())));
    }
    Some(Box::new(stray(StrayKind::named(ids)?)))
}
