//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::Tensix;
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

type Fields<'a> = &'a [(CodeField, u32)];

/// The counters of both channels of a unit.
type Channels = [AdcChannel; 2];

/// Both channels of each unit of each thread hold different counters, near where they wrap on both chips: `n` is 0 to 17.
fn start(chip: Chip, n: u32) -> AdcChannel {
    let z_or_w = chip.pick(0xe0, 0x1fe0);
    AdcChannel {
        x: 0x3_ffe0 + n,
        x_cr: 0x3_ffc0 + n,
        y: 0x1fe0 + n,
        y_cr: 0x1fc0 + n,
        z: z_or_w + n,
        z_cr: z_or_w - 0x20 + n,
        w: z_or_w - 0x40 + n,
        w_cr: z_or_w - 0x60 + n,
    }
}

/// What is promised of an instruction of a thread, and whether it changes nothing but its counters: those before, and after, of
/// Unpacker 0, of Unpacker 1, and of the Packers.
fn run(chip: Chip, thread: u32, name: &str, fields: Fields<'_>) -> (Expectation, [[Channels; 3]; 2]) {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let small = Tensix::new(&mut state).small;
    small.current_thread = thread;
    let channels = small.adcs.iter_mut().flat_map(|adcs| adcs.unpacker.iter_mut().chain([&mut adcs.packers])).flatten();
    channels.zip(0..).for_each(|(channel, n)| *channel = start(chip, n));
    let before = *small;
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let after = *Tensix::new(&mut state).small;
    let of_thread = |small: &Small| {
        let adcs = small.adcs[U::<2>::new(thread).index()];
        [adcs.unpacker[0], adcs.unpacker[1], adcs.packers]
    };
    let mut rest = after;
    rest.adcs[U::<2>::new(thread).index()] = before.adcs[U::<2>::new(thread).index()];
    assert_eq!(rest, before, "{name} {chip:?} {thread} {fields:?}");
    assert!(state.tracker.log.written.is_empty(), "{name}: it writes rows of no bank");
    (promise, [of_thread(&before), of_thread(&after)])
}

/// Whether the units that are named, and no others, change as `change` says: on both chips, for each thread and all sets of
/// units.
fn check_change(name: &str, fields: Fields<'_>, change: impl Fn(Chip, &mut Channels)) {
    for chip in Chip::ALL {
        for (thread, units) in (0..3).flat_map(|thread| (0..8).map(move |units| (thread, units))) {
            let named = [U0, U1, PK].map(|field| (field, units >> (field.shift - 21) & 1));
            let (promise, [mut expected, after]) = run(chip, thread, name, &[&named[..], fields].concat());
            for (channels, (_, is_named)) in expected.iter_mut().zip(named) {
                if is_named != 0 {
                    change(chip, channels);
                }
            }
            assert_eq!((promise, after), (Expectation::Done, expected), "{name} {chip:?} {thread} {units:#b}");
        }
    }
}

#[test]
fn a_unit_has_a_bit_of_the_word() {
    assert_eq!([U0, U1, PK].map(|field| (field.shift, field.width)), [(21, 1), (22, 1), (23, 1)]);
}

#[rstest]
// What fits into 16 bits, and what 13 and eight bits keep of it: 0xabcd is 0b1010_1011_1100_1101.
#[case(0xabcd, 0xabcd, 0x0bcd, 0xcd)]
#[case(0xffff, 0xffff, 0x1fff, 0xff)]
#[case(0x2100, 0x2100, 0x0100, 0x00)]
#[case(0x007f, 0x007f, 0x007f, 0x7f)]
fn setadc_sets_a_counter_and_its_cr_to_what_fits_into_it(
    #[case] new_value: u32,
    #[case] of_18: u32,
    #[case] of_13: u32,
    #[case] of_8: u32,
) {
    for (channel, number) in [(0, 0), (1, 1)] {
        let fields = |xyzw| [(CHANNEL, number), (XYZW, xyzw), (NEW_VALUE, new_value)];
        let of_z_or_w = |chip: Chip| chip.pick(of_8, of_13);
        check_change("SETADC", &fields(0), |_, channels| {
            (channels[channel].x, channels[channel].x_cr) = (of_18, of_18);
        });
        check_change("SETADC", &fields(1), |_, channels| {
            (channels[channel].y, channels[channel].y_cr) = (of_13, of_13);
        });
        check_change("SETADC", &fields(2), |chip, channels| {
            (channels[channel].z, channels[channel].z_cr) = (of_z_or_w(chip), of_z_or_w(chip));
        });
        check_change("SETADC", &fields(3), |chip, channels| {
            (channels[channel].w, channels[channel].w_cr) = (of_z_or_w(chip), of_z_or_w(chip));
        });
    }
}

