//! What a site does, right or wrong.
//!
//! Each function does what its operator does, unless its site is told to do something else. Numbers are computed with in 128
//! bits and cut to their type, so that nothing overflows, whatever came before.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::LazyLock;

use tandem_isa::tensix::config::{ConfigField, ThreadConfigField};
use tandem_isa::tensix::{Chip, Small};
use tandem_isa::{CodeField, Edition, Page};

use super::NUM_SITES;
pub use super::rule::Otherwise;
use tandem_reference::bits::U;

/// A place of the reference where something can be done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its file, from the root of the workspace on.
    pub file: &'static str,
    /// The function that it is in, with its type, if it has one.
    pub item: &'static str,
    /// Its text, with a number if the function has that text several times.
    pub text: &'static str,
    /// Its line in the file.
    pub line: u32,
    /// The brackets of the statements of a page that stand at its line, such as `41-42, TX-06`.
    pub statements: &'static [&'static str],
    /// The pages and lines that a comment above it names as its source, or nothing.
    pub source: &'static str,
    /// Without a statement, the lines of pages that its function has as its source: page, first and last.
    pub pages: &'static [(&'static Page, u32, u32)],
    /// Of a loop, those of the statement at the constant that it ends with.
    pub besides: &'static [(&'static Page, u32, u32)],
    /// Whether it is what those who call its function say.
    pub is_told: bool,
    /// What it is.
    pub kind: SiteKind,
    /// Of a set, its members; of a variable, those that may stand in its place; of a `match`, which arm is taken for which.
    pub members: &'static [&'static str],
    /// Other sites with which it can do something wrong: of a condition the statements that it guards, of those the conditions
    /// before them in the function, of a comparison the sums.
    pub beside: &'static [u16],
    /// Of a statement, where it gives what it writes.
    pub written: Option<u16>,
}

/// Where a function is called.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The function, without its module and type.
    pub of: &'static str,
    /// Whether there is no other of this name.
    pub is_only_one: bool,
    /// The file of the call, …
    pub file: &'static str,
    /// … the function that it is in, …
    pub item: &'static str,
    /// … the brackets of the statements of a page that stand at its line, …
    pub statements: &'static [&'static str],
    /// … and without one the lines of pages that its function has as its source.
    pub pages: &'static [(&'static Page, u32, u32)],
}

