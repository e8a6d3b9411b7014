//! Rules: what a target refuses, as conjunctions of at most three conditions.

use serde::{Deserialize, Serialize};
use tandem_isa::{Code, Format, Layout, Overlay, Parts};

use super::lens::{Lens, View};
use crate::terms::sequence::low;

/// The most conditions in a rule.
pub(crate) const MOST_ATOMS: usize = 3;

/// A condition on a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// It is one of these; ascending.
    In(Vec<u32>),
    /// It has one of these bits.
    Bits(u32),
    /// It is at least this.
    AtLeast(u32),
    /// It is anything but this.
    Not(u32),
}

impl Test {
    /// Whether a value meets it.
    #[inline]
    #[must_use]
    pub fn holds(&self, value: u32) -> bool {
        match self {
            Test::In(values) => values.contains(&value),
            Test::Bits(mask) => value & mask != 0,
            Test::AtLeast(least) => value >= *least,
            Test::Not(other) => value != *other,
        }
    }
}

/// A condition on a number of a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Atom {
    /// The number.
    pub lens: Lens,
    /// What it must be.
    pub test: Test,
}

impl Atom {
    /// Whether a case meets it.
    #[inline]
    #[must_use]
    pub fn holds(&self, view: &View, parts: &Parts<'_>) -> bool {
        self.test.holds(view.get(self.lens, parts))
    }

    /// It in words: `row of SrcA has a bit of 0x7`.
    #[must_use]
    pub fn describe(&self, view: &View) -> String {
        let name = view.name(self.lens);
        let value = |value: u32| view.value_name(self.lens, value).map_or_else(|| number(value), str::to_string);
        let largest = view.largest(self.lens);
        if let Some(words) = self.describe_family(view) {
            return words;
        }
        match &self.test {
            Test::In(values) if values.len() == 1 => format!("{name} = {}", value(values[0])),
            Test::In(values) => {
                let names: Vec<String> = values.iter().map(|&one| value(one)).collect();
                format!("{name} is one of {}", names.join(", "))
            }
            Test::Bits(mask) if (mask + 1).is_power_of_two() && *mask < largest => {
                format!("{name} is not a multiple of {}", mask + 1)
            }
            Test::Bits(mask) if mask.is_power_of_two() => format!("{name} has bit {}", mask.trailing_zeros()),
            Test::Bits(mask) => format!("{name} has a bit of {mask:#x}"),
            Test::AtLeast(least) => format!("{name} is at least {least}"),
            Test::Not(other) if *other == 0 && largest == 1 => format!("{name} = 1"),
            Test::Not(other) => format!("{name} is not {}", value(*other)),
        }
    }
}

impl Atom {
    /// A condition on a family in words: `LaneConfig[any] has a bit outside 0x104`, `instances of LaneConfig differ`.
    fn describe_family(&self, view: &View) -> Option<String> {
        let family = view.family(self.lens)?;
        let all = family.bits();
        let is_zero_based = family.fields().all(|place| (view.isa.layout.fields)()[place].base == 0);
        if family.members.len() == 1 && is_zero_based && self.test == Test::Not(0) && matches!(self.lens, Lens::Any(_))
        {
            return None;
        }
        let bits = match self.test {
            Test::Bits(bits) => bits,
            Test::Not(0) => all,
            Test::In(_) | Test::AtLeast(_) | Test::Not(_) => return None,
        };
        if family.is_of_flags() {
            let of = family.members.iter().filter(|member| member.bits() & bits != 0).map(|member| {
                let field = &(view.isa.layout.fields)()[member.fields[0]];
                field.name.rsplit('.').next().unwrap_or(&field.name).to_string()
            });
            return Some(if bits == all {
                format!("{}: one is not at its base value", family.name)
            } else {
                format!("{}: one of {} is not at its base value", family.name, of.collect::<Vec<_>>().join(", "))
            });
        }
        let (what, verb) = match self.lens {
            Lens::Differ(_) => (format!("instances of {}", family.stem()), "differ"),
            _ => (family.name.clone(), "has"),
        };
        let which = match (bits, self.lens) {
            (bits, Lens::Differ(_)) if bits == all => String::new(),
            (bits, _) if bits == all => " a bit that is not as in the base state".to_string(),
            (bits, _) if bits.count_ones() == 1 => format!(" bit {}", bits.trailing_zeros()),
            (bits, _) if bits.count_ones() * 2 > all.count_ones() => format!(" a bit outside {:#x}", all & !bits),
            (bits, _) => format!(" a bit of {bits:#x}"),
        };
        let inside = if which.is_empty() || verb == "has" { "" } else { " in" };
        Some(format!("{what} {verb}{inside}{which}"))
    }
}

