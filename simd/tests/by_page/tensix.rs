//! What the pages of the instructions of `configuration.rs`, `control.rs`, `sfpconfig.rs`, `source.rs`, `unpack.rs`, `wait.rs`
//! and `window.rs`, and, in `tensix/matrix.rs`, of what computes on sources, and in `tensix/immediate.rs` of `SFPLOADI` say, a datum
//! and a branch at a time; every level must do the same, and mark the same rows.

mod configuration;
mod immediate;
mod wait;
mod window;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::{control, source};
use tandem_isa::tensix::{BLACKHOLE, Chip, MATRIX_UNIT, Mnemonic, Rwc, Small, Tensix, UNPACKERS, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, Noise, RowSet, State, Step, Target};

use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

mod by_hand;
mod matrix;

/// What a page says of one case, if it promises anything.
type Page = fn(&Word, &mut Tensix<'_>) -> Option<Answer>;

/// Makes a case likelier to be promised.
type Mend = fn(&mut Word, &mut Small, &mut Noise);

/// The word of an instruction, and its chip.
struct Word {
    chip: Chip,
    code: [u32; 1],
}

impl Word {
    fn get(&self, field: CodeField) -> u32 {
        field.get(&self.code)
    }

    fn has(&self, field: CodeField) -> bool {
        self.get(field) != 0
    }
}

fn rows(set: &RowSet) -> Vec<usize> {
    let mut rows = Vec::new();
    set.each(|row| rows.push(row));
    rows
}

/// Fills sources and `Dst`: half of the rows with any data, the others with few, so that some are equal. Registers of both
/// kinds have any data.
fn draw_banks(state: &mut State, noise: &mut Noise) {
    const FEW: [u32; 16] = [
        0, 0x4_0000, 0x10, 0x4_0010, 0x110, 0x4_0110, 0x4_0310, 0x7_ff10, 0x3_ff10, 0x7f, 0x4_007f, 0x4_0f7f, 0x4_0ff,
        0x7_ffff, 0x7_ff00, 0x4_0001,
    ];
    const FEW_HALVES: [u32; 8] = [0, 0x8000, 0xffff, 0x7fff, 0x7fff, 0xff00, 0x0f00, 0x8305];
    for number in [bank::SRCA, bank::SRCB] {
        for word in 0..128 * 16 {
            let (row, any) = (word / 16, noise.bits(19));
            state.set_word(number, row, word % 16, if row / 16 % 2 == 0 { any } else { FEW[any as usize % 16] });
        }
    }
    for word in 0..1024 * 16 {
        let (row, any) = (word / 16, noise.bits(16));
        state.set_word(bank::DST, row, word % 16, if row / 4 % 2 == 0 { any } else { FEW_HALVES[any as usize % 8] });
    }
    (0..1024).for_each(|row| state.set_word(bank::DST_ROW_VALID, row, 0, noise.bits(1)));
    (0..17 * 32).for_each(|word| state.set_word(bank::LREG, word / 32, word % 32, noise.bits(32)));
    (0..3 * 64).for_each(|word| state.set_word(bank::GPRS, word / 4, word % 4, noise.bits(32)));
}

/// Holds every level against a page, on cases of which each field is drawn, often as all ones. At least a third must be
/// promised.
fn every_level_is(mnemonic: Mnemonic, cases: u64, page: Page) {
    every_level_is_when(mnemonic, cases, |_, _, _| {}, page);
}

/// The same, of cases that are mended.
fn every_level_is_when(mnemonic: Mnemonic, cases: u64, mend: Mend, page: Page) {
    for (chip, isa) in [(Chip::Wormhole, &WORMHOLE), (Chip::Blackhole, &BLACKHOLE)] {
        if !mnemonic.is_on(chip) {
            continue;
        }
        let instruction = mnemonic.on(chip);
        let mut noise = Noise::new(0xc0de);
        let [mut before, mut expected, mut got] = [(); 3].map(|()| isa.base_state());
        let mut promised = 0;
        for case in 0..cases {
            if case % 512 == 0 {
                draw_banks(&mut before, &mut noise);
            }
            let value = |max: u32, noise: &mut Noise| [noise.bits(32) & max, max][noise.below(4) / 3];
            for field in (isa.layout.fields)().iter().filter(|field| field.role.is_drawn()) {
                let is_thread = field.max == 2;
                let value = if is_thread { noise.below(3) as u32 } else { value(field.max, &mut noise) };
                field.set(&mut before.small, value);
            }
            let mut word = Word { chip, code: [instruction.base_code[0]] };
            for field in instruction.code_fields {
                field.set(&mut word.code, value(field.mask() >> field.shift, &mut noise));
            }
            mend(&mut word, Tensix::new(&mut before).small, &mut noise);
            let step = Step { instruction, edition: Edition::Newest, code: &word.code };
            let begin = |state: &mut State| {
                state.copy_from(&before);
                state.tracker.clear();
            };
            begin(&mut expected);
            let answer = page(&word, &mut Tensix::new(&mut expected));
            promised += u64::from(answer.is_some());
            for level in Level::detect_all() {
                begin(&mut got);
                let got_answer = TensixSimd::new(level).execute(&step, &mut got);
                let Some(answer) = answer else { continue };
                let what = || format!("{level}: {} {:08x}", instruction.path(), word.code[0]);
                assert_eq!(got_answer, answer, "{}", what());
                assert!(got.small[..] == expected.small[..], "small state differs: {}", what());
                assert!(got.arena[..] == expected.arena[..], "banks differ: {}", what());
                let (got, expected) = (&got.tracker.log, &expected.tracker.log);
                assert_eq!(rows(&got.read), rows(&expected.read), "marked as read: {}", what());
                assert_eq!(rows(&got.written), rows(&expected.written), "marked as written: {}", what());
            }
        }
        assert!(promised > cases / 3, "{promised} of {cases} cases are promised");
    }
}

#[test]
fn setrwc_sets_a_counter_and_its_carriage_return_and_flips_banks() {
    every_level_is(Mnemonic::Setrwc, 2048, |word, tensix| {
        let small = &mut *tensix.small;
        let thread = small.current_thread as usize;
        let rwc = &mut small.rwcs[thread];
        if word.has(control::SRCA) {
            let from = if word.has(control::SRCA_CR) { rwc.srca_cr } else { 0 };
            rwc.srca = (word.get(control::SRCA_VAL) + from) % 64;
            rwc.srca_cr = rwc.srca;
        }
        if word.has(control::SRCB) {
            let from = if word.has(control::SRCB_CR) { rwc.srcb_cr } else { 0 };
            rwc.srcb = (word.get(control::SRCB_VAL) + from) % 64;
            rwc.srcb_cr = rwc.srcb;
        }
        if word.has(control::DST) || word.has(control::DST_CTO_CR) {
            let from = match (word.has(control::DST_CTO_CR), word.has(control::DST_CR)) {
                (true, _) => rwc.dst,
                (false, true) => rwc.dst_cr,
                (false, false) => 0,
            };
            rwc.dst = (word.get(control::DST_VAL) + from) % 1024;
            rwc.dst_cr = rwc.dst;
        }
        if word.has(control::FIDELITY) {
            rwc.fidelity_phase = 0;
        }
        flip(word, tensix);
        Some(Answer::Done)
    });
}

/// "Possibly flip source banks".
fn flip(word: &Word, tensix: &mut Tensix<'_>) {
    let small = &mut *tensix.small;
    let words = &small.thread_config[small.current_thread as usize];
    let (disable_a, disable_b) = match word.chip {
        Chip::Wormhole => (config::CLR_DVALID_SrcA_Disable, config::CLR_DVALID_SrcB_Disable),
        Chip::Blackhole => (blackhole::CLR_DVALID_SrcA_Disable, blackhole::CLR_DVALID_SrcB_Disable),
    };
    if word.has(control::FLIP_SRCA) {
        if disable_a.get(words) == 0 {
            small.srca_allowed_client[small.matrix_unit_srca_bank as usize] = UNPACKERS;
        }
        small.matrix_unit_srca_bank = 1 - small.matrix_unit_srca_bank;
    }
    if word.has(control::FLIP_SRCB) {
        if disable_b.get(words) == 0 {
            small.srcb_allowed_client[small.matrix_unit_srcb_bank as usize] = UNPACKERS;
        }
        small.matrix_unit_srcb_bank = 1 - small.matrix_unit_srcb_bank;
    }
}

#[test]
fn incrwc_adds_to_a_counter_or_to_its_carriage_return_and_then_to_both() {
    every_level_is(Mnemonic::Incrwc, 1024, |word, tensix| {
        let rwc = &mut tensix.small.rwcs[tensix.small.current_thread as usize];
        let counters = [
            (&mut rwc.srca, &mut rwc.srca_cr, control::SRCA_CR, control::SRCA_INC, 64),
            (&mut rwc.srcb, &mut rwc.srcb_cr, control::SRCB_CR, control::SRCB_INC, 64),
            (&mut rwc.dst, &mut rwc.dst_cr, control::DST_CR, control::DST_INC, 1024),
        ];
        for (counter, carriage_return, from_cr, increment, size) in counters {
            if word.has(from_cr) {
                *carriage_return = (*carriage_return + word.get(increment)) % size;
                *counter = *carriage_return;
            } else {
                *counter = (*counter + word.get(increment)) % size;
            }
        }
        Some(Answer::Done)
    });
}

#[test]
fn cleardvalid_gives_banks_to_the_unpackers_and_flips_them_unless_it_keeps_reading() {
    every_level_is(Mnemonic::Cleardvalid, 1024, |word, tensix| {
        let (small, keeps) = (&mut *tensix.small, word.has(control::KEEP_READING_SAME_SRC));
        for (flip, clients, bank) in [
            (control::FLIP_SRCA, &mut small.srca_allowed_client, &mut small.matrix_unit_srca_bank),
            (control::FLIP_SRCB, &mut small.srcb_allowed_client, &mut small.matrix_unit_srcb_bank),
        ] {
            if word.has(flip) {
                clients[*bank as usize] = UNPACKERS;
                *bank = if keeps { *bank } else { 1 - *bank };
            }
        }
        (!word.has(control::RESET)).then_some(Answer::Done)
    });
}

/// Changes `Value` and `Max` of the semaphores that the mask names.
fn each_semaphore(word: &Word, tensix: &mut Tensix<'_>, change: impl Fn(&mut u32, &mut u32)) -> Option<Answer> {
    for (number, semaphore) in tensix.small.semaphores.iter_mut().enumerate() {
        if word.get(control::SEMAPHORE_MASK) & 1 << number != 0 {
            change(&mut semaphore.value, &mut semaphore.max);
        }
    }
    Some(Answer::Done)
}

#[test]
fn seminit_sets_value_and_maximum() {
    every_level_is(Mnemonic::Seminit, 512, |word, tensix| {
        let new = (word.get(control::NEW_VALUE), word.get(control::NEW_MAX));
        each_semaphore(word, tensix, |value, max| (*value, *max) = new)
    });
}

#[test]
fn sempost_adds_one_below_15() {
    every_level_is(Mnemonic::Sempost, 512, |word, tensix| {
        each_semaphore(word, tensix, |value, _| *value += u32::from(*value < 15))
    });
}

#[test]
fn semget_takes_one_above_0() {
    every_level_is(Mnemonic::Semget, 512, |word, tensix| {
        each_semaphore(word, tensix, |value, _| *value = value.saturating_sub(1))
    });
}

#[test]
fn zerosrc_fills_the_banks_of_the_matrix_unit_or_of_the_unpackers_or_both() {
    every_level_is(Mnemonic::Zerosrc, 512, |word, tensix| {
        let [unpacker_a, unpacker_b] = tensix.small.unpackers_src_bank;
        let (matrix_a, matrix_b) = (tensix.small.matrix_unit_srca_bank, tensix.small.matrix_unit_srcb_bank);
        let clears = |clear, matrix: u32, unpacker: u32, bank: usize| {
            let one = if word.has(source::SINGLE_BANK_MATRIX_UNIT) { matrix } else { unpacker };
            word.has(clear) && (word.has(source::BOTH_BANKS) || one as usize == bank)
        };
        let infinity = if word.has(source::NEGATIVE_INF_SRCA) { (1 << 19) - 1 } else { 0 };
        for (bank, row) in (0..2).flat_map(|bank| (0..64).map(move |row| (bank, row))) {
            if clears(source::CLEAR_SRCA, matrix_a, unpacker_a, bank) {
                *tensix.srca_row_mut(bank, row) = [infinity; 16];
            }
            if clears(source::CLEAR_SRCB, matrix_b, unpacker_b, bank) {
                *tensix.srcb_row_mut(bank, row) = [0; 16];
            }
        }
        Some(Answer::Done)
    });
}

#[test]
fn trnspsrcb_exchanges_rows_and_columns_of_rows_16_to_31() {
    every_level_is(Mnemonic::Trnspsrcb, 512, |_, tensix| {
        let bank = tensix.small.matrix_unit_srcb_bank as usize;
        if tensix.small.srcb_allowed_client[bank] != MATRIX_UNIT {
            return Some(Answer::Blocked);
        }
        for (i, j) in (0..16).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (ij, ji) = (tensix.srcb_row(bank, 16 + i)[j], tensix.srcb_row(bank, 16 + j)[i]);
            tensix.srcb_row_mut(bank, 16 + i)[j] = ji;
            tensix.srcb_row_mut(bank, 16 + j)[i] = ij;
        }
        Some(Answer::Done)
    });
}

