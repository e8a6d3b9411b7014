//! The pairs of precisions of `DPAS`: what each is, and the data-path axis that names them.

use super::*;

/// What a pair of precisions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// Not in the table of legal combinations, or no precision.
    None,
    /// Integers of 2 to 8 bits.
    Integer,
    /// Integers, at least one of 1 bit.
    OneBit,
    Bf,
    Hf,
    Tf32,
    /// `bf8` and `hf8`, which the table allows, without any arithmetic.
    Fp8,
}

impl Pair {
    pub(super) fn of(w: Option<Precision>, a: Option<Precision>) -> Self {
        let (Some(w), Some(a)) = (w, a) else { return Pair::None };
        match (w, a) {
            (Precision::Bf, Precision::Bf) => Pair::Bf,
            (Precision::Hf, Precision::Hf) => Pair::Hf,
            (Precision::Tf32, Precision::Tf32) => Pair::Tf32,
            (Precision::Bf8 | Precision::Hf8, Precision::Bf8 | Precision::Hf8) => Pair::Fp8,
            _ if is_float(w) || is_float(a) => Pair::None,
            _ if w.bits() == 1 || a.bits() == 1 => Pair::OneBit,
            _ => Pair::Integer,
        }
    }

    pub(super) fn is_summed_in_float(self) -> bool {
        matches!(self, Pair::Bf | Pair::Hf | Pair::Tf32)
    }

    /// The types that destination and accumulator may have.
    pub(super) const fn types(self) -> &'static [DataType] {
        match self {
            Pair::Integer | Pair::OneBit => &[DataType::D, DataType::Ud],
            Pair::Bf => &[DataType::F, DataType::Bf],
            Pair::Hf => &[DataType::F, DataType::Hf],
            Pair::Tf32 | Pair::Fp8 => &[DataType::F],
            Pair::None => &[DataType::F, DataType::D, DataType::Ud, DataType::Hf, DataType::Bf],
        }
    }
}

/// The pair of precisions of a case.
pub(super) fn pair(parts: &Parts<'_>) -> Pair {
    Pair::of(weights(parts), activations(parts))
}

pub(super) fn weights(parts: &Parts<'_>) -> Option<Precision> {
    Precision::of_code(W.get(parts.code))
}

pub(super) fn activations(parts: &Parts<'_>) -> Option<Precision> {
    Precision::of_code(A.get(parts.code))
}

macro_rules! names {
    ($($w:ident . $a:ident),*; $($rest:literal),*) => {
        &[$(concat!(stringify!($w), ".", stringify!($a)),)* $($rest),*]
    };
}

/// Pairs by name: all that the table of legal combinations has, and representatives of what it has not.
const PAIR_LEVELS: &[&str] = names! {
    u2.u2, u2.s2, u2.u4, u2.s4, u2.u8, u2.s8, s2.u2, s2.s2, s2.u4, s2.s4, s2.u8, s2.s8,
    u4.u2, u4.s2, u4.u4, u4.s4, u4.u8, u4.s8, s4.u2, s4.s2, s4.u4, s4.s4, s4.u8, s4.s8,
    u8.u2, u8.s2, u8.u4, u8.s4, u8.u8, u8.s8, s8.u2, s8.s2, s8.u4, s8.s4, s8.u8, s8.s8,
    bf.bf, hf.hf, tf32.tf32,
    u1.u1, u1.s1, u1.u2, u1.s2, u1.u4, u1.s4, u1.u8, u1.s8,
    s1.u1, s1.s1, s1.u2, s1.s2, s1.u4, s1.s4, s1.u8, s1.s8,
    u2.u1, u2.s1, s2.u1, s2.s1, u4.u1, u4.s1, s4.u1, s4.s1, u8.u1, u8.s1, s8.u1, s8.s1,
    bf8.bf8, bf8.hf8, hf8.bf8, hf8.hf8, bf.hf, hf.bf;
    "integer.float", "float.integer", "other floats", "reserved.known", "known.reserved", "reserved.reserved"
};
/// Levels before this one name both precisions; behind them come those of what they do not name.
const NAMED_PAIRS: usize = PAIR_LEVELS.len() - 6;
const INTEGER_FLOAT: usize = NAMED_PAIRS;
const FLOAT_INTEGER: usize = NAMED_PAIRS + 1;
const OTHER_FLOATS: usize = NAMED_PAIRS + 2;
const RESERVED_KNOWN: usize = NAMED_PAIRS + 3;
const KNOWN_RESERVED: usize = NAMED_PAIRS + 4;
const RESERVED_RESERVED: usize = NAMED_PAIRS + 5;

