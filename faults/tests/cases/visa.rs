//! Cases of vISA instructions.

use std::ops::Range;

use tandem_cases::visa::{MOV, VISA};
use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, INDIRECT_OFFSETS, LEGAL_HORZ_STRIDES, LEGAL_VERT_STRIDES,
    LEGAL_WIDTHS, MASK_OFFSETS, NULL, OperandFields, PRED, REGION_CODES, RegionCode, SRC0, SRC0_CONST, SRC0_PREDICATE,
    class, combine, indirect_offset, modifier,
};
use tandem_isa::visa::{
    DISPATCH_SIZES, DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES, Small, TypeKind, Visa, XEHP, bank, cr0,
};
use tandem_isa::{Edition, Format, Noise, mix64};

use super::Case;

// ------------------------------------------------------------------------------------------------ drawing

/// Case number `index` of an edition.
pub fn case(edition: Edition, index: u64) -> Case {
    let mut noise = Noise::new(mix64(0x715a ^ index << 1 ^ u64::from(edition == Edition::Newest)));
    let mut before = VISA.base_state();
    for field in (before.layout.fields)() {
        field.set(&mut before.small, noise.bits(field.width).min(field.max));
    }
    let (code, salt) = super::draw(&MOV, edition, &mut before, &mut noise);
    let class = &VISA.value_classes[usize::from(salt.class[bank::GRF])];
    for element in before.arena.chunks_exact_mut(class.datum_bytes) {
        let value = match noise.below(4) {
            0 if !class.extra.is_empty() => class.extra[noise.word() as usize % class.extra.len()],
            1 => noise.word(),
            _ => value(class.formats[0], &mut noise),
        };
        element.copy_from_slice(&value.to_le_bytes()[..class.datum_bytes]);
    }
    Case { instruction: &MOV, edition, code, before }
}

/// A value that is likely to have a special exponent or mantissa, or to be near a bound.
pub(super) fn value(format: &Format, noise: &mut Noise) -> u64 {
    let ones = |width: u32| if width == 0 { 0 } else { u64::MAX >> (64 - width) };
    let mantissa_bits = format.mantissa_bits();
    let mantissa = match noise.below(8) {
        0 => 0,
        1 => 1 << noise.below(mantissa_bits as usize),
        2 => ones(mantissa_bits) << noise.below(mantissa_bits as usize),
        3 => ones(noise.below(mantissa_bits as usize) as u32),
        4 | 5 if !format.narrowings.is_empty() => {
            // Halfway between two values of a narrower type, or beside it.
            let dropped = format.narrowings[noise.below(format.narrowings.len())];
            (noise.word() << dropped | 1 << (dropped - 1)).wrapping_add(noise.word() % 3).wrapping_sub(1)
        }
        _ => noise.word(),
    };
    let exponent = format.exponent.map_or(0, |piece| {
        let middle = ones(piece.width - 1);
        let field = match noise.below(8) {
            0 | 1 => 0,
            2 => ones(piece.width) - noise.word() % 2,
            3 | 4 => middle.wrapping_add(noise.word() % 40).wrapping_sub(20),
            _ => noise.word(),
        };
        (field & ones(piece.width)) << piece.shift
    });
    let sign = format.sign.map_or(0, |bit| u64::from(noise.bits(1)) << bit);
    sign | exponent | (mantissa & ones(mantissa_bits))
}

/// Case number `index` with a few code bits that are anything, and sometimes with a small state that is anything.
pub fn broken_case(edition: Edition, index: u64) -> Case {
    let mut case = case(edition, index);
    let mut noise = Noise::new(mix64(0xb40ce ^ index));
    for _ in 0..noise.below(8) {
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
    promised(&mut case).then_some(case)
}

// ------------------------------------------------------------------------------------------------ what is promised

/// Whether the pages promise a result; where they can be read in two ways, no.
fn promised(case: &mut Case) -> bool {
    View { code: &case.code, small: Visa::new(&mut case.before).small }.promised().is_some()
}

struct View<'a> {
    code: &'a [u32],
    small: &'a Small,
}

