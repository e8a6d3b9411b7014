//! `tandem vectors export --format tensix-program`: tests as programs for a board.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tandem_board::{Board, Exporter, Unreachable, lines};
use tandem_harness::Suite;
use tandem_harness::vectors::{Test, VectorFile};
use tandem_isa::tensix::Chip;
use tandem_isa::{Isa, Reference};

use super::PROGRAM;
use super::chosen::{Chosen, Sets, chosen};
use crate::cli::args::Export;
use crate::cli::{CliError, Common, Exit, files};
use crate::wiring;

/// What pages leave open after a reset is one thing in one run of a check, and another in the other.
const SEEDS: [u64; 2] = [1, 2];

pub(in crate::cli) fn run(common: &Common, asked: &Export) -> Result<Exit, CliError> {
    let suite = wiring::suite();
    let sets = Sets { format: PROGRAM, has: &|name| Chip::named(name).is_some(), named: "tensix-wh and tensix-bh" };
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
pub(in crate::cli) fn serve(suite: &Suite, chip: &str, wrong: bool) -> Result<Exit, CliError> {
    let isa = suite.isa(chip).expect("the command line asks for a chip of this build");
    let mut board = Board::reset(isa.isa, (isa.reference)(), SEEDS[0]);
    board.remember();
    tandem_board::serve(&mut board, wrong, std::io::stdin().lock(), std::io::stdout().lock())
        .map_err(CliError::io("standard output"))?;
    Ok(Exit::Agree)
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
        exported.retain(|test| {
            let line = self.line(file, test);
            text.push_str(line.as_deref().unwrap_or_default());
            line.is_some()
        });
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
