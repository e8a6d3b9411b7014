//! JSON lines: the protocol for scripts, one object a line.
//!
//! The target greets with `{"hello":{"tandem":2,"name":"mine"}}`. Then each of our lines has a `seq` and gets one line
//! with the same `seq` (the names are those of an example):
//!
//! | we | the target |
//! |---|---|
//! | `{"seq":1,"describe":{"isa":…,"banks":[…],"fields":[…],"instructions":[…]}}` | `{"seq":1,"opened":["mova2d"],"claims":"…","steps":16}`: the instructions that it implements, or `null` if it does not know the instruction set; the text of its claims; and how many steps of a case it takes at most, 1 if that is missing. Claims may be missing as well |
//! | `{"seq":2,"load":{"SrcA":"00ff…",…}}` | `{"seq":2,"loaded":true}` |
//! | `{"seq":3,"execute":{"instruction":"mova2d","edition":"newest","steps":1,"cases":[…]}}` | `{"seq":3,"answers":[…]}` |
//! | `{"seq":4,"hash":{}}` | `{"seq":4,"hash":123}`: CRC-32 of all banks as they are stored, in their order |
//! | `{"seq":5,"reset":{}}` | `{"seq":5,"reset":true}` |
//!
//! Any reply may be `{"seq":3,"failed":"why"}` instead.
//!
//! `load` has the bytes of every bank, row after row, each word little endian in `word_bytes` bytes.
//!
//! A case is `{"code":[word,…],"small":{"field":value,…},"rows":[["SrcA",39,[word,…]],…]}`: `small` has the fields that
//! differ from their `base`, and `rows` is the overlay: bank, row in the bank, words.
//!
//! To a target that takes several `steps` of a case, `"steps":3` comes with `"then":["movb2d","sfpload"]`, the instructions
//! of the steps behind the first, in the same object; `code` has the words of all steps, in their order.
//!
//! An answer is `{"outcome":"done","small":{…},"rows":[…]}`: the outcome is `done`, `blocked` or `unsupported`; `small`
//! has the fields that the case changed, and `rows` what it wrote. Either may be missing if it is empty. An
//! `unsupported` may have a `"reason":"why"`, at most 80 bytes of UTF-8. Where a case of several steps is not `done`,
//! `"done":1` says how many of its steps were, and small state and rows are as these leave them; of an `unsupported` it may be
//! missing, and then they are as any of the steps before leaves them. There are as many answers as cases, or fewer, from
//! the first one on; the others are asked again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tandem_isa::{Answers, BORDER_VERSION, Batch, CLAIMS_BYTES, Edition, Facts, Field, Machine, REASON_BYTES};

use super::check::UNSAID;
use super::talk::{
    Codec, Hello, Opened, Progress, Reply, Request, ServedRequest, check_cases, check_claims, check_name, check_steps,
    excerpt, words_of,
};

/// The most cases in one line: a line can be held in the hand of a script.
const CASES: usize = 64;
/// The longest greeting, in bytes.
const HELLO_LIMIT: usize = 4096;
/// The longest line that is not answers, in bytes, beside what names need.
const SHORT_LIMIT: usize = 4096;
/// The longest request that a server reads, in bytes.
const REQUEST_LIMIT: usize = 1 << 30;
/// The most bytes that a byte of text takes as an escape.
const ESCAPED: usize = 6;
/// The place of `unsupported` in [`OUTCOMES`].
const UNSUPPORTED: usize = 2;
const OUTCOMES: [&str; 3] = ["done", "blocked", "unsupported"];

/// Looks for the end of a line of at most `limit` bytes.
fn line_progress(bytes: &[u8], scanned: &mut usize, limit: usize) -> Result<Progress, String> {
    let end = bytes[*scanned..].iter().position(|&byte| byte == b'\n').map(|at| *scanned + at + 1);
    *scanned = bytes.len();
    match end {
        Some(end) if end <= limit => Ok(Progress::Whole(end)),
        None if bytes.len() <= limit => Ok(Progress::More(bytes.len() + 1)),
        _ => Err(format!("its line is longer than {limit} bytes: {}", excerpt(bytes))),
    }
}

/// A line as text that is JSON; the message on what is not shows its beginning.
fn read_line<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("{}: {error}", excerpt(bytes.trim_ascii_end())))
}

