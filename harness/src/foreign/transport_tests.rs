//! What is no honest message is refused, whatever it is: both protocols, and a stream in memory.

use tandem_isa::{Answers, Batch, ISAS, Isa, Misbehaviour, MisbehaviourKind, mix64};

use super::check;
use super::json_lines::{self, JsonLines};
use super::process::Protocol;
use super::talk::{Asked, Codec, Conversation, Inbox, Look, Progress, Reply, Stream};
use super::wire;

/// Random numbers that are the same in every run.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix64(self.0)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("it is below a size")
    }
}

/// Random rows in ascending order, and their contents.
fn rows(isa: &Isa, random: &mut Random, ids: &mut Vec<u32>, data: &mut Vec<u8>) {
    let mut list = std::collections::BTreeSet::new();
    for _ in 0..random.below(5) {
        let bank = &isa.layout.banks[random.below(isa.layout.banks.len())];
        list.insert(bank.first_row + random.below(bank.rows()));
    }
    for id in list {
        let bank = &isa.layout.banks[isa.layout.locate(id).0];
        ids.push(u32::try_from(id).expect("it is small"));
        let mut row = vec![0; bank.row_bytes()];
        for column in 0..bank.columns() {
            bank.put_word(&mut row, column, random.next() as u32 & bank.word_mask());
        }
        data.extend(row);
    }
}

fn small(isa: &Isa, random: &mut Random, bytes: &mut [u8], share: usize) {
    for field in (isa.layout.fields)() {
        if random.below(share) == 0 {
            let value = random.next() as u32;
            field.set(bytes, if field.max == u32::MAX { value } else { value % (field.max + 1) });
        }
    }
}

/// A batch and honest answers to it.
pub(super) fn exchange(isa: &'static Isa, cases: usize, random: &mut Random) -> (Batch, Answers) {
    let instruction = isa.instructions[0];
    let (mut batch, mut answers) = (Batch::default(), Answers::default());
    batch.edition = 1;
    batch.cases = u32::try_from(cases).expect("it is small");
    answers.cases = batch.cases;
    for _ in 0..cases {
        batch.code.extend(instruction.base_code.iter().map(|word| word ^ (random.next() as u32 & 0xff)));
        let mut state = isa.base_state().small.to_vec();
        small(isa, random, &mut state, 9);
        batch.small.extend_from_slice(&state);
        rows(isa, random, &mut batch.overlay_row, &mut batch.overlay_data);
        batch.overlay_end.push(u32::try_from(batch.overlay_row.len()).expect("it is small"));
        let outcome = u32::from(random.below(4) == 0);
        answers.outcome.push(outcome);
        if outcome == 0 {
            small(isa, random, &mut state, 99);
            rows(isa, random, &mut answers.dirty_row, &mut answers.dirty_data);
        }
        answers.small.extend_from_slice(&state);
        answers.dirty_end.push(u32::try_from(answers.dirty_row.len()).expect("it is small"));
    }
    check::answers(&batch, &answers, isa.layout).expect("the answers are honest");
    (batch, answers)
}

/// Gives bytes in pieces, and then ends.
struct Canned {
    bytes: Vec<u8>,
    piece: usize,
    inbox: Inbox,
}

impl Stream for Canned {
    fn exchange(&mut self, _: &[u8], look: &mut Look<'_>) -> Result<(), Misbehaviour> {
        self.inbox.clear();
        let mut whole = 0;
        for piece in self.bytes.chunks(self.piece) {
            let room = self.inbox.room(whole);
            room[..piece.len()].copy_from_slice(piece);
            self.inbox.took(piece.len());
            match self.inbox.look(look)? {
                // What comes after a whole reply is seen at the next request.
                None => return Ok(()),
                Some(more) => whole = more,
            }
        }
        Err(Misbehaviour::new(MisbehaviourKind::Crashed, "it ends"))
    }

    fn reply(&self) -> &[u8] {
        self.inbox.bytes()
    }
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let len = random.below(40).min(bytes.len() - at);
        match random.below(9) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + len)),
            4 => {
                let again = bytes[at..at + len].to_vec();
                bytes.splice(at..at, again);
            }
            5 => {
                let noise: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
                bytes.extend(noise);
            }
            6 => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(if random.below(2) == 0 { 0xff } else { 0 });
            }
            7 => {
                const PIECES: [&[u8]; 8] = [b"\"", b"[", b"{", b"4294967296", b"-1", b"null", b"\"small\":{},", b"\n"];
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            _ => {
                let to = random.below(bytes.len());
                bytes.swap(at, to);
            }
        }
    }
}

