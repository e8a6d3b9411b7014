//! What numbers in fields mean, as a file: its keys, and the Rust that comes of them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::data::parse;

/// Where the meanings are: a file a family.
pub const MEANINGS: &str = "meanings";

/// The meanings of a family, by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meanings {
    fields: OfChips,
    code: OfChips,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfChips {
    both: BTreeMap<String, Meaning>,
    wormhole: BTreeMap<String, Meaning>,
    blackhole: BTreeMap<String, Meaning>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Meaning {
    Plain(String),
    OfValues { text: String, values: Values },
}

/// Names of values: those that are listed, or a list of the suite.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Values {
    Listed(Vec<String>),
    Of(String),
}

/// A list of fields and one of code words, of both chips and of each.
///
/// # Errors
/// If the file cannot be read, has a key that there is not, or names a list that there is not.
pub fn tensix(root: &Path) -> Result<String, String> {
    let path = format!("{MEANINGS}/tensix.toml");
    let text = std::fs::read_to_string(root.join(&path)).map_err(|error| format!("isa/{path}: {error}"))?;
    let Meanings { fields, code } = parse(&path, &text)?;
    let mut made = String::new();
    for (kind, OfChips { both, wormhole, blackhole }) in [("FIELDS", fields), ("CODE", code)] {
        for (chips, meanings) in [("BOTH", both), ("WORMHOLE", wormhole), ("BLACKHOLE", blackhole)] {
            let _ = writeln!(made, "const {kind}_OF_{chips}: &[Meaning] = &[");
            for (of, meaning) in meanings {
                let (text, values) = match meaning {
                    Meaning::Plain(text) => (text, "[]".to_string()),
                    Meaning::OfValues { text, values: Values::Listed(names) } => (text, format!("{names:?}")),
                    Meaning::OfValues { text, values: Values::Of(list) } => match &*list {
                        "formats" => (text, "CODE_NAMES".to_string()),
                        "Mod0" => (text, "MOD0_NAMES".to_string()),
                        _ => return Err(format!("isa/{path}: {of}: there are no names of {list}")),
                    },
                };
                let _ = writeln!(made, "    Meaning {{ of: {of:?}, text: {text:?}, values: &{values} }},");
            }
            made.push_str("];\n");
        }
    }
    Ok(made)
}
