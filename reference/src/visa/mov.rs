//! `MOV`: component-wise move with type conversion.
//!
//! *Source*: page MOV (commit 98fff716); what it takes from other pages is in the files beside this one. *Errata*:
//! VX-02 to VX-08, VX-13, VX-23, VX-24, VX-28, VX-31.
//!
//! First everything is looked at that could keep the pages from promising a result, in the order of page MOV's
//! description; [`Refusals`] picks the strongest. Then the instruction is executed.

use tandem_isa::visa::operand::{
    DST, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class, modifier,
};
use tandem_isa::visa::{
    DATA_TYPES, DISPATCH_SIZES, DataType, HEADER, MOV, OPERANDS, PredicateVariable, SYNTAX, Small, TypeKind, Visa, XEHP,
};
use tandem_isa::{Citation, Expectation};

use super::convert::{Conversion, Modifier, rounding_mode};
use super::operands::{Addresses, MAX_CHANNELS, VectorOperand, index};
use super::predication::{MaskControl, PredControl, evaluate_ch_en, num_elements, predicate_variable};
use super::refusals::Refusals;
use super::softfloat::Rounding;

static EXEC_SIZE_CODE: Citation = Citation {
    page: &MOV,
    place: "lines 25-32",
    reason: "VX-06: no page gives the execution size codes 110b and 111b and bit 3 of the byte a meaning",
};
static DST_CLASS: Citation =
    Citation { page: &MOV, place: "line 51", reason: "a destination is a general or an indirect operand" };
static SRC_CLASS: Citation = Citation {
    page: &MOV,
    place: "line 52",
    reason: "a source is a general, indirect, immediate or predicate operand",
};
static DST_MODIFIER: Citation =
    Citation { page: &MOV, place: "lines 55-56 and 66", reason: "a destination has saturation and no other modifier" };
static SRC_MODIFIER: Citation = Citation {
    page: &MOV,
    place: "line 56",
    reason: "the source modifiers are the arithmetic ones, that is absolute value and negation",
};
static MODIFIER_CODE: Citation = Citation {
    page: &SYNTAX,
    place: "line 50, and page Operands, lines 285-292",
    reason: "VX-05: no page gives the modifier codes 110b and 111b a meaning",
};
static MODIFIER_OF_CONSTANT: Citation = Citation {
    page: &OPERANDS,
    place: "lines 288-289",
    reason: "only general and indirect operands may have modifiers; those of others must be zero",
};
static IMMEDIATE_BITS: Citation = Citation {
    page: &OPERANDS,
    place: "lines 414 and 420",
    reason: "bits 4 to 7 of an immediate operand's type belong to no item; nothing says what they do",
};
static TAG_BITS: Citation = Citation {
    page: &OPERANDS,
    place: "lines 262-286",
    reason: "bits 6 and 7 of an operand's tag belong to no item; nothing says what they do",
};
static BOOL_OPERAND: Citation = Citation {
    page: &DATA_TYPES,
    place: "lines 15-17, and page Operands, lines 401-403 and 420-421",
    reason: "VX-03: only predicate variables may have the type BOOL",
};
static PACKED_OPERAND: Citation =
    Citation { page: &MOV, place: "lines 54 and 58-63", reason: "the type maps have no packed vectors" };
static BF_BEFORE_XEHP: Citation =
    Citation { page: &MOV, place: "lines 54 and 61-63", reason: "BF is supported on XeHP and later platforms only" };
static TYPE_MAP: Citation = Citation {
    page: &MOV,
    place: "lines 57-63",
    reason: "no type map has these two types: BF goes with F and BF only",
};
static PREDICATE_EXEC_SIZE: Citation =
    Citation { page: &MOV, place: "line 71", reason: "the execution size must be one if the source is a predicate" };
static PREDICATE_DST: Citation = Citation {
    page: &MOV,
    place: "line 71",
    reason: "VX-24: if the source is a predicate, the destination must be UB, UW or UD with at least as many bits as \
             it has",
};
static PREDICATE_MODE: Citation = Citation {
    page: &MOV,
    place: "line 71",
    reason: "neither predication nor saturation is supported if the source is a predicate",
};
static PREDICATE_MASK: Citation = Citation {
    page: &OPERANDS,
    place: "lines 376-379, and page MOV, line 71",
    reason: "VX-23: a predicate operand is accessed from the offset of the mask control on, but MOV reads the value \
             of the variable; nothing says which it is if the offset is not 0",
};
static PREDICATE_CONTROL: Citation = Citation {
    page: &OPERANDS,
    place: "lines 368-379, and page MOV, line 71",
    reason: "VX-23: a predicate operand can be combined and inverted, but MOV reads the value of the variable; \
             nothing says what these bits do there",
};
static PREDICATE_P0: Citation = Citation {
    page: &HEADER,
    place: "lines 556-562",
    reason: "P0 stands for no predication; nothing says what it holds",
};
static ROUNDED_INTEGER: Citation = Citation {
    page: &DATA_TYPES,
    place: "lines 186-188",
    reason: "VX-08: an integer is rounded to the nearest even float \"by default\"; nothing says whether the control \
             register changes that",
};
static ROUNDED_BF: Citation = Citation {
    page: &DATA_TYPES,
    place: "lines 193-196",
    reason: "VX-13: the control register's rounding is promised for DF to F, DF to HF and F to HF; nothing says how F \
             is rounded to BF under another mode than the default",
};
static SATURATED_BF: Citation = Citation {
    page: &DATA_TYPES,
    place: "lines 245-261",
    reason: "VX-04: BF is not among the types that support saturation; nothing says what it does",
};

