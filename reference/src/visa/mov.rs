//! `MOV`: component-wise move with type conversion.
//!
//! *Source*: page MOV (commit 98fff716); what it takes from other pages is in the files beside this one. *Errata*:
//! VX-02 to VX-08, VX-13, VX-23, VX-24, VX-28, VX-31, VX-64.
//!
//! First everything is looked at that could keep the pages from promising a result, in the order of page MOV's
//! description; [`Refusals`] picks the strongest. Then the instruction is executed.

// Of page `MOV`.
// Shown by `orthogonal_axes_are_covered_three_ways`, where nothing else is said.
//
// Of `isa/src/visa/operand.rs, ALL_FIELDS`, shown by `the_byte_form_is_laid_out_as_the_pages_say`:
// [8] The opcode is 0x29.
//
// Of `isa/src/visa/operand/bytes.rs, to_bytes`, shown by `the_byte_form_is_laid_out_as_the_pages_say`:
// [12] The opcode is followed by Exec_size, Pred, Dst and Src0, in this order.
// [25] Exec_size is one byte. (`byte_forms_round_trip`)
//
// Of `isa/src/visa/inst/mov_text.rs, print`, shown by `the_pages_own_syntax_is_read`:
// [66] The text is a predicate in parentheses, if there is one, the mnemonic with .sat, the execution size in
// parentheses, destination and source.

use tandem_isa::visa::operand::{
    DST, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class, modifier,
};
use tandem_isa::visa::{
    DATA_TYPES, DISPATCH_SIZES, DataType, HEADER, MOV, OPERANDS, PredicateVariable, SYNTAX, Small, TypeKind, Visa, XEHP,
};
use tandem_isa::{Citation, Expectation};

use super::convert::{Conversion, Modifier, rounding_mode};
use super::operands::{Addresses, MAX_CHANNELS, TAG_BITS, VectorOperand, index, narrow};
use super::predication::{Channels, MaskControl, PredControl, evaluate_ch_en, num_elements, predicate_variable};
use super::refusals::Refusals;
use super::softfloat::Rounding;

static EXEC_SIZE_CODE: &Citation = cite!(
    MOV,
    "lines 25-32",
    "VX-06: no page gives the execution size codes 110b and 111b and bit 3 of the byte a meaning"
);
static DST_CLASS: &Citation = cite!(MOV, "line 51", "a destination is a general or an indirect operand");
static SRC_CLASS: &Citation = cite!(MOV, "line 52", "a source is a general, indirect, immediate or predicate operand");
static DST_MODIFIER: &Citation = cite!(MOV, "lines 55-56 and 66", "a destination has saturation and no other modifier");
static SRC_MODIFIER: &Citation =
    cite!(MOV, "line 56", "the source modifiers are the arithmetic ones, that is absolute value and negation");
static MODIFIER_CODE: &Citation = cite!(
    SYNTAX,
    "line 50, and page Operands, lines 285-292",
    "VX-05: no page gives the modifier codes 110b and 111b a meaning"
);
static MODIFIER_OF_CONSTANT: &Citation = cite!(
    OPERANDS,
    "lines 288-289",
    "only general and indirect operands may have modifiers; those of others must be zero"
);
static IMMEDIATE_BITS: &Citation = cite!(
    OPERANDS,
    "lines 414 and 420",
    "bits 4 to 7 of an immediate operand's type belong to no item; nothing says what they do"
);
static PACKED_OPERAND: &Citation =
    cite!(MOV, "lines 54 and 58-63", "the type maps have no packed vectors; only an immediate may be one");
static PACKED_FLOATS: &Citation = cite!(
    DATA_TYPES,
    "lines 49-52",
    "rules on what the restricted floats of a packed vector are stand in a document that is not among the pages"
);
static PACKED_ELEMENTS: &Citation = cite!(
    OPERANDS,
    "lines 429-433",
    "an immediate vector has eight elements, or four floats; nothing says what further channels get"
);
static PREDICATE_UPPER_BITS: &Citation = cite!(
    MOV,
    "line 71",
    "VX-24: if the predicate is declared with fewer than 16 elements, the upper bits of the destination are undefined"
);
static TYPE_MAP: &Citation = cite!(MOV, "lines 57-63", "no type map has these two types: BF goes with F and BF only");
static PREDICATE_EXEC_SIZE: &Citation =
    cite!(MOV, "line 71", "the execution size must be one if the source is a predicate");
