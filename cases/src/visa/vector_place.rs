//! Placing the vector operands of a case, once their types are known.
//!
//! The axes before say what is wished for; here the operands get their variables, addresses and offsets so that the rules of
//! the pages are kept, and then, rarely, one is broken on purpose. Where the types leave no room for a wish (32 channels of
//! 8 bytes do not fit in two registers), it is made smaller, and the level that the case really has is written back.

use tandem_isa::visa::operand::{
    ConstFields, EXEC_SIZE, LEGAL_VERT_STRIDES, NULL, OperandFields, PRED, PredicateFields, class,
};
use tandem_isa::visa::{
    ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable, NUM_ADDRESSES, NUM_GENERAL, NUM_PREDICATES,
    PredicateVariable, ROW_BYTES, Small, TypeKind, cr0,
};
use tandem_isa::{Axis, Levels, Noise, Parts};

use super::case::{narrow, places, small};
use super::channels::{fill_masks, fit_mask, no_predication};
use super::operand::{Operand, register};
use super::value_class;
use super::vector::{Vector, code_of, exec_size};
use super::vector_axes::{any_type, overlap_of};
use super::vector_break::{break_encoding_rule, break_region_rule};

/// Most bytes of a variable: less than 4 KiB.
pub(super) const MOST_BYTES: usize = 4095;

places! {
    /// Where the axes of an instruction of vector operands lie among its orthogonal ones.
    At: exec_size mask dispatch_size em predication predicate_elements predicate_value dst_variable overlap
        address_variable address_element indirect_offset immediate immediate_upper_bits bystanders region_rule
        encoding_rule
}

/// An instruction of vector operands.
pub(super) struct Form<const N: usize> {
    /// The destination, and the sources.
    pub operands: [Vector; N],
    /// The orthogonal axes.
    pub axes: &'static [Axis],
    pub at: At,
    /// For each operand, the first axis of its region, its class before that for a source, and the first of its place.
    of: [OperandAt; N],
}

#[derive(Clone, Copy)]
struct OperandAt {
    class: usize,
    /// The stride of a destination; the shape of a source's region, vertical stride, width and horizontal stride.
    region: usize,
    /// Row, column, extent and place.
    row: usize,
}

impl<const N: usize> Form<N> {
    /// By the names that its axes have for the operands.
    pub(super) const fn of(operands: [Vector; N], names: [&str; N], axes: &'static [Axis]) -> Self {
        let mut of = [OperandAt { class: 0, region: 0, row: 0 }; N];
        let mut index = 0;
        while index < N {
            of[index] = OperandAt {
                class: crate::place_of(axes, names[index], "_class"),
                region: crate::place_of(axes, names[index], if index == 0 { "_stride" } else { "_region" }),
                row: crate::place_of(axes, names[index], "_row"),
            };
            index += 1;
        }
        Form { operands, axes, at: At::among(axes), of }
    }
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    General,
    OneAddress,
    AddressPerRow,
    Immediate,
    Predicate,
}

/// All that decides how much room an operand needs: what it is, the bytes of an element, and its region. That of a
/// destination is one row of all channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub kind: Kind,
    pub size: usize,
    pub vert: usize,
    pub width: usize,
    pub horz: usize,
}

impl Region {
    /// Rows of so many channels.
    pub(super) fn rows(&self, channels: usize) -> usize {
        channels / self.width.min(channels)
    }

    /// Bytes from the first to the last element; of one row, if each row has an address.
    pub(super) fn span(&self, channels: usize) -> usize {
        let rows = if self.kind == Kind::AddressPerRow { 1 } else { self.rows(channels) };
        ((rows - 1) * self.vert + (self.width.min(channels) - 1) * self.horz + 1) * self.size
    }

    /// Whether it lies in the register file.
    pub(super) fn lies_in_file(&self) -> bool {
        matches!(self.kind, Kind::General | Kind::OneAddress | Kind::AddressPerRow)
    }

    pub(super) fn is_indirect(&self) -> bool {
        matches!(self.kind, Kind::OneAddress | Kind::AddressPerRow)
    }
}