/// The source of a move.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A general or indirect operand.
    Vector(VectorOperand, Modifier),
    /// A constant: its type, and its bits.
    Immediate(DataType, u64),
    /// A predicate variable.
    Predicate(PredicateVariable),
}

/// Executes a `MOV`. *Source*: page MOV, lines 12-20 and 25-71.
pub fn execute(code: &[u32], visa: &mut Visa<'_>) -> Expectation {
    let mut refusals = Refusals::default();
    let Some(mov) = Mov::of(code, visa.small, &mut refusals) else {
        return refusals.expectation().expect("what could not be read was refused");
    };
    if let Some(expectation) = refusals.expectation() {
        return expectation;
    }
    // VX-28: all channels are read before one is written; the loop of lines 15-19 could be read otherwise, which shows
    // if destination and source overlap.
    let mut data = mov.read(visa);
    if let Some(conversion) = &mov.conversion {
        conversion.convert_each(mov.enabled(&mut data).map(|(_, datum)| datum));
    }
    mov.write(&mut data, visa);
    Expectation::Done
}

/// A `MOV` that was looked through.
struct Mov {
    exec_size: usize,
    ch_en: [bool; MAX_CHANNELS],
    dst_type: DataType,
    dst_data_elements: Addresses,
    src0: Src0,
    /// Of no meaning if the source is a constant.
    source_data_elements: Addresses,
    /// The conversion to the type of the destination (page MOV, line 71); a predicate needs none.
    conversion: Option<Conversion>,
}

/// Where the data of a source come from.
enum Src0 {
    /// The GRF file: elements of this many bytes.
    Elements(usize),
    /// One value, which is replicated across all channels (page Operands, lines 427-429).
    Constant(u64),
}

impl Mov {
    /// Looks through an instruction; nothing if it cannot be executed, which is then noted in `refusals`.
    fn of(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // Exec_size (lines 25-49).
        refusals.unspecified_if(EXEC_SIZE_BIT3.get(code) != 0, &EXEC_SIZE_CODE);
        let exec_size = EXEC_SIZES[index(EXEC_SIZE.get(code))].map(index);
        refusals.unspecified_if(exec_size.is_none(), &EXEC_SIZE_CODE);
        let mask_control = MaskControl::of(code);
        if let Some(exec_size) = exec_size {
            mask_control.check(exec_size, index(DISPATCH_SIZES[index(small.dispatch_size)]), refusals);
        }

        // Pred (line 50).
        let pred_control = PredControl::of(&PRED, code, small, refusals);

        // Dst, Src0 (lines 51-52), and the type maps (54 and 57-63).
        let (dst, is_saturated) = destination(code, small, refusals);
        let src0 = source(code, small, refusals);
        if let Some(dst) = &dst {
            check_type(dst.data_type, small, refusals);
        }
        if let Some(Source::Vector(VectorOperand { data_type, .. }, _) | Source::Immediate(data_type, _)) = src0 {
            check_type(data_type, small, refusals);
            if let Some(dst) = &dst {
                check_types(dst.data_type, data_type, is_saturated, small, refusals);
            }
        }

        // A predicate as the source (line 71).
        if SRC0.class.get(code) == class::PREDICATE {
            refusals.illegal_if(exec_size.is_some_and(|exec_size| exec_size != 1), &PREDICATE_EXEC_SIZE);
            refusals.illegal_if(is_saturated || PRED.id.get(code) != 0, &PREDICATE_MODE);
            refusals.unspecified_if(mask_control.offset != 0, &PREDICATE_MASK);
        }
        if let (Some(Source::Predicate(variable)), Some(dst)) = (&src0, &dst) {
            let is_type = matches!(dst.data_type, DataType::Ub | DataType::Uw | DataType::Ud);
            let bits = index(dst.data_type.bits());
            refusals.illegal_if(!is_type || bits < num_elements(variable), &PREDICATE_DST);
        }

        // Nothing more can be illegal; what follows needs an instruction that could be read.
        if matches!(refusals.expectation(), Some(Expectation::Illegal(_))) {
            return None;
        }
        let exec_size = exec_size?;
        if let Some(pred_control) = &pred_control {
            pred_control.check(mask_control, exec_size, refusals);
        }
        let dst_data_elements = dst.as_ref().map(|dst| dst.dst_data_elements(exec_size, small, refusals));
        let source_data_elements = match &src0 {
            Some(Source::Vector(operand, _)) => operand.source_data_elements(exec_size, small, refusals),
            Some(Source::Immediate(..) | Source::Predicate(_)) | None => [0; MAX_CHANNELS],
        };
        let (dst_type, dst_data_elements) = (dst?.data_type, dst_data_elements?);
        let conversion = |src, modifier| Some(Conversion::new(dst_type, src, modifier, is_saturated, small.cr0));
        let (src0, conversion) = match src0? {
            Source::Vector(VectorOperand { data_type, .. }, modifier) => {
                (Src0::Elements(data_type.bytes()), conversion(data_type, modifier))
            }
            Source::Immediate(data_type, value) => (Src0::Constant(value), conversion(data_type, Modifier::default())),
            Source::Predicate(variable) => (Src0::Constant(predicate_value(&variable)), None),
        };
        let ch_en = evaluate_ch_en(mask_control, exec_size, small.em, pred_control.as_ref());
        Some(Mov { exec_size, ch_en, dst_type, dst_data_elements, src0, source_data_elements, conversion })
    }

