//! What a fault is, all of them, and how one is made.

use std::sync::LazyLock;

use tandem_isa::{Edition, Facts, Target};

use crate::plain::Plain;
use crate::stray::{StrayKind, StrayTarget};
use crate::tensix::{self, TensixPlain};
use crate::visa::{self, VisaPlain};

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

/// A fault: one thing that is done wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For example `lo-clobbers-high`; unique in the catalogue.
    pub id: &'static str,
    /// The file name of the instruction, for example `mova2d`; its path, for example `tensix-bh/sfpload`, if it is wrong
    /// on that chip alone; or [`ANY_INSTRUCTION`].
    pub instruction: &'static str,
    /// What is done wrong, in one sentence.
    pub what: &'static str,
    /// The editions in which it is an error. Empty for a control: it differs from the plain implementation only
    /// where the pages promise nothing, or not at all, and must not be reported.
    pub wrong_in: &'static [Edition],
    /// The erratum whose literal reading it is.
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

static CATALOGUE: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let tensix = tensix::Flaw::ALL.iter().map(|flaw| flaw.fault());
    let visa = visa::Flaw::ALL.iter().map(|flaw| flaw.fault());
    let strays = StrayKind::ALL.iter().map(|kind| kind.fault());
    tensix.chain(visa).chain(strays).collect()
});

/// Every fault that has a name: those of instructions first, then those that wrap any target.
///
/// [`crate::one_cell::OneCell`] has one fault for each cell, and they are not listed.
#[must_use]
pub fn catalogue() -> &'static [Fault] {
    &CATALOGUE
}

/// The target with the fault called `fault_id`, or [`Plain`] without one; `None` if there is no such fault. Several
/// faults of one instruction set, joined by `+`, make a target that has them all.
///
/// A fault of an instruction makes a target of that instruction alone; [`Plain`], and what wraps it, implements all.
#[must_use]
pub fn target(fault_id: Option<&str>) -> Option<Box<dyn Target>> {
    let Some(ids) = fault_id else {
        return Some(Box::new(Plain::new()));
    };
    if let Some(flaws) = ids.split('+').map(tensix::Flaw::named).collect::<Option<Vec<_>>>() {
        return Some(Box::new(TensixPlain::new(flaws)));
    }
    if let Some(flaws) = ids.split('+').map(visa::Flaw::named).collect::<Option<Vec<_>>>() {
        return Some(Box::new(VisaPlain::new(flaws)));
    }
    let kind = StrayKind::named(ids)?;
    Some(Box::new(StrayTarget::new(Box::new(Plain::new()), kind)))
}
