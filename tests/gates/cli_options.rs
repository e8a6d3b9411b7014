//! The options: each command has those on which it acts, and they are obeyed everywhere.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Output, Stdio};

use clap::{Command, CommandFactory};
use rstest::rstest;
use serde_json::Value;

use crate::program::{self, ended, read_json, run, run_into};

/// Every command that does something, with the words by which it is called.
pub fn commands() -> Vec<(Vec<String>, Command)> {
    fn below(command: &Command, words: &[String], all: &mut Vec<(Vec<String>, Command)>) {
        let mut any = false;
        for one in command.get_subcommands().filter(|one| one.get_name() != "help" && !one.is_hide_set()) {
            below(one, &[words, &[one.get_name().to_string()]].concat(), all);
            any = true;
        }
        if !any {
            all.push((words.to_vec(), command.clone()));
        }
    }
    let mut command = tandem::cli::Cli::command();
    command.build();
    let mut all = Vec::new();
    below(&command, &[], &mut all);
    all
}

fn options(command: &Command) -> BTreeSet<String> {
    command.get_arguments().filter_map(|one| one.get_long()).map(str::to_string).collect()
}

#[test]
fn each_command_has_the_options_on_which_it_acts_and_no_others() {
    let all = commands();
    let of = |words: &str| {
        let found = all.iter().find(|(known, _)| known.join(" ") == words);
        options(&found.unwrap_or_else(|| panic!("there is no {words}")).1)
    };
    let everywhere = BTreeSet::from(["quiet", "color", "help", "version"].map(String::from));
    for (words, own) in [
        ("errata", &["json"][..]),
        ("rules", &["json"]),
        ("answers", &["csv", "html", "json"]),
        ("tile", &["isa", "from", "to", "between", "through", "raw", "round", "relu", "at", "json"]),
        ("describe", &["format", "json"]),
        ("list", &["family", "edition", "targets", "target", "claims", "timeout", "model", "vectors", "json"]),
        ("bench", &["targets", "json"]),
        ("show", &["set", "edition", "vectors", "json"]),
        ("known list", &["known", "json"]),
        ("claims accept", &["claims", "out", "json"]),
        ("vectors lint", &["vectors", "json"]),
        ("completions", &[]),
        ("man", &["out"]),
    ] {
        let has: BTreeSet<String> = of(words).difference(&everywhere).cloned().collect();
        assert_eq!(has, own.iter().map(ToString::to_string).collect::<BTreeSet<String>>(), "{words}");
    }
    // All that a campaign can be told, and nothing of it under no heading.
    let fuzz = &all.iter().find(|(words, _)| words == &["fuzz"]).expect("there is a campaign").1;
    for option in ["seed", "cases", "seconds", "max-findings", "only", "hold", "shard", "threads", "out", "quiet"] {
        assert!(options(fuzz).contains(option), "{option}");
    }
    for (words, command) in &all {
        let own = command.get_arguments().filter(|one| one.get_long().is_some());
        for option in own.filter(|one| !["help", "version"].contains(&one.get_id().as_str())) {
            assert!(option.get_help_heading().is_some(), "{words:?} {option}");
        }
        let mut shorts: Vec<char> = command.get_arguments().filter_map(clap::Arg::get_short).collect();
        shorts.sort_unstable();
        let count = shorts.len();
        shorts.dedup();
        assert_eq!(shorts.len(), count, "{words:?}: a letter means two things");
    }
    let (help, _) = ended(run(&["fuzz", "--help"]), 0);
    let places: Vec<_> = ["What is run:", "How much:", "Targets:", "Machines:", "Output:"]
        .map(|heading| help.find(heading).unwrap_or_else(|| panic!("{heading} {help}")))
        .to_vec();
    assert!(places.is_sorted(), "{help}");
}

#[test]
fn short_options_and_counts_are_those_of_the_long_ones() {
    let result = |arguments: &[&str]| {
        let out = tempfile::tempdir().expect("a folder for the report");
        let whole = [&["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--json"], arguments].concat();
        let report: Value = serde_json::from_str(&ended(run_into(out.path(), &whole), 0).0).expect("it is JSON");
        report["result"].clone()
    };
    let long = result(&["--seed", "7", "--cases", "2048", "--threads", "2"]);
    assert_eq!(long["cases"], 2048);
    assert_eq!(long, result(&["-s", "7", "-n", "2.048k", "-j", "1"]));
}

