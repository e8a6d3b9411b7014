//! Rules of what else can be wrong, which are only looked for where nothing simpler explains: one table of what each does and how
//! that is said. Each is applied at every site where it fits ([`Twist::further`](super::site::Twist::further)); nobody hunts it.

use super::site::{Code, FURTHER, Reached, WITHOUT, bits_of, is_mask, ones, with_sign};

macro_rules! byte {
    ($of:ident) => {
        u8
    };
}

macro_rules! given {
    ($of:ident, $value:expr) => {
        $value
    };
}

/// The rules: each with its number, if it has one, its name, and how a sentence goes on after what it is done to.
macro_rules! rules {
    ($($rule:ident $(($of:ident))?, $name:literal, $says:literal;)*) => {
        /// What else is done wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Otherwise {
            $(#[doc = concat!("It ", $says, ".")] $rule $((byte!($of)))?,)*
        }

        #[derive(Clone, Copy)]
        enum Rule {
            $($rule),*
        }

        impl Otherwise {
            pub(super) const fn of_code(code: Code) -> Self {
                if code < FURTHER {
                    return Otherwise::Bit((code - WITHOUT) as u8);
                }
                let (rule, _of) = ((code - FURTHER) >> 8, (code - FURTHER) as u8);
                $(if rule == Rule::$rule as Code {
                    return Otherwise::$rule $((given!($of, _of)))?;
                })*
                panic!("every code is of a rule")
            }

            pub(super) const fn code(self) -> Code {
                if let Otherwise::Bit(of) | Otherwise::Member(of) = self {
                    return WITHOUT + of as Code;
                }
                match self {
                    $(Otherwise::$rule $(($of))? => FURTHER + ((Rule::$rule as Code) << 8) $(+ $of as Code)?,)*
                }
            }

            /// What it is called.
            #[must_use]
            pub fn name(self) -> String {
                match self {
                    Otherwise::Habit(of) => return habit_words(of),
                    Otherwise::Corner(of) => return format!("{:#x} taken for its neighbour", corner(of)),
                    Otherwise::CornerZero(of) => return format!("{:#x} lost", corner(of)),
                    _ => {}
                }
                match self {
                    $(Otherwise::$rule $(($of))? => format_args!($name).to_string(),)*
                }
            }

            /// What it does, as a sentence that goes on after "as if" and a name.
            #[must_use]
            pub fn says(self) -> String {
                match self {
                    Otherwise::Habit(of) => return habit_words(of),
                    Otherwise::Corner(of) => return format!("took {:#x} for the number beside it", corner(of)),
                    Otherwise::CornerZero(of) => return format!("took {:#x} for {}", corner(of), i128::from(corner(of) == 0)),
                    _ => {}
                }
                match self {
                    $(Otherwise::$rule $(($of))? => format_args!($says).to_string(),)*
                }
            }
        }
    };
}

