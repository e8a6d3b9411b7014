//! What every protocol over a byte stream has in common: requests, replies, and who speaks when.

use tandem_isa::{Answers, BORDER_VERSION, Batch, CLAIMS_BYTES, MAX_STEPS, Machine, Misbehaviour, MisbehaviourKind};

use super::instance::Link;
use super::wire::NAME_LIMIT;

/// A target's greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub version: u32,
    /// Empty if the version is another one.
    pub name: String,
}

/// What is asked of a target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request<'a> {
    Describe,
    Load(&'a [u8]),
    Execute(&'a Batch),
    Hash,
    Reset,
}

/// The same, as a server reads it. What describes an instruction set is read before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServedRequest {
    Load(Vec<u8>),
    Execute(Batch),
    Hash,
    Reset,
}

/// What a target says when an instruction set is described to it that it knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opened {
    /// For each instruction of the set, whether it is implemented.
    pub implemented: Vec<bool>,
    /// The text of its claims.
    pub claims: Option<String>,
    /// The most steps of a case that it takes.
    pub max_steps: u32,
}

/// What a target replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Nothing if it does not know the instruction set.
    Opened(Option<Opened>),
    Loaded,
    /// The answers are in the arrays.
    Answered,
    Hashed(u32),
    WasReset,
    /// It cannot do what was asked.
    Failed(String),
}

/// How far a message is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It has at least so many bytes, more than are there.
    More(usize),
    /// It ends after so many bytes.
    Whole(usize),
}

/// How messages are written and read, about one instruction set.
pub(super) trait Codec: Send {
    /// The most cases that go into one request.
    fn max_cases(&self) -> usize {
        usize::MAX
    }

    /// Writes a request to the end of `out`.
    fn encode(&self, sequence: u32, request: &Request<'_>, out: &mut Vec<u8>);

    /// How far the reply to `request` is there. `scanned` is 0 at first, and the codec's own.
    ///
    /// It fails as soon as the bytes cannot become a reply: before there is room for more than a reply can have.
    fn progress(
        &self,
        sequence: u32,
        request: &Request<'_>,
        bytes: &[u8],
        scanned: &mut usize,
    ) -> Result<Progress, String>;

    /// Reads a whole reply; answers go to the end of `answers`, whose `cases` is set to their number.
    fn decode(
        &self,
        sequence: u32,
        request: &Request<'_>,
        bytes: &[u8],
        answers: &mut Answers,
    ) -> Result<Reply, String>;

    /// Reads a whole request, for a server.
    fn read_request(&self, bytes: &[u8]) -> Result<(u32, ServedRequest), String>;

    /// Writes a reply to the end of `out`, for a server.
    fn write_reply(&self, sequence: u32, asked: &ServedRequest, reply: &Reply, answers: &Answers, out: &mut Vec<u8>);
}

/// Looks at the bytes that have come, and tells how far the message is there.
pub(super) type Look<'a> = dyn FnMut(&[u8]) -> Result<Progress, String> + 'a;

/// A way for bytes, to somebody who replies.
pub(super) trait Stream: Send {
    /// Sends a message, and gathers one reply. That anything else comes, before or after, is an error.
    fn exchange(&mut self, message: &[u8], look: &mut Look<'_>) -> Result<(), Misbehaviour>;

    /// The reply that was gathered last.
    fn reply(&self) -> &[u8];

    /// Ends whoever replies: nothing that it still says is of use.
    fn end(&mut self) {}
}

/// The bytes that have come and are not read yet. Its room grows with what comes, not with what is announced.
#[derive(Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    filled: usize,
}

/// Bytes that are read at once, at least.
const CHUNK: usize = 64 << 10;

impl Inbox {
    /// Where to put bytes, of a message that has at least `whole`.
    pub fn room(&mut self, whole: usize) -> &mut [u8] {
        let wanted = whole.saturating_sub(self.filled).clamp(CHUNK, self.filled.max(CHUNK));
        if self.bytes.len() < self.filled + wanted {
            self.bytes.resize(self.filled + wanted, 0);
        }
        &mut self.bytes[self.filled..]
    }

