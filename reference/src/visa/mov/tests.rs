//! What a `MOV` does to a whole state, and what keeps it from being executed.

use tandem_isa::visa::operand::{CODE_WORDS, EXEC_MASK, combine, region_code};
use tandem_isa::visa::{GRF_BYTES, PRE_XEHP, VISA, cr0};
use tandem_isa::{CodeField, Edition, Reference, RowSet, State, Step};

use super::*;
use crate::visa::VisaReference;

/// Where V32, V33 begin in the base state.
const V32: usize = 0;
const V33: usize = 1024;

/// A `MOV` from `V33` to `V32` with contiguous regions, in a state of registers of 64 bytes.
struct Case {
    state: State,
    code: [u32; CODE_WORDS],
}

impl Case {
    fn new(exec_size: u32, dst: DataType, src: DataType) -> Self {
        let mut code = [0; CODE_WORDS];
        code.copy_from_slice(VISA.instructions[0].base_code);
        let mut case = Case { state: VISA.base_state(), code };
        case.small().grf_size = 1;
        for (place, data_type) in [dst, src].into_iter().enumerate() {
            case.small().variables[place].data_type = u16::try_from(data_type.code()).expect("four bits");
        }
        case.set(EXEC_SIZE, exec_size.ilog2());
        case.region(1, 1, 0);
        case
    }

    fn small(&mut self) -> &mut Small {
        Visa::new(&mut self.state).small
    }

    fn set(&mut self, field: CodeField, value: u32) {
        field.set(&mut self.code, value);
    }

    /// The region of the source.
    fn region(&mut self, vert_stride: u32, width: u32, horz_stride: u32) {
        for (field, elements) in
            [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].into_iter().zip([vert_stride, width, horz_stride])
        {
            self.set(field, region_code(elements).expect("there is a code"));
        }
    }

    /// An immediate as the source.
    fn immediate(&mut self, data_type: DataType, low: u32, high: u32) {
        self.set(SRC0.class, class::IMMEDIATE);
        self.set(SRC0_CONST.data_type, data_type.code());
        self.set(SRC0_CONST.low, low);
        self.set(SRC0_CONST.high, high);
    }

    fn put(&mut self, offset: usize, bytes: &[u8]) {
        Visa::new(&mut self.state).grf_unmarked()[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    fn words(&mut self, offset: usize, count: usize) -> Vec<u32> {
        let file = *Visa::new(&mut self.state).grf_unmarked();
        file[offset..offset + 4 * count]
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
            .collect()
    }

    fn put_words(&mut self, offset: usize, words: &[u32]) {
        for (place, word) in words.iter().enumerate() {
            self.put(offset + 4 * place, &word.to_le_bytes());
        }
    }

    fn run(&mut self) -> Expectation {
        let step = Step { instruction: VISA.instructions[0], edition: Edition::Spec, code: &self.code };
        let expectation = VisaReference.execute(&step, &mut self.state);
        let newest = Step { edition: Edition::Newest, ..step };
        let mut other = VISA.base_state();
        other.copy_from(&self.state);
        assert_eq!(VisaReference.execute(&newest, &mut other), expectation, "the editions do not differ");
        expectation
    }
}

fn rows(set: &RowSet) -> Vec<usize> {
    let mut list = Vec::new();
    set.each(|row| list.push(row));
    list
}

// ------------------------------------------------------------------------------------------- execution

#[test]
fn a_plain_move_copies_elements_and_touches_their_rows_alone() {
    let mut case = Case::new(16, DataType::Ud, DataType::Ud);
    let words: Vec<u32> = (0..16).map(|i| 0x0101_0101 * i + 7).collect();
    case.put_words(V33, &words);
    let small = *case.small();
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 17), [words.as_slice(), &[0]].concat());
    assert_eq!((rows(&case.state.tracker.log.read), rows(&case.state.tracker.log.written)), (vec![32, 33], vec![0, 1]));
    assert_eq!(*case.small(), small);
}