rules! {
    Bit(bit), "bit {bit} the other way", "had bit {bit} the other way";
    Member(member), "member {member} instead", "were member {member} of its group";
    Zero, "zero", "were 0";
    Ones, "all ones", "had all bits set";
    Double, "doubled", "were twice as much";
    Half, "halved", "were half as much";
    Place, "the place itself", "were the place itself, and not what stands there";
    Exchanged, "exchanged", "changed places";
    Fixed(number), "always {number}", "were always {number}";
    Cut(bits), "cut to {bits} bits", "were cut to {bits} bits";
    Rest(size), "the rest by {size}", "were what a division by {size} leaves";
    Quotient(size), "divided by {size}", "were a division by {size}";
    NothingLeft, "nothing where the left is 0", "gave 0 where what it is applied to is 0";
    NothingRight, "nothing where the right is 0", "gave 0 where it is applied with 0";
    Before, "as before", "were what it was before its last change";
    Again, "done again", "did again what is done before, in place of copying it";
    AnyBit, "any bit in common", "asked for any bit in common";
    AtLeast, "or larger", "held for what is larger, too";
    AtMost, "or smaller", "held for what is smaller, too";
    Backwards, "backwards", "went the other way";
    Rounded, "rounded", "rounded to the nearest instead of dropping bits";
    Saturated, "saturated with a sign", "stopped at the largest and the smallest number with a sign";
    SaturatedUnsigned, "saturated without a sign", "stopped at 0 and at the largest number";
    Signed(bits), "{bits} bits with a sign", "were {bits} bits with a sign";
    Both(pair), "pair {pair} taken for each other", "took pair {pair} for each other";
    Top(bit), "up to bit {bit}", "ended below bit {bit}";
    Bottom(bit), "from bit {bit}", "began at bit {bit}";
    Arithmetic(bits), "arithmetic over {bits} bits", "shifted copies of bit {bits} (counted from 1) in, as of a sign, instead of zeros";
    Below(bits), "at most {bits} bits", "stopped at the largest number of {bits} bits";
    Dropped(bit), "bit {bit} dropped", "lost bit {bit}";
    Stuck(bit), "bit {bit} stuck", "always had bit {bit} set";
    Next, "one more", "were one more";
    Previous, "one less", "were one less";
    Beside, "the other of two", "had its lowest bit the other way";
    LastTurn, "of the last turn", "were what it was the time before, such as of the lane or row before";
    Stale, "as at the start", "were what it was before the instruction began";
    Exact, "the exact value", "looked at the exact sum, not at the one that wraps";
    Whole, "all of it", "asked whether that is all that is set";
    LowBits(bits), "the lowest {bits} bits alone", "asked for the lowest {bits} bits alone";
    Habit(habit), "habit {habit}", "had habit {habit}";
    Corner(corner), "corner {corner}", "took corner {corner} for another number";
    CornerZero(corner), "corner {corner} lost", "took corner {corner} for zero";
    Only(place), "done where it does not hold: {place}", "were done where that does not hold: {place}";
    Zeroed(place), "zero where it does not hold: {place}", "wrote 0 where that does not hold: {place}";
    Where(place), "only where it holds: {place}", "were done only where that holds: {place}";
    WhereNot(place), "only where it does not hold: {place}", "were done only where that does not hold: {place}";
    Besides, "both branches", "did not keep what follows from being asked too";
    Wider, "a turn more", "went on a turn too far";
    Taken(number), "{number} taken for its neighbour", "took {number} for the number beside it";
    Lost(number), "{number} lost", "took {number} for 0";
    Lowest(bits), "the lowest {bits} bits lost", "lost its lowest {bits} bits";
    Nearest(bits), "rounded to {bits} bits less", "were rounded to the nearest number without its lowest {bits} bits";
    Second, "the second half", "were the second half alone";
    Kept(bit), "bit {bit} alone cleared", "cleared bit {bit} alone";
    OrNext, "or one more", "held for one more, too";
    OrPrevious, "or one less", "held for one less, too";
    Joined(bits), "the lowest {bits} bits joined", "had its lowest {bits} bits joined with the one above them";
}

/// Where exponent and mantissa of a number lie: its name and width, and of each the lowest bit and how many. Its highest bit is a sign.
const LAYOUTS: [(&str, u32, [u32; 2], [u32; 2]); 9] = [
    ("FP32", 32, [23, 8], [0, 23]),
    ("BF16", 16, [7, 8], [0, 7]),
    ("FP16", 16, [10, 5], [0, 10]),
    ("BF16 of Dst", 16, [0, 8], [8, 7]),
    ("FP16 of Dst", 16, [0, 5], [5, 10]),
    ("TF32 of a source", 19, [0, 8], [8, 10]),
    ("FP16 of a source", 19, [0, 5], [8, 10]),
    ("FP32 of Dst", 32, [16, 8], [24, 7]),
    ("FP64", 64, [52, 11], [0, 52]),
];

/// What is done with numbers out of habit.
const HABITS: [&str; 8] = [
    "denormals were flushed to a zero with their sign",
    "denormals and -0 became +0",
    "-0 became +0",
    "a NaN became the usual quiet one",
    "a NaN became a quiet one",
    "an infinity became the largest number",
    "a NaN became an infinity",
    "infinities and NaNs became a zero",
];

fn habit_words(of: u8) -> String {
    format!("were {} in which {}", LAYOUTS[usize::from(of / 8)].0, HABITS[usize::from(of % 8)])
}

/// What a number becomes by a habit.
fn by_habit(of: u8, number: i128) -> i128 {
    let (_, width, exponent, mantissa) = LAYOUTS[usize::from(of / 8)];
    let mask = |[low, count]: [u32; 2]| ones(count) << low;
    let (e, m, sign) = (mask(exponent), mask(mantissa), 1 << (width - 1));
    let is_small = number & e == 0;
    let is_large = number & e == e;
    let has_mantissa = number & m != 0;
    let quiet = 1 << (mantissa[0] + mantissa[1] - 1);
    match of % 8 {
        0 if is_small => number & !m,
        1 if is_small => number & !m & !sign,
        2 if is_small && !has_mantissa => number & !sign,
        3 if is_large && has_mantissa => e | quiet,
        4 if is_large && has_mantissa => number | quiet,
        5 if is_large && !has_mantissa => (number ^ 1 << exponent[0]) | m,
        6 if is_large => number & !m,
        7 if is_large => number & !m & !e,
        _ => number,
    }
}

