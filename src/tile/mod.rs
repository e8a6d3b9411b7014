//! A journey of numbers from L1 to L1, by the instructions that software uses for it, on the reference: what
//! `tandem tile` shows stage by stage, and what the topic `formats` of `tandem answers` is made of.
//!
//! A tile of 32 by 32 data, in four faces of 16 by 16, lies at the beginning of L1. `UNPACR_REGULAR` moves a face to
//! `Dst`, or to `SrcA`, from where `MOVA2D` or `ELWADD` brings it to `Dst`, and when all that have numbers are there
//! `PACR` moves them to L1 again. What a packer makes of them
//! between its conversions is found by packing once more, into the format of L1 that has all that there is.

mod machine;
mod numbers;

use serde::Serialize;
use tandem_harness::IsaSuite;
use tandem_isa::tensix::format::{
    BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, CODE_NAMES, DST_BF16, DST_FP16, DST_INT8, DST_INT16, FP8, FP16, FP32,
    FP32_DATUM, INT8, INT16, INT32, L1_BF16, L1_BYTE, L1_FP16, SIGN_MAGNITUDE_DATUM, SRC_BF16, SRC_FP16, SRC_INT8,
    SRC_INT16, SRC_TF32, TF32,
};
use tandem_isa::{Edition, Format, FormatKind, Piece, State, Step, worded};

use crate::answers::DST_FP32;
pub use machine::Issue;
use machine::{Machine, Place};
pub use numbers::Datum;

/// Data of a tile.
const TILE: usize = numbers::FACES * numbers::FACE;

const fn piece(shift: u32, width: u32) -> Piece {
    Piece { shift, width }
}

static L1_TF32: Format = Format { name: "TF32", mantissa: &[piece(13, 10)], ..FP32_LAYOUT };
static L1_FP8: Format = Format {
    name: "FP8",
    kind: FormatKind::Float { bias: 15 },
    sign: Some(7),
    exponent: Some(piece(2, 5)),
    mantissa: &[piece(0, 2)],
    ..FP32_LAYOUT
};
const FP32_LAYOUT: Format = Format {
    name: "FP32",
    kind: FormatKind::Float { bias: 127 },
    sign: Some(31),
    exponent: Some(piece(23, 8)),
    mantissa: &[piece(0, 23)],
    narrowings: &[],
};
static NIBBLE: Format = Format { name: "nibble", sign: Some(3), mantissa: &[piece(0, 3)], ..SIGNED };
static TWO_BITS: Format = Format { name: "two bits", sign: Some(1), mantissa: &[piece(0, 1)], ..SIGNED };
/// Page Dst: 32 bits are sign, the low seven bits of what FP32 has as mantissa, its exponent, and the rest.
static DST_INT32: Format =
    Format { name: "Dst INT32", sign: Some(31), mantissa: &[piece(16, 8), piece(24, 7), piece(0, 16)], ..SIGNED };
const SIGNED: Format =
    Format { name: "", kind: FormatKind::SignMagnitude, sign: None, exponent: None, mantissa: &[], narrowings: &[] };

/// A format that data have in L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L1Format {
    /// Its code of four bits.
    pub code: u32,
    /// A datum; of a block format, its sign and magnitude.
    pub datum: &'static Format,
    /// Of a block format the bias of the exponent that sixteen data share.
    pub block: Option<i32>,
    /// The code of what it is in `Dst` unless something else is asked for.
    in_dst: u32,
}

const fn format(code: u32, datum: &'static Format, block: Option<i32>, in_dst: u32) -> L1Format {
    L1Format { code, datum, block, in_dst }
}

/// All formats that `UNPACR` reads and `PACR` writes.
pub static FORMATS: [L1Format; 14] = [
    format(FP32, &FP32_DATUM, None, FP32),
    format(TF32, &L1_TF32, None, FP32),
    format(BF16, &L1_BF16, None, BF16),
    format(FP16, &L1_FP16, None, FP16),
    format(FP8, &L1_FP8, None, FP16),
    format(BFP8, &L1_BYTE, Some(127), BF16),
    format(BFP4, &NIBBLE, Some(127), BF16),
    format(BFP2, &TWO_BITS, Some(127), BF16),
    format(BFP8A, &L1_BYTE, Some(15), FP16),
    format(BFP4A, &NIBBLE, Some(15), FP16),
    format(BFP2A, &TWO_BITS, Some(15), FP16),
    format(INT32, &SIGN_MAGNITUDE_DATUM, None, INT32),
    format(INT16, &DST_INT16, None, INT16),
    format(INT8, &L1_BYTE, None, INT8),
];

