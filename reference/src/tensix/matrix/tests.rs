//! Values computed by hand from the pages.

use tandem_isa::tensix::config::ConfigField;
use tandem_isa::tensix::format::TF32;
use tandem_isa::tensix::inst::matrix::{
    ADD_DST, ARG_MAX, BROADCAST_COL0, BROADCAST_ROW, INSTR_MOD19, MVMUL_BROADCAST_ROW,
};
use tandem_isa::tensix::{BLACKHOLE, MATRIX_UNIT, WORMHOLE};
use tandem_isa::{Code, Edition, Reference, State};

use super::*;
use crate::tensix::TensixReference;

const INT8_MATH: ConfigField = config::ALU_ACC_CTRL_INT8_math_enabled;
const FP32_ENABLED: ConfigField = config::ALU_ACC_CTRL_Fp32_enabled;
const SRCA_FMT: ConfigField = config::ALU_FORMAT_SPEC_REG0_SrcA;
const SRCB_FMT: ConfigField = config::ALU_FORMAT_SPEC_REG1_SrcB;
const INSTRUCTIONS: [&str; 6] = ["MVMUL", "GAPOOL", "ELWADD", "ELWSUB", "ELWMUL", "GMPOOL"];

/// The base state of a chip, whose formats are those that are configured, or else integer "8", prepared.
fn prepared(chip: Chip, configured: &[(ConfigField, u32)], prepare: impl FnOnce(&mut Tensix<'_>)) -> State {
    let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
    let mut tensix = Tensix::new(&mut state);
    if chip == Chip::Blackhole {
        for field in [blackhole::DISABLE_IMPLIED_SRCA_FMT_Base, blackhole::DISABLE_IMPLIED_SRCB_FMT_Base] {
            field.set(&mut tensix.small.thread_config[0], 1);
        }
    }
    for (field, value) in [(SRCA_FMT, INT8), (SRCB_FMT, INT8)].iter().chain(configured) {
        field.set(&mut tensix.small.config[0], *value);
    }
    prepare(&mut tensix);
    state
}

/// What is promised of an instruction in a state, which it changes.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], state: &mut State) -> Expectation {
    let instruction = chip.pick(&WORMHOLE, &BLACKHOLE).instruction(name).expect("both chips have it");
    let mut code = Code::new(instruction.base_code);
    for (field, value) in fields {
        field.set(&mut code, *value);
    }
    let step = Step { instruction, edition: Edition::Newest, code: &code };
    TensixReference.execute(&step, state)
}

/// Integer "8".
fn int8(value: i32) -> u32 {
    u32::from(value < 0) << 18 | value.unsigned_abs() << 8 | 16
}

/// A word of integer "32" as its halves lie in Dst: sign, the middle seven bits, the high eight; and the low sixteen.
fn int32(value: i32) -> [u16; 2] {
    let magnitude = value.unsigned_abs();
    let high = u32::from(value < 0) << 15 | (magnitude >> 16 & 0x7f) << 8 | magnitude >> 23;
    [high, magnitude & 0xffff].map(|part| u16::try_from(part).expect("sixteen bits"))
}

fn set_int32(tensix: &mut Tensix<'_>, row: usize, column: usize, value: i32) {
    let [high, low] = int32(value);
    tensix.set_dst_bits(row, column, high);
    tensix.set_dst_bits(row + 8, column, low);
}

/// The halves of a datum whose high half is in this row.
fn halves(state: &mut State, row: usize, column: usize) -> [u16; 2] {
    let mut tensix = Tensix::new(state);
    [tensix.dst_bits(row, column), tensix.dst_bits(row + 8, column)]
}

/// Numbers from -`most` to `most`, without an order.
fn number(place: usize, most: i32) -> i32 {
    let mixed = u32::try_from(place).expect("it is small").wrapping_mul(0x9e37_79b1).rotate_right(9);
    i32::try_from(mixed % (2 * most.unsigned_abs() + 1)).expect("it is small") - most
}

