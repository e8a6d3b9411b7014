//! Tests as kernels of OpenCL with inline vISA.
//!
//! A kernel is one sub-group. It loads the parts of the GRF file that the test touches into variables, which the inline text
//! divides into the variables of the test, sets predicates, addresses and `%cr0`, has the instruction, and stores the
//! parts again. The compiler may add instructions around the one under test, so its final code is to be kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use tandem_harness::vectors::{Outcome, Test, VectorFile};
use tandem_isa::visa::operand::dpas::{NULL_VARIABLE, SRC0 as DPAS_SRC0, W};
use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, EXEC_SIZES, MASK_OFFSETS, NO_MASK, NULL, OperandFields, REGION_CODES, RegionCode, SRC0,
    SRC0_CONST, bytes, class, dpas_bytes, indirect_offset,
};
use tandem_isa::visa::precision::Precision;
use tandem_isa::visa::{ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, Mnemonic, Small, Visa, bank, cr0};
use tandem_isa::{Code, Expectation, Facts, Reference, State, Step};

use super::blocks::{Block, blocks};
use super::device::{Device, Needs};
use super::kernel::{general_fields, predicate_fields, within};
use super::{Unreachable, dialect};

/// A test as a kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the kernel.
    pub kernel: String,
    /// Its source.
    pub source: String,
    /// Lanes of its sub-group: the size of its only work-group.
    pub lanes: usize,
    /// The devices that have all that it needs.
    pub devices: Vec<Device>,
    /// The parts of the GRF file that it loads and stores, one after the other.
    pub blocks: Vec<Block>,
    /// What it loads, with padding behind each block.
    pub before: Vec<u8>,
    /// The instructions under test, as they stand in it.
    pub text: Vec<String>,
}

/// Makes kernels of tests.
pub struct Exporter {
    reference: Box<dyn Reference>,
}

impl Exporter {
    /// With a reference, which says what a test touches.
    #[must_use]
    pub fn new(reference: Box<dyn Reference>) -> Self {
        Exporter { reference }
    }

    /// The kernel of a test.
    ///
    /// # Errors
    /// Why there is none.
    pub fn export(&mut self, file: &VectorFile, test: &Test) -> Result<Program, Unreachable> {
        let mut state = test.case_value(file.isa, file.instruction, test.newest()).state();
        let grf = Visa::new(&mut state).grf_unmarked().to_vec();
        let small = *Visa::new(&mut state).small;
        let steps = steps(file, test)?;
        let touched = self.touched(file, test, &mut state)?;
        let lanes = lanes(&steps, &small)?;
        let mut needs = Needs::of(&small);
        for (facts, code) in &steps {
            needs.types.extend(types(facts, code, &small));
            if Mnemonic::of(facts) == Mnemonic::Dpas {
                needs.systolic = Some((EXEC_SIZE.get(code) as usize, Precision::of_code(W.get(code))));
            }
        }
        let id = test.id(file.isa, file.instruction);
        let meets = |device: &Device| device.meets(&needs) && device.takes(&id);
        let devices: Vec<Device> = Device::ALL.into_iter().filter(meets).collect();
        if devices.is_empty() {
            return Err(Unreachable::Device);
        }
        let variables = named(&steps, &small);
        let ranges: Vec<Range<usize>> = variables.values().map(|one| one.bytes.clone()).collect();
        let blocks = blocks(&ranges, &touched, (needs.register_bytes, lanes))?;
        let before = before(&blocks, &grf, lanes);
        let kernel = format!("t_{id}");
        let text: Vec<String> = steps.iter().map(|(facts, code)| inline(facts, code)).collect();
        let mut lines = declarations(&variables, &blocks, lanes);
        lines.extend(setup(&steps, &small, &blocks));
        lines.extend(text.iter().cloned());
        lines.push("mov (M1_NM, 1) %%cr0(0,0)<1> R0(0,0)<0;1,0>".to_string());
        let source = source(&kernel, lanes, &blocks, &lines);
        Ok(Program { kernel, source, lanes, devices, blocks, before, text })
    }

