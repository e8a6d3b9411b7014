//! How far the named models of float sums are apart: the report `reports/models.md` is made of what is counted here.
//!
//! `TANDEM_BLESS=1` writes the report.

use std::fmt::Write;

use tandem::wiring;
use tandem_cases::visa::DPAS;
use tandem_harness::{CaseId, Generator, IsaSuite, Pools};
use tandem_isa::visa::model::{Sum, Tf32};
use tandem_isa::visa::operand::dpas::DST;
use tandem_isa::visa::{DataType, FIRST_GENERAL, Visa};
use tandem_isa::{AlignedBytes, CellSpace, Code, Edition, Expectation, SaltRange, State, Step};

/// Cases for each precision, destination and class of operands.
const CASES: usize = 400;
const SEED: u64 = 0x6d6f_6465_6c73;
/// Levels of the axis `operands`.
const CLASSES: [&str; 7] = ["mixed", "exact-domain", "extreme", "cancelling", "tiny", "NaN", "zeros"];

/// One line of the report.
struct Line {
    /// Precision and type of the destination.
    kind: String,
    /// Level of the axis `operands`.
    class: usize,
    cases: usize,
    data: usize,
    /// For each sum, data that are not those of the sequential one.
    differ: [usize; Sum::ALL.len()],
    /// Data that the low bits of tf32 change.
    truncated: usize,
}

fn level_of(cells: &CellSpace, cell: usize, axis: &str) -> &'static str {
    let place = cells.axes.iter().position(|known| known.name == axis).expect("an axis");
    cells.axes[place].levels[usize::from(cells.levels(cell)[place])]
}

/// The destination's data of a case under a sum and a reading of tf32; none if the page promises nothing.
fn run(suite: &IsaSuite, small: &AlignedBytes, code: &Code, state: &mut State, (sum, tf32): (Sum, Tf32)) -> Vec<u32> {
    state.small.copy_from_slice(small);
    // What is read is filled anew, with the same operands.
    state.tracker.clear();
    let visa = Visa::new(state);
    visa.small.set_model_sum(sum);
    visa.small.set_model_tf32(tf32);
    let variable = visa.small.variables[(DST.id.get(code).wrapping_sub(FIRST_GENERAL) % 4) as usize];
    let size = DataType::of_code(variable.data_type.into()).bytes();
    let step = Step { instruction: &DPAS, edition: Edition::Newest, code };
    if (suite.reference)().execute(&step, state) != Expectation::Done {
        return Vec::new();
    }
    let bank = &state.layout.banks[0];
    let mut bytes = Vec::new();
    state.tracker.log.written.each(|row| bytes.extend_from_slice(&state.arena[bank.row_range(row)]));
    let value = |datum: &[u8]| datum.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    bytes.chunks_exact(size).map(value).collect()
}

/// The cells of a precision and a kind of destination, at depth 8.
fn cells_of(pair: &str, types: &str) -> Vec<u32> {
    let cells = (DPAS.cells)(Edition::Newest);
    let is = |cell: &usize| {
        let level = |axis| level_of(cells, *cell, axis);
        level("precisions") == pair && (level("depth"), level("types")) == ("8", types)
    };
    (0..cells.len()).filter(is).map(|cell| cell as u32).collect()
}

