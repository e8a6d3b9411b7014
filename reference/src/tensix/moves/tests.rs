//! Values computed by hand from the pages.

use tandem_isa::tensix::UNPACKERS;
use tandem_isa::tensix::config::THREAD_CONFIG_WORDS;
use tandem_isa::tensix::format::BF16;
use tandem_isa::tensix::inst::moves::{IMM10, ZEROACC_MODE, revert, use_dst32b};
use tandem_isa::{CodeField, Edition, Reference, State};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

/// What was promised, and the state after.
fn run(
    chip: Chip,
    name: &str,
    fields: &[(CodeField, u32)],
    prepare: impl FnOnce(&mut Tensix<'_>),
) -> (Expectation, State) {
    let (isa, instruction, code) = word(chip, name, fields);
    let mut state = isa.base_state();
    let mut tensix = Tensix::new(&mut state);
    if chip == Chip::Blackhole {
        for field in [blackhole::DISABLE_IMPLIED_SRCA_FMT_Base, blackhole::DISABLE_IMPLIED_SRCB_FMT_Base] {
            field.set(&mut tensix.small.thread_config[0], 1);
        }
    }
    prepare(&mut tensix);
    let step = Step { instruction, edition: Edition::Newest, code: &code };
    (TensixReference.execute(&step, &mut state), state)
}

fn configure(tensix: &mut Tensix<'_>, fields: &[(ConfigField, u32)]) {
    for (field, value) in fields {
        field.set(&mut tensix.small.config[0], *value);
    }
}

const SRCA_FMT: ConfigField = config::ALU_FORMAT_SPEC_REG0_SrcA;
const SRCB_FMT: ConfigField = config::ALU_FORMAT_SPEC_REG1_SrcB;
const FP32_ENABLED: ConfigField = config::ALU_ACC_CTRL_Fp32_enabled;

#[test]
fn bf16_and_fp16_of_16_bits_are_spread_to_19() {
    for (fmt, expected) in [(BF16, 0x5_7834), (FP16, 0x5_7914)] {
        for (name, source) in [("MOVD2A", Source::A), ("MOVD2B", Source::B)] {
            for chip in Chip::ALL {
                let (promise, mut state) = run(chip, name, &[(DST_ROW, 5), (SRC_ROW, 7)], |tensix| {
                    configure(tensix, &[(SRCA_FMT, fmt)]);
                    (tensix.small.rwcs[0].srca, tensix.small.rwcs[0].srcb) = (2, 3);
                    tensix.set_dst_bits(5, 3, 0xaf34);
                });
                // Each source has a counter of its own.
                let row = U::new(if source == Source::A { 9 } else { 10 });
                assert_eq!(promise, Expectation::Done);
                // 0xaf00 << 3 | 0x34, and (0xaf34 & 0xffe0) << 3 | 0x14.
                assert_eq!(source.read(&mut Tensix::new(&mut state), row, 3).get(), expected, "{name} {fmt}");
            }
        }
    }
}

#[test]
fn tf32_of_32_bits_keeps_ten_bits_of_mantissa_and_the_low_half_gives_the_rest() {
    // Sign 1, mantissa 0x55 in seven bits, exponent 0x81, then 16 bits whose high three end the mantissa.
    let prepare = |tensix: &mut Tensix<'_>| {
        configure(tensix, &[(SRCA_FMT, TF32), (FP32_ENABLED, 1)]);
        tensix.set_dst_bits(2, 0, 0xd581);
        tensix.set_dst_bits(10, 0, 0xb123);
    };
    for (lo, expected) in [(0, 1 << 18 | 0x55 << 11 | 5 << 8 | 0x81), (1, 0xb123 & 0x1fff)] {
        let (promise, mut state) = run(Chip::Wormhole, "MOVD2A", &[(DST_ROW, 2), (USE_DST32B_LO, lo)], prepare);
        assert_eq!(promise, Expectation::Done);
        assert_eq!(Source::A.read(&mut Tensix::new(&mut state), U::new(0), 0).get(), expected);
    }
}

#[test]
fn a_row_that_is_not_valid_is_moved_as_0_and_stays_so() {
    let (promise, mut state) =
        run(Chip::Wormhole, "MOVD2A", &[(MOVE4_ROWS, 1), (DST_ROW, 6), (SRC_ROW, 9)], |tensix| {
            configure(tensix, &[(SRCA_FMT, BF16)]);
            for row in 4..8 {
                tensix.set_dst_bits(row, 1, 0x0180);
            }
            tensix.set_dst_row_valid(5, false);
        });
    assert_eq!(promise, Expectation::Done);
    let mut tensix = Tensix::new(&mut state);
    let moved = [8, 9, 10, 11].map(|row| Source::A.read(&mut tensix, U::new(row), 1).get());
    assert_eq!(moved, [0x880, 0, 0x880, 0x880]);
    assert!(!tensix.dst_row_valid(5));
}