/// A target's greeting.
#[must_use]
pub fn hello(name: &str) -> Vec<u8> {
    let mut line = json!({ "hello": { "tandem": BORDER_VERSION, "name": name } }).to_string().into_bytes();
    line.push(b'\n');
    line
}

pub(super) fn hello_progress(bytes: &[u8], scanned: &mut usize) -> Result<Progress, String> {
    line_progress(bytes, scanned, HELLO_LIMIT)
}

pub(super) fn read_hello(bytes: &[u8]) -> Result<Hello, String> {
    // A later version may say more.
    #[derive(Deserialize)]
    struct Line {
        hello: Greeting,
    }
    #[derive(Deserialize)]
    struct Greeting {
        tandem: u32,
        name: Option<String>,
    }
    let Line { hello: Greeting { tandem: version, name } } = read_line(bytes)?;
    if version != BORDER_VERSION {
        return Ok(Hello { version, name: String::new() });
    }
    Ok(Hello { version, name: check_name(&name.ok_or("the greeting has no name")?)? })
}

/// The description of an instruction set.
#[must_use]
pub fn description(isa: &Machine) -> Value {
    let banks: Vec<Value> = isa
        .layout
        .banks
        .iter()
        .map(|bank| {
            json!({
                "name": bank.name, "dims": bank.dims, "rows": bank.rows(), "columns": bank.columns(),
                "word_bytes": bank.word.bytes(), "word_bits": bank.bits, "offset": bank.offset,
            })
        })
        .collect();
    let fields: Vec<Value> = (isa.layout.fields)()
        .iter()
        .map(|field| {
            let mut line = json!({
                "name": field.name, "width": field.width, "max": field.max, "base": field.base, "byte": field.byte,
                "word_bytes": field.word.bytes(), "shift": field.shift,
            });
            if let Some((bank, word)) = field.address {
                line["address"] = json!([bank, word]);
            }
            line
        })
        .collect();
    let instructions: Vec<Value> = isa
        .instructions
        .iter()
        .map(|instruction| {
            let field = |field: &tandem_isa::CodeField| {
                json!({ "name": field.name, "word": field.word, "shift": field.shift, "width": field.width })
            };
            let fields: Vec<Value> = instruction.code_fields.iter().map(field).collect();
            json!({
                "name": instruction.file, "mnemonic": instruction.name, "base_code": instruction.base_code,
                "fields": fields,
            })
        })
        .collect();
    json!({ "isa": isa.name, "banks": banks, "fields": fields, "instructions": instructions })
}

/// JSON lines about one instruction set.
pub(super) struct JsonLines {
    isa: &'static Machine,
    fields: &'static [Field],
    /// For each field `"name":`, as it stands in a line.
    keys: Vec<String>,
    by_name: BTreeMap<&'static str, usize>,
    /// The small state of which a case's fields differ.
    base: Vec<u8>,
    /// The longest answer to one case, in bytes.
    answer_limit: usize,
    /// The longest line that lists instructions.
    opened_limit: usize,
}

impl JsonLines {
    pub fn new(isa: &'static Machine) -> Self {
        let fields = (isa.layout.fields)();
        let keys: Vec<String> = fields.iter().map(|field| format!("{}:", Value::from(&*field.name))).collect();
        let base = isa.base_state().small.to_vec();
        // Names may be written with escapes, numbers with spaces around them: twice the longest that we would write.
        let small: usize = keys.iter().map(|key| key.len() + 12).sum();
        let rows: usize =
            isa.layout.banks.iter().map(|bank| bank.rows() * (bank.name.len() + 20 + 12 * bank.columns())).sum();
        let names: usize = isa.instructions.iter().map(|instruction| instruction.file.len() + 4).sum();
        JsonLines {
            isa,
            fields,
            keys,
            by_name: fields.iter().enumerate().map(|(index, field)| (&*field.name, index)).collect(),
            base,
            answer_limit: 256 + ESCAPED * REASON_BYTES + 2 * (small + rows),
            opened_limit: SHORT_LIMIT + 2 * names + ESCAPED * CLAIMS_BYTES,
        }
    }

    fn limit(&self, request: &Request<'_>) -> usize {
        match request {
            Request::Describe => self.opened_limit,
            Request::Execute(batch) => SHORT_LIMIT + batch.cases as usize * self.answer_limit,
            Request::Load(_) | Request::Hash | Request::Reset => SHORT_LIMIT,
        }
    }

