//! `tandem answers`.

use std::collections::BTreeSet;

use serde_json::json;
use tandem_harness::report::html::answers::{Row, Table, page};
use tandem_isa::tensix::Chip;

use super::args::Answers;
use super::{CliError, Common, Exit, files, select};
use crate::answers::{self, Answer, Topic};
use crate::wiring;

pub(super) fn run(common: &Common, asked: &Answers) -> Result<Exit, CliError> {
    let suite = wiring::references();
    let chosen: BTreeSet<String> = select::instructions(&suite, &asked.filters)?.iter().map(|one| one.path()).collect();
    if chosen.iter().all(|path| Chip::named(path.split('/').next().unwrap_or_default()).is_none()) {
        return Err(CliError::Usage("answers are about Tensix: tensix-wh and tensix-bh".to_string()));
    }
    let topics = &asked.topic.0;
    let of = |&topic: &Topic| (topic, answers::of(&suite, topic, &|one| chosen.contains(&one.path()), answers::CASES));
    let all: Vec<(Topic, Vec<Answer>)> = topics.iter().map(of).collect();
    let flat = || all.iter().flat_map(|(_, answers)| answers);
    if common.json {
        outln!("{}", json!({ "answers": flat().collect::<Vec<_>>() }));
    } else if let Some(path) = &asked.html {
        let tables: Vec<Table> = all.iter().map(|(topic, answers)| table(*topic, answers)).collect();
        files::write(path, page(&tables))?;
        outln!("{}: {} answers", path.display(), flat().count());
    } else if asked.csv {
        outln!("topic,isa,instruction,of,asked,says,word,shown");
        flat().for_each(|answer| outln!("{}", line(answer)));
    } else {
        all.iter().for_each(|(topic, answers)| print(*topic, answers));
    }
    Ok(Exit::Agree)
}

/// A line of comma-separated values.
fn line(answer: &Answer) -> String {
    let Answer { topic, isa, instruction, of, asked, says, word, .. } = answer;
    let shown = answer.commands().join("; ");
    let values = [topic, isa, instruction, &**of, asked, says, word, &*shown];
    values.map(|value| format!("\"{}\"", value.replace('"', "\"\""))).join(",")
}

fn print(topic: Topic, answers: &[Answer]) {
    outln!("{}: {}", topic.name(), topic.title());
    let mut head = String::new();
    for answer in answers {
        let Answer { isa, instruction, of, asked, says, word, .. } = answer;
        let own = format!("{isa}/{instruction}{}", if of.is_empty() { String::new() } else { format!("  {of}") });
        if own != head {
            outln!("{own}");
            head = own;
        }
        outln!("  {asked}: {says}");
        if topic == Topic::Waits {
            outln!("      {word}");
        }
        answer.commands().iter().for_each(|command| outln!("      {command}"));
    }
}

/// Answers as rows, in the order in which they come.
fn table(topic: Topic, answers: &[Answer]) -> Table {
    let mut table = Table { name: topic.name().to_string(), title: topic.title().to_string(), ..Table::default() };
    for answer in answers {
        let place = table.columns.iter().position(|own| *own == answer.asked).unwrap_or_else(|| {
            table.columns.push(answer.asked.clone());
            table.columns.len() - 1
        });
        let of = [format!("{}/{}", answer.isa, answer.instruction), answer.of.clone()];
        if table.rows.last().is_none_or(|row| row.of != of) {
            table.rows.push(Row { of, ..Row::default() });
        }
        let cells = &mut table.rows.last_mut().expect("just pushed").cells;
        cells.resize(cells.len().max(place + 1), Vec::new());
        cells[place].push((answer.says.clone(), answer.word.clone(), answer.commands()));
    }
    table.rows.iter_mut().for_each(|row| row.cells.resize(table.columns.len(), Vec::new()));
    table
}
