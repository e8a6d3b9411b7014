//! Values computed by hand from the page.

use rstest::rstest;
use tandem_isa::tensix::{BLACKHOLE, Mnemonic, config};
use tandem_isa::{Edition, Reference, State};

use super::super::TensixReference;
use super::*;

/// The settings of a core's window.
#[derive(Clone, Copy)]
struct Settings {
    fmt: u32,
    no_swizzle: bool,
    unsigned_int: bool,
}

/// The format as it usually is.
fn signed(fmt: u32) -> Settings {
    Settings { fmt, no_swizzle: false, unsigned_int: false }
}

/// A state in which a core is the one that accesses, with its settings in the bank of `Config` that is in force.
fn state_of(core: usize, state_id: u32, settings: Settings) -> State {
    let mut state = BLACKHOLE.base_state();
    let small = Tensix::new(&mut state).small;
    small.current_thread = u32::try_from(core).expect("three cores");
    config::CFG_STATE_ID_StateID.set(&mut small.thread_config[core], state_id);
    let fields = [
        (blackhole::RISC_DEST_ACCESS_CTRL_SEC0_fmt, settings.fmt),
        (blackhole::RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle, u32::from(settings.no_swizzle)),
        (blackhole::RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int, u32::from(settings.unsigned_int)),
    ];
    for (field, value) in fields {
        // Sections are five bits apart.
        let shift = field.shift + 5 * u32::try_from(core).expect("three cores");
        ConfigField { shift, ..field }.set(&mut small.config[state_id as usize], value);
    }
    state
}

fn execute(mnemonic: Mnemonic, size: u32, sign_extend: bool, offset: u32, state: &mut State) -> Expectation {
    let facts = mnemonic.on(Chip::Blackhole);
    let mut code = [facts.base_code[0]];
    SIZE.set(&mut code, size);
    OFFSET.set(&mut code, offset);
    if mnemonic == Mnemonic::RiscLoad {
        SIGN_EXTEND.set(&mut code, u32::from(sign_extend));
    }
    let step = Step { instruction: facts, edition: Edition::Newest, code: &code };
    TensixReference.execute(&step, state)
}

fn load(size: u32, offset: u32, state: &mut State) -> Expectation {
    execute(Mnemonic::RiscLoad, size, false, offset, state)
}

fn store(size: u32, offset: u32, state: &mut State) -> Expectation {
    execute(Mnemonic::RiscStore, size, false, offset, state)
}

fn data(state: &mut State) -> &mut [u32; 4] {
    &mut Tensix::new(state).small.risc_data
}

/// The code of the size of a datum.
fn size_of(fmt: u32) -> u32 {
    [2, 2, 1, 1, 1, 0][fmt as usize]
}

