//! A kernel of the instructions of many tests.

use std::fmt::Write as _;

use tandem_isa::visa::operand::dpas::{DST as DPAS_DST, NULL_VARIABLE, SRC0 as DPAS_SRC0, SRC1};
use tandem_isa::visa::operand::{
    DST, OperandFields, PRED, PredicateFields, SRC0, SRC0_PREDICATE, SRC2, bytes, class, dpas_bytes,
};
use tandem_isa::visa::{
    ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, Mnemonic, NUM_ADDRESSES, NUM_GENERAL, NUM_PREDICATES, Small,
};
use tandem_isa::{Code, CodeField, Facts};

use super::dialect;

/// A variable that operands name: an alias of the block of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its block, 0 to 3, for `V32` to `V35` of the tests.
    pub block: usize,
    pub data_type: DataType,
    pub num_elements: u16,
}

impl Variable {
    fn bytes(self) -> usize {
        self.data_type.bytes() * usize::from(self.num_elements)
    }
}

/// Why an instruction has no place in a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The pages give it no byte form.
    #[error(transparent)]
    Form(#[from] bytes::EncodingError),
    /// It names a variable that a case does not declare.
    #[error("variable {number} is none that a case declares")]
    Variable {
        /// The number.
        number: u32,
    },
}

/// A predicate variable; tests of different numbers do not share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Predicate {
    number: u32,
    pub num_elements: u16,
}

/// Instructions, and the variables that they name.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    pub(super) blocks: [usize; NUM_GENERAL],
    pub(super) variables: Vec<Variable>,
    pub(super) predicates: Vec<Predicate>,
    instructions: Vec<(&'static Facts, Code)>,
}

impl Kernel {
    /// Adds an instruction, with what the state before it says of its variables.
    ///
    /// # Errors
    /// It has no byte form, or names a variable that no case declares; the kernel is as it was then.
    pub fn add(&mut self, facts: &'static Facts, code: &[u32], small: &Small) -> Result<(), KernelError> {
        let mut code = match Mnemonic::of(facts) {
            Mnemonic::Mov => bytes::from_bytes(&bytes::to_bytes(code)?)?,
            Mnemonic::Dpas => dpas_bytes::from_bytes(&dpas_bytes::to_bytes(code)?)?,
        };
        let (general, predicates) = (general_fields(facts, &code), predicate_fields(facts, &code));
        for field in &general {
            within(field.get(&code), FIRST_GENERAL, NUM_GENERAL)?;
        }
        for fields in &predicates {
            within(fields.id.get(&code), 1, NUM_PREDICATES)?;
        }
        for field in general {
            let number = self.declare(field.get(&code), small);
            field.set(&mut code, number);
        }
        for fields in predicates {
            let number = self.declare_predicate(fields.id.get(&code), small);
            fields.id.set(&mut code, number);
        }
        self.instructions.push((facts, code));
        Ok(())
    }

    /// Bytes of all blocks.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.iter().sum()
    }

    /// The number of the variable for an operand of a test that names `number`.
    fn declare(&mut self, number: u32, small: &Small) -> u32 {
        let block = (number - FIRST_GENERAL) as usize;
        let told = small.variables[block];
        let data_type = DataType::of_code(told.data_type.into());
        let variable = Variable { block, data_type, num_elements: told.num_elements };
        self.blocks[block] = self.blocks[block].max(variable.bytes());
        let place = place_of(&mut self.variables, variable);
        FIRST_GENERAL + u32::try_from(NUM_GENERAL + place).expect("a kernel has few variables")
    }

    fn declare_predicate(&mut self, number: u32, small: &Small) -> u32 {
        let told = small.predicates[number as usize - 1];
        let predicate = Predicate { number, num_elements: 1 << told.log2_num_elements };
        1 + u32::try_from(place_of(&mut self.predicates, predicate)).expect("a kernel has few predicates")
    }

    /// The instructions as the assembler reads them, a line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.instructions.iter().map(|(facts, code)| dialect::text(facts, code)).collect()
    }

    /// The kernel as the assembler reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from(".version 3.6\n.kernel \"k\"\n");
        for (number, bytes) in (FIRST_GENERAL..).zip(self.blocks) {
            let _ = writeln!(text, ".decl V{number} v_type=G type=ub num_elts={} align=GRF", bytes.max(1));
        }
        for (number, variable) in (FIRST_GENERAL as usize + NUM_GENERAL..).zip(&self.variables) {
            let (data_type, elements) = (variable.data_type.text(), variable.num_elements);
            let block = FIRST_GENERAL as usize + variable.block;
            let _ = writeln!(
                text,
                ".decl V{number} v_type=G type={data_type} num_elts={elements} align=GRF alias=<V{block},0>"
            );
        }
        for number in 0..NUM_ADDRESSES {
            let _ = writeln!(text, ".decl A{number} v_type=A num_elts={ADDRESS_ELEMENTS}");
        }
        for (number, predicate) in (1..).zip(&self.predicates) {
            let _ = writeln!(text, ".decl P{number} v_type=P num_elts={}", predicate.num_elements);
        }
        text.push_str(".kernel_attr Target=\"cm\"\n");
        for line in self.lines() {
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str("ret (M1, 1)\n");
        text
    }

    /// The byte forms of the instructions, in order.
    #[must_use]
    pub fn byte_forms(&self) -> Vec<Vec<u8>> {
        let encode = |(facts, code): &(&Facts, Code)| match Mnemonic::of(facts) {
            Mnemonic::Mov => bytes::to_bytes(code),
            Mnemonic::Dpas => dpas_bytes::to_bytes(code),
        };
        self.instructions.iter().map(|one| encode(one).expect("it was encoded when it was added")).collect()
    }
}

/// The place of a declaration, which is new or there already.
fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> usize {
    list.iter().position(|known| *known == wanted).unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    })
}

/// Asks that a number is one of `count` from `first` on.
pub(super) fn within(number: u32, first: u32, count: usize) -> Result<(), KernelError> {
    let place = number.checked_sub(first).ok_or(KernelError::Variable { number })?;
    if (place as usize) < count { Ok(()) } else { Err(KernelError::Variable { number }) }
}

/// The numbers of general variables that an instruction has.
pub(super) fn general_fields(facts: &Facts, code: &[u32]) -> Vec<CodeField> {
    let is_general = |fields: &OperandFields| fields.class.get(code) == class::GENERAL;
    match Mnemonic::of(facts) {
        Mnemonic::Mov => [DST, SRC0].iter().filter(|fields| is_general(fields)).map(|fields| fields.id).collect(),
        Mnemonic::Dpas => {
            let named = [DPAS_DST.id, DPAS_SRC0.id, SRC1.id, SRC2.id].into_iter();
            named.filter(|field| field.get(code) != NULL_VARIABLE).collect()
        }
    }
}

/// The predicates that an instruction has.
pub(super) fn predicate_fields(facts: &Facts, code: &[u32]) -> Vec<PredicateFields> {
    match Mnemonic::of(facts) {
        Mnemonic::Mov => {
            let source = (SRC0.class.get(code) == class::PREDICATE).then_some(SRC0_PREDICATE);
            let control = (PRED.id.get(code) != 0).then_some(PRED);
            control.into_iter().chain(source).collect()
        }
        Mnemonic::Dpas => Vec::new(),
    }
}
