//! Comparison: which words and fields differ, and how a difference is called.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tandem_isa::{Answer, BankRole, Call, FieldRole, Layout, Misbehaviour, MisbehaviourKind, OpenBits, RowSet, every};

use crate::terms::without_indices;

/// Where each group of 64 rows lies in the arena, so that a run of rows is one range of bytes.
#[derive(Clone, Debug)]
pub struct RowMap {
    groups: Vec<Group>,
}

/// Where 64 rows lie, or fewer at the end of a bank.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Offset of the first row, in bytes.
    offset: usize,
    /// Where the bank ends, in bytes.
    end: usize,
    /// Size of a row, in bytes.
    size: usize,
    /// Words in a row.
    columns: u64,
}

impl RowMap {
    /// The map of a layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut groups = vec![Group::default(); RowSet::CAPACITY / 64];
        for bank in layout.banks {
            assert!(bank.first_row % 64 == 0, "banks begin at a multiple of 64 rows");
            for group in 0..bank.rows().div_ceil(64) {
                let offset = bank.offset + group * 64 * bank.row_bytes();
                groups[bank.first_row / 64 + group] = Group {
                    offset,
                    end: bank.offset + bank.rows() * bank.row_bytes(),
                    size: bank.row_bytes(),
                    columns: bank.columns() as u64,
                };
            }
        }
        RowMap { groups }
    }

    /// The bytes of `count` rows from `row_id` on, all in one group. Rows that no bank has, which only a target that marks at
    /// random can name, have none.
    #[inline]
    #[must_use]
    pub fn range(&self, row_id: usize, count: usize) -> std::ops::Range<usize> {
        let Group { offset, end, size, .. } = self.groups[row_id / 64];
        let start = (offset + row_id % 64 * size).min(end);
        start..(start + count * size).min(end)
    }

    /// Words in `count` rows from `row_id` on, all in one group.
    #[inline]
    #[must_use]
    pub fn words(&self, row_id: usize, count: usize) -> u64 {
        count as u64 * self.groups[row_id / 64].columns
    }

    /// Copies the rows that are in any of `sets` from one arena to another.
    #[inline]
    pub fn copy<const N: usize>(&self, sets: [&RowSet; N], from: &[u8], to: &mut [u8]) {
        RowSet::each_run_of(sets, |row_id, count| {
            let range = self.range(row_id, count);
            to[range.clone()].copy_from_slice(&from[range]);
        });
    }

    /// Whether the rows that are in any of `sets` are equal in two arenas.
    #[inline]
    #[must_use]
    pub fn equal<const N: usize>(&self, sets: [&RowSet; N], left: &[u8], right: &[u8]) -> bool {
        let mut equal = true;
        RowSet::each_run_of(sets, |row_id, count| {
            let range = self.range(row_id, count);
            equal &= left[range.clone()] == right[range];
        });
        equal
    }

    /// Whether the rows that are in any of `sets` are equal in two arenas. Those of the first are put back from a third.
    #[inline]
    #[must_use]
    pub fn equal_and_put_back<const N: usize>(
        &self,
        sets: [&RowSet; N],
        left: &mut [u8],
        right: &[u8],
        background: &[u8],
    ) -> bool {
        let mut equal = true;
        RowSet::each_run_of(sets, |row_id, count| {
            let range = self.range(row_id, count);
            let left = &mut left[range.clone()];
            equal &= *left == right[range.clone()];
            left.copy_from_slice(&background[range]);
        });
        equal
    }
}

