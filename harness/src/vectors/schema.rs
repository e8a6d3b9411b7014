//! The schemas, and whether a value fits one.
//!
//! As much of JSON Schema 2020-12 is understood as our two schemas use; a keyword beyond that does not compile. A gate holds every
//! verdict on thousands of broken files against another implementation of JSON Schema.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex_lite::Regex;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// The id of the schema that files of vectors name.
pub const SCHEMA_ID: &str = "urn:tandem:vectors:1";
/// What files name in its place of which a test is a program: version 2.
pub const PROGRAMS_ID: &str = "urn:tandem:vectors:2";
/// The schema of files of vectors, of both versions (JSON Schema 2020-12).
pub const SCHEMA_TEXT: &str = include_str!("../../schema/vectors.schema.json");
/// The schema of the list of revoked tests.
const REVOKED_TEXT: &str = include_str!("../../schema/revoked.schema.json");

static VECTORS: LazyLock<Node> = LazyLock::new(|| compile(SCHEMA_TEXT));
static REVOKED: LazyLock<Node> = LazyLock::new(|| compile(REVOKED_TEXT));

fn compile(text: &str) -> Node {
    serde_json::from_str(text).expect("the schema has only keywords that are understood")
}

/// Which schema a file must fit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Schema {
    /// A file of vectors.
    Vectors,
    /// The list of revoked tests.
    Revoked,
}

/// What is wrong with a value: JSON pointer, and what the schema asks for.
pub(super) fn complaint(schema: Schema, value: &Value) -> Option<(String, String)> {
    let root: &Node = match schema {
        Schema::Vectors => &VECTORS,
        Schema::Revoked => &REVOKED,
    };
    let Wrong { mut place, what } = Checker { root }.check(root, value).err()?;
    if place.is_empty() {
        place.push('/');
    }
    Some((place, what))
}

/// A schema.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Node {
    #[serde(rename = "$schema")]
    _dialect: IgnoredAny,
    #[serde(rename = "$id")]
    _id: IgnoredAny,
    #[serde(rename = "title")]
    _title: IgnoredAny,
    #[serde(rename = "description")]
    _description: IgnoredAny,
    #[serde(rename = "$defs")]
    definitions: BTreeMap<String, Node>,
    #[serde(rename = "$ref")]
    reference: Option<String>,
    r#type: Option<Type>,
    r#enum: Option<Vec<Value>>,
    r#const: Option<Value>,
    pattern: Option<Pattern>,
    min_length: usize,
    max_length: Option<usize>,
    minimum: Option<u64>,
    maximum: Option<u64>,
    min_items: usize,
    max_items: Option<usize>,
    unique_items: bool,
    items: Option<Box<Node>>,
    required: Vec<String>,
    properties: BTreeMap<String, Node>,
    additional_properties: Option<Additional>,
    property_names: Option<Box<Node>>,
    min_properties: usize,
    max_properties: Option<usize>,
    one_of: Vec<Node>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Type {
    Object,
    Array,
    String,
    Integer,
    Boolean,
}