#[test]
fn a_product_of_matrices_is_added_to_dst() {
    for (chip, name, num_rows) in
        [(Chip::Wormhole, "MVMUL", 8), (Chip::Blackhole, "MVMUL", 8), (Chip::Wormhole, "GAPOOL", 4)]
    {
        let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
            for place in 0..16 * 16 {
                tensix.srca_row_mut(1, 40 + place / 16)[place % 16] = int8(number(place, 255));
                // With the lowest bits, which no phase takes, set.
                tensix.srcb_row_mut(0, 8 + place / 16)[place % 16] = int8(number(3 * place + 1, 1023));
                set_int32(tensix, 48 + place / 16 % 8, place % 16, number(place, 1000));
            }
            tensix.small.matrix_unit_srca_bank = 1;
            // Rows 40, 8 and 24 follow from these, and Dst32b[24] lies in row 48 of DstBits.
            (tensix.small.rwcs[0].srca, tensix.small.rwcs[0].srcb, tensix.small.rwcs[0].dst) = (47, 15, 20);
            // Each phase once, beginning with the last.
            tensix.small.rwcs[0].fidelity_phase = 3;
            let dst = chip.addr_mod_sections().dst;
            config::FidelityIncr.of_section(dst, 0).set(&mut tensix.small.thread_config[0], 1);
        });
        for _ in 0..4 {
            assert_eq!(run(chip, name, &[(DST_ROW, 4)], &mut state), Expectation::Done);
        }
        for place in 0..8 * 16 {
            let (row, column) = (place / 16, place % 16);
            let product: i32 =
                (0..16).map(|k| number(3 * (16 * row + k) + 1, 1023) * number(16 * k + column, 255)).sum();
            // The second half of the data was written over the first.
            let before = number(place + 128, 1000);
            let expected = before + if row < num_rows { product } else { 0 };
            assert_eq!(halves(&mut state, 48 + row, column), int32(expected), "{name} {row} {column}");
        }
    }
}

#[test]
fn phases_take_five_and_three_bits_of_srca_and_four_and_six_of_srcb() {
    for chip in Chip::ALL {
        for (phase, a, b) in [(0, 0xe0, 0x3f0), (1, 0x1f, 0x3f0), (2, 0xe0, 0xf), (3, 0x1f, 0xf)] {
            // Of all ten bits of both.
            let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
                tensix.srca_row_mut(0, 0)[0] = int8(-0x3ff);
                tensix.srcb_row_mut(0, 0)[0] = int8(0x3ff);
                tensix.small.rwcs[0].fidelity_phase = phase & 1;
                let base = chip.pick(config::FIDELITY_BASE_Phase, blackhole::FIDELITY_BASE_Phase);
                base.set(&mut tensix.small.thread_config[0], phase & 2);
            });
            assert_eq!(run(chip, "ELWMUL", &[], &mut state), Expectation::Done);
            assert_eq!(halves(&mut state, 0, 0), int32(-a * b), "{phase}");
        }
    }
}

#[test]
fn a_row_that_is_broadcast_goes_to_every_other_row() {
    for (sum, first) in [(16, 16), (17, 17), (22, 16), (23, 17)] {
        let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], |tensix| {
            tensix.srcb_row_mut(0, 5)[2] = int8(7);
            tensix.srca_row_mut(0, 2)[9] = int8(-9);
            tensix.small.rwcs[0].srcb = 5;
            tensix.small.rwcs[0].fidelity_phase = 3;
            // Dst32b[16] lies in row 32 of DstBits.
            for row in 32..40 {
                tensix.set_dst_row_valid(row, false);
            }
        });
        let fields = [(MVMUL_BROADCAST_ROW, 1), (DST_ROW, sum)];
        assert_eq!(run(Chip::Wormhole, "MVMUL", &fields, &mut state), Expectation::Done);
        for row in 0..8 {
            let is_added = row % 2 == first - 16;
            let expected = if is_added { int32(-63) } else { [0, 0] };
            assert_eq!(halves(&mut state, 32 + row, 9), expected, "{sum} {row}");
            assert_eq!(Tensix::new(&mut state).dst_row_valid(32 + row), is_added, "{sum} {row}");
        }
    }
}

