//! Intel's assembler `GenX_IR` as a witness: what a test calls legal it reads and verifies, and our bytes become the same
//! machine code as our text.
//!
//! The report says what it refuses, and where that stands. `TANDEM_BLESS=1` writes it, from the check of all tests:
//! `cargo test --test gates assembler:: -- --include-ignored`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use tandem_harness::vectors::VectorFile;
use tandem_isa::visa::operand::dpas::{DST, NULL_VARIABLE, SRC0, W};
use tandem_isa::visa::operand::{
    DST as MOV_DST, EXEC_MASK, EXEC_SIZE, NO_MASK, OperandFields, SRC0 as MOV_SRC0, class,
};
use tandem_isa::visa::precision::Precision;
use tandem_isa::visa::{DataType, FIRST_GENERAL, Mnemonic, Small, Visa};
use tandem_isa::{Code, Facts};
use tandem_opencl::{Kernel, Platform};

use crate::parts::vectors_of;
use crate::program::{ROOT, has_version, told};

/// How long the assembler may take for a kernel, in seconds: it does not end for some.
const LIMIT: &str = "20";
/// Instructions of a kernel.
const MOST: usize = 200;

/// What the assembler says when it fails by itself: that is no verdict on what it was given.
const CRASH: &str = "Unknown error in ADDR reg spill code cleanup";

/// Whether the assembler is there; a test without it says so and passes.
fn is_there() -> bool {
    has_version("libigc-tools", "1.0.12504.6")
}

/// An instruction of a test, and the state before the test.
#[derive(Clone)]
struct Asked {
    id: String,
    facts: &'static Facts,
    code: Code,
    small: Small,
}

impl Asked {
    fn platform(&self) -> Platform {
        Platform::of(&self.small)
    }

    /// Whether text loses its execution mask: the assembler reads `M1` before a predicate operand as `M1_NM`.
    fn loses_mask(&self) -> bool {
        let is_predicate =
            Mnemonic::of(self.facts) == Mnemonic::Mov && MOV_SRC0.class.get(&self.code) == class::PREDICATE;
        is_predicate && EXEC_MASK.get(&self.code) & NO_MASK == 0
    }

    fn kernel(&self) -> Kernel {
        kernel_of(std::slice::from_ref(self))
    }

    /// What the assembler says against it, as far as that is known.
    fn expected(&self) -> Option<Reason> {
        let is_dpas = Mnemonic::of(self.facts) == Mnemonic::Dpas;
        let type_of = |number: u32| {
            let place = number.checked_sub(FIRST_GENERAL)? as usize;
            Some(DataType::of_code(self.small.variables[place].data_type.into()))
        };
        let is_indirect_bf = |operand: &OperandFields| {
            let data_type = DataType::of_code(operand.data_type.get(&self.code));
            operand.class.get(&self.code) == class::INDIRECT && data_type == DataType::Bf
        };
        let is_short = |number| matches!(type_of(number), Some(DataType::Bf | DataType::Hf));
        if is_dpas && SRC0.id.get(&self.code) == NULL_VARIABLE && SRC0.offset.get(&self.code) != 0 {
            Some(Reason::NullOffset)
        } else if self.kernel().bytes() > self.platform().registers() * self.platform().register_bytes() {
            Some(Reason::Room)
        } else if !is_dpas && (is_indirect_bf(&MOV_DST) || is_indirect_bf(&MOV_SRC0)) {
            Some(Reason::IndirectBf)
        } else if !is_dpas || EXEC_SIZE.get(&self.code) != 3 {
            None
        } else if is_short(DST.id.get(&self.code)) || is_short(SRC0.id.get(&self.code)) {
            Some(Reason::ShortAccumulator)
        } else if W.get(&self.code) == Precision::Tf32.code() {
            Some(Reason::Tf32)
        } else {
            None
        }
    }
}

fn kernel_of(asked: &[Asked]) -> Kernel {
    let mut kernel = Kernel::default();
    for one in asked {
        kernel.add(one.facts, &one.code, &one.small).unwrap_or_else(|error| panic!("{}: {error}", one.id));
    }
    kernel
}

