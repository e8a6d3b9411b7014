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
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use tandem_isa::{Answers, BORDER_VERSION, Bank, Batch, CLAIMS_BYTES, Edition, Facts, Field, Machine, REASON_BYTES};

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
    let mut line = Vec::new();
    write_line(&mut line, &json!({ "hello": { "tandem": BORDER_VERSION, "name": name } }));
    line
}

fn write_line(out: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *out, line).expect("memory takes everything");
    out.push(b'\n');
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
        let base = isa.base_state().small.to_vec();
        // Names may be written with escapes, numbers with spaces around them: twice the longest that we would write.
        let small: usize = fields.iter().map(|field| Value::from(&*field.name).to_string().len() + 13).sum();
        let rows: usize =
            isa.layout.banks.iter().map(|bank| bank.rows() * (bank.name.len() + 20 + 12 * bank.columns())).sum();
        let names: usize = isa.instructions.iter().map(|instruction| instruction.file.len() + 4).sum();
        JsonLines {
            isa,
            fields,
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
    fn put_small(&self, small: &mut [u8], values: &Pairs<'_, u32>) -> Result<(), String> {
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

    /// The fields of `small` that differ from `from`.
    fn changed(&self, small: &[u8], from: &[u8]) -> Pairs<'static, u32> {
        let may_differ = |field: &&Field| {
            let bytes = field.byte..field.byte + field.word.bytes();
            small[bytes.clone()] != from[bytes]
        };
        let values = self.fields.iter().filter(may_differ).map(|field| (field, field.get(small), field.get(from)));
        let changed = values.filter(|(_, value, before)| value != before);
        Pairs(changed.map(|(field, value, _)| (Cow::from(&*field.name), value)).collect())
    }

    /// Rows by their names, taken from the front of `data`.
    fn row_lines(&self, rows: &[u32], data: &mut &[u8]) -> Vec<RowLine<'static>> {
        let line = |&row: &u32| {
            let (bank, row) = self.isa.layout.locate(row as usize);
            let bank = &self.isa.layout.banks[bank];
            let (bytes, rest) = data.split_at(bank.row_bytes());
            *data = rest;
            RowLine(bank.name.into(), row as u64, bank.words_of(bytes))
        };
        rows.iter().map(line).collect()
    }

    fn execute_line(&self, batch: &Batch) -> ExecuteLine<'static> {
        let instructions: Vec<&Facts> = batch.instructions(self.isa).collect();
        let words: usize = instructions.iter().map(|one| one.base_code.len()).sum();
        let (mut data, mut first) = (&batch.overlay_data[..], 0);
        let parts = batch.code.chunks_exact(words).zip(batch.small.chunks_exact(self.base.len()));
        let cases = parts.zip(&batch.overlay_end).map(|((code, small), &end)| {
            let rows = self.row_lines(&batch.overlay_row[first..end as usize], &mut data);
            first = end as usize;
            CaseLine { code: code.to_vec(), small: self.changed(small, &self.base), rows }
        });
        ExecuteLine {
            instruction: instructions[0].file.into(),
            edition: Edition::ALL[batch.edition as usize].name().into(),
            steps: u32::try_from(instructions.len()).expect("a case has few steps"),
            then: instructions[1..].iter().map(|one| Name(one.file.into())).collect(),
            cases: cases.collect(),
        }
    }

    fn answer_lines<'a>(&self, batch: &Batch, answers: &'a Answers) -> Vec<AnswerLine<'a>> {
        let bytes = self.isa.layout.small_bytes;
        let (mut data, mut first) = (&answers.dirty_data[..], 0);
        let mut reasons = answers.reasons.iter().peekable();
        let line = |case: usize| {
            let (small, end) = (case * bytes..(case + 1) * bytes, answers.dirty_end[case] as usize);
            let rows = self.row_lines(&answers.dirty_row[first..end], &mut data);
            first = end;
            AnswerLine {
                outcome: OUTCOMES[answers.outcome[case] as usize].into(),
                done: answers.done.get(case).copied().filter(|&done| done != UNSAID),
                small: self.changed(&answers.small[small.clone()], &batch.small[small]),
                rows,
                reason: reasons.next_if(|(of, _)| *of as usize == case).map(|(_, reason)| reason.into()),
            }
        };
        (0..answers.cases as usize).map(line).collect()
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

    fn read_load(&self, banks: &Pairs<'_, Cow<'_, str>>) -> Result<Vec<u8>, String> {
        let mut arena = vec![0; self.isa.layout.arena_bytes];
        for bank in self.isa.layout.banks {
            let named = banks.0.iter().find(|(name, _)| name == bank.name);
            let digits = named.ok_or_else(|| format!("there is no {}", bank.name))?.1.as_bytes();
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

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).expect("it is below 16")).collect()
}

/// A string that is borrowed from the line where it has no escapes.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Names with values, in the order in which they stand in the line; none is dropped if it comes twice.
struct Pairs<'a, V>(Vec<(Cow<'a, str>, V)>);

impl<V> Default for Pairs<'_, V> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<V: Serialize> Serialize for Pairs<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Pairs<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Fields<V> {
            type Value = Pairs<'de, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut list = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    list.push((name, value));
                }
                Ok(Pairs(list))
            }
        }
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// Bank, row in the bank, words.
#[derive(Serialize, Deserialize)]
struct RowLine<'a>(#[serde(borrow)] Cow<'a, str>, u64, Vec<u32>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine<'a> {
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<u32>,
    #[serde(borrow, default)]
    small: Pairs<'a, u32>,
    #[serde(borrow, default)]
    rows: Vec<RowLine<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
}

