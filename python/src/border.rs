//! The way to a target in Python.
//!
//! A *seat* is the object of the package `tandem` that holds an instance of somebody's class (`tandem._seat.Seat`). It is
//! given a batch bank by bank, and gives answers in the same form. What it gives is not believed: here it is only put into
//! the order that answers have, and the harness checks it as it checks every foreign answer.

use std::ops::Range;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tandem_isa::{Answers, Bank, Batch, Border, Machine, Misbehaviour, MisbehaviourKind};

use crate::chair::{Chair, Job, Patience, Said};

/// Makes seats, each with a fresh instance of the target.
#[derive(Clone)]
pub(crate) struct Seats(pub(crate) Arc<Py<PyAny>>);

/// A target in Python behind the border.
pub(crate) struct PyBorder {
    machine: &'static Machine,
    seats: Seats,
    patience: Patience,
    /// Nothing until it is used first, and while it is begun anew.
    chair: Option<Chair>,
    /// The hash of the background, which is that of the arena of a target without a memory of its own.
    hash: u32,
}

/// Rows of one bank, of many cases.
#[derive(Default)]
struct Column {
    /// The case of each row, in four bytes.
    case: Vec<u8>,
    /// Its number in the bank, in four bytes.
    row: Vec<u8>,
    data: Vec<u8>,
}

/// A row that was written: of which case, its number over all banks, and where its contents are.
struct Written {
    case: u32,
    row: u32,
    /// The place of its column among those that came.
    column: usize,
    /// Where in the column, in bytes.
    range: Range<usize>,
}

/// A column, as it crosses: number of the bank, cases, rows, contents.
type Crossing<'py> = (usize, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// What a seat answers to a batch: outcomes, small states, columns, and reasons with their cases.
type Answered<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<Crossing<'py>>, Vec<(u32, String)>);

fn crashed(message: impl Into<String>) -> Misbehaviour {
    Misbehaviour::new(MisbehaviourKind::Crashed, message)
}

fn malformed(message: impl Into<String>) -> Misbehaviour {
    Misbehaviour::new(MisbehaviourKind::Malformed, message)
}

impl PyBorder {
    pub(crate) fn new(machine: &'static Machine, seats: Seats, patience: Patience) -> Self {
        PyBorder { machine, seats, patience, chair: None, hash: 0 }
    }

    /// Has a job call a method of the seat, on a batch if it is given cases.
    fn ask(&mut self, method: &'static str, batch: Option<&Batch>, job: Job) -> Result<Said, Misbehaviour> {
        let machine = self.machine;
        let chair = self.chair.get_or_insert_with(|| Chair::new(machine, self.seats.clone()));
        let cases = batch.map_or(u32::MAX, |batch| batch.cases);
        let what = || batch.map_or_else(|| format!("`{method}`"), |batch| told(machine, batch));
        let reply = chair.ask(job, method, (cases, &what), &self.patience);
        if matches!(&reply, Err(Misbehaviour { kind: MisbehaviourKind::Hung, .. })) {
            self.chair = None;
        }
        reply
    }
}

/// Calls a method of a seat, which gives nothing or what went wrong: `("crash" or "malformed", why)`.
fn called<'py, A>(seat: &Bound<'py, PyAny>, method: &str, arguments: A) -> Result<Bound<'py, PyAny>, Misbehaviour>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let (failed, value): (Option<(String, String)>, Bound<'py, PyAny>) = seat
        .call_method1(method, arguments)
        .and_then(|answer| answer.extract())
        .map_err(|why| crashed(why.to_string()))?;
    match failed {
        None => Ok(value),
        Some((kind, why)) if kind == "malformed" => Err(malformed(why)),
        Some((_, why)) => Err(crashed(why)),
    }
}

/// Puts what a seat answered into the order that answers have.
fn in_order(machine: &Machine, answered: Answered<'_>, cases: usize) -> Result<Answers, Misbehaviour> {
    let (outcome, small, columns, reasons) = answered;
    let mut answers = Answers {
        cases: u32::try_from(cases).expect("a batch has less than 2^32 cases"),
        outcome: outcome.as_bytes().iter().map(|&outcome| u32::from(outcome)).collect(),
        small: small.as_bytes().to_vec(),
        ..Answers::default()
    };
    let rows = sorted(machine, &columns, cases)?;
    let mut next = 0;
    for case in 0..cases {
        while let Some(written) = rows.get(next).filter(|written| written.case as usize == case) {
            answers.dirty_row.push(written.row);
            answers.dirty_data.extend_from_slice(&columns[written.column].3.as_bytes()[written.range.clone()]);
            next += 1;
        }
        answers.dirty_end.push(u32::try_from(next).expect("a batch has less than 2^32 rows"));
    }
    for (case, reason) in reasons {
        answers.reasons.push(case, &reason);
    }
    Ok(answers)
}

