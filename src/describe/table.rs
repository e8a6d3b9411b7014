//! The description for people.

use std::fmt::Write;

use tandem_isa::{Bank, Field, Format, Holds, Instruction, Isa};

use super::family::{Family, families};
use super::{BIT_ORDER, Described, bits, code_meaning, code_values, kind, meaning, values};

/// Where text is broken.
const WIDTH: usize = 120;

pub(super) fn table(described: &Described) -> String {
    let &Described { isa, ref instructions } = described;
    let mut out = format!("{}\n", isa.name);
    paragraph(&mut out, 2, &format!("Base state: {}", isa.base_note));
    paragraph(&mut out, 2, BIT_ORDER);
    line(&mut out, &format!("\nBanks, in an arena of {} bytes", isa.layout.arena_bytes));
    for (number, bank) in isa.layout.banks.iter().enumerate() {
        bank_lines(&mut out, isa, number, bank);
    }
    line(&mut out, &format!("\nFields of the small state, {} bytes", isa.layout.small_bytes));
    let families = families((isa.layout.fields)());
    if families.iter().any(|family| !family.extents.is_empty()) {
        let about = "A line with [0..n] stands for n fields; `+s` behind byte and address is how far two neighbours are \
                     apart, for each index.";
        paragraph(&mut out, 2, about);
    }
    field_lines(&mut out, isa, &families);
    if !isa.models.is_empty() {
        line(&mut out, "\nModels, by which results may go");
        for model in isa.models {
            line(&mut out, &format!("  {}: {}", model.name, model.values.join(", ")));
        }
    }
    for instruction in instructions {
        instruction_lines(&mut out, isa, instruction);
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

/// Text, broken into indented lines.
fn paragraph(out: &mut String, indent: usize, text: &str) {
    let mut current = String::new();
    for word in text.split_whitespace() {
        if !current.is_empty() && indent + current.len() + 1 + word.len() > WIDTH {
            line(out, &format!("{:indent$}{current}", ""));
            current.clear();
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    if !current.is_empty() {
        line(out, &format!("{:indent$}{current}", ""));
    }
}

fn bank_lines(out: &mut String, isa: &Isa, number: usize, bank: &Bank) {
    let extents: String =
        bank.dim_names.iter().zip(bank.dims).map(|(name, extent)| format!("[{name} 0..{extent}]")).collect();
    line(
        out,
        &format!(
            "  {number} {}{extents}: bits in a word {}, stored bytes {}, base {}, first row {}, offset {}",
            bank.name,
            bank.bits,
            bank.word.bytes(),
            bank.base,
            bank.first_row,
            bank.offset
        ),
    );
    for held in bank.held {
        let what = match held.holds {
            Holds::Constant { first, step: 0 } => format!("{first:#x} in every word"),
            Holds::Constant { first, step } => {
                format!("{first:#x}, and {step} more in each word than in the one before")
            }
            Holds::Period(columns) => format!("the same words again after every {columns}"),
        };
        line(out, &format!("      {} holds {what}, in every state", bank.row_name(held.row)));
    }
    let Some(meaning) = isa.meanings.of_bank(bank) else { return };
    paragraph(out, 6, meaning.text);
    for format in meaning.formats {
        line(out, &format!("      {}", format_text(format)));
    }
}

/// `Src FP16: float, sign bit 18, exponent bits 0-4 (bias 15), mantissa bits 8-17`.
fn format_text(format: &Format) -> String {
    let (kind, bias) = kind(format);
    let mut text = format!("{}: {kind}", format.name);
    let mut add = |part: String| write!(text, ", {part}").expect("writing to a string succeeds");
    if let Some(sign) = format.sign {
        add(format!("sign bit {sign}"));
    }
    if let Some(exponent) = format.exponent {
        let bias = bias.map(|bias| format!(" (bias {bias})")).unwrap_or_default();
        add(format!("exponent {}{bias}", bits(exponent)));
    }
    let what = if bias.is_some() { "mantissa" } else { "value" };
    let pieces: Vec<String> = format.mantissa.iter().map(|&piece| bits(piece)).collect();
    add(format!("{what} {}", pieces.join(" then ")));
    text
}

fn value_list(values: &[&str]) -> String {
    let named = values.iter().enumerate().filter(|(_, name)| !name.is_empty());
    named.map(|(value, name)| format!("{value} {name}")).collect::<Vec<_>>().join(", ")
}

fn strides(strides: impl Iterator<Item = usize>) -> String {
    strides.map(|stride| format!(" +{stride}")).collect()
}

fn field_lines(out: &mut String, isa: &Isa, families: &[Family]) {
    let address = |family: &Family| {
        let words = family.address_strides.iter().map(|&stride| stride as usize);
        family.first.address.map(|(bank, word)| format!("{bank} {word}{}", strides(words))).unwrap_or_default()
    };
    let rows: Vec<[String; 8]> = families
        .iter()
        .map(|family| {
            let Field { role, byte, word, shift, width, max, .. } = family.first;
            [
                family.name.clone(),
                role.kind().to_string(),
                format!("{byte}{}", strides(family.byte_strides.iter().copied())),
                word.bytes().to_string(),
                if *width == 1 { format!("{shift}") } else { format!("{shift}-{}", shift + width - 1) },
                max.to_string(),
                family.base(),
                address(family),
            ]
        })
        .collect();
    let head = ["name", "role", "byte", "word", "bits", "largest", "base", "address"];
    let widths: Vec<usize> =
        (0..head.len()).map(|at| rows.iter().map(|row| row[at].len()).max().unwrap_or(0).max(head[at].len())).collect();
    let show = |row: &[&str]| {
        row.iter().zip(&widths).fold(" ".to_string(), |text, (part, &width)| format!("{text} {part:width$} "))
    };
    line(out, &show(&head));
    let mut said = "";
    for (row, family) in rows.iter().zip(families) {
        line(out, &show(&row.each_ref().map(String::as_str)));
        // What is the same of several, one below the other, is said once.
        let meaning = meaning(isa, family.first);
        if meaning != said {
            paragraph(out, 6, meaning);
        }
        said = meaning;
        let names = value_list(values(isa, family.first));
        if !names.is_empty() {
            paragraph(out, 6, &format!("Values: {names}"));
        }
    }
}

fn instruction_lines(out: &mut String, isa: &Isa, instruction: &Instruction) {
    line(out, &format!("\n{}: {}", instruction.name, instruction.summary));
    let code: Vec<String> = instruction.base_code.iter().map(|word| format!("{word:#010x}")).collect();
    let plural = if code.len() == 1 { "code word" } else { "code words" };
    paragraph(out, 2, &format!("number {}, {} {plural}, base {}", instruction.index, code.len(), code.join(" ")));
    for field in instruction.opcode {
        let value = field.get(instruction.base_code);
        line(
            out,
            &format!(
                "  {} in word {} bits {}-{} is {value:#x}",
                field.name,
                field.word,
                field.shift,
                field.shift + field.width - 1
            ),
        );
    }
    let width = instruction.code_fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    for field in instruction.code_fields {
        let place = match field.width {
            1 => format!("bit {}", field.shift),
            width => format!("bits {}-{}", field.shift, field.shift + width - 1),
        };
        line(out, &format!("  {:width$}  word {} {place}", field.name, field.word));
        paragraph(out, 6, code_meaning(isa, field));
        let names = value_list(code_values(isa, field));
        if !names.is_empty() {
            paragraph(out, 6, &format!("Values: {names}"));
        }
    }
    for &edition in instruction.editions() {
        let cells = (instruction.cells)(edition);
        line(out, &format!("  {} cells in edition {}, of the axes", cells.len(), edition.name()));
        for axis in cells.axes {
            paragraph(out, 6, &format!("{}: {}", axis.name, axis.levels.join(", ")));
        }
    }
}