fn codecs(isa: &'static Isa) -> [(Protocol, Box<dyn Codec>); 2] {
    [Protocol::Binary, Protocol::JsonLines].map(|protocol| (protocol, protocol.codec(isa)))
}

fn reply_bytes(codec: &dyn Codec, batch: &Batch, answers: &Answers) -> Vec<u8> {
    let mut out = Vec::new();
    codec.write_reply(1, &Asked::Execute(batch.clone()), &Reply::Answered, answers, &mut out);
    out
}

fn converse(protocol: Protocol, isa: &'static Isa, bytes: Vec<u8>, piece: usize) -> Conversation<Canned> {
    Conversation::new(Canned { bytes, piece, inbox: Inbox::default() }, protocol.codec(isa), isa)
}

#[test]
fn requests_and_replies_are_read_as_they_were_written() {
    let mut random = Random(1);
    for isa in ISAS {
        for (protocol, codec) in codecs(isa) {
            for cases in [1, 3, 64] {
                let (batch, answers) = exchange(isa, cases, &mut random);
                let mut out = Vec::new();
                let request = super::talk::Request::Execute(&batch);
                codec.encode(7, &request, &mut out);
                assert_eq!(codec.read_request(&out), Ok((7, Asked::Execute(batch.clone()))), "{protocol:?}");
                let bytes = reply_bytes(&*codec, &batch, &answers);
                for piece in [1, 17, 1 << 16] {
                    let mut got = Answers::default();
                    converse(protocol, isa, bytes.clone(), piece).execute(&batch, &mut got).expect("it is honest");
                    assert_eq!(got, answers, "{protocol:?}");
                }
            }
            let arena = isa.base_state().arena.to_vec();
            let mut out = Vec::new();
            codec.encode(2, &super::talk::Request::Load(&arena), &mut out);
            assert_eq!(codec.read_request(&out), Ok((2, Asked::Load(arena))), "{protocol:?}");
        }
    }
}

