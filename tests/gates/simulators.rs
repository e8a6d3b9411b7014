//! Gates on `satellites/simulators`: what runs public simulators finds the known mistake of a small target, reports it, and what
//! it cannot do it says in one line.

use std::process::Command;

use crate::program::{ROOT, ended, has, told};

#[test]
fn a_known_mistake_is_found_and_what_is_missing_is_said() {
    if !["python3", "cc", "git"].iter().all(|program| has(program)) {
        return;
    }
    let script =
        ["-B", "satellites/simulators/simulators.py", "--self-check", "--tandem", env!("CARGO_BIN_EXE_tandem")];
    let checked = Command::new("python3").args(script).current_dir(ROOT).output();
    let (said, _) = ended(told(&checked.expect("python3 runs")), 0);
    let (good, bad) = (said.matches("ok   ").count(), said.matches("FAIL ").count());
    assert!(good >= 27 && bad == 0, "{said}");
}