#[test]
fn a_run_ends_with_the_findings_that_were_asked_for() {
    let target = format!("cmd:{} --fault=int16-missing+bias-always", program::example("serve").display());
    let fuzz =
        ["fuzz", "tensix-wh/mova2d", "-s", "1", "-n", "40k", "--no-vectors", "--no-causes", "--json", "-t", &target];
    let run = |more: &[&str]| {
        let out = tempfile::tempdir().expect("a folder for the report");
        let (stdout, _) = ended(run_into(out.path(), &[&fuzz[..], more].concat()), 10);
        serde_json::from_str::<Value>(&stdout).expect("it is JSON")
    };
    let count = |report: &Value| report["result"]["findings"].as_array().map(Vec::len);
    let cases = |report: &Value| report["result"]["cases"].as_u64().expect("a number");
    let said = |report: &Value| report["run"]["notes"].to_string().contains("as --max-findings asks");
    let whole = run(&[]);
    assert!(count(&whole) > Some(1) && !said(&whole), "{:?}", count(&whole));
    // Where it ends is a function of the cases, whatever the number of workers.
    let [one, again] = ["1", "3"].map(|threads| run(&["--max-findings", "1", "-j", threads]));
    assert_eq!(one["result"], again["result"]);
    assert!(said(&one) && cases(&one) < cases(&whole), "{}", cases(&one));
    assert!(one["result"]["findings"] != whole["result"]["findings"]);
    let many = run(&["--max-findings", "1000"]);
    assert!(!said(&many) && many["result"] == whole["result"]);
}

#[test]
fn a_check_ends_with_the_findings_that_were_asked_for() {
    let target = format!("cmd:{} --fault=bias-always", program::example("serve").display());
    let files = ["vectors/tensix-wh/mova2d.json", "vectors/tensix-wh/mova2d.ttsim-1.10.0.json"];
    let check = |more: &[&str]| {
        let (stdout, stderr) =
            ended(run(&[&["vectors", "check"][..], &files, &["-t", &target, "--json"], more].concat()), 10);
        (serde_json::from_str::<Value>(&stdout).expect("it is JSON"), stderr)
    };
    let (whole, _) = check(&[]);
    assert_eq!(whole["files"].as_array().map(Vec::len), Some(2));
    let (one, stderr) = check(&["--max-findings", "1"]);
    // No test of the second is run, and each stands in a column all the same.
    let [first, second] = &one["files"].as_array().expect("there are files")[..] else { panic!("{one}") };
    assert!(first["divergent"].as_array().is_some_and(|tests| !tests.is_empty()), "{first}");
    assert_eq!((&second["not_reached"], second["agreed"].as_u64()), (&one["left"], Some(0)), "{second}");
    assert!(stderr.contains("as --max-findings asks"), "{stderr}");
    let (_, stderr) = check(&["--max-findings", "1", "--quiet"]);
    assert!(stderr.is_empty(), "{stderr}");
}

/// Runs `tandem` with these variables of the environment, and none else that is about colours.
fn with(environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = program::tandem();
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).args(arguments).output().expect("the binary runs")
}

#[rstest]
#[case::nowhere_but_on_a_terminal(&[], &[], false)]
#[case::always(&[], &["--color", "always"], true)]
#[case::forced(&[("CLICOLOR_FORCE", "1")], &[], true)]
#[case::refused(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false)]
#[case::empty(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], &[], true)]
#[case::never(&[("CLICOLOR_FORCE", "1")], &["--color=never"], false)]
#[case::option_before_environment(&[("NO_COLOR", "1")], &["--color=always"], true)]
fn colours_are_as_option_and_environment_say(
    #[case] environment: &[(&str, &str)],
    #[case] more: &[&str],
    #[case] coloured: bool,
) {
    let out = tempfile::tempdir().expect("a folder for the report");
    let out = out.path().to_str().expect("the folder has a plain name");
    let fuzz = ["fuzz", "tensix-wh/sfpnot", "-n", "1024", "-s", "1", "--no-vectors", "-o", out];
    for (arguments, what) in [
        (&fuzz[..], "the report"),
        (&["fuzz", "--help"], "the help"),
        (&["fuzz", "--nosuch"], "an error of the command line"),
    ] {
        let output = with(environment, &[arguments, more].concat());
        let all = [output.stdout, output.stderr].concat();
        assert!(!all.is_empty());
        assert_eq!(all.contains(&0x1b), coloured, "{what}: {}", String::from_utf8_lossy(&all));
    }
    // What programs read has none.
    let output = with(environment, &[&fuzz[..], &["--json"], more].concat());
    assert!(!output.stdout.contains(&0x1b));
}

