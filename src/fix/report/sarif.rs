//! SARIF 2.1.0.

use anyhow::Result;
use serde_json::{Value, json};

use crate::fix::merge_units::Merged;
use crate::fix::model::{Location, Pair, Status, VerdictName};

use super::explain;
use super::sources::Sources;

/// The whole log, with a final newline.
///
/// # Errors
/// If it cannot be serialised.
pub(crate) fn log(merged: &Merged) -> Result<Vec<u8>> {
    let mut sources = Sources::default();
    let results: Vec<Value> = merged.pairs.iter().map(|pair| result(pair, &mut sources)).collect();
    let failed = merged.files.iter().any(|file| file.status == Status::Failed);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "echo-fix",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules(),
                "notifications": [
                    notification("not-analysed", "the file could not be analysed"),
                    notification("not-understood", "a function was not understood; no pair that it could concern is merged"),
                    notification("unused-suppression", "a comment suppresses nothing"),
                ],
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{
                "executionSuccessful": !failed,
                "toolExecutionNotifications": notifications(merged),
            }],
            "artifacts": merged.files.iter().map(|file| json!({"location": artifact(&file.path)})).collect::<Vec<_>>(),
            "results": results,
        }],
    });
    let mut bytes = serde_json::to_vec_pretty(&log)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn notification(id: &str, what: &str) -> Value {
    json!({"id": id, "shortDescription": {"text": what}})
}

/// What is to be said of files rather than of pairs.
fn notifications(merged: &Merged) -> Vec<Value> {
    let said = |level: &str, id: &str, text: &str, file: &str, line: Option<u32>| {
        let mut place = json!({"artifactLocation": artifact(file)});
        if let Some(line) = line {
            place["region"] = json!({"startLine": line});
        }
        json!({
            "level": level,
            "descriptor": {"id": id},
            "message": {"text": text},
            "locations": [{"physicalLocation": place}],
        })
    };
    let mut all = Vec::new();
    for file in &merged.files {
        if file.status == Status::Failed {
            let why = file.message.as_deref().unwrap_or_default();
            all.push(said("error", "not-analysed", why, &file.path, None));
        }
        for function in &file.opaque_functions {
            let text = format!("`{}` was not understood: {}", function.name, function.reason);
            all.push(said("note", "not-understood", &text, &function.file, Some(function.line)));
        }
        for statement in &file.opaque_statements {
            let text = format!(
                "a statement of `{}` was not understood: {}",
                statement.function, statement.reason
            );
            all.push(said("note", "not-understood", &text, &statement.file, Some(statement.line)));
        }
    }
    for unused in &merged.unused_suppressions {
        let text = "this `echo: ignore` suppresses nothing";
        all.push(said("warning", "unused-suppression", text, &unused.file, Some(unused.line)));
    }
    all
}

fn rules() -> Vec<Value> {
    let mut rules = vec![json!({
        "id": "merge",
        "name": "Merge",
        "shortDescription": {"text": "a host and a device buffer can be merged"},
        "fullDescription": {"text": "On a chip with unified memory the copies between these buffers are waste; merging them provably changes nothing."},
        "help": {"text": "Apply the fix, or run `echo-fix --apply`."},
        "defaultConfiguration": {"level": "note"},
    })];
    for (code, page) in explain::PAGES {
        let title = page.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(code);
        rules.push(json!({
            "id": code,
            "shortDescription": {"text": title},
            "fullDescription": {"text": title},
            "help": {"text": page, "markdown": page},
            "defaultConfiguration": {"level": "note"},
        }));
    }
    rules
}

fn artifact(path: &str) -> Value {
    let encoded: String = path
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    json!({"uri": if path.starts_with('/') { format!("file://{encoded}") } else { encoded }})
}

/// Bytes `start..end` of a file, in the file's own measures and in the log's.
fn region(file: &str, start: u32, end: u32, sources: &mut Sources) -> Value {
    let source = sources.get(file);
    let (start_line, start_column) = source.line_and_column(start as usize);
    let (end_line, end_column) = source.line_and_column(end as usize);
    json!({
        "startLine": start_line, "startColumn": start_column,
        "endLine": end_line, "endColumn": end_column,
        "byteOffset": start, "byteLength": end - start,
    })
}

fn place(location: &Location, sources: &mut Sources) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(&location.file),
            "region": region(&location.file, location.start, location.end, sources),
        },
        "message": {"text": location.label},
    })
}

fn allocation(place: &(String, u32), sources: &mut Sources) -> Value {
    let (file, start) = place;
    let (line, column) = sources.get(file).line_and_column(*start as usize);
    json!({"physicalLocation": {
        "artifactLocation": artifact(file),
        "region": {"startLine": line, "startColumn": column},
    }})
}

fn result(pair: &Pair, sources: &mut Sources) -> Value {
    let names = format!("`{}` and `{}`", pair.host.name, pair.device.name);
    let mut value = match pair.verdict {
        VerdictName::Merge => json!({
            "ruleId": "merge",
            "level": "note",
            "message": {"text": format!("{names} can be merged ({} bytes)", pair.bytes)},
            "locations": [allocation(&pair.key.device, sources)],
            "fixes": [fix(pair, sources)],
        }),
        VerdictName::Decline => {
            let first = pair.objections.first();
            let mut locations = first.into_iter().flat_map(|objection| &objection.locations);
            let primary = match locations.next() {
                Some(location) => place(location, sources),
                None => allocation(&pair.key.device, sources),
            };
            let mut related: Vec<Value> =
                locations.map(|location| place(location, sources)).collect();
            for (index, location) in related.iter_mut().enumerate() {
                location["id"] = json!(index);
            }
            let why = first.map_or("", |objection| objection.message.as_str());
            json!({
                "ruleId": first.map_or("edit", |objection| objection.condition.as_str()),
                "kind": "informational",
                "level": "none",
                "message": {"text": format!("declined to merge {names}: {why}")},
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

fn fix(pair: &Pair, sources: &mut Sources) -> Value {
    let mut files: Vec<&str> = pair.edits.iter().map(|edit| edit.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let changes: Vec<Value> = files
        .into_iter()
        .map(|file| {
            let replacements: Vec<Value> = pair
                .edits
                .iter()
                .filter(|edit| edit.file == file)
                .map(|edit| {
                    json!({
                        "deletedRegion": region(file, edit.start, edit.end, sources),
                        "insertedContent": {"text": edit.replacement},
                    })
                })
                .collect();
            json!({"artifactLocation": artifact(file), "replacements": replacements})
        })
        .collect();
    json!({"description": {"text": "merge the two buffers"}, "artifactChanges": changes})
}
