//! Recordings of `DPAS` by cm-cpu-emulation, which runs kernels for Intel GPUs on the CPU.
//!
//! A line has precisions, depth, repeat count, channels, types, and the words of all operands in the order in which they
//! lie in the register file, two data of 16 bits in a word; the accumulator may be null. It says nothing of where the
//! operands lie, so they begin where the variables of the base state do: `Dst`, `Src0`, `Src1` and `Src2` in `V32` to
//! `V35`, 1,024 bytes apart. Sums on floats follow the models of the base state (sequential, `tf32` in full), but that
//! denormals are kept.

#[cfg(test)]
mod tests;

use serde_json::Value;
use tandem_cases::visa::value_class;
use tandem_harness::Suite;
use tandem_harness::vectors::{Outcome, Source, Sparse, Test, field_named};
use tandem_isa::visa::model::Denormals;
use tandem_isa::visa::operand::dpas::{A, DST, M1_NM, NULL_VARIABLE, RC, SD, SRC0, SRC1, W};
use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE, SRC2};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, FIRST_GENERAL, bank};
use tandem_isa::{Code, Instruction, Isa};

use super::line::{Line, Members, NotRead, Record};
use super::witness::Witness;
use super::{ImportError, LeftOut};

pub(super) static WITNESS: Witness = Witness {
    name: "intel/cm-cpu-emulation",
    mark: "w_prec",
    source,
    notes: &NOTES,
    record,
    no_witness: |isa, test| match DataType::of_code(field(isa, &test.before, &type_of(DST_VARIABLE))) {
        DataType::Hf => Some("other lines with a destination of HF are truncated"),
        DataType::Bf => Some("it is not relied on for destinations of 16 bits, since those of HF are truncated"),
        _ => None,
    },
    background: value_class::of(DataType::Ud),
    // Each kind of operands, each size, and a null accumulator, with each pair of precisions and each repeat count.
    covers: |_, test, levels| {
        let kind = PATTERNS.iter().position(|flag| test.flags.iter().any(|has| has == flag)).unwrap_or(0);
        let form = EXEC_SIZE.get(&test.code) * 2 + u32::from(SRC0.id.get(&test.code) == NULL_VARIABLE);
        let (precisions, repeat) = (W.get(&test.code) * 16 + A.get(&test.code), usize::from(levels[0]));
        let (form, precisions) = (form as usize, precisions as usize);
        vec![[0, kind, precisions], [1, kind, repeat], [2, form, precisions], [3, form, repeat]]
    },
};

fn source(_: &Instruction) -> Source {
    let note = "DPAS alone, on random and special operands, with a systolic depth of 8. The recording does not say where \
                operands lie, nor what the types of Src1 and Src2 are; they lie where the variables of the base state do, \
                and are UD. Sums on floats follow the model that is named sequential, with tf32 in full, and keep denormals. Of a NaN, sign \
                and payload are not compared. Modes that vISA does not have were left out, and so were destinations of \
                16 bits, since those of HF are truncated.";
    Source {
        name: WITNESS.name.to_string(),
        version: "8d7b65fa".to_string(),
        commit: Some("8d7b65fa".to_string()),
        licence: Some("MIT".to_string()),
        note: Some(note.to_string()),
    }
}

const NAN_BY_CLASS: &str = "nan-by-class";

/// The flags of the kinds of operands, by the numbers of the recording; random bits have none.
const PATTERNS: [&str; 8] =
    ["", "small-exact", "mid-range", "special-values", "extreme", "cancelling", "denormal", "ties"];

const NOTES: [[&str; 3]; 8] = [
    [
        NAN_BY_CLASS,
        "A result is a quiet NaN, of which sign and payload are not compared.",
        "Another class of result where infinities or NaN meet.",
    ],
    ["small-exact", "Operands are small whole numbers, so that no sum is rounded.", "Layout of operands, and signs."],
    ["mid-range", "Floats of like size.", "Order and roundings of a sum."],
    ["special-values", "Infinities, NaN, zeros and denormals.", "Special values."],
    ["extreme", "Operands are the largest and smallest there are.", "Sums that overflow: integers wrap."],
    ["cancelling", "Products cancel each other.", "Order of a sum, and signs."],
    ["denormal", "Many operands or products are denormal.", "Denormals that are flushed."],
    ["ties", "Sums lie halfway between two floats.", "Rounding of ties."],
];

const KNOWN: [&str; 13] =
    ["w_prec", "a_prec", "sd", "rc", "exec", "dst_type", "src0_type", "sat", "pattern", "src0", "src1", "src2", "dst"];

