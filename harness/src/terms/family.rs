//! Families: fields of the small state that belong together, by their names and words alone.
//!
//! A target without storage for a part of the configuration refuses whatever is set there, in any lane, bank or thread.
//! That is one cause and many fields, so rules can speak of all of them at once: of what *any* instance has that is not
//! its base value, and of what instances *differ* in.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tandem_isa::{Field, FieldRole, Layout};

use super::stems::by_key;

/// The most bits that the number of a family can have.
const BITS: u32 = u32::BITS;

/// A field in all of its instances, and where it lies in the number of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its places in the layout's list, by instance.
    pub fields: Vec<usize>,
    /// Its lowest bit in the number.
    shift: u32,
    /// Its bits in the number, before the shift. A flag has one, which says whether it is not at its base value.
    mask: u32,
    is_flag: bool,
}

impl Member {
    /// Its bits, in the number of the family.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.mask << self.shift
    }

    /// How an instance differs from its base value.
    fn away(&self, field: &Field, small: &[u8]) -> u32 {
        let away = field.get(small) ^ field.base;
        if self.is_flag { u32::from(away != 0) } else { away }
    }

    /// Lets all instances have, of how they differ from their base values, no more than `wanted`; what none has goes to
    /// all, so that they do not differ in it. False if some field cannot have that value.
    fn allow(&self, fields: &[Field], small: &mut [u8], wanted: u32) -> bool {
        let had = self.fields.iter().fold(0, |any, &place| any | self.away(&fields[place], small));
        let missing = wanted & !had;
        self.fields.iter().all(|&place| {
            let field = &fields[place];
            let away = match (self.is_flag, wanted) {
                (true, 0) => 0,
                (true, _) if missing == 0 => field.get(small) ^ field.base,
                (true, _) => (if field.base == field.max { 0 } else { field.max }) ^ field.base,
                (false, _) => (field.get(small) ^ field.base) & wanted | missing,
            };
            put(field, small, away ^ field.base)
        })
    }

    fn differing(&self, fields: &[Field], small: &[u8]) -> u32 {
        let first = fields[self.fields[0]].get(small);
        self.fields.iter().fold(0, |any, &place| any | (fields[place].get(small) ^ first))
    }

    /// Lets instances differ in these bits and no others. The others follow the first in what is to be alike, and the last
    /// one differs in what was alike.
    fn vary(&self, fields: &[Field], small: &mut [u8], wanted: u32) -> bool {
        let alike = wanted & !self.differing(fields, small);
        let first = fields[self.fields[0]].get(small);
        let last = self.fields.len() - 1;
        self.fields.iter().enumerate().skip(1).all(|(number, &place)| {
            let value = fields[place].get(small) & wanted | first & !wanted;
            put(&fields[place], small, if number == last { value ^ alike } else { value })
        })
    }
}

/// Gives a field a value, if it can have it.
pub(super) fn put(field: &Field, small: &mut [u8], value: u32) -> bool {
    let fits = value <= field.max;
    if fits {
        field.set(small, value);
    }
    fits
}

/// Fields that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// As rules call what any instance has: `LaneConfig[any]`, `ThreadConfig[any].FP16A_FORCE_Enable`.
    pub name: String,
    /// Its members.
    pub members: Vec<Member>,
    /// What it is a family by.
    pub kind: FamilyKind,
}

/// What fields are a family by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// Their name, but for the indices.
    Name,
    /// The word in which they lie, in all of its instances. Each field of the small state is in one such family, or has no name.
    Word,
    /// That they have no names; there are flags in place of values, as in a group.
    Unnamed,
    /// The first part of their names, or their role; there are flags in place of values.
    Group,
}

impl Family {
    /// Whether rules can say that its instances differ.
    #[must_use]
    pub fn has_instances(&self) -> bool {
        !self.is_of_flags() && self.members[0].fields.len() > 1
    }

    /// Whether its number says which members are not at their base values, and not what they are.
    #[must_use]
    pub const fn is_of_flags(&self) -> bool {
        matches!(self.kind, FamilyKind::Unnamed | FamilyKind::Group)
    }

    /// Whether it is one field alone, which is spoken of by itself.
    #[must_use]
    pub fn is_one_field(&self) -> bool {
        matches!(&self.members[..], [only] if only.fields.len() == 1)
    }

    /// Its fields.
    pub fn fields(&self) -> impl Iterator<Item = usize> {
        self.members.iter().flat_map(|member| member.fields.iter().copied())
    }

