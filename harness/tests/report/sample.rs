//! A report made by hand: of the first instruction set of the list, whichever it is.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tandem_isa::{
    Answer, Edition, Expectation, Facts, Isa, Place, Reference, State, Statement, Step, Target, TargetInfo,
};

use tandem_harness::report::model::{
    CitationPart, Counts, ObservedPart, PagePart, RulePart, SignaturePart, VectorFilePart, VectorFindingPart,
    VectorsPart,
};
use tandem_harness::report::{ContestedCell, Inputs, Report};
use tandem_harness::vectors::{Column, Columns};
use tandem_harness::{
    CampaignResult, CaseId, CaseValue, CellCount, Difference, Finding, Foretold, GREEN, IsaSuite, Kind, Minimized,
    Sighting, Signature, Suite, TargetFactory, TupleCover, UnitResult,
};

/// The instruction set.
pub static ISA: &Isa = tandem_cases::ISAS[0];

/// Markup of every kind, and what steers a terminal, hides or turns the direction of reading.
const HOSTILE: &str = "<script>alert('&')</script>|`x` ]]> \x1b[31m\u{202e}\n[l](javascript:1) @all \"q\"\x1b]0;a\x07\0\u{9b}2J\r\u{2066}\u{61c}\u{e0041}";

/// Executes nothing and finds that right.
struct Still(TargetInfo);

impl Reference for Still {
    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Expectation {
        Expectation::Done
    }
}

impl Target for Still {
    fn info(&self) -> TargetInfo {
        self.0.clone()
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Answer {
        Answer::Done
    }
}

fn info(level: &str) -> TargetInfo {
    TargetInfo { name: "simd".to_string(), level: Some(level.to_string()) }
}

/// A reference and two levels of one target, all of which do nothing.
pub fn suite() -> Suite {
    let factory = |level: &'static str| TargetFactory::new(move || Box::new(Still(info(level))));
    let targets = vec![factory("low"), factory("high")];
    Suite {
        isas: vec![IsaSuite {
            isa: ISA,
            reference: Arc::new(|| Box::new(Still(info("none")))),
            statements,
            disputes: &[],
            targets,
        }],
    }
}

/// Statements of the first instruction: one that is transcribed, one that an erratum contradicts, one that is neither.
fn statements(instruction: &Facts) -> &'static [Statement] {
    static STATEMENTS: LazyLock<Vec<Statement>> = LazyLock::new(|| {
        let transcribed = |line, says: &str, erratum: Option<&str>| Statement {
            lines: (line, line),
            says: says.to_string(),
            place: Place::Transcribed {
                at: "reference/src/one.rs, one".to_string(),
                test: "a_test".to_string(),
                erratum: erratum.map(str::to_string),
            },
        };
        let reason = "it is | out of scope".to_string();
        vec![
            transcribed(3, "It does nothing.", None),
            transcribed(4, "Or something.", Some("TX-01")),
            Statement { lines: (5, 6), says: HOSTILE.to_string(), place: Place::NotModelled { reason } },
        ]
    });
    if instruction.index == 0 { &STATEMENTS } else { &[] }
}

/// A case with one field of small state and one word of the first bank set.
pub fn case() -> CaseValue {
    let mut value = CaseValue::base(ISA, ISA.instructions[0], Edition::Spec);
    let fields = (ISA.layout.fields)();
    let (index, field) = fields.iter().enumerate().find(|(_, field)| field.base == 0).expect("some field is 0");
    value.fields.insert(index, field.max);
    value.words.insert((0, 1, 0), 5);
    value
}

/// One wrong word.
pub fn differences() -> Vec<Difference> {
    vec![Difference::Word { bank: 0, row: 1, column: 0, before: 5, expected: 5, got: 4, kind: Kind::Value }]
}

fn sighting(level: &str) -> Sighting {
    let instruction = ISA.instructions[0];
    let id = CaseId { isa: ISA.short, instruction, edition: Edition::Spec, cell: 1, seed: 7, index: 3 };
    Sighting::new(id, differences(), Some(level.to_string()))
}

