//! Words of which the pages promise some bits: a target may do with the others what it likes, and with these it may not.

use rstest::rstest;
use tandem_harness::{Budget, Campaign, Plan, Progress, Suite, TargetFactory};
use tandem_isa::tensix::{Tensix, bank};
use tandem_isa::{Edition, State};

use crate::parts::{acting, instruction};

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;

/// The words of registers 0 to 7.
fn words(state: &State) -> Vec<u32> {
    (0..8 * 32).map(|place| state.word(bank::LREG, place / 32, place % 32)).collect()
}

/// `SFPMAD` promises of a NaN of Wormhole its exponent and its lowest bit, and of one of Blackhole each bit. Another instruction
/// promises all of what it moves, NaN or not.
#[rstest]
#[case("tensix-wh/sfpmad", SIGN | 0x7f_fffe, false)]
#[case("tensix-wh/sfpmad", 1, true)]
#[case("tensix-wh/sfpmad", 1 << 30, true)]
#[case("tensix-bh/sfpmad", SIGN, true)]
#[case("tensix-bh/sfpmad", 0x2, true)]
#[case("tensix-wh/sfpmuli", SIGN, false)]
#[case("tensix-wh/sfpabs", 0x2, true)]
fn bits_of_a_nan_that_are_flipped(#[case] path: &str, #[case] bits: u32, #[case] is_found: bool) {
    let ((isa, mad), (own, _)) = (instruction(path), instruction(path));
    let flips = move || {
        let mut right = own.targets.last().expect("there is a portable level").make();
        acting(move |step, state| {
            let before = words(state);
            let answer = right.execute(step, state);
            let written = words(state).into_iter().zip(before).enumerate().filter(|(_, (now, before))| now != before);
            let nans: Vec<_> = written.filter(|(_, (now, _))| now & !SIGN > INFINITY).collect();
            for (place, (now, _)) in nans {
                Tensix::new(state).set_lreg(place / 32, place % 32, now ^ bits);
            }
            answer
        })
    };
    let suite = Suite { isas: vec![isa.with_targets(vec![TargetFactory::new(flips)])] };
    let plan = Plan { threads: 2, ..Plan::new(1, Budget::Cases(20_000), vec![(mad, Edition::Newest)]) };
    let found = Campaign::new(&suite, &plan, &Progress::default()).run().findings;
    assert_eq!(!found.is_empty(), is_found, "{found:#?}");
}
