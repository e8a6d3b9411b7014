//! The schemas, compiled once.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The id of the schema that files of vectors name.
pub const SCHEMA_ID: &str = "urn:tandem:vectors:1";
/// What files name in its place of which a test is a program: version 2.
pub const PROGRAMS_ID: &str = "urn:tandem:vectors:2";
/// The schema of files of vectors, of both versions (JSON Schema 2020-12).
pub const SCHEMA_TEXT: &str = include_str!("../../schema/vectors.schema.json");
/// The schema of the list of revoked tests.
const REVOKED_TEXT: &str = include_str!("../../schema/revoked.schema.json");

fn compile(text: &str) -> Validator {
    let schema: Value = serde_json::from_str(text).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

static VECTORS: LazyLock<Validator> = LazyLock::new(|| compile(SCHEMA_TEXT));
static REVOKED: LazyLock<Validator> = LazyLock::new(|| compile(REVOKED_TEXT));

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
    let validator: &Validator = match schema {
        Schema::Vectors => &VECTORS,
        Schema::Revoked => &REVOKED,
    };
    let error = validator.validate(value).err()?;
    let place = error.instance_path().to_string();
    // Values are masked: a message quotes the schema, never a megabyte of the file.
    let message: String = error.masked().to_string().chars().take(300).collect();
    Some((if place.is_empty() { "/".to_string() } else { place }, message))
}
