//! Cases of the instructions of the Configuration Unit, which move words to and from `Config` and `ThreadConfig`, on both chips.

use tandem_isa::tensix::inst::configuration::{
    ALU_MODE, CFG_INDEX, CFG_INDEX8, INDEX4, INPUT_REG, IS_128_BIT, MASK, MASK_MODE, MASK_WIDTH, NEW_VALUE8,
    NEW_VALUE16, RESULT_REG, ROTATE_AMT, SCRATCH_INDEX, THREAD_CFG_INDEX,
};
use tandem_isa::tensix::{Chip, bank, format};
use tandem_isa::{Axis, BenchClass, Noise, Parts, Quantity, Recording, tensix};

use crate::salt::ROW_SHAPE;

use super::control::{bench, ends, unnamed};
use super::lens::{Lens, MASKS, NONE_OR_SOME, Partition, flag, number, split};
use super::parts::{STATE_ID, THREAD, peek, small};
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, On, axes, value_class};

/// What all of them have.
pub(super) const CONFIGURATION: Cases = Cases {
    class: Class::Axis(0),
    prepare: |parts, _| parts.salt.class[bank::GPRS] = value_class::BITS32,
    data: GPR_DATA,
    quantities: &[&[LATCHED_WAIT]],
    plain: &["bits without a name=any"],
    sweep: &["latched_wait", "unnamed_bits", "bits without a name=any"],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

/// What the registers of the Scalar Unit hold: bits.
pub(super) const GPR_DATA: Data = Data::Of(|_, _, which, _| (which == bank::GPRS).then_some(&format::BITS32));

/// Words of which bits have no name: where a word begins in the small state, in bytes, how many bytes it has, and the bits.
pub(super) type Nameless = &'static [(usize, usize, u32)];

/// Such words of a space of a chip.
pub(super) fn nameless_words(chip: Chip, space: &str) -> Nameless {
    use std::sync::LazyLock;
    static WORDS: LazyLock<[[Nameless; 2]; 2]> = LazyLock::new(|| {
        [&tensix::WORMHOLE, &tensix::BLACKHOLE].map(|machine| {
            ["Config", "ThreadConfig"].map(|space| {
                let mut words: Vec<(usize, usize, u32)> = Vec::new();
                for field in (machine.layout.fields)() {
                    let is_of = matches!(field.address, Some((bank, _)) if bank == space);
                    if is_of && field.role == tandem_isa::FieldRole::Unnamed {
                        let bits = (u32::MAX >> (32 - field.width)) << field.shift;
                        match words.last_mut() {
                            Some((byte, _, all)) if *byte == field.byte => *all |= bits,
                            _ => words.push((field.byte, field.word.bytes(), bits)),
                        }
                    }
                }
                &*words.leak()
            })
        })
    });
    WORDS[chip as usize][usize::from(space == "ThreadConfig")]
}

/// The levels of what the bits of configuration hold that have no name.
pub(super) const NAMELESS: &[&str] = &["0", "ones", "any"];

pub(super) fn set_nameless(parts: &mut Parts<'_>, level: usize, noise: &mut Noise, words: Nameless) {
    for &(byte, bytes, bits) in words {
        let value = [0, bits, noise.bits(32) & bits][level];
        let at = &mut parts.small[byte..byte + bytes];
        for (place, byte) in at.iter_mut().enumerate() {
            let [bits, value] = [bits, value].map(|word| word.to_le_bytes()[place]);
            *byte = *byte & !bits | value;
        }
    }
}

pub(super) fn nameless_level(parts: &Parts<'_>, words: Nameless) -> usize {
    let (mut all, mut none) = (true, true);
    for &(byte, bytes, bits) in words {
        let held = &parts.small[byte..byte + bytes];
        for (held, bits) in held.iter().zip(bits.to_le_bytes()) {
            all &= held & bits == bits;
            none &= held & bits == 0;
        }
    }
    match (none, all) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    }
}

