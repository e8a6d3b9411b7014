//! A kernel as an object file of vISA, with the byte forms of its instructions.
//!
//! *Source*: page Header (object format, lines 52-150; attributes, lines 247-293; `var_info`, lines 366-395; addresses and
//! predicates, lines 512-572; kernels, lines 717-775).

use tandem_isa::visa::{ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, NUM_ADDRESSES};

use super::Kernel;

/// The magic number, and the version that has 32 bits for the numbers of variables.
const MAGIC: &[u8] = b"CISA\x04\x01";
/// `RET (M1, 1)` without a predicate.
const RET: [u8; 4] = [0x34, 0, 0, 0];
/// Alignment to a register, as a variable's properties have it.
const ALIGN_GRF: u8 = 5;
const NAME: &[u8] = b"k";

/// The table of strings of a kernel.
struct Strings(Vec<String>);

impl Strings {
    /// The number of a new string, as four bytes.
    fn number(&mut self, text: String) -> [u8; 4] {
        self.0.push(text);
        word(self.0.len() - 1)
    }
}

fn word(value: usize) -> [u8; 4] {
    u32::try_from(value).expect("a kernel is short").to_le_bytes()
}

fn half(value: usize) -> [u8; 2] {
    u16::try_from(value).expect("a table is short").to_le_bytes()
}

impl Kernel {
    /// The object file of the kernel alone.
    #[must_use]
    pub fn object(&self) -> Vec<u8> {
        let mut strings = Strings(vec!["k".to_string()]);
        let tables = self.tables(&mut strings);
        let target = strings.number("Target".to_string());
        let mut kernel = word(strings.0.len()).to_vec();
        for text in &strings.0 {
            kernel.extend(text.bytes().chain([0]));
        }
        kernel.extend(word(0));
        kernel.extend(tables);
        let inputs_at = kernel.len();
        let code: Vec<u8> = self.byte_forms().concat().into_iter().chain(RET).collect();
        // One attribute of one byte: the target is CM.
        let attributes: Vec<u8> = half(1).into_iter().chain(target).chain([1, 0]).collect();
        // No inputs; the size of the code, and where it begins.
        kernel.extend(word(0));
        kernel.extend(word(code.len()));
        kernel.extend(word(inputs_at + 3 * 4 + attributes.len()));
        kernel.extend(attributes);
        kernel.extend(code);
        header(kernel.len(), inputs_at).into_iter().chain(kernel).collect()
    }

    /// The tables of variables, addresses and predicates; those of labels, samplers, surfaces and VME have no entries.
    fn tables(&self, strings: &mut Strings) -> Vec<u8> {
        let blocks = self.blocks.iter().map(|&bytes| (DataType::Ub, bytes.max(1), 0));
        let aliases = self.variables.iter().map(|variable| {
            let block = FIRST_GENERAL as usize + variable.block;
            (variable.data_type, usize::from(variable.num_elements), block)
        });
        let variables: Vec<_> = blocks.chain(aliases).collect();
        let mut tables = word(variables.len()).to_vec();
        for (number, (data_type, elements, alias)) in (FIRST_GENERAL..).zip(variables) {
            tables.extend(strings.number(format!("V{number}")));
            tables.push(data_type.code().to_le_bytes()[0] | ALIGN_GRF << 4);
            tables.extend(half(elements));
            tables.extend(word(alias));
            // Offset in the block, scope, attributes.
            tables.extend([0; 4]);
        }
        tables.extend(half(NUM_ADDRESSES));
        for number in 0..NUM_ADDRESSES {
            tables.extend(strings.number(format!("A{number}")));
            tables.extend(half(ADDRESS_ELEMENTS));
            tables.push(0);
        }
        tables.extend(half(self.predicates.len()));
        for (number, predicate) in (1..).zip(&self.predicates) {
            tables.extend(strings.number(format!("P{number}")));
            tables.extend(predicate.num_elements.to_le_bytes());
            tables.push(0);
        }
        tables.extend([0; 5]);
        tables
    }
}

/// The header of a file with one kernel, and with neither variables nor functions of its own.
fn header(kernel_bytes: usize, inputs_at: usize) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(half(1));
    header.extend(half(NAME.len()));
    header.extend(NAME);
    // Three words follow, then relocations of variables and functions, binaries, and the two empty tables.
    let begin = header.len() + 3 * 4 + 2 + 2 + 1 + 2 + 2;
    header.extend([begin, kernel_bytes, begin + inputs_at].into_iter().flat_map(word));
    header.extend([0; 9]);
    header
}