pub(super) fn must(condition: bool) -> Option<()> {
    condition.then_some(())
}

impl View<'_> {
    fn promised(&self) -> Option<()> {
        let code = self.code;
        let exec_size = EXEC_SIZES[EXEC_SIZE.get(code) as usize]?;
        must(EXEC_SIZE_BIT3.get(code) == 0)?;
        let offset = MASK_OFFSETS[EXEC_MASK.get(code) as usize % 8];
        must(offset.is_multiple_of(exec_size))?;
        must(offset + exec_size <= DISPATCH_SIZES[self.small.dispatch_size as usize])?;
        self.predication(offset + exec_size)?;

        must(matches!(DST.class.get(code), class::GENERAL | class::INDIRECT))?;
        must(matches!(DST.modifiers.get(code), modifier::NONE | modifier::SAT))?;
        let to = self.vector(&DST, exec_size, true)?;
        must(TypeKind::Bool != to.kind() && TypeKind::Packed != to.kind())?;
        let saturate = DST.modifiers.get(code) == modifier::SAT;
        match SRC0.class.get(code) {
            class::PREDICATE => self.predicate_source(to, exec_size, saturate),
            class::IMMEDIATE => {
                must(SRC0.modifiers.get(code) == modifier::NONE && SRC0.tag_rest.get(code) == 0)?;
                must(SRC0_CONST.type_rest.get(code) == 0)?;
                let from = DataType::of_code(SRC0_CONST.data_type.get(code));
                self.types(from, to, saturate, false)
            }
            class::GENERAL | class::INDIRECT => {
                let modifiers = SRC0.modifiers.get(code);
                must(modifiers <= modifier::NEG_ABS)?;
                let from = self.vector(&SRC0, exec_size, false)?;
                self.types(from, to, saturate, modifiers != modifier::NONE)
            }
            _ => None,
        }
    }

    fn predication(&self, end: u32) -> Option<()> {
        let code = self.code;
        let id = PRED.id.get(code);
        must(PRED.reserved.get(code) == 0 && PRED.combine.get(code) != combine::RESERVED)?;
        if id == 0 {
            return must(PRED.combine.get(code) == 0 && PRED.inverse.get(code) == 0);
        }
        let predicate = self.small.predicates.get(id as usize - 1)?;
        must(end <= 1 << predicate.log2_num_elements)
    }

    fn predicate_source(&self, to: DataType, exec_size: u32, saturate: bool) -> Option<()> {
        let code = self.code;
        let fields = &SRC0_PREDICATE;
        must(exec_size == 1 && !saturate && PRED.id.get(code) == 0)?;
        must(MASK_OFFSETS[EXEC_MASK.get(code) as usize % 8] == 0)?;
        must(SRC0.modifiers.get(code) == modifier::NONE && SRC0.tag_rest.get(code) == 0)?;
        must(fields.reserved.get(code) | fields.combine.get(code) | fields.inverse.get(code) == 0)?;
        let index = fields.id.get(code).checked_sub(1)?;
        let predicate = self.small.predicates.get(index as usize)?;
        must(matches!(to, DataType::Ub | DataType::Uw | DataType::Ud))?;
        must(to.bits() >= 1 << predicate.log2_num_elements)
    }

    fn types(&self, from: DataType, to: DataType, saturate: bool, modified: bool) -> Option<()> {
        let in_first_map = |data_type: DataType| {
            data_type != DataType::Bf && !matches!(data_type.kind(), TypeKind::Bool | TypeKind::Packed)
        };
        let in_second_map = |data_type: DataType| matches!(data_type, DataType::F | DataType::Bf);
        let to_or_from_bf = self.small.platform == XEHP && in_second_map(from) && in_second_map(to);
        must((in_first_map(from) && in_first_map(to)) || to_or_from_bf)?;
        must(!(saturate && to == DataType::Bf))?;
        let raw = from == to && !saturate && !modified;
        let nearest_only = (from.kind() != TypeKind::Float && to.kind() == TypeKind::Float)
            || (to == DataType::Bf && from == DataType::F);
        let mode = self.small.cr0 >> cr0::ROUNDING_SHIFT & 3;
        must(raw || !nearest_only || mode == cr0::RTNE)
    }

    /// The type of a general or indirect operand whose region is right and lies in one variable.
    fn vector(&self, fields: &OperandFields, exec_size: u32, is_destination: bool) -> Option<DataType> {
        let code = self.code;
        must(fields.tag_rest.get(code) == 0 && fields.region_rest.get(code) == 0)?;
        let elements = |region_code: u32| match REGION_CODES[region_code as usize] {
            RegionCode::Elements(count) => Some(count),
            _ => None,
        };
        let horz_stride = elements(fields.horz_stride.get(code))?;
        must(LEGAL_HORZ_STRIDES.contains(&horz_stride))?;
        let is_indirect = fields.class.get(code) == class::INDIRECT;
        let (mut vert_stride, mut width, mut several) = (0, exec_size, false);
        if is_destination {
            must(horz_stride != 0)?;
        } else {
            several = is_indirect && fields.vert_stride.get(code) == NULL;
            width = elements(fields.width.get(code))?;
            must(LEGAL_WIDTHS.contains(&width) && width <= exec_size)?;
            if !several {
                vert_stride = elements(fields.vert_stride.get(code))?;
                must(LEGAL_VERT_STRIDES.contains(&vert_stride))?;
            }
        }

        let grf_size = GRF_SIZES[self.small.grf_size as usize];
        let (data_type, origins) = if is_indirect {
            must(fields.properties_rest.get(code) == 0)?;
            let variable = self.small.addresses.get(fields.id.get(code) as usize)?;
            let first = fields.addr_offset.get(code) as usize;
            let count = if several { exec_size / width } else { 1 } as usize;
            let offset = indirect_offset(fields, code);
            must(INDIRECT_OFFSETS.contains(&offset))?;
            let addresses = variable.get(first..first + count)?;
            let origins: Vec<i64> = addresses.iter().map(|&address| i64::from(address) + i64::from(offset)).collect();
            (DataType::of_code(fields.data_type.get(code)), origins)
        } else {
            let variable = self.small.variables.get(fields.id.get(code).checked_sub(FIRST_GENERAL)? as usize)?;
            let data_type = DataType::of_code(u32::from(variable.data_type));
            let (row, column) = (fields.row_offset.get(code) as usize, fields.col_offset.get(code) as usize);
            must(column < grf_size / data_type.bytes())?;
            let start = usize::from(variable.offset) + row * grf_size + column * data_type.bytes();
            (data_type, vec![start as i64])
        };

        let size = data_type.bytes();
        let variables = self.variables();
        let mut registers = Vec::new();
        for lane in 0..exec_size {
            let (row, column) = (lane / width, lane % width);
            let origin = origins[if several { row as usize } else { 0 }];
            let index = row * vert_stride + column * horz_stride;
            let start = usize::try_from(origin + i64::from(index) * size as i64).ok()?;
            must(start.is_multiple_of(size))?;
            let holds = |variable: &Range<usize>| variable.start <= start && start + size <= variable.end;
            if is_indirect {
                must(variables.iter().any(holds))?;
            } else {
                let own = (fields.id.get(code) - FIRST_GENERAL) as usize;
                must(holds(&variables[own]))?;
            }
            if !several || column == 0 {
                registers.push(start / grf_size);
            }
        }
        let (first, last) = (registers.iter().min()?, registers.iter().max()?);
        must(several || last - first <= 1)?;
        Some(data_type)
    }

    /// The bytes of each declared variable.
    fn variables(&self) -> Vec<Range<usize>> {
        let bytes = self.small.variables.iter().map(|variable| {
            let start = usize::from(variable.offset);
            let size = DataType::of_code(u32::from(variable.data_type)).bytes() * usize::from(variable.num_elements);
            start..(start + size).min(GRF_BYTES)
        });
        bytes.collect()
    }
}