/// What kind of difference it is. In files it stands by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Another answer than the pages require: done for blocked, or the reverse.
    Outcome,
    /// The target refused what it is claimed to do.
    Promise,
    /// The target panicked.
    Panic,
    /// The target ended.
    Crash,
    /// The target did not answer in time.
    Hang,
    /// The target's answer is none.
    Malformed,
    /// The target had not answered when the time of the run was over. No finding has this kind.
    Unfinished,
    /// A row that the reference did not write has changed.
    Row,
    /// The target answered unsupported, and yet something has changed.
    Refused,
    /// A word that the reference wrote, or should have left alone in a row that it wrote, is wrong.
    Value,
    /// A validity mark is wrong.
    Validity,
    /// A field of the small state with this role is wrong.
    Small(FieldRole),
    /// Bits of the small state that no field explains are wrong.
    Loose,
    /// The target changed something behind its log.
    Stray,
    /// The same case was answered differently after another predecessor.
    OrderDependent,
    /// The same case was answered differently after the same predecessor.
    Nondeterministic,
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Kind::named(&name).ok_or_else(|| D::Error::custom(format!("'{name}' is no kind of difference")))
    }
}

impl Kind {
    /// The word for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Outcome => "outcome",
            Kind::Promise => "broken promise",
            Kind::Panic => "panic",
            Kind::Crash => MisbehaviourKind::Crashed.name(),
            Kind::Hang => MisbehaviourKind::Hung.name(),
            Kind::Malformed => MisbehaviourKind::Malformed.name(),
            Kind::Unfinished => MisbehaviourKind::Unfinished.name(),
            Kind::Row => "row",
            Kind::Refused => "refused-but-changed",
            Kind::Value => "value",
            Kind::Validity => "validity",
            Kind::Small(role) => role.kind(),
            Kind::Loose => "loose bits",
            Kind::Stray => "stray",
            Kind::OrderDependent => "order-dependent",
            Kind::Nondeterministic => "nondeterministic",
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let plain = every!(Kind {
            Outcome,
            Promise,
            Panic,
            Crash,
            Hang,
            Malformed,
            Unfinished,
            Row,
            Refused,
            Value,
            Validity,
            Loose,
            Stray,
            OrderDependent,
            Nondeterministic,
        } but Small);
        plain.into_iter().chain(FieldRole::ALL.map(Kind::Small))
    }

    /// The kind that reports call `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Kind::all().find(|kind| kind.name() == name)
    }

    /// Which of several kinds in one case names the finding: the one that explains most comes first.
    pub(crate) const fn rank(self) -> u32 {
        match self {
            // Whoever ends, or does not answer, is called so, also where that depends on the order.
            Kind::Panic | Kind::Crash | Kind::Hang | Kind::Malformed | Kind::Unfinished => 0,
            // What else happens in one order only, or not always, is called so; what it was is said beside it.
            Kind::Nondeterministic => 1,
            Kind::OrderDependent => 2,
            Kind::Outcome | Kind::Refused | Kind::Promise => 3,
            Kind::Row => 4,
            Kind::Value => 5,
            Kind::Validity => 6,
            Kind::Stray => 7,
            Kind::Small(_) | Kind::Loose => 8,
        }
    }
}

/// One difference between what is expected and what a target made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// A word of a bank.
    Word {
        /// Number of the bank.
        bank: usize,
        /// Row in the bank.
        row: usize,
        /// Word in the row.
        column: usize,
        /// Before the instruction.
        before: u32,
        /// After it, in the reference.
        expected: u32,
        /// After it, in the target.
        got: u32,
        /// How it is called.
        kind: Kind,
    },
    /// A field of the small state.
    Field {
        /// Its place in the layout's list of fields.
        field: usize,
        /// Before the instruction.
        before: u32,
        /// After it, in the reference.
        expected: u32,
        /// After it, in the target.
        got: u32,
        /// How it is called.
        kind: Kind,
    },
    /// Bits of the small state that no field names, or that lie above a counter's width.
    LooseBits {
        /// The byte of the small state.
        byte: usize,
        /// In the reference.
        expected: u8,
        /// In the target.
        got: u8,
    },
    /// The answer.
    Answer {
        /// What the pages require.
        expected: Answer,
        /// What the target answered.
        got: Answer,
    },
    /// The target panicked, with this message.
    Panic(String),
    /// The target behind the border did something else than answer.
    Misbehaved(Misbehaviour),
    /// The hash of the arena behind the border is not that of the background: something was written that no row says.
    ArenaHash {
        /// The hash of the background.
        expected: u32,
        /// The hash that the target gives.
        got: u32,
    },
    /// Rows, by bank and row, that a target behind the border changed and did not report, without the words.
    StrayRows(Vec<(usize, usize)>),
    /// The target answered unsupported, and yet this has changed; what is expected is what was there before.
    Refused(Box<Difference>),
    /// The verdict of a rerun; what differed when it was wrong stands behind it.
    Rerun(Kind),
    /// The case is right on an instance that was begun anew, and wrong after a reset, which should be the same; what
    /// differed stands behind it.
    KeptThroughReset,
}

