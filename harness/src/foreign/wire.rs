//! The binary protocol: length-prefixed frames over a byte stream, every number little endian.
//!
//! A frame is a header of 16 bytes and a payload:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TDM1` |
//! | 4 | kind |
//! | 4 | sequence number |
//! | 4 | length of the payload |
//!
//! The target speaks first, with `HELLO` and sequence number 0. Every request of ours then has the next number, from 1
//! on, and gets exactly one reply of the same number. A string is its length in two bytes, and its bytes in UTF-8.
//! Arrays have no length of their own: the numbers before them tell it.
//!
//! | kind | from | payload |
//! |---|---|---|
//! | 1 `HELLO` | target | version (2); string: name of the implementation, 1 to 63 bytes |
//! | 2 `DESCRIBE` | us | the instruction set, see below |
//! | 3 `OPENED` | target | status, 0 if it knows the instruction set; then for each instruction a byte: 1 if implemented; then its claims: their length in bytes, at most 65,536 and 0 if it has none, and their text in UTF-8; then, if it takes cases of several steps, how many at most, 2 to 16 |
//! | 4 `LOAD` | us | the arena: all banks |
//! | 5 `LOADED` | target | nothing |
//! | 6 `EXECUTE` | us | instruction, edition, cases, steps of a case, overlay rows, overlay bytes; arrays `then`, one shorter than a case has steps, `code`, `small`, `overlay_end`, `overlay_row`, `overlay_data` |
//! | 7 `ANSWERS` | target | cases, dirty rows, dirty bytes, reasons, bytes of reasons; arrays `outcome`, `done` (only where a case has several steps; 0xffffffff where it is not said at which one it was refused), `small`, `dirty_end`, `dirty_row`, `dirty_data`, `reason_case`, `reason_end`, `reason_text` |
//! | 8 `HASH` | us | nothing |
//! | 9 `HASHED` | target | CRC-32 of the arena |
//! | 10 `RESET` | us | nothing |
//! | 11 `RESET_DONE` | target | nothing |
//! | 12 `FAILED` | target | string: why it cannot do what was asked. In place of any reply |
//!
//! `DESCRIBE` holds what `tandem_isa` in `harness/include/tandem.h` holds, in this order: name, arena bytes (8 bytes),
//! small bytes, number of banks, of fields, of instructions; each bank: name, offset (8 bytes), rows, columns, word
//! bytes, word bits, first row, row bytes; each field: name, address bank (empty if it has none), address, byte, word
//! bytes, shift, width, maximum, base; each instruction: name, code words, number of fields, the base code, and each
//! code field: name, word, shift, width.
//!
//! The meaning of the arrays is that of the header. A case has one step, unless the target says in `OPENED` that it takes
//! more. `ANSWERS` may answer fewer cases than were asked, from the first one on; a target stops before a case with which
//! the dirty rows of its answers would pass 64 MiB.

use tandem_isa::{Answers, BORDER_VERSION, Batch, CLAIMS_BYTES, Layout, Machine, REASON_BYTES, Reasons};

use super::talk::{
    Codec, Hello, Opened, Progress, Reply, Request, ServedRequest, check_cases, check_claims, check_flags, check_name,
    check_steps, excerpt, words_of,
};

/// The first bytes of a frame.
pub const MAGIC: [u8; 4] = *b"TDM1";
/// Size of the header, in bytes.
pub const HEADER: usize = 16;
/// The most bytes that the dirty rows of one reply take, if they are of more than one case.
pub const DIRTY_LIMIT: usize = 64 << 20;
/// The longest name of an implementation, in bytes.
pub const NAME_LIMIT: usize = 63;
/// The longest text of `FAILED`, in bytes.
const FAILED_LIMIT: usize = 1024;
/// The longest request that a server reads, in bytes.
const REQUEST_LIMIT: usize = 1 << 30;

/// The kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FrameKind {
    /// A target's greeting.
    Hello = 1,
    /// An instruction set.
    Describe = 2,
    /// Which of its instructions are implemented.
    Opened = 3,
    /// A new background.
    Load = 4,
    /// It was taken.
    Loaded = 5,
    /// A batch of cases.
    Execute = 6,
    /// What became of them.
    Answers = 7,
    /// A request for the hash of the arena.
    Hash = 8,
    /// The hash.
    Hashed = 9,
    /// A request to forget what is kept between cases.
    Reset = 10,
    /// It was forgotten.
    ResetDone = 11,
    /// What was asked cannot be done.
    Failed = 12,
}

