//! Laws of MOVA2D that its page states beside the pseudo-code, held by the reference and by every level.

use proptest::prelude::*;
use tandem::wiring;
use tandem_isa::tensix::config::{
    ADDR_MOD_SET_Base, ALU_ACC_CTRL_Fp32_enabled, ALU_ACC_CTRL_Zero_Flag_disabled_src, ALU_FORMAT_SPEC_REG0_SrcA,
};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVA2D, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::{Chip, Small, WORMHOLE, bank, format};
use tandem_isa::{Code, Edition, State, Step};

use crate::parts::everybody;

fn small(state: &mut State) -> &mut Small {
    bytemuck::from_bytes_mut(&mut state.small)
}

/// A state that moves 8 rows from SrcA row 0 with a format, nothing flushed.
fn state_of(rows: &[[u32; 16]; 8], fmt: u32) -> State {
    let mut state = WORMHOLE.base_state();
    for (row, words) in rows.iter().enumerate() {
        for (column, &word) in words.iter().enumerate() {
            state.set_word(bank::SRCA, row, column, word);
        }
    }
    set_format(&mut state, fmt);
    ALU_ACC_CTRL_Zero_Flag_disabled_src.set(&mut small(&mut state).config[0], 1);
    ADDR_MOD_SET_Base.set(&mut small(&mut state).thread_config[0], 0);
    ALU_ACC_CTRL_Fp32_enabled.set(&mut small(&mut state).config[0], 0);
    state
}

fn set_format(state: &mut State, fmt: u32) {
    ALU_FORMAT_SPEC_REG0_SrcA.set(&mut small(state).config[0], fmt);
}

fn code(lo: u32, src_row: u32, dst_row: u32) -> Code {
    let mut code = Code::new(MOVA2D.base_code);
    USE_DST32B_LO.set(&mut code, lo);
    SRC_ROW.set(&mut code, src_row);
    MOVE8_ROWS.set(&mut code, 1);
    DST_ROW.set(&mut code, dst_row);
    code
}

/// `Sign,Man(7b),Exp(8b)` of a 19-bit datum, bit by bit.
fn high_half(word: u32) -> u32 {
    let bit = |from: u32| word >> from & 1;
    (0..8).fold(bit(18) << 15, |half, at| half | bit(at) << at)
        | (11..18).fold(0, |half, at| half | bit(at) << (at - 3))
}

/// Where the two halves of `Dst32b[row]` lie for a row whose number is below 256 and a multiple of 8.
fn halves(row: usize) -> (usize, usize) {
    (2 * row, 2 * row + 8)
}

fn rows() -> impl Strategy<Value = [[u32; 16]; 8]> {
    proptest::array::uniform8(proptest::array::uniform16(0u32..1 << 19))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A move with TF32 stores high halves, a second one with UseDst32bLo and another format stores low halves.
    #[test]
    fn mova2d_pair_combines_two_spans(high in rows(), low in rows(), block in 0u32..32, newest in any::<bool>()) {
        let edition = if newest { Edition::Newest } else { Edition::Spec };
        let dst_row = 8 * block;
        for (name, mut run) in everybody("tensix-wh") {
            let mut state = state_of(&high, format::TF32);
            run(&Step { instruction: MOVA2D, edition, code: &code(0, 0, dst_row) }, &mut state);
            for (row, words) in low.iter().enumerate() {
                for (column, &word) in words.iter().enumerate() {
                    state.set_word(bank::SRCA, row, column, word);
                }
            }
            set_format(&mut state, format::BF16);
            run(&Step { instruction: MOVA2D, edition, code: &code(1, 0, dst_row) }, &mut state);
            let (first, second) = halves(dst_row as usize);
            for row in 0..8 {
                for column in 0..16 {
                    let got = (state.word(bank::DST, first + row, column), state.word(bank::DST, second + row, column));
                    prop_assert_eq!(got, (high_half(high[row][column]), high_half(low[row][column])), "{}", &name);
                }
            }
        }
    }

    /// 16-bit moves to the two physical spans of a 32-bit span give what the pair gives: the views share storage.
    #[test]
    fn mova2d_mixed_views_share_storage(high in rows(), low in rows(), block in 0u32..32, newest in any::<bool>()) {
        let edition = if newest { Edition::Newest } else { Edition::Spec };
        let dst_row = 8 * block;
        let (first, second) = halves(dst_row as usize);
        for (name, mut run) in everybody("tensix-wh") {
            let mut state = state_of(&high, format::BF16);
            let to = |row: usize| code(0, 0, u32::try_from(row).expect("a row number fits"));
            run(&Step { instruction: MOVA2D, edition, code: &to(first) }, &mut state);
            for (row, words) in low.iter().enumerate() {
                for (column, &word) in words.iter().enumerate() {
                    state.set_word(bank::SRCA, row, column, word);
                }
            }
            run(&Step { instruction: MOVA2D, edition, code: &to(second) }, &mut state);
            let before = state.arena.to_vec();
            // A low-half move of the same data through the 32-bit view changes nothing.
            run(&Step { instruction: MOVA2D, edition, code: &code(1, 0, dst_row) }, &mut state);
            prop_assert_eq!(&before[..], &state.arena[..], "{}", &name);
            for row in 0..8 {
                for column in 0..16 {
                    let got = (state.word(bank::DST, first + row, column), state.word(bank::DST, second + row, column));
                    prop_assert_eq!(got, (high_half(high[row][column]), high_half(low[row][column])), "{}", &name);
                }
            }
        }
    }
}

#[test]
fn a_word_with_an_unnamed_bit_cites_the_page_of_its_instruction_and_edition() {
    let mut cited = 0;
    for isa in wiring::suite().isas.iter().filter(|isa| Chip::named(isa.isa.name).is_some()) {
        let mut reference = (isa.reference)();
        for &instruction in isa.isa.instructions {
            let unnamed = instruction.unnamed_bits(0);
            for &edition in instruction.editions().iter().filter(|_| unnamed != 0) {
                let code = [instruction.base_code[0] | 1 << unnamed.trailing_zeros()];
                let expectation =
                    reference.execute(&Step { instruction, edition, code: &code }, &mut isa.isa.base_state());
                let page = expectation.citation().map(|citation| (citation.page.id, citation.page.commit));
                let expected = instruction.page(edition);
                assert_eq!(page, Some((expected.id, expected.commit)), "{} {}", instruction.path(), edition.name());
                cited += 1;
            }
        }
    }
    assert!(cited >= 28, "{cited}");
}

#[test]
fn a_refusal_cites_the_page_of_its_edition() {
    let mut reference = (wiring::suite().isas[0].reference)();
    for edition in Edition::ALL {
        let page = MOVA2D.page(edition);
        // A bank that the Matrix Unit does not own, and a bit that no field names.
        for (held, word) in [(1, MOVA2D.base_code[0]), (0, MOVA2D.base_code[0] | 1 << 14)] {
            let mut state = WORMHOLE.base_state();
            small(&mut state).srca_allowed_client[0] = held;
            let expectation = reference.execute(&Step { instruction: MOVA2D, edition, code: &[word] }, &mut state);
            assert_eq!(expectation.name(), if held == 1 { "blocked" } else { "unspecified" });
            assert_eq!(expectation.citation().map(|citation| citation.page.commit), Some(page.commit));
        }
    }
}
