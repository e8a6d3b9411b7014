//! Vector operands: general and indirect ones, their regions, and where their elements lie; and raw operands.
//!
//! *Source*: page Operands (commit 98fff716), lines 17-164 (regions), 242-440 and 455-460 (operands); page Header,
//! lines 358-384 and 524-528 (variables). *Errata*: VX-25, VX-27, VX-29, VX-30, VX-33, VX-34.
//!
//! VX-34: that a declaration is too large, or placed against the rules of lines 141-147, is not looked at.
//!
//! Addresses are byte addresses in the GRF file. An element that a disabled channel would access is checked like any
//! other (choice: lines 69 and 164 do not tell channels apart, and rule 2 of lines 154-158 asks for it).

use tandem_isa::Citation;
use tandem_isa::visa::operand::dpas::RawFields;
use tandem_isa::visa::operand::{
    INDIRECT_OFFSETS, LEGAL_HORZ_STRIDES, LEGAL_VERT_STRIDES, LEGAL_WIDTHS, NULL, OperandFields, REGION_CODES,
    RegionCode, class, indirect_offset,
};
use tandem_isa::visa::{
    DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES, GeneralVariable, HEADER, NUM_ADDRESSES, NUM_GENERAL, OPERANDS, Small,
};

use super::refusals::Refusals;

/// The most channels that an instruction has.
pub const MAX_CHANNELS: usize = 32;

/// Where each element of an operand begins, as a byte address in the GRF file; only as many as the execution size
/// count.
pub type Addresses = [u32; MAX_CHANNELS];

static RESERVED_VARIABLE: &Citation = cite!(HEADER, "line 451", "V20 to V31 are reserved and may not be used");
static UNDECLARED_VARIABLE: &Citation = cite!(
    HEADER,
    "lines 358-420",
    "the variable is neither declared nor, as a predefined one, part of the modelled state; nothing says \
     where it lies and of what type it is"
);
static UNDECLARED_ADDRESS: &Citation =
    cite!(HEADER, "lines 505-530", "the address variable is not declared; nothing says what it holds");
pub(super) static TAG_BITS: &Citation =
    cite!(OPERANDS, "lines 262-286", "bits 6 and 7 of an operand's tag belong to no item; nothing says what they do");
static PROPERTIES_BITS: &Citation = cite!(
    OPERANDS,
    "lines 400-404",
    "bits 4 to 7 of an indirect operand's properties belong to no item; nothing says what they do"
);
static REGION_BITS: &Citation =
    cite!(OPERANDS, "lines 316-323", "bits 12 to 15 of a region belong to no parameter; nothing says what they do");
static INDIRECT_OFFSET: &Citation =
    cite!(OPERANDS, "lines 397-399", "the byte offset of an indirect operand has the range of -512 to 511");
static COLUMN_OFFSET: &Citation =
    cite!(OPERANDS, "lines 312-313", "the column offset may not cross the boundary of a GRF register");
static RULE_1: &Citation = cite!(
    OPERANDS,
    "lines 131 and 164",
    "rule 1: the width of a region must be 1, 2, 4, 8 or 16; to violate a rule is undefined"
);
static RULE_2: &Citation = cite!(
    OPERANDS,
    "lines 132 and 164",
    "rule 2: the vertical stride must be 0, 1, 2, 4, 8, 16 or 32, and only an indirect operand may have the \
     null value; to violate a rule is undefined"
);
static RULE_3: &Citation = cite!(
    OPERANDS,
    "lines 133 and 164",
    "rule 3: the horizontal stride must be 0, 1, 2 or 4; to violate a rule is undefined"
);
static RULE_4: &Citation = cite!(
    OPERANDS,
    "lines 136 and 164",
    "rule 4: the execution size must not be less than the width; to violate a rule is undefined"
);
static RULE_5: &Citation = cite!(
    OPERANDS,
    "lines 137 and 164",
    "rule 5: the horizontal stride of a destination must not be 0; to violate a rule is undefined"
);
static RULE_6: &Citation = cite!(
    OPERANDS,
    "lines 138-139 and 164",
    "rule 6: the elements must not span more than two adjacent GRF registers; to violate a rule is undefined"
);
static BEYOND_THE_VARIABLE: &Citation =
    cite!(OPERANDS, "line 69", "an access to an out-of-bound element of a variable is undefined");
static BEYOND_THE_ADDRESS_VARIABLE: &Citation = cite!(
    OPERANDS,
    "lines 69 and 94-99",
    "the rows of the region need more elements than the address variable has, and an access to an out-of-bound \
     element is undefined"
);
static OUT_OF_BOUND_ADDRESS: &Citation = cite!(
    OPERANDS,
    "lines 115-118 and 273-277",
    "VX-30: what an address leads to must lie within one general variable; elsewhere it is undefined"
);
static MISALIGNED: &Citation = cite!(
    OPERANDS,
    "lines 118-120 and 402-404",
    "an access that is not aligned to the type of the operand is undefined"
);