fn number(value: u32) -> String {
    if value < 10 { value.to_string() } else { format!("{value:#x}") }
}

/// A condition on data: some datum among the operands of a bank meets all tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DataAtom {
    /// The number of the bank.
    pub bank: usize,
    /// Size of a datum as it lies in a row, in bytes.
    pub datum_bytes: usize,
    /// The bits of the datum that are looked at, as masks, and what each must be.
    pub tests: Vec<(u64, DataTest)>,
    /// What the datum is, in words: `exponent all ones`.
    pub words: String,
    /// A datum that is not refused, to be put in its place.
    pub instead: u64,
}

/// What the masked bits of a datum must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DataTest {
    /// All zero.
    Zero,
    /// Not all zero.
    NonZero,
    /// All ones.
    Ones,
    /// Exactly these.
    Is(u64),
}

impl DataTest {
    pub(crate) const fn holds(self, mask: u64, datum: u64) -> bool {
        let bits = datum & mask;
        match self {
            DataTest::Zero => bits == 0,
            DataTest::NonZero => bits != 0,
            DataTest::Ones => bits == mask,
            DataTest::Is(value) => bits == value,
        }
    }
}

impl DataAtom {
    /// Whether a datum meets it.
    #[inline]
    #[must_use]
    pub fn is(&self, datum: u64) -> bool {
        self.tests.iter().all(|&(mask, test)| test.holds(mask, datum))
    }

    /// Puts another datum in the place of each such datum of a row.
    pub(crate) fn replace_in(&self, row: &mut [u8]) {
        for bytes in row.chunks_exact_mut(self.datum_bytes) {
            if self.is(datum(bytes)) {
                bytes.copy_from_slice(&self.instead.to_le_bytes()[..self.datum_bytes]);
            }
        }
    }

    /// Whether a row has such a datum.
    #[must_use]
    pub fn in_row(&self, row: &[u8]) -> bool {
        row.chunks_exact(self.datum_bytes).any(|bytes| self.is(datum(bytes)))
    }

    /// Whether an operand of a case is such a datum.
    #[must_use]
    pub fn holds(&self, layout: &Layout, overlay: &Overlay) -> bool {
        let bank = &layout.banks[self.bank];
        let mut found = false;
        overlay.rows.each(|row_id| {
            if !found && (bank.first_row..bank.first_row + bank.rows()).contains(&row_id) {
                found = self.in_row(&overlay.arena[bank.row_range(row_id - bank.first_row)]);
            }
        });
        found
    }
}

