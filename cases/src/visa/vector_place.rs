//! Placing the vector operands of a case, once their types are known.
//!
//! The axes before say what is wished for; here the operands get their variables, addresses and offsets so that the rules of
//! the pages are kept, and then, rarely, one is broken on purpose. Where the types leave no room for a wish (32 channels of
//! 8 bytes do not fit in two registers), it is made smaller, and the level that the case really has is written back.

use std::marker::PhantomData;

use tandem_isa::visa::operand::{ConstFields, EXEC_SIZE, LEGAL_VERT_STRIDES, NULL, PRED, PredicateFields, class};
use tandem_isa::visa::{
    ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable, NUM_ADDRESSES, NUM_GENERAL, NUM_PREDICATES,
    PredicateVariable, ROW_BYTES, Small, TypeKind, cr0,
};
use tandem_isa::{Axis, Levels, Noise, Parts};

use super::case::{narrow, places, small};
use super::channels::no_predication;
use super::operand::{Operand, register};
use super::value_class;
use super::vector::{Vector, code_of, exec_size};
use super::vector_axes::{any_type, overlap_of};

/// Most bytes of a variable: less than 4 KiB.
pub(super) const MOST_BYTES: usize = 4095;

places! {
    /// Where the axes of an instruction of vector operands lie among its orthogonal ones.
    At: exec_size mask dispatch_size em predication predicate_elements predicate_value dst_variable overlap
        address_variable address_element indirect_offset immediate immediate_upper_bits bystanders region_rule
        encoding_rule
}

/// Where those of an operand lie.
#[derive(Clone, Copy)]
pub(super) struct OperandAt {
    class: usize,
    /// The stride of a destination; the shape of a source's region, vertical stride, width and horizontal stride.
    region: usize,
    /// Row, column, extent and place.
    row: usize,
}

/// The most operands that an instruction has. With the first one that has more, a larger number compiles.
const MOST_OPERANDS: usize = 2;

/// An instruction of vector operands.
pub(super) trait Form {
    /// The destination, and the sources.
    const OPERANDS: &'static [Vector];
    /// What their axes call them.
    const NAMES: &'static [&'static str];
    /// The orthogonal axes.
    const AXES: &'static [Axis];

    const AT: At = At::among(Self::AXES);
    const OF: [OperandAt; MOST_OPERANDS] = OperandAt::among(Self::AXES, Self::NAMES);
}

impl OperandAt {
    const fn among(axes: &[Axis], names: &[&str]) -> [Self; MOST_OPERANDS] {
        let mut all = [OperandAt { class: 0, region: 0, row: 0 }; MOST_OPERANDS];
        let mut index = 0;
        while index < names.len() {
            all[index] = OperandAt {
                class: crate::place_of(axes, names[index], "_class"),
                region: crate::place_of(axes, names[index], if index == 0 { "_stride" } else { "_region" }),
                row: crate::place_of(axes, names[index], "_row"),
            };
            index += 1;
        }
        all
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
    /// Bytes from the first to the last element, once the region fits; of one row, if each row has an address.
    pub span: usize,
}

impl Region {
    const NONE: Region = Region { kind: Kind::Immediate, size: 0, vert: 0, width: 1, horz: 0, span: 0 };

    /// Rows of so many channels.
    pub(super) fn rows(&self, channels: usize) -> usize {
        channels / self.width.min(channels)
    }

