//! Larger steps for making a `DPAS` case smaller: several parts change together, and data move with their operands.
//!
//! Where elements lie is worked out for moving their data; whether a reduced case
//! still shows what the larger one did is found by running it, so a mistake here costs size and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::visa::operand::EXEC_SIZE;
use tandem_isa::visa::operand::dpas::{A, NULL_VARIABLE, RC, SD, W};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{BASE_ELEMENTS, BASE_SPACING, DataType, GRF_BYTES, GeneralVariable, Small, XEHP};
use tandem_isa::{CodeField, Parts, State};

use super::case::narrow;
use super::dpas_operands::{DST, OPERANDS, SRC0, Shape, at, element_bits, src0_type, starts};
use super::dpas_pairs::{activations, pair, weights};
use super::operand::Operand;
use super::vector_reduce::with_parts;

/// What becomes of the elements.
#[derive(Clone, Copy)]
enum Change {
    /// They stay what they are.
    Nothing,
    /// One row, the first.
    Row(usize),
    /// Eight channels from this one on, or this one, which become the first.
    Channels { first: usize, count: usize },
    /// One product of each sum, the first.
    Product(usize),
    /// The products that are not zero everywhere come first.
    Pack,
    /// A systolic depth of 8.
    Depth,
    /// Weights or activations of `s8`.
    S8(CodeField),
    /// Weights and activations of `s8`, sums in `UD`.
    Integers,
    /// No accumulator.
    NoSrc0,
    /// Sums of the type that takes the fewest fields: `UD`, or `F` without an accumulator of memory.
    Sums,
    /// One more operand names the variable of another, where it lies already.
    SameVariable(usize, usize),
}

const LOW_CHANNELS: Change = Change::Channels { first: 0, count: 8 };
const HIGH_CHANNELS: Change = Change::Channels { first: 8, count: 8 };

/// Where operands go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// They stay, and keep their variables.
    Kept,
    /// They stay, each at the beginning of the variable that it has in the base case.
    Named,
    /// All to the beginnings of the variables of the base case.
    Base,
    /// Likewise, but what shares registers with this one keeps its distance from it.
    Around(usize),
    /// This one alone; the others as in [`Places::Named`].
    Alone(usize),
}

/// The steps that do not name a row, a channel or a product, boldest first.
const STEPS: &[(Change, Places)] = &[
    (Change::Integers, Places::Base),
    (Change::Sums, Places::Base),
    (Change::Nothing, Places::Base),
    (LOW_CHANNELS, Places::Base),
    (HIGH_CHANNELS, Places::Base),
    (Change::Nothing, Places::Around(at::DST)),
    (Change::Nothing, Places::Around(at::SRC0)),
    (Change::Nothing, Places::Around(at::SRC1)),
    (Change::Nothing, Places::Around(at::SRC2)),
    (Change::Nothing, Places::Alone(at::DST)),
    (Change::Nothing, Places::Alone(at::SRC0)),
    (Change::Nothing, Places::Alone(at::SRC1)),
    (Change::Nothing, Places::Alone(at::SRC2)),
    (Change::Nothing, Places::Named),
    (Change::Integers, Places::Kept),
    (Change::Sums, Places::Kept),
    (Change::NoSrc0, Places::Kept),
    (LOW_CHANNELS, Places::Kept),
    (HIGH_CHANNELS, Places::Kept),
    (Change::Depth, Places::Kept),
    (Change::S8(W), Places::Kept),
    (Change::S8(A), Places::Kept),
    (Change::Pack, Places::Kept),
    (Change::SameVariable(at::SRC0, at::DST), Places::Kept),
    (Change::SameVariable(at::DST, at::SRC0), Places::Kept),
    (Change::SameVariable(at::DST, at::SRC1), Places::Kept),
    (Change::SameVariable(at::DST, at::SRC2), Places::Kept),
    (Change::SameVariable(at::SRC0, at::SRC1), Places::Kept),
    (Change::SameVariable(at::SRC2, at::SRC1), Places::Kept),
];

const ROWS: usize = 8;
const CHANNELS: usize = 16;
const PRODUCTS: usize = 64;

/// How many steps there are.
pub(super) const REDUCTIONS: usize = STEPS.len() + ROWS + CHANNELS + PRODUCTS;

/// The step of a number below [`REDUCTIONS`].
fn step(number: usize) -> (Change, Places) {
    let Some(rest) = number.checked_sub(STEPS.len()) else { return STEPS[number] };
    let change = match rest {
        _ if rest < ROWS => Change::Row(rest),
        _ if rest < ROWS + CHANNELS => Change::Channels { first: rest - ROWS, count: 1 },
        _ => Change::Product(rest - ROWS - CHANNELS),
    };
    (change, Places::Kept)
}

