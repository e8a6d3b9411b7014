//! Gates on hostile targets: whatever a target does, at whatever call and behind whatever border, a run ends within its time,
//! is not green, and names what was done and in which call.
//!
//! `hostile/hostile.c` is the target: a shared library, a process that speaks frames, and one that speaks JSON lines. `cargo test
//! --test gates hostile:: -- --nocapture` prints the modes with what came of each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

use crate::parts::one_in;
use crate::program::{self, ROOT, Told};

/// A way to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Library,
    InProcess,
    Frames,
    Lines,
}

use Way::{Frames, InProcess, Library, Lines};

const EVERY: &[Way] = &[Library, InProcess, Frames, Lines];
const LIBRARIES: &[Way] = &[Library, InProcess];
const STREAMS: &[Way] = &[Frames, Lines];

/// Acts of one kind: which, in which calls, from which one on, over which ways, and the kinds that name them.
struct Acts {
    acts: &'static [&'static str],
    calls: &'static [&'static str],
    when: &'static [&'static str],
    ways: &'static [Way],
    kinds: &'static [&'static str],
}

const CRASH: &[&str] = &["crash"];
const HANG: &[&str] = &["hang", "unfinished"];
const MALFORMED: &[&str] = &["malformed answer"];

/// All modes.
const MODES: &[Acts] = &[
    Acts {
        acts: &["exit-0", "_exit-0", "exit-3", "abort", "segfault", "kill", "orphan", "daemon", "stack"],
        calls: &["describe"],
        when: &["1"],
        ways: EVERY,
        kinds: CRASH,
    },
    Acts {
        acts: &["exit-0", "_exit-0", "exit-3", "abort", "segfault", "kill", "orphan", "daemon", "stack"],
        calls: &["reset", "execute"],
        when: &["1", "2"],
        ways: EVERY,
        kinds: CRASH,
    },
    Acts { acts: &["_exit-0", "abort"], calls: &["load", "hash"], when: &["1", "2"], ways: EVERY, kinds: CRASH },
    Acts {
        acts: &["loop", "sleep", "stop", "deaf-loop"],
        calls: &["describe"],
        when: &["1"],
        ways: EVERY,
        kinds: HANG,
    },
    Acts {
        acts: &["loop", "sleep", "stop", "deaf-loop"],
        calls: &["reset", "execute"],
        when: &["1", "2"],
        ways: EVERY,
        kinds: HANG,
    },
    // In our process it is taken for what a user sends.
    Acts {
        acts: &["terminate"],
        calls: &["reset", "execute"],
        when: &["1"],
        ways: &[Library, Frames, Lines],
        kinds: CRASH,
    },
    Acts { acts: &["sleep"], calls: &["load", "hash"], when: &["1", "2"], ways: EVERY, kinds: HANG },
    Acts { acts: &["close"], calls: &["reset", "execute"], when: &["1"], ways: STREAMS, kinds: CRASH },
    Acts {
        acts: &["twins"],
        calls: &["execute", "reset"],
        when: &["1"],
        ways: EVERY,
        kinds: &["crash", "malformed answer"],
    },
    Acts {
        acts: &[
            "status",
            "status-large",
            "none",
            "too-many",
            "huge-count",
            "outcome",
            "unwritten",
            "descending",
            "no-such-row",
            "row-twice",
            "rows-too-many",
            "reasons",
            "reason-of-done",
            "behind",
        ],
        calls: &["execute"],
        when: &["1"],
        ways: LIBRARIES,
        kinds: MALFORMED,
    },
    Acts {
        acts: &["status", "none", "too-many", "outcome", "no-such-row", "reason-of-done", "sequence"],
        calls: &["execute"],
        when: &["1"],
        ways: STREAMS,
        kinds: MALFORMED,
    },
    Acts { acts: &["status"], calls: &["load"], when: &["1", "2"], ways: EVERY, kinds: MALFORMED },
    Acts {
        acts: &["endless-name", "flag", "behind", "no-name"],
        calls: &["describe"],
        when: &["1"],
        ways: LIBRARIES,
        kinds: MALFORMED,
    },
    Acts { acts: &["flag"], calls: &["describe"], when: &["1"], ways: STREAMS, kinds: MALFORMED },
    Acts {
        acts: &["noise", "garbage", "twice", "more"],
        calls: &["describe", "reset", "execute"],
        when: &["1"],
        ways: STREAMS,
        kinds: MALFORMED,
    },
    Acts { acts: &["half-exit"], calls: &["describe", "reset", "execute"], when: &["1"], ways: STREAMS, kinds: CRASH },
    Acts { acts: &["shut"], calls: &["execute"], when: &["1"], ways: STREAMS, kinds: CRASH },
    Acts {
        acts: &["half-hang", "trickle", "silent", "flood-errors"],
        calls: &["describe", "reset", "execute"],
        when: &["1"],
        ways: STREAMS,
        kinds: HANG,
    },
    Acts {
        acts: &["flood", "huge"],
        calls: &["execute"],
        when: &["1"],
        ways: STREAMS,
        kinds: &["malformed answer", "hang"],
    },
    Acts {
        acts: &[
            "key-twice",
            "no-such-bank",
            "no-such-field",
            "field-twice",
            "wide",
            "negative",
            "huge-number",
            "unknown-key",
            "null",
            "deep",
        ],
        calls: &["execute"],
        when: &["1"],
        ways: &[Lines],
        kinds: MALFORMED,
    },
    Acts {
        acts: &["wrong", "zero", "random"],
        calls: &["hash"],
        when: &["1", "2!"],
        ways: EVERY,
        kinds: &["stray", "nondeterministic"],
    },
    Acts {
        acts: &["stray"],
        calls: &["execute"],
        when: &["1"],
        ways: &[Library, InProcess, Frames],
        kinds: &["stray", "nondeterministic"],
    },
    Acts { acts: &["another"], calls: &["describe"], when: &["1"], ways: &[Library], kinds: MALFORMED },
    Acts { acts: &["blocked"], calls: &["execute"], when: &["1"], ways: EVERY, kinds: &["outcome"] },
    Acts { acts: &["refused"], calls: &["execute"], when: &["1"], ways: EVERY, kinds: &["refused-but-changed"] },
];