    /// The number of the field called `name`; `guess` is tried first, because fields mostly come in their order.
    fn field(&self, name: &str, guess: usize) -> Result<usize, String> {
        if self.fields.get(guess).is_some_and(|field| field.name == name) {
            return Ok(guess);
        }
        self.by_name.get(name).copied().ok_or_else(|| format!("there is no field {}", excerpt(name.as_bytes())))
    }

    /// Puts fields into a small state, each at most once.
    fn put_small(&self, small: &mut [u8], values: &Small<'_>) -> Result<(), String> {
        let mut next = 0;
        let mut last = None;
        let mut seen: Vec<usize> = Vec::new();
        for (name, value) in &values.0 {
            let index = self.field(name, next)?;
            let field = &self.fields[index];
            if field.width < 32 && *value >> field.width != 0 {
                return Err(format!("{} has {} bits, and is not {value}", field.name, field.width));
            }
            // In ascending order none can come twice.
            if last.is_some_and(|last| index <= last) {
                if seen.is_empty() {
                    seen = values.0.iter().filter_map(|(name, _)| self.by_name.get(&**name).copied()).collect();
                    seen.sort_unstable();
                }
                if seen.windows(2).any(|pair| pair[0] == pair[1]) {
                    return Err("a field is there twice".to_string());
                }
            }
            field.set(small, *value);
            (next, last) = (index + 1, Some(index));
        }
        Ok(())
    }

