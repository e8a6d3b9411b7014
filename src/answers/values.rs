//! Values: the modes of an instruction, the operands of each, and what comes out if an operand has a value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_harness::report::effect::value;
use tandem_harness::{CaseValue, DrawnCase, IsaSuite, Plain};
use tandem_isa::tensix::format::{BITS32, FP32_DATUM, SIGN_MAGNITUDE_DATUM, TWOS_COMPLEMENT_DATUM};
use tandem_isa::{AlignedBytes, Answer, Edition, Format, FormatKind, Instruction, Piece};

use super::{Runner, Topic, doubts, not_promised};

/// Bank, row and column of a word.
pub(super) type Place = (usize, usize, usize);

const fn at(shift: u32, width: u32) -> Piece {
    Piece { shift, width }
}

/// 32 bits in two words of `Dst`, the one with the sign as the upper half: page Dst, `Sign,Man(7b),Exp(8b)`, `Man(16b)`.
static DST_INT32: Format =
    Format { name: "Dst 32 bits", mantissa: &[at(31, 1), at(16, 8), at(24, 7), at(0, 16)], ..BITS };
const BITS: Format =
    Format { name: "", kind: FormatKind::Bits, sign: None, exponent: None, mantissa: &[], narrowings: &[] };
pub(crate) static DST_FP32: Format = Format {
    name: "Dst FP32",
    kind: FormatKind::Float { bias: 127 },
    sign: Some(31),
    exponent: Some(at(16, 8)),
    mantissa: &[at(24, 7), at(0, 16)],
    ..BITS
};

/// A mode of an instruction: the path that its cell takes, or the level by which the cell differs from another; and its case.
pub(super) struct Mode {
    pub label: String,
    pub case: CaseValue,
}

/// An operand, or several that are to have one value.
pub(super) struct Operand {
    pub name: String,
    pub parts: Vec<Part>,
}

/// What is asked: of a mode, among all of its operands, one.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub mode: &'a Mode,
    pub all: &'a [Operand],
    pub own: &'a Operand,
}

/// A datum, whose lower half may lie in another word.
#[derive(Clone)]
pub(super) struct Part {
    place: Place,
    low: Option<Place>,
    pub format: &'static Format,
}

impl Part {
    fn put(&self, case: &mut CaseValue, word: u32) {
        case.words.insert(self.place, if self.low.is_some() { word >> 16 } else { word });
        case.words.extend(self.low.map(|low| (low, word & 0xffff)));
    }
}

/// What came out of a case: its words of rows that were written, and its fields.
struct Ran {
    case: CaseValue,
    /// What is not promised, and whether that is everything.
    why: Option<String>,
    refused: bool,
    words: Vec<(Place, u32)>,
    /// Bits of these that are not promised.
    open: Vec<(Place, u32)>,
    small: AlignedBytes,
}

/// What that says: why nothing is promised, or the data and fields that the operand decides.
pub(super) struct Came {
    pub case: CaseValue,
    pub refused: bool,
    pub data: Vec<(&'static Format, u32)>,
    pub text: String,
    /// Whether there is anything to say.
    pub shows: bool,
}

/// Asks an instruction.
pub(super) struct Asker<'a> {
    pub runner: Runner<'a>,
    disputes: tandem_harness::Disputes,
    instruction: &'static Instruction,
}

impl<'a> Asker<'a> {
    pub(super) fn new(suite: &'a IsaSuite, instruction: &'static Instruction) -> Self {
        let disputes = tandem_harness::Disputes::of(suite.isa, instruction, suite.isa.disputes);
        Asker { runner: Runner::new(suite), disputes, instruction }
    }