#[test]
fn four_rows_are_aligned_to_four_in_dst_alone() {
    let mut state = prepared(Chip::Blackhole, &[(INT8_MATH, 1)], |tensix| {
        for row in 0..8 {
            tensix.srcb_row_mut(0, row)[0] = int8(i32::try_from(row).expect("small") + 1);
        }
        tensix.srca_row_mut(0, 0)[3] = int8(1);
        tensix.small.rwcs[0].srcb = 7;
        tensix.small.rwcs[0].fidelity_phase = 3;
    });
    assert_eq!(run(Chip::Blackhole, "GAPOOL", &[(DST_ROW, 7)], &mut state), Expectation::Done);
    let rows: Vec<_> = (0..8).map(|row| halves(&mut state, row, 3)[1]).collect();
    assert_eq!(rows, [0, 0, 0, 0, 1, 2, 3, 4]);
}

#[test]
fn sums_differences_and_products_of_data() {
    // What row 2, column 5 gives of 20 in SrcA, with 3 in its own place of SrcB, 4 in column 0, and 5 and 6 in the row of the
    // counter, which is row 11 and not row 8.
    for (row, col0, b) in [(0, 0, 3), (0, 1, 4), (1, 0, 5), (1, 1, 6)] {
        for (name, add, result) in [
            ("ELWADD", 0, 20 + b),
            ("ELWADD", 1, 20 + b - 100),
            ("ELWSUB", 0, 20 - b),
            ("ELWSUB", 1, 20 - b - 100),
            ("ELWMUL", 0, 20 * b - 100),
        ] {
            for chip in Chip::ALL {
                let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
                    tensix.srca_row_mut(0, 18)[5] = int8(20);
                    tensix.srcb_row_mut(1, 10)[5] = int8(3);
                    tensix.srcb_row_mut(1, 10)[0] = int8(4);
                    tensix.srcb_row_mut(1, 11)[5] = int8(5);
                    tensix.srcb_row_mut(1, 11)[0] = int8(6);
                    set_int32(tensix, 2, 5, -100);
                    tensix.small.matrix_unit_srcb_bank = 1;
                    (tensix.small.rwcs[0].srca, tensix.small.rwcs[0].srcb) = (23, 11);
                    tensix.small.rwcs[0].fidelity_phase = 3;
                });
                let mut fields = vec![(BROADCAST_ROW, row), (BROADCAST_COL0, col0), (DST_ROW, 5)];
                if name != "ELWMUL" {
                    fields.push((ADD_DST, add));
                }
                assert_eq!(run(chip, name, &fields, &mut state), Expectation::Done);
                assert_eq!(halves(&mut state, 2, 5), int32(result), "{name} {row} {col0} {add}");
            }
        }
    }
}

#[test]
fn integer_sums_saturate_at_both_ends_and_a_negative_zero_becomes_zero() {
    let cases = [
        (i32::MAX - 3, 2, 2, i32::MAX),
        (i32::MAX - 3, 2, 1, i32::MAX),
        (i32::MAX - 3, 1, 1, i32::MAX - 1),
        (-i32::MAX + 3, -2, -2, -i32::MAX),
        (-i32::MAX + 3, -2, 0, -i32::MAX + 1),
        (i32::MAX, -1023, 0, i32::MAX - 1023),
    ];
    for (dst, a, b, expected) in cases {
        let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], |tensix| {
            tensix.srca_row_mut(0, 1)[1] = int8(a);
            tensix.srcb_row_mut(0, 1)[1] = int8(b);
            set_int32(tensix, 1, 1, dst);
            // A negative zero beside it, to which one is added.
            tensix.set_dst_bits(1, 2, 0x8000);
            tensix.srca_row_mut(0, 1)[2] = 1 << 18 | 16;
        });
        assert_eq!(run(Chip::Wormhole, "ELWADD", &[(ADD_DST, 1)], &mut state), Expectation::Done);
        assert_eq!(halves(&mut state, 1, 1), int32(expected), "{dst} {a} {b}");
        assert_eq!(halves(&mut state, 1, 2), [0, 0]);
    }
}