/// A general or indirect operand.
#[derive(Clone, Copy, Debug)]
pub struct VectorOperand {
    /// The type of its elements.
    pub data_type: DataType,
    origin: Origin,
    region: Region,
}

/// Where an operand's region begins.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// `VN(R,C)`.
    General { variable: GeneralVariable, row_offset: u32, col_offset: u32 },
    /// `r[AN(k), offset]`.
    Indirect { id: usize, k: usize, offset: i32 },
}

/// The three parameters of a region, as codes.
#[derive(Clone, Copy, Debug)]
struct Region {
    vert_stride: u32,
    width: u32,
    horz_stride: u32,
}

impl VectorOperand {
    /// Reads a general or indirect operand; nothing if its variable is unknown, or if it is of another class.
    /// *Source*: page Operands, lines 297-323 and 381-407.
    #[inline]
    pub fn of(fields: &OperandFields, code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // [OPERANDS 262-263] The tag of an operand has its class and its modifiers.
        refusals.unspecified_if(fields.tag_rest.get(code) != 0, TAG_BITS);
        refusals.unspecified_if(fields.region_rest.get(code) != 0, REGION_BITS);
        let region = Region {
            // [OPERANDS 318-319] A region has a vertical stride in bits 0 to 3, …
            vert_stride: fields.vert_stride.get(code),
            // [OPERANDS 320] … a width in bits 4 to 7, …
            width: fields.width.get(code),
            // [OPERANDS 321-323] … and a horizontal stride in bits 8 to 11.
            horz_stride: fields.horz_stride.get(code),
        };
        // [OPERANDS 264-284] The class says what the operand is.
        let (data_type, origin) = match fields.class.get(code) {
            // [OPERANDS 266] A general operand is a variable.
            class::GENERAL => general(fields, code, small, refusals)?,
            // [OPERANDS 273-278] An indirect operand is what an address variable leads to.
            class::INDIRECT => indirect(fields, code, small, refusals)?,
            _ => return None,
        };
        Some(VectorOperand { data_type, origin, region })
    }

    /// Where a general operand begins that is used as a whole, without its region.
    pub fn start(&self, small: &Small, refusals: &mut Refusals) -> u32 {
        // [OPERANDS 48] The first element is at the row and the column offset.
        self.origin(0, small, refusals)
    }

    /// That the `bytes` from `start` on are those of the operand's variable.
    pub fn check_contiguous(&self, start: u32, bytes: u32, refusals: &mut Refusals) {
        if let Origin::General { variable, .. } = &self.origin {
            refusals.undefined_if(!contains(variable, start, start + bytes), BEYOND_THE_VARIABLE);
        }
    }

    /// Where the elements of a source lie. *Source*: page Operands, lines 45-54 and 103-112.
    pub fn source_data_elements(&self, exec_size: usize, small: &Small, refusals: &mut Refusals) -> Addresses {
        // [OPERANDS 46] One element after the other is numbered.
        let mut source_data_elements = [0; MAX_CHANNELS];
        let is_indirect = matches!(self.origin, Origin::Indirect { .. });
        // The null value in place of a vertical stride.
        // [OPERANDS 89-90, 405-407] A null vertical stride, in the place of a stride, says that each row has an address
        // of its own.
        let is_multi_address = is_indirect && self.region.vert_stride == NULL;
        // [OPERANDS 33-34, 325-336] The width is how many elements a row has; codes stand for powers of two, or
        // nothing.
        let width = legal(self.region.width, &LEGAL_WIDTHS);
        // [OPERANDS 37-38, 325-336] The vertical stride is the step from row to row; it has codes like the others.
        let vert_stride = if is_multi_address { Some(0) } else { legal(self.region.vert_stride, &LEGAL_VERT_STRIDES) };
        // [OPERANDS 35-36, 325-336] The horizontal stride is the step within a row; it has codes like the others.
        let horz_stride = legal(self.region.horz_stride, &LEGAL_HORZ_STRIDES);
        refusals.undefined_if(width.is_none(), RULE_1);
        refusals.undefined_if(vert_stride.is_none(), RULE_2);
        refusals.undefined_if(horz_stride.is_none(), RULE_3);
        let (Some(width), Some(vert_stride), Some(horz_stride)) = (width, vert_stride, horz_stride) else {
            return source_data_elements;
        };
        let width = index(width);
        refusals.undefined_if(exec_size < width, RULE_4);
        // [OPERANDS 136] The execution size must not be less than the width.
        if exec_size < width {
            return source_data_elements;
        }
        // [OPERANDS 40-41, 51] Strides are in units of an element.
        let (vert_step, horz_step) = (vert_stride * self.size(), horz_stride * self.size());
        // [OPERANDS 48] The place of the first element comes from the row and the column offset.
        let mut row_origin = self.origin(0, small, refusals);
        // [OPERANDS 47] Elements are counted from 0.
        let mut count = 0;
        // [OPERANDS 49] There are as many rows as the execution size has widths.
        for i in 0..exec_size / width {
            if is_multi_address {
                // [OPERANDS 107] Each row begins at an address of its own.
                row_origin = self.origin(i, small, refusals);
            }
            // [OPERANDS 51] A row begins a vertical stride after the one before.
            let mut address = row_origin;
            // [OPERANDS 50] There are as many elements in a row as it is wide.
            for _ in 0..width {
                // [OPERANDS 51] An element is at the row's begin and so many horizontal strides.
                source_data_elements[count] = address;
                count += 1;
                address += horz_step;
            }
            // [OPERANDS 51] The next row is a vertical stride further.
            row_origin += vert_step;
        }
        // [OPERANDS 69-70] It is undefined to access an element that the variable does not have.
        if is_multi_address {
            // VX-27: rule 6 and the bounds hold for each row of a multi-address operand by itself, because each address
            // may lead to another variable (lines 99-100).
            for row in source_data_elements[..exec_size].chunks(width) {
                self.check(row, small, refusals);
            }
        } else {
            self.check(&source_data_elements[..exec_size], small, refusals);
        }
        source_data_elements
    }

