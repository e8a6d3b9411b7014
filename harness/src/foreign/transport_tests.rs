//! What is no honest message is refused, whatever it is: both protocols, and a stream in memory.

use tandem_isa::{
    Answers, Batch, CLAIMS_BYTES, Field, MACHINES, MAX_STEPS, Machine, Misbehaviour, MisbehaviourKind, Noise,
    REASON_BYTES, Reasons, UNSUPPORTED,
};

use super::check;
use super::instance::Link;
use super::json_lines::{self, JsonLines};
use super::process::Protocol;
use super::talk::{Codec, Conversation, Inbox, Look, Opened, Progress, Reply, Request, ServedRequest, Stream};
use super::wire;

/// Random rows in ascending order, and their contents.
fn rows(isa: &Machine, random: &mut Noise, ids: &mut Vec<u32>, data: &mut Vec<u8>) {
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
            bank.put_word(&mut row, column, random.word() as u32 & bank.word_mask());
        }
        data.extend(row);
    }
}

fn small(isa: &Machine, random: &mut Noise, bytes: &mut [u8], share: usize) {
    for field in (isa.layout.fields)() {
        if random.below(share) == 0 {
            let value = random.word() as u32;
            field.set(bytes, if field.max == u32::MAX { value } else { value % (field.max + 1) });
        }
    }
}

/// A batch and honest answers to it. Half of the batches have cases of several steps.
pub(super) fn exchange(isa: &'static Machine, cases: usize, random: &mut Noise) -> (Batch, Answers) {
    let (mut batch, mut answers) = (Batch::default(), Answers::default());
    batch.edition = 1;
    if random.below(2) == 0 {
        batch.then = (0..=random.below(3)).map(|_| random.below(isa.instructions.len()) as u32).collect();
    }
    batch.cases = u32::try_from(cases).expect("it is small");
    answers.cases = batch.cases;
    for _ in 0..cases {
        let words: Vec<u32> = batch.instructions(isa).flat_map(|one| one.base_code.iter().copied()).collect();
        batch.code.extend(words.into_iter().map(|word| word ^ (random.word() as u32 & 0xff)));
        let mut state = isa.base_state().small.to_vec();
        small(isa, random, &mut state, 9);
        batch.small.extend_from_slice(&state);
        rows(isa, random, &mut batch.overlay_row, &mut batch.overlay_data);
        batch.overlay_end.push(u32::try_from(batch.overlay_row.len()).expect("it is small"));
        let outcome = [0, 0, 0, 1, UNSUPPORTED][random.below(5)];
        if outcome == UNSUPPORTED && random.below(4) != 0 {
            let case = u32::try_from(answers.outcome.len()).expect("it is small");
            let length = 1 + random.below(REASON_BYTES / 2);
            let letters = ['a', 'ä', '"', '\\', ' ', '0', '\u{fffd}'];
            let reason: String = (0..length).map(|_| letters[random.below(letters.len())]).collect();
            answers.reasons.push(case, &reason);
        }
        answers.outcome.push(outcome);
        let done = if outcome == 0 { batch.steps() } else { random.below(batch.steps()) };
        if !batch.then.is_empty() {
            answers.done.push(done as u32);
        }
        if done > 0 {
            small(isa, random, &mut state, 99);
            rows(isa, random, &mut answers.dirty_row, &mut answers.dirty_data);
        }
        answers.small.extend_from_slice(&state);
        answers.dirty_end.push(u32::try_from(answers.dirty_row.len()).expect("it is small"));
    }
    check::answers(&batch, &answers, isa.layout).expect("the answers are honest");
    assert!(cases < 20 || !answers.reasons.is_empty());
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

fn mutate(random: &mut Noise, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let len = random.below(40).min(bytes.len() - at);
        match random.below(9) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.word() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + len)),
            4 => {
                let again = bytes[at..at + len].to_vec();
                bytes.splice(at..at, again);
            }
            5 => {
                let noise: Vec<u8> = (0..len).map(|_| random.word() as u8).collect();
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

fn codecs(isa: &'static Machine) -> [(Protocol, Box<dyn Codec>); 2] {
    [Protocol::Binary, Protocol::JsonLines].map(|protocol| (protocol, protocol.codec(isa)))
}

fn reply_bytes(codec: &dyn Codec, batch: &Batch, answers: &Answers) -> Vec<u8> {
    let mut out = Vec::new();
    codec.write_reply(1, &ServedRequest::Execute(batch.clone()), &Reply::Answered, answers, &mut out);
    out
}

fn converse(protocol: Protocol, isa: &'static Machine, bytes: Vec<u8>, piece: usize) -> Conversation<Canned> {
    converse_by(protocol.codec(isa), isa, bytes, piece)
}

fn converse_by(codec: Box<dyn Codec>, isa: &'static Machine, bytes: Vec<u8>, piece: usize) -> Conversation<Canned> {
    Conversation::new(Canned { bytes, piece, inbox: Inbox::default() }, codec, isa)
}

#[test]
fn requests_and_replies_are_read_as_they_were_written() {
    let mut random = Noise::new(1);
    for isa in MACHINES {
        for (protocol, codec) in codecs(isa) {
            for cases in [1, 3, 64] {
                let (batch, answers) = exchange(isa, cases, &mut random);
                let mut out = Vec::new();
                let request = Request::Execute(&batch);
                codec.encode(7, &request, &mut out);
                assert_eq!(codec.read_request(&out), Ok((7, ServedRequest::Execute(batch.clone()))), "{protocol:?}");
                let bytes = reply_bytes(&*codec, &batch, &answers);
                for piece in [1, 17, 1 << 16] {
                    let mut got = Answers::default();
                    converse(protocol, isa, bytes.clone(), piece).execute(&batch, &mut got).expect("it is honest");
                    assert_eq!(got, answers, "{protocol:?}");
                }
            }
            let arena = isa.base_state().arena.to_vec();
            let mut out = Vec::new();
            codec.encode(2, &Request::Load(&arena), &mut out);
            assert_eq!(codec.read_request(&out), Ok((2, ServedRequest::Load(arena))), "{protocol:?}");
        }
    }
}

#[test]
fn a_hundred_thousand_malformed_replies_are_refused_or_differ() {
    let mut random = Noise::new(2);
    let (mut refused, mut differ, mut same) = (0, 0, 0);
    for isa in MACHINES {
        for (protocol, mut codec) in codecs(isa) {
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
                let mut talk = converse_by(codec, isa, wrong.clone(), piece);
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
                codec = talk.codec;
            }
        }
    }
    assert!(refused > 60_000 && refused + differ + same > 95_000, "{refused} {differ} {same}");
    assert!(same < 9_000, "{same}");
}