#[test]
fn disabled_channels_neither_read_nor_write() {
    let mut case = Case::new(16, DataType::Ud, DataType::Ud);
    case.put_words(V33, &[1; 16]);
    case.put_words(V32, &[9; 16]);
    // Channels 9 and 12 by the mask; the predicate leaves 12.
    case.small().em = 1 << 9 | 1 << 12;
    case.small().predicates[2].value = 0xfff0_1100;
    case.set(PRED.id, 3);
    assert_eq!(case.run(), Expectation::Done);
    let mut expected = [9; 16];
    expected[12] = 1;
    assert_eq!(case.words(V32, 16), expected);
    assert_eq!((rows(&case.state.tracker.log.read), rows(&case.state.tracker.log.written)), (vec![33], vec![1]));
}

#[test]
fn no_channel_at_all_changes_nothing() {
    for exec_size in [1, 2, 4, 8, 16, 32] {
        let mut case = Case::new(exec_size, DataType::F, DataType::D);
        case.small().em = 0;
        case.put(0, &[0xa5; GRF_BYTES]);
        assert_eq!(case.run(), Expectation::Done);
        assert!(case.words(0, GRF_BYTES / 4).iter().all(|&word| word == 0xa5a5_a5a5));
        assert!(case.state.tracker.log.read.is_empty() && case.state.tracker.log.written.is_empty());
    }
}

#[test]
fn masks_and_predicates_select_from_their_offset_on() {
    // Under M5, channels 16 to 23 of the mask; all of the predicate's, inverted, is not all of 16 to 23.
    for (value, no_mask, expected) in [
        (0x00fe_0000, 0, [1, 0, 0, 0, 1, 0, 0, 0]),
        (0x00ff_0000, 0, [0; 8]),
        (0xff00_ffff, 8, [1; 8]),
        (0x00ff_0000, 8, [0; 8]),
    ] {
        let mut case = Case::new(8, DataType::Ud, DataType::Ud);
        case.put_words(V33, &[1; 8]);
        case.small().em = 0x0011_0000;
        case.small().predicates[0].value = value;
        case.set(EXEC_MASK, 4 + no_mask);
        case.set(PRED.id, 1);
        case.set(PRED.combine, combine::ALL);
        case.set(PRED.inverse, 1);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 8), expected, "{value:#x} {no_mask}");
    }
}

#[test]
fn everything_is_read_before_anything_is_written() {
    // VX-28. The destination is the source, one element further up and one further down.
    for (dst, src, expected) in [(1, 0, [1, 1, 2, 3, 4, 6, 7, 8]), (0, 1, [2, 3, 4, 5, 5, 6, 7, 8])] {
        let mut case = Case::new(4, DataType::Ud, DataType::Ud);
        case.put_words(V33, &[1, 2, 3, 4, 5, 6, 7, 8]);
        case.set(DST.id, 33);
        case.set(DST.col_offset, dst);
        case.set(SRC0.col_offset, src);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V33, 8), expected);
    }
    // Narrow data over wide ones.
    let mut case = Case::new(4, DataType::Uw, DataType::Ud);
    case.small().variables[0].offset = 1024;
    case.put_words(V33, &[0x1_0001, 0x2_0002, 0x3_0003, 0x4_0004]);
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V33, 4), [0x0002_0001, 0x0004_0003, 0x3_0003, 0x4_0004]);
}

#[test]
fn strides_leave_what_is_between_as_it_was() {
    let mut case = Case::new(4, DataType::Uw, DataType::D);
    case.put(V32, &[0xee; 16]);
    case.put_words(V33, &[1, 2, 3, 4, 5, 6, 7, 8]);
    case.set(DST.horz_stride, region_code(2).expect("there is a code"));
    case.region(4, 2, 1);
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 4), [0xeeee_0001, 0xeeee_0002, 0xeeee_0005, 0xeeee_0006]);
}

