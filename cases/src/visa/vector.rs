//! Vector operands: the destination and the sources of most instructions. Their types, the regions that they name, where
//! their elements lie, and how another way to name these is given to a case.
//!
//! A mistake costs a worse case or label, and no verdict.

use super::*;

/// Channels of the execution size; 1 where the code has none.
pub(super) fn exec_size(parts: &Parts<'_>) -> u32 {
    EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(1)
}

/// The elements that a stride or width code means; 0 where it means none.
pub(super) fn elements(code: u32) -> u32 {
    if let RegionCode::Elements(elements) = REGION_CODES[(code & 15) as usize] { elements } else { 0 }
}

/// The code of a stride or width that has one.
pub(super) fn code_of(count: usize) -> u32 {
    region_code(narrow(count)).expect("a stride or width has a code")
}

/// A vector operand.
#[derive(Clone, Copy)]
pub(super) struct Vector {
    /// Its fields as a general or indirect operand.
    pub fields: OperandFields,
    /// Its fields as a constant and as a predicate, if it is a source. The region of a destination is one stride.
    pub source: Option<(ConstFields, PredicateFields)>,
}

impl Vector {
    pub(super) const fn destination(fields: OperandFields) -> Self {
        Vector { fields, source: None }
    }

    pub(super) const fn source(fields: OperandFields, constant: ConstFields, predicate: PredicateFields) -> Self {
        Vector { fields, source: Some((constant, predicate)) }
    }

    pub(super) fn class(&self, parts: &Parts<'_>) -> u32 {
        self.fields.class.get(parts.code)
    }

    pub(super) fn is_general(&self, parts: &Parts<'_>) -> bool {
        self.class(parts) == class::GENERAL
    }

    pub(super) fn is_indirect(&self, parts: &Parts<'_>) -> bool {
        self.class(parts) == class::INDIRECT
    }

    /// Whether it is a region of the register file.
    pub(super) fn has_region(&self, parts: &Parts<'_>) -> bool {
        matches!(self.class(parts), class::GENERAL | class::INDIRECT)
    }

    /// Whether each row of its region has an address, as only those of sources may.
    pub(super) fn has_addresses(&self, parts: &Parts<'_>) -> bool {
        self.source.is_some() && self.fields.vert_stride.get(parts.code) == NULL
    }

    /// The number of the predicate variable that it is.
    pub(super) fn predicate(&self, parts: &Parts<'_>) -> Option<u32> {
        self.source.filter(|_| self.class(parts) == class::PREDICATE).map(|(_, predicate)| predicate.id.get(parts.code))
    }

    /// The value that it has as a constant; 0 of a destination.
    pub(super) fn constant(&self, parts: &Parts<'_>) -> u64 {
        let words = |(constant, _): (ConstFields, _)| [constant.high, constant.low].map(|field| field.get(parts.code));
        self.source.map(words).map_or(0, |[high, low]| u64::from(high) << 32 | u64::from(low))
    }

    /// The entry of the general variable that its number means.
    pub(super) fn entry(&self, parts: &Parts<'_>) -> usize {
        entry(self.fields.id.get(parts.code))
    }

    /// The address variable and the element of it that it names first as an indirect operand; numbers beyond are folded.
    pub(super) fn address(&self, parts: &Parts<'_>) -> (usize, usize) {
        let (variable, element) = (self.fields.id.get(parts.code), self.fields.addr_offset.get(parts.code));
        (variable as usize % NUM_ADDRESSES, element as usize % ADDRESS_ELEMENTS)
    }

    /// The fields of its vertical stride, its width and its horizontal stride.
    pub(super) const fn strides(&self) -> [&CodeField; 3] {
        [&self.fields.vert_stride, &self.fields.width, &self.fields.horz_stride]
    }

    /// The elements of these.
    pub(super) fn region(&self, parts: &Parts<'_>) -> [u32; 3] {
        self.strides().map(|field| elements(field.get(parts.code)))
    }

    pub(super) fn set_region(&self, code: &mut [u32], region: [usize; 3]) {
        self.strides().into_iter().zip(region).for_each(|(field, count)| field.set(code, code_of(count)));
    }

