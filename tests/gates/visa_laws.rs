//! Laws of vISA MOV, held by the reference and by every level: what its pages say of all values at once. No conversion
//! is written here; a law compares moves with other moves.

use proptest::prelude::*;
use tandem_cases::visa::{VISA, value_class};
use tandem_isa::visa::inst::mov::MOV;
use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, MASK_OFFSETS, NO_MASK, PRED, SRC0, combine, modifier, region_code,
};
use tandem_isa::visa::{DataType, GeneralVariable, TypeKind, Visa, cr0};
use tandem_isa::{Code, Edition, State, Step, mix64};

use crate::parts::{Run, everybody};

use DataType::{B, Bf, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, W};

// ------------------------------------------------------------------------------------------------ moves

/// The types of the first type map but BOOL.
const NUMBERS: [DataType; 11] = [Ub, B, Uw, W, Ud, D, Uq, Q, Hf, F, Df];
/// All types that a conversion has.
const TYPES: [DataType; 12] = [Ub, B, Uw, W, Ud, D, Uq, Q, Hf, F, Df, Bf];
const MODIFIERS: [u32; 4] = [modifier::NONE, modifier::ABS, modifier::NEG, modifier::NEG_ABS];
const KEEP: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;
/// Size of a register in these tests, in bytes.
const REGISTER: usize = 64;
/// Where V32, the destination, and V33, the source, begin, and how long each is, in bytes.
const DESTINATION: usize = 0;
const SOURCE: usize = 1024;
const VARIABLE: usize = 1024;

fn is_float(data_type: DataType) -> bool {
    data_type.kind() == TypeKind::Float
}

/// The pairs of both type maps, source first.
fn pairs() -> impl Iterator<Item = (DataType, DataType)> {
    let first = NUMBERS.into_iter().flat_map(|src| NUMBERS.into_iter().map(move |dst| (src, dst)));
    first.chain([(F, Bf), (Bf, F), (Bf, Bf)])
}

/// Every control register: four rounding modes, each denormal bit set or not.
fn controls() -> impl Iterator<Item = u32> {
    let denormals = [0, cr0::DF_DENORM].into_iter().flat_map(|df| {
        [0, cr0::F_DENORM].into_iter().flat_map(move |f| [0, cr0::HF_DENORM].into_iter().map(move |hf| df | f | hf))
    });
    denormals.flat_map(|denormals| (0..4).map(move |mode| denormals | mode << cr0::ROUNDING_SHIFT))
}

/// The control registers that keep all denormals or none; two of them where neither type is a float, and the control
/// register says nothing.
fn extreme_controls(src: DataType, dst: DataType) -> impl Iterator<Item = u32> {
    let all = controls().filter(|control| [0, KEEP].contains(&(control & KEEP)));
    let matters = is_float(src) || is_float(dst);
    all.filter(move |&control| matters || [KEEP, cr0::RTZ << cr0::ROUNDING_SHIFT].contains(&control))
}

/// What a move does to a datum.
#[derive(Clone, Copy, Debug)]
struct Move {
    src: DataType,
    dst: DataType,
    modifier: u32,
    is_saturated: bool,
    control: u32,
}

impl Move {
    /// Without modifier and saturation, to nearest even, with all denormals kept.
    fn new(src: DataType, dst: DataType) -> Self {
        Move { src, dst, modifier: modifier::NONE, is_saturated: false, control: KEEP }
    }

    fn modified(self, modifier: u32) -> Self {
        Move { modifier, ..self }
    }

    fn saturated(self) -> Self {
        Move { is_saturated: true, ..self }
    }

    fn under(self, control: u32) -> Self {
        Move { control, ..self }
    }

    /// Whether the pages promise its result: VX-04, VX-08, VX-13.
    fn is_promised(&self) -> bool {
        let is_raw = self.src == self.dst && self.modifier == modifier::NONE && !self.is_saturated;
        let nearest_alone = !is_float(self.src) && is_float(self.dst) || self.src == F && self.dst == Bf;
        let is_nearest = self.control >> cr0::ROUNDING_SHIFT & 3 == cr0::RTNE;
        is_raw || (!nearest_alone || is_nearest) && !(self.is_saturated && self.dst == Bf)
    }

    /// Channels that fit in two registers.
    fn most_channels(&self) -> usize {
        (2 * REGISTER / self.src.bytes().max(self.dst.bytes())).min(32)
    }