#[test]
fn setadcxx_sets_x_of_both_channels_and_its_cr() {
    check_change("SETADCXX", &[(X0_VAL10, 0x3ff), (X1_VAL10, 0x155)], |_, channels| {
        (channels[0].x, channels[0].x_cr) = (0x3ff, 0x3ff);
        (channels[1].x, channels[1].x_cr) = (0x155, 0x155);
    });
    check_change("SETADCXX", &[], |_, channels| {
        channels.iter_mut().for_each(|channel| (channel.x, channel.x_cr) = (0, 0));
    });
}

/// A counter, and its `_Cr`.
type Pair = fn(&mut Channels) -> [&mut u32; 2];

/// The four pairs of counters of each page, in the order of the bits that name them.
const XY: [Pair; 4] = [
    |[first, _]| [&mut first.x, &mut first.x_cr],
    |[first, _]| [&mut first.y, &mut first.y_cr],
    |[_, second]| [&mut second.x, &mut second.x_cr],
    |[_, second]| [&mut second.y, &mut second.y_cr],
];
const ZW: [Pair; 4] = [
    |[first, _]| [&mut first.z, &mut first.z_cr],
    |[first, _]| [&mut first.w, &mut first.w_cr],
    |[_, second]| [&mut second.z, &mut second.z_cr],
    |[_, second]| [&mut second.w, &mut second.w_cr],
];

/// Values 5, 6, 7 and 3 for the counters of a page, and which of them are named.
fn fields_of(values: [CodeField; 4], sets: [CodeField; 4], set: u32) -> Vec<(CodeField, u32)> {
    let named = sets.into_iter().zip((0..4).map(|bit| set >> bit & 1));
    values.into_iter().zip([5, 6, 7, 3]).chain(named).collect()
}

#[test]
fn setadcxy_and_setadczw_set_the_counters_that_are_named_and_their_cr() {
    for set in 0..16 {
        let of_xy = fields_of(
            [xy::VAL_0, xy::VAL_0B, xy::VAL_1, xy::VAL_1B],
            [xy::SET_0, xy::SET_0B, xy::SET_1, xy::SET_1B],
            set,
        );
        let of_zw = fields_of(
            [zw::VAL_0, zw::VAL_0B, zw::VAL_1, zw::VAL_1B],
            [zw::SET_0, zw::SET_0B, zw::SET_1, zw::SET_1B],
            set,
        );
        for (name, fields, pairs) in [("SETADCXY", of_xy, XY), ("SETADCZW", of_zw, ZW)] {
            check_change(name, &fields, |_, channels| {
                for (bit, value) in [5, 6, 7, 3].into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 != 0) {
                    pairs[bit](channels).into_iter().for_each(|counter| *counter = value);
                }
            });
        }
    }
}

#[test]
fn incadcxy_and_incadczw_add_to_four_counters_and_to_no_cr() {
    let of_xy = [(xy::INC_0, 5), (xy::INC_0B, 6), (xy::INC_1, 7), (xy::INC_1B, 3)];
    let of_zw = [(zw::INC_0, 5), (zw::INC_0B, 6), (zw::INC_1, 7), (zw::INC_1B, 3)];
    for (name, fields, pairs) in [("INCADCXY", of_xy, XY), ("INCADCZW", of_zw, ZW)] {
        check_change(name, &fields, |_, channels| {
            for (pair, increment) in pairs.into_iter().zip([5, 6, 7, 3]) {
                *pair(channels)[0] += increment;
            }
        });
    }
}

#[test]
fn addrcrxy_and_addrcrzw_add_to_a_cr_that_is_named_which_the_counter_becomes() {
    for set in 0..16 {
        let of_xy = fields_of(
            [xy::INC_0, xy::INC_0B, xy::INC_1, xy::INC_1B],
            [xy::SET_0, xy::SET_0B, xy::SET_1, xy::SET_1B],
            set,
        );
        let of_zw = fields_of(
            [zw::INC_0, zw::INC_0B, zw::INC_1, zw::INC_1B],
            [zw::SET_0, zw::SET_0B, zw::SET_1, zw::SET_1B],
            set,
        );
        for (name, fields, pairs) in [("ADDRCRXY", of_xy, XY), ("ADDRCRZW", of_zw, ZW)] {
            check_change(name, &fields, |_, channels| {
                for (bit, value) in [5, 6, 7, 3].into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 != 0) {
                    let [counter, cr] = pairs[bit](channels);
                    *cr += value;
                    *counter = *cr;
                }
            });
        }
    }
}