impl Type {
    fn has(self, value: &Value) -> bool {
        match self {
            Type::Object => value.is_object(),
            Type::Array => value.is_array(),
            Type::String => value.is_string(),
            // A number without a fraction is one, however it is written.
            Type::Integer => {
                value.is_u64() || value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
            }
            Type::Boolean => value.is_boolean(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Type::Object => "an object",
            Type::Array => "an array",
            Type::String => "a string",
            Type::Integer => "an integer",
            Type::Boolean => "true or false",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Additional {
    Allowed(bool),
    Fit(Box<Node>),
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Pattern {
    regex: Regex,
    /// It as what most patterns are, which a million texts of a file are held against in no time.
    run: Option<Letters>,
}

impl TryFrom<String> for Pattern {
    type Error = regex_lite::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Regex::new(&text).map(|regex| Pattern { regex, run: Letters::of(&text) })
    }
}

impl Pattern {
    fn is_match(&self, text: &str) -> bool {
        self.run.as_ref().map_or_else(|| self.regex.is_match(text), |run| run.is_match(text))
    }
}

/// Letters of some ranges behind a fixed beginning, as many as are asked for: `^0x[0-9a-f]{8}$`.
#[derive(Debug)]
struct Letters {
    begin: String,
    ranges: Vec<RangeInclusive<u8>>,
    times: RangeInclusive<usize>,
}

impl Letters {
    /// What a pattern asks for, if it asks for no more than this.
    fn of(pattern: &str) -> Option<Self> {
        let (begin, rest) = pattern.strip_prefix('^')?.strip_suffix('$')?.split_once('[')?;
        let (ranges, times) = rest.split_once(']')?;
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let range = |bytes: &[u8]| match *bytes {
            [first, b'-', last] if [first, last].iter().all(u8::is_ascii_alphanumeric) => Some(first..=last),
            _ => None,
        };
        let times = match times.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(count) => count.parse().ok().map(|count| count..=count)?,
            None if times == "+" => 1..=usize::MAX,
            None => return None,
        };
        let ranges = ranges.as_bytes().chunks(3).map(range).collect::<Option<_>>()?;
        is_plain(begin).then(|| Letters { begin: begin.to_string(), ranges, times })
    }

    fn is_match(&self, text: &str) -> bool {
        let is_one = |byte: u8| self.ranges.iter().any(|range| range.contains(&byte));
        let rest = text.strip_prefix(&*self.begin);
        rest.is_some_and(|rest| self.times.contains(&rest.len()) && rest.bytes().all(is_one))
    }
}

/// What is wrong, and where. Values are not quoted: a message never has a megabyte of the file.
struct Wrong {
    place: String,
    what: String,
}

fn wrong(what: impl Into<String>) -> Result<(), Wrong> {
    Err(Wrong { place: String::new(), what: what.into().chars().take(300).collect() })
}

/// The same below a member or an item.
fn below(key: &str, found: Result<(), Wrong>) -> Result<(), Wrong> {
    found.map_err(|Wrong { place, what }| {
        let key: String = key.replace('~', "~0").replace('/', "~1").chars().take(96).collect();
        Wrong { place: format!("/{key}{place}"), what }
    })
}

struct Checker<'a> {
    root: &'a Node,
}

impl Checker<'_> {
    fn check(&self, node: &Node, value: &Value) -> Result<(), Wrong> {
        if let Some(reference) = &node.reference {
            let name = reference.strip_prefix("#/$defs/").unwrap_or(reference);
            self.check(&self.root.definitions[name], value)?;
        }
        if let Some(kind) = node.r#type.filter(|kind| !kind.has(value)) {
            return wrong(format!("is not {}", kind.name()));
        }
        if node.r#const.as_ref().is_some_and(|only| only != value) {
            return wrong(format!("is not {}", node.r#const.as_ref().unwrap_or(&Value::Null)));
        }
        if let Some(all) = node.r#enum.as_ref().filter(|all| !all.contains(value)) {
            return wrong(format!("is none of {}", Value::from(all.clone())));
        }
        match value {
            Value::String(text) => string(node, text)?,
            Value::Number(_) => number(node, value)?,
            Value::Array(items) => self.array(node, items)?,
            Value::Object(members) => self.object(node, members)?,
            Value::Null | Value::Bool(_) => {}
        }
        if !node.one_of.is_empty() {
            let fitting = node.one_of.iter().filter(|one| self.check(one, value).is_ok()).count();
            if fitting != 1 {
                return wrong(format!("fits {fitting} of {} forms, and must fit one", node.one_of.len()));
            }
        }
        Ok(())
    }

    fn array(&self, node: &Node, items: &[Value]) -> Result<(), Wrong> {
        let count = items.len();
        if count < node.min_items || node.max_items.is_some_and(|most| count > most) {
            return wrong(format!("has {count} items, and must have {}", bounds(node.min_items, node.max_items)));
        }
        if node.unique_items {
            let mut seen = BTreeSet::new();
            if !items.iter().all(|item| seen.insert(item.to_string())) {
                return wrong("has an item twice");
            }
        }
        let Some(all) = &node.items else { return Ok(()) };
        items.iter().enumerate().try_for_each(|(place, item)| below(&place.to_string(), self.check(all, item)))
    }

    fn object(&self, node: &Node, members: &serde_json::Map<String, Value>) -> Result<(), Wrong> {
        if let Some(missing) = node.required.iter().find(|name| !members.contains_key(*name)) {
            return wrong(format!("lacks the key \"{missing}\""));
        }
        let count = members.len();
        if count < node.min_properties || node.max_properties.is_some_and(|most| count > most) {
            return wrong(format!(
                "has {count} keys, and must have {}",
                bounds(node.min_properties, node.max_properties)
            ));
        }
        for (key, value) in members {
            if let Some(names) = &node.property_names {
                below(key, self.check(names, &Value::from(key.as_str())))?;
            }
            match (node.properties.get(key), &node.additional_properties) {
                (Some(own), _) => below(key, self.check(own, value))?,
                (None, Some(Additional::Fit(all))) => below(key, self.check(all, value))?,
                (None, Some(Additional::Allowed(false))) => {
                    return wrong(format!("has the key \"{}\", which is not known", key.escape_debug()));
                }
                (None, Some(Additional::Allowed(true)) | None) => {}
            }
        }
        Ok(())
    }
}

fn bounds(least: usize, most: Option<usize>) -> String {
    most.map_or_else(|| format!("{least} at least"), |most| format!("{least} to {most}"))
}

fn string(node: &Node, text: &str) -> Result<(), Wrong> {
    // Characters are counted only where bytes leave it open.
    let is_short = text.len() < node.min_length || (!text.is_ascii() && text.chars().count() < node.min_length);
    let is_long = node.max_length.is_some_and(|most| text.len() > most && text.chars().count() > most);
    if is_short || is_long {
        return wrong(format!("has not {} characters", bounds(node.min_length, node.max_length)));
    }
    match &node.pattern {
        Some(pattern) if !pattern.is_match(text) => wrong(format!("does not look like {}", pattern.regex)),
        Some(_) | None => Ok(()),
    }
}

