//! Checks values against JSON schemas.

use std::fs;

use serde_json::Value;

/// Where the schema of the JSON output is.
const PATH: &str = "docs/echo-fix.schema.json";

/// The schema of the JSON output.
pub struct Json {
    schema: Value,
}

impl Json {
    /// Reads it. Users must ignore fields that they do not know; here, a field that the schema does not know is an error.
    pub fn read() -> Self {
        let text = fs::read(PATH).unwrap_or_else(|why| panic!("{PATH}: {why}"));
        let mut schema = serde_json::from_slice(&text).expect("a schema in JSON");
        close(&mut schema);
        Self { schema }
    }

    /// Says where `report` is not what the schema says.
    pub fn validate(&self, report: &Value) -> Result<(), String> {
        validate(&self.schema, report)
    }
}

/// Says where `value` is not what `schema` says.
pub fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(schema).map_err(|why| format!("schema: {why}"))?;
    let wrong: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Forbids unknown fields in every object that lists its fields.
fn close(schema: &mut Value) {
    if let Some(map) = schema.as_object_mut() {
        if map.get("type").is_some_and(|kind| kind == "object") && map.contains_key("properties") {
            map.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        map.values_mut().for_each(close);
    } else if let Some(list) = schema.as_array_mut() {
        list.iter_mut().for_each(close);
    }
}