/// The numbers of a header behind the magic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    kind: u32,
    sequence: u32,
    len: usize,
}

impl Header {
    /// Reads a header as far as it is there; a wrong magic is told by its first byte.
    fn read(bytes: &[u8]) -> Result<Option<Header>, String> {
        let magic = bytes.len().min(MAGIC.len());
        if bytes[..magic] != MAGIC[..magic] {
            return Err(format!("this is no frame: {}", excerpt(bytes)));
        }
        let Some(header) = bytes.get(MAGIC.len()..HEADER) else { return Ok(None) };
        let mut reader = Reader(header);
        let (kind, sequence, len) = (reader.u32()?, reader.u32()?, reader.u32()?);
        Ok(Some(Header { kind, sequence, len: len as usize }))
    }
}

/// Begins a frame at the end of `out`; [`end_frame`] fills in its length.
fn begin_frame(out: &mut Vec<u8>, kind: FrameKind, sequence: u32) -> usize {
    let start = out.len();
    out.extend_from_slice(&MAGIC);
    put_all(out, &[kind as u32, sequence, 0]);
    start
}

fn end_frame(out: &mut [u8], start: usize) {
    let len = u32::try_from(out.len() - start - HEADER).expect("a frame is shorter than 4 GiB");
    out[start + 12..start + 16].copy_from_slice(&len.to_le_bytes());
}

fn put_all(out: &mut Vec<u8>, values: &[u32]) {
    if cfg!(target_endian = "little") {
        out.extend_from_slice(bytemuck::cast_slice(values));
    } else {
        values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
    }
}

fn put_string(out: &mut Vec<u8>, text: &str) {
    let len = u16::try_from(text.len()).expect("names are short");
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Takes numbers and arrays from the front of a payload.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or("the payload ends too soon")?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, String> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// `len` numbers at the end of `into`.
    fn u32s(&mut self, len: usize, into: &mut Vec<u32>) -> Result<(), String> {
        let bytes = self.bytes(len.checked_mul(4).ok_or("a number is too large")?)?;
        into.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        Ok(())
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let len = self.bytes(2)?;
        let bytes = self.bytes(usize::from(u16::from_le_bytes([len[0], len[1]])))?;
        std::str::from_utf8(bytes).map_err(|_| "a string is not UTF-8".to_string())
    }

    fn end(&self) -> Result<(), String> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("the payload has {} bytes too many", self.0.len())) }
    }
}

/// The payload of `DESCRIBE`.
#[must_use]
pub fn description(isa: &Machine) -> Vec<u8> {
    let mut out = Vec::new();
    let (layout, fields) = (isa.layout, (isa.layout.fields)());
    let size = |value: usize| u32::try_from(value).expect("sizes and numbers of an instruction set are small");
    put_string(&mut out, isa.name);
    out.extend_from_slice(&(layout.arena_bytes as u64).to_le_bytes());
    put_all(
        &mut out,
        &[size(layout.small_bytes), size(layout.banks.len()), size(fields.len()), size(isa.instructions.len())],
    );
    for bank in layout.banks {
        put_string(&mut out, bank.name);
        out.extend_from_slice(&(bank.offset as u64).to_le_bytes());
        let [rows, columns] = [size(bank.rows()), size(bank.columns())];
        let word = size(bank.word.bytes());
        put_all(&mut out, &[rows, columns, word, bank.bits, size(bank.first_row), size(bank.row_bytes())]);
    }
    for field in fields {
        let (bank, address) = field.address.unwrap_or_default();
        put_string(&mut out, &field.name);
        put_string(&mut out, bank);
        let word = size(field.word.bytes());
        put_all(&mut out, &[address, size(field.byte), word, field.shift, field.width, field.max, field.base]);
    }
    for instruction in isa.instructions {
        put_string(&mut out, instruction.name);
        put_all(&mut out, &[size(instruction.base_code.len()), size(instruction.code_fields.len())]);
        put_all(&mut out, instruction.base_code);
        for field in instruction.code_fields {
            put_string(&mut out, field.name);
            put_all(&mut out, &[size(field.word), field.shift, field.width]);
        }
    }
    out
}

