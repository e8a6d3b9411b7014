//! One thing alone, or several in a list: how files write what is nearly always one.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

pub(crate) fn serialize<T: Serialize, S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error> {
    if let [one] = all { one.serialize(to) } else { all.serialize(to) }
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(match OneOrMany::deserialize(from)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(all) => all,
    })
}
