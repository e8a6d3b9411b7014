//! `tandem vectors export --format opencl-visa` and `visaasm`: tests of vISA as kernels for Intel's tools.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tandem_harness::vectors::VectorFile;
use tandem_isa::visa::{VISA, Visa};
use tandem_opencl::{Device, Exporter, Kernel, PROLOGUE, Platform, Unreachable, end, header, test};

use super::OPENCL;
use super::chosen::{Sets, chosen};
use crate::cli::args::Export;
use crate::cli::{CliError, Common, Exit, files};
use crate::wiring;

/// Kernels of a file of OpenCL: a compiler takes about a second for them.
const MOST_KERNELS: usize = 64;
/// Instructions of a kernel for the assembler.
const MOST_INSTRUCTIONS: usize = 200;

pub(in crate::cli) fn run(common: &Common, asked: &Export) -> Result<Exit, CliError> {
    let suite = wiring::suite();
    let sets = Sets { format: &asked.format, has: &|name| name == VISA.name, named: VISA.name };
    let chosen = chosen(common, asked, &suite, &sets)?;
    let reference = (suite.isa(VISA.name).expect("this build has vISA").reference)();
    let mut exporting = Exporting {
        exporter: Exporter::new(reference),
        seen: BTreeSet::new(),
        exported: 0,
        unreachable: BTreeMap::new(),
    };
    for one in &chosen {
        let file = &one.file;
        let folder = common.out.join(file.isa.name).join(&*one.name());
        let exported = if asked.format == OPENCL {
            exporting.opencl(&folder, file)?
        } else {
            exporting.assembler(&folder, file)?
        };
        one.write_manifest(asked, &exported, chosen.len() == 1)?;
    }
    exporting.say(&common.out);
    Ok(Exit::Agree)
}

/// An export under way.
struct Exporting {
    exporter: Exporter,
    seen: BTreeSet<String>,
    exported: usize,
    unreachable: BTreeMap<Unreachable, Vec<String>>,
}

impl Exporting {
    /// Keeps what `keep` takes of a file; a test that stands in several files is exported once.
    fn each(
        &mut self,
        file: &VectorFile,
        mut keep: impl FnMut(&mut Exporter, &str, &tandem_harness::vectors::Test) -> Result<(), Unreachable>,
    ) -> (VectorFile, BTreeMap<Unreachable, Vec<String>>) {
        let (mut exported, mut left) = (file.clone(), BTreeMap::<Unreachable, Vec<String>>::new());
        exported.retain(|test| {
            let id = test.id(file.isa, file.instruction);
            if !self.seen.insert(id.clone()) {
                return false;
            }
            let kept = keep(&mut self.exporter, &id, test);
            self.exported += usize::from(kept.is_ok());
            kept.map_err(|why| left.entry(why).or_default().push(id)).is_ok()
        });
        for (why, ids) in &left {
            self.unreachable.entry(*why).or_default().extend(ids.iter().cloned());
        }
        (exported, left)
    }

    /// Writes kernels of OpenCL and the lines about them; the tests that have one.
    fn opencl(&mut self, folder: &Path, file: &VectorFile) -> Result<VectorFile, CliError> {
        let mut sources: Vec<(Vec<Device>, usize, String)> = Vec::new();
        let mut text = format!("{}\n", header());
        let (exported, left) = self.each(file, |exporter, id, recorded| {
            let program = exporter.export(file, recorded)?;
            let open =
                sources.iter().position(|(devices, count, _)| *devices == program.devices && *count < MOST_KERNELS);
            let number = open.unwrap_or_else(|| {
                sources.push((program.devices.clone(), 0, PROLOGUE.to_string()));
                sources.len() - 1
            });
            let (_, count, source) = &mut sources[number];
            *count += 1;
            source.push_str(&program.source);
            text.push_str(&format!("{}\n", test(id, &format!("{number:03}.cl"), &program)));
            Ok(())
        });
        text.push_str(&format!("{}\n", end(exported.len(), &left)));
        for (number, (_, _, source)) in sources.iter().enumerate() {
            files::write(&folder.join(format!("{number:03}.cl")), source)?;
        }
        files::write(&folder.join("tests.jsonl"), text)?;
        Ok(exported)
    }

    /// Writes kernels for the assembler, each as text and as an object file; the tests that are in one.
    fn assembler(&mut self, folder: &Path, file: &VectorFile) -> Result<VectorFile, CliError> {
        let mut kernels: Vec<(Platform, usize, Kernel)> = Vec::new();
        let (exported, left) = self.each(file, |_, _, test| {
            let mut state = test.case_value(file.isa, file.instruction, test.newest()).state();
            let small = *Visa::new(&mut state).small;
            let platform = Platform::of(&small);
            let add = |kernel: &mut Kernel| {
                let steps = test.steps(file.instruction);
                steps.iter().try_for_each(|step| kernel.add(step.instruction.facts, &step.code, &small))
            };
            let open = kernels.iter_mut().rfind(|(known, count, _)| *known == platform && *count < MOST_INSTRUCTIONS);
            if let Some((_, count, kernel)) = open {
                let mut longer = kernel.clone();
                add(&mut longer).map_err(|_| Unreachable::Form)?;
                if longer.bytes() <= platform.room() {
                    (*count, *kernel) = (*count + 1, longer);
                    return Ok(());
                }
            }
            let mut kernel = Kernel::default();
            add(&mut kernel).map_err(|_| Unreachable::Form)?;
            kernels.push((platform, 1, kernel));
            Ok(())
        });
        for (number, (platform, _, kernel)) in kernels.iter().enumerate() {
            let name = format!("{number:03}-{}", platform.name());
            files::write(&folder.join(format!("{name}.visaasm")), kernel.text())?;
            files::write(&folder.join(format!("{name}.isa")), kernel.object())?;
        }
        files::write(&folder.join("end.json"), format!("{}\n", end(exported.len(), &left)))?;
        Ok(exported)
    }

    /// What came of it: on standard error, as the files are in --out.
    fn say(&self, out: &Path) {
        let left: usize = self.unreachable.values().map(Vec::len).sum();
        noteln!("tandem: {} tests have a kernel, {left} have none; see {}", self.exported, out.display());
        for (why, ids) in &self.unreachable {
            noteln!("  {}: {}: {}", ids.len(), why.key(), why.reason());
        }
    }
}
