//! The manifest: names for everything that the tables number.

use serde_json::{Value, json};
use tandem_isa::Edition;

use super::table::Table;
use super::{OUTCOMES, PLAIN_VERSION, Plain};
use crate::vectors::Group;

/// The manifest as JSON.
pub(super) fn text(plain: &Plain<'_>) -> String {
    let file = plain.file;
    let of_group = |group: &Group| {
        let levels = (file.instruction.cells)(group.edition).levels(group.cell);
        json!({
            "edition": group.edition.name(), "cell": group.cell,
            "describe": Group::describe(group.edition, file.instruction, group.cell),
            "class": (file.instruction.cell_class)(group.edition, levels),
        })
    };
    let flags = file.notes.iter().map(|(name, note)| json!({"name": name, "what": note.what, "detects": note.detects}));
    let banks = plain.bank_list().iter();
    let banks = banks.map(|bank| json!({"name": bank.name, "dims": bank.dims, "dim_names": bank.dim_names}));
    let manifest = json!({
        "schema": format!("urn:tandem:plain:{PLAIN_VERSION}"),
        "tandem": env!("CARGO_PKG_VERSION"),
        "isa": file.isa.name,
        "instruction": file.instruction.path(),
        "file": plain.name,
        "digest": file.digest(),
        "base": file.isa.base_note,
        "dtype": "<u4",
        "order": "C",
        "tables": plain.tables().into_iter().map(of_table).collect::<Vec<_>>(),
        "outcomes": OUTCOMES.map(|outcome| outcome.name()),
        "editions": Edition::ALL.map(Edition::name),
        "instructions": plain.instructions,
        "contested": plain.contested,
        "breaks": plain.breaks,
        "flags": flags.collect::<Vec<_>>(),
        "banks": banks.collect::<Vec<_>>(),
        "fields": plain.field_list().iter().map(|field| &field.name).collect::<Vec<_>>(),
        "cells": file.groups.iter().map(of_group).collect::<Vec<_>>(),
        "ids": plain.ids,
        "texts": plain.steps_of.iter().map(|step| &step.text).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&manifest).expect("a manifest serializes");
    text.push('\n');
    text
}

fn of_table(table: &Table) -> Value {
    let kind = table.kind;
    let columns: Vec<Value> = kind.columns.iter().map(|(name, what)| json!({"name": name, "what": what})).collect();
    let shape = if columns.len() == 1 { vec![table.len()] } else { vec![table.len(), columns.len()] };
    json!({ "name": kind.name, "what": kind.what, "shape": shape, "columns": columns })
}
