//! What a test needs: the rows that its instructions read or write, or that it names, as they are before it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use tandem_harness::NextStep;
use tandem_harness::vectors::Test;
use tandem_isa::tensix::{Mnemonic, Small, Tensix, bank};
use tandem_isa::{Edition, Expectation, Facts, Field, FieldRole, Isa, Reference, RowSet, State, Step};

use super::read;
use super::unreachable::Unreachable;

/// The rows of a test, by bank, and the small state before it.
pub(super) struct Needs {
    /// The whole state before, against which a machine is held.
    pub(super) before: State,
    /// Which rows of it count.
    pub(super) rows: RowSet,
    /// The small state before.
    pub(super) small: Small,
    /// `DstBits`.
    pub(super) dst: BTreeMap<usize, [u32; 16]>,
    /// `SrcA` and `SrcB`, by source, bank and row.
    pub(super) src: BTreeMap<(usize, usize, usize), [u32; 16]>,
    /// `LReg`.
    pub(super) lreg: BTreeMap<usize, [u32; 32]>,
    /// Rows of `Dst` that are not valid.
    pub(super) invalid: BTreeSet<usize>,
    /// `GPRs`, by thread and group of four.
    pub(super) gprs: BTreeMap<(usize, usize), [u32; 4]>,
    /// Templates and sequences of `LoadMacroConfig`, by row.
    pub(super) load_macro: BTreeMap<usize, [u32; 8]>,
}

/// Whether an instruction moves memory-mapped registers.
fn moves_registers(instruction: &Facts) -> bool {
    use Mnemonic::{Loadreg, StoreindMmio, Storereg, Streamwrcfg};
    matches!(Mnemonic::of(instruction), Loadreg | StoreindMmio | Storereg | Streamwrcfg)
}

impl Needs {
    /// Runs the test once on the reference to see which rows it touches.
    pub(super) fn of(
        isa: &'static Isa,
        base: &State,
        reference: &mut dyn Reference,
        (test, steps): (&Test, &[NextStep]),
        edition: Edition,
    ) -> Result<Self, Unreachable> {
        let mut before = State::zeroed(isa.layout);
        before.copy_from(base);
        test.before.apply(isa, &mut before);
        let mut ran = State::zeroed(isa.layout);
        ran.copy_from(&before);
        for step in steps {
            let step = Step { instruction: step.instruction.facts, edition, code: &step.code };
            let is_done = matches!(reference.execute(&step, &mut ran), Expectation::Done);
            if is_done && moves_registers(step.instruction) {
                return Err(Unreachable::Mmio);
            }
        }
        let mut rows = ran.tracker.log.read.clone();
        rows.union(&ran.tracker.log.written);
        for &(bank, row) in test.before.rows.keys().chain(test.after.rows.keys()) {
            rows.insert(isa.layout.banks[bank].first_row + row);
        }
        let is_set = |field: &Field| [&before, &ran].iter().any(|state| field.get(&state.small) != field.base);
        let all = || (isa.layout.fields)().iter();
        if all().any(|field| field.role == FieldRole::AddressCounter && is_set(field)) {
            return Err(Unreachable::AddressCounter);
        }
        if all().any(|field| field.name.starts_with("Mmio[") && is_set(field)) {
            return Err(Unreachable::Mmio);
        }
        let small = *Tensix::new(&mut before).small;
        let mut needs = Needs {
            before,
            rows,
            small,
            dst: BTreeMap::new(),
            src: BTreeMap::new(),
            lreg: BTreeMap::new(),
            invalid: BTreeSet::new(),
            gprs: BTreeMap::new(),
            load_macro: BTreeMap::new(),
        };
        needs.sort_rows(isa)?;
        needs.mark_rows(test);
        Ok(needs)
    }

    /// Rows of which it is read whether they are valid hold something by which that shows.
    fn mark_rows(&mut self, test: &Test) {
        for row in read::marks_read(test) {
            if let Entry::Vacant(free) = self.dst.entry(row) {
                free.insert([read::MARK; 16]);
                (0..16).for_each(|column| self.before.set_word(bank::DST, row, column, read::MARK));
            }
        }
    }

    /// Puts the rows where the loader looks for them.
    fn sort_rows(&mut self, isa: &Isa) -> Result<(), Unreachable> {
        let located: Vec<(usize, usize)> = rows(&self.rows).map(|id| isa.layout.locate(id)).collect();
        located.into_iter().try_for_each(|(number, row)| {
            let is_base = isa.layout.banks[number].is_base(row, &words(&self.before, number, row));
            self.put_row(number, row, is_base)
        })
    }

    fn put_row(&mut self, number: usize, row: usize, is_base: bool) -> Result<(), Unreachable> {
        let word = |column| self.before.word(number, row, column);
        match number {
            bank::DST => drop(self.dst.insert(row, std::array::from_fn(word))),
            bank::SRCA | bank::SRCB => {
                let source = number - bank::SRCA;
                self.src.insert((source, row / 64, row % 64), std::array::from_fn(word));
            }
            bank::LREG => match row {
                0..=7 | 11..=14 => drop(self.lreg.insert(row, std::array::from_fn(word))),
                16 => return Err(Unreachable::Register16),
                _ if is_base => {}
                _ => return Err(Unreachable::Constant),
            },
            bank::DST_ROW_VALID if word(0) == 0 => drop(self.invalid.insert(row)),
            bank::PRNG => return Err(Unreachable::Prng),
            bank::NOC_STREAMS => return Err(Unreachable::Stream),
            bank::L1 => return Err(Unreachable::L1),
            bank::PACKER_STATS => return Err(Unreachable::AddressCounter),
            bank::LOAD_MACRO_CONFIG => drop(self.load_macro.insert(row, std::array::from_fn(word))),
            bank::GPRS => drop(self.gprs.insert((row / 16, row % 16), std::array::from_fn(word))),
            _ => {}
        }
        Ok(())
    }
}

/// The numbers of rows.
pub(super) fn rows(set: &RowSet) -> impl Iterator<Item = usize> {
    let mut ids = Vec::new();
    set.each(|id| ids.push(id));
    ids.into_iter()
}

/// The words of a row.
pub(super) fn words(state: &State, bank: usize, row: usize) -> Vec<u32> {
    state.layout.banks[bank].words_of(state.row(bank, row))
}