/// The axis of the bits without a name of a space of configuration.
macro_rules! nameless {
    ($space:literal) => {
        Axis {
            name: "bits without a name",
            levels: $crate::tensix::configuration::NAMELESS,
            weights: &[1, 3, 4],
            set: |parts, level, noise| {
                let words = $crate::tensix::configuration::nameless_words(C::CHIP, $space);
                $crate::tensix::configuration::set_nameless(parts, level, noise, words)
            },
            get: |parts| {
                let words = $crate::tensix::configuration::nameless_words(C::CHIP, $space);
                $crate::tensix::configuration::nameless_level(parts, words)
            },
        }
    };
}

pub(super) use nameless;

/// The words of a space, as the ranges that they lie in.
macro_rules! words {
    ($name:literal, $field:expr, [$($level:literal: $first:literal $last:literal,)*]) => {
        split!($name, &[$($level),*], &[], Lens::Code($field), Partition::Ranges(&[$(($first, $last)),*]))
    };
}

/// A GPR, aligned and misaligned.
macro_rules! gpr {
    ($name:literal, $field:expr) => {
        split!(
            $name,
            &["0", "1", "2", "3", "last", "any"],
            &[1, 1, 1, 1, 1, 2],
            Lens::Code($field),
            Partition::Points(&[0, 1, 2, 3, 63])
        )
    };
}

// -------------------------------------------------------------------------------------------------- ThreadConfig

/// The counters of contexts of all threads and Unpackers.
pub(super) const CONTEXT_COUNTERS: Axis = Axis {
    name: "context counters",
    levels: &["0", "any"],
    weights: &[1, 7],
    set: |parts, level, noise| {
        for counter in small(parts).unpackers_context_counter.as_flattened_mut() {
            *counter = if level == 0 { 0 } else { 1 + noise.below(7) as u32 };
        }
    },
    get: |parts| usize::from(peek(parts).unpackers_context_counter != [[0; 3]; 2]),
};

pub(super) const fn setc16<C: On>() -> Cases {
    const WORDS: Axis = words!("CfgIndex", THREAD_CFG_INDEX, [
        "StateID": 0 0,
        "MATH_Offset": 1 1,
        "2 to 6": 2 6,
        "ADDR_MOD_AB": 7 22,
        "ADDR_MOD_DST": 23 30,
        "31 to 38": 31 38,
        "contexts": 39 39,
        "40 to 47": 40 47,
        "ADDR_MOD_BIAS": 48 55,
        "last": 56 56,
        "first beyond": 57 57,
        "beyond": 58 255,
    ]);
    const WORDS_BH: Axis = words!("CfgIndex", THREAD_CFG_INDEX, [
        "StateID": 0 0,
        "MATH_Offset": 1 1,
        "2 to 11": 2 11,
        "ADDR_MOD_AB": 12 19,
        "20 to 27": 20 27,
        "ADDR_MOD_DST": 28 35,
        "36 to 40": 36 40,
        "contexts": 41 41,
        "42 to 46": 42 46,
        "ADDR_MOD_BIAS": 47 54,
        "55 to 66": 55 66,
        "last": 67 67,
        "first beyond": 68 68,
        "beyond": 69 255,
    ]);
    Cases {
        path: [C::CHIP.pick(&[WORDS], &[WORDS_BH]); 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, Setc16),
            ends!("NewValue", Lens::Code(NEW_VALUE16), 6, 0xffff),
            nameless!("ThreadConfig"),
            CONTEXT_COUNTERS,
            ROW_SHAPE,
        ]),
        plain: &["NewValue=any", "bits without a name=any", "context counters=any"],
        sweep: &["latched_wait", "NewValue=any", "bits without a name=any", "context counters=any"],
        recording: Recording { always: &["NewValue", "context counters"], ..CASES.recording },
        bench_classes: bench!("setc16", [LATCHED_NOTHING] THREAD_CFG_INDEX 1 NEW_VALUE16 0x155),
        ..CONFIGURATION
    }
}

