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

/// Makes seats, each with a fresh instance of the target.
#[derive(Clone)]
pub(crate) struct Seats(pub(crate) Arc<Py<PyAny>>);

/// A target in Python behind the border.
pub(crate) struct PyBorder {
    machine: &'static Machine,
    seats: Seats,
    /// Nothing until it is used first, and while it is begun anew.
    seat: Option<Py<PyAny>>,
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
    pub(crate) fn new(machine: &'static Machine, seats: Seats) -> Self {
        PyBorder { machine, seats, seat: None, hash: 0 }
    }

    /// Calls a method of the seat, which gives nothing or what went wrong: `("crash" or "malformed", why)`.
    fn call<'py, A>(&mut self, py: Python<'py>, method: &str, arguments: A) -> Result<Bound<'py, PyAny>, Misbehaviour>
    where
        A: pyo3::call::PyCallArgs<'py>,
    {
        let seat = match &self.seat {
            Some(seat) => seat.bind(py).clone(),
            None => {
                let seat = self.seats.0.bind(py).call1((self.machine.name,)).map_err(|why| crashed(why.to_string()))?;
                self.seat.insert(seat.unbind()).bind(py).clone()
            }
        };
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
    fn answers(&self, answered: Answered<'_>, cases: usize, answers: &mut Answers) -> Result<(), Misbehaviour> {
        let (outcome, small, columns, reasons) = answered;
        answers.cases = u32::try_from(cases).expect("a batch has less than 2^32 cases");
        answers.outcome.extend(outcome.as_bytes().iter().map(|&outcome| u32::from(outcome)));
        answers.small.extend_from_slice(small.as_bytes());
        let rows = self.sorted(&columns, cases)?;
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
        Ok(())
    }

    /// The rows of all columns, ascending by case, and in a case by row.
    fn sorted(&self, columns: &[Crossing<'_>], cases: usize) -> Result<Vec<Written>, Misbehaviour> {
        let mut rows = Vec::new();
        for (column, (bank, of, numbers, data)) in columns.iter().enumerate() {
            let bank =
                self.machine.layout.banks.get(*bank).ok_or_else(|| malformed(format!("there is no bank {bank}")))?;
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

impl Border for PyBorder {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.hash = crc32fast::hash(arena);
        Python::attach(|py| self.call(py, "load", (PyBytes::new(py, arena),)).map(drop))
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        batch.check_steps().map_err(malformed)?;
        answers.clear();
        Python::attach(|py| {
            let overlay = columns(self.machine, batch);
            let crossing: Vec<Crossing<'_>> = overlay
                .iter()
                .enumerate()
                .filter(|(_, column)| !column.case.is_empty())
                .map(|(bank, Column { case, row, data })| {
                    (bank, PyBytes::new(py, case), PyBytes::new(py, row), PyBytes::new(py, data))
                })
                .collect();
            let code: Vec<u8> = batch.code.iter().flat_map(|word| word.to_le_bytes()).collect();
            let arguments = (
                batch.instruction,
                batch.edition,
                batch.cases,
                PyBytes::new(py, &code),
                PyBytes::new(py, &batch.small),
                crossing,
            );
            let answered = self.call(py, "execute", arguments)?;
            let answered = answered.extract().map_err(|why: PyErr| malformed(why.to_string()))?;
            self.answers(answered, batch.cases as usize, answers)
        })
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        let hash = Python::attach(|py| {
            let hash = self.call(py, "arena_hash", ())?;
            hash.extract::<Option<u32>>().map_err(|why| malformed(format!("the hash of its arena: {why}")))
        })?;
        Ok(hash.unwrap_or(self.hash))
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        Python::attach(|py| self.call(py, "reset", ()).map(drop))
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.seat = None;
        Ok(())
    }
}
