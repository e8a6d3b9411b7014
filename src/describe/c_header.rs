//! The description as a header in C99: constants, accessors, and names of values.
//!
//! The header stands alone. Every name in it begins with that of the instruction set, so that several can be included.

use std::collections::BTreeSet;
use std::fmt::Write;

use tandem_isa::{Bank, Holds, Instruction, Isa};

use super::family::{Family, families};
use super::{Described, code_meaning, code_values, meaning, values};

/// Writes lines.
struct Header {
    text: String,
    /// What functions begin with, for example `tensix_wh`.
    lower: String,
    /// What constants begin with, for example `TENSIX_WH`.
    upper: String,
}

macro_rules! put {
    ($header:expr, $($format:tt)*) => {
        writeln!($header.text, $($format)*).expect("writing to a string succeeds")
    };
}

pub(super) fn header(described: &Described) -> String {
    let &Described { isa, ref instructions } = described;
    let lower = identifier(isa.name);
    let mut header = Header { text: String::new(), upper: lower.to_uppercase(), lower };
    header.begin(isa);
    for bank in isa.layout.banks {
        header.bank(isa, bank);
    }
    for family in families((isa.layout.fields)()) {
        header.field(isa, &family);
    }
    header.base_state(isa);
    for instruction in instructions {
        header.instruction(isa, instruction);
    }
    header.end();
    header.text
}

/// A name as an identifier of C: whatever is no letter or digit is `_`.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    letters.collect()
}

/// Text within a comment of C, broken into lines.
fn comment(text: &str) -> String {
    let text = text.replace("*/", "* /").replace("/*", "/ *");
    let (mut lines, mut current) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !current.is_empty() && current.len() + 1 + word.len() > 112 {
            lines.push(std::mem::take(&mut current));
        }
        current.push_str(if current.is_empty() { "" } else { " " });
        current.push_str(word);
    }
    lines.push(current);
    format!("/* {} */", lines.join("\n * "))
}

impl Header {
    fn begin(&mut self, isa: &Isa) {
        let guard = format!("{}_TANDEM_H", self.upper);
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        put!(
            self,
            "{}",
            comment(&format!(
                "Made by `tandem describe {} --format c`, version {}.",
                isa.name,
                env!("CARGO_PKG_VERSION")
            ))
        );
        put!(self, "{}", comment(&format!("Base state: {}", isa.base_note)));
        put!(self, "#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n#include <string.h>\n");
        put!(self, "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n");
        put!(self, "#define {upper}_ARENA_BYTES {}u", isa.layout.arena_bytes);
        put!(self, "#define {upper}_SMALL_BYTES {}u", isa.layout.small_bytes);
        put!(self, "#define {upper}_NUM_BANKS {}u", isa.layout.banks.len());
        put!(self, "#define {upper}_NUM_FIELDS {}u\n", (isa.layout.fields)().len());
        put!(self, "/* A word of 1, 2 or 4 bytes, the lowest first. */");
        put!(
            self,
            "static inline uint32_t {lower}_load(const uint8_t *at, uint32_t bytes)\n{{\n    uint32_t word = 0;\n    \
             for (uint32_t i = 0; i < bytes; i++)\n        word |= (uint32_t)at[i] << (8 * i);\n    return word;\n}}\n"
        );
        put!(
            self,
            "static inline void {lower}_store(uint8_t *at, uint32_t bytes, uint32_t word)\n{{\n    \
             for (uint32_t i = 0; i < bytes; i++)\n        at[i] = (uint8_t)(word >> (8 * i));\n}}\n"
        );
    }

