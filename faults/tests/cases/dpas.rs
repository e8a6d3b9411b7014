//! Cases of vISA `DPAS`.

use tandem_cases::visa::{DPAS, VISA};
use tandem_isa::visa::model::{OneBit, Src2Pitch};
use tandem_isa::visa::operand::dpas::{A, DEPTHS, DST, M1_NM, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, SRC2, class};
use tandem_isa::visa::precision::Precision::{self, Bf, Hf, Tf32};
use tandem_isa::visa::{DISPATCH_SIZES, DataType, FIRST_GENERAL, GRF_BYTES, PRE_XEHP, ROW_BYTES, Small, Visa, bank};
use tandem_isa::{Edition, Noise, mix64};

use super::Case;
use super::visa::{must, value};

/// Case number `index` of an edition.
pub fn case(edition: Edition, index: u64) -> Case {
    let mut noise = Noise::new(mix64(0xd9a5 ^ index << 1 ^ u64::from(edition == Edition::Newest)));
    let mut before = VISA.base_state();
    for field in (before.layout.fields)() {
        field.set(&mut before.small, noise.bits(field.width).min(field.max));
    }
    let (code, salt) = super::draw(&DPAS, edition, &mut before, &mut noise);
    for (row, bytes) in before.arena.chunks_exact_mut(ROW_BYTES).enumerate() {
        let class = &VISA.value_classes[usize::from(salt.class_of(bank::GRF, row))];
        for datum in bytes.chunks_exact_mut(class.datum_bytes) {
            let bits = match noise.below(4) {
                _ if !class.only.is_empty() => class.only[noise.below(class.only.len())],
                0 if !class.extra.is_empty() => class.extra[noise.below(class.extra.len())],
                1 => noise.word(),
                _ => value(class.formats[0], &mut noise),
            };
            datum.copy_from_slice(&bits.to_le_bytes()[..class.datum_bytes]);
        }
    }
    Case { instruction: &DPAS, edition, code, before }
}

/// A case whose code words, and sometimes small state, are noise in part.
pub fn broken_case(edition: Edition, index: u64) -> Case {
    let mut case = case(edition, index);
    let mut noise = Noise::new(mix64(0xbad ^ index));
    for _ in 0..noise.below(4) {
        let word = noise.below(case.code.len());
        case.code[word] ^= if noise.bits(1) == 0 { 1 << noise.below(32) } else { noise.bits(32) };
    }
    if noise.bits(1) == 0 {
        for field in (case.before.layout.fields)() {
            field.set(&mut case.before.small, noise.bits(field.width).min(field.max));
        }
    }
    case
}

/// Case number `index`, if the pages certainly promise what it gives.
pub fn promised_case(edition: Edition, index: u64) -> Option<Case> {
    let mut case = case(edition, index);
    let small = *Visa::new(&mut case.before).small;
    promised(&case.code, &small)?;
    Some(case)
}

/// Whether the pages promise a result under the models of the case.
fn promised(code: &[u32], small: &Small) -> Option<()> {
    let (channels, register): (usize, usize) = match (EXEC_SIZE.get(code), small.grf_size) {
        (3, 0) => (8, 32),
        (4, 1) => (16, 64),
        _ => return None,
    };
    must(EXEC_SIZE_BIT3.get(code) == 0 && EXEC_MASK.get(code) == M1_NM)?;
    must(DISPATCH_SIZES[small.dispatch_size as usize] as usize >= channels)?;
    let (depth, repeat) = (SD.get(code) as usize, RC.get(code) as usize);
    must(DEPTHS.contains(&SD.get(code)) && (depth == 8 || small.platform == PRE_XEHP))?;
    must((1..=8).contains(&repeat))?;

    let (w, a) = (Precision::of_code(W.get(code))?, Precision::of_code(A.get(code))?);
    let is_integer = |precision: Precision| precision <= Precision::S8;
    let types: &[DataType] = match (w, a) {
        (Bf, Bf) => &[DataType::F, DataType::Bf],
        (Hf, Hf) => &[DataType::F, DataType::Hf],
        (Tf32, Tf32) => &[DataType::F],
        _ if is_integer(w) && is_integer(a) => &[DataType::D, DataType::Ud],
        _ => return None,
    };
    must((w.bits() > 1 && a.bits() > 1) || small.model_one_bit() == OneBit::Code)?;
    let ops = match w.bits().max(a.bits()) {
        32 => 1,
        16 => 2,
        8 => 4,
        _ => 8,
    };

    // Where operands begin and end.
    let holds = |id: u32, offset: usize, bytes: usize, unit: usize| {
        let variable = small.variables.get(id.checked_sub(FIRST_GENERAL)? as usize)?;
        let data_type = DataType::of_code(variable.data_type.into());
        let end = usize::from(variable.num_elements) * data_type.bytes();
        let start = usize::from(variable.offset) + offset;
        must(offset + bytes <= end && usize::from(variable.offset) + end <= GRF_BYTES && start.is_multiple_of(unit))?;
        Some(data_type)
    };
    for (operand, is_destination) in [(DST, true), (SRC0, false)] {
        let id = operand.id.get(code);
        if is_destination || id != 0 {
            let variable = small.variables.get(id.checked_sub(FIRST_GENERAL)? as usize)?;
            let size = DataType::of_code(variable.data_type.into()).bytes();
            let offset = operand.offset.get(code) as usize;
            must(types.contains(&holds(id, offset, repeat * channels * size, register)?))?;
        }
    }
    let is_word = |data_type| matches!(data_type, DataType::D | DataType::Ud);
    let per_dword = 32 / (ops * w.bits() as usize);
    let bytes = depth.div_ceil(per_dword) * register;
    must(is_word(holds(SRC1.id.get(code), SRC1.offset.get(code) as usize, bytes, register)?))?;

    must(SRC2.class.get(code) == class::GENERAL && SRC2.modifiers.get(code) == 0 && SRC2.tag_rest.get(code) == 0)?;
    let region = [SRC2.vert_stride, SRC2.width, SRC2.horz_stride, SRC2.region_rest].map(|field| field.get(code));
    must(region == [0; 4] || region == [2, 2, 1, 0])?;
    let column = SRC2.col_offset.get(code) as usize * 4;
    must(column < register)?;
    let row_bits = depth * ops * a.bits() as usize;
    let pitch = if small.model_src2_pitch() == Src2Pitch::Prose { row_bits / depth * 8 } else { row_bits };
    let bytes = ((repeat - 1) * pitch + row_bits).div_ceil(32) * 4;
    let start = SRC2.row_offset.get(code) as usize * register + column;
    must(is_word(holds(SRC2.id.get(code), start, bytes, (row_bits / 8).max(4))?))
}