/// What a command says on a terminal, if there is the `script` that makes one.
fn on_a_terminal(environment: &[(&str, &str)], arguments: &str) -> Option<String> {
    let there =
        std::process::Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        println!("not run: there is no script, which makes a terminal");
        return None;
    }
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_tandem"));
    let mut command = std::process::Command::new("script");
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let output = command
        .current_dir(program::ROOT)
        .envs(environment.iter().copied())
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_has_colours_and_a_bar_and_a_dumb_or_quiet_one_has_not() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let fuzz = format!("fuzz tensix-wh/sfpnot -n 200k -s 1 --no-vectors -o {}", out.path().display());
    let Some(usual) = on_a_terminal(&[("TERM", "xterm")], &fuzz) else { return };
    assert!(usual.contains("\x1b[1m") && usual.contains('█'), "{usual}");
    // Not in CI either, where many a library takes every terminal for one that knows colours.
    for environment in
        [&[("TERM", "dumb")][..], &[("TERM", "dumb"), ("CI", "true")], &[("TERM", "dumb"), ("CLICOLOR", "1")]]
    {
        let dumb = on_a_terminal(environment, &fuzz).expect("there is one");
        assert!(!dumb.contains('\x1b') && !dumb.contains('█') && dumb.contains("0 findings"), "{dumb}");
    }
    let quiet = on_a_terminal(&[("TERM", "xterm")], &format!("{fuzz} --quiet")).expect("there is one");
    assert!(!quiet.contains('█') && quiet.contains("0 findings") && !quiet.contains("edition"), "{quiet}");
    let never = on_a_terminal(&[("TERM", "xterm")], &format!("{fuzz} -q --color never")).expect("there is one");
    assert!(!never.contains('\x1b'), "{never:?}");
}

#[test]
fn a_quiet_run_says_what_it_found_and_no_more() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let fuzz = ["fuzz", "tensix-wh/sfpnot", "-n", "1024", "--no-vectors", "--quiet"];
    let (stdout, stderr) = ended(run_into(out.path(), &fuzz), 0);
    assert!(stdout.lines().count() == 1 && stdout.ends_with(" 0 findings, 0 new\n"), "{stdout}");
    assert_eq!(stderr, "");
    assert_eq!(read_json(&out.path().join("report.json"))["result"]["new_findings"], 0);
}

/// Starts a command, reads one line of what it prints, and closes the stream. Its exit code, and what it says besides.
fn head(arguments: &[&str]) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader, Read};
    let mut child =
        program::tandem().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let mut stdout = BufReader::with_capacity(16, child.stdout.take().expect("it is a pipe"));
    stdout.read_line(&mut line).expect("it prints");
    drop(stdout);
    let mut said = String::new();
    child.stderr.take().expect("it is a pipe").read_to_string(&mut said).expect("it is text");
    (child.wait().expect("it ends").code(), said)
}

#[test]
fn nobody_is_told_that_nobody_reads() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let out = out.path().to_str().expect("the folder has a plain name");
    for arguments in [
        &["list", "tensix-wh"][..],
        &["describe", "visa"],
        &["describe", "visa", "--json"],
        &["describe", "visa", "--format", "c"],
        &["errata"],
        &["rules"],
        &["show", "vectors/tensix-wh/mova2d.json"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["vectors", "export", "vectors/tensix-wh/mova2d.json"],
        &["fuzz", "tensix-wh/sfpnot", "-n", "1024", "--no-vectors", "-o", out],
    ] {
        assert_eq!(head(arguments), (Some(0), String::new()), "{arguments:?}");
    }
    // What was found is said by the exit code.
    let target = format!("cmd:{} --fault=bias-always", program::example("serve").display());
    let fuzz =
        ["fuzz", "tensix-wh/mova2d", "-n", "4096", "-s", "1", "--no-vectors", "--no-causes", "-o", out, "-t", &target];
    assert_eq!(head(&fuzz).0, Some(10));
    // Nor does a closed standard error end anything.
    let line =
        format!("{} fuzz --nosuch 2>&1 >/dev/null | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_tandem"));
    if program::has("bash") {
        let status = std::process::Command::new("bash").args(["-c", &line]).status().expect("it runs");
        assert_eq!(status.code(), Some(2));
    }
}

