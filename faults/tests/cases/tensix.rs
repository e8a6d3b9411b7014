//! Cases of Tensix instructions.

use tandem_cases::tensix::{on, value_class};
use tandem_faults::tensix::TensixPlain;
use tandem_isa::tensix::inst::mova2d::UNNAMED_BITS;
use tandem_isa::tensix::inst::sfpload::VD;
use tandem_isa::tensix::{BLACKHOLE, Chip, MATRIX_UNIT, Mnemonic, Tensix, WORMHOLE, bank, config, format};
use tandem_isa::{Edition, Instruction, Noise, State, mix64};

use super::Case;

/// A 19-bit word that is likely to have a special exponent or mantissa.
fn src_word(noise: &mut Noise) -> u32 {
    let exponent = match noise.below(8) {
        0 | 1 => 0,
        2 => 0xfe + noise.bits(1),
        3 => noise.bits(3) << 5,
        4 => noise.bits(5),
        _ => noise.bits(8),
    };
    let mantissa = match noise.below(4) {
        0 => 0,
        1 => 1 << noise.below(10),
        2 => 0x3ff,
        _ => noise.bits(10),
    };
    noise.bits(1) << 18 | mantissa << 8 | exponent
}

/// Case number `index` of an edition.
pub fn case(edition: Edition, index: u64) -> Case {
    let mut before = arena(index);
    let mut noise = Noise::new(mix64(0xca5e ^ index << 1 ^ u64::from(edition == Edition::Newest)));
    for field in (before.layout.fields)() {
        let bits = noise.bits(field.width);
        field.set(&mut before.small, if field.max == u32::MAX { bits } else { bits % (field.max + 1) });
    }
    let (code, salt) = super::draw(on(Mnemonic::Mova2d, Chip::Wormhole), edition, &mut before, &mut noise);
    for row in 0..1024 {
        let valid = match salt.class[bank::DST_ROW_VALID] {
            value_class::ALL_VALID => 1,
            value_class::ALL_INVALID => 0,
            _ => noise.bits(1),
        };
        before.set_word(bank::DST_ROW_VALID, row, 0, valid);
    }
    Case { instruction: on(Mnemonic::Mova2d, Chip::Wormhole), edition, code, before }
}

/// Case number `index`, if the pages promise what it gives.
pub fn promised_case(edition: Edition, index: u64) -> Option<Case> {
    let mut case = case(edition, index);
    promised(&mut case).then_some(case)
}

fn promised(case: &mut Case) -> bool {
    if case.code[0] & UNNAMED_BITS != 0 {
        return false;
    }
    let all_valid = (0..1024).all(|row| case.before.word(bank::DST_ROW_VALID, row, 0) == 1);
    let tensix = Tensix::new(&mut case.before);
    let small = &*tensix.small;
    let thread = &small.thread_config[small.current_thread as usize];
    let state_id = config::CFG_STATE_ID_StateID.get(thread) as usize;
    let config = &small.config[state_id];
    let is_blocked = small.srca_allowed_client[small.matrix_unit_srca_bank as usize] != MATRIX_UNIT;
    let columns: u32 = small.lane_config.iter().map(|lane| ((lane >> 9) & 3).count_ones()).sum();
    let overridden = config::ALU_FORMAT_SPEC_REG_SrcA_override.get(config) != 0;
    let reg0 = config::ALU_FORMAT_SPEC_REG0_SrcA.get(config);
    let format = if overridden { config::ALU_FORMAT_SPEC_REG_SrcA_val.get(config) } else { reg0 };
    let force = config::FP16A_FORCE_Enable.get(thread) != 0;
    let lo = case.code[0] >> 23 & 1 != 0;
    let undefined = case.edition == Edition::Newest && format == format::TF32 && !force && lo;
    is_blocked || columns == 16 || !(undefined || (columns != 0 && !all_valid))
}

fn arena(index: u64) -> State {
    let mut state = WORMHOLE.base_state();
    let mut noise = Noise::new(mix64(0xa4e4a ^ index));
    for which in [bank::DST, bank::SRCA, bank::SRCB, bank::LREG] {
        let spec = &WORMHOLE.layout.banks[which];
        for row in 0..spec.rows() {
            for column in 0..spec.columns() {
                let word = if spec.bits == 19 { src_word(&mut noise) } else { noise.bits(spec.bits) };
                state.set_word(which, row, column, word);
            }
        }
    }
    state
}