    /// The rows that the reference reads and writes.
    fn touched(&mut self, file: &VectorFile, test: &Test, state: &mut State) -> Result<BTreeSet<usize>, Unreachable> {
        state.tracker.log.clear();
        for step in test.steps(file.instruction) {
            let step = Step { instruction: step.instruction, edition: test.newest(), code: &step.code };
            if self.reference.execute(&step, state) != Expectation::Done {
                return Err(Unreachable::Unpromised);
            }
        }
        let mut touched = BTreeSet::new();
        let first = state.layout.banks[bank::GRF].first_row;
        for rows in [&state.tracker.log.read, &state.tracker.log.written] {
            rows.each(|row| {
                touched.insert(row - first);
            });
        }
        Ok(touched)
    }
}

type Steps = Vec<(&'static Facts, Code)>;

/// The instructions in normal form.
fn steps(file: &VectorFile, test: &Test) -> Result<Steps, Unreachable> {
    if test.outcome != Outcome::Done {
        return Err(Unreachable::Unpromised);
    }
    let mut steps = Vec::new();
    for step in test.steps(file.instruction) {
        let facts = step.instruction.facts;
        let code = match Mnemonic::of(facts) {
            Mnemonic::Mov => bytes::to_bytes(&step.code).and_then(|bytes| bytes::from_bytes(&bytes)),
            Mnemonic::Dpas => dpas_bytes::to_bytes(&step.code).and_then(|bytes| dpas_bytes::from_bytes(&bytes)),
        };
        let code = code.map_err(|_| Unreachable::Form)?;
        let numbers = general_fields(facts, &code);
        let is_known = numbers.iter().all(|field| within(field.get(&code), FIRST_GENERAL, 4).is_ok());
        let is_dpas = Mnemonic::of(facts) == Mnemonic::Dpas;
        let has_null_offset = is_dpas && DPAS_SRC0.id.get(&code) == NULL_VARIABLE && DPAS_SRC0.offset.get(&code) != 0;
        if has_null_offset
            || !is_known
            || EXEC_SIZES[EXEC_SIZE.get(&code) as usize].is_none()
            || facts.print(&code).contains('|')
        {
            return Err(Unreachable::Form);
        }
        steps.push((facts, code));
    }
    Ok(steps)
}

/// The lanes of a sub-group that has all channels that are selected, each of them enabled.
fn lanes(steps: &Steps, small: &Small) -> Result<usize, Unreachable> {
    let mut most = 16;
    for (_, code) in steps {
        let mask = EXEC_MASK.get(code);
        let (first, count) = (MASK_OFFSETS[(mask % NO_MASK) as usize], EXEC_SIZES[EXEC_SIZE.get(code) as usize]);
        let count = count.unwrap_or(32);
        let selected = (u64::from(u32::MAX) >> (32 - count)) << first;
        if mask & NO_MASK == 0 && u64::from(small.em) & selected != selected {
            return Err(Unreachable::Masked);
        }
        most = most.max(first + count);
    }
    match most {
        ..=16 => Ok(16),
        17..=32 => Ok(32),
        _ => Err(Unreachable::Form),
    }
}

/// The operands of a move that may be indirect.
fn indirect<'a>(facts: &Facts, code: &'a [u32]) -> impl Iterator<Item = &'static OperandFields> + 'a {
    let is_move = Mnemonic::of(facts) == Mnemonic::Mov;
    let operands: [&OperandFields; 2] = [&DST, &SRC0];
    operands.into_iter().filter(move |one| is_move && one.class.get(code) == class::INDIRECT)
}