#[test]
fn sixteen_bits_are_too_few_for_tf32_and_for_a_low_half() {
    for fields in [&[(USE_DST32B_LO, 1)][..], &[]] {
        let fmt = if fields.is_empty() { TF32 } else { BF16 };
        let prepare = |tensix: &mut Tensix<'_>| configure(tensix, &[(SRCA_FMT, fmt)]);
        assert!(matches!(run(Chip::Wormhole, "MOVD2B", fields, prepare).0, Expectation::Undefined(_)));
        // Not where every column is blocked.
        let (promise, _) = run(Chip::Wormhole, "MOVD2B", fields, |tensix| {
            prepare(tensix);
            tensix.small.lane_config = [3 << 9; 8];
        });
        assert_eq!(promise, Expectation::Done);
    }
}

#[test]
fn one_row_goes_to_eight_and_one_column_to_sixteen() {
    for chip in Chip::ALL {
        let how = Broadcast::of(chip);
        let fields = [(how.row_to_8, 1), (how.move4_rows, 1), (how.col0, 1), (DST_ROW, 21), (SRC_ROW, 3)];
        let (promise, mut state) = run(chip, "MOVB2D", &fields, |tensix| {
            configure(tensix, &[(SRCA_FMT, BF16), (SRCB_FMT, BF16)]);
            Source::B.write(tensix, U::new(3), 0, U::new(1 << 18 | 0x3ff << 8 | 0x42));
            Source::B.write(tensix, U::new(3), 9, U::new(0x123));
        });
        assert_eq!(promise, Expectation::Done);
        let mut tensix = Tensix::new(&mut state);
        let rows: Vec<_> = (15..26).map(|row| tensix.dst_bits(row, 9)).collect();
        assert_eq!(rows, [0, 0xff42, 0xff42, 0xff42, 0xff42, 0xff42, 0xff42, 0xff42, 0xff42, 0, 0]);
    }
}