static PREDICATE_DST: &Citation = cite!(
    MOV,
    "line 71",
    "VX-24: if the source is a predicate, the destination must be UB, UW or UD with at least as many bits as \
     it has"
);
static PREDICATE_MODE: &Citation =
    cite!(MOV, "line 71", "neither predication nor saturation is supported if the source is a predicate");
static PREDICATE_MASK: &Citation = cite!(
    OPERANDS,
    "lines 376-379, and page MOV, line 71",
    "VX-23: a predicate operand is accessed from the offset of the mask control on, but MOV reads the value \
     of the variable; nothing says which it is if the offset is not 0"
);
static PREDICATE_CONTROL: &Citation = cite!(
    OPERANDS,
    "lines 368-379, and page MOV, line 71",
    "VX-23: a predicate operand can be combined and inverted, but MOV reads the value of the variable; \
     nothing says what these bits do there"
);
static PREDICATE_P0: &Citation =
    cite!(HEADER, "lines 556-562", "P0 stands for no predication; nothing says what it holds");
static ROUNDED_INTEGER: &Citation = cite!(
    DATA_TYPES,
    "lines 186-188",
    "VX-08: an integer that no float equals is rounded to the nearest even one \"by default\"; nothing says \
     whether the control register changes that"
);
static ROUNDED_BF: &Citation = cite!(
    DATA_TYPES,
    "lines 193-196",
    "VX-13: the control register's rounding is promised for DF to F, DF to HF and F to HF; nothing says how F \
     is rounded to BF under another mode than the default"
);
static SATURATED_BF: &Citation = cite!(
    DATA_TYPES,
    "lines 245-261",
    "VX-04: BF is not among the types that support saturation; nothing says what it does"
);

/// The source of a move.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A general or indirect operand.
    Vector(VectorOperand, Modifier),
    /// A constant: its type, and its bits.
    Immediate(DataType, u64),
    /// A constant vector: the type of its elements, and its bits.
    Packed(DataType, u32),
    /// A predicate variable.
    Predicate(PredicateVariable),
}

/// Executes a `MOV`. *Source*: page MOV, lines 12-20 and 25-71.
// [23] The move is component by component, with type conversion where it takes one.
// (`mov_under_a_mask_is_lane_by_lane`)
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
    // [15, VX-28] One channel after the other up to the execution size is looked at.
    // (`everything_is_read_before_anything_is_written`)
    // [17-19, VX-28] Its element of dst is given the value of its element of src0, with type conversion.
    // (`every_instruction_agrees_in_every_mode`)
    let mut data = [0; MAX_CHANNELS];
    // VX-08: under another mode than the default only what need not be rounded is promised.
    // [DATA_TYPES 186-188] An integer that a float type does not have is rounded; by default to nearest even.
    if mov.must_be_exact {
        let data = &mut data[..mov.num_enabled];
        mov.read(0, data, visa);
        let rounds = |datum: &u64| mov.conversion.is_some_and(|conversion| conversion.rounds_integer(*datum));
        if data.iter().any(rounds) {
            return Expectation::Unspecified(ROUNDED_INTEGER);
        }
    }
    let at_once = reads!(MAX_CHANNELS, "write-while-reading", 1);
    // [15] A loop goes over the elements.
    let mut lane = 0;
    while lane < mov.num_enabled {
        let end = mov.num_enabled.min(lane + at_once);
        let data = &mut data[lane..end];
        // [15-18] Of those of enabled channels the source is read, …
        mov.read(lane, data, visa);
        // [71] … converted if the types differ, …
        if let Some(conversion) = &mov.conversion {
            for datum in data.iter_mut() {
                *datum = conversion.convert(*datum);
            }
        }
        // [17] … and written to the destination.
        mov.write(lane, data, visa);
        lane += at_once;
    }
    Expectation::Done
}

/// A `MOV` that was looked through. Of the elements, those of the enabled channels are left.
struct Mov {
    num_enabled: usize,
    dst_type: DataType,
    dst_data_elements: Addresses,
    src0: Src0,
    /// Of no meaning if the source is a constant.
    source_data_elements: Addresses,
    /// The conversion to the type of the destination (page MOV, line 71); a predicate needs none.
    conversion: Option<Conversion>,
    /// Whether no integer may have to be rounded.
    must_be_exact: bool,
}