    /// The loop and the condition of lines 15 and 16: the enabled channels, each with its datum.
    fn enabled<'a>(&self, data: &'a mut [u64; MAX_CHANNELS]) -> impl Iterator<Item = (usize, &'a mut u64)> {
        data[..self.exec_size].iter_mut().enumerate().filter(|&(i, _)| self.ch_en[i])
    }

    /// The source's datum for each enabled channel.
    fn read(&self, visa: &mut Visa<'_>) -> [u64; MAX_CHANNELS] {
        match self.src0 {
            Src0::Elements(1) => self.read_elements::<1>(visa),
            Src0::Elements(2) => self.read_elements::<2>(visa),
            Src0::Elements(4) => self.read_elements::<4>(visa),
            Src0::Elements(_) => self.read_elements::<8>(visa),
            Src0::Constant(value) => [value; MAX_CHANNELS],
        }
    }

    /// The elements of `N` bytes that the enabled channels need.
    fn read_elements<const N: usize>(&self, visa: &mut Visa<'_>) -> [u64; MAX_CHANNELS] {
        let mut data = [0; MAX_CHANNELS];
        for (i, datum) in self.enabled(&mut data) {
            let mut bytes = [0; 8];
            bytes[..N].copy_from_slice(&visa.read::<N>(self.source_data_elements[i]));
            *datum = u64::from_le_bytes(bytes);
        }
        data
    }

    /// Writes the enabled channels' data.
    fn write(&self, data: &mut [u64; MAX_CHANNELS], visa: &mut Visa<'_>) {
        match self.dst_type.bytes() {
            1 => self.write_elements::<1>(data, visa),
            2 => self.write_elements::<2>(data, visa),
            4 => self.write_elements::<4>(data, visa),
            _ => self.write_elements::<8>(data, visa),
        }
    }

    /// Writes the enabled channels' data as elements of `N` bytes.
    fn write_elements<const N: usize>(&self, data: &mut [u64; MAX_CHANNELS], visa: &mut Visa<'_>) {
        for (i, datum) in self.enabled(data) {
            visa.write_bytes(self.dst_data_elements[i], &datum.to_le_bytes()[..N]);
        }
    }
}

/// The destination, and whether it is saturated. *Source*: page MOV, lines 51 and 55; page Operands, line 458.
fn destination(code: &[u32], small: &Small, refusals: &mut Refusals) -> (Option<VectorOperand>, bool) {
    let is_class = matches!(DST.class.get(code), class::GENERAL | class::INDIRECT);
    refusals.illegal_if(!is_class, &DST_CLASS);
    let is_saturated = match DST.modifiers.get(code) {
        modifier::NONE => false,
        modifier::SAT => true,
        modifier::ABS | modifier::NEG | modifier::NEG_ABS | modifier::NOT => {
            refusals.illegal_if(true, &DST_MODIFIER);
            false
        }
        _ => {
            refusals.unspecified_if(true, &MODIFIER_CODE);
            false
        }
    };
    (VectorOperand::of(&DST, code, small, refusals), is_saturated)
}