    /// All bits of its number.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.members.iter().fold(0, |bits, member| bits | member.bits())
    }

    /// What any instance has that is not as in the base state, a bit for each bit.
    #[must_use]
    pub fn any(&self, fields: &[Field], small: &[u8]) -> u32 {
        let of = |member: &Member| {
            member.fields.iter().fold(0, |any, &place| any | member.away(&fields[place], small)) << member.shift
        };
        self.members.iter().fold(0, |any, member| any | of(member))
    }

    /// Gives [`Family::any`] a value.
    pub fn put_any(&self, fields: &[Field], small: &mut [u8], value: u32) -> bool {
        let of = |member: &Member| value >> member.shift & member.mask;
        value & !self.bits() == 0 && self.members.iter().all(|member| member.allow(fields, small, of(member)))
    }

    /// The bits that some instances have set and others have clear.
    #[must_use]
    pub fn differing(&self, fields: &[Field], small: &[u8]) -> u32 {
        self.members.iter().fold(0, |any, member| any | member.differing(fields, small) << member.shift)
    }

    /// Gives [`Family::differing`] a value.
    pub fn put_differing(&self, fields: &[Field], small: &mut [u8], value: u32) -> bool {
        let of = |member: &Member| value >> member.shift & member.mask;
        value & !self.bits() == 0 && self.members.iter().all(|member| member.vary(fields, small, of(member)))
    }

    /// Gives one instance a value as [`Family::any`] has it, and leaves the others as they are; of a group, each member is an
    /// instance.
    pub(crate) fn put_alone(&self, fields: &[Field], small: &mut [u8], instance: usize, value: u32) -> bool {
        if self.is_of_flags() {
            return self.members[instance].allow(fields, small, 1);
        }
        let mut put = |member: &Member| {
            let field = &fields[member.fields[instance]];
            put(field, small, field.base ^ (value >> member.shift & member.mask))
        };
        // The others also where one of them cannot have its value.
        let mut fits = true;
        self.members.iter().for_each(|member| fits &= put(member));
        fits
    }

    /// Gives all instances a value as [`Family::any`] has it.
    pub(crate) fn put_all(&self, fields: &[Field], small: &mut [u8], value: u32) {
        if self.is_of_flags() {
            self.put_any(fields, small, value);
        } else {
            (0..self.instances()).for_each(|instance| {
                self.put_alone(fields, small, instance, value);
            });
        }
    }

    /// How many instances [`Family::put_alone`] knows.
    pub(crate) fn instances(&self) -> usize {
        if self.is_of_flags() { self.members.len() } else { self.members[0].fields.len() }
    }

    /// What its instances are called when rules say that they differ: `LaneConfig`.
    #[must_use]
    pub fn stem(&self) -> String {
        self.name.replace("[any]", "")
    }
}

/// The families of a layout, found once.
pub(crate) fn families(layout: &'static Layout) -> &'static [Family] {
    static KNOWN: Mutex<BTreeMap<usize, &'static [Family]>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    known.entry(std::ptr::from_ref(layout).addr()).or_insert_with(|| Box::leak(found((layout.fields)()).into()))
}

/// A field in all of its instances.
struct Stem {
    name: String,
    fields: Vec<usize>,
}

/// Families by word, then by name, then groups.
fn found(fields: &[Field]) -> Vec<Family> {
    // Who executes, and by which model a case is compared, is no configuration.
    let is_set = |field: &Field| !matches!(field.role, FieldRole::Context | FieldRole::Model);
    let named = fields.iter().enumerate().filter(|(_, field)| is_set(field));
    let stems = by_key(named.map(|(place, field)| (with_any(&field.name), place)));
    let stems = stems.into_iter().map(|(name, fields)| Stem { name, fields });
    let (unnamed, named): (Vec<Stem>, Vec<Stem>) =
        stems.partition(|stem| fields[stem.fields[0]].role == FieldRole::Unnamed);
    let mut all = words(fields, &named);
    let of_words = all.len();
    for stem in named.iter().filter(|stem| stem.fields.len() > 1) {
        if !all[..of_words].iter().any(|word| word.name == stem.name) {
            all.push(Family { name: stem.name.clone(), members: vec![value(fields, stem, 0)], kind: FamilyKind::Name });
        }
    }
    if !unnamed.is_empty() {
        let stems: Vec<&Stem> = unnamed.iter().collect();
        all.push(flags("bits that no field names".to_string(), &stems, FamilyKind::Unnamed));
    }
    let mut groups = by_key(named.iter().flat_map(|stem| {
        let role = format!("{} fields", fields[stem.fields[0]].role.kind());
        let first = stem.name.split('.').next().unwrap_or(&stem.name);
        [format!("{first}, all fields"), role].map(|name| (name, stem))
    }));
    groups.retain(|(_, stems)| stems.len() > 1);
    all.extend(groups.into_iter().map(|(name, stems)| flags(name, &stems, FamilyKind::Group)));
    all
}

/// `LaneConfig[3].ROW_MASK` as `LaneConfig[any].ROW_MASK`.
fn with_any(name: &str) -> String {
    let parts = name.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind));
    let parts: Vec<&str> = parts.collect();
    parts.join("[any]")
}

