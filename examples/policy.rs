//! A served target that refuses as real, partial implementations do: the SIMD implementation behind a policy.
//!
//! ```sh
//! tandem fuzz tensix-wh --target 'cmd:target/release/examples/policy faults/policies/simulator-wormhole.toml'
//! ```
//!
//! The policy is a file (see `tandem_policy`), or the name of one that comes with the suite. `--json` speaks JSON
//! lines, and `--without-lies` shows what the policy's lies hide.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use tandem_harness::foreign::{Protocol, serve};
use tandem_isa::{Machine, Target};
use tandem_policy::{Policy, PolicyError, Refusing};

fn main() -> ExitCode {
    let (options, names): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let asked = |option: &str| options.iter().any(|asked| asked == option);
    let [name] = &names[..] else {
        return fail("usage: policy FILE.toml [--json] [--without-lies]");
    };
    let policy = match read(name) {
        Ok(policy) => Arc::new(policy),
        Err(why) => return fail(&why),
    };
    let lies = !asked("--without-lies");
    let protocol = if asked("--json") { Protocol::JsonLines } else { Protocol::Binary };
    let open = |isa: &'static Machine| {
        let has = policy.instructions().any(|instruction| instruction.isa == isa.name);
        let suite = tandem::wiring::suite();
        let simd = suite.isa(isa.name)?.targets.last().filter(|_| has)?.make();
        let target = Refusing::new(simd, Arc::clone(&policy));
        Some(Box::new(if lies { target } else { target.without_lies() }) as Box<dyn Target>)
    };
    match serve::targets(policy.name(), open, protocol) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

/// The policy in a file, or that of the suite with a name.
fn read(name: &str) -> Result<Policy, String> {
    let read = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}; name a file or a policy");
    let policy: Result<Policy, PolicyError> = if Path::new(name).extension().is_some() {
        let text = std::fs::read_to_string(name).map_err(|error| read(&error))?;
        Policy::read(name, &text)
    } else {
        Policy::embedded(name)
    };
    policy.map_err(|error| error.to_string())
}

fn fail(why: &str) -> ExitCode {
    eprintln!("policy: {why}");
    ExitCode::from(2)
}