#[test]
fn indirect_operands_follow_their_addresses() {
    let mut case = Case::new(4, DataType::Ud, DataType::Ud);
    case.put_words(V33, &[10, 11, 12, 13, 14, 15, 16, 17]);
    case.small().addresses = [[0; 16]; 2];
    case.small().addresses[0][2] = 36;
    case.small().addresses[1][3..7].copy_from_slice(&[1036, 1024, 1052, 1024]);
    for (fields, id, k, offset) in [(&DST, 0, 2, -4_i32), (&SRC0, 1, 3, 0)] {
        case.set(fields.class, class::INDIRECT);
        case.set(fields.id, id);
        case.set(fields.addr_offset, k);
        case.set(fields.indirect_offset, offset.cast_unsigned());
        case.set(fields.data_type, DataType::Ud.code());
    }
    case.set(SRC0.vert_stride, 0);
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(32, 4), [13, 10, 17, 10]);
}

// ------------------------------------------------------------------------------------------- operands and types

#[test]
fn immediates_are_replicated_and_cut_to_their_type() {
    for (data_type, low, high, dst, expected) in [
        (DataType::B, 0x1234_56fe, 77, DataType::D, -2_i64),
        (DataType::Ub, 0x1234_56fe, 77, DataType::D, 0xfe),
        (DataType::W, 0xffff_8000, 77, DataType::Q, -0x8000),
        (DataType::Uw, 0xffff_8000, 77, DataType::Q, 0x8000),
        (DataType::Ud, 0xffff_8000, 77, DataType::Q, 0xffff_8000),
        (DataType::Uq, 1, 0x8000_0000, DataType::Uq, i64::MIN + 1),
        (DataType::Hf, 0x7777_3c00, 77, DataType::D, 1),
        (DataType::Df, 0, 0xbff0_0000, DataType::D, -1),
    ] {
        let mut case = Case::new(8, dst, DataType::Ud);
        case.immediate(data_type, low, high);
        assert_eq!(case.run(), Expectation::Done);
        let size = dst.bytes();
        let file = *Visa::new(&mut case.state).grf_unmarked();
        for channel in 0..8 {
            let start = channel * size;
            assert_eq!(file[start..start + size], expected.to_le_bytes()[..size], "{data_type:?}");
        }
        assert!(case.state.tracker.log.read.is_empty());
    }
}

#[test]
fn modifiers_and_saturation_take_part() {
    // -(UD 1) to Q is -1; abs(B -128) to W is 128; both with .sat to UB and B.
    for (dst, src, modifiers, saturation, source, expected) in [
        (DataType::Q, DataType::Ud, modifier::NEG, modifier::NONE, 1_i64, -1_i64),
        (DataType::W, DataType::B, modifier::ABS, modifier::NONE, -128, 128),
        (DataType::B, DataType::B, modifier::ABS, modifier::NONE, -128, -128),
        (DataType::B, DataType::B, modifier::ABS, modifier::SAT, -128, 127),
        (DataType::Ub, DataType::Ud, modifier::NEG, modifier::SAT, 1, 0),
        (DataType::Ub, DataType::Uw, modifier::NONE, modifier::NONE, 0x1ff, 0xff),
        (DataType::Ub, DataType::B, modifier::NONE, modifier::SAT, -1, 0),
        (DataType::Ub, DataType::B, modifier::NONE, modifier::NONE, -1, 0xff),
        (DataType::D, DataType::D, modifier::NEG_ABS, modifier::NONE, 5, -5),
        // 2.5 and -2.5 as F.
        (DataType::W, DataType::F, modifier::NEG, modifier::NONE, 0x4020_0000, -2),
        (DataType::Uw, DataType::F, modifier::NEG, modifier::NONE, 0x4020_0000, 0),
        (DataType::Hf, DataType::F, modifier::ABS, modifier::NONE, 0xc020_0000, 0x4100),
        (DataType::Hf, DataType::F, modifier::NONE, modifier::SAT, 0x4020_0000, 0x3c00),
        (DataType::Hf, DataType::F, modifier::NONE, modifier::SAT, 0x7fc0_0000, 0),
        (DataType::F, DataType::F, modifier::NONE, modifier::SAT, 0x8000_0000, 0),
        (DataType::F, DataType::D, modifier::NONE, modifier::SAT, -3, 0),
        (DataType::F, DataType::D, modifier::NONE, modifier::NONE, -3, 0xc040_0000),
    ] {
        let mut case = Case::new(1, dst, src);
        case.set(SRC0.modifiers, modifiers);
        case.set(DST.modifiers, saturation);
        case.put(V33, &source.to_le_bytes()[..src.bytes()]);
        assert_eq!(case.run(), Expectation::Done);
        let file = *Visa::new(&mut case.state).grf_unmarked();
        let what = format!("{src:?} {source:#x} {dst:?} {modifiers} {saturation}");
        assert_eq!(file[..dst.bytes()], expected.to_le_bytes()[..dst.bytes()], "{what}");
    }
}

