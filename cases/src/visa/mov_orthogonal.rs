//! The orthogonal axes of `MOV`: where the operands lie, and which channels are enabled.
//!
//! An axis that is a field sets it. The others say what is wished for; where the
//! operands come to lie depends on their types, which the cell decides, so the wishes are granted afterwards, in
//! `mov_place`, which also writes the level back where a wish could not be granted. A level that has no place in a case
//! (a stride of an immediate) counts as it was drawn.

use tandem_isa::visa::operand::{
    self, DST, EXEC_MASK, EXEC_SIZE, EXEC_SIZES, MASK_OFFSETS, NO_MASK, OperandFields, PRED, REGION_CODES, RegionCode,
    SRC0, SRC0_CONST, class, combine, indirect_offset, region_code,
};
use tandem_isa::visa::{ADDRESS_ELEMENTS, DISPATCH_SIZES, GRF_BYTES, GRF_SIZES, NUM_ADDRESSES, NUM_PREDICATES};
use tandem_isa::{Axis, CodeField, Parts};

use super::case::{axis, wish};
use super::mov_axes::{dst_type, entry, narrow, peek, small, src_type};

/// The places of the axes in [`ORTHOGONAL`].
pub(super) mod at {
    use super::ORTHOGONAL;
    use crate::place;

    pub(in crate::visa) const EXEC_SIZE: usize = place(&ORTHOGONAL, "exec_size");
    pub(in crate::visa) const MASK: usize = place(&ORTHOGONAL, "mask");
    pub(in crate::visa) const DISPATCH_SIZE: usize = place(&ORTHOGONAL, "dispatch_size");
    pub(in crate::visa) const EM: usize = place(&ORTHOGONAL, "em");
    pub(in crate::visa) const PREDICATION: usize = place(&ORTHOGONAL, "predication");
    pub(in crate::visa) const PREDICATE_ELEMENTS: usize = place(&ORTHOGONAL, "predicate_elements");
    pub(in crate::visa) const PREDICATE_VALUE: usize = place(&ORTHOGONAL, "predicate_value");
    pub(in crate::visa) const SRC_CLASS: usize = place(&ORTHOGONAL, "src_class");
    pub(in crate::visa) const DST_STRIDE: usize = place(&ORTHOGONAL, "dst_stride");
    pub(in crate::visa) const SRC_REGION: usize = place(&ORTHOGONAL, "src_region");
    pub(in crate::visa) const SRC_VERT: usize = place(&ORTHOGONAL, "src_vert_stride");
    pub(in crate::visa) const SRC_WIDTH: usize = place(&ORTHOGONAL, "src_width");
    pub(in crate::visa) const SRC_HORZ: usize = place(&ORTHOGONAL, "src_horz_stride");
    pub(in crate::visa) const DST_VARIABLE: usize = place(&ORTHOGONAL, "dst_variable");
    pub(in crate::visa) const DST_ROW: usize = place(&ORTHOGONAL, "dst_row");
    pub(in crate::visa) const SRC_ROW: usize = place(&ORTHOGONAL, "src_row");
    pub(in crate::visa) const OVERLAP: usize = place(&ORTHOGONAL, "overlap");
    pub(in crate::visa) const ADDRESS_VARIABLE: usize = place(&ORTHOGONAL, "address_variable");
    pub(in crate::visa) const ADDRESS_ELEMENT: usize = place(&ORTHOGONAL, "address_element");
    pub(in crate::visa) const INDIRECT_OFFSET: usize = place(&ORTHOGONAL, "indirect_offset");
    pub(in crate::visa) const IMMEDIATE: usize = place(&ORTHOGONAL, "immediate");
    pub(in crate::visa) const IMMEDIATE_UPPER: usize = place(&ORTHOGONAL, "immediate_upper_bits");
    pub(in crate::visa) const BYSTANDERS: usize = place(&ORTHOGONAL, "bystanders");
    pub(in crate::visa) const REGION_RULE: usize = place(&ORTHOGONAL, "region_rule");
    pub(in crate::visa) const ENCODING_RULE: usize = place(&ORTHOGONAL, "encoding_rule");
}

const OFF_ON: &[&str] = &["0", "1"];

// ------------------------------------------------------------------------------------------------ reading a case

/// Channels of the execution size; 1 where the code has none.
pub(super) fn exec_size(parts: &Parts<'_>) -> u32 {
    EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(1)
}

/// The first channel that the mask control selects.
pub(super) fn mask_offset(parts: &Parts<'_>) -> u32 {
    MASK_OFFSETS[(EXEC_MASK.get(parts.code) & 7) as usize]
}

