//! Instructions that set and increment the counters of `ADCs`: `SETADC`, `SETADCXX`, `SETADCXY`, `SETADCZW`, `INCADCXY`,
//! `INCADCZW`, `ADDRCRXY` and `ADDRCRZW` of the Miscellaneous Unit, and `REG2FLOP` to a counter of the Scalar Unit.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. How wide a counter is says page ADCs (commit acaf0105). After an outcome that promises nothing the state is of no
//! meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::adc::{
    CHANNEL, NEW_VALUE, PK, THREAD_OVERRIDE, U0, U1, X0_VAL10, X1_VAL10, XYZW, xy, zw,
};
use tandem_isa::tensix::{
    ADDRCRXY, ADDRCRZW, AdcChannel, Chip, INCADCXY, INCADCZW, REG2FLOP_ADC, SETADC, SETADCXX, SETADCXY, SETADCZW, Small,
};
use tandem_isa::{Expectation, Step};

use super::rwcs::advance;
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const OVERRIDE_REASON: &str = "ThreadOverride is unsupported functionality, and the page is not sure of what it does";
const REG2FLOP_REASON: &str = "it is unsupported functionality as a whole, and the page is not sure of what it does";

/// Does something to the counters of each unit that the code names: of Unpacker 0, of Unpacker 1, and of the Packers.
fn apply_to(code: &[u32], small: &mut Small, apply: impl Fn(&mut [AdcChannel; 2])) {
    // [SETADC 29] [SETADCXY 35] [SETADCZW 35] [INCADCXY 31] [INCADCZW 31] [ADDRCRXY 35] [ADDRCRZW 35] The counters are those
    // of the thread itself, as ThreadOverride is 0.
    let adcs = &mut small.adcs[U::<2>::new(small.current_thread).index()];
    // [SETADC 30] [SETADCXX 24] [SETADCXY 36] [SETADCZW 36] [INCADCXY 32] [INCADCZW 32] [ADDRCRXY 36] [ADDRCRZW 36] With U0
    // those of Unpacker 0 change, …
    if U0.get(code) != 0 {
        apply(&mut adcs.unpacker[0]);
    }
    // [SETADC 31] [SETADCXX 25] [SETADCXY 37] [SETADCZW 37] [INCADCXY 33] [INCADCZW 33] [ADDRCRXY 37] [ADDRCRZW 37] … with U1
    // those of Unpacker 1, …
    if U1.get(code) != 0 {
        apply(&mut adcs.unpacker[1]);
    }
    // [SETADC 32] [SETADCXX 26] [SETADCXY 38] [SETADCZW 38] [INCADCXY 34] [INCADCZW 34] [ADDRCRXY 38] [ADDRCRZW 38] … and with
    // PK those that all Packers share.
    if PK.get(code) != 0 {
        apply(&mut adcs.packers);
    }
}

/// What a counter Z or W of a chip makes of a value.
fn of_width(chip: Chip, value: u32) -> u32 {
    match chip {
        // [ADCS 11-12] They have eight bits.
        Chip::Wormhole => U::<8>::new(value).get(),
        // [ADCS 18] On Blackhole they have as many as Y.
        Chip::Blackhole => U::<13>::new(value).get(),
    }
}

/// Adds to a counter Z or W of a chip, which wraps.
fn advance_z_or_w(chip: Chip, counter: &mut u32, increment: u32) {
    match chip {
        // [ADCS 11-12] They have eight bits.
        Chip::Wormhole => advance::<8>(counter, increment),
        // [ADCS 18] On Blackhole they have as many as Y.
        Chip::Blackhole => advance::<13>(counter, increment),
    }
}

/// `SETADC`: set one counter of a channel, and its `_Cr`.
///
/// *Source*: page SETADC, commit ec003696.
// Of page `SETADC`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn setadc(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10-15] PK, U1 and U0, of one bit each, Channel, of one, XYZW, of two, and NewValue, of 18.
    // (`encodings_and_texts_round_trip`)
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let new_value = U::<18>::new(NEW_VALUE.get(code));
    // [25] The two upper bits of NewValue are ThreadOverride.
    let thread_override = U::<2>::new((new_value >> 16).get());
    // [26] The thread may be another one.
    if thread_override.get() != 0 {
        // [27] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(SETADC, "lines 25-29", OVERRIDE_REASON)));
    }
    // [34] All units that are named are treated alike.
    apply_to(code, small, |adc| {
        // [35] One channel changes.
        let ch = &mut adc[U::<1>::new(CHANNEL.get(code)).index()];
        // [36] XYZW selects a counter. What does not fit into it is dropped.
        match XYZW.get(code) {
            0 => (ch.x, ch.x_cr) = (new_value.get(), new_value.get()), // [37] X is set, and X_Cr.
            // [38] Y is set, and Y_Cr.
            1 => {
                // [ADCS 10] They have 13 bits.
                let value = U::<13>::new(new_value.get()).get();
                (ch.y, ch.y_cr) = (value, value);
            }
            // [39] Z is set, and Z_Cr.
            2 => {
                let value = of_width(chip, new_value.get());
                (ch.z, ch.z_cr) = (value, value);
            }
            // [40] W is set, and W_Cr.
            _ => {
                let value = of_width(chip, new_value.get());
                (ch.w, ch.w_cr) = (value, value);
            }
        }
    });
    ControlFlow::Continue(())
}