    /// From V33 to V32, elements adjacent, all channels enabled.
    fn code(&self, channels: usize) -> Code {
        let mut code = Code::new(MOV.base_code);
        EXEC_SIZE.set(&mut code, channels.trailing_zeros());
        let width = elements(channels.min(16));
        SRC0.vert_stride.set(&mut code, width);
        SRC0.width.set(&mut code, width);
        SRC0.horz_stride.set(&mut code, elements(1));
        SRC0.modifiers.set(&mut code, self.modifier);
        DST.modifiers.set(&mut code, if self.is_saturated { modifier::SAT } else { modifier::NONE });
        code
    }

    /// Declares V32 and V33, and sets the control register.
    fn declare(&self, state: &mut State) {
        let small = Visa::new(state).small;
        (small.grf_size, small.cr0) = (1, self.control);
        for (index, data_type, offset) in [(0, self.dst, DESTINATION), (1, self.src, SOURCE)] {
            small.variables[index] = GeneralVariable {
                data_type: u16::try_from(data_type.code()).expect("four bits"),
                num_elements: u16::try_from(VARIABLE / data_type.bytes()).expect("at most 1024"),
                offset: u16::try_from(offset).expect("within the file"),
                unused: 0,
            };
        }
    }
}

/// The code of a stride or width.
fn elements(count: usize) -> u32 {
    region_code(u32::try_from(count).expect("few")).expect("a power of two up to 32, or zero")
}

/// The reference or a target, with a state of its own.
struct Machine {
    name: String,
    run: Run,
    state: State,
}

/// The reference, then every level.
fn machines() -> Vec<Machine> {
    let machine = |(name, run)| Machine { name, run, state: VISA.base_state() };
    everybody("visa").into_iter().map(machine).collect()
}

impl Machine {
    fn execute(&mut self, code: &Code) {
        (self.run)(&Step { instruction: &MOV, edition: Edition::Newest, code }, &mut self.state);
    }

    /// Moves data, as many at a time as fit. *Layout*: each in the low bits.
    fn convert(&mut self, what: Move, data: &[u64]) -> Vec<u64> {
        assert!(what.is_promised(), "{what:?}");
        let (channels, from, to) = (what.most_channels(), what.src.bytes(), what.dst.bytes());
        let code = what.code(channels);
        what.declare(&mut self.state);
        let mut results = Vec::with_capacity(data.len());
        for block in data.chunks(channels) {
            let mut visa = Visa::new(&mut self.state);
            for (element, datum) in visa.grf_unmarked()[SOURCE..].chunks_exact_mut(from).zip(block) {
                element.copy_from_slice(&datum.to_le_bytes()[..from]);
            }
            self.execute(&code);
            let mut visa = Visa::new(&mut self.state);
            for element in visa.grf_unmarked()[DESTINATION..].chunks_exact(to).take(block.len()) {
                let mut bytes = [0; 8];
                bytes[..to].copy_from_slice(element);
                results.push(u64::from_le_bytes(bytes));
            }
        }
        results
    }

    /// Asserts that data are what they should be.
    fn holds(&self, what: Move, data: &[u64], found: &[u64], expected: &[u64]) {
        for ((datum, found), expected) in data.iter().zip(found).zip(expected) {
            assert_eq!(found, expected, "{}: {what:x?} of {datum:#x}", self.name);
        }
        assert_eq!(found.len(), expected.len());
    }
}

// ------------------------------------------------------------------------------------------------ values

/// All data of a type of at most 16 bits.
fn every(data_type: DataType) -> Vec<u64> {
    assert!(data_type.bits() <= 16);
    (0..1 << data_type.bits()).collect()
}

/// Types of at most 16 bits.
fn narrow_types() -> impl Iterator<Item = DataType> {
    TYPES.into_iter().filter(|data_type| data_type.bits() <= 16)
}

/// Types of more than 16 bits.
fn wide_types() -> impl Iterator<Item = DataType> {
    TYPES.into_iter().filter(|data_type| data_type.bits() > 16)
}

/// Data of a type of more than 16 bits: anything, and what its value class holds likely to matter.
fn drawn(data_type: DataType) -> impl Strategy<Value = Vec<u64>> {
    let mask = u64::MAX >> (64 - data_type.bits());
    let corners = VISA.value_classes[usize::from(value_class::of(data_type))].extra;
    let datum = prop_oneof![
        any::<u64>().prop_map(move |bits| bits & mask),
        (any::<u64>(), 0..64u32).prop_map(move |(bits, length)| (bits >> length) & mask),
        prop::sample::select(corners),
    ];
    prop::collection::vec(datum, 64)
}