/// Where the data of a source come from.
enum Src0 {
    /// The GRF file: elements of this many bytes.
    Elements(usize),
    /// One value, which is replicated across all channels (page Operands, lines 427-429).
    Constant(u64),
    /// The elements of a constant vector (page Operands, lines 429-431), of this type.
    Packed(DataType, u32),
}

impl Mov {
    /// Looks through an instruction; nothing if it cannot be executed, which is then noted in `refusals`.
    // Shown by `what_a_predicate_source_rules_out`.
    fn of(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // Exec_size.
        // [26-32, VX-06] Bits 0 to 2 of Exec_size are the size of the regions: 1, 2, 4, 8, 16 or 32 elements, by the
        // codes 0 to 5. (`orthogonal_axes_are_covered_three_ways`)
        refusals.unspecified_if(EXEC_SIZE_BIT3.get(code) != 0, EXEC_SIZE_CODE);
        let exec_size = EXEC_SIZES[index(EXEC_SIZE.get(code))].map(index);
        refusals.unspecified_if(exec_size.is_none(), EXEC_SIZE_CODE);
        // [33-49] The same byte has the mask control, in bits 4 to 7.
        let mask_control = MaskControl::of(code);
        if let Some(exec_size) = exec_size {
            mask_control.check(exec_size, index(DISPATCH_SIZES[index(small.dispatch_size)]), refusals);
        }

        // Pred.
        // [50] Then comes the predicate control.
        let pred_control = PredControl::of(&PRED, code, small, refusals);

        // Dst, Src0, and the type maps.
        // [51-52, 58-63] Then destination and source. The type maps say which types go together.
        let (dst, is_saturated) = destination(code, small, refusals);
        let src0 = source(code, small, refusals);
        if let Some(dst) = &dst {
            check_type(dst.data_type, small, refusals);
        }
        if let Some(
            Source::Vector(VectorOperand { data_type, .. }, _)
            | Source::Immediate(data_type, _)
            | Source::Packed(data_type, _),
        ) = src0
        {
            check_type(data_type, small, refusals);
            if let Some(dst) = &dst {
                check_types(dst.data_type, data_type, is_saturated, small, refusals);
            }
        }

        // A predicate as the source.
        // [71] The source may be a predicate; then the execution size must be one.
        if SRC0.class.get(code) == class::PREDICATE {
            // [71] If the source is a predicate, the execution size must be one.
            refusals.illegal_if(exec_size.is_some_and(|exec_size| exec_size != 1), PREDICATE_EXEC_SIZE);
            // [71] With such a source neither predication nor saturation is supported.
            refusals.illegal_if(is_saturated || PRED.id.get(code) != 0, PREDICATE_MODE);
            refusals.unspecified_if(mask_control.offset != 0, PREDICATE_MASK);
        }
        if let Some(Source::Packed(..)) = &src0 {
            // [OPERANDS 429-433] A packed vector has eight elements, and a vector of packed floats four.
            refusals.unspecified_if(exec_size.is_some_and(|exec_size| exec_size > PACKED_INTEGERS), PACKED_ELEMENTS);
        }
        if let (Some(Source::Predicate(variable)), Some(dst)) = (&src0, &dst) {
            // [71, VX-24] The destination must be UB, UW or UD with at least as many bits as the predicate is large.
            let is_type = matches!(dst.data_type, DataType::Ub | DataType::Uw | DataType::Ud);
            let bits = index(dst.data_type.bits());
            refusals.illegal_if(!is_type || bits < num_elements(variable), PREDICATE_DST);
            // [71, VX-24] With fewer than 16 elements declared, the upper bits of the destination are undefined.
            let has_upper_bits = num_elements(variable) < 16 && bits > num_elements(variable);
            refusals.unspecified_if(has_upper_bits, PREDICATE_UPPER_BITS);
        }

        // Nothing more can be illegal; what follows needs an instruction that could be read.
        // [12, 15-19] The rest is executed channel by channel.
        if matches!(refusals.expectation(), Some(Expectation::Illegal(_))) {
            return None;
        }
        let exec_size = exec_size?;
        if let Some(pred_control) = &pred_control {
            pred_control.check(mask_control, exec_size, refusals);
        }
        // [51] The destination is a vector operand.
        let dst_data_elements = dst.as_ref().map(|dst| dst.dst_data_elements(exec_size, small, refusals));
        // [52] The source is one too, or a constant or a predicate.
        let mut source_data_elements = match &src0 {
            Some(Source::Vector(operand, _)) => operand.source_data_elements(exec_size, small, refusals),
            // Numbers of elements.
            Some(Source::Packed(..)) => std::array::from_fn(narrow),
            Some(Source::Immediate(..) | Source::Predicate(_)) | None => [0; MAX_CHANNELS],
        };
        let (dst_type, mut dst_data_elements) = (dst?.data_type, dst_data_elements?);
        // [71] If the types differ, or a modifier or saturation is asked for, the value is converted.
        let conversion = |src, modifier| Some(Conversion::new(dst_type, src, modifier, is_saturated, small.cr0));
        let (src0, conversion) = match src0? {
            Source::Vector(VectorOperand { data_type, .. }, modifier) => {
                (Src0::Elements(data_type.bytes()), conversion(data_type, modifier))
            }
            Source::Immediate(data_type, value) => (Src0::Constant(value), conversion(data_type, Modifier::default())),
            Source::Packed(data_type, low) => {
                (Src0::Packed(data_type, low), conversion(data_type, Modifier::default()))
            }
            Source::Predicate(variable) => (Src0::Constant(predicate_value(&variable)), None),
        };
        // [16] What a disabled channel has is neither read nor written.
        let ch_en = evaluate_ch_en(mask_control, exec_size, small.em, pred_control.as_ref());
        keep_enabled(&mut dst_data_elements, ch_en);
        keep_enabled(&mut source_data_elements, ch_en);
        let num_enabled = index(ch_en.count_ones());
        let is_integer_to_float = conversion.as_ref().is_some_and(Conversion::is_integer_to_float);
        let must_be_exact = is_integer_to_float && rounding_mode(small.cr0) != Rounding::NearestEven;
        Some(Mov { num_enabled, dst_type, dst_data_elements, src0, source_data_elements, conversion, must_be_exact })
    }