/// `SETADCXX`: set X of both channels, and its `_Cr`.
///
/// *Source*: page SETADCXX, commit 39304719.
// Of page `SETADCXX`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn setadcxx(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10-14] PK, U1 and U0, of one bit each, and X1Val and X0Val, of ten. (`encodings_and_texts_round_trip`)
    // [19] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETADCXX, "lines 10-14 and 19", UNNAMED_REASON))?;
    let code = step.code;
    // [28] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        // [29] X of channel 0 is set, and X_Cr.
        (channel0.x, channel0.x_cr) = (X0_VAL10.get(code), X0_VAL10.get(code));
        // [30] X of channel 1 is set, and X_Cr.
        (channel1.x, channel1.x_cr) = (X1_VAL10.get(code), X1_VAL10.get(code));
    });
    ControlFlow::Continue(())
}

/// `SETADCXY`: set X and Y of either channel, and their `_Cr`.
///
/// *Source*: page SETADCXY, commit ec003696.
// Of page `SETADCXY`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn setadcxy(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use xy::{SET_0, SET_0B, SET_1, SET_1B, VAL_0, VAL_0B, VAL_1, VAL_1B};
    // [10-20] PK, U1 and U0, of one bit each, four values of three bits, and a bit for each of them.
    // (`encodings_and_texts_round_trip`)
    // [23] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [27] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETADCXY, "lines 10-20, 23 and 27", UNNAMED_REASON))?;
    let code = step.code;
    // [32] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [33] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(SETADCXY, "lines 32-35", OVERRIDE_REASON)));
    }
    // [40] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        // [41] With X0, X of channel 0 is set, and X_Cr.
        if SET_0.get(code) != 0 {
            (channel0.x, channel0.x_cr) = (VAL_0.get(code), VAL_0.get(code));
        }
        // [42] With Y0, Y of channel 0 is set, and Y_Cr.
        if SET_0B.get(code) != 0 {
            (channel0.y, channel0.y_cr) = (VAL_0B.get(code), VAL_0B.get(code));
        }
        // [43] With X1, X of channel 1 is set, and X_Cr.
        if SET_1.get(code) != 0 {
            (channel1.x, channel1.x_cr) = (VAL_1.get(code), VAL_1.get(code));
        }
        // [44] With Y1, Y of channel 1 is set, and Y_Cr.
        if SET_1B.get(code) != 0 {
            (channel1.y, channel1.y_cr) = (VAL_1B.get(code), VAL_1B.get(code));
        }
    });
    ControlFlow::Continue(())
}

/// `SETADCZW`: set Z and W of either channel, and their `_Cr`.
///
/// *Source*: page SETADCZW, commit ec003696.
// Of page `SETADCZW`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn setadczw(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use zw::{SET_0, SET_0B, SET_1, SET_1B, VAL_0, VAL_0B, VAL_1, VAL_1B};
    // [10-20] PK, U1 and U0, of one bit each, four values of three bits, and a bit for each of them.
    // (`encodings_and_texts_round_trip`)
    // [23] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [27] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETADCZW, "lines 10-20, 23 and 27", UNNAMED_REASON))?;
    let code = step.code;
    // [32] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [33] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(SETADCZW, "lines 32-35", OVERRIDE_REASON)));
    }
    // [40] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        // [41] With Z0, Z of channel 0 is set, and Z_Cr.
        if SET_0.get(code) != 0 {
            (channel0.z, channel0.z_cr) = (VAL_0.get(code), VAL_0.get(code));
        }
        // [42] With W0, W of channel 0 is set, and W_Cr.
        if SET_0B.get(code) != 0 {
            (channel0.w, channel0.w_cr) = (VAL_0B.get(code), VAL_0B.get(code));
        }
        // [43] With Z1, Z of channel 1 is set, and Z_Cr.
        if SET_1.get(code) != 0 {
            (channel1.z, channel1.z_cr) = (VAL_1.get(code), VAL_1.get(code));
        }
        // [44] With W1, W of channel 1 is set, and W_Cr.
        if SET_1B.get(code) != 0 {
            (channel1.w, channel1.w_cr) = (VAL_1B.get(code), VAL_1B.get(code));
        }
    });
    ControlFlow::Continue(())
}

