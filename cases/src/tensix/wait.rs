//! Cases of the instructions that the Wait Gate latches, and the axis of what it has latched, on both chips.

use std::marker::PhantomData;

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::control::SEMAPHORE_MASK;
use tandem_isa::tensix::inst::wait::{
    BLOCK_MASK, CONDITION_INDEX, CONDITION_MASK, CONDITION_MASK_BH, SEMAPHORE_CONDITION_MASK, STREAM_SELECT,
    TARGET_VALUE_LO,
};
use tandem_isa::tensix::{Chip, Latched, Mnemonic, bank, format};
use tandem_isa::{Axis, BenchClass, Noise, Parts, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::banks::{BANKS, OWNERS};
use super::control::{NO_DATA, SELECTED, bench, ends, held, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, split};
use super::parts::{THREAD, peek, set_thread_config, small, thread_of};
use super::values::{STREAM_TARGETS, value_class};
use super::{CASES, Cases, Class, Data, On, axes};

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

/// The same, and a `STREAMWAIT` for each condition, whatever its stream says.
const LATCHED_OR_STREAM: &[&str] = &[
    "none",
    "STALLWAIT, no owner",
    "STALLWAIT, one owner",
    "STALLWAIT, owners",
    "SEMWAIT, zero",
    "SEMWAIT, full",
    "SEMWAIT, both",
    "STREAMWAIT, phase",
    "STREAMWAIT, messages",
    "STALLWAIT of others, no owner",
    "STALLWAIT of others, one owner",
    "STALLWAIT of others, owners",
    "SEMWAIT of others, zero",
    "SEMWAIT of others, full",
    "SEMWAIT of others, both",
    "STREAMWAIT of others, phase",
    "STREAMWAIT of others, messages",
];

/// How many kinds of instructions can be latched, with a block bit of the instruction or without one. Instructions that were
/// recorded before `STREAMWAIT` was there have none of it, so that their cases stay what they were.
const fn latched_kinds(chip: Chip, mnemonic: Mnemonic) -> usize {
    let has_stream = matches!(mnemonic, Mnemonic::Atgetm | Mnemonic::Atrelm | Mnemonic::Streamwait);
    if has_stream { chip.pick(6, 8) } else { 6 }
}

/// The levels that an instruction with these block bits can have: one that all bits hold has no others.
const fn latched_levels(kinds: usize, block_bits: u32) -> &'static [&'static str] {
    let levels = if kinds == 6 { LATCHED } else { LATCHED_OR_STREAM };
    if block_bits == ALL_BLOCK_BITS { levels.split_at(1 + kinds).0 } else { levels }
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
fn set_latched(parts: &mut Parts<'_>, level: usize, noise: &mut Noise, (chip, kinds): (Chip, usize), block_bits: u32) {
    let latched = match level.checked_sub(1).map(|kind| (kind % kinds, kind >= kinds)) {
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
                    ..Latched::default()
                },
                1 | 2 => {
                    let one = one_of(owners, noise);
                    let further = if kind == 1 { 0 } else { one_of(owners & !one, noise) | noise.bits(15) & owners };
                    let condition_mask = one | further | rest;
                    Latched { opcode: Latched::STALLWAIT, condition_mask, block_mask, ..Latched::default() }
                }
                3..6 => {
                    let semaphore_mask = [one_of(0xff, noise), noise.bits(8)][noise.below(2)];
                    let condition_mask = kind as u32 - 2;
                    Latched {
                        opcode: Latched::SEMWAIT,
                        condition_mask,
                        block_mask,
                        semaphore_mask,
                        ..Latched::default()
                    }
                }
                _ => {
                    set_streams(parts, noise);
                    let at_an_end = STREAM_TARGETS[noise.below(STREAM_TARGETS.len())] as u32;
                    Latched {
                        opcode: Latched::STREAMWAIT,
                        condition_mask: kind as u32 - 5,
                        block_mask,
                        target_value: [at_an_end, noise.bits(20)][noise.below(2)] & [0xf_ffff, 0x1_ffff][kind - 6],
                        stream_select: noise.bits(2),
                        ..Latched::default()
                    }
                }
            }
        }
    };
    let small = small(parts);
    small.latched[thread_of(small)] = latched;
}

/// The sections that name streams to the thread get a stream each.
fn set_streams(parts: &mut Parts<'_>, noise: &mut Noise) {
    for section in 0..blackhole::STREAM_ID_SYNC_SECTIONS {
        set_thread_config(parts, blackhole::stream_id_sync_bank_sel(section), noise.bits(6));
    }
}

