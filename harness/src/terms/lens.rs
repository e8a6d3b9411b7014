//! Lenses: what of a case a rule can speak of, and how it is read and written.

use serde::{Deserialize, Serialize};
use tandem_isa::{Axis, CellSpace, Edition, FieldRole, Instruction, Isa, Noise, Parts};

use super::family::{Family, families, put};

/// A number that a case has: a field, or what several fields make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lens {
    /// A quantity that the instruction names, by its place in its list.
    Quantity(usize),
    /// A data-path axis, by its place: its level.
    Path(usize),
    /// A field of the code words, by its place in the instruction's list.
    Code(usize),
    /// The bits of a code word that no field names.
    Unnamed(usize),
    /// A field of the small state, by its place in the layout's list.
    Field(usize),
    /// An orthogonal axis, by its place: its level.
    Axis(usize),
    /// A family of fields, by its place among those of the layout: what any instance has that is not as in the base state.
    Any(usize),
    /// A family of fields: what its instances differ in.
    Differ(usize),
}

/// What lenses look at: the cases of an instruction in an edition.
#[derive(Clone, Copy)]
pub struct View {
    /// The instruction set.
    pub isa: &'static Isa,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// Its cells.
    pub cells: &'static CellSpace,
    /// Its orthogonal axes.
    pub orthogonal: &'static [Axis],
    /// The families of its fields.
    pub(crate) families: &'static [Family],
}

impl View {
    /// The view of an instruction in an edition.
    #[must_use]
    pub fn new(isa: &'static Isa, instruction: &'static Instruction, edition: Edition) -> Self {
        let (cells, orthogonal) = ((instruction.cells)(edition), (instruction.orthogonal)(edition));
        View { isa, instruction, edition, cells, orthogonal, families: families(isa.layout) }
    }

    /// All lenses, those that explain most first.
    #[must_use]
    pub fn lenses(&self) -> Vec<Lens> {
        let instruction = self.instruction;
        let fields = (self.isa.layout.fields)();
        let quantities = (0..instruction.quantities.len()).map(Lens::Quantity);
        let paths = (0..self.cells.axes.len()).map(Lens::Path);
        let code = (0..instruction.code_fields.len()).map(Lens::Code);
        let unnamed = (0..instruction.base_code.len()).filter(|&word| instruction.unnamed_bits(word) != 0);
        // Models are no state of a machine; a rule may still speak of them, since a target may be asked for one only.
        let fields = (0..fields.len()).map(Lens::Field);
        let families = 0..self.families.len();
        let differ = families.clone().filter(|&place| self.families[place].has_instances()).map(Lens::Differ);
        let families = families.filter(|&place| !self.families[place].is_one_field()).map(Lens::Any).chain(differ);
        let axes = (0..self.orthogonal.len()).map(Lens::Axis);
        let own = quantities.chain(paths).chain(code).chain(unnamed.map(Lens::Unnamed));
        own.chain(families).chain(fields).chain(axes).collect()
    }

    /// Whether cases have such a number.
    #[must_use]
    pub fn has(&self, lens: Lens) -> bool {
        match lens {
            Lens::Quantity(place) => place < self.instruction.quantities.len(),
            Lens::Path(place) => place < self.cells.axes.len(),
            Lens::Code(place) => place < self.instruction.code_fields.len(),
            Lens::Unnamed(word) => word < self.instruction.base_code.len(),
            Lens::Field(place) => place < (self.isa.layout.fields)().len(),
            Lens::Axis(place) => place < self.orthogonal.len(),
            Lens::Any(place) | Lens::Differ(place) => place < self.families.len(),
        }
    }

    /// Its name, as a report spells it.
    #[must_use]
    pub fn name(&self, lens: Lens) -> String {
        match lens {
            Lens::Quantity(place) => self.instruction.quantities[place].name.to_string(),
            Lens::Path(place) => self.cells.axes[place].name.to_string(),
            Lens::Code(place) => self.instruction.code_fields[place].name.to_string(),
            Lens::Unnamed(_) if self.instruction.base_code.len() == 1 => "unnamed bits of the code".to_string(),
            Lens::Unnamed(word) => format!("unnamed bits of code word {word}"),
            Lens::Field(place) => (self.isa.layout.fields)()[place].name.clone(),
            Lens::Axis(place) => self.orthogonal[place].name.to_string(),
            Lens::Any(place) => self.families[place].name.clone(),
            Lens::Differ(place) => format!("bits of {} that differ", self.families[place].stem()),
        }
    }

    /// The lens of this name, if there is one; the first in the order of [`View::lenses`].
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Lens> {
        self.lenses().into_iter().find(|&lens| self.name(lens).eq_ignore_ascii_case(name))
    }

