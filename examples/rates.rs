//! How fast a bad target is judged: cases a second of `MOVA2D` with an implementation that is right, and with the same one
//! made wrong in every case, by order, and beside its log. `rates [CASES]`, in release.

use std::time::Duration;

use tandem_harness::{Budget, Campaign, Plan, Progress, Suite, TargetFactory};
use tandem_isa::{Answer, Edition, Facts, State, Step, Target, TargetInfo, mix64};

/// How the target is bad.
#[derive(Clone, Copy, Debug)]
enum Bad {
    Not,
    EveryCase,
    ByOrder,
    Stray,
}

/// A right implementation, made bad.
struct Spoilt {
    right: Box<dyn Target>,
    bad: Bad,
    before: u64,
}

impl Target for Spoilt {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: format!("{:?}", self.bad), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.right.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let key = mix64(state.small.iter().fold(u64::from(step.code[0]), |sum, &byte| mix64(sum ^ u64::from(byte))));
        let answer = self.right.execute(step, state);
        let layout = state.layout;
        let mut rows = Vec::new();
        state.tracker.log.written.each(|row| rows.push(row));
        let is_wrong = match self.bad {
            Bad::Not | Bad::Stray => false,
            Bad::EveryCase => true,
            Bad::ByOrder => self.before % 2 == 1,
        };
        self.before = key;
        if let (true, Some(&row)) = (is_wrong, rows.first()) {
            let (bank, row) = layout.locate(row);
            state.arena[layout.banks[bank].row_range(row).start] ^= 1;
        }
        if matches!(self.bad, Bad::Stray) {
            let bank = layout.banks.len() - 1;
            state.arena[layout.banks[bank].row_range(5).start] ^= 1;
        }
        answer
    }

    fn reset(&mut self) {
        self.before = 0;
        self.right.reset();
    }
}

fn main() {
    let cases = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400_000);
    let suite = tandem::wiring::suite();
    let (isa, instruction) =
        suite.instructions().find(|(_, one)| one.path() == "tensix-wh/mova2d").expect("it is in the suite");
    for bad in [Bad::Not, Bad::EveryCase, Bad::ByOrder, Bad::Stray] {
        let make = move || {
            let right = Box::new(tandem_faults::Right) as Box<dyn Target>;
            Box::new(Spoilt { right, bad, before: 0 }) as Box<dyn Target>
        };
        let suite = Suite { isas: vec![isa.with_targets(vec![TargetFactory::new(make)])] };
        // As many as it does in a few seconds.
        let cases = if matches!(bad, Bad::Not) { cases } else { cases / 4 };
        let units = vec![(instruction, Edition::Newest)];
        let plan = Plan { minimize: None, ..Plan::new(1, Budget::Cases(cases), units) };
        let progress = Progress::default();
        let result = std::thread::scope(|scope| {
            let run = scope.spawn(|| Campaign::new(&suite, &plan, &progress).run());
            for _ in 0..80 {
                std::thread::sleep(Duration::from_millis(100));
                if run.is_finished() {
                    break;
                }
            }
            progress.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            run.join().expect("a campaign does not panic")
        });
        let rate = result.cases as f64 / result.elapsed.as_secs_f64();
        println!("{bad:?}: {} cases, {rate:.0} a second", result.cases);
        for finding in &result.findings {
            println!("  {} in {} cases, first {}", finding.signature, finding.count, finding.first.id);
        }
    }
}