    /// Appends rows to row numbers and data.
    fn take_rows(&self, rows: &[RowLine<'_>], row_ids: &mut Vec<u32>, data: &mut Vec<u8>) -> Result<(), String> {
        for RowLine(name, row, words) in rows {
            let bank = self.isa.layout.bank_named(name);
            let bank = bank.ok_or_else(|| format!("there is no bank {}", excerpt(name.as_bytes())))?;
            let bank = &self.isa.layout.banks[bank];
            let number = usize::try_from(*row).ok().filter(|&row| row < bank.rows());
            let number = number.ok_or_else(|| format!("{} has {} rows, and no row {row}", bank.name, bank.rows()))?;
            if words.len() != bank.columns() {
                let name = bank.row_name(number);
                return Err(format!("{name} has {} words, not {}", bank.columns(), words.len()));
            }
            row_ids.push(u32::try_from(bank.first_row + number).expect("row numbers are small"));
            let size = bank.word.bytes();
            for word in words {
                if size < 4 && word >> (8 * size) != 0 {
                    return Err(format!("a word of {} has {size} bytes, and is not {word}", bank.name));
                }
                data.extend_from_slice(&word.to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Writes the fields of `small` that differ from `from`, and a comma before each but the first.
    fn write_small(&self, out: &mut Vec<u8>, small: &[u8], from: &[u8]) {
        out.extend_from_slice(b"\"small\":{");
        let begin = out.len();
        for (field, key) in self.fields.iter().zip(&self.keys) {
            let bytes = field.byte..field.byte + field.word.bytes();
            if small[bytes.clone()] == from[bytes] {
                continue;
            }
            let value = field.get(small);
            if value != field.get(from) {
                if out.len() > begin {
                    out.push(b',');
                }
                out.extend_from_slice(key.as_bytes());
                put_number(out, value);
            }
        }
        out.push(b'}');
    }

    /// Writes rows, and gives back what is left of their data.
    fn write_rows<'a>(&self, out: &mut Vec<u8>, rows: &[u32], mut data: &'a [u8]) -> &'a [u8] {
        out.extend_from_slice(b"\"rows\":[");
        for (place, &row) in rows.iter().enumerate() {
            let (bank, row) = self.isa.layout.locate(row as usize);
            let bank = &self.isa.layout.banks[bank];
            out.extend_from_slice(if place == 0 { b"[\"" } else { b",[\"" });
            out.extend_from_slice(bank.name.as_bytes());
            out.extend_from_slice(b"\",");
            put_number(out, u32::try_from(row).expect("row numbers are small"));
            let (bytes, rest) = data.split_at(bank.row_bytes());
            data = rest;
            for column in 0..bank.columns() {
                out.extend_from_slice(if column == 0 { b",[" } else { b"," });
                put_number(out, bank.word_at(bytes, column));
            }
            out.extend_from_slice(b"]]");
        }
        out.push(b']');
        data
    }

    fn write_batch(&self, out: &mut Vec<u8>, batch: &Batch) {
        let instructions: Vec<&Facts> = batch.instructions(self.isa).collect();
        let edition = Edition::ALL[batch.edition as usize];
        out.extend_from_slice(b"\"execute\":{\"instruction\":\"");
        out.extend_from_slice(instructions[0].file.as_bytes());
        out.extend_from_slice(b"\",\"edition\":\"");
        out.extend_from_slice(edition.name().as_bytes());
        out.extend_from_slice(format!("\",\"steps\":{}", instructions.len()).as_bytes());
        if let [_, then @ ..] = &instructions[..]
            && !then.is_empty()
        {
            let names: Vec<&str> = then.iter().map(|one| one.file).collect();
            out.extend_from_slice(format!(",\"then\":{}", json!(names)).as_bytes());
        }
        out.extend_from_slice(b",\"cases\":[");
        let words: usize = instructions.iter().map(|one| one.base_code.len()).sum();
        let bytes = self.isa.layout.small_bytes;
        let mut data = &batch.overlay_data[..];
        let mut first = 0;
        for case in 0..batch.cases as usize {
            out.extend_from_slice(if case == 0 { b"{\"code\":" } else { b",{\"code\":" });
            for (place, &word) in batch.code[case * words..(case + 1) * words].iter().enumerate() {
                out.push(if place == 0 { b'[' } else { b',' });
                put_number(out, word);
            }
            out.extend_from_slice(b"],");
            self.write_small(out, &batch.small[case * bytes..(case + 1) * bytes], &self.base);
            out.push(b',');
            let end = batch.overlay_end[case] as usize;
            data = self.write_rows(out, &batch.overlay_row[first..end], data);
            first = end;
            out.push(b'}');
        }
        out.extend_from_slice(b"]}");
    }

    fn write_answers(&self, out: &mut Vec<u8>, batch: &Batch, answers: &Answers) {
        out.extend_from_slice(b"\"answers\":[");
        let bytes = self.isa.layout.small_bytes;
        let mut data = &answers.dirty_data[..];
        let mut reasons = answers.reasons.iter().peekable();
        let mut first = 0;
        for case in 0..answers.cases as usize {
            out.extend_from_slice(if case == 0 { b"{\"outcome\":\"" } else { b",{\"outcome\":\"" });
            out.extend_from_slice(OUTCOMES[answers.outcome[case] as usize].as_bytes());
            out.extend_from_slice(b"\",");
            if let Some(&done) = answers.done.get(case).filter(|&&done| done != UNSAID) {
                out.extend_from_slice(format!("\"done\":{done},").as_bytes());
            }
            let small = case * bytes..(case + 1) * bytes;
            self.write_small(out, &answers.small[small.clone()], &batch.small[small]);
            out.push(b',');
            let end = answers.dirty_end[case] as usize;
            data = self.write_rows(out, &answers.dirty_row[first..end], data);
            first = end;
            if let Some((_, reason)) = reasons.next_if(|(of, _)| *of as usize == case) {
                out.extend_from_slice(b",\"reason\":");
                out.extend_from_slice(Value::from(reason).to_string().as_bytes());
            }
            out.push(b'}');
        }
        out.push(b']');
    }

    fn read_answers(&self, batch: &Batch, lines: &[AnswerLine<'_>], answers: &mut Answers) -> Result<(), String> {
        answers.cases = check_cases(lines.len(), batch)?;
        let bytes = self.isa.layout.small_bytes;
        for (case, AnswerLine { outcome, done, small, rows, reason }) in lines.iter().enumerate() {
            let number = OUTCOMES.iter().position(|known| known == outcome);
            let number = number.ok_or_else(|| format!("there is no outcome {}", excerpt(outcome.as_bytes())))?;
            answers.outcome.push(u32::try_from(number).expect("there are three"));
            match (done, number) {
                (Some(_), _) if batch.then.is_empty() => {
                    return Err("\"done\" counts the steps of a case, and cases of one step were asked".to_string());
                }
                (Some(done), _) => answers.done.push(*done),
                (None, _) if batch.then.is_empty() => {}
                (None, 0) => answers.done.push(batch.steps() as u32),
                (None, UNSUPPORTED) => answers.done.push(UNSAID),
                (None, _) => return Err(format!("\"done\" is missing: how many steps were done before {outcome}")),
            }
            let start = answers.small.len();
            answers.small.extend_from_slice(&batch.small[case * bytes..(case + 1) * bytes]);
            self.put_small(&mut answers.small[start..], small)?;
            self.take_rows(rows, &mut answers.dirty_row, &mut answers.dirty_data)?;
            answers.dirty_end.push(u32::try_from(answers.dirty_row.len()).map_err(|_| "too many rows")?);
            if let Some(reason) = reason {
                // As it came: whether it may be one is for the caller to check.
                let reasons = &mut answers.reasons;
                reasons.case.push(u32::try_from(case).expect("no more than asked"));
                reasons.text.extend_from_slice(reason.as_bytes());
                reasons.end.push(u32::try_from(reasons.text.len()).map_err(|_| "reasons are too long")?);
            }
        }
        Ok(())
    }

    fn read_opened(
        &self,
        names: Option<Vec<String>>,
        claims: Option<&str>,
        steps: Option<u32>,
    ) -> Result<Reply, String> {
        let Some(names) = names else { return Ok(Reply::Opened(None)) };
        let mut implemented = vec![false; self.isa.instructions.len()];
        for name in names {
            let instruction = self.isa.instruction(&name);
            let instruction = instruction
                .ok_or_else(|| format!("{} has no instruction {}", self.isa.name, excerpt(name.as_bytes())))?;
            implemented[instruction.index] = true;
        }
        let claims = check_claims(claims.unwrap_or_default().as_bytes())?;
        Ok(Reply::Opened(Some(Opened { implemented, claims, max_steps: check_steps(steps.unwrap_or(1))? })))
    }

    fn read_batch(&self, line: &ExecuteLine<'_>) -> Result<Batch, String> {
        let ExecuteLine { instruction, then, edition, steps, cases } = line;
        let find = |name: &str| self.isa.instruction(name).ok_or("there is no such instruction");
        let instruction = find(instruction)?;
        let edition =
            Edition::ALL.iter().position(|known| known.name() == edition).ok_or("there is no such edition")?;
        let number = |value: usize| u32::try_from(value).map_err(|_| "a number is too large".to_string());
        let mut batch = Batch {
            instruction: number(instruction.index)?,
            then: then.iter().map(|Name(name)| number(find(name)?.index)).collect::<Result<_, _>>()?,
            edition: number(edition)?,
            cases: number(cases.len())?,
            ..Batch::default()
        };
        if batch.steps() != check_steps(*steps)? as usize {
            return Err(format!("a case has {steps} steps, and {} instructions are named", batch.steps()));
        }
        let words = words_of(&batch, self.isa)?;
        for CaseLine { code, small, rows } in cases {
            if code.len() != words {
                return Err("a case has another number of code words".to_string());
            }
            batch.code.extend_from_slice(code);
            let start = batch.small.len();
            batch.small.extend_from_slice(&self.base);
            self.put_small(&mut batch.small[start..], small)?;
            self.take_rows(rows, &mut batch.overlay_row, &mut batch.overlay_data)?;
            batch.overlay_end.push(number(batch.overlay_row.len())?);
        }
        Ok(batch)
    }

    fn read_load(&self, banks: &BTreeMap<String, Cow<'_, str>>) -> Result<Vec<u8>, String> {
        let mut arena = vec![0; self.isa.layout.arena_bytes];
        for bank in self.isa.layout.banks {
            let digits = banks.get(bank.name).ok_or_else(|| format!("there is no {}", bank.name))?.as_bytes();
            let bytes = &mut arena[bank.offset..][..bank.rows() * bank.row_bytes()];
            if digits.len() != 2 * bytes.len() {
                return Err(format!("{} has another size", bank.name));
            }
            for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
                let digit = |digit: u8| char::from(digit).to_digit(16).ok_or("not a hexadecimal digit");
                *byte = u8::try_from(16 * digit(pair[0])? + digit(pair[1])?).expect("two digits are a byte");
            }
        }
        Ok(arena)
    }
}

/// Writes a number in decimal.
fn put_number(out: &mut Vec<u8>, mut value: u32) {
    let mut digits = [0; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(value % 10).expect("a digit");
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// A string that is borrowed from the line where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Fields with values, in the order in which they stand in the line; none is dropped if it comes twice.
#[derive(Default)]
struct Small<'a>(Vec<(Cow<'a, str>, u32)>);

impl<'de: 'a, 'a> Deserialize<'de> for Small<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Small<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Small<'de>, M::Error> {
                let mut list = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    list.push((name, value));
                }
                Ok(Small(list))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// Bank, row in the bank, words.
#[derive(Deserialize)]
struct RowLine<'a>(#[serde(borrow)] Cow<'a, str>, u64, Vec<u32>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine<'a> {
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    done: Option<u32>,
    #[serde(borrow, default)]
    small: Small<'a>,
    #[serde(borrow, default)]
    rows: Vec<RowLine<'a>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
}

/// A line of a target: one of the replies.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyLine<'a> {
    seq: u32,
    #[serde(default, deserialize_with = "present")]
    opened: Option<Option<Vec<String>>>,
    #[serde(borrow)]
    claims: Option<Cow<'a, str>>,
    steps: Option<u32>,
    loaded: Option<bool>,
    #[serde(borrow)]
    answers: Option<Vec<AnswerLine<'a>>>,
    hash: Option<u32>,
    reset: Option<bool>,
    failed: Option<String>,
}

