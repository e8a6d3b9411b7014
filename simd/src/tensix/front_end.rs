//! The front end of a thread: what comes to the Wait Gate of what a core pushes.
//!
//! The MOP Expander makes a list of words of each word; the Replay Expander takes these one by one. Words are the sole thing
//! that goes from one to the other, and the Replay Expander never keeps a core from pushing: each pushed thing is followed to
//! its end before the next.
//!
//! What differs from the pages (MOP, MOP_CFG, MOPExpander, REPLAY), and why it is equal:
//! 1. Template 0 is two rows of words; the mask chooses one each round. It is as wide as there are rounds at most, so its
//!    bits above the 32 are zeros, as those are that come in from the left.
//! 2. Template 1 is one row of words; all but the last of the inner loop are the same in each round of the outer one. Two
//!    words that alternate are twice as many, an even number, so that each round begins with the first one.
//! 3. A recording is what is left of it: a slot, and how many words. Zero words are 64, in the one case as in the other.

use tandem_isa::Pushed;

const MOP: u32 = 0x01;
const NOP: u32 = 0x02;
const MOP_CFG: u32 = 0x03;
const REPLAY: u32 = 0x04;

/// How many slots a replay buffer has.
const SLOTS: usize = 32;

const fn opcode(word: u32) -> u32 {
    word >> 24
}

const fn is_nop(word: u32) -> bool {
    opcode(word) == NOP
}

/// A field of a word: `width` bits from bit `low`.
const fn field(word: u32, low: u32, width: u32) -> usize {
    ((word >> low) & ((1 << width) - 1)) as usize
}

/// The words that come to the Wait Gate of what a core pushes to a thread that was just reset, each with the place in `pushed`
/// of what made it come: a word, or the `MOP` or `REPLAY` that stands for it.
///
/// None if the pages leave open what comes:
/// - a `MOP` is pushed before any `MopCfg`;
/// - a slot is replayed to which nothing was recorded;
/// - a `MOP`, `MOP_CFG` or `REPLAY` comes to the Wait Gate, which the table of page STALLWAIT says that none does: `MopCfg`
///   holds one of the first two, or a `REPLAY` is recorded and then executed.
///
/// *Source*: pages MOP, `MOP_CFG`, MOPExpander and REPLAY of Wormhole.
#[must_use]
pub fn expand(pushed: &[Pushed]) -> Option<Vec<(usize, u32)>> {
    let (mut mop, mut replay, mut come) = (MopExpander::default(), ReplayExpander::default(), Vec::new());
    for (place, pushed) in pushed.iter().enumerate() {
        for word in mop.take(pushed)? {
            come.extend(replay.take(word)?.into_iter().map(|word| (place, word)));
        }
    }
    let is_open = |word: u32| matches!(opcode(word), MOP | MOP_CFG | REPLAY);
    (!come.iter().any(|(_, word)| is_open(*word))).then_some(come)
}

#[derive(Default)]
struct MopExpander {
    cfg: Option<[u32; 9]>,
    mask_hi: u32,
}

impl MopExpander {
    /// What goes on to the Replay Expander.
    fn take(&mut self, pushed: &Pushed) -> Option<Vec<u32>> {
        let word = match pushed {
            Pushed::MopCfg(cfg) => {
                self.cfg = Some(*cfg);
                return Some(Vec::new());
            }
            Pushed::Word(word) => *word,
        };
        Some(match opcode(word) {
            MOP_CFG => {
                self.mask_hi = word << 16;
                Vec::new()
            }
            MOP if field(word, 23, 1) == 0 => {
                template0(self.cfg?, self.mask_hi | word & 0xffff, field(word, 16, 7) + 1)
            }
            MOP => template1(self.cfg?),
            _ => vec![word],
        })
    }
}

