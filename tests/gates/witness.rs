//! Gates on what was measured on silicon in public (`vectors/witness/`): the reference is run on what each file says was put
//! in, and held against what came out.
//!
//! A difference fails, unless the file says `disagrees` and why; and a file that says so has to differ. Of what the pages
//! promise nothing of, the figures stand there as `unpromised`, and the reference has to stop there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tandem_isa::tensix::bank::{DST, LREG};
use tandem_isa::{Code, Edition, Instruction, State, Step};

use crate::parts::{Run, everybody, instruction};
use crate::program::{ROOT, ended, run};

/// What one source says, in words of ours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Witness {
    /// Where it says it.
    source: String,
    /// Where more of it is said.
    #[serde(default)]
    also: Vec<String>,
    /// When, as `2026-03-02`.
    published: String,
    level: Level,
    /// The boards that it names.
    boards: Vec<String>,
    /// How it says that silicon was measured, and no simulator.
    hardware: String,
    measured: String,
    /// What it does not say, and what stands here instead.
    filled: String,
    /// What the figures mean if the reference is right.
    reading: String,
    #[serde(default)]
    case: Vec<Case>,
    #[serde(default)]
    sweep: Vec<Sweep>,
}

/// What a source names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    /// A board.
    Board,
    /// A chip, and no board.
    Chip,
    /// Neither: the device, or its engine.
    Engine,
}

/// One instruction in one state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    shows: String,
    /// On which chips it is run: both, if the source names neither.
    instructions: Vec<String>,
    /// As `tandem show --set` takes them.
    set: Vec<String>,
    /// A place and the word in it afterwards, or `nan`.
    gives: Vec<String>,
    disagrees: Option<String>,
    unpromised: Option<String>,
}

/// A total over all numbers of a format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    shows: String,
    what: What,
    instructions: Vec<String>,
    count: usize,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    /// Numbers of BF16 from 0 to 65535 that become another integer than they have before the point.
    Bf16ToUint16,
    /// Words of BF16 that come back changed from `SFPLOAD` and `SFPSTORE`.
    Bf16ThereAndBack,
}

/// All files, by their names.
fn witnesses() -> BTreeMap<String, Witness> {
    let folder = Path::new(ROOT).join("vectors/witness");
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("it can be listed").path();
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let witness = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, witness)
    };
    files.map(read).collect()
}

/// What the reference makes of a case.
struct Shown {
    outcome: String,
    rows_written: BTreeSet<String>,
    words: BTreeMap<String, u64>,
}

impl Shown {
    fn of(instruction: &str, set: &[String]) -> Self {
        let (stdout, stderr) = ended(run(&["show", instruction, "--set", &set.join(","), "--json"]), 0);
        // A word that the file sets to what it is anyway is not taken for set, and data of the program would be read for it.
        assert!(!stderr.contains("data that are read"), "{instruction} {set:?}: {stderr}");
        let all: Value = serde_json::from_str(&stdout).expect("it is JSON");
        let one = &all["cases"][0];
        assert_eq!((&all["cases"][1], &all["more"]), (&Value::Null, &Value::from(0)), "{instruction} is one case");
        let mut words = BTreeMap::new();
        for word in list(&one["case"]["words"]) {
            words.insert(text(&word["place"]), number(&text(&word["value"])));
        }
        for change in list(&one["changes"]) {
            words.insert(text(&change["place"]), change["after"].as_u64().expect("a word"));
        }
        Shown { outcome: text(&one["outcome"]), rows_written: list(&one["writes"]).iter().map(text).collect(), words }
    }

    /// The word in a place afterwards. One that is neither set nor changed is 0, in a row that is written.
    fn word(&self, place: &str) -> u64 {
        let row = place.rsplit_once('[').map_or(place, |(row, _)| row);
        self.words.get(place).copied().unwrap_or_else(|| {
            assert!(self.rows_written.contains(row), "{place} is neither set nor written");
            0
        })
    }

    /// The places in which something else is than was measured.
    fn differences(&self, gives: &[String]) -> Vec<String> {
        let differs = |given: &&String| {
            let (place, measured) = given.split_once('=').expect("a place and what is in it");
            let word = self.word(place);
            if measured == "nan" { !is_nan(word) } else { word != number(measured) }
        };
        gives.iter().filter(differs).map(|given| format!("not {given}")).collect()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_string()
}

fn number(text: &str) -> u64 {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|_| panic!("'{text}' is no number"))
}

const fn is_nan(word: u64) -> bool {
    word >> 23 & 0xff == 0xff && word & 0x7f_ffff != 0
}

