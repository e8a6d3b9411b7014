//! Giving the operands of a `MOV` case variables, addresses and offsets.
//!
//! See `mov_place`.

use tandem_isa::visa::operand::{DST, OperandFields, SRC0, class};
use tandem_isa::visa::{ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, NUM_GENERAL, NUM_PREDICATES, ROW_BYTES};
use tandem_isa::{Levels, Noise, Parts};

use super::mov_axes::{any_type, dst_type, entry, narrow, small, src_type};
use super::mov_orthogonal::at;
use super::mov_place::{Shape, Source};

/// Most bytes of a variable: less than 4 KiB.
const MOST_BYTES: usize = 4095;

/// Where an operand came to lie, in bytes of the GRF file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Place in the table of variables.
    pub variable: usize,
    /// First byte of the variable.
    pub offset: usize,
    /// Its bytes.
    pub bytes: usize,
    /// First byte of the region.
    pub start: usize,
}

/// A column of a register at which a region of `span` bytes begins and ends within two registers.
fn column(level: u8, (span, size, register): (usize, usize, usize), noise: &mut Noise) -> usize {
    let last = (register / size - 1).min((2 * register - span) / size);
    match level {
        0 => 0,
        1 => last,
        2 if span <= register => (register - span) / size,
        _ => noise.below(last + 1),
    }
}

/// The size of a variable that needs `need` bytes, in bytes; a multiple of `size`.
fn extent(level: u8, need: usize, (size, register): (usize, usize), noise: &mut Noise) -> usize {
    let most = MOST_BYTES / size * size;
    match level {
        0 => need,
        1 => need.next_multiple_of(register),
        _ => need + size * (1 + noise.below(64)),
    }
    .min(most)
}

/// Where a variable begins: at a register if it is as large as one, else within one.
fn offset(level: u8, bytes: usize, (size, register): (usize, usize), noise: &mut Noise) -> usize {
    let registers = (GRF_BYTES - bytes.next_multiple_of(register)) / register;
    let first = match level {
        0 => 0,
        1 => registers,
        _ => noise.below(registers + 1),
    };
    let slots = if bytes >= register { 0 } else { (register - bytes) / size };
    let slot = match level {
        0 => 0,
        1 => slots,
        _ => noise.below(slots + 1),
    };
    first * register + slot * size
}

/// Declares a variable of at least `bytes` bytes; its type stays, unless variables cannot have it.
fn declare(parts: &mut Parts<'_>, variable: usize, data_type: DataType, offset: usize, bytes: usize) {
    let declared = &mut small(parts).variables[variable];
    declared.data_type = data_type.code() as u16;
    declared.num_elements = bytes.div_ceil(data_type.bytes()) as u16;
    declared.offset = offset as u16;
}

/// Rows before the region, as the level asks.
fn rows_before(level: u8, most: usize, noise: &mut Noise) -> usize {
    match level {
        0 => 0,
        1 => 1,
        2 => 2 + noise.below(6),
        _ => 8 + noise.below(most - 7),
    }
}

/// Gives a general operand a variable and a place in it.
fn place_general(
    parts: &mut Parts<'_>,
    fields: &OperandFields,
    (span, data_type, register): (usize, DataType, usize),
    wish: [u8; 4],
    noise: &mut Noise,
) -> Placed {
    let [row, col, wide, place] = wish;
    let size = data_type.bytes();
    let col = column(col, (span, size, register), noise);
    let most_rows = (MOST_BYTES / size * size - col * size - span) / register;
    let row = rows_before(row, most_rows, noise);
    let lead = row * register + col * size;
    let bytes = extent(wide, lead + span, (size, register), noise);
    let offset = offset(place, bytes, (size, register), noise);
    let variable = entry(fields.id.get(parts.code));
    fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    fields.row_offset.set(parts.code, narrow(row));
    fields.col_offset.set(parts.code, narrow(col));
    fields.indirect_offset.set(parts.code, 0);
    declare(parts, variable, data_type, offset, bytes);
    Placed { variable, offset, bytes, start: offset + lead }
}

/// The byte offset that an indirect operand adds to its address.
fn displacement(level: u8, size: usize, noise: &mut Noise) -> i32 {
    let size = size as i32;
    let steps = noise.below((511 / size) as usize) as i32 + 1;
    match level {
        0 => 0,
        1 => size * steps,
        2 => -size * steps,
        3 => -512,
        _ => 511 / size * size,
    }
}

/// The wishes for an indirect operand.
struct Indirection {
    address_variable: usize,
    element: u8,
    addresses: usize,
    displacement: i32,
}

impl Indirection {
    /// Writes the operand's fields, but not its address; returns the first element of the address variable.
    fn store(&self, parts: &mut Parts<'_>, fields: &OperandFields, noise: &mut Noise) -> usize {
        let last = ADDRESS_ELEMENTS - self.addresses;
        let first = match self.element {
            0 => 0,
            1 => last,
            _ => noise.below(last + 1),
        };
        fields.id.set(parts.code, narrow(self.address_variable));
        fields.addr_offset.set(parts.code, narrow(first));
        fields.indirect_offset.set(parts.code, self.displacement.cast_unsigned());
        fields.row_offset.set(parts.code, 0);
        fields.col_offset.set(parts.code, 0);
        first
    }