    /// What the span is for so many channels.
    #[inline(always)]
    fn span_of(&self, channels: usize) -> usize {
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

/// A case whose operands are placed. Operands are named by their numbers: 0 is the destination.
pub(super) struct Placing<'a, 'p, F> {
    form: PhantomData<F>,
    pub parts: &'a mut Parts<'p>,
    pub levels: &'a mut Levels,
    pub noise: &'a mut Noise,
    /// Channels.
    pub channels: usize,
    /// Bytes of a register.
    pub register: usize,
    pub regions: [Region; MOST_OPERANDS],
    pub placed: [Option<Placed>; MOST_OPERANDS],
}

/// Grants the wishes of the orthogonal axes, and writes back the levels that a case has instead.
pub(super) fn finish<F: Form>(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let (channels, register) = (exec_size(parts) as usize, register(parts));
    let (regions, placed) = ([Region::NONE; MOST_OPERANDS], [None; MOST_OPERANDS]);
    let mut case: Placing<'_, '_, F> =
        Placing { form: PhantomData, parts, levels, noise, channels, register, regions, placed };
    case.fit();
    case.place();
    case.fill();
    case.break_rules();
}

impl<F: Form> Placing<'_, '_, F> {
    /// Numbers of the sources.
    fn sources(&self) -> std::ops::Range<usize> {
        1..F::OPERANDS.len()
    }

    fn size(&self, operand: usize) -> usize {
        self.regions[operand].size
    }

    /// Places all operands.
    fn place(&mut self) {
        for source in self.sources() {
            self.placed[source] = self.place_source(source);
        }
        let dst = self.place_dst();
        self.placed[0] = Some(dst);
        // The destination may have moved a variable that it shares.
        for src in self.placed.iter_mut().flatten().filter(|src| src.variable == dst.variable) {
            (src.offset, src.bytes) = (dst.offset, dst.bytes);
        }
    }

    /// Gives values to what else the case has: predicates, constants, masks, and what is not read.
    fn fill(&mut self) {
        for source in self.sources() {
            if let Some((_, predicate)) = &F::OPERANDS[source].source {
                self.fill_predicate(source, predicate);
            }
        }
        for source in self.sources() {
            if let Some((constant, _)) = &F::OPERANDS[source].source {
                self.fill_constant(source, constant);
            }
        }
        self.fill_masks();
        if self.levels[F::AT.bystanders] != 0 {
            self.bystanders();
        }
    }

    /// Breaks the rules that are to be broken, if the case has something to break them with.
    fn break_rules(&mut self) {
        let At { region_rule, encoding_rule, mask, dispatch_size, .. } = F::AT;
        let rules = (self.levels[region_rule], self.levels[encoding_rule]);
        if rules.0 != 0 && !self.break_region_rule(rules.0) {
            self.levels[region_rule] = 0;
        }
        if rules.1 != 0 && !self.break_encoding_rule(rules.1) {
            self.levels[encoding_rule] = 0;
        }
        if matches!(rules, (1 | 2, _) | (_, 2)) {
            let regions = F::OF.map(|of| of.region);
            let strides = self.sources().flat_map(|source| [regions[source] + 1, regions[source] + 2]);
            for axis in strides.chain([regions[0], mask, dispatch_size]) {
                self.levels[axis] = (F::AXES[axis].get)(self.parts) as u8;
            }
        }
    }

    // -------------------------------------------------------------------------------------------- shapes that fit

    /// Makes execution size, mask and regions such that they can be had together.
    fn fit(&mut self) {
        for index in self.sources() {
            self.regions[index].kind = self.kind_of_source(index);
        }
        let is_indirect = F::OPERANDS[0].is_indirect(self.parts);
        self.regions[0].kind = if is_indirect { Kind::OneAddress } else { Kind::General };
        for (index, operand) in F::OPERANDS.iter().enumerate() {
            let region = &mut self.regions[index];
            region.size = operand.data_type(self.parts).bytes();
            let [vert, width, horz] = operand.region(self.parts).map(|count| count as usize);
            (region.vert, region.width, region.horz) =
                if index == 0 { (0, usize::MAX, horz.max(1)) } else { (vert, width.max(1), horz) };
        }
        let is_packed = |operand: &Vector| {
            operand.class(self.parts) == class::IMMEDIATE && operand.data_type(self.parts).kind() == TypeKind::Packed
        };
        // A constant vector has eight elements; rarely it is asked for more.
        if F::OPERANDS[self.sources()].iter().any(is_packed) && self.noise.below(16) != 0 {
            self.channels = self.channels.min(8);
        }
        let has_predicate = self.regions[self.sources()].iter().any(|region| region.kind == Kind::Predicate);
        let room = 2 * self.register;
        // A predicate is moved as one element; rarely it is asked for more.
        if has_predicate && self.noise.below(16) != 0 {
            self.channels = 1;
        }
        for index in 0..F::OPERANDS.len() {
            let is_contiguous = self.regions[index].lies_in_file() && self.levels[F::OF[index].region] == 1;
            while (index == 0 || is_contiguous) && self.channels * self.size(index) > room {
                self.channels /= 2;
            }
        }
        while self.regions[0].span_of(self.channels) > room {
            self.regions[0].horz /= 2;
        }
        for index in self.sources() {
            if self.regions[index].lies_in_file() {
                self.fit_region(index, room);
            }
        }
        for region in self.regions.iter_mut().take(F::OPERANDS.len()) {
            region.span = region.span_of(self.channels);
        }
        self.store();
        self.fit_mask(has_predicate);
    }

    /// What a source is. An immediate with a modifier is illegal, and rarely stays so.
    #[inline(always)]
    fn kind_of_source(&mut self, index: usize) -> Kind {
        let operand = &F::OPERANDS[index];
        let level = &mut self.levels[F::OF[index].class];
        match operand.class(self.parts) {
            class::PREDICATE => Kind::Predicate,
            class::IMMEDIATE => {
                let data_type = operand.data_type(self.parts);
                if data_type.kind() == TypeKind::Packed && self.noise.below(16) != 0 {
                    operand.fields.modifiers.set(self.parts.code, 0);
                }
                let stays = operand.fields.modifiers.get(self.parts.code) == 0
                    || matches!(data_type.kind(), TypeKind::Bool | TypeKind::Packed)
                    || self.noise.below(16) == 0;
                if stays {
                    *level = 3;
                    return Kind::Immediate;
                }
                *level = 0;
                operand.fields.class.set(self.parts.code, class::GENERAL);
                operand.assign_type(self.parts, &F::OPERANDS[..index], data_type, self.noise);
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
    #[inline(always)]
    fn fit_region(&mut self, index: usize, room: usize) {
        let (region, channels) = (&mut self.regions[index], self.channels);
        match self.levels[F::OF[index].region] {
            1 => {
                region.width = channels.min(16);
                (region.vert, region.horz) = (region.width, 1);
            }
            2 => (region.vert, region.width, region.horz) = (0, 1, 0),
            _ => region.width = region.width.min(channels),
        }
        while region.kind == Kind::AddressPerRow && region.rows(channels) > ADDRESS_ELEMENTS {
            region.width *= 2;
        }
        while region.span_of(channels) > room {
            let has_vert = region.kind != Kind::AddressPerRow && region.rows(channels) > 1 && region.vert > 0;
            let has_horz = region.width > 1 && region.horz > 0;
            // Either stride, one step down; 1 goes to 0.
            if has_vert && (!has_horz || self.noise.bits(1) == 0) {
                region.vert /= 2;
            } else {
                region.horz /= 2;
            }
        }
    }

    /// Writes the shape into the code words, and the levels that it has.
    #[inline(always)]
    fn store(&mut self) {
        let (code, levels, channels) = (&mut *self.parts.code, &mut *self.levels, self.channels.trailing_zeros());
        EXEC_SIZE.set(code, channels);
        levels[F::AT.exec_size] = channels as u8;
        for (index, operand) in F::OPERANDS.iter().enumerate() {
            let (region, level) = (&self.regions[index], F::OF[index].region);
            if index == 0 {
                operand.fields.horz_stride.set(code, code_of(region.horz));
                levels[level] = region.horz.trailing_zeros() as u8;
            } else if region.lies_in_file() {
                operand.set_region(code, [region.vert, region.width, region.horz]);
                if region.kind == Kind::AddressPerRow {
                    operand.fields.vert_stride.set(code, NULL);
                }
                let vert = narrow(region.vert);
                levels[level + 1] = LEGAL_VERT_STRIDES.iter().position(|&known| known == vert).unwrap_or(0) as u8;
                levels[level + 2] = region.width.trailing_zeros() as u8;
                // 1, 0, 2, 4: the usual stride is the first level.
                levels[level + 3] = [1, 0, 2, 0, 3][region.horz];
            } else {
                for field in operand.strides().into_iter().chain([&operand.fields.id]) {
                    field.set(code, 0);
                }
            }
        }
    }

    // -------------------------------------------------------------------------------------------- regions

    /// A column of a register at which an operand begins and ends within two registers.
    #[inline(always)]
    fn column(&mut self, level: u8, index: usize) -> usize {
        let (span, size) = (self.regions[index].span, self.size(index));
        let last = (self.register / size - 1).min((2 * self.register - span) / size);
        match level {
            0 => 0,
            1 => last,
            2 if span <= self.register => (self.register - span) / size,
            _ => self.noise.below(last + 1),
        }
    }

    /// The size of a variable that needs `need` bytes, in bytes; a multiple of `size`.
    fn extent(&mut self, level: u8, need: usize, size: usize) -> usize {
        let most = MOST_BYTES / size * size;
        match level {
            0 => need,
            1 => need.next_multiple_of(self.register),
            _ => need + size * (1 + self.noise.below(64)),
        }
        .min(most)
    }

    /// Where a variable begins: at a register if it is as large as one, else within one.
    fn offset(&mut self, level: u8, bytes: usize, size: usize) -> usize {
        let register = self.register;
        let mut slot = |last: usize| match level {
            0 => 0,
            1 => last,
            _ => self.noise.below(last + 1),
        };
        let first = slot((GRF_BYTES - bytes.next_multiple_of(register)) / register);
        first * register + slot(if bytes >= register { 0 } else { (register - bytes) / size }) * size
    }

    /// Rows before the region, as the level asks.
    fn rows_before(&mut self, level: u8, most: usize) -> usize {
        match level {
            0 => 0,
            1 => 1,
            2 => 2 + self.noise.below(6),
            _ => 8 + self.noise.below(most - 7),
        }
    }

    /// Declares a variable of at least `bytes` bytes.
    #[inline(always)]
    fn declare(&mut self, variable: usize, data_type: DataType, offset: usize, bytes: usize) {
        let declared = &mut small(self.parts).variables[variable];
        declared.data_type = data_type.code() as u16;
        declared.num_elements = bytes.div_ceil(data_type.bytes()) as u16;
        declared.offset = offset as u16;
    }

    /// What is wished for the place of an operand: row, column, extent and place.
    fn wish(&self, index: usize) -> [u8; 4] {
        let row = F::OF[index].row;
        [self.levels[row], self.levels[row + 1], self.levels[row + 2], self.levels[row + 3]]
    }

    /// Gives a general operand a variable and a place in it.
    fn place_general(&mut self, index: usize) -> Placed {
        let (operand, [row, col, wide, place], span) =
            (&F::OPERANDS[index], self.wish(index), self.regions[index].span);
        let data_type = operand.data_type(self.parts);
        let size = data_type.bytes();
        let col = self.column(col, index);
        let most_rows = (MOST_BYTES / size * size - col * size - span) / self.register;
        let row = self.rows_before(row, most_rows);
        let lead = row * self.register + col * size;
        let bytes = self.extent(wide, lead + span, size);
        let offset = self.offset(place, bytes, size);
        let variable = operand.entry(self.parts);
        operand.fields.id.set(self.parts.code, FIRST_GENERAL + narrow(variable));
        operand.fields.row_offset.set(self.parts.code, narrow(row));
        operand.fields.col_offset.set(self.parts.code, narrow(col));
        operand.fields.indirect_offset.set(self.parts.code, 0);
        self.declare(variable, data_type, offset, bytes);
        Placed { variable, offset, bytes, start: offset + lead }
    }

    /// Gives an indirect operand a variable, addresses into it, and a place in it.
    fn place_indirect(&mut self, index: usize, variable: usize) -> Placed {
        let ([row, col, wide, place], span, size) = (self.wish(index), self.regions[index].span, self.size(index));
        let (indirection, register) = (self.indirection(index), self.register);
        let (before, behind) = indirection.margins(register);
        let col = self.column(col, index) * size;
        let lead = before + self.rows_before(row.min(2), 8) * register + col;
        let need = (lead + span).max(lead + behind + size).max(register);
        // Each further row begins somewhere behind the first one.
        let more = if indirection.addresses > 1 { register * (1 + self.noise.below(8)) } else { 0 };
        let data_type = any_type(self.noise);
        let unit = data_type.bytes().max(size);
        let bytes = self.extent(wide, (need + more).next_multiple_of(unit), unit);
        let offset = self.offset(place, bytes, unit);
        self.declare(variable, data_type, offset, bytes);
        let first = self.store_indirection(index, &indirection);
        let start = offset + lead;
        for element in 0..indirection.addresses {
            let mut begin = start + if element == 0 { 0 } else { self.noise.below(more / size + 1) * size };
            if begin % register + span > 2 * register {
                begin -= begin % register;
            }
            let addresses = &mut small(self.parts).addresses[indirection.address_variable];
            addresses[first + element] = indirection.address(begin);
        }
        Placed { variable, offset, bytes, start }
    }

    /// The wishes for an indirect operand. The destination uses an address variable after those of the sources.
    fn indirection(&mut self, index: usize) -> Indirection {
        let (at, region, size) = (&F::AT, &self.regions[index], self.size(index) as i32);
        let steps = self.noise.below((511 / size) as usize) as i32 + 1;
        let displacement = match self.levels[at.indirect_offset] {
            0 => 0,
            1 => size * steps,
            2 => -size * steps,
            3 => -512,
            _ => 511 / size * size,
        };
        let sources = 1..if index == 0 { F::OPERANDS.len() } else { index };
        let before = self.regions[sources].iter().filter(|region| region.is_indirect()).count();
        Indirection {
            address_variable: (usize::from(self.levels[at.address_variable]) + before) % NUM_ADDRESSES,
            addresses: if region.kind == Kind::AddressPerRow { region.rows(self.channels) } else { 1 },
            displacement,
        }
    }

    /// Writes the fields of an indirect operand, but not its address; returns the first element of the address variable.
    fn store_indirection(&mut self, index: usize, indirection: &Indirection) -> usize {
        let last = ADDRESS_ELEMENTS - indirection.addresses;
        let first = match self.levels[F::AT.address_element] {
            0 => 0,
            1 => last,
            _ => self.noise.below(last + 1),
        };
        let (fields, code) = (&F::OPERANDS[index].fields, &mut *self.parts.code);
        fields.id.set(code, narrow(indirection.address_variable));
        fields.addr_offset.set(code, narrow(first));
        fields.indirect_offset.set(code, indirection.displacement.cast_unsigned());
        fields.row_offset.set(code, 0);
        fields.col_offset.set(code, 0);
        first
    }

    // -------------------------------------------------------------------------------------------- each operand's place

    /// A variable from `wished` on that no source was given.
    fn free_variable(&self, wished: usize) -> usize {
        let is_free = |variable: &usize| self.placed.iter().flatten().all(|src| src.variable != *variable);
        (wished..wished + NUM_GENERAL).map(|variable| variable % NUM_GENERAL).find(is_free).unwrap_or(wished)
    }

    /// Gives a source its place; an immediate or a predicate has none.
    fn place_source(&mut self, index: usize) -> Option<Placed> {
        match self.regions[index].kind {
            Kind::General => Some(self.place_general(index)),
            Kind::OneAddress | Kind::AddressPerRow => {
                let dst = usize::from(self.levels[F::AT.dst_variable]);
                let wished = (dst + 1 + self.noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
                let variable = self.free_variable(wished);
                Some(self.place_indirect(index, variable))
            }
            Kind::Immediate | Kind::Predicate => {
                let fields = &F::OPERANDS[index].fields;
                for field in [&fields.row_offset, &fields.col_offset, &fields.addr_offset, &fields.indirect_offset] {
                    field.set(self.parts.code, 0);
                }
                None
            }
        }
    }

    /// Gives the destination its place.
    fn place_dst(&mut self) -> Placed {
        let dst = &F::OPERANDS[0];
        let first = self.sources().find_map(|source| Some((source, self.placed[source]?)));
        if dst.class(self.parts) == class::PREDICATE {
            // No page allows that: it lies nowhere, and a variable beside it stands in.
            let variable = first.map_or(0, |(_, src)| (src.variable + 1) % NUM_GENERAL);
            self.declare(variable, DataType::Ud, 0, ROW_BYTES);
            dst.fields.id.set(self.parts.code, 1 + narrow(self.noise.below(NUM_PREDICATES)));
            return Placed { variable, offset: 0, bytes: ROW_BYTES, start: 0 };
        }
        if let (Some(src), 1..) = (first, self.levels[F::AT.overlap]) {
            return self.place_over(src);
        }
        if self.regions[0].is_indirect() {
            let variable = self.free_variable(usize::from(self.levels[F::AT.dst_variable]));
            self.place_indirect(0, variable)
        } else {
            self.place_general(0)
        }
    }

    /// Places the destination so that it shares bytes with a source.
    fn place_over(&mut self, (index, src): (usize, Placed)) -> Placed {
        let (size, span, register) = (self.size(0), self.regions[0].span, self.register);
        let (dst, from, level) = (&F::OPERANDS[0], &F::OPERANDS[index], F::AT.overlap);
        let by = size * (1 + self.noise.below(4));
        let start = match self.levels[level] {
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
        if self.regions[0].is_indirect() {
            return self.place_indirect_over((index, src), start);
        }
        let data_type = dst.data_type(self.parts);
        let is_shared = self.levels[level] == 4
            && self.regions[index].kind == Kind::General
            && data_type == from.data_type(self.parts)
            && (src.offset / register * register..src.offset + MOST_BYTES - span).contains(&start);
        let (variable, offset) = if is_shared {
            // The variable grows to whole registers, so that it may begin where a register does.
            (src.variable, src.offset / register * register)
        } else {
            (dst.entry(self.parts), first)
        };
        let code = &mut *self.parts.code;
        dst.fields.id.set(code, FIRST_GENERAL + narrow(variable));
        dst.fields.indirect_offset.set(code, 0);
        if is_shared && src.offset != offset {
            // The source lay in a small variable within one register: its column counts from the register now.
            from.fields.col_offset.set(code, narrow((src.start - offset) / size));
        }
        let start = start.max(offset + start % register);
        dst.fields.row_offset.set(code, narrow((start - offset) / register));
        dst.fields.col_offset.set(code, narrow(start % register / size));
        let mut bytes = start + span - offset;
        if is_shared {
            bytes = bytes
                .max(src.start + self.regions[index].span - offset)
                .max(register)
                .max(src.bytes.min(GRF_BYTES - offset));
        }
        self.declare(variable, data_type, offset, bytes);
        self.levels[level] = if is_shared { 4 } else { self.overlap(start, (index, src)) };
        Placed { variable, offset, bytes, start }
    }

    /// How a destination that begins at `start` lies to a source.
    fn overlap(&self, start: usize, (index, src): (usize, Placed)) -> u8 {
        overlap_of((start, self.regions[0].span), (src.start, self.regions[index].span)) as u8
    }

    /// Places an indirect destination at `start`, in a variable of its own that lies over the source's.
    fn place_indirect_over(&mut self, src: (usize, Placed), start: usize) -> Placed {
        let mut indirection = self.indirection(0);
        let (register, size) = (self.register, self.size(0));
        let (mut before, mut behind) = indirection.margins(register);
        let first = start / register * register;
        if first < before || start + behind + size > GRF_BYTES {
            (before, behind, indirection.displacement) = (0, 0, 0);
            self.levels[F::AT.indirect_offset] = 0;
        }
        let offset = first - before;
        let end = (start + self.regions[0].span).max(start + behind + size);
        let bytes = (end - offset).next_multiple_of(register);
        let variable = self.free_variable(usize::from(self.levels[F::AT.dst_variable]));
        let data_type = any_type(self.noise);
        self.declare(variable, data_type, offset, bytes);
        let element = self.store_indirection(0, &indirection);
        small(self.parts).addresses[indirection.address_variable][element] = indirection.address(start);
        self.levels[F::AT.overlap] = self.overlap(start, src);
        Placed { variable, offset, bytes, start }
    }

    // -------------------------------------------------------------------------------------------- other classes

    /// Gives a predicate that is a source a variable that fits in the destination's type, and rarely one that does not; what is
    /// no predicate loses the fields of one.
    #[inline(always)]
    fn fill_predicate(&mut self, index: usize, fields: &PredicateFields) {
        let (parts, noise) = (&mut *self.parts, &mut *self.noise);
        if self.regions[index].kind != Kind::Predicate {
            for field in [&fields.id, &fields.reserved, &fields.combine, &fields.inverse] {
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
        let most = F::OPERANDS[0].data_type(parts).bits().max(8).trailing_zeros().min(5);
        // With fewer elements than bits something is promised from 16 elements on.
        let promised = if most == 5 { 4 + noise.below(2) } else { most as usize };
        let count = match noise.below(32) {
            0 => noise.below(6),
            1..4 => noise.below(most as usize + 1),
            _ => promised,
        };
        let value = noise.bits(32);
        small(parts).predicates[index] = PredicateVariable { value, log2_num_elements: narrow(count) };
        if noise.below(16) != 0 {
            no_predication(parts.code);
        }
    }

    /// Draws the value of an immediate source; what is none loses the fields of one.
    #[inline(always)]
    fn fill_constant(&mut self, index: usize, fields: &ConstFields) {
        let (code, at, noise) = (&mut *self.parts.code, &F::AT, &mut *self.noise);
        if self.regions[index].kind != Kind::Immediate {
            for field in [&fields.data_type, &fields.low, &fields.high] {
                field.set(code, 0);
            }
            return;
        }
        let data_type = DataType::of_code(fields.data_type.get(code));
        let bits = data_type.bits();
        let mask = u64::MAX >> (64 - bits);
        let value = match self.levels[at.immediate] {
            0 => 0,
            1 => 1,
            2 => corner(data_type, noise),
            _ => noise.word(),
        } & mask;
        let upper = match self.levels[at.immediate_upper_bits] {
            0 => 0,
            1 if value >> (bits - 1) & 1 != 0 => !mask,
            1 => 0,
            _ => noise.word() & !mask,
        };
        let low = (value | if bits < 32 { upper } else { 0 }) as u32;
        fields.low.set(code, low);
        fields.high.set(code, if bits == 64 { (value >> 32) as u32 } else { 0 });
    }

    /// Makes fresh what the instruction does not read: other variables, predicates, addresses, denormal bits.
    fn bystanders(&mut self) {
        let (operands, parts) = (F::OPERANDS, &mut *self.parts);
        let used = operands.iter().fold(0, |bits, operand| bits | denorm_bit(operand.data_type(parts)));
        let idle = (cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM) & !used;
        let (mut used, mut read) = ([false; NUM_GENERAL], [false; NUM_PREDICATES + 1]);
        let named = operands.iter().filter_map(|operand| operand.variable(parts));
        for variable in named.chain(self.placed.iter().flatten().map(|placed| placed.variable)) {
            used[variable] = true;
        }
        let predicates = operands.iter().filter_map(|operand| Some(&operand.source.as_ref()?.1.id));
        for id in predicates.chain([&PRED.id]) {
            if let Some(read) = read.get_mut(id.get(parts.code) as usize) {
                *read = true;
            }
        }
        let is_indirect = self.regions.iter().any(Region::is_indirect);
        let state = small(parts);
        let bits = self.noise.word();
        state.cr0 = (state.cr0 & !idle) | (bits as u32 & idle);
        refresh(state, |variable| used[variable], |predicate| read[predicate], self.noise);
        if !is_indirect {
            let word = self.noise.word();
            state.addresses[(word & 1) as usize][(word >> 8) as usize % ADDRESS_ELEMENTS] = (word >> 16) as u16;
        }
    }
}

/// How an indirect operand is addressed.
struct Indirection {
    address_variable: usize,
    addresses: usize,
    /// What is added to the address, in bytes.
    displacement: i32,
}

impl Indirection {
    /// Bytes that must lie before the region, so that the address is in the variable too, and bytes behind its start.
    fn margins(&self, register: usize) -> (usize, usize) {
        let before = usize::try_from(self.displacement).unwrap_or(0).next_multiple_of(register);
        (before, usize::try_from(-self.displacement).unwrap_or(0))
    }

    fn address(&self, start: usize) -> u16 {
        (start as i32 - self.displacement) as u16
    }
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
    is_read: impl Fn(usize) -> bool,
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