    /// The plain case of the first cell of each class, with integers too if the class has them, and of each cell that differs
    /// from the very first one in one level.
    pub(super) fn modes(&self) -> Arc<Vec<Mode>> {
        // They are the same whatever the reference does.
        static KNOWN: Mutex<BTreeMap<String, Arc<Vec<Mode>>>> = Mutex::new(BTreeMap::new());
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.instruction.path();
        if let Some(modes) = known().get(&path) {
            return Arc::clone(modes);
        }
        let (instruction, edition) = (self.instruction, Edition::Newest);
        let space = (instruction.cells)(edition);
        let mut cells: Vec<(usize, String)> = Vec::new();
        let axes = || space.axes.iter().enumerate().filter(|(_, axis)| !axis.name.starts_with('V'));
        for class in instruction.classes(edition) {
            let is_own = |&cell: &usize| (instruction.cell_class)(edition, space.levels(cell)) == class;
            let mut own = (0..space.len()).filter(is_own);
            let label = |cell: usize| {
                let mut named = space.axes.iter().zip(space.levels(cell));
                let axis = named.find(|&(axis, &level)| axis.levels[usize::from(level)] == class);
                axis.map_or(class.to_string(), |(axis, _)| format!("{}={class}", axis.name))
            };
            cells.extend(own.next().map(|cell| (cell, label(cell))));
            let has_int8 = |cell: &usize| space.describe(*cell).contains("Fmt=INT8");
            cells.extend(own.take(64).find(has_int8).map(|cell| (cell, format!("{class}, INT8"))));
        }
        for (axis, one) in axes() {
            for (level, name) in one.levels.iter().enumerate() {
                let mut levels = *space.levels(cells[0].0);
                levels[axis] = u8::try_from(level).unwrap_or_default();
                let cell = space.cell(&levels).filter(|cell| cells.iter().all(|(known, _)| known != cell));
                cells.extend(cell.map(|cell| (cell, format!("{}={name}", one.name))));
            }
        }
        let isa = self.runner.suite.isa;
        let plain = Plain::new(isa, instruction, edition);
        let mode = |(cell, label): (usize, String)| {
            let DrawnCase { code, small, .. } = plain.case(cell);
            let mut case = CaseValue { code, ..CaseValue::base(isa, instruction, edition) };
            case.take_small(&small);
            // Registers that nothing else is in, as far as the cell leaves them open.
            for (name, register) in [("VC", 1), ("VB", 2), ("VA", 3), ("VD", 4)] {
                let mut other = case.clone();
                instruction.code_field(name).iter().for_each(|field| field.set(&mut other.code, register));
                if other.cell() == case.cell() {
                    case = other;
                }
            }
            // What lanes are configured to do, as far as the cell leaves it open.
            let (mut other, fields) = (case.clone(), (isa.layout.fields)());
            other.fields.retain(|&place, _| !fields[place].name.starts_with("LaneConfig"));
            Mode { label, case: if other.cell() == case.cell() { other } else { case } }
        };
        let modes: Arc<Vec<Mode>> = Arc::new(cells.into_iter().map(mode).collect());
        known().insert(path, Arc::clone(&modes));
        modes
    }

