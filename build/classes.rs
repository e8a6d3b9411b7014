//! The classes of modes of each instruction, in the edition `newest`, as names of tests.

use std::collections::BTreeSet;
use std::fmt::Write;

use tandem_cases::ISAS;
use tandem_isa::{Edition, Instruction};

/// A macro that hands all classes to another.
pub fn list() -> String {
    let mut text = String::from(
        "/// Hands all classes to a macro.\n#[doc(hidden)]\n#[macro_export]\nmacro_rules! __conformance_classes {\n    \
         ($($tests:tt)+) => { $($tests)+! {\n",
    );
    for isa in ISAS {
        let _ = writeln!(text, "{} {{", isa.machine.name.replace('-', "_"));
        for instruction in isa.instructions {
            let _ = write!(text, "    {:?} {} {{", instruction.path(), instruction.file);
            for class in classes(instruction) {
                let _ = write!(text, " {} {class:?}", name_of_test(class));
            }
            text += " }\n";
        }
        text += "}\n";
    }
    text + "    } };\n}\n"
}

/// The classes of an instruction that have a mode, in the edition `newest`.
fn classes(instruction: &Instruction) -> Vec<&'static str> {
    let cells = (instruction.cells)(Edition::Newest);
    let class_of = |cell| (instruction.cell_class)(Edition::Newest, cells.levels(cell));
    let used: BTreeSet<&str> = (0..cells.len()).map(class_of).collect();
    instruction.cell_classes.iter().copied().filter(|class| used.contains(class)).collect()
}

/// The name of the test of a class of modes.
fn name_of_test(class: &str) -> String {
    let words = class.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold("class".to_string(), |name, word| format!("{name}_{}", word.to_ascii_lowercase()))
}