#[test]
fn a_datum_that_is_no_integer_8_is_unsupported_and_a_float_is_unspecified() {
    for word in [int8(5) ^ 1, int8(5) & !16, 1 << 8 | 0x30, 0x7_ffff, 1] {
        for name in &INSTRUCTIONS[..5] {
            for in_srca in [false, true] {
                let prepare = |tensix: &mut Tensix<'_>| {
                    let bank = if in_srca { tensix.srca_row_mut(0, 3) } else { tensix.srcb_row_mut(0, 3) };
                    bank[4] = word;
                };
                let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], prepare);
                let promise = run(Chip::Wormhole, name, &[], &mut state);
                assert!(matches!(promise, Expectation::Unsupported(_)), "{name} {word:#x}");
                let mut state = prepared(Chip::Wormhole, &[], prepare);
                assert!(matches!(run(Chip::Wormhole, name, &[], &mut state), Expectation::Unspecified(_)));
            }
        }
    }
    // Both zeros are integers.
    let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], |tensix| tensix.srca_row_mut(0, 3)[4] = 1 << 18);
    assert_eq!(run(Chip::Wormhole, "ELWADD", &[], &mut state), Expectation::Done);
}

#[test]
fn data_are_cut_by_the_format_of_their_own_source_on_wormhole_alone() {
    for (fmt, a) in [(FP32, 0x3f8), (INT8, 0x3ff), (BFP4A, 0x3f8), (TF32, 0x3ff)] {
        for chip in Chip::ALL {
            let mut state = prepared(chip, &[(INT8_MATH, 1), (SRCA_FMT, fmt), (SRCB_FMT, TF32)], |tensix| {
                tensix.srca_row_mut(0, 0)[0] = int8(0x3ff);
                tensix.srcb_row_mut(0, 0)[0] = int8(-0x3ff);
            });
            assert_eq!(run(chip, "ELWSUB", &[], &mut state), Expectation::Done);
            let cut = chip.pick(a, 0x3ff);
            assert_eq!(halves(&mut state, 0, 0), int32(cut + 0x3ff), "{fmt}");
        }
    }
}

#[test]
fn all_wait_for_both_banks_and_flip_what_the_word_says() {
    for chip in Chip::ALL {
        for name in INSTRUCTIONS {
            for source in [Source::A, Source::B] {
                let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
                    match source {
                        Source::A => tensix.small.srca_allowed_client = [UNPACKERS, MATRIX_UNIT],
                        Source::B => tensix.small.srcb_allowed_client = [UNPACKERS, MATRIX_UNIT],
                    };
                });
                assert!(matches!(run(chip, name, &[], &mut state), Expectation::Blocked(_)), "{name}");
            }
            for (flips, keeps) in (0..16).map(|number| (number & 3, number >> 2)) {
                let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
                    let thread_config = &mut tensix.small.thread_config[0];
                    let [a, b] = chip.pick(
                        [config::CLR_DVALID_SrcA_Disable, config::CLR_DVALID_SrcB_Disable],
                        [blackhole::CLR_DVALID_SrcA_Disable, blackhole::CLR_DVALID_SrcB_Disable],
                    );
                    a.set(thread_config, keeps & 1);
                    b.set(thread_config, keeps >> 1);
                });
                let fields = [(FLIP_SRCA, flips & 1), (FLIP_SRCB, flips >> 1)];
                assert_eq!(run(chip, name, &fields, &mut state), Expectation::Done, "{name}");
                let small = &*Tensix::new(&mut state).small;
                assert_eq!((small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank), (flips & 1, flips >> 1));
                let given = flips & !keeps;
                assert_eq!(small.srca_allowed_client, [given & 1, MATRIX_UNIT], "{name}");
                assert_eq!(small.srcb_allowed_client, [given >> 1, MATRIX_UNIT], "{name}");
            }
        }
    }
}

#[test]
fn nothing_is_promised_of_rows_beyond_srca_of_forced_formats_and_of_words_that_no_page_writes() {
    for (counter, promised) in [(48, true), (55, true), (56, false), (63, false)] {
        for name in ["MVMUL", "GAPOOL"] {
            let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], |tensix| tensix.small.rwcs[0].srca = counter);
            let promise = run(Chip::Wormhole, name, &[], &mut state);
            assert_eq!(promise == Expectation::Done, promised, "{name} {counter}");
            assert_eq!(matches!(promise, Expectation::Unspecified(_)), !promised);
        }
    }
    for chip in Chip::ALL {
        for name in INSTRUCTIONS {
            let mut state = prepared(chip, &[(INT8_MATH, 1)], |tensix| {
                let force = chip.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);
                force.set(&mut tensix.small.thread_config[0], 1);
            });
            assert!(matches!(run(chip, name, &[], &mut state), Expectation::Unsupported(_)), "{name}");
        }
    }
    let mut state = prepared(Chip::Wormhole, &[(INT8_MATH, 1)], |_| {});
    let promise = run(Chip::Wormhole, "GMPOOL", &[(INSTR_MOD19, 0)], &mut state);
    assert!(matches!(promise, Expectation::Unspecified(_)));
}