    /// The operands of a mode: each alone, and all at once. Why there are none, if nothing is promised.
    pub(super) fn operands(&mut self, mode: &Mode) -> Result<Vec<Operand>, String> {
        if let Some(why) = not_promised(self.runner.run(&mode.case)) {
            return Err(why);
        }
        let isa = self.runner.suite.isa;
        let [rows, written] = self.touched();
        let places: Vec<Place> = rows.iter().chain(&written).map(|&(bank, row)| (bank, row, 0)).collect();
        let formats = formats(&mode.case, &places);
        let wide = if formats.iter().flatten().any(|one| is_float(one)) { &DST_FP32 } else { &DST_INT32 };
        let named: Vec<&str> =
            ["VA", "VB", "VC", "VD"].into_iter().filter(|name| self.is_operand(mode, name, &rows)).collect();
        let mut all: Vec<Operand> = Vec::new();
        for (&(bank, row), format) in rows.iter().zip(formats) {
            let spec = &isa.layout.banks[bank];
            let Some(format) = format.filter(|_| spec.holds(row).is_none()) else { continue };
            if spec.name == "LReg" && row == 7 && self.is_index(mode, (bank, row, 0)) {
                continue;
            }
            let mut part = Part { place: (bank, row, 0), low: None, format };
            if format.kind == FormatKind::Bits && format.width() <= 16 {
                if !rows.contains(&(bank, row + 8)) {
                    continue;
                }
                (part.low, part.format) = (Some((bank, row + 8, 0)), wide);
            }
            let is_in = |name: &&str| {
                self.instruction.code_field(name).is_some_and(|own| own.get(&mode.case.code) as usize == row)
            };
            let fields: Vec<&str> = named.iter().copied().filter(is_in).collect();
            let name = match spec.name {
                "LReg" if fields.is_empty() => spec.row_name(row),
                "LReg" => fields.join(" and "),
                name => name.to_string(),
            };
            // Of a bank with many rows one is enough.
            if !all.iter().any(|known| known.name == name) && all.len() < 8 {
                all.push(Operand { name, parts: vec![part] });
            }
        }
        if all.len() > 1 {
            let parts = all.iter().flat_map(|operand| operand.parts.iter().cloned()).collect();
            all.push(Operand { name: "all".to_string(), parts });
        }
        Ok(all)
    }

    /// The rows that the case which was run last read, and those that it wrote.
    fn touched(&self) -> [Vec<(usize, usize)>; 2] {
        let (layout, log) = (self.runner.suite.isa.layout, &self.runner.state.tracker.log);
        [&log.read, &log.written].map(|set| {
            let mut rows = Vec::new();
            set.each(|row| rows.push(layout.locate(row)));
            rows
        })
    }

    /// Whether a field of the code says which of `rows` is read: with another register in it, that one is. Where the mode leaves no
    /// other, it is taken to.
    fn is_operand(&mut self, mode: &Mode, name: &str, rows: &[(usize, usize)]) -> bool {
        let Some(field) = self.instruction.code_field(name) else { return false };
        let Some(bank) = mode.case.isa.layout.bank_named("LReg") else { return true };
        for register in [5, 6, 3, 0] {
            let mut other = mode.case.clone();
            field.set(&mut other.code, register);
            let row = (bank, register as usize);
            if other.cell() == mode.case.cell() && !rows.contains(&row) {
                let _ = self.runner.run(&other);
                return self.touched()[0].contains(&row);
            }
        }
        true
    }

    /// Whether the word at a place says which rows are read or written.
    fn is_index(&mut self, mode: &Mode, place: Place) -> bool {
        let mut rows = |word| {
            let mut case = mode.case.clone();
            case.words.insert(place, word);
            let _ = self.runner.run(&case);
            self.touched()
        };
        rows(1) != rows(2)
    }