/// The types of the operands.
fn types(facts: &Facts, code: &[u32], small: &Small) -> Vec<DataType> {
    let of = |number: u32| DataType::of_code(small.variables[(number - FIRST_GENERAL) as usize].data_type.into());
    let fields = general_fields(facts, code);
    // Of DPAS the sources are words of 32 bits whatever their type is.
    let most = if Mnemonic::of(facts) == Mnemonic::Dpas { fields.len() - 2 } else { fields.len() };
    let general = fields[..most].iter().map(|field| of(field.get(code)));
    let indirect = indirect(facts, code).map(|operand| DataType::of_code(operand.data_type.get(code)));
    let is_immediate = Mnemonic::of(facts) == Mnemonic::Mov && SRC0.class.get(code) == class::IMMEDIATE;
    let immediate = is_immediate.then(|| DataType::of_code(SRC0_CONST.data_type.get(code)));
    general.chain(indirect).chain(immediate).collect()
}

/// A variable of a test.
struct Variable {
    data_type: DataType,
    num_elements: usize,
    bytes: Range<usize>,
}

/// The variables that instructions name, by number.
fn named(steps: &Steps, small: &Small) -> BTreeMap<u32, Variable> {
    let numbers = steps.iter().flat_map(|(facts, code)| {
        let fields = general_fields(facts, code);
        fields.into_iter().map(|field| field.get(code)).collect::<Vec<u32>>()
    });
    let variable = |number: u32| {
        let told = small.variables[(number - FIRST_GENERAL) as usize];
        let data_type = DataType::of_code(told.data_type.into());
        let (start, num_elements) = (usize::from(told.offset), usize::from(told.num_elements));
        Variable { data_type, num_elements, bytes: start..start + num_elements * data_type.bytes() }
    };
    numbers.map(|number| (number, variable(number))).collect()
}

/// What the blocks hold before.
fn before(blocks: &[Block], grf: &[u8], lanes: usize) -> Vec<u8> {
    let mut before = Vec::new();
    for block in blocks {
        let end = before.len() + block.words * 4 * lanes;
        before.extend(&grf[block.bytes.clone()]);
        before.resize(end, 0);
    }
    before
}

/// An instruction with names that a compiler does not use, and its percent sign doubled.
fn inline(facts: &Facts, code: &[u32]) -> String {
    let renamed = |letter| match letter {
        'V' => 'W',
        'P' => 'Q',
        'A' => 'B',
        other => other,
    };
    dialect::text(facts, code).chars().map(renamed).collect::<String>().replace('%', "%%")
}

/// The variables of the test, each in its block.
fn declarations(variables: &BTreeMap<u32, Variable>, blocks: &[Block], lanes: usize) -> Vec<String> {
    let declare = |(number, variable): (&u32, &Variable)| {
        let start = variable.bytes.start;
        let (place, block) = containing(blocks, start).expect("each variable begins in a block");
        let offset = start - block.bytes.start;
        let room = (block.words * 4 * lanes - offset) / variable.data_type.bytes();
        let (elements, data_type) = (variable.num_elements.min(room), variable.data_type.text());
        format!(".decl W{number} v_type=G type={data_type} num_elts={elements} alias=<%{place},{offset}>")
    };
    variables.iter().map(declare).collect()
}

fn containing(blocks: &[Block], byte: usize) -> Option<(usize, &Block)> {
    blocks.iter().enumerate().find(|(_, block)| block.bytes.contains(&byte))
}

