//! Instructions that set counters of ADCs and add to them, on both chips.
//!
//! The ADCs of a thread are three units of sixteen words: two channels of four counters, each with its `_Cr` behind it. All
//! these instructions are one pass over them, which makes of each counter and its `_Cr` two others, and takes them where the
//! word names both the unit and the counter.
//!
//! What differs from the pages, and why it is equal:
//! 1. `ApplyTo` of three units and the chains of `if` are selects: the flags of a word are data to whoever fuzzes.
//! 2. `INCADC…` adds to all counters: what the word has no number for has 0 added.
//! 3. Counters wrap by a mask, of sums and of values alike, and as wide as the chip has them.
//! 4. `SETADC` has the same value for all counters, of which one is taken. Two of its bits are `ThreadOverride` too, so a
//!    value has sixteen bits.
//! 5. The names of a word's fields say X and Y, or Z and W, but fields lie in the same bits: one instruction is both.
//!
//! With a `ThreadOverride` nothing is done, and nothing by `REG2FLOP_ADC`: they are unsupported functionality.

use tandem_isa::tensix::inst::adc::{
    CHANNEL, NEW_VALUE, PK, THREAD_OVERRIDE, U0, U1, X0_VAL10, X1_VAL10, XYZW, xy, zw,
};
use tandem_isa::tensix::{Chip, Tensix};
use tandem_isa::{Answer, CodeField};

use super::instruction::{Code, Decoded, Instruction, thread_of, unsupported};
use crate::bits::choose;
use crate::vector::Vector;

/// Something of each counter of a unit: `X`, `Y`, `Z` and `W` of channel 0, then of channel 1.
type Unit<T> = [T; 8];

/// Makes of each counter and its `_Cr`, with a value, what becomes of them, where `which` is 1 and the word names the unit.
#[inline(always)]
fn change(
    (chip, code): (Chip, &Code),
    tensix: &mut Tensix<'_>,
    which: Unit<u32>,
    values: Unit<u32>,
    to: impl Fn([u32; 2], u32) -> [u32; 2],
) -> Answer {
    let thread = thread_of(tensix.small);
    let units: &mut [Unit<[u32; 2]>; 3] = bytemuck::cast_mut(&mut tensix.small.adcs[thread]);
    let zw = chip.pick(0xff, 0x1fff);
    let widths = [0x3_ffff, 0x1fff, zw, zw];
    for (unit, is_named) in units.iter_mut().zip([U0, U1, PK]) {
        let is_named = is_named.get(code);
        for (index, pair) in unit.iter_mut().enumerate() {
            let bits = (which[index] & is_named).wrapping_neg();
            let [counter, cr] = to(*pair, values[index]);
            let wraps = |word: u32| word & widths[index % 4];
            *pair = [choose(bits, wraps(counter), pair[0]), choose(bits, wraps(cr), pair[1])];
        }
    }
    Answer::Done
}

/// `SETADC`.
pub(crate) struct Setadc;

impl<V: Vector> Instruction<V> for Setadc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let value = NEW_VALUE.get(&code);
        if value >> 16 != 0 {
            return Answer::Unsupported;
        }
        let one = 1 << (4 * CHANNEL.get(&code) + XYZW.get(&code));
        let which = std::array::from_fn(|index| (one >> index) & 1);
        change((chip, &code), tensix, which, [value; 8], |_, value| [value; 2])
    }
}

/// `SETADCXX`.
pub(crate) struct Setadcxx;

impl<V: Vector> Instruction<V> for Setadcxx {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let of_x = |[x0, x1]: [u32; 2]| [x0, 0, 0, 0, x1, 0, 0, 0];
        let values = of_x([X0_VAL10, X1_VAL10].map(|field| field.get(&code)));
        change((chip, &code), tensix, of_x([1, 1]), values, |_, value| [value; 2])
    }
}

/// Fields of `X` and `Y`, or of `Z` and `W`, by the place of the first counter, of both channels.
#[inline(always)]
fn of_two(first: usize, code: &Code, fields: [CodeField; 4]) -> Unit<u32> {
    let mut all = [0; 8];
    for (place, field) in [0, 1, 4, 5].into_iter().zip(fields) {
        all[first + place] = field.get(code);
    }
    all
}

const WHICH: [CodeField; 4] = [xy::SET_0, xy::SET_0B, xy::SET_1, xy::SET_1B];
const VALUES: [CodeField; 4] = [xy::VAL_0, xy::VAL_0B, xy::VAL_1, xy::VAL_1B];

// One instruction is both.
const _: () = {
    assert!(xy::SET_0.shift == zw::SET_0.shift && xy::VAL_0.shift == zw::VAL_0.shift);
    assert!(xy::VAL_0.shift == xy::INC_0.shift && xy::VAL_1B.shift == xy::INC_1B.shift);
};

macro_rules! of_two {
    ($($name:ident $xy:ident $zw:ident: $which:expr, $to:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "XY` and `", stringify!($name), "ZW`, by the place of the first counter.")]
        pub(crate) struct $name<const FIRST: usize>;
        pub(crate) type $xy = $name<0>;
        pub(crate) type $zw = $name<2>;

        impl<V: Vector, const FIRST: usize> Instruction<V> for $name<FIRST> {
            #[inline(always)]
            fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
                if THREAD_OVERRIDE.get(&code) != 0 {
                    return Answer::Unsupported;
                }
                let which = $which(of_two(FIRST, &code, WHICH));
                change((chip, &code), tensix, which, of_two(FIRST, &code, VALUES), $to)
            }
        }
    )*};
}

of_two! {
    Setadc2 Setadcxy Setadczw: std::convert::identity, |_, value| [value; 2];
    Incadc Incadcxy Incadczw: |_| [1; 8], |[counter, cr], value| [counter.wrapping_add(value), cr];
    Addrcr Addrcrxy Addrcrzw: std::convert::identity, |[_, cr], value| [cr.wrapping_add(value); 2];
}

unsupported!(Reg2flopAdc);
