//! Cases of the instructions that set and increment the counters of ADCs, on both chips.

use tandem_isa::tensix::inst::adc::{
    CHANNEL, NEW_VALUE, PK, THREAD_OVERRIDE, U0, U1, X0_VAL10, X1_VAL10, XYZW, xy, zw,
};
use tandem_isa::tensix::inst::scalar::{
    ADC_SEL, FLOP_CHANNEL, FLOP_CR, FLOP_INPUT_REG, FLOP_XYZW, OVERRIDE_THREAD, SHIFT8, SIZE_SEL, THREAD_SEL,
};
use tandem_isa::tensix::{Chip, bank};
use tandem_isa::{Axis, BenchClass, Noise, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::configuration::GPR_DATA;
use super::control::{NO_DATA, bench, ends, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, split};
use super::parts::{THREAD, peek, small};
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, On, axes, value_class};

/// The bits of each counter, in the order of the members of a channel.
const fn counter_bits(chip: Chip) -> [u32; 8] {
    let zw = chip.pick(8, 13);
    [18, 18, 13, 13, zw, zw, zw, zw]
}

/// All counters of all threads are 0, or any.
pub(super) fn set_counters(parts: &mut Parts<'_>, chip: Chip, level: usize, noise: &mut Noise) {
    let counters: &mut [[u32; 8]] = bytemuck::cast_slice_mut(&mut small(parts).adcs);
    for channel in counters {
        for (counter, bits) in channel.iter_mut().zip(counter_bits(chip)) {
            *counter = if level == 0 { 0 } else { noise.bits(bits) };
        }
    }
}

/// What the counters hold before.
macro_rules! counters {
    ($chip:expr) => {
        Axis {
            name: "counters",
            levels: &["0", "any"],
            weights: &[1, 15],
            set: |parts, level, noise| set_counters(parts, $chip, level, noise),
            get: |parts| usize::from(bytemuck::cast_slice::<_, u32>(&peek(parts).adcs).iter().any(|&word| word != 0)),
        }
    };
}

/// Whose counters are meant.
const UNITS: Axis = split!(
    "units",
    &["all", "none", "U0", "U1", "PK", "two"],
    &[4, 1, 2, 2, 2, 2],
    Lens::CodeBits(0xe0_0000),
    Partition::Sets(&[&[7], &[0], &[1], &[2], &[4], &[3, 5, 6]])
);

/// Of whose thread: with another than 0 nothing is promised.
macro_rules! thread_override {
    ($bits:expr) => {
        split!("ThreadOverride", &["0", "other"], &[31, 1], Lens::CodeBits($bits), Partition::Sets(&[&[0], &[1, 2, 3]]))
    };
}

/// What all of them have.
const COUNTERS: Cases = Cases {
    data: NO_DATA,
    quantities: &[&[LATCHED_WAIT]],
    plain: &["counters=any"],
    sweep: &["latched_wait", "unnamed_bits", "counters=any", "ThreadOverride"],
    recording: Recording { unpromised: &["unnamed_bits", "ThreadOverride"], ..CASES.recording },
    ..CASES
};

pub(super) const fn setadc<C: On>() -> Cases {
    Cases {
        path: [&[
            split!("XYZW", &["X", "Y", "Z", "W"], &[], Lens::Code(XYZW), Partition::Each),
            flag!("Channel", Lens::Code(CHANNEL)),
        ]; 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Setadc),
            UNITS,
            thread_override!(0x3_0000),
            ends!("NewValue", Lens::CodeBits(0xffff), 6, 0xffff),
            counters!(C::CHIP),
            ROW_SHAPE,
        ]),
        plain: &["NewValue=last", "counters=any"],
        sweep: &["latched_wait", "counters=any", "ThreadOverride", "NewValue=any"],
        recording: Recording { always: &["NewValue"], unpromised: &["ThreadOverride"], ..CASES.recording },
        bench_classes: bench!("setadc", [LATCHED_NOTHING] U0 1 NEW_VALUE 0x155),
        ..COUNTERS
    }
}

pub(super) const fn setadcxx<C: On>() -> Cases {
    const BITS_20: Axis = unnamed!(0x10_0000);
    Cases {
        path: [&[flag!("U0", Lens::Code(U0)), flag!("U1", Lens::Code(U1)), flag!("PK", Lens::Code(PK))]; 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Setadcxx),
            ends!("X0Val", Lens::Code(X0_VAL10), 6, 0x3ff),
            ends!("X1Val", Lens::Code(X1_VAL10), 6, 0x3ff),
            counters!(C::CHIP),
            ROW_SHAPE,
            BITS_20,
        ]),
        plain: &["X0Val, X1Val=last", "counters=any"],
        sweep: &["latched_wait", "unnamed_bits", "counters=any", "X0Val=any", "X1Val=any"],
        recording: Recording { always: &["X0Val", "X1Val"], unpromised: &["unnamed_bits"], ..CASES.recording },
        bench_classes: bench!("setadcxx", [LATCHED_NOTHING] U0 1 X1_VAL10 255),
        ..COUNTERS
    }
}

/// A value of three bits.
macro_rules! three_bits {
    ($name:expr, $field:expr) => {
        ends!($name, Lens::Code($field), 3, 7)
    };
}

