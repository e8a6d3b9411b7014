//! What every level makes of single data, worked out by hand from the pages; which registers are marked as read; and what the
//! levels do where the pages promise nothing, so that no comparison with the reference looks at it.

use tandem_isa::tensix::inst::sfpload::SFPLOAD;
use tandem_isa::tensix::inst::{matrix, mova2d, unpack};
use tandem_isa::tensix::{
    BLACKHOLE, Chip, MATRIX_UNIT, Mnemonic, Small, Tensix, UNPACKERS, WORMHOLE, bank, config, format,
};
use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::visa::inst::mov::MOV;
use tandem_isa::visa::{DataType, GeneralVariable, ROWS, VISA, Visa};
use tandem_isa::{Answer, CodeField, Edition, Facts, State, Step, Target};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;
use tandem_simd::visa::VisaSimd;

// ------------------------------------------------------------------------------------------------ Tensix

/// A state of Wormhole whose banks are the Matrix Unit's, with integers, or with data of a format.
fn state(fmt: u32, integers: bool) -> State {
    let mut state = WORMHOLE.base_state();
    let small = Tensix::new(&mut state).small;
    (small.srca_allowed_client, small.srcb_allowed_client) = ([MATRIX_UNIT; 2], [MATRIX_UNIT; 2]);
    config::ALU_FORMAT_SPEC_REG0_SrcA.set(&mut small.config[0], fmt);
    config::ALU_FORMAT_SPEC_REG1_SrcB.set(&mut small.config[0], fmt);
    config::ALU_ACC_CTRL_INT8_math_enabled.set(&mut small.config[0], u32::from(integers));
    config::ALU_ACC_CTRL_Fp32_enabled.set(&mut small.config[0], u32::from(!integers));
    state
}

/// Puts a 32-bit word into the rows that `Dst32b` has it in, and makes them valid.
fn set_dst(state: &mut State, row: usize, column: usize, word: u32) {
    state.set_word(bank::DST, row, column, word >> 16);
    state.set_word(bank::DST, row + 8, column, word & 0xffff);
    state.set_word(bank::DST_ROW_VALID, row, 0, 1);
}

fn dst(state: &State, row: usize, column: usize) -> u32 {
    state.word(bank::DST, row, column) << 16 | state.word(bank::DST, row + 8, column)
}

/// What every level leaves.
fn after(mnemonic: Mnemonic, fields: &[(CodeField, u32)], before: &State) -> Vec<State> {
    let instruction = mnemonic.on(Chip::Wormhole);
    let mut code = [instruction.base_code[0]];
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    let run = |level| {
        let mut state = WORMHOLE.base_state();
        state.copy_from(before);
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(level).execute(&step, &mut state), Answer::Done);
        state
    };
    Level::detect_all().into_iter().map(run).collect()
}

/// Integer "8".
fn integer(value: i32) -> u32 {
    u32::from(value < 0) << 18 | value.unsigned_abs() << 8 | 16
}

#[test]
fn mvmul_of_small_integers_in_phase_3() {
    let mut state = state(format::INT8, true);
    Tensix::new(&mut state).small.rwcs[0].fidelity_phase = 3;
    (0..2).for_each(|row| state.set_word(bank::SRCA, row, 4, integer([5, 7][row])));
    (0..2).for_each(|column| state.set_word(bank::SRCB, 1, column, integer([2, -3][column])));
    // 2 * 5 - 3 * 7 is -11, and to 4 it is -7.
    set_dst(&mut state, 1, 4, 4);
    for after in after(Mnemonic::Mvmul, &[], &state) {
        assert_eq!(dst(&after, 1, 4), 0x8000_0007);
        assert_eq!(dst(&after, 1, 3), 0);
    }
    // A row that is not valid counts as zero, and is valid then.
    state.set_word(bank::DST_ROW_VALID, 1, 0, 0);
    for after in after(Mnemonic::Mvmul, &[], &state) {
        assert_eq!(dst(&after, 1, 4), 0x8000_000b);
        assert_eq!(after.word(bank::DST_ROW_VALID, 1, 0), 1);
    }
}

#[test]
fn four_phases_make_a_whole_product() {
    let mut state = state(format::INT8, true);
    state.set_word(bank::SRCA, 0, 0, integer(255));
    state.set_word(bank::SRCB, 0, 0, integer(-1023));
    set_dst(&mut state, 0, 0, 0);
    // 0xe0 * -0x3f0, then 0x1f * -0x3f0, 0xe0 * -0xf, 0x1f * -0xf: as signs and magnitudes.
    for (phase, expected) in [(0, 0x8300_7200), (1, 0x8300_ec10), (2, 0x8300_f930), (3, 0x8300_fb01)] {
        Tensix::new(&mut state).small.rwcs[0].fidelity_phase = phase;
        let after = after(Mnemonic::Elwmul, &[], &state);
        after.iter().for_each(|after| assert_eq!(dst(after, 0, 0), expected, "phase {phase}"));
        state.copy_from(&after[0]);
    }
}

