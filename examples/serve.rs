//! A served target: a right implementation, over standard input and output.
//!
//! ```sh
//! tandem fuzz --target 'cmd:target/release/examples/serve'
//! tandem fuzz --target 'cmd:target/release/examples/serve --json'
//! ```
//!
//! `--simd` serves the SIMD implementation instead, to measure the way without waiting for the implementation, and
//! `--fault=ID` (or `ID+ID`) one with a fault of `tandem faults`; `--model=Sum=fused` serves `DPAS` by that model,
//! whatever a case asks for. `--choosy` serves one that refuses a part of the cases, with reasons, and makes claims.

mod choosy;

use choosy::Choosy;
use tandem_faults::Right;
use tandem_harness::foreign::{Protocol, serve};
use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::{Machine, Target};

fn main() -> std::io::Result<()> {
    let asked = |option: &str| std::env::args().skip(1).any(|argument| argument == option);
    let protocol = if asked("--json") { Protocol::JsonLines } else { Protocol::Binary };
    if asked("--simd") {
        return serve::targets("served-simd", simd, protocol);
    }
    let fault = std::env::args().find_map(|argument| argument.strip_prefix("--fault=").map(str::to_string));
    let model = std::env::args().find_map(|argument| argument.strip_prefix("--model=").map(str::to_string));
    if let Some(model) = model {
        let readings = tandem::readings::of(&DPAS);
        let reading = readings.into_iter().find(|reading| reading.id == model).expect("there is such a model");
        let follows = |isa: &'static Machine| (isa.name == DPAS.isa).then(|| reading.factory.make());
        return serve::targets("served", follows, protocol);
    }
    let refuses = asked("--choosy");
    let plain = |_| match &fault {
        Some(fault) => tandem_faults::target(Some(fault)),
        None if refuses => Some(Box::new(Choosy::new(Box::new(Right))) as Box<dyn Target>),
        None => Some(Box::new(Right) as Box<dyn Target>),
    };
    serve::targets("served", plain, protocol)
}

/// The SIMD implementation of an instruction set, at the best level of this CPU.
fn simd(isa: &'static Machine) -> Option<Box<dyn Target>> {
    let suite = tandem::wiring::suite();
    suite.isa(isa.name)?.targets.last().map(tandem_harness::TargetFactory::make)
}