#[test]
fn raw_moves_keep_signaling_nans_and_denormals() {
    let mut case = Case::new(2, DataType::F, DataType::F);
    case.put_words(V33, &[0x7f80_0001, 0x8000_0001]);
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 2), [0x7f80_0001, 0x8000_0001]);
    // With a modifier, the NaN is quieted and the denormal flushed, unless the control register keeps it.
    case.set(SRC0.modifiers, modifier::NEG);
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 2), [0xffc0_0001, 0]);
    case.small().cr0 = cr0::F_DENORM;
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 2), [0xffc0_0001, 1]);
}

#[test]
fn the_control_register_rounds() {
    // 1 + 2^-11 lies in the middle of two HF numbers, and 2^-25 below the smallest denormal.
    for (mode, expected) in
        [(cr0::RTNE, [0x3c00, 0]), (cr0::RU, [0x3c01, 1]), (cr0::RD, [0x3c00, 0]), (cr0::RTZ, [0x3c00, 0])]
    {
        let mut case = Case::new(2, DataType::Hf, DataType::F);
        case.small().cr0 = cr0::HF_DENORM | mode << cr0::ROUNDING_SHIFT;
        case.put_words(V33, &[0x3f80_1000, 0x3300_0000]);
        assert_eq!(case.run(), Expectation::Done);
        let [word] = case.words(V32, 1)[..] else { unreachable!("one word was asked for") };
        assert_eq!([word & 0xffff, word >> 16], expected, "{mode}");
    }
}

// ------------------------------------------------------------------------------------------- predicates

/// `P1` as the source.
fn predicate_case(dst: DataType, log2_num_elements: u32, value: u32) -> Case {
    let mut case = Case::new(1, dst, DataType::Ud);
    case.small().predicates[0] = PredicateVariable { value, log2_num_elements };
    case.put_words(V32, &[u32::MAX; 2]);
    case.set(SRC0.class, class::PREDICATE);
    case.set(SRC0_PREDICATE.id, 1);
    case
}

#[test]
fn a_predicate_is_an_unsigned_integer() {
    for (dst, log2_num_elements, expected) in [
        (DataType::Ub, 3, 0xffff_ffb5),
        (DataType::Uw, 4, 0xffff_c3b5),
        (DataType::Ud, 4, 0xc3b5),
        (DataType::Ud, 5, 0x8765_c3b5),
    ] {
        let mut case = predicate_case(dst, log2_num_elements, 0x8765_c3b5);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 2), [expected, u32::MAX], "{dst:?} {log2_num_elements}");
        case.small().em = 0;
        case.put_words(V32, &[7]);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 1), [7]);
    }
}