    /// Rows of its region, and channels in each.
    pub(super) fn rows(&self, parts: &Parts<'_>) -> (u32, u32) {
        let channels = exec_size(parts);
        let width = self.source.map(|_| elements(self.fields.width.get(parts.code)).clamp(1, channels));
        let columns = width.unwrap_or(channels);
        (channels / columns, columns)
    }

    /// The fields that say where it begins, but for the class: the number first.
    pub(super) const fn origin(&self) -> [&CodeField; 6] {
        let OperandFields { id, row_offset, col_offset, addr_offset, data_type, indirect_offset, .. } = &self.fields;
        [id, row_offset, col_offset, addr_offset, data_type, indirect_offset]
    }

    /// Makes it the beginning of a variable.
    pub(super) fn set_general(&self, code: &mut [u32], variable: usize) {
        self.origin().into_iter().for_each(|field| field.set(code, 0));
        put(code, [(self.fields.class, class::GENERAL), (self.fields.id, FIRST_GENERAL + narrow(variable))]);
    }

    // -------------------------------------------------------------------------------------------- types

    /// Gives it a type where its class keeps it. A destination is no predicate.
    pub(super) fn set_type(&self, parts: &mut Parts<'_>, data_type: DataType) {
        let code = data_type.code();
        match (self.class(parts), self.source) {
            (class::INDIRECT, _) => self.fields.data_type.set(parts.code, code),
            (class::IMMEDIATE, Some((constant, _))) => constant.data_type.set(parts.code, code),
            (class::PREDICATE, Some(_)) => {}
            (class, _) => {
                if class == class::PREDICATE {
                    self.fields.class.set(parts.code, class::GENERAL);
                }
                let variable = self.entry(parts);
                small(parts).variables[variable].data_type = code as u16;
            }
        }
    }

    /// Gives it a type; a predicate becomes a general operand. If its variable has the type, then it becomes another one than
    /// those that `others` have their types of.
    pub(super) fn assign_type(&self, parts: &mut Parts<'_>, others: &[Vector], data_type: DataType, noise: &mut Noise) {
        if self.class(parts) == class::PREDICATE {
            self.fields.class.set(parts.code, class::GENERAL);
        }
        if !self.has_own_type(parts) {
            let mut variable = self.entry(parts);
            while others.iter().any(|other| !other.has_own_type(parts) && other.entry(parts) == variable) {
                variable = (variable + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
                self.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
            }
        }
        self.set_type(parts, data_type);
    }

    /// Whether its type stands in the code words, or is that of all predicates.
    fn has_own_type(&self, parts: &Parts<'_>) -> bool {
        let class = self.class(parts);
        matches!(class, class::PREDICATE | class::INDIRECT) || class == class::IMMEDIATE && self.source.is_some()
    }

    // -------------------------------------------------------------------------------------------- elements

    /// The address variable and its first element that it names as an indirect operand.
    pub(super) fn address_element(&self, code: &[u32]) -> Option<(usize, usize)> {
        let (variable, element) = (self.fields.id.get(code) as usize, self.fields.addr_offset.get(code) as usize);
        (variable < NUM_ADDRESSES && element < ADDRESS_ELEMENTS).then_some((variable, element))
    }

    /// The place in the table of the variable that it names as a general operand.
    pub(super) fn declared(&self, code: &[u32]) -> Option<usize> {
        let entry = self.fields.id.get(code).checked_sub(FIRST_GENERAL)? as usize;
        (entry < NUM_GENERAL).then_some(entry)
    }

    /// Where its element of each channel lies, in bytes; none unless all lie in the file.
    pub(super) fn places(&self, parts: &Parts<'_>) -> Option<Vec<usize>> {
        let (size, channels, starts) = (self.data_type(parts).bytes(), exec_size(parts) as usize, self.starts(parts)?);
        let [vert, width, horz] = self.region(parts).map(|count| count as usize);
        let width = self.source.map_or(channels, |_| width.max(1));
        let place = |channel: usize| {
            let row = channel / width;
            let start = if starts.len() > 1 { *starts.get(row)? } else { starts[0] + row * vert * size };
            Some(start + channel % width * horz * size).filter(|place| place + size <= GRF_BYTES)
        };
        (0..channels).map(place).collect()
    }

    /// Where the rows of its region begin: one place, or one for each row if each has an address.
    fn starts(&self, parts: &Parts<'_>) -> Option<Vec<usize>> {
        if !self.is_indirect(parts) {
            return self.declared(parts.code).map(|variable| vec![self.start_in(parts, variable)]);
        }
        let (variable, element) = self.address_element(parts.code)?;
        let offset = indirect_offset(&self.fields, parts.code) as i16;
        let has_addresses = self.fields.vert_stride.get(parts.code) == NULL;
        let last = if has_addresses { ADDRESS_ELEMENTS } else { element + 1 };
        let begin = |address: &u16| usize::from(address.wrapping_add_signed(offset));
        Some(peek(parts).addresses[variable][element..last].iter().map(begin).collect())
    }

    /// Where it begins as a general operand of a variable.
    fn start_in(&self, parts: &Parts<'_>, variable: usize) -> usize {
        let rows = self.fields.row_offset.get(parts.code) as usize * register(parts);
        let column = self.fields.col_offset.get(parts.code) as usize * self.data_type(parts).bytes();
        usize::from(peek(parts).variables[variable].offset) + rows + column
    }

    // -------------------------------------------------------------------------------------------- other ways to name it

    /// Changes how much room it takes. If it lay in its variable, and in two registers, it does so afterwards, where that
    /// can be had.
    pub(super) fn reshape(&self, parts: &mut Parts<'_>, change: impl FnOnce(&mut Parts<'_>)) {
        let (was_inside, was_near) = (self.is_inside(parts), self.registers_touched(parts) <= 2);
        change(parts);
        if was_near && self.registers_touched(parts) > 2 {
            self.put_byte_in_register(parts, 0);
        }
        if was_inside && !self.is_inside(parts) {
            self.hold(parts);
        }
    }

