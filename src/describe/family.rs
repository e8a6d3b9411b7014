//! Families of fields: those whose names differ by indices only, and that lie at even distances.

use tandem_isa::Field;

/// Fields that one line can describe; one field alone is a family of its own.
#[derive(Debug)]
pub(super) struct Family {
    /// The name with the extents of its indices, for example `RWCs[0..3].Dst`.
    pub name: String,
    /// The name without indices.
    pub stem: String,
    /// The field whose indices are all 0.
    pub first: &'static Field,
    /// How many values each index has, from left to right.
    pub extents: Vec<usize>,
    /// How far the words of two neighbours are apart, for each index, in bytes.
    pub byte_strides: Vec<usize>,
    /// Their base values, in the order of the only index, if these are not all the same.
    pub bases: Vec<u32>,
    /// How far their hardware addresses are apart, for each index; 0 if they have none.
    pub address_strides: Vec<u32>,
}

impl Family {
    /// The base value, or the first of several.
    pub fn base(&self) -> String {
        let more = if self.bases.is_empty() { "" } else { ", …" };
        format!("{}{more}", self.first.base)
    }
}

/// A field with the indices in its name.
type Member = (Vec<usize>, &'static Field);

/// The indices of a name, and the name without them and with `[]` in their places.
fn split(name: &str) -> (String, Vec<usize>) {
    let (mut pattern, mut indices, mut rest) = (String::new(), Vec::new(), name);
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((index, behind)) = behind.split_once(']') else { break };
        let Ok(index) = index.parse() else { break };
        pattern.push_str(before);
        pattern.push_str("[]");
        indices.push(index);
        rest = behind;
    }
    (pattern + rest, indices)
}

/// The families of all fields, in the order of their first fields. Each field is in one.
pub(super) fn families(fields: &'static [Field]) -> Vec<Family> {
    let mut groups: Vec<(String, Vec<Member>)> = Vec::new();
    for field in fields {
        let (pattern, indices) = split(&field.name);
        match groups.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, members)) => members.push((indices, field)),
            None => groups.push((pattern, vec![(indices, field)])),
        }
    }
    let mut families = Vec::new();
    for (pattern, members) in groups {
        match together(&pattern, &members) {
            Some(family) => families.push(family),
            None => families.extend(members.into_iter().map(|(_, field)| alone(field))),
        }
    }
    families
}

fn alone(field: &'static Field) -> Family {
    let (extents, byte_strides, address_strides) = (Vec::new(), Vec::new(), Vec::new());
    let (name, stem) = (field.name.clone(), field.name.clone());
    Family { name, stem, first: field, extents, byte_strides, bases: Vec::new(), address_strides }
}

/// The members as one family, if each combination of indices exists and lies where the strides say.
fn together(pattern: &str, members: &[Member]) -> Option<Family> {
    let count = members.first()?.0.len();
    let field_at = |wanted: &[usize]| members.iter().find(|(indices, _)| indices == wanted).map(|(_, field)| *field);
    let first = field_at(&vec![0; count])?;
    let extents: Vec<usize> =
        (0..count).map(|place| members.iter().map(|(indices, _)| indices[place] + 1).max().unwrap_or(1)).collect();
    let second = |place: usize| {
        let mut indices = vec![0; count];
        indices[place] = usize::from(extents[place] > 1);
        field_at(&indices)
    };
    let address = |field: &Field| field.address.map_or(0, |(_, word)| word);
    let (mut byte_strides, mut address_strides) = (Vec::new(), Vec::new());
    for place in 0..count {
        let second = second(place)?;
        byte_strides.push(second.byte.checked_sub(first.byte)?);
        address_strides.push(address(second).checked_sub(address(first))?);
    }
    let is_in_place = |(indices, field): &Member| {
        let byte: usize = indices.iter().zip(&byte_strides).map(|(index, stride)| index * stride).sum();
        let word: usize = indices.iter().zip(&address_strides).map(|(index, stride)| index * *stride as usize).sum();
        (field.byte, address(field) as usize) == (first.byte + byte, address(first) as usize + word)
            && (field.shift, field.width, field.max) == (first.shift, first.width, first.max)
            && (field.word, field.role, field.address.map(|(bank, _)| bank))
                == (first.word, first.role, first.address.map(|(bank, _)| bank))
    };
    let whole = members.len() == extents.iter().product::<usize>();
    if !whole || !members.iter().all(is_in_place) {
        return None;
    }
    let mut parts = pattern.split("[]");
    let mut name = parts.next().unwrap_or_default().to_string();
    for (extent, part) in extents.iter().zip(parts) {
        name.push_str(&format!("[0..{extent}]{part}"));
    }
    let stem = pattern.replace("[]", "");
    let mut bases = Vec::new();
    if members.iter().any(|(_, field)| field.base != first.base) {
        // They are told for one index alone.
        let &[extent] = &extents[..] else { return None };
        bases = (0..extent).filter_map(|index| field_at(&[index])).map(|field| field.base).collect();
    }
    Some(Family { name, stem, first, extents, byte_strides, bases, address_strides })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tandem_cases::ISAS;

    use super::*;

    #[test]
    fn each_field_is_in_one_family_at_the_place_that_the_strides_say() {
        for isa in ISAS {
            let fields = (isa.layout.fields)();
            let mut seen = BTreeSet::new();
            let families = families(fields);
            for family in &families {
                let mut places = vec![(String::new(), 0, 0)];
                for (place, &extent) in family.extents.iter().enumerate() {
                    let step = |(name, byte, word): &(String, usize, u32), index: usize| {
                        let byte = byte + index * family.byte_strides[place];
                        let word = word + u32::try_from(index).expect("small") * family.address_strides[place];
                        (format!("{name},{index}"), byte, word)
                    };
                    places = places.iter().flat_map(|one| (0..extent).map(move |index| step(one, index))).collect();
                }
                for (indices, byte, word) in places {
                    let wanted: Vec<usize> = indices.split(',').filter_map(|digits| digits.parse().ok()).collect();
                    let found = fields.iter().find(|field| {
                        let (pattern, indices) = split(&field.name);
                        pattern.replace("[]", "") == family.stem && indices == wanted
                            || (wanted.is_empty() && field.name == family.name)
                    });
                    let found = found.unwrap_or_else(|| panic!("{}: {} {indices}", isa.name, family.name));
                    assert_eq!(found.byte, family.first.byte + byte, "{}", found.name);
                    assert_eq!(found.address.map(|(_, at)| at), family.first.address.map(|(_, at)| at + word));
                    assert!(seen.insert(found.name.clone()), "{} is in two families", found.name);
                }
            }
            assert_eq!(seen.len(), fields.len(), "{}: {} families", isa.name, families.len());
        }
    }
}