// ------------------------------------------------------------------------------------------------ GMPOOL

/// TF32 or FP16 in a source: sign, ten bits of mantissa, exponent.
const fn datum(sign: u32, mantissa: u32, exponent: u32) -> u32 {
    sign << 18 | mantissa << 8 | exponent
}

/// One column of `GMPOOL`, where row `i` of SrcA has `srca[i]`, column `i` of SrcB `srcb[i]`, and the first row of Dst two halves,
/// if it is valid. Gives both halves of the four rows.
fn pool(
    chip: Chip,
    configured: &[(ConfigField, u32)],
    arg_max: u32,
    srca: [u32; 16],
    srcb: [u32; 16],
    dst: Option<[u16; 2]>,
) -> [[u16; 2]; 4] {
    let mut state = prepared(chip, configured, |tensix| {
        for (row, word) in srca.iter().enumerate() {
            tensix.srca_row_mut(0, 16 + row)[7] = *word;
        }
        *tensix.srcb_row_mut(0, 8) = srcb;
        (tensix.small.rwcs[0].srca, tensix.small.rwcs[0].srcb, tensix.small.rwcs[0].dst) = (31, 15, 3);
        for row in 0..8 {
            tensix.set_dst_bits(row, 7, 0x1234);
            tensix.set_dst_bits(row + 8, 7, 0x0234);
        }
        let [high, low] = dst.unwrap_or([0x5678, 0x9abc]);
        tensix.set_dst_bits(4, 7, high);
        tensix.set_dst_bits(12, 7, low);
        tensix.set_dst_row_valid(4, dst.is_some());
        tensix.set_dst_row_valid(7, false);
    });
    // 4 + 3 is row 7, which is aligned to 4.
    let promise = run(chip, "GMPOOL", &[(ARG_MAX, arg_max), (DST_ROW, 4)], &mut state);
    assert_eq!(promise, Expectation::Done);
    for row in 4..8 {
        assert!(Tensix::new(&mut state).dst_row_valid(row), "{row}");
    }
    [4, 5, 6, 7].map(|row| halves(&mut state, row, 7))
}

const ONE: u32 = datum(0, 0, 127);
const ONE_FP16: u32 = datum(0, 0, 15);

/// Sixteen times the same, but for some.
fn all_but(word: u32, others: &[(usize, u32)]) -> [u32; 16] {
    let mut words = [word; 16];
    for (place, other) in others {
        words[*place] = *other;
    }
    words
}

#[test]
fn the_largest_of_sixteen_scaled_data_and_of_dst_is_written() {
    let tf32 = [(SRCA_FMT, TF32), (SRCB_FMT, TF32), (FP32_ENABLED, 1)];
    for chip in Chip::ALL {
        // -1.0, 1.5 and, scaled by 2, 1.25; Dst has 2.0, and then 4.0.
        let srca = all_but(datum(1, 0, 127), &[(3, datum(0, 0x200, 127)), (12, datum(0, 0x101, 127))]);
        let srcb = all_but(ONE, &[(12, datum(0, 0x3ff, 128))]);
        let rows = pool(chip, &tf32, 0, srca, srcb, Some([0x0080, 0]));
        // 2.5 with the lowest of ten bits of mantissa: 0x101 is 0x20 in seven bits and 1 in three.
        assert_eq!(rows, [[0x2080, 1 << 13], [0, 0], [0, 0], [0, 0]]);
        assert_eq!(pool(chip, &tf32, 0, srca, srcb, Some([0x0081, 0x2fff]))[0], [0x0081, 0x2000]);
        // BF16 drops the three bits in the sources, and a Dst of 16 bits keeps its low halves.
        let bf16 = [(SRCA_FMT, BF16), (SRCB_FMT, BF16)];
        let rows = pool(chip, &bf16, 0, srca, srcb, Some([0x0080, 0x4321]));
        assert_eq!(rows, [[0x2080, 0x4321], [0, 0x0234], [0, 0x0234], [0, 0x0234]]);
        // FP16: 1.5 scaled by 4.0, where Dst has 5.0, and then an exponent that wraps.
        let fp16 = [(SRCA_FMT, FP16), (SRCB_FMT, FP16)];
        let srca = all_but(0, &[(0, datum(0, 0x200, 15))]);
        let five = 1 << 8 << 5 | 17;
        let rows = pool(chip, &fp16, 0, srca, [datum(1, 5, 17); 16], Some([five, 0]));
        assert_eq!(rows[0], [0x200 << 5 | 17, 0]);
        let rows = pool(chip, &fp16, 0, all_but(0, &[(9, datum(0, 1, 31))]), [datum(0, 0, 17); 16], Some([five, 0]));
        assert_eq!(rows[0], [1 << 5 | 1, 0]);
    }
}