pub(super) fn grf_size(parts: &Parts<'_>) -> usize {
    GRF_SIZES[(peek(parts).grf_size & 1) as usize]
}

/// The elements that a stride or width code means; 0 where it means none.
pub(super) fn elements(code: u32) -> u32 {
    match REGION_CODES[(code & 15) as usize] {
        RegionCode::Elements(elements) => elements,
        RegionCode::Null | RegionCode::Unlisted => 0,
    }
}

fn set_elements(parts: &mut Parts<'_>, field: CodeField, count: u32) {
    field.set(parts.code, region_code(count).expect("a stride or width has a code"));
}

/// Which of `levels` a stride or width is; the first if none.
fn level_of(levels: &[u32], code: u32) -> usize {
    levels.iter().position(|&known| RegionCode::Elements(known) == REGION_CODES[code as usize]).unwrap_or(0)
}

/// All bits of the channels that the instruction selects, from bit 0 on.
pub(super) fn slice_mask(exec_size: u32) -> u32 {
    u32::MAX >> (32 - exec_size)
}

/// The patterns that a slice of a mask can have.
const PATTERNS: &[&str] = &["all", "none", "one", "all but one", "alternating", "any"];

fn pattern_level(parts: &Parts<'_>, value: u32) -> usize {
    let size = exec_size(parts);
    let mask = slice_mask(size);
    match (value >> mask_offset(parts)) & mask {
        bits if bits == mask => 0,
        0 => 1,
        bits if bits.is_power_of_two() => 2,
        bits if (mask ^ bits).is_power_of_two() => 3,
        bits if bits == 0x5555_5555 & mask || bits == 0xaaaa_aaaa & mask => 4,
        _ => 5,
    }
}

/// Where an operand lies: the bytes of its variable, and the first byte of its region.
struct Lying {
    offset: usize,
    bytes: usize,
    start: usize,
}

/// Where a general operand, or what a single address points to, lies.
fn lying(parts: &Parts<'_>, fields: &OperandFields, size: usize) -> Option<Lying> {
    let small = peek(parts);
    let of = |index: usize| {
        let variable = small.variables[index];
        let data_type = tandem_isa::visa::DataType::of_code(variable.data_type.into());
        (usize::from(variable.offset), usize::from(variable.num_elements) * data_type.bytes())
    };
    match fields.class.get(parts.code) {
        class::GENERAL => {
            let (offset, bytes) = of(entry(fields.id.get(parts.code)));
            let rows = fields.row_offset.get(parts.code) as usize * grf_size(parts);
            Some(Lying { offset, bytes, start: offset + rows + fields.col_offset.get(parts.code) as usize * size })
        }
        class::INDIRECT => {
            let addresses = small.addresses[fields.id.get(parts.code) as usize % NUM_ADDRESSES];
            let address = addresses[fields.addr_offset.get(parts.code) as usize % ADDRESS_ELEMENTS];
            let start = i32::from(address) + indirect_offset(fields, parts.code);
            let start = usize::try_from(start).ok()?;
            let inside = |&index: &usize| (of(index).0..of(index).0 + of(index).1).contains(&start);
            let (offset, bytes) = of((0..small.variables.len()).find(inside)?);
            Some(Lying { offset, bytes, start })
        }
        _ => None,
    }
}

/// The bytes from the first to the last element of a region.
pub(super) fn span(parts: &Parts<'_>, is_dst: bool) -> usize {
    let exec_size = exec_size(parts) as usize;
    let value = |code: u32| elements(code) as usize;
    let (last, size) = if is_dst {
        ((exec_size - 1) * value(DST.horz_stride.get(parts.code)), dst_type(parts).bytes())
    } else {
        let width = value(SRC0.width.get(parts.code)).clamp(1, exec_size);
        let rows = exec_size / width;
        let vert = value(SRC0.vert_stride.get(parts.code));
        ((rows - 1) * vert + (width - 1) * value(SRC0.horz_stride.get(parts.code)), src_type(parts).bytes())
    };
    (last + 1) * size
}

fn row_level(parts: &Parts<'_>, fields: &OperandFields) -> usize {
    match fields.row_offset.get(parts.code) {
        row @ 0..2 => row as usize,
        row => 2 + usize::from(row >= 8),
    }
}