/// What a run is told, and what must come of it.
#[derive(Clone)]
struct Mode {
    way: Way,
    act: &'static str,
    call: &'static str,
    when: &'static str,
    kinds: &'static [&'static str],
}

/// All modes over every way, or each over one, in turns.
fn modes(is_whole: bool) -> Vec<Mode> {
    let (mut modes, mut turn) = (Vec::new(), 0);
    for &Acts { acts, calls, when, ways, kinds } in MODES {
        for &act in acts {
            for (place, &call) in calls.iter().enumerate() {
                // Each act has each call, and the ways share the numbers of the call.
                turn += 1;
                for (at, &way) in ways.iter().enumerate().filter(|(at, _)| is_whole || *at == turn % ways.len()) {
                    let when = when[(place + at) % when.len()];
                    modes.push(Mode { way, act, call, when, kinds });
                }
            }
        }
    }
    modes
}

/// The target, built once: the program and the library.
fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        std::fs::create_dir_all(&folder).expect("the folder is ours");
        let root = Path::new(ROOT);
        for (name, options) in [("hostile", &[][..]), ("hostile.so", &["-shared", "-fPIC"][..])] {
            let mut cc = Command::new("cc");
            cc.args(["-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-infinite-recursion", "-I"])
                .arg(root.join("harness/include"));
            cc.args(options).arg(root.join("tests/gates/hostile/hostile.c")).arg("-o").arg(folder.join(name));
            assert!(cc.status().expect("there is a C compiler").success());
        }
        folder
    })
}