    /// Makes it a general operand, in a variable that none of `others` names.
    pub(super) fn make_direct<'v>(&self, parts: &mut Parts<'_>, others: impl Iterator<Item = &'v Vector>) {
        let (data_type, register) = (self.data_type(parts), register(parts));
        let start = self.start(parts).unwrap_or(0).min(GRF_BYTES - register);
        if !self.has_region(parts) {
            self.set_region(parts.code, [0, 1, 0]);
        } else if self.fields.vert_stride.get(parts.code) == NULL {
            let width = self.fields.width.get(parts.code);
            self.fields.vert_stride.set(parts.code, width);
        }
        let mut variable = 0;
        for other in others.filter_map(|other| other.variable(parts)) {
            variable = (other + 1) % NUM_GENERAL;
        }
        self.set_general(parts.code, variable);
        self.fields.col_offset.set(parts.code, narrow(start % register / data_type.bytes()));
        small(parts).variables[variable] = declared(data_type, 1, start / register * register);
        self.hold(parts);
    }

    /// Makes it an operand through an address, or through one for each row of its region.
    pub(super) fn make_indirect<'v>(
        &self,
        parts: &mut Parts<'_>,
        mut others: impl Iterator<Item = &'v Vector>,
        is_each_row: bool,
    ) {
        let (data_type, start) = (self.data_type(parts), self.start(parts).unwrap_or(0));
        let vert = elements(self.fields.vert_stride.get(parts.code)) as usize * data_type.bytes();
        let rows = exec_size(parts) / elements(self.fields.width.get(parts.code)).clamp(1, exec_size(parts));
        // Another operand may have an address variable too.
        let taken = others.find(|other| other.is_indirect(parts));
        let variable = taken.map_or(0, |other| 1 - other.address(parts).0);
        self.origin().into_iter().for_each(|field| field.set(parts.code, 0));
        put(
            parts.code,
            [
                (self.fields.class, class::INDIRECT),
                (self.fields.id, narrow(variable)),
                (self.fields.data_type, data_type.code()),
            ],
        );
        if is_each_row {
            self.fields.vert_stride.set(parts.code, NULL);
        } else if self.has_addresses(parts) {
            let width = self.fields.width.get(parts.code);
            self.fields.vert_stride.set(parts.code, width);
        }
        let addresses = if is_each_row { rows as usize } else { 1 };
        for (row, address) in small(parts).addresses[variable].iter_mut().enumerate().take(addresses) {
            *address = (start + row * vert) as u16;
        }
    }

    /// Makes it a constant, if it is a source.
    pub(super) fn make_constant(&self, parts: &mut Parts<'_>) {
        let Some((constant, _)) = self.source else { return };
        let data_type = self.data_type(parts);
        put(parts.code, [(self.fields.class, class::IMMEDIATE), (constant.data_type, data_type.code())]);
        self.origin().into_iter().chain(self.strides()).for_each(|field| field.set(parts.code, 0));
    }
}

