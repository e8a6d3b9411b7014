//! The instruction of the mover, on both chips.
//!
//! All that the mover moves is rows of sixteen bytes, as L1 has them, so addresses and counts are of rows. First it is planned
//! what goes where, from the configuration: whatever can refuse is asked there, of both ranges to their ends, and changes
//! nothing. Then runs of rows go through a buffer, each as long as its page of L1 lets it be.
//!
//! What differs from the pages (XMOV, commit 39304719, and Mover, commit 29e53cf9), and why it is equal:
//! 1. What the mover does in the background happens at once.
//! 2. `memset` is `memcpy` from a buffer that nobody has filled.
//! 3. `Config[2][CFG_STATE_SIZE*4]` is an array of rows, as a bank ends with a row; so no row has words of two banks.
//! 4. A word of `Config` that is not in the state is not written. Instruction RAM is in no state, so nothing is written there,
//!    and nothing is read for it.
//! 5. A count of 0 moves nothing, and is nowhere, once the conditions hold that do not depend on it.
//! 6. `STATE_RESET_EN` is as with `WRCFG`, and what `memset` writes besides is zero as well, in any order. So is a word that
//!    both banks share, if the range has it twice; a `memcpy` with such a range has `STATE_RESET_EN` of the second bank.
//!
//! Where the pages promise nothing: beyond L1 or in no window, in L1 where both ranges meet, nowhere, behind both banks of
//! `Config`, and where a `memcpy` has `STATE_RESET_EN`, the instruction is unsupported, and all stays as it was.

use tandem_isa::Answer;
use tandem_isa::tensix::config::{self, STATE_RESET_EN, blackhole};
use tandem_isa::tensix::{Chip, L1_PAGE_ROWS, Small, Tensix};

use super::configuration::{state_id_of, write_bank};
use super::instruction::{Decoded, Instruction};
use super::l1::row_at;
use crate::vector::Vector;

// `xmov_direction_t`.
const L0_TO_L1: u32 = 0;
const L1_TO_L0: u32 = 1;
const L1_TO_L1: u32 = 3;

/// Rows of the space of `Config`, and of that of instruction RAM.
const REGION_ROWS: usize = 0x1_0000 / 16;

/// Rows of one bank of `Config`.
#[inline(always)]
const fn bank_rows(chip: Chip) -> usize {
    chip.config_size() / 4
}

// No row has words of two banks.
const _: () =
    assert!(Chip::Wormhole.config_size().is_multiple_of(4) && Chip::Blackhole.config_size().is_multiple_of(4));

/// Where rows go: from which row on.
#[derive(Clone, Copy, Debug)]
enum Target {
    L1(usize),
    /// Rows of both banks.
    Config(usize),
    /// Where nothing is of the state.
    Elsewhere,
}

/// What is to be done.
#[derive(Clone, Copy, Debug)]
struct Plan {
    to: Target,
    /// The row of L1 that the first one comes from, if they are not zero.
    from: Option<usize>,
    rows: usize,
}

/// Whether all of some rows, of which there are any, are of L1, and in windows.
#[inline(always)]
fn are_shown(chip: Chip, small: &Small, first: usize, rows: usize) -> bool {
    let end = first + rows;
    let mut pages = first / L1_PAGE_ROWS..end.div_ceil(L1_PAGE_ROWS);
    end <= chip.l1_bytes() / 16 && pages.all(|page| small.l1_place(page * L1_PAGE_ROWS).is_some())
}

/// What the configuration says, if all of it can be done.
#[inline(always)]
fn plan(chip: Chip, small: &Small) -> Option<Plan> {
    let [destination, source, size, direction] = chip
        .pick(
            [
                config::THCON_SEC0_REG6_Destination_address,
                config::THCON_SEC0_REG6_Source_address,
                config::THCON_SEC0_REG6_Buffer_size,
                config::THCON_SEC0_REG6_Transfer_direction,
            ],
            [
                blackhole::THCON_SEC0_REG6_Destination_address,
                blackhole::THCON_SEC0_REG6_Source_address,
                blackhole::THCON_SEC0_REG6_Buffer_size,
                blackhole::THCON_SEC0_REG6_Transfer_direction,
            ],
        )
        .map(|field| field.get(&small.config[state_id_of(small)]));
    let (destination, source, rows) = (destination << 4, source << 4, (size & 0xffff) as usize);
    let to = if matches!(direction, L0_TO_L1 | L1_TO_L1) {
        Target::L1(row_at(chip, destination)?)
    } else {
        let row = (destination & 0xffff) as usize / 16;
        if row + rows > REGION_ROWS {
            return None;
        }
        match destination >> 16 {
            0 => Target::Config(row),
            4 => Target::Elsewhere,
            _ if rows == 0 => Target::Elsewhere,
            _ => return None,
        }
    };
    let from = if matches!(direction, L1_TO_L0 | L1_TO_L1) { Some(row_at(chip, source)?) } else { None };
    if rows == 0 {
        return Some(Plan { to: Target::Elsewhere, from, rows });
    }
    let is_promised = match to {
        Target::L1(to) => are_shown(chip, small, to, rows) && from.is_none_or(|from| from.abs_diff(to) >= rows),
        Target::Config(to) => {
            let resets = |bank| (to..to + rows).contains(&(bank * bank_rows(chip) + STATE_RESET_EN / 4));
            to + rows <= 2 * bank_rows(chip) && (from.is_none() || !resets(0) && !resets(1))
        }
        // Nothing is read either.
        Target::Elsewhere => return Some(Plan { to, from, rows }),
    };
    (is_promised && from.is_none_or(|from| are_shown(chip, small, from, rows))).then_some(Plan { to, from, rows })
}

/// `XMOV`.
pub(crate) struct Xmov;

impl<V: Vector> Instruction<V> for Xmov {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(Plan { to, from, rows }) = plan(chip, tensix.small) else { return Answer::Unsupported };
        if let Target::Elsewhere = to {
            return Answer::Done;
        }
        let mut buffer = [[0; 4]; L1_PAGE_ROWS];
        let mut moved = 0;
        while moved < rows {
            let place = from.map_or(0, |from| (from + moved) % L1_PAGE_ROWS);
            let count = (L1_PAGE_ROWS - place).min(rows - moved);
            let run = &mut buffer[..count];
            if let Some(words) = from.and_then(|from| tensix.l1_rows(from + moved, count)) {
                run.copy_from_slice(words);
            }
            match to {
                Target::L1(to) => {
                    for (row, words) in (to + moved..).zip(run) {
                        if let Some(to) = tensix.l1_row_mut(row) {
                            *to = *words;
                        }
                    }
                }
                Target::Config(to) => {
                    for (row, words) in (to + moved..).zip(run) {
                        let (bank, row) = (row / bank_rows(chip), row % bank_rows(chip));
                        write_bank(chip, tensix.small, bank, 4 * row, words);
                    }
                }
                Target::Elsewhere => {}
            }
            moved += count;
        }
        Answer::Done
    }
}