fn specification(way: Way) -> String {
    let (program, library) = (built().join("hostile"), built().join("hostile.so"));
    match way {
        Library => format!("lib:{}", library.display()),
        InProcess => format!("lib-inproc:{}", library.display()),
        Frames => format!("cmd:{}", program.display()),
        Lines => format!("cmd:{} --json", program.display()),
    }
}

/// Runs a command with the target, which does as `hostile` says, and gives how long it took.
fn run(arguments: &[&str], (way, hostile): (Way, &str), out: &Path) -> (Told, Duration) {
    let begin = Instant::now();
    let mut command = program::tandem();
    command.args(arguments).args(["--target", &specification(way)]);
    if program::takes(arguments, "out") {
        command.arg("--out").arg(out);
    }
    if !hostile.is_empty() {
        command.env("HOSTILE", hostile);
    }
    let output = command.stdin(Stdio::null()).output().expect("the binary runs");
    (program::told(&output), begin.elapsed())
}

const FUZZ: [&str; 7] = ["fuzz", "tensix-wh/sempost", "--only", "SemaphoreMask=none", "--no-vectors", "--seed", "1"];
/// What a loaded machine may need beyond the time that a run is given.
const MARGIN: Duration = Duration::from_secs(25);

/// How much a mode is run: by the clock where every answer is waited for, and else two blocks, however loaded the machine is.
fn amount(mode: &Mode, seconds: &str) -> Vec<String> {
    let is_waited_for = mode.kinds.contains(&"hang") || matches!(mode.act, "close" | "shut");
    // Only two blocks have two resets.
    let is_waited_for = is_waited_for && (mode.call, mode.when) != ("reset", "2");
    let amount =
        if is_waited_for { ["--seconds", seconds, "--timeout", "0.3"] } else { ["--cases", "1100", "--timeout", "1"] };
    amount.map(str::to_string).to_vec()
}

/// What came of a mode in a run of about so many seconds: an error if the run did not name it.
fn came_of(mode: &Mode, seconds: u64) -> Result<String, String> {
    let out = tempfile::tempdir().expect("a folder for the report");
    let Mode { way, act, call, when, kinds } = *mode;
    let amount = amount(mode, &seconds.to_string());
    let amount: Vec<&str> = amount.iter().map(String::as_str).collect();
    let arguments = [&FUZZ[..], &amount, &["--threads", "1", "--no-causes"]].concat();
    let ((code, stdout, stderr), took) = run(&arguments, (way, &format!("{act} {call} {when}")), out.path());
    let said = format!("{code} after {took:.1?}\n{stdout}{stderr}");
    if took > Duration::from_secs(seconds + 5) + MARGIN {
        return Err(format!("it took too long: {said}"));
    }
    let named = |text: &str| kinds.iter().any(|kind| text.contains(kind));
    let report = std::fs::read_to_string(out.path().join("report.json")).unwrap_or_default();
    match code {
        // What cannot be used at all, or took our process with it, has no report, and what is printed says all.
        14 if named(&stderr) && stderr.contains(call) && report.is_empty() => Ok(said),
        10 => {
            let report: Value = serde_json::from_str(&report).map_err(|error| format!("{error}: {said}"))?;
            let findings = report["result"]["findings"].as_array().cloned().unwrap_or_default();
            let is_named = |finding: &Value| {
                // A hash that is wrong is the arena's, whoever changed it.
                let text = finding.to_string();
                let kind = finding["signature"]["kind"].as_str().unwrap_or_default();
                named(kind)
                    && (LATE.contains(&act)
                        || text.contains(call)
                        || text.contains("hash of its arena")
                        || !MISBEHAVIOURS.contains(&kind))
            };
            if findings.iter().any(is_named) && named(&stdout) {
                Ok(said)
            } else {
                Err(format!("no finding of {kinds:?} in {call}: {said}{findings:?}"))
            }
        }
        12 if kinds.contains(&"unfinished") && stderr.contains(&format!("unfinished in {call}")) => Ok(said),
        _ => Err(said),
    }
}