/// Why the assembler refuses what a test calls legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    NullOffset,
    Room,
    ShortAccumulator,
    Tf32,
    IndirectBf,
}

impl Reason {
    /// What the assembler says.
    fn said(self) -> &'static str {
        match self {
            Reason::NullOffset => "%null must have 0 as offset",
            Reason::Room => "Spill memory used",
            Reason::ShortAccumulator => "has incorrect type",
            Reason::Tf32 => "GED reports invalid value for field Src1DataType",
            Reason::IndirectBf => "syntax error, unexpected IDENT",
        }
    }

    /// What a page says about it.
    fn page(self) -> &'static str {
        match self {
            Reason::NullOffset => {
                "`Src0` may be null (page DPAS, line 279), and an offset is counted from the beginning of a variable (page \
                 Operands, line 499), which null has not: erratum VX-63. We take null for zero whatever its offset is, \
                 and mark such cases as contested."
            }
            Reason::Room => {
                "A variable has less than 4 KiB (page Header, line 384), or up to 4,096 elements (same line): erratum \
                 VX-34. We let a case say where its variables lie, and they do not fit into the registers here."
            }
            Reason::ShortAccumulator => {
                "The table of legal combinations lets BF and HF accumulate (page DPAS, lines 237-239) and names no \
                 platform; a platform may restrict it further (lines 225-226). On this one it does."
            }
            Reason::Tf32 => {
                "The table of legal combinations has TF32 (page DPAS, line 241) and names no platform. The verifier lets it \
                 pass here, and its own decoder then refuses the machine code."
            }
            Reason::IndirectBf => {
                "An indirect operand has its type behind a colon (page vISA Assembly Syntax, lines 178-200). The list of \
                 types there (line 34) is older than BF, and its text has no name for it in this place."
            }
        }
    }
}

/// What became of a kernel.
#[derive(Debug, PartialEq, Eq)]
struct Assembled {
    machine_code: Vec<u8>,
    /// The instructions, as the assembler writes them back.
    lines: Vec<String>,
    /// What it said.
    said: String,
}

/// Has the assembler make machine code of a file, whose ending says whether it is text or an object; or what it said.
fn assemble(platform: Platform, ending: &str, bytes: &[u8]) -> Result<Assembled, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let name = format!("k.{ending}");
    std::fs::write(folder.path().join(&name), bytes).expect("a kernel can be written");
    let registers = platform.registers().to_string();
    let mut command = Command::new("timeout");
    command.args([LIMIT, "GenX_IR", &name, "-platform", platform.name(), "-binary", "-output", "-dumpcommonisa"]);
    if platform.registers() > 128 {
        command.args(["-TotalGRFNum", &registers]);
    }
    let (code, stdout, stderr) = told(&command.current_dir(folder.path()).output().expect("timeout runs"));
    // The first line is the command.
    let mut said = stdout.split_once('\n').map(|(_, rest)| rest.to_string()).unwrap_or_default() + &stderr;
    // Text is named after its file, and what comes of an object has no name.
    let read = |ending: &str| {
        let named = std::fs::read(folder.path().join(format!("k.{ending}")));
        named.or_else(|_| std::fs::read(folder.path().join(format!(".{ending}"))))
    };
    said.extend(read("errors.txt").iter().map(|text| String::from_utf8_lossy(text).into_owned()));
    match (code, read("dat"), read("visaasm")) {
        (0, Ok(machine_code), Ok(text)) => {
            Ok(Assembled { machine_code, lines: instructions(&String::from_utf8_lossy(&text)), said })
        }
        (124, ..) => Err(format!("nothing within {LIMIT} s")),
        _ => Err(format!("exit code {code}: {said}")),
    }
}

/// The instructions of a kernel that was written back, but for the one that returns.
fn instructions(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| {
        let (line, _) = line.split_once(" /// $")?;
        Some(narrowed(line.strip_prefix(".kernel_attr Target=\"cm\"").unwrap_or(line).trim()))
    });
    let mut lines: Vec<String> = lines.collect();
    lines.pop();
    lines
}

