//! Sequences worked out by hand from the pages.

use rstest::rstest;
use tandem_isa::Pushed::{MopCfg, Word};

use super::*;

const NOP: u32 = 0x0200_0000;
const fn mop(template: u32, count1: u32, mask_lo: u32) -> Pushed {
    Word(0x0100_0000 | template << 23 | count1 << 16 | mask_lo)
}
const fn replay_word(index: u32, count: u32, exec: u32, load: u32) -> u32 {
    0x0400_0000 | index << 14 | count << 4 | exec << 1 | load
}
const fn replay(index: u32, count: u32, exec: u32, load: u32) -> Pushed {
    Word(replay_word(index, count, exec, load))
}
/// An instruction that is none of the front end's.
const fn sfp(number: u32) -> u32 {
    0x7000_0000 | number
}

/// The words at the gate, of both chips.
fn words(pushed: &[Pushed]) -> Vec<u32> {
    let [wormhole, blackhole] = Chip::ALL.map(|chip| expand(chip, pushed).expect("the pages say what comes"));
    assert_eq!(wormhole, blackhole);
    wormhole.into_iter().map(|(_, word)| word).collect()
}

fn open(chip: Chip, pushed: &[Pushed]) -> (usize, LeftOpen) {
    let error = expand(chip, pushed).expect_err("the pages leave it open");
    assert!(error.to_string().contains(error.citation.reason));
    (error.place, error.open)
}

#[rstest]
// Template 0: flags with neither, InsnB, InsnA1 to InsnA3, or all; the mask is 0b10, of two iterations.
#[case(0, &[10, 20])]
#[case(1, &[10, 2, 20, 30])]
#[case(2, &[10, 11, 12, 13, 20])]
#[case(0xffff_ffff, &[10, 11, 12, 13, 2, 20, 30])]
fn template_0_goes_by_the_mask(#[case] flags: u32, #[case] expected: &[u32]) {
    let mop_cfg = [99, flags, 2, 10, 11, 12, 13, 20, 30].map(sfp);
    let mop_cfg = std::array::from_fn(|index| if index == 1 { flags } else { mop_cfg[index] });
    let expected: Vec<u32> = expected.iter().copied().map(sfp).collect();
    assert_eq!(words(&[MopCfg(mop_cfg), mop(0, 1, 2)]), expected);
}

/// MopCfg of template 1, whose operations are numbers, or 0 for none.
fn template_1(outer: u32, inner: u32, ops: [u32; 7]) -> Pushed {
    let ops = ops.map(|op| if op == 0 { NOP } else { sfp(op) });
    MopCfg([outer, inner, ops[0], ops[1], ops[2], ops[3], ops[4], ops[5], ops[6]])
}

#[rstest]
// StartOp, EndOp0, EndOp1, LoopOp, LoopOp1, Loop0Last, Loop1Last.
#[case(2, 2, [1, 2, 3, 4, 0, 6, 7], &[1, 4, 7, 2, 3, 1, 4, 6, 2, 3])]
// Twice as many with LoopOp1, which takes turns with LoopOp, and the turn goes on with the last.
#[case(2, 1, [0, 0, 0, 4, 5, 6, 7], &[4, 7, 4, 6])]
#[case(1, 2, [0, 0, 3, 4, 5, 6, 7], &[4, 5, 4, 6])]
// Without EndOp0 there is no EndOp1.
#[case(1, 1, [1, 0, 3, 4, 0, 6, 7], &[1, 6])]
// With a StartOp the inner loop may be empty.
#[case(2, 0, [1, 2, 0, 4, 0, 6, 7], &[1, 2, 1, 2])]
#[case(0, 5, [1, 2, 3, 4, 5, 6, 7], &[])]
// Odd: LoopOp alone in three iterations.
#[case(1, 3, [0, 2, 0, 4, 0, 6, 7], &[4, 4, 6, 2])]
fn a_mop_expands_by_its_template(
    #[case] outer: u32,
    #[case] inner: u32,
    #[case] ops: [u32; 7],
    #[case] expected: &[u32],
) {
    let expected: Vec<u32> = expected.iter().copied().map(sfp).collect();
    assert_eq!(words(&[template_1(outer, inner, ops), mop(1, 0, 0)]), expected);
}

#[test]
fn only_a_plain_nop_is_none() {
    for no_nop in [0x6000_0000, 0x8f00_0000] {
        let mop_cfg = MopCfg([1, 1, no_nop, NOP, NOP, sfp(4), NOP, sfp(6), sfp(7)]);
        assert_eq!(words(&[mop_cfg, mop(1, 0, 0)]), [no_nop, sfp(6)]);
    }
    assert_eq!(words(&[MopCfg([1, 1, NOP | 5, NOP, NOP, sfp(4), NOP, sfp(6), sfp(7)]), mop(1, 0, 0)]), [sfp(6)]);
}

#[test]
fn counts_are_of_seven_bits_or_of_ten() {
    for (chip, outer, inner, count) in [
        (Chip::Wormhole, 127, 127, 127 * (1 + 2 * 127 + 2)),
        (Chip::Wormhole, 0x80 | 2, 0xff80 | 1, 2 * (1 + 2 + 2)),
        (Chip::Blackhole, 0x80 | 2, 0xfc00 | 1, 130 * (1 + 2 + 2)),
        (Chip::Blackhole, 1023, 1023, 1023 * (1 + 2 * 1023 + 2)),
    ] {
        let pushed = [template_1(outer, inner, [1, 2, 3, 4, 5, 6, 7]), mop(1, 0, 0)];
        assert_eq!(expand(chip, &pushed).expect("the pages say what comes").len(), count);
    }
    // The most that the page names, on Wormhole: 127 times 257.
    assert_eq!(127 * (1 + 2 * 127 + 2), 32639);
}

