//! Programs as lines of JSON: a header, a line for each test, and a line at the end. docs/tensix-program.schema.json is their schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tandem_harness::vectors::{Test, VectorFile};
use tandem_isa::Isa;
use tandem_isa::tensix::{Chip, Mnemonic};

use super::program::{Access, Program, Read, Segment, Shows};
use super::rungs::{RUNGS, rung_of};
use super::{Exporter, Unreachable};

/// The version of the format; a change that a reader has to know of makes it larger.
pub const VERSION: u32 = 1;

/// The first line: the prologue of each chip, and the ladder of trust.
#[must_use]
pub fn header(exporters: &[&Exporter]) -> Value {
    let of_chip = |exporter: &&Exporter| {
        let (segments, trusts) = exporter.prologue();
        let told = json!({ "prologue": segments.iter().map(segment).collect::<Vec<_>>(), "trusts": trusts });
        (exporter.isa.name.to_string(), told)
    };
    let rungs = RUNGS.iter().map(|rung| {
        let names: Vec<&str> = rung.instructions.iter().map(|one| name_of(*one)).collect();
        json!({ "instructions": names, "reason": rung.reason })
    });
    json!({
        "kind": "header", "format": "tensix-program", "version": VERSION,
        "chips": exporters.iter().map(of_chip).collect::<Map<_, _>>(),
        "rungs": rungs.collect::<Vec<_>>(),
    })
}

fn name_of(mnemonic: Mnemonic) -> &'static str {
    mnemonic.on(Chip::Blackhole).name
}

/// The line of a test.
#[must_use]
pub fn test(file: &VectorFile, test: &Test, program: &Program) -> Value {
    let (isa, steps) = (file.isa, test.steps(file.instruction));
    let chip = Chip::named(isa.name).expect("boards are of this family");
    let under_test: Vec<Mnemonic> = steps.iter().map(|step| Mnemonic::of(step.instruction.facts)).collect();
    let circular: Vec<&str> =
        under_test.iter().map(|one| one.on(chip).name).filter(|name| program.trusts.contains(name)).collect();
    let own = under_test.iter().map(|&one| rung_of(one)).max().unwrap_or_default();
    let is_higher = |name: &&&str| {
        Mnemonic::ALL.iter().any(|&one| one.is_on(chip) && one.on(chip).name == **name && rung_of(one) >= own)
    };
    let mut push: Vec<Value> = program.load.iter().map(segment).collect();
    let from = push.len();
    push.extend(program.test.iter().map(segment));
    push[from..].iter_mut().for_each(|one| one["test"] = json!(true));
    json!({
        "kind": "test", "id": test.id(isa, file.instruction), "chip": isa.name, "instruction": file.instruction.file,
        "text": steps.iter().map(|step| step.instruction.print(&step.code)).collect::<Vec<_>>(),
        "edition": test.newest().name(), "outcome": test.outcome.name(), "route": program.route,
        "writes": program.writes.iter().map(|&(address, data)| json!([hex(address), hex(data)])).collect::<Vec<_>>(),
        "push": push,
        "reads": program.reads.iter().map(|one| read(isa, one)).collect::<Vec<_>>(),
        "unread": unread(isa, test, program), "agreed": agreed(isa, test, program),
        "trusts": program.trusts, "not_lower": program.trusts.iter().filter(is_higher).collect::<Vec<_>>(),
        "circular": !circular.is_empty(),
    })
}

/// The last line: how many tests have a program, and which have none, by reason.
#[must_use]
pub fn end(exported: usize, unreachable: &BTreeMap<Unreachable, Vec<String>>) -> Value {
    let reasons = unreachable
        .iter()
        .map(|(why, ids)| (why.key().to_string(), json!({ "count": ids.len(), "reason": why.reason(), "ids": ids })));
    json!({ "kind": "end", "exported": exported, "unreachable": reasons.collect::<Map<_, _>>() })
}

fn hex(word: u32) -> String {
    format!("{word:#x}")
}

fn hexes(words: &[u32]) -> Vec<String> {
    words.iter().map(|&word| hex(word)).collect()
}

fn segment(segment: &Segment) -> Value {
    match segment {
        Segment::Push { thread, words } => json!({ "thread": thread, "words": hexes(words) }),
        Segment::Access(Access { thread, address, bytes, store, sign_extend, code: _ }) => {
            let mut line = json!({ "thread": thread, "address": hex(*address), "bytes": bytes });
            match store {
                Some(data) => line["store"] = json!(hexes(data)),
                None => line["sign_extend"] = json!(sign_extend),
            }
            line
        }
        Segment::End => Value::Null,
    }
}

fn read(isa: &Isa, read: &Read) -> Value {
    json!({
        "push": read.segments.iter().map(segment).collect::<Vec<_>>(),
        "space": read.space.name(), "index": read.index, "word": read.word, "shows": shows(isa, read),
        "expected": hexes(&read.expected), "mask": hexes(&read.mask),
    })
}

fn shows(isa: &Isa, read: &Read) -> Value {
    let name = |place: &usize| (isa.layout.fields)()[*place].name.clone();
    match &read.shows {
        Shows::Row { bank, row, columns, parts } => {
            let parts: Vec<Value> = parts.iter().map(|&(bits, left)| json!([hex(bits), left])).collect();
            json!({ "row": [isa.layout.banks[*bank].name, row], "columns": columns, "parts": parts })
        }
        Shows::Fields(list) => {
            let fields: Map<String, Value> =
                list.iter().map(|(place, bits)| (name(place), json!(hex(*bits)))).collect();
            json!({ "fields": fields })
        }
        Shows::Flags { field, flags } => json!({ "flags": name(field), "of": flags }),
        Shows::Agreement(list) => json!({ "agree": list.iter().map(name).collect::<Vec<_>>() }),
        Shows::Validity(row) => json!({ "valid": row }),
    }
}

/// What changes and is not read: its value, which a consumer has to take on trust, and why.
fn unread(isa: &Isa, test: &Test, program: &Program) -> Vec<Value> {
    let fields = (isa.layout.fields)();
    let value = |cell: &str| {
        let named = test.after.fields.iter().find(|(place, _)| fields[**place].name == cell);
        let row = || {
            let is_named = |key: &(usize, usize)| format!("{}[{}]", isa.layout.banks[key.0].name, key.1) == cell;
            test.after.rows.iter().find(|(key, _)| is_named(key))
        };
        match named {
            Some((_, value)) => json!({ "field": cell, "value": value }),
            None => row().map_or(
                Value::Null,
                |((bank, row), words)| json!({ "row": [isa.layout.banks[*bank].name, row], "words": words }),
            ),
        }
    };
    program
        .unread
        .iter()
        .map(|(cell, why)| {
            let mut line = value(cell);
            line["reason"] = json!(why);
            line
        })
        .collect()
}

/// For counters that are read as right or wrong: what they are if they are right.
fn agreed(isa: &Isa, test: &Test, program: &Program) -> Map<String, Value> {
    let fields = (isa.layout.fields)();
    let lists = program.reads.iter().filter_map(|read| match &read.shows {
        Shows::Agreement(list) => Some(list),
        _ => None,
    });
    let value = |place: &usize| {
        let after = test.after.fields.get(place).or_else(|| test.before.fields.get(place));
        after.copied().unwrap_or(fields[*place].base)
    };
    lists.flatten().map(|place| (fields[*place].name.clone(), json!(value(place)))).collect()
}