    /// What comes out if the parts of an operand have values, and all others are `others`, those of its format read alike; of each
    /// list of words, one a part.
    pub(super) fn ask(
        &mut self,
        asked: Asked<'_>,
        (reading, others): (Option<Reading>, i64),
        words: &[Vec<u32>],
    ) -> Vec<Came> {
        let Asked { mode, all, own } = asked;
        let mut base = mode.case.clone();
        for part in all.iter().flat_map(|operand| &operand.parts) {
            let reading = reading.filter(|_| part.format.name == own.parts[0].format.name);
            let word = reading.map(|reading| encode(part.format, reading, others));
            part.put(&mut base, word.unwrap_or_else(|| integer_or_float(part.format, others)));
        }
        let run = |words: &Vec<u32>| {
            let mut case = base.clone();
            own.parts.iter().zip(words).for_each(|(part, &word)| part.put(&mut case, word));
            let expectation = self.runner.run(&case);
            let (why, refused) = (not_promised(expectation), expectation.required_answer() != Some(Answer::Done));
            let (mut words, state) = (Vec::new(), &self.runner.state);
            state.tracker.log.written.each(|row| {
                let (bank, row) = case.isa.layout.locate(row);
                let columns = 0..case.isa.layout.banks[bank].columns();
                words.extend(columns.map(|column| ((bank, row, column), state.word(bank, row, column))));
            });
            let open = state.tracker.open.iter().map(|open| {
                let (bank, row) = case.isa.layout.locate(open.row_id);
                ((bank, row, open.column), open.mask)
            });
            let open = open.collect();
            Ran { case, why, refused, words, open, small: state.small.clone() }
        };
        let ran: Vec<Ran> = words.iter().map(run).collect();
        // The words and fields that are not the same for all values.
        let fields = (base.isa.layout.fields)();
        let (mut places, mut decided) = (Vec::new(), Vec::new());
        let done: Vec<&Ran> = ran.iter().filter(|one| !one.refused).collect();
        for (one, other) in done.windows(2).map(|pair| (pair[0], pair[1])) {
            let differ = one.words.iter().zip(&other.words).filter(|(one, other)| one.0 == other.0 && one.1 != other.1);
            places.extend(differ.map(|(one, _)| one.0));
            if one.small[..] != other.small[..] {
                decided
                    .extend((0..fields.len()).filter(|&at| fields[at].get(&one.small) != fields[at].get(&other.small)));
            }
        }
        places.sort_by_key(|&(bank, row, column)| (column, bank, row));
        places.dedup();
        // A word that is always as it was set is no result.
        let is_changed = |place: &Place, one: &Ran| {
            let after = one.words.iter().find(|(own, _)| own == place).map(|(_, word)| *word);
            after.is_some_and(|after| after != one.case.words.get(place).copied().unwrap_or_default())
        };
        places.retain(|place| done.iter().any(|one| is_changed(place, one)));
        decided.sort_unstable();
        decided.dedup();
        places.truncate(2);
        let known = formats(&mode.case, &places);
        let known: Vec<_> = places.iter().zip(known).filter_map(|(&place, format)| Some((place, format?))).collect();
        // Where a half of a datum is decided, and the other one was written too, both are read together.
        let halves = known.first().filter(|(_, format)| format.name == "Dst 16 bits");
        let halves = halves.map(|&((bank, row, column), _)| [(bank, row & !8, column), (bank, row | 8, column)]);
        let is_written = |place: &Place| done[0].words.iter().any(|(own, _)| own == place);
        let halves = halves.filter(|halves| halves.iter().all(is_written));
        let wide = if own.parts.iter().all(|part| is_float(part.format)) { &DST_FP32 } else { &DST_INT32 };
        let doubts = doubts(&self.disputes, &mode.case);
        let finish = |Ran { case, why, refused, words, open, small }: Ran| {
            let open = |place: Place| open.iter().filter(|(own, _)| *own == place).fold(0, |all, (_, mask)| all | mask);
            let word = |place: Place| {
                let own = words.binary_search_by_key(&place, |(own, _)| *own).map(|at| words[at].1).ok();
                own.or_else(|| case.words.get(&place).copied()).unwrap_or_default()
            };
            let datum = |&(place, format): &(Place, &'static Format)| (format, word(place), open(place));
            let data: Vec<(&Format, u32, u32)> = match halves {
                Some([high, low]) => vec![(wide, word(high) << 16 | word(low), open(high) << 16 | open(low))],
                None => known.iter().map(datum).collect(),
            };
            let mut texts: Vec<String> =
                data.iter().map(|&(format, datum, open)| text(format, datum) + &open_bits(open)).collect();
            let mut data: Vec<(&Format, u32)> = data.into_iter().map(|(format, datum, _)| (format, datum)).collect();
            for field in decided.iter().take(2).map(|&at: &usize| &fields[at]) {
                let (value, is_flag) = (field.get(&small), field.name == "LaneFlags");
                if is_flag && data.is_empty() {
                    data.push((&BITS32, value & 1));
                }
                texts.push(if is_flag { format!("flag {}", value & 1) } else { format!("{} {value:#x}", field.name) });
            }
            let shows = refused || !texts.is_empty();
            if !shows {
                texts.push("nothing comes of it".to_string());
            }
            let text = match why {
                Some(why) if refused => why,
                why => texts.join(", ") + &why.map_or(String::new(), |why| format!(" [{why}]")),
            };
            Came { case, refused, data, text: text + &doubts, shows }
        };
        ran.into_iter().map(finish).collect()
    }
}

/// How a case reads the words at places.
fn formats(case: &CaseValue, places: &[Place]) -> Vec<Option<&'static Format>> {
    let format = case.instruction.format;
    case.with_parts(|parts| {
        let of = |&(bank, row, column): &Place| format(case.edition, parts, bank, Some((row, column)));
        places.iter().map(of).collect()
    })
}

