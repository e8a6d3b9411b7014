//! Cases of instructions that change counters, owners of banks, semaphores and mutexes, and no data, on both chips.

use std::mem::offset_of;

use tandem_isa::tensix::Rwc;
use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::control::{
    DST, DST_CR, DST_CTO_CR, DST_INC, DST_VAL, FIDELITY, FLIP_SRCA, FLIP_SRCB, INDEX, KEEP_READING_SAME_SRC, NEW_MAX,
    NEW_VALUE, RESET, SEMAPHORE_MASK, SRCA, SRCA_CR, SRCA_INC, SRCA_VAL, SRCB, SRCB_CR, SRCB_INC, SRCB_VAL,
};
use tandem_isa::{Axis, BenchClass, Levels, Parts, Quantity, Recording};

use crate::quantity::with_ones;
use crate::salt::ROW_SHAPE;

use super::banks::{BANKS, OWNER_OF_SRCA, OWNER_OF_SRCB, OWNERS, SRCA_BANK, SRCB_BANK};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, number, rows, split};
use super::parts::{RWC_DST, RWC_SRCA, RWC_SRCB, THREAD, peek, small, thread_of};
use super::state_quantities::COUNTERS;
use super::wait::{LATCHED_NOTHING, LATCHED_OR_STREAM_WAIT, LATCHED_WAIT, STREAM_DATA, latched, prepare_streams};
use super::{CASES, Cases, Class, Data, On, axes};

// -------------------------------------------------------------------------------------------------- axes

const RWC_DST_CR: Axis = rows!("rwc_dst_cr", &[], Lens::rwc(offset_of!(Rwc, dst_cr), 10));
const RWC_SRCA_CR: Axis = rows!("rwc_srca_cr", &[], Lens::rwc(offset_of!(Rwc, srca_cr), 6));
const RWC_SRCB_CR: Axis = rows!("rwc_srcb_cr", &[], Lens::rwc(offset_of!(Rwc, srcb_cr), 6));
const FIDELITY_PHASE: Axis = split!(
    "fidelity_phase",
    &["0", "1", "2", "3"],
    &[],
    Lens::rwc(offset_of!(Rwc, fidelity_phase), 2),
    Partition::Each
);

/// A number at its ends, or anywhere, and how much more often that is.
macro_rules! ends {
    ($name:expr, $lens:expr, $any:literal, $last:literal) => {
        split!($name, &["0", "last", "any"], &[1, 1, $any], $lens, Partition::Points(&[0, $last]))
    };
}
pub(super) use ends;

/// A number of four bits in the code word.
macro_rules! four_bits {
    ($name:literal, $field:expr) => {
        ends!($name, Lens::Code($field), 3, 15)
    };
}

/// Bits of the code word that have no name.
macro_rules! unnamed {
    ($bits:expr) => {
        split!("unnamed_bits", NONE_OR_SOME, &[31, 1], Lens::CodeBits($bits), Partition::Some)
    };
}
pub(super) use unnamed;

/// What the harness is told of a word of a bank: nothing is read.
pub(super) const NO_DATA: Data = Data::Of(|_, _, _, _| None);

/// A case that everybody does in full: some axes at their first levels, and a code word.
macro_rules! bench {
    ($name:expr, [$($axis:ident),*] $($field:ident $value:literal)*) => {
        const { &[BenchClass::new($name, |parts, _noise| {
                $(($axis.set)(parts, 0, _noise);)*
                parts.code[0] &= tandem_isa::tensix::inst::OPCODE.mask();
                $($field.set(parts.code, $value);)*
            })] }
    };
}
pub(super) use bench;

const UNPROMISED: Recording = Recording { unpromised: &["unnamed_bits"], ..CASES.recording };

/// What all of them have.
const CONTROL: Cases = Cases { data: NO_DATA, recording: UNPROMISED, sweep: &["unnamed_bits"], ..CASES };

// -------------------------------------------------------------------------------------------------- counters