/// Number of rows of all banks.
fn num_rows(layout: &Layout) -> usize {
    layout.banks.iter().map(|bank| bank.rows()).sum()
}

/// The longest payload that answers `cases` cases.
fn answers_limit(layout: &Layout, cases: usize) -> usize {
    let all_rows = layout.arena_bytes + 4 * num_rows(layout);
    20 + cases * (16 + REASON_BYTES + layout.small_bytes) + (cases * all_rows).min(all_rows.max(DIRTY_LIMIT))
}

/// A target's greeting.
#[must_use]
pub fn hello(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let start = begin_frame(&mut out, FrameKind::Hello, 0);
    put_all(&mut out, &[BORDER_VERSION]);
    put_string(&mut out, name);
    end_frame(&mut out, start);
    out
}

/// How far a greeting is there.
pub(super) fn hello_progress(bytes: &[u8]) -> Result<Progress, String> {
    progress(bytes, |header| {
        if header.kind != FrameKind::Hello as u32 || header.sequence != 0 {
            return Err(format!("its first frame is of kind {}, not a greeting", header.kind));
        }
        // A later version may greet with more; it must be told from a malformed greeting.
        if header.len > 4096 { Err(format!("its greeting has {} bytes", header.len)) } else { Ok(()) }
    })
}

/// Reads a greeting.
pub(super) fn read_hello(bytes: &[u8]) -> Result<Hello, String> {
    let mut reader = Reader(&bytes[HEADER..]);
    let version = reader.u32()?;
    if version != BORDER_VERSION {
        return Ok(Hello { version, name: String::new() });
    }
    let name = reader.string()?;
    reader.end()?;
    Ok(Hello { version, name: check_name(name)? })
}

fn progress(bytes: &[u8], check: impl FnOnce(&Header) -> Result<(), String>) -> Result<Progress, String> {
    let Some(header) = Header::read(bytes)? else { return Ok(Progress::More(HEADER)) };
    check(&header)?;
    let whole = HEADER + header.len;
    Ok(if bytes.len() < whole { Progress::More(whole) } else { Progress::Whole(whole) })
}

/// The binary protocol about one instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub isa: &'static Machine,
}

impl Wire {
    fn reply_kind(request: &Request<'_>) -> FrameKind {
        match request {
            Request::Describe => FrameKind::Opened,
            Request::Load(_) => FrameKind::Loaded,
            Request::Execute(_) => FrameKind::Answers,
            Request::Hash => FrameKind::Hashed,
            Request::Reset => FrameKind::ResetDone,
        }
    }

    fn payload_limit(&self, request: &Request<'_>) -> usize {
        match request {
            Request::Describe => 12 + self.isa.instructions.len() + CLAIMS_BYTES,
            Request::Load(_) | Request::Reset => 0,
            Request::Execute(batch) => {
                let done = if batch.then.is_empty() { 0 } else { 4 * batch.cases as usize };
                done + answers_limit(self.isa.layout, batch.cases as usize)
            }
            Request::Hash => 4,
        }
    }

    fn read_opened(&self, reader: &mut Reader<'_>) -> Result<Reply, String> {
        if reader.u32()? != 0 {
            return Ok(Reply::Opened(None));
        }
        let implemented = check_flags(reader.bytes(self.isa.instructions.len())?)?;
        let len = reader.u32()? as usize;
        let claims = check_claims(reader.bytes(len)?)?;
        let max_steps = if reader.0.is_empty() { 1 } else { check_steps(reader.u32()?)? };
        Ok(Reply::Opened(Some(Opened { implemented, claims, max_steps })))
    }

    fn read_answers(&self, batch: &Batch, reader: &mut Reader<'_>, answers: &mut Answers) -> Result<(), String> {
        let [cases, rows, bytes] = [reader.u32()?, reader.u32()?, reader.u32()?];
        let [reasons, reason_bytes] = [reader.u32()?, reader.u32()?];
        answers.cases = check_cases(cases as usize, batch)?;
        let cases = cases as usize;
        reader.u32s(cases, &mut answers.outcome)?;
        if !batch.then.is_empty() {
            reader.u32s(cases, &mut answers.done)?;
        }
        answers.small.extend_from_slice(reader.bytes(cases * self.isa.layout.small_bytes)?);
        reader.u32s(cases, &mut answers.dirty_end)?;
        reader.u32s(rows as usize, &mut answers.dirty_row)?;
        answers.dirty_data.extend_from_slice(reader.bytes(bytes as usize)?);
        reader.u32s(reasons as usize, &mut answers.reasons.case)?;
        reader.u32s(reasons as usize, &mut answers.reasons.end)?;
        answers.reasons.text.extend_from_slice(reader.bytes(reason_bytes as usize)?);
        Ok(())
    }