/// The shape of a case.
pub(super) struct Shape<const N: usize> {
    /// Channels.
    pub channels: usize,
    /// Bytes of a register.
    pub register: usize,
    pub regions: [Region; N],
}

impl<const N: usize> Shape<N> {
    pub(super) fn span(&self, operand: usize) -> usize {
        self.regions[operand].span(self.channels)
    }
}

/// Where an operand came to lie, in bytes of the register file.
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

/// Grants the wishes of the orthogonal axes, and writes back the levels that a case has instead.
pub(super) fn finish<const N: usize>(form: &Form<N>, parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let shape = fit(form, parts, levels, noise);
    let mut placed = [None; N];
    for index in 1..N {
        placed[index] = place_source(form, index, parts, &shape, &placed, levels, noise);
    }
    let dst = place_dst(form, parts, &shape, &placed, levels, noise);
    placed[0] = Some(dst);
    // The destination may have moved a variable that it shares.
    for src in placed.iter_mut().flatten().filter(|src| src.variable == dst.variable) {
        (src.offset, src.bytes) = (dst.offset, dst.bytes);
    }
    let operands = form.operands.iter().zip(&shape.regions);
    for (operand, region) in operands.clone() {
        if let Some((_, predicate)) = &operand.source {
            let most = form.operands[0].data_type(parts).bits();
            fill_predicate(parts, predicate, region.kind == Kind::Predicate, most, noise);
        }
    }
    for (operand, region) in operands {
        if let Some((constant, _)) = &operand.source {
            let wish = [form.at.immediate, form.at.immediate_upper_bits].map(|axis| levels[axis]);
            let data_type = operand.data_type(parts);
            fill_constant(parts, constant, (region.kind == Kind::Immediate).then_some(data_type), wish, noise);
        }
    }
    fill_masks(parts, &form.at, |parts, id| predicates(form, parts).any(|known| known == id), levels, noise);
    if levels[form.at.bystanders] != 0 {
        bystanders(form, parts, &placed, &shape, noise);
    }
    let (region_rule, encoding_rule) = (levels[form.at.region_rule], levels[form.at.encoding_rule]);
    if region_rule != 0 && !break_region_rule(form, parts, &shape, &placed, region_rule, noise) {
        levels[form.at.region_rule] = 0;
    }
    if encoding_rule != 0 && !break_encoding_rule(form, parts, &shape, encoding_rule, noise) {
        levels[form.at.encoding_rule] = 0;
    }
    if matches!((region_rule, encoding_rule), (1 | 2, _) | (_, 2)) {
        let regions = form.of.iter().enumerate().flat_map(|(index, of)| match index {
            0 => of.region..of.region + 1,
            _ => of.region + 1..of.region + 3,
        });
        for axis in regions.chain([form.at.mask, form.at.dispatch_size]) {
            levels[axis] = (form.axes[axis].get)(parts) as u8;
        }
    }
}

/// The numbers of the predicates that are sources.
fn predicates<const N: usize>(form: &Form<N>, parts: &Parts<'_>) -> impl Iterator<Item = u32> {
    form.operands.iter().filter(|operand| operand.class(parts) == class::PREDICATE).filter_map(|operand| {
        let (_, predicate) = operand.source?;
        Some(predicate.id.get(parts.code))
    })
}

// ------------------------------------------------------------------------------------------------ shapes that fit