/// A datum of up to eight bytes.
pub(crate) fn datum(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The pieces of a format that data are told apart by: a name and a mask.
pub(crate) fn pieces(format: &Format) -> Vec<(&'static str, u64)> {
    let mut pieces = Vec::new();
    if let Some(exponent) = format.exponent {
        pieces.push(("exponent", exponent.low_mask() << exponent.shift));
    }
    let mantissa = format.place_mantissa(low(format.mantissa_bits()));
    pieces.push((if format.exponent.is_some() { "mantissa" } else { "value" }, mantissa));
    if let Some(sign) = format.sign {
        pieces.push(("sign", 1 << sign));
    }
    pieces
}

/// A rule: cases that meet all of its conditions are refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rule {
    /// Conditions on numbers.
    pub all: Vec<Atom>,
    /// A condition on data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<DataAtom>,
    /// The shortest reason that the target gave, if it gave any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Rule {
    /// Whether the numbers of a case meet it; data are not looked at.
    #[inline]
    #[must_use]
    pub fn meets(&self, view: &View, parts: &Parts<'_>) -> bool {
        self.all.iter().all(|atom| atom.holds(view, parts))
    }

    /// Whether it speaks of the cell alone: of data-path axes and of nothing else.
    #[must_use]
    pub fn is_of_path(&self) -> bool {
        self.data.is_none() && self.all.iter().all(|atom| matches!(atom.lens, Lens::Path(_)))
    }

    /// A rule over one family as rules over its fields, which together refuse what it refuses, and where it is about
    /// differences perhaps more; nothing if it is no such rule.
    #[must_use]
    pub(crate) fn by_fields(&self, view: &View) -> Vec<Rule> {
        let [Atom { lens, test }] = &self.all[..] else { return Vec::new() };
        let Some(family) = view.family(*lens).filter(|family| !family.is_of_flags()) else { return Vec::new() };
        let bits = match test {
            Test::Bits(bits) => *bits,
            _ => family.bits(),
        };
        let members = family.members.iter().filter(|member| member.bits() & bits != 0);
        let rules = members.flat_map(|member| {
            let (shift, data) = (member.bits().trailing_zeros(), &self.data);
            let own = (bits & member.bits()) >> shift;
            let test = if member.bits() >> shift == 1 { Test::In(vec![1]) } else { Test::Bits(own) };
            member.fields.iter().map(move |&place| {
                let all = vec![Atom { lens: Lens::Field(place), test: test.clone() }];
                Rule { all, data: data.clone(), reason: None }
            })
        });
        rules.collect()
    }

    /// It in words.
    #[must_use]
    pub fn describe(&self, view: &View) -> String {
        let mut words: Vec<String> = self.all.iter().map(|atom| atom.describe(view)).collect();
        if let Some(data) = &self.data {
            words.push(format!("a datum of {} has {}", view.isa.layout.banks[data.bank].name, data.words));
        }
        words.join(" and ")
    }
}

/// What a target refuses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The rules, those that refuse most first.
    pub list: Vec<Rule>,
}

impl Rules {
    /// Whether nothing is refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first rule that a case meets, by its numbers and, where that is given, its data.
    #[must_use]
    pub fn refusing(&self, view: &View, parts: &Parts<'_>, overlay: Option<&Overlay>) -> Option<usize> {
        self.list.iter().position(|rule| {
            let data = || match (&rule.data, overlay) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(data), Some(overlay)) => data.holds(view.isa.layout, overlay),
            };
            rule.meets(view, parts) && data()
        })
    }
}

/// Looks at a case that is kept as code words, small state and salt.
pub(crate) fn with_parts<T>(
    code: &Code,
    small: &[u8],
    salt: &tandem_isa::SaltPlan,
    look: impl FnOnce(&mut Parts<'_>) -> T,
) -> T {
    let (mut code, mut salt) = (*code, *salt);
    let mut aligned = tandem_isa::AlignedBytes::zeroed(small.len());
    aligned.copy_from_slice(small);
    look(&mut Parts { code: &mut code, small: &mut aligned, salt: &mut salt })
}

/// Whether a case that meets a rule meets the other one as well, as far as can be told without cases.
pub(crate) fn implies(rule: &Rule, other: &Rule) -> bool {
    (other.data.is_none() || other.data == rule.data)
        && other
            .all
            .iter()
            .all(|atom| rule.all.iter().any(|own| own.lens == atom.lens && narrower(&own.test, &atom.test)))
}

/// Whether all values that meet one condition meet the other.
fn narrower(test: &Test, other: &Test) -> bool {
    match (test, other) {
        (Test::In(values), _) => values.iter().all(|&value| other.holds(value)),
        (Test::Bits(mask), Test::Bits(more)) => mask & !more == 0,
        (Test::Bits(_) | Test::AtLeast(1..), Test::Not(0)) => true,
        (Test::AtLeast(least), Test::AtLeast(lower)) => least >= lower,
        _ => test == other,
    }
}