    fn read_batch(&self, reader: &mut Reader<'_>) -> Result<Batch, String> {
        let [instruction, edition, cases, steps] = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
        let mut batch = Batch { instruction, edition, cases, ..Batch::default() };
        let [rows, bytes] = [reader.u32()? as usize, reader.u32()? as usize];
        let cases = batch.cases as usize;
        reader.u32s((check_steps(steps)? - 1) as usize, &mut batch.then)?;
        let words = words_of(&batch, self.isa)?;
        reader.u32s(cases.checked_mul(words).ok_or("too many cases")?, &mut batch.code)?;
        batch.small = reader.bytes(cases * self.isa.layout.small_bytes)?.to_vec();
        reader.u32s(cases, &mut batch.overlay_end)?;
        reader.u32s(rows, &mut batch.overlay_row)?;
        batch.overlay_data = reader.bytes(bytes)?.to_vec();
        Ok(batch)
    }
}

impl Codec for Wire {
    fn encode(&self, sequence: u32, request: &Request<'_>, out: &mut Vec<u8>) {
        let kind = match request {
            Request::Describe => FrameKind::Describe,
            Request::Load(_) => FrameKind::Load,
            Request::Execute(_) => FrameKind::Execute,
            Request::Hash => FrameKind::Hash,
            Request::Reset => FrameKind::Reset,
        };
        let start = begin_frame(out, kind, sequence);
        match request {
            Request::Describe => out.extend(description(self.isa)),
            Request::Load(arena) => out.extend_from_slice(arena),
            Request::Execute(batch) => {
                let Batch { instruction, then, edition, cases, code, small, overlay_end, overlay_row, overlay_data } =
                    batch;
                let [steps, rows, bytes] = [batch.steps(), overlay_row.len(), overlay_data.len()]
                    .map(|len| u32::try_from(len).expect("a batch is shorter than 4 GiB"));
                put_all(out, &[*instruction, *edition, *cases, steps, rows, bytes]);
                put_all(out, then);
                put_all(out, code);
                out.extend_from_slice(small);
                put_all(out, overlay_end);
                put_all(out, overlay_row);
                out.extend_from_slice(overlay_data);
            }
            Request::Hash | Request::Reset => {}
        }
        end_frame(out, start);
    }

    fn progress(&self, sequence: u32, request: &Request<'_>, bytes: &[u8], _: &mut usize) -> Result<Progress, String> {
        let kind = Wire::reply_kind(request);
        progress(bytes, |header| {
            let limit = match header.kind {
                found if found == kind as u32 => self.payload_limit(request),
                found if found == FrameKind::Failed as u32 => 2 + FAILED_LIMIT,
                found => return Err(format!("it replies with a frame of kind {found}, not {}", kind as u32)),
            };
            if header.sequence != sequence {
                return Err(format!("its reply has the sequence number {}, not {sequence}", header.sequence));
            }
            if header.len > limit {
                return Err(format!("its reply has {} bytes, where at most {limit} are possible", header.len));
            }
            Ok(())
        })
    }

    fn decode(&self, _: u32, request: &Request<'_>, bytes: &[u8], answers: &mut Answers) -> Result<Reply, String> {
        let header = Header::read(bytes)?.ok_or("the frame ends too soon")?;
        let mut reader = Reader(&bytes[HEADER..]);
        let reply = if header.kind == FrameKind::Failed as u32 {
            Reply::Failed(reader.string()?.to_string())
        } else {
            match request {
                Request::Describe => self.read_opened(&mut reader)?,
                Request::Load(_) => Reply::Loaded,
                Request::Reset => Reply::WasReset,
                Request::Execute(batch) => {
                    self.read_answers(batch, &mut reader, answers)?;
                    Reply::Answered
                }
                Request::Hash => Reply::Hashed(reader.u32()?),
            }
        };
        // A refusal of an instruction set need not list its instructions.
        if reply != Reply::Opened(None) {
            reader.end()?;
        }
        Ok(reply)
    }