/// Format, `no_swizzle`, `unsigned_int`, what `Dst` holds, and what the register.
#[rstest]
// 1.0, -1.5 and pi: an exponent of 127, 127 and 128, and the high seven bits of the mantissa before it.
#[case(0, false, false, 0x007f_0000, 0x3f80_0000)]
#[case(0, false, true, 0xc07f_0000, 0xbfc0_0000)]
#[case(0, false, false, 0x4980_0fdb, 0x4049_0fdb)]
#[case(0, true, false, 0x4980_0fdb, 0x4980_0fdb)]
// -5, and -0x1234_5678, whose magnitude is 0x24 in the place of the exponent and 0x34 in that of the mantissa's high bits.
#[case(1, false, false, 0x8000_0005, 0xffff_fffb)]
#[case(1, false, true, 0xb424_5678, 0xedcb_a988)]
#[case(1, false, false, 0x3424_5678, 0x1234_5678)]
#[case(1, true, false, 0x8000_0005, 0x8000_0005)]
#[case(2, false, false, 0x000f, 0x3c00)]
#[case(2, false, true, 0xc00f, 0xbe00)]
#[case(2, true, false, 0xc00f, 0xc00f)]
#[case(3, false, false, 0x007f, 0x3f80)]
#[case(3, false, true, 0xc07f, 0xbfc0)]
#[case(3, true, false, 0xc07f, 0xc07f)]
#[case(4, false, false, 0x8005, 0xfffb)]
#[case(4, false, false, 0x7fff, 0x7fff)]
#[case(4, false, true, 0x8005, 0x8005)]
#[case(4, true, false, 0x8005, 0x8005)]
#[case(5, false, false, 0x00b0, 5)]
#[case(5, false, false, 0x0000, 0)]
#[case(5, false, true, 0x1f70, 0xfb)]
#[case(5, true, false, 0x1f70, 0xfb)]
// The page says that hardware sets bit 7 of the magnitude of a negative number too.
#[case(5, false, false, 0x90b0, 0xfb)]
fn every_format_converts_as_its_lines_say(
    #[case] fmt: u32,
    #[case] no_swizzle: bool,
    #[case] unsigned_int: bool,
    #[case] dst: u32,
    #[case] register: u32,
) {
    let settings = Settings { fmt, no_swizzle, unsigned_int };
    let size = size_of(fmt);
    // Row 9, column 3; Dst32b[9] lies in the rows 17 and 25.
    let offset = (9 * 16 + 3) * SIZES[size as usize];
    for core in 0..3 {
        let mut state = state_of(core, 0, settings);
        let tensix = &mut Tensix::new(&mut state);
        let words = if fmt < 2 { vec![(17, dst >> 16), (25, dst & 0xffff)] } else { vec![(9, dst)] };
        for &(row, word) in &words {
            tensix.set_dst_bits(row, 3, u16::try_from(word).expect("16 bits"));
        }
        data(&mut state).copy_from_slice(&[u32::MAX, 1, 2, 3]);
        assert_eq!(load(size, offset, &mut state), Expectation::Done);
        assert_eq!(*data(&mut state), [register, 1, 2, 3], "a load");

        let mut state = state_of(core, 0, settings);
        // What lies above the datum is not stored.
        *data(&mut state) = [if fmt < 2 { register } else { register | 0x5a5a_0000 }, 1, 2, 3];
        assert_eq!(store(size, offset, &mut state), Expectation::Done);
        let tensix = &mut Tensix::new(&mut state);
        for (row, word) in words {
            let mut expected = [0; 16];
            expected[3] = u16::try_from(word).expect("16 bits");
            assert_eq!(*tensix.dst_row(row), expected, "a store");
            assert!(tensix.dst_row_valid(row));
        }
    }
}

#[test]
fn what_does_not_come_back_is_negative_zero_and_the_least_number() {
    // What is loaded, and what is stored, where they do not undo each other; of 32 bits the high half.
    for (fmt, dst, register) in [(1, 0x8000, 0), (4, 0x8000, 0), (5, 0x8010, 0), (5, 0x80b0, 0xfb)] {
        let mut state = state_of(0, 0, signed(fmt));
        let tensix = &mut Tensix::new(&mut state);
        tensix.set_dst_bits(0, 0, dst);
        assert_eq!(load(size_of(fmt), 0, &mut state), Expectation::Done);
        assert_eq!(data(&mut state)[0], register);
    }
    for (fmt, register, dst) in [(1, 0x8000_0000, 0xffff), (4, 0x8000, 0xffff), (5, 0x80, 0x9ff0)] {
        let mut state = state_of(0, 0, signed(fmt));
        data(&mut state)[0] = register;
        assert_eq!(store(size_of(fmt), 0, &mut state), Expectation::Done);
        assert_eq!(Tensix::new(&mut state).dst_bits(0, 0), dst);
    }
}

#[test]
fn a_store_and_a_load_give_back_all_16_bit_words_but_the_least() {
    for (fmt, lost) in [(2, None), (3, None), (4, Some(0x8000))] {
        let mut state = state_of(1, 0, signed(fmt));
        for word in 0..0x1_0000 {
            data(&mut state)[0] = word;
            assert_eq!(store(1, 2 * 5, &mut state), Expectation::Done);
            assert_eq!(load(1, 2 * 5, &mut state), Expectation::Done);
            let expected = if lost == Some(word) { 0x8001 } else { word };
            assert_eq!(data(&mut state)[0], expected, "format {fmt}");
        }
    }
}