    /// The source's data for enabled channels from `first` on.
    fn read(&self, first: usize, data: &mut [u64], visa: &mut Visa<'_>) {
        // [17] An element is read at the place that its region gives it.
        let offsets = self.source_data_elements[first..first + data.len()].iter().map(|&address| index(address));
        // [DATA_TYPES 25-40] Its type says how many bytes it has.
        match self.src0 {
            Src0::Elements(1) => visa.read_each::<1>(offsets, data),
            Src0::Elements(2) => visa.read_each::<2>(offsets, data),
            Src0::Elements(4) => visa.read_each::<4>(offsets, data),
            Src0::Elements(_) => visa.read_each::<8>(offsets, data),
            // [OPERANDS 427-429] A constant that is not packed is the same in all channels.
            Src0::Constant(value) => data.fill(value),
            // [OPERANDS 429-431] A packed vector of integers is one of W or UW, with all elements next to each other.
            Src0::Packed(data_type, low) => {
                for (datum, element) in data.iter_mut().zip(offsets) {
                    *datum = packed_integer(data_type, low, element);
                }
            }
        }
    }

    /// Writes the data of enabled channels from `first` on.
    fn write(&self, first: usize, data: &[u64], visa: &mut Visa<'_>) {
        // [17] An element is written at the place that its region gives it.
        let offsets = self.dst_data_elements[first..first + data.len()].iter().map(|&address| index(address));
        // [DATA_TYPES 25-40] Its type says how many bytes it has.
        match self.dst_type.bytes() {
            1 => visa.write_each::<1>(offsets, data),
            2 => visa.write_each::<2>(offsets, data),
            4 => visa.write_each::<4>(offsets, data),
            _ => visa.write_each::<8>(offsets, data),
        }
    }
}

/// The loop and the condition of lines 15 and 16, for addresses: moves those of the enabled channels to the front.
fn keep_enabled(elements: &mut Addresses, ch_en: Channels) {
    // [15-16] Only elements of enabled channels count.
    let is_all_in_front = ch_en & ch_en.wrapping_add(1) == 0;
    if is_all_in_front {
        return;
    }
    // Which channels are enabled is random, so none is branched on: that of a disabled channel is written over.
    let mut end = 0;
    for i in 0..MAX_CHANNELS {
        elements[end] = elements[i];
        end += index(ch_en >> i & 1);
    }
}

