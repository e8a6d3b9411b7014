//! What tests of reading share: lines made by hand, and lines that are broken.

use serde_json::Value;
use tandem_harness::Suite;
use tandem_harness::vectors::Test;
use tandem_isa::Noise;

use super::{ImportError, Recording, read_recording};

pub(super) fn suite() -> Suite {
    tandem::wiring::references()
}

pub(super) fn read(lines: &[Value]) -> Result<Recording, ImportError> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    read_recording("some.jsonl", &text, &suite())
}

/// Reads one line that is a test.
pub(super) fn one(line: Value) -> (Recording, Test) {
    let mut recording = read(&[line]).expect("it is understood");
    let (number, test) = recording.tests.pop().expect("it is a test");
    assert_eq!((number, recording.account.lines, recording.account.tests()), (1, 1, 1));
    (recording, test)
}

/// Asserts that lines are refused or understood, whatever is done to them.
pub(super) fn broken_lines_never_panic(lines: &[Value], seed: u64) {
    let (suite, mut noise) = (suite(), Noise::new(seed));
    let mut understood = 0;
    for line in lines {
        let whole = line.to_string().into_bytes();
        for _ in 0..4_000 {
            let mut bytes = whole.clone();
            for _ in 0..1 + noise.below(3) {
                let at = noise.below(bytes.len());
                match noise.below(3) {
                    0 => bytes[at] = noise.bits(7) as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"0123456789\"[]{},:-f"[noise.below(19)]),
                }
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            match read_recording("some.jsonl", &text, &suite) {
                Ok(recording) => understood += usize::from(recording.account.tests() == recording.tests.len()),
                Err(error) => assert!(error.to_string().starts_with("some.jsonl: line "), "{error}"),
            }
        }
    }
    assert!(understood > 100, "{understood}: most of what is broken lies in digits");
}
