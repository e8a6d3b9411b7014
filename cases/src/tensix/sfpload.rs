//! Cases of `SFPLOAD` and `SFPSTORE`, on both chips. The data-path axes are in `sfpu_modes.rs`, what data they move in
//! `sfpu_data.rs`, the axes of lanes in `sfpu_lanes.rs`, the others in `sfpu_axes.rs`, the quantities in
//! `sfpu_quantities.rs`.

use std::marker::PhantomData;

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH, UNNAMED_BITS, UNNAMED_BITS_BH, mod0};
use tandem_isa::{Axis, BenchClass, CodeField, ContestedData, Recording};

use super::addr_mod_axes::AddrModField;
use super::addr_mod_quantities::DST_COUNTERS;
use super::parts::row_base_beyond_hardware;
use super::sfpu_axes::{Orthogonal, Unnamed, exhaust, finish, prepare, prepare_blackhole};
use super::sfpu_data::{contested, contested_row, format_of};
use super::sfpu_modes::{CELL_CLASSES, Modes, Path, SfpuForm};
use super::sfpu_quantities::Quantities;
use super::{CASES, Cases, Class, Data, On, axes};

/// `SFPLOAD` or `SFPSTORE`, on one of the chips.
struct Move<C, const LOADS: bool>(PhantomData<C>);

impl<C: On, const LOADS: bool> AddrModField for Move<C, LOADS> {
    const FIELD: CodeField = Self::CHIP.pick(ADDR_MOD, ADDR_MOD_BH);
    const CHIP: Chip = C::CHIP;
}

impl<C: On, const LOADS: bool> SfpuForm for Move<C, LOADS> {
    const LOADS: bool = LOADS;
    const REGISTERS: &'static [(u32, u32)] =
        if LOADS { &[(0, 3), (4, 7), (8, 11), (12, 15)] } else { &[(0, 7), (8, 10), (11, 11), (12, 14), (15, 15)] };
}

impl<C: On, const LOADS: bool> Unnamed for Move<C, LOADS> {
    const BITS: u32 = Self::CHIP.pick(UNNAMED_BITS, UNNAMED_BITS_BH);
}

impl<C: On, const LOADS: bool> Move<C, LOADS> {
    /// The data-path axes, in the order in which they are set: each looks at those before it.
    const AXES: [&'static [Axis]; 2] = axes!(
        &[Modes::<Self>::MOD0, Modes::<Self>::VD, Modes::<Self>::BACKDOOR, Modes::<Self>::SOURCE, Modes::<Self>::FMT],
        if LOADS { &[Modes::<Self>::INFINITY, Modes::<Self>::CAPTURE] } else { &[] },
        &[Modes::<Self>::COLUMNS],
    );

    const BENCH_CLASSES: &'static [BenchClass] = if LOADS {
        &[
            BenchClass::whole("sfpload-bf16", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::BF16, noise)),
            BenchClass::whole("sfpload-fp16", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::FP16, noise)),
            BenchClass::whole("sfpload-fp32", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::FP32, noise)),
            BenchClass::whole("sfpload-int8", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::INT8, noise)),
        ]
    } else {
        &[
            BenchClass::whole("sfpstore-bf16", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::BF16, noise)),
            BenchClass::whole("sfpstore-fp32", |parts, noise| Orthogonal::<Self>::bench(parts, mod0::FP32, noise)),
        ]
    };

    const fn cases() -> Cases {
        Cases {
            path: Self::AXES,
            has: Path::is_cell::<Self>,
            class: Class::Of(
                |_, levels| CELL_CLASSES[Path::of_levels::<Self>(levels).class::<Self>()],
                if LOADS { LOAD_CLASSES } else { &STORE_CLASSES },
            ),
            orthogonal: [Orthogonal::<Self>::ALL; 2],
            prepare: C::CHIP.pick(prepare, prepare_blackhole),
            finish,
            data: Data::Of(|_, parts, bank, place| format_of::<Self>(parts, bank, place)),
            contested: contested::<Self>,
            contested_data: ContestedData { case: row_base_beyond_hardware, row: contested_row::<Self> },
            quantities: Quantities::<Self>::ALL,
            sweep: Orthogonal::<Self>::SWEEP,
            pairs: Self::CHIP.pick(&[DST_COUNTERS], &[DST_COUNTERS, STACK]),
            recording: Recording {
                // The stack shows with an increment and in few modes only.
                always: C::CHIP.pick(&[], &["rwc_dst", "sp", "sfpu_stack_incr", "dest_access_cfg", "row_mask"]),
                unpromised: C::CHIP
                    .pick(&["row_validity", "unnamed_bits"], &["row_validity", "extra_addr_mod_bit", "unnamed_bits"]),
                source_rows: 4,
                ..CASES.recording
            },
            bench_classes: Self::BENCH_CLASSES,
            exhaust: exhaust::<Self>,
            ..CASES
        }
    }
}

pub(super) const fn sfpload<C: On>() -> Cases {
    Move::<C, true>::cases()
}

pub(super) const fn sfpstore<C: On>() -> Cases {
    Move::<C, false>::cases()
}

/// No cell leaves open where the format of `MOD0_FMT_SRCB` comes from.
const LOAD_CLASSES: &[&str] = CELL_CLASSES.split_at(1).1;

/// What moves the stack pointer.
const STACK: &[&str] = &["RWCs[CurrentThread].Sp", "ThreadConfig[CurrentThread].SFPU_STACK_Incr"];

/// Every register that there is may be stored.
const STORE_CLASSES: [&str; 17] = {
    let mut classes = [CELL_CLASSES[17]; 17];
    let mut index = 0;
    while index < 16 {
        classes[index] = CELL_CLASSES[index];
        index += 1;
    }
    classes
};
