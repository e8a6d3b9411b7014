//! `tandem tile`: what becomes of numbers on their way from L1 to L1.

use serde_json::json;

use super::args::Tile;
use super::{CliError, Common, Exit};
use crate::tile::{Journey, Setting, Spot, Stage};
use crate::wiring;

pub(super) fn run(common: &Common, asked: &Tile) -> Result<Exit, CliError> {
    let suite = wiring::references();
    let isa = suite.isa(&asked.isa).expect("it is one of those that may be given");
    let Tile { from, to, between, through, relu, .. } = *asked;
    let is_raw = (asked.raw || asked.round).then_some(asked.raw);
    let (row, column) = asked.at;
    let first = 32 * row + column;
    let journey = Journey { between, through, is_raw, relu, first, ..Journey::new(from, to.unwrap_or(from)) };
    let tile = journey.run(isa, &asked.numbers).map_err(CliError::Usage)?;
    let (came, alone) = journey.came(isa, &asked.numbers, &tile);
    if common.json {
        let Tile { numbers, .. } = asked;
        let crate::tile::Tile { isa, faces, places, stages } = &tile;
        outln!(
            "{}",
            json!({ "isa": isa, "numbers": numbers, "faces": faces, "places": places, "stages": stages, "came": came,
                "each_alone": alone })
        );
        return Ok(Exit::Agree);
    }
    let (to, between) = (journey.to.name(), journey.between().name());
    outln!("{}: a tile of 32 by 32, {} in L1 to {to} in L1, {between} in Dst", tile.isa, from.name());
    for (number, Spot { row, column, face }) in asked.numbers.iter().zip(&tile.places) {
        let (in_row, in_column) = (row % 16, column % 16);
        outln!("  {number} in row {row}, column {column}: face {face}, row {in_row}, column {in_column}");
    }
    tile.stages.iter().for_each(|stage| print(stage, &asked.numbers, tile.faces));
    outln!("what came of it{}", if alone { ", of each number alone" } else { "" });
    let width = asked.numbers.iter().map(|number| number.len()).max().unwrap_or(0);
    asked.numbers.iter().zip(&came).for_each(|(number, came)| outln!("  {number:width$}  {came}"));
    Ok(Exit::Agree)
}

fn print(stage: &Stage, numbers: &[String], faces: usize) {
    let Stage { by, at, format, text, configuration, data, changed, refused } = stage;
    let by = if by.is_empty() { String::new() } else { format!(", by {by}") };
    let each =
        if faces > 1 && ["SrcA", "Dst"].contains(at) { format!(", each of {faces} faces") } else { String::new() };
    outln!("in {at}, as {format}{by}{each}");
    for same in text.chunk_by(|one, other| one == other) {
        let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
        outln!("    {}{times}", same[0]);
    }
    for Setting { name, value, called } in configuration {
        let called = called.map_or(String::new(), |called| format!(" ({called})"));
        outln!("    {name} = {value}{called}");
    }
    refused.iter().for_each(|why| outln!("  {why}"));
    let [most, bits] = [numbers.iter().map(String::len).max(), data.iter().map(|datum| datum.bits.len()).max()];
    let (most, bits) = (most.unwrap_or(0), bits.unwrap_or(0));
    for ((number, datum), changed) in numbers.iter().zip(data).zip(changed) {
        let changed = if *changed { "  <- changed" } else { "" };
        outln!("  {number:most$}  {:bits$}  {}{changed}", datum.bits, datum.value);
    }
}