#[test]
fn malformed_greetings_and_short_replies_do_not_pass() {
    let mut random = Noise::new(3);
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
    for isa in MACHINES {
        let (batch, answers) = exchange(isa, 2, &mut Noise::new(4));
        let codec = Protocol::Binary.codec(isa);
        let mut bytes = reply_bytes(&*codec, &batch, &answers);
        bytes[12..16].copy_from_slice(&0x7000_0000u32.to_le_bytes());
        let error = converse(Protocol::Binary, isa, bytes, 16).execute(&batch, &mut Answers::default()).unwrap_err();
        assert_eq!(error.kind, MisbehaviourKind::Malformed);
        assert!(error.message.contains("at most"), "{error}");
        // A line has no header, but an end.
        let line = vec![b' '; 200 << 20];
        let lines = JsonLines::new(isa);
        let progress = lines.progress(1, &Request::Execute(&batch), &line, &mut 0);
        assert!(progress.is_err_and(|why| why.contains("longer than")));
    }
}

#[test]
fn a_field_twice_an_unknown_name_and_a_word_too_wide_are_refused() {
    for isa in MACHINES {
        let (batch, _) = exchange(isa, 1, &mut Noise::new(5));
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

/// What a target replies when an instruction set is described to it, as its conversation gives it.
fn describe(protocol: Protocol, isa: &'static Machine, bytes: Vec<u8>) -> Result<Option<Opened>, Misbehaviour> {
    converse(protocol, isa, bytes, 1 << 16).describe()
}

#[test]
fn claims_arrive_unchanged_or_are_refused() {
    for isa in MACHINES {
        let implemented = vec![true; isa.instructions.len()];
        for (protocol, _) in codecs(isa) {
            let opened = |claims: Option<String>| {
                let reply = Reply::Opened(Some(Opened { implemented: implemented.clone(), claims, max_steps: 1 }));
                let mut out = Vec::new();
                match protocol {
                    Protocol::Binary => wire::write_reply(1, &reply, &Answers::default(), &mut out),
                    Protocol::JsonLines => json_lines::write_short(isa, 1, &reply, &mut out),
                }
                describe(protocol, isa, out)
            };
            let texts = ["# a = \"b\" \\ \u{1} ä\r\n\t".to_string(), "\u{1}".repeat(CLAIMS_BYTES)];
            for claims in [None].into_iter().chain(texts.map(Some)) {
                let got = opened(claims.clone()).expect("it is honest").expect("it knows the instruction set");
                assert!(got.claims == claims && got.implemented == implemented, "{protocol:?}");
            }
            let long = opened(Some("x".repeat(CLAIMS_BYTES + 1))).expect_err("it is too long");
            assert!(long.message.contains("65537") || long.message.contains("at most"), "{protocol:?}: {long}");
        }
        let mut frame = Vec::new();
        let reply = Reply::Opened(Some(Opened { implemented, claims: Some("abc".to_string()), max_steps: 1 }));
        wire::write_reply(1, &reply, &Answers::default(), &mut frame);
        let last = frame.len() - 1;
        frame[last] = 0xff;
        let odd = describe(Protocol::Binary, isa, frame).expect_err("it is not UTF-8");
        assert!(odd.message.contains("claims are not UTF-8"), "{odd}");
        let alone = b"{\"seq\":1,\"loaded\":true,\"claims\":\"x\"}\n".to_vec();
        let alone = describe(Protocol::JsonLines, isa, alone).expect_err("nothing was opened");
        assert!(alone.message.contains("beside"), "{alone}");
    }
}

/// Three unsupported cases with these reasons, and one that was done.
fn with_reasons(isa: &'static Machine, list: &[(u32, &[u8])]) -> (Batch, Answers) {
    let (mut batch, _) = exchange(isa, 4, &mut Noise::new(6));
    (batch.then, batch.code) = (Vec::new(), vec![0; 4 * isa.instructions[0].base_code.len()]);
    let mut answers = Answers { cases: 4, small: batch.small.clone(), dirty_end: vec![0; 4], ..Answers::default() };
    answers.outcome = vec![UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0];
    let Reasons { case, end, text } = &mut answers.reasons;
    for (of, reason) in list {
        case.push(*of);
        text.extend_from_slice(reason);
        end.push(u32::try_from(text.len()).expect("it is short"));
    }
    (batch, answers)
}

#[test]
fn malformed_reasons_are_refused_with_a_word_about_it() {
    let longest = "ä".repeat(REASON_BYTES / 2);
    let longer = "x".repeat(REASON_BYTES + 1);
    for isa in MACHINES {
        for list in [vec![], vec![(1, "one")], vec![(0, "a"), (1, &longest), (2, "c d")]] {
            let list: Vec<_> = list.iter().map(|&(case, reason)| (case, reason.as_bytes())).collect();
            let (batch, answers) = with_reasons(isa, &list);
            assert_eq!(check::answers(&batch, &answers, isa.layout), Ok(()));
        }
        type List<'a> = Vec<(u32, &'a [u8])>;
        let wrong: [(List<'_>, Option<u32>, &str); 8] = [
            (vec![(4, b"a")], None, "of case 4, and 4 were answered"),
            (vec![(3, b"a")], Some(3), "with outcome 0"),
            (vec![(1, b"a"), (0, b"b")], Some(0), "behind that of case 1"),
            (vec![(1, b"a"), (1, b"b")], Some(1), "behind that of case 1"),
            (vec![(2, b"")], Some(2), "0 bytes"),
            (vec![(2, longer.as_bytes())], Some(2), "81 bytes, and 1 to 80"),
            (vec![(0, b"\xff\xfe")], Some(0), "not UTF-8"),
            (vec![(0, b"two\nlines")], Some(0), "control characters"),
        ];
        for (list, case, says) in wrong {
            let (batch, answers) = with_reasons(isa, &list);
            let error = check::answers(&batch, &answers, isa.layout).expect_err(says);
            assert_eq!((error.kind, error.case), (MisbehaviourKind::Malformed, case), "{error}");
            assert!(error.message.contains(says), "{error}");
            // A frame carries it as it is, to whoever checks it.
            let bytes = reply_bytes(&*Protocol::Binary.codec(isa), &batch, &answers);
            let mut got = Answers::default();
            converse(Protocol::Binary, isa, bytes, 1 << 16).execute(&batch, &mut got).expect("its lengths are right");
            assert_eq!(got, answers);
        }
        let (batch, mut answers) = with_reasons(isa, &[(0, b"a"), (2, b"bc")]);
        answers.reasons.end[0] = 9;
        assert!(check::answers(&batch, &answers, isa.layout).is_err_and(|one| one.message.contains("3 came")));
        let (batch, mut answers) = with_reasons(isa, &[(0, b"a")]);
        answers.reasons.text.push(b'b');
        assert!(
            check::answers(&batch, &answers, isa.layout).is_err_and(|one| one.message.contains("bytes of reasons"))
        );
        answers.reasons.end.clear();
        assert!(check::answers(&batch, &answers, isa.layout).is_err_and(|one| one.message.contains("ends of reasons")));
        // Lines have the same rules.
        let (mut batch, _) = exchange(isa, 1, &mut Noise::new(7));
        (batch.then, batch.code) = (Vec::new(), isa.instructions[0].base_code.to_vec());
        for (outcome, reason, says) in [
            ("done", "\"x\"".to_string(), "with outcome 0"),
            ("unsupported", format!("\"{longer}\""), "81 bytes"),
            ("unsupported", "\"\"".to_string(), "0 bytes"),
            ("unsupported", "\"a\\u0007\"".to_string(), "control characters"),
            ("unsupported", "[]".to_string(), "invalid type"),
        ] {
            let line = format!("{{\"seq\":1,\"answers\":[{{\"outcome\":\"{outcome}\",\"reason\":{reason}}}]}}\n");
            let mut got = Answers::default();
            let read = converse(Protocol::JsonLines, isa, line.into_bytes(), 1 << 16).execute(&batch, &mut got);
            let error = read.and_then(|()| check::answers(&batch, &got, isa.layout)).expect_err(says);
            assert!(error.kind == MisbehaviourKind::Malformed && error.message.contains(says), "{error}");
        }
    }
}

#[test]
fn a_batch_that_goes_in_parts_keeps_the_cases_of_its_reasons() {
    // Lines carry 64 cases at a time: two replies, of which one comes after the other.
    struct Two(Vec<Vec<u8>>, Vec<u8>);
    impl Stream for Two {
        fn exchange(&mut self, _: &[u8], look: &mut Look<'_>) -> Result<(), Misbehaviour> {
            self.1 = self.0.remove(0);
            look(&self.1).map(|_| ()).map_err(super::talk::malformed)
        }
        fn reply(&self) -> &[u8] {
            &self.1
        }
    }
    for isa in MACHINES {
        let codec = Protocol::JsonLines.codec(isa);
        let (batch, _) = exchange(isa, 100, &mut Noise::new(8));
        let mut replies = Vec::new();
        let mut expected = Reasons::default();
        for (sequence, from, to) in [(1, 0, 64), (2, 64, 100)] {
            let part = batch.part(isa.layout, from, to);
            let mut answers = Answers {
                cases: part.cases,
                small: part.small.clone(),
                dirty_end: vec![0; to - from],
                ..Answers::default()
            };
            answers.outcome = vec![UNSUPPORTED; to - from];
            answers.done = vec![0; if part.then.is_empty() { 0 } else { to - from }];
            for case in (0..part.cases).step_by(7) {
                answers.reasons.push(case, &format!("number {case} of part {sequence}"));
                expected.push(from as u32 + case, &format!("number {case} of part {sequence}"));
            }
            let mut out = Vec::new();
            codec.write_reply(sequence, &ServedRequest::Execute(part), &Reply::Answered, &answers, &mut out);
            replies.push(out);
        }
        let mut got = Answers::default();
        Conversation::new(Two(replies, Vec::new()), codec, isa).execute(&batch, &mut got).expect("it is honest");
        assert_eq!((got.cases, got.reasons.clone()), (100, expected));
        assert_eq!(check::answers(&batch, &got, isa.layout), Ok(()));
    }
}

/// A target that counts the steps of a case in a field, and holds those whose first word ends with 7.
struct Counting(Field);

impl tandem_isa::Target for Counting {
    fn info(&self) -> tandem_isa::TargetInfo {
        tandem_isa::TargetInfo { name: "counting".to_string(), level: None }
    }
    fn implements(&self, _: &'static tandem_isa::Facts) -> bool {
        true
    }
    fn execute(&mut self, step: &tandem_isa::Step<'_>, state: &mut tandem_isa::State) -> tandem_isa::Answer {
        if step.code[0] & 7 == 7 {
            return tandem_isa::Answer::Blocked;
        }
        let seen = self.0.get(&state.small);
        self.0.set(&mut state.small, seen + 1);
        tandem_isa::Answer::Done
    }
}

/// Requests one at a time, and replies one by one.
#[derive(Default)]
struct OneByOne {
    requests: Vec<Vec<u8>>,
    replies: Vec<Vec<u8>>,
}

impl OneByOne {
    /// What a server of a target says: its greeting, and a reply to each request.
    fn replies(protocol: Protocol, requests: Vec<Vec<u8>>, target: impl Fn() -> Counting) -> Vec<Vec<u8>> {
        let (mut asks, mut told) = (OneByOne { requests, ..OneByOne::default() }, OneByOne::default());
        let open = |isa| Some(super::serve::seated("counting", isa, Box::new(target())));
        super::serve::borders("counting", open, protocol, &mut asks, &mut told).expect("it reads");
        told.replies
    }
}

impl std::io::Read for OneByOne {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let Some(piece) = self.requests.first_mut() else { return Ok(0) };
        let len = piece.len().min(into.len());
        into[..len].copy_from_slice(&piece[..len]);
        piece.drain(..len);
        if piece.is_empty() {
            self.requests.remove(0);
        }
        Ok(len)
    }
}

impl std::io::Write for OneByOne {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.replies.push(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn steps_of_a_case_run_one_after_the_other_behind_the_border() {
    for isa in MACHINES {
        let wide = (isa.layout.fields)().iter().find(|field| field.width >= 3 && field.base == 0 && field.max >= 7);
        let field = wide.expect("there is such a field");
        for (protocol, codec) in codecs(isa) {
            let (mut batch, _) = exchange(isa, 3, &mut Noise::new(9));
            batch.then = vec![1, 0];
            let steps: Vec<usize> = batch.instructions(isa).map(|one| one.base_code.len()).collect();
            let words: usize = steps.iter().sum();
            batch.code = vec![0; 3 * words];
            // The first step of the second case is held, and the third of the third.
            batch.code[words] = 7;
            batch.code[2 * words + steps[0] + steps[1]] = 7;
            batch.small = isa.base_state().small.repeat(3);
            let requests = [Request::Describe, Request::Execute(&batch)].map(|request| {
                let mut out = Vec::new();
                codec.encode(1, &request, &mut out);
                out
            });
            let replies = OneByOne::replies(protocol, requests.to_vec(), || Counting(field.clone()));
            let opened = describe(protocol, isa, replies[1].clone()).expect("it knows the set").expect("it opens");
            assert_eq!(opened.max_steps as usize, MAX_STEPS);
            let mut got = Answers::default();
            converse(protocol, isa, replies[2].clone(), 1 << 16).execute(&batch, &mut got).expect("it is honest");
            assert_eq!(check::answers(&batch, &got, isa.layout), Ok(()));
            assert_eq!((&got.outcome[..], &got.done[..]), (&[0, 1, 1][..], &[3, 0, 2][..]), "{protocol:?}");
            let counted = got.small.chunks(isa.layout.small_bytes).map(|small| field.get(small));
            assert_eq!(counted.collect::<Vec<_>>(), [3, 0, 2]);
            for (case, done, says) in [
                (0, 2, "outcome 0 after 2 steps were done, of a case of 3"),
                (1, 3, "outcome 1 after 3"),
                (2, 4, "outcome 1 after 4"),
            ] {
                let mut wrong = got.clone();
                wrong.done[case] = done;
                let why = check::answers(&batch, &wrong, isa.layout).expect_err(says);
                assert!(why.case == Some(case as u32) && why.message.contains(says), "{why}");
            }
            for one in [&Batch { then: Vec::new(), ..batch.clone() }, &batch] {
                let few = Answers { done: if one.then.is_empty() { vec![1; 3] } else { Vec::new() }, ..got.clone() };
                let why = check::answers(one, &few, isa.layout).expect_err("numbers that do not fit");
                assert!(why.message.contains("numbers of steps"), "{why}");
            }
        }
    }
}

#[test]
fn wrong_numbers_of_steps_are_refused_with_a_word_about_it() {
    let isa = MACHINES[0];
    let (mut batch, _) = exchange(isa, 1, &mut Noise::new(10));
    let line = |text: &str| format!("{{\"seq\":1,{text}}}\n").into_bytes();
    let opened = |steps: u32| {
        let (implemented, claims) = (vec![true; isa.instructions.len()], None);
        let reply = Reply::Opened(Some(Opened { implemented, claims, max_steps: steps }));
        let mut out = Vec::new();
        wire::write_reply(1, &reply, &Answers::default(), &mut out);
        [(Protocol::Binary, out), (Protocol::JsonLines, line(&format!("\"opened\":[],\"steps\":{steps}")))]
    };
    for (protocol, bytes) in opened(17).into_iter().chain(opened(0).into_iter().skip(1)) {
        let why = describe(protocol, isa, bytes).expect_err("a case has at most 16");
        assert!(why.message.contains("1 to 16 steps"), "{why}");
    }
    for (protocol, bytes) in opened(16) {
        let opened = describe(protocol, isa, bytes).expect("it is honest").expect("it opens");
        assert_eq!(opened.max_steps, 16, "{protocol:?}");
    }
    let alone =
        describe(Protocol::JsonLines, isa, line("\"loaded\":true,\"steps\":2")).expect_err("nothing was opened");
    assert!(alone.message.contains("beside"), "{alone}");
    let mut said = |then: &[u32], text: &str| {
        batch.then = then.to_vec();
        let mut conversation = converse(Protocol::JsonLines, isa, line(text), 1 << 16);
        conversation.execute(&batch, &mut Answers::default()).map_err(|why| why.message)
    };
    let why = said(&[], "\"answers\":[{\"outcome\":\"done\",\"done\":1}]").expect_err("a case has one step");
    assert!(why.contains("cases of one step were asked"), "{why}");
    let why = said(&[0], "\"answers\":[{\"outcome\":\"blocked\"}]").expect_err("where was it held?");
    assert!(why.contains("\"done\" is missing"), "{why}");
    // Which step was refused need not be said.
    for outcome in ["done", "unsupported"] {
        assert_eq!(said(&[0], &format!("\"answers\":[{{\"outcome\":\"{outcome}\"}}]")), Ok(()));
    }
    // What a server gets is no better than what it sends.
    for (protocol, codec) in codecs(isa) {
        let batch = Batch { then: vec![0; 16], code: vec![0; 17], ..batch.clone() };
        let mut out = Vec::new();
        codec.encode(1, &Request::Execute(&batch), &mut out);
        let why = codec.read_request(&out).expect_err("a case has at most 16 steps");
        assert!(why.contains("1 to 16 steps, and not 17"), "{protocol:?}: {why}");
    }
    let unknown = Batch { then: vec![9999], code: vec![0; 2], ..batch.clone() };
    let mut out = Vec::new();
    Protocol::Binary.codec(isa).encode(1, &Request::Execute(&unknown), &mut out);
    let why = Protocol::Binary.codec(isa).read_request(&out).expect_err("no instruction has this number");
    assert_eq!(why, "there is no such instruction");
}
