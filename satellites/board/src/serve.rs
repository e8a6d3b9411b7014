//! A machine behind lines of JSON, so that an adapter for boards can be tried without a board.
//!
//! A request is a line, and so is its answer:
//!
//! | request | answer |
//! |---|---|
//! | `{"do": "reset", "chip": "tensix-bh"}` | `{}` |
//! | `{"do": "push", "thread": 0, "words": [word, …]}` | `{"held": false}`, or whether the thread's instructions are held |
//! | `{"do": "store", "thread": 0, "address": a, "bytes": 4, "data": [word, …]}` | `{}` |
//! | `{"do": "load", "thread": 0, "address": a, "bytes": 4, "sign_extend": false}` | `{"data": [word, …]}` |
//! | `{"do": "read", "space": "Dst", "index": 0, "word": 0}` | `{"value": [word, …]}` |
//!
//! What cannot be done is answered by `{"error": text}`.

use std::io::{BufRead, Write};

use serde_json::{Value, json};
use tandem_isa::Expectation;
use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::window::{SIZES, WINDOW_BASE};

use super::machine::Board;
use super::program::{Access, Segment, Space};

/// Serves a machine until the input ends. A `wrong` one flips a bit of every row of `Dst` that is read.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(board: &mut Board, wrong: bool, input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    let mut held = [false; 3];
    for line in input.lines() {
        let answer = match serde_json::from_str(&line?) {
            Ok(request) => answer(board, &mut held, wrong, &request).unwrap_or_else(|error| json!({ "error": error })),
            Err(error) => json!({ "error": format!("a request is one line of JSON: {error}") }),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(board: &mut Board, held: &mut [bool; 3], wrong: bool, request: &Value) -> Result<Value, String> {
    match request["do"].as_str().unwrap_or_default() {
        "reset" => {
            let name = board.machine.name;
            if request["chip"] != name {
                return Err(format!("this is a {name}; export tests of this chip, or serve {}", request["chip"]));
            }
            board.again();
            *held = [false; 3];
            Ok(json!({}))
        }
        "push" => {
            let thread = thread(request)?;
            let words: Result<Vec<u32>, String> = list(request, "words")?.iter().map(number).collect();
            for word in words? {
                if !held[thread] {
                    held[thread] = push(board, thread, word)?;
                }
            }
            Ok(json!({ "held": held[thread] }))
        }
        "store" => access(board, request, true).map(|_| json!({})),
        "load" => access(board, request, false).map(|data| json!({ "data": data })),
        "read" => read(board, wrong, request),
        other => Err(format!("'{other}' is none of reset, push, store, load and read")),
    }
}

/// Executes a word: whether it is held.
fn push(board: &mut Board, thread: usize, word: u32) -> Result<bool, String> {
    match board.run_segment(&Segment::Push { thread, words: vec![word] }, tandem_isa::Edition::Newest) {
        (Expectation::Done, _) => Ok(false),
        (Expectation::Blocked(_), _) => Ok(true),
        (other, what) => Err(format!("{what}: the pages promise nothing, {}", other.name())),
    }
}

fn access(board: &mut Board, request: &Value, is_store: bool) -> Result<Vec<u32>, String> {
    let (thread, address) = (thread(request)?, number(&request["address"])?);
    let bytes = number(&request["bytes"])?;
    let size = SIZES.iter().position(|&size| size == bytes).ok_or("bytes is none of 1, 2, 4 and 16")?;
    let offset = address.checked_sub(WINDOW_BASE).filter(|&offset| offset < 1 << 15);
    let offset = offset.ok_or_else(|| format!("{address:#x} is not in the window on Dst"))?;
    if board.chip != Chip::Blackhole {
        return Err("Wormhole has no window on Dst".to_string());
    }
    let sign_extend = request["sign_extend"].as_bool().unwrap_or_default();
    let access = if is_store {
        let mut data = [0; 4];
        for (to, from) in data.iter_mut().zip(list(request, "data")?) {
            *to = number(from)?;
        }
        Access::store(thread, offset, size as u32, data)
    } else {
        Access::load(thread, offset, size as u32, sign_extend)
    };
    match board.run_segment(&Segment::Access(access), tandem_isa::Edition::Newest) {
        (Expectation::Done, _) => Ok(board.read(Space::Loaded, 0, 0)),
        (other, what) => Err(format!("{what}: the pages promise nothing, {}", other.name())),
    }
}

fn read(board: &mut Board, wrong: bool, request: &Value) -> Result<Value, String> {
    let name = request["space"].as_str().unwrap_or_default();
    let limits = |space| match space {
        Space::Dst | Space::Window => (1024, 3),
        Space::Gprs => (3, 64),
        Space::Config => (2, board.chip.config_size()),
        Space::ThreadConfig => (3, board.chip.thread_config_size()),
        Space::Semaphore => (8, 1),
        Space::Loaded => (1, 4),
    };
    let space = Space::ALL.into_iter().find(|space| space.name() == name);
    let space = space.ok_or_else(|| format!("there is no space '{name}'"))?;
    let place = |key: &str| number(&request[key]).map(|number| number as usize);
    let (index, word) = (place("index")?, place("word")?);
    let (indices, words) = limits(space);
    if index >= indices || word >= words {
        return Err(format!("{name} has {indices} of {words}, and not {index} with {word}"));
    }
    let mut value = board.read(space, index, word);
    if wrong && matches!(space, Space::Dst | Space::Window) {
        value[0] ^= 1;
    }
    Ok(json!({ "value": value }))
}

fn thread(request: &Value) -> Result<usize, String> {
    number(&request["thread"])
        .ok()
        .filter(|&thread| thread < 3)
        .map(|thread| thread as usize)
        .ok_or("thread is 0, 1 or 2".into())
}

fn list<'v>(request: &'v Value, key: &str) -> Result<&'v Vec<Value>, String> {
    request[key].as_array().ok_or_else(|| format!("'{key}' is a list of numbers"))
}

fn number(value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{value} is no number of 32 bits"))
}