impl Difference {
    /// How it is called.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Difference::Word { kind, .. } | Difference::Field { kind, .. } | Difference::Rerun(kind) => *kind,
            Difference::LooseBits { .. } => Kind::Loose,
            Difference::Answer { got: Answer::Unsupported, .. } => Kind::Promise,
            Difference::Answer { .. } => Kind::Outcome,
            Difference::Panic(_) => Kind::Panic,
            Difference::Misbehaved(misbehaviour) => match misbehaviour.kind {
                MisbehaviourKind::Crashed => Kind::Crash,
                MisbehaviourKind::Hung => Kind::Hang,
                MisbehaviourKind::Malformed => Kind::Malformed,
                MisbehaviourKind::Unfinished => Kind::Unfinished,
            },
            Difference::ArenaHash { .. } | Difference::StrayRows(_) => Kind::Stray,
            Difference::KeptThroughReset => Kind::OrderDependent,
            Difference::Refused(_) => Kind::Refused,
        }
    }

    /// Whether what it names is there.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        let has_row = |bank: usize, row: usize| layout.banks.get(bank).is_some_and(|bank| row < bank.rows());
        match self {
            Difference::Word { bank, row, column, .. } => {
                has_row(*bank, *row) && *column < layout.banks[*bank].columns()
            }
            Difference::Field { field, .. } => *field < (layout.fields)().len(),
            Difference::LooseBits { byte, .. } => *byte < layout.small_bytes,
            Difference::StrayRows(rows) => rows.iter().all(|&(bank, row)| has_row(bank, row)),
            Difference::Refused(change) => change.fits(layout),
            Difference::Answer { .. }
            | Difference::Panic(_)
            | Difference::Misbehaved(_)
            | Difference::ArenaHash { .. }
            | Difference::Rerun(_)
            | Difference::KeptThroughReset => true,
        }
    }

    /// The bits that were expected and those that came, where it is one of bits.
    #[must_use]
    pub fn bits(&self) -> Option<(u32, u32)> {
        match self {
            Difference::Word { expected, got, .. } | Difference::Field { expected, got, .. } => Some((*expected, *got)),
            Difference::LooseBits { expected, got, .. } => Some((u32::from(*expected), u32::from(*got))),
            Difference::Refused(change) => change.bits(),
            Difference::Answer { .. }
            | Difference::Panic(_)
            | Difference::Misbehaved(_)
            | Difference::ArenaHash { .. }
            | Difference::StrayRows(_)
            | Difference::Rerun(_)
            | Difference::KeptThroughReset => None,
        }
    }

    /// Whether it says that what stands behind it depends on more than the case.
    #[must_use]
    pub fn is_of_order(&self) -> bool {
        matches!(self, Difference::Rerun(_) | Difference::KeptThroughReset)
    }

    /// Where it is, without indices: `DstBits`, `RWCs.Dst`, what was asked if that is not to execute, or nothing for an
    /// answer.
    #[must_use]
    pub fn place(&self, layout: &Layout) -> String {
        match self {
            Difference::Word { bank, .. } => layout.banks[*bank].name.to_string(),
            Difference::Field { field, .. } => without_indices(&(layout.fields)()[*field].name),
            Difference::LooseBits { .. } => "small state".to_string(),
            Difference::StrayRows(rows) => {
                let mut banks = rows.iter().map(|(bank, _)| *bank);
                let first = banks.next();
                match first.filter(|first| banks.all(|bank| bank == *first)) {
                    Some(bank) => layout.banks[bank].name.to_string(),
                    None => "several banks".to_string(),
                }
            }
            Difference::Refused(change) => change.place(layout),
            Difference::Misbehaved(Misbehaviour { call, .. }) if *call != Call::Execute => call.name().to_string(),
            Difference::Answer { .. }
            | Difference::Panic(_)
            | Difference::Misbehaved(_)
            | Difference::ArenaHash { .. }
            | Difference::Rerun(_)
            | Difference::KeptThroughReset => "-".to_string(),
        }
    }

    /// Where it is, with indices: `DstBits[17][3]`.
    #[must_use]
    pub fn exact_place(&self, layout: &Layout) -> String {
        match self {
            Difference::Word { bank, row, column, .. } => layout.banks[*bank].word_name(*row, *column),
            Difference::Field { field, .. } => (layout.fields)()[*field].name.clone(),
            Difference::LooseBits { byte, .. } => format!("small state, byte {byte}"),
            Difference::Refused(change) => change.exact_place(layout),
            Difference::Answer { .. } => "answer".to_string(),
            Difference::StrayRows(rows) => {
                let names: Vec<String> = rows.iter().map(|&(bank, row)| layout.banks[bank].row_name(row)).collect();
                names.join(", ")
            }
            Difference::ArenaHash { .. } => "arena".to_string(),
            Difference::Panic(_) | Difference::Misbehaved(_) | Difference::Rerun(_) | Difference::KeptThroughReset => {
                "-".to_string()
            }
        }
    }
}

