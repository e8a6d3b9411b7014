//! `PACR`, on both chips.
//!
//! The word says which packers are at work (`plan.rs`). For each, everything that can refuse by configuration is asked
//! first, and becomes a plan: which rows of `Dst` are fetched and where edges mask them (`rows.rs`), and what the
//! stages make of data (`formats.rs`). Then all data of the packer go through the stages, in an array of words: rows of
//! sixteen are fetched, and converted, masked, and put through ReLU on their way (`fetch.rs`); downsampling closes
//! gaps; the late conversion makes words for L1 (`late.rs`). What a stage refuses are bits that are gathered over all
//! of a run. Once all packers have their words, it is asked where these go to, and only then anything is written
//! (`output.rs`).
//!
//! What differs from the pages (PACR of both chips, and those of Packers, whose commits are in `isa/pages`), and why it
//! is equal:
//! 1. Both address generators are one plan. Channels of counters that they change are changed at the end: no packer
//!    reads what another one has changed.
//! 2. A float has its exponent and mantissa at one place in all types, and its type is known of all data alike. So
//!    types that differ by width alone need no conversion but a mask, and magnitudes compare as integers. Integers lie
//!    in the upper bits, so a sign is always the same bit.
//! 3. Rounding is a sum, and the carry goes into the exponent, as the exponent of what it carries to is one more.
//! 4. `Advance` of a position for each datum is one step for sixteen of them. A row of `Dst` whose data lie in two rows
//!    of the position has the columns of two masks.
//! 5. All forms of ReLU are one formula: what stays of what is above a threshold, and of what is not.
//! 6. `Update` of a histogram for each datum is one sum for each bin, as both stop at 255, and one maximum.
//! 7. Exponents of five bits are as those of eight bits that are below 32.
//! 8. A datum of BFP is shifted by at most nine bits for its exponent; beyond, nothing is left of it anyway.
//! 9. From nowhere come zeros, which are zero bytes in every format.
//! 10. Bytes that waited are put before those that come, so that a stream is rows of L1 from there on.
//!
//! Where the pages promise nothing, the instruction is unsupported, and all stays as it was. Counts of exponents of
//! INT8 and UINT8 stay. Denormals of E5M7 are zero in BFP8a, as those of BF16 are in BFP8.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::config::pack::enable_acc_stats;
use tandem_isa::tensix::{DATA, EXPONENTS, PACKER_STATS, PACKERS, Tensix};

use self::formats::{Kind, Packing};
use self::output::{Output, Run, WAITING};
use self::plan::{MOST_DATA, Order, Plan, Source};
use self::rows::Rows;
use super::instruction::{Decoded, Instruction};
use crate::vector::Vector;

mod fetch;
mod formats;
mod late;
mod output;
mod plan;
mod rows;

/// Something, if no lane has bits of what is refused.
#[inline(always)]
fn is_promised<V: Vector>(refused: V) -> Option<()> {
    (V::bits(refused.is_zero()) == u32::MAX >> (32 - V::LANES)).then_some(())
}

/// Data that lie in the same rows of `Dst` as so many do.
const fn in_rows(data: usize) -> usize {
    data + 32
}

/// Words that a packer puts so many data into at most, and an exponent for each sixteen of them.
const fn out_words(data: usize) -> usize {
    data + data / 64 + 4 * WAITING
}

/// What is enough for a face and one packer, which is what is asked for mostly.
const FACE: usize = 256;
const FEW: usize = in_rows(FACE) + out_words(FACE);
const MANY: usize = in_rows(MOST_DATA as usize) + PACKERS * out_words(MOST_DATA as usize);

/// `PACR`.
pub(crate) struct Pacr;

impl<V: Vector> Instruction<V> for Pacr {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(order) = Order::new(chip, &code, tensix.small) else { return Answer::Unsupported };
        // Zeros are only made of what is needed.
        let (mut few, mut many);
        let words: &mut [u32] = if order.is_of_few(FACE, tensix.small) {
            few = [0; FEW];
            &mut few
        } else {
            many = [0; MANY];
            &mut many
        };
        if pack::<V>(level, &order, words, tensix).is_none() { Answer::Unsupported } else { Answer::Done }
    }
}

