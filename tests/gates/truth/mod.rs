//! What is true of a target behind a policy, found by asking the policy itself: which cells it can answer, and how much of
//! what is drawn it refuses.

use std::collections::BTreeMap;

use tandem_harness::{DrawnCase, Generator, IsaSuite, Plain, Pools, RowMap, Workbench};
use tandem_isa::{Answer, Code, Edition, Instruction, Levels, Noise, Parts, Reference, SaltPlan, State, Step, mix64};
use tandem_policy::{Policy, RuleKind};

/// What is true of one cell.
#[derive(Clone, Debug, Default)]
pub struct CellTruth {
    /// Whether the pages promise a result in some case that was tried.
    pub promised: bool,
    /// Whether such a case is answered.
    pub answerable: bool,
    /// Why promised cases were refused.
    pub reasons: Vec<String>,
}

impl CellTruth {
    fn note(&mut self, required: Option<Answer>, refused: Option<String>) {
        if required != Some(Answer::Done) {
            return;
        }
        self.promised = true;
        match refused {
            None => self.answerable = true,
            Some(reason) if !self.reasons.contains(&reason) => self.reasons.push(reason),
            Some(_) => {}
        }
    }
}

/// Why a policy refuses a case, honestly or not.
fn refusal(policy: &Policy, step: &Step<'_>, state: &State) -> Option<String> {
    let first = |kind| policy.first(kind, step, state).map(|(_, reason)| reason.to_string());
    first(RuleKind::Refusal).or_else(|| first(RuleKind::Lie))
}

/// Tries cases near the plain one against a policy.
pub struct Trier<'a> {
    policy: &'a Policy,
    instruction: &'static Instruction,
    edition: Edition,
    plain: Plain,
    generator: Generator,
    reference: Box<dyn Reference>,
    base: State,
    before: State,
    state: State,
    map: RowMap,
    /// Each orthogonal axis with each level but its plain one.
    others: Vec<(usize, usize)>,
}

impl<'a> Trier<'a> {
    pub fn new(policy: &'a Policy, suite: &IsaSuite, (instruction, edition): (&'static Instruction, Edition)) -> Self {
        let generator = Generator::new(suite.isa, instruction, edition, 1, Pools::new(suite.isa, 1));
        let plain = Plain::new(suite.isa, instruction, edition);
        let mut state = suite.isa.base_state();
        state.set_port(Some(generator.port()));
        let axes = generator.orthogonal.iter().enumerate();
        let all = axes.flat_map(|(axis, of)| (0..of.levels.len()).map(move |level| (axis, level)));
        let others = all.filter(|&(axis, level)| usize::from(plain.levels()[axis]) != level).collect();
        Trier {
            policy,
            instruction,
            edition,
            plain,
            generator,
            reference: (suite.reference)(),
            base: suite.isa.base_state(),
            before: suite.isa.base_state(),
            state,
            map: RowMap::new(suite.isa.layout),
            others,
        }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.generator.cells.len()
    }

    /// A cell: its plain case, and then others, some of them with one orthogonal axis at another level, until one is
    /// answered.
    pub fn cell(&mut self, cell: usize, attempts: u64) -> CellTruth {
        let mut found = CellTruth::default();
        self.case(self.plain.case(cell), cell as u64, &mut found);
        for attempt in 1..attempts {
            if found.answerable {
                break;
            }
            let key = mix64(mix64(cell as u64) ^ attempt);
            let mut levels = *self.plain.levels();
            if attempt % 3 != 0 {
                let (axis, level) = self.others[key as usize % self.others.len()];
                levels[axis] = u8::try_from(level).expect("an axis has at most 256 levels");
            }
            self.case(self.drawn(cell, levels, key), key, &mut found);
        }
        found
    }

    /// A case of the base state with these levels and this cell; what they leave open is drawn.
    fn drawn(&self, cell: usize, mut levels: Levels, key: u64) -> DrawnCase {
        let (mut code, mut small, mut salt) =
            (Code::new(self.instruction.base_code), self.base.small.clone(), SaltPlan::default());
        let mut noise = Noise::new(key);
        let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
        (self.instruction.prepare)(&mut parts, &mut noise);
        for (axis, &level) in self.generator.orthogonal.iter().zip(&levels) {
            (axis.set)(&mut parts, usize::from(level), &mut noise);
        }
        self.generator.cells.impose(cell, &mut parts, &mut noise);
        (self.instruction.finish)(&mut parts, &mut levels, &mut noise);
        DrawnCase { code, small, salt }
    }

    fn case(&mut self, DrawnCase { code, small, salt }: DrawnCase, key: u64, found: &mut CellTruth) {
        let step = Step { instruction: self.instruction, edition: self.edition, code: &code };
        self.before.small.copy_from_slice(&small);
        self.state.small.copy_from_slice(&small);
        self.state.port_mut().expect("it was opened").begin(key, &salt, false);
        let required = self.reference.execute(&step, &mut self.state).required_answer();
        let tracker = &self.state.tracker;
        self.map.copy([&tracker.overlay.rows], &tracker.overlay.arena, &mut self.before.arena);
        found.note(required, refusal(self.policy, &step, &self.before));
        self.map.copy([&tracker.overlay.rows], &self.base.arena, &mut self.before.arena);
        self.map.copy([&tracker.overlay.rows, &tracker.log.written], &self.base.arena, &mut self.state.arena);
        self.state.tracker.clear();
    }
}

/// What a policy refuses of cases as a campaign without rules draws them.
#[derive(Debug, Default)]
pub struct Shares {
    /// Cases for which the pages promise something.
    pub promised: u64,
    /// How many of them are refused, by the reason of the first rule that holds.
    pub refused: BTreeMap<String, u64>,
}

impl Shares {
    /// The share that is refused, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.refused.values().sum::<u64>() as f64 / self.promised.max(1) as f64
    }
}

/// Draws cases, and asks a policy.
pub fn shares(
    policy: &Policy,
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    cases: u64,
) -> Shares {
    let generator = Generator::new(suite.isa, instruction, edition, 2, Pools::new(suite.isa, 2));
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    let map = RowMap::new(suite.isa.layout);
    let mut before = suite.isa.base_state();
    let mut shares = Shares::default();
    for number in 0..cases {
        let id = bench.generator.id(number);
        if number == 0 || !bench.generator.in_epoch(id.index) {
            bench.enter_epoch(id.index);
            before.arena.copy_from_slice(bench.generator.arena());
        }
        let mut filled = None;
        bench.capture(&id, |expectation, code, small, after| {
            if expectation.required_answer().is_none() {
                return;
            }
            before.small.copy_from_slice(small);
            let overlay = &after.tracker.overlay;
            map.copy([&overlay.rows], &overlay.arena, &mut before.arena);
            shares.promised += 1;
            if let Some(reason) = refusal(policy, &Step { instruction, edition, code }, &before) {
                *shares.refused.entry(reason).or_default() += 1;
            }
            filled = Some(overlay.rows.clone());
        });
        if let Some(rows) = filled {
            map.copy([&rows], bench.generator.arena(), &mut before.arena);
        }
    }
    shares
}