/// What changes each of four counters if a bit says so, by a number of three bits.
macro_rules! chosen {
    ($name:ident $mnemonic:ident $fields:ident $first:literal $second:literal
        $what:literal $by_0:ident $by_0b:ident $by_1:ident $by_1b:ident) => {
        pub(super) const fn $name<C: On>() -> Cases {
            use $fields::*;
            Cases {
                path: [&[
                    flag!(concat!($first, "0"), Lens::Code(SET_0)),
                    flag!(concat!($second, "0"), Lens::Code(SET_0B)),
                    flag!(concat!($first, "1"), Lens::Code(SET_1)),
                    flag!(concat!($second, "1"), Lens::Code(SET_1B)),
                ]; 2],
                class: Class::Axis(0),
                orthogonal: axes!(
                    &[THREAD, latched!(C, $mnemonic), UNITS, thread_override!(0xc_0000)],
                    &[three_bits!(concat!($what, " the first of channel 0"), $by_0)],
                    &[three_bits!(concat!($what, " the second of channel 0"), $by_0b)],
                    &[three_bits!(concat!($what, " the first of channel 1"), $by_1)],
                    &[three_bits!(concat!($what, " the second of channel 1"), $by_1b)],
                    &[counters!(C::CHIP), ROW_SHAPE, unnamed!(0x10_0030)],
                ),
                bench_classes: bench!(stringify!($name), [LATCHED_NOTHING] U0 1 SET_0 1 $by_0 5),
                ..COUNTERS
            }
        }
    };
}

macro_rules! pairs {
    ($($set:ident $increment:ident $from:ident [$mnemonic_set:ident $mnemonic_inc:ident $mnemonic_from:ident]
        $fields:ident $first:literal $second:literal;)*) => {$(
        chosen! { $set $mnemonic_set $fields $first $second "value for" VAL_0 VAL_0B VAL_1 VAL_1B }
        chosen! { $from $mnemonic_from $fields $first $second "increment of" INC_0 INC_0B INC_1 INC_1B }

        pub(super) const fn $increment<C: On>() -> Cases {
            use $fields::*;
            Cases {
                path: [&[
                    split!(
                        concat!("increment of ", $first, "0"), &["0", "some"], &[], Lens::Code(INC_0), Partition::Some
                    ),
                    split!(
                        concat!("increment of ", $second, "0"), &["0", "some"], &[], Lens::Code(INC_0B), Partition::Some
                    ),
                    split!(
                        concat!("increment of ", $first, "1"), &["0", "some"], &[], Lens::Code(INC_1), Partition::Some
                    ),
                    split!(
                        concat!("increment of ", $second, "1"), &["0", "some"], &[], Lens::Code(INC_1B), Partition::Some
                    ),
                ]; 2],
                class: Class::Axis(0),
                orthogonal: axes!(&[
                    THREAD,
                    latched!(C, $mnemonic_inc),
                    UNITS,
                    thread_override!(0xc_0000),
                    counters!(C::CHIP),
                    ROW_SHAPE,
                    unnamed!(0x10_003f),
                ]),
                bench_classes: bench!(stringify!($increment), [LATCHED_NOTHING] U0 1 INC_0 5),
                ..COUNTERS
            }
        }
    )*};
}
pairs! {
    setadcxy incadcxy addrcrxy [Setadcxy Incadcxy Addrcrxy] xy "X" "Y";
    setadczw incadczw addrcrzw [Setadczw Incadczw Addrcrzw] zw "Z" "W";
}

/// `REG2FLOP` to ADCs, of which the page promises nothing: what holds it is compared.
pub(super) const fn reg2flop_adc<C: On>() -> Cases {
    Cases {
        path: [&[
            split!("XYZW", &["X", "Y", "Z", "W"], &[], Lens::Code(FLOP_XYZW), Partition::Each),
            flag!("Cr", Lens::Code(FLOP_CR)),
        ]; 2],
        prepare: |parts, _| parts.salt.class[bank::GPRS] = value_class::BITS32,
        data: GPR_DATA,
        orthogonal: axes!(
            &[THREAD, latched!(C, Reg2flopAdc)],
            &[split!("SizeSel", &["0", "1", "2", "3"], &[], Lens::Code(SIZE_SEL), Partition::Each)],
            &[split!("Shift8", &["0", "1", "2", "3"], &[], Lens::Code(SHIFT8), Partition::Each)],
            &[split!("ADCSel", &["0", "1", "2", "3"], &[], Lens::Code(ADC_SEL), Partition::Each)],
            &[split!("ThreadSel", &["0", "1", "2", "3"], &[], Lens::Code(THREAD_SEL), Partition::Each)],
            &[flag!("OverrideThread", Lens::Code(OVERRIDE_THREAD)), flag!("Channel", Lens::Code(FLOP_CHANNEL))],
            &[ends!("InputReg", Lens::Code(FLOP_INPUT_REG), 3, 63), counters!(C::CHIP), ROW_SHAPE, unnamed!(0xf000)],
        ),
        sweep: &["latched_wait", "unnamed_bits", "counters=any"],
        recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
        ..COUNTERS
    }
}

const _: () = assert!(THREAD_OVERRIDE.shift == 18);