impl L1Format {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        CODE_NAMES[self.code as usize]
    }

    /// The format of this name, whatever the case of its letters.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Whether data in `Dst` can have it.
    #[must_use]
    pub const fn is_in_dst(&self) -> bool {
        self.code == self.in_dst
    }

    fn of(code: u32) -> &'static Self {
        FORMATS.iter().find(|format| format.code == code).expect("each code that is used has a format")
    }

    const fn is_integer(&self) -> bool {
        matches!(self.code, INT32 | INT16 | INT8)
    }

    /// A datum of it in `Dst`, and in `SrcA`, where FP32 is TF32; and whether it has 32 bits in `Dst`.
    const fn layouts(&self) -> (&'static Format, &'static Format, bool) {
        match self.code {
            FP32 => (&DST_FP32, &SRC_TF32, true),
            BF16 => (&DST_BF16, &SRC_BF16, false),
            FP16 => (&DST_FP16, &SRC_FP16, false),
            INT16 => (&DST_INT16, &SRC_INT16, false),
            INT8 => (&DST_INT8, &SRC_INT8, false),
            _ => (&DST_INT32, &SRC_INT8, true),
        }
    }
}

worded! {
    /// By which way data come to `Dst`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Through {
        /// They are unpacked there.
        Straight "none",
        /// `MOVA2D` moves them from `SrcA`.
        Mova2d "mova2d",
        /// `ELWADD` adds zeros to those of `SrcA`.
        Elwadd "elwadd",
    }
    /// The word for the command line.
    fn name;
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Journey {
    /// The format in L1.
    pub from: &'static L1Format,
    /// The format in L1 afterwards.
    pub to: &'static L1Format,
    /// What data are in `Dst`; by `from` and `through` if nothing is said.
    pub between: Option<&'static L1Format>,
    /// By which way they come there; if nothing is said, INT8 by `ELWADD`, as packers read integers of 32 bits, and
    /// others straight.
    pub through: Option<Through>,
    /// Whether the early conversion is the one that keeps or cuts bits (`Read_raw`), or the one that rounds; if nothing
    /// is said, the latter where there is one, as the vendor's kernels have it.
    pub is_raw: Option<bool>,
    /// Whether a packer replaces what is below zero.
    pub relu: bool,
    /// Where the first number lies, of 1024 places of a tile, row by row; the others are behind it.
    pub first: usize,
}

impl Journey {
    /// From a format to another, all else as it is if nothing is said.
    #[must_use]
    pub const fn new(from: &'static L1Format, to: &'static L1Format) -> Self {
        Journey { from, to, between: None, through: None, is_raw: None, relu: false, first: 0 }
    }

    /// By which way data come to `Dst`.
    #[must_use]
    pub fn through(&self) -> Through {
        self.through.unwrap_or(if self.from.code == INT8 { Through::Elwadd } else { Through::Straight })
    }