#[test]
fn movb2d_needs_dst_as_wide_as_what_it_writes() {
    let fmt = |fmt, on| move |tensix: &mut Tensix<'_>| configure(tensix, &[(SRCA_FMT, fmt), (FP32_ENABLED, on)]);
    let promise = |chip, lo, prepare: &dyn Fn(&mut Tensix<'_>)| run(chip, "MOVB2D", &[(USE_DST32B_LO, lo)], prepare).0;
    assert!(matches!(promise(Chip::Wormhole, 0, &fmt(BF16, 1)), Expectation::Undefined(_)));
    assert!(matches!(promise(Chip::Wormhole, 0, &fmt(TF32, 0)), Expectation::Undefined(_)));
    assert_eq!(promise(Chip::Wormhole, 0, &fmt(TF32, 1)), Expectation::Done);
    // On Blackhole every format counts as TF32 then.
    assert_eq!(promise(Chip::Blackhole, 0, &fmt(BF16, 1)), Expectation::Done);
    assert!(matches!(promise(Chip::Blackhole, 1, &fmt(BF16, 1)), Expectation::Undefined(_)));
    assert_eq!(promise(Chip::Wormhole, 1, &fmt(BF16, 1)), Expectation::Done);
    let forced = |tensix: &mut Tensix<'_>| config::FP16A_FORCE_Enable.set(&mut tensix.small.thread_config[0], 1);
    assert!(matches!(promise(Chip::Wormhole, 0, &forced), Expectation::Unsupported(_)));
}

#[test]
fn a_datum_is_flushed_and_then_cut_on_wormhole_alone() {
    // An exponent of 0xe0 is not 0 when it is looked at, and is 0 once its high three bits are cut.
    for (chip, expected) in [(Chip::Wormhole, 0x3_0700), (Chip::Blackhole, 0x3_07e0)] {
        let (promise, mut state) = run(chip, "MOVB2A", &[(SRCA_ROW, 63), (SRCB_ROW, 1)], |tensix| {
            configure(tensix, &[(SRCB_FMT, FP16)]);
            Source::B.write(tensix, U::new(1), 4, U::new(0x3_07e0));
            Source::B.write(tensix, U::new(1), 5, U::new(0x3_0700));
        });
        assert_eq!(promise, Expectation::Done);
        let mut tensix = Tensix::new(&mut state);
        assert_eq!([4, 5].map(|column| Source::A.read(&mut tensix, U::new(63), column).get()), [expected, 0]);
    }
}

#[test]
fn who_waits_and_for_which_source() {
    for chip in Chip::ALL {
        for (name, [waits_for_a, waits_for_b]) in [
            ("MOVDBGA2D", [false; 2]),
            ("MOVD2A", [false; 2]),
            ("MOVD2B", [false; 2]),
            ("MOVB2D", [false, true]),
            ("MOVB2A", [false, true]),
            ("MOVA2D", [true, false]),
            ("ZEROACC", [false; 2]),
        ] {
            let blocked = |a: bool, b: bool| {
                let (promise, _) = run(chip, name, &[], |tensix| {
                    configure(tensix, &[(SRCA_FMT, BF16)]);
                    tensix.small.srca_allowed_client = [if a { UNPACKERS } else { MATRIX_UNIT }; 2];
                    tensix.small.srcb_allowed_client = [if b { UNPACKERS } else { MATRIX_UNIT }; 2];
                });
                matches!(promise, Expectation::Blocked(_))
            };
            assert_eq!([blocked(true, false), blocked(false, true)], [waits_for_a, waits_for_b], "{name}");
        }
    }
}

#[test]
fn an_implied_format_counts_only_in_a_bank_that_is_owned() {
    let promise = |name, prepare: &dyn Fn(&mut Tensix<'_>)| {
        run(Chip::Blackhole, name, &[], |tensix| {
            tensix.small.thread_config[0] = [0; THREAD_CONFIG_WORDS];
            tensix.small.srca_allowed_client = [UNPACKERS; 2];
            tensix.small.srcb_allowed_client = [UNPACKERS; 2];
            prepare(tensix);
        })
        .0
    };
    for name in ["MOVDBGA2D", "MOVD2A", "MOVD2B"] {
        assert!(matches!(promise(name, &|_| ()), Expectation::Unspecified(_)), "{name}");
        // Bank 0 is in use.
        let owned = |tensix: &mut Tensix<'_>| {
            tensix.small.srca_allowed_client[0] = MATRIX_UNIT;
            tensix.small.srcb_allowed_client[0] = MATRIX_UNIT;
        };
        assert_eq!(promise(name, &owned), Expectation::Done, "{name}");
    }
    assert_eq!(promise("MOVDBGA2D", &|tensix| configure(tensix, &[(FP32_ENABLED, 1)])), Expectation::Done);
    assert!(matches!(
        promise("MOVD2A", &|tensix| configure(tensix, &[(FP32_ENABLED, 1)])),
        Expectation::Unspecified(_)
    ));
}

#[test]
fn zeroacc_marks_rows_of_the_storage() {
    let marked = |chip: Chip, fields: &[(CodeField, u32)], config: &[(ConfigField, u32)]| {
        let (promise, mut state) = run(chip, "ZEROACC", fields, |tensix| configure(tensix, config));
        let mut tensix = Tensix::new(&mut state);
        (promise, (0..1024).filter(|&row| !tensix.dst_row_valid(row)).collect::<Vec<usize>>())
    };
    for chip in Chip::ALL {
        let wide = use_dst32b(chip);
        let mode = |mode| (ZEROACC_MODE, mode);
        assert_eq!(marked(chip, &[mode(0), (IMM10, 9)], &[]), (Expectation::Done, vec![9]));
        // Row 9 of Dst32b begins in row 17 of the storage.
        assert_eq!(marked(chip, &[mode(0), (IMM10, 9)], &[(FP32_ENABLED, 1)]), (Expectation::Done, vec![17]));
        assert_eq!(marked(chip, &[mode(1), (IMM10, 63)], &[]), (Expectation::Done, (1008..1024).collect()));
        let rows: Vec<usize> = (32..40).chain(48..56).collect();
        assert_eq!(marked(chip, &[mode(1), (IMM10, 1), (wide, 1)], &[]), (Expectation::Done, rows));
        assert_eq!(marked(chip, &[mode(2), (IMM10, 3)], &[]), (Expectation::Done, (512..1024).collect()));
        assert_eq!(marked(chip, &[mode(3)], &[]), (Expectation::Done, (0..1024).collect()));
        for (imm10, rows) in [(64, 0), (0x101, 16)] {
            let (promise, marked) = marked(chip, &[mode(1), (IMM10, imm10)], &[]);
            assert!(matches!(promise, Expectation::NonContractual(_)) && marked.len() == rows, "{imm10}");
        }
        assert!(matches!(marked(chip, &[(revert(chip), 1)], &[]).0, Expectation::Undefined(_)));
    }
}