/// Has all packers do their work, if all is promised; else nothing is changed.
#[inline(always)]
fn pack<V: Vector>(level: V::Level, order: &Order, words: &mut [u32], tensix: &mut Tensix<'_>) -> Option<()> {
    let mut outputs = [Output::default(); PACKERS];
    let mut all_stats = [None; PACKERS];
    let mut read = Run::default();
    let mut rows = Rows::new();
    let (mut at_work, mut used) = (0, 0);
    let room = if words.len() == FEW { in_rows(FACE) } else { in_rows(MOST_DATA as usize) };
    let (data, words) = words.split_at_mut(room);
    for packer in (0..PACKERS).filter(|packer| order.packers >> packer & 1 != 0) {
        let plan = plan::plan(order, packer, tensix.small, &mut rows)?;
        let first = match plan.source {
            Source::Null => 0,
            Source::L1 { address, bytes } => {
                let first = fetch::fetch_l1(order.chip, (address, bytes, plan.data), plan.in_format, tensix, data)?;
                read = Run::new(address as usize / 16, ((first + plan.data) * bytes).div_ceil(16));
                first
            }
            Source::Dst(from) => {
                let cells = Cell::from_mut(&mut *data).as_slice_of_cells();
                from.fetch::<V>(level, order.chip, rows.get(), tensix, cells)?;
                let data = &mut data[rows.column..][..plan.data];
                all_stats[at_work] = stats::<V>(level, order, &plan, data, tensix);
                if from.threshold > 0 {
                    fetch::threshold(from.threshold, data);
                }
                rows.column
            }
        };
        let output = &mut outputs[at_work];
        *output = Output { packer, adc: plan.adc, streams: plan.streams, position: rows.position, ..Output::default() };
        let exponents = used;
        let exponent_bytes = if plan.is_shared { plan.packed / 16 } else { 0 };
        let packed = exponents + exponent_bytes.div_ceil(16) * 4 + 2 * WAITING;
        let bytes = plan.packed * plan.bits / 8;
        used = packed + bytes.div_ceil(16) * 4 + 2 * WAITING;
        if !matches!(plan.source, Source::Null) {
            let data = &mut data[first..];
            if plan.kept != 0xffff {
                fetch::downsample(plan.kept, &mut data[..plan.data]);
            }
            let sixteens = plan.packed.next_multiple_of(16);
            data[plan.packed..sixteens].fill(0);
            if let Some(late) = plan.late {
                late.convert::<V>(level, Cell::from_mut(&mut data[..sixteens]).as_slice_of_cells())?;
                let data = &mut data[..plan.packed];
                if let Packing::Shared(bits) = late.packing {
                    let exponents = bytemuck::cast_slice_mut(&mut words[exponents + WAITING..]);
                    late::share::<V>(level, (bits, late.is_wide), data, &mut exponents[..exponent_bytes])?;
                }
                late::pack(late.packing, data, &mut words[packed + WAITING..used - WAITING]);
            }
        }
        let [of_exponents, of_data] = &mut output.streams;
        output.runs[EXPONENTS] = output::append(of_exponents, order.ends, exponent_bytes, exponents, words);
        output.runs[DATA] = output::append(of_data, order.ends, bytes, packed, words);
        at_work += 1;
    }
    let outputs = &outputs[..at_work];
    if !output::can_be_written(order.chip, outputs, read, tensix.small) {
        return None;
    }
    output::write(order, outputs, &all_stats, words, tensix);
    Some(())
}

/// What a packer has counted once data of `Dst` have passed, if that is said.
#[inline(always)]
fn stats<V: Vector>(
    level: V::Level,
    order: &Order,
    plan: &Plan,
    data: &mut [u32],
    tensix: &mut Tensix<'_>,
) -> Option<[u8; PACKER_STATS]> {
    let kind = plan.kind.filter(|kind| !matches!(kind, Kind::Int8 | Kind::Uint8))?;
    let enable = enable_acc_stats(order.chip);
    let with_bins = tensix.small.thread_config.iter().any(|words| enable.get(words) != 0);
    let mut stats = *tensix.packer_stats(plan.packer);
    fetch::count::<V>(level, kind, with_bins, data, &mut stats);
    Some(stats)
}