    /// Where the elements of a destination lie. *Source*: page Operands, lines 61-67.
    ///
    /// Vertical stride and width are ignored (lines 459-460); so a destination cannot be a multi-address operand, which
    /// rule 1 of lines 151-152 forbids (VX-29).
    pub fn dst_data_elements(&self, exec_size: usize, small: &Small, refusals: &mut Refusals) -> Addresses {
        // [OPERANDS 62] The elements of a destination are numbered in the same way.
        let mut dst_data_elements = [0; MAX_CHANNELS];
        // [OPERANDS 35-36, 325-336] A destination has a horizontal stride only.
        let horz_stride = legal(self.region.horz_stride, &LEGAL_HORZ_STRIDES);
        refusals.undefined_if(horz_stride.is_none(), RULE_3);
        refusals.undefined_if(horz_stride == Some(0), RULE_5);
        let Some(horz_stride) = horz_stride else {
            return dst_data_elements;
        };
        // [OPERANDS 40-41, 65] It is in units of an element.
        let step = horz_stride * self.size();
        // [OPERANDS 63] The place of the first element comes from the row and the column offset.
        let mut address = self.origin(0, small, refusals);
        // [OPERANDS 64] A loop goes over all elements.
        for i in 0..exec_size {
            // [OPERANDS 65] Each is a horizontal stride after the one before.
            dst_data_elements[i] = address;
            address += step;
        }
        // [OPERANDS 69-70] It is undefined to access an element that the variable does not have.
        self.check(&dst_data_elements[..exec_size], small, refusals);
        dst_data_elements
    }

    /// The region's origin, or for a multi-address operand that of row `i`. *Source*: page Operands, lines 48, 87-88
    /// and 107.
    fn origin(&self, i: usize, small: &Small, refusals: &mut Refusals) -> u32 {
        match self.origin {
            Origin::General { variable, row_offset, col_offset } => {
                let size = self.size();
                // [OPERANDS 48, 310-313] A row offset counts registers, and a column offset elements; both begin at the
                // variable.
                let grf_size = reads!(grf_size(small), "grf-size-always-32", 32);
                let first_element_index = row_offset * units(grf_size, size) + col_offset;
                // [OPERANDS 51, 65] An element is as far from the variable's begin as its index says.
                u32::from(variable.offset) + first_element_index * size
            }
            Origin::Indirect { id, k, offset } => {
                // [OPERANDS 107, 395-396] The address is that of the address variable's element; where each row has
                // one, of the one that follows for each row.
                let address = small.addresses[id].get(k + i);
                refusals.undefined_if(address.is_none(), BEYOND_THE_ADDRESS_VARIABLE);
                // VX-30: it is the sum that counts. Choice (no erratum): it does not wrap, so an address below the file
                // is out of bounds.
                // [OPERANDS 87-89, 107, 397-399] The origin is the address and the byte offset of the operand.
                let origin = address.map(|&address| i32::from(address) + offset);
                let origin = origin.map(u32::try_from);
                refusals.undefined_if(matches!(origin, Some(Err(_))), OUT_OF_BOUND_ADDRESS);
                origin.and_then(Result::ok).unwrap_or_default()
            }
        }
    }