/// `INCADCXY`: add to X and Y of both channels.
///
/// *Source*: page INCADCXY, commit ec003696.
// Of page `INCADCXY`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn incadcxy(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use xy::{INC_0, INC_0B, INC_1, INC_1B};
    // [10-16] PK, U1 and U0, of one bit each, and four increments of three. (`encodings_and_texts_round_trip`)
    // [19] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [23] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(INCADCXY, "lines 10-16, 19 and 23", UNNAMED_REASON))?;
    let code = step.code;
    // [28] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [29] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(INCADCXY, "lines 28-31", OVERRIDE_REASON)));
    }
    // [36] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        advance::<18>(&mut channel0.x, INC_0.get(code)); // [37] [ADCS 9] X of channel 0 grows, in 18 bits.
        advance::<13>(&mut channel0.y, INC_0B.get(code)); // [38] [ADCS 10] Y of channel 0 grows, in 13 bits.
        advance::<18>(&mut channel1.x, INC_1.get(code)); // [39] X of channel 1 grows.
        advance::<13>(&mut channel1.y, INC_1B.get(code)); // [40] Y of channel 1 grows.
    });
    ControlFlow::Continue(())
}

/// `INCADCZW`: add to Z and W of both channels.
///
/// *Source*: page INCADCZW, commit ec003696.
// Of page `INCADCZW`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn incadczw(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use zw::{INC_0, INC_0B, INC_1, INC_1B};
    // [10-16] PK, U1 and U0, of one bit each, and four increments of three. (`encodings_and_texts_round_trip`)
    // [19] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [23] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(INCADCZW, "lines 10-16, 19 and 23", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [28] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [29] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(INCADCZW, "lines 28-31", OVERRIDE_REASON)));
    }
    // [36] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        advance_z_or_w(chip, &mut channel0.z, INC_0.get(code)); // [37] Z of channel 0 grows.
        advance_z_or_w(chip, &mut channel0.w, INC_0B.get(code)); // [38] W of channel 0 grows.
        advance_z_or_w(chip, &mut channel1.z, INC_1.get(code)); // [39] Z of channel 1 grows.
        advance_z_or_w(chip, &mut channel1.w, INC_1B.get(code)); // [40] W of channel 1 grows.
    });
    ControlFlow::Continue(())
}

/// `ADDRCRXY`: add to the `_Cr` of X and Y of either channel, which the counters then become.
///
/// *Source*: page ADDRCRXY, commit ec003696.
// Of page `ADDRCRXY`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn addrcrxy(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use xy::{INC_0, INC_0B, INC_1, INC_1B, SET_0, SET_0B, SET_1, SET_1B};
    // [10-20] PK, U1 and U0, of one bit each, four increments of three bits, and a bit for each of them.
    // (`encodings_and_texts_round_trip`)
    // [23] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [27] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ADDRCRXY, "lines 10-20, 23 and 27", UNNAMED_REASON))?;
    let code = step.code;
    // [32] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [33] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(ADDRCRXY, "lines 32-35", OVERRIDE_REASON)));
    }
    // [40] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        // [41] With X0, X_Cr of channel 0 grows, and X becomes it.
        if SET_0.get(code) != 0 {
            // [ADCS 9] Both have 18 bits.
            advance::<18>(&mut channel0.x_cr, INC_0.get(code));
            channel0.x = channel0.x_cr;
        }
        // [42] With Y0, Y_Cr of channel 0 grows, and Y becomes it.
        if SET_0B.get(code) != 0 {
            // [ADCS 10] Both have 13 bits.
            advance::<13>(&mut channel0.y_cr, INC_0B.get(code));
            channel0.y = channel0.y_cr;
        }
        // [43] With X1, X_Cr of channel 1 grows, and X becomes it.
        if SET_1.get(code) != 0 {
            advance::<18>(&mut channel1.x_cr, INC_1.get(code));
            channel1.x = channel1.x_cr;
        }
        // [44] With Y1, Y_Cr of channel 1 grows, and Y becomes it.
        if SET_1B.get(code) != 0 {
            advance::<13>(&mut channel1.y_cr, INC_1B.get(code));
            channel1.y = channel1.y_cr;
        }
    });
    ControlFlow::Continue(())
}