/// The destination, and whether it is saturated. *Source*: page MOV, lines 51 and 55; page Operands, line 458.
// [51] Dst is a vector operand, general or indirect.
fn destination(code: &[u32], small: &Small, refusals: &mut Refusals) -> (Option<VectorOperand>, bool) {
    // [51] The destination is a general or an indirect operand.
    let is_class = matches!(DST.class.get(code), class::GENERAL | class::INDIRECT);
    refusals.illegal_if(!is_class, DST_CLASS);
    // [55] It can be saturated.
    let is_saturated = match DST.modifiers.get(code) {
        modifier::NONE => false,
        modifier::SAT => true,
        modifier::ABS | modifier::NEG | modifier::NEG_ABS | modifier::NOT => {
            refusals.illegal_if(true, DST_MODIFIER);
            false
        }
        _ => {
            refusals.unspecified_if(true, MODIFIER_CODE);
            false
        }
    };
    // [51] It can be saturated, and has a region of one dimension.
    (VectorOperand::of(&DST, code, small, refusals), is_saturated)
}

/// The source. *Source*: page MOV, lines 52 and 56; page Operands, lines 262-292, 368-374 and 413-429.
// [52] Src0 is a vector operand, general, indirect, immediate or predicate.
fn source(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Source> {
    // [OPERANDS 285-292] Bits 3 to 5 of an operand's tag are its modifiers; only general and indirect operands have
    // any.
    let modifiers = SRC0.modifiers.get(code);
    // [52] The source is a general or an indirect operand, a constant or a predicate.
    let class = SRC0.class.get(code);
    if let class::IMMEDIATE | class::PREDICATE = class {
        refusals.illegal_if(modifiers != modifier::NONE, MODIFIER_OF_CONSTANT);
        refusals.unspecified_if(SRC0.tag_rest.get(code) != 0, TAG_BITS);
    }
    match class {
        class::GENERAL | class::INDIRECT => {
            // [56] The modifier is an arithmetic one.
            let modifier = Modifier::of_code(modifiers);
            refusals.illegal_if(matches!(modifiers, modifier::SAT | modifier::NOT), SRC_MODIFIER);
            refusals.unspecified_if(modifier.is_none() && modifiers > modifier::NOT, MODIFIER_CODE);
            // [52] A general or an indirect operand has a region.
            let operand = VectorOperand::of(&SRC0, code, small, refusals);
            Some(Source::Vector(operand?, modifier?))
        }
        class::IMMEDIATE => {
            refusals.unspecified_if(SRC0_CONST.type_rest.get(code) != 0, IMMEDIATE_BITS);
            Some(immediate(code, refusals))
        }
        class::PREDICATE => predicate(code, small, refusals),
        _ => {
            refusals.illegal_if(true, SRC_CLASS);
            None
        }
    }
}

/// *Source*: page Operands, lines 413-433. VX-31: types of 8 and 16 bits have the low bits of the low word.
fn immediate(code: &[u32], refusals: &mut Refusals) -> Source {
    // [OPERANDS 420-421] A constant has any type but BOOL.
    let data_type = DataType::of_code(SRC0_CONST.data_type.get(code));
    // [OPERANDS 422-425] It has 32 low bits, and a DF, Q or UQ has 32 high ones too.
    let low = SRC0_CONST.low.get(code);
    match data_type {
        // [OPERANDS 429-431] A packed vector of integers is one of W or UW.
        DataType::V => Source::Packed(DataType::W, low),
        DataType::Uv => Source::Packed(DataType::Uw, low),
        // [OPERANDS 431-433] A packed vector of floats is one of four floats.
        DataType::Vf => {
            refusals.unspecified_if(true, PACKED_FLOATS);
            Source::Packed(DataType::F, low)
        }
        _ => {
            let value = u64::from(SRC0_CONST.high.get(code)) << 32 | u64::from(low);
            Source::Immediate(data_type, value & (u64::MAX >> (u64::BITS - data_type.bits())))
        }
    }
}

/// The elements of a constant vector of integers.
const PACKED_INTEGERS: usize = 8;

/// An element of a constant vector, as a datum of 16 bits: -8 to 7 of type `W`, 0 to 15 of type `UW`.
///
/// VX-64: no line says at which end the elements begin.
fn packed_integer(data_type: DataType, low: u32, element: usize) -> u64 {
    // [OPERANDS 429-431] Its elements have no offset, and lie next to each other.
    let element = reads!(element, "packed-high-first", PACKED_INTEGERS - 1 - element);
    // [DATA_TYPES 46-53] A V has eight integers of -8 to 7, an UV eight of 0 to 15.
    let bits = u64::from(low) >> (4 * element) & 0xf;
    if data_type == DataType::W && bits >= 8 { bits | 0xfff0 } else { bits }
}

/// *Source*: page Operands, lines 368-379; page MOV, line 71.
fn predicate(code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Source> {
    // [OPERANDS 373-379] A predicate operand has an id, a control and an inverse.
    let fields = &SRC0_PREDICATE;
    let control = fields.reserved.get(code) | fields.combine.get(code) | fields.inverse.get(code);
    refusals.unspecified_if(control != 0, PREDICATE_CONTROL);
    let id = fields.id.get(code);
    if id == 0 {
        refusals.unspecified_if(true, PREDICATE_P0);
        return None;
    }
    predicate_variable(id, small, refusals).map(Source::Predicate)
}

/// The value of a predicate variable.
///
/// VX-24: of 16 elements or more the bits above them are 0.
// Shown by `a_predicate_is_an_unsigned_integer`.
// [71, VX-23] The predicate's value is an unsigned integer with element 0 as its lowest bit, and is copied.
fn predicate_value(variable: &PredicateVariable) -> u64 {
    // [71] The value is that of the predicate variable as an unsigned integer, its element 0 in the lowest bit.
    let declared = (1 << num_elements(variable)) - 1;
    u64::from(variable.value) & reads!(declared, "predicate-source-undeclared", u64::MAX)
}

/// What no type map has. *Source*: page MOV, lines 54 and 57-63.
// Shown by `the_type_maps`.
// [54, VX-03] Supported are B, BOOL, D, DF, F, HF, Q, UB, UD, UQ, UW and W; from XeHP on also BF.
fn check_type(data_type: DataType, small: &Small, refusals: &mut Refusals) {
    refusals.illegal_if(
        data_type == DataType::Bf && small.platform != XEHP,
        cite!(MOV, "lines 54 and 61-63", "BF is supported on XeHP and later platforms only"),
    );
    match data_type.kind() {
        TypeKind::Unsigned | TypeKind::Signed | TypeKind::Float => {}
        // VX-03: the maps list BOOL, for predicate operands (line 70).
        // [70, VX-03] BOOL is for predicates; the other types are listed once more.
        TypeKind::Bool => refusals.illegal_if(
            true,
            cite!(
                DATA_TYPES,
                "lines 15-17, and page Operands, lines 401-403 and 420-421",
                "VX-03: only predicate variables may have the type BOOL"
            ),
        ),
        TypeKind::Packed => refusals.illegal_if(true, PACKED_OPERAND),
    }
}

/// The type maps, and what no page says about a pair of types. *Source*: page MOV, lines 57-63.
// Shown by `the_type_maps`.
// [58-60, VX-03] Each of UD, D, UW, W, UB, B, DF, F, BOOL, UQ, Q and HF can be moved to each of them.
fn check_types(dst: DataType, src: DataType, is_saturated: bool, small: &Small, refusals: &mut Refusals) {
    // [58-63] Two maps have the types that go together: all but BF in one, F and BF in the other.
    // [61-63, VX-04] From XeHP on, each of F and BF can be moved to each of them.
    let has_bf = dst == DataType::Bf || src == DataType::Bf;
    let is_bf_map = |data_type| matches!(data_type, DataType::F | DataType::Bf);
    refusals.illegal_if(has_bf && !(is_bf_map(dst) && is_bf_map(src)), TYPE_MAP);

    let is_nearest_even = rounding_mode(small.cr0) == Rounding::NearestEven;
    refusals.unspecified_if(src == DataType::F && dst == DataType::Bf && !is_nearest_even, ROUNDED_BF);
    refusals.unspecified_if(dst == DataType::Bf && is_saturated, SATURATED_BF);
}

#[cfg(test)]
mod tests;
