//! Larger steps for making a `DPAS` case smaller: several parts change together, and data move with their operands.
//!
//! Where elements lie is worked out for moving their data; whether a reduced case still shows what the larger one did is found
//! by running it, so a mistake here costs size and nothing else.

use super::*;

/// What the elements of an operand are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Row,
    Channel,
    Product,
}

/// What the lines of each operand are counted by, and the elements of a line.
const COUNTS: [[Count; 2]; 4] = {
    use Count::{Channel, Product, Row};
    [[Row, Channel], [Row, Channel], [Channel, Product], [Row, Product]]
};

/// What becomes of the elements.
#[derive(Clone, Copy)]
enum Change {
    /// They stay what they are.
    Nothing,
    /// So many from this one on, which become the first: one row, one channel or eight, or one product of each sum.
    Only(Count, usize, usize),
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

const LOW_CHANNELS: Change = Change::Only(Count::Channel, 0, 8);
const HIGH_CHANNELS: Change = Change::Only(Count::Channel, 8, 8);

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

macro_rules! steps {
    ($($places:expr => $($change:expr),+;)+) => { &[$($(($change, $places)),+),+] };
}

/// The steps that do not name a row, a channel or a product, boldest first.
const STEPS: &[(Change, Places)] = {
    use Change::{Depth, Integers, NoSrc0, Nothing, Pack, S8, SameVariable, Sums};
    steps! {
        Places::Base => Integers, Sums, Nothing, LOW_CHANNELS, HIGH_CHANNELS;
        Places::Around(at::DST) => Nothing;
        Places::Around(at::SRC0) => Nothing;
        Places::Around(at::SRC1) => Nothing;
        Places::Around(at::SRC2) => Nothing;
        Places::Alone(at::DST) => Nothing;
        Places::Alone(at::SRC0) => Nothing;
        Places::Alone(at::SRC1) => Nothing;
        Places::Alone(at::SRC2) => Nothing;
        Places::Named => Nothing;
        Places::Kept => Integers, Sums, NoSrc0, LOW_CHANNELS, HIGH_CHANNELS, Depth, S8(W), S8(A), Pack,
            SameVariable(at::SRC0, at::DST), SameVariable(at::DST, at::SRC0), SameVariable(at::DST, at::SRC1),
            SameVariable(at::DST, at::SRC2), SameVariable(at::SRC0, at::SRC1), SameVariable(at::SRC2, at::SRC1);
    }
};

/// The steps that leave one row, one channel or one product.
const SINGLE: [(Count, usize); 3] = [(Count::Row, 8), (Count::Channel, 16), (Count::Product, 64)];

/// How many steps there are.
pub(super) const REDUCTIONS: usize = STEPS.len() + SINGLE[0].1 + SINGLE[1].1 + SINGLE[2].1;

/// Takes step `number`; false if it does not apply, and the case is then of no use.
pub(super) fn reduce(number: usize, code: &mut [u32], state: &mut State) -> bool {
    let single = SINGLE.into_iter().flat_map(|(count, most)| (0..most).map(move |first| Change::Only(count, first, 1)));
    let mut steps = STEPS.iter().copied().chain(single.map(|change| (change, Places::Kept)));
    let (change, places) = steps.nth(number).expect("there are so many steps");
    with_arena(code, state, |parts, file| take(parts, file, change, places).is_some())
}

/// An element of an operand: the number of its line, and its own in that.
#[derive(Clone, Copy)]
struct Element {
    operand: usize,
    place: [usize; 2],
}

/// How the elements of a case lie.
struct Packing {
    shape: Shape,
    starts: [Option<usize>; 4],
    /// Bits of an element of each operand.
    widths: [usize; 4],
    /// Lines of each operand, and elements of a line.
    sizes: [[usize; 2]; 4],
}

impl Packing {
    fn of(parts: &Parts<'_>) -> Self {
        let shape = Shape::of(parts);
        let sums = [Some(DST.data_type(parts)), src0_type(parts)].map(|sum| 8 * sum.map_or(0, DataType::bytes));
        let factors = [weights(parts), activations(parts)].map(element_bits);
        let sizes = COUNTS.map(|counts| counts.map(|count| shape.count(count)));
        Packing { shape, starts: starts(parts), widths: [sums[0], sums[1], factors[0], factors[1]], sizes }
    }

    fn elements(&self) -> impl Iterator<Item = Element> {
        self.sizes.into_iter().enumerate().flat_map(|(operand, [lines, places])| {
            (0..lines * places).map(move |at| Element { operand, place: [at / places, at % places] })
        })
    }

