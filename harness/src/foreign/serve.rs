//! The other side of the border, for implementations in Rust: a [`Target`] is served over a byte stream.
//!
//! ```no_run
//! use tandem_harness::foreign::{Protocol, serve};
//! # fn mine(_: &'static tandem_isa::Machine) -> Option<Box<dyn tandem_isa::Target>> { None }
//!
//! fn main() -> std::io::Result<()> {
//!     // `mine` makes a target for an instruction set, or nothing if it knows nothing of it.
//!     serve::targets("mine", mine, Protocol::Binary)
//! }
//! ```

use std::io::{self, Read, Write};
use std::ops::Range;

use tandem_isa::{
    AlignedBytes, Answer, Answers, Batch, Border, Edition, Facts, MACHINES, MAX_STEPS, Machine, Misbehaviour, Reasons,
    State, Step, Target, UNSUPPORTED,
};

use super::json_lines;
use super::process::Protocol;
use super::spec::Connected;
use super::talk::{Codec, Inbox, Look, Opened, Progress, Reply, ServedRequest, malformed};
use super::wire::{self, DIRTY_LIMIT};

/// Serves targets over standard input and output until the input ends.
///
/// # Errors
/// That standard input or output fails, or that what is read is no request.
pub fn targets(
    name: &str,
    mut make: impl FnMut(&'static Machine) -> Option<Box<dyn Target>>,
    protocol: Protocol,
) -> io::Result<()> {
    let open = |isa| make(isa).map(|target| seated(name, isa, target));
    borders(name, open, protocol, io::stdin().lock(), io::stdout().lock())
}

/// A target behind a border in our own process.
#[must_use]
pub fn seated(name: &str, isa: &'static Machine, target: Box<dyn Target>) -> Connected {
    let implemented = isa.instructions.iter().map(|instruction| target.implements(instruction)).collect();
    let claims = target.claims().filter(|claims| !claims.is_empty());
    let border = Box::new(Seat::new(isa, target));
    Connected { name: name.to_string(), implemented, claims, max_steps: MAX_STEPS, border }
}

/// Serves what `open` opens for an instruction set, until the input ends. Each reply is written at once, and flushed.
///
/// # Errors
/// That input or output fails, or that what is read is no request.
pub fn borders(
    name: &str,
    mut open: impl FnMut(&'static Machine) -> Option<Connected>,
    protocol: Protocol,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    output.write_all(&match protocol {
        Protocol::Binary => wire::hello(name),
        Protocol::JsonLines => json_lines::hello(name),
    })?;
    output.flush()?;
    let mut inbox = Inbox::default();
    let mut out = Vec::new();
    let mut answers = Answers::default();
    let mut opened: Option<(Box<dyn Codec>, Box<dyn Border>)> = None;
    while next_request(protocol, &mut input, &mut inbox)? {
        out.clear();
        let described = read_describe(protocol, inbox.bytes()).map_err(invalid)?;
        if let Some((sequence, isa)) = described {
            let connected = isa.and_then(|isa| open(isa).map(|connected| (isa, connected)));
            let opened_as = |Connected { implemented, claims, max_steps, .. }: &Connected| Opened {
                implemented: implemented.clone(),
                claims: claims.clone(),
                max_steps: u32::try_from(*max_steps).expect("a case has few steps"),
            };
            let reply = Reply::Opened(connected.as_ref().map(|(_, connected)| opened_as(connected)));
            match protocol {
                Protocol::Binary => wire::write_reply(sequence, &reply, &answers, &mut out),
                Protocol::JsonLines => json_lines::write_short(isa.unwrap_or(MACHINES[0]), sequence, &reply, &mut out),
            }
            opened = connected.map(|(isa, connected)| (protocol.codec(isa), connected.border));
        } else {
            let Some((codec, border)) = &mut opened else {
                return Err(invalid("a request comes before an instruction set was opened".to_string()));
            };
            let (sequence, asked) = codec.read_request(inbox.bytes()).map_err(invalid)?;
            let reply = reply(&asked, &mut **border, &mut answers);
            codec.write_reply(sequence, &asked, &reply, &answers, &mut out);
        }
        output.write_all(&out)?;
        output.flush()?;
    }
    Ok(())
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Gathers a request; false at the end of the input.
fn next_request(protocol: Protocol, input: &mut impl Read, inbox: &mut Inbox) -> io::Result<bool> {
    let mut scanned = 0;
    let look: &mut Look<'_> = &mut |bytes: &[u8]| match protocol {
        _ if bytes.is_empty() => Ok(Progress::More(1)),
        Protocol::Binary => wire::request_progress(bytes),
        Protocol::JsonLines => json_lines::request_progress(bytes, &mut scanned),
    };
    inbox.clear();
    let mut whole = 0;
    loop {
        match input.read(inbox.room(whole)) {
            Ok(0) if inbox.bytes().is_empty() => return Ok(false),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(len) => inbox.took(len),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        match inbox.look(look).map_err(|one| invalid(one.message))? {
            None => return Ok(true),
            Some(more) => whole = more,
        }
    }
}

/// If a request describes an instruction set: its number, and the instruction set if we know it in the same shape.
fn read_describe(protocol: Protocol, bytes: &[u8]) -> Result<Option<(u32, Option<&'static Machine>)>, String> {
    let known = |same: &dyn Fn(&Machine) -> bool| MACHINES.iter().copied().find(|isa| same(isa));
    match protocol {
        Protocol::Binary => {
            let described = wire::read_describe(bytes)?;
            Ok(described.map(|(sequence, name, payload)| {
                (sequence, known(&|isa| isa.name == name && wire::description(isa) == payload))
            }))
        }
        Protocol::JsonLines if json_lines::describes(bytes) => {
            let described = json_lines::read_describe(bytes)?;
            Ok(described
                .map(|(sequence, description)| (sequence, known(&|isa| json_lines::description(isa) == description))))
        }
        Protocol::JsonLines => Ok(None),
    }
}

fn reply(asked: &ServedRequest, border: &mut dyn Border, answers: &mut Answers) -> Reply {
    let done = match asked {
        ServedRequest::Load(arena) => border.load(arena).map(|()| Reply::Loaded),
        ServedRequest::Execute(batch) => border.execute(batch, answers).map(|()| Reply::Answered),
        ServedRequest::Hash => border.arena_hash().map(Reply::Hashed),
        ServedRequest::Reset => border.reset().map(|()| Reply::WasReset),
    };
    done.unwrap_or_else(|Misbehaviour { message, .. }| Reply::Failed(message))
}

/// The cases of a batch, as slices; see [`Batch`].
#[derive(Clone, Copy, Debug)]
pub struct Cases<'a> {
    /// The number of the instruction in its set.
    pub instruction: u32,
    /// Those of the steps that follow.
    pub then: &'a [u32],
    /// 0 for the edition `spec`, 1 for `newest`.
    pub edition: u32,
    /// The code words of all cases.
    pub code: &'a [u32],
    /// The small states.
    pub small: &'a [u8],
    /// For each case, the number of overlay rows up to and with its own.
    pub overlay_end: &'a [u32],
    /// The overlay rows.
    pub overlay_row: &'a [u32],
    /// The contents of the overlay rows.
    pub overlay_data: &'a [u8],
}

/// Room for answers; see [`Answers`].
#[derive(Debug)]
pub struct Room<'a> {
    /// For each case 0 for done, 1 for blocked, 2 for unsupported.
    pub outcome: &'a mut [u32],
    /// For each case, how many of its steps were done; nothing if nobody asks.
    pub done: Option<&'a mut [u32]>,
    /// The small states afterwards.
    pub small: &'a mut [u8],
    /// For each case, the number of dirty rows up to and with its own.
    pub dirty_end: &'a mut [u32],
    /// The rows that were written.
    pub dirty_row: &'a mut [u32],
    /// Their contents.
    pub dirty_data: &'a mut [u8],
    /// Why cases are unsupported, as far as the target says why.
    pub reasons: &'a mut Reasons,
}

/// Calls `visit` with the bytes of rows in the arena, in their order; rows that lie one after the other make one range.
#[inline]
fn each_range(places: &[(usize, usize)], rows: &[u32], mut visit: impl FnMut(Range<usize>)) {
    let mut range = 0..0;
    for &row in rows {
        let (start, len) = places[row as usize];
        if start == range.end {
            range.end += len;
        } else {
            if !range.is_empty() {
                visit(range);
            }
            range = start..start + len;
        }
    }
    if !range.is_empty() {
        visit(range);
    }
}

/// A [`Target`] behind the border: it keeps the background, lays the overlay over it, and puts both back.
pub struct Seat {
    isa: &'static Machine,
    target: Box<dyn Target>,
    state: State,
    background: AlignedBytes,
    /// For each row number, where the row lies in the arena.
    places: Vec<(usize, usize)>,
    dirty_row: Vec<u32>,
    dirty_data: Vec<u8>,
}

impl Seat {
    /// Seats a target, on a background of zeros.
    #[must_use]
    pub fn new(isa: &'static Machine, target: Box<dyn Target>) -> Self {
        let layout = isa.layout;
        let last = layout.banks.iter().map(|bank| bank.first_row + bank.rows()).max().unwrap_or(0);
        let mut places = vec![(0, 0); last];
        for bank in layout.banks {
            for row in 0..bank.rows() {
                places[bank.first_row + row] = (bank.row_range(row).start, bank.row_bytes());
            }
        }
        Seat {
            isa,
            target,
            state: State::zeroed(layout),
            background: AlignedBytes::zeroed(layout.arena_bytes),
            places,
            dirty_row: Vec::new(),
            dirty_data: Vec::new(),
        }
    }

    /// Takes a new background.
    pub fn background(&mut self, arena: &[u8]) {
        self.background.copy_from_slice(arena);
        self.state.arena.copy_from_slice(arena);
    }

    /// CRC-32 of the arena as it is.
    #[must_use]
    pub fn hash(&self) -> u32 {
        crc32fast::hash(&self.state.arena)
    }

    /// Size of these rows, in bytes.
    #[must_use]
    pub fn bytes_of(&self, rows: &[u32]) -> usize {
        rows.iter().map(|&row| self.places[row as usize].1).sum()
    }

    /// Makes the target forget what it keeps between cases.
    pub fn forget(&mut self) {
        self.target.reset();
    }

    /// Executes the cases and gives the number of those that are answered: it stops before a case whose dirty rows do
    /// not fit.
    pub fn run(&mut self, cases: Cases<'_>, room: Room<'_>) -> usize {
        let numbers = std::iter::once(&cases.instruction).chain(cases.then);
        let instructions: Vec<&'static Facts> = numbers.map(|&one| self.isa.instructions[one as usize]).collect();
        let edition = Edition::ALL[cases.edition as usize];
        let words: usize = instructions.iter().map(|one| one.base_code.len()).sum();
        let small_bytes = self.isa.layout.small_bytes;
        let Room { outcome, mut done, small, dirty_end, dirty_row, dirty_data, reasons } = room;
        reasons.clear();
        let (mut row, mut data) = (0, 0);
        let (mut dirty_rows, mut dirty_bytes) = (0, 0);
        for (case, &end) in cases.overlay_end.iter().enumerate() {
            let overlay = &cases.overlay_row[row..end as usize];
            row = end as usize;
            each_range(&self.places, overlay, |range| {
                let len = range.len();
                self.state.arena[range].copy_from_slice(&cases.overlay_data[data..data + len]);
                data += len;
            });
            let state = case * small_bytes..(case + 1) * small_bytes;
            self.state.small.copy_from_slice(&cases.small[state.clone()]);
            self.state.tracker.clear();
            let code = &cases.code[case * words..(case + 1) * words];
            let (steps_done, answer) = match &instructions[..] {
                [instruction] => {
                    let answer = self.target.execute(&Step { instruction, edition, code }, &mut self.state);
                    (usize::from(answer == Answer::Done), answer)
                }
                several => {
                    let mut rest = code;
                    let steps: Vec<Step<'_>> = several
                        .iter()
                        .map(|instruction| {
                            let (code, then) = rest.split_at(instruction.base_code.len());
                            rest = then;
                            Step { instruction, edition, code }
                        })
                        .collect();
                    self.target.execute_all(&steps, &mut self.state)
                }
            };
            if let Some(done) = &mut done {
                done[case] = u32::try_from(steps_done).expect("a case has few steps");
            }
            let fits = self.write_down((&mut *dirty_row, &mut dirty_rows), (&mut *dirty_data, &mut dirty_bytes));
            each_range(&self.places, overlay, |range| {
                self.state.arena[range.clone()].copy_from_slice(&self.background[range]);
            });
            if !fits {
                return case;
            }
            outcome[case] = match answer {
                Answer::Done => 0,
                Answer::Blocked => 1,
                Answer::Unsupported => {
                    if let Some(reason) = self.target.refusal() {
                        reasons.push(u32::try_from(case).expect("a batch has less than 2^32 cases"), &reason);
                    }
                    UNSUPPORTED
                }
            };
            small[state].copy_from_slice(&self.state.small);
            dirty_end[case] = u32::try_from(dirty_rows).expect("a batch has less than 2^32 rows");
        }
        cases.overlay_end.len()
    }

    /// Copies the rows that were written to the end of the dirty rows, and puts them back; whether they fit.
    fn write_down(&mut self, rows: (&mut [u32], &mut usize), data: (&mut [u8], &mut usize)) -> bool {
        let ((rows, num_rows), (data, num_bytes)) = (rows, data);
        let (places, arena, background) = (&self.places, &mut self.state.arena, &self.background);
        let mut fits = true;
        // The rows of a run lie in one bank, one after the other.
        self.state.tracker.log.written.each_run(|first, count| {
            let (start, len) = places[first];
            let bytes = start..start + count * len;
            fits &= *num_rows + count <= rows.len() && *num_bytes + bytes.len() <= data.len();
            if fits {
                for (row, id) in rows[*num_rows..*num_rows + count].iter_mut().zip(first..) {
                    *row = u32::try_from(id).expect("row numbers are small");
                }
                data[*num_bytes..*num_bytes + bytes.len()].copy_from_slice(&arena[bytes.clone()]);
                *num_rows += count;
                *num_bytes += bytes.len();
            }
            arena[bytes.clone()].copy_from_slice(&background[bytes]);
        });
        fits
    }
}

impl Border for Seat {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        if arena.len() != self.background.len() {
            return Err(malformed("the background has another size"));
        }
        self.background(arena);
        Ok(())
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        batch.check_steps(MAX_STEPS).map_err(malformed)?;
        let Batch { instruction, then, edition, cases, code, small, overlay_end, overlay_row, overlay_data } = batch;
        let num_cases = *cases as usize;
        answers.outcome.resize(num_cases, 0);
        answers.done.resize(if then.is_empty() { 0 } else { num_cases }, 0);
        answers.small.resize(num_cases * self.isa.layout.small_bytes, 0);
        answers.dirty_end.resize(num_cases, 0);
        // Room for what cases usually write, and always for one case.
        let row_limit = self.places.len().max(32 * num_cases);
        let byte_limit = self.isa.layout.arena_bytes.max(32 * 64 * num_cases).min(DIRTY_LIMIT);
        let (mut dirty_row, mut dirty_data) =
            (std::mem::take(&mut self.dirty_row), std::mem::take(&mut self.dirty_data));
        dirty_row.resize(row_limit, 0);
        dirty_data.resize(byte_limit, 0);
        let (instruction, edition) = (*instruction, *edition);
        let cases = Cases { instruction, then, edition, code, small, overlay_end, overlay_row, overlay_data };
        let room = Room {
            outcome: &mut answers.outcome,
            done: (!then.is_empty()).then_some(&mut answers.done),
            small: &mut answers.small,
            dirty_end: &mut answers.dirty_end,
            dirty_row: &mut dirty_row,
            dirty_data: &mut dirty_data,
            reasons: &mut answers.reasons,
        };
        let answered = self.run(cases, room);
        answers.cases = u32::try_from(answered).expect("no more than the batch has");
        answers.outcome.truncate(answered);
        answers.done.truncate(answered);
        answers.small.truncate(answered * self.isa.layout.small_bytes);
        answers.dirty_end.truncate(answered);
        let rows = answers.dirty_end.last().map_or(0, |&end| end as usize);
        let bytes = dirty_row[..rows].iter().map(|&id| self.places[id as usize].1).sum();
        answers.dirty_row.clear();
        answers.dirty_row.extend_from_slice(&dirty_row[..rows]);
        answers.dirty_data.clear();
        answers.dirty_data.extend_from_slice(&dirty_data[..bytes]);
        (self.dirty_row, self.dirty_data) = (dirty_row, dirty_data);
        Ok(())
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        Ok(self.hash())
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.forget();
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.forget();
        Ok(())
    }
}