/// Takes step `number`; false if it does not apply, and the case is then of no use.
pub(super) fn reduce(number: usize, code: &mut [u32], state: &mut State) -> bool {
    let (change, places) = step(number);
    Case { code, state }.take(change, places).is_some()
}

/// An element of an operand. Rows are counted in `Dst`, `Src0` and `Src2`, channels in all but `Src2`, products in `Src1`
/// and `Src2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    operand: usize,
    /// The row; of `Src1`, the channel.
    line: usize,
    /// The product; of `Dst` and `Src0`, the channel.
    place: usize,
}

/// How the elements of a case lie.
struct Packing {
    shape: Shape,
    starts: [Option<usize>; 4],
    /// Bits of an element of each operand.
    widths: [usize; 4],
    /// Lines of each operand, and places in a line.
    sizes: [(usize, usize); 4],
}

impl Packing {
    fn of(parts: &Parts<'_>) -> Self {
        let shape = Shape::of(parts);
        let Shape { rows, channels, depth, ops, .. } = shape;
        let sums = [Some(DST.data_type(parts)), src0_type(parts)].map(|sum| 8 * sum.map_or(0, DataType::bytes));
        let factors = [weights(parts), activations(parts)].map(element_bits);
        Packing {
            shape,
            starts: starts(parts),
            widths: [sums[0], sums[1], factors[0], factors[1]],
            sizes: [(rows, channels), (rows, channels), (channels, depth * ops), (rows, depth * ops)],
        }
    }

    fn elements(&self) -> impl Iterator<Item = Element> {
        let lines = |(operand, (lines, places))| {
            (0..lines).flat_map(move |line| (0..places).map(move |place| Element { operand, line, place }))
        };
        self.sizes.into_iter().enumerate().flat_map(lines)
    }

    /// The first bit of an element in the file; none if it does not lie there.
    fn bit(&self, Element { operand, line, place }: Element) -> Option<usize> {
        let (shape, width, (lines, places)) = (&self.shape, self.widths[operand], self.sizes[operand]);
        if line >= lines || place >= places || width == 0 {
            return None;
        }
        let within = match operand {
            at::SRC1 => {
                let (depth, op) = (place / shape.ops, place % shape.ops);
                let (register, part) = (depth / shape.per_register, depth % shape.per_register);
                8 * (register * shape.register + 4 * line) + (part * shape.ops + op) * width
            }
            at::SRC2 => line * shape.pitch + place * width,
            _ => (line * shape.channels + place) * width,
        };
        let bit = 8 * self.starts[operand]? + within;
        (bit + width <= 8 * GRF_BYTES).then_some(bit)
    }
}

/// The bits of an element, which lies within four bytes.
fn bits(file: &[u8], bit: usize, width: usize) -> u32 {
    (0..width).fold(0, |value, number| {
        let at = bit + number;
        value | u32::from(file[at / 8] >> (at % 8) & 1) << number
    })
}

/// Sets the bits of an element that are set in `value`.
fn put(file: &mut [u8], bit: usize, width: usize, value: u32) {
    for at in (0..width).filter(|number| value >> number & 1 != 0).map(|number| bit + number) {
        file[at / 8] |= 1 << (at % 8);
    }
}

/// Clears the bits of an element that are set in `value`.
fn clear(file: &mut [u8], bit: usize, value: u32) {
    for at in (0..32).filter(|number| value >> number & 1 != 0).map(|number| bit + number) {
        file[at / 8] &= !(1 << (at % 8));
    }
}

/// A case that is made smaller.
struct Case<'a> {
    code: &'a mut [u32],
    state: &'a mut State,
}

