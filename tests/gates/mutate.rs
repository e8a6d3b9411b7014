//! Mutants of a text, the same every time, and a watch over what is done with them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tandem_isa::{Noise, mix64};

/// How long whatever is done with a mutant may take.
const LIMIT: Duration = Duration::from_secs(4);

/// Numbers that are too large for something.
const LARGE: [&str; 9] = [
    "64",
    "4294967294",
    "4294967295",
    "281474976710656",
    "9007199254740993",
    "18446744073709551615",
    "99999999999999999999",
    "-1",
    "1e308",
];

/// Where numbers stand, also those in texts.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_begin = |at: usize| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
    let end = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (0..bytes.len()).filter(|&at| is_begin(at)).map(|at| (at, end(at))).collect()
}

/// Every number made large; then bits that are flipped, ends that are missing, lines that are there twice or thousands of
/// times, and lists in lists.
fn mutants(text: &str, flips: usize) -> Vec<Vec<u8>> {
    let with = |from: usize, to: usize, what: &str| [&text[..from], what, &text[to..]].concat().into_bytes();
    let mut all: Vec<Vec<u8>> =
        numbers(text).into_iter().flat_map(|(from, to)| LARGE.map(|large| with(from, to, large))).collect();
    let mut noise = Noise::new(mix64(0x6d75_7461));
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for _ in 0..flips {
        let mut bytes = text.as_bytes().to_vec();
        let at = noise.below(bytes.len());
        bytes[at] ^= 1 << noise.below(8);
        all.push(bytes);
    }
    for _ in 0..flips / 8 {
        all.push(text.as_bytes()[..noise.below(text.len())].to_vec());
        let at = noise.below(ends.len() - 1);
        let line = &text[ends[at]..ends[at + 1]];
        all.push(with(ends[at], ends[at], line));
    }
    for _ in 0..20 {
        let at = noise.below(ends.len() - 1);
        all.push(with(ends[at], ends[at], &text[ends[at]..ends[at + 1]].repeat(2_000)));
        all.push(with(ends[at], ends[at], &"[".repeat(100_000)));
        all.push(with(ends[at], ends[at], &"{\"a\":".repeat(50_000)));
    }
    all
}

/// Hands all mutants of a text to a reader, which says whether it took them: how many it took. A reader that does not come back ends
/// the test, since nobody can end a thread.
///
/// # Panics
/// If the reader does, with the numbers of the mutants.
pub fn each_mutant(name: &str, text: &str, flips: usize, reader: impl Fn(&[u8]) -> bool) -> [usize; 2] {
    let mutants = mutants(text, flips);
    let (place, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (mut taken, mut panics) = (0, Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| watch(name, &place, &done));
        for (number, mutant) in mutants.iter().enumerate() {
            place.store(number, Ordering::Relaxed);
            match catch_unwind(AssertUnwindSafe(|| reader(mutant))) {
                Ok(is_taken) => taken += usize::from(is_taken),
                Err(_) => panics.push(number),
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("{name}: {taken} of {} mutants were taken", mutants.len());
    assert!(panics.is_empty(), "mutants {panics:?} of {name} end in a panic");
    [taken, mutants.len()]
}

fn watch(name: &str, place: &AtomicUsize, done: &AtomicBool) {
    let (mut last, mut since) = (usize::MAX, Instant::now());
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
        let now = place.load(Ordering::Relaxed);
        if now != last {
            (last, since) = (now, Instant::now());
        } else if since.elapsed() > LIMIT {
            eprintln!("mutant {now} of {name} takes more than {LIMIT:?}");
            std::process::exit(101);
        }
    }
}
