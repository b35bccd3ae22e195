//! JSON, version 1 (DESIGN section 6; `docs/echo-fix.schema.json`).

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;

use crate::fix::merge_units::Merged;
use crate::fix::model::{FileReport, Pair, VerdictName};

/// The whole document. Fields may be added, not renamed.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema_version: u32,
    tool: &'static str,
    version: &'static str,
    target: &'a str,
    files: &'a [FileReport],
    pairs: &'a [Pair],
    /// Bytes that are not UTF-8 are replaced; the edits and the text output are exact.
    patch: String,
    unused_suppressions: Vec<Place<'a>>,
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Debug, Serialize)]
struct Summary {
    pairs: usize,
    merge: usize,
    decline: usize,
    by_condition: BTreeMap<String, usize>,
}

/// The document, with a final newline.
///
/// # Errors
/// If it cannot be serialised.
pub(crate) fn document(target: &str, merged: &Merged, patch: &[u8]) -> Result<Vec<u8>> {
    let pairs = &merged.pairs;
    let merge = pairs.iter().filter(|pair| pair.verdict == VerdictName::Merge).count();
    let mut by_condition = BTreeMap::new();
    for objection in pairs.iter().filter_map(|pair| pair.objections.first()) {
        *by_condition.entry(objection.condition.clone()).or_insert(0) += 1;
    }
    let document = Document {
        schema_version: 1,
        tool: "echo-fix",
        version: env!("CARGO_PKG_VERSION"),
        target,
        files: &merged.files,
        pairs,
        patch: String::from_utf8_lossy(patch).into_owned(),
        unused_suppressions: merged
            .unused_suppressions
            .iter()
            .map(|suppression| Place { file: &suppression.file, line: suppression.line })
            .collect(),
        summary: Summary { pairs: pairs.len(), merge, decline: pairs.len() - merge, by_condition },
    };
    let mut bytes = serde_json::to_vec_pretty(&document)?;
    bytes.push(b'\n');
    Ok(bytes)
}