/// Makes execution size, mask and regions such that they can be had together.
fn fit<const N: usize>(form: &Form<N>, parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) -> Shape<N> {
    let mut kinds = [Kind::General; N];
    if form.operands[0].is_indirect(parts) {
        kinds[0] = Kind::OneAddress;
    }
    for index in 1..N {
        kinds[index] = kind_of_source(form, index, parts, levels, noise);
    }
    let regions = std::array::from_fn(|index| {
        let (operand, kind) = (&form.operands[index], kinds[index]);
        let (size, [vert, width, horz]) =
            (operand.data_type(parts).bytes(), operand.region(parts).map(|count| count as usize));
        match index {
            0 => Region { kind, size, vert: 0, width: usize::MAX, horz: horz.max(1) },
            _ => Region { kind, size, vert, width: width.max(1), horz },
        }
    });
    let mut shape = Shape { channels: exec_size(parts) as usize, register: register(parts), regions };
    let room = 2 * shape.register;
    // A predicate is moved as one element; rarely it is asked for more.
    if kinds.contains(&Kind::Predicate) && noise.below(16) != 0 {
        shape.channels = 1;
    }
    for (index, region) in shape.regions.iter().enumerate() {
        let is_contiguous = region.lies_in_file() && levels[form.of[index].region] == 1;
        while (index == 0 || is_contiguous) && shape.channels * region.size > room {
            shape.channels /= 2;
        }
    }
    while shape.span(0) > room {
        shape.regions[0].horz /= 2;
    }
    for (index, region) in shape.regions.iter_mut().enumerate().skip(1) {
        if region.lies_in_file() {
            fit_region(region, shape.channels, room, levels[form.of[index].region], noise);
        }
    }
    store(form, parts, &shape, levels);
    fit_mask(parts, &form.at, kinds.contains(&Kind::Predicate), levels, noise);
    shape
}

/// What a source is. An immediate with a modifier is illegal, and rarely stays so.
fn kind_of_source<const N: usize>(
    form: &Form<N>,
    index: usize,
    parts: &mut Parts<'_>,
    levels: &mut Levels,
    noise: &mut Noise,
) -> Kind {
    let (operand, level) = (&form.operands[index], &mut levels[form.of[index].class]);
    match operand.class(parts) {
        class::PREDICATE => Kind::Predicate,
        class::IMMEDIATE => {
            let data_type = operand.data_type(parts);
            let stays = operand.fields.modifiers.get(parts.code) == 0
                || matches!(data_type.kind(), TypeKind::Bool | TypeKind::Packed)
                || noise.below(16) == 0;
            if stays {
                *level = 3;
                return Kind::Immediate;
            }
            operand.fields.class.set(parts.code, class::GENERAL);
            operand.assign_type(parts, &form.operands[..index], data_type, noise);
            *level = 0;
            Kind::General
        }
        class::INDIRECT if *level == 2 => Kind::AddressPerRow,
        class::INDIRECT => {
            *level = 1;
            Kind::OneAddress
        }
        _ => {
            *level = 0;
            Kind::General
        }
    }
}

/// Makes the region of a source fit in two registers, and its width in the channels.
fn fit_region(region: &mut Region, channels: usize, room: usize, level: u8, noise: &mut Noise) {
    match level {
        1 => {
            region.width = channels.min(16);
            (region.vert, region.horz) = (region.width, 1);
        }
        2 => (region.vert, region.width, region.horz) = (0, 1, 0),
        _ => region.width = region.width.min(channels),
    }
    if region.kind == Kind::AddressPerRow {
        while region.rows(channels) > ADDRESS_ELEMENTS {
            region.width *= 2;
        }
    }
    while region.span(channels) > room {
        let has_vert = region.kind != Kind::AddressPerRow && region.rows(channels) > 1 && region.vert > 0;
        let has_horz = region.width > 1 && region.horz > 0;
        // Either stride, one step down; 1 goes to 0.
        if has_vert && (!has_horz || noise.bits(1) == 0) {
            region.vert /= 2;
        } else {
            region.horz /= 2;
        }
    }
}