fn number(node: &Node, value: &Value) -> Result<(), Wrong> {
    let number = value.as_f64().unwrap_or(f64::NAN);
    // Bounds are below 2^53, so that they are exact as floats.
    let is_small = node.minimum.is_some_and(|least| number < least as f64);
    let is_large = node.maximum.is_some_and(|most| number > most as f64);
    if is_small || is_large {
        let most = node.maximum.map_or_else(String::new, |most| format!(" and at most {most}"));
        return wrong(format!("is not at least {}{most}", node.minimum.unwrap_or_default()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(schema: &str, value: &str) -> Option<(String, String)> {
        let (root, value) = (compile(schema), serde_json::from_str(value).expect("JSON"));
        Checker { root: &root }.check(&root, &value).err().map(|Wrong { place, what }| (place, what))
    }

    #[test]
    fn each_keyword_is_obeyed_and_the_place_is_named() {
        for (schema, fits, fails, place) in [
            (r#"{"type":"integer","minimum":2,"maximum":3}"#, "3", "4", ""),
            (r#"{"type":"integer"}"#, "1.0", "1.5", ""),
            (r#"{"type":"string","minLength":2,"maxLength":3}"#, r#""éé""#, r#""é""#, ""),
            (r#"{"pattern":"^a{2}$"}"#, r#""aa""#, r#""aaa""#, ""),
            (r#"{"enum":["a",1]}"#, "1", "2", ""),
            (r#"{"const":true}"#, "true", "false", ""),
            (r#"{"items":{"type":"boolean"},"minItems":1}"#, "[true]", "[true,0]", "/1"),
            (r#"{"uniqueItems":true,"maxItems":2}"#, "[1,2]", "[1,1]", ""),
            (r#"{"required":["a"]}"#, r#"{"a":0}"#, r#"{"b":0}"#, ""),
            (
                r#"{"properties":{"a":{"type":"array"}},"additionalProperties":false}"#,
                r#"{"a":[]}"#,
                r#"{"a":0}"#,
                "/a",
            ),
            (r#"{"properties":{"a":{}},"additionalProperties":false}"#, r#"{"a":0}"#, r#"{"b":0}"#, ""),
            (r#"{"additionalProperties":{"type":"string"}}"#, r#"{"a":""}"#, r#"{"a/b":0}"#, "/a~1b"),
            (r#"{"propertyNames":{"maxLength":1},"minProperties":1}"#, r#"{"a":0}"#, r#"{"ab":0}"#, "/ab"),
            (r#"{"maxProperties":1}"#, "{}", r#"{"a":0,"b":0}"#, ""),
            (r##"{"$defs":{"n":{"type":"object"}},"items":{"$ref":"#/$defs/n"}}"##, "[{}]", "[[]]", "/0"),
            (r#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#, r#"{"a":0}"#, r#"{"a":0,"b":0}"#, ""),
        ] {
            assert_eq!(says(schema, fits), None, "{schema}");
            assert_eq!(says(schema, fails).expect("it does not fit").0, place, "{schema}");
        }
    }

    #[test]
    fn letters_behind_a_beginning_are_what_the_expression_says() {
        let patterns = [SCHEMA_TEXT, REVOKED_TEXT].into_iter().flat_map(|text| text.split("\"pattern\": \"").skip(1));
        let patterns: Vec<&str> = patterns.filter_map(|rest| rest.split('"').next()).collect();
        let (mut noise, mut matched) = (tandem_isa::Noise::new(1), 0);
        for pattern in patterns.into_iter().chain(["^ab[a-c]+$", "^[0-9]{3}$"]) {
            let Some(letters) = Letters::of(pattern) else { continue };
            let regex = Regex::new(pattern).expect("it is one");
            for _ in 0..4_000 {
                let alphabet: Vec<char> = ["019af", "019afgGx-\n\u{e9}"][noise.below(2)].chars().collect();
                let count = [noise.below(20), letters.times.start() - noise.below(2)][noise.below(2)];
                let mut text = ["", "0x", &letters.begin][noise.below(3)].to_string();
                text.extend((0..count).map(|_| alphabet[noise.below(alphabet.len())]));
                assert_eq!(letters.is_match(&text), regex.is_match(&text), "{pattern} {text:?}");
                matched += u32::from(regex.is_match(&text));
            }
        }
        assert!(matched > 1_000, "{matched}");
        for other in ["[0-9]+", "^[0-9]*$", "^[0-9]+-[0-9]+$", "^[a-z_]+$", "^a.[0-9]+$", "^[^0-9]+$"] {
            assert!(Letters::of(other).is_none(), "{other}");
        }
    }

    #[test]
    fn what_is_not_understood_does_not_compile() {
        assert!(serde_json::from_str::<Node>(r#"{"anyOf":[]}"#).is_err());
        assert!(serde_json::from_str::<Node>(r#"{"pattern":"("}"#).is_err());
    }

    #[test]
    fn every_reference_leads_somewhere() {
        for text in [SCHEMA_TEXT, REVOKED_TEXT] {
            let root = compile(text);
            let names = text.split("#/$defs/").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
            names.for_each(|name| assert!(root.definitions.contains_key(name), "{name}"));
        }
    }
}
