//! Placing the vector operands of a case, once their types are known.
//!
//! The axes before say what is wished for; here the operands get their variables, addresses and offsets so that the rules of
//! the pages are kept, and then, rarely, one is broken on purpose. Where the types leave no room for a wish (32 channels of
//! 8 bytes do not fit in two registers), it is made smaller, and the level that the case really has is written back.

use std::marker::PhantomData;

use super::*;

/// Most bytes of a variable: less than 4 KiB.
pub(super) const MOST_BYTES: usize = 4095;

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
    pub(super) fn sources(&self) -> Range<usize> {
        1..F::OPERANDS.len()
    }

    pub(super) fn size(&self, operand: usize) -> usize {
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
            let strides = F::OF[self.sources()].iter().flat_map(|of| [of.region + 1, of.region + 2]);
            for axis in strides.chain([F::OF[0].region, mask, dispatch_size]) {
                self.levels[axis] = (F::ORTHOGONAL[axis].get)(self.parts) as u8;
            }
        }
    }

    // -------------------------------------------------------------------------------------------- regions

    /// One of some places: the first, the last, or any.
    fn slot(&mut self, level: u8, last: usize) -> usize {
        match level {
            0 => 0,
            1 => last,
            _ => self.noise.below(last + 1),
        }
    }

    /// A column of a register at which an operand begins and ends within two registers.
    fn column(&mut self, level: u8, index: usize) -> usize {
        let (span, size) = (self.regions[index].span, self.size(index));
        match level {
            2 if span <= self.register => (self.register - span) / size,
            _ => self.slot(level, (self.register / size - 1).min((2 * self.register - span) / size)),
        }
    }

    /// The size of a variable that needs `need` bytes, in bytes; a multiple of `size`.
    fn extent(&mut self, level: u8, need: usize, size: usize) -> usize {
        let bytes = match level {
            0 => need,
            1 => need.next_multiple_of(self.register),
            _ => need + size * (1 + self.noise.below(64)),
        };
        bytes.min(MOST_BYTES / size * size)
    }

    /// Where a variable begins: at a register if it is as large as one, else within one.
    fn offset(&mut self, level: u8, bytes: usize, size: usize) -> usize {
        let register = self.register;
        let first = self.slot(level, (GRF_BYTES - bytes.next_multiple_of(register)) / register);
        first * register + self.slot(level, register.saturating_sub(bytes) / size) * size
    }

    /// Rows before the region, as the level asks.
    fn rows_before(&mut self, level: u8, most: usize) -> usize {
        match level {
            0 | 1 => level.into(),
            2 => 2 + self.noise.below(6),
            _ => 8 + self.noise.below(most - 7),
        }
    }

    /// Declares a variable of at least `bytes` bytes.
    fn declare(&mut self, variable: usize, data_type: DataType, offset: usize, bytes: usize) {
        let declared = &mut small(self.parts).variables[variable];
        declared.data_type = data_type.code() as u16;
        declared.num_elements = bytes.div_ceil(data_type.bytes()) as u16;
        declared.offset = offset as u16;
    }

    /// What is wished for the place of an operand: row, column, extent and place.
    fn wish(&self, index: usize) -> [u8; 4] {
        std::array::from_fn(|axis| self.levels[F::OF[index].row + axis])
    }

    /// Names a variable, and a row and a column of it.
    fn name(&mut self, index: usize, variable: usize, row: usize, column: usize) {
        let (fields, code) = (&F::OPERANDS[index].fields, &mut *self.parts.code);
        put(
            code,
            [
                (fields.id, FIRST_GENERAL + narrow(variable)),
                (fields.row_offset, narrow(row)),
                (fields.col_offset, narrow(column)),
                (fields.indirect_offset, 0),
            ],
        );
    }

    /// Gives a general operand a variable and a place in it.
    fn place_general(&mut self, index: usize) -> Placed {
        let ([row, col, wide, place], span) = (self.wish(index), self.regions[index].span);
        let (data_type, variable) = (F::OPERANDS[index].data_type(self.parts), F::OPERANDS[index].entry(self.parts));
        let (size, col) = (data_type.bytes(), self.column(col, index));
        let row = self.rows_before(row, (MOST_BYTES / size * size - col * size - span) / self.register);
        let lead = row * self.register + col * size;
        let bytes = self.extent(wide, lead + span, size);
        let offset = self.offset(place, bytes, size);
        self.name(index, variable, row, col);
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
            self.store_address(&indirection, first + element, begin);
        }
        Placed { variable, offset, bytes, start }
    }

    /// The wishes for an indirect operand. The destination uses an address variable after those of the sources.
    fn indirection(&mut self, index: usize) -> Indirection {
        let (at, region, size) = (&F::AT, &self.regions[index], self.size(index) as i32);
        let steps = self.noise.below((511 / size) as usize) as i32 + 1;
        let displacements = [0, size * steps, -size * steps, -512, 511 / size * size];
        let sources = 1..if index == 0 { F::OPERANDS.len() } else { index };
        let before = self.regions[sources].iter().filter(|region| region.is_indirect()).count();
        Indirection {
            address_variable: (usize::from(self.levels[at.address_variable]) + before) % NUM_ADDRESSES,
            addresses: if region.kind == Kind::AddressPerRow { region.rows(self.channels) } else { 1 },
            displacement: displacements[usize::from(self.levels[at.indirect_offset])],
        }
    }

    /// Writes the fields of an indirect operand, but not its address; returns the first element of the address variable.
    fn store_indirection(&mut self, index: usize, indirection: &Indirection) -> usize {
        let first = self.slot(self.levels[F::AT.address_element], ADDRESS_ELEMENTS - indirection.addresses);
        self.name(index, 0, 0, 0);
        let (fields, code) = (&F::OPERANDS[index].fields, &mut *self.parts.code);
        put(
            code,
            [
                (fields.id, narrow(indirection.address_variable)),
                (fields.addr_offset, narrow(first)),
                (fields.indirect_offset, indirection.displacement.cast_unsigned()),
            ],
        );
        first
    }

    /// Writes the address of what begins at a byte.
    fn store_address(&mut self, indirection: &Indirection, element: usize, start: usize) {
        let address = (start as i32 - indirection.displacement) as u16;
        small(self.parts).addresses[indirection.address_variable][element] = address;
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
                Some(self.place_indirect(index, self.free_variable(wished)))
            }
            Kind::Immediate | Kind::Predicate => {
                let [_, row, column, element, _, offset] = F::OPERANDS[index].origin();
                [row, column, element, offset].into_iter().for_each(|field| field.set(self.parts.code, 0));
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
        match first {
            Some(src) if self.levels[F::AT.overlap] > 0 => self.place_over(src),
            _ if self.regions[0].is_indirect() => {
                self.place_indirect(0, self.free_variable(usize::from(self.levels[F::AT.dst_variable])))
            }
            _ => self.place_general(0),
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
        let start = first + ((start - first) / size).min(last) * size;
        if self.regions[0].is_indirect() {
            return self.place_indirect_over((index, src), start);
        }
        let data_type = dst.data_type(self.parts);
        // The variable grows to whole registers, so that it may begin where a register does.
        let whole = src.offset / register * register;
        let is_shared = self.levels[level] == 4
            && self.regions[index].kind == Kind::General
            && data_type == from.data_type(self.parts)
            && (whole..src.offset + MOST_BYTES - span).contains(&start);
        let (variable, offset) = if is_shared { (src.variable, whole) } else { (dst.entry(self.parts), first) };
        if is_shared && src.offset != offset {
            // The source lay in a small variable within one register: its column counts from the register now.
            from.fields.col_offset.set(self.parts.code, narrow((src.start - offset) / size));
        }
        let start = start.max(offset + start % register);
        self.name(0, variable, (start - offset) / register, start % register / size);
        let mut bytes = start + span - offset;
        if is_shared {
            let of_src = src.start + self.regions[index].span - offset;
            bytes = bytes.max(of_src).max(register).max(src.bytes.min(GRF_BYTES - offset));
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
        let (mut indirection, register, size) = (self.indirection(0), self.register, self.size(0));
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
        self.store_address(&indirection, element, start);
        self.levels[F::AT.overlap] = self.overlap(start, src);
        Placed { variable, offset, bytes, start }
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
}
