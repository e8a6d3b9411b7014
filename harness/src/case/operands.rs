//! How many different operands the cases of an instruction have.

use std::collections::BTreeMap;

use tandem_isa::{Expectation, Reference, State, Step, mix64};

use crate::terms::{datum, sequence::low};
use crate::{CaseId, Generator, RowMap};

/// Places in a table of hashes, as a power of two.
const TABLE_LOG2: u32 = 30;

/// The operands of one width that cases read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandWords {
    /// Significant bits of a datum.
    pub bits: u32,
    /// Data that were read.
    pub read: u64,
    /// How many of them are different; estimated to some parts in a thousand for more than 30 bits.
    pub distinct: u64,
}

impl OperandWords {
    /// How many could be different.
    #[must_use]
    pub fn possible(&self) -> u64 {
        self.read.min(low(self.bits).saturating_add(1))
    }
}

/// Which values were seen: a bit for each, or for each hash.
struct ValueSet {
    read: u64,
    table: Vec<u64>,
}

impl ValueSet {
    fn new(bits: u32) -> Self {
        ValueSet { read: 0, table: vec![0; 1 << (bits.clamp(6, TABLE_LOG2) - 6)] }
    }

    fn add(&mut self, bits: u32, value: u64) {
        let place = if bits > TABLE_LOG2 { mix64(value) >> (64 - TABLE_LOG2) } else { value };
        self.table[(place >> 6) as usize] |= 1 << (place & 63);
        self.read += 1;
    }

    fn distinct(&self, bits: u32) -> u64 {
        let set: u64 = self.table.iter().map(|word| u64::from(word.count_ones())).sum();
        if bits <= TABLE_LOG2 {
            return set;
        }
        // Of a table of hashes so many places stay free.
        let places = (1u64 << TABLE_LOG2) as f64;
        (-places * (1.0 - set as f64 / places).ln()) as u64
    }
}

/// Runs cases on a reference, and counts the operands of those that the pages promise, by their width. Rows in which a few
/// values alone can stand are left out.
pub fn operand_words(
    generator: &mut Generator,
    reference: &mut dyn Reference,
    cases: impl Iterator<Item = CaseId>,
) -> Vec<OperandWords> {
    let isa = generator.isa;
    let mut state = State::zeroed(isa.layout);
    state.set_port(Some(generator.port()));
    let map = RowMap::new(isa.layout);
    let mut seen: BTreeMap<u32, ValueSet> = BTreeMap::new();
    for id in cases {
        if generator.enter_epoch(id.index) {
            state.arena.copy_from_slice(generator.arena());
        }
        let drawn = generator.generate(&id, &mut state);
        let step = Step { instruction: generator.instruction, edition: generator.edition, code: &drawn.code };
        let expectation = reference.execute(&step, &mut state);
        let State { arena, tracker, .. } = &mut state;
        if expectation == Expectation::Done {
            tracker.overlay.rows.each(|row_id| {
                let (bank, row) = isa.layout.locate(row_id);
                let class = &isa.value_classes[usize::from(drawn.salt.class_of(bank, row_id))];
                if !class.only.is_empty() || class.bits < 8 {
                    return;
                }
                let seen = seen.entry(class.bits).or_insert_with(|| ValueSet::new(class.bits));
                let bytes = &tracker.overlay.arena[isa.layout.banks[bank].row_range(row)];
                for data in bytes.chunks_exact(class.datum_bytes) {
                    seen.add(class.bits, datum(data) & low(class.bits));
                }
            });
        }
        map.copy([&tracker.overlay.rows, &tracker.log.written], generator.arena(), arena);
        tracker.clear();
    }
    let count = |(bits, seen): (u32, ValueSet)| OperandWords { bits, read: seen.read, distinct: seen.distinct(bits) };
    seen.into_iter().map(count).collect()
}