#[test]
fn sums_stay_within_the_largest_magnitude() {
    let mut state = state(format::INT8, true);
    for (column, (dst, srca)) in
        [(0x7fff_ffff, 1), (0xffff_ffff, -1), (0xffff_fffe, -1), (0x8000_0000, 0)].into_iter().enumerate()
    {
        set_dst(&mut state, 0, column, dst);
        state.set_word(bank::SRCA, 0, column, integer(srca));
    }
    for after in after(Mnemonic::Elwadd, &[(matrix::ADD_DST, 1)], &state) {
        let words = [0, 1, 2, 3].map(|column| dst(&after, 0, column));
        assert_eq!(words, [0x7fff_ffff, 0xffff_ffff, 0xffff_ffff, 0]);
    }
    for after in after(Mnemonic::Elwadd, &[], &state) {
        assert_eq!([0, 1, 2, 3].map(|column| dst(&after, 0, column)), [1, 0x8000_0001, 0x8000_0001, 0]);
    }
}

#[test]
fn exponents_are_tested_when_data_are_truncated() {
    let mut state = state(format::INT8, true);
    // The exponent 0x20 is no exponent of five bits.
    state.set_word(bank::SRCA, 0, 0, 5 << 8 | 0x20);
    state.set_word(bank::SRCA, 0, 1, 5 << 8 | 0x30);
    state.set_word(bank::SRCB, 0, 2, 6 << 8);
    let sums = |state: &State| {
        let after = after(Mnemonic::Elwsub, &[], state);
        after.into_iter().map(|after| [0, 1, 2].map(|column| dst(&after, 0, column))).collect::<Vec<_>>()
    };
    sums(&state).into_iter().for_each(|sums| assert_eq!(sums, [0, 5, 0]));
    let small = Tensix::new(&mut state).small;
    config::ALU_ACC_CTRL_Zero_Flag_disabled_src.set(&mut small.config[0], 1);
    sums(&state).into_iter().for_each(|sums| assert_eq!(sums, [0, 5, 0x8000_0006]));
    // BF16 keeps eight bits of exponent, and seven of mantissa: 5 and 6 have none of them.
    let small = Tensix::new(&mut state).small;
    config::ALU_FORMAT_SPEC_REG0_SrcA.set(&mut small.config[0], format::BF16);
    config::ALU_FORMAT_SPEC_REG1_SrcB.set(&mut small.config[0], format::BF16);
    state.set_word(bank::SRCA, 0, 0, 13 << 8 | 0x20);
    sums(&state).into_iter().for_each(|sums| assert_eq!(sums, [8, 0, 0]));
}

#[test]
fn a_broadcast_row_goes_to_four_rows_from_an_odd_one_on() {
    let mut state = state(format::INT8, true);
    Tensix::new(&mut state).small.rwcs[0].fidelity_phase = 3;
    Tensix::new(&mut state).small.rwcs[0].srcb = 5;
    state.set_word(bank::SRCA, 0, 0, integer(3));
    state.set_word(bank::SRCB, 5, 0, integer(4));
    // 7 & (0x400 - 7) is 1.
    let fields = [(matrix::MVMUL_BROADCAST_ROW, 1), (mova2d::DST_ROW, 7)];
    for after in after(Mnemonic::Mvmul, &fields, &state) {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|row| dst(&after, row, 0)), [0, 12, 0, 12, 0, 12, 0, 12]);
    }
}

#[test]
fn gmpool_of_equal_zeros_keeps_the_sign_of_the_last_one() {
    let mut state = state(format::INT8, true);
    (0..16).for_each(|column| state.set_word(bank::SRCB, 0, column, 1));
    for row in 0..16 {
        state.set_word(bank::SRCA, row, 0, integer(0) | 1 << 18);
        state.set_word(bank::SRCA, row, 1, if row == 15 { integer(0) } else { integer(0) | 1 << 18 });
        state.set_word(bank::SRCA, row, 2, integer(-5));
    }
    // Of what is in Dst, 19 bits of magnitude are compared, and 13 written.
    let old = [0, 0, 0x8700_ffff, 0x0700_ffff];
    old.into_iter().enumerate().for_each(|(column, word)| set_dst(&mut state, 0, column, word));
    for after in after(Mnemonic::Gmpool, &[], &state) {
        let words = [0, 1, 2, 3].map(|column| dst(&after, 0, column));
        assert_eq!(words, [0x8000_0000, 0, 0x8000_0005, 0x1fff]);
    }
}