/// One of some types, with data of it.
fn drawn_of(types: impl Iterator<Item = DataType>) -> impl Strategy<Value = (DataType, Vec<u64>)> {
    prop::sample::select(types.collect::<Vec<_>>())
        .prop_flat_map(|data_type| drawn(data_type).prop_map(move |data| (data_type, data)))
}

fn drawn_control() -> impl Strategy<Value = u32> {
    prop::sample::select(controls().collect::<Vec<_>>())
}

/// What remains of a float's bits in a format that has room for it: a NaN keeps sign and payload and becomes quiet
/// (VX-11), a denormal is kept or becomes zero of its sign (page Data Types, lines 77-81).
fn remains(data_type: DataType, keeps_denormals: bool, bits: u64) -> u64 {
    let format = data_type.format().expect("a number");
    let (Some(sign), Some(exponent)) = (format.sign, format.exponent) else { return bits };
    let exponent = ((1 << exponent.width) - 1) << exponent.shift;
    let mantissa = (1 << format.mantissa_bits()) - 1;
    let is_nan = bits & exponent == exponent && bits & mantissa != 0;
    let is_denormal = bits & exponent == 0 && bits & mantissa != 0;
    if is_nan {
        bits | 1 << (format.mantissa_bits() - 1)
    } else if is_denormal && !keeps_denormals {
        bits & 1 << sign
    } else {
        bits
    }
}

/// Whether the control register keeps the denormals of a type; BF has no bit (VX-13).
fn keeps_denormals(data_type: DataType, control: u32) -> bool {
    match data_type {
        Df => control & cr0::DF_DENORM != 0,
        F => control & cr0::F_DENORM != 0,
        Hf => control & cr0::HF_DENORM != 0,
        _ => true,
    }
}

// ------------------------------------------------------------------------------------------------ there and back

/// Whether a type has every number of another: by bits among integers, which extend and truncate; by the significand
/// where the other is a float; by exponent and mantissa among floats.
fn holds_all_of(wide: DataType, narrow: DataType) -> bool {
    match (is_float(narrow), is_float(wide)) {
        (false, false) => narrow.bits() <= wide.bits(),
        (false, true) => wide != Bf && narrow.bits() <= wide.format().expect("a float").mantissa_bits() + 1,
        (true, false) => false,
        (true, true) => [(Hf, F), (Hf, Df), (F, Df), (Bf, F)].contains(&(narrow, wide)),
    }
}

fn there_and_back() -> impl Iterator<Item = (DataType, DataType)> {
    pairs().filter(|&(narrow, wide)| narrow != wide && holds_all_of(wide, narrow))
}

/// Widens and narrows again.
fn come_back(machine: &mut Machine, narrow: DataType, wide: DataType, control: u32, data: &[u64]) {
    let (there, back) = (Move::new(narrow, wide).under(control), Move::new(wide, narrow).under(control));
    if !there.is_promised() || !back.is_promised() {
        return;
    }
    let wider = machine.convert(there, data);
    let found = machine.convert(back, &wider);
    // BF and F keep denormals on the way to each other.
    let keeps = keeps_denormals(narrow, control);
    let expected: Vec<u64> = data.iter().map(|&bits| remains(narrow, keeps, bits)).collect();
    machine.holds(back, data, &found, &expected);
}