    /// The name of a value, if values have names.
    #[must_use]
    pub fn value_name(&self, lens: Lens, value: u32) -> Option<&'static str> {
        let names: &[&'static str] = match lens {
            Lens::Quantity(place) => self.instruction.quantities[place].values,
            Lens::Path(place) => self.cells.axes[place].levels,
            Lens::Axis(place) => self.orthogonal[place].levels,
            Lens::Code(_) | Lens::Unnamed(_) | Lens::Field(_) | Lens::Any(_) | Lens::Differ(_) => &[],
        };
        names.get(usize::try_from(value).ok()?).copied()
    }

    /// Reads a value: its name, or a number.
    ///
    /// # Errors
    /// What values there are.
    pub fn value_of(&self, lens: Lens, text: &str) -> Result<u32, String> {
        let largest = self.largest(lens);
        let named = (0..=largest.min(255)).find(|&value| self.value_name(lens, value) == Some(text));
        let digits = text.strip_prefix("0x");
        let number = || digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok());
        named.or_else(number).filter(|&value| value <= largest).ok_or_else(|| {
            let names: Vec<&str> = (0..=largest.min(63)).filter_map(|value| self.value_name(lens, value)).collect();
            let may = if names.is_empty() { format!("numbers up to {largest}") } else { names.join(", ") };
            format!("{} has no value '{text}'; it has {may}", self.name(lens))
        })
    }

    /// The largest value that it can have.
    #[must_use]
    pub fn largest(&self, lens: Lens) -> u32 {
        let of_width = |width: u32| if width >= 32 { u32::MAX } else { (1 << width) - 1 };
        let last = |levels: &[&str]| u32::try_from(levels.len() - 1).expect("an axis has few levels");
        match lens {
            Lens::Quantity(place) => {
                let quantity = &self.instruction.quantities[place];
                let named = quantity.values.len().saturating_sub(1);
                if named > 0 { u32::try_from(named).expect("few names") } else { of_width(quantity.width) }
            }
            Lens::Path(place) => last(self.cells.axes[place].levels),
            Lens::Axis(place) => last(self.orthogonal[place].levels),
            Lens::Code(place) => of_width(self.instruction.code_fields[place].width),
            Lens::Unnamed(word) => self.instruction.unnamed_bits(word),
            Lens::Field(place) => (self.isa.layout.fields)()[place].max,
            Lens::Any(place) | Lens::Differ(place) => self.families[place].bits(),
        }
    }

    /// Whether the values are names of things, and not numbers: then only single values are spoken of.
    #[must_use]
    pub fn is_nominal(&self, lens: Lens) -> bool {
        match lens {
            Lens::Quantity(place) => !self.instruction.quantities[place].values.is_empty(),
            Lens::Path(_) | Lens::Axis(_) => true,
            Lens::Code(_) | Lens::Unnamed(_) | Lens::Field(_) | Lens::Any(_) | Lens::Differ(_) => false,
        }
    }

    /// The family that it looks at, if it looks at one.
    #[must_use]
    pub(crate) fn family(&self, lens: Lens) -> Option<&'static Family> {
        match lens {
            Lens::Any(place) | Lens::Differ(place) => Some(&self.families[place]),
            _ => None,
        }
    }

    /// Whether it is a field of the small state that says under which model a case is compared.
    #[must_use]
    pub fn is_model(&self, lens: Lens) -> bool {
        matches!(lens, Lens::Field(place) if (self.isa.layout.fields)()[place].role == FieldRole::Model)
    }

    /// Reads it.
    #[inline]
    #[must_use]
    pub fn get(&self, lens: Lens, parts: &Parts<'_>) -> u32 {
        match lens {
            Lens::Quantity(place) => (self.instruction.quantities[place].get)(parts),
            Lens::Path(place) => level((self.cells.axes[place].get)(parts)),
            Lens::Code(place) => self.instruction.code_fields[place].get(parts.code),
            Lens::Unnamed(word) => parts.code[word] & self.instruction.unnamed_bits(word),
            Lens::Field(place) => (self.isa.layout.fields)()[place].get(parts.small),
            Lens::Axis(place) => level((self.orthogonal[place].get)(parts)),
            Lens::Any(place) => self.families[place].any((self.isa.layout.fields)(), parts.small),
            Lens::Differ(place) => self.families[place].differing((self.isa.layout.fields)(), parts.small),
        }
    }

    /// Gives a case a value, and says whether the case then has it. Axes draw what their level leaves open.
    pub fn set(&self, lens: Lens, parts: &mut Parts<'_>, value: u32, noise: &mut Noise) -> bool {
        let fields = (self.isa.layout.fields)();
        let is_set = match lens {
            Lens::Quantity(place) => self.instruction.quantities[place].set(parts, value),
            Lens::Path(place) => set_level(&self.cells.axes[place], parts, value, noise),
            Lens::Axis(place) => set_level(&self.orthogonal[place], parts, value, noise),
            Lens::Code(place) => {
                self.instruction.code_fields[place].set(parts.code, value);
                true
            }
            Lens::Unnamed(word) => {
                let mask = self.instruction.unnamed_bits(word);
                parts.code[word] = (parts.code[word] & !mask) | (value & mask);
                true
            }
            Lens::Field(place) => put(&fields[place], parts.small, value),
            Lens::Any(place) => self.families[place].put_any(fields, parts.small, value),
            Lens::Differ(place) => self.families[place].put_differing(fields, parts.small, value),
        };
        is_set && self.get(lens, parts) == value
    }
}

/// Sets an axis to a level, if it has it.
fn set_level(axis: &Axis, parts: &mut Parts<'_>, level: u32, noise: &mut Noise) -> bool {
    let has = (level as usize) < axis.levels.len();
    if has {
        (axis.set)(parts, level as usize, noise);
    }
    has
}

fn level(level: usize) -> u32 {
    u32::try_from(level).expect("an axis has few levels")
}
