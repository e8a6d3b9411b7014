//! Disputed tests: which of them others say otherwise of, the flags that say so, and which differences are excused.

use std::collections::BTreeMap;

use tandem_isa::{Answer, Dispute, Edition, Instruction, Isa, Parts, Reference, SaltPlan};

use super::model::{Note, Test, VectorFile};
use crate::terms::with_parts;
use crate::{Difference, Disputes, IsaSuite, NextStep, is_of_the_outcome};

/// What is disputed of tests.
pub struct DisputedTests {
    suite: IsaSuite,
    reference: Box<dyn Reference>,
    /// Of instructions, by their places in the set.
    known: BTreeMap<usize, Disputes>,
}

impl DisputedTests {
    /// Those of the suite's disputes.
    #[must_use]
    pub fn new(suite: &IsaSuite) -> Self {
        let suite = suite.with_targets(Vec::new());
        DisputedTests { reference: (suite.reference)(), suite, known: BTreeMap::new() }
    }

    /// The steps of a test, if one of them can be disputed, with the state that the reference begins it in.
    fn steps(&mut self, instruction: &'static Instruction, test: &Test, edition: Edition) -> Vec<(NextStep, Vec<u8>)> {
        let (isa, steps) = (self.suite.isa, test.steps(instruction));
        let is_concerned = |step: &NextStep| self.suite.disputes.iter().any(|one| one.concerns(step.instruction));
        if !steps.iter().any(is_concerned) {
            return Vec::new();
        }
        let mut state = isa.base_state();
        test.before.apply(isa, &mut state);
        let mut begun = Vec::new();
        for step in steps {
            begun.push((step, state.small.to_vec()));
            if self.reference.execute(&step.under(edition), &mut state).required_answer() != Some(Answer::Done) {
                break;
            }
        }
        begun
    }

    fn of(&mut self, instruction: &'static Instruction) -> &Disputes {
        let suite = &self.suite;
        self.known.entry(instruction.index).or_insert_with(|| suite.disputes_of(instruction))
    }

    /// What makes differences of a test no finding. Of a program nobody sees the states between its steps: one disputed step
    /// excuses whatever comes of all.
    pub(super) fn excuse(
        &mut self,
        file: &VectorFile,
        test: &Test,
        edition: Edition,
        differences: &[Difference],
    ) -> Option<&'static Dispute> {
        if !differences.iter().all(is_of_the_outcome) {
            return None;
        }
        if !test.then.is_empty() {
            return self.of_test(file.instruction, test, edition).first().copied();
        }
        let (step, small) = self.steps(file.instruction, test, edition).pop()?;
        let disputes = self.of(step.instruction);
        with_parts(&step.code, &small, &SaltPlan::default(), |parts| disputes.excuse(parts, differences))
    }

    /// The disputes of a test, or of any step of a program.
    pub fn of_test(
        &mut self,
        instruction: &'static Instruction,
        test: &Test,
        edition: Edition,
    ) -> Vec<&'static Dispute> {
        let mut found: Vec<&'static Dispute> = Vec::new();
        for (step, small) in self.steps(instruction, test, edition) {
            let disputes = self.of(step.instruction);
            let of_step = |parts: &mut Parts<'_>| disputes.of_case(parts).collect::<Vec<_>>();
            found.extend(with_parts(&step.code, &small, &SaltPlan::default(), of_step));
        }
        found.sort_by_key(|dispute| dispute.id);
        found.dedup_by_key(|dispute| dispute.id);
        found
    }

    /// The flags of a test that say what is disputed of it: `disputed`, and one for each dispute.
    pub fn flags(&mut self, instruction: &'static Instruction, test: &Test) -> Vec<String> {
        let disputes = self.of_test(instruction, test, test.newest());
        let of_each = disputes.iter().map(|dispute| flag_of(dispute));
        (!disputes.is_empty()).then(|| DISPUTED.to_string()).into_iter().chain(of_each).collect()
    }

    /// Gives the tests of a file the flags that say what is disputed, and the file their notes.
    pub fn mark(&mut self, file: &mut VectorFile) {
        let (instruction, all) = (file.instruction, self.suite.disputes);
        for test in file.groups.iter_mut().flat_map(|group| &mut group.tests) {
            let flags = self.flags(instruction, test);
            test.flags.retain(|flag| !is_of_dispute(flag));
            test.flags.extend(flags);
            test.flags.sort();
        }
        let detects = "Nothing by itself: who disagrees may have followed the others. Such tests are left out of what hardware is \
                       asked.";
        let note = |what: String| Note { what, detects: detects.to_string() };
        let what = "Other public words of those who made the chip differ from its page in this case.";
        file.notes.insert(DISPUTED.to_string(), note(what.to_string()));
        for dispute in all {
            let what = format!("{}: the page says: {} Others say: {}.", dispute.id, dispute.says, dispute.differs);
            file.notes.insert(flag_of(dispute), note(what));
        }
        let carried = |flag: &str| {
            file.groups.iter().flat_map(|group| &group.tests).any(|test| test.flags.iter().any(|one| one == flag))
        };
        let unused: Vec<String> =
            file.notes.keys().filter(|flag| is_of_dispute(flag) && !carried(flag)).cloned().collect();
        unused.iter().for_each(|flag| drop(file.notes.remove(flag)));
    }
}

/// The flag of tests that are disputed.
pub(super) const DISPUTED: &str = "disputed";

/// The flag of tests of one dispute.
fn flag_of(dispute: &Dispute) -> String {
    format!("{DISPUTED}-{}", dispute.id.to_ascii_lowercase())
}

/// Whether a flag says that a test is disputed, or by which dispute. It is no part of a test's id.
pub(super) fn is_of_dispute(flag: &str) -> bool {
    flag.strip_prefix(DISPUTED).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Which tests others say otherwise of, as far as their first step shows it, or a flag says so.
pub struct Marked(Disputes);

impl Marked {
    /// The disputes of an instruction.
    #[must_use]
    pub fn new(isa: &'static Isa, instruction: &'static Instruction) -> Self {
        Marked(Disputes::of(isa, instruction, isa.machine.disputes))
    }

    /// Whether a test is one of them.
    #[must_use]
    pub fn has(&self, isa: &Isa, test: &Test) -> bool {
        test.flags.iter().any(|flag| flag == DISPUTED)
            || !self.0.is_empty() && test.with_parts(isa, |parts| self.0.of_case(parts).next().is_some())
    }
}
