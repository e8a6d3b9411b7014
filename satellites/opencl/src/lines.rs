//! Kernels as lines of JSON: a header, a line for each test, and a line at the end. docs/opencl-visa.schema.json is their
//! schema.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Device, Program, Unreachable};

/// The version of the format; a change that a reader has to know of makes it larger.
const VERSION: u32 = 1;

/// The first line.
#[must_use]
pub fn header() -> Value {
    let devices = Device::ALL.map(Device::name);
    json!({ "kind": "header", "format": "opencl-visa", "version": VERSION, "devices": devices })
}

/// The line of a test, whose kernel stands in the file `source`.
#[must_use]
pub fn test(id: &str, source: &str, program: &Program) -> Value {
    let mut at = 0;
    let blocks: Vec<Value> = program
        .blocks
        .iter()
        .map(|block| {
            let (first, rows) = (at, block.rows());
            at += block.words * program.lanes;
            json!([rows.start, rows.len(), first])
        })
        .collect();
    let before = program.before.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let devices: Vec<&str> = program.devices.iter().map(|device| device.name()).collect();
    json!({
        "kind": "test", "id": id, "source": source, "kernel": program.kernel, "lanes": program.lanes,
        "devices": devices, "text": program.text, "blocks": blocks, "before": before,
    })
}

/// The last line: how many tests have a kernel, and which have none, by reason.
#[must_use]
pub fn end(exported: usize, unreachable: &BTreeMap<Unreachable, Vec<String>>) -> Value {
    let reasons = unreachable
        .iter()
        .map(|(why, ids)| (why.key().to_string(), json!({ "count": ids.len(), "reason": why.reason(), "ids": ids })));
    json!({ "kind": "end", "exported": exported, "unreachable": reasons.collect::<Map<_, _>>() })
}