/// A line of a target: one of the replies.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyLine<'a> {
    seq: u32,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    opened: Option<Option<Vec<String>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    claims: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<bool>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<AnswerLine<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// Tells `null` from nothing.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Vec<String>>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[derive(Serialize, Deserialize)]
struct CaseLine<'a> {
    code: Vec<u32>,
    #[serde(borrow)]
    small: Pairs<'a, u32>,
    #[serde(borrow)]
    rows: Vec<RowLine<'a>>,
}

#[derive(Serialize, Deserialize)]
struct ExecuteLine<'a> {
    #[serde(borrow)]
    instruction: Cow<'a, str>,
    #[serde(borrow)]
    edition: Cow<'a, str>,
    steps: u32,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    then: Vec<Name<'a>>,
    #[serde(borrow)]
    cases: Vec<CaseLine<'a>>,
}

/// A line of ours: one of the requests.
#[derive(Default, Serialize, Deserialize)]
struct RequestLine<'a> {
    seq: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    describe: Option<Value>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    load: Option<Pairs<'a, Cow<'a, str>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    execute: Option<ExecuteLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<Empty>,
}

#[derive(Serialize, Deserialize)]
struct Empty {}

impl Codec for JsonLines {
    fn max_cases(&self) -> usize {
        CASES
    }

    fn encode(&self, seq: u32, request: &Request<'_>, out: &mut Vec<u8>) {
        let mut line = RequestLine { seq, ..RequestLine::default() };
        match request {
            Request::Describe => line.describe = Some(description(self.isa)),
            Request::Load(arena) => {
                let bytes = |bank: &Bank| &arena[bank.offset..][..bank.rows() * bank.row_bytes()];
                let banks = self.isa.layout.banks.iter().map(|bank| (bank.name.into(), hex(bytes(bank)).into()));
                line.load = Some(Pairs(banks.collect()));
            }
            Request::Execute(batch) => line.execute = Some(self.execute_line(batch)),
            Request::Hash => line.hash = Some(Empty {}),
            Request::Reset => line.reset = Some(Empty {}),
        }
        write_line(out, &line);
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
        let RequestLine { seq, describe: _, load, execute, hash, reset } = read_line(bytes)?;
        let asked = match (load, execute, hash, reset) {
            (Some(banks), None, None, None) => ServedRequest::Load(self.read_load(&banks)?),
            (None, Some(line), None, None) => ServedRequest::Execute(self.read_batch(&line)?),
            (None, None, Some(Empty {}), None) => ServedRequest::Hash,
            (None, None, None, Some(Empty {})) => ServedRequest::Reset,
            _ => return Err(format!("there is no such request: {}", excerpt(bytes))),
        };
        Ok((seq, asked))
    }

    fn write_reply(&self, seq: u32, asked: &ServedRequest, reply: &Reply, answers: &Answers, out: &mut Vec<u8>) {
        if let (ServedRequest::Execute(batch), Reply::Answered) = (asked, reply) {
            let answers = Some(self.answer_lines(batch, answers));
            return write_line(out, &ReplyLine { seq, answers, ..ReplyLine::default() });
        }
        write_short(self.isa, seq, reply, out);
    }
}

/// Writes any reply but answers.
pub(super) fn write_short(isa: &Machine, seq: u32, reply: &Reply, out: &mut Vec<u8>) {
    let mut line = ReplyLine { seq, ..ReplyLine::default() };
    match reply {
        Reply::Opened(None) => line.opened = Some(None),
        Reply::Opened(Some(Opened { implemented, claims, max_steps })) => {
            let there = isa.instructions.iter().zip(implemented).filter(|(_, there)| **there);
            line.opened = Some(Some(there.map(|(one, _)| one.file.to_string()).collect()));
            line.claims = claims.as_deref().map(Cow::from);
            line.steps = Some(*max_steps).filter(|&steps| steps > 1);
        }
        Reply::Loaded => line.loaded = Some(true),
        Reply::Hashed(hash) => line.hash = Some(*hash),
        Reply::WasReset => line.reset = Some(true),
        Reply::Failed(why) => line.failed = Some(why.clone()),
        Reply::Answered => unreachable!("answers are written with their batch"),
    }
    write_line(out, &line);
}

/// How far a request is there, for a server.
pub(super) fn request_progress(bytes: &[u8], scanned: &mut usize) -> Result<Progress, String> {
    line_progress(bytes, scanned, REQUEST_LIMIT)
}

/// If a request describes an instruction set: its number, and the description.
pub(super) fn read_describe(bytes: &[u8]) -> Result<Option<(u32, Value)>, String> {
    // Long lines are looked at once only; the description is the first line after the greeting.
    let RequestLine { seq, describe, .. } = read_line(bytes)?;
    Ok(describe.map(|describe| (seq, describe)))
}

/// Whether a request describes an instruction set: our side writes that first.
pub(super) fn describes(bytes: &[u8]) -> bool {
    const KEY: &[u8] = b"\"describe\"";
    bytes[..bytes.len().min(64)].windows(KEY.len()).any(|window| window == KEY)
}