/// Whether a counter is set, and what is added: the level of [`SET`].
const SET: &[&str] = &["kept", "set", "set, Cr"];
const SET_DST: &[&str] = &["kept", "set", "set, Cr", "set, CtoCr"];

/// How a counter of a source is set. Where it is kept, the bit that would add is drawn.
macro_rules! set_source {
    ($name:literal, $which:ident, $adds:ident) => {
        Axis {
            name: $name,
            levels: SET,
            weights: &[],
            set: |parts, level, noise| {
                $which.set(parts.code, u32::from(level != 0));
                $adds.set(parts.code, if level == 0 { noise.bits(1) } else { level as u32 - 1 });
            },
            get: |parts| ($which.get(parts.code) * (1 + $adds.get(parts.code))) as usize,
        }
    };
}

/// How the counter of `Dst` is set: `DstCtoCr` does so without `Dst` too, and whatever `DstCr` is.
const SET_DST_AXIS: Axis = Axis {
    name: "Dst",
    levels: SET_DST,
    weights: &[],
    set: |parts, level, noise| {
        let (which, cr) = (noise.bits(1), noise.bits(1));
        DST.set(parts.code, [0, 1, 1, which][level]);
        DST_CR.set(parts.code, [cr, 0, 1, cr][level]);
        DST_CTO_CR.set(parts.code, u32::from(level == 3));
    },
    get: |parts| match [DST_CTO_CR, DST, DST_CR].map(|field| field.get(parts.code)) {
        [1, _, _] => 3,
        [_, 0, _] => 0,
        [_, _, cr] => 1 + cr as usize,
    },
};

/// Which banks are flipped.
const FLIPS: Axis = Axis {
    name: "flips",
    levels: &["none", "A", "B", "A and B"],
    weights: &[],
    set: |parts, level, _| {
        FLIP_SRCA.set(parts.code, level as u32 & 1);
        FLIP_SRCB.set(parts.code, level as u32 >> 1);
    },
    get: |parts| (FLIP_SRCA.get(parts.code) | FLIP_SRCB.get(parts.code) << 1) as usize,
};

/// A number of the code word for each counter, and others.
macro_rules! numbers {
    ($of:literal, $srca:ident, $srcb:ident, $dst:ident $(, $other:ident)*) => {
        const {
            &[
                number!(concat!($of, " SrcA"), Lens::Code($srca)),
                number!(concat!($of, " SrcB"), Lens::Code($srcb)),
                number!(concat!($of, " Dst"), Lens::Code($dst)),
                $($other),*
            ]
        }
    };
}

/// The axes of counters.
const COUNTER_AXES: &[Axis] =
    &[THREAD, RWC_DST, RWC_DST_CR, RWC_SRCA, RWC_SRCA_CR, RWC_SRCB, RWC_SRCB_CR, FIDELITY_PHASE, ROW_SHAPE];

/// Whether the owner of each bank stays when it is flipped, and which are.
pub(super) const fn flip_axes<C: On>() -> [Axis; 3] {
    [
        flag!(
            "CLR_DVALID_SrcA_Disable",
            Lens::Thread(C::CHIP.pick(config::CLR_DVALID_SrcA_Disable, blackhole::CLR_DVALID_SrcA_Disable))
        ),
        flag!(
            "CLR_DVALID_SrcB_Disable",
            Lens::Thread(C::CHIP.pick(config::CLR_DVALID_SrcB_Disable, blackhole::CLR_DVALID_SrcB_Disable))
        ),
        FLIPS,
    ]
}

