//! The plain implementation of vISA `MOV` gives what the pages give, by hand.

mod cases;

use rstest::rstest;
use tandem_faults::visa::VisaPlain;
use tandem_isa::visa::inst::mov::MOV;
use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, OperandFields, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class, combine, modifier,
    region_code,
};
use tandem_isa::visa::{DataType, GeneralVariable, PredicateVariable, Small, VISA, Visa, cr0};
use tandem_isa::{Answer, Code, Edition, State, Step, Target};

use DataType::{B, Bf, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, W};

const SOURCE: usize = 1024;
const DESTINATION: usize = 2048;
const RTNE: u32 = cr0::RTNE << cr0::ROUNDING_SHIFT;
const RU: u32 = cr0::RU << cr0::ROUNDING_SHIFT;
const RD: u32 = cr0::RD << cr0::ROUNDING_SHIFT;
const RTZ: u32 = cr0::RTZ << cr0::ROUNDING_SHIFT;
const KEEP: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;

/// A move from V33 at byte 1024 to V34 at byte 2048 that a test changes and runs. The source's elements count from
/// 0x80 on, and the destination's bytes are all 0xee.
struct Machine {
    state: State,
    code: Code,
    types: (DataType, DataType),
}

impl Machine {
    fn new(from: DataType, to: DataType) -> Self {
        let mut machine = Machine { state: VISA.base_state(), code: Code::new(MOV.base_code), types: (from, to) };
        for (index, data_type, offset) in [(1, from, SOURCE), (2, to, DESTINATION)] {
            machine.small().variables[index] = GeneralVariable {
                data_type: data_type.code() as u16,
                num_elements: (1024 / data_type.bytes()) as u16,
                offset: offset as u16,
                unused: 0,
            };
        }
        SRC0.id.set(&mut machine.code, 33);
        DST.id.set(&mut machine.code, 34);
        for element in 0..100 {
            machine.poke(SOURCE + element * from.bytes(), from.bytes(), 0x80 + element as u64);
        }
        Visa::new(&mut machine.state).grf_unmarked()[DESTINATION..DESTINATION + 1024].fill(0xee);
        machine.source_region(1, 1, 0).destination_stride(1)
    }

    fn small(&mut self) -> &mut Small {
        Visa::new(&mut self.state).small
    }

    fn poke(&mut self, address: usize, size: usize, bits: u64) {
        Visa::new(&mut self.state).grf_unmarked()[address..address + size].copy_from_slice(&bits.to_le_bytes()[..size]);
    }