/// An instruction without the bits of an immediate that its type has no room for: it writes them for some and not for others.
fn narrowed(line: &str) -> String {
    let immediate = || {
        let (before, rest) = line.rsplit_once("0x")?;
        let (value, name) = rest.split_once(':')?;
        let (value, bits) = (u64::from_str_radix(value, 16).ok()?, DataType::named(name)?.bits());
        (bits < 32).then(|| format!("{before}{:#x}:{name}", value & ((1 << bits) - 1)))
    };
    immediate().unwrap_or_else(|| line.to_string())
}

/// The instructions of all tests, by platform.
fn all() -> BTreeMap<Platform, Vec<Asked>> {
    let mut all: BTreeMap<Platform, Vec<Asked>> = BTreeMap::new();
    for asked in vectors_of("visa").flat_map(of_file) {
        all.entry(asked.platform()).or_default().push(asked);
    }
    all
}

fn of_file(file: &VectorFile) -> Vec<Asked> {
    let mut all = Vec::new();
    for (_, test) in file.tests() {
        let mut state = test.case_value(file.isa, file.instruction, test.newest()).state();
        let small = *Visa::new(&mut state).small;
        let id = test.id(file.isa, file.instruction);
        for step in test.steps(file.instruction) {
            all.push(Asked { id: id.clone(), facts: step.instruction.facts, code: step.code, small });
        }
    }
    all
}

/// Kernels of at most [`MOST`] instructions, whose variables fit.
fn kernels(asked: &[Asked]) -> Vec<&[Asked]> {
    let (mut rest, mut kernels) = (asked, Vec::new());
    while !rest.is_empty() {
        let fits = |count: usize| kernel_of(&rest[..count]).bytes() <= rest[0].platform().room();
        let mut count = MOST.min(rest.len());
        while count > 1 && !fits(count) {
            count /= 2;
        }
        let (kernel, left) = rest.split_at(count);
        kernels.push(kernel);
        rest = left;
    }
    kernels
}

/// What came of a check.
#[derive(Default)]
struct Count {
    /// Texts that were read and verified, by platform and instruction.
    accepted: BTreeMap<(Platform, &'static str), usize>,
    /// What it said about texts that it took all the same.
    complaints: BTreeMap<(String, Platform), Vec<String>>,
    refused: BTreeMap<(Reason, Platform), Vec<String>>,
    /// Texts over which it fails by itself.
    crashed: BTreeMap<Platform, Vec<String>>,
    /// Byte forms, by whether the machine code is that of the text.
    same: usize,
    different: Vec<String>,
    /// Texts that lost their execution mask.
    unmasked: Vec<String>,
    kernels: usize,
    machine_code: usize,
}

impl Count {
    /// Checks kernels of what the assembler should take, and each of the others alone.
    fn check(&mut self, asked: &[Asked]) {
        let (refused, legal): (Vec<Asked>, Vec<Asked>) =
            asked.iter().cloned().partition(|asked| asked.expected().is_some());
        let (unmasked, legal): (Vec<Asked>, Vec<Asked>) = legal.into_iter().partition(Asked::loses_mask);
        for kernel in kernels(&legal).into_iter().chain(unmasked.chunks(1)) {
            self.check_kernel(kernel);
        }
        for one in refused {
            let reason = one.expected().expect("it was chosen by this");
            let told = assemble(one.platform(), "isaasm", one.kernel().text().as_bytes());
            let said = told.map_or_else(|said| said, |assembled| assembled.said);
            assert!(said.contains(reason.said()), "{}: {reason:?}, but it said: {said}", one.id);
            let text = one.kernel().lines().concat();
            self.refused.entry((reason, one.platform())).or_default().push(text);
        }
    }