#[test]
fn each_core_has_a_section_of_the_bank_in_force() {
    for core in 0..3 {
        for state_id in 0..2 {
            let mut state = state_of(core, state_id, Settings { fmt: 4, no_swizzle: false, unsigned_int: true });
            Tensix::new(&mut state).set_dst_bits(0, 0, 0x8005);
            assert_eq!(load(1, 0, &mut state), Expectation::Done);
            assert_eq!(data(&mut state)[0], 0x8005);
            // The sections of other cores and the other bank are as in the base state: formats of 32 bits.
            for (core, state_id) in [(core, 1 - state_id), ((core + 1) % 3, state_id)] {
                let small = Tensix::new(&mut state).small;
                small.current_thread = u32::try_from(core).expect("three cores");
                config::CFG_STATE_ID_StateID.set(&mut small.thread_config[core], state_id);
                assert!(matches!(load(1, 0, &mut state), Expectation::Undefined(_)));
            }
        }
    }
}

#[test]
fn a_size_that_no_datum_has_is_undefined() {
    for fmt in 0..8 {
        let datum = [4, 4, 2, 2, 2, 1].get(fmt as usize).copied();
        for size in 0..4 {
            for core in 0..3 {
                let bytes = SIZES[size as usize];
                let is_promised = datum == Some(bytes) || core == T2 && datum.is_some_and(|datum| datum <= bytes);
                let mut state = state_of(core, 0, signed(fmt));
                for access in [load, store] {
                    let promise = access(size, 0, &mut state);
                    let fits = if is_promised {
                        promise == Expectation::Done
                    } else {
                        matches!(promise, Expectation::Undefined(_))
                    };
                    assert!(fits, "format {fmt}, {bytes} bytes, core {core}: {promise:?}");
                }
            }
        }
    }
}

#[test]
fn several_data_lie_in_a_register_in_the_order_of_their_addresses() {
    // Integers of 16 bits: 1, -1, 2, -2, and so on.
    let mut state = state_of(T2, 0, signed(4));
    for column in 0..8 {
        let sign_and_magnitude = (column as u16 & 1) << 15 | (column as u16 / 2 + 1);
        Tensix::new(&mut state).set_dst_bits(3, 8 + column, sign_and_magnitude);
    }
    assert_eq!(load(3, 3 * 32 + 16, &mut state), Expectation::Done);
    assert_eq!(*data(&mut state), [0xffff_0001, 0xfffe_0002, 0xfffd_0003, 0xfffc_0004]);
    assert_eq!(load(2, 3 * 32 + 20, &mut state), Expectation::Done);
    assert_eq!(*data(&mut state), [0xfffe_0002, 0xfffe_0002, 0xfffd_0003, 0xfffc_0004]);
    // And back, to the row after it.
    *data(&mut state) = [0xffff_0001, 0xfffe_0002, 0xfffd_0003, 0xfffc_0004];
    assert_eq!(store(3, 4 * 32 + 16, &mut state), Expectation::Done);
    let tensix = &mut Tensix::new(&mut state);
    let loaded = *tensix.dst_row(3);
    assert_eq!(*tensix.dst_row(4), loaded);
    // Sixteen bytes, and two in a register of 32 bits.
    let mut state = state_of(T2, 0, signed(5));
    *data(&mut state) = [0x0403_0201, 0, 0, 0x7f00_00ff];
    assert_eq!(store(3, 16, &mut state), Expectation::Done);
    let row = *Tensix::new(&mut state).dst_row(1);
    assert_eq!(row, [0x30, 0x50, 0x70, 0x90, 0, 0, 0, 0, 0, 0, 0, 0, 0x9030, 0, 0, 0xff0]);
    for (sign_extend, register) in [(false, 0xff00), (true, 0xffff_ff00)] {
        Tensix::new(&mut state).set_dst_bits(1, 11, 0x8030);
        assert_eq!(execute(Mnemonic::RiscLoad, 1, sign_extend, 16 + 10, &mut state), Expectation::Done);
        assert_eq!(data(&mut state)[0], register);
    }
    // Formats of 32 bits have four in a vector.
    let mut state = state_of(T2, 0, signed(0));
    *data(&mut state) = [0x3f80_0000, 0xbfc0_0000, 0x4049_0fdb, 0];
    assert_eq!(store(3, 64 + 16, &mut state), Expectation::Done);
    let tensix = &mut Tensix::new(&mut state);
    assert_eq!(tensix.dst_row(1)[4..8], [0x007f, 0xc07f, 0x4980, 0]);
    assert_eq!(tensix.dst_row(9)[4..8], [0, 0, 0x0fdb, 0]);
}

