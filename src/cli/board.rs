//! `tandem vectors export --format tensix-program`: tests as programs for a board.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tandem_cases::ISAS;
use tandem_harness::Suite;
use tandem_harness::vectors::{Manifest, Selection, Store, Test, VectorError, VectorFile, read_file, select as choose};
use tandem_isa::tensix::Chip;
use tandem_isa::{Instruction, Isa, Reference};

use super::args::Export;
use super::{CliError, Common, Exit, export, files, profiles, select};
use crate::board::{Board, Exporter, Unreachable, lines};
use crate::wiring;

/// The word on the command line.
pub(super) const FORMAT: &str = "tensix-program";
/// What pages leave open after a reset is one thing in one run of a check, and another in the other.
const SEEDS: [u64; 2] = [1, 2];

pub(super) fn run(common: &Common, asked: &Export) -> Result<Exit, CliError> {
    let suite = wiring::suite();
    let sets = Sets { format: FORMAT, has: &|name| Chip::named(name).is_some(), named: "tensix-wh and tensix-bh" };
    let chosen = chosen(common, asked, &suite, &sets)?;
    let mut exporting = Exporting::new(&suite, asked, &chosen)?;
    let one_file = common.out.extension().is_some_and(|end| end == "jsonl");
    let mut text = String::new();
    for one in &chosen {
        let (name, file) = (one.name(), &one.file);
        let (own, exported) = exporting.file(file);
        one.write_manifest(asked, &exported, chosen.len() == 1)?;
        if one_file {
            text.push_str(&own);
        } else {
            let path = common.out.join(file.isa.name).join(format!("{name}.jsonl"));
            files::write(&path, exporting.whole(file.isa, &own))?;
            exporting.next_file();
        }
    }
    if one_file {
        files::write(&common.out, exporting.all(&text))?;
        exporting.next_file();
    }
    exporting.say(&common.out);
    Ok(if exporting.wrong == 0 { Exit::Agree } else { Exit::Vectors })
}

/// Serves a machine that is reset and has not run the prologue.
pub(super) fn serve(suite: &Suite, chip: &str, wrong: bool) -> Result<Exit, CliError> {
    let isa = suite.isa(chip).expect("the command line asks for a chip of this build");
    let mut board = Board::reset(isa.isa, (isa.reference)(), SEEDS[0]);
    board.remember();
    crate::board::serve(&mut board, wrong, std::io::stdin().lock(), std::io::stdout().lock())
        .map_err(CliError::io("standard output"))?;
    Ok(Exit::Agree)
}

/// The instruction sets that a format is for.
pub(super) struct Sets<'a> {
    pub format: &'a str,
    pub has: &'a dyn Fn(&str) -> bool,
    /// Their names, for a message.
    pub named: &'a str,
}

/// What was chosen of a file.
pub(super) struct Chosen {
    pub path: PathBuf,
    pub file: VectorFile,
    pub selection: Selection,
}

impl Chosen {
    /// The name of its file.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_stem().unwrap_or(self.path.as_os_str()).to_string_lossy()
    }

    /// Writes down which of its tests were exported, if that was asked for: in a file, or in one of a folder if there are several.
    pub fn write_manifest(&self, asked: &Export, exported: &VectorFile, is_alone: bool) -> Result<(), CliError> {
        let Some(manifest) = &asked.manifest else { return Ok(()) };
        let several = manifest.join(self.file.isa.name).join(format!("{}.json", self.name()));
        let to = if is_alone { manifest } else { &several };
        files::write(to, Manifest::of(&self.path.display().to_string(), exported, &self.selection).to_text())
    }
}

/// The files that were asked for, by path or by instruction, with the tests that were chosen of each.
pub(super) fn chosen(common: &Common, asked: &Export, suite: &Suite, sets: &Sets<'_>) -> Result<Vec<Chosen>, CliError> {
    let (paths, filters): (Vec<&PathBuf>, Vec<&PathBuf>) = asked.file.iter().partition(|one| one.is_file());
    let mut whole = Vec::new();
    for path in paths {
        whole.push((path.clone(), read_file(ISAS, path)?));
    }
    if !filters.is_empty() || whole.is_empty() {
        let filters: Vec<String> = filters.iter().map(|filter| filter.display().to_string()).collect();
        let wanted = select::instructions(suite, &filters)?;
        let is_wanted =
            |one: &Instruction| (sets.has)(one.isa) && wanted.iter().any(|known| std::ptr::eq(known.facts, one.facts));
        whole.extend(Store::load_of(ISAS, &common.vectors, &is_wanted)?.files);
    }
    let mut chosen = Vec::new();
    for (path, file) in whole {
        let name = path.display().to_string();
        if !(sets.has)(file.isa.name) {
            let (isa, Sets { format, named, .. }) = (file.isa.name, sets);
            return Err(CliError::Usage(format!("{name} is of {isa}; format {format} is for {named}")));
        }
        if let Some(profile) = &asked.profile
            && profiles::named(profile)?.levels(file.instruction).is_empty()
        {
            continue;
        }
        let selection = export::selection(common, asked, &file, &name)?;
        let tests = choose(&file, &selection, &BTreeMap::new());
        if tests.is_empty() {
            continue;
        }
        chosen.push(Chosen { path, file: tests, selection });
    }
    if chosen.is_empty() {
        let named: Vec<String> = asked.file.iter().map(|file| file.display().to_string()).collect();
        return Err(VectorError::NoVectors { file: named.join(" ") }.into());
    }
    Ok(chosen)
}