/// The one systolic depth that is recorded.
const DEPTH: u32 = 8;
/// The places of the operands' variables among those that a case declares.
const DST_VARIABLE: u32 = 0;
const SRC0_VARIABLE: u32 = 1;
const SRC1_VARIABLE: u32 = 2;
const SRC2_VARIABLE: u32 = 3;

/// What a line holds.
fn record<'s>(at: &Line<'_>, line: &Members, suite: &'s Suite) -> Result<Record<'s>, ImportError> {
    let visa = suite.isa("visa").and_then(|suite| Some((suite, suite.isa.instruction("DPAS")?)));
    let (suite, instruction) = visa.ok_or_else(|| at.wrong("/", "this build has no DPAS of vISA"))?;
    let test = test(at, line, suite.isa, instruction).or_else(|why| why.left_out().map(Err))?;
    // The control register is that of a kernel's beginning, and all else that DPAS reads is listed.
    Ok(Record { suite, instruction, recorded: "executed".to_string(), test, unlisted: Vec::new() })
}

/// The test of a line, or why there is none.
fn test(
    at: &Line<'_>,
    line: &Members,
    isa: &'static Isa,
    instruction: &Instruction,
) -> Result<Result<Test, LeftOut>, NotRead> {
    at.only(line, "", &KNOWN)?;
    let [w, a] = [at.precision(line, "w_prec")?, at.precision(line, "a_prec")?];
    at.within(line, "sd", DEPTH..=DEPTH)?;
    let rc = at.within(line, "rc", 1..=8)?;
    let (exec_size, registers, channels) = match at.whole(line, "exec")? {
        8 => (3, 0, 8),
        16 => (4, 1, 16),
        _ => return Err(at.wrong("/exec", "is neither 8 nor 16")),
    };
    let dst_type = at.data_type(line, "dst_type")?;
    let src0_type = match at.text(line, "src0_type")? {
        "null" => None,
        _ => Some(at.data_type(line, "src0_type")?),
    };
    let is_saturated = at.within(line, "sat", 0..=1)? == 1;
    let pattern = PATTERNS[at.within(line, "pattern", 0..=7)? as usize];

    // Numbers of words, by page DPAS, lines 27-35 and 97-112.
    let operations = match w.bits().max(a.bits()) {
        32 => 1,
        16 => 2,
        8 => 4,
        _ => 8,
    };
    let datums = rc * channels;
    let src1_words = DEPTH.div_ceil(32 / (operations * w.bits())) * channels;
    let src2_words = rc * DEPTH * operations * a.bits() / 32;
    let src0 = at.words(line, "src0", src0_type.map_or(0, |src0_type| datums * src0_type.bits() / 32))?;
    let [src1, src2] = [at.words(line, "src1", src1_words)?, at.words(line, "src2", src2_words)?];
    let dst = at.words(line, "dst", datums * dst_type.bits() / 32)?;
    // A line in a mode of its own is read as well, so that nothing in it is passed over.
    if is_saturated {
        return Ok(Err(LeftOut::ForeignMode("sat = 1")));
    }

    let mut code = Code::new(instruction.base_code);
    let null_or_src0 = if src0_type.is_some() { FIRST_GENERAL + SRC0_VARIABLE } else { NULL_VARIABLE };
    for (field, value) in [
        (EXEC_SIZE, exec_size),
        (EXEC_MASK, M1_NM),
        (W, w.code()),
        (A, a.code()),
        (SD, DEPTH),
        (RC, rc),
        (DST.id, FIRST_GENERAL + DST_VARIABLE),
        (SRC0.id, null_or_src0),
        (SRC1.id, FIRST_GENERAL + SRC1_VARIABLE),
        (SRC2.id, FIRST_GENERAL + SRC2_VARIABLE),
    ] {
        field.set(&mut code, value);
    }
    let (mut before, mut after) = (Sparse::default(), Sparse::default());
    at.set_field(isa, &mut before, "GRF_size", registers, "/exec")?;
    at.set_field(isa, &mut before, &type_of(DST_VARIABLE), dst_type.code(), "/dst_type")?;
    if let Some(src0_type) = src0_type {
        at.set_field(isa, &mut before, &type_of(SRC0_VARIABLE), src0_type.code(), "/src0_type")?;
    }
    // It keeps denormals, whatever a control register would say.
    if w.kind() == PrecisionKind::Float {
        at.set_field(isa, &mut before, "Model.Denormals", Denormals::Keep as u32, "/w_prec")?;
    }
    for (variable, words) in [(SRC0_VARIABLE, &src0), (SRC1_VARIABLE, &src1), (SRC2_VARIABLE, &src2)] {
        put(isa, &mut before, variable, words, 0);
    }
    put(isa, &mut after, DST_VARIABLE, &dst, 0);
    let masks: Vec<u32> = dst.iter().map(|&word| bits_that_count(dst_type, word)).collect();
    let mut care = Sparse::default();
    put(isa, &mut care, DST_VARIABLE, &masks, u32::MAX);
    let has_nan = !care.rows.is_empty();
    let flags = [(NAN_BY_CLASS, has_nan), (pattern, !pattern.is_empty())];
    let mut flags: Vec<String> = flags.iter().filter(|(_, has)| *has).map(|(flag, _)| flag.to_string()).collect();
    flags.sort();
    let (editions, outcome) = (Vec::new(), Outcome::Done);
    let test = Test { editions, code, then: Vec::new(), flags, before, outcome, recorded: None, after, care };
    at.placed(isa, instruction, test).map(Ok)
}