fn template0(cfg: [u32; 9], mask: u32, rounds: usize) -> Vec<u32> {
    let [_, flags, b, a0, a1, a2, a3, skip_a0, skip_b] = cfg;
    let b = &[b][..usize::from(flags & 1 != 0)];
    let a123 = &[a1, a2, a3][..if flags & 2 != 0 { 3 } else { 0 }];
    let rows = [[&[a0], a123, b].concat(), [&[skip_a0], &[skip_b][..b.len()]].concat()];
    let chosen = |round| &rows[(u128::from(mask) >> round) as usize & 1];
    (0..rounds).flat_map(chosen).copied().collect()
}

fn template1(cfg: [u32; 9]) -> Vec<u32> {
    let [outer, inner, start, end0, end1, loop_op, loop_op1, loop0_last, loop1_last] = cfg;
    let alternating = &[loop_op, loop_op1][..if is_nop(loop_op1) { 1 } else { 2 }];
    let ends = &[end0, end1][..match [end0, end1].map(is_nop) {
        [true, _] => 0,
        [_, true] => 1,
        _ => 2,
    }];
    let starts = &[start][..usize::from(!is_nop(start))];
    let mut inner = alternating.repeat(field(inner, 0, 7));
    let outer = match field(outer, 0, 7) {
        // The page's bug of the hardware.
        1 if starts.is_empty() && inner.is_empty() && !ends.is_empty() => 1 + 128,
        outer => outer,
    };
    let mut row = |last| {
        if let Some(at) = inner.last_mut() {
            *at = last;
        }
        [starts, &inner, ends].concat()
    };
    match outer.checked_sub(1) {
        None => Vec::new(),
        Some(others) => [row(loop1_last).repeat(others), row(loop0_last)].concat(),
    }
}

#[derive(Default)]
struct ReplayExpander {
    slots: [Option<u32>; SLOTS],
    recording: Option<Recording>,
}

/// What is still to be recorded.
#[derive(Clone, Copy)]
struct Recording {
    slot: usize,
    left: usize,
    executes: bool,
}