#[test]
fn a_row_that_is_not_valid_reads_as_all_bits_set() {
    let bf16 = [(SRCA_FMT, BF16), (SRCB_FMT, BF16)];
    for chip in Chip::ALL {
        // Below any datum whose exponent was not raised.
        let lowest = datum(1, 0x3f8, 254);
        assert_eq!(pool(chip, &bf16, 0, [lowest; 16], [ONE; 16], None)[0][0], 0xfffe);
        // TX-65: but not below one that was: 254 + 130 is more than 255 + 127.
        assert_eq!(pool(chip, &bf16, 0, [lowest; 16], [datum(0, 0, 130); 16], None)[0][0], 0xffff);
        // Its index is 0xff, and its phase begins with 0. That of the others, of which the last is invalid too, becomes 0.
        let wide = [(SRCA_FMT, BF16), (SRCB_FMT, BF16), (FP32_ENABLED, 1)];
        let rows = pool(chip, &wide, 1, [lowest; 16], [datum(0, 0, 130); 16], None);
        assert_eq!(rows, [[0xffff, 0x00ff], [0, 0x300], [0, 0x300], [0, 0]]);
    }
}

#[test]
fn nineteen_bits_of_an_integer_are_compared_and_thirteen_written() {
    let int8_math = [(INT8_MATH, 1), (SRCA_FMT, INT8)];
    for chip in Chip::ALL {
        let srca = all_but(int8(-1), &[(5, int8(1000))]);
        let written = |dst: i32| pool(chip, &int8_math, 0, srca, [ONE; 16], Some(int32(dst)))[0];
        assert_eq!(written(999), int32(1000));
        assert_eq!(written(1001), int32(1001));
        // Bit 13 is compared, and not written; bit 19 is not even compared.
        assert_eq!(written(1 << 13 | 5), int32(5));
        assert_eq!(written(1 << 18 | 5), int32(5));
        assert_eq!(written(1 << 19 | 5), int32(1000));
        assert_eq!(written(-7), int32(1000));
        // Of equal magnitudes with signs that differ the last is written: -0 of row 15.
        let zeros = all_but(16, &[(15, 1 << 18 | 16)]);
        assert_eq!(pool(chip, &int8_math, 0, zeros, [ONE; 16], Some([0, 0]))[0], [0x8000, 0]);
    }
}

#[test]
fn an_exponent_of_zero_in_srcb_makes_the_lowest_datum() {
    let int8_math = [(INT8_MATH, 1), (SRCA_FMT, INT8), (SRCB_FMT, TF32)];
    for chip in Chip::ALL {
        let srca = all_but(int8(3), &[(4, int8(9))]);
        let srcb = all_but(datum(0, 0, 1), &[(4, datum(1, 0x3ff, 0))]);
        assert_eq!(pool(chip, &int8_math, 0, srca, srcb, Some([0x8000, 1]))[0], int32(3));
        // All of them: what Dst has stays, be it ever so low, and of a row that is not valid thirteen bits.
        assert_eq!(pool(chip, &int8_math, 0, srca, [0; 16], Some([0x8000, 0x1ffe]))[0], [0x8000, 0x1ffe]);
        assert_eq!(pool(chip, &int8_math, 0, srca, [0; 16], None)[0], [0x8000, 0x1fff]);
        // A datum of SrcA without an exponent is zero, whatever its magnitude.
        let rows = pool(chip, &int8_math, 0, [1 << 18 | 7 << 8; 16], [ONE; 16], Some([0x8000, 1]));
        assert_eq!(rows[0], [0, 0]);
    }
    // Cut for FP16 on Wormhole, an exponent of 0x20 is zero: it is flushed after that.
    let fp16 = [(INT8_MATH, 1), (SRCA_FMT, FP16), (SRCB_FMT, TF32)];
    let word = 7 << 8 | 0x20;
    let pooled = |chip| pool(chip, &fp16, 0, [word; 16], [ONE; 16], Some([0x8000, 1]))[0];
    assert_eq!((pooled(Chip::Wormhole), pooled(Chip::Blackhole)), ([0, 0], [0, 7]));
}