    /// Bytes that must lie before the region, so that the address is in the variable too, and bytes behind its start.
    fn margins(&self, register: usize) -> (usize, usize) {
        let before = usize::try_from(self.displacement).unwrap_or(0).next_multiple_of(register);
        (before, usize::try_from(-self.displacement).unwrap_or(0))
    }

    fn address(&self, start: usize) -> u16 {
        (start as i32 - self.displacement) as u16
    }
}

/// Gives an indirect operand a variable, addresses into it, and a place in it. The first region begins at `at_start` if
/// that is given.
fn place_indirect(
    parts: &mut Parts<'_>,
    fields: &OperandFields,
    variable: usize,
    (span, size, register): (usize, usize, usize),
    indirection: &Indirection,
    wish: [u8; 4],
    noise: &mut Noise,
) -> Placed {
    let [row, col, wide, place] = wish;
    let (before, behind) = indirection.margins(register);
    let col = column(col, (span, size, register), noise) * size;
    let lead = before + rows_before(row.min(2), 8, noise) * register + col;
    let need = (lead + span).max(lead + behind + size).max(register);
    // Each further row begins somewhere behind the first one.
    let more = if indirection.addresses > 1 { register * (1 + noise.below(8)) } else { 0 };
    let data_type = any_type(noise);
    let unit = data_type.bytes().max(size);
    let bytes = extent(wide, (need + more).next_multiple_of(unit), (unit, register), noise);
    let offset = offset(place, bytes, (unit, register), noise);
    declare(parts, variable, data_type, offset, bytes);
    let first = indirection.store(parts, fields, noise);
    let start = offset + lead;
    for element in 0..indirection.addresses {
        let mut begin = start + if element == 0 { 0 } else { noise.below(more / size + 1) * size };
        if begin % register + span > 2 * register {
            begin -= begin % register;
        }
        small(parts).addresses[indirection.address_variable][first + element] = indirection.address(begin);
    }
    Placed { variable, offset, bytes, start }
}

