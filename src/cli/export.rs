//! `tandem vectors export`: chosen tests of one file, in the form that somebody's tool reads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tandem_cases::ISAS;
use tandem_harness::vectors::{
    Manifest, Plain, PlainFormat, Selection, VectorError, VectorFile, read_file, select as choose, to_lines,
};

use super::args::Export;
use super::{CliError, Common, Exit, files, profiles, satellites, select};
use crate::nearest;

pub(super) fn run(common: &Common, asked: &Export) -> Result<Exit, CliError> {
    if let Some(exported) = satellites::export(common, asked) {
        return exported;
    }
    let [path] = &asked.file[..] else {
        let format = &asked.format;
        return Err(CliError::Usage(format!("format {format} is of one file; name one file of vectors")));
    };
    let whole = read_file(ISAS, path)?;
    let file = path.display().to_string();
    let selection = selection(common, asked, &whole, &file)?;
    let chosen = choose(&whole, &selection, &BTreeMap::new());
    if chosen.is_empty() {
        return Err(VectorError::NoVectors { file }.into());
    }
    if let Some(path) = &asked.manifest {
        files::write(path, Manifest::of(&file, &chosen, &selection).to_text())?;
    }
    match PlainFormat::named(&asked.format) {
        Some(format) => write_plain(common, path, &chosen, format)?,
        None if asked.format == "jsonl" => out!("{}", to_lines(&chosen)),
        None => out!("{}", chosen.to_text()),
    }
    Ok(Exit::Agree)
}

/// Writes the tables into a folder of their own under `--out`, and names each file.
fn write_plain(common: &Common, path: &Path, chosen: &VectorFile, format: PlainFormat) -> Result<(), CliError> {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let plain = Plain::of(&name, chosen);
    let folder = common.out.join(chosen.isa.name).join(Path::new(&*name));
    for (file, bytes) in plain.files(format) {
        let path = folder.join(file);
        files::write(&path, &bytes)?;
        outln!("{}: {} tests, {} bytes", path.display(), chosen.len(), bytes.len());
    }
    let breaking = plain.num_breaking();
    if breaking > 0 {
        noteln!("tandem: {breaking} programs break a rule that no wait keeps; --hardware leaves them out");
    }
    Ok(())
}

/// The selection that was asked for. What the file lacks is an error that names what it has.
pub(super) fn selection(
    common: &Common,
    asked: &Export,
    whole: &VectorFile,
    file: &str,
) -> Result<Selection, CliError> {
    let known: Vec<&str> = whole.notes.keys().map(String::as_str).collect();
    if let Some(flag) = asked.flags.iter().find(|flag| !known.contains(&flag.as_str())) {
        let meant = nearest::or_all(flag, &known);
        return Err(CliError::Usage(format!("no test of {file} has the flag '{flag}'{meant}")));
    }
    let classes = classes(whole);
    if let Some(class) = asked.class.iter().find(|class| !classes.contains(&class.as_str())) {
        let meant = nearest::or_all(class, &classes);
        return Err(CliError::Usage(format!("no test of {file} lies in a cell of class '{class}'{meant}")));
    }
    let (levels, numbers): (Vec<String>, Vec<String>) = asked.cell.iter().cloned().partition(|one| one.contains('='));
    check_levels(whole, &levels)?;
    Ok(Selection {
        edition: select::edition(common)?,
        cells: numbers.iter().map(|number| cell(whole, number, file)).collect::<Result<_, _>>()?,
        levels,
        classes: asked.class.clone(),
        profile: asked.profile.as_deref().map(|name| profiles::listed(name, whole.instruction)).transpose()?,
        flags: asked.flags.clone(),
        without_flags: asked.without_flags.clone(),
        hardware: asked.hardware,
        per_cell: asked.per_cell,
        first: asked.first.map(Into::into),
    })
}

/// The classes of the cells that tests lie in.
fn classes(whole: &VectorFile) -> Vec<&'static str> {
    let instruction = whole.instruction;
    let class = |group: &tandem_harness::vectors::Group| {
        let levels = (instruction.cells)(group.edition).levels(group.cell);
        (instruction.cell_class)(group.edition, levels)
    };
    whole.groups.iter().map(class).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Asks that each `axis=level` exists in an edition in which the file numbers its cells.
fn check_levels(whole: &VectorFile, levels: &[String]) -> Result<(), CliError> {
    let editions: BTreeSet<_> = whole.groups.iter().map(|group| group.edition).collect();
    let in_each = editions.iter().map(|&edition| select::cells(whole.instruction, edition, levels));
    let mut wrong = None;
    for found in in_each {
        match found {
            Ok(_) => return Ok(()),
            Err(error) => wrong = Some(error),
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// The number of a cell that has a test.
fn cell(whole: &VectorFile, number: &str, file: &str) -> Result<usize, CliError> {
    let numbers: BTreeSet<usize> = whole.groups.iter().map(|group| group.cell).collect();
    if let Some(number) = number.parse().ok().filter(|number| numbers.contains(number)) {
        return Ok(number);
    }
    let (count, instruction) = (numbers.len(), whole.instruction.path());
    let ends = numbers.first().zip(numbers.last()).map(|(first, last)| format!(" from {first} to {last}"));
    Err(CliError::Usage(format!(
        "no test of {file} lies in a cell '{number}'; {count} cells{} have tests; name one of them, or levels as \
         `axis=level`, which `tandem describe {instruction}` lists",
        ends.unwrap_or_default()
    )))
}