/// What makes two divergences one finding: instruction, bank (or field), kind of difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// `tensix-wh/mova2d`.
    pub instruction: String,
    /// The implementation.
    pub target: String,
    /// Bank or field, without indices.
    pub place: String,
    /// Kind of difference.
    pub kind: Kind,
}

impl Signature {
    /// The signature of a divergence: its first difference of the kind that explains most. What was cut because the time
    /// was over has none.
    #[must_use]
    pub fn of(instruction: &str, target: &str, layout: &Layout, differences: &[Difference]) -> Option<Self> {
        let first = differences.iter().min_by_key(|difference| difference.kind().rank())?;
        if differences.iter().any(|difference| difference.kind() == Kind::Unfinished) {
            return None;
        }
        Some(Signature {
            instruction: instruction.to_string(),
            target: target.to_string(),
            place: first.place(layout),
            kind: first.kind(),
        })
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.instruction, self.target, self.place, self.kind.name())
    }
}

/// The differences of the small state.
pub(crate) fn small_differences(layout: &Layout, before: &[u8], expected: &[u8], got: &[u8]) -> Vec<Difference> {
    let fields = (layout.fields)().iter().enumerate();
    let mut differences: Vec<Difference> = fields
        .filter_map(|(index, field)| {
            let (expected, got) = (field.get(expected), field.get(got));
            (expected != got).then(|| Difference::Field {
                field: index,
                before: field.get(before),
                expected,
                got,
                kind: Kind::Small(field.role),
            })
        })
        .collect();
    // What the fields do not explain.
    let mut named = got.to_vec();
    for field in (layout.fields)() {
        field.set(&mut named, field.get(expected));
    }
    let loose = expected.iter().zip(&named).enumerate().filter(|(_, (expected, got))| expected != got);
    differences.extend(loose.map(|(byte, (&expected, &got))| Difference::LooseBits { byte, expected, got }));
    differences
}