fn measure(suite: &IsaSuite) -> Vec<Line> {
    let axes = (DPAS.orthogonal)(Edition::Newest);
    let axis = |name: &str| axes.iter().position(|axis| axis.name == name).expect("an axis");
    let operands = axis("operands");
    let mut generator = Generator::new(suite.isa, &DPAS, Edition::Newest, SEED, Pools::new(suite.isa, SEED));
    let mut state = State::zeroed(suite.isa.layout);
    state.set_port(Some(generator.port()));
    let mut lines = Vec::new();
    for (pair, half) in [("bf.bf", "BF"), ("hf.hf", "HF"), ("tf32.tf32", "")] {
        for (types, to) in [("F.F", "F"), ("16.16", half)] {
            let cells = cells_of(pair, types);
            let kind = || format!("{pair}, to {to}");
            let mut new: Vec<Line> = (0..CLASSES.len()).map(|class| Line::new(kind(), class)).collect();
            for index in (0..).take_while(|_| !cells.is_empty()) {
                if new.iter().all(|line| line.cases == CASES) {
                    break;
                }
                let id = CaseId { cell: cells[index as usize % cells.len()], index, ..generator.id(0) };
                generator.enter_epoch(index);
                state.arena.copy_from_slice(generator.arena());
                let drawn = generator.generate(&id, &mut state);
                let line = &mut new[usize::from(drawn.orthogonal[operands])];
                // Operands that share registers are what the other one is.
                let ranges = &drawn.salt.ranges;
                let shares = |one: &SaltRange, other: &SaltRange| one.first < other.end && other.first < one.end;
                let is_apart =
                    (1..ranges.len()).all(|one| ranges[..one].iter().all(|other| !shares(&ranges[one], other)));
                if line.cases < CASES && is_apart {
                    let small = state.small.clone();
                    line.add(|model| {
                        // The same operands for each model.
                        generator.generate(&id, &mut state);
                        run(suite, &small, &drawn.code, &mut state, model)
                    });
                }
            }
            lines.extend(new.into_iter().filter(|line| line.cases > 0));
        }
    }
    lines
}

impl Line {
    fn new(kind: String, class: usize) -> Self {
        Line { kind, class, cases: 0, data: 0, differ: [0; Sum::ALL.len()], truncated: 0 }
    }

    fn add(&mut self, mut run: impl FnMut((Sum, Tf32)) -> Vec<u32>) {
        let sequential = run((Sum::Sequential, Tf32::Full));
        if sequential.is_empty() {
            return;
        }
        self.cases += 1;
        self.data += sequential.len();
        let differing = |other: Vec<u32>| sequential.iter().zip(&other).filter(|(one, other)| one != other).count();
        for (count, sum) in self.differ.iter_mut().zip(Sum::ALL) {
            *count += differing(run((sum, Tf32::Full)));
        }
        self.truncated += differing(run((Sum::Sequential, Tf32::Truncated)));
    }
}

fn report(lines: &[Line]) -> String {
    let mut text = String::from(
        "<!-- Generated by tests/gates/dpas_models.rs with TANDEM_BLESS=1: change what it is made from, not this file. -->\n\n\
         # How far the models of DPAS are apart\n\n\
         The pages give neither the order nor the rounding of float sums, so none of these models is *the* result \
         (VX-50, VX-54). Counted are the data of the destination that are not those of the model `sequential` with all \
         bits of tf32, on operands as the generator draws them, none of \
         which shares registers with another. On operands of the \
         `exact-domain` all sums agree: there a difference is a fault whatever the model is.\n\n\
         | Precision | Operands | Data | fused | pairwise | single-rounding | accumulator-last | truncating | tf32 truncated |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for line in lines {
        let share = |count: usize| format!("{:.2} %", 100.0 * count as f64 / line.data as f64);
        let [_, fused, pairwise, single, last, truncating] = line.differ.map(share);
        let truncated = if line.kind.starts_with("tf32") { share(line.truncated) } else { "–".to_string() };
        let (kind, class, data) = (&line.kind, CLASSES[line.class], line.data);
        let _ = writeln!(
            text,
            "| {kind} | {class} | {data} | {fused} | {pairwise} | {single} | {last} | {truncating} | {truncated} |"
        );
    }
    text
}

#[test]
fn models_differ_as_published_and_nowhere_in_the_exact_domain() {
    let suite = wiring::suite();
    let lines = measure(suite.isa("visa").expect("there is vISA"));
    assert_eq!(lines.len(), 35);
    for line in &lines {
        let Line { kind, class, data, differ, truncated, .. } = line;
        let of = format!("{kind}, {}: {differ:?}, {truncated} of {data}", CLASSES[*class]);
        assert_eq!(differ[0], 0, "{of}");
        match CLASSES[*class] {
            "exact-domain" => assert_eq!((differ, *truncated), (&[0; Sum::ALL.len()], 0), "{of}"),
            // A NaN is one under every sum, and so is a zero that nothing is added to.
            "NaN" | "zeros" => {}
            _ => assert!(differ[2] + differ[3] > 0, "{of}"),
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reports/models.md");
    let text = report(&lines);
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(path, &text).expect("the report can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    similar_asserts::assert_eq!(committed, text, "reports/models.md is not what was counted; TANDEM_BLESS=1 writes it");
}