#[test]
fn a_full_disk_is_an_error_that_names_the_stream() {
    if !Path::new("/dev/full").exists() {
        println!("not run: there is no /dev/full");
        return;
    }
    for arguments in [&["errata"][..], &["describe", "visa", "--json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it opens");
        let output = program::tandem().args(arguments).stdout(full).output().expect("the binary runs");
        let (_, stderr) = ended(program::told(&output), 15);
        assert!(stderr.contains("standard output: ") && !stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("it can be written");
    let below = file.join("out");
    let below = below.to_str().expect("the folder has a plain name");
    // Each of these would run for hours.
    for arguments in [
        &["fuzz", "-n", "4G"][..],
        &["fuzz", "-n", "4G", "-s", "1", "--shard", "1/2"],
        &["exhaust", "visa/mov", "--wide"],
        &["faults"],
        &["programs", "-n", "4G"],
        &["man"],
        &["vectors", "record", "--plain"],
    ] {
        let (_, stderr) =
            ended(program::told(&program::tandem().args(arguments).args(["-o", below]).output().expect("it runs")), 2);
        assert!(stderr.contains(below) && stderr.contains("check the path"), "{arguments:?}: {stderr}");
    }
    let (_, stderr) = ended(run(&["vectors", "check", "nosuch.json"]), 13);
    assert!(stderr.contains("nosuch.json: cannot be read (") && !stderr.contains("place /"), "{stderr}");
}

#[test]
fn shells_complete_every_command_and_each_has_its_page() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (script, _) = ended(run(&["completions", shell]), 0);
        for word in ["fingerprint", "max-findings", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let pages = tempfile::tempdir().expect("a folder for the pages");
    ended(run_into(pages.path(), &["man"]), 0);
    let read =
        |name: &str| std::fs::read_to_string(pages.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (words, command) in commands() {
        let page = read(&format!("tandem-{}.1", words.join("-")));
        assert!(page.contains(".SH SYNOPSIS"), "{words:?}");
        for option in options(&command) {
            assert!(page.replace('\\', "").contains(&format!("--{option}")), "{words:?} {option}");
        }
    }
    let (whole, _) = ended(program::told(&program::tandem().arg("man").output().expect("it runs")), 0);
    assert_eq!(whole, read("tandem.1"));
}

#[test]
fn an_instruction_is_shown_with_what_it_does() {
    let show = |set: &str| ended(run(&["show", "tensix-wh/mova2d", "--set", set]), 0);
    // One word, in a format that is named by its level; the codes of fields by their names.
    let (text, _) = show("SrcAFmt=BF16,Move8Rows=1,DstRow=8,SrcA[0][0][3]=0x4007f");
    assert!(text.contains("mode: cell ") && text.contains("SrcAFmt=BF16") && text.contains("Move8Rows=1"), "{text}");
    assert!(text.contains("DstRow      = 8"), "{text}");
    assert!(text.contains("what changes") && text.contains("before") && text.contains("after"), "{text}");
    let line = text.lines().find(|line| line.starts_with("DstBits[8][3]")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(line.split_whitespace().collect::<Vec<_>>()[1..5], ["0x0000", "0", "0x807f", "-1"], "{line}");
    // Where nobody says what data there are, there are some.
    let (text, note) = show("SrcAFmt=BF16");
    assert!(note.contains("1, 2, 3") && text.matches("\nDstBits[0][").count() == 16, "{text}{note}");
    // What a counter counts is a number, and the codes of fields have names.
    let (text, _) = ended(run(&["show", "tensix-wh/incrwc", "--set", "DstInc=3"]), 0);
    assert!(text.contains("RWCs[0].Dst   0       3"), "{text}");
    let (text, _) = ended(run(&["show", "visa/mov", "--set", "Dst.bit_properties.type=HF"]), 0);
    assert!(text.contains("Dst.bit_properties.type  = 14 (HF)"), "{text}");
    let (text, _) = ended(run(&["show", "visa/mov", "--set", "dst_type=HF,src_type=F"]), 0);
    assert!(text.contains("  V32.type = 0xe (14)  HF\n"), "{text}");
}