/// A campaign of one instruction: mostly green, with a hole, a blocked and a cited cell, and one finding.
pub fn campaign() -> CampaignResult {
    let instruction = ISA.instructions[0];
    let differences = differences();
    let signature = Signature::of(&instruction.path(), "simd", ISA.layout, &differences).expect("something differs");
    let mut finding = Finding::new(signature, sighting("low"));
    finding.add(&sighting("high"));
    finding.cases_to_find = 12;
    finding.shows = true;
    finding.minimized = Some(Minimized { value: case(), after: Vec::new(), differences, proven: true, runs: 34 });
    let unit = |edition: Edition| {
        let mut cells = vec![
            CellCount { done: GREEN, answered: GREEN, ..CellCount::default() };
            (instruction.cells)(edition).len()
        ];
        cells[0] = CellCount { blocked: GREEN, answered: GREEN, ..CellCount::default() };
        cells[1].diverged = 1;
        cells[2] = CellCount { cited: GREEN, ..CellCount::default() };
        cells[3].done = GREEN - 1;
        let coverage = Some(TupleCover { covered: 9, total: 10 });
        let uncovered = vec!["a=1 b=2 c=3".to_string()];
        UnitResult { cells, coverage, uncovered, ..UnitResult::new((instruction, edition)) }
    };
    CampaignResult {
        seed: 7,
        units: Edition::ALL.map(unit).into(),
        cases: 4096,
        datums: 65536,
        completed: 4000,
        findings: vec![finding],
        elapsed: Duration::from_millis(1500),
        ..CampaignResult::default()
    }
}

/// A divergence from recorded vectors.
pub fn vector_finding() -> VectorFindingPart {
    let finding = &campaign().findings[0];
    VectorFindingPart {
        signature: SignaturePart::of(&finding.signature),
        finding: Some(1),
        verdict: "new".to_string(),
        known: vec!["K-1".to_string()],
        outside: vec!["spec: a class".to_string()],
        tests: 2,
        first: "0123456789abcdef".to_string(),
        files: vec!["some/file.json".to_string()],
        seen: Vec::new(),
        bits: Vec::new(),
    }
}

/// Its report.
pub fn report() -> Report {
    let (suite, campaign) = (suite(), campaign());
    let mut inputs = Inputs::new(&suite, &campaign);
    inputs.run.cpu = "a CPU".to_string();
    inputs.run.levels_not_run = vec!["highest".to_string()];
    inputs.vectors = Some(VectorsPart::of(
        vec![VectorFilePart {
            file: "some/file.json".to_string(),
            columns: Columns::default().with(Column::Agreed, 3),
            ..VectorFilePart::default()
        }],
        Vec::new(),
    ));
    let instruction = ISA.instructions[0];
    let mut contested = vec![ContestedCell::default(); (instruction.cells)(Edition::Newest).len()];
    contested[5].differing = 1;
    inputs.contested.insert(instruction.path(), contested);
    Report::build(&inputs)
}

/// The same report of one partial target in one edition: a class of cells is refused by the first of two rules, but for one
/// cell that nothing explains, and a green cell refuses a fifth of its cases.
pub fn partial() -> Report {
    let mut report = report();
    report.result.units.truncate(1);
    report.result.targets = vec!["partial".to_string()];
    report.result.findings[0].signature.target = "partial".to_string();
    let unit = &mut report.result.units[0];
    (unit.target, unit.targets) = (Some("partial".to_string()), vec!["partial".to_string()]);
    let (instruction, edition) = (ISA.instructions[0], Edition::ALL[0]);
    let cells = (instruction.cells)(edition);
    let class_of = |cell| (instruction.cell_class)(edition, cells.levels(cell));
    let place = |cell| unit.classes.iter().position(|class| class.name == class_of(cell)).expect("it is listed");
    let classes: Vec<usize> = (0..cells.len()).map(place).collect();
    let last = classes.iter().copied().max().expect("there are classes");
    let refused: Vec<usize> = (8..classes.len()).filter(|&cell| classes[cell] == last).collect();
    let mut statuses = unit.map.statuses.clone().into_bytes();
    let (mut rules, mut shares) = (vec!["0"; classes.len()], vec!["0"; classes.len()]);
    for &cell in &refused {
        (statuses[cell], rules[cell], shares[cell]) = (b'U', "1", "100");
    }
    rules[refused[0]] = "0";
    shares[4] = "20";
    unit.map.statuses = String::from_utf8(statuses).expect("letters are text");
    (unit.map.rules, unit.map.refusals) = (rules.join(" "), shares.join(" "));
    let count = refused.len() as u64;
    for counts in [&mut unit.counts, &mut unit.classes[last].counts, &mut report.result.counts] {
        (counts.green, counts.unsupported) = (counts.green - count, count);
    }
    (unit.promised, unit.offered) = (unit.counts.cells - 1, unit.counts.cells - 1 - count);
    (unit.cases, unit.answered, unit.refusals) = (1_100, 800, 200);
    let rule = |when: &str, cells, by_data| RulePart { when: when.to_string(), reason: None, by_data, cells };
    let mut rules = vec![rule("mode = 3", count - 1, false), rule("some datum is NaN", 0, true)];
    rules[0].reason = Some("no such mode here".to_string());
    let foretold = Foretold { answered: 1_800, refused: 180, unexplained: 20, contradicted: 0 };
    unit.observed = Some(ObservedPart { cases: 600, ended: None, rules, foretold });
    report
}

