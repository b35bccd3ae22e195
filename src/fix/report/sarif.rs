//! SARIF 2.1.0.

use serde_json::{Value, json};

use crate::fix::model::{FileReport, Location, Pair, VerdictName};

/// The whole log.
pub(crate) fn log(files: &[FileReport], pairs: &[Pair]) -> Value {
    let results: Vec<Value> = pairs.iter().map(result).collect();
    let notifications: Vec<Value> = files
        .iter()
        .filter(|f| f.message.is_some())
        .map(|f| {
            json!({
                "level": "warning",
                "message": {"text": f.message.clone().unwrap_or_default()},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&f.path)}}}],
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "echo-fix",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": "https://arxiv.org/abs/2609.05635",
                "rules": rules(),
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "results": results,
        }],
    })
}

fn rules() -> Vec<Value> {
    let mut rules = vec![json!({
        "id": "merge",
        "shortDescription": {"text": "host and device buffer can be merged"},
        "fullDescription": {"text": "The copies between these buffers are waste on a unified-memory chip; merging them provably changes nothing."},
        "help": {"text": "Apply the fix, or run `echo-fix --apply`."},
        "defaultConfiguration": {"level": "note"},
    })];
    for (code, page) in crate::fix::explain::PAGES {
        let title = page
            .lines()
            .find(|l| l.starts_with("# "))
            .map_or(*code, |l| l.trim_start_matches("# "));
        rules.push(json!({
            "id": code,
            "shortDescription": {"text": title},
            "fullDescription": {"text": title},
            "help": {"text": page, "markdown": page},
            "defaultConfiguration": {"level": "none"},
        }));
    }
    rules
}

fn uri(path: &str) -> String {
    path.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(b).to_string()
            }
            _ => format!("%{b:02X}"),
        })
        .collect()
}

fn physical(file: &str, line: u32, column: u32) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(file)},
        "region": {"startLine": line, "startColumn": column},
    }})
}

fn place(location: &Location) -> Value {
    let mut value = physical(&location.file, location.line, location.column);
    value["message"] = json!({"text": location.label});
    value
}

fn result(pair: &Pair) -> Value {
    let mut value = match pair.verdict {
        VerdictName::Merge => json!({
            "ruleId": "merge",
            "level": "note",
            "kind": "fail",
            "message": {"text": format!("`{}` and `{}` can be merged ({} bytes)", pair.host.name, pair.device.name, pair.bytes)},
            "locations": [physical(&pair.device.file, pair.device.line, pair.device.column)],
            "fixes": [fix(pair)],
        }),
        VerdictName::Decline => {
            let first = pair.objections.first();
            let related: Vec<Value> =
                first.iter().flat_map(|o| o.locations.iter().skip(1)).map(place).collect();
            let primary = first.and_then(|o| o.locations.first()).map_or_else(
                || physical(&pair.device.file, pair.device.line, pair.device.column),
                place,
            );
            json!({
                "ruleId": first.map_or("edit", |o| o.condition.as_str()),
                "level": "none",
                "kind": "informational",
                "message": {"text": format!(
                    "declined to merge `{}` and `{}`: {}",
                    pair.host.name, pair.device.name, first.map_or("", |o| o.message.as_str())
                )},
                "locations": [primary],
                "relatedLocations": related,
            })
        }
    };
    value["partialFingerprints"] = json!({"echoPair/v1": pair.id});
    if pair.suppressed {
        value["suppressions"] = json!([{"kind": "inSource"}]);
    }
    value
}

fn fix(pair: &Pair) -> Value {
    let mut changes: Vec<Value> = Vec::new();
    let mut files: Vec<&str> = pair.edits.iter().map(|e| e.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let replacements: Vec<Value> = pair
            .edits
            .iter()
            .filter(|e| e.file == file)
            .map(|e| {
                json!({
                    "deletedRegion": {"byteOffset": e.start, "byteLength": e.end - e.start},
                    "insertedContent": {"text": e.replacement},
                })
            })
            .collect();
        changes.push(json!({"artifactLocation": {"uri": uri(file)}, "replacements": replacements}));
    }
    json!({"description": {"text": "merge the two buffers"}, "artifactChanges": changes})
}
