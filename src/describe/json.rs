//! The description as JSON; its schema is `docs/schemas/describe.schema.json`.

use serde_json::{Value, json};
use tandem_isa::{Bank, BankRole, CodeField, Edition, Field, Format, HeldRow, Holds, Instruction, Isa, Piece};

use super::{BIT_ORDER, Described, code_meaning, code_values, kind, meaning, values};

/// The id of the schema.
const SCHEMA_ID: &str = "urn:tandem:describe:1";

pub(super) fn text(described: &Described) -> String {
    let &Described { isa, ref instructions } = described;
    let layout = isa.layout;
    let value = json!({
        "schema": SCHEMA_ID,
        "isa": isa.name,
        "base": isa.base_note,
        "bit_order": BIT_ORDER,
        "arena_bytes": layout.arena_bytes,
        "small_bytes": layout.small_bytes,
        "banks": layout.banks.iter().enumerate().map(|(number, one)| bank(isa, number, one)).collect::<Vec<_>>(),
        "fields": (layout.fields)().iter().map(|one| field(isa, one)).collect::<Vec<_>>(),
        "models": isa.models.iter().map(|model| json!({
            "name": model.name,
            "field": format!("Model.{}", model.name),
            "values": model.values,
        })).collect::<Vec<_>>(),
        "instructions": instructions.iter().map(|one| instruction(isa, one)).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn bank(isa: &Isa, number: usize, bank: &Bank) -> Value {
    let meaning = isa.meanings.of_bank(bank);
    let extents = bank.dim_names.iter().zip(bank.dims).map(|(name, extent)| json!({ "of": name, "extent": extent }));
    json!({
        "number": number,
        "name": bank.name,
        "role": match bank.role {
            BankRole::Data => "data",
            BankRole::Validity => "validity",
        },
        "extents": extents.collect::<Vec<_>>(),
        "rows": bank.rows(),
        "columns": bank.columns(),
        "word_bytes": bank.word.bytes(),
        "word_bits": bank.bits,
        "row_bytes": bank.row_bytes(),
        "base": bank.base,
        "held": bank.held.iter().map(held_row).collect::<Vec<_>>(),
        "first_row": bank.first_row,
        "offset": bank.offset,
        "meaning": meaning.map_or("", |meaning| meaning.text),
        "formats": meaning.map_or(&[][..], |meaning| meaning.formats).iter().map(|one| format(one)).collect::<Vec<_>>(),
    })
}

fn held_row(held: &HeldRow) -> Value {
    match held.holds {
        Holds::Constant { first, step } => json!({ "row": held.row, "first": first, "step": step }),
        Holds::Period(columns) => json!({ "row": held.row, "period": columns }),
    }
}

fn format(format: &Format) -> Value {
    let piece = |piece: Piece| json!({ "shift": piece.shift, "width": piece.width });
    let (kind, bias) = kind(format);
    let mut value = json!({
        "name": format.name,
        "kind": kind,
        "bits": format.width(),
        "mantissa": format.mantissa.iter().map(|&one| piece(one)).collect::<Vec<_>>(),
    });
    if let Some(bias) = bias {
        value["bias"] = bias.into();
    }
    if let Some(sign) = format.sign {
        value["sign"] = sign.into();
    }
    if let Some(exponent) = format.exponent {
        value["exponent"] = piece(exponent);
    }
    value
}

fn field(isa: &Isa, field: &Field) -> Value {
    let mut value = json!({
        "name": field.name,
        "role": field.role.kind(),
        "byte": field.byte,
        "word_bytes": field.word.bytes(),
        "shift": field.shift,
        "width": field.width,
        "maximum": field.max,
        "base": field.base,
        "meaning": meaning(isa, field),
        "values": values(isa, field),
    });
    if let Some((bank, word)) = field.address {
        value["address"] = json!({ "bank": bank, "word": word });
    }
    value
}

fn instruction(isa: &Isa, instruction: &Instruction) -> Value {
    let hex = |word: u32| format!("{word:#010x}");
    let code = instruction.base_code;
    let place = |field: &CodeField| json!({ "word": field.word, "shift": field.shift, "width": field.width });
    let opcode = instruction.opcode.iter().map(|field| {
        let mut value = place(field);
        value["value"] = field.get(code).into();
        value
    });
    let fields = instruction.code_fields.iter().map(|field| {
        let mut value = place(field);
        value["name"] = field.name.into();
        value["base"] = field.get(code).into();
        value["meaning"] = code_meaning(isa, field).into();
        value["values"] = code_values(isa, field).into();
        value
    });
    let editions = instruction.editions().iter().map(|&edition| axes(instruction, edition));
    json!({
        "name": instruction.name,
        "path": instruction.path(),
        "number": instruction.index,
        "summary": instruction.summary,
        "base_code": code.iter().map(|&word| hex(word)).collect::<Vec<_>>(),
        "opcode": opcode.collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
        "unnamed_bits": (0..code.len()).map(|word| hex(instruction.unnamed_bits(word))).collect::<Vec<_>>(),
        "editions": editions.collect::<Vec<_>>(),
    })
}

fn axes(instruction: &Instruction, edition: Edition) -> Value {
    let axis = |axis: &tandem_isa::Axis| json!({ "name": axis.name, "levels": axis.levels });
    let cells = (instruction.cells)(edition);
    let page = instruction.page(edition);
    json!({
        "edition": edition.name(),
        "page": { "title": page.title, "commit": page.commit },
        "cells": cells.len(),
        "axes": cells.axes.iter().map(axis).collect::<Vec<_>>(),
        "orthogonal": (instruction.orthogonal)(edition).iter().map(axis).collect::<Vec<_>>(),
    })
}