fn column_level(parts: &Parts<'_>, is_dst: bool) -> usize {
    let (fields, size) = if is_dst { (&DST, dst_type(parts).bytes()) } else { (&SRC0, src_type(parts).bytes()) };
    let (register, span) = (grf_size(parts), span(parts, is_dst));
    let Some(lying) = lying(parts, fields, size) else { return 0 };
    let column = lying.start % register / size;
    let last = (register / size - 1).min((2 * register).saturating_sub(span) / size);
    match column {
        0 => 0,
        column if column == last => 1,
        column if column * size + span == register => 2,
        _ => 3,
    }
}

fn extent_level(parts: &Parts<'_>, is_dst: bool) -> usize {
    let (fields, size) = if is_dst { (&DST, dst_type(parts).bytes()) } else { (&SRC0, src_type(parts).bytes()) };
    let Some(lying) = lying(parts, fields, size) else { return 0 };
    match lying.bytes {
        bytes if bytes == lying.start - lying.offset + span(parts, is_dst) => 0,
        bytes if bytes % grf_size(parts) == 0 => 1,
        _ => 2,
    }
}

fn place_level(parts: &Parts<'_>, is_dst: bool) -> usize {
    let (fields, size) = if is_dst { (&DST, dst_type(parts).bytes()) } else { (&SRC0, src_type(parts).bytes()) };
    let Some(lying) = lying(parts, fields, size) else { return 0 };
    match lying.offset {
        0 => 0,
        offset if (offset + lying.bytes).next_multiple_of(grf_size(parts)) == GRF_BYTES => 1,
        _ => 2,
    }
}

/// How the bytes of the destination lie to those of the source.
pub(super) fn overlap_level(parts: &Parts<'_>) -> usize {
    let same_variable = DST.class.get(parts.code) == class::GENERAL
        && SRC0.class.get(parts.code) == class::GENERAL
        && DST.id.get(parts.code) == SRC0.id.get(parts.code);
    let dst = lying(parts, &DST, dst_type(parts).bytes());
    let src = lying(parts, &SRC0, src_type(parts).bytes());
    match (dst, src) {
        _ if same_variable => 4,
        (Some(dst), Some(src)) => {
            let (dst_end, src_end) = (dst.start + span(parts, true), src.start + span(parts, false));
            match dst.start.cmp(&src.start) {
                _ if dst_end <= src.start || src_end <= dst.start => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Less => 3,
            }
        }
        _ => 0,
    }
}