#[test]
fn an_index_comes_from_the_first_eight_rows_and_of_equal_data_from_the_last_visited() {
    let wide = |fmt| [(SRCA_FMT, fmt), (SRCB_FMT, fmt), (FP32_ENABLED, 1)];
    // The numbers of rows 0 to 7.
    let transform = [0, 3, 6, 1, 4, 7, 2, 5];
    for chip in Chip::ALL {
        for (row, number) in transform.iter().enumerate() {
            // A phase of 3 becomes 4; the four bits above the index are its phase again.
            let srca = all_but(datum(0, 8, 127), &[(row, datum(0, 0x10, 127))]);
            let rows = pool(chip, &wide(BF16), 1, srca, [ONE; 16], Some([0, 0xa3cd]));
            assert_eq!(rows[0], [0x027f, 0x440 + number], "{row}");
            // Of the others a phase of 2 becomes 3, and that of the invalid one begins anew.
            assert_eq!(rows[1..], [[0, 0x300], [0, 0x300], [0, 0]]);
            let fp16 = all_but(datum(0, 8, 15), &[(row, datum(0, 0x10, 15))]);
            assert_eq!(
                pool(chip, &wide(FP16), 1, fp16, [ONE_FP16; 16], Some([0, 0]))[0],
                [0x10 << 5 | 15, 0x110 + number]
            );
            // TF32 data and integers give the index alone; Dst is an integer then.
            assert_eq!(pool(chip, &wide(TF32), 1, srca, [ONE; 16], Some([0, 1]))[0], [0, 0x110 + number]);
            let integers = all_but(int8(5), &[(row, int8(6))]);
            let int8_math = [(INT8_MATH, 1), (SRCA_FMT, INT8)];
            assert_eq!(pool(chip, &int8_math, 1, integers, [ONE; 16], Some([0, 1]))[0], [0, 0x110 + number]);
        }
        // Rows 4 to 7 are visited first, then 0 to 3, and of equal ones the last counts: row 3.
        assert_eq!(pool(chip, &wide(BF16), 1, [ONE; 16], [ONE; 16], Some([0, 0]))[0], [0x7f, 0x111]);
        // A larger one in a row behind the first eight changes the maximum, and not the index.
        let srca = all_but(ONE, &[(6, datum(0, 8, 127)), (11, datum(0, 0x10, 127))]);
        assert_eq!(pool(chip, &wide(BF16), 1, srca, [ONE; 16], Some([0, 0]))[0], [0x027f, 0x112]);
        // What is in Dst stays, with its index, where nothing is as large.
        assert_eq!(pool(chip, &wide(BF16), 1, srca, [ONE; 16], Some([0x80, 0x0377]))[0], [0x80, 0x477]);
        // TX-67: in a Dst of 16 bits there is no index, and of TF32 data nothing.
        for (fmt, expected) in [(BF16, 0x027f), (TF32, 0)] {
            let narrow = [(SRCA_FMT, fmt), (SRCB_FMT, fmt)];
            assert_eq!(pool(chip, &narrow, 1, srca, [ONE; 16], Some([0, 0]))[0], [expected, 0]);
        }
        // TX-66: FP16 goes to TF32 of 32 bits by the bias of TF32: 15 + 15 - 127 is 159 in eight bits.
        let rows = pool(chip, &wide(FP16), 0, [ONE_FP16; 16], [ONE_FP16; 16], Some([0x8001, 0]));
        assert_eq!(rows[0], [0x9f, 0]);
    }
}
