//! `tandem rules`.

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::rules::{
    Meeting, Planned, PlannedError, PlannedStep, RuleRow, Unruled, gap_text, mended_by, schedule, unruled,
};
use tandem_isa::{Enforced, Isa};

use super::{CliError, Common, Exit};

pub(super) fn run(common: &Common, isa: Option<&str>, program: &[String]) -> Result<Exit, CliError> {
    let named = ISAS.iter().filter(|one| isa.is_none_or(|isa| one.name == isa)).copied().collect::<Vec<&Isa>>();
    if named.is_empty() {
        let names: Vec<&str> = ISAS.iter().map(|one| one.name).collect();
        return Err(CliError::Usage(format!(
            "there is no instruction set '{}'; there are {}",
            isa.unwrap_or_default(),
            names.join(", ")
        )));
    }
    if let [only] = named[..]
        && !program.is_empty()
    {
        return check(common, only, program);
    }
    if common.json {
        let rows = named.iter().map(|one| {
            let rules: Vec<RuleRow> = one.rules.rules.iter().map(RuleRow::of).collect();
            json!({ "isa": one.name, "rules": rules })
        });
        outln!("{}", serde_json::Value::from_iter(rows));
        return Ok(Exit::Agree);
    }
    for one in named {
        table(one);
    }
    Ok(Exit::Agree)
}

fn table(isa: &Isa) {
    for kind in [Enforced::Hardware, Enforced::Software, Enforced::Advice, Enforced::Disputed] {
        for rule in isa.rules.rules.iter().filter(|rule| rule.enforced == kind) {
            outln!("{}  {}  {} ({})", isa.name, rule.id, kind.name(), gap_text(rule.gap));
            outln!("  {}", rule.says);
            for source in rule.sources {
                outln!("  {source}");
            }
        }
    }
}

/// Reads a step: a word such as `0x12002000`, an instruction such as `MOVD2A DstRow=8`, or a number of cycles.
fn step(isa: &Isa, text: &str) -> Result<PlannedStep, PlannedError> {
    if let Some(digits) = text.strip_prefix("0x")
        && let Ok(word) = u32::from_str_radix(digits, 16)
    {
        return Planned::decode(isa.machine, &[word]).map(PlannedStep::Instruction);
    }
    if let Ok(cycles) = text.parse() {
        return Ok(PlannedStep::Cycles(cycles));
    }
    Planned::parse(isa.machine, text).map(PlannedStep::Instruction)
}

fn check(common: &Common, isa: &Isa, program: &[String]) -> Result<Exit, CliError> {
    let steps: Result<Vec<PlannedStep>, _> = program.iter().map(|text| step(isa, text)).collect();
    let steps = steps.map_err(|error| CliError::Usage(error.to_string()))?;
    let made = schedule(isa.rules.rules, &steps);
    let unruled = unruled(isa.rules.rules, &steps, &made);
    let exit = if made.broken.is_empty() { Exit::Agree } else { Exit::NewFinding };
    if common.json {
        let rows = |list: &[Meeting]| -> Vec<serde_json::Value> {
            list.iter()
                .map(|one| {
                    json!({
                        "rule": one.rule.id, "first": one.first, "second": one.second, "missing": one.missing,
                        "unless": one.unless,
                    })
                })
                .collect()
        };
        let (broken, stalls, possible_stalls) = (rows(&made.broken), rows(&made.stalls), rows(&made.possible_stalls));
        let unruled: Vec<_> = unruled
            .iter()
            .map(|one| json!({ "first": one.first, "second": one.second, "named_by": one.named_by }))
            .collect();
        outln!(
            "{}",
            json!({
                "broken": broken, "stalls": stalls, "possible_stalls": possible_stalls,
                "disputed": rows(&made.disputed), "no_rule": unruled,
            })
        );
        return Ok(exit);
    }
    for one in made.stalls.iter().chain(&made.possible_stalls) {
        outln!("{one}");
    }
    for one in made.broken.iter().chain(&made.disputed) {
        outln!("{one}");
        let mending = mended_by(isa.machine, &steps, one);
        match mending.first() {
            Some(filler) => {
                outln!("  mended by {} {} before step {}", mending.len(), filler.text(isa.machine), one.second);
            }
            None => outln!("  no time mends it"),
        }
    }
    unruled.iter().for_each(|one| outln!("{}", no_rule(&steps, one)));
    if steps.len() < 2 && made.broken.is_empty() && made.stalls.is_empty() && made.possible_stalls.is_empty() {
        outln!("no rule is known of one step alone");
    }
    Ok(exit)
}

/// What is said of two steps of which no rule holds.
fn no_rule(steps: &[PlannedStep], one: &Unruled) -> String {
    let name = |place: usize| match &steps[place] {
        PlannedStep::Instruction(planned) => planned.name.clone(),
        PlannedStep::Cycles(cycles) => format!("{cycles} cycles"),
    };
    let Unruled { first, second, named_by } = one;
    let (before, after) = (name(*first), name(*second));
    if named_by.is_empty() {
        return format!("steps {first} and {second}: no rule is known of {after} after {before}");
    }
    let rules = named_by.join(", ");
    format!("steps {first} and {second}: no rule is known that holds here; of other fields or threads: {rules}")
}