/// The differences of the rows in `rows`, in which open bits are settled. `arenas` are before, expected and got; `written` and
/// `marked` are what the logs of the reference and of the target name: a row that the target changed and did not mark is a stray.
/// That it has an open bit otherwise than before does not count, for it was settled.
pub(crate) fn row_differences(
    layout: &Layout,
    rows: &RowSet,
    (written, marked): (&RowSet, &RowSet),
    arenas: (&[u8], &[u8], &[u8]),
    open: &[OpenBits],
) -> Vec<Difference> {
    let mut differences = Vec::new();
    rows.each(|row_id| {
        let (bank_index, row) = layout.locate(row_id);
        let bank = &layout.banks[bank_index];
        let range = bank.row_range(row);
        if arenas.1[range.clone()] == arenas.2[range.clone()] {
            return;
        }
        let changed = || {
            let mut after = arenas.2[range.clone()].to_vec();
            for open in open.iter().filter(|open| open.row_id == row_id) {
                let [before, got] = [&arenas.0[range.clone()], &after].map(|row| bank.word_at(row, open.column));
                bank.put_word(&mut after, open.column, got & !open.mask | before & open.mask);
            }
            arenas.0[range.clone()] != *after
        };
        let kind = match bank.role {
            _ if !marked.contains(row_id) && changed() => Kind::Stray,
            BankRole::Validity => Kind::Validity,
            BankRole::Data if written.contains(row_id) => Kind::Value,
            BankRole::Data => Kind::Row,
        };
        for column in 0..bank.columns() {
            let word = |arena: &[u8]| bank.word_at(&arena[range.clone()], column);
            let (before, expected, got) = (word(arenas.0), word(arenas.1), word(arenas.2));
            if expected != got {
                differences.push(Difference::Word { bank: bank_index, row, column, before, expected, got, kind });
            }
        }
    });
    differences
}

/// What a target changed in a case that it answered with unsupported. `before` and `got` are small state and arena; `rows`
/// are those that are looked at.
pub(crate) fn refused_differences(
    layout: &Layout,
    rows: &RowSet,
    before: (&[u8], &[u8]),
    got: (&[u8], &[u8]),
) -> Vec<Difference> {
    // Whether the target says that it wrote a row does not matter here: none may change.
    let mut changes = row_differences(layout, rows, (&RowSet::default(), rows), (before.1, before.1, got.1), &[]);
    changes.extend(small_differences(layout, before.0, before.0, got.0));
    changes.into_iter().map(|change| Difference::Refused(Box::new(change))).collect()
}