fn value(fields: &[Field], stem: &Stem, shift: u32) -> Member {
    let width = fields[stem.fields[0]].width;
    let mask = if width >= BITS { u32::MAX } else { (1 << width) - 1 };
    Member { fields: stem.fields.clone(), shift, mask, is_flag: false }
}

/// The words in which fields lie. Those of one field have its name.
fn words(fields: &[Field], stems: &[Stem]) -> Vec<Family> {
    let bytes = |stem: &Stem| stem.fields.iter().map(|&place| fields[place].byte).collect::<Vec<_>>();
    let words = by_key(stems.iter().map(|stem| (bytes(stem), stem)));
    let group_of = |stem: &Stem| stem.name.rsplit_once('.').map_or(&*stem.name, |(group, _)| group).to_string();
    let family = |(_, stems): &(Vec<usize>, Vec<&Stem>)| {
        if let [stem] = stems[..] {
            return Family { name: stem.name.clone(), members: vec![value(fields, stem, 0)], kind: FamilyKind::Word };
        }
        let group = group_of(stems[0]);
        let is_only = words.iter().filter(|(_, others)| group_of(others[0]) == group).count() == 1;
        let first = &fields[stems[0].fields[0]];
        let name = match first.address {
            _ if is_only => group,
            Some((_, address)) => format!("{group} word {address}"),
            None => format!("{group} word at byte {}", first.byte),
        };
        let members = stems.iter().map(|stem| value(fields, stem, fields[stem.fields[0]].shift)).collect();
        Family { name, members, kind: FamilyKind::Word }
    };
    words.iter().map(family).collect()
}

/// A flag for each field, or one for all if they are too many.
fn flags(name: String, stems: &[&Stem], kind: FamilyKind) -> Family {
    let is_small = stems.len() <= 32;
    let flag = |(shift, stem): (u32, &&Stem)| Member {
        fields: stem.fields.clone(),
        shift: if is_small { shift } else { 0 },
        mask: 1,
        is_flag: true,
    };
    Family { name, members: (0..).zip(stems).map(flag).collect(), kind }
}

#[cfg(test)]
mod tests {
    use tandem_isa::MACHINES;

    use super::*;

    #[test]
    fn a_family_is_given_what_any_instance_has_and_what_instances_differ_in() {
        for machine in MACHINES {
            let fields = (machine.layout.fields)();
            let mut base = vec![0; machine.layout.small_bytes];
            fields.iter().for_each(|field| field.set(&mut base, field.base));
            for family in families(machine.layout) {
                assert_eq!(family.any(fields, &base), 0, "{} {}", machine.name, family.name);
                let all = family.bits();
                for bits in (0..BITS).map(|bit| 1 << bit).filter(|bit| all & bit != 0).chain([0]) {
                    let mut small = base.clone();
                    if family.put_any(fields, &mut small, bits) {
                        assert_eq!(family.any(fields, &small), bits, "{} {}", machine.name, family.name);
                    }
                    if family.has_instances() && family.put_differing(fields, &mut small, bits) {
                        assert_eq!(family.differing(fields, &small), bits, "{} {}", machine.name, family.name);
                    }
                }
            }
        }
    }

    #[test]
    fn each_field_is_in_one_word_or_has_no_name() {
        for machine in MACHINES {
            let mut times = vec![0; (machine.layout.fields)().len()];
            let parts = families(machine.layout)
                .iter()
                .filter(|family| matches!(family.kind, FamilyKind::Word | FamilyKind::Unnamed));
            parts.flat_map(Family::fields).for_each(|place| times[place] += 1);
            for (field, times) in (machine.layout.fields)().iter().zip(times) {
                let expected = u32::from(!matches!(field.role, FieldRole::Context | FieldRole::Model));
                assert_eq!(times, expected, "{} {}", machine.name, field.name);
            }
            let names: std::collections::BTreeSet<_> = families(machine.layout).iter().map(|one| &one.name).collect();
            assert_eq!(names.len(), families(machine.layout).len(), "{}: two families have one name", machine.name);
        }
    }
}