#[test]
fn a_hundred_thousand_malformed_replies_are_refused_or_differ() {
    let mut random = Random(2);
    let (mut refused, mut differ, mut same) = (0, 0, 0);
    for isa in ISAS {
        for (protocol, codec) in codecs(isa) {
            let honest: Vec<_> = (0..20).map(|_| exchange(isa, 3, &mut random)).collect();
            let replies: Vec<_> = honest.iter().map(|(batch, answers)| reply_bytes(&*codec, batch, answers)).collect();
            for number in 0..25_000 {
                let ((batch, answers), bytes) = (&honest[number % 20], &replies[number % 20]);
                let mut wrong = bytes.clone();
                mutate(&mut random, &mut wrong);
                if wrong == *bytes {
                    continue;
                }
                let mut got = Answers::default();
                let piece = 1 + random.below(2 * wrong.len().max(1));
                let mut talk = converse(protocol, isa, wrong.clone(), piece);
                let result = talk.execute(batch, &mut got);
                // Nothing was gathered that a reply cannot have.
                assert!(talk.stream.inbox.bytes().len() <= wrong.len());
                let result = result.and_then(|()| check::answers(batch, &got, isa.layout));
                match result {
                    Err(_) => refused += 1,
                    Ok(()) if got != *answers => differ += 1,
                    Ok(()) => {
                        // The same answers in other words, or with something behind a whole reply, which is seen at
                        // the next request.
                        let whole = talk.stream.inbox.bytes();
                        let again = protocol == Protocol::JsonLines
                            && serde_json::from_slice::<serde_json::Value>(whole).is_ok();
                        assert!(again || whole == bytes, "{}", String::from_utf8_lossy(&wrong));
                        same += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 60_000 && refused + differ + same > 95_000, "{refused} {differ} {same}");
    assert!(same < 9_000, "{same}");
}

#[test]
fn malformed_greetings_and_short_replies_do_not_pass() {
    let mut random = Random(3);
    for number in 0..20_000 {
        let mut bytes = if number % 2 == 0 { wire::hello("mine") } else { json_lines::hello("mine") };
        let honest = bytes.clone();
        mutate(&mut random, &mut bytes);
        let mut scanned = 0;
        let progress = if number % 2 == 0 {
            wire::hello_progress(&bytes)
        } else {
            json_lines::hello_progress(&bytes, &mut scanned)
        };
        if let Ok(Progress::Whole(len)) = progress {
            assert!(len <= bytes.len());
            let hello =
                if number % 2 == 0 { wire::read_hello(&bytes[..len]) } else { json_lines::read_hello(&bytes[..len]) };
            if let Ok(hello) = hello {
                let same = hello.version == tandem_isa::BORDER_VERSION && hello.name == "mine";
                assert!(!same || number % 2 == 1 || bytes[..len] == honest, "{hello:?} {bytes:?}");
            }
        }
    }
}

#[test]
fn a_reply_that_announces_too_much_is_refused_by_its_header() {
    for isa in ISAS {
        let (batch, answers) = exchange(isa, 2, &mut Random(4));
        let codec = Protocol::Binary.codec(isa);
        let mut bytes = reply_bytes(&*codec, &batch, &answers);
        bytes[12..16].copy_from_slice(&0x7000_0000u32.to_le_bytes());
        let error = converse(Protocol::Binary, isa, bytes, 16).execute(&batch, &mut Answers::default()).unwrap_err();
        assert_eq!(error.kind, MisbehaviourKind::Malformed);
        assert!(error.message.contains("at most"), "{error}");
        // A line has no header, but an end.
        let line = vec![b' '; 200 << 20];
        let lines = JsonLines::new(isa);
        let progress = lines.progress(1, &super::talk::Request::Execute(&batch), &line, &mut 0);
        assert!(progress.is_err_and(|why| why.contains("longer than")));
    }
}

#[test]
fn a_field_twice_an_unknown_name_and_a_word_too_wide_are_refused() {
    for isa in ISAS {
        let (batch, _) = exchange(isa, 1, &mut Random(5));
        let fields = (isa.layout.fields)();
        let (a, b) = (&fields[0].name, &fields[1].name);
        let (bank, narrow) =
            (&isa.layout.banks[0], fields.iter().find(|field| field.width < 32).expect("there is one"));
        let words = |count: usize, word: u64| vec![word; count];
        let row = |row: usize, words: Vec<u64>| serde_json::json!([[bank.name, row, words]]).to_string();
        let answer = |more: &str| format!("{{\"seq\":1,\"answers\":[{{\"outcome\":\"done\"{more}}}]}}\n");
        let ask = |line: String| {
            converse(Protocol::JsonLines, isa, line.into_bytes(), 1 << 16).execute(&batch, &mut Answers::default())
        };
        ask(answer("")).expect("nothing changed");
        ask(answer(&format!(",\"small\":{{\"{b}\":0,\"{a}\":0}}"))).expect("any order will do");
        ask(answer(&format!(",\"rows\":{}", row(0, words(bank.columns(), 1))))).expect("a row");
        for (line, says) in [
            (answer(&format!(",\"small\":{{\"{b}\":0,\"{a}\":0,\"{b}\":0}}")), "twice"),
            (answer(&format!(",\"small\":{{\"{a}\":0,\"{a}\":0}}")), "twice"),
            (answer(",\"small\":{},\"small\":{}"), "duplicate"),
            (answer(",\"small\":{\"nosuch\":0}"), "no field"),
            (answer(&format!(",\"small\":{{\"{}\":{}}}", narrow.name, 1u64 << narrow.width)), "bits"),
            (answer(",\"else\":1"), "unknown field"),
            (answer(&format!(",\"rows\":{}", row(bank.rows(), words(bank.columns(), 0)))), "no row"),
            (answer(&format!(",\"rows\":{}", row(0, words(bank.columns() - 1, 0)))), "words"),
            (answer(&format!(",\"rows\":{}", row(0, words(bank.columns(), 1 << 32)))), "1"),
            (answer(",\"rows\":[[\"nosuch\",0,[]]]"), "no bank"),
            ("{\"seq\":1,\"answers\":[{\"outcome\":\"fine\"}]}\n".to_string(), "no outcome"),
            ("{\"seq\":2,\"answers\":[{\"outcome\":\"done\"}]}\n".to_string(), "sequence number 2"),
            ("{\"seq\":1,\"loaded\":true}\n".to_string(), "does not reply"),
            ("{\"seq\":1}\n".to_string(), "one reply"),
            ("{\"seq\":1,\"hash\":1,\"answers\":[]}\n".to_string(), "one reply"),
            ("{\"seq\":1,\"failed\":\"no idea\"}\n".to_string(), "no idea"),
            ("here I am\n".to_string(), "here I am"),
        ] {
            let error = ask(line.clone()).expect_err(&line);
            assert_eq!(error.kind, MisbehaviourKind::Malformed, "{line}");
            assert!(error.message.contains(says), "{line}: {error}");
        }
    }
}