#[test]
fn a_mask_has_its_upper_half_of_the_last_mop_cfg() {
    let mop_cfg = MopCfg([0, 0, NOP, sfp(1), NOP, NOP, NOP, sfp(2), NOP]);
    // 33 iterations: bit 31 alone is set by MOP_CFG, and it stays for the next MOP. Above it all are clear.
    let words = words(&[mop_cfg, Word(0x0300_8000), mop(0, 32, 1), mop(0, 32, 0)]);
    let skipped: Vec<usize> = words.iter().enumerate().filter(|(_, word)| **word == sfp(2)).map(|(at, _)| at).collect();
    assert_eq!((words.len(), skipped), (66, vec![0, 31, 33 + 31]));
    let pushed = [mop_cfg, mop(0, 31, 0)];
    assert!(expand(Chip::Wormhole, &pushed).expect("it is 0 at first").iter().all(|&(_, word)| word == sfp(1)));
}

#[test]
fn a_replay_records_and_replays() {
    let record = |index, count, exec| replay(index, count, exec, 1);
    // Recorded alone, it comes not before it is replayed; the places wrap at 32.
    let alone = [record(31, 2, 0), Word(sfp(1)), Word(sfp(2)), Word(sfp(3)), replay(31, 2, 0, 0), replay(0, 1, 1, 0)];
    assert_eq!(words(&alone), [3, 1, 2, 2].map(sfp));
    // Recorded and executed.
    assert_eq!(words(&[record(4, 1, 1), Word(sfp(1)), Word(sfp(2)), replay(4, 1, 0, 0)]), [1, 2, 1].map(sfp));
    // The place is that of the REPLAY.
    let placed = expand(Chip::Wormhole, &[record(0, 1, 1), Word(sfp(9)), replay(0, 1, 0, 0)]);
    assert_eq!(placed, Ok(vec![(1, sfp(9)), (2, sfp(9))]));
    // A Count of 0 is 32.
    let mut all = vec![record(5, 0, 0)];
    all.extend((0..33).map(|number| Word(sfp(number))));
    all.push(replay(5, 0, 0, 0));
    let expected: Vec<u32> = [32].into_iter().chain(0..32).map(sfp).collect();
    assert_eq!(words(&all), expected);
    // What is not over records on.
    assert_eq!(words(&[record(0, 3, 0), Word(sfp(1))]), []);
}

#[test]
fn a_replay_that_comes_of_a_mop_is_expanded() {
    let mop_cfg = MopCfg([2, 1, NOP, NOP, NOP, sfp(4), NOP, replay_word(0, 2, 0, 0), replay_word(1, 1, 0, 0)]);
    let pushed = [mop_cfg, replay(0, 2, 0, 1), Word(sfp(1)), Word(sfp(2)), mop(1, 0, 0)];
    assert_eq!(expand(Chip::Blackhole, &pushed), Ok(vec![(4, sfp(2)), (4, sfp(1)), (4, sfp(2))]));
    // What a MOP expands to is recorded as well.
    let mop_cfg = MopCfg([1, 2, NOP, NOP, NOP, sfp(4), NOP, sfp(5), sfp(6)]);
    assert_eq!(words(&[mop_cfg, replay(0, 2, 0, 1), mop(1, 0, 0), replay(1, 1, 0, 0)]), [sfp(5)]);
}

#[test]
fn what_the_pages_leave_open_is_an_error_by_name() {
    let ends = |end_op1| template_1(1, 0, [0, 2, end_op1, 4, 5, 6, 7]);
    for chip in Chip::ALL {
        assert_eq!(open(chip, &[Word(sfp(1)), mop(0, 0, 0)]), (1, LeftOpen::NoMopCfg));
        assert_eq!(open(chip, &[Word(0x0301_0000)]), (0, LeftOpen::UnnamedBits));
        for bit in [2, 3, 10, 11, 12, 13, 19, 20, 21, 22, 23] {
            assert_eq!(open(chip, &[Word(replay_word(0, 1, 0, 1) | 1 << bit)]), (0, LeftOpen::UnnamedBits));
        }
        assert_eq!(open(chip, &[ends(0), mop(1, 0, 0)]), (1, LeftOpen::NothingButEnds));
        assert_eq!(open(chip, &[ends(3), mop(1, 0, 0)]), (1, LeftOpen::NothingButEnds));
        let nested = MopCfg([0, 0, NOP, 0x0100_0000, NOP, NOP, NOP, NOP, NOP]);
        assert_eq!(open(chip, &[nested, mop(0, 0, 0)]), (1, LeftOpen::MopExpanded));
        for count in 33..64 {
            assert_eq!(open(chip, &[replay(0, count, 0, 1)]), (0, LeftOpen::CountAbove32));
        }
        assert_eq!(open(chip, &[replay(0, 1, 0, 1), Word(sfp(1)), replay(0, 2, 0, 0)]), (2, LeftOpen::NeverRecorded));
        let inner = replay(0, 1, 0, 0);
        assert_eq!(open(chip, &[replay(3, 1, 1, 1), inner]), (1, LeftOpen::ReplayRecorded));
        assert_eq!(open(chip, &[replay(3, 1, 0, 1), inner, replay(3, 1, 0, 0)]), (2, LeftOpen::ReplayRecorded));
    }
    let loops = template_1(1, 1, [1, 2, 3, 4, 5, 6, 7]);
    for bit in [0, 9, 10, 19] {
        let pushed = [loops, mop(1, 0, 1 << bit)];
        assert_eq!(open(Chip::Blackhole, &pushed), (1, LeftOpen::CountsOverridden));
        assert!(expand(Chip::Wormhole, &pushed).is_ok(), "template 1 has no fields there");
    }
}