impl Operand for Vector {
    fn start(&self, parts: &Parts<'_>) -> Option<usize> {
        match self.class(parts) {
            class::GENERAL => Some(self.start_in(parts, self.entry(parts))),
            class::INDIRECT => {
                let (variable, element) = self.address(parts);
                let address = i32::from(peek(parts).addresses[variable][element]);
                usize::try_from(address + indirect_offset(&self.fields, parts.code)).ok()
            }
            _ => None,
        }
    }

    fn span(&self, parts: &Parts<'_>) -> usize {
        let ((rows, columns), [vert, _, horz]) = (self.rows(parts), self.region(parts));
        ((rows - 1) * vert + (columns - 1) * horz + 1) as usize * self.data_type(parts).bytes()
    }

    fn variable(&self, parts: &Parts<'_>) -> Option<usize> {
        self.is_general(parts).then(|| self.entry(parts))
    }

    /// Of its variable, or as it says itself. A predicate is `BOOL`.
    fn data_type(&self, parts: &Parts<'_>) -> DataType {
        match (self.class(parts), self.source) {
            (class::PREDICATE, _) => DataType::Bool,
            (class::INDIRECT, _) => DataType::of_code(self.fields.data_type.get(parts.code)),
            (class::IMMEDIATE, Some((constant, _))) => DataType::of_code(constant.data_type.get(parts.code)),
            _ => variable_type(parts, self.entry(parts)),
        }
    }

    fn put_type(&self, parts: &mut Parts<'_>, data_type: DataType) {
        self.reshape(parts, |parts| self.set_type(parts, data_type));
    }

    fn shift(&self, parts: &mut Parts<'_>, by: i32) {
        if self.is_indirect(parts) {
            let offset = indirect_offset(&self.fields, parts.code) + by;
            if INDIRECT_OFFSETS.contains(&offset) {
                self.fields.indirect_offset.set(parts.code, offset.cast_unsigned());
            }
            return;
        }
        let (Some(start), Some(variable)) = (self.start(parts), self.variable(parts)) else { return };
        let offset = i32::from(peek(parts).variables[variable].offset);
        let Ok(lead) = usize::try_from(narrow(start).cast_signed() + by - offset) else { return };
        let (register, size) = (register(parts), self.data_type(parts).bytes());
        let (row, byte) = (lead / register, lead % register);
        if row < 256 && byte % size == 0 {
            put(parts.code, [(self.fields.row_offset, narrow(row)), (self.fields.col_offset, narrow(byte / size))]);
        }
    }

    fn shift_address(&self, parts: &mut Parts<'_>, by: i32) {
        if self.is_indirect(parts) {
            let (variable, element) = self.address(parts);
            let address = &mut small(parts).addresses[variable][element];
            *address = u16::try_from(i32::from(*address) + by).unwrap_or(*address);
        }
    }
}

/// Where an operand lies: its first byte, and the bytes of the variable that it names, or that its address points into.
pub(super) struct Lying {
    pub start: usize,
    pub variable: Range<usize>,
}

impl Lying {
    pub(super) fn of(operand: &Vector, parts: &Parts<'_>) -> Option<Self> {
        let start = operand.start(parts)?;
        let variable = match operand.variable(parts) {
            Some(variable) => extent(parts, variable),
            None => (0..NUM_GENERAL).map(|variable| extent(parts, variable)).find(|bytes| bytes.contains(&start))?,
        };
        Some(Lying { start, variable })
    }
}