/// What shows at the next call only.
const LATE: [&str; 4] = ["shut", "more", "twice", "twins"];
/// Kinds that are about a call.
const MISBEHAVIOURS: [&str; 3] = ["crash", "hang", "malformed answer"];

/// Runs as many at once: most of them wait.
const AT_ONCE: usize = 12;

#[test]
fn every_hostile_mode_ends_within_its_time_with_its_name_on_it() {
    built();
    let modes = modes(one_in(4) == 1);
    let listed: BTreeSet<_> = modes.iter().map(|mode| (mode.act, mode.call)).collect();
    assert!(listed.len() >= 100, "{} modes", listed.len());
    for way in EVERY {
        assert!(modes.iter().filter(|mode| mode.way == *way).count() >= 15, "{way:?}");
    }
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(mode) = modes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Mode { way, act, call, when, .. } = mode;
                    // A machine that is too loaded for the first run has a longer one.
                    let came = came_of(mode, 2).or_else(|_| came_of(mode, 8));
                    let (verdict, said) = match &came {
                        Ok(said) => ("named", said),
                        Err(said) => ("NOT NAMED", said),
                    };
                    println!(
                        "{act} in {call} from {when} on, {way:?}: {verdict}, {}",
                        said.lines().next().unwrap_or_default()
                    );
                    if let Err(fault) = came {
                        faults.lock().expect("no run panics").push(format!("{act} {call} {when} {way:?}: {fault}"));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no run panics");
    println!("{} modes, {} runs in {:.0?}", listed.len(), modes.len(), begin.elapsed());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), modes.len(), faults.join("\n----\n"));
}

#[rstest]
fn an_honest_target_agrees_on_every_way(#[values(Library, InProcess, Frames, Lines)] way: Way) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let ((code, stdout, stderr), _) = run(&[&FUZZ[..], &["--cases", "600"]].concat(), (way, ""), out.path());
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("0 findings"), "{stdout}");
}

/// A run in our own process that is ended with code 0, on every road to a target.
#[rstest]
#[case(&["fuzz", "tensix-wh/sempost", "--cases", "3000"])]
#[case(&["fuzz", "tensix-wh/sempost", "--cases", "3000", "--no-vectors"])]
#[case(&["exhaust", "tensix-wh/mova2d"])]
#[case(&["programs", "tensix-wh/sempost", "--cases", "2000"])]
#[case(&["vectors", "check", "vectors/tensix-wh/sempost.json"])]
#[case(&["replay", "vectors/tensix-wh/sempost.json"])]
#[case(&["fingerprint", "tensix-wh/sempost"])]
fn a_target_that_ends_our_process_with_success_is_no_success(
    #[case] arguments: &[&str],
    #[values("exit-0 execute 2", "_exit-0 execute 1", "exit-0 reset 1", "_exit-0 describe 1")] hostile: &str,
) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let ((code, stdout, stderr), _) = run(arguments, (InProcess, hostile), out.path());
    let call = hostile.split(' ').nth(1).expect("it names a call");
    // Where the call is never made nothing goes wrong.
    let is_made = call != "reset" || !matches!(arguments[0], "fingerprint" | "exhaust");
    if code == 14 || is_made {
        assert_eq!(code, 14, "{stdout}{stderr}");
        assert!(stderr.contains("it ended with exit status 0") && stderr.contains(call), "{stderr}");
        assert!(!out.path().join("report.json").exists(), "{stdout}{stderr}");
    }
}

#[test]
fn a_run_in_our_process_can_be_had_without_a_supervisor() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let mut command = program::tandem();
    command.args(FUZZ).args(["--cases", "600", "--target", &specification(InProcess), "--out"]).arg(out.path());
    let status = command.env("TANDEM_UNSUPERVISED", "1").env("HOSTILE", "exit-3 execute 2").output().expect("it runs");
    assert_eq!(status.status.code(), Some(3));
}