// -------------------------------------------------------------------------------------------------- Config

/// The words of `Config` by an index, where a reset, words of the state, and words of both banks are told apart.
macro_rules! config_words {
    ($name:literal $field:ident $last:literal) => {
        words!($name, $field, [
            "0 to 3": 0 3,
            "STATE_RESET_EN": 4 4,
            "5 to 7": 5 7,
            "8 to 151": 8 151,
            "152 to 155": 152 155,
            "156 to 163": 156 163,
            "164 to 183": 164 183,
            "184 to 186": 184 186,
            "last": 187 187,
            "first beyond": 188 188,
            "beyond": 189 $last,
        ])
    };
}

/// The words of Blackhole's `Config` where one is written, so that those that are no part of the state stand apart.
macro_rules! single_words {
    ($name:literal $field:ident $last:literal) => {
        words!($name, $field, [
            "0 to 3": 0 3,
            "STATE_RESET_EN": 4 4,
            "5 to 7": 5 7,
            "8 to 179": 8 179,
            "180 to 183": 180 183,
            "184 to 186": 184 186,
            "187 to 202": 187 202,
            "203 to 208": 203 208,
            "209 to 211": 209 211,
            "212 to 219": 212 219,
            "220": 220 220,
            "221 and 222": 221 222,
            "last": 223 223,
            "first beyond": 224 224,
            "beyond": 225 $last,
        ])
    };
}

const CFG_WORDS: Axis = config_words!("CfgIndex" CFG_INDEX 2047);
pub(super) const SINGLE_CFG_WORDS: Axis = single_words!("CfgIndex" CFG_INDEX 2047);
const CFG_WORDS_BH: Axis = words!("CfgIndex", CFG_INDEX, [
    "0 to 3": 0 3,
    "STATE_RESET_EN": 4 4,
    "5 to 7": 5 7,
    "8 to 179": 8 179,
    "180 to 183": 180 183,
    "184 to 187": 184 187,
    "188 to 203": 188 203,
    "204 to 207": 204 207,
    "208 to 211": 208 211,
    "212 to 219": 212 219,
    "220 to 222": 220 222,
    "223": 223 223,
    "first beyond": 224 224,
    "beyond": 225 2047,
]);

pub(super) const fn wrcfg<C: On>() -> Cases {
    const IS_128: Axis = flag!("Is128Bit", Lens::Code(IS_128_BIT));
    Cases {
        path: [C::CHIP.pick(&[IS_128, CFG_WORDS], &[IS_128, CFG_WORDS_BH]); 2],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, Wrcfg), gpr!("InputReg", INPUT_REG)],
            &[nameless!("Config"), ROW_SHAPE, unnamed!(0xc0_7800)]
        ),
        sweep: &["latched_wait", "unnamed_bits", "InputReg=any", "bits without a name=any"],
        bench_classes: bench!("wrcfg-32", [LATCHED_NOTHING] INPUT_REG 5 CFG_INDEX 1),
        ..CONFIGURATION
    }
}

pub(super) const fn rdcfg<C: On>() -> Cases {
    Cases {
        path: [C::CHIP.pick(&[CFG_WORDS], &[CFG_WORDS_BH]); 2],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, Rdcfg), gpr!("ResultReg", RESULT_REG)],
            &[nameless!("Config"), ROW_SHAPE, unnamed!(0xc0_f800)]
        ),
        sweep: &["latched_wait", "unnamed_bits", "ResultReg=any", "bits without a name=any"],
        bench_classes: bench!("rdcfg", [LATCHED_NOTHING] RESULT_REG 5 CFG_INDEX 1),
        ..CONFIGURATION
    }
}

/// `RMWCIB` of a byte.
macro_rules! rmwcib {
    ($($name:ident)*) => {$(
        pub(super) const fn $name<C: On>() -> Cases {
            let bench_classes =
                bench!(stringify!($name), [LATCHED_NOTHING] INDEX4 1 MASK 0x5a NEW_VALUE8 0xff);
            Cases { bench_classes, ..rmwcib::<C>() }
        }
    )*};
}
rmwcib!(rmwcib0 rmwcib1 rmwcib2 rmwcib3);