/// A datum as hexadecimal, and a float as its value.
fn text(format: &'static Format, datum: u32) -> String {
    let value = if is_float(format) { format!(" {}", value(format, datum)) } else { String::new() };
    format!("{datum:#x}{value}")
}

/// Which bits of a datum are not promised.
pub(super) fn open_bits(mask: u32) -> String {
    if mask == 0 { String::new() } else { format!(" (bits {mask:#x} are not promised)") }
}

/// The word of an integer, or of a float that is a small one.
pub(super) fn integer_or_float(format: &Format, value: i64) -> u32 {
    match format.kind {
        FormatKind::Float { bias } => {
            let magnitude = value.unsigned_abs();
            let Some(power) = magnitude.checked_ilog2() else { return 0 };
            let mantissa = (magnitude ^ 1 << power) << format.mantissa_bits() >> power;
            let exponent = u64::try_from(i64::from(bias) + i64::from(power)).unwrap_or_default();
            narrow(format.place(u64::from(value < 0), exponent, mantissa))
        }
        FormatKind::SignMagnitude => encode(format, Reading::SignMagnitude, value),
        FormatKind::TwosComplement | FormatKind::Bits => encode(format, Reading::TwosComplement, value),
    }
}

/// How the bits of an integer are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    SignMagnitude,
    TwosComplement,
    /// As FP32, of what comes out.
    Float,
}

/// The bits of an integer, its sign among them.
pub(super) fn bits(format: &Format) -> u32 {
    format.mantissa_bits() + u32::from(format.sign.is_some())
}

/// A word that holds an integer in the bits of a format.
pub(super) fn encode(format: &Format, reading: Reading, value: i64) -> u32 {
    let bits = bits(format);
    let all = match reading {
        Reading::TwosComplement | Reading::Float => value.cast_unsigned(),
        Reading::SignMagnitude => value.unsigned_abs() | u64::from(value < 0) << (bits - 1),
    } & ((1 << bits) - 1);
    let exponent = format.exponent.map_or(0, |piece| 1 << (piece.width - 1));
    let sign = if format.sign.is_some() { all >> (bits - 1) } else { 0 };
    narrow(format.place(sign, exponent, all & ((1 << format.mantissa_bits()) - 1)))
}

/// The integer that a word holds; nothing if it is a float that is none. What has 32 bits is read as is wanted.
pub(super) fn decode(format: &Format, reading: Reading, word: u32) -> Option<i64> {
    let plain = if format.kind == FormatKind::Bits { narrow(format.mantissa_of(word.into())) } else { word };
    let as_read = match reading {
        _ if format.width() < 32 && format.kind == FormatKind::Bits => return Some(plain.into()),
        _ if format.width() < 32 || format.name == DST_FP32.name => format,
        Reading::TwosComplement => &TWOS_COMPLEMENT_DATUM,
        Reading::SignMagnitude => &SIGN_MAGNITUDE_DATUM,
        Reading::Float => &FP32_DATUM,
    };
    value(as_read, plain).split(' ').next()?.parse().ok()
}