/// A call that would be waited for longer than the run has is cut, and is neither green nor agreed.
#[rstest]
fn a_campaign_ends_within_its_seconds_and_says_what_was_unfinished(
    #[values(Library, InProcess, Frames, Lines)] way: Way,
    #[values("sleep execute 3", "sleep reset 1", "stop hash 2")] hostile: &str,
) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = [&FUZZ[..], &["--seconds", "2", "--timeout", "600"]].concat();
    let ((code, stdout, stderr), took) = run(&arguments, (way, hostile), out.path());
    assert!(took < Duration::from_secs(7) + MARGIN / 2, "{took:?} {stdout}{stderr}");
    let call = hostile.split(' ').nth(1).expect("it names a call");
    // One that stops our process is not waited for.
    let is_named = stderr.contains(&format!("unfinished in {call}"))
        || way == InProcess && stderr.contains("hang") && stderr.contains(&format!("in {call}"));
    assert!(is_named, "{code} {stdout}{stderr}");
    assert_eq!(code, if way == InProcess { 14 } else { 12 }, "{stdout}{stderr}");
    if way != InProcess {
        let report = program::read_json(&out.path().join("report.json"));
        assert!(report["run"]["notes"].to_string().contains("unfinished in"), "{}", report["run"]);
    }
}

/// A campaign by the number of its cases comes to an end, too.
#[rstest]
#[case("wrong hash 1", "stray")]
#[case("abort reset 1", "crash in reset")]
#[case("abort execute 1", "crash")]
#[case("sleep execute 1", "hang")]
#[case("garbage execute 1", "malformed answer")]
fn a_target_that_always_fails_in_the_same_way_is_given_up(#[case] hostile: &str, #[case] what: &str) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = [&FUZZ[..], &["--cases", "100000000", "--timeout", "0.3", "--no-causes"]].concat();
    let ((code, stdout, stderr), took) = run(&arguments, (Frames, hostile), out.path());
    assert!(took < Duration::from_secs(30) + MARGIN, "{took:?} {stdout}{stderr}");
    assert_eq!(code, 10, "{stdout}{stderr}");
    let report = program::read_json(&out.path().join("report.json"));
    let notes = report["run"]["notes"].to_string();
    let says = format!("({what})");
    assert!(notes.contains("given up on tensix-wh/sempost") && notes.contains(&says), "{notes}");
    assert!(stdout.contains("given up on tensix-wh/sempost"), "{stdout}");
}

/// What a call that was cut would have answered is not counted as compared.
#[test]
fn an_exhaustive_run_counts_no_value_whose_call_was_cut() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = ["exhaust", "tensix-wh/mova2d", "--seconds", "2", "--timeout", "600"];
    let ((code, stdout, stderr), took) = run(&arguments, (Frames, "sleep execute 1"), out.path());
    assert!(took < Duration::from_secs(7) + MARGIN / 2, "{took:?} {stdout}{stderr}");
    assert_eq!(code, 12, "{stdout}{stderr}");
    assert!(stdout.contains("every value in 0 of 2048 cells (0 undefined), 0 values"), "{stdout}{stderr}");
}

#[rstest]
#[case("sleep execute 1", "hang")]
#[case("abort execute 1", "crash")]
#[case("garbage execute 1", "malformed answer")]
fn an_exhaustive_run_gives_a_target_up(#[case] hostile: &str, #[case] kind: &str) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = ["exhaust", "tensix-wh/mova2d", "--timeout", "0.3"];
    let ((code, stdout, stderr), took) = run(&arguments, (Frames, hostile), out.path());
    assert!(took < Duration::from_secs(30) + MARGIN, "{took:?} {stdout}{stderr}");
    assert_eq!(code, 10, "{stdout}{stderr}");
    assert!(stdout.contains("; given up, as a target") && stdout.contains(kind), "{stdout}{stderr}");
}