/// Every row of a layout.
pub(crate) fn all_rows(layout: &Layout) -> RowSet {
    let mut rows = RowSet::default();
    for bank in layout.banks {
        for row in 0..bank.rows() {
            rows.insert(bank.first_row + row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Bank, Citation, Noise, Page, WordSize};

    use super::*;

    const fn bank(name: &'static str, dims: &'static [usize], word: WordSize, offset: usize, first_row: usize) -> Bank {
        let dim_names = &["row", "column"];
        Bank {
            name,
            dims,
            dim_names,
            word,
            bits: 8,
            role: BankRole::Data,
            base: 0,
            held: &[],
            row_names: &[],
            offset,
            first_row,
        }
    }

    static BANKS: [Bank; 2] =
        [bank("Wide", &[130, 8], WordSize::U16, 0, 0), bank("Narrow", &[70, 1], WordSize::U8, 130 * 16, 192)];
    static LAYOUT: Layout =
        Layout { banks: &BANKS, arena_bytes: 130 * 16 + 70, small_bytes: 0, fields: || &[], settings: None };

    fn rows(noise: &mut Noise, count: usize) -> RowSet {
        let mut rows = RowSet::default();
        for _ in 0..count {
            let bank = &BANKS[noise.below(2)];
            let (first, run) = (noise.below(bank.rows()), 1 + noise.below(9));
            (first..(first + run).min(bank.rows())).for_each(|row| rows.insert(bank.first_row + row));
        }
        rows
    }

    #[test]
    fn rows_that_no_bank_has_are_no_bytes() {
        let map = RowMap::new(&LAYOUT);
        // Row 129 is the last of the first bank, whose third group has two rows; 192 + 69 is the last of the second.
        assert_eq!(map.range(128, 64), 128 * 16..130 * 16);
        assert_eq!(map.range(140, 3), 130 * 16..130 * 16);
        assert_eq!(map.range(192 + 64, 64), 130 * 16 + 64..130 * 16 + 70);
        assert_eq!(map.range(192 + 100, 1), 130 * 16 + 70..130 * 16 + 70);
        assert_eq!(map.range(RowSet::CAPACITY - 64, 64), 0..0);
    }

    #[test]
    fn a_run_of_rows_is_compared_and_copied_to_its_last_byte_and_no_further() {
        let (map, mut noise) = (RowMap::new(&LAYOUT), Noise::new(1));
        for _ in 0..4_000 {
            let sets = [rows(&mut noise, 3), rows(&mut noise, 2)];
            let in_sets = |byte: usize| {
                let index = usize::from(byte >= BANKS[1].offset);
                let row = (byte - BANKS[index].offset) / BANKS[index].row_bytes();
                sets.iter().any(|set| set.contains(BANKS[index].first_row + row))
            };
            let left = vec![7; LAYOUT.arena_bytes];
            let mut right = left.clone();
            let byte = noise.bits(31) as usize % right.len();
            right[byte] ^= 1;
            assert_eq!(map.equal([&sets[0], &sets[1]], &left, &right), !in_sets(byte), "byte {byte}");
            let mut copy = vec![0; LAYOUT.arena_bytes];
            map.copy([&sets[0], &sets[1]], &left, &mut copy);
            assert!(copy.iter().enumerate().all(|(byte, &value)| value == if in_sets(byte) { 7 } else { 0 }));
        }
    }

    static NO_PAGE: Page = Page {
        name: "NONE",
        id: "none",
        title: "None",
        repository: "https://example.org/none",
        path: "none.md",
        commit: "0000000000000000000000000000000000000000",
        sha256: None,
        date: "2026-01-01",
        licence: "none",
        lines: None,
    };
    static CITE: Citation = Citation { page: &NO_PAGE, place: "line 1", reason: "a test" };

    #[test]
    fn a_row_that_was_left_alone_is_no_stray_for_bits_that_were_settled() {
        let arena = |word: u16| {
            let mut arena = vec![0; LAYOUT.arena_bytes];
            arena[..2].copy_from_slice(&word.to_le_bytes());
            arena
        };
        let mut first = RowSet::default();
        first.insert(0);
        let (before, expected) = (arena(0), arena(0x81));
        // The word before, 0, with bit 7 settled; and one that was changed in bit 2.
        for (got, mask, kind) in [(0x80, 0x80, Kind::Value), (0x84, 0x80, Kind::Stray), (0x80, 0x40, Kind::Stray)] {
            let open = [OpenBits { row_id: 0, column: 0, mask, citation: &CITE }];
            let (none, arenas) = (RowSet::default(), (&before[..], &expected[..], &arena(got)[..]));
            let found = row_differences(&LAYOUT, &first, (&first, &none), arenas, &open);
            assert!(matches!(found[..], [Difference::Word { kind: own, .. }] if own == kind), "{got:#x}: {found:?}");
        }
    }

    #[test]
    fn every_kind_is_read_back_by_its_name() {
        for kind in Kind::all() {
            assert_eq!(Kind::named(kind.name()), Some(kind), "two kinds have one name");
        }
        // The role of a field is what makes a difference in it be called so.
        for role in FieldRole::ALL {
            assert_eq!(Kind::named(role.kind()), Some(Kind::Small(role)));
        }
    }

    #[test]
    fn a_crash_that_depends_on_the_order_is_a_crash() {
        let crash = Difference::Misbehaved(Misbehaviour::new(MisbehaviourKind::Crashed, "it ended"));
        let kind = |differences: &[Difference]| {
            Signature::of("isa/one", "target", &LAYOUT, differences).map(|signature| signature.kind)
        };
        assert_eq!(kind(&[Difference::Rerun(Kind::OrderDependent), crash.clone()]), Some(Kind::Crash));
        let word = Difference::Word { bank: 0, row: 1, column: 2, before: 0, expected: 1, got: 2, kind: Kind::Value };
        assert_eq!(kind(&[Difference::Rerun(Kind::OrderDependent), word]), Some(Kind::OrderDependent));
        assert_eq!(crash.exact_place(&LAYOUT), "-");
    }

    #[test]
    fn words_of_a_run_are_counted_by_the_bank_that_it_lies_in() {
        let map = RowMap::new(&LAYOUT);
        assert_eq!((map.words(3, 5), map.words(192, 4)), (40, 4));
    }
}
