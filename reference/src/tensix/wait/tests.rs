//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::{BLACKHOLE, Tensix, WORMHOLE};
use tandem_isa::{Edition, Reference};

use super::*;
use crate::tensix::TensixReference;

/// Runs an instruction of thread 2 on its base code with these bits, and returns what all threads have latched then.
fn run(chip: Chip, name: &str, bits: u32) -> (Expectation, [Latched; 3]) {
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let instruction = isa.instruction(name).expect("both chips have it");
    let code = [instruction.base_code[0] | bits];
    let mut state = isa.base_state();
    Tensix::new(&mut state).small.current_thread = 2;
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    (promise, Tensix::new(&mut state).small.latched)
}

#[rstest]
// Nothing selected: the default masks, which are not the same on both chips.
#[case(0, 0, [0x7f, 0x0f], 0x40)]
#[case(0, 0x1ff, [0x7f, 0x0f], 0x1ff)]
#[case(0x400, 0x008, [0x400; 2], 0x008)]
#[case(0x1fff, 0x100, [0x1fff; 2], 0x100)]
fn stallwait_latches_its_masks_or_the_default_ones(
    #[case] condition_mask: u32,
    #[case] block_mask: u32,
    #[case] conditions: [u32; 2],
    #[case] blocks: u32,
) {
    for chip in Chip::ALL {
        let (promise, latched) = run(chip, "STALLWAIT", block_mask << 15 | condition_mask);
        let condition_mask = chip.pick(conditions[0], conditions[1]);
        let expected = Latched { opcode: Latched::STALLWAIT, condition_mask, block_mask: blocks, ..Latched::default() };
        assert_eq!((promise, latched), (Expectation::Done, [Latched::default(), Latched::default(), expected]));
    }
}

#[test]
fn bits_13_and_14_are_conditions_on_wormhole_alone() {
    for bit in [13, 14] {
        let (promise, latched) = run(Chip::Wormhole, "STALLWAIT", 1 << bit);
        assert_eq!((promise, latched[2].condition_mask), (Expectation::Done, 1 << bit));
        let (promise, _) = run(Chip::Blackhole, "STALLWAIT", 1 << bit);
        assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40")));
    }
}

#[rstest]
#[case(1, 0x81, 0x002, 0x002)]
#[case(2, 0x00, 0x000, 0x040)]
#[case(3, 0xff, 0x1ff, 0x1ff)]
fn semwait_latches_its_masks(
    #[case] condition_mask: u32,
    #[case] semaphore_mask: u32,
    #[case] block_mask: u32,
    #[case] blocks: u32,
) {
    for chip in Chip::ALL {
        let (promise, latched) = run(chip, "SEMWAIT", block_mask << 15 | semaphore_mask << 2 | condition_mask);
        let expected = Latched {
            opcode: Latched::SEMWAIT,
            condition_mask,
            block_mask: blocks,
            semaphore_mask,
            ..Latched::default()
        };
        assert_eq!((promise, latched), (Expectation::Done, [Latched::default(), Latched::default(), expected]));
    }
}

#[test]
fn semwait_without_a_condition_is_undefined() {
    for chip in Chip::ALL {
        let (promise, _) = run(chip, "SEMWAIT", 0x1ff << 15 | 0xff << 2);
        assert!(matches!(promise, Expectation::Undefined(_)));
        for bit in 10..15 {
            let (promise, _) = run(chip, "SEMWAIT", 1 << bit | 1);
            assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40")));
        }
    }
}

#[rstest]
// Ten bits above ten, or seven.
#[case(0, 0x3ff, 0x155, 0x7fd55, 1)]
#[case(1, 0x3ff, 0x155, 0x1fd55, 2)]
#[case(0, 0, 0, 0x7fc00, 1)]
fn streamwait_latches_its_target_value(
    #[case] condition: u32,
    #[case] block_mask: u32,
    #[case] target_lo: u32,
    #[case] target_value: u32,
    #[case] condition_mask: u32,
) {
    let instruction = BLACKHOLE.instruction("STREAMWAIT").expect("Blackhole has it");
    for stream_select in 0..4 {
        let bits = (block_mask & 0x1ff) << 15 | target_lo << 4 | condition << 3 | stream_select;
        let mut state = BLACKHOLE.base_state();
        let small = Tensix::new(&mut state).small;
        small.current_thread = 1;
        // Of the thread 0x1ff and 0x7f; of others, and above the fields, bits that are not read.
        small.thread_config = [[0; _]; 3];
        (small.thread_config[0][57], small.thread_config[1][57]) = (0x200, 0xfdff);
        (small.thread_config[2][58], small.thread_config[1][58]) = (0x01, 0xff7f);
        let step = Step { instruction, edition: Edition::Newest, code: &[instruction.base_code[0] | bits] };
        let promise = TensixReference.execute(&step, &mut state);
        let block_mask = if block_mask == 0 { 0x40 } else { 0x1ff };
        let expected = Latched {
            opcode: Latched::STREAMWAIT,
            condition_mask,
            block_mask,
            semaphore_mask: 0,
            target_value,
            stream_select,
        };
        assert_eq!((promise, Tensix::new(&mut state).small.latched[1]), (Expectation::Done, expected));
    }
}

#[test]
fn bits_2_and_14_of_a_streamwait_are_promised_nothing() {
    for bit in [2, 14] {
        let (promise, _) = run(Chip::Blackhole, "STREAMWAIT", 1 << bit);
        assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40")));
    }
}