impl Case<'_> {
    fn with<T>(&mut self, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        with_parts(self.code, self.state, look)
    }

    fn small(&mut self) -> &mut Small {
        bytemuck::from_bytes_mut(&mut self.state.small)
    }

    /// Takes a step; none if it does not apply.
    fn take(&mut self, change: Change, places: Places) -> Option<()> {
        let (old, signed) = self.with(|parts| {
            let is_signed = |precision: Option<Precision>| {
                precision.is_some_and(|precision| precision.kind() == PrecisionKind::Signed)
            };
            (Packing::of(parts), [is_signed(weights(parts)), is_signed(activations(parts))])
        });
        let mut data = BTreeMap::new();
        // What a fault takes for elements lies around them.
        let mut around = self.state.arena.to_vec();
        for element in old.elements() {
            let Some(bit) = old.bit(element) else { continue };
            let width = old.widths[element.operand];
            let value = bits(&self.state.arena, bit, width);
            let is_signed = element.operand >= at::SRC1 && signed[element.operand - at::SRC1];
            let is_negative = is_signed && value >> (width - 1) & 1 != 0;
            if value != 0 {
                clear(&mut around, bit, value);
                let extension = if is_negative { u32::MAX.checked_shl(narrow(width)).unwrap_or(0) } else { 0 };
                data.insert(element, value | extension);
            }
        }
        self.set(change, &old)?;
        self.place(places, &old);
        let products = common_products(&data);
        let new = self.with(|parts| Packing::of(parts));
        self.state.arena.fill(0);
        for (byte, &value) in around.iter().enumerate().filter(|(_, value)| **value != 0) {
            let before = |operand: usize| Some((old.starts[operand].filter(|&start| start <= byte)?, operand));
            let owner = (0..4).filter_map(before).max();
            let start = owner.and_then(|(start, operand)| Some(byte - start + new.starts[operand]?)).unwrap_or(byte);
            if start < GRF_BYTES {
                self.state.arena[start] |= value;
            }
        }
        for (element, value) in data {
            let moved = moved(change, element, &products);
            if let Some((element, bit)) = moved.and_then(|element| Some((element, new.bit(element)?))) {
                put(&mut self.state.arena, bit, new.widths[element.operand], value);
            }
        }
        Some(())
    }

    /// Sets the fields of code and state that a change asks for; none if it does not apply.
    fn set(&mut self, change: Change, old: &Packing) -> Option<()> {
        let applies = match change {
            Change::Nothing | Change::Pack => true,
            Change::Product(product) => product < old.shape.depth * old.shape.ops,
            Change::Row(row) => {
                RC.set(self.code, 1);
                row < old.shape.rows
            }
            Change::Channels { first, count } => {
                EXEC_SIZE.set(self.code, 3);
                self.small().grf_size = 0;
                first + count <= old.shape.channels
            }
            Change::Depth => {
                let depth = SD.get(self.code);
                SD.set(self.code, 8);
                self.small().platform = XEHP;
                depth != 8
            }
            Change::S8(field) => {
                let precision = field.get(self.code);
                field.set(self.code, Precision::S8.code());
                precision != Precision::S8.code()
            }
            Change::Integers => {
                W.set(self.code, Precision::S8.code());
                A.set(self.code, Precision::S8.code());
                self.small().model = 0;
                self.set_sums(DataType::Ud);
                true
            }
            Change::NoSrc0 => {
                self.drop_src0();
                old.starts[at::SRC0].is_some()
            }
            Change::Sums => {
                let is_float = self.with(|parts| pair(parts).is_summed_in_float());
                if is_float {
                    self.drop_src0();
                }
                self.set_sums(if is_float { DataType::F } else { DataType::Ud });
                true
            }
            Change::SameVariable(this, other) => {
                self.with(|parts| {
                    let (id, lead) = (OPERANDS[other].id.get(parts.code), OPERANDS[other].lead(parts));
                    OPERANDS[this].id.set(parts.code, id);
                    OPERANDS[this].set_lead(parts, lead);
                });
                old.starts[this] == old.starts[other]
            }
        };
        applies.then_some(())
    }

    fn drop_src0(&mut self) {
        SRC0.id.set(self.code, NULL_VARIABLE);
        self.with(|parts| SRC0.set_lead(parts, 0));
    }

    /// Gives destination and accumulator a type.
    fn set_sums(&mut self, data_type: DataType) {
        for operand in [DST, SRC0] {
            if let Some(variable) = self.with(|parts| operand.variable(parts)) {
                self.small().variables[variable].data_type = data_type.code() as u16;
            }
        }
    }

    /// Moves operands; their types stay.
    fn place(&mut self, places: Places, old: &Packing) {
        if places == Places::Kept {
            return;
        }
        let shape = self.with(|parts| Shape::of(parts));
        let span = |operand: usize| old.starts[operand].map(|start| (start, start + old.shape.bytes[operand]));
        let touches = |one: usize, other: usize| match (span(one), span(other)) {
            (Some(one), Some(other)) => one.0 < other.1 && other.0 < one.1,
            _ => false,
        };
        // A null operand has no type.
        let types =
            OPERANDS.map(|operand| self.with(|parts| operand.variable(parts).map(|_| operand.data_type(parts))));
        for (number, operand) in OPERANDS.iter().enumerate() {
            let start = match (old.starts[number], places) {
                (Some(start), Places::Kept | Places::Named) => start,
                (Some(start), Places::Alone(moved)) if moved != number => start,
                (Some(start), Places::Around(middle)) if touches(number, middle) => {
                    (start + middle * BASE_SPACING).saturating_sub(old.starts[middle].unwrap_or(0))
                }
                _ => number * BASE_SPACING,
            };
            let data_type = types[number].unwrap_or(DataType::Ud);
            let (first, offset) = (start - start % shape.register, start % shape.register);
            let (size, need) = (data_type.bytes(), (offset + shape.bytes[number]).div_ceil(data_type.bytes()));
            let fits = BASE_ELEMENTS as usize >= need && first + BASE_ELEMENTS as usize * size <= GRF_BYTES;
            self.small().variables[number] = GeneralVariable {
                data_type: data_type.code() as u16,
                num_elements: if fits { BASE_ELEMENTS as u16 } else { need as u16 },
                offset: first as u16,
                unused: 0,
            };
            self.with(|parts| {
                if types[number].is_some() {
                    operand.set_entry(parts, number);
                }
                operand.set_lead(parts, if types[number].is_some() { offset } else { 0 });
            });
        }
    }
}

