//! Instructions that set and increment the counters of ADCs, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit 39304719) of the same repository. The
//! vendor's tables give both chips the same fields.

use super::{Form, field};
use crate::CodeField;

/// `U0`, bit 21: the counters of Unpacker 0.
pub const U0: CodeField = field("U0", 21, 1);
/// `U1`, bit 22: those of Unpacker 1.
pub const U1: CodeField = field("U1", 22, 1);
/// `PK`, bit 23: those of the Packers.
pub const PK: CodeField = field("PK", 23, 1);
/// `ThreadOverride`, bits 18 and 19, which no syntax has; `SETADC` has its own.
pub const THREAD_OVERRIDE: CodeField = field("ThreadOverride", 18, 2);
/// `NewValue` of `SETADC`, bits 0 to 17. Its upper two bits are `ThreadOverride` too.
pub const NEW_VALUE: CodeField = field("NewValue", 0, 18);
/// `XYZW` of `SETADC`, bits 18 and 19.
pub const XYZW: CodeField = field("XYZW", 18, 2);
/// `Channel` of `SETADC`, bit 20.
pub const CHANNEL: CodeField = field("Channel", 20, 1);
/// `X0Val` of `SETADCXX`, bits 0 to 9.
pub const X0_VAL10: CodeField = field("X0Val", 0, 10);
/// `X1Val` of `SETADCXX`, bits 10 to 19.
pub const X1_VAL10: CodeField = field("X1Val", 10, 10);

macro_rules! of_two {
    ($($module:ident $first:literal $second:literal;)*) => {$(
        /// The fields that name two counters of each channel: which are set, and by what.
        pub mod $module {
            use super::super::field;
            use crate::CodeField;

            /// Bit 0: the first counter of channel 0.
            pub const SET_0: CodeField = field(concat!($first, "0"), 0, 1);
            /// Bit 1: the second counter of channel 0.
            pub const SET_0B: CodeField = field(concat!($second, "0"), 1, 1);
            /// Bit 2: the first counter of channel 1.
            pub const SET_1: CodeField = field(concat!($first, "1"), 2, 1);
            /// Bit 3: the second counter of channel 1.
            pub const SET_1B: CodeField = field(concat!($second, "1"), 3, 1);
            /// Bits 6 to 8: a value for the first counter of channel 0.
            pub const VAL_0: CodeField = field(concat!($first, "0Val"), 6, 3);
            /// Bits 9 to 11: for the second counter of channel 0.
            pub const VAL_0B: CodeField = field(concat!($second, "0Val"), 9, 3);
            /// Bits 12 to 14: for the first counter of channel 1.
            pub const VAL_1: CodeField = field(concat!($first, "1Val"), 12, 3);
            /// Bits 15 to 17: for the second counter of channel 1.
            pub const VAL_1B: CodeField = field(concat!($second, "1Val"), 15, 3);
            /// Bits 6 to 8: what is added to the first counter of channel 0.
            pub const INC_0: CodeField = field(concat!($first, "0Inc"), 6, 3);
            /// Bits 9 to 11: to the second counter of channel 0.
            pub const INC_0B: CodeField = field(concat!($second, "0Inc"), 9, 3);
            /// Bits 12 to 14: to the first counter of channel 1.
            pub const INC_1: CodeField = field(concat!($first, "1Inc"), 12, 3);
            /// Bits 15 to 17: to the second counter of channel 1.
            pub const INC_1B: CodeField = field(concat!($second, "1Inc"), 15, 3);
        }
    )*};
}
of_two! { xy "X" "Y"; zw "Z" "W"; }

/// What a page writes as one argument: fields side by side.
const UNITS: CodeField = field("PK << 2 + U1 << 1 + U0", 21, 3);
const WHICH: CodeField = field("which counters", 0, 4);

pub(in crate::tensix) const SETADC: Form =
    Form::new(&[U0, U1, PK, CHANNEL, XYZW, NEW_VALUE], &[UNITS, CHANNEL, XYZW, NEW_VALUE]);
pub(in crate::tensix) const SETADCXX: Form = Form::new(&[U0, U1, PK, X1_VAL10, X0_VAL10], &[UNITS, X1_VAL10, X0_VAL10]);

macro_rules! forms {
    ($($set:ident $increment:ident $from:ident $module:ident;)*) => {$(
        pub(in crate::tensix) const $set: Form = {
            use $module::*;
            Form::new(
                &[SET_0, SET_0B, SET_1, SET_1B, VAL_0, VAL_0B, VAL_1, VAL_1B, THREAD_OVERRIDE, U0, U1, PK],
                &[UNITS, VAL_1B, VAL_1, VAL_0B, VAL_0, WHICH],
            )
        };
        pub(in crate::tensix) const $increment: Form = {
            use $module::*;
            Form::new(
                &[INC_0, INC_0B, INC_1, INC_1B, THREAD_OVERRIDE, U0, U1, PK],
                &[UNITS, INC_1B, INC_1, INC_0B, INC_0],
            )
        };
        pub(in crate::tensix) const $from: Form = {
            use $module::*;
            Form::new(
                &[SET_0, SET_0B, SET_1, SET_1B, INC_0, INC_0B, INC_1, INC_1B, THREAD_OVERRIDE, U0, U1, PK],
                &[UNITS, INC_1B, INC_1, INC_0B, INC_0, WHICH],
            )
        };
    )*};
}
forms! { SETADCXY INCADCXY ADDRCRXY xy; SETADCZW INCADCZW ADDRCRZW zw; }