/// `ApplyAddrMod`, of which a section's words are the page's fields.
fn apply_addr_mod(chip: Chip, addr_mod: u32, tensix: &mut Tensix<'_>) -> Option<()> {
    let thread = tensix.small.current_thread as usize;
    let (words, rwc) = (&tensix.small.thread_config[thread], &mut tensix.small.rwcs[thread]);
    let (first, index) = match chip {
        Chip::Wormhole => {
            let upper = rwc.extra_addr_mod_bit != 0 || config::ADDR_MOD_SET_Base.get(words) != 0;
            ([7, 23, 48], addr_mod as usize + if upper { 4 } else { 0 })
        }
        Chip::Blackhole if rwc.extra_addr_mod_bit != 0 => return None,
        Chip::Blackhole => ([12, 28, 47], addr_mod as usize),
    };
    let ab = words[first[0] + index * chip.pick(2, 1)];
    let [ab, dst, bias] = [ab, words[first[1] + index], words[first[2] + index]].map(u32::from);
    let Rwc { srca, srca_cr, srcb, srcb_cr, .. } = rwc;
    for (counter, carriage_return, section) in [(srca, srca_cr, ab & 0xff), (srcb, srcb_cr, ab >> 8)] {
        if section & 0x80 != 0 {
            (*counter, *carriage_return) = (0, 0);
        } else if section & 0x40 != 0 {
            *carriage_return = (*carriage_return + section) % 64;
            *counter = *carriage_return;
        } else {
            *counter = (*counter + section) % 64;
        }
    }
    if dst & 0x800 != 0 {
        (rwc.dst, rwc.dst_cr) = (0, 0);
    } else if dst & 0x1000 != 0 {
        rwc.dst = (rwc.dst + dst) % 1024;
        rwc.dst_cr = rwc.dst;
    } else if dst & 0x400 != 0 {
        rwc.dst_cr = (rwc.dst_cr + dst) % 1024;
        rwc.dst = rwc.dst_cr;
    } else {
        rwc.dst = (rwc.dst + dst) % 1024;
    }
    rwc.fidelity_phase = if dst & 0x8000 != 0 { 0 } else { (rwc.fidelity_phase + (dst >> 13)) % 4 };
    if bias & 0x10 != 0 {
        rwc.extra_addr_mod_bit = 0;
    } else if bias & 3 != 0 {
        rwc.extra_addr_mod_bit = 1 - rwc.extra_addr_mod_bit;
    }
    Some(())
}

#[test]
fn shiftxb_moves_all_columns_of_a_row_and_applies_the_addr_mod() {
    every_level_is(Mnemonic::Shiftxb, 4096, |word, tensix| {
        let bank = tensix.small.matrix_unit_srcb_bank as usize;
        if tensix.small.srcb_allowed_client[bank] != MATRIX_UNIT {
            return Some(Answer::Blocked);
        }
        let counter = tensix.small.rwcs[tensix.small.current_thread as usize].srcb;
        let row = (word.get(source::SHIFT_ROW) + counter) as usize % 64;
        let old = *tensix.srcb_row(bank, row);
        let new = tensix.srcb_row_mut(bank, row);
        new[..15].copy_from_slice(&old[1..]);
        new[15] = if word.has(source::SHIFT_IN_ZERO) { 0 } else { old[0] };
        let addr_mod = word.get(word.chip.pick(source::ADDR_MOD, source::ADDR_MOD_BH));
        apply_addr_mod(word.chip, addr_mod, tensix).map(|()| Answer::Done)
    });
}