const CODE_OF_RMWCIB: &[Quantity] = &[
    number!("mask of the byte", Lens::Code(MASK)),
    number!("value for the byte", Lens::Code(NEW_VALUE8)),
    LATCHED_WAIT,
];

const fn rmwcib<C: On>() -> Cases {
    const WORDS: Axis = config_words!("Index4" INDEX4 255);
    const WORDS_BH: Axis = single_words!("Index4" INDEX4 255);
    Cases {
        path: [C::CHIP.pick(&[WORDS], &[WORDS_BH]); 2],
        orthogonal: axes!(&[
            THREAD,
            STATE_ID,
            latched!(C, Rmwcib0),
            split!("Mask", MASKS, &[1, 4, 2, 4, 9], Lens::Code(MASK), Partition::Mask(&[])),
            ends!("NewValue", Lens::Code(NEW_VALUE8), 6, 0xff),
            nameless!("Config"),
            ROW_SHAPE,
        ]),
        quantities: &[CODE_OF_RMWCIB],
        plain: &["Mask=all", "NewValue=any", "bits without a name=any"],
        sweep: &["latched_wait", "Mask=any", "NewValue=any", "bits without a name=any"],
        pairs: &[&["mask of the byte", "value for the byte"]],
        recording: Recording { always: &["Mask", "NewValue", "bits without a name"], ..CASES.recording },
        ..CONFIGURATION
    }
}

pub(super) const fn cfgshiftmask<C: On>() -> Cases {
    const WORDS: Axis = words!("CfgIndex", CFG_INDEX8, [
        "0 to 3": 0 3,
        "STATE_RESET_EN": 4 4,
        "5 to 179": 5 179,
        "180 to 183": 180 183,
        "184 to 186": 184 186,
        "187 to 202": 187 202,
        "203 to 208": 203 208,
        "209 to 211": 209 211,
        "212 to 219": 212 219,
        "220": 220 220,
        "221 and 222": 221 222,
        "last": 223 223,
        "beyond": 224 255,
    ]);
    const MODES: Axis = split!(
        "AluMode",
        &["or", "and", "xor", "add", "or not", "and not", "xor not", "subtract"],
        &[],
        Lens::Code(ALU_MODE),
        Partition::Each
    );
    Cases {
        path: [&[MODES, flag!("MaskMode", Lens::Code(MASK_MODE)), WORDS]; 2],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, Cfgshiftmask)],
            &[ends!("MaskWidth", Lens::Code(MASK_WIDTH), 4, 31), ends!("RotateAmt", Lens::Code(ROTATE_AMT), 4, 31)],
            &[split!("ScratchIndex", &["0", "1", "2", "3"], &[], Lens::Code(SCRATCH_INDEX), Partition::Each)],
            &[SCRATCH, nameless!("Config"), ROW_SHAPE],
        ),
        data: super::control::NO_DATA,
        plain: &["MaskWidth=last", "bits without a name, scratch=any"],
        sweep: &["latched_wait", "MaskWidth=any", "RotateAmt=any", "bits without a name=any", "scratch=any"],
        recording: Recording { always: &["scratch", "MaskWidth"], ..CASES.recording },
        bench_classes: bench!("cfgshiftmask", [LATCHED_NOTHING] MASK_WIDTH 7 CFG_INDEX8 1),
        ..CONFIGURATION
    }
}

/// What the scratch words hold.
const SCRATCH: Axis = Axis {
    name: "scratch",
    levels: &["0", "any"],
    weights: &[1, 15],
    set: |parts, level, noise| {
        small(parts).scratch_sec = [0; 3].map(|zero: u32| if level == 0 { zero } else { noise.bits(32) });
    },
    get: |parts| usize::from(peek(parts).scratch_sec != [0; 3]),
};