/// Counters that are all ones wrap as wide as each is: 18 bits, 13, and eight or, on Blackhole, 13.
#[test]
fn counters_wrap_at_their_width() {
    for chip in Chip::ALL {
        let z = chip.pick(0xff, 0x1fff);
        let all = AdcChannel { x: 0x3_ffff, x_cr: 0x3_ffff, y: 0x1fff, y_cr: 0x1fff, z, z_cr: z, w: z, w_cr: z };
        let after = |name, fields: Fields<'_>| {
            let (machine, instruction, code) = word(chip, name, &[fields, &[(PK, 1)]].concat());
            let mut state = machine.base_state();
            Tensix::new(&mut state).small.adcs[0].packers = [all; 2];
            let step = Step { instruction, edition: Edition::Spec, code: &code };
            assert_eq!(TensixReference.execute(&step, &mut state), Expectation::Done);
            Tensix::new(&mut state).small.adcs[0].packers
        };
        let of_xy = [(xy::INC_0, 1), (xy::INC_0B, 2), (xy::INC_1, 3), (xy::INC_1B, 4)];
        let of_zw = [(zw::INC_0, 1), (zw::INC_0B, 2), (zw::INC_1, 3), (zw::INC_1B, 4)];
        let first = AdcChannel { x: 0, y: 1, ..all };
        assert_eq!(after("INCADCXY", &of_xy), [first, AdcChannel { x: 2, y: 3, ..all }]);
        let first = AdcChannel { z: 0, w: 1, ..all };
        assert_eq!(after("INCADCZW", &of_zw), [first, AdcChannel { z: 2, w: 3, ..all }]);
        let of_xy = [&of_xy[..], &[(xy::SET_0, 1), (xy::SET_0B, 1), (xy::SET_1, 1), (xy::SET_1B, 1)]].concat();
        let of_zw = [&of_zw[..], &[(zw::SET_0, 1), (zw::SET_0B, 1), (zw::SET_1, 1), (zw::SET_1B, 1)]].concat();
        let first = AdcChannel { x: 0, x_cr: 0, y: 1, y_cr: 1, ..all };
        assert_eq!(after("ADDRCRXY", &of_xy), [first, AdcChannel { x: 2, x_cr: 2, y: 3, y_cr: 3, ..all }]);
        let first = AdcChannel { z: 0, z_cr: 0, w: 1, w_cr: 1, ..all };
        assert_eq!(after("ADDRCRZW", &of_zw), [first, AdcChannel { z: 2, z_cr: 2, w: 3, w_cr: 3, ..all }]);
    }
}

#[test]
fn thread_override_promises_nothing() {
    for chip in Chip::ALL {
        for name in ["SETADCXY", "SETADCZW", "INCADCXY", "INCADCZW", "ADDRCRXY", "ADDRCRZW"] {
            for thread_override in 1..4 {
                let (promise, _) = run(chip, 1, name, &[(THREAD_OVERRIDE, thread_override)]);
                assert!(
                    matches!(promise, Expectation::Unsupported(citation) if citation.reason == OVERRIDE_REASON),
                    "{name} {thread_override}"
                );
            }
        }
        for xyzw in 0..4 {
            for (new_value, is_promised) in [(0xffff, true), (0x1_0000, false), (0x2_0000, false), (0x3_0000, false)] {
                let (promise, _) = run(chip, 1, "SETADC", &[(XYZW, xyzw), (NEW_VALUE, new_value)]);
                assert_eq!(promise == Expectation::Done, is_promised, "{new_value:#x}");
                assert!(is_promised || matches!(promise, Expectation::Unsupported(_)));
            }
        }
    }
}

#[test]
fn reg2flop_to_a_counter_promises_nothing() {
    for chip in Chip::ALL {
        let (promise, [before, after]) = run(chip, 0, "REG2FLOP_ADC", &[]);
        assert!(matches!(promise, Expectation::Unsupported(citation) if citation.reason == REG2FLOP_REASON));
        assert_eq!(before, after);
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for (name, bits) in [
        ("SETADC", 0_u32),
        ("SETADCXX", 1 << 20),
        ("SETADCXY", 1 << 20 | 0x30),
        ("SETADCZW", 1 << 20 | 0x30),
        ("INCADCXY", 1 << 20 | 0x3f),
        ("INCADCZW", 1 << 20 | 0x3f),
        ("ADDRCRXY", 1 << 20 | 0x30),
        ("ADDRCRZW", 1 << 20 | 0x30),
        ("REG2FLOP_ADC", 0xf000),
    ] {
        for bit in 0..21 {
            let field = CodeField { name: "", word: 0, shift: bit, width: 1 };
            let (promise, _) = run(Chip::Blackhole, 2, name, &[(field, 1)]);
            let is_unnamed = promise.citation().is_some_and(|citation| citation.reason.starts_with("TX-40"));
            assert_eq!(is_unnamed, bits >> bit & 1 != 0, "{name} {bit}");
        }
    }
}
