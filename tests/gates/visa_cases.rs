//! Cases of vISA, judged by the reference: they keep the rules of the pages where they say so, and break the one that they
//! name.

use std::collections::BTreeMap;

use tandem_harness::IsaSuite;
use tandem_isa::{
    Code, Edition, Expectation, FieldRole, Instruction, Levels, MAX_AXES, Noise, Parts, SaltPlan, State, Step, mix64,
};

use crate::parts::instruction;

/// Classes of cells in which the pages promise nothing.
const UNPROMISED: [&str; 7] = [
    "no such pair of types",
    "packed vector",
    "no such precisions",
    "8-bit floats",
    "no such channels",
    "no such depth",
    "no such types",
];
/// The axes of rules that are broken.
const RULES: [&str; 3] = ["region_rule", "place_rule", "encoding_rule"];

/// Cases of an instruction.
struct Cases {
    suite: IsaSuite,
    instruction: &'static Instruction,
    state: State,
}

impl Cases {
    fn of(path: &str) -> Self {
        let (suite, instruction) = instruction(path);
        Cases { state: suite.isa.base_state(), suite, instruction }
    }

    fn axis(&self, name: &str) -> Option<usize> {
        (self.instruction.orthogonal)(Edition::Newest).iter().position(|axis| axis.name == name)
    }

    /// A background with some fields, and what is made of it.
    fn draw(&mut self, number: u64, make: impl FnOnce(&mut Parts<'_>, &mut Noise)) -> Code {
        let mut noise = Noise::new(mix64(number ^ 0xca5e));
        for field in (self.suite.isa.layout.fields)() {
            let value = match number % 8 {
                0 => 0,
                1 => field.max,
                _ => noise.bits(field.width).min(field.max),
            };
            field.set(&mut self.state.small, if field.role == FieldRole::Model { field.base } else { value });
        }
        let (mut code, mut salt) = (Code::new(self.instruction.base_code), SaltPlan::default());
        make(&mut Parts { code: &mut code, small: &mut self.state.small, salt: &mut salt }, &mut noise);
        code
    }

    /// Gives a case the levels of orthogonal axes, which are drawn, and a cell.
    fn impose(instruction: &Instruction, cell: usize, parts: &mut Parts<'_>, noise: &mut Noise) -> Levels {
        let mut levels = [0; MAX_AXES];
        (instruction.prepare)(parts, noise);
        for (level, axis) in levels.iter_mut().zip((instruction.orthogonal)(Edition::Newest)) {
            let is_drawn = axis.name != "platform";
            let drawn = if is_drawn { noise.below(axis.levels.len()) } else { 0 };
            let is_rare = !instruction.recording.has_level(axis, drawn) || drawn > 0 && RULES.contains(&axis.name);
            let drawn = if is_rare && noise.below(4) != 0 { 0 } else { drawn };
            *level = u8::try_from(drawn).expect("few levels");
            (axis.set)(parts, drawn, noise);
        }
        (instruction.cells)(Edition::Newest).impose(cell, parts, noise);
        levels
    }

    /// Whether the reference does a case.
    fn is_done(&mut self, code: &Code) -> bool {
        let step = Step { instruction: self.instruction, edition: Edition::Newest, code };
        let answer = (self.suite.reference)().execute(&step, &mut self.state);
        self.state.arena.fill(0);
        self.state.tracker.clear();
        answer == Expectation::Done
    }

    fn class(&self, cell: usize) -> &'static str {
        let cells = (self.instruction.cells)(Edition::Newest);
        (self.instruction.cell_class)(Edition::Newest, cells.levels(cell))
    }
}