/// What goes before the instructions: `%cr0`, which is kept to be restored, predicates, and addresses.
fn setup(steps: &Steps, small: &Small, blocks: &[Block]) -> Vec<String> {
    let mut lines = vec![
        ".decl R0 v_type=G type=ud num_elts=1".to_string(),
        "mov (M1_NM, 1) R0(0,0)<1> %%cr0(0,0)<0;1,0>".to_string(),
        format!("and (M1_NM, 1) %%cr0(0,0)<1> %%cr0(0,0)<0;1,0> {:#x}:ud", !cr0::MODELLED),
        format!("or (M1_NM, 1) %%cr0(0,0)<1> %%cr0(0,0)<0;1,0> {:#x}:ud", small.cr0 & cr0::MODELLED),
    ];
    let predicates: BTreeSet<u32> = steps
        .iter()
        .flat_map(|(facts, code)| predicate_fields(facts, code).into_iter().map(|fields| fields.id.get(code)))
        .collect();
    for number in predicates {
        let Some(told) = small.predicates.get((number as usize).wrapping_sub(1)) else { continue };
        let elements = 1 << told.log2_num_elements;
        let value = u64::from(told.value) & ((1 << elements) - 1);
        lines.push(format!(".decl Q{number} v_type=P num_elts={elements}"));
        lines.push(format!("setp (M1_NM, {elements}) Q{number} {value:#x}:ud"));
    }
    let addresses: BTreeSet<(usize, usize, i32)> =
        steps.iter().flat_map(|(facts, code)| addresses(facts, code)).collect();
    for id in addresses.iter().map(|&(id, ..)| id).collect::<BTreeSet<usize>>() {
        lines.push(format!(".decl B{id} v_type=A num_elts={ADDRESS_ELEMENTS}"));
    }
    for (id, element, offset) in addresses {
        let Some(&address) = small.addresses.get(id).and_then(|elements| elements.get(element)) else { continue };
        let first = usize::try_from(i32::from(address) + offset).unwrap_or(0);
        // What no block has is not read, as its channels are disabled.
        let (place, start) = containing(blocks, first).map_or((0, first), |(place, block)| (place, block.bytes.start));
        let into = i64::from(address) - start as i64;
        lines.push(format!("addr_add (M1_NM, 1) B{id}({element})<1> &%{place} {into}:w"));
    }
    lines
}

/// The elements of address variables that an instruction reads, with the offset that it adds.
fn addresses(facts: &Facts, code: &[u32]) -> Vec<(usize, usize, i32)> {
    let mut list = Vec::new();
    for operand in indirect(facts, code) {
        let exec = EXEC_SIZES[EXEC_SIZE.get(code) as usize].unwrap_or(1);
        let is_each_row = operand.class.word != DST.class.word && operand.vert_stride.get(code) == NULL;
        let count = match REGION_CODES[operand.width.get(code) as usize] {
            RegionCode::Elements(width) if is_each_row && width > 0 => exec / width,
            _ => 1,
        };
        let (id, first) = (operand.id.get(code) as usize, operand.addr_offset.get(code) as usize);
        list.extend((first..first + count as usize).map(|element| (id, element, indirect_offset(operand, code))));
    }
    list
}

/// The kernel.
fn source(kernel: &str, lanes: usize, blocks: &[Block], lines: &[String]) -> String {
    let (mut load, mut store, mut at) = (String::new(), String::new(), 0);
    for (place, block) in blocks.iter().enumerate() {
        let places: Vec<usize> = (0..block.words).map(|word| at + word * lanes).collect();
        let parts: Vec<String> = places.iter().map(|place| format!("L({place})")).collect();
        let (width, parts) = if block.words == 1 {
            (String::new(), parts.concat())
        } else {
            (block.words.to_string(), format!("(uint{})({})", block.words, parts.join(", ")))
        };
        let _ = writeln!(load, "  uint{width} b{place} = {parts};");
        for (word, at) in places.iter().enumerate() {
            let part = if block.words == 1 { String::new() } else { format!(".s{word:x}") };
            let _ = write!(store, "  S({at}, b{place}{part});");
        }
        store.push('\n');
        at += block.words * lanes;
    }
    let lines: String = lines.iter().fold(String::new(), |text, line| text + &format!("    \"{line}\\n\"\n"));
    let operands: Vec<String> = (0..blocks.len()).map(|place| format!("\"+rw\"(b{place})")).collect();
    format!(
        "__attribute__((intel_reqd_sub_group_size({lanes}), reqd_work_group_size({lanes}, 1, 1)))\n\
         kernel void {kernel}(global const uint *before, global uint *after) {{\n  \
         const uint lane = get_sub_group_local_id();\n{load}  __asm__ volatile(\"{{\\n\"\n{lines}    \"}}\\n\"\n    : {});\n{store}}}\n",
        operands.join(", ")
    )
}

/// What stands at the head of a file of kernels.
pub const PROLOGUE: &str = "#define L(at) before[(at) + lane]\n#define S(at, word) after[(at) + lane] = (word)\n\n";