    fn bank(&mut self, isa: &Isa, bank: &Bank) {
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        let name = identifier(bank.name);
        let large = format!("{upper}_{}", name.to_uppercase());
        let extents: String =
            bank.dim_names.iter().zip(bank.dims).map(|(of, extent)| format!("[{of} 0..{extent}]")).collect();
        let meaning = isa.meanings.of_bank(bank).map_or("", |meaning| meaning.text);
        put!(self, "{}", comment(&format!("{}{extents}. {meaning}", bank.name)));
        let number = isa.layout.bank_named(bank.name).expect("the bank is of the layout");
        for (what, value) in [
            ("BANK", number),
            ("ROWS", bank.rows()),
            ("COLUMNS", bank.columns()),
            ("WORD_BYTES", bank.word.bytes()),
            ("ROW_BYTES", bank.row_bytes()),
            ("FIRST_ROW", bank.first_row),
            ("OFFSET", bank.offset),
        ] {
            put!(self, "#define {large}_{what} {value}u");
        }
        put!(self, "#define {large}_WORD_BITS {}u", bank.bits);
        put!(self, "#define {large}_BASE {}u", bank.base);
        put!(
            self,
            "static inline uint8_t *{lower}_{name}_at(uint8_t *arena, uint32_t row, uint32_t column)\n{{\n    \
             return arena + {large}_OFFSET + row * {large}_ROW_BYTES + column * {large}_WORD_BYTES;\n}}"
        );
        put!(
            self,
            "static inline uint32_t {lower}_get_{name}_word(const uint8_t *arena, uint32_t row, uint32_t column)\n{{\n    \
             return {lower}_load(arena + {large}_OFFSET + row * {large}_ROW_BYTES + column * {large}_WORD_BYTES, \
             {large}_WORD_BYTES);\n}}"
        );
        put!(
            self,
            "static inline void {lower}_set_{name}_word(uint8_t *arena, uint32_t row, uint32_t column, uint32_t word)\n{{\n    \
             {lower}_store({lower}_{name}_at(arena, row, column), {large}_WORD_BYTES, word & {}u);\n}}",
            bank.word_mask()
        );
        let outer = bank.extents();
        if outer.len() > 1 {
            let parameters: Vec<String> = (0..outer.len()).map(|at| format!("uint32_t i{at}")).collect();
            let row = outer
                .iter()
                .enumerate()
                .skip(1)
                .fold("i0".to_string(), |row, (at, extent)| format!("({row} * {extent}u + i{at})"));
            let of = bank.dim_names[..outer.len()].join(", ");
            put!(self, "/* The row by its {of}. */");
            put!(
                self,
                "static inline uint32_t {lower}_{name}_row({})\n{{\n    return {row};\n}}",
                parameters.join(", ")
            );
        }
        put!(self, "");
    }

    fn field(&mut self, isa: &Isa, family: &Family) {
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        let (field, name) = (family.first, identifier(&family.stem));
        let mask = if field.width >= 32 { u32::MAX } else { (1 << field.width) - 1 };
        let address = field.address.map(|(bank, word)| format!(" Hardware: {bank} word {word}.")).unwrap_or_default();
        let about = format!(
            "{}: {}, at most {}, base {}.{address} {}",
            family.name,
            field.role.kind(),
            field.max,
            family.base(),
            meaning(isa, field)
        );
        put!(self, "{}", comment(&about));
        let parameters: String = (0..family.extents.len()).map(|at| format!(", uint32_t i{at}")).collect();
        let mut at = format!("{}u", field.byte);
        for (index, stride) in family.byte_strides.iter().enumerate() {
            write!(at, " + i{index} * {stride}u").expect("writing to a string succeeds");
        }
        let (bytes, shift) = (field.word.bytes(), field.shift);
        put!(
            self,
            "static inline uint32_t {lower}_get_{name}(const uint8_t *small{parameters})\n{{\n    \
             return ({lower}_load(small + {at}, {bytes}u) >> {shift}) & {mask:#x}u;\n}}"
        );
        let place = mask << shift;
        put!(
            self,
            "static inline void {lower}_set_{name}(uint8_t *small{parameters}, uint32_t value)\n{{\n    \
             uint8_t *at = small + {at};\n    \
             {lower}_store(at, {bytes}u, ({lower}_load(at, {bytes}u) & {:#x}u) | ((value << {shift}) & {place:#x}u));\n}}",
            !place
        );
        self.values(&format!("{upper}_{name}"), values(isa, field));
        put!(self, "");
    }

    /// The names of values, as constants.
    fn values(&mut self, prefix: &str, values: &[&str]) {
        let mut seen = BTreeSet::new();
        let named = values.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let names: Vec<String> = named
            .map(|(value, name)| (value, format!("{prefix}_{}", identifier(name))))
            .filter(|(_, name)| seen.insert(name.clone()))
            .map(|(value, name)| format!("    {name} = {value}"))
            .collect();
        if !names.is_empty() {
            put!(self, "enum {{\n{}\n}};", names.join(",\n"));
        }
    }

