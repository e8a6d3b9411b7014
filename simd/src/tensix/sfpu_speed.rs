//! How fast `SFPLOAD` and `SFPSTORE` are, kernels alone and as whole instructions: ignored tests that measure.

use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::sfpload::{IMM10, MOD0, VD, mod0};
use tandem_isa::{Edition, Noise, State, Step, Target};

use super::sfpu::Run;
use super::sfpu_kit::{Which, instruction, isa, random_run};
use super::{TensixSimd, sfpload, sfpstore, sfpu_naive};
use crate::Level;

#[test]
#[ignore = "it measures"]
fn speed_of_instructions_and_of_the_literal_interpreter() {
    const REPEATS: u32 = 2_000_000;
    let modes = [("bf16", mod0::BF16), ("fp16", mod0::FP16), ("fp32", mod0::FP32), ("int8", mod0::INT8)];
    for (which, (name, mode)) in
        [Which::Load, Which::Store].into_iter().flat_map(|which| modes.map(|mode| (which, mode)))
    {
        let chip = Chip::Wormhole;
        let instruction = instruction(chip, which);
        let mut code = [instruction.base_code[0]];
        MOD0.set(&mut code, mode);
        VD.set(&mut code, 1);
        IMM10.set(&mut code, 64);
        let mut state = isa(chip).base_state();
        let mut line = format!("{which:?} {name}:");
        let mut measure = |what: &str, repeats: u32, run: &mut dyn FnMut(&mut State)| {
            let start = Instant::now();
            for _ in 0..repeats {
                run(black_box(&mut state));
            }
            line += &format!(" {what} {:.1} ns", start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats));
        };
        for level in Level::detect_all() {
            let mut target = TensixSimd::new(level);
            measure(level.name(), REPEATS, &mut |state| {
                let step = Step { instruction, edition: Edition::Newest, code: black_box(&code) };
                let _ = target.execute(&step, state);
            });
        }
        measure("literal", REPEATS / 20, &mut |state| sfpu_naive::execute(chip, which, black_box(code[0]), state));
        writeln!(std::io::stderr(), "{line}").expect("stderr is open");
    }
}

/// Measures the kernels of a level, on rows that change.
fn measure_kernels<K: sfpload::Kernels + sfpstore::Kernels>(name: &str, kernels: K) {
    const REPEATS: usize = 4_000_000;
    let mut noise = Noise::new(1);
    let mut runs: Vec<Run> = (0..16).map(|_| random_run(&mut noise)).collect();
    let mut registers = vec![[0_u32; 32]; 16];
    let mut line = format!("{name}:");
    let mut measure = |what: &str, run: &mut dyn FnMut(usize)| {
        let start = Instant::now();
        run(REPEATS);
        line += &format!(" {what} {:.1} ns", start.elapsed().as_secs_f64() * 1e9 / REPEATS as f64);
    };
    let moves = black_box(sfpload::Moves { moving: !0, odd: 0, infinite: 0 });
    let recipe = black_box(&sfpload::recipes(Chip::Wormhole)[mod0::BF16 as usize]);
    measure("load bf16", &mut |repeats| {
        for index in 0..repeats {
            sfpload::Kernels::narrow(
                kernels,
                recipe,
                moves,
                &runs[index % 16],
                black_box(&mut registers[index * 5 % 16]),
            );
        }
    });
    let moves = black_box(sfpstore::Moves { moving: !0, odd: 0 });
    let recipe = black_box(&sfpstore::recipes(Chip::Wormhole)[mod0::BF16 as usize]);
    measure("store bf16", &mut |repeats| {
        for index in 0..repeats {
            sfpstore::Kernels::narrow(
                kernels,
                recipe,
                moves,
                &registers[index % 16],
                black_box(&mut runs[index * 5 % 16]),
            );
        }
    });
    writeln!(std::io::stderr(), "{line}").expect("stderr is open");
}

#[test]
#[ignore = "it measures"]
fn speed_of_kernels() {
    for level in Level::detect_all() {
        match level {
            Level::Portable => measure_kernels("portable", crate::arch::portable::Portable),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(proof) => measure_kernels("avx2", proof),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(proof) => measure_kernels("avx512", proof),
        }
    }
}