/// A number of so many bits at which something may end: the largest, the highest bit alone, all others, or 0.
const fn corner(of: u8) -> i128 {
    let bits = of as u32 % 64 + 1;
    match of / 64 {
        0 => ones(bits),
        1 => 1 << (bits - 1),
        2 => ones(bits - 1),
        _ => 0,
    }
}

impl Otherwise {
    /// How sums saturate.
    pub(super) const SATURATED: [Otherwise; 2] = [Otherwise::Saturated, Otherwise::SaturatedUnsigned];
    /// By what places are divided.
    pub(super) const SIZES: [u8; 5] = [2, 4, 8, 16, 32];
    /// Bits that something may be cut to.
    pub(super) const MOST_BITS: u8 = 16;
    /// What a number that is not written down could be.
    pub(super) const OF_VARIABLES: [Otherwise; 13] = [
        Otherwise::Zero,
        Otherwise::Double,
        Otherwise::Half,
        Otherwise::Fixed(1),
        Otherwise::Fixed(2),
        Otherwise::Fixed(4),
        Otherwise::Fixed(8),
        Otherwise::Fixed(16),
        Otherwise::Fixed(32),
        Otherwise::Next,
        Otherwise::Previous,
        Otherwise::Beside,
        Otherwise::LastTurn,
    ];
    /// What the turns of a loop could be.
    pub(super) const OF_TURNS: [Otherwise; 4] =
        [Otherwise::Wider, Otherwise::Double, Otherwise::Half, Otherwise::Second];
    /// Low bits that a number may lose: those behind a mantissa, and what one mantissa has less than another.
    const LOW_BITS: [u8; 8] = [1, 2, 3, 4, 10, 11, 13, 16];
    /// Bits that can be the other way.
    const BITS: u8 = 64;

    /// What becomes of the result of an operator on two numbers.
    pub(super) fn result(self, [left, right]: [i128; 2], result: i128) -> i128 {
        match self {
            Otherwise::Rest(size) => left.rem_euclid(size.into()),
            Otherwise::Quotient(size) => left / i128::from(size),
            Otherwise::NothingLeft if left == 0 => 0,
            Otherwise::NothingRight if right == 0 => 0,
            Otherwise::Rounded if (1..64).contains(&right) => left.wrapping_add(1 << (right - 1)) >> right,
            Otherwise::Arithmetic(bits) if (0..127).contains(&right) => with_sign(left, bits.into()) >> right,
            _ => self.number(result),
        }
    }

    /// What becomes of a number.
    pub(super) fn number(self, number: i128) -> i128 {
        match self {
            Otherwise::Bit(bit) => number ^ 1 << bit,
            Otherwise::Zero => 0,
            Otherwise::Ones => -1,
            Otherwise::Double => number * 2,
            Otherwise::Half => number / 2,
            Otherwise::Fixed(other) => other.into(),
            Otherwise::Top(bit) => ones(bit.into()) & !ones(number.trailing_zeros()),
            Otherwise::Bottom(bit) => ones(bits_of(number)) & !ones(bit.into()),
            Otherwise::Cut(bits) => number & ones(bits.into()),
            Otherwise::Signed(bits) => with_sign(number, bits.into()),
            Otherwise::Below(bits) => number.clamp(!ones(bits.into()), ones(bits.into())),
            Otherwise::Dropped(bit) | Otherwise::Kept(bit) => number & !(1 << bit),
            Otherwise::Stuck(bit) => number | 1 << bit,
            Otherwise::Taken(of) if number == i128::from(of) => number ^ 1,
            Otherwise::Lost(of) if number == i128::from(of) => 0,
            Otherwise::Lowest(bits) => number & !ones(bits.into()),
            Otherwise::Joined(bits) if number & ones(bits.into()) != 0 => number & !ones(bits.into()) | 1 << bits,
            // From the middle it goes to the even one.
            Otherwise::Nearest(bits) => {
                number.wrapping_add(ones(u32::from(bits) - 1) + (number >> bits & 1)) & !ones(bits.into())
            }
            Otherwise::Next => number.wrapping_add(1),
            Otherwise::Previous => number.wrapping_sub(1),
            Otherwise::Beside => number ^ 1,
            Otherwise::Habit(of) => by_habit(of, number),
            Otherwise::Corner(of) if number == corner(of) => number ^ 1,
            Otherwise::CornerZero(of) if number == corner(of) => i128::from(number == 0),
            _ => number,
        }
    }

