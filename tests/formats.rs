//! The machine outputs are what they promise: JSON by `docs/echo-fix.schema.json` (each fixture's report is checked in
//! `corpus.rs` too), SARIF by the official schema, and both say the same.
#![allow(unreachable_pub, reason = "the module is shared between test targets")]

#[path = "corpus/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// All edits of a file, as (start, end, text), once each.
type Edits = BTreeMap<String, Vec<(u64, u64, String)>>;

#[test]
fn the_whole_corpus_as_sarif() {
    let log = run(&["corpus"], "sarif");
    validate_sarif(&log).expect("SARIF by its schema");
    let rules = array(&log["runs"][0]["tool"]["driver"]["rules"]);
    for rule in rules {
        assert!(text(&rule["help"]["text"]).len() > 20, "{} has no help", rule["id"]);
    }
    let results = array(&log["runs"][0]["results"]);
    assert!(results.len() > 200, "only {} results", results.len());
    let mut fingerprints = BTreeSet::new();
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{}", result["ruleId"]);
        let fingerprint = text(&result["partialFingerprints"]["echoPair/v1"]);
        assert!(fingerprints.insert(fingerprint), "{fingerprint} is there twice");
    }
}

#[test]
fn both_forms_say_the_same() {
    // corpus/edit has a file that replaces a function of the library: with it nothing merges.
    let folders = ["corpus/naming", "corpus/sharing", "corpus/demo"];
    let report = run(&folders, "json");
    schema::Json::read().validate(&report).expect("JSON by its schema");
    let log = run(&folders, "sarif");
    let results = array(&log["runs"][0]["results"]);
    let pairs = array(&report["pairs"]);
    assert_eq!(results.len(), pairs.len(), "a result for each pair");
    for (result, pair) in results.iter().zip(pairs) {
        assert_eq!(pair["id"], result["partialFingerprints"]["echoPair/v1"]);
        let merges = pair["verdict"] == "merge";
        assert_eq!(merges, result["ruleId"] == "merge");
        assert_eq!(merges, result["fixes"].is_array(), "{}", pair["id"]);
        assert!(merges || result["ruleId"] == pair["objections"][0]["condition"]);
    }
    let edits = edits_of_report(&report);
    assert!(edits.len() > 5, "there are merges in several files");
    assert_eq!(edits_of_log(&log), edits, "SARIF's fixes are the report's edits");
}

#[test]
fn the_schemas_refuse_what_is_wrong() {
    let schema = schema::Json::read();
    let report = run(&["corpus/demo"], "json");
    schema.validate(&report).expect("valid as it is");
    let merged = array(&report["pairs"]).iter().position(|pair| pair["verdict"] == "merge");
    let merged = format!("/pairs/{}", merged.expect("the demo has a merge"));
    for (pointer, wrong) in [
        ("/schema_version", json!(2)),
        ("/files/0", json!({"path": "a.cu", "status": "analysed"})),
        ("/summary", json!({"pairs": 1, "merge": 1, "decline": 0, "by_condition": {"S9": 1}})),
        (&format!("{merged}/verdict"), json!("perhaps")),
        (&format!("{merged}/verdict"), json!("decline")),
        (&format!("{merged}/edits"), json!([])),
        (&format!("{merged}/host/line"), json!(0)),
        (&format!("{merged}/memory"), json!(["paged"])),
        (&format!("{merged}/key"), json!({"host": ["a.cu", 1], "device": ["a.cu"]})),
    ] {
        let mut changed = report.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is missing")) = wrong;
        assert!(schema.validate(&changed).is_err(), "{pointer} is not checked");
    }
    let mut changed = report.clone();
    changed["files"][0]["unheard_of"] = json!(true);
    assert!(schema.validate(&changed).is_err(), "a new field must be in the schema");
    let log = run(&["corpus/demo"], "sarif");
    validate_sarif(&log).expect("valid as it is");
    for (pointer, wrong) in [
        ("/version", json!("2.0.0")),
        ("/runs/0/results/0/level", json!("bad")),
        ("/runs/0/results/0/message", json!("not an object")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
    ] {
        let mut changed = log.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is missing")) = wrong;
        assert!(validate_sarif(&changed).is_err(), "{pointer} is not checked");
    }
}

/// By the schema of OASIS that the crate `serde-sarif` carries, read as the standard's errata have it: the pattern of
/// languages is a regular expression, and a region starts somewhere.
fn validate_sarif(log: &Value) -> Result<(), String> {
    let text = fs::read_to_string(sarif_schema()).map_err(|why| why.to_string())?;
    let text =
        text.replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    let schema: Value = serde_json::from_str(&text).map_err(|why| why.to_string())?;
    schema::validate(&schema, log)?;
    regions(log)?;
    let typed: serde_sarif::sarif::Sarif =
        serde_json::from_value(log.clone()).map_err(|e| e.to_string())?;
    if typed.runs.len() == 1 { Ok(()) } else { Err("not one run".to_owned()) }
}

fn regions(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(map) => map.iter().try_for_each(|(key, value)| {
            let starts = ["startLine", "charOffset", "byteOffset"];
            if key.to_lowercase().ends_with("region")
                && !starts.iter().any(|start| value.get(start).is_some())
            {
                return Err(format!("a region that starts nowhere: {value}"));
            }
            regions(value)
        }),
        Value::Array(all) => all.iter().try_for_each(regions),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn sarif_schema() -> PathBuf {
    // Packages of other platforms may not be there, and nothing may be fetched.
    let rustc = Command::new(Path::new(env!("CARGO")).with_file_name("rustc"))
        .arg("-vV")
        .output()
        .expect("rustc is beside cargo");
    let version = String::from_utf8(rustc.stdout).expect("UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let package = array(&metadata["packages"])
        .iter()
        .find(|package| package["name"] == "serde-sarif")
        .expect("a dependency of the tests");
    PathBuf::from(text(&package["manifest_path"])).with_file_name("src").join("schema.json")
}

fn edits_of_report(report: &Value) -> Edits {
    let mut edits = Edits::new();
    for edit in array(&report["pairs"]).iter().flat_map(|pair| array(&pair["edits"])) {
        let (start, end) = (number(&edit["start"]), number(&edit["end"]));
        let file = edits.entry(text(&edit["file"]).to_owned()).or_default();
        file.push((start, end, text(&edit["replacement"]).to_owned()));
    }
    sorted(edits)
}

fn edits_of_log(log: &Value) -> Edits {
    let mut edits = Edits::new();
    let results = array(&log["runs"][0]["results"]).iter();
    let fixes =
        results.filter(|result| result["ruleId"] == "merge").flat_map(|r| array(&r["fixes"]));
    for change in fixes.flat_map(|fix| array(&fix["artifactChanges"])) {
        let file = edits.entry(text(&change["artifactLocation"]["uri"]).to_owned()).or_default();
        for replacement in array(&change["replacements"]) {
            let region = &replacement["deletedRegion"];
            let start = number(&region["byteOffset"]);
            let end = start + number(&region["byteLength"]);
            file.push((start, end, text(&replacement["insertedContent"]["text"]).to_owned()));
        }
    }
    sorted(edits)
}

fn sorted(mut edits: Edits) -> Edits {
    for file in edits.values_mut() {
        file.sort();
        file.dedup();
    }
    edits
}

fn run(paths: &[&str], format: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_echo-fix"))
        .args(paths)
        .args(["--min-size", "0", "--format", format])
        .output()
        .expect("echo-fix runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON and nothing else")
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"))
}