/// Tells `null` from nothing.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Vec<String>>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct CaseLine<'a> {
    code: Vec<u32>,
    #[serde(borrow)]
    small: Small<'a>,
    #[serde(borrow)]
    rows: Vec<RowLine<'a>>,
}

#[derive(Deserialize)]
struct ExecuteLine<'a> {
    #[serde(borrow)]
    instruction: Cow<'a, str>,
    #[serde(borrow)]
    edition: Cow<'a, str>,
    steps: u32,
    #[serde(borrow, default)]
    then: Vec<Name<'a>>,
    #[serde(borrow)]
    cases: Vec<CaseLine<'a>>,
}

/// A line of ours: one of the requests.
#[derive(Deserialize)]
struct RequestLine<'a> {
    seq: u32,
    #[serde(borrow)]
    load: Option<BTreeMap<String, Cow<'a, str>>>,
    #[serde(borrow)]
    execute: Option<ExecuteLine<'a>>,
    hash: Option<Empty>,
    reset: Option<Empty>,
}

#[derive(Deserialize)]
struct Empty {}

impl Codec for JsonLines {
    fn max_cases(&self) -> usize {
        CASES
    }

    fn encode(&self, sequence: u32, request: &Request<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"seq\":{sequence},").as_bytes());
        match request {
            Request::Describe => out.extend_from_slice(format!("\"describe\":{}", description(self.isa)).as_bytes()),
            Request::Load(arena) => {
                out.extend_from_slice(b"\"load\":{");
                for (place, bank) in self.isa.layout.banks.iter().enumerate() {
                    out.extend_from_slice(if place == 0 { b"\"" } else { b",\"" });
                    out.extend_from_slice(bank.name.as_bytes());
                    out.extend_from_slice(b"\":\"");
                    for byte in &arena[bank.offset..][..bank.rows() * bank.row_bytes()] {
                        const DIGITS: &[u8; 16] = b"0123456789abcdef";
                        out.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
                    }
                    out.push(b'"');
                }
                out.push(b'}');
            }
            Request::Execute(batch) => self.write_batch(out, batch),
            Request::Hash => out.extend_from_slice(b"\"hash\":{}"),
            Request::Reset => out.extend_from_slice(b"\"reset\":{}"),
        }
        out.extend_from_slice(b"}\n");
    }

    fn progress(&self, _: u32, request: &Request<'_>, bytes: &[u8], scanned: &mut usize) -> Result<Progress, String> {
        line_progress(bytes, scanned, self.limit(request))
    }

    fn decode(
        &self,
        sequence: u32,
        request: &Request<'_>,
        bytes: &[u8],
        answers: &mut Answers,
    ) -> Result<Reply, String> {
        let ReplyLine { seq, opened, claims, steps, loaded, answers: lines, hash, reset, failed } = read_line(bytes)?;
        if seq != sequence {
            return Err(format!("its reply has the sequence number {seq}, not {sequence}"));
        }
        let there =
            [opened.is_some(), loaded.is_some(), lines.is_some(), hash.is_some(), reset.is_some(), failed.is_some()];
        if there.iter().filter(|&&there| there).count() != 1 {
            return Err(format!("a line is one reply: {}", excerpt(bytes)));
        }
        if (claims.is_some() || steps.is_some()) && opened.is_none() {
            return Err(format!("claims and steps stand beside \"opened\": {}", excerpt(bytes)));
        }
        if let Some(why) = failed {
            return Ok(Reply::Failed(why));
        }
        match (request, opened, loaded, lines, hash, reset) {
            (Request::Describe, Some(names), ..) => self.read_opened(names, claims.as_deref(), steps),
            (Request::Load(_), _, Some(true), ..) => Ok(Reply::Loaded),
            (Request::Execute(batch), _, _, Some(lines), ..) => {
                self.read_answers(batch, &lines, answers)?;
                Ok(Reply::Answered)
            }
            (Request::Hash, _, _, _, Some(hash), _) => Ok(Reply::Hashed(hash)),
            (Request::Reset, _, _, _, _, Some(true)) => Ok(Reply::WasReset),
            _ => Err(format!("this does not reply to what was asked: {}", excerpt(bytes))),
        }
    }

    fn read_request(&self, bytes: &[u8]) -> Result<(u32, ServedRequest), String> {
        let RequestLine { seq, load, execute, hash, reset } = read_line(bytes)?;
        let asked = match (load, execute, hash, reset) {
            (Some(banks), None, None, None) => ServedRequest::Load(self.read_load(&banks)?),
            (None, Some(line), None, None) => ServedRequest::Execute(self.read_batch(&line)?),
            (None, None, Some(Empty {}), None) => ServedRequest::Hash,
            (None, None, None, Some(Empty {})) => ServedRequest::Reset,
            _ => return Err(format!("there is no such request: {}", excerpt(bytes))),
        };
        Ok((seq, asked))
    }

    fn write_reply(&self, sequence: u32, asked: &ServedRequest, reply: &Reply, answers: &Answers, out: &mut Vec<u8>) {
        match (asked, reply) {
            (ServedRequest::Execute(batch), Reply::Answered) => {
                out.extend_from_slice(format!("{{\"seq\":{sequence},").as_bytes());
                self.write_answers(out, batch, answers);
                out.extend_from_slice(b"}\n");
            }
            _ => write_short(self.isa, sequence, reply, out),
        }
    }
}