#[test]
fn visa_cases_keep_every_rule_or_break_the_one_that_they_name() {
    // DPAS keeps its rules in every case; a MOV may meet what its types do not allow.
    for (path, most_kept) in [("visa/mov", 90), ("visa/dpas", 100)] {
        let mut cases = Cases::of(path);
        let (it, space) = (cases.instruction, (cases.instruction.cells)(Edition::Newest));
        let axes = (it.orthogonal)(Edition::Newest);
        let rules = RULES.map(|name| cases.axis(name));
        let few = cases.axis("predicate_elements");
        let mut seen: Vec<Vec<usize>> = axes.iter().map(|axis| vec![0; axis.levels.len()]).collect();
        // Kept and broken, by rule.
        let mut counts: BTreeMap<Option<(&str, &str)>, [usize; 2]> = BTreeMap::new();
        for number in 0..60_000 {
            let cell = (number % space.len() as u64) as usize;
            let mut levels = [0; MAX_AXES];
            let code = cases.draw(number, |parts, noise| {
                levels = Cases::impose(it, cell, parts, noise);
                (it.finish)(parts, &mut levels, noise);
                assert_eq!(space.classify(parts), Some(cell), "{path} {number}: {}", space.describe(cell));
            });
            let level = |axis: usize| usize::from(levels[axis]);
            let broken: Vec<usize> = rules.into_iter().flatten().filter(|&axis| levels[axis] != 0).collect();
            let is_promised = (axes.iter().enumerate()).all(|(place, axis)| it.recording.has_level(axis, level(place)));
            for (counts, &level) in seen.iter_mut().zip(&levels) {
                counts[usize::from(level)] += 1;
            }
            if broken.len() > 1
                || !is_promised
                || UNPROMISED.contains(&cases.class(cell))
                || few.is_some_and(|few| axes[few].levels[level(few)] == "too few")
            {
                continue;
            }
            let rule = broken.first().map(|&axis| (axes[axis].name, axes[axis].levels[level(axis)]));
            let is_done = cases.is_done(&code);
            counts.entry(rule).or_default()[usize::from(!is_done)] += 1;
        }
        for (rule, [kept, broken]) in &counts {
            println!("{path}: {rule:?} {kept} kept, {broken} broken");
        }
        let [kept, broken] = counts.remove(&None).expect("most cases break no rule");
        assert!(kept > 5_000 && kept * 100 >= (kept + broken) * most_kept, "{path}: {kept} kept, {broken} broken");
        for axis in rules.into_iter().flatten() {
            for &level in &axes[axis].levels[1..] {
                let [kept, broken] = counts.get(&Some((axes[axis].name, level))).copied().unwrap_or_default();
                assert!(
                    broken > 5 * kept,
                    "{path}, {}: {level}: kept {kept} times, broken {broken} times",
                    axes[axis].name
                );
            }
        }
        for (axis, counts) in axes.iter().zip(seen).filter(|(axis, _)| axis.name != "platform") {
            assert!(counts.iter().all(|&count| count > 20), "{path}: {} {:?}: {counts:?}", axis.name, axis.levels);
        }
    }
}

#[test]
fn dpas_cases_have_the_levels_that_they_say() {
    let mut cases = Cases::of("visa/dpas");
    let (it, space) = (cases.instruction, (cases.instruction.cells)(Edition::Newest));
    let axes = (it.orthogonal)(Edition::Newest);
    let rules = RULES.map(|name| cases.axis(name));
    for number in 0..20_000 {
        let cell = (number % space.len() as u64) as usize;
        if UNPROMISED.contains(&cases.class(cell)) {
            continue;
        }
        cases.draw(number, |parts, noise| {
            let mut levels = Cases::impose(it, cell, parts, noise);
            rules.into_iter().flatten().for_each(|axis| levels[axis] = 0);
            (it.finish)(parts, &mut levels, noise);
            for (axis, &level) in axes.iter().zip(&levels) {
                // What is drawn by them is no field; types may be of a variable that is shared, and models not matter.
                let is_told = ["operands", "bystanders", "src1_type", "src2_type", "variables", "src0_lead"];
                let read = (axis.get)(parts);
                assert!(
                    axis.name.starts_with("model_") || is_told.contains(&axis.name) || read == usize::from(level),
                    "{}: {} is {}, in {}",
                    axis.name,
                    axis.levels[usize::from(level)],
                    axis.levels[read],
                    space.describe(cell)
                );
            }
        });
    }
}

#[test]
fn speed_classes_and_exhaustive_cases_of_visa_are_done() {
    for (path, domains) in [("visa/mov", 1..=usize::MAX), ("visa/dpas", 488..=488)] {
        let mut cases = Cases::of(path);
        let (it, space) = (cases.instruction, (cases.instruction.cells)(Edition::Newest));
        for class in it.bench_classes {
            for number in 0..200 {
                let code = cases.draw(number, |parts, noise| (class.set)(parts, noise));
                assert!(cases.is_done(&code), "{path} {}", class.name);
            }
        }
        let mut exhausted = 0;
        for cell in 0..space.len() {
            let Some(exhaust) = (it.exhaust)(Edition::Newest, space.levels(cell)) else { continue };
            let code = cases.draw(cell as u64, |parts, noise| {
                Cases::impose(it, cell, parts, noise);
                (exhaust.set)(parts, noise);
            });
            let is_promised = !UNPROMISED.contains(&cases.class(cell));
            assert!(!is_promised || cases.is_done(&code), "{path} {}", space.describe(cell));
            exhausted += 1;
        }
        assert!(domains.contains(&exhausted), "{path}: {exhausted}");
    }
}