    /// What they are there.
    #[must_use]
    pub fn between(&self) -> &'static L1Format {
        let own = if self.through() == Through::Elwadd { INT32 } else { self.from.in_dst };
        self.between.unwrap_or_else(|| L1Format::of(own))
    }

    /// `OutDataFormat` of the Unpacker. Formats other than FP32 are not converted: if it would be necessary it is
    /// another one, and the page says so.
    fn unpacked(&self) -> u32 {
        match (self.from.code, self.between().code, self.through()) {
            (FP32, _, Through::Elwadd) | (FP32, FP32, Through::Mova2d) => TF32,
            (own, _, Through::Elwadd) => own,
            (own, wanted, _) if own != FP32 && wanted == self.from.in_dst => own,
            (_, wanted, _) => wanted,
        }
    }

    /// The early conversions that lead to the format in L1, that which is the default first.
    #[must_use]
    pub fn early(&self) -> Vec<Early> {
        let (between, to) = (self.between(), self.to);
        let one = |is_raw, format| vec![Early { between, is_raw, format }];
        let both = |rounded, cut| [one(false, rounded), one(true, cut)].concat();
        let is_block = to.block.is_some();
        match (between.code, to.code) {
            (INT16, _) | (_, INT16) => one(true, INT16),
            (_, INT32) => one(true, INT32),
            (INT32, INT8) => both(INT8, INT8),
            (_, INT8) => one(true, INT8),
            (FP16 | INT8, _) if is_block => both(BFP8A, BFP8A),
            (FP16 | INT8, FP8) => both(FP16, FP8),
            (FP16 | INT8, _) => both(FP16, FP16),
            _ if is_block => both(BFP8, BFP8),
            (BF16, _) | (_, BF16) => both(BF16, BF16),
            (_, FP16) => both(TF32, FP32),
            (_, TF32) => one(false, TF32),
            _ => one(true, FP32),
        }
    }

    /// Runs it with numbers as they are written: decimals (`1.5`, `-0`, `nan`, `inf`), or bits (`0x3f80`), of a block
    /// format with the exponent that sixteen data share (`0x40@127`).
    ///
    /// # Errors What is wrong with what is asked: a number that the format does not have, too many of them, an early
    /// conversion that there is not, or a way that leads to something else in `Dst`.
    pub fn run<S: AsRef<str>>(&self, suite: &IsaSuite, numbers: &[S]) -> Result<Tile, String> {
        let (from, between, choices) = (self.from, self.between(), self.early());
        let early = match self.is_raw {
            None => choices[0],
            Some(is_raw) => *choices.iter().find(|one| one.is_raw == is_raw).ok_or_else(|| {
                let (there_is, flag) = (choices[0].says(), if is_raw { "--raw" } else { "--round" });
                format!("for {} packers have one {there_is}, and no other: leave {flag} out", self.to.name())
            })?,
        };
        if self.through() == Through::Elwadd && between.code != INT32 {
            return Err(format!("ELWADD leaves INT32 in Dst, not {}", between.name()));
        }
        if self.first + numbers.len() > TILE {
            return Err(format!("a tile has {TILE} data: {} numbers go beyond its end", numbers.len()));
        }
        let data = numbers::read(from, numbers, self.first)?;
        let places: Vec<Spot> = (self.first..).take(data.len()).map(Spot::of).collect();
        let faces = 1 + places.iter().map(|spot| spot.face).max().unwrap_or(0);
        let mut machine = Machine::new(suite, places.iter().map(Spot::index).collect());
        machine.put(from, &data, 0);
        let mut tile = Tile { isa: suite.isa.name, faces, places, stages: Vec::new() };
        tile.push(Stage { at: "L1", format: from.name(), data, ..Stage::default() });
        let (in_dst, in_srca, is_wide) = between.layouts();
        let (dst, srca) = (Place::Dst(in_dst, is_wide), Place::SrcA(in_srca));
        let is_straight = self.through() == Through::Straight;
        let first = if is_straight { dst } else { srca };
        let mut unpacked = machine.unpack(0, (from.code, self.unpacked()), first);
        let mut computed = match self.through() {
            Through::Straight => None,
            Through::Mova2d => Some((machine.move_to(dst, between), machine.mova2d())),
            Through::Elwadd => Some((machine.add_to(dst), machine.elwadd(false))),
        };
        for face in 0..faces {
            machine.run(&machine.unpacr(0, is_straight), &mut unpacked, (first, face));
            match &mut computed {
                Some((stage, issues)) if stage.refused.is_none() => machine.run(issues, stage, (dst, face)),
                // What becomes of other faces in SrcA is shown all the same.
                _ => machine.take_back(),
            }
            if unpacked.refused.is_some() {
                break;
            }
        }
        if !(tile.push(unpacked) && computed.is_none_or(|(stage, _)| tile.push(stage))) {
            return Ok(tile);
        }
        // What there is between the stages of a packer.
        let mut all = machine.packed(early, self.to, (self.relu, faces));
        let whole = early.whole();
        for (relu, what) in [(false, early.says()), (true, "ReLU".to_string())] {
            let Stage { refused: None, data, .. } = machine.packed(early, whole, (relu, faces)) else { break };
            if relu && !self.relu {
                break;
            }
            let (by, at) = (format!("PACR, {what}"), "the packer");
            tile.push(Stage { by, at, format: whole.name(), data, ..Stage::default() });
            if all.refused.is_none() {
                all.by = format!("PACR, late conversion from {} to {}", early.to(), self.to.name());
            }
        }
        tile.push(all);
        Ok(tile)
    }

    /// What came of each number of a journey, and whether that is of each number alone: where nothing is promised of
    /// all together.
    #[must_use]
    pub fn came<S: AsRef<str>>(&self, suite: &IsaSuite, numbers: &[S], tile: &Tile) -> (Vec<String>, bool) {
        let is_alone = numbers.len() > 1 && tile.stages.last().is_some_and(|stage| stage.refused.is_some());
        let alone = |number: &S| self.run(suite, &[number]).map_or_else(|why| why, |tile| tile.outcome(0));
        let came = (0..numbers.len())
            .map(|place| if is_alone { alone(&numbers[place]) } else { tile.outcome(place) })
            .collect();
        (came, is_alone)
    }
}