    /// Size of an element, in bytes.
    fn size(&self) -> u32 {
        // [OPERANDS 40-41] Width and strides are in units of the size of an element.
        narrow(self.data_type.bytes())
    }

    /// What holds for all elements, or for those of one row. Strides are not negative, so the first is the lowest and
    /// the last the highest.
    fn check(&self, elements: &[u32], small: &Small, refusals: &mut Refusals) {
        // [OPERANDS 69-70, 115-120, 138-139] No element may be out of the variable's bounds, or misaligned, or in a
        // third register.
        let size = self.size();
        let (start, end) = (elements[0], elements[elements.len() - 1] + size);
        match &self.origin {
            Origin::General { variable, .. } => {
                refusals.undefined_if(!contains(variable, start, end), BEYOND_THE_VARIABLE);
            }
            Origin::Indirect { .. } => {
                // VX-30: nothing tells which variable's address was taken, so it may be any that holds all elements.
                // [OPERANDS 114-118] What an address leads to lies within one general variable.
                let is_in_one = small.variables.iter().any(|variable| contains(variable, start, end));
                refusals.undefined_if(!is_in_one, OUT_OF_BOUND_ADDRESS);
            }
        }
        // Strides are whole elements, so all are aligned as the first one is.
        // [OPERANDS 118-120] It must be aligned to the type of the operand.
        refusals.undefined_if(start & (size - 1) != 0, MISALIGNED);
        // [OPERANDS 138-139] The elements may lie in two adjacent registers at most.
        let registers = units(end - 1, grf_size(small)) - units(start, grf_size(small)) + 1;
        refusals.undefined_if(registers > 2, RULE_6);
    }
}

/// A raw operand: contiguous, without a region. *Source*: page Operands, lines 480-503.
#[derive(Clone, Copy, Debug)]
pub struct RawOperand {
    /// The type of its elements.
    pub data_type: DataType,
    /// Where it begins, as a byte address in the GRF file.
    pub start: u32,
    variable: GeneralVariable,
}

impl RawOperand {
    /// Reads a raw operand; nothing if its variable is unknown.
    // [DPAS 276] Dst is a raw operand. (`orthogonal_axes_are_covered_three_ways`)
    pub fn of(fields: &RawFields, code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // [OPERANDS 498] A raw operand is named by its variable, …
        let variable = general_variable(fields.id.get(code), small, refusals)?;
        let data_type = DataType::of_code(u32::from(variable.data_type));
        // [OPERANDS 499] … and by an offset in bytes from its begin.
        Some(RawOperand { data_type, start: u32::from(variable.offset) + fields.offset.get(code), variable })
    }

    /// That its `bytes` are those of its variable.
    pub fn check(&self, bytes: u32, refusals: &mut Refusals) {
        refusals.undefined_if(
            !contains(&self.variable, self.start, self.start + bytes),
            cite!(
                OPERANDS,
                "lines 488-489",
                "an access of a raw operand to an out-of-bound element of its variable is undefined"
            ),
        );
    }
}

/// Whether the bytes `start..end` are those of elements of a variable, and of the GRF file.
fn contains(variable: &GeneralVariable, start: u32, end: u32) -> bool {
    // [OPERANDS 69-70] [HEADER 384] An access beyond the elements that the variable has is undefined.
    let first = u32::from(variable.offset);
    let size = narrow(DataType::of_code(u32::from(variable.data_type)).bytes()) * u32::from(variable.num_elements);
    first <= start && end <= first + size && index(end) <= GRF_BYTES
}

/// What a code stands for, if it is one of the values that a region rule lists.
fn legal(code: u32, values: &[u32]) -> Option<u32> {
    // [OPERANDS 325-336] Width and strides have one code: null, 0, 1, 2, 4, 8, 16 or 32 elements.
    match REGION_CODES[index(code)] {
        RegionCode::Elements(elements) if values.contains(&elements) => Some(elements),
        RegionCode::Elements(_) | RegionCode::Null | RegionCode::Unlisted => None,
    }
}

/// How many whole units are in `bytes`. The sizes of types and of registers are powers of two, so nothing is divided.
fn units(bytes: u32, unit: u32) -> u32 {
    bytes >> unit.trailing_zeros()
}

/// Size of a GRF register, in bytes. *Source*: page Execution Model, lines 72-76.
///
/// VX-25: "GRF_Size" of page Operands (line 48) and rule 6 mean this size, although line 311 there calls a row 32
/// bytes.
pub(super) fn grf_size(small: &Small) -> u32 {
    // [EXECUTION_MODEL 72-76] A register has 32 bytes, on PVC 64.
    narrow(GRF_SIZES[index(small.grf_size)])
}