#[test]
fn the_reference_gives_what_was_measured_in_public() {
    let (mut agree, mut differ, mut stop) = (BTreeMap::<Level, usize>::new(), 0, 0);
    for (file, witness) in &witnesses() {
        for case in &witness.case {
            for path in &case.instructions {
                let shown = Shown::of(path, &case.set);
                let at = format!("{file}: {path}: {}", case.shows);
                if case.unpromised.is_some() {
                    assert_eq!(shown.outcome, "unspecified", "{at}");
                    stop += 1;
                    continue;
                }
                assert_eq!(shown.outcome, "done", "{at}");
                let differences = shown.differences(&case.gives);
                assert_eq!(!differences.is_empty(), case.disagrees.is_some(), "{at}: {differences:?}");
                if differences.is_empty() {
                    *agree.entry(witness.level).or_default() += 1;
                } else {
                    differ += 1;
                }
            }
        }
    }
    println!(
        "cases that agree, by what the source names: {agree:?}; known to differ: {differ}; promised by no page: {stop}"
    );
    // So that none is lost unseen.
    assert_eq!(agree, BTreeMap::from([(Level::Board, 26), (Level::Chip, 14), (Level::Engine, 17)]));
    assert_eq!((differ, stop), (0, 33));
}

#[test]
fn a_file_says_where_its_figures_are_from() {
    for (file, witness) in &witnesses() {
        assert!(file.ends_with(".toml"), "{file}");
        for link in [&witness.source].into_iter().chain(&witness.also) {
            assert!(link.starts_with("https://"), "{file}: {link}");
        }
        let date = witness.published.as_bytes();
        assert!(date.len() == 10 && date[4] == b'-' && date[7] == b'-', "{file}: {}", witness.published);
        assert_eq!(witness.level == Level::Board, !witness.boards.is_empty(), "{file}: a board is named by its name");
        for said in [&witness.hardware, &witness.measured, &witness.filled, &witness.reading] {
            assert!(!said.trim().is_empty(), "{file}: something is not said");
        }
        assert!(!witness.case.is_empty() || !witness.sweep.is_empty(), "{file} shows nothing");
        for case in &witness.case {
            let Case { shows, instructions, gives, disagrees, unpromised, .. } = case;
            assert!(!instructions.is_empty() && !gives.is_empty(), "{file}: {shows}");
            assert!(
                disagrees.is_none() || unpromised.is_none(),
                "{file}: {shows}: what no page promises cannot differ"
            );
            for reason in [disagrees, unpromised].into_iter().flatten() {
                assert!(!reason.trim().is_empty(), "{file}: {shows}: why?");
            }
        }
    }
}

/// Steps of an implementation on a state.
struct Desk<'a> {
    isa: &'static str,
    run: &'a mut Run,
    state: State,
}

impl Desk<'_> {
    fn execute(&mut self, name: &str, text: &str) {
        let (_, Instruction { facts, .. }) = instruction(&format!("{}/{name}", self.isa));
        let code: Code = facts.parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        (self.run)(&Step { instruction: facts, edition: Edition::Newest, code: &code }, &mut self.state);
    }

    /// What `SFPSTOCHRND` makes of floats, one in each lane.
    fn rounded(&mut self, floats: &[u32; 32]) -> [u32; 32] {
        for (lane, &float) in floats.iter().enumerate() {
            self.state.set_word(LREG, 0, lane, float);
        }
        self.execute("sfpstochrnd", "TT_SFP_STOCH_RND(0, 0, 0, 0, 1, 6)");
        std::array::from_fn(|lane| self.state.word(LREG, 1, lane))
    }

    /// What of words of `Dst` in the even columns of the first four rows is there after a load and a store.
    fn there_and_back(&mut self, words: &[u32; 32]) -> [u32; 32] {
        for (lane, &word) in words.iter().enumerate() {
            self.state.set_word(DST, lane / 8, lane % 8 * 2, word);
        }
        for name in ["sfpload", "sfpstore"] {
            let text = format!("TT_{}(1, 2, 0, 0)", name.to_uppercase());
            self.execute(name, &text);
        }
        std::array::from_fn(|lane| self.state.word(DST, lane / 8, lane % 8 * 2))
    }

    fn count(&mut self, what: What) -> usize {
        let batches = (0..0x1_0000_u32).step_by(32).map(|first| std::array::from_fn(|lane| first + lane as u32));
        let changed = |before: &[u32; 32], after: &[u32; 32]| before.iter().zip(after).filter(|(a, b)| a != b).count();
        match what {
            What::Bf16ThereAndBack => batches.map(|words| changed(&words, &self.there_and_back(&words))).sum(),
            What::Bf16ToUint16 => batches
                .map(|words: [u32; 32]| {
                    // Others than numbers from 0 to 65535 are 0 here.
                    let in_range = |word: u32| (0.0..=65535.0).contains(&f32::from_bits(word << 16));
                    let floats = words.map(|word| if in_range(word) { word << 16 } else { 0 });
                    let cut = floats.map(|float| f32::from_bits(float) as u32);
                    changed(&cut, &self.rounded(&floats))
                })
                .sum(),
        }
    }
}

#[test]
fn everybody_counts_what_was_counted_in_public() {
    let mut counted = 0;
    for (file, witness) in &witnesses() {
        for sweep in &witness.sweep {
            for path in &sweep.instructions {
                let (isa, _) = instruction(path);
                for (name, mut run) in everybody(isa.isa.name) {
                    let mut desk = Desk { isa: isa.isa.name, run: &mut run, state: isa.isa.base_state() };
                    assert_eq!(desk.count(sweep.what), sweep.count, "{file}: {name}: {path}: {}", sweep.shows);
                }
                counted += 1;
            }
        }
    }
    assert_eq!(counted, 4, "two totals, on two chips each");
}
