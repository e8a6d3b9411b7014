//! Runs of kernels on the reference alone, as files that anybody can be held against.

use serde_json::{Map, Value, json};
use tandem_isa::{Act, Expectation, FieldRole, OpenBits, StandIn, State, Threads};

use super::{Kernel, Turn};

/// A kernel's acts as the lines of a trace: in the order in which they come, each with what it changed, gates included. The
/// threads come in turn, one act each as long as its gate lets it through.
///
/// # Errors
/// The act behind which nothing goes on, or of which nothing is promised. What an act leaves open is no part of a trace, so that it
/// may neither change here nor be read by a later act.
pub fn trace(kernel: &Kernel, machine: &mut dyn Threads) -> Result<String, Turn> {
    let (mut state, mut before) = (kernel.state(), kernel.state());
    let begin = differing(&kernel.isa.base_state(), &state);
    let head = json!({
        "kernel": kernel.name, "isa": kernel.isa.name, "edition": kernel.edition.name(), "says": kernel.says,
        "sources": kernel.sources, "order": "lines",
    });
    let mut lines = vec![head, json!({ "state": begin })];
    let (mut next, mut open) = (vec![0; kernel.threads.len()], Vec::new());
    loop {
        let (mut went, mut held) = (false, None);
        for (thread, next) in next.iter_mut().enumerate() {
            let turn = Turn { thread, act: *next };
            let Some(line) = kernel.threads[thread].get(turn.act) else { continue };
            state.tracker.clear();
            state.tracker.open.clone_from(&open);
            state.tracker.begin_step();
            let promised = machine.present(thread, &line.act, kernel.edition, &mut state);
            let promised = state.tracker.built_on_open().unwrap_or(promised);
            if matches!(promised, Expectation::Blocked(_)) {
                held = held.or(Some(turn));
                continue;
            }
            let opened = state.tracker.open.split_off(open.len());
            if promised.required_answer().is_none() || opened.iter().any(|open| is_changed(open, [&before, &state])) {
                return Err(turn);
            }
            open.extend(opened);
            machine.look(&mut state);
            let mut written = act(kernel, machine, &line.act);
            written["thread"] = json!(thread);
            written["after"] = Value::Object(differing(&before, &state));
            written
                .as_object_mut()
                .expect("it is one")
                .extend(line.label.iter().map(|label| ("label".to_string(), json!(label))));
            lines.push(written);
            before.copy_from(&state);
            *next += 1;
            went = true;
        }
        match (went, held) {
            (true, _) => {}
            (false, Some(turn)) => return Err(turn),
            (false, None) => return Ok(lines.iter().map(|line| format!("{line}\n")).collect()),
        }
    }
}

/// Whether a row in which bits were left open is not what it was.
fn is_changed(open: &OpenBits, states: [&State; 2]) -> bool {
    let (bank, row) = states[0].layout.locate(open.row_id);
    let [before, after] = states.map(|state| state.row(bank, row));
    before != after
}

/// An act as it stands in a file.
fn act(kernel: &Kernel, machine: &dyn Threads, act: &Act) -> Value {
    match act {
        Act::Instruction(word) => json!({ "word": format!("{:#010x}", word.code[0]) }),
        Act::Unmodelled(word) => json!({ "word": format!("{word:#010x}") }),
        Act::Nop(name) => json!({ "step": name }),
        Act::Core(word) => {
            let fields =
                word.facts.code_fields.iter().map(|field| format!(" {}={}", field.name, field.get(&word.code)));
            json!({ "core": format!("{}{}", word.facts.name, fields.collect::<String>()) })
        }
        Act::Store(stores) => {
            let layout = kernel.isa.layout;
            let named = stores.iter().map(|&(place, value)| (place.name(layout), json!(value)));
            json!({ "store": Value::Object(named.collect()) })
        }
        Act::StandIn(StandIn { path, first, rows, value, flip }) => {
            let (way, bank) = machine.paths()[*path].split_once(' ').unwrap_or_default();
            json!({ (way): bank, "first": first, "rows": rows, "value": value, "flip": flip })
        }
    }
}

/// What differs between two states, by name. Who executes is no part of it.
fn differing(one: &State, other: &State) -> Map<String, Value> {
    let layout = one.layout;
    let mut named = Map::new();
    for field in (layout.fields)().iter().filter(|field| field.role != FieldRole::Context) {
        if field.get(&one.small) != field.get(&other.small) {
            named.insert(field.name.clone(), json!(field.get(&other.small)));
        }
    }
    for (number, bank) in layout.banks.iter().enumerate() {
        for row in (0..bank.rows()).filter(|&row| one.row(number, row) != other.row(number, row)) {
            named.insert(bank.row_name(row), json!(bank.words_of(other.row(number, row))));
        }
    }
    named
}
