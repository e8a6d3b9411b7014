//! What numbers mean, where it is not plain: for people who write the glue to an implementation.
//!
//! Meanings are facts of the pages in our words. No implementation of ours looks at them; the command line prints them.

use crate::{Bank, CodeField, Field, Format};

/// What the number in a field means.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The fields that it is about: their name without indices. A `*` stands for letters and digits, so that `V*.type` is
    /// about the type of each variable.
    pub of: &'static str,
    /// In words.
    pub text: &'static str,
    /// The names of the values, by number, if they have any. A value without one has an empty name.
    pub values: &'static [&'static str],
}

/// What the words of a bank hold.
#[derive(Clone, Copy, Debug)]
pub struct BankMeaning {
    /// The name of the bank.
    pub of: &'static str,
    /// In words.
    pub text: &'static str,
    /// The layouts that a datum may have, as the instruction and its configuration say.
    pub formats: &'static [&'static Format],
}

/// The meanings of an instruction set, in lists: what chips of a family share stands in one of them.
#[derive(Clone, Copy, Debug)]
pub struct Meanings {
    /// Of the banks.
    pub banks: &'static [BankMeaning],
    /// Of the fields of the small state.
    pub fields: &'static [&'static [Meaning]],
    /// Of the fields of code words.
    pub code: &'static [&'static [Meaning]],
}

impl Meanings {
    /// What a bank holds.
    #[must_use]
    pub fn of_bank(&self, bank: &Bank) -> Option<&'static BankMeaning> {
        self.banks.iter().find(|meaning| meaning.of == bank.name)
    }

    /// What a field of the small state means, if that is not plain.
    #[must_use]
    pub fn of_field(&self, field: &Field) -> Option<&'static Meaning> {
        find(self.fields, &field.name)
    }

    /// What a field of the code words means, if that is not plain.
    #[must_use]
    pub fn of_code(&self, field: &CodeField) -> Option<&'static Meaning> {
        find(self.code, field.name)
    }
}

fn find(lists: &'static [&'static [Meaning]], name: &str) -> Option<&'static Meaning> {
    let name = without_indices(name);
    lists.iter().copied().flatten().find(|meaning| matches(meaning.of, &name))
}

/// `ThreadConfig.ADDR_MOD_AB_SEC.SrcAIncr` for `ThreadConfig[2].ADDR_MOD_AB_SEC[5].SrcAIncr`.
fn without_indices(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, part| name + part.split_once(']').map_or("", |(_, rest)| rest))
}

/// Whether a name is that of a pattern, in which each `*` stands for one or more letters and digits.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, behind)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(before) else { return false };
    let most = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (1..=most).any(|length| matches(behind, &rest[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MACHINES;

    #[test]
    fn patterns_match_names_without_indices() {
        assert_eq!(
            without_indices("ThreadConfig[2].ADDR_MOD_AB_SEC[5].SrcAIncr"),
            "ThreadConfig.ADDR_MOD_AB_SEC.SrcAIncr"
        );
        assert_eq!(without_indices("EM"), "EM");
        for (pattern, name, is_of) in [
            ("V*.type", "V32.type", true),
            ("V*.type", "V.type", false),
            ("V*.type", "V3.2.type", false),
            ("P*", "P1", true),
            ("P*", "P1.log2_num_elements", false),
            ("EM", "EM", true),
            ("EM", "E", false),
        ] {
            assert_eq!(matches(pattern, name), is_of, "{pattern} {name}");
        }
    }

    #[test]
    fn every_meaning_is_of_something_and_names_no_value_that_cannot_be() {
        for isa in MACHINES {
            let &Meanings { banks, fields, code } = isa.meanings;
            assert_eq!(banks.len(), isa.layout.banks.len(), "{}: each bank has a meaning", isa.name);
            for meaning in banks {
                assert!(isa.layout.bank_named(meaning.of).is_some(), "{}: {}", isa.name, meaning.of);
                assert!(meaning.text.ends_with('.'), "{}: {}", isa.name, meaning.of);
            }
            for meaning in fields.iter().copied().flatten() {
                let of = (isa.layout.fields)()
                    .iter()
                    .filter(|field| isa.meanings.of_field(field).is_some_and(|found| std::ptr::eq(found, meaning)));
                let widest = of.map(|field| field.max).max();
                let widest = widest.unwrap_or_else(|| panic!("{}: no field is {}", isa.name, meaning.of));
                assert!(meaning.values.len() <= widest as usize + 1, "{}: {}", isa.name, meaning.of);
                assert!(meaning.text.ends_with('.'), "{}: {}", isa.name, meaning.of);
            }
            for meaning in code.iter().copied().flatten() {
                let all = isa.instructions.iter().flat_map(|instruction| instruction.code_fields);
                let of =
                    all.filter(|field| isa.meanings.of_code(field).is_some_and(|found| std::ptr::eq(found, meaning)));
                let width = of.map(|field| field.width).max();
                let width = width.unwrap_or_else(|| panic!("{}: no code field is {}", isa.name, meaning.of));
                assert!(meaning.values.len() <= 1 << width.min(16), "{}: {}", isa.name, meaning.of);
                assert!(meaning.text.ends_with('.'), "{}: {}", isa.name, meaning.of);
            }
        }
    }

    #[test]
    fn every_field_has_a_meaning() {
        for isa in MACHINES {
            for instruction in isa.instructions {
                for field in instruction.code_fields {
                    assert!(isa.meanings.of_code(field).is_some(), "{}: {}", instruction.path(), field.name);
                }
            }
            for field in (isa.layout.fields)() {
                assert!(isa.meanings.of_field(field).is_some(), "{}: {}", isa.name, field.name);
            }
        }
    }
}
