//! Operands: what the rows of a recorded test hold.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{BankRole, Edition, Format, Instruction, Isa, Layout, Noise, RowSet, SaltPlan};

use super::model::Test;
use super::replay::{Ran, ReferenceBench};
use crate::pools::corners;

/// Most rows that are filled with operands.
const SOURCE_ROWS: usize = 2;

/// Fills rows; remembers the corner values of formats.
pub(super) struct Operands {
    isa: &'static Isa,
    instruction: &'static Instruction,
    corners: BTreeMap<(&'static str, usize), Vec<u32>>,
}

impl Operands {
    pub(super) fn new(isa: &'static Isa, instruction: &'static Instruction) -> Self {
        Operands { isa, instruction, corners: BTreeMap::new() }
    }

    /// Fills rows that are read with operands, and some that are written with what must survive or be overwritten.
    /// With bystanders, a row beside those that are read is filled too; true if there is one.
    pub(super) fn fill(
        &mut self,
        bench: &mut ReferenceBench,
        test: &mut Test,
        salt: &SaltPlan,
        ran: &Ran,
        bystanders: bool,
        noise: &mut Noise,
    ) -> bool {
        let (layout, edition) = (self.isa.layout, test.newest());
        let mut sources: Vec<(usize, usize)> = Vec::new();
        let mut written: Vec<(usize, usize)> = Vec::new();
        let mut marks: Vec<(usize, usize)> = Vec::new();
        let mut touched = ran.read.clone();
        touched.union(&ran.written);
        touched.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            match layout.banks[bank].role {
                BankRole::Validity => marks.push((bank, row)),
                BankRole::Data if ran.written.contains(row_id) => written.push((bank, row)),
                BankRole::Data => sources.push((bank, row)),
            }
        });
        // Marks of rows that are written, whether or not the instruction looks at them.
        for &(bank, row) in &written {
            let rows = layout.banks[bank].rows();
            let beside = layout.banks.iter().enumerate();
            let beside = beside.filter(|(_, mark)| mark.role == BankRole::Validity && mark.rows() == rows);
            marks.extend(beside.map(|(mark, _)| (mark, row)));
        }
        marks.sort_unstable();
        marks.dedup();
        let neighbour = if bystanders { neighbour(layout, &sources, &touched, noise) } else { None };
        let mut filled = pick(&sources, if noise.below(4) == 0 { SOURCE_ROWS } else { 1 }, noise);
        filled.extend(neighbour);
        for key in filled {
            let row = self.corner_row(edition, test, salt, key.0, noise);
            test.before.rows.insert(key, row);
        }
        let retains = self.retains(bench, edition, test, &written);
        for key in pick(&written, usize::from(retains || noise.below(2) == 0), noise) {
            let row = self.corner_row(edition, test, salt, key.0, noise);
            test.before.rows.insert(key, row.iter().map(|&word| if word == 0 { 1 } else { word }).collect());
        }
        for key in marks {
            let bank = &layout.banks[key.0];
            let class = &self.isa.value_classes[usize::from(salt.class[key.0])];
            if !class.only.is_empty() {
                let mut draw = || class.only[noise.below(class.only.len())] as u32 & bank.word_mask();
                let words: Vec<u32> = (0..bank.columns()).map(|_| draw()).collect();
                if words.iter().any(|&word| word != bank.base) {
                    test.before.rows.insert(key, words);
                }
            }
        }
        neighbour.is_some()
    }

    /// Whether some word of the rows that are written survives, whatever it is.
    fn retains(&self, bench: &mut ReferenceBench, edition: Edition, test: &Test, written: &[(usize, usize)]) -> bool {
        let mut survivors: Vec<BTreeSet<((usize, usize), usize)>> = Vec::new();
        for pattern in [0x5555_5555u32, 0xaaaa_aaaa] {
            let mut before = test.before.clone();
            for &key in written {
                let bank = &self.isa.layout.banks[key.0];
                before.rows.insert(key, vec![pattern & bank.word_mask(); bank.columns()]);
            }
            let ran = bench.run(self.instruction, edition, &test.code, &before);
            let mut same = BTreeSet::new();
            for &key in written {
                let after = ran.after.rows.get(&key).unwrap_or(&before.rows[&key]);
                same.extend(
                    after
                        .iter()
                        .zip(&before.rows[&key])
                        .enumerate()
                        .filter(|(_, (x, y))| x == y)
                        .map(|(at, _)| (key, at)),
                );
            }
            survivors.push(same);
        }
        survivors[0].intersection(&survivors[1]).next().is_some()
    }

    /// A row of corner values: each kind of value of the cell's format, and of the formats that the bank can hold.
    fn corner_row(
        &mut self,
        edition: Edition,
        test: &Test,
        salt: &SaltPlan,
        bank: usize,
        noise: &mut Noise,
    ) -> Vec<u32> {
        let spec = &self.isa.layout.banks[bank];
        let class = &self.isa.value_classes[usize::from(salt.class[bank])];
        let own = test.with_parts(self.isa, |parts| (self.instruction.format)(edition, parts, bank));
        let formats: Vec<&'static Format> = own.into_iter().chain(class.formats.iter().copied()).collect();
        let rotate = noise.below(STRATA * formats.len().max(1));
        (0..spec.columns())
            .map(|column| {
                let (stratum, word) = ((column + rotate) % STRATA, noise.word());
                let format = formats.get((column + rotate) / STRATA % formats.len().max(1));
                let list = match format {
                    Some(format) if stratum != STRATA - 1 => {
                        self.corners.entry((format.name, stratum)).or_insert_with(|| stratified(format, stratum))
                    }
                    // The last stratum is uniform.
                    _ => return (word >> 32) as u32 & spec.word_mask(),
                };
                list[(word % list.len() as u64) as usize] & spec.word_mask()
            })
            .collect()
    }
}