/// `ADDRCRZW`: add to the `_Cr` of Z and W of either channel, which the counters then become.
///
/// *Source*: page ADDRCRZW, commit ec003696.
// Of page `ADDRCRZW`.
// [3] The page has a summary without words. Not modelled: it says nothing.
// [5] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn addrcrzw(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    use zw::{INC_0, INC_0B, INC_1, INC_1B, SET_0, SET_0B, SET_1, SET_1B};
    // [10-20] PK, U1 and U0, of one bit each, four increments of three bits, and a bit for each of them.
    // (`encodings_and_texts_round_trip`)
    // [23] ThreadOverride, of two bits, has no place in the text. (`encodings_and_texts_round_trip`)
    // [27] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ADDRCRZW, "lines 10-20, 23 and 27", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [32] The thread may be another one.
    if THREAD_OVERRIDE.get(code) != 0 {
        // [33] That is unsupported.
        return ControlFlow::Break(Expectation::Unsupported(cite!(ADDRCRZW, "lines 32-35", OVERRIDE_REASON)));
    }
    // [40] All units that are named are treated alike.
    apply_to(code, small, |[channel0, channel1]| {
        // [41] With Z0, Z_Cr of channel 0 grows, and Z becomes it.
        if SET_0.get(code) != 0 {
            advance_z_or_w(chip, &mut channel0.z_cr, INC_0.get(code));
            channel0.z = channel0.z_cr;
        }
        // [42] With W0, W_Cr of channel 0 grows, and W becomes it.
        if SET_0B.get(code) != 0 {
            advance_z_or_w(chip, &mut channel0.w_cr, INC_0B.get(code));
            channel0.w = channel0.w_cr;
        }
        // [43] With Z1, Z_Cr of channel 1 grows, and Z becomes it.
        if SET_1.get(code) != 0 {
            advance_z_or_w(chip, &mut channel1.z_cr, INC_1.get(code));
            channel1.z = channel1.z_cr;
        }
        // [44] With W1, W_Cr of channel 1 grows, and W becomes it.
        if SET_1B.get(code) != 0 {
            advance_z_or_w(chip, &mut channel1.w_cr, INC_1B.get(code));
            channel1.w = channel1.w_cr;
        }
    });
    ControlFlow::Continue(())
}

/// `REG2FLOP` to a counter of `ADCs`.
///
/// *Source*: page REG2FLOP_ADC, commit f6a77780.
// Of page `REG2FLOP_ADC`.
// [3] 8 to 32 bits of a GPR go to a counter, for which SETADC and the like have constants. It is not to be used.
// (`reg2flop_to_a_counter_promises_nothing`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [71] It takes two cycles or more, with nothing else in the Scalar Unit and of the thread meanwhile, and more while others write
// THCON configuration. Not modelled: cycle timing is out of scope by decision.
pub fn reg2flop_adc(step: &Step<'_>, _: &mut Small) -> ControlFlow<Expectation> {
    // [10-18] SizeSel, of two bits, OverrideThread, of one, Shift8 and ThreadSel, of two, Channel, of one, ADCSel, of two, Cr, of
    // one, XYZW, of two, and InputReg, of six. (`encodings_and_texts_round_trip`)
    // [23] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(REG2FLOP_ADC, "lines 10-18 and 23", UNNAMED_REASON))?;
    // [28] All of it is unsupported. (`reg2flop_to_a_counter_promises_nothing`)
    // [29] The value is a GPR of the thread. Not modelled: unsupported by line 28.
    // [30] SizeSel selects a part of it. Not modelled: unsupported by line 28.
    // [31-33] 0: none, and 0 instead. Not modelled: unsupported by line 28.
    // [34-36] 1: all of it, or with Shift8 0. Not modelled: unsupported by line 28.
    // [37-41] 2: with Shift8 of 0 the lower half, of 2 the upper one, and else 0. Not modelled: unsupported by line 28.
    // [42-44] 3: byte Shift8. Not modelled: unsupported by line 28.
    // [47] The counters are those of the thread. Not modelled: unsupported by line 28.
    // [48-49] With OverrideThread, those of ThreadSel. Not modelled: unsupported by line 28.
    // [50] There is no fourth thread, for which nothing changes. Not modelled: unsupported by line 28.
    // [52-57] ADCSel selects Unpacker 0 or 1, or the Packers, or nothing. Not modelled: unsupported by line 28.
    // [59] One channel changes. Not modelled: unsupported by line 28.
    // [61-65] XYZW selects a counter, or with Cr its _Cr alone, which is set. Not modelled: unsupported by line 28.
    ControlFlow::Break(Expectation::Unsupported(cite!(REG2FLOP_ADC, "lines 3 and 28-66", REG2FLOP_REASON)))
}

#[cfg(test)]
mod tests;
