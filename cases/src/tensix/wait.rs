//! Cases of the instructions that the Wait Gate latches, and the axis of what it has latched, on both chips.

use std::marker::PhantomData;

use tandem_isa::tensix::inst::control::SEMAPHORE_MASK;
use tandem_isa::tensix::inst::wait::{BLOCK_MASK, CONDITION_MASK, CONDITION_MASK_BH, SEMAPHORE_CONDITION_MASK};
use tandem_isa::tensix::{Chip, Latched, Mnemonic};
use tandem_isa::{Axis, BenchClass, Noise, Parts, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::banks::{BANKS, OWNERS};
use super::control::{NO_DATA, SELECTED, bench, held, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::parts::{THREAD, peek, small, thread_of};
use super::{CASES, Cases, Class, On, axes};

// -------------------------------------------------------------------------------------------------- what is latched

/// What is latched: nothing; or a `STALLWAIT` that waits for none, one or several of the owners of banks, or a `SEMWAIT`
/// for each condition mask, with a block bit of the instruction, or without one.
const LATCHED: &[&str] = &[
    "none",
    "STALLWAIT, no owner",
    "STALLWAIT, one owner",
    "STALLWAIT, owners",
    "SEMWAIT, zero",
    "SEMWAIT, full",
    "SEMWAIT, both",
    "STALLWAIT of others, no owner",
    "STALLWAIT of others, one owner",
    "STALLWAIT of others, owners",
    "SEMWAIT of others, zero",
    "SEMWAIT of others, full",
    "SEMWAIT of others, both",
];

/// The levels that an instruction with these block bits can have: one that all bits hold has no others.
const fn latched_levels(block_bits: u32) -> &'static [&'static str] {
    if block_bits == ALL_BLOCK_BITS { LATCHED.split_at(7).0 } else { LATCHED }
}

const ALL_BLOCK_BITS: u32 = 0x1ff;

/// The bits of a condition mask of `STALLWAIT`, and those of them that look at the owners of banks.
const fn conditions(chip: Chip) -> (u32, u32) {
    chip.pick((0x7fff, 0xf << 8), (0x1fff, 0xf << 5))
}

/// One of the bits of a mask.
fn one_of(mask: u32, noise: &mut Noise) -> u32 {
    let place = noise.below(mask.count_ones() as usize);
    1 << (0..32).filter(|bit| mask >> bit & 1 != 0).nth(place).expect("the mask has as many bits")
}

/// The thread gets a latched wait instruction of a level.
fn set_latched(parts: &mut Parts<'_>, level: usize, noise: &mut Noise, chip: Chip, block_bits: u32) {
    let latched = match level.checked_sub(1).map(|kind| (kind % 6, kind >= 6)) {
        None => Latched::default(),
        Some((kind, is_of_others)) => {
            let its = if is_of_others { ALL_BLOCK_BITS & !block_bits } else { block_bits };
            let any = if is_of_others { its } else { ALL_BLOCK_BITS };
            let block_mask = one_of(its, noise) | noise.bits(9) & any;
            let (all, owners) = conditions(chip);
            let rest = noise.bits(15) & all & !owners;
            match kind {
                0 => Latched {
                    opcode: Latched::STALLWAIT,
                    condition_mask: one_of(all & !owners, noise) | rest,
                    block_mask,
                    semaphore_mask: 0,
                },
                1 | 2 => {
                    let one = one_of(owners, noise);
                    let further = if kind == 1 { 0 } else { one_of(owners & !one, noise) | noise.bits(15) & owners };
                    let condition_mask = one | further | rest;
                    Latched { opcode: Latched::STALLWAIT, condition_mask, block_mask, semaphore_mask: 0 }
                }
                _ => {
                    let semaphore_mask = [one_of(0xff, noise), noise.bits(8)][noise.below(2)];
                    Latched { opcode: Latched::SEMWAIT, condition_mask: kind as u32 - 2, block_mask, semaphore_mask }
                }
            }
        }
    };
    let small = small(parts);
    small.latched[thread_of(small)] = latched;
}

/// The level of what the thread has latched.
fn latched_level(parts: &Parts<'_>, chip: Chip, block_bits: u32) -> usize {
    let small = peek(parts);
    let latched = small.latched[thread_of(small)];
    let kind = match latched.opcode {
        Latched::NONE => return 0,
        Latched::STALLWAIT => (latched.condition_mask & conditions(chip).1).count_ones().min(2) as usize,
        _ => 2 + (latched.condition_mask as usize).clamp(1, 3),
    };
    let is_of_others = latched.block_mask & block_bits == 0 && block_bits != ALL_BLOCK_BITS;
    1 + kind + if is_of_others { 6 } else { 0 }
}

/// The axis of an instruction, by the number of its mnemonic.
pub(super) struct LatchedBy<C, const MNEMONIC: usize>(PhantomData<C>);

impl<C: On, const MNEMONIC: usize> LatchedBy<C, MNEMONIC> {
    const BLOCK_BITS: u32 = Mnemonic::ALL[MNEMONIC].unit(C::CHIP).block_bits();
    pub(super) const AXIS: Axis = Axis {
        name: "latched_wait",
        levels: latched_levels(Self::BLOCK_BITS),
        weights: &[24, 1, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1],
        set: |parts, level, noise| set_latched(parts, level, noise, C::CHIP, Self::BLOCK_BITS),
        get: |parts| latched_level(parts, C::CHIP, Self::BLOCK_BITS),
    };
}

/// The axis of an instruction on a chip.
macro_rules! latched {
    ($chip:ty, $mnemonic:ident) => {
        super::wait::LatchedBy::<$chip, { tandem_isa::tensix::Mnemonic::$mnemonic as usize }>::AXIS
    };
}
pub(super) use latched;

/// At its first level nothing is latched, whatever the instruction is.
pub(super) const LATCHED_NOTHING: Axis = latched!(super::Wormhole, Stallwait);

/// What the thread has latched, if anything.
pub(super) const LATCHED_WAIT: Quantity = Quantity::new(
    "latched wait instruction",
    2,
    |parts| peek(parts).latched[thread_of(peek(parts))].opcode,
    |parts, value| {
        let small = small(parts);
        small.latched[thread_of(small)].opcode = value;
    },
)
.named(&["none", "STALLWAIT", "SEMWAIT"]);

// -------------------------------------------------------------------------------------------------- instructions

/// No bit, all bits, or some.
const EXTENT: &[&str] = &["none", "all", "some"];

/// What these instructions have.
const WAIT: Cases = Cases {
    class: Class::Axis(0),
    data: NO_DATA,
    quantities: &[&[LATCHED_WAIT]],
    sweep: &["latched_wait"],
    plain: &["values=0, 15 or any", "maxima=0, 15 or any"],
    ..CASES
};
const UNPROMISED: Recording = Recording { unpromised: &["unnamed_bits"], ..CASES.recording };
const BLOCKS: Axis = split!("BlockMask", EXTENT, &[], Lens::Code(BLOCK_MASK), Partition::Extent);

/// What a latched instruction looks at beside its banks.
const SEMAPHORES: [Axis; 2] = [held!("values", value, [0, 15]), held!("maxima", max, [0, 15])];

pub(super) const fn semwait<C: On>() -> Cases {
    const CONDITIONS: Axis = split!(
        "ConditionMask",
        &["none", "zero", "full", "both"],
        &[],
        Lens::Code(SEMAPHORE_CONDITION_MASK),
        Partition::Each
    );
    Cases {
        path: [&[CONDITIONS, BLOCKS]; 2],
        orthogonal: axes!(
            &[THREAD, latched!(C, Semwait)],
            &SEMAPHORES,
            &BANKS,
            &OWNERS,
            &[ROW_SHAPE, SELECTED, unnamed!(0x7c00)]
        ),
        sweep: &["latched_wait", "unnamed_bits"],
        recording: UNPROMISED,
        bench_classes: bench!("semwait", [LATCHED_NOTHING] SEMAPHORE_MASK 2 SEMAPHORE_CONDITION_MASK 1),
        ..WAIT
    }
}

pub(super) const fn stallwait<C: On>() -> Cases {
    Cases {
        path: axes!(&[
            split!(
                "ConditionMask",
                EXTENT,
                &[],
                Lens::Code(C::CHIP.pick(CONDITION_MASK, CONDITION_MASK_BH)),
                Partition::Extent
            ),
            BLOCKS,
        ]),
        orthogonal: axes!(
            &[THREAD, latched!(C, Stallwait)],
            &SEMAPHORES,
            &BANKS,
            &OWNERS,
            C::CHIP.pick(&[ROW_SHAPE], &[ROW_SHAPE, unnamed!(0x6000)])
        ),
        sweep: C::CHIP.pick(&["latched_wait"], &["latched_wait", "unnamed_bits"]),
        recording: C::CHIP.pick(CASES.recording, UNPROMISED),
        bench_classes: bench!("stallwait", [LATCHED_NOTHING] BLOCK_MASK 64),
        ..WAIT
    }
}