#[test]
fn a_load_of_few_bytes_fills_the_register_with_zeros_or_with_its_sign() {
    for (fmt, dst, zero, sign) in [
        (5, 0x9030, 0xff, u32::MAX),
        (5, 0x0030, 1, 1),
        (4, 0x8001, 0xffff, u32::MAX),
        (2, 0x800f, 0xbc00, 0xffff_bc00),
        (2, 0x000f, 0x3c00, 0x3c00),
    ] {
        for (sign_extend, expected) in [(false, zero), (true, sign)] {
            let mut state = state_of(0, 0, signed(fmt));
            Tensix::new(&mut state).set_dst_bits(0, 0, dst);
            assert_eq!(execute(Mnemonic::RiscLoad, size_of(fmt), sign_extend, 0, &mut state), Expectation::Done);
            assert_eq!(data(&mut state)[0], expected);
        }
    }
}

#[test]
fn what_is_not_aligned_is_unspecified() {
    let mut state = state_of(T2, 0, signed(5));
    for size in 0..4 {
        for offset in 0..32 {
            for access in [load, store] {
                let promise = access(size, offset, &mut state);
                let is_promised = offset % SIZES[size as usize] == 0;
                assert_eq!(promise == Expectation::Done, is_promised, "{size} at {offset}: {promise:?}");
                assert_eq!(matches!(promise, Expectation::Unspecified(_)), !is_promised);
            }
        }
    }
}

#[test]
fn a_row_that_is_not_valid_is_unspecified() {
    // Dst32b[9] lies in the rows 17 and 25, and row 9 is Dst16b[9].
    for (fmt, mark, offset) in [(0, 17, 9 * 64), (4, 9, 9 * 32), (5, 9, 9 * 16)] {
        for invalid in [9, 17, 25] {
            let mut state = state_of(0, 0, signed(fmt));
            Tensix::new(&mut state).set_dst_row_valid(invalid, false);
            for access in [load, store] {
                let promise = access(size_of(fmt), offset, &mut state);
                assert_eq!(matches!(promise, Expectation::Unspecified(_)), mark == invalid, "format {fmt}, {invalid}");
            }
        }
    }
}

#[test]
fn data_of_eight_bits_end_in_the_middle_of_the_window() {
    for (offset, is_promised) in [(0x3fff, true), (0x4000, false), (0x7fff, false)] {
        let mut state = state_of(0, 0, signed(5));
        for access in [load, store] {
            let promise = access(0, offset, &mut state);
            assert_eq!(promise == Expectation::Done, is_promised, "{offset:#x}: {promise:?}");
            assert_eq!(matches!(promise, Expectation::Unspecified(_)), !is_promised);
        }
    }
}

#[test]
fn rows_are_those_of_the_access_configuration() {
    // Row 8 is row 32 where addresses are remapped; row 4 of 32-bit data is row 8 swizzled, which lies in row 16.
    for (dest_access_cfg, fmt, offset, row) in [(2, 4, 8 * 32, 32), (1, 0, 4 * 64, 16), (0, 0, 4 * 64, 4)] {
        let mut state = state_of(0, 0, signed(fmt));
        Tensix::new(&mut state).small.dest_access_cfg = dest_access_cfg;
        data(&mut state)[0] = u32::MAX;
        assert_eq!(store(size_of(fmt), offset, &mut state), Expectation::Done);
        assert_ne!(Tensix::new(&mut state).dst_bits(row, 0), 0);
    }
}