    fn peek(&mut self, address: usize, size: usize) -> u64 {
        let mut visa = Visa::new(&mut self.state);
        let bytes = &visa.grf_unmarked()[address..address + size];
        bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    /// Changes the code words.
    fn code(mut self, change: impl FnOnce(&mut Code)) -> Self {
        change(&mut self.code);
        self
    }

    fn change(mut self, change: impl FnOnce(&mut Small)) -> Self {
        change(self.small());
        self
    }

    fn source_region(self, vert_stride: u32, width: u32, horz_stride: u32) -> Self {
        self.code(|code| {
            SRC0.vert_stride.set(code, elements(vert_stride));
            SRC0.width.set(code, elements(width));
            SRC0.horz_stride.set(code, elements(horz_stride));
        })
    }

    fn destination_stride(self, horz_stride: u32) -> Self {
        self.code(|code| DST.horz_stride.set(code, elements(horz_stride)))
    }

    /// As many lanes, whose source elements are adjacent.
    fn lanes(self, exec_size: u32) -> Self {
        self.code(|code| EXEC_SIZE.set(code, exec_size.trailing_zeros())).source_region(1, 1, 0)
    }

    fn indirect(self, fields: &OperandFields, data_type: DataType, (id, element): (u32, u32), offset: i32) -> Self {
        self.code(|code| {
            fields.class.set(code, class::INDIRECT);
            fields.data_type.set(code, data_type.code());
            fields.id.set(code, id);
            fields.addr_offset.set(code, element);
            fields.indirect_offset.set(code, offset.cast_unsigned());
        })
    }

    fn predicate(self, value: u32, log2_num_elements: u32, combine: u32, inverse: u32) -> Self {
        self.change(|small| small.predicates[2] = PredicateVariable { value, log2_num_elements }).code(|code| {
            PRED.id.set(code, 3);
            PRED.combine.set(code, combine);
            PRED.inverse.set(code, inverse);
        })
    }

    fn run(&mut self) {
        let step = Step { instruction: &MOV, edition: Edition::Spec, code: &self.code };
        assert_eq!(VisaPlain::new(None).execute(&step, &mut self.state), Answer::Done);
    }

    /// Runs, and gives the first `count` elements of the destination.
    fn result(mut self, count: usize) -> Vec<u64> {
        self.run();
        let size = self.types.1.bytes();
        (0..count).map(|element| self.peek(DESTINATION + element * size, size)).collect()
    }
}

fn elements(count: u32) -> u32 {
    region_code(count).expect("a power of two up to 32, or zero")
}

/// Converts one element.
fn convert(types: (DataType, DataType), modifiers: u32, saturate: bool, control: u32, bits: u64) -> u64 {
    let mut machine = Machine::new(types.0, types.1).change(|small| small.cr0 = control).code(|code| {
        SRC0.modifiers.set(code, modifiers);
        DST.modifiers.set(code, if saturate { modifier::SAT } else { modifier::NONE });
    });
    machine.poke(SOURCE, types.0.bytes(), bits);
    machine.result(1)[0]
}

fn plainly(types: (DataType, DataType), bits: u64) -> u64 {
    convert(types, modifier::NONE, false, KEEP, bits)
}

// ------------------------------------------------------------------------------------------------ conversions

#[rstest]
// 1 + 2^-11, halfway between 1 and its successor; 1 + 3·2^-11, halfway above an odd one.
#[case(0x3f80_1000, [0x3c00, 0x3c01, 0x3c00, 0x3c00])]
#[case(0xbf80_1000, [0xbc00, 0xbc00, 0xbc01, 0xbc00])]
#[case(0x3f80_3000, [0x3c02, 0x3c02, 0x3c01, 0x3c01])]
// 65520, the least that overflows, and the float below it.
#[case(0x477f_f000, [0x7c00, 0x7c00, 0x7bff, 0x7bff])]
#[case(0xc77f_f000, [0xfc00, 0xfbff, 0xfc00, 0xfbff])]
#[case(0x477f_efff, [0x7bff, 0x7c00, 0x7bff, 0x7bff])]
// The smallest F, and 2^-25 beside 0.
#[case(0x0000_0001, [0x0000, 0x0001, 0x0000, 0x0000])]
#[case(0xb300_0000, [0x8000, 0x8000, 0x8001, 0x8000])]
#[case(0xb300_0001, [0x8001, 0x8000, 0x8001, 0x8000])]
// Infinity.
#[case(0xff80_0000, [0xfc00; 4])]
fn f_to_hf_rounds_by_the_control_register(#[case] bits: u64, #[case] results: [u64; 4]) {
    assert_eq!([RTNE, RU, RD, RTZ].map(|mode| convert((F, Hf), 0, false, KEEP | mode, bits)), results);
}

#[rstest]
// 1 + 2^-11 + 2^-40 is no tie, although F would make one of it.
#[case((Df, Hf), 0x3ff0_0200_0000_1000, 0x3c01)]
// 1.5·2^-149 is halfway between the first two denormals.
#[case((Df, F), 0x36a8_0000_0000_0000, 0x0000_0002)]
#[case((Df, F), 0xb690_0000_0000_0000, 0x8000_0000)]
#[case((Df, F), 0xb690_0000_0000_0001, 0x8000_0001)]
// The largest finite F and a half of its last bit.
#[case((Df, F), 0x47ef_ffff_f000_0000, 0x7f80_0000)]
#[case((Df, F), 0x47ef_ffff_efff_ffff, 0x7f7f_ffff)]
// The smallest DF.
#[case((Df, F), 0x8000_0000_0000_0001, 0x8000_0000)]
#[case((Hf, F), 0x8001, 0xb380_0000)]
#[case((Hf, Df), 0x0001, 0x3e70_0000_0000_0000)]
#[case((Hf, F), 0x7bff, 0x477f_e000)]
#[case((F, Df), 0x0000_0001, 0x36a0_0000_0000_0000)]
#[case((F, Df), 0xff80_0000, 0xfff0_0000_0000_0000)]
fn floats_are_rounded_once_and_widened_exactly(
    #[case] types: (DataType, DataType),
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(plainly(types, bits), result);
}

#[rstest]
#[case((Hf, F), KEEP & !cr0::HF_DENORM, 0x83ff, 0x8000_0000)]
#[case((Hf, F), cr0::HF_DENORM, 0x83ff, 0xb87f_c000)]
#[case((F, Df), KEEP & !cr0::F_DENORM, 0x807f_ffff, 0x8000_0000_0000_0000)]
#[case((F, Hf), RU | KEEP & !cr0::F_DENORM, 0x0000_0001, 0x0000)]
#[case((F, Hf), KEEP & !cr0::HF_DENORM, 0xb400_0000, 0x8000)]
#[case((Df, F), KEEP & !cr0::F_DENORM, 0x36a0_0000_0000_0000, 0x0000_0000)]
// Rounded up to the smallest normal value it is no denormal any more.
#[case((Df, F), KEEP & !cr0::F_DENORM, 0x380f_ffff_ffff_ffff, 0x0080_0000)]
#[case((F, F), 0, 0x807f_ffff, 0x807f_ffff)]
fn denormals_are_flushed_by_the_bits_of_both_types(
    #[case] types: (DataType, DataType),
    #[case] control: u32,
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(convert(types, 0, false, control, bits), result);
}

#[test]
fn a_modified_copy_flushes_and_quiets_and_a_raw_one_does_not() {
    assert_eq!(convert((F, F), modifier::ABS, false, 0, 0x807f_ffff), 0);
    assert_eq!(convert((F, F), modifier::NEG, false, 0, 0x007f_ffff), 0x8000_0000);
    assert_eq!(convert((F, F), modifier::NEG, false, KEEP, 0x007f_ffff), 0x807f_ffff);
    assert_eq!(convert((F, F), modifier::NEG, false, 0, 0xff81_2345), 0x7fc1_2345);
    assert_eq!(convert((F, F), modifier::NEG_ABS, false, 0, 0x7f81_2345), 0xffc1_2345);
    assert_eq!(plainly((F, F), 0xff81_2345), 0xff81_2345);
    assert_eq!(plainly((Bf, Bf), 0x7f81), 0x7f81);
    assert_eq!(convert((Bf, Bf), modifier::NEG, false, 0, 0x7f81), 0xffc1);
    assert_eq!(convert((Bf, Bf), modifier::NEG, false, 0, 0x0001), 0x8001);
}

#[rstest]
#[case((F, Hf), 0xff81_2345, 0xfe09)]
#[case((F, Hf), 0x7f80_0001, 0x7e00)]
#[case((Hf, F), 0x7c01, 0x7fc0_2000)]
#[case((Hf, Df), 0xfe01, 0xfff8_0400_0000_0000)]
#[case((Df, F), 0x7ff0_0000_2000_0000, 0x7fc0_0001)]
#[case((F, Bf), 0x7f80_0001, 0x7fc0)]
#[case((Bf, F), 0xff81, 0xffc1_0000)]
fn nans_keep_sign_and_high_payload_and_become_quiet(
    #[case] types: (DataType, DataType),
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(plainly(types, bits), result);
}

#[rstest]
#[case((F, Bf), 0x3f80_8000, 0x3f80)]
#[case((F, Bf), 0x3f81_8000, 0x3f82)]
#[case((F, Bf), 0x3f80_8001, 0x3f81)]
#[case((F, Bf), 0x7f7f_8000, 0x7f80)]
#[case((F, Bf), 0x0001_8000, 0x0002)]
#[case((Bf, F), 0x8001, 0x8001_0000)]
fn bf_rounds_to_nearest_even_and_has_no_denormal_bit(
    #[case] types: (DataType, DataType),
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(convert(types, 0, false, 0, bits), result);
}

#[rstest]
#[case((F, D), 2.9f32, 2)]
#[case((F, D), -2.9f32, 0xffff_fffe)]
#[case((F, B), 300.0f32, 0x7f)]
#[case((F, B), -300.0f32, 0x80)]
#[case((F, Ub), -1.5f32, 0)]
#[case((F, Uw), 65535.9f32, 0xffff)]
#[case((F, D), 2_147_483_648.0f32, 0x7fff_ffff)]
#[case((F, D), -2_147_483_648.0f32, 0x8000_0000)]
#[case((F, Uq), 9_223_372_036_854_775_808.0f32, 1 << 63)]
#[case((F, Uq), f32::INFINITY, u64::MAX)]
#[case((F, Q), f32::NEG_INFINITY, 1 << 63)]
#[case((F, Ud), f32::NEG_INFINITY, 0)]
#[case((F, W), f32::NAN, 0)]
fn floats_become_integers_toward_zero_and_within_range(
    #[case] types: (DataType, DataType),
    #[case] value: f32,
    #[case] result: u64,
) {
    for saturate in [false, true] {
        assert_eq!(convert(types, 0, saturate, 0, u64::from(value.to_bits())), result);
        let wide = f64::from(value).to_bits();
        assert_eq!(convert((Df, types.1), 0, saturate, RU, wide), result);
    }
}

#[rstest]
#[case((W, D), 0, false, 0xffff, 0xffff_ffff)]
#[case((Uw, D), 0, false, 0xffff, 0x0000_ffff)]
#[case((B, Uq), 0, false, 0x80, 0xffff_ffff_ffff_ff80)]
#[case((D, B), 0, false, 0x1234_5678, 0x78)]
#[case((D, B), 0, true, 0x1234_5678, 0x7f)]
#[case((D, Ub), 0, true, 0xffff_fffb, 0)]
#[case((Ud, D), 0, false, 0xffff_ffff, 0xffff_ffff)]
#[case((Ud, D), 0, true, 0xffff_ffff, 0x7fff_ffff)]
#[case((D, Q), modifier::ABS, false, 0x8000_0000, 0x8000_0000)]
#[case((D, D), modifier::ABS, false, 0x8000_0000, 0x8000_0000)]
#[case((D, D), modifier::ABS, true, 0x8000_0000, 0x7fff_ffff)]
#[case((Ud, Q), modifier::NEG, false, 1, u64::MAX)]
#[case((Ub, Uw), modifier::NEG, false, 1, 0xffff)]
#[case((Ub, Uw), modifier::NEG, true, 1, 0)]
#[case((B, W), modifier::NEG_ABS, false, 0x80, 0xff80)]
fn integers_are_extended_cut_or_clamped_after_their_modifiers(
    #[case] types: (DataType, DataType),
    #[case] modifiers: u32,
    #[case] saturate: bool,
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(convert(types, modifiers, saturate, 0, bits), result);
}

#[rstest]
#[case((D, F), 0, false, 16_777_217, 0x4b80_0000)]
#[case((D, F), 0, false, 16_777_219, 0x4b80_0002)]
#[case((Uq, F), 0, false, u64::MAX, 0x5f80_0000)]
// No tie, although DF would make one of it.
#[case((Uq, F), 0, false, 0x8000_0080_0000_0001, 0x5f00_0001)]
#[case((Uq, Df), modifier::NEG, false, u64::MAX, 0xc3f0_0000_0000_0000)]
#[case((Q, Df), modifier::ABS, false, 1 << 63, 0x43e0_0000_0000_0000)]
#[case((D, Hf), 0, false, 65519, 0x7bff)]
#[case((D, Hf), 0, false, 65520, 0x7c00)]
#[case((D, Hf), modifier::NEG, false, 0, 0)]
#[case((D, F), 0, true, 7, 0x3f80_0000)]
#[case((D, F), modifier::NEG, true, 7, 0)]
fn integers_become_floats_to_nearest_even(
    #[case] types: (DataType, DataType),
    #[case] modifiers: u32,
    #[case] saturate: bool,
    #[case] bits: u64,
    #[case] result: u64,
) {
    assert_eq!(convert(types, modifiers, saturate, 0, bits), result);
}

#[rstest]
#[case(0x3f00_0000, 0x3f00_0000)]
#[case(0x3f80_0001, 0x3f80_0000)]
#[case(0x7f80_0000, 0x3f80_0000)]
#[case(0xbf00_0000, 0)]
#[case(0x8000_0000, 0)]
#[case(0xffc0_0001, 0)]
#[case(0x0000_0001, 0x0000_0001)]
fn saturated_floats_lie_between_zero_and_one(#[case] bits: u64, #[case] result: u64) {
    assert_eq!(convert((F, F), 0, true, KEEP, bits), result);
}

// ------------------------------------------------------------------------------------------------ operands

#[test]
fn a_source_region_has_rows_and_columns() {
    let machine = Machine::new(Ud, Ud).lanes(8).source_region(8, 4, 2);
    assert_eq!(machine.result(9), [0x80, 0x82, 0x84, 0x86, 0x88, 0x8a, 0x8c, 0x8e, 0xeeee_eeee]);
    let machine = Machine::new(Ud, Ud).lanes(8).source_region(1, 4, 2);
    assert_eq!(machine.result(8), [0x80, 0x82, 0x84, 0x86, 0x81, 0x83, 0x85, 0x87]);
    let machine = Machine::new(Ud, Ud).lanes(4).source_region(0, 1, 0);
    assert_eq!(machine.result(4), [0x80; 4]);
}

#[rstest]
#[case(0, 8 + 3, 16 + 1)]
#[case(1, 16 + 3, 32 + 1)]
fn offsets_count_registers_and_elements(#[case] grf_size: u32, #[case] source: u64, #[case] destination: usize) {
    let mut machine = Machine::new(Ud, Ud).lanes(2).destination_stride(4).change(|small| small.grf_size = grf_size);
    machine = machine.code(|code| {
        SRC0.row_offset.set(code, 1);
        SRC0.col_offset.set(code, 3);
        DST.row_offset.set(code, 2);
        DST.col_offset.set(code, 1);
    });
    let result = machine.result(destination + 6);
    assert_eq!((result[destination], result[destination + 4]), (0x80 + source, 0x81 + source));
    assert_eq!(result.iter().filter(|&&element| element != 0xeeee_eeee).count(), 2);
}

#[test]
fn addresses_are_moved_by_an_offset_with_a_sign() {
    let mut machine = Machine::new(W, W)
        .lanes(4)
        .change(|small| {
            small.addresses[1][7] = SOURCE as u16 + 64;
            small.addresses[0][2] = DESTINATION as u16 - 2;
        })
        .indirect(&SRC0, W, (1, 7), -58)
        .indirect(&DST, W, (0, 2), 4);
    machine.run();
    assert_eq!(
        [0, 2, 4, 6, 8, 10].map(|at| machine.peek(DESTINATION + at, 2)),
        [0xeeee, 0x83, 0x84, 0x85, 0x86, 0xeeee]
    );
}

#[test]
fn each_row_has_its_own_address_without_a_vertical_stride() {
    let machine = Machine::new(Ub, Ub)
        .lanes(8)
        .source_region(0, 2, 1)
        .change(|small| {
            let place = SOURCE as u16;
            small.addresses[0][3..7].copy_from_slice(&[place + 9, place + 40, place, place + 20]);
        })
        .indirect(&SRC0, Ub, (0, 3), 1)
        .code(|code| SRC0.vert_stride.set(code, 0));
    assert_eq!(machine.result(9), [0x8a, 0x8b, 0xa9, 0xaa, 0x81, 0x82, 0x95, 0x96, 0xee]);
}

#[test]
fn immediates_go_to_every_lane() {
    let immediate = |from: DataType, to: DataType| {
        Machine::new(from, to).lanes(4).code(|code| {
            SRC0.class.set(code, class::IMMEDIATE);
            SRC0_CONST.data_type.set(code, from.code());
            SRC0_CONST.low.set(code, 0x89ab_cdef);
            SRC0_CONST.high.set(code, 0x0123_4567);
        })
    };
    assert_eq!(immediate(Uq, Uq).result(4), [0x0123_4567_89ab_cdef; 4]);
    assert_eq!(immediate(Ud, Uq).result(4), [0x89ab_cdef; 4]);
    assert_eq!(immediate(W, D).result(4), [0xffff_cdef; 4]);
    assert_eq!(immediate(Ub, D).result(4), [0xef; 4]);
}

#[test]
fn a_predicate_source_is_a_number() {
    let source = |to: DataType, log2_num_elements: u32| {
        Machine::new(to, to)
            .change(|small| small.predicates[1] = PredicateVariable { value: 0xfedc_ba96, log2_num_elements })
            .code(|code| {
                SRC0.class.set(code, class::PREDICATE);
                SRC0_PREDICATE.id.set(code, 2);
            })
            .result(2)
    };
    assert_eq!(source(Ud, 5), [0xfedc_ba96, 0xeeee_eeee]);
    assert_eq!(source(Ud, 4), [0xba96, 0xeeee_eeee]);
    assert_eq!(source(Uw, 2), [0x6, 0xeeee]);
    assert_eq!(source(Ub, 0), [0, 0xee]);
}

#[test]
fn everything_is_read_before_anything_is_written() {
    let mut machine = Machine::new(Ud, Ud).lanes(16).code(|code| {
        DST.id.set(code, 33);
        DST.col_offset.set(code, 1);
    });
    machine.run();
    for lane in 0..16 {
        assert_eq!(machine.peek(SOURCE + 4 * (lane + 1), 4), 0x80 + lane as u64);
    }
}

// ------------------------------------------------------------------------------------------------ channels

/// Which of eight lanes are written.
fn written(machine: Machine) -> u32 {
    let result = machine.result(8);
    (0..8).filter(|&lane| result[lane as usize] != 0xeeee_eeee).fold(0, |lanes, lane| lanes | 1 << lane)
}

#[test]
fn masks_select_a_slice_of_em_and_nm_ignores_it() {
    let machine = |mask: u32| {
        Machine::new(Ud, Ud).lanes(4).change(|small| small.em = 0x9abc_d65a).code(|code| EXEC_MASK.set(code, mask))
    };
    let slices: Vec<u32> = (0..8).map(|mask| written(machine(mask))).collect();
    assert_eq!(slices, [0xa, 0x5, 0x6, 0xd, 0xc, 0xb, 0xa, 0x9]);
    assert_eq!(written(machine(8 + 3)), 0xf);
}

#[rstest]
#[case(0, 0x0000_3c00, combine::SEQUENTIAL, 0, 0x00)]
#[case(2, 0x0000_3c00, combine::SEQUENTIAL, 0, 0x3c)]
#[case(2, 0x0000_3c00, combine::SEQUENTIAL, 1, 0xc3)]
#[case(8 + 2, 0x0000_3c00, combine::SEQUENTIAL, 0, 0x3c)]
#[case(2, 0x0000_0400, combine::ANY, 0, 0xff)]
#[case(2, 0xffff_00ff, combine::ANY, 0, 0x00)]
#[case(2, 0xffff_00ff, combine::ANY, 1, 0xff)]
#[case(2, 0x0000_ff00, combine::ALL, 0, 0xff)]
#[case(2, 0xffff_7fff, combine::ALL, 0, 0x00)]
#[case(2, 0xffff_7fff, combine::ALL, 1, 0xff)]
fn predicates_are_combined_over_their_slice_and_then_inverted(
    #[case] mask: u32,
    #[case] value: u32,
    #[case] combine: u32,
    #[case] inverse: u32,
    #[case] lanes: u32,
) {
    let machine = Machine::new(Ud, Ud).lanes(8).predicate(value, 5, combine, inverse);
    assert_eq!(written(machine.code(|code| EXEC_MASK.set(code, mask))), lanes);
}

#[test]
fn em_and_predicate_must_both_enable_a_channel() {
    let machine = Machine::new(Ud, Ud).lanes(8).predicate(0b0011_0110, 3, combine::SEQUENTIAL, 0);
    assert_eq!(written(machine.change(|small| small.em = 0b0101_0101)), 0b0001_0100);
}

#[test]
fn what_is_disabled_is_neither_read_nor_written() {
    let mut machine = Machine::new(Ud, Ud).lanes(8).change(|small| small.em = 0);
    machine.run();
    assert!(machine.state.tracker.log.read.is_empty() && machine.state.tracker.log.written.is_empty());
}

#[test]
fn without_a_fault_every_difference_is_in_the_log() {
    let mut state = VISA.base_state();
    for edition in Edition::ALL {
        for index in 0..2_000 {
            let case = cases::visa::case(edition, index);
            let _ = case.run(&mut VisaPlain::new(None), &mut state);
            assert!(cases::differences_are_marked(&case.before, &state));
            assert_eq!(*case.before.small, *state.small);
        }
    }
}