    /// The first bit of an element in the file; none if it does not lie there.
    fn bit(&self, Element { operand, place: [line, place] }: Element) -> Option<usize> {
        let (shape, width, [lines, places]) = (&self.shape, self.widths[operand], self.sizes[operand]);
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

impl Shape {
    /// How many rows, channels or products there are.
    fn count(&self, count: Count) -> usize {
        match count {
            Count::Row => self.rows,
            Count::Channel => self.channels,
            Count::Product => self.depth * self.ops,
        }
    }
}

/// The bits of an element, 64 at most.
fn bits(file: &[u8], bit: usize, width: usize) -> u64 {
    (bit..bit + width).rev().fold(0, |value, at| value << 1 | u64::from(file[at / 8] >> (at % 8) & 1))
}

/// Sets the bits of an element to `on` that are set in `value`.
fn put_bits(file: &mut [u8], bit: usize, width: usize, value: u64, on: bool) {
    for at in (0..width).filter(|number| value >> number & 1 != 0).map(|number| bit + number) {
        let mask = 1 << (at % 8);
        if on { file[at / 8] |= mask } else { file[at / 8] &= !mask }
    }
}

/// Takes a step; none if it does not apply.
fn take(parts: &mut Parts<'_>, file: &mut [u8], change: Change, places: Places) -> Option<()> {
    let old = Packing::of(parts);
    let signed = [weights(parts), activations(parts)].map(|precision| precision.is_some_and(is_signed));
    let mut data = Vec::new();
    // What a fault takes for elements lies around them.
    let mut around = file.to_vec();
    for element in old.elements() {
        let (Some(bit), width) = (old.bit(element), old.widths[element.operand]) else { continue };
        let value = bits(file, bit, width);
        let is_signed = element.operand >= at::SRC1 && signed[element.operand - at::SRC1];
        if value != 0 {
            put_bits(&mut around, bit, width, value, false);
            let is_negative = is_signed && value >> (width - 1) & 1 != 0;
            data.push((element, value | if is_negative { u64::MAX << width } else { 0 }));
        }
    }
    set(parts, change, &old)?;
    place(parts, places, &old);
    // The products of which both factors are somewhere not zero, ascending.
    let of = |operand: usize| -> BTreeSet<usize> {
        data.iter().filter(|(element, _)| element.operand == operand).map(|(element, _)| element.place[1]).collect()
    };
    let products: Vec<usize> = of(at::SRC1).intersection(&of(at::SRC2)).copied().collect();
    let new = Packing::of(parts);
    file.fill(0);
    for (byte, &value) in around.iter().enumerate().filter(|(_, value)| **value != 0) {
        let before = |operand: usize| Some((old.starts[operand].filter(|&start| start <= byte)?, operand));
        let owner = (0..4).filter_map(before).max();
        let start = owner.and_then(|(start, operand)| Some(byte - start + new.starts[operand]?)).unwrap_or(byte);
        if start < GRF_BYTES {
            file[start] |= value;
        }
    }
    for (element, value) in data {
        let moved = moved(change, element, &products);
        if let Some((element, bit)) = moved.and_then(|element| Some((element, new.bit(element)?))) {
            put_bits(file, bit, new.widths[element.operand], value, true);
        }
    }
    Some(())
}

/// Sets the fields of code and state that a change asks for; none if it does not apply.
fn set(parts: &mut Parts<'_>, change: Change, old: &Packing) -> Option<()> {
    let applies = match change {
        Change::Nothing | Change::Pack => true,
        Change::Only(count, first, many) => {
            match count {
                Count::Row => RC.set(parts.code, 1),
                Count::Channel => {
                    EXEC_SIZE.set(parts.code, 3);
                    small(parts).grf_size = 0;
                }
                Count::Product => {}
            }
            first + many <= old.shape.count(count)
        }
        Change::Depth => {
            let depth = SD.get(parts.code);
            SD.set(parts.code, 8);
            small(parts).platform = XEHP;
            depth != 8
        }
        Change::S8(field) => {
            let precision = field.get(parts.code);
            field.set(parts.code, Precision::S8.code());
            precision != Precision::S8.code()
        }
        Change::Integers => {
            put(parts.code, [(W, Precision::S8.code()), (A, Precision::S8.code())]);
            small(parts).model = 0;
            set_sums(parts, DataType::Ud);
            true
        }
        Change::NoSrc0 => {
            drop_src0(parts);
            old.starts[at::SRC0].is_some()
        }
        Change::Sums => {
            let is_float = pair(parts).is_summed_in_float();
            if is_float {
                drop_src0(parts);
            }
            set_sums(parts, if is_float { DataType::F } else { DataType::Ud });
            true
        }
        Change::SameVariable(this, other) => {
            let (id, lead) = (OPERANDS[other].id.get(parts.code), OPERANDS[other].lead(parts));
            OPERANDS[this].id.set(parts.code, id);
            OPERANDS[this].set_lead(parts, lead);
            old.starts[this] == old.starts[other]
        }
    };
    applies.then_some(())
}

fn drop_src0(parts: &mut Parts<'_>) {
    SRC0.id.set(parts.code, NULL_VARIABLE);
    SRC0.set_lead(parts, 0);
}

/// Gives destination and accumulator a type.
fn set_sums(parts: &mut Parts<'_>, data_type: DataType) {
    for operand in [DST, SRC0] {
        if let Some(variable) = operand.variable(parts) {
            small(parts).variables[variable].data_type = data_type.code() as u16;
        }
    }
}

/// Moves operands; their types stay.
fn place(parts: &mut Parts<'_>, places: Places, old: &Packing) {
    if places == Places::Kept {
        return;
    }
    let shape = Shape::of(parts);
    let span = |operand: usize| old.starts[operand].map(|start| start..start + old.shape.bytes[operand]);
    let touches = |one: usize, other: usize| match (span(one), span(other)) {
        (Some(one), Some(other)) => one.start < other.end && other.start < one.end,
        _ => false,
    };
    // A null operand has no type.
    let types = OPERANDS.map(|operand| operand.variable(parts).map(|_| operand.data_type(parts)));
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
        let (offset, size) = (start % shape.register, data_type.bytes());
        let (first, need) = (start - offset, (offset + shape.bytes[number]).div_ceil(size));
        let fits = BASE_ELEMENTS as usize >= need && first + BASE_ELEMENTS as usize * size <= GRF_BYTES;
        let elements = if fits { BASE_ELEMENTS as usize } else { need };
        small(parts).variables[number] = declared(data_type, elements, first);
        if types[number].is_some() {
            operand.set_entry(parts, number);
        }
        operand.set_lead(parts, if types[number].is_some() { offset } else { 0 });
    }
}

/// Where a change puts an element; none if it is dropped.
fn moved(change: Change, mut element: Element, products: &[usize]) -> Option<Element> {
    let counts = COUNTS[element.operand].into_iter().zip(&mut element.place);
    match change {
        Change::Only(only, first, many) => {
            for (_, place) in counts.filter(|(count, _)| *count == only) {
                *place = place.checked_sub(first).filter(|&place| place < many)?;
            }
        }
        Change::Pack => {
            for (_, place) in counts.filter(|(count, _)| *count == Count::Product) {
                *place = products.iter().position(|product| product == place)?;
            }
        }
        Change::NoSrc0 if element.operand == at::SRC0 => return None,
        _ => {}
    }
    Some(element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_isa::Code;

    /// `DPAS.u4.s8.8.8 (M1_NM, 16)`, its operands behind each other from register 1 on, each with one element: a weight of
    /// product 5 in channel 11, the activation of it in row 6, and an accumulator of both.
    #[test]
    fn elements_move_with_their_operands() {
        let (mut code, mut state) = (Code::new(DPAS.base_code), VISA.machine.base_state());
        put(&mut code, [(W, Precision::U4.code()), (RC, 8), (EXEC_SIZE, 4)]);
        with_arena(&mut code, &mut state, |parts, file| {
            small(parts).grf_size = 1;
            for (variable, offset) in small(parts).variables.iter_mut().zip([64, 576, 1088, 1344]) {
                variable.offset = offset;
            }
            for (byte, value) in [(576 + (6 * 16 + 11) * 4, 7), (1088 + 11 * 4 + 2, 0x90), (1344 + 6 * 32 + 5, 0x85)] {
                file[byte] = value;
            }
            let mut check = |change, places, bytes: &[(usize, u8)]| {
                take(parts, file, change, places).expect("it applies");
                let found = file.iter().copied().enumerate().filter(|(_, value)| *value != 0);
                assert_eq!(found.collect::<Vec<_>>(), bytes);
            };
            let rows = 6 * 16 + 11;
            check(Change::Nothing, Places::Base, &[(1024 + rows * 4, 7), (2048 + 46, 0x90), (3072 + 6 * 32 + 5, 0x85)]);
            check(Change::Only(Count::Row, 6, 1), Places::Kept, &[(1024 + 44, 7), (2048 + 46, 0x90), (3072 + 5, 0x85)]);
            let channel = Change::Only(Count::Channel, 11, 1);
            check(channel, Places::Kept, &[(1024, 7), (2048 + 2, 0x90), (3072 + 5, 0x85)]);
            // Two depths lie in a register: product 5 is that of the second depth's operation 1.
            check(Change::S8(W), Places::Kept, &[(1024, 7), (2048 + 33, 9), (3072 + 5, 0x85)]);
            check(Change::Only(Count::Product, 5, 1), Places::Kept, &[(1024, 7), (2048, 9), (3072, 0x85)]);
            check(Change::NoSrc0, Places::Kept, &[(2048, 9), (3072, 0x85)]);
            assert_eq!(SRC0.id.get(parts.code), NULL_VARIABLE);
        });
    }
}