/// The pairs that the first levels name.
pub(super) static PAIRS: LazyLock<Vec<(Precision, Precision)>> = LazyLock::new(|| {
    let named = PAIR_LEVELS[..NAMED_PAIRS].iter().map(|name| {
        let (w, a) = name.split_once('.')?;
        Some((Precision::named(w)?, Precision::named(a)?))
    });
    named.collect::<Option<_>>().expect("the names of pairs are names of precisions")
});

/// The level of each pair of codes below 16.
static PAIR_LEVEL: LazyLock<[[u8; 16]; 16]> =
    LazyLock::new(|| std::array::from_fn(|w| std::array::from_fn(|a| level_of_codes(narrow(w), narrow(a)) as u8)));

pub(super) fn is_float(precision: Precision) -> bool {
    precision.kind() == PrecisionKind::Float
}

pub(super) fn is_signed(precision: Precision) -> bool {
    precision.kind() == PrecisionKind::Signed
}

fn level_of_codes(w: u32, a: u32) -> usize {
    match (Precision::of_code(w), Precision::of_code(a)) {
        (None, None) => RESERVED_RESERVED,
        (None, Some(_)) => RESERVED_KNOWN,
        (Some(_), None) => KNOWN_RESERVED,
        (Some(w), Some(a)) => PAIRS.iter().position(|&pair| pair == (w, a)).unwrap_or(match [w, a].map(is_float) {
            [false, _] => INTEGER_FLOAT,
            [true, false] => FLOAT_INTEGER,
            [true, true] => OTHER_FLOATS,
        }),
    }
}

pub(super) fn pair_of_level(level: usize) -> Pair {
    PAIRS.get(level).map_or(Pair::None, |&(w, a)| Pair::of(Some(w), Some(a)))
}

/// A code without a meaning.
fn reserved(noise: &mut Noise) -> u32 {
    match noise.below(5) {
        0 => 0,
        1 => 13,
        2 => 15,
        // A precision, if bits above the low four were dropped.
        3 => 16 + 1 + narrow(noise.below(12)),
        _ => 16 + narrow(noise.below(240)),
    }
}

fn set_pair(parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let known = |noise: &mut Noise| Precision::ALL[noise.below(Precision::ALL.len())].code();
    let mut draw = || match level {
        RESERVED_KNOWN => [reserved(noise), known(noise)],
        KNOWN_RESERVED => [known(noise), reserved(noise)],
        RESERVED_RESERVED => [reserved(noise), reserved(noise)],
        _ => [known(noise), known(noise)],
    };
    let named = PAIRS.get(level).map(|&(w, a)| [w.code(), a.code()]);
    let drawn = || std::iter::repeat_with(&mut draw).find(|&[w, a]| level_of_codes(w, a) == level);
    let [w, a] = named.or_else(drawn).expect("a pair of each level is drawn");
    put(parts.code, [(W, w), (A, a)]);
}

fn get_pair(parts: &Parts<'_>) -> usize {
    // What is above 15 means as little as 0.
    let [w, a] = [W, A].map(|field| Some(field.get(parts.code) as usize).filter(|&code| code < 16).unwrap_or(0));
    PAIR_LEVEL[w][a].into()
}

/// The data-path axis of precisions, which comes first: the others look at it.
pub(super) const PRECISIONS: [Axis; 1] = axes! { axis "precisions", PAIR_LEVELS, &[], set_pair, get_pair; };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_of_codes_has_a_level_and_named_ones_their_own() {
        for (level, &(w, a)) in PAIRS.iter().enumerate() {
            assert_eq!(level_of_codes(w.code(), a.code()), level);
        }
        let mut promised = 0;
        for w in 0..16 {
            for a in 0..16 {
                let pair = Pair::of(Precision::of_code(w), Precision::of_code(a));
                let level = level_of_codes(w, a);
                assert_eq!(pair_of_level(level), pair);
                promised += usize::from(!matches!(pair, Pair::None));
            }
        }
        // 36 and 28 pairs of integers, three floats, and four pairs of floats of eight bits.
        assert_eq!(promised, 71);
        assert_eq!(NAMED_PAIRS, 73);
    }
}