fn narrow(word: u64) -> u32 {
    u32::try_from(word & u64::from(u32::MAX)).expect("it is masked")
}

/// The special values that a format has, by name.
pub(super) fn specials(format: &'static Format) -> Vec<(&'static str, u32)> {
    let extreme = |reading: Reading, format: &Format| {
        let most = (1_i64 << (bits(format) - 1)) - 1;
        let least = if reading == Reading::TwosComplement { -most - 1 } else { -most };
        [("smallest integer", encode(format, reading, least)), ("largest integer", encode(format, reading, most))]
    };
    match format.kind {
        FormatKind::Float { .. } => {
            let exponent = format.exponent.map_or(0, |piece| piece.low_mask());
            let quiet = 1 << (format.mantissa_bits() - 1);
            let parts = [
                ("-0", (1, 0, 0)),
                ("denormal", (0, 0, 1)),
                ("infinity pattern", (0, exponent, 0)),
                ("-infinity pattern", (1, exponent, 0)),
                ("NaN pattern", (0, exponent, quiet)),
            ];
            parts
                .map(|(name, (sign, exponent, mantissa))| (name, narrow(format.place(sign, exponent, mantissa))))
                .into()
        }
        FormatKind::SignMagnitude => {
            let zero = encode(format, Reading::SignMagnitude, 0) | format.sign.map_or(0, |bit| 1 << bit);
            let extremes = extreme(Reading::SignMagnitude, format);
            [("-0", zero)].into_iter().chain(extremes).collect()
        }
        FormatKind::TwosComplement => extreme(Reading::TwosComplement, format).into(),
        // Page Dst: an integer of 32 bits is sign and magnitude.
        FormatKind::Bits if format.name == DST_INT32.name => extreme(Reading::SignMagnitude, format).into(),
        // Whatever it is taken for.
        FormatKind::Bits if format.width() == 32 => {
            specials(&FP32_DATUM).into_iter().chain(extreme(Reading::TwosComplement, &TWOS_COMPLEMENT_DATUM)).collect()
        }
        FormatKind::Bits => Vec::new(),
    }
}

/// Whether a datum is a float.
pub(super) fn is_float(format: &Format) -> bool {
    matches!(format.kind, FormatKind::Float { .. })
}

/// A row of a table, of one mode: which operand, in which format; and what is asked, what it says, and the case that shows it.
pub(super) struct Row {
    pub mode: String,
    pub operand: String,
    pub cells: Vec<(&'static str, String, CaseValue)>,
}

/// Rows as answers. Modes of which the same is said are one row.
pub(super) fn merged(topic: Topic, instruction: &'static Instruction, rows: &[Row]) -> Vec<super::Answer> {
    const MOST: usize = 6;
    let modes: BTreeSet<&str> = rows.iter().map(|row| &*row.mode).collect();
    let mut merged: Vec<(Vec<&str>, &Row)> = Vec::new();
    let says = |row: &Row| row.cells.iter().map(|(asked, says, _)| (*asked, says.clone())).collect::<Vec<_>>();
    for row in rows {
        match merged.iter_mut().find(|(_, known)| known.operand == row.operand && says(known) == says(row)) {
            Some((own, _)) => own.push(&row.mode),
            None => merged.push((vec![&row.mode], row)),
        }
    }
    let of_row = |(own, row): (Vec<&str>, &Row)| -> Vec<super::Answer> {
        let shown = match own.len() {
            all if all == modes.len() => "every mode".to_string(),
            few if few <= MOST => own.join("; "),
            many => format!("{} and {} more", own[..MOST].join("; "), many - MOST),
        };
        let of = if row.operand.is_empty() { shown } else { format!("{}: {shown}", row.operand) };
        let answer = |(asked, says, case): &(&str, String, CaseValue)| {
            super::Answer::new(topic, instruction, &*of, asked, says).replays(case)
        };
        row.cells.iter().map(answer).collect()
    };
    merged.into_iter().flat_map(of_row).collect()
}