    /// Checks a kernel; one in which anything is not plain is taken apart, down to the instruction that it is about.
    fn check_kernel(&mut self, asked: &[Asked]) {
        let (kernel, platform) = (kernel_of(asked), asked[0].platform());
        let text = assemble(platform, "isaasm", kernel.text().as_bytes());
        let object = assemble(platform, "isa", &kernel.object());
        let is_plain = text.as_ref().is_ok_and(|text| text.said.is_empty()) && text == object;
        if !is_plain && asked.len() > 1 {
            let (one, other) = asked.split_at(asked.len() / 2);
            self.check_kernel(one);
            return self.check_kernel(other);
        }
        let is_crash = |from: &Result<Assembled, String>| from.as_ref().is_err_and(|said| said.contains(CRASH));
        if is_crash(&text) && is_crash(&object) {
            return self.crashed.entry(platform).or_default().extend(kernel.lines());
        }
        let told = |from: Result<Assembled, String>, what: &str| {
            from.unwrap_or_else(|said| panic!("{} of {}: {said}\n{}", what, asked[0].id, kernel.text()))
        };
        let (text, object) = (told(text, "the text"), told(object, "the bytes"));
        assert!(!text.said.contains("WARNING"), "{}", text.said);
        if let Some((_, what)) = text.said.lines().next().and_then(|line| line.split_once(' ')) {
            self.complaints.entry((what.to_string(), platform)).or_default().extend(kernel.lines());
        }
        for one in asked {
            *self.accepted.entry((platform, one.facts.name)).or_default() += 1;
        }
        self.kernels += 1;
        self.machine_code += text.machine_code.len();
        assert_eq!((text.lines.len(), object.lines.len()), (asked.len(), asked.len()));
        if text.lines == object.lines && text.machine_code == object.machine_code {
            self.same += asked.len();
        } else if asked[0].loses_mask() && text.lines[0].replacen("_NM", "", 1) == object.lines[0] {
            self.unmasked.extend(kernel.lines());
        } else {
            self.different.push(format!("{} {}: {:?} {:?}", platform.name(), asked[0].id, text, object));
        }
    }

