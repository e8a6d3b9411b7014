//! `tandem tile`: what becomes of numbers on their way from L1 to L1.

use serde_json::json;

use super::args::Tile;
use super::{CliError, Common, Exit};
use crate::tile::{Journey, Setting, Stage};
use crate::wiring;

pub(super) fn run(common: &Common, asked: &Tile) -> Result<Exit, CliError> {
    let suite = wiring::references();
    let isa = suite.isa(&asked.isa).expect("it is one of those that may be given");
    let Tile { from, to, between, through, relu, .. } = *asked;
    let is_raw = (asked.raw || asked.round).then_some(asked.raw);
    let journey = Journey { between, through, is_raw, relu, ..Journey::new(from, to.unwrap_or(from)) };
    let tile = journey.run(isa, &asked.numbers).map_err(CliError::Usage)?;
    let (came, alone) = journey.came(isa, &asked.numbers, &tile);
    if common.json {
        let Tile { numbers, .. } = asked;
        let stages = &tile.stages;
        outln!(
            "{}",
            json!({ "isa": tile.isa, "numbers": numbers, "stages": stages, "came": came, "each_alone": alone })
        );
        return Ok(Exit::Agree);
    }
    outln!("{}: {} in L1 to {} in L1, {} in Dst", tile.isa, from.name(), journey.to.name(), journey.between().name());
    tile.stages.iter().for_each(|stage| print(stage, &asked.numbers));
    outln!("what came of it{}", if alone { ", of each number alone" } else { "" });
    let width = asked.numbers.iter().map(|number| number.len()).max().unwrap_or(0);
    asked.numbers.iter().zip(&came).for_each(|(number, came)| outln!("  {number:width$}  {came}"));
    Ok(Exit::Agree)
}

fn print(stage: &Stage, numbers: &[String]) {
    let Stage { by, at, format, text, configuration, data, changed, refused } = stage;
    let by = if by.is_empty() { String::new() } else { format!(", by {by}") };
    outln!("in {at}, as {format}{by}");
    text.iter().for_each(|text| outln!("    {text}"));
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