/// The general variable with this number, if a case has it.
fn general_variable(id: u32, small: &Small, refusals: &mut Refusals) -> Option<GeneralVariable> {
    refusals.illegal_if((20..=31).contains(&id), RESERVED_VARIABLE);
    // [HEADER 397-398] The first 32 variables are predefined.
    let place = id.checked_sub(FIRST_GENERAL).map(index).filter(|&place| place < NUM_GENERAL);
    // Choice (no erratum): V0 to V19 exist, but the state of a case does not have them.
    refusals.unspecified_if(place.is_none(), UNDECLARED_VARIABLE);
    Some(small.variables[place?])
}

/// *Source*: page Operands, lines 300-313.
fn general(fields: &OperandFields, code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<(DataType, Origin)> {
    // [OPERANDS 309] A general operand is named by its variable, …
    let variable = general_variable(fields.id.get(code), small, refusals)?;
    // VX-33: BF is a type of variables, too.
    let data_type = DataType::of_code(u32::from(variable.data_type));
    // [OPERANDS 310-313] … and has a row offset in registers and a column offset, which may not cross a register.
    let (row_offset, col_offset) = (fields.row_offset.get(code), fields.col_offset.get(code));
    refusals.illegal_if(col_offset * narrow(data_type.bytes()) >= grf_size(small), COLUMN_OFFSET);
    Some((data_type, Origin::General { variable, row_offset, col_offset }))
}

/// *Source*: page Operands, lines 384-407.
fn indirect(
    fields: &OperandFields,
    code: &[u32],
    small: &Small,
    refusals: &mut Refusals,
) -> Option<(DataType, Origin)> {
    refusals.unspecified_if(fields.properties_rest.get(code) != 0, PROPERTIES_BITS);
    // [OPERANDS 397-399] The byte offset of an indirect operand is from -512 to 511.
    let offset = indirect_offset(fields, code);
    refusals.illegal_if(!INDIRECT_OFFSETS.contains(&offset), INDIRECT_OFFSET);
    // [OPERANDS 394] It is named by its address variable, …
    let id = index(fields.id.get(code));
    refusals.unspecified_if(id >= NUM_ADDRESSES, UNDECLARED_ADDRESS);
    small.addresses.get(id)?;
    // [OPERANDS 395-396] … of which an offset counts the elements before the one that is taken.
    let k = index(fields.addr_offset.get(code));
    // [OPERANDS 401-403] It has a type of its own; an address that is not aligned to it is undefined.
    let data_type = DataType::of_code(fields.data_type.get(code));
    Some((data_type, Origin::Indirect { id, k, offset }))
}

/// A small number, to index with.
pub(super) fn index(value: u32) -> usize {
    usize::try_from(value).expect("a host that runs this crate has indices of 32 bits or more")
}

/// A small size, to compute addresses with.
pub(super) fn narrow(size: usize) -> u32 {
    u32::try_from(size).expect("a few bytes")
}

#[cfg(test)]
mod tests {
    use tandem_isa::visa::operand::{CODE_WORDS, DST, SRC0, region_code};
    use tandem_isa::visa::{VISA, Visa};
    use tandem_isa::{CodeField, Expectation};

    use super::*;

    const UB: u16 = 4;
    const W: u16 = 3;
    const F: u16 = 7;
    const DF: u16 = 6;

    fn small(variables: &[GeneralVariable]) -> Small {
        let mut state = VISA.base_state();
        let mut small = *Visa::new(&mut state).small;
        small.variables = Default::default();
        small.variables[..variables.len()].copy_from_slice(variables);
        small
    }

    fn variable(data_type: u16, num_elements: u16, offset: u16) -> GeneralVariable {
        GeneralVariable { data_type, num_elements, offset, unused: 0 }
    }

    /// A code word for each field given; regions are in elements.
    fn operand(fields: &OperandFields, values: &[(CodeField, u32)], region: [Option<u32>; 3]) -> [u32; CODE_WORDS] {
        let mut code = [0; CODE_WORDS];
        for (field, value) in values {
            field.set(&mut code, *value);
        }
        for (field, elements) in [fields.vert_stride, fields.width, fields.horz_stride].into_iter().zip(region) {
            field.set(&mut code, elements.map_or(NULL, |elements| region_code(elements).expect("there is a code")));
        }
        code
    }

    /// `V<id>(row,col)` as a source or destination.
    fn general(fields: &OperandFields, [id, row, col]: [u32; 3], region: [Option<u32>; 3]) -> [u32; CODE_WORDS] {
        operand(fields, &[(fields.id, id), (fields.row_offset, row), (fields.col_offset, col)], region)
    }

    /// `r[A<id>(k), offset]` as a source or destination, of type F.
    fn indirect(fields: &OperandFields, id: u32, k: u32, offset: i32, region: [Option<u32>; 3]) -> [u32; CODE_WORDS] {
        let values = [
            (fields.class, class::INDIRECT),
            (fields.id, id),
            (fields.addr_offset, k),
            (fields.indirect_offset, offset.cast_unsigned()),
            (fields.data_type, u32::from(F)),
        ];
        operand(fields, &values, region)
    }

    fn expect(
        fields: &OperandFields,
        code: &[u32],
        small: &Small,
        exec_size: usize,
    ) -> Result<Vec<u32>, &'static Citation> {
        let mut refusals = Refusals::default();
        let elements = VectorOperand::of(fields, code, small, &mut refusals).map(|operand| {
            if fields.class.word == DST.class.word {
                operand.dst_data_elements(exec_size, small, &mut refusals)
            } else {
                operand.source_data_elements(exec_size, small, &mut refusals)
            }
        });
        match refusals.expectation() {
            None => Ok(elements.expect("nothing was refused")[..exec_size].to_vec()),
            Some(expectation) => Err(expectation.citation().expect("a refusal has a citation")),
        }
    }

    fn region(vert_stride: u32, width: u32, horz_stride: u32) -> [Option<u32>; 3] {
        [Some(vert_stride), Some(width), Some(horz_stride)]
    }

    // -------------------------------------------------------------------------------------------- the page's figures

    #[test]
    fn the_figure_of_general_operands() {
        // Fig. 3: V1 of 32 UB, V2 of 64 UB, V3 of 32 W; add (16) V3(0,0)<2> V1(0,1)<16;8,2> V2(1,0)<0;1,0>.
        let small = small(&[variable(UB, 32, 0), variable(UB, 64, 64), variable(W, 32, 128)]);
        let odd: Vec<u32> = (0..16).map(|i| 2 * i + 1).collect();
        assert_eq!(expect(&SRC0, &general(&SRC0, [32, 0, 1], region(16, 8, 2)), &small, 16), Ok(odd));
        assert_eq!(expect(&SRC0, &general(&SRC0, [33, 1, 0], region(0, 1, 0)), &small, 16), Ok(vec![64 + 32; 16]));
        let even_words: Vec<u32> = (0..16).map(|i| 128 + 4 * i).collect();
        assert_eq!(expect(&DST, &general(&DST, [34, 0, 0], [None, None, Some(2)]), &small, 16), Ok(even_words));
    }

    #[test]
    fn the_figure_of_indirect_operands() {
        // Fig. 4: V1 of 8 F, V2 of 16 F, V3 of 8 F; add (4) V3(0,0)<1> r[A0(0),0]<4;4,1> r[A1(0),0]<;1,0>. A0 leads to
        // element 2 of V1, A1 to the elements 1, 7, 10 and 13 of V2.
        let mut small = small(&[variable(F, 8, 0), variable(F, 16, 32), variable(F, 8, 96)]);
        small.addresses[0][0] = 2 * 4;
        small.addresses[1][..4].copy_from_slice(&[36, 60, 72, 84]);
        let code = indirect(&SRC0, 0, 0, 0, region(4, 4, 1));
        assert_eq!(expect(&SRC0, &code, &small, 4), Ok(vec![8, 12, 16, 20]));
        let code = indirect(&SRC0, 1, 0, 0, [None, Some(1), Some(0)]);
        assert_eq!(expect(&SRC0, &code, &small, 4), Ok(vec![36, 60, 72, 84]));
        let code = general(&DST, [34, 0, 0], [None, None, Some(1)]);
        assert_eq!(expect(&DST, &code, &small, 4), Ok(vec![96, 100, 104, 108]));
    }

    // -------------------------------------------------------------------------------------------- regions

    #[test]
    fn rows_and_columns_of_a_source() {
        let small = small(&[variable(F, 64, 256)]);
        // <2;4,1>: rows overlap. <32;2,4>: rows lie apart. <1;1,0> is contiguous.
        for (parameters, elements) in [
            (region(2, 4, 1), [0, 1, 2, 3, 2, 3, 4, 5]),
            (region(4, 4, 0), [0, 0, 0, 0, 4, 4, 4, 4]),
            (region(1, 8, 2), [0, 2, 4, 6, 8, 10, 12, 14]),
            (region(0, 2, 4), [0, 4, 0, 4, 0, 4, 0, 4]),
            (region(1, 1, 0), [0, 1, 2, 3, 4, 5, 6, 7]),
        ] {
            let expected = elements.map(|element| 256 + 4 * element).to_vec();
            assert_eq!(expect(&SRC0, &general(&SRC0, [32, 0, 0], parameters), &small, 8), Ok(expected));
        }
    }

    #[test]
    fn a_row_offset_counts_registers() {
        for (grf_size, first) in [(0, 32 * 3 + 4 * 2), (1, 64 * 3 + 4 * 2)] {
            let mut small = small(&[variable(F, 64, 512)]);
            small.grf_size = grf_size;
            let code = general(&SRC0, [32, 3, 2], region(0, 1, 0));
            assert_eq!(expect(&SRC0, &code, &small, 1), Ok(vec![512 + first]));
            let code = general(&DST, [32, 3, 2], region(0, 1, 1));
            assert_eq!(expect(&DST, &code, &small, 1), Ok(vec![512 + first]));
        }
    }

    #[test]
    fn a_multi_address_row_has_its_own_address() {
        let mut small = small(&[variable(F, 64, 0), variable(F, 64, 4096)]);
        small.addresses[1][5..9].copy_from_slice(&[4100, 0, 4136, 40]);
        let code = indirect(&SRC0, 1, 5, 12, [None, Some(2), Some(4)]);
        let expected = vec![4112, 4128, 12, 28, 4148, 4164, 52, 68];
        assert_eq!(expect(&SRC0, &code, &small, 8), Ok(expected));
        // A vertical stride makes it one address.
        let code = indirect(&SRC0, 1, 5, -20, region(2, 2, 1));
        assert_eq!(expect(&SRC0, &code, &small, 4), Err(OUT_OF_BOUND_ADDRESS));
        let code = indirect(&SRC0, 1, 5, -4, region(2, 2, 1));
        assert_eq!(expect(&SRC0, &code, &small, 4), Ok(vec![4096, 4100, 4104, 4108]));
    }

    #[test]
    fn every_rule_of_regions() {
        let small = small(&[variable(F, 128, 0), variable(DF, 32, 1024)]);
        let source = |parameters, exec_size| expect(&SRC0, &general(&SRC0, [32, 0, 0], parameters), &small, exec_size);
        let dst = |parameters, exec_size| expect(&DST, &general(&DST, [32, 0, 0], parameters), &small, exec_size);
        assert_eq!(source(region(1, 32, 1), 32), Err(RULE_1));
        assert_eq!(source([Some(1), None, Some(1)], 8), Err(RULE_1));
        assert_eq!(source([None, Some(1), Some(1)], 8), Err(RULE_2));
        assert_eq!(source(region(1, 1, 8), 8), Err(RULE_3));
        assert_eq!(source([Some(1), Some(1), None], 8), Err(RULE_3));
        assert_eq!(source(region(1, 8, 1), 4), Err(RULE_4));
        assert_eq!(dst(region(0, 1, 0), 8), Err(RULE_5));
        assert_eq!(dst(region(0, 1, 8), 8), Err(RULE_3));
        assert_eq!(dst([None; 3], 8), Err(RULE_3));
        // 16 elements fill two registers of 32 bytes; from element 1 on they touch a third.
        assert!(source(region(16, 16, 1), 16).is_ok());
        assert_eq!(expect(&SRC0, &general(&SRC0, [32, 0, 1], region(16, 16, 1)), &small, 16), Err(RULE_6));
        assert_eq!(dst(region(0, 1, 2), 16), Err(RULE_6));
        assert_eq!(expect(&DST, &general(&DST, [33, 0, 0], region(0, 1, 1)), &small, 16), Err(RULE_6));
        let mut wide = small;
        wide.grf_size = 1;
        assert!(expect(&DST, &general(&DST, [33, 0, 0], region(0, 1, 1)), &wide, 16).is_ok());
        // Codes without a number, and unnamed bits.
        let mut code = general(&SRC0, [32, 0, 0], region(1, 1, 0));
        SRC0.width.set(&mut code, 9);
        assert_eq!(expect(&SRC0, &code, &small, 1), Err(RULE_1));
        for (field, citation) in [(SRC0.tag_rest, TAG_BITS), (SRC0.region_rest, REGION_BITS)] {
            let mut code = general(&SRC0, [32, 0, 0], region(1, 1, 0));
            field.set(&mut code, 1);
            assert_eq!(expect(&SRC0, &code, &small, 1), Err(citation));
        }
        let mut code = indirect(&SRC0, 0, 0, 0, region(0, 1, 0));
        SRC0.properties_rest.set(&mut code, 8);
        assert_eq!(expect(&SRC0, &code, &small, 1), Err(PROPERTIES_BITS));
    }

    #[test]
    fn vertical_stride_and_width_of_a_destination_are_ignored() {
        let small = small(&[variable(F, 16, 0)]);
        for vert_stride in [None, Some(0), Some(32)] {
            for width in [None, Some(32), Some(1)] {
                let code = general(&DST, [32, 0, 0], [vert_stride, width, Some(4)]);
                assert_eq!(expect(&DST, &code, &small, 4), Ok(vec![0, 16, 32, 48]));
                let code = indirect(&DST, 0, 3, 8, [vert_stride, width, Some(1)]);
                assert_eq!(expect(&DST, &code, &small, 4), Ok(vec![8, 12, 16, 20]));
            }
        }
    }

    // -------------------------------------------------------------------------------------------- bounds

    #[test]
    fn elements_must_lie_in_their_variable_and_in_the_file() {
        let source = |small: &Small, col| expect(&SRC0, &general(&SRC0, [32, 0, col], region(4, 4, 1)), small, 4);
        let six = small(&[variable(F, 6, 64)]);
        assert_eq!(source(&six, 2), Ok(vec![72, 76, 80, 84]));
        assert_eq!(source(&six, 3), Err(BEYOND_THE_VARIABLE));
        assert_eq!(source(&small(&[variable(F, 0, 64)]), 0), Err(BEYOND_THE_VARIABLE));
        let at_the_end = small(&[variable(F, 100, 8176)]);
        assert_eq!(source(&at_the_end, 0), Ok(vec![8176, 8180, 8184, 8188]));
        assert_eq!(source(&at_the_end, 1), Err(BEYOND_THE_VARIABLE));
        assert_eq!(source(&small(&[variable(F, 16, 66)]), 0), Err(MISALIGNED));
        // The column offset stays within a register.
        let sixteen = small(&[variable(F, 64, 0)]);
        assert_eq!(source(&sixteen, 7).map(|elements| elements[0]), Ok(28));
        assert_eq!(source(&sixteen, 8), Err(COLUMN_OFFSET));
    }

    #[test]
    fn addresses_must_lead_to_one_variable() {
        let mut small = small(&[variable(F, 8, 32), variable(F, 8, 64), variable(F, 1, 200)]);
        let mut source = |address, offset| {
            small.addresses[0][0] = address;
            expect(&SRC0, &indirect(&SRC0, 0, 0, offset, region(4, 4, 1)), &small, 4)
        };
        assert!(source(32, 0).is_ok());
        assert!(source(30, 2).is_ok());
        assert!(source(48, 0).is_ok());
        // From one variable into the one that follows it, before the first, below the file, into a small one.
        assert_eq!(source(52, 0), Err(OUT_OF_BOUND_ADDRESS));
        assert_eq!(source(28, 0), Err(OUT_OF_BOUND_ADDRESS));
        assert_eq!(source(28, -32), Err(OUT_OF_BOUND_ADDRESS));
        assert_eq!(source(200, 0), Err(OUT_OF_BOUND_ADDRESS));
        assert_eq!(source(65535, 511), Err(OUT_OF_BOUND_ADDRESS));
        assert_eq!(source(34, 0), Err(MISALIGNED));
        assert_eq!(source(32, 512), Err(INDIRECT_OFFSET));
        assert_eq!(source(600, -513), Err(INDIRECT_OFFSET));
    }

    #[test]
    fn rows_need_elements_of_the_address_variable() {
        let small = small(&[variable(F, 64, 0)]);
        let source = |k, width, exec_size| {
            expect(&SRC0, &indirect(&SRC0, 0, k, 0, [None, Some(width), Some(1)]), &small, exec_size)
        };
        assert!(source(0, 1, 16).is_ok());
        assert_eq!(source(1, 1, 16), Err(BEYOND_THE_ADDRESS_VARIABLE));
        assert_eq!(source(0, 1, 32), Err(BEYOND_THE_ADDRESS_VARIABLE));
        assert!(source(0, 2, 32).is_ok());
        assert!(source(15, 1, 1).is_ok());
        assert_eq!(source(16, 1, 1), Err(BEYOND_THE_ADDRESS_VARIABLE));
    }

    #[test]
    fn what_is_not_declared_is_refused() {
        let small = small(&[variable(F, 64, 0)]);
        let refusal = |code: &[u32]| {
            let mut refusals = Refusals::default();
            assert!(VectorOperand::of(&SRC0, code, &small, &mut refusals).is_none());
            refusals.expectation()
        };
        for id in [0, 19, 36, u32::MAX] {
            let code = general(&SRC0, [id, 0, 0], region(0, 1, 0));
            assert_eq!(refusal(&code), Some(Expectation::Unspecified(UNDECLARED_VARIABLE)), "V{id}");
        }
        for id in [20, 31] {
            let code = general(&SRC0, [id, 0, 0], region(0, 1, 0));
            assert_eq!(refusal(&code), Some(Expectation::Illegal(RESERVED_VARIABLE)), "V{id}");
        }
        for id in [2, u32::MAX] {
            let code = indirect(&SRC0, id, 0, 0, region(0, 1, 0));
            assert_eq!(refusal(&code), Some(Expectation::Unspecified(UNDECLARED_ADDRESS)), "A{id}");
        }
    }
}