/// The same report of a target that refuses everything.
pub fn refusing() -> Report {
    let mut report = partial();
    report.result.findings.clear();
    (report.result.new_findings, report.result.diverged) = (0, 0);
    let unit = &mut report.result.units[0];
    let cells = unit.map.statuses.len();
    (unit.map.statuses, unit.map.rules, unit.map.refusals) =
        ("U".repeat(cells), format!("1*{cells}"), format!("100*{cells}"));
    unit.diverged = 0;
    unit.hole_list.clear();
    for class in &mut unit.classes {
        class.diverged = 0;
        class.counts = Counts { cells: class.counts.cells, unsupported: class.counts.cells, ..Counts::default() };
    }
    unit.counts = Counts { cells: cells as u64, unsupported: cells as u64, ..Counts::default() };
    report.result.counts = unit.counts;
    (unit.promised, unit.offered, unit.answered) = (cells as u64, 0, 0);
    report
}

/// The same report with a hostile text wherever somebody else's text may stand.
pub fn hostile() -> Report {
    let mut report = report();
    let text = || HOSTILE.to_string();
    report.run.cpu = text();
    report.run.notes = vec![text()];
    report.run.levels_not_run = vec![text()];
    report.run.vectors = vec![text()];
    report.result.targets = vec![text()];
    for unit in &mut report.result.units {
        unit.targets = vec![text()];
        unit.classes[0].name = text();
        unit.hole_list[0].description = text();
        let rule = RulePart { when: text(), reason: Some(text()), by_data: false, cells: 0 };
        let foretold = Foretold { refused: 1, ..Foretold::default() };
        unit.observed = Some(ObservedPart { cases: 1, ended: Some(text()), rules: vec![rule], foretold });
    }
    let vectors = report.result.vectors.as_mut().expect("the sample has vectors");
    vectors.list[0].file = text();
    vectors.list[0].divergent = vec![text()];
    vectors.list[0].reference = vec![text()];
    let mut divergence = vector_finding();
    (divergence.signature.target, divergence.first, divergence.files) = (text(), text(), vec![text()]);
    vectors.findings = vec![divergence];
    (report.run.options, report.run.narrowed) = (text(), text());
    let finding = &mut report.result.findings[0];
    finding.signature.target = text();
    finding.outside = vec![text()];
    finding.explanation = vec![text(), "```".to_string()];
    finding.replay = text();
    finding.errata = vec![text()];
    finding.citations = vec![CitationPart { reason: text(), ..citation(&text()) }];
    finding.citations[0].page.title = text();
    finding.citations[0].page.path = text();
    report.run.finding_levels[0].signature.target = text();
    report
}

/// A citation of the first instruction's page.
pub fn citation(place: &str) -> CitationPart {
    let page = PagePart::of(ISA.instructions[0].page(Edition::Spec));
    CitationPart { page, place: place.to_string(), reason: "it says so".to_string() }
}
