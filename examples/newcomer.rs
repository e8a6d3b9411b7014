//! What a newcomer writes: a file of tests with one line in it, for an implementation in Rust.
//!
//! `cargo test --example newcomer` runs its tests. The implementation is the best level of ours, of a few instructions; with
//! `NEWCOMER_FAULT` in the environment it has a mistake, and `tests/gates/newcomer.rs` looks at how the tests fail then.

/// The implementation.
mod emulator {
    use tandem_isa::tensix::Tensix;
    use tandem_isa::tensix::inst::vector::VD;
    use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};
    use tandem_simd::Level;
    use tandem_simd::tensix::TensixSimd;

    /// What it implements.
    const INSTRUCTIONS: [&str; 3] = ["tensix-wh/sfpand", "tensix-wh/setrwc", "tensix-bh/sfpand"];

    /// An emulator.
    pub struct Emulator {
        inner: TensixSimd,
        fault: String,
        /// Whether the step before, of the same program, was one of `SETRWC`.
        after_setrwc: bool,
    }

    /// A fresh emulator.
    pub fn new() -> Emulator {
        let fault = std::env::var("NEWCOMER_FAULT").unwrap_or_default();
        assert!(fault != "new", "there is no memory for an emulator");
        let level = *Level::detect_all().last().expect("every CPU has the portable level");
        Emulator { inner: TensixSimd::new(level), fault, after_setrwc: false }
    }

    impl Target for Emulator {
        fn info(&self) -> TargetInfo {
            TargetInfo { name: "emulator".to_string(), level: None }
        }

        fn implements(&self, instruction: &'static Facts) -> bool {
            self.fault != "nothing" && INSTRUCTIONS.contains(&&*instruction.path())
        }

        fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
            let faulty = step.instruction.path() == "tensix-wh/sfpand";
            match &*self.fault {
                "unsupported" if faulty => return Answer::Unsupported,
                "panic" if faulty => panic!("there is no register {}", VD.get(step.code)),
                _ => {}
            }
            let comes = self.fault == "bit" || (self.fault == "after" && self.after_setrwc);
            let is_wrong = comes && faulty && VD.get(step.code) == 3;
            self.after_setrwc = step.instruction.path() == "tensix-wh/setrwc";
            let before = is_wrong.then(|| *Tensix::new(state).lreg_row(3));
            let answer = self.inner.execute(step, state);
            if let Some(before) = before {
                // One bit of one lane of one register, where the register is written.
                let mut tensix = Tensix::new(state);
                if *tensix.lreg_row(3) != before {
                    tensix.lreg_row_mut(3)[17] ^= 1 << 30;
                }
            }
            answer
        }

        fn reset(&mut self) {
            self.after_setrwc = false;
        }

        fn claims(&self) -> Option<String> {
            (self.fault == "claims").then(|| "absent = [\"tensix-wh/sfpand\"]\nnonsense = 1\n".to_string())
        }
    }
}

tandem::conformance!(emulator::new);

/// What a failure of `tensix_wh::sfpand` says is to be pasted.
#[test]
fn tensix_wh_sfpand_lreg_value() {
    tandem::replays("tensix-wh/sfpand newest 0x7e000030 LReg[3][31]=0x00000001", emulator::new);
}

/// All of it in one go, without tests.
fn main() {
    tandem::check(emulator::new).cases(20_000).assert();
}
