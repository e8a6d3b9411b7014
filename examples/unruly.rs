//! A served target that misbehaves, for tests: `unruly HOW [--json]`.
//!
//! It is honest up to its third reply, counted from the one to the description, and at that one it does what HOW names.
//! `slow` is honest throughout, and takes its time for each reply. `random` replies as it should, and answers anything.

use std::io::{self, Read, Write};
use std::time::Duration;

use tandem_faults::Right;
use tandem_harness::foreign::{Protocol, serve};
use tandem_isa::{Answer, BORDER_VERSION, Facts, Layout, Machine, Noise, State, Step, Target, TargetInfo, mix64};

/// The reply at which it misbehaves: description, background, and then the first batch.
const AT: usize = 3;
/// What a slow one takes for a reply.
const SLOWLY: Duration = Duration::from_millis(50);
/// Longer than any limit of the tests.
const LONG: Duration = Duration::from_secs(600);

/// Does nothing of what it is asked: it changes some bits, and answers anything. To the same case it does the same.
struct Random(&'static Layout);

impl Random {
    fn change_a_bit(&self, noise: &mut Noise, state: &mut State) {
        let fields = (self.0.fields)();
        if noise.below(2) == 0 && !fields.is_empty() {
            let field = &fields[noise.below(fields.len())];
            let value = field.get(&state.small) ^ 1;
            return field.set(&mut state.small, value);
        }
        let bank_index = noise.below(self.0.banks.len());
        let bank = &self.0.banks[bank_index];
        let (row, column) = (noise.below(bank.rows()), noise.below(bank.columns()));
        let value = state.word(bank_index, row, column) ^ 1;
        state.set_word(bank_index, row, column, value);
        state.tracker.log.written.insert(bank.first_row + row);
    }
}

impl Target for Random {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "unruly".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let words = step.code.iter().copied().chain(state.small.iter().map(|&byte| u32::from(byte)));
        let mut noise = Noise::new(words.fold(0, |key, word| mix64(key ^ u64::from(word))));
        for _ in 0..=noise.below(3) {
            self.change_a_bit(&mut noise, state);
        }
        match noise.below(8) {
            0 => Answer::Blocked,
            1 => Answer::Unsupported,
            _ => Answer::Done,
        }
    }
}

struct Unruly {
    how: String,
    replies: usize,
}

impl Write for Unruly {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = io::stdout();
        // The greeting is no reply.
        let reply = self.replies;
        self.replies += 1;
        if self.how == "slow" {
            std::thread::sleep(SLOWLY);
        }
        if reply != AT || matches!(self.how.as_str(), "slow" | "random") {
            out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        match self.how.as_str() {
            "prints" => out.write_all(&[b"debug: here I am\n", bytes].concat())?,
            "prints-after" => {
                out.write_all(bytes)?;
                std::thread::spawn(|| {
                    std::thread::sleep(Duration::from_millis(20));
                    let _ = io::stdout().write_all(b"debug: and still here\n");
                    let _ = io::stdout().flush();
                });
            }
            "short" => {
                out.write_all(&bytes[..bytes.len() / 2])?;
                out.flush()?;
                std::process::exit(0);
            }
            "hangs" => std::thread::sleep(LONG),
            "half" => {
                out.write_all(&bytes[..bytes.len() / 2])?;
                out.flush()?;
                std::thread::sleep(LONG);
            }
            "sequence" => {
                let mut other = bytes.to_vec();
                match other.iter().position(|&byte| byte == b'3') {
                    Some(at) if other[0] == b'{' => other[at] = b'7',
                    _ => other[8] ^= 0x40,
                }
                out.write_all(&other)?;
            }
            "exits" => {
                eprintln!("unruly: I give up");
                std::process::exit(3);
            }
            // The pipes stay open in a child of its own.
            "orphans" => {
                std::process::Command::new("sleep").arg("600").spawn()?;
                std::process::exit(4);
            }
            how => panic!("unruly does not know how to '{how}'"),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Reads so much, and then nothing any more.
struct Deaf(usize);

impl Read for Deaf {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            std::thread::sleep(LONG);
        }
        let most = bytes.len().min(self.0);
        let len = io::stdin().read(&mut bytes[..most])?;
        self.0 -= len;
        Ok(len)
    }
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let how = arguments.next().unwrap_or_default();
    let json = arguments.any(|argument| argument == "--json");
    let protocol = if json { Protocol::JsonLines } else { Protocol::Binary };
    let mut out = io::stdout();
    match how.as_str() {
        "silent" => std::thread::sleep(LONG),
        "usage" => println!("usage: unruly HOW"),
        "other-version" if json => println!("{{\"hello\":{{\"tandem\":1,\"name\":\"old\"}}}}"),
        "other-version" => out.write_all(b"TDM1\x01\0\0\0\0\0\0\0\x08\0\0\0\x01\0\0\0\x02\0me")?,
        "nameless" => println!("{{\"hello\":{{\"tandem\":{BORDER_VERSION},\"name\":\"\"}}}}"),
        _ => {}
    }
    out.flush()?;
    if matches!(how.as_str(), "silent" | "usage" | "other-version" | "nameless") {
        return Ok(());
    }
    let target = |isa: &'static Machine| -> Box<dyn Target> {
        if how == "random" { Box::new(Random(isa.layout)) } else { Box::new(Right) }
    };
    let open = |isa| (how != "stranger").then(|| serve::seated("unruly", isa, target(isa)));
    // The description and the background are heard.
    let heard = if how == "deaf" { 500_000 } else { usize::MAX };
    serve::borders("unruly", open, protocol, Deaf(heard), Unruly { how: how.clone(), replies: 0 })
}
