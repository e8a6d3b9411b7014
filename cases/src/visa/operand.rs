//! Operands as all instructions have them: a table of slots, where the operands lie in the register file, how they are moved
//! there, and the quantities that tell of both. What an instruction adds is how an operand of its form names its bytes:
//! [`Operand`].

use super::*;

/// The operands of an instruction, the destination first.
pub(super) trait Slots: Sized + 'static {
    type Operand: Operand + 'static;
    const OPERANDS: &'static [Self::Operand];
    /// What axes and quantities call each.
    const NAMES: &'static [Names];

    /// Lets an operand touch as many registers as asked for.
    fn put_touched(parts: &mut Parts<'_>, operand: &Self::Operand, value: u32);
}

/// What the axes and quantities of an operand are called.
pub(super) struct Names {
    /// The axes of its type and of its class; of the stride of a destination; of the shape of a source's region, its strides and
    /// its width; of its row, its column, its extent, and the place of its variable.
    pub own: [&'static str; 2],
    pub stride: &'static str,
    pub region: [&'static str; 4],
    pub place: [&'static str; 4],
    /// The quantities of its type, the bytes of an element, and the kind of number; of its shape, horizontal and vertical stride,
    /// and width; of its byte, the registers that it touches, the first of them, and the byte of its variable; of how it names
    /// its elements; of how widths, types and bytes of the destination go with it as a source.
    pub types: [&'static str; 3],
    pub shape: [&'static str; 4],
    pub bytes: [&'static str; 4],
    pub addressing: &'static str,
    pub pair: [&'static str; 3],
    /// The axis and the quantity of its denormals.
    pub denormals: [&'static str; 2],
}

/// The names of an operand, by what axes and quantities call it.
macro_rules! names {
    (@ $($before:literal $name:literal $behind:literal),+) => { [$(concat!($before, $name, $behind)),+] };
    ($axis:literal, $name:literal) => {
        Names {
            own: names!(@ "" $axis "_type", "" $axis "_class"),
            stride: concat!($axis, "_stride"),
            region: names!(@ "" $axis "_region", "" $axis "_vert_stride", "" $axis "_width", "" $axis "_horz_stride"),
            place: names!(@ "" $axis "_row", "" $axis "_column", "" $axis "_extent", "" $axis "_place"),
            types: names!(@ "type of " $name "", "bytes of an element of " $name "", "kind of numbers of " $name ""),
            shape: names!(@ "region of " $name "", "horizontal stride of " $name "", "vertical stride of " $name "",
                "width of a row of " $name ""),
            bytes: names!(@ "byte of a register at which " $name " begins", "registers that " $name " touches",
                "register at which " $name " begins", "byte of a register at which the variable of " $name " begins"),
            addressing: concat!("addressing of ", $name),
            pair: names!(@ "elements of Dst next to those of " $name "", "types of Dst and " $name "",
                "Dst overlaps " $name ""),
            denormals: names!(@ "denorm_of_" $axis "_type", "denormals of " $name " as used"),
        }
    };
}
pub(super) use names;

/// Bytes of a register.
pub(super) fn register(parts: &Parts<'_>) -> usize {
    GRF_SIZES[(peek(parts).grf_size & 1) as usize]
}

/// The bytes of a variable.
pub(super) fn extent(parts: &Parts<'_>, variable: usize) -> Range<usize> {
    let declared = peek(parts).variables[variable];
    let offset = usize::from(declared.offset);
    offset..offset + usize::from(declared.num_elements) * variable_type(parts, variable).bytes()
}

/// An operand that may lie in the register file.
pub(super) trait Operand: Copy {
    /// Its first byte in the file; none if it lies nowhere.
    fn start(&self, parts: &Parts<'_>) -> Option<usize>;
    /// Bytes from its first element to its last.
    fn span(&self, parts: &Parts<'_>) -> usize;
    /// The place in the table of the variable that it names.
    fn variable(&self, parts: &Parts<'_>) -> Option<usize>;
    /// The type of its elements.
    fn data_type(&self, parts: &Parts<'_>) -> DataType;
    /// Gives its elements a type, and its variable room for them.
    fn put_type(&self, parts: &mut Parts<'_>, data_type: DataType);
    /// Moves it by its fields in the code word; if they do not reach so far, it stays.
    fn shift(&self, parts: &mut Parts<'_>, by: i32);
    /// Moves it by an address; if there is none, it stays.
    fn shift_address(&self, _: &mut Parts<'_>, _: i32) {}

    /// The bytes from its first to its last element.
    fn bytes(&self, parts: &Parts<'_>) -> Option<Range<usize>> {
        self.start(parts).map(|start| start..start + self.span(parts))
    }

    /// Whether it lies in the variable that it names.
    fn is_inside(&self, parts: &Parts<'_>) -> bool {
        let (Some(bytes), Some(variable)) = (self.bytes(parts), self.variable(parts)) else { return false };
        let extent = extent(parts, variable);
        extent.start <= bytes.start && bytes.end <= extent.end
    }

    /// Gives its variable as many elements as it takes to hold it, if the file has room.
    fn hold(&self, parts: &mut Parts<'_>) {
        let (Some(bytes), Some(variable)) = (self.bytes(parts), self.variable(parts)) else { return };
        let size = variable_type(parts, variable).bytes();
        let elements = bytes.end.saturating_sub(extent(parts, variable).start).div_ceil(size);
        if bytes.end <= GRF_BYTES && elements <= 4096 {
            small(parts).variables[variable].num_elements = elements as u16;
        }
    }

    /// Moves it: within its variable by the code word, or with its variable, or by both.
    fn move_by(&self, parts: &mut Parts<'_>, by: i32) {
        let Some(start) = self.start(parts) else { return };
        self.shift(parts, by);
        if self.start(parts) == Some(start) {
            self.shift_address(parts, by);
        }
        let has_moved = self.start(parts) != Some(start);
        let (Some(variable), Ok(place)) = (self.variable(parts), usize::try_from(narrow(start).cast_signed() + by))
        else {
            return;
        };
        if has_moved && self.is_inside(parts) {
            return;
        }
        if has_moved {
            self.shift(parts, -by);
        }
        let (extent, register) = (extent(parts, variable), register(parts));
        match (extent.start + place).checked_sub(start) {
            Some(offset) if offset + extent.len() <= GRF_BYTES => {
                small(parts).variables[variable].offset = offset as u16
            }
            _ if place + self.span(parts) <= GRF_BYTES => {
                // The variable begins in the same register as the operand, and ends with it.
                let first = place / register * register;
                small(parts).variables[variable].offset = first as u16;
                let lead = start - extent.start;
                self.shift(parts, narrow(place - first).cast_signed() - narrow(lead).cast_signed());
                self.hold(parts);
            }
            _ => {}
        }
    }

    /// Moves it to where it begins at a byte, if that is given.
    fn move_to(&self, parts: &mut Parts<'_>, place: Option<usize>) {
        if let (Some(place), Some(start)) = (place, self.start(parts)) {
            self.move_by(parts, narrow(place).cast_signed() - narrow(start).cast_signed());
        }
    }

    /// The byte of a register at which it begins.
    fn byte_in_register(&self, parts: &Parts<'_>) -> u32 {
        self.start(parts).map_or(0, |start| narrow(start % register(parts)))
    }

    fn put_byte_in_register(&self, parts: &mut Parts<'_>, value: u32) {
        if (value as usize) < register(parts) {
            self.move_by(parts, value.cast_signed() - self.byte_in_register(parts).cast_signed());
        }
    }

    fn registers_touched(&self, parts: &Parts<'_>) -> u32 {
        let register = register(parts);
        self.start(parts).map_or(0, |start| narrow((start % register + self.span(parts)).div_ceil(register)))
    }

    fn put_registers_touched(&self, parts: &mut Parts<'_>, value: u32) {
        let (register, span, wanted) = (register(parts), self.span(parts), value as usize);
        // From the beginning of a register, or from where it just reaches into one more.
        let into = || (wanted.saturating_sub(1) * register + 8).saturating_sub(span) / 8 * 8;
        self.put_byte_in_register(parts, narrow(if span.div_ceil(register) == wanted { 0 } else { into() }));
    }

    fn first_register(&self, parts: &Parts<'_>) -> u32 {
        self.start(parts).map_or(0, |start| narrow(start / register(parts)))
    }

    fn put_first_register(&self, parts: &mut Parts<'_>, value: u32) {
        if (value as usize) < GRF_BYTES / register(parts) {
            let by = value.cast_signed() - self.first_register(parts).cast_signed();
            self.move_by(parts, by * narrow(register(parts)).cast_signed());
        }
    }

    /// The byte of a register at which its variable begins.
    fn variable_byte(&self, parts: &Parts<'_>) -> u32 {
        self.variable(parts).map_or(0, |variable| narrow(extent(parts, variable).start % register(parts)))
    }

    fn put_variable_byte(&self, parts: &mut Parts<'_>, value: u32) {
        let (Some(variable), register) = (self.variable(parts), register(parts)) else { return };
        if (value as usize) < register {
            let offset = &mut small(parts).variables[variable].offset;
            *offset = (usize::from(*offset) / register * register + value as usize) as u16;
        }
    }

    /// Whether it shares bytes with another one.
    fn overlaps(&self, other: &Self, parts: &Parts<'_>) -> u32 {
        let (Some(first), Some(second)) = (self.bytes(parts), other.bytes(parts)) else { return 0 };
        u32::from(first.start < second.end && second.start < first.end)
    }

    /// Moves it to where it shares no byte with others, or, if that is asked for, to where another begins.
    fn put_overlaps(&self, other: &Self, others: &[Self], parts: &mut Parts<'_>, value: u32) {
        let shared = self.variable(parts).filter(|_| self.variable(parts) == other.variable(parts));
        if let (0, Some(_), Some(bytes), Some(start)) = (value, shared, other.bytes(parts), self.start(parts)) {
            // Both stay in their variable.
            let place = bytes.end.next_multiple_of(register(parts));
            self.shift(parts, narrow(place).cast_signed() - narrow(start).cast_signed());
            self.hold(parts);
        } else if value == 0 {
            let place = free_place(parts, self.span(parts), others);
            self.move_to(parts, place);
        } else {
            let (place, register) = (other.start(parts), register(parts));
            self.move_to(parts, place.map(|place| place / register * register));
            if self.overlaps(other, parts) == 0 {
                self.move_to(parts, place);
            }
        }
    }
}

/// The first register from which on `bytes` bytes are in none of some operands.
pub(super) fn free_place<O: Operand>(parts: &Parts<'_>, bytes: usize, others: &[O]) -> Option<usize> {
    let is_free = |&start: &usize| {
        let mut taken = others.iter().filter_map(|other| other.bytes(parts));
        taken.all(|other| start + bytes <= other.start || other.end <= start)
    };
    (0..=GRF_BYTES.saturating_sub(bytes)).step_by(register(parts)).find(is_free)
}

// ------------------------------------------------------------------------------------------------ types

/// What kinds of numbers types are.
const KINDS: [TypeKind; 5] = [TypeKind::Unsigned, TypeKind::Signed, TypeKind::Float, TypeKind::Bool, TypeKind::Packed];

fn first_type(is_wanted: impl Fn(DataType) -> bool) -> Option<DataType> {
    DataType::ALL.into_iter().find(|&data_type| is_wanted(data_type))
}

/// The type of a kind that is most like another type.
fn of_kind(like: DataType, kind: u32) -> Option<DataType> {
    let kind = *KINDS.get(kind as usize)?;
    first_type(|known| known.kind() == kind && known.bytes() == like.bytes())
        .or_else(|| first_type(|known| known.kind() == kind))
}

/// A type of the same kind, if there is one, but not the same type.
pub(super) fn another(than: DataType) -> DataType {
    match than.kind() {
        _ if than == DataType::F => DataType::Hf,
        TypeKind::Unsigned => of_kind(than, 1).unwrap_or(DataType::D),
        TypeKind::Signed => of_kind(than, 0).unwrap_or(DataType::Ud),
        TypeKind::Float => DataType::F,
        TypeKind::Bool | TypeKind::Packed => DataType::D,
    }
}

/// The type of elements of `bytes` bytes that is most like another type.
pub(super) fn of_bytes(like: DataType, bytes: u32) -> Option<DataType> {
    let has_bytes = |known: DataType| narrow(known.bytes()) == bytes;
    first_type(|known| known.kind() == like.kind() && has_bytes(known))
        .or_else(|| first_type(|known| known.kind() == TypeKind::Unsigned && has_bytes(known)))
}

// ------------------------------------------------------------------------------------------------ quantities

/// The type of an operand, what kind of number it is, and how large an element.
pub(super) const fn type_quantities<S: Slots, const N: usize>() -> [Quantity; 3] {
    fn of<S: Slots, const N: usize>(parts: &Parts<'_>) -> DataType {
        S::OPERANDS[N].data_type(parts)
    }
    fn put<S: Slots, const N: usize>(parts: &mut Parts<'_>, data_type: Option<DataType>) {
        if let Some(data_type) = data_type {
            S::OPERANDS[N].put_type(parts, data_type);
        }
    }
    let [data_type, bytes, kind] = S::NAMES[N].types;
    quantities! {
        data_type, 4, |parts| of::<S, N>(parts).code(),
            |parts, value| put::<S, N>(parts, (value < 16).then(|| DataType::of_code(value))), &TYPE_NAMES;
        bytes, 4, |parts| narrow(of::<S, N>(parts).bytes()),
            |parts, value| put::<S, N>(parts, of_bytes(of::<S, N>(parts), value));
        kind, 3, |parts| {
            let kind = of::<S, N>(parts).kind();
            narrow(KINDS.iter().position(|&known| known == kind).expect("these are all kinds"))
        }, |parts, value| put::<S, N>(parts, of_kind(of::<S, N>(parts), value)),
            &["unsigned", "signed", "float", "BOOL", "packed"];
    }
}

/// Whether the destination shares bytes with a source; if not, then with none.
pub(super) const fn overlap_quantity<S: Slots, const N: usize>() -> [Quantity; 1] {
    quantities! {
        S::NAMES[N].pair[2], 1, |parts| S::OPERANDS[0].overlaps(&S::OPERANDS[N], parts),
            |parts, value| S::OPERANDS[0].put_overlaps(&S::OPERANDS[N], &S::OPERANDS[1..], parts, value);
    }
}

/// Where an operand lies: the byte of a register at which it begins, the registers that it touches, the first of them, and
/// the byte at which its variable begins.
pub(super) const fn place_quantities<S: Slots, const N: usize>() -> [Quantity; 4] {
    let [byte, touched, register, variable] = S::NAMES[N].bytes;
    quantities! {
        byte, 6, |parts| S::OPERANDS[N].byte_in_register(parts),
            |parts, value| S::OPERANDS[N].put_byte_in_register(parts, value);
        touched, 9, |parts| S::OPERANDS[N].registers_touched(parts),
            |parts, value| S::put_touched(parts, &S::OPERANDS[N], value);
        register, 12, |parts| S::OPERANDS[N].first_register(parts),
            |parts, value| S::OPERANDS[N].put_first_register(parts, value);
        variable, 6, |parts| S::OPERANDS[N].variable_byte(parts),
            |parts, value| S::OPERANDS[N].put_variable_byte(parts, value);
    }
}