    fn num_accepted(&self) -> usize {
        self.accepted.values().sum()
    }
}

#[test]
fn a_sample_of_tests_is_taken_and_bytes_become_the_machine_code_of_their_text() {
    if !is_there() {
        return;
    }
    let mut count = Count::default();
    for asked in all().values() {
        let every = asked.len().div_ceil(150);
        count.check(&asked.iter().step_by(every).cloned().collect::<Vec<_>>());
    }
    assert_eq!(count.different, [] as [String; 0]);
    let same = count.same + count.unmasked.len();
    assert!(count.num_accepted() >= 250 && same == count.num_accepted(), "{same}");
}

#[test]
fn what_is_illegal_is_refused_and_another_byte_is_seen() {
    if !is_there() {
        return;
    }
    let all = all();
    let mut movs = all[&Platform::XehpSdv].iter().filter(|asked| Mnemonic::of(asked.facts) == Mnemonic::Mov);
    let asked: Vec<Asked> = movs.by_ref().take(20).cloned().collect();
    let kernel = kernel_of(&asked);
    let text = kernel.text();
    let from_text = assemble(Platform::XehpSdv, "isaasm", text.as_bytes()).expect("all are legal");
    for (right, wrong, why) in [
        ("<1> V", "<0> V", "Horizontal Stride should not be 0 for a destination operand"),
        ("mov (M1, 8)", "mov (M1, 2)", "Execution size must be greater than width"),
        ("mov (", "movs (", "syntax error"),
    ] {
        assert!(text.contains(right), "{text}");
        let said = assemble(Platform::XehpSdv, "isaasm", text.replacen(right, wrong, 1).as_bytes()).map(|_| ());
        assert!(said.as_ref().is_err_and(|said| said.contains(why)), "{wrong}: {said:?}");
    }
    let (object, forms) = (kernel.object(), kernel.byte_forms());
    let begin = object.len() - 4 - forms.iter().map(Vec::len).sum::<usize>();
    // The execution mask of the first instruction, and the column of its destination.
    for (at, flip) in [(1, 0x80), (10, 1)] {
        let mut object = object.clone();
        object[begin + at] ^= flip;
        let other = assemble(Platform::XehpSdv, "isa", &object).expect("it is legal still");
        assert!(other.lines[0] != from_text.lines[0] && other.lines[1..] == from_text.lines[1..], "{:?}", other.lines);
    }
}

fn report(count: &Count) -> String {
    let mut text = String::from(
        "<!-- Generated by tests/gates/assembler.rs with TANDEM_BLESS=1: change what it is made from, not this file. -->\n\n\
         # Intel's assembler reads our tests\n\n\
         `GenX_IR` of Intel's graphics compiler 1.0.12504.6 (Debian's `libigc-tools`) reads kernels of vISA, verifies them \
         for a platform, and makes machine code of them. It was run, and its source was not read. Each instruction of \
         each recorded test was given to it twice: as text, and as bytes in an object file that we build from page \
         Header. It executes nothing, so that it says what is legal and how bytes are laid out, and nothing about values.\n\n\
         ## Texts that it reads and verifies\n\n\
         | Platform | Instruction | Accepted |\n|---|---|---:|\n",
    );
    for ((platform, name), accepted) in &count.accepted {
        let _ = writeln!(text, "| {} | `{name}` | {accepted} |", platform.name());
    }
    text.push_str(
        "\n## What it refuses\n\n| It says | Platform | Texts | The first | The page |\n|---|---|---:|---|---|\n",
    );
    for ((reason, platform), texts) in &count.refused {
        let (said, page, platform) = (reason.said(), reason.page(), platform.name());
        let _ = writeln!(text, "| {said} | {platform} | {} | `{}` | {page} |", texts.len(), texts[0]);
    }
    text.push_str(
        "\n## Over what it fails\n\n\
         Its register allocation ends with an internal error over these, as text and as bytes. That says nothing about them.\n\n\
         | It says | Platform | Texts | The first |\n|---|---|---:|---|\n",
    );
    for (platform, texts) in &count.crashed {
        let _ = writeln!(text, "| {CRASH} | {} | {} | `{}` |", platform.name(), texts.len(), texts[0]);
    }
    text.push_str(
        "\n## What it takes with a complaint\n\n\
         These come from its own splitting of instructions, behind the verifier. No page restricts such instructions, \
         and machine code is made all the same. A board has to show whether it is right.\n\n\
         | It says | Platform | Texts | The first |\n|---|---|---:|---|\n",
    );
    for ((said, platform), texts) in &count.complaints {
        let _ = writeln!(text, "| {said} | {} | {} | `{}` |", platform.name(), texts.len(), texts[0]);
    }
    let (same, different) = (count.same, count.different.len());
    let _ = write!(
        text,
        "\n## Bytes\n\n\
         {same} byte forms became the same machine code as their texts, and the assembler writes both back as the same \
         text; {different} did not. They lay in {} kernels with {} bytes of machine code. Numbers of variables and \
         predicates are mapped: each type and size of a variable has its own number in a kernel. A region of `Src2` of \
         `DPAS` is given as bytes alone, as text has none (page DPAS, line 323): it changes nothing (VX-47).\n\n\
         {} more are predicates as sources under an execution mask, such as `{}`. Page MOV (lines 32-48) lets any mask \
         stand there, and from bytes the assembler heeds it. From text it makes `M1_NM` of `M1`, so that channel 0 is \
         written even if it is disabled: whoever writes such text should not rely on the mask.\n",
        count.kernels,
        count.machine_code,
        count.unmasked.len(),
        count.unmasked.first().map_or("", String::as_str)
    );
    text
}

#[test]
#[ignore = "every test instead of a sample; with TANDEM_BLESS=1 it writes the report"]
fn every_test_is_taken_or_refused_as_the_report_says() {
    if !is_there() {
        return;
    }
    let mut count = Count::default();
    for asked in all().values() {
        count.check(asked);
    }
    assert_eq!(count.different, [] as [String; 0]);
    let (path, text) = (Path::new(ROOT).join("reports/assembler.md"), report(&count));
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the report can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    similar_asserts::assert_eq!(committed, text, "reports/assembler.md is not what was seen; TANDEM_BLESS=1 writes it");
}
