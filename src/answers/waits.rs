//! Waits: what the rules of scheduling say of an instruction and its neighbours. What mends a rule is found by holding the
//! program that breaks it against all rules, as `tandem rules` does.

use tandem_harness::IsaSuite;
use tandem_harness::rules::{Planned, PlannedStep, gap_text, mended_by, schedule};
use tandem_isa::{Enforced, Instruction, Isa, Rule, RuleSource};

use super::{Answer, Topic};

pub(super) fn of(suite: &IsaSuite, instructions: &[&'static Instruction]) -> Vec<Answer> {
    let isa = suite.isa;
    let between: Vec<String> = isa.rules.rules.iter().map(|rule| between(isa, rule)).collect();
    let mut answers = Vec::new();
    for instruction in instructions {
        for (rule, between) in isa.rules.rules.iter().zip(&between) {
            let firsts: Vec<&str> = rule.first.iter().flat_map(|one| one.instructions).copied().collect();
            let seconds: Vec<&str> = rule.second.iter().flat_map(|one| one.pattern.instructions).copied().collect();
            for (own, others, asked) in [(&firsts, &seconds, "after it"), (&seconds, &firsts, "before it")] {
                if !own.iter().any(|name| is_of(name, instruction.name)) {
                    continue;
                }
                let mut of: Vec<&str> = others.clone();
                of.sort_unstable();
                of.dedup();
                let of = if of.is_empty() { "whatever comes".to_string() } else { of.join(", ") };
                let mut answer = Answer::new(Topic::Waits, instruction, of, asked, between);
                answer.word = word(rule);
                let steps = rule.example.as_ref().map_or(&[][..], |example| example.program);
                answers.push(answer.shown(&[&["rules", isa.name], steps].concat()));
            }
        }
        let mut answer = Answer::new(Topic::Waits, instruction, "any other", "after it", "no rule known");
        answer.word = "no rule known".to_string();
        answers.push(answer);
    }
    answers
}

/// Whether a name of a rule is that of an instruction, or of all of its forms.
fn is_of(name: &str, instruction: &str) -> bool {
    instruction.strip_prefix(name).is_some_and(|form| form.is_empty() || form.starts_with('_'))
}

/// What has to stand between two instructions by a rule, and the rule.
fn between(isa: &Isa, rule: &'static Rule) -> String {
    let program = rule.example.as_ref().map_or(&[][..], |example| example.program);
    let steps: Vec<PlannedStep> = program
        .iter()
        .filter_map(|text| Planned::parse(isa.machine, text).ok().map(PlannedStep::Instruction))
        .collect();
    let made = schedule(std::slice::from_ref(rule), &steps);
    let meeting = made.broken.iter().chain(&made.disputed).next();
    let mending = meeting.map_or(Vec::new(), |meeting| mended_by(isa.machine, &steps, meeting));
    let what = match (rule.enforced, mending.first()) {
        (Enforced::Hardware, _) => "nothing, the machine waits".to_string(),
        (_, None) => "see the rule".to_string(),
        (Enforced::Disputed, Some(one)) => format!("by one side {} {}", mending.len(), one.text(isa.machine)),
        (_, Some(one)) => format!("{} {}", mending.len(), one.text(isa.machine)),
    };
    format!("{what} ({}, {}: {}). {}", rule.enforced.name(), rule.id, gap_text(rule.gap), rule.says.trim())
}

/// On whose word a rule is.
fn word(rule: &Rule) -> String {
    let kind = match &rule.sources[0] {
        _ if rule.enforced == Enforced::Disputed => "disputed",
        RuleSource::Page { .. } => "page",
        RuleSource::Thread { says, .. } if says.contains("measured") => "measured",
        RuleSource::Thread { .. } => "vendor in public",
    };
    let sources: Vec<String> = rule.sources.iter().map(ToString::to_string).collect();
    format!("{kind}: {}", sources.join("; "))
}