/// What a site is; it decides what it can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteKind {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// `a % b`.
    Rem,
    /// `a && b`.
    Both,
    /// `a || b`.
    Either,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a << b`.
    Shl,
    /// `a >> b`.
    Shr,
    /// `!a`.
    Not,
    /// `-a`.
    Neg,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// Between two bounds.
    Clamp,
    /// Without its sign.
    Abs,
    /// How many bits above the highest one that is set.
    Count,
    /// A condition.
    Condition,
    /// Whether a comparison has equality too.
    Boundary,
    /// Which member of a set a value is.
    Set,
    /// True or false, written down.
    Truth,
    /// A number that is written down.
    Literal,
    /// A number that has a name.
    Constant,
    /// A field of the code or of the configuration.
    Field,
    /// A number is cut to a width.
    New,
    /// Which of several.
    Index,
    /// Which turns a loop takes.
    Range,
    /// Which turns a loop takes, and in which order.
    Turns,
    /// Something is changed.
    Statement,
    /// Two things are changed one after the other.
    Order,
    /// Something becomes 0.
    Zero,
    /// A variable.
    Variable,
    /// The text that counts: of an edition, of a chip.
    Choice,
    /// What the page says where it can be read otherwise; the text is the id of the other reading.
    Reading,
    /// A number that is given on.
    Value,
    /// A condition with what it guards, and perhaps with what is asked where it does not hold.
    Branch,
    /// A condition under which the rest of a block is left out.
    Skip,
    /// What is read of the state.
    Read,
    /// Statements one after the other.
    Moved,
    /// Which turn of a loop it is.
    Turn,
    /// The arms of a `match`, one after the other.
    Falls,
    /// Which arm of a `match` a value has.
    Arm,
    /// What stands at a place of several.
    Entry,
    /// Two that are taken apart at once.
    Pair,
    /// A constant that is one of a group.
    OneOf,
    /// A variable that was changed.
    Changed,
    /// What was changed just before is copied.
    Copy,
    /// A place in rows and columns.
    Place,
    /// Whether a comparison is of equality.
    Equal,
    /// In which order the turns of a loop come.
    Way,
    /// A number that has a name, where nothing is computed with it.
    Named,
    /// Which of two conditions is asked first.
    Sooner,
    /// One of several things that are changed at once.
    Part,
    /// Two operators next to each other, or whether all are asked for or any.
    Grouped,
}

/// What a site does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Wrong {
    /// The left operand alone.
    Left = 1,
    /// The right operand alone.
    Right,
    /// The opposite: minus for plus, plus for minus.
    Opposite,
    /// The operands change places.
    Swapped,
    /// Or for another operator on bits.
    Or,
    /// And for another operator on bits.
    And,
    /// The result loses the highest bit of its width.
    Narrower,
    /// One more.
    More,
    /// One less.
    Less,
    /// A mask loses its highest bit.
    WithoutTop,
    /// A mask loses its lowest bit.
    WithoutBottom,
    /// A mask has a bit more, above.
    WithAbove,
    /// A condition never holds.
    Never,
    /// A condition always holds.
    Always,
    /// A condition holds where it does not.
    Inverted,
    /// Equality counts where it does not, or does not where it does.
    Equality,
    /// Zero is read.
    Zero,
    /// All ones are read.
    Ones,
    /// The bits above the field are read.
    Above,
    /// The bits below the field are read.
    Below,
    /// The first of several.
    First,
    /// The other one of two.
    Other,
    /// The next of several.
    Next,
    /// It is not done.
    LeftOut,
    /// A loop is a turn short.
    Short,
    /// A loop begins a turn late.
    Late,
    /// A right shift brings in zeros instead of the sign, or the sign instead of zeros.
    Sign,
    /// Only the lower bound counts.
    LowerBound,
    /// Only the upper bound counts.
    UpperBound,
    /// Exclusive or for another operator on bits.
    Xor,
    /// The bits are inverted, and nothing is added.
    Complement,
    /// It is negated instead of inverted.
    Negated,
    /// The highest bit stays.
    KeepsTop,
    /// The turns of a loop come in the other order.
    Backwards,
}

/// What a site is told: 0 if it does what is right.
pub(super) type Code = u16;

/// [`Wrong`] of a set: from here on, the member that is not in it; of a number, which other one it is.
pub(super) const WITHOUT: Code = 64;
/// From here on, what is an [`Otherwise`] whatever the site is.
pub(super) const FURTHER: Code = 128;
/// A site that only notes that it was reached, …
const NOTED: Code = Code::MAX;
/// … and one that gives what it should have given in the execution before.
const KEPT: Code = Code::MAX - 1;
/// A site whose operands another one looks at, …
const WATCHED: Code = Code::MAX - 2;
/// … a statement that is not done while a condition does not hold that is passed all the same, …
const GATED: Code = Code::MAX - 3;
/// … and a number that is 0 then.
const ZEROED: Code = Code::MAX - 4;

impl SiteKind {
    /// What a site of this kind can do wrong.
    #[must_use]
    pub const fn wrongs(self) -> &'static [Wrong] {
        match self {
            SiteKind::Add => &[Wrong::Left, Wrong::Right, Wrong::Opposite, Wrong::Narrower],
            SiteKind::Sub => &[Wrong::Left, Wrong::Opposite, Wrong::Swapped],
            SiteKind::Mul => &[Wrong::Left, Wrong::Right, Wrong::Narrower],
            SiteKind::And => &[Wrong::Left, Wrong::Right, Wrong::Or],
            SiteKind::Or => &[Wrong::Left, Wrong::Right, Wrong::And, Wrong::Xor],
            SiteKind::Xor => &[Wrong::Left, Wrong::Right, Wrong::Or, Wrong::And],
            SiteKind::Shl => &[Wrong::Left, Wrong::More, Wrong::Less],
            SiteKind::Shr => &[Wrong::Left, Wrong::More, Wrong::Less, Wrong::Sign],
            SiteKind::Abs => &[Wrong::Left],
            SiteKind::Not => &[Wrong::Left, Wrong::Negated],
            SiteKind::Zero => &[Wrong::KeepsTop],
            SiteKind::Order => &[Wrong::Swapped],
            SiteKind::Neg => &[Wrong::Left, Wrong::Complement],
            SiteKind::Div | SiteKind::Rem => &[Wrong::Left, Wrong::Opposite],
            SiteKind::Both => &[Wrong::Or],
            SiteKind::Either => &[Wrong::And, Wrong::Xor],
            SiteKind::Min | SiteKind::Max => &[Wrong::Left, Wrong::Right],
            SiteKind::Clamp => &[Wrong::Left, Wrong::LowerBound, Wrong::UpperBound],
            SiteKind::Count => &[Wrong::More, Wrong::Less],
            SiteKind::Condition => &[Wrong::Never, Wrong::Always, Wrong::Inverted],
            SiteKind::Boundary => &[Wrong::Equality],
            SiteKind::Truth => &[Wrong::Inverted],
            SiteKind::Set
            | SiteKind::Variable
            | SiteKind::Arm
            | SiteKind::Entry
            | SiteKind::Pair
            | SiteKind::OneOf
            | SiteKind::Changed
            | SiteKind::Copy
            | SiteKind::Place
            | SiteKind::Equal
            | SiteKind::Way
            | SiteKind::Named
            | SiteKind::Sooner
            | SiteKind::Part
            | SiteKind::Grouped
            | SiteKind::Value
            | SiteKind::Branch
            | SiteKind::Skip
            | SiteKind::Read
            | SiteKind::Moved
            | SiteKind::Turn
            | SiteKind::Falls => &[],
            SiteKind::Literal | SiteKind::Constant => &[
                Wrong::More,
                Wrong::Less,
                Wrong::WithoutTop,
                Wrong::WithoutBottom,
                Wrong::WithAbove,
                Wrong::Above,
                Wrong::Below,
            ],
            SiteKind::Field => {
                &[Wrong::Zero, Wrong::Ones, Wrong::Above, Wrong::Below, Wrong::Narrower, Wrong::First, Wrong::Other]
            }
            SiteKind::New => &[Wrong::Narrower, Wrong::Zero],
            SiteKind::Index => &[Wrong::First, Wrong::Other, Wrong::Next],
            SiteKind::Range => &[Wrong::Short, Wrong::Late],
            SiteKind::Turns => &[Wrong::Short, Wrong::Late, Wrong::Backwards],
            SiteKind::Statement => &[Wrong::LeftOut],
            SiteKind::Choice | SiteKind::Reading => &[Wrong::Other],
        }
    }
}

/// What one site does wrong: told by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Twist {
    /// The number of the site.
    pub site: u16,
    code: Code,
    /// The call in which alone it is done wrong, counted from one; in all of them if it is 0.
    call: u16,
}

impl Twist {
    /// All that a site can do wrong.
    pub fn all_of(number: usize) -> impl Iterator<Item = Twist> {
        let site = &super::SITES[number];
        let number = u16::try_from(number).expect("there are fewer sites");
        let wrongs = site.kind.wrongs().iter().map(|&wrong| wrong as Code);
        let members = match site.kind {
            // A set of one member without it is a condition that never holds.
            SiteKind::Set if site.members.len() == 1 => &[],
            SiteKind::OneOf | SiteKind::Field | SiteKind::Grouped | SiteKind::Branch => &[],
            SiteKind::Moved | SiteKind::Falls => &[],
            _ => site.members,
        };
        wrongs.chain((WITHOUT..).zip(members).map(|(code, _)| code)).map(move |code| Twist {
            site: number,
            code,
            call: 0,
        })
    }

    /// What else a site that was reached could do wrong, which is not in [`Twist::all_of`].
    pub fn further(number: usize, reached: &Reached) -> impl Iterator<Item = Twist> + use<> {
        let site = &super::SITES[number];
        let of = match site.kind {
            _ if reached.times == 0 => Vec::new(),
            // A field that has a name comes as 0.
            SiteKind::Constant | SiteKind::Named if reached.operands[0] == 0 => Vec::new(),
            kind @ (SiteKind::Literal | SiteKind::Constant | SiteKind::Named) => {
                let right = reached.operands[0];
                let known: Vec<i128> =
                    kind.wrongs().iter().map(|&wrong| wrong_number(wrong, right, u64::BITS)).collect();
                Otherwise::of_number(right, &known)
            }
            SiteKind::Entry => vec![Otherwise::Place],
            SiteKind::Pair | SiteKind::Place => vec![Otherwise::Exchanged],
            SiteKind::OneOf | SiteKind::Grouped | SiteKind::Moved | SiteKind::Falls => {
                (0..).zip(site.members).map(|(member, _)| Otherwise::Member(member)).collect()
            }
            SiteKind::Variable => Otherwise::of_variable(reached).collect(),
            SiteKind::Value => Otherwise::of_value(reached).collect(),
            SiteKind::Read => vec![Otherwise::Stale],
            SiteKind::Statement | SiteKind::Condition => {
                let places = 0..site.beside.len() as u8;
                places.flat_map(|place| [Otherwise::Where(place), Otherwise::WhereNot(place)]).collect()
            }
            SiteKind::Boundary if !site.beside.is_empty() => vec![Otherwise::Exact],
            SiteKind::New => reached.cuts().collect(),
            SiteKind::Branch | SiteKind::Skip => {
                let guarded = |of: fn(u8) -> Otherwise| (0..site.beside.len() as u8).map(of);
                let is_written = |one: &Otherwise| match one {
                    Otherwise::Zeroed(place) => {
                        super::SITES[usize::from(site.beside[usize::from(*place)])].written.is_some()
                    }
                    _ => true,
                };
                let only = guarded(Otherwise::Only).filter(|_| site.beside.len() > 1);
                let besides = (!site.members.is_empty()).then_some(Otherwise::Besides);
                only.chain(guarded(Otherwise::Zeroed).filter(is_written)).chain(besides).collect()
            }
            SiteKind::Range | SiteKind::Turns => Otherwise::OF_TURNS.to_vec(),
            SiteKind::Changed => vec![Otherwise::Before],
            SiteKind::Copy => vec![Otherwise::Again],
            SiteKind::Equal => {
                let of_sums = [Otherwise::Exact, Otherwise::Whole].into_iter().filter(|_| !site.beside.is_empty());
                let low = (1..=4).map(Otherwise::LowBits);
                use Otherwise::{AnyBit, AtLeast, AtMost, OrNext, OrPrevious};
                [AnyBit, AtLeast, AtMost, OrNext, OrPrevious].into_iter().chain(low).chain(of_sums).collect()
            }
            SiteKind::Way => vec![Otherwise::Backwards],
            SiteKind::Arm => (0..pairs(site.members.len())).map(Otherwise::Both).collect(),
            SiteKind::Shr => {
                let widths = [reached.width as u8, bits_of(reached.operands[0]) as u8];
                let signs = widths.into_iter().filter(|&bits| bits > 0).map(Otherwise::Arithmetic);
                Otherwise::SIZES.into_iter().map(Otherwise::Rest).chain([Otherwise::Rounded]).chain(signs).collect()
            }
            SiteKind::Div => Otherwise::SIZES.map(Otherwise::Rest).to_vec(),
            SiteKind::Rem | SiteKind::And => Otherwise::SIZES.map(Otherwise::Quotient).to_vec(),
            SiteKind::Or => {
                let joined = (1..=3).map(Otherwise::Joined).filter(|_| reached.width > 16);
                joined.chain([Otherwise::NothingLeft, Otherwise::NothingRight]).collect()
            }
            SiteKind::Zero => {
                let top = bits_of(reached.operands[0]) as u8;
                top.checked_sub(1).filter(|&bit| bit > 0).map(Otherwise::Kept).into_iter().collect()
            }
            SiteKind::Add => {
                let cuts = reached.cuts();
                let nothing = [Otherwise::NothingLeft, Otherwise::NothingRight];
                let near = [Otherwise::Next, Otherwise::Previous];
                cuts.chain(reached.signs()).chain(nothing).chain(near).chain(Otherwise::SATURATED).collect()
            }
            SiteKind::Field => {
                let others = (0..).zip(site.members).map(|(member, _)| Otherwise::Member(member));
                others.chain(reached.cuts()).chain(reached.signs()).chain(Otherwise::of_few(reached)).collect()
            }
            SiteKind::Sub => reached.cuts().chain(reached.signs()).chain(Otherwise::SATURATED).collect(),
            SiteKind::Neg => vec![Otherwise::Saturated],
            SiteKind::Sooner => vec![Otherwise::Exchanged],
            SiteKind::Part => vec![Otherwise::Before],
            SiteKind::Mul => reached.cuts().chain(reached.signs()).collect(),
            SiteKind::Shl | SiteKind::Index => reached.cuts().collect(),
            _ => Vec::new(),
        };
        let number = u16::try_from(number).expect("there are fewer sites");
        of.into_iter().map(move |of| Twist { site: number, code: of.code(), call: 0 })
    }

    /// The same in one call of the function that it is in, or of one around that, if others came to the site too.
    pub fn in_calls(self, reached: &Reached) -> impl Iterator<Item = Twist> + use<> {
        reached.some_calls().into_iter().map(move |call| Twist { call: call + 1, ..self })
    }

    /// The call in which alone it is done wrong, by its number in `CALLS`.
    #[must_use]
    pub fn call(self) -> Option<usize> {
        usize::from(self.call).checked_sub(1)
    }

    /// The same in all calls.
    #[must_use]
    pub fn anywhere(self) -> Twist {
        Twist { call: 0, ..self }
    }

    /// What else the site is or does, if it is one of [`Twist::further`].
    #[must_use]
    pub fn otherwise(self) -> Option<Otherwise> {
        match super::site_of(self).kind {
            _ if self.code >= FURTHER => Some(Otherwise::of_code(self.code)),
            SiteKind::OneOf | SiteKind::Field | SiteKind::Grouped | SiteKind::Moved | SiteKind::Falls
                if self.code >= WITHOUT =>
            {
                Some(Otherwise::Member((self.code - WITHOUT) as u8))
            }
            SiteKind::Literal | SiteKind::Constant | SiteKind::Named if self.code >= WITHOUT => {
                Some(Otherwise::of_code(self.code))
            }
            _ => None,
        }
    }

    /// What a number becomes that is written down.
    #[must_use]
    pub fn number(self, number: i128) -> i128 {
        match self.otherwise() {
            Some(otherwise) => otherwise.number(number),
            None => wrong_number(wrong(self.code), number, u64::BITS),
        }
    }

    /// The bits of a result that are lost; all of them if it is not known which.
    pub(super) fn bits_lost(self) -> i128 {
        match self.otherwise() {
            Some(Otherwise::Cut(bits) | Otherwise::Below(bits)) => !ones(bits.into()),
            Some(Otherwise::Dropped(bit)) => 1 << bit,
            _ => -1,
        }
    }

    /// The sites beside it that it looks at, or that follow it.
    pub(super) fn companions(self) -> Vec<(u16, u16)> {
        let beside = super::site_of(self).beside;
        let gated = |place: u8| {
            let chosen = beside[usize::from(place)];
            let others = beside.iter().filter(move |&&other| other != chosen).map(|&other| (other, GATED));
            (chosen, others.collect::<Vec<_>>())
        };
        match self.otherwise() {
            Some(Otherwise::Only(place)) => gated(place).1,
            Some(Otherwise::Zeroed(place)) => {
                let (chosen, mut others) = gated(place);
                others.extend(super::SITES[usize::from(chosen)].written.map(|written| (written, ZEROED)));
                others
            }
            Some(Otherwise::Where(place) | Otherwise::WhereNot(place)) => vec![(beside[usize::from(place)], WATCHED)],
            Some(Otherwise::Exact | Otherwise::Whole) => beside.iter().map(|&sum| (sum, WATCHED)).collect(),
            _ => Vec::new(),
        }
    }

    /// What is done wrong; for a set, the member that is left out, for a variable the other one, and for a `match` which
    /// arm is taken for which.
    ///
    /// # Errors
    /// That member.
    ///
    /// # Panics
    /// If it is one of [`Twist::further`].
    pub fn wrong(self) -> Result<Wrong, &'static str> {
        let members = super::site_of(self).members;
        if self.code >= WITHOUT { Err(members[usize::from(self.code - WITHOUT)]) } else { Ok(wrong(self.code)) }
    }
}

/// How many other arms an arm of a `match` of so many is taken for: all, if they are few, or else the next one.
const fn others(arms: u8) -> u8 {
    if arms <= 6 { arms - 1 } else { 1 }
}

/// How many arms a `match` with so many members has; none if they are many.
const fn arms_of(members: usize) -> usize {
    let mut arms = 2;
    while arms <= 6 && arms * (arms - 1) != members {
        arms += 1;
    }
    if arms > 6 { 0 } else { arms }
}

/// How many pairs of arms it has.
const fn pairs(members: usize) -> u8 {
    (arms_of(members) * arms_of(members).saturating_sub(1) / 2) as u8
}

/// The arms of a pair, of so many members.
fn pair(number: u8, members: usize) -> (usize, usize) {
    let arms = arms_of(members);
    let all = (0..arms).flat_map(|one| (one + 1..arms).map(move |other| (one, other)));
    all.clone().nth(number.into()).unwrap_or_default()
}

/// The member that says that the first arm of a pair is taken for the second.
#[must_use]
pub fn member_of_pair(number: u8, members: usize) -> usize {
    let (one, other) = pair(number, members);
    one * (arms_of(members) - 1) + other - one - 1
}

/// The arm that is taken for another one, and that other one, of so many.
const fn taken(member: u8, arms: u8) -> (u8, u8) {
    let from = member / others(arms);
    (from, (from + 1 + member % others(arms)) % arms)
}

/// Every [`Wrong`], by its number from one.
const WRONGS: [Wrong; 34] = [
    Wrong::Left,
    Wrong::Right,
    Wrong::Opposite,
    Wrong::Swapped,
    Wrong::Or,
    Wrong::And,
    Wrong::Narrower,
    Wrong::More,
    Wrong::Less,
    Wrong::WithoutTop,
    Wrong::WithoutBottom,
    Wrong::WithAbove,
    Wrong::Never,
    Wrong::Always,
    Wrong::Inverted,
    Wrong::Equality,
    Wrong::Zero,
    Wrong::Ones,
    Wrong::Above,
    Wrong::Below,
    Wrong::First,
    Wrong::Other,
    Wrong::Next,
    Wrong::LeftOut,
    Wrong::Short,
    Wrong::Late,
    Wrong::Sign,
    Wrong::LowerBound,
    Wrong::UpperBound,
    Wrong::Xor,
    Wrong::Complement,
    Wrong::Negated,
    Wrong::KeepsTop,
    Wrong::Backwards,
];

const fn wrong(code: Code) -> Wrong {
    WRONGS[code as usize - 1]
}

/// What is done wrong.
///
/// # Errors
/// If it is none of those, what it is otherwise.
fn done(code: Code) -> Result<Wrong, Otherwise> {
    if code >= FURTHER { Err(Otherwise::of_code(code)) } else { Ok(wrong(code)) }
}

/// Turns that all loops of an execution may take together: several times what the longest takes.
pub(super) const FUEL: u32 = 50_000;

/// Calls that are looked at, one within the other.
const MOST_CALLS: usize = 12;

thread_local! {
    static CALLED: [Cell<Entered>; MOST_CALLS] = const { [const { Cell::new(Entered { call: 0, stack: 0 }) }; MOST_CALLS] };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static IN_CALLS: [Cell<u16>; NUM_SITES] = const { [const { Cell::new(0) }; NUM_SITES] };
    static CODES: [Cell<Code>; NUM_SITES] = const { [const { Cell::new(0) }; NUM_SITES] };
    static FUEL_LEFT: Cell<u32> = const { Cell::new(FUEL) };
    static ONLY: Cell<Only> = const { Cell::new(Only { operands: [None; 2], time: None }) };
    static TIMES: Cell<u32> = const { Cell::new(0) };
    static IS_OFF: Cell<bool> = const { Cell::new(false) };
    static WATCHES: RefCell<Vec<(u16, Watched)>> = const { RefCell::new(Vec::new()) };
    static INSISTS: Cell<bool> = const { Cell::new(false) };
    static OTHERS: RefCell<Others> = const { RefCell::new(Others { thread_config: Vec::new(), config: Vec::new(), small: None }) };
    static KEEPS: RefCell<Vec<Keep>> = const { RefCell::new(Vec::new()) };
    static NOTES: RefCell<Notes> =
        const { RefCell::new(Notes { known: Vec::new(), now: Noted { turns: 0, sites: Vec::new(), times: 0 } }) };
}

/// With which operands, and which time that an execution comes to it, a site does something wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// The operands; those that are not said do not matter.
    pub operands: [Option<i128>; 2],
    /// The time, counted from 0 over all twisted sites of an execution; each if it is not said.
    pub time: Option<u32>,
}

impl Only {
    fn allows(self, operands: [i128; 2], time: u32) -> bool {
        self.time.is_none_or(|only| only == time)
            && self.operands.iter().zip(operands).all(|(only, operand)| only.is_none_or(|only| only == operand))
    }
}

/// What is known of a site after cases that reached it.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// How often.
    pub times: u64,
    /// Its operands at one of these times, each of which has the same chance.
    pub operands: [i128; 2],
    /// A bit for each thing done wrong, in the order of [`Twist::all_of`], that would have given another result at the site.
    pub matters: u32,
    /// The bits that any of its results had, if they were numbers, and their width.
    seen: i128,
    unseen: i128,
    width: u32,
    /// The calls in which it was reached, one within the other, and how often.
    stacks: Vec<Stack>,
    /// Which of them was the last.
    last: usize,
    /// Whether the execution that is running reached it.
    is_touched: bool,
}

/// Calls one within the other: their fingerprint, they, and how often a site was reached in them.
#[derive(Clone, Debug)]
struct Stack {
    print: u32,
    calls: Vec<u16>,
    times: u64,
}

/// A call that was entered, and the fingerprint of all that are entered.
#[derive(Clone, Copy, Debug)]
struct Entered {
    call: u16,
    stack: u32,
}

impl Reached {
    /// Notes in which calls it was reached.
    fn note_calls(&mut self) {
        let print = entered().map_or(0, |last| last.stack);
        if self.stacks.get(self.last).is_none_or(|last| last.print != print) {
            // They mostly come in the order in which they came first.
            self.last = (self.last + 1..self.stacks.len())
                .chain(0..self.last.min(self.stacks.len()))
                .find(|&place| self.stacks[place].print == print)
                .unwrap_or(self.stacks.len());
            if self.last == self.stacks.len() {
                self.stacks.push(Stack { print, calls: calls().collect(), times: 0 });
            }
        }
        self.stacks[self.last].times += 1;
    }

    /// Whether it was reached in a call.
    pub(super) fn is_within(&self, call: u16) -> bool {
        self.stacks.iter().any(|stack| stack.calls.contains(&call))
    }

    /// Whether a result had any of these bits; all of them are had by whatever came.
    pub(super) fn had_any(&self, bits: i128) -> bool {
        bits == -1 || self.seen & bits != 0
    }

    /// The bits that its results had, …
    pub(super) fn seen(&self) -> i128 {
        self.seen & ones(self.width)
    }

    /// … those that they lacked, …
    pub(super) fn unseen(&self) -> i128 {
        self.unseen & ones(self.width)
    }

    /// … and how many there are.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// The calls in which it was reached, if it was reached in others too.
    fn some_calls(&self) -> BTreeSet<u16> {
        let times = |call: u16| {
            let within = self.stacks.iter().filter(|stack| stack.calls.contains(&call));
            within.map(|stack| stack.times).sum::<u64>()
        };
        let all = self.stacks.iter().flat_map(|stack| stack.calls.iter().copied());
        all.filter(|&call| times(call) < self.times).collect()
    }

    /// Widths with a sign that would have changed one of its results.
    fn signs(&self) -> impl Iterator<Item = Otherwise> + use<> {
        let (seen, width) = (self.seen, self.width);
        let widths =
            [8, 12, 16, 24, 32].into_iter().filter(move |&bits| u32::from(bits) < width && seen >> (bits - 1) != 0);
        widths.map(Otherwise::Signed)
    }

    /// Widths that would have lost bits of its results. A bit narrower than its type is another mistake.
    fn cuts(&self) -> impl Iterator<Item = Otherwise> + use<> {
        let (seen, width) = (self.seen.max(0), self.width);
        let widths = (1..=Otherwise::MOST_BITS).chain([24, 32]);
        let widths = widths.filter(move |&bits| seen >> bits != 0 && u32::from(bits) + 1 != width);
        widths.map(Otherwise::Cut)
    }
}

/// What an execution reached.
#[derive(Debug, Default)]
pub struct Noted {
    /// Turns that its loops took.
    pub turns: u32,
    /// The sites, by number.
    pub sites: Vec<u16>,
    /// How often it came to one.
    pub times: u64,
}

/// Of all executions together what is known of each site, and of the one that is running what it reached.
#[derive(Default)]
struct Notes {
    known: Vec<Reached>,
    now: Noted,
}

/// For each site a bit for each thing that can be done wrong there.
static EVERYTHING: LazyLock<Vec<u32>> =
    LazyLock::new(|| (0..NUM_SITES).map(|site| Twist::all_of(site).fold(0, |all, _| all << 1 | 1)).collect());

/// The words of all threads and of all banks before an execution, for who reads those of another.
#[derive(Default)]
pub(super) struct Others {
    pub(super) thread_config: Vec<ThreadConfigWords>,
    pub(super) config: Vec<ConfigWords>,
    /// All registers, for who reads them as they were.
    pub(super) small: Option<Box<Small>>,
}

type ThreadConfigWords = [u16; tandem_isa::tensix::config::THREAD_CONFIG_WORDS];
type ConfigWords = [u32; tandem_isa::tensix::config::CONFIG_WORDS];

impl Others {
    /// Sets those of this thread.
    pub(super) fn set(self) {
        OTHERS.set(self);
    }
}

/// What a site that keeps should have given in the last execution that came to it, and what it should give in this one.
#[derive(Clone, Debug)]
pub(super) struct Keep {
    pub(super) site: u16,
    old: Vec<i128>,
    new: Vec<i128>,
}

impl Keep {
    /// Of a site that nothing came to yet.
    pub(super) fn new(site: u16) -> Self {
        Keep { site, old: Vec::new(), new: Vec::new() }
    }

    /// Notes what should be given and says what is: what was at the same time of the execution before, or last in it.
    fn swap(&mut self, right: i128) -> Option<i128> {
        let time = self.new.len();
        self.new.push(right);
        self.old.get(time).or(self.old.last()).copied()
    }

    fn end(&mut self) {
        if !self.new.is_empty() {
            self.old = std::mem::take(&mut self.new);
        }
    }
}

/// While it lives, this thread does wrong what it was made with.
pub(super) struct Followed<'a> {
    twists: &'a [Twist],
    companions: &'a [(u16, u16)],
    keeps: &'a mut Vec<Keep>,
}

impl<'a> Followed<'a> {
    /// Has this thread do wrong what `twists` say, where `only` allows it, and keep what `keeps` says. Loops have so many turns, and
    /// what `insists` does something though nothing is promised.
    pub(super) fn new(
        (twists, companions): (&'a [Twist], &'a [(u16, u16)]),
        only: Only,
        keeps: &'a mut Vec<Keep>,
        (turns, insists): (u32, bool),
    ) -> Self {
        Self::set(companions.iter().copied());
        IS_OFF.set(false);
        WATCHES.with_borrow_mut(Vec::clear);
        Self::set(keeps.iter().map(|keep| (keep.site, KEPT)));
        Self::set(twists.iter().map(|twist| (twist.site, twist.code)));
        IN_CALLS.with(|calls| twists.iter().for_each(|twist| calls[usize::from(twist.site)].set(twist.call)));
        KEEPS.set(std::mem::take(keeps));
        ONLY.set(only);
        TIMES.set(0);
        DEPTH.set(0);
        FUEL_LEFT.set(turns);
        INSISTS.set(insists);
        Followed { twists, companions, keeps }
    }

    fn set(codes_of: impl Iterator<Item = (u16, Code)>) {
        CODES.with(|codes| codes_of.for_each(|(site, code)| codes[usize::from(site)].set(code)));
    }
}

impl Drop for Followed<'_> {
    fn drop(&mut self) {
        *self.keeps = KEEPS.take();
        self.keeps.iter_mut().for_each(Keep::end);
        INSISTS.set(false);
        Self::set(
            self.twists
                .iter()
                .map(|twist| twist.site)
                .chain(self.companions.iter().map(|(site, _)| *site))
                .chain(self.keeps.iter().map(|keep| keep.site))
                .map(|site| (site, 0)),
        );
    }
}

/// Adds to `reached` which of some sites `run` reaches.
pub(super) fn note(
    reached: &mut Vec<Reached>,
    sites: impl Iterator<Item = usize> + Clone,
    run: impl FnOnce(),
) -> Noted {
    let set = |code| CODES.with(|codes| sites.clone().for_each(|site| codes[site].set(code)));
    reached.resize(NUM_SITES, Reached::default());
    NOTES.set(Notes { known: std::mem::take(reached), now: Noted::default() });
    set(NOTED);
    DEPTH.set(0);
    FUEL_LEFT.set(FUEL);
    run();
    set(0);
    let Notes { known, mut now } = NOTES.take();
    now.turns = FUEL - FUEL_LEFT.get();
    *reached = known;
    now.sites.iter().for_each(|&site| reached[usize::from(site)].is_touched = false);
    now
}

/// What comes of a site: `of` gives it, right without a code and else wrong in that way.
#[inline(always)]
fn at<T: Same>(number: usize, operands: [i128; 2], of: impl Fn(Option<Code>) -> T) -> T {
    let code = CODES.with(|codes| codes[number].get());
    if code == 0 { of(None) } else { wrong_at(number, code, operands, of) }
}

#[cold]
fn wrong_at<T: Same>(number: usize, code: Code, operands: [i128; 2], of: impl Fn(Option<Code>) -> T) -> T {
    if code == KEPT {
        let right = of(None);
        let Some(value) = right.number() else { return right };
        let is_it = |keep: &&mut Keep| usize::from(keep.site) == number;
        let kept = KEEPS.with_borrow_mut(|keeps| keeps.iter_mut().find(is_it)?.swap(value));
        return kept.and_then(T::of_number).unwrap_or(right);
    }
    if code == WATCHED {
        let right = of(None);
        watch(number, Watched { operands, result: right.number().unwrap_or_default(), width: right.width() });
        return right;
    }
    if code == GATED || code == ZEROED {
        return of(IS_OFF.get().then_some(if code == GATED { Wrong::LeftOut as Code } else { Otherwise::Zero.code() }));
    }
    if code != NOTED {
        let call = IN_CALLS.with(|calls| calls[number].get());
        if call != 0 && !calls().any(|other| other == call - 1) {
            return of(None);
        }
        let time = TIMES.get();
        TIMES.set(time.wrapping_add(1));
        return of(ONLY.get().allows(operands, time).then_some(code));
    }
    let known = NOTES.with_borrow_mut(|Notes { known, now }| {
        let reached = &mut known[number];
        now.times += 1;
        if !reached.is_touched {
            reached.is_touched = true;
            now.sites.push(u16::try_from(number).expect("there are fewer sites"));
        }
        reached.times += 1;
        reached.note_calls();
        // Each of n has a chance of one in n to be the one that is kept.
        if tandem_isa::mix64(reached.times ^ (number as u64) << 32).is_multiple_of(reached.times) {
            reached.operands = operands;
        }
        reached.matters
    });
    // What is looked at may come to other sites, so nothing is borrowed meanwhile.
    let right = of(None);
    if let Some(result) = right.number() {
        NOTES.with_borrow_mut(|notes| {
            let reached = &mut notes.known[number];
            reached.seen |= result;
            reached.unseen |= !result;
            reached.width = right.width();
        });
    }
    if known == EVERYTHING[number] {
        return right;
    }
    let all = Twist::all_of(number).enumerate();
    let matters = all.filter(|(place, twist)| known >> place & 1 == 0 && !of(Some(twist.code)).is(&right));
    let matters = matters.fold(0, |matters, (place, _)| matters | 1 << place);
    if matters != 0 {
        NOTES.with_borrow_mut(|notes| notes.known[number].matters |= matters);
    }
    right
}

/// What a site came to last.
#[derive(Clone, Copy)]
struct Watched {
    operands: [i128; 2],
    result: i128,
    width: u32,
}

/// Notes what a site came to and says what it came to before.
fn watch(number: usize, now: Watched) -> Option<Watched> {
    let site = number as u16;
    WATCHES.with_borrow_mut(|watches| match watches.iter_mut().find(|(other, _)| *other == site) {
        Some((_, last)) => Some(std::mem::replace(last, now)),
        None => {
            watches.push((site, now));
            None
        }
    })
}

/// Whether a condition beside a site held last; nothing if that is not asked.
fn holds_beside(number: usize, code: Code) -> Option<bool> {
    if code < FURTHER {
        return None;
    }
    let (place, is_wanted) = match done(code) {
        Err(Otherwise::Where(place)) => (place, 1),
        Err(Otherwise::WhereNot(place)) => (place, 0),
        _ => return None,
    };
    let condition = super::SITES[number].beside[usize::from(place)];
    let last = |watches: &Vec<(u16, Watched)>| watches.iter().find(|(site, _)| *site == condition).copied();
    let held = |(site, watched): (u16, Watched)| match super::SITES[usize::from(site)].kind {
        // Of turns, whether it is one of the first half.
        SiteKind::Turn => i128::from(2 * watched.operands[0] < watched.operands[1]),
        _ => watched.result,
    };
    Some(WATCHES.with_borrow(last).is_some_and(|watched| held(watched) == is_wanted))
}

/// The exact value of a number that is the last result of a sum beside a site: what it was before it wrapped.
fn exact_beside<T: Bits>(number: usize, value: T) -> i128 {
    let sums = super::SITES[number].beside;
    let with = |raw: i128, width| if T::IS_SIGNED { with_sign(raw, width) } else { raw & ones(width) };
    let is_it = |(site, last): &&(u16, Watched)| {
        sums.contains(site) && last.width == T::WIDTH && with(last.result, last.width) == value.raw()
    };
    WATCHES.with_borrow(|watches| {
        let Some((site, last)) = watches.iter().rev().find(is_it) else { return value.raw() };
        let [left, right] = last.operands.map(|operand| with(operand, last.width));
        match super::SITES[usize::from(*site)].kind {
            SiteKind::Add => left.wrapping_add(right),
            SiteKind::Sub => left.wrapping_sub(right),
            SiteKind::Mul => left.wrapping_mul(right),
            SiteKind::Neg => left.wrapping_neg(),
            _ => value.raw(),
        }
    })
}

/// Whether the number that was masked last beside a site is its mask.
fn has_whole_beside(number: usize) -> Option<bool> {
    let sums = super::SITES[number].beside;
    let is_it =
        |(site, _): &&(u16, Watched)| sums.contains(site) && super::SITES[usize::from(*site)].kind == SiteKind::And;
    let masked = WATCHES.with_borrow(|watches| watches.iter().find(is_it).copied());
    masked.map(|(_, masked)| masked.operands[0] == masked.operands[1])
}

/// The calls that are being executed, from the inside out.
fn calls() -> impl Iterator<Item = u16> {
    (0..DEPTH.get().min(MOST_CALLS)).rev().map(|depth| CALLED.with(|called| called[depth].get().call))
}

/// The last call that was entered, if it is among those that are looked at.
fn entered() -> Option<Entered> {
    let last = DEPTH.get().min(MOST_CALLS).checked_sub(1)?;
    Some(CALLED.with(|called| called[last].get()))
}

/// A call with this number begins: how many there are around it.
#[inline(always)]
pub fn enter(call: usize) -> usize {
    let outer = DEPTH.get();
    if outer < MOST_CALLS {
        let around = entered().map_or(0, |last| last.stack);
        let stack = (around ^ (call as u32 + 1)).wrapping_mul(0x9e37_79b1).rotate_left(13);
        CALLED.with(|called| called[outer].set(Entered { call: call as u16, stack }));
    }
    DEPTH.set(outer + 1);
    outer
}

/// It ends.
#[inline(always)]
pub fn leave(outer: usize) {
    DEPTH.set(outer);
}

/// What can be compared.
trait Same: Sized {
    fn is(&self, other: &Self) -> bool;

    /// The number that it is, if it is one, …
    fn number(&self) -> Option<i128> {
        None
    }

    /// … and back.
    fn of_number(_: i128) -> Option<Self> {
        None
    }

    /// Its width, in bits, if it is one.
    fn width(&self) -> u32 {
        0
    }
}

impl<T: Bits> Same for T {
    fn is(&self, other: &Self) -> bool {
        self.raw() == other.raw()
    }

    fn number(&self) -> Option<i128> {
        Some(self.raw())
    }

    fn of_number(number: i128) -> Option<Self> {
        Some(T::cut(number))
    }

    fn width(&self) -> u32 {
        T::WIDTH
    }
}

impl<T: Bits> Same for std::ops::Range<T> {
    fn is(&self, other: &Self) -> bool {
        self.start.is(&other.start) && self.end.is(&other.end)
    }
}

/// An integer of some width.
pub trait Bits: Copy {
    /// Its width, in bits.
    const WIDTH: u32;
    /// Whether it can be negative.
    const IS_SIGNED: bool = false;
    /// Its value.
    fn raw(self) -> i128;
    /// The low bits of a value.
    fn cut(raw: i128) -> Self;
}

macro_rules! bits {
    ($($integer:ident)*) => {$(
        impl Bits for $integer {
            const WIDTH: u32 = $integer::BITS;
            const IS_SIGNED: bool = $integer::MIN != 0;

            #[inline(always)]
            fn raw(self) -> i128 {
                self as i128
            }

            #[inline(always)]
            fn cut(raw: i128) -> Self {
                raw as $integer
            }
        }
    )*};
}

bits!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128);

impl Bits for bool {
    const WIDTH: u32 = 1;

    #[inline(always)]
    fn raw(self) -> i128 {
        i128::from(self)
    }

    #[inline(always)]
    fn cut(raw: i128) -> Self {
        raw & 1 != 0
    }
}

impl<const N: u32> Bits for U<N> {
    const WIDTH: u32 = N;

    #[inline(always)]
    fn raw(self) -> i128 {
        i128::from(self.get())
    }

    #[inline(always)]
    fn cut(raw: i128) -> Self {
        U::new(raw as u32)
    }
}

/// What can be the second operand of an operator on bits.
pub trait Mask<T>: Bits {}

impl<T: Bits> Mask<T> for T {}
impl<const N: u32> Mask<U<N>> for u32 {}

/// All ones, as many as `width`.
pub(super) const fn ones(width: u32) -> i128 {
    if width >= 127 { -1 } else { (1 << width) - 1 }
}

/// Without the highest bit of its width.
fn narrowed<T: Bits>(value: T) -> T {
    T::cut(value.raw() & ones(T::WIDTH - 1))
}

/// The value of a number that is taken for one with a sign.
fn signed<T: Bits>(value: T) -> i128 {
    with_sign(value.raw(), T::WIDTH)
}

/// The low bits of a number, of which the highest one is a sign.
pub(super) fn with_sign(number: i128, bits: u32) -> i128 {
    let raw = number & ones(bits);
    if raw >> (bits - 1) & 1 != 0 { raw | !ones(bits) } else { raw }
}

/// An operator on two numbers, before its result is cut.
fn whole(plain: fn(i128, i128) -> i128, left: i128, right: i128) -> i128 {
    plain(left, right)
}

/// An operator on two numbers that are taken for such with a sign.
fn of_signed<T: Bits, R: Bits>(plain: fn(i128, i128) -> i128, left: T, right: R) -> i128 {
    plain(signed(left), signed(right))
}

/// The nearest number with a sign.
fn saturated<T: Bits>(value: i128) -> T {
    T::cut(value.clamp(!ones(T::WIDTH - 1), ones(T::WIDTH - 1)))
}

macro_rules! operator {
    ($name:ident, $plain:expr $(, $wrong:ident => $does:expr)*) => {
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline(always)]
        pub fn $name<T: Bits, R: Mask<T>>(site: usize, left: T, right: R) -> T {
            let (a, b) = (left.raw(), right.raw());
            let of = |plain: fn(i128, i128) -> i128| T::cut(plain(a, b));
            at(site, [a, b], |code| match code.map(done) {
                None => of($plain),
                Some(Err(Otherwise::Saturated)) => saturated(of_signed($plain, left, right)),
                Some(Err(Otherwise::SaturatedUnsigned)) => T::cut(whole($plain, a, b).clamp(0, ones(T::WIDTH))),
                Some(Err(otherwise)) => T::cut(otherwise.result([a, b], of($plain).raw())),
                Some(Ok(Wrong::Left)) => left,
                Some(Ok(Wrong::Right)) => T::cut(b),
                Some(Ok(Wrong::Narrower)) => narrowed(of($plain)),
                $(Some(Ok(Wrong::$wrong)) => of($does),)*
                Some(Ok(_)) => of($plain),
            })
        }
    };
}

operator!(add, |a, b| a.wrapping_add(b), Opposite => |a, b| a.wrapping_sub(b));
operator!(sub, |a, b| a.wrapping_sub(b), Opposite => |a, b| a.wrapping_add(b), Swapped => |a, b| b.wrapping_sub(a));
operator!(mul, |a, b| a.wrapping_mul(b));
operator!(and, |a, b| a & b, Or => |a, b| a | b);
operator!(or, |a, b| a | b, And => |a, b| a & b, Xor => |a, b| a ^ b);
operator!(div, |a, b| a.checked_div(b).unwrap_or(0), Opposite => |a, b| a.checked_rem(b).unwrap_or(0));
operator!(rem, |a, b| a.checked_rem(b).unwrap_or(0), Opposite => |a, b| a.checked_div(b).unwrap_or(0));
operator!(xor, |a, b| a ^ b, Or => |a, b| a | b, And => |a, b| a & b);
operator!(min, |a, b| a.min(b));
operator!(max, |a, b| a.max(b));

/// How far a shift goes, which may be done wrong.
#[inline(always)]
fn distance(code: Option<Code>, distance: i128) -> i128 {
    match code.map(done) {
        Some(Ok(Wrong::Left)) => 0,
        Some(Ok(Wrong::More)) => distance + 1,
        Some(Ok(Wrong::Less)) => (distance - 1).max(0),
        _ => distance,
    }
}

/// The result of a shift, which may be something else.
fn shifted<T: Bits>(code: Option<Code>, operands: [i128; 2], result: T) -> T {
    match code.map(done) {
        Some(Err(otherwise)) => T::cut(otherwise.result(operands, result.raw())),
        _ => result,
    }
}

/// `left << right`.
#[inline(always)]
pub fn shl<T: Bits, R: Bits>(site: usize, left: T, right: R) -> T {
    let operands @ [value, _] = [left.raw(), right.raw()];
    at(site, operands, |code| {
        let distance = distance(code, right.raw());
        let is_within = (0..i128::from(T::WIDTH)).contains(&distance);
        shifted(code, operands, T::cut(if is_within { value.wrapping_shl(distance as u32) } else { 0 }))
    })
}

/// `left >> right`.
#[inline(always)]
pub fn shr<T: Bits, R: Bits>(site: usize, left: T, right: R) -> T {
    let operands @ [value, _] = [left.raw(), right.raw()];
    at(site, operands, |code| {
        // A number with a sign brings it in, unless that is what is wrong.
        let is_wrong = code.map(done) == Some(Ok(Wrong::Sign));
        let value = if is_wrong && T::IS_SIGNED { value & ones(T::WIDTH) } else { value };
        let distance = distance(code, right.raw()).clamp(0, 127) as u32;
        // The widest numbers have no room for a sign.
        let is_wide = T::WIDTH == 128 && !T::IS_SIGNED;
        let result = if is_wide {
            value.cast_unsigned().wrapping_shr(distance).cast_signed()
        } else {
            value.wrapping_shr(distance)
        };
        shifted(code, operands, T::cut(result))
    })
}

macro_rules! sign {
    ($name:ident, $of:expr) => {
        #[doc = concat!("What `", stringify!($name), "` makes of a number.")]
        #[inline(always)]
        pub fn $name<T: Bits>(site: usize, x: T) -> T {
            let of: fn(i128) -> i128 = $of;
            at(site, [x.raw(), 0], |code| match code.map(done) {
                None => T::cut(of(x.raw())),
                Some(Err(_)) => saturated(of(signed(x))),
                Some(Ok(Wrong::Complement)) => T::cut(!x.raw()),
                Some(Ok(Wrong::Negated)) => T::cut(x.raw().wrapping_neg()),
                Some(_) => x,
            })
        }
    };
}

sign!(not, |x| !x);
sign!(neg, |x| x.wrapping_neg());
sign!(abs, |x| x.wrapping_abs());

/// `a && b`.
#[inline(always)]
pub fn both(site: usize, a: bool, b: impl Fn() -> bool) -> bool {
    at(site, [i128::from(a), 0], |code| if code.is_some() { a || b() } else { a && b() })
}

/// `a || b`.
#[inline(always)]
pub fn either(site: usize, a: bool, b: impl Fn() -> bool) -> bool {
    at(site, [i128::from(a), 0], |code| match code.map(wrong) {
        None => a || b(),
        Some(Wrong::And) => a && b(),
        Some(_) => a != b(),
    })
}

/// `x.clamp(lowest, highest)`.
#[inline(always)]
pub fn clamp<T: Bits>(site: usize, x: T, lowest: T, highest: T) -> T {
    let (value, lowest, highest) = (x.raw(), lowest.raw(), highest.raw());
    at(site, [value, 0], |code| {
        T::cut(match code.map(wrong) {
            Some(Wrong::Left) => value,
            Some(Wrong::LowerBound) => value.max(lowest),
            Some(Wrong::UpperBound) => value.min(highest),
            _ => value.max(lowest).min(highest),
        })
    })
}

/// A count of bits.
#[inline(always)]
pub fn count<T: Bits>(site: usize, count: T) -> T {
    literal(site, count)
}

/// `a`, where `b` is asked after it, and perhaps goes before it.
#[inline(always)]
pub fn sooner(site: usize, a: bool, b: impl Fn() -> bool) -> bool {
    at(site, [i128::from(a), 0], |code| a && !(code.is_some() && b()))
}

/// A condition.
#[inline(always)]
pub fn when(site: usize, condition: bool) -> bool {
    at(site, [i128::from(condition), 0], |code| match code.map(done) {
        None => condition,
        Some(Ok(Wrong::Never)) => false,
        Some(Ok(Wrong::Always)) => true,
        Some(Ok(_)) => !condition,
        Some(Err(_)) => condition && code.and_then(|code| holds_beside(site, code)).unwrap_or(true),
    })
}

/// A condition that guards something: what is done where it holds may be done all the same.
#[inline(always)]
pub fn branch(site: usize, condition: bool) -> bool {
    at(site, [i128::from(condition), 0], |code| match code.map(done) {
        Some(Err(Otherwise::Only(_) | Otherwise::Zeroed(_))) => {
            IS_OFF.set(!condition);
            true
        }
        _ => condition,
    })
}

/// A condition under which the rest is skipped, which may be done all the same.
#[inline(always)]
pub fn skip(site: usize, condition: bool) -> bool {
    !branch(site, !condition)
}

/// Whether what stands behind an `else` is done, of a condition.
#[inline(always)]
pub fn besides(site: usize, condition: bool) -> bool {
    at(site, [i128::from(condition), 0], |code| !condition || code.map(done) == Some(Err(Otherwise::Besides)))
}

/// What is read of the state; of the state before the instruction if that is what is wrong.
#[inline(always)]
pub fn read<T: Copy>(site: usize, now: T, of: impl Fn(&Small) -> T) -> T {
    if does(site) {
        return now;
    }
    OTHERS.with_borrow(|others| others.small.as_deref().map_or(now, of))
}

/// Which turn of how many it is, for who asks.
#[inline(always)]
pub fn at_turn<T: Bits>(site: usize, turn: T, end: T) {
    at(site, [turn.raw(), end.raw()], |_| true);
}

/// Whether the last thing that a function does comes first, …
#[inline(always)]
pub fn is_first(site: usize) -> bool {
    !does(site)
}

/// … or last.
#[inline(always)]
pub fn is_last(site: usize) -> bool {
    does(site)
}

/// A row of which one datum is written, and perhaps zeros beside it.
#[inline(always)]
pub fn alone<T: Bits, const N: usize>(site: usize, row: &mut [T; N]) {
    if !does(site) {
        row.fill(T::cut(0));
    }
}

/// The arms that are gone through, from the one that is meant on.
#[inline(always)]
pub fn falls(site: usize, arm: usize, num_arms: usize) -> impl Iterator<Item = usize> {
    let second = at(site, [arm as i128, 0], |code| {
        let place = code.map(|code| usize::from(code.saturating_sub(WITHOUT)));
        match place {
            Some(place) if place == arm && arm + 1 < num_arms => arm + 1,
            Some(place) if place == arm + num_arms - 1 => num_arms - 1,
            _ => num_arms,
        }
    });
    [arm, second].into_iter().filter(move |&arm| arm < num_arms)
}

/// In which order so many statements come.
#[inline(always)]
pub fn steps<const N: usize>(site: usize) -> [usize; N] {
    let mut steps = std::array::from_fn(|step| step);
    let moved = at(site, [0, 0], |code| code.map_or(0, |code| usize::from(code.saturating_sub(WITHOUT)) + 1));
    match moved.checked_sub(1) {
        None => {}
        Some(first) if first + 1 < N => steps.swap(first, first + 1),
        Some(last) if last + 1 == N => steps.rotate_right(1),
        Some(_) => steps.rotate_left(1),
    }
    steps
}

macro_rules! comparison {
    ($name:ident, $plain:tt, $other:tt) => {
        #[doc = concat!("`a ", stringify!($plain), " b`.")]
        #[inline(always)]
        pub fn $name<T: Bits + PartialOrd>(site: usize, a: T, b: T) -> bool {
            at(site, [0, 0], |code| match code.map(done) {
                None => a $plain b,
                Some(Err(_)) => exact_beside(site, a) $plain exact_beside(site, b),
                Some(_) => a $other b,
            })
        }
    };
}

comparison!(less, <, <=);
comparison!(less_or_equal, <=, <);
comparison!(greater, >, >=);
comparison!(greater_or_equal, >=, >);

/// Whether the member number `member`, counted from one, is in a set; none is 0.
#[inline(always)]
pub fn set(site: usize, member: u32) -> bool {
    at(site, [i128::from(member), 0], |code| match code {
        Some(code) if u32::from(code - WITHOUT) + 1 == member => false,
        _ => member != 0,
    })
}

/// True or false, written down.
#[inline(always)]
pub fn truth(site: usize, value: bool) -> bool {
    does(site) == value
}

/// A number that is written down.
#[inline(always)]
pub fn literal<T: Bits>(site: usize, number: T) -> T {
    at(site, [number.raw(), 0], |code| match code {
        None => number,
        Some(code) if code >= WITHOUT => T::cut(Otherwise::of_code(code).number(number.raw())),
        Some(code) => T::cut(wrong_number(wrong(code), number.raw(), T::WIDTH)),
    })
}

/// Up to which bit a number goes.
pub(super) const fn bits_of(number: i128) -> u32 {
    if number > 0 { number.ilog2() + 1 } else { 0 }
}

/// Whether a number is a mask.
pub(super) const fn is_mask(number: i128) -> bool {
    number.count_ones() >= 3 && number > 0 || number == 3
}

/// Of a mask its bits go wrong, and of any other number its value.
fn wrong_number(wrong: Wrong, number: i128, width: u32) -> i128 {
    let is_mask = is_mask(number);
    let top = if number > 0 { 1 << number.ilog2() } else { 0 };
    match wrong {
        Wrong::More if !is_mask => number + 1,
        Wrong::Less if !is_mask => number - 1,
        Wrong::WithoutTop if is_mask => number & !top,
        Wrong::WithoutBottom if is_mask => number & (number - 1),
        Wrong::WithAbove if is_mask => number | top << 1 & ones(width),
        _ => number,
    }
}

/// Two that are compared.
pub struct Two<'a, A, B>(pub &'a A, pub &'a B);

/// They are numbers.
pub trait EqualNumbers {
    /// Whether they are equal, or what is taken for that.
    fn are_equal(self, site: usize) -> bool;
}

/// They are not.
pub trait EqualOthers {
    /// Whether they are equal.
    fn are_equal(self, site: usize) -> bool;
}

impl<T: Bits> EqualNumbers for Two<'_, T, T> {
    #[inline(always)]
    fn are_equal(self, site: usize) -> bool {
        let (left, right) = (self.0.raw(), self.1.raw());
        at(site, [left, right], |code| match code.map(done) {
            Some(Err(Otherwise::AnyBit)) => left & right != 0,
            Some(Err(Otherwise::AtLeast)) => left >= right,
            Some(Err(Otherwise::AtMost)) => left <= right,
            Some(Err(Otherwise::OrNext)) => left == right || left == right + 1,
            Some(Err(Otherwise::OrPrevious)) => left == right || left == right - 1,
            Some(Err(Otherwise::LowBits(bits))) => (left ^ right) & ones(bits.into()) == 0,
            Some(Err(Otherwise::Exact)) => exact_beside(site, *self.0) == exact_beside(site, *self.1),
            Some(Err(Otherwise::Whole)) => !has_whole_beside(site).unwrap_or(left != right),
            _ => left == right,
        })
    }
}

impl<A: PartialEq<B>, B> EqualOthers for &Two<'_, A, B> {
    #[inline(always)]
    fn are_equal(self, _: usize) -> bool {
        self.0 == self.1
    }
}

/// Whether two are equal.
macro_rules! equal {
    ($site:expr, $left:expr, $right:expr) => {{
        #[allow(unused_imports, reason = "one of the two is used, by the types")]
        use $crate::site::{EqualNumbers as _, EqualOthers as _, Two};
        (Two(&$left, &$right)).are_equal($site)
    }};
}
pub(crate) use equal;

/// What stands at a place of several, as a number.
pub trait NumberAt<T> {
    /// It, or the place.
    fn or_place(self, site: usize, place: usize) -> T;
}

/// It is none.
pub trait OtherAt<T> {
    /// It.
    fn or_place(self, site: usize, place: usize) -> T;
}

/// What stands at a place.
pub struct At<T>(pub T);

impl<T: Bits> NumberAt<T> for At<T> {
    #[inline(always)]
    fn or_place(self, site: usize, place: usize) -> T {
        at(site, [self.0.raw(), 0], |code| if code.is_some() { T::cut(place as i128) } else { self.0 })
    }
}

impl<T: Copy> OtherAt<T> for &At<T> {
    #[inline(always)]
    fn or_place(self, _: usize, _: usize) -> T {
        self.0
    }
}

/// What stands at a place of several.
macro_rules! entry {
    ($site:expr, $entry:expr, $place:expr) => {{
        #[allow(unused_imports, reason = "one of the two is used, by what stands there")]
        use $crate::site::{At, NumberAt as _, OtherAt as _};
        (At($entry)).or_place($site, $place)
    }};
}
pub(crate) use entry;

/// Two that are taken apart at once.
pub struct Apart<T>(pub Option<T>);

/// They are of one type.
pub trait Exchangeable<T> {
    /// The two, or the other way round.
    fn taken(&mut self, site: usize) -> T;
}

/// They are not.
pub trait Unlike<T> {
    /// The two.
    fn taken(&mut self, site: usize) -> T;
}

const WHOLE: &str = "it is taken once";

impl<T> Exchangeable<(T, T)> for Apart<(T, T)> {
    #[inline(always)]
    fn taken(&mut self, site: usize) -> (T, T) {
        let (first, second) = self.0.take().expect(WHOLE);
        if does(site) { (first, second) } else { (second, first) }
    }
}

impl<T> Exchangeable<[T; 2]> for Apart<[T; 2]> {
    #[inline(always)]
    fn taken(&mut self, site: usize) -> [T; 2] {
        let [first, second] = self.0.take().expect(WHOLE);
        if does(site) { [first, second] } else { [second, first] }
    }
}

impl<T> Unlike<T> for &mut Apart<T> {
    #[inline(always)]
    fn taken(&mut self, _: usize) -> T {
        self.0.take().expect(WHOLE)
    }
}

/// Two that are taken apart.
macro_rules! apart {
    ($site:expr, $two:expr) => {{
        #[allow(unused_imports, reason = "one of the two is used, by the types")]
        use $crate::site::{Apart, Exchangeable as _, Unlike as _};
        (&mut Apart(Some($two))).taken($site)
    }};
}
pub(crate) use apart;

/// A number cut to another type, as `try_from` would if it fit.
#[inline(always)]
pub fn fits<T: Bits, F: Bits>(from: F) -> T {
    T::cut(from.raw())
}

/// A named constant that may be a number.
#[derive(Clone, Copy, Debug)]
pub struct Named<T>(pub usize, pub T);

/// What is a number can be wrong.
pub trait NamedNumber {
    /// The number.
    type Of;
    /// It, right or wrong.
    fn value(self) -> Self::Of;
}

/// What is none stays as it is.
pub trait NamedOther {
    /// The constant.
    type Of;
    /// It.
    fn value(self) -> Self::Of;
}

impl<T: Bits> NamedNumber for Named<T> {
    type Of = T;

    #[inline(always)]
    fn value(self) -> T {
        literal(self.0, self.1)
    }
}

/// What is a field can be another.
pub trait NamedField {
    /// The field.
    type Of;
    /// It, or the one beside it.
    fn value(self) -> Self::Of;
}

impl NamedField for Named<ThreadConfigField> {
    type Of = ThreadConfigField;

    #[inline(always)]
    fn value(self) -> ThreadConfigField {
        let field = self.1;
        at(self.0, [0, 0], |code| {
            let by = match code.filter(|&code| code < WITHOUT).map(wrong) {
                Some(Wrong::Above) => i64::from(field.width),
                Some(Wrong::Below) => -i64::from(field.width),
                _ => 0,
            };
            field.moved(by).unwrap_or(field)
        })
    }
}

impl Same for ThreadConfigField {
    fn is(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T: Copy> NamedOther for &Named<T> {
    type Of = T;

    #[inline(always)]
    fn value(self) -> T {
        self.1
    }
}

/// A constant that has a name.
macro_rules! constant {
    ($site:expr, $constant:expr) => {{
        #[allow(unused_imports, reason = "one of the two is used, by what the constant is")]
        use $crate::site::{Named, NamedField as _, NamedNumber as _, NamedOther as _};
        (Named($site, $constant)).value()
    }};
}
pub(crate) use constant;

/// A field of words.
pub trait WordsField<W: ?Sized> {
    /// Its width, in bits.
    fn width(&self) -> u32;
    /// What it has in `words`.
    fn read(&self, words: &W) -> u32;
    /// The field of the same width that is `by` bits further up, if its word has one there.
    fn moved(&self, by: i64) -> Option<Self>
    where
        Self: Sized;
    /// What it has in the words of the first thread, or of the other bank.
    fn elsewhere(&self, words: &W, first: bool) -> Option<u32>;
}

macro_rules! words_field {
    ($field:ty, $words:ty, $width:literal, $elsewhere:expr) => {
        impl WordsField<$words> for $field {
            fn width(&self) -> u32 {
                self.width
            }

            #[inline(always)]
            fn read(&self, words: &$words) -> u32 {
                self.get(words)
            }

            fn moved(&self, by: i64) -> Option<Self> {
                let shift = u32::try_from(i64::from(self.shift) + by).ok()?;
                (shift + self.width <= $width).then_some(Self { shift, ..*self })
            }

            fn elsewhere(&self, words: &$words, first: bool) -> Option<u32> {
                let elsewhere: fn(&Others, &$words, bool) -> Option<$crate::site::Read<$words>> = $elsewhere;
                OTHERS.with_borrow(|others| elsewhere(others, words, first)).map(|words| self.get(&*words))
            }
        }
    };
}

type Read<W> = Box<W>;

words_field!(CodeField, [u32], 32, |_, _, _| None);
words_field!(ConfigField, ConfigWords, 32, |others, words, first| {
    let other = others.config.iter().find(|bank| *bank != words);
    if first { None } else { other.map(|bank| Box::new(*bank)) }
});
words_field!(ThreadConfigField, ThreadConfigWords, 16, |others, _, first| {
    if first { others.thread_config.first().map(|thread| Box::new(*thread)) } else { None }
});

/// `field.get(words)`.
#[inline(always)]
pub fn field<W: ?Sized, F: WordsField<W>, const N: usize>(site: usize, field: &F, words: &W, others: [&F; N]) -> u32 {
    let value = field.read(words);
    at(site, [i128::from(value), 0], |code| {
        let width = i64::from(field.width());
        let moved = |by| field.moved(by).map_or(value, |moved| moved.read(words));
        if let Some(code @ WITHOUT..FURTHER) = code {
            return others.get(usize::from(code - WITHOUT)).map_or(value, |other| other.read(words));
        }
        match code.map(done) {
            Some(Ok(Wrong::Zero)) => 0,
            Some(Ok(Wrong::Ones)) => ones(field.width()) as u32,
            Some(Ok(Wrong::Above)) => moved(width),
            Some(Ok(Wrong::Below)) => moved(-width),
            Some(Ok(Wrong::Narrower)) if width > 1 => value & ones(field.width() - 1) as u32,
            Some(Ok(Wrong::First)) => field.elsewhere(words, true).unwrap_or(value),
            Some(Ok(Wrong::Other)) => field.elsewhere(words, false).unwrap_or(value),
            Some(Err(otherwise)) => u32::cut(otherwise.result([value.into(), 0], value.into())),
            _ => value,
        }
    })
}

/// `U::new(x)`.
#[inline(always)]
pub fn new<T: Bits>(site: usize, value: T) -> T {
    // Of a plain integer nobody says how wide it is meant.
    at(site, [value.raw(), 0], |code| match code.map(done) {
        None => value,
        Some(Ok(Wrong::Zero)) => T::cut(0),
        Some(Ok(_)) => narrowed(value),
        Some(Err(otherwise)) => T::cut(otherwise.number(value.raw())),
    })
}

/// Which of `of`.
#[inline(always)]
pub fn index(site: usize, index: usize, of: usize) -> usize {
    at(site, [index as i128, 0], |code| {
        let place = match code.map(done) {
            None => index,
            Some(Ok(Wrong::First)) => 0,
            Some(Ok(Wrong::Other)) => index ^ 1,
            Some(Ok(_)) => index.wrapping_add(1),
            Some(Err(otherwise)) => usize::cut(otherwise.result([index as i128, 0], index as i128)),
        };
        // What came before may have gone wrong.
        place % of.max(1)
    })
}

/// The turns of a loop.
#[inline(always)]
pub fn range<T: Bits>(site: usize, range: std::ops::Range<T>) -> std::ops::Range<T> {
    at(site, [range.end.raw(), 0], |code| match code {
        None => range.start..range.end,
        Some(code) => other_range(&range, code),
    })
}

/// Other turns.
fn other_range<T: Bits>(range: &std::ops::Range<T>, code: Code) -> std::ops::Range<T> {
    let (start, end) = (range.start.raw(), range.end.raw());
    let count = (end - start).max(0);
    let (start, end) = match done(code) {
        Ok(Wrong::Late) => (start + 1, end),
        Ok(_) => (start, (end - 1).max(0)),
        Err(Otherwise::Wider) => (start, end + 1),
        Err(Otherwise::Double) => (start, end + count),
        Err(Otherwise::Half) => (start, end - count / 2),
        Err(_) => (start + count / 2, end),
    };
    T::cut(start)..T::cut(end)
}

/// The turns of a loop, perhaps backwards.
#[inline(always)]
pub fn turns<T: Bits>(site: usize, turns: std::ops::Range<T>) -> impl Iterator<Item = T> {
    let Turns(range, is_backwards) = at(site, [turns.end.raw(), 0], |code| match code {
        Some(code) if done(code) == Ok(Wrong::Backwards) => Turns(turns.start..turns.end, true),
        Some(code) => Turns(other_range(&turns, code), false),
        None => Turns(turns.start..turns.end, false),
    });
    let (start, end) = (range.start.raw(), range.end.raw());
    (start..end).map(move |turn| T::cut(if is_backwards { start + end - 1 - turn } else { turn }))
}

/// Turns, and whether they come backwards.
struct Turns<T>(std::ops::Range<T>, bool);

impl<T: Bits> Same for Turns<T> {
    fn is(&self, other: &Self) -> bool {
        let is_one = self.0.end.raw() - self.0.start.raw() < 2;
        self.0.is(&other.0) && (is_one || self.1 == other.1)
    }
}

/// The turns of a loop, perhaps in the other order.
#[inline(always)]
pub fn way<T: Bits>(site: usize, turns: std::ops::Range<T>) -> impl DoubleEndedIterator<Item = T> {
    let (start, end, is_right) = (turns.start.raw(), turns.end.raw(), does(site));
    (start..end).map(move |turn| T::cut(if is_right { turn } else { start + end - 1 - turn }))
}

/// Whether something is changed.
#[inline(always)]
pub fn does(site: usize) -> bool {
    at(site, [0, 0], |code| code.is_none_or(|code| holds_beside(site, code).unwrap_or(false)))
}

/// Whether it is looked for what keeps the pages from promising anything.
#[inline(always)]
pub fn refuses() -> bool {
    !INSISTS.get()
}

/// A place in the GRF file: what came before may have gone wrong.
#[inline(always)]
pub fn in_file(place: usize) -> usize {
    place % tandem_isa::visa::GRF_BYTES
}

/// Whether another reading is followed.
#[inline(always)]
pub fn reads(site: usize) -> bool {
    !does(site)
}

/// Whether there is a turn left.
#[inline(always)]
pub fn turn() -> bool {
    let left = FUEL_LEFT.get();
    FUEL_LEFT.set(left.saturating_sub(1));
    left != 0
}

/// What becomes 0.
#[inline(always)]
pub fn zero<T: Bits>(site: usize, old: T, zero: T) -> T {
    at(site, [old.raw(), 0], |code| match code.map(done) {
        None => zero,
        Some(Ok(_)) => T::cut(old.raw() & !ones(T::WIDTH - 1)),
        Some(Err(otherwise)) => T::cut(otherwise.number(old.raw())),
    })
}

/// Two variables that may be of one type.
pub struct Pair<'a, A, B>(pub &'a A, pub &'a B);

/// They are, and numbers.
pub trait SameType<T> {
    /// The second.
    fn second(self) -> Option<T>;
}

/// They are not.
pub trait OtherType<T> {
    /// Nothing.
    fn second(self) -> Option<T>;
}

impl<T: Bits> SameType<T> for Pair<'_, T, T> {
    #[inline(always)]
    fn second(self) -> Option<T> {
        Some(*self.1)
    }
}

impl<A, B> OtherType<A> for &Pair<'_, A, B> {
    #[inline(always)]
    fn second(self) -> Option<A> {
        None
    }
}

/// A variable, and what may stand in its place.
pub struct Among<'a, T, const N: usize>(pub &'a T, pub [Option<T>; N]);

/// It is a number.
pub trait AmongNumbers<T> {
    /// What stands there; nothing if it is the variable.
    fn pick(self, site: usize) -> Option<T>;
}

/// It is none.
pub trait AmongOthers<T> {
    /// Nothing.
    fn pick(self, site: usize) -> Option<T>;
}

impl<T: Bits, const N: usize> AmongNumbers<T> for Among<'_, T, N> {
    #[inline(always)]
    fn pick(self, site: usize) -> Option<T> {
        let right = *self.0;
        let picked = at(site, [right.raw(), 0], |code| {
            let of = |code: Code| match self.1.get(usize::from(code - WITHOUT)) {
                Some(other) => *other,
                None => Some(other_value(site, right, Otherwise::of_code(code))),
            };
            code.and_then(of).unwrap_or(right)
        });
        Some(picked)
    }
}

impl<T, const N: usize> AmongOthers<T> for &Among<'_, T, N> {
    #[inline(always)]
    fn pick(self, _: usize) -> Option<T> {
        None
    }
}

/// What else a number could be.
fn other_value<T: Bits>(site: usize, right: T, otherwise: Otherwise) -> T {
    if otherwise == Otherwise::LastTurn {
        let now = Watched { operands: [0; 2], result: right.raw(), width: T::WIDTH };
        return T::cut(watch(site, now).unwrap_or(now).result);
    }
    T::cut(otherwise.number(right.raw()))
}

/// A number that is given on.
#[inline(always)]
pub fn value<T: Bits>(site: usize, value: T) -> T {
    at(site, [value.raw(), 0], |code| code.map_or(value, |code| other_value(site, value, Otherwise::of_code(code))))
}

/// A variable, and the numbers for which it may be taken, or by which it may be masked.
pub struct Taken<'a, T, const N: usize>(pub &'a T, pub [Option<i128>; N], pub fn(i128, i128) -> i128);

impl<T: Bits, const N: usize> AmongNumbers<T> for Taken<'_, T, N> {
    #[inline(always)]
    fn pick(self, site: usize) -> Option<T> {
        let right = *self.0;
        let other = |code: Code| self.1.get(usize::from(code.checked_sub(WITHOUT)?)).copied().flatten();
        let of = |other| T::cut((self.2)(right.raw(), other));
        Some(at(site, [right.raw(), 0], |code| code.and_then(other).map_or(right, of)))
    }
}

impl<T, const N: usize> AmongOthers<T> for &Taken<'_, T, N> {
    #[inline(always)]
    fn pick(self, _: usize) -> Option<T> {
        None
    }
}

/// Another variable.
pub struct Another<'a, T>(pub &'a T);

/// It is a number.
pub trait OneNumber {
    /// The number.
    fn number_if_any(self) -> Option<i128>;
}

/// It is none.
pub trait NoNumber {
    /// Nothing.
    fn number_if_any(self) -> Option<i128>;
}

impl<T: Bits> OneNumber for Another<'_, T> {
    #[inline(always)]
    fn number_if_any(self) -> Option<i128> {
        Some(self.0.raw())
    }
}

impl<T> NoNumber for &Another<'_, T> {
    #[inline(always)]
    fn number_if_any(self) -> Option<i128> {
        None
    }
}

macro_rules! with_others {
    ($site:expr, $how:expr, $variable:expr $(, $other:expr)*) => {{
        #[allow(unused_imports, reason = "which are used depends on the types")]
        use $crate::site::{AmongNumbers as _, AmongOthers as _, Another, NoNumber as _, OneNumber as _, Taken};
        match (Taken(&$variable, [$((Another(&$other)).number_if_any()),*], $how)).pick($site) {
            Some(picked) => picked,
            None => $variable,
        }
    }};
}
pub(crate) use with_others;

/// A variable for which others are taken, whatever their types.
macro_rules! taken_for {
    ($site:expr, $variable:expr $(, $other:expr)*) => {
        $crate::site::with_others!($site, |_, other| other, $variable $(, $other)*)
    };
}
pub(crate) use taken_for;

/// A number of which those bits alone count that others have.
macro_rules! within {
    ($site:expr, $variable:expr $(, $other:expr)*) => {
        $crate::site::with_others!($site, |own, other| own & other, $variable $(, $other)*)
    };
}
pub(crate) use within;

/// Two that are named alike.
pub struct Alike<'a, A, B>(pub &'a A, pub &'a B);

/// They are of one type.
pub trait SameKind<'a, A> {
    /// The first, or the second.
    fn either(self, site: usize) -> &'a A;
}

/// They are not.
pub trait OtherKind<'a, A> {
    /// The first.
    fn either(self, site: usize) -> &'a A;
}

impl<'a, T> SameKind<'a, T> for Alike<'a, T, T> {
    #[inline(always)]
    fn either(self, site: usize) -> &'a T {
        if does(site) { self.0 } else { self.1 }
    }
}

impl<'a, A, B> OtherKind<'a, A> for &Alike<'a, A, B> {
    #[inline(always)]
    fn either(self, _: usize) -> &'a A {
        self.0
    }
}

/// One of two that are named alike.
macro_rules! alike {
    ($site:expr, $one:expr, $other:expr) => {{
        #[allow(unused_imports, reason = "one of the two is used, by the types")]
        use $crate::site::{Alike, OtherKind as _, SameKind as _};
        *(Alike(&$one, &$other)).either($site)
    }};
}
pub(crate) use alike;

/// A variable.
macro_rules! variable {
    ($site:expr, $variable:expr $(, $other:expr)*) => {{
        #[allow(unused_imports, reason = "which are used depends on the types")]
        use $crate::site::{Among, AmongNumbers as _, AmongOthers as _, OtherType as _, Pair, SameType as _};
        match (Among(&$variable, [$((Pair(&$variable, &$other)).second()),*])).pick($site) {
            Some(picked) => picked,
            None => $variable,
        }
    }};
}
pub(crate) use variable;

/// A variable that was changed, and what it was before.
#[inline(always)]
pub fn changed<T: Bits>(site: usize, now: T, before: T) -> T {
    at(site, [now.raw(), before.raw()], |code| if code.is_some() { before } else { now })
}

/// The two indices of a place in rows and columns.
#[inline(always)]
pub fn transposed(site: usize, row: usize, column: usize) -> (usize, usize) {
    if does(site) { (row, column) } else { (column, row) }
}

/// One of several.
#[inline(always)]
pub fn one_of<T, const N: usize>(site: usize, of: [&T; N]) -> &T {
    let other = |code: Code| Some(usize::from(code - WITHOUT) + 1).filter(|&other| other < N).unwrap_or(0);
    of[at(site, [0, 0], |code| code.map_or(0, other))]
}

/// One of a few values.
macro_rules! one_value {
    ($site:expr, $value:expr $(, $other:expr)*) => {
        *$crate::site::one_of($site, [&$value $(, &$other)*])
    };
}
pub(crate) use one_value;

/// Which grouping of two operators counts: the first is that of the page.
#[inline(always)]
pub fn grouping(site: usize) -> usize {
    at(site, [0, 0], |code| code.map_or(0, |code| usize::from(code - WITHOUT) + 1))
}

/// What may be grouped otherwise, in each of several ways.
macro_rules! grouped {
    ($site:expr, $plain:expr $(, $other:expr)+) => {
        'grouped: {
            let mut grouping = $crate::site::grouping($site);
            $(
                grouping = grouping.wrapping_sub(1);
                if grouping == 0 {
                    break 'grouped $other;
                }
            )+
            $plain
        }
    };
}
pub(crate) use grouped;

/// What a `match` is of. `place_of` is the arm that a value has, and `values` has one for each.
#[inline(always)]
pub fn arm<T, const N: usize>(site: usize, value: T, place_of: impl Fn(&T) -> Option<usize>, values: [T; N]) -> T {
    let Some(place) = place_of(&value) else { return value };
    let chosen = at(site, [place as i128, 0], |code| match code {
        Some(code) if code >= FURTHER => {
            let Otherwise::Both(number) = Otherwise::of_code(code) else { return place };
            match pair(number, N * (N - 1)) {
                (one, other) if one == place => other,
                (one, other) if other == place => one,
                _ => place,
            }
        }
        Some(code) => {
            let (from, to) = taken((code - WITHOUT) as u8, N as u8);
            if usize::from(from) == place { to.into() } else { place }
        }
        None => place,
    });
    if chosen == place {
        return value;
    }
    values.into_iter().nth(chosen).unwrap_or(value)
}

/// What has two texts.
pub trait Choice: Copy {
    /// The other one.
    fn other(self) -> Self;
}

impl Choice for Edition {
    fn other(self) -> Self {
        match self {
            Edition::Spec => Edition::Newest,
            Edition::Newest => Edition::Spec,
        }
    }
}

impl Choice for Chip {
    fn other(self) -> Self {
        match self {
            Chip::Wormhole => Chip::Blackhole,
            Chip::Blackhole => Chip::Wormhole,
        }
    }
}

/// The text that counts.
#[inline(always)]
pub fn choice<T: Choice>(site: usize, choice: T) -> T {
    if does(site) { choice } else { choice.other() }
}