#[test]
fn upper_bits_of_a_predicate_are_promised_from_16_elements_on() {
    let mut promised = Vec::new();
    for (dst, bits) in [(DataType::Ub, 3), (DataType::Uw, 4), (DataType::Ud, 5)] {
        for log2_num_elements in 0..=bits {
            let expectation = predicate_case(dst, log2_num_elements, 0).run();
            if expectation == Expectation::Done {
                promised.push((dst, log2_num_elements));
            } else {
                assert_eq!(expectation, Expectation::Unspecified(PREDICATE_UPPER_BITS));
            }
        }
    }
    assert_eq!(promised, [(DataType::Ub, 3), (DataType::Uw, 4), (DataType::Ud, 4), (DataType::Ud, 5)]);
}

/// A constant vector of type `V` whose elements are 1 to 7 and -8, by ascending places from the lowest bits on.
const ONE_TO_MINUS_EIGHT: u32 = 0x8765_4321;

#[test]
fn a_constant_vector_has_an_element_for_each_of_eight_channels() {
    let run = |exec_size, dst, src| {
        let mut case = Case::new(exec_size, dst, DataType::Ud);
        case.immediate(src, ONE_TO_MINUS_EIGHT, 0);
        assert_eq!(case.run(), Expectation::Done, "{dst:?} {src:?}");
        case
    };
    let signed = [1, 2, 3, 4, 5, 6, 7, 0xffff_fff8];
    assert_eq!(run(8, DataType::D, DataType::V).words(V32, 9), [&signed[..], &[0]].concat());
    assert_eq!(run(8, DataType::D, DataType::Uv).words(V32, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(run(4, DataType::Ud, DataType::V).words(V32, 5), [1, 2, 3, 4, 0]);
    // -8 is 0xc1000000 in F, 0xf8 in a byte; 7 is 0x40e00000.
    assert_eq!(run(8, DataType::F, DataType::V).words(V32 + 24, 2), [0x40e0_0000, 0xc100_0000]);
    assert_eq!(run(8, DataType::Ub, DataType::V).words(V32, 3), [0x0403_0201, 0xf807_0605, 0]);

    // Saturated, and with two channels enabled of those from the fifth on.
    let mut case = Case::new(8, DataType::Ud, DataType::Ud);
    case.immediate(DataType::V, ONE_TO_MINUS_EIGHT, 0);
    case.set(DST.modifiers, modifier::SAT);
    case.set(EXEC_MASK, 2);
    case.small().em = 0x8100;
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 8), [1, 0, 0, 0, 0, 0, 0, 0]);
    case.small().em = 0x4400;
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 8), [1, 0, 3, 0, 0, 0, 7, 0]);
}

#[test]
fn what_a_constant_vector_leaves_open() {
    let run = |exec_size, dst, src| {
        let mut case = Case::new(exec_size, dst, DataType::Ud);
        case.immediate(src, ONE_TO_MINUS_EIGHT, 0);
        case.run()
    };
    assert_eq!(run(16, DataType::D, DataType::V), Expectation::Unspecified(PACKED_ELEMENTS));
    for dst in [DataType::F, DataType::D, DataType::Bf] {
        assert_eq!(run(4, dst, DataType::Vf), Expectation::Unspecified(PACKED_FLOATS));
    }
    assert_eq!(run(8, DataType::Bf, DataType::V), Expectation::Illegal(TYPE_MAP));
    let mut case = Case::new(8, DataType::D, DataType::Ud);
    case.immediate(DataType::V, 0, 0);
    case.set(SRC0.modifiers, modifier::NEG);
    assert_eq!(case.run(), Expectation::Illegal(MODIFIER_OF_CONSTANT));
}

