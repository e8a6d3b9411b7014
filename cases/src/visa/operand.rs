//! Operands as all instructions have them: where they lie in the register file, how they are moved there, and the quantities
//! that tell of both. What an instruction adds is how an operand of its form names its bytes: [`Operand`].

use std::ops::Range;

use tandem_isa::Parts;
use tandem_isa::visa::{DataType, GRF_BYTES, GRF_SIZES, TypeKind};

use super::case::{narrow, peek, small, variable_type};

/// Bytes of a register.
#[inline(always)]
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
        if has_moved && self.is_inside(parts) {
            return;
        }
        let (Some(variable), Ok(place)) = (self.variable(parts), usize::try_from(narrow(start).cast_signed() + by))
        else {
            return;
        };
        if has_moved {
            self.shift(parts, -by);
        }
        let extent = extent(parts, variable);
        match (extent.start + place).checked_sub(start) {
            Some(offset) if offset + extent.len() <= GRF_BYTES => {
                small(parts).variables[variable].offset = offset as u16;
            }
            _ if place + self.span(parts) <= GRF_BYTES => {
                // The variable begins in the same register as the operand, and ends with it.
                let first = place / register(parts) * register(parts);
                let lead = start - extent.start;
                small(parts).variables[variable].offset = first as u16;
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

    fn byte_in_register(&self, parts: &Parts<'_>) -> u32 {
        self.start(parts).map_or(0, |start| narrow(start % register(parts)))
    }

    fn put_byte_in_register(&self, parts: &mut Parts<'_>, value: u32) {
        if (value as usize) < register(parts) {
            let by = value.cast_signed() - self.byte_in_register(parts).cast_signed();
            self.move_by(parts, by);
        }
    }

    fn registers_touched(&self, parts: &Parts<'_>) -> u32 {
        let register = register(parts);
        self.start(parts).map_or(0, |start| narrow((start % register + self.span(parts)).div_ceil(register)))
    }

    fn put_registers_touched(&self, parts: &mut Parts<'_>, value: u32) {
        let (register, span, wanted) = (register(parts), self.span(parts), value as usize);
        // From the beginning of a register, or from where it just reaches into one more.
        let byte = if span.div_ceil(register) == wanted {
            0
        } else {
            ((wanted.saturating_sub(1)) * register + 8).saturating_sub(span) / 8 * 8
        };
        self.put_byte_in_register(parts, narrow(byte));
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

    fn variable_byte(&self, parts: &Parts<'_>) -> u32 {
        self.variable(parts).map_or(0, |variable| narrow(extent(parts, variable).start % register(parts)))
    }

    fn put_variable_byte(&self, parts: &mut Parts<'_>, value: u32) {
        let Some(variable) = self.variable(parts) else { return };
        let register = register(parts);
        if (value as usize) < register {
            let declared = &mut small(parts).variables[variable];
            let first = usize::from(declared.offset) / register * register;
            declared.offset = (first + value as usize) as u16;
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

pub(super) use tandem_isa::visa::TYPE_NAMES;

/// What kinds of numbers types are, by the places of [`KINDS`].
pub(super) const KIND_NAMES: &[&str] = &["unsigned", "signed", "float", "BOOL", "packed"];

const KINDS: [TypeKind; 5] = [TypeKind::Unsigned, TypeKind::Signed, TypeKind::Float, TypeKind::Bool, TypeKind::Packed];

pub(super) fn kind_code(data_type: DataType) -> u32 {
    narrow(KINDS.iter().position(|&kind| kind == data_type.kind()).expect("these are all kinds"))
}

fn first_type(is_wanted: impl Fn(DataType) -> bool) -> Option<DataType> {
    DataType::ALL.into_iter().find(|&data_type| is_wanted(data_type))
}

/// The type of a kind that is most like another type.
pub(super) fn of_kind(like: DataType, kind: u32) -> Option<DataType> {
    let kind = *KINDS.get(kind as usize)?;
    first_type(|known| known.kind() == kind && known.bytes() == like.bytes())
        .or_else(|| first_type(|known| known.kind() == kind))
}

/// A type of the same kind, if there is one, but not the same type.
pub(super) fn another(than: DataType) -> DataType {
    match than {
        DataType::F => DataType::Hf,
        _ => match than.kind() {
            TypeKind::Unsigned => of_kind(than, 1).unwrap_or(DataType::D),
            TypeKind::Signed => of_kind(than, 0).unwrap_or(DataType::Ud),
            TypeKind::Float => DataType::F,
            TypeKind::Bool | TypeKind::Packed => DataType::D,
        },
    }
}

/// The type of elements of `bytes` bytes that is most like another type.
pub(super) fn of_bytes(like: DataType, bytes: u32) -> Option<DataType> {
    let has_bytes = |known: DataType| narrow(known.bytes()) == bytes;
    first_type(|known| known.kind() == like.kind() && has_bytes(known))
        .or_else(|| first_type(|known| known.kind() == TypeKind::Unsigned && has_bytes(known)))
}

// ------------------------------------------------------------------------------------------------ quantities

/// A quantity whose setter leaves a case alone that has the value already, and says whether the case has it afterwards.
macro_rules! settable {
    ($name:expr, $width:expr, $get:expr, $change:expr) => {
        $crate::visa::operand::settable!($name, $width, &[], $get, $change)
    };
    ($name:expr, $width:expr, $values:expr, $get:expr, $change:expr) => {
        tandem_isa::Quantity {
            name: $name,
            width: $width,
            values: $values,
            get: $get,
            set: |parts, value| {
                let (get, change): (fn(&tandem_isa::Parts<'_>) -> u32, fn(&mut tandem_isa::Parts<'_>, u32)) =
                    ($get, $change);
                if get(parts) != value {
                    change(parts, value);
                }
                get(parts) == value
            },
        }
    };
}
pub(super) use settable;

/// The type of an operand, what kind of number it is, and how large an element.
macro_rules! type_quantities {
    ($name:literal, $operand:expr) => {{
        use $crate::visa::case::narrow;
        use $crate::visa::operand::{self, Operand, settable};
        [
            settable!(
                concat!("type of ", $name),
                4,
                &operand::TYPE_NAMES,
                |parts| $operand.data_type(parts).code(),
                |parts, value| {
                    if value < 16 {
                        $operand.put_type(parts, tandem_isa::visa::DataType::of_code(value));
                    }
                }
            ),
            settable!(
                concat!("bytes of an element of ", $name),
                4,
                |parts| narrow($operand.data_type(parts).bytes()),
                |parts, value| {
                    if let Some(data_type) = operand::of_bytes($operand.data_type(parts), value) {
                        $operand.put_type(parts, data_type);
                    }
                }
            ),
            settable!(
                concat!("kind of numbers of ", $name),
                3,
                operand::KIND_NAMES,
                |parts| operand::kind_code($operand.data_type(parts)),
                |parts, value| {
                    if let Some(data_type) = operand::of_kind($operand.data_type(parts), value) {
                        $operand.put_type(parts, data_type);
                    }
                }
            ),
        ]
    }};
}
pub(super) use type_quantities;

/// Whether an operand shares bytes with another one; if not, then with none of `others`.
macro_rules! overlap_quantity {
    ($name:expr, $operand:expr, $other:expr, $others:expr) => {
        $crate::visa::operand::settable!($name, 1, |parts| $operand.overlaps(&$other, parts), |parts, value| $operand
            .put_overlaps(&$other, $others, parts, value))
    };
}
pub(super) use overlap_quantity;

/// The register at which an operand begins.
macro_rules! register_quantity {
    ($name:literal, $operand:expr) => {
        $crate::visa::operand::settable!(
            concat!("register at which ", $name, " begins"),
            12,
            |parts| $operand.first_register(parts),
            |parts, value| $operand.put_first_register(parts, value)
        )
    };
}
pub(super) use register_quantity;

/// The byte of that register at which it does.
macro_rules! byte_quantity {
    ($name:literal, $operand:expr) => {
        $crate::visa::operand::settable!(
            concat!("byte of a register at which ", $name, " begins"),
            6,
            |parts| $operand.byte_in_register(parts),
            |parts, value| $operand.put_byte_in_register(parts, value)
        )
    };
}
pub(super) use byte_quantity;

/// How many registers it touches; the function is given the operand and the number that is asked for.
macro_rules! touched_quantity {
    ($name:literal, $operand:expr, $put:expr) => {
        $crate::visa::operand::settable!(
            concat!("registers that ", $name, " touches"),
            9,
            |parts| $operand.registers_touched(parts),
            |parts, value| $put(parts, &$operand, value)
        )
    };
}
pub(super) use touched_quantity;