#[test]
fn gmpool_tells_the_index_of_the_row_visited_last_among_equal_ones() {
    let mut state = state(format::BF16, false);
    (0..16).for_each(|column| state.set_word(bank::SRCB, 0, column, 127));
    // 1.0 in all rows; in column 2, row 9 has 2.0, which has no index.
    (0..16).for_each(|row| (0..16).for_each(|column| state.set_word(bank::SRCA, row, column, 127)));
    state.set_word(bank::SRCA, 9, 2, 128);
    // 1.0, 4.0, 1.0 and phases.
    let old = [0x007f_0123, 0x0081_0123, 0x007f_0f45];
    old.into_iter().enumerate().for_each(|(column, word)| set_dst(&mut state, 0, column, word));
    set_dst(&mut state, 1, 0, 0x1234_1eff);
    set_dst(&mut state, 2, 0, 0x1234_1fff);
    let fields = [(matrix::ARG_MAX, 1)];
    for after in after(Mnemonic::Gmpool, &fields, &state) {
        // Row 3 comes last of the first eight, and its index is 1.
        let words = [0, 1, 2].map(|column| dst(&after, 0, column));
        assert_eq!(words, [0x007f_0221, 0x0081_0223, 0x0080_0001]);
        // The other rows have the next phases, of 0x1eff, 0x1fff and 0.
        assert_eq!([1, 2, 3].map(|row| dst(&after, row, 0)), [0xf00, 0, 0x100]);
    }
}

#[test]
fn gmpool_takes_a_scale_of_zero_and_an_invalid_row_for_minus_infinity() {
    let mut state = state(format::BF16, false);
    let small = Tensix::new(&mut state).small;
    config::ALU_ACC_CTRL_Fp32_enabled.set(&mut small.config[0], 0);
    (0..16).for_each(|row| state.set_word(bank::SRCA, row, 0, 0x4_007f));
    (0..4).for_each(|row| state.set_word(bank::DST_ROW_VALID, row, 0, 0));
    state.set_word(bank::DST, 1, 0, 0x1234);
    // All bits set is above what a scale of zero gives, by the exponent; it has the exponent 255 and the mantissa 127.
    for after in after(Mnemonic::Gmpool, &[], &state) {
        assert_eq!([0, 1, 2, 3].map(|row| after.word(bank::DST, row, 0)), [0xffff, 0, 0, 0]);
        assert_eq!([0, 1, 2, 3].map(|row| after.word(bank::DST_ROW_VALID, row, 0)), [1; 4]);
    }
    // -1.0, doubled by the exponent of row 3.
    (0..16).for_each(|column| state.set_word(bank::SRCB, 0, column, 0));
    state.set_word(bank::SRCB, 0, 3, 0x7_ff80);
    for after in after(Mnemonic::Gmpool, &[], &state) {
        assert_eq!(after.word(bank::DST, 0, 0), 0x8080);
    }
}

/// What a disabled lane keeps is read, and nothing else.
#[test]
fn registers_that_keep_something_are_read_and_others_are_not() {
    let read = |text: &str, set: fn(&mut Small)| {
        let mut state = WORMHOLE.base_state();
        set(Tensix::new(&mut state).small);
        let code = SFPLOAD.parse(text).expect("the text is one of ours");
        let step = Step { instruction: SFPLOAD, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(Level::Portable).execute(&step, &mut state), Answer::Done);
        let first = WORMHOLE.layout.banks[bank::LREG].first_row;
        (0..17).filter(|register| state.tracker.log.read.contains(first + register)).collect::<Vec<_>>()
    };
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |_| {}), []);
    assert_eq!(read("TT_SFPLOAD(1, 14, 0, 0)", |_| {}), [1]);
    // ROW_MASK is bits 12 to 15.
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config[7] = 8 << 12), [1]);
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config = [0b1100; 8]), []);
    assert_eq!(read("TT_SFPLOAD(1, 2, 0, 0)", |small| small.lane_config[0] = 0b1100), [5]);
    assert_eq!(read("TT_SFPLOAD(9, 14, 0, 0)", |_| {}), []);
}

