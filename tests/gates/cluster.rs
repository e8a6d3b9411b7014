//! Gates on the array job of `docs/cluster.md`: Slurm runs it, tasks that were killed are queued again and go on, and the merge
//! writes the bytes of one machine.
//!
//! Each gate has a Slurm of its own, as the current user, in a folder: a controller and one node. It needs the packages
//! `slurmctld`, `slurmd` and `slurm-client` of Debian 12.

use std::fs::read_to_string;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Desk, ROOT, ended, has_version, told};
use crate::shards::faulty;

/// The longest that anything is waited for but the limits of time.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often it is looked.
const LOOK: Duration = Duration::from_millis(50);

/// A controller and a node, which end with it.
struct Cluster {
    desk: Desk,
    daemons: Vec<Child>,
}

/// A task of an array job, as `squeue` shows it.
#[derive(Debug)]
struct Task {
    /// As in `3_1`.
    name: String,
    state: String,
}

fn configuration(folder: &Path) -> String {
    let name = |program: &str, argument: &str| {
        let (_, stdout, _) = told(&Command::new(program).arg(argument).output().expect("it runs"));
        stdout.trim().to_string()
    };
    // Both are held until both are known.
    let ports = [0, 0].map(|_| TcpListener::bind("127.0.0.1:0").expect("there is a free port"));
    let [controller, node] = ports.each_ref().map(|port| port.local_addr().expect("it has an address").port());
    let (host, user, folder) = (name("hostname", "-s"), name("id", "-un"), folder.display());
    format!(
        "ClusterName=gate\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
         AuthType=auth/none\nCredType=cred/none\nSlurmUser={user}\nSlurmdUser={user}\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
         SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
         AccountingStorageType=accounting_storage/none\nMpiDefault=none\nSelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core\nSchedulerParameters=sched_interval=1,bf_interval=1\nKillWait=2\n\
         SlurmdParameters=config_overrides\nNodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs=8\n\
         PartitionName=all Nodes=node Default=YES\n"
    )
}

impl Cluster {
    /// Starts a controller and a node; nothing, and a word, where Slurm is not installed.
    fn start() -> Option<Self> {
        if !["slurmctld", "slurmd", "slurm-client"].iter().all(|package| has_version(package, "22.05")) {
            return None;
        }
        let mut cluster = Cluster { desk: Desk::new(), daemons: Vec::new() };
        for folder in ["state", "spool"] {
            std::fs::create_dir(cluster.desk.path(folder)).expect("it is made");
        }
        let text = configuration(&cluster.desk.path(""));
        std::fs::write(cluster.desk.path("slurm.conf"), text).expect("it is written");
        for (daemon, arguments) in [("slurmctld", &["-D", "-c"][..]), ("slurmd", &["-D", "-N", "node"])] {
            let mut command = cluster.command(daemon, arguments);
            let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            cluster.daemons.push(quiet.spawn().expect("it starts"));
        }
        let is_idle =
            || cluster.command("sinfo", &["-h", "-o", "%T"]).output().is_ok_and(|out| out.stdout == b"idle\n");
        cluster.wait_until("the node is there", PATIENCE, is_idle);
        Some(cluster)
    }