/// The products of which both factors are somewhere not zero, ascending.
fn common_products(data: &BTreeMap<Element, u32>) -> Vec<usize> {
    let of = |operand: usize| -> BTreeSet<usize> {
        data.keys().filter(|element| element.operand == operand).map(|element| element.place).collect()
    };
    of(at::SRC1).intersection(&of(at::SRC2)).copied().collect()
}

/// Where a change puts an element; none if it is dropped.
fn moved(change: Change, element: Element, products: &[usize]) -> Option<Element> {
    let Element { operand, line, place } = element;
    let (is_weight, is_activation) = (operand == at::SRC1, operand == at::SRC2);
    match change {
        Change::Row(_) if is_weight => Some(element),
        Change::Row(row) => (line == row).then_some(Element { line: 0, ..element }),
        Change::Channels { .. } if is_activation => Some(element),
        Change::Channels { first, count } => {
            let channel = if is_weight { line } else { place };
            let channel = channel.checked_sub(first).filter(|&channel| channel < count)?;
            Some(if is_weight { Element { line: channel, ..element } } else { Element { place: channel, ..element } })
        }
        Change::Product(product) if is_weight || is_activation => {
            (place == product).then_some(Element { place: 0, ..element })
        }
        Change::Pack if is_weight || is_activation => {
            let place = products.iter().position(|&product| product == place)?;
            Some(Element { place, ..element })
        }
        Change::NoSrc0 => (operand != at::SRC0).then_some(element),
        _ => Some(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visa::case::small;
    use crate::visa::dpas::DPAS;
    use tandem_isa::visa::VISA;
    use tandem_isa::{Code, SaltPlan};

    /// `DPAS.u4.s8.8.8 (M1_NM, 16)`, its operands behind each other from register 1 on, each with one element: a weight of
    /// product 5 in channel 11, the activation of it in row 6, and an accumulator of both.
    #[test]
    fn elements_move_with_their_operands() {
        let mut code = Code::new(DPAS.base_code);
        let mut state = VISA.base_state();
        W.set(&mut code, Precision::U4.code());
        RC.set(&mut code, 8);
        EXEC_SIZE.set(&mut code, 4);
        let mut salt = SaltPlan::default();
        let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
        small(&mut parts).grf_size = 1;
        for (variable, offset) in small(&mut parts).variables.iter_mut().zip([64, 576, 1088, 1344]) {
            variable.offset = offset;
        }
        for (byte, value) in [(576 + (6 * 16 + 11) * 4, 7), (1088 + 11 * 4 + 2, 0x90), (1344 + 6 * 32 + 5, 0x85)] {
            state.arena[byte] = value;
        }
        let mut take = |change, places| {
            Case { code: &mut code, state: &mut state }.take(change, places).expect("it applies");
            let bytes = state.arena.iter().enumerate().filter(|(_, value)| **value != 0);
            bytes.map(|(byte, &value)| (byte, value)).collect::<Vec<_>>()
        };
        let rows = 6 * 16 + 11;
        let based = [(1024 + rows * 4, 7), (2048 + 46, 0x90), (3072 + 6 * 32 + 5, 0x85)];
        assert_eq!(take(Change::Nothing, Places::Base), based);
        assert_eq!(take(Change::Row(6), Places::Kept), [(1024 + 44, 7), (2048 + 46, 0x90), (3072 + 5, 0x85)]);
        assert_eq!(
            take(Change::Channels { first: 11, count: 1 }, Places::Kept),
            [(1024, 7), (2048 + 2, 0x90), (3072 + 5, 0x85)]
        );
        // Two depths lie in a register: product 5 is that of the second depth's operation 1.
        assert_eq!(take(Change::S8(W), Places::Kept), [(1024, 7), (2048 + 33, 9), (3072 + 5, 0x85)]);
        assert_eq!(take(Change::Product(5), Places::Kept), [(1024, 7), (2048, 9), (3072, 0x85)]);
        assert_eq!(take(Change::NoSrc0, Places::Kept), [(2048, 9), (3072, 0x85)]);
        assert_eq!(SRC0.id.get(&code), NULL_VARIABLE);
    }
}
