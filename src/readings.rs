//! The readings that a fingerprint looks for: the other readings of errata, and named models of rounding and flushing.

use tandem_harness::TargetFactory;
use tandem_harness::fingerprint::Reading;
use tandem_isa::{Answer, Edition, Facts, Field, MACHINES, State, Step, Target, TargetInfo};

use crate::trial;

/// Models that no erratum names, by topic: what implementations are known to do otherwise on purpose or by their hardware.
const MODELS: &[(&str, &[&str])] = &[
    ("flushing", &["flush-never", "flush-always"]),
    ("rounding", &["rounding-mode-ignored", "round-toward-zero"]),
    ("denormals of HF", &["hf-input-kept", "hf-result-kept"]),
    ("denormals of F", &["f-input-kept", "f-result-kept", "f-input-flushed"]),
    ("denormals of DF", &["df-input-kept"]),
    ("NaN under .sat", &["sat-nan-one", "sat-nan-kept"]),
    ("NaN to integer", &["float-int-nan-max", "float-int-nan-min"]),
    ("float to integer out of range", &["float-int-indefinite"]),
];

/// The models that results of an instruction go by: an implementation that does not know of them follows one value of each.
const NAMED: &[(&str, &[&str])] = &[("visa/dpas", &["Sum", "Tf32", "Denormals", "Nan"])];

/// Right, but for one model, of which it follows one value whatever a case asks for.
struct Always {
    right: Box<dyn Target>,
    field: Field,
    value: u32,
}

impl Target for Always {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: format!("{} always {}", self.field.name, self.value), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.right.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let asked = self.field.get(&state.small);
        self.field.set(&mut state.small, self.value);
        let answer = self.right.execute(step, state);
        self.field.set(&mut state.small, asked);
        answer
    }
}

/// A reading for each value of each model that an instruction's results go by.
fn models(instruction: &Facts) -> impl Iterator<Item = Reading> {
    let isa = MACHINES.iter().find(|isa| isa.name == instruction.isa).expect("an instruction is of a set");
    let named = NAMED.iter().find(|(path, _)| *path == instruction.path()).map_or(&[][..], |(_, names)| names);
    isa.models.iter().filter(|model| named.contains(&model.name)).flat_map(|model| {
        let field = isa.layout.field_named(&format!("Model.{}", model.name)).expect("every model is a field");
        (0..).zip(model.values).map(move |(value, name)| {
            let field = field.clone();
            Reading {
                id: format!("{}={name}", model.name),
                topic: format!("model {}", model.name),
                says: format!("It follows {} `{name}`, whatever a case asks for.", field.name),
                is_model: true,
                factory: TargetFactory::new(move || {
                    Box::new(Always { right: trial::right().make(), field: field.clone(), value }) as Box<dyn Target>
                }),
            }
        })
    })
}

/// The readings for an instruction, those of errata first, then models.
#[must_use]
pub fn of(instruction: &Facts) -> Vec<Reading> {
    let mut readings = Vec::new();
    for fault in tandem_faults::catalogue() {
        if !fault.concerns(instruction) || fault.hidden() || !fault.wrong_in.contains(&Edition::Newest) {
            continue;
        }
        let model = MODELS.iter().find(|(_, ids)| ids.contains(&fault.id)).map(|(topic, _)| *topic);
        let Some(topic) = fault.erratum.or(model) else { continue };
        readings.push(Reading {
            id: fault.id.to_string(),
            topic: topic.to_string(),
            says: fault.what.to_string(),
            is_model: false,
            factory: trial::factory(fault.id),
        });
    }
    // In the order of topics: errata by their ids, then models.
    readings.sort_by_key(|reading| {
        let model = MODELS.iter().position(|(topic, _)| *topic == reading.topic);
        (model.map_or(0, |place| place + 1), reading.topic.clone())
    });
    readings.extend(models(instruction));
    readings
}