/// The field with the type of a variable.
fn type_of(variable: u32) -> String {
    format!("V{}.type", FIRST_GENERAL + variable)
}

fn field(isa: &Isa, state: &Sparse, name: &str) -> u32 {
    let field = field_named(isa.layout, name).expect("the layout has the fields of variables");
    state.fields.get(&field).copied().unwrap_or((isa.layout.fields)()[field].base)
}

/// Names the rows that words take from the beginning of a variable of the base state on, but those that are as usual.
fn put(isa: &Isa, sparse: &mut Sparse, variable: u32, words: &[u32], usual: u32) {
    let spec = &isa.layout.banks[bank::GRF];
    let start = field(isa, &Sparse::default(), &format!("V{}.offset", FIRST_GENERAL + variable)) as usize;
    for (index, chunk) in words.chunks(spec.columns()).enumerate() {
        let mut row = vec![usual; spec.columns()];
        row[..chunk.len()].copy_from_slice(chunk);
        if row.iter().any(|&word| word != usual) {
            sparse.rows.insert((bank::GRF, start / spec.row_bytes() + index), row);
        }
    }
}

/// The bits of a word of the destination that are compared: of a quiet NaN those that make it one, and all of the rest.
fn bits_that_count(dst_type: DataType, word: u32) -> u32 {
    // Exponent and highest bit of the mantissa.
    let (width, quiet) = match dst_type {
        DataType::F => (32, 0x7fc0_0000),
        DataType::Hf => (16, 0x7e00),
        DataType::Bf => (16, 0x7fc0),
        _ => return u32::MAX,
    };
    let datum = u32::MAX >> (32 - width);
    let masks = (0..32).step_by(width).map(|shift| {
        let is_quiet_nan = word >> shift & quiet == quiet;
        (if is_quiet_nan { quiet } else { datum }) << shift
    });
    masks.fold(0, |mask, datum| mask | datum)
}

impl Line<'_> {
    fn whole(&self, line: &Members, key: &str) -> Result<u32, NotRead> {
        self.number(line.get(key).unwrap_or(&Value::Null), &format!("/{key}"))
    }

    fn within(&self, line: &Members, key: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, NotRead> {
        let value = self.whole(line, key)?;
        if range.contains(&value) {
            return Ok(value);
        }
        let (first, last) = range.into_inner();
        let known = if first == last { format!("{first}") } else { format!("{first} to {last}") };
        Err(self.wrong(format!("/{key}"), format!("{value} is not known, only {known}")))
    }

    fn precision(&self, line: &Members, key: &str) -> Result<Precision, NotRead> {
        let name = self.text(line, key)?;
        Precision::named(name).ok_or_else(|| self.wrong(format!("/{key}"), format!("no precision '{name}'")))
    }

    /// A type that a destination or an accumulator may have.
    fn data_type(&self, line: &Members, key: &str) -> Result<DataType, NotRead> {
        let name = self.text(line, key)?;
        let known = [DataType::Ud, DataType::D, DataType::F, DataType::Hf, DataType::Bf];
        let named = DataType::named(name).filter(|named| known.contains(named));
        named.ok_or_else(|| self.wrong(format!("/{key}"), format!("no type '{name}' of a sum")))
    }

    /// A list of `count` words.
    fn words(&self, line: &Members, key: &str, count: u32) -> Result<Vec<u32>, NotRead> {
        let at = format!("/{key}");
        let list = line.get(key).and_then(Value::as_array).ok_or_else(|| self.wrong(at.as_str(), "is not a list"))?;
        if list.len() != count as usize {
            let message = format!("has {} words, and the operand takes {count}", list.len());
            return Err(self.wrong(at, message));
        }
        let word = |(index, value)| self.number(value, &format!("{at}/{index}"));
        list.iter().enumerate().map(word).collect()
    }
}