    /// A program of Slurm, for this cluster and no other. `tandem` is in the `PATH`, as the document has it.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if ["SLURM", "SBATCH"].iter().any(|of| name.to_string_lossy().starts_with(of)) {
                command.env_remove(name);
            }
        }
        let bin = Path::new(env!("CARGO_BIN_EXE_tandem")).parent().expect("it lies in a folder").display();
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{bin}:{path}:/usr/sbin:/sbin")).env("SLURM_CONF", self.desk.path("slurm.conf"));
        command.current_dir(self.desk.path("")).args(arguments);
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program, arguments).output().expect("it runs");
        ended(told(&output), 0).0.trim().to_string()
    }

    /// Queues a job, and gives its number.
    fn batch(&self, arguments: &[&str]) -> String {
        self.run("sbatch", &[&["--parsable"], arguments].concat())
    }

    /// Queues the array job of the document, two shards, with a fault in the target.
    fn array(&self, cases: &str, target: &str, options: &[&str]) -> String {
        let script = format!("{ROOT}/examples/cluster/array.sbatch");
        let slurm = ["--array=1-2", "--cpus-per-task=1"];
        self.batch(&[&slurm[..], options, &[&script], &campaign(cases, target)].concat())
    }

    /// Queues the merge of the document.
    fn merge(&self, job: &str, target: &str) -> String {
        let command = format!(
            "tandem merge runs/{job}/* --target '{target}' --no-vectors --no-causes --out report; test $? = 10"
        );
        self.batch(&[&format!("--dependency=afterok:{job}"), "--kill-on-invalid-dep=yes", "--wrap", &command])
    }

    fn tasks(&self, job: &str) -> Vec<Task> {
        let told = self.run("squeue", &["-h", "-t", "all", "-r", "-o", "%i %T", "-j", job]);
        let task = |line: &str| {
            let (name, state) = line.split_once(' ').expect("it was asked for two words");
            Task { name: name.to_string(), state: state.to_string() }
        };
        told.lines().map(task).collect()
    }

    fn state(&self, job: &str, number: u32) -> String {
        let name = format!("{job}_{number}");
        self.tasks(job).into_iter().find(|task| task.name == name).map(|task| task.state).unwrap_or_default()
    }

    /// Lets tasks that were queued again begin: Slurm has them wait for two minutes. A node takes no task again in the second in
    /// which it was killed there.
    fn begin_now(&self, job: &str) {
        std::thread::sleep(Duration::from_secs(3));
        for task in self.tasks(job).iter().filter(|task| task.state == "PENDING") {
            self.run("scontrol", &["update", &format!("JobId={}", task.name), "StartTime=now"]);
        }
    }

    /// Waits until all tasks of a job came to their end as they should.
    fn wait_for(&self, job: &str) {
        let has_ended = || {
            let tasks = self.tasks(job);
            let is_wrong = |task: &&Task| !["PENDING", "RUNNING", "COMPLETING", "COMPLETED"].contains(&&*task.state);
            assert_eq!(tasks.iter().filter(is_wrong).count(), 0, "{tasks:?}\n{}", self.said());
            tasks.iter().all(|task| task.state == "COMPLETED")
        };
        self.wait_until(&format!("job {job} ends"), PATIENCE, has_ended);
    }

    fn wait_until(&self, what: &str, patience: Duration, is_so: impl Fn() -> bool) {
        let begin = Instant::now();
        while !is_so() {
            assert!(begin.elapsed() < patience, "not within {} s: {what}\n{}", patience.as_secs(), self.said());
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until a shard has kept something, and gives the cases.
    fn wait_for_cases(&self, job: &str, number: u32, before: u64) -> u64 {
        let kept = self.desk.path(&format!("runs/{job}/{number}/campaign.json"));
        let cases = || {
            let text = read_to_string(&kept).unwrap_or_default();
            let kept: Value = serde_json::from_str(&text).unwrap_or_default();
            kept["left"]["checkpoint"]["cases"].as_u64().unwrap_or(0)
        };
        self.wait_until("a shard keeps how far it came", PATIENCE, || cases() > before);
        cases()
    }

    /// The process of a shard.
    fn process(&self, job: &str, number: u32) -> String {
        let out = format!("\0runs/{job}/{number}\0");
        let is_it = |folder: &PathBuf| {
            let words = read_to_string(folder.join("cmdline")).unwrap_or_default();
            words.split('\0').next().is_some_and(|program| program.ends_with("tandem"))
                && words.contains(&out)
                && std::fs::read_link(folder.join("cwd"))
                    .is_ok_and(|cwd| Ok(cwd) == self.desk.path("").canonicalize().map_err(drop))
        };
        let all = std::fs::read_dir("/proc").expect("it is Linux").map(|entry| entry.expect("it is there").path());
        let found = all.collect::<Vec<_>>().into_iter().find(is_it).expect("the shard runs");
        found.file_name().expect("it has a number").to_string_lossy().into_owned()
    }

    /// The output of a task, of all its runs.
    fn output(&self, job: &str, number: u32) -> String {
        read_to_string(self.desk.path(&format!("slurm-{job}_{number}.out"))).expect("a task has an output")
    }

    /// What all jobs and the controller said last.
    fn said(&self) -> String {
        let files =
            std::fs::read_dir(self.desk.path("")).expect("it is there").map(|entry| entry.expect("it is there").path());
        let outputs = files.filter(|path| path.extension().is_some_and(|kind| kind == "out" || kind == "log"));
        let texts = outputs.map(|path| (read_to_string(&path).unwrap_or_default(), path));
        let last =
            |text: &str| text.lines().skip(text.lines().count().saturating_sub(20)).collect::<Vec<_>>().join("\n");
        texts.map(|(text, path)| format!("== {}\n{}\n", path.display(), last(&text))).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let user =
            self.command("id", &["-un"]).output().map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
        let _ = self.command("scancel", &["-u", &user.unwrap_or_default()]).status();
        let begin = Instant::now();
        let is_busy = || self.command("squeue", &["-h"]).output().is_ok_and(|out| !out.stdout.is_empty());
        while begin.elapsed() < Duration::from_secs(10) && is_busy() {
            std::thread::sleep(LOOK);
        }
        for daemon in self.daemons.iter_mut().rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let _ = daemon.wait();
        }
    }
}

/// The campaign that is cut into shards.
fn campaign<'a>(cases: &'a str, target: &'a str) -> [&'a str; 8] {
    ["fuzz", "tensix-wh/mova2d", "--seed", "5", "--cases", cases, "--target", target]
}