    fn read_request(&self, bytes: &[u8]) -> Result<(u32, ServedRequest), String> {
        let header = Header::read(bytes)?.ok_or("the frame ends too soon")?;
        let mut reader = Reader(&bytes[HEADER..]);
        let asked = match header.kind {
            kind if kind == FrameKind::Load as u32 => ServedRequest::Load(reader.bytes(header.len)?.to_vec()),
            kind if kind == FrameKind::Execute as u32 => ServedRequest::Execute(self.read_batch(&mut reader)?),
            kind if kind == FrameKind::Hash as u32 => ServedRequest::Hash,
            kind if kind == FrameKind::Reset as u32 => ServedRequest::Reset,
            kind => return Err(format!("there is no request of kind {kind}")),
        };
        reader.end()?;
        Ok((header.sequence, asked))
    }

    fn write_reply(&self, sequence: u32, _: &ServedRequest, reply: &Reply, answers: &Answers, out: &mut Vec<u8>) {
        write_reply(sequence, reply, answers, out);
    }
}

/// How far a request is there, for a server.
pub(super) fn request_progress(bytes: &[u8]) -> Result<Progress, String> {
    progress(bytes, |header| {
        if header.len > REQUEST_LIMIT { Err(format!("a request has {} bytes", header.len)) } else { Ok(()) }
    })
}

/// A sequence number, the name of an instruction set, and the whole description.
pub(super) type Described<'a> = (u32, String, &'a [u8]);

/// If a request is `DESCRIBE`: what it holds.
pub(super) fn read_describe(bytes: &[u8]) -> Result<Option<Described<'_>>, String> {
    let header = Header::read(bytes)?.ok_or("the frame ends too soon")?;
    if header.kind != FrameKind::Describe as u32 {
        return Ok(None);
    }
    let payload = &bytes[HEADER..];
    Ok(Some((header.sequence, Reader(payload).string()?.to_string(), payload)))
}

/// Writes a reply. What `OPENED`, `LOADED` and `RESET_DONE` answer is told by `reply`.
pub(super) fn write_reply(sequence: u32, reply: &Reply, answers: &Answers, out: &mut Vec<u8>) {
    let start = begin_frame(out, FrameKind::Failed, sequence);
    let kind = match reply {
        Reply::Opened(None) => {
            put_all(out, &[1]);
            FrameKind::Opened
        }
        Reply::Opened(Some(Opened { implemented, claims, max_steps })) => {
            put_all(out, &[0]);
            out.extend(implemented.iter().map(|&flag| u8::from(flag)));
            let claims = claims.as_deref().unwrap_or_default();
            put_all(out, &[u32::try_from(claims.len()).expect("claims are short")]);
            out.extend_from_slice(claims.as_bytes());
            if *max_steps > 1 {
                put_all(out, &[*max_steps]);
            }
            FrameKind::Opened
        }
        Reply::Loaded => FrameKind::Loaded,
        Reply::WasReset => FrameKind::ResetDone,
        Reply::Answered => {
            let Answers { cases, outcome, done, small, dirty_end, dirty_row, dirty_data, reasons } = answers;
            let Reasons { case, end, text } = reasons;
            let sizes = [dirty_row.len(), dirty_data.len(), case.len(), text.len()];
            let sizes = sizes.map(|len| u32::try_from(len).expect("answers are shorter than 4 GiB"));
            put_all(out, &[*cases]);
            put_all(out, &sizes);
            put_all(out, outcome);
            put_all(out, done);
            out.extend_from_slice(small);
            put_all(out, dirty_end);
            put_all(out, dirty_row);
            out.extend_from_slice(dirty_data);
            put_all(out, case);
            put_all(out, end);
            out.extend_from_slice(text);
            FrameKind::Answers
        }
        Reply::Hashed(hash) => {
            put_all(out, &[*hash]);
            FrameKind::Hashed
        }
        Reply::Failed(why) => {
            let end = why.floor_char_boundary(FAILED_LIMIT);
            put_string(out, &why[..end]);
            FrameKind::Failed
        }
    };
    out[start + 4..start + 8].copy_from_slice(&(kind as u32).to_le_bytes());
    end_frame(out, start);
}
