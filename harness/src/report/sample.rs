//! A report made by hand, for the tests of its renderings: the first instruction set of the list, whichever it is.

use std::time::Duration;

use tandem_isa::{Answer, Edition, Expectation, Instruction, Isa, Reference, State, Step, Target, TargetInfo};

use super::model::{CitationPart, PagePart, VectorFilePart, VectorsPart};
use super::{ContestedCell, Inputs, Report};
use crate::{
    CampaignResult, CaseId, CaseValue, CellCount, Difference, Finding, GREEN, IsaSuite, Kind, Minimized, Sighting,
    Signature, Suite, TargetFactory, TupleCover, UnitResult,
};

/// The instruction set.
pub(super) static ISA: &Isa = tandem_isa::ISAS[0];

const HOSTILE: &str = "<script>alert('&')</script>|`x` ]]> \x1b[31m\u{202e}\n[l](javascript:1) @all \"q\"";

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

    fn implements(&self, _: &'static Instruction) -> bool {
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
pub(super) fn suite() -> Suite {
    let factory = |level: &'static str| TargetFactory::new(move || Box::new(Still(info(level))));
    let targets = vec![factory("low"), factory("high")];
    Suite { isas: vec![IsaSuite { isa: ISA, reference: || Box::new(Still(info("none"))), targets }] }
}

/// A case with one field of small state and one word of the first bank set.
pub(super) fn case() -> CaseValue {
    let mut value = CaseValue::base(ISA, ISA.instructions[0], Edition::Spec);
    let fields = (ISA.layout.fields)();
    let (index, field) = fields.iter().enumerate().find(|(_, field)| field.base == 0).expect("some field is 0");
    value.fields.insert(index, field.max);
    value.words.insert((0, 1, 0), 5);
    value
}

/// One wrong word.
pub(super) fn differences() -> Vec<Difference> {
    vec![Difference::Word { bank: 0, row: 1, column: 0, before: 5, expected: 5, got: 4, kind: Kind::Value }]
}

fn sighting(level: &str) -> Sighting {
    let instruction = ISA.instructions[0];
    let id = CaseId { isa: ISA.short, instruction, edition: Edition::Spec, cell: 1, seed: 7, index: 3 };
    Sighting {
        id,
        differences: differences(),
        level: Some(level.to_string()),
        after: None,
        recorded: None,
        by_value: false,
    }
}

/// A campaign of one instruction: mostly green, with a hole, a blocked and a cited cell, and one finding.
pub(super) fn campaign() -> CampaignResult {
    let instruction = ISA.instructions[0];
    let differences = differences();
    let signature = Signature::of(&instruction.path(), "simd", ISA.layout, &differences).expect("something differs");
    let mut finding = Finding::new(signature, sighting("low"));
    finding.add(&sighting("high"));
    finding.cases_to_find = 12;
    finding.minimized = Some(Minimized { value: case(), differences, proven: true, runs: 34 });
    let unit = |edition: Edition| {
        let mut cells = vec![CellCount { done: GREEN, ..CellCount::default() }; (instruction.cells)(edition).len()];
        cells[0] = CellCount { blocked: GREEN, ..CellCount::default() };
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
        stopped: false,
        notes: Vec::new(),
        elapsed: Duration::from_millis(1500),
    }
}

/// Its report.
pub(super) fn report() -> Report {
    let (suite, campaign) = (suite(), campaign());
    let mut inputs = Inputs::new(&suite, &campaign);
    inputs.run.cpu = "a CPU".to_string();
    inputs.run.levels_not_run = vec!["highest".to_string()];
    inputs.vectors = Some(VectorsPart::of(vec![VectorFilePart {
        file: "some/file.json".to_string(),
        tests: 3,
        agreed: 3,
        ..VectorFilePart::default()
    }]));
    let instruction = ISA.instructions[0];
    let mut contested = vec![ContestedCell::default(); (instruction.cells)(Edition::Newest).len()];
    contested[5].differing = 1;
    inputs.contested.insert(instruction.path(), contested);
    Report::build(&inputs)
}

/// The same report with a hostile text wherever somebody else's text may stand.
pub(super) fn hostile() -> Report {
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
    }
    let vectors = report.result.vectors.as_mut().expect("the sample has vectors");
    vectors.list[0].file = text();
    vectors.list[0].divergent = vec![text()];
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
pub(super) fn citation(place: &str) -> CitationPart {
    let page = PagePart::of((ISA.instructions[0].page)(Edition::Spec));
    CitationPart { page, place: place.to_string(), reason: "it says so".to_string() }
}