/// An early conversion of a packer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Early {
    between: &'static L1Format,
    /// Whether it keeps or cuts bits.
    pub is_raw: bool,
    /// The intermediate format, which is that from which the late conversion is too.
    format: u32,
}

impl Early {
    /// The type that comes of it.
    const fn to(self) -> &'static str {
        match (self.format, self.is_raw) {
            (BFP8, true) => "BF16",
            (BFP8, false) => "E8M6",
            (BFP8A, true) => "E5M7",
            (BFP8A, false) => "E5M6",
            (code, _) => CODE_NAMES[code as usize],
        }
    }

    /// What it is.
    fn says(self) -> String {
        let (from, to) = (self.between.name(), self.to());
        let how = match self.is_raw {
            true if from == to => "as it is",
            true if self.between.is_integer() || L1Format::of(self.format).is_integer() => "by its bits",
            true => "truncated",
            false if self.format == INT8 => "rounded and saturated",
            false => "rounded",
        };
        format!("early conversion from {from} to {to}, {how}")
    }

    /// A format in L1 that has all that comes of it.
    fn whole(self) -> &'static L1Format {
        L1Format::of(match self.format {
            FP16 | BFP8A | FP8 => FP16,
            INT32 | INT16 | INT8 => self.format,
            _ => FP32,
        })
    }
}

/// A field of configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// As the page has it.
    pub name: &'static str,
    /// Its value.
    pub value: u32,
    /// The name of the value, if it is a format.
    pub called: Option<&'static str>,
}

/// A place in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// Its row of 32.
    pub row: usize,
    /// Its column of 32.
    pub column: usize,
    /// Its face: 0 is top left, 1 top right, 2 bottom left, and 3 bottom right.
    pub face: usize,
}

impl Spot {
    /// That of a number, row by row.
    fn of(place: usize) -> Self {
        let (row, column) = (place / 32, place % 32);
        Spot { row, column, face: 2 * (row / 16) + column / 16 }
    }

    /// Where it lies in memory, which has face by face.
    fn index(&self) -> usize {
        numbers::FACE * self.face + 16 * (self.row % 16) + self.column % 16
    }
}

/// A stage of a journey.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// What brought the data here; nothing at the beginning.
    pub by: String,
    /// Where they are.
    pub at: &'static str,
    /// In which format.
    pub format: &'static str,
    /// The instructions, in the page's syntax: those of a face, or of all if they are behind one another.
    pub text: Vec<String>,
    /// The fields of configuration that decide what comes of data.
    pub configuration: Vec<Setting>,
    /// The data, one for each number; none if nothing is promised.
    pub data: Vec<Datum>,
    /// Of each datum, whether its value is another than at the stage before.
    pub changed: Vec<bool>,
    /// Who promises nothing, and why.
    pub refused: Option<String>,
}