pub(super) const fn setrwc<C: On>() -> Cases {
    Cases {
        path: [&[
            set_source!("SrcA", SRCA, SRCA_CR),
            set_source!("SrcB", SRCB, SRCB_CR),
            SET_DST_AXIS,
            flag!("Fidelity", Lens::Code(FIDELITY)),
        ]; 2],
        class: Class::Axis(2),
        orthogonal: axes!(
            COUNTER_AXES,
            &[four_bits!("SrcAVal", SRCA_VAL), four_bits!("SrcBVal", SRCB_VAL), four_bits!("DstVal", DST_VAL)],
            &[SRCA_BANK, SRCB_BANK],
            &OWNERS,
            &flip_axes::<C>(),
            &[unnamed!(0x30)],
        ),
        quantities: &[numbers!("value for", SRCA_VAL, SRCB_VAL, DST_VAL, OWNER_OF_SRCA, OWNER_OF_SRCB), COUNTERS],
        // Values that add to what is there, and flips of both banks.
        plain: &[
            "rwc_dst, rwc_dst_cr, rwc_srca, rwc_srca_cr, rwc_srcb, rwc_srcb_cr=any",
            "fidelity_phase=3",
            "SrcAVal, SrcBVal, DstVal=last",
            "flips=A and B",
        ],
        pairs: &[
            &["value for SrcA", "RWCs[CurrentThread].SrcA_Cr"],
            &["value for SrcB", "RWCs[CurrentThread].SrcB_Cr"],
            &["value for Dst", "RWCs[CurrentThread].Dst_Cr"],
            &["value for Dst", "RWCs[CurrentThread].Dst"],
        ],
        bench_classes: bench!("setrwc", [] SRCA 1 SRCB 1 DST 1 SRCA_VAL 8),
        ..CONTROL
    }
}

pub(super) const fn incrwc<C: On>() -> Cases {
    Cases {
        path: [&[
            flag!("SrcACr", Lens::Code(SRCA_CR)),
            flag!("SrcBCr", Lens::Code(SRCB_CR)),
            flag!("DstCr", Lens::Code(DST_CR)),
        ]; 2],
        class: Class::Axis(2),
        orthogonal: axes!(
            COUNTER_AXES,
            &[four_bits!("SrcAInc", SRCA_INC), four_bits!("SrcBInc", SRCB_INC), four_bits!("DstInc", DST_INC)],
            &[unnamed!(0xe0_003f)],
        ),
        quantities: &[numbers!("increment of", SRCA_INC, SRCB_INC, DST_INC), COUNTERS],
        plain: &["SrcAInc, SrcBInc, DstInc=last"],
        recording: Recording { always: &["SrcAInc", "SrcBInc", "DstInc"], ..UNPROMISED },
        pairs: &[
            &["increment of SrcA", "RWCs[CurrentThread].SrcA"],
            &["increment of SrcA", "RWCs[CurrentThread].SrcA_Cr"],
            &["increment of SrcB", "RWCs[CurrentThread].SrcB"],
            &["increment of SrcB", "RWCs[CurrentThread].SrcB_Cr"],
            &["increment of Dst", "RWCs[CurrentThread].Dst"],
            &["increment of Dst", "RWCs[CurrentThread].Dst_Cr"],
        ],
        bench_classes: bench!("incrwc", [] SRCA_INC 8 SRCB_INC 8 DST_INC 8),
        ..CONTROL
    }
}

pub(super) const fn cleardvalid<C: On>() -> Cases {
    Cases {
        path: [&[
            flag!("Reset", Lens::Code(RESET)),
            flag!("KeepReadingSameSrc", Lens::Code(KEEP_READING_SAME_SRC)),
            flag!("FlipSrcA", Lens::Code(FLIP_SRCA)),
            flag!("FlipSrcB", Lens::Code(FLIP_SRCB)),
        ]; 2],
        class: Class::Axis(0),
        orthogonal: axes!(&[THREAD], &BANKS, &OWNERS, &[ROW_SHAPE, unnamed!(0x3f_fffc)]),
        quantities: &[&[OWNER_OF_SRCA, OWNER_OF_SRCB]],
        bench_classes: bench!("cleardvalid", [] FLIP_SRCA 1 FLIP_SRCB 1),
        ..CONTROL
    }
}

// -------------------------------------------------------------------------------------------------- semaphores