#[test]
fn every_value_of_up_to_16_bits_comes_back_from_a_wider_type() {
    let mut pairs = 0;
    let mut machines = machines();
    for (narrow, wide) in there_and_back().filter(|(narrow, _)| narrow.bits() <= 16) {
        for control in extreme_controls(narrow, wide) {
            for machine in &mut machines {
                come_back(machine, narrow, wide, control, &every(narrow));
            }
        }
        pairs += 1;
    }
    // 2 × 7 from bytes and 2 × 5 from words to integers; bytes to 3 floats, words to 2; HF to 2, BF to 1.
    assert_eq!(pairs, 14 + 10 + 2 * 3 + 2 * 2 + 2 + 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_value_of_more_than_16_bits_comes_back_from_a_wider_type(
        (narrow, data) in drawn_of(wide_types()), control in drawn_control(),
    ) {
        for machine in &mut machines() {
            for (_, wide) in there_and_back().filter(|(known, _)| *known == narrow) {
                come_back(machine, narrow, wide, control, &data);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- saturation

    #[test]
    fn saturation_of_more_than_16_bits_is_idempotent((src, data) in drawn_of(wide_types()), control in drawn_control()) {
        for machine in &mut machines() {
            for (_, dst) in pairs().filter(|(known, _)| *known == src) {
                saturate_twice(machine, Move::new(src, dst).under(control).saturated(), &data);
            }
        }
    }

    #[test]
    fn floats_of_more_than_16_bits_become_the_same_integers_with_saturation(
        (src, data) in drawn_of([F, Df].into_iter()), control in drawn_control(),
    ) {
        for machine in &mut machines() {
            for dst in NUMBERS.into_iter().filter(|&dst| !is_float(dst)) {
                same_integers(machine, Move::new(src, dst).under(control), &data);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- raw copies

    #[test]
    fn a_raw_copy_of_more_than_16_bits_keeps_every_bit((src, data) in drawn_of(wide_types()), control in drawn_control()) {
        for machine in &mut machines() {
            let copy = Move::new(src, src).under(control);
            let found = machine.convert(copy, &data);
            machine.holds(copy, &data, &found, &data);
        }
    }

    // -------------------------------------------------------------------------------------------- modifiers

    #[test]
    fn modifiers_of_more_than_16_bits_come_before_conversion(
        (src, data) in drawn_of(wide_types()),
        control in drawn_control(),
        modifier in prop::sample::select(&MODIFIERS),
        is_saturated in any::<bool>(),
    ) {
        for machine in &mut machines() {
            modify_twice(machine, src, control, &data);
            for (_, dst) in pairs().filter(|(known, _)| *known == src) {
                let what = Move { is_saturated, ..Move::new(src, dst).under(control).modified(modifier) };
                modify_first(machine, what, &data);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- channels

    #[test]
    fn mov_under_a_mask_is_lane_by_lane(case in masked()) {
        for machine in &mut machines() {
            case.fill(&mut machine.state);
            machine.execute(&case.code());
            let together = machine.state.arena.to_vec();
            case.fill(&mut machine.state);
            for channel in (0..case.channels).filter(|&channel| case.is_enabled(channel)) {
                let code = case.lane(channel);
                machine.execute(&code);
            }
            prop_assert_eq!(&together[..], &machine.state.arena[..], "{}", &machine.name);
        }
    }
}

/// Once saturated, a value is in range and stays; and for floats, saturation is a step of its own after the conversion.
///
/// One exception: BF to F keeps F's denormals whatever the control register says (VX-13), and a move within F does not.
fn saturate_twice(machine: &mut Machine, what: Move, data: &[u64]) {
    if !what.is_promised() {
        return;
    }
    let again = Move { src: what.dst, ..what };
    let once = machine.convert(what, data);
    let twice = machine.convert(again, &once);
    let keeps = what.src != Bf || keeps_denormals(F, what.control);
    let stays: Vec<u64> = once.iter().map(|&bits| remains(what.dst, keeps, bits)).collect();
    machine.holds(again, &once, &twice, &stays);
    if let Some(format) = what.dst.format().filter(|_| is_float(what.dst)) {
        let exponent = format.exponent.expect("a float has one");
        let one = ((1u64 << (exponent.width - 1)) - 1) << exponent.shift;
        // The bits of floats from +0.0 to 1.0 are in their order, and no other float has bits below.
        assert!(once.iter().all(|&bits| bits <= one), "{}: {what:x?}", machine.name);
    }
    if is_float(what.dst) || is_float(what.src) {
        let plain = machine.convert(Move { is_saturated: false, ..what }, data);
        let afterwards = machine.convert(again, &plain);
        machine.holds(what, data, &stays, &afterwards);
    }
}

#[test]
fn saturation_of_up_to_16_bits_is_idempotent() {
    let mut machines = machines();
    for (src, dst) in pairs().filter(|(src, _)| src.bits() <= 16) {
        for control in [KEEP, 0] {
            for machine in &mut machines {
                saturate_twice(machine, Move::new(src, dst).under(control).saturated(), &every(src));
            }
        }
    }
}

/// Page Data Types, lines 134-137: a float that is out of range gives the bound, with .sat or without.
fn same_integers(machine: &mut Machine, what: Move, data: &[u64]) {
    let plain = machine.convert(what, data);
    let saturated = machine.convert(what.saturated(), data);
    machine.holds(what, data, &saturated, &plain);
}

#[test]
fn every_hf_becomes_the_same_integer_with_saturation() {
    let mut machines = machines();
    for dst in NUMBERS.into_iter().filter(|&dst| !is_float(dst)) {
        for control in extreme_controls(Hf, dst) {
            for machine in &mut machines {
                same_integers(machine, Move::new(Hf, dst).under(control), &every(Hf));
            }
        }
    }
}

#[test]
fn a_raw_copy_of_up_to_16_bits_keeps_every_bit() {
    let mut machines = machines();
    for src in narrow_types() {
        let data = every(src);
        for control in controls() {
            for machine in &mut machines {
                let copy = Move::new(src, src).under(control);
                let found = machine.convert(copy, &data);
                machine.holds(copy, &data, &found, &data);
            }
        }
    }
}

/// A move with a modifier is two moves: one that applies the modifier in a type which has room for the result, and one
/// that converts. The first keeps the source's type if that is a float, and is to Q if it is an integer (VX-17).
fn modify_first(machine: &mut Machine, what: Move, data: &[u64]) {
    // Neither Q nor any other type has room for the negative of every UQ, nor for the absolute value of every Q.
    if !what.is_promised() || what.modifier == modifier::NONE || [Uq, Q].contains(&what.src) {
        return;
    }
    let between = if is_float(what.src) { what.src } else { Q };
    // F keeps its denormals on the way to BF, with a modifier too (VX-13), but not within F.
    let control = if what.dst == Bf { what.control | cr0::F_DENORM } else { what.control };
    let first = Move::new(what.src, between).under(control).modified(what.modifier);
    let second = Move { src: between, modifier: modifier::NONE, ..what };
    let modified = machine.convert(first, data);
    let expected = machine.convert(second, &modified);
    let found = machine.convert(what, data);
    machine.holds(what, data, &found, &expected);
}

/// The negative absolute value is the absolute value, negated.
fn modify_twice(machine: &mut Machine, src: DataType, control: u32, data: &[u64]) {
    let [absolute, both] =
        [modifier::ABS, modifier::NEG_ABS].map(|modifier| Move::new(src, src).under(control).modified(modifier));
    let found = machine.convert(both, data);
    let first = machine.convert(absolute, data);
    let expected = machine.convert(both.modified(modifier::NEG), &first);
    machine.holds(both, data, &found, &expected);
}

#[test]
fn modifiers_of_up_to_16_bits_come_before_conversion() {
    let mut machines = machines();
    for (src, dst) in pairs().filter(|(src, _)| src.bits() <= 16) {
        let data = every(src);
        // Denormals are kept, and flushed where there is one; the other modifiers are parts of NEG_ABS.
        for control in [KEEP, 0].into_iter().filter(|&control| control == KEEP || is_float(src)) {
            for modifier in [modifier::ABS, modifier::NEG] {
                for is_saturated in [false, true] {
                    let what = Move { is_saturated, ..Move::new(src, dst).under(control).modified(modifier) };
                    for machine in &mut machines {
                        modify_first(machine, what, &data);
                    }
                }
            }
            for machine in machines.iter_mut().filter(|_| src == dst) {
                modify_twice(machine, src, control, &data);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ channels

/// A move under an execution mask and a predicate.
#[derive(Clone, Debug)]
struct Masked {
    what: Move,
    channels: usize,
    /// Execution mask control: `M1` to `M8`, or `M1_NM` to `M8_NM`.
    control: u32,
    em: u32,
    /// Number of the predicate, or 0; its value; combine and inverse.
    predicate: (u32, u32, u32, bool),
    /// Vertical stride, width and horizontal stride of the source; stride of the destination.
    region: [usize; 4],
    seed: u64,
}

impl Masked {
    fn offset(&self) -> usize {
        MASK_OFFSETS[(self.control & 7) as usize] as usize
    }

    /// Page Operands, lines 194-228.
    fn is_enabled(&self, channel: usize) -> bool {
        let (id, value, combined, is_inverted) = self.predicate;
        let element = |channel: usize| value >> (self.offset() + channel) & 1 != 0;
        let by_mask = self.control & NO_MASK != 0 || self.em >> (self.offset() + channel) & 1 != 0;
        let by_predicate = match combined {
            combine::ANY => (0..self.channels).any(element),
            combine::ALL => (0..self.channels).all(element),
            _ => element(channel),
        };
        by_mask && (id == 0 || by_predicate != is_inverted)
    }

    /// The element of the source that a channel has, counted from the first one.
    fn source_element(&self, channel: usize) -> usize {
        let [vert, width, horz, _] = self.region;
        channel / width * vert + channel % width * horz
    }

    /// Anything in the file, and the small state.
    fn fill(&self, state: &mut State) {
        self.what.declare(state);
        let mut visa = Visa::new(state);
        visa.small.em = self.em;
        for predicate in &mut visa.small.predicates {
            (predicate.value, predicate.log2_num_elements) = (self.predicate.1.rotate_left(7), 5);
        }
        if let Some(index) = self.predicate.0.checked_sub(1) {
            visa.small.predicates[index as usize].value = self.predicate.1;
        }
        for (place, bytes) in (0..).zip(visa.grf_unmarked().chunks_exact_mut(8)) {
            bytes.copy_from_slice(&mix64(self.seed ^ place).to_le_bytes());
        }
    }

    fn code(&self) -> Code {
        let mut code = self.what.code(self.channels);
        let [vert, width, horz, stride] = self.region.map(elements);
        SRC0.vert_stride.set(&mut code, vert);
        SRC0.width.set(&mut code, width);
        SRC0.horz_stride.set(&mut code, horz);
        DST.horz_stride.set(&mut code, stride);
        EXEC_MASK.set(&mut code, self.control);
        let (id, _, combined, is_inverted) = self.predicate;
        if id != 0 {
            PRED.id.set(&mut code, id);
            PRED.combine.set(&mut code, combined);
            PRED.inverse.set(&mut code, u32::from(is_inverted));
        }
        code
    }

    /// The move of one channel alone, which nothing disables.
    fn lane(&self, channel: usize) -> Code {
        let mut code = self.what.code(1);
        EXEC_MASK.set(&mut code, NO_MASK);
        let places =
            [(SRC0, self.what.src, self.source_element(channel)), (DST, self.what.dst, channel * self.region[3])];
        for (fields, data_type, element) in places {
            let in_register = REGISTER / data_type.bytes();
            fields.row_offset.set(&mut code, u32::try_from(element / in_register).expect("few registers"));
            fields.col_offset.set(&mut code, u32::try_from(element % in_register).expect("few elements"));
        }
        code
    }

    /// Whether the region rules of page Operands allow the source's region and the destination's stride: an operand
    /// lies in two registers.
    fn is_legal(&self) -> bool {
        let most = |data_type: DataType| 2 * REGISTER / data_type.bytes();
        let last = (0..self.channels).map(|channel| self.source_element(channel)).max().unwrap_or(0);
        self.region[1] <= self.channels
            && last < most(self.what.src)
            && (self.channels - 1) * self.region[3] < most(self.what.dst)
            && self.offset().is_multiple_of(self.channels)
            && self.what.is_promised()
    }
}

fn masked() -> impl Strategy<Value = Masked> {
    let what = (prop::sample::select(pairs().collect::<Vec<_>>()), 0..4usize, any::<bool>(), drawn_control()).prop_map(
        |((src, dst), modifier, is_saturated, control)| Move {
            is_saturated,
            ..Move::new(src, dst).modified(MODIFIERS[modifier]).under(control)
        },
    );
    // Masks with few and with many bits are as likely as others.
    let bits = || {
        prop_oneof![
            any::<u32>(),
            (any::<u32>(), any::<u32>()).prop_map(|(a, b)| a & b),
            (0..32u32).prop_map(|at| !(1 << at))
        ]
    };
    let predicate = (0..5u32, bits(), combine::SEQUENTIAL..=combine::ALL, any::<bool>());
    let region = (
        prop::sample::select(&[0usize, 1, 2, 4, 8, 16, 32]),
        prop::sample::select(&[1usize, 2, 4, 8, 16]),
        prop::sample::select(&[0usize, 1, 2, 4]),
        prop::sample::select(&[1usize, 2, 4]),
    );
    (what, 0..6u32, 0..16u32, bits(), predicate, region, any::<u64>())
        .prop_map(|(what, size, control, em, predicate, (vert, width, horz, stride), seed)| {
            let region = [vert, width, horz, stride];
            Masked { what, channels: 1 << size, control, em, predicate, region, seed }
        })
        .prop_filter("the pages promise a result", Masked::is_legal)
}
