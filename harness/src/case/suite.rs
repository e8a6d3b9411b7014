//! What a run is made of: instruction sets, their references, and the targets that are compared with them.

use std::sync::Arc;

use tandem_isa::{Dispute, Edition, Facts, Instruction, Isa, Reference, Statement, Target, TargetInfo};

use crate::Disputes;
use crate::terms::{Claims, Models};

/// Cases that are sent to targets behind a border at once: few enough to stay in a core's cache on their way, and to end
/// in a hash soon.
pub(crate) const BATCH: u64 = 128;

/// Makes fresh instances of a target, one for each worker.
#[derive(Clone)]
pub struct TargetFactory {
    /// How the target is called.
    pub info: TargetInfo,
    /// For a foreign target, which instructions of its set it implements.
    implemented: Option<Arc<[bool]>>,
    /// Whether it may refuse cases of what it implements.
    partial: bool,
    /// The text of its claims.
    claims: Option<Arc<str>>,
    /// What it is held to.
    claimed: Option<Arc<Claims>>,
    /// What it is asked of named models.
    models: Models,
    /// The most cases that are sent to it at once, if it is behind a border.
    batch: u64,
    make: Arc<dyn Fn() -> Box<dyn Target> + Send + Sync>,
}

impl TargetFactory {
    /// A factory of the targets that `make` makes.
    pub fn new(make: impl Fn() -> Box<dyn Target> + Send + Sync + 'static) -> Self {
        let first = make();
        let claims = first.claims().map(Arc::from);
        TargetFactory { claims, ..Self::of(first.info(), make) }
    }

    /// A factory of instances of a foreign target, of which one was started before and said what it implements.
    pub fn foreign(
        info: TargetInfo,
        implemented: &[bool],
        make: impl Fn() -> Box<dyn Target> + Send + Sync + 'static,
    ) -> Self {
        TargetFactory { implemented: Some(implemented.into()), partial: true, ..Self::of(info, make) }
    }

    /// A factory of instances of a target that is asked everything, and claims nothing.
    fn of(info: TargetInfo, make: impl Fn() -> Box<dyn Target> + Send + Sync + 'static) -> Self {
        TargetFactory {
            info,
            implemented: None,
            partial: false,
            claims: None,
            claimed: None,
            models: Models::default(),
            batch: BATCH,
            make: Arc::new(make),
        }
    }

    /// The same target behind a border, which is sent up to so many cases at once in place of 128: for one to which a batch
    /// is dear, and a case cheap. What is run again is sent in smaller batches, of which a few may still have more than `cases`, if
    /// those are fewer than 32.
    #[must_use]
    pub fn in_batches_of(self, cases: u64) -> Self {
        TargetFactory { batch: cases.max(1), ..self }
    }

    /// The most cases that are sent to it at once, if it is behind a border.
    pub(crate) fn batch(&self) -> u64 {
        self.batch
    }

    /// The same target, which may refuse cases: a campaign finds out which, and counts it for itself.
    #[must_use]
    pub fn partial(self) -> Self {
        TargetFactory { partial: true, ..self }
    }

    /// Whether it may refuse cases of what it implements. Foreign targets may.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// The same factory of a target that makes these claims: what a foreign one said when it was started.
    #[must_use]
    pub fn with_claims(self, claims: Option<String>) -> Self {
        TargetFactory { claims: claims.map(Arc::from), ..self }
    }

    /// The same target, which is asked only what goes by these models.
    #[must_use]
    pub fn with_models(self, models: Models) -> Self {
        TargetFactory { models, ..self }
    }

    /// What it is asked of named models.
    pub(crate) fn models(&self) -> &Models {
        &self.models
    }

    /// The text of the target's claims, a TOML document, if it makes any.
    #[must_use]
    pub fn claims(&self) -> Option<&str> {
        self.claims.as_deref()
    }

    /// The same target, which is held to these claims: what it refuses beyond them breaks a promise.
    #[must_use]
    pub fn claiming(self, claims: Arc<Claims>) -> Self {
        TargetFactory { claimed: Some(claims), partial: true, ..self }
    }

    /// What it is held to, if anything.
    #[must_use]
    pub fn claimed(&self) -> Option<&Claims> {
        self.claimed.as_deref()
    }

    /// Whether this is somebody else's implementation, behind the border.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.implemented.is_some()
    }

    /// Whether the target implements an instruction of its set.
    #[must_use]
    pub fn implements(&self, instruction: &'static Facts) -> bool {
        if self.claimed.as_ref().is_some_and(|claims| !claims.has(instruction)) {
            return false;
        }
        match &self.implemented {
            Some(implemented) => implemented[instruction.index],
            None => self.make().implements(instruction),
        }
    }

    /// A fresh instance.
    #[must_use]
    pub fn make(&self) -> Box<dyn Target> {
        (self.make)()
    }
}

/// Makes a reference.
pub type MakeReference = Arc<dyn Fn() -> Box<dyn Reference> + Send + Sync>;

/// One instruction set with its reference and its targets.
#[derive(Clone)]
pub struct IsaSuite {
    /// The instruction set.
    pub isa: &'static Isa,
    /// Makes its reference.
    pub reference: MakeReference,
    /// The statements of the page that the `spec` edition of an instruction has, by line; none if they are not listed.
    pub statements: fn(&Facts) -> &'static [Statement],
    /// What is disputed, so that a difference in it is no finding; nothing where targets are held to the pages throughout.
    pub disputes: &'static [Dispute],
    /// The targets, best level last.
    pub targets: Vec<TargetFactory>,
}

impl IsaSuite {
    /// The same instruction set with other targets.
    #[must_use]
    pub fn with_targets(&self, targets: Vec<TargetFactory>) -> Self {
        IsaSuite { targets, ..self.clone() }
    }

    /// The same, in which differences in disputed cases are no findings: for implementations of others. Ours follow the pages.
    #[must_use]
    pub fn with_disputes(self) -> Self {
        IsaSuite { disputes: self.isa.machine.disputes, ..self }
    }

    /// What is disputed of an instruction here.
    #[must_use]
    pub fn disputes_of(&self, instruction: &'static Instruction) -> Disputes {
        Disputes::of(self.isa, instruction, self.disputes)
    }
}

/// All instruction sets of a run.
#[derive(Clone)]
pub struct Suite {
    /// The instruction sets, in the order of reports.
    pub isas: Vec<IsaSuite>,
}

impl Suite {
    /// The same, in which differences in disputed cases are no findings.
    #[must_use]
    pub fn with_disputes(self) -> Self {
        Suite { isas: self.isas.into_iter().map(IsaSuite::with_disputes).collect() }
    }

    /// The suite of the instruction set called `name` (or by its short name).
    #[must_use]
    pub fn isa(&self, name: &str) -> Option<&IsaSuite> {
        self.isas.iter().find(|suite| suite.isa.name == name || suite.isa.short == name)
    }

    /// All instructions, with their instruction sets.
    pub fn instructions(&self) -> impl Iterator<Item = (&IsaSuite, &'static Instruction)> {
        self.isas.iter().flat_map(|suite| suite.isa.instructions.iter().map(move |&instruction| (suite, instruction)))
    }

    /// Every instruction in every edition that differs, in the order of reports.
    #[must_use]
    pub fn units(&self) -> Vec<(&'static Instruction, Edition)> {
        let of = |instruction: &'static Instruction| instruction.editions().iter().map(move |&one| (instruction, one));
        self.instructions().flat_map(|(_, instruction)| of(instruction)).collect()
    }
}