fn indirect_operand(parts: &Parts<'_>) -> Option<&'static OperandFields> {
    [&SRC0, &DST].into_iter().find(|fields| fields.class.get(parts.code) == class::INDIRECT)
}

/// The predicate that the predication control names; 0 to 3.
pub(super) fn predicate_entry(parts: &Parts<'_>) -> usize {
    (PRED.id.get(parts.code).wrapping_sub(1)) as usize % NUM_PREDICATES
}

// ------------------------------------------------------------------------------------------------ the axes

const VERT_LEVELS: [u32; 7] = [0, 1, 2, 4, 8, 16, 32];
const WIDTH_LEVELS: [u32; 5] = [1, 2, 4, 8, 16];
const HORZ_LEVELS: [u32; 4] = [1, 0, 2, 4];
const DST_STRIDES: [u32; 3] = [1, 2, 4];

const ROW_LEVELS: &[&str] = &["0", "1", "few", "many"];
const COLUMN_LEVELS: &[&str] = &["0", "last", "ends with a register", "any"];
const EXTENT_LEVELS: &[&str] = &["as needed", "whole registers", "roomy"];
const PLACE_LEVELS: &[&str] = &["first", "last", "any"];
const PLACE_WEIGHTS: &[u16] = &[1, 1, 4];

/// The orthogonal axes, in the order in which they are set.
pub(super) static ORTHOGONAL: [Axis; 36] = [
    axis(
        "exec_size",
        &["1", "2", "4", "8", "16", "32"],
        &[1, 1, 1, 2, 3, 2],
        |parts, level, _| EXEC_SIZE.set(parts.code, narrow(level)),
        |parts| exec_size(parts).trailing_zeros() as usize,
    ),
    axis(
        "mask",
        &["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8"],
        &[3, 1, 1, 1, 1, 1, 1, 1],
        |parts, level, _| {
            let no_mask = EXEC_MASK.get(parts.code) & NO_MASK;
            EXEC_MASK.set(parts.code, no_mask | narrow(level));
        },
        |parts| (EXEC_MASK.get(parts.code) & 7) as usize,
    ),
    axis(
        "no_mask",
        OFF_ON,
        &[3, 1],
        |parts, level, _| {
            let mask = EXEC_MASK.get(parts.code) & 7;
            EXEC_MASK.set(parts.code, mask | (NO_MASK * narrow(level)));
        },
        |parts| usize::from(EXEC_MASK.get(parts.code) & NO_MASK != 0),
    ),
    axis(
        "dispatch_size",
        &["32", "16", "8"],
        &[3, 2, 1],
        |parts, level, _| small(parts).dispatch_size = narrow(DISPATCH_SIZES.len() - 1 - level),
        |parts| 2 - (peek(parts).dispatch_size as usize).min(2),
    ),
    wish("em", PATTERNS, &[6, 1, 2, 2, 2, 4], |parts| pattern_level(parts, peek(parts).em)),
    axis(
        "predication",
        &["none", "sequential", "any", "all"],
        &[4, 4, 2, 2],
        |parts, level, _| {
            let (id, code) = [(0, 0), (1, combine::SEQUENTIAL), (1, combine::ANY), (1, combine::ALL)][level];
            PRED.id.set(parts.code, id);
            PRED.combine.set(parts.code, code);
        },
        |parts| match (PRED.id.get(parts.code), PRED.combine.get(parts.code)) {
            (0, _) => 0,
            (_, code) => 1 + (code as usize).min(2),
        },
    ),
    axis(
        "predicate_inverse",
        OFF_ON,
        &[2, 1],
        |parts, level, _| {
            let on = PRED.id.get(parts.code) != 0 && level != 0;
            PRED.inverse.set(parts.code, u32::from(on));
        },
        |parts| PRED.inverse.get(parts.code) as usize,
    ),
    axis(
        "predicate",
        &["P1", "P2", "P3", "P4"],
        &[],
        |parts, level, _| {
            if PRED.id.get(parts.code) != 0 {
                PRED.id.set(parts.code, 1 + narrow(level));
            }
        },
        predicate_entry,
    ),
    wish("predicate_elements", &["32", "as needed", "too few"], &[60, 60, 2], |parts| {
        let count = 1 << peek(parts).predicates[predicate_entry(parts)].log2_num_elements.min(5);
        let needed = mask_offset(parts) + exec_size(parts);
        if count < needed { 2 } else { usize::from(count != 32) }
    }),
    wish("predicate_value", PATTERNS, &[2, 1, 2, 2, 2, 5], |parts| {
        pattern_level(parts, peek(parts).predicates[predicate_entry(parts)].value)
    }),
    axis(
        "grf_size",
        &["32", "64"],
        &[],
        |parts, level, _| small(parts).grf_size = narrow(level),
        |parts| usize::from(grf_size(parts) == 64),
    ),
    axis(
        "dst_class",
        &["general", "indirect"],
        &[3, 1],
        |parts, level, _| {
            let code = [class::GENERAL, class::INDIRECT][level];
            DST.class.set(parts.code, code);
        },
        |parts| usize::from(DST.class.get(parts.code) == class::INDIRECT),
    ),
    axis(
        "src_class",
        &["general", "indirect, one address", "indirect, an address a row", "immediate"],
        &[8, 3, 2, 5],
        |parts, level, _| {
            let code = [class::GENERAL, class::INDIRECT, class::INDIRECT, class::IMMEDIATE][level];
            SRC0.class.set(parts.code, code);
        },
        |parts| match SRC0.class.get(parts.code) {
            class::INDIRECT => 1 + usize::from(SRC0.vert_stride.get(parts.code) == operand::NULL),
            class::IMMEDIATE => 3,
            _ => 0,
        },
    ),
    axis(
        "dst_stride",
        &["1", "2", "4"],
        &[3, 1, 1],
        |parts, level, _| set_elements(parts, DST.horz_stride, DST_STRIDES[level]),
        |parts| level_of(&DST_STRIDES, DST.horz_stride.get(parts.code)),
    ),
    wish("src_region", &["free", "contiguous", "one element"], &[6, 4, 1], |parts| {
        let [vert, width, horz] =
            [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].map(|field| elements(field.get(parts.code)));
        match (vert, width, horz) {
            (0, 1, 0) => 2,
            _ if vert == width && (horz == 1 || width == 1) => 1,
            _ => 0,
        }
    }),
    axis(
        "src_vert_stride",
        &["0", "1", "2", "4", "8", "16", "32"],
        &[],
        |parts, level, _| set_elements(parts, SRC0.vert_stride, VERT_LEVELS[level]),
        |parts| level_of(&VERT_LEVELS, SRC0.vert_stride.get(parts.code)),
    ),
    axis(
        "src_width",
        &["1", "2", "4", "8", "16"],
        &[],
        |parts, level, _| set_elements(parts, SRC0.width, WIDTH_LEVELS[level]),
        |parts| level_of(&WIDTH_LEVELS, SRC0.width.get(parts.code)),
    ),
    axis(
        "src_horz_stride",
        &["1", "0", "2", "4"],
        &[],
        |parts, level, _| set_elements(parts, SRC0.horz_stride, HORZ_LEVELS[level]),
        |parts| level_of(&HORZ_LEVELS, SRC0.horz_stride.get(parts.code)),
    ),
    axis(
        "dst_variable",
        &["V32", "V33", "V34", "V35"],
        &[],
        |parts, level, noise| {
            DST.id.set(parts.code, tandem_isa::visa::FIRST_GENERAL + narrow(level));
            let other = (level + 1 + noise.below(3)) % 4;
            SRC0.id.set(parts.code, tandem_isa::visa::FIRST_GENERAL + narrow(other));
        },
        |parts| entry(DST.id.get(parts.code)),
    ),
    wish("dst_row", ROW_LEVELS, &[3, 2, 2, 1], |parts| row_level(parts, &DST)),
    wish("dst_column", COLUMN_LEVELS, &[2, 2, 1, 3], |parts| column_level(parts, true)),
    wish("dst_extent", EXTENT_LEVELS, &[], |parts| extent_level(parts, true)),
    wish("dst_place", PLACE_LEVELS, PLACE_WEIGHTS, |parts| place_level(parts, true)),
    wish("src_row", ROW_LEVELS, &[3, 2, 2, 1], |parts| row_level(parts, &SRC0)),
    wish("src_column", COLUMN_LEVELS, &[2, 2, 1, 3], |parts| column_level(parts, false)),
    wish("src_extent", EXTENT_LEVELS, &[], |parts| extent_level(parts, false)),
    wish("src_place", PLACE_LEVELS, PLACE_WEIGHTS, |parts| place_level(parts, false)),
    wish(
        "overlap",
        &["none", "same start", "destination above", "destination below", "same variable"],
        &[6, 1, 1, 1, 1],
        overlap_level,
    ),
    wish("address_variable", &["A0", "A1"], &[], |parts| {
        indirect_operand(parts).map_or(0, |fields| fields.id.get(parts.code) as usize % NUM_ADDRESSES)
    }),
    wish("address_element", &["0", "last", "any"], &[2, 1, 2], |parts| {
        let rows = if SRC0.vert_stride.get(parts.code) == operand::NULL {
            exec_size(parts) / elements(SRC0.width.get(parts.code)).clamp(1, exec_size(parts))
        } else {
            1
        };
        indirect_operand(parts).map_or(0, |fields| match fields.addr_offset.get(parts.code) {
            0 => 0,
            first if first + rows == narrow(ADDRESS_ELEMENTS) => 1,
            _ => 2,
        })
    }),
    wish("indirect_offset", &["0", "positive", "negative", "least", "greatest"], &[2, 2, 2, 1, 1], |parts| {
        indirect_operand(parts).map_or(0, |fields| match indirect_offset(fields, parts.code) {
            0 => 0,
            ..=-512 => 3,
            504.. => 4,
            1.. => 1,
            _ => 2,
        })
    }),
    wish("immediate", &["zero", "one", "corner", "any"], &[1, 1, 4, 3], |parts| {
        match (SRC0_CONST.low.get(parts.code), SRC0_CONST.high.get(parts.code)) {
            (0, 0) => 0,
            (1, 0) => 1,
            _ => 3,
        }
    }),
    wish("immediate_upper_bits", &["zero", "sign", "any"], &[], |parts| {
        let bits = src_type(parts).bits().min(32);
        match SRC0_CONST.low.get(parts.code).checked_shr(bits).unwrap_or(0) {
            0 => 0,
            upper if upper == u32::MAX >> bits => 1,
            _ => 2,
        }
    }),
    wish("bystanders", &["background", "fresh"], &[], |_| 0),
    wish(
        "region_rule",
        &[
            "kept",
            "width above execution size",
            "more than two registers",
            "source out of bounds",
            "destination out of bounds",
            "destination stride 0",
            "column offset beyond a register",
            "misaligned address",
            "address outside every variable",
            "indirect offset out of range",
            "stride or width without a meaning",
        ],
        &[118, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        |_| 0,
    ),
    wish(
        "encoding_rule",
        &[
            "kept",
            "execution size",
            "mask",
            "predication control",
            "P0 with control bits",
            "modifier",
            "operand class",
            "undeclared variable",
            "unnamed bits",
        ],
        &[120, 1, 1, 1, 1, 1, 1, 1, 1],
        |_| 0,
    ),
];