/// How many semaphores are selected.
pub(super) const SELECTED: Axis = Axis {
    name: "SemaphoreMask",
    levels: &["none", "one", "several", "all"],
    weights: &[1, 4, 4, 1],
    set: |parts, level, noise| {
        let (at, some) = (noise.below(8) as u32, noise.bits(8));
        // Two neighbours are, the one before them is not, and the others may be.
        let several = (((3 | some & 0x7c) * 0x101) << at) >> 8 & 0xff;
        SEMAPHORE_MASK.set(parts.code, [0, 1 << at, several, 0xff][level]);
    },
    get: |parts| match SEMAPHORE_MASK.get(parts.code).count_ones() {
        few @ 0..2 => few as usize,
        8 => 3,
        _ => 2,
    },
};

/// What the semaphores hold: all one value or all another, where they saturate, or these and anything.
macro_rules! held {
    ($name:literal, $member:ident, [$one:literal, $other:literal]) => {
        Axis {
            name: $name,
            levels: &[concat!("all ", $one), concat!("all ", $other), "0, 15 or any"],
            weights: &[1, 1, 2],
            set: |parts, level, noise| {
                for semaphore in &mut small(parts).semaphores {
                    let any = noise.bits(4);
                    semaphore.$member = [$one, $other, [0, 15, any, any][noise.below(4)]][level];
                }
            },
            get: |parts| {
                let all = |value| peek(parts).semaphores.iter().all(|semaphore| semaphore.$member == value);
                [$one, $other].into_iter().position(all).unwrap_or(2)
            },
        }
    };
}
pub(super) use held;

/// The selected semaphores, and what all hold; at the first level of their values an instruction may do nothing.
macro_rules! semaphores {
    ($unnamed:literal, [$one:literal, $other:literal] $(, $axis:expr)*) => {
        [&[
            THREAD,
            held!("values", value, [$one, $other]),
            held!("maxima", max, [0, 15]),
            ROW_SHAPE,
            unnamed!($unnamed)
            $(, $axis)*
        ]; 2]
    };
}

const SEMAPHORES: Cases = Cases {
    path: [&[SELECTED]; 2],
    class: Class::Axis(0),
    orthogonal: semaphores!(0xff_fc03, [0, 15]),
    quantities: &[&[Quantity::new(
        "number of semaphores selected",
        4,
        |parts| SEMAPHORE_MASK.get(parts.code).count_ones(),
        |parts, value| {
            let mask = with_ones(SEMAPHORE_MASK.get(parts.code), 0xff, value);
            SEMAPHORE_MASK.set(parts.code, mask.unwrap_or_default());
        },
    )]],
    plain: &["values=0, 15 or any", "maxima=0, 15 or any"],
    recording: Recording { always: &["values"], ..UNPROMISED },
    ..CONTROL
};

pub(super) const fn seminit<C: On>() -> Cases {
    Cases {
        orthogonal: semaphores!(0xfc03, [0, 15], four_bits!("NewValue", NEW_VALUE), four_bits!("NewMax", NEW_MAX)),
        recording: Recording { always: &["NewValue", "NewMax"], ..UNPROMISED },
        plain: &["NewValue=last", "NewMax=last"],
        bench_classes: bench!("seminit", [] SEMAPHORE_MASK 2 NEW_MAX 8),
        ..SEMAPHORES
    }
}

pub(super) const fn sempost<C: On>() -> Cases {
    Cases {
        orthogonal: semaphores!(0xff_fc03, [15, 0]),
        bench_classes: bench!("sempost", [] SEMAPHORE_MASK 2),
        ..SEMAPHORES
    }
}

pub(super) const fn semget<C: On>() -> Cases {
    Cases { bench_classes: bench!("semget", [] SEMAPHORE_MASK 2), ..SEMAPHORES }
}

// -------------------------------------------------------------------------------------------------- mutexes

/// Which mutex is named. What the chip has none for waits for ever.
const MUTEX: Axis = split!(
    "Index",
    &["0", "1", "2 to 4", "5 to 7", "8 to 15", "16 to 32767", "32768 to 32775", "32776 or more"],
    &[],
    Lens::Code(INDEX),
    Partition::Ranges(&[(0, 0), (1, 1), (2, 4), (5, 7), (8, 15), (16, 0x7fff), (0x8000, 0x8007), (0x8008, 0xffff)])
);

