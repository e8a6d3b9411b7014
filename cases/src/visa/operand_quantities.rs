//! Quantities of operands that all instructions have: types, and where an operand lies in the register file.

use std::ops::Range;

use tandem_isa::Parts;
use tandem_isa::visa::operand::{EXEC_SIZE, EXEC_SIZES};
use tandem_isa::visa::{DataType, GRF_BYTES, GRF_SIZES, TypeKind};

use super::case::{narrow, peek, small};

/// A quantity whose setter leaves a case alone that has the value already, and says whether the case has it afterwards.
macro_rules! settable {
    ($name:expr, $width:expr, $get:expr, $change:expr) => {
        settable!($name, $width, &[], $get, $change)
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

// ------------------------------------------------------------------------------------------------ types

pub(super) use tandem_isa::visa::TYPE_NAMES;

/// What kinds of numbers types are.
pub(super) const KIND_NAMES: &[&str] = &["unsigned", "signed", "float", "BOOL", "packed"];

const KINDS: [TypeKind; 5] = [TypeKind::Unsigned, TypeKind::Signed, TypeKind::Float, TypeKind::Bool, TypeKind::Packed];

pub(super) fn kind_code(data_type: DataType) -> u32 {
    match data_type.kind() {
        TypeKind::Unsigned => 0,
        TypeKind::Signed => 1,
        TypeKind::Float => 2,
        TypeKind::Bool => 3,
        TypeKind::Packed => 4,
    }
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

/// The type of an operand, what kind of number it is, and how large an element.
macro_rules! type_quantities {
    ($operand:literal, $get:path, $put:path) => {
        [
            settable!(concat!("type of ", $operand), 4, &TYPE_NAMES, |parts| $get(parts).code(), |parts, value| {
                if value < 16 {
                    $put(parts, DataType::of_code(value));
                }
            }),
            settable!(
                concat!("bytes of an element of ", $operand),
                4,
                |parts| narrow($get(parts).bytes()),
                |parts, value| {
                    if let Some(data_type) = of_bytes($get(parts), value) {
                        $put(parts, data_type);
                    }
                }
            ),
            settable!(
                concat!("kind of numbers of ", $operand),
                3,
                KIND_NAMES,
                |parts| kind_code($get(parts)),
                |parts, value| {
                    if let Some(data_type) = of_kind($get(parts), value) {
                        $put(parts, data_type);
                    }
                }
            ),
        ]
    };
}
pub(super) use type_quantities;

// ------------------------------------------------------------------------------------------------ channels

/// Chooses an execution size, if there is one of so many channels.
pub(super) fn put_exec_size(parts: &mut Parts<'_>, channels: u32) {
    if let Some(code) = EXEC_SIZES.iter().position(|&known| known == Some(channels)) {
        EXEC_SIZE.set(parts.code, narrow(code));
    }
}

// ------------------------------------------------------------------------------------------------ places

/// An operand that may lie in the register file.
pub(super) trait Operand {
    /// Its first byte in the file; none if it lies nowhere.
    fn start(parts: &Parts<'_>) -> Option<usize>;
    /// Bytes from its first element to its last.
    fn span(parts: &Parts<'_>) -> usize;
    /// The place in the table of the variable that it names.
    fn variable(parts: &Parts<'_>) -> Option<usize>;
    /// Moves it by its fields in the code word; if they do not reach so far, it stays.
    fn shift(parts: &mut Parts<'_>, by: i32);
    /// Moves it by an address; if there is none, it stays.
    fn shift_address(_: &mut Parts<'_>, _: i32) {}
}

pub(super) fn register(parts: &Parts<'_>) -> usize {
    GRF_SIZES[(peek(parts).grf_size & 1) as usize]
}

/// The bytes of a variable.
fn extent(parts: &Parts<'_>, variable: usize) -> Range<usize> {
    let declared = peek(parts).variables[variable];
    let offset = usize::from(declared.offset);
    offset..offset + usize::from(declared.num_elements) * element_bytes(parts, variable)
}

fn element_bytes(parts: &Parts<'_>, variable: usize) -> usize {
    DataType::of_code(peek(parts).variables[variable].data_type.into()).bytes()
}

/// Whether an operand lies in the variable that it names.
pub(super) fn is_inside<O: Operand>(parts: &Parts<'_>) -> bool {
    let (Some(start), Some(variable)) = (O::start(parts), O::variable(parts)) else { return false };
    let extent = extent(parts, variable);
    extent.start <= start && start + O::span(parts) <= extent.end
}

/// Gives the variable of an operand as many elements as it takes to hold it, if the file has room.
pub(super) fn hold<O: Operand>(parts: &mut Parts<'_>) {
    let (Some(start), Some(variable)) = (O::start(parts), O::variable(parts)) else { return };
    let (end, size) = (start + O::span(parts), element_bytes(parts, variable));
    let elements = end.saturating_sub(extent(parts, variable).start).div_ceil(size);
    if end <= GRF_BYTES && elements <= 4096 {
        small(parts).variables[variable].num_elements = elements as u16;
    }
}

/// Moves an operand: within its variable by the code word, or with its variable, or by both.
fn move_by<O: Operand>(parts: &mut Parts<'_>, by: i32) {
    let Some(start) = O::start(parts) else { return };
    O::shift(parts, by);
    if O::start(parts) == Some(start) {
        O::shift_address(parts, by);
    }
    let has_moved = O::start(parts) != Some(start);
    if has_moved && is_inside::<O>(parts) {
        return;
    }
    let (Some(variable), Ok(place)) = (O::variable(parts), usize::try_from(narrow(start).cast_signed() + by)) else {
        return;
    };
    if has_moved {
        O::shift(parts, -by);
    }
    let extent = extent(parts, variable);
    match (extent.start + place).checked_sub(start) {
        Some(offset) if offset + extent.len() <= GRF_BYTES => small(parts).variables[variable].offset = offset as u16,
        _ if place + O::span(parts) <= GRF_BYTES => {
            // The variable begins in the same register as the operand, and ends with it.
            let first = place / register(parts) * register(parts);
            let lead = start - extent.start;
            small(parts).variables[variable].offset = first as u16;
            O::shift(parts, narrow(place - first).cast_signed() - narrow(lead).cast_signed());
            hold::<O>(parts);
        }
        _ => {}
    }
}

pub(super) fn byte_in_register<O: Operand>(parts: &Parts<'_>) -> u32 {
    O::start(parts).map_or(0, |start| narrow(start % register(parts)))
}

pub(super) fn put_byte_in_register<O: Operand>(parts: &mut Parts<'_>, value: u32) {
    if (value as usize) < register(parts) {
        let by = value.cast_signed() - byte_in_register::<O>(parts).cast_signed();
        move_by::<O>(parts, by);
    }
}

pub(super) fn registers_touched<O: Operand>(parts: &Parts<'_>) -> u32 {
    O::start(parts).map_or(0, |start| narrow((start % register(parts) + O::span(parts)).div_ceil(register(parts))))
}

pub(super) fn put_registers_touched<O: Operand>(parts: &mut Parts<'_>, value: u32) {
    let (register, span, wanted) = (register(parts), O::span(parts), value as usize);
    // From the beginning of a register, or from where it just reaches into one more.
    let byte = if span.div_ceil(register) == wanted {
        0
    } else {
        ((wanted.saturating_sub(1)) * register + 8).saturating_sub(span) / 8 * 8
    };
    put_byte_in_register::<O>(parts, narrow(byte));
}

pub(super) fn first_register<O: Operand>(parts: &Parts<'_>) -> u32 {
    O::start(parts).map_or(0, |start| narrow(start / register(parts)))
}

pub(super) fn put_first_register<O: Operand>(parts: &mut Parts<'_>, value: u32) {
    if (value as usize) < GRF_BYTES / register(parts) {
        let by =
            (value.cast_signed() - first_register::<O>(parts).cast_signed()) * narrow(register(parts)).cast_signed();
        move_by::<O>(parts, by);
    }
}

pub(super) fn variable_byte<O: Operand>(parts: &Parts<'_>) -> u32 {
    O::variable(parts).map_or(0, |variable| narrow(extent(parts, variable).start % register(parts)))
}

pub(super) fn put_variable_byte<O: Operand>(parts: &mut Parts<'_>, value: u32) {
    let Some(variable) = O::variable(parts) else { return };
    let register = register(parts);
    if (value as usize) < register {
        let declared = &mut small(parts).variables[variable];
        let first = usize::from(declared.offset) / register * register;
        declared.offset = (first + value as usize) as u16;
    }
}

/// The bytes from the first to the last element of an operand.
pub(super) fn extent_of<O: Operand>(parts: &Parts<'_>) -> Option<Range<usize>> {
    O::start(parts).map(|start| start..start + O::span(parts))
}

/// The first register from which on `bytes` bytes are in none of `taken`.
pub(super) fn free_place(parts: &Parts<'_>, bytes: usize, taken: &[Option<Range<usize>>]) -> Option<usize> {
    let is_free =
        |&start: &usize| taken.iter().flatten().all(|other| start + bytes <= other.start || other.end <= start);
    (0..=GRF_BYTES.saturating_sub(bytes)).step_by(register(parts)).find(is_free)
}

pub(super) fn overlaps<A: Operand, B: Operand>(parts: &Parts<'_>) -> u32 {
    let (Some(first), Some(second)) = (extent_of::<A>(parts), extent_of::<B>(parts)) else { return 0 };
    u32::from(first.start < second.end && second.start < first.end)
}

/// Moves an operand to where it shares no byte with others, or, if that is asked for, to where another begins.
pub(super) fn put_overlaps<A: Operand, B: Operand>(parts: &mut Parts<'_>, value: u32, others: &[Option<Range<usize>>]) {
    let shared = A::variable(parts).filter(|_| A::variable(parts) == B::variable(parts));
    if let (0, Some(_), Some(other), Some(start)) = (value, shared, extent_of::<B>(parts), A::start(parts)) {
        // Both stay in their variable.
        let place = other.end.next_multiple_of(register(parts));
        A::shift(parts, narrow(place).cast_signed() - narrow(start).cast_signed());
        hold::<A>(parts);
    } else if value == 0 {
        let place = free_place(parts, A::span(parts), others);
        move_to::<A>(parts, place);
    } else {
        let (place, register) = (B::start(parts), register(parts));
        move_to::<A>(parts, place.map(|place| place / register * register));
        if overlaps::<A, B>(parts) == 0 {
            move_to::<A>(parts, place);
        }
    }
}

fn move_to<O: Operand>(parts: &mut Parts<'_>, place: Option<usize>) {
    if let (Some(place), Some(start)) = (place, O::start(parts)) {
        move_by::<O>(parts, narrow(place).cast_signed() - narrow(start).cast_signed());
    }
}

/// Where an operand lies, and its variable.
macro_rules! place_quantities {
    ($name:literal, $operand:ty, $put_touched:path) => {
        [
            settable!(
                concat!("byte of a register at which ", $name, " begins"),
                6,
                byte_in_register::<$operand>,
                put_byte_in_register::<$operand>
            ),
            settable!(concat!("registers that ", $name, " touches"), 9, registers_touched::<$operand>, $put_touched),
            settable!(
                concat!("register at which ", $name, " begins"),
                12,
                first_register::<$operand>,
                put_first_register::<$operand>
            ),
            settable!(
                concat!("byte of a register at which the variable of ", $name, " begins"),
                6,
                variable_byte::<$operand>,
                put_variable_byte::<$operand>
            ),
        ]
    };
}
pub(super) use place_quantities;
