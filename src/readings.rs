//! The readings that a fingerprint looks for: the other readings of errata, and named models of rounding and flushing.

use tandem_harness::fingerprint::Reading;
use tandem_isa::{Edition, Instruction};

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
    ("float to integer out of range", &["float-int-wraps", "float-int-indefinite"]),
];

/// The readings for an instruction, those of errata first.
#[must_use]
pub fn of(instruction: &Instruction) -> Vec<Reading> {
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
            factory: trial::factory(fault.id),
        });
    }
    // In the order of topics: errata by their ids, then models.
    readings.sort_by_key(|reading| {
        let model = MODELS.iter().position(|(topic, _)| *topic == reading.topic);
        (model.map_or(0, |place| place + 1), reading.topic.clone())
    });
    readings
}