/// The level of what the thread has latched.
fn latched_level(parts: &Parts<'_>, (chip, kinds): (Chip, usize), block_bits: u32) -> usize {
    let small = peek(parts);
    let latched = small.latched[thread_of(small)];
    let kind = match latched.opcode {
        Latched::NONE => return 0,
        Latched::STALLWAIT => (latched.condition_mask & conditions(chip).1).count_ones().min(2) as usize,
        Latched::SEMWAIT => 2 + (latched.condition_mask as usize).clamp(1, 3),
        _ => 5 + (latched.condition_mask as usize).clamp(1, 2),
    };
    let is_of_others = latched.block_mask & block_bits == 0 && block_bits != ALL_BLOCK_BITS;
    1 + kind + if is_of_others { kinds } else { 0 }
}

/// The axis of an instruction, by the number of its mnemonic.
pub(super) struct LatchedBy<C, const MNEMONIC: usize>(PhantomData<C>);

impl<C: On, const MNEMONIC: usize> LatchedBy<C, MNEMONIC> {
    const BLOCK_BITS: u32 = Mnemonic::ALL[MNEMONIC].unit(C::CHIP).block_bits();
    const KINDS: usize = latched_kinds(C::CHIP, Mnemonic::ALL[MNEMONIC]);
    pub(super) const AXIS: Axis = Axis {
        name: "latched_wait",
        levels: latched_levels(Self::KINDS, Self::BLOCK_BITS),
        weights: if Self::KINDS == 6 {
            &[24, 1, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1]
        } else {
            &[24, 1, 2, 1, 2, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1]
        },
        set: |parts, level, noise| set_latched(parts, level, noise, (C::CHIP, Self::KINDS), Self::BLOCK_BITS),
        get: |parts| latched_level(parts, (C::CHIP, Self::KINDS), Self::BLOCK_BITS),
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

/// The same, of instructions before which a `STREAMWAIT` can be latched.
pub(super) const LATCHED_OR_STREAM_WAIT: Quantity = Quantity::new(
    "latched wait instruction",
    2,
    |parts| peek(parts).latched[thread_of(peek(parts))].opcode.min(3),
    |parts, value| {
        let small = small(parts);
        small.latched[thread_of(small)].opcode = if value == 3 { Latched::STREAMWAIT } else { value };
    },
)
.named(&["none", "STALLWAIT", "SEMWAIT", "STREAMWAIT"]);

/// What the registers of streams hold, which the gate reads for a latched `STREAMWAIT`.
pub(super) const STREAM_DATA: Data = Data::Of(|_, _, which, _| (which == bank::NOC_STREAMS).then_some(&format::BITS20));

/// The registers of streams are salted with what is near a target value.
pub(super) fn prepare_streams(parts: &mut Parts<'_>, _: &mut Noise) {
    parts.salt.class[bank::NOC_STREAMS] = value_class::STREAM;
}

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

pub(super) const fn streamwait<C: On>() -> Cases {
    Cases {
        path: [&[
            flag!("ConditionIndex", Lens::Code(CONDITION_INDEX)),
            BLOCKS,
            ends!("TargetValueLo", Lens::Code(TARGET_VALUE_LO), 2, 0x3ff),
        ]; 2],
        orthogonal: axes!(
            &[
                THREAD,
                latched!(C, Streamwait),
                split!("StreamSelect", &["0", "1", "2", "3"], &[], Lens::Code(STREAM_SELECT), Partition::Each),
                ends!("STREAMWAIT_PHASE_HI_Val", Lens::Thread(blackhole::STREAMWAIT_PHASE_HI_Val), 2, 0x3ff),
                ends!("STREAMWAIT_NUM_MSGS_HI_Val", Lens::Thread(blackhole::STREAMWAIT_NUM_MSGS_HI_Val), 2, 0x7f),
            ],
            &SEMAPHORES,
            &BANKS,
            &OWNERS,
            &[ROW_SHAPE, unnamed!(0x4004)]
        ),
        prepare: prepare_streams,
        data: STREAM_DATA,
        quantities: &[&[LATCHED_OR_STREAM_WAIT]],
        sweep: &["latched_wait", "unnamed_bits"],
        recording: UNPROMISED,
        bench_classes: bench!("streamwait", [LATCHED_NOTHING] BLOCK_MASK 64 TARGET_VALUE_LO 1),
        ..WAIT
    }
}