    /// That so many bytes were put there.
    pub fn took(&mut self, len: usize) {
        self.filled += len;
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    pub fn clear(&mut self) {
        self.filled = 0;
    }

    /// Looks how far the message is there: nothing if it is whole, or how many bytes it has at least.
    pub fn look(&self, look: &mut Look<'_>) -> Result<Option<usize>, Misbehaviour> {
        match look(self.bytes()).map_err(malformed)? {
            Progress::More(whole) => Ok(Some(whole)),
            Progress::Whole(len) if len == self.filled => Ok(None),
            Progress::Whole(len) => {
                let (first, rest) = self.bytes().split_at(len);
                let (first, rest) = (excerpt(first), excerpt(rest));
                Err(malformed(format!("it wrote more than one reply: {first}, and then {rest}")))
            }
        }
    }
}

pub(super) fn malformed(message: impl Into<String>) -> Misbehaviour {
    Misbehaviour::new(MisbehaviourKind::Malformed, message)
}

/// The beginning of bytes, for messages.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text: String = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).escape_debug().collect();
    format!("\"{text}\"{}", if bytes.len() > SHOWN { "…" } else { "" })
}

/// Whether a name can stand in reports and be asked for on the command line.
pub(super) fn check_name(name: &str) -> Result<String, String> {
    let odd = |letter: char| letter.is_control() || letter == ',' || letter == ':';
    if name.trim().is_empty() || name.len() > NAME_LIMIT || name.contains(odd) {
        return Err(format!(
            "the name of an implementation has 1 to {NAME_LIMIT} bytes, and no comma or colon, unlike {}",
            excerpt(name.as_bytes())
        ));
    }
    Ok(name.to_string())
}

/// The text of claims; nothing if it is empty.
pub(super) fn check_claims(text: &[u8]) -> Result<Option<String>, String> {
    if text.len() > CLAIMS_BYTES {
        return Err(format!("its claims have {} bytes, where at most {CLAIMS_BYTES} are allowed", text.len()));
    }
    let text = std::str::from_utf8(text).map_err(|_| format!("its claims are not UTF-8: {}", excerpt(text)))?;
    Ok((!text.is_empty()).then(|| text.to_string()))
}

/// Which instructions are implemented: a byte for each.
pub(super) fn check_flags(flags: &[u8]) -> Result<Vec<bool>, String> {
    match flags.iter().find(|&&flag| flag > 1) {
        Some(flag) => Err(format!("an instruction is implemented or not, 1 or 0, not {flag}")),
        None => Ok(flags.iter().map(|&flag| flag == 1).collect()),
    }
}

/// A number of cases that are answered, of a batch.
pub(super) fn check_cases(cases: usize, batch: &Batch) -> Result<u32, String> {
    let answered = u32::try_from(cases).ok().filter(|cases| (1..=batch.cases).contains(cases));
    answered.ok_or_else(|| format!("it answers {cases} cases of {}", batch.cases))
}

/// A number of steps of a case.
pub(super) fn check_steps(steps: u32) -> Result<u32, String> {
    if (1..=MAX_STEPS).contains(&(steps as usize)) {
        Ok(steps)
    } else {
        Err(format!("a case has 1 to {MAX_STEPS} steps, and not {steps}"))
    }
}

/// How many code words a case of a batch has.
pub(super) fn words_of(batch: &Batch, isa: &Machine) -> Result<usize, String> {
    let words: Vec<usize> = batch.instructions(isa).map(|one| one.base_code.len()).collect();
    if words.len() == batch.steps() { Ok(words.iter().sum()) } else { Err("there is no such instruction".to_string()) }
}

/// That a target speaks another version, and what to do.
pub(super) fn other_version(version: u32, next: &str) -> String {
    format!("it speaks version {version} of the border, and this tandem speaks version {BORDER_VERSION}; {next}")
}

/// One side of a conversation about one instruction set: the side that asks.
pub(super) struct Conversation<S> {
    pub stream: S,
    pub codec: Box<dyn Codec>,
    isa: &'static Machine,
    sequence: u32,
    outbox: Vec<u8>,
    /// Answers to a part of a batch.
    part: Answers,
}

impl<S: Stream> Conversation<S> {
    /// A conversation after the greeting.
    pub fn new(stream: S, codec: Box<dyn Codec>, isa: &'static Machine) -> Self {
        Conversation { stream, codec, isa, sequence: 0, outbox: Vec::new(), part: Answers::default() }
    }

    fn ask(&mut self, request: &Request<'_>, answers: &mut Answers) -> Result<Reply, Misbehaviour> {
        self.sequence = self.sequence.wrapping_add(1);
        let (codec, sequence) = (&*self.codec, self.sequence);
        self.outbox.clear();
        codec.encode(sequence, request, &mut self.outbox);
        let mut scanned = 0;
        self.stream
            .exchange(&self.outbox, &mut |bytes: &[u8]| codec.progress(sequence, request, bytes, &mut scanned))?;
        match codec.decode(sequence, request, self.stream.reply(), answers).map_err(malformed)? {
            Reply::Failed(why) => Err(malformed(format!("it could not: {}", excerpt(why.as_bytes())))),
            reply => Ok(reply),
        }
    }

    /// Describes the instruction set; nothing if the target does not know it.
    pub fn describe(&mut self) -> Result<Option<Opened>, Misbehaviour> {
        match self.ask(&Request::Describe, &mut Answers::default())? {
            Reply::Opened(opened) => Ok(opened),
            other => unreachable!("a codec replies to what was asked, not {other:?}"),
        }
    }

    /// Asks somebody to whom the instruction set was described, who is ended by whatever is wrong.
    fn ask_or_end(&mut self, request: &Request<'_>, answers: &mut Answers) -> Result<Reply, Misbehaviour> {
        self.ask(request, answers).inspect_err(|_| self.stream.end())
    }
}

impl<S: Stream> Link for Conversation<S> {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.ask_or_end(&Request::Load(arena), &mut Answers::default()).map(|_| ())
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        answers.clear();
        let (cases, most) = (batch.cases as usize, self.codec.max_cases());
        if cases <= most {
            return self.ask_or_end(&Request::Execute(batch), answers).map(|_| ());
        }
        let mut part = std::mem::take(&mut self.part);
        for from in (0..cases).step_by(most) {
            let to = (from + most).min(cases);
            part.clear();
            self.ask_or_end(&Request::Execute(&batch.part(self.isa.layout, from, to)), &mut part)?;
            answers.append(&part);
            if part.cases as usize != to - from {
                break;
            }
        }
        self.part = part;
        Ok(())
    }

    fn hash(&mut self) -> Result<u32, Misbehaviour> {
        match self.ask_or_end(&Request::Hash, &mut Answers::default())? {
            Reply::Hashed(hash) => Ok(hash),
            other => unreachable!("a codec replies to what was asked, not {other:?}"),
        }
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.ask_or_end(&Request::Reset, &mut Answers::default()).map(|_| ())
    }
}