impl ReplayExpander {
    /// What goes on to the Wait Gate.
    fn take(&mut self, word: u32) -> Option<Vec<u32>> {
        if let Some(Recording { slot, left, executes }) = self.recording.take() {
            self.slots[slot % SLOTS] = Some(word);
            self.recording = (left > 1).then_some(Recording { slot: slot + 1, left: left - 1, executes });
            return Some(if executes { vec![word] } else { Vec::new() });
        }
        if opcode(word) != REPLAY {
            return Some(vec![word]);
        }
        let count = match field(word, 4, 6) {
            0 => 64,
            count => count,
        };
        let slot = field(word, 14, 5);
        if field(word, 0, 1) != 0 {
            self.recording = Some(Recording { slot, left: count, executes: field(word, 1, 1) != 0 });
            return Some(Vec::new());
        }
        self.slots.iter().copied().cycle().skip(slot).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Pushed::{self, MopCfg, Word};

    use super::expand;

    const NOP: u32 = 0x0200_0000;
    // Words that mean nothing to the front end.
    const A: u32 = 0x7000_0001;
    const B: u32 = 0x7000_0002;
    const C: u32 = 0x7000_0003;
    const D: u32 = 0x7000_0004;
    const E: u32 = 0x7000_0005;
    const F: u32 = 0x7000_0006;
    const G: u32 = 0x7000_0007;

    const fn mop0(count1: u32, mask_lo: u32) -> Pushed {
        Word(0x0100_0000 | count1 << 16 | mask_lo)
    }

    const MOP1: Pushed = Word(0x0180_0000);

    const fn mop_cfg(mask_hi: u32) -> Pushed {
        Word(0x0300_0000 | mask_hi)
    }

    const fn replay(index: u32, count: u32) -> u32 {
        0x0400_0000 | index << 14 | count << 4
    }

    const fn record(index: u32, count: u32, exec: u32) -> Pushed {
        Word(replay(index, count) | exec << 1 | 1)
    }

    /// The words that come, and the places that they came of.
    fn come(pushed: &[Pushed]) -> (Vec<u32>, Vec<usize>) {
        let (places, words) = expand(pushed).expect("the pages say what comes").into_iter().unzip();
        (words, places)
    }

    fn words(pushed: &[Pushed]) -> Vec<u32> {
        come(pushed).0
    }

    #[test]
    fn other_words_pass() {
        assert_eq!(come(&[Word(A), MopCfg([0; 9]), mop_cfg(7), Word(NOP), Word(B)]), (vec![A, NOP, B], vec![0, 3, 4]));
        assert_eq!(expand(&[]), Some(vec![]));
    }

    #[test]
    fn template_0_executes_where_the_mask_has_zeros_and_skips_where_it_has_ones() {
        let cfg = |flags| MopCfg([99, flags, B, A, C, D, E, F, G]);
        // The mask's lowest bit comes first: 1, 0, 0.
        let of = |flags| words(&[cfg(flags), mop0(2, 0b001)]);
        assert_eq!(of(0b00), [F, A, A]);
        assert_eq!(of(0b01), [F, G, A, B, A, B]);
        assert_eq!(of(0b10), [F, A, C, D, E, A, C, D, E]);
        assert_eq!(of(0b11), [F, G, A, C, D, E, B, A, C, D, E, B]);
        // Two bits of the flags are looked at, and the last nine words that were written.
        assert_eq!(words(&[cfg(3), cfg(0x100), mop0(0, 0)]), [A]);
    }

    #[test]
    fn the_high_half_of_the_mask_stays_until_another_one_and_zeros_follow_it() {
        let cfg = MopCfg([0, 0, 0, A, 0, 0, 0, F, 0]);
        let zeros = [A].repeat(16);
        assert_eq!(words(&[cfg, mop0(16, 0)]), [A].repeat(17));
        // 16 zeros, then a one: twice, and not after a high half of zero.
        let high = [&zeros[..], &[F]].concat();
        assert_eq!(
            words(&[mop_cfg(1), cfg, mop0(16, 0), mop0(16, 0), mop_cfg(0), mop0(0, 0)]),
            [high.clone(), high, vec![A]].concat()
        );
        // 128 rounds; after the 32 bits none is skipped.
        assert_eq!(words(&[cfg, mop_cfg(0xffff), mop0(127, 0xffff)]), [[F].repeat(32), [A].repeat(96)].concat());
    }

    #[test]
    fn template_1_is_two_loops_whose_last_words_differ() {
        let cfg = |outer, inner, start, end0, end1, op1| MopCfg([outer, inner, start, end0, end1, A, op1, F, G]);
        let of = |cfg| words(&[cfg, MOP1]);
        assert_eq!(of(cfg(2, 3, C, D, E, NOP)), [C, A, A, G, D, E, C, A, A, F, D, E]);
        // Two alternate, each as often as the count says; the last one is replaced.
        assert_eq!(of(cfg(2, 2, NOP, NOP, NOP, B)), [A, B, A, G, A, B, A, F]);
        assert_eq!(of(cfg(1, 1, C, D, NOP, B)), [C, A, F, D]);
        // No second end without a first one; a `NOP` is known by its opcode.
        assert_eq!(of(cfg(1, 1, NOP | 5, NOP | 6, E, NOP | 7)), [F]);
        // Seven bits are the count; none of the loop is none at all.
        assert_eq!(of(cfg(0x82, 0x81, NOP, NOP, NOP, NOP)), [G, F]);
        assert_eq!(of(cfg(2, 0, C, NOP, NOP, B)), [C, C]);
        assert_eq!(of(cfg(0, 3, C, D, E, B)), []);
        // The loop's own words go on, `NOP` or not.
        assert_eq!(words(&[MopCfg([1, 2, NOP, NOP, NOP, NOP, NOP, NOP, A]), MOP1]), [NOP, NOP]);
        // As many as one can become.
        assert_eq!(of(cfg(127, 127, C, D, E, B)).len(), 32639);
    }

    #[test]
    fn one_round_of_nothing_but_an_end_is_128_more() {
        let cfg = |outer, inner, start, end0, end1| MopCfg([outer, inner, start, end0, end1, A, B, F, G]);
        assert_eq!(words(&[cfg(1, 0, NOP, D, NOP), MOP1]), [D].repeat(129));
        assert_eq!(words(&[cfg(1, 0, NOP, D, E), MOP1]), [D, E].repeat(129));
        assert_eq!(words(&[cfg(2, 0, NOP, D, NOP), MOP1]), [D, D]);
        assert_eq!(words(&[cfg(1, 0, C, D, NOP), MOP1]), [C, D]);
        assert_eq!(words(&[cfg(1, 0, NOP, NOP, E), MOP1]), []);
        assert_eq!(words(&[cfg(1, 1, NOP, D, NOP), MOP1]), [A, F, D]);
    }

    #[test]
    fn replay_gives_back_what_was_recorded() {
        let again = Word(replay(31, 2));
        // Around the end of the buffer; executed when it is recorded, or not.
        assert_eq!(come(&[record(31, 2, 0), Word(A), Word(B), again, Word(C)]), (vec![A, B, C], vec![3, 3, 4]));
        assert_eq!(come(&[record(31, 2, 1), Word(A), Word(B), again]), (vec![A, B, A, B], vec![1, 2, 3, 3]));
        assert_eq!(words(&[record(31, 2, 0), Word(A), Word(B), Word(replay(0, 1))]), [B]);
        // Not all came yet.
        assert_eq!(words(&[record(0, 3, 1), Word(A)]), [A]);
    }

    #[test]
    fn a_count_of_zero_is_64_which_is_twice_around() {
        let many: Vec<u32> = (0..64).map(|number| A + number).collect();
        let pushed = many.iter().map(|word| Word(*word));
        let recorded: Vec<Pushed> = [record(3, 0, 0)].into_iter().chain(pushed).chain([Word(replay(3, 0))]).collect();
        // The second 32 are where the first were.
        assert_eq!(words(&recorded), [&many[32..], &many[32..]].concat());
    }

    #[test]
    fn what_a_mop_becomes_is_recorded_and_may_be_a_replay() {
        let cfg = MopCfg([1, 3, NOP, NOP, NOP, A, NOP, B, G]);
        assert_eq!(come(&[cfg, record(0, 4, 0), MOP1, Word(C), Word(replay(1, 3))]), (vec![A, B, C], vec![4; 3]));
        let replays = MopCfg([2, 1, C, NOP, NOP, NOP, NOP, replay(0, 2), replay(1, 1)]);
        assert_eq!(come(&[record(0, 2, 0), Word(A), Word(B), replays, MOP1]), (vec![C, B, C, A, B], vec![4; 5]));
    }

    #[test]
    fn where_the_pages_leave_it_open_nothing_is_said() {
        // No configuration; a slot without a word.
        assert_eq!(expand(&[mop0(0, 0)]), None);
        assert_eq!(expand(&[MOP1, MopCfg([NOP; 9])]), None);
        assert_eq!(expand(&[record(0, 1, 0), Word(A), Word(replay(0, 2))]), None);
        // A `MOP` that a `MOP` became, and a `REPLAY` that was recorded; but not if none is executed.
        let cfg = MopCfg([1, 1, NOP, NOP, NOP, NOP, NOP, 0x0100_0000, A]);
        assert_eq!(expand(&[cfg, MOP1]), None);
        let recorded = [record(0, 1, 0), Word(replay(0, 1)), Word(B), Word(replay(0, 1))];
        assert_eq!(expand(&recorded), None);
        assert_eq!(words(&recorded[..3]), [B]);
        assert_eq!(expand(&[record(0, 1, 1), Word(replay(0, 1))]), None);
    }
}