/// What came of a journey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tile {
    /// The instruction set.
    pub isa: &'static str,
    /// How many faces travel, from the first on: up to the last that has a number.
    pub faces: usize,
    /// Where the numbers lie.
    pub places: Vec<Spot>,
    /// The stages, as far as something is promised.
    pub stages: Vec<Stage>,
}

impl Tile {
    /// Adds a stage: whether the journey goes on.
    fn push(&mut self, mut stage: Stage) -> bool {
        let before = self.stages.last().map_or(&stage.data[..], |last| &last.data);
        let pairs = before.iter().zip(&stage.data);
        stage.changed = pairs.map(|(before, after)| before.number != after.number).collect();
        let goes_on = stage.refused.is_none();
        self.stages.push(stage);
        goes_on
    }

    /// What came of a number: the same bits, the same value, or another one and by what.
    #[must_use]
    pub fn outcome(&self, place: usize) -> String {
        let [first, .., last] = &self.stages[..] else { return String::new() };
        if let Some(why) = &last.refused {
            return format!("{}: {why}", last.by);
        }
        let (before, after) = (&first.data[place], &last.data[place]);
        if first.format == last.format && before.bits == after.bits {
            return format!("the same bits ({})", after.bits);
        }
        let by: Vec<&str> = self.stages.iter().filter(|stage| stage.changed[place]).map(|stage| &*stage.by).collect();
        match &by[..] {
            [] => format!("the same value ({} {})", after.bits, after.value),
            _ if before.number == after.number => {
                format!("the same value ({} {}), after {}", after.bits, after.value, by.join(", then "))
            }
            _ => format!("{} {}, by {}", after.bits, after.value, by.join(", then ")),
        }
    }
}

/// A step in the newest edition.
#[must_use]
pub fn step((instruction, code): &Issue) -> Step<'_> {
    Step { instruction, edition: Edition::Newest, code }
}

/// A whole tile that goes through a chip as a kernel has it: two of INT8 in L1 are unpacked, added and packed.
pub struct Sum {
    /// The machine before.
    pub state: State,
    /// All instructions, face by face.
    pub steps: Vec<Issue>,
    /// The numbers of both tiles, in the order of memory.
    pub operands: [Vec<i32>; 2],
}

impl Sum {
    /// With numbers of which some have a sum beyond INT8.
    #[must_use]
    pub fn new(suite: &IsaSuite) -> Self {
        let mut machine = Machine::new(suite, (0..TILE).collect());
        let int8 = L1Format::of(INT8);
        let operands: [Vec<i32>; 2] =
            [37, 101].map(|factor| (0..TILE as i32).map(|index| factor * index % 255 - 127).collect());
        let early = Journey { through: Some(Through::Elwadd), ..Journey::new(int8, int8) }.early()[0];
        let word = |number: &i32| u32::from(*number < 0) << 7 | number.unsigned_abs();
        for (unpacker, numbers) in operands.iter().enumerate() {
            let data: Vec<Datum> = numbers.iter().map(|number| Datum::in_l1(int8, word(number), 0)).collect();
            machine.put(int8, &data, unpacker);
            machine.unpack(unpacker, (INT8, INT8), Place::SrcA(&SRC_INT8));
        }
        machine.add_to(Place::Dst(&DST_INT32, true));
        machine.pack(early, int8, false);
        let face = [machine.unpacr(0, false), machine.unpacr(1, false), machine.elwadd(true)].concat();
        let steps = [vec![face; numbers::FACES].concat(), machine.pacr(numbers::FACES)].concat();
        Sum { state: machine.state, steps, operands }
    }

    /// What lies in L1 where the sum is to be, behind all instructions.
    #[must_use]
    pub fn came(suite: &IsaSuite, state: State) -> Vec<i32> {
        let mut machine = Machine::new(suite, (0..TILE).collect());
        machine.state = state;
        let number = |datum: &Datum| (datum.word & 0x7f).cast_signed() * if datum.word >> 7 == 0 { 1 } else { -1 };
        machine.data(Place::L1(L1Format::of(INT8))).iter().map(number).collect()
    }
}