    /// The state that sparse tests are written against.
    fn base_state(&mut self, isa: &Isa) {
        let lower = self.lower.clone();
        put!(self, "/* Puts the base state into a small state. */");
        put!(self, "static inline void {lower}_base_small(uint8_t *small)\n{{");
        put!(self, "    memset(small, 0, {}_SMALL_BYTES);", self.upper);
        for family in families((isa.layout.fields)()) {
            let (field, name) = (family.first, identifier(&family.stem));
            if !family.bases.is_empty() {
                let bases: Vec<String> = family.bases.iter().map(u32::to_string).collect();
                put!(self, "    static const uint32_t bases_of_{name}[] = {{ {} }};", bases.join(", "));
                put!(self, "    for (uint32_t i0 = 0; i0 < {}u; i0++)", bases.len());
                put!(self, "        {lower}_set_{name}(small, i0, bases_of_{name}[i0]);");
                continue;
            }
            if field.base == 0 {
                continue;
            }
            let (mut indent, mut arguments) = ("    ".to_string(), String::new());
            for (at, extent) in family.extents.iter().enumerate() {
                put!(self, "{indent}for (uint32_t i{at} = 0; i{at} < {extent}u; i{at}++)");
                indent.push_str("    ");
                write!(arguments, ", i{at}").expect("writing to a string succeeds");
            }
            put!(self, "{indent}{lower}_set_{name}(small{arguments}, {}u);", field.base);
        }
        put!(self, "}}\n");
        put!(self, "/* Puts the base state into an arena. */");
        put!(self, "static inline void {lower}_base_arena(uint8_t *arena)\n{{");
        put!(self, "    memset(arena, 0, {}_ARENA_BYTES);", self.upper);
        for bank in isa.layout.banks.iter().filter(|bank| bank.base != 0) {
            let name = identifier(bank.name);
            let large = format!("{}_{}", self.upper, name.to_uppercase());
            put!(self, "    for (uint32_t row = 0; row < {large}_ROWS; row++)");
            put!(self, "        for (uint32_t column = 0; column < {large}_COLUMNS; column++)");
            put!(self, "            {lower}_set_{name}_word(arena, row, column, {large}_BASE);");
        }
        for bank in isa.layout.banks {
            let name = identifier(bank.name);
            for held in bank.held {
                let Holds::Constant { first, step } = held.holds else { continue };
                put!(self, "    for (uint32_t column = 0; column < {}u; column++)", bank.columns());
                let row = held.row;
                put!(self, "        {lower}_set_{name}_word(arena, {row}u, column, {first}u + {step}u * column);");
            }
        }
        put!(self, "}}\n");
    }

    fn instruction(&mut self, isa: &Isa, instruction: &Instruction) {
        let prefix = format!("{}_{}", self.upper, identifier(instruction.name));
        put!(self, "{}", comment(&format!("{}: {}.", instruction.name, instruction.summary)));
        put!(self, "#define {prefix}_NUMBER {}u", instruction.index);
        put!(self, "#define {prefix}_CODE_WORDS {}u", instruction.base_code.len());
        let matches: Vec<String> = (0..instruction.base_code.len())
            .map(|word| (word, instruction.opcode_mask(word)))
            .filter(|(_, mask)| *mask != 0)
            .map(|(word, mask)| format!("((code)[{word}] & {mask:#x}u) == {:#x}u", instruction.base_code[word] & mask))
            .collect();
        put!(self, "#define {prefix}_MATCHES(code) ({})", matches.join(" && "));
        for field in instruction.code_fields {
            put!(self, "{}", comment(&format!("{}: {}", field.name, code_meaning(isa, field))));
            let mask = field.mask() >> field.shift;
            put!(
                self,
                "#define {prefix}_{}(code) (((code)[{}] >> {}) & {mask:#x}u)",
                identifier(field.name),
                field.word,
                field.shift
            );
            self.values(&format!("{prefix}_{}", identifier(field.name)), code_values(isa, field));
        }
        put!(self, "");
    }

    fn end(&mut self) {
        let (lower, upper) = (self.lower.clone(), self.upper.clone());
        put!(self, "#ifdef TANDEM_H");
        put!(
            self,
            "/* Whether the suite that opened this implementation has the layout that this header was made from. */"
        );
        put!(
            self,
            "static inline int {lower}_fits(const tandem_isa *isa)\n{{\n    \
             return isa->arena_bytes == {upper}_ARENA_BYTES && isa->small_bytes == {upper}_SMALL_BYTES &&\n        \
             isa->num_banks == {upper}_NUM_BANKS && isa->num_fields == {upper}_NUM_FIELDS;\n}}"
        );
        put!(self, "#endif\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif");
    }
}