const MUTEX_INDEX: Quantity = number!("index of a mutex", Lens::Code(INDEX));

/// The mutex that the instruction names, if the chip has it.
fn named_mutex<C: On>(parts: &Parts<'_>) -> Option<usize> {
    let index = INDEX.get(parts.code) as usize;
    C::CHIP.mutexes().contains(&index).then_some(index)
}

/// Who holds the mutex that is named: nobody, the thread itself, or one of the others.
const fn holder<C: On>() -> Axis {
    Axis {
        name: "HeldBy",
        levels: &["nobody", "itself", "the next thread", "the thread after it"],
        weights: &[],
        set: |parts, level, _| {
            let Some(mutex) = named_mutex::<C>(parts) else { return };
            let small = small(parts);
            let thread = thread_of(small);
            small.mutex_held_by[mutex] = if level == 0 { 0 } else { 1 + ((thread + level - 1) % 3) as u8 };
        },
        get: |parts| {
            let Some(mutex) = named_mutex::<C>(parts) else { return 0 };
            match usize::from(peek(parts).mutex_held_by[mutex] & 3) {
                0 => 0,
                by => 1 + (by + 2 - thread_of(peek(parts))) % 3,
            }
        },
    }
}

/// Whether other mutexes are held: those that are not named.
const fn other_mutexes<C: On>() -> Axis {
    Axis {
        name: "other_mutexes",
        levels: &["free", "any"],
        weights: &[1, 3],
        set: |parts, level, noise| {
            for &mutex in C::CHIP.mutexes() {
                small(parts).mutex_held_by[mutex] = if level == 0 { 0 } else { noise.bits(2) as u8 };
            }
            // One at least is held, whichever is named.
            if level != 0 {
                small(parts).mutex_held_by[[0, 3][noise.below(2)]] = 1 + noise.below(3) as u8;
                small(parts).mutex_held_by[[2, 4][noise.below(2)]] = 1 + noise.below(3) as u8;
            }
        },
        get: |parts| {
            let others = C::CHIP.mutexes().iter().filter(|&&mutex| Some(mutex) != named_mutex::<C>(parts));
            usize::from(others.into_iter().any(|&mutex| peek(parts).mutex_held_by[mutex] != 0))
        },
    }
}

/// A mutex that the chip lacks is held by nobody.
const fn has_holder<C: On>(levels: &Levels) -> bool {
    let is_there = matches!((levels[0], C::CHIP), (0 | 2, _) | (3, tandem_isa::tensix::Chip::Wormhole));
    is_there || levels[1] == 0
}

/// What both have.
macro_rules! of_mutex {
    ($chip:ty, $mnemonic:ident, $bench:literal) => {
        Cases {
            path: axes!(&[MUTEX, holder::<$chip>()]),
            has: has_holder::<$chip>,
            class: Class::Axis(0),
            orthogonal: axes!(
                &[THREAD, latched!($chip, $mnemonic), other_mutexes::<$chip>()],
                &[held!("values", value, [0, 15]), held!("maxima", max, [0, 15])],
                &BANKS,
                &OWNERS,
                &[ROW_SHAPE, unnamed!(0xff_0000)]
            ),
            prepare: prepare_streams,
            data: STREAM_DATA,
            quantities: const { &[&[<$chip>::CHIP.pick(LATCHED_WAIT, LATCHED_OR_STREAM_WAIT), MUTEX_INDEX]] },
            sweep: &["latched_wait", "unnamed_bits"],
            plain: &["other_mutexes=any", "values=0, 15 or any", "maxima=0, 15 or any"],
            recording: Recording { always: &["other_mutexes"], ..UNPROMISED },
            bench_classes: bench!($bench, [LATCHED_NOTHING] INDEX 2),
            ..CONTROL
        }
    };
}

pub(super) const fn atgetm<C: On>() -> Cases {
    of_mutex!(C, Atgetm, "atgetm")
}

pub(super) const fn atrelm<C: On>() -> Cases {
    of_mutex!(C, Atrelm, "atrelm")
}