/// The source. *Source*: page MOV, lines 52 and 56; page Operands, lines 262-292, 368-374 and 413-429.
fn source(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Source> {
    let modifiers = SRC0.modifiers.get(code);
    let class = SRC0.class.get(code);
    if let class::IMMEDIATE | class::PREDICATE = class {
        refusals.illegal_if(modifiers != modifier::NONE, &MODIFIER_OF_CONSTANT);
        refusals.unspecified_if(SRC0.tag_rest.get(code) != 0, &TAG_BITS);
    }
    match class {
        class::GENERAL | class::INDIRECT => {
            let modifier = Modifier::of_code(modifiers);
            refusals.illegal_if(matches!(modifiers, modifier::SAT | modifier::NOT), &SRC_MODIFIER);
            refusals.unspecified_if(modifier.is_none() && modifiers > modifier::NOT, &MODIFIER_CODE);
            let operand = VectorOperand::of(&SRC0, code, small, refusals);
            Some(Source::Vector(operand?, modifier?))
        }
        class::IMMEDIATE => {
            refusals.unspecified_if(SRC0_CONST.type_rest.get(code) != 0, &IMMEDIATE_BITS);
            Some(immediate(code))
        }
        class::PREDICATE => predicate(code, small, refusals),
        _ => {
            refusals.illegal_if(true, &SRC_CLASS);
            None
        }
    }
}

/// *Source*: page Operands, lines 413-429. VX-31: types of 8 and 16 bits have the low bits of the low word.
fn immediate(code: &[u32]) -> Source {
    let data_type = DataType::of_code(SRC0_CONST.data_type.get(code));
    let value = u64::from(SRC0_CONST.high.get(code)) << 32 | u64::from(SRC0_CONST.low.get(code));
    Source::Immediate(data_type, value & (u64::MAX >> (u64::BITS - data_type.bits())))
}

/// *Source*: page Operands, lines 368-379; page MOV, line 71.
fn predicate(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Source> {
    let fields = &SRC0_PREDICATE;
    let control = fields.reserved.get(code) | fields.combine.get(code) | fields.inverse.get(code);
    refusals.unspecified_if(control != 0, &PREDICATE_CONTROL);
    let id = fields.id.get(code);
    if id == 0 {
        refusals.unspecified_if(true, &PREDICATE_P0);
        return None;
    }
    predicate_variable(id, small, refusals).map(Source::Predicate)
}

/// The value of a predicate variable: an unsigned integer, with element 0 as its lowest bit.
///
/// VX-24: the page leaves the upper bits undefined if there are fewer than 16 elements; they are 0.
fn predicate_value(variable: &PredicateVariable) -> u64 {
    u64::from(variable.value) & ((1 << num_elements(variable)) - 1)
}

/// What no type map has. *Source*: page MOV, lines 54 and 57-63.
fn check_type(data_type: DataType, small: &Small, refusals: &mut Refusals) {
    refusals.illegal_if(data_type == DataType::Bf && small.platform != XEHP, &BF_BEFORE_XEHP);
    match data_type.kind() {
        TypeKind::Unsigned | TypeKind::Signed | TypeKind::Float => {}
        // VX-03: the maps list BOOL, for predicate operands (line 70).
        TypeKind::Bool => refusals.illegal_if(true, &BOOL_OPERAND),
        TypeKind::Packed => refusals.illegal_if(true, &PACKED_OPERAND),
    }
}

/// The type maps, and what no page says about a pair of types. *Source*: page MOV, lines 57-63.
fn check_types(dst: DataType, src: DataType, is_saturated: bool, small: &Small, refusals: &mut Refusals) {
    let has_bf = dst == DataType::Bf || src == DataType::Bf;
    let is_bf_map = |data_type| matches!(data_type, DataType::F | DataType::Bf);
    refusals.illegal_if(has_bf && !(is_bf_map(dst) && is_bf_map(src)), &TYPE_MAP);

    let is_nearest_even = rounding_mode(small.cr0) == Rounding::NearestEven;
    let is_integer = |data_type: DataType| matches!(data_type.kind(), TypeKind::Unsigned | TypeKind::Signed);
    refusals.unspecified_if(is_integer(src) && dst.kind() == TypeKind::Float && !is_nearest_even, &ROUNDED_INTEGER);
    refusals.unspecified_if(src == DataType::F && dst == DataType::Bf && !is_nearest_even, &ROUNDED_BF);
    refusals.unspecified_if(dst == DataType::Bf && is_saturated, &SATURATED_BF);
}

#[cfg(test)]
mod tests {
    use tandem_isa::visa::operand::{CODE_WORDS, EXEC_MASK, combine, region_code};
    use tandem_isa::visa::{GRF_BYTES, PRE_XEHP, VISA, cr0};
    use tandem_isa::{CodeField, Edition, Reference, RowSet, State, Step};

    use super::*;
    use crate::visa::VisaReference;

    /// Where V32, V33 begin in the base state.
    const V32: usize = 0;
    const V33: usize = 1024;

    /// A `MOV` from `V33` to `V32` with contiguous regions, in a state of registers of 64 bytes.
    struct Case {
        state: State,
        code: [u32; CODE_WORDS],
    }

    impl Case {
        fn new(exec_size: u32, dst: DataType, src: DataType) -> Self {
            let mut code = [0; CODE_WORDS];
            code.copy_from_slice(VISA.instructions[0].base_code);
            let mut case = Case { state: VISA.base_state(), code };
            case.small().grf_size = 1;
            for (place, data_type) in [dst, src].into_iter().enumerate() {
                case.small().variables[place].data_type = u16::try_from(data_type.code()).expect("four bits");
            }
            case.set(EXEC_SIZE, exec_size.ilog2());
            case.region(1, 1, 0);
            case
        }

        fn small(&mut self) -> &mut Small {
            Visa::new(&mut self.state).small
        }

        fn set(&mut self, field: CodeField, value: u32) {
            field.set(&mut self.code, value);
        }

        /// The region of the source.
        fn region(&mut self, vert_stride: u32, width: u32, horz_stride: u32) {
            for (field, elements) in
                [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].into_iter().zip([vert_stride, width, horz_stride])
            {
                self.set(field, region_code(elements).expect("there is a code"));
            }
        }

        /// An immediate as the source.
        fn immediate(&mut self, data_type: DataType, low: u32, high: u32) {
            self.set(SRC0.class, class::IMMEDIATE);
            self.set(SRC0_CONST.data_type, data_type.code());
            self.set(SRC0_CONST.low, low);
            self.set(SRC0_CONST.high, high);
        }

        fn put(&mut self, offset: usize, bytes: &[u8]) {
            Visa::new(&mut self.state).grf_unmarked()[offset..offset + bytes.len()].copy_from_slice(bytes);
        }

        fn words(&mut self, offset: usize, count: usize) -> Vec<u32> {
            let file = *Visa::new(&mut self.state).grf_unmarked();
            file[offset..offset + 4 * count]
                .chunks_exact(4)
                .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
                .collect()
        }

        fn put_words(&mut self, offset: usize, words: &[u32]) {
            for (place, word) in words.iter().enumerate() {
                self.put(offset + 4 * place, &word.to_le_bytes());
            }
        }

        fn run(&mut self) -> Expectation {
            let step = Step { instruction: VISA.instructions[0], edition: Edition::Spec, code: &self.code };
            let expectation = VisaReference.execute(&step, &mut self.state);
            let newest = Step { edition: Edition::Newest, ..step };
            let mut other = VISA.base_state();
            other.copy_from(&self.state);
            assert_eq!(VisaReference.execute(&newest, &mut other), expectation, "the editions do not differ");
            expectation
        }
    }

    fn rows(set: &RowSet) -> Vec<usize> {
        let mut list = Vec::new();
        set.each(|row| list.push(row));
        list
    }

    // ------------------------------------------------------------------------------------------- execution

    #[test]
    fn a_plain_move_copies_elements_and_touches_their_rows_alone() {
        let mut case = Case::new(16, DataType::Ud, DataType::Ud);
        let words: Vec<u32> = (0..16).map(|i| 0x0101_0101 * i + 7).collect();
        case.put_words(V33, &words);
        let small = *case.small();
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 17), [words.as_slice(), &[0]].concat());
        assert_eq!(
            (rows(&case.state.tracker.log.read), rows(&case.state.tracker.log.written)),
            (vec![32, 33], vec![0, 1])
        );
        assert_eq!(*case.small(), small);
    }

    #[test]
    fn disabled_channels_neither_read_nor_write() {
        let mut case = Case::new(16, DataType::Ud, DataType::Ud);
        case.put_words(V33, &[1; 16]);
        case.put_words(V32, &[9; 16]);
        // Channels 9 and 12 by the mask; the predicate leaves 12.
        case.small().em = 1 << 9 | 1 << 12;
        case.small().predicates[2].value = 0xfff0_1100;
        case.set(PRED.id, 3);
        assert_eq!(case.run(), Expectation::Done);
        let mut expected = [9; 16];
        expected[12] = 1;
        assert_eq!(case.words(V32, 16), expected);
        assert_eq!((rows(&case.state.tracker.log.read), rows(&case.state.tracker.log.written)), (vec![33], vec![1]));
    }

    #[test]
    fn no_channel_at_all_changes_nothing() {
        for exec_size in [1, 2, 4, 8, 16, 32] {
            let mut case = Case::new(exec_size, DataType::F, DataType::D);
            case.small().em = 0;
            case.put(0, &[0xa5; GRF_BYTES]);
            assert_eq!(case.run(), Expectation::Done);
            assert!(case.words(0, GRF_BYTES / 4).iter().all(|&word| word == 0xa5a5_a5a5));
            assert!(case.state.tracker.log.read.is_empty() && case.state.tracker.log.written.is_empty());
        }
    }

    #[test]
    fn masks_and_predicates_select_from_their_offset_on() {
        // Under M5, channels 16 to 23 of the mask; all of the predicate's, inverted, is not all of 16 to 23.
        for (value, no_mask, expected) in [
            (0x00fe_0000, 0, [1, 0, 0, 0, 1, 0, 0, 0]),
            (0x00ff_0000, 0, [0; 8]),
            (0xff00_ffff, 8, [1; 8]),
            (0x00ff_0000, 8, [0; 8]),
        ] {
            let mut case = Case::new(8, DataType::Ud, DataType::Ud);
            case.put_words(V33, &[1; 8]);
            case.small().em = 0x0011_0000;
            case.small().predicates[0].value = value;
            case.set(EXEC_MASK, 4 + no_mask);
            case.set(PRED.id, 1);
            case.set(PRED.combine, combine::ALL);
            case.set(PRED.inverse, 1);
            assert_eq!(case.run(), Expectation::Done);
            assert_eq!(case.words(V32, 8), expected, "{value:#x} {no_mask}");
        }
    }

    #[test]
    fn everything_is_read_before_anything_is_written() {
        // VX-28. The destination is the source, one element further up and one further down.
        for (dst, src, expected) in [(1, 0, [1, 1, 2, 3, 4, 6, 7, 8]), (0, 1, [2, 3, 4, 5, 5, 6, 7, 8])] {
            let mut case = Case::new(4, DataType::Ud, DataType::Ud);
            case.put_words(V33, &[1, 2, 3, 4, 5, 6, 7, 8]);
            case.set(DST.id, 33);
            case.set(DST.col_offset, dst);
            case.set(SRC0.col_offset, src);
            assert_eq!(case.run(), Expectation::Done);
            assert_eq!(case.words(V33, 8), expected);
        }
        // Narrow data over wide ones.
        let mut case = Case::new(4, DataType::Uw, DataType::Ud);
        case.small().variables[0].offset = 1024;
        case.put_words(V33, &[0x1_0001, 0x2_0002, 0x3_0003, 0x4_0004]);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V33, 4), [0x0002_0001, 0x0004_0003, 0x3_0003, 0x4_0004]);
    }

    #[test]
    fn strides_leave_what_is_between_as_it_was() {
        let mut case = Case::new(4, DataType::Uw, DataType::D);
        case.put(V32, &[0xee; 16]);
        case.put_words(V33, &[1, 2, 3, 4, 5, 6, 7, 8]);
        case.set(DST.horz_stride, region_code(2).expect("there is a code"));
        case.region(4, 2, 1);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 4), [0xeeee_0001, 0xeeee_0002, 0xeeee_0005, 0xeeee_0006]);
    }

    #[test]
    fn indirect_operands_follow_their_addresses() {
        let mut case = Case::new(4, DataType::Ud, DataType::Ud);
        case.put_words(V33, &[10, 11, 12, 13, 14, 15, 16, 17]);
        case.small().addresses = [[0; 16]; 2];
        case.small().addresses[0][2] = 36;
        case.small().addresses[1][3..7].copy_from_slice(&[1036, 1024, 1052, 1024]);
        for (fields, id, k, offset) in [(&DST, 0, 2, -4_i32), (&SRC0, 1, 3, 0)] {
            case.set(fields.class, class::INDIRECT);
            case.set(fields.id, id);
            case.set(fields.addr_offset, k);
            case.set(fields.indirect_offset, offset.cast_unsigned());
            case.set(fields.data_type, DataType::Ud.code());
        }
        case.set(SRC0.vert_stride, 0);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(32, 4), [13, 10, 17, 10]);
    }

    // ------------------------------------------------------------------------------------------- operands and types

    #[test]
    fn immediates_are_replicated_and_cut_to_their_type() {
        for (data_type, low, high, dst, expected) in [
            (DataType::B, 0x1234_56fe, 77, DataType::D, -2_i64),
            (DataType::Ub, 0x1234_56fe, 77, DataType::D, 0xfe),
            (DataType::W, 0xffff_8000, 77, DataType::Q, -0x8000),
            (DataType::Uw, 0xffff_8000, 77, DataType::Q, 0x8000),
            (DataType::Ud, 0xffff_8000, 77, DataType::Q, 0xffff_8000),
            (DataType::Uq, 1, 0x8000_0000, DataType::Uq, i64::MIN + 1),
            (DataType::Hf, 0x7777_3c00, 77, DataType::D, 1),
            (DataType::Df, 0, 0xbff0_0000, DataType::D, -1),
        ] {
            let mut case = Case::new(8, dst, DataType::Ud);
            case.immediate(data_type, low, high);
            assert_eq!(case.run(), Expectation::Done);
            let size = dst.bytes();
            let file = *Visa::new(&mut case.state).grf_unmarked();
            for channel in 0..8 {
                let start = channel * size;
                assert_eq!(file[start..start + size], expected.to_le_bytes()[..size], "{data_type:?}");
            }
            assert!(case.state.tracker.log.read.is_empty());
        }
    }

    #[test]
    fn modifiers_and_saturation_take_part() {
        // -(UD 1) to Q is -1; abs(B -128) to W is 128; both with .sat to UB and B.
        for (dst, src, modifiers, saturation, source, expected) in [
            (DataType::Q, DataType::Ud, modifier::NEG, modifier::NONE, 1_i64, -1_i64),
            (DataType::W, DataType::B, modifier::ABS, modifier::NONE, -128, 128),
            (DataType::B, DataType::B, modifier::ABS, modifier::NONE, -128, -128),
            (DataType::B, DataType::B, modifier::ABS, modifier::SAT, -128, 127),
            (DataType::Ub, DataType::Ud, modifier::NEG, modifier::SAT, 1, 0),
            (DataType::Ub, DataType::Uw, modifier::NONE, modifier::NONE, 0x1ff, 0xff),
            (DataType::Ub, DataType::B, modifier::NONE, modifier::SAT, -1, 0),
            (DataType::Ub, DataType::B, modifier::NONE, modifier::NONE, -1, 0xff),
            (DataType::D, DataType::D, modifier::NEG_ABS, modifier::NONE, 5, -5),
            // 2.5 and -2.5 as F.
            (DataType::W, DataType::F, modifier::NEG, modifier::NONE, 0x4020_0000, -2),
            (DataType::Uw, DataType::F, modifier::NEG, modifier::NONE, 0x4020_0000, 0),
            (DataType::Hf, DataType::F, modifier::ABS, modifier::NONE, 0xc020_0000, 0x4100),
            (DataType::Hf, DataType::F, modifier::NONE, modifier::SAT, 0x4020_0000, 0x3c00),
            (DataType::Hf, DataType::F, modifier::NONE, modifier::SAT, 0x7fc0_0000, 0),
            (DataType::F, DataType::F, modifier::NONE, modifier::SAT, 0x8000_0000, 0),
            (DataType::F, DataType::D, modifier::NONE, modifier::SAT, -3, 0),
            (DataType::F, DataType::D, modifier::NONE, modifier::NONE, -3, 0xc040_0000),
        ] {
            let mut case = Case::new(1, dst, src);
            case.set(SRC0.modifiers, modifiers);
            case.set(DST.modifiers, saturation);
            case.put(V33, &source.to_le_bytes()[..src.bytes()]);
            assert_eq!(case.run(), Expectation::Done);
            let file = *Visa::new(&mut case.state).grf_unmarked();
            let what = format!("{src:?} {source:#x} {dst:?} {modifiers} {saturation}");
            assert_eq!(file[..dst.bytes()], expected.to_le_bytes()[..dst.bytes()], "{what}");
        }
    }

    #[test]
    fn raw_moves_keep_signaling_nans_and_denormals() {
        let mut case = Case::new(2, DataType::F, DataType::F);
        case.put_words(V33, &[0x7f80_0001, 0x8000_0001]);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 2), [0x7f80_0001, 0x8000_0001]);
        // With a modifier, the NaN is quieted and the denormal flushed, unless the control register keeps it.
        case.set(SRC0.modifiers, modifier::NEG);
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 2), [0xffc0_0001, 0]);
        case.small().cr0 = cr0::F_DENORM;
        assert_eq!(case.run(), Expectation::Done);
        assert_eq!(case.words(V32, 2), [0xffc0_0001, 1]);
    }

    #[test]
    fn the_control_register_rounds() {
        // 1 + 2^-11 lies in the middle of two HF numbers, and 2^-25 below the smallest denormal.
        for (mode, expected) in
            [(cr0::RTNE, [0x3c00, 0]), (cr0::RU, [0x3c01, 1]), (cr0::RD, [0x3c00, 0]), (cr0::RTZ, [0x3c00, 0])]
        {
            let mut case = Case::new(2, DataType::Hf, DataType::F);
            case.small().cr0 = cr0::HF_DENORM | mode << cr0::ROUNDING_SHIFT;
            case.put_words(V33, &[0x3f80_1000, 0x3300_0000]);
            assert_eq!(case.run(), Expectation::Done);
            let [word] = case.words(V32, 1)[..] else { unreachable!("one word was asked for") };
            assert_eq!([word & 0xffff, word >> 16], expected, "{mode}");
        }
    }

    // ------------------------------------------------------------------------------------------- predicates

    /// `P1` as the source.
    fn predicate_case(dst: DataType, log2_num_elements: u32, value: u32) -> Case {
        let mut case = Case::new(1, dst, DataType::Ud);
        case.small().predicates[0] = PredicateVariable { value, log2_num_elements };
        case.put_words(V32, &[u32::MAX; 2]);
        case.set(SRC0.class, class::PREDICATE);
        case.set(SRC0_PREDICATE.id, 1);
        case
    }

    #[test]
    fn a_predicate_is_an_unsigned_integer() {
        for (dst, log2_num_elements, expected) in [
            (DataType::Ub, 0, 0xffff_ff01),
            (DataType::Ub, 3, 0xffff_ffb5),
            (DataType::Uw, 3, 0xffff_00b5),
            (DataType::Uw, 4, 0xffff_c3b5),
            (DataType::Ud, 2, 5),
            (DataType::Ud, 4, 0xc3b5),
            (DataType::Ud, 5, 0x8765_c3b5),
        ] {
            let mut case = predicate_case(dst, log2_num_elements, 0x8765_c3b5);
            assert_eq!(case.run(), Expectation::Done);
            assert_eq!(case.words(V32, 2), [expected, u32::MAX], "{dst:?} {log2_num_elements}");
            case.small().em = 0;
            case.put_words(V32, &[7]);
            assert_eq!(case.run(), Expectation::Done);
            assert_eq!(case.words(V32, 1), [7]);
        }
    }

    #[test]
    fn what_a_predicate_source_rules_out() {
        let refusal = |change: fn(&mut Case)| {
            let mut case = predicate_case(DataType::Uw, 4, 0);
            change(&mut case);
            case.run()
        };
        assert_eq!(refusal(|_| {}), Expectation::Done);
        assert_eq!(refusal(|case| case.set(EXEC_MASK, 8)), Expectation::Done);
        assert_eq!(refusal(|case| case.set(EXEC_SIZE, 1)), Expectation::Illegal(&PREDICATE_EXEC_SIZE));
        assert_eq!(refusal(|case| case.set(PRED.id, 2)), Expectation::Illegal(&PREDICATE_MODE));
        assert_eq!(refusal(|case| case.set(DST.modifiers, modifier::SAT)), Expectation::Illegal(&PREDICATE_MODE));
        assert_eq!(
            refusal(|case| case.set(SRC0.modifiers, modifier::NEG)),
            Expectation::Illegal(&MODIFIER_OF_CONSTANT)
        );
        assert_eq!(refusal(|case| case.set(EXEC_MASK, 2)), Expectation::Unspecified(&PREDICATE_MASK));
        assert_eq!(refusal(|case| case.set(SRC0_PREDICATE.inverse, 1)), Expectation::Unspecified(&PREDICATE_CONTROL));
        assert_eq!(refusal(|case| case.set(SRC0_PREDICATE.id, 0)), Expectation::Unspecified(&PREDICATE_P0));
        for (dst, log2_num_elements) in [(DataType::Ub, 4), (DataType::Uw, 5), (DataType::D, 0), (DataType::Uq, 0)] {
            let expectation = predicate_case(dst, log2_num_elements, 0).run();
            assert_eq!(expectation, Expectation::Illegal(&PREDICATE_DST), "{dst:?} {log2_num_elements}");
        }
    }

    // ------------------------------------------------------------------------------------------- refusals

    #[test]
    fn the_type_maps() {
        let mut num_moves = 0;
        for platform in [PRE_XEHP, XEHP] {
            for dst in DataType::ALL {
                for src in DataType::ALL {
                    let mut case = Case::new(1, dst, src);
                    case.small().platform = platform;
                    let expectation = case.run();
                    let is_plain =
                        |one: DataType| !matches!(one.kind(), TypeKind::Bool | TypeKind::Packed) && one != DataType::Bf;
                    let is_bf = |one| matches!(one, DataType::F | DataType::Bf);
                    let is_allowed = is_plain(dst) && is_plain(src) || platform == XEHP && is_bf(dst) && is_bf(src);
                    assert_eq!(expectation == Expectation::Done, is_allowed, "{dst:?} {src:?} {expectation:?}");
                    assert_eq!(matches!(expectation, Expectation::Illegal(_)), !is_allowed);
                    num_moves += usize::from(is_allowed);
                }
            }
        }
        // 11 types without BF, F among them; F and BF in three more pairs.
        assert_eq!(num_moves, 2 * 121 + 3);
    }

    #[test]
    fn what_is_unspecified() {
        for (dst, src, saturation, mode, citation) in [
            (DataType::F, DataType::D, modifier::NONE, cr0::RU, &ROUNDED_INTEGER),
            (DataType::Df, DataType::Ub, modifier::NONE, cr0::RTZ, &ROUNDED_INTEGER),
            (DataType::Bf, DataType::F, modifier::NONE, cr0::RD, &ROUNDED_BF),
            (DataType::Bf, DataType::F, modifier::SAT, cr0::RTNE, &SATURATED_BF),
            (DataType::Bf, DataType::Bf, modifier::SAT, cr0::RTNE, &SATURATED_BF),
        ] {
            let mut case = Case::new(1, dst, src);
            case.set(DST.modifiers, saturation);
            case.small().cr0 = mode << cr0::ROUNDING_SHIFT;
            assert_eq!(case.run(), Expectation::Unspecified(citation), "{dst:?} {src:?}");
        }
        // Other modes matter neither to integers nor to what is exact or raw.
        for (dst, src) in [
            (DataType::D, DataType::F),
            (DataType::D, DataType::W),
            (DataType::F, DataType::Bf),
            (DataType::Bf, DataType::Bf),
            (DataType::Df, DataType::F),
        ] {
            let mut case = Case::new(1, dst, src);
            case.small().cr0 = cr0::RTZ << cr0::ROUNDING_SHIFT;
            assert_eq!(case.run(), Expectation::Done, "{dst:?} {src:?}");
        }
        for (field, value) in [
            (EXEC_SIZE, 6),
            (EXEC_SIZE, 7),
            (EXEC_SIZE_BIT3, 1),
            (PRED.reserved, 1),
            (PRED.combine, combine::RESERVED),
            (PRED.combine, combine::ANY),
            (PRED.inverse, 1),
            (PRED.id, 5),
            (SRC0.modifiers, 6),
            (DST.modifiers, 7),
            (DST.tag_rest, 1),
            (DST.region_rest, 1),
            (SRC0.id, 36),
            (DST.id, 0),
        ] {
            let mut case = Case::new(1, DataType::Ud, DataType::Ud);
            case.set(field, value);
            assert!(matches!(case.run(), Expectation::Unspecified(_)), "{} {value}", field.name);
        }
        let mut case = Case::new(1, DataType::Ud, DataType::Ud);
        case.immediate(DataType::Ud, 1, 0);
        case.set(SRC0_CONST.type_rest, 1);
        assert_eq!(case.run(), Expectation::Unspecified(&IMMEDIATE_BITS));
        case.set(SRC0_CONST.type_rest, 0);
        case.set(SRC0.tag_rest, 1);
        assert_eq!(case.run(), Expectation::Unspecified(&TAG_BITS));
    }

    #[test]
    fn what_is_illegal() {
        for (field, value, citation) in [
            (DST.class, class::IMMEDIATE, &DST_CLASS),
            (DST.class, class::PREDICATE, &DST_CLASS),
            (DST.class, 7, &DST_CLASS),
            (SRC0.class, class::ADDRESS, &SRC_CLASS),
            (SRC0.class, class::STATE, &SRC_CLASS),
            (SRC0.class, 4, &SRC_CLASS),
            (SRC0.modifiers, modifier::NOT, &SRC_MODIFIER),
            (SRC0.modifiers, modifier::SAT, &SRC_MODIFIER),
            (DST.modifiers, modifier::NEG, &DST_MODIFIER),
        ] {
            let mut case = Case::new(1, DataType::Ud, DataType::Ud);
            case.set(field, value);
            assert_eq!(case.run(), Expectation::Illegal(citation), "{} {value}", field.name);
        }
        let mut case = Case::new(1, DataType::Ud, DataType::Ud);
        case.immediate(DataType::Uv, 1, 0);
        assert_eq!(case.run(), Expectation::Illegal(&PACKED_OPERAND));
        case.immediate(DataType::Ud, 1, 0);
        case.set(SRC0.modifiers, modifier::ABS);
        assert_eq!(case.run(), Expectation::Illegal(&MODIFIER_OF_CONSTANT));
        // M2 is not aligned to 8 channels, and M8 with 4 channels ends beyond a dispatch of 16.
        let mut case = Case::new(8, DataType::Ud, DataType::Ud);
        case.set(EXEC_MASK, 1);
        assert!(matches!(case.run(), Expectation::Illegal(_)));
        let mut case = Case::new(4, DataType::Ud, DataType::Ud);
        case.set(EXEC_MASK, 7);
        assert_eq!(case.run(), Expectation::Done);
        case.small().dispatch_size = 1;
        assert!(matches!(case.run(), Expectation::Illegal(_)));
    }

    #[test]
    fn illegal_goes_before_undefined_and_that_before_unspecified() {
        let mut case = Case::new(8, DataType::F, DataType::D);
        case.small().cr0 = cr0::RU << cr0::ROUNDING_SHIFT;
        assert_eq!(case.run(), Expectation::Unspecified(&ROUNDED_INTEGER));
        // A predicate of four elements, where eight are needed.
        case.small().predicates[0].log2_num_elements = 2;
        case.set(PRED.id, 1);
        assert!(matches!(case.run(), Expectation::Undefined(_)));
        case.set(EXEC_MASK, 1);
        assert!(matches!(case.run(), Expectation::Illegal(_)));
        // An execution size without a meaning does not hide what is illegal.
        let mut case = Case::new(8, DataType::Bf, DataType::D);
        case.set(EXEC_SIZE, 6);
        assert_eq!(case.run(), Expectation::Illegal(&TYPE_MAP));
    }

    #[test]
    fn no_code_and_no_state_makes_it_panic() {
        let mut noise = tandem_isa::Noise::new(1);
        let mut outcomes = [0; 4];
        for _ in 0..300_000 {
            let mut case = Case::new(1, DataType::Ud, DataType::Ud);
            for _ in 0..noise.below(8) {
                let field = tandem_isa::visa::operand::ALL_FIELDS[noise.below(43)];
                let value = u32::try_from(noise.below(usize::from(u16::MAX))).expect("16 bits");
                case.set(field, if noise.below(4) == 0 { value } else { value % 8 });
            }
            let fields = (VISA.layout.fields)();
            for _ in 0..noise.below(8) {
                let field = &fields[noise.below(fields.len())];
                let value = u32::try_from(noise.below(1 << 16)).expect("16 bits");
                let most = u64::from(field.max) + 1;
                let value = u32::try_from(u64::from(value) % most).expect("below 2^32");
                field.set(&mut case.state.small, value);
            }
            let step = Step { instruction: VISA.instructions[0], edition: Edition::Spec, code: &case.code };
            outcomes[match VisaReference.execute(&step, &mut case.state) {
                Expectation::Done => 0,
                Expectation::Illegal(_) => 1,
                Expectation::Undefined(_) => 2,
                _ => 3,
            }] += 1;
        }
        assert!(outcomes.iter().all(|&count| count > 1000), "{outcomes:?}");
    }
}