#[test]
fn an_integer_that_a_float_equals_is_promised_in_each_rounding_mode() {
    // 2^24 and 2^24 + 1 as F; 2049 as HF; -1 from UD 1 by a modifier; the largest UQ as DF.
    for (dst, src, value, modifiers, exact) in [
        (DataType::F, DataType::D, 0x0100_0000, modifier::NONE, true),
        (DataType::F, DataType::D, 0x0100_0001, modifier::NONE, false),
        (DataType::Hf, DataType::Uw, 2048, modifier::NONE, true),
        (DataType::Hf, DataType::Uw, 2049, modifier::NONE, false),
        (DataType::Hf, DataType::Uw, 65535, modifier::NONE, false),
        (DataType::F, DataType::Ud, 1, modifier::NEG, true),
        (DataType::F, DataType::Ud, u32::MAX, modifier::NEG, false),
        (DataType::Df, DataType::Ud, u32::MAX, modifier::NEG, true),
    ] {
        for mode in 0..4 {
            let mut case = Case::new(1, dst, src);
            case.put_words(V33, &[value]);
            case.set(SRC0.modifiers, modifiers);
            case.small().cr0 = mode << cr0::ROUNDING_SHIFT;
            let expected =
                if exact || mode == cr0::RTNE { Expectation::Done } else { Expectation::Unspecified(ROUNDED_INTEGER) };
            assert_eq!(case.run(), expected, "{dst:?} {src:?} {value:#x} {mode}");
        }
    }
    // A disabled channel is not converted.
    let mut case = Case::new(2, DataType::F, DataType::D);
    case.region(2, 2, 1);
    case.put_words(V33, &[1, 0x0100_0001]);
    case.small().cr0 = cr0::RU << cr0::ROUNDING_SHIFT;
    assert_eq!(case.run(), Expectation::Unspecified(ROUNDED_INTEGER));
    case.small().em = 1;
    assert_eq!(case.run(), Expectation::Done);
    assert_eq!(case.words(V32, 2), [0x3f80_0000, 0]);
}

#[test]
fn what_a_predicate_source_rules_out() {
    let refusal = |change: fn(&mut Case)| {
        let mut case = predicate_case(DataType::Uw, 4, 0);
        change(&mut case);
        case.run()
    };
    assert_eq!(refusal(|_| {}), Expectation::Done);
    assert_eq!(refusal(|case| case.set(EXEC_MASK, 8)), Expectation::Done);
    assert_eq!(refusal(|case| case.set(EXEC_SIZE, 1)), Expectation::Illegal(PREDICATE_EXEC_SIZE));
    assert_eq!(refusal(|case| case.set(PRED.id, 2)), Expectation::Illegal(PREDICATE_MODE));
    assert_eq!(refusal(|case| case.set(DST.modifiers, modifier::SAT)), Expectation::Illegal(PREDICATE_MODE));
    assert_eq!(refusal(|case| case.set(SRC0.modifiers, modifier::NEG)), Expectation::Illegal(MODIFIER_OF_CONSTANT));
    assert_eq!(refusal(|case| case.set(EXEC_MASK, 2)), Expectation::Unspecified(PREDICATE_MASK));
    assert_eq!(refusal(|case| case.set(SRC0_PREDICATE.inverse, 1)), Expectation::Unspecified(PREDICATE_CONTROL));
    assert_eq!(refusal(|case| case.set(SRC0_PREDICATE.id, 0)), Expectation::Unspecified(PREDICATE_P0));
    for (dst, log2_num_elements) in [(DataType::Ub, 4), (DataType::Uw, 5), (DataType::D, 0), (DataType::Uq, 0)] {
        let expectation = predicate_case(dst, log2_num_elements, 0).run();
        assert_eq!(expectation, Expectation::Illegal(PREDICATE_DST), "{dst:?} {log2_num_elements}");
    }
}

// ------------------------------------------------------------------------------------------- refusals