/// The rows of all columns, ascending by case, and in a case by row.
fn sorted(machine: &Machine, columns: &[Crossing<'_>], cases: usize) -> Result<Vec<Written>, Misbehaviour> {
    let mut rows = Vec::new();
    for (column, (bank, of, numbers, data)) in columns.iter().enumerate() {
        let bank = machine.layout.banks.get(*bank).ok_or_else(|| malformed(format!("there is no bank {bank}")))?;
        let (of, numbers) = (words(of.as_bytes()), words(numbers.as_bytes()));
        let size = bank.row_bytes();
        if of.len() != numbers.len() || data.as_bytes().len() != numbers.len() * size {
            return Err(malformed(format!("rows of {} are cut off", bank.name)));
        }
        for (index, (case, number)) in of.into_iter().zip(numbers).enumerate() {
            let row = row_over_all(bank, case, number, cases)?;
            rows.push(Written { case, row, column, range: index * size..(index + 1) * size });
        }
    }
    rows.sort_by_key(|written| (written.case, written.row));
    Ok(rows)
}

/// The number of a row over all banks, if there are such a row and such a case.
fn row_over_all(bank: &Bank, case: u32, number: u32, cases: usize) -> Result<u32, Misbehaviour> {
    if number as usize >= bank.rows() || case as usize >= cases {
        return Err(malformed(format!("row {number} of {} in case {case}, and there is none", bank.name)));
    }
    Ok(u32::try_from(bank.first_row).expect("a row's number fits") + number)
}

/// Numbers of four bytes.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The overlays of a batch, bank by bank.
fn columns(machine: &Machine, batch: &Batch) -> Vec<Column> {
    let mut columns: Vec<Column> = machine.layout.banks.iter().map(|_| Column::default()).collect();
    let (mut row, mut data) = (0, 0);
    for (case, &end) in (0_u32..).zip(&batch.overlay_end) {
        for &number in &batch.overlay_row[row..end as usize] {
            let (bank, number) = machine.layout.locate(number as usize);
            let size = machine.layout.banks[bank].row_bytes();
            let column = &mut columns[bank];
            column.case.extend_from_slice(&case.to_le_bytes());
            column.row.extend_from_slice(&u32::try_from(number).expect("a row's number fits").to_le_bytes());
            column.data.extend_from_slice(&batch.overlay_data[data..data + size]);
            data += size;
        }
        row = end as usize;
    }
    columns
}

/// Which cases a batch has, in words.
fn told(machine: &Machine, batch: &Batch) -> String {
    let path = machine.instructions.get(batch.instruction as usize).map(|one| one.path()).unwrap_or_default();
    let words = batch.code.len() / batch.cases.max(1) as usize;
    let code = |case: usize| {
        let word = |word: &u32| format!("{word:#010x}");
        batch.code.iter().skip(case * words).take(words).map(word).collect::<Vec<_>>().join(" ")
    };
    match batch.cases {
        1 => format!("`execute` of 1 case of {path}, code {}", code(0)),
        cases => format!("`execute` of {cases} cases of {path}, code {} to {},", code(0), code(cases as usize - 1)),
    }
}

impl Border for PyBorder {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.hash = crc32fast::hash(arena);
        let arena = arena.to_vec();
        let job: Job =
            Box::new(move |seat| called(seat, "load", (PyBytes::new(seat.py(), &arena),)).map(|_| Said::Nothing));
        self.ask("load", None, job).map(drop)
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        batch.check_steps(1).map_err(malformed)?;
        answers.clear();
        let machine = self.machine;
        let (overlay, small) = (columns(machine, batch), batch.small.clone());
        let code: Vec<u8> = batch.code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (instruction, edition, cases) = (batch.instruction, batch.edition, batch.cases);
        let job: Job = Box::new(move |seat| {
            let py = seat.py();
            let crossing: Vec<Crossing<'_>> = overlay
                .iter()
                .enumerate()
                .filter(|(_, column)| !column.case.is_empty())
                .map(|(bank, Column { case, row, data })| {
                    (bank, PyBytes::new(py, case), PyBytes::new(py, row), PyBytes::new(py, data))
                })
                .collect();
            let (code, small) = (PyBytes::new(py, &code), PyBytes::new(py, &small));
            let answered = called(seat, "execute", (instruction, edition, cases, code, small, crossing))?;
            let answered = answered.extract().map_err(|why: PyErr| malformed(why.to_string()))?;
            in_order(machine, answered, cases as usize).map(|answers| Said::Answers(Box::new(answers)))
        });
        if let Said::Answers(said) = self.ask("execute", Some(batch), job)? {
            *answers = *said;
        }
        Ok(())
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        let job: Job = Box::new(|seat| {
            let hash = called(seat, "arena_hash", ())?;
            hash.extract().map(Said::Hash).map_err(|why| malformed(format!("the hash of its arena: {why}")))
        });
        match self.ask("arena_hash", None, job)? {
            Said::Hash(Some(hash)) => Ok(hash),
            _ => Ok(self.hash),
        }
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        let job: Job = Box::new(|seat| called(seat, "reset", ()).map(|_| Said::Nothing));
        self.ask("reset", None, job).map(drop)
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.chair = None;
        Ok(())
    }
}
