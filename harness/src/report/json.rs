//! JSON: the model as it is, indented, with keys in the order of the model.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use super::model::{Report, ResultPart};
use crate::vectors::visible_lines;

/// The whole report, with a newline at its end.
#[must_use]
pub fn report(report: &Report) -> String {
    text(report)
}

/// Its result alone: the same bytes for any number of threads, on any machine.
#[must_use]
pub fn result(result: &ResultPart) -> String {
    text(result)
}

/// The largest number of a report: seeds are smaller, and no run comes to as many cases.
const MOST: u64 = 1 << 48;
/// What all its numbers come to at most, so that no sum of some of them is too large.
const MOST_OF_ALL: u64 = 1 << 62;

/// Reads a report back, for example to render it once more. What it says may be wrong, but whoever renders it has no more to do
/// than its size asks for: no number in it is larger than a count can be, and no bit lies outside of a word.
///
/// # Errors
/// The text is not a report of this version.
pub fn parse(text: &str) -> Result<Report, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    Counts(&Cell::new(0)).deserialize(&mut reader).and_then(|()| reader.end())?;
    serde_json::from_str(text)
}

/// Reads JSON in which all numbers are counts; what they came to so far.
#[derive(Clone, Copy)]
struct Counts<'a>(&'a Cell<u64>);

impl<'de> DeserializeSeed<'de> for Counts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a report")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        Err(E::custom(format!("no count is negative, as {number} is")))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.0.set(self.0.get().saturating_add(number));
        if number > MOST || self.0.get() > MOST_OF_ALL {
            return Err(E::custom(format!("no run counts as far as to {number}")));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry_seed(self, self)?.is_some() {}
        Ok(())
    }
}

fn text(value: &impl serde::Serialize) -> String {
    // JSON itself leaves marks of direction and some controls as they are, and a report is looked at on terminals.
    let mut text = visible_lines(&serde_json::to_string_pretty(value).expect("reports serialize"));
    text.push('\n');
    text
}