#[test]
fn the_type_maps() {
    let mut num_moves = 0;
    for platform in [PRE_XEHP, XEHP] {
        for dst in DataType::ALL {
            for src in DataType::ALL {
                let mut case = Case::new(1, dst, src);
                case.small().platform = platform;
                let expectation = case.run();
                let is_plain =
                    |one: DataType| !matches!(one.kind(), TypeKind::Bool | TypeKind::Packed) && one != DataType::Bf;
                let is_bf = |one| matches!(one, DataType::F | DataType::Bf);
                let is_allowed = is_plain(dst) && is_plain(src) || platform == XEHP && is_bf(dst) && is_bf(src);
                assert_eq!(expectation == Expectation::Done, is_allowed, "{dst:?} {src:?} {expectation:?}");
                assert_eq!(matches!(expectation, Expectation::Illegal(_)), !is_allowed);
                num_moves += usize::from(is_allowed);
            }
        }
    }
    // 11 types without BF, F among them; F and BF in three more pairs.
    assert_eq!(num_moves, 2 * 121 + 3);
}

#[test]
fn what_is_unspecified() {
    for (dst, src, saturation, mode, citation) in [
        (DataType::F, DataType::D, modifier::NONE, cr0::RU, ROUNDED_INTEGER),
        (DataType::Hf, DataType::Ud, modifier::NONE, cr0::RTZ, ROUNDED_INTEGER),
        (DataType::Bf, DataType::F, modifier::NONE, cr0::RD, ROUNDED_BF),
        (DataType::Bf, DataType::F, modifier::SAT, cr0::RTNE, SATURATED_BF),
        (DataType::Bf, DataType::Bf, modifier::SAT, cr0::RTNE, SATURATED_BF),
    ] {
        let mut case = Case::new(1, dst, src);
        case.set(DST.modifiers, saturation);
        case.put_words(V33, &[0x0100_0001]);
        case.small().cr0 = mode << cr0::ROUNDING_SHIFT;
        assert_eq!(case.run(), Expectation::Unspecified(citation), "{dst:?} {src:?}");
    }
    // Other modes matter neither to integers nor to what is exact or raw.
    for (dst, src) in [
        (DataType::D, DataType::F),
        (DataType::D, DataType::W),
        (DataType::F, DataType::Bf),
        (DataType::Bf, DataType::Bf),
        (DataType::Df, DataType::F),
    ] {
        let mut case = Case::new(1, dst, src);
        case.small().cr0 = cr0::RTZ << cr0::ROUNDING_SHIFT;
        assert_eq!(case.run(), Expectation::Done, "{dst:?} {src:?}");
    }
    for (field, value) in [
        (EXEC_SIZE, 6),
        (EXEC_SIZE, 7),
        (EXEC_SIZE_BIT3, 1),
        (PRED.reserved, 1),
        (PRED.combine, combine::RESERVED),
        (PRED.combine, combine::ANY),
        (PRED.inverse, 1),
        (PRED.id, 5),
        (SRC0.modifiers, 6),
        (DST.modifiers, 7),
        (DST.tag_rest, 1),
        (DST.region_rest, 1),
        (SRC0.id, 36),
        (DST.id, 0),
    ] {
        let mut case = Case::new(1, DataType::Ud, DataType::Ud);
        case.set(field, value);
        assert!(matches!(case.run(), Expectation::Unspecified(_)), "{} {value}", field.name);
    }
    let mut case = Case::new(1, DataType::Ud, DataType::Ud);
    case.immediate(DataType::Ud, 1, 0);
    case.set(SRC0_CONST.type_rest, 1);
    assert_eq!(case.run(), Expectation::Unspecified(IMMEDIATE_BITS));
    case.set(SRC0_CONST.type_rest, 0);
    case.set(SRC0.tag_rest, 1);
    assert_eq!(case.run(), Expectation::Unspecified(TAG_BITS));
}