/// Gives the source its place; an immediate or a predicate has none.
pub(super) fn place_source(parts: &mut Parts<'_>, shape: &Shape, levels: &Levels, noise: &mut Noise) -> Option<Placed> {
    let wish: [u8; 4] = levels[at::SRC_ROW..at::SRC_ROW + 4].try_into().expect("four axes");
    let register = shape.register;
    match shape.source {
        Source::General => {
            let data_type = src_type(parts);
            Some(place_general(parts, &SRC0, (shape.src_span(), data_type, register), wish, noise))
        }
        Source::OneAddress | Source::AddressPerRow => {
            let dst = usize::from(levels[at::DST_VARIABLE]);
            let variable = (dst + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
            let indirection = Indirection {
                address_variable: usize::from(levels[at::ADDRESS_VARIABLE]),
                element: levels[at::ADDRESS_ELEMENT],
                addresses: if shape.source == Source::AddressPerRow { shape.rows() } else { 1 },
                displacement: displacement(levels[at::INDIRECT_OFFSET], shape.src_size, noise),
            };
            let room = (shape.src_span(), shape.src_size, register);
            Some(place_indirect(parts, &SRC0, variable, room, &indirection, wish, noise))
        }
        Source::Immediate | Source::Predicate => {
            for field in [SRC0.row_offset, SRC0.col_offset, SRC0.addr_offset, SRC0.indirect_offset] {
                field.set(parts.code, 0);
            }
            None
        }
    }
}

/// Gives the destination its place.
pub(super) fn place_dst(
    parts: &mut Parts<'_>,
    shape: &Shape,
    src: Option<Placed>,
    levels: &mut Levels,
    noise: &mut Noise,
) -> Placed {
    if DST.class.get(parts.code) == class::PREDICATE {
        return place_predicate_dst(parts, src, noise);
    }
    if let (Some(src), 1..) = (src, levels[at::OVERLAP]) {
        return place_over(parts, shape, src, levels, noise);
    }
    let wish: [u8; 4] = levels[at::DST_ROW..at::DST_ROW + 4].try_into().expect("four axes");
    if shape.dst_is_indirect {
        let used = src.map(|src| src.variable);
        let wished = usize::from(levels[at::DST_VARIABLE]);
        let variable = if used == Some(wished) { (wished + 1) % NUM_GENERAL } else { wished };
        let room = (shape.dst_span(), shape.dst_size, shape.register);
        let indirection = dst_indirection(shape, levels, noise);
        place_indirect(parts, &DST, variable, room, &indirection, wish, noise)
    } else {
        let data_type = dst_type(parts);
        place_general(parts, &DST, (shape.dst_span(), data_type, shape.register), wish, noise)
    }
}

/// A predicate variable as destination, which no page allows: it lies nowhere, and a variable beside it stands in.
fn place_predicate_dst(parts: &mut Parts<'_>, src: Option<Placed>, noise: &mut Noise) -> Placed {
    let variable = src.map_or(0, |src| (src.variable + 1) % NUM_GENERAL);
    declare(parts, variable, DataType::Ud, 0, ROW_BYTES);
    let id = 1 + narrow(noise.below(NUM_PREDICATES));
    DST.id.set(parts.code, id);
    Placed { variable, offset: 0, bytes: ROW_BYTES, start: 0 }
}

/// The destination's indirection; with two indirect operands it uses the other address variable.
fn dst_indirection(shape: &Shape, levels: &Levels, noise: &mut Noise) -> Indirection {
    let is_second = matches!(shape.source, Source::OneAddress | Source::AddressPerRow);
    Indirection {
        address_variable: usize::from(levels[at::ADDRESS_VARIABLE]) ^ usize::from(is_second),
        element: levels[at::ADDRESS_ELEMENT],
        addresses: 1,
        displacement: displacement(levels[at::INDIRECT_OFFSET], shape.dst_size, noise),
    }
}

/// Places the destination so that it shares bytes with the source.
fn place_over(parts: &mut Parts<'_>, shape: &Shape, src: Placed, levels: &mut Levels, noise: &mut Noise) -> Placed {
    let (size, span, register) = (shape.dst_size, shape.dst_span(), shape.register);
    let by = size * (1 + noise.below(4));
    let start = match levels[at::OVERLAP] {
        2 => src.start + by,
        3 => src.start.saturating_sub(by),
        _ => src.start,
    };
    let mut first = start / register * register;
    while first + 2 * register > GRF_BYTES {
        first -= register;
    }
    let last = (register / size - 1).min((2 * register - span) / size);
    let column = ((start - first) / size).min(last);
    let start = first + column * size;
    let data_type = dst_type(parts);
    if shape.dst_is_indirect {
        return place_indirect_over(parts, shape, (src, start), levels, noise);
    }
    let is_shared = levels[at::OVERLAP] == 4
        && shape.source == Source::General
        && data_type == src_type(parts)
        && (src.offset / register * register..src.offset + MOST_BYTES - span).contains(&start);
    let (variable, offset) = if is_shared {
        DST.id.set(parts.code, SRC0.id.get(parts.code));
        // The variable grows to whole registers, so that it may begin where a register does.
        (src.variable, src.offset / register * register)
    } else {
        (entry(DST.id.get(parts.code)), first)
    };
    DST.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    DST.indirect_offset.set(parts.code, 0);
    if is_shared && src.offset != offset {
        // The source lay in a small variable within one register: its column counts from the register now.
        let column = (src.start - offset) / size;
        SRC0.col_offset.set(parts.code, narrow(column));
    }
    let start = start.max(offset + start % register);
    DST.row_offset.set(parts.code, narrow((start - offset) / register));
    DST.col_offset.set(parts.code, narrow(start % register / size));
    let need = start + span - offset;
    let need = if is_shared { need.max(src.start + shape.src_span() - offset).max(register) } else { need };
    let bytes = need.max(if is_shared { src.bytes.min(GRF_BYTES - offset) } else { 0 });
    declare(parts, variable, data_type, offset, bytes);
    levels[at::OVERLAP] = if is_shared { 4 } else { overlap_of(src, shape, start) };
    Placed { variable, offset, bytes, start }
}

/// Where the destination begins relative to the source, which it overlaps.
fn overlap_of(src: Placed, shape: &Shape, start: usize) -> u8 {
    match start.cmp(&src.start) {
        _ if start + shape.dst_span() <= src.start || src.start + shape.src_span() <= start => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Less => 3,
    }
}

/// Places an indirect destination at `start`, in a variable of its own that lies over the source's.
fn place_indirect_over(
    parts: &mut Parts<'_>,
    shape: &Shape,
    (src, start): (Placed, usize),
    levels: &mut Levels,
    noise: &mut Noise,
) -> Placed {
    let mut indirection = dst_indirection(shape, levels, noise);
    let register = shape.register;
    let (before, behind) = indirection.margins(register);
    let first = start / register * register;
    let fits = before <= first && start + behind + shape.dst_size <= GRF_BYTES;
    let before = if fits { before } else { 0 };
    if !fits {
        indirection.displacement = 0;
        levels[at::INDIRECT_OFFSET] = 0;
    }
    let behind = if fits { behind } else { 0 };
    let offset = first - before;
    let end = (start + shape.dst_span()).max(start + behind + shape.dst_size);
    let bytes = (end - offset).next_multiple_of(register);
    let variable = if src.variable == usize::from(levels[at::DST_VARIABLE]) {
        (src.variable + 1) % NUM_GENERAL
    } else {
        usize::from(levels[at::DST_VARIABLE])
    };
    let data_type = any_type(noise);
    declare(parts, variable, data_type, offset, bytes);
    let element = indirection.store(parts, &DST, noise);
    small(parts).addresses[indirection.address_variable][element] = indirection.address(start);
    levels[at::OVERLAP] = overlap_of(src, shape, start);
    Placed { variable, offset, bytes, start }
}
