//! What comes to the Wait Gate of what a core pushes, by both readings of the pages of MOP and Replay Expander.

use std::cell::Cell;

use proptest::prelude::*;
use tandem_isa::Pushed;
use tandem_isa::tensix::Chip;
use tandem_reference::tensix::frontend::expand as by_the_page;
use tandem_simd::tensix::front_end::expand as by_simd;

const CASES: u32 = 100_000;

/// A word of an opcode, with these fields and any other bits.
fn word(opcode: u32, fields: u32, others: u32, any: u32) -> u32 {
    opcode << 24 | fields | any & others
}

/// A `REPLAY`: mostly of few words, mostly near the first slot.
fn replay() -> impl Strategy<Value = u32> {
    let count = prop_oneof![8 => 1u32..6, 1 => 0u32..64];
    let index = prop_oneof![3 => 0u32..4, 1 => 0u32..32];
    // Bits that no field has.
    (count, index, any::<u32>()).prop_map(|(count, index, any)| word(0x04, count << 4 | index << 14, 0x00f8_3c0f, any))
}

/// A `MOP`, mostly of few rounds.
fn mop() -> impl Strategy<Value = u32> {
    let count = prop_oneof![8 => 0u32..5, 1 => 0u32..128];
    (count, any::<u32>()).prop_map(|(count, any)| word(0x01, count << 16, 0x0080_ffff, any))
}

/// What `MopCfg` holds, or a core pushes, but for what the MOP Expander takes.
fn instruction() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => 0x7000_0000u32..0x7000_0008,
        4 => any::<u32>().prop_map(|any| word(0x02, 0, 0x00ff_ffff, any)),
        2 => replay(),
        1 => any::<u32>(),
    ]
}

/// A count in the low seven bits, with others above them.
fn count() -> impl Strategy<Value = u32> {
    let count = prop_oneof![8 => 0u32..5, 1 => 0u32..128];
    (count, any::<u32>()).prop_map(|(count, any)| count | any << 7)
}

fn mop_cfg() -> impl Strategy<Value = Pushed> {
    let words = prop::array::uniform7(instruction());
    (count(), count(), words)
        .prop_map(|(outer, inner, [a, b, c, d, e, f, g])| Pushed::MopCfg([outer, inner, a, b, c, d, e, f, g]))
}

fn pushed() -> impl Strategy<Value = Pushed> {
    prop_oneof![
        4 => instruction().prop_map(Pushed::Word),
        4 => mop().prop_map(Pushed::Word),
        2 => any::<u32>().prop_map(|any| Pushed::Word(word(0x03, 0, 0x00ff_ffff, any))),
        2 => mop_cfg(),
    ]
}

/// Often with a configuration and a full buffer before all else, so that something is promised.
fn list() -> impl Strategy<Value = Vec<Pushed>> {
    let recorded = (0..32).map(|slot| Pushed::Word(0x7100_0000 | slot));
    let full: Vec<Pushed> = [Pushed::Word(0x0400_0201)].into_iter().chain(recorded).collect();
    let before = prop_oneof![3 => Just(full), 1 => Just(Vec::new())];
    (before, prop::option::weighted(0.8, mop_cfg()), prop::collection::vec(pushed(), 0..7))
        .prop_map(|(before, cfg, list)| before.into_iter().chain(cfg).chain(list).collect())
}

#[test]
fn both_readings_of_the_front_end_agree_on_words_and_places_wherever_something_is_promised() {
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        let promised = Cell::new(0);
        let mut runner = prop::test_runner::TestRunner::new(ProptestConfig::with_cases(CASES));
        let agree = runner.run(&list(), |pushed| {
            if let Ok(come) = by_the_page(chip, &pushed) {
                promised.set(promised.get() + 1);
                prop_assert_eq!(by_simd(&pushed), Some(come));
            }
            Ok(())
        });
        agree.unwrap_or_else(|error| panic!("{chip:?}: {error}"));
        let promised = promised.get();
        assert!(promised > CASES / 4, "{chip:?}: of {promised} of {CASES} lists only do the pages say what comes");
    }
}