    /// What a number could be that is not among `known`: of a mask a bit is lost or added at an end of a run of ones, and any bit
    /// of another number may be wrong.
    pub(super) fn of_number(number: i128, known: &[i128]) -> Vec<Self> {
        let is_mask = is_mask(number);
        let top = bits_of(number) as u8;
        let has = |bit: u8| number >> bit & 1;
        let is_end = |bit: u8| has(bit) != has(bit + 1) || bit > 0 && has(bit) != has(bit - 1);
        let bits = (0..=top.min(Self::BITS - 1)).filter(|&bit| number > 0 && (!is_mask || is_end(bit)));
        let plain = if is_mask { [Otherwise::Next, Otherwise::Previous] } else { [Otherwise::Double, Otherwise::Half] };
        let ends = if number == 0 { Otherwise::Ones } else { Otherwise::Zero };
        // A mask without gaps may have any other width.
        let low = if number > 0 { number.trailing_zeros() as u8 } else { 0 };
        let has_gaps = (number >> low) & ((number >> low) + 1) != 0;
        let width = if is_mask && !has_gaps && top <= 32 { top } else { 0 };
        let tops = (low + 1..=(width + 8).min(32)).filter(|_| width > 0).map(Otherwise::Top);
        let bottoms = (0..width).map(Otherwise::Bottom);
        let mut all: Vec<Self> = Vec::new();
        for other in bits.map(Otherwise::Bit).chain(plain).chain([ends]).chain(tops).chain(bottoms) {
            let becomes = other.number(number);
            let is_known = known.contains(&becomes) || all.iter().any(|one| one.number(number) == becomes);
            if becomes != number && !is_known {
                all.push(other);
            }
        }
        all
    }

    /// What a variable could be where it is used.
    pub(super) fn of_variable(reached: &Reached) -> impl Iterator<Item = Self> + use<> {
        let top = bits_of(reached.seen()).min(33) as u8;
        Self::OF_VARIABLES.into_iter().chain((1..top).map(Otherwise::Cut)).chain(Self::of_few(reached))
    }

    /// One of a few values that is taken for another one.
    pub(super) fn of_few(reached: &Reached) -> impl Iterator<Item = Self> + use<> {
        const MOST: u32 = 3;
        let top = bits_of(reached.seen());
        let all = 0..if (2..=MOST).contains(&top) { 1 << top } else { 0 };
        all.flat_map(|of: u8| [Otherwise::Taken(of), Otherwise::Lost(of)])
    }

    /// What a number could be that is given on: cut, stopped, with a bit that is lost or stuck, that of the neighbour, one of its
    /// corners, and what is done with numbers out of habit.
    pub(super) fn of_value(reached: &Reached) -> impl Iterator<Item = Self> + use<> {
        let (seen, unseen, width) = (reached.seen(), reached.unseen(), reached.width());
        let top = bits_of(seen) as u8;
        let cuts = (1..top.min(33)).flat_map(|bits| [Otherwise::Cut(bits), Otherwise::Below(bits)]);
        let bits = (0..top.min(Self::BITS)).flat_map(move |bit| {
            let dropped = (seen >> bit & 1 != 0).then_some(Otherwise::Dropped(bit));
            dropped.into_iter().chain((unseen >> bit & 1 != 0).then_some(Otherwise::Stuck(bit)))
        });
        let near = [Otherwise::Zero, Otherwise::Next, Otherwise::Previous, Otherwise::Beside, Otherwise::LastTurn];
        let signs = [8, 16, 24].into_iter().filter(move |&bits| bits <= top).map(Otherwise::Signed);
        let corners = (top > 0).then(|| (0..4).map(move |of| of * 64 + (top - 1) % 64)).into_iter().flatten();
        // Numbers end at the largest denormal and at the smallest one that is none, too.
        // A datum may be kept in a number that is wider.
        let is_data = move |layout: u8| {
            let own = LAYOUTS[usize::from(layout)].1;
            own == width && u32::from(top) + 1 >= width || own < width && u32::from(top) == own
        };
        let ends = (0..LAYOUTS.len() as u8).filter(move |&layout| is_data(layout)).flat_map(|layout| {
            let [low, count] = LAYOUTS[usize::from(layout)].3;
            [(count - 1) as u8, 64 + count as u8].into_iter().filter(move |_| low == 0)
        });
        let corners = corners.chain(ends).flat_map(|of| [Otherwise::Corner(of), Otherwise::CornerZero(of)]);
        let low = Self::LOW_BITS.into_iter().filter(move |&bits| bits < top && width > 16);
        let low = low.flat_map(|bits| [Otherwise::Lowest(bits), Otherwise::Nearest(bits)]);
        let habits = (0..LAYOUTS.len() as u8).filter(move |&layout| is_data(layout));
        let habits = habits.flat_map(|layout| (0..HABITS.len() as u8).map(move |of| Otherwise::Habit(layout * 8 + of)));
        let many = cuts.chain(bits).chain(signs).chain(corners).chain(low).chain(habits);
        near.into_iter().chain(many.filter(move |_| top > 1))
    }
}