/// An export under way.
struct Exporting {
    exporters: BTreeMap<&'static str, (Exporter, Vec<Board>)>,
    /// Tests that have a program, in the file that is being written and in all.
    exported: [usize; 2],
    /// Tests that have none, likewise.
    unreachable: [BTreeMap<Unreachable, Vec<String>>; 2],
    seen: BTreeSet<String>,
    /// Programs that are not what their tests say.
    wrong: usize,
    checks: bool,
}

impl Exporting {
    fn new(suite: &Suite, asked: &Export, chosen: &[Chosen]) -> Result<Self, CliError> {
        let mut exporters = BTreeMap::new();
        for Chosen { file, .. } in chosen {
            if exporters.contains_key(file.isa.name) {
                continue;
            }
            let reference = || -> Box<dyn Reference> {
                (suite.isa(file.isa.name).expect("files are of sets of this build").reference)()
            };
            let exporter = Exporter::new(file.isa, reference(), asked.route);
            let mut boards = Vec::new();
            for seed in SEEDS.into_iter().filter(|_| asked.check) {
                let board = exporter.board(reference(), seed);
                boards.push(board.map_err(|wrong| CliError::Usage(format!("{}: {wrong}", file.isa.name)))?);
            }
            exporters.insert(file.isa.name, (exporter, boards));
        }
        let unreachable = [BTreeMap::new(), BTreeMap::new()];
        let seen = BTreeSet::new();
        Ok(Exporting { exporters, exported: [0; 2], unreachable, seen, wrong: 0, checks: asked.check })
    }

    /// The lines of the tests of a file, and the tests that have one. A test that stands in several files is exported once.
    fn file(&mut self, file: &VectorFile) -> (String, VectorFile) {
        let (mut text, mut exported) = (String::new(), file.clone());
        for group in &mut exported.groups {
            group.tests.retain(|test| {
                let line = self.line(file, test);
                text.push_str(line.as_deref().unwrap_or_default());
                line.is_some()
            });
        }
        exported.groups.retain(|group| !group.tests.is_empty());
        (text, exported)
    }

    /// The line of a test, if it has one.
    fn line(&mut self, file: &VectorFile, test: &Test) -> Option<String> {
        let (exporter, boards) = self.exporters.get_mut(file.isa.name).expect("there is one for each file");
        let id = test.id(file.isa, file.instruction);
        if !self.seen.insert(id.clone()) {
            return None;
        }
        let program = match exporter.export(file, test) {
            Ok(program) => program,
            Err(why) => {
                self.unreachable.iter_mut().for_each(|list| list.entry(why).or_default().push(id.clone()));
                return None;
            }
        };
        self.exported.iter_mut().for_each(|count| *count += 1);
        if let Some(wrong) = boards.iter_mut().find_map(|board| exporter.check(file, test, &program, board).err()) {
            self.wrong += 1;
            let path = file.instruction.path();
            errln!("tandem: {path} {id}: {wrong}; this is a bug of tandem, please report it");
        }
        Some(format!("{}\n", lines::test(file, test, &program)))
    }

    /// A file of its own, with the tests of one file.
    fn whole(&self, isa: &Isa, tests: &str) -> String {
        let (exporter, _) = &self.exporters[isa.name];
        format!("{}\n{tests}{}\n", lines::header(&[exporter]), lines::end(self.exported[0], &self.unreachable[0]))
    }

    /// One file of everything.
    fn all(&self, tests: &str) -> String {
        let exporters: Vec<&Exporter> = self.exporters.values().map(|(exporter, _)| exporter).collect();
        format!("{}\n{tests}{}\n", lines::header(&exporters), lines::end(self.exported[1], &self.unreachable[1]))
    }

    fn next_file(&mut self) {
        self.exported[0] = 0;
        self.unreachable[0].clear();
    }

    /// What came of it: on standard error, as the files are in --out.
    fn say(&self, out: &Path) {
        let left: usize = self.unreachable[1].values().map(Vec::len).sum();
        noteln!("tandem: {} tests have a program, {left} have none; see {}", self.exported[1], out.display());
        for (why, ids) in &self.unreachable[1] {
            noteln!("  {}: {}: {}", ids.len(), why.key(), why.reason());
        }
        if self.checks {
            let right = self.exported[1] - self.wrong;
            noteln!("tandem: {right} of {} programs are what their tests say, by the reference", self.exported[1]);
        }
    }
}