/// What one machine comes to, with the report at the place where the merge has it.
fn whole(cases: &str, target: &str) -> String {
    let desk = Desk::new();
    ended(desk.run(&[&campaign(cases, target)[..], &["--no-vectors", "--no-causes", "--out", "report"]].concat()), 10);
    desk.result()
}

#[test]
fn a_task_that_was_killed_is_queued_again_and_the_merge_has_the_bytes_of_one_machine() {
    const CASES: &str = "300000";
    let Some(cluster) = Cluster::start() else { return };
    let target = faulty();
    let job = cluster.array(CASES, &target, &[]);
    let merge = cluster.merge(&job, &target);
    // The last task has the number of the whole array, which is not what is to be queued again.
    cluster.wait_for_cases(&job, 2, 0);
    ended(told(&Command::new("kill").args(["-KILL", &cluster.process(&job, 2)]).output().expect("kill runs")), 0);
    cluster.wait_until("it is queued again", PATIENCE, || cluster.state(&job, 2) == "PENDING");
    cluster.begin_now(&job);
    cluster.wait_for(&job);
    let output = cluster.output(&job, 2);
    assert!(output.contains("tandem ended with 137; queued again"), "{output}");
    assert!(output.contains("going on after "), "{output}");
    assert!(!cluster.output(&job, 1).contains("going on after "), "nobody touched it");
    cluster.wait_for(&merge);
    similar_asserts::assert_eq!(cluster.desk.result(), whole(CASES, &target));
}

/// More cases than any test waits for.
const MANY: &str = "2000000000";

/// Waits until tasks that were queued again go on.
fn wait_until_they_go_on(cluster: &Cluster, job: &str, numbers: &[u32]) {
    cluster.wait_until("it is queued again", PATIENCE, || {
        numbers.iter().all(|&number| cluster.state(job, number) == "PENDING")
    });
    cluster.run("scontrol", &["update", "NodeName=node", "State=IDLE"]);
    // This node did not really fail: it takes some seconds to end its tasks, and would refuse them before.
    std::thread::sleep(Duration::from_secs(8));
    cluster.begin_now(job);
    cluster.wait_until("tasks go on", PATIENCE, || {
        numbers.iter().all(|&number| cluster.output(job, number).contains("going on after "))
    });
}

#[test]
fn after_a_failed_node_tasks_go_on_and_one_that_was_cancelled_does_not() {
    let Some(cluster) = Cluster::start() else { return };
    let job = cluster.array(MANY, &faulty(), &[]);
    for number in [1, 2] {
        cluster.wait_for_cases(&job, number, 0);
    }
    cluster.run("scontrol", &["update", "NodeName=node", "State=DOWN", "Reason=gate"]);
    wait_until_they_go_on(&cluster, &job, &[1, 2]);
    cluster.run("scancel", &[&job]);
    cluster
        .wait_until("it is cancelled", PATIENCE, || cluster.tasks(&job).iter().all(|task| task.state == "CANCELLED"));
    assert!(!cluster.output(&job, 1).contains("queued again"), "{}", cluster.output(&job, 1));
}

#[test]
#[ignore = "Slurm counts limits of time in minutes"]
fn a_task_whose_time_is_over_is_queued_again() {
    let Some(cluster) = Cluster::start() else { return };
    let job = cluster.array(MANY, &faulty(), &["--time=2"]);
    let is_over =
        || [1, 2].iter().all(|&number| cluster.output(&job, number).contains("the time of this task is over"));
    cluster.wait_for_cases(&job, 2, 0);
    cluster.wait_until("the time is over", 2 * PATIENCE, is_over);
    wait_until_they_go_on(&cluster, &job, &[1, 2]);
}

#[test]
fn shards_that_are_missing_are_run_alone() {
    let Some(cluster) = Cluster::start() else { return };
    let script = format!("{ROOT}/examples/cluster/array.sbatch");
    let campaign = ["fuzz", "tensix-wh/sfpand", "--seed", "5", "--cases", "20000"];
    let run = |options: &[&str], export: &str| {
        let export = format!("--export=ALL{export}");
        cluster.batch(&[&["--cpus-per-task=1", &export][..], options, &[&script], &campaign].concat())
    };
    // An array with a gap says nothing of how many shards there are.
    let gap = run(&["--array=1,3"], "");
    cluster.wait_until("it fails", PATIENCE, || cluster.tasks(&gap).iter().all(|task| task.state == "FAILED"));
    assert!(cluster.output(&gap, 1).contains("SHARDS=N"), "{}", cluster.output(&gap, 1));
    ["--array=1,3", "--array=2"].iter().for_each(|array| cluster.wait_for(&run(&[array], ",RUN=all,SHARDS=3")));
    let merge = cluster.batch(&["--wrap", "tandem merge all/* --no-vectors --no-causes --out report"]);
    cluster.wait_for(&merge);
    let one = Desk::new();
    ended(one.run(&[&campaign[..], &["--no-vectors", "--no-causes", "--out", "report"]].concat()), 0);
    similar_asserts::assert_eq!(cluster.desk.result(), one.result());
}