/// Case number `index` of `SFPLOAD` or `SFPSTORE`, on either chip.
pub fn sfpu_case(instruction: &'static Instruction, edition: Edition, index: u64) -> Case {
    let isa = if Chip::of(instruction) == Chip::Blackhole { &BLACKHOLE } else { &WORMHOLE };
    let mut before = isa.base_state();
    let mut noise = Noise::new(mix64(0x5f9 ^ index << 1 ^ u64::from(edition == Edition::Newest)));
    for (which, word) in [(bank::DST, dst_word as fn(&mut Noise) -> u32), (bank::LREG, lreg_word)] {
        let spec = &isa.layout.banks[which];
        for row in 0..spec.rows() {
            for column in 0..spec.columns() {
                before.set_word(which, row, column, word(&mut noise));
            }
        }
    }
    for field in (before.layout.fields)() {
        let bits = noise.bits(field.width);
        field.set(&mut before.small, if field.max == u32::MAX { bits } else { bits % (field.max + 1) });
    }
    let (code, salt) = super::draw(instruction, edition, &mut before, &mut noise);
    for row in 0..1024 {
        let valid = match salt.class[bank::DST_ROW_VALID] {
            value_class::ALL_VALID => 1,
            value_class::ALL_INVALID => 0,
            _ => noise.bits(1),
        };
        before.set_word(bank::DST_ROW_VALID, row, 0, valid);
    }
    Case { instruction, edition, code, before }
}

/// Makes the rows valid whose marks a case consults: all that it touches but those of low halves, which lie eight rows
/// after others that it touches.
fn make_valid(case: &mut Case) {
    let mut after = State::zeroed(case.before.layout);
    let _ = case.run(&mut TensixPlain::new(None), &mut after);
    let first_row = case.before.layout.banks[bank::DST].first_row;
    let log = &after.tracker.log;
    let touches = |row: usize| log.read.contains(first_row + row) || log.written.contains(first_row + row);
    for row in (0..1024).filter(|&row| touches(row) && !(row & 8 != 0 && touches(row - 8))) {
        case.before.set_word(bank::DST_ROW_VALID, row, 0, 1);
    }
}

/// Case number `index` of `SFPLOAD` or `SFPSTORE`, with rows made valid, if the pages then promise what it gives.
pub fn promised_sfpu_case(instruction: &'static Instruction, edition: Edition, index: u64) -> Option<Case> {
    let mut case = sfpu_case(instruction, edition, index);
    make_valid(&mut case);
    let tensix = Tensix::new(&mut case.before);
    let small = &*tensix.small;
    let is_template = VD.get(&case.code) >= 12 && small.lane_config.iter().all(|lane| lane & 2 == 0);
    let extra = small.rwcs[small.current_thread as usize].extra_addr_mod_bit != 0;
    let unspecified = is_template || (extra && Chip::of(instruction) == Chip::Blackhole);
    (!unspecified).then_some(case)
}

/// A word of `Dst` that is likely to be special in some format.
fn dst_word(noise: &mut Noise) -> u32 {
    let word = noise.bits(16);
    match noise.below(10) {
        0 => word | 0x7fff,
        1 => word & !0x1f,
        2 => word & !0xff,
        3 => word & 0x8000,
        4 => word | 0x1f,
        5 => word | 0xff,
        _ => word,
    }
}

/// A word of an `LReg` that is likely to be special in some format.
fn lreg_word(noise: &mut Noise) -> u32 {
    let word = noise.bits(32);
    let exponent = match noise.below(6) {
        0 => 0,
        1 => 255,
        2 => 111 + noise.bits(2),
        3 => 141 + noise.bits(2),
        _ => 104 + noise.bits(6),
    };
    match noise.below(8) {
        0..4 => {
            let mantissa = word & [0, 0xffff, 0x007f_0000, 0x007f_ffff][noise.below(4)];
            word & 0x8000_0000 | exponent << 23 | mantissa
        }
        4 => word & 0x8000_ffff,
        5 => word & 0x8000_03ff,
        6 => (word & 0x3ff).wrapping_neg(),
        _ => word,
    }
}