/// Its page promises nothing: it does as that of Wormhole, and the implied formats stay.
#[test]
fn setdvalid_of_blackhole_gives_banks_to_the_matrix_unit() {
    let instruction = Mnemonic::Setdvalid.on(Chip::Blackhole);
    let mut code = [instruction.base_code[0]];
    unpack::SET_SRCB.set(&mut code, 1);
    for level in Level::detect_all() {
        let mut state = BLACKHOLE.base_state();
        let small = Tensix::new(&mut state).small;
        (small.srca_allowed_client, small.srcb_allowed_client) = ([UNPACKERS; 2], [UNPACKERS; 2]);
        (small.unpackers_src_bank, small.implied_srcb_fmt) = ([0, 1], [3, 5]);
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(level).execute(&step, &mut state), Answer::Done);
        let small = Tensix::new(&mut state).small;
        assert_eq!((small.srca_allowed_client, small.srcb_allowed_client), ([UNPACKERS; 2], [UNPACKERS, MATRIX_UNIT]));
        assert_eq!((small.unpackers_src_bank, small.implied_srcb_fmt), ([0, 0], [3, 5]));
    }
}

// ------------------------------------------------------------------------------------------------ vISA

/// Bytes from the beginning of a variable to that of the next one.
const SPACING: usize = 2048;

/// A state whose variables `V32` to `V35` have these types, 2,048 bytes each.
fn declared(types: [DataType; 4]) -> State {
    let mut state = VISA.base_state();
    let variables = &mut Visa::new(&mut state).small.variables;
    for (index, (variable, data_type)) in variables.iter_mut().zip(types).enumerate() {
        *variable = GeneralVariable {
            data_type: data_type.code() as u16,
            num_elements: (SPACING / data_type.bytes()) as u16,
            offset: (index * SPACING) as u16,
            unused: 0,
        };
    }
    state
}

/// What each level answers to an instruction by its text, and leaves.
fn run(instruction: &'static Facts, text: &str, before: &State) -> Vec<(Answer, State)> {
    let code = (instruction.syntax.parse)(instruction, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let each = |level| {
        let mut state = VISA.base_state();
        state.copy_from(before);
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        (VisaSimd::new(level).execute(&step, &mut state), state)
    };
    Level::detect_all().into_iter().map(each).collect()
}

#[test]
fn packed_floats_are_refused_as_the_page_does_not_say_what_they_are() {
    let refused = |data_type, text: &str| {
        let before = declared([data_type, DataType::D, DataType::Q, DataType::Uq]);
        for (answer, after) in run(&MOV, text, &before) {
            assert_eq!(answer, Answer::Unsupported, "{text}");
            assert!(after.arena[..] == before.arena[..] && after.small[..] == before.small[..], "{text}");
        }
    };
    for data_type in [DataType::F, DataType::D, DataType::Hf] {
        refused(data_type, "MOV (M1_NM, 4) V32(0,0)<1> 0x00403020:vf");
    }
    // And words do not become BF.
    refused(DataType::Bf, "MOV (M1_NM, 8) V32(0,0)<1> 0x76543210:v");
}

/// The page gives the null variable no offset.
#[test]
fn a_null_accumulator_is_zero_at_any_offset() {
    let mut before = declared([DataType::D, DataType::D, DataType::D, DataType::Ud]);
    let mut visa = Visa::new(&mut before);
    visa.write_bytes(2 * SPACING, &[2; 256]);
    visa.write_bytes(3 * SPACING, &[3; 32]);
    for offset in ["0", "32", "65504"] {
        let text = format!("DPAS.s8.u8.8.1 (M1_NM, 8) V32.0 V0.{offset} V34.0 V35(0,0)");
        for (answer, mut after) in run(&DPAS, &text, &before) {
            assert_eq!(answer, Answer::Done, "{text}");
            // 32 products of 2 and 3.
            assert_eq!(Visa::new(&mut after).read_bytes(0, 32), [192_i32.to_le_bytes(); 8].as_flattened(), "{text}");
        }
    }
}

/// A register of the file has one row. What is marked as read is what a case draws, and what a report names.
#[test]
fn the_rows_from_the_first_datum_to_the_last_are_read_and_no_others() {
    for (text, expected) in [
        ("MOV (M1_NM, 8) V32(0,0)<1> V33(0,0)<8;8,1>", &[64][..]),
        ("MOV (M1_NM, 8) V32(0,0)<1> V33(0,4)<8;8,1>", &[64, 65]),
        ("MOV (M1_NM, 16) V32(0,0)<1> V33(2,0)<8;8,1>", &[66, 67]),
        ("MOV (M1_NM, 16) V32(0,0)<1> V33(3,7)<0;1,0>", &[67]),
    ] {
        for (answer, state) in run(&MOV, text, &declared([DataType::D, DataType::D, DataType::Q, DataType::Uq])) {
            assert_eq!(answer, Answer::Done, "{text}");
            let read: Vec<_> = (0..ROWS).filter(|&row| state.tracker.log.read.contains(row)).collect();
            assert_eq!(read, expected, "{text}");
        }
    }
}