#[test]
fn what_is_illegal() {
    for (field, value, citation) in [
        (DST.class, class::IMMEDIATE, DST_CLASS),
        (DST.class, class::PREDICATE, DST_CLASS),
        (DST.class, 7, DST_CLASS),
        (SRC0.class, class::ADDRESS, SRC_CLASS),
        (SRC0.class, class::STATE, SRC_CLASS),
        (SRC0.class, 4, SRC_CLASS),
        (SRC0.modifiers, modifier::NOT, SRC_MODIFIER),
        (SRC0.modifiers, modifier::SAT, SRC_MODIFIER),
        (DST.modifiers, modifier::NEG, DST_MODIFIER),
    ] {
        let mut case = Case::new(1, DataType::Ud, DataType::Ud);
        case.set(field, value);
        assert_eq!(case.run(), Expectation::Illegal(citation), "{} {value}", field.name);
    }
    let mut case = Case::new(1, DataType::Ud, DataType::V);
    assert_eq!(case.run(), Expectation::Illegal(PACKED_OPERAND));
    case.immediate(DataType::Ud, 1, 0);
    case.set(SRC0.modifiers, modifier::ABS);
    assert_eq!(case.run(), Expectation::Illegal(MODIFIER_OF_CONSTANT));
    // M2 is not aligned to 8 channels, and M8 with 4 channels ends beyond a dispatch of 16.
    let mut case = Case::new(8, DataType::Ud, DataType::Ud);
    case.set(EXEC_MASK, 1);
    assert!(matches!(case.run(), Expectation::Illegal(_)));
    let mut case = Case::new(4, DataType::Ud, DataType::Ud);
    case.set(EXEC_MASK, 7);
    assert_eq!(case.run(), Expectation::Done);
    case.small().dispatch_size = 1;
    assert!(matches!(case.run(), Expectation::Illegal(_)));
}

#[test]
fn illegal_goes_before_undefined_and_that_before_unspecified() {
    let mut case = Case::new(8, DataType::F, DataType::D);
    case.put_words(V33, &[0x0100_0001]);
    case.small().cr0 = cr0::RU << cr0::ROUNDING_SHIFT;
    assert_eq!(case.run(), Expectation::Unspecified(ROUNDED_INTEGER));
    // A predicate of four elements, where eight are needed.
    case.small().predicates[0].log2_num_elements = 2;
    case.set(PRED.id, 1);
    assert!(matches!(case.run(), Expectation::Undefined(_)));
    case.set(EXEC_MASK, 1);
    assert!(matches!(case.run(), Expectation::Illegal(_)));
    // An execution size without a meaning does not hide what is illegal.
    let mut case = Case::new(8, DataType::Bf, DataType::D);
    case.set(EXEC_SIZE, 6);
    assert_eq!(case.run(), Expectation::Illegal(TYPE_MAP));
}

#[test]
fn no_code_and_no_state_makes_it_panic() {
    let mut noise = tandem_isa::Noise::new(1);
    let mut outcomes = [0; 4];
    for _ in 0..300_000 {
        let mut case = Case::new(1, DataType::Ud, DataType::Ud);
        for _ in 0..noise.below(8) {
            let field = tandem_isa::visa::operand::ALL_FIELDS[noise.below(43)];
            let value = u32::try_from(noise.below(usize::from(u16::MAX))).expect("16 bits");
            case.set(field, if noise.below(4) == 0 { value } else { value % 8 });
        }
        let fields = (VISA.layout.fields)();
        for _ in 0..noise.below(8) {
            let field = &fields[noise.below(fields.len())];
            let value = u32::try_from(noise.below(1 << 16)).expect("16 bits");
            let most = u64::from(field.max) + 1;
            let value = u32::try_from(u64::from(value) % most).expect("below 2^32");
            field.set(&mut case.state.small, value);
        }
        let step = Step { instruction: VISA.instructions[0], edition: Edition::Spec, code: &case.code };
        outcomes[match VisaReference.execute(&step, &mut case.state) {
            Expectation::Done => 0,
            Expectation::Illegal(_) => 1,
            Expectation::Undefined(_) => 2,
            _ => 3,
        }] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 1000), "{outcomes:?}");
}