/// Writes any reply but answers.
pub(super) fn write_short(isa: &Machine, sequence: u32, reply: &Reply, out: &mut Vec<u8>) {
    let line = match reply {
        Reply::Opened(None) => json!({ "seq": sequence, "opened": null }),
        Reply::Opened(Some(Opened { implemented, claims, max_steps })) => {
            let names: Vec<&str> = isa
                .instructions
                .iter()
                .zip(implemented)
                .filter_map(|(instruction, &there)| there.then_some(instruction.file))
                .collect();
            let mut line = json!({ "seq": sequence, "opened": names });
            if let Some(claims) = claims {
                line["claims"] = Value::from(&**claims);
            }
            if *max_steps > 1 {
                line["steps"] = Value::from(*max_steps);
            }
            line
        }
        Reply::Loaded => json!({ "seq": sequence, "loaded": true }),
        Reply::Hashed(hash) => json!({ "seq": sequence, "hash": hash }),
        Reply::WasReset => json!({ "seq": sequence, "reset": true }),
        Reply::Failed(why) => json!({ "seq": sequence, "failed": why }),
        Reply::Answered => unreachable!("answers are written with their batch"),
    };
    out.extend_from_slice(line.to_string().as_bytes());
    out.push(b'\n');
}

/// How far a request is there, for a server.
pub(super) fn request_progress(bytes: &[u8], scanned: &mut usize) -> Result<Progress, String> {
    line_progress(bytes, scanned, REQUEST_LIMIT)
}

/// If a request describes an instruction set: its number, and the description.
pub(super) fn read_describe(bytes: &[u8]) -> Result<Option<(u32, Value)>, String> {
    // Long lines are looked at once only; the description is the first line after the greeting.
    #[derive(Deserialize)]
    struct Line {
        seq: u32,
        describe: Option<Value>,
    }
    let Line { seq, describe } = read_line(bytes)?;
    Ok(describe.map(|describe| (seq, describe)))
}

/// Whether a request describes an instruction set: our side writes that first.
pub(super) fn describes(bytes: &[u8]) -> bool {
    const KEY: &[u8] = b"\"describe\"";
    bytes[..bytes.len().min(64)].windows(KEY.len()).any(|window| window == KEY)
}
