//! Recordings of ttsim, the simulator of Tensix on Wormhole and Blackhole.
//!
//! A line has the word, the fields, the configuration and counters that the instruction reads, and the rows before and
//! after it under their short names. What is not listed in a line has ttsim's reset value, which is our base value except
//! in `LReg`: there, the register that an instruction reads is named. What the recordings of each instruction hold is in
//! `mova2d.rs`, `sfpload.rs`, `sfpstore.rs`, `vector.rs` and `control.rs`.

mod control;
mod form;
mod mova2d;
mod sfpload;
mod sfpstore;
mod sfpu;
mod state;
#[cfg(test)]
mod tests;
mod vector;

use tandem_cases::tensix::value_class;
use tandem_harness::Suite;
use tandem_harness::vectors::{Outcome, Source, Sparse, Test};
use tandem_isa::tensix::{self, Chip};
use tandem_isa::{Code, Instruction, Isa};

use super::account::without_values;
use super::line::{Line, Members, NotRead, Record};
use super::witness::Witness;
use super::{ImportError, LeftOut};
use form::{Executed, Form};

pub(super) static WITNESS: Witness = Witness {
    name: "tenstorrent/ttsim",
    mark: "arch",
    source,
    notes: &[],
    record,
    // A line of it that agrees is a test.
    no_witness: |_, _| None,
    background: value_class::ALL_VALID,
    covers: |_, test, levels| {
        let has_marks = test.before.rows.keys().any(|&(bank, _)| bank == tensix::bank::DST_ROW_VALID);
        vec![[usize::from(has_marks), usize::from(levels[0]), 0]]
    },
};

fn source(instruction: &Instruction) -> Source {
    Source {
        name: WITNESS.name.to_string(),
        version: "1.10.0".to_string(),
        commit: Some("56694c8a".to_string()),
        licence: Some("Apache-2.0".to_string()),
        note: Some(Form::of(instruction).note.to_string()),
    }
}

/// What a line holds.
fn record<'s>(at: &Line<'_>, line: &Members, suite: &'s Suite) -> Result<Record<'s>, ImportError> {
    let arch = at.text(line, "arch")?;
    let suite = suite.isa(arch).ok_or_else(|| at.wrong("/arch", format!("no instruction set '{arch}'")))?;
    if Chip::named(suite.isa.name).is_none() {
        return Err(at.wrong("/arch", "only recordings of Wormhole and Blackhole are understood").into());
    }
    let name = at.text(line, "instr")?;
    let instruction = suite.isa.instruction(name);
    let instruction = instruction.ok_or_else(|| at.wrong("/instr", format!("no instruction '{name}'")))?;
    let recorded = at.text(line, "outcome")?.to_string();
    let test = test(at, line, suite.isa, instruction, &recorded).or_else(|why| why.left_out().map(Err))?;
    Ok(Record { suite, instruction, recorded, test, unlisted: at.unlisted(line, suite.isa) })
}

/// The test of a line, or why there is none.
fn test(
    at: &Line<'_>,
    line: &Members,
    isa: &'static Isa,
    instruction: &Instruction,
    recorded: &str,
) -> Result<Result<Test, LeftOut>, NotRead> {
    let known = ["arch", "instr", "word", "thread", "fields", "config", "rwc", "in", "out", "outcome", "detail"];
    at.only(line, "", &known)?;
    let code = at.code(line, instruction)?;
    let outcome = match recorded {
        "ok" => Some(Outcome::Done),
        "stall" => Some(Outcome::Blocked),
        "undefined_behavior" | "non_contractual" | "unsupported" | "unimplemented" | "untested" => None,
        _ => return Err(at.wrong("/outcome", format!("'{recorded}' is not known"))),
    };
    let executed = outcome == Some(Outcome::Done);
    if !executed && line.contains_key("out") {
        return Err(at.wrong("/out", "a stall or a refusal changes nothing"));
    }
    // What is refused is read as well, so that nothing in a line is passed over.
    let form = Form::of(instruction);
    let (before, dst_rows) = at.before(line, isa, form, &code, outcome.is_none())?;
    let Some(outcome) = outcome else {
        let detail = if line.contains_key("detail") { at.text(line, "detail")? } else { "" };
        return Ok(Err(LeftOut::Refused { outcome: recorded.to_string(), detail: without_values(detail) }));
    };
    let after = if executed { at.after(line, isa, form, &before)? } else { Sparse::default() };
    let seen = Executed { isa, code: &code, before: &before, dst_rows: &dst_rows };
    if let Some(reason) = (form.left_out)(&seen) {
        return Ok(Err(reason));
    }
    let (flags, care, editions, recorded) = (Vec::new(), Sparse::default(), Vec::new(), Some(recorded.to_string()));
    let test = Test { editions, code, then: Vec::new(), flags, before, outcome, recorded, after, care };
    at.placed(isa, instruction, test).map(Ok)
}

impl Line<'_> {
    /// The word, with the fields that must be in it.
    fn code(&self, line: &Members, instruction: &Instruction) -> Result<Code, NotRead> {
        let code = Code::new(&[self.hex(line.get("word"), "/word")?]);
        if !instruction.matches(&code) {
            return Err(self.wrong("/word", format!("does not encode {}", instruction.name)));
        }
        for (field, value) in self.object(line.get("fields"), "/fields")? {
            let at = format!("/fields/{field}");
            let unnamed = Form::of(instruction).unnamed.iter().find(|known| known.name == field);
            let known = unnamed.or_else(|| instruction.code_field(field)).ok_or_else(|| self.unknown(at.as_str()))?;
            if known.get(&code) != self.number(value, &at)? {
                return Err(self.wrong(at, "is not what the word holds"));
            }
        }
        Ok(code)
    }
}