/// A row beside those that are read, which nothing touches.
fn neighbour(
    layout: &Layout,
    sources: &[(usize, usize)],
    touched: &RowSet,
    noise: &mut Noise,
) -> Option<(usize, usize)> {
    let (&(bank, first), &(_, last)) = (sources.first()?, sources.last()?);
    let spec = &layout.banks[bank];
    let beside = [Some(last + 1).filter(|&row| row < spec.rows()), first.checked_sub(1)];
    let beside: Vec<usize> =
        beside.into_iter().flatten().filter(|row| !touched.contains(spec.first_row + row)).collect();
    pick(&beside, 1, noise).first().map(|&row| (bank, row))
}

/// Up to `count` different items, in a drawn order.
fn pick<T: Copy>(items: &[T], count: usize, noise: &mut Noise) -> Vec<T> {
    let mut left = items.to_vec();
    (0..count.min(items.len())).map(|_| left.swap_remove(noise.below(left.len()))).collect()
}

/// Kinds of values: any corner, denormals, all-ones exponents, low mantissa bits, zeros, negative ones, uniform bits.
const STRATA: usize = 7;

fn stratified(format: &Format, stratum: usize) -> Vec<u32> {
    let exponent = |value: u64| format.exponent.map(|piece| (value >> piece.shift) & ((1 << piece.width) - 1));
    let last = format.exponent.map(|piece| (1 << piece.width) - 1);
    let keep = |value: &u64| match stratum {
        1 => exponent(*value).unwrap_or(0) == 0 && format.mantissa_of(*value) != 0,
        2 => exponent(*value) == last,
        3 => format.mantissa_of(*value) & 7 != 0 && exponent(*value) != Some(0),
        4 => exponent(*value).unwrap_or(0) == 0 && format.mantissa_of(*value) == 0,
        5 => format.sign.is_none_or(|sign| *value >> sign & 1 != 0),
        _ => true,
    };
    let all = corners(format);
    let mut chosen: Vec<u64> = all.iter().copied().filter(keep).collect();
    if chosen.is_empty() {
        chosen = all;
    }
    chosen.into_iter().map(|value| value as u32).collect()
}