/// Writes the shape into the code words, and the levels that it has.
fn store<const N: usize>(form: &Form<N>, parts: &mut Parts<'_>, shape: &Shape<N>, levels: &mut Levels) {
    EXEC_SIZE.set(parts.code, shape.channels.trailing_zeros());
    levels[form.at.exec_size] = shape.channels.trailing_zeros() as u8;
    for (index, region) in shape.regions.iter().enumerate() {
        let (operand, level) = (&form.operands[index], form.of[index].region);
        if index == 0 {
            operand.fields.horz_stride.set(parts.code, code_of(region.horz));
            levels[level] = region.horz.trailing_zeros() as u8;
        } else if region.lies_in_file() {
            operand.set_region(parts.code, [region.vert, region.width, region.horz]);
            if region.kind == Kind::AddressPerRow {
                operand.fields.vert_stride.set(parts.code, NULL);
            }
            let vert = narrow(region.vert);
            levels[level + 1] = LEGAL_VERT_STRIDES.iter().position(|&known| known == vert).unwrap_or(0) as u8;
            levels[level + 2] = region.width.trailing_zeros() as u8;
            // 1, 0, 2, 4: the usual stride is the first level.
            levels[level + 3] = [1, 0, 2, 0, 3][region.horz];
        } else {
            for field in operand.strides().into_iter().chain([operand.fields.id]) {
                field.set(parts.code, 0);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ regions

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
    let mut slot = |last: usize| match level {
        0 => 0,
        1 => last,
        _ => noise.below(last + 1),
    };
    let first = slot((GRF_BYTES - bytes.next_multiple_of(register)) / register);
    first * register + slot(if bytes >= register { 0 } else { (register - bytes) / size }) * size
}

/// Declares a variable of at least `bytes` bytes.
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
    operand: &Vector,
    parts: &mut Parts<'_>,
    span: usize,
    [row, col, wide, place]: [u8; 4],
    noise: &mut Noise,
) -> Placed {
    let (data_type, register) = (operand.data_type(parts), register(parts));
    let size = data_type.bytes();
    let col = column(col, (span, size, register), noise);
    let most_rows = (MOST_BYTES / size * size - col * size - span) / register;
    let row = rows_before(row, most_rows, noise);
    let lead = row * register + col * size;
    let bytes = extent(wide, lead + span, (size, register), noise);
    let offset = offset(place, bytes, (size, register), noise);
    let variable = operand.entry(parts);
    operand.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    operand.fields.row_offset.set(parts.code, narrow(row));
    operand.fields.col_offset.set(parts.code, narrow(col));
    operand.fields.indirect_offset.set(parts.code, 0);
    declare(parts, variable, data_type, offset, bytes);
    Placed { variable, offset, bytes, start: offset + lead }
}

/// The wishes for an indirect operand.
struct Indirection {
    address_variable: usize,
    element: u8,
    addresses: usize,
    /// What is added to the address, in bytes.
    displacement: i32,
}

impl Indirection {
    /// Of an operand whose elements have `size` bytes, after `before` other indirect ones, which use address variables too.
    fn new(at: &At, levels: &Levels, before: usize, size: usize, addresses: usize, noise: &mut Noise) -> Self {
        let size = size as i32;
        let steps = noise.below((511 / size) as usize) as i32 + 1;
        let displacement = match levels[at.indirect_offset] {
            0 => 0,
            1 => size * steps,
            2 => -size * steps,
            3 => -512,
            _ => 511 / size * size,
        };
        let address_variable = (usize::from(levels[at.address_variable]) + before) % NUM_ADDRESSES;
        Indirection { address_variable, element: levels[at.address_element], addresses, displacement }
    }

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

/// Gives an indirect operand a variable, addresses into it, and a place in it.
fn place_indirect(
    operand: &Vector,
    parts: &mut Parts<'_>,
    variable: usize,
    (span, size): (usize, usize),
    indirection: &Indirection,
    [row, col, wide, place]: [u8; 4],
    noise: &mut Noise,
) -> Placed {
    let register = register(parts);
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
    let first = indirection.store(parts, &operand.fields, noise);
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

// ------------------------------------------------------------------------------------------------ each operand's place

impl<const N: usize> Form<N> {
    /// What is wished for the place of an operand.
    fn wish(&self, index: usize, levels: &Levels) -> [u8; 4] {
        let row = self.of[index].row;
        [levels[row], levels[row + 1], levels[row + 2], levels[row + 3]]
    }

    /// A variable from `wished` on that no source was given.
    fn free_variable(wished: usize, placed: &[Option<Placed>; N]) -> usize {
        let is_free = |variable: &usize| placed.iter().flatten().all(|src| src.variable != *variable);
        (wished..wished + NUM_GENERAL).map(|variable| variable % NUM_GENERAL).find(is_free).unwrap_or(wished)
    }
}

/// Gives a source its place; an immediate or a predicate has none.
fn place_source<const N: usize>(
    form: &Form<N>,
    index: usize,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    placed: &[Option<Placed>; N],
    levels: &Levels,
    noise: &mut Noise,
) -> Option<Placed> {
    let (operand, region, wish) = (&form.operands[index], &shape.regions[index], form.wish(index, levels));
    let span = shape.span(index);
    match region.kind {
        Kind::General => Some(place_general(operand, parts, span, wish, noise)),
        Kind::OneAddress | Kind::AddressPerRow => {
            let dst = usize::from(levels[form.at.dst_variable]);
            let variable = (dst + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
            let variable = Form::free_variable(variable, placed);
            let addresses = if region.kind == Kind::AddressPerRow { region.rows(shape.channels) } else { 1 };
            let before = shape.regions[1..index].iter().filter(|region| region.is_indirect()).count();
            let indirection = Indirection::new(&form.at, levels, before, region.size, addresses, noise);
            Some(place_indirect(operand, parts, variable, (span, region.size), &indirection, wish, noise))
        }
        Kind::Immediate | Kind::Predicate => {
            let fields = &operand.fields;
            for field in [fields.row_offset, fields.col_offset, fields.addr_offset, fields.indirect_offset] {
                field.set(parts.code, 0);
            }
            None
        }
    }
}

/// Gives the destination its place.
fn place_dst<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    placed: &[Option<Placed>; N],
    levels: &mut Levels,
    noise: &mut Noise,
) -> Placed {
    let (dst, region) = (&form.operands[0], &shape.regions[0]);
    if dst.class(parts) == class::PREDICATE {
        // No page allows that: it lies nowhere, and a variable beside it stands in.
        let variable = placed.iter().flatten().next().map_or(0, |src| (src.variable + 1) % NUM_GENERAL);
        declare(parts, variable, DataType::Ud, 0, ROW_BYTES);
        dst.fields.id.set(parts.code, 1 + narrow(noise.below(NUM_PREDICATES)));
        return Placed { variable, offset: 0, bytes: ROW_BYTES, start: 0 };
    }
    let first = (1..N).find_map(|index| Some((index, placed[index]?)));
    if let (Some(src), 1..) = (first, levels[form.at.overlap]) {
        return place_over(form, parts, shape, src, placed, levels, noise);
    }
    let wish = form.wish(0, levels);
    if region.is_indirect() {
        let variable = Form::free_variable(usize::from(levels[form.at.dst_variable]), placed);
        let indirection = dst_indirection(form, shape, levels, noise);
        place_indirect(dst, parts, variable, (shape.span(0), region.size), &indirection, wish, noise)
    } else {
        place_general(dst, parts, shape.span(0), wish, noise)
    }
}

/// The destination's indirection, after those of the sources.
fn dst_indirection<const N: usize>(
    form: &Form<N>,
    shape: &Shape<N>,
    levels: &Levels,
    noise: &mut Noise,
) -> Indirection {
    let before = shape.regions[1..].iter().filter(|region| region.is_indirect()).count();
    Indirection::new(&form.at, levels, before, shape.regions[0].size, 1, noise)
}

/// Places the destination so that it shares bytes with a source.
fn place_over<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    (index, src): (usize, Placed),
    placed: &[Option<Placed>; N],
    levels: &mut Levels,
    noise: &mut Noise,
) -> Placed {
    let (size, span, register) = (shape.regions[0].size, shape.span(0), shape.register);
    let (dst, from) = (&form.operands[0], &form.operands[index]);
    let level = form.at.overlap;
    let by = size * (1 + noise.below(4));
    let start = match levels[level] {
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
    if shape.regions[0].is_indirect() {
        return place_indirect_over(form, parts, shape, ((index, src), start), placed, levels, noise);
    }
    let data_type = dst.data_type(parts);
    let is_shared = levels[level] == 4
        && shape.regions[index].kind == Kind::General
        && data_type == from.data_type(parts)
        && (src.offset / register * register..src.offset + MOST_BYTES - span).contains(&start);
    let (variable, offset) = if is_shared {
        // The variable grows to whole registers, so that it may begin where a register does.
        (src.variable, src.offset / register * register)
    } else {
        (dst.entry(parts), first)
    };
    dst.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    dst.fields.indirect_offset.set(parts.code, 0);
    if is_shared && src.offset != offset {
        // The source lay in a small variable within one register: its column counts from the register now.
        from.fields.col_offset.set(parts.code, narrow((src.start - offset) / size));
    }
    let start = start.max(offset + start % register);
    dst.fields.row_offset.set(parts.code, narrow((start - offset) / register));
    dst.fields.col_offset.set(parts.code, narrow(start % register / size));
    let need = start + span - offset;
    let bytes = if is_shared {
        need.max(src.start + shape.span(index) - offset).max(register).max(src.bytes.min(GRF_BYTES - offset))
    } else {
        need
    };
    declare(parts, variable, data_type, offset, bytes);
    levels[level] = if is_shared { 4 } else { overlap_of((start, span), (src.start, shape.span(index))) as u8 };
    Placed { variable, offset, bytes, start }
}

/// Places an indirect destination at `start`, in a variable of its own that lies over the source's.
fn place_indirect_over<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    ((index, src), start): ((usize, Placed), usize),
    placed: &[Option<Placed>; N],
    levels: &mut Levels,
    noise: &mut Noise,
) -> Placed {
    let mut indirection = dst_indirection(form, shape, levels, noise);
    let (register, size, span) = (shape.register, shape.regions[0].size, shape.span(0));
    let (mut before, mut behind) = indirection.margins(register);
    let first = start / register * register;
    if first < before || start + behind + size > GRF_BYTES {
        (before, behind, indirection.displacement) = (0, 0, 0);
        levels[form.at.indirect_offset] = 0;
    }
    let offset = first - before;
    let end = (start + span).max(start + behind + size);
    let bytes = (end - offset).next_multiple_of(register);
    let variable = Form::free_variable(usize::from(levels[form.at.dst_variable]), placed);
    declare(parts, variable, any_type(noise), offset, bytes);
    let element = indirection.store(parts, &form.operands[0].fields, noise);
    small(parts).addresses[indirection.address_variable][element] = indirection.address(start);
    levels[form.at.overlap] = overlap_of((start, span), (src.start, shape.span(index))) as u8;
    Placed { variable, offset, bytes, start }
}

// ------------------------------------------------------------------------------------------------ other classes

/// Gives a predicate that is a source a variable that fits in `most` bits, and rarely one that does not; what is no predicate
/// loses the fields of one.
fn fill_predicate(parts: &mut Parts<'_>, fields: &PredicateFields, is_one: bool, most: u32, noise: &mut Noise) {
    if !is_one {
        for field in [fields.id, fields.reserved, fields.combine, fields.inverse] {
            field.set(parts.code, 0);
        }
        return;
    }
    let index = noise.below(4);
    fields.id.set(parts.code, 1 + narrow(index));
    // Control bits of a predicate operand have no meaning on any page.
    let control = if noise.below(32) == 0 { 1 + noise.below(3) } else { 0 };
    fields.inverse.set(parts.code, narrow(control & 1));
    fields.combine.set(parts.code, narrow(control >> 1));
    let most = most.max(8).trailing_zeros().min(5);
    let count = if noise.below(16) == 0 { noise.below(6) } else { noise.below(most as usize + 1) };
    let value = noise.bits(32);
    small(parts).predicates[index] = PredicateVariable { value, log2_num_elements: narrow(count) };
    if noise.below(16) != 0 {
        no_predication(parts.code);
    }
}

/// Draws the value of an immediate operand of a type; what is none loses the fields of one.
fn fill_constant(
    parts: &mut Parts<'_>,
    fields: &ConstFields,
    data_type: Option<DataType>,
    [level, upper]: [u8; 2],
    noise: &mut Noise,
) {
    let Some(data_type) = data_type else {
        for field in [fields.data_type, fields.low, fields.high] {
            field.set(parts.code, 0);
        }
        return;
    };
    let bits = data_type.bits();
    let mask = u64::MAX >> (64 - bits);
    let value = match level {
        0 => 0,
        1 => 1,
        2 => corner(data_type, noise),
        _ => noise.word(),
    } & mask;
    let upper = match upper {
        0 => 0,
        1 if value >> (bits - 1) & 1 != 0 => !mask,
        1 => 0,
        _ => noise.word() & !mask,
    };
    let low = (value | if bits < 32 { upper } else { 0 }) as u32;
    fields.low.set(parts.code, low);
    fields.high.set(parts.code, if bits == 64 { (value >> 32) as u32 } else { 0 });
}

/// A value at which conversions change their path; a NaN, an infinity, a denormal; or one bit.
fn corner(data_type: DataType, noise: &mut Noise) -> u64 {
    let list = super::VISA.value_classes[usize::from(value_class::of(data_type))].extra;
    let exponent = data_type.format().and_then(|format| format.exponent);
    match (exponent, noise.below(4)) {
        (Some(exponent), 0) => {
            let ones = u64::MAX >> (64 - exponent.width) << exponent.shift;
            (noise.word() & !ones) | if noise.bits(1) == 0 { ones } else { 0 }
        }
        (_, 1..) if !list.is_empty() => list[noise.below(list.len())],
        _ => (1u64 << noise.below(data_type.bits() as usize)).wrapping_sub(u64::from(noise.bits(1))),
    }
}

// ------------------------------------------------------------------------------------------------ bystanders

/// The denormal bit of a type; none for types without one.
pub(super) const fn denorm_bit(data_type: DataType) -> u32 {
    match data_type {
        DataType::Hf => cr0::HF_DENORM,
        DataType::F => cr0::F_DENORM,
        DataType::Df => cr0::DF_DENORM,
        _ => 0,
    }
}

/// Makes fresh the variables, by their places, and the predicates, by their numbers, that an instruction does not use.
pub(super) fn refresh(
    state: &mut Small,
    is_used: impl Fn(usize) -> bool,
    is_read: impl Fn(u32) -> bool,
    noise: &mut Noise,
) {
    for (index, variable) in state.variables.iter_mut().enumerate() {
        if !is_used(index) {
            let word = noise.word();
            let (data_type, num_elements) = ((word & 15) as u16, (word >> 16 & 0xfff) as u16);
            let offset = (word >> 32 & 0x1fff) as u16;
            *variable = GeneralVariable { data_type, num_elements, offset, unused: variable.unused };
        }
    }
    for (number, predicate) in (1..).zip(&mut state.predicates) {
        if !is_read(number) {
            let word = noise.word();
            *predicate = PredicateVariable { value: word as u32, log2_num_elements: (word >> 32) as u32 % 6 };
        }
    }
}

/// Makes fresh what the instruction does not read: other variables, predicates, addresses, denormal bits.
fn bystanders<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    placed: &[Option<Placed>; N],
    shape: &Shape<N>,
    noise: &mut Noise,
) {
    let used = form.operands.iter().fold(0, |bits, operand| bits | denorm_bit(operand.data_type(parts)));
    let idle = (cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM) & !used;
    let named = form.operands.map(|operand| operand.variable(parts));
    let is_used =
        |index| placed.iter().flatten().any(|operand| operand.variable == index) || named.contains(&Some(index));
    let sources = form.operands.map(|operand| operand.source.map_or(0, |(_, predicate)| predicate.id.get(parts.code)));
    let predication = PRED.id.get(parts.code);
    let is_indirect = shape.regions.iter().any(Region::is_indirect);
    let state = small(parts);
    let bits = noise.word();
    state.cr0 = (state.cr0 & !idle) | (bits as u32 & idle);
    refresh(state, is_used, |number| number == predication || sources.contains(&number), noise);
    if !is_indirect {
        let word = noise.word();
        state.addresses[(word & 1) as usize][(word >> 8) as usize % ADDRESS_ELEMENTS] = (word >> 16) as u16;
    }
}
